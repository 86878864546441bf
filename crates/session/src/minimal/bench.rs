//! A node on which one version of a program after another is run on the same inputs, and the values
//! that some of its expressions have there.
//!
//! The node is booted once. What a run begins with (the process that is about to make the call) is
//! made once for each input and copied; a version of the program is loaded behind all other code
//! and taken away again ([`machine::Machine::unload_since`]). A run goes on until nobody can run
//! and no timer is left: other processes may have values later. The process that made the call
//! lives on, as a shell does. Values are compared as text without what depends on how many
//! processes, references and funs were made; lines of stack traces do not count.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use ::inputs::Input;
use ::inputs::input;
use atom::Atom;
use machine::code_space::Extent;
use machine::observe::{Interest, Mark, Moment, Observer};
use machine::{Ending, Machine, Pid, State, Term};
use program::Program;
use runner::loader::ProgramLoader;
use runner::run::NANOSECONDS_PER_CALL;
use runner::scheduler::{InTurn, Scheduler};
use runner::world::explored::ExploredWorld;
use runner::world::permissions::Permissions;
use rustc_hash::FxHashMap;
use syntax::ast::{Module, NodeId};

use crate::inputs::goals::Goals;
use crate::inputs::stand;
use crate::reading::{Reader, Reading};
use crate::running::Running;
use crate::{Error, open};

/// Values that are noted of one run, and bytes of their texts: the rest makes no difference any
/// more.
const MOST_TOLD: usize = 4_000;
const LONGEST: usize = 1 << 18;

/// How often somebody is chosen to run.
const MOST_TURNS: u32 = 10_000;

/// What nodes are made of.
pub(crate) struct Recipe {
    pub(crate) program: Arc<Program>,
    pub(crate) running: Running,
    pub(crate) permissions: Permissions,
}

impl Recipe {
    pub(crate) fn new(
        program: &Arc<Program>,
        paths: &[PathBuf],
        running: &Running,
        reading: &Reading,
    ) -> Result<Recipe, Error> {
        let permissions = running.permissions(paths, &Reader::new(reading)?)?;
        Ok(Recipe { program: Arc::clone(program), running: running.clone(), permissions })
    }
}

/// A version of a module: its tree, and the nodes whose values are told, by their numbers.
#[derive(Clone)]
pub(crate) struct Version {
    pub(crate) name: Atom,
    pub(crate) tree: Arc<Module>,
    pub(crate) told: Vec<(NodeId, u32)>,
}

/// A call of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    pub(crate) module: Atom,
    pub(crate) name: Atom,
    /// A tuple of the arguments.
    pub(crate) args: Input,
}

impl Call {
    pub(crate) fn text(&self) -> String {
        crate::inputs::Call::Function(self.module, self.name).text(&self.args)
    }
}

/// What a run told: for each number and process the values, in the order in which these began to
/// tell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Told {
    pub(crate) sequences: Vec<(u32, Vec<String>)>,
    /// Whether all of them are of the process that makes the call, for one number.
    pub(crate) is_of_main: bool,
}

impl Told {
    pub(crate) fn is_empty(&self) -> bool {
        self.sequences.is_empty()
    }

    fn of(&self, number: u32) -> Vec<&[String]> {
        let of = self.sequences.iter().filter(|(other, _)| *other == number);
        of.map(|(_, values)| values.as_slice()).collect()
    }

