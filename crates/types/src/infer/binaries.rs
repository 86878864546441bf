//! Binaries: sizes of what is built, and what segments bind.

use syntax::ast::{Kind, NodeId, NodeList};
use syntax::token::Literal;

use super::body::Body;
use super::solver::{Alive, ValueId};
use crate::declared::resolve;
use crate::ty::{Bits, Type};

/// What a segment is read or written as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    Integer,
    Float,
    Bits,
    Utf,
}

/// A segment: its value, what it is, how many bits it takes.
struct Segment {
    value: NodeId,
    size: Option<NodeId>,
    what: As,
    signed: bool,
    /// Bits, where they are known.
    bits: Option<u64>,
    unit: u32,
}

impl Body<'_> {
    fn segment(&self, element: NodeId) -> Option<Segment> {
        let tree = self.tree();
        let Kind::BinElement { value, size, specs } = tree.kind(element) else { return None };
        let (mut what, mut signed, mut unit) = (As::Integer, false, None);
        let mut utf_bits = None;
        for &spec in specs.map(|specs| self.list(specs)).unwrap_or_default() {
            let Kind::BinSpec { name, unit: given } = tree.kind(spec) else { continue };
            match name.as_str() {
                "float" => what = As::Float,
                "binary" | "bytes" => {
                    what = As::Bits;
                    unit = unit.or(Some(8));
                }
                "bitstring" | "bits" => {
                    what = As::Bits;
                    unit = unit.or(Some(1));
                }
                "utf8" => (what, utf_bits) = (As::Utf, Some(8)),
                "utf16" => (what, utf_bits) = (As::Utf, Some(16)),
                "utf32" => (what, utf_bits) = (As::Utf, Some(32)),
                "signed" => signed = true,
                "unit" => {
                    let given = given.and_then(|unit| resolve::integer(tree, unit));
                    unit = given.and_then(|unit| u32::try_from(unit).ok());
                }
                _ => {}
            }
        }
        let unit = unit.unwrap_or(1);
        let known = size.map(|size| resolve::integer(tree, size));
        let bits = match (known, what) {
            (Some(size), _) => {
                size.and_then(|size| u64::try_from(size).ok()?.checked_mul(u64::from(unit)))
            }
            (None, As::Integer) => Some(8),
            (None, As::Float) => Some(64),
            (None, As::Bits | As::Utf) => None,
        };
        let unit = match (what, size) {
            (As::Utf, _) => utf_bits.unwrap_or(8),
            _ => unit,
        };
        Some(Segment { value, size, what, signed, bits, unit })
    }

    /// The sizes that a segment may have.
    fn sizes(&self, segment: &Segment, of_value: &Type) -> Bits {
        let text = match self.tree().kind(segment.value) {
            Kind::String(literal) => match self.tree().literal(literal) {
                Literal::String(text) => Some(text.chars().count() as u64),
                _ => None,
            },
            _ => None,
        };
        let bits = match (text, segment.what) {
            (Some(0), _) => return Bits { unit: 0, base: 0 },
            (Some(count), As::Integer | As::Float) => {
                segment.bits.and_then(|bits| bits.checked_mul(count))
            }
            _ => segment.bits,
        };
        match bits.and_then(|bits| u32::try_from(bits).ok()) {
            Some(base) => Bits { unit: 0, base },
            None if segment.what == As::Utf => Bits { unit: segment.unit, base: segment.unit },
            None if segment.what == As::Bits && segment.size.is_none() => {
                let known = of_value.parts().bits.unwrap_or(Bits::ALL);
                known.meet(Bits { unit: segment.unit, base: 0 }).unwrap_or(known)
            }
            None => Bits { unit: segment.unit.max(1), base: 0 },
        }
    }

    /// `<<…>>` as an expression.
    pub(super) fn binary(&mut self, elements: NodeList) -> Alive<ValueId> {
        let mut segments = Vec::new();
        for &element in self.list(elements) {
            let Some(segment) = self.segment(element) else { continue };
            let value = self.eval(segment.value)?;
            let size = match segment.size {
                Some(size) => Some(self.eval(size)?),
                None => None,
            };
            segments.push((segment, value, size));
        }
        let mut all = Bits { unit: 0, base: 0 };
        for (segment, value, size) in segments {
            if let Some(size) = size {
                self.solver.narrow(size, &Type::non_negative())?;
            }
            if !matches!(self.tree().kind(segment.value), Kind::String(_)) {
                let wanted = match segment.what {
                    As::Integer => Type::integer(),
                    As::Float => Type::number(),
                    As::Bits => Type::bitstring(),
                    As::Utf => Type::char(),
                };
                self.solver.narrow(value, &wanted)?;
            }
            let of_value = self.solver.ty(value).clone();
            all = all.followed_by(self.sizes(&segment, &of_value));
        }
        Ok(self.solver.value(Type::bits(all.unit, all.base)))
    }

    /// What a last segment without a size reads: what is left when the others have read theirs,
    /// where these are of known sizes.
    fn rest_of(&self, value: ValueId, segments: &[Segment]) -> Option<Type> {
        let (last, others) = segments.split_last()?;
        if !last.is_rest() {
            return None;
        }
        let mut fixed = 0;
        for segment in others {
            let bits = self.sizes(segment, &Type::bitstring());
            if bits.unit != 0 {
                return None;
            }
            fixed += bits.base;
        }
        let whole = self.solver.ty(value).parts().bits?;
        let base = match whole.base.checked_sub(fixed) {
            Some(base) => base,
            None if whole.unit == 0 => return Some(Type::None),
            None => (whole.unit - (fixed - whole.base) % whole.unit) % whole.unit,
        };
        let left = Bits { unit: whole.unit, base }.meet(Bits { unit: last.unit, base: 0 })?;
        Some(Type::bits(left.unit, left.base))
    }

    /// `<<…>>` as a pattern.
    pub(super) fn binary_pattern(&mut self, elements: NodeList, value: ValueId) -> Alive {
        let mut all = Bits { unit: 0, base: 0 };
        let mut segments = Vec::new();
        for &element in self.list(elements) {
            let Some(segment) = self.segment(element) else { continue };
            all = all.followed_by(self.sizes(&segment, &Type::bitstring()));
            segments.push(segment);
        }
        self.solver.narrow(value, &Type::bits(all.unit, all.base))?;
        let mut rest = self.rest_of(value, &segments);
        for segment in segments {
            if let Some(size) = segment.size {
                // A size that is no number does not match, and is no failure.
                let size = self.eval(size)?;
                self.solver.narrow(size, &Type::integer())?;
            }
            if matches!(self.tree().kind(segment.value), Kind::String(_)) {
                continue;
            }
            // An integer that is written in the place of a float stands for that float.
            if segment.what == As::Float && resolve::integer(self.tree(), segment.value).is_some() {
                continue;
            }
            let left = if segment.is_rest() { rest.take() } else { None };
            let part = self.solver.value(left.unwrap_or_else(|| read(&segment)));
            self.pattern(segment.value, part)?;
        }
        Ok(())
    }
}

impl Segment {
    /// Whether it takes what is left.
    fn is_rest(&self) -> bool {
        self.what == As::Bits && self.size.is_none()
    }
}

/// What a segment of a pattern reads.
fn read(segment: &Segment) -> Type {
    match segment.what {
        As::Float => Type::float(),
        As::Utf => Type::char(),
        As::Bits => match segment.bits.and_then(|bits| u32::try_from(bits).ok()) {
            Some(base) => Type::bits(0, base),
            None => Type::bits(segment.unit.max(1), 0),
        },
        As::Integer => match (segment.bits, segment.signed) {
            (Some(0), _) => Type::the_integer(0),
            (Some(bits @ 1..=62), false) => Type::integers(Some(0), Some((1 << bits) - 1)),
            (Some(bits @ 1..=62), true) => {
                Type::integers(Some(-(1 << (bits - 1))), Some((1 << (bits - 1)) - 1))
            }
            (_, false) => Type::non_negative(),
            (_, true) => Type::integer(),
        },
    }
}
