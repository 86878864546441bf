//! The story of a finding as a sequence diagram, and the lines of source that it goes through.

use std::collections::{BTreeMap, BTreeSet};

use ::explore::story::action::Carried;
use ::explore::story::{Arrow, Step, StepKind, Story};

use super::{Excerpt, ExcerptLine, told_races};
use crate::sequence::{self, Column, Event, Mark, Sequence};
use crate::words;

/// The steps that are shown, with those who take part in them.
pub fn sequence(title: &str, story: &Story, all_steps: bool) -> Sequence {
    let shown: Vec<usize> =
        (0..story.steps.len()).filter(|at| all_steps || story.steps[*at].shown).collect();
    let row_of: BTreeMap<usize, usize> =
        shown.iter().enumerate().map(|(row, step)| (*step, row)).collect();
    let mut players: BTreeSet<usize> = BTreeSet::new();
    for step in shown.iter().map(|at| &story.steps[*at]) {
        players.insert(step.player);
        players.extend(step.arrows.iter().filter(|a| is_drawn(a, &row_of)).map(|arrow| arrow.to));
    }
    let column_of: BTreeMap<usize, usize> =
        players.iter().enumerate().map(|(column, player)| (*player, column)).collect();
    let columns = players.iter().filter_map(|player| story.players.get(*player)).map(|player| {
        let detail = match &player.function {
            Some(function) if player.long_name() != player.name => function.clone(),
            _ => String::new(),
        };
        Column { name: player.name.clone(), detail }
    });
    let columns = columns.collect();
    let received: BTreeSet<usize> = shown
        .iter()
        .flat_map(|at| &story.steps[*at].arrows)
        .filter_map(|arrow| arrow.taken_by)
        .collect();
    let mut races: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (number, race) in told_races(story, all_steps) {
        for at in [race.first, race.second] {
            races.entry(at).or_default().push(number.to_string());
        }
    }
    let event = |at: &usize| {
        let step = &story.steps[*at];
        let arrows: Vec<sequence::Arrow> = step
            .arrows
            .iter()
            .filter(|arrow| is_drawn(arrow, &row_of))
            .filter_map(|arrow| {
                Some(sequence::Arrow {
                    to: *column_of.get(&arrow.to)?,
                    text: words::carried(&arrow.carries),
                    kind: match arrow.carries {
                        Carried::Message(_) => sequence::ArrowKind::Message,
                        Carried::Start => sequence::ArrowKind::Spawn,
                        Carried::Notice(_) | Carried::ExitSignal => sequence::ArrowKind::Signal,
                    },
                    received: arrow.taken_by.and_then(|step| row_of.get(&step).copied()),
                })
            })
            .collect();
        Event {
            column: column_of.get(&step.player).copied().unwrap_or(0),
            label: with_races(
                label(step, !arrows.is_empty(), received.contains(at)),
                races.get(at),
            ),
            text: words::action(&step.action),
            place: step
                .place
                .as_ref()
                .map_or(String::new(), |at| format!("{}:{}", at.file, at.line)),
            source: step.source.clone(),
            mark: match step.action.kind() {
                StepKind::End => Mark::End,
                StepKind::Waits => Mark::Waits,
                _ => Mark::Point,
            },
            failing: step.failing,
            arrows,
        }
    };
    Sequence { title: title.to_owned(), columns, events: shown.iter().map(event).collect() }
}

/// A label with the numbers of the races that a step is in.
fn with_races(label: String, races: Option<&Vec<String>>) -> String {
    match races {
        Some(numbers) => format!("(race {}) {label}", numbers.join(", ")).trim_end().to_owned(),
        None => label,
    }
}

/// What the end of a process tells others is drawn if they hear of it in the story.
fn is_drawn(arrow: &Arrow, row_of: &BTreeMap<usize, usize>) -> bool {
    match (&arrow.carries, arrow.taken_by) {
        (Carried::Notice(_) | Carried::ExitSignal, Some(step)) => row_of.contains_key(&step),
        (Carried::Notice(_), None) => false,
        _ => true,
    }
}

/// The words beside an event: none where an arrow says the same.
fn label(step: &Step, sends: bool, received: bool) -> String {
    match step.action.kind() {
        StepKind::Send | StepKind::Spawn | StepKind::Fire if sends => String::new(),
        StepKind::Receive | StepKind::Arrive if received => String::new(),
        StepKind::GiveUp => "gives up".to_owned(),
        StepKind::Waits => "waits for ever".to_owned(),
        _ => words::action(&step.action),
    }
}

/// Lines around those of the story.
const AROUND: u32 = 2;

/// The source that a story goes through, file by file.
pub(super) fn excerpts(story: &Story) -> Vec<Excerpt> {
    let mut marked: BTreeMap<&str, BTreeMap<u32, bool>> = BTreeMap::new();
    for step in story.steps.iter().filter(|step| step.shown) {
        if let Some(place) = &step.place {
            *marked.entry(&place.file).or_default().entry(place.line).or_default() |= step.failing;
        }
    }
    let mut excerpts = Vec::new();
    for (file, marks) in marked {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let near = |line: u32| marks.keys().any(|marked| line.abs_diff(*marked) <= AROUND);
        let lines = text.lines().zip(1u32..).filter(|(_, number)| near(*number));
        let lines = lines.map(|(text, number)| ExcerptLine {
            number,
            text: text.to_owned(),
            in_story: marks.contains_key(&number),
            failing: marks.get(&number).copied().unwrap_or(false),
        });
        excerpts.push(Excerpt { file: file.to_owned(), lines: lines.collect() });
    }
    excerpts
}
