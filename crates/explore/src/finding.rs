//! What an exploration finds: failures grouped by what failed, each with its simplest schedule.
//!
//! * **abnormal exit**: a process ended for a reason that is not normal, by an exception or by `exit/1`.
//!   One that was ended by a signal from such a process is a consequence, told only if it is the process
//!   of the test; one that was killed by `exit(Pid, kill)` is not told.
//! * **deadlock**: nobody can go on, and a process waits in a `receive` without a timeout. A process
//!   that says `receive after infinity -> … end` waits on purpose. A process of a behaviour in its loop
//!   (`gen_server`, `gen_statem`, `gen_event`, `supervisor`) is idle, not stuck; neither are
//!   processes that were there before the test.
//! * **endless**: a process computes on and on, or the execution has more events than the bound.
//! * **halted**, **unsupported**: the node stopped.
//!
//! Of the executions that show a finding the one with the fewest preemptions among the first few is
//! kept: an execution costs its length squared to be put into an order.

use std::collections::BTreeMap;

use atom::Atom;
use machine::{Machine, Pid, Term};
use term::format::pretty;

use crate::outcome::{Blocked, Execution, Stop};
use crate::schedule::Schedule;

/// How many executions of one finding are put into an order to find a simple one.
const TRIES: u64 = 50;

/// File and line.
pub type Place = (String, u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    AbnormalExit,
    Deadlock,
    Endless,
    Halted,
    Unsupported,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::AbnormalExit => "abnormal_exit",
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
}

/// What counts as a failure.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Reasons that are normal, beside `normal`, `shutdown` and `{shutdown, _}`.
    pub normal: Vec<String>,
    pub ignored: Vec<String>,
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
}

impl Findings {
    pub fn new(rules: Rules) -> Findings {
        Findings { rules, found: BTreeMap::new() }
    }

