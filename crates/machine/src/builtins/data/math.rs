//! The `math` module.
//!
//! Where the platform's C library is behind Rust's functions, results are the BEAM's to the last
//! bit. The inverse hyperbolic functions are computed by the C library's formulas. The error
//! functions come from a Rust port of the same sources and may differ in the last bit.

use std::f64::consts;

use term::{Term, arith};

use super::{Builtin, Fallible, bad, fail};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Return, builtins};

pub(super) const MATH: &[Builtin] = builtins!(MATH, HIDDEN;
    "acos"/1 => |_, a| of_one(a, f64::acos),
    "acosh"/1 => |_, a| of_one(a, acosh),
    "asin"/1 => |_, a| of_one(a, f64::asin),
    "asinh"/1 => |_, a| of_one(a, asinh),
    "atan"/1 => |_, a| of_one(a, f64::atan),
    "atan2"/2 => |_, a| of_two(a, f64::atan2),
    "atanh"/1 => |_, a| of_one(a, atanh),
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

fn acosh(x: f64) -> f64 {
    const LARGE: f64 = 268_435_456.0; // 2^28
    if x < 1.0 {
        f64::NAN
    } else if x >= LARGE {
        x.ln() + consts::LN_2
    } else if x > 2.0 {
        (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
    } else {
        let t = x - 1.0;
        (t + (2.0 * t + t * t).sqrt()).ln_1p()
    }
}

fn asinh(x: f64) -> f64 {
    const LARGE: f64 = 268_435_456.0; // 2^28
    const SMALL: f64 = 1.0 / LARGE;
    let a = x.abs();
    let magnitude = if a < SMALL {
        return x;
    } else if a > LARGE {
        a.ln() + consts::LN_2
    } else if a > 2.0 {
        (2.0 * a + 1.0 / ((x * x + 1.0).sqrt() + a)).ln()
    } else {
        let t = x * x;
        (a + t / (1.0 + (1.0 + t).sqrt())).ln_1p()
    };
    magnitude.copysign(x)
}

fn atanh(x: f64) -> f64 {
    const SMALL: f64 = 1.0 / 268_435_456.0; // 2^-28
    let a = x.abs();
    let magnitude = if a >= 1.0 {
        // Not defined: NaN, or infinite at one.
        a / (1.0 - a) * f64::INFINITY
    } else if a < SMALL {
        return x;
    } else if a < 0.5 {
        let t = a + a;
        0.5 * (t + t * a / (1.0 - a)).ln_1p()
    } else {
        0.5 * ((a + a) / (1.0 - a)).ln_1p()
    };
    magnitude.copysign(x)
}

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
