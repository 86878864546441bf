//! What happened in a run, as a file that tools read; and schedules, by which a run happens again.
//!
//! ```text
//! Machine ──observe──▶ Recorder ──▶ Writer ──▶ FILE ──▶ Reader ──▶ viewer, diagrams, debugger, …
//!    ▲                                          │
//!    └── schedules: who runs when ◀─────────────┘
//! ```
//!
//! * [`event`]: what a trace holds, one [`event::Record`] after the other.
//! * [`recorder`]: an observer of a Machine that writes a trace.
//! * [`mod@file`]: the format; [`file::Writer`] and [`file::Reader`] work as streams.
//! * [`causality`]: which event happened before which, by vector clocks.
//! * [`show`]: a record as a line of text or of JSON.
//! * [`schedule`]: schedules and witnesses as text.
//!
//! Invariants of this crate:
//! * The same run gives the same bytes: nothing depends on the order in which names were met
//!   elsewhere, on the clock or on addresses.
//! * Memory does not grow with the length of a trace, neither writing nor reading: what is kept is
//!   tables of names and places, and stacks of the calls that are open.
//! * Nothing here runs a program or chooses who runs.

pub mod causality;
pub mod event;
pub mod file;
pub mod recorder;
pub mod schedule;
pub mod show;
mod value;
