//! Expressions: what their names mean and what type they have.

use atom::Atom;

use crate::tree::{BinaryOp, ClassKind, Kind, List, Literal, NodeId, UnaryOp, WildcardBound};

use super::bodies::{Body, Local};
use super::calls::Decided;
use super::lookup::Place;
use super::members::Candidate;
use super::types::{Ty, TypeKind, Types};
use super::{ClassId, Symbol, World};

/// What a name in an expression stands for.
pub(super) enum Meaning {
    Value(Ty),
    Place(Place),
}

impl World {
    /// Goes through an expression. `expected` is what its place wants, which lambdas and generic
    /// calls ask for.
    pub(super) fn expression(&mut self, body: &mut Body, node: NodeId, expected: Option<Ty>) -> Ty {
        let ty =
            stacker::maybe_grow(256 * 1024, 4 << 20, || self.expression_here(body, node, expected));
        self.files[body.env.file.0 as usize].types[node.index()] = ty;
        ty
    }

    fn expression_here(&mut self, body: &mut Body, node: NodeId, expected: Option<Ty>) -> Ty {
        let tree = self.tree(body.env.file);
        match tree.kind(node) {
            Kind::Name(_) | Kind::Select { .. } => match self.meaning(body, node) {
                Meaning::Value(ty) => ty,
                Meaning::Place(_) => Types::UNKNOWN,
            },
            Kind::Literal(literal) => self.literal_type(literal),
            Kind::Parens { inner } => self.expression(body, inner, expected),
            Kind::This { qualifier } => self.this(body, qualifier),
            Kind::Super { qualifier } => self.parent(body, qualifier),
            Kind::ClassLiteral { ty } => {
                let ty = self.type_of(&body.env, ty);
                let ty = self.boxed(ty);
                self.class_of(ty)
            }
            Kind::Unary { op, operand } => {
                let ty = self.expression(body, operand, None);
                self.unary_type(op, ty)
            }
            Kind::Binary { .. } => self.binary(body, node),
            Kind::Assign { target, value } => {
                let ty = self.expression(body, target, None);
                self.expression(body, value, Some(ty));
                ty
            }
            Kind::CompoundAssign { target, value, .. } => {
                let ty = self.expression(body, target, None);
                self.expression(body, value, None);
                ty
            }
            Kind::Conditional { condition, then, otherwise } => {
                self.expression(body, condition, None);
                let one = self.expression(body, then, expected);
                let other = self.expression(body, otherwise, expected);
                self.either(one, other, expected)
            }
            Kind::InstanceOf { value, what } => {
                let ty = self.expression(body, value, None);
                match tree.kind(what) {
                    Kind::BindingPattern { .. } | Kind::RecordPattern { .. } => {
                        self.pattern(body, what, ty);
                    }
                    _ => {
                        self.type_of(&body.env, what);
                    }
                }
                Types::BOOLEAN
            }
            Kind::Cast { ty, value } => {
                let ty = self.type_of(&body.env, ty);
                self.expression(body, value, Some(ty));
                ty
            }
            Kind::Call { .. } => self.method_call(body, node, expected),
            Kind::New { .. } => self.creation(body, node, expected),
            Kind::NewArray { element, dims, value } => {
                let element = self.type_of(&body.env, element);
                for dimension in tree.list(dims) {
                    if let Kind::Dimension { size: Some(size), .. } = tree.kind(dimension) {
                        self.expression(body, size, None);
                    }
                }
                let ty = self.with_dims(element, tree.list(dims).len());
                if let Some(value) = value {
                    self.expression(body, value, Some(ty));
                }
                ty
            }
            Kind::ArrayInitializer { values } => {
                let element = match expected.map(|ty| self.types.kind(ty).clone()) {
                    Some(TypeKind::Array(element)) => Some(element),
                    _ => None,
                };
                for value in tree.list(values) {
                    self.expression(body, value, element);
                }
                expected.unwrap_or(Types::UNKNOWN)
            }
            Kind::ArrayAccess { array, index } => {
                let ty = self.expression(body, array, None);
                self.expression(body, index, None);
                match *self.types.kind(ty) {
                    TypeKind::Array(element) => element,
                    _ => Types::UNKNOWN,
                }
            }
            Kind::Lambda { .. }
            | Kind::MethodReference { .. }
            | Kind::ConstructorReference { .. } => {
                let function = expected.and_then(|ty| self.function(ty));
                let (parameters, result) = match function {
                    Some(function) => (function.parameters, Some(function.result)),
                    None => (Vec::new(), None),
                };
                self.function_body(body, node, &parameters, result);
                expected.unwrap_or(Types::UNKNOWN)
            }
            Kind::SwitchExpression { selector, cases } => {
                body.results.push(Vec::new());
                body.expected.push(expected);
                self.cases(body, selector, cases, Some(expected));
                body.expected.pop();
                let results = body.results.pop().unwrap_or_default();
                let first = results.first().copied().unwrap_or(Types::UNKNOWN);
                results.iter().fold(first, |one, &other| self.either(one, other, expected))
            }
            _ => self.type_of(&body.env, node),
        }
    }

