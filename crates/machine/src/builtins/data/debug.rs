//! What the library needs of `erts_debug` and `erts_internal`.

use std::cmp::Ordering;

use rustc_hash::FxHashSet;
use term::{Boxed, Fun, Term, View, order};

use super::{Builtin, bad, maps};
use crate::builtins::row::{HIDDEN, visible};
use crate::builtins::{Ctx, Return, builtins};
use crate::footprint::touches;

pub(super) const DEBUG: &[Builtin] = builtins!(ERTS_DEBUG, HIDDEN;
    "flat_size"/1 => |_, a| Ok(Term::from(flat_size(&a[0]))),
    "size"/1 => |_, a| {
        let mut seen = FxHashSet::default();
        Ok(Term::from(words(&a[0], |part| seen.insert(part.identity()))))
    },
    "size_shared"/1 => size_shared,
    // No allocator is like the BEAM's: what it says about one that is turned off.
    "alloc_blocks_size"/1 => |_, a| match a[0].as_atom() {
        Some(_) => Ok(Term::UNDEFINED),
        None => Err(bad()),
    },
    "same"/2 => |_, a| Ok(Term::bool(a[0].same_word(&a[1]))),
    "copy_shared"/1 => |_, a| Ok(a[0].clone()),
);

pub(super) const INTERNAL: &[Builtin] = builtins!(ERTS_INTERNAL, HIDDEN;
    "map_next"/3 => map_next,
    "cmp_term"/2 => cmp_term,
    "term_type"/1 => |_, a| Ok(Term::atom(term_type(&a[0]))),
    "map_to_tuple_keys"/1 => map_to_tuple_keys,
    // One scheduler, and one besides for what has none.
    "no_aux_work_threads"/0 => |_, _| Ok(Term::int(2)),
    "time_unit"/0 => |_, _| Ok(Term::int(1_000_000_000)),
    "perf_counter_unit"/0 => |_, _| Ok(Term::int(1_000_000_000)),
);

/// Shows a term, which everybody can see.
pub(super) const DISPLAY: &[Builtin] = builtins!(ERLANG, visible(touches::display);
    "display"/1 => display,
);

fn display(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    cx.s.host.world.print(&format!("{}\r\n", term::format::erts::display(&args[0])));
    Ok(Term::TRUE)
}

/// How many words a term would take on the BEAM's heap, without sharing.
pub(in crate::builtins) fn flat_size(term: &Term) -> usize {
    words(term, |_| true)
}

/// The words that belong to the process: persistent terms do not.
fn size_shared(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let shared = &cx.s.node.shared;
    let persistent = shared.terms.values().chain(&shared.fading);
    let mut seen: FxHashSet<usize> = persistent.map(Term::identity).collect();
    Ok(Term::from(words(&args[0], |part| seen.insert(part.identity()))))
}

/// How many words those parts of a term take that are entered: not those that `enter` refuses.
fn words(term: &Term, mut enter: impl FnMut(&Term) -> bool) -> usize {
    const HEAP_BINARY: usize = 64;
    let mut words = 0;
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        if !term.is_immediate() && !enter(term) {
            continue;
        }
        words += match term.view() {
            View::Nil | View::Int(_) | View::Atom(_) | View::Pid(_) | View::Port(_) => 0,
            View::Float(_) => 2,
            View::Ref(_) => 3,
            View::Cons(cell) => {
                pending.extend([&cell.head, &cell.tail]);
                2
            }
            View::Tuple([]) => 0,
            View::Tuple(elements) => {
                pending.extend(elements);
                elements.len() + 1
            }
            View::Map(map) if map.is_empty() => 3,
            View::Map(map) => {
                for (key, value) in map.iter() {
                    pending.extend([key, value]);
                }
                // Header, number of entries, keys with their own header, values.
                4 + 2 * map.len()
            }
            View::Bits(bits) => {
                let bytes = bits.byte_len();
                let whole = if bytes <= HEAP_BINARY { 2 + bytes.div_ceil(8) } else { 6 };
                if bits.is_binary() { whole } else { whole + 5 }
            }
            View::Boxed(Boxed::Big(value)) => 1 + value.bits().div_ceil(64) as usize,
            View::Boxed(Boxed::Fun(Fun::Local(closure))) => {
                pending.extend(&closure.env);
                5 + closure.env.len()
            }
            View::Boxed(Boxed::Fun(Fun::External { .. })) => 2,
            View::Boxed(Boxed::Foreign(_)) => 5,
            // The definition is shared by all records made from it.
            View::Boxed(Boxed::Record(record)) => {
                pending.extend(record.values());
                2 + record.values().len()
            }
        };
    }
    words
}

/// `map_next(Path, Map, iterator | Acc)`
fn map_next(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [path, map, wanted] = args else { return Err(bad()) };
    if wanted.is_atom(atom::Atom::new("iterator")) {
        return maps::batch(path, map).ok_or_else(bad);
    }
    if !wanted.is_list() || path.as_int() != Some(0) {
        return Err(bad());
    }
    let map = map.as_map().ok_or_else(bad)?;
    let pairs = map.listed().map(|(key, value)| Term::tuple([key.clone(), value.clone()]));
    Ok(Term::improper(pairs, wanted.clone()))
}

fn cmp_term(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(Term::int(match order::compare_exact(&args[0], &args[1]) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }))
}

fn term_type(term: &Term) -> &'static str {
    match term.view() {
        View::Nil => "nil",
        // The BEAM's small integers have 60 bits.
        View::Int(value) if (-(1 << 59)..1 << 59).contains(&value) => "fixnum",
        View::Int(_) => "bignum",
        View::Atom(_) => "atom",
        View::Float(_) => "hfloat",
        View::Pid(_) => "pid",
        View::Port(_) => "port",
        View::Ref(_) => "reference",
        View::Cons(_) => "list",
        View::Tuple(_) => "tuple",
        View::Map(map) if map.len() <= term::map::FLAT_LIMIT => "flatmap",
        View::Map(_) => "hashmap",
        View::Bits(_) => "heap_binary",
        View::Boxed(Boxed::Big(_)) => "bignum",
        View::Boxed(Boxed::Fun(Fun::External { .. })) => "export",
        View::Boxed(Boxed::Fun(Fun::Local(_))) => "fun",
        View::Boxed(Boxed::Foreign(_)) => "external_pid",
        View::Boxed(Boxed::Record(_)) => "record",
    }
}

fn map_to_tuple_keys(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let map = args[0].as_map().ok_or_else(bad)?;
    Ok(Term::tuple(map.keys().cloned()))
}
