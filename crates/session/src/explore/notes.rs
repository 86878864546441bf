//! Findings as lines of a file, for a search that is saved before its end.
//!
//! ```text
//! erroneous: 17
//! finding: {"type":"deadlock","stuck":[…]}    the failure, as JSON
//! count: 17 2                                 executions that show it, preemptions
//! schedule: 80 81 81! t5
//! bare: 80 81 81!                             without the ends that executions leave out
//! plain: true                                 whether there can be no simpler one
//! together: 3 0 2                             executions that show just these findings, by place
//! ```

use std::fmt::Write as _;

use ::explore::finding::{Bare, Failure, Finding, Findings};
use ::explore::schedule::{Schedule, Witness};

use crate::error::NotesError;

/// What was seen in executions.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) erroneous: u64,
    pub(super) findings: Vec<(Finding, Bare)>,
    pub(super) together: Vec<(Vec<usize>, u64)>,
}

/// A finding as it is kept: a witness without a program has its schedule.
pub(super) fn write(erroneous: u64, findings: &Findings) -> String {
    let mut text = format!("erroneous: {erroneous}\n");
    for (finding, bare) in findings.with_bare() {
        let _ = writeln!(text, "finding: {}", as_json(&finding.failure));
        let _ = writeln!(text, "count: {} {}", finding.count, finding.schedule.preemptions);
        let _ = writeln!(text, "schedule:{}", steps(&finding.schedule));
        let _ = writeln!(text, "bare:{}", steps(&bare.schedule));
        let _ = writeln!(text, "plain: {}", bare.is_plain);
    }
    for (places, count) in findings.together() {
        let places: Vec<String> = places.iter().map(usize::to_string).collect();
        let _ = writeln!(text, "together: {count} {}", places.join(" "));
    }
    text
}

const STEPS: &str = "schedule:";

/// The steps of a schedule as in a witness.
fn steps(schedule: &Schedule) -> String {
    let schedule = Schedule { preemptions: 0, ..schedule.clone() };
    let witness = Witness { schedule, ..Witness::default() }.to_text();
    witness.lines().find_map(|line| line.strip_prefix(STEPS)).unwrap_or_default().to_owned()
}

fn schedule_of(steps: &str, preemptions: usize) -> Result<Schedule, NotesError> {
    let text = format!("erlscope witness 1\n{STEPS} {steps}");
    let witness = Witness::from_text(&text).map_err(NotesError::Schedule)?;
    Ok(Schedule { preemptions, ..witness.schedule })
}

pub(super) fn read(text: &str) -> Result<Notes, NotesError> {
    let wrong = |line: &str| NotesError::Line(line.to_owned());
    let Notes { mut erroneous, mut findings, mut together } = Notes::default();
    for line in text.lines() {
        let (key, value) = line.split_once(':').ok_or_else(|| wrong(line))?;
        let value = value.trim();
        match (key, findings.last_mut()) {
            ("erroneous", _) => erroneous = value.parse().map_err(|_| wrong(line))?,
            ("finding", _) => {
                let failure = serde_json::from_str(value).map_err(|_| wrong(line))?;
                let (count, schedule) = (0, Schedule::default());
                findings.push((Finding { failure, count, schedule }, Bare::default()));
            }
            ("count", Some((finding, _))) => {
                let (count, preemptions) = value.split_once(' ').ok_or_else(|| wrong(line))?;
                finding.count = count.parse().map_err(|_| wrong(line))?;
                finding.schedule.preemptions = preemptions.parse().map_err(|_| wrong(line))?;
            }
            ("schedule", Some((finding, _))) => {
                finding.schedule = schedule_of(value, finding.schedule.preemptions)?;
            }
            ("bare", Some((finding, bare))) => {
                bare.schedule = schedule_of(value, finding.schedule.preemptions)?;
            }
            ("plain", Some((_, bare))) => {
                bare.is_plain = value.parse().map_err(|_| wrong(line))?;
            }
            ("together", _) => {
                let numbers: Result<Vec<u64>, _> = value.split(' ').map(str::parse).collect();
                let numbers = numbers.map_err(|_| wrong(line))?;
                let Some((count, places)) = numbers.split_first() else { return Err(wrong(line)) };
                together.push((places.iter().map(|place| *place as usize).collect(), *count));
            }
            _ => return Err(wrong(line)),
        }
    }
    Ok(Notes { erroneous, findings, together })
}

