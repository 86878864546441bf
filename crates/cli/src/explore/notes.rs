//! Findings as lines of a file, for a search that is saved before its end.
//!
//! ```text
//! erroneous: 17
//! finding: deadlock 17 2 12 src/pool.erl      kind, count, preemptions, line and file (or `-`)
//! key: stuck …                                what tells it from others
//! message: stuck: <0.80.0> waits at src/pool.erl:12
//! schedule: 80 81 81! t5
//! ```

use std::fmt::Write as _;

use explore::finding::{Finding, Kind};
use explore::schedule::{Schedule, Witness};

/// A finding as it is kept: a witness without a program has its schedule.
pub(super) fn write<'a>(erroneous: u64, findings: impl Iterator<Item = &'a Finding>) -> String {
    let mut text = format!("erroneous: {erroneous}\n");
    for finding in findings {
        let place = match &finding.place {
            Some((file, line)) => format!("{line} {file}"),
            None => "- -".to_owned(),
        };
        let (kind, preemptions) = (finding.kind.name(), finding.schedule.preemptions);
        let _ = writeln!(text, "finding: {kind} {} {preemptions} {place}", finding.count);
        let _ = writeln!(text, "key: {}", escaped(&finding.key));
        let _ = writeln!(text, "message: {}", escaped(&finding.message));
        let schedule = Schedule { steps: finding.schedule.steps.clone(), preemptions: 0 };
        let witness = Witness { schedule, ..Witness::default() }.to_text();
        let line = witness.lines().find(|line| line.starts_with("schedule:"));
        let _ = writeln!(text, "{}", line.unwrap_or("schedule:"));
    }
    text
}

pub(super) fn read(text: &str) -> Result<(u64, Vec<Finding>), String> {
    let wrong = |line: &str| format!("`{line}` is not understood");
    let mut erroneous = 0;
    let mut findings: Vec<Finding> = Vec::new();
    for line in text.lines() {
        let (key, value) = line.split_once(':').ok_or_else(|| wrong(line))?;
        let value = value.trim();
        match (key, findings.last_mut()) {
            ("erroneous", _) => erroneous = value.parse().map_err(|_| wrong(line))?,
            ("finding", _) => findings.push(head(value).ok_or_else(|| wrong(line))?),
            ("key", Some(finding)) => finding.key = unescaped(value),
            ("message", Some(finding)) => finding.message = unescaped(value),
            ("schedule", Some(finding)) => {
                let preemptions = finding.schedule.preemptions;
                let witness = Witness::from_text(&format!("erlscope witness 1\n{line}"))?;
                finding.schedule = Schedule { preemptions, ..witness.schedule };
            }
            _ => return Err(wrong(line)),
        }
    }
    Ok((erroneous, findings))
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
    let schedule = Schedule { steps: Vec::new(), preemptions };
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
