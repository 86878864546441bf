//! A run that was recorded: its statements, and the tree that they are.

use std::hash::Hasher;
use std::rc::Rc;
use std::sync::Arc;

use machine::Pid;
use machine::observe::{Observer, Site};
use rustc_hash::{FxHashMap, FxHasher};
use syntax::ast::{Kind, Module};
use term::Term;
use term::hash::phash2;
use term::order::exact_eq;

use crate::record::keep::{Keep, Kept, Window};
use crate::record::{
    Effect, Outcome, Processes, Recorder, Sent, Spawned, Statement, StatementId, Taken,
};
use crate::tree::{Facts, NodeIx, Shape};
use crate::zoom::{Closeup, Target, Watched};

/// A recorder at work.
pub struct Recording(Rc<follow::Watcher<Recorder>>);

impl Recording {
    /// Records the statements of code of these modules.
    pub fn new(own: impl IntoIterator<Item = atom::Atom>) -> Recording {
        Recording::keeping(own, Keep::room(None, None))
    }

    /// Those of a run, or of a part of one, if there are no more than so many.
    pub fn with_room(
        own: impl IntoIterator<Item = atom::Atom>,
        within: Option<Window>,
        most: usize,
    ) -> Recording {
        Recording::keeping(own, Keep::room(within, Some(most)))
    }

    /// Those that a run was found to have that was too long to be recorded whole.
    pub fn of(own: impl IntoIterator<Item = atom::Atom>, kept: Kept) -> Recording {
        Recording::keeping(own, Keep::These(kept.targets))
    }

    /// Those of a part of a run.
    pub fn within(own: impl IntoIterator<Item = atom::Atom>, window: Window) -> Recording {
        Recording::keeping(own, Keep::room(Some(window), None))
    }

    fn keeping(own: impl IntoIterator<Item = atom::Atom>, keep: Keep) -> Recording {
        Recording(Rc::new(follow::Watcher::new(Recorder::new(own, keep))))
    }

    /// One statement, looked at from near: of code that tells its values.
    pub fn near(own: impl IntoIterator<Item = atom::Atom>, target: Target) -> Recording {
        let mut recorder = Recorder::new(own, Keep::Only(target));
        recorder.watched = Some(Watched { target, events: Vec::new() });
        Recording(Rc::new(follow::Watcher::new(recorder)))
    }

    /// Processes of the program have numbers from this one on, though another one may be the first
    /// that is seen.
    pub fn since(self, first: Pid) -> Recording {
        self.0.change(|recorder| recorder.first = Some(first));
        self
    }

    /// What a Machine is to be watched with.
    pub fn observer(&self) -> Rc<dyn Observer> {
        Rc::clone(&self.0) as Rc<dyn Observer>
    }

    /// The run, once it is over; if it was too long, what is to be recorded of it
    /// ([`Recording::of`]).
    pub fn finish(self) -> Result<Run, Kept> {
        self.0.with_shadow(|shadow, recorder| recorder.end(shadow));
        let waits: FxHashMap<Pid, u32> = self.0.shadow(|shadow| {
            shadow.stacks().map(|(pid, stack)| (pid, stack.data.waits())).collect()
        });
        let statements = self.0.change(|recorder| recorder.finish(&waits))?;
        let entered = self.0.look(|recorder| recorder.entered);
        let trees = self.0.change(|recorder| std::mem::take(&mut recorder.trees));
        let facts = Numbering::new(&trees).facts(&statements);
        let parent = |statement: &Statement| statement.parent.map(|parent| parent.0 as usize);
        let given: Vec<(Option<usize>, Facts)> = statements.iter().map(parent).zip(facts).collect();
        let shape = Shape::new(&given);
        let watched = self.0.change(|recorder| recorder.watched.take());
        let processes = self.0.change(|recorder| std::mem::take(&mut recorder.processes)).finish();
        Ok(Run { statements, shape, entered, trees, processes, watched })
    }
}

