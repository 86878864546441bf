//! What several workers share of one search.
//!
//! A worker explores a subtree on its own. When another has nothing to do, it makes the upper part
//! of its way common: the states from its beginning to the first from which something is left to be
//! explored become nodes of a common tree, and any worker may take a branch of a node and go there,
//! by doing the steps that lead to it again on a Machine of its own.
//!
//! **Why this is the same search.** Optimal DPOR explores the branches of a state one after the
//! other. What the races in one ask for is put into the tree of what is left, below a later branch
//! if it can begin with it; and a branch that is done sleeps for the later ones. Here the branches
//! of a node have the order in which they were *begun*, that is, in which their first steps were
//! done. A branch sleeps for those that are begun later, and what the races in it ask for
//! * is dropped if it can begin with an earlier branch, or with a step that slept before: these
//!   cover it;
//! * goes on to a later branch that it can begin with, and there down the sequence with which that
//!   one was begun, to the place where it leaves it (it is dropped if that sequence ends first:
//!   what follows is explored freely). So the states of such a sequence are nodes, too;
//! * waits at the node otherwise.
//!
//! That is what would have happened had the branches been explored one after the other, only that
//! some of it comes later. So no two executions are equivalent, and none is missed, with any number
//! of workers. (Dropping what can begin with *any* branch that was begun is not enough: the subtree
//! of a branch is explored completely only together with what earlier branches ask for in it.)
//!
//! Actors have numbers, and processes identifiers, that are common to all workers.
//!
//! Cost: one lock for the tree, which is taken for branches and races of common states only. A node
//! is forgotten when all below it is explored and nothing can be asked for in it any more.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use machine::step::Actor;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::{ActorNumber, Step};
use crate::lives::Lives;
use crate::wakeup::{self, Branch, Fits, Sequence};

/// What is known about a state of a worker's own.
#[derive(Debug, Default)]
pub(crate) struct Todo {
    pub(crate) sleep: Vec<Arc<Step>>,
    pub(crate) wakeup: Vec<Branch>,
    /// How many branches were begun.
    pub(crate) begun: u32,
}

impl Todo {
    /// Whether a sequence can begin with something that sleeps.
    pub(crate) fn covers<'a>(
        &self,
        sequence: impl Iterator<Item = &'a Step> + Clone,
        fits: Fits<'_>,
    ) -> bool {
        let fits = |step: &Step| fits(step, &[]);
        self.sleep.iter().any(|asleep| wakeup::initial(asleep, sequence.clone(), fits).is_some())
    }
}

fn begins(sequence: &[Arc<Step>], step: &Step, fits: Fits<'_>) -> Option<Option<usize>> {
    wakeup::initial(step, sequence.iter().map(|step| &**step), |step| fits(step, &[]))
}

/// A branch that is to be explored now.
#[derive(Debug)]
pub(crate) enum Claim {
    /// Of a state of one's own.
    Own(Branch),
    /// Of a node: the rest of the branch is there until the step has been taken.
    Common {
        step: Arc<Step>,
        /// What is asleep before it.
        sleep: Vec<Arc<Step>>,
        /// How many branches of the state were begun before.
        begun: u32,
    },
}

/// The first step of a branch, as it was done.
pub(crate) struct First<'a> {
    pub(crate) step: &'a Arc<Step>,
    /// What sleeps after it.
    pub(crate) asleep: &'a [Arc<Step>],
    /// What the way costs with it.
    pub(crate) cost: u32,
}

/// A node, by its number.
pub(crate) type NodeId = usize;

/// A state that all workers know.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) parent: Option<NodeId>,
    /// The step from the parent.
    pub(crate) by: Option<Arc<Step>>,
    pub(crate) depth: usize,
    /// What the way to it costs, see `Limit`.
    pub(crate) cost: u32,
    /// What slept before any of its branches was begun.
    pub(crate) sleep: Vec<Arc<Step>>,
    pub(crate) begun: Vec<Begun>,
    pub(crate) wakeup: Vec<Branch>,
    /// Whether somebody is about to take the first step of the first branch.
    pub(crate) claimed: bool,
    /// Whether it is among those of which branches can be taken.
    pub(crate) listed: bool,
}

/// A branch that was begun.
#[derive(Debug)]
pub(crate) struct Begun {
    pub(crate) step: Arc<Step>,
    /// The state after the step, if it is common.
    pub(crate) child: Option<NodeId>,
    /// Whether it was begun with a sequence, of which the child is a part.
    pub(crate) prescribed: bool,
    /// Whether all of it is explored.
    pub(crate) done: bool,
}

