//! `ets`: the native functions. What is written in Erlang is in `ets.erl` of the library.
//!
//! Results, errors and their causes are those of OTP 25. Every function is one visible step (walks
//! through large tables are several, `parts.rs`): what it touches is in `crate::footprint`.

mod continuation;
mod info;
mod keeps_key;
mod objects;
mod parts;
mod select;
mod specs;
mod tables;
mod update;
mod walk;

use term::Term;

use super::{Builtin, Ctx, Stop, builtins};
use crate::builtins::row::HIDDEN;
use crate::ets::table::Table;
use crate::ets::{Need, Refusal};
use crate::exception::{Exception, Trace};
use crate::footprint::tables as touched;

/// For functions of the library that do not say how many objects they removed.
const NATIVE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "ets_ignore_count"/0 => |cx, _| {
        cx.p.ignore_count(true);
        Ok(Term::OK)
    },
);

/// The tables of all parts.
pub(super) const TABLES: &[&[Builtin]] = &[
    NATIVE,
    info::TABLE,
    objects::TABLE,
    parts::NATIVE,
    select::TABLE,
    specs::ERLANG,
    specs::TABLE,
    tables::TABLE,
    update::TABLE,
    walk::TABLE,
];

/// `badarg`, with a cause for those who explain errors.
fn because(cause: &str) -> Box<Stop> {
    Exception { trace: Trace::Because(term::Atom::new(cause)), ..Exception::badarg() }.into()
}

/// `badarg`
fn bad() -> Box<Stop> {
    Exception::badarg().into()
}

impl From<Refusal> for Box<Stop> {
    fn from(refusal: Refusal) -> Box<Stop> {
        because(match refusal {
            Refusal::Type => "type",
            Refusal::Id => "id",
            Refusal::Access => "access",
        })
    }
}

/// How many calls an operation on a table counts as: what it takes on the BEAM, measured in
/// function calls, for those who look at the clock. Searches count one more for every object.
const OPERATION: u32 = 10;

/// The same for making or deleting a table.
const TABLE: u32 = 100;

fn read<'a>(cx: &'a mut Ctx<'_>, table: &Term) -> Result<&'a Table, Box<Stop>> {
    cx.s.node.turn.charge(OPERATION);
    Ok(cx.s.node.tables.read(table, cx.p.pid, Need::Read)?)
}

/// Notes that the object of a key becomes another, where footprints ask for it.
fn remember_changed(cx: &mut Ctx<'_>, args: &[Term]) {
    cx.s.remember_change(&args[0], cx.p.pid, |ever, table| {
        touched::remember_changed(ever, table, args.get(1));
    });
}

/// Notes that what matches a specification becomes something else, where footprints ask for it.
fn remember_replaced(cx: &mut Ctx<'_>, args: &[Term]) {
    cx.s.remember_change(&args[0], cx.p.pid, |ever, table| {
        touched::remember_replaced(ever, table, args);
    });
}

fn write<'a>(cx: &'a mut Ctx<'_>, table: &Term) -> Result<&'a mut Table, Box<Stop>> {
    cx.s.node.turn.charge(OPERATION);
    Ok(cx.s.node.tables.write(table, cx.p.pid)?)
}

fn end_of_table() -> Term {
    Term::atom("$end_of_table")
}
