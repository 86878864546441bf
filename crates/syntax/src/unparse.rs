//! Syntax tree to readable Erlang text.
//!
//! Prints the tree, not the text it was read from: macros are expanded, comments are gone (see
//! [`crate::layout`] for those), parentheses are where precedence needs them, layout is that of a
//! pretty printer (`doc.rs`): four blanks of indentation, lines of at most 100 columns where that
//! is possible. Numbers keep the user's spelling (`16#FF`).
//!
//! What is printed is read back as the same forms, positions apart:
//! * the `-file` attributes made by includes are printed (`-file("x.hrl", 1).`), but the one that
//!   every reading of a file makes by itself is not;
//! * a module that has `maybe` expressions gets the `-feature` directive they need, which is no
//!   form;
//! * a form that could not be read is printed so that it cannot be read for the same reason, where
//!   that is possible (`faults.rs`).
//!
//! Cost: linear in the size of the tree. Nesting is bounded by memory: the recursion over the tree
//! grows its stack.

mod clause;
mod doc;
mod expr;
mod faults;
mod form;
mod literal;
mod precedence;
mod types;

use crate::ast::{Kind, Module, NodeId, NodeList};
use doc::{Breaks, Document, Page};
use precedence::{ANY, ATOMIC, Level};

/// Columns of a line.
const PAGE_WIDTH: u64 = 100;
/// Blanks of one step of indentation.
const STEP: usize = 4;

/// The whole module as the text of a file.
pub fn module(module: &Module) -> String {
    let mut printer = Printer::new(module);
    printer.forms();
    printer.doc.print(Page::Width(PAGE_WIDTH))
}

/// One node: a form (with its full stop), an expression, a pattern, a clause or a type. The text
/// does not end in a line break.
pub fn node(module: &Module, id: NodeId) -> String {
    let mut printer = Printer::new(module);
    printer.node(id, ANY);
    printer.doc.print(Page::Width(PAGE_WIDTH))
}

/// As [`node`], on one line however long: for reports and labels.
pub fn one_line(module: &Module, id: NodeId) -> String {
    let mut printer = Printer::new(module);
    printer.node(id, ANY);
    printer.doc.print(Page::OneLine)
}

/// Writes the tree into a document. The pieces are methods in the files of this directory.
struct Printer<'m> {
    module: &'m Module,
    doc: Document,
}

impl<'m> Printer<'m> {
    fn new(module: &'m Module) -> Printer<'m> {
        Printer { module, doc: Document::default() }
    }

    fn kind(&self, id: NodeId) -> Kind {
        self.module.kind(id)
    }

    fn list(&self, list: NodeList) -> &'m [NodeId] {
        self.module.list(list)
    }

    fn text(&mut self, text: &str) {
        self.doc.text(text);
    }

    fn atom(&mut self, name: atom::Atom) {
        self.doc.text(&literal::atom(name.as_str()));
    }

    /// A group that is broken at all of its breaks or at none.
    fn group(&mut self, inside: impl FnOnce(&mut Self)) {
        self.doc.open(Breaks::All);
        inside(self);
        self.doc.close();
    }

    fn indented(&mut self, inside: impl FnOnce(&mut Self)) {
        self.doc.indent(STEP);
        inside(self);
        self.doc.dedent(STEP);
    }

    /// `items` with commas between, each printed by `each`.
    fn comma_separated(&mut self, items: &[NodeId], mut each: impl FnMut(&mut Self, NodeId)) {
        for (index, &item) in items.iter().enumerate() {
            if index > 0 {
                self.text(",");
                self.doc.line();
            }
            each(self, item);
        }
    }

    /// `items` between brackets: on one line, or one item a line. Plain literals fill the lines; a
    /// single item that has brackets of its own shares the lines of these brackets.
    fn bracketed(&mut self, open: &str, items: &[NodeId], close: &str) {
        self.bracketed_with(open, items, close, |printer, item| printer.node(item, ANY));
    }

