//! Findings as a person sees them: each is run again, which gives processes their names, and those
//! that differ only in which of several processes of the same function it was are put together.
//!
//! Processes have numbers in the order in which the schedule that is told starts them, whatever
//! numbers the search gave them. So the same is told with any number of workers.
//!
//! Cost: a run of each schedule, and one more for each finding that is told.

use std::collections::BTreeMap;
use std::iter;

use machine::{Machine, Pid, Term};

use crate::failure::{Failure, Identity, Kind};
use crate::finding::{Finding, Findings};
use crate::naming;
use crate::outcome::Execution;
use crate::rules::{Causes, Fault, Rules, Telling, plain_name, plainly};
use crate::schedule::Schedule;
use crate::story::telling::{References, named};
use crate::story::{self, Blame, Story, Told};

/// A finding with the story of its schedule.
#[derive(Clone, Debug)]
pub struct Explained {
    pub finding: Finding,
    /// What it brought down in the execution that is told.
    pub consequences: Vec<Failure>,
    pub story: Story,
    /// Who started the processes of the schedule, in the order of their numbers.
    pub pids: Vec<(Pid, u32)>,
}

impl Explained {
    /// Of a finding that was not run again.
    pub fn without_story(finding: Finding) -> Explained {
        let (consequences, story, pids) = (Vec::new(), Story::default(), Vec::new());
        Explained { finding, consequences, story, pids }
    }
}

/// What is wrong at the end of a schedule that was run again.
#[derive(Clone, Debug)]
pub struct Replayed {
    pub failure: Failure,
    /// What it brought down.
    pub consequences: Vec<Failure>,
}

/// The end of a schedule that was run again: what is wrong there, and its story. Without a failure
/// the story of all steps.
pub fn replayed(machine: &Machine, told: &Told, rules: &Rules) -> (Vec<Replayed>, Story) {
    let execution = Execution::at_end(machine, told.ended.clone());
    let faults = tell_faults(&execution, told, rules);
    let mut blame = Blame::default();
    for fault in faults.iter().flat_map(|fault| iter::once(fault).chain(&fault.consequences)) {
        blame.ended.extend(&fault.blame.ended);
        blame.stuck.extend(fault.blame.stuck.iter().cloned());
    }
    let replayed = |fault: Fault| Replayed {
        failure: fault.failure,
        consequences: failures(fault.consequences),
    };
    (faults.into_iter().map(replayed).collect(), told.story(&blame))
}

fn failures(faults: Vec<Fault>) -> Vec<Failure> {
    faults.into_iter().map(|fault| fault.failure).collect()
}

fn tell_faults(execution: &Execution<'_>, told: &Told, rules: &Rules) -> Vec<Fault> {
    let name = |pid: Pid| told.cast.name(pid);
    let term = |term: &Term| named(&name, term, &mut References::default());
    let telling = Telling { code: execution.machine.code(), name: &name, term: &term };
    faults_of(told, execution, rules, &telling)
}

fn faults_of(
    told: &Told,
    execution: &Execution<'_>,
    rules: &Rules,
    telling: &Telling<'_>,
) -> Vec<Fault> {
    let causes =
        Causes { killers: &|| told.killers(), after_another: &|pids| told.after_another(pids) };
    rules.faults(execution, telling, &causes)
}

/// Findings that are told as one.
struct Again {
    /// The one with the simplest schedule.
    finding: Finding,
    /// Which they are.
    members: Vec<usize>,
    /// Which of the failures of its execution it is.
    at: Option<usize>,
    /// The processes that its schedule starts, in that order.
    started: Vec<Pid>,
}

/// Runs each finding again from the beginning, `start`; tells it with the names of processes, and
/// puts together those that are the same but for which process of several it was. `function` is
/// what the process of the test runs. Without what is not supported.
pub fn explain(found: &Findings, start: &Machine, rules: &Rules, function: &str) -> Vec<Explained> {
    let names = start.pid_table().unwrap_or_default();
    let mut groups: BTreeMap<Identity, Again> = BTreeMap::new();
    let mut rerun: Option<Rerun> = None;
    for (number, finding) in found.iter().enumerate() {
        if finding.kind() == Kind::Unsupported {
            continue;
        }
        // Findings of one execution have one schedule.
        let known = rerun.take().filter(|rerun| rerun.schedule == finding.schedule);
        let known = rerun
            .insert(known.unwrap_or_else(|| Rerun::new(&finding.schedule, start, rules, function)));
        let (again, identity) = known.again(finding, number);
        match groups.get_mut(&identity) {
            None => {
                groups.insert(identity, again);
            }
            Some(group) => {
                group.members.push(number);
                let count = group.finding.count + finding.count;
                if naming::is_simpler(&names, &finding.schedule, &group.finding.schedule) {
                    group.finding = again.finding;
                    group.at = again.at;
                    group.started = again.started;
                }
                group.finding.count = count;
            }
        }
    }
    let together = found.together();
    for group in groups.values_mut() {
        // An execution that shows several of them is one.
        for (set, count) in &together {
            let of_group =
                set.iter().filter(|number| group.members.contains(number)).count() as u64;
            group.finding.count -= of_group.saturating_sub(1) * count;
        }
    }
    groups.into_values().map(|again| again.explained(start, rules, function)).collect()
}

