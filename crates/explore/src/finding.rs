//! What an exploration finds: failures grouped by what failed, each with its simplest schedule.
//!
//! * **abnormal exit**: a process ended for a reason that is not normal, by an exception or by `exit/1`.
//!   `shutdown` is normal for processes that `proc_lib` started, and for those that a signal ended.
//!   One that was ended by a signal from such a process is a consequence, told only if it is the process
//!   of the test.
//! * **assertion**: the same, by an assertion of EUnit or of `erlscope:assert`.
//! * **killed**: a process was ended by `exit(Pid, kill)`. Supervisors kill children that do not listen, so
//!   that is no error for a process that `proc_lib` started, if one of its ancestors did it.
//! * **deadlock**: nobody can go on, and a process waits in a `receive`, be it with `after infinity`. A
//!   process of a behaviour in its loop (`gen_server`, `gen_statem`, `gen_event`, `supervisor`) is idle,
//!   not stuck; neither are processes that were there before the test.
//! * **endless**: a process computes on and on, or the execution has more events than the bound.
//! * **halted**, **unsupported**: the node stopped.
//!
//! While exploring, failures are told apart by process identifiers, which are the same in all
//! executions ([`Findings::look`]). At the end each is run again once, which gives processes their names,
//! and those that differ only in which of several processes of the same function it was are put together
//! ([`explain`]).
//!
//! Of the executions that show a finding the one with the fewest preemptions among the first few is
//! kept: an execution costs its length squared to be put into an order.

use std::collections::BTreeMap;

use atom::known;
use machine::footprint::fingerprint;
use machine::step::{Actor, Next};
use machine::{CodeSpace, Machine, Pid, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::format::pretty;

use crate::assertion::assertion;
use crate::outcome::{Blocked, Execution, Stop};
use crate::place::{Place, awaited, own_place, where_it_is};
use crate::reason::exit_reason;
use crate::schedule::Schedule;
use crate::story::words::named;
use crate::story::{self, Blame, Story, Stuck, Told};

/// How many executions of one finding are put into an order to find a simple one.
const TRIES: u64 = 50;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    AbnormalExit,
    Assertion,
    Killed,
    Deadlock,
    Endless,
    Halted,
    Unsupported,
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::AbnormalExit,
        Kind::Assertion,
        Kind::Killed,
        Kind::Deadlock,
        Kind::Endless,
        Kind::Halted,
        Kind::Unsupported,
    ];

    /// Those that can be ignored.
    pub const NAMES: [&'static str; 6] =
        ["abnormal_exit", "assertion", "killed", "deadlock", "endless", "halted"];

    pub fn name(self) -> &'static str {
        match self {
            Kind::AbnormalExit => "abnormal_exit",
            Kind::Assertion => "assertion",
            Kind::Killed => "killed",
            Kind::Deadlock => "deadlock",
            Kind::Endless => "endless",
            Kind::Halted => "halted",
            Kind::Unsupported => "unsupported",
        }
    }
}

/// One way to fail.
#[derive(Clone, Debug)]
pub struct Finding {
    pub kind: Kind,
    /// What happened, in one sentence.
    pub message: String,
    /// How many executions show it.
    pub count: u64,
    pub schedule: Schedule,
    /// Where it happened, as `file:line`.
    pub place: Option<Place>,
    /// Tells it from others of its kind.
    pub key: String,
}

/// A finding with the story of its schedule.
#[derive(Clone, Debug)]
pub struct Explained {
    pub finding: Finding,
    pub story: Story,
}

/// What counts as a failure.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Reasons that are normal, beside `normal`, and `shutdown` and `{shutdown, _}` where these are usual.
    pub normal: Vec<String>,
    pub ignored: Vec<String>,
    /// Only failed assertions count.
    pub assertions_only: bool,
    /// The process of the test.
    pub main: Option<Pid>,
    /// Processes with smaller numbers were there before.
    pub first: u64,
}

/// Collects findings.
#[derive(Default)]
pub struct Findings {
    rules: Rules,
    found: BTreeMap<(Kind, String), Finding>,
    /// What is wrong with executions that end in some way.
    ends: FxHashMap<Ending, Vec<(Kind, String)>>,
}

