//! `erlscope flow`: the concurrent flow graph of a program.

use std::io::{self, Write};

use atom::Atom;
use flow::{Entry, Flow};
use program::{LoadOptions, Program};
use report::drawing;
use report::flow as shown;
use report::{Format, Problem, Renderer};
use syntax::diagnostic::{Diagnostic, Severity};

use crate::args::{Flow as Arguments, FlowFormat};
use crate::exit::Exit;
use crate::front_end::{self, Reader};
use crate::output;

pub(crate) fn run(arguments: &Arguments) -> io::Result<Exit> {
    let reader = match Reader::new(&arguments.reading) {
        Ok(reader) => reader,
        Err(problem) => return Ok(unusable(&problem.to_string())),
    };
    let entry = match entry(&arguments.entries) {
        Ok(entry) => entry,
        Err(message) => return Ok(unusable(&message)),
    };
    let options = LoadOptions {
        discover: reader.discover_options(&[], arguments.no_tests),
        otp: arguments.reading.otp.clone(),
        without_otp: arguments.reading.no_otp,
        without_lint: true,
    };
    let here = [std::path::PathBuf::from(".")];
    let paths = if arguments.paths.is_empty() { &here[..] } else { &arguments.paths };
    let program = match Program::load(paths, &options) {
        Ok(program) => program,
        Err(error) => return Ok(unusable(&error.to_string())),
    };
    let problems: Vec<Problem> = program.problems.iter().map(front_end::shown).collect();
    for problem in &problems {
        output::complain(&problem.to_string());
    }
    // What is wrong with a module is said beside the graph of what could be read.
    let renderer = Renderer { format: Format::Short, colour: false };
    for module in &program.modules {
        let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
        let found = renderer.render(&module.tree.files, module.diagnostics.iter().filter(is_error));
        io::stderr().write_all(found.text().as_bytes())?;
    }
    if program.modules.is_empty() {
        return Ok(unusable("there is no module to look at"));
    }
    let flow = match flow::analyse_with(&program, &entry, arguments.explain) {
        Ok(flow) => flow,
        Err(error) => return Ok(unusable(&format!("--entry: {error}"))),
    };
    write(&flow, arguments, &problems)?;
    let unreadable = !problems.is_empty();
    let has_errors = program.has_errors();
    Ok(if unreadable {
        Exit::Unusable
    } else if has_errors {
        Exit::SomethingFound
    } else {
        Exit::NothingFound
    })
}

fn unusable(message: &str) -> Exit {
    output::complain(message);
    Exit::Unusable
}

fn write(flow: &Flow, arguments: &Arguments, problems: &[Problem]) -> io::Result<()> {
    let mut out = Vec::new();
    match arguments.format {
        FlowFormat::Text if arguments.explain => {
            out.write_all(shown::explain(flow).as_bytes())?;
        }
        FlowFormat::Text if arguments.def_use => {
            out.write_all(shown::def_uses(flow).as_bytes())?;
        }
        FlowFormat::Text if arguments.processes => {
            out.write_all(shown::processes(flow).as_bytes())?;
        }
        FlowFormat::Text => out.write_all(shown::text(flow).as_bytes())?,
        FlowFormat::Json => shown::write_json(flow, problems, &mut out)?,
        FlowFormat::Dot | FlowFormat::Svg | FlowFormat::Html => {
            let picture = if arguments.processes {
                shown::process_picture(flow)
            } else {
                shown::picture(flow)
            };
            let text = match arguments.format {
                FlowFormat::Dot => drawing::dot(&picture),
                FlowFormat::Svg => drawing::svg(&picture),
                _ => drawing::html(&picture),
            };
            out.write_all(text.as_bytes())?;
        }
    }
    output::document(&out)
}

/// `m:f/1`, or `m:f` for all arities.
fn entry(texts: &[String]) -> Result<Entry, String> {
    if texts.is_empty() {
        return Ok(Entry::Exported);
    }
    texts.iter().map(|text| function(text)).collect::<Result<_, _>>().map(Entry::Functions)
}

fn function(text: &str) -> Result<(Atom, Atom, Option<u32>), String> {
    let wrong = || format!("--entry: `{text}` is no function such as m:f/1");
    let (module, rest) = text.split_once(':').ok_or_else(wrong)?;
    let (name, arity) = match rest.rsplit_once('/') {
        Some((name, arity)) => (name, Some(arity.parse().map_err(|_| wrong())?)),
        None => (rest, None),
    };
    let plain = |name: &str| name.trim().trim_matches('\'').to_string();
    let (module, name) = (plain(module), plain(name));
    if module.is_empty() || name.is_empty() {
        return Err(wrong());
    }
    Ok((Atom::new(&module), Atom::new(&name), arity))
}
