//! The recorder: from what a Machine tells to the statements of a run.
//!
//! After the calculus for concurrent Erlang (seed: *A calculus for concurrent Erlang and its
//! debugger*, statements (2) and (3)): what an activation of a function does is cut where its
//! process takes a message, or gives up waiting for one. So an activation has
//!
//! * one statement for the call: its arguments, up to the first message, value or exception;
//! * one for each message after which it went on: that message, up to the next.
//!
//! What an activation called in such a part is below the statement of that part. Statements about
//! the outermost activation of a process hang below the run as a whole, and so does a part during
//! which several messages were taken further in: what is in between belongs to who took them. A
//! call in tail position is below its caller, whose value it gives; where it takes a message, its
//! caller is done: it says that the call went on so far. (So a server's loop is a list and not a
//! triangle.)
//!
//! Only code of the program has statements. Library code acts for who called it: a callback is
//! below the activation that passed it. Where library code takes or sends messages (the answer in
//! `gen_server:call`) nothing is cut: the call of it is part of what was done ([`Effect`]).
//! Callbacks of behaviours, which library code calls for messages, are outermost. Functions that
//! were made of comprehensions belong to who they are written in.
//!
//! # Cost
//!
//! Constant time for each event, and memory for each statement that is kept: arguments and values
//! are shared with the run. Not all of a long run are kept: [`keep`] says which, and how the others
//! are found again.
//!
//! # What it may miss
//!
//! What [`follow`] misses. Of state outside of the tree (tables, the dictionary) a statement says
//! what it read and wrote there ([`Effect`]); files are not part of statements.

mod effects;
pub(crate) mod keep;
mod processes;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use follow::{Acting, ActivationId, Entering, Follower, Frame, How, INTEREST, Role, Sending, What};
use machine::Pid;
use machine::code_space::CodeSpace;
use machine::control::Start;
use machine::exception::Class;
use machine::observe::{Interest, Mark, MessageId, Moment, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, Module};
use term::Term;

use self::keep::{Keep, Kept, Outline};
pub use self::processes::Processes;
use crate::library::Library;
use crate::zoom::{Event, Seen, Target, Watched};

/// The number of a statement, in the order in which they began.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StatementId(pub u32);

impl StatementId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a part of an activation did.
#[derive(Clone, Debug)]
pub struct Statement {
    pub parent: Option<StatementId>,
    pub pid: Pid,
    /// Module, name and arity of the function; of a fun those that lowering gave it.
    pub function: (Atom, Atom, u32),
    /// The node of the function.
    pub site: Site,
    pub args: Rc<[Term]>,
    /// Of a fun what it has taken along from where it was made.
    pub captured: Rc<[Term]>,
    /// The place that called it.
    pub called_at: Option<Site>,
    /// Why this part began.
    pub after: Option<After>,
    pub outcome: Outcome,
    pub sent: Vec<Sent>,
    pub spawned: Vec<Spawned>,
    /// What it read from and wrote to what is neither an argument nor a message, in this order.
    pub effects: Vec<Effect>,
    /// If the run ended while it waited: messages that were there and that it did not take.
    pub ignored: Vec<Term>,
    /// So much was done in the run before it.
    pub begun: u32,
    /// Which part of the run this is.
    pub target: Target,
    /// So many statements below it are not kept: what they did is told of this one.
    pub folded: u32,
    /// So much more was sent, started, read and written than is kept.
    pub more: u32,
}

/// So much is kept of what one statement did beside giving a value.
const MOST_DOINGS: usize = 1_000;

/// A look at, or a change of, state outside of calls and messages: tables, the dictionary, other
/// processes by means of the library.
#[derive(Clone, Debug)]
pub struct Effect {
    pub function: (Atom, Atom, u32),
    pub args: Rc<[Term]>,
    /// None if it failed.
    pub result: Option<Term>,
    /// Its place in the run, among all that statements did.
    pub number: u32,
}

