//! The lattice against sets of terms: what joins, meets, differences and the order say must hold
//! for every term. Random types and random terms that are made of the same few values, so that
//! they meet often.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use term::{Atom, Bits, Map, Term};
use types::Type;
use types::ty::{Field, Key, MapType, Presence};

const ATOMS: &[&str] = &["a", "b", "ok", "true", "false"];

fn atom(u: &mut Unstructured<'_>) -> Result<Atom> {
    Ok(Atom::new(u.choose(ATOMS)?))
}

fn types(u: &mut Unstructured<'_>, depth: u32) -> Result<Vec<Type>> {
    (0..u.int_in_range(0..=3)?).map(|_| any_type(u, depth)).collect()
}

fn any_type(u: &mut Unstructured<'_>, depth: u32) -> Result<Type> {
    let kinds = if depth == 0 { 10 } else { 16 };
    Ok(match u.int_in_range(0..=kinds)? {
        0 => Type::Any,
        1 => Type::the_atom(atom(u)?),
        2 => Type::atom(),
        3 => Type::the_integer(u.int_in_range(-3..=20)?),
        4 => {
            let low = u.int_in_range(-3..=20)?;
            Type::integers(Some(low), Some(low + u.int_in_range(0..=30)?))
        }
        5 => Type::integers(Some(u.int_in_range(-3..=3)?), None),
        6 => Type::float(),
        7 => Type::bits(u.int_in_range(0..=3)? * 4, u.int_in_range(0..=3)? * 4),
        8 => Type::nil(),
        9 => Type::pid(),
        10 => Type::integer(),
        11 => any_type(u, depth - 1)?.join(&any_type(u, depth - 1)?),
        12 => Type::tuple(types(u, depth - 1)?),
        13 => {
            let mut elements = types(u, depth - 1)?;
            elements.insert(0, Type::the_atom(atom(u)?));
            Type::tuple(elements)
        }
        14 => Type::list(any_type(u, depth - 1)?),
        15 => Type::cell(&any_type(u, depth - 1)?, &any_type(u, depth - 1)?),
        _ => Type::map(any_map(u, depth - 1)?),
    })
}

fn any_map(u: &mut Unstructured<'_>, depth: u32) -> Result<MapType> {
    let mut map = MapType::empty();
    for _ in 0..u.int_in_range(0..=2)? {
        let key = Key::Atom(atom(u)?);
        let presence = *u.choose(&[Presence::Required, Presence::Optional])?;
        if map.field(key).is_none() && map.fields.iter().all(|field| field.key != key) {
            map.fields.push(Field { key, presence, value: any_type(u, depth)? });
        }
    }
    if u.arbitrary()? {
        (map.other_keys, map.other_values) = (any_type(u, depth)?, any_type(u, depth)?);
    }
    Ok(map)
}

fn any_term(u: &mut Unstructured<'_>, depth: u32) -> Result<Term> {
    let kinds = if depth == 0 { 5 } else { 8 };
    Ok(match u.int_in_range(0..=kinds)? {
        0 | 1 => Term::atom_const(atom(u)?),
        2 => Term::int(u.int_in_range(-4..=60)?),
        3 => Term::NIL,
        4 => Term::float(1.5),
        5 => Term::bits(Bits::from_bits(vec![0; 4], u.int_in_range(0..=32)?)),
        6 => {
            let elements = (0..u.int_in_range(0..=4)?).map(|_| any_term(u, depth - 1));
            Term::tuple(elements.collect::<Result<Vec<_>>>()?)
        }
        7 => {
            let mut list = if u.ratio(1, 4)? { any_term(u, 0)? } else { Term::NIL };
            for _ in 0..u.int_in_range(0..=3)? {
                list = Term::cons(any_term(u, depth - 1)?, list);
            }
            list
        }
        _ => {
            let mut map = Map::new();
            for _ in 0..u.int_in_range(0..=2)? {
                map.insert(any_term(u, 0)?, any_term(u, depth - 1)?);
            }
            Term::map(map)
        }
    })
}

#[test]
fn operations_hold_for_every_term() {
    arbtest(|u| {
        let (a, b) = (any_type(u, 3)?, any_type(u, 3)?);
        let (join, meet, rest) = (a.join(&b), a.meet(&b), a.without(&b));
        let within = a.is_within(&b);
        for _ in 0..12 {
            let term = any_term(u, 3)?;
            let (in_a, in_b) = (a.contains(&term), b.contains(&term));
            let shown = || format!("{} of {a} and {b}", term::print::to_string(&term));
            assert!(!(in_a || in_b) || join.contains(&term), "join {join} lacks {}", shown());
            assert!(!(in_a && in_b) || meet.contains(&term), "meet {meet} lacks {}", shown());
            assert!(!in_a || in_b || rest.contains(&term), "rest {rest} lacks {}", shown());
            assert!(!(within && in_a) || in_b, "within is wrong for {}", shown());
            assert!(!a.limited().is_none() || !in_a, "limited lacks {}", shown());
            assert!(!in_a || a.limited().contains(&term), "limited lacks {}", shown());
        }
        Ok(())
    })
    .size_max(4096);
}

#[test]
fn the_order_knows_joins_and_meets() {
    arbtest(|u| {
        let (a, b) = (any_type(u, 2)?, any_type(u, 2)?);
        let join = a.join(&b);
        assert!(a.is_within(&join) && b.is_within(&join), "{a} and {b} in {join}");
        assert!(a.is_within(&a));
        assert_eq!(a.join(&a), a);
        let meet = a.meet(&b);
        assert_eq!(a.is_disjoint(&b), meet.is_none(), "{a} and {b} in {meet}");
        // What is remembered is what was found.
        assert_eq!((a.join(&b), a.meet(&b)), (join, meet));
        Ok(())
    });
}

#[test]
fn the_type_of_a_term_holds_it() {
    arbtest(|u| {
        let term = any_term(u, 4)?;
        let ty = Type::of_term(&term);
        assert!(ty.contains(&term), "{ty} lacks {}", term::print::to_string(&term));
        Ok(())
    });
}
