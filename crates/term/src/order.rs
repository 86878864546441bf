//! Equality and order of terms.
//!
//! number < atom < reference < fun < port < pid < tuple < native record < map < nil < list < bit
//! string. Two modes: *loose* (`==`, `<`; `1` equals `1.0`) and *exact* (`=:=`, and keys of maps;
//! all integers come before all floats). Walks with an explicit stack: depth costs heap, not stack.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use smallvec::SmallVec;

use crate::fun::Fun;
use crate::{Boxed, ForeignKind, Map, Term, View};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Loose,
    Exact,
}

/// `=:=`
#[inline]
pub fn exact_eq(a: &Term, b: &Term) -> bool {
    if a.same_word(b) {
        return true;
    }
    // Two different immediate values, or one and a pointer, are never exactly equal.
    if a.is_immediate() || b.is_immediate() {
        return false;
    }
    walk(a, b, Mode::Exact, true) == Ordering::Equal
}

/// `==`
#[inline]
pub fn loose_eq(a: &Term, b: &Term) -> bool {
    if a.same_word(b) {
        return true;
    }
    if a.is_immediate() && b.is_immediate() {
        return false;
    }
    walk(a, b, Mode::Loose, true) == Ordering::Equal
}

/// The order of `<` and `lists:sort/1`.
#[inline]
pub fn compare(a: &Term, b: &Term) -> Ordering {
    match Term::both_small(a, b) {
        Some((a, b)) => a.cmp(&b),
        None => walk(a, b, Mode::Loose, false),
    }
}

/// The order of keys in maps and ordered sets of exact keys.
#[inline]
pub fn compare_exact(a: &Term, b: &Term) -> Ordering {
    match Term::both_small(a, b) {
        Some((a, b)) => a.cmp(&b),
        None => walk(a, b, Mode::Exact, false),
    }
}