    fn literal_type(&mut self, literal: Literal) -> Ty {
        match literal {
            Literal::Int => Types::INT,
            Literal::Long => Types::LONG,
            Literal::Float => Types::FLOAT,
            Literal::Double => Types::DOUBLE,
            Literal::Char => Types::CHAR,
            Literal::String | Literal::TextBlock => self.string(),
            Literal::Boolean => Types::BOOLEAN,
            Literal::Null => Types::NULL,
        }
    }

    /// `Class<T>`.
    fn class_of(&mut self, ty: Ty) -> Ty {
        match self.top_level(Atom::new("java.lang"), Atom::new("Class")) {
            Some(class) => self.types.class(class, &[ty]),
            None => Types::UNKNOWN,
        }
    }

    fn this(&mut self, body: &Body, qualifier: Option<NodeId>) -> Ty {
        let class = match qualifier {
            Some(qualifier) => {
                let ty = self.type_of(&body.env, qualifier);
                match *self.types.kind(ty) {
                    TypeKind::Class(class, _) => Some(class),
                    _ => None,
                }
            }
            None => body.env.class,
        };
        class.map_or(Types::UNKNOWN, |class| self.this_type(class))
    }

    /// The type of `super`, or of `Interface.super`.
    fn parent(&mut self, body: &Body, qualifier: Option<NodeId>) -> Ty {
        if let Some(qualifier) = qualifier {
            let ty = self.type_of(&body.env, qualifier);
            let TypeKind::Class(class, _) = *self.types.kind(ty) else { return Types::UNKNOWN };
            // An interface of this class, or an outer class whose parent is meant.
            let is_interface = self.class(class).which == ClassKind::Interface;
            return match body.env.class {
                Some(own) if is_interface => {
                    let this = self.this_type(own);
                    self.as_super(this, class).unwrap_or(ty)
                }
                _ => self.superclass(class),
            };
        }
        body.env.class.map_or(Types::UNKNOWN, |class| self.superclass(class))
    }

    fn superclass(&mut self, class: ClassId) -> Ty {
        match self.supers(class).first() {
            Some(&parent) => parent,
            None => self.object(),
        }
    }

    // ---- Operators -----------------------------------------------------------------------------

    fn unary_type(&mut self, op: UnaryOp, ty: Ty) -> Ty {
        match op {
            UnaryOp::Not => Types::BOOLEAN,
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Complement => {
                let ty = self.unboxed(ty).unwrap_or(ty);
                self.promoted(ty, Types::INT)
            }
            _ => ty,
        }
    }

    /// Chains of operators are deep on the left: a loop goes down there.
    fn binary(&mut self, body: &mut Body, node: NodeId) -> Ty {
        let tree = self.tree(body.env.file);
        let mut chain = Vec::new();
        let mut at = node;
        while let Kind::Binary { op, left, right } = tree.kind(at) {
            chain.push((op, right));
            at = left;
        }
        let mut ty = self.expression(body, at, None);
        for (op, right) in chain.into_iter().rev() {
            let other = self.expression(body, right, None);
            ty = self.binary_type(op, ty, other);
        }
        ty
    }

    fn binary_type(&mut self, op: BinaryOp, left: Ty, right: Ty) -> Ty {
        use BinaryOp::*;
        match op {
            Less | Greater | LessEqual | GreaterEqual | Equal | NotEqual | And | Or => {
                Types::BOOLEAN
            }
            Add => {
                let string = self.string();
                if left == string || right == string {
                    return string;
                }
                self.numeric(left, right)
            }
            ShiftLeft | ShiftRight | ShiftRightUnsigned => {
                let left = self.unboxed(left).unwrap_or(left);
                self.promoted(left, Types::INT)
            }
            BitAnd | BitXor | BitOr => {
                if self.unboxed(left) == Some(Types::BOOLEAN) {
                    return Types::BOOLEAN;
                }
                self.numeric(left, right)
            }
            _ => self.numeric(left, right),
        }
    }

