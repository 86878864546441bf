//! What a value does when it arrives in a variable: the constraints that are more than inclusions.
//!
//! A [`Watch`] is small, as variables hold many; what does not fit into it lies in a table of
//! [`Accesses`]. [`crate::project`] carries watches out.

use atom::Atom;
use syntax::ast::NodeId;

use crate::callbacks::EachId;
use crate::constraints::{BodyId, CallId, ReceiveId, SendId};
use crate::ids::IdVec;
use crate::sources::ModuleId;
use crate::values::{ObjectId, ValueId, VarId};

crate::ids! {
    /// A [`TupleParts`].
    pub(crate) TuplePartsId;
    /// A [`MapRead`].
    pub(crate) MapReadId;
    /// An [`ElementRead`].
    pub(crate) ElementReadId;
    /// A [`CellAccess`].
    pub(crate) CellAccessId;
    /// A [`Connection`].
    pub(crate) ConnectionId;
    /// A [`FunMaker`].
    pub(crate) FunMakerId;
    /// An [`ArgumentWalk`].
    pub(crate) WalkId;
}

/// What watches refer to.
#[derive(Debug, Default)]
pub(crate) struct Accesses {
    pub(crate) tuple_parts: IdVec<TuplePartsId, TupleParts>,
    pub(crate) map_reads: IdVec<MapReadId, MapRead>,
    pub(crate) element_reads: IdVec<ElementReadId, ElementRead>,
    pub(crate) cells: IdVec<CellAccessId, CellAccess>,
    pub(crate) connections: IdVec<ConnectionId, Connection>,
    pub(crate) fun_makers: IdVec<FunMakerId, FunMaker>,
    pub(crate) walks: IdVec<WalkId, ArgumentWalk>,
}

/// What is to be done for each value that arrives in a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Watch {
    /// The elements of tuples that fit: a [`TupleParts`].
    Tuple(TuplePartsId),
    /// Head and tail of list cells.
    Cons {
        head: VarId,
        tail: VarId,
    },
    /// All elements of tuples.
    TupleAll(VarId),
    /// The values of a map at a key: a [`MapRead`].
    Map(MapReadId),
    MapKey(MapReadId),
    /// Keys and values of maps.
    MapAll {
        keys: VarId,
        values: VarId,
    },
    /// A map that is made from these: an object.
    MapBase(ObjectId),
    /// Keys under which a map gets a value.
    MapStore {
        object: ObjectId,
        value: VarId,
    },
    /// A call of what arrives.
    Callee(CallId),
    /// The module or the name of a call that is known by names only.
    CallName(CallId),
    /// A list of arguments: an [`ArgumentWalk`].
    Arguments(WalkId),
    /// Where a message goes.
    Destination(SendId),
    /// The processes that run a `receive`.
    Receive(ReceiveId),
    /// What is inside of structures goes here, too.
    Inside(VarId),
    /// A key of a table: a [`CellAccess`].
    CellKey(CellAccessId),
    /// One of two processes that are connected: a [`Connection`].
    Connect(ConnectionId),
    /// Makes funs of names: a [`FunMaker`].
    FunName(FunMakerId),
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
    Element(ElementReadId),
    /// The processes that pids and names stand for go here.
    Pids(VarId),
    /// Only tuples pass.
    Tuples(VarId),
    /// Only what a variable of a pattern can hold passes.
    Narrow {
        module: ModuleId,
        variable: NodeId,
        to: VarId,
    },
    /// Only processes pass.
    Processes(VarId),
    /// A call that is made once for each message: see [`crate::callbacks`].
    Each(EachId),
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
    /// What is written, or [`NOWHERE`](crate::values::NOWHERE).
    pub(crate) write: VarId,
    /// Where it is read to, or [`NOWHERE`](crate::values::NOWHERE).
    pub(crate) read: VarId,
}

/// Two sets of processes that are linked, or of which the first monitors the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection {
    pub(crate) from: VarId,
    pub(crate) to: VarId,
    /// The reference of a monitor, [`NOWHERE`](crate::values::NOWHERE) for links.
    pub(crate) reference: VarId,
    /// What all that hear of ends hear: the messages of the first few processes, then one for
    /// all others.
    pub(crate) messages: VarId,
    /// Of the message for all others, who and why.
    pub(crate) others: Option<(VarId, VarId)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FunMaker {
    pub(crate) body: BodyId,
    pub(crate) module: VarId,
    pub(crate) name: VarId,
    pub(crate) arity: VarId,
    pub(crate) result: VarId,
}

/// A list of arguments that is taken apart.
#[derive(Clone, Debug)]
pub(crate) struct ArgumentWalk {
    pub(crate) call: CallId,
    pub(crate) heads: Vec<VarId>,
    /// The list cells on the way.
    pub(crate) path: Vec<ObjectId>,
}
