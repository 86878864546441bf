//! `erlscope flow`: the concurrent flow graph of a program.

use std::io::Write;

use report::Problem;
use report::drawing;
use report::flow as shown;
use session::flow::{Flow, Request, analyse, entry, load};

use crate::args::{Flow as Arguments, FlowFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
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
    let problems = front::tell_wrong(&program)?;
    let flow = analyse(&request, &program)?;
    write(&flow, arguments, &problems)?;
    Ok(front::exit_beside(&problems, &program))
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
