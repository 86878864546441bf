//! Values that depend on the inputs in ETS tables.
//!
//! Beside every table that a run makes stand the keys of its objects, and what of these depends on
//! the inputs. A key is compared with them one after the other, which are decisions. So it is for
//! sets, ordered ones too (but for their order); of other tables, and after functions that are not
//! followed, what depends on inputs is taken as it is where keys matter.

use code::instr::ArithOp;
use machine::{Pid, Term};
use term::{arith, order};

use super::{State, Value};
use crate::models::Outcome;

/// The tables of a run.
#[derive(Default)]
pub(crate) struct Tables {
    all: Vec<Table>,
    /// Which keys of which tables were asked for by whom.
    used: Vec<(Term, Option<Pid>, Value)>,
}

struct Table {
    table: Term,
    /// Where the key of an object is.
    place: usize,
    /// Whether keys are unique; and whether they are compared by `==`.
    is_set: bool,
    is_ordered: bool,
    /// Whether it may have objects with other keys than those of `rows`.
    is_vague: bool,
    rows: Vec<Row>,
}

struct Row {
    key: Value,
    object: Value,
}

/// More objects are not compared with.
const MOST: usize = 1000;

impl State {
    /// A table was made.
    pub(crate) fn new_table(&mut self, table: Option<&Term>, options: Option<&Value>) {
        let Some(table) = table.cloned() else { return };
        let rows = Vec::new();
        let mut made =
            Table { table, place: 0, is_set: true, is_ordered: false, is_vague: false, rows };
        for option in options.into_iter().flat_map(|options| options.term.elements()) {
            match option.as_tuple() {
                Some([_, place]) if option_is(option, "keypos") => {
                    made.place = place.as_int().map_or(0, |place| (place - 1).max(0) as usize);
                }
                _ => {
                    let is = |name: &str| option.is_atom(atom::Atom::new(name));
                    made.is_set &= !(is("bag") || is("duplicate_bag"));
                    made.is_ordered |= is("ordered_set");
                }
            }
        }
        self.tables.all.retain(|other| !order::exact_eq(&other.table, &made.table));
        self.tables.all.push(made);
    }

    /// A function of `ets`.
    pub(crate) fn table(&mut self, name: &str, args: &[Value]) -> Outcome {
        let Some(at) = args.first().map(|table| self.table_of(&table.term)) else {
            return Outcome::Unknown;
        };
        match (name, &args[1..]) {
            ("insert" | "insert_new", [objects]) => self.insert(at, objects, name == "insert"),
            ("lookup", [key]) => match self.find(at, key) {
                Some(row) => {
                    let object = self.tables.all[at].rows[row].object.clone();
                    Outcome::Gives(self.list(&[object], Value::plain(Term::NIL)).expr)
                }
                None => Outcome::Gives(None),
            },
            ("take", [key]) => match self.find(at, key) {
                Some(row) => {
                    let object = self.tables.all[at].rows.remove(row).object;
                    Outcome::Gives(self.list(&[object], Value::plain(Term::NIL)).expr)
                }
                None => Outcome::Gives(None),
            },
            ("lookup_element", [key, place, ..]) => self.lookup_element(at, key, place),
            ("member", [key]) => {
                self.find(at, key);
                Outcome::Gives(None)
            }
            ("delete", [key]) => {
                if let Some(row) = self.find(at, key) {
                    self.tables.all[at].rows.remove(row);
                }
                Outcome::Gives(None)
            }
            ("delete" | "delete_all_objects", []) => {
                self.tables.all[at].rows.clear();
                self.tables.all[at].is_vague = false;
                Outcome::Gives(None)
            }
            ("update_counter", [key, change, default @ ..]) => {
                match self.update_counter(at, key, change, default) {
                    Some(value) => Outcome::Gives(value.expr),
                    None => self.not_followed(at, name, args),
                }
            }
            ("update_element", [key, change]) => self.update_element(at, key, change),
            ("info" | "whereis" | "setopts" | "give_away" | "safe_fixtable", _) => {
                Outcome::Gives(None)
            }
            _ => self.not_followed(at, name, args),
        }
    }

