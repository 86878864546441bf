//! Looks at a whole mailbox: `process_info(Pid, messages)`.
//!
//! Receives choose messages, so a mailbox has no order until somebody looks at it. Who looks
//! chooses one, of those that are consistent with happens-before and with what others forced, and
//! by that forces it (`mailbox.rs`). An order is named by its rank among all permutations of the
//! messages, these being sorted by their names; the set of messages is the same in all equivalent
//! executions.
//!
//! Looks at one mailbox depend on each other (`machine::footprint::process_info` has them write the
//! order): if two that do not could each force an order, neither could choose another one alone,
//! and orders in which both differ would never be found. So two executions that differ only in who
//! looked first are not taken for equivalent. For the same reason a look and a receive of that
//! process that gives up depend on each other.
//!
//! Cost: an execution for each consistent order, as it must be; asking for them costs as many steps
//! as there are messages in all of them.

use machine::footprint::{Class, Footprint, Kind};
use machine::{Machine, Pid};

use crate::event::{Id, MessageId};
use crate::mailbox::{Forced, Rival};

/// Whose mailbox an action looked at as a whole. A process that has ended, or is bound to, has
/// none.
pub(crate) fn looked_at(footprint: &Footprint, machine: &Machine) -> Option<Pid> {
    asked_about(footprint).filter(|pid| machine.is_alive(*pid))
}

/// Whose mailbox an action asked for as a whole.
pub(crate) fn asked_about(footprint: &Footprint) -> Option<Pid> {
    let mut accesses = footprint.0.iter();
    let access = accesses
        .find(|access| access.object.class == Class::MailboxOrder && access.kind == Kind::Write)?;
    Some(Pid(access.object.owner.checked_sub(1)?))
}

/// All orders of these messages in which nobody comes after one that must be later. Where messages
/// arrive when they are sent, those of one event are `together`.
pub(crate) fn consistent(
    messages: &[MessageId],
    together: bool,
    before: &dyn Fn(MessageId, MessageId) -> bool,
) -> Vec<Vec<MessageId>> {
    let mut sorted = messages.to_vec();
    sorted.sort_unstable();
    let mut found = Vec::new();
    // Unfinished orders, the next to be extended last.
    let mut pending: Vec<Vec<MessageId>> = vec![Vec::new()];
    while let Some(order) = pending.pop() {
        if order.len() == sorted.len() {
            found.push(order);
            continue;
        }
        let is_left = |message: &MessageId| !order.contains(message);
        let event = order
            .last()
            .map(|last| last.sent_by)
            .filter(|event| together && sorted.iter().any(|m| m.sent_by == *event && is_left(m)));
        for next in sorted.iter().rev() {
            if event.is_some_and(|event| event != next.sent_by) {
                continue;
            }
            let is_first = |message: &MessageId| message == next || !before(*message, *next);
            if is_left(next) && sorted.iter().filter(|m| is_left(m)).all(is_first) {
                let mut longer = order.clone();
                longer.push(*next);
                pending.push(longer);
            }
        }
    }
    found
}

/// The rank of an order. (Of more than twenty messages, modulo 2^64.)
pub(crate) fn rank(order: &[MessageId]) -> u64 {
    let mut left = order.to_vec();
    left.sort_unstable();
    let mut rank = 0u64;
    for message in order {
        let at = left.iter().position(|other| other == message).unwrap_or(0);
        rank = rank.wrapping_mul(left.len() as u64).wrapping_add(at as u64);
        left.remove(at);
    }
    rank
}

/// What an order forces: each message before the next.
pub(crate) fn forced(order: &[MessageId]) -> Vec<Forced> {
    let pairs = order.windows(2).filter(|pair| pair[0].sent_by != pair[1].sent_by);
    let edge = |pair: &[MessageId]| Forced {
        first: Some(pair[0].sent_by).filter(|first| *first != Id::BEGINNING),
        rivals: vec![Rival { message: pair[1], sent_at: 0 }],
    };
    pairs.map(edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(actor: u32, seq: u32) -> MessageId {
        MessageId { sent_by: Id { actor, seq }, nth: 0 }
    }

    #[test]
    fn orders() {
        let messages = [message(2, 1), message(1, 1), message(1, 2)];
        let program_order = |a: MessageId, b: MessageId| {
            a.sent_by.actor == b.sent_by.actor && a.sent_by.seq < b.sent_by.seq
        };
        let found = consistent(&messages, true, &program_order);
        assert_eq!(found.len(), 3);
        assert!(found.iter().all(|order| order[2] != message(1, 1)));
        let all = consistent(&messages, true, &|_, _| false);
        let ranks: Vec<u64> = all.iter().map(|order| rank(order)).collect();
        assert_eq!(ranks, [0, 1, 2, 3, 4, 5]);
        // Two messages of one event.
        let both = [message(1, 1), MessageId { nth: 1, ..message(1, 1) }, message(2, 1)];
        let in_turn = |a: MessageId, b: MessageId| a.sent_by == b.sent_by && a.nth < b.nth;
        assert_eq!(consistent(&both, true, &in_turn).len(), 2);
        assert_eq!(consistent(&both, false, &in_turn).len(), 3);
    }
}
