//! Forms: attributes, functions, the end of the file.

use std::path::PathBuf;

use atom::Atom;
use syntax::ast::{ExportKind, Kind, NodeId, SpecKind, TypeKind};
use syntax::source::Loc;
use syntax::token::{TokenKind, TokenValue};

use super::{Bad, Builder, Built, excerpt, location};
use crate::terms::Term;

impl<'a> Builder {
    pub(super) fn form(&mut self, term: Term<'a>) {
        let (nodes, lists) = (self.module.nodes.len(), self.module.lists.len());
        let node = self.form_inner(term).unwrap_or_else(|bad| {
            // What was built of the form belongs to nothing.
            self.module.nodes.truncate(nodes);
            self.module.lists.truncate(lists);
            self.depth = 0;
            let loc = term.tuple().and_then(|parts| parts.get(1).map(|anno| location(*anno)));
            let message = format!("abstract code that is not understood: {}", excerpt(bad.0));
            self.error_form(message, loc.unwrap_or_default())
        });
        self.module.forms.push(node);
    }

    pub(super) fn end_of_file(&mut self) {
        // A transform may have put forms behind it.
        let mut kinds = self.module.forms.iter().map(|&form| self.module.kind(form));
        if !kinds.any(|kind| kind == Kind::EndOfFile) {
            let loc = Loc { line: self.last_line + 1, column: 0 };
            let token = self.token(TokenKind::Eof, TokenValue::None, loc);
            let node = self.node_at(Kind::EndOfFile, token);
            self.module.forms.push(node);
        }
    }

    fn form_inner(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let parts = term.tuple().ok_or(Bad(term))?;
        let tag = parts.first().and_then(|tag| tag.atom()).map_or("", |tag| tag.as_str());
        let loc = parts.get(1).map(|annotation| location(*annotation)).unwrap_or_default();
        match (tag, parts.get(2..).unwrap_or_default()) {
            ("attribute", [name, value]) => self.attribute(term, *name, *value, loc),
            ("function", [name, arity, clauses]) => {
                let token = self.place(loc);
                let name = name.atom().ok_or(Bad(term))?;
                let arity = arity.small_integer().and_then(|arity| u32::try_from(arity).ok());
                let arity = arity.ok_or(Bad(term))?;
                let clauses = self.clauses(*clauses)?;
                Ok(self.node_at(Kind::Function { name, arity, clauses }, token))
            }
            ("eof", []) => {
                let token = self.token(TokenKind::Eof, TokenValue::None, loc);
                Ok(self.node_at(Kind::EndOfFile, token))
            }
            _ => Err(Bad(term)),
        }
    }

    fn attribute(
        &mut self,
        term: Term<'a>,
        name: Term<'a>,
        value: Term<'a>,
        loc: Loc,
    ) -> Built<'a, NodeId> {
        let name = name.atom().ok_or(Bad(term))?;
        let token = self.place(loc);
        let special = match name.as_str() {
            "module" => value
                .atom()
                .map(|module| Kind::ModuleAttribute { name: self.atom_node(module, loc) }),
            "export" => self.exports(ExportKind::Functions, value, loc),
            "export_type" => self.exports(ExportKind::Types, value, loc),
            "optional_callbacks" => self.exports(ExportKind::OptionalCallbacks, value, loc),
            "nifs" => self.exports(ExportKind::Nifs, value, loc),
            "import" => self.import(value, loc),
            "file" => self.file_attribute(value, loc),
            "record" => self.record_definition(value, loc, false)?,
            "native_record" => self.record_definition(value, loc, true)?,
            "export_record" => self.record_exports(value, loc),
            "import_record" => self.record_imports(name, value, loc),
            "type" => self.type_definition(TypeKind::Type, value, loc)?,
            "opaque" => self.type_definition(TypeKind::Opaque, value, loc)?,
            "nominal" => self.type_definition(TypeKind::Nominal, value, loc)?,
            "spec" => self.specification(SpecKind::Spec, value, loc)?,
            "callback" => self.specification(SpecKind::Callback, value, loc)?,
            _ => None,
        };
        let kind = match special {
            Some(kind) => kind,
            None => {
                let value = self.constant(value, loc)?;
                Kind::Attribute { name, values: self.list_of(&[value]) }
            }
        };
        self.module.has_native_records |= kind.is_about_native_records();
        Ok(self.node_at(kind, token))
    }

    fn atoms(&mut self, list: Term<'a>, loc: Loc) -> Option<Vec<NodeId>> {
        let names: Option<Vec<_>> = list.list()?.into_iter().map(|name| name.atom()).collect();
        Some(names?.into_iter().map(|name| self.atom_node(name, loc)).collect())
    }

    fn record_exports(&mut self, value: Term<'a>, loc: Loc) -> Option<Kind> {
        let names = self.atoms(value, loc)?;
        Some(Kind::ExportAttribute { which: ExportKind::Records, names: self.list_of(&names) })
    }

    fn record_imports(&mut self, name: Atom, value: Term<'a>, loc: Loc) -> Option<Kind> {
        let [module, names] = value.tuple()?[..] else { return None };
        let module = self.atom_node(module.atom()?, loc);
        let names = self.constant(names, loc).ok()?;
        Some(Kind::Attribute { name, values: self.list_of(&[module, names]) })
    }

    /// `[{f, 1}, …]`; a list of anything else is left to be an ordinary value.
    fn names(&mut self, list: Term<'a>, loc: Loc) -> Option<syntax::ast::NodeList> {
        let pairs: Option<Vec<_>> = list
            .list()?
            .into_iter()
            .map(|pair| match pair.tuple()?[..] {
                [name, arity] => Some((name.atom()?, arity.integer()?)),
                _ => None,
            })
            .collect();
        let mut nodes = Vec::new();
        for (name, arity) in pairs? {
            let name = self.atom_node(name, loc);
            let token = self.module[name].anchor;
            let arity = self.integer_node(arity, loc);
            nodes.push(self.node_at(Kind::NameArity { name, arity }, token));
        }
        Some(self.list_of(&nodes))
    }

    fn exports(&mut self, which: ExportKind, value: Term<'a>, loc: Loc) -> Option<Kind> {
        Some(Kind::ExportAttribute { which, names: self.names(value, loc)? })
    }

    fn import(&mut self, value: Term<'a>, loc: Loc) -> Option<Kind> {
        if let Some(module) = value.atom() {
            let module = self.atom_node(module, loc);
            return Some(Kind::ImportAttribute { module, names: None });
        }
        let [module, names] = value.tuple()?[..] else { return None };
        let module = module.atom()?;
        let names = Some(self.names(names, loc)?);
        Some(Kind::ImportAttribute { module: self.atom_node(module, loc), names })
    }

    fn file_attribute(&mut self, value: Term<'a>, loc: Loc) -> Option<Kind> {
        let [file, line] = value.tuple()?[..] else { return None };
        let (file, line) = (file.string()?, line.integer()?);
        self.file = self.add_file(PathBuf::from(&file));
        let file = self.string_node(file, loc);
        Some(Kind::FileAttribute { file, line: self.integer_node(line, loc) })
    }

    fn record_definition(
        &mut self,
        value: Term<'a>,
        loc: Loc,
        native: bool,
    ) -> Built<'a, Option<Kind>> {
        let pair = value.tuple().unwrap_or_default();
        let [name, fields] = pair[..] else { return Ok(None) };
        let Some(name) = name.atom() else { return Ok(None) };
        let name = self.atom_node(name, loc);
        let fields = self.each(fields, |this, field| this.field_definition(field))?;
        Ok(Some(Kind::RecordAttribute { name, fields, native }))
    }

    /// `{record_field, _, Name}`, the same with a default, or either with a type around it.
    fn field_definition(&mut self, term: Term<'a>) -> Built<'a, NodeId> {
        let (field, ty) = match term.tagged("typed_record_field").as_deref() {
            Some([field, ty]) => (*field, Some(*ty)),
            _ => (term, None),
        };
        let parts = field.tagged("record_field").ok_or(Bad(term))?;
        let (annotation, name, default) = match parts[..] {
            [annotation, name] => (annotation, name, None),
            [annotation, name, default] => (annotation, name, Some(default)),
            _ => return Err(Bad(term)),
        };
        let token = self.place(location(annotation));
        let name = self.expression(name)?;
        let default = default.map(|default| self.expression(default)).transpose()?;
        let ty = ty.map(|ty| self.ty(ty)).transpose()?;
        Ok(self.node_at(Kind::RecordFieldDef { name, default, ty }, token))
    }

    fn type_definition(
        &mut self,
        which: TypeKind,
        value: Term<'a>,
        loc: Loc,
    ) -> Built<'a, Option<Kind>> {
        let parts = value.tuple().unwrap_or_default();
        let [name, body, params] = parts[..] else { return Ok(None) };
        let Some(name) = name.atom() else { return Ok(None) };
        let name = self.atom_node(name, loc);
        let params = self.each(params, |this, param| this.expression(param))?;
        let body = self.ty(body)?;
        Ok(Some(Kind::TypeAttribute { which, name, params, body }))
    }

    fn specification(
        &mut self,
        which: SpecKind,
        value: Term<'a>,
        loc: Loc,
    ) -> Built<'a, Option<Kind>> {
        let pair = value.tuple().unwrap_or_default();
        let [of, clauses] = pair[..] else { return Ok(None) };
        let (module, name) = match of.tuple().unwrap_or_default()[..] {
            [name, _arity] => (None, name),
            [module, name, _arity] => (Some(module), name),
            _ => return Ok(None),
        };
        let module = match module {
            Some(module) => Some(self.atom_node(module.atom().ok_or(Bad(of))?, loc)),
            None => None,
        };
        let name = self.atom_node(name.atom().ok_or(Bad(of))?, loc);
        let clauses = self.each(clauses, |this, clause| this.ty(clause))?;
        Ok(Some(Kind::SpecAttribute { which, module, name, clauses }))
    }
}
