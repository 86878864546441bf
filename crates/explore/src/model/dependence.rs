//! The dependence relation: which events do not commute. This is its only home.
//!
//! Two events are **dependent** if
//! 1. they have the same actor (program order), or
//! 2. one made the actor of the other (started the process, set the timer), or
//! 3. one is a receive that takes a message of the other (reads-from); or a message that its sender
//!    sent after a signal whose arrival the other is (signals between two processes arrive in
//!    order), or
//! 4. their footprints conflict (`machine::footprint`): a registered name, the life of a process, a
//!    key of a table, … touched by both, and not only read or only added to, or
//! 5. the footprint of one conflicts with whatever the process of the other does: a signal that
//!    ends it, a look at its state.
//!
//! Two messages to the same mailbox are *not* dependent, nor is a receive dependent on a message
//! that it did not take. What a receive takes is a choice of the receive, see `mailbox.rs`: two
//! executions are equivalent if every receive takes the same message (or none), and all conflicting
//! accesses to shared objects happen in the same order. That is the equivalence of Must (Enea,
//! Giannakopoulou, Kokologiannakis, Majumdar: OOPSLA 2024) for messages, and Mazurkiewicz's for the
//! rest.

use machine::footprint::{Access, Class, Kind, Object};
use machine::step::{Actor, Label};

use crate::event::{Event, MessageId, Step, Take};

/// Whether two events do not commute.
pub fn dependent(a: &Step, b: &Step) -> bool {
    a.id.actor == b.id.actor || causes(a, b) || causes(b, a) || conflicting(a, b)
}

/// Whether `b` cannot happen without `a`: 2 and 3 above.
pub fn causes(a: &Step, b: &Step) -> bool {
    (b.made_by == a.id && b.id.seq == 1)
        || matches!(
            b.take,
            Take::Message(message) if message.sent_by == a.id || overtakes(a, b, message)
        )
}

/// Whether a message that `b` takes was sent to its process after the signal whose arrival `a` is,
/// by the same process.
fn overtakes(a: &Step, b: &Step, message: MessageId) -> bool {
    matches!(a.actor, Actor::Signal(_))
        && a.made_by.actor == message.sent_by.actor
        && a.made_by.seq < message.sent_by.seq
        && b.id.actor != message.sent_by.actor
        && a.route().is_some_and(|(_, to)| b.actor == Actor::Process(to))
}

/// Whether two events that conflict can never happen in the other order: they are about one pair of
/// processes, and have the order of what the sender did.
pub fn in_order_of_pair(a: &Step, b: &Step) -> bool {
    let of_pair = |a: &Access, b: &Access| a.object.class == Class::Route && a.conflicts(*b);
    a.may_conflict(b)
        && a.footprint().0.iter().any(|a| b.footprint().0.iter().any(|b| of_pair(a, b)))
}

/// Whether `b` asks a process something that was bound to end already before `a`, a step of its end
/// (see `machine::ends`): `b` waited until it was gone, and cannot come before this step, but
/// before what bound the process to end.
pub fn waits_for_end(a: &Event, b: &Step) -> bool {
    let Actor::Process(pid) = a.actor else { return false };
    if a.label != Label::End || b.classes()[0] & Class::Alive.bit() == 0 {
        return false;
    }
    let (answer, doom) = (Object::answer(pid), Object::of(Class::Doom, pid));
    let binds = |it: &Access| it.kind == Kind::Write && it.object.overlaps(doom);
    b.footprint().0.contains(&Access { object: answer, kind: Kind::Read })
        && !a.footprint().0.iter().any(binds)
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
        Actor::Timer(_) | Actor::Signal(_) => {
            a.footprint().0.iter().any(|access| access.object.class == Class::Everything)
        }
    }
}
