//! What several workers share of one search.
//!
//! A worker explores a subtree on its own. When another has nothing to do, it makes the upper part of
//! its way common: the states from its beginning to the first from which something is left to be
//! explored become [`Node`]s, and any worker may take a branch of a node and go there, by doing the
//! steps that lead to it again on a Machine of its own.
//!
//! **Why this is the same search.** Optimal DPOR explores the branches of a state one after the other,
//! and puts a branch to sleep for the later ones when it is done. All that it relies on is that the
//! subtree of a branch is explored completely, except for what is asleep in it, and that is so whatever
//! is explored elsewhere, before or after or meanwhile. So a branch can be put to sleep for the others of
//! its state when it is *begun*, that is, when its first step has been done and is known as it is in that
//! state: the order in which the branches of a state are begun is the order in which the sequential
//! search would have done them. A race that is found in a subtree and has its
//! first event above it asks for a sequence from a common state. There it is dropped if it could begin
//! with a branch that is asleep or was begun (whoever explores that finds it by itself), and is put
//! into the tree of what is left otherwise; one lock for each node makes that one decision at a time.
//! No two executions are equivalent, and none is missed, with any number of workers.
//!
//! Actors have numbers, and processes identifiers, that are common to all workers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use machine::step::Actor;
use rustc_hash::FxHashMap;

use crate::event::{ActorNumber, Step};
use crate::wakeup::{self, Branch};

/// What is known about a state from which the search goes on.
#[derive(Debug, Default)]
pub(crate) struct Todo {
    pub(crate) sleep: Vec<Arc<Step>>,
    pub(crate) wakeup: Vec<Branch>,
    /// How many branches were begun.
    pub(crate) begun: u32,
}

impl Todo {
    /// Adds a sequence that is to be explored, unless it is covered.
    pub(crate) fn plan(&mut self, sequence: Vec<Arc<Step>>) {
        let covered = self.sleep.iter().any(|asleep| wakeup::initial(asleep, &sequence).is_some());
        if !covered {
            wakeup::insert(&mut self.wakeup, sequence);
        }
    }
}

/// A branch that is to be explored now.
#[derive(Debug)]
pub(crate) enum Claim {
    /// Of a state of one's own.
    Own(Branch),
    /// Of a common state: the rest of the branch is there until the step has been taken.
    Common {
        step: Arc<Step>,
        /// What is asleep before it.
        sleep: Vec<Arc<Step>>,
        /// How many branches of the state were begun before.
        begun: u32,
    },
}

/// A state that all workers know.
#[derive(Debug)]
pub(crate) struct Node {
    /// From where it is reached, and by which step.
    parent: Option<(Arc<Node>, Arc<Step>)>,
    pub(crate) depth: usize,
    /// What the way to it costs, see `Limit`.
    pub(crate) cost: u32,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    todo: Todo,
    /// Whether it is among the nodes of which branches can be taken.
    listed: bool,
    /// Whether somebody is about to take the first step of the first branch.
    claimed: bool,
}

impl Drop for Node {
    /// A way may be long, and its nodes hold each other.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some((parent, _)) = next {
            next = Arc::into_inner(parent).and_then(|mut node| node.parent.take());
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Node {
    pub(crate) fn new(
        parent: Option<(Arc<Node>, Arc<Step>)>,
        depth: usize,
        cost: u32,
        todo: Todo,
    ) -> Arc<Node> {
        let inner = Mutex::new(Inner { todo, listed: false, claimed: false });
        Arc::new(Node { parent, depth, cost, inner })
    }

    pub(crate) fn parent(&self) -> Option<&(Arc<Node>, Arc<Step>)> {
        self.parent.as_ref()
    }

    /// The nodes on the way to this one, which is the last.
    pub(crate) fn way(self: &Arc<Node>) -> Vec<Arc<Node>> {
        let mut way = vec![Arc::clone(self)];
        while let Some((parent, _)) = way.last().and_then(|node| node.parent.clone()) {
            way.push(parent);
        }
        way.reverse();
        way
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&Todo) -> T) -> T {
        look(&locked(&self.inner).todo)
    }

    pub(crate) fn pending(&self) -> usize {
        self.look(|todo| todo.wakeup.len())
    }

    /// Whether a branch can be taken.
    fn is_open(inner: &Inner) -> bool {
        !inner.claimed && !inner.todo.wakeup.is_empty()
    }

    /// Takes the next branch. Whoever does so takes its step and says [`Shared::begun`], or gives it
    /// back.
    pub(crate) fn claim(&self) -> Option<Claim> {
        let mut inner = locked(&self.inner);
        if !Node::is_open(&inner) {
            return None;
        }
        inner.claimed = true;
        let todo = &inner.todo;
        let step = Arc::clone(&todo.wakeup.first()?.step);
        Some(Claim::Common { step, sleep: todo.sleep.clone(), begun: todo.begun })
    }
}

