//! Expressions as javac has them.

use java::literal::Value;
use java::source::Span;
use java::tree::{BinaryOp, Kind, List, NodeId};

use super::names::{binary_name, literal_name, unary_name};
use super::{Use, View};

impl View<'_> {
    pub(super) fn expression(&mut self, id: NodeId, span: Span) {
        let mut rest: Vec<NodeId> = Vec::new();
        let mut special: Option<String> = None;
        let kind = match self.tree.kind(id) {
            Kind::Name(name) => {
                special = Some(name.as_str().to_owned());
                "IDENTIFIER"
            }
            Kind::Select { target, name } => {
                rest.push(target);
                special = Some(name.as_str().to_owned());
                "MEMBER_SELECT"
            }
            Kind::ClassLiteral { ty } => {
                rest.push(ty);
                special = Some("class".to_owned());
                "MEMBER_SELECT"
            }
            Kind::This { qualifier } => {
                rest.extend(qualifier);
                special = Some("this".to_owned());
                if qualifier.is_some() { "MEMBER_SELECT" } else { "IDENTIFIER" }
            }
            Kind::Super { qualifier } => {
                rest.extend(qualifier);
                special = Some("super".to_owned());
                if qualifier.is_some() { "MEMBER_SELECT" } else { "IDENTIFIER" }
            }
            Kind::Literal(literal) => {
                special = Some(self.value(id));
                literal_name(literal)
            }
            Kind::Parens { inner } => {
                rest.push(inner);
                "PARENTHESIZED"
            }
            Kind::Unary { op, operand } => {
                rest.push(operand);
                unary_name(op)
            }
            Kind::Binary { op, left, right } => {
                rest.extend([left, right]);
                binary_name(op)
            }
            Kind::Assign { target, value } => {
                rest.extend([target, value]);
                "ASSIGNMENT"
            }
            Kind::CompoundAssign { op, target, value } => {
                let kind = match op {
                    BinaryOp::BitAnd => "AND_ASSIGNMENT".to_owned(),
                    _ => format!("{}_ASSIGNMENT", binary_name(op)),
                };
                self.simple(id, &kind, None, &[target, value]);
                return;
            }
            Kind::Conditional { condition, then, otherwise } => {
                rest.extend([condition, then, otherwise]);
                "CONDITIONAL_EXPRESSION"
            }
            Kind::InstanceOf { value, what } => {
                rest.extend([value, what]);
                "INSTANCE_OF"
            }
            Kind::Cast { ty, value } => {
                self.cast(span, ty, value);
                return;
            }
            Kind::Call { type_args, function, args } => {
                if self.generic_constructor(span, type_args, function, args) {
                    return;
                }
                rest.extend(self.tree.list(type_args).chain([function]));
                rest.extend(self.tree.list(args));
                "METHOD_INVOCATION"
            }
            Kind::New { outer, type_args, class, args, body } => {
                rest.extend(outer.into_iter().chain([class]));
                rest.extend(self.tree.list(type_args).chain(self.tree.list(args)).chain(body));
                "NEW_CLASS"
            }
            Kind::NewArray { .. } => {
                self.new_array(id, span);
                return;
            }
            Kind::ArrayInitializer { values } => {
                rest.extend(self.tree.list(values));
                "NEW_ARRAY"
            }
            Kind::ArrayAccess { array, index } => {
                rest.extend([array, index]);
                "ARRAY_ACCESS"
            }
            Kind::Lambda { parameters, body } => {
                rest.extend(self.tree.list(parameters).chain([body]));
                "LAMBDA_EXPRESSION"
            }
            Kind::MethodReference { target, type_args, name } => {
                rest.extend([target].into_iter().chain(self.tree.list(type_args)));
                special = Some(name.as_str().to_owned());
                "MEMBER_REFERENCE"
            }
            Kind::ConstructorReference { target, type_args } => {
                rest.extend([target].into_iter().chain(self.tree.list(type_args)));
                special = Some("<init>".to_owned());
                "MEMBER_REFERENCE"
            }
            Kind::SwitchExpression { selector, cases } => {
                rest.extend([selector].into_iter().chain(self.tree.list(cases)));
                "SWITCH_EXPRESSION"
            }
            _ => "ERRONEOUS",
        };
        self.simple(id, kind, special.as_deref(), &rest);
    }

    fn cast(&mut self, span: Span, ty: NodeId, value: NodeId) {
        self.at("TYPE_CAST", span, None);
        self.within(|view| {
            if let Kind::IntersectionType { bounds } = view.tree.kind(ty) {
                // javac lets it begin with the parenthesis.
                let end = view.tree.span(ty).end;
                view.at("INTERSECTION_TYPE", Span { start: span.start, end }, None);
                view.within(|view| view.all(bounds));
            } else {
                view.node(ty, Use::Plain);
            }
            view.node(value, Use::Plain);
        });
    }

    /// `<T>this(…)`: to javac the keyword begins with the type arguments in front of it.
    fn generic_constructor(
        &mut self,
        span: Span,
        types: List,
        function: NodeId,
        args: List,
    ) -> bool {
        let name = match self.tree.kind(function) {
            Kind::This { qualifier: None } => "this",
            Kind::Super { qualifier: None } => "super",
            _ => return false,
        };
        self.at("METHOD_INVOCATION", span, None);
        self.within(|view| {
            view.all(types);
            let end = view.tree.span(function).end;
            view.at("IDENTIFIER", Span { start: span.start, end }, Some(name));
            view.all(args);
        });
        true
    }

    fn new_array(&mut self, id: NodeId, span: Span) {
        let Kind::NewArray { element, dims, value } = self.tree.kind(id) else { return };
        let dims: Vec<NodeId> = self.tree.list(dims).collect();
        let size_of = |id: NodeId| match self.tree.kind(id) {
            Kind::Dimension { size, .. } => size,
            _ => None,
        };
        let sizes: Vec<NodeId> = dims.iter().filter_map(|&id| size_of(id)).collect();
        // The first brackets are what `new` is about, the others belong to the type.
        let own = sizes.len().max(1).min(dims.len());
        self.at("NEW_ARRAY", span, None);
        self.within(|view| {
            view.array_types(element, &dims[own..]);
            for &size in &sizes {
                view.node(size, Use::Plain);
            }
            if let Some(Kind::ArrayInitializer { values }) = value.map(|id| view.tree.kind(id)) {
                view.all(values);
            }
            for &dimension in &dims[..own] {
                if let Kind::Dimension { annotations, .. } = view.tree.kind(dimension) {
                    view.annotations(annotations, Use::Type);
                }
            }
        });
    }

    fn value(&self, id: NodeId) -> String {
        match self.tree.value(id) {
            Some(Value::Int(value)) => value.to_string(),
            Some(Value::Long(value)) => value.to_string(),
            Some(Value::Float(value)) => format!("{:x}", value.to_bits()),
            Some(Value::Double(value)) => format!("{:x}", value.to_bits()),
            Some(Value::Char(value)) => value.to_string(),
            Some(Value::Boolean(value)) => value.to_string(),
            Some(Value::Null) => "null".to_owned(),
            Some(Value::String(units)) => {
                let hash = units
                    .iter()
                    .fold(0i32, |hash, &unit| hash.wrapping_mul(31).wrapping_add(unit.into()));
                format!("{} {hash}", units.len())
            }
            None => "?".to_owned(),
        }
    }
}
