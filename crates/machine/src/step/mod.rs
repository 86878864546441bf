//! Running a Machine one visible action at a time.
//!
//! In this mode a process runs until just before its next *visible* action: a send, a receive, a
//! builtin that others can notice, its end. There it stops, and [`Machine::next`] says what it is
//! going to do. [`Machine::perform`] does it, lets the process run on to its following visible
//! action, and reports an [`Event`] with its footprint and its effects. Whoever drives the Machine
//! chooses.
//!
//! What differs from running freely ([`Machine::run`]):
//! * A `receive` is one action that takes *any* message that matches, as the driver says: an
//!   explorer decides the order of a mailbox when it is looked at. Who wants Erlang's order takes
//!   the first of [`Receive::matching`].
//! * `receive … after T` can give up whenever the driver says so; timers fire when it says so. Time
//!   stands still.
//! * The end of a process is an action of its own, or several ([`crate::ends`]). A signal that ends
//!   a process only dooms it; it is gone when it has performed its end.
//! * Process identifiers, references and unique integers depend on who makes them and on what
//!   that process made before, not on what others did: actions that commute leave the same state.
//!
//! How it works: before each visible action the interpreter asks whether the process has to stop,
//! which is one test of a byte when not in this mode. A process that is stopped has consumed
//! nothing: it does the instruction again, in the same way as one that waited for a module to be
//! loaded. All that the rest of the Machine says to this part of it, or asks, is in `hook.rs`.

mod apart;
mod copies;
mod dictionary;
mod ending;
mod held;
mod helpers;
mod hook;
mod numbers;
mod probe;
mod standing;
mod stepping;
mod time;

pub(crate) use time::{Shown, read_clock};

use std::collections::VecDeque;
use std::rc::Rc;

use code::instr::Pc;
use smallvec::SmallVec;
use term::{Pid, Ref, Term};

use crate::builtins::Builtin;
use crate::code_loading::Provided;
use crate::footprint::{self, Class, Footprint, Kind, Object};
use crate::interp::{self, Exit};
use crate::machine::Machine;
use crate::process::{Deadline, Monitoring, Process, Status};
use crate::sparse::Sparse;
use crate::state::{Timer, recycled};
use crate::unsupported::Unsupported;

pub(crate) use held::{Answer, Held};
pub(crate) use hook::{
    at_timed_wait, at_wait, is_visible, note_call, note_failure, note_receive_of, note_send,
    note_taken, stops_before_call, stops_before_receive, stops_before_send,
};
pub use numbers::{Counters, PidTable};
pub use probe::Prober;
use stepping::Mode;
pub(crate) use stepping::Stepping;

/// A monitor that is no more.
#[derive(Clone, Debug)]
pub(crate) enum Ghost {
    /// Its process has ended: the message goes nowhere, so that the two ends commute.
    Ended(Monitoring),
    /// Its process did not want the message any more.
    Silenced(Monitoring),
}

impl Ghost {
    pub(crate) fn monitoring(&self) -> &Monitoring {
        let (Ghost::Ended(monitoring) | Ghost::Silenced(monitoring)) = self;
        monitoring
    }
}

/// What one action did.
#[derive(Clone, Default, Debug)]
pub struct Log {
    pub label: Label,
    pub footprint: Footprint,
    pub effects: SmallVec<[Effect; 2]>,
    /// What a builtin was called with, or what was sent and to whom ([`Machine::log_arguments`]).
    pub arguments: Option<Box<[Term]>>,
    /// Whether it asked about a process to which signals of its own are on their way: see
    /// [`crate::flight`].
    pub too_early: bool,
    /// Whether it could have come between a change of a dictionary and the action before that
    /// (`dictionary.rs`), or between steps of an end (`apart.rs`).
    pub(crate) looks_early: bool,
    pub(crate) meets_end: bool,
}

