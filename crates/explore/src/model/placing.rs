//! What orders the events of an interleaving: their clocks, and what their receives force.
//!
//! The optimal search knows that of every execution. Whoever runs interleavings with mailboxes in
//! Erlang's order does not need it, but who looks at an execution may ask for it: then the events
//! are done again, one by one, and each is compared with those before it.
//!
//! Cost: the square of the number of events, and of the receives and messages of each process.

use machine::Machine;
use machine::step::{Actor, Choice, Glance, Prober};
use rustc_hash::FxHashMap;

use crate::clock::Clock;
use crate::dependence::dependent;
use crate::event::{Event, MessageId, Take};
use crate::linear::Placed;
use crate::mailbox::{Forced, Rival};
use crate::naive::{self, State};
use crate::order;

/// What orders one event.
#[derive(Default)]
pub(crate) struct Order {
    clock: Clock,
    forced: Option<Forced>,
    orders: Vec<Forced>,
}

impl Order {
    pub(crate) fn placed<'a>(&'a self, event: &'a Event) -> Placed<'a> {
        let Order { clock, forced, orders } = self;
        Placed { event, clock, forced: forced.as_ref(), orders }
    }
}

/// What orders these events, which the Machine is to do as they were chosen; `state` is that of
/// before them.
pub(crate) fn of(
    mut machine: Machine,
    mut state: State,
    events: &[Event],
    choices: &[Choice],
) -> Vec<Order> {
    let mut found: Vec<Order> = Vec::with_capacity(events.len());
    // Where the receives of each process are.
    let mut receives: FxHashMap<Actor, Vec<(usize, Prober)>> = FxHashMap::default();
    for (place, (event, choice)) in events.iter().zip(choices).enumerate() {
        let clock = clock_of(event, &events[..place], &found);
        let orders = order::forced(&event.seen);
        found.push(Order { clock, forced: forced_by(&machine, &state, event), orders });
        if let (Some(_), Actor::Process(pid)) = (&found[place].forced, event.actor) {
            let its = receives.entry(event.actor).or_default();
            its.extend(machine.prober(pid).map(|prober| (place, prober)));
        }
        naive::perform(&mut machine, &mut state, event.actor, *choice);
        for (nth, put) in event.puts.iter().enumerate() {
            let its = receives.get(&Actor::Process(put.to)).map_or(&[][..], Vec::as_slice);
            for (at, prober) in its {
                let comes_later = found[place].clock.has(events[*at].id);
                if !comes_later && machine.would_take(prober, &put.message) {
                    let message = MessageId { sent_by: event.id, nth: nth as u32 };
                    let rival = Rival { message, sent_at: place as u32 };
                    found[*at].forced.iter_mut().for_each(|forced| forced.rivals.push(rival));
                }
            }
        }
    }
    found
}

fn clock_of(event: &Event, earlier: &[Event], found: &[Order]) -> Clock {
    let mut clock = Clock::default();
    for (other, order) in earlier.iter().zip(found).rev() {
        if !clock.has(other.id) && dependent(other, event) {
            clock.join(&order.clock);
        }
    }
    clock.set(event.id);
    clock
}

/// What a receive forces, of the messages that are there: its own before all others.
fn forced_by(machine: &Machine, state: &State, event: &Event) -> Option<Forced> {
    let first = match event.take {
        Take::Message(message) => message.sent_by,
        Take::Timeout => event.id,
        Take::Nothing | Take::Order(_) | Take::Tie => return None,
    };
    let Actor::Process(pid) = event.actor else { return None };
    let Glance::Receive { matching, .. } = machine.glance(pid) else { return None };
    let mailbox = state.mailboxes.get(&pid).map_or(&[][..], Vec::as_slice);
    let messages = matching.iter().filter_map(|at| mailbox.get(*at as usize).copied());
    let others = messages.filter(|message| event.take != Take::Message(*message));
    let rivals = others.map(|message| Rival { message, sent_at: 0 }).collect();
    Some(Forced { first: Some(first), rivals })
}
