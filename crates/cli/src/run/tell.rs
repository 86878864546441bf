//! How a run ended, told to people and to programs.

use std::io::Write as _;

use machine::exception::Crash;
use machine::position::Position;
use machine::process::Status;
use machine::{Machine, Pid, Term};
use report::run::{Exception, Frame, LoadProblem, Process, Run};
use report::{Place, excerpt};
use runner::loader::ProgramLoader;
use runner::run::{self, End};
use runner::schedules::Departure;
use runner::world::RealWorld;
use term::format::pretty;

use crate::exit::Exit;

/// More waiting processes than this are counted only.
const MOST_PROCESSES: usize = 20;

/// More reasons why modules could not be loaded than this are counted only.
const MOST_PROBLEMS: usize = 10;

/// Numbers of the node's own processes are below this.
const FIRST_OWN: u64 = machine::state::FIRST_PID;

pub(super) struct Teller<'a> {
    pub(super) machine: &'a Machine,
    pub(super) loader: &'a ProgramLoader,
    pub(super) main: Option<Pid>,
}

/// A term as the shell shows it.
pub(crate) fn shown(term: &Term) -> String {
    pretty::to_string(term)
}

/// A place in the text of a module.
fn place_of(position: &Position) -> Option<Place> {
    let source = position.source.tree();
    Place::of(&source.files, source.span(position.node))
}

