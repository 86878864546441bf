//! Where a process is in its program, and what belongs to the program.

use atom::Atom;
use machine::code_space::Source;
use machine::{CodeSpace, Machine, Pid};
use serde::{Deserialize, Serialize};
use syntax::ast::{self, NodeId};

/// File and line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

/// Where a process is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum At {
    Program(Place),
    /// In a function of the library, `m:f/1`, that was not called by the program.
    Library(String),
    Unknown,
}

impl At {
    pub fn place(&self) -> Option<&Place> {
        match self {
            At::Program(place) => Some(place),
            At::Library(_) | At::Unknown => None,
        }
    }
}

/// Where a process is in its program: the innermost call that is not the library's.
pub(crate) fn own_place(machine: &Machine, pid: Pid) -> Option<Place> {
    let positions = machine.positions(pid, 100);
    let own = positions.iter().find(|position| !is_library_source(&position.source));
    own.map(|position| Place { file: position.file.clone(), line: position.line })
}

/// The same; of a process that is in the library only, the function.
pub(crate) fn where_it_is(machine: &Machine, pid: Pid) -> At {
    match own_place(machine, pid) {
        Some(place) => At::Program(place),
        None => machine.positions(pid, 1).first().map_or(At::Unknown, |position| {
            let mfa = position.mfa;
            At::Library(format!("{}:{}/{}", mfa.module, mfa.name, mfa.arity))
        }),
    }
}

/// A clause of a `receive`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Awaited {
    pub pattern: String,
    pub guarded: bool,
}

/// The clauses of the `receive` of the program in which a process waits.
pub(crate) fn awaited(machine: &Machine, pid: Pid) -> Vec<Awaited> {
    let Some(position) = machine.positions(pid, 1).pop() else { return Vec::new() };
    if is_library_source(&position.source) {
        return Vec::new();
    }
    let source = position.source.tree();
    let ast::Kind::Receive { clauses, .. } = source.kind(position.node) else { return Vec::new() };
    let clause = |clause: &NodeId| match source.kind(*clause) {
        ast::Kind::Clause { patterns, guards, .. } => {
            let first = source.list(patterns).first()?;
            let words = source.text(source.span(*first)).split_whitespace();
            let pattern = words.collect::<Vec<_>>().join(" ");
            Some(Awaited { pattern, guarded: !guards.is_empty() })
        }
        _ => None,
    };
    source.list(clauses).iter().filter_map(clause).collect()
}

/// Whether a module belongs to the library.
pub(crate) fn is_library(code: &CodeSpace, module: Atom) -> bool {
    code.module(module).is_none_or(|info| is_library_source(&info.source))
}

/// Whether a source is of our library, or of OTP's.
pub(crate) fn is_library_source(source: &Source) -> bool {
    source.is_library() || source.path().is_none()
}
