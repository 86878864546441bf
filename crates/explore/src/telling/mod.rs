//! What is wrong with executions, and how that came: as data; the words are in `report`.
//!
//! * [`finding`] collects what [`failure`] describes and `rules` recognises; `consequence` says
//!   what follows from what, `explain` makes of it what a person sees.
//! * [`story`]: a schedule step by step. [`warning`]: what depends on the schedule and fails
//!   nowhere.
//! * [`place`], `reason`, `assertion`, `waiting`: where, why, which assertion, who waits as it
//!   means to. [`node`]: whether an execution needs a node that is up. `naming`: which schedule is
//!   simpler.

pub(crate) mod assertion;
pub(crate) mod consequence;
pub(crate) mod explain;
pub mod failure;
pub mod finding;
pub(crate) mod naming;
pub mod node;
pub mod place;
pub(crate) mod reason;
pub(crate) mod rules;
pub mod story;
pub(crate) mod waiting;
pub mod warning;
