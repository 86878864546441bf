//! Code as text, for tests and for looking at what lowering did.

use std::fmt::Write;

use crate::module::{Function, ModuleCode};

/// All functions of a module.
pub fn module(code: &ModuleCode) -> String {
    code.functions.iter().map(function).collect::<Vec<_>>().join("\n")
}

/// One function: an instruction a line, with its address.
pub fn function(function: &Function) -> String {
    let mut text = format!("{}/{}:\n", function.name, function.arity);
    for (pc, instr) in function.instrs.iter().enumerate() {
        let _ = writeln!(text, "{pc:5}  {instr:?}");
    }
    text
}
