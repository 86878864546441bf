//! What is inside of structures: how sets of structures, and the sets of their fields, are joined.
//!
//! Fields of tuples and list cells are variables. A map has a variable for each key that somebody
//! writes or asks for; one that was not written here is filled from the maps that this one is an
//! update of, and what was written under a key that is not known is in all of them. The tables that
//! processes share (registered names, process dictionaries, ETS) are *spaces* of cells, one for
//! each key that is told apart.

use atom::Atom;
use rustc_hash::FxHashMap;

use crate::solution::Solution;
use crate::structures::{LONGEST_LIST, NATIVE};
use crate::values::NOWHERE;
use crate::values::{MapField, MapObject, NIL, ObjectId, Value, ValueId, VarId};
use crate::watches::{TupleParts, Watch};

/// The cells of a space.
#[derive(Debug)]
pub(crate) struct Space {
    pub(crate) cells: FxHashMap<ValueId, VarId>,
    /// What is in any cell, and what was written under a key that is not known.
    pub(crate) all: VarId,
    pub(crate) loose: VarId,
}

impl Solution {
    // ---- Tuples and lists --------------------------------------------------------------------

    /// A new tuple in a variable of its own.
    pub(crate) fn tuple_of(&mut self, fields: &[VarId]) -> VarId {
        let object = self.values.object(fields.into(), None);
        let value = self.values.number(Value::Tuple(object));
        self.constant(value)
    }

    /// A list with known elements.
    pub(crate) fn list_of(&mut self, heads: &[VarId], tail: VarId) -> VarId {
        if heads.len() > LONGEST_LIST {
            let elements = self.fresh();
            for &head in heads {
                self.include(head, elements);
            }
            let rest = self.fresh();
            let cell = self.values.object([elements, rest].into(), None);
            let cell = self.values.number(Value::Cons(cell));
            self.insert(rest, cell);
            self.include(tail, rest);
            return self.constant(cell);
        }
        heads.iter().rev().fold(tail, |tail, &head| {
            let cell = self.values.object([head, tail].into(), None);
            let cell = self.values.number(Value::Cons(cell));
            self.constant(cell)
        })
    }

    /// A list of any length, with elements from a variable.
    pub(crate) fn any_list_of(&mut self, elements: VarId) -> VarId {
        let list = self.fresh();
        let cell = self.values.object([elements, list].into(), None);
        let cell = self.values.number(Value::Cons(cell));
        self.insert(list, cell);
        self.insert(list, NIL);
        list
    }

    /// The elements of a list, wherever in the list.
    pub(crate) fn elements_into(&mut self, list: VarId, to: VarId) {
        let spine = self.fresh();
        self.include(list, spine);
        self.watch(spine, Watch::Cons { head: to, tail: spine });
    }

    /// A part of something unknown is unknown.
    pub(crate) fn part_of_unknown(&mut self, whole: Value, value: ValueId, to: VarId) {
        if whole == Value::Unknown {
            self.insert(to, value);
        }
    }

    pub(crate) fn include_fields(&mut self, object: ObjectId, to: VarId) {
        for index in 0..self.values.objects[object].fields.len() {
            let field = self.values.objects[object].fields[index];
            self.include(field, to);
        }
    }

    /// Whether a tuple can be one that a pattern takes apart, as far as literals tell.
    pub(crate) fn fits(&self, pattern: &TupleParts, object: ObjectId) -> bool {
        let fields = &self.values.objects[object].fields;
        let fits = |&(position, literal): &(u32, ValueId)| {
            let field = &self.vars[fields[position as usize]];
            !field.constant || field.items.first().is_some_and(|&value| self.may_be(value, literal))
        };
        fields.len() as u32 == pattern.arity && pattern.literals.iter().all(fits)
    }

    /// Whether what is known of a value does not rule out a literal.
    fn may_be(&self, value: ValueId, literal: ValueId) -> bool {
        value == literal
            || match self.values.get(value) {
                Value::Unknown | Value::Everything => true,
                Value::AnyAtom => matches!(self.values.get(literal), Value::Atom(_)),
                Value::Number => matches!(self.values.get(literal), Value::Int(_)),
                _ => false,
            }
    }

    /// Whether a value that is seen as a tuple may be a native record.
    pub(crate) fn may_be_native(&self, object: ObjectId) -> bool {
        let tag = self.values.objects[object].fields.first();
        tag.into_iter().flat_map(|&tag| self.all_items(tag)).any(|tag| {
            matches!(self.values.get(tag), Value::Atom(tag) if tag.as_str().starts_with(NATIVE))
        })
    }

    // ---- Maps --------------------------------------------------------------------------------

