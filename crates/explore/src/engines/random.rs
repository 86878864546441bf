//! Random executions, for what cannot be exhausted: PCT (Burckhardt, Kothari, Musuvathi,
//! Nagarakatte: *A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs*, ASPLOS
//! 2010).
//!
//! Every actor has a priority, random among those that there are; who can act and has the highest
//! acts. At a few steps, chosen at random before, the one that is about to act gets a priority
//! below all. An error that needs the right order of `d` steps, in a program of `n` actors and `k`
//! steps, is found by one such execution with `d - 1` changes with a probability of at least 1/(n
//! k^(d-1)). The number of steps is that of the longest execution so far.
//!
//! What differs from the paper: a receive that could give up is an actor of its own beside its
//! process, as time may pass whenever it likes; timers are actors, too, and where messages and
//! signals travel so is whatever is on its way from one process to another.
//!
//! Mailboxes have the order of arrival, executions are not compared with each other, and nothing is
//! covered for certain. The same seed gives the same executions.

use machine::step::{Actor, Choice, Glance};
use machine::{Bound, Ending, Machine, Pid};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::{ActorNumber, Event, MessageId};
use crate::mailbox::Delivery;
use crate::naive::{Rules, State, perform};
use crate::outcome::{self, Execution};
use crate::schedule::Schedule;

/// What to walk.
#[derive(Clone, Debug)]
pub struct Walks {
    pub executions: u64,
    pub seed: u64,
    /// How many steps in the right order an error may need.
    pub depth: u32,
    pub max_depth: usize,
    pub after_limit: u64,
    pub delivery: Delivery,
}

/// What was walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Walked {
    pub executions: u64,
    /// Schedules that differ from all others.
    pub different: u64,
    pub events: u64,
    pub too_deep: u64,
}

/// Numbers that look random (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// Who can act.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Who {
    Actor(Actor),
    /// The time-out of a receive, or a reading that ties with another.
    Patience(Actor),
    /// The messages of an actor that are on their way to a process.
    Way(ActorNumber, Pid),
}

/// What can be done.
#[derive(Clone, Copy)]
enum Next {
    Act(Actor, Choice),
    /// A message arrives, which is no event.
    Arrive(Pid, MessageId),
}

impl Next {
    fn who(self) -> Who {
        match self {
            Next::Act(actor, Choice::GiveUp | Choice::Tie) => Who::Patience(actor),
            Next::Act(actor, _) => Who::Actor(actor),
            Next::Arrive(pid, message) => Who::Way(message.sent_by.actor, pid),
        }
    }
}

struct Walk<'a> {
    walks: &'a Walks,
    random: Random,
    priorities: FxHashMap<Who, u64>,
    /// Steps at which priorities change.
    changes: Vec<u64>,
}

/// Walks; `each` sees every execution and says whether to go on.
pub fn walk(
    start: &Machine,
    walks: &Walks,
    mut each: impl FnMut(&Execution<'_>) -> bool,
) -> Walked {
    let mut start = start.clone();
    let mut walked = Walked::default();
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut longest = 1;
    for number in 0..walks.executions {
        let mut random =
            Random(walks.seed.wrapping_add(number.wrapping_mul(0xD1B5_4A32_D192_ED03)));
        let changes = (1..walks.depth).map(|_| random.next() % longest).collect();
        let mut walk = Walk { walks, random, priorities: FxHashMap::default(), changes };
        let mut machine = start.clone();
        machine.be_exact(true);
        let (state, stop) = walk.run(&mut machine);
        let schedule = state.schedule(&machine, walks.delivery);
        // Code that was loaded need not be loaded again.
        start.use_code_of(&machine);
        walked.executions += 1;
        walked.events += state.events.len() as u64;
        walked.too_deep += u64::from(stop.is_too_deep());
        walked.different += u64::from(seen.insert(fingerprint(&schedule)));
        longest = longest.max(state.events.len() as u64);
        let events: Vec<&Event> = state.events.iter().collect();
        let ended = events.iter().filter_map(|event| match (event.actor, &event.ended) {
            (Actor::Process(pid), Some(reason)) => Some((pid, reason.clone())),
            _ => None,
        });
        let execution = Execution {
            machine: &machine,
            stop,
            blocked: outcome::blocked(&machine),
            ended: ended.collect(),
            events: events.clone(),
            delivery: walks.delivery,
            placed: outcome::unordered(),
            left_out: outcome::nothing(),
            new_from: 0,
            is_first: false,
            schedule: Some(schedule),
            share: 0.0,
        };
        if !each(&execution) {
            break;
        }
    }
    walked
}

fn fingerprint(schedule: &Schedule) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    for step in &schedule.steps {
        (step.actor, step.gives_up, step.takes).hash(&mut hasher);
    }
    hasher.finish()
}

impl Walk<'_> {
    fn run(&mut self, machine: &mut Machine) -> (State, Ending) {
        let Walks { delivery, after_limit, max_depth, .. } = *self.walks;
        let rules = Rules { after_limit, delivery };
        machine.set_horizon(after_limit);
        let mut state = State::at_beginning(machine, delivery);
        let stop = loop {
            if let Some(stop) = machine.stop_reason() {
                break match stop {
                    Ok(status) => Ending::Halted(status),
                    Err(what) => Ending::unsupported(what.clone()),
                };
            }
            let done = state.events.len();
            if done >= max_depth {
                break Ending::bound(Bound::Events(self.walks.max_depth));
            }
            let spins = |pid: &Pid| machine.glance(*pid) == Glance::Spins;
            if let Some(pid) = machine.pids().find(spins) {
                break Ending::Spins(pid);
            }
            let acts = rules.choices(machine, &state).into_iter();
            let mut choices: Vec<Next> =
                acts.map(|(actor, choice)| Next::Act(actor, choice)).collect();
            if delivery == Delivery::Any {
                let arrivals = state.on_their_way().into_iter();
                choices.extend(arrivals.map(|(pid, message)| Next::Arrive(pid, message)));
            }
            let Some(next) = self.highest(&choices) else { break Ending::Quiescent };
            if self.changes.contains(&(done as u64)) {
                // Below all that are drawn, and below those that were put there before.
                let lowest = u64::from(u32::MAX).saturating_sub(done as u64);
                self.priorities.insert(next.who(), lowest);
                self.changes.retain(|change| *change != done as u64);
                continue;
            }
            let (actor, choice) = match next {
                Next::Act(actor, choice) => (actor, choice),
                Next::Arrive(pid, message) => {
                    state.arrived.entry(pid).or_default().push(message);
                    continue;
                }
            };
            perform(machine, &mut state, actor, choice);
            if state.events.len() == done {
                // What can be done was not possible: a defect, not to be repeated.
                break Ending::Quiescent;
            }
            if let Actor::Process(pid) = actor {
                machine.next(pid);
            }
        };
        (state, stop)
    }

    fn highest(&mut self, choices: &[Next]) -> Option<Next> {
        for next in choices {
            // Above those that changes give.
            let Walk { random, priorities, .. } = self;
            let draw = || u64::from(u32::MAX) + 1 + random.next() / 2;
            priorities.entry(next.who()).or_insert_with(draw);
        }
        choices.iter().copied().max_by_key(|next| self.priorities.get(&next.who()).copied())
    }
}