impl Node {
    fn is_open(&self) -> bool {
        !self.claimed && !self.wakeup.is_empty()
    }

    fn is_done(&self) -> bool {
        !self.claimed && self.wakeup.is_empty() && self.begun.iter().all(|begun| begun.done)
    }

    fn place(&self, step: &Step) -> Option<usize> {
        self.begun.iter().position(|begun| begun.step.is(step))
    }
}

/// The nodes, and which of them have branches to be taken.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: BTreeMap<NodeId, Node>,
    next: NodeId,
    /// Those close to the beginning first: their subtrees are large.
    listed: BTreeMap<(usize, u64), NodeId>,
    turn: u64,
    idle: usize,
    over: bool,
}

impl Tree {
    fn add(&mut self, node: Node) -> NodeId {
        let id = self.next;
        self.next += 1;
        self.nodes.insert(id, node);
        id
    }

    /// Takes over a node from a file. Numbers are given in the order of the nodes.
    pub(crate) fn restore(&mut self, node: Node) {
        let id = self.add(node);
        self.list(id);
    }

    /// Lets others take branches of a node, if it has any.
    fn list(&mut self, id: NodeId) {
        let key = match self.nodes.get_mut(&id) {
            Some(node) if !node.listed && node.is_open() => {
                node.listed = true;
                (node.depth, self.turn)
            }
            _ => return,
        };
        self.turn += 1;
        self.listed.insert(key, id);
    }

    fn claim(&mut self, id: NodeId) -> Option<Claim> {
        let node = self.nodes.get_mut(&id).filter(|node| node.is_open())?;
        let step = Arc::clone(&node.wakeup.first()?.step);
        node.claimed = true;
        let begun = node.begun.iter().map(|begun| &begun.step);
        let sleep = node.sleep.iter().chain(begun).cloned().collect();
        Some(Claim::Common { step, sleep, begun: node.begun.len() as u32 })
    }

    /// Puts a sequence that the branch `from` of a node asks for where it belongs.
    fn plan(&mut self, id: NodeId, from: &Step, mut sequence: Vec<Arc<Step>>, fits: Fits<'_>) {
        let Some(node) = self.nodes.get(&id) else { return };
        let place = node.place(from).unwrap_or(0);
        let earlier = node.begun[..place.min(node.begun.len())].iter();
        let mut before = node.sleep.iter().chain(earlier.map(|begun| &begun.step));
        if before.any(|step| begins(&sequence, step, fits).is_some()) {
            return;
        }
        let (mut here, mut later) = (id, place + 1);
        loop {
            let Some(node) = self.nodes.get_mut(&here) else { return };
            let found = node.begun.iter().skip(later).find_map(|begun| {
                let at = begins(&sequence, &begun.step, fits)?;
                Some((begun.prescribed, begun.child, at))
            });
            match found {
                None => break,
                Some((true, Some(child), at)) => {
                    if let Some(at) = at {
                        sequence.remove(at);
                    }
                    (here, later) = (child, 0);
                }
                Some(_) => return,
            }
            if sequence.is_empty() {
                return;
            }
        }
        if let Some(node) = self.nodes.get_mut(&here) {
            Sequence::new(&sequence, fits).insert(&mut node.wakeup);
        }
        self.not_done(here);
        self.list(here);
    }

    /// Something is to be explored below a node, which may have been done.
    fn not_done(&mut self, id: NodeId) {
        let mut id = id;
        while let Some(node) = self.nodes.get(&id)
            && let (Some(parent), Some(by)) = (node.parent, node.by.clone())
            && let Some(above) = self.nodes.get_mut(&parent)
            && let Some(place) = above.place(&by)
            && above.begun[place].done
        {
            above.begun[place].done = false;
            id = parent;
        }
    }

    /// If all below a node is explored, its parent knows. Forgets what is not needed any more.
    fn check_done(&mut self, id: NodeId) {
        let mut id = id;
        while let Some(node) = self.nodes.get(&id).filter(|node| node.is_done())
            && let (Some(parent), Some(by)) = (node.parent, node.by.clone())
            && let Some(above) = self.nodes.get_mut(&parent)
            && let Some(place) = above.place(&by)
        {
            above.begun[place].done = true;
            id = parent;
        }
        self.forget(id);
    }

