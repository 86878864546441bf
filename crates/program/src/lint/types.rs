//! Types, specs and callbacks: definitions, uses, type variables.

use atom::{Atom, known};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, NodeId, NodeList, SpecKind, TypeKind};

use super::{Linter, NameArity, constant, tables, with_stack};

pub(super) struct TypeInfo {
    pub(super) which: TypeKind,
    pub(super) node: NodeId,
    pub(super) in_first_file: bool,
}

/// Where a type is used. A type that only unused types use is unused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum TypeUser {
    Export,
    Type(NameArity),
    /// A record, spec or callback.
    Other,
}

pub(super) struct TypeUse {
    pub(super) ty: NameArity,
    pub(super) by: TypeUser,
    /// Where OTP reports it, and the text in question.
    pub(super) at: NodeId,
    pub(super) text: NodeId,
}

/// Type variables of one definition or spec: the only place of each, if it is only one.
type TypeVars = FxHashMap<Atom, Option<NodeId>>;

impl Linter<'_> {
    pub(super) fn define_type(
        &mut self,
        form: NodeId,
        which: TypeKind,
        name: NodeId,
        params: NodeList,
        body: NodeId,
    ) {
        let Some(name) = self.atom(name) else { return };
        let ty = (name, params.len);
        let built_in = tables::is_built_in_type(ty, self.release);
        if built_in && !self.switches.no_auto_import_types && self.release < 26 {
            let message = format!("the type {name}/{} is built in", params.len);
            self.error(form, "builtin_type", message);
            return;
        }
        if let Some(earlier) = self.types.get(&ty) {
            let related = self.related("defined here first", earlier.node);
            let message = format!("the type {name}/{} is already defined", params.len);
            self.error(form, "redefine_type", message).related.push(related);
            return;
        }
        if which == TypeKind::Opaque && params.is_empty() && self.is_any_type(body) {
            let message = format!("the opaque type {name}() says nothing");
            self.warning(form, "underspecified_opaque", message);
        }
        self.types.insert(ty, TypeInfo { which, node: form, in_first_file: self.in_first_file });
        self.type_user = TypeUser::Type(ty);
        let mut parts = vec![body];
        parts.extend(self.module.list(params));
        self.check_types_together(&parts);
    }

    fn is_any_type(&self, id: NodeId) -> bool {
        matches!(self.kind(id), Kind::NamedType { name, args }
            if args.is_empty() && matches!(name.as_str(), "any" | "term"))
    }

    pub(super) fn use_type(&mut self, ty: NameArity, at: NodeId, text: NodeId) {
        self.type_uses.push(TypeUse { ty, by: self.type_user, at, text });
    }

    pub(super) fn spec(
        &mut self,
        form: NodeId,
        which: SpecKind,
        module: Option<NodeId>,
        name: NodeId,
        clauses: NodeList,
    ) {
        let Some(name) = self.atom(name) else { return };
        let clauses = self.module.list(clauses);
        let arity = clauses.first().map_or(0, |&clause| self.spec_arity(clause));
        let function = (name, arity);
        let module = module.and_then(|module| self.atom(module));
        if which == SpecKind::Callback {
            self.callback(form, module, function, clauses);
            return;
        }
        let own = self.module_name.unwrap_or(known::EMPTY);
        let of = module.unwrap_or(own);
        self.check_module_name(of, form);
        if let Some(earlier) = self.specs.insert((of, function), form) {
            let related = self.related("the first one", earlier);
            let message = format!("{name}/{arity} has two specs");
            self.error(form, "redefine_spec", message).related.push(related);
            return;
        }
        if of != own {
            let message = format!("a spec for {of}:{name}/{arity}, which is in another module");
            self.error(form, "bad_module", message);
        }
        self.check_spec_clauses(clauses, arity, "spec_wrong_arity");
    }

    fn callback(
        &mut self,
        form: NodeId,
        module: Option<Atom>,
        function: NameArity,
        clauses: &[NodeId],
    ) {
        let (name, arity) = function;
        if let Some(module) = module {
            self.check_module_name(module, form);
            let message = format!("the callback {module}:{name}/{arity} must not name a module");
            self.error(form, "bad_callback", message);
            return;
        }
        if let Some(earlier) = self.callbacks.insert(function, form) {
            let related = self.related("the first one", earlier);
            let message = format!("the callback {name}/{arity} is already declared");
            self.error(form, "redefine_callback", message).related.push(related);
            return;
        }
        self.check_spec_clauses(clauses, arity, "callback_wrong_arity");
    }

    fn spec_arity(&self, clause: NodeId) -> u32 {
        match self.kind(clause) {
            Kind::FunType { args, .. } => args.map_or(0, |args| args.len),
            Kind::BoundedFunType { fun, .. } => match self.kind(fun) {
                Kind::FunType { args, .. } => args.map_or(0, |args| args.len),
                _ => 0,
            },
            _ => 0,
        }
    }

    fn check_spec_clauses(&mut self, clauses: &[NodeId], arity: u32, code: &'static str) {
        self.type_user = TypeUser::Other;
        for &clause in clauses {
            let (fun, constraints) = match self.kind(clause) {
                Kind::BoundedFunType { fun, constraints } => (fun, constraints),
                _ => (clause, NodeList::EMPTY),
            };
            if self.spec_arity(clause) != arity {
                let message = format!("all clauses of a spec must have {arity} arguments");
                self.error(fun, code, message);
            }
            let mut parts = vec![fun];
            for &constraint in self.module.list(constraints) {
                if let Kind::ConstraintType { var, ty } = self.kind(constraint) {
                    parts.extend([var, ty]);
                }
            }
            self.check_types_together(&parts);
        }
    }

    /// Checks types that share their variables: one that occurs only once means nothing.
    pub(super) fn check_types_together(&mut self, types: &[NodeId]) {
        let mut vars = TypeVars::default();
        for &ty in types {
            self.check_type(ty, &mut vars);
        }
        let mut single: Vec<(NodeId, Atom)> =
            vars.iter().filter_map(|(&name, &place)| Some((place?, name))).collect();
        single.sort();
        for (place, name) in single {
            if !name.as_str().starts_with('_') {
                let message = format!("the type variable {name} occurs only once");
                self.error(place, "singleton_typevar", message).help =
                    Some("write _ or a type instead".into());
            }
        }
    }

    fn check_type(&mut self, id: NodeId, vars: &mut TypeVars) {
        with_stack(|| self.check_type_of_kind(id, vars));
    }

    fn check_all_types(&mut self, types: &[NodeId], vars: &mut TypeVars) {
        for &ty in types {
            self.check_type(ty, vars);
        }
    }

    fn bad_type(&mut self, at: NodeId, what: &str) {
        self.error(at, "type_syntax", format!("this is no {what} type"));
    }

    fn check_type_of_kind(&mut self, id: NodeId, vars: &mut TypeVars) {
        match self.kind(id) {
            Kind::AnnotatedType { ty, .. } => self.check_type(ty, vars),
            Kind::RemoteType { .. } => self.check_remote_type(id, vars),
            Kind::Integer(_) | Kind::Atom(_) | Kind::NilType | Kind::AnyFunType | Kind::Nil => {}
            Kind::Var(known::UNDERSCORE) => {}
            Kind::Var(name) => {
                vars.entry(name).and_modify(|place| *place = None).or_insert(Some(id));
            }
            Kind::FunType { args, result, .. } => {
                self.check_all_types(self.module.list(args.unwrap_or_default()), vars);
                self.check_type(result, vars);
            }
            Kind::RangeType { low, high } => {
                let low = constant::integer(self.module, low);
                let high = constant::integer(self.module, high);
                if !matches!((low, high), (Some(low), Some(high)) if low < high) {
                    self.bad_type(id, "range");
                }
            }
            Kind::BinaryType { size, unit } => {
                let bad = [size, unit].into_iter().flatten().any(|part| {
                    constant::integer(self.module, part)
                        .is_none_or(|value| value.sign() == num_bigint::Sign::Minus)
                });
                if bad {
                    self.bad_type(id, "binary");
                }
            }
            Kind::MapType { fields } => {
                for &field in self.module.list(fields) {
                    if let Kind::MapField { key, value, .. } = self.kind(field) {
                        self.check_all_types(&[key, value], vars);
                    }
                }
            }
            Kind::RecordType { name, fields } => self.check_record_type(id, name, fields, vars),
            Kind::UnionType { members } => self.check_all_types(self.module.list(members), vars),
            Kind::TupleType { elements } => self.check_all_types(self.module.list(elements), vars),
            Kind::ListType { element, .. } => self.check_type(element, vars),
            Kind::NamedType { name, args } => self.check_named_type(id, name, args, vars),
            _ => {
                if constant::integer(self.module, id).is_none() {
                    self.bad_type(id, "integer");
                }
            }
        }
    }

    fn check_named_type(&mut self, id: NodeId, name: Atom, args: NodeList, vars: &mut TypeVars) {
        let ty = (name, args.len);
        if !tables::is_built_in_type(ty, self.release) || self.types.contains_key(&ty) {
            self.use_type(ty, id, id);
        } else if name.as_str() == "bool" {
            self.warning(id, "renamed_type", "the type bool() is called boolean()".into());
        }
        self.check_all_types(self.module.list(args), vars);
    }

    fn check_remote_type(&mut self, id: NodeId, vars: &mut TypeVars) {
        let Kind::RemoteType { module, name, args } = self.kind(id) else { return };
        if let (Some(module), Some(name)) = (self.atom(module), self.atom(name)) {
            self.check_module_name(module, id);
            self.check_deprecated_type(id, module, name, args.len);
            if Some(module) == self.module_name {
                self.use_type((name, args.len), id, id);
            }
        }
        self.check_all_types(self.module.list(args), vars);
    }

    fn check_record_type(
        &mut self,
        id: NodeId,
        name: NodeId,
        fields: NodeList,
        vars: &mut TypeVars,
    ) {
        let Some(name) = self.atom(name) else {
            self.bad_type(id, "record");
            return;
        };
        self.usage.records.insert(name);
        if !self.records.contains_key(&name) {
            if !self.imported_records.contains(&name) {
                self.undefined_record(id, name);
            }
            return;
        }
        let mut seen = Vec::new();
        for &field in self.module.list(fields) {
            let Kind::RecordFieldType { name: field_node, ty } = self.kind(field) else { continue };
            let Some(field_name) = self.atom(field_node) else { continue };
            self.check_field_name(name, field_node);
            if seen.contains(&field_name) {
                self.repeated_field(field_node, name, field_name);
            }
            seen.push(field_name);
            self.check_type(ty, vars);
        }
    }
}
