//! Runs a call, a module's `main/0` or a script's `main/1`, on a node of its own.

pub mod answer;
mod tell;

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use ::trace::schedule::{Turn, Witness};
use machine::observe::Observer;
use machine::{Ending as MachineEnding, Machine, Pid};
use runner::limits::Limits;
use runner::loader::ProgramLoader;
use runner::run as running_call;
use runner::scheduler::Scheduler;
use runner::schedules::{Departure, Following, Recording};
use runner::world::RealWorld;
use runner::world::permissions::Permissions;

pub use answer::{
    Ending, Exception, Frame, LoadProblem, Process, ProcessStatus, Raised, Ran, name_of, summary,
};
pub(crate) use tell::{ending_of, frame, load_problems, shown};

use crate::call::main_call;
use crate::control::Progress;
use crate::open::{Opened, ReadAs};
use crate::reading::Reading;
use crate::running::{Delivery, Running, Telling, Tracing};
use crate::{Control, Error, record};

/// What is to be run.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// A call such as `m:f(1, [a])`; without one the one file in `paths` is run: `main/1` with
    /// `arguments` if it is a script, else `main/0`.
    pub call: Option<String>,
    /// What a script is given.
    pub arguments: Vec<String>,
    /// Whose turns are to be followed. Without paths and call, those that it was made with.
    pub schedule: Option<Witness>,
    /// Whether what the program writes is part of the answer, and is not written.
    pub keep_output: bool,
    pub tracing: Tracing,
    /// Where the schedule of the run is written to, if it is.
    pub save_schedule: Option<PathBuf>,
    /// Modules are read as they are for tests.
    pub with_tests: bool,
    pub delivery: Delivery,
    pub running: Running,
    pub reading: Reading,
}

/// Everything that has to be known before the node starts.
pub(crate) struct Prepared {
    pub(crate) loader: Rc<ProgramLoader>,
    pub(crate) limits: Limits,
    pub(crate) permissions: Permissions,
    /// How the run is made, for traces and schedules.
    pub(crate) made: Witness,
    /// What it has to follow.
    follow: Option<Vec<Turn>>,
}

/// Runs a call; the answer says how it ended.
pub fn run(request: &Request, control: &Control) -> Result<Ran, Error> {
    let prepared = prepare(request, control)?;
    execute(request, prepared, None, control)
}

/// The same with somebody who watches, so that it is the same each time, with code that tells so
/// much.
pub(crate) fn observed(
    request: &Request,
    telling: Telling,
    observer: Rc<dyn Observer>,
    control: &Control,
) -> Result<Ran, Error> {
    let prepared = prepare(request, control)?;
    telling.begin(&prepared.loader);
    execute(request, prepared, Some(observer), control)
}

fn prepare(request: &Request, control: &Control) -> Result<Prepared, Error> {
    let (paths, call) = match &request.schedule {
        Some(made) if request.paths.is_empty() && request.call.is_none() => {
            (made.places(), Some(made.call.clone()))
        }
        _ => (request.paths.clone(), request.call.clone()),
    };
    let read_as = if request.with_tests { ReadAs::Tests } else { ReadAs::Program };
    let running = match &request.schedule {
        Some(recorded) => request.running.as_recorded(recorded),
        None => request.running.clone(),
    };
    let opened = Opened::new(&paths, call.as_deref(), read_as, &running, &request.reading)?;
    let loader = Rc::clone(&opened.loader);
    let call = match call {
        Some(call) if request.arguments.is_empty() => call,
        Some(_) => return Err(Error::ArgumentsWithoutScript),
        None => match &paths[..] {
            [file] if file.is_file() => {
                main_call(file, &opened.sources, &loader, &request.arguments)?
            }
            [] => return Err(Error::NothingToRun),
            _ => return Err(Error::NoFunction),
        },
    };
    running_call::entry(&loader, &call)
        .map_err(|message| Error::Call { call: call.clone(), message: message.to_string() })?;
    let permissions = request.running.permissions(&paths, &opened.reader)?;
    let mut made = Witness {
        call,
        seed: running.seed,
        any_delivery: request.delivery == Delivery::Any,
        contracts: running.checked(),
        ..Witness::of(&paths)
    };
    let follow = request.schedule.as_ref().map(|schedule| {
        record::note_changed(schedule, control);
        made.seed = schedule.seed;
        made.any_delivery = schedule.any_delivery;
        schedule.turns.clone()
    });
    let limits = request.running.limits(control)?;
    Ok(Prepared { loader, limits, permissions, made, follow })
}

/// A run that is over.
struct Over {
    end: MachineEnding,
    main: Option<Pid>,
    departure: Option<Departure>,
}

