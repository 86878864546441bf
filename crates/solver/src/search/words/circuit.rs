//! Numbers as rows of literals, and what is computed with them, as clauses.
//!
//! A [`Word`] is a number in two's complement, the least bit first; the last bit is the sign, and
//! stands for all that would come behind it. Operations are exact: what they give is as wide as it
//! has to be. Gates are the usual ones (G. Tseitin), each made once.

use num_bigint::{BigInt, Sign};
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use super::sat::{Lit, Sat};

#[derive(Clone, Debug)]
pub(super) struct Word(Vec<Lit>);

impl Word {
    pub(super) fn width(&self) -> usize {
        self.0.len()
    }

    fn bit(&self, at: usize) -> Lit {
        self.0[at.min(self.0.len() - 1)]
    }

    pub(super) fn sign(&self) -> Lit {
        self.0[self.0.len() - 1]
    }

    /// Bits at the end that say nothing are left out.
    fn trimmed(mut self) -> Word {
        while self.0.len() > 1 && self.0[self.0.len() - 1] == self.0[self.0.len() - 2] {
            self.0.pop();
        }
        self
    }

    /// Times a power of two.
    fn raised(&self, by: usize, no: Lit) -> Word {
        let mut bits = vec![no; by];
        bits.extend(&self.0);
        Word(bits)
    }

    /// By a power of two, rounded down.
    pub(super) fn lowered(&self, by: usize) -> Word {
        Word(self.0[by.min(self.0.len() - 1)..].to_vec())
    }
}

pub(super) struct Circuit {
    pub(super) sat: Sat,
    yes: Lit,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
}

impl Circuit {
    pub(super) fn new() -> Circuit {
        let mut sat = Sat::new();
        let yes = sat.variable();
        sat.add(&[yes]);
        Circuit { sat, yes, ands: FxHashMap::default(), xors: FxHashMap::default() }
    }

