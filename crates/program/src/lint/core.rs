//! What later passes of the compiler warn about: clauses that can never be chosen, terms that are
//! built for nothing.

use super::Linter;

pub(super) fn check(_linter: &mut Linter<'_>) {}
