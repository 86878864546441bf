//! Readings of clocks in the same microsecond.
//!
//! Where that is asked for ([`Machine::let_readings_tie`](machine::Machine::let_readings_tie)), a
//! reading that does not depend on the one before it, nor on those that this one ties with, has a
//! choice: it finds a later time, or the same ([`Take::Tie`]). Readings that tie are in the order
//! of their processes (`machine::step::time`): since none of them depends on another but by their
//! order, each set of equal readings is possible in that one, and explored once.
//!
//! That a reading *could* tie depends on nothing but what happened before it: equivalent executions
//! have the same choices.

use crate::event::{Step, Take};

/// Whether a reading could tie with the last of these steps that read clocks, latest first: none of
/// those that are equal `is_past`.
pub(crate) fn are_apart<'a, P: Copy>(
    steps: impl Iterator<Item = (P, &'a Step)>,
    is_past: impl Fn(P) -> bool,
) -> bool {
    for (at, step) in steps.filter(|(_, step)| step.reads_clock()) {
        if is_past(at) {
            return false;
        }
        if step.take != Take::Tie {
            return true;
        }
    }
    false
}
