//! Maps.

use solver::{Test, Unary};
use term::Term;

use super::Outcome;
use crate::shadow::{State, Value};

impl State {
    pub(super) fn maps(&mut self, name: &str, args: &[Value]) -> Outcome {
        match (name, args) {
            ("map_size" | "size", [map]) => self.map_size(map),
            ("map_get" | "get", [key, map]) => match self.look_up(map, key) {
                Some(value) => Outcome::Gives(value),
                None => self.no_key(map, key),
            },
            ("get", [key, map, default]) => match self.look_up(map, key) {
                Some(value) => Outcome::Gives(value),
                None if map.term.as_map().is_some() => Outcome::Gives(default.expr),
                None => self.no_key(map, key),
            },
            ("find", [key, map]) => match self.look_up(map, key) {
                Some(None) => Outcome::Gives(None),
                Some(Some(value)) => {
                    let ok = self.exprs.constant(Term::OK);
                    Outcome::Gives(Some(self.exprs.tuple([ok, value])))
                }
                None if map.term.as_map().is_some() => Outcome::Gives(None),
                None => self.no_key(map, key),
            },
            ("is_map_key" | "is_key", [key, map]) => self.is_key(map, key),
            ("put", [key, value, map]) => match self.is_map(map) {
                true => Outcome::Gives(self.map_put(map, key, value)),
                false => self.no_key(map, key),
            },
            ("update", [key, value, map]) => match self.map_update(map, key, value) {
                Some(made) => Outcome::Gives(made),
                None => self.no_key(map, key),
            },
            ("remove", [key, map]) => self.remove(map, key),
            ("keys" | "values" | "to_list", [map]) => self.listed(name, map),
            _ => Outcome::Unknown,
        }
    }

    fn is_map(&mut self, map: &Value) -> bool {
        self.decide_test(Test::Map, map, map.term.as_map().is_some())
    }

    /// `{badkey, Key}`, or `{badmap, Map}`.
    fn no_key(&mut self, map: &Value, key: &Value) -> Outcome {
        let (tag, about) = match map.term.as_map() {
            Some(_) => ("badkey", key),
            None => ("badmap", map),
        };
        let Some(expr) = about.expr else { return Outcome::Fails(None) };
        let tag = self.exprs.atom(tag);
        Outcome::Fails(Some(self.exprs.tuple([tag, expr])))
    }

    fn map_size(&mut self, map: &Value) -> Outcome {
        if !self.is_map(map) {
            return self.no_key(map, map);
        }
        match map.expr {
            // Its keys are known, and how many.
            Some(_) if self.pairs(map).is_some() => Outcome::Gives(None),
            Some(expr) => self.sized(Unary::MapSize, expr),
            None => Outcome::Gives(None),
        }
    }

    fn is_key(&mut self, map: &Value, key: &Value) -> Outcome {
        if !self.is_map(map) {
            return self.no_key(map, key);
        }
        let (map, key) = (self.expr(map), self.expr(key));
        let condition = self.has_key(map, key);
        Outcome::Gives(self.kept(condition))
    }

    fn remove(&mut self, map: &Value, key: &Value) -> Outcome {
        if !self.is_map(map) {
            return self.no_key(map, key);
        }
        if key.expr.is_none()
            && let Some(pairs) = self.pairs(map)
        {
            let empty = Value::plain(Term::map(term::Map::new()));
            let mut made = empty;
            for (other, value) in pairs {
                if !term::order::exact_eq(&other, &key.term) {
                    made.expr = self.map_put(&made, &Value::plain(other.clone()), &value);
                    let mut terms = made.term.as_map().cloned().unwrap_or_default();
                    terms.insert(other, value.term);
                    made.term = Term::map(terms);
                }
            }
            return Outcome::Gives(made.expr);
        }
        let (map, key) = (self.expr(map), self.expr(key));
        let expr = self.exprs.binop(solver::Binop::MapRemove, key, map);
        Outcome::Gives(self.kept(expr))
    }

    /// `maps:keys/1` and the like, where the keys are known.
    fn listed(&mut self, name: &str, map: &Value) -> Outcome {
        if !self.is_map(map) {
            return self.no_key(map, map);
        }
        let Some(pairs) = self.pairs(map) else { return Outcome::Unknown };
        let mut elements = Vec::new();
        for (key, value) in pairs {
            elements.push(match name {
                "keys" => Value::plain(key),
                "values" => value,
                _ => {
                    let pair = [Value::plain(key), value];
                    let expr = self.tuple(&pair);
                    let term = Term::tuple(pair.map(|value| value.term));
                    Value { term, expr }
                }
            });
        }
        Outcome::Gives(self.list(&elements, Value::plain(Term::NIL)).expr)
    }
}
