//! An execution whose receives chose their messages, put into an order in which mailboxes are as
//! Erlang has them: any that respects happens-before and what the receives forced (see
//! `mailbox.rs`). With delivery `any` there need be no such order, so receives say where in the
//! mailbox their message is. Of these one with few preemptions: the actor that went last goes on as
//! long as it can, and the better of two ways to go on when it cannot is taken. (The fewest
//! possible are not looked for: that is hard.) Equivalent executions have the same schedule, in
//! whatever order the search ran their events.
//!
//! Cost: for each event a look at its clock, and for each change of turns one at all actors. What
//! cannot become simpler than what is known already is given up where that shows.

use std::cmp::Ordering;

use machine::Pid;
use machine::step::{Actor, PidTable};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::Ref;

use crate::clock::Clock;
use crate::event::{Event, Id, MessageId, Take};
use crate::mailbox::{Delivery, Forced};
use crate::naming;
use crate::schedule::{Schedule, Step};

/// An event with what orders it.
pub(crate) struct Placed<'a> {
    pub(crate) event: &'a Event,
    pub(crate) clock: &'a Clock,
    pub(crate) forced: Option<&'a Forced>,
    /// What the order of a mailbox that it looked at forces.
    pub(crate) orders: &'a [Forced],
}

/// Who goes on when the one that went last cannot: of those that can go on until they wait or have
/// ended the one that was made first, or last; if there is none, of all that can go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Oldest,
    Youngest,
}

/// A schedule with few preemptions, the better of two guesses; if it is simpler than the one that
/// is known.
pub(crate) fn simplest(
    events: &[Placed<'_>],
    delivery: Delivery,
    names: &PidTable,
    known: Option<&Schedule>,
) -> Option<Schedule> {
    let whole = Whole::new(events, delivery);
    let first = whole.in_turn(Turn::Oldest, names, known);
    whole.in_turn(Turn::Youngest, names, first.as_ref().or(known)).or(first)
}

/// The same schedule with other events, each of which comes right after the last of its actor, or
/// else at the end.
pub(crate) fn with_ends(schedule: &Schedule, ends: &[Actor]) -> Schedule {
    let mut last: FxHashMap<Actor, usize> = FxHashMap::default();
    for (at, step) in schedule.steps.iter().enumerate() {
        last.insert(step.actor, at);
    }
    // After which step each comes.
    let mut placed: Vec<(usize, Actor)> = Vec::with_capacity(ends.len());
    placed.extend(ends.iter().map(|end| (last.get(end).copied().unwrap_or(usize::MAX), *end)));
    placed.sort_by_key(|(at, _)| *at);
    let mut placed = placed.into_iter().peekable();
    let mut steps = Vec::with_capacity(schedule.steps.len() + ends.len());
    let end = |(_, actor)| Step { actor, gives_up: false, takes: None };
    for (at, step) in schedule.steps.iter().enumerate() {
        steps.push(*step);
        steps.extend(std::iter::from_fn(|| placed.next_if(|(after, _)| *after == at)).map(end));
    }
    steps.extend(placed.map(end));
    Schedule { steps, ..*schedule }
}

/// A few numbers.
type Few = SmallVec<[u32; 32]>;

/// What the next event of an actor waits for, as far as that is known.
#[derive(Clone, Copy)]
struct Wait {
    /// Which of its events it is.
    seq: u32,
    until: Id,
}

impl Wait {
    /// Nothing is known: events are counted from 1 on.
    const NOT: Wait = Wait { seq: 0, until: Id::BEGINNING };
}

/// An execution, prepared to be put into an order.
struct Whole<'a> {
    events: &'a [Placed<'a>],
    is_any: bool,
    /// The places of the events, actor by actor; and where those of an actor begin.
    by_actor: Few,
    begin: Few,
    /// The actors in an order that all equivalent executions have.
    actors: Few,
    /// Which event must come after which other by force, in order.
    after: Vec<(Id, Id)>,
}

