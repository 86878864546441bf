//! The modules under study: where they come from, and what is wrong with them.

pub mod beam;
pub mod check;
pub mod consult;
pub mod files;
pub mod from_abstract;
pub mod lint;
pub mod project;
pub mod terms;
