//! The children of a node, whatever its kind.

use crate::tree::{Kind, List, NodeId, Tree};

impl Tree {
    /// Calls `each` for every child, in the order of the text but for the annotations of brackets.
    pub fn children(&self, id: NodeId, mut each: impl FnMut(NodeId)) {
        let mut children = Children { tree: self, each: &mut each };
        children.of(self.kind(id));
    }
}

struct Children<'t, 'f> {
    tree: &'t Tree,
    each: &'f mut dyn FnMut(NodeId),
}

impl Children<'_, '_> {
    fn one(&mut self, id: NodeId) {
        (self.each)(id);
    }

    fn some(&mut self, id: Option<NodeId>) {
        if let Some(id) = id {
            (self.each)(id);
        }
    }

    fn all(&mut self, list: List) {
        for id in self.tree.list(list) {
            (self.each)(id);
        }
    }

    fn two(&mut self, first: NodeId, second: NodeId) {
        self.one(first);
        self.one(second);
    }

    fn of(&mut self, kind: Kind) {
        match kind {
            Kind::Unit { package, imports, declarations } => {
                self.some(package);
                self.all(imports);
                self.all(declarations);
            }
            Kind::Package { annotations, name } => {
                self.all(annotations);
                self.one(name);
            }
            Kind::Import { name, .. } | Kind::Requires { name, .. } => self.one(name),
            Kind::Module { annotations, name, directives, .. } => {
                self.all(annotations);
                self.one(name);
                self.all(directives);
            }
            Kind::Exports { package: name, to: others }
            | Kind::Opens { package: name, to: others }
            | Kind::Provides { service: name, with: others } => {
                self.one(name);
                self.all(others);
            }
            Kind::Uses { service } => self.one(service),
            Kind::Class(id) => {
                let class = *self.tree.class(id);
                self.some(class.modifiers);
                self.all(class.type_parameters);
                self.all(class.components);
                self.some(class.extends);
                self.all(class.implements);
                self.all(class.permits);
                self.all(class.members);
            }
            Kind::Method(id) => {
                let method = *self.tree.method(id);
                self.some(method.modifiers);
                self.all(method.type_parameters);
                self.all(method.annotations);
                self.some(method.result);
                self.some(method.receiver);
                self.all(method.parameters);
                self.all(method.dims);
                self.all(method.throws);
                self.some(method.body);
                self.some(method.default);
            }
            Kind::Initializer { modifiers, body } => {
                self.some(modifiers);
                self.one(body);
            }
            Kind::Variables { modifiers, ty, variables } => {
                self.some(modifiers);
                self.one(ty);
                self.all(variables);
            }
            Kind::Variable { dims, value, .. } => {
                self.all(dims);
                self.some(value);
            }
            Kind::Parameter { modifiers, ty, dims, .. } => {
                self.some(modifiers);
                self.some(ty);
                self.all(dims);
            }
            Kind::Receiver { modifiers, ty, name } => {
                self.some(modifiers);
                self.two(ty, name);
            }
            Kind::EnumConstant { modifiers, args, body, .. } => {
                self.some(modifiers);
                self.all(args);
                self.some(body);
            }
            Kind::Modifiers { annotations, .. } => self.all(annotations),
            Kind::Annotation { name, args } => {
                self.one(name);
                self.all(args);
            }
            Kind::TypeParameter { annotations, bounds, .. } => {
                self.all(annotations);
                self.all(bounds);
            }
            Kind::Dimension { annotations, size } => {
                self.all(annotations);
                self.some(size);
            }
            _ if self.of_type(kind) || self.of_statement(kind) => {}
            _ => self.of_expression(kind),
        }
    }

    fn of_type(&mut self, kind: Kind) -> bool {
        match kind {
            Kind::ArrayType { element } => self.one(element),
            Kind::ParameterizedType { base, args } => {
                self.one(base);
                self.all(args);
            }
            Kind::AnnotatedType { annotations, ty } => {
                self.all(annotations);
                self.one(ty);
            }
            Kind::Wildcard { ty, .. } => self.some(ty),
            Kind::UnionType { alternatives: types } | Kind::IntersectionType { bounds: types } => {
                self.all(types);
            }
            Kind::BindingPattern { variable } => self.one(variable),
            Kind::RecordPattern { ty, patterns } => {
                self.one(ty);
                self.all(patterns);
            }
            _ => return false,
        }
        true
    }

    fn of_statement(&mut self, kind: Kind) -> bool {
        match kind {
            Kind::Block { statements } => self.all(statements),
            Kind::ExpressionStatement { expression } => self.one(expression),
            Kind::If { condition, then, otherwise } => {
                self.two(condition, then);
                self.some(otherwise);
            }
            Kind::While { condition, body } => self.two(condition, body),
            Kind::Do { body, condition } => self.two(body, condition),
            Kind::For { init, condition, update, body } => {
                self.all(init);
                self.some(condition);
                self.all(update);
                self.one(body);
            }
            Kind::ForEach { variable, iterable, body } => {
                self.one(variable);
                self.two(iterable, body);
            }
            Kind::Labeled { statement, .. } => self.one(statement),
            Kind::Switch { selector, cases } | Kind::SwitchExpression { selector, cases } => {
                self.one(selector);
                self.all(cases);
            }
            Kind::Case { labels, guard, body, .. } => {
                self.all(labels);
                self.some(guard);
                self.all(body);
            }
            Kind::Synchronized { lock, body } => self.two(lock, body),
            Kind::Try { resources, body, catches, finally } => {
                self.all(resources);
                self.one(body);
                self.all(catches);
                self.some(finally);
            }
            Kind::Catch { parameter, body } => self.two(parameter, body),
            Kind::Return { value } => self.some(value),
            Kind::Throw { value } | Kind::Yield { value } => self.one(value),
            Kind::Assert { condition, detail } => {
                self.one(condition);
                self.some(detail);
            }
            _ => return false,
        }
        true
    }

    fn of_expression(&mut self, kind: Kind) {
        match kind {
            Kind::Select { target: inner, .. }
            | Kind::ClassLiteral { ty: inner }
            | Kind::Parens { inner }
            | Kind::Unary { operand: inner, .. } => self.one(inner),
            Kind::This { qualifier } | Kind::Super { qualifier } => self.some(qualifier),
            Kind::Binary { left, right, .. } => self.two(left, right),
            Kind::Assign { target, value } | Kind::CompoundAssign { target, value, .. } => {
                self.two(target, value);
            }
            Kind::Conditional { condition, then, otherwise } => {
                self.one(condition);
                self.two(then, otherwise);
            }
            Kind::InstanceOf { value, what } => self.two(value, what),
            Kind::Cast { ty, value } => self.two(ty, value),
            Kind::Call { type_args, function, args } => {
                self.all(type_args);
                self.one(function);
                self.all(args);
            }
            Kind::New { outer, type_args, class, args, body } => {
                self.some(outer);
                self.all(type_args);
                self.one(class);
                self.all(args);
                self.some(body);
            }
            Kind::NewArray { element, dims, value } => {
                self.one(element);
                self.all(dims);
                self.some(value);
            }
            Kind::ArrayInitializer { values } => self.all(values),
            Kind::ArrayAccess { array, index } => self.two(array, index),
            Kind::Lambda { parameters, body } => {
                self.all(parameters);
                self.one(body);
            }
            Kind::MethodReference { target, type_args, .. }
            | Kind::ConstructorReference { target, type_args } => {
                self.one(target);
                self.all(type_args);
            }
            _ => {}
        }
    }
}
