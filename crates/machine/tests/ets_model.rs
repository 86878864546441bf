//! Tables against a naive model: a list of objects, searched from the front.
//!
//! Random operations run on a table of the Machine and on the model; after each the results and the
//! whole contents are compared. The model knows the documented behaviour of each kind of table and
//! nothing of hashes, trees or order of walks.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;
use machine::ets::table::{Access, Kind, Settings, Table};
use term::order::{compare, exact_eq, loose_eq};
use term::{Atom, Pid, Ref, Term};

fn settings(kind: Kind) -> Settings {
    Settings {
        kind,
        access: Access::Public,
        named: false,
        keypos: 1,
        heir: None,
        heir_was_gone: false,
        compressed: false,
        read_concurrency: false,
        write_concurrency: Term::FALSE,
        decentralized_counters: false,
    }
}

/// Few keys, so that they meet; `1` and `1.0` among them.
fn key(u: &mut Unstructured<'_>) -> Result<Term> {
    let number = i64::from(u.int_in_range(0..=400u16)?);
    Ok(match u.int_in_range(0..=5u8)? {
        0 => Term::float((number % 8) as f64),
        1 => Term::tuple([Term::int(number % 5), Term::NIL]),
        2 => Term::atom(["a", "b", "c"][(number % 3) as usize]),
        3 => Term::int(number % 8),
        _ => Term::int(number),
    })
}

fn object(u: &mut Unstructured<'_>) -> Result<Term> {
    Ok(Term::tuple([key(u)?, Term::int(i64::from(u.int_in_range(0..=2u8)?))]))
}

struct Model {
    kind: Kind,
    objects: Vec<Term>,
}

fn key_of(object: &Term) -> &Term {
    object.as_tuple().and_then(<[Term]>::first).unwrap_or(object)
}

impl Model {
    fn same(&self, a: &Term, b: &Term) -> bool {
        if self.kind == Kind::OrderedSet { loose_eq(a, b) } else { exact_eq(a, b) }
    }

    fn lookup(&self, key: &Term) -> Vec<Term> {
        self.objects.iter().filter(|object| self.same(key_of(object), key)).cloned().collect()
    }

    fn insert(&mut self, object: Term) {
        match self.kind {
            Kind::Set | Kind::OrderedSet => {
                self.remove(key_of(&object).clone());
                self.objects.push(object);
            }
            Kind::Bag if self.objects.iter().any(|other| exact_eq(other, &object)) => {}
            Kind::Bag | Kind::DuplicateBag => self.objects.push(object),
        }
    }

    fn remove(&mut self, key: Term) -> Vec<Term> {
        let gone = self.lookup(&key);
        let kind = self.kind;
        self.objects.retain(|object| {
            let same = if kind == Kind::OrderedSet { loose_eq } else { exact_eq };
            !same(key_of(object), &key)
        });
        gone
    }
}

fn shown(objects: &[Term]) -> Vec<String> {
    objects.iter().map(term::print::to_string).collect()
}

fn sorted(objects: impl IntoIterator<Item = Term>) -> Vec<String> {
    let mut shown: Vec<String> =
        objects.into_iter().map(|object| term::print::to_string(&object)).collect();
    shown.sort();
    shown
}

fn compare_with_model(u: &mut Unstructured<'_>, kind: Kind) -> Result<()> {
    let me = Pid(80);
    let mut table = Table::new(Ref(1), Atom::new("t"), me, settings(kind));
    let mut model = Model { kind, objects: Vec::new() };
    let mut copies: Vec<(Table, Vec<String>)> = Vec::new();
    while !u.is_empty() {
        match u.int_in_range(0..=12u8)? {
            0..=5 => {
                let object = object(u)?;
                table.insert(object.clone());
                model.insert(object);
            }
            6 | 7 => {
                let key = key(u)?;
                let (ours, expected) = (table.remove(&key), model.remove(key));
                assert_eq!(shown(&ours), shown(&expected));
            }
            8 => {
                let object = object(u)?;
                table.remove_object(&object);
                model.objects.retain(|other| !exact_eq(other, &object));
            }
            9 => table.fix(me, 0),
            10 => {
                table.unfix(me);
            }
            11 => copies.push((table.clone(), sorted(model.objects.clone()))),
            _ => {
                if u.ratio(1, 20)? {
                    table.clear();
                    model.objects.clear();
                }
            }
        }
        let key = key(u)?;
        assert_eq!(shown(table.lookup(&key).as_slice()), shown(&model.lookup(&key)));
        assert_eq!(table.count(), model.objects.len());
    }
    assert_eq!(sorted(table.objects().cloned()), sorted(model.objects.clone()));
    assert_eq!(walked(&table), keys(&model));
    // What was copied has not changed.
    for (table, expected) in copies {
        assert_eq!(sorted(table.objects().cloned()), expected);
    }
    Ok(())
}

/// The keys of a walk; in order, if the table has one.
fn walked(table: &Table) -> Vec<String> {
    let mut keys = Vec::new();
    let mut next = table.first().cloned();
    while let Some(key) = next {
        next = table.next(&key).expect("a key of the walk").cloned();
        keys.push(key);
    }
    if table.settings.kind == Kind::OrderedSet {
        assert!(keys.windows(2).all(|pair| compare(&pair[0], &pair[1]).is_lt()));
        let mut back = Vec::new();
        let mut next = table.last().cloned();
        while let Some(key) = next {
            next = table.previous(&key).expect("a key of the walk").cloned();
            back.push(key);
        }
        back.reverse();
        assert_eq!(shown(&keys), shown(&back));
    }
    sorted(keys)
}

fn keys(model: &Model) -> Vec<String> {
    let mut keys: Vec<Term> = Vec::new();
    for object in &model.objects {
        if !keys.iter().any(|key| model.same(key, key_of(object))) {
            keys.push(key_of(object).clone());
        }
    }
    sorted(keys)
}

#[test]
fn set() {
    arbtest(|u| compare_with_model(u, Kind::Set)).size_max(8000);
}

#[test]
fn ordered_set() {
    arbtest(|u| compare_with_model(u, Kind::OrderedSet)).size_max(8000);
}

#[test]
fn bag() {
    arbtest(|u| compare_with_model(u, Kind::Bag)).size_max(8000);
}

#[test]
fn duplicate_bag() {
    arbtest(|u| compare_with_model(u, Kind::DuplicateBag)).size_max(8000);
}

/// Thousands of objects come and go: the table grows and shrinks, and loses nothing.
#[test]
fn growing_and_shrinking() {
    let mut table = Table::new(Ref(1), Atom::new("t"), Pid(80), settings(Kind::Set));
    for number in 0..20_000 {
        table.insert(Term::tuple([Term::int(number), Term::int(-number)]));
    }
    let copy = table.clone();
    for number in 0..19_000 {
        assert_eq!(table.remove(&Term::int(number)).len(), 1);
    }
    assert_eq!(walked(&table).len(), 1000);
    for number in 19_000..20_000 {
        assert!(table.contains(&Term::int(number)));
    }
    assert_eq!(walked(&copy).len(), 20_000);
}
