//! Builtins on data: they compute a value from their arguments and nothing else.
//!
//! One file an area. Results and errors are those of OTP 25. Functions that are Erlang code in OTP
//! (most of `lists`, parts of `maps`, `binary`, `unicode`) are here where a native version pays;
//! they fail with the same reason, in the function that would have failed there.

mod atoms;
mod binaries;
mod binary_search;
pub(super) mod calendar;
mod chardata;
pub(super) mod checksums;
mod debug;
mod external;
mod float_text;
mod funs;
mod hashes;
pub(super) mod iolist;
mod list_functions;
mod list_keys;
mod list_order;
mod lists;
mod maps;
mod math;
mod numbers;
mod operators;
mod packets;
mod records;
mod replace;
mod tuples;
mod types;
pub(super) mod unicode;
mod unicode_util;

use atom::{Atom, known};
use term::{Map, Term};

pub(super) use debug::flat_size;

use super::modules::error_module;
use super::{Builtin, Stop};
use crate::exception::{Exception, Trace, entry};

/// The tables of all areas.
pub(super) const TABLES: &[&[Builtin]] = &[
    atoms::TABLE,
    binaries::TABLE,
    binaries::BINARY,
    binary_search::BINARY,
    calendar::TABLE,
    checksums::TABLE,
    debug::DEBUG,
    debug::DISPLAY,
    debug::INTERNAL,
    external::TABLE,
    funs::TABLE,
    hashes::TABLE,
    iolist::TABLE,
    iolist::BINARY,
    list_functions::LISTS,
    list_keys::LISTS,
    list_order::LISTS,
    records::OWNING,
    records::TABLE,
    lists::TABLE,
    lists::LISTS,
    maps::TABLE,
    maps::MAPS,
    maps::NATIVE,
    maps::CHANGES,
    math::MATH,
    numbers::TABLE,
    numbers::STRING,
    operators::TABLE,
    packets::TABLE,
    replace::BINARY,
    tuples::TABLE,
    tuples::CHANGES,
    types::TABLE,
    unicode::UNICODE,
    unicode_util::UNICODE_UTIL,
];

type Failure = Box<Stop>;
type Fallible<T> = Result<T, Failure>;

/// The complaint about an argument.
fn bad() -> Failure {
    Exception::badarg().into()
}

/// An error with this reason.
fn fail(reason: &str) -> Failure {
    Exception::atom(Atom::new(reason)).into()
}

/// `{Tag, Value}`
fn fail_with(tag: &str, value: &Term) -> Failure {
    Exception::tagged(Atom::new(tag), value.clone()).into()
}

/// No clause of an Erlang function takes these arguments.
fn no_clause(module: &str, name: &str, args: impl IntoIterator<Item = Term>) -> Failure {
    let args = args.into_iter().collect();
    let trace = Trace::In { module: Atom::new(module), name: Atom::new(name), args, info: None };
    Exception { trace, ..Exception::atom(known::FUNCTION_CLAUSE) }.into()
}

/// Another builtin failed, which the Erlang version of this one would have called.
pub(in crate::builtins) fn failed_in(
    reason: &str,
    module: &str,
    name: &str,
    args: impl IntoIterator<Item = Term>,
) -> Failure {
    let (info, args) = (errors_in(module), args.into_iter().collect());
    let trace = Trace::In { module: Atom::new(module), name: Atom::new(name), args, info };
    Exception { trace, ..Exception::atom(Atom::new(reason)) }.into()
}

/// The same where OTP has entries of their own for the functions that called the builtin.
fn failed_below(
    reason: &str,
    module: &str,
    name: &str,
    args: impl IntoIterator<Item = Term>,
    callers: impl IntoIterator<Item = Term>,
) -> Failure {
    let args = args.into_iter().collect();
    let failed = entry(Atom::new(module), Atom::new(name), args, errors_in(module));
    below(reason, [failed].into_iter().chain(callers))
}

/// An error that is told to come from below these entries.
fn below(reason: &str, entries: impl IntoIterator<Item = Term>) -> Failure {
    let trace = Trace::Below(entries.into_iter().collect());
    Exception { trace, ..Exception::atom(Atom::new(reason)) }.into()
}

/// Who explains the errors of a module's builtins.
fn errors_in(module: &str) -> Option<Map> {
    let errors = error_module(module)?;
    Some(Map::from_iter([(Term::atom("module"), Term::atom(errors))]))
}

/// `badarg` of this function, with a cause for those who explain errors.
fn bad_because(module: &str, name: &str, args: &[Term], cause: &str) -> Failure {
    let errors = error_module(module).unwrap_or("erl_erts_errors");
    let info = Map::from_iter([
        (Term::atom("cause"), Term::atom(cause)),
        (Term::atom("module"), Term::atom(errors)),
    ]);
    let (module, name) = (Atom::new(module), Atom::new(name));
    let trace = Trace::In { module, name, args: args.to_vec(), info: Some(info) };
    Exception { trace, ..Exception::badarg() }.into()
}

/// A small integer that is not negative.
fn natural(term: &Term) -> Option<usize> {
    usize::try_from(term.as_int()?).ok()
}
