//! What runs exercise of a flow graph.
//!
//! ```text
//! flow::Flow ─▶ flow::criteria (goals) ──────────────┐
//!       │                                            ▼
//!       └────▶ Watcher ◀── machine::observe ──▶ Covered ─▶ report::coverage
//!                 │
//!                 └─▶ Happened (calls, spawns, throws, messages) ─▶ check against the graph
//! ```
//!
//! A [`Watcher`] is an observer of a Machine. It follows each process through its calls (the crate
//! `follow`), so that what library code does on behalf of the program is told of the place of the
//! program that asked for it, as the graph does. From the marks it gathers what criteria want
//! ([`marks`]), from the structures that it is shown the ways that values take through them
//! ([`structures`]), from the events the edges that were taken ([`happened`]).
//!
//! One run at a time: a Watcher must not be shared by copies of a Machine that run in turns; who
//! runs the next one calls [`Watcher::begin`]. [`schedules`] explores a call and then runs each
//! schedule again under a Watcher.

mod carried;
pub mod happened;
mod marks;
pub mod schedules;
mod structures;
mod watcher;

pub use happened::{Happened, Miss, check};
pub use watcher::Watcher;