#[derive(Debug, Default)]
struct Pool {
    /// Nodes with branches to be taken, those close to the beginning first: their subtrees are large.
    nodes: BTreeMap<(usize, u64), Arc<Node>>,
    next: u64,
    idle: usize,
    over: bool,
}

/// What the workers of one search have in common.
#[derive(Debug)]
pub(crate) struct Shared {
    workers: usize,
    actors: Mutex<FxHashMap<Actor, ActorNumber>>,
    pool: Mutex<Pool>,
    wake: Condvar,
    /// For how many workers there is nothing to do.
    hungry: AtomicUsize,
    /// Whether everything is shared at once, for tests.
    generous: bool,
    stop: AtomicBool,
    /// How many executions may still be begun.
    permits: AtomicU64,
}

impl Shared {
    pub(crate) fn new(workers: usize, max_executions: u64) -> Shared {
        Shared {
            workers,
            actors: Mutex::default(),
            pool: Mutex::default(),
            wake: Condvar::new(),
            hungry: AtomicUsize::new(0),
            generous: false,
            stop: AtomicBool::new(false),
            permits: AtomicU64::new(max_executions),
        }
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

    pub(crate) fn is_hungry(&self) -> bool {
        self.generous || self.hungry.load(Ordering::Relaxed) > 0
    }

    fn note_hunger(&self, pool: &Pool) {
        self.hungry.store(pool.idle.saturating_sub(pool.nodes.len()), Ordering::Relaxed);
    }

    /// Asks all workers to stop after what they are doing now.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        // Whoever is about to wait has seen it, or hears the call.
        drop(locked(&self.pool));
        self.wake.notify_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Adds a sequence that is to be explored from a common state.
    pub(crate) fn plan(&self, node: &Arc<Node>, sequence: Vec<Arc<Step>>) {
        locked(&node.inner).todo.plan(sequence);
        self.list(node);
    }

    /// The branch that was claimed is begun, with this step; or it is given up, without. What is to
    /// be explored after it.
    pub(crate) fn begun(&self, node: &Arc<Node>, step: Option<&Arc<Step>>) -> Vec<Branch> {
        let mut inner = locked(&node.inner);
        inner.claimed = false;
        let mut branch = inner.todo.wakeup.remove(0);
        inner.todo.begun += 1;
        inner.todo.sleep.extend(step.cloned());
        drop(inner);
        self.list(node);
        std::mem::take(&mut branch.then)
    }

    /// The branch that was claimed is left to others.
    pub(crate) fn give_back(&self, node: &Arc<Node>) {
        locked(&node.inner).claimed = false;
        self.list(node);
    }

    /// Lets others take branches of a node, if it has any.
    pub(crate) fn list(&self, node: &Arc<Node>) {
        let mut inner = locked(&node.inner);
        if inner.listed || !Node::is_open(&inner) {
            return;
        }
        inner.listed = true;
        drop(inner);
        let mut pool = locked(&self.pool);
        let key = (node.depth, pool.next);
        pool.next += 1;
        pool.nodes.insert(key, Arc::clone(node));
        self.note_hunger(&pool);
        drop(pool);
        self.wake.notify_one();
    }

    /// A branch for a worker that has nothing to do. Waits for one as long as others are busy.
    pub(crate) fn task(&self) -> Option<(Arc<Node>, Claim)> {
        loop {
            let node = self.listed()?;
            let claim = node.claim();
            locked(&node.inner).listed = false;
            match claim {
                Some(claim) => return Some((node, claim)),
                // Its own worker was faster. Should it have got more meanwhile, others may know.
                None => self.list(&node),
            }
        }
    }

    fn listed(&self) -> Option<Arc<Node>> {
        let mut pool = locked(&self.pool);
        pool.idle += 1;
        loop {
            if self.is_stopped() || pool.over {
                return None;
            }
            if let Some((_, node)) = pool.nodes.pop_first() {
                pool.idle -= 1;
                self.note_hunger(&pool);
                return Some(node);
            }
            if self.generous {
                return None;
            }
            if pool.idle == self.workers {
                pool.over = true;
                self.wake.notify_all();
                return None;
            }
            self.note_hunger(&pool);
            pool = self.wake.wait(pool).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The nodes from which something is left to be explored.
    pub(crate) fn left(&self) -> Vec<Arc<Node>> {
        locked(&self.pool).nodes.values().cloned().collect()
    }
}
