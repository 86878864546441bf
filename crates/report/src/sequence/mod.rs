//! Sequence diagrams: who did what in which order, and what went from whom to whom.
//!
//! ```text
//! Sequence ─▶ layout (columns, rows) ─▶ svg
//! ```
//!
//! The model knows nothing of where it came from: an explored schedule, a trace of a run. A column
//! is a process, from top to bottom; an event is a row; an arrow leads from an event to another
//! column, to the event that received it if there is one.

mod layout;
mod svg;

pub use svg::svg;

/// A diagram.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    pub title: String,
    pub columns: Vec<Column>,
    /// In their order.
    pub events: Vec<Event>,
}

/// Something that acts.
#[derive(Clone, Debug)]
pub struct Column {
    pub name: String,
    /// More about it, in smaller letters.
    pub detail: String,
}

#[derive(Clone, Debug)]
pub struct Event {
    /// Position in [`Sequence::columns`].
    pub column: usize,
    /// In a few words; may be empty where arrows say it all.
    pub label: String,
    /// The whole of it, shown when the pointer rests there.
    pub text: String,
    /// Where in the source, as `file:line`, and what stands there.
    pub place: String,
    pub source: String,
    pub mark: Mark,
    pub failing: bool,
    pub arrows: Vec<Arrow>,
}

/// How an event is drawn on its column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A small dot.
    Point,
    /// The end: the column goes on no further.
    End,
    /// It waits for what never comes.
    Waits,
}

#[derive(Clone, Debug)]
pub struct Arrow {
    /// Position in [`Sequence::columns`].
    pub to: usize,
    pub text: String,
    pub kind: ArrowKind,
    /// Position in [`Sequence::events`] of the event that received it.
    pub received: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ArrowKind {
    Message,
    /// It starts the other column.
    Spawn,
    /// An exit signal, or the message that a process has ended.
    Signal,
}
