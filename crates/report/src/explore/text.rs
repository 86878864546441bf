//! What an exploration found, for people.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use ::explore::story::{Step, Story};
use session::explore::Explored;
use syntax::wording::counted;

use super::{Figures, Found, told_races};
use crate::endings::incomplete;
use crate::words;

/// More steps of a story are not told.
const LONGEST_STORY: usize = 60;

/// For people.
pub(super) fn text(explored: &Explored, witnesses: &[PathBuf], all_steps: bool) -> String {
    let mut text = String::new();
    for (number, found) in explored.found.iter().enumerate() {
        let finding = &found.finding;
        let _ = writeln!(text, "{}: {}", finding.kind().name(), words::failure(&finding.failure));
        let times = counted(finding.count, "execution");
        let preemptions = match finding.schedule.preemptions {
            0 => String::new(),
            many => format!(", with {}", counted(many as u64, "preemption")),
        };
        let races = races(&found.story, all_steps);
        let story = story(&found.story, all_steps);
        let simplest = match story.as_str() {
            "" => String::new(),
            _ => format!("; the simplest{preemptions}:"),
        };
        let _ = writeln!(text, "  in {times}{simplest}");
        text.push_str(&story);
        text.push_str(&races);
        for line in words::brought_down(&found.consequences) {
            let _ = writeln!(text, "  {line}");
        }
        if let Some(witness) = witnesses.get(number) {
            let witness = witness.display();
            let _ = writeln!(text, "  replay: erlscope replay {witness}");
            let _ = writeln!(text, "  debug: erlscope debug {witness}");
        }
        text.push('\n');
    }
    for warning in &explored.warnings {
        let (place, what) = (warning.place(), words::warning(warning));
        let (file, line, kind) = (&place.file, place.line, warning.kind());
        let _ = writeln!(text, "warning: {file}:{line}: {what} [{kind}]");
    }
    if !explored.warnings.is_empty() {
        text.push('\n');
    }
    let statistics = explored.statistics;
    let _ = write!(
        text,
        "{}: {} explored, {} with errors",
        explored.name,
        counted(statistics.executions, "execution"),
        explored.erroneous
    );
    // Short times are nobody's concern, and would make equal runs print different texts.
    let _ = match explored.time.as_secs() {
        0..10 => writeln!(text),
        seconds => writeln!(text, " ({seconds} s)"),
    };
    text.push_str(&verdict(explored));
    text.push('\n');
    text.push_str(&along(explored));
    text.push_str(words::call_hint(explored.found.iter().map(|found| &found.finding.failure)));
    text
}

/// More files than this are counted only.
const MOST_ALONG: usize = 5;

/// Which files were read although others were named.
fn along(explored: &Explored) -> String {
    let files = explored.along.iter().take(MOST_ALONG).map(|path| path.display().to_string());
    let files: Vec<String> = files.collect();
    let more = match explored.along.len().saturating_sub(MOST_ALONG) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match files.is_empty() {
        true => String::new(),
        false => format!("also read, because it is called: {}{more}\n", files.join(", ")),
    }
}

/// What is known now, in a line.
pub(super) fn verdict(explored: &Explored) -> String {
    match (&explored.why, explored.found.is_empty()) {
        (None, true) => "complete: no schedule of this test fails".to_owned(),
        (None, false) => "complete: these are all errors of this test".to_owned(),
        (Some(why), _) => {
            let why = incomplete(why);
            format!("not complete: {why}; other schedules may behave otherwise")
        }
    }
}

