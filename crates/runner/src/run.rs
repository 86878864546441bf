//! Running a call on a node of its own.
//!
//! The node is booted, the call runs in a process of its own with `user` as its group leader, and
//! the run is over when the call has returned or failed, as after
//! `erl -noshell -eval 'CALL, halt().'`. What the runtime still has to log is logged before.
//!
//! Virtual time passes with the calls that processes make, and jumps to the next timer when nobody
//! can run: it depends on the program and the schedule only.

use std::fmt;
use std::rc::Rc;

use atom::Atom;
use machine::exception::{Class, Crash};
use machine::flight::Route;
use machine::position::Position;
use machine::process::Status;
use machine::world::World;
use machine::{Ending, Loader, Machine, Pid, Ran, Term};
use term::format::chardata;
use trace::event::TurnEnd;
use trace::schedule::Turn;

use crate::limits::{Limits, Meter};
use crate::loader::{Problem, ProgramLoader};
use crate::scheduler::{InTurn, Scheduler};

/// The module that calls the entry function.
pub const ENTRY: &str = "erlscope_entry";

/// How much of the program's time a function call takes: so a busy process sees time pass, and
/// time-outs come while others compute. About what it takes on the BEAM.
pub const NANOSECONDS_PER_CALL: u64 = 10;

/// And for each reading of a clock.
pub const NANOSECONDS_PER_READING: u64 = 1_000;

/// A text that is no call: what the parser says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoCall {
    pub message: String,
}

impl fmt::Display for NoCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for NoCall {}

impl From<NoCall> for String {
    fn from(error: NoCall) -> String {
        error.message
    }
}

/// A call as a module that makes it: `Err` says what is wrong with the text.
pub fn entry(loader: &ProgramLoader, call: &str) -> Result<(), NoCall> {
    let text = format!(
        "-module({ENTRY}).\n-export([main/0]).\n\
         main() -> erlscope_native:finish(begin {call}\nend).\n"
    );
    let tree = loader.add_source(Atom::new(ENTRY), &text);
    match tree.diagnostics.first() {
        Some(found) => Err(NoCall { message: found.message.clone() }),
        None => Ok(()),
    }
}

/// What became of a call.
#[derive(Debug)]
pub struct Report {
    pub end: Ending,
    /// Modules that could not be loaded.
    pub problems: Vec<Problem>,
}

/// Runs a call, such as `m:f(1, [a])`, on a node of its own, processes in turn.
pub fn run_call(
    loader: ProgramLoader,
    call: &str,
    world: Rc<dyn World>,
    limits: &Limits,
) -> Report {
    let problems = loader.problems();
    let end = match entry(&loader, call) {
        Ok(()) => match boot(Rc::new(loader), world) {
            Ok(mut machine) => run(&mut machine, &mut InTurn, limits).0,
            Err(end) => end,
        },
        Err(error) => Ending::NotStarted(error.message),
    };
    Report { end, problems: problems.take() }
}

/// A node that is up, with nothing of the program in it.
pub fn boot(loader: Rc<dyn Loader>, world: Rc<dyn World>) -> Result<Machine, Ending> {
    let mut machine = Machine::new(loader, world);
    boot_machine(&mut machine).map(|()| machine)
}

/// Starts a node that was prepared.
pub fn boot_machine(machine: &mut Machine) -> Result<(), Ending> {
    machine.boot().map_err(|ending| match ending {
        Ending::Unsupported { what, .. } => Ending::NotStarted(what.to_string()),
        Ending::Ended(reason) => Ending::NotStarted(term::format::pretty::to_string(&reason)),
        other => Ending::NotStarted(in_words(&other)),
    })
}

