//! Who follows a run: what is its own, and what it is told.

use code::instr::Pc;
use machine::Pid;
use machine::code_space::CodeSpace;
use machine::control::Start;
use machine::exception::Class;
use machine::observe::{Callee, Event, Interest, Mark, MessageId, Moment, Site};
use term::{Ref, Term};

use crate::shadow::Shadow;
use crate::stack::{Acting, ActivationId, Frame};

/// The events that following takes.
pub const INTEREST: Interest = Interest::CALLS
    .and(Interest::EXCEPTIONS)
    .and(Interest::PROCESSES)
    .and(Interest::MESSAGES)
    .and(Interest::TIMERS);

/// Somebody who follows runs. With the events comes the [`Shadow`] as it is when they have
/// happened: a call that is entered is not on the stack yet, one that returned is not there any
/// more.
pub trait Follower: Sized {
    /// A place of the program.
    type Place: Copy;
    /// What an activation carries.
    type Activation;
    /// What a process carries.
    type Process: Default;
    /// What is remembered of a message until it is received, and of a timer until it fires.
    type Sent;

    /// The events that are wanted. Without [`INTEREST`] nothing is followed.
    fn interest(&self) -> Interest {
        INTEREST
    }

    /// Whether there is nothing more to see.
    fn is_over(&self) -> bool {
        false
    }

    /// The place of the program that a site is; none for code outside.
    fn place(&mut self, code: &CodeSpace, site: Site) -> Option<Self::Place>;

    /// A function of the program is called. Without an activation it counts as code outside.
    fn enter(
        &mut self,
        shadow: &mut Shadow<Self>,
        moment: &Moment<'_>,
        call: &Entering<'_, Self::Place>,
    ) -> Option<Self::Activation>;

    /// An activation takes the place of another by a call in tail position, itself or through
    /// code outside.
    fn replaces(_new: &mut Self::Activation, _old: Self::Activation) {}

    /// What is to be remembered of a message that is sent, or that a timer will send.
    fn sent(
        &mut self,
        _shadow: &mut Shadow<Self>,
        _moment: &Moment<'_>,
        _sending: &Sending<'_, Self::Place>,
    ) -> Option<Self::Sent> {
        None
    }

    /// Everything else.
    fn happens(&mut self, shadow: &mut Shadow<Self>, moment: &Moment<'_>, what: What<'_, Self>);

    /// A marked node was reached: [`machine::observe::Observer::mark`].
    fn mark(&mut self, _shadow: &mut Shadow<Self>, _moment: &Moment<'_>, _mark: Mark) {}

    /// The value of a marked node: [`machine::observe::Observer::value`].
    fn value(&mut self, _shadow: &mut Shadow<Self>, _moment: &Moment<'_>, _value: &Term) {}
}

/// A function of the program is called.
pub struct Entering<'a, P> {
    /// The number of the activation.
    pub id: ActivationId,
    pub pid: Pid,
    /// The node of the function.
    pub target: P,
    pub callee: &'a Callee,
    pub args: &'a [Term],
    /// Who calls. For what a process begins with, who started the process.
    pub by: Option<Acting<P>>,
    pub how: How,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    Call,
    /// In the place of its caller.
    Tail,
    /// A process begins with it.
    Begin,
    /// A process that hibernated goes on with it.
    Wake,
}

/// A message is sent, or will be.
pub enum Sending<'a, P> {
    /// By a process.
    Message { id: MessageId, from: Pid, to: Pid, message: &'a Term, by: Option<Acting<P>> },
    /// By a timer that is set.
    Timer { reference: Ref, at: u64, by: Option<Acting<P>> },
    /// That a process ended, or an exit signal of its was trapped.
    Signal { id: MessageId, of: Pid, to: Pid, message: &'a Term, by: Option<Acting<P>> },
}

/// What happens. Frames that are left come innermost first; `by` is who does it.
pub enum What<'a, F: Follower> {
    /// A function is called that is not of the program and no builtin.
    Outside {
        callee: &'a Callee,
        args: &'a [Term],
        by: Option<Acting<F::Place>>,
        how: How,
    },
    Builtin {
        number: u32,
        callee: &'a Callee,
        args: &'a [Term],
        by: Option<Acting<F::Place>>,
    },
    /// A builtin gives its value to its caller. (In tail position, the caller returns.)
    BuiltinReturn {
        value: &'a Term,
        by: Option<Acting<F::Place>>,
    },
    /// What runs in a frame returns: its activation, all whose place that took, and code outside.
    Return {
        value: &'a Term,
        left: Frame<F>,
    },
    /// Frames are not there any more: their returns were not told, or their process hibernates.
    Vanish {
        left: Vec<Frame<F>>,
    },
    /// `again`: one that was caught and not taken, or passes an `after`.
    Raise {
        class: Class,
        reason: &'a Term,
        again: bool,
        by: Option<Acting<F::Place>>,
    },
    /// An exception comes to a `try` or `catch`, of the program if there is a place.
    Catch {
        handler: Option<F::Place>,
        left: Vec<Frame<F>>,
    },
    Spawn {
        child: Pid,
        entry: &'a Start,
        by: Option<Acting<F::Place>>,
    },
    /// A process ended; frames that were there are left by an exception or a signal.
    Exit {
        pid: Pid,
        reason: &'a Term,
        left: Vec<Frame<F>>,
    },
    /// The `receive` at an instruction took a message.
    Receive {
        id: MessageId,
        message: &'a Term,
        receive: Pc,
        sent: Option<F::Sent>,
        by: Option<Acting<F::Place>>,
    },
    /// Code that began the process did; it is [`crate::Stack::taken`].
    Take {
        message: &'a Term,
        by: Acting<F::Place>,
    },
    /// A `receive` gave up.
    GiveUp {
        by: Option<Acting<F::Place>>,
    },
    /// Something else, as the Machine tells it.
    Other(&'a Event<'a>),
}
