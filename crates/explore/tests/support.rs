//! Programs for the tests of the search: one module `t`, and the embedded library.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use explore::{Bounds, Delivery, Execution, Search, Statistics};
use explore::{naive, parallel};
use machine::Machine;
use machine::code_space::{Loaded, Loader};
use machine::world::Sealed;
use syntax::source::Files;
use term::print;

struct Text(String);

impl Loader for Text {
    fn load(&self, module: Atom) -> Option<Loaded> {
        let (path, text) = match module.as_str() {
            "t" => ("t.erl", self.0.as_str()),
            name => stdlib::module(name).map(|source| (source.path, source.text))?,
        };
        let options = syntax::options::Options::default();
        let source = syntax::read_module_bytes(
            Path::new(path),
            text.as_bytes().to_vec(),
            &LibraryFiles,
            &options,
        );
        assert!(
            module.as_str() != "t" || source.diagnostics.is_empty(),
            "{:?}",
            source.diagnostics
        );
        let code = code::lower::lower(&source).unwrap_or_else(|problems| panic!("{problems:?}"));
        Some(Loaded { code, source: Arc::new(source) })
    }
}

struct LibraryFiles;

impl Files for LibraryFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let source = path.to_str().and_then(stdlib::file);
        source.map(|source| source.text.as_bytes().to_vec()).ok_or(io::ErrorKind::NotFound.into())
    }
    fn exists(&self, path: &Path) -> bool {
        path.to_str().and_then(stdlib::file).is_some()
    }
    fn lib_dir(&self, _: &str) -> Option<PathBuf> {
        None
    }
    fn env(&self, _: &str) -> Option<String> {
        None
    }
}

/// A Machine that is about to call `t:main()`, one step at a time.
pub fn machine(body: &str) -> Machine {
    let text = format!("-module(t).\n-compile([export_all, nowarn_export_all]).\n{body}");
    let mut machine = Machine::new(Rc::new(Text(text)), Rc::new(Sealed::default()));
    machine.ensure_loaded(Atom::new("t"));
    machine.ensure_loaded(Atom::new("lists"));
    machine.start_stepping();
    machine.spawn(Atom::new("t"), Atom::new("main"), Vec::new());
    machine
}

/// How an execution ended, as text.
pub fn outcome(execution: &Execution<'_>) -> String {
    let mut parts: Vec<String> = execution
        .ended
        .iter()
        .map(|(pid, reason)| {
            // Without the stack trace.
            let reason = match reason.as_tuple() {
                Some([reason, trace]) if trace.is_list() => reason,
                _ => reason,
            };
            format!("{pid:?}:{}", print::to_string(reason))
        })
        .collect();
    parts.extend(execution.blocked.iter().map(|blocked| format!("{:?} waits", blocked.pid)));
    if execution.stop != explore::outcome::Stop::Finished {
        parts.push(format!("{:?}", execution.stop));
    }
    parts.sort();
    parts.join(" ")
}

pub struct Found {
    pub statistics: Statistics,
    pub outcomes: BTreeMap<String, u64>,
    pub classes: BTreeMap<String, u64>,
}

pub fn explore(body: &str) -> Found {
    explore_in(body, Delivery::Instant)
}

fn explore_in(body: &str, delivery: Delivery) -> Found {
    explore_with(body, Bounds { max_executions: 200_000, delivery, ..Bounds::default() }, true)
}

pub fn explore_with(body: &str, bounds: Bounds, with_classes: bool) -> Found {
    let start = machine(body);
    let mut search = Search::new(start.clone(), bounds);
    let (mut outcomes, mut classes) = (BTreeMap::new(), BTreeMap::new());
    let statistics = search.run(|execution| {
        *outcomes.entry(outcome(execution)).or_default() += 1;
        if with_classes {
            replay(&start, execution);
            *classes.entry(naive::class(&execution.events)).or_default() += 1;
        }
        true
    });
    Found { statistics, outcomes, classes }
}

