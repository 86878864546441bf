//! Which objects of tables a clause of a match specification can take, where shapes say too little:
//! clauses with guards, with variables that come twice, with variables inside of elements.
//!
//! Accesses in footprints are plain numbers, which threads exchange and files keep. So clauses and
//! objects are written down in a book that all threads share: a clause has a number in it, objects
//! are found by their shapes. Whether a clause takes an object is found out by matching it, and
//! remembered.
//!
//! Guards are evaluated as far as that is possible without a process: variables, constants,
//! comparisons, tests of types, boolean operators, sums. What is not known (`self()`, `map_get`, …)
//! may be true; so an object that is said not to be taken is never taken, by whatever process and
//! in whatever state.
//!
//! Cost: an object is written down when it is inserted for the first time; each pair of a clause
//! and a shape is judged once. The book stops growing at [`MOST`] objects: shapes decide about
//! others.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use atom::Atom;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::etf::{self, Closures, Reading};
use term::{Term, View, order};

use super::fingerprint;
use super::tables::Shape;
use crate::ets::match_spec::pattern::Pattern;
use crate::ets::match_spec::{is_any, variable};

/// How many objects are written down.
const MOST: usize = 100_000;

/// A term that any thread can read.
type Text = Arc<[u8]>;

#[derive(Default)]
struct Book {
    /// Clauses: what their shape is, and pattern and guards as a tuple.
    clauses: Vec<(Shape, Text)>,
    numbers: FxHashMap<u64, u32>,
    /// The objects of each shape.
    objects: FxHashMap<u64, SmallVec<[Text; 1]>>,
    count: usize,
    /// Whether a clause takes an object of a shape.
    judged: FxHashMap<(u32, u64), bool>,
}

static BOOK: LazyLock<RwLock<Book>> = LazyLock::new(RwLock::default);

thread_local! {
    /// Objects that this thread has written down, by their numbers, with their shapes.
    static WRITTEN: RefCell<FxHashMap<u64, Shape>> = RefCell::default();
}

/// What is read back holds no code.
struct NoClosures;

impl Closures for NoClosures {
    fn find(&self, _: Atom, _: u32, _: u32) -> Option<(Atom, u32)> {
        None
    }
}

fn written(term: &Term) -> Text {
    let mut bytes = Vec::new();
    etf::encode(term, 2, &mut bytes);
    bytes.into()
}

fn read(text: &Text) -> Option<Term> {
    let reading = Reading { safe: false, closures: &NoClosures };
    etf::decode(text, &reading).map(|(term, _)| term)
}

/// Writes down an object that is inserted, of which this is the number. What its shape is.
pub(super) fn note_object(object: &Term, number: u64) -> Shape {
    // The same objects are inserted again and again.
    if let Some(shape) = WRITTEN.with_borrow(|written| written.get(&number).copied()) {
        return shape;
    }
    let shape = Shape::of_object(object);
    write_down(object, shape);
    WRITTEN.with_borrow_mut(|written| {
        if written.len() >= MOST {
            written.clear();
        }
        written.insert(number, shape);
    });
    shape
}

fn write_down(object: &Term, shape: Shape) {
    let text = written(object);
    let mut book = BOOK.write().unwrap_or_else(PoisonError::into_inner);
    if book.count >= MOST {
        // Whatever is known of this shape is not all.
        book.objects.insert(shape.0, SmallVec::new());
        return;
    }
    let objects = book.objects.entry(shape.0).or_default();
    if !objects.contains(&text) {
        objects.push(text);
        book.count += 1;
        // What was judged before was without it.
        book.judged.retain(|(_, of), taken| *of != shape.0 || *taken);
    }
}

/// Writes down a clause, and gives it a number.
pub(super) fn note_clause(shape: Shape, pattern: &Term, guards: &Term) -> u32 {
    let clause = Term::tuple([pattern.clone(), guards.clone()]);
    let fingerprint = fingerprint(&clause);
    let known = |book: &Book| book.numbers.get(&fingerprint).copied();
    if let Some(number) = known(&BOOK.read().unwrap_or_else(PoisonError::into_inner)) {
        return number;
    }
    let mut book = BOOK.write().unwrap_or_else(PoisonError::into_inner);
    if let Some(number) = known(&book) {
        return number;
    }
    let number = book.clauses.len() as u32;
    book.clauses.push((shape, written(&clause)));
    book.numbers.insert(fingerprint, number);
    number
}

