//! Abstract values, the objects they refer to, and the sets that hold them.
//!
//! A value says what is known about a term: an atom or a small integer exactly, other data by kind,
//! structures by the place that makes them ([`Object`]), functions by their code (0-CFA), processes
//! by the place that spawns them. Values are numbered; a [`Variable`] of the constraint system is
//! a growing set of numbers in the order of arrival, so "what is new" is the end of a vector.
//!
//! Cost: membership is a scan up to [`SMALL`] values and a hash table above.

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constraints::{BodyId, ProcessId};
use crate::ids::IdVec;
use crate::watches::Watch;

crate::ids! {
    /// A set of values: a [`Variable`].
    pub(crate) VarId;
    /// A [`Value`].
    pub(crate) ValueId;
    /// A structure: an [`Object`].
    pub(crate) ObjectId;
    /// A place that makes references.
    pub(crate) RefId;
}

/// No variable: what is put there is dropped, and nothing comes from there.
pub(crate) const NOWHERE: VarId = VarId::new(u32::MAX as usize - 1);

/// An abstract value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    /// Anything that comes from outside of the program: arguments of entries, input, what unknown
    /// functions return.
    Unknown,
    /// Whatever is in [`crate::solution::EVERYWHERE`].
    Everything,
    Atom(Atom),
    AnyAtom,
    Int(i64),
    Number,
    Binary,
    Nil,
    Cons(ObjectId),
    Tuple(ObjectId),
    Map(ObjectId),
    /// A function or closure: a body, and its arity.
    Fun(BodyId, u32),
    /// A function outside of the program.
    External(Atom, Atom, u32),
    Pid(ProcessId),
    /// A reference, by the place that makes it.
    Ref(RefId),
}

pub(crate) const UNKNOWN: ValueId = ValueId::new(0);
pub(crate) const ANY_ATOM: ValueId = ValueId::new(1);
pub(crate) const NUMBER: ValueId = ValueId::new(2);
pub(crate) const BINARY: ValueId = ValueId::new(3);
pub(crate) const NIL: ValueId = ValueId::new(4);
pub(crate) const EVERYTHING: ValueId = ValueId::new(5);

/// A structure, by the place that makes it.
#[derive(Debug)]
pub(crate) struct Object {
    /// Elements of a tuple; head and tail of a list cell; empty for a map.
    pub(crate) fields: Box<[VarId]>,
    pub(crate) map: Option<Box<MapObject>>,
    /// It stands for many places.
    pub(crate) is_summary: bool,
    /// Its contents are also those of the summary of its kind, without and with its tag.
    pub(crate) merged: [bool; 2],
    /// The values that stand for it in large and in very large sets, once they are known.
    pub(crate) summaries: [Option<ValueId>; 2],
}

/// Fields are made when they are written or asked for; a field that was not written here is filled
/// from the maps that this one was made from.
#[derive(Debug)]
pub(crate) struct MapObject {
    pub(crate) fields: Vec<MapField>,
    /// All keys, all values, and the values of keys that are not known.
    pub(crate) keys: VarId,
    pub(crate) all: VarId,
    pub(crate) loose: VarId,
    /// The maps that this one is an update of.
    pub(crate) parents: Vec<ObjectId>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct MapField {
    pub(crate) key: ValueId,
    pub(crate) var: VarId,
    /// Written by the place that makes the map: nothing is taken from the maps before.
    pub(crate) own: bool,
}

/// Numbers values.
#[derive(Debug, Default)]
pub(crate) struct Values {
    values: IdVec<ValueId, Value>,
    numbers: FxHashMap<Value, ValueId>,
    pub(crate) objects: IdVec<ObjectId, Object>,
}

impl Values {
    pub(crate) fn new() -> Values {
        let mut values = Values::default();
        for value in [
            Value::Unknown,
            Value::AnyAtom,
            Value::Number,
            Value::Binary,
            Value::Nil,
            Value::Everything,
        ] {
            values.number(value);
        }
        values
    }

    pub(crate) fn number(&mut self, value: Value) -> ValueId {
        let next = self.values.next_id();
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        number
    }

    pub(crate) fn get(&self, id: ValueId) -> Value {
        self.values[id]
    }

    pub(crate) fn object(&mut self, fields: Box<[VarId]>, map: Option<Box<MapObject>>) -> ObjectId {
        self.objects.push(Object {
            fields,
            map,
            is_summary: false,
            merged: [false; 2],
            summaries: [None; 2],
        })
    }
}

/// Up to here a set is searched from end to end.
const SMALL: usize = 24;

/// A set of values and what depends on it.
#[derive(Debug, Default)]
pub(crate) struct Variable {
    pub(crate) items: Vec<ValueId>,
    index: Option<Box<FxHashSet<ValueId>>>,
    /// How many of the items have been passed on.
    pub(crate) done: u32,
    pub(crate) queued: bool,
    /// One value and never more.
    pub(crate) constant: bool,
    /// It grew too large and stands for everything.
    pub(crate) is_everything: bool,
    /// It may grow as large as it will: processes.
    pub(crate) keeps_all: bool,
    pub(crate) hold: Hold,
    /// Variables that hold all that this one holds.
    pub(crate) into: Vec<VarId>,
    pub(crate) watches: Vec<Watch>,
}

/// When what arrives in a variable is passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Hold {
    #[default]
    Never,
    /// In the part of an iteration that finds throw edges.
    Throws,
    /// In the part that finds message edges.
    Messages,
}

impl Variable {
    pub(crate) fn contains(&self, value: ValueId) -> bool {
        match &self.index {
            Some(index) => index.contains(&value),
            None => self.items.contains(&value),
        }
    }

    /// Adds a value; whether it is new.
    pub(crate) fn insert(&mut self, value: ValueId) -> bool {
        if let Some(index) = &mut self.index {
            if !index.insert(value) {
                return false;
            }
        } else {
            if self.items.contains(&value) {
                return false;
            }
            if self.items.len() >= SMALL {
                let mut index: FxHashSet<ValueId> = self.items.iter().copied().collect();
                index.insert(value);
                self.index = Some(Box::new(index));
            }
        }
        self.items.push(value);
        true
    }
}
