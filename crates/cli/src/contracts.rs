//! `erlscope contracts`: which contracts there are, and sources without them.

use std::fs;
use std::path::Path;

use session::contracts::{Listing, Request, list, load};

use crate::args::{Contracts, ContractsFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Contracts) -> Result<Exit, Failure> {
    let request = Request {
        paths: arguments.paths.clone(),
        without_specs: !arguments.specs,
        without_tests: arguments.no_tests,
        reading: arguments.reading.request(),
    };
    let program = load(&request)?;
    let problems = front::tell_wrong(&program)?;
    let modules = list(&request, &program);
    match (&arguments.strip, arguments.format) {
        (Some(directory), _) => strip(&modules, directory)?,
        (None, format) => {
            let text = match format {
                ContractsFormat::Text => report::contracts::list(&modules),
                ContractsFormat::Json => report::contracts::json(&modules),
                ContractsFormat::Html => report::contracts::html(&modules),
            };
            output::write_bytes(arguments.output.as_deref(), text.as_bytes())?;
        }
    }
    for problem in report::contracts::problems(&modules) {
        output::complain(&problem);
    }
    let is_wrong = modules.iter().any(|module| !module.problems.is_empty());
    Ok(match front::exit_beside(&problems, &program) {
        Exit::NothingFound if is_wrong => Exit::SomethingFound,
        exit => exit,
    })
}

/// Copies of the modules without contracts.
fn strip(modules: &[Listing], directory: &Path) -> Result<(), Failure> {
    let cannot =
        |path: &Path, error: std::io::Error| Failure::Use(format!("{}: {error}", path.display()));
    fs::create_dir_all(directory).map_err(|error| cannot(directory, error))?;
    for module in modules {
        let Some(name) = module.path.file_name() else { continue };
        let copy = directory.join(name);
        let both = fs::canonicalize(&copy).ok().zip(fs::canonicalize(&module.path).ok());
        if both.is_some_and(|(copy, source)| copy == source) {
            let message = format!("{}: a copy would take the place of the source", copy.display());
            return Err(Failure::Use(message));
        }
        fs::write(&copy, &module.stripped).map_err(|error| cannot(&copy, error))?;
    }
    Ok(())
}
