//! Sets of maps: keys that are known one by one, and what else there may be.

use atom::Atom;

use super::{Type, limits};

/// A key that is one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    Integer(i64),
    Atom(Atom),
}

impl Key {
    /// The key that a type is, if it is only one.
    pub fn of(ty: &Type) -> Option<Key> {
        ty.single_atom().map(Key::Atom).or_else(|| ty.single_integer().map(Key::Integer))
    }

    pub fn to_type(self) -> Type {
        match self {
            Key::Integer(value) => Type::the_integer(value),
            Key::Atom(atom) => Type::the_atom(atom),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Presence {
    Required,
    Optional,
}

/// A key with what it maps to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    pub key: Key,
    pub presence: Presence,
    /// None, with an optional key, where the key is known not to be there.
    pub value: Type,
}

/// Maps: fields in the order of their keys, and other keys with their values (both `None` where
/// there are no others).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MapType {
    pub fields: Vec<Field>,
    pub other_keys: Type,
    pub other_values: Type,
}

impl MapType {
    pub fn all() -> MapType {
        MapType { fields: Vec::new(), other_keys: Type::Any, other_values: Type::Any }
    }

    pub fn empty() -> MapType {
        MapType { fields: Vec::new(), other_keys: Type::None, other_values: Type::None }
    }

    /// The map with these fields and others; `None` if there can be no such map.
    pub fn checked(mut self) -> Option<MapType> {
        if self
            .fields
            .iter()
            .any(|field| field.presence == Presence::Required && field.value.is_none())
        {
            return None;
        }
        self.normalise();
        Some(self)
    }

    /// Sorts fields, takes out those that say what the others say, widens where they are too many.
    fn normalise(&mut self) {
        if self.other_keys.is_none() || self.other_values.is_none() {
            (self.other_keys, self.other_values) = (Type::None, Type::None);
        }
        self.fields.sort_by_key(|field| field.key);
        let (keys, values) = (self.other_keys.clone(), self.other_values.clone());
        // What variables stand for may leave out what a field says.
        let is_open = keys.has_variables();
        self.fields.retain(|field| {
            if is_open {
                return true;
            }
            let known = keys.contains_key(field.key);
            let same = if known { field.value == values } else { field.value.is_none() };
            field.presence == Presence::Required || !same
        });
        if self.fields.len() > limits::KEYS {
            for field in std::mem::take(&mut self.fields) {
                self.other_keys = self.other_keys.join(&field.key.to_type());
                self.other_values = self.other_values.join(&field.value);
            }
        }
    }

    pub fn field(&self, key: Key) -> Option<&Field> {
        self.fields.binary_search_by_key(&key, |field| field.key).ok().map(|at| &self.fields[at])
    }

    /// What a key may map to, and whether it must be there.
    pub fn at(&self, key: Key) -> (Type, Presence) {
        match self.field(key) {
            Some(field) => (field.value.clone(), field.presence),
            None if self.other_keys.contains_key(key) => {
                (self.other_values.clone(), Presence::Optional)
            }
            None => (Type::None, Presence::Optional),
        }
    }

    /// What keys of a type may map to.
    pub fn get(&self, keys: &Type) -> Type {
        if let Some(key) = Key::of(keys) {
            return self.at(key).0;
        }
        let mut values = Type::None;
        for field in &self.fields {
            if keys.contains_key(field.key) {
                values = values.join(&field.value);
            }
        }
        if !self.other_keys.meet(keys).is_none() {
            values = values.join(&self.other_values);
        }
        values
    }

    /// The map with a value put at keys of a type.
    pub fn put(&self, keys: &Type, value: &Type) -> MapType {
        let mut map = self.clone();
        match Key::of(keys) {
            Some(key) => {
                map.fields.retain(|field| field.key != key);
                map.fields.push(Field { key, presence: Presence::Required, value: value.clone() });
            }
            None => {
                for field in &mut map.fields {
                    if keys.contains_key(field.key) {
                        field.value = field.value.join(value);
                    }
                }
                map.other_keys = map.other_keys.join(keys);
                map.other_values = map.other_values.join(value);
            }
        }
        map.normalise();
        map
    }

