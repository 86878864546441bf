//! Walking the tree: the children of any node, in the order of the text.
//!
//! One place knows the shape of every kind, so that an analysis which cares for a few kinds only
//! does not have to list the others.

use crate::ast::{Kind, Module, NodeId, NodeList, RecordName};

impl Module {
    /// Calls `visit` with each child of `id`, in the order in which they are written.
    pub fn for_each_child(&self, id: NodeId, mut visit: impl FnMut(NodeId)) {
        self.each_child(id, &mut visit);
    }

    /// The children of `id`, in the order in which they are written.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        let mut children = Vec::new();
        self.each_child(id, &mut |child| children.push(child));
        children
    }

    /// Calls `visit` with `id` and everything below it, parents before children. Does not recurse
    /// on the thread's stack.
    pub fn for_each_below(&self, id: NodeId, mut visit: impl FnMut(NodeId)) {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            visit(id);
            let mark = pending.len();
            self.each_child(id, &mut |child| pending.push(child));
            pending[mark..].reverse();
        }
    }

    fn each_child(&self, id: NodeId, visit: &mut dyn FnMut(NodeId)) {
        let all = |list: NodeList, visit: &mut dyn FnMut(NodeId)| {
            self.list(list).iter().for_each(|&child| visit(child));
        };
        match self.kind(id) {
            Kind::ErrorForm { .. }
            | Kind::WarningForm { .. }
            | Kind::EndOfFile
            | Kind::Atom(_)
            | Kind::Var(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Char(_)
            | Kind::String(_)
            | Kind::Sigil { .. }
            | Kind::Nil
            | Kind::NilType
            | Kind::AnyFunType => {}
            Kind::ModuleAttribute { name } => visit(name),
            Kind::ExportAttribute { names, .. } => all(names, visit),
            Kind::ImportAttribute { module, names } => {
                visit(module);
                all(names.unwrap_or_default(), visit);
            }
            Kind::RecordAttribute { name, fields, .. } => {
                visit(name);
                all(fields, visit);
            }
            Kind::TypeAttribute { name, params, body, .. } => {
                visit(name);
                all(params, visit);
                visit(body);
            }
            Kind::SpecAttribute { module, name, clauses, .. } => {
                module.into_iter().for_each(&mut *visit);
                visit(name);
                all(clauses, visit);
            }
            Kind::FileAttribute { file, line } => {
                visit(file);
                visit(line);
            }
            Kind::Attribute { values, .. } => all(values, visit),
            Kind::Function { clauses, .. } | Kind::Fun { clauses, .. } | Kind::If { clauses } => {
                all(clauses, visit);
            }
            Kind::NameArity { name, arity } => {
                visit(name);
                visit(arity);
            }
            Kind::RecordFieldDef { name, default, ty } => {
                visit(name);
                default.into_iter().for_each(&mut *visit);
                ty.into_iter().for_each(&mut *visit);
            }
            Kind::Clause { patterns, guards, body } => {
                all(patterns, visit);
                all(guards, visit);
                all(body, visit);
            }
            Kind::Guard { tests } => all(tests, visit),
            Kind::CatchPattern { class, reason, stacktrace } => {
                class.into_iter().for_each(&mut *visit);
                visit(reason);
                stacktrace.into_iter().for_each(&mut *visit);
            }
            Kind::Generator { pattern, source, .. } => {
                visit(pattern);
                visit(source);
            }
            Kind::ZipGenerator { generators } => all(generators, visit),
            Kind::MapField { key, value, .. } => {
                visit(key);
                visit(value);
            }
            Kind::RecordField { name, value } => {
                visit(name);
                visit(value);
            }
            Kind::BinElement { value, size, specs } => {
                visit(value);
                size.into_iter().for_each(&mut *visit);
                all(specs.unwrap_or_default(), visit);
            }
            Kind::BinSpec { unit, .. } => unit.into_iter().for_each(&mut *visit),
            Kind::List { elements, tail } => {
                all(elements, visit);
                tail.into_iter().for_each(&mut *visit);
            }
            Kind::Tuple { elements } | Kind::Binary { elements } | Kind::TupleType { elements } => {
                all(elements, visit);
            }
            Kind::Map { base, fields } => {
                base.into_iter().for_each(&mut *visit);
                all(fields, visit);
            }
            Kind::Record { base, name, fields } => {
                base.into_iter().for_each(&mut *visit);
                record_name(name, visit);
                all(fields, visit);
            }
            Kind::RecordAccess { base, name, field } => {
                visit(base);
                record_name(name, visit);
                visit(field);
            }
            Kind::RecordIndex { name, field } => {
                record_name(name, visit);
                visit(field);
            }
            Kind::Match { pattern, value } | Kind::MaybeMatch { pattern, value } => {
                visit(pattern);
                visit(value);
            }
            Kind::BinaryOp { left, right, .. } => {
                visit(left);
                visit(right);
            }
            Kind::UnaryOp { operand, .. } => visit(operand),
            Kind::Call { callee, args } => {
                visit(callee);
                all(args, visit);
            }
            Kind::Remote { module, name } => {
                visit(module);
                visit(name);
            }
            Kind::Catch { body } => visit(body),
            Kind::Block { body } => all(body, visit),
            Kind::Case { subject, clauses } => {
                visit(subject);
                all(clauses, visit);
            }
            Kind::Receive { clauses, after } => {
                all(clauses, visit);
                if let Some(after) = after {
                    visit(after.timeout);
                    all(after.body, visit);
                }
            }
            Kind::Try { body, of, catch, after } => {
                for list in [body, of, catch, after] {
                    all(list, visit);
                }
            }
            Kind::Maybe { body, else_clauses } => {
                all(body, visit);
                all(else_clauses.unwrap_or_default(), visit);
            }
            Kind::FunName { arity, .. } => visit(arity),
            Kind::FunRemote { module, name, arity } => {
                visit(module);
                visit(name);
                visit(arity);
            }
            Kind::Comprehension { exprs, qualifiers, .. } => {
                all(exprs, visit);
                all(qualifiers, visit);
            }
            Kind::UnionType { members } => all(members, visit),
            Kind::AnnotatedType { var, ty } | Kind::ConstraintType { var, ty } => {
                visit(var);
                visit(ty);
            }
            Kind::NamedType { args, .. } => all(args, visit),
            Kind::RemoteType { module, name, args } => {
                visit(module);
                visit(name);
                all(args, visit);
            }
            Kind::ListType { element, .. } => visit(element),
            Kind::MapType { fields } => all(fields, visit),
            Kind::RecordType { name, fields } => {
                visit(name);
                all(fields, visit);
            }
            Kind::RecordFieldType { name, ty } => {
                visit(name);
                visit(ty);
            }
            Kind::BinaryType { size, unit } => {
                size.into_iter().for_each(&mut *visit);
                unit.into_iter().for_each(&mut *visit);
            }
            Kind::RangeType { low, high } => {
                visit(low);
                visit(high);
            }
            Kind::FunType { args, result, .. } => {
                all(args.unwrap_or_default(), visit);
                visit(result);
            }
            Kind::BoundedFunType { fun, constraints } => {
                visit(fun);
                all(constraints, visit);
            }
        }
    }
}

fn record_name(name: RecordName, visit: &mut dyn FnMut(NodeId)) {
    match name {
        RecordName::Local(name) => visit(name),
        RecordName::Remote(module, name) => {
            visit(module);
            visit(name);
        }
        RecordName::Any => {}
    }
}
