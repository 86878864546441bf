//! Operators as functions: `erlang:'+'/2` and its relatives.

use term::arith::{self, ArithError};
use term::{Term, order};

use super::{Builtin, bad, fail};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Return, builtins};

pub(super) const TABLE: &[Builtin] = builtins!(ERLANG, HIDDEN;
    "+"/2 => |_, a| computed(arith::add(&a[0], &a[1])),
    "-"/2 => |_, a| computed(arith::sub(&a[0], &a[1])),
    "*"/2 => |_, a| computed(arith::mul(&a[0], &a[1])),
    "/"/2 => |_, a| computed(arith::div(&a[0], &a[1])),
    "div"/2 => |_, a| computed(arith::int_div(&a[0], &a[1])),
    "rem"/2 => |_, a| computed(arith::rem(&a[0], &a[1])),
    "band"/2 => |_, a| computed(arith::band(&a[0], &a[1])),
    "bor"/2 => |_, a| computed(arith::bor(&a[0], &a[1])),
    "bxor"/2 => |_, a| computed(arith::bxor(&a[0], &a[1])),
    "bsl"/2 => |_, a| computed(arith::bsl(&a[0], &a[1])),
    "bsr"/2 => |_, a| computed(arith::bsr(&a[0], &a[1])),
    "bnot"/1 => |_, a| computed(arith::bnot(&a[0])),
    "-"/1 => |_, a| computed(arith::neg(&a[0])),
    "+"/1 => |_, a| if a[0].is_number() { Ok(a[0].clone()) } else { Err(fail("badarith")) },
    "and"/2 => |_, a| boolean(a, |a, b| a & b),
    "or"/2 => |_, a| boolean(a, |a, b| a | b),
    "xor"/2 => |_, a| boolean(a, |a, b| a ^ b),
    "not"/1 => |_, a| a[0].as_bool().map(|value| Term::bool(!value)).ok_or_else(bad),
    "=="/2 => |_, a| Ok(Term::bool(order::loose_eq(&a[0], &a[1]))),
    "/="/2 => |_, a| Ok(Term::bool(!order::loose_eq(&a[0], &a[1]))),
    "=:="/2 => |_, a| Ok(Term::bool(order::exact_eq(&a[0], &a[1]))),
    "=/="/2 => |_, a| Ok(Term::bool(!order::exact_eq(&a[0], &a[1]))),
    "<"/2 => |_, a| Ok(Term::bool(order::compare(&a[0], &a[1]).is_lt())),
    "=<"/2 => |_, a| Ok(Term::bool(order::compare(&a[0], &a[1]).is_le())),
    ">"/2 => |_, a| Ok(Term::bool(order::compare(&a[0], &a[1]).is_gt())),
    ">="/2 => |_, a| Ok(Term::bool(order::compare(&a[0], &a[1]).is_ge())),
    "max"/2 => |_, a| Ok(a[usize::from(order::compare(&a[0], &a[1]).is_lt())].clone()),
    "min"/2 => |_, a| Ok(a[usize::from(order::compare(&a[0], &a[1]).is_gt())].clone()),
);

fn computed(result: Result<Term, ArithError>) -> Return {
    result.map_err(|error| match error {
        ArithError::BadArith => fail("badarith"),
        ArithError::SystemLimit => fail("system_limit"),
    })
}

fn boolean(args: &[Term], operation: fn(bool, bool) -> bool) -> Return {
    match (args[0].as_bool(), args[1].as_bool()) {
        (Some(a), Some(b)) => Ok(Term::bool(operation(a, b))),
        _ => Err(bad()),
    }
}