/// What a part of an activation began with, if not with the call.
#[derive(Clone, Debug)]
pub struct After {
    /// The statement that had come this far.
    pub before: StatementId,
    pub taken: Taken,
    /// Messages that were there before and that it did not take, if there are not too many.
    pub passed: Rc<[Term]>,
    /// Its place in the run, among all that statements did.
    pub number: u32,
}

/// So many messages that were passed over are kept.
const MOST_PASSED: usize = 20;

/// What a process waited for.
#[derive(Clone, Debug)]
pub enum Taken {
    Message {
        id: MessageId,
        message: Term,
        /// The statement in which it was sent, if it was sent by the program.
        sender: Option<StatementId>,
        /// The clause that took it, or the place that called library code which did.
        at: Option<Site>,
    },
    /// It waited long enough.
    TimeOut { at: Option<Site> },
}

/// A message that was sent.
#[derive(Clone, Debug)]
pub struct Sent {
    pub id: MessageId,
    pub to: Pid,
    pub message: Term,
    /// Its place in the run, among all that statements did.
    pub number: u32,
}

/// A process that was started.
#[derive(Clone, Debug)]
pub struct Spawned {
    pub pid: Pid,
    pub number: u32,
    /// What it begins with: a fun or module and function, and the arguments.
    pub entry: Vec<Term>,
}

fn begins_with(entry: &Start) -> Vec<Term> {
    match entry {
        Start::Apply { module, name, args } => {
            let names = [Term::atom(module.as_str()), Term::atom(name.as_str())];
            names.into_iter().chain(args.iter().cloned()).collect()
        }
        Start::Fun { fun, args } => {
            std::iter::once(fun.clone()).chain(args.iter().cloned()).collect()
        }
        Start::Raise(_) => Vec::new(),
    }
}

/// What a part of an activation came to.
#[derive(Clone, Debug)]
pub enum Outcome {
    Value(Term),
    Exception {
        class: Class,
        reason: Term,
    },
    /// It, or what it called, waited for a message, which came: the next of these is about it.
    Waited,
    /// Its process was ended by a signal.
    Ended(Term),
    /// The run ended before.
    Unfinished,
}

/// Records the statements of a run of a program with these modules.
pub struct Recorder {
    own: FxHashSet<Atom>,
    /// Whether a module of the run, by its number, is one of those, once that was asked.
    is_own: Vec<Option<bool>>,
    keep: Keep,
    statements: Vec<Statement>,
    /// In their place, once there are too many.
    outline: Option<Outline>,
    /// What activations that have not ended are about, and how often their process had waited when
    /// it began.
    current: FxHashMap<ActivationId, Current>,
    /// Trees of modules of the program, by their numbers in the run.
    pub(crate) trees: FxHashMap<u32, Arc<Module>>,
    /// Activations of functions that lowering made, and those whose work they do.
    helpers: FxHashMap<ActivationId, ActivationId>,
    /// How much was done: effects, messages and processes.
    done: u32,
    /// How many statements there were, kept or not.
    pub(crate) entered: u64,
    /// The first process that ran code of the program. Those before it are the node's: what they
    /// are told (that a process crashed, say) is not what the program did.
    pub(crate) first: Option<Pid>,
    pub(crate) processes: Processes,
    /// Messages that nobody has taken.
    pending: BTreeMap<MessageId, (Pid, Term)>,
    /// What most funs have taken along.
    nothing: Rc<[Term]>,
    /// Whether a builtin, by its number, has an effect, once that was asked.
    affects: Vec<Option<effects::Affects>>,
    /// The statement that is looked at from near.
    pub(crate) watched: Option<Watched>,
}

#[derive(Clone, Copy)]
struct Current {
    statement: StatementId,
    waits: u32,
    /// Another activation's statement, which is told of this one, too.
    is_folded: bool,
}

/// What an activation carries.
pub struct Carried {
    id: ActivationId,
    /// Those whose place it took by calls in tail position.
    replaced: Vec<ActivationId>,
    /// Nothing more is to be known of the one whose place it takes.
    forgets: bool,
}