    fn numeric(&mut self, left: Ty, right: Ty) -> Ty {
        let (Some(left), Some(right)) = (self.unboxed(left), self.unboxed(right)) else {
            return Types::UNKNOWN;
        };
        self.promoted(left, right)
    }

    fn promoted(&self, left: Ty, right: Ty) -> Ty {
        if left == Types::UNKNOWN || right == Types::UNKNOWN {
            return Types::UNKNOWN;
        }
        let wide = [Types::DOUBLE, Types::FLOAT, Types::LONG];
        wide.into_iter().find(|&wide| left == wide || right == wide).unwrap_or(Types::INT)
    }

    /// The type of a choice between two values.
    fn either(&mut self, one: Ty, other: Ty, expected: Option<Ty>) -> Ty {
        if one == other {
            return one;
        }
        let unboxed = (self.unboxed(one), self.unboxed(other));
        if let (Some(left), Some(right)) = unboxed
            && one != Types::UNKNOWN
            && other != Types::UNKNOWN
        {
            if left == right {
                return left;
            }
            if self.types.is_numeric(left) && self.types.is_numeric(right) {
                // A constant that fits takes the type of the other.
                for (narrow, wide) in [(left, right), (right, left)] {
                    let is_narrow = [Types::BYTE, Types::SHORT, Types::CHAR].contains(&narrow);
                    if is_narrow && wide == Types::INT {
                        return narrow;
                    }
                }
                return self.promoted(left, right);
            }
        }
        if let Some(expected) = expected.filter(|&ty| ty != Types::UNKNOWN) {
            return expected;
        }
        let (one, other) = (self.boxed(one), self.boxed(other));
        self.least_upper(&[one, other])
    }

    // ---- Names ---------------------------------------------------------------------------------

    pub(super) fn meaning(&mut self, body: &mut Body, node: NodeId) -> Meaning {
        let tree = self.tree(body.env.file);
        match tree.kind(node) {
            Kind::Name(name) => {
                if let Some(ty) = self.variable(body, node, name) {
                    return Meaning::Value(ty);
                }
                Meaning::Place(self.place(&body.env, node))
            }
            Kind::Select { target, name } => {
                let target = match tree.kind(target) {
                    Kind::Name(_) | Kind::Select { .. } => self.meaning(body, target),
                    Kind::ParameterizedType { .. } | Kind::ArrayType { .. } => {
                        Meaning::Place(Place::Type(self.type_of(&body.env, target)))
                    }
                    _ => Meaning::Value(self.expression(body, target, None)),
                };
                self.selected(body, node, target, name)
            }
            _ => Meaning::Value(self.expression(body, node, None)),
        }
    }

    fn selected(&mut self, body: &mut Body, node: NodeId, target: Meaning, name: Atom) -> Meaning {
        let ty = match target {
            Meaning::Value(ty) | Meaning::Place(Place::Type(ty)) => ty,
            Meaning::Place(place) => {
                return Meaning::Place(self.place_in(&body.env, node, place, name));
            }
        };
        if self.is_array(ty) && name.as_str() == "length" {
            self.record(body.env.file, node, Symbol::ArrayLength);
            return Meaning::Value(Types::INT);
        }
        if let Some((field, ty)) = self.find_field(&body.env, ty, name) {
            self.record(body.env.file, node, Symbol::Field(field));
            return Meaning::Value(self.value_type(ty));
        }
        match target {
            Meaning::Place(place) => Meaning::Place(self.place_in(&body.env, node, place, name)),
            Meaning::Value(_) => Meaning::Value(Types::UNKNOWN),
        }
    }

    /// A variable of a simple name: local, field of a class around, or imported.
    fn variable(&mut self, body: &Body, node: NodeId, name: Atom) -> Option<Ty> {
        let local = |class: Option<ClassId>| -> Option<Local> {
            let found = body.locals.iter().rev().find(|it| it.name == name && it.class == class);
            found.copied()
        };
        let mut class = body.env.class;
        while let Some(id) = class {
            if let Some(found) = local(Some(id)) {
                self.record(body.env.file, node, Symbol::Local(found.node, name));
                return Some(found.ty);
            }
            let this = self.this_type(id);
            if let Some((field, ty)) = self.find_field(&body.env, this, name) {
                self.record(body.env.file, node, Symbol::Field(field));
                return Some(ty);
            }
            class = self.class(id).outer;
        }
        let imports = &self.files[body.env.file.0 as usize].imports;
        let single = imports.single_static.iter().filter(|(last, _)| *last == name);
        let mut owners: Vec<Vec<Atom>> = single.map(|(_, parts)| parts.clone()).collect();
        owners.extend(imports.on_demand_static.iter().cloned());
        for parts in owners {
            let Some(owner) = self.find_qualified(&parts) else { continue };
            let ty = self.types.class(owner, &[]);
            if let Some((field, ty)) = self.find_field(&body.env, ty, name)
                && self.field(field).is_static
            {
                self.record(body.env.file, node, Symbol::Field(field));
                return Some(ty);
            }
        }
        None
    }

