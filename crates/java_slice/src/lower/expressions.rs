//! Expressions: a node for each value, and what it reads and writes.

use dependence::{EdgeKind, Node};
use java::names::{ClassId, FieldId, Symbol};
use java::tree::{BinaryOp, Kind, List, Literal, NodeId, Primitive, UnaryOp};

use super::{Lower, Scope, kinds};
use crate::ir::{Instr, ObjectKind, Part};
use crate::program::Site;

impl Lower<'_> {
    /// Evaluates an expression: the node of its value.
    pub(super) fn expr(&mut self, node: NodeId) -> Node {
        stacker::maybe_grow(128 * 1024, 4 << 20, || self.expr_here(node))
    }

    fn expr_here(&mut self, node: NodeId) -> Node {
        match self.kind(node) {
            Kind::Name(_) | Kind::Select { .. } => self.name(node),
            Kind::Parens { inner } => {
                let value = self.expr(inner);
                self.is(node, value)
            }
            Kind::Unary { op, operand } => self.unary(node, op, operand),
            Kind::Binary { op, left, right } => self.binary(node, op, left, right),
            Kind::Assign { target, value } => self.assign(node, target, value),
            Kind::CompoundAssign { op, target, value } => {
                let place = self.place(target);
                let old = self.read_place(target, place);
                let given = value;
                let value = self.expr(given);
                let done = self.value(node);
                self.part(done, old);
                self.part(done, value);
                if op != BinaryOp::Add || self.is_primitive(target) || self.is_primitive(given) {
                    self.unbox(target, done);
                    self.unbox(given, done);
                }
                if op == BinaryOp::Add {
                    self.same(done, value);
                    self.concatenated(node, done, target, old);
                    self.concatenated(node, done, given, value);
                }
                self.here(done);
                if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) {
                    self.may_throw(done, kinds::ARITHMETIC, None);
                }
                self.write_place(done, place);
                done
            }
            Kind::Conditional { condition, then, otherwise } => {
                self.conditional(node, condition, then, otherwise)
            }
            Kind::InstanceOf { value, what } => {
                let value = self.expr(value);
                let done = self.value(node);
                self.part(done, value);
                self.here(done);
                if matches!(
                    self.kind(what),
                    Kind::BindingPattern { .. } | Kind::RecordPattern { .. }
                ) {
                    let tested = self.pattern(what, value);
                    self.part(done, tested);
                }
                done
            }
            Kind::Cast { ty, value: of } => {
                let value = self.expr(of);
                let done = self.is(node, value);
                match self.kind(ty) {
                    Kind::Primitive(_) => self.unbox(of, done),
                    _ => self.may_throw(done, kinds::CAST, None),
                }
                done
            }
            Kind::Call { .. } => self.call(node),
            Kind::New { .. } => self.creation(node),
            Kind::NewArray { dims, value, .. } => self.new_array(node, dims, value),
            Kind::ArrayInitializer { values } => {
                let done = self.value(node);
                self.here(done);
                self.filled_array(self.site(node), done, values, &mut Vec::new(), 0);
                done
            }
            Kind::ArrayAccess { .. } => {
                let place = self.place(node);
                self.read_place(node, place)
            }
            Kind::Lambda { .. } => self.function(node),
            Kind::MethodReference { .. } | Kind::ConstructorReference { .. } => {
                self.reference(node)
            }
            Kind::SwitchExpression { selector, cases } => {
                let selected = self.expr(selector);
                self.may_throw(selected, kinds::NULL, None);
                let after = self.block();
                let value = self.value(node);
                self.part(value, selected);
                self.here.scopes.push(Scope::Yield { after, value });
                self.cases(selected, cases, after, Some(value));
                self.here.scopes.pop();
                self.here.at = after;
                self.only_here(value);
                value
            }
            Kind::This { qualifier } => self.this_expr(node, qualifier),
            _ => {
                let value = self.value(node);
                self.here(value);
                value
            }
        }
    }

    /// An expression that has the value of another.
    fn is(&mut self, node: NodeId, of: Node) -> Node {
        let value = self.value(node);
        self.same(value, of);
        self.only_here(value);
        value
    }

    // ---- Names ---------------------------------------------------------------------------------

    fn name(&mut self, node: NodeId) -> Node {
        let place = self.place(node);
        self.read_place(node, place)
    }

    /// `this`, or the object around it.
    fn this_expr(&mut self, node: NodeId, qualifier: Option<NodeId>) -> Node {
        let wanted = qualifier.and_then(|qualifier| self.class_named(qualifier).ok());
        let value = self.value(node);
        self.only_here(value);
        let base = match wanted {
            Some(class) => self.object_of(node, class),
            None => self.here.this,
        };
        if let Some(base) = base {
            self.same(value, base);
        }
        value
    }

    /// The object whose member a simple name is: `this` or one around it.
    pub(super) fn object_of(&mut self, node: NodeId, owner: ClassId) -> Option<Node> {
        let mut class = self.here.class?;
        let mut object = self.here.this?;
        while !self.program.is_subclass(class, owner) {
            let outer = self.program.world.class(class).outer?;
            let outer = self.program.same_class(outer);
            let next = self.between(node);
            self.here(next);
            self.part(next, object);
            self.instr(Instr::Load { node: next, base: object, part: Part::Outer(outer) });
            (class, object) = (outer, next);
        }
        Some(object)
    }

    /// A place that can be read or written; its parts are evaluated.
    fn place(&mut self, node: NodeId) -> Place {
        match self.kind(node) {
            Kind::Parens { inner } => self.place(inner),
            Kind::ArrayAccess { array, index } => {
                let base = self.expr(array);
                let index = self.expr(index);
                Place::Element { base, index }
            }
            Kind::Name(_) => match self.program.symbol(self.site(node)) {
                Some(Symbol::Local(declared, _)) => Place::Local(self.value(declared)),
                Some(Symbol::Field(field)) => self.own_field(node, field),
                _ => Place::Nothing,
            },
            Kind::Select { target, .. } => match self.program.symbol(self.site(node)) {
                Some(Symbol::Field(field)) => {
                    let info = self.program.world.field(field);
                    let (class, is_static) = (info.class, info.is_static);
                    if is_static {
                        self.class_used(class, node);
                        let base = self.is_value(target).then(|| self.expr(target));
                        return Place::Static { field, base };
                    }
                    if matches!(self.kind(target), Kind::Super { .. }) {
                        return self.own_field(node, field);
                    }
                    let base = self.expr(target);
                    Place::Part { base, part: Part::Field(field), of: Some(target) }
                }
                Some(Symbol::ArrayLength) => {
                    let base = self.expr(target);
                    Place::Part { base, part: Part::Length, of: Some(target) }
                }
                _ if self.is_value(target) => {
                    // Its class is not known.
                    let base = self.expr(target);
                    Place::Unknown { base }
                }
                _ => Place::Nothing,
            },
            _ => Place::Value(self.expr(node)),
        }
    }

    /// A field that is named without an object.
    fn own_field(&mut self, node: NodeId, field: FieldId) -> Place {
        let info = self.program.world.field(field);
        let class = self.program.same_class(info.class);
        if info.is_static {
            self.class_used(class, node);
            return Place::Static { field, base: None };
        }
        match self.object_of(node, class) {
            Some(base) => Place::Part { base, part: Part::Field(field), of: None },
            None => Place::Nothing,
        }
    }

    /// Whether an expression has a value, and is no name of a class or package.
    pub(super) fn is_value(&self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Name(_) => matches!(
                self.program.symbol(self.site(node)),
                Some(Symbol::Local(..) | Symbol::Field(_))
            ),
            Kind::Select { target, .. } => match self.program.symbol(self.site(node)) {
                Some(Symbol::Field(_) | Symbol::ArrayLength) => true,
                Some(Symbol::Class(_) | Symbol::Package(_)) => false,
                _ => self.is_value(target),
            },
            Kind::Primitive(_)
            | Kind::ArrayType { .. }
            | Kind::ParameterizedType { .. }
            | Kind::AnnotatedType { .. }
            | Kind::Super { .. } => false,
            _ => true,
        }
    }

    fn read_place(&mut self, node: NodeId, place: Place) -> Node {
        let value = self.value(node);
        self.here(value);
        match place {
            Place::Nothing => {}
            Place::Value(of) => self.same(value, of),
            Place::Local(variable) => self.read(value, variable),
            Place::Static { field, base } => {
                if let Some(base) = base {
                    self.part(value, base);
                }
                let base = self.statics();
                self.instr(Instr::Load { node: value, base, part: Part::Field(field) });
            }
            Place::Part { base, part, of } => {
                self.part(value, base);
                self.instr(Instr::Load { node: value, base, part });
                if of.is_some_and(|of| !matches!(self.kind(of), Kind::This { .. })) {
                    self.may_throw(value, kinds::NULL, None);
                }
            }
            Place::Unknown { base } => {
                self.part(value, base);
                self.unknown_field(node, value, base);
                self.may_throw(value, kinds::NULL, None);
            }
            Place::Element { base, index } => {
                self.part(value, base);
                self.part(value, index);
                self.instr(Instr::Load { node: value, base, part: Part::Element });
                self.may_throw(value, kinds::NULL | kinds::INDEX, None);
            }
        }
        value
    }

    /// A field of an object whose class was not found out: all fields of that name.
    fn unknown_field(&mut self, node: NodeId, value: Node, base: Node) {
        let Kind::Select { name, .. } = self.kind(node) else { return };
        if name.as_str() == "length" {
            self.instr(Instr::Load { node: value, base, part: Part::Length });
        }
        for part in self.fields_named(name) {
            self.instr(Instr::Load { node: value, base, part });
        }
    }

    fn fields_named(&self, name: atom::Atom) -> Vec<Part> {
        let fields = self.program.world.fields.iter().enumerate();
        let named = fields.filter(|(_, field)| field.name == name && !field.is_static);
        let ids = named.map(|(index, _)| self.program.same_field(FieldId(index as u32)));
        let mut parts: Vec<Part> = ids.map(Part::Field).collect();
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    fn statics(&mut self) -> Node {
        self.out.bodies[self.here.id].entry
    }

    // ---- Assignments ---------------------------------------------------------------------------

    fn assign(&mut self, node: NodeId, target: NodeId, value: NodeId) -> Node {
        let place = self.place(target);
        let is_unboxed = self.may_be_boxed(value)
            && match self.program.symbol(self.site(target)) {
                Some(Symbol::Local(declared, _)) => self.is_number(declared),
                Some(Symbol::Field(field)) => {
                    let ty = self.program.world.field(field).ty;
                    self.program.world.types.is_primitive(ty)
                }
                _ => true,
            };
        let value = self.expr(value);
        let done = self.value(node);
        self.same(done, value);
        self.here(done);
        if is_unboxed {
            self.may_throw(done, kinds::NULL, None);
        }
        if let Place::Unknown { base } = place {
            if let Kind::Select { name, .. } = self.kind(target) {
                for part in self.fields_named(name) {
                    self.instr(Instr::Store { node: done, base, part, value: done });
                }
            }
            self.part(done, base);
            return done;
        }
        self.write_place(done, place);
        done
    }

    fn write_place(&mut self, done: Node, place: Place) {
        match place {
            Place::Nothing | Place::Value(_) | Place::Unknown { .. } => {}
            Place::Local(variable) => self.write(done, variable),
            Place::Static { field, base } => {
                if let Some(base) = base {
                    self.part(done, base);
                }
                let base = self.statics();
                let part = Part::Field(field);
                self.instr(Instr::Store { node: done, base, part, value: done });
            }
            Place::Part { base, part, of } => {
                self.part(done, base);
                if of.is_some_and(|of| !matches!(self.kind(of), Kind::This { .. })) {
                    self.may_throw(done, kinds::NULL, None);
                }
                self.instr(Instr::Store { node: done, base, part, value: done });
            }
            Place::Element { base, index } => {
                self.part(done, base);
                self.part(done, index);
                self.may_throw(done, kinds::NULL | kinds::INDEX | kinds::SIZE, None);
                let part = Part::Element;
                self.instr(Instr::Store { node: done, base, part, value: done });
            }
        }
    }

    // ---- Operators -----------------------------------------------------------------------------

    fn unary(&mut self, node: NodeId, op: UnaryOp, operand: NodeId) -> Node {
        let writes = matches!(
            op,
            UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement
        );
        let done = self.value(node);
        if !writes {
            let value = self.expr(operand);
            self.part(done, value);
            self.unbox(operand, done);
            self.here(done);
            return done;
        }
        let place = self.place(operand);
        let old = self.read_place(operand, place);
        self.unbox(operand, done);
        self.part(done, old);
        self.here(done);
        self.write_place(done, place);
        done
    }

    fn binary(&mut self, node: NodeId, op: BinaryOp, left: NodeId, right: NodeId) -> Node {
        let done = self.value(node);
        let first = self.expr(left);
        self.part(done, first);
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            self.unbox(left, done);
            let (more, after) = (self.block(), self.block());
            let at = self.at();
            at.successors.extend([more, after]);
            at.branch = Some(first);
            self.here.at = more;
            let second = self.expr(right);
            self.part(done, second);
            self.unbox(right, done);
            self.goto(after);
            self.here(done);
            return done;
        }
        let second = self.expr(right);
        self.part(done, second);
        if op == BinaryOp::Add {
            self.concatenated(node, done, left, first);
            self.concatenated(node, done, right, second);
        }
        let is_numeric = match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                self.is_primitive(left) != self.is_primitive(right)
            }
            // Else it may be a text.
            BinaryOp::Add => self.is_primitive(node),
            _ => true,
        };
        if is_numeric {
            self.unbox(left, done);
            self.unbox(right, done);
        }
        self.here(done);
        if matches!(op, BinaryOp::Divide | BinaryOp::Remainder) && !self.is_nonzero(right) {
            self.may_throw(done, kinds::ARITHMETIC, None);
        }
        done
    }

    fn is_nonzero(&self, node: NodeId) -> bool {
        let tree = self.program.tree(self.here.file);
        match tree.kind(node) {
            Kind::Literal(Literal::Int) => {
                tree.text(node).bytes().any(|it| it.is_ascii_digit() && it != b'0')
            }
            Kind::Literal(Literal::Double | Literal::Float) => true,
            _ => false,
        }
    }

    /// An operand of `+` may be turned into text.
    fn concatenated(&mut self, node: NodeId, done: Node, operand: NodeId, value: Node) {
        if !self.is_plain(operand) {
            let text = self.implicit_call(node, value, "toString");
            self.part(done, text);
            // What that does is done where texts are put together, and nowhere else.
            if let Some(made) = self.last_call() {
                self.edge(made, done, EdgeKind::Declaration);
            }
        }
    }

    /// Whether a value is surely no object but a text or number.
    pub(super) fn is_plain(&self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Literal(_) | Kind::InstanceOf { .. } | Kind::Unary { .. } => true,
            Kind::Binary { .. } | Kind::CompoundAssign { .. } => true,
            Kind::Parens { inner } => self.is_plain(inner),
            Kind::Cast { ty, .. } => matches!(self.kind(ty), Kind::Primitive(_)),
            Kind::Name(_) | Kind::Select { .. } | Kind::Call { .. } => {
                match self.program.symbol(self.site(node)) {
                    Some(Symbol::Local(declared, _)) => self.is_plain_type(declared),
                    Some(Symbol::Field(field)) => {
                        let types = &self.program.world.types;
                        types.is_primitive(self.program.world.field(field).ty)
                    }
                    Some(Symbol::Method(method)) => {
                        let types = &self.program.world.types;
                        types.is_primitive(self.program.world.method(method).result)
                    }
                    Some(Symbol::ArrayLength) => true,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn is_plain_type(&self, declared: NodeId) -> bool {
        let ty = match self.kind(declared) {
            Kind::Parameter { ty, .. } => ty,
            Kind::Variable { .. } => {
                let parent = self.program.parent(self.site(declared));
                match parent.map(|parent| self.kind(parent)) {
                    Some(Kind::Variables { ty, .. }) => Some(ty),
                    _ => None,
                }
            }
            _ => None,
        };
        ty.is_some_and(|ty| {
            matches!(self.kind(ty), Kind::Primitive(it) if it != Primitive::Void)
                || matches!(self.kind(ty), Kind::Name(name) if is_plain_class(name.as_str()))
        })
    }

    fn conditional(
        &mut self,
        node: NodeId,
        condition: NodeId,
        then: NodeId,
        otherwise: NodeId,
    ) -> Node {
        let (yes, no, after) = (self.block(), self.block(), self.block());
        let done = self.value(node);
        let value = self.expr(condition);
        self.part(done, value);
        self.unbox(condition, done);
        self.branch(value, yes, no);
        let is_number = self.is_primitive(then) || self.is_primitive(otherwise);
        for (block, part) in [(yes, then), (no, otherwise)] {
            self.here.at = block;
            let value = self.expr(part);
            if is_number {
                self.unbox(part, done);
            }
            self.same(done, value);
            self.leave(after);
        }
        self.here.at = after;
        self.here(done);
        done
    }

    // ---- Arrays --------------------------------------------------------------------------------

    fn new_array(&mut self, node: NodeId, dims: List, value: Option<NodeId>) -> Node {
        let done = self.value(node);
        let mut sizes = Vec::new();
        for dim in self.list(dims) {
            if let Kind::Dimension { size: Some(size), .. } = self.kind(dim) {
                let count = self.expr(size);
                self.unbox(size, done);
                self.part(done, count);
                sizes.push((dim, count));
            }
        }
        self.here(done);
        if let Some(value) = value {
            if let Kind::ArrayInitializer { values } = self.kind(value) {
                let inner = self.value(value);
                self.part(done, inner);
                self.here(inner);
                self.filled_array(self.site(node), done, values, &mut Vec::new(), 0);
            }
            return done;
        }
        self.makes(done, ObjectKind::Array(self.site(node)));
        if !sizes.is_empty() {
            self.may_throw(done, kinds::SIZE, None);
        }
        self.instr(Instr::Store { node: done, base: done, part: Part::Length, value: done });
        self.instr(Instr::Store { node: done, base: done, part: Part::Element, value: done });
        let mut outer = done;
        for &(dim, _) in sizes.iter().skip(1) {
            let inner = self.between(dim);
            self.part(inner, done);
            self.here(inner);
            self.makes(inner, ObjectKind::Array(self.site(dim)));
            self.instr(Instr::Store { node: done, base: inner, part: Part::Length, value: done });
            self.instr(Instr::Store { node: done, base: inner, part: Part::Element, value: done });
            self.instr(Instr::Store {
                node: inner,
                base: outer,
                part: Part::Element,
                value: inner,
            });
            outer = inner;
        }
        done
    }

    /// An array that is written out. Rows of the same depth are one object: tables of constants
    /// have thousands.
    fn filled_array(
        &mut self,
        object: Site,
        done: Node,
        values: List,
        rows: &mut Vec<Site>,
        depth: usize,
    ) {
        self.makes(done, ObjectKind::Array(object));
        self.instr(Instr::Store { node: done, base: done, part: Part::Length, value: done });
        for value in self.list(values) {
            let stored = match self.kind(value) {
                Kind::ArrayInitializer { values } => {
                    let row = self.value(value);
                    self.here(row);
                    if rows.len() == depth {
                        rows.push(self.site(value));
                    }
                    self.filled_array(rows[depth], row, values, rows, depth + 1);
                    row
                }
                _ => self.expr(value),
            };
            self.edge(done, stored, EdgeKind::Value);
            let part = Part::Element;
            self.instr(Instr::Store { node: done, base: done, part, value: stored });
        }
    }

    /// The fields of a record, in the order of its components.
    pub(super) fn components(&self, class: ClassId) -> Vec<FieldId> {
        let Some(written) = self.program.written_class(class) else { return Vec::new() };
        let file = self.program.class_site(class).file;
        let tree = self.program.tree(file);
        let components = tree.list(written.components);
        components.filter_map(|node| self.program.field_at(Site { file, node })).collect()
    }
}

/// Classes whose objects are values: they have no parts, and no code of the program runs in them.
fn is_plain_class(name: &str) -> bool {
    matches!(
        name,
        "String"
            | "Integer"
            | "Long"
            | "Double"
            | "Float"
            | "Boolean"
            | "Character"
            | "Byte"
            | "Short"
    )
}

/// What can be read or written.
#[derive(Clone, Copy, Debug)]
enum Place {
    Local(Node),
    Static {
        field: FieldId,
        base: Option<Node>,
    },
    Part {
        base: Node,
        part: Part,
        of: Option<NodeId>,
    },
    /// A field of an object whose class is not known.
    Unknown {
        base: Node,
    },
    Element {
        base: Node,
        index: Node,
    },
    Value(Node),
    Nothing,
}
