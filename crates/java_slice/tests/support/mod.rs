//! What tests of slices share.

pub(crate) mod judge;
pub(crate) mod probes;
