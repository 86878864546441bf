//! Where everything of a diagram is.
//!
//! Rows have one height. The distance of two neighbouring columns is what the texts between them
//! need: the labels of events to the right of a column, and the text of each arrow, spread over the
//! columns that it crosses. A column begins where an arrow starts it, else at the top.

use super::{ArrowKind, Mark, Sequence};

pub(super) const ROW: f64 = 30.0;
pub(super) const HEAD: f64 = 34.0;
const TOP: f64 = 16.0;
const MARGIN: f64 = 24.0;
/// Width of a letter.
pub(super) const LETTER: f64 = 6.7;
const NARROWEST: f64 = 90.0;
const WIDEST: f64 = 420.0;

/// The place of a column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub(super) x: f64,
    /// The box with its name.
    pub(super) head_y: f64,
    pub(super) head_width: f64,
    /// Where its line ends.
    pub(super) end_y: f64,
}

#[derive(Debug)]
pub(super) struct Layout {
    pub(super) lanes: Vec<Lane>,
    /// The height of each event.
    pub(super) rows: Vec<f64>,
    pub(super) width: f64,
    pub(super) height: f64,
}

pub(super) fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

pub(super) fn layout(sequence: &Sequence) -> Layout {
    let count = sequence.columns.len();
    let first_row = TOP + HEAD + ROW;
    let started_at = |column: usize| {
        sequence.events.iter().position(|event| {
            event.arrows.iter().any(|arrow| arrow.to == column && arrow.kind == ArrowKind::Spawn)
        })
    };
    // A column that is started has its head beside the arrow: that row is higher.
    let mut rows = Vec::with_capacity(sequence.events.len());
    let mut y = first_row;
    for event in &sequence.events {
        let starts = event.arrows.iter().any(|arrow| arrow.kind == ArrowKind::Spawn);
        if starts {
            y += 8.0;
        }
        rows.push(y);
        y += ROW + if starts { 12.0 } else { 0.0 };
    }
    let bottom = y;
    let head_width = |column: usize| {
        let column = &sequence.columns[column];
        let text = width_of(&column.name).max(width_of(&column.detail) * 0.85);
        (text + 20.0).max(60.0)
    };
    let gaps = gaps(sequence, &head_width);
    let mut lanes = Vec::with_capacity(count);
    let mut x = MARGIN + if count > 0 { head_width(0) / 2.0 } else { 0.0 };
    for column in 0..count {
        let head_y = match started_at(column).and_then(|event| rows.get(event)) {
            Some(row) => row - HEAD / 2.0,
            None => TOP,
        };
        let end = sequence
            .events
            .iter()
            .position(|event| event.column == column && event.mark == Mark::End);
        let end_y = end.and_then(|event| rows.get(event)).copied().unwrap_or(bottom);
        lanes.push(Lane { x, head_y, head_width: head_width(column), end_y });
        x += gaps.get(column).copied().unwrap_or(0.0);
    }
    let last = lanes.last().map_or(MARGIN, |lane| lane.x);
    let right = gaps
        .last()
        .copied()
        .unwrap_or(0.0)
        .max(lanes.last().map_or(0.0, |lane| lane.head_width / 2.0));
    Layout { lanes, rows, width: last + right + MARGIN, height: bottom + TOP }
}

/// The distance from each column to the next; of the last, what stands to its right.
fn gaps(sequence: &Sequence, head_width: &dyn Fn(usize) -> f64) -> Vec<f64> {
    let count = sequence.columns.len();
    let mut gaps: Vec<f64> = (0..count)
        .map(|column| match column + 1 < count {
            true => (head_width(column) + head_width(column + 1)) / 2.0 + 24.0,
            false => head_width(column) / 2.0,
        })
        .collect();
    for gap in gaps.iter_mut().take(count.saturating_sub(1)) {
        *gap = gap.max(NARROWEST);
    }
    for event in &sequence.events {
        if !event.label.is_empty() && event.column < count {
            let needed = (width_of(&event.label) + 28.0).min(WIDEST);
            gaps[event.column] = gaps[event.column].max(needed);
        }
        for arrow in &event.arrows {
            let (from, to) = (event.column.min(arrow.to), event.column.max(arrow.to));
            if to >= count {
                continue;
            }
            let needed = (width_of(&arrow.text) + 36.0).min(WIDEST);
            if from == to {
                gaps[from] = gaps[from].max(needed + 30.0);
                continue;
            }
            let there: f64 = gaps[from..to].iter().sum();
            if there < needed {
                let more = (needed - there) / (to - from) as f64;
                gaps[from..to].iter_mut().for_each(|gap| *gap += more);
            }
        }
    }
    gaps
}
