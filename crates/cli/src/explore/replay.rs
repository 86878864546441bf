//! `erlscope replay`: a witness is run again.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use explore::Execution;
use explore::finding::{Findings, Rules};
use explore::schedule::Witness;
use explore::story;

use super::start::machine_for;
use super::summary::story_text;
use crate::args::{Color, Reading, Replay, Run, Running};
use crate::exit::Exit;
use crate::output;
use crate::run;
use crate::run::record::read_schedule;

/// Runs a witness, a schedule or a trace again.
pub(crate) fn replay(replay: &Replay, color: Color) -> ExitCode {
    match read_schedule(&replay.witness) {
        Ok(witness) if witness.turns.is_empty() => {
            replay_witness(&witness, &replay.running, &replay.reading)
        }
        Ok(witness) => {
            let run = Run::again(replay.running.clone(), replay.reading.clone());
            run::scheduled(&run, Some(witness), color)
        }
        Err(message) => {
            output::complain(&message);
            Exit::Unusable.into()
        }
    }
}

/// Runs a witness of visible actions again.
pub(crate) fn replay_witness(witness: &Witness, running: &Running, reading: &Reading) -> ExitCode {
    match followed(witness, running, reading) {
        Ok(exit) => exit.into(),
        Err(message) => {
            output::complain(&message);
            Exit::Unusable.into()
        }
    }
}

fn followed(witness: &Witness, running: &Running, reading: &Reading) -> Result<Exit, String> {
    let paths: Vec<PathBuf> = witness.paths.iter().map(PathBuf::from).collect();
    let (mut machine, main) = machine_for(&paths, &witness.call, running, reading)?;
    machine.set_pid_names(&witness.pids);
    let told = story::tell(&mut machine, &witness.schedule);
    let whole = told.whole;
    let mut text = String::new();
    story_text(&told.lines, &mut text);
    let execution = Execution::at_end(&machine, told.ended);
    let mut findings = Findings::new(Rules { main: Some(main), first: main.0, ..Rules::default() });
    let wrong = findings.look(&execution);
    for finding in findings.into_list() {
        let _ = writeln!(text, "{}: {}", finding.kind.name(), finding.message);
    }
    if !whole {
        let _ =
            writeln!(text, "the schedule cannot be followed to its end: the program has changed");
    }
    output::write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(match (whole, wrong) {
        (false, _) => Exit::Incomplete,
        (true, true) => Exit::SomethingFound,
        (true, false) => Exit::NothingFound,
    })
}
