//! Warnings of success typings that a module does not want: its `-dialyzer` attributes.
//!
//! `-dialyzer(no_match)` is about the whole module, `-dialyzer({no_match, f/1})` about a function,
//! and `-dialyzer({nowarn_function, [f/1]})` about everything in it; each also in lists. Options
//! that ask for more are passed over. What is wrong with an attribute is the lint's business.

use atom::Atom;
use rustc_hash::FxHashSet;
use syntax::ast::{Kind, Module};

use crate::index::NameArity;
use crate::lint::term::Term;

/// What is not to be told.
#[derive(Clone, Default, Debug)]
pub struct Silenced {
    /// Options of the whole module.
    everywhere: FxHashSet<Atom>,
    /// Options of single functions.
    within: FxHashSet<(Atom, NameArity)>,
}

impl Silenced {
    pub fn of(module: &Module) -> Silenced {
        let mut silenced = Silenced::default();
        for &form in &module.forms {
            let Kind::Attribute { name, values } = module.kind(form) else { continue };
            let ([value], "dialyzer") = (module.list(values), name.as_str()) else { continue };
            for item in Term::of(module, *value).flatten() {
                silenced.add(item);
            }
        }
        silenced
    }

    fn add(&mut self, item: &Term) {
        let Term::Tuple(pair) = item else {
            self.everywhere.extend(item.as_atom());
            return;
        };
        let [options, functions] = &pair[..] else { return };
        for option in options.flatten().iter().filter_map(|option| option.as_atom()) {
            for function in functions.flatten().iter().filter_map(|one| one.as_name_arity()) {
                self.within.insert((option, function));
            }
        }
    }

    /// Whether what a `no_…` option is about is not to be told of a function.
    pub fn is_silent(&self, option: &str, function: NameArity) -> bool {
        let option = Atom::new(option);
        self.everywhere.contains(&option)
            || self.within.contains(&(option, function))
            || self.within.contains(&(Atom::new("nowarn_function"), function))
    }
}
