//! Pictures of boxes and arrows: what tools fill in, how it is laid out, and how it is written.
//!
//! ```text
//! Picture ─▶ layout (layers) ─▶ svg · html (svg that can be moved, zoomed and folded)
//!        └─▶ dot (for Graphviz)
//! ```
//!
//! A picture has frames (a process, a module) with boxes (a function) with rows (a send, a call).
//! An arrow leads from a row or box to a row or box.

mod dot;
mod html;
mod labelled;
mod layout;
mod ranks;
mod svg;

pub use dot::dot;
pub use html::html;
pub use svg::svg;

/// A picture.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    pub title: String,
    pub arrangement: Arrangement,
    pub frames: Vec<Frame>,
    pub boxes: Vec<Box>,
    pub arrows: Vec<Arrow>,
    /// The styles of arrows, with what they stand for.
    pub styles: Vec<Style>,
    /// Texts to show when a row is chosen: path and text of each file.
    pub files: Vec<(String, String)>,
}

/// How boxes and arrows are placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arrangement {
    /// Boxes in frames, as many as there are; arrows over whatever lies between.
    #[default]
    Framed,
    /// Boxes alone, with room for arrows and their words between them.
    Labelled,
}

/// Boxes that belong together.
#[derive(Clone, Debug)]
pub struct Frame {
    pub title: String,
}

#[derive(Clone, Debug)]
pub struct Box {
    pub title: String,
    /// Position in [`Picture::frames`].
    pub frame: usize,
    pub rows: Vec<Row>,
    pub source: Option<Source>,
}

#[derive(Clone, Debug)]
pub struct Row {
    pub text: String,
    pub source: Option<Source>,
}

/// Where something stands: a file of the picture, and lines from 1.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    pub file: usize,
    pub line: u32,
    pub end_line: u32,
}

/// An end of an arrow: a box, or a row of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    pub of_box: usize,
    pub row: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Arrow {
    pub from: End,
    pub to: End,
    /// Position in [`Picture::styles`].
    pub style: usize,
    /// Lines of text.
    pub label: String,
    /// Drawn fainter: it may not be real.
    pub doubtful: bool,
}

#[derive(Clone, Debug)]
pub struct Style {
    pub name: &'static str,
    pub colour: &'static str,
    /// Lengths of dashes and gaps; empty for a line without gaps.
    pub dashes: &'static str,
}

/// Text for XML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML cannot hold other control characters in any spelling.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
