//! Walking through a table key by key.

use term::Term;

use super::{Ctx, bad, end_of_table, read};
use crate::builtins::row::visible;
use crate::builtins::{Builtin, Return, Stop, builtins};
use crate::ets::table::Store;
use crate::footprint::tables;

pub(super) const TABLE: &[Builtin] = builtins!(ETS;
    "first"/1 [visible(tables::peek_all)] => |cx, args| Ok(key(read(cx, &args[0])?.first())),
    "last"/1 [visible(tables::peek_all)] => |cx, args| Ok(key(read(cx, &args[0])?.last())),
    "next"/2 [visible(tables::next_key)] => |cx, args| {
        let table = read(cx, &args[0])?;
        Ok(key(table.next(start(&args[1])?).map_err(|_| bad())?))
    },
    "prev"/2 [visible(tables::next_key)] => |cx, args| {
        let table = read(cx, &args[0])?;
        Ok(key(table.previous(start(&args[1])?).map_err(|_| bad())?))
    },
    "slot"/2 [visible(tables::read_all)] => slot,
    "safe_fixtable"/2 [visible(tables::fix)] => safe_fixtable,
);

/// The key to go on from. The end is none, not even where any other term would do.
fn start(key: &Term) -> Result<&Term, Box<Stop>> {
    if end_of_table().same_word(key) { Err(bad()) } else { Ok(key) }
}

fn key(found: Option<&Term>) -> Term {
    found.cloned().unwrap_or_else(end_of_table)
}

/// The objects in one place of the table. An ordered table has a place for every object.
fn slot(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let table = read(cx, &args[0])?;
    let slot = args[1].as_int().and_then(|slot| usize::try_from(slot).ok()).ok_or_else(bad)?;
    match &table.store {
        Store::Hashed(store) if slot < store.chain_count() => {
            let objects = store.chain(slot).iter().flat_map(|entry| entry.objects().iter().rev());
            // Collected from the end.
            let objects: Vec<Term> = objects.cloned().collect();
            Ok(Term::list(objects.into_iter().rev()))
        }
        Store::Hashed(store) if slot == store.chain_count() => Ok(end_of_table()),
        Store::Ordered(store) if slot <= store.count() => {
            Ok(store.iter().nth(slot).map_or_else(end_of_table, |o| Term::list([o.clone()])))
        }
        _ => Err(bad()),
    }
}

fn safe_fixtable(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let id = read(cx, &args[0])?.id;
    let me = cx.p.pid;
    match args[1].as_bool() {
        Some(true) => cx.s.node.tables.fix(id, me, cx.s.node.now),
        Some(false) => cx.s.node.tables.unfix(id, me),
        None => return Err(bad()),
    }
    Ok(Term::TRUE)
}
