//! The type of a term: the smallest that can be said of it.

use num_traits::{Signed, ToPrimitive};
use term::{Boxed, Foreign, ForeignKind, Term, View};

use super::{Field, Key, MapType, Presence, Type, limits};

impl Type {
    /// A type that holds this term and as little else as possible. Structures are looked into as
    /// deep as types go; a fun is said to take and give anything.
    pub fn of_term(term: &Term) -> Type {
        of(term, limits::DEPTH)
    }
}

fn of(term: &Term, depth: u32) -> Type {
    let inner = |term: &Term| match depth {
        0 => Type::Any,
        _ => of(term, depth - 1),
    };
    match term.view() {
        View::Nil => Type::nil(),
        View::Int(value) => Type::the_integer(value),
        View::Atom(atom) => Type::the_atom(atom),
        View::Float(_) => Type::float(),
        View::Pid(_) => Type::pid(),
        View::Port(_) => Type::port(),
        View::Ref(_) => Type::reference(),
        View::Cons(_) => {
            let mut elements = term.elements();
            let mut heads = Type::None;
            for element in elements.by_ref() {
                heads = heads.join(&inner(element));
            }
            Type::cell(&heads, &inner(elements.rest()))
        }
        View::Tuple(elements) => Type::tuple(elements.iter().map(inner).collect()),
        View::Map(map) => Type::map(of_map(map, inner)),
        View::Bits(bits) => match u32::try_from(bits.bit_len()) {
            Ok(bits) => Type::bits(0, bits),
            Err(_) => Type::bitstring(),
        },
        View::Boxed(Boxed::Big(value)) => match value.to_i64() {
            Some(value) => Type::the_integer(value),
            None if value.is_negative() => Type::integers(None, Some(i64::MIN)),
            None => Type::integers(Some(i64::MAX), None),
        },
        View::Boxed(Boxed::Fun(fun)) => Type::fun(vec![Type::Any; fun.arity() as usize], Type::Any),
        View::Boxed(Boxed::Foreign(Foreign { kind, .. })) => match kind {
            ForeignKind::Pid => Type::pid(),
            ForeignKind::Port => Type::port(),
            ForeignKind::Ref => Type::reference(),
        },
        View::Boxed(Boxed::Record(_)) => Type::record(),
    }
}

fn of_map(map: &term::Map, inner: impl Fn(&Term) -> Type) -> MapType {
    let mut ty = MapType::empty();
    for (key, value) in map.iter() {
        let (key, value) = (inner(key), inner(value));
        match Key::of(&key) {
            Some(key) => ty.fields.push(Field { key, presence: Presence::Required, value }),
            None => {
                ty.other_keys = ty.other_keys.join(&key);
                ty.other_values = ty.other_values.join(&value);
            }
        }
    }
    ty
}
