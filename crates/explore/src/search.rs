//! The search: Optimal DPOR (Abdulla, Aronis, Jonsson, Sagonas: *Source Sets: A Foundation for Optimal
//! Dynamic Partial Order Reduction*, J. ACM 64(4), 2017, algorithm 2), on executions whose receives
//! choose their messages.
//!
//! The search goes depth first. Each state on the way is kept as a Machine (copying one copies no
//! term), with the events asleep in it and the tree of what is to be explored from it. At the end of an
//! execution each *race* that is new in it gives a sequence to be explored from an earlier state:
//!
//! * Two events that are dependent by their footprints, and not through events between them: the
//!   second goes first, after all that does not depend on the first.
//! * A receive and another message that it could have taken consistently, sent before or after the
//!   receive but not because of it; or giving up: the receive takes that instead, after all that
//!   does not depend on the receive.
//!
//! Differences from the paper: the choice of a receive is part of the step (the process may have
//! several steps in one state, which depend on each other as steps of one process do); races whose second
//! event was in an earlier execution already are not looked at again, since nothing about them has
//! changed.
//!
//! A choice of a receive may make a choice of another inconsistent without the two being dependent.
//! That cannot hide an execution: the choices of a receive are looked at again in every execution. It
//! could make one be started in vain, which [`Statistics::abandoned`] counts; tests want it to be 0.
//!
//! Cost: an execution costs the events after the place where it leaves the one before it, each a copy
//! of a Machine and a look at all events before it; memory is linear in the length of one execution,
//! plus the wakeup trees of its states, which can in the worst case be exponential.
//!
//! What it may miss: `process_info(_, messages)` shows one order of a mailbox, not all.

use std::rc::Rc;

use machine::footprint::{Class, Footprint, Kind, Object};
use machine::step::{Actor, Choice, Effect, Label, Next, Timeout};
use machine::{Machine, Pid, Process};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::Ref;

use crate::clock::Clock;
use crate::dependence::{conflicting, dependent};
use crate::event::{ActorNumber, Event, Id, MessageId, Put, Take};
use crate::linear::Placed;
use crate::mailbox::{Forced, Order, Rival};
use crate::outcome::{self, Execution, Stop};
use crate::wakeup::{self, Branch};

/// How far to go.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub max_executions: u64,
    /// Events in one execution.
    pub max_depth: usize,
    /// A `receive … after T` gives up only if T (milliseconds) is less.
    pub after_limit: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { max_executions: u64::MAX, max_depth: 5_000, after_limit: u64::MAX }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub executions: u64,
    /// Executions that were begun and turned out to be like others.
    pub abandoned: u64,
    /// Executions that reached the bound on events.
    pub too_deep: u64,
    pub events: u64,
    /// Whether the search came to its end.
    pub complete: bool,
}

/// A state on the way, and the event by which it was left.
struct Frame {
    machine: Machine,
    sleep: Vec<Rc<Event>>,
    wakeup: Vec<Branch>,
    left: Option<Left>,
}

/// An event of the current execution.
struct Left {
    event: Rc<Event>,
    clock: Clock,
    /// Places of earlier events that race with it.
    races: SmallVec<[u32; 4]>,
    receive: Option<Box<Received>>,
    removed: SmallVec<[(u32, MessageId); 1]>,
}

/// What is known about a receive of the current execution.
struct Received {
    forced: Forced,
    can_time_out: bool,
    /// The process in its receive, to ask about messages.
    prober: Process,
}

pub struct Search {
    bounds: Bounds,
    frames: Vec<Frame>,
    statistics: Statistics,
    actors: FxHashMap<Actor, ActorNumber>,
    /// For each actor the event that made it, and the places of its events.
    made_by: Vec<Id>,
    places: Vec<Vec<u32>>,
    /// Which messages are in which mailbox, in the order of the Machine's.
    mailboxes: FxHashMap<Pid, Vec<MessageId>>,
    /// The first frame whose event was not in the execution before.
    new_from: usize,
    last_actor: Option<Actor>,
}

