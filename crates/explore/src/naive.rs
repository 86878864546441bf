//! All interleavings, one by one: what the search is compared with.
//!
//! Every order of visible actions is run, with mailboxes in the order in which messages arrive (when
//! they are sent, or with delivery `any` by steps of their own): a
//! receive takes the first message that matches, and gives up only if none does. Exponential; for small
//! programs only.

use std::sync::Arc;

use machine::step::{Actor, Choice, Effect, Next, Timeout};
use machine::{Machine, Pid};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::Ref;

use crate::dependence::conflicting;
use crate::event::{Event, Id, MessageId, Put, Step, Take};
use crate::mailbox::{Delivery, sent_earlier};
use crate::order;
use crate::outcome::{self, Execution, Stop};
use crate::schedule::{self, Schedule};

/// The name of an execution's equivalence class: what each actor did, what each receive took, and the
/// order of conflicting events.
pub fn class(events: &[&Event]) -> String {
    use std::fmt::Write as _;
    let mut lines: Vec<String> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        let mut line = format!("{:?}.{} {:?}", event.actor, event.id.seq, taken(events, event));
        for message in &event.seen {
            let _ = write!(line, " {:?}", named(events, *message));
        }
        for earlier in &events[..place] {
            if earlier.id.actor != event.id.actor && conflicting(earlier, event) {
                let _ = write!(line, " > {:?}.{}", earlier.actor, earlier.id.seq);
            }
        }
        lines.push(line);
    }
    // The conflicts of one event, in any order.
    for line in &mut lines {
        let mut parts: Vec<&str> = line.split(" > ").collect();
        parts[1..].sort_unstable();
        *line = parts.join(" > ");
    }
    lines.sort_unstable();
    lines.join("\n")
}

/// Numbers of actors differ between searches, so messages are named by the actor itself.
fn taken(events: &[&Event], event: &Event) -> Option<(Actor, u32, u32)> {
    let Take::Message(message) = event.take else { return None };
    named(events, message)
}

fn named(events: &[&Event], message: MessageId) -> Option<(Actor, u32, u32)> {
    let MessageId { sent_by, nth } = message;
    let sender = events.iter().find(|sender| sender.id == sent_by)?;
    Some((sender.actor, sent_by.seq, nth))
}

/// Has every process stand before its next action.
fn settle(machine: &mut Machine) {
    for pid in machine.state.pids().collect::<Vec<_>>() {
        machine.next(pid);
    }
}