/// All tests, one a line, and what they came to.
pub(super) fn table<'a>(explored: impl Iterator<Item = &'a Explored>) -> String {
    let rows: Vec<[String; 4]> = explored
        .map(|explored| {
            let (result, note) = match (explored.found.is_empty(), &explored.why) {
                (_, Some(why)) if explored.is_broken() => ("broken", incomplete(why)),
                (false, _) => ("fails", counted(explored.found.len() as u64, "error")),
                (true, Some(why)) => ("not complete", incomplete(why)),
                (true, None) => ("verified", String::new()),
            };
            let executions = explored.statistics.executions.to_string();
            [explored.name.clone(), result.to_owned(), executions, note]
        })
        .collect();
    if rows.is_empty() {
        return "no tests found\n".to_owned();
    }
    let head = ["test", "result", "executions", ""].map(str::to_owned);
    let width = |column: usize| {
        let cells = std::iter::once(&head).chain(&rows);
        cells.map(|row| row[column].chars().count()).max().unwrap_or(0)
    };
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for [test, result, executions, note] in std::iter::once(&head).chain(&rows) {
        let line = format!(
            "{test:0$}  {result:1$}  {executions:>2$}  {note}",
            widths[0], widths[1], widths[2]
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let count = |result: &str| rows.iter().filter(|row| row[1] == result).count();
    let broken = count("broken");
    let _ = write!(
        text,
        "{}: {} verified, {} fail, {} not complete",
        counted((rows.len() - broken) as u64, "test"),
        count("verified"),
        count("fails"),
        count("not complete")
    );
    let _ = match broken {
        0 => writeln!(text),
        1 => writeln!(text, "; 1 module has errors"),
        many => writeln!(text, "; {many} modules have errors"),
    };
    text
}

/// Names that are told.
const MOST_NAMES: usize = 3;

/// That what was changed was not changed outside; nothing if nothing was.
pub(super) fn changes<'a>(explored: impl Iterator<Item = &'a Explored>) -> String {
    let changed: BTreeSet<&String> = explored.flat_map(|explored| &explored.changed).collect();
    if changed.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = changed.iter().take(MOST_NAMES).map(|name| name.as_str()).collect();
    let more = if changed.len() > MOST_NAMES { ", …" } else { "" };
    format!(
        "changed in the world of each execution only, not outside: {} ({}{more})\n",
        counted(changed.len() as u64, "file"),
        names.join(", ")
    )
}

/// The steps of a story, one a line, with the places in a column of their own.
pub fn story(story: &Story, all_steps: bool) -> String {
    let shown: Vec<&Step> = story.steps.iter().filter(|step| step.shown || all_steps).collect();
    let left_out = shown.len().saturating_sub(LONGEST_STORY);
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut introduced: BTreeSet<usize> = BTreeSet::new();
    for (number, step) in shown.iter().enumerate() {
        // The end of a long story is what matters.
        if left_out > 0 && (5..left_out + 5).contains(&number) {
            if number == 5 {
                lines.push((format!("… {} …", counted(left_out as u64, "step")), String::new()));
            }
            continue;
        }
        let who = match story.players.get(step.player) {
            // Who was started by another was introduced then.
            Some(player) if introduced.insert(step.player) => player.long_name(),
            Some(player) => player.name.clone(),
            None => String::new(),
        };
        introduced.extend(step.arrows.iter().map(|arrow| arrow.to));
        let place = place(step);
        let mark = if step.failing { ">>" } else { "  " };
        lines.push((format!("{mark} {who} {}", words::action(&step.action)), place));
    }
    let width = lines.iter().map(|(what, _)| what.chars().count()).filter(|len| *len <= 80).max();
    let mut text = String::new();
    for (what, place) in lines {
        let room = width.unwrap_or(0).saturating_sub(what.chars().count());
        let line = format!("  {what}{}  {place}", " ".repeat(room));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Where a step is, without the directories, which messages have.
fn place(step: &Step) -> String {
    step.place.as_ref().map_or(String::new(), |place| {
        let name = place.file.rsplit(['/', '\\']).next().unwrap_or(&place.file);
        format!("{name}:{}", place.line)
    })
}

/// Which steps could have come in the other order.
pub fn races(story: &Story, all_steps: bool) -> String {
    let mut text = String::new();
    for (number, race) in told_races(story, all_steps) {
        let step = |at: usize| {
            let step = &story.steps[at];
            let who = story.players.get(step.player).map_or("", |player| &player.name);
            let place = place(step);
            let at = if place.is_empty() { place } else { format!(" ({place})") };
            format!("{who} {}{at}", words::action(&step.action))
        };
        let (first, second) = (step(race.first), step(race.second));
        let about = words::about(&race.about);
        let _ = writeln!(text, "  race {number}: {about}\n    {first}\n    {second}");
    }
    text
}

/// What was found, each with its file.
fn findings(explored: &Explored, witnesses: &[PathBuf]) -> Vec<Found> {
    let witness = |number: usize| witnesses.get(number).map(|path| path.display().to_string());
    let found = explored.found.iter().enumerate();
    let found =
        found.map(|(number, found)| Found { explained: found.clone(), witness: witness(number) });
    found.collect()
}

pub fn figures(explored: &Explored, witnesses: &[PathBuf]) -> Figures {
    let statistics = explored.statistics;
    Figures {
        call: explored.name.clone(),
        executions: statistics.executions,
        erroneous: explored.erroneous,
        redundant: statistics.abandoned,
        events: statistics.events,
        also_read: explored.along.iter().map(|path| path.display().to_string()).collect(),
        complete: explored.why.is_none(),
        incomplete_because: explored.why.as_ref().map(incomplete),
        findings: findings(explored, witnesses),
        warnings: explored.warnings.clone(),
    }
}
