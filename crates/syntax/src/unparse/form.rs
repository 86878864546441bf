//! Forms, and the module as a whole.

use atom::{Atom, known};

use crate::ast::{ExportKind, Kind, NodeId, NodeList, SpecKind, TypeKind};
use crate::quote;
use crate::token::{Literal, TokenKind};

use super::precedence::{ANY, ATOMIC, MATCH};
use super::{Printer, literal};

impl Printer<'_> {
    /// All forms, each ending in a line break.
    pub(super) fn forms(&mut self) {
        let module = self.module;
        let forms: Vec<NodeId> = module
            .forms
            .iter()
            .enumerate()
            .filter(|&(index, &form)| match module.kind(form) {
                // Reading the text makes it again.
                Kind::FileAttribute { .. } => index > 0,
                kind => !matches!(kind, Kind::EndOfFile),
            })
            .map(|(_, &form)| form)
            .collect();
        // Not only `maybe` nodes: forms with errors are printed as tokens.
        let needs_maybe = module.tokens.iter().any(|token| token.kind == TokenKind::Maybe)
            || module.nodes.iter().any(|node| matches!(node.kind, Kind::Maybe { .. }));
        let module_first =
            forms.first().is_some_and(|&f| matches!(self.kind(f), Kind::ModuleAttribute { .. }));
        if needs_maybe && !module_first {
            self.feature_directive();
        }
        for (index, &form) in forms.iter().enumerate() {
            if index > 0 && self.empty_line_between(forms[index - 1], form) {
                self.doc.hard_line();
            }
            self.node(form, ANY);
            self.doc.hard_line();
            if index == 0 && needs_maybe && module_first {
                self.feature_directive();
            }
        }
    }

    /// It must stand before everything but attributes of the head of a file.
    fn feature_directive(&mut self) {
        self.text("-feature(maybe_expr, enable).");
        self.doc.hard_line();
    }

    /// Short attributes of one kind stay together, and a spec or doc with what it belongs to.
    fn empty_line_between(&self, before: NodeId, after: NodeId) -> bool {
        let (before, after) = (self.kind(before), self.kind(after));
        let belongs_to_next = match before {
            Kind::SpecAttribute { which: SpecKind::Spec, .. } => true,
            Kind::Attribute { name, .. } => name == known::DOC,
            _ => false,
        };
        let head = |kind| {
            matches!(
                kind,
                Kind::ModuleAttribute { .. }
                    | Kind::ExportAttribute { .. }
                    | Kind::ImportAttribute { .. }
                    | Kind::Attribute { .. }
                    | Kind::FileAttribute { .. }
            )
        };
        let same = matches!(
            (before, after),
            (Kind::TypeAttribute { .. }, Kind::TypeAttribute { .. })
                | (Kind::RecordAttribute { .. }, Kind::RecordAttribute { .. })
                | (Kind::SpecAttribute { .. }, Kind::SpecAttribute { .. })
        );
        !(belongs_to_next || same || (head(before) && head(after)))
    }

    /// A form with its full stop; nothing for nodes that are no forms.
    pub(super) fn form(&mut self, id: NodeId) {
        match self.kind(id) {
            Kind::ModuleAttribute { name } => self.attribute("module", &[name]),
            Kind::ExportAttribute { which, names } => self.export(which, self.list(names)),
            Kind::ImportAttribute { module, names: None } => self.attribute("import", &[module]),
            Kind::ImportAttribute { module, names: Some(names) } => {
                self.text("-import(");
                self.node(module, ANY);
                self.text(", ");
                self.bracketed("[", self.list(names), "]).");
            }
            Kind::RecordAttribute { name, fields, native } => {
                let fields = self.list(fields);
                self.text(if native { "-record #" } else { "-record(" });
                self.node(name, ANY);
                if native {
                    self.bracketed("{", fields, "}.");
                } else {
                    self.bracketed(", {", fields, "}).");
                }
            }
            Kind::RecordFieldDef { name, default, ty } => {
                self.node(name, ATOMIC);
                if let Some(default) = default {
                    self.assigned(" =", default, MATCH);
                }
                if let Some(ty) = ty {
                    self.assigned(" ::", ty, ANY);
                }
            }
            Kind::TypeAttribute { which, name, params, body } => {
                self.text(match which {
                    TypeKind::Type => "-type ",
                    TypeKind::Opaque => "-opaque ",
                    TypeKind::Nominal => "-nominal ",
                });
                self.node(name, ATOMIC);
                self.bracketed("(", self.list(params), ")");
                self.assigned(" ::", body, ANY);
                self.text(".");
            }
            Kind::SpecAttribute { which, module, name, clauses } => {
                self.spec(which, module, name, self.list(clauses));
            }
            Kind::FileAttribute { file, line } => self.file_attribute(file, line),
            Kind::Attribute { name, values } => self.other_attribute(name, values),
            Kind::Function { name, clauses, .. } => self.function(name, clauses),
            Kind::ErrorForm { diagnostic } | Kind::WarningForm { diagnostic } => {
                self.fault(id, diagnostic);
            }
            _ => {}
        }
    }

    fn attribute(&mut self, name: &str, values: &[NodeId]) {
        self.text("-");
        self.text(name);
        self.bracketed("(", values, ").");
    }

    fn other_attribute(&mut self, name: Atom, values: NodeList) {
        let values = self.list(values);
        if let ([text], known::DOC | known::MODULEDOC) = (values, name) {
            self.text("-");
            self.text(name.as_str());
            self.text(" ");
            self.node(*text, ANY);
            self.text(".");
        } else {
            self.attribute(&literal::atom(name.as_str()), values);
        }
    }

    fn export(&mut self, which: ExportKind, names: &[NodeId]) {
        self.text(match which {
            ExportKind::Functions => "-export(",
            ExportKind::Types => "-export_type(",
            ExportKind::OptionalCallbacks => "-optional_callbacks(",
            ExportKind::Nifs => "-nifs(",
            ExportKind::Records => "-export_record(",
        });
        self.bracketed("[", names, "]).");
    }

    /// One clause on the line of the name; several below each other.
    fn spec(&mut self, which: SpecKind, module: Option<NodeId>, name: NodeId, clauses: &[NodeId]) {
        self.text(match which {
            SpecKind::Spec => "-spec ",
            SpecKind::Callback => "-callback ",
        });
        if let Some(module) = module {
            self.node(module, ATOMIC);
            self.text(":");
        }
        self.node(name, ATOMIC);
        if let [clause] = *clauses {
            self.spec_clause(clause);
        } else {
            self.indented(|printer| {
                for (index, &clause) in clauses.iter().enumerate() {
                    if index > 0 {
                        printer.text(";");
                    }
                    printer.doc.hard_line();
                    printer.spec_clause(clause);
                }
            });
        }
        self.text(".");
    }

    /// The preprocessor takes one string token here, so it is never cut.
    fn file_attribute(&mut self, file: NodeId, line: NodeId) {
        self.text("-file(");
        match self.kind(file) {
            Kind::String(text) => {
                if let Literal::String(text) = self.module.literal(text) {
                    self.text(&quote::string(text));
                }
            }
            _ => self.node(file, ANY),
        }
        self.text(", ");
        self.node(line, ANY);
        self.text(").");
    }
}
