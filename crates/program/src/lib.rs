//! The modules under study: where they come from, what they define, and what is wrong with them.
//!
//! ```text
//! paths ─▶ project (what is a module, read how) ─▶ check ─▶ load::Program (index, lint)
//!            │ consult (rebar.config, .app.src)   │
//!            │                                    ├─ files (disk, OTP, shipped headers) ─▶ syntax
//!            │                                    └─ beam ─▶ from_abstract (no source at hand)
//!            └─ library (modules of OTP and dependencies, on demand)
//! ```
//!
//! Invariants of this crate:
//! * Nothing is evaluated: no parse transform, no `rebar.config.script`.
//! * What cannot be read is reported; it never stops the rest from being read.
//! * The order of everything that a user can see depends on names only, not on threads or on the
//!   order of a directory.

pub mod beam;
pub mod behaviours;
pub mod bifs;
pub mod check;
pub mod consult;
pub mod files;
pub mod from_abstract;
pub mod index;
pub mod library;
pub mod lint;
pub mod load;
pub mod project;
pub mod resolve;
pub mod silenced;
pub mod terms;

pub use load::{LoadOptions, LoadedModule, Program};
