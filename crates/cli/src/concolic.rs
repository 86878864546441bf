//! `erlscope concolic`: inputs for every path of a function.

use std::path::{Path, PathBuf};

use report::concolic as shown;
use session::Control;
use session::concolic::{Answer, Request, Schedules, search, witness};

use crate::args::{Concolic, ConcolicFormat, ConcolicSchedules};
use crate::exit::Exit;
use crate::explore::DIRECTORY;
use crate::front::{self, Failure, FileProblem};
use crate::output;

pub(crate) fn run(arguments: &Concolic) -> Result<Exit, Failure> {
    let (paths, what) = named(arguments)?;
    let request = Request {
        depth: arguments.depth,
        max_paths: arguments.max_paths,
        any_input: arguments.any_input,
        schedules: match arguments.schedules {
            ConcolicSchedules::One => Schedules::One,
            ConcolicSchedules::All => Schedules::All,
        },
        running: arguments.running.request(),
        reading: arguments.reading.request(),
        ..Request::new(paths, what)
    };
    let control = front::control();
    let answer = search(&request, &control)?;
    let witnesses = witnesses(arguments, &request, &answer, &control)?;
    if let Some(file) = &arguments.tests {
        let module =
            file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        std::fs::write(file, shown::tests(&module, &request.what, &answer))
            .map_err(FileProblem::at(file))?;
    }
    let document = match arguments.format {
        ConcolicFormat::Json => shown::json(&request.what, &answer, &witnesses),
        ConcolicFormat::Text => shown::text(&request.what, &answer, &witnesses, arguments.verbose),
    };
    output::write_document(arguments.output.as_deref(), &document)?;
    Ok(match (answer.errors.is_empty(), answer.is_complete()) {
        (false, _) => Exit::SomethingFound,
        (true, false) => Exit::Incomplete,
        (true, true) => Exit::NothingFound,
    })
}

/// A file for each error, if they are wanted.
fn witnesses(
    arguments: &Concolic,
    request: &Request,
    answer: &Answer,
    control: &Control,
) -> Result<Vec<Option<PathBuf>>, Failure> {
    if arguments.no_witnesses || answer.errors.is_empty() {
        return Ok(vec![None; answer.errors.len()]);
    }
    let directory = arguments.witnesses.clone().unwrap_or_else(|| DIRECTORY.into());
    std::fs::create_dir_all(&directory).map_err(FileProblem::at(&directory))?;
    let prefix = file_name(&request.what);
    let mut written = Vec::new();
    for (number, failed) in answer.errors.iter().enumerate() {
        let path = directory.join(format!("{prefix}-{}.witness", number + 1));
        let fails_again = witness(request, failed, &path, control)?;
        written.push(fails_again.then_some(path));
    }
    Ok(written)
}

/// What the names of files begin with.
fn file_name(what: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '_' { c } else { '-' };
    let name: String = what.chars().map(plain).collect();
    name.trim_matches('-').to_owned()
}

/// Where the program is, and what is searched.
fn named(arguments: &Concolic) -> Result<(Vec<PathBuf>, String), Failure> {
    match arguments.what.split_last() {
        Some((what, paths)) if what.contains(':') && !Path::new(what).exists() => {
            Ok((paths.iter().map(PathBuf::from).collect(), what.clone()))
        }
        _ => {
            let message = "which function? Name it as M:F/ARITY, or as a call with variables";
            Err(Failure::Use(message.to_owned()))
        }
    }
}
