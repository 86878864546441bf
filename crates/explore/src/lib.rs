//! Systematic exploration of schedules: every execution of a program that differs from the others,
//! each once.
//!
//! # What an execution is made of
//!
//! A program runs on a Machine that is driven one visible action at a time (`machine::step`).
//! Actors are processes, timers and signals on their way. The events ([`event`]) are
//!
//! | event | touches |
//! | --- | --- |
//! | send (`!`, `send`, and every signal that arrives as a message: `'DOWN'`, `'EXIT'`, replies) | puts messages; a name or alias that it goes through |
//! | receive, taking one message | that message |
//! | receive, giving up (`after`) | no message |
//! | spawn, set a timer | makes an actor |
//! | end of a process, or a step of it (`machine::ends`), exit signals | life of processes, names, tables, links; puts messages |
//! | any other visible builtin | the objects in its footprint |
//! | a timer fires | the timer; puts a message |
//! | a signal arrives (what an end tells several others; a monitor that its process held back; with delivery `any` all exits, `'DOWN'`, messages to aliases) | what it would touch when it is sent; what is on its way between the two processes |
//!
//! Which of them do not commute is said in [`dependence`], and only there. Which messages a
//! receive can take is said in [`mailbox`].
//!
//! # The search
//!
//! [`search`] is Optimal DPOR (source sets with wakeup trees and sleep sets) over executions in
//! which a receive *chooses* its message, so that the order of two messages in a mailbox matters
//! only if a receive could have taken either. [`naive`] enumerates all interleavings with mailboxes
//! in their natural order; tests compare the two. [`bounded`] explores exactly what few preemptions
//! lead to. [`finding`] groups what goes wrong, `linear` and [`schedule`] make a schedule of an
//! execution, [`story`] tells it.

pub mod engines;
pub mod model;
pub mod search;
pub mod telling;

pub use engines::{bounded, naive, parallel, random, saved, wakeup};
pub(crate) use engines::{preemption, tree};
pub use model::{clock, dependence, event, mailbox, order, outcome};
pub(crate) use model::{fingerprint, linear, lives, placing, relabel, repeat, rivals, ties};
pub(crate) use telling::{assertion, consequence, explain, naming, reason, rules, waiting};
pub use telling::{failure, finding, node, place, story, warning};

pub use mailbox::Delivery;
pub use outcome::{Blocked, Execution};
pub use search::{Bounds, IsOver, Limit, Moments, Search, Statistics};
pub use trace::schedule;
