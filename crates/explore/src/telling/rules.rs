//! What counts as a failure: the rules, and what is wrong with an execution by them.
//!
//! * **abnormal exit**: a process ended for a reason that is not normal, by an exception or by
//!   `exit/1`. `shutdown` is normal for processes that `proc_lib` started, and for those that a
//!   signal ended. One that a library started for its own work may end for any reason
//!   (`machine::step`, `helpers.rs`).
//! * **assertion**: the same, by an assertion of EUnit or of `erlscope:assert`.
//! * **contract**: a contract does not hold, be the exception caught.
//! * **killed**: a process was ended by `exit(Pid, kill)`. Supervisors kill children that do not
//!   listen, so that is no error for a process that `proc_lib` started, if one of its ancestors did
//!   it.
//! * **deadlock**: nobody can go on, and a process waits in a `receive`, be it with `after
//!   infinity`. `waiting.rs` says who waits as it is meant to and is not stuck.
//! * **endless**: a process computes on and on, or the execution has more events than the bound.
//! * **halted**, **unsupported**: the node stopped; or something failed after native code was
//!   missed.
//!
//! What follows from another failure of the same execution (`consequence.rs`) is told with that, as
//! what it brought down. If that is none by the rules, it is told by itself, unless it only ended
//! for the same reason.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use machine::contract::Violation;
use machine::step::Next;
use machine::{CodeSpace, Ending, Machine, Pid, Term, Unsupported};
use term::format::pretty;
use term::order::exact_eq;

use crate::assertion::assertion;
use crate::consequence::{appears, roots};
use crate::failure::{Failure, Kind, StuckProcess};
use crate::outcome::Execution;
use crate::place::{Place, awaited, is_library, own_place, where_it_is};
use crate::reason::exit_reason;
use crate::story::{Blame, Stuck};
use crate::waiting;

/// What counts as a failure.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Reasons that are normal, beside `normal`, and `shutdown` and `{shutdown, _}` where these are
    /// usual.
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

/// Something that is wrong with an execution.
pub(crate) struct Fault {
    pub(crate) failure: Failure,
    pub(crate) blame: Blame,
    /// What it brought down, in the order of their ends.
    pub(crate) consequences: Vec<Fault>,
}

impl Fault {
    fn new(failure: Failure, blame: Blame) -> Fault {
        Fault { failure, blame, consequences: Vec::new() }
    }
}

/// A process that ended as it should not have.
struct End {
    fault: Fault,
    /// Which end of those that are not normal it is, and which brought it about.
    at: usize,
    root: Option<usize>,
    /// Whether it is told where that is not.
    is_told_alone: bool,
}

/// Who ended because of whom.
pub(crate) struct Causes<'a> {
    /// Who sent the signal that ended a process.
    pub(crate) killers: &'a dyn Fn() -> BTreeMap<Pid, Pid>,
    /// Of processes in the order of their ends: whether the end of each comes after that of another
    /// of them in all equivalent executions.
    pub(crate) after_another: &'a dyn Fn(&[Pid]) -> Vec<bool>,
}

/// How processes and terms are told.
pub(crate) struct Telling<'a> {
    pub(crate) code: &'a CodeSpace,
    pub(crate) name: &'a dyn Fn(Pid) -> String,
    pub(crate) term: &'a dyn Fn(&Term) -> String,
}

/// Processes by their identifiers.
pub(crate) fn plainly(machine: &Machine) -> Telling<'_> {
    Telling { code: machine.code(), name: &plain_name, term: &pretty::to_string }
}

pub(crate) fn plain_name(pid: Pid) -> String {
    term::print::pid(pid)
}

fn unsupported(Unsupported { lack, at }: &Unsupported, place: Option<Place>) -> Failure {
    let asked_at = at.clone().map(|(file, line)| Place { file, line });
    Failure::Unsupported { lack: lack.clone(), asked_at, place }
}

