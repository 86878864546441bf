//! Who watches a run: what it reaches, and what its values are as expressions.

use std::cell::Cell;
use std::rc::Rc;

use ::concolic::shadow::Shadow;
use machine::Term;
use machine::observe::{Event, Instr, Interest, Mark, Moment, Observer};

use crate::inputs::goals::Goals;

pub(super) struct Both {
    goals: Rc<Goals>,
    shadow: Rc<Shadow>,
    /// Whether a process was started since this was asked for last.
    spawned: Cell<bool>,
}

pub(super) fn both(goals: &Rc<Goals>, shadow: &Rc<Shadow>) -> Rc<Both> {
    let (goals, shadow) = (Rc::clone(goals), Rc::clone(shadow));
    Rc::new(Both { goals, shadow, spawned: Cell::new(false) })
}

impl Both {
    pub(super) fn spawned(&self) -> bool {
        self.spawned.take()
    }
}

impl Observer for Both {
    fn interest(&self) -> Interest {
        self.goals.interest().and(self.shadow.interest())
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        if let Event::Spawn { .. } = event
            && moment.process.is_some()
        {
            self.spawned.set(true);
        }
        self.shadow.event(moment, event);
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        self.goals.mark(moment, mark);
    }

    fn value(&self, _: &Moment<'_>, _: &Term) {}

    fn instruction(&self, moment: &Moment<'_>, instr: &Instr) {
        self.shadow.instruction(moment, instr);
    }

    fn probed(&self, moment: &Moment<'_>, instr: &Instr) {
        self.shadow.probed(moment, instr);
    }
}
