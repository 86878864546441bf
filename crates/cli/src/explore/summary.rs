//! What an exploration found, as text and as JSON.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use explore::Statistics;
use explore::finding::Finding;
use explore::story;
use machine::Machine;

/// What an exploration came to.
pub(super) struct Summary<'a> {
    pub(super) call: &'a str,
    pub(super) statistics: Statistics,
    pub(super) erroneous: u64,
    /// Why the search did not come to its end.
    pub(super) why: Option<&'a str>,
    pub(super) started: Instant,
}

impl Summary<'_> {
    pub(super) fn text(
        &self,
        machine: &Machine,
        found: &[Finding],
        witnesses: &[Option<PathBuf>],
    ) -> String {
        let mut text = String::new();
        for (finding, witness) in found.iter().zip(witnesses) {
            let _ = writeln!(text, "{}: {}", finding.kind.name(), finding.message);
            let times = if finding.count == 1 { "execution" } else { "executions" };
            let _ = writeln!(text, "  in {} {times}; the simplest:", finding.count);
            let told = story::tell(&mut machine.clone(), &finding.schedule);
            story_text(&told.lines, &mut text);
            if let Some(witness) = witness {
                let _ = writeln!(text, "  replay: erlscope replay {}", witness.display());
            }
            text.push('\n');
        }
        let statistics = self.statistics;
        let _ = write!(
            text,
            "{}: {} execution{} explored, {} with errors",
            self.call,
            statistics.executions,
            if statistics.executions == 1 { "" } else { "s" },
            self.erroneous
        );
        // Short times are nobody's concern, and would make equal runs print different texts.
        let seconds = self.started.elapsed().as_secs();
        let _ = match seconds {
            0 => writeln!(text),
            _ => writeln!(text, " ({seconds} s)"),
        };
        let _ = match (self.why, found.is_empty()) {
            (None, true) => writeln!(text, "complete: no schedule of this test fails"),
            (None, false) => writeln!(text, "complete: these are all errors of this test"),
            (Some(why), _) => {
                writeln!(text, "not complete: {why}; other schedules may behave otherwise")
            }
        };
        text
    }

    pub(super) fn json(&self, found: &[Finding], witnesses: &[Option<PathBuf>]) -> String {
        let findings: Vec<report::explore::Finding> = found
            .iter()
            .zip(witnesses)
            .map(|(finding, witness)| report::explore::Finding {
                kind: finding.kind.name(),
                message: finding.message.clone(),
                count: finding.count,
                witness: witness.as_ref().map(|path| path.display().to_string()),
                file: finding.place.as_ref().map(|place| place.0.clone()),
                line: finding.place.as_ref().map(|place| place.1),
                preemptions: finding.schedule.preemptions,
            })
            .collect();
        let statistics = self.statistics;
        report::explore::Explored::new(report::explore::Figures {
            call: self.call.to_owned(),
            executions: statistics.executions,
            erroneous: self.erroneous,
            redundant: statistics.abandoned,
            events: statistics.events,
            complete: self.why.is_none(),
            incomplete_because: self.why.map(str::to_owned),
            findings,
        })
        .to_json()
    }
}

pub(super) fn story_text(lines: &[story::Line], text: &mut String) {
    for line in lines {
        let place = match &line.place {
            Some((file, number)) => format!("  ({file}:{number})"),
            None => String::new(),
        };
        let _ = writeln!(text, "    {} {}{place}", line.who, line.what);
    }
}
