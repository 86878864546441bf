//! Clauses, bodies and the constructs that are made of them.

use crate::ast::{Kind, NodeId, NodeList, ReceiveAfter};

use super::Printer;
use super::precedence::{self, ANY};

/// What stands before the patterns of a clause, and how they are written.
#[derive(Clone, Copy)]
enum Head {
    /// `name(P1, P2)`, `(P1, P2)`: functions and funs.
    Arguments(Option<Name>),
    /// `Pattern`
    Pattern,
    /// No pattern, only a guard.
    If,
}

#[derive(Clone, Copy)]
enum Name {
    Function(atom::Atom),
    Variable(atom::Atom),
}

impl Printer<'_> {
    /// Prints the node if it is a clause or is made of clauses or bodies.
    pub(super) fn clause_like(&mut self, id: NodeId) -> bool {
        match self.kind(id) {
            Kind::Clause { patterns, guards, .. } => {
                // On its own; what it is a clause of is not known.
                let head = if patterns.is_empty() && !guards.is_empty() {
                    Head::If
                } else if patterns.len == 1 {
                    Head::Pattern
                } else {
                    Head::Arguments(None)
                };
                self.clause(id, head, true);
            }
            Kind::Guard { tests } => {
                let tests = self.list(tests);
                self.comma_separated(tests, |printer, test| printer.node(test, ANY));
            }
            Kind::CatchPattern { class, reason, stacktrace } => {
                if let Some(class) = class {
                    self.atomic(class);
                    self.text(":");
                }
                self.node(reason, ANY);
                if let Some(stacktrace) = stacktrace {
                    self.text(":");
                    self.atomic(stacktrace);
                }
            }
            Kind::Block { body } => {
                self.text("begin");
                self.body(body);
                self.end();
            }
            Kind::If { clauses } => {
                self.text("if");
                self.clauses(clauses, Head::If);
                self.end();
            }
            Kind::Case { subject, clauses } => {
                self.group(|printer| {
                    printer.text("case");
                    printer.indented(|printer| {
                        printer.doc.line();
                        printer.node(subject, ANY);
                    });
                    printer.doc.line();
                    printer.text("of");
                });
                self.clauses(clauses, Head::Pattern);
                self.end();
            }
            Kind::Receive { clauses, after } => self.receive(clauses, after),
            Kind::Try { body, of, catch, after } => self.try_expr(body, of, catch, after),
            Kind::Maybe { body, else_clauses } => {
                self.text("maybe");
                self.body(body);
                if let Some(clauses) = else_clauses {
                    self.doc.hard_line();
                    self.text("else");
                    self.clauses(clauses, Head::Pattern);
                }
                self.end();
            }
            Kind::Fun { name, clauses } => self.fun(name, clauses),
            _ => return false,
        }
        true
    }

    /// The clauses of a function, with the name before each.
    pub(super) fn function(&mut self, name: atom::Atom, clauses: NodeList) {
        for (index, &clause) in self.list(clauses).iter().enumerate() {
            if index > 0 {
                self.text(";");
                self.doc.hard_line();
            }
            self.clause(clause, Head::Arguments(Some(Name::Function(name))), true);
        }
        self.text(".");
    }

    fn end(&mut self) {
        self.doc.hard_line();
        self.text("end");
    }

    /// Expressions, each on its own line, indented, from the next line on.
    fn body(&mut self, body: NodeList) {
        self.indented(|printer| {
            for (index, &expr) in printer.list(body).iter().enumerate() {
                if index > 0 {
                    printer.text(",");
                }
                printer.doc.hard_line();
                printer.node(expr, ANY);
            }
        });
    }

    /// Clauses, indented, from the next line on. If the body of each is one simple expression,
    /// those that fit are written on one line.
    fn clauses(&mut self, clauses: NodeList, head: Head) {
        let clauses = self.list(clauses);
        let simple = clauses.iter().all(|&clause| self.is_simple(clause));
        self.indented(|printer| {
            for (index, &clause) in clauses.iter().enumerate() {
                if index > 0 {
                    printer.text(";");
                }
                printer.doc.hard_line();
                printer.group(|printer| printer.clause(clause, head, !simple));
            }
        });
    }

    fn is_simple(&self, clause: NodeId) -> bool {
        let Kind::Clause { body, .. } = self.kind(clause) else { return true };
        match self.list(body) {
            [only] => {
                let value = match self.kind(*only) {
                    Kind::Match { value, .. } => value,
                    _ => *only,
                };
                !precedence::has_end(self.kind(value))
            }
            _ => false,
        }
    }

    /// `Head when Guard -> Body`, the body on its own lines if `tall`, else where the group that
    /// this is in puts it.
    fn clause(&mut self, id: NodeId, head: Head, tall: bool) {
        let Kind::Clause { patterns, guards, body } = self.kind(id) else {
            return self.node(id, ANY);
        };
        self.clause_head(patterns, guards, head);
        if tall {
            self.body(body);
        } else {
            self.indented(|printer| {
                printer.doc.line();
                let body = printer.list(body);
                printer.comma_separated(body, |printer, expr| printer.node(expr, ANY));
            });
        }
    }

    /// Up to and with the arrow.
    fn clause_head(&mut self, patterns: NodeList, guards: NodeList, head: Head) {
        let patterns = self.list(patterns);
        match head {
            Head::If => {
                self.group(|printer| printer.guard(guards));
                return self.text(" ->");
            }
            Head::Pattern => self.comma_separated(patterns, |printer, p| printer.node(p, ANY)),
            Head::Arguments(name) => {
                match name {
                    Some(Name::Function(name)) => self.atom(name),
                    Some(Name::Variable(name)) => self.text(name.as_str()),
                    None => {}
                }
                self.bracketed("(", patterns, ")");
            }
        }
        if guards.is_empty() {
            return self.text(" ->");
        }
        self.text(" when");
        self.group(|printer| {
            printer.indented(|printer| {
                printer.doc.line();
                printer.guard(guards);
            });
            printer.doc.line();
            printer.text("->");
        });
    }

    /// Alternatives between semicolons.
    fn guard(&mut self, guards: NodeList) {
        for (index, &guard) in self.list(guards).iter().enumerate() {
            if index > 0 {
                self.text(";");
                self.doc.line();
            }
            self.node(guard, ANY);
        }
    }

    fn receive(&mut self, clauses: NodeList, after: Option<ReceiveAfter>) {
        self.text("receive");
        if !clauses.is_empty() {
            self.clauses(clauses, Head::Pattern);
        }
        if let Some(ReceiveAfter { timeout, body }) = after {
            self.doc.hard_line();
            self.text("after ");
            self.node(timeout, ANY);
            self.text(" ->");
            self.body(body);
        }
        self.end();
    }

    fn try_expr(&mut self, body: NodeList, of: NodeList, catch: NodeList, after: NodeList) {
        self.text("try");
        self.body(body);
        for (word, clauses) in [("of", of), ("catch", catch)] {
            if !clauses.is_empty() {
                self.doc.hard_line();
                self.text(word);
                self.clauses(clauses, Head::Pattern);
            }
        }
        if !after.is_empty() {
            self.doc.hard_line();
            self.text("after");
            self.body(after);
        }
        self.end();
    }

    /// One clause: `fun(X) -> … end`, on one line if it fits. Several: each on its own line.
    fn fun(&mut self, name: Option<atom::Atom>, clauses: NodeList) {
        let head = Head::Arguments(name.map(Name::Variable));
        self.text("fun");
        match *self.list(clauses) {
            [clause] => {
                if name.is_some() {
                    self.text(" ");
                }
                let tall = !self.is_simple(clause);
                self.group(|printer| {
                    printer.clause(clause, head, tall);
                    printer.doc.line();
                    printer.text("end");
                });
            }
            _ => {
                self.clauses(clauses, head);
                self.end();
            }
        }
    }
}
