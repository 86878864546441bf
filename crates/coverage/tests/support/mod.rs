//! Programs for tests: read, analysed, and run under a watcher.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use coverage::Watcher;
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
        if !matches!(end, run::End::Returned(_)) {
            shown.push_str(&format!("ended: {end:?}\n"));
        }
        shown
    }

    /// A Machine that is about to call a function, step by step.
    pub fn stepping(&self, module: &str, function: &str) -> Machine {
        let mut machine = Machine::new(Rc::new(self.loader()), Rc::new(Sealed::default()));
        machine.ensure_loaded(Atom::new(module));
        machine.start_stepping();
        machine.spawn(Atom::new(module), Atom::new(function), Vec::new());
        machine
    }
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

pub fn name(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned()
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
