//! The Machine of an exploration: about to make the call that is explored, step by step.

use std::path::PathBuf;
use std::rc::Rc;

use atom::Atom;
use machine::world::World;
use machine::{Machine, Pid};
use runner::loader::ProgramLoader;
use runner::sources::Sources;
use runner::world::explored::ExploredWorld;
use runner::world::permissions::Permissions;
use syntax::ast::{Kind, Module};

use crate::open::{self, Opened, ReadAs};
use crate::reading::Reading;
use crate::running::Running;
use crate::{Control, Error};

/// The program under exploration.
pub(crate) struct Program {
    loader: Rc<ProgramLoader>,
    world: Rc<dyn World>,
    sources: Rc<Sources>,
}

/// Where an exploration begins.
pub(crate) struct Start {
    /// About to make the call, step by step.
    pub(crate) machine: Machine,
    /// The process that makes it.
    pub(crate) main: Pid,
    /// The call as text.
    pub(crate) call: String,
    /// What is explored, for people: the call, or the name of a test.
    pub(crate) name: String,
    /// What is called, as `m:f/0`.
    pub(crate) function: String,
    /// How long a test may take, in milliseconds.
    pub(crate) time: Option<u64>,
}

const ENTRY: &str = "erlscope_entry";

impl Program {
    /// The program at some paths; for tests it is read as they are, with `TEST` defined.
    pub(crate) fn open(
        paths: &[PathBuf],
        call: Option<&str>,
        running: &Running,
        reading: &Reading,
    ) -> Result<Program, Error> {
        let is_test = |call: &str| {
            [ONE_TEST, ONE_CASE, ONE_PROPERTY].iter().any(|runner| call.starts_with(runner))
        };
        let read_as = match call {
            Some(call) if !is_test(call) => ReadAs::Program,
            _ => ReadAs::Tests,
        };
        let opened = Opened::new(paths, call, read_as, running, reading)?;
        let permissions = opened.permissions(running)?;
        let world = Rc::new(ExploredWorld::new(permissions, running.seed.unwrap_or(0)));
        Ok(Program { loader: opened.loader, world, sources: opened.sources })
    }

    /// Parse transforms are stopped when the front says so.
    pub(crate) fn limit_transforms(
        &self,
        running: &Running,
        control: &Control,
    ) -> Result<(), Error> {
        self.loader.limit_transforms(&running.limits_of_transforms(control)?);
        Ok(())
    }

    /// A program that is there already.
    pub(crate) fn of(
        loader: ProgramLoader,
        sources: Rc<Sources>,
        permissions: Permissions,
    ) -> Program {
        let world = Rc::new(ExploredWorld::new(permissions, 0));
        Program { loader: Rc::new(loader), world, sources }
    }

    pub(crate) fn sources(&self) -> &Rc<Sources> {
        &self.sources
    }

    pub(crate) fn loader(&self) -> &Rc<ProgramLoader> {
        &self.loader
    }

    /// A node that is up and logs nothing: what is logged of a crash, and by which processes, would
    /// be explored too.
    pub(crate) fn node(&self) -> Result<Machine, Error> {
        open::boot_quiet(&self.loader, Rc::clone(&self.world))
    }

    /// Loads a module, or says why that is not possible.
    pub(crate) fn load(&self, machine: &mut Machine, module: Atom) -> Result<(), Error> {
        open::load(machine, &self.loader, module)
    }

    /// That reasons are terms.
    pub(crate) fn check_reasons(&self, reasons: &[String]) -> Result<(), Error> {
        for reason in reasons {
            let module = "erlscope_reason";
            let text = format!("-module({module}).\n-export([main/0]).\nmain() -> {reason}\n.\n");
            let tree = self.loader.add_source(Atom::new(module), &text);
            if let Some(found) = tree.diagnostics.first() {
                let (reason, message) = (reason.clone(), found.message.clone());
                return Err(Error::Reason { reason, message });
            }
        }
        Ok(())
    }

