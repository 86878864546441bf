//! Where a process stands: what it is going to do, as far as it has run up to there.

use term::Pid;

use super::{At, Glance};
use crate::machine::Machine;
use crate::process::Process;

impl Process {
    /// What it is going to do, as a look at what is known.
    #[inline]
    pub fn glance(&self) -> Glance<'_> {
        if self.doomed.is_some() {
            return Glance::End;
        }
        let point = &self.step;
        match point.at {
            At::Unknown | At::Act => Glance::Act,
            At::End => Glance::End,
            At::Spins => Glance::Spins,
            At::Stopped => Glance::Stopped,
            At::Receive => Glance::Receive {
                matching: &point.matching,
                timeout: point.timeout,
                has_clauses: point.has_clauses,
            },
        }
    }

    /// Whether what it is about to do may show the order of a mailbox.
    pub fn may_look(&self) -> bool {
        self.step.may_look
    }

    /// Whether it is about to end normally, and its end tells nobody.
    pub fn ends_alone(&self) -> bool {
        self.step.at == At::End
            && self.doomed.is_none()
            && self.is_alone()
            && self.step.ending.as_ref().is_some_and(|it| it.is_atom(atom::known::NORMAL))
    }
}

impl Machine {
    /// What a process is going to do, as a look at what is known.
    pub fn glance(&self, pid: Pid) -> Glance<'_> {
        self.state.node.process(pid).map_or(Glance::Gone, Process::glance)
    }

    /// Whether a process is about to end normally, and its end tells nobody.
    pub fn ends_alone(&self, pid: Pid) -> bool {
        self.state.node.process(pid).is_some_and(Process::ends_alone)
    }
}
