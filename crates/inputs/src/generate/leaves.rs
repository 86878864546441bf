//! Values without parts: numbers, atoms, bit strings, and constants of the program.

use std::rc::Rc;

use atom::Atom;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use types::Type;
use types::ty::{Atoms, Bits, Integers};

use super::Generator;
use crate::Input;
use crate::input::{BitString, Float};

/// Borders of small integers: of bytes, characters, words, and of what the runtime keeps in a word.
const BORDERS: &[u32] = &[7, 8, 15, 16, 20, 27, 28, 31, 32, 53, 59, 60, 63, 64, 127];

/// Atoms for programs that have none of their own.
const ATOMS: &[&str] =
    &["a", "b", "ok", "error", "true", "false", "undefined", "", "hello world", "ÿ", "'"];

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    0.1,
    1.0e10,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    f64::EPSILON,
    5.0e-324,
    9_007_199_254_740_992.0,
    9_007_199_254_740_993.0,
    1.0e308,
    1.0e-308,
    255.0,
];

impl Generator {
    /// A constant of the program that is of a type, now and then.
    pub(super) fn constant(&mut self, ty: &Type, depth: u32) -> Option<Input> {
        if self.constants.values.is_empty() || !self.random.once_in(5) {
            return None;
        }
        let constants = Rc::clone(&self.constants);
        let value = self.random.choose(&constants.values)?;
        (depth > 0 && value.is_of(ty)).then(|| value.clone())
    }

    pub(super) fn atom(&mut self, atoms: &Atoms) -> Input {
        let atoms = match atoms {
            Atoms::Some(atoms) => atoms,
            Atoms::All => {
                if !self.random.once_in(4)
                    && let Some(&atom) = self.random.choose(&self.constants.atoms)
                {
                    return Input::Atom(atom);
                }
                // Mostly plain ones.
                let among = if self.random.once_in(6) { ATOMS.len() } else { 7 };
                return Input::Atom(Atom::new(ATOMS[self.random.below(among)]));
            }
        };
        self.random.choose(atoms).map_or(Input::NIL, |&atom| Input::Atom(atom))
    }

    pub(super) fn integer(&mut self, integers: &Integers) -> Input {
        let (low, high) = match integers {
            Integers::Some(some) => {
                return Input::integer(self.random.choose(some).copied().unwrap_or(0));
            }
            Integers::Range(low, high) => (*low, *high),
        };
        let fits = |value: &BigInt| {
            low.is_none_or(|low| *value >= BigInt::from(low))
                && high.is_none_or(|high| *value <= BigInt::from(high))
        };
        for _ in 0..4 {
            let value = self.some_integer(low, high);
            if fits(&value) {
                return Input::Integer(value);
            }
        }
        // What is small, from the end that is there.
        let step = self.random.below(1 + self.size as usize) as i64;
        let value = match (low, high) {
            (Some(low), Some(high)) => self.random.between(low, high),
            (Some(low), None) => low.saturating_add(step),
            (None, Some(high)) => high.saturating_sub(step),
            (None, None) => step,
        };
        Input::integer(value)
    }

    /// An integer that programs like; it may be out of range.
    fn some_integer(&mut self, low: Option<i64>, high: Option<i64>) -> BigInt {
        let size = i64::from(self.size);
        match self.random.below(14) {
            0..=2 if low.zip(high).is_some_and(|(low, high)| high.saturating_sub(low) < 1000) => {
                BigInt::from(self.random.between(low.unwrap_or(0), high.unwrap_or(0)))
            }
            0..=4 => BigInt::from(self.random.between(-size, size)),
            5 | 6 | 12 | 13 if !self.constants.integers.is_empty() => {
                let near = [0, 0, 1, -1];
                let offset = near[self.random.below(near.len())];
                match self.random.choose(&self.constants.integers) {
                    Some(value) => value + offset,
                    None => BigInt::from(0),
                }
            }
            7 => {
                let ends = [low, high, low.map(|low| low.saturating_add(1))];
                let end = ends[self.random.below(ends.len())];
                BigInt::from(end.unwrap_or(size))
            }
            8 if self.size > 10 => {
                let power = BORDERS[self.random.below(BORDERS.len())];
                let value = (BigInt::one() << power) + self.random.between(-1, 1);
                if self.random.once_in(2) { -value } else { value }
            }
            9 => match (low, high) {
                (Some(low), Some(high)) => BigInt::from(self.random.between(low, high)),
                _ => {
                    let bits = self.random.below(16);
                    BigInt::from(self.random.bits() >> (63 - bits))
                }
            },
            10 => BigInt::from(self.random.between(32, 126)),
            _ => BigInt::from(self.random.between(-1, 2)),
        }
    }

