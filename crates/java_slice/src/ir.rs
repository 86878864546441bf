//! Bodies as control flow graphs of the few things that matter to dependence.
//!
//! A body is what is entered and left: a method, a constructor, the initialisers of a class or of
//! its objects, a lambda. Expressions have become nodes of the dependence graph already; an
//! instruction says that a node reads or writes a variable or a part of the heap, or is a call.

use std::rc::Rc;

use atom::Atom;
use dependence::Node;
use java::names::{ClassId, FieldId, MethodId};

use crate::program::Site;

ids::ids! {
    /// A body.
    pub(crate) BodyId;
    /// A block of a body.
    pub(crate) BlockId;
    /// A call, by its place in one copy of the text.
    pub(crate) SiteId;
    /// An abstract object.
    pub(crate) ObjectId;
    /// A part of an abstract object.
    pub(crate) LocationId;
}

/// What a body is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum BodyKind {
    /// A method or constructor, written or not.
    Method(MethodId),
    /// What runs when a class is first used.
    ClassInit(ClassId),
    /// What runs in front of a constructor's own statements.
    ObjectInit(ClassId),
    /// A lambda or a reference to a method or constructor.
    Function(Site),
    /// Code that nobody knows; `is_pure` if it only looks at things.
    Unknown { is_pure: bool },
}

/// A part of an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Part {
    Field(FieldId),
    /// Any element of an array.
    Element,
    Length,
    /// All that an object of a class that is not part of the program holds.
    Content,
    /// The object of a class around it.
    Outer(ClassId),
}

/// What an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum ObjectKind {
    /// The static fields of all classes.
    Statics,
    /// Those that are made in one place.
    New(Site, ClassId),
    Array(Site),
    Function(Site),
    /// Those of classes that are not part of the program, by the place that gives them out.
    Foreign(Site),
    /// Those of a class that somebody else may have made.
    Somebodys(ClassId),
    /// Anything else that somebody else may have made.
    Anything,
}

/// A variable of a body: the node that declares it.
pub(crate) type Variable = Node;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Instr {
    Read {
        node: Node,
        variable: Variable,
    },
    Write {
        node: Node,
        variable: Variable,
    },
    Load {
        node: Node,
        base: Node,
        part: Part,
    },
    Store {
        node: Node,
        base: Node,
        part: Part,
        value: Node,
    },
    Call(SiteId),
    /// A class is used, which may run its initialiser.
    Use(ClassId, Node),
}

/// Kinds of exceptions, as bits: what may be thrown somewhere, or caught.
pub(crate) type Kinds = u128;

#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) instrs: Vec<Instr>,
    pub(crate) successors: Vec<BlockId>,
    /// Where it would go on if the jump at its end were not there.
    pub(crate) beyond: Option<BlockId>,
    /// What decides where it goes on.
    pub(crate) branch: Option<Node>,
    /// What may be thrown at its end, where to, and what the handler takes; the last handler may be
    /// the end of the body (`None`).
    pub(crate) throws: Option<Throwing>,
    /// What control of it depends on leads through this.
    pub(crate) node: Option<Node>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Handler {
    pub(crate) block: BlockId,
    /// What it may take, and what it takes surely.
    pub(crate) may: Kinds,
    pub(crate) must: Kinds,
    /// What is caught.
    pub(crate) caught: Node,
}

#[derive(Clone, Debug)]
pub(crate) struct Throwing {
    pub(crate) by: Node,
    pub(crate) kinds: Kinds,
    /// The kinds that its targets throw are to be added.
    pub(crate) call: Option<SiteId>,
    /// The classes whose initialisers may run; what they throw is an error.
    pub(crate) inits: Option<Rc<[ClassId]>>,
    /// Innermost first.
    pub(crate) handlers: Vec<Handler>,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) kind: BodyKind,
    pub(crate) site: Site,
    pub(crate) blocks: Vec<Block>,
    pub(crate) start: BlockId,
    /// Where returns and uncaught exceptions lead.
    pub(crate) exit: BlockId,
    pub(crate) entry: Node,
    pub(crate) this: Option<Node>,
    pub(crate) parameters: Vec<Node>,
    pub(crate) is_varargs: bool,
    pub(crate) result: Node,
    /// That it is left by an exception, and by which.
    pub(crate) thrown: Node,
    /// Where objects go: from the first to the second.
    pub(crate) copies: Vec<(Node, Node)>,
    /// Where they are made.
    pub(crate) made: Vec<(Node, ObjectKind, BlockId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Callee {
    /// Exactly this one.
    Body(BodyKind),
    /// A method of the object, as its class has it.
    Virtual {
        method: Option<MethodId>,
        name: Atom,
        is_implicit: bool,
    },
    /// Any method of a class that has the name and takes as many arguments.
    Named {
        class: ClassId,
        name: Atom,
    },
    /// As [`Callee::Named`], or a method of the first argument.
    Either {
        class: ClassId,
        name: Atom,
    },
    /// Any constructor that takes as many arguments.
    Constructors {
        class: ClassId,
    },
    /// Something that is not part of the program.
    Foreign {
        name: Atom,
    },
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    pub(crate) body: BodyId,
    pub(crate) site: Site,
    /// That the call is made.
    pub(crate) made: Node,
    /// Its value.
    pub(crate) value: Node,
    pub(crate) receiver: Option<Node>,
    pub(crate) arguments: Vec<Node>,
    pub(crate) callee: Callee,
    /// That it is left by an exception, and by which.
    pub(crate) thrown: Node,
}
