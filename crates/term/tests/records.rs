//! Native records: deep ones cost no stack, the external format gives back what it was given, and
//! the order agrees with one that is written down plainly.

use std::cmp::Ordering;
use std::rc::Rc;

use atom::Atom;
use term::etf::{self, Closures, Reading};
use term::record::{Record, Shape};
use term::{Term, Tuple, hash, order, print, table_hash};

fn record(module: &str, name: &str, exported: bool, fields: &[(&str, Term)]) -> Term {
    let names = fields.iter().map(|(field, _)| Atom::new(field)).collect();
    let shape =
        Shape::new(Atom::new(module), Atom::new(name), exported, names).expect("different fields");
    let values = Tuple::from_iter(fields.iter().map(|(_, value)| value.clone()));
    Term::record(Record::new(Rc::new(shape), values).expect("a value for each field"))
}

struct NoClosures;

impl Closures for NoClosures {
    fn find(&self, _: Atom, _: u32, _: u32) -> Option<(Atom, u32)> {
        None
    }
}

fn read(bytes: &[u8]) -> Option<Term> {
    let reading = Reading { safe: false, closures: &NoClosures };
    etf::decode(bytes, &reading).filter(|(_, taken)| *taken == bytes.len()).map(|(term, _)| term)
}

#[test]
fn a_deep_record_costs_no_stack() {
    let deep = |innermost: i64| {
        (0..200_000)
            .fold(Term::int(innermost), |inside, _| record("m", "r", false, &[("in", inside)]))
    };
    let (a, b, c) = (deep(1), deep(1), deep(2));
    assert!(order::exact_eq(&a, &b) && order::compare(&a, &c).is_lt());
    assert_eq!(hash::phash2(&a), hash::phash2(&b));
    assert_eq!(table_hash::table_hash(&a), table_hash::table_hash(&b));
    assert_eq!(print::to_string(&a).len(), 200_000 * "#m:r{in = }".len() + 1);
    let mut bytes = Vec::new();
    etf::encode(&a, 2, &mut bytes);
    assert!(order::exact_eq(&read(&bytes).expect("a record"), &a));
}

/// The order of EEP 79: module, name, visibility, number of fields, their names, their values.
fn plainly(a: &Term, b: &Term) -> Ordering {
    let key = |term: &Term| {
        let shape = term.as_record().expect("a record").shape().clone();
        let fields: Vec<String> = shape.fields().iter().map(|f| f.as_str().to_owned()).collect();
        let (module, name) = (shape.module.as_str().to_owned(), shape.name.as_str().to_owned());
        (module, name, shape.exported, fields.len(), fields)
    };
    let values = |term: &Term| term.as_record().expect("a record").values().to_vec();
    key(a).cmp(&key(b)).then_with(|| {
        let pairs = values(a).into_iter().zip(values(b));
        pairs.map(|(a, b)| order::compare(&a, &b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    })
}

#[test]
fn order_equality_hash_and_bytes_agree() {
    let mut all = Vec::new();
    for module in ["m", "n"] {
        for exported in [false, true] {
            for fields in [&["a"][..], &["b"], &["a", "b"], &["b", "a"], &[]] {
                for value in [Term::int(1), Term::float(1.0), Term::int(0), Term::tuple([])] {
                    let fields: Vec<(&str, Term)> = fields
                        .iter()
                        .enumerate()
                        .map(|(i, f)| (*f, if i == 0 { value.clone() } else { Term::NIL }))
                        .collect();
                    all.push(record(module, "r", exported, &fields));
                }
            }
        }
    }
    for a in &all {
        let mut bytes = Vec::new();
        etf::encode(a, 1, &mut bytes);
        assert!(order::exact_eq(&read(&bytes).expect("a record"), a));
        assert!((0..bytes.len()).all(|end| read(&bytes[..end]).is_none()), "a part is no record");
        for b in &all {
            assert_eq!(order::compare(a, b), plainly(a, b));
            assert_eq!(order::loose_eq(a, b), plainly(a, b).is_eq());
            if order::exact_eq(a, b) {
                assert_eq!(hash::phash2(a), hash::phash2(b));
                assert_eq!(table_hash::table_hash(a), table_hash::table_hash(b));
                assert_eq!(print::to_string(a), print::to_string(b));
            }
        }
        assert!(order::compare(&Term::tuple([]), a).is_lt());
        assert!(order::compare(a, &Term::map(term::Map::new())).is_lt());
    }
}

#[test]
fn what_is_no_record_is_not_read() {
    let fields = |flag: u8, names: [&str; 2]| {
        let mut bytes = vec![67, 0, 0, 0, 2, flag, 119, 1, b'm', 119, 1, b'r'];
        for name in names {
            bytes.extend([119, 1]);
            bytes.extend(name.bytes());
        }
        bytes.extend([97, 1, 97, 2]);
        bytes
    };
    assert!(read(&fields(1, ["a", "b"])).is_some());
    assert!(read(&fields(0, ["a", "a"])).is_none());
    assert!((2..=255).all(|flag| read(&fields(flag, ["a", "b"])).is_none()));
    assert!(read(&[67, 0xFF, 0xFF, 0xFF, 0xFF, 0, 119, 1, b'm', 119, 1, b'r']).is_none());
}
