//! Terms that conditions compute with.

use std::cmp::Ordering;
use std::fmt;

use atom::{Atom, known};
use num_bigint::BigInt;

use crate::quote;

#[derive(Clone, PartialEq, Debug)]
pub(in crate::preprocess) enum Term {
    Integer(BigInt),
    Float(f64),
    Atom(Atom),
    Tuple(Vec<Term>),
    /// The tail is `None` for `[]` and never a list itself.
    List {
        elements: Vec<Term>,
        tail: Option<Box<Term>>,
    },
    Binary(Vec<u8>),
    /// What `self()` gives.
    Pid,
}

impl Term {
    pub(super) fn bool(value: bool) -> Term {
        Term::Atom(if value { known::TRUE } else { known::FALSE })
    }

    pub(super) fn nil() -> Term {
        Term::List { elements: Vec::new(), tail: None }
    }

    pub(super) fn string(text: &str) -> Term {
        let elements = text.chars().map(|c| Term::Integer((c as u32).into())).collect();
        Term::List { elements, tail: None }
    }

    pub(super) fn list(mut elements: Vec<Term>, tail: Option<Term>) -> Term {
        match tail {
            None => Term::List { elements, tail: None },
            Some(Term::List { elements: rest, tail }) => {
                elements.extend(rest);
                Term::List { elements, tail }
            }
            Some(tail) if elements.is_empty() => tail,
            Some(tail) => Term::List { elements, tail: Some(Box::new(tail)) },
        }
    }

    pub(super) fn as_bool(&self) -> Option<bool> {
        match self {
            Term::Atom(known::TRUE) => Some(true),
            Term::Atom(known::FALSE) => Some(false),
            _ => None,
        }
    }

    pub(super) fn as_float(&self) -> Option<f64> {
        match self {
            Term::Float(value) => Some(*value),
            // Through text: rounds correctly, and conditions are small.
            Term::Integer(value) if value.bits() <= 1100 => {
                value.to_string().parse().ok().filter(|value: &f64| value.is_finite())
            }
            _ => None,
        }
    }

    /// The integer with the value of a float that has no fraction.
    pub(super) fn from_float(value: f64) -> Option<Term> {
        format!("{value:.0}").parse().ok().map(Term::Integer)
    }

    /// Erlang's term order; `None` if it needs more levels than a condition may have.
    pub(super) fn compare(&self, other: &Term) -> Option<Ordering> {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match (self, other) {
            (Term::Integer(a), Term::Integer(b)) => Some(a.cmp(b)),
            (Term::Float(a), Term::Float(b)) => a.partial_cmp(b),
            (Term::Integer(a), Term::Float(b)) => compare_mixed(a, *b),
            (Term::Float(a), Term::Integer(b)) => compare_mixed(b, *a).map(Ordering::reverse),
            (Term::Atom(a), Term::Atom(b)) => Some(a.cmp(b)),
            (Term::Tuple(a), Term::Tuple(b)) => match a.len().cmp(&b.len()) {
                Ordering::Equal => compare_all(a, b),
                order => Some(order),
            },
            (
                Term::List { elements: a, tail: a_tail },
                Term::List { elements: b, tail: b_tail },
            ) => compare_lists(a, a_tail.as_deref(), b, b_tail.as_deref()),
            (Term::Binary(a), Term::Binary(b)) => Some(a.cmp(b)),
            _ => Some(self.rank().cmp(&other.rank())),
        })
    }

    fn rank(&self) -> u8 {
        match self {
            Term::Integer(_) | Term::Float(_) => 0,
            Term::Atom(_) => 1,
            Term::Pid => 2,
            Term::Tuple(_) => 3,
            Term::List { elements, .. } if elements.is_empty() => 4,
            Term::List { .. } => 5,
            Term::Binary(_) => 6,
        }
    }
}

fn compare_all(a: &[Term], b: &[Term]) -> Option<Ordering> {
    for (a, b) in a.iter().zip(b) {
        match a.compare(b)? {
            Ordering::Equal => {}
            order => return Some(order),
        }
    }
    Some(Ordering::Equal)
}

fn compare_lists(
    a: &[Term],
    a_tail: Option<&Term>,
    b: &[Term],
    b_tail: Option<&Term>,
) -> Option<Ordering> {
    match compare_all(a, b)? {
        Ordering::Equal => {}
        order => return Some(order),
    }
    // What is left of each: more elements, or the tail.
    let rest = |elements: &[Term], from: usize, tail: Option<&Term>| {
        Term::list(elements.get(from..).unwrap_or_default().to_vec(), tail.cloned())
    };
    let common = a.len().min(b.len());
    let (a_rest, b_rest) = (rest(a, common, a_tail), rest(b, common, b_tail));
    match (&a_rest, &b_rest) {
        (Term::List { .. }, Term::List { .. }) => Some(a_rest.rank().cmp(&b_rest.rank())),
        _ => a_rest.compare(&b_rest),
    }
}

fn compare_mixed(integer: &BigInt, float: f64) -> Option<Ordering> {
    let Some(Term::Integer(whole)) = Term::from_float(float.trunc()) else { return None };
    match integer.cmp(&whole) {
        Ordering::Equal => 0.0.partial_cmp(&float.fract()),
        order => Some(order),
    }
}

impl fmt::Display for Term {
    /// As Erlang text that reads back as the term.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separated = |f: &mut fmt::Formatter<'_>, elements: &[Term]| {
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    f.write_str(",")?;
                }
                element.fmt(f)?;
            }
            Ok(())
        };
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || match self {
            Term::Integer(value) => write!(f, "{value}"),
            Term::Float(value) => f.write_str(&quote::float(*value)),
            Term::Atom(name) => f.write_str(&quote::atom(name.as_str())),
            Term::Tuple(elements) => {
                f.write_str("{")?;
                separated(f, elements)?;
                f.write_str("}")
            }
            Term::List { elements, tail } => {
                if tail.is_none()
                    && let Some(text) = printable(elements)
                {
                    return f.write_str(&quote::string(&text));
                }
                f.write_str("[")?;
                separated(f, elements)?;
                if let Some(tail) = tail {
                    write!(f, "|{tail}")?;
                }
                f.write_str("]")
            }
            Term::Pid => f.write_str("self()"),
            Term::Binary(bytes) => {
                let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
                write!(f, "<<{}>>", bytes.join(","))
            }
        })
    }
}

/// The characters of a list that can be shown as a string.
fn printable(elements: &[Term]) -> Option<String> {
    if elements.is_empty() {
        return None;
    }
    elements
        .iter()
        .map(|element| match element {
            Term::Integer(value) => u32::try_from(value)
                .ok()
                .and_then(char::from_u32)
                .filter(|&c| !c.is_control() || matches!(c, '\x08'..='\x0D' | '\x1B')),
            _ => None,
        })
        .collect()
}
