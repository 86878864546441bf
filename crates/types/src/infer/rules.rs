//! Operators and functions whose result depends on their arguments in ways that no spec says:
//! arithmetic, comparisons, type tests, parts of structures.
//!
//! A rule gives the ways in which a call with such arguments can return. The rest of what is built
//! in has specs (`models/erlang.erl`).

use super::callee::Way;
use super::numbers;
use crate::ty::{Key, MapType, Tuples, Type, Union};

/// From types of arguments to the ways of returning.
pub(super) type Rule = fn(&[Type]) -> Vec<Way>;

/// The rule of a function of `erlang`, operators among them, if it has one.
pub(super) fn of_erlang(name: &str, arity: usize) -> Option<Rule> {
    Some(match (name, arity) {
        ("+", 2) => numbers::add,
        ("-", 2) => numbers::subtract,
        ("*", 2) => numbers::multiply,
        ("/", 2) => numbers::divide,
        ("div", 2) => numbers::integer_divide,
        ("rem", 2) => numbers::remainder,
        ("band", 2) => numbers::bit_and,
        ("bor" | "bxor", 2) => numbers::bit_or,
        ("bsl", 2) => numbers::shift_left,
        ("bsr", 2) => numbers::shift_right,
        ("bnot", 1) => numbers::bit_not,
        ("+", 1) => numbers::plus,
        ("-", 1) => numbers::minus,
        ("abs", 1) => numbers::absolute,
        ("min", 2) => |args| vec![both_any(args, args[0].join(&args[1]))],
        ("max", 2) => |args| vec![both_any(args, args[0].join(&args[1]))],
        ("and", 2) => |args| booleans(args, |a, b| a && b),
        ("or", 2) => |args| booleans(args, |a, b| a || b),
        ("xor", 2) => |args| booleans(args, |a, b| a != b),
        ("not", 1) => |args| {
            [true, false]
                .iter()
                .filter_map(|&value| {
                    way(args, vec![Type::the_boolean(value)], Type::the_boolean(!value))
                })
                .collect()
        },
        ("=:=", 2) => |args| same(args, true),
        ("=/=", 2) => |args| same(args, false),
        ("==", 2) => |args| equal(args, true),
        ("/=", 2) => |args| equal(args, false),
        ("<", 2) => |args| numbers::less(args, true),
        (">=", 2) => |args| numbers::less(args, false),
        (">", 2) => |args| swapped(numbers::less(&[args[1].clone(), args[0].clone()], true)),
        ("=<", 2) => |args| swapped(numbers::less(&[args[1].clone(), args[0].clone()], false)),
        ("++", 2) => append,
        ("--", 2) => |args| {
            let rest = Type::list(args[0].elements());
            way(args, vec![lists(), lists()], rest).into_iter().collect()
        },
        ("is_atom", 1) => |args| test(args, Type::atom()),
        ("is_boolean", 1) => |args| test(args, Type::boolean()),
        ("is_integer", 1) => |args| test(args, Type::integer()),
        ("is_float", 1) => |args| test(args, Type::float()),
        ("is_number", 1) => |args| test(args, Type::number()),
        ("is_list", 1) => |args| test(args, Type::nil().join(&Type::cell(&Type::Any, &Type::Any))),
        ("is_tuple", 1) => |args| test(args, Type::any_tuple()),
        ("is_map", 1) => |args| test(args, Type::any_map()),
        ("is_binary", 1) => |args| test(args, Type::binary()),
        ("is_bitstring", 1) => |args| test(args, Type::bitstring()),
        ("is_pid", 1) => |args| test(args, Type::pid()),
        ("is_port", 1) => |args| test(args, Type::port()),
        ("is_reference", 1) => |args| test(args, Type::reference()),
        ("is_function", 1) => |args| test(args, Type::any_fun()),
        ("is_function", 2) => is_function,
        ("is_record", 2 | 3) => is_record,
        ("is_map_key", 2) => is_map_key,
        ("element", 2) => element,
        ("setelement", 3) => set_element,
        ("hd", 1) => |args| {
            let cells = Type::cell(&Type::Any, &Type::Any);
            some(way(args, vec![cells], args[0].head()))
        },
        ("tl", 1) => |args| {
            let cells = Type::cell(&Type::Any, &Type::Any);
            some(way(args, vec![cells], args[0].tail()))
        },
        ("length", 1) => length,
        ("tuple_size", 1) => tuple_size,
        ("map_size", 1) => |args| {
            let empty = args[0].is_within(&Type::map(MapType::empty()));
            let size = if empty { Type::the_integer(0) } else { Type::non_negative() };
            some(way(args, vec![Type::any_map()], size))
        },
        ("map_get", 2) => |args| map_get(&args[0], &args[1]),
        ("tuple_to_list", 1) => tuple_to_list,
        ("make_tuple", 2) => |args| {
            let size = args[0].single_integer().and_then(|size| usize::try_from(size).ok());
            let tuple = match size {
                Some(size) if size <= MOST_ELEMENTS => Type::tuple(vec![args[1].clone(); size]),
                _ => Type::any_tuple(),
            };
            some(way(args, vec![Type::non_negative(), Type::Any], tuple))
        },
        ("apply", 2) => |args| some(way(args, vec![Type::any_fun(), lists()], Type::Any)),
        _ => return None,
    })
}

