//! Functions of releases after OTP 25 in modules that OTP 25 has, too.
//!
//! The node says that it is OTP 25, and programs that go through all functions of a module (OTP's
//! own suites do, to see whether errors of each are explained) expect those of that release. So
//! these are not listed by `module_info`; they can be called all the same. Rows of builtins say it
//! themselves; here is what is written in Erlang.

/// Module, name, arity, and the release that has it first.
const LATER: &[(&str, &str, u32, u32)] = &[
    ("binary", "encode_hex", 2, 26),
    ("binary", "join", 2, 28),
    ("maps", "iterator", 2, 26),
    ("proc_lib", "get_label", 1, 27),
    ("proc_lib", "set_label", 1, 27),
    ("timer", "apply_after", 2, 27),
    ("timer", "apply_after", 3, 27),
    ("timer", "apply_interval", 2, 27),
    ("timer", "apply_interval", 3, 27),
];

/// Whether a function is not part of OTP 25.
pub(super) fn is_later(module: &str, name: &str, arity: u32) -> bool {
    let mut builtins = super::all().filter(|builtin| builtin.facts.since.is_some());
    LATER.iter().any(|&(m, n, a, _)| (m, n, a) == (module, name, arity))
        || builtins.any(|it| (it.module, it.name, it.arity) == (module, name, arity))
}