/// What is known of a process.
#[derive(Default)]
pub struct OfProcess {
    /// How often it has waited, and went on.
    waits: u32,
    /// What it took when it last did.
    taken: Option<(Taken, Rc<[Term]>, u32)>,
    /// Statements about activations that returned since, whose caller has not gone on yet.
    returned: Vec<StatementId>,
    raised: Option<(Class, Term)>,
    /// The statement that a builtin with an effect is being called in.
    affecting: Option<StatementId>,
    /// Calls of library code.
    library: Library,
    /// Where the effects of those are.
    talking: FxHashMap<u32, StatementId>,
}

impl OfProcess {
    /// How often it has waited, and went on.
    pub(crate) fn waits(&self) -> u32 {
        self.waits
    }
}

type Shadow = follow::Shadow<Recorder>;

impl Recorder {
    pub(crate) fn new(own: impl IntoIterator<Item = Atom>, keep: Keep) -> Recorder {
        Recorder {
            own: own.into_iter().collect(),
            is_own: Vec::new(),
            keep,
            statements: Vec::new(),
            outline: None,
            current: FxHashMap::default(),
            trees: FxHashMap::default(),
            helpers: FxHashMap::default(),
            done: 0,
            entered: 0,
            first: None,
            processes: Processes::default(),
            pending: BTreeMap::new(),
            nothing: Rc::new([]),
            affects: Vec::new(),
            watched: None,
        }
    }

    /// A statement whose values are kept.
    fn said(&mut self, id: StatementId) -> Option<&mut Statement> {
        match self.outline {
            Some(_) => None,
            None => self.statements.get_mut(id.index()),
        }
    }

    /// The same if there is room for something more that was done; if not, it is counted.
    fn said_more(&mut self, id: StatementId) -> Option<&mut Statement> {
        let said = self.said(id)?;
        let has_room = said.sent.len() + said.spawned.len() + said.effects.len() < MOST_DOINGS;
        said.more += u32::from(!has_room);
        has_room.then_some(said)
    }

    fn add(&mut self, statement: Statement) -> StatementId {
        let id = StatementId(self.statements.len() as u32);
        self.statements.push(statement);
        id
    }

    /// The statement that what an activation does now is part of: another one if its process has
    /// waited since it did something.
    fn statement(
        &mut self,
        shadow: &mut Shadow,
        pid: Pid,
        activation: ActivationId,
    ) -> Option<StatementId> {
        let activation = match self.helpers.is_empty() {
            true => activation,
            false => self.helpers.get(&activation).copied().unwrap_or(activation),
        };
        let before = *self.current.get(&activation)?;
        let process = &mut shadow.stack(pid).data;
        if process.waits <= before.waits {
            return Some(before.statement);
        }
        let target = Target { activation, waits: process.waits };
        let next = match (&mut self.outline, process.taken.clone()) {
            (Some(outline), _) => outline.go_on(&self.keep, &before, target),
            (None, Some(taken)) => {
                let returned = std::mem::take(&mut process.returned);
                self.go_on(pid, before, target, taken, &returned)
            }
            (None, None) => None,
        };
        match next {
            Some(statement) => {
                let now = Current { statement, waits: target.waits, is_folded: false };
                self.current.insert(activation, now);
            }
            None => drop(self.current.remove(&activation)),
        }
        next
    }

