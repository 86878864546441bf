//! The tree of a module for people: one node a line, children indented.
//!
//! ```text
//! function foo arity=1 #9 3:1-4:11
//!   clauses: clause #8 3:1-4:10
//!     patterns: var X #0 3:5-3:6
//!     body: binary_op + #6 4:5-4:10 at 4:7
//! ```
//!
//! A line tells the field of the parent, the kind, names and values, the id, where the user's text
//! of the node begins and ends (physical lines; the header's name before it if it is in one), where
//! OTP says that it stands if that is not the same beginning, and the macro it came out of. Below a
//! depth of `DEEPEST_INDENT` the indentation stays the same and the depth is written instead, so
//! that the output stays linear in the tree. No recursion.

use std::fmt::Write as _;

use crate::ast::{Module, NodeId};
use crate::positions::Positions;
use crate::quote;
use crate::shape::{Field, Value};
use crate::source::FileId;

const DEEPEST_INDENT: usize = 100;

/// The trees of all forms.
pub fn module(module: &Module) -> String {
    let mut printer = TreePrinter::new(module);
    for &form in &module.forms {
        printer.tree(form);
    }
    printer.out
}

/// The tree of one node.
pub fn node(module: &Module, id: NodeId) -> String {
    let mut printer = TreePrinter::new(module);
    printer.tree(id);
    printer.out
}

struct TreePrinter<'m> {
    module: &'m Module,
    positions: Vec<Positions<'m>>,
    out: String,
}

impl<'m> TreePrinter<'m> {
    fn new(module: &'m Module) -> TreePrinter<'m> {
        let positions = module.files.iter().map(Positions::new).collect();
        TreePrinter { module, positions, out: String::new() }
    }

    fn tree(&mut self, root: NodeId) {
        let mut pending = vec![(0, "", root)];
        while let Some((depth, label, id)) = pending.pop() {
            let shape = self.module.shape(id);
            self.start_line(depth, label);
            self.out.push_str(shape.kind);
            let mark = pending.len();
            for field in &shape.fields {
                match field.value {
                    Value::Node(child) => pending.push((depth + 1, field.name, child)),
                    Value::Nodes(children) => {
                        pending.extend(children.iter().map(|&c| (depth + 1, field.name, c)));
                    }
                    _ => self.value(shape.kind, field),
                }
            }
            pending[mark..].reverse();
            self.place(id);
            self.out.push('\n');
        }
    }

    fn start_line(&mut self, depth: usize, label: &str) {
        self.out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST_INDENT)));
        // Writing to a string does not fail.
        if depth > DEEPEST_INDENT {
            let _ = write!(self.out, "[{depth}] ");
        }
        if !label.is_empty() {
            let _ = write!(self.out, "{label}: ");
        }
    }

    fn value(&mut self, kind: &str, field: &Field<'_>) {
        let text = match field.value {
            Value::Node(_) | Value::Nodes(_) => return,
            Value::Text(text) if field.name == "name" && !matches!(kind, "var" | "fun") => {
                quote::atom(text)
            }
            Value::Text(text) if field.name == "name" => text.to_owned(),
            Value::Text(text) => quote::string(text),
            Value::Word(word) => word.to_owned(),
            Value::Integer(value) => value.to_string(),
            Value::Float(value) => quote::float(value),
            Value::Number(value) if kind == "char" => {
                char::from_u32(value).map_or_else(|| value.to_string(), quote::char)
            }
            Value::Number(value) => format!("{}={value}", field.name),
            Value::Flag(true) => field.name.to_owned(),
            Value::Flag(false) => return,
        };
        self.out.push(' ');
        self.out.push_str(&text);
    }

    fn place(&mut self, id: NodeId) {
        let module = self.module;
        let span = module.span(id);
        let _ = write!(self.out, " #{}", id.0);
        if span.file != FileId::MAIN {
            let _ = write!(self.out, " {}", module.file(span.file).path.display());
        }
        let Some(positions) = self.positions.get(span.file.0 as usize) else { return };
        let (start, end) = (positions.loc(span.start), positions.loc(span.end));
        let _ = write!(self.out, " {}:{}-{}:{}", start.line, start.column, end.line, end.column);
        let loc = module.loc(id);
        if loc != start {
            let _ = write!(self.out, " at {}:{}", loc.line, loc.column);
        }
        if let Some(expansion) = module.token(module[id].first).expansion {
            let _ = write!(self.out, " in ?{}", module.expansion(expansion).name.as_str());
        }
    }
}
