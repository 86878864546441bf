//! Terms in traces: whole if they are small, cut if they are large.
//!
//! A term that has more than [`Limit`] parts is cut: below a depth, after some elements of a list,
//! tuple or map and after some bytes of a binary, the rest is left out; where something was, stands
//! the atom `'...'`. What is cut depends on the term only.

use atom::Atom;
use term::{Boxed, Fun, Map, Term, View, order};

/// A term, or what was kept of it.
#[derive(Clone, Debug)]
pub struct Value {
    pub term: Term,
    pub cut: bool,
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cut == other.cut && order::exact_eq(&self.term, &other.term)
    }
}

/// How many parts (cells, elements, words of binaries) a term may have that is kept whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit(pub usize);

impl Default for Limit {
    fn default() -> Limit {
        Limit(400)
    }
}

/// What is kept of a term that is cut.
const DEPTH: usize = 5;
const WIDTH: usize = 16;
const BYTES: usize = 64;

impl Value {
    pub fn of(term: &Term, limit: Limit) -> Value {
        if fits(term, limit.0) {
            Value { term: term.clone(), cut: false }
        } else {
            Value { term: cut(term, DEPTH), cut: true }
        }
    }
}

/// Whether a term has at most so many parts. Looks at no more than that.
fn fits(term: &Term, limit: usize) -> bool {
    let mut left = limit;
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        let size = match term.view() {
            View::Cons(cell) => {
                pending.extend([&cell.tail, &cell.head]);
                1
            }
            View::Tuple(elements) => {
                if elements.len() > left {
                    return false;
                }
                pending.extend(elements);
                1
            }
            _ => boxed_size(term, left, &mut pending),
        };
        if size > left {
            return false;
        }
        left -= size;
    }
    true
}

fn boxed_size<'t>(term: &'t Term, left: usize, pending: &mut Vec<&'t Term>) -> usize {
    if let Some(bits) = term.as_bits() {
        return 1 + bits.byte_len() / 8;
    }
    if let Some(map) = term.as_map() {
        if 2 * map.len() <= left {
            for (key, value) in map.iter() {
                pending.extend([key, value]);
            }
        }
        return 1 + 2 * map.len();
    }
    if let Some(Fun::Local(closure)) = term.as_fun() {
        pending.extend(closure.env.iter());
    }
    if let Some(record) = term.as_record() {
        pending.extend(record.values());
    }
    match term.view() {
        View::Boxed(Boxed::Big(number)) => 1 + (number.bits() / 64) as usize,
        _ => 1,
    }
}

fn dots() -> Term {
    Term::from(Atom::new("..."))
}

/// A small term like a large one. Recurses no deeper than `DEPTH`.
fn cut(term: &Term, depth: usize) -> Term {
    let is_leaf = matches!(term.view(), View::Int(_) | View::Atom(_) | View::Nil);
    if depth == 0 && !is_leaf {
        return dots();
    }
    if term.as_cons().is_some() {
        return cut_list(term, depth);
    }
    if let Some(elements) = term.as_tuple() {
        let kept = elements.iter().take(WIDTH).map(|element| cut(element, depth - 1));
        let more = (elements.len() > WIDTH).then(dots);
        return Term::tuple(kept.chain(more).collect::<Vec<_>>());
    }
    if let Some(map) = term.as_map() {
        let mut kept = Map::new();
        for (key, value) in map.iter().take(WIDTH) {
            kept.insert(cut(key, depth - 1), cut(value, depth - 1));
        }
        if map.len() > WIDTH {
            kept.insert(dots(), dots());
        }
        return Term::map(kept);
    }
    if let Some(record) = term.as_record() {
        // The fields are as many as somebody wrote down.
        let mut kept = record.clone();
        kept.values_mut().iter_mut().for_each(|value| *value = cut(value, depth - 1));
        return Term::record(kept);
    }
    if let Some(bits) = term.as_bits().filter(|bits| bits.byte_len() > BYTES) {
        return Term::bits(bits.slice(0, 8 * BYTES));
    }
    let large = match term.view() {
        View::Boxed(Boxed::Big(number)) => number.bits() > 1024,
        _ => term.as_fun().is_some_and(|fun| matches!(fun, Fun::Local(_))),
    };
    if large { dots() } else { term.clone() }
}

fn cut_list(term: &Term, depth: usize) -> Term {
    let mut kept = Vec::new();
    let mut rest = term;
    while let Some(cell) = rest.as_cons()
        && kept.len() < WIDTH
    {
        kept.push(cut(&cell.head, depth - 1));
        rest = &cell.tail;
    }
    let tail = match rest.as_cons() {
        Some(_) => dots(),
        None => cut(rest, depth - 1),
    };
    Term::improper(kept, tail)
}
