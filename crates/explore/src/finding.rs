//! What an exploration finds: failures grouped by what failed, each with its simplest schedule.
//!
//! * **abnormal exit**: a process ended for a reason that is not normal, by an exception or by `exit/1`.
//!   `shutdown` is normal for processes that `proc_lib` started, and for those that a signal ended.
//!   One that a library started for its own work may end for any reason (`machine::step`, `helpers.rs`).
//!   One that was ended by a signal from such a process is a consequence, told only if it is the process
//!   of the test.
//! * **assertion**: the same, by an assertion of EUnit or of `erlscope:assert`.
//! * **killed**: a process was ended by `exit(Pid, kill)`. Supervisors kill children that do not listen, so
//!   that is no error for a process that `proc_lib` started, if one of its ancestors did it.
//! * **deadlock**: nobody can go on, and a process waits in a `receive`, be it with `after infinity`. `waiting.rs`
//!   says who waits as it is meant to and is not stuck.
//! * **endless**: a process computes on and on, or the execution has more events than the bound.
//! * **halted**, **unsupported**: the node stopped; or something failed after native code was missed.
//!
//! While exploring, failures are told apart by process identifiers, which are the same in all
//! executions ([`Findings::look`]); `explain.rs` has what is done with them at the end. Of the executions that show a
//! finding the simplest schedule is kept: that of the first of all, in which everybody goes on as long as possible, if it
//! needs no preemption; else `naming.rs` says which it is. So it does not matter which worker finds it first.
//!
//! A process that ends for the same reason as another that ended before it, in all equivalent executions, is taken
//! for a consequence of that. Who only happened to end later is not.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use atom::known;
use machine::footprint::fingerprint;
use machine::step::{Actor, Next, PidTable};
use machine::{CodeSpace, Machine, Pid, Term};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::format::pretty;

use crate::assertion::assertion;
pub use crate::explain::{Explained, explain, replayed};
use crate::naming;
use crate::outcome::{Blocked, Execution, Stop};
use crate::place::{Place, awaited, is_library, own_place, where_it_is};
use crate::reason::exit_reason;
use crate::schedule::Schedule;
use crate::story::past::inherited;
use crate::story::{Blame, Stuck};
use crate::waiting;

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
    pub manner: Manner,
}

/// How findings are told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Processes by their identifiers, not by names that a person recognises.
    pub identifiers: bool,
    /// With the races of the execution.
    pub races: bool,
}

/// Collects findings.
#[derive(Default)]
pub struct Findings {
    rules: Rules,
    /// By the order in which they were found, and where they are in that.
    found: Vec<Finding>,
    /// Their schedules without the ends that executions leave out.
    bare: Vec<Bare>,
    places: BTreeMap<(Kind, String), u32>,
    /// What is wrong with executions that end in some way.
    ends: FxHashMap<Ending, Together>,
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
    /// Whether it is that of the first execution, and without preemptions: there is none that is simpler.
    pub is_plain: bool,
}

/// Findings of one execution, by their places.
pub(crate) type Together = SmallVec<[u32; 4]>;

/// How an execution ended, as far as that decides what is wrong with it: who ended for which reason, who
/// waits where.
type Ending = SmallVec<[u64; 16]>;

/// How many endings are remembered.
const ENDINGS: usize = 1_000;

/// Something that is wrong with an execution.
pub(crate) struct Failure {
    pub(crate) kind: Kind,
    pub(crate) key: String,
    pub(crate) message: String,
    pub(crate) place: Option<Place>,
    pub(crate) blame: Blame,
}

/// Who ended because of whom.
pub(crate) struct Causes<'a> {
    /// Who sent the signal that ended a process.
    pub(crate) killers: &'a dyn Fn() -> BTreeMap<Pid, Pid>,
    /// Of processes in the order of their ends: whether the end of each comes after that of another of them in all
    /// equivalent executions.
    pub(crate) after_another: &'a dyn Fn(&[Pid]) -> Vec<bool>,
}

/// How processes and terms are told.
pub(crate) struct Telling<'a> {
    pub(crate) code: &'a CodeSpace,
    pub(crate) name: &'a dyn Fn(Pid) -> String,
    pub(crate) term: &'a dyn Fn(&Term) -> String,
}

impl Findings {
    pub fn new(rules: Rules) -> Findings {
        Findings { rules, ..Findings::default() }
    }

    /// By kind and key.
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

    /// How many executions show just these findings, where that are several: their places in [`Findings::iter`].
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
        let ending = ending(execution);
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

