//! Types, and the clauses of specs.

use crate::ast::{Kind, NodeId, NodeList};

use super::Printer;
use super::precedence::{ANY, ATOMIC, RANGE, UNION};

impl Printer<'_> {
    /// Prints the node if it is a type or part of one. Those whose shape is that of an expression
    /// (tuples, maps, operators) are printed as such.
    pub(super) fn type_node(&mut self, id: NodeId) -> bool {
        match self.kind(id) {
            Kind::UnionType { members } => self.union(self.list(members)),
            Kind::AnnotatedType { var, ty } | Kind::ConstraintType { var, ty } => {
                self.node(var, ATOMIC);
                self.assigned(" ::", ty, ANY);
            }
            Kind::NamedType { name, args } => {
                self.atom(name);
                self.bracketed("(", self.list(args), ")");
            }
            Kind::RemoteType { module, name, args } => {
                self.node(module, ATOMIC);
                self.text(":");
                self.node(name, ATOMIC);
                self.bracketed("(", self.list(args), ")");
            }
            Kind::ListType { element, nonempty } => {
                self.text("[");
                self.node(element, ANY);
                self.text(if nonempty { ", ...]" } else { "]" });
            }
            Kind::RecordType { name, fields } => {
                self.text("#");
                self.node(name, ANY);
                self.bracketed("{", self.list(fields), "}");
            }
            Kind::RecordFieldType { name, ty } => {
                self.node(name, ATOMIC);
                self.assigned(" ::", ty, ANY);
            }
            Kind::BinaryType { size, unit } => {
                self.text("<<");
                if let Some(size) = size {
                    self.text("_:");
                    self.atomic(size);
                }
                if let Some(unit) = unit {
                    self.text(if size.is_some() { ", _:_*" } else { "_:_*" });
                    self.atomic(unit);
                }
                self.text(">>");
            }
            Kind::RangeType { low, high } => {
                self.node(low, RANGE + 1);
                self.text("..");
                self.node(high, RANGE + 1);
            }
            Kind::AnyFunType => self.text("fun()"),
            Kind::FunType { .. } => {
                self.text("fun(");
                self.spec_clause(id);
                self.text(")");
            }
            Kind::BoundedFunType { .. } => self.spec_clause(id),
            _ => return false,
        }
        true
    }

    /// `A | B`. A union in a union is printed with parentheses, as it must have been written.
    fn union(&mut self, members: &[NodeId]) {
        self.group(|printer| {
            for (index, &member) in members.iter().enumerate() {
                if index > 0 {
                    printer.doc.line();
                    printer.text("| ");
                }
                printer.node(member, UNION + 1);
            }
        });
    }

    /// `(A, B) -> R when A :: t()`: a function type without the word `fun`.
    pub(super) fn spec_clause(&mut self, id: NodeId) {
        match self.kind(id) {
            Kind::FunType { args, result, .. } => self.function_type(args, result),
            Kind::BoundedFunType { fun, constraints } => {
                self.spec_clause(fun);
                self.text(" when");
                self.group(|printer| {
                    printer.indented(|printer| {
                        printer.doc.line();
                        let constraints = printer.list(constraints);
                        printer.comma_separated(constraints, |printer, c| printer.node(c, ANY));
                    });
                });
            }
            _ => self.node(id, ANY),
        }
    }

    fn function_type(&mut self, args: Option<NodeList>, result: NodeId) {
        match args {
            Some(args) => self.bracketed("(", self.list(args), ")"),
            None => self.text("(...)"),
        }
        self.text(" ->");
        self.on_line_or_below(result, ANY);
    }
}