    /// A function that may change any object, or give what depends on any.
    fn not_followed(&mut self, at: usize, name: &str, args: &[Value]) -> Outcome {
        let table = &mut self.tables.all[at];
        table.is_vague = true;
        let is_unknown = |value: &Value| value.expr.is_some();
        let has = table.rows.iter().any(|row| is_unknown(&row.key) || is_unknown(&row.object));
        if has {
            self.lose(format!("ets:{name}/{}", args.len()));
            let mut keys: Vec<Value> = Vec::new();
            for row in std::mem::take(&mut self.tables.all[at].rows) {
                keys.extend([row.key, row.object]);
            }
            self.pin(&keys);
            return Outcome::Gives(None);
        }
        Outcome::Unknown
    }

    /// The number of a table; one that was not made in this run may have anything in it.
    fn table_of(&mut self, table: &Term) -> usize {
        let is_it = |known: &Table| order::exact_eq(&known.table, table);
        if let Some(at) = self.tables.all.iter().position(is_it) {
            return at;
        }
        let table = table.clone();
        let rows = Vec::new();
        let (is_set, is_ordered, is_vague) = (false, false, true);
        self.tables.all.push(Table { table, place: 0, is_set, is_ordered, is_vague, rows });
        self.tables.all.len() - 1
    }

    /// The object with a key, where it is among those that are known.
    fn find(&mut self, at: usize, key: &Value) -> Option<usize> {
        let table = &self.tables.all[at];
        let (is_set, len) = (table.is_set, table.rows.len());
        let is_exact = is_set && !table.is_ordered;
        if key.expr.is_some() && (table.is_vague || !is_set) {
            self.lose("ets: an unknown key".to_owned());
            self.pin(std::slice::from_ref(key));
        }
        let used = (self.tables.all[at].table.clone(), self.current, key.clone());
        self.tables.used.push(used);
        for row in 0..len {
            let known = self.tables.all[at].rows[row].key.clone();
            let is_same = match is_exact {
                true => order::exact_eq(&known.term, &key.term),
                false => order::loose_eq(&known.term, &key.term),
            };
            if is_set {
                self.decide_same_key(&known, key, is_exact, is_same);
            }
            if is_same {
                return Some(row);
            }
        }
        None
    }

    fn decide_same_key(&mut self, a: &Value, b: &Value, is_exact: bool, is_same: bool) {
        if a.expr.is_some() || b.expr.is_some() {
            let (a, b) = (self.expr(a), self.expr(b));
            let same = if is_exact { self.exprs.exact(a, b) } else { self.is_equal(a, b) };
            self.decide(same, is_same);
        }
    }

    /// Objects are inserted, over those with the same key if that is wanted.
    fn insert(&mut self, at: usize, objects: &Value, over: bool) -> Outcome {
        let objects = match objects.term.as_tuple() {
            Some(_) => vec![objects.clone()],
            None => self.spine(objects).0,
        };
        let table = &self.tables.all[at];
        let (place, is_set) = (table.place, table.is_set);
        let is_new = !objects.iter().any(|object| {
            let key = self.element(object, place);
            !over && self.find(at, &key).is_some()
        });
        for object in objects {
            let key = self.element(&object, place);
            if !is_set && object.expr.is_some() {
                self.lose("ets: an object of a table that is no set".to_owned());
                self.pin(std::slice::from_ref(&object));
                continue;
            }
            if !is_new {
                continue;
            }
            match self.find(at, &key) {
                Some(row) => self.tables.all[at].rows[row].object = object,
                None => self.tables.all[at].rows.push(Row { key, object }),
            }
            let table = &mut self.tables.all[at];
            if table.rows.len() > MOST {
                table.is_vague = true;
                table.rows.retain(|row| row.key.expr.is_some() || row.object.expr.is_some());
            }
        }
        Outcome::Gives(None)
    }

