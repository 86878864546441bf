//! What a run reaches, as numbers: every mark of the program's own code is a goal.
//!
//! A mark is an instruction, so the number of its goal is found by its place in the code: these
//! belong to one Machine, whose code only grows.
//!
//! How often a clause was chosen in a run, in powers of two, is a hint: a loop that is gone through
//! more often leads further, though it reaches nothing new.

use std::cell::RefCell;

use atom::Atom;
use machine::observe::{Interest, Mark, Moment, Observer, Pc};
use rustc_hash::FxHashMap;
use syntax::ast::NodeId;

/// A mark at a node of a module.
pub(crate) type Goal = (Atom, NodeId, Mark);

/// Watches runs.
#[derive(Debug, Default)]
pub(crate) struct Goals {
    seen: RefCell<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    /// In the order in which they were reached first.
    numbers: FxHashMap<Goal, u32>,
    /// The same by instruction; [`UNKNOWN`] where none was met yet.
    by_instruction: Vec<u32>,
    /// How often each was reached in this run, and those that were.
    counts: Vec<u32>,
    reached: Vec<u32>,
}

/// More often makes no difference.
const MOST_COUNTED: u32 = 5;

impl Goals {
    /// What was reached since this was asked for last: goals, and hints.
    pub(crate) fn take(&self) -> (Vec<u32>, Vec<u32>) {
        let seen = &mut *self.seen.borrow_mut();
        let goals = std::mem::take(&mut seen.reached);
        let mut hints = Vec::new();
        for &goal in &goals {
            let count = std::mem::take(&mut seen.counts[goal as usize]);
            let power = count.ilog2().min(MOST_COUNTED);
            hints.extend((power > 0).then_some(goal * (MOST_COUNTED + 1) + power));
        }
        (goals, hints)
    }

    /// All that were reached and have this number or a greater one.
    pub(crate) fn since(&self, number: u32) -> Vec<(Goal, u32)> {
        let seen = self.seen.borrow();
        let all = seen.numbers.iter().map(|(&goal, &number)| (goal, number));
        let mut found: Vec<(Goal, u32)> = all.filter(|(_, known)| *known >= number).collect();
        found.sort_unstable_by_key(|(_, number)| *number);
        found
    }

    /// The number of a goal that was reached.
    pub(crate) fn number(&self, goal: Goal) -> Option<u32> {
        self.seen.borrow().numbers.get(&goal).copied()
    }
}

/// No goal.
const UNKNOWN: u32 = u32::MAX;

impl Seen {
    /// The goal at an instruction that was not met before.
    fn meet(&mut self, moment: &Moment<'_>, mark: Mark, pc: Pc) -> Option<u32> {
        let site = moment.site()?;
        let module = moment.code.modules.get(site.module as usize)?;
        let next = self.numbers.len() as u32;
        let goal = *self.numbers.entry((module.name, site.node, mark)).or_insert(next);
        if goal == next {
            self.counts.push(0);
        }
        let place = pc as usize;
        if self.by_instruction.len() <= place {
            self.by_instruction.resize(place + 1, UNKNOWN);
        }
        self.by_instruction[place] = goal;
        Some(goal)
    }
}

impl Observer for Goals {
    fn interest(&self) -> Interest {
        Interest::NODES
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        let Some(pc) = moment.pc() else { return };
        let seen = &mut *self.seen.borrow_mut();
        let known = seen.by_instruction.get(pc as usize).copied().unwrap_or(UNKNOWN);
        let goal = match known {
            UNKNOWN => match seen.meet(moment, mark, pc) {
                Some(goal) => goal,
                None => return,
            },
            known => known,
        };
        if seen.counts[goal as usize] == 0 {
            seen.reached.push(goal);
        }
        // What is only evaluated again is nothing new; what is decided again may be.
        if mark == Mark::Chosen || seen.counts[goal as usize] == 0 {
            seen.counts[goal as usize] += 1;
        }
    }
}