    /// The statement about what an activation does with what its process took; none if that is not
    /// kept.
    fn go_on(
        &mut self,
        pid: Pid,
        before: Current,
        target: Target,
        (taken, passed, number): (Taken, Rc<[Term]>, u32),
        returned: &[StatementId],
    ) -> Option<StatementId> {
        if before.is_folded {
            // Its call is not kept: nothing is known of it.
            return None;
        }
        self.statements[before.statement.index()].outcome = Outcome::Waited;
        if !self.keep.keeps_part(target) {
            return None;
        }
        self.entered += 1;
        let Statement { function, site, args, captured, called_at, .. } =
            &self.statements[before.statement.index()];
        let next = Statement {
            parent: None,
            pid,
            function: *function,
            site: *site,
            args: Rc::clone(args),
            captured: Rc::clone(captured),
            called_at: *called_at,
            after: Some(After { before: before.statement, taken, passed, number }),
            outcome: Outcome::Unfinished,
            sent: Vec::new(),
            spawned: Vec::new(),
            effects: Vec::new(),
            ignored: Vec::new(),
            begun: number,
            target,
            folded: 0,
            more: 0,
        };
        let next = self.add(next);
        for below in returned {
            self.statements[below.index()].parent = Some(next);
        }
        Some(next)
    }

    /// The statement for who acts. What library code does that began a process is not what the
    /// activation did that started it, in another process.
    fn acting(
        &mut self,
        shadow: &mut Shadow,
        pid: Option<Pid>,
        by: Option<Acting<Site>>,
    ) -> Option<StatementId> {
        let by = by.filter(|by| by.role != Role::Began)?;
        self.statement(shadow, pid?, by.spot.activation?)
    }

    /// An activation is over, and those whose place it took.
    fn leave(&mut self, shadow: &mut Shadow, pid: Pid, frame: Frame<Recorder>, outcome: &Outcome) {
        let Some(active) = frame.active else { return };
        // Who runs has done something last, and its part may have begun with a message.
        self.statement(shadow, pid, active.id);
        let process = &mut shadow.stack(pid).data;
        let waits = process.waits;
        for id in std::iter::once(&active.data.id).chain(active.data.replaced.iter().rev()) {
            if !self.helpers.is_empty() {
                self.helpers.remove(id);
            }
            let Some(current) = self.current.remove(id) else { continue };
            if current.is_folded {
                continue;
            }
            if let Some(outline) = &mut self.outline {
                outline.close(current.statement);
                continue;
            }
            let statement = &mut self.statements[current.statement.index()];
            // One that was replaced before a message came had come as far as that.
            statement.outcome =
                if current.waits == waits { outcome.clone() } else { Outcome::Waited };
            if statement.after.is_some() && current.waits == waits {
                process.returned.push(current.statement);
            }
        }
    }

    /// A process goes on with a message, or without one.
    fn wait(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        by: Option<Acting<Site>>,
        taken: Taken,
    ) {
        let Some(pid) = moment.pid() else { return };
        // What it did since it last went on ends here.
        self.acting(shadow, Some(pid), by);
        let passed: Vec<Term> = match self.outline {
            None => moment.passed_over().take(MOST_PASSED + 1).cloned().collect(),
            Some(_) => Vec::new(),
        };
        let is_told = (1..=MOST_PASSED).contains(&passed.len());
        let passed = if is_told { passed.into() } else { Rc::clone(&self.nothing) };
        let process = &mut shadow.stack(pid).data;
        process.waits += 1;
        self.done += 1;
        process.taken = Some((taken, passed, self.done));
        process.returned.clear();
    }

    /// The run is over: who took a message last and did nothing with it has a statement, too.
    pub(crate) fn end(&mut self, shadow: &mut Shadow) {
        let last: Vec<(Pid, ActivationId)> = shadow
            .stacks()
            .filter_map(|(pid, stack)| {
                let innermost = stack.frames().iter().rev().find_map(|one| one.active.as_ref());
                Some((pid, innermost?.id))
            })
            .collect();
        for (pid, activation) in last {
            self.statement(shadow, pid, activation);
        }
    }

