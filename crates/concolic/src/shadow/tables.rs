//! Values that depend on the inputs in ETS tables, and in the dictionaries of processes.

use machine::Term;
use solver::ExprId;
use term::order;

use super::{State, Value};
use crate::models::Outcome;

/// Objects by table and key.
#[derive(Default)]
pub(crate) struct Tables {
    rows: Vec<Row>,
}

struct Row {
    table: Term,
    key: Term,
    object: Term,
    expr: ExprId,
}

impl Tables {
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl State {
    /// The value of a key in the dictionary of the process, and what was there is forgotten.
    pub(crate) fn dictionary(&mut self, name: &str, args: &[Value]) -> Outcome {
        if let Some(key) = args.first()
            && key.expr.is_some()
        {
            return Outcome::Unknown;
        }
        let found = args.first().and_then(|key| {
            let same = |(known, _): &(Term, ExprId)| order::exact_eq(known, &key.term);
            self.lane.dictionary.iter().position(same)
        });
        match (name, args) {
            ("get", [_]) => Outcome::Gives(found.map(|at| self.lane.dictionary[at].1)),
            ("erase", [_]) => Outcome::Gives(found.map(|at| self.lane.dictionary.remove(at).1)),
            ("put", [key, value]) => {
                let before = found.map(|at| self.lane.dictionary.remove(at).1);
                if let Some(expr) = value.expr {
                    self.lane.dictionary.push((key.term.clone(), expr));
                }
                Outcome::Gives(before)
            }
            _ => {
                // All of it at once.
                if !self.lane.dictionary.is_empty() {
                    self.lose(format!("erlang:{name}/{}", args.len()));
                }
                Outcome::Gives(None)
            }
        }
    }

    /// A function of `ets`.
    pub(crate) fn table(&mut self, name: &str, args: &[Value]) -> Outcome {
        match (name, args) {
            ("insert" | "insert_new", [table, objects]) => self.insert(table, objects),
            ("lookup", [table, key]) => self.lookup(table, key),
            ("lookup_element", [table, key, place]) => self.lookup_element(table, key, place),
            ("delete", [table, key]) if key.expr.is_none() => {
                self.forget(&table.term, &key.term);
                Outcome::Gives(None)
            }
            ("delete", [table]) => {
                self.tables.rows.retain(|row| !order::exact_eq(&row.table, &table.term));
                Outcome::Gives(None)
            }
            ("member", [_, key]) if key.expr.is_none() => Outcome::Gives(None),
            (
                "new" | "info" | "whereis" | "setopts" | "give_away" | "safe_fixtable" | "rename",
                _,
            ) => Outcome::Gives(None),
            _ => {
                let table = args.first().map(|table| table.term.clone());
                let has =
                    |row: &Row| table.as_ref().is_some_and(|t| order::exact_eq(&row.table, t));
                if self.tables.rows.iter().any(has) && args.iter().all(|arg| arg.expr.is_none()) {
                    self.lose(format!("ets:{name}/{}", args.len()));
                }
                Outcome::Unknown
            }
        }
    }

    fn forget(&mut self, table: &Term, key: &Term) {
        let is_it =
            |row: &Row| order::exact_eq(&row.table, table) && order::loose_eq(&row.key, key);
        self.tables.rows.retain(|row| !is_it(row));
    }

    /// Objects are inserted. Keys are where the first element is; others are not followed.
    fn insert(&mut self, table: &Value, objects: &Value) -> Outcome {
        let objects = match objects.term.as_tuple() {
            Some(_) => vec![objects.clone()],
            None => self.spine(objects).0,
        };
        for object in objects {
            let key = self.element(&object, 0);
            if key.expr.is_some() {
                self.lose("ets: an unknown key".to_owned());
                self.pin(std::slice::from_ref(&key));
            }
            self.forget(&table.term, &key.term);
            if let Some(expr) = object.expr {
                let table = table.term.clone();
                self.tables.rows.push(Row { table, key: key.term, object: object.term, expr });
            }
        }
        Outcome::Gives(None)
    }

    fn found(&mut self, table: &Value, key: &Value) -> Option<Value> {
        if key.expr.is_some() {
            self.lose("ets: an unknown key".to_owned());
            self.pin(std::slice::from_ref(key));
        }
        let is_it = |row: &&Row| {
            order::exact_eq(&row.table, &table.term) && order::loose_eq(&row.key, &key.term)
        };
        let row = self.tables.rows.iter().find(is_it)?;
        Some(Value { term: row.object.clone(), expr: Some(row.expr) })
    }

    fn lookup(&mut self, table: &Value, key: &Value) -> Outcome {
        let Some(object) = self.found(table, key) else { return Outcome::Gives(None) };
        Outcome::Gives(self.list(&[object], Value::plain(Term::NIL)).expr)
    }

    fn lookup_element(&mut self, table: &Value, key: &Value, place: &Value) -> Outcome {
        let object = self.found(table, key);
        match (object, place.expr, place.term.as_int()) {
            (Some(object), None, Some(place @ 1..)) => {
                Outcome::Gives(self.element(&object, place as usize - 1).expr)
            }
            (None, ..) => Outcome::Gives(None),
            _ => Outcome::Unknown,
        }
    }
}