impl Log {
    fn is_empty(&self) -> bool {
        self.footprint.0.is_empty() && self.effects.is_empty() && self.arguments.is_none()
    }

    /// A builtin failed, and has changed nothing.
    pub(crate) fn failed(&mut self, builtin: &Builtin) {
        if builtin.facts.fails_by_arguments {
            self.footprint.0.clear();
            self.is_about_nothing();
        } else {
            self.footprint.weaken();
        }
    }

    /// Forgets what was done.
    pub fn clear(&mut self) {
        self.label = Label::default();
        self.footprint.0.clear();
        self.effects.clear();
        self.arguments = None;
        self.is_about_nothing();
    }

    fn is_about_nothing(&mut self) {
        (self.too_early, self.looks_early, self.meets_end) = (false, false, false);
    }
}

/// What kind of action it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Label {
    /// A builtin, by its number in the code space.
    Call(u32),
    #[default]
    Send,
    Receive,
    /// A `receive` gave up.
    Timeout,
    End,
    /// A timer.
    Fire,
    /// A signal arrives.
    Arrive,
}

/// What an action did that a driver may have to know in detail.
#[derive(Clone, Debug)]
pub enum Effect {
    /// A message was put at the end of a mailbox.
    Put {
        to: Pid,
        message: Term,
    },
    /// The process took this message out of its mailbox.
    Took {
        index: u32,
        message: Term,
    },
    /// The process removed this message from its mailbox, other than by receiving it.
    Flushed {
        index: u32,
    },
    /// A message about the end of a process that its monitor does not want any more: what would
    /// have been put, had it been earlier.
    InVain {
        to: Pid,
        message: Term,
        monitor: Ref,
    },
    /// The process does not want the message of this monitor any more.
    Silenced(Ref),
    Spawned(Pid),
    /// It was doomed by a signal.
    Doomed(Pid),
    Ended {
        reason: Term,
    },
    TimerSet(Ref),
    /// A signal is on its way now (delivery `any`).
    SetOff {
        number: Ref,
        /// Who tells: not always who acts, as where there is nobody to be monitored.
        from: Pid,
        to: Pid,
    },
    /// The node stopped: nobody does anything any more.
    Halted,
    /// A timer fired or was cancelled.
    TimerGone(Ref),
}

/// Who acts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Actor {
    Process(Pid),
    Timer(Ref),
    /// A signal that is on its way: it arrives (delivery `any`, see [`crate::flight`]).
    Signal(Ref),
}

/// What an actor is told to do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Choice {
    /// What it is about to do, whatever it is but a receive.
    Act,
    /// Receive the message at this place of the mailbox.
    Take(u32),
    /// Give up receiving.
    GiveUp,
    /// Read a clock that shows the same as the last reading ([`Machine::may_tie`]).
    Tie,
}

/// One visible action that happened.
#[derive(Clone, Debug)]
pub struct Event {
    pub actor: Actor,
    /// The instruction, for a process.
    pub pc: Pc,
    pub log: Log,
}

/// What a process is going to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Something that is possible at once.
    Act,
    /// Receive a message.
    Receive(Receive),
    /// End.
    End,
    /// It has run for long without a visible action.
    Spins,
    /// The node stopped: it halted, or something unsupported was met.
    Stopped,
    /// There is no such process.
    Gone,
}

/// [`Next`] without copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glance<'a> {
    Act,
    Receive { matching: &'a [u32], timeout: Timeout, has_clauses: bool },
    End,
    Spins,
    Stopped,
    Gone,
}

/// A process in a `receive`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receive {
    /// Places in the mailbox of the messages that it would take.
    pub matching: SmallVec<[u32; 4]>,
    pub timeout: Timeout,
    /// Whether it has clauses at all.
    pub(crate) has_clauses: bool,
}

/// When a `receive` gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Timeout {
    #[default]
    Never,
    /// After these milliseconds.
    After(u64),
    /// The value is no timeout: giving up is an error.
    Bad,
}

