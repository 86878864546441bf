//! Schedules: who acts when, so that an execution can be run again on a Machine whose mailboxes have
//! Erlang's order; and the text of witness files.
//!
//! A witness is a text file:
//!
//! ```text
//! erlscope witness 1
//! path: examples/ping_pong.erl
//! call: ping_pong:pong()
//! finding: abnormal_exit <0.80.0> exits abnormally: badarg at ping_pong.erl:6
//! pids: 80/0 80/1
//! schedule: 80 81 81 80
//! ```
//!
//! `pids` gives numbers to processes: the n-th process that a process starts, in the order of the
//! numbers. In the schedule `81` is a process that does what it is about to do (a receive takes the
//! first message that matches), `81!` one that gives up receiving, and `t5` a timer by its reference.

use std::fmt::Write as _;

use machine::step::{Actor, Choice, Event as Done, Next};
use machine::{Machine, Pid};
use term::Ref;

/// One step of a schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub actor: Actor,
    /// A receive that takes no message.
    pub gives_up: bool,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Schedule {
    pub steps: Vec<Step>,
    /// How often a process had to stop that could have gone on.
    pub preemptions: usize,
}

/// What a witness file holds.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Witness {
    pub paths: Vec<String>,
    pub call: String,
    pub finding: String,
    /// Who started the processes that were given numbers, in the order of the numbers.
    pub pids: Vec<(Pid, u32)>,
    pub schedule: Schedule,
}

const FIRST_LINE: &str = "erlscope witness 1";

impl Witness {
    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n");
        for path in &self.paths {
            let _ = writeln!(text, "path: {path}");
        }
        let one_line = self.finding.replace('\n', " ");
        let _ = writeln!(text, "call: {}\nfinding: {one_line}", self.call);
        text.push_str("pids:");
        for (parent, nth) in &self.pids {
            let _ = write!(text, " {}/{nth}", parent.0);
        }
        text.push_str("\nschedule:");
        for step in &self.schedule.steps {
            let _ = match step.actor {
                Actor::Process(pid) => write!(text, " {}", pid.0),
                Actor::Timer(reference) => write!(text, " t{}", reference.0),
            };
            if step.gives_up {
                text.push('!');
            }
        }
        text.push('\n');
        text
    }

    /// Reads a witness; says what is wrong with it.
    pub fn from_text(text: &str) -> Result<Witness, String> {
        let mut lines = text.lines();
        if lines.next() != Some(FIRST_LINE) {
            return Err(format!("this is no witness: the first line must be `{FIRST_LINE}`"));
        }
        let mut witness = Witness::default();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let (key, value) =
                line.split_once(':').ok_or_else(|| format!("`{line}` has no colon"))?;
            let value = value.trim();
            match key {
                "path" => witness.paths.push(value.to_owned()),
                "call" => witness.call = value.to_owned(),
                "finding" => witness.finding = value.to_owned(),
                "pids" => witness.pids = value.split(' ').map(pid_of).collect::<Result<_, _>>()?,
                "schedule" => {
                    let steps = value.split(' ').filter(|word| !word.is_empty());
                    witness.schedule.steps = steps.map(step_of).collect::<Result<_, _>>()?;
                }
                _ => return Err(format!("`{key}` is not known")),
            }
        }
        Ok(witness)
    }
}

fn pid_of(word: &str) -> Result<(Pid, u32), String> {
    let parts = word
        .split_once('/')
        .and_then(|(parent, nth)| Some((Pid(parent.parse().ok()?), nth.parse().ok()?)));
    parts.ok_or_else(|| format!("`{word}` is no parent/number"))
}

fn step_of(word: &str) -> Result<Step, String> {
    let gives_up = word.ends_with('!');
    let name = word.trim_end_matches('!');
    let actor = match name.strip_prefix('t') {
        Some(reference) => reference.parse().ok().map(|number| Actor::Timer(Ref(number))),
        None => name.parse().ok().map(|number| Actor::Process(Pid(number))),
    };
    let actor = actor.ok_or_else(|| format!("`{word}` is no step"))?;
    Ok(Step { actor, gives_up })
}

/// Takes one step on a Machine, in Erlang's order of mailboxes. `None` if that is not possible.
pub fn take(machine: &mut Machine, step: Step) -> Option<Done> {
    let choice = match step.actor {
        Actor::Process(pid) => match machine.next(pid) {
            Next::Receive(_) if step.gives_up => Choice::GiveUp,
            Next::Receive(receive) => Choice::Take(*receive.matching.first()?),
            _ => Choice::Act,
        },
        Actor::Timer(_) => Choice::Act,
    };
    machine.perform(step.actor, choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_and_read() {
        let step = |actor, gives_up| Step { actor, gives_up };
        let witness = Witness {
            paths: vec!["a b.erl".to_owned()],
            call: "m:f()".to_owned(),
            finding: "deadlock stuck: <0.80.0> waits".to_owned(),
            pids: vec![(Pid(0), 0), (Pid(80), 1)],
            schedule: Schedule {
                steps: vec![
                    step(Actor::Process(Pid(80)), false),
                    step(Actor::Process(Pid(81)), true),
                    step(Actor::Timer(Ref(5)), false),
                ],
                preemptions: 0,
            },
        };
        assert_eq!(Witness::from_text(&witness.to_text()), Ok(witness));
        assert!(Witness::from_text("x").is_err());
        assert!(Witness::from_text("erlscope witness 1\nschedule: 1 x").is_err());
    }
}
