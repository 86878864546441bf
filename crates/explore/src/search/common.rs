//! The part of the way that a worker shares with others, see `tree.rs`.

use std::sync::Arc;

use super::forward::{Asleep, Taken};
use super::{Search, Work};
use crate::tree::{Claim, Node, Todo};

impl Search {
    /// Lets others take part: the way from the beginning to the first state of this worker's own from
    /// which something is left to be explored, or the whole way, becomes common.
    pub(super) fn share(&mut self, whole: bool) {
        let is_own = |at: &usize| matches!(self.frames[*at].work, Work::Own(_));
        let Some(first) = (0..self.frames.len()).find(is_own) else { return };
        let last = match whole {
            true => self.frames.len() - 1,
            false => match (first..self.frames.len()).find(|at| self.frames[*at].pending() > 0) {
                Some(last) => last,
                None => return,
            },
        };
        for at in first..=last {
            self.make_common(at);
        }
    }

    fn make_common(&mut self, at: usize) {
        let parent = match at.checked_sub(1).map(|before| &self.frames[before]) {
            None => None,
            Some(frame) => match (&frame.work, &frame.left) {
                (Work::Common(node), Some(left)) => {
                    Some((Arc::clone(node), Arc::clone(&left.event.step)))
                }
                _ => return,
            },
        };
        let frame = &mut self.frames[at];
        let Work::Own(todo) = &mut frame.work else { return };
        let mut todo: Todo = std::mem::take(todo);
        if let Some(left) = &frame.left {
            // The branch that was begun sleeps for the others.
            todo.sleep.push(Arc::clone(&left.event.step));
        }
        let node = Node::new(parent, at, frame.cost, todo);
        self.shared.list(&node);
        self.frames[at].work = Work::Common(node);
    }

    /// Stops: everything that is left to be done is left to others, with the branch that was taken last.
    pub(super) fn stop(&mut self, claim: Option<Claim>) {
        self.shared.stop();
        if let Some(claim) = claim {
            match (claim, self.frames.last_mut().map(|frame| &mut frame.work)) {
                (Claim::Own(branch), Some(Work::Own(todo))) => todo.wakeup.insert(0, branch),
                (_, Some(Work::Common(node))) => self.shared.give_back(node),
                _ => {}
            }
        }
        self.share(true);
    }

    /// A branch that another worker left, with the way to it gone. Waits for one.
    pub(super) fn task(&mut self) -> Option<Claim> {
        loop {
            let (node, claim) = self.shared.task()?;
            if self.go_to(&node) {
                return Some(claim);
            }
            self.shared.begun(&node, None);
            self.statistics.abandoned += 1;
        }
    }

    /// Goes to a common state. `false` if that is not possible, which means that the search is wrong.
    fn go_to(&mut self, node: &Arc<Node>) -> bool {
        let way = node.way();
        let is_same = |at: &usize| match (self.frames.get(*at).map(|frame| &frame.work), way.get(*at))
        {
            (Some(Work::Common(here)), Some(there)) => Arc::ptr_eq(here, there),
            _ => false,
        };
        let same = (0..way.len()).take_while(is_same).count();
        // The last state that is on both ways stays, and all leave it.
        let keep = same.max(1);
        while let Some(frame) = self.frames.last_mut() {
            if let Some(left) = frame.left.take() {
                self.undo(&left);
            }
            if self.frames.len() <= keep {
                break;
            }
            self.frames.pop();
        }
        if self.frames.is_empty() {
            return false;
        }
        if same == 0 {
            self.frames[0].work = Work::Common(Arc::clone(&way[0]));
        }
        self.went_back();
        self.rewind();
        let events = self.statistics.events;
        for next in &way[keep..] {
            let Some((_, step)) = next.parent() else { return false };
            let taken = self.execute(step.actor, step.take, Vec::new(), Some(Asleep::default()));
            if taken != Taken::Done {
                return false;
            }
            let depth = self.frames.len() - 1;
            self.frames[depth].work = Work::Common(Arc::clone(next));
            self.frames[depth].cost = next.cost;
        }
        self.statistics.events = events;
        self.went_back();
        true
    }
}