    /// The statements of a run that is over, or which ones are to be kept of it. `waits`: how often
    /// each process has waited.
    pub(crate) fn finish(&mut self, waits: &FxHashMap<Pid, u32>) -> Result<Vec<Statement>, Kept> {
        let mut open: Vec<Current> = self.current.drain().map(|(_, current)| current).collect();
        if let Some(outline) = self.outline.take() {
            return Err(outline.finish());
        }
        open.retain(|current| !current.is_folded);
        open.sort_unstable_by_key(|current| current.statement);
        for current in open {
            let statement = &mut self.statements[current.statement.index()];
            if waits.get(&statement.pid).is_some_and(|&waits| waits > current.waits) {
                statement.outcome = Outcome::Waited;
            }
        }
        // Who waits is the one of its process that began last.
        let mut waiting: FxHashMap<Pid, StatementId> = FxHashMap::default();
        for (at, statement) in self.statements.iter().enumerate() {
            if matches!(statement.outcome, Outcome::Unfinished) {
                waiting.insert(statement.pid, StatementId(at as u32));
            }
        }
        for (to, message) in std::mem::take(&mut self.pending).into_values() {
            if let Some(statement) = waiting.get(&to) {
                self.statements[statement.index()].ignored.push(message);
            }
        }
        Ok(std::mem::take(&mut self.statements))
    }
}

impl Recorder {
    /// Keeps what happens at a node, if it is part of the statement that is looked at.
    fn watch(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, seen: impl FnOnce() -> Seen) {
        let (Some(watched), Some(pid)) = (&mut self.watched, moment.pid()) else { return };
        let stack = shadow.stack(pid);
        let waits = stack.data.waits();
        let Some(running) = stack.running() else { return };
        let activation = self.helpers.get(&running.id).copied().unwrap_or(running.id);
        if (watched.target == Target { activation, waits })
            && let Some(site) = moment.site()
        {
            watched.events.push(Event { node: site.node, seen: seen() });
        }
    }
}

/// How much the arguments of a call hold, roughly: of lists nothing, since they are shared.
fn weight(args: &[Term]) -> u64 {
    let words = |term: &Term| {
        term.as_tuple().map_or(0, |tuple| tuple.len() as u64)
            + term.as_bits().map_or(0, |bits| bits.byte_len() as u64 / 8)
    };
    args.iter().map(words).sum::<u64>() + args.len() as u64
}

impl Recorder {
    /// Whether a function was written, or made by lowering of a part of one.
    fn is_written(&mut self, moment: &Moment<'_>, target: Site) -> Option<bool> {
        let tree = match self.trees.get(&target.module) {
            Some(tree) => tree,
            None => {
                let tree = moment.code.modules.get(target.module as usize)?.source.tree();
                self.trees.entry(target.module).or_insert(Arc::clone(tree))
            }
        };
        Some(matches!(tree.kind(target.node), Kind::Function { .. } | Kind::Fun { .. }))
    }

    /// A function is called that does a part of the work of another.
    fn help(&mut self, shadow: &mut Shadow, call: &Entering<'_, Site>) -> Option<Carried> {
        let caller = call.by?.spot.activation?;
        let caller = self.helpers.get(&caller).copied().unwrap_or(caller);
        let top = shadow.stack(call.pid).top().filter(|_| call.how == How::Tail);
        let replaced = top.and_then(|top| top.active.as_ref()).map(|active| active.id);
        // One that goes on in the place of another, as often as there are elements.
        let forgets = replaced.is_some_and(|id| self.helpers.remove(&id).is_some());
        self.helpers.insert(call.id, caller);
        Some(Carried { id: call.id, replaced: Vec::new(), forgets })
    }
}

impl Follower for Recorder {
    type Place = Site;
    type Activation = Carried;
    type Process = OfProcess;
    type Sent = StatementId;

    fn interest(&self) -> Interest {
        match &self.watched {
            Some(_) => INTEREST.and(Interest::NODES),
            None => INTEREST,
        }
    }

    fn mark(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, mark: Mark) {
        self.watch(shadow, moment, || match mark {
            Mark::Reached => Seen::Reached,
            Mark::True => Seen::Said(true),
            Mark::False => Seen::Said(false),
            Mark::Chosen => Seen::Chosen,
            Mark::Matched => Seen::Matched,
        });
    }

