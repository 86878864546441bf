//! The dependence relation: which events do not commute. This is its only home.
//!
//! Two events are **dependent** if
//! 1. they have the same actor (program order), or
//! 2. one made the actor of the other (started the process, set the timer), or
//! 3. one is a receive that takes a message of the other (reads-from), or
//! 4. their footprints conflict (`machine::footprint`): a registered name, the life of a process, a key
//!    of a table, … touched by both, and not only read or only added to, or
//! 5. the footprint of one conflicts with whatever the process of the other does: a signal that
//!    ends it, a look at its state.
//!
//! Two messages to the same mailbox are *not* dependent, nor is a receive dependent on a message that
//! it did not take. What a receive takes is a choice of the receive, see `mailbox.rs`: two executions
//! are equivalent if every receive takes the same message (or none), and all conflicting accesses
//! to shared objects happen in the same order. That is the equivalence of Must (Enea, Giannakopoulou,
//! Kokologiannakis, Majumdar: OOPSLA 2024) for messages, and Mazurkiewicz's for the rest.

use machine::step::Actor;

use crate::event::{Step, Take};

/// Whether two events do not commute.
pub fn dependent(a: &Step, b: &Step) -> bool {
    a.id.actor == b.id.actor || causes(a, b) || causes(b, a) || conflicting(a, b)
}

/// Whether `b` cannot happen without `a`: 2 and 3 above.
pub fn causes(a: &Step, b: &Step) -> bool {
    (b.made_by == a.id && b.id.seq == 1)
        || matches!(b.take, Take::Message(message) if message.sent_by == a.id)
}

/// 4 and 5 above.
pub fn conflicting(a: &Step, b: &Step) -> bool {
    (a.may_conflict(b) && a.footprint().conflicts(b.footprint()))
        || (a.is_disturbing() && disturbs(a, b))
        || (b.is_disturbing() && disturbs(b, a))
}

fn disturbs(a: &Step, b: &Step) -> bool {
    match b.actor {
        Actor::Process(pid) => a.may_disturb(pid) && a.footprint().disturbs(pid),
        Actor::Timer(_) => a
            .footprint()
            .0
            .iter()
            .any(|access| access.object.class == machine::footprint::Class::Everything),
    }
}
