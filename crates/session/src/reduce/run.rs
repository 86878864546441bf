//! A node on which one version of a failing program after another is run, and what its failure is.
//!
//! A call, or a test, runs as `erlscope run` would run it; a witness of visible actions is looked
//! for in all schedules, up to so many executions. What tells a failure from others is what kind it
//! is, the words of its reason without values, and the lines where it happens: deleting leaves
//! lines where they are.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use ::explore::failure::Failure;
use ::explore::finding::{Findings, Rules};
use ::explore::{Bounds, Delivery as Travels, IsOver, Search};
use ::reduce::deletions::FILLER;
use ::trace::schedule::Witness;
use atom::Atom;
use machine::code_space::Extent;
use machine::{Ending, Machine, State};
use program::Program;
use runner::limits::Limits;
use runner::loader::ProgramLoader;
use runner::run;
use runner::world::explored::ExploredWorld;
use runner::world::permissions::Permissions;
use syntax::ast::Module;

use crate::again::Recorded;
use crate::inputs::stand;
use crate::minimal::bench::{shown, without_names};
use crate::running::{Delivery, Running};
use crate::{Control, Error, open};

/// Calls that the first run may make.
const STEPS: u64 = 2_000_000;

/// Executions that are looked at for the finding of a witness, and events of one of them.
const EXECUTIONS: u64 = 20_000;
const EVENTS: usize = 5_000;

/// Candidates may take so many times what the program took, and some more.
const FACTOR: u64 = 3;
const MORE_STEPS: u64 = 1_000;
const MORE_EXECUTIONS: u64 = 60;

/// How a failing program is run.
pub(super) struct Runner {
    machine: Machine,
    loader: Rc<ProgramLoader>,
    idle: State,
    extent: Extent,
    kind: Recorded,
    running: Running,
    any_delivery: bool,
    control: Control,
    /// What a run may take.
    most: u64,
    /// Whether there have to be executions without the failure, too: it depends on the schedule.
    needs_fine: bool,
}

/// What a run came to.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    /// What tells it from others, without values.
    pub(super) key: String,
    /// The same with the values that it shows.
    pub(super) exact: String,
    /// Whether something that stands for what was deleted has to do with it.
    pub(super) of_filler: bool,
    /// Calls, or executions, up to there.
    taken: u64,
}

impl Runner {
    pub(super) fn new(
        witness: &Witness,
        program: &Arc<Program>,
        permissions: Permissions,
        control: &Control,
    ) -> Result<Runner, Error> {
        let running = Running { seed: witness.seed, ..Running::default() };
        let loader = Rc::new(ProgramLoader::new(Arc::clone(program), running.prefer()));
        let world = Rc::new(ExploredWorld::new(permissions, witness.seed.unwrap_or(0)));
        let machine = open::boot_quiet(&loader, world)?;
        let kind = Recorded::of(witness);
        let (idle, extent) = (machine.copy_state(), machine.code_extent());
        Ok(Runner {
            machine,
            loader,
            idle,
            extent,
            kind,
            running,
            any_delivery: witness.any_delivery,
            control: control.clone(),
            most: match kind {
                Recorded::Actions => EXECUTIONS,
                Recorded::Test | Recorded::Call => STEPS,
            },
            needs_fine: kind == Recorded::Actions,
        })
    }

    /// Runs the program as it is: its failures. From now on others may take little more than it
    /// took up to the one that is chosen, and the library is there already.
    pub(super) fn first(
        &mut self,
        call: &str,
        program: &[(Atom, Arc<Module>)],
    ) -> Option<(Failed, Vec<Atom>)> {
        let failed = match self.run(call, program, &|_| true) {
            Some(failed) => failed,
            None => {
                self.needs_fine = false;
                self.run(call, program, &|_| true)?
            }
        };
        let modules = self.machine.code().modules.iter().map(|module| module.name);
        let modules: Vec<Atom> = modules.collect();
        let entry = Atom::new(run::ENTRY);
        let is_own = |name: &Atom| program.iter().any(|(own, _)| own == name);
        let library: Vec<Atom> =
            modules.iter().filter(|name| !is_own(name) && **name != entry).copied().collect();
        self.machine.unload_since(self.extent);
        for module in library {
            self.machine.ensure_loaded(module);
        }
        self.extent = self.machine.code_extent();
        self.most = failed.taken * FACTOR
            + match self.kind {
                Recorded::Actions => MORE_EXECUTIONS,
                Recorded::Test | Recorded::Call => MORE_STEPS,
            };
        Some((failed, modules.into_iter().filter(is_own).collect()))
    }

    /// Runs a version of the program; the first failure that is wanted.
    pub(super) fn run(
        &mut self,
        call: &str,
        program: &[(Atom, Arc<Module>)],
        wanted: &dyn Fn(&Failed) -> bool,
    ) -> Option<Failed> {
        self.machine.unload_since(self.extent);
        for (name, tree) in program {
            self.loader.add_own_tree(*name, Arc::clone(tree));
        }
        let entry = Atom::new(run::ENTRY);
        match self.kind {
            Recorded::Actions => {
                let text = format!("-module({entry}).\n-export([main/0]).\nmain() -> {call}.\n");
                self.loader.add_source(entry, &text);
            }
            Recorded::Test | Recorded::Call => run::entry(&self.loader, call).ok()?,
        }
        self.machine.go_back(&self.idle);
        let all = program.iter().map(|(name, _)| *name).chain([entry]);
        for name in all {
            if !self.machine.ensure_loaded(name) {
                return None;
            }
        }
        match self.kind {
            Recorded::Actions => self.explored(wanted),
            Recorded::Test | Recorded::Call => self.called(wanted),
        }
    }

