//! Whether a choice of a receive is possible beside those of a sequence, of which it is
//! independent.
//!
//! What a receive chooses forces an order of messages (`mailbox.rs`), and so may exclude what
//! another one chooses though the two commute. A step that sleeps, or that is planned already,
//! covers a sequence only if it could as well begin it: a choice that the choices of the sequence
//! exclude does not.
//!
//! What this may miss: a choice is looked at only if its process comes to a receive at the same
//! place in the current execution, which is taken to be the same one, and the message was sent in
//! it; of others it is said that they fit, which may have an execution be begun in vain.
//!
//! Cost: nothing but a look at the execution if the receive had no choice; else a question of
//! reachability (`mailbox.rs`).

use smallvec::SmallVec;

use super::Search;
use super::remainder::Remainder;
use crate::event::{Id, MessageId, Step, Take};
use crate::mailbox::{Force, Forced, Rival};

impl Search {
    /// Whether a step that is independent of the later events of a remainder, and of these steps
    /// beside them, is possible after all of them.
    pub(super) fn fits<'a>(
        &self,
        remainder: &Remainder,
        beside: impl Iterator<Item = &'a Step> + Clone,
        step: &Step,
    ) -> bool {
        let message = match step.take {
            Take::Message(message) => Some(message),
            Take::Timeout => None,
            _ => return true,
        };
        let includes = |id: Id| self.is_in(remainder, id);
        let is_beside = |id: Id| beside.clone().any(|step| step.id == id);
        let mut before = step.before();
        while !includes(before) {
            if !is_beside(before) || before.seq <= 1 {
                return true;
            }
            before.seq -= 1;
        }
        if message.is_some_and(|message| !includes(message.sent_by)) {
            return true;
        }
        let Some(mut matching) = self.matching(step.id, &includes) else { return true };
        self.exchange(&mut matching, step.id, beside.clone(), &includes);
        if matching.iter().all(|other| Some(*other) == message) {
            return true;
        }
        let others: SmallVec<[(&Step, Forced); 8]> = beside
            .filter(|step| matches!(step.take, Take::Message(_) | Take::Timeout))
            .map(|step| (step, self.forced_by(step, &includes)))
            .collect();
        let mut forced = self.forced_in(remainder);
        for (step, its) in &others {
            let first = match step.take {
                Take::Message(message) => message.sent_by,
                _ => step.before(),
            };
            let before_first = self.executed(first).map(|executed| &executed.clock);
            forced.push(Force { forced: its, id: step.id, take: step.take, before_first });
        }
        self.is_consistent(message, &matching, before, &forced, &includes)
    }

    /// The messages of a part of the execution that a receive of it could take, whatever it took.
    fn matching(
        &self,
        receive: Id,
        includes: &impl Fn(Id) -> bool,
    ) -> Option<SmallVec<[MessageId; 8]>> {
        let executed = self.executed(receive)?;
        let rivals = &executed.receive.as_ref()?.forced.rivals;
        let own = match executed.event.take {
            Take::Message(message) => Some(message),
            _ => None,
        };
        let all = rivals.iter().map(|rival| rival.message).chain(own);
        Some(all.filter(|message| includes(message.sent_by)).collect())
    }

    /// Makes of the messages that a receive of the execution could take those that it could where
    /// its process has taken what these steps do: without those, with what it took here instead.
    fn exchange<'a>(
        &self,
        matching: &mut SmallVec<[MessageId; 8]>,
        receive: Id,
        beside: impl Iterator<Item = &'a Step> + Clone,
        includes: &impl Fn(Id) -> bool,
    ) {
        let taken = beside.filter(|it| it.id.actor == receive.actor && it.id.seq < receive.seq);
        matching.retain(|message| !taken.clone().any(|it| it.take == Take::Message(*message)));
        let received = self.executed(receive).and_then(|executed| executed.receive.as_ref());
        let Some(received) = received else { return };
        for step in taken.clone() {
            let Some(here) = self.executed(step.id) else { continue };
            let Take::Message(message) = here.event.take else { continue };
            let put = self.executed(message.sent_by).map(|executed| &executed.event.puts);
            if !taken.clone().any(|it| it.take == here.event.take)
                && includes(message.sent_by)
                && let Some(put) = put.and_then(|puts| puts.get(message.nth as usize))
                && self.machine.clone().would_take(&received.prober, &put.message)
            {
                matching.push(message);
            }
        }
    }

    /// What a receive forces that comes after a part of the execution.
    fn forced_by(&self, receive: &Step, includes: &impl Fn(Id) -> bool) -> Forced {
        let first = match receive.take {
            Take::Message(message) => message.sent_by,
            Take::Timeout => receive.id,
            _ => return Forced::default(),
        };
        let matching = self.matching(receive.id, includes).unwrap_or_default();
        let others = matching.into_iter().filter(|other| receive.take != Take::Message(*other));
        let rivals = others.map(|message| Rival { message, sent_at: 0 }).collect();
        Forced { first: Some(first), rivals }
    }
}