impl<'a> Whole<'a> {
    fn new(events: &'a [Placed<'a>], delivery: Delivery) -> Whole<'a> {
        let is_any = delivery == Delivery::Any;
        let most = events.iter().map(|placed| placed.event.id.actor).max().unwrap_or(0);
        let mut begin: Few = SmallVec::from_elem(0, most as usize + 2);
        let mut after = Vec::new();
        for placed in events {
            begin[placed.event.id.actor as usize + 1] += 1;
            for forced in placed.forced.into_iter().chain(placed.orders).filter(|_| !is_any) {
                let Some(first) = forced.first else { continue };
                let rivals = forced.rivals.iter().map(|rival| rival.message.sent_by);
                after.extend(rivals.filter(|then| *then != first).map(|then| (then, first)));
            }
        }
        after.sort_unstable();
        for actor in 1..begin.len() {
            begin[actor] += begin[actor - 1];
        }
        let mut by_actor: Few = SmallVec::from_elem(0, events.len());
        for (place, placed) in events.iter().enumerate() {
            let Id { actor, seq } = placed.event.id;
            by_actor[(begin[actor as usize] + seq) as usize - 1] = place as u32;
        }
        let mut whole = Whole { events, is_any, by_actor, begin, actors: Few::new(), after };
        whole.find_order();
        whole
    }

    fn next(&self, counts: &[u32], actor: u32) -> Option<&Placed<'a>> {
        let at = self.begin[actor as usize] + counts[actor as usize];
        let is_its = at < self.begin[actor as usize + 1];
        is_its.then(|| &self.events[self.by_actor[at as usize] as usize])
    }

    /// Whether all has happened that an event comes after. What it waits for is remembered.
    fn is_ready(&self, counts: &[u32], waits: &mut [Wait], placed: &Placed<'_>) -> bool {
        let id = placed.event.id;
        let has_happened =
            |other: Id| counts.get(other.actor as usize).is_none_or(|n| *n >= other.seq);
        let wait = &mut waits[id.actor as usize];
        if wait.seq == id.seq && !has_happened(wait.until) {
            return false;
        }
        // Most that are not ready are those that nobody has made yet.
        let made_by = placed.event.made_by;
        let unmade = (id.seq == 1 && !has_happened(made_by)).then_some(made_by);
        let unmet = unmade.or_else(|| placed.clock.beyond(counts, id.actor)).or_else(|| {
            let from = self.after.partition_point(|(then, _)| *then < id);
            let mut firsts = self.after[from..].iter().take_while(|(then, _)| *then == id);
            firsts.find(|(_, first)| !has_happened(*first)).map(|(_, first)| *first)
        });
        if let Some(until) = unmet {
            *wait = Wait { seq: id.seq, until };
        }
        unmet.is_none()
    }

    /// Whether an actor, once it goes on, can do so until it waits or does nothing more.
    fn is_free(&self, counts: &mut [u32], waits: &mut [Wait], actor: u32) -> bool {
        let before = counts[actor as usize];
        let mut is_free = true;
        while let Some(next) = self.next(counts, actor) {
            if !self.is_ready(counts, waits, next) {
                is_free = !could_go_on(next);
                break;
            }
            counts[actor as usize] += 1;
        }
        counts[actor as usize] = before;
        is_free
    }

    /// Who goes on.
    fn choose(&self, counts: &mut [u32], waits: &mut [Wait], turn: Turn) -> Option<u32> {
        let mut fallback = None;
        for nth in 0..self.actors.len() {
            let actor = match turn {
                Turn::Oldest => self.actors[nth],
                Turn::Youngest => self.actors[self.actors.len() - 1 - nth],
            };
            let is_ready = |next| self.is_ready(counts, waits, next);
            if !self.next(counts, actor).is_some_and(is_ready) {
                continue;
            }
            if self.is_free(counts, waits, actor) {
                return Some(actor);
            }
            fallback = fallback.or(Some(actor));
        }
        fallback
    }

    /// The execution in one order, if that is simpler than the schedule that is known.
    fn in_turn(&self, turn: Turn, names: &PidTable, known: Option<&Schedule>) -> Option<Schedule> {
        let mut counts: Few = SmallVec::from_elem(0, self.begin.len() - 1);
        let mut waits: SmallVec<[Wait; 32]> = SmallVec::from_elem(Wait::NOT, counts.len());
        let mut schedule = Schedule::default();
        let mut last: Option<u32> = None;
        let mut mailboxes = Mailboxes::default();
        let mut order = Ordering::Equal;
        while schedule.steps.len() < self.events.len() {
            let next = last.and_then(|last| Some((last, self.next(&counts, last)?)));
            let is_ready =
                |(_, next): &(u32, &Placed<'_>)| self.is_ready(&counts, &mut waits, next);
            let same = next.filter(is_ready).map(|(last, _)| last);
            if same.is_none() && next.is_some_and(|(_, left)| could_go_on(left)) {
                schedule.preemptions += 1;
            }
            // Something is always ready in a consistent execution.
            let actor = match same {
                Some(same) => same,
                None => self.choose(&mut counts, &mut waits, turn)?,
            };
            let event = self.next(&counts, actor)?.event;
            counts[actor as usize] = event.id.seq;
            last = Some(actor);
            let mut takes = None;
            if self.is_any {
                if let (Take::Message(message), Actor::Process(pid)) = (event.take, event.actor) {
                    takes = mailboxes.place_of(pid, message);
                }
                mailboxes.after(event);
            }
            let gives_up = matches!(event.take, Take::Timeout | Take::Tie);
            let step = Step { actor: event.actor, gives_up, takes };
            if let Some(known) = known {
                if order.is_eq()
                    && let Some(other) = known.steps.get(schedule.steps.len())
                    && step != *other
                {
                    order = naming::order_of_steps(names, step, *other);
                }
                // It can only get worse.
                let size = (schedule.preemptions, self.events.len());
                if size.cmp(&(known.preemptions, known.steps.len())).then(order).is_gt() {
                    return None;
                }
            }
            schedule.steps.push(step);
        }
        known.is_none_or(|known| naming::is_simpler(names, &schedule, known)).then_some(schedule)
    }

    /// Puts the actors in order: who was there at the beginning, each followed by those that it
    /// made, in that order.
    fn find_order(&mut self) {
        // By who made them.
        let mut made: SmallVec<[(Id, Actor, u32); 16]> = SmallVec::new();
        for actor in 0..self.begin.len() - 1 {
            let (from, to) = (self.begin[actor], self.begin[actor + 1]);
            if from < to {
                let step = &self.events[self.by_actor[from as usize] as usize].event.step;
                made.push((step.made_by, step.actor, actor as u32));
            }
        }
        made.sort_unstable();
        let made_by = |maker: u32| {
            let from = made.partition_point(|(by, ..)| by.actor < maker);
            made[from..]
                .iter()
                .take_while(move |(by, ..)| by.actor == maker)
                .map(|(.., actor)| *actor)
        };
        let mut pending: Few = made_by(Id::BEGINNING.actor).collect();
        pending.reverse();
        while let Some(actor) = pending.pop() {
            self.actors.push(actor);
            let from = pending.len();
            pending.extend(made_by(actor));
            pending[from..].reverse();
        }
    }
}

