//! What is wrong with a text, as data.

use crate::source::Span;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// What kind of problem it is; stable. Where javac has a key for it, that key.
    pub code: &'static str,
    /// One line, no full stop.
    pub message: String,
    pub span: Span,
}
