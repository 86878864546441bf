//! Runs of programs on the Machine, and the values that they told.
//!
//! One node is booted and cloned for every run. A run goes on until nobody can run and no timer is
//! left, not only until the entry function has returned: other processes may tell values later. The
//! process that called it lives on, as a shell does: tables and links stay. What a run loads of the
//! library the next ones find there: making code of it takes longer than most runs. What a run told
//! is grouped by process. Processes are matched by what they told, not by their numbers, since a
//! slice may start fewer of them; within a process the order counts.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use atom::Atom;
use machine::observe::Observer;
use machine::world::Sealed;
use machine::{Ending, Machine, Term};
use program::{LoadOptions, Program};
use runner::loader::{Prefer, ProgramLoader};
use runner::run::{NANOSECONDS_PER_CALL, boot};
use runner::scheduler::{InTurn, Scheduler};
use syntax::ast::Module;
use term::View;

const ENTRY: &str = "erlscope_entry";

/// How many calls a run may make, and how often somebody may be chosen to run.
const MAX_STEPS: u64 = 200_000;
/// How much is looked at of what a run has told that did not come to an end.
const LONGEST: usize = 1 << 18;
/// How many values a run may tell.
const MOST_TOLD: usize = 10_000;
const MAX_TURNS: u32 = 10_000;

/// A node that is up.
pub(crate) struct Node {
    base: RefCell<Machine>,
    loader: Rc<ProgramLoader>,
    library: Rc<Library>,
}

/// A program on a node.
pub(crate) struct Loaded {
    machine: RefCell<Machine>,
    own: Vec<Atom>,
    library: Rc<Library>,
}

/// The modules of the library, and those of them that were needed and are not on the node yet.
struct Library {
    modules: Vec<Atom>,
    needed: RefCell<BTreeSet<Atom>>,
}

impl Library {
    fn new() -> Library {
        let name = |source: stdlib::Source| {
            let file = Path::new(source.path);
            file.extension().is_some_and(|extension| extension == "erl").then_some(())?;
            Some(Atom::new(file.file_stem()?.to_str()?))
        };
        Library { modules: stdlib::files().filter_map(name).collect(), needed: RefCell::default() }
    }
}

/// What a run told: by process, in the order of their numbers, pairs of a number and a value as
/// text.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Told {
    pub(crate) processes: Vec<Vec<(u32, String)>>,
    /// What the Machine could not do.
    pub(crate) unsupported: Option<String>,
    /// Whether the run was cut short.
    pub(crate) bounded: bool,
}

impl Node {
    pub(crate) fn boot() -> Node {
        let options = LoadOptions { without_otp: true, ..LoadOptions::default() };
        let nothing = Program::load(&[], &options).expect("no OTP is asked for");
        let loader = Rc::new(ProgramLoader::new(Arc::new(nothing), Prefer::Embedded));
        let base = boot(Rc::clone(&loader) as _, Rc::new(Sealed::default()));
        let base = RefCell::new(base.expect("the node boots"));
        Node { base, loader, library: Rc::new(Library::new()) }
    }

    /// Loads modules with a mark at every node, for somebody who watches.
    pub(crate) fn load_marked(
        &self,
        modules: Vec<(Atom, Arc<Module>)>,
        calls: &[String],
    ) -> Loaded {
        self.loader.mark_own();
        for (name, tree) in &modules {
            self.loader.add_own_tree(*name, Arc::clone(tree));
        }
        self.load(modules, calls)
    }

    /// Loads modules, and a function that makes one of the calls.
    pub(crate) fn load(&self, modules: Vec<(Atom, Arc<Module>)>, calls: &[String]) -> Loaded {
        let mut text = format!("-module({ENTRY}).\n-export([main/1]).\n");
        for (number, call) in calls.iter().enumerate() {
            let end = if number + 1 == calls.len() { "." } else { ";" };
            text += &format!("main({number}) -> {call}, receive {ENTRY} -> ok end{end}\n");
        }
        let entry = Atom::new(ENTRY);
        let tree = self.loader.add_source(entry, &text);
        assert!(tree.diagnostics.is_empty(), "{text}: {:?}", tree.diagnostics);
        let own: Vec<Atom> = modules.iter().map(|(name, _)| *name).collect();
        let mut base = self.base.borrow_mut();
        for name in std::mem::take(&mut *self.library.needed.borrow_mut()) {
            base.ensure_loaded(name);
        }
        let mut machine = base.clone();
        for (name, tree) in modules {
            assert!(!machine.code().is_loaded(name), "{name} is a module of the library");
            self.loader.add_module(name, tree);
            machine.ensure_loaded(name);
        }
        machine.ensure_loaded(entry);
        Loaded { machine: RefCell::new(machine), own, library: Rc::clone(&self.library) }
    }
}

impl Loaded {
    /// Makes one of the calls.
    pub(crate) fn run(&self, call: usize) -> Told {
        self.run_by(call, &mut InTurn, None)
    }

    /// Makes one of the calls while somebody watches.
    pub(crate) fn watch(&self, call: usize, observer: Rc<dyn Observer>) {
        self.run_by(call, &mut InTurn, Some(observer));
    }

