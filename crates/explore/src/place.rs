//! Where a process is in its program, and what belongs to the program.

use atom::Atom;
use machine::code_space::Source;
use machine::{CodeSpace, Machine, Pid};
use syntax::ast::{self, NodeId};

/// File and line.
pub type Place = (String, u32);

/// Where a process is in its program: the innermost call that is not the library's.
pub(crate) fn own_place(machine: &Machine, pid: Pid) -> Option<Place> {
    let positions = machine.positions(pid, 100);
    let own = positions.iter().find(|position| !is_library_source(&position.source));
    own.map(|position| (position.file.clone(), position.line))
}

/// The same in words; of a process that is in the library only, the function.
pub(crate) fn where_it_is(machine: &Machine, pid: Pid) -> String {
    match own_place(machine, pid) {
        Some((file, line)) => format!(" at {file}:{line}"),
        None => machine.positions(pid, 1).first().map_or(String::new(), |position| {
            let mfa = position.mfa;
            format!(" in {}:{}/{}", mfa.module, mfa.name, mfa.arity)
        }),
    }
}

/// Longer patterns are cut.
const LONGEST_PATTERN: usize = 60;

/// The patterns of the `receive` of the program in which a process waits.
pub(crate) fn awaited(machine: &Machine, pid: Pid) -> Option<String> {
    let position = machine.positions(pid, 1).pop()?;
    if is_library_source(&position.source) {
        return None;
    }
    let source = position.source.tree();
    let ast::Kind::Receive { clauses, .. } = source.kind(position.node) else { return None };
    let pattern = |clause: &NodeId| match source.kind(*clause) {
        ast::Kind::Clause { patterns, guards, .. } => {
            let first = source.list(patterns).first()?;
            let words = source.text(source.span(*first)).split_whitespace();
            let guarded = if guards.is_empty() { "" } else { " when …" };
            Some(format!("{}{guarded}", words.collect::<Vec<_>>().join(" ")))
        }
        _ => None,
    };
    let patterns: Vec<String> = source.list(clauses).iter().filter_map(pattern).collect();
    let text = patterns.join(" or ");
    Some(match text.char_indices().nth(LONGEST_PATTERN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    })
    .filter(|text| !text.is_empty())
}

/// Whether a module belongs to the library.
pub(crate) fn is_library(code: &CodeSpace, module: Atom) -> bool {
    code.module(module).is_none_or(|info| is_library_source(&info.source))
}

/// Whether a source is of our library, or of OTP's.
pub(crate) fn is_library_source(source: &Source) -> bool {
    source.is_library() || source.path().is_none()
}