/// The shape of a clause.
pub(super) fn shape_of(clause: u32) -> Shape {
    let book = BOOK.read().unwrap_or_else(PoisonError::into_inner);
    book.clauses.get(clause as usize).map_or(Shape(0), |(shape, _)| *shape)
}

/// Whether a clause may take an object of this shape.
pub(super) fn takes(clause: u32, shape: Shape) -> bool {
    let book = BOOK.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(judged) = book.judged.get(&(clause, shape.0)) {
        return *judged;
    }
    let Some((wanted, text)) = book.clauses.get(clause as usize).cloned() else { return true };
    if !wanted.meets(shape) {
        return false;
    }
    let objects = match book.objects.get(&shape.0) {
        Some(objects) if !objects.is_empty() => objects.clone(),
        _ => return true,
    };
    drop(book);
    let taken = objects.iter().any(|object| may_take(&text, object));
    let mut book = BOOK.write().unwrap_or_else(PoisonError::into_inner);
    // Unless another object of the shape has come meanwhile.
    if book.objects.get(&shape.0).is_some_and(|now| now.len() == objects.len()) {
        book.judged.insert((clause, shape.0), taken);
    }
    taken
}

fn may_take(clause: &Text, object: &Text) -> bool {
    let (Some(clause), Some(object)) = (read(clause), read(object)) else { return true };
    let Some([pattern, guards]) = clause.as_tuple() else { return true };
    let Ok(pattern) = Pattern::new(pattern) else { return true };
    let mut slots = vec![Term::NIL; pattern.variables.len()];
    if !pattern.matches(&object, &mut slots) {
        return false;
    }
    let known = Known { pattern: &pattern, slots: &slots, object: &object };
    guards.elements().all(|guard| known.value(guard, 0).is_none_or(|value| value.is_true()))
}

/// What is known when guards are evaluated.
struct Known<'a> {
    pattern: &'a Pattern,
    slots: &'a [Term],
    object: &'a Term,
}

/// Guards that are nested deeper are not looked at.
const DEEPEST: usize = 50;

