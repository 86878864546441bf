//! The value of a condition: what `-if(Condition)` asks.
//!
//! A condition is one guard expression; `defined(NAME)` asks for a macro. As in OTP: an expression
//! that could not stand in a guard is an error, and a guard that fails while it is evaluated (an
//! unbound variable, `1 + a`, a function that does not exist) is false, as is every value but
//! `true`.
//!
//! Differs from OTP: maps, funs, binaries with sizes or types, and integers
//! of more than [`MAX_BITS`] bits are not evaluated; a condition that needs one is false.

mod term;

use std::cmp::Ordering;

use atom::{Atom, known};
use num_bigint::BigInt;

use crate::ast::{BinaryOp, Kind, Module, NodeId, NodeList, UnaryOp};
use crate::builtins;
use crate::token::Literal;

pub(super) use term::Term;

/// Conditions are guards of this release.
const RELEASE: u32 = 25;

/// Integers do not grow beyond this.
const MAX_BITS: u64 = 4_194_304;

/// The condition is no guard expression.
#[derive(Debug)]
pub(super) struct NoGuard;

/// Evaluation failed.
#[derive(Debug)]
struct Failed;

/// Whether a condition holds; `defined` says which macros there are.
pub(super) fn holds(
    module: &Module,
    nodes: &[NodeId],
    defined: impl Fn(Atom) -> bool,
) -> Result<bool, NoGuard> {
    let &[node] = nodes else { return Err(NoGuard) };
    let evaluator = Evaluator { module, defined };
    // Both checks come before anything is evaluated, as `defined(1)` is an error anywhere.
    if !evaluator.is_guard(node) {
        return Err(NoGuard);
    }
    Ok(matches!(evaluator.value(node), Ok(Term::Atom(known::TRUE))))
}

/// The term that an expression denotes without evaluating anything, as in `-error(Term)`.
pub(super) fn constant(module: &Module, node: NodeId) -> Option<Term> {
    let evaluator = Evaluator { module, defined: |_| false };
    evaluator.is_constant(node).then(|| evaluator.value(node).ok())?
}

struct Evaluator<'m, D> {
    module: &'m Module,
    defined: D,
}

/// Nesting is as deep as the text has it.
fn deeper<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, work)
}

