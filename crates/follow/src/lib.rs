//! What a run is doing: one shadow call stack a process, and on whose behalf each part of it runs.
//!
//! ```text
//! machine::observe ──▶ Watcher<F> ──▶ Shadow<F>: a Stack a process, messages, timers
//!                                        │
//!                                        └──▶ F: Follower   enter · happens · sent · mark · value
//! ```
//!
//! A Machine tells its observers what happens at an instruction. Tools want to know more: in which
//! *activation* (one call of one function of the program) it happens, which activation called that
//! one, and, where library code is at work, which place of the program asked for it. That is worked
//! out here, once; a [`Follower`] says which code is of the program (that of a flow graph is found
//! by [`SameTrees`]), decides what an activation, a process and a message carry, and is told.
//!
//! # The algorithm
//!
//! The stack of a process has a [`Frame`] for each frame of the Machine, at the same depth. A
//! call adds one, a return takes it away, a call in tail position exchanges it, an exception takes
//! away those above its handler. A frame holds
//!
//! * an [`Active`] activation, if a function of the program runs in it: with the number of the
//!   activation that was called there first, since others may have taken its place by calls in tail
//!   position, and the value of the last is that of all of them;
//! * or code *outside* of the program ([`Outside`]), which acts for a [`Spot`]: an activation
//!   and the place in it that called this code, however deep that went since. Such code keeps the
//!   activation whose place it took by a call in tail position.
//!
//! So a callback that library code calls (the fun given to `lists:map`, say) has the place
//! as its caller that called the library. Code outside that a *process* begins with acts for the
//! place that started the process ([`Role::Began`]): the loop of a server, whose callbacks have the
//! `start_link` of the program as their caller. The message that such code took last waits in
//! [`Stack::taken`] for the callback that it is handed to.
//!
//! Builtins have no frames; a call that a builtin makes in its own place (`apply`) is one of the
//! builtin's caller, in tail position if the builtin was. Who hibernates has no stack any more:
//! what it wakes up with ([`How::Wake`]) is called at the place that hibernated.
//!
//! # What it costs
//!
//! Constant time for each call, return, message and mark (exceptions: for each frame that is left),
//! memory for the frames that are there, the messages that nobody received, the timers that did not
//! fire, and a few words for each process that ever was. Nothing is kept of activations that
//! are over: who wants them keeps them by their numbers, which follow each other from 0.
//!
//! # What it may miss
//!
//! * Frames that were there before anybody watched are unknown; code of the program in them acts at
//!   its place, but in no activation.
//! * A builtin that lets others run first (`erlang:yield/0`, `erlang:suspend_process/1`, …) returns
//!   without being told. In tail position the frames that went with it are told by the next event
//!   ([`What::Vanish`]), without a value.
//! * A call that the module's `$handle_undefined_function/2` gets is not told: as a call that is
//!   not in tail position its frame is unknown, else it counts as the caller.
//! * A Machine that goes back to an earlier state cannot be followed: each run is one from its
//!   beginning ([`Watcher::begin`]).

mod follower;
mod shadow;
mod stack;
mod trees;
mod watcher;

pub use follower::{Entering, Follower, How, INTEREST, Sending, What};
pub use shadow::Shadow;
pub use stack::{Acting, ActivationId, Active, Frame, Outside, Role, Spot, Stack, Taken};
pub use trees::{SameTrees, is_same};
pub use watcher::Watcher;