    // ---- Calls ---------------------------------------------------------------------------------

    fn method_call(&mut self, body: &mut Body, node: NodeId, expected: Option<Ty>) -> Ty {
        let tree = self.tree(body.env.file);
        let Kind::Call { type_args, function, args } = tree.kind(node) else {
            return Types::UNKNOWN;
        };
        let type_args: Vec<Ty> =
            tree.list(type_args).map(|arg| self.type_of(&body.env, arg)).collect();
        let mut receiver = Types::UNKNOWN;
        let candidates = match tree.kind(function) {
            Kind::Name(name) => self.methods_in_scope(body, name),
            Kind::Select { target, name } => {
                let meaning = match tree.kind(target) {
                    Kind::Name(_) | Kind::Select { .. } => self.meaning(body, target),
                    _ => Meaning::Value(self.expression(body, target, None)),
                };
                receiver = match meaning {
                    Meaning::Value(ty) | Meaning::Place(Place::Type(ty)) => ty,
                    Meaning::Place(_) => Types::UNKNOWN,
                };
                self.find_methods_of(receiver, name)
            }
            Kind::This { .. } => match body.env.class {
                Some(class) => {
                    let this = self.this_type(class);
                    self.constructors_of(this)
                }
                None => Vec::new(),
            },
            Kind::Super { qualifier } => {
                if let Some(qualifier) = qualifier {
                    self.expression(body, qualifier, None);
                }
                let parent = body.env.class.map(|class| self.superclass(class));
                self.constructors_of(parent.unwrap_or(Types::UNKNOWN))
            }
            _ => Vec::new(),
        };
        let Some(decided) = self.call(body, candidates, args, &type_args, expected) else {
            return Types::UNKNOWN;
        };
        let is_clone =
            self.is_array(receiver) && self.method(decided.method).name.as_str() == "clone";
        let symbol = match is_clone {
            true => Symbol::ArrayClone,
            false => Symbol::Method(decided.method),
        };
        self.record(body.env.file, node, symbol);
        if matches!(tree.kind(function), Kind::Name(_) | Kind::Select { .. }) {
            self.record(body.env.file, function, symbol);
        }
        self.special_result(&decided, receiver, body)
    }

    pub(super) fn find_methods_of(&mut self, receiver: Ty, name: Atom) -> Vec<Candidate> {
        if receiver == Types::UNKNOWN || self.types.is_primitive(receiver) {
            return Vec::new();
        }
        self.find_methods(receiver, name)
    }

    /// The methods that have results of their own: `getClass`, and `clone` of arrays.
    pub(super) fn special_result(&mut self, decided: &Decided, receiver: Ty, body: &Body) -> Ty {
        let method = self.method(decided.method);
        let is_objects = Some(method.class) == self.known.object;
        match method.name.as_str() {
            "getClass" if is_objects => {
                let of = match (receiver, body.env.class) {
                    (Types::UNKNOWN, Some(class)) => self.types.class(class, &[]),
                    _ => self.erased(receiver),
                };
                let bound = TypeKind::Wildcard(WildcardBound::Extends, of);
                let wildcard = self.types.intern(bound);
                self.class_of(wildcard)
            }
            "clone" if is_objects && self.is_array(receiver) => receiver,
            _ => decided.result,
        }
    }

