//! The steps at one place: values of a type that may be simpler than a value of it.
//!
//! Whoever asks takes only those that are smaller ([`crate::weight`]); some of what is made here is
//! not.

use atom::Atom;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use types::Type;
use types::ty::{Atoms, Bits, FunType, Integers, Tuples};

use crate::Input;
use crate::generate::key_input;
use crate::input::{BitString, Float, Fun, Record, deeper};
use crate::ranks::{self, Ranks};

/// Steps from a value of a type, those that take away most first.
pub(super) fn steps(ty: &Type, input: &Input) -> Vec<Input> {
    let mut found = simplest(ty);
    // A part in place of the whole, from the outside to the inside.
    parts_of_type(ty, input, &mut found);
    match input {
        Input::Integer(value) => integer_steps(value, &ty.parts().integers, &mut found),
        Input::Float(value) => float_steps(*value, &mut found),
        Input::Bits(bits) => bit_steps(bits, ty.parts().bits.unwrap_or(Bits::ALL), &mut found),
        Input::List(elements, tail) => list_steps(elements, tail.as_deref(), &mut found),
        Input::Tuple(elements) => {
            if let Tuples::All = ty.parts().tuples {
                without_some(elements, |rest| found.push(Input::Tuple(rest)));
            }
        }
        Input::Map(pairs) => without_some(pairs, |rest| found.push(Input::Map(rest))),
        Input::Fun(fun) => fun_steps(fun, ty, &mut found),
        Input::Process(number @ 2..) => found.push(Input::Process(number - 1)),
        Input::Port(number @ 2..) => found.push(Input::Port(number - 1)),
        Input::Reference(number @ 2..) => found.push(Input::Reference(number - 1)),
        _ => {}
    }
    found.retain(|candidate| candidate != input && candidate.is_of(ty));
    found
}

/// Values of a type that are as simple as they can be, at most one a kind of term.
pub fn simplest(ty: &Type) -> Vec<Input> {
    simplest_of(ty, &mut Ranks::default(), SIMPLEST_DEPTH)
}

/// How deep simplest values are at most.
const SIMPLEST_DEPTH: u32 = 8;

fn simplest_of(ty: &Type, ranks: &mut Ranks, depth: u32) -> Vec<Input> {
    let parts = ty.parts();
    let mut found = Vec::new();
    match &parts.integers {
        Integers::Some(some) => {
            let closest = some.iter().min_by_key(|value| (value.unsigned_abs(), **value < 0));
            found.extend(closest.map(|&value| Input::integer(value)));
        }
        Integers::Range(low, high) => {
            let closest = low.unwrap_or(0).max(0).min(high.unwrap_or(i64::MAX));
            found.push(Input::integer(closest));
        }
    }
    match &parts.atoms {
        Atoms::All => found.push(Input::Atom(Atom::new("a"))),
        Atoms::Some(atoms) => found.extend(atoms.iter().map(|&atom| Input::Atom(atom))),
    }
    if parts.nil {
        found.push(Input::NIL);
    }
    if parts.floats {
        found.push(Input::Float(Float::ZERO));
    }
    if let Some(bits) = parts.bits {
        found.push(Input::Bits(BitString::new(Vec::new(), bits.base as usize)));
    }
    let leaves = [
        (parts.references, Input::Reference(1)),
        (parts.pids, Input::Process(1)),
        (parts.ports, Input::Port(1)),
    ];
    found.extend(leaves.into_iter().filter(|leaf| leaf.0).map(|leaf| leaf.1));
    if parts.records {
        let (module, name) = (Atom::new("m"), Atom::new("r"));
        found.push(Input::Record(Box::new(Record { module, name, fields: Vec::new() })));
    }
    if depth > 0 {
        simplest_with_parts(ty, ranks, depth - 1, &mut found);
    }
    found
}

/// The simplest value of a type within a depth: the first of its simplest.
fn simple(ty: &Type, ranks: &mut Ranks, depth: u32) -> Option<Input> {
    if ranks.least(ty)? > depth {
        return None;
    }
    deeper(|| simplest_of(ty, ranks, depth).into_iter().next())
}

fn simplest_with_parts(ty: &Type, ranks: &mut Ranks, depth: u32, found: &mut Vec<Input>) {
    let parts = ty.parts();
    let mut all = |types: &[&Type]| -> Option<Vec<Input>> {
        types.iter().map(|ty| simple(ty, ranks, depth)).collect()
    };
    match &parts.tuples {
        Tuples::All => found.push(Input::Tuple(Vec::new())),
        Tuples::Some(tuples) => {
            for tuple in tuples {
                let types: Vec<&Type> = tuple.iter().collect();
                found.extend(all(&types).map(Input::Tuple));
            }
        }
    }
    if let Some(cons) = &parts.cons
        && let Some(head) = all(&[&cons.head])
    {
        let tail = if cons.tail.parts().nil { Some(vec![Input::NIL]) } else { all(&[&cons.tail]) };
        found.extend(tail.map(|mut tail| Input::list_with(head, tail.remove(0))));
    }
    if let Some(map) = &parts.maps {
        let fields: Vec<_> = ranks::required(map).collect();
        let types: Vec<&Type> = fields.iter().map(|field| &field.value).collect();
        if let Some(values) = all(&types) {
            let keys = fields.iter().map(|field| key_input(field.key));
            found.push(Input::map(keys.zip(values).collect()));
        }
    }
    if let Some(FunType { args, result }) = &parts.funs {
        let arity = args.as_ref().map_or(0, |args| args.len() as u32);
        let others = all(&[result]).unwrap_or_default();
        found.push(Input::Fun(Box::new(Fun { arity, table: Vec::new(), others })));
    }
}

