//! Monitors that the end of a process need not tell about.
//!
//! Who does not want the message of a monitor any more (`demonitor(Ref, [flush])`) races with the
//! end of the other process: had that been earlier, there would have been a message. So such an end
//! tells of monitors that were removed, too, in vain (`machine::step::Ghost`). But where the
//! removal happens before the end anyway, because the process heard of something that came later,
//! there is no race: in no equivalent execution is there a message. A server that has answered many
//! calls, and then is stopped, would otherwise tell of all of them.
//!
//! With delivery `any` the news travel, and each arrival is an event: there nothing is left out.
//!
//! Cost: for the end of a process that was monitored, a look at each monitor that was removed.

use machine::Pid;
use machine::step::Actor;
use smallvec::SmallVec;
use term::Ref;

use super::Search;
use crate::mailbox::Delivery;

impl Search {
    /// The monitors of a process that is about to end whose removal happened before anyway.
    pub(super) fn needless_downs(&self, pid: Pid) -> SmallVec<[Ref; 4]> {
        let is_monitored =
            || self.machine.process(pid).is_some_and(|process| !process.monitored_by.is_void());
        if self.noted.silencing.is_empty()
            || self.bounds.delivery != Delivery::Instant
            || !is_monitored()
        {
            return SmallVec::new();
        }
        let Some(last) = self.executed(self.last_of(Actor::Process(pid))) else {
            return SmallVec::new();
        };
        let events = self.noted.silencing.iter().filter_map(|at| {
            self.frames[*at as usize].executed.as_ref().map(|executed| &executed.event)
        });
        let before = events.filter(|event| last.clock.has(event.id));
        let removed = before.filter_map(|event| event.silenced);
        removed.filter(|monitor| self.machine.tells_in_vain(pid, *monitor)).collect()
    }
}
