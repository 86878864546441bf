//! Flow graphs for people and for other programs.
//!
//! ```text
//! flow::Flow ─▶ text (edges by function) · json (docs/json.md)
//!           └─▶ picture (boxes and arrows) ─▶ drawing ─▶ dot · svg · html
//! ```

mod json;
mod picture;
mod text;

pub use json::write_json;
pub use picture::{picture, process_picture};
pub use text::{def_uses, explain, processes, summary, text};

use flow::{EdgeKind, UnresolvedKind};

/// The kinds of edges that data flow finds, in the order in which they are shown.
pub(crate) const KINDS: [EdgeKind; 5] = [
    EdgeKind::Call,
    EdgeKind::HigherOrderCall,
    EdgeKind::Spawn,
    EdgeKind::Throw,
    EdgeKind::Message,
];

/// Why a place is unresolved.
pub(crate) fn reason(kind: UnresolvedKind) -> String {
    match kind {
        UnresolvedKind::Call => "what is called comes from outside".to_string(),
        UnresolvedKind::Spawn => "what the process runs comes from outside".to_string(),
        UnresolvedKind::Send => "the destination comes from outside".to_string(),
        UnresolvedKind::Function(module, name, arity) => {
            format!("{module}:{name}/{arity} is not part of the program")
        }
    }
}
