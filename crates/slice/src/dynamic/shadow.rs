//! Following a process: which activation runs in each of its frames, and for whom code runs that is not of the
//! program.
//!
//! As in the `coverage` crate, which follows functions where this follows their activations: a call is told
//! before its frame is there, so it waits until the next event shows the depth of the stack; code outside of the
//! program acts for the place that called it, or, if it began a process, for the place that started the process.

use flow::Site;
use syntax::ast::NodeId;

use super::record::{Act, Sent};

/// A place of the program in an activation.
pub(super) type Spot = (Act, Site);

#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The activation that runs; none for code that is not of the program.
    pub(super) act: Option<Act>,
    /// The activation that was called here: others may have taken its place.
    pub(super) first: Option<Act>,
    /// Whom it acts for, if it is not of the program.
    pub(super) origin: Option<Spot>,
    /// It is not of the program, and began a process.
    pub(super) started: bool,
    /// It is not of the program, and took the place of the activation that it acts for.
    pub(super) replaces: bool,
}

#[derive(Debug, Default)]
pub(super) struct Shadow {
    pub(super) frames: Vec<Frame>,
    /// A call whose frame is not there yet, and the depth of its caller.
    pub(super) pending: Option<(usize, Frame)>,
    /// A builtin runs; whether its value is that of its caller.
    pub(super) builtin: Option<bool>,
    pub(super) spawned_at: Option<Spot>,
    /// The activation that the process began with.
    pub(super) began_with: Option<Act>,
    /// Callbacks that returned to code that began the process since it took a message.
    pub(super) returned: Vec<Act>,
    /// What that code took.
    pub(super) taken: Vec<Sent>,
    /// The `receive` of the program that it came to and has not left.
    pub(super) waits_at: Option<(Act, NodeId)>,
    /// Somebody would notice its end.
    pub(super) is_watched: bool,
    /// Where the process hibernates, and whether in code that began it.
    pub(super) hibernates: Option<(Spot, bool)>,
}

/// What a return left.
pub(super) struct Left {
    pub(super) frame: Frame,
    /// What runs now.
    pub(super) below: Option<Frame>,
}

impl Shadow {
    /// Puts the frame of the last call in its place.
    pub(super) fn settle(&mut self, depth: usize) {
        let Some((caller, mut frame)) = self.pending.take() else { return };
        if caller == depth
            && (frame.act.is_some() || frame.replaces)
            && let Some(outer) = self.frames.get(depth)
            && (outer.act.is_some() || outer.replaces)
        {
            frame.first = outer.first;
        }
        self.frames.resize_with(depth, Frame::default);
        self.frames.push(frame);
    }

    pub(super) fn call(&mut self, depth: usize, frame: Frame) {
        self.pending = Some((depth, frame));
        self.builtin = None;
    }

    /// The frame that runs.
    pub(super) fn top(&mut self, depth: usize) -> &mut Frame {
        self.settle(depth);
        if self.frames.len() <= depth {
            self.frames.resize_with(depth + 1, Frame::default);
        }
        self.frames.truncate(depth + 1);
        &mut self.frames[depth]
    }

    /// The innermost call returns.
    pub(super) fn give(&mut self, depth: usize) -> Option<Left> {
        self.settle(depth);
        if let Some(false) = self.builtin.take() {
            return None;
        }
        let below = depth.checked_sub(1).and_then(|below| self.frames.get(below)).cloned();
        let frame = self.frames.get(depth).cloned()?;
        self.frames.truncate(depth);
        Some(Left { frame, below })
    }

    /// An exception comes to the frame at this depth: those that it left, innermost first.
    pub(super) fn unwind(&mut self, depth: Option<usize>) -> Vec<Frame> {
        // The call that waits was not made: it failed.
        if let Some((_, frame)) = self.pending.take() {
            self.frames.push(frame);
        }
        self.builtin = None;
        let keep = depth.map_or(0, |depth| depth + 1).min(self.frames.len());
        let mut left = self.frames.split_off(keep);
        left.reverse();
        left
    }
}
