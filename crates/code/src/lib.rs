//! Executable code of a module, and how it is made from the syntax tree.
//!
//! A function is a sequence of [`instr::Instr`]uctions over the *slots* of its frame. Frames lie on
//! a process's stack and overlap: the arguments of a call are put into the last slots of the
//! caller's frame, which are the first slots of the callee's. So a call copies nothing.
//!
//! [`lower::lower`] makes the code of a module. Before a function runs for the first time it is
//! finished ([`module::Function::finish`]; most functions of a library never run): [`optimise`]
//! takes out the moves and jumps that lowering leaves behind; [`liveness`] then marks the last use
//! of every slot, so that the Machine can move a value out instead of counting one more holder of
//! it, and change it in place if there was no other.
//!
//! All that may also be done before the program runs: [`packed`] keeps finished modules as bytes.
//!
//! Every instruction knows the node of the tree that it was made for: stack traces, coverage and
//! traces speak of nodes.

mod digest;
pub mod instr;
pub mod liveness;
pub mod lower;
pub mod module;
mod optimise;
pub mod packed;
pub mod print;