    pub(super) fn float(&mut self) -> Input {
        let value = match self.random.below(4) {
            0 => FLOATS[self.random.below(FLOATS.len())],
            1 if !self.constants.integers.is_empty() => {
                let near = self.random.choose(&self.constants.integers);
                near.and_then(BigInt::to_f64).unwrap_or(1.0)
            }
            2 => self.random.between(-1000, 1000) as f64 / 8.0,
            _ => self.random.between(-i64::from(self.size), i64::from(self.size)) as f64,
        };
        Input::Float(Float::new(value).unwrap_or(Float::ZERO))
    }

    /// A bit string of one of some sizes.
    pub(super) fn bits(&mut self, sizes: Bits) -> Input {
        let (unit, base) = (sizes.unit as usize, sizes.base as usize);
        let usual = self.size as usize;
        let bytes = self.length(usual, usual.max(LONG));
        let units = match unit {
            0 => 0,
            1..=8 => bytes * 8 / unit,
            _ => bytes.min(1 + self.size as usize / unit),
        };
        // Of bits mostly whole bytes.
        let more = if (1..8).contains(&unit) && self.random.once_in(3) { 8 } else { 1 };
        let units = units + self.random.below(more);
        let len = base + units * unit;
        let is_text = self.random.once_in(2);
        let bytes = (0..len.div_ceil(8)).map(|_| self.byte(is_text)).collect();
        Input::Bits(BitString::new(bytes, len))
    }

    /// A character that the program writes, or one between two of them: they may be the ends of
    /// a range.
    fn character(&mut self) -> u8 {
        let one = self.random.choose(&self.constants.characters).copied().unwrap_or(b'a');
        let other = self.random.choose(&self.constants.characters).copied().unwrap_or(b'z');
        if self.random.once_in(2) && one < other && other - one <= 26 {
            return self.random.between(i64::from(one), i64::from(other)) as u8;
        }
        one
    }

    pub(crate) fn byte(&mut self, is_text: bool) -> u8 {
        if is_text {
            if let [_, ..] = self.constants.characters[..]
                && !self.random.once_in(3)
            {
                return self.character();
            }
            return match self.random.below(8) {
                0 => b"0123456789"[self.random.below(10)],
                1 => b" ,.:;=-_/\n"[self.random.below(10)],
                _ => b'a' + self.random.below(26) as u8,
            };
        }
        match self.random.below(6) {
            0 => 0,
            1 => 255,
            2 => [127, 128, 1, 254][self.random.below(4)],
            _ => self.random.bits() as u8,
        }
    }

    /// How long something is: mostly short, now and then as long as is usual for the size, or as
    /// a number of the program says, within a limit.
    pub(crate) fn length(&mut self, usual: usize, most: usize) -> usize {
        if self.random.once_in(5)
            && let Some(&length) = self.random.choose(&self.constants.lengths)
        {
            let length = length + self.random.below(3);
            return length.saturating_sub(1).min(most);
        }
        match self.random.below(4) {
            0 => self.random.below(usual + 1),
            1 => self.random.below(usual.min(2) + 1),
            _ => self.random.below(usual.min(6) + 1),
        }
    }
}

/// Lists and binaries are as long as numbers of the program say only up to here.
pub(super) const LONG: usize = 64;
