//! `erlscope coverage`: what tests, or calls, exercise of the flow graph of a program.

use report::coverage::{Report, measured};
use session::coverage::{Request, measure};

use crate::args::{Coverage, CoverageFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output;

pub(crate) fn run(arguments: &Coverage) -> Result<Exit, Failure> {
    let request = Request {
        paths: arguments.paths.clone(),
        tests: arguments.tests.clone(),
        calls: arguments.calls.clone(),
        filter: arguments.filter.clone(),
        explore: arguments.explore.then_some(arguments.max_executions),
        delivery: arguments.delivery.into(),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
    };
    let found = measure(&request, &front::control())?;
    let show = |report: &Report<'_>| match arguments.format {
        CoverageFormat::Text => report.text(),
        CoverageFormat::Json => report.json(),
        CoverageFormat::Lcov => report.lcov(),
        CoverageFormat::Cobertura => report.cobertura(),
        CoverageFormat::Html => report.html(),
    };
    output::write_document(arguments.output.as_deref(), &measured(&found, show))?;
    Ok(match (found.failed, found.incomplete) {
        (true, _) => Exit::SomethingFound,
        (false, true) => Exit::Incomplete,
        (false, false) => Exit::NothingFound,
    })
}
