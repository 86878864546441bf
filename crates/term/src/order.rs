//! Equality and order of terms.
//!
//! number < atom < reference < fun < port < pid < tuple < map < nil < list < bit string.
//! Two modes: *loose* (`==`, `<`; `1` equals `1.0`) and *exact* (`=:=`, and keys of maps; `1` comes
//! before `1.0`). Walks with an explicit stack: depth costs heap, not stack.

use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use smallvec::SmallVec;

use crate::fun::Fun;
use crate::{ForeignKind, Term};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Loose,
    Exact,
}

/// `=:=`
#[inline]
pub fn exact_eq(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => a == b,
        (Term::Atom(a), Term::Atom(b)) => a == b,
        (Term::Nil, Term::Nil) => true,
        _ if a.is_immediate() && b.is_immediate() => match (a, b) {
            (Term::Float(a), Term::Float(b)) => a == b,
            (Term::Pid(a), Term::Pid(b)) => a == b,
            (Term::Port(a), Term::Port(b)) => a == b,
            (Term::Ref(a), Term::Ref(b)) => a == b,
            _ => false,
        },
        _ => walk(a, b, Mode::Exact, true) == Ordering::Equal,
    }
}

/// `==`
#[inline]
pub fn loose_eq(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => a == b,
        (Term::Atom(a), Term::Atom(b)) => a == b,
        _ => walk(a, b, Mode::Loose, true) == Ordering::Equal,
    }
}

/// The order of `<` and `lists:sort/1`.
#[inline]
pub fn compare(a: &Term, b: &Term) -> Ordering {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => a.cmp(b),
        _ => walk(a, b, Mode::Loose, false),
    }
}

/// The order of keys in maps and ordered sets of exact keys.
#[inline]
pub fn compare_exact(a: &Term, b: &Term) -> Ordering {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => a.cmp(b),
        _ => walk(a, b, Mode::Exact, false),
    }
}

/// Position of the type in the order of types.
fn rank(term: &Term) -> u8 {
    match term {
        Term::Int(_) | Term::Big(_) | Term::Float(_) => 0,
        Term::Atom(_) => 1,
        Term::Ref(_) => 2,
        Term::Fun(_) => 3,
        Term::Port(_) => 4,
        Term::Pid(_) => 5,
        Term::Tuple(_) => 6,
        Term::Map(_) => 7,
        Term::Nil => 8,
        Term::Cons(_) => 9,
        Term::Bits(_) => 10,
        Term::Foreign(foreign) => match foreign.kind {
            ForeignKind::Ref => 2,
            ForeignKind::Port => 4,
            ForeignKind::Pid => 5,
        },
    }
}

/// What is still to be compared once everything before it was equal.
enum Later<'a> {
    Pair(&'a Term, &'a Term, Mode),
    Slices(&'a [Term], &'a [Term], Mode),
    /// Pairs in reverse order.
    Pairs(Vec<(&'a Term, &'a Term)>, Mode),
}

