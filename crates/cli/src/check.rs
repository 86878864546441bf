//! `erlscope check`: what is wrong with modules, in their order whichever is finished first.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;

use report::{Format, Problem, Rendered, Renderer, Report, Summary};
use session::check::{Checked, Done, Request, Taker, check, modules};
use session::{Error, Progress, Watch};
use syntax::diagnostic::Severity;

use crate::args::{Check, Color};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::progress::Bar;
use crate::{guard, java, limits, output};

pub(crate) fn run(arguments: &Check, color: Color) -> Result<Exit, Failure> {
    if java::is_asked(&arguments.paths) {
        return java::check(arguments);
    }
    let request = Request {
        paths: arguments.paths.clone(),
        profiles: arguments.profiles.clone(),
        without_tests: arguments.no_tests,
        own_lints: arguments.own_lints,
        jobs: arguments.jobs.map(usize::from),
        reading: arguments.reading.request(),
    };
    let discovery = modules(&request)?;
    let format = limits::format_of(arguments.format);
    let colour = arguments.output.is_none() && output::coloured(color, &io::stdout());
    let renderer = Renderer { format, colour };
    let out: Box<dyn Write> = match &arguments.output {
        Some(path) => {
            let cannot = |error| Failure::Use(format!("{}: {error}", path.display()));
            Box::new(BufWriter::new(std::fs::File::create(path).map_err(cannot)?))
        }
        None => Box::new(output::stdout()),
    };
    guard::write_alone();
    let mut report = Report::begin(out, format, "check")?;
    for document in &discovery.documents {
        report.other(renderer.render(&document.files, &document.diagnostics))?;
    }
    let progress = Arc::new(Shown(Bar::default()));
    let writer = Writer {
        arguments,
        format,
        report,
        problems: discovery.problems.iter().map(Problem::from).collect(),
        progress: Arc::clone(&progress),
    };
    let show = |checked: &Checked| {
        let wanted = checked.diagnostics.iter();
        let wanted =
            wanted.filter(|found| !arguments.no_warnings || found.severity == Severity::Error);
        renderer.render(&checked.module.files, wanted)
    };
    check(&request, &discovery.units, &front::watched_by(progress), show, writer)
}

/// The line that shows how far it is.
struct Shown(Bar);

impl Watch for Shown {
    fn hear(&self, progress: Progress<'_>) {
        match progress {
            Progress::Checking { modules } => self.0.begin(modules),
            Progress::Checked => self.0.step(),
            other => front::tell_note(&other),
        }
    }
}

/// Writes reports in the order of the modules.
struct Writer<'a> {
    arguments: &'a Check,
    format: Format,
    report: Report<Box<dyn Write>>,
    problems: Vec<Problem>,
    progress: Arc<Shown>,
}

impl Taker<Rendered> for Writer<'_> {
    type Error = Failure;
    type Answer = Exit;

    fn take(&mut self, outcome: Result<Rendered, Error>) -> Result<(), Failure> {
        match outcome {
            Ok(rendered) => self.progress.0.suspend(|| self.report.module(rendered))?,
            Err(Error::Input { path, message }) => {
                self.problems.push(Problem { path: path.display().to_string(), message });
            }
            Err(other) => return Err(other.into()),
        }
        Ok(())
    }

    fn finish(self, done: Done) -> Result<Exit, Failure> {
        let Writer { arguments, format, report, mut problems, progress } = self;
        progress.0.clear();
        let is_complete = done.modules == done.of;
        let bound = guard::bound().filter(|_| !is_complete);
        problems.extend(
            bound.map(|bound| limits::problem(&arguments.paths, &report::endings::bound(&bound))),
        );
        let summary = report.finish(&problems, is_complete)?;
        close(format, &problems, &summary)?;
        let exit = exit(arguments, &problems, &summary);
        if bound.is_some() {
            // Who is still at work is not waited for.
            std::process::exit(i32::from(exit.code()));
        }
        Ok(exit)
    }
}

/// The closing lines: problems on standard error, the summary where people look.
fn close(format: Format, problems: &[Problem], summary: &Summary) -> io::Result<()> {
    for problem in problems {
        output::complain(&problem.to_string());
    }
    match format {
        Format::Text | Format::Short if problems.is_empty() || summary.modules > 0 => {
            output::write_all(format!("{summary}\n").as_bytes())
        }
        _ => Ok(()),
    }
}

fn exit(check: &Check, problems: &[Problem], summary: &Summary) -> Exit {
    if !summary.complete {
        Exit::Incomplete
    } else if !problems.is_empty() {
        Exit::Unusable
    } else if summary.errors > 0 || (check.warnings_as_errors && summary.warnings > 0) {
        Exit::SomethingFound
    } else {
        Exit::NothingFound
    }
}