    /// Whether nothing can be asked for in a node by branches outside of it.
    fn is_closed(&self, id: NodeId) -> bool {
        let mut id = id;
        while let Some(node) = self.nodes.get(&id)
            && let (Some(parent), Some(by)) = (node.parent, &node.by)
            && let Some(above) = self.nodes.get(&parent)
            && let Some(place) = above.place(by)
            && above.begun[place].prescribed
        {
            if above.begun[..place].iter().any(|begun| !begun.done) {
                return false;
            }
            id = parent;
        }
        true
    }

    /// Forgets the nodes below a node that are done and closed.
    fn forget(&mut self, id: NodeId) {
        if !self.is_closed(id) {
            return;
        }
        let mut closed = vec![id];
        let mut gone = Vec::new();
        while let Some(id) = closed.pop() {
            let Some(node) = self.nodes.get_mut(&id) else { continue };
            for begun in &mut node.begun {
                match begun.child {
                    Some(child) if begun.done => {
                        begun.child = None;
                        begun.prescribed = false;
                        gone.push(child);
                    }
                    Some(child) => closed.push(child),
                    None => {}
                }
                if !begun.done {
                    break;
                }
            }
        }
        while let Some(id) = gone.pop() {
            if let Some(node) = self.nodes.remove(&id) {
                gone.extend(node.begun.iter().filter_map(|begun| begun.child));
            }
        }
    }
}

/// What the workers of one search have in common.
#[derive(Debug)]
pub(crate) struct Shared {
    workers: usize,
    actors: Mutex<FxHashMap<Actor, ActorNumber>>,
    tree: Mutex<Tree>,
    wake: Condvar,
    /// For how many workers there is nothing to do.
    hungry: AtomicUsize,
    /// Whether everything is shared at once, for tests.
    generous: bool,
    stop: AtomicBool,
    /// How many executions may still be begun.
    permits: AtomicU64,
    /// Whether somebody was seen to look at what a process does between its visible actions, or at
    /// a mailbox (`relabel.rs`).
    watched: AtomicBool,
    /// Whose life was touched (`search/ends.rs`).
    lives: Mutex<Lives>,
    /// Whether that became known too late.
    again: AtomicBool,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(workers: usize, max_executions: u64) -> Shared {
        Shared {
            workers,
            actors: Mutex::default(),
            tree: Mutex::default(),
            wake: Condvar::new(),
            hungry: AtomicUsize::new(0),
            generous: false,
            stop: AtomicBool::new(false),
            permits: AtomicU64::new(max_executions),
            watched: AtomicBool::new(false),
            lives: Mutex::default(),
            again: AtomicBool::new(false),
        }
    }

    /// Somebody touches the life of a process.
    pub(crate) fn note_life(&self, owner: u64) {
        if !locked(&self.lives).note(owner) {
            self.begin_again();
        }
    }

    /// What was explored so far relied on something that does not hold.
    pub(crate) fn begin_again(&self) {
        self.again.store(true, Ordering::SeqCst);
        self.stop();
    }

    /// An execution has come to its end.
    pub(crate) fn conclude_lives(&self) {
        locked(&self.lives).conclude();
    }

    /// Whose lives are touched, once an execution has come to its end.
    pub(crate) fn known_lives(&self) -> Option<FxHashSet<u64>> {
        locked(&self.lives).known()
    }

    /// Whether the search relied on something that does not hold.
    pub(crate) fn must_begin_again(&self) -> bool {
        self.again.load(Ordering::SeqCst)
    }

    pub(crate) fn note_watching(&self) {
        self.watched.store(true, Ordering::SeqCst);
    }

    pub(crate) fn is_watched(&self) -> bool {
        self.watched.load(Ordering::SeqCst)
    }

    /// For workers that take turns in one thread: whatever can be shared is, and nobody waits.
    pub(crate) fn generous(max_executions: u64) -> Shared {
        Shared { generous: true, ..Shared::new(1, max_executions) }
    }

    /// The number of an actor.
    pub(crate) fn number(&self, actor: Actor) -> ActorNumber {
        let mut actors = locked(&self.actors);
        let next = actors.len() as ActorNumber + 1;
        *actors.entry(actor).or_insert(next)
    }

    /// All actors that have numbers, in the order of the numbers.
    pub(crate) fn actors(&self) -> Vec<Actor> {
        let mut list: Vec<(ActorNumber, Actor)> =
            locked(&self.actors).iter().map(|(actor, number)| (*number, *actor)).collect();
        list.sort_unstable();
        list.into_iter().map(|(_, actor)| actor).collect()
    }

