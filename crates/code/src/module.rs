//! The code of one module, as lowering leaves it and the Machine links it: its functions are to be finished
//! ([`Function::finish`]) before they run.

use std::rc::Rc;

use atom::Atom;
use syntax::ast::NodeId;
use term::Term;
use term::record::Shape;

use crate::instr::{BitsPart, Instr};
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
    /// Whether all functions are finished.
    pub is_finished: bool,
}

impl ModuleCode {
    /// Finishes all functions: for Machines that are copied before these run.
    pub fn finish(&mut self) {
        if !self.is_finished {
            self.functions.iter_mut().for_each(|function| function.finish(&mut self.switches));
            self.is_finished = true;
        }
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
}

impl Function {
    /// Makes of what lowering left what is to be run; once. It does the same, and is not longer.
    /// `switches` are the tables of the module, of which those of this function change.
    pub fn finish(&mut self, switches: &mut [Switch]) {
        optimise::optimise(self, switches);
        liveness::mark_last_uses(self, switches);
    }
}

#[derive(Clone, Debug)]
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