    fn lookup_element(&mut self, at: usize, key: &Value, place: &Value) -> Outcome {
        let Some(row) = self.find(at, key) else { return Outcome::Gives(None) };
        let object = self.tables.all[at].rows[row].object.clone();
        match (place.expr, place.term.as_int()) {
            (None, Some(place @ 1..)) => {
                Outcome::Gives(self.element(&object, place as usize - 1).expr)
            }
            _ => Outcome::Unknown,
        }
    }

    /// `update_counter(Table, Key, Change)`, with an object to begin with, where the change is a
    /// number, or `{Place, Number}`: the new value.
    fn update_counter(
        &mut self,
        at: usize,
        key: &Value,
        change: &Value,
        default: &[Value],
    ) -> Option<Value> {
        let table = &self.tables.all[at];
        if table.is_vague || !table.is_set {
            return None;
        }
        let (place, change) = match change.term.as_tuple() {
            Some([place, _]) => {
                let place = usize::try_from(place.as_int()?.checked_sub(1)?).ok()?;
                (place, self.element(change, 1))
            }
            Some(_) => return None,
            None if change.term.is_integer() => (table.place + 1, change.clone()),
            None => return None,
        };
        let row = match (self.find(at, key), default) {
            (Some(row), _) => row,
            (None, []) => return Some(Value::plain(Term::NIL)),
            (None, [default, ..]) => {
                let key_place = self.tables.all[at].place;
                let object = self.with_key(default, key_place, key.clone())?;
                let rows = &mut self.tables.all[at].rows;
                rows.push(Row { key: key.clone(), object });
                rows.len() - 1
            }
        };
        let object = self.tables.all[at].rows[row].object.clone();
        let before = self.element(&object, place);
        let Outcome::Gives(expr) = self.arith(ArithOp::Add, &before, &change) else {
            return Some(Value::plain(Term::NIL));
        };
        let value = Value { term: arith::add(&before.term, &change.term).ok()?, expr };
        self.tables.all[at].rows[row].object = self.with_key(&object, place, value.clone())?;
        Some(value)
    }

    /// A tuple with another element.
    fn with_key(&mut self, object: &Value, place: usize, value: Value) -> Option<Value> {
        let mut terms = object.term.as_tuple()?.to_vec();
        *terms.get_mut(place)? = value.term.clone();
        let expr = match object.expr.is_some() || value.expr.is_some() {
            true => self.with_element(object, place, value),
            false => None,
        };
        Some(Value { term: Term::tuple(terms), expr })
    }

    /// `update_element(Table, Key, {Place, Value})`.
    fn update_element(&mut self, at: usize, key: &Value, change: &Value) -> Outcome {
        let Some(row) = self.find(at, key) else { return Outcome::Gives(None) };
        let object = self.tables.all[at].rows[row].object.clone();
        let place = change.term.as_tuple().and_then(|change| change.first()?.as_int());
        let (Some(place @ 1..), Some(terms)) = (place, object.term.as_tuple()) else {
            return self.not_followed(at, "update_element", &[key.clone(), change.clone()]);
        };
        let value = self.element(change, 1);
        let mut terms = terms.to_vec();
        let Some(slot) = terms.get_mut(place as usize - 1) else { return Outcome::Gives(None) };
        *slot = value.term.clone();
        let expr = self.with_element(&object, place as usize - 1, value);
        self.tables.all[at].rows[row].object = Value { term: Term::tuple(terms), expr };
        Outcome::Gives(None)
    }

    /// Which processes meet in a table is decided by keys, also where they did not meet.
    pub(super) fn relate_keys(&mut self) {
        let used = std::mem::take(&mut self.tables.used);
        for (number, (table, pid, key)) in used.iter().enumerate() {
            for (other_table, other, known) in &used[..number] {
                if pid != other && order::exact_eq(table, other_table) {
                    let is_same = order::exact_eq(&key.term, &known.term);
                    self.decide_same_key(key, known, true, is_same);
                }
            }
        }
    }
}

/// Whether an option is `{Name, _}`.
fn option_is(option: &Term, name: &str) -> bool {
    let first = option.as_tuple().and_then(<[Term]>::first);
    first.is_some_and(|first| first.is_atom(atom::Atom::new(name)))
}
