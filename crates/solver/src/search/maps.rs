//! Maps: keys that are there with their values, and keys that are not.
//!
//! A map is known by the entries that somebody asked about. `maps:put/3` and `maps:remove/2` relate
//! the entries of two maps, key by key; keys that may or may not be equal wait until that is known.

use term::Term;
use term::order::exact_eq;

use super::facts::Action;
use super::kinds::Kinds;
use super::state::{Conflict, Context, Node, State, Step};
use crate::domain::MapDomain;
use crate::linear::Rel;

impl State {
    /// The map has the key with this value, or lacks it.
    pub(crate) fn entry(&mut self, map: Node, key: Node, value: Option<Node>) -> Step {
        self.narrow(map, Kinds::MAP)?;
        if let (Some(known), Some(key)) = (self.value(map), self.value(key)) {
            let found = known.as_map().and_then(|map| map.get(key)).cloned();
            return match (found, value) {
                (Some(found), Some(value)) => self.merge_constant(value, found),
                (None, None) => Ok(()),
                _ => Err(Conflict),
            };
        }
        let same =
            self.class(map).entries.iter().find(|(other, _)| self.same(*other, key) == Some(true));
        match (same, value) {
            (None, _) => self.change(map).entries.push((key, value)),
            (Some(&(_, Some(known))), Some(value)) => return self.merge(known, value),
            (Some(&(_, None)), None) => {}
            _ => return Err(Conflict),
        }
        Ok(())
    }

