//! Objects by key: inserting, looking up, deleting.

use term::{Ref, Term};

use super::{Ctx, bad, because, read, write};
use crate::builtins::row::visible;
use crate::builtins::{Builtin, Return, Stop, builtins};
use crate::ets::Need;
use crate::ets::table::{Kind, Table};
use crate::footprint::tables;

pub(super) const TABLE: &[Builtin] = builtins!(ETS;
    "insert"/2 [visible(tables::insert)] => insert,
    "insert_new"/2 [visible(tables::insert_new)] => insert_new,
    "lookup"/2 [visible(tables::read_key)] => lookup,
    "lookup_element"/3 [visible(tables::read_key)] => lookup_element,
    "member"/2 [visible(tables::peek_key)] => member,
    "delete"/2 [visible(tables::delete_key)] => delete,
    "delete_object"/2 [visible(tables::delete_object)] => delete_object,
    "take"/2 [visible(tables::take)] => take,
);

/// What one call of `insert/2` or `insert_new/2` is to insert.
enum Given<'a> {
    One(&'a Term),
    Several(Vec<&'a Term>),
}

/// The table of the first argument, to be written, and the objects of the second, checked.
fn given<'a>(cx: &Ctx<'_>, table: &Term, objects: &'a Term) -> Result<(Ref, Given<'a>), Box<Stop>> {
    let table = cx.s.node.tables.read(table, cx.p.pid, Need::Write)?;
    if objects.is_list() {
        let mut elements = objects.elements();
        let mut all: Vec<&Term> = elements.by_ref().collect();
        if table.settings.kind == Kind::Bag {
            // OTP 25 inserts a list into a bag from its end.
            all.reverse();
        }
        let fine = elements.is_proper() && all.iter().all(|object| table.accepts(object));
        return if fine { Ok((table.id, Given::Several(all))) } else { Err(bad()) };
    }
    if table.accepts(objects) { Ok((table.id, Given::One(objects))) } else { Err(bad()) }
}

/// A table that was found.
fn found<'a>(cx: &'a mut Ctx<'_>, table: Ref) -> Result<&'a mut Table, Box<Stop>> {
    cx.s.node.tables.get_mut(table).ok_or_else(|| because("id"))
}

/// Notes what is inserted, where footprints ask for it.
fn remember(cx: &mut Ctx<'_>, table: Ref, given: &Given<'_>) {
    let objects = match given {
        Given::One(object) => std::slice::from_ref(object),
        Given::Several(objects) => objects,
    };
    cx.s.remember_inserted(table, objects);
}

fn insert(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (table, given) = given(cx, &args[0], &args[1])?;
    remember(cx, table, &given);
    let table = found(cx, table)?;
    match given {
        Given::One(object) => table.insert(object.clone()),
        Given::Several(objects) => {
            objects.into_iter().for_each(|object| table.insert(object.clone()));
        }
    }
    Ok(Term::TRUE)
}

fn insert_new(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (id, given) = given(cx, &args[0], &args[1])?;
    let table = found(cx, id)?;
    let is_there = |object: &Term| table.contains(table.key_of(object));
    let taken = match &given {
        Given::One(object) => is_there(object),
        Given::Several(objects) => objects.iter().any(|object| is_there(object)),
    };
    if taken {
        return Ok(Term::FALSE);
    }
    remember(cx, id, &given);
    let table = found(cx, id)?;
    let objects = match given {
        Given::One(object) => vec![object],
        Given::Several(objects) => objects,
    };
    objects.into_iter().for_each(|object| table.insert(object.clone()));
    Ok(Term::TRUE)
}

fn lookup(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let table = read(cx, &args[0])?;
    Ok(Term::list(table.lookup(&args[1]).as_slice().iter().cloned()))
}

fn lookup_element(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let table = read(cx, &args[0])?;
    let place = args[2].as_int().and_then(|at| usize::try_from(at).ok()?.checked_sub(1));
    let place = place.ok_or_else(bad)?;
    let objects = table.lookup(&args[1]);
    let element = |object: &Term| {
        object.as_tuple().and_then(|elements| elements.get(place)).cloned().ok_or_else(bad)
    };
    match objects.as_slice() {
        [] => Err(because("badkey")),
        [object] if table.settings.kind.is_set() => element(object),
        objects => Ok(Term::list(objects.iter().map(element).collect::<Result<Vec<_>, _>>()?)),
    }
}

fn member(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(Term::bool(read(cx, &args[0])?.contains(&args[1])))
}

fn delete(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    write(cx, &args[0])?.remove(&args[1]);
    Ok(Term::TRUE)
}

fn delete_object(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let table = write(cx, &args[0])?;
    if !table.accepts(&args[1]) {
        return Err(bad());
    }
    table.remove_object(&args[1]);
    Ok(Term::TRUE)
}

fn take(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let objects = write(cx, &args[0])?.remove(&args[1]);
    Ok(Term::list(objects))
}
