//! Whose life is touched by others, as all workers of a search know it. `search/ends.rs` says what for.

use rustc_hash::FxHashSet;

/// Whose life was touched by others: numbers of processes and one, 0 for any.
#[derive(Default, Debug)]
pub(crate) struct Lives {
    owners: FxHashSet<u64>,
    /// Whether an execution has come to its end: from then on it is taken for granted.
    is_final: bool,
}

impl Lives {
    /// Notes that a life is touched. `false` if it is too late for that.
    pub(crate) fn note(&mut self, owner: u64) -> bool {
        !self.owners.insert(owner) || !self.is_final
    }

    /// An execution has come to its end.
    pub(crate) fn conclude(&mut self) {
        self.is_final = true;
    }

    /// Once an execution has come to its end.
    pub(crate) fn known(&self) -> Option<FxHashSet<u64>> {
        self.is_final.then(|| self.owners.clone())
    }
}