/// Something that was done in a statement beside giving a value.
#[derive(Clone, Copy, Debug)]
pub enum Doing<'r> {
    Sent(&'r Sent),
    Spawned(&'r Spawned),
    Effect(&'r Effect),
}

impl Doing<'_> {
    fn number(&self) -> u32 {
        match self {
            Doing::Sent(sent) => sent.number,
            Doing::Spawned(new) => new.number,
            Doing::Effect(effect) => effect.number,
        }
    }
}

fn does(statement: &Statement) -> impl Iterator<Item = Doing<'_>> {
    let sent = statement.sent.iter().map(Doing::Sent);
    let spawned = statement.spawned.iter().map(Doing::Spawned);
    sent.chain(spawned).chain(statement.effects.iter().map(Doing::Effect))
}

/// The statements of a run.
pub struct Run {
    pub statements: Vec<Statement>,
    pub shape: Shape,
    /// How many statements there were, kept or not.
    pub entered: u64,
    /// Trees of modules of the program, by their numbers in the run.
    pub trees: FxHashMap<u32, Arc<Module>>,
    pub processes: Processes,
    /// What was seen of the statement that was looked at from near.
    watched: Option<Watched>,
}

impl Run {
    /// What a node of the tree says; nothing is said of the run as a whole.
    pub fn statement(&self, node: NodeIx) -> Option<&Statement> {
        self.shape.given(node).map(|given| &self.statements[given])
    }

    pub fn get(&self, id: StatementId) -> Option<&Statement> {
        self.statements.get(id.0 as usize)
    }

    /// The statements right below one.
    pub fn below(&self, id: StatementId) -> impl Iterator<Item = StatementId> {
        let children = self.node(id).into_iter().flat_map(|node| self.shape.children(node));
        children.filter_map(|node| Some(StatementId(self.shape.given(node)? as u32)))
    }

    /// What was done in a statement and below it, in the order of the run: what it says beside its
    /// value.
    pub fn doings(&self, id: StatementId) -> Vec<Doing<'_>> {
        let Some(node) = self.node(id) else { return Vec::new() };
        let below = (node.0..self.shape.end(node).0).filter_map(|at| self.statement(NodeIx(at)));
        let mut doings: Vec<Doing<'_>> = below.flat_map(does).collect();
        doings.sort_by_key(Doing::number);
        doings
    }

    /// The parts of an activation up to this one, in their order; as far as they are kept.
    pub fn parts(&self, id: StatementId) -> Vec<StatementId> {
        let mut parts = vec![id];
        let mut at = id;
        while let Some(after) = self.get(at).and_then(|statement| statement.after.as_ref()) {
            at = after.before;
            parts.push(at);
        }
        parts.reverse();
        parts
    }

    /// The calls that were open when a statement came to wait, outermost first, itself not
    /// included: where it waits.
    pub fn open_calls(&self, id: StatementId) -> Vec<StatementId> {
        let waits = |statement: &Statement| {
            matches!(statement.outcome, Outcome::Waited | Outcome::Unfinished | Outcome::Ended(_))
        };
        let mut open = Vec::new();
        let mut at = id;
        while self.get(at).is_some_and(waits)
            && let Some(last) = self.below(at).last()
            && self.get(last).is_some_and(waits)
        {
            open.push(last);
            at = last;
        }
        open
    }

    /// Whether more was done in a statement or below it than is kept.
    pub fn does_more(&self, id: StatementId) -> bool {
        let Some(node) = self.node(id) else { return false };
        let mut below =
            (node.0..self.shape.end(node).0).filter_map(|at| self.statement(NodeIx(at)));
        below.any(|statement| statement.more > 0)
    }

    /// How many statements there are below one, itself included, kept or not.
    pub fn statements_below(&self, id: StatementId) -> u64 {
        let Some(node) = self.node(id) else { return 0 };
        let below = (node.0..self.shape.end(node).0).map(NodeIx);
        below.map(|node| 1 + u64::from(self.shape.facts(node).folded)).sum()
    }

    /// The part of the run that is folded into a statement, if there is one.
    pub fn window(&self, node: NodeIx) -> Option<Window> {
        let top = self.statement(node).filter(|statement| statement.folded > 0)?.target;
        let others = self.statements.iter().map(|other| other.target);
        Some(Window { top, others: others.filter(|other| *other != top).collect() })
    }

    /// The node of the statement with this target.
    pub fn find(&self, target: Target) -> Option<NodeIx> {
        let at = self.statements.iter().position(|statement| statement.target == target)?;
        self.shape.number(at)
    }

    /// The statement that was looked at from near.
    pub fn closeup(&self) -> Option<Closeup> {
        let watched = self.watched.as_ref()?;
        let is_it = |statement: &&Statement| statement.target == watched.target;
        let statement = self.statements.iter().find(is_it)?;
        let tree = self.trees.get(&statement.site.module)?;
        Some(Closeup::new(tree, statement.site.node, &watched.events, &statement.outcome))
    }

    /// The node of a statement.
    pub fn node(&self, id: StatementId) -> Option<NodeIx> {
        self.shape.number(id.0 as usize)
    }
}