impl Known<'_> {
    /// The value of an expression, if it is known and there is one.
    fn value(&self, expression: &Term, depth: usize) -> Option<Term> {
        if depth > DEEPEST {
            return None;
        }
        if let Some(number) = variable(expression) {
            return self.slots.get(*self.pattern.variables.get(&number)?).cloned();
        }
        match expression.view() {
            View::Atom(name) => match name.as_str() {
                "$_" => Some(self.object.clone()),
                "$$" => None,
                _ => Some(expression.clone()),
            },
            View::Tuple([made]) => {
                let elements = made.as_tuple()?.iter();
                let values: Option<Vec<Term>> =
                    elements.map(|element| self.value(element, depth + 1)).collect();
                Some(Term::tuple(values?))
            }
            View::Tuple([name, arguments @ ..]) => {
                self.call(name.as_atom()?.as_str(), arguments, depth + 1)
            }
            View::Cons(_) | View::Map(_) | View::Tuple([]) => None,
            _ => Some(expression.clone()),
        }
    }

    fn call(&self, name: &str, arguments: &[Term], depth: usize) -> Option<Term> {
        let value = |nth: usize| self.value(arguments.get(nth)?, depth);
        match (name, arguments.len()) {
            ("const", 1) => return arguments.first().cloned(),
            // One side may decide.
            ("and" | "andalso", _) => return self.all(arguments, false, depth),
            ("or" | "orelse", _) => return self.all(arguments, true, depth),
            ("not", 1) => return value(0)?.as_bool().map(|holds| Term::bool(!holds)),
            _ => {}
        }
        if arguments.len() == 1 {
            return tested(name, &value(0)?);
        }
        let ([_, _], a, b) = (arguments, value(0)?, value(1)?) else { return None };
        let compared = |holds: fn(Ordering) -> bool| Term::bool(holds(order::compare(&a, &b)));
        Some(match name {
            "==" => Term::bool(order::loose_eq(&a, &b)),
            "/=" => Term::bool(!order::loose_eq(&a, &b)),
            "=:=" => Term::bool(order::exact_eq(&a, &b)),
            "=/=" => Term::bool(!order::exact_eq(&a, &b)),
            "<" => compared(Ordering::is_lt),
            "=<" => compared(Ordering::is_le),
            ">" => compared(Ordering::is_gt),
            ">=" => compared(Ordering::is_ge),
            "+" => Term::int(small(a.as_int()?.checked_add(b.as_int()?)?)?),
            "-" => Term::int(small(a.as_int()?.checked_sub(b.as_int()?)?)?),
            "element" => {
                b.as_tuple()?.get(usize::try_from(a.as_int()?).ok()?.checked_sub(1)?)?.clone()
            }
            _ => return None,
        })
    }

    /// Whether one of these is `decides`, which decides; or else all are the contrary.
    fn all(&self, arguments: &[Term], decides: bool, depth: usize) -> Option<Term> {
        let mut result = Some(Term::bool(!decides));
        for argument in arguments {
            match self.value(argument, depth).and_then(|value| value.as_bool()) {
                // What comes before it may fail: then the guard does not hold either way.
                Some(holds) if holds == decides => return result.map(|_| Term::bool(decides)),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    }
}

/// Integers that are one word.
fn small(number: i64) -> Option<i64> {
    (number.unsigned_abs() < 1 << 50).then_some(number)
}

fn tested(name: &str, value: &Term) -> Option<Term> {
    Some(Term::bool(match name {
        "is_atom" => value.as_atom().is_some(),
        "is_integer" => value.is_integer(),
        "is_float" => value.as_float().is_some(),
        "is_number" => value.is_number(),
        "is_list" => value.is_list(),
        "is_pid" => value.is_pid(),
        "is_port" => value.is_port(),
        "is_reference" => value.is_ref(),
        "is_tuple" => value.as_tuple().is_some(),
        "is_map" => value.as_map().is_some(),
        "is_binary" => value.is_binary(),
        _ => return None,
    }))
}

/// Whether shapes say all about a pattern: it is a variable, or a tuple of constants and of
/// variables that come once.
pub(super) fn is_plain(pattern: &Term, guards: &Term, is_ground: impl Fn(&Term) -> bool) -> bool {
    if !guards.is_nil() {
        return false;
    }
    let Some(elements) = pattern.as_tuple() else { return true };
    let mut seen: SmallVec<[u64; 8]> = SmallVec::new();
    elements.iter().all(|element| match variable(element) {
        Some(number) if seen.contains(&number) => false,
        Some(number) => {
            seen.push(number);
            true
        }
        None => is_any(element) || is_ground(element),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tuple<const N: usize>(elements: [Term; N]) -> Term {
        Term::tuple(elements)
    }

    #[test]
    fn objects_that_are_not_taken() {
        let (a, one, two) = (Term::atom("$1"), Term::int(1), Term::int(2));
        let pattern = tuple([Term::atom("_"), a.clone()]);
        let object = |value: &Term| tuple([Term::atom("k"), value.clone()]);
        let may = |guards: Term, value: &Term| {
            may_take(&written(&tuple([pattern.clone(), guards])), &written(&object(value)))
        };
        let list = |guard: &Term| Term::list([guard.clone()]);
        let greater = tuple([Term::atom(">"), a.clone(), one.clone()]);
        assert!(may(list(&greater), &two) && !may(list(&greater), &one));
        // Atoms are greater than numbers.
        assert!(may(list(&greater), &Term::atom("x")));
        let is_atom = tuple([Term::atom("is_atom"), a.clone()]);
        let not = tuple([Term::atom("not"), is_atom.clone()]);
        assert!(may(list(&not), &one) && !may(list(&is_atom), &one));
        // Nobody knows who asks.
        let own = tuple([Term::atom("=:="), a.clone(), tuple([Term::atom("self")])]);
        assert!(may(list(&own), &one));
        let both = tuple([Term::atom("andalso"), greater.clone(), own.clone()]);
        assert!(may(list(&both), &two) && !may(list(&both), &one));
        let either = tuple([Term::atom("orelse"), greater, own]);
        assert!(may(list(&either), &one));
        let same = tuple([a.clone(), a]);
        let same = written(&tuple([same, Term::NIL]));
        assert!(!may_take(&same, &written(&object(&one))));
        assert!(may_take(&same, &written(&tuple([one.clone(), one]))));
    }
}
