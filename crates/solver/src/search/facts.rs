//! Facts of a case, and what is to be done in it.

use num_bigint::BigInt;

use super::kinds::Kinds;
use super::state::Node;
use crate::domain::DomainId;
use crate::expr::{Binop, ExprId, Field, Ternary, Unary};
use crate::linear::Rel;

/// `Σ factor · node + constant REL 0`; the nodes are integers.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub(crate) terms: Vec<(Node, BigInt)>,
    pub(crate) constant: BigInt,
    pub(crate) rel: Rel,
}

/// How two values compare in Erlang's order, where `1` equals `1.0`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Side {
    Less,
    LessEq,
    Equal,
    Unequal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    pub(crate) side: Side,
    pub(crate) a: Node,
    pub(crate) b: Node,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    Unary(Unary),
    Binop(Binop),
    Ternary(Ternary),
    /// Arguments: bit string, offset, size (if there is one).
    Field(Field),
    /// The bit string that an expression builds. Arguments: values and sizes as they come.
    Build(ExprId),
    /// A float of 32 or 64 bits from its bits as an unsigned number.
    FloatOfBits(u16),
}

/// A result of an operation that has one.
#[derive(Clone, Debug)]
pub(crate) struct Apply {
    pub(crate) op: Operation,
    pub(crate) args: Vec<Node>,
    pub(crate) result: Node,
}

/// Something to be done in a case; alternatives of a split are lists of these.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// The expression holds, or does not.
    Assert(ExprId, bool),
    /// The condition does not hold although its parts have values.
    Deny(ExprId),
    Undefined(ExprId),
    /// The parts of the expression have values, and the operation has none.
    Fault(ExprId),
    Merge(Node, Node),
    /// The node is the value of the expression.
    Is(Node, ExprId),
    Constant(Node, term::Term),
    Narrow(Node, Kinds),
    Different(Node, Node),
    Linear(Vec<(Node, BigInt)>, BigInt, Rel),
    Compare(Side, Node, Node),
    /// The rest of two sequences compares so.
    Sequence(Side, std::rc::Rc<[Node]>, std::rc::Rc<[Node]>),
    Belongs(Node, DomainId, bool),
    Proper(Node, bool),
    /// The map has the key, with the value if one is given, or lacks it.
    Entry(Node, Node, Option<Node>),
    /// The integer is larger than the size of the tuple.
    Above(Node, Node),
    /// The operation on numbers, one of them a float, has a result that is too large for one.
    Overflow(Binop, Node, Node),
    /// This case is beyond what the solver knows.
    GiveUp,
}
