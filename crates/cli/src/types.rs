//! `erlscope types`: what functions take and give.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use program::Program;
use report::types as shown;
use session::types::{Answer, Request, infer, load};

use crate::args::{Types, TypesFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Types) -> Result<Exit, Failure> {
    let request = Request {
        paths: arguments.paths.clone(),
        believe_records: arguments.believe_records,
        without_tests: arguments.no_tests,
        reading: arguments.reading.request(),
    };
    let program = Arc::new(load(&request)?);
    let problems = front::tell_wrong(&program)?;
    let answer = infer(&request, Arc::clone(&program));
    match &arguments.annotate {
        Some(directory) => annotate(&answer, &program, directory)?,
        None => {
            let mut out = Vec::new();
            match arguments.format {
                TypesFormat::Text => {
                    out.write_all(shown::text(&answer, arguments.all).as_bytes())?;
                }
                TypesFormat::Json => shown::write_json(&answer, &problems, &mut out)?,
            }
            output::write_bytes(arguments.output.as_deref(), &out)?;
        }
    }
    Ok(front::exit_beside(&problems, &program))
}

/// Writes copies of modules with specs in them.
fn annotate(answer: &Answer, program: &Program, directory: &Path) -> Result<(), Failure> {
    let cannot =
        |path: &Path, error: io::Error| Failure::Use(format!("{}: {error}", path.display()));
    fs::create_dir_all(directory).map_err(|error| cannot(directory, error))?;
    for (module, loaded) in answer.modules.iter().zip(&program.modules) {
        let (Some(name), Some(file)) = (module.path.file_name(), loaded.tree.files.first()) else {
            continue;
        };
        let copy = directory.join(name);
        let both = fs::canonicalize(&copy).ok().zip(fs::canonicalize(&module.path).ok());
        if both.is_some_and(|(copy, source)| copy == source) {
            let message = format!("{}: a copy would take the place of the source", copy.display());
            return Err(Failure::Use(message));
        }
        // A copy is written as it was read; where that is not its bytes, its encoding is another.
        if fs::read(&module.path).ok().as_deref() != Some(file.text.as_bytes()) {
            output::complain(&format!("{}: not in UTF-8, left out", module.path.display()));
            continue;
        }
        let text = shown::annotated(module, &file.text);
        fs::write(&copy, text).map_err(|error| cannot(&copy, error))?;
    }
    Ok(())
}
