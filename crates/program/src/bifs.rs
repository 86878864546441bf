//! Functions that every module knows without importing them.
//!
//! The tables are those of the preprocessor and of the lint: [`syntax::builtins`], those of OTP 25,
//! with what later releases added.

use atom::Atom;

use crate::lint::tables;

/// Whether `name(…)` means `erlang:name(…)` where the module neither defines nor imports it.
pub fn is_auto_imported(name: Atom, arity: u32) -> bool {
    tables::is_auto_imported((name, arity))
}

/// Whether a guard may call it.
pub fn is_guard_bif(name: Atom, arity: u32, release: u32) -> bool {
    tables::is_guard_function((name, arity), release)
}
