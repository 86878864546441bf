//! Makes programs small while they keep a property.
//!
//! Somebody who can run programs says whether one has the property ([`Judge`]); this crate says
//! what may be left out of a program ([`deletions`]), what may be written in a simpler way
//! ([`simplify`]), and in which order that is tried ([`search`]).
//!
//! Invariants of this crate:
//! * Nothing runs here, and nothing is read from files or written.
//! * What is tried, and in which order, depends on the texts and on what the judge says only.
//! * A result that is said to be minimal is one of which every single deletion was judged, and
//!   refused.

pub mod deletions;
mod edit;
mod scope;
pub mod search;
pub mod simplify;

pub use edit::{Edit, Splice};
pub use search::{Found, Judge, Options, Text};