/// How an execution ended, as far as that decides what is wrong with it: who ended for which reason, who
/// waits where.
type Ending = SmallVec<[u64; 16]>;

/// How many endings are remembered.
const ENDINGS: usize = 1_000;

/// Something that is wrong with an execution.
struct Failure {
    kind: Kind,
    key: String,
    message: String,
    place: Option<Place>,
    blame: Blame,
}

/// How processes and terms are told.
struct Telling<'a> {
    code: &'a CodeSpace,
    name: &'a dyn Fn(Pid) -> String,
    term: &'a dyn Fn(&Term) -> String,
}

impl Findings {
    pub fn new(rules: Rules) -> Findings {
        Findings { rules, ..Findings::default() }
    }

    pub fn into_list(self) -> Vec<Finding> {
        self.found.into_values().collect()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.found.values()
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Looks at an execution. Says whether anything is wrong with it.
    pub fn look(&mut self, execution: &Execution<'_>) -> bool {
        let ending = ending(execution);
        if let Some(known) = ending.as_ref().and_then(|ending| self.ends.get(ending)) {
            for key in known {
                if let Some(found) = self.found.get_mut(key) {
                    found.note(execution);
                }
            }
            return !known.is_empty();
        }
        let killers = || killers(execution);
        let mut keys = Vec::new();
        for failure in self.rules.failures(execution, &plainly(execution.machine), &killers) {
            let key = (failure.kind, failure.key.clone());
            let found = self.found.entry(key.clone()).or_insert_with(|| Finding {
                kind: failure.kind,
                message: failure.message,
                count: 0,
                schedule: Schedule::default(),
                place: failure.place,
                key: failure.key,
            });
            found.note(execution);
            keys.push(key);
        }
        let wrong = !keys.is_empty();
        if let Some(ending) = ending.filter(|_| self.ends.len() < ENDINGS) {
            self.ends.insert(ending, keys);
        }
        wrong
    }

    /// Adds what others found.
    pub fn merge(&mut self, others: Vec<Finding>) {
        for other in others {
            let key = (other.kind, other.key.clone());
            match self.found.get_mut(&key) {
                None => {
                    self.found.insert(key, other);
                }
                Some(known) => {
                    known.count += other.count;
                    if simpler(&other.schedule, &known.schedule) {
                        known.schedule = other.schedule;
                    }
                }
            }
        }
    }
}

impl Finding {
    /// An execution shows it.
    fn note(&mut self, execution: &Execution<'_>) {
        self.count += 1;
        if self.count <= TRIES {
            let schedule = execution.schedule();
            if self.count == 1 || simpler(&schedule, &self.schedule) {
                self.schedule = schedule;
            }
        }
    }
}

/// `None` if something else decides, too: who killed whom, why the node stopped.
fn ending(execution: &Execution<'_>) -> Option<Ending> {
    if execution.stop != Stop::Finished {
        return None;
    }
    let mut ending = Ending::new();
    for (pid, reason) in &execution.ended {
        match reason.as_atom() {
            Some(known::NORMAL) => continue,
            Some(known::KILLED) => return None,
            _ if is_shutdown(reason) && !execution.machine.was_supervised(*pid) => return None,
            _ => ending.extend([pid.0, fingerprint(reason)]),
        }
    }
    for blocked in &execution.blocked {
        let calls = execution.machine.calls(blocked.pid).map(u64::from);
        ending.extend([u64::MAX, blocked.pid.0].into_iter().chain(calls));
    }
    Some(ending)
}

/// Fewer preemptions, then fewer steps.
fn simpler(a: &Schedule, b: &Schedule) -> bool {
    (a.preemptions, a.steps.len()) < (b.preemptions, b.steps.len())
}

/// Processes by their identifiers.
fn plainly(machine: &Machine) -> Telling<'_> {
    Telling { code: &machine.code, name: &plain_name, term: &pretty::to_string }
}