impl<D: Fn(Atom) -> bool> Evaluator<'_, D> {
    fn all(&self, list: NodeList, test: impl Fn(NodeId) -> bool) -> bool {
        self.module.list(list).iter().all(|&node| test(node))
    }

    fn atom(&self, node: NodeId) -> Option<Atom> {
        match self.module.kind(node) {
            Kind::Atom(name) => Some(name),
            _ => None,
        }
    }

    fn is_constant(&self, node: NodeId) -> bool {
        deeper(|| match self.module.kind(node) {
            Kind::Atom(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Char(_)
            | Kind::String(_)
            | Kind::Nil => true,
            Kind::Tuple { elements } => self.all(elements, |node| self.is_constant(node)),
            Kind::List { elements, tail } => {
                self.all(elements, |node| self.is_constant(node))
                    && tail.is_none_or(|tail| self.is_constant(tail))
            }
            Kind::UnaryOp { op: UnaryOp::Plus | UnaryOp::Minus, operand } => matches!(
                self.module.kind(operand),
                Kind::Integer(_) | Kind::Float(_) | Kind::Char(_)
            ),
            Kind::Binary { elements } => self.all(elements, |node| self.is_plain_segment(node)),
            _ => false,
        })
    }

    /// A segment of a binary that is a string or a byte.
    fn is_plain_segment(&self, node: NodeId) -> bool {
        match self.module.kind(node) {
            Kind::BinElement { value, size: None, specs: None } => matches!(
                self.module.kind(value),
                Kind::String(_) | Kind::Integer(_) | Kind::Char(_)
            ),
            _ => false,
        }
    }

    fn is_guard(&self, node: NodeId) -> bool {
        deeper(|| match self.module.kind(node) {
            Kind::Atom(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Char(_)
            | Kind::String(_)
            | Kind::Nil
            | Kind::Var(_)
            | Kind::Sigil { .. }
            | Kind::RecordIndex { .. } => true,
            Kind::Tuple { elements } => self.all(elements, |node| self.is_guard(node)),
            Kind::List { elements, tail } => {
                self.all(elements, |node| self.is_guard(node))
                    && tail.is_none_or(|tail| self.is_guard(tail))
            }
            Kind::Map { base, fields } => {
                base.is_none_or(|base| self.is_guard(base))
                    && self.all(fields, |field| self.is_guard(field))
            }
            Kind::MapField { key, value, .. } => self.is_guard(key) && self.is_guard(value),
            Kind::Record { base, fields, .. } => {
                base.is_none() && self.all(fields, |field| self.is_guard(field))
            }
            Kind::RecordField { value, .. } => self.is_guard(value),
            Kind::RecordAccess { base, .. } => self.is_guard(base),
            Kind::Binary { elements } => self.all(elements, |element| self.is_guard(element)),
            Kind::BinElement { value, size, .. } => {
                self.is_guard(value) && size.is_none_or(|size| self.is_guard(size))
            }
            Kind::UnaryOp { operand, .. } => self.is_guard(operand),
            Kind::BinaryOp { op, left, right } => {
                let allowed = !matches!(op, BinaryOp::Append | BinaryOp::Subtract | BinaryOp::Send);
                allowed && self.is_guard(left) && self.is_guard(right)
            }
            Kind::Call { callee, args } => self.is_guard_call(callee, args),
            _ => false,
        })
    }

    fn is_guard_call(&self, callee: NodeId, args: NodeList) -> bool {
        let arity = args.len;
        match self.module.kind(callee) {
            Kind::Atom(known::DEFINED) if arity == 1 => {
                let argument = self.module.list(args)[0];
                matches!(self.module.kind(argument), Kind::Atom(_) | Kind::Var(_))
            }
            Kind::Atom(name) => {
                !is_bif_outside_guards(name, arity)
                    && self.all(args, |argument| self.is_guard(argument))
            }
            Kind::Remote { module, name } => {
                let Some(name) = self.atom(name) else { return false };
                let operator = match arity {
                    1 => UnaryOp::from_text(name.as_str()).is_some(),
                    2 => BinaryOp::from_text(name.as_str()).is_some_and(|op| {
                        !matches!(
                            op,
                            BinaryOp::Append
                                | BinaryOp::Subtract
                                | BinaryOp::Send
                                | BinaryOp::Andalso
                                | BinaryOp::Orelse
                        )
                    }),
                    _ => false,
                };
                self.atom(module) == Some(known::ERLANG)
                    && (operator || builtins::is_guard_function((name, arity), RELEASE))
                    && self.all(args, |argument| self.is_guard(argument))
            }
            _ => false,
        }
    }

    fn values(&self, list: NodeList) -> Result<Vec<Term>, Failed> {
        self.module.list(list).iter().map(|&node| self.value(node)).collect()
    }

    fn value(&self, node: NodeId) -> Result<Term, Failed> {
        deeper(|| match self.module.kind(node) {
            Kind::Atom(name) => Ok(Term::Atom(name)),
            Kind::Char(c) => Ok(Term::Integer(c.into())),
            Kind::Nil => Ok(Term::nil()),
            Kind::Integer(id) | Kind::Float(id) | Kind::String(id) => {
                match self.module.literal(id) {
                    Literal::Integer(value) => Ok(Term::Integer(value.clone())),
                    Literal::Float(value) => Ok(Term::Float(*value)),
                    Literal::String(text) => Ok(Term::string(text)),
                }
            }
            Kind::Tuple { elements } => Ok(Term::Tuple(self.values(elements)?)),
            Kind::List { elements, tail } => {
                let elements = self.values(elements)?;
                let tail = tail.map(|tail| self.value(tail)).transpose()?;
                Ok(Term::list(elements, tail))
            }
            Kind::Binary { elements } => self.binary(elements),
            Kind::UnaryOp { op, operand } => unary(op, self.value(operand)?),
            Kind::BinaryOp { op, left, right } => self.binary_op(op, left, right),
            Kind::Call { callee, args } => match self.module.kind(callee) {
                Kind::Atom(known::DEFINED) if args.len == 1 => {
                    match self.module.kind(self.module.list(args)[0]) {
                        Kind::Atom(name) | Kind::Var(name) => Ok(Term::bool((self.defined)(name))),
                        _ => Err(Failed),
                    }
                }
                Kind::Atom(name) => bif(name, self.values(args)?),
                Kind::Remote { name, .. } => {
                    let name = self.atom(name).ok_or(Failed)?;
                    match self.values(args)?.as_slice() {
                        [operand] if UnaryOp::from_text(name.as_str()).is_some() => {
                            let op = UnaryOp::from_text(name.as_str()).ok_or(Failed)?;
                            unary(op, operand.clone())
                        }
                        [left, right] if BinaryOp::from_text(name.as_str()).is_some() => {
                            let op = BinaryOp::from_text(name.as_str()).ok_or(Failed)?;
                            strict_op(op, left.clone(), right.clone())
                        }
                        args => bif(name, args.to_vec()),
                    }
                }
                _ => Err(Failed),
            },
            _ => Err(Failed),
        })
    }

    fn binary(&self, elements: NodeList) -> Result<Term, Failed> {
        let mut bytes = Vec::new();
        for &element in self.module.list(elements) {
            if !self.is_plain_segment(element) {
                return Err(Failed);
            }
            let Kind::BinElement { value, .. } = self.module.kind(element) else {
                return Err(Failed);
            };
            let mut push = |value: &BigInt| {
                // A segment without size keeps the low eight bits.
                let low: BigInt = value & BigInt::from(255);
                bytes.push(u8::try_from(&low).unwrap_or(0));
            };
            match self.value(value)? {
                Term::Integer(value) => push(&value),
                Term::List { elements, .. } => {
                    for element in &elements {
                        if let Term::Integer(value) = element {
                            push(value);
                        }
                    }
                }
                _ => return Err(Failed),
            }
        }
        Ok(Term::Binary(bytes))
    }

    fn binary_op(&self, op: BinaryOp, left: NodeId, right: NodeId) -> Result<Term, Failed> {
        let short_circuit = match op {
            BinaryOp::Andalso => Some(false),
            BinaryOp::Orelse => Some(true),
            _ => None,
        };
        let left = self.value(left)?;
        let Some(decisive) = short_circuit else {
            return strict_op(op, left, self.value(right)?);
        };
        if left.as_bool().ok_or(Failed)? == decisive {
            return Ok(Term::bool(decisive));
        }
        self.value(right)
    }
}

fn unary(op: UnaryOp, operand: Term) -> Result<Term, Failed> {
    match (op, operand) {
        (UnaryOp::Not, operand) => Ok(Term::bool(!operand.as_bool().ok_or(Failed)?)),
        (UnaryOp::Plus, operand @ (Term::Integer(_) | Term::Float(_))) => Ok(operand),
        (UnaryOp::Minus, Term::Integer(value)) => Ok(Term::Integer(-value)),
        (UnaryOp::Minus, Term::Float(value)) => Ok(Term::Float(-value)),
        (UnaryOp::Bnot, Term::Integer(value)) => Ok(Term::Integer(-value - 1)),
        _ => Err(Failed),
    }
}

/// An operator that evaluates both sides.
fn strict_op(op: BinaryOp, left: Term, right: Term) -> Result<Term, Failed> {
    let order = |wanted: fn(Ordering) -> bool| {
        left.compare(&right).map(|order| Term::bool(wanted(order))).ok_or(Failed)
    };
    match op {
        BinaryOp::Eq => order(Ordering::is_eq),
        BinaryOp::Ne => order(Ordering::is_ne),
        BinaryOp::Lt => order(Ordering::is_lt),
        BinaryOp::Le => order(Ordering::is_le),
        BinaryOp::Gt => order(Ordering::is_gt),
        BinaryOp::Ge => order(Ordering::is_ge),
        BinaryOp::ExactEq => Ok(Term::bool(left == right)),
        BinaryOp::ExactNe => Ok(Term::bool(left != right)),
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => {
            let (a, b) = (left.as_bool().ok_or(Failed)?, right.as_bool().ok_or(Failed)?);
            Ok(Term::bool(match op {
                BinaryOp::And => a && b,
                BinaryOp::Or => a || b,
                _ => a != b,
            }))
        }
        _ => arithmetic(op, left, right),
    }
}

fn arithmetic(op: BinaryOp, left: Term, right: Term) -> Result<Term, Failed> {
    if let (Term::Integer(a), Term::Integer(b)) = (&left, &right) {
        let zero = BigInt::ZERO;
        let value = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul if a.bits() + b.bits() <= MAX_BITS => a * b,
            BinaryOp::IntDiv if *b != zero => a / b,
            BinaryOp::Rem if *b != zero => a % b,
            BinaryOp::Band => a & b,
            BinaryOp::Bor => a | b,
            BinaryOp::Bxor => a ^ b,
            BinaryOp::Bsl | BinaryOp::Bsr => {
                let distance = i64::try_from(b).map_err(|_| Failed)?;
                shift(a, if op == BinaryOp::Bsl { distance } else { distance.saturating_neg() })?
            }
            BinaryOp::Div if *b != zero => {
                return finite(left.as_float().ok_or(Failed)? / right.as_float().ok_or(Failed)?);
            }
            _ => return Err(Failed),
        };
        return Ok(Term::Integer(value));
    }
    let (a, b) = (left.as_float().ok_or(Failed)?, right.as_float().ok_or(Failed)?);
    finite(match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div if b != 0.0 => a / b,
        _ => return Err(Failed),
    })
}

