//! Bit syntax: building and matching bit strings.
//!
//! Every segment is first completed with the defaults of its type. Built, values and sizes are
//! evaluated segment by segment and then put together by one instruction a segment; binaries of
//! constant bytes are constants. Matched, a context (two slots: the bits and the position) goes
//! from segment to segment; sizes may use variables that segments further left have bound.

use atom::{Atom, known};
use syntax::ast::{Kind, NodeId, NodeList};
use syntax::token::Literal;
use term::bits::BitWriter;
use term::{Term, View, arith};

use super::builder::Label;
use super::expr::Want;
use super::literal::small;
use super::{Lowerer, Result};
use crate::instr::{
    BitsPart, BitsSize, BitsType, CompareOp, Endian, Failure, Instr, Slot, TypeTest, Use,
};

/// A segment with its defaults filled in.
struct Segment {
    part: BitsPart,
    value: NodeId,
    /// The expression of a size that is not a constant.
    size: Option<NodeId>,
    /// Neither size nor type were written.
    plain: bool,
}

impl Lowerer<'_> {
    /// What a segment says, with the defaults of the bit syntax.
    fn segment(&self, element: NodeId) -> Result<Segment> {
        let m = self.m;
        let Kind::BinElement { value, size, specs } = m.kind(element) else {
            return self.unsupported(element, "this is not a segment");
        };
        let mut part = BitsPart {
            ty: BitsType::Integer,
            signed: false,
            endian: Endian::Big,
            unit: 0,
            size: BitsSize::Rest,
        };
        for &spec in m.list(specs.unwrap_or_default()) {
            let Kind::BinSpec { name, unit } = m.kind(spec) else { continue };
            match name.as_str() {
                "integer" => part.ty = BitsType::Integer,
                "float" => part.ty = BitsType::Float,
                "binary" | "bytes" => {
                    part.ty = BitsType::Bits;
                    part.unit = if part.unit == 0 { 8 } else { part.unit };
                }
                "bitstring" | "bits" => {
                    part.ty = BitsType::Bits;
                    part.unit = if part.unit == 0 { 1 } else { part.unit };
                }
                "utf8" => part.ty = BitsType::Utf8,
                "utf16" => part.ty = BitsType::Utf16,
                "utf32" => part.ty = BitsType::Utf32,
                "signed" => part.signed = true,
                "unsigned" => part.signed = false,
                "big" => part.endian = Endian::Big,
                "little" => part.endian = Endian::Little,
                "native" => part.endian = Endian::Native,
                "unit" => {
                    let unit = unit.and_then(|unit| self.constant(unit)?.as_int());
                    match unit.and_then(|unit| u16::try_from(unit).ok()) {
                        Some(unit) => part.unit = unit,
                        None => return self.unsupported(spec, "bad unit in a segment"),
                    }
                }
                other => return self.unsupported(spec, format!("undefined bit type '{other}'")),
            }
        }
        let (default_unit, default_size) = match part.ty {
            BitsType::Integer => (1, BitsSize::Fixed(8)),
            BitsType::Float => (1, BitsSize::Fixed(64)),
            BitsType::Bits => (8, BitsSize::Rest),
            BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32 => (1, BitsSize::Rest),
        };
        if part.unit == 0 {
            part.unit = default_unit;
        }
        let mut computed = None;
        part.size = match size {
            None => match (part.ty, part.unit) {
                // A unit without a size is legal for bit strings only; the lint says so.
                (BitsType::Integer | BitsType::Float, unit) if unit != 1 => default_size,
                _ => default_size,
            },
            Some(size) => match self.constant(size).as_ref().map(Term::view) {
                Some(View::Int(value))
                    if (0..1 << 31).contains(&value.saturating_mul(i64::from(part.unit))) =>
                {
                    BitsSize::Fixed((value * i64::from(part.unit)) as u32)
                }
                _ => {
                    computed = Some(size);
                    BitsSize::Computed
                }
            },
        };
        let plain = size.is_none() && specs.is_none();
        Ok(Segment { part, value, size: computed, plain })
    }

    /// Segments of a binary. A string stands for one segment a character.
    fn segments(&self, elements: NodeList) -> Result<Vec<Segment>> {
        self.m.list(elements).iter().map(|&element| self.segment(element)).collect()
    }

    /// The characters of a segment's value, if it is a string.
    fn string_of(&self, segment: &Segment) -> Option<&str> {
        let Kind::String(literal) = self.m.kind(segment.value) else { return None };
        match self.m.literal(literal) {
            Literal::String(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a binary of plain constant bytes, such as `<<"text", 0>>`.
    pub(super) fn constant_bits(&self, elements: NodeList) -> Option<Term> {
        let mut writer = BitWriter::default();
        for segment in self.segments(elements).ok()? {
            if let Some(text) = self.string_of(&segment) {
                match (segment.plain, segment.part.ty) {
                    (true, _) => {
                        text.chars().for_each(|c| writer.push_u64(u64::from(u32::from(c)), 8))
                    }
                    (false, BitsType::Utf8) => writer.push_bytes(text.as_bytes()),
                    _ => return None,
                }
                continue;
            }
            let value = self.constant(segment.value)?.as_int()?;
            match segment.part {
                BitsPart {
                    ty: BitsType::Integer,
                    endian: Endian::Big,
                    size: BitsSize::Fixed(bits),
                    ..
                } if bits <= 64 => {
                    writer.push_u64(value as u64, bits as usize);
                }
                _ => return None,
            }
        }
        Some(Term::bits(writer.finish()))
    }

    /// `<<…>>` as an expression. The value and the size of each segment are evaluated, one segment
    /// after the other, before it is built.
    pub(super) fn bits_build(&mut self, elements: NodeList, dst: Slot) -> Result<()> {
        let mark = self.mark();
        let mut segments = Vec::new();
        let (mut parts, mut sizes) = (Vec::new(), 0);
        for segment in self.segments(elements)? {
            let text = self.string_of(&segment).map(str::to_owned);
            let count = match &text {
                Some(_) if segment.plain => {
                    parts.push(BitsPart {
                        ty: BitsType::Bits,
                        unit: 8,
                        size: BitsSize::Rest,
                        ..segment.part
                    });
                    1
                }
                Some(text) => text.chars().count(),
                None => 1,
            };
            if !(text.is_some() && segment.plain) {
                parts.extend(std::iter::repeat_n(segment.part, count));
            }
            sizes += if segment.size.is_some() { count } else { 0 };
            segments.push((segment, text));
        }
        let at = self.temps((parts.len() + sizes).max(1));
        let (mut value, mut size) = (at.0, at.0 + parts.len() as u16);
        for (segment, text) in segments {
            match text {
                Some(text) if segment.plain => {
                    let bytes: Vec<u8> = text.chars().map(|c| u32::from(c) as u8).collect();
                    self.load(Slot(value), Term::binary(bytes));
                    value += 1;
                }
                Some(text) if text.is_empty() => {
                    if let Some(size) = segment.size {
                        self.check_size(size)?;
                    }
                }
                Some(text) => {
                    for c in text.chars() {
                        self.load(Slot(value), Term::int(i64::from(u32::from(c))));
                        value += 1;
                    }
                    if let Some(node) = segment.size {
                        // One size for all characters.
                        let first = Slot(size);
                        self.eval(node, Want::Value(first))?;
                        for _ in text.chars() {
                            self.move_to(Slot(size), first);
                            size += 1;
                        }
                    }
                }
                None => {
                    self.eval(segment.value, Want::Value(Slot(value)))?;
                    value += 1;
                    if let Some(node) = segment.size {
                        self.eval(node, Want::Value(Slot(size)))?;
                        size += 1;
                    }
                }
            }
        }
        let part = self.code.bits_parts.len() as u32;
        self.code.bits_parts.extend(&parts);
        let fail = self.on_failure();
        let (len, sizes) = (parts.len() as u16, sizes as u16);
        self.emit(Instr::BitsBuild { at, part, len, sizes, fail });
        self.move_to(dst, at);
        self.release(mark);
        Ok(())
    }

    /// The size of an empty string: nothing is made of it, but it must be one. OTP's compiler
    /// evaluates it, and again for each of the two tests.
    fn check_size(&mut self, size: NodeId) -> Result<()> {
        let mark = self.mark();
        self.operand(size)?;
        let (bad, fine) = (self.new_label(), self.new_label());
        let fail = self.f().guard.unwrap_or(bad);
        let a = Use::of(self.operand(size)?);
        self.emit(Instr::TypeTest { test: TypeTest::Integer, a, fail });
        let a = Use::of(self.operand(size)?);
        self.emit(Instr::BranchInt { op: CompareOp::Ge, a, value: 0, fail });
        self.jump(fine);
        self.bind_label(bad);
        let reason = self.temp();
        self.load_atom(reason, Atom::new("badarg"));
        self.fail_with(Failure::Plain, reason);
        self.bind_label(fine);
        self.release(mark);
        Ok(())
    }

    /// `<<…>>` as a pattern for the whole of the value in `slot`.
    pub(super) fn bits_pattern(
        &mut self,
        elements: NodeList,
        slot: Slot,
        fail: Label,
    ) -> Result<()> {
        let context = self.start_match(slot, fail);
        self.match_segments(elements, context, fail)?;
        self.emit(Instr::BitsEnd { context, fail });
        self.emit(Instr::Drop { slot: context });
        Ok(())
    }

    /// As [`Lowerer::bits_pattern`], but more may follow.
    pub(super) fn bits_prefix(
        &mut self,
        elements: NodeList,
        slot: Slot,
        fail: Label,
    ) -> Result<()> {
        let context = self.start_match(slot, fail);
        self.match_segments(elements, context, fail)?;
        self.emit(Instr::Drop { slot: context });
        Ok(())
    }

    fn start_match(&mut self, slot: Slot, fail: Label) -> Slot {
        let context = self.temps(2);
        self.emit(Instr::BitsStart { a: Use::of(slot), context, fail });
        context
    }

    fn match_segments(&mut self, elements: NodeList, context: Slot, fail: Label) -> Result<()> {
        let around = std::mem::take(&mut self.f().in_bits);
        for segment in self.segments(elements)? {
            self.match_segment(&segment, context, fail)?;
            if let Kind::Var(name) = self.m.kind(segment.value) {
                self.f().in_bits.push(name);
            }
        }
        self.f().in_bits = around;
        Ok(())
    }

    fn match_segment(&mut self, segment: &Segment, context: Slot, fail: Label) -> Result<()> {
        if let Some(text) = self.string_of(segment).map(str::to_owned) {
            return self.match_string(segment, &text, context, fail);
        }
        let (part, size) = self.part_with_size(segment, context, fail)?;
        let value = segment.value;
        match self.m.kind(value) {
            Kind::Var(known::UNDERSCORE) => {
                self.emit(Instr::BitsSkip { context, part, size, fail });
            }
            Kind::Var(name) if !self.is_bound(name) => {
                let dst = self.var_slot(name);
                self.emit(Instr::BitsGet { context, part, size, dst, fail });
                self.bind(name);
            }
            _ => {
                let dst = self.temp();
                self.emit(Instr::BitsGet { context, part, size, dst, fail });
                let integer = self.constant_in_pattern(value).filter(Term::is_integer);
                match (segment.part.ty, integer.as_ref().and_then(arith::to_f64)) {
                    // `<<1:64/float>>` means 1.0.
                    (BitsType::Float, Some(float)) => {
                        let index = self.const_index(Term::float(float));
                        self.emit(Instr::IsConst { a: Use::of(dst), index, fail });
                    }
                    _ => self.pattern(value, dst, fail)?,
                }
            }
        }
        Ok(())
    }

    /// Whether every constant of a binary pattern has room in its segment. One that has none
    /// matches nothing; built, its high bits are lost.
    pub(super) fn constants_fit(&self, elements: NodeList) -> bool {
        let fits = |segment: &Segment| {
            if let Some(text) = self.string_of(segment) {
                return !segment.plain || is_bytes(text);
            }
            let (Some(value), BitsSize::Fixed(bits)) =
                (self.constant(segment.value).and_then(|value| value.as_int()), segment.part.size)
            else {
                return false;
            };
            match segment.part.signed {
                true if bits < 64 => {
                    bits > 0 && (value >> (bits - 1) == 0 || value >> (bits - 1) == -1)
                }
                false if bits < 64 => value >> bits == 0,
                signed => signed || value >= 0,
            }
        };
        self.segments(elements).is_ok_and(|segments| segments.iter().all(fits))
    }

    /// Registers the part and evaluates its size.
    fn part_with_size(
        &mut self,
        segment: &Segment,
        context: Slot,
        fail: Label,
    ) -> Result<(u32, Use)> {
        let size = match segment.size {
            Some(size) => self.pattern_operand(size, fail)?,
            None => context, // not looked at
        };
        self.code.bits_parts.push(segment.part);
        Ok((self.code.bits_parts.len() as u32 - 1, Use::of(size)))
    }

    fn match_string(
        &mut self,
        segment: &Segment,
        text: &str,
        context: Slot,
        fail: Label,
    ) -> Result<()> {
        if segment.plain && is_bytes(text) {
            let bytes: Vec<u8> = text.chars().map(|c| u32::from(c) as u8).collect();
            let bits = bytes.len() as u32 * 8;
            let whole = BitsPart {
                ty: BitsType::Bits,
                unit: 8,
                size: BitsSize::Fixed(bits),
                ..segment.part
            };
            self.code.bits_parts.push(whole);
            let part = self.code.bits_parts.len() as u32 - 1;
            let dst = self.temp();
            self.emit(Instr::BitsGet { context, part, size: Use::of(context), dst, fail });
            let index = self.const_index(Term::binary(bytes));
            self.emit(Instr::IsConst { a: Use::of(dst), index, fail });
            return Ok(());
        }
        for c in text.chars() {
            let (part, size) = self.part_with_size(segment, context, fail)?;
            let dst = self.temp();
            self.emit(Instr::BitsGet { context, part, size, dst, fail });
            let term = Term::int(i64::from(u32::from(c)));
            match (segment.part.ty, small(&term)) {
                (BitsType::Float, _) | (_, None) => {
                    let index = self.const_index(Term::float(f64::from(u32::from(c))));
                    self.emit(Instr::IsConst { a: Use::of(dst), index, fail });
                }
                (_, Some(value)) => self.emit(Instr::IsInt { a: Use::of(dst), value, fail }),
            }
        }
        Ok(())
    }

    /// For a binary generator: takes the sizes of one element off `slot`, whatever the values are,
    /// and puts the rest into `tail`. Goes to `fail` if there is not enough.
    pub(super) fn bits_skeleton(
        &mut self,
        elements: NodeList,
        slot: Slot,
        tail: Slot,
        fail: Label,
    ) -> Result<()> {
        let context = self.start_match(slot, fail);
        let bound = self.f().bound.len();
        let around = std::mem::take(&mut self.f().in_bits);
        for segment in self.segments(elements)? {
            let count = self.string_of(&segment).map_or(1, |text| text.chars().count());
            for _ in 0..count {
                let (part, size) = self.part_with_size(&segment, context, fail)?;
                match self.m.kind(segment.value) {
                    // A later size may speak of this value.
                    Kind::Var(name) if name != known::UNDERSCORE && !self.is_bound(name) => {
                        let dst = self.var_slot(name);
                        self.emit(Instr::BitsGet { context, part, size, dst, fail });
                        self.bind(name);
                    }
                    _ => self.emit(Instr::BitsSkip { context, part, size, fail }),
                }
            }
            if let Kind::Var(name) = self.m.kind(segment.value) {
                self.f().in_bits.push(name);
            }
        }
        self.f().in_bits = around;
        self.f().bound.truncate(bound);
        self.emit(Instr::BitsRest { context, dst: tail });
        self.emit(Instr::Drop { slot: context });
        Ok(())
    }
}

/// Whether a string has room in bytes. Characters that have none match nothing; built, their high
/// bits are lost.
fn is_bytes(text: &str) -> bool {
    text.chars().all(|c| u32::from(c) < 256)
}
