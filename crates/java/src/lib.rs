//! Java text to syntax tree: all of Java 21.
//!
//! ```text
//! bytes ─▶ source (text, lines) ─▶ lexer ─▶ parser ─▶ tree::Tree
//! ```
//!
//! Invariants of this crate:
//! * It never fails: whatever the bytes, the result is a [`tree::Tree`] with a list of
//!   [`diagnostic::Diagnostic`]s. No panic, no unbounded recursion on the thread's stack.
//! * It does no input or output.
//! * Which nodes there are and where they begin and end is what javac says (`com.sun.source`), but
//!   where [`tree`] says otherwise; the tests compare them, node by node.
//!
//! The parser is written by hand, not generated and not a tree-sitter grammar: javac's tree is what
//! it has to give, and errors where javac has them.

mod children;
pub mod diagnostic;
mod escapes;
mod lexer;
pub mod literal;
pub mod names;
mod parser;
pub mod source;
pub mod token;
pub mod tree;

pub use parser::{MAX_DEPTH, read, read_text};
