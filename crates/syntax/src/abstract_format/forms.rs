//! Forms of the abstract format.

use std::fmt;

use atom::Atom;

use crate::ast::{ExportKind, Kind, NodeId, NodeList, SpecKind, TypeKind};

use super::{Work, Writer};

impl Writer<'_> {
    pub(super) fn form(&mut self, form: NodeId) -> fmt::Result {
        match self.module.kind(form) {
            Kind::Function { name, arity, clauses } => {
                self.open("function", form)?;
                self.out.write_char(',')?;
                self.atom(name)?;
                write!(self.out, ",{arity},")?;
                self.then([Work::Nodes(clauses, 0), Work::Close(1)]);
                Ok(())
            }
            Kind::ErrorForm { diagnostic } => self.diagnostic("error", diagnostic),
            Kind::WarningForm { diagnostic } => self.diagnostic("warning", diagnostic),
            Kind::EndOfFile => {
                self.out.write_str("{eof,")?;
                self.token_anno(self.module[form].anchor)?;
                self.out.write_char('}')
            }
            _ => self.attribute(form),
        }
    }

    fn diagnostic(&mut self, tag: &str, index: u32) -> fmt::Result {
        let Some(diagnostic) = self.module.diagnostics.get(index as usize) else {
            return write!(self.out, "{{{tag},unknown}}");
        };
        write!(self.out, "{{{tag},{{")?;
        self.loc(diagnostic.loc)?;
        let origin = diagnostic.origin.otp_module();
        let descriptor = diagnostic.otp_descriptor.as_deref().unwrap_or(diagnostic.code);
        write!(self.out, ",{origin},{descriptor}}}}}")
    }

    fn attribute(&mut self, form: NodeId) -> fmt::Result {
        if self.is_written_file_attribute(form) {
            self.out.write_str("{attribute,[{generated,true},{location,")?;
            self.loc(self.module.loc(form))?;
            self.out.write_str("}]")?;
        } else {
            self.open("attribute", form)?;
        }
        self.out.write_char(',')?;
        match self.module.kind(form) {
            Kind::ModuleAttribute { name } => self.simple("module,", Work::Term(name)),
            Kind::ExportAttribute { which, names } => self.simple(
                match which {
                    ExportKind::Functions => "export,",
                    ExportKind::Types => "export_type,",
                    ExportKind::OptionalCallbacks => "optional_callbacks,",
                    ExportKind::Nifs => "nifs,",
                    ExportKind::Records => "export_record,",
                },
                Work::Terms(names, 0),
            ),
            Kind::ImportAttribute { module, names: None } => {
                self.simple("import,", Work::Term(module))
            }
            Kind::ImportAttribute { module, names: Some(names) } => {
                self.then([
                    Work::Text("import,{"),
                    Work::Term(module),
                    Work::Text(","),
                    Work::Terms(names, 0),
                    Work::Close(2),
                ]);
                Ok(())
            }
            Kind::RecordAttribute { name, fields, native } => {
                self.then([
                    Work::Text(if native { "native_record,{" } else { "record,{" }),
                    Work::Term(name),
                    Work::Text(","),
                    Work::Nodes(fields, 0),
                    Work::Close(2),
                ]);
                Ok(())
            }
            Kind::TypeAttribute { which, name, params, body } => {
                self.then([
                    Work::Text(match which {
                        TypeKind::Type => "type,{",
                        TypeKind::Opaque => "opaque,{",
                        TypeKind::Nominal => "nominal,{",
                    }),
                    Work::Term(name),
                    Work::Text(","),
                    Work::Node(body),
                    Work::Text(","),
                    Work::Nodes(params, 0),
                    Work::Close(2),
                ]);
                Ok(())
            }
            Kind::SpecAttribute { which, module, name, clauses } => {
                self.spec(which, module, name, clauses)
            }
            Kind::FileAttribute { file, line } => {
                self.then([
                    Work::Text("file,{"),
                    Work::Term(file),
                    Work::Text(","),
                    Work::Term(line),
                    Work::Close(2),
                ]);
                Ok(())
            }
            Kind::Attribute { name, values } => self.free_attribute(name, values),
            // No other kind is a form.
            _ => self.simple("unknown,", Work::Text("[]")),
        }
    }

    /// OTP marks a `-file` of the user's, but not those that an include makes: these stand for no
    /// text.
    fn is_written_file_attribute(&self, form: NodeId) -> bool {
        let span = self.module.token(self.module[form].anchor).span;
        matches!(self.module.kind(form), Kind::FileAttribute { .. }) && span.start < span.end
    }

    fn simple(&mut self, name: &'static str, value: Work) -> fmt::Result {
        self.out.write_str(name)?;
        self.then([value, Work::Close(1)]);
        Ok(())
    }

    fn free_attribute(&mut self, name: Atom, values: NodeList) -> fmt::Result {
        self.atom(name)?;
        self.out.write_char(',')?;
        match *self.module.list(values) {
            [value] => self.then([Work::Term(value), Work::Close(1)]),
            // The two values of a parameterised module, and of `-import_record`.
            [first, second] => self.then([
                Work::Text("{"),
                Work::Term(first),
                Work::Text(","),
                Work::Term(second),
                Work::Close(2),
            ]),
            _ => self.then([Work::Terms(values, 0), Work::Close(1)]),
        }
        Ok(())
    }

    fn spec(
        &mut self,
        which: SpecKind,
        module: Option<NodeId>,
        name: NodeId,
        clauses: NodeList,
    ) -> fmt::Result {
        self.out.write_str(match which {
            SpecKind::Spec => "spec,{{",
            SpecKind::Callback => "callback,{{",
        })?;
        for node in module.into_iter().chain([name]) {
            if let Kind::Atom(atom) = self.module.kind(node) {
                self.atom(atom)?;
            }
            self.out.write_char(',')?;
        }
        write!(self.out, "{}}},", self.spec_arity(clauses))?;
        self.then([Work::Nodes(clauses, 0), Work::Close(2)]);
        Ok(())
    }

    fn spec_arity(&self, clauses: NodeList) -> u32 {
        let Some(&clause) = self.module.list(clauses).first() else { return 0 };
        let fun = match self.module.kind(clause) {
            Kind::BoundedFunType { fun, .. } => fun,
            _ => clause,
        };
        match self.module.kind(fun) {
            Kind::FunType { args, .. } => args.map_or(0, |args| args.len),
            _ => 0,
        }
    }
}