/// The rule of a function of a library, if it has one.
pub(super) fn of_library(module: &str, name: &str, arity: usize) -> Option<Rule> {
    Some(match (module, name, arity) {
        ("erlang", name, arity) => return of_erlang(name, arity),
        ("maps", "get", 2) => |args| map_get(&args[0], &args[1]),
        ("maps", "put", 3) => |args| {
            let Some(map) = &args[2].parts().maps else { return Vec::new() };
            let put = Type::map(map.put(&args[0], &args[1]));
            some(way(args, vec![Type::Any, Type::Any, Type::any_map()], put))
        },
        ("maps", "update", 3) => |args| {
            let Some(map) = &args[2].parts().maps else { return Vec::new() };
            let put = Type::map(map.put(&args[0], &args[1]));
            let with = match Key::of(&args[0]) {
                Some(key) => MapType::all().put(&key.to_type(), &Type::Any),
                None => MapType::all(),
            };
            some(way(args, vec![Type::Any, Type::Any, Type::map(with)], put))
        },
        ("maps", "merge", 2) => |args| {
            let (Some(one), Some(two)) = (&args[0].parts().maps, &args[1].parts().maps) else {
                return Vec::new();
            };
            let merged = Type::map(one.merge(two));
            some(way(args, vec![Type::any_map(), Type::any_map()], merged))
        },
        ("maps", "remove", 2) => |args| {
            let Some(map) = &args[1].parts().maps else { return Vec::new() };
            let left = Type::map(map.remove(&args[0]));
            some(way(args, vec![Type::Any, Type::any_map()], left))
        },
        ("maps", "is_key", 2) => is_map_key,
        ("maps", "new", 0) => |_| vec![Way { args: vec![], result: Type::map(MapType::empty()) }],
        ("lists", "reverse", 1) => |args| {
            let proper = args[0].proper_lists();
            some(way(args, vec![lists()], proper))
        },
        ("lists", "append" | "reverse", 2) => append,
        _ => return None,
    })
}

/// Tuples up to this size are followed element by element where they are made.
const MOST_ELEMENTS: usize = 64;

/// `[any()]`
fn lists() -> Type {
    Type::list(Type::Any)
}

fn some(way: Option<Way>) -> Vec<Way> {
    way.into_iter().collect()
}

/// A way with arguments of such types, if those that are given can be that.
pub(super) fn way(given: &[Type], args: Vec<Type>, result: Type) -> Option<Way> {
    if result.is_none() {
        return None;
    }
    let mut met = Vec::with_capacity(args.len());
    for (arg, given) in args.iter().zip(given) {
        let both = arg.meet(given);
        if both.is_none() {
            return None;
        }
        met.push(both);
    }
    Some(Way { args: met, result })
}

fn both_any(args: &[Type], result: Type) -> Way {
    Way { args: args.to_vec(), result }
}

fn swapped(mut ways: Vec<Way>) -> Vec<Way> {
    ways.iter_mut().for_each(|way| way.args.reverse());
    ways
}

/// A type test: true for what is of the type, false for the rest.
fn test(args: &[Type], ty: Type) -> Vec<Way> {
    let rest = args[0].without(&ty);
    let yes = way(args, vec![ty], Type::the_boolean(true));
    let no = way(args, vec![rest], Type::the_boolean(false));
    yes.into_iter().chain(no).collect()
}

