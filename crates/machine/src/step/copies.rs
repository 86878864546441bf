//! Going back: the parts of a state that are about stepping become copies of earlier ones, in the
//! memory that they have. (The same for the rest is in `state/` and `process.rs`.)

use super::{Point, Stepping};

impl Point {
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
        self.ignores_count = *ignores_count;
        self.holding = *holding;
        self.ending.clone_from(ending);
        self.ahead = *ahead;
        self.stamps.clone_from(stamps);
    }
}

impl Stepping {
    /// Becomes a copy of another, in the memory that it has.
    pub(crate) fn become_like(&mut self, other: &Stepping) {
        let Stepping {
            mode,
            log,
            pids,
            own,
            ghosts,
            ghost_aliases,
            past_aliases,
            dispossessed,
            ever,
            detailed,
            ended_trapping,
            ended_linked,
            gave_up,
            ended_supervised,
            ended_helpers,
            horizon,
            ahead,
            unheard,
            flight,
            order,
        } = other;
        (self.mode, self.own, self.detailed) = (*mode, *own, *detailed);
        (self.ahead, self.horizon) = (*ahead, *horizon);
        if !(self.log.is_empty() && log.is_empty()) {
            self.log.clone_from(log);
        }
        let is_same = match (&self.pids, pids) {
            (Some(mine), Some(its)) => mine.is(its),
            _ => false,
        };
        if !is_same {
            self.pids.clone_from(pids);
        }
        self.ghosts.clone_from(ghosts);
        self.ghost_aliases.clone_from(ghost_aliases);
        self.past_aliases.clone_from(past_aliases);
        self.dispossessed.clone_from(dispossessed);
        if !self.ever.is(ever) {
            self.ever.clone_from(ever);
        }
        self.ended_trapping.clone_from(ended_trapping);
        self.ended_linked.clone_from(ended_linked);
        self.gave_up.clone_from(gave_up);
        self.ended_supervised.clone_from(ended_supervised);
        self.ended_helpers.clone_from(ended_helpers);
        self.unheard.clone_from(unheard);
        self.flight.clone_from(flight);
        self.order = *order;
    }
}
