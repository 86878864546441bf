//! All executions with at most so many preemptions (`preemption.rs` says what that is), the
//! cheapest first: iterative context bounding (Musuvathi, Qadeer: *Iterative Context Bounding for
//! Systematic Testing of Multithreaded Programs*, PLDI 2007; for Erlang, with processes that are
//! never scheduled while they wait: Christakis, Gotovos, Sagonas: *Systematic Testing for Detecting
//! Concurrency Errors in Erlang Programs*, ICST 2013, section VI).
//!
//! The scheduler's choices are gone through level by level. On level c are the *prefixes*
//! (beginnings of interleavings) that c preemptions lead to and fewer do not; who would have to be
//! stopped in one of them waits for level c + 1. What differs from the papers is that equivalent
//! prefixes are explored once. Two are **equivalent** if
//! * they have the same events, the same messages taken and the same order of conflicting events
//!   (the class of `naive::class`, for a prefix), and
//! * the messages that wait have the same order in every mailbox (a receive takes the first that
//!   matches), as far as that matters: `rivals.rs` says which do, and that a level may have to be
//!   done again when more of it becomes known. (Where messages travel: the order in which they have
//!   arrived.)
//!
//! Then both lead to the same state, and whatever follows one follows the other. Which process
//! acted last is no part of that: it decides only what costs a preemption. So it is remembered from
//! which prefixes which *step* was taken. Levels being done in order, it was taken at no greater
//! cost, and need not be again. (Where messages and signals travel, arrivals are steps, too. They
//! stop nobody, and whoever acted last goes on afterwards, so these are remembered with that.)
//!
//! **What is explored**: exactly the classes of executions of which some interleaving has at most N
//! preemptions, each told once, with a schedule that has the fewest. The optimal search cannot
//! promise that: it goes from one class to the next by races, and a class that is cheap may be
//! reached through dear ones only.
//!
//! That nothing is left, whatever it costs, shows when no step waits for the next level; or
//! earlier, when the optimal search ends after as many executions as were found: it is asked after
//! each level, for one more than that.
//!
//! Cost: a step for each pair of a prefix, up to equivalence, and an actor that can go on in it.
//! There are more prefixes than executions, and all of them are explored, so without a small bound
//! this takes far longer than the optimal search. Memory: about 80 bytes for each step taken, which
//! is remembered until the end (so whoever looks is asked every now and then whether to go on),
//! plus the states on one way. Prefixes are compared by hashes of 128 bits.

use std::cell::OnceCell;

use machine::step::{Actor, Choice, Glance};
use machine::{Bound, Ending, Machine, Pid, Repeat};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::dependence::conflicting;
use crate::event::{Event, MessageId, Take};
use crate::fingerprint::Name;
use crate::lives;
use crate::mailbox::Delivery;
use crate::naive::{self, Rules};
use crate::order;
use crate::outcome::{self, Execution};
use crate::parallel::Look;
use crate::placing;
use crate::preemption;
use crate::repeat;
use crate::rivals::Rivals;
use crate::search::{Bounds, Limit, Moments, Search, Statistics};

/// After how many steps it is asked whether to go on; and after how many executions of the other
/// search.
const OFTEN: u64 = 1 << 10;
const ALSO_OFTEN: u64 = 1 << 6;

/// What was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explored {
    pub statistics: Statistics,
    /// All executions with at most so many preemptions were.
    pub all_with: Option<u32>,
    /// Steps that were taken, and are remembered.
    pub steps: u64,
}

/// Explores all executions with at most `most` preemptions. `look` sees one of each class.
pub fn explore<L: Look>(machine: &Machine, bounds: &Bounds, most: u32, look: &mut L) -> Explored {
    let mut search = Bounded::new(machine.clone(), bounds);
    loop {
        let ended = search.levels(most, look);
        match ended {
            // What was learned before anything was told.
            Err(Halt::Learned) if search.statistics.executions == 0 => search.begin_again(),
            _ => return search.explored(ended),
        }
    }
}

