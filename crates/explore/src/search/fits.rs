//! Whether a choice of a receive is possible beside those of a sequence, of which it is independent.
//!
//! What a receive chooses forces an order of messages (`mailbox.rs`), and so may exclude what another
//! one chooses though the two commute. A step that sleeps, or that is planned already, covers a
//! sequence only if it could as well begin it: a choice that the choices of the sequence exclude
//! does not.
//!
//! What this may miss: a choice is looked at only if its process comes to the same receive in the
//! current execution, and the message was sent in it; of others it is said that they fit, which may
//! have an execution be begun in vain.
//!
//! Cost: nothing but a look at the execution if the receive had no choice; else a question of
//! reachability (`mailbox.rs`).

use std::cell::OnceCell;

use smallvec::SmallVec;

use super::Search;
use super::remainder::Remainder;
use crate::event::{Id, MessageId, Step, Take};
use crate::mailbox::{Force, Forced, Rival};

/// What the last step of a sequence forces, found out once.
#[derive(Default)]
pub(super) struct Rivalry(OnceCell<Forced>);

impl Search {
    /// Whether a step that is independent of the later events of a remainder and of `last` after
    /// them is possible then.
    pub(super) fn fits(
        &self,
        remainder: &Remainder,
        last: &Step,
        step: &Step,
        known: &Rivalry,
    ) -> bool {
        let message = match step.take {
            Take::Message(message) => Some(message),
            Take::Timeout => None,
            _ => return true,
        };
        let includes = |id: Id| self.is_in(remainder, id);
        if !includes(step.before()) || message.is_some_and(|message| !includes(message.sent_by)) {
            return true;
        }
        let Some(matching) = self.matching(step.id, &includes) else { return true };
        if matching.iter().all(|other| Some(*other) == message) {
            return true;
        }
        let forced_by_last = known.0.get_or_init(|| self.forced_by(last, &includes));
        let mut forced = self.forced_in(remainder);
        if forced_by_last.first.is_some() {
            let first = match last.take {
                Take::Message(message) => message.sent_by,
                _ => last.before(),
            };
            let before_first = self.executed(first).map(|executed| &executed.clock);
            let (id, take) = (last.id, last.take);
            forced.push(Force { forced: forced_by_last, id, take, before_first });
        }
        self.is_consistent(message, &matching, step.before(), &forced, &includes)
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

    /// What a receive forces that comes after a part of the execution.
    fn forced_by(&self, last: &Step, includes: &impl Fn(Id) -> bool) -> Forced {
        let first = match last.take {
            Take::Message(message) => message.sent_by,
            Take::Timeout => last.id,
            _ => return Forced::default(),
        };
        let matching = self.matching(last.id, includes).unwrap_or_default();
        let others = matching.into_iter().filter(|other| last.take != Take::Message(*other));
        let rivals = others.map(|message| Rival { message, sent_at: 0 }).collect();
        Forced { first: Some(first), rivals }
    }
}
