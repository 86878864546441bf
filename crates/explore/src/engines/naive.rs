//! All interleavings, one by one: what the search is compared with.
//!
//! Every order of visible actions is run, with mailboxes in the order in which messages arrive
//! (when they are sent, or with delivery `any` by steps of their own): a
//! receive takes the first message that matches, and gives up only if none does. Exponential; for
//! small programs only.

use std::sync::Arc;

use machine::footprint::Object;
use machine::step::{Actor, Choice, Effect, Next, Timeout};
use machine::{Ending, Machine, Pid};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::Ref;

use crate::dependence::conflicting;
use crate::event::{Event, Id, MessageId, Put, Step, Take};
use crate::mailbox::{Delivery, sent_earlier};
use crate::order;
use crate::outcome::{self, Execution};
use crate::preemption;
use crate::schedule::{self, Schedule};
use crate::story::past;
use crate::ties;

/// The name of an execution's equivalence class: what each actor did, what each receive took, and
/// the order of conflicting events.
pub fn class(events: &[&Event]) -> String {
    use std::fmt::Write as _;
    let heard: Vec<&Event> = events.iter().copied().filter(|it| !is_unheard(events, it)).collect();
    let events = heard.as_slice();
    let mut lines: Vec<String> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        let mut line = format!("{:?}.{} {:?}", event.actor, event.id.seq, taken(events, event));
        if event.take == Take::Tie {
            line.push_str(" ties");
        }
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

/// Whether an event is that the end of a process is told in vain, to who did not want to hear of it
/// any more before that in all equivalent executions: the search leaves that out
/// (`search/needless_downs.rs`).
fn is_unheard(events: &[&Event], event: &Event) -> bool {
    let told = |(from, _)| event.footprint().0.iter().any(|it| it.object == Object::told(from));
    let [Put { in_vain: Some(monitor), .. }] = event.puts.as_slice() else { return false };
    if !matches!(event.actor, Actor::Signal(_)) || !event.route().is_some_and(told) {
        return false;
    }
    let place = |id: Id| events.iter().position(|event| event.id == id);
    let silenced = events.iter().position(|event| event.silenced == Some(*monitor));
    let last = place(event.made_by).and_then(|end| place(events[end].before()));
    match (silenced, last) {
        (Some(silenced), Some(last)) => {
            let steps: Vec<&Step> = events[..=last].iter().map(|event| &*event.step).collect();
            silenced <= last && past::of(&steps, &[last])[silenced]
        }
        _ => false,
    }
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

/// Explores all interleavings, up to a number of them. `false` if there are more.
pub fn enumerate(
    mut machine: Machine,
    max: u64,
    after_limit: u64,
    delivery: Delivery,
    mut each: impl FnMut(&Execution<'_>),
) -> bool {
    machine.set_horizon(after_limit);
    let state = State::at_beginning(&mut machine, delivery);
    let mut run = Naive { max, rules: Rules { after_limit, delivery }, count: 0, steps: 0 };
    run.explore(&mut machine, &state, &mut each)
}

/// One interleaving, where `choose` says which of so many steps is next. `None` if it is longer
/// than `max`.
pub fn walk(
    mut machine: Machine,
    max: usize,
    delivery: Delivery,
    mut choose: impl FnMut(usize) -> usize,
) -> Option<Vec<Event>> {
    let rules = Rules { after_limit: u64::MAX, delivery };
    let mut state = State::at_beginning(&mut machine, delivery);
    while state.events.len() < max {
        let choices = rules.choices(&machine, &state);
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

/// The events of a schedule, followed on a Machine whose mailboxes have Erlang's order. `None` if
/// that is not possible.
pub fn follow(mut machine: Machine, schedule: &Schedule, delivery: Delivery) -> Option<Vec<Event>> {
    schedule.prepare(&mut machine);
    let mut state = State::at_beginning(&mut machine, delivery);
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

/// What can be done, and when.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) after_limit: u64,
    pub(crate) delivery: Delivery,
}

struct Naive {
    max: u64,
    rules: Rules,
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
    pub(crate) mailboxes: FxHashMap<Pid, Vec<MessageId>>,
    /// With delivery `any`: the messages that have arrived, in that order.
    pub(crate) arrived: FxHashMap<Pid, Vec<MessageId>>,
    /// And the other signals that are on their way: who sent them, to whom.
    signals: Vec<(Ref, Id, Pid)>,
    /// For each event what it changed here.
    changes: Vec<Change>,
}

/// What an event changed, so that it can be taken back and told as a step.
#[derive(Clone, Default)]
struct Change {
    /// Messages that it took out of the mailbox of its process, and where they were.
    removed: SmallVec<[(u32, MessageId); 1]>,
    /// The signal that arrived.
    arrived: Option<(Ref, Id, Pid)>,
    /// Whether a process that could go on had to stop for it.
    preempts: bool,
}

impl State {
    /// Before anything has happened. Every process stands before its next action then.
    pub(crate) fn at_beginning(machine: &mut Machine, delivery: Delivery) -> State {
        delivery.set(machine);
        let mut state = State::default();
        for pid in machine.pids().collect::<Vec<_>>() {
            machine.next(pid);
            let len = machine.process(pid).map_or(0, |process| process.mailbox.len());
            let message = |nth| MessageId { sent_by: Id::BEGINNING, nth };
            let mailbox: Vec<MessageId> = (0..len as u32).map(message).collect();
            state.arrived.insert(pid, mailbox.clone());
            state.mailboxes.insert(pid, mailbox);
        }
        state
    }

    /// Before anything of this has happened, with the same numbers.
    pub(crate) fn before_all(&self, machine: &mut Machine, delivery: Delivery) -> State {
        State { numbers: self.numbers.clone(), ..State::at_beginning(machine, delivery) }
    }

    /// Who acted last; that something arrives is no act.
    pub(crate) fn last(&self) -> Option<Actor> {
        let actors = self.events.iter().rev().map(|event| event.actor);
        actors.into_iter().find(|actor| !matches!(actor, Actor::Signal(_)))
    }

    /// The name of an actor's next event, and what made the actor. One that has done nothing yet
    /// has no number: of several such each gets a `spare` one.
    pub(crate) fn next_id(&self, actor: Actor, spare: u32) -> (Id, Id) {
        let number = self.numbers.get(&actor).copied();
        let id = Id {
            actor: number.unwrap_or(self.numbers.len() as u32 + 1 + spare),
            seq: self.counts.get(&actor).map_or(1, |count| count + 1),
        };
        (id, self.made_by.get(&actor).copied().unwrap_or(Id::BEGINNING))
    }

    /// Whether the next event of a process, which reads a clock, could tie with the last readings.
    fn may_tie(&self, pid: Pid) -> bool {
        let (id, made_by) = self.next_id(Actor::Process(pid), 0);
        let before = if id.seq == 1 { made_by } else { Id { seq: id.seq - 1, ..id } };
        let steps: Vec<&Step> = self.events.iter().map(|event| &*event.step).collect();
        let last = steps.iter().position(|step| step.id == before);
        let past = last.map(|last| past::of(&steps[..=last], &[last]));
        let is_past = |at: usize| past.as_ref().is_some_and(|it| it.get(at) == Some(&true));
        ties::are_apart(steps.iter().copied().enumerate().rev(), is_past)
    }

    /// What happened so far, as a schedule.
    pub(crate) fn schedule(&self, machine: &Machine, delivery: Delivery) -> Schedule {
        let step = |(event, change): (&Event, &Change)| schedule::Step {
            actor: event.actor,
            gives_up: matches!(event.take, Take::Timeout | Take::Tie),
            takes: match (delivery, event.take) {
                (Delivery::Any, Take::Message(_)) => change.removed.first().map(|(at, _)| *at),
                _ => None,
            },
        };
        Schedule {
            steps: self.events.iter().zip(&self.changes).map(step).collect(),
            preemptions: self.changes.iter().filter(|change| change.preempts).count(),
            has_clocks: self.events.iter().any(|event| event.reads_clock()),
            has_dictionaries: machine.shows_dictionaries(),
            has_ends: machine.takes_ends_apart(),
        }
    }

    /// As it was before the last event.
    pub(crate) fn take_back(&mut self) {
        let (Some(event), Some(change)) = (self.events.pop(), self.changes.pop()) else { return };
        if let Some(count) = self.counts.get_mut(&event.actor) {
            *count -= 1;
        }
        let is_own = |message: &MessageId| message.sent_by == event.id;
        for put in &event.puts {
            let of_receiver = self.mailboxes.get_mut(&put.to).into_iter();
            of_receiver
                .chain(self.arrived.get_mut(&put.to))
                .for_each(|messages| messages.retain(|message| !is_own(message)));
        }
        if let Actor::Process(pid) = event.actor {
            let mailbox = self.mailboxes.entry(pid).or_default();
            // An event may take a message that it put itself.
            let others = change.removed.iter().rev().filter(|(_, message)| !is_own(message));
            others.for_each(|(at, message)| mailbox.insert(*at as usize, *message));
        }
        self.signals.retain(|(_, by, _)| *by != event.id);
        self.signals.extend(change.arrived);
    }

    /// Messages on their way that can arrive next.
    pub(crate) fn on_their_way(&self) -> Vec<(Pid, MessageId)> {
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
                // What an end gives to heirs it gives before it tells of itself.
                && (by.actor != actor || seq <= by.seq)
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

impl Rules {
    /// The message that a receive takes, by its place in the mailbox.
    fn first(&self, state: &State, pid: Pid, matching: &[u32]) -> Option<u32> {
        match self.delivery {
            Delivery::Instant => matching.first().copied(),
            Delivery::Any => state.first_arrived(pid, matching),
        }
    }

    /// What actors can do next.
    pub(crate) fn choices(&self, machine: &Machine, state: &State) -> Vec<(Actor, Choice)> {
        let mut choices = Vec::new();
        if machine.stop_reason().is_some() {
            return choices;
        }
        for pid in machine.pids() {
            match machine.known_next(pid) {
                Next::Act | Next::End if machine.must_wait(pid) => {}
                Next::Act if machine.may_tie(pid) && state.may_tie(pid) => {
                    let actor = Actor::Process(pid);
                    choices.extend([(actor, Choice::Act), (actor, Choice::Tie)]);
                }
                Next::Act | Next::End => choices.push((Actor::Process(pid), Choice::Act)),
                Next::Receive(receive) => match self.first(state, pid, &receive.matching) {
                    Some(first) => choices.push((Actor::Process(pid), Choice::Take(first))),
                    None => match receive.timeout {
                        Timeout::Never => {}
                        Timeout::After(ms) if ms >= self.after_limit => {}
                        _ if machine.must_wait_on(pid) => {}
                        _ => choices.push((Actor::Process(pid), Choice::GiveUp)),
                    },
                },
                _ => {}
            }
        }
        // With instant delivery messages have arrived when they were sent.
        let signals = machine.signals().filter(|s| {
            self.delivery == Delivery::Instant || !state.waits_for_messages(machine, *s)
        });
        choices.extend(signals.map(|signal| (Actor::Signal(signal), Choice::Act)));
        choices.extend(machine.timers().into_iter().map(|t| (Actor::Timer(t), Choice::Act)));
        choices
    }
}

impl Naive {
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
        let choices = self.rules.choices(machine, state);
        if self.rules.delivery == Delivery::Any {
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
                    Some(Ok(status)) => Ending::Halted(status),
                    Some(Err(what)) => Ending::unsupported(what.clone()),
                    None => Ending::Quiescent,
                },
                blocked: outcome::blocked(machine),
                ended: ended.collect(),
                events: events.clone(),
                delivery: self.rules.delivery,
                placed: outcome::unordered(),
                left_out: outcome::nothing(),
                new_from: 0,
                is_first: false,
                schedule: Some(state.schedule(machine, self.rules.delivery)),
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
            machine.use_code_of(&next);
            if !goes_on {
                return false;
            }
        }
        true
    }
}

/// Lets an actor act, and notes the event.
pub(crate) fn perform(machine: &mut Machine, state: &mut State, actor: Actor, choice: Choice) {
    let preempts = preemption::stops(machine, state.last(), actor);
    let Some(done) = machine.perform(actor, choice) else { return };
    let mut change = Change { preempts, ..Change::default() };
    let next = state.numbers.len() as u32 + 1;
    let number = *state.numbers.entry(actor).or_insert(next);
    let seq = state.counts.entry(actor).or_insert(0);
    *seq += 1;
    let id = Id { actor: number, seq: *seq };
    let made_by = state.made_by.get(&actor).copied().unwrap_or(Id::BEGINNING);
    let mut take = match choice {
        Choice::GiveUp => Take::Timeout,
        Choice::Tie => Take::Tie,
        Choice::Act | Choice::Take(_) => Take::Nothing,
    };
    let (mut puts, mut doomed, mut set_off) = (SmallVec::new(), SmallVec::new(), SmallVec::new());
    let arrives = |(number, ..): &(Ref, Id, Pid)| Actor::Signal(*number) == actor;
    change.arrived = state.signals.iter().position(arrives).map(|at| state.signals.remove(at));
    let (mut ended, mut silenced) = (None, None);
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
                    change.removed.push((index, message));
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
            Effect::SetOff { number, from, to } => {
                state.made_by.insert(Actor::Signal(number), id);
                set_off.push((number, (from, to)));
                state.signals.push((number, id, to));
            }
            Effect::Doomed(pid) if actor == Actor::Process(pid) => {}
            Effect::Doomed(pid) => doomed.push(pid),
            Effect::InVain { to, message, monitor } => {
                puts.push(Put { to, message, in_vain: Some(monitor) });
            }
            Effect::Silenced(monitor) => silenced = Some(monitor),
            Effect::TimerGone(_) | Effect::Halted => {}
            Effect::Ended { reason } => ended = Some(reason),
        }
    }
    let seen = order::looked_at(&done.log.footprint, machine)
        .and_then(|pid| state.mailboxes.get(&pid).cloned())
        .unwrap_or_default();
    state.changes.push(change);
    let step = Arc::new(Step::new(id, actor, take, made_by, done.log.footprint));
    let event = Event::of(step, done.log.label, done.pc);
    state.events.push(Event { puts, doomed, set_off, silenced, seen, ended, ..event });
}
