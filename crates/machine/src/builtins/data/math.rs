//! The `math` module.
//!
//! Where the platform's C library is behind Rust's functions, results are the BEAM's to the last
//! bit; the inverse hyperbolic and the error functions come from a Rust port of the same sources
//! as the C library's.

use std::f64::consts;

use term::{Term, arith};

use super::{Builtin, Fallible, bad, fail};
use crate::builtins::{Return, builtins};

pub(super) const MATH: &[Builtin] = builtins!("math", visible: false;
    "acos"/1 => |_, a| of_one(a, f64::acos),
    "acosh"/1 => |_, a| of_one(a, libm::acosh),
    "asin"/1 => |_, a| of_one(a, f64::asin),
    "asinh"/1 => |_, a| of_one(a, libm::asinh),
    "atan"/1 => |_, a| of_one(a, f64::atan),
    "atan2"/2 => |_, a| of_two(a, f64::atan2),
    "atanh"/1 => |_, a| of_one(a, libm::atanh),
    "ceil"/1 => |_, a| of_one(a, f64::ceil),
    "cos"/1 => |_, a| of_one(a, f64::cos),
    "cosh"/1 => |_, a| of_one(a, f64::cosh),
    "erf"/1 => |_, a| of_one(a, libm::erf),
    "erfc"/1 => |_, a| of_one(a, libm::erfc),
    "exp"/1 => |_, a| of_one(a, f64::exp),
    "floor"/1 => |_, a| of_one(a, f64::floor),
    "fmod"/2 => |_, a| of_two(a, |x, y| x % y),
    "log"/1 => |_, a| of_one(a, f64::ln),
    "log10"/1 => |_, a| of_one(a, f64::log10),
    "log2"/1 => |_, a| of_one(a, f64::log2),
    "pi"/0 => |_, _| Ok(Term::float(consts::PI)),
    "pow"/2 => |_, a| of_two(a, f64::powf),
    "sin"/1 => |_, a| of_one(a, f64::sin),
    "sinh"/1 => |_, a| of_one(a, f64::sinh),
    "sqrt"/1 => |_, a| of_one(a, f64::sqrt),
    "tan"/1 => |_, a| of_one(a, f64::tan),
    "tanh"/1 => |_, a| of_one(a, f64::tanh),
);

fn number(term: &Term) -> Fallible<f64> {
    arith::to_f64(term).ok_or_else(|| if term.is_integer() { fail("badarith") } else { bad() })
}

fn result(value: f64) -> Return {
    if value.is_finite() { Ok(Term::float(value)) } else { Err(fail("badarith")) }
}

fn of_one(args: &[Term], function: fn(f64) -> f64) -> Return {
    result(function(number(&args[0])?))
}

fn of_two(args: &[Term], function: fn(f64, f64) -> f64) -> Return {
    result(function(number(&args[0])?, number(&args[1])?))
}
