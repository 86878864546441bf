//! Two versions of a program: which functions changed, what runs of both show at the points that
//! matter, and where that differs.
//!
//! ```text
//! old program ─┐
//!              ├─▶ changes: pairs of modules, functions that differ, entries that reach them
//! new program ─┘
//!
//! an input ─▶ run of old ─▶ Observation ─┐
//!        └──▶ run of new ─▶ Observation ─┴─▶ judge: the first difference, with its label
//! ```
//!
//! The idea is that of point-of-interest testing (SecEr): entry functions of both versions get the
//! same inputs, and the sequences of values that are seen at points of both are compared. Other
//! than there nothing is instrumented: a [`watch::Watcher`] is told by the Machine what happens at
//! the points; how a run ends is compared, too; and values are equal up to the names of processes
//! and references ([`same`]), which differ between any two versions.
//!
//! Invariants of this crate:
//! * Nothing runs here, and nobody is asked for inputs.
//! * What is called different differs in values, not in names of processes, references or funs, nor
//!   in places of stack traces.

mod branches;
pub mod changes;
pub mod judge;
pub mod points;
pub mod same;
pub mod watch;

pub use changes::{Changes, Function};
pub use judge::{Difference, Label};
pub use watch::{Observation, Point, Seen, Watcher};
