//! What the functions of `ets` touch.
//!
//! An operation on objects by key touches that key of the table; whatever walks, counts or clears
//! touches the whole table. A table that is named is found through its name. Keys that an ordered set
//! takes for equal (`1` and `1.0`) have different hashes: a key with a float in it stands for all keys.

use term::{Ref, Term, View};

use super::{Class, Footprint, Kind, Look, Object};
use crate::ets::table::Table;

/// The whole of a table.
pub(crate) fn whole(id: Ref) -> Object {
    Object::of_ref(Class::Table, id)
}

/// One key of a table.
fn at_key(table: &Table, key: &Term) -> Object {
    match has_float(key) {
        true => whole(table.id),
        false => Object::keyed(Class::Table, table.id.0 + 1, key),
    }
}

fn has_float(term: &Term) -> bool {
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        match term.view() {
            View::Float(_) => return true,
            View::Cons(cell) => pending.extend([&cell.head, &cell.tail]),
            View::Tuple(elements) => pending.extend(elements),
            View::Map(map) => pending.extend(map.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    false
}

/// The table that the first argument means; that it was found through its name is noted.
fn found<'a>(look: &Look<'a>, args: &[Term], f: &mut Footprint) -> Option<&'a Table> {
    let table = args.first()?;
    if let Some(name) = table.as_atom() {
        f.read(Object::named(Class::TableName, name));
    }
    match look.s.tables.id_of(table) {
        Ok(id) => look.s.tables.get(id),
        Err(_) => {
            // That it is gone is what was seen.
            match table.as_ref() {
                Some(id) => f.read(whole(id)),
                // A continuation, or nonsense.
                None if table.as_atom().is_none() => f.read(Object::all(Class::Table)),
                None => {}
            }
            None
        }
    }
}

pub(super) fn read_key(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.read(at_key(table, &args[1]));
    }
}

pub(super) fn write_key(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.write(at_key(table, &args[1]));
    }
}

fn object_keys(table: &Table, objects: &Term, kind: Kind, f: &mut Footprint) {
    let key = |object: &Term| {
        let elements = object.as_tuple()?;
        Some(at_key(table, elements.get(table.settings.keypos.checked_sub(1)?)?))
    };
    match objects.to_vec() {
        Some(objects) => objects.iter().filter_map(key).for_each(|object| f.add(kind, object)),
        None => key(objects).into_iter().for_each(|object| f.add(kind, object)),
    }
}

pub(super) fn insert(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        object_keys(table, &args[1], Kind::Write, f);
    }
}

pub(super) fn read_all(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.read(whole(table.id));
    }
}

pub(super) fn write_all(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(table) = found(look, args, f) {
        f.write(whole(table.id));
        f.write(Object::named(Class::TableName, table.name));
    }
}

pub(super) fn new(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let named = args[1]
        .elements()
        .any(|option| option.as_atom().is_some_and(|option| option.as_str() == "named_table"));
    if named && let Some(name) = args[0].as_atom() {
        let taken = look.s.tables.named(name).is_some();
        let kind = if taken { Kind::Read } else { Kind::Write };
        f.add(kind, Object::named(Class::TableName, name));
    }
    f.add(Kind::Add, Object::all(Class::Table));
}

pub(super) fn rename(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    write_all(look, args, f);
    if let Some(name) = args[1].as_atom() {
        f.write(Object::named(Class::TableName, name));
    }
}

pub(super) fn give_away(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    write_all(look, args, f);
    if let Some(pid) = args[1].as_pid() {
        f.read(Object::of(Class::Alive, pid));
    }
}

pub(super) fn whereis(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    if let Some(name) = args[0].as_atom() {
        f.read(Object::named(Class::TableName, name));
    }
}

pub(super) fn all(_: &Look<'_>, _: &[Term], f: &mut Footprint) {
    f.read(Object::all(Class::Table));
    f.read(Object::all(Class::TableName));
}