fn execute(
    request: &Request,
    mut prepared: Prepared,
    watches: Option<Rc<dyn Observer>>,
    control: &Control,
) -> Result<Ran, Error> {
    let loader = Rc::clone(&prepared.loader);
    let recorder = record::recorder(&request.tracing, &loader, &prepared.made)?;
    if request.tracing.nodes {
        loader.mark_own();
    }
    let permissions = std::mem::take(&mut prepared.permissions);
    let world = RealWorld::new(permissions, prepared.made.seed.unwrap_or(0));
    let is_recorded = recorder.is_some() || request.save_schedule.is_some();
    let is_repeatable = is_recorded || prepared.follow.is_some() || watches.is_some();
    let world = if is_repeatable { world.at_fixed_time() } else { world };
    let world = Rc::new(if request.keep_output { world.keeping_output() } else { world });
    loader.limit_transforms(&prepared.limits);
    if let Some(output) = world.kept() {
        control.hear(Progress::Running { output });
    }
    let mut machine = Machine::new(loader.clone(), world.clone());
    let plain = request.arguments.clone();
    machine.set_arguments(plain);
    let is_watched = watches.is_some();
    let observer = recorder.clone().map(|recorder| recorder as Rc<dyn Observer>).or(watches);
    let keep_turns = request.save_schedule.is_some();
    let over = match running_call::boot_machine(&mut machine) {
        Ok(()) => {
            let scheduled = Scheduled { observer, recorder: recorder.clone(), keep_turns };
            let over = turn_by_turn(&mut machine, request, &mut prepared, scheduled);
            prepared.made.reads = record::reads(&world);
            over
        }
        Err(end) => Over { end, main: None, departure: None },
    };
    // A module whose parse transform was stopped is missing only for that reason.
    let end = loader.stopped().map_or(over.end, MachineEnding::bound);
    let teller = tell::Teller { machine: &machine, loader: &loader, main: over.main };
    let mut ran = teller.told(&end, &world);
    ran.departure = over.departure.map(|departure| teller.departed(departure));
    let traced = recorder.map(|recorder| {
        record::finish(&request.tracing, &recorder, &machine, &summary(&ran.ending))
    });
    let saved = request.save_schedule.as_deref().map(|path| record::save(path, &prepared.made));
    ran.unwritten = [traced, saved].into_iter().flatten().filter_map(Result::err).collect();
    // Taking a large heap apart takes time and changes nothing, where a command has only this run.
    if !is_watched {
        std::mem::forget(machine);
    }
    Ok(ran)
}

/// Who watches a run, and what is kept of it.
struct Scheduled {
    observer: Option<Rc<dyn Observer>>,
    recorder: Option<Rc<::trace::recorder::Recorder>>,
    keep_turns: bool,
}

/// Runs the call on a node that is up, by the turns of a schedule if there is one.
fn turn_by_turn(
    machine: &mut Machine,
    request: &Request,
    prepared: &mut Prepared,
    scheduled: Scheduled,
) -> Over {
    if prepared.made.any_delivery {
        machine.set_delivery(Delivery::Any);
    }
    machine.observe(scheduled.observer);
    let following =
        prepared.follow.take().map(|turns| Rc::new(RefCell::new(Following::new(turns))));
    let scheduler: Box<dyn Scheduler> = match &following {
        Some(following) => Box::new(Rc::clone(following)),
        None => request.running.scheduler(request.delivery),
    };
    let turns = scheduled.keep_turns.then(Vec::new);
    let mut recording = Recording { scheduler, recorder: scheduled.recorder, turns };
    let (end, main) = running_call::run(machine, &mut recording, &prepared.limits);
    machine.observe(None);
    prepared.made.turns = recording.turns.unwrap_or_default();
    let departure = following.and_then(|following| following.borrow().departure().cloned());
    Over { end, main: Some(main), departure }
}

/// Runs the turns of a schedule again with code that tells so much, for somebody who watches. What
/// the program writes is not shown.
pub(crate) fn watch(
    witness: &Witness,
    reading: &Reading,
    telling: Telling,
    observer: Rc<dyn Observer>,
    control: &Control,
) -> Result<(), Error> {
    let request = Request {
        schedule: Some(witness.clone()),
        keep_output: true,
        reading: reading.clone(),
        ..Request::default()
    };
    let mut prepared = prepare(&request, control)?;
    let loader = Rc::clone(&prepared.loader);
    telling.begin(&loader);
    let permissions = std::mem::take(&mut prepared.permissions);
    let world = RealWorld::new(permissions, prepared.made.seed.unwrap_or(0)).at_fixed_time();
    let mut machine = Machine::new(loader.clone(), Rc::new(world.keeping_output()));
    running_call::boot_machine(&mut machine).map_err(crate::open::not_booted)?;
    let scheduled = Scheduled { observer: Some(observer), recorder: None, keep_turns: false };
    let over = turn_by_turn(&mut machine, &request, &mut prepared, scheduled);
    match over.departure {
        None => Ok(()),
        Some(departure) => {
            let teller = tell::Teller { machine: &machine, loader: &loader, main: over.main };
            Err(Error::Departed(teller.departed(departure)))
        }
    }
}