    /// What is wrong with an execution; what was not known before is now.
    fn failures_of(&mut self, execution: &Execution<'_>) -> Together {
        let causes = Causes {
            killers: &|| killers(execution),
            after_another: &|pids| execution.after_another(pids),
        };
        let failures = self.rules.failures(execution, &plainly(execution.machine), &causes);
        let mut places: Together = failures
            .into_iter()
            .map(|failure| {
                let key = (failure.kind, failure.key.clone());
                *self.places.entry(key).or_insert_with(|| {
                    self.bare.push(Bare::default());
                    self.found.push(Finding {
                        kind: failure.kind,
                        message: failure.message,
                        count: 0,
                        schedule: Schedule::default(),
                        place: failure.place,
                        key: failure.key,
                    });
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
            let place = self.places.get(&(other.kind, other.key.clone())).copied();
            places.push(place.unwrap_or(self.found.len() as u32));
            match place.map(|place| place as usize) {
                None => {
                    let key = (other.kind, other.key.clone());
                    self.places.insert(key, self.found.len() as u32);
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

/// `None` if something else decides, too: who killed whom, why the node stopped.
fn ending(execution: &Execution<'_>) -> Option<Ending> {
    if execution.stop != Stop::Finished || !execution.machine.state.missed_natives.is_empty() {
        return None;
    }
    let mut ended: SmallVec<[(u64, Pid, bool); 8]> = SmallVec::new();
    let mut abnormal: SmallVec<[(Pid, &Term); 8]> = SmallVec::new();
    for (pid, reason) in &execution.ended {
        match reason.as_atom() {
            Some(known::NORMAL) => continue,
            _ if ended_as_meant(execution.machine, *pid) => continue,
            Some(known::KILLED) => return None,
            _ if is_shutdown(reason) && !execution.machine.was_supervised(*pid) => return None,
            _ => abnormal.push((*pid, reason)),
        }
    }
    let inherited = inherited(&abnormal, &|pids| execution.after_another(pids));
    for (pid, reason) in &abnormal {
        ended.push((fingerprint(reason), *pid, inherited.contains(pid)));
    }
    // Whose ends have nothing to do with each other may have come in any order.
    ended.sort_unstable();
    let mut ending = Ending::new();
    for (reason, pid, inherited) in ended {
        ending.extend([reason, pid.0, u64::from(inherited)]);
    }
    for blocked in &execution.blocked {
        let calls = execution.machine.calls(blocked.pid).map(u64::from);
        let sleeps = u64::from(blocked.sleeps);
        ending.extend([u64::MAX, blocked.pid.0, sleeps].into_iter().chain(calls));
    }
    Some(ending)
}

/// Processes by their identifiers.
pub(crate) fn plainly(machine: &Machine) -> Telling<'_> {
    Telling { code: &machine.code, name: &plain_name, term: &pretty::to_string }
}

pub(crate) fn plain_name(pid: Pid) -> String {
    format!("<0.{}.0>", pid.0)
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

impl Rules {
    pub(crate) fn failures(
        &self,
        execution: &Execution<'_>,
        telling: &Telling<'_>,
        causes: &Causes<'_>,
    ) -> Vec<Failure> {
        let mut failures = self.ends(execution, telling, causes);
        failures.extend(self.stop(execution, telling));
        // What fails because native code is not there fails here only.
        let missed = execution.machine.state.missed_natives.first();
        if let Some(message) = missed.filter(|_| !failures.is_empty()) {
            let (kind, key, message) = (Kind::Unsupported, message.clone(), message.clone());
            let blame = Blame::default();
            return vec![Failure { kind, key, message, place: None, blame }];
        }
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
        causes: &Causes<'_>,
    ) -> Vec<Failure> {
        let mut failures = Vec::new();
        let killers = OnceCell::new();
        let killer = |pid: &Pid| {
            let killers = killers.get_or_init(|| (causes.killers)());
            killers.get(pid).copied().filter(|killer| killer != pid)
        };
        let supervised = |pid: &Pid| execution.machine.was_supervised(*pid);
        let is_abnormal = |(pid, reason): &(Pid, &Term)| {
            !self.is_normal(telling.code, reason)
                && !(is_shutdown(reason) && (supervised(pid) || killer(pid).is_some()))
                && !ended_as_meant(execution.machine, *pid)
        };
        let ended = execution.ended.iter().map(|(pid, reason)| (*pid, reason));
        let abnormal: Vec<(Pid, &Term)> = ended.filter(is_abnormal).collect();
        let consequences = inherited(&abnormal, causes.after_another);
        for (pid, reason) in &abnormal {
            let name = (telling.name)(*pid);
            let is_main = self.main == Some(*pid);
            let inherited = consequences.contains(pid);
            let blame = Blame { ended: vec![*pid], stuck: Vec::new() };
            if is(reason, "killed") {
                let killer = killer(pid);
                let expected = supervised(pid)
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
                // The Machine says where the call is that it cannot do; that may be in the library.
                let own = place.as_ref().map(|(file, line)| format!("at {file}:{line}"));
                let message = match own {
                    Some(at) if !message.ends_with(&at) => format!("{message}, {at}"),
                    _ => message.clone(),
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
        let stuck: Vec<&Blocked> = waiting::stuck(machine, &execution.blocked, self);
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
        let shown = |term: &Term| without_spaces(&pretty::to_string(term));
        let first = |term: &Term| term.as_tuple().and_then(|elements| elements.first()).map(shown);
        let cause = exit_reason(code, reason).cause;
        let also = [Some(shown(reason)), first(reason), Some(shown(&cause)), first(&cause)];
        let is_one = |told: &String| self.normal.iter().any(|it| without_spaces(it) == *told);
        also.iter().flatten().any(is_one)
    }

    /// Whether a process was started by another, or by one that that had started, and so on.
    fn is_ancestor(&self, execution: &Execution<'_>, of: Pid, pid: Pid) -> bool {
        let table = execution.machine.pid_table();
        let maker = |pid: Pid| Some(table.as_ref()?.maker(pid)?.0);
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

/// A term as text without the spaces that do not matter: those outside of quotes.
fn without_spaces(text: &str) -> String {
    let mut quote = None;
    let mut escaped = false;
    let is_kept = |c: &char| {
        match (*c, quote) {
            _ if escaped => escaped = false,
            ('\\', Some(_)) => escaped = true,
            ('\'' | '"', None) => quote = Some(*c),
            (c, Some(open)) if c == open => quote = None,
            (c, None) => return !c.is_whitespace(),
            _ => {}
        }
        true
    };
    text.chars().filter(is_kept).collect()
}

fn is(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}

/// Whether a process of a library ended itself, as the library has it.
fn ended_as_meant(machine: &Machine, pid: Pid) -> bool {
    machine.ended_as_helper_of(pid).is_some_and(|module| is_library(&machine.code, module))
}
