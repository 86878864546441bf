//! Type tests and sizes.

use term::record::Shape;
use term::{Boxed, Fun, Term, View, order};

use super::{Builtin, bad};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "is_atom"/1 => |_, a| test(a[0].as_atom().is_some()),
    "is_binary"/1 => |_, a| test(a[0].is_binary()),
    "is_bitstring"/1 => |_, a| test(a[0].as_bits().is_some()),
    "is_boolean"/1 => |_, a| test(a[0].as_bool().is_some()),
    "is_float"/1 => |_, a| test(a[0].as_float().is_some()),
    "is_function"/1 => |_, a| test(a[0].as_fun().is_some()),
    "is_function"/2 => is_function,
    "is_integer"/1 => |_, a| test(a[0].is_integer()),
    "is_list"/1 => |_, a| test(a[0].is_list()),
    "is_map"/1 => |_, a| test(a[0].as_map().is_some()),
    "is_number"/1 => |_, a| test(a[0].is_number()),
    "is_pid"/1 => |_, a| test(a[0].is_pid()),
    "is_port"/1 => |_, a| test(a[0].is_port()),
    "is_integer"/3 [HIDDEN.since(29)] => is_integer_between,
    "is_record"/1 [HIDDEN.since(29)] => |_, a| test(a[0].as_record().is_some()),
    "is_record"/2 => is_record,
    "is_record"/3 => is_record_of_size,
    "is_reference"/1 => |_, a| test(a[0].is_ref()),
    "is_tuple"/1 => |_, a| test(a[0].as_tuple().is_some()),
    "size"/1 => size,
    "tuple_size"/1 => tuple_size,
    "byte_size"/1 => byte_size,
    "bit_size"/1 => bit_size,
);

fn test(holds: bool) -> Return {
    Ok(Term::bool(holds))
}

fn is_function(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[1].view() {
        View::Int(arity) if arity >= 0 => {
            test(args[0].as_fun().is_some_and(|fun: &Fun| i64::from(fun.arity()) == arity))
        }
        View::Boxed(Boxed::Big(arity)) if arity.sign() == num_bigint::Sign::Plus => test(false),
        _ => Err(bad()),
    }
}

fn is_record(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let name = args[1].as_atom().ok_or_else(bad)?;
    let native = args[0].as_record().is_some_and(|record| record.shape().name == name);
    test(
        native
            || args[0].as_tuple().is_some_and(|t| t.first().is_some_and(|tag| tag.is_atom(name))),
    )
}

/// `is_integer(Term, LowerBound, UpperBound)` (OTP 29): the bounds must be integers.
fn is_integer_between(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [term, lower, upper] = args else { return Err(bad()) };
    if !lower.is_integer() || !upper.is_integer() {
        return Err(bad());
    }
    let between = || order::compare(lower, term).is_le() && order::compare(term, upper).is_le();
    test(term.is_integer() && between())
}

fn is_record_of_size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let name = args[1].as_atom().ok_or_else(bad)?;
    // Since OTP 29 these may be the module and the name of a native record.
    if let Some(record_name) = args[2].as_atom() {
        let is = |shape: &Shape| shape.module == name && shape.name == record_name;
        return test(args[0].as_record().is_some_and(|record| is(record.shape())));
    }
    let size = super::natural(&args[2]).ok_or_else(bad)?;
    test(
        args[0]
            .as_tuple()
            .is_some_and(|t| t.first().is_some_and(|tag| tag.is_atom(name)) && size == t.len()),
    )
}

fn size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match args[0].view() {
        View::Tuple(tuple) => Ok(Term::from(tuple.len())),
        View::Bits(bits) => Ok(Term::from(bits.bit_len() / 8)),
        _ => Err(bad()),
    }
}

fn tuple_size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    args[0].as_tuple().map(|tuple| Term::from(tuple.len())).ok_or_else(bad)
}

fn byte_size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    args[0].as_bits().map(|bits| Term::from(bits.byte_len())).ok_or_else(bad)
}

fn bit_size(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    args[0].as_bits().map(|bits| Term::from(bits.bit_len())).ok_or_else(bad)
}
