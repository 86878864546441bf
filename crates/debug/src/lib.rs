//! Declarative debugging: which part of a program is wrong, found by asking what was computed
//! right.
//!
//! A run is a tree of *statements* ([`tree`]): this call gave that value, this receive took that
//! message and went on to there. A statement follows from those below it and from one piece of the
//! program: a clause of a function, or what stands behind a `receive`. A statement that is wrong
//! while all below it are right shows that its piece is wrong (E. Shapiro, *Algorithmic Program
//! Debugging*, 1983; for Erlang R. Caballero, E. Martín-Martín, A. Riesco and S. Tamarit, *EDD: A
//! Declarative Debugger for Sequential Erlang Programs*, TACAS 2014, and its successor for
//! concurrent programs). [`search`] finds such a statement with few questions.
//!
//! [`record`] makes the statements of a run while it happens; [`zoom`] looks into one of them.
//! Nothing here knows who answers.

mod belief;
mod library;
pub mod record;
pub mod run;
pub mod search;
pub mod tree;
pub mod zoom;

pub use record::keep::{Kept, Window};
pub use run::{Doing, Recording, Run};
pub use search::{Answer, Contradiction, Next, Search, Strategy, Trusted};
pub use tree::{Facts, NodeIx, Shape};