/// Which messages are where when the events happen in another order than they did.
#[derive(Default)]
struct Mailboxes {
    messages: FxHashMap<Pid, Vec<(MessageId, Option<Ref>)>>,
    /// Monitors whose messages are not wanted any more.
    silenced: Vec<Ref>,
}

impl Mailboxes {
    fn place_of(&self, pid: Pid, message: MessageId) -> Option<u32> {
        let mailbox = self.messages.get(&pid)?;
        Some(mailbox.iter().position(|(other, _)| *other == message)? as u32)
    }

    fn after(&mut self, event: &Event) {
        if let (Take::Message(message), Actor::Process(pid)) = (event.take, event.actor)
            && let Some(mailbox) = self.messages.get_mut(&pid)
        {
            mailbox.retain(|(other, _)| *other != message);
        }
        if let (Some(monitor), Actor::Process(pid)) = (event.silenced, event.actor) {
            self.silenced.push(monitor);
            let mailbox = self.messages.entry(pid).or_default();
            mailbox.retain(|(_, other)| *other != Some(monitor));
        }
        for (nth, put) in event.puts.iter().enumerate() {
            let monitor = match put.message.as_tuple() {
                Some([_, reference, _, _, _]) => reference.as_ref(),
                _ => None,
            };
            if !monitor.is_some_and(|monitor| self.silenced.contains(&monitor)) {
                let message = MessageId { sent_by: event.id, nth: nth as u32 };
                self.messages.entry(put.to).or_default().push((message, monitor));
            }
        }
    }
}

/// Whether an actor that is about to do this could: all but a receive, which may have to wait.
fn could_go_on(placed: &Placed<'_>) -> bool {
    matches!(placed.event.take, Take::Nothing | Take::Order(_) | Take::Tie)
}