    fn bracketed_with(
        &mut self,
        open: &str,
        items: &[NodeId],
        close: &str,
        each: impl Fn(&mut Self, NodeId),
    ) {
        match *items {
            [] => {
                self.text(open);
                self.text(close);
            }
            [only] if precedence::can_hug(self.kind(only)) => {
                self.text(open);
                each(self, only);
                self.text(close);
            }
            _ => self.group(|printer| {
                printer.text(open);
                printer.indented(|printer| {
                    printer.doc.soft_line();
                    printer.items(items, each);
                });
                printer.doc.soft_line();
                printer.text(close);
            }),
        }
    }

    /// The items of a bracket, filling the lines if all of them are short and plain.
    fn items(&mut self, items: &[NodeId], each: impl Fn(&mut Self, NodeId)) {
        const ENOUGH_TO_FILL: usize = 8;
        let plain = |&item: &NodeId| match self.kind(item) {
            Kind::Atom(_)
            | Kind::Var(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Char(_)
            | Kind::NameArity { .. } => true,
            Kind::BinElement { value, size: None, specs: None } => {
                matches!(self.kind(value), Kind::Integer(_) | Kind::Char(_))
            }
            _ => false,
        };
        let fill = items.len() >= ENOUGH_TO_FILL && items.iter().all(plain);
        let fields = items.iter().any(|&item| {
            matches!(
                self.kind(item),
                Kind::MapField { .. }
                    | Kind::RecordField { .. }
                    | Kind::RecordFieldDef { .. }
                    | Kind::RecordFieldType { .. }
            )
        });
        if fields {
            // One a line, without a try to set all of them on the line below the bracket.
            return self.comma_separated(items, each);
        }
        self.doc.open(if fill { Breaks::AsNeeded } else { Breaks::All });
        self.comma_separated(items, each);
        self.doc.close();
    }

    /// ` = Value` and its like: the value on the same line if it fits or can break inside, else
    /// indented on the next one.
    fn assigned(&mut self, operator: &str, value: NodeId, level: Level) {
        self.text(operator);
        if precedence::can_hug(self.kind(value)) {
            self.text(" ");
            self.node(value, level);
        } else {
            self.on_line_or_below(value, level);
        }
    }

    /// Behind a blank if it fits on the line, else indented on the next one.
    fn on_line_or_below(&mut self, id: NodeId, level: Level) {
        self.group(|printer| {
            printer.indented(|printer| {
                printer.doc.line();
                printer.node(id, level);
            });
        });
    }

    /// Prints with parentheses.
    fn in_parentheses(&mut self, inside: impl FnOnce(&mut Self)) {
        self.text("(");
        inside(self);
        self.text(")");
    }

    /// How tightly the node binds.
    fn level(&self, id: NodeId) -> Level {
        match self.kind(id) {
            Kind::Integer(_) | Kind::Float(_) if self.is_negative_literal(id) => precedence::PREFIX,
            kind => precedence::level(kind),
        }
    }

    /// A node in front of which or behind which something is written without a blank: `X#r.f`,
    /// `X:f`, `X(…)`. What ends in a number gets parentheses because `1#` starts a
    /// number with a base.
    fn primary(&mut self, id: NodeId, level: Level) {
        let kind = self.kind(id);
        let ends_in_number = matches!(
            kind,
            Kind::Integer(_)
                | Kind::Float(_)
                | Kind::Char(_)
                | Kind::FunName { .. }
                | Kind::FunRemote { .. }
        );
        if ends_in_number || precedence::has_end(kind) {
            self.in_parentheses(|printer| printer.node(id, ANY));
        } else {
            self.node(id, level);
        }
    }

    /// A node where the grammar takes only literals, variables and bracketed things.
    fn atomic(&mut self, id: NodeId) {
        self.node(id, ATOMIC);
    }
}
