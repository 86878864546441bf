//! Where in its source a process is.

use code::instr::Pc;
use code::module::Mfa;
use syntax::ast::NodeId;
use term::Pid;

use crate::code_space::{CodeSpace, Source};
use crate::machine::Machine;
use crate::process::Process;

/// A place in the source of a loaded module.
#[derive(Clone, Debug)]
pub struct Position {
    /// The function that runs there.
    pub mfa: Mfa,
    pub source: Source,
    /// What is evaluated there.
    pub node: NodeId,
    /// As stack traces show it.
    pub file: String,
    pub line: u32,
}

impl CodeSpace {
    /// The place of an instruction.
    pub fn position(&self, pc: Pc) -> Option<Position> {
        let function = self.function_at(pc)?;
        Some(Position {
            mfa: function.mfa,
            source: self.modules[function.module as usize].source.clone(),
            node: *self.origins.get(pc as usize)?,
            file: self.file_at(pc)?,
            line: self.line_at(pc)?,
        })
    }
}

impl Machine {
    /// Where a process is, and through which calls it came there: innermost first, `depth` at most.
    pub fn positions(&self, pid: Pid, depth: usize) -> Vec<Position> {
        self.calls(pid).take(depth).filter_map(|pc| self.code.position(pc)).collect()
    }

    /// The same as numbers of instructions.
    pub fn calls(&self, pid: Pid) -> impl Iterator<Item = u32> {
        // One that has not begun is nowhere.
        let has_begun = |process: &&Process| process.start.is_none() || process.start_at.is_some();
        self.state.node.process(pid).filter(has_begun).into_iter().flat_map(|process| {
            let callers = process.frames.iter().rev().map(|frame| frame.pc.saturating_sub(1));
            std::iter::once(process.pc).chain(callers)
        })
    }
}