impl Search {
    /// A search from a Machine that is driven step by step.
    pub fn new(mut machine: Machine, bounds: Bounds) -> Search {
        let mut mailboxes = FxHashMap::default();
        for pid in machine.state.pids().collect::<Vec<_>>() {
            machine.next(pid);
            let len = machine.state.process(pid).map_or(0, |process| process.mailbox.len());
            let message = |nth| MessageId { sent_by: Id::BEGINNING, nth };
            mailboxes.insert(pid, (0..len as u32).map(message).collect());
        }
        let first = Frame { machine, sleep: Vec::new(), wakeup: Vec::new(), left: None };
        Search {
            bounds,
            frames: vec![first],
            statistics: Statistics::default(),
            actors: FxHashMap::default(),
            made_by: vec![Id::BEGINNING],
            places: vec![Vec::new()],
            mailboxes,
            new_from: 0,
            last_actor: None,
        }
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Explores; `each` sees every execution and says whether to go on.
    pub fn run(&mut self, mut each: impl FnMut(&Execution<'_>) -> bool) -> Statistics {
        loop {
            let stop = self.extend();
            let go_on = match stop {
                Some(stop) => {
                    self.statistics.executions += 1;
                    if stop == Stop::TooDeep {
                        self.statistics.too_deep += 1;
                    }
                    self.reverse_races();
                    each(&self.execution(stop))
                }
                None => {
                    self.statistics.abandoned += 1;
                    true
                }
            };
            let more = self.back_up();
            if !more {
                self.statistics.complete = self.statistics.too_deep == 0;
                return self.statistics;
            }
            if !go_on || self.statistics.executions >= self.bounds.max_executions {
                return self.statistics;
            }
        }
    }

    fn execution(&self, stop: Stop) -> Execution<'_> {
        let lefts = || self.frames.iter().filter_map(|frame| frame.left.as_ref());
        let machine = &self.frames[self.frames.len() - 1].machine;
        let ended = lefts().filter_map(|left| match (left.event.actor, &left.event.ended) {
            (Actor::Process(pid), Some(reason)) => Some((pid, reason.clone())),
            _ => None,
        });
        Execution {
            machine,
            stop,
            blocked: outcome::blocked(machine),
            ended: ended.collect(),
            events: lefts().map(|left| &*left.event).collect(),
            placed: lefts()
                .map(|left| Placed {
                    event: &left.event,
                    clock: &left.clock,
                    forced: left.receive.as_ref().map(|received| &received.forced),
                })
                .collect(),
        }
    }

    // ---- going forward -------------------------------------------------------------------------------

    /// Goes on from the last state to the end of an execution. `None` if it is like another.
    fn extend(&mut self) -> Option<Stop> {
        loop {
            let depth = self.frames.len() - 1;
            let frame = &self.frames[depth];
            if let Some(stop) = frame.machine.stop_reason() {
                return Some(match stop {
                    Ok(status) => Stop::Halted(status),
                    Err(message) => Stop::Unsupported(message.to_owned()),
                });
            }
            if depth >= self.bounds.max_depth {
                return Some(Stop::TooDeep);
            }
            let branch = if frame.wakeup.is_empty() {
                match self.pick() {
                    Picked::Step(step) => Branch { step, then: Vec::new() },
                    Picked::Nobody => return Some(Stop::Finished),
                    Picked::Spins(pid) => return Some(Stop::Spins(pid)),
                    Picked::AllAsleep => return None,
                }
            } else {
                self.frames[depth].wakeup.remove(0)
            };
            if !self.execute(branch) {
                return None;
            }
        }
    }

    fn number(&mut self, actor: Actor) -> ActorNumber {
        let next = self.made_by.len() as ActorNumber;
        let number = *self.actors.entry(actor).or_insert(next);
        if number == next {
            self.made_by.push(Id::BEGINNING);
            self.places.push(Vec::new());
        }
        number
    }

    fn next_id(&mut self, actor: Actor) -> Id {
        let number = self.number(actor);
        Id { actor: number, seq: self.places[number as usize].len() as u32 + 1 }
    }

    /// The step that an actor could do now.
    fn step(&mut self, actor: Actor, take: Take) -> Event {
        let id = self.next_id(actor);
        let mut event = Event::new(id, actor, take, self.made_by[id.actor as usize]);
        if take != Take::Nothing {
            event.label = Label::Receive;
        }
        event.seal()
    }

    /// Who goes next, where nothing is prescribed: the one that went last if it can, else in the order
    /// of their numbers; timers only when no process can go, giving up last.
    fn pick(&mut self) -> Picked {
        let machine = &self.frames[self.frames.len() - 1].machine;
        let mut pids: Vec<Pid> = machine.state.pids().collect();
        if let Some(Actor::Process(last)) = self.last_actor
            && let Some(at) = pids.iter().position(|pid| *pid == last)
        {
            pids[..=at].rotate_right(1);
        }
        let timers = machine.timers();
        let mut asleep = false;
        let mut late: SmallVec<[Pid; 4]> = SmallVec::new();
        for pid in pids {
            let actor = Actor::Process(pid);
            let machine = &self.frames[self.frames.len() - 1].machine;
            let takes: SmallVec<[Take; 4]> = match machine.known_next(pid) {
                Next::Act | Next::End => SmallVec::from_slice(&[Take::Nothing]),
                Next::Spins => return Picked::Spins(pid),
                Next::Stopped | Next::Gone => SmallVec::new(),
                Next::Receive(receive) => {
                    if self.can_time_out(receive.timeout) {
                        late.push(pid);
                    }
                    self.takeable(pid, &receive.matching)
                }
            };
            for take in takes {
                match self.awake(actor, take) {
                    Some(step) => return Picked::Step(Rc::new(step)),
                    None => asleep = true,
                }
            }
        }
        for timer in timers {
            match self.awake(Actor::Timer(timer), Take::Nothing) {
                Some(step) => return Picked::Step(Rc::new(step)),
                None => asleep = true,
            }
        }
        for pid in late {
            if !self.may_give_up_now(pid) {
                continue;
            }
            match self.awake(Actor::Process(pid), Take::Timeout) {
                Some(step) => return Picked::Step(Rc::new(step)),
                None => asleep = true,
            }
        }
        if asleep { Picked::AllAsleep } else { Picked::Nobody }
    }

    fn can_time_out(&self, timeout: Timeout) -> bool {
        match timeout {
            Timeout::Never => false,
            Timeout::After(ms) => ms < self.bounds.after_limit,
            Timeout::Bad => true,
        }
    }

    fn awake(&mut self, actor: Actor, take: Take) -> Option<Event> {
        let step = self.step(actor, take);
        let sleep = &self.frames[self.frames.len() - 1].sleep;
        (!sleep.iter().any(|asleep| wakeup::same_step(asleep, &step))).then_some(step)
    }

    /// The messages that a process could take now, of those that match.
    fn takeable(&self, pid: Pid, matching: &[u32]) -> SmallVec<[Take; 4]> {
        let Some(mailbox) = self.mailboxes.get(&pid) else { return SmallVec::new() };
        let messages: SmallVec<[MessageId; 4]> =
            matching.iter().filter_map(|index| mailbox.get(*index as usize).copied()).collect();
        if let [only] = messages[..] {
            return SmallVec::from_slice(&[Take::Message(only)]);
        }
        let forced = self.forced(|_| true);
        let consistent = messages.iter().copied().filter(|message| {
            self.is_consistent(Some(*message), &messages, Id::BEGINNING, &forced, &|_| true)
        });
        consistent.map(Take::Message).collect()
    }

    /// Whether a process in a receive may give up although messages for it may be there.
    fn may_give_up_now(&self, pid: Pid) -> bool {
        let machine = &self.frames[self.frames.len() - 1].machine;
        let (Next::Receive(receive), Some(mailbox)) =
            (machine.known_next(pid), self.mailboxes.get(&pid))
        else {
            return false;
        };
        let rivals: SmallVec<[MessageId; 4]> = receive
            .matching
            .iter()
            .filter_map(|index| mailbox.get(*index as usize).copied())
            .collect();
        if rivals.is_empty() {
            return true;
        }
        let before = self.last_of(Actor::Process(pid));
        self.is_consistent(None, &rivals, before, &self.forced(|_| true), &|_| true)
    }

    /// The last event of an actor, or what made it.
    fn last_of(&self, actor: Actor) -> Id {
        let Some(&number) = self.actors.get(&actor) else { return Id::BEGINNING };
        match self.places[number as usize].len() as u32 {
            0 => self.made_by[number as usize],
            seq => Id { actor: number, seq },
        }
    }

    fn left(&self, id: Id) -> Option<&Left> {
        let place = *self.places.get(id.actor as usize)?.get((id.seq as usize).checked_sub(1)?)?;
        self.frames[place as usize].left.as_ref()
    }

    /// The forced edges of receives at places that `includes` says.
    fn forced(&self, includes: impl Fn(usize) -> bool) -> Vec<(&Forced, usize)> {
        let receives = self.frames.iter().enumerate().filter_map(|(place, frame)| {
            let received = frame.left.as_ref()?.receive.as_ref()?;
            let forces = !received.forced.rivals.is_empty() && includes(place);
            forces.then_some((&received.forced, place))
        });
        receives.collect()
    }

    /// Whether a receive may take a message although these others match too; or, with `None`, give up,
    /// where `before` is the event of its process before it.
    fn is_consistent(
        &self,
        message: Option<MessageId>,
        matching: &[MessageId],
        before: Id,
        forced: &[(&Forced, usize)],
        includes: &dyn Fn(Id) -> bool,
    ) -> bool {
        let clocks = |id: Id| self.left(id).map(|left| &left.clock);
        let order = Order { clocks: &clocks, forced, includes };
        match message {
            Some(message) => !matching.iter().any(|other| {
                *other != message
                    && if other.sent_by == message.sent_by {
                        other.nth < message.nth
                    } else {
                        order.reaches(other.sent_by, message.sent_by)
                    }
            }),
            None => !matching.iter().any(|other| order.reaches(other.sent_by, before)),
        }
    }

    /// Takes a step. `false` if that is not possible, which means that the search is wrong.
    fn execute(&mut self, branch: Branch) -> bool {
        let depth = self.frames.len() - 1;
        let actor = branch.step.actor;
        let frame = &self.frames[depth];
        let mut machine = frame.machine.clone();
        let mut receive = None;
        let choice = match (branch.step.take, actor) {
            (Take::Nothing, _) => Choice::Act,
            (take, Actor::Process(pid)) => {
                let Some((choice, received)) = self.receive(pid, take) else { return false };
                receive = Some(received);
                choice
            }
            _ => return false,
        };
        let code = Rc::clone(&machine.code);
        let Some(done) = machine.perform(actor, choice) else { return false };
        self.statistics.events += 1;
        self.last_actor = Some(actor);
        let id = self.next_id(actor);
        let mut event = Event::new(id, actor, branch.step.take, self.made_by[id.actor as usize]);
        event.pc = done.pc;
        event.label = done.log.label;
        event.footprint = done.log.footprint;
        let mut removed = SmallVec::new();
        for effect in done.log.effects {
            self.note_effect(&mut machine, actor, id, effect, &mut event, &mut removed);
        }
        if let Actor::Process(pid) = actor {
            machine.next(pid);
        }
        if !Rc::ptr_eq(&code, &machine.code) {
            // A module was loaded: the states before need not load it again.
            for frame in &mut self.frames {
                frame.machine.code = Rc::clone(&machine.code);
            }
        }
        let event = Rc::new(event.seal());
        let (clock, races) = self.happens_after(&event);
        let frame = &mut self.frames[depth];
        let sleep =
            frame.sleep.iter().filter(|asleep| !dependent(asleep, &event)).cloned().collect();
        frame.left = Some(Left { event: Rc::clone(&event), clock, races, receive, removed });
        self.places[id.actor as usize].push(depth as u32);
        self.frames.push(Frame { machine, sleep, wakeup: branch.then, left: None });
        self.note_rivals(depth, &event);
        true
    }

    fn note_effect(
        &mut self,
        machine: &mut Machine,
        actor: Actor,
        id: Id,
        effect: Effect,
        event: &mut Event,
        removed: &mut SmallVec<[(u32, MessageId); 1]>,
    ) {
        match effect {
            Effect::Put { to, message } => {
                let nth = event.puts.len() as u32;
                self.mailboxes.entry(to).or_default().push(MessageId { sent_by: id, nth });
                event.puts.push(Put { to, message });
                machine.next(to);
            }
            Effect::Took { index, .. } | Effect::Flushed { index } => {
                if let Actor::Process(pid) = actor
                    && let Some(mailbox) = self.mailboxes.get_mut(&pid)
                    && (index as usize) < mailbox.len()
                {
                    removed.push((index, mailbox.remove(index as usize)));
                }
            }
            Effect::Spawned(pid) => {
                let number = self.number(Actor::Process(pid));
                self.made_by[number as usize] = id;
                self.mailboxes.insert(pid, Vec::new());
                machine.next(pid);
            }
            Effect::TimerSet(reference) => {
                let number = self.number(Actor::Timer(reference));
                self.made_by[number as usize] = id;
            }
            // Who ends itself has no other choice.
            Effect::Doomed(pid) if actor == Actor::Process(pid) => {}
            Effect::Doomed(pid) => event.doomed.push(pid),
            Effect::TimerGone(timer) if actor != Actor::Timer(timer) => event.cancelled.push(timer),
            Effect::TimerGone(_) => {}
            Effect::Ended { reason } => event.ended = Some(reason),
        }
    }

    /// Prepares a receive: which message of the Machine's mailbox it takes, and what that forces.
    fn receive(&self, pid: Pid, take: Take) -> Option<(Choice, Box<Received>)> {
        let machine = &self.frames[self.frames.len() - 1].machine;
        let Next::Receive(receive) = machine.known_next(pid) else { return None };
        let mailbox = self.mailboxes.get(&pid)?;
        let (choice, first) = match take {
            Take::Message(message) => {
                let index = mailbox.iter().position(|other| *other == message)? as u32;
                (Choice::Take(index), message.sent_by)
            }
            _ => (
                Choice::GiveUp,
                self.actors.get(&Actor::Process(pid)).map_or(Id::BEGINNING, |&actor| Id {
                    actor,
                    seq: self.places[actor as usize].len() as u32 + 1,
                }),
            ),
        };
        let rivals = receive.matching.iter().filter_map(|index| {
            let message = *mailbox.get(*index as usize)?;
            if take == Take::Message(message) {
                return None;
            }
            let sent_at = match message.sent_by {
                Id::BEGINNING => 0,
                id => self.places[id.actor as usize][id.seq as usize - 1],
            };
            Some(Rival { message, sent_at })
        });
        let received = Received {
            forced: Forced { first: Some(first), rivals: rivals.collect() },
            can_time_out: self.can_time_out(receive.timeout),
            prober: machine.prober(pid)?,
        };
        Some((choice, Box::new(received)))
    }

    /// The clock of an event that is about to be added, and the events that race with it.
    fn happens_after(&self, event: &Event) -> (Clock, SmallVec<[u32; 4]>) {
        let mut clock = Clock::default();
        let mut cause = |id: Id| {
            if let Some(left) = self.left(id) {
                clock.join(&left.clock);
            }
        };
        if event.id.seq > 1 {
            cause(Id { seq: event.id.seq - 1, ..event.id });
        } else {
            cause(event.made_by);
        }
        if let Take::Message(message) = event.take {
            cause(message.sent_by);
        }
        let mut races = SmallVec::new();
        for place in (0..self.frames.len() - 1).rev() {
            let Some(left) = &self.frames[place].left else { continue };
            if !clock.has(left.event.id) && conflicting(&left.event, event) {
                clock.join(&left.clock);
                races.push(place as u32);
            }
        }
        clock.set(event.id);
        (clock, races)
    }

    /// A new event may have put messages that earlier receives could have taken.
    fn note_rivals(&mut self, place: usize, event: &Event) {
        for (nth, put) in event.puts.iter().enumerate() {
            let Some(&number) = self.actors.get(&Actor::Process(put.to)) else { continue };
            for at in (0..self.places[number as usize].len()).rev() {
                let receive_at = self.places[number as usize][at] as usize;
                let Some(left) = &self.frames[place].left else { continue };
                if left.clock.has(Id { actor: number, seq: at as u32 + 1 }) {
                    break; // it and all before it happened before the message was sent
                }
                // The state at hand lends its code; what it asks about is the copied process.
                let mut received =
                    self.frames[receive_at].left.as_mut().and_then(|left| left.receive.take());
                if let Some(received) = &mut received {
                    let machine = &mut self.frames[place].machine;
                    if machine.would_take(&mut received.prober, &put.message) {
                        let message = MessageId { sent_by: event.id, nth: nth as u32 };
                        received.forced.rivals.push(Rival { message, sent_at: place as u32 });
                    }
                }
                if let Some(left) = &mut self.frames[receive_at].left {
                    left.receive = received;
                }
            }
        }
    }

    // ---- at the end of an execution ----------------------------------------------------------------------

    /// Plans what the races of this execution ask for.
    fn reverse_races(&mut self) {
        for place in self.new_from..self.frames.len() - 1 {
            let Some(left) = &self.frames[place].left else { continue };
            let event = Rc::clone(&left.event);
            for first in left.races.clone() {
                match event.actor {
                    Actor::Process(pid) if self.dooms(first as usize, pid) => {}
                    _ => self.plan(first as usize, Rc::clone(&event)),
                }
            }
            for timer in event.cancelled.clone() {
                self.plan_timer(place, timer);
            }
        }
        for place in 0..self.frames.len() - 1 {
            let Some(left) = &self.frames[place].left else { continue };
            for pid in left.event.doomed.clone() {
                self.plan_doomed(place, pid);
            }
        }
        for place in 0..self.frames.len() - 1 {
            self.other_messages(place);
        }
    }

    /// Plans the other choices of a receive.
    fn other_messages(&mut self, place: usize) {
        let Some(left) = &self.frames[place].left else { return };
        let Some(received) = &left.receive else { return };
        let is_new = place >= self.new_from;
        let event = Rc::clone(&left.event);
        let rivals = &received.forced.rivals;
        let can_time_out = received.can_time_out && event.take != Take::Timeout && is_new;
        if !can_time_out
            && !rivals.iter().any(|rival| is_new || rival.sent_at as usize >= self.new_from)
        {
            return;
        }
        let own = match event.take {
            Take::Message(message) => Some(message),
            _ => None,
        };
        let matching: SmallVec<[MessageId; 8]> =
            rivals.iter().map(|rival| rival.message).chain(own).collect();
        let mut takes: SmallVec<[Take; 8]> = SmallVec::new();
        {
            // What would be there without the receive and what depends on it.
            let includes_place = |at: usize| {
                at < place || self.frames[at].left.as_ref().is_some_and(|l| !l.clock.has(event.id))
            };
            let includes = |id: Id| {
                id == Id::BEGINNING || self.left(id).is_some_and(|left| !left.clock.has(event.id))
            };
            let forced = self.forced(includes_place);
            for rival in rivals {
                if (is_new || rival.sent_at as usize >= self.new_from)
                    && self.is_consistent(
                        Some(rival.message),
                        &matching,
                        Id::BEGINNING,
                        &forced,
                        &includes,
                    )
                {
                    takes.push(Take::Message(rival.message));
                }
            }
            let before = match event.id.seq {
                1 => event.made_by,
                seq => Id { seq: seq - 1, ..event.id },
            };
            if can_time_out && self.is_consistent(None, &matching, before, &forced, &includes) {
                takes.push(Take::Timeout);
            }
        }
        for take in takes {
            let mut step = Event::new(event.id, event.actor, take, event.made_by);
            step.footprint = event.footprint.clone();
            step.label = Label::Receive;
            self.plan(place, Rc::new(step.seal()));
        }
    }

    fn dooms(&self, place: usize, pid: Pid) -> bool {
        self.frames[place].left.as_ref().is_some_and(|left| left.event.doomed.contains(&pid))
    }

    /// What an actor would touch by acting in the state at `place`.
    fn footprint_at(&self, place: usize, actor: Actor) -> Footprint {
        let mut machine = self.frames[place].machine.clone();
        let done = machine.perform(actor, Choice::Act);
        done.map(|done| done.log.footprint).unwrap_or_default()
    }

    /// A timer that was cancelled at `place` could have fired before.
    fn plan_timer(&mut self, place: usize, timer: Ref) {
        let actor = Actor::Timer(timer);
        let number = self.number(actor);
        let id = Id { actor: number, seq: 1 };
        let mut step = Event::new(id, actor, Take::Nothing, self.made_by[number as usize]);
        step.footprint = self.footprint_at(place, actor);
        self.plan(place, Rc::new(step.seal()));
    }

    /// A process that is doomed by the event at `place` could have gone on before: with what it was
    /// about to do, or with any message that it could have taken.
    fn plan_doomed(&mut self, place: usize, pid: Pid) {
        let actor = Actor::Process(pid);
        let number = self.number(actor);
        // It did nothing since that event but end.
        let seq = self.places[number as usize].iter().filter(|at| (**at as usize) < place).count();
        let id = Id { actor: number, seq: seq as u32 + 1 };
        let end_at = self.places[number as usize].get(seq).copied();
        let end_is_new = end_at.is_none_or(|at| at as usize >= self.new_from);
        let mut step = Event::new(id, actor, Take::Nothing, self.made_by[number as usize]);
        let receive = match self.frames[place].machine.known_next(pid) {
            Next::Act | Next::End => {
                if end_is_new {
                    step.footprint = self.footprint_at(place, actor);
                    self.plan(place, Rc::new(step.seal()));
                }
                return;
            }
            Next::Receive(receive) => receive,
            _ => return,
        };
        step.footprint.add(Kind::Add, Object::of(Class::Mailbox, pid));
        step.label = Label::Receive;
        let Some(doom) = self.frames[place].left.as_ref().map(|left| left.event.id) else { return };
        let (matching, is_new) = self.messages_for(place, doom, pid);
        if !is_new && !end_is_new {
            return;
        }
        let mut takes: SmallVec<[Take; 8]> = SmallVec::new();
        {
            let includes_place = |at: usize| {
                at < place || self.frames[at].left.as_ref().is_some_and(|l| !l.clock.has(doom))
            };
            let includes = |id: Id| {
                id == Id::BEGINNING || self.left(id).is_some_and(|left| !left.clock.has(doom))
            };
            let forced = self.forced(includes_place);
            for message in &matching {
                let beginning = Id::BEGINNING;
                if self.is_consistent(Some(*message), &matching, beginning, &forced, &includes) {
                    takes.push(Take::Message(*message));
                }
            }
            let before = match id.seq {
                1 => step.made_by,
                seq => Id { seq: seq - 1, ..id },
            };
            if self.can_time_out(receive.timeout)
                && self.is_consistent(None, &matching, before, &forced, &includes)
            {
                takes.push(Take::Timeout);
            }
        }
        for take in takes {
            let mut step = step.clone();
            step.take = take;
            self.plan(place, Rc::new(step.seal()));
        }
    }

    /// The messages that a process in a receive could take, of those in its mailbox at `place` and
    /// those that were sent later, but not because of the event `without`. Says whether one of them is
    /// new in this execution.
    fn messages_for(
        &mut self,
        place: usize,
        without: Id,
        pid: Pid,
    ) -> (SmallVec<[MessageId; 8]>, bool) {
        let mut found = SmallVec::new();
        let mut is_new = false;
        let Some(mut prober) = self.frames[place].machine.prober(pid) else {
            return (found, false);
        };
        let number = self.number(Actor::Process(pid));
        let taken = |search: &Search, message: MessageId| {
            search.places[number as usize].iter().any(|at| {
                (*at as usize) < place
                    && search.frames[*at as usize].left.as_ref().is_some_and(|left| {
                        left.event.take == Take::Message(message)
                            || left.removed.iter().any(|(_, removed)| *removed == message)
                    })
            })
        };
        for at in 0..self.frames.len() - 1 {
            let Some(left) = &self.frames[at].left else { continue };
            if left.clock.has(without) {
                continue;
            }
            let event = Rc::clone(&left.event);
            for (nth, put) in event.puts.iter().enumerate() {
                let message = MessageId { sent_by: event.id, nth: nth as u32 };
                if put.to == pid
                    && !taken(self, message)
                    && self.frames[place].machine.would_take(&mut prober, &put.message)
                {
                    found.push(message);
                    is_new |= at >= self.new_from;
                }
            }
        }
        (found, is_new)
    }

    /// What is to be explored from the state at `place` instead of the event there: all that does not
    /// depend on that event, then `last`.
    fn plan(&mut self, place: usize, last: Rc<Event>) {
        let Some(left) = &self.frames[place].left else { return };
        let first = left.event.id;
        let mut sequence: Vec<Rc<Event>> = self.frames[place + 1..]
            .iter()
            .filter_map(|frame| frame.left.as_ref())
            .filter(|left| !left.clock.has(first))
            .map(|left| Rc::clone(&left.event))
            .collect();
        sequence.push(last);
        let frame = &mut self.frames[place];
        let covered = frame.sleep.iter().any(|asleep| wakeup::initial(asleep, &sequence).is_some());
        if !covered {
            wakeup::insert(&mut frame.wakeup, sequence);
        }
    }

    /// Goes back to the last state from which something is left to be explored. `false` if none is.
    fn back_up(&mut self) -> bool {
        self.frames.pop();
        loop {
            let Some(frame) = self.frames.last_mut() else { return false };
            let Some(left) = frame.left.take() else { return false };
            let event = Rc::clone(&left.event);
            frame.sleep.push(event);
            let more = !frame.wakeup.is_empty();
            self.undo(left);
            if more {
                break;
            }
            self.frames.pop();
        }
        self.new_from = self.frames.len() - 1;
        let new_from = self.new_from;
        for frame in &mut self.frames {
            if let Some(received) = frame.left.as_mut().and_then(|left| left.receive.as_mut()) {
                received.forced.rivals.retain(|rival| (rival.sent_at as usize) < new_from);
            }
        }
        self.last_actor = match self.frames.len() {
            0 | 1 => None,
            len => self.frames[len - 2].left.as_ref().map(|left| left.event.actor),
        };
        true
    }

    /// The mailboxes as they were before an event.
    fn undo(&mut self, left: Left) {
        let event = &left.event;
        self.places[event.id.actor as usize].pop();
        for put in event.puts.iter().rev() {
            if let Some(mailbox) = self.mailboxes.get_mut(&put.to) {
                // An event may take a message that it put itself.
                if let Some(at) = mailbox.iter().rposition(|m| m.sent_by == event.id) {
                    mailbox.remove(at);
                }
            }
        }
        if let Actor::Process(pid) = event.actor
            && let Some(mailbox) = self.mailboxes.get_mut(&pid)
        {
            for (index, message) in left.removed.iter().rev() {
                if message.sent_by != event.id {
                    mailbox.insert(*index as usize, *message);
                }
            }
        }
    }
}

enum Picked {
    Step(Rc<Event>),
    Nobody,
    Spins(Pid),
    AllAsleep,
}