/// Compares two terms. Where only equality is asked for (`eq`), an unequal result may be either of
/// the two, which allows short cuts.
fn walk<'a>(a: &'a Term, b: &'a Term, mode: Mode, eq: bool) -> Ordering {
    let mut stack: SmallVec<[Later<'a>; 8]> = SmallVec::new();
    let (mut a, mut b, mut mode) = (a, b, mode);
    loop {
        let ordering = match (a, b) {
            (Term::Cons(x), Term::Cons(y)) => {
                if !Rc::ptr_eq(x, y) {
                    stack.push(Later::Pair(&x.tail, &y.tail, mode));
                    (a, b) = (&x.head, &y.head);
                    continue;
                }
                Ordering::Equal
            }
            (Term::Tuple(x), Term::Tuple(y)) => match x.len().cmp(&y.len()) {
                Ordering::Equal if x.ptr_eq(y) => Ordering::Equal,
                Ordering::Equal => {
                    stack.push(Later::Slices(x, y, mode));
                    Ordering::Equal
                }
                unequal => unequal,
            },
            (Term::Map(x), Term::Map(y)) => match x.len().cmp(&y.len()) {
                Ordering::Equal if x.ptr_eq(y) => Ordering::Equal,
                Ordering::Equal => {
                    let mut values: Vec<_> = x.values().zip(y.values()).collect();
                    let mut keys: Vec<_> = x.keys().zip(y.keys()).collect();
                    values.reverse();
                    keys.reverse();
                    stack.push(Later::Pairs(values, mode));
                    stack.push(Later::Pairs(keys, Mode::Exact));
                    Ordering::Equal
                }
                unequal => unequal,
            },
            (Term::Fun(x), Term::Fun(y)) => {
                if Rc::ptr_eq(x, y) {
                    Ordering::Equal
                } else {
                    let ordering = compare_fun_heads(x, y);
                    if let (Ordering::Equal, Fun::Local(x), Fun::Local(y)) = (ordering, &**x, &**y)
                    {
                        stack.push(Later::Slices(&x.env, &y.env, mode));
                    }
                    ordering
                }
            }
            (Term::Bits(x), Term::Bits(y)) if eq && x.bit_len() != y.bit_len() => Ordering::Less,
            _ => compare_leaves(a, b, mode),
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
        // Equal so far: go on with what was put off.
        loop {
            match stack.pop() {
                None => return Ordering::Equal,
                Some(Later::Pair(x, y, m)) => (a, b, mode) = (x, y, m),
                Some(Later::Slices(x, y, m)) => {
                    let ([x, xs @ ..], [y, ys @ ..]) = (x, y) else { continue };
                    if !xs.is_empty() {
                        stack.push(Later::Slices(xs, ys, m));
                    }
                    (a, b, mode) = (x, y, m);
                }
                Some(Later::Pairs(mut pairs, m)) => {
                    let Some((x, y)) = pairs.pop() else { continue };
                    stack.push(Later::Pairs(pairs, m));
                    (a, b, mode) = (x, y, m);
                }
            }
            break;
        }
    }
}

fn compare_leaves(a: &Term, b: &Term, mode: Mode) -> Ordering {
    match (a, b) {
        (Term::Int(x), Term::Int(y)) => x.cmp(y),
        (Term::Atom(x), Term::Atom(y)) => x.cmp(y),
        (Term::Nil, Term::Nil) => Ordering::Equal,
        (Term::Pid(x), Term::Pid(y)) => x.cmp(y),
        (Term::Port(x), Term::Port(y)) => x.cmp(y),
        (Term::Ref(x), Term::Ref(y)) => x.cmp(y),
        (Term::Bits(x), Term::Bits(y)) => x.cmp(y),
        (Term::Foreign(x), Term::Foreign(y)) => x.cmp(y),
        _ => match rank(a).cmp(&rank(b)) {
            Ordering::Equal => match (a, b) {
                // An identifier of this node against one of another.
                (Term::Foreign(_), _) => Ordering::Greater,
                (_, Term::Foreign(_)) => Ordering::Less,
                _ => compare_numbers(a, b, mode),
            },
            unequal => unequal,
        },
    }
}

fn compare_fun_heads(a: &Fun, b: &Fun) -> Ordering {
    match (a, b) {
        (Fun::Local(x), Fun::Local(y)) => (x.module, x.index, x.unique, x.env.len()).cmp(&(
            y.module,
            y.index,
            y.unique,
            y.env.len(),
        )),
        (
            Fun::External { module, name, arity },
            Fun::External { module: module2, name: name2, arity: arity2 },
        ) => (module, name, arity).cmp(&(module2, name2, arity2)),
        (Fun::Local(_), Fun::External { .. }) => Ordering::Less,
        (Fun::External { .. }, Fun::Local(_)) => Ordering::Greater,
    }
}

fn compare_numbers(a: &Term, b: &Term, mode: Mode) -> Ordering {
    let ordering = match (a, b) {
        (Term::Float(x), Term::Float(y)) => {
            return x.partial_cmp(y).unwrap_or(Ordering::Equal);
        }
        (Term::Float(x), _) => compare_int_float(b, *x).reverse(),
        (_, Term::Float(y)) => compare_int_float(a, *y),
        (Term::Big(x), Term::Big(y)) => return x.cmp(y),
        // A big integer lies outside the range of the small ones.
        (Term::Int(_), Term::Big(y)) => {
            return if y.is_negative() { Ordering::Greater } else { Ordering::Less };
        }
        (Term::Big(x), Term::Int(_)) => {
            return if x.is_negative() { Ordering::Less } else { Ordering::Greater };
        }
        _ => return Ordering::Equal,
    };
    match (ordering, mode) {
        (Ordering::Equal, Mode::Exact) => {
            matches!(a, Term::Float(_)).cmp(&matches!(b, Term::Float(_)))
        }
        _ => ordering,
    }
}

/// The exact order of an integer and a (finite) float.
fn compare_int_float(int: &Term, float: f64) -> Ordering {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53: up to here every integer is a float
    match int {
        Term::Int(value) if float.abs() <= EXACT => {
            let value = *value;
            if value.unsigned_abs() <= EXACT as u64 {
                (value as f64).partial_cmp(&float).unwrap_or(Ordering::Equal)
            } else if value < 0 {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        // Beyond 2^53 a float is a whole number.
        Term::Int(value) => BigInt::from(*value).cmp(&BigInt::from_f64(float).unwrap_or_default()),
        Term::Big(value) => (**value).cmp(&BigInt::from_f64(float.trunc()).unwrap_or_default()),
        _ => Ordering::Equal,
    }
}
