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
//! Constant time for each event, and memory for each statement: arguments and values are shared
//! with the run.
//!
//! # What it may miss
//!
//! What [`follow`] misses. Of state outside of the tree (tables, the dictionary) a statement says
//! what it read and wrote there ([`Effect`]); files are not part of statements.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use follow::How;
use follow::{Acting, ActivationId, Entering, Follower, Frame, INTEREST, Role, Sending, What};
use machine::Pid;
use machine::code_space::CodeSpace;
use machine::control::Start;
use machine::exception::Class;
use machine::observe::{Callee, Interest, Mark, MessageId, Moment, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, Module};
use term::Term;

use crate::library::{Library, Talk};
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
    /// Which part of the run this is.
    pub target: Target,
}

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
}

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
    statements: Vec<Statement>,
    /// What activations that have not ended are about, and how often their process had waited when
    /// it began.
    current: FxHashMap<ActivationId, Current>,
    /// Trees of modules of the program, by their numbers in the run.
    pub(crate) trees: FxHashMap<u32, Arc<Module>>,
    /// Activations of functions that lowering made, and those whose work they do.
    helpers: FxHashMap<ActivationId, ActivationId>,
    /// How much was done: effects, messages and processes.
    done: u32,
    /// The first process that ran code of the program. Those before it are the node's: what they
    /// are told (that a process crashed, say) is not what the program did.
    first: Option<Pid>,
    /// Messages that nobody has taken.
    pending: BTreeMap<MessageId, (Pid, Term)>,
    /// The statement that is looked at from near.
    pub(crate) watched: Option<Watched>,
}

#[derive(Clone, Copy)]
struct Current {
    statement: StatementId,
    waits: u32,
}

/// What an activation carries.
pub struct Carried {
    id: ActivationId,
    /// Those whose place it took by calls in tail position.
    replaced: Vec<ActivationId>,
}

/// What is known of a process.
#[derive(Default)]
pub struct OfProcess {
    /// What it took, each time it waited.
    taken: Vec<Taken>,
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
        self.taken.len() as u32
    }
}

type Shadow = follow::Shadow<Recorder>;

impl Recorder {
    pub fn new(own: impl IntoIterator<Item = Atom>) -> Recorder {
        Recorder {
            own: own.into_iter().collect(),
            statements: Vec::new(),
            current: FxHashMap::default(),
            trees: FxHashMap::default(),
            helpers: FxHashMap::default(),
            done: 0,
            first: None,
            pending: BTreeMap::new(),
            watched: None,
        }
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
        let activation = self.helpers.get(&activation).copied().unwrap_or(activation);
        let Current { statement: before, waits } = *self.current.get(&activation)?;
        let process = &mut shadow.stack(pid).data;
        let taken = process.taken.last().filter(|_| process.taken.len() > waits as usize);
        let Some(taken) = taken.cloned() else { return Some(before) };
        let waits = process.taken.len() as u32;
        let returned = std::mem::take(&mut process.returned);
        self.statements[before.index()].outcome = Outcome::Waited;
        let Statement { function, site, args, captured, called_at, .. } =
            &self.statements[before.index()];
        let next = Statement {
            parent: None,
            pid,
            function: *function,
            site: *site,
            args: Rc::clone(args),
            captured: Rc::clone(captured),
            called_at: *called_at,
            after: Some(After { before, taken }),
            outcome: Outcome::Unfinished,
            sent: Vec::new(),
            spawned: Vec::new(),
            effects: Vec::new(),
            ignored: Vec::new(),
            target: Target { activation, waits },
        };
        let next = self.add(next);
        for below in returned {
            self.statements[below.index()].parent = Some(next);
        }
        self.current.insert(activation, Current { statement: next, waits });
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
        let waits = process.taken.len() as u32;
        for id in active.data.replaced.iter().chain([&active.data.id]) {
            self.helpers.remove(id);
            let Some(current) = self.current.remove(id) else { continue };
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
        let process = &mut shadow.stack(pid).data;
        process.taken.push(taken);
        process.returned.clear();
    }

    /// The statements of a run that is over. `waits`: how often each process has waited.
    pub(crate) fn finish(&mut self, waits: &FxHashMap<Pid, u32>) -> Vec<Statement> {
        let mut open: Vec<Current> = self.current.values().copied().collect();
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
        self.current.clear();
        std::mem::take(&mut self.statements)
    }
}

/// Whether a builtin is about state outside of calls and messages.
fn has_effect(callee: &Callee, role: Role) -> bool {
    match callee.mfa.module.as_str() {
        "ets" | "persistent_term" | "counters" | "atomics" => true,
        "erlang" => {
            let name = callee.mfa.name.as_str();
            let is_state = matches!(
                name,
                "put" | "get" | "erase" | "get_keys" | "register" | "unregister" | "whereis"
            );
            let is_timer = matches!(name, "send_after" | "start_timer" | "cancel_timer");
            role == Role::Own && (is_state || is_timer)
        }
        _ => false,
    }
}

impl Recorder {
    /// A builtin is called.
    fn affect(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        callee: &Callee,
        args: &[Term],
        by: Option<Acting<Site>>,
    ) {
        let Some(pid) = moment.pid() else { return };
        shadow.stack(pid).data.affecting = None;
        if !by.is_some_and(|by| has_effect(callee, by.role)) {
            return;
        }
        if let Some(statement) = self.acting(shadow, Some(pid), by) {
            let function = (callee.mfa.module, callee.mfa.name, callee.mfa.arity);
            self.done += 1;
            let number = self.done;
            let effect = Effect { function, args: args.into(), result: None, number };
            self.statements[statement.index()].effects.push(effect);
            shadow.stack(pid).data.affecting = Some(statement);
        }
    }

