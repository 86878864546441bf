//! Asking a `receive` which messages it would take, without taking any.

use std::cell::{Cell, RefCell};

use code::instr::Pc;
use term::{Pid, Term};

use super::{At, Mode};
use crate::interp::{self, Exit};
use crate::machine::Machine;
use crate::process::Process;

/// What a `receive` needs to judge messages: its place and the frame of its function. Patterns and
/// guards reach nothing else.
#[derive(Clone, Default, Debug)]
pub struct Prober {
    pid: Pid,
    pc: Pc,
    frame: Vec<Term>,
    has_clauses: bool,
}

impl Prober {
    /// Holds no term any more.
    pub fn clear(&mut self) {
        self.frame.clear();
    }
}

thread_local! {
    /// A process that exists only to be asked about messages: making one takes longer than asking
    /// it.
    static SCRATCH: RefCell<Option<Process>> = const { RefCell::new(None) };

    /// Room for the frame of a process that is asked; holds no term while nobody uses it.
    static FRAME: Cell<Vec<Term>> = const { Cell::new(Vec::new()) };
}

impl Machine {
    /// Finds out which of the messages that were not looked at yet would be taken.
    pub(super) fn probe(&mut self, process: &mut Process) {
        self.state.step.mode = Mode::Probe;
        if process.step.probed == 0 {
            process.looked = process.mailbox.len();
            process.timeout = None;
            if self.code.waits_forever(process.pc) {
                process.step.has_clauses = true;
            } else {
                // Reaches the wait, which says for how long.
                let _ = self.try_message(process);
            }
        }
        if process.step.has_clauses && (process.step.probed as usize) < process.mailbox.len() {
            // A clause that matches may use the slots of what the others need.
            let mut frame = FRAME.take();
            frame.extend_from_slice(self.frame_of(process));
            for index in process.step.probed as usize..process.mailbox.len() {
                process.looked = index;
                if self.try_message(process) {
                    process.step.matching.push(index as u32);
                    for (slot, value) in process.stack[process.base..].iter_mut().zip(&frame) {
                        if !slot.same_word(value) {
                            slot.clone_from(value);
                        }
                    }
                }
            }
            frame.clear();
            FRAME.set(frame);
        }
        process.step.probed = process.mailbox.len() as u32;
        process.looked = 0;
        process.timeout = None;
        self.state.step.mode = Mode::Stop;
    }

    fn try_message(&mut self, process: &mut Process) -> bool {
        let mut budget = u32::MAX;
        matches!(interp::run(&self.code, &mut self.state, process, &mut budget), Exit::Matched)
    }

    /// The slots of the function that a process is in.
    fn frame_of<'a>(&self, process: &'a Process) -> &'a [Term] {
        let size = self.code.function_at(process.pc).map_or(0, |f| f.frame_size as usize);
        let end = process.stack.len().min(process.base + size);
        process.stack.get(process.base..end).unwrap_or_default()
    }

    /// The `receive` that a process is in, to ask it about messages later.
    pub fn prober(&self, pid: Pid) -> Option<Prober> {
        let mut prober = Prober::default();
        self.set_prober(pid, &mut prober).then_some(prober)
    }

    /// The same, in the room of one that is not needed any more. Whether the process is in a
    /// `receive`.
    pub fn set_prober(&self, pid: Pid, prober: &mut Prober) -> bool {
        let Some(process) = self.state.node.process(pid) else { return false };
        if process.step.at != At::Receive {
            return false;
        }
        (prober.pid, prober.pc) = (pid, process.pc);
        prober.has_clauses = process.step.has_clauses;
        prober.frame.clear();
        prober.frame.extend_from_slice(self.frame_of(process));
        true
    }

    /// Whether a `receive` would take this message.
    pub fn would_take(&mut self, prober: &Prober, message: &Term) -> bool {
        if !prober.has_clauses {
            return false;
        }
        SCRATCH.with_borrow_mut(|process| {
            let process =
                process.get_or_insert_with(|| Process::new(prober.pid, crate::io_service::USER));
            process.pid = prober.pid;
            process.pc = prober.pc;
            process.looked = 0;
            process.timeout = None;
            process.stack.extend_from_slice(&prober.frame);
            process.mailbox.push_back(message.clone());
            let mode = std::mem::replace(&mut self.state.step.mode, Mode::Probe);
            let taken = self.try_message(process);
            self.state.step.mode = mode;
            // It holds no term while nobody uses it.
            process.unwind();
            process.mailbox.clear();
            taken
        })
    }
}
