//! Slices: as highlighted text, JSON, and pictures of the dependence graph.

mod highlight;
mod json;
mod minimal;
mod picture;
mod why;

pub(crate) use highlight::{Text, page, shown_text};
pub use highlight::{html, terminal};
pub use json::{inexact, write_json};
pub use minimal::{rests_on, spared, write_minimal_json};
pub(crate) use picture::KINDS as EDGE_KINDS;
pub use picture::picture;
pub use why::why;