/// Where a process stopped, and what is known about its next action.
#[derive(Clone, Debug, Default)]
pub(crate) struct Point {
    at: At,
    /// In a receive: how many messages were looked at, and which of them match.
    probed: u32,
    matching: SmallVec<[u32; 4]>,
    timeout: Timeout,
    has_clauses: bool,
    /// Whether the next action may look at a whole mailbox.
    pub(crate) may_look: bool,
    /// The process that the next action asks something which that one answers itself.
    pub(crate) asks: Option<Pid>,
    /// What the clock shows that the next action reads, if it counts microseconds.
    pub(crate) reads: Option<Shown>,
    /// Whether it has changed its dictionary since its last action.
    has_changed_dictionary: bool,
    /// And before the first, if it has acted at all.
    begins_with_change: bool,
    has_acted: bool,
    /// Whether nobody looks at how many objects of a table the next action removes.
    pub(crate) ignores_count: bool,
    pub(crate) holding: held::Holding,
    /// The reason for which it is going to end.
    ending: Option<Term>,
    counters: Counters,
    /// How far the process is ahead of the beginning, in nanoseconds (`time.rs`).
    pub(crate) ahead: u64,
    /// How far the senders of its messages were, in the order of the mailbox; the last that are
    /// missing are 0.
    stamps: Sparse<VecDeque<u64>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum At {
    /// It has not been run since it was made or since its last action.
    #[default]
    Unknown,
    Act,
    Receive,
    End,
    Spins,
    Stopped,
}

/// How many calls a process may make between two visible actions.
pub(crate) const MAX_INVISIBLE: u32 = 20_000_000;

impl Machine {
    /// From now on the Machine is driven step by step.
    pub fn start_stepping(&mut self) {
        let next = self.state.node.processes_made();
        let step = &mut self.state.step;
        step.mode = Mode::Stop;
        step.pids = Some(PidTable::new(next));
        // Of tables that are there already nothing is known.
        let tables = self.state.node.tables.iter().map(|table| (table.id, 0, 0));
        self.state.step.ever = tables.collect();
        self.state.node.tables.remember_fixed();
        self.state.node.clear_queue();
        let waiting: Vec<(u64, u64)> = self.state.node.receive_timers();
        for key in waiting {
            self.state.remove_timer(key);
        }
        for pid in self.state.node.pids().collect::<Vec<_>>() {
            if let Some(process) = self.state.node.process_mut(pid) {
                process.looked = 0;
                process.timeout = None;
                if !process.relations.links.is_void() {
                    process.relations.once_linked = process.relations.links.clone();
                }
            }
        }
    }

    /// From now on logs have the arguments of actions: for who tells what happened.
    pub fn log_arguments(&mut self) {
        self.state.step.detailed = true;
    }

    /// What a process is going to do. It runs up to there if it has not yet.
    pub fn next(&mut self, pid: Pid) -> Next {
        self.settle(pid);
        self.known_next(pid)
    }

    /// Has a process stand before its next visible action.
    pub fn settle(&mut self, pid: Pid) {
        let Some(process) = self.state.node.process(pid) else { return };
        let point = &process.step;
        let known = process.doomed.is_some()
            || match point.at {
                At::Unknown => false,
                At::Receive => point.probed as usize == process.mailbox.len(),
                _ => true,
            };
        if !known && let Some(mut process) = self.state.node.take_whole(pid) {
            self.advance(recycled::to_change(&mut process));
            self.state.node.put_back_whole(process);
        }
    }

    /// What a process is going to do, if it has run up to there.
    pub fn known_next(&self, pid: Pid) -> Next {
        match self.glance(pid) {
            Glance::Act => Next::Act,
            Glance::End => Next::End,
            Glance::Spins => Next::Spins,
            Glance::Stopped => Next::Stopped,
            Glance::Gone => Next::Gone,
            Glance::Receive { matching, timeout, has_clauses } => {
                Next::Receive(Receive { matching: matching.into(), timeout, has_clauses })
            }
        }
    }

