//! Going back: where a process stands becomes a copy of an earlier place, in the memory that it
//! has. (The same for the rest of it is in `process.rs`.)

use super::Point;
use crate::sparse::Sparse;

impl Point {
    /// Holds no term any more.
    pub(crate) fn clear(&mut self) {
        self.ending = None;
        self.stamps = Sparse::NONE;
    }

    /// Becomes a copy of another, in the memory that it has.
    pub(crate) fn become_like(&mut self, other: &Point) {
        let Point {
            at,
            probed,
            matching,
            timeout,
            has_clauses,
            may_look,
            asks,
            reads,
            has_changed_dictionary,
            begins_with_change,
            has_acted,
            ignores_count,
            holding,
            ending,
            counters,
            ahead,
            stamps,
        } = other;
        (self.at, self.probed, self.timeout) = (*at, *probed, *timeout);
        self.matching.clear();
        self.matching.extend_from_slice(matching);
        (self.has_clauses, self.may_look, self.counters) = (*has_clauses, *may_look, *counters);
        self.asks = *asks;
        self.reads = *reads;
        self.has_changed_dictionary = *has_changed_dictionary;
        (self.begins_with_change, self.has_acted) = (*begins_with_change, *has_acted);
        self.ignores_count = *ignores_count;
        self.holding = *holding;
        self.ending.clone_from(ending);
        self.ahead = *ahead;
        self.stamps.clone_from(stamps);
    }
}