    /// Whether every sequence is the beginning of one of the other's, each of another.
    pub(crate) fn begins(&self, other: &Told) -> bool {
        let mut numbers: Vec<u32> = self.sequences.iter().map(|(number, _)| *number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().all(|number| begins_with(&self.of(number), &other.of(number)))
    }
}

/// Augmenting paths: processes are few.
fn begins_with(original: &[&[String]], other: &[&[String]]) -> bool {
    fn place(
        index: usize,
        original: &[&[String]],
        other: &[&[String]],
        taken: &mut [Option<usize>],
        tried: &mut [bool],
    ) -> bool {
        for at in 0..other.len() {
            if tried[at] || !other[at].starts_with(original[index]) {
                continue;
            }
            tried[at] = true;
            let is_free = match taken[at] {
                None => true,
                Some(holder) => place(holder, original, other, taken, tried),
            };
            if is_free {
                taken[at] = Some(index);
                return true;
            }
        }
        false
    }
    let mut taken = vec![None; other.len()];
    (0..original.len())
        .all(|index| place(index, original, other, &mut taken, &mut vec![false; other.len()]))
}

/// A run.
pub(crate) struct Ran {
    pub(crate) told: Told,
    /// Calls that were made.
    pub(crate) steps: u64,
    /// Whether other processes ran, too.
    pub(crate) several: bool,
    /// Whether the Machine could do all that it was asked for.
    pub(crate) supported: bool,
}

pub(crate) struct Bench {
    machine: Machine,
    loader: Rc<ProgramLoader>,
    /// The node with nothing of the program.
    idle: State,
    extent: Extent,
    watcher: Rc<Watcher>,
    own: Vec<Atom>,
}

impl Bench {
    /// A node; with `marks` it is seen which nodes of the program are reached.
    pub(crate) fn new(recipe: &Recipe, marks: bool) -> Result<Bench, Error> {
        let prefer = recipe.running.prefer();
        let loader = ProgramLoader::new(Arc::clone(&recipe.program), prefer);
        if marks {
            loader.mark_own();
        }
        let loader = Rc::new(loader);
        let seed = recipe.running.seed.unwrap_or(0);
        let world = Rc::new(ExploredWorld::new(recipe.permissions.clone(), seed));
        let mut machine = open::boot_quiet(&loader, world)?;
        let helper = Atom::new(input::MODULE);
        open::load(&mut machine, &loader, helper)?;
        let (idle, extent) = (machine.copy_state(), machine.code_extent());
        let watcher = Rc::new(Watcher::new(marks));
        Ok(Bench { machine, loader, idle, extent, watcher, own: Vec::new() })
    }

    pub(crate) fn goals(&self) -> &Goals {
        &self.watcher.goals
    }

    /// Modules of the library that were loaded while a program was run.
    pub(crate) fn library(&self) -> Vec<Atom> {
        let loaded = self.machine.code().modules.iter().map(|module| module.name);
        loaded.filter(|name| !self.own.contains(name)).collect()
    }

    /// Loads modules of the library for good.
    pub(crate) fn keep(&mut self, modules: &[Atom]) {
        self.machine.unload_since(self.extent);
        self.own.clear();
        for &module in modules {
            self.machine.ensure_loaded(module);
        }
        self.extent = self.machine.code_extent();
    }

    /// Loads a version of the program instead of the one before; whether that was possible.
    pub(crate) fn load(&mut self, program: &[Version]) -> bool {
        self.machine.unload_since(self.extent);
        self.own.clear();
        let mut told = FxHashMap::default();
        for version in program {
            self.loader.add_own_tree(version.name, Arc::clone(&version.tree));
            let shown = version.told.iter().map(|(node, _)| *node).collect();
            self.loader.show_nodes(version.name, shown);
            told.extend(version.told.iter().map(|&(node, n)| ((version.name, node), n)));
            self.own.push(version.name);
        }
        *self.watcher.wanted.borrow_mut() = told;
        program.iter().all(|version| self.machine.ensure_loaded(version.name))
    }

    /// What a run with a call begins with.
    pub(crate) fn prepare(&mut self, call: &Call) -> (State, Pid) {
        self.machine.go_back(&self.idle);
        let args = match &call.args {
            Input::Tuple(args) => stand::terms_on(&mut self.machine, args),
            _ => Vec::new(),
        };
        let call = vec![Term::from(call.module), Term::from(call.name), Term::list(args)];
        let (helper, stay) = (Atom::new(input::MODULE), Atom::new("stay"));
        let main = self.machine.spawn(helper, stay, call);
        self.machine.keep_quiet_about(main);
        (self.machine.copy_state(), main)
    }

    /// Runs what is loaded from there, for so many calls. If values are expected it may end as soon
    /// as it is known whether they are there.
    pub(crate) fn run(
        &mut self,
        (start, main): &(State, Pid),
        most: u64,
        expected: Option<&Told>,
    ) -> Ran {
        self.machine.go_back(start);
        self.watcher.begin(*main, expected);
        self.machine.observe(Some(Rc::clone(&self.watcher) as Rc<dyn Observer>));
        let first = self.machine.steps();
        let (mut supported, mut several) = (true, false);
        for _ in 0..MOST_TURNS {
            let made = self.machine.steps() - first;
            if made >= most || self.watcher.is_full() || self.watcher.verdict.get().is_some() {
                break;
            }
            let Some((pid, slice)) = InTurn.next(self.machine.ready_mut()) else {
                if self.machine.advance_time() {
                    continue;
                }
                break;
            };
            several |= pid != *main;
            let before = self.machine.steps();
            self.machine.run(pid, u64::from(slice).min(most - made) as u32);
            self.machine.pass_time((self.machine.steps() - before) * NANOSECONDS_PER_CALL);
            match self.machine.stopped() {
                Some(Ending::Unsupported { .. }) => {
                    supported = false;
                    break;
                }
                Some(_) => break,
                None => {}
            }
        }
        supported &= self.machine.missed_natives().is_empty();
        self.machine.observe(None);
        let steps = self.machine.steps() - first;
        Ran { told: self.watcher.take(*main), steps, several, supported }
    }