    /// The instruction before which a process stands.
    pub fn place(&self, pid: Pid) -> Option<Pc> {
        self.state.node.process(pid).map(|process| process.pc)
    }

    /// Runs a process up to its next visible action, and looks at the messages it could take.
    fn advance(&mut self, process: &mut Process) {
        let pid = process.pid;
        self.state.node.running = Some(pid);
        self.state.step.own = process.step.counters;
        if process.step.at == At::Unknown {
            self.run_invisible(process);
        }
        if process.step.at == At::Receive {
            self.probe(process);
        }
        process.step.counters = self.state.step.own;
        self.state.node.running = None;
    }

    fn run_invisible(&mut self, process: &mut Process) {
        process.step.may_look = false;
        process.step.asks = None;
        process.step.reads = None;
        process.runs_on();
        self.state.node.shared.fading.clear();
        let mut budget = MAX_INVISIBLE;
        loop {
            match interp::run(&self.code, &mut self.state, process, &mut budget) {
                Exit::NeedModule(module) => match self.provide(module) {
                    Provided::Ready => {}
                    Provided::Missing => interp::module_missing(&self.code, process),
                    Provided::MustRun => interp::autoload(&self.code, process, module),
                },
                Exit::Unfinished(pc) => Rc::make_mut(&mut self.code).finish(pc),
                Exit::Code(request, answer) => {
                    let value = self.serve_code(*request);
                    if let Some(slot) = process.stack.get_mut(answer) {
                        *slot = value;
                    }
                }
                Exit::Visible => {
                    process.step.at = At::Act;
                    process.status = Status::Runnable;
                    return;
                }
                Exit::AtReceive => {
                    process.step.at = At::Receive;
                    process.step.probed = 0;
                    process.step.matching.clear();
                    process.step.timeout = Timeout::Never;
                    process.step.has_clauses = false;
                    process.status = Status::Waiting;
                    return;
                }
                Exit::Yielded if budget == 0 => {
                    process.step.at = At::Spins;
                    return;
                }
                // Somebody else's turn, or asleep until a message comes: the driver decides
                // when it goes on, so nothing is lost by going on to the next visible action.
                Exit::Yielded | Exit::Waits => {}
                Exit::Ended(reason) => {
                    process.step.ending = Some(reason);
                    process.step.at = At::End;
                    return;
                }
                Exit::Stopped => {
                    process.step.at = At::Stopped;
                    return;
                }
                Exit::Matched | Exit::Unmatched => return,
            }
        }
    }

    /// Lets a process look at a mailbox whose messages are in another order: the places where they
    /// are. Afterwards they are as they were.
    pub fn perform_look(&mut self, actor: Actor, whose: Pid, order: &[u32]) -> Option<Event> {
        self.reorder(whose, order);
        let done = self.perform(actor, Choice::Act);
        let mut back = vec![0; order.len()];
        for (now, at) in order.iter().enumerate() {
            if let Some(place) = back.get_mut(*at as usize) {
                *place = now as u32;
            }
        }
        self.reorder(whose, &back);
        done
    }

    fn reorder(&mut self, pid: Pid, order: &[u32]) {
        let Some(process) = self.state.node.process_mut(pid) else { return };
        let messages: Vec<Term> = process.mailbox.iter().cloned().collect();
        if order.len() <= messages.len() {
            let rest = (order.len() as u32)..(messages.len() as u32);
            let places = order.iter().copied().chain(rest);
            process.mailbox = places.filter_map(|at| messages.get(at as usize).cloned()).collect();
        }
        process.step.probed = 0;
        process.step.matching.clear();
        self.next(pid);
    }

    /// Lets an actor do what it is told. `None` if that is not possible.
    pub fn perform(&mut self, actor: Actor, choice: Choice) -> Option<Event> {
        let pc = self.act(actor, choice)?;
        Some(Event { actor, pc, log: std::mem::take(&mut self.state.step.log) })
    }

