//! `erlscope run`: a call, a module's `main/0` or a script's `main/1`, on a node of its own.

use std::io::Write as _;
use std::sync::Arc;

use session::again::Recorded;
use session::call::split;
use session::record::read_schedule;
use session::run::{Ending, Ran, Request};
use session::{Progress, Watch};

use crate::args::{Color, Run, RunFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::{guard, limits, output, replay};

pub(crate) fn run(arguments: &Run, color: Color) -> Result<u8, Failure> {
    let schedule = arguments.schedule.as_deref().map(read_schedule).transpose()?;
    let (paths, call) = split(&arguments.what);
    if let Some(witness) = &schedule
        && Recorded::of(witness) == Recorded::Actions
    {
        return replay::witness(witness, arguments).map(Exit::code);
    }
    let request = Request {
        paths,
        call,
        arguments: arguments.arguments.clone(),
        schedule,
        keep_output: arguments.format == RunFormat::Json,
        tracing: arguments.tracing.request(),
        save_schedule: arguments.save_schedule.clone(),
        with_tests: false,
        delivery: arguments.delivery.into(),
        running: arguments.running.request(),
        reading: arguments.reading.request(),
    };
    let ran = session::run::run(&request, &front::watched_by(Arc::new(Keeper)))?;
    Ok(tell(&ran, arguments.format, arguments.print, color))
}

/// Should the run be cut off, what it has written is told.
struct Keeper;

impl Watch for Keeper {
    fn hear(&self, progress: Progress<'_>) {
        front::tell_note(&progress);
        if let Progress::Running { output } = progress {
            guard::leave(move |why| limits::cut_run(why, &output));
        }
    }
}

/// Tells how a run ended; the exit code.
pub(crate) fn tell(ran: &Ran, format: RunFormat, print: bool, color: Color) -> u8 {
    let mut code = code_of(ran);
    for error in &ran.unwritten {
        output::complain(&report::endings::error(error));
        code = Exit::Unusable.code();
    }
    if let Some(departure) = &ran.departure {
        output::complain(&report::words::departed(departure));
        code = code.max(Exit::Incomplete.code());
    }
    if format == RunFormat::Json {
        let _ = output::document(report::run::json(ran, code_of(ran)).as_bytes());
        return code;
    }
    if let (Ending::Returned(value), true) = (&ran.ending, print) {
        let _ = output::document(format!("{value}\n").as_bytes());
    }
    let _ = std::io::stdout().flush();
    let colour = output::coloured(color, &std::io::stderr());
    let _ = std::io::stderr().write_all(report::run::text(ran, colour).as_bytes());
    code
}

/// What the shell is told: the program's own status, if it halted.
fn code_of(ran: &Ran) -> u8 {
    match &ran.ending {
        _ if !ran.contracts.is_empty() => Exit::SomethingFound.code(),
        Ending::Halted(status) => *status as u8,
        Ending::Returned(_) => Exit::NothingFound.code(),
        Ending::Raised(_) | Ending::Ended(_) | Ending::Quiescent => Exit::SomethingFound.code(),
        Ending::Unsupported { .. }
        | Ending::Bound { .. }
        | Ending::Spins(_)
        | Ending::Repeats(_)
        | Ending::NotStarted(_) => Exit::Incomplete.code(),
    }
}
