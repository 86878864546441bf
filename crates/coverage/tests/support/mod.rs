//! Programs for tests: read, analysed, and run under a watcher.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use coverage::{Watcher, check, schedules};
use explore::Bounds;
use flow::def_use::{DefinitionId, UseId};
use flow::{Entry, Flow};
use machine::Machine;
use machine::world::Sealed;
use program::{LoadOptions, Program};
use runner::limits::Limits;
use runner::loader::{Prefer, ProgramLoader};
use runner::run;
use runner::scheduler::InTurn;

/// A program with its graph.
pub struct Subject {
    pub program: Arc<Program>,
    pub flow: Rc<Flow>,
    pub watcher: Rc<Watcher>,
}

pub fn subject(paths: &[PathBuf], entry: &Entry) -> Subject {
    let options = LoadOptions { without_otp: true, without_lint: true, ..LoadOptions::default() };
    let program = Arc::new(Program::load(paths, &options).expect("programs are read"));
    let flow = Rc::new(flow::analyse(&program, entry).expect("the entry is there"));
    let watcher = Rc::new(Watcher::new(Rc::clone(&flow), true));
    Subject { program, flow, watcher }
}

/// What a search came to.
pub struct Explored {
    pub executions: u64,
    pub complete: bool,
    pub lost: u64,
}

impl Subject {
    fn loader(&self) -> ProgramLoader {
        let loader = ProgramLoader::new(Arc::clone(&self.program), Prefer::Embedded);
        loader.mark_own();
        loader
    }

    /// Runs a call on a node of its own; what it printed.
    pub fn run(&self, call: &str) -> String {
        let world = Rc::new(Sealed::default());
        let loader = self.loader();
        run::entry(&loader, call).expect("a call");
        let mut machine =
            run::boot(Rc::new(loader), Rc::clone(&world) as _).expect("the node starts");
        self.watcher.begin();
        machine.observe(Some(self.watcher.clone()));
        let limits = Limits { steps: Some(400_000_000), ..Limits::default() };
        let (end, _) = run::run(&mut machine, &mut InTurn, &limits);
        let mut shown = world.output.borrow().clone();
        if !matches!(end, machine::Ending::Returned(_)) {
            shown.push_str(&format!("ended: {end:?}\n"));
        }
        shown
    }

    /// Explores up to `most` schedules of a function without arguments; how many there were,
    /// whether that is all, and how many could not be run again.
    pub fn explore(&self, module: &str, function: &str, most: u64) -> Explored {
        let machine = self.stepping(module, function);
        let bounds = Bounds { max_executions: most, max_depth: 2_000, ..Bounds::default() };
        let (statistics, lost) = schedules::watch_all(&machine, bounds, &self.watcher, |_| true);
        Explored { executions: statistics.executions, complete: statistics.complete, lost }
    }

    /// A Machine that is about to call a function, step by step.
    fn stepping(&self, module: &str, function: &str) -> Machine {
        let mut machine = Machine::new(Rc::new(self.loader()), Rc::new(Sealed::default()));
        machine.ensure_loaded(Atom::new(module));
        machine.start_stepping();
        machine.spawn(Atom::new(module), Atom::new(function), Vec::new());
        machine
    }
}

/// What was checked, and what is missing.
#[derive(Default)]
pub struct Tally {
    pub programs: usize,
    pub executions: u64,
    pub counts: BTreeMap<&'static str, usize>,
    pub misses: Vec<String>,
    /// Pairs through structures that happened, and those of them that the analysis does not have.
    pub structures: usize,
    pub unknown: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, name: &str, subject: &Subject) {
        let happened = subject.watcher.happened();
        let (counts, misses) = check(&subject.flow, happened.iter());
        for (kind, count) in counts {
            *self.counts.entry(kind).or_default() += count;
        }
        self.programs += 1;
        self.structures += subject.watcher.covered().structures.len();
        let unknown = unknown_structures(subject).into_iter();
        self.unknown.extend(unknown.map(|text| format!("{name}: {text}")));
        self.misses.extend(misses.into_iter().map(|miss| format!("{name}: {}", miss.text)));
        assert!(subject.watcher.other_trees().is_empty(), "{name} was run from another tree");
    }

    pub fn report(&self, what: &str) {
        let counts: Vec<String> =
            self.counts.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let programs = self.programs;
        let executions = match self.executions {
            0 => String::new(),
            executions => format!(", {executions} executions"),
        };
        println!(
            "{what}: {programs} programs{executions}, dynamic edges checked: {} ({}); {} misses",
            self.counts.values().sum::<usize>(),
            counts.join(", "),
            self.misses.len()
        );
        println!(
            "{what}: pairs through structures: {}, and {} that are not known",
            self.structures,
            self.unknown.len()
        );
        for unknown in &self.unknown {
            println!("  {unknown}");
        }
        for miss in &self.misses {
            println!("  {miss}");
        }
        assert!(self.misses.is_empty(), "{} misses", self.misses.len());
    }
}

/// Pairs through structures that happened and that the analysis does not have.
pub fn unknown_structures(subject: &Subject) -> Vec<String> {
    let flow = &subject.flow;
    let all = &flow.def_uses;
    let place = |site: flow::Site| {
        let loc = flow.modules[site.module].tree.loc(site.node);
        format!("{}:{}", loc.line, loc.column)
    };
    let text = |(using, definition): (UseId, DefinitionId)| {
        let (using, definition) = (&all.uses[using], &all.definitions[definition]);
        let (from, to) = (place(using.site), place(definition.site));
        format!("{from} {} -> {to} {}", using.name, definition.name)
    };
    subject.watcher.unknown_structures().into_iter().map(text).collect()
}

/// The modules in a directory, by name.
pub fn modules(dir: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "erl"));
    paths.sort();
    paths
}

/// The modules of a small project: beside each other, or in `src` and `test`.
pub fn in_project(dir: &Path) -> Vec<PathBuf> {
    let mut paths = modules(dir);
    for inner in ["src", "test"] {
        let inner = dir.join(inner);
        if inner.is_dir() {
            paths.extend(modules(&inner));
        }
    }
    paths
}

pub fn name(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned()
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
