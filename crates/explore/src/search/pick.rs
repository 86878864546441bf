//! Who goes next where nothing is prescribed, and what it takes.

use std::cell::OnceCell;

use machine::step::{Actor, Glance, Timeout};
use machine::{Pid, Process};
use smallvec::SmallVec;

use super::{Search, Work};
use crate::event::{Id, MessageId, Take};
use crate::mailbox::Force;
use crate::tree::Todo;

/// So many events a process may have one after the other while others could go on: one that asks
/// again and again whether something has happened must let it happen.
const LONGEST_TURN: u32 = 100;

pub(super) enum Picked {
    Step(Actor, Take),
    Nobody,
    Spins(Pid),
    AllAsleep,
}

/// Processes that were passed over when somebody was picked.
#[derive(Default)]
struct Passed {
    /// Whether one could go, but sleeps.
    asleep: bool,
    /// Those that could give up.
    late: SmallVec<[Pid; 4]>,
    /// Those whose end is put off.
    ending: SmallVec<[Pid; 8]>,
    /// One that computes on and on: the others go on all the same.
    spins: Option<Pid>,
}

impl Search {
    /// Who goes next, where nothing is prescribed: the one that went last if it can and its turn is
    /// not too long, else in the order of their numbers; signals on their way before all of them,
    /// timers only when no process can go, then what ends quietly and is noticed, and last timing
    /// out: who waits for the end of another by asking again and again must not keep it from
    /// ending.
    pub(super) fn pick(&self) -> Picked {
        let last = match self.last_actor {
            Some(Actor::Process(last)) => self.machine.process(last),
            _ => None,
        };
        let mut passed = Passed::default();
        for signal in self.machine.signals().map(Actor::Signal) {
            match self.is_awake(signal, Take::Nothing) {
                true => return Picked::Step(signal, Take::Nothing),
                false => passed.asleep = true,
            }
        }
        let due = last.filter(|_| self.in_a_row >= LONGEST_TURN);
        if due.is_none()
            && let Some(picked) = last.and_then(|last| self.consider(last, &mut passed))
        {
            return picked;
        }
        let is_last = |process: &&Process| last.is_some_and(|last| last.pid == process.pid);
        let others = || self.machine.standing().filter(move |it| !is_last(it));
        let after = due.into_iter().flat_map(|due| others().filter(move |it| it.pid > due.pid));
        let before = others().filter(move |it| due.is_none_or(|due| it.pid < due.pid));
        for process in after.chain(before).chain(due) {
            if let Some(picked) = self.consider(process, &mut passed) {
                return picked;
            }
        }
        let Passed { mut asleep, late, ending, spins } = passed;
        for timer in self.machine.timers() {
            match self.is_awake(Actor::Timer(timer), Take::Nothing) {
                true => return Picked::Step(Actor::Timer(timer), Take::Nothing),
                false => asleep = true,
            }
        }
        for pid in ending {
            match self.is_awake(Actor::Process(pid), Take::Nothing) {
                true if !self.is_left_out(pid) => {
                    return Picked::Step(Actor::Process(pid), Take::Nothing);
                }
                true => {}
                false => asleep = true,
            }
        }
        for pid in late {
            if !self.may_time_out_now(pid) {
                continue;
            }
            match self.is_awake(Actor::Process(pid), Take::Timeout) {
                true => return Picked::Step(Actor::Process(pid), Take::Timeout),
                false => asleep = true,
            }
        }
        match (asleep, spins) {
            (true, _) => Picked::AllAsleep,
            (false, Some(pid)) => Picked::Spins(pid),
            (false, None) => Picked::Nobody,
        }
    }

    /// Whether a process goes next, of those that need not wait for all others.
    fn consider(&self, process: &Process, passed: &mut Passed) -> Option<Picked> {
        let pid = process.pid;
        let asleep = &mut passed.asleep;
        let awake = match process.glance() {
            // It waits for what it has sent itself.
            Glance::Act | Glance::End if self.machine.must_wait(pid) => return None,
            Glance::Act if process.may_look() => self.first_awake(pid, self.looks(pid), asleep),
            Glance::End if self.may_put_off(process) => {
                passed.ending.push(pid);
                return None;
            }
            Glance::Act | Glance::End => self.first_awake(pid, [Take::Nothing], asleep),
            Glance::Spins => {
                passed.spins = passed.spins.or(Some(pid));
                return None;
            }
            Glance::Stopped | Glance::Gone => return None,
            Glance::Receive { matching, timeout, .. } => {
                if self.can_time_out(timeout) {
                    passed.late.push(pid);
                }
                match matching.is_empty() {
                    true => None,
                    false => self.first_awake(pid, self.takeable(pid, matching), asleep),
                }
            }
        };
        awake.map(|take| Picked::Step(Actor::Process(pid), take))
    }

    pub(super) fn can_time_out(&self, timeout: Timeout) -> bool {
        match timeout {
            Timeout::Never => false,
            Timeout::After(ms) => ms < self.bounds.after_limit,
            Timeout::Bad => true,
        }
    }

    /// The first of these steps of a process that is not asleep; notes whether one before it is.
    fn first_awake(
        &self,
        pid: Pid,
        takes: impl IntoIterator<Item = Take>,
        asleep: &mut bool,
    ) -> Option<Take> {
        takes.into_iter().find(|take| {
            let awake = self.is_awake(Actor::Process(pid), *take);
            *asleep |= !awake;
            awake
        })
    }

    /// Whether a step that an actor could do now is not asleep.
    fn is_awake(&self, actor: Actor, take: Take) -> bool {
        let Work::Own(Todo { sleep, .. }) = &self.frames[self.frames.len() - 1].work else {
            return true; // steps are chosen freely in states of one's own only
        };
        if sleep.is_empty() {
            return true;
        }
        let Some(id) = self.next_id(actor) else { return true };
        !sleep.iter().any(|asleep| asleep.id == id && asleep.take == take)
    }

    /// Whether a process may take what is prescribed: what other receives chose meanwhile may
    /// exclude it.
    pub(super) fn may_choose(&self, actor: Actor, take: Take) -> bool {
        let Actor::Process(pid) = actor else { return true };
        match take {
            Take::Message(_) => match self.machine.glance(pid) {
                Glance::Receive { matching, .. } if matching.len() > 1 => {
                    self.takeable(pid, matching).any(|other| other == take)
                }
                _ => true,
            },
            Take::Timeout => self.may_time_out_now(pid),
            _ => true,
        }
    }

    /// The messages that a process could take now, of those that match; found out one by one.
    fn takeable<'a>(&'a self, pid: Pid, matching: &'a [u32]) -> impl Iterator<Item = Take> + 'a {
        let mailbox = self.mailboxes.get(pid);
        let messages = move || matching.iter().filter_map(|at| mailbox.get(*at as usize).copied());
        let all: OnceCell<Vec<MessageId>> = OnceCell::new();
        let forced: OnceCell<Vec<Force<'_>>> = OnceCell::new();
        let is_consistent = move |message: &MessageId| {
            if matching.len() <= 1 {
                return true;
            }
            let all = all.get_or_init(|| messages().collect());
            let forced = forced.get_or_init(|| self.forced());
            self.is_consistent(Some(*message), all, Id::BEGINNING, forced, &|_| true)
        };
        messages().filter(is_consistent).map(Take::Message)
    }
}
