//! The same value, changed a little, kind by kind.

use num_bigint::BigInt;
use num_traits::One;
use types::Type;

use crate::input::{BitString, Float, Fun};
use crate::{Generator, Input};

impl Generator {
    /// A value that is close to another one; it may be of another type.
    pub(super) fn nudged(&mut self, ty: &Type, old: &Input) -> Option<Input> {
        match old {
            Input::Integer(value) => Some(Input::Integer(self.near(value))),
            Input::Float(value) => self.near_float(value.value()),
            Input::Bits(bits) => Some(Input::Bits(self.near_bits(bits))),
            Input::List(elements, tail) => self.near_list(ty, elements, tail.as_deref()),
            Input::Map(pairs) => self.near_map(ty, pairs),
            Input::Fun(fun) => self.near_fun(ty, fun),
            _ => {
                let size = 1 + self.random.below(20) as u32;
                self.value(ty, size).ok()
            }
        }
    }

    /// A place for something more: at an end, or between.
    fn somewhere(&mut self, count: usize) -> usize {
        match self.random.below(4) {
            0 => 0,
            1 | 2 => count,
            _ => self.random.below(count + 1),
        }
    }

    fn near(&mut self, value: &BigInt) -> BigInt {
        match self.random.below(9) {
            0 => value + 1,
            1 => value - 1,
            2 => -value,
            3 => value * 2,
            4 => value / 2,
            5 => value + self.random.between(-16, 16),
            6 => value ^ (BigInt::one() << self.random.below(16)),
            7 => match self.known_integer() {
                Some(known) => value + known,
                None => value * 10,
            },
            _ => match self.known_integer() {
                Some(known) => known,
                None => value + self.random.between(-1000, 1000),
            },
        }
    }

    fn near_float(&mut self, value: f64) -> Option<Input> {
        let value = match self.random.below(6) {
            0 => -value,
            1 => value + 1.0,
            2 => value / 2.0,
            3 => value * 10.0,
            4 => value.trunc(),
            _ => value + self.random.between(-100, 100) as f64 / 16.0,
        };
        Float::new(value).map(Input::Float)
    }

    fn near_bits(&mut self, bits: &BitString) -> BitString {
        let (mut bytes, len) = (bits.bytes().to_vec(), bits.len());
        let (count, whole) = (bytes.len(), len / 8);
        let is_text = self.random.once_in(2);
        match self.random.below(9) {
            0 if count > 0 => {
                let place = self.random.below(len);
                bytes[place / 8] ^= 1 << (7 - place % 8);
                BitString::new(bytes, len)
            }
            1 if count > 0 => {
                let place = self.random.below(count);
                bytes[place] = self.byte(is_text);
                BitString::new(bytes, len)
            }
            2 if whole > 0 => {
                let from = self.random.below(whole);
                let to = from + 1 + self.random.below((whole - from).min(4));
                bits.without(from * 8, to * 8)
            }
            3 if whole > 0 => {
                let from = self.random.below(whole);
                let to = from + 1 + self.random.below((whole - from).min(8));
                let chunk = bytes[from..to].to_vec();
                bytes.splice(to..to, chunk);
                BitString::new(bytes, len + (to - from) * 8)
            }
            4 | 6 | 7 => {
                // What the program knows as a binary, put in.
                let known = match self.known_bytes() {
                    Some(known) => known,
                    None => vec![self.byte(is_text)],
                };
                let at = self.somewhere(whole);
                let more = known.len() * 8;
                bytes.splice(at..at, known);
                BitString::new(bytes, len + more)
            }
            5 if count > 0 => {
                let place = self.random.below(count);
                let known = self.known_integer().and_then(|known| u8::try_from(known).ok());
                bytes[place] = known.unwrap_or_else(|| bytes[place].wrapping_add(1));
                BitString::new(bytes, len)
            }
            _ => {
                let at = self.random.below(whole + 1);
                let byte = self.byte(is_text);
                bytes.insert(at.min(bytes.len()), byte);
                BitString::new(bytes, len + 8)
            }
        }
    }

    fn near_list(&mut self, ty: &Type, old: &[Input], tail: Option<&Input>) -> Option<Input> {
        let mut elements = old.to_vec();
        let count = elements.len();
        let head = ty.parts().cons.as_ref().map(|cons| &cons.head);
        match self.random.below(10) {
            0 if count > 0 => {
                elements.remove(self.random.below(count));
            }
            1 if count > 0 => {
                let from = self.random.below(count);
                let to = from + 1 + self.random.below(count - from);
                elements.drain(from..to);
            }
            2 if count > 0 => {
                // Again, beside it or at the end.
                let from = self.random.below(count);
                let to = from + 1 + self.random.below((count - from).min(4));
                let chunk = elements[from..to].to_vec();
                let at = if self.random.once_in(2) { to } else { count };
                elements.splice(at..at, chunk);
            }
            3 if count > 1 => {
                let (one, other) = (self.random.below(count), self.random.below(count));
                elements.swap(one, other);
            }
            4 if count > 1 => {
                let (from, to) = (self.random.below(count), self.random.below(count));
                elements[to] = elements[from].clone();
            }
            5 if count > 1 => elements.reverse(),
            6 | 7 => {
                let known = self.known(ty)?;
                let Input::List(more, None) = known else { return None };
                let at = self.somewhere(count);
                elements.splice(at..at, more);
            }
            _ => {
                let at = self.somewhere(count);
                let size = 1 + self.random.below(20) as u32;
                let element = match self.known(head?) {
                    Some(known) if self.random.once_in(2) => known,
                    _ => self.value(head?, size).ok()?,
                };
                elements.insert(at, element);
            }
        }
        Some(match tail {
            Some(tail) => Input::list_with(elements, tail.clone()),
            None => Input::list(elements),
        })
    }

    fn near_map(&mut self, ty: &Type, pairs: &[(Input, Input)]) -> Option<Input> {
        let mut pairs = pairs.to_vec();
        if !pairs.is_empty() && self.random.once_in(2) {
            pairs.remove(self.random.below(pairs.len()));
            return Some(Input::Map(pairs));
        }
        // What another map of this type has, too.
        let size = 1 + self.random.below(40) as u32;
        let Input::Map(more) = self.value(ty, size).ok()? else { return None };
        pairs.extend(more);
        Some(Input::map(pairs))
    }

    fn near_fun(&mut self, ty: &Type, fun: &Fun) -> Option<Input> {
        let size = 1 + self.random.below(20) as u32;
        let Input::Fun(other) = self.value(ty, size).ok()? else { return None };
        if other.arity != fun.arity {
            return Some(Input::Fun(other));
        }
        let mut fun = fun.clone();
        for row in other.table {
            if !fun.table.iter().any(|known| known.0 == row.0) {
                fun.table.push(row);
            }
        }
        if self.random.once_in(2) {
            fun.others = other.others;
        }
        Some(Input::Fun(Box::new(fun)))
    }
}
