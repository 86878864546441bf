//! What a builtin on shared values reads and writes: tables, persistent terms, atomics.
//!
//! [`accesses`] says it before the builtin runs, from its arguments and the state: single objects of a table
//! by key where the key is known, else the whole table. Two steps whose accesses do not overlap (or where
//! both only read) can change places: both give the same results, and the same state after them, but for one
//! thing: objects with different keys that happen to lie in one chain of a table without order are met by
//! walks in the order in which they were inserted. Programs must not depend on that, and on the BEAM
//! cannot.
//!
//! Not told here: the messages that `give_away/3` sends, and that `new/2` numbers its table.

use term::order::loose_eq;
use term::{Atom, Ref, Term};

use super::match_spec::{is_any, pattern, variable};
use super::table::Table;
use crate::builtins::Builtin;
use crate::state::State;

/// A place in the state that steps can share.
#[derive(Clone, Debug)]
pub enum Place {
    /// The objects of one key.
    Key(Ref, Term),
    /// All objects of a table.
    Table(Ref),
    /// Owner, rights, heir, fixings of a table. Whoever uses the table reads them.
    Settings(Ref),
    /// Which table has a name.
    Name(Atom),
    /// Which tables there are.
    Tables,
    /// The persistent term of a key.
    Term(Term),
    /// All persistent terms.
    Terms,
    /// A number of an array.
    Cell(Ref, i64),
}