impl Teller<'_> {
    /// Everything that is known about the end.
    pub(super) fn report(&self, end: &End, world: &RealWorld) -> Run {
        let mut report = self.outcome(end);
        let place = self.place(end);
        report.place = place.as_ref().and_then(place_of);
        if matches!(end, End::Stuck | End::Bound(..)) {
            report.processes = self.processes();
        }
        report.problems = self.problems();
        (report.output, report.error_output) = world.take_output();
        report.steps = self.machine.state.steps;
        report.virtual_ms = self.machine.state.now / 1_000_000;
        report
    }

    fn outcome(&self, end: &End) -> Run {
        let with_message = |outcome, exit: Exit, message: String| Run {
            message: Some(message),
            ..Run::new(outcome, exit.code())
        };
        match end {
            End::Returned(value) => {
                Run { value: Some(shown(value)), ..Run::new("returned", Exit::NothingFound.code()) }
            }
            End::Raised(crash) => Run {
                exception: Some(self.exception(crash)),
                // Why it may have failed.
                message: self
                    .machine
                    .state
                    .missed_natives
                    .first()
                    .map(|missed| format!("not supported: {missed}")),
                ..Run::new("raised", Exit::SomethingFound.code())
            },
            End::Killed(reason) => with_message(
                "killed",
                Exit::SomethingFound,
                format!("the main process was ended by an exit signal: {}", shown(reason)),
            ),
            End::Halted(status) => Run::new("halted", *status as u8),
            End::Stuck => with_message(
                "stuck",
                Exit::SomethingFound,
                "stuck: every process waits for a message, and no timer is running".to_owned(),
            ),
            End::Unsupported(message, _) => {
                with_message("unsupported", Exit::Incomplete, format!("not supported: {message}"))
            }
            End::Bound(bound, _) => with_message("bound", Exit::Incomplete, bound.to_string()),
            End::NotBooted(message) => with_message(
                "not_started",
                Exit::Incomplete,
                format!("the node could not be started: {message}"),
            ),
        }
    }

    fn exception(&self, crash: &Crash) -> Exception {
        let frames = run::own_frames(&crash.trace).to_vec().unwrap_or_default();
        Exception {
            class: crash.class.to_string(),
            reason: shown(&crash.reason),
            explanation: run::explain(self.machine, crash),
            stack: frames.iter().filter_map(frame).collect(),
        }
    }

    /// Where it happened in the program under study.
    fn place(&self, end: &End) -> Option<Position> {
        let is_own = |module| self.loader.is_own(module);
        match end {
            End::Raised(crash) => run::place_of_crash(self.machine, crash, &is_own),
            End::Unsupported(_, pid) | End::Bound(_, Some(pid)) => {
                run::place_of_process(self.machine, *pid, &is_own)
            }
            End::Stuck => run::place_of_process(self.machine, self.main?, &is_own),
            _ => None,
        }
    }

    /// The program's processes, the main one first.
    fn processes(&self) -> Vec<Process> {
        let mut pids: Vec<Pid> =
            self.machine.state.pids().filter(|pid| pid.0 >= FIRST_OWN).collect();
        pids.sort_by_key(|&pid| (Some(pid) != self.main, pid));
        pids.iter().filter_map(|&pid| self.process(pid)).collect()
    }

    fn process(&self, pid: Pid) -> Option<Process> {
        let process = self.machine.state.process(pid)?;
        let is_own = |module| self.loader.is_own(module);
        let own = run::place_of_process(self.machine, pid, &is_own);
        let inner = own.clone().or_else(|| self.machine.positions(pid, 1).pop());
        Some(Process {
            pid: shown(&Term::from(pid)),
            name: process.registered.map(|name| name.as_str().to_owned()),
            status: if process.status == Status::Waiting { "waiting" } else { "runnable" },
            messages: process.mailbox.len(),
            function: inner.map(|place| {
                let mfa = place.mfa;
                format!("{}:{}/{}", mfa.module, mfa.name, mfa.arity)
            }),
            place: own.as_ref().and_then(place_of),
        })
    }

    fn problems(&self) -> Vec<LoadProblem> {
        let problems = self.loader.problems();
        let problems = problems.borrow();
        let shown = problems.iter().map(|problem| LoadProblem {
            module: problem.module.to_string(),
            file: problem.path.display().to_string(),
            line: problem.line,
            message: problem.message.clone(),
        });
        shown.collect()
    }

    /// Where a run departed from its schedule, and what the process was doing.
    pub(super) fn departure(&self, departure: &Departure) -> String {
        let is_own = |module| self.loader.is_own(module);
        let place = departure.pid.and_then(|pid| run::place_of_process(self.machine, pid, &is_own));
        match place {
            Some(place) => {
                format!("{departure}; at the end it is at {}:{}", place.file, place.line)
            }
            None => departure.to_string(),
        }
    }

    /// Tells it on standard error; what went well is not told.
    pub(super) fn print(&self, end: &End, report: &Run, colour: bool) {
        let mut text = String::new();
        if let Some(exception) = &report.exception {
            let explanation = exception.explanation.clone();
            let fallback = || format!("exception {}: {}", exception.class, exception.reason);
            text.push_str(&format!("** {}\n", explanation.unwrap_or_else(fallback).trim_end()));
        }
        if let Some(message) = &report.message {
            text.push_str(&format!("erlscope: {message}\n"));
        }
        if let Some(place) = self.place(end) {
            let source = place.source.tree();
            let (span, loc) = (source.span(place.node), source.loc(place.node));
            text.push_str(&excerpt(&source.files, span, loc, colour));
        }
        for process in report.processes.iter().take(MOST_PROCESSES) {
            text.push_str(&line_of(process));
        }
        if report.processes.len() > MOST_PROCESSES {
            let more = report.processes.len() - MOST_PROCESSES;
            text.push_str(&format!("  and {more} more processes\n"));
        }
        for problem in report.problems.iter().take(MOST_PROBLEMS) {
            let LoadProblem { module, file, line, message } = problem;
            let place = if *line == 0 { file.clone() } else { format!("{file}:{line}") };
            text.push_str(&format!(
                "note: module {module} could not be loaded: {place}: {message}\n"
            ));
        }
        if report.problems.len() > MOST_PROBLEMS {
            let more = report.problems.len() - MOST_PROBLEMS;
            text.push_str(&format!("note: and {more} more such problems\n"));
        }
        let _ = std::io::stdout().flush();
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

fn line_of(process: &Process) -> String {
    let name = process.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
    let function = process.function.as_ref().map_or(String::new(), |name| format!(" in {name}"));
    let place = process
        .place
        .as_ref()
        .map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
    let messages = match process.messages {
        0 => String::new(),
        1 => ", 1 message in its mailbox".to_owned(),
        count => format!(", {count} messages in its mailbox"),
    };
    format!("  {}{name} {}{function}{place}{messages}\n", process.pid, process.status)
}

/// An entry of a stack trace as data.
pub(crate) fn frame(entry: &Term) -> Option<Frame> {
    let [module, function, arity, location] = entry.as_tuple()? else { return None };
    let arguments = arity.to_vec();
    let item = |name: &str| {
        location.elements().find_map(|pair| match pair.as_tuple() {
            Some([key, value]) if key.as_atom()?.as_str() == name => Some(value.clone()),
            _ => None,
        })
    };
    Some(Frame {
        module: module.as_atom()?.to_string(),
        function: function.as_atom()?.to_string(),
        arity: match &arguments {
            Some(arguments) => arguments.len(),
            None => usize::try_from(arity.as_int()?).ok()?,
        },
        arguments: arguments.map(|arguments| arguments.iter().map(shown).collect()),
        file: item("file").and_then(|file| machine::builtins::text_of(&file)),
        line: item("line").and_then(|line| u32::try_from(line.as_int()?).ok()),
    })
}
