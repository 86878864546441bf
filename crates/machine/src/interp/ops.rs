//! What single instructions do.

use atom::{Atom, known};
use code::instr::{ArithOp, CompareOp, Pc, TypeTest, UnaryOp};
use code::module::Switch;
use term::arith::ArithError;
use term::{Map, Shared, Term, arith, order};

use crate::exception::{Exception, Trace};

pub(super) fn reason(error: ArithError) -> Atom {
    match error {
        ArithError::BadArith => known::BADARITH,
        ArithError::SystemLimit => known::SYSTEM_LIMIT,
    }
}

/// What a failing builtin says about itself: which module explains its errors.
pub(super) fn error_info_of(module: &str) -> Map {
    Map::from_iter([(Term::from(known::MODULE), Term::atom(module))])
}

/// The same, for builtins of `erlang`.
pub(super) fn error_info() -> Map {
    Map::from_iter([(Term::from(known::MODULE), Term::from(known::ERL_ERTS_ERRORS))])
}

/// An operator that failed: as OTP says it, in the function of the same name. For some operators
/// OTP notes the function alone that they are used in.
pub(super) fn operator_failed(name: &str, reason: Atom, args: Vec<Term>) -> Exception {
    if name == "/" || (name == "+" && args.len() == 1) {
        return Exception::atom(reason);
    }
    let trace =
        Trace::In { module: known::ERLANG, name: Atom::new(name), args, info: Some(error_info()) };
    Exception { trace, ..Exception::atom(reason) }
}

/// The usual case: small integers, and nothing special about them.
#[inline]
fn small_arith(op: ArithOp, a: i64, b: i64) -> Option<Term> {
    let value = match op {
        ArithOp::Mul => a.checked_mul(b)?,
        ArithOp::IntDiv if b != 0 => a / b,
        ArithOp::Rem if b != 0 => a % b,
        ArithOp::Band => a & b,
        ArithOp::Bor => a | b,
        ArithOp::Bxor => a ^ b,
        ArithOp::Bsr if (0..64).contains(&b) => a >> b,
        ArithOp::Bsl if (0..64).contains(&b) && (a << b) >> b == a => a << b,
        _ => return None,
    };
    Some(Term::int(value))
}

#[inline]
pub(super) fn arith(op: ArithOp, a: &Term, b: &Term) -> Result<Term, Atom> {
    if let Some((a, b)) = Term::both_small(a, b)
        && let Some(value) = small_arith(op, a, b)
    {
        return Ok(value);
    }
    let operation = match op {
        ArithOp::Add => arith::add,
        ArithOp::Sub => arith::sub,
        ArithOp::Mul => arith::mul,
        ArithOp::Div => arith::div,
        ArithOp::IntDiv => arith::int_div,
        ArithOp::Rem => arith::rem,
        ArithOp::Band => arith::band,
        ArithOp::Bor => arith::bor,
        ArithOp::Bxor => arith::bxor,
        ArithOp::Bsl => arith::bsl,
        ArithOp::Bsr => arith::bsr,
        ArithOp::And | ArithOp::Or | ArithOp::Xor => {
            let (Some(a), Some(b)) = (a.as_bool(), b.as_bool()) else { return Err(known::BADARG) };
            return Ok(Term::bool(match op {
                ArithOp::And => a & b,
                ArithOp::Or => a | b,
                _ => a ^ b,
            }));
        }
    };
    operation(a, b).map_err(reason)
}

pub(super) fn arith_name(op: ArithOp) -> &'static str {
    match op {
        ArithOp::Add => "+",
        ArithOp::Sub => "-",
        ArithOp::Mul => "*",
        ArithOp::Div => "/",
        ArithOp::IntDiv => "div",
        ArithOp::Rem => "rem",
        ArithOp::Band => "band",
        ArithOp::Bor => "bor",
        ArithOp::Bxor => "bxor",
        ArithOp::Bsl => "bsl",
        ArithOp::Bsr => "bsr",
        ArithOp::And => "and",
        ArithOp::Or => "or",
        ArithOp::Xor => "xor",
    }
}