    /// The builtin that was called last gave this.
    fn affected(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, value: &Term) {
        let affecting = moment.pid().and_then(|pid| shadow.stack(pid).data.affecting.take());
        if let Some(statement) = affecting
            && let Some(effect) = self.statements[statement.index()].effects.last_mut()
        {
            effect.result = Some(value.clone());
        }
    }

    /// Code of the program calls library code.
    fn call_library(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        (callee, args, how): (&Callee, &[Term], How),
    ) {
        let Some(pid) = moment.pid() else { return };
        let stack = shadow.stack(pid);
        let depth = stack.frames().len() - usize::from(how == How::Tail);
        let function = (callee.mfa.module, callee.mfa.name, callee.mfa.arity);
        stack.data.library.call(depth, function, args);
    }

    /// Library code that the program called sends or receives. Gives the statement, and whether
    /// that is said of it.
    fn talk(
        &mut self,
        shadow: &mut Shadow,
        pid: Pid,
        by: Acting<Site>,
    ) -> Option<(StatementId, bool)> {
        let statement = self.acting(shadow, Some(pid), Some(by))?;
        if by.role != Role::Called {
            return Some((statement, false));
        }
        let number = self.done + 1;
        let process = &mut shadow.stack(pid).data;
        match process.library.talks(number) {
            Talk::Unknown => return Some((statement, false)),
            Talk::Known => {}
            Talk::New { function, args } => {
                process.talking.insert(number, statement);
                self.done = number;
                let effect = Effect { function, args, result: None, number };
                self.statements[statement.index()].effects.push(effect);
            }
        }
        Some((statement, true))
    }

    /// Whether library code waits, of which is said that it was called.
    fn is_talk(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        by: Option<Acting<Site>>,
    ) -> bool {
        let (Some(pid), Some(by)) = (moment.pid(), by) else { return false };
        by.role == Role::Called && self.talk(shadow, pid, by).is_some_and(|(_, is_said)| is_said)
    }

    /// A frame is left, with a value or without one: it may be that of library code.
    fn leave_library(&mut self, shadow: &mut Shadow, pid: Pid, value: Option<&Term>) {
        let stack = shadow.stack(pid);
        let depth = stack.frames().len();
        let Some(number) = stack.data.library.left(depth) else { return };
        let Some(statement) = stack.data.talking.remove(&number) else { return };
        let mut effects = self.statements[statement.index()].effects.iter_mut();
        if let Some(effect) = effects.rfind(|effect| effect.number == number) {
            effect.result = value.cloned();
        }
    }

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
        let info = code.modules.get(site.module as usize)?;
        self.own.contains(&info.name).then_some(site)
    }

    fn enter(
        &mut self,
        shadow: &mut Shadow,
        moment: &Moment<'_>,
        call: &Entering<'_, Site>,
    ) -> Option<Carried> {
        let info = moment.code.modules.get(call.target.module as usize)?;
        let tree = info.source.tree();
        self.trees.entry(call.target.module).or_insert_with(|| Arc::clone(tree));
        let is_written =
            matches!(tree.kind(call.target.node), Kind::Function { .. } | Kind::Fun { .. });
        if !is_written {
            let caller = call.by?.spot.activation?;
            let caller = self.helpers.get(&caller).copied().unwrap_or(caller);
            self.helpers.insert(call.id, caller);
            return Some(Carried { id: call.id, replaced: Vec::new() });
        }
        self.first.get_or_insert(call.pid);
        let parent = self.acting(shadow, Some(call.pid), call.by);
        let waits = shadow.stack(call.pid).data.taken.len() as u32;
        let mfa = call.callee.mfa;
        let statement = self.add(Statement {
            parent,
            pid: call.pid,
            function: (mfa.module, mfa.name, mfa.arity),
            site: call.target,
            args: call.args.into(),
            captured: moment.captured().into(),
            called_at: call.by.map(|by| by.spot.place),
            after: None,
            outcome: Outcome::Unfinished,
            sent: Vec::new(),
            spawned: Vec::new(),
            effects: Vec::new(),
            ignored: Vec::new(),
            target: Target { activation: call.id, waits },
        });
        self.current.insert(call.id, Current { statement, waits });
        Some(Carried { id: call.id, replaced: Vec::new() })
    }

    fn replaces(new: &mut Carried, old: Carried) {
        new.replaced = old.replaced;
        new.replaced.push(old.id);
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
            let sent = Sent { id: *id, to: *to, message: (*message).clone(), number };
            self.statements[statement.index()].sent.push(sent);
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
                if let Some(statement) = self.acting(shadow, moment.pid(), by) {
                    self.done += 1;
                    let new = Spawned { pid: child, number: self.done, entry: begins_with(entry) };
                    self.statements[statement.index()].spawned.push(new);
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
            What::Builtin { callee, args, by, .. } => self.affect(shadow, moment, callee, args, by),
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
