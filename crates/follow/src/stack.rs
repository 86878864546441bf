//! The shadow stack of one process.

use code::instr::Pc;
use machine::observe::{MessageId, Moment};

use crate::follower::Follower;

/// The number of an activation: from 0, in the order of calls.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActivationId(pub u64);

/// A place of the program, and the activation that it is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot<P> {
    /// None if it was entered before anybody watched.
    pub activation: Option<ActivationId>,
    pub place: P,
}

/// Where, or on whose behalf, a process acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Acting<P> {
    pub spot: Spot<P>,
    pub role: Role,
}

/// Who acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The program itself, at the spot.
    Own,
    /// Code outside that was called at the spot.
    Called,
    /// Code outside that a process began with, which was started at the spot.
    Began,
}

/// An activation of a function of the program, while it is on the stack.
#[derive(Clone, Debug)]
pub struct Active<T> {
    pub id: ActivationId,
    /// The activation that was called here: this one took its place, or is it.
    pub first: ActivationId,
    pub data: T,
}

/// Code that is not of the program.
#[derive(Clone, Copy, Debug)]
pub struct Outside<P> {
    /// Whom it acts for, if that is known.
    pub for_whom: Option<Spot<P>>,
    /// It began a process, or was called by code that did.
    pub began: bool,
}

/// A frame of a process. One that was there before anybody watched has nothing.
pub struct Frame<F: Follower> {
    /// The activation that runs, or whose place the code outside took.
    pub active: Option<Active<F::Activation>>,
    pub outside: Option<Outside<F::Place>>,
    /// Where the function begins that runs.
    pub entry: Option<Pc>,
}

impl<F: Follower> Frame<F> {
    pub(crate) const UNKNOWN: Frame<F> = Frame { active: None, outside: None, entry: None };

    /// The activation, if it is code of the program that runs.
    pub fn running(&self) -> Option<&Active<F::Activation>> {
        self.active.as_ref().filter(|_| self.outside.is_none())
    }

    /// Code outside that took the place of an activation by a call in tail position.
    pub fn replaces(&self) -> bool {
        self.outside.is_some() && self.active.is_some()
    }

    /// Code outside that began the process runs.
    pub fn began(&self) -> bool {
        self.outside.is_some_and(|outside| outside.began)
    }
}

/// A builtin that was called and has not returned, as far as was told.
pub(crate) struct Builtin<P> {
    at: (Option<Pc>, usize),
    pub(crate) tail: bool,
    pub(crate) by: Option<Acting<P>>,
    /// Where the process is if an exception comes after the frame of its caller was given up.
    left: Option<(Option<Pc>, usize)>,
}

impl<P> Builtin<P> {
    pub(crate) fn new(moment: &Moment<'_>, tail: bool, by: Option<Acting<P>>) -> Builtin<P> {
        let frame = moment.process.filter(|_| tail).and_then(|process| process.frames.last());
        let left = frame.map(|frame| (frame.pc.checked_sub(1), moment.depth() - 1));
        Builtin { at: (moment.pc(), moment.depth()), tail, by, left }
    }

    /// Whether a process is where it called the builtin.
    pub(crate) fn is_here(&self, moment: &Moment<'_>) -> bool {
        self.at == (moment.pc(), moment.depth())
    }

    /// Whether an exception comes out of it.
    pub(crate) fn raises(&self, moment: &Moment<'_>) -> bool {
        self.is_here(moment) || self.left == Some((moment.pc(), moment.depth()))
    }
}

/// A message that code outside took that began the process.
#[derive(Clone, Debug)]
pub struct Taken<S> {
    pub id: MessageId,
    /// What is remembered of its origin.
    pub sent: Option<S>,
}

/// The shadow stack of a process.
pub struct Stack<F: Follower> {
    /// One for each frame of the Machine, and one for what runs.
    pub(crate) frames: Vec<Frame<F>>,
    pub(crate) builtin: Option<Builtin<F::Place>>,
    /// An exception is on its way: frames above the depth of the process are left by it.
    pub(crate) raising: bool,
    /// Where the process hibernates, and whether code did so that began it.
    pub(crate) hibernates: Option<(Spot<F::Place>, bool)>,
    /// The place that started the process.
    pub spawned_at: Option<Spot<F::Place>>,
    /// The message that code took that began the process, until it takes the next one or ends, or
    /// the follower takes it away: when it is handed to a callback.
    pub taken: Option<Taken<F::Sent>>,
    pub data: F::Process,
}

impl<F: Follower> Default for Stack<F> {
    fn default() -> Stack<F> {
        Stack {
            frames: Vec::new(),
            builtin: None,
            raising: false,
            hibernates: None,
            spawned_at: None,
            taken: None,
            data: F::Process::default(),
        }
    }
}

impl<F: Follower> Stack<F> {
    /// The frames, outermost first.
    pub fn frames(&self) -> &[Frame<F>] {
        &self.frames
    }

    /// The frame that runs.
    pub fn top(&self) -> Option<&Frame<F>> {
        self.frames.last()
    }

    /// The activation that runs, if it is code of the program that does.
    pub fn running(&mut self) -> Option<&mut Active<F::Activation>> {
        let top = self.frames.last_mut()?;
        top.active.as_mut().filter(|_| top.outside.is_none())
    }

    /// Whom the code acts for that runs, if it is not of the program.
    pub(crate) fn on_behalf(&self) -> Option<Acting<F::Place>> {
        let Outside { for_whom, began } = self.top()?.outside?;
        let role = if began { Role::Began } else { Role::Called };
        for_whom.map(|spot| Acting { spot, role })
    }

    /// Makes the stack as deep as the Machine's. Gives the frames that are not there any more
    /// though no return of theirs was told, innermost first.
    pub(crate) fn align(&mut self, depth: usize) -> Vec<Frame<F>> {
        if self.frames.len() == depth + 1 {
            return Vec::new();
        }
        if self.frames.len() > depth {
            return if self.raising { Vec::new() } else { self.unwind(depth + 1) };
        }
        self.frames.resize_with(depth + 1, || Frame::UNKNOWN);
        Vec::new()
    }

    /// Leaves so many frames; gives the others, innermost first.
    pub(crate) fn unwind(&mut self, keep: usize) -> Vec<Frame<F>> {
        if self.frames.len() <= keep {
            return Vec::new();
        }
        let mut left = self.frames.split_off(keep);
        left.reverse();
        left
    }

    /// Puts the frame of a call on the stack, or, in tail position, in the place of its caller.
    pub(crate) fn push(&mut self, mut frame: Frame<F>, tail: bool) {
        let replaced = if tail { self.frames.pop() } else { None };
        if let Some(before) = replaced.and_then(|replaced| replaced.active) {
            match &mut frame.active {
                Some(active) => {
                    active.first = before.first;
                    F::replaces(&mut active.data, before.data);
                }
                None => frame.active = Some(before),
            }
        }
        self.frames.push(frame);
    }
}