/// Position of the type in the order of types.
fn rank(view: View<'_>) -> u8 {
    match view {
        View::Int(_) | View::Float(_) | View::Boxed(Boxed::Big(_)) => 0,
        View::Atom(_) => 1,
        View::Ref(_) => 2,
        View::Boxed(Boxed::Fun(_)) => 3,
        View::Port(_) => 4,
        View::Pid(_) => 5,
        View::Tuple(_) => 6,
        View::Boxed(Boxed::Record(_)) => 7,
        View::Map(_) => 8,
        View::Nil => 9,
        View::Cons(_) => 10,
        View::Bits(_) => 11,
        View::Boxed(Boxed::Foreign(foreign)) => match foreign.kind {
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
        let ordering = if a.same_word(b) {
            Ordering::Equal
        } else {
            match (a.view(), b.view()) {
                (View::Cons(x), View::Cons(y)) => {
                    stack.push(Later::Pair(&x.tail, &y.tail, mode));
                    (a, b) = (&x.head, &y.head);
                    continue;
                }
                (View::Tuple(x), View::Tuple(y)) => {
                    let ordering = x.len().cmp(&y.len());
                    if ordering.is_eq() {
                        stack.push(Later::Slices(x, y, mode));
                    }
                    ordering
                }
                (View::Map(x), View::Map(y)) => {
                    let ordering = x.len().cmp(&y.len());
                    if ordering.is_eq() {
                        compare_maps_later(x, y, mode, eq, &mut stack);
                    }
                    ordering
                }
                (View::Boxed(Boxed::Fun(x)), View::Boxed(Boxed::Fun(y))) => {
                    let ordering = compare_fun_heads(x, y);
                    if let (Ordering::Equal, Fun::Local(x), Fun::Local(y)) = (ordering, x, y) {
                        stack.push(Later::Slices(&x.env, &y.env, mode));
                    }
                    ordering
                }
                (View::Boxed(Boxed::Record(x)), View::Boxed(Boxed::Record(y))) => {
                    let ordering = x.shape().cmp(y.shape());
                    if ordering.is_eq() {
                        stack.push(Later::Slices(x.values(), y.values(), mode));
                    }
                    ordering
                }
                (View::Bits(x), View::Bits(y)) if eq && x.bit_len() != y.bit_len() => {
                    Ordering::Less
                }
                (x, y) => compare_leaves(x, y, mode),
            }
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

/// All keys in their order, then the values. Equal maps have the same order whatever it is.
fn compare_maps_later<'a>(
    x: &'a Map,
    y: &'a Map,
    mode: Mode,
    eq: bool,
    stack: &mut SmallVec<[Later<'a>; 8]>,
) {
    let entries = |map: &'a Map| if eq { map.iter().collect() } else { map.by_key() };
    let (mut keys, mut values): (Vec<_>, Vec<_>) = entries(x)
        .into_iter()
        .zip(entries(y))
        .map(|((key, value), (key2, value2))| ((key, key2), (value, value2)))
        .unzip();
    values.reverse();
    keys.reverse();
    stack.push(Later::Pairs(values, mode));
    stack.push(Later::Pairs(keys, Mode::Exact));
}

fn compare_leaves(a: View<'_>, b: View<'_>, mode: Mode) -> Ordering {
    match (a, b) {
        (View::Int(x), View::Int(y)) => x.cmp(&y),
        (View::Atom(x), View::Atom(y)) => x.cmp(&y),
        (View::Pid(x), View::Pid(y)) => x.cmp(&y),
        (View::Port(x), View::Port(y)) => x.cmp(&y),
        (View::Ref(x), View::Ref(y)) => x.cmp(&y),
        (View::Bits(x), View::Bits(y)) => x.cmp(y),
        (View::Boxed(Boxed::Foreign(x)), View::Boxed(Boxed::Foreign(y))) => x.cmp(y),
        _ => match rank(a).cmp(&rank(b)) {
            Ordering::Equal => match (a, b) {
                // An identifier of this node against one of another.
                (View::Boxed(Boxed::Foreign(_)), _) => Ordering::Greater,
                (_, View::Boxed(Boxed::Foreign(_))) => Ordering::Less,
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

fn compare_numbers(a: View<'_>, b: View<'_>, mode: Mode) -> Ordering {
    match (a, b) {
        (View::Float(x), View::Float(y)) => x.partial_cmp(&y).unwrap_or(Ordering::Equal),
        (View::Float(_), _) if mode == Mode::Exact => Ordering::Greater,
        (_, View::Float(_)) if mode == Mode::Exact => Ordering::Less,
        (View::Float(x), _) => compare_int_float(b, x).reverse(),
        (_, View::Float(y)) => compare_int_float(a, y),
        (View::Boxed(Boxed::Big(x)), View::Boxed(Boxed::Big(y))) => x.cmp(y),
        // A big integer lies outside the range of the small ones.
        (View::Int(_), View::Boxed(Boxed::Big(y))) => {
            if y.is_negative() {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (View::Boxed(Boxed::Big(x)), View::Int(_)) => {
            if x.is_negative() {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        _ => Ordering::Equal,
    }
}

/// The exact order of an integer and a (finite) float.
fn compare_int_float(int: View<'_>, float: f64) -> Ordering {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53: up to here every integer is a float
    match int {
        View::Int(value) if float.abs() <= EXACT => {
            if value.unsigned_abs() <= EXACT as u64 {
                (value as f64).partial_cmp(&float).unwrap_or(Ordering::Equal)
            } else if value < 0 {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        // Beyond 2^53 a float is a whole number.
        View::Int(value) => BigInt::from(value).cmp(&BigInt::from_f64(float).unwrap_or_default()),
        View::Boxed(Boxed::Big(value)) => {
            value.cmp(&BigInt::from_f64(float.trunc()).unwrap_or_default())
        }
        _ => Ordering::Equal,
    }
}
