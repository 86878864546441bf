//! Numbers: integers in any base, floats, based floats, digit separators.
//!
//! Integers of any size are read by halving (multiplication of large integers is faster than
//! quadratic), so a number of a million digits is no way to make reading hang.

use std::borrow::Cow;

use num_bigint::BigInt;

use super::{LexError, Lexer, Problem};
use crate::source::Loc;
use crate::token::{Literal, TokenKind};

/// More digits than this make no integer.
pub(super) const MAX_DIGITS: usize = 1_262_612;

impl Lexer<'_> {
    pub(super) fn number(&mut self) -> Result<(), LexError> {
        let (start, loc) = (self.pos, self.loc());
        self.digits(10);
        match self.peek(0) {
            b'.' if self.peek(1).is_ascii_digit() => return self.float(start, loc),
            b'#' => return self.based_number(start, loc),
            _ => {}
        }
        self.push_integer(start, start, 10, loc)
    }

    /// Steps over digits with single underscores between them.
    fn digits(&mut self, base: u32) {
        let mut after_digit = false;
        loop {
            let byte = self.peek(0);
            if is_digit(byte, base) {
                after_digit = true;
                self.pos += 1;
            } else if byte == b'_' && after_digit && is_digit(self.peek(1), base) {
                self.pos += 2;
            } else {
                return;
            }
        }
    }

    /// An integer token from `start` to here, whose digits begin at `digits`.
    fn push_integer(
        &mut self,
        start: usize,
        digits: usize,
        base: u32,
        loc: Loc,
    ) -> Result<(), LexError> {
        match integer(&self.text[digits..self.pos], base) {
            Some(value) => {
                self.push_literal(TokenKind::Integer, Literal::Integer(value), start, loc);
                Ok(())
            }
            None => self.error(Problem::Illegal("integer"), loc, start),
        }
    }

    /// A decimal float; the cursor is at its full stop.
    fn float(&mut self, start: usize, loc: Loc) -> Result<(), LexError> {
        self.pos += 1;
        self.digits(10);
        if matches!(self.peek(0), b'e' | b'E') {
            self.pos += 1;
            self.sign();
            self.digits(10);
        }
        let value = without_separators(&self.text[start..self.pos]).parse::<f64>();
        self.push_float(value.unwrap_or(f64::NAN), start, loc)
    }

    fn sign(&mut self) {
        if matches!(self.peek(0), b'+' | b'-') {
            self.pos += 1;
        }
    }

    fn push_float(&mut self, value: f64, start: usize, loc: Loc) -> Result<(), LexError> {
        if !value.is_finite() {
            return self.error(Problem::Illegal("float"), loc, start);
        }
        self.push_literal(TokenKind::Float, Literal::Float(value), start, loc);
        Ok(())
    }

    /// A number with a base; the cursor is at the `#`.
    fn based_number(&mut self, start: usize, loc: Loc) -> Result<(), LexError> {
        let base = integer(&self.text[start..self.pos], 10);
        let base = match base.as_ref().and_then(|base| u32::try_from(base).ok()) {
            Some(base @ 2..=36) => base,
            _ => {
                let problem = base.map_or(Problem::Illegal("integer"), Problem::Base);
                return self.error(problem, loc, start);
            }
        };
        self.pos += 1;
        let digits = self.pos;
        self.digits(base);
        if self.pos > digits && self.peek(0) == b'.' && is_digit(self.peek(1), base) {
            return self.based_float(start, digits, base, loc);
        }
        self.push_integer(start, digits, base, loc)
    }

    /// `16#ab.cd#e-2`; the cursor is at the full stop.
    fn based_float(
        &mut self,
        start: usize,
        digits: usize,
        base: u32,
        loc: Loc,
    ) -> Result<(), LexError> {
        let whole = without_separators(&self.text[digits..self.pos]).into_owned();
        self.pos += 1;
        let fraction_start = self.pos;
        self.digits(base);
        let fraction = without_separators(&self.text[fraction_start..self.pos]).into_owned();
        let mut exponent = 0;
        if self.peek(0) == b'#' && matches!(self.peek(1), b'e' | b'E') {
            self.pos += 2;
            let exponent_start = self.pos;
            self.sign();
            self.digits(10);
            match without_separators(&self.text[exponent_start..self.pos]).parse::<i32>() {
                Ok(value) => exponent = value,
                Err(_) => return self.push_float(f64::NAN, start, loc),
            }
        }
        let scale = exponent.saturating_sub(i32::try_from(fraction.len()).unwrap_or(i32::MAX));
        let mantissa = integer(&(whole + &fraction), base).map_or(f64::NAN, |m| to_float(&m));
        let value = if scale < 0 {
            mantissa / f64::from(base).powi(scale.saturating_neg())
        } else {
            mantissa * f64::from(base).powi(scale)
        };
        self.push_float(value, start, loc)
    }
}

fn is_digit(byte: u8, base: u32) -> bool {
    (byte as char).is_digit(base)
}

fn without_separators(text: &str) -> Cow<'_, str> {
    if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}

/// The value of digits that may have separators; `None` if there are no digits, or too many.
fn integer(text: &str, base: u32) -> Option<BigInt> {
    let digits = without_separators(text);
    if digits.len() <= 12 {
        return i64::from_str_radix(&digits, base).ok().map(BigInt::from);
    }
    if digits.len() > MAX_DIGITS {
        return None;
    }
    Some(large_integer(digits.as_bytes(), base))
}

/// By halving; the depth is the logarithm of the length.
fn large_integer(digits: &[u8], base: u32) -> BigInt {
    if digits.len() <= 512 {
        return BigInt::parse_bytes(digits, base).unwrap_or_default();
    }
    let (high, low) = digits.split_at(digits.len() / 2);
    let shift = BigInt::from(base).pow(low.len() as u32);
    large_integer(high, base) * shift + large_integer(low, base)
}

/// The nearest float; infinite if there is none.
fn to_float(value: &BigInt) -> f64 {
    // The decimal parser of the standard library rounds correctly at any length.
    value.to_string().parse().unwrap_or(f64::INFINITY)
}