    fn value(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, value: &Term) {
        self.watch(shadow, moment, || Seen::Value(value.clone()));
    }

    fn place(&mut self, code: &CodeSpace, site: Site) -> Option<Site> {
        let at = site.module as usize;
        let is_own = match self.is_own.get(at).copied().flatten() {
            Some(is_own) => is_own,
            None => {
                let is_own = self.own.contains(&code.modules.get(at)?.name);
                if self.is_own.len() <= at {
                    self.is_own.resize(at + 1, None);
                }
                self.is_own[at] = Some(is_own);
                is_own
            }
        };
        is_own.then_some(site)
    }

    fn enter(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        call: &Entering<'_, Site>,
    ) -> Option<Carried> {
        if !self.is_written(moment, call.target)? {
            return self.help(shadow, call);
        }
        self.first.get_or_insert(call.pid);
        let parent = self.acting(shadow, Some(call.pid), call.by);
        let stack = shadow.stack(call.pid);
        let target = Target { activation: call.id, waits: stack.data.waits };
        // The one whose place it takes.
        let top = stack.top().filter(|_| call.how == How::Tail);
        let replaced = top.and_then(|top| top.active.as_ref()).map(|active| active.id);
        let replaced = replaced.filter(|id| !self.helpers.contains_key(id));
        if self.outline.is_none() && self.keep.is_full() {
            self.outline = Some(Outline::of(&mut self.current, &self.statements));
            self.statements = Vec::new();
            // Who acted is known by another number now.
            return self.enter(shadow, moment, call);
        }
        self.entered += 1;
        if let Some(outline) = &mut self.outline {
            let before = replaced.and_then(|id| self.current.remove(&id));
            let before = before.filter(|before| !before.is_folded);
            let before = before.map(|before| before.statement);
            let weight = weight(call.args);
            if let Some((statement, is_folded)) =
                outline.enter(&self.keep, target, (parent, before), weight)
            {
                let current = Current { statement, waits: target.waits, is_folded };
                self.current.insert(call.id, current);
            }
            return Some(Carried { id: call.id, replaced: Vec::new(), forgets: true });
        }
        let above = parent.and_then(|parent| self.statements.get(parent.index()));
        let above = above.map(|above| above.target);
        let is_kept = self.keep.keeps(target, above);
        let forgets = replaced.is_some_and(|id| {
            let folded = self.current.get(&id).is_some_and(|current| current.is_folded);
            if folded {
                self.current.remove(&id);
            }
            folded
        });
        let carried = Carried { id: call.id, replaced: Vec::new(), forgets };
        if !is_kept {
            if let Some(statement) = parent {
                self.statements[statement.index()].folded += 1;
                let current = Current { statement, waits: target.waits, is_folded: true };
                self.current.insert(call.id, current);
            }
            return Some(carried);
        }
        let mfa = call.callee.mfa;
        let captured = moment.captured();
        let statement = self.add(Statement {
            parent,
            pid: call.pid,
            function: (mfa.module, mfa.name, mfa.arity),
            site: call.target,
            args: call.args.into(),
            captured: if captured.is_empty() { Rc::clone(&self.nothing) } else { captured.into() },
            called_at: call.by.map(|by| by.spot.place),
            after: None,
            outcome: Outcome::Unfinished,
            sent: Vec::new(),
            spawned: Vec::new(),
            effects: Vec::new(),
            ignored: Vec::new(),
            begun: self.done,
            target,
            folded: 0,
            more: 0,
        });
        self.keep.hold(target, weight(call.args));
        let current = Current { statement, waits: target.waits, is_folded: false };
        self.current.insert(call.id, current);
        Some(carried)
    }

    fn replaces(new: &mut Carried, old: Carried) {
        new.replaced = old.replaced;
        if !new.forgets {
            new.replaced.push(old.id);
        }
    }

