//! Slices: as highlighted text, JSON, and pictures of the dependence graph.

mod highlight;
mod json;
mod picture;
mod why;

pub use highlight::{html, terminal};
pub use json::{inexact, write_json};
pub use picture::picture;
pub use why::why;
