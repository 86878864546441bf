//! Values that come out of boxes: who uses an `Integer` as a number throws if it is `null`.

use java::names::Symbol;
use java::names::types::{Ty, TypeKind, Types};
use java::tree::{Kind, NodeId};

use super::{Lower, kinds};
use crate::ir::BodyKind;
use crate::library::{self, Effect};

impl Lower<'_> {
    /// The type of an expression, as far as it is known.
    pub(super) fn type_of(&self, node: NodeId) -> Ty {
        self.program.world.files[self.here.file.0 as usize].types[node.index()]
    }

    /// Whether an expression is surely a number, a character or a truth value.
    pub(super) fn is_primitive(&self, node: NodeId) -> bool {
        self.program.world.types.is_primitive(self.type_of(node))
    }

    /// Whether a variable is declared with a primitive type.
    pub(super) fn is_number(&self, declared: NodeId) -> bool {
        let ty = match self.kind(declared) {
            Kind::Parameter { ty, .. } => ty,
            Kind::Variable { .. } => match self.program.parent(self.site(declared)) {
                Some(parent) => match self.kind(parent) {
                    Kind::Variables { ty, .. } => Some(ty),
                    _ => None,
                },
                None => None,
            },
            _ => None,
        };
        ty.is_some_and(|ty| matches!(self.kind(ty), Kind::Primitive(_)))
    }

    /// Whether an expression that is used as a number may be `null`: it comes out of a box.
    pub(super) fn may_be_boxed(&self, node: NodeId) -> bool {
        let ty = self.type_of(node);
        match self.program.world.types.kind(ty) {
            TypeKind::Primitive(_) | TypeKind::Array(_) => false,
            TypeKind::Class(class, _) => is_box(self.program.world.class(*class).name.as_str()),
            _ if ty == Types::UNKNOWN => self.may_give_boxes(node),
            _ => true,
        }
    }

    /// The same of what has no type that is known.
    fn may_give_boxes(&self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Parens { inner } => self.may_give_boxes(inner),
            Kind::Conditional { then, otherwise, .. } => {
                self.may_be_boxed(then) || self.may_be_boxed(otherwise)
            }
            Kind::Call { function, .. } => match self.kind(function) {
                Kind::Select { name, .. } => {
                    matches!(library::effect(name.as_str()), Effect::Get | Effect::Take)
                }
                _ => false,
            },
            Kind::Name(_) | Kind::Select { .. } => match self.program.symbol(self.site(node)) {
                Some(Symbol::Local(declared, _)) => !self.is_number(declared),
                Some(Symbol::Field(field)) => {
                    !self.program.world.types.is_primitive(self.program.world.field(field).ty)
                }
                _ => false,
            },
            Kind::ArrayAccess { .. } | Kind::SwitchExpression { .. } | Kind::Cast { .. } => true,
            _ => false,
        }
    }

    /// An expression is used as a number by a node: that throws if it is `null`.
    pub(super) fn unbox(&mut self, node: NodeId, by: dependence::Node) {
        if self.may_be_boxed(node) {
            self.may_throw(by, kinds::NULL, None);
        }
    }

    /// Whether an expression is surely an array of numbers, characters or truth values.
    pub(super) fn is_plain_array(&self, node: NodeId) -> bool {
        let types = &self.program.world.types;
        match *types.kind(self.type_of(node)) {
            TypeKind::Array(element) => types.is_primitive(element),
            _ => false,
        }
    }

    /// What a body gives back is unboxed if the body gives numbers; of lambdas that is not known.
    pub(super) fn unbox_result(&mut self, node: NodeId, by: dependence::Node) {
        let is_number = match self.out.bodies[self.here.id].kind {
            BodyKind::Method(method) => {
                self.program.world.types.is_primitive(self.program.world.method(method).result)
            }
            _ => true,
        };
        if is_number {
            self.unbox(node, by);
        }
    }
}

/// Classes of which there are numbers, characters and truth values.
fn is_box(name: &str) -> bool {
    matches!(
        name,
        "Integer" | "Long" | "Double" | "Float" | "Boolean" | "Character" | "Byte" | "Short"
    )
}
