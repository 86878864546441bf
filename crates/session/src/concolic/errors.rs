//! What runs came to: those that fail, each kind of failure at each place once.

use ::explore::Execution;
use ::inputs::{Input, text};
use atom::Atom;
use machine::exception::{Class, Crash};
use machine::{Ending as End, Machine, Pid};
use runner::run;
use rustc_hash::FxHashMap;

use super::subject::{Holds, Subject};
use super::{Failed, Kind, Ran, told};
use crate::contracts::Broken;
use crate::contracts::searched::Said;
use crate::inputs::stand::Stand;
use crate::run::Ending;

pub(super) struct Seen {
    module: Atom,
    name: Atom,
    /// What a run is to come to, and the property that is looked at.
    holds: Holds,
    property: (Atom, Atom),
    pub(super) ran: Vec<Ran>,
    pub(super) failed: Vec<Failed>,
    /// Failures that are known, and where they are in `failed`.
    known: FxHashMap<String, usize>,
    /// Runs that did not come to their end.
    pub(super) unfinished: u64,
    /// Whether processes of some input ran in some orders only.
    pub(super) other_orders: bool,
}

impl Seen {
    pub(super) fn new(subject: &Subject) -> Seen {
        Seen {
            module: subject.call.module,
            name: subject.call.name,
            holds: subject.holds,
            property: (subject.function.0, subject.function.1.0),
            ran: Vec::new(),
            failed: Vec::new(),
            known: FxHashMap::default(),
            unfinished: 0,
            other_orders: false,
        }
    }

    fn call(&self, input: &Input) -> String {
        let quote = |name: &Atom| atom::quote::atom(name.as_str());
        let (module, name) = (quote(&self.module), quote(&self.name));
        format!("{module}:{name}({})", text::write_args(input))
    }

    /// A run is over.
    pub(super) fn note(&mut self, stand: &Stand, input: &Input, end: &End) {
        let mut ran =
            Ran { call: self.call(input), input: input.clone(), ending: told(stand, end) };
        let falsified = self.falsified(end, &mut ran);
        if let End::Bound { .. } | End::Spins(_) | End::Repeats(_) | End::Unsupported { .. } = end {
            self.unfinished += 1;
        }
        let found = falsified.or_else(|| match stand.said_of_contracts() {
            Said::Refused => None,
            Said::Broken(broken) => contract(&ran, *broken),
            Said::Nothing => failure(stand, &ran, end),
        });
        if let Some((key, failed)) = found {
            self.add(key, failed);
        }
        self.ran.push(ran);
    }

    /// A property that does not hold. What is told is the property with its values, not how these
    /// were chosen.
    fn falsified(&self, end: &End, ran: &mut Ran) -> Option<(String, Failed)> {
        let End::Returned(value) = end else { return None };
        if self.holds == Holds::NoError {
            return None;
        }
        if self.holds == Holds::True {
            let reason = format!("it gives {}", term::print::to_string(value));
            return if value.is_true() { None } else { plain(ran, Kind::False, "false", reason) };
        }
        let quote = |name: &Atom| atom::quote::atom(name.as_str());
        let property = format!("{}:{}()", quote(&self.property.0), quote(&self.property.1));
        let Some([tag, values, why]) = value.as_tuple() else {
            ran.call = property;
            return None;
        };
        if !tag.is_atom(Atom::new("$falsified")) {
            return None;
        }
        ran.call = format!("proper:erlscope_hold({property}, {})", term::print::to_string(values));
        let told = |term: &machine::Term| term::print::to_string(term);
        let (class, reason) = match why.as_tuple() {
            Some([class, reason])
                if class.as_atom().is_some() && !class.is_atom(Atom::new("non_boolean_result")) =>
            {
                (told(class), told(reason))
            }
            _ => ("error".to_owned(), format!("{{property_failed,{}}}", told(why))),
        };
        plain(ran, Kind::Raised, &class, reason).map(|(_, failed)| {
            let words: String = failed.reason.chars().take_while(|c| *c != ',').collect();
            (format!("property {} {words}", failed.class), failed)
        })
    }

    fn add(&mut self, key: String, failed: Failed) {
        match self.known.get(&key) {
            Some(&at) => self.failed[at].others += u64::from(!failed.by_schedule),
            None => {
                self.known.insert(key, self.failed.len());
                self.failed.push(failed);
            }
        }
    }