    /// The methods of a simple name: of the innermost class that has any, or imported.
    fn methods_in_scope(&mut self, body: &Body, name: Atom) -> Vec<Candidate> {
        let mut class = body.env.class;
        while let Some(id) = class {
            let this = self.this_type(id);
            let found = self.find_methods(this, name);
            let found = self.accessible(&body.env, found);
            if !found.is_empty() {
                return found;
            }
            class = self.class(id).outer;
        }
        let imports = &self.files[body.env.file.0 as usize].imports;
        let single = imports.single_static.iter().filter(|(last, _)| *last == name);
        let single: Vec<Vec<Atom>> = single.map(|(_, parts)| parts.clone()).collect();
        let on_demand = imports.on_demand_static.clone();
        for owners in [single, on_demand] {
            let mut found = Vec::new();
            for parts in owners {
                let Some(owner) = self.find_qualified(&parts) else { continue };
                let ty = self.types.class(owner, &[]);
                let methods = self.find_methods(ty, name);
                found.extend(methods.into_iter().filter(|it| self.method(it.method).is_static));
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    pub(super) fn constructors_of(&mut self, ty: Ty) -> Vec<Candidate> {
        let TypeKind::Class(class, _) = *self.types.kind(ty) else { return Vec::new() };
        let constructors = self.class(class).constructors.clone();
        constructors.into_iter().map(|constructor| self.candidate(ty, constructor)).collect()
    }

    fn creation(&mut self, body: &mut Body, node: NodeId, expected: Option<Ty>) -> Ty {
        let tree = self.tree(body.env.file);
        let Kind::New { outer, type_args, class, args, body: inner } = tree.kind(node) else {
            return Types::UNKNOWN;
        };
        let type_args: Vec<Ty> =
            tree.list(type_args).map(|arg| self.type_of(&body.env, arg)).collect();
        let (ty, is_diamond) = match outer {
            Some(outer) => {
                let outer = self.expression(body, outer, None);
                self.inner_class(body, class, outer)
            }
            None => {
                let is_diamond = matches!(tree.kind(class),
                    Kind::ParameterizedType { args, .. } if args.is_empty());
                (self.type_of(&body.env, class), is_diamond)
            }
        };
        let ty = match *self.types.kind(ty) {
            TypeKind::Class(class, _)
                if matches!(self.class(class).which, ClassKind::Interface) =>
            {
                // An anonymous class that implements it.
                self.arguments_alone(body, args);
                match expected.filter(|&ty| ty != Types::UNKNOWN) {
                    Some(expected) if is_diamond => expected,
                    _ => ty,
                }
            }
            TypeKind::Class(class, _) if is_diamond => {
                self.diamond(body, node, class, args, expected)
            }
            _ => {
                let candidates = self.constructors_of(ty);
                if let Some(decided) = self.call(body, candidates, args, &type_args, None) {
                    self.record(body.env.file, node, Symbol::Method(decided.method));
                }
                ty
            }
        };
        match inner {
            Some(inner) => {
                let class = self.anonymous(body, inner, ty);
                self.this_type(class)
            }
            None => ty,
        }
    }

    fn arguments_alone(&mut self, body: &mut Body, args: List) {
        let tree = self.tree(body.env.file);
        for arg in tree.list(args) {
            self.expression(body, arg, None);
        }
    }

    /// The class of `outer.new Inner<…>()`.
    fn inner_class(&mut self, body: &Body, class: NodeId, outer: Ty) -> (Ty, bool) {
        let tree = self.tree(body.env.file);
        match tree.kind(class) {
            Kind::Name(name) => match self.place_in(&body.env, class, Place::Type(outer), name) {
                Place::Type(ty) => (ty, false),
                _ => (Types::UNKNOWN, false),
            },
            Kind::ParameterizedType { base, args } => {
                let (ty, _) = self.inner_class(body, base, outer);
                let args: Vec<Ty> =
                    tree.list(args).map(|arg| self.type_of(&body.env, arg)).collect();
                let is_diamond = args.is_empty();
                (self.with_args(&body.env, ty, &args), is_diamond)
            }
            Kind::AnnotatedType { ty, .. } => self.inner_class(body, ty, outer),
            _ => (Types::UNKNOWN, false),
        }
    }

    /// `new Class<>(…)`: the class's parameters are found as if they were the constructor's.
    fn diamond(
        &mut self,
        body: &mut Body,
        node: NodeId,
        class: ClassId,
        args: List,
        expected: Option<Ty>,
    ) -> Ty {
        let this = self.this_type(class);
        let constructors = self.class(class).constructors.clone();
        let own = self.class(class).type_parameters.clone();
        let mut candidates = Vec::new();
        for constructor in constructors {
            let mut candidate = self.candidate(this, constructor);
            candidate.result = this;
            candidates.push(candidate);
        }
        // For the time of the call the constructors have the type parameters of the class, too.
        let methods: Vec<_> = candidates.iter().map(|candidate| candidate.method).collect();
        for &method in &methods {
            self.methods[method.0 as usize].type_parameters.extend(&own);
        }
        let decided = self.call(body, candidates, args, &[], expected);
        for &method in &methods {
            let parameters = &mut self.methods[method.0 as usize].type_parameters;
            parameters.truncate(parameters.len() - own.len());
        }
        match decided {
            Some(decided) => {
                self.record(body.env.file, node, Symbol::Method(decided.method));
                decided.result
            }
            None => self.types.class(class, &[]),
        }
    }
}
