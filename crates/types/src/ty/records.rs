//! Records of a module, for types that are shown: a tuple that has the tag and the size of one is
//! `#name{…}`, as its programmer writes it.
//!
//! A field is told where more is known of it than the declaration says. What the declaration
//! excludes is left out, as a spec must not say more than that (dialyzer refuses it); where nothing
//! would be left, the tuple stays a tuple.

use std::collections::BTreeMap;

use atom::Atom;

use super::Type;

/// What a record is declared as: fields with their types.
type Fields = Vec<(Atom, Type)>;

/// By tag and size.
#[derive(Clone, Debug, Default)]
pub struct Records(BTreeMap<(Atom, usize), Fields>);

impl Records {
    pub fn add(&mut self, name: Atom, fields: Fields) {
        self.0.insert((name, fields.len() + 1), fields);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The record that a tuple is, with the fields that are to be told.
    pub(super) fn of_tuple(&self, tuple: &[Type]) -> Option<(Atom, Vec<(Atom, Type)>)> {
        let (tag, elements) = tuple.split_first()?;
        let name = tag.single_atom()?;
        let fields = self.0.get(&(name, tuple.len()))?;
        let mut told = Vec::new();
        for ((field, declared), element) in fields.iter().zip(elements) {
            if declared.is_within(element) {
                continue;
            }
            if element.is_disjoint(declared) {
                return None;
            }
            told.push((*field, element.meet(declared)));
        }
        Some((name, told))
    }
}