    /// The same, where the event is not wanted as a whole: what was done can be taken from
    /// [`Machine::log`], until somebody else runs. The instruction, for a process.
    pub fn act(&mut self, actor: Actor, choice: Choice) -> Option<Pc> {
        self.state.step.log.clear();
        self.state.step.ahead = 0;
        let done = match actor {
            Actor::Process(pid) => self.perform_process(pid, choice),
            Actor::Timer(reference) => self.perform_timer(reference),
            Actor::Signal(number) => self.perform_signal(number),
        };
        self.state.step.note_moments();
        done
    }

    /// What the action that was performed last did.
    pub fn log(&mut self) -> &mut Log {
        &mut self.state.step.log
    }

    fn perform_timer(&mut self, reference: Ref) -> Option<Pc> {
        let key = self.state.node.timer_key(reference)?;
        if !self.is_due(key) {
            return None;
        }
        let step = &mut self.state.step;
        step.ahead = key.0.saturating_sub(self.state.node.now);
        step.log.label = Label::Fire;
        step.touch(Kind::Write, Object::of_ref(Class::Timer, reference));
        if let Some(Timer::Send { to, .. }) = self.state.node.timer(key) {
            let to = to.clone();
            let mut footprint = std::mem::take(&mut self.state.step.log.footprint);
            footprint::send(&self.state, None, &to, &mut footprint);
            self.state.step.log.footprint = footprint;
        }
        self.fire(key);
        Some(0)
    }

    fn perform_process(&mut self, pid: Pid, choice: Choice) -> Option<Pc> {
        self.settle(pid);
        let ends = match (self.glance(pid), choice) {
            (Glance::Act, Choice::Act) => false,
            (Glance::Act, Choice::Tie) if self.can_tie(pid) => false,
            (Glance::End, Choice::Act) => true,
            (Glance::Receive { matching, .. }, Choice::Take(i)) if matching.contains(&i) => false,
            (Glance::Receive { timeout, .. }, Choice::GiveUp) if timeout != Timeout::Never => false,
            _ => return None,
        };
        if ends {
            let process = self.state.node.take_whole(pid)?;
            let pc = process.pc;
            self.let_go(&process);
            self.end_step(process);
            return Some(pc);
        }
        let mut whole = self.state.node.take_whole(pid)?;
        let process = recycled::to_change(&mut whole);
        let pc = process.pc;
        match choice {
            Choice::Act => {}
            Choice::Tie => self.state.step.order.ties = true,
            Choice::Take(index) => {
                process.looked = index as usize;
                self.state.step.log.label = Label::Receive;
                self.state.step.touch(Kind::Add, Object::of(Class::Mailbox, pid));
            }
            Choice::GiveUp => {
                if process.holds_while_waiting() {
                    self.let_go(process);
                }
                process.step.has_waited();
                process.looked = process.mailbox.len();
                process.timeout = Some(Deadline::Expired);
                self.state.step.log.label = Label::Timeout;
                self.state.step.touch(Kind::Add, Object::of(Class::MailboxOrder, pid));
            }
        }
        process.step.at = At::Unknown;
        (process.step.has_changed_dictionary, process.step.has_acted) = (false, true);
        self.state.step.mode = Mode::Go;
        self.advance(process);
        self.state.step.mode = Mode::Stop;
        self.decide_monitor(process);
        self.state.node.put_back_whole(whole);
        Some(pc)
    }

    /// What stopped the node, if it is stopped: the exit status or what is not supported.
    pub fn stop_reason(&self) -> Option<Result<i32, &Unsupported>> {
        match (&self.state.host.unsupported, self.state.host.halted) {
            (Some(what), _) => Some(Err(what)),
            (None, Some(status)) => Some(Ok(status)),
            (None, None) => None,
        }
    }
}