    pub(crate) fn new_map(&mut self) -> ObjectId {
        let map = MapObject {
            fields: Vec::new(),
            keys: self.fresh(),
            all: self.fresh(),
            loose: self.fresh(),
            parents: Vec::new(),
        };
        let (all, loose) = (map.all, map.loose);
        self.include(loose, all);
        self.values.object(Box::default(), Some(Box::new(map)))
    }

    /// Whether a key tells fields apart.
    pub(crate) fn is_exact_key(&self, key: ValueId) -> bool {
        matches!(self.values.get(key), Value::Atom(_) | Value::Int(_))
    }

    /// A field that the place which makes the map writes.
    pub(crate) fn write_map(&mut self, object: ObjectId, key: VarId, value: VarId) {
        let literal = {
            let key = &self.vars[key];
            key.constant.then(|| key.items.first().copied()).flatten()
        };
        let exact = literal.filter(|&key| self.is_exact_key(key));
        let Some(map) = self.values.objects[object].map.as_mut() else { return };
        let (keys, all) = (map.keys, map.all);
        self.include(value, all);
        self.include(key, keys);
        match exact {
            Some(key) => {
                if let Some(map) = self.values.objects[object].map.as_mut() {
                    map.fields.push(MapField { key, var: value, own: true });
                }
            }
            None => self.watch(key, Watch::MapStore { object, value }),
        }
    }

    pub(crate) fn add_map_parent(&mut self, object: ObjectId, parent: ObjectId) {
        if object == parent {
            return;
        }
        let Some(of_parent) = self.values.objects[parent].map.as_deref() else { return };
        let (keys, all, loose) = (of_parent.keys, of_parent.all, of_parent.loose);
        let Some(map) = self.values.objects[object].map.as_mut() else { return };
        if map.parents.contains(&parent) {
            return;
        }
        map.parents.push(parent);
        let fields = map.fields.clone();
        let own = (map.keys, map.all, map.loose);
        self.include(keys, own.0);
        self.include(all, own.1);
        self.include(loose, own.2);
        for field in fields.iter().filter(|field| !field.own) {
            let from = self.map_field(parent, field.key);
            self.include(from, field.var);
        }
    }

    /// The variable of a field, made if need be, with those of the maps before. A summary does not
    /// tell its fields apart.
    pub(crate) fn map_field(&mut self, object: ObjectId, key: ValueId) -> VarId {
        if let Some(var) = self.find_map_field(object, key) {
            return var;
        }
        let mut made = Vec::new();
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            if self.find_map_field(object, key).is_some() {
                continue;
            }
            let Some(map) = self.values.objects[object].map.as_deref() else { continue };
            let (loose, parents) = (map.loose, map.parents.clone());
            let var = self.fresh();
            self.include(loose, var);
            if let Some(map) = self.values.objects[object].map.as_mut() {
                map.fields.push(MapField { key, var, own: false });
            }
            made.push((object, var));
            pending.extend(&parents);
        }
        // Now all of them have the field: connect those that were made.
        for (object, var) in made {
            let Some(map) = self.values.objects[object].map.as_deref() else { continue };
            for parent in map.parents.clone() {
                if let Some(from) = self.find_map_field(parent, key) {
                    self.include(from, var);
                }
            }
        }
        self.find_map_field(object, key).unwrap_or(NOWHERE)
    }

    fn find_map_field(&self, object: ObjectId, key: ValueId) -> Option<VarId> {
        let is_summary = self.values.objects[object].is_summary;
        let map = self.values.objects[object].map.as_deref()?;
        if is_summary {
            return Some(map.all);
        }
        map.fields.iter().find(|field| field.key == key).map(|field| field.var)
    }

    // ---- Tables ------------------------------------------------------------------------------

    pub(crate) fn space(&mut self, space: Atom) -> &Space {
        if !self.spaces.contains_key(&space) {
            let (all, loose) = (self.fresh(), self.fresh());
            self.include(loose, all);
            self.spaces.insert(space, Space { cells: FxHashMap::default(), all, loose });
        }
        &self.spaces[&space]
    }

    /// The cell of a key; what was written under an unknown key is in it, too.
    pub(crate) fn cell(&mut self, space: Atom, key: ValueId) -> VarId {
        let table = self.space(space);
        if let Some(&cell) = table.cells.get(&key) {
            return cell;
        }
        let (all, loose) = (table.all, table.loose);
        let cell = self.fresh();
        if let Some(table) = self.spaces.get_mut(&space) {
            table.cells.insert(key, cell);
        }
        self.include(loose, cell);
        self.include(cell, all);
        cell
    }
}
