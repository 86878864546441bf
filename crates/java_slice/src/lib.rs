//! Slices of Java programs: the parts that can influence a value, as programs that compile and run.
//!
//! ```text
//! Program (trees, names) ─▶ lower (nodes, bodies) ─▶ points (objects, calls) ─▶ effects
//!                                                                                │
//!          text ◀── print ◀── dependence::reach ◀── criterion           build: graph
//! ```
//!
//! Chapter 3 of the thesis tells total and partial definitions of objects apart by trees of their
//! members at every definition and use. Here members are locations of abstract objects in static
//! single assignment form: a total definition is a new reference, a partial one a new version of
//! one location, object-flow and object-reference dependences follow from that, and so do the
//! moments before and after a call.
//!
//! Invariants of this crate:
//! * Nothing runs here, and nothing is read or written.
//! * Completeness: whatever values a criterion takes in a run of the program are the first that it
//!   takes in the same run of the slice. In doubt an expression is kept. Reflection, native code
//!   and what threads do to each other's variables is not seen.
//! * The same program gives the same slices.

mod bits;
mod build;
mod control;
mod criterion;
mod effects;
mod ir;
mod library;
mod lower;
mod points;
mod print;
mod program;
mod slice;
mod unknown;

pub use build::When;
pub use criterion::{Criterion, CriterionError};
pub use program::{Program, Site, SourceFile};
pub use slice::{Graph, GraphEdge, GraphNode, Slice, Step, Wanted};
