//! In which mailboxes the order of messages matters.
//!
//! Messages of one sender are in the order in which it sent them. That of messages of two senders
//! matters only if a receive could take either, or somebody looks at the whole mailbox. In most
//! mailboxes that never happens: who waits for answers takes them by their references. Whose
//! mailbox is another is found out on the way: whoever relies on the order not to matter must begin
//! again when it turns out that it does ([`Rivals::have_grown`]). In an exploration in which
//! nothing new was found out nothing was wrong: two mailboxes that differ in an order that does not
//! matter are the same to every receive, as none had messages of two senders to choose from.

use machine::Pid;
use rustc_hash::FxHashSet;

use crate::event::MessageId;
use crate::fingerprint::Name;

/// Whose mailboxes have messages that are rivals.
#[derive(Default)]
pub(crate) struct Rivals {
    of: FxHashSet<Pid>,
    /// Whether more became known since this was set to `false`.
    pub(crate) have_grown: bool,
}

impl Rivals {
    /// A receive takes the first of these messages, all of which match.
    pub(crate) fn meet(&mut self, pid: Pid, mut matching: impl Iterator<Item = MessageId>) {
        let Some(first) = matching.next() else { return };
        if matching.any(|other| other.sent_by.actor != first.sent_by.actor) {
            self.have_grown |= self.of.insert(pid);
        }
    }

    /// Somebody looks at all messages of a process.
    pub(crate) fn are_looked_at(&mut self, pid: Pid) {
        self.have_grown |= self.of.insert(pid);
    }

    /// A name of the order of a mailbox, as far as it matters.
    pub(crate) fn name_of(&self, pid: Pid, messages: &[MessageId]) -> u128 {
        if !self.of.contains(&pid) {
            return 0;
        }
        let mut name = Name::new(pid.0);
        messages.iter().for_each(|message| name.add_message(*message));
        name.done()
    }
}
