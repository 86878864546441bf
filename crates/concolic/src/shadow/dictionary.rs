//! Values and keys that depend on the inputs in the dictionaries of processes.
//!
//! A key that is not known is compared with those that are there, one after the other, as is every
//! key with those of them that are not known; these are decisions.

use machine::Term;
use solver::ExprId;
use term::order::exact_eq;

use super::{State, Value};
use crate::models::Outcome;

/// An entry whose key or value depends on the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    key: Value,
    value: Option<ExprId>,
}

impl State {
    /// A function of the dictionary. Behind the arguments of one whose key is not known stand the
    /// keys that were there before.
    pub(crate) fn dictionary(&mut self, name: &str, args: &[Value]) -> Outcome {
        let (key, value, there) = match (name, args) {
            ("get" | "erase", [key]) => (key, None, None),
            ("get" | "erase", [key, there]) => (key, None, Some(there)),
            ("put", [key, value]) => (key, Some(value), None),
            ("put", [key, value, there]) => (key, Some(value), Some(there)),
            _ => {
                // All of it at once.
                if !self.lane.dictionary.is_empty() {
                    self.lose(format!("erlang:{name}/{}", args.len()));
                    for entry in std::mem::take(&mut self.lane.dictionary) {
                        self.pin(std::slice::from_ref(&entry.key));
                    }
                }
                return Outcome::Gives(None);
            }
        };
        let found = self.entry_of(key, there);
        let before = found.and_then(|at| self.lane.dictionary[at].value);
        if name != "get"
            && let Some(at) = found
        {
            self.lane.dictionary.remove(at);
        }
        if let Some(value) = value
            && (value.expr.is_some() || key.expr.is_some())
        {
            self.lane.dictionary.push(Entry { key: key.clone(), value: value.expr });
        }
        Outcome::Gives(before)
    }

    /// The entry with a key, among those that depend on the inputs; decided.
    fn entry_of(&mut self, key: &Value, there: Option<&Value>) -> Option<usize> {
        let entries = self.lane.dictionary.clone();
        let is_entry = |known: &&Term| entries.iter().any(|entry| exact_eq(&entry.key.term, known));
        let plain: Vec<Term> = there.map_or_else(Vec::new, |there| {
            there.term.elements().filter(|known| !is_entry(known)).cloned().collect()
        });
        for known in plain {
            let is_same = exact_eq(&known, &key.term);
            self.decide_key(key, &Value::plain(known), is_same);
            if is_same {
                return None;
            }
        }
        for (at, entry) in entries.iter().enumerate() {
            let is_same = exact_eq(&entry.key.term, &key.term);
            self.decide_key(key, &entry.key, is_same);
            if is_same {
                return Some(at);
            }
        }
        None
    }

    fn decide_key(&mut self, a: &Value, b: &Value, is_same: bool) {
        if a.expr.is_some() || b.expr.is_some() {
            let (a, b) = (self.expr(a), self.expr(b));
            let same = self.exprs.exact(a, b);
            self.decide(same, is_same);
        }
    }
}
