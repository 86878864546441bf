//! Engines beside and around the [search](crate::search): workers that share it, and other ways
//! through the executions.
//!
//! * [`parallel`]: the search by several workers; `tree` is what they share, [`wakeup`] the trees
//!   of what is to be explored, [`saved`] all of it in a file.
//! * [`bounded`]: exactly the executions that few preemptions (`preemption`) lead to.
//! * [`random`]: walks at random (PCT).
//! * [`naive`]: all interleavings, the oracle of the others.

pub mod bounded;
pub mod naive;
pub mod parallel;
pub(crate) mod preemption;
pub mod random;
pub mod saved;
pub(crate) mod tree;
pub mod wakeup;