/// How something ended that was to give an answer, for a message about that.
pub fn in_words(ending: &Ending) -> String {
    let reason = |term: &Term| term::format::pretty::to_string(term);
    match ending {
        Ending::Returned(value) => format!("it returned {}", reason(value)),
        Ending::Raised(crash) => format!("exception {}: {}", crash.class, reason(&crash.reason)),
        Ending::Ended(why) => format!("it ended: {}", reason(why)),
        Ending::Halted(status) => format!("it called halt({status})"),
        Ending::Quiescent => "every process waits, and no timer is running".to_owned(),
        Ending::Unsupported { what, .. } => format!("not supported: {what}"),
        Ending::Bound { .. } => "it did not end in time".to_owned(),
        Ending::Spins(_) => "it computes on and on".to_owned(),
        Ending::Repeats(_) => "it repeats itself for ever".to_owned(),
        Ending::NotStarted(why) => why.clone(),
    }
}

/// Runs the entry's call on a node that is up.
pub fn run(machine: &mut Machine, scheduler: &mut dyn Scheduler, limits: &Limits) -> (Ending, Pid) {
    let pid = machine.spawn(Atom::new(ENTRY), Atom::new("main"), Vec::new());
    machine.keep_quiet_about(pid);
    let end = run_process(machine, pid, scheduler, limits);
    drain_log(machine);
    (end, pid)
}

/// Runs until `main`, the process that the Machine is quiet about, has ended, or the node.
pub fn run_process(
    machine: &mut Machine,
    main: Pid,
    scheduler: &mut dyn Scheduler,
    limits: &Limits,
) -> Ending {
    machine.set_reading_time(NANOSECONDS_PER_READING);
    let mut meter = Meter::new(limits, machine);
    let mut last = None;
    loop {
        if let Some(bound) = meter.reached(machine) {
            return Ending::Bound { bound, by: last };
        }
        arrivals(machine, scheduler);
        let Some((pid, slice)) = scheduler.next(machine.ready_mut()) else {
            if machine.advance_time() {
                continue;
            }
            return Ending::Quiescent;
        };
        last = Some(pid);
        let slice = u64::from(slice).min(meter.steps_left(machine)) as u32;
        let ran = take_turn(machine, scheduler, pid, slice);
        if let Some(value) = machine.take_result() {
            return Ending::Returned(value);
        }
        match machine.stopped() {
            Some(Ending::Unsupported { what, .. }) => {
                return Ending::Unsupported { what, by: Some(pid) };
            }
            Some(Ending::Halted(status)) => return Ending::Halted(status),
            _ => {}
        }
        if pid == main
            && let Ran::Ended(_) = ran
            && let Some(crash) = machine.crash().cloned().filter(|crash| crash.pid == main)
        {
            return Ending::Raised(crash);
        }
        // Its own end without an exception, or a signal.
        if let Some(reason) = machine.take_end_of_quiet() {
            return Ending::Ended(reason);
        }
    }
}

/// A process has its turn, and time passes.
pub(crate) fn take_turn(
    machine: &mut Machine,
    scheduler: &mut dyn Scheduler,
    pid: Pid,
    slice: u32,
) -> Ran {
    let before = machine.steps();
    let ran = machine.run(pid, slice);
    let calls = machine.steps() - before;
    let end = match ran {
        // The node stops, and the process with it.
        Ran::Yielded if machine.is_stopped() => TurnEnd::Ended,
        Ran::Yielded => TurnEnd::Yielded,
        Ran::Waits | Ran::NotReady => TurnEnd::Waits,
        Ran::Ended(_) => TurnEnd::Ended,
    };
    scheduler.happened(machine, Turn::Run { pid, calls, end });
    machine.pass_time(calls * NANOSECONDS_PER_CALL);
    ran
}

/// Signals that are on their way arrive, as the scheduler says.
pub(crate) fn arrivals(machine: &mut Machine, scheduler: &mut dyn Scheduler) {
    while machine.has_signals() {
        let routes: Vec<Route> = machine.routes().collect();
        let must = machine.ready().is_empty();
        let chosen = scheduler.arrives(&routes, must);
        let Some(route) = chosen.or_else(|| routes.first().copied().filter(|_| must)) else {
            return;
        };
        if machine.arrive(route) {
            scheduler.happened(machine, Turn::Arrive { from: route.0, to: route.1 });
        }
    }
}

