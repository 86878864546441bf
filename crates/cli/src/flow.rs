//! `erlscope flow`: the concurrent flow graph of a program.

use std::io::{self, Write};

use report::drawing;
use report::flow as shown;
use report::{Format, Problem, Renderer};
use session::flow::{Flow, Request, analyse, entry, load};
use syntax::diagnostic::{Diagnostic, Severity};

use crate::args::{Flow as Arguments, FlowFormat};
use crate::exit::Exit;
use crate::front::Failure;
use crate::output;

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let request = Request {
        paths: arguments.paths.clone(),
        entry: entry(&arguments.entries)?,
        explain: arguments.explain,
        without_tests: arguments.no_tests,
        reading: arguments.reading.request(),
    };
    let program = load(&request)?;
    let problems: Vec<Problem> = program.problems.iter().map(Problem::from).collect();
    for problem in &problems {
        output::complain(&problem.to_string());
    }
    // What is wrong with a module is said beside the graph of what could be read.
    let renderer = Renderer { format: Format::Short, colour: false };
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    for module in &program.modules {
        let found = renderer.render(&module.tree.files, module.diagnostics.iter().filter(is_error));
        io::stderr().write_all(found.text().as_bytes())?;
    }
    let flow = analyse(&request, &program)?;
    write(&flow, arguments, &problems)?;
    Ok(if !problems.is_empty() {
        Exit::Unusable
    } else if program.has_errors() {
        Exit::SomethingFound
    } else {
        Exit::NothingFound
    })
}

fn write(flow: &Flow, arguments: &Arguments, problems: &[Problem]) -> Result<(), Failure> {
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
    output::write_bytes(arguments.output.as_deref(), &out)
}
