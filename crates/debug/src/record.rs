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
//! below the activation that passed it, and a message that library code takes (the answer in
//! `gen_server:call`) cuts the activation that asked. Callbacks of behaviours, which library code
//! calls for messages, are outermost. Functions that were made of comprehensions belong to who they
//! are written in.
//!
//! # Cost
//!
//! Constant time for each event, and memory for each statement: arguments and values are shared
//! with the run.
//!
//! # What it may miss
//!
//! What [`follow`] misses. State outside of the tree (tables, the dictionary, files) is not part of
//! statements.

use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use follow::{Acting, ActivationId, Entering, Follower, Frame, Role, Sending, What};
use machine::Pid;
use machine::code_space::CodeSpace;
use machine::exception::Class;
use machine::observe::{MessageId, Moment, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, Module};
use term::Term;

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
    /// Why this part began.
    pub after: Option<After>,
    pub outcome: Outcome,
    pub sent: Vec<Sent>,
    pub spawned: Vec<Pid>,
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
        let Statement { function, site, args, .. } = &self.statements[before.index()];
        let next = Statement {
            parent: None,
            pid,
            function: *function,
            site: *site,
            args: Rc::clone(args),
            after: Some(After { before, taken }),
            outcome: Outcome::Unfinished,
            sent: Vec::new(),
            spawned: Vec::new(),
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
        self.current.clear();
        std::mem::take(&mut self.statements)
    }
}

impl Follower for Recorder {
    type Place = Site;
    type Activation = Carried;
    type Process = OfProcess;
    type Sent = StatementId;

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
        let parent = self.acting(shadow, Some(call.pid), call.by);
        let mfa = call.callee.mfa;
        let statement = self.add(Statement {
            parent,
            pid: call.pid,
            function: (mfa.module, mfa.name, mfa.arity),
            site: call.target,
            args: call.args.into(),
            after: None,
            outcome: Outcome::Unfinished,
            sent: Vec::new(),
            spawned: Vec::new(),
        });
        let waits = shadow.stack(call.pid).data.taken.len() as u32;
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
        let statement = self.acting(shadow, moment.pid(), *by)?;
        if let Sending::Message { id, to, message, .. } = sending {
            let sent = Sent { id: *id, to: *to, message: (*message).clone() };
            self.statements[statement.index()].sent.push(sent);
        }
        Some(statement)
    }

    fn happens(&mut self, shadow: &mut Shadow, moment: &Moment<'_>, what: What<'_, Recorder>) {
        match what {
            What::Return { value, left } => {
                if let Some(pid) = moment.pid() {
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
                let outcome = match shadow.stack(pid).data.raised.take() {
                    Some((class, reason)) => Outcome::Exception { class, reason },
                    None => Outcome::Unfinished,
                };
                for frame in left {
                    self.leave(shadow, pid, frame, &outcome);
                }
            }
            What::Exit { pid, reason, left } => {
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
            What::Spawn { child, by, .. } => {
                if let Some(statement) = self.acting(shadow, moment.pid(), by) {
                    self.statements[statement.index()].spawned.push(child);
                }
            }
            What::Receive { id, message, sent, by, .. } => {
                let at = by.map(|by| by.spot.place);
                let taken = Taken::Message { id, message: message.clone(), sender: sent, at };
                self.wait(shadow, moment, by, taken);
            }
            What::GiveUp { by } => {
                let taken = Taken::TimeOut { at: by.map(|by| by.spot.place) };
                self.wait(shadow, moment, by, taken);
            }
            What::Outside { .. }
            | What::Builtin { .. }
            | What::BuiltinReturn { .. }
            | What::Take { .. }
            | What::Other(_) => {}
        }
    }
}