impl Rules {
    pub(crate) fn faults(
        &self,
        execution: &Execution<'_>,
        telling: &Telling<'_>,
        causes: &Causes<'_>,
    ) -> Vec<Fault> {
        let mut ends = self.ends(execution, telling, causes);
        let stop = self.stop(execution, telling);
        // What fails because native code is not there fails here only.
        let missed = execution.machine.missed_natives().first();
        if let Some(what) = missed.filter(|_| !ends.is_empty() || stop.is_some()) {
            let failure = unsupported(what, None);
            return vec![Fault::new(failure, Blame::default())];
        }
        let caught = caught(execution.machine, &ends, telling);
        ends.retain(|end| self.counts(&end.fault));
        let mut faults = causes_first(ends);
        faults.extend(caught.into_iter().filter(|fault| self.counts(fault)));
        faults.extend(stop.filter(|fault| self.counts(fault)));
        faults
    }

    /// Whether failures of some kinds do not count.
    pub(crate) fn leaves_out_some(&self) -> bool {
        self.assertions_only || !self.ignored.is_empty()
    }

    /// Whether a failure is of a kind that counts.
    fn counts(&self, fault: &Fault) -> bool {
        let kind = fault.failure.kind();
        self.ignored.iter().all(|ignored| ignored.as_str() != kind.name())
            && (!self.assertions_only || kind == Kind::Assertion)
    }

    /// Processes that ended as they should not have.
    fn ends(
        &self,
        execution: &Execution<'_>,
        telling: &Telling<'_>,
        causes: &Causes<'_>,
    ) -> Vec<End> {
        let mut ends = Vec::new();
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
        let pids: Vec<Pid> = abnormal.iter().map(|(pid, _)| *pid).collect();
        let tells_of = |cause: usize, at: usize| appears(abnormal[cause].1, abnormal[at].1);
        let roots = roots(&pids, &tells_of, causes.after_another);
        for (at, ((pid, reason), root)) in abnormal.iter().zip(roots).enumerate() {
            let process = (telling.name)(*pid);
            let is_main = self.main == Some(*pid);
            let is_same = root.is_some_and(|root| exact_eq(abnormal[root].1, reason));
            let inherited = is_same || (root.is_some() && killer(pid).is_some());
            let blame = Blame { ended: vec![*pid], stuck: Vec::new() };
            if is(reason, "killed") {
                let killer = killer(pid);
                let expected = supervised(pid)
                    && killer.is_none_or(|killer| self.is_ancestor(execution, killer, *pid));
                if expected && !is_main {
                    continue;
                }
                let is_told_alone = killer.is_some();
                let failure = Failure::Killed { process, by: killer.map(telling.name) };
                ends.push(End { fault: Fault::new(failure, blame), at, root, is_told_alone });
                continue;
            }
            let told = exit_reason(telling.code, reason);
            let place = told.place.clone();
            // Who only ends with another made no assertion.
            let claim = (!inherited).then(|| assertion(&told.cause, telling.term)).flatten();
            let broken = (!inherited).then(|| broken(execution.machine, *pid, &told.cause));
            let failure = match (claim, broken.flatten()) {
                (Some((name, claim)), _) => Failure::Assertion { name, process, claim, place },
                (None, Some(violation)) => contract(violation, process),
                (None, None) => {
                    let cause = told.told(telling.term);
                    Failure::AbnormalExit { process, inherited, cause, place }
                }
            };
            let is_told_alone = is_main || !is_same;
            ends.push(End { fault: Fault::new(failure, blame), at, root, is_told_alone });
        }
        ends
    }

    /// How the execution stopped, where that is wrong.
    fn stop(&self, execution: &Execution<'_>, telling: &Telling<'_>) -> Option<Fault> {
        let machine = execution.machine;
        let failure = match &execution.stop {
            Ending::Quiescent => return self.deadlock(execution, telling),
            // An exploration waits for nobody, and its node is up.
            Ending::Returned(_) | Ending::Raised(_) | Ending::Ended(_) | Ending::NotStarted(_) => {
                return None;
            }
            Ending::Halted(0) => return None,
            Ending::Halted(status) => Failure::Halted { status: *status },
            Ending::Unsupported { what, .. } => {
                let mut pids = machine.pids();
                let asked = pids.find(|pid| machine.known_next(*pid) == Next::Stopped);
                let place = asked.and_then(|pid| own_place(machine, pid));
                unsupported(what, place)
            }
            Ending::Spins(pid) => {
                Failure::Spins { process: (telling.name)(*pid), at: where_it_is(machine, *pid) }
            }
            Ending::Repeats(repeat) => Failure::Repeats { every: repeat.every },
            Ending::Bound { .. } => Failure::TooDeep,
        };
        Some(Fault::new(failure, Blame::default()))
    }

