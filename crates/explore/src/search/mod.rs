//! The search: Optimal DPOR (Abdulla, Aronis, Jonsson, Sagonas: *Source Sets: A Foundation for
//! Optimal Dynamic Partial Order Reduction*, J. ACM 64(4), 2017, algorithm 2), on executions whose
//! receives choose their messages.
//!
//! The search goes depth first, on one Machine. Of each state on the way it keeps the steps asleep
//! in it and the tree of what is to be explored from it (`wakeup.rs`); the state itself is made
//! again when the search comes back to it, from a copy of an earlier one (`states.rs`).
//! `forward.rs` takes steps and says what happens before what. At the end of an execution each
//! *race* that is new in it gives a sequence to be explored from an earlier state (`races.rs`).
//!
//! Differences from the paper: the choice of a receive is part of the step (the process may have
//! several steps in one state, which depend on each other as steps of one process do); races whose
//! second event was in an earlier execution already are looked at again only where something about
//! them has changed (`races.rs` says when).
//!
//! A choice of a receive may make a choice of another inconsistent without the two being dependent.
//! So that this hides no execution, what was impossible for that reason is asked for again. It
//! could make one be started in vain, which [`Statistics::abandoned`] counts; tests want it to be
//! 0.
//!
//! Cost: an execution costs the events after the place where it leaves the one before it, about
//! twice: once to make the state at that place, once to go on from it. For each of these events the
//! earlier ones that could conflict with it are looked at (`index.rs`). Memory is linear in the
//! length of one execution, plus a number of Machines logarithmic in it, plus the wakeup trees of
//! its states, which can in the worst case be exponential.

mod arrivals;
mod by_pid;
mod common;
mod dictionaries;
mod ends;
mod executed;
mod fits;
mod forward;
mod index;
mod look;
mod needless_downs;
mod noted;
mod pick;
mod races;
mod remainder;
mod revisited;
mod states;
mod ties;
mod timeouts;

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use machine::step::Actor;
use machine::{Bound, Ending, Machine, Pid, State};

use crate::event::{ActorNumber, Id, MessageId, Step, Take};
use crate::mailbox::{Delivery, Force, Order};
use crate::outcome::{self, Execution};
use crate::tree::{Claim, First, Node, NodeId, Shared, Todo};
use crate::wakeup::Branch;

use arrivals::{Arrivals, Moment};
use by_pid::{Mailboxes, Numbers};
use executed::{Executed, Received, Reversed, Spare};
use forward::{Asleep, Taken};
use index::Index;
use noted::Noted;
use pick::Picked;
use remainder::Remainder;
use states::Copies;

/// What ways may cost. What costs more is not explored, and counted in [`Statistics::beyond`].
/// (Preemptions are bounded by a search of their own, see `bounded.rs`.)
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Limit {
    #[default]
    None,
    /// How often another branch may be taken than the one that the search takes first.
    Delays(u32),
}

/// How far to go.
#[derive(Clone, Debug)]
pub struct Bounds {
    pub max_executions: u64,
    /// Events in one execution.
    pub max_depth: usize,
    /// A `receive … after T` times out only if T (milliseconds) is less.
    pub after_limit: u64,
    pub limit: Limit,
    /// Whether executions say which part of all they are.
    pub estimate: bool,
    pub delivery: Delivery,
    /// Whether ends that nobody notices are left out (see `ends.rs`), and so is the order of clocks
    /// that only one process reads, and of heirs that nobody asks for ([`Machine::be_exact`]). Who
    /// wants that must be prepared to begin again without it ([`Statistics::again`]).
    pub leave_out_ends: bool,
    /// Moments between an action and changes of the dictionary (`machine::step::dictionary`).
    pub dictionaries: Moments,
    /// Moments inside of ends (`machine::step::apart`).
    pub ends: Moments,
    /// Whether nobody asks what is left to be done when the search is stopped: then the races of
    /// its last execution are not looked at, which are many where many processes take part.
    pub forgets_rest: bool,
    /// Whether it is to stop, asked also while there is no execution to be seen.
    pub is_over: IsOver,
}

/// What is done where somebody could come in at a moment that is none here, because hardly anybody
/// can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Moments {
    /// It is not explored.
    #[default]
    Hidden,
    /// The search has to be done again with all such moments shown.
    Noticed,
    /// There are events on both sides of it.
    Shown,
}

