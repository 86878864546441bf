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
use syntax::ast::NodeId;

pub(crate) type VarId = u32;
pub(crate) type ValueId = u32;

/// No variable.
pub(crate) const NOWHERE: VarId = u32::MAX;

/// An abstract value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    /// Anything that comes from outside of the program: arguments of entries, input, what unknown
    /// functions return.
    Unknown,
    /// Whatever is in [`crate::analysis::EVERYWHERE`].
    Everything,
    Atom(Atom),
    AnyAtom,
    Int(i64),
    Number,
    Binary,
    Nil,
    Cons(u32),
    Tuple(u32),
    Map(u32),
    /// A function or closure: a body.
    Fun(u32),
    /// A function outside of the program.
    External(Atom, Atom, u32),
    Pid(u32),
    /// A reference, by the place that makes it.
    Ref(u32),
}

pub(crate) const UNKNOWN: ValueId = 0;
pub(crate) const ANY_ATOM: ValueId = 1;
pub(crate) const NUMBER: ValueId = 2;
pub(crate) const BINARY: ValueId = 3;
pub(crate) const NIL: ValueId = 4;
pub(crate) const EVERYTHING: ValueId = 5;

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
    pub(crate) summaries: [ValueId; 2],
}

/// Fields are made when they are written or asked for; a field that was not written here is filled
/// from the maps that this one was made from.
#[derive(Debug, Default)]
pub(crate) struct MapObject {
    pub(crate) fields: Vec<MapField>,
    /// All keys, all values, and the values of keys that are not known.
    pub(crate) keys: VarId,
    pub(crate) all: VarId,
    pub(crate) loose: VarId,
    /// The maps that this one is an update of.
    pub(crate) parents: Vec<u32>,
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
    pub(crate) values: Vec<Value>,
    numbers: FxHashMap<Value, ValueId>,
    pub(crate) objects: Vec<Object>,
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
        let next = self.values.len() as ValueId;
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        number
    }

    pub(crate) fn get(&self, id: ValueId) -> Value {
        self.values[id as usize]
    }

    pub(crate) fn object(&mut self, fields: Box<[VarId]>, map: Option<Box<MapObject>>) -> u32 {
        self.objects.push(Object {
            fields,
            map,
            is_summary: false,
            merged: [false; 2],
            summaries: [NOWHERE; 2],
        });
        self.objects.len() as u32 - 1
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

/// What is to be done for each value that arrives in a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Watch {
    /// The elements of tuples that fit: a [`TupleParts`].
    Tuple(u32),
    /// Head and tail of list cells.
    Cons {
        head: VarId,
        tail: VarId,
    },
    /// All elements of tuples.
    TupleAll(VarId),
    /// The values of a map at a key: a [`MapRead`].
    Map(u32),
    MapKey(u32),
    /// Keys and values of maps.
    MapAll {
        keys: VarId,
        values: VarId,
    },
    /// A map that is made from these: an object.
    MapBase(u32),
    /// Keys under which a map gets a value.
    MapStore {
        object: u32,
        value: VarId,
    },
    /// A call of what arrives.
    Callee(u32),
    /// The module or the name of a call that is known by names only.
    CallName(u32),
    /// A list of arguments: an [`ArgumentWalk`].
    Arguments(u32),
    /// Where a message goes.
    Destination(u32),
    /// The processes that run a `receive`.
    Receive(u32),
    /// What is inside of structures goes here, too.
    Inside(VarId),
    /// A key of a table: a [`CellAccess`].
    CellKey(u32),
    /// One of two processes that are connected: a [`Connection`].
    Connect(u32),
    /// Makes funs of names: a [`FunMaker`].
    FunName(u32),
    /// Processes that get exit signals as messages.
    Trap,
    /// Processes that may end for these reasons.
    End(VarId),
    /// If a name of a process arrives, `from` goes to `to`.
    Named {
        from: VarId,
        to: VarId,
    },
    /// Positions for `element`.
    Element(u32),
    /// The processes that pids and names stand for go here.
    Pids(VarId),
    /// Only tuples pass.
    Tuples(VarId),
    /// Only what a variable of a pattern can hold passes.
    Narrow {
        module: u32,
        variable: NodeId,
        to: VarId,
    },
    /// Only processes pass.
    Processes(VarId),
    /// A call that is made once for each message: see [`crate::callbacks`].
    Each(u32),
}

/// A tuple pattern, or an access to elements.
#[derive(Debug)]
pub(crate) struct TupleParts {
    pub(crate) arity: u32,
    /// What a field must be able to be.
    pub(crate) literals: Vec<(u32, ValueId)>,
    pub(crate) fields: Vec<(u32, VarId)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct MapRead {
    pub(crate) map: VarId,
    pub(crate) key: VarId,
    pub(crate) result: VarId,
}

/// `element(Position, Tuple)`
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementRead {
    pub(crate) position: VarId,
    pub(crate) tuple: VarId,
    pub(crate) result: VarId,
}

/// Reading or writing the table of a space (registered names, process dictionary, ETS, …).
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellAccess {
    pub(crate) space: Atom,
    /// What is written, or [`NOWHERE`].
    pub(crate) write: VarId,
    /// Where it is read to, or [`NOWHERE`].
    pub(crate) read: VarId,
}

/// The cells of a space.
#[derive(Debug, Default)]
pub(crate) struct Space {
    pub(crate) cells: FxHashMap<ValueId, VarId>,
    /// What is in any cell, and what was written under a key that is not known.
    pub(crate) all: VarId,
    pub(crate) loose: VarId,
}

/// Two sets of processes that are linked, or of which the first monitors the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection {
    pub(crate) from: VarId,
    pub(crate) to: VarId,
    /// The reference of a monitor, [`NOWHERE`] for links.
    pub(crate) reference: VarId,
    /// What all that hear of ends hear: the messages of the first few processes, then one for all others.
    pub(crate) messages: VarId,
    /// Of the message for all others, who and why.
    pub(crate) others: Option<(VarId, VarId)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FunMaker {
    pub(crate) body: u32,
    pub(crate) module: VarId,
    pub(crate) name: VarId,
    pub(crate) arity: VarId,
    pub(crate) result: VarId,
}

/// A list of arguments that is taken apart.
#[derive(Clone, Debug)]
pub(crate) struct ArgumentWalk {
    pub(crate) call: u32,
    pub(crate) heads: Vec<VarId>,
    /// The list cells on the way.
    pub(crate) path: Vec<u32>,
}
