//! `erlscope types`: what functions take and give, and what cannot be right by that.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use program::Program;
use report::types as shown;
use report::{Format, Problem, Renderer, Report};
use session::types::{Answer, Request, infer, load};
use syntax::diagnostic::{Diagnostic, Severity};

use crate::args::{Color, Types, TypesFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Types, color: Color) -> Result<Exit, Failure> {
    let only_specs = matches!(arguments.format, TypesFormat::Text | TypesFormat::Json);
    if !arguments.check && !only_specs {
        let message = "this format tells what is wrong, not types: add --check";
        return Err(Failure::Use(message.to_owned()));
    }
    let request = Request {
        paths: arguments.paths.clone(),
        believe_records: arguments.believe_records,
        findings: true,
        without_tests: arguments.no_tests,
        reading: arguments.reading.request(),
    };
    let program = Arc::new(load(&request)?);
    // With --check errors are part of what is told.
    let problems = match arguments.check {
        true => front::tell_problems(&program),
        false => front::tell_wrong(&program)?,
    };
    let answer = infer(&request, Arc::clone(&program));
    if arguments.check {
        check(arguments, color, &answer, &program, &problems)?;
    } else {
        show(arguments, &answer, &program, &problems)?;
    }
    let found = answer.modules.iter().any(|module| !module.findings.is_empty());
    Ok(match front::exit_beside(&problems, &program) {
        Exit::NothingFound if found => Exit::SomethingFound,
        exit => exit,
    })
}

/// Types, and beside them on standard error what is wrong.
fn show(
    arguments: &Types,
    answer: &Answer,
    program: &Program,
    problems: &[Problem],
) -> Result<(), Failure> {
    let mut out = Vec::new();
    match (&arguments.annotate, arguments.format) {
        (Some(directory), _) => annotate(answer, program, directory)?,
        (None, TypesFormat::Json) => shown::write_json(answer, program, problems, &mut out)?,
        (None, _) => out.write_all(shown::text(answer, arguments.all).as_bytes())?,
    }
    if arguments.annotate.is_none() {
        output::write_bytes(arguments.output.as_deref(), &out)?;
    }
    if arguments.format != TypesFormat::Json {
        let renderer = Renderer { format: Format::Short, colour: false };
        for (module, loaded) in answer.modules.iter().zip(&program.modules) {
            let found = renderer.render(&loaded.tree.files, &shown::diagnostics(module));
            io::stderr().write_all(found.text().as_bytes())?;
        }
    }
    Ok(())
}

/// What is wrong, and nothing else.
fn check(
    arguments: &Types,
    color: Color,
    answer: &Answer,
    program: &Program,
    problems: &[Problem],
) -> Result<(), Failure> {
    let format = match arguments.format {
        TypesFormat::Text => Format::Text,
        TypesFormat::Short => Format::Short,
        TypesFormat::Json => Format::Json,
        TypesFormat::Sarif => Format::Sarif,
    };
    let colour = arguments.output.is_none() && output::coloured(color, &io::stdout());
    let renderer = Renderer { format, colour };
    let mut out = Vec::new();
    let mut report = Report::begin(&mut out, format, "types")?;
    for (module, loaded) in answer.modules.iter().zip(&program.modules) {
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let findings = shown::diagnostics(module);
        let all = loaded.diagnostics.iter().filter(is_error).chain(&findings);
        report.module(renderer.render(&loaded.tree.files, all))?;
    }
    let summary = report.finish(problems, true)?;
    if matches!(format, Format::Text | Format::Short) {
        writeln!(out, "{summary}")?;
    }
    output::write_bytes(arguments.output.as_deref(), &out)?;
    Ok(())
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
