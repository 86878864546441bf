//! `erlscope trace`: what happened in a run that was recorded.

use std::io;

use report::trace as shown;
use session::trace::{Event, Failure as Stopped, Header, Problem, Request, Taker, events};

use crate::args::{Trace, TraceFormat};
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::guard::{self, Told};
use crate::output;

pub(crate) fn run(arguments: &Trace) -> Result<Exit, Failure> {
    let is_json = arguments.format == TraceFormat::Json;
    let request = Request {
        file: arguments.file.clone(),
        processes: arguments.processes.clone(),
        kinds: arguments.kinds.clone(),
        all: arguments.all || is_json,
        places: arguments.places.clone(),
        before: arguments.before,
        clocks: arguments.clocks,
    };
    let out = output::Lines::to(arguments.output.as_deref())?;
    let mut writer = Writer { out: out.clone(), is_json };
    let result = events(&request, &front::control(), &mut writer);
    if let (Err(Stopped::Cut(bound)), true) = (&result, is_json) {
        out.line(report::cut::json("trace", &report::endings::bound(bound)).trim_end())?;
    }
    out.finish()?;
    match result {
        Ok(()) => Ok(Exit::NothingFound),
        Err(Stopped::Taker(error)) => Err(error.into()),
        Err(Stopped::Question(question)) => Err(Failure::Use(report::trace::question(&question))),
        Err(Stopped::Cut(bound)) => {
            output::complain(&report::endings::bound(&bound));
            Ok(Exit::Incomplete)
        }
        Err(Stopped::Input(problem)) => {
            output::complain(&format!("{}: {problem}", arguments.file.display()));
            Ok(match problem {
                Problem::CutOff => Exit::Incomplete,
                _ => Exit::Unusable,
            })
        }
    }
}

struct Writer {
    out: output::Lines,
    is_json: bool,
}

impl Taker for Writer {
    type Error = io::Error;

    fn begin(&mut self, header: &Header) -> io::Result<()> {
        let (rest, is_json) = (self.out.clone(), self.is_json);
        let last = move |why: &str| match is_json {
            true => report::cut::json("trace", why),
            false => String::new(),
        };
        guard::leave(move |why| Told { text: rest.rest() + &last(why), exit: Exit::Incomplete });
        match self.is_json {
            true => self.out.line(&shown::header(header)),
            false => Ok(()),
        }
    }

    fn take(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.out.line(&match self.is_json {
            true => shown::json(event),
            false => shown::text(event),
        })
    }
}
