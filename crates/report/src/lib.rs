//! What was found, in the shape somebody wants to read it in.
//!
//! ```text
//! Diagnostic + SourceFiles ─▶ Renderer ─▶ Rendered ─▶ Report ─▶ text · short · json · sarif
//!                             (any thread)            (one writer, in order)
//! ```
//!
//! Invariant: nothing is computed here. Diagnostics come in complete; this crate only looks up the
//! text and the place of a span. Equal input gives equal output, byte for byte, on any machine.
//!
//! A [`Renderer`] turns the diagnostics of one module into finished pieces of output, so that a
//! module's text can be dropped as soon as it is checked. A [`Report`] strings the pieces together
//! and writes what a format needs before and after them. What is held in memory is one module's
//! pieces at a time, not the whole report.

pub mod compare;
pub mod concolic;
pub mod contracts;
pub mod coverage;
pub mod cut;
pub mod debug;
pub mod drawing;
pub mod endings;
pub mod explanations;
pub mod explore;
pub mod flow;
pub mod inputs;
pub mod java;
mod json;
mod place;
pub mod reduce;
pub mod run;
mod sarif;
pub mod sequence;
mod short;
pub mod slice;
pub mod test_results;
pub mod test_sarif;
mod text;
pub mod trace;
pub mod types;
pub mod words;
mod writer;

pub use session::Place;
pub use text::{excerpt, excerpt_of};
pub use writer::{Format, Problem, Rendered, Renderer, Report, Summary};