impl Bounds {
    /// Those of a search that has to be done again.
    pub fn again(&self, statistics: Statistics) -> Bounds {
        let Statistics { early_looks, ends_met, .. } = statistics;
        let shown = |is_so: bool, before: Moments| if is_so { Moments::Shown } else { before };
        Bounds {
            leave_out_ends: self.leave_out_ends && (early_looks > 0 || ends_met > 0),
            dictionaries: shown(early_looks > 0, self.dictionaries),
            ends: shown(ends_met > 0, self.ends),
            ..self.clone()
        }
    }
}

/// Whether somebody else wants the search to stop; by default nobody does.
#[derive(Clone, Default)]
pub struct IsOver(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl IsOver {
    pub fn new(is_over: impl Fn() -> bool + Send + Sync + 'static) -> IsOver {
        IsOver(Some(Arc::new(is_over)))
    }

    pub(crate) fn asked(&self) -> bool {
        self.0.as_ref().is_some_and(|is_over| is_over())
    }
}

impl fmt::Debug for IsOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IsOver").field(&self.asked()).finish()
    }
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            max_executions: u64::MAX,
            max_depth: 5_000,
            after_limit: u64::MAX,
            limit: Limit::None,
            estimate: false,
            delivery: Delivery::Instant,
            leave_out_ends: false,
            dictionaries: Moments::Hidden,
            ends: Moments::Hidden,
            forgets_rest: false,
            is_over: IsOver::default(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    pub executions: u64,
    /// Executions that were begun and turned out to be like others.
    pub abandoned: u64,
    /// Executions that reached the bound on events.
    pub too_deep: u64,
    /// Branches that were not followed to their end because of the [`Limit`].
    pub beyond: u64,
    /// In how many events it was known that somebody had looked at the dictionary of a process that
    /// had changed it since its last event: that the change could be later was not explored.
    pub early_looks: u64,
    /// In how many events it was known that somebody could have come between steps of an end that
    /// were one event ([`Moments::Noticed`]).
    pub ends_met: u64,
    /// Events of all executions together.
    pub events: u64,
    /// Whether the search came to its end.
    pub complete: bool,
    /// Whether it has to be done again ([`Bounds::again`]): what was explored is not all.
    pub again: bool,
}

impl Statistics {
    /// Whether nothing was left out of what was explored.
    pub fn is_all(&self) -> bool {
        self.too_deep == 0 && self.beyond == 0 && self.early_looks == 0
    }

    /// Adds what another worker of the same search did.
    pub fn add(&mut self, other: Statistics) {
        self.executions += other.executions;
        self.abandoned += other.abandoned;
        self.too_deep += other.too_deep;
        self.beyond += other.beyond;
        self.early_looks += other.early_looks;
        self.ends_met += other.ends_met;
        self.events += other.events;
    }
}

/// Where it is written what remains to be done from a state.
enum Work {
    Own(Todo),
    /// Others know the state, too.
    Common(NodeId),
}

/// A state on the way, and the event by which it was left.
struct Frame {
    work: Work,
    executed: Option<Box<Executed>>,
    /// A copy of the state.
    copy: Option<Box<State>>,
    /// What the way to it costs, see [`Limit`].
    cost: u32,
}

impl Frame {
    fn new(sleep: Vec<Arc<Step>>, wakeup: Vec<Branch>, cost: u32) -> Frame {
        let work = Work::Own(Todo { sleep, wakeup, begun: 0 });
        Frame { work, executed: None, copy: None, cost }
    }
}

/// How an execution ended for the search.
enum End {
    Stop(Ending),
    /// It is like another.
    Redundant,
    /// It costs too much.
    Beyond,
}

pub struct Search {
    bounds: Bounds,
    shared: Arc<Shared>,
    frames: Vec<Frame>,
    /// The state at the last frame.
    machine: Box<Machine>,
    statistics: Statistics,
    actors: Numbers,
    /// For each actor the event that made it, and the places of its events.
    made_by: Vec<Id>,
    places: Vec<Vec<u32>>,
    index: Index,
    /// Places of events that chose: receives, and looks at several messages.
    choosing: Vec<u32>,
    /// At the end of an execution: those of them that force something.
    forcing: Vec<u32>,
    noted: Noted,
    copies: Copies,
    spare: Spare,
    /// Places of old events whose races are looked at again (`revisited.rs`).
    revisited: Vec<u32>,
    /// What was planned instead of old events, by their places, that is not where it belongs in
    /// this execution (`revisited.rs`).
    stale: Vec<(u32, Id, Take)>,
    mailboxes: Mailboxes,
    /// The first frame whose event was not in the execution before.
    new_from: usize,
    last_actor: Option<Actor>,
    /// How many events it had in a row, since the search went back.
    in_a_row: u32,
    ends: ends::Known,
    /// Whether one sequence to be explored is as good as all, and there is one.
    plans_one: bool,
    /// How often it was asked whether there is enough ([`Search::is_enough`]).
    questions: Cell<u32>,
    has_planned: bool,
    /// Which part of all executions those were that nobody was told of yet.
    untold_share: f64,
}

