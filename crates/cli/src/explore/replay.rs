//! `erlscope replay`: a witness is run again.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use explore::finding::{self, Rules};
use explore::schedule::Witness;
use explore::story;

use super::picture::sequence;
use super::start::Program;
use super::summary;
use crate::args::{Color, Reading, Replay, ReplayFormat, Run, Running};
use crate::exit::Exit;
use crate::output;
use crate::run;
use crate::run::record::read_schedule;

const CHANGED: &str = "the schedule cannot be followed to its end: the program has changed\n";

/// Runs a witness, a schedule or a trace again.
pub(crate) fn replay(replay: &Replay, color: Color) -> ExitCode {
    match read_schedule(&replay.witness) {
        Ok(witness) if witness.turns.is_empty() => told(followed(&witness, replay)),
        Ok(witness) => {
            let run = Run::again(replay.running.clone(), replay.reading.clone());
            run::scheduled(&run, Some(witness), color)
        }
        Err(message) => told(Err(message)),
    }
}

/// Runs a witness of visible actions again.
pub(crate) fn replay_witness(witness: &Witness, running: &Running, reading: &Reading) -> ExitCode {
    let replay = Replay {
        witness: PathBuf::new(),
        format: ReplayFormat::Text,
        output: None,
        all_steps: false,
        running: running.clone(),
        reading: reading.clone(),
    };
    told(followed(witness, &replay))
}

fn told(result: Result<Exit, String>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(message) => {
            output::complain(&message);
            Exit::Unusable.into()
        }
    }
}

fn followed(witness: &Witness, replay: &Replay) -> Result<Exit, String> {
    let paths: Vec<PathBuf> = witness.paths.iter().map(PathBuf::from).collect();
    let program = Program::open(&paths, Some(&witness.call), &replay.running, &replay.reading)?;
    let start = program.start(&witness.call, true)?;
    let mut machine = start.machine;
    machine.set_pid_names(&witness.pids);
    let told = story::run(&mut machine, &witness.schedule, Some(start.main), &start.function);
    let rules = Rules { main: Some(start.main), first: start.main.0, ..Rules::default() };
    let (findings, story) = finding::replayed(&machine, &told, &rules);
    let text = match replay.format {
        ReplayFormat::Text => {
            let mut text = summary::story(&story, replay.all_steps);
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
    super::write(replay.output.as_deref(), &text)?;
    Ok(match (told.whole, findings.is_empty()) {
        (false, _) => Exit::Incomplete,
        (true, false) => Exit::SomethingFound,
        (true, true) => Exit::NothingFound,
    })
}