    /// Whether two values are equal, if that is known.
    pub(crate) fn same(&self, a: Node, b: Node) -> Option<bool> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Some(true);
        }
        if !self.may_be_equal(a, b) {
            return Some(false);
        }
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return Some(exact_eq(x, y));
        }
        let apart = |&(x, y): &(Node, Node)| {
            let (x, y) = (self.root(x), self.root(y));
            (x, y) == (a, b) || (y, x) == (a, b)
        };
        self.different.iter().any(apart).then_some(false)
    }

    pub(crate) fn maps_pass(&mut self, cx: &mut Context<'_>) -> Step {
        for node in self.roots() {
            let class = self.class(node);
            if class.kinds != Kinds::MAP || class.entries.is_empty() {
                continue;
            }
            let entries = class.entries.clone();
            cx.step(entries.len())?;
            if let Some(value) = class.value.clone() {
                let version = self.version;
                self.change(node).entries.clear();
                self.version = version;
                self.dirty.pop();
                self.entries_of_value(node, &value, entries)?;
                continue;
            }
            // Entries of one key are one.
            let mut kept: Vec<(Node, Option<Node>)> = Vec::new();
            for (key, value) in entries.iter().copied() {
                match kept.iter().find(|(other, _)| self.root(*other) == self.root(key)) {
                    None => kept.push((key, value)),
                    Some(&(_, Some(known))) => self.merge(known, value.ok_or(Conflict)?)?,
                    Some(&(_, None)) if value.is_some() => return Err(Conflict),
                    Some(_) => {}
                }
            }
            if let Some(size) = self.class(node).size {
                let certain = |at: usize| {
                    kept[at].1.is_some()
                        && kept[..at]
                            .iter()
                            .filter(|(_, value)| value.is_some())
                            .all(|(other, _)| self.same(*other, kept[at].0) == Some(false))
                };
                let present = (0..kept.len()).filter(|&at| certain(at)).count() as i64;
                if present > 0 {
                    self.linear_once(&[(1, size)], -present, Rel::Ge);
                }
            }
            if kept.len() != entries.len() {
                self.change(node).entries = kept;
            }
        }
        Ok(())
    }

    /// Entries of a map that is known, whose keys may not be.
    fn entries_of_value(
        &mut self,
        node: Node,
        value: &Term,
        entries: Vec<(Node, Option<Node>)>,
    ) -> Step {
        let Some(map) = value.as_map() else { return Err(Conflict) };
        for (key, value) in entries {
            if self.value(key).is_some() {
                self.entry(node, key, value)?;
                continue;
            }
            match value {
                Some(value) => {
                    let cases = map.by_key().into_iter().map(|(k, v)| {
                        vec![Action::Constant(key, k.clone()), Action::Constant(value, v.clone())]
                    });
                    let cases = cases.collect();
                    self.split(cases);
                }
                None => {
                    for (k, _) in map.by_key() {
                        let constant = self.constant(k.clone());
                        self.different(key, constant)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// `maps:put(Key, Value, Map)`: whether the entries are related once and for all.
    pub(crate) fn try_put(&mut self, args: &[Node], result: Node) -> Step<bool> {
        let (key, value, map) = (args[0], args[1], args[2]);
        self.entry(result, key, Some(value))?;
        let before = self.class(map).entries.iter().find(|(k, _)| self.same(*k, key) == Some(true));
        let grows = before.map(|(_, value)| value.is_none());
        self.relate(map, result, key, grows, 1)
    }

    /// `maps:remove(Key, Map)`
    pub(crate) fn try_remove(&mut self, key: Node, map: Node, result: Node) -> Step<bool> {
        self.entry(result, key, None)?;
        let before = self.class(map).entries.iter().find(|(k, _)| self.same(*k, key) == Some(true));
        let shrinks = before.map(|(_, value)| value.is_some());
        self.relate(map, result, key, shrinks, -1)
    }

    /// Two maps that differ at `key` only; their sizes by `by` if `changes`, or not at all.
    fn relate(
        &mut self,
        map: Node,
        result: Node,
        key: Node,
        changes: Option<bool>,
        by: i64,
    ) -> Step<bool> {
        for (from, to) in [(map, result), (result, map)] {
            let entries = match self.value(from) {
                Some(value) => {
                    let pairs: Vec<(Term, Term)> = value
                        .as_map()
                        .ok_or(Conflict)?
                        .by_key()
                        .into_iter()
                        .map(|(k, v)| (k.clone(), v.clone()))
                        .collect();
                    let node = |term: Term, state: &mut State| state.constant(term);
                    pairs.into_iter().map(|(k, v)| (node(k, self), Some(node(v, self)))).collect()
                }
                None => self.class(from).entries.clone(),
            };
            for (other, value) in entries {
                if self.same(other, key) == Some(false) {
                    self.entry(to, other, value)?;
                }
            }
        }
        let sized = [map, result]
            .iter()
            .any(|&node| self.class(node).size.is_some() || self.value(node).is_some());
        if sized {
            let (before, after) = (self.size(map), self.size(result));
            let difference = [(by, after), (-by, before)];
            match changes {
                Some(changes) => self.linear_once(&difference, -i64::from(changes), Rel::Eq),
                None => {
                    self.linear_once(&difference, 0, Rel::Ge);
                    let back = [(-by, after), (by, before)];
                    self.linear_once(&back, 1, Rel::Ge);
                }
            }
        }
        Ok(false)
    }

    /// The map belongs to a domain of maps.
    pub(crate) fn map_domain(&mut self, node: Node, domain: &MapDomain) -> Step<bool> {
        for (key, field, required) in &domain.fields {
            let constant = self.constant(key.clone());
            let entries = &self.class(node).entries;
            let known =
                entries.iter().find(|(k, _)| self.same(*k, constant) == Some(true)).copied();
            let value = match known {
                Some((_, None)) if *required => return Err(Conflict),
                Some((_, Some(value))) => value,
                None if *required => {
                    let value = self.fresh(Kinds::ALL);
                    self.entry(node, constant, Some(value))?;
                    value
                }
                _ => continue,
            };
            if self.said.insert((value, field.0)) {
                self.todo.push_back(Action::Belongs(value, *field, true));
            }
        }
        let entries = self.class(node).entries.clone();
        for (key, value) in entries {
            let (Some(value), Some(name)) = (value, self.value(key)) else { continue };
            if domain.fields.iter().any(|(field, ..)| exact_eq(field, name)) {
                continue;
            }
            let Some((keys, values)) = domain.rest else { return Err(Conflict) };
            if self.said.insert((value, values.0)) {
                self.todo.push_back(Action::Belongs(key, keys, true));
                self.todo.push_back(Action::Belongs(value, values, true));
            }
        }
        Ok(true)
    }

    /// A pair of keys of one map, or of related ones, that may or may not be equal.
    pub(crate) fn doubtful_keys(&self) -> Option<(Node, Node)> {
        for node in self.roots() {
            let entries = &self.class(node).entries;
            for (i, (a, _)) in entries.iter().enumerate() {
                for (b, _) in &entries[i + 1..] {
                    if self.same(*a, *b).is_none() {
                        return Some((*a, *b));
                    }
                }
            }
        }
        None
    }

    /// A case where two maps are different: a key that one has and the other lacks, or that has
    /// different values.
    pub(crate) fn different_maps(&mut self, a: Node, b: Node) -> Vec<Vec<Action>> {
        let (key, x, y) = (self.fresh(Kinds::ALL), self.fresh(Kinds::ALL), self.fresh(Kinds::ALL));
        vec![
            vec![
                Action::Entry(a, key, Some(x)),
                Action::Entry(b, key, Some(y)),
                Action::Different(x, y),
            ],
            vec![Action::Entry(a, key, Some(x)), Action::Entry(b, key, None)],
            vec![Action::Entry(a, key, None), Action::Entry(b, key, Some(y))],
        ]
    }
}