impl Search {
    /// A search from a Machine that is driven step by step.
    pub fn new(machine: Machine, bounds: Bounds) -> Search {
        let shared = Arc::new(Shared::new(1, bounds.max_executions));
        Search::with(machine, bounds, shared)
    }

    /// One worker of a search.
    pub(crate) fn with(mut machine: Machine, bounds: Bounds, shared: Arc<Shared>) -> Search {
        bounds.delivery.set(&mut machine);
        machine.set_horizon(bounds.after_limit);
        machine.be_exact(!bounds.leave_out_ends);
        machine.show_dictionaries(bounds.dictionaries == Moments::Shown);
        machine.take_ends_apart(bounds.ends == Moments::Shown);
        let pids: Vec<Pid> = machine.pids().collect();
        let mut mailboxes = Mailboxes::default();
        for &pid in &pids {
            machine.next(pid);
            let len = machine.process(pid).map_or(0, |process| process.mailbox.len());
            let message = |nth| MessageId { sent_by: Id::BEGINNING, nth };
            mailboxes.begin(pid).extend((0..len as u32).map(message));
        }
        let mut first = Frame::new(Vec::new(), Vec::new(), 0);
        first.copy = Some(Box::new(machine.copy_state()));
        let timers = machine.timers();
        let ends = ends::Known::new(bounds.leave_out_ends);
        let mut search = Search {
            ends,
            bounds,
            shared,
            frames: vec![first],
            machine: Box::new(machine),
            statistics: Statistics::default(),
            actors: Numbers::default(),
            made_by: vec![Id::BEGINNING],
            places: vec![Vec::new()],
            index: Index::default(),
            choosing: Vec::new(),
            forcing: Vec::new(),
            noted: Noted::default(),
            copies: Copies::default(),
            spare: Spare::default(),
            revisited: Vec::new(),
            stale: Vec::new(),
            mailboxes,
            new_from: 0,
            last_actor: None,
            in_a_row: 0,
            plans_one: false,
            questions: Cell::new(0),
            has_planned: false,
            untold_share: 0.0,
        };
        let there = pids.into_iter().map(Actor::Process);
        for actor in there.chain(timers.into_iter().map(Actor::Timer)) {
            search.number(actor);
        }
        search
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Explores; `each` sees every execution and says whether to go on.
    pub fn run(&mut self, each: impl FnMut(&Execution<'_>) -> bool) -> Statistics {
        let finished = self.work(true, each);
        self.statistics.again = self.shared.must_begin_again();
        self.statistics.complete = finished && self.statistics.is_all();
        self.statistics
    }

    /// Does a part of the search: from the beginning, or what others leave. Whether there is
    /// nothing left to be done.
    pub(crate) fn work(
        &mut self,
        from_beginning: bool,
        mut each: impl FnMut(&Execution<'_>) -> bool,
    ) -> bool {
        let mut claim = None;
        if !from_beginning {
            claim = self.task();
            if claim.is_none() {
                return !self.shared.is_stopped();
            }
        }
        if !self.shared.permit() {
            self.stop(claim);
            return false;
        }
        loop {
            self.once(claim, &mut each);
            claim = match self.back_up() {
                Some(claim) => Some(claim),
                None => match self.task() {
                    Some(claim) => Some(claim),
                    None => return !self.shared.is_stopped(),
                },
            };
            if self.shared.is_stopped() || !self.shared.permit() {
                self.stop(claim);
                return false;
            }
            self.rewind();
        }
    }

    /// One execution, beginning with this branch.
    fn once(&mut self, claim: Option<Claim>, each: &mut impl FnMut(&Execution<'_>) -> bool) {
        let is_first = claim.is_none();
        self.learn_lives();
        match self.extend(claim) {
            End::Stop(stop) => {
                self.statistics.executions += 1;
                self.statistics.events += self.frames.len() as u64 - 1;
                self.statistics.too_deep += u64::from(stop.is_too_deep());
                self.conclude_lives();
                let share = std::mem::take(&mut self.untold_share);
                if !each(&Execution { is_first, share, ..self.execution(stop) }) {
                    self.shared.stop();
                }
                self.look_further();
            }
            End::Redundant => self.statistics.abandoned += 1,
            End::Beyond => self.statistics.beyond += 1,
        }
        if self.shared.is_hungry() {
            self.share(false);
        }
    }

    /// Plans what is to be explored because of this execution, as far as anybody will.
    fn look_further(&mut self) {
        if !self.bounds.forgets_rest {
            self.reverse_races();
        } else if !self.shared.is_stopped() {
            // After the last execution that may be begun all that matters is whether there are
            // more.
            self.plans_one = !self.shared.may_permit();
            if !(self.plans_one && (0..self.frames.len()).any(|place| self.pending(place) > 0)) {
                self.reverse_races();
            }
        }
        if self.bounds.is_over.asked() {
            self.shared.stop();
        }
        self.untold_share += self.share_of_all();
    }

    /// One execution for a worker that takes turns with others in one thread. `false` if it finds
    /// nothing to do.
    pub(crate) fn turn(
        &mut self,
        from_beginning: bool,
        each: &mut impl FnMut(&Execution<'_>) -> bool,
    ) -> bool {
        let mut claim = None;
        if !from_beginning {
            claim = self.back_up().or_else(|| self.task());
            if claim.is_none() {
                return false;
            }
            self.rewind();
        }
        self.once(claim, each);
        true
    }

    fn execution(&self, stop: Ending) -> Execution<'_> {
        let executed_events = || self.frames.iter().filter_map(|frame| frame.executed.as_deref());
        let machine: &Machine = &self.machine;
        let mut events = Vec::with_capacity(self.frames.len());
        events.extend(executed_events().map(|executed| &executed.event));
        let end = |at: &u32| {
            let event = &self.frames[*at as usize].executed.as_ref()?.event;
            match (event.actor, &event.ended) {
                (Actor::Process(pid), Some(reason)) => Some((pid, reason.clone())),
                _ => None,
            }
        };
        let ended = self.noted.ends.iter().filter_map(end).collect();
        Execution {
            machine,
            stop,
            blocked: outcome::blocked(machine),
            ended,
            events,
            delivery: self.bounds.delivery,
            placed: Box::new(move || executed_events().map(Executed::placed).collect()),
            left_out: Box::new(|| self.ends_left_out()),
            new_from: self.new_from,
            is_first: false,
            schedule: None,
            share: 0.0,
        }
    }

    /// How many branches of a state wait to be explored.
    fn pending(&self, place: usize) -> usize {
        match &self.frames[place].work {
            Work::Own(todo) => todo.wakeup.len(),
            Work::Common(node) => {
                self.shared.look(*node, |node| node.wakeup.len()).unwrap_or_default()
            }
        }
    }

    /// How many branches of a state are known.
    fn branches(&self, place: usize) -> usize {
        match &self.frames[place].work {
            Work::Own(todo) => todo.begun as usize + todo.wakeup.len(),
            Work::Common(node) => {
                let count = |node: &Node| node.begun.len() + node.wakeup.len();
                self.shared.look(*node, count).unwrap_or_default()
            }
        }
    }

    /// Which part of all executions this one stands for, as far as branches are known: one branch
    /// of each state, all being equal.
    fn share_of_all(&self) -> f64 {
        if !self.bounds.estimate {
            return 0.0;
        }
        (0..self.frames.len()).fold(1.0, |share, at| share / self.branches(at).max(1) as f64)
    }

    /// Goes on from the last state to the end of an execution, with this branch first.
    fn extend(&mut self, mut claim: Option<Claim>) -> End {
        loop {
            let depth = self.frames.len() - 1;
            if let Some(stop) = self.machine.stop_reason() {
                let stop = match stop {
                    Ok(status) => Ending::Halted(status),
                    Err(what) => Ending::unsupported(what.clone()),
                };
                self.explore_nothing_from(depth);
                return End::Stop(stop);
            }
            if depth >= self.bounds.max_depth {
                self.explore_nothing_from(depth);
                let bound = Bound::Events(self.bounds.max_depth);
                let repeats = self.repeats().map(Ending::Repeats);
                return End::Stop(repeats.unwrap_or(Ending::bound(bound)));
            }
            let taken = match claim.take().or_else(|| self.claim(None)) {
                Some(first) => {
                    let (taken, next) = self.begin(first);
                    claim = next;
                    taken
                }
                None => match self.pick() {
                    Picked::Step(actor, take) => self.execute(actor, take, Vec::new(), None),
                    Picked::Nobody => return End::Stop(Ending::Quiescent),
                    Picked::Spins(pid) => return End::Stop(Ending::Spins(pid)),
                    Picked::AllAsleep => return End::Redundant,
                },
            };
            match taken {
                Taken::Done => {}
                Taken::Impossible => return End::Redundant,
                Taken::Beyond => return End::Beyond,
            }
        }
    }

    /// What was to be explored from a state is not.
    fn explore_nothing_from(&mut self, place: usize) {
        match &mut self.frames[place].work {
            Work::Own(todo) => todo.wakeup.clear(),
            Work::Common(node) => self.shared.clear(*node),
        }
    }

    /// Takes the first step of a branch. If others know the state after it, and more is prescribed
    /// there, that is taken with it.
    fn begin(&mut self, claim: Claim) -> (Taken, Option<Claim>) {
        match claim {
            Claim::Own(mut branch) => {
                let (actor, take) = (branch.step.actor, branch.step.take);
                if branch.is_beside && !self.may_choose(actor, take) {
                    return (Taken::Impossible, None);
                }
                (self.execute(actor, take, std::mem::take(&mut branch.then), None), None)
            }
            Claim::Common { step, sleep, begun } => {
                let at = self.frames.len() - 1;
                let asleep = Asleep { sleep, begun };
                let taken = match self.may_choose(step.actor, step.take) {
                    true => self.execute(step.actor, step.take, Vec::new(), Some(asleep)),
                    false => Taken::Impossible,
                };
                let Work::Common(node) = self.frames[at].work else {
                    return (Taken::Impossible, None);
                };
                let begun = match (&self.frames[at].executed, self.frames.get(at + 1)) {
                    (Some(executed), Some(Frame { work: Work::Own(todo), cost, .. })) => {
                        let (step, asleep) = (&executed.event.step, &todo.sleep[..]);
                        self.shared.begun(node, Some(First { step, asleep, cost: *cost }))
                    }
                    _ => self.shared.begun(node, None),
                };
                let next = begun.map(|(child, claim)| {
                    if let Some(frame) = self.frames.get_mut(at + 1) {
                        frame.work = Work::Common(child);
                    }
                    claim
                });
                (taken, next)
            }
        }
    }

    /// The next branch that waits at the last state, of which `done` is explored.
    fn claim(&mut self, done: Option<&Step>) -> Option<Claim> {
        match &mut self.frames.last_mut()?.work {
            Work::Own(todo) if todo.wakeup.is_empty() => None,
            Work::Own(todo) => Some(Claim::Own(todo.wakeup.remove(0))),
            Work::Common(node) => self.shared.next(*node, done),
        }
    }

    // ---- who is who
    // --------------------------------------------------------------------------------------

    fn number(&mut self, actor: Actor) -> ActorNumber {
        if let Some(number) = self.actors.get(actor) {
            return number;
        }
        let number = self.shared.number(actor);
        self.actors.insert(actor, number);
        let len = self.made_by.len().max(number as usize + 1);
        self.made_by.resize(len, Id::BEGINNING);
        self.places.resize(len, Vec::new());
        number
    }

    /// The name of the next event of an actor, if that is known.
    fn next_id(&self, actor: Actor) -> Option<Id> {
        let number = self.actors.get(actor)?;
        Some(Id { actor: number, seq: self.places[number as usize].len() as u32 + 1 })
    }

    /// The last event of an actor, or what made it.
    fn last_of(&self, actor: Actor) -> Id {
        let Some(number) = self.actors.get(actor) else { return Id::BEGINNING };
        match self.places[number as usize].len() as u32 {
            0 => self.made_by[number as usize],
            seq => Id { actor: number, seq },
        }
    }

    fn executed(&self, id: Id) -> Option<&Executed> {
        let place = *self.places.get(id.actor as usize)?.get((id.seq as usize).checked_sub(1)?)?;
        self.frames[place as usize].executed.as_deref()
    }

    // ---- mailboxes
    // ---------------------------------------------------------------------------------------

    /// The forced edges of all receives.
    fn forced(&self) -> Vec<Force<'_>> {
        self.forced_at(&self.choosing, |_| true)
    }

    /// At the end of an execution: the forced edges of the receives in a rest.
    fn forced_in(&self, remainder: &Remainder) -> Vec<Force<'_>> {
        self.forced_at(&self.forcing, |at| self.is_at(remainder, at))
    }

    /// The forced edges of receives at those places that `includes` says.
    fn forced_at(&self, places: &[u32], includes: impl Fn(usize) -> bool) -> Vec<Force<'_>> {
        let mut found = Vec::with_capacity(places.len());
        for &place in places {
            let place = place as usize;
            if let Some(executed) = &self.frames[place].executed
                && executed.forces(self.bounds.delivery)
                && includes(place)
            {
                let (id, take) = (executed.event.id, executed.event.take);
                for forced in executed.forced(self.bounds.delivery) {
                    let first = forced.first.and_then(|first| self.executed(first));
                    let before_first = first.map(|executed| &executed.clock);
                    found.push(Force { forced, id, take, before_first });
                }
            }
        }
        found
    }

    /// Whether a receive may take a message although these others match too; or, with `None`, give
    /// up, where `before` is the event of its process before it.
    fn is_consistent(
        &self,
        message: Option<MessageId>,
        matching: &[MessageId],
        before: Id,
        forced: &[Force<'_>],
        includes: &impl Fn(Id) -> bool,
    ) -> bool {
        if self.bounds.delivery == Delivery::Any {
            if message.is_some_and(|message| !self.may_have_arrived(message, includes)) {
                return false;
            }
            let arrivals = Arrivals { search: self, receives: forced, includes };
            let goal = message.map_or(Moment::Event(before), Moment::Arrival);
            let others = matching.iter().filter(|other| Some(**other) != message);
            return !others.into_iter().any(|other| arrivals.arrives_before(*other, goal));
        }
        let clocks = |id: Id| self.executed(id).map(|executed| &executed.clock);
        let order = Order { clocks, forced, includes };
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

    // ---- going back
    // --------------------------------------------------------------------------------------

    /// Goes back to the last state from which something is left to be explored, and takes that.
    fn back_up(&mut self) -> Option<Claim> {
        loop {
            let frame = self.frames.last_mut()?;
            let executed = frame.executed.take();
            // A state of which nothing is left to be explored is done with.
            if let (Work::Own(todo), Some(executed)) = (&mut frame.work, &executed)
                && !todo.wakeup.is_empty()
            {
                todo.sleep.push(Arc::clone(&executed.event.step));
            }
            if let Some(executed) = &executed {
                self.undo(executed);
            }
            let claim = self.claim(executed.as_ref().map(|executed| &*executed.event.step));
            if let Some(executed) = executed {
                self.spare.put_aside(executed);
            }
            if claim.is_some() {
                self.went_back();
                return claim;
            }
            if self.frames.len() == 1 {
                return None;
            }
            self.pop_frame();
        }
    }

    /// Events from here on are new.
    fn went_back(&mut self) {
        self.new_from = self.frames.len() - 1;
        let new_from = self.new_from;
        for place in &self.choosing {
            let executed = self.frames[*place as usize].executed.as_mut();
            if let Some(received) = executed.and_then(|executed| executed.receive.as_mut()) {
                let rivals = &mut received.forced.rivals;
                let before = rivals.len();
                rivals.retain(|rival| (rival.sent_at as usize) < new_from);
                if rivals.len() < before {
                    received.settled.retain(|take| match take {
                        Take::Message(message) => rivals.iter().any(|r| r.message == *message),
                        _ => true,
                    });
                }
            }
        }
        self.in_a_row = 0;
        self.last_actor = match self.frames.len() {
            0 | 1 => None,
            len => self.frames[len - 2].executed.as_ref().map(|executed| executed.event.actor),
        };
    }

    /// What the search knows, as it was before an event.
    fn undo(&mut self, executed: &Executed) {
        let event = &executed.event;
        self.places[event.id.actor as usize].pop();
        if executed.chose() {
            self.choosing.pop();
        }
        self.noted.pop(executed);
        self.index.pop(&event.step);
        for put in event.puts.iter().rev() {
            let mailbox = self.mailboxes.of(put.to);
            // An event may take a message that it put itself.
            if let Some(at) = mailbox.iter().rposition(|m| m.sent_by == event.id) {
                mailbox.remove(at);
            }
        }
        if let Actor::Process(pid) = event.actor {
            for (index, message) in executed.removed.iter().rev() {
                if message.sent_by != event.id {
                    self.mailboxes.of(pid).insert(*index as usize, *message);
                }
            }
        }
    }
}
