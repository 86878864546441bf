//! For who follows every instruction ([`Observer::instruction`]): what operands refer to, and
//! native functions that are to run as Erlang code, which can be followed.
//!
//! [`Observer::instruction`]: crate::observe::Observer::instruction

use std::rc::Rc;

use code::instr::{BitsPart, Instr, Pc};
use code::module::{Mfa, Switch};
use term::Term;

use crate::code_space::{CodeSpace, Target};
use crate::machine::Machine;

impl CodeSpace {
    /// The instruction at an address.
    pub fn instruction(&self, pc: Pc) -> Option<&Instr> {
        self.instrs.get(pc as usize)
    }

    /// The constant of this number.
    pub fn constant(&self, index: u32) -> &Term {
        &self.consts[index as usize]
    }

    /// The table of a switch.
    pub fn switch(&self, index: u32) -> &Switch {
        &self.switches[index as usize]
    }

    /// A segment of a bit string.
    pub fn bits_part(&self, index: u32) -> &BitsPart {
        &self.bits_parts[index as usize]
    }

    /// What a call of another module's function calls.
    pub fn import(&self, import: u32) -> (Mfa, Target) {
        let export = &self.exports[import as usize];
        (export.mfa, export.target)
    }

    /// Where a call of a function by its name goes.
    pub fn target_of(&self, mfa: Mfa) -> Target {
        self.find_export(mfa).map_or(Target::Undefined, |export| export.target)
    }
}

impl Machine {
    /// From now on calls of a native function, or from other modules of one of a module that is
    /// loaded, call one of another loaded module instead, which does the same. Says whether there
    /// are both. (Guards call natives as before; `m:'native f'` is the function as it was.)
    pub fn run_instead(&mut self, native: Mfa, other: Mfa) -> bool {
        let code = Rc::make_mut(&mut self.code);
        let (before, Target::Code(to)) = (code.target_of(native), code.target_of(other)) else {
            return false;
        };
        if before == Target::Undefined {
            return false;
        }
        let name = atom::Atom::new(&format!("native {}", native.name));
        let still = code.export(Mfa { name, ..native });
        code.exports[still as usize].target = before;
        let export = code.export(native);
        code.exports[export as usize].target = Target::Code(to);
        for instr in &mut code.instrs {
            if let Instr::CallBuiltin { builtin, at, len } = *instr
                && before == Target::Builtin(builtin)
            {
                *instr = Instr::CallImport { import: export, at, len };
            }
        }
        true
    }
}
