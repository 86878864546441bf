//! The model: what executions are made of and which of them are equivalent.
//!
//! * [`event`]: events and steps, the label set; `lives` and `relabel` say what an event would be
//!   elsewhere in the execution.
//! * [`dependence`]: the one dependence relation; [`clock`] and [`order`] are the happens-before
//!   that follows from it.
//! * [`mailbox`]: which messages a receive can take, and what its choice forces; `rivals` which of
//!   them matter.
//! * [`outcome`]: a complete execution and how it ended; `linear` makes a schedule of one,
//!   `fingerprint` tells them apart, `repeat` finds those that come back to a state.

pub mod clock;
pub mod dependence;
pub mod event;
pub(crate) mod fingerprint;
pub(crate) mod linear;
pub(crate) mod lives;
pub mod mailbox;
pub mod order;
pub mod outcome;
pub(crate) mod placing;
pub(crate) mod relabel;
pub(crate) mod repeat;
pub(crate) mod rivals;
pub(crate) mod ties;
