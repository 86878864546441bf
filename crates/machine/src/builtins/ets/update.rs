//! Changing parts of an object in place.
//!
//! All of a change is checked before any of it is done.

use term::{Term, arith, order};

use super::{Ctx, bad, because, remember_changed, write};
use crate::builtins::row::visible;
use crate::builtins::{Builtin, Return, Stop, builtins};
use crate::ets::table::Table;
use crate::footprint::tables;

pub(super) const TABLE: &[Builtin] = builtins!(ETS, visible(tables::update_key);
    "update_element"/3 => update_element,
    "update_counter"/3 => |cx, args| update_counter(cx, args, None),
    "update_counter"/4 => |cx, args| update_counter(cx, args, Some(&args[3])),
);

/// The elements of a list; a term that `is_one` alone.
fn one_or_list(term: &Term, is_one: bool) -> Result<Vec<Term>, Box<Stop>> {
    if is_one { Ok(vec![term.clone()]) } else { term.to_vec().ok_or_else(bad) }
}

/// An integer that is one word on the BEAM: only such a one can be a position.
fn position(term: &Term) -> Result<i64, Box<Stop>> {
    term.as_int().filter(|value| (-(1 << 59)..1 << 59).contains(value)).ok_or_else(bad)
}

/// Replaces an element of an object, in place if nobody else holds it.
fn set(object: &mut Term, place: usize, value: Term) {
    match std::mem::take(object).into_tuple() {
        Ok(mut tuple) => {
            tuple.make_mut()[place] = value;
            *object = tuple.into();
        }
        Err(other) => *object = other,
    }
}

fn update_element(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let updated = updated(cx, args)?;
    if updated.is_true() {
        remember_changed(cx, args);
    }
    Ok(updated)
}

fn updated(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let table = write(cx, &args[0])?;
    if !table.settings.kind.is_set() {
        return Err(bad());
    }
    let keypos = table.keypos();
    let Some(object) = table.object_mut(&args[1]) else { return Ok(Term::FALSE) };
    let size = object.as_tuple().map_or(0, <[Term]>::len);
    let mut changes = Vec::new();
    for change in one_or_list(&args[2], args[2].as_tuple().is_some())? {
        let Some([at, value]) = change.as_tuple() else { return Err(bad()) };
        let position = position(at)?;
        if position == keypos as i64 {
            return Err(because("keypos"));
        }
        let place = usize::try_from(position - 1).map_err(|_| bad())?;
        if place >= size {
            return Err(bad());
        }
        changes.push((place, value.clone()));
    }
    for (place, value) in changes {
        set(object, place, value);
    }
    Ok(Term::TRUE)
}

/// `{Pos, Incr}` or `{Pos, Incr, Threshold, SetValue}`, checked.
struct Operation {
    place: usize,
    increment: Term,
    limit: Option<(Term, Term)>,
}

fn operation(term: &Term, keypos: usize, object: &[Term]) -> Result<Operation, Box<Stop>> {
    let elements = term.as_tuple().unwrap_or_default();
    let (at, increment, limit) = match elements {
        [at, increment] => (at, increment, None),
        [at, increment, threshold, value] if threshold.is_integer() && value.is_integer() => {
            (at, increment, Some((threshold.clone(), value.clone())))
        }
        _ => return Err(bad()),
    };
    let position = position(at)?;
    if !increment.is_integer() {
        return Err(bad());
    }
    if position == keypos as i64 {
        return Err(because("keypos"));
    }
    let place = usize::try_from(position - 1).map_err(|_| because("position"))?;
    let counter = object.get(place).ok_or_else(|| because("position"))?;
    if !counter.is_integer() {
        return Err(bad());
    }
    Ok(Operation { place, increment: increment.clone(), limit })
}

/// The new value of a counter.
fn counted(old: &Term, operation: &Operation) -> Result<Term, Box<Stop>> {
    let new = arith::add(old, &operation.increment).map_err(|_| bad())?;
    if let Some((threshold, value)) = &operation.limit {
        let order = order::compare(&new, threshold);
        let passed =
            if arith::is_negative(&operation.increment) { order.is_lt() } else { order.is_gt() };
        if passed {
            return Ok(value.clone());
        }
    }
    Ok(new)
}

/// The object of a key; the default with that key, if there is none.
fn object_or_default<'a>(
    table: &'a mut Table,
    key: &Term,
    default: Option<&Term>,
) -> Result<&'a mut Term, Box<Stop>> {
    if !table.contains(key) {
        let default = default.filter(|object| table.accepts(object));
        let mut object = default.ok_or_else(|| because("badkey"))?.clone();
        set(&mut object, table.keypos() - 1, key.clone());
        table.insert(object);
    }
    table.object_mut(key).ok_or_else(|| because("badkey"))
}

fn update_counter(cx: &mut Ctx<'_>, args: &[Term], default: Option<&Term>) -> Return {
    let counted = after_counting(cx, args, default)?;
    remember_changed(cx, args);
    Ok(counted)
}

fn after_counting(cx: &mut Ctx<'_>, args: &[Term], default: Option<&Term>) -> Return {
    let table = write(cx, &args[0])?;
    if default.is_some_and(|object| object.as_tuple().is_none()) {
        return Err(bad());
    }
    if !table.settings.kind.is_set() {
        return Err(because("table_type"));
    }
    let (keypos, key) = (table.keypos(), &args[1]);
    let is_new = !table.contains(key);
    let object = object_or_default(table, key, default)?;
    // The operations see what those before them did only once all are known to be fine.
    let counted = count(object, keypos, &args[2]);
    if counted.is_err() && is_new {
        table.remove(key);
    }
    counted
}

fn count(object: &mut Term, keypos: usize, operations: &Term) -> Return {
    let (list, is_one) = if operations.is_integer() {
        let next = Term::from(keypos + 1);
        (vec![Term::tuple([next, operations.clone()])], true)
    } else {
        let is_one = operations.as_tuple().is_some();
        // What comes before the end of an improper list is looked at first.
        let list = match one_or_list(operations, is_one) {
            Ok(list) => list,
            Err(_) => {
                for term in operations.elements() {
                    operation(term, keypos, object.as_tuple().unwrap_or_default())?;
                }
                return Err(bad());
            }
        };
        (list, is_one)
    };
    let elements = object.as_tuple().unwrap_or_default();
    let list = list
        .iter()
        .map(|term| operation(term, keypos, elements))
        .collect::<Result<Vec<Operation>, _>>()?;
    let mut results = Vec::with_capacity(list.len());
    for operation in &list {
        let Some(old) = object.as_tuple().and_then(|elements| elements.get(operation.place)) else {
            return Err(bad());
        };
        let new = counted(old, operation)?;
        set(object, operation.place, new.clone());
        results.push(new);
    }
    match results.pop() {
        Some(result) if is_one => Ok(result),
        Some(last) => {
            results.push(last);
            Ok(Term::list(results))
        }
        None => Ok(Term::NIL),
    }
}
