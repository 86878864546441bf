//! Domains as formulas: unfolded as far as is worth it, where nothing is said behind that.

use std::collections::BTreeMap;

use atom::Atom;
use rustc_hash::FxHashSet;
use term::View;

use super::translate::{self, Translator, number};
use crate::domain::{Domain, DomainId};
use crate::expr::Exprs;

/// Parts of a domain that are unfolded.
pub(super) const MOST: u32 = 120;

/// The atoms of a domain.
pub(super) fn collect_atoms(exprs: &Exprs, domain: DomainId, atoms: &mut BTreeMap<Atom, i64>) {
    let (mut stack, mut seen) = (vec![domain], FxHashSet::default());
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        match exprs.get_domain(id) {
            Domain::Value(term) => translate::collect_atoms(term, atoms),
            Domain::Cons(head, tail) => stack.extend([*head, *tail]),
            Domain::Tuple(parts) | Domain::Union(parts) => stack.extend(parts.iter()),
            _ => {}
        }
    }
}

impl Translator<'_> {
    /// Whether a value is of a domain; `left` parts of it are unfolded.
    pub(super) fn domain(&mut self, id: DomainId, v: &str, left: &mut u32) -> String {
        if *left == 0 {
            return self.fresh("Bool");
        }
        *left -= 1;
        match self.exprs().get_domain(id).clone() {
            Domain::Any => "true".to_owned(),
            Domain::Test(test) => self.test(test, v),
            Domain::Between(low, high) => {
                let mut text = format!("((_ is int) {v})");
                if let Some(low) = low {
                    text = format!("(and {text} (>= (ival {v}) {}))", number(&low));
                }
                if let Some(high) = high {
                    text = format!("(and {text} (<= (ival {v}) {}))", number(&high));
                }
                text
            }
            Domain::Value(term) => match term.view() {
                View::Atom(_) | View::Nil => format!("(= {v} {})", self.constant(&term)),
                _ if term.is_integer() => format!("(= {v} {})", self.constant(&term)),
                _ => self.fresh("Bool"),
            },
            Domain::Cons(head, tail) => {
                let head = self.domain(head, &format!("(hd {v})"), left);
                let tail = self.domain(tail, &format!("(tl {v})"), left);
                format!("(and ((_ is cons) {v}) {head} {tail})")
            }
            Domain::Tuple(parts) => {
                let mut text = format!("((_ is tup) {v})");
                let mut rest = format!("(elems {v})");
                for part in parts {
                    let part = self.domain(part, &format!("(lhd {rest})"), left);
                    text = format!("(and {text} ((_ is lcons) {rest}) {part})");
                    rest = format!("(ltl {rest})");
                }
                format!("(and {text} (= {rest} lnil))")
            }
            Domain::Union(parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|part| self.domain(*part, v, left)).collect();
                match parts.is_empty() {
                    true => "false".to_owned(),
                    false => format!("(or {})", parts.join(" ")),
                }
            }
            Domain::Map(_) | Domain::Bits { .. } => self.fresh("Bool"),
        }
    }
}
