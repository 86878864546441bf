//! Expressions that denote a term: what may stand in an attribute.
//!
//! OTP turns the value of an attribute into the term itself. The tree keeps the expression; here it
//! is decided whether it denotes a term, and what the binaries in it are. Written as text (see
//! [`crate::abstract_format`]) everything else denotes itself.

use num_bigint::BigInt;

use crate::ast::{Kind, Module, NodeId, SigilKind, UnaryOp};
use crate::token::Literal;

/// A binary larger than this is refused. (OTP would build it.)
const MAX_BITS: usize = 1 << 29;

/// A string of bits.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    pub(crate) bytes: Vec<u8>,
    /// How many bits; the unused ones at the end of the last byte are zero.
    pub(crate) len: usize,
}

impl Bits {
    fn push_bit(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let (true, Some(last)) = (bit, self.bytes.last_mut()) {
            *last |= 0x80 >> (self.len % 8);
        }
        self.len += 1;
    }

    fn push_byte(&mut self, byte: u8) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(byte);
            self.len += 8;
        } else {
            (0..8).for_each(|i| self.push_bit(byte & (0x80 >> i) != 0));
        }
    }

    fn append(&mut self, other: &Bits, len: usize) {
        for index in 0..len {
            self.push_bit(other.bytes[index / 8] & (0x80 >> (index % 8)) != 0);
        }
    }

    /// The lowest `len` bits of an integer.
    fn push_integer(&mut self, value: &BigInt, len: usize, little: bool) {
        let bytes = value.to_signed_bytes_le();
        let fill = if value.sign() == num_bigint::Sign::Minus { 0xFF } else { 0 };
        let byte = |index: usize| bytes.get(index).copied().unwrap_or(fill);
        let (whole, rest) = (len / 8, len % 8);
        if little {
            (0..whole).for_each(|index| self.push_byte(byte(index)));
        }
        if rest > 0 {
            (0..rest).rev().for_each(|bit| self.push_bit(byte(whole) & (1 << bit) != 0));
        }
        if !little {
            (0..whole).rev().for_each(|index| self.push_byte(byte(index)));
        }
    }
}

/// Type specifiers of a segment.
struct Spec<'a> {
    ty: &'a str,
    little: bool,
    unit: Option<usize>,
}