fn plain_name(pid: Pid) -> String {
    format!("<0.{}.0>", pid.0)
}

fn killers(execution: &Execution<'_>) -> BTreeMap<Pid, Pid> {
    let mut killers = BTreeMap::new();
    for event in &execution.events {
        if let Actor::Process(killer) = event.actor {
            for pid in &event.doomed {
                killers.entry(*pid).or_insert(killer);
            }
        }
    }
    killers
}

/// The end of a schedule that was run again: what is wrong there, and its story. Without a failure the
/// story of all steps.
pub fn replayed(machine: &Machine, told: &Told, rules: &Rules) -> (Vec<Finding>, Story) {
    let execution = Execution::at_end(machine, told.ended.clone());
    let failures = tell_failures(&execution, told, rules);
    let mut blame = Blame::default();
    for failure in &failures {
        blame.ended.extend(&failure.blame.ended);
        blame.stuck.extend(failure.blame.stuck.iter().cloned());
    }
    let findings = failures.into_iter().map(|failure| Finding {
        kind: failure.kind,
        message: failure.message,
        count: 1,
        schedule: Schedule::default(),
        place: failure.place,
        key: failure.key,
    });
    (findings.collect(), told.story(&blame))
}

fn tell_failures(execution: &Execution<'_>, told: &Told, rules: &Rules) -> Vec<Failure> {
    let name = |pid: Pid| told.cast.name(pid);
    let term = |term: &Term| named(&name, term, &mut Vec::new());
    let telling = Telling { code: &execution.machine.code, name: &name, term: &term };
    rules.failures(execution, &telling, &|| told.killers())
}

/// Runs each finding again from the beginning, `start`; tells it with the names of processes, and puts
/// together those that are the same but for which process of several it was. `function` is what the
/// process of the test runs.
pub fn explain(
    found: Vec<Finding>,
    start: &Machine,
    rules: &Rules,
    function: &str,
) -> Vec<Explained> {
    let mut groups: BTreeMap<(Kind, String), Explained> = BTreeMap::new();
    for mut finding in found {
        let mut machine = start.clone();
        let told = story::run(&mut machine, &finding.schedule, rules.main, function);
        let execution = Execution::at_end(&machine, told.ended.clone());
        let same = |failure: &Failure| failure.kind == finding.kind && failure.key == finding.key;
        // The same failures in the same order: once to find ours, once by names, once by roles.
        let plain = rules.failures(&execution, &plainly(&machine), &|| told.killers());
        let at = plain.iter().position(same);
        let role = |pid: Pid| told.cast.role(pid);
        let as_role = |term: &Term| named(&role, term, &mut Vec::new());
        let by_role = Telling { code: &machine.code, name: &role, term: &as_role };
        let mut blame = Blame::default();
        let mut key = finding.key.clone();
        if let Some(at) = at {
            if let Some(failure) = tell_failures(&execution, &told, rules).into_iter().nth(at) {
                finding.message = failure.message;
                finding.place = failure.place;
                blame = failure.blame;
            }
            let roles = rules.failures(&execution, &by_role, &|| told.killers());
            if let Some(failure) = roles.into_iter().nth(at) {
                key = failure.key;
            }
        } else {
            for (_, player) in told.cast.players() {
                let Some(pid) = player.pid else { continue };
                finding.message = finding.message.replace(&plain_name(pid), &player.name);
            }
        }
        let story = told.story(&blame);
        match groups.get_mut(&(finding.kind, key.clone())) {
            None => {
                groups.insert((finding.kind, key), Explained { finding, story });
            }
            Some(group) => {
                let count = group.finding.count + finding.count;
                if simpler(&finding.schedule, &group.finding.schedule) {
                    *group = Explained { finding, story };
                }
                group.finding.count = count;
            }
        }
    }
    groups.into_values().collect()
}

