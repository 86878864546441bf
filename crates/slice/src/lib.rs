//! Expression-level program slices: the parts of a program that can influence a value.
//!
//! ```text
//! Program + Flow ─▶ erlang (expressions to nodes, dependences to edges) ─▶ core::Graph
//!                                                                            │ criterion
//!                         text, spans ◀── Slice ◀── core: constrained traversal
//! ```
//!
//! ```no_run
//! use slice::{Criterion, Graph, Options};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let program = program::Program::load(&["example.erl".into()], &Default::default())?;
//! let flow = flow::analyse(&program, &flow::Entry::Exported)?;
//! let graph = Graph::build(&program, &flow, Options::default());
//! let criterion = Criterion::new(program.modules[0].name, 6, "Sum");
//! let slice = graph.backward(&[graph.find(&criterion)?]);
//! println!("{}", slice.source(criterion.module).unwrap_or_default());
//! # Ok(())
//! # }
//! ```
//!
//! Invariants of this crate:
//! * Nothing runs here, and nothing is read or written. For slices of one run somebody else runs
//!   the program, and [`Watcher`] looks on.
//! * Completeness: whatever values a criterion takes in a run of the program are the first that it
//!   takes in the same run of the slice. In doubt an expression is kept.
//! * The same program gives the same slices.

mod criterion;
mod dynamic;
mod erlang;
mod explain;
mod graph;
mod highlight;
mod options;
mod slice;
mod text;

pub use criterion::{Criterion, CriterionError};
pub use dynamic::{Extent, Inexact, Run, RunError, RunSlice, Watcher};
pub use explain::{GraphEdge, GraphNode, Step};
pub use graph::Graph;
pub use options::{Exceptions, Granularity, Options};
pub use slice::Slice;