    /// An execution of an input, in an order of its own, has an error.
    pub(super) fn note_execution(
        &mut self,
        stand: &Stand,
        input: &Input,
        execution: &Execution<'_>,
        main: Pid,
    ) {
        let ending = Ending::Quiescent;
        let ran = Ran { call: self.call(input), input: input.clone(), ending };
        let said = match stand.said_in(execution.machine) {
            Said::Refused => return,
            Said::Broken(broken) => contract(&ran, *broken),
            Said::Nothing => None,
        };
        let found = match execution.machine.crash() {
            _ if said.is_some() => said,
            Some(crash) if !execution.ended.is_empty() => {
                let kind = if crash.pid == main { Kind::Raised } else { Kind::Process };
                raised(stand, execution.machine, &ran, crash, kind)
            }
            // Who serves others may wait when all is over.
            _ if execution.blocked.iter().all(|blocked| blocked.pid != main) => None,
            _ => plain(&ran, Kind::Stuck, "stuck", "every process waits".to_owned()),
        };
        if let Some((key, mut failed)) = found {
            failed.by_schedule = true;
            self.add(key, failed);
        }
    }
}

/// How a run failed, if it did, and what is the same for the same failure at the same place.
fn failure(stand: &Stand, ran: &Ran, end: &End) -> Option<(String, Failed)> {
    // What fails because native code is missing says nothing about the program.
    if !stand.machine().missed_natives().is_empty() {
        return None;
    }
    match end {
        End::Raised(crash) => raised(stand, stand.machine(), ran, crash, Kind::Raised),
        End::Ended(reason) => {
            let reason = term::print::to_string(reason);
            let is_good = matches!(reason.as_str(), "normal" | "shutdown");
            if is_good { None } else { plain(ran, Kind::Raised, "exit", reason) }
        }
        End::Quiescent => plain(ran, Kind::Stuck, "stuck", "every process waits".to_owned()),
        End::Bound { bound, .. } => plain(ran, Kind::Endless, "endless", bound.to_string()),
        End::Spins(_) | End::Repeats(_) => {
            plain(ran, Kind::Endless, "endless", "it computes on and on".to_owned())
        }
        _ => {
            // The call has returned; a process that it started may have failed.
            let crash = stand.machine().crash()?;
            match crash.class {
                Class::Error => raised(stand, stand.machine(), ran, crash, Kind::Process),
                _ => None,
            }
        }
    }
}

/// A contract did not hold.
fn contract(ran: &Ran, broken: Broken) -> Option<(String, Failed)> {
    let key = broken.what();
    let (_, mut failed) = plain(ran, Kind::Contract, "contract", key.clone())?;
    (failed.file, failed.line) = (Some(broken.file.clone()), Some(broken.line));
    failed.broken = Some(Box::new(broken));
    Some((key, failed))
}

fn plain(ran: &Ran, kind: Kind, class: &str, reason: String) -> Option<(String, Failed)> {
    let (class, ran, by_schedule) = (class.to_owned(), ran.clone(), false);
    let failed = Failed {
        kind,
        class,
        reason,
        file: None,
        line: None,
        ran,
        others: 0,
        by_schedule,
        broken: None,
    };
    Some((format!("{kind:?}"), failed))
}

fn raised(
    stand: &Stand,
    machine: &Machine,
    ran: &Ran,
    crash: &Crash,
    kind: Kind,
) -> Option<(String, Failed)> {
    let reason = term::print::to_string(&crash.reason);
    let is_good = match crash.class {
        // A throw is a way to answer.
        Class::Throw => true,
        Class::Exit => matches!(reason.as_str(), "normal" | "shutdown"),
        Class::Error => false,
    };
    if is_good {
        return None;
    }
    let is_own = |module| stand.loader().is_own(module);
    let place = run::place_of_crash(machine, crash, &is_own);
    let file = place.as_ref().map(|place| place.file.clone());
    let line = place.as_ref().map(|place| place.line);
    let class = crash.class.atom().to_string();
    // Without the values of the reason.
    let words: String = reason.chars().take_while(|c| !matches!(c, ',' | '}')).collect();
    let key = format!("{kind:?} {class} {words} {file:?} {line:?}");
    let ran = ran.clone();
    let (by_schedule, broken) = (false, None);
    Some((key, Failed { kind, class, reason, file, line, ran, others: 0, by_schedule, broken }))
}
