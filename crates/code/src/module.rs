//! The code of one module, as lowering leaves it and the Machine links it: its functions are to be
//! finished ([`Function::finish`]) before they run.

use std::rc::Rc;

use atom::Atom;
use syntax::ast::NodeId;
use term::Term;
use term::record::Shape;

use crate::instr::{BitsPart, Instr};
use crate::packed::PackedBody;
use crate::{liveness, optimise};

/// A function of some module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Mfa {
    pub module: Atom,
    pub name: Atom,
    pub arity: u32,
}

#[derive(Debug)]
pub struct ModuleCode {
    pub name: Atom,
    pub functions: Vec<Function>,
    /// Terms too large to be part of an instruction.
    pub consts: Vec<Term>,
    /// Functions of other modules that are called by name.
    pub imports: Vec<Mfa>,
    /// Funs that the module makes.
    pub closures: Vec<ClosureCode>,
    /// Segments of binaries that are built or matched.
    pub bits_parts: Vec<BitsPart>,
    /// Tables of [`Instr::SwitchAtom`] and [`Instr::SwitchInt`].
    pub switches: Vec<Switch>,
    pub exports: Vec<(Atom, u32)>,
    /// `module_info(attributes)`: name and value of each attribute, in order.
    pub attributes: Vec<(Atom, Term)>,
    /// The native records that the module defines.
    pub records: Vec<NativeRecord>,
    /// The function that `-on_load` names.
    pub on_load: Option<Atom>,
    /// Tells versions of the module apart ([`crate::digest`]).
    pub digest: u32,
    /// The `-file` attributes, in order, and the names that they give.
    pub renamed: Vec<(NodeId, Rc<str>)>,
}

impl ModuleCode {
    /// A module without anything in it.
    pub(crate) fn new(name: Atom) -> ModuleCode {
        ModuleCode {
            name,
            functions: Vec::new(),
            consts: Vec::new(),
            imports: Vec::new(),
            closures: Vec::new(),
            bits_parts: Vec::new(),
            switches: Vec::new(),
            exports: Vec::new(),
            attributes: Vec::new(),
            records: Vec::new(),
            on_load: None,
            digest: 0,
            renamed: Vec::new(),
        }
    }

    /// Finishes all functions: for Machines that are copied before these run.
    pub fn finish(&mut self) {
        let (switches, consts) = (&mut self.switches, &mut self.consts);
        self.functions.iter_mut().for_each(|function| function.finish(switches, consts));
    }
}

/// The definition of a native record.
#[derive(Clone, Debug)]
pub struct NativeRecord {
    pub shape: Rc<Shape>,
    /// For each field its default value, if it has one.
    pub defaults: Vec<Option<Term>>,
}

#[derive(Debug)]
pub struct Function {
    /// As stack traces show it: `f`, `-f/1-fun-0-`, `-f/1-lc$^0/1-0-`.
    pub name: Atom,
    pub arity: u32,
    /// Slots of a frame.
    pub frame_size: u16,
    pub instrs: Vec<Instr>,
    /// For each instruction the node it was made for.
    pub origins: Vec<NodeId>,
    /// Where its instructions come from if it was packed.
    packed: Option<PackedBody>,
    is_finished: bool,
}

impl Function {
    /// A function as lowering leaves it.
    pub fn lowered(
        name: Atom,
        arity: u32,
        frame_size: u16,
        instrs: Vec<Instr>,
        origins: Vec<NodeId>,
    ) -> Function {
        Function { name, arity, frame_size, instrs, origins, packed: None, is_finished: false }
    }

    /// A function whose instructions are to be unpacked.
    pub(crate) fn packed(name: Atom, arity: u32, frame_size: u16, packed: PackedBody) -> Function {
        let function = Function::lowered(name, arity, frame_size, Vec::new(), Vec::new());
        Function { packed: Some(packed), ..function }
    }

    /// How many instructions it has, or has at most when it is finished.
    pub fn len(&self) -> usize {
        self.packed.as_ref().map_or(self.instrs.len(), |packed| packed.len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node of the first instruction.
    pub fn origin(&self) -> NodeId {
        let packed = self.packed.as_ref().map(|packed| packed.origin);
        packed.or(self.origins.first().copied()).unwrap_or(NodeId(0))
    }

    /// The line of the node of an instruction, if it is known without the tree.
    pub fn line(&self, index: usize) -> Option<u32> {
        self.packed.as_ref()?.line(index)
    }

    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// Makes of what lowering left, or of what was packed, what is to be run; once. It does the
    /// same, and is not longer. `switches` and `consts` are the tables and the constants of the
    /// module, of which those of this function change.
    pub fn finish(&mut self, switches: &mut [Switch], consts: &mut [Term]) {
        if self.is_finished {
            return;
        }
        self.is_finished = true;
        match &self.packed {
            Some(packed) => (self.instrs, self.origins) = packed.unpack(switches, consts),
            None => {
                optimise::optimise(self, switches);
                liveness::mark_last_uses(self, switches);
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ClosureCode {
    /// Index into [`ModuleCode::functions`]; its parameters are the fun's, then its environment.
    pub function: u32,
    /// Parameters of the fun.
    pub arity: u32,
    /// The number in the fun's name.
    pub index: u32,
}

/// Where to go for each of several values; sorted by value.
#[derive(Clone, Debug)]
pub enum Switch {
    Atoms(Vec<(Atom, u32)>),
    Ints(Vec<(i64, u32)>),
}
