//! The heads of clauses.
//!
//! A head is flattened to tests in the order in which the parts of a term come up when it is taken
//! apart from the left with a stack. A part without variables and maps is one comparison. (A map in
//! a head matches maps that have its keys, and more.)

use std::collections::BTreeMap;

use smallvec::SmallVec;
use term::order::exact_eq;
use term::{Term, View};

use super::{is_any, variable};

#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// Anything.
    Any,
    /// This value.
    Const(Term),
    /// The first time of a variable.
    Bind(usize),
    /// The variable again: the same value.
    Same(usize),
    /// A tuple of so many elements; they come next.
    Tuple(usize),
    /// A list cell: head and tail come next.
    Cons,
    /// A map of these keys, and maybe more; their values come next.
    Map(Vec<Term>),
}

/// Numbers of variables, and where their values are.
pub(crate) type Variables = BTreeMap<u64, usize>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Pattern {
    pub(crate) tests: Vec<Test>,
    pub(crate) variables: Variables,
}

/// Why a head is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BadHead {
    VariableAsKey,
    AnyAsKey,
}

/// Whether a term is the same everywhere in heads: no variables, no maps.
pub(crate) fn is_constant(term: &Term) -> bool {
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        match term.view() {
            View::Atom(_) if is_any(term) || variable(term).is_some() => return false,
            View::Cons(cell) => pending.extend([&cell.tail, &cell.head]),
            View::Tuple(elements) => pending.extend(elements),
            View::Map(_) => return false,
            _ => {}
        }
    }
    true
}

impl Pattern {
    pub(crate) fn new(head: &Term) -> Result<Pattern, BadHead> {
        let mut variables = Variables::new();
        let mut tests = Vec::new();
        let mut pending = vec![head];
        while let Some(term) = pending.pop() {
            if let Some(number) = variable(term) {
                let next = variables.len();
                tests.push(match variables.get(&number) {
                    Some(&slot) => Test::Same(slot),
                    None => {
                        variables.insert(number, next);
                        Test::Bind(next)
                    }
                });
                continue;
            }
            match term.view() {
                View::Atom(_) if is_any(term) => tests.push(Test::Any),
                // Looking again at every level would be quadratic in the depth: only small terms
                // are looked at as a whole.
                View::Tuple(elements) if elements.iter().all(Term::is_immediate) => {
                    if is_constant(term) {
                        tests.push(Test::Const(term.clone()));
                    } else {
                        tests.push(Test::Tuple(elements.len()));
                        pending.extend(elements.iter().rev());
                    }
                }
                View::Tuple(elements) => {
                    tests.push(Test::Tuple(elements.len()));
                    pending.extend(elements.iter().rev());
                }
                View::Cons(cell) => {
                    tests.push(Test::Cons);
                    pending.extend([&cell.tail, &cell.head]);
                }
                View::Map(map) => {
                    for key in map.keys() {
                        if variable(key).is_some() {
                            return Err(BadHead::VariableAsKey);
                        }
                        if is_any(key) {
                            return Err(BadHead::AnyAsKey);
                        }
                    }
                    tests.push(Test::Map(map.keys().cloned().collect()));
                    pending.extend(map.values().rev());
                }
                _ => tests.push(Test::Const(term.clone())),
            }
        }
        Ok(Pattern { tests, variables })
    }

    /// Whether a term has this form. The values of the variables are written into `slots`.
    pub(crate) fn matches(&self, term: &Term, slots: &mut [Term]) -> bool {
        let mut pending: SmallVec<[&Term; 16]> = SmallVec::new();
        pending.push(term);
        for test in &self.tests {
            let Some(term) = pending.pop() else { return false };
            let holds = match test {
                Test::Any => true,
                Test::Const(value) => exact_eq(value, term),
                Test::Bind(slot) => {
                    slots[*slot] = term.clone();
                    true
                }
                Test::Same(slot) => exact_eq(&slots[*slot], term),
                Test::Tuple(size) => match term.as_tuple() {
                    Some(elements) if elements.len() == *size => {
                        pending.extend(elements.iter().rev());
                        true
                    }
                    _ => false,
                },
                Test::Cons => match term.as_cons() {
                    Some(cell) => {
                        pending.extend([&cell.tail, &cell.head]);
                        true
                    }
                    None => false,
                },
                Test::Map(keys) => term.as_map().is_some_and(|map| {
                    keys.iter().rev().all(|key| match map.get(key) {
                        Some(value) => {
                            pending.push(value);
                            true
                        }
                        None => false,
                    })
                }),
            };
            if !holds {
                return false;
            }
        }
        true
    }
}
