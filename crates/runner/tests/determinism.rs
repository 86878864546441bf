//! The same program and the same choices give the same run, bit for bit: what is printed, how it
//! ends, who ran when and for how long, how many calls were made, what time it is in the end.
//!
//! Two nodes are booted independently. Every program runs on a copy of each, in turn and under the
//! seeds 1 to 50. That seeds make a difference at all is checked, too: else the comparison would
//! show nothing.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use machine::world::Sealed;
use machine::{Machine, Pid};
use program::Program;
use program::load::LoadOptions;
use runner::limits::Limits;
use runner::loader::{Prefer, ProgramLoader};
use runner::run;
use runner::scheduler::{InTurn, Scheduler, Shuffled};

/// A scheduler whose choices are written down.
struct Noted<'a> {
    scheduler: &'a mut dyn Scheduler,
    choices: Vec<(u64, u32)>,
}

impl Scheduler for Noted<'_> {
    fn next(&mut self, ready: &mut VecDeque<Pid>) -> Option<(Pid, u32)> {
        let (pid, slice) = self.scheduler.next(ready)?;
        self.choices.push((pid.0, slice));
        Some((pid, slice))
    }
}

/// All that can be seen of a run.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Seen {
    output: String,
    end: String,
    choices: Vec<(u64, u32)>,
    calls: u64,
    time: u64,
}

struct Node {
    machine: Machine,
    world: Rc<Sealed>,
}

fn boot(program: &Arc<Program>, module: &str) -> Node {
    let world = Rc::new(Sealed::default());
    let loader = ProgramLoader::new(Arc::clone(program), Prefer::Embedded);
    run::entry(&loader, &format!("{module}:main()")).expect("a call");
    let machine = run::boot(Rc::new(loader), Rc::clone(&world) as _).expect("the node starts");
    Node { machine, world }
}

impl Node {
    fn run(&self, scheduler: &mut dyn Scheduler) -> Seen {
        let mut machine = self.machine.clone();
        self.world.output.borrow_mut().clear();
        let mut noted = Noted { scheduler, choices: Vec::new() };
        let limits = Limits { steps: Some(50_000_000), ..Limits::default() };
        let (end, _) = run::run(&mut machine, &mut noted, &limits);
        Seen {
            output: self.world.output.borrow().clone(),
            end: format!("{end:?}"),
            choices: noted.choices,
            calls: machine.state.steps,
            time: machine.state.now,
        }
    }
}

fn sources(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory).expect("programs").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "erl"));
    paths.sort();
    paths
}

#[test]
fn equal_choices_give_equal_runs() {
    let concurrent = sources("determinism");
    let sequential = sources("programs");
    let paths: Vec<PathBuf> = concurrent.iter().chain(&sequential).cloned().collect();
    let options = LoadOptions { without_lint: true, without_otp: true, ..LoadOptions::default() };
    let program = Arc::new(Program::load(&paths, &options).expect("programs are read"));
    for path in &paths {
        let module = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let nodes = [boot(&program, module), boot(&program, module)];
        let in_turn = nodes[0].run(&mut InTurn);
        assert_eq!(in_turn, nodes[1].run(&mut InTurn), "{module} in turn");
        assert!(in_turn.end.starts_with("Returned"), "{module}: {}", in_turn.end);
        // What runs alone needs no more than a few seeds.
        let seeds = if concurrent.contains(path) { 50 } else { 2 };
        let mut outputs = BTreeSet::new();
        for seed in 1..=seeds {
            let first = nodes[0].run(&mut Shuffled::new(seed));
            let second = nodes[1].run(&mut Shuffled::new(seed));
            assert_eq!(first, second, "{module} with seed {seed}");
            outputs.insert(first.output);
        }
        assert!(
            !concurrent.contains(path) || outputs.len() > 5,
            "{module}: seeds make {} outputs only",
            outputs.len()
        );
    }
}