    fn called(&mut self, wanted: &dyn Fn(&Failed) -> bool) -> Option<Failed> {
        let delivery = if self.any_delivery { Delivery::Any } else { Delivery::Instant };
        if self.any_delivery {
            Travels::Any.set(&mut self.machine);
        }
        let mut scheduler = self.running.scheduler(delivery);
        let limits = Limits { steps: Some(self.most), ..self.running.limits(&self.control).ok()? };
        let before = self.machine.steps();
        let pid = self.machine.spawn(Atom::new(run::ENTRY), Atom::new("main"), Vec::new());
        self.machine.keep_quiet_about(pid);
        let end = run::run_process(&mut self.machine, pid, &mut *scheduler, &limits);
        let taken = self.machine.steps() - before;
        if !self.machine.missed_natives().is_empty() {
            return None;
        }
        let key = match &end {
            Ending::Quiescent => "everybody waits".to_owned(),
            Ending::Halted(status) => format!("halted {status}"),
            Ending::Bound { .. } => "it does not end".to_owned(),
            _ => stand::failure(&self.machine, &self.loader, &end)?,
        };
        let (values, trace) = match &end {
            Ending::Raised(crash) => (shown(&crash.reason), term::print::to_string(&crash.trace)),
            Ending::Ended(reason) => (shown(reason), String::new()),
            _ => Default::default(),
        };
        let of_filler = values.contains(FILLER) || trace.contains(FILLER);
        let exact = format!("{key} {values}");
        let failed = Failed { key, exact, of_filler, taken };
        wanted(&failed).then_some(failed)
    }

    fn explored(&mut self, wanted: &dyn Fn(&Failed) -> bool) -> Option<Failed> {
        let mut machine = self.machine.clone();
        machine.start_stepping();
        let main = machine.spawn(Atom::new(run::ENTRY), Atom::new("main"), Vec::new());
        let over = self.control.clone();
        let mut bounds = Bounds {
            max_executions: self.most,
            max_depth: EVENTS,
            delivery: if self.any_delivery { Travels::Any } else { Travels::Instant },
            is_over: IsOver::new(move || over.is_over()),
            ..Bounds::default()
        };
        let rules = Rules { main: Some(main), first: main.0, ..Rules::default() };
        for _ in 0..MOST_TIMES {
            let mut findings = Findings::new(rules.clone());
            let (mut found, mut taken, mut fine) = (None, 0, !self.needs_fine);
            let mut search = Search::new(machine.clone(), bounds.clone());
            let statistics = search.run(|execution| {
                taken += 1;
                fine |= !findings.look(execution);
                if found.is_none() {
                    let failed = findings.of_last().map(|finding| failed(&finding.failure, taken));
                    found = failed.into_iter().find(|failed| wanted(failed));
                }
                found.is_none() || !fine
            });
            if let Some(mut found) = found.filter(|_| fine) {
                found.taken = taken;
                return Some(found);
            }
            if !statistics.again {
                return None;
            }
            bounds = bounds.again(statistics);
        }
        None
    }
}

/// How often a search is begun at most (see `session::explore`).
const MOST_TIMES: usize = 4;

fn failed(failure: &Failure, taken: u64) -> Failed {
    let key = key_of(failure);
    let values = match failure {
        Failure::AbnormalExit { cause, .. } => format!("{} {:?}", cause.reason, cause.failed),
        Failure::Assertion { claim, .. } => format!("{claim:?}"),
        _ => String::new(),
    };
    let of_filler = values.contains(FILLER);
    let exact = without_names(format!("{key} {values}"));
    Failed { key, exact, of_filler, taken }
}

/// What tells a failure from others, whoever shows it and whatever values it has.
pub(super) fn key_of(failure: &Failure) -> String {
    let place = |place: Option<&::explore::place::Place>| {
        place.map_or(String::new(), |place| format!(" {}, line {}", base(&place.file), place.line))
    };
    match failure {
        Failure::AbnormalExit { cause, .. } => {
            format!("exit {}{}", tags(&cause.reason), place(failure.place()))
        }
        Failure::Assertion { name, .. } => format!("{name}{}", place(failure.place())),
        // The contract as it is written says which one; lines and files change while it is reduced.
        Failure::Contract { violation, .. } => {
            format!("contract {:?} {}", violation.contract.kind, violation.contract.text)
        }
        Failure::Killed { .. } => "killed".to_owned(),
        Failure::Deadlock { stuck } => {
            let mut at: Vec<String> = stuck.iter().map(|stuck| place(stuck.at.place())).collect();
            at.sort();
            at.dedup();
            format!("deadlock{}", at.concat())
        }
        Failure::Spins { at, .. } => format!("spins{}", place(at.place())),
        Failure::TooDeep | Failure::Repeats { .. } => "endless".to_owned(),
        Failure::Halted { status } => format!("halted {status}"),
        Failure::Unsupported { .. } => "not supported".to_owned(),
    }
}

/// A place is the same wherever the program is.
fn base(file: &str) -> String {
    let name = Path::new(file).file_name();
    name.map_or(file.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The words that a reason begins with, without values: `{{badmatch,17},…}` is `badmatch`.
fn tags(reason: &str) -> &str {
    let begin = reason.trim_start_matches(['{', '[', ' ']);
    let end = begin.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@'));
    &begin[..end.unwrap_or(begin.len())]
}

/// A key without its lines, for a text that has others.
pub(super) fn without_lines(key: &str) -> String {
    let mut out = String::new();
    let mut rest = key;
    while let Some(at) = rest.find(", line ") {
        out.push_str(&rest[..at]);
        let behind = &rest[at + ", line ".len()..];
        let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        rest = &behind[end..];
    }
    out.push_str(rest);
    out
}
