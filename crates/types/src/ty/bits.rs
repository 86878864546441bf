//! Bit strings by their sizes: `base + n * unit` bits, as `<<_:Base, _:_*Unit>>` says.

/// Sizes of bit strings; `unit` 0 for one size only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    pub unit: u32,
    pub base: u32,
}

impl Bits {
    pub const ALL: Bits = Bits { unit: 1, base: 0 };

    pub fn contains(self, size: u64) -> bool {
        let (unit, base) = (u64::from(self.unit), u64::from(self.base));
        size >= base && if unit == 0 { size == base } else { (size - base).is_multiple_of(unit) }
    }

    pub fn join(self, other: Bits) -> Bits {
        let unit = gcd(gcd(self.unit, other.unit), self.base.abs_diff(other.base));
        Bits { unit, base: self.base.min(other.base) }
    }

    /// The sizes that are in both, if any.
    pub fn meet(self, other: Bits) -> Option<Bits> {
        if self.unit == 0 || other.unit == 0 {
            let (one, of) = if self.unit == 0 { (self, other) } else { (other, self) };
            return of.contains(u64::from(one.base)).then_some(one);
        }
        // Both are open: the smallest common size, then every common multiple further.
        let (low, high) = if self.base <= other.base { (self, other) } else { (other, self) };
        let step = gcd(low.unit, high.unit);
        if !(high.base - low.base).is_multiple_of(step) {
            return None;
        }
        let unit = u64::from(low.unit) / u64::from(step) * u64::from(high.unit);
        let mut base = u64::from(high.base);
        while !low.contains(base) {
            base += u64::from(high.unit);
        }
        match (u32::try_from(unit), u32::try_from(base)) {
            (Ok(unit), Ok(base)) => Some(Bits { unit, base }),
            // Too large for words: one of the two is right, too.
            _ => Some(self),
        }
    }

    pub fn is_within(self, other: Bits) -> bool {
        other.contains(u64::from(self.base))
            && if other.unit == 0 { self.unit == 0 } else { self.unit.is_multiple_of(other.unit) }
    }

    /// Two after each other.
    pub fn followed_by(self, other: Bits) -> Bits {
        let base = u64::from(self.base) + u64::from(other.base);
        let unit = gcd(self.unit, other.unit);
        match u32::try_from(base) {
            Ok(base) if base <= MOST => Bits { unit, base },
            _ => Bits { unit: if unit == 0 { 1 } else { unit }, base: 0 },
        }
    }
}

/// Sizes that are counted exactly, so that a binary that grows in a loop comes to rest.
const MOST: u32 = 1 << 14;

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