    /// The map after keys of a type were taken out.
    pub fn remove(&self, keys: &Type) -> MapType {
        let mut map = self.clone();
        match Key::of(keys) {
            Some(key) => {
                map.fields.retain(|field| field.key != key);
                if map.other_keys.contains_key(key) {
                    let (presence, value) = (Presence::Optional, Type::None);
                    map.fields.push(Field { key, presence, value });
                }
            }
            None => {
                for field in &mut map.fields {
                    if keys.contains_key(field.key) {
                        field.presence = Presence::Optional;
                    }
                }
            }
        }
        map.normalise();
        map
    }

    /// The map with all of another put into it.
    pub fn merge(&self, other: &MapType) -> MapType {
        let fields = self.keys_of_both(other).into_iter().map(|key| {
            let ((a, in_a), (b, in_b)) = (self.at(key), other.at(key));
            let value = if in_b == Presence::Required { b } else { a.join(&b) };
            Field { key, presence: in_a.min(in_b), value }
        });
        let mut map = MapType {
            fields: fields.collect(),
            other_keys: self.other_keys.join(&other.other_keys),
            other_values: self.other_values.join(&other.other_values),
        };
        map.normalise();
        map
    }

    /// Every key and every value that its maps may have.
    pub fn keys_and_values(&self) -> (Type, Type) {
        let (mut keys, mut values) = (self.other_keys.clone(), self.other_values.clone());
        for field in self.fields.iter().filter(|field| !field.value.is_none()) {
            keys = keys.join(&field.key.to_type());
            values = values.join(&field.value);
        }
        (keys, values)
    }

    /// The keys that one of two maps has as fields.
    fn keys_of_both(&self, other: &MapType) -> Vec<Key> {
        let mut keys: Vec<Key> =
            self.fields.iter().chain(&other.fields).map(|field| field.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    pub fn join(&self, other: &MapType) -> MapType {
        if self == other {
            return self.clone();
        }
        let fields = self.keys_of_both(other).into_iter().map(|key| {
            let ((a, in_a), (b, in_b)) = (self.at(key), other.at(key));
            Field { key, presence: in_a.max(in_b), value: a.join(&b) }
        });
        let mut map = MapType {
            fields: fields.collect(),
            other_keys: self.other_keys.join(&other.other_keys),
            other_values: self.other_values.join(&other.other_values),
        };
        map.normalise();
        map
    }

    pub fn meet(&self, other: &MapType) -> Option<MapType> {
        if self == other {
            return Some(self.clone());
        }
        let fields = self.keys_of_both(other).into_iter().map(|key| {
            let ((a, in_a), (b, in_b)) = (self.at(key), other.at(key));
            Field { key, presence: in_a.min(in_b), value: a.meet(&b) }
        });
        let other_keys = self.other_keys.meet(&other.other_keys);
        let other_values = self.other_values.meet(&other.other_values);
        MapType { fields: fields.collect(), other_keys, other_values }.checked()
    }

    /// Whether there is no map that is of both.
    pub fn is_disjoint(&self, other: &MapType) -> bool {
        self != other
            && self.keys_of_both(other).into_iter().any(|key| {
                let ((a, in_a), (b, in_b)) = (self.at(key), other.at(key));
                in_a.min(in_b) == Presence::Required && a.is_disjoint(&b)
            })
    }

    pub fn is_within(&self, other: &MapType) -> bool {
        let keys = self.keys_of_both(other);
        let fields = keys.iter().all(|&key| {
            let ((a, in_a), (b, in_b)) = (self.at(key), other.at(key));
            a.is_within(&b) && in_a <= in_b
        });
        if !fields || self.other_keys.is_none() {
            return fields;
        }
        // Of the others those are left that are a field of neither.
        let known = keys.into_iter().filter(|&key| self.other_keys.contains_key(key));
        let known = known.fold(Type::None, |known, key| known.join(&key.to_type()));
        let others = self.other_keys.without(&known);
        others.is_none()
            || others.is_within(&other.other_keys)
                && self.other_values.is_within(&other.other_values)
    }
}

impl Type {
    /// Whether a single value is one of its terms.
    pub fn contains_key(&self, key: Key) -> bool {
        match key {
            Key::Integer(value) => self.parts().integers.contains(value),
            Key::Atom(atom) => self.parts().atoms.contains(atom),
        }
    }
}

impl MapType {
    pub(super) fn map_types(&self, change: &mut impl FnMut(&Type) -> Type) -> Option<MapType> {
        let mut map = self.clone();
        for field in &mut map.fields {
            field.value = change(&field.value);
        }
        map.other_keys = change(&map.other_keys);
        map.other_values = change(&map.other_values);
        map.checked()
    }
}
