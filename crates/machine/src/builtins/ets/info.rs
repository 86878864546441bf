//! What is to be known about a table.

use term::Term;

use super::tables::known;
use super::{Ctx, bad};
use crate::builtins::data::flat_size;
use crate::builtins::row::visible;
use crate::builtins::{Builtin, Return, Stop, builtins};
use crate::ets::table::{Store, Table};
use crate::footprint::tables;

pub(super) const TABLE: &[Builtin] = builtins!(ETS, visible(tables::info);
    "info"/1 => info,
    "info"/2 => info_item,
);

/// The items of `info/1`, in the order of its list.
const ITEMS: &[&str] = &[
    "id",
    "decentralized_counters",
    "read_concurrency",
    "write_concurrency",
    "compressed",
    "memory",
    "owner",
    "heir",
    "name",
    "size",
    "node",
    "named_table",
    "type",
    "keypos",
    "protection",
];

fn info(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let start = cx.s.node.start_time;
    ask_for_heir(cx, &args[0])?;
    let Some(table) = known(cx, &args[0])? else { return Ok(Term::UNDEFINED) };
    let items = ITEMS
        .iter()
        .filter_map(|name| Some(Term::tuple([Term::atom(name), item(table, name, start)?])));
    Ok(Term::list(items.collect::<Vec<_>>()))
}

fn info_item(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let start = cx.s.node.start_time;
    if args[1].is_atom(term::Atom::new("heir")) {
        ask_for_heir(cx, &args[0])?;
    }
    let Some(table) = known(cx, &args[0])? else { return Ok(Term::UNDEFINED) };
    args[1].as_atom().and_then(|name| item(table, name.as_str(), start)).ok_or_else(bad)
}

/// Somebody asks for the heir of a table that was given one.
fn ask_for_heir(cx: &mut Ctx<'_>, table: &Term) -> Result<(), Box<Stop>> {
    if known(cx, table)?.is_some_and(|table| table.settings.heir.is_some()) {
        cx.s.note_question_for_heir();
    }
    Ok(())
}

fn item(table: &Table, name: &str, start: u64) -> Option<Term> {
    let settings = &table.settings;
    Some(match name {
        "id" => Term::from(table.id),
        "decentralized_counters" => Term::bool(settings.decentralized_counters),
        "read_concurrency" => Term::bool(settings.read_concurrency),
        "write_concurrency" => settings.write_concurrency.clone(),
        "compressed" => Term::bool(settings.compressed),
        "memory" => Term::from(memory(table)),
        "owner" => Term::from(table.owner),
        "heir" => match &settings.heir {
            Some((heir, _)) if !settings.heir_was_gone => Term::from(*heir),
            _ => Term::atom("none"),
        },
        "name" => Term::from(table.name),
        "size" => Term::from(table.count()),
        "node" => Term::atom("nonode@nohost"),
        "named_table" => Term::bool(settings.named),
        "type" => Term::atom(settings.kind.name()),
        "keypos" => Term::from(settings.keypos),
        "protection" => Term::atom(settings.access.name()),
        "fixed" => Term::bool(table.is_fixed()),
        "safe_fixed" => fixed(table, || {
            let micros = (start + table.fixed_since) / 1000;
            let parts =
                [micros / 1_000_000_000_000, micros / 1_000_000 % 1_000_000, micros % 1_000_000];
            Term::tuple(parts.map(Term::from))
        }),
        "safe_fixed_monotonic_time" => fixed(table, || Term::from(table.fixed_since)),
        "stats" => stats(table),
        "binary" => Term::NIL,
        _ => return None,
    })
}

fn fixed(table: &Table, time: impl FnOnce() -> Term) -> Term {
    if !table.is_fixed() {
        return Term::FALSE;
    }
    let by = table
        .fixed_by
        .iter()
        .map(|(pid, count)| Term::tuple([Term::from(*pid), Term::from(*count)]));
    Term::tuple([time(), Term::list(by.collect::<Vec<_>>())])
}

/// Words that a table takes on the BEAM with two schedulers; what `compressed` saves is not known.
fn memory(table: &Table) -> usize {
    const LOCKS: usize = 1056;
    const DECENTRALIZED_COUNTERS: usize = 34;
    let settings = &table.settings;
    let shared = !settings.write_concurrency.same_word(&Term::FALSE);
    let (own, each) = match &table.store {
        Store::Hashed(store) => {
            let locks = if shared { LOCKS } else { 0 };
            (49 + chains(store.chain_count()) + locks, 4)
        }
        Store::Ordered(_) => (if shared { 99 } else { 139 }, 5),
    };
    let counters = if settings.decentralized_counters { DECENTRALIZED_COUNTERS } else { 0 };
    own + counters + table.objects().map(|object| each + flat_size(object)).sum::<usize>()
}

/// Words of the chains of a table without order: they are made many at a time.
fn chains(count: usize) -> usize {
    const FIRST: usize = 256;
    const MORE: usize = 2048;
    const DIRECTORY: usize = 262;
    match count.checked_sub(FIRST) {
        None | Some(0) => FIRST,
        Some(more) => FIRST + more.div_ceil(MORE) * MORE + DIRECTORY,
    }
}

/// `{Chains, AverageLength, StandardDeviation, ExpectedDeviation, Shortest, Longest, Kept, Locks}`;
/// of an ordered table that many write `{Forks, Parts, Depth}`
/// ([`Splits`](crate::ets::table::Splits)).
fn stats(table: &Table) -> Term {
    let Store::Hashed(store) = &table.store else {
        return match table.settings.write_concurrency.same_word(&Term::FALSE) {
            true => Term::FALSE,
            false => {
                let forks = table.splits.count;
                let depth = (forks + 1).next_power_of_two().trailing_zeros();
                Term::tuple([forks, forks + 1, depth].map(Term::from))
            }
        };
    };
    let lengths: Vec<usize> = store.chain_lengths().collect();
    let count = lengths.len().max(1) as f64;
    let sum: usize = lengths.iter().sum();
    let squares: usize = lengths.iter().map(|length| length * length).sum();
    let average = sum as f64 / count;
    let deviation = ((squares as f64 - average * sum as f64) / (count - 1.0).max(1.0)).sqrt();
    let expected = (average * (1.0 - 1.0 / count)).sqrt();
    Term::tuple([
        Term::from(lengths.len()),
        Term::float(average),
        Term::float(deviation),
        Term::float(expected),
        Term::from(lengths.iter().min().copied().unwrap_or(0)),
        Term::from(lengths.iter().max().copied().unwrap_or(0)),
        Term::from(store.kept()),
        Term::from(store.stride()),
    ])
}
