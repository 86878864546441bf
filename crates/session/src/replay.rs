//! Runs what was recorded once more: a witness is told as a story, a test by what becomes of it.

use std::rc::Rc;

use ::explore::Delivery as Travels;
use ::explore::finding::{self, Manner, Replayed, Rules};
use ::explore::schedule::{Witness, follow};
use ::explore::story::{self, Story};
use machine::Machine;
use machine::observe::Observer;

use crate::explore::start::Program;
use crate::reading::Reading;
use crate::record::{finish, recorder};
use crate::running::{Running, Telling, Tracing};
use crate::{Control, Departed, Error};

/// A witness that is to be run again.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub witness: Witness,
    pub manner: Manner,
    pub tracing: Tracing,
    pub running: Running,
    pub reading: Reading,
}

/// What a witness shows.
#[derive(Debug)]
pub struct Answer {
    pub findings: Vec<Replayed>,
    pub story: Story,
    /// Whether it could be followed to its end; else the program has changed.
    pub whole: bool,
}

/// Runs a witness of visible actions again.
pub fn replay(request: &Request, control: &Control) -> Result<Answer, Error> {
    let Request { witness, manner, tracing, running, reading } = request;
    let running = &running.as_recorded(witness);
    let program = Program::open(&witness.places(), Some(&witness.call), running, reading)?;
    program.limit_transforms(running, control)?;
    if tracing.nodes {
        program.loader().mark_own();
    }
    let start = program.start(&witness.call, true)?;
    let mut machine = prepared(start.machine, witness);
    record(request, &program, machine.clone())?;
    let (schedule, main) = (&witness.schedule, Some(start.main));
    let mut told = match manner.races {
        true => story::run_for_races(&mut machine, schedule, main, &start.function),
        false => story::run(&mut machine, schedule, main, &start.function),
    };
    if manner.identifiers {
        told.cast.use_identifiers();
    }
    let rules = Rules { main, first: start.main.0, ..Rules::default() };
    let (findings, mut story) = finding::replayed(&machine, &told, &rules);
    if manner.races {
        story.add_races(told.races(&mut machine));
    }
    Ok(Answer { findings, story, whole: told.whole })
}

/// A Machine that is about to follow a witness.
fn prepared(mut machine: Machine, witness: &Witness) -> Machine {
    machine.set_pid_names(&witness.pids);
    if witness.any_delivery {
        Travels::Any.set(&mut machine);
    }
    witness.schedule.prepare(&mut machine);
    machine
}

/// Follows a witness with code that tells so much, for somebody who watches.
pub(crate) fn watch(
    witness: &Witness,
    reading: &Reading,
    telling: Telling,
    observer: Rc<dyn Observer>,
) -> Result<(), Error> {
    let running = Running::default().as_recorded(witness);
    let program = Program::open(&witness.places(), Some(&witness.call), &running, reading)?;
    telling.begin(program.loader());
    let mut machine = prepared(program.start(&witness.call, true)?.machine, witness);
    machine.observe(Some(observer));
    match follow(&mut machine, &witness.schedule, |_, _| {}) {
        true => Ok(()),
        false => Err(Error::Departed(Departed::Actions)),
    }
}

/// Follows a witness once more, for its trace.
fn record(request: &Request, program: &Program, mut machine: Machine) -> Result<(), Error> {
    let witness = &request.witness;
    let Some(recorder) = recorder(&request.tracing, program.loader(), witness)? else {
        return Ok(());
    };
    machine.observe(Some(recorder.clone()));
    let whole = follow(&mut machine, &witness.schedule, |machine, step| {
        recorder.step(machine.now(), step);
    });
    let how = match (whole, witness.finding.is_empty()) {
        (false, _) => "the schedule cannot be followed to its end",
        (true, false) => &witness.finding,
        (true, true) => "the schedule is over",
    };
    finish(&request.tracing, &recorder, &machine, how)
}
