//! The same program and the same choices give the same run, bit for bit: what is printed, how it
//! ends, and its trace: who ran when, every call with its arguments, every message.
//!
//! Two nodes are booted independently. Every example and every program of the corpus runs on a copy
//! of each, in turn and under the seeds 1 to 50, with signals that arrive at once and (every second
//! seed) at any time. A trace is a schedule: following it gives the same trace again. That seeds
//! make a difference at all is checked, too: else the comparison would show nothing.
//!
//! Programs of the corpus that make many calls get fewer seeds; `ERLSCOPE_SEEDS=50` gives all of
//! them 50.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::Machine;
use machine::flight::Delivery;
use machine::observe::Observer;
use machine::world::Sealed;
use program::Program;
use program::load::LoadOptions;
use runner::limits::Limits;
use runner::loader::{Prefer, ProgramLoader};
use runner::run;
use runner::scheduler::{InTurn, Scheduler, Shuffled};
use runner::schedules::{Following, Recording};
use trace::file::{Header, Reader};
use trace::recorder::{Limit, Options, Recorder};
use trace::schedule::Witness;

/// All that can be seen of a run.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Seen {
    output: String,
    end: String,
    trace: Vec<u8>,
    calls: u64,
    time: u64,
}

/// A file in memory.
#[derive(Clone, Default)]
struct Bytes(Rc<RefCell<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Node {
    machine: Machine,
    world: Rc<Sealed>,
    loader: Rc<ProgramLoader>,
}

fn boot(program: &Arc<Program>) -> Node {
    let world = Rc::new(Sealed::default());
    let loader = Rc::new(ProgramLoader::new(Arc::clone(program), Prefer::Embedded));
    let machine = run::boot(Rc::clone(&loader) as _, Rc::clone(&world) as _);
    Node { machine: machine.expect("the node starts"), world, loader }
}

impl Node {
    fn run(&self, call: &str, scheduler: &mut dyn Scheduler, delivery: Delivery) -> Seen {
        run::entry(&self.loader, call).expect("a call");
        let mut machine = self.machine.clone();
        self.world.output.borrow_mut().clear();
        machine.set_delivery(delivery);
        let bytes = Bytes::default();
        let loader = Rc::clone(&self.loader);
        let options = Options {
            is_own: Box::new(move |module| loader.is_own(module)),
            entry: Some(Atom::new(run::ENTRY)),
            all_calls: false,
            nodes: false,
            limit: Limit::default(),
        };
        let recorder = Recorder::new(Box::new(bytes.clone()), &Header::default(), options);
        let recorder = Rc::new(recorder.expect("memory can be written"));
        machine.observe(Some(Rc::clone(&recorder) as Rc<dyn Observer>));
        let mut recording = Recording {
            scheduler: Box::new(scheduler),
            recorder: Some(Rc::clone(&recorder)),
            turns: None,
        };
        let limits = Limits { steps: Some(50_000_000), ..Limits::default() };
        let (end, _) = run::run(&mut machine, &mut recording, &limits);
        let end = format!("{end:?}");
        recorder.finish(machine.now(), &end).expect("memory can be written");
        let output = self.world.output.borrow().clone();
        let calls = machine.steps() - self.machine.steps();
        Seen { output, end, trace: bytes.0.take(), calls, time: machine.now() }
    }

    /// Follows the schedule of a trace: the same run.
    fn follow(&self, call: &str, seen: &Seen, delivery: Delivery) {
        let witness = Witness::from_trace(&seen.trace[..]).expect("a trace");
        let mut following = Following::new(witness.turns);
        let again = self.run(call, &mut following, delivery);
        assert_eq!(following.departure(), None, "{call}");
        assert_eq!(following.left(), 0, "{call}");
        assert!(again == *seen, "{call} by its schedule");
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

fn load(paths: &[PathBuf]) -> Arc<Program> {
    let options = LoadOptions { without_lint: true, without_otp: true, ..LoadOptions::default() };
    Arc::new(Program::load(paths, &options).expect("programs are read"))
}

/// Runs a call on both nodes under all seeds; how many outputs there were.
fn compare(nodes: &[Node; 2], call: &str, all_seeds: bool) -> usize {
    let instant = Delivery::Instant;
    let first = nodes[0].run(call, &mut InTurn, instant);
    let second = nodes[1].run(call, &mut InTurn, instant);
    assert!(first == second, "{call} in turn");
    assert!(first.end.starts_with("Returned"), "{call}: {}", first.end);
    let mut records = Reader::new(&first.trace[..]).expect("a trace");
    assert!(records.by_ref().all(|record| record.is_ok()), "{call}: the trace can be read");
    nodes[1].follow(call, &first, instant);
    let mut outputs = BTreeSet::new();
    let wanted = std::env::var("ERLSCOPE_SEEDS").ok().and_then(|text| text.parse().ok());
    let few = match first.calls {
        0..1_000 => 20,
        1_000..10_000 => 6,
        _ => 2,
    };
    for seed in 1..=wanted.unwrap_or(if all_seeds { 50 } else { few }) {
        let delivery = if seed % 2 == 0 { Delivery::Any } else { instant };
        let first = nodes[0].run(call, &mut Shuffled::new(seed), delivery);
        let second = nodes[1].run(call, &mut Shuffled::new(seed), delivery);
        assert!(first == second, "{call} with seed {seed}");
        if seed <= 2 {
            nodes[1].follow(call, &first, delivery);
        }
        outputs.insert(first.output);
    }
    outputs.len()
}

#[test]
fn programs() {
    let concurrent = sources("determinism");
    let paths: Vec<PathBuf> = [concurrent.clone(), sources("programs")].concat();
    let program = load(&paths);
    let nodes = [boot(&program), boot(&program)];
    for path in &paths {
        let module = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let outputs = compare(&nodes, &format!("{module}:main()"), concurrent.contains(path));
        let enough = !concurrent.contains(path) || outputs > 5;
        assert!(enough, "{module}: seeds make {outputs} outputs only");
    }
}

#[test]
fn examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (path, call) in [
        ("bank", "bank:main()"),
        ("generator", "example:use()"),
        ("requests", "requests:start()"),
        ("stock", "stock:share(10, 3)"),
    ] {
        let program = load(&[root.join(path)]);
        compare(&[boot(&program), boot(&program)], call, true);
    }
}