    fn deadlock(&self, execution: &Execution<'_>, telling: &Telling<'_>) -> Option<Fault> {
        let machine = execution.machine;
        let mut stuck: Vec<StuckProcess> = Vec::new();
        let mut blame = Blame::default();
        for blocked in waiting::stuck(machine, &execution.blocked, self) {
            let (pid, mailbox) = (blocked.pid, &blocked.mailbox);
            let at = where_it_is(machine, pid);
            let awaited = awaited(machine, pid);
            blame.stuck.push(Stuck {
                pid,
                place: at.place().cloned(),
                awaited: awaited.clone(),
                mailbox: mailbox.clone(),
            });
            let listed = || (telling.term)(&Term::list(mailbox.clone()));
            let mailbox = (!mailbox.is_empty()).then(listed);
            stuck.push(StuckProcess { process: (telling.name)(pid), awaited, at, mailbox });
        }
        let failure = Failure::Deadlock { stuck };
        (!blame.stuck.is_empty()).then_some(Fault::new(failure, blame))
    }

    pub(crate) fn is_normal(&self, code: &CodeSpace, reason: &Term) -> bool {
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

/// The contract that did not hold, if a process ended for that reason.
fn broken<'m>(machine: &'m Machine, pid: Pid, cause: &Term) -> Option<&'m Violation> {
    let tag = cause.as_tuple().and_then(|elements| elements.first());
    tag.filter(|tag| is(tag, "contract_violation"))?;
    let process = plain_name(pid);
    machine.violations().iter().rev().find(|violation| violation.process == process)
}

fn contract(violation: &Violation, process: String) -> Failure {
    let declared = &violation.contract;
    let place = Place { file: declared.file.clone(), line: declared.line };
    Failure::Contract { violation: Box::new(violation.clone()), process, place: Some(place) }
}

/// Contracts that did not hold, and nobody ended for it.
fn caught(machine: &Machine, ends: &[End], telling: &Telling<'_>) -> Vec<Fault> {
    let is_told = |violation: &&Violation| {
        ends.iter().any(|end| match &end.fault.failure {
            Failure::Contract { violation: told, .. } => **told == **violation,
            _ => false,
        })
    };
    let left = machine.violations().iter().filter(|violation| !is_told(violation));
    left.map(|violation| {
        let pid = machine.pids().find(|pid| plain_name(*pid) == violation.process);
        let process = pid.map_or_else(|| violation.process.clone(), |pid| (telling.name)(pid));
        Fault::new(contract(violation, process), Blame::default())
    })
    .collect()
}

/// Ends with those that they brought about.
fn causes_first(ends: Vec<End>) -> Vec<Fault> {
    let mut causes: Vec<(usize, Fault)> = Vec::new();
    let mut consequences: Vec<(usize, Fault)> = Vec::new();
    let is_told = |at: usize| ends.iter().any(|end| end.at == at && end.root.is_none());
    let told: Vec<bool> = ends.iter().map(|end| end.root.is_some_and(is_told)).collect();
    for (end, has_cause) in ends.into_iter().zip(told) {
        match end.root {
            Some(root) if has_cause => consequences.push((root, end.fault)),
            Some(_) if !end.is_told_alone => {}
            _ => causes.push((end.at, end.fault)),
        }
    }
    for (root, consequence) in consequences {
        if let Some((_, cause)) = causes.iter_mut().find(|(at, _)| *at == root) {
            cause.consequences.push(consequence);
        }
    }
    causes.into_iter().map(|(_, cause)| cause).collect()
}

/// Whether a process of a tree of supervisors ends for this reason when it is told to.
pub(crate) fn is_shutdown(reason: &Term) -> bool {
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
pub(crate) fn ended_as_meant(machine: &Machine, pid: Pid) -> bool {
    machine.ended_as_helper_of(pid).is_some_and(|module| is_library(machine.code(), module))
}
