//! Values for variables.

use std::collections::BTreeMap;

use term::Term;

use crate::expr::VarId;

/// The module of funs that stand for any fun; their names tell them apart.
pub const MADE_UP: &str = "$unknown fun";

/// A value for every variable: those that are named, and `0` for all others.
#[derive(Clone, Default, Debug)]
pub struct Model {
    values: BTreeMap<VarId, Term>,
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    pub fn set(&mut self, var: VarId, value: Term) {
        self.values.insert(var, value);
    }

    pub fn get(&self, var: VarId) -> Term {
        self.values.get(&var).cloned().unwrap_or_else(|| Term::int(0))
    }

    /// The variables that were given a value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Term)> {
        self.values.iter().map(|(&var, value)| (var, value))
    }
}

impl FromIterator<(VarId, Term)> for Model {
    fn from_iter<I: IntoIterator<Item = (VarId, Term)>>(values: I) -> Model {
        Model { values: values.into_iter().collect() }
    }
}

impl Extend<(VarId, Term)> for Model {
    fn extend<I: IntoIterator<Item = (VarId, Term)>>(&mut self, values: I) {
        self.values.extend(values);
    }
}