    /// Makes one of the calls, processes in the order that a scheduler says.
    pub(crate) fn run_by(
        &self,
        call: usize,
        scheduler: &mut dyn Scheduler,
        observer: Option<Rc<dyn Observer>>,
    ) -> Told {
        let mut machine = self.machine.borrow().clone();
        machine.observe(observer);
        let main = machine.spawn(Atom::new(ENTRY), Atom::new("main"), vec![Term::int(call as i64)]);
        machine.keep_quiet_about(main);
        let start = machine.steps();
        let mut told = Told { bounded: true, ..Told::default() };
        for _ in 0..MAX_TURNS {
            let is_long = machine.test_events().len() > MOST_TOLD;
            if is_long || machine.steps() - start > MAX_STEPS {
                break;
            }
            let Some((pid, slice)) = scheduler.next(machine.ready_mut()) else {
                if machine.advance_time() {
                    continue;
                }
                told.bounded = false;
                break;
            };
            let before = machine.steps();
            machine.run(pid, slice);
            machine.pass_time((machine.steps() - before) * NANOSECONDS_PER_CALL);
            match machine.stopped() {
                Some(Ending::Unsupported { what, .. }) => {
                    told.unsupported = Some(what.to_string());
                    break;
                }
                Some(_) => {
                    told.bounded = false;
                    break;
                }
                None => {}
            }
        }
        self.note_library(&machine);
        let mut processes: BTreeMap<String, (usize, Vec<(u32, String)>)> = BTreeMap::new();
        let mut length = 0;
        for event in machine.test_events() {
            // Who does not come to an end may count for ever.
            if told.bounded && length > LONGEST {
                break;
            }
            let View::Cons(cell) = event.view() else { continue };
            let pid = term::print::to_string(&cell.head);
            let View::Cons(rest) = cell.tail.view() else { continue };
            let View::Int(number) = rest.head.view() else { continue };
            let first = processes.len();
            let (_, values) = processes.entry(pid).or_insert((first, Vec::new()));
            let value = shown(&rest.tail);
            length += value.len();
            values.push((number as u32, value));
        }
        let mut processes: Vec<_> = processes.into_values().collect();
        processes.sort_by_key(|(first, _)| *first);
        told.processes = processes.into_iter().map(|(_, values)| values).collect();
        told
    }
}

impl Loaded {
    /// Keeps what a run has loaded of the library.
    fn note_library(&self, after: &Machine) {
        let mut before = self.machine.borrow_mut();
        for &name in &self.library.modules {
            let is_new = after.code().is_loaded(name) && !before.code().is_loaded(name);
            if is_new && !self.own.contains(&name) {
                before.ensure_loaded(name);
                self.library.needed.borrow_mut().insert(name);
            }
        }
    }
}

impl Told {
    /// The values of one number only, without processes that told none.
    pub(crate) fn of(&self, number: u32) -> Vec<Vec<&str>> {
        let mut all = Vec::new();
        for values in &self.processes {
            let values = values.iter().filter(|(other, _)| *other == number);
            let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
            if !values.is_empty() {
                all.push(values);
            }
        }
        all
    }
}

/// Whether what every process of the original told is the beginning of what a process of the slice
/// told, each of another.
pub(crate) fn begins_with(original: &[Vec<&str>], slice: &[Vec<&str>]) -> bool {
    // Augmenting paths: processes are few.
    fn place(
        index: usize,
        original: &[Vec<&str>],
        slice: &[Vec<&str>],
        taken: &mut [Option<usize>],
        tried: &mut [bool],
    ) -> bool {
        for other in 0..slice.len() {
            if tried[other] || !slice[other].starts_with(&original[index]) {
                continue;
            }
            tried[other] = true;
            let free = match taken[other] {
                None => true,
                Some(holder) => place(holder, original, slice, taken, tried),
            };
            if free {
                taken[other] = Some(index);
                return true;
            }
        }
        false
    }
    let mut taken = vec![None; slice.len()];
    (0..original.len())
        .all(|index| place(index, original, slice, &mut taken, &mut vec![false; slice.len()]))
}

/// A value as text, without what depends on how many processes, references and funs were made.
fn shown(value: &Term) -> String {
    let text = term::print::to_string(value);
    if text.contains("{file,") && text.contains("{line,") {
        return "a stack trace".to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['<', '#']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let named = ["#Ref<", "#Fun<"].iter().find(|name| rest.starts_with(**name));
        let is_pid = rest.starts_with("<0.");
        match (named, rest.find('>')) {
            (Some(name), Some(end)) => {
                out.push_str(&name[..4]);
                rest = &rest[end + 1..];
            }
            (None, Some(end)) if is_pid => {
                out.push_str("<pid>");
                rest = &rest[end + 1..];
            }
            _ => {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Reads the text of a module of a program as the program's own module was read.
pub(crate) fn read(program: &Program, path: &Path, text: &str) -> Module {
    let options = syntax::options::Options::default();
    syntax::read_module_bytes(path, text.as_bytes().to_vec(), program.files(), &options)
}

/// The file of a module of the program.
pub(crate) fn path_of(program: &Program, module: Atom) -> PathBuf {
    program.module(module).map(|found| found.unit.path.clone()).unwrap_or_default()
}
