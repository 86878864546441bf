//! Following a process: which function of the program runs in each of its frames, and on whose
//! behalf library code runs.
//!
//! A call is told before its frame is there, and whether a frame is added or replaced (a call in tail
//! position) shows in the depth of the next event; so a call waits until then ([`Shadow::settle`]).
//!
//! Library code that the program calls acts for the place of that call, however deep it goes
//! and whatever it calls in tail position. Library code that begins a process acts for the place that
//! started the process ([`Frame::started`]): what it sends is sent because of what a callback returned,
//! and what it receives it hands to the next callback.

use flow::def_use::{DefinitionId, UseId};
use flow::{FunctionId, Site, Vertex};

/// A frame of a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// The function of the program that runs; none for library code.
    pub(crate) function: Option<FunctionId>,
    /// The function of the program that was called here: others may have taken its place.
    pub(crate) entered: Option<FunctionId>,
    /// It is part of the function below: a comprehension.
    pub(crate) is_inner: bool,
    /// For library code: the place of the program that it acts for.
    pub(crate) origin: Option<Site>,
    /// Library code that began a process.
    pub(crate) started: bool,
    /// For uses that several definitions reach: which one did, by the use.
    pub(crate) defined: Vec<(UseId, DefinitionId)>,
}

/// A message that library code took and has not handed on.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) from: Vec<Vertex>,
}

#[derive(Debug, Default)]
pub(crate) struct Shadow {
    pub(crate) frames: Vec<Frame>,
    /// A call whose frame is not there yet, and the depth of its caller.
    pub(crate) pending: Option<(usize, Frame)>,
    /// A builtin runs; whether its value is that of its caller.
    pub(crate) builtin: Option<bool>,
    /// The place that started the process.
    pub(crate) spawned_at: Option<Site>,
    /// What the process began with.
    pub(crate) began_with: Option<FunctionId>,
    /// The callbacks that returned to library code that began the process, since it took a message.
    pub(crate) returned: Vec<FunctionId>,
    /// Where the process hibernates, and whether that was in library code that began it.
    pub(crate) hibernates: Option<(Site, bool)>,
    pub(crate) taken: Vec<Taken>,
    /// The callback that gets a message, until it has chosen a clause.
    pub(crate) handed: Option<(FunctionId, Vec<Taken>)>,
    /// Where the exception was raised that is on its way.
    pub(crate) raised: Option<Vertex>,
}

impl Shadow {
    /// Puts the frame of the last call in its place.
    pub(crate) fn settle(&mut self, depth: usize) {
        let Some((caller, mut frame)) = self.pending.take() else { return };
        if frame.is_inner && caller == depth {
            // It takes the place of the function that it is part of.
            if let Some(outer) = self.frames.get_mut(depth) {
                frame.defined = std::mem::take(&mut outer.defined);
                frame.entered = outer.entered;
            }
        }
        if caller == depth
            && frame.function.is_some()
            && let Some(outer) = self.frames.get(depth)
            && outer.function.is_some()
        {
            frame.entered = outer.entered;
        }
        self.frames.resize_with(depth, Frame::default);
        self.frames.push(frame);
    }

    pub(crate) fn call(&mut self, depth: usize, frame: Frame) {
        self.pending = Some((depth, frame));
        self.builtin = None;
    }

    /// The frame that runs.
    pub(crate) fn top(&mut self, depth: usize) -> &mut Frame {
        self.settle(depth);
        if self.frames.len() <= depth {
            self.frames.resize_with(depth + 1, Frame::default);
        }
        self.frames.truncate(depth + 1);
        &mut self.frames[depth]
    }

    /// The innermost call returns.
    pub(crate) fn give(&mut self, depth: usize) {
        self.settle(depth);
        if let Some(false) = self.builtin.take() {
            return;
        }
        let left =
            self.frames.get(depth).and_then(|frame| frame.entered.filter(|_| !frame.is_inner));
        let below = depth.checked_sub(1).and_then(|below| self.frames.get(below));
        if let (Some(entered), Some(below)) = (left, below)
            && below.function.is_none()
            && below.started
            && !self.returned.contains(&entered)
        {
            self.returned.push(entered);
        }
        self.frames.truncate(depth);
    }

    /// Notes which definition a use has.
    pub(crate) fn define(&mut self, depth: usize, using: UseId, definition: DefinitionId) {
        let defined = &mut self.top(depth).defined;
        match defined.iter_mut().find(|(known, _)| *known == using) {
            Some((_, known)) => *known = definition,
            None => defined.push((using, definition)),
        }
    }

    /// Which definition a use has: that of the innermost frame of the same function.
    pub(crate) fn defined(&mut self, depth: usize, using: UseId) -> Option<DefinitionId> {
        self.top(depth);
        for frame in self.frames.iter().rev() {
            if let Some((_, definition)) = frame.defined.iter().find(|(known, _)| *known == using) {
                return Some(*definition);
            }
            if !frame.is_inner {
                return None;
            }
        }
        None
    }
}
