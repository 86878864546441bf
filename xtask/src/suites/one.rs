//! One suite on the Machine, in this process: what `erlscope test` does with it, with every result
//! written as soon as it is known. [`super::here`] starts this as a child; [`super::typed`], too,
//! and then somebody watches who holds every call against the types that were inferred.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use program::files::Library;
use runner::limits::Limits;
use runner::loader::{Modules, Prefer, ProgramLoader};
use runner::run;
use runner::scheduler::{InTurn, Scheduler};
use runner::sources::Sources;
use runner::testing::{self, Case, Settings, Verdict};
use runner::world::RealWorld;
use runner::world::permissions::Permissions;
use serde_json::json;

use crate::problem::Result;
use crate::typings::runs::Watched;

/// `[--types] DIRECTORY SUITE CASE…`; without cases, all of them.
pub(super) fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    let (typed, arguments) = match arguments {
        ["--types", rest @ ..] => (Some(root), rest),
        all => (None, all),
    };
    let [directory, suite, cases @ ..] = arguments else { return ExitCode::from(2) };
    // As when OTP's compiler is given a file of the current directory: stack traces show its name.
    if let Err(error) = std::env::set_current_dir(directory) {
        eprintln!("{directory}: {error}");
        return ExitCode::from(2);
    }
    match run_suite(PathBuf::from(format!("{suite}.erl")), cases, typed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run_suite(file: PathBuf, cases: &[&str], typed: Option<&Path>) -> Result<()> {
    let watched = typed.map(|root| Watched::new(root, &file)).transpose()?;
    let library = Arc::new(Library::of_machine(None).map_err(|error| error.to_string())?);
    let sources = Rc::new(Sources::discover(&[file], Default::default(), library));
    let (modules, problems) = testing::find(&sources);
    if let Some(problem) = problems.first() {
        return Err(format!("{problem:?}").into());
    }
    let [module] = &modules[..] else { return Err("this is not one suite".into()) };
    if let Some(broken) = module.broken.first() {
        return Err(broken.as_str().into());
    }
    let loader = ProgramLoader::of(Modules::Sources(Rc::clone(&sources)), Prefer::Embedded);
    let unloadable = loader.problems();
    let world = Rc::new(RealWorld::new(Permissions::all(), 0).keeping_output());
    let booted = run::boot(Rc::new(loader), world).map_err(|end| format!("{end:?}"))?;
    let settings = Settings {
        limits: Limits::default(),
        delivery: Default::default(),
        steps_per_test: testing::STEPS_PER_TEST,
        new_scheduler: &|| Box::new(InTurn) as Box<dyn Scheduler>,
        observer: watched.as_ref().map(Watched::observer),
        wanted: &|path| {
            let case = path.rsplit(':').next().unwrap_or(path);
            cases.is_empty() || cases.contains(&case)
        },
        progress: &|case| {
            // What one case did with a library says nothing about the next.
            watched.iter().for_each(Watched::begin);
            tell(&told(case));
        },
        properties: testing::Properties::default(),
    };
    let (result, _) = testing::run_module(&booted, module, &settings);
    if let Some(watched) = &watched {
        tell(&watched.told());
    }
    for problem in unloadable.borrow().iter() {
        let (path, line) = (problem.path.display(), problem.line);
        eprintln!("cannot run {path}:{line}: {}", problem.message);
    }
    match result.problem {
        // A case that was cut short is among the cases, and was not told before.
        Some(problem) => {
            if let Some(last) = result.cases.last() {
                tell(&told(last));
            }
            Err(problem.to_string().into())
        }
        None => {
            tell(&json!({"done": true}));
            Ok(())
        }
    }
}

fn tell(line: &serde_json::Value) {
    let mut out = std::io::stdout().lock();
    // If nobody reads it, nobody wants it.
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

fn told(case: &Case) -> serde_json::Value {
    let (result, mut reason) = match &case.verdict {
        Verdict::Passed => ("ok", String::new()),
        Verdict::Failed { class, reason, stack } => {
            let at = stack.elements().next().map(term::format::pretty::to_string);
            let reason = one_line(&term::format::pretty::to_string(reason));
            ("failed", format!("{class}: {reason} in {}", one_line(&at.unwrap_or_default())))
        }
        Verdict::Skipped { reason, .. } => ("skipped", one_line(reason)),
        Verdict::Cancelled(reason) => ("failed", one_line(reason)),
        Verdict::Aborted { what, reason, .. } => {
            ("failed", one_line(&format!("{what}: {}", term::format::pretty::to_string(reason))))
        }
    };
    if let Some(unsupported) = case.unsupported.first() {
        reason = format!("not supported: {unsupported}; {reason}");
    }
    let reason: String = reason.chars().take(400).collect();
    let group = case.groups.last();
    json!({"group": group, "case": case.function, "result": result, "reason": reason})
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    line.chars().take(200).collect()
}