    /// Whether one more execution may be begun.
    pub(crate) fn permit(&self) -> bool {
        let one_less = |left: u64| left.checked_sub(1);
        self.permits.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
    }

    /// Whether there are executions left that may be begun.
    pub(crate) fn may_permit(&self) -> bool {
        self.permits.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn is_hungry(&self) -> bool {
        self.generous || self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Asks all workers to stop after what they are doing now.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        // Whoever is about to wait has seen it, or hears the call.
        drop(locked(&self.tree));
        self.wake.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The tree, to be read or changed by one worker; the others hear about branches to be taken.
    pub(crate) fn with<T>(&self, change: impl FnOnce(&mut Tree) -> T) -> T {
        let mut tree = locked(&self.tree);
        let before = tree.turn;
        let result = change(&mut tree);
        self.note_hunger(&tree);
        let more = tree.turn != before;
        drop(tree);
        if more {
            self.wake.notify_all();
        }
        result
    }

    fn note_hunger(&self, tree: &Tree) {
        self.hungry.store(tree.idle.saturating_sub(tree.listed.len()), Ordering::Relaxed);
    }

    /// Makes a node of a state that a worker has left by a step that is being explored.
    pub(crate) fn add(&self, mut node: Node, left_by: Option<Arc<Step>>) -> NodeId {
        node.begun.extend(left_by.map(|step| Begun {
            step,
            child: None,
            prescribed: false,
            done: false,
        }));
        let (parent, by) = (node.parent, node.by.clone());
        self.with(|tree| {
            let id = tree.add(node);
            if let Some(above) = parent.and_then(|parent| tree.nodes.get_mut(&parent))
                && let Some(place) = by.and_then(|by| above.place(&by))
            {
                above.begun[place].child = Some(id);
            }
            tree.list(id);
            id
        })
    }

    /// Adds a sequence that the branch `from` of a node asks for.
    pub(crate) fn plan(&self, id: NodeId, from: &Step, sequence: Vec<Arc<Step>>, fits: Fits<'_>) {
        self.with(|tree| tree.plan(id, from, sequence, fits));
    }

    pub(crate) fn look<T>(&self, id: NodeId, look: impl FnOnce(&Node) -> T) -> Option<T> {
        locked(&self.tree).nodes.get(&id).map(look)
    }

    /// The worker that explored a branch of a node is done with it, and takes another. Without a
    /// branch it only takes one.
    pub(crate) fn next(&self, id: NodeId, done: Option<&Step>) -> Option<Claim> {
        self.with(|tree| {
            if let Some(done) = done {
                let node = tree.nodes.get_mut(&id)?;
                let place = node.place(done)?;
                let child = node.begun[place].child;
                // Others may be busy below.
                let all = child.and_then(|child| tree.nodes.get(&child)).is_none_or(Node::is_done);
                if all && let Some(node) = tree.nodes.get_mut(&id) {
                    node.begun[place].done = true;
                }
            }
            let claim = tree.claim(id);
            if claim.is_none() {
                tree.check_done(id);
            }
            claim
        })
    }

    /// The branch that was claimed is begun with this step; or it is given up, without. If more
    /// steps are prescribed: the node after this one, and its first branch, which belongs to
    /// whoever begins. Were it there to be taken, as soon as somebody plans more in that node
    /// another worker would take it, and this one would find nothing prescribed.
    pub(crate) fn begun(&self, id: NodeId, first: Option<First<'_>>) -> Option<(NodeId, Claim)> {
        self.with(|tree| {
            let node = tree.nodes.get_mut(&id)?;
            node.claimed = false;
            let mut branch = node.wakeup.remove(0);
            let Some(First { step, asleep, cost }) = first else {
                tree.list(id);
                tree.check_done(id);
                return None;
            };
            let wakeup = std::mem::take(&mut branch.then);
            let (depth, prescribed) = (node.depth + 1, !wakeup.is_empty());
            let child = prescribed.then(|| {
                tree.add(Node {
                    parent: Some(id),
                    by: Some(Arc::clone(step)),
                    depth,
                    cost,
                    sleep: asleep.to_vec(),
                    wakeup,
                    ..Node::default()
                })
            });
            if let Some(node) = tree.nodes.get_mut(&id) {
                let step = Arc::clone(step);
                node.begun.push(Begun { step, child, prescribed, done: false });
            }
            tree.list(id);
            child.and_then(|child| Some((child, tree.claim(child)?)))
        })
    }

    /// Nothing that waits at a node is explored: executions end there.
    pub(crate) fn clear(&self, id: NodeId) {
        self.with(|tree| {
            if let Some(node) = tree.nodes.get_mut(&id) {
                (node.claimed, node.wakeup) = (false, Vec::new());
            }
            tree.check_done(id);
        });
    }

    /// The branch that was claimed is left to others.
    pub(crate) fn give_back(&self, id: NodeId) {
        self.with(|tree| {
            if let Some(node) = tree.nodes.get_mut(&id) {
                node.claimed = false;
            }
            tree.list(id);
        });
    }

    /// A branch for a worker that has nothing to do, and the way to its node: waits for one as long
    /// as others are busy.
    pub(crate) fn task(&self) -> Option<(Vec<NodeId>, Claim)> {
        let mut tree = locked(&self.tree);
        tree.idle += 1;
        loop {
            if self.is_stopped() || tree.over {
                return None;
            }
            while let Some((_, id)) = tree.listed.pop_first() {
                if let Some(node) = tree.nodes.get_mut(&id) {
                    node.listed = false;
                }
                if let Some(claim) = tree.claim(id) {
                    tree.idle -= 1;
                    self.note_hunger(&tree);
                    return Some((way(&tree, id), claim));
                }
            }
            if self.generous {
                tree.idle -= 1;
                return None;
            }
            if tree.idle == self.workers {
                tree.over = true;
                self.wake.notify_all();
                return None;
            }
            self.note_hunger(&tree);
            tree = self.wake.wait(tree).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The nodes on the way to one, which is the last.
fn way(tree: &Tree, id: NodeId) -> Vec<NodeId> {
    let mut way = vec![id];
    while let Some(parent) = way.last().and_then(|id| tree.nodes.get(id)?.parent) {
        way.push(parent);
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use machine::Pid;
    use machine::footprint::Footprint;

    use super::*;
    use crate::event::{Id, Take};

    fn step(actor: ActorNumber) -> Arc<Step> {
        let process = Actor::Process(Pid(u64::from(actor)));
        let id = Id { actor, seq: 1 };
        let footprint = Footprint::default();
        Arc::new(Step::new(id, process, Take::Nothing, Id::BEGINNING, footprint))
    }

    fn begin(shared: &Shared, id: NodeId, claim: &Claim) -> Option<(NodeId, Claim)> {
        let Claim::Common { step, .. } = claim else { panic!("a branch of a node") };
        shared.begun(id, Some(First { step, asleep: &[], cost: 0 }))
    }

    /// Whoever begins a sequence goes on with it, even if others plan something in the state after
    /// its first step before the second is taken, and somebody looks for work right then.
    #[test]
    fn a_sequence_belongs_to_whoever_begins_it() {
        let shared = Shared::generous(u64::MAX);
        let mut wakeup = Vec::new();
        Sequence::new(&[step(2), step(3)], &|_, _| true).insert(&mut wakeup);
        let root = shared.add(Node { wakeup, ..Node::default() }, Some(step(1)));
        let first = shared.next(root, None).expect("a branch waits");
        let (child, second) = begin(&shared, root, &first).expect("more is prescribed");
        // What follows the earlier branch asks for something below the later one.
        shared.with(|tree| {
            if let Some(node) = tree.nodes.get_mut(&child) {
                node.wakeup.push(Branch { step: step(4), then: Vec::new(), is_beside: false });
            }
            tree.list(child);
        });
        assert!(shared.task().is_none(), "the first branch is taken, the next waits for it");
        assert!(begin(&shared, child, &second).is_none(), "the sequence ends");
        let (way, claim) = shared.task().expect("now the next can be taken");
        assert_eq!(way, [root, child]);
        assert!(matches!(claim, Claim::Common { step, .. } if step.id.actor == 4));
    }

    /// Where executions end nothing waits, and the nodes above know that all is explored.
    #[test]
    fn what_waits_where_executions_end_is_dropped() {
        let shared = Shared::generous(u64::MAX);
        let mut wakeup = Vec::new();
        Sequence::new(&[step(2), step(3)], &|_, _| true).insert(&mut wakeup);
        let root = shared.add(Node { wakeup, ..Node::default() }, None);
        let first = shared.next(root, None).expect("a branch waits");
        let (child, _) = begin(&shared, root, &first).expect("more is prescribed");
        shared.clear(child);
        assert_eq!(shared.look(root, Node::is_done), Some(true));
        assert!(shared.task().is_none());
    }
}
