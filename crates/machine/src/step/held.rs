//! Monitors that are held back.
//!
//! On the BEAM a scheduler keeps the signal of `monitor/2` to itself for a while, so as to send it
//! together with what its process sends next to the same process. Until then the other process does
//! not know that it is monitored: if it ends meanwhile, the answer is `noproc`. Here the signal
//! leaves
//! * before the next message or other signal that the process sends. (On the BEAM only before one
//!   to the same process, or the next monitor. So what is sent to a third process may be there
//!   before; that is not shown.)
//! * when the process lets others run: it waits for a message in vain, asks another process
//!   something, ends. (Or when its time is over: that may be at any moment.)
//!
//! Driven step by step, the call of `monitor/2` is an action of the process. What the process does
//! next decides the rest. Where it has to let the signal go before, nobody could tell the two
//! apart: the signal has its effect with the call. The same where it waits for the news of this
//! monitor and nothing else. Otherwise the signal is on its way ([`crate::flight`], from the
//! process to itself) and its arrival is an action. What must not come before reads
//! [`Object::held`], and has to wait ([`Machine::must_wait`]). That depends on nothing but what the
//! process itself has done, so that actions that commute touch the same in any order.
//!
//! What a process does next decides, too, when it hears that another one is bound to end which it
//! asks for a link or a monitor: if it waits for that and nothing else, at once (unless that one
//! has something to give up before), since nobody could tell; otherwise when the other is gone. A
//! monitor that was on its way is answered at once.

use atom::known;
use term::{Pid, Ref, Term};

use super::{At, Timeout};
use crate::builtins::{Asks, Builtin, Sends};
use crate::flight::Signal;
use crate::footprint::{self, Access, Class, Kind, Object};
use crate::machine::Machine;
use crate::observe::Sender;
use crate::process::Process;
use crate::signals::Node;

/// A monitor that a process has just asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) reference: Ref,
    pub(crate) target: Pid,
}

/// How a process is to be told that the one it monitors is not there.
#[derive(Clone, Copy, Default)]
pub(crate) struct Answer {
    /// Whether it waits for that, and nothing else.
    pub(crate) waits: bool,
    /// The signal that this answers, if it travelled.
    pub(crate) number: Option<Ref>,
}

/// What a process holds back.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Holding {
    /// A monitor of which it is not decided yet whether it is held back.
    asked: Option<Held>,
    /// A process that answers no more and that it has just asked for a link.
    linked: Option<Pid>,
    /// Whether what the process does next lets the monitor go.
    lets_go: bool,
    /// What all messages have in them that the receive takes before which it stands.
    only: Only,
    /// Whether a monitor was on its way, and need not have arrived when the process acts.
    is_back: bool,
}

/// What is in all messages that a receive takes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
enum Only {
    #[default]
    Anything,
    Ref(Ref),
    Pid(Pid),
}

impl Object {
    /// The monitor that a process holds back.
    pub const fn held(pid: Pid) -> Object {
        Object::route(pid, pid)
    }
}

/// Before a builtin at which the process stops: whether it lets a monitor go that the process has
/// asked for.
pub(crate) fn about_to_call(p: &mut Process, builtin: &Builtin, first: Option<&Term>, asks: Asks) {
    p.step.holding.lets_go = match builtin.facts.sends {
        Sends::Nothing => false,
        // What asks and fails has sent nothing.
        _ if builtin.facts.asks != asks => false,
        Sends::Signals => true,
        Sends::ToOthers => first.and_then(Term::as_pid) != Some(p.pid),
    };
}

/// The same before a message is sent.
pub(crate) fn about_to_send(p: &mut Process) {
    p.step.holding.lets_go = true;
}

/// Before a receive that takes only messages that have this in them.
pub(crate) fn about_to_receive(p: &mut Process, all_have: &Term) {
    p.step.holding.only = match (all_have.as_ref(), all_have.as_pid()) {
        (Some(reference), _) => Only::Ref(reference),
        (_, Some(pid)) => Only::Pid(pid),
        _ => Only::Anything,
    };
}

impl Process {
    /// Asks for a monitor; what it does next decides when that is known to the other process.
    pub(crate) fn ask_for_monitor(&mut self, reference: Ref, target: Pid) {
        self.step.holding.asked = Some(Held { reference, target });
    }

    /// Asks for a link to a process that answers no more; what it does next decides when it hears
    /// of that.
    pub(crate) fn ask_for_link(&mut self, other: Pid) {
        self.step.holding.linked = Some(other);
    }

    /// Whether it waits for messages with this in them, and nothing else.
    fn waits_only_for(&self, only: Only) -> bool {
        self.step.at == At::Receive
            && self.step.holding.only == only
            && self.step.timeout != Timeout::After(0)
    }

    /// Whether it stands before a receive that may give up, and not before a monitor of its own has
    /// arrived.
    pub fn holds_while_waiting(&self) -> bool {
        self.step.holding.is_back && matches!(self.step.timeout, Timeout::After(1..))
    }