    pub fn into_list(self) -> Vec<Finding> {
        self.found.into_values().collect()
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Looks at an execution. Says whether anything is wrong with it.
    pub fn look(&mut self, execution: &Execution<'_>) -> bool {
        let mut wrong = false;
        for (kind, message, place) in self.failures(execution) {
            if self.rules.ignored.iter().any(|ignored| ignored == kind.name()) {
                continue;
            }
            wrong = true;
            let key = (kind, message.clone());
            let found = self.found.entry(key).or_insert_with(|| Finding {
                kind,
                message,
                count: 0,
                schedule: Schedule::default(),
                place,
            });
            found.count += 1;
            if found.count <= TRIES {
                let schedule = execution.schedule();
                if found.count == 1 || schedule.preemptions < found.schedule.preemptions {
                    found.schedule = schedule;
                }
            }
        }
        wrong
    }

    fn failures(&self, execution: &Execution<'_>) -> Vec<(Kind, String, Option<Place>)> {
        let machine = execution.machine;
        let name = |pid: Pid| machine.process_name(pid);
        let mut failures = Vec::new();
        let mut abnormal: Vec<&Term> = Vec::new();
        for (pid, reason) in &execution.ended {
            if self.is_normal(reason) {
                continue;
            }
            let inherited = abnormal.iter().any(|other| term::order::exact_eq(other, reason));
            abnormal.push(reason);
            if inherited && self.rules.main != Some(*pid) {
                continue;
            }
            let (shown, place) = exit_reason(reason);
            let how = if inherited { "was ended by a link" } else { "exits abnormally" };
            failures.push((Kind::AbnormalExit, format!("{} {how}: {shown}", name(*pid)), place));
        }
        match &execution.stop {
            Stop::Finished => {
                let stuck: Vec<&Blocked> = execution
                    .blocked
                    .iter()
                    .filter(|blocked| {
                        blocked.pid.0 >= self.rules.first && !is_idle(machine, blocked)
                    })
                    .collect();
                if !stuck.is_empty() {
                    let who: Vec<String> = stuck.iter().map(|b| waits(machine, b)).collect();
                    let place = stuck.first().and_then(|b| own_place(machine, b.pid));
                    failures.push((Kind::Deadlock, format!("stuck: {}", who.join("; ")), place));
                }
            }
            Stop::Halted(0) => {}
            Stop::Halted(status) => {
                failures.push((Kind::Halted, format!("the node halts with status {status}"), None));
            }
            Stop::Unsupported(message) => {
                failures.push((Kind::Unsupported, format!("not supported: {message}"), None));
            }
            Stop::Spins(pid) => failures.push((
                Kind::Endless,
                format!("{} computes on and on without a visible action", name(*pid)),
                own_place(machine, *pid),
            )),
            Stop::Repeats(repeat) => failures.push((
                Kind::Endless,
                format!(
                    "the test can run forever: its state comes again after {} more event{}",
                    repeat.every,
                    if repeat.every == 1 { "" } else { "s" }
                ),
                None,
            )),
            Stop::TooDeep => failures.push((
                Kind::Endless,
                "the execution has more events than the bound".to_owned(),
                None,
            )),
        }
        failures
    }

    fn is_normal(&self, reason: &Term) -> bool {
        let is = |term: &Term, names: &[&str]| {
            term.as_atom().is_some_and(|atom| names.contains(&atom.as_str()))
        };
        if is(reason, &["normal", "shutdown", "killed"]) {
            return true;
        }
        if let Some([tag, _]) = reason.as_tuple()
            && is(tag, &["shutdown"])
        {
            return true;
        }
        if self.rules.normal.is_empty() {
            return false;
        }
        let shown = pretty::to_string(reason);
        let tag = reason.as_tuple().and_then(|elements| elements.first()).map(pretty::to_string);
        self.rules.normal.iter().any(|normal| *normal == shown || Some(normal) == tag.as_ref())
    }
}

/// The reason without its stack trace, and the place at the top of that.
fn exit_reason(reason: &Term) -> (String, Option<Place>) {
    let Some([cause, trace]) = reason.as_tuple() else { return (pretty::to_string(reason), None) };
    let Some(frames) = trace.to_vec().filter(|frames| frames.iter().any(is_frame)) else {
        return (pretty::to_string(reason), None);
    };
    let place = frames.iter().find_map(|frame| {
        let location = frame.as_tuple()?.get(3)?.to_vec()?;
        let get = |name: &str| {
            location.iter().find_map(|pair| match pair.as_tuple()? {
                [key, value] if key.is_atom(Atom::new(name)) => Some(value.clone()),
                _ => None,
            })
        };
        let file = term::format::chardata::to_text(&get("file")?)?;
        Some((file, u32::try_from(get("line")?.as_int()?).ok()?))
    });
    let shown = pretty::to_string(cause);
    match &place {
        Some((file, line)) => (format!("{shown} at {file}:{line}"), place),
        None => (shown, None),
    }
}

fn is_frame(term: &Term) -> bool {
    term.as_tuple().is_some_and(|frame| frame.len() == 4 && frame[3].is_list())
}

/// Where a process is in its program: the innermost call that is not the library's.
pub fn own_place(machine: &Machine, pid: Pid) -> Option<Place> {
    let positions = machine.positions(pid, 100);
    let own = positions.iter().find(|position| !is_library(&position.file));
    own.or(positions.first()).map(|position| (position.file.clone(), position.line))
}

fn is_library(file: &str) -> bool {
    file.starts_with("erl/") || file.contains("/stdlib/") || file.contains("/kernel/")
}

fn waits(machine: &Machine, blocked: &Blocked) -> String {
    let place = match own_place(machine, blocked.pid) {
        Some((file, line)) => format!(" at {file}:{line}"),
        None => String::new(),
    };
    let mailbox = match blocked.mailbox.len() {
        0 => String::new(),
        _ => format!(
            " with {} in its mailbox",
            pretty::to_string(&Term::list(blocked.mailbox.clone()))
        ),
    };
    format!("{} waits{place}{mailbox}", machine.process_name(blocked.pid))
}

/// Whether a process waits as it is meant to: for ever on purpose, or in the loop of a behaviour.
fn is_idle(machine: &Machine, blocked: &Blocked) -> bool {
    const LOOPS: &[(&str, &str)] = &[
        ("gen_server", "loop"),
        ("gen_statem", "loop_receive"),
        ("gen_statem", "loop"),
        ("gen_event", "fetch_msg"),
        ("gen_event", "loop"),
    ];
    if blocked.on_purpose {
        return true;
    }
    let positions = machine.positions(blocked.pid, 3);
    positions.iter().any(|position| {
        let mfa = position.mfa;
        LOOPS.contains(&(mfa.module.as_str(), mfa.name.as_str()))
            || (mfa.module.as_str().starts_with("gen_") && mfa.name.as_str().contains("loop"))
    })
}