impl Module {
    /// Whether an expression denotes a term, as the value of an attribute must.
    pub(crate) fn denotes_term(&self, node: NodeId) -> bool {
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            match self.kind(node) {
                Kind::Atom(_)
                | Kind::Integer(_)
                | Kind::Float(_)
                | Kind::Char(_)
                | Kind::String(_)
                | Kind::Sigil { .. }
                | Kind::Nil
                | Kind::NameArity { .. } => {}
                Kind::List { elements, tail } => {
                    pending.extend(self.list(elements));
                    pending.extend(tail);
                }
                Kind::Tuple { elements } => pending.extend(self.list(elements)),
                Kind::Map { base: None, fields } => {
                    for &field in self.list(fields) {
                        let Kind::MapField { exact: false, key, value } = self.kind(field) else {
                            return false;
                        };
                        pending.extend([key, value]);
                    }
                }
                Kind::FunRemote { module, name, arity } => {
                    let parts = (self.kind(module), self.kind(name), self.kind(arity));
                    if !matches!(parts, (Kind::Atom(_), Kind::Atom(_), Kind::Integer(_))) {
                        return false;
                    }
                }
                Kind::UnaryOp { op: UnaryOp::Plus | UnaryOp::Minus, operand } => {
                    let operand = self.kind(operand);
                    if !matches!(operand, Kind::Char(_) | Kind::Integer(_) | Kind::Float(_)) {
                        return false;
                    }
                }
                Kind::Binary { .. } if self.binary_constant(node, 0).is_some() => {}
                _ => return false,
            }
        }
        true
    }

    /// The bits of a binary that is made of constants.
    pub(crate) fn binary_constant(&self, node: NodeId, depth: u32) -> Option<Bits> {
        let Kind::Binary { elements } = self.kind(node) else { return None };
        let mut bits = Bits::default();
        for &element in self.list(elements) {
            let Kind::BinElement { value, size, specs } = self.kind(element) else { return None };
            let mut spec = Spec { ty: "integer", little: false, unit: None };
            for &each in self.list(specs.unwrap_or_default()) {
                self.read_spec(each, &mut spec)?;
            }
            let size = match size {
                Some(size) => Some(usize::try_from(self.integer_constant(size)?).ok()?),
                None => None,
            };
            self.push_segment(&mut bits, value, size, &spec, depth)?;
            if bits.len > MAX_BITS {
                return None;
            }
        }
        Some(bits)
    }

    fn read_spec<'a>(&self, node: NodeId, spec: &mut Spec<'a>) -> Option<()> {
        let Kind::BinSpec { name, unit } = self.kind(node) else { return None };
        match (name.as_str(), unit) {
            ("unit", Some(unit)) => {
                let unit = usize::try_from(self.integer_constant(unit)?).ok()?;
                spec.unit = Some(unit).filter(|unit| (1..=256).contains(unit));
                spec.unit?;
            }
            ("little", None) => spec.little = true,
            ("native", None) => spec.little = cfg!(target_endian = "little"),
            ("big" | "signed" | "unsigned", None) => {}
            ("binary" | "bytes", None) => spec.ty = "binary",
            ("bitstring" | "bits", None) => spec.ty = "bitstring",
            (ty @ ("integer" | "float" | "utf8" | "utf16" | "utf32"), None) => spec.ty = ty,
            _ => return None,
        }
        Some(())
    }

    fn push_segment(
        &self,
        bits: &mut Bits,
        value: NodeId,
        size: Option<usize>,
        spec: &Spec<'_>,
        depth: u32,
    ) -> Option<()> {
        let unit = spec.unit.unwrap_or(match spec.ty {
            "binary" => 8,
            _ => 1,
        });
        match self.kind(value) {
            Kind::String(text) => {
                for c in self.string(text)?.chars() {
                    push_number(bits, Number::Integer(BigInt::from(c as u32)), size, unit, spec)?;
                }
            }
            Kind::Binary { .. } if matches!(spec.ty, "binary" | "bitstring") => {
                // Binaries inside binaries: nobody writes more than a few levels.
                let inner = if depth < 100 {
                    self.binary_constant(value, depth + 1)?
                } else {
                    return None;
                };
                let len = match size {
                    Some(size) => size.checked_mul(unit)?,
                    None => inner.len,
                };
                if len > inner.len || (size.is_none() && !inner.len.is_multiple_of(unit)) {
                    return None;
                }
                bits.append(&inner, len);
            }
            Kind::Sigil { which: SigilKind::Binary, text } if spec.ty == "binary" => {
                self.string(text)?.bytes().for_each(|byte| bits.push_byte(byte));
            }
            _ => {
                let number = match self.float_constant(value) {
                    Some(float) => Number::Float(float),
                    None => Number::Integer(self.integer_constant(value)?),
                };
                push_number(bits, number, size, unit, spec)?;
            }
        }
        Some(())
    }

    fn string(&self, id: crate::token::LiteralId) -> Option<&str> {
        match self.literal(id) {
            Literal::String(text) => Some(text),
            _ => None,
        }
    }

    fn integer_constant(&self, node: NodeId) -> Option<BigInt> {
        match self.kind(node) {
            Kind::Integer(id) => match self.literal(id) {
                Literal::Integer(value) => Some(value.clone()),
                _ => None,
            },
            Kind::Char(code) => Some(BigInt::from(code)),
            Kind::UnaryOp { op, operand } => {
                if matches!(self.kind(operand), Kind::UnaryOp { .. }) {
                    return None;
                }
                let value = self.integer_constant(operand)?;
                match op {
                    UnaryOp::Plus => Some(value),
                    UnaryOp::Minus => Some(-value),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn float_constant(&self, node: NodeId) -> Option<f64> {
        match self.kind(node) {
            Kind::Float(id) => match self.literal(id) {
                Literal::Float(value) => Some(*value),
                _ => None,
            },
            Kind::UnaryOp { op, operand } if matches!(self.kind(operand), Kind::Float(_)) => {
                let value = self.float_constant(operand)?;
                match op {
                    UnaryOp::Plus => Some(value),
                    UnaryOp::Minus => Some(-value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

enum Number {
    Integer(BigInt),
    Float(f64),
}

fn push_number(
    bits: &mut Bits,
    number: Number,
    size: Option<usize>,
    unit: usize,
    spec: &Spec<'_>,
) -> Option<()> {
    match (spec.ty, number) {
        ("integer", Number::Integer(value)) => {
            let len = size.unwrap_or(8).checked_mul(unit)?;
            if len > MAX_BITS {
                return None;
            }
            bits.push_integer(&value, len, spec.little);
        }
        ("float", number) => {
            let value = match number {
                Number::Float(value) => value,
                Number::Integer(value) => value.to_string().parse::<f64>().ok()?,
            };
            let mut bytes = match size.unwrap_or(64).checked_mul(unit)? {
                64 => value.to_be_bytes().to_vec(),
                32 => (value as f32).to_be_bytes().to_vec(),
                _ => return None,
            };
            if spec.little {
                bytes.reverse();
            }
            bytes.into_iter().for_each(|byte| bits.push_byte(byte));
        }
        (ty @ ("utf8" | "utf16" | "utf32"), Number::Integer(value)) if size.is_none() => {
            let c = char::from_u32(u32::try_from(value).ok()?)?;
            push_character(bits, c, ty, spec.little);
        }
        _ => return None,
    }
    Some(())
}

fn push_character(bits: &mut Bits, c: char, encoding: &str, little: bool) {
    let mut push = |bytes: &[u8]| bytes.iter().for_each(|&byte| bits.push_byte(byte));
    match encoding {
        "utf8" => push(c.encode_utf8(&mut [0; 4]).as_bytes()),
        "utf16" => {
            for unit in c.encode_utf16(&mut [0; 2]) {
                push(&if little { unit.to_le_bytes() } else { unit.to_be_bytes() });
            }
        }
        _ => push(&if little { (c as u32).to_le_bytes() } else { (c as u32).to_be_bytes() }),
    }
}