fn booleans(args: &[Type], of: fn(bool, bool) -> bool) -> Vec<Way> {
    let both = [(true, true), (true, false), (false, true), (false, false)];
    both.iter()
        .filter_map(|&(a, b)| {
            let types = vec![Type::the_boolean(a), Type::the_boolean(b)];
            way(args, types, Type::the_boolean(of(a, b)))
        })
        .collect()
}

/// Whether a type is one single term.
fn is_single(ty: &Type) -> bool {
    Key::of(ty).is_some() || *ty == Type::nil()
}

/// `=:=`
fn same(args: &[Type], when_same: bool) -> Vec<Way> {
    let both = args[0].meet(&args[1]);
    let mut ways = some(way(args, vec![both.clone(), both.clone()], Type::the_boolean(when_same)));
    let left = if is_single(&args[1]) { args[0].without(&args[1]) } else { args[0].clone() };
    let right = if is_single(&args[0]) { args[1].without(&args[0]) } else { args[1].clone() };
    ways.extend(way(args, vec![left, right], Type::the_boolean(!when_same)));
    ways
}

/// `==`: as `=:=` where there are no numbers to be converted.
fn equal(args: &[Type], when_equal: bool) -> Vec<Way> {
    if has_no_numbers(&args[0]) || has_no_numbers(&args[1]) {
        return same(args, when_equal);
    }
    let like = |ty: &Type| {
        if ty.is_within(&Type::number()) { Type::number() } else { Type::Any }
    };
    let equal = vec![like(&args[1]), like(&args[0])];
    let mut ways = some(way(args, equal, Type::the_boolean(when_equal)));
    // An integer is different from itself in no case.
    let certain = Key::of(&args[0]).is_some() && args[0] == args[1];
    let without = |a: &Type, b: &Type| match is_single(b) {
        true => a.without(b),
        false => a.clone(),
    };
    if !certain {
        let (left, right) = (without(&args[0], &args[1]), without(&args[1], &args[0]));
        ways.extend(way(args, vec![left, right], Type::the_boolean(!when_equal)));
    }
    ways
}

/// Whether no term of it holds a number that could be written in another way.
fn has_no_numbers(ty: &Type) -> bool {
    let Type::Union(parts) = ty else { return false };
    let plain = Union {
        atoms: parts.atoms.clone(),
        pids: parts.pids,
        ports: parts.ports,
        references: parts.references,
        nil: parts.nil,
        bits: parts.bits,
        ..Union::default()
    };
    plain == ***parts
}

fn append(args: &[Type]) -> Vec<Way> {
    let (left, right) = (&args[0], &args[1]);
    let mut ways = Vec::new();
    // Nothing before it: what is behind, whatever it is.
    ways.extend(way(args, vec![Type::nil(), Type::Any], right.clone()));
    let cells = Type::nonempty_list(Type::Any);
    let result = Type::cell(&left.head(), right);
    ways.extend(way(args, vec![cells, Type::Any], result));
    ways
}

fn is_function(args: &[Type]) -> Vec<Way> {
    let fun = match args[1].single_integer().and_then(|arity| usize::try_from(arity).ok()) {
        Some(arity) if arity <= 255 => Type::fun(vec![Type::Any; arity], Type::Any),
        _ => Type::any_fun(),
    };
    let arity = Type::non_negative();
    let yes = way(args, vec![fun, arity.clone()], Type::the_boolean(true));
    let no = way(args, vec![Type::Any, arity], Type::the_boolean(false));
    yes.into_iter().chain(no).collect()
}

/// `is_record(T, Tag)`, `is_record(T, Tag, Size)`
fn is_record(args: &[Type]) -> Vec<Way> {
    let size = args.get(2).and_then(Type::single_integer).and_then(|n| usize::try_from(n).ok());
    let size = size.filter(|size| (1..=1024).contains(size));
    let tuple = match size {
        Some(size) => {
            let mut elements = vec![Type::Any; size];
            elements[0] = args[1].meet(&Type::atom());
            Type::tuple(elements)
        }
        None => Type::any_tuple().join(&Type::record()),
    };
    let mut types = vec![tuple.clone(), Type::atom()];
    if args.len() == 3 {
        // Of a native record it is the name, behind the module.
        types.push(Type::non_negative().join(&Type::atom()));
    }
    let mut rest = types.clone();
    if let Some(size) = rest.get_mut(2) {
        // Looked at only if there is a tuple.
        *size = Type::Any;
    }
    rest[0] = if args[1].single_atom().is_some() && size.is_some() {
        args[0].without(&tuple)
    } else {
        Type::Any
    };
    let yes = way(args, types, Type::the_boolean(true));
    let no = way(args, rest, Type::the_boolean(false));
    yes.into_iter().chain(no).collect()
}

