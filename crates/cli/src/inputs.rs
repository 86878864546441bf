//! `erlscope inputs`: inputs for a function, or sequences of calls for a server.

use std::fmt::Write as _;
use std::path::PathBuf;

use report::inputs as shown;
use session::inputs::{Answer, Options, Request, What, find};

use crate::args::{Inputs, InputsFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Inputs) -> Result<Exit, Failure> {
    let (paths, what) = named(arguments)?;
    let name = match &what {
        What::Function(function) => function.clone(),
        What::Server { start, .. } => start.clone(),
    };
    let options = Options {
        seed: arguments.running.seed.unwrap_or(0),
        runs: arguments.list.unwrap_or(arguments.runs),
        guided: !arguments.blind,
        ..Options::default()
    };
    let request = Request {
        options,
        corpus: arguments.corpus.clone(),
        measure: arguments.branches,
        only_made: arguments.list.is_some(),
        witnesses: (!arguments.no_witnesses).then(|| {
            arguments.witnesses.clone().unwrap_or_else(|| crate::explore::DIRECTORY.into())
        }),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
        ..Request::new(paths, what)
    };
    let answer = find(&request, &front::control())?;
    for file in &answer.unreadable {
        output::complain(&format!("{}: {}", file.path.display(), file.error));
    }
    output::write_document(arguments.output.as_deref(), &document(arguments, &name, &answer))?;
    Ok(match (&answer.stopped, answer.failures.is_empty()) {
        (_, false) => Exit::SomethingFound,
        (Some(_), true) => Exit::Incomplete,
        (None, true) => Exit::NothingFound,
    })
}

fn document(arguments: &Inputs, name: &str, answer: &Answer) -> String {
    if arguments.format == InputsFormat::Json {
        return shown::json(name, answer);
    }
    let mut text = shown::text(name, answer, arguments.verbose);
    for branch in answer.branches.iter().filter(|branch| !branch.reached) {
        let (module, line, column) = (branch.module, branch.line, branch.column);
        let _ = writeln!(text, "not reached: {module}:{line}:{column}: {}", branch.way);
    }
    text
}

/// Where the program is, and what takes inputs.
fn named(arguments: &Inputs) -> Result<(Vec<PathBuf>, What), Failure> {
    let words = &arguments.what;
    if let Some(start) = &arguments.server {
        let (start, functions) = (start.clone(), arguments.call.clone());
        return Ok((words.iter().map(PathBuf::from).collect(), What::Server { start, functions }));
    }
    match words.split_last() {
        Some((function, paths)) if is_function(function) => {
            let paths = paths.iter().map(PathBuf::from).collect();
            Ok((paths, What::Function(function.clone())))
        }
        Some((other, _)) if other.contains(':') => {
            Err(Failure::Use(format!("`{other}` is no function such as m:f/1")))
        }
        _ => {
            let message = "which function? Name it as M:F/ARITY, or a server by --server CALL";
            Err(Failure::Use(message.to_owned()))
        }
    }
}

/// `m:f/1`
fn is_function(text: &str) -> bool {
    let arity = text.rsplit_once('/').map(|(_, arity)| arity.parse::<u32>());
    text.contains(':') && matches!(arity, Some(Ok(_)))
}
