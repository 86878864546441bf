//! Inputs as Erlang text, and back.
//!
//! What is written is an expression of Erlang: whoever loads `erlscope_inputs` can evaluate it on
//! any node. Processes, ports and references are calls of that module
//! (`erlscope_inputs:process(1)`); a fun is written with its table as clauses, and a last clause
//! for other arguments:
//!
//! ```erlang
//! fun(1) -> a; (A) when A =:= #{} -> b; (A) -> element(erlang:phash2([A], 2) + 1, {c, d}) end
//! ```

mod read;
mod write;

pub use read::{NotAnInput, bits, read, value};
pub use write::{write, write_args};

use std::fmt;

use crate::Input;

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        write(self, &mut out);
        f.write_str(&out)
    }
}