fn is_map_key(args: &[Type]) -> Vec<Way> {
    let with = match Key::of(&args[0]) {
        Some(key) => MapType::all().put(&key.to_type(), &Type::Any),
        None => MapType::all(),
    };
    let yes = way(args, vec![Type::Any, Type::map(with)], Type::the_boolean(true));
    let no = way(args, vec![Type::Any, Type::any_map()], Type::the_boolean(false));
    yes.into_iter().chain(no).collect()
}

fn map_get(key: &Type, map: &Type) -> Vec<Way> {
    let args = [key.clone(), map.clone()];
    let Some(known) = &map.parts().maps else { return Vec::new() };
    let value = known.get(key);
    let with = match Key::of(key) {
        Some(key) => MapType::all().put(&key.to_type(), &Type::Any),
        None => MapType::all(),
    };
    some(way(&args, vec![Type::Any, Type::map(with)], value))
}

/// Sizes of tuples of which a rule looks at one after the other.
fn sizes(ty: &Type) -> Option<Vec<usize>> {
    match &ty.parts().tuples {
        Tuples::All => None,
        Tuples::Some(tuples) => {
            let mut sizes: Vec<usize> = tuples.iter().map(|tuple| tuple.len()).collect();
            sizes.dedup();
            Some(sizes)
        }
    }
}

fn element(args: &[Type]) -> Vec<Way> {
    let place = args[0].single_integer().and_then(|place| usize::try_from(place).ok());
    let tuples = &args[1].parts().tuples;
    let mut result = Type::None;
    match (sizes(&args[1]), place) {
        (None, _) => result = Type::Any,
        (Some(sizes), Some(place)) => {
            for size in sizes.into_iter().filter(|&size| (1..=size).contains(&place)) {
                result = result.join(&tuples.element(size, place - 1));
            }
        }
        (Some(sizes), None) => {
            for size in sizes {
                for place in 0..size {
                    result = result.join(&tuples.element(size, place));
                }
            }
        }
    }
    some(way(args, vec![Type::positive(), Type::any_tuple()], result))
}

fn set_element(args: &[Type]) -> Vec<Way> {
    let place = args[0].single_integer().and_then(|place| usize::try_from(place).ok());
    let mut result = Type::any_tuple();
    if let (Tuples::Some(tuples), Some(place)) = (&args[1].parts().tuples, place) {
        result = Type::None;
        for tuple in tuples.iter().filter(|tuple| (1..=tuple.len()).contains(&place)) {
            let mut elements = tuple.to_vec();
            elements[place - 1] = args[2].clone();
            result = result.join(&Type::tuple(elements));
        }
    }
    some(way(args, vec![Type::positive(), Type::any_tuple(), Type::Any], result))
}

fn length(args: &[Type]) -> Vec<Way> {
    let zero = way(args, vec![Type::nil()], Type::the_integer(0));
    let more = way(args, vec![Type::nonempty_list(Type::Any)], Type::positive());
    zero.into_iter().chain(more).collect()
}

fn tuple_size(args: &[Type]) -> Vec<Way> {
    match sizes(&args[0]) {
        None => some(way(args, vec![Type::any_tuple()], Type::non_negative())),
        Some(sizes) => sizes
            .into_iter()
            .filter_map(|size| {
                let tuple = Type::tuple(vec![Type::Any; size]);
                way(args, vec![tuple], Type::the_integer(size as i64))
            })
            .collect(),
    }
}

fn tuple_to_list(args: &[Type]) -> Vec<Way> {
    let mut elements = Type::None;
    match sizes(&args[0]) {
        None => elements = Type::Any,
        Some(sizes) => {
            for size in sizes {
                for place in 0..size {
                    elements = elements.join(&args[0].parts().tuples.element(size, place));
                }
            }
        }
    }
    some(way(args, vec![Type::any_tuple()], Type::list(elements)))
}