impl Rules {
    fn failures(
        &self,
        execution: &Execution<'_>,
        telling: &Telling<'_>,
        killers: &dyn Fn() -> BTreeMap<Pid, Pid>,
    ) -> Vec<Failure> {
        let mut failures = self.ends(execution, telling, killers);
        failures.extend(self.stop(execution, telling));
        failures.retain(|failure| {
            self.ignored.iter().all(|ignored| ignored.as_str() != failure.kind.name())
                && (!self.assertions_only || failure.kind == Kind::Assertion)
        });
        failures
    }

    /// Processes that ended as they should not have.
    fn ends(
        &self,
        execution: &Execution<'_>,
        telling: &Telling<'_>,
        killers: &dyn Fn() -> BTreeMap<Pid, Pid>,
    ) -> Vec<Failure> {
        let mut failures = Vec::new();
        let mut abnormal: Vec<&Term> = Vec::new();
        for (pid, reason) in &execution.ended {
            let supervised = execution.machine.was_supervised(*pid);
            let killer = || killers().get(pid).copied().filter(|killer| killer != pid);
            if self.is_normal(telling.code, reason)
                || (is_shutdown(reason) && (supervised || killer().is_some()))
            {
                continue;
            }
            let name = (telling.name)(*pid);
            let is_main = self.main == Some(*pid);
            let inherited = abnormal.iter().any(|other| term::order::exact_eq(other, reason));
            abnormal.push(reason);
            let blame = Blame { ended: vec![*pid], stuck: Vec::new() };
            if is(reason, "killed") {
                let killer = killer();
                let expected = supervised
                    && killer.is_none_or(|killer| self.is_ancestor(execution, killer, *pid));
                if (inherited && killer.is_none()) || (expected && !is_main) {
                    continue;
                }
                let by = killer.map_or(String::new(), |pid| format!(" by {}", (telling.name)(pid)));
                let message = format!("{name} is killed{by}");
                let key = message.clone();
                failures.push(Failure { kind: Kind::Killed, key, message, place: None, blame });
                continue;
            }
            if inherited && !is_main {
                continue;
            }
            let told = exit_reason(telling.code, reason);
            let (kind, what) = match assertion(&told.cause, telling.term) {
                Some(assertion) => (
                    Kind::Assertion,
                    format!("{} fails in {name}: {}", assertion.name, assertion.says.join("; ")),
                ),
                None => {
                    let how = if inherited { "was ended by a link" } else { "exits abnormally" };
                    let cause = told.in_words(telling.term);
                    (Kind::AbnormalExit, format!("{name} {how}: {cause}"))
                }
            };
            let message = match &told.place {
                Some((file, line)) => format!("{what} at {file}:{line}"),
                None => what,
            };
            let key = message.clone();
            failures.push(Failure { kind, key, message, place: told.place, blame });
        }
        failures
    }

    /// How the execution stopped, where that is wrong.
    fn stop(&self, execution: &Execution<'_>, telling: &Telling<'_>) -> Option<Failure> {
        let machine = execution.machine;
        let (kind, message, place) = match &execution.stop {
            Stop::Finished => return self.deadlock(execution, telling),
            Stop::Halted(0) => return None,
            Stop::Halted(status) => {
                (Kind::Halted, format!("the node halts with status {status}"), None)
            }
            Stop::Unsupported(message) => {
                let mut pids = machine.state.pids();
                let asked = pids.find(|pid| machine.known_next(*pid) == Next::Stopped);
                let place = asked.and_then(|pid| own_place(machine, pid));
                let message = match &place {
                    Some((file, line)) => format!("{message}, at {file}:{line}"),
                    None => message.clone(),
                };
                (Kind::Unsupported, message, place)
            }
            Stop::Spins(pid) => {
                let name = (telling.name)(*pid);
                let at = where_it_is(machine, *pid);
                let message = format!("{name} computes on and on without a visible action{at}");
                (Kind::Endless, message, own_place(machine, *pid))
            }
            Stop::Repeats(repeat) => {
                let more = if repeat.every == 1 { "" } else { "s" };
                let message = format!(
                    "the test can run forever: its state comes again after {} more event{more}",
                    repeat.every
                );
                (Kind::Endless, message, None)
            }
            Stop::TooDeep => (
                Kind::Endless,
                "an execution goes on after as many events as it may have (--max-depth)".to_owned(),
                None,
            ),
        };
        Some(Failure { kind, key: message.clone(), message, place, blame: Blame::default() })
    }

