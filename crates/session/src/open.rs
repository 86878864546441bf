//! A program that is opened to be run: its sources, and the loader that gets its modules.

use std::path::PathBuf;
use std::rc::Rc;

use atom::Atom;
use machine::world::World;
use machine::{Ending, Machine, Term};
use runner::loader::{Modules, Problem, ProgramLoader};
use runner::run;
use runner::sources::Sources;
use runner::testing;
use runner::world::permissions::Permissions;

use crate::call::is_library_call;
use crate::contracts;
use crate::reading::{Reader, Reading, or_here};
use crate::running::Running;
use crate::{Control, Error, Note};

/// A program that is opened.
pub(crate) struct Opened {
    pub(crate) sources: Rc<Sources>,
    pub(crate) loader: Rc<ProgramLoader>,
    pub(crate) reader: Reader,
    /// Where its modules are.
    pub(crate) paths: Vec<PathBuf>,
}

/// How modules are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReadAs {
    Program,
    /// With `TEST` defined, by the profile `test`.
    Tests,
}

impl Opened {
    /// The program at some paths. None stand for the project in the current directory, and for
    /// nothing if the call is one of a library module; then that there is no project is no error.
    pub(crate) fn new(
        paths: &[PathBuf],
        call: Option<&str>,
        read_as: ReadAs,
        running: &Running,
        reading: &Reading,
    ) -> Result<Opened, Error> {
        let reader = Reader::new(reading)?;
        let wanted = match call {
            Some(call) if paths.is_empty() && is_library_call(call) => Vec::new(),
            _ => or_here(paths),
        };
        let options = match read_as {
            ReadAs::Program => reader.discover_options(&[], false),
            ReadAs::Tests => reader.test_options(),
        };
        let sources = Rc::new(Sources::discover(&wanted, options, reader.library.clone()));
        if let Some(problem) = sources.discovery.problems.first()
            && !paths.is_empty()
        {
            return Err(Error::from(problem));
        }
        let modules = Modules::Sources(Rc::clone(&sources));
        let loader = Rc::new(ProgramLoader::of(modules, running.prefer()));
        if let Some(contracting) = &running.contracts {
            contracts::begin(*contracting, &wanted, reading, &sources, &loader);
        }
        Ok(Opened { sources, loader, reader, paths: wanted })
    }

    /// What the program may reach.
    pub(crate) fn permissions(&self, running: &Running) -> Result<Permissions, Error> {
        running.permissions(&self.paths, &self.reader)
    }
}

/// A node that is up.
pub(crate) fn boot(loader: &Rc<ProgramLoader>, world: Rc<dyn World>) -> Result<Machine, Error> {
    let loader: Rc<ProgramLoader> = Rc::clone(loader);
    run::boot(loader, world).map_err(not_booted)
}

/// A node that is up and logs nothing.
pub(crate) fn boot_quiet(
    loader: &Rc<ProgramLoader>,
    world: Rc<dyn World>,
) -> Result<Machine, Error> {
    let mut machine = boot(loader, world)?;
    let level = vec![Term::atom("level"), Term::atom("none")];
    // Who asks a node ends it, so it is a copy that is asked.
    let mut quiet = machine.clone();
    testing::ask_here(&mut quiet, "logger", "set_primary_config", level)
        .map_err(|message| Error::Failed(message.to_string()))?;
    machine.use_logger_of(&quiet);
    Ok(machine)
}

/// Why a node is not up.
pub(crate) fn not_booted(ending: Ending) -> Error {
    Error::NotStarted(match ending {
        Ending::NotStarted(message) => message,
        other => runner::run::in_words(&other),
    })
}

/// Loads a module, or says why that is not possible.
pub(crate) fn load(
    machine: &mut Machine,
    loader: &ProgramLoader,
    module: Atom,
) -> Result<(), Error> {
    if machine.ensure_loaded(module) {
        return Ok(());
    }
    let problems = loader.problems();
    let problems = problems.borrow();
    Err(match problems.iter().find(|problem| problem.module == module) {
        Some(Problem { path, line, message, .. }) => {
            Error::Missing(format!("{}:{line}: {message}", path.display()))
        }
        None => Error::Missing(format!("there is no module {module}")),
    })
}

/// Says which dependencies of a program are not there: its tests fail for that.
pub(crate) fn note_unfetched(sources: &Sources, control: &Control) {
    let documents = sources.discovery.documents.iter();
    let found = documents.flat_map(|document| &document.diagnostics);
    for diagnostic in found.filter(|found| found.code == program::project::unfetched::CODE) {
        let message = diagnostic.message.clone();
        let help = diagnostic.help.clone().unwrap_or_default();
        control.note(Note::NotFetched { message, help });
    }
}

/// Says which modules of a program could not be loaded, each once.
pub(crate) fn note_unloadable(loader: &ProgramLoader, control: &Control) {
    let problems = loader.problems();
    let problems = problems.borrow();
    let note = |problem: &Problem| Note::Unloadable {
        module: problem.module.to_string(),
        file: problem.path.clone(),
        line: problem.line,
        message: problem.message.clone(),
    };
    let mut notes: Vec<Note> = problems.iter().map(note).collect();
    notes.sort_unstable();
    notes.dedup();
    notes.into_iter().for_each(|note| control.note(note));
}
