//! Events of a recorded run.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use ::trace::causality::{Clocks, Stamp};
use ::trace::event::What;
pub use ::trace::event::{KINDS, Record};
use ::trace::file::Reader;
pub use ::trace::file::{Header, Problem};
use machine::observe::Place;
use runner::limits::Bound;

use crate::Control;

/// Which events are wanted.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// A trace; `-` is standard input.
    pub file: PathBuf,
    /// Only events of these processes.
    pub processes: Vec<u64>,
    /// Only events of these kinds; else all but the quiet ones.
    pub kinds: Vec<String>,
    /// Events of all kinds.
    pub all: bool,
    /// Only events at these places: `MODULE[:LINE[:COLUMN]]`.
    pub places: Vec<String>,
    /// Only what happened before this event, and so may have had an influence on it.
    pub before: Option<u64>,
    /// Whether vector clocks are wanted.
    pub clocks: bool,
}

/// Kinds that are given only if asked for: there are many, and they say little by themselves.
const QUIET: &[&str] = &["deliver", "access", "node", "turn", "step"];

/// Why the events were not told to their end.
#[derive(Debug)]
pub enum Failure<E> {
    Input(Problem),
    /// Whoever took them could not.
    Taker(E),
    /// The question makes no sense.
    Question(Question),
    Cut(Bound),
}

/// Why a question makes no sense.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// This is no place.
    NoPlace(String),
    /// What came before is found by reading the trace twice, and standard input is read once.
    ReadOnce,
    /// There are not so many events.
    NoEvent(u64),
    /// The event is not one of a process, so that nothing is known to come before it.
    OfNobody(u64),
}

impl<E> From<Problem> for Failure<E> {
    fn from(problem: Problem) -> Failure<E> {
        Failure::Input(problem)
    }
}

/// An event with its number, and its clock if that was asked for.
pub struct Event<'a> {
    pub number: u64,
    pub record: &'a Record,
    pub clock: Option<&'a Stamp>,
}

/// Takes events one by one.
pub trait Taker {
    type Error;
    /// The run as it was made.
    fn begin(&mut self, header: &Header) -> Result<(), Self::Error>;
    fn take(&mut self, event: &Event<'_>) -> Result<(), Self::Error>;
}

/// Hands over the events that are wanted.
pub fn events<K: Taker>(
    request: &Request,
    control: &Control,
    taker: &mut K,
) -> Result<(), Failure<K::Error>> {
    let places: Vec<Wanted> = request
        .places
        .iter()
        .map(|text| Wanted::read(text))
        .collect::<Result<_, _>>()
        .map_err(Failure::Question)?;
    let target = match request.before {
        Some(_) if request.file.to_str() == Some("-") => {
            return Err(Failure::Question(Question::ReadOnce));
        }
        Some(number) => Some(stamp_of(request, number)?),
        None => None,
    };
    let mut reader = open(request)?;
    taker.begin(&reader.header).map_err(Failure::Taker)?;
    let mut clocks = (request.clocks || target.is_some()).then(Clocks::new);
    for (index, record) in reader.by_ref().enumerate() {
        if let Some(bound) = control.bound() {
            return Err(Failure::Cut(bound));
        }
        let record = record?;
        let number = index as u64 + 1;
        let stamp = clocks.as_mut().and_then(|clocks| clocks.next(&record));
        let causes = match &target {
            Some(target) => {
                number == request.before.unwrap_or(0)
                    || stamp.as_ref().is_some_and(|stamp| stamp.is_before(target))
            }
            None => true,
        };
        if causes && is_wanted(request, &places, &record) {
            let clock = stamp.as_ref().filter(|_| request.clocks);
            taker.take(&Event { number, record: &record, clock }).map_err(Failure::Taker)?;
        }
    }
    Ok(())
}

fn open(request: &Request) -> Result<Reader<Box<dyn Read>>, Problem> {
    let input: Box<dyn Read> = match request.file.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(File::open(&request.file).map_err(Problem::Io)?),
    };
    Reader::new(input)
}

/// The stamp of an event.
fn stamp_of<E>(request: &Request, number: u64) -> Result<Stamp, Failure<E>> {
    let mut clocks = Clocks::new();
    for (index, record) in open(request)?.enumerate() {
        let stamp = clocks.next(&record?);
        if index as u64 + 1 == number {
            return stamp.ok_or(Failure::Question(Question::OfNobody(number)));
        }
    }
    Err(Failure::Question(Question::NoEvent(number)))
}

/// A place that was asked for.
struct Wanted {
    module: String,
    line: Option<u32>,
    column: Option<u32>,
}

impl Wanted {
    fn read(text: &str) -> Result<Wanted, Question> {
        let bad = || Question::NoPlace(text.to_owned());
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

fn is_wanted(request: &Request, places: &[Wanted], record: &Record) -> bool {
    let kind = record.what.kind();
    let kind_fits = match (request.kinds.is_empty(), request.all) {
        (false, _) => request.kinds.iter().any(|wanted| wanted == kind),
        (true, true) => true,
        (true, false) => !QUIET.contains(&kind) || is_lost(&record.what),
    };
    let process_fits = request.processes.is_empty()
        || concerned(record).into_iter().flatten().any(|pid| request.processes.contains(&pid.0));
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