    fn sent(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        sending: &Sending<'_, Site>,
    ) -> Option<StatementId> {
        let (Sending::Message { by, .. } | Sending::Timer { by, .. } | Sending::Signal { by, .. }) =
            sending;
        if let Sending::Message { id, to, message, .. } | Sending::Signal { id, to, message, .. } =
            sending
        {
            self.pending.insert(*id, (*to, (*message).clone()));
        }
        let (statement, is_library) = self.talk(shadow, moment.pid()?, (*by)?)?;
        if let Sending::Message { id, to, message, .. } = sending
            && !is_library
            && self.first.is_none_or(|first| *to >= first)
        {
            self.done += 1;
            let number = self.done;
            if let Some(said) = self.said_more(statement) {
                let sent = Sent { id: *id, to: *to, message: (*message).clone(), number };
                said.sent.push(sent);
            }
        }
        Some(statement)
    }

    fn happens(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, what: What<'_, Recorder>) {
        match what {
            What::Return { value, left } => {
                if let Some(pid) = moment.pid() {
                    // A builtin in tail position gives its value for its caller.
                    self.affected(shadow, moment, value);
                    self.leave_library(shadow, pid, Some(value));
                    self.leave(shadow, pid, left, &Outcome::Value(value.clone()));
                }
            }
            What::Raise { class, reason, .. } => {
                if let Some(pid) = moment.pid() {
                    shadow.stack(pid).data.raised = Some((class, reason.clone()));
                }
            }
            What::Catch { left, .. } => {
                let Some(pid) = moment.pid() else { return };
                self.leave_library(shadow, pid, None);
                let outcome = match shadow.stack(pid).data.raised.take() {
                    Some((class, reason)) => Outcome::Exception { class, reason },
                    None => Outcome::Unfinished,
                };
                for frame in left {
                    self.leave(shadow, pid, frame, &outcome);
                }
            }
            What::Exit { pid, reason, left } => {
                self.processes.ended(pid, self.done);
                self.pending.retain(|_, (to, _)| *to != pid);
                let outcome = match shadow.stack(pid).data.raised.take() {
                    Some((class, reason)) => Outcome::Exception { class, reason },
                    None => Outcome::Ended(reason.clone()),
                };
                for frame in left {
                    self.leave(shadow, pid, frame, &outcome);
                }
            }
            What::Vanish { left } => {
                if let Some(pid) = moment.pid() {
                    for frame in left {
                        self.leave(shadow, pid, frame, &Outcome::Unfinished);
                    }
                }
            }
            What::Spawn { child, entry, by } => {
                self.processes.started(child, moment.pid(), entry);
                if let Some(statement) = self.acting(shadow, moment.pid(), by) {
                    self.done += 1;
                    let number = self.done;
                    if let Some(said) = self.said_more(statement) {
                        let entry = begins_with(entry);
                        said.spawned.push(Spawned { pid: child, number, entry });
                    }
                }
            }
            What::Receive { id, message, sent, by, .. } => {
                self.pending.remove(&id);
                if self.is_talk(shadow, moment, by) {
                    return;
                }
                let at = by.map(|by| by.spot.place);
                let taken = Taken::Message { id, message: message.clone(), sender: sent, at };
                self.wait(shadow, moment, by, taken);
            }
            What::GiveUp { by } => {
                if self.is_talk(shadow, moment, by) {
                    return;
                }
                let taken = Taken::TimeOut { at: by.map(|by| by.spot.place) };
                self.wait(shadow, moment, by, taken);
            }
            What::Builtin { number, callee, args, by } => {
                self.affect(shadow, moment, (number, callee, args), by);
            }
            What::BuiltinReturn { value, .. } => self.affected(shadow, moment, value),
            What::Outside { callee, args, by, how } => {
                if by.is_some_and(|by| by.role == Role::Own) {
                    self.call_library(shadow, moment, (callee, args, how));
                }
            }
            What::Take { .. } | What::Other(_) => {}
        }
    }
}
