//! Maps.

use solver::{ExprId, Test, Unary};
use term::Term;
use term::order::compare;

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

    /// `maps:keys/1` and the like.
    fn listed(&mut self, name: &str, map: &Value) -> Outcome {
        if !self.is_map(map) {
            return self.no_key(map, map);
        }
        let pairs = match self.pairs(map) {
            Some(pairs) => {
                pairs.into_iter().map(|(key, value)| (Value::plain(key), value)).collect()
            }
            None => match self.unfolded(map) {
                Some(pairs) => pairs,
                None => return Outcome::Unknown,
            },
        };
        let mut elements = Vec::new();
        for (key, value) in pairs {
            elements.push(match name {
                "keys" => key,
                "values" => value,
                _ => {
                    let pair = [key, value];
                    let expr = self.tuple(&pair);
                    let term = Term::tuple(pair.map(|value| value.term));
                    Value { term, expr }
                }
            });
        }
        Outcome::Gives(self.list(&elements, Value::plain(Term::NIL)).expr)
    }

    /// The pairs of a map whose keys are not known: how many there are is decided, then each is
    /// an unknown of its own, and the map is made of them.
    fn unfolded(&mut self, map: &Value) -> Option<Vec<(Value, Value)>> {
        let (terms, expr) = (map.term.as_map()?, map.expr?);
        let pairs: Vec<(Term, Term)> =
            terms.listed().map(|(key, value)| (key.clone(), value.clone())).collect();
        let Outcome::Gives(Some(size)) = self.map_size(map) else { return None };
        for count in 0..=pairs.len().min(LISTED) {
            let number = self.exprs.int(count as i64);
            let is_all = self.exact(size, number);
            self.decide(is_all, count == pairs.len());
        }
        // Large ones come in an order that is not that of the keys.
        let is_in_order = |two: &[(Term, Term)]| compare(&two[0].0, &two[1].0).is_le();
        if pairs.len() > LISTED || !pairs.windows(2).all(is_in_order) {
            return None;
        }
        let unknowns = self.unknown_pairs(expr, &pairs);
        let known = unknowns.iter().zip(pairs);
        let with = |term: Term, expr: ExprId| Value { term, expr: Some(expr) };
        Some(known.map(|(&(k, v), (key, value))| (with(key, k), with(value, v))).collect())
    }
}

/// The most keys that a map may have whose pairs are unknowns of their own: questions about many
/// take long, and maps with more than 32 are listed in another order.
const LISTED: usize = 16;
