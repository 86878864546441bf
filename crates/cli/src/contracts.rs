//! `erlscope contracts`: which contracts there are, and sources without them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use session::contracts::prove::{self, Verdict};
use session::contracts::suggest;
use session::contracts::{Listing, Request, list, load};
use session::{Progress, Running, Watch};

use crate::args::{Contracts, ContractsDeed, ContractsFormat, Prove, ProveFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;
use crate::progress::Counting;

pub(crate) fn run(arguments: &Contracts) -> Result<Exit, Failure> {
    if let Some(ContractsDeed::Prove(prove)) = &arguments.deed {
        return proving(prove);
    }
    if arguments.suggest {
        return suggesting(arguments);
    }
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

/// `erlscope contracts prove`
fn proving(arguments: &Prove) -> Result<Exit, Failure> {
    let limiting = &arguments.limiting;
    let request = prove::Request {
        paths: arguments.paths.clone(),
        depth: arguments.depth,
        max_paths: arguments.max_paths,
        solver_steps: arguments.solver_steps,
        running: Running { max_memory: limiting.max_memory, ..Running::default() },
        reading: arguments.reading.request(),
    };
    let progress = Arc::new(Shown(Counting::new()));
    let proved = prove::prove(&request, &front::watched_by(Arc::clone(&progress) as _));
    progress.0.clear();
    let proved = proved?;
    let bounds = (arguments.depth, arguments.max_paths);
    let document = match arguments.format {
        ProveFormat::Text => report::contracts::proved_text(&proved, bounds),
        ProveFormat::Json => report::contracts::proved_json(&proved, bounds),
    };
    output::write_document(arguments.output.as_deref(), &document)?;
    let any = |is_it: fn(&Verdict) -> bool| proved.iter().any(|one| is_it(&one.verdict));
    Ok(match () {
        () if any(|it| matches!(it, Verdict::Broken { .. } | Verdict::Impure { .. })) => {
            Exit::SomethingFound
        }
        () if any(|it| matches!(it, Verdict::Held { .. })) => Exit::Incomplete,
        () => Exit::NothingFound,
    })
}

/// `erlscope contracts --suggest`
fn suggesting(arguments: &Contracts) -> Result<Exit, Failure> {
    let limiting = &arguments.limiting;
    let request = suggest::Request {
        paths: arguments.paths.clone(),
        calls: arguments.calls.clone(),
        tests: true,
        inputs: arguments.inputs,
        support: usize::try_from(arguments.support).unwrap_or(usize::MAX),
        running: Running { max_memory: limiting.max_memory, ..Running::default() },
        reading: arguments.reading.request(),
    };
    let answer = suggest::suggest(&request, &front::control())?;
    for (what, why) in &answer.failed {
        output::complain(&format!("{what}: {why}"));
    }
    let document = match arguments.format {
        ContractsFormat::Json => report::contracts::suggested_json(&answer),
        ContractsFormat::Text => report::contracts::suggested_text(&answer),
        ContractsFormat::Html => {
            let message = "what is suggested is told as text or as JSON";
            return Err(Failure::Use(message.to_owned()));
        }
    };
    output::write_document(arguments.output.as_deref(), &document)?;
    Ok(Exit::NothingFound)
}

/// The line that shows how far it is.
struct Shown(Counting);

impl Watch for Shown {
    fn hear(&self, progress: Progress<'_>) {
        match progress {
            Progress::Proving { done, all } => {
                self.0.show(|| format!("{done} of {all} contracts"));
            }
            other => front::tell_note(&other),
        }
    }
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