/// Explores all interleavings, up to a number of them. `false` if there are more.
pub fn enumerate(
    mut machine: Machine,
    max: u64,
    after_limit: u64,
    delivery: Delivery,
    mut each: impl FnMut(&Execution<'_>),
) -> bool {
    delivery.set(&mut machine);
    settle(&mut machine);
    let mut run = Naive { max, after_limit, delivery, count: 0, steps: 0 };
    run.explore(&mut machine, &State::default(), &mut each)
}

/// One interleaving, where `choose` says which of so many steps is next. `None` if it is longer than `max`.
pub fn walk(
    mut machine: Machine,
    max: usize,
    delivery: Delivery,
    mut choose: impl FnMut(usize) -> usize,
) -> Option<Vec<Event>> {
    delivery.set(&mut machine);
    settle(&mut machine);
    let run = Naive { max: 0, after_limit: u64::MAX, delivery, count: 0, steps: 0 };
    let mut state = State::default();
    while state.events.len() < max {
        let choices = run.choices(&machine, &state);
        let arrivals = match delivery {
            Delivery::Any => state.on_their_way(),
            Delivery::Instant => Vec::new(),
        };
        match choices.len() + arrivals.len() {
            0 => return Some(state.events),
            steps => match choose(steps) {
                at if at < choices.len() => {
                    let (actor, choice) = choices[at];
                    perform(&mut machine, &mut state, actor, choice);
                }
                at => {
                    let (pid, message) = arrivals[at - choices.len()];
                    state.arrived.entry(pid).or_default().push(message);
                }
            },
        }
    }
    None
}

/// The events of a schedule, followed on a Machine whose mailboxes have Erlang's order. `None` if that is
/// not possible.
pub fn follow(mut machine: Machine, schedule: &Schedule, delivery: Delivery) -> Option<Vec<Event>> {
    delivery.set(&mut machine);
    settle(&mut machine);
    let mut state = State::default();
    for (nth, step) in schedule.steps.iter().enumerate() {
        if let (true, Delivery::Instant, Actor::Process(pid)) =
            (step.gives_up, delivery, step.actor)
            && let Next::Receive(receive) = machine.next(pid)
            && !receive.matching.is_empty()
        {
            return None;
        }
        let choice = schedule::choice(&mut machine, *step)?;
        perform(&mut machine, &mut state, step.actor, choice);
        if state.events.len() <= nth {
            return None;
        }
    }
    Some(state.events)
}

/// How many states may be visited for each interleaving that may be found.
const STEPS: u64 = 20;

struct Naive {
    max: u64,
    after_limit: u64,
    delivery: Delivery,
    count: u64,
    /// How many states were visited: not all ways lead to an end when messages travel.
    steps: u64,
}

/// What happened so far in an execution whose mailboxes have Erlang's order.
#[derive(Clone, Default)]
pub(crate) struct State {
    pub(crate) events: Vec<Event>,
    numbers: FxHashMap<Actor, u32>,
    made_by: FxHashMap<Actor, Id>,
    counts: FxHashMap<Actor, u32>,
    mailboxes: FxHashMap<Pid, Vec<MessageId>>,
    /// With delivery `any`: the messages that have arrived, in that order.
    arrived: FxHashMap<Pid, Vec<MessageId>>,
    /// And the other signals that are on their way: who sent them, to whom.
    signals: Vec<(Ref, Id, Pid)>,
}

impl State {
    /// Messages on their way that can arrive next.
    fn on_their_way(&self) -> Vec<(Pid, MessageId)> {
        let mut found = Vec::new();
        let mut pids: Vec<Pid> = self.mailboxes.keys().copied().collect();
        pids.sort_unstable();
        for pid in &pids {
            let Some(mailbox) = self.mailboxes.get(pid) else { continue };
            let arrived = self.arrived.get(pid).map_or(&[][..], Vec::as_slice);
            let pending: Vec<MessageId> =
                mailbox.iter().copied().filter(|message| !arrived.contains(message)).collect();
            let is_next = |message: &MessageId| {
                let after_signal = |(_, by, to): &(Ref, Id, Pid)| {
                    to == pid
                        && by.actor == message.sent_by.actor
                        && by.seq < message.sent_by.seq
                        && self.numbers.get(&Actor::Process(*pid)) != Some(&by.actor)
                };
                !pending.iter().any(|other| sent_earlier(*other, *message))
                    && !self.signals.iter().any(after_signal)
            };
            found.extend(pending.iter().filter(|m| is_next(m)).map(|message| (*pid, *message)));
        }
        found
    }

    /// Whether a signal has to wait for messages of the same pair that were sent before it.
    fn waits_for_messages(&self, machine: &Machine, number: Ref) -> bool {
        let Some((from, to)) = machine.route_of(number) else { return false };
        let Some((_, by, _)) = self.signals.iter().find(|(other, ..)| *other == number) else {
            return false;
        };
        let sender = self.numbers.get(&Actor::Process(from));
        let arrived = self.arrived.get(&to).map_or(&[][..], Vec::as_slice);
        self.mailboxes.get(&to).into_iter().flatten().any(|message| {
            let Id { actor, seq } = message.sent_by;
            !arrived.contains(message)
                && Some(&actor) == sender
                && (by.actor != actor || seq < by.seq)
        })
    }

    /// The first message that has arrived, of those at these places of the mailbox.
    fn first_arrived(&self, pid: Pid, matching: &[u32]) -> Option<u32> {
        let (mailbox, arrived) = (self.mailboxes.get(&pid)?, self.arrived.get(&pid)?);
        let place = |message: &MessageId| mailbox.iter().position(|other| other == message);
        let places = arrived.iter().filter_map(|message| Some(place(message)? as u32));
        places.into_iter().find(|place| matching.contains(place))
    }
}

impl Naive {
    /// The message that a receive takes, by its place in the mailbox.
    fn first(&self, state: &State, pid: Pid, matching: &[u32]) -> Option<u32> {
        match self.delivery {
            Delivery::Instant => matching.first().copied(),
            Delivery::Any => state.first_arrived(pid, matching),
        }
    }

    /// What actors can do next.
    fn choices(&self, machine: &Machine, state: &State) -> Vec<(Actor, Choice)> {
        let mut choices = Vec::new();
        if machine.stop_reason().is_some() {
            return choices;
        }
        for pid in machine.state.pids() {
            match machine.known_next(pid) {
                Next::Act if machine.must_wait(pid) => {}
                Next::Act | Next::End => choices.push((Actor::Process(pid), Choice::Act)),
                Next::Receive(receive) => match self.first(state, pid, &receive.matching) {
                    Some(first) => choices.push((Actor::Process(pid), Choice::Take(first))),
                    None => match receive.timeout {
                        Timeout::Never => {}
                        Timeout::After(ms) if ms >= self.after_limit => {}
                        _ => choices.push((Actor::Process(pid), Choice::GiveUp)),
                    },
                },
                _ => {}
            }
        }
        let signals = machine.signals().filter(|s| !state.waits_for_messages(machine, *s));
        choices.extend(signals.map(|signal| (Actor::Signal(signal), Choice::Act)));
        choices.extend(machine.timers().into_iter().map(|t| (Actor::Timer(t), Choice::Act)));
        choices
    }

    fn explore(
        &mut self,
        machine: &mut Machine,
        state: &State,
        each: &mut impl FnMut(&Execution<'_>),
    ) -> bool {
        self.steps += 1;
        if self.steps > self.max.saturating_mul(STEPS) {
            return false;
        }
        let choices = self.choices(machine, state);
        if self.delivery == Delivery::Any {
            for (pid, message) in state.on_their_way() {
                let mut state = state.clone();
                state.arrived.entry(pid).or_default().push(message);
                if !self.explore(machine, &state, each) {
                    return false;
                }
            }
            if choices.is_empty() && !state.on_their_way().is_empty() {
                return true;
            }
        }
        if choices.is_empty() {
            self.count += 1;
            let events: Vec<&Event> = state.events.iter().collect();
            let ended = events.iter().filter_map(|event| match (event.actor, &event.ended) {
                (Actor::Process(pid), Some(reason)) => Some((pid, reason.clone())),
                _ => None,
            });
            each(&Execution {
                machine,
                stop: match machine.stop_reason() {
                    Some(Ok(status)) => Stop::Halted(status),
                    Some(Err(message)) => Stop::Unsupported(message.to_owned()),
                    None => Stop::Finished,
                },
                blocked: outcome::blocked(machine),
                ended: ended.collect(),
                events: events.clone(),
                delivery: self.delivery,
                placed: outcome::unordered(),
                left_out: outcome::nothing(),
                new_from: 0,
                is_first: false,
                schedule: None,
                share: 0.0,
            });
            return self.count < self.max;
        }
        for (actor, choice) in choices {
            let mut next = machine.clone();
            let mut state = state.clone();
            perform(&mut next, &mut state, actor, choice);
            let goes_on = self.explore(&mut next, &state, each);
            // Code that was loaded there need not be loaded again.
            machine.code = next.code;
            if !goes_on {
                return false;
            }
        }
        true
    }
}

/// Lets an actor act, and notes the event.
pub(crate) fn perform(machine: &mut Machine, state: &mut State, actor: Actor, choice: Choice) {
    let Some(done) = machine.perform(actor, choice) else { return };
    let next = state.numbers.len() as u32 + 1;
    let number = *state.numbers.entry(actor).or_insert(next);
    let seq = state.counts.entry(actor).or_insert(0);
    *seq += 1;
    let id = Id { actor: number, seq: *seq };
    let made_by = state.made_by.get(&actor).copied().unwrap_or(Id::BEGINNING);
    let mut take = if choice == Choice::GiveUp { Take::Timeout } else { Take::Nothing };
    let (mut puts, mut doomed, mut set_off) = (SmallVec::new(), SmallVec::new(), SmallVec::new());
    state.signals.retain(|(number, ..)| Actor::Signal(*number) != actor);
    let mut ended = None;
    for effect in done.log.effects {
        match effect {
            Effect::Put { to, message } => {
                let nth = puts.len() as u32;
                let message_id = MessageId { sent_by: id, nth };
                state.mailboxes.entry(to).or_default().push(message_id);
                if actor == Actor::Process(to) || matches!(actor, Actor::Signal(_)) {
                    state.arrived.entry(to).or_default().push(message_id);
                }
                puts.push(Put { to, message, in_vain: None });
                machine.next(to);
            }
            Effect::Took { index, .. } | Effect::Flushed { index } => {
                if let Actor::Process(pid) = actor
                    && let Some(mailbox) = state.mailboxes.get_mut(&pid)
                {
                    let message = mailbox.remove(index as usize);
                    if let Choice::Take(_) = choice {
                        take = Take::Message(message);
                    }
                }
            }
            Effect::Spawned(pid) => {
                state.made_by.insert(Actor::Process(pid), id);
                machine.next(pid);
            }
            Effect::TimerSet(reference) => {
                state.made_by.insert(Actor::Timer(reference), id);
            }
            Effect::SetOff { number, to } => {
                state.made_by.insert(Actor::Signal(number), id);
                set_off.push((number, to));
                state.signals.push((number, id, to));
            }
            Effect::Doomed(pid) if actor == Actor::Process(pid) => {}
            Effect::Doomed(pid) => doomed.push(pid),
            Effect::InVain { to, message, monitor } => {
                puts.push(Put { to, message, in_vain: Some(monitor) });
            }
            Effect::TimerGone(_) | Effect::Silenced(_) | Effect::Halted => {}
            Effect::Ended { reason } => ended = Some(reason),
        }
    }
    let seen = order::looked_at(&done.log.footprint)
        .and_then(|pid| state.mailboxes.get(&pid).cloned())
        .unwrap_or_default();
    state.events.push(Event {
        step: Arc::new(Step::new(id, actor, take, made_by, done.log.footprint)),
        label: done.log.label,
        pc: done.pc,
        puts,
        doomed,
        cancelled: SmallVec::new(),
        set_off,
        silenced: None,
        seen,
        ended,
    });
}
