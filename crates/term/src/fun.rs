//! Funs.

use crate::{Atom, Pid, Term};

/// A function value.
#[derive(Clone, Debug)]
pub enum Fun {
    /// `fun (…) -> … end` or `fun name/1`: code of a module, with the values it closed over.
    Local(Closure),
    /// `fun M:F/A`
    External { module: Atom, name: Atom, arity: u32 },
}

#[derive(Clone, Debug)]
pub struct Closure {
    pub module: Atom,
    /// The function that holds the fun's code, as stack traces name it: `-f/1-fun-0-`.
    pub name: Atom,
    /// What the fun is called with.
    pub arity: u32,
    /// Which fun of the module it is.
    pub index: u32,
    /// Tells versions of a module apart: a digest of its code.
    pub unique: u32,
    /// Where its code is in the code space that the closure was made in, or [`Closure::NOWHERE`].
    pub entry: u32,
    /// The process that made it.
    pub maker: Pid,
    pub env: Box<[Term]>,
}

impl Closure {
    /// The entry of a fun that was read from bytes and whose code is not loaded.
    pub const NOWHERE: u32 = u32::MAX;

    pub fn has_code(&self) -> bool {
        self.entry != Closure::NOWHERE
    }
}

impl Fun {
    pub fn arity(&self) -> u32 {
        match self {
            Fun::Local(closure) => closure.arity,
            Fun::External { arity, .. } => *arity,
        }
    }

    pub fn module(&self) -> Atom {
        match self {
            Fun::Local(closure) => closure.module,
            Fun::External { module, .. } => *module,
        }
    }
}