/// Why a search stops before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Halt {
    /// The life of a process is touched that was taken for unwatched.
    Learned,
    /// Something depends on an order that was not looked at ([`Machine::be_exact`]).
    Unsettled,
    /// The order of messages matters where it was taken not to.
    Rivals,
    /// More executions than the bound allows.
    Enough,
    /// Whoever looks does not want more.
    Wanted,
}

/// Something that can be next.
#[derive(Clone, Copy, Debug)]
enum Move {
    Act(Actor, Choice),
    /// A message arrives that was on its way.
    Arrive(Pid, MessageId),
}

/// A prefix in the tree of all that were come to.
#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    /// Which of the moves that were possible led to it.
    nth: u32,
}

/// A prefix on the way.
struct Spot {
    node: u32,
    /// The name of the class of its events.
    class: u128,
    /// By which it was left.
    left_by: Option<Move>,
    /// What is to be explored from it on this level, the next last.
    todo: SmallVec<[(Move, u32); 4]>,
    copy: Option<Box<machine::State>>,
}

/// A prefix from which somebody can go on who has to stop another for that.
struct Dear {
    node: u32,
    /// Where the names of these steps end in [`Bounded::dear_steps`].
    end: usize,
}

struct Bounded<'a> {
    bounds: &'a Bounds,
    rules: Rules,
    machine: Box<Machine>,
    /// Whether the Machine is not in the state of the last spot.
    is_stale: bool,
    run: naive::State,
    way: Vec<Spot>,
    tree: Vec<Node>,
    /// Steps that were taken or are to be on this level; and prefixes that wait for the next.
    known: FxHashSet<u128>,
    classes: FxHashSet<u128>,
    dear: Vec<Dear>,
    dear_steps: Vec<u128>,
    statistics: Statistics,
    steps: u64,
    all_with: Option<u32>,
    /// Whose life others touch, see `search/ends.rs`; and whether that grew.
    watched: FxHashSet<u64>,
    has_learned: bool,
    /// Whether something depends on an order that was not looked at.
    is_unsettled: bool,
    /// In which mailboxes the order matters.
    rivals: Rivals,
    /// How many steps there were when it began again for the last time; and with how many it does
    /// so, if it has to.
    begun_at: u64,
    patience: Option<u64>,
    /// How many events are those of the execution that was told last.
    told: usize,
    /// Whether an execution did not come to its end: another search may stop it elsewhere.
    has_stopped: bool,
    /// Whether there are no other executions, whatever they cost.
    is_all: bool,
}