/// Numbers for what statements have in common.
struct Numbering<'t> {
    trees: &'t FxHashMap<u32, Arc<Module>>,
    /// Statements by a hash of what they say.
    said: FxHashMap<u64, Vec<u32>>,
    /// Pieces of the program, with their sizes.
    suspects: FxHashMap<(Site, Option<Site>), (u32, u32)>,
    functions: FxHashMap<Site, u32>,
}

impl<'t> Numbering<'t> {
    fn new(trees: &'t FxHashMap<u32, Arc<Module>>) -> Numbering<'t> {
        Numbering {
            trees,
            said: FxHashMap::default(),
            suspects: FxHashMap::default(),
            functions: FxHashMap::default(),
        }
    }

    /// How large a piece of the program is; funs in it are pieces of their own.
    fn size(trees: &FxHashMap<u32, Arc<Module>>, site: Site) -> u32 {
        let Some(tree) = trees.get(&site.module) else { return 0 };
        let mut size = 0;
        let mut open = vec![site.node];
        while let Some(node) = open.pop() {
            size += 1;
            tree.for_each_child(node, |child| {
                if !matches!(tree.kind(child), Kind::Fun { .. }) {
                    open.push(child);
                }
            });
        }
        size
    }

    fn facts(mut self, statements: &[Statement]) -> Vec<Facts> {
        let mut facts = Vec::with_capacity(statements.len());
        let acts = acting(statements);
        let mut started: FxHashMap<Pid, u32> = FxHashMap::default();
        for (at, statement) in statements.iter().enumerate() {
            started.extend(statement.spawned.iter().map(|new| (new.pid, at as u32)));
        }
        for (at, statement) in statements.iter().enumerate() {
            let cost = cost(statement);
            // Large values are taken to be different: to compare them takes too long.
            let number = match acts[at] || cost >= MOST_COUNTED {
                true => at as u32,
                false => self.same(statements, statement, at as u32),
            };
            let place = statement.after.as_ref().and_then(|after| match &after.taken {
                Taken::Message { at, .. } | Taken::TimeOut { at } => *at,
            });
            let suspects = self.suspects.len() as u32;
            let piece = self.suspects.entry((statement.site, place));
            let (suspect, size) =
                *piece.or_insert_with(|| (suspects, Self::size(self.trees, statement.site)));
            let functions = self.functions.len() as u32;
            let function = *self.functions.entry(statement.site).or_insert(functions);
            facts.push(Facts {
                statement: number,
                suspect,
                size,
                function,
                module: statement.site.module,
                process: u32::try_from(statement.pid.0).unwrap_or(u32::MAX),
                cost,
                folded: statement.folded,
                causes: causes(statement, &started),
            });
        }
        facts
    }

    /// The first statement that says the same.
    fn same(&mut self, statements: &[Statement], statement: &Statement, at: u32) -> u32 {
        if !is_plain(statement) {
            return at;
        }
        let known = self.said.entry(hash(statement)).or_default();
        let same = known.iter().find(|&&known| says_same(&statements[known as usize], statement));
        match same {
            Some(&same) => same,
            None => {
                known.push(at);
                at
            }
        }
    }
}

fn terms(statement: &Statement) -> impl Iterator<Item = &Term> {
    let outcome = match &statement.outcome {
        Outcome::Value(term) | Outcome::Ended(term) => Some(term),
        Outcome::Exception { reason, .. } => Some(reason),
        Outcome::Waited | Outcome::Unfinished => None,
    };
    let taken = statement.after.as_ref().and_then(|after| match &after.taken {
        Taken::Message { message, .. } => Some(message),
        Taken::TimeOut { .. } => None,
    });
    let sent = statement.sent.iter().map(|sent| &sent.message);
    statement.args.iter().chain(statement.captured.iter()).chain(taken).chain(outcome).chain(sent)
}

fn hash(statement: &Statement) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(statement.site.module);
    hasher.write_u32(statement.site.node.0);
    terms(statement).for_each(|term| hasher.write_u32(phash2(term)));
    hasher.finish()
}