    /// A Machine with nothing in it: for calls that need no node.
    fn bare(&self) -> Machine {
        let loader: Rc<ProgramLoader> = Rc::clone(&self.loader);
        Machine::new(loader, Rc::clone(&self.world))
    }

    /// A Machine that is about to make a call, on a node that is up or on nothing.
    pub(crate) fn start(&self, call: &str, on_node: bool) -> Result<Start, Error> {
        let entry = Atom::new(ENTRY);
        let text = format!("-module({ENTRY}).\n-export([main/0]).\nmain() -> {call}.\n");
        let tree = self.loader.add_source(entry, &text);
        if let Some(found) = tree.diagnostics.first() {
            return Err(Error::Call { call: call.to_owned(), message: found.message.clone() });
        }
        let mut machine = if on_node { self.node()? } else { self.bare() };
        if !machine.ensure_loaded(entry) {
            return Err(Error::Missing(format!("cannot run `{call}`")));
        }
        let mut function = call.to_owned();
        if let Some(Called { module, name, arity, atoms }) = called(&tree) {
            self.load(&mut machine, module)?;
            is_there(&machine, module, name, arity)?;
            function = match (module.as_str(), &atoms[..]) {
                // A test of a module is what it is called by.
                (ONE_TEST | ONE_PROPERTY, [module, name]) => format!("{module}:{name}/0"),
                _ => format!("{module}:{name}/{arity}"),
            };
        }
        machine.start_stepping();
        let main = machine.spawn(entry, Atom::new("main"), Vec::new());
        let (call, name) = (call.to_owned(), call.to_owned());
        Ok(Start { machine, main, call, name, function, time: None })
    }
}

/// The library module that runs one test.
pub(crate) const ONE_TEST: &str = "erlscope_eunit_one";
/// The one that runs one case of a Common Test suite.
pub(crate) const ONE_CASE: &str = "erlscope_ct_one";
/// The one that checks a property with some values.
pub(crate) const ONE_PROPERTY: &str = "erlscope_prop";

struct Called {
    module: Atom,
    name: Atom,
    arity: u32,
    /// Arguments that are names.
    atoms: Vec<Atom>,
}

/// What the entry calls, if it is a plain `m:f(…)`.
fn called(tree: &Module) -> Option<Called> {
    let clause = tree.forms.iter().find_map(|form| match tree.kind(*form) {
        Kind::Function { clauses, .. } => tree.list(clauses).first().copied(),
        _ => None,
    })?;
    let Kind::Clause { body, .. } = tree.kind(clause) else { return None };
    let Kind::Call { callee, args } = tree.kind(*tree.list(body).last()?) else { return None };
    let Kind::Remote { module, name } = tree.kind(callee) else { return None };
    let (Kind::Atom(module), Kind::Atom(name)) = (tree.kind(module), tree.kind(name)) else {
        return None;
    };
    let args = tree.list(args);
    let atoms = args.iter().filter_map(|arg| match tree.kind(*arg) {
        Kind::Atom(atom) => Some(atom),
        _ => None,
    });
    Some(Called { module, name, arity: args.len() as u32, atoms: atoms.collect() })
}

/// Says so if a function is not exported.
fn is_there(machine: &Machine, module: Atom, name: Atom, arity: u32) -> Result<(), Error> {
    let exports = machine.code().module(module).map(|info| &info.exports[..]).unwrap_or_default();
    if exports.iter().any(|(exported, count)| *exported == name && *count == arity) {
        return Ok(());
    }
    let mut others: Vec<String> = exports
        .iter()
        .filter(|(exported, _)| *exported == name)
        .map(|(name, arity)| format!("{name}/{arity}"))
        .collect();
    others.sort();
    Err(Error::Missing(match others.is_empty() {
        true => format!("{module} exports no function {name}/{arity}"),
        false => format!("{module} exports no function {name}/{arity}, but {}", others.join(", ")),
    }))
}
