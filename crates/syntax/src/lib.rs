//! Erlang text to syntax tree, and back.
//!
//! ```text
//! bytes ─▶ source (decoded text, lines) ─▶ lexer ─▶ preprocessor ─▶ parser ─▶ ast::Module
//!                                                                               │
//!                                          unparse (Erlang text) · abstract_format (OTP's terms)
//! ```
//!
//! Invariants of this crate:
//! * It never fails: whatever the bytes, the result is a [`ast::Module`] and a list of
//!   [`diagnostic::Diagnostic`]s. No panic, no unbounded recursion on the thread's stack.
//! * It does no input or output: files are asked for through [`source::Files`].
//! * It knows nothing of running programs.
//! * Where a node or an error stands is what OTP says it is (line and column), and what the user
//!   wrote can be found from it (text range, macro calls it came through).

pub mod abstract_format;
mod anchors;
pub mod ast;
pub mod builtins;
pub mod compare;
mod constants;
mod decode;
pub mod diagnostic;
pub mod json;
pub mod layout;
mod lexer;
pub mod options;
pub mod parse_tokens;
mod parser;
mod positions;
mod preprocess;
pub mod scan;
pub mod shape;
pub mod source;
pub mod token;
pub mod tree_print;
pub mod unparse;
mod walk;
pub mod wording;

pub use atom::quote;
pub use preprocess::{read_module, read_module_bytes};
