//! `atomics` and `counters`: arrays of 64-bit numbers that all processes change.

use num_bigint::{BigInt, Sign};
use term::{Map, Ref, Term, View, arith};

use super::{Builtin, Control, Ctx, Return, Stop, builtins};
use crate::builtins::row::{Facts, visible};
use crate::exception::{Exception, Trace};
use crate::footprint::touches;
use crate::shared_values::{Array, ArrayKind, increment};

// How many cells an array has never changes: what is no place in it never is.
const UNSHARED: Facts = visible(touches::nothing).fails_by_arguments();
const GET: Facts = visible(touches::read_cell).fails_by_arguments();
const ADD: Facts = visible(touches::add_to_cell).fails_by_arguments();
const CHANGE: Facts = visible(touches::write_cell).fails_by_arguments();
const PUT: Facts = visible(touches::put_cell).fails_by_arguments();

pub(super) const ATOMICS: &[Builtin] = builtins!(ATOMICS;
    "new"/2 [UNSHARED] => new_atomics,
    "put"/3 [PUT] => |cx, args| { exchange(cx, atomics(&args[0])?, args)?; Ok(Term::OK) },
    "get"/2 [GET] => |cx, args| get(cx, atomics(&args[0])?, &args[1]),
    "add"/3 [ADD] => |cx, args| { add(cx, atomics(&args[0])?, &args[1], &args[2])?; Ok(Term::OK) },
    "add_get"/3 [CHANGE] => |cx, args| add(cx, atomics(&args[0])?, &args[1], &args[2]),
    "sub"/3 [ADD] => |cx, args| {
        let decrement = negative(&args[2])?;
        add(cx, atomics(&args[0])?, &args[1], &decrement)?;
        Ok(Term::OK)
    },
    "sub_get"/3 [CHANGE] => |cx, args| {
        let decrement = negative(&args[2])?;
        add(cx, atomics(&args[0])?, &args[1], &decrement)
    },
    "exchange"/3 [CHANGE] => |cx, args| exchange(cx, atomics(&args[0])?, args),
    "compare_exchange"/4 [CHANGE] => compare_exchange,
    "info"/1 [UNSHARED] => |cx, args| info(cx, atomics(&args[0])?),
);

pub(super) const COUNTERS: &[Builtin] = builtins!(COUNTERS;
    "new"/2 [UNSHARED] => new_counters,
    "put"/3 [PUT] => |cx, args| { exchange(cx, counters(&args[0])?, args)?; Ok(Term::OK) },
    "get"/2 [GET] => |cx, args| get(cx, counters(&args[0])?, &args[1]),
    "add"/3 [ADD] => |cx, args| { add(cx, counters(&args[0])?, &args[1], &args[2])?; Ok(Term::OK) },
    "sub"/3 [ADD] => |cx, args| {
        let decrement = negative(&args[2])?;
        add(cx, counters(&args[0])?, &args[1], &decrement)?;
        Ok(Term::OK)
    },
    "info"/1 [UNSHARED] => |cx, args| info(cx, counters(&args[0])?),
);

fn bad() -> Box<Stop> {
    Exception::badarg().into()
}

fn bad_option() -> Box<Stop> {
    Exception { trace: Trace::Because(term::Atom::new("badopt")), ..Exception::badarg() }.into()
}

/// An array, and whether it must be one of counters for many writers.
#[derive(Clone, Copy)]
struct Handle {
    id: Ref,
    counters: bool,
}

fn atomics(term: &Term) -> Result<Handle, Box<Stop>> {
    term.as_ref().map(|id| Handle { id, counters: false }).ok_or_else(bad)
}

/// `{atomics, Ref}` or `{write_concurrency, Ref}`
fn counters(term: &Term) -> Result<Handle, Box<Stop>> {
    let Some([kind, array]) = term.as_tuple() else { return Err(bad()) };
    let id = array.as_ref().ok_or_else(bad)?;
    match kind.as_atom().map(term::Atom::as_str) {
        Some("atomics") => Ok(Handle { id, counters: false }),
        Some("write_concurrency") => Ok(Handle { id, counters: true }),
        _ => Err(bad()),
    }
}

fn array<'a>(cx: &'a mut Ctx<'_>, handle: Handle) -> Result<&'a mut Array, Box<Stop>> {
    let array = cx.s.node.shared.arrays.get_mut(&handle.id).ok_or_else(bad)?;
    if (array.kind == ArrayKind::Counters) == handle.counters { Ok(array) } else { Err(bad()) }
}

/// `-N`, as the library computes it before it calls the builtin.
fn negative(term: &Term) -> Result<Term, Box<Stop>> {
    arith::neg(term).map_err(|_| Exception::atom(term::Atom::new("badarith")).into())
}

