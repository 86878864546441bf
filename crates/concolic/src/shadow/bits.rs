//! Bit strings: built of segments, and matched field by field.

use code::instr::{BitsPart, BitsSize, BitsType, Endian, Instr, Slot};
use machine::Term;
use solver::{ExprId, Field, Segment, Test, Unary};

use super::{Here, State, Value};

impl State {
    pub(super) fn bits(&mut self, here: Here<'_>, instr: &Instr) {
        let base = here.process.base;
        match *instr {
            Instr::BitsBuild { at, part, len, sizes, .. } => {
                let mut made = None;
                if self.any(here, at, (len + sizes) as usize) {
                    made = self.build_bits(here, at, part, len, sizes);
                }
                self.lane.set(base + at.0 as usize, made);
            }
            Instr::BitsStart { a, context, .. } => {
                let value = self.value(here, a.index());
                let is_bits = value.term.as_bits().is_some();
                if self.decide_test(Test::Bitstring, &value, is_bits) {
                    self.lane.set(base + context.0 as usize, value.expr);
                    self.lane.set(base + context.0 as usize + 1, None);
                }
            }
            Instr::BitsGet { context, part, size, dst, .. } => {
                let field = self.field(here, context, part, size.index());
                let expr = field.and_then(|field| {
                    let value = self.exprs.field(field);
                    self.kept(value)
                });
                self.lane.set(base + dst.0 as usize, expr);
            }
            Instr::BitsSkip { context, part, size, .. } => {
                self.field(here, context, part, size.index());
            }
            Instr::BitsEnd { context, .. } => {
                let (bits, position) = self.context(here, context);
                if bits.expr.is_some() || position.expr.is_some() {
                    let (whole, at) = (self.expr(&bits), self.expr(&position));
                    let size = self.exprs.unary(Unary::BitSize, whole);
                    let condition = self.exprs.exact(size, at);
                    let left = bits_left(&bits.term, &position.term);
                    self.decide(condition, left == Some(0));
                }
            }
            Instr::BitsRest { context, dst } => {
                let (bits, position) = self.context(here, context);
                let mut rest = None;
                if bits.expr.is_some() || position.expr.is_some() {
                    let (bits, offset) = (self.expr(&bits), self.expr(&position));
                    let expr = match self.exprs.as_const(offset).and_then(Term::as_int) {
                        Some(0) => bits,
                        _ => self.exprs.field(rest_of(bits, offset)),
                    };
                    rest = self.kept(expr);
                }
                self.lane.set(base + dst.0 as usize, rest);
            }
            _ => {}
        }
    }

    /// The bit string that is matched, and how far.
    fn context(&self, here: Here<'_>, context: Slot) -> (Value, Value) {
        let at = context.0 as usize;
        (self.value(here, at), self.value(here, at + 1))
    }

    /// The next field, if it is there and depends on the inputs: the position moves behind it.
    fn field(&mut self, here: Here<'_>, context: Slot, part: u32, size: usize) -> Option<Field> {
        let part = *here.code.bits_part(part);
        let (bits, position) = self.context(here, context);
        let size = match part.size {
            BitsSize::Computed => Some(self.value(here, size)),
            BitsSize::Fixed(bits) => {
                let units = bits / u32::from(part.unit.max(1));
                Some(Value::plain(Term::int(i64::from(units))))
            }
            BitsSize::Rest => None,
        };
        let known = [Some(&bits), Some(&position), size.as_ref()];
        if known.iter().flatten().all(|value| value.expr.is_none()) {
            return None;
        }
        if part.ty == BitsType::Float && !is_known_float(size.as_ref(), part.unit) {
            self.lose("a float of 16 bits, or of an unknown size".to_owned());
            self.pin(&[bits, position]);
            self.pin(size.as_slice());
            self.lane.set(here.process.base + context.0 as usize + 1, None);
            return None;
        }
        let (whole, offset) = (self.expr(&bits), self.expr(&position));
        let units = match &size {
            Some(size) => {
                let is_integer = size.term.is_integer();
                if !self.decide_test(Test::Integer, size, is_integer) {
                    return None;
                }
                Some(self.expr(size))
            }
            None => None,
        };
        let is_utf = matches!(part.ty, BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32);
        let unit = if part.unit == 0 { 1 } else { part.unit };
        let field = Field {
            bits: whole,
            offset,
            size: units.filter(|_| !is_utf),
            unit,
            ty: type_of(part.ty),
            signed: part.signed,
            little: part.endian != Endian::Big,
            width: false,
        };
        let width = self.exprs.field(Field { width: true, ..field });
        let value = self.exprs.field(field);
        let defined = self.exprs.test(Test::Defined, value);
        let concrete = self.concrete_width(&bits, &position, &field, size.as_ref());
        self.decide(defined, concrete.is_some());
        concrete?;
        let end = match (self.exprs.as_const(offset), self.fixed_width(&part)) {
            (Some(at), Some(fixed)) => {
                let end = at.as_int().unwrap_or(0) + i64::from(fixed);
                self.exprs.int(end)
            }
            _ => self.exprs.binop(solver::Binop::Add, offset, width),
        };
        let end = self.kept(end);
        if let Some(end) = end {
            self.integers.insert(end);
        }
        self.lane.set(here.process.base + context.0 as usize + 1, end);
        if part.ty == BitsType::Integer {
            self.integers.insert(value);
        }
        Some(field)
    }