    /// Before it runs up to its next visible action.
    pub(super) fn runs_on(&mut self) {
        self.step.holding.lets_go = false;
        self.step.holding.only = Only::Anything;
    }
}

impl Node<'_> {
    /// The running process sends a signal: the monitor that it holds back must have arrived.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        if let Some(me) = &self.me
            && me.step.holding.is_back
        {
            let pid = me.pid;
            self.s.step.touch(Kind::Read, Object::held(pid));
            self.s.step.log.too_early |= self.s.step.flight.holds_back(pid);
        }
    }

    /// The running process asks one about itself: if that is another one, it lets others run.
    pub(crate) fn let_go_to_ask(&mut self, asked: Pid) {
        if !self.is_me(asked) {
            self.let_go();
        }
    }
}

impl Machine {
    /// After an action of a process, which stands before its next one: a monitor that it asked for
    /// has its effect, or is on its way from now on.
    pub(super) fn decide_monitor(&mut self, process: &mut Process) {
        let pid = process.pid;
        let held = Access { object: Object::held(pid), kind: Kind::Read };
        let Holding { asked, linked, lets_go, is_back, .. } = process.step.holding;
        if is_back && self.state.step.log.footprint.0.contains(&held) {
            process.step.holding.is_back = false;
        }
        if let Some(other) = linked {
            process.step.holding.linked = None;
            self.link_to_nobody(process, other);
        }
        let Some(Held { reference, target }) = asked else { return };
        process.step.holding.asked = None;
        let waits = process.waits_only_for(Only::Ref(reference));
        let at_once = match process.step.at {
            At::Act => lets_go,
            At::Receive => waits,
            At::Unknown | At::End | At::Spins | At::Stopped => true,
        };
        let was_alias = process.monitoring.get(&reference).is_some_and(|it| it.was_alias);
        self.state.step.own = process.step.counters;
        let mut node = Node { code: &self.code, s: &mut self.state, me: Some(process) };
        if at_once {
            node.touch_monitored(pid, target, waits);
            node.monitor_arrives(pid, reference, target, Answer { waits, number: None });
        } else {
            node.set_off((pid, pid), Signal::Monitor { reference, target, was_alias });
            process.step.holding.is_back = true;
        }
        process.step.counters = self.state.step.own;
    }

    /// A process that traps exits has asked for a link to one that answers no more.
    fn link_to_nobody(&mut self, process: &mut Process, other: Pid) {
        let (pid, waits) = (process.pid, process.waits_only_for(Only::Pid(other)));
        let mut node = Node { code: &self.code, s: &mut self.state, me: Some(process) };
        if !waits {
            node.s.step.touch(Kind::Read, Object::gone(other));
        }
        if node.answers_late(other, waits) {
            node.link_late(pid, other);
        } else {
            node.answer_link(pid, other);
        }
    }

    /// Before an action of a process that lets others run: its end, or that it gives up waiting.
    pub(super) fn let_go(&mut self, process: &Process) {
        if process.step.holding.is_back {
            self.state.step.touch(Kind::Read, Object::held(process.pid));
            self.state.step.log.too_early |= self.state.step.flight.holds_back(process.pid);
        }
    }

    /// Whether a monitor of a process is on its way still.
    pub(crate) fn holds_back(&self, pid: Pid) -> bool {
        self.state.step.flight.holds_back(pid)
    }

    /// Whether a process in a receive cannot have waited in vain yet: a monitor of its own would
    /// have arrived.
    pub fn must_wait_on(&self, pid: Pid) -> bool {
        self.holds_back(pid)
            && self.state.node.process(pid).is_some_and(Process::holds_while_waiting)
    }
}

impl Node<'_> {
    /// A process that traps exits hears that one is not there which it wanted to link to.
    pub(crate) fn answer_link(&mut self, to: Pid, other: Pid) {
        let answer = [Term::from(known::EXIT), Term::from(other), Term::from(known::NOPROC)];
        self.let_go();
        self.send_as(Sender::Exit(other), to, Term::tuple(answer));
    }

    /// What the arrival of a monitor touches, whatever comes of it.
    pub(crate) fn touch_monitored(&mut self, watcher: Pid, target: Pid, waits: bool) {
        let mut footprint = std::mem::take(&mut self.s.step.log.footprint);
        footprint::monitored(self.s, watcher, target, waits, &mut footprint);
        self.s.step.log.footprint = footprint;
    }

    /// A monitor that was held back arrives.
    pub(crate) fn held_monitor_arrives(
        &mut self,
        watcher: Pid,
        held: Held,
        was_alias: bool,
        number: Option<Ref>,
    ) {
        let Held { reference, target } = held;
        // That it could hear later of an end that is decided is nothing that its signal could not
        // be late for.
        let answer = Answer { waits: true, number };
        self.touch_monitored(watcher, target, answer.waits);
        if was_alias {
            self.s.step.touch(Kind::Add, Object::of_ref(Class::Alias, reference));
        }
        // An answer to its alias may have ended it.
        if self.process(watcher).is_some_and(|it| it.monitoring.contains_key(&reference)) {
            self.monitor_arrives(watcher, reference, target, answer);
        }
    }
}