/// The largest array that the Machine makes.
const LARGEST: usize = 1 << 27;

fn size(term: &Term) -> Result<usize, Box<Stop>> {
    let number = arith::to_bigint(term).ok_or_else(bad)?;
    if number.sign() != Sign::Plus {
        return Err(bad());
    }
    if number > BigInt::from(u64::MAX / 8) {
        return Err(Exception::atom(atom::known::SYSTEM_LIMIT).into());
    }
    let size = usize::try_from(number).map_err(|_| bad())?;
    if size > LARGEST {
        let text = format!("an array of {size} atomics is not supported, only up to {LARGEST}");
        return Err(Control::Unsupported(text).into());
    }
    Ok(size)
}

fn make(cx: &mut Ctx<'_>, kind: ArrayKind, size: usize) -> Term {
    let id = cx.s.new_ref();
    cx.s.node.shared.arrays.insert(id, Array::new(kind, size));
    Term::from(id)
}

fn new_atomics(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut kind = ArrayKind::Signed;
    for option in args[1].to_vec().ok_or_else(bad_option)? {
        let signed = match option.as_tuple() {
            Some([name, value]) if name.is_atom(term::Atom::new("signed")) => value.as_bool(),
            _ => None,
        };
        kind = if signed.ok_or_else(bad_option)? { ArrayKind::Signed } else { ArrayKind::Unsigned };
    }
    let size = size(&args[0])?;
    Ok(make(cx, kind, size))
}

fn new_counters(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let options = args[1].to_vec().unwrap_or_else(|| vec![Term::NIL]);
    let (name, kind) = match options.as_slice() {
        [] => ("atomics", ArrayKind::Signed),
        [option] => match option.view() {
            View::Atom(name) if name.as_str() == "atomics" => ("atomics", ArrayKind::Signed),
            View::Atom(name) if name.as_str() == "write_concurrency" => {
                ("write_concurrency", ArrayKind::Counters)
            }
            _ => return Err(bad_option()),
        },
        _ => return Err(bad_option()),
    };
    let size = size(&args[0])?;
    Ok(Term::tuple([Term::atom(name), make(cx, kind, size)]))
}

fn get(cx: &mut Ctx<'_>, handle: Handle, index: &Term) -> Return {
    let array = array(cx, handle)?;
    let value = *array.at(index).ok_or_else(bad)?;
    Ok(array.show(value))
}

/// Adds, wrapping around; the new value.
fn add(cx: &mut Ctx<'_>, handle: Handle, index: &Term, by: &Term) -> Return {
    let array = array(cx, handle)?;
    if !array.contains(index) {
        return Err(bad());
    }
    let by = increment(by).ok_or_else(bad)?;
    let place = array.at(index).ok_or_else(bad)?;
    *place = place.wrapping_add(by);
    let value = *place;
    Ok(array.show(value))
}

/// Stores a value; the old one.
fn exchange(cx: &mut Ctx<'_>, handle: Handle, args: &[Term]) -> Return {
    let array = array(cx, handle)?;
    let value = array.value(&args[2]).ok_or_else(bad)?;
    let old = std::mem::replace(array.at(&args[1]).ok_or_else(bad)?, value);
    Ok(array.show(old))
}

fn compare_exchange(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let array = array(cx, atomics(&args[0])?)?;
    let expected = array.value(&args[2]).ok_or_else(bad)?;
    let desired = array.value(&args[3]).ok_or_else(bad)?;
    let place = array.at(&args[1]).ok_or_else(bad)?;
    let old = *place;
    if old == expected {
        *place = desired;
        return Ok(Term::OK);
    }
    Ok(array.show(old))
}

/// What an array takes on the BEAM, with one scheduler.
fn info(cx: &mut Ctx<'_>, handle: Handle) -> Return {
    let array = array(cx, handle)?;
    let size = array.size();
    let mut entries = vec![(Term::atom("size"), Term::from(size))];
    let (bounds, memory) = match array.kind {
        ArrayKind::Signed => (Some((Term::int(i64::MIN), Term::int(i64::MAX))), 40 + 8 * size),
        ArrayKind::Unsigned => (Some((Term::int(0), Term::from(u64::MAX))), 40 + 8 * size),
        ArrayKind::Counters => (None, 32 + 128 * size.div_ceil(8)),
    };
    entries.push((Term::atom("memory"), Term::from(memory)));
    if let Some((least, greatest)) = bounds {
        entries.push((Term::atom("min"), least));
        entries.push((Term::atom("max"), greatest));
    }
    Ok(Term::map(Map::from_iter(entries)))
}