pub(super) fn unary(op: UnaryOp, a: &Term) -> Result<Term, Atom> {
    match op {
        UnaryOp::Plus if a.is_number() => Ok(a.clone()),
        UnaryOp::Plus => Err(known::BADARITH),
        UnaryOp::Minus => arith::neg(a).map_err(reason),
        UnaryOp::Bnot => arith::bnot(a).map_err(reason),
        UnaryOp::Not => a.as_bool().map(|value| Term::bool(!value)).ok_or(known::BADARG),
    }
}

pub(super) fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Not => "not",
        UnaryOp::Bnot => "bnot",
    }
}

pub(super) fn type_test(test: TypeTest, a: &Term) -> bool {
    match test {
        TypeTest::Atom => a.as_atom().is_some(),
        TypeTest::Binary => a.is_binary(),
        TypeTest::Bitstring => a.as_bits().is_some(),
        TypeTest::Boolean => a.as_bool().is_some(),
        TypeTest::Float => a.as_float().is_some(),
        TypeTest::Function => a.as_fun().is_some(),
        TypeTest::Integer => a.is_integer(),
        TypeTest::List => a.is_list(),
        TypeTest::Map => a.as_map().is_some(),
        TypeTest::Number => a.is_number(),
        TypeTest::Pid => a.is_pid(),
        TypeTest::Port => a.is_port(),
        TypeTest::Reference => a.is_ref(),
        TypeTest::Tuple => a.as_tuple().is_some(),
        TypeTest::Cons => a.as_cons().is_some(),
    }
}

pub(super) fn map_put(map: Term, key: Term, value: Term) -> Result<Term, Exception> {
    match map.into_map() {
        Ok(mut map) => {
            Shared::make_mut(&mut map).insert(key, value);
            Ok(map.into())
        }
        Err(other) => Err(Exception::tagged(known::BADMAP, other)),
    }
}

pub(super) fn map_update(map: Term, key: &Term, value: Term) -> Result<Term, Exception> {
    match map.into_map() {
        Ok(mut map) => {
            let updated = match Shared::get_mut(&mut map) {
                Some(own) => own.update(key, value),
                None => map.contains_key(key) && Shared::make_mut(&mut map).update(key, value),
            };
            if updated {
                Ok(map.into())
            } else {
                Err(Exception::tagged(known::BADKEY, key.clone()))
            }
        }
        Err(other) => Err(Exception::tagged(known::BADMAP, other)),
    }
}

#[inline]
pub(super) fn compare(op: CompareOp, a: &Term, b: &Term) -> bool {
    if let Some((a, b)) = Term::both_small(a, b) {
        return compare_ints(op, a, b);
    }
    match op {
        CompareOp::Eq => order::loose_eq(a, b),
        CompareOp::Ne => !order::loose_eq(a, b),
        CompareOp::ExactEq => order::exact_eq(a, b),
        CompareOp::ExactNe => !order::exact_eq(a, b),
        CompareOp::Lt => order::compare(a, b).is_lt(),
        CompareOp::Le => order::compare(a, b).is_le(),
        CompareOp::Gt => order::compare(a, b).is_gt(),
        CompareOp::Ge => order::compare(a, b).is_ge(),
    }
}

#[inline]
pub(super) fn compare_ints(op: CompareOp, a: i64, b: i64) -> bool {
    match op {
        CompareOp::Eq | CompareOp::ExactEq => a == b,
        CompareOp::Ne | CompareOp::ExactNe => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    }
}

/// Where a `case` over atoms goes on.
#[inline(always)]
pub(super) fn case_of_atom(switch: &Switch, value: &Term) -> Option<Pc> {
    match (value.as_atom(), switch) {
        (Some(atom), Switch::Atoms(table)) => table
            .binary_search_by_key(&atom.index(), |(atom, _)| atom.index())
            .ok()
            .map(|at| table[at].1),
        _ => None,
    }
}

/// The same over integers.
#[inline(always)]
pub(super) fn case_of_int(switch: &Switch, value: &Term) -> Option<Pc> {
    match (value.as_int(), switch) {
        (Some(value), Switch::Ints(table)) => {
            table.binary_search_by_key(&value, |(value, _)| *value).ok().map(|at| table[at].1)
        }
        _ => None,
    }
}