/// The schedule of an execution leads to the same end with mailboxes in Erlang's order.
fn replay(start: &Machine, execution: &Execution<'_>) {
    let mut machine = start.clone();
    let schedule = execution.schedule();
    let told = explore::story::run(&mut machine, &schedule, None, "");
    assert!(told.whole && schedule.steps.len() == execution.events.len(), "{schedule:?}");
    assert_eq!(outcome(&Execution::at_end(&machine, told.ended)), outcome(execution));
}

/// The same by several workers that take turns in a random order.
pub fn explore_in_turns(body: &str, seed: u64, delivery: Delivery) -> Found {
    let workers = 2 + (seed % 3) as usize;
    let machines = vec![machine(body); workers];
    let (mut outcomes, mut classes) = (BTreeMap::new(), BTreeMap::new());
    let mut random = seed | 1;
    let whose = |workers: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 20) as usize % workers
    };
    let statistics = parallel::in_turns(
        machines,
        &Bounds { delivery, ..Bounds::default() },
        whose,
        |execution| {
            *outcomes.entry(outcome(execution)).or_default() += 1;
            *classes.entry(naive::class(&execution.events)).or_default() += 1;
            true
        },
    );
    Found { statistics, outcomes, classes }
}

pub fn enumerate(body: &str, max: u64, delivery: Delivery) -> Option<Found> {
    let (mut outcomes, mut classes) = (BTreeMap::new(), BTreeMap::new());
    let all = naive::enumerate(machine(body), max, u64::MAX, delivery, |execution| {
        *outcomes.entry(outcome(execution)).or_default() += 1;
        *classes.entry(naive::class(&execution.events)).or_default() += 1;
    });
    all.then_some(Found { statistics: Statistics::default(), outcomes, classes })
}

/// Compares the search with the enumeration of all interleavings. `false` if there are too many.
pub fn compare(body: &str, max: u64) -> bool {
    compare_in(body, max, Delivery::Instant)
}

/// As `compare`, with messages that travel in another way.
pub fn compare_in(body: &str, max: u64, delivery: Delivery) -> bool {
    let Some(all) = enumerate(body, max, delivery) else { return false };
    if std::env::var_os("EXPLORE_SHOW").is_some() {
        eprintln!("{body}");
    }
    let found = explore_in(body, delivery);
    let statistics = found.statistics;
    let report = |what: &str| {
        let missing: Vec<_> =
            all.classes.keys().filter(|c| !found.classes.contains_key(*c)).collect();
        let wrong: Vec<_> =
            found.classes.keys().filter(|c| !all.classes.contains_key(*c)).collect();
        let twice = found.classes.values().filter(|n| **n > 1).count();
        let show = |list: &[&String]| list.first().map_or(String::new(), |c| format!("\n{c}"));
        format!(
            "{what}\n{body}\n{statistics:?}\n{} classes, {} found, {} missing, {} wrong, {twice} twice\n\
             missing:{}\nwrong:{}\noutcomes: {:?}\nfound: {:?}",
            all.classes.len(),
            found.classes.len(),
            missing.len(),
            wrong.len(),
            show(&missing),
            show(&wrong),
            all.outcomes.keys().collect::<Vec<_>>(),
            found.outcomes.keys().collect::<Vec<_>>(),
        )
    };
    let same = all.classes.keys().eq(found.classes.keys());
    assert!(same, "{}", report("the classes differ"));
    assert!(all.outcomes.keys().eq(found.outcomes.keys()), "{}", report("the outcomes differ"));
    assert!(
        statistics.executions == all.classes.len() as u64 && statistics.abandoned == 0,
        "{}",
        report("not optimal")
    );
    for seed in [1, 2] {
        let many = explore_in_turns(body, seed + all.classes.len() as u64 * 3, delivery);
        let same = many.outcomes == found.outcomes && many.classes == found.classes;
        assert!(
            same && many.statistics.executions == statistics.executions,
            "several workers differ: {:?}\n{}",
            many.statistics,
            report("one worker:")
        );
    }
    true
}