impl Place {
    pub fn overlaps(&self, other: &Place) -> bool {
        match (self, other) {
            (Place::Key(a, key), Place::Key(b, other)) => a == b && loose_eq(key, other),
            (
                Place::Key(a, _) | Place::Table(a) | Place::Settings(a),
                Place::Key(b, _) | Place::Table(b) | Place::Settings(b),
            ) => a == b,
            (Place::Name(a), Place::Name(b)) => a == b,
            (Place::Tables, Place::Tables) => true,
            (Place::Term(a), Place::Term(b)) => loose_eq(a, b),
            (Place::Terms, Place::Term(_) | Place::Terms) | (Place::Term(_), Place::Terms) => true,
            (Place::Cell(a, i), Place::Cell(b, j)) => a == b && i == j,
            _ => false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Access {
    pub place: Place,
    pub write: bool,
}

impl Access {
    /// Whether two accesses cannot change places.
    pub fn conflicts(&self, other: &Access) -> bool {
        (self.write || other.write) && self.place.overlaps(&other.place)
    }
}

/// What a builtin of `ets`, `persistent_term`, `atomics` or `counters` will access; `None` for a builtin of
/// another module.
pub fn accesses(state: &State, builtin: &Builtin, args: &[Term]) -> Option<Vec<Access>> {
    let mut found = Found { state, list: Vec::new() };
    match builtin.module {
        "ets" => found.ets(builtin.name, args),
        "persistent_term" => found.persistent_term(builtin.name, args),
        "atomics" => found.array(builtin.name, args.first(), args.get(1)),
        "counters" => {
            let array = args.first().and_then(|term| term.as_tuple()?.get(1));
            found.array(builtin.name, array, args.get(1));
        }
        _ => return None,
    }
    Some(found.list)
}

struct Found<'a> {
    state: &'a State,
    list: Vec<Access>,
}

impl<'a> Found<'a> {
    fn read(&mut self, place: Place) {
        self.list.push(Access { place, write: false });
    }

    fn write(&mut self, place: Place) {
        self.list.push(Access { place, write: true });
    }

    fn add(&mut self, place: Place, write: bool) {
        self.list.push(Access { place, write });
    }

    /// The table that an argument means; its name is read, if it is given by name.
    fn table(&mut self, term: Option<&Term>) -> Option<&'a Table> {
        let term = term?;
        if let Some(name) = term.as_atom() {
            self.read(Place::Name(name));
        }
        let id = self.state.tables.id_of(term).ok()?;
        self.state.tables.get(id)
    }

    fn ets(&mut self, name: &str, args: &[Term]) {
        match name {
            "new" => {
                self.write(Place::Tables);
                if let Some(name) = args[0].as_atom() {
                    self.write(Place::Name(name));
                }
            }
            "all" => self.read(Place::Tables),
            "whereis" => {
                self.table(args.first());
            }
            "delete" if args.len() == 1 => {
                if let Some(table) = self.table(args.first()) {
                    let (id, name) = (table.id, table.name);
                    self.write(Place::Table(id));
                    self.write(Place::Name(name));
                    self.write(Place::Tables);
                }
            }
            "rename" => {
                if let Some(table) = self.table(args.first()) {
                    let (id, name) = (table.id, table.name);
                    self.write(Place::Settings(id));
                    self.write(Place::Name(name));
                }
                if let Some(name) = args[1].as_atom() {
                    self.write(Place::Name(name));
                }
            }
            "give_away" | "setopts" | "safe_fixtable" => {
                if let Some(table) = self.table(args.first()) {
                    self.write(Place::Settings(table.id));
                }
            }
            _ => self.objects(name, args),
        }
    }

    /// What touches objects.
    fn objects(&mut self, name: &str, args: &[Term]) {
        let from_continuation = args.len() == 1
            && matches!(name, "select" | "select_reverse" | "match" | "match_object");
        let term = match args.first() {
            Some(term) if from_continuation => term.as_tuple().and_then(<[Term]>::first),
            term => term,
        };
        let Some(table) = self.table(term) else { return };
        let id = table.id;
        match name {
            "lookup" | "lookup_element" | "member" => self.read(Place::Key(id, args[1].clone())),
            "delete" | "take" | "update_counter" | "update_element" => {
                self.write(Place::Key(id, args[1].clone()));
            }
            "insert" | "insert_new" => {
                let object = std::slice::from_ref(&args[1]).iter();
                let list = args[1].elements();
                for object in object.filter(|_| !args[1].is_list()).chain(list) {
                    if table.accepts(object) {
                        self.write(Place::Key(id, table.key_of(object).clone()));
                    }
                }
            }
            "delete_object" => {
                if table.accepts(&args[1]) {
                    self.write(Place::Key(id, table.key_of(&args[1]).clone()));
                }
            }
            "match" | "match_object" if args.len() > 1 => {
                self.heads(table, std::iter::once(&args[1]), false);
            }
            "select" | "select_reverse" | "select_count" if args.len() > 1 => {
                self.specification(table, &args[1], false);
            }
            "internal_select_delete" | "select_replace" => {
                self.specification(table, &args[1], true);
            }
            "internal_delete_all" => self.write(Place::Table(id)),
            _ => self.read(Place::Table(id)),
        }
    }

    fn specification(&mut self, table: &Table, spec: &Term, write: bool) {
        let compiled = spec.as_ref().and_then(|id| self.state.tables.match_spec(id));
        let source = compiled.map_or_else(|| spec.clone(), |compiled| compiled.source.clone());
        let heads = source.elements().filter_map(|clause| clause.as_tuple()?.first());
        self.heads(table, heads, write);
    }

    /// The objects that heads can match: by key, if all of them know theirs.
    fn heads<'t>(&mut self, table: &Table, heads: impl Iterator<Item = &'t Term>, write: bool) {
        let mut keys = Vec::new();
        for head in heads {
            let key = head.as_tuple().and_then(|elements| elements.get(table.keypos() - 1));
            match key {
                _ if is_any(head) || variable(head).is_some() => {
                    return self.add(Place::Table(table.id), write);
                }
                Some(key) if pattern::is_constant(key) => keys.push(key.clone()),
                Some(_) => return self.add(Place::Table(table.id), write),
                // Matches nothing.
                None => {}
            }
        }
        self.read(Place::Settings(table.id));
        for key in keys {
            self.add(Place::Key(table.id, key), write);
        }
    }

    fn persistent_term(&mut self, name: &str, args: &[Term]) {
        match (name, args.first()) {
            ("put" | "erase", Some(key)) => self.write(Place::Term(key.clone())),
            (_, Some(key)) => self.read(Place::Term(key.clone())),
            (_, None) => self.read(Place::Terms),
        }
    }

    fn array(&mut self, name: &str, array: Option<&Term>, index: Option<&Term>) {
        if let (Some(id), Some(index)) =
            (array.and_then(Term::as_ref), index.and_then(Term::as_int))
        {
            self.add(Place::Cell(id, index), name != "get");
        }
    }
}