    /// Whether what is loaded tells what is expected, from there on, within so many calls.
    pub(crate) fn shows(&mut self, start: &(State, Pid), most: u64, expected: &Told) -> bool {
        let ran = self.run(start, most, Some(expected));
        match self.watcher.verdict.get() {
            Some(verdict) => verdict && ran.supported,
            None => ran.supported && expected.begins(&ran.told),
        }
    }
}

/// Looks at values, and at what is reached.
struct Watcher {
    marks: bool,
    goals: Goals,
    wanted: RefCell<FxHashMap<(Atom, NodeId), u32>>,
    told: RefCell<Vec<(Pid, u32, String)>>,
    length: Cell<usize>,
    /// What the process that makes the call has to tell, if that is all.
    main: Cell<Option<Pid>>,
    expected: RefCell<Vec<String>>,
    /// How much of that it told.
    matched: Cell<usize>,
    /// Whether it is the same, as soon as that is known.
    verdict: Cell<Option<bool>>,
}

impl Watcher {
    fn new(marks: bool) -> Watcher {
        Watcher {
            marks,
            goals: Goals::default(),
            wanted: RefCell::default(),
            told: RefCell::default(),
            length: Cell::new(0),
            main: Cell::new(None),
            expected: RefCell::default(),
            matched: Cell::new(0),
            verdict: Cell::new(None),
        }
    }

    fn begin(&self, main: Pid, expected: Option<&Told>) {
        self.told.borrow_mut().clear();
        self.length.set(0);
        self.verdict.set(None);
        self.matched.set(0);
        let of_main =
            expected.filter(|told| told.is_of_main).and_then(|told| told.sequences.first());
        self.main.set(of_main.map(|_| main));
        let mut wanted = self.expected.borrow_mut();
        wanted.clear();
        wanted.extend(of_main.into_iter().flat_map(|(_, values)| values.iter().cloned()));
    }

    fn is_full(&self) -> bool {
        self.told.borrow().len() >= MOST_TOLD || self.length.get() >= LONGEST
    }

    fn take(&self, main: Pid) -> Told {
        let mut told = Told::default();
        let mut places: BTreeMap<(u32, Pid), usize> = BTreeMap::new();
        let mut is_of_main = true;
        for (pid, number, value) in self.told.borrow_mut().drain(..) {
            is_of_main &= pid == main;
            let place = *places.entry((number, pid)).or_insert_with(|| {
                told.sequences.push((number, Vec::new()));
                told.sequences.len() - 1
            });
            told.sequences[place].1.push(value);
        }
        told.is_of_main = is_of_main && told.sequences.len() == 1;
        told
    }
}

impl Observer for Watcher {
    fn interest(&self) -> Interest {
        Interest::NODES
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        if self.marks {
            self.goals.mark(moment, mark);
        }
    }

    fn value(&self, moment: &Moment<'_>, value: &Term) {
        let Some(site) = moment.site() else { return };
        let Some(module) = moment.code.modules.get(site.module as usize) else { return };
        let wanted = self.wanted.borrow();
        let Some(&number) = wanted.get(&(module.name, site.node)) else { return };
        let Some(pid) = moment.pid() else { return };
        if self.is_full() || self.verdict.get().is_some() {
            return;
        }
        let text = shown(value);
        if let Some(main) = self.main.get() {
            if pid == main {
                let expected = self.expected.borrow();
                let at = self.matched.get();
                match expected.get(at) == Some(&text) {
                    false => self.verdict.set(Some(false)),
                    true if at + 1 == expected.len() => self.verdict.set(Some(true)),
                    true => self.matched.set(at + 1),
                }
            }
            return;
        }
        self.length.set(self.length.get() + text.len());
        self.told.borrow_mut().push((pid, number, text));
    }
}

/// A value as text, without what depends on how many processes, references and funs were made.
pub(crate) fn shown(value: &Term) -> String {
    without_names(term::print::to_string(value))
}

/// The same of a value that is text already.
pub(crate) fn without_names(text: String) -> String {
    if text.contains("{file,") && text.contains("{line,") {
        return "a stack trace".to_owned();
    }
    if !text.contains(['<', '#']) {
        return text;
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