    fn deadlock(&self, execution: &Execution<'_>, telling: &Telling<'_>) -> Option<Failure> {
        let machine = execution.machine;
        let stuck: Vec<&Blocked> = execution
            .blocked
            .iter()
            .filter(|blocked| blocked.pid.0 >= self.first && !is_idle(machine, blocked))
            .collect();
        let first = stuck.first()?;
        let mut who: Vec<String> = Vec::new();
        let mut key: Vec<String> = Vec::new();
        let mut blame = Blame::default();
        for blocked in &stuck {
            let place = own_place(machine, blocked.pid);
            let at = where_it_is(machine, blocked.pid);
            let what =
                awaited(machine, blocked.pid).map_or(String::new(), |what| format!(" for {what}"));
            let waits = format!("{} waits{what}{at}", (telling.name)(blocked.pid));
            key.push(waits.clone());
            who.push(match blocked.mailbox.len() {
                0 => waits,
                _ => {
                    let mailbox = (telling.term)(&Term::list(blocked.mailbox.clone()));
                    format!("{waits} with {mailbox} in its mailbox")
                }
            });
            blame.stuck.push(Stuck {
                pid: blocked.pid,
                place,
                awaited: awaited(machine, blocked.pid),
                mailbox: blocked.mailbox.clone(),
            });
        }
        key.sort_unstable();
        let message = format!("nobody can go on: {}", who.join("; "));
        let place = own_place(machine, first.pid);
        Some(Failure { kind: Kind::Deadlock, key: key.join("; "), message, place, blame })
    }

    fn is_normal(&self, code: &CodeSpace, reason: &Term) -> bool {
        if is(reason, "normal") {
            return true;
        }
        if self.normal.is_empty() {
            return false;
        }
        let shown = pretty::to_string(reason);
        let first = |term: &Term| {
            term.as_tuple().and_then(|elements| elements.first()).map(pretty::to_string)
        };
        let cause = exit_reason(code, reason).cause;
        let also = [Some(shown), first(reason), Some(pretty::to_string(&cause)), first(&cause)];
        also.iter().flatten().any(|told| self.normal.iter().any(|normal| normal == told))
    }

    /// Whether a process was started by another, or by one that that had started, and so on.
    fn is_ancestor(&self, execution: &Execution<'_>, of: Pid, pid: Pid) -> bool {
        let makers = execution.machine.pid_names();
        let maker = |pid: Pid| {
            let number = usize::try_from(pid.0.checked_sub(self.first)?).ok()?;
            makers.get(number).map(|(maker, _)| *maker)
        };
        let mut at = pid;
        while let Some(parent) = maker(at) {
            if parent == of {
                return true;
            }
            if parent.0 >= at.0 {
                return false;
            }
            at = parent;
        }
        false
    }
}

/// Whether a process of a tree of supervisors ends for this reason when it is told to.
fn is_shutdown(reason: &Term) -> bool {
    let tagged = |[tag, _]: &[Term; 2]| is(tag, "shutdown");
    is(reason, "shutdown") || reason.as_tuple().and_then(|t| t.try_into().ok()).is_some_and(tagged)
}

fn is(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}

/// Whether a process waits as it is meant to: in the loop of a behaviour.
fn is_idle(machine: &Machine, blocked: &Blocked) -> bool {
    const LOOPS: &[(&str, &str)] = &[
        ("gen_server", "loop"),
        ("gen_statem", "loop_receive"),
        ("gen_statem", "loop"),
        ("gen_event", "fetch_msg"),
        ("gen_event", "loop"),
    ];
    let positions = machine.positions(blocked.pid, 3);
    positions.iter().any(|position| {
        let mfa = position.mfa;
        LOOPS.contains(&(mfa.module.as_str(), mfa.name.as_str()))
            || (mfa.module.as_str().starts_with("gen_") && mfa.name.as_str().contains("loop"))
    })
}