/// What a statement came from, beside its parent.
fn causes(statement: &Statement, started: &FxHashMap<Pid, u32>) -> [Option<u32>; 2] {
    match &statement.after {
        Some(after) => {
            let sender = match &after.taken {
                Taken::Message { sender, .. } => sender.map(|sender| sender.0),
                Taken::TimeOut { .. } => None,
            };
            [Some(after.before.0), sender]
        }
        None if statement.parent.is_none() => [started.get(&statement.pid).copied(), None],
        None => [None, None],
    }
}

/// Which statements do something beside giving a value, themselves or below them.
fn acting(statements: &[Statement]) -> Vec<bool> {
    let mut acts = vec![false; statements.len()];
    for (at, statement) in statements.iter().enumerate() {
        let mut above = does(statement).next().map(|_| at);
        while let Some(at) = above.filter(|&at| !acts[at]) {
            acts[at] = true;
            above = statements[at].parent.map(|parent| parent.0 as usize);
        }
    }
    acts
}

/// Whether what a statement says can be said twice. What a process did after a message is about
/// what it knew then, which is not part of the statement.
fn is_plain(statement: &Statement) -> bool {
    statement.after.is_none()
        && matches!(statement.outcome, Outcome::Value(_) | Outcome::Exception { .. })
}

/// Whether two plain statements say the same of the same function.
fn says_same(a: &Statement, b: &Statement) -> bool {
    let class = |statement: &Statement| match statement.outcome {
        Outcome::Exception { class, .. } => Some(class),
        _ => None,
    };
    a.site == b.site
        && class(a) == class(b)
        && terms(a).count() == terms(b).count()
        && terms(a).zip(terms(b)).all(|(a, b)| exact_eq(a, b))
}

/// The size of a question, as EDD measures it: one for each atom and number, for structures one
/// and their elements, two for each message.
fn cost(statement: &Statement) -> u32 {
    let mut left = MOST_COUNTED;
    let mut cost = 1 + 2 * statement.sent.len() as u32;
    for term in terms(statement) {
        cost += size(term, &mut left);
    }
    cost
}

/// Larger terms are folded anyway.
const MOST_COUNTED: u32 = 1_000;

fn size(term: &Term, left: &mut u32) -> u32 {
    let mut size = 0;
    let mut open = vec![term.clone()];
    while let Some(term) = open.pop() {
        if *left == 0 {
            return size;
        }
        *left -= 1;
        size += 1;
        if let Some(cons) = term.as_cons() {
            // A list counts once, however long.
            let (head, tail) = (cons.head.clone(), cons.tail.clone());
            size -= u32::from(tail.as_cons().is_some() || tail.is_nil());
            open.push(tail);
            open.push(head);
        } else if let Some(tuple) = term.as_tuple() {
            open.extend(tuple.iter().cloned());
        }
    }
    size
}
