//! `erlscope trace`: what happened in a run that was recorded.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use machine::observe::Place;
use runner::limits::Bound;
use trace::causality::{Clocks, Stamp};
use trace::event::{Record, What};
use trace::file::{Problem, Reader};
use trace::show;

use crate::args::{Trace, TraceFormat};
use crate::exit::Exit;
use crate::guard::{self, Told};
use crate::output;

/// Kinds that are shown only if asked for: there are many, and they say little by themselves.
const QUIET: &[&str] = &["deliver", "access", "node", "turn", "step"];

pub(crate) fn run(trace: &Trace) -> io::Result<Exit> {
    match shown(trace) {
        Ok(()) => Ok(Exit::NothingFound),
        Err(Failure::Output(error)) => Err(error),
        Err(Failure::Input(problem)) => {
            output::complain(&format!("{}: {problem}", trace.file.display()));
            Ok(match problem {
                Problem::CutOff => Exit::Incomplete,
                _ => Exit::Unusable,
            })
        }
        Err(Failure::Cut(bound)) => {
            output::complain(&bound.to_string());
            Ok(Exit::Incomplete)
        }
        Err(Failure::Use(message)) => {
            output::complain(&message);
            Ok(Exit::Unusable)
        }
    }
}

enum Failure {
    Input(Problem),
    Output(io::Error),
    Use(String),
    Cut(Bound),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure::Input(problem)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

fn open(file: &Path) -> Result<Reader<Box<dyn Read>>, Problem> {
    let input: Box<dyn Read> = match file.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(File::open(file).map_err(Problem::Io)?),
    };
    Reader::new(input)
}

fn shown(trace: &Trace) -> Result<(), Failure> {
    let places: Vec<Wanted> = trace
        .places
        .iter()
        .map(|text| Wanted::read(text))
        .collect::<Result<_, _>>()
        .map_err(Failure::Use)?;
    let target = match trace.before {
        Some(_) if trace.file.to_str() == Some("-") => {
            return Err(Failure::Use("--before reads the trace twice: name a file".to_owned()));
        }
        Some(number) => Some(stamp_of(trace, number)?),
        None => None,
    };
    let mut reader = open(&trace.file)?;
    let out = output::Lines::default();
    let (rest, is_json) = (out.clone(), trace.format == TraceFormat::Json);
    let last = move |why: &str| match is_json {
        true => report::cut::json("trace", why),
        false => String::new(),
    };
    guard::leave(move |why| Told { text: rest.rest() + &last(why), exit: Exit::Incomplete });
    if is_json {
        out.line(&header(&reader).to_string())?;
    }
    let mut clocks = (trace.clocks || target.is_some()).then(Clocks::new);
    let mut result = Ok(());
    for (index, record) in reader.by_ref().enumerate() {
        if let Some(bound) = guard::bound() {
            result = Err(Failure::Cut(bound));
            if is_json {
                out.line(last(&bound.to_string()).trim_end())?;
            }
            break;
        }
        let record = match record {
            Ok(record) => record,
            Err(problem) => {
                result = Err(Failure::Input(problem));
                break;
            }
        };
        let number = index as u64 + 1;
        let stamp = clocks.as_mut().and_then(|clocks| clocks.next(&record));
        let causes = match &target {
            Some(target) => {
                number == trace.before.unwrap_or(0)
                    || stamp.as_ref().is_some_and(|stamp| stamp.is_before(target))
            }
            None => true,
        };
        if !causes || !is_wanted(trace, &places, &record) {
            continue;
        }
        match trace.format {
            TraceFormat::Text => out.line(&show::line(number, &record))?,
            TraceFormat::Json => {
                let clock = stamp.as_ref().filter(|_| trace.clocks);
                out.line(&show::json(number, &record, clock).to_string())?;
            }
        }
    }
    out.finish()?;
    result
}

/// The stamp of an event.
fn stamp_of(trace: &Trace, number: u64) -> Result<Stamp, Failure> {
    let mut clocks = Clocks::new();
    for (index, record) in open(&trace.file)?.enumerate() {
        let stamp = clocks.next(&record?);
        if index as u64 + 1 == number {
            let nobody = || Failure::Use(format!("event {number} is no event of a process"));
            return stamp.ok_or_else(nobody);
        }
    }
    Err(Failure::Use(format!("there is no event {number}")))
}

/// The first line of JSON: how the run was made.
fn header(reader: &Reader<Box<dyn Read>>) -> serde_json::Value {
    let paths: Vec<&str> = reader.header.all("path").collect();
    serde_json::json!({
        "version": 1,
        "tool": "erlscope",
        "command": "trace",
        "paths": paths,
        "call": reader.header.get("call"),
        "test": reader.header.get("test"),
        "finding": reader.header.get("finding"),
        "seed": reader.header.get("seed").and_then(|seed| seed.parse::<u64>().ok()),
        "delivery": reader.header.get("delivery").unwrap_or("instant"),
    })
}

/// A place that was asked for.
struct Wanted {
    module: String,
    line: Option<u32>,
    column: Option<u32>,
}

impl Wanted {
    fn read(text: &str) -> Result<Wanted, String> {
        let bad = || format!("`{text}` is no place such as bank:12 or bank:12:5");
        let mut parts = text.split(':');
        let module = parts.next().filter(|module| !module.is_empty()).ok_or_else(bad)?.to_owned();
        let mut number = || parts.next().map(str::parse).transpose().map_err(|_| bad());
        let wanted = Wanted { module, line: number()?, column: number()? };
        if parts.next().is_some() { Err(bad()) } else { Ok(wanted) }
    }

    fn matches(&self, place: Place) -> bool {
        place.module.as_str() == self.module
            && self.line.is_none_or(|line| line == place.line)
            && self.column.is_none_or(|column| column == place.column)
    }
}

fn is_wanted(trace: &Trace, places: &[Wanted], record: &Record) -> bool {
    let kind = record.what.kind();
    let kind_fits = match (trace.kinds.is_empty(), trace.all || trace.format == TraceFormat::Json) {
        (false, _) => trace.kinds.iter().any(|wanted| wanted == kind),
        (true, true) => true,
        (true, false) => !QUIET.contains(&kind) || is_lost(&record.what),
    };
    let process_fits = trace.processes.is_empty()
        || concerned(record).into_iter().flatten().any(|pid| trace.processes.contains(&pid.0));
    let mut here = [record.place, record.own].into_iter().flatten();
    let place_fits =
        places.is_empty() || here.any(|place| places.iter().any(|wanted| wanted.matches(place)));
    kind_fits && process_fits && place_fits
}

fn is_lost(what: &What) -> bool {
    matches!(what, What::Deliver { lost: true, .. })
}

/// Who has to do with an event: who does it, and to whom.
fn concerned(record: &Record) -> [Option<machine::Pid>; 2] {
    let other = match record.what {
        What::Spawn { child, .. } => Some(child),
        What::Exit { pid, .. } => Some(pid),
        What::Send { to, .. } | What::Deliver { to, .. } | What::ExitSignal { to, .. } => Some(to),
        What::Arrive { to, .. } => Some(to),
        _ => None,
    };
    [record.pid, other]
}