    fn fixed_width(&self, part: &BitsPart) -> Option<u32> {
        match (part.size, part.ty) {
            (BitsSize::Fixed(bits), BitsType::Integer | BitsType::Float | BitsType::Bits) => {
                Some(bits)
            }
            _ => None,
        }
    }

    /// How many bits the field takes in the run, if it is there.
    fn concrete_width(
        &mut self,
        bits: &Value,
        position: &Value,
        field: &Field,
        size: Option<&Value>,
    ) -> Option<i64> {
        let constant = |state: &mut State, value: &Value| state.exprs.constant(value.term.clone());
        let whole = constant(self, bits);
        let offset = constant(self, position);
        let size = size.map(|size| constant(self, size)).filter(|_| field.size.is_some());
        let value = self.exprs.field(Field { bits: whole, offset, size, ..*field });
        self.exprs.as_const(value)?;
        let width = Field { bits: whole, offset, size, width: true, ..*field };
        let width = self.exprs.field(width);
        self.exprs.as_const(width).and_then(Term::as_int)
    }

    fn build_bits(
        &mut self,
        here: Here<'_>,
        at: Slot,
        part: u32,
        len: u16,
        sizes: u16,
    ) -> Option<ExprId> {
        let values = self.args(here, at, (len + sizes) as usize);
        let (values, sizes) = values.split_at(len as usize);
        let mut sizes = sizes.iter();
        let mut segments = Vec::new();
        for (number, value) in (part..).zip(values) {
            let part = *here.code.bits_part(number);
            let size = match part.size {
                BitsSize::Computed => {
                    let size = sizes.next()?;
                    if !self.decide_test(Test::Integer, size, size.term.is_integer()) {
                        return None;
                    }
                    Some(self.expr(size))
                }
                BitsSize::Fixed(bits) => {
                    let units = bits / u32::from(part.unit.max(1));
                    Some(self.exprs.int(i64::from(units)))
                }
                BitsSize::Rest => None,
            };
            if part.ty == BitsType::Float {
                let known = size.and_then(|size| self.exprs.as_const(size)).cloned();
                if !is_known_float(known.map(Value::plain).as_ref(), part.unit) {
                    self.lose("a float of 16 bits, or of an unknown size".to_owned());
                    self.pin(&self.args(here, at, values.len() + sizes.len()));
                    return None;
                }
            }
            let is_right = match part.ty {
                BitsType::Float => self.decide_number(value),
                BitsType::Bits => {
                    let is_bits = value.term.as_bits().is_some();
                    self.decide_test(Test::Bitstring, value, is_bits)
                }
                _ => self.decide_test(Test::Integer, value, value.term.is_integer()),
            };
            if !is_right {
                return None;
            }
            let is_utf = matches!(part.ty, BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32);
            segments.push(Segment {
                value: self.expr(value),
                size: size.filter(|_| !is_utf),
                unit: if part.unit == 0 { 1 } else { part.unit },
                ty: type_of(part.ty),
                little: part.endian != Endian::Big,
            });
        }
        let made = self.exprs.binary(segments);
        self.kept(made)
    }

    fn decide_number(&mut self, value: &Value) -> bool {
        self.decide_test(Test::Number, value, value.term.is_number())
    }
}

/// Whether the solver knows floats of this size: of 32 and of 64 bits.
fn is_known_float(size: Option<&Value>, unit: u16) -> bool {
    let bits = size.filter(|size| size.expr.is_none()).and_then(|size| size.term.as_int());
    matches!(bits.map(|units| units.saturating_mul(i64::from(unit.max(1)))), Some(32 | 64))
}

/// All that is left from a position on.
fn rest_of(bits: ExprId, offset: ExprId) -> Field {
    Field {
        bits,
        offset,
        size: None,
        unit: 1,
        ty: solver::BitsType::Bits,
        signed: false,
        little: false,
        width: false,
    }
}

fn bits_left(bits: &Term, position: &Term) -> Option<i64> {
    Some(bits.as_bits()?.bit_len() as i64 - position.as_int()?)
}

fn type_of(ty: BitsType) -> solver::BitsType {
    match ty {
        BitsType::Integer => solver::BitsType::Integer,
        BitsType::Float => solver::BitsType::Float,
        BitsType::Bits => solver::BitsType::Bits,
        BitsType::Utf8 => solver::BitsType::Utf8,
        BitsType::Utf16 => solver::BitsType::Utf16,
        BitsType::Utf32 => solver::BitsType::Utf32,
    }
}