impl<'a> Bounded<'a> {
    fn new(mut machine: Machine, bounds: &'a Bounds) -> Bounded<'a> {
        machine.set_horizon(bounds.after_limit);
        machine.be_exact(!bounds.leave_out_ends);
        machine.show_dictionaries(bounds.dictionaries == Moments::Shown);
        machine.take_ends_apart(bounds.ends == Moments::Shown);
        let run = naive::State::at_beginning(&mut machine, bounds.delivery);
        let beginning = Spot {
            node: 0,
            class: 0,
            left_by: None,
            todo: SmallVec::new(),
            copy: Some(Box::new(machine.copy_state())),
        };
        Bounded {
            bounds,
            rules: Rules { after_limit: bounds.after_limit, delivery: bounds.delivery },
            machine: Box::new(machine),
            is_stale: false,
            run,
            way: vec![beginning],
            tree: vec![Node { parent: 0, nth: 0 }],
            known: FxHashSet::default(),
            classes: FxHashSet::default(),
            dear: Vec::new(),
            dear_steps: Vec::new(),
            statistics: Statistics::default(),
            steps: 0,
            all_with: None,
            watched: FxHashSet::default(),
            has_learned: false,
            is_unsettled: false,
            rivals: Rivals::default(),
            begun_at: 0,
            patience: None,
            told: 0,
            has_stopped: false,
            is_all: false,
        }
    }

    fn explored(self, ended: Result<(), Halt>) -> Explored {
        let mut statistics = self.statistics;
        if ended.is_ok() && !self.is_all {
            let left = self.dear_steps.iter().filter(|step| !self.known.contains(step));
            statistics.beyond = left.count() as u64;
        }
        statistics.again = matches!(ended, Err(Halt::Learned | Halt::Unsettled));
        statistics.complete = ended.is_ok() && statistics.is_all();
        Explored { statistics, all_with: self.all_with, steps: self.steps }
    }

    // ---- levels
    // ------------------------------------------------------------------------------------------

    /// Everything, level by level.
    fn levels<L: Look>(&mut self, most: u32, look: &mut L) -> Result<(), Halt> {
        let mut level = 0;
        loop {
            let done = match level {
                0 => self.arrive(look).and_then(|()| self.explore_from_here(look)),
                _ => self.next_level(look),
            };
            match done {
                Err(halt) if halt != Halt::Rivals => return Err(halt),
                _ if self.is_unsettled => return Err(Halt::Unsettled),
                Ok(()) if self.has_learned => return Err(Halt::Learned),
                // Prefixes were taken for equivalent that are not.
                _ if self.rivals.have_grown => {
                    self.begin_again();
                    level = 0;
                    continue;
                }
                _ => {}
            }
            if self.all_with < Some(level) {
                self.all_with = Some(level);
                self.is_all = self.dear.is_empty() || self.are_all(look);
            }
            if self.is_all || level == most {
                return Ok(());
            }
            level += 1;
        }
    }

    /// Back to the beginning, with what was told and learned.
    fn begin_again(&mut self) {
        while self.way.len() > 1 {
            self.leave();
        }
        self.way.iter_mut().for_each(|spot| spot.todo.clear());
        self.make_fresh();
        self.tree.truncate(1);
        self.known.clear();
        self.dear.clear();
        self.dear_steps.clear();
        self.has_learned = false;
        self.rivals.have_grown = false;
        self.begun_at = self.steps;
        self.patience = None;
    }

    /// What waited for this level.
    fn next_level<L: Look>(&mut self, look: &mut L) -> Result<(), Halt> {
        let (dear, steps) = (std::mem::take(&mut self.dear), std::mem::take(&mut self.dear_steps));
        let mut from = 0;
        for Dear { node, end } in dear {
            if steps[from..end].iter().any(|step| !self.known.contains(step)) {
                self.go_to(node);
                self.take_all();
                self.explore_from_here(look)?;
            }
            from = end;
        }
        Ok(())
    }

    /// Explores what is to be explored from the last spot, and from there on.
    fn explore_from_here<L: Look>(&mut self, look: &mut L) -> Result<(), Halt> {
        let from = self.way.len();
        loop {
            let Some(spot) = self.way.last_mut() else { return Ok(()) };
            match spot.todo.pop() {
                Some((next, nth)) => {
                    self.steps += 1;
                    if self.steps.is_multiple_of(OFTEN) && !look.goes_on() {
                        return Err(Halt::Wanted);
                    }
                    self.tree.push(Node { parent: spot.node, nth });
                    self.go(next, self.tree.len() as u32 - 1);
                    self.arrive(look)?;
                    if self.rivals.have_grown {
                        // There are probably more; but not too many steps in vain.
                        let most = 2 * self.steps - self.begun_at + OFTEN;
                        if self.steps > *self.patience.get_or_insert(most) {
                            return Err(Halt::Rivals);
                        }
                    }
                }
                None if self.way.len() == from => return Ok(()),
                None => self.leave(),
            }
        }
    }

    /// At a new prefix: what is to be explored from it on this level, and what waits for the next.
    fn arrive<L: Look>(&mut self, look: &mut L) -> Result<(), Halt> {
        if self.run.events.len() >= self.bounds.max_depth {
            let stop = self.repeats().map_or_else(|| self.too_deep(), Ending::Repeats);
            return self.tell(stop, look);
        }
        let moves = match self.machine.stop_reason() {
            Some(_) => Vec::new(),
            None => self.moves(),
        };
        if moves.is_empty() {
            return self.tell(self.stop(), look);
        }
        let prefix = self.prefix();
        let last = self.run.last();
        let end = self.dear.last().map_or(0, |dear| dear.end);
        let mut todo = SmallVec::new();
        for (nth, next) in moves.into_iter().enumerate() {
            let step = named_step(prefix, next, last);
            let is_dear = match next {
                Move::Act(actor, _) => preemption::stops(&self.machine, last, actor),
                Move::Arrive(..) => false,
            };
            if is_dear && !self.known.contains(&step) {
                self.dear_steps.push(step);
            } else if !is_dear && self.known.insert(step) {
                todo.push((next, nth as u32));
            }
        }
        let waits = self.dear_steps.len() > end;
        match waits && self.known.insert(named_prefix(prefix)) {
            true => {
                let node = self.way.last().map_or(0, |spot| spot.node);
                self.dear.push(Dear { node, end: self.dear_steps.len() });
            }
            false => self.dear_steps.truncate(end),
        }
        self.explore_later(todo);
        Ok(())
    }

    /// At a prefix that waited for this level: everything that was not taken from it.
    fn take_all(&mut self) {
        let (prefix, last) = (self.prefix(), self.run.last());
        let moves = self.moves().into_iter().enumerate();
        let is_new = |(nth, next): (usize, Move)| {
            self.known.insert(named_step(prefix, next, last)).then_some((next, nth as u32))
        };
        let todo = moves.filter_map(is_new).collect();
        self.explore_later(todo);
        // The next prefix that waited is probably a longer one.
        let copy = || Box::new(self.machine.copy_state());
        if let Some(spot) = self.way.last_mut() {
            spot.copy.get_or_insert_with(copy);
        }
    }

    /// Notes what is to be explored from the last spot: who acted last first, then processes in
    /// order, timers, and last those that give up or end.
    fn explore_later(&mut self, mut todo: SmallVec<[(Move, u32); 4]>) {
        let last = self.run.last();
        let rank = |next: &Move| match *next {
            Move::Arrive(..) | Move::Act(Actor::Signal(_), _) => 0,
            Move::Act(Actor::Timer(_), _) => 3,
            Move::Act(_, Choice::GiveUp) => 4,
            Move::Act(Actor::Process(pid), _) if self.machine.ends_alone(pid) => 5,
            Move::Act(actor, _) => 1 + u8::from(Some(actor) != last),
        };
        todo.sort_by_key(|(next, nth)| std::cmp::Reverse((rank(next), *nth)));
        if let Some(spot) = self.way.last_mut() {
            if todo.len() > 1 && spot.copy.is_none() {
                spot.copy = Some(Box::new(self.machine.copy_state()));
            }
            spot.todo = todo;
        }
    }

    /// What can be next: the same list whenever the search comes to this prefix.
    fn moves(&self) -> Vec<Move> {
        let choices = self.rules.choices(&self.machine, &self.run).into_iter();
        let acts = choices.map(|(actor, choice)| Move::Act(actor, choice));
        let is_offered = |next: &Move| match next {
            Move::Act(Actor::Process(pid), Choice::Act) => !self.is_left_out(*pid),
            _ => true,
        };
        let mut moves: Vec<Move> = acts.filter(is_offered).collect();
        if self.bounds.delivery == Delivery::Any {
            let arrivals = self.run.on_their_way().into_iter();
            moves.extend(arrivals.map(|(pid, message)| Move::Arrive(pid, message)));
        }
        moves
    }

    /// Notes whether somebody has looked at a dictionary that could have been another, or could
    /// have come between steps of an end.
    fn note_moments(&mut self) {
        if self.machine.has_met_end() && self.bounds.ends == Moments::Noticed {
            self.statistics.ends_met += 1;
            self.is_unsettled = true;
        }
        if self.machine.has_looked_early() {
            self.statistics.early_looks += 1;
            self.is_unsettled |= self.bounds.dictionaries == Moments::Noticed;
        }
    }

    /// Whether a process is about to end, and nobody will notice.
    fn is_left_out(&self, pid: Pid) -> bool {
        self.bounds.leave_out_ends
            && self.machine.ends_alone(pid)
            && lives::is_left_out(&self.machine, pid, &self.watched)
    }

    // ---- names
    // -------------------------------------------------------------------------------------------

    /// What two equivalent prefixes have in common.
    fn prefix(&self) -> u128 {
        let class = self.way.last().map_or(0, |spot| spot.class);
        let mailboxes = self.run.mailboxes.iter();
        let orders = match self.bounds.delivery {
            Delivery::Instant => mailboxes
                .filter(|(pid, messages)| {
                    messages.len() > 1 && self.machine.process(**pid).is_some()
                })
                .map(|(pid, messages)| self.rivals.name_of(*pid, messages))
                .fold(0, u128::wrapping_add),
            // Others may have to wait until they have arrived.
            Delivery::Any => mailboxes
                .map(|(pid, messages)| self.arrivals(*pid, messages))
                .fold(0, u128::wrapping_add),
        };
        class.wrapping_add(orders)
    }

    /// A name of what has arrived of the messages that wait, in that order.
    fn arrivals(&self, pid: Pid, messages: &[MessageId]) -> u128 {
        let arrived = self.run.arrived.get(&pid).into_iter().flatten();
        let mut name = Name::new(pid.0);
        let waiting = arrived.filter(|message| messages.contains(message));
        waiting.for_each(|message| name.add_message(*message));
        name.done()
    }

    /// What the last event adds to the name of a class: a line of `naive::class`.
    fn last_line(&self) -> u128 {
        let Some((event, earlier)) = self.run.events.split_last() else { return 0 };
        let mut name = Name::of_event(event);
        match event.take {
            Take::Nothing | Take::Order(_) => name.add(0),
            Take::Timeout => name.add(1),
            Take::Tie => name.add(2),
            Take::Message(message) => name.add_message(message),
        }
        event.seen.iter().for_each(|message| name.add_message(*message));
        let conflicts = earlier
            .iter()
            .filter(|earlier| earlier.id.actor != event.id.actor && conflicting(earlier, event))
            .map(|earlier| Name::of_event(earlier).done())
            .fold(0, u128::wrapping_add);
        name.add_name(conflicts);
        name.done()
    }

    /// The name of the class of an execution. Ends that were left out belong to it: in another
    /// execution of the class they may not have been, if somebody still watched the process then.
    fn whole_class(&self) -> u128 {
        let end_line = |end: &Event| {
            let mut name = Name::of_event(end);
            name.add(0);
            name.add_name(0);
            name.done()
        };
        let class = self.way.last().map_or(0, |spot| spot.class);
        self.ends_left_out().iter().map(end_line).fold(class, u128::wrapping_add)
    }

    // ---- the way
    // -----------------------------------------------------------------------------------------

    /// Goes on by one move.
    fn go(&mut self, next: Move, node: u32) {
        self.make_fresh();
        let Some(spot) = self.way.last_mut() else { return };
        spot.left_by = Some(next);
        let mut class = spot.class;
        match next {
            Move::Act(actor, choice) => {
                self.find_rivals(actor, choice);
                naive::perform(&mut self.machine, &mut self.run, actor, choice);
                class = class.wrapping_add(self.last_line());
                self.find_looks();
                self.note_moments();
                self.is_unsettled |= self.machine.is_unsettled();
                if self.bounds.leave_out_ends
                    && let Some(event) = self.run.events.last()
                {
                    for owner in lives::touched_by(&event.step) {
                        self.has_learned |= self.watched.insert(owner);
                    }
                }
            }
            Move::Arrive(pid, message) => self.run.arrived.entry(pid).or_default().push(message),
        }
        let (todo, copy) = (SmallVec::new(), None);
        self.way.push(Spot { node, class, left_by: None, todo, copy });
    }

    /// Notes whose messages a receive can choose from.
    fn find_rivals(&mut self, actor: Actor, choice: Choice) {
        if let (Actor::Process(pid), Choice::Take(_), Delivery::Instant) =
            (actor, choice, self.bounds.delivery)
            && let Glance::Receive { matching, .. } = self.machine.glance(pid)
            && matching.len() > 1
            && let Some(mailbox) = self.run.mailboxes.get(&pid)
        {
            let messages = matching.iter().filter_map(|at| mailbox.get(*at as usize).copied());
            self.rivals.meet(pid, messages);
        }
    }

    /// Notes whose whole mailbox the last event has looked at.
    fn find_looks(&mut self) {
        if let (Some(event), Delivery::Instant) = (self.run.events.last(), self.bounds.delivery)
            && event.seen.len() > 1
            && let Some(pid) = order::asked_about(event.footprint())
        {
            self.rivals.are_looked_at(pid);
        }
    }

    /// Goes back by one move.
    fn leave(&mut self) {
        self.way.pop();
        self.is_stale = true;
        match self.way.last_mut().and_then(|spot| spot.left_by.take()) {
            Some(Move::Act(..)) => self.run.take_back(),
            Some(Move::Arrive(pid, _)) => {
                self.run.arrived.entry(pid).or_default().pop();
            }
            None => {}
        }
        self.told = self.told.min(self.run.events.len());
    }

    /// Has the Machine in the state of the last spot.
    fn make_fresh(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        let copied = self.way.iter().rposition(|spot| spot.copy.is_some());
        let Some((from, copy)) = copied.and_then(|at| Some((at, self.way[at].copy.as_deref()?)))
        else {
            return;
        };
        self.machine.go_back(copy);
        for spot in &self.way[from..] {
            if let Some(Move::Act(actor, choice)) = spot.left_by {
                self.machine.act(actor, choice);
                self.machine.log().clear();
            }
        }
        for pid in self.machine.pids().collect::<Vec<_>>() {
            self.machine.settle(pid);
        }
    }

    /// Goes to a prefix at which the search was before.
    fn go_to(&mut self, node: u32) {
        let mut path = vec![node];
        while let Some(&first) = path.last()
            && first != 0
        {
            path.push(self.tree[first as usize].parent);
        }
        path.reverse();
        let same =
            self.way.iter().zip(&path).take_while(|(spot, node)| spot.node == **node).count();
        while self.way.len() > same {
            self.leave();
        }
        for node in &path[same..] {
            self.make_fresh();
            let moves = self.moves();
            if let Some(next) = moves.get(self.tree[*node as usize].nth as usize) {
                self.go(*next, *node);
            }
        }
        self.make_fresh();
    }

    // ---- executions
    // --------------------------------------------------------------------------------------

    /// Why nothing can be next.
    fn stop(&self) -> Ending {
        let machine = &self.machine;
        match machine.stop_reason() {
            Some(Ok(status)) => Ending::Halted(status),
            Some(Err(what)) => Ending::unsupported(what.clone()),
            None => {
                let spins = |pid: &Pid| machine.glance(*pid) == Glance::Spins;
                machine.pids().find(spins).map_or(Ending::Quiescent, Ending::Spins)
            }
        }
    }

    /// Tells an execution, if it is the first of its class.
    fn tell<L: Look>(&mut self, stop: Ending, look: &mut L) -> Result<(), Halt> {
        if self.is_unsettled {
            return Err(Halt::Unsettled);
        }
        if self.has_learned {
            return Err(Halt::Learned);
        }
        if !self.classes.insert(self.whole_class()) {
            return Ok(());
        }
        if self.statistics.executions >= self.bounds.max_executions {
            return Err(Halt::Enough);
        }
        let is_first = self.statistics.executions == 0;
        self.statistics.executions += 1;
        self.statistics.events += self.run.events.len() as u64;
        self.statistics.too_deep += u64::from(stop.is_too_deep());
        self.has_stopped |= !stop.is_quiescent();
        let events: Vec<&Event> = self.run.events.iter().collect();
        let ended = events.iter().filter_map(|event| match (event.actor, &event.ended) {
            (Actor::Process(pid), Some(reason)) => Some((pid, reason.clone())),
            _ => None,
        });
        let orders = OnceCell::new();
        let placed = || {
            let orders: &Vec<placing::Order> = orders.get_or_init(|| self.orders());
            orders.iter().zip(&self.run.events).map(|(order, event)| order.placed(event)).collect()
        };
        let goes_on = look.look(&Execution {
            machine: &self.machine,
            stop,
            blocked: outcome::blocked(&self.machine),
            ended: ended.collect(),
            delivery: self.bounds.delivery,
            placed: Box::new(placed),
            left_out: Box::new(|| self.ends_left_out()),
            new_from: self.told,
            is_first,
            schedule: Some(self.run.schedule(&self.machine, self.bounds.delivery)),
            share: 0.0,
            events,
        });
        self.told = self.run.events.len();
        if goes_on { Ok(()) } else { Err(Halt::Wanted) }
    }

    fn ends_left_out(&self) -> Vec<Event> {
        let left_out = self.machine.pids().filter(|pid| self.is_left_out(*pid));
        let end = |(nth, pid): (usize, Pid)| {
            let (id, made_by) = self.run.next_id(Actor::Process(pid), nth as u32);
            lives::quiet_end(&self.machine, pid, id, made_by)
        };
        left_out.enumerate().filter_map(end).collect()
    }

    /// How the Machine was told to do what it did.
    fn acts(&self) -> Vec<(Actor, Choice)> {
        let act = |spot: &Spot| match spot.left_by {
            Some(Move::Act(actor, choice)) => Some((actor, choice)),
            _ => None,
        };
        self.way.iter().filter_map(act).collect()
    }

    /// The Machine as it was before everything.
    fn beginning(&self) -> Option<Machine> {
        Some(self.machine.in_state(self.way.first()?.copy.as_deref()?))
    }

    /// What orders the events so far.
    fn orders(&self) -> Vec<placing::Order> {
        let Some(mut machine) = self.beginning() else { return Vec::new() };
        let state = self.run.before_all(&mut machine, self.bounds.delivery);
        let choices: Vec<Choice> = self.acts().iter().map(|(_, choice)| *choice).collect();
        placing::of(machine, state, &self.run.events, &choices)
    }

    fn too_deep(&self) -> Ending {
        Ending::bound(Bound::Events(self.bounds.max_depth))
    }

    /// Whether the execution so far comes back to one of its states.
    fn repeats(&self) -> Option<Repeat> {
        let acts = self.acts();
        let events: Vec<&Event> = self.run.events.iter().collect();
        repeat::find(self.beginning()?, &events, |machine, nth| {
            machine.perform(acts[nth].0, acts[nth].1);
            events[nth].puts.iter().for_each(|put| machine.settle(put.to));
        })
    }

    /// Whether what was found are all executions that there are: the optimal search, which explores
    /// each once, ends after as many.
    fn are_all<L: Look>(&self, look: &mut L) -> bool {
        let found = self.statistics.executions;
        let Some(machine) = self.beginning().filter(|_| !self.has_stopped) else { return false };
        let bounds = Bounds {
            max_executions: found + 1,
            limit: Limit::None,
            estimate: false,
            ..self.bounds.clone()
        };
        let mut seen = 0;
        let statistics = Search::new(machine, bounds).run(|_| {
            seen += 1;
            seen % ALSO_OFTEN != 0 || look.goes_on()
        });
        statistics.complete && !statistics.again && statistics.executions == found
    }
}

/// The name of a prefix as one that waits for the next level.
fn named_prefix(prefix: u128) -> u128 {
    let mut name = Name::new(1);
    name.add_name(prefix);
    name.done()
}

/// The name of a step from a prefix. After an arrival whoever acted last is still the one that
/// acted last.
fn named_step(prefix: u128, next: Move, last: Option<Actor>) -> u128 {
    let mut name = Name::new(2);
    name.add_name(prefix);
    match next {
        Move::Act(actor, choice) => {
            name.add_actor(Some(actor));
            // What a receive does is decided by the prefix.
            if choice == Choice::Tie {
                name.add(1);
            }
        }
        Move::Arrive(pid, message) => {
            name.add_actor(Some(Actor::Process(pid)));
            name.add_message(message);
        }
    }
    if let Move::Arrive(..) | Move::Act(Actor::Signal(_), _) = next {
        name.add_actor(last);
    }
    name.done()
}
