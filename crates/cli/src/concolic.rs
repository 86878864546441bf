//! `erlscope concolic`: inputs for every path of a function.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use report::concolic as shown;
use session::concolic::{
    Answer, Line, Request, Schedules, Solving, Strategy, Target, search, witness,
};
use session::{Progress, Watch};

use crate::args::{Concolic, ConcolicFormat, ConcolicSchedules, ConcolicSolver, ConcolicStrategy};
use crate::exit::Exit;
use crate::explore::DIRECTORY;
use crate::front::{self, Failure, FileProblem};
use crate::output;
use crate::progress::Counting;

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
        property: arguments.property.is_some(),
        unreachable: arguments.unreachable.as_deref().map(line).transpose()?,
        first: arguments.first,
        strategy: match arguments.strategy {
            ConcolicStrategy::Coverage => Strategy::Coverage,
            ConcolicStrategy::Breadth => Strategy::Breadth,
            ConcolicStrategy::Depth => Strategy::Depth,
        },
        solver: match arguments.solver {
            ConcolicSolver::Own => Solving::Own,
            ConcolicSolver::Z3 => Solving::Z3,
            ConcolicSolver::Both => Solving::Both,
        },
        solver_steps: arguments.solver_steps,
        save: arguments.save.clone(),
        resume: arguments.resume.clone(),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
        ..Request::new(paths, what)
    };
    let progress = Arc::new(Shown(Counting::new()));
    let answer = search(&request, &front::searching(Arc::clone(&progress) as _));
    progress.0.clear();
    let answer = answer?;
    let witnesses = witnesses(arguments, &request, &answer)?;
    if let Some(file) = &arguments.tests {
        let module =
            file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        std::fs::write(file, shown::tests(&module, &request.what, &answer))
            .map_err(FileProblem::at(file))?;
    }
    let document = match arguments.format {
        ConcolicFormat::Json => shown::json(&request.what, &answer, &witnesses),
        ConcolicFormat::Html => shown::html(&request.what, &answer),
        ConcolicFormat::Junit => shown::junit(&request.what, &answer),
        ConcolicFormat::Text => shown::text(&request.what, &answer, &witnesses, arguments.verbose),
    };
    output::write_document(arguments.output.as_deref(), &document)?;
    if let Some(target) = &answer.target {
        return Ok(about_line(target));
    }
    Ok(match (answer.errors.is_empty(), answer.is_complete()) {
        (false, _) => Exit::SomethingFound,
        (true, false) => Exit::Incomplete,
        (true, true) => Exit::NothingFound,
    })
}

/// Whether a line was reached.
fn about_line(target: &Target) -> Exit {
    match (&target.reached, target.is_proven) {
        (Some(_), _) => Exit::SomethingFound,
        (None, true) => Exit::NothingFound,
        (None, false) => Exit::Incomplete,
    }
}

/// `m.erl:17`
fn line(text: &str) -> Result<Line, Failure> {
    let parts = text.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    match parts {
        Some((file, line)) if !file.is_empty() => Ok(Line { file: file.to_owned(), line }),
        _ => Err(Failure::Use(format!("`{text}` is no place such as m.erl:17"))),
    }
}

/// The line that shows how far it is.
struct Shown(Counting);

impl Watch for Shown {
    fn hear(&self, progress: Progress<'_>) {
        match progress {
            Progress::Concolic { paths, errors, reached } => self.0.show(|| {
                format!("{paths} paths, {errors} errors, {reached} places and branches reached")
            }),
            other => front::tell_note(&other),
        }
    }
}

/// A file for each error, if they are wanted.
fn witnesses(
    arguments: &Concolic,
    request: &Request,
    answer: &Answer,
) -> Result<Vec<Option<PathBuf>>, Failure> {
    if arguments.no_witnesses || answer.errors.is_empty() {
        return Ok(vec![None; answer.errors.len()]);
    }
    let directory = arguments.witnesses.clone().unwrap_or_else(|| DIRECTORY.into());
    std::fs::create_dir_all(&directory).map_err(FileProblem::at(&directory))?;
    let prefix = file_name(&request.what);
    let mut written = Vec::new();
    let control = front::control();
    for (number, failed) in answer.errors.iter().enumerate() {
        let path = directory.join(format!("{prefix}-{}.witness", number + 1));
        let fails_again = witness(request, failed, &path, &control)?;
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
    if let Some(property) = &arguments.property {
        let paths = arguments.what.iter().map(PathBuf::from).collect();
        return Ok((paths, property.clone()));
    }
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