/// What is wrong at the end of a schedule.
struct Rerun {
    schedule: Schedule,
    /// The failures, with processes by their identifiers.
    failures: Vec<Identity>,
    /// The same failures, in the same order, with processes by their roles.
    by_role: Vec<Identity>,
    started: Vec<Pid>,
}

impl Rerun {
    fn new(schedule: &Schedule, start: &Machine, rules: &Rules, function: &str) -> Rerun {
        let mut machine = start.clone();
        let told = story::run(&mut machine, schedule, rules.main, function);
        let execution = Execution::at_end(&machine, told.ended.clone());
        let failures = faults_of(&told, &execution, rules, &plainly(&machine));
        let role = |pid: Pid| told.cast.role(pid);
        let as_role = |term: &Term| named(&role, term, &mut References::default());
        let by_role = Telling { code: machine.code(), name: &role, term: &as_role };
        let roles = faults_of(&told, &execution, rules, &by_role);
        let identity = |fault: &Fault| fault.failure.identity();
        Rerun {
            schedule: schedule.clone(),
            failures: failures.iter().map(identity).collect(),
            by_role: roles.iter().map(identity).collect(),
            started: told.started(),
        }
    }

    /// A finding that is to be told; and what tells it from others that are not the same.
    fn again(&self, finding: &Finding, number: usize) -> (Again, Identity) {
        let identity = finding.failure.identity();
        let at = self.failures.iter().position(|failure| *failure == identity);
        let by_role = at.and_then(|at| self.by_role.get(at)).cloned();
        let (started, members) = (self.started.clone(), vec![number]);
        (Again { finding: finding.clone(), members, at, started }, by_role.unwrap_or(identity))
    }
}

impl Again {
    /// As it is told: with numbers of processes in the order in which they are started.
    fn explained(self, start: &Machine, rules: &Rules, function: &str) -> Explained {
        let first = start.next_pid();
        let schedule = naming::renumbered(&self.finding.schedule, first, &self.started);
        let mut anew = start.clone();
        anew.forget_pid_names();
        // What compares processes by their numbers may do something else now.
        self.told(anew, schedule, rules, function).unwrap_or_else(|| {
            let schedule = self.finding.schedule.clone();
            self.told(start.clone(), schedule, rules, function).unwrap_or_else(|| Explained {
                pids: start.pid_names(),
                ..Explained::without_story(self.finding.clone())
            })
        })
    }

    /// `None` if it is not what happens by this schedule.
    fn told(
        &self,
        mut machine: Machine,
        schedule: Schedule,
        rules: &Rules,
        function: &str,
    ) -> Option<Explained> {
        let mut told = match rules.manner.races {
            true => story::run_for_races(&mut machine, &schedule, rules.main, function),
            false => story::run(&mut machine, &schedule, rules.main, function),
        };
        if !told.whole {
            return None;
        }
        if rules.manner.identifiers {
            told.cast.use_identifiers();
        }
        let execution = Execution::at_end(&machine, told.ended.clone());
        let mut finding = Finding { schedule, ..self.finding.clone() };
        let mut blame = Blame::default();
        let mut consequences = Vec::new();
        match self.at {
            Some(at) => {
                let faults = tell_faults(&execution, &told, rules);
                let kind = finding.kind();
                let fault = faults.into_iter().nth(at).filter(|it| it.failure.kind() == kind)?;
                finding.failure = fault.failure;
                consequences = failures(fault.consequences);
                blame = fault.blame;
            }
            None => {
                let started = told.started();
                for pid in told.cast.players().iter().filter_map(|(_, player)| player.pid) {
                    let nth = started.iter().position(|new| *new == pid);
                    let old = nth.and_then(|nth| self.started.get(nth)).copied().unwrap_or(pid);
                    let (old, name) = (plain_name(old), told.cast.name(pid));
                    finding.failure.rename(&|text| *text = text.replace(&old, &name));
                }
            }
        }
        drop(execution);
        let mut story = told.story(&blame);
        if rules.manner.races {
            story.add_races(told.races(&mut machine));
        }
        Some(Explained { finding, consequences, story, pids: machine.pid_names() })
    }
}
