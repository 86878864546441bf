//! `erlscope replay`: a witness is run again.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use explore::Delivery;
use explore::finding::{self, Rules};
use explore::schedule::{Witness, follow};
use explore::story;
use machine::Machine;
use machine::observe::Observer;

use super::picture::sequence;
use super::start::Program;
use super::summary;
use crate::args::{Color, Reading, Replay, ReplayFormat, Run, Running, Telling};
use crate::exit::{Exit, told};
use crate::output;
use crate::run;
use crate::run::record::{finish, read_schedule, recorder};

const CHANGED: &str = "the schedule cannot be followed to its end: the program has changed\n";

/// Runs a witness, a schedule or a trace again.
pub(crate) fn replay(replay: &Replay, color: Color) -> ExitCode {
    match read_schedule(&replay.witness) {
        Ok(witness) if witness.test.is_some() => told(test_again(&witness, replay)),
        Ok(witness) if witness.turns.is_empty() => told(followed(&witness, replay)),
        Ok(witness) => {
            let (tracing, running) = (replay.tracing.clone(), replay.running.clone());
            let run = Run::again(tracing, running, replay.reading.clone());
            run::scheduled(&run, Some(witness), color)
        }
        Err(message) => told(Err(message)),
    }
}

/// Runs a recorded test again.
fn test_again(witness: &Witness, replay: &Replay) -> Result<Exit, String> {
    let (text, is_good) = crate::test::replay(witness, replay)?;
    output::write_document(replay.output.as_deref(), &text)?;
    Ok(if is_good { Exit::NothingFound } else { Exit::SomethingFound })
}

/// Runs a witness of visible actions again.
pub(crate) fn replay_witness(witness: &Witness, run: &Run) -> ExitCode {
    let replay = Replay {
        witness: PathBuf::new(),
        format: ReplayFormat::Text,
        output: None,
        all_steps: false,
        telling: Telling { show_races: false, symbolic_names: true },
        tracing: run.tracing.clone(),
        running: run.running.clone(),
        reading: run.reading.clone(),
    };
    told(followed(witness, &replay))
}

/// A Machine that is about to follow a witness.
fn prepared(mut machine: Machine, witness: &Witness) -> Machine {
    machine.set_pid_names(&witness.pids);
    if witness.any_delivery {
        Delivery::Any.set(&mut machine);
    }
    machine.be_exact(witness.schedule.has_clocks);
    machine
}

/// Follows a witness with every node of the program marked, for somebody who watches.
pub(crate) fn watch(
    witness: &Witness,
    reading: &Reading,
    observer: Rc<dyn Observer>,
) -> Result<(), String> {
    let paths = witness.places();
    let program = Program::open(&paths, Some(&witness.call), &Running::default(), reading)?;
    program.loader().mark_own();
    let mut machine = prepared(program.start(&witness.call, true)?.machine, witness);
    machine.observe(Some(observer));
    match follow(&mut machine, &witness.schedule, |_, _| {}) {
        true => Ok(()),
        false => Err(CHANGED.trim_end().to_owned()),
    }
}

/// Follows a witness once more, for its trace.
fn record(
    witness: &Witness,
    replay: &Replay,
    program: &Program,
    mut machine: Machine,
) -> Result<(), String> {
    let Some(recorder) = recorder(&replay.tracing, program.loader(), witness)? else {
        return Ok(());
    };
    machine.observe(Some(recorder.clone()));
    let whole = follow(&mut machine, &witness.schedule, |machine, step| {
        recorder.step(machine.state.now, step);
    });
    let how = match (whole, witness.finding.is_empty()) {
        (false, _) => "the schedule cannot be followed to its end",
        (true, false) => &witness.finding,
        (true, true) => "the schedule is over",
    };
    finish(&replay.tracing, &recorder, &machine, how)
}

fn followed(witness: &Witness, replay: &Replay) -> Result<Exit, String> {
    let paths = witness.places();
    let program = Program::open(&paths, Some(&witness.call), &replay.running, &replay.reading)?;
    if replay.tracing.trace_nodes {
        program.loader().mark_own();
    }
    let start = program.start(&witness.call, true)?;
    let mut machine = prepared(start.machine, witness);
    if replay.tracing.trace.is_some() {
        record(witness, replay, &program, machine.clone())?;
    }
    let (schedule, main) = (&witness.schedule, Some(start.main));
    let mut told = match replay.telling.show_races {
        true => story::run_for_races(&mut machine, schedule, main, &start.function),
        false => story::run(&mut machine, schedule, main, &start.function),
    };
    if !replay.telling.symbolic_names {
        told.cast.use_identifiers();
    }
    let rules = Rules { main, first: start.main.0, ..Rules::default() };
    let (findings, mut story) = finding::replayed(&machine, &told, &rules);
    if replay.telling.show_races {
        story.add_races(told.races(&mut machine));
    }
    let text = match replay.format {
        ReplayFormat::Text => {
            let mut text = summary::story(&story, replay.all_steps);
            text.push_str(&summary::races(&story, replay.all_steps));
            for finding in &findings {
                let _ = writeln!(text, "{}: {}", finding.kind.name(), finding.message);
            }
            if !told.whole {
                text.push_str(CHANGED);
            }
            text
        }
        ReplayFormat::Svg => {
            let title = findings.first().map_or(witness.call.as_str(), |found| &found.message);
            report::sequence::svg(&sequence(title, &story, replay.all_steps), "")
        }
    };
    output::write_document(replay.output.as_deref(), &text)?;
    Ok(match (told.whole, findings.is_empty()) {
        (false, _) => Exit::Incomplete,
        (true, false) => Exit::SomethingFound,
        (true, true) => Exit::NothingFound,
    })
}