fn finite(value: f64) -> Result<Term, Failed> {
    if value.is_finite() { Ok(Term::Float(value)) } else { Err(Failed) }
}

fn shift(value: &BigInt, left: i64) -> Result<BigInt, Failed> {
    if left < 0 {
        return Ok(value >> left.unsigned_abs());
    }
    if *value != BigInt::ZERO && value.bits().saturating_add(left as u64) > MAX_BITS {
        return Err(Failed);
    }
    Ok(value << left)
}

/// A function that guards may call.
fn bif(name: Atom, args: Vec<Term>) -> Result<Term, Failed> {
    let integer = |value: f64| Term::from_float(value).ok_or(Failed);
    Ok(match (name.as_str(), args.as_slice()) {
        ("is_atom", [term]) => Term::bool(matches!(term, Term::Atom(_))),
        ("is_boolean", [term]) => Term::bool(term.as_bool().is_some()),
        ("is_integer", [term]) => Term::bool(matches!(term, Term::Integer(_))),
        ("is_float", [term]) => Term::bool(matches!(term, Term::Float(_))),
        ("is_number", [term]) => Term::bool(matches!(term, Term::Integer(_) | Term::Float(_))),
        ("is_tuple", [term]) => Term::bool(matches!(term, Term::Tuple(_))),
        ("is_list", [term]) => Term::bool(matches!(term, Term::List { .. })),
        ("is_binary" | "is_bitstring", [term]) => Term::bool(matches!(term, Term::Binary(_))),
        ("self", []) => Term::Pid,
        ("node", [] | [Term::Pid]) => Term::Atom(Atom::new("nonode@nohost")),
        ("is_pid", [term]) => Term::bool(*term == Term::Pid),
        ("is_function" | "is_map" | "is_port" | "is_reference", [_]) => Term::bool(false),
        ("is_record", [Term::Tuple(elements), tag]) => Term::bool(elements.first() == Some(tag)),
        ("is_record", [_, Term::Atom(_)]) => Term::bool(false),
        ("abs", [Term::Integer(value)]) => {
            Term::Integer(if *value < BigInt::ZERO { -value } else { value.clone() })
        }
        ("abs", [Term::Float(value)]) => Term::Float(value.abs()),
        ("float", [value]) => Term::Float(value.as_float().ok_or(Failed)?),
        ("round" | "trunc" | "floor" | "ceil", [Term::Integer(value)]) => {
            Term::Integer(value.clone())
        }
        ("round", [Term::Float(value)]) => integer(value.round())?,
        ("trunc", [Term::Float(value)]) => integer(value.trunc())?,
        ("floor", [Term::Float(value)]) => integer(value.floor())?,
        ("ceil", [Term::Float(value)]) => integer(value.ceil())?,
        ("element", [Term::Integer(index), Term::Tuple(elements)]) => {
            let index = usize::try_from(index).map_err(|_| Failed)?;
            elements.get(index.wrapping_sub(1)).cloned().ok_or(Failed)?
        }
        ("tuple_size" | "size", [Term::Tuple(elements)]) => Term::Integer(elements.len().into()),
        ("byte_size" | "size", [Term::Binary(bytes)]) => Term::Integer(bytes.len().into()),
        ("bit_size", [Term::Binary(bytes)]) => Term::Integer((bytes.len() * 8).into()),
        ("length", [Term::List { elements, tail: None }]) => Term::Integer(elements.len().into()),
        ("hd", [Term::List { elements, .. }]) => elements.first().cloned().ok_or(Failed)?,
        ("tl", [Term::List { elements, tail }]) => {
            let (_, rest) = elements.split_first().ok_or(Failed)?;
            Term::list(rest.to_vec(), tail.as_deref().cloned())
        }
        _ => return Err(Failed),
    })
}

/// Functions that need no module name but that no guard may call. (`bitsize/1` is only a name that
/// old modules could not take.)
fn is_bif_outside_guards(name: Atom, arity: u32) -> bool {
    builtins::is_auto_imported((name, arity))
        && !builtins::is_guard_function((name, arity), RELEASE)
        && name.as_str() != "bitsize"
}
