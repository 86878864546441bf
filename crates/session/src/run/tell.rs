//! How a run ended, from the Machine that it ended on.

use machine::exception::Crash;
use machine::position::Position;
use machine::process::Status;
use machine::{Ending as End, Machine, Pid, Term};
use runner::loader::ProgramLoader;
use runner::run;
use runner::schedules::Departure;
use runner::world::RealWorld;
use term::format::pretty;

use super::answer::{Ending, Exception, Frame, LoadProblem, Process, ProcessStatus, Raised, Ran};
use crate::contracts::broken;
use crate::error::Departed;
use crate::{Excerpt, Place};

/// Numbers of the node's own processes are below this.
const FIRST_OWN: u64 = machine::FIRST_PID;

pub(crate) struct Teller<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) loader: &'a ProgramLoader,
    pub(crate) main: Option<Pid>,
}

/// A term as the shell shows it.
pub(crate) fn shown(term: &Term) -> String {
    pretty::to_string(term)
}

/// What stands at a position.
fn excerpt_of(position: &Position) -> Excerpt {
    let module = position.source.tree();
    let (span, at) = (module.span(position.node), module.loc(position.node));
    Excerpt { module: module.clone(), span, at }
}

fn place_of(position: &Position) -> Option<Place> {
    let source = position.source.tree();
    Place::of(&source.files, source.span(position.node))
}

impl Teller<'_> {
    /// Everything that is known about the end.
    pub(crate) fn told(&self, end: &End, world: &RealWorld) -> Ran {
        let is_held_up = matches!(end, End::Quiescent | End::Bound { .. });
        let (output, error_output) = world.take_output();
        Ran {
            ending: ending_of(self.machine, end),
            source: self.place(end).as_ref().map(excerpt_of),
            processes: if is_held_up { self.processes() } else { Vec::new() },
            problems: load_problems(self.loader),
            contracts: self.machine.violations().iter().map(broken).collect(),
            output,
            error_output,
            steps: self.machine.steps(),
            virtual_ms: self.machine.now() / 1_000_000,
            departure: None,
            unwritten: Vec::new(),
        }
    }

    /// Where it happened in the program under study.
    fn place(&self, end: &End) -> Option<Position> {
        let is_own = |module| self.loader.is_own(module);
        match end {
            End::Raised(crash) => run::place_of_crash(self.machine, crash, &is_own),
            End::Unsupported { by: Some(pid), .. } | End::Bound { by: Some(pid), .. } => {
                run::place_of_process(self.machine, *pid, &is_own)
            }
            End::Quiescent => run::place_of_process(self.machine, self.main?, &is_own),
            _ => None,
        }
    }

    /// The program's processes, the main one first.
    fn processes(&self) -> Vec<Process> {
        let mut pids: Vec<Pid> = self.machine.pids().filter(|pid| pid.0 >= FIRST_OWN).collect();
        pids.sort_by_key(|&pid| (Some(pid) != self.main, pid));
        pids.iter().filter_map(|&pid| self.process(pid)).collect()
    }

    fn process(&self, pid: Pid) -> Option<Process> {
        let process = self.machine.process(pid)?;
        let is_own = |module| self.loader.is_own(module);
        let own = run::place_of_process(self.machine, pid, &is_own);
        let inner = own.clone().or_else(|| self.machine.positions(pid, 1).pop());
        let is_waiting = process.status == Status::Waiting;
        Some(Process {
            pid: shown(&Term::from(pid)),
            name: process.registered.map(|name| name.as_str().to_owned()),
            status: if is_waiting { ProcessStatus::Waiting } else { ProcessStatus::Runnable },
            messages: process.mailbox.len(),
            function: inner.map(|place| {
                let mfa = place.mfa;
                format!("{}:{}/{}", mfa.module, mfa.name, mfa.arity)
            }),
            place: own.as_ref().and_then(place_of),
        })
    }

    /// Where a run departed from its schedule, and what the process was doing.
    pub(crate) fn departed(&self, departure: Departure) -> Departed {
        let is_own = |module| self.loader.is_own(module);
        let place =
            departure.pid().and_then(|pid| run::place_of_process(self.machine, pid, &is_own));
        Departed::Turns { departure, at: place.map(|place| (place.file, place.line)) }
    }
}

/// How a run ended, without what belongs to the Machine.
pub(crate) fn ending_of(machine: &Machine, end: &End) -> Ending {
    match end {
        End::Returned(value) => Ending::Returned(shown(value)),
        End::Raised(crash) => Ending::Raised(Raised {
            exception: exception_of(machine, crash),
            missed_native: machine.missed_natives().first().cloned(),
        }),
        End::Ended(reason) => Ending::Ended(shown(reason)),
        End::Halted(status) => Ending::Halted(*status),
        End::Quiescent => Ending::Quiescent,
        End::Unsupported { what, by } => Ending::Unsupported { what: what.clone(), by: *by },
        End::Bound { bound, by } => Ending::Bound { bound: *bound, by: *by },
        End::Spins(pid) => Ending::Spins(*pid),
        End::Repeats(repeat) => Ending::Repeats(*repeat),
        End::NotStarted(message) => Ending::NotStarted(message.clone()),
    }
}

fn exception_of(machine: &Machine, crash: &Crash) -> Exception {
    let frames = run::own_frames(&crash.trace).to_vec().unwrap_or_default();
    Exception {
        class: crash.class.to_string(),
        reason: shown(&crash.reason),
        explanation: run::explain(machine, crash),
        stack: frames.iter().filter_map(frame).collect(),
    }
}

/// Modules that could not be loaded.
pub(crate) fn load_problems(loader: &ProgramLoader) -> Vec<LoadProblem> {
    let problems = loader.problems();
    let problems = problems.borrow();
    let shown = problems.iter().map(|problem| LoadProblem {
        module: problem.module.to_string(),
        file: problem.path.display().to_string(),
        line: problem.line,
        message: problem.message.clone(),
    });
    shown.collect()
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