/// Lets the process `logger` write what it was sent.
fn drain_log(machine: &mut Machine) {
    machine.arrive_all();
    let Some(logger) = machine.whereis(Atom::new("logger")) else { return };
    machine.forget_halt();
    for _ in 0..10_000 {
        let waits = |machine: &Machine| {
            machine.process(logger).is_none_or(|process| process.status != Status::Runnable)
        };
        if waits(machine) || !matches!(machine.run(logger, machine::TIME_SLICE), Ran::Yielded) {
            return;
        }
    }
}

/// The text that `erl_error` makes of an exception, as the shell shows it; made on the node itself.
pub fn explain(machine: &Machine, crash: &Crash) -> Option<String> {
    let mut machine = machine.clone();
    machine.forget_halt();
    let class = Term::from(crash.class.atom());
    let frames = own_frames(&crash.trace);
    let args = vec![class, crash.reason.clone(), frames];
    evaluate(&mut machine, "erl_error", "format_exception", args)
        .and_then(|chars| chardata::to_text(&chars))
}

/// A stack trace without the frame of the entry.
pub fn own_frames(trace: &Term) -> Term {
    let entry = Atom::new(ENTRY);
    let is_entry = |frame: &Term| {
        frame.as_tuple().and_then(|frame| frame.first()).is_some_and(|name| name.is_atom(entry))
    };
    let frames = trace.to_vec().unwrap_or_default();
    Term::list(frames.into_iter().filter(|frame| !is_entry(frame)).collect::<Vec<_>>())
}

/// How many calls a question to the library may take.
const PATIENCE: u64 = 20_000_000;

/// The value of a call of a library function, made on a node that is there already.
pub fn evaluate(machine: &mut Machine, module: &str, name: &str, args: Vec<Term>) -> Option<Term> {
    match try_evaluate(machine, module, name, args) {
        Ending::Returned(value) => Some(value),
        _ => None,
    }
}

/// The same, with how it ended if not by a value.
pub fn try_evaluate(machine: &mut Machine, module: &str, name: &str, args: Vec<Term>) -> Ending {
    try_evaluate_within(machine, (module, name), args, PATIENCE)
}

/// The same with another bound of calls.
pub fn try_evaluate_within(
    machine: &mut Machine,
    (module, name): (&str, &str),
    args: Vec<Term>,
    steps: u64,
) -> Ending {
    let asker = Atom::new("erlscope_ask");
    let call = [Term::atom(module), Term::atom(name), Term::list(args)];
    let pid = machine.spawn(asker, Atom::new("call"), call.to_vec());
    machine.keep_quiet_about(pid);
    machine.ready_mut().clear();
    machine.ready_mut().push_back(pid);
    let limits = Limits { steps: Some(steps), ..Limits::default() };
    run_process(machine, pid, &mut InTurn, &limits)
}

/// Where an exception came from in the program under study: the innermost such place.
pub fn place_of_crash(
    machine: &Machine,
    crash: &Crash,
    is_own: &dyn Fn(Atom) -> bool,
) -> Option<Position> {
    let noted = crash.addresses.iter().filter_map(|&pc| machine.code().position(pc));
    noted.into_iter().find(|position| is_own(position.mfa.module))
}

/// Where a process is in the program under study: the innermost such place.
pub fn place_of_process(
    machine: &Machine,
    pid: Pid,
    is_own: &dyn Fn(Atom) -> bool,
) -> Option<Position> {
    const DEPTH: usize = 1000;
    machine.positions(pid, DEPTH).into_iter().find(|position| is_own(position.mfa.module))
}

/// Whether a class of exceptions is that of `exit/1`.
pub fn is_exit(crash: &Crash) -> bool {
    crash.class == Class::Exit
}
