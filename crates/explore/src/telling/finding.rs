//! What an exploration finds: failures (`failure.rs`; `rules.rs` says what is one) that are the
//! same put together, each with its simplest schedule.
//!
//! While exploring, failures are told apart by process identifiers, which are the same in all
//! executions ([`Findings::look`]); `explain.rs` has what is done with them at the end. Of the
//! executions that show a finding the simplest schedule is kept: that of the first of all, in which
//! everybody goes on as long as possible, if it needs no preemption; else `naming.rs` says which it
//! is. So it does not matter which worker finds it first.

use std::collections::BTreeMap;

use atom::known;
use machine::footprint::fingerprint;
use machine::step::{Actor, PidTable};
use machine::{Pid, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::consequence::{Compared, roots};
pub use crate::explain::{Explained, Replayed, explain, replayed};
use crate::failure::Identity;
pub use crate::failure::{Failure, Kind};
use crate::naming;
use crate::outcome::Execution;
use crate::place::Place;
use crate::rules::{Causes, ended_as_meant, is_shutdown, plainly};
pub use crate::rules::{Manner, Rules};
use crate::schedule::Schedule;

/// One way to fail.
#[derive(Clone, Debug)]
pub struct Finding {
    pub failure: Failure,
    /// How many executions show it.
    pub count: u64,
    pub schedule: Schedule,
}

impl Finding {
    pub fn kind(&self) -> Kind {
        self.failure.kind()
    }

    /// Where it happened.
    pub fn place(&self) -> Option<&Place> {
        self.failure.place()
    }
}

/// Collects findings.
#[derive(Default)]
pub struct Findings {
    rules: Rules,
    /// By the order in which they were found, and where they are in that.
    found: Vec<Finding>,
    /// Their schedules without the ends that executions leave out.
    bare: Vec<Bare>,
    places: BTreeMap<Identity, u32>,
    /// What is wrong with executions that end in some way.
    ends: FxHashMap<EndState, Together>,
    /// Which reasons tell of which others.
    compared: Compared,
    /// How many executions show just these, where that are several.
    together: BTreeMap<Together, u64>,
    /// Who is who in the schedules.
    pub(crate) names: Option<PidTable>,
    /// Those of the execution that was looked at last.
    last: Together,
}

/// A schedule of a finding, without the ends that executions leave out.
#[derive(Clone, Default)]
pub struct Bare {
    pub schedule: Schedule,
    /// Whether it is that of the first execution, and without preemptions: there is none that is
    /// simpler.
    pub is_plain: bool,
}

/// Findings of one execution, by their places.
pub(crate) type Together = SmallVec<[u32; 4]>;

/// How an execution ended, as far as that decides what is wrong with it: who ended for which reason
/// and because of whom, who waits where.
type EndState = SmallVec<[u64; 16]>;

/// How many endings are remembered.
const ENDINGS: usize = 1_000;

impl Findings {
    pub fn new(rules: Rules) -> Findings {
        Findings { rules, ..Findings::default() }
    }

    /// By their identities.
    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.places.values().filter_map(|place| self.found.get(*place as usize))
    }

    /// The same, each with what its schedule is compared by.
    pub fn with_bare(&self) -> impl Iterator<Item = (&Finding, &Bare)> {
        self.iter().zip(self.places.values().map(|place| &self.bare[*place as usize]))
    }

    /// Those of the execution that was looked at last.
    pub fn of_last(&self) -> impl Iterator<Item = &Finding> {
        self.last.iter().filter_map(|place| self.found.get(*place as usize))
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// How many executions show just these findings, where that are several: their places in
    /// [`Findings::iter`].
    pub fn together(&self) -> Vec<(Vec<usize>, u64)> {
        let mut order = vec![0; self.found.len()];
        for (nth, place) in self.places.values().enumerate() {
            order[*place as usize] = nth;
        }
        let mut sets: Vec<(Vec<usize>, u64)> = Vec::with_capacity(self.together.len());
        for (places, count) in &self.together {
            let mut set: Vec<usize> = places.iter().map(|place| order[*place as usize]).collect();
            set.sort_unstable();
            sets.push((set, *count));
        }
        sets.sort_unstable();
        sets
    }

    /// Looks at an execution. Says whether anything is wrong with it.
    pub fn look(&mut self, execution: &Execution<'_>) -> bool {
        if self.names.is_none() {
            self.names = execution.machine.pid_table();
        }
        let ending = self.ending(execution);
        let known = ending.as_ref().and_then(|ending| self.ends.get(ending)).cloned();
        let places = known.unwrap_or_else(|| {
            let places = self.failures_of(execution);
            if let Some(ending) = ending.filter(|_| self.ends.len() < ENDINGS) {
                self.ends.insert(ending, places.clone());
            }
            places
        });
        for place in &places {
            let (found, bare) = (&mut self.found[*place as usize], &mut self.bare[*place as usize]);
            let known = (found.count > 0).then_some(&bare.schedule);
            found.count += 1;
            if bare.is_plain {
                continue;
            }
            if let Some(schedule) = execution.simpler_schedule(known) {
                found.schedule = execution.with_ends(&schedule);
                let is_plain = execution.is_first && schedule.preemptions == 0;
                *bare = Bare { schedule, is_plain };
            }
        }
        if places.len() > 1 {
            *self.together.entry(places.clone()).or_default() += 1;
        }
        self.last = places;
        !self.last.is_empty()
    }

    /// `None` if something else decides, too: who killed whom, why the node stopped.
    fn ending(&self, execution: &Execution<'_>) -> Option<EndState> {
        if !execution.stop.is_quiescent() || !execution.machine.missed_natives().is_empty() {
            return None;
        }
        let mut pids: SmallVec<[Pid; 8]> = SmallVec::new();
        let mut reasons: SmallVec<[(u64, &Term); 8]> = SmallVec::new();
        for (pid, reason) in &execution.ended {
            match reason.as_atom() {
                Some(known::NORMAL) => continue,
                _ if ended_as_meant(execution.machine, *pid) => continue,
                Some(known::KILLED) => return None,
                _ if is_shutdown(reason) && !execution.machine.was_supervised(*pid) => return None,
                _ if is_shutdown(reason) => continue,
                _ if self.rules.is_normal(execution.machine.code(), reason) => continue,
                _ => {
                    pids.push(*pid);
                    reasons.push((fingerprint(reason), reason));
                }
            }
        }
        let tells_of = |cause: usize, at: usize| self.compared.appears(reasons[cause], reasons[at]);
        let roots = roots(&pids, &tells_of, &|pids| execution.after_another(pids));
        if self.rules.leaves_out_some() && roots.iter().any(Option::is_some) {
            return None;
        }
        let mut ended: SmallVec<[(u64, Pid, u64); 8]> = SmallVec::new();
        for ((pid, (reason, _)), root) in pids.iter().zip(&reasons).zip(roots) {
            ended.push((*reason, *pid, root.map_or(0, |root| pids[root].0 + 1)));
        }
        // Whose ends have nothing to do with each other may have come in any order.
        ended.sort_unstable();
        let mut ending = EndState::new();
        for (reason, pid, root) in ended {
            ending.extend([reason, pid.0, root]);
        }
        for blocked in &execution.blocked {
            let calls = execution.machine.calls(blocked.pid).map(u64::from);
            let sleeps = u64::from(blocked.sleeps);
            ending.extend([u64::MAX, blocked.pid.0, sleeps].into_iter().chain(calls));
        }
        Some(ending)
    }

    /// What is wrong with an execution; what was not known before is now.
    fn failures_of(&mut self, execution: &Execution<'_>) -> Together {
        let causes = Causes {
            killers: &|| killers(execution),
            after_another: &|pids| execution.after_another(pids),
        };
        let faults = self.rules.faults(execution, &plainly(execution.machine), &causes);
        let mut places: Together = faults
            .into_iter()
            .map(|fault| {
                let failure = fault.failure;
                *self.places.entry(failure.identity()).or_insert_with(|| {
                    let (count, schedule) = (0, Schedule::default());
                    self.bare.push(Bare::default());
                    self.found.push(Finding { failure, count, schedule });
                    self.found.len() as u32 - 1
                })
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Adds what another worker found.
    pub fn merge(&mut self, others: Findings) {
        self.names = self.names.take().or(others.names.clone());
        let together = others.together();
        let others = others.with_bare().map(|(finding, bare)| (finding.clone(), bare.clone()));
        self.add(others, &together);
    }

    /// Adds what was found before, and which of it together.
    pub fn remember(&mut self, others: Vec<(Finding, Bare)>, together: &[(Vec<usize>, u64)]) {
        self.add(others.into_iter(), together);
    }

    fn add(
        &mut self,
        others: impl Iterator<Item = (Finding, Bare)>,
        together: &[(Vec<usize>, u64)],
    ) {
        let names = self.names.clone().unwrap_or_default();
        let mut places = Vec::new();
        for (other, bare) in others {
            let identity = other.failure.identity();
            let place = self.places.get(&identity).copied();
            places.push(place.unwrap_or(self.found.len() as u32));
            match place.map(|place| place as usize) {
                None => {
                    self.places.insert(identity, self.found.len() as u32);
                    self.found.push(other);
                    self.bare.push(bare);
                }
                Some(place) => {
                    let known = &mut self.found[place];
                    known.count += other.count;
                    let here = &self.bare[place];
                    let is_simpler = naming::is_simpler(&names, &bare.schedule, &here.schedule);
                    if bare.is_plain || (is_simpler && !here.is_plain) {
                        known.schedule = other.schedule;
                        self.bare[place] = bare;
                    }
                }
            }
        }
        for (set, count) in together {
            let mut set: Together = set.iter().filter_map(|at| places.get(*at).copied()).collect();
            set.sort_unstable();
            *self.together.entry(set).or_default() += count;
        }
    }
}

fn killers(execution: &Execution<'_>) -> BTreeMap<Pid, Pid> {
    let mut killers = BTreeMap::new();
    for event in &execution.events {
        // Where signals travel it is their arrival that decides.
        let killer = match event.actor {
            Actor::Process(killer) => Some(killer),
            _ => event.route().map(|(from, _)| from),
        };
        if let Some(killer) = killer {
            for pid in &event.doomed {
                killers.entry(*pid).or_insert(killer);
            }
        }
    }
    killers
}