/// What is inside a value and of a type. (Funs are known by their arity alone, so they stay.)
fn parts_of_type(ty: &Type, input: &Input, found: &mut Vec<Input>) {
    for part in input.parts() {
        if !part.has_fun() && part.is_of(ty) {
            found.push(part.clone());
        }
        if found.len() < MOST_PARTS {
            deeper(|| parts_of_type(ty, part, found));
        }
    }
}

/// More parts than these are not tried.
const MOST_PARTS: usize = 200;

/// Towards the value that is closest to 0: there at once, half of the way, a quarter, …, one step;
/// and its last and its first digits: what a program takes apart by `rem` and `div` has them.
fn integer_steps(value: &BigInt, range: &Integers, found: &mut Vec<Input>) {
    if let Integers::Some(some) = range {
        found.extend(some.iter().map(|&other| Input::integer(other)));
        return;
    }
    if value.is_negative() {
        found.push(Input::Integer(-value));
    }
    let target = match range {
        Integers::Range(Some(low), _) if *low > 0 => BigInt::from(*low),
        Integers::Range(_, Some(high)) if *high < 0 => BigInt::from(*high),
        _ => BigInt::zero(),
    };
    let mut distance = value - &target;
    while !distance.is_zero() {
        found.push(Input::Integer(value - &distance));
        distance /= 2;
    }
    let mut power = BigInt::from(10);
    for _ in 0..MOST_DIGITS {
        if power > value.abs() {
            break;
        }
        found.push(Input::Integer(value % &power));
        found.push(Input::Integer(value / &power));
        power *= 10;
    }
}

/// Of longer numbers only so many digits are tried at either end.
const MOST_DIGITS: u32 = 20;

fn float_steps(value: Float, found: &mut Vec<Input>) {
    let value = value.value();
    let mut add = |value: f64| found.extend(Input::float(value));
    add(-value);
    add(value.trunc());
    // Towards 0 as integers go.
    let mut distance = value.trunc();
    while distance != 0.0 && distance.is_finite() {
        add(value - distance);
        distance = (distance / 2.0).trunc();
    }
    add(value / 2.0);
}

fn bit_steps(bits: &BitString, sizes: Bits, found: &mut Vec<Input>) {
    let unit = sizes.unit as usize;
    if unit > 0 {
        // Whole bytes first, where the type allows that.
        let units = if unit == 1 && bits.len() >= 8 { vec![8, 1] } else { vec![unit] };
        for unit in units {
            let mut count = bits.len() / unit;
            while count > 0 {
                let mut from = 0;
                while from + count * unit <= bits.len() {
                    let shorter = bits.without(from, from + count * unit);
                    if sizes.contains(shorter.len() as u64) {
                        found.push(Input::Bits(shorter));
                    }
                    from += count * unit;
                }
                count /= 2;
            }
        }
    }
    for (place, &byte) in bits.bytes().iter().enumerate() {
        let mut distance = byte;
        while distance > 0 {
            let mut bytes = bits.bytes().to_vec();
            bytes[place] = byte - distance;
            found.push(Input::Bits(BitString::new(bytes, bits.len())));
            distance /= 2;
        }
    }
}

fn list_steps(elements: &[Input], tail: Option<&Input>, found: &mut Vec<Input>) {
    let with_tail = |elements: Vec<Input>| match tail {
        Some(tail) => Input::list_with(elements, tail.clone()),
        None => Input::list(elements),
    };
    without_some(elements, |rest| found.push(with_tail(rest)));
    if tail.is_some() {
        found.push(Input::list(elements.to_vec()));
    }
    // What is simpler comes first; two that are side by side at a time.
    for place in 1..elements.len() {
        if elements[place] != elements[place - 1] {
            let mut swapped = elements.to_vec();
            swapped.swap(place - 1, place);
            found.push(with_tail(swapped));
        }
    }
}

fn fun_steps(fun: &Fun, ty: &Type, found: &mut Vec<Input>) {
    let mut add = |fun: Fun| found.push(Input::Fun(Box::new(fun)));
    // One answer to everything.
    for (_, result) in &fun.table {
        add(Fun { arity: fun.arity, table: Vec::new(), others: vec![result.clone()] });
    }
    without_some(&fun.table, |table| add(Fun { table, ..fun.clone() }));
    if fun.others.len() > 1 {
        for other in &fun.others {
            add(Fun { others: vec![other.clone()], ..fun.clone() });
        }
    }
    if ty.parts().funs.as_ref().is_some_and(|of| of.args.is_none()) && fun.table.is_empty() {
        for arity in 0..fun.arity {
            add(Fun { arity, ..fun.clone() });
        }
    }
}

/// All but a part: nothing, a half, a quarter, …, all but one.
fn without_some<T: Clone>(of: &[T], mut found: impl FnMut(Vec<T>)) {
    let mut count = of.len();
    while count > 0 {
        let mut from = 0;
        while from < of.len() {
            let to = (from + count).min(of.len());
            found([&of[..from], &of[to..]].concat());
            from = to;
        }
        count /= 2;
    }
}
