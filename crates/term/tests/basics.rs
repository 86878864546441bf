//! Depth, size, order and arithmetic of terms.

use std::cmp::Ordering;

use term::{Map, Term, arith, order};

#[test]
fn term_is_one_word() {
    assert_eq!(size_of::<Option<Term>>(), 8);
}

#[test]
fn long_and_deep_terms_are_dropped_and_compared() {
    let long = |n: i64| Term::list((0..n).map(Term::int).collect::<Vec<_>>());
    assert!(order::exact_eq(&long(1_000_000), &long(1_000_000)));
    let wraps: [fn(Term) -> Term; 5] = [
        |t| Term::tuple([t]),
        |t| Term::cons(t, Term::NIL),
        |t| Term::cons(Term::NIL, Term::tuple([t])),
        |t| Term::map(Map::from_iter([(Term::int(1), t)])),
        |t| {
            let mut map: Map = (0..40).map(|i| (Term::int(i), Term::NIL)).collect();
            map.insert(Term::int(1), t);
            Term::map(map)
        },
    ];
    for (i, wrap) in wraps.into_iter().enumerate() {
        let depth = if i == 4 { 20_000 } else { 300_000 };
        let deep = || (0..depth).fold(Term::NIL, |inner, _| wrap(inner));
        assert_eq!(order::compare(&deep(), &deep()), Ordering::Equal);
    }
}

#[test]
fn order_of_types_and_numbers() {
    let ascending = [
        Term::float(-1.5),
        Term::int(0),
        Term::float(0.5),
        Term::int(1),
        Term::big(num_bigint::BigInt::from(1) << 70),
        Term::atom("a"),
        Term::atom("b"),
        Term::tuple([Term::int(2)]),
        Term::tuple([Term::int(1), Term::int(1)]),
        Term::map(Map::new()),
        Term::NIL,
        Term::list([Term::int(1)]),
        Term::list([Term::int(1), Term::int(2)]),
        Term::binary(*b"a"),
        Term::binary(*b"ab"),
    ];
    for pair in ascending.windows(2) {
        assert_eq!(order::compare(&pair[0], &pair[1]), Ordering::Less, "{pair:?}");
    }
    assert!(order::loose_eq(&Term::int(1), &Term::float(1.0)));
    assert!(!order::exact_eq(&Term::int(1), &Term::float(1.0)));
    // 2^53 + 1 is no float: it must not be equal to the float next to it.
    let odd = Term::int((1 << 53) + 1);
    assert_eq!(order::compare(&odd, &Term::float(9007199254740992.0)), Ordering::Greater);
}

#[test]
fn integers_grow_and_shrink() {
    let max = Term::int(term::word::MAX_SMALL);
    let sum = arith::add(&max, &Term::int(1)).unwrap();
    assert!(sum.as_big().is_some());
    assert!(order::exact_eq(&arith::sub(&sum, &Term::int(1)).unwrap(), &max));
    let shifted = arith::bsl(&Term::int(-1), &Term::int(60)).unwrap();
    assert!(order::exact_eq(&shifted, &Term::int(term::word::MIN_SMALL)));
    assert!(order::exact_eq(
        &arith::rem(&Term::int(term::word::MIN_SMALL), &Term::int(-1)).unwrap(),
        &Term::int(0)
    ));
    assert_eq!(
        arith::int_div(&Term::int(1), &Term::int(0)).unwrap_err(),
        arith::ArithError::BadArith
    );
    assert_eq!(
        arith::bsl(&Term::int(1), &Term::int(1 << 40)).unwrap_err(),
        arith::ArithError::SystemLimit
    );
}

#[test]
fn maps_change_representation_with_size() {
    let mut map: Map = (0..100).map(|i| (Term::int(i), Term::int(i * i))).collect();
    assert_eq!(map.len(), 100);
    assert_eq!(map.get(&Term::int(9)).and_then(Term::as_int), Some(81));
    assert!(map.get(&Term::float(9.0)).is_none());
    for i in 0..90 {
        map.remove(&Term::int(i));
    }
    let keys: Vec<_> = map.keys().filter_map(Term::as_int).collect();
    assert_eq!(keys, (90..100).collect::<Vec<_>>());
}

#[test]
fn bits_are_sliced_and_appended() {
    let mut bits = term::Bits::from_bytes(vec![0b1010_1010, 0b1100_0011]);
    let part = bits.slice(3, 7);
    assert_eq!(part.read_u64(0, 7), 0b0101011);
    assert_eq!(part.byte_at(0), 0b0101_0110);
    bits.append(&part);
    assert_eq!(bits.bit_len(), 23);
    assert_eq!(bits.padded_bytes(), [0b1010_1010, 0b1100_0011, 0b0101_0110]);
}