/// On one line: JSON has no line breaks outside of texts, and none in them.
fn as_json(failure: &Failure) -> String {
    serde_json::to_string(failure).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ::explore::failure::{Call, Cause, Claim, Lack, StuckProcess, Value};
    use ::explore::place::{At, Awaited, Place};

    use super::*;

    /// One of each kind.
    fn failures() -> Vec<Failure> {
        let text = |text: &str| text.to_owned();
        let place = Place { file: text("src/a b.erl"), line: 7 };
        let failed =
            Call { module: text("ets"), function: text("insert"), arguments: vec![text("t")] };
        let (reason, call_timed_out) = (text("{badmatch,\"a\\n: b\"}"), true);
        let cause = Cause { reason, failed: Some(failed), call_timed_out };
        let claim = Claim {
            comments: vec![text("two\nlines")],
            expression: Some(text("f()")),
            value: Some(Value::Exception(text("error:x"))),
            expected: None,
            call_timed_out: false,
        };
        let stuck = |mailbox| StuckProcess {
            process: text("<0.80.0>"),
            awaited: vec![Awaited { pattern: text("{ok, X}"), guarded: true }],
            at: At::Library(text("gen:do_call/4")),
            mailbox,
        };
        let process = text("<0.81.0>");
        vec![
            Failure::AbnormalExit {
                process: process.clone(),
                inherited: true,
                cause,
                place: Some(place.clone()),
            },
            Failure::Assertion {
                name: text("assertEqual"),
                process: process.clone(),
                claim,
                place: None,
            },
            Failure::Killed { process: process.clone(), by: Some(text("<0.80.0>")) },
            Failure::Deadlock { stuck: vec![stuck(None), stuck(Some(text("[a]")))] },
            Failure::Spins { process, at: At::Program(place.clone()) },
            Failure::TooDeep,
            Failure::Repeats { every: 3 },
            Failure::Halted { status: -1 },
            Failure::Unsupported {
                lack: Lack::Native { function: text("m:f/1"), library: text("m.so") },
                asked_at: Some(place.clone()),
                place: None,
            },
            Failure::Unsupported {
                lack: Lack::Use { function: text("m:f/1"), what: text("an option") },
                asked_at: None,
                place: Some(place),
            },
        ]
    }

    #[test]
    fn what_is_written_is_read() {
        let mut findings = Findings::default();
        let bare = |is_plain| Bare { is_plain, schedule: Schedule::default() };
        let one = |(nth, failure): (usize, Failure)| {
            let schedule = Schedule { preemptions: nth, ..Schedule::default() };
            let count = 10 + nth as u64;
            (Finding { failure, count, schedule }, bare(nth == 0))
        };
        let all = failures();
        findings.remember(all.iter().cloned().enumerate().map(one).collect(), &[(vec![0, 2], 4)]);
        let written = write(17, &findings);
        let Notes { erroneous, findings: again, together } = read(&written).expect(&written);
        let mut anew = Findings::default();
        let told: Vec<Failure> = again.iter().map(|(finding, _)| finding.failure.clone()).collect();
        anew.remember(again, &together);
        assert_eq!(told, all, "their order is that of the enumeration");
        assert_eq!(write(erroneous, &anew), written);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        assert!(read("finding: {\"type\":\"unknown\"}").is_err());
        assert!(read("count: 1 2").is_err());
    }
}