    fn no(&self) -> Lit {
        self.yes.not()
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if a == self.no() || b == self.no() || a == b.not() {
            return self.no();
        }
        if a == self.yes || a == b {
            return b;
        }
        if b == self.yes {
            return a;
        }
        if let Some(&known) = self.ands.get(&(a, b)) {
            return known;
        }
        let c = self.sat.variable();
        self.sat.add(&[c.not(), a]);
        self.sat.add(&[c.not(), b]);
        self.sat.add(&[c, a.not(), b.not()]);
        self.ands.insert((a, b), c);
        c
    }

    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.and(a.not(), b.not()).not()
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        let constants = [(self.yes, true), (self.no(), false)];
        for (constant, is_yes) in constants {
            if a == constant || b == constant {
                let other = if a == constant { b } else { a };
                return if is_yes { other.not() } else { other };
            }
        }
        if a == b {
            return self.no();
        }
        if a == b.not() {
            return self.yes;
        }
        if let Some(&known) = self.xors.get(&(a, b)) {
            return known;
        }
        let c = self.sat.variable();
        self.sat.add(&[c.not(), a, b]);
        self.sat.add(&[c.not(), a.not(), b.not()]);
        self.sat.add(&[c, a.not(), b]);
        self.sat.add(&[c, a, b.not()]);
        self.xors.insert((a, b), c);
        c
    }

    pub(super) fn choice(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        if a == b {
            return a;
        }
        let (then, or_else) = (self.and(condition, a), self.and(condition.not(), b));
        self.or(then, or_else)
    }

    /// At least two of three.
    fn most(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let (both, any) = (self.and(a, b), self.or(a, b));
        let one = self.and(any, c);
        self.or(both, one)
    }

    pub(super) fn constant(&self, value: &BigInt) -> Word {
        let bits = value.bits() as usize + 1;
        let fill = value.is_negative();
        let bytes = value.to_signed_bytes_le();
        let bit = |at: usize| match bytes.get(at / 8) {
            Some(byte) => byte >> (at % 8) & 1 == 1,
            None => fill,
        };
        Word((0..bits).map(|at| if bit(at) { self.yes } else { self.no() }).collect()).trimmed()
    }

    /// Any number from one to another.
    pub(super) fn between(&mut self, low: &BigInt, high: &BigInt) -> Word {
        let needed = |value: &BigInt| match value.sign() {
            Sign::Minus => (value + 1u8).bits(),
            _ => value.bits(),
        } as usize;
        let width = needed(low).max(needed(high));
        let mut bits: Vec<Lit> = (0..width).map(|_| self.sat.variable()).collect();
        let sign = match (low.is_negative(), high.is_negative()) {
            (false, _) => self.no(),
            (_, true) => self.yes,
            _ => self.sat.variable(),
        };
        bits.push(sign);
        let word = Word(bits);
        let (least, most) = match (low.is_negative(), high.is_negative()) {
            (false, _) => (BigInt::zero(), (BigInt::from(1) << width) - 1),
            (_, true) => (-(BigInt::from(1) << width), BigInt::from(-1)),
            _ => (-(BigInt::from(1) << width), (BigInt::from(1) << width) - 1),
        };
        if *low > least {
            let bound = self.constant(&-low);
            let rest = self.sum(&word, &bound);
            self.sat.add(&[rest.sign().not()]);
        }
        if *high < most {
            let bound = self.constant(high);
            let rest = self.difference(&bound, &word);
            self.sat.add(&[rest.sign().not()]);
        }
        word
    }

    fn added(&mut self, a: &Word, b: &Word, width: usize, mut carry: Lit, flip: bool) -> Word {
        let mut bits = Vec::with_capacity(width);
        for at in 0..width {
            let (x, y) = (a.bit(at), b.bit(at));
            let y = if flip { y.not() } else { y };
            let half = self.xor(x, y);
            bits.push(self.xor(half, carry));
            if at + 1 < width {
                carry = self.most(x, y, carry);
            }
        }
        Word(bits)
    }

    pub(super) fn sum(&mut self, a: &Word, b: &Word) -> Word {
        let width = a.width().max(b.width()) + 1;
        self.added(a, b, width, self.no(), false).trimmed()
    }

    pub(super) fn difference(&mut self, a: &Word, b: &Word) -> Word {
        let width = a.width().max(b.width()) + 1;
        self.added(a, b, width, self.yes, true).trimmed()
    }

    /// Times a constant: shifts that are added, or taken away where runs of ones begin.
    pub(super) fn scaled(&mut self, a: &Word, factor: &BigInt) -> Word {
        let mut sum = self.constant(&BigInt::zero());
        let mut left = factor.abs();
        let mut at = 0;
        while !left.is_zero() {
            if left.bit(0) {
                let term = a.raised(at, self.no());
                match left.bit(1) && left.bits() > 2 {
                    true => {
                        sum = self.difference(&sum, &term);
                        left += 1;
                    }
                    false => {
                        sum = self.sum(&sum, &term);
                        left -= 1;
                    }
                }
            }
            left >>= 1;
            at += 1;
        }
        match factor.is_negative() {
            true => {
                let zero = self.constant(&BigInt::zero());
                self.difference(&zero, &sum)
            }
            false => sum,
        }
    }

    pub(super) fn product(&mut self, a: &Word, b: &Word) -> Word {
        let (a, b) = if a.width() < b.width() { (b, a) } else { (a, b) };
        let width = a.width() + b.width();
        let mut sum = self.constant(&BigInt::zero());
        for at in 0..b.width() {
            let bit = b.bit(at);
            let bits = (0..a.width()).map(|i| self.and(a.bit(i), bit)).collect();
            let term = Word(bits).raised(at, self.no());
            // The sign counts negative.
            sum = match at + 1 == b.width() {
                true => self.added(&sum, &term, width, self.yes, true),
                false => self.sum(&sum, &term),
            };
        }
        sum.trimmed()
    }

    pub(super) fn bitwise(
        &mut self,
        a: &Word,
        b: &Word,
        mut gate: impl FnMut(&mut Circuit, Lit, Lit) -> Lit,
    ) -> Word {
        let width = a.width().max(b.width());
        Word((0..width).map(|at| gate(self, a.bit(at), b.bit(at))).collect()).trimmed()
    }

    pub(super) fn band(&mut self, a: &Word, b: &Word) -> Word {
        self.bitwise(a, b, Circuit::and)
    }

    pub(super) fn bor(&mut self, a: &Word, b: &Word) -> Word {
        self.bitwise(a, b, Circuit::or)
    }

    pub(super) fn bxor(&mut self, a: &Word, b: &Word) -> Word {
        self.bitwise(a, b, Circuit::xor)
    }

    /// The last bits, as a number that is not negative.
    pub(super) fn low_bits(&self, a: &Word, count: usize) -> Word {
        let mut bits: Vec<Lit> = (0..count).map(|at| a.bit(at)).collect();
        bits.push(self.no());
        Word(bits)
    }

    /// `a bsl k`, or `bsr` where `k` is negative.
    pub(super) fn shifted(&self, a: &Word, by: i64) -> Word {
        match usize::try_from(by) {
            Ok(by) => a.raised(by, self.no()),
            Err(_) => a.lowered(by.unsigned_abs() as usize),
        }
    }

    pub(super) fn chosen(&mut self, condition: Lit, a: &Word, b: &Word) -> Word {
        self.bitwise(a, b, |circuit, x, y| circuit.choice(condition, x, y))
    }

    pub(super) fn magnitude(&mut self, a: &Word) -> Word {
        let zero = self.constant(&BigInt::zero());
        let negated = self.difference(&zero, a);
        self.chosen(a.sign(), &negated, a)
    }

    pub(super) fn is_zero(&mut self, a: &Word) -> Lit {
        let mut any = self.no();
        for &bit in &a.0 {
            any = self.or(any, bit);
        }
        any.not()
    }

    pub(super) fn are_equal(&mut self, a: &Word, b: &Word) -> Lit {
        let mut same = self.yes;
        for at in 0..a.width().max(b.width()) {
            let differ = self.xor(a.bit(at), b.bit(at));
            same = self.and(same, differ.not());
        }
        same
    }

    pub(super) fn equate(&mut self, a: &Word, b: &Word) {
        for at in 0..a.width().max(b.width()) {
            let (x, y) = (a.bit(at), b.bit(at));
            self.sat.add(&[x, y.not()]);
            self.sat.add(&[x.not(), y]);
        }
    }

    /// The number that a word is, when everything is decided.
    pub(super) fn value(&self, a: &Word) -> BigInt {
        let mut value = BigInt::zero();
        let (sign, bits) = (a.width() - 1, a.0.iter().enumerate());
        for (at, _) in bits.filter(|&(_, &bit)| self.sat.value(bit) == Some(true)) {
            let power = BigInt::from(1) << at;
            value += if at == sign { -power } else { power };
        }
        value
    }
}
