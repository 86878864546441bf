//! The part of the way that a worker shares with others, see `tree.rs`.

use std::sync::Arc;

use super::forward::{Asleep, Taken};
use super::{Search, Work};
use crate::tree::{Claim, Node, NodeId};

impl Search {
    /// Lets others take part: the way from the beginning to the first state of this worker's own
    /// from which something is left to be explored, or the whole way, becomes common.
    pub(super) fn share(&mut self, whole: bool) {
        let is_own = |at: &usize| matches!(self.frames[*at].work, Work::Own(_));
        let Some(first) = (0..self.frames.len()).find(is_own) else { return };
        let with_work = |at: &usize| self.pending(*at) > 0;
        let last = match whole {
            true => (first..self.frames.len()).rev().find(with_work),
            false => (first..self.frames.len()).find(with_work),
        };
        let Some(last) = last else { return };
        for at in first..=last {
            self.make_common(at);
        }
    }

    fn make_common(&mut self, at: usize) {
        let (parent, by) = match at.checked_sub(1).map(|before| &self.frames[before]) {
            None => (None, None),
            Some(frame) => match (&frame.work, &frame.executed) {
                (Work::Common(node), Some(executed)) => {
                    (Some(*node), Some(Arc::clone(&executed.event.step)))
                }
                _ => return,
            },
        };
        let frame = &mut self.frames[at];
        let Work::Own(todo) = &mut frame.work else { return };
        let node = Node {
            parent,
            by,
            depth: at,
            cost: frame.cost,
            sleep: std::mem::take(&mut todo.sleep),
            wakeup: std::mem::take(&mut todo.wakeup),
            ..Node::default()
        };
        let executed_by = frame.executed.as_ref().map(|executed| Arc::clone(&executed.event.step));
        frame.work = Work::Common(self.shared.add(node, executed_by));
    }

    /// Stops: everything that is left to be done is left to others, with the branch that was taken
    /// last.
    pub(super) fn stop(&mut self, claim: Option<Claim>) {
        self.shared.stop();
        if let Some(claim) = claim {
            match (claim, self.frames.last_mut().map(|frame| &mut frame.work)) {
                (Claim::Own(branch), Some(Work::Own(todo))) => todo.wakeup.insert(0, branch),
                (_, Some(Work::Common(node))) => self.shared.give_back(*node),
                _ => {}
            }
        }
        self.share(true);
    }

    /// A branch that another worker left, with the way to it gone. Waits for one.
    pub(super) fn task(&mut self) -> Option<Claim> {
        loop {
            let (way, claim) = self.shared.task()?;
            if self.go_to(&way) {
                return Some(claim);
            }
            if let Some(node) = way.last() {
                self.shared.begun(*node, None);
            }
            self.statistics.abandoned += 1;
        }
    }

    /// Goes to a common state. `false` if that is not possible, which means that the search is
    /// wrong.
    fn go_to(&mut self, way: &[NodeId]) -> bool {
        let is_same = |at: &usize| match self.frames.get(*at).map(|frame| &frame.work) {
            Some(Work::Common(here)) => *here == way[*at],
            _ => false,
        };
        let same = (0..way.len()).take_while(is_same).count();
        // The last state that is on both ways stays, and all leave it.
        let keep = same.max(1);
        while let Some(frame) = self.frames.last_mut() {
            if let Some(executed) = frame.executed.take() {
                self.undo(&executed);
            }
            if self.frames.len() <= keep {
                break;
            }
            self.pop_frame();
        }
        if self.frames.is_empty() {
            return false;
        }
        if same == 0 {
            self.frames[0].work = Work::Common(way[0]);
        }
        self.went_back();
        self.rewind();
        let new_from = self.new_from;
        for next in &way[keep..] {
            let known = self.shared.look(*next, |node| (node.by.clone(), node.cost));
            let Some((Some(step), cost)) = known else { return false };
            let taken = self.execute(step.actor, step.take, Vec::new(), Some(Asleep::default()));
            if taken != Taken::Done {
                return false;
            }
            let depth = self.frames.len() - 1;
            self.frames[depth].work = Work::Common(*next);
            self.frames[depth].cost = cost;
        }
        self.went_back();
        // Others have planned what the races on the way ask for; but not with the choices that this
        // worker is going to make.
        self.new_from = new_from;
        true
    }
}
