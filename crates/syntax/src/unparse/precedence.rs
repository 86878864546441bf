//! How tightly each kind of node binds: the precedences of Erlang's grammar, for deciding where
//! parentheses are needed.
//!
//! Levels follow the grammar of OTP 25, the tightest of those in use: what it takes without
//! parentheses, all later releases take too (`f(X)(Y)` is read since OTP 29 only, so we write
//! `(f(X))(Y)`). `catch` is put in parentheses wherever it is an operand: before OTP 24 that was
//! required, and it is clearer.

use crate::ast::{BinaryOp, Kind};

/// Higher binds tighter. A child whose level is below what its place asks for gets parentheses.
pub(super) type Level = u16;

/// A place where any expression or type can stand.
pub(super) const ANY: Level = 0;
pub(super) const CATCH: Level = 0;
/// The operands of `=`.
pub(super) const MATCH: Level = 100;
pub(super) const ANNOTATION: Level = 150;
pub(super) const UNION: Level = 170;
pub(super) const RANGE: Level = 200;
pub(super) const PREFIX: Level = 600;
/// Calls, and what ends in `#{…}`, `#r{…}` or `#r.f`.
pub(super) const POSTFIX: Level = 700;
pub(super) const REMOTE: Level = 800;
/// Literals, variables, and what has brackets or an `end` of its own.
pub(super) const ATOMIC: Level = 900;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Associativity {
    Left,
    Right,
    None,
}

pub(super) fn operator(op: BinaryOp) -> (Level, Associativity) {
    use BinaryOp::*;
    match op {
        Send => (MATCH, Associativity::Right),
        Orelse => (150, Associativity::Right),
        Andalso => (160, Associativity::Right),
        Eq | Ne | Le | Lt | Ge | Gt | ExactEq | ExactNe => (200, Associativity::None),
        Append | Subtract => (300, Associativity::Right),
        Add | Sub | Bor | Bxor | Bsl | Bsr | Or | Xor => (400, Associativity::Left),
        Mul | Div | IntDiv | Rem | Band | And => (500, Associativity::Left),
    }
}

/// The level of a node. A literal that is a negative number needs a look at its value and is not
/// known here.
pub(super) fn level(kind: Kind) -> Level {
    match kind {
        Kind::Catch { .. } | Kind::MaybeMatch { .. } => CATCH,
        Kind::Match { .. } => MATCH,
        Kind::BinaryOp { op, .. } => operator(op).0,
        Kind::AnnotatedType { .. } => ANNOTATION,
        Kind::UnionType { .. } => UNION,
        Kind::RangeType { .. } => RANGE,
        Kind::UnaryOp { .. } => PREFIX,
        Kind::Call { .. }
        | Kind::Map { .. }
        | Kind::Record { .. }
        | Kind::RecordAccess { .. }
        | Kind::RecordIndex { .. } => POSTFIX,
        Kind::Comprehension { which: crate::ast::ComprehensionKind::Map, .. } => POSTFIX,
        Kind::Remote { .. } => REMOTE,
        _ => ATOMIC,
    }
}

/// Whether the node is a construct with an `end`, which reads badly when something is written right
/// behind it.
pub(super) fn has_end(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Block { .. }
            | Kind::If { .. }
            | Kind::Case { .. }
            | Kind::Receive { .. }
            | Kind::Try { .. }
            | Kind::Maybe { .. }
            | Kind::Fun { .. }
    )
}

/// Whether the node starts with short text and an opening bracket, so that it can stay on the line
/// of what is before it and break inside.
pub(super) fn can_hug(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::List { .. }
            | Kind::Tuple { .. }
            | Kind::Map { .. }
            | Kind::Record { .. }
            | Kind::Binary { .. }
            | Kind::Call { .. }
            | Kind::Fun { .. }
            | Kind::Comprehension { .. }
            | Kind::TupleType { .. }
            | Kind::MapType { .. }
            | Kind::RecordType { .. }
            | Kind::ListType { .. }
            | Kind::NamedType { .. }
            | Kind::RemoteType { .. }
            | Kind::FunType { .. }
    )
}
