//! Findings as lines of a file, for a search that is saved before its end.
//!
//! ```text
//! erroneous: 17
//! finding: deadlock 17 2 12 src/pool.erl      kind, count, preemptions, line and file (or `-`)
//! key: stuck …                                what tells it from others
//! message: stuck: <0.80.0> waits at src/pool.erl:12
//! schedule: 80 81 81! t5
//! bare: 80 81 81!                             without the ends that executions leave out
//! plain: true                                 whether there can be no simpler one
//! together: 3 0 2                             how many executions show just these findings, by their places
//! ```

use std::fmt::Write as _;

use ::explore::finding::{Bare, Finding, Findings, Kind};
use ::explore::schedule::{Schedule, Witness};

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
        let place = match &finding.place {
            Some((file, line)) => format!("{line} {file}"),
            None => "- -".to_owned(),
        };
        let (kind, preemptions) = (finding.kind.name(), finding.schedule.preemptions);
        let _ = writeln!(text, "finding: {kind} {} {preemptions} {place}", finding.count);
        let _ = writeln!(text, "key: {}", escaped(&finding.key));
        let _ = writeln!(text, "message: {}", escaped(&finding.message));
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

fn schedule_of(steps: &str, preemptions: usize) -> Result<Schedule, String> {
    let witness = Witness::from_text(&format!("erlscope witness 1\n{STEPS} {steps}"))?;
    Ok(Schedule { preemptions, ..witness.schedule })
}

pub(super) fn read(text: &str) -> Result<Notes, String> {
    let wrong = |line: &str| format!("`{line}` is not understood");
    let Notes { mut erroneous, mut findings, mut together } = Notes::default();
    for line in text.lines() {
        let (key, value) = line.split_once(':').ok_or_else(|| wrong(line))?;
        let value = value.trim();
        match (key, findings.last_mut()) {
            ("erroneous", _) => erroneous = value.parse().map_err(|_| wrong(line))?,
            ("finding", _) => {
                findings.push((head(value).ok_or_else(|| wrong(line))?, Bare::default()));
            }
            ("key", Some((finding, _))) => finding.key = unescaped(value),
            ("message", Some((finding, _))) => finding.message = unescaped(value),
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

fn head(value: &str) -> Option<Finding> {
    let mut words = value.splitn(5, ' ');
    let kind = words.next()?;
    let kind = Kind::ALL.into_iter().find(|known| known.name() == kind)?;
    let count = words.next()?.parse().ok()?;
    let preemptions = words.next()?.parse().ok()?;
    let place = match (words.next()?, words.next()?) {
        ("-", _) => None,
        (line, file) => Some((file.to_owned(), line.parse().ok()?)),
    };
    let schedule = Schedule { preemptions, ..Schedule::default() };
    let (message, key) = (String::new(), String::new());
    Some(Finding { kind, message, count, schedule, place, key })
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescaped(text: &str) -> String {
    let mut result = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => result.push('\n'),
                other => result.extend(other),
            },
            (c, false) => result.push(c),
        }
    }
    result
}
