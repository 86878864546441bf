//! Bit strings: sizes are integers, and what is read or written at a known place is a field, an
//! unsigned number.
//!
//! Fields that overlap are cut at each other's ends; a field is the sum of its pieces, each shifted
//! to its place, so bit strings become linear facts. A field whose place is not known waits.

use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use term::{Term, arith};

use super::facts::{Action, Operation};
use super::kinds::Kinds;
use super::propagate::power;
use super::state::{Conflict, Context, Node, State, Step};
use crate::expr::{BitsType, Expr, ExprId, Field, Segment};
use crate::linear::Rel;

/// Larger fields are not looked into.
const MAX_FIELD: u64 = 1 << 14;

/// Marks fields that were cut, in `State::said`.
const CUT: u32 = u32::MAX;

fn times(terms: &[(i64, Node)]) -> Vec<(Node, BigInt)> {
    terms.iter().map(|&(factor, node)| (node, BigInt::from(factor))).collect()
}

impl State {
    pub(crate) fn define_field(&mut self, cx: &mut Context<'_>, field: &Field) -> Step<Node> {
        let (bits, offset) = self.base(cx, field)?;
        self.narrow(bits, Kinds::BITS)?;
        self.narrow(offset, Kinds::INT)?;
        self.linear(&[(1, offset)], 0, Rel::Ge);
        let (size, unit) = (self.size(bits), i64::from(field.unit));
        let mut args = vec![bits, offset];
        let is_utf = matches!(field.ty, BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32);
        let width = self.fresh(Kinds::INT);
        self.linear(&[(1, width)], 0, Rel::Ge);
        self.linear(&[(1, size), (-1, offset), (-1, width)], 0, Rel::Ge);
        match field.size {
            _ if is_utf => {}
            Some(units) => {
                let units = self.define(cx, units)?;
                self.narrow(units, Kinds::INT)?;
                self.linear(&[(1, units)], 0, Rel::Ge);
                self.linear(&[(1, width), (-unit, units)], 0, Rel::Eq);
                args.push(units);
            }
            None => {
                self.linear(&[(1, size), (-1, offset), (-1, width)], 0, Rel::Eq);
                if unit > 1 {
                    let units = self.fresh(Kinds::INT);
                    self.linear(&[(1, width), (-unit, units)], 0, Rel::Eq);
                }
            }
        }
        if field.width && matches!(field.ty, BitsType::Integer | BitsType::Bits) {
            return Ok(width);
        }
        let kinds = match field.ty {
            _ if field.width => Kinds::INT,
            BitsType::Float => Kinds::FLOAT,
            BitsType::Bits => Kinds::BITS,
            _ => Kinds::INT,
        };
        let result = self.apply(Operation::Field(*field), args, kinds);
        if field.ty == BitsType::Bits {
            let inner = self.size(result);
            self.merge(inner, width)?;
        }
        Ok(result)
    }

    /// The bit string that a field is in, and its offset there: what is left of a bit string after
    /// what is left of it, and so on, is looked at in the first one.
    fn base(&mut self, cx: &mut Context<'_>, field: &Field) -> Step<(Node, Node)> {
        let exprs = cx.exprs;
        let known = |id: ExprId| exprs.as_const(id).and_then(Term::as_int).filter(|at| *at >= 0);
        let (mut bits, mut offset) = (field.bits, known(field.offset));
        while let Some(at) = offset
            && let Expr::Field(outer) = exprs.get(bits)
            && outer.ty == BitsType::Bits
            && outer.size.is_none()
            && !outer.width
            && let Some(more) = known(outer.offset)
        {
            // That there is something left is said by this.
            self.define(cx, bits)?;
            offset = at.checked_add(more);
            bits = outer.bits;
        }
        let offset = match offset {
            Some(offset) => self.constant(Term::int(offset)),
            None => self.define(cx, field.offset)?,
        };
        Ok((self.define(cx, bits)?, offset))
    }

    /// The bits from `offset` on as an unsigned number. Says nothing about whether they are there.
    pub(super) fn bits_field(&mut self, bits: Node, offset: u64, width: u64) -> Step<Node> {
        if width == 0 {
            return Ok(self.constant(Term::int(0)));
        }
        if let Some(value) = self.value(bits).and_then(Term::as_bits) {
            if (value.bit_len() as u64) < offset + width {
                // Who asks also says that it is there, or does not care.
                return Ok(self.constant(Term::int(0)));
            }
            let part = value.slice(offset as usize, width as usize);
            let mut number = BigInt::zero();
            for at in 0..part.bit_len() {
                number = (number << 1u32) + i64::from(part.bit(at));
            }
            return Ok(self.constant(Term::big(number)));
        }
        let known = |&&(o, w, _): &&(u64, u64, Node)| (o, w) == (offset, width);
        if let Some(&(_, _, node)) = self.class(bits).fields.iter().find(known) {
            return Ok(node);
        }
        let node = self.fresh(Kinds::INT);
        self.linear(&[(1, node)], 0, Rel::Ge);
        self.linear_big(vec![(node, BigInt::from(-1))], power(width) - 1, Rel::Ge);
        self.change(bits).fields.push((offset, width, node));
        Ok(node)
    }

    /// All bits of a bit string of this size, as a number.
    pub(crate) fn whole_field(&mut self, bits: Node, size: u64) -> Option<Node> {
        self.bits_field(bits, 0, size).ok()
    }

    /// A number in the byte order wanted. `None`: bytes that are not whole in little-endian order.
    fn ordered(&mut self, bits: Node, offset: u64, width: u64, little: bool) -> Step<Option<Node>> {
        if !little || width <= 8 {
            return self.bits_field(bits, offset, width).map(Some);
        }
        if !width.is_multiple_of(8) {
            return Ok(None);
        }
        let number = self.fresh(Kinds::INT);
        let mut terms = vec![(number, BigInt::from(-1))];
        for byte in 0..width / 8 {
            let node = self.bits_field(bits, offset + 8 * byte, 8)?;
            terms.push((node, power(8 * byte)));
        }
        self.linear_big(terms, BigInt::zero(), Rel::Eq);
        Ok(Some(number))
    }

    pub(crate) fn try_field(&mut self, field: &Field, args: &[Node], result: Node) -> Step<bool> {
        let bits = args[0];
        let Some(offset) = self.big(args[1]).and_then(|offset| offset.to_u64()) else {
            return Ok(false);
        };
        if matches!(field.ty, BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32) {
            return self.try_utf(field, bits, offset, result);
        }
        if field.ty == BitsType::Bits {
            self.change(bits).subs.push((offset, result));
            return Ok(true);
        }
        let width = match args.get(2) {
            Some(&units) => self.big(units).map(|units| units * field.unit),
            None => {
                let size = self.size(bits);
                self.big(size).map(|size| size - offset)
            }
        };
        let Some(width) = width.and_then(|width| width.to_u64()).filter(|w| *w <= MAX_FIELD) else {
            return Ok(false);
        };
        if field.ty == BitsType::Float {
            if width != 32 && width != 64 {
                return Err(Conflict);
            }
            let Some(number) = self.ordered(bits, offset, width, field.little)? else {
                return Ok(false);
            };
            let float =
                self.apply(Operation::FloatOfBits(width as u16), vec![number], Kinds::FLOAT);
            if field.width {
                self.merge_constant(result, Term::from(width))?;
            } else {
                self.merge(float, result)?;
            }
            return Ok(true);
        }
        let Some(number) = self.ordered(bits, offset, width, field.little)? else {
            return Ok(false);
        };
        if !field.signed || width == 0 {
            self.merge(number, result)?;
            return Ok(true);
        }
        let half = power(width - 1);
        let below = vec![(number, BigInt::from(-1))];
        let above = vec![(number, BigInt::one())];
        let negative = times(&[(1, number), (-1, result)]);
        self.split(vec![
            vec![Action::Linear(below, &half - 1, Rel::Ge), Action::Merge(number, result)],
            vec![
                Action::Linear(above, -half, Rel::Ge),
                Action::Linear(negative, -power(width), Rel::Eq),
            ],
        ]);
        Ok(true)
    }

    /// A character, or the number of its bits, at a known place.
    fn try_utf(&mut self, field: &Field, bits: Node, offset: u64, result: Node) -> Step<bool> {
        if field.little {
            return Ok(false);
        }
        let size = self.size(bits);
        let code = if field.width { self.fresh(Kinds::INT) } else { result };
        // What the parts of the bit string are, from their width and the bits that mark them.
        let mut cases = Vec::new();
        let layouts: &[&[(u64, i64, i64)]] = match field.ty {
            BitsType::Utf8 => &[
                &[(8, 0, 1 << 7)],
                &[(8, 0xC0, 1 << 5), (8, 0x80, 1 << 6)],
                &[(8, 0xE0, 1 << 4), (8, 0x80, 1 << 6), (8, 0x80, 1 << 6)],
                &[(8, 0xF0, 1 << 3), (8, 0x80, 1 << 6), (8, 0x80, 1 << 6), (8, 0x80, 1 << 6)],
            ],
            BitsType::Utf16 => {
                &[&[(16, 0, 1 << 16)], &[(16, 0xD800, 1 << 10), (16, 0xDC00, 1 << 10)]]
            }
            _ => &[&[(32, 0, 0x11_0000)]],
        };
        let ranges: &[(i64, i64)] = match field.ty {
            BitsType::Utf8 => &[(0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x1_0000, 0x10_FFFF)],
            BitsType::Utf16 => &[(0, 0xFFFF), (0x1_0000, 0x10_FFFF)],
            _ => &[(0, 0x10_FFFF)],
        };
        for (layout, &(low, high)) in layouts.iter().zip(ranges) {
            let width: u64 = layout.iter().map(|(width, ..)| width).sum();
            let mut case = vec![
                Action::Linear(times(&[(1, size)]), -BigInt::from(offset + width), Rel::Ge),
                Action::Linear(times(&[(1, code)]), BigInt::from(-low), Rel::Ge),
                Action::Linear(times(&[(-1, code)]), BigInt::from(high), Rel::Ge),
            ];
            // code = Σ (part - mark) · its place (+ 2^16 for two halves of UTF-16)
            let (mut terms, mut constant) = (vec![(code, BigInt::from(-1))], BigInt::zero());
            if field.ty == BitsType::Utf16 && layout.len() == 2 {
                constant += 0x1_0000;
            }
            let (mut at, mut place) = (offset + width, BigInt::one());
            for &(bits_of_part, mark, limit) in layout.iter().rev() {
                at -= bits_of_part;
                let part = self.bits_field(bits, at, bits_of_part)?;
                case.push(Action::Linear(times(&[(1, part)]), BigInt::from(-mark), Rel::Ge));
                let top = BigInt::from(mark + limit - 1);
                case.push(Action::Linear(times(&[(-1, part)]), top, Rel::Ge));
                constant -= BigInt::from(mark) * &place;
                terms.push((part, place.clone()));
                place *= limit;
            }
            case.push(Action::Linear(terms, constant, Rel::Eq));
            if field.width {
                case.push(Action::Constant(result, Term::from(width)));
            }
            // No code points are in the range of surrogates.
            if low < 0xD800 && high > 0xDFFF {
                for (factor, limit) in [(-1, 0xD7FF), (1, -0xE000)] {
                    let mut case = case.clone();
                    let terms = times(&[(factor, code)]);
                    case.push(Action::Linear(terms, BigInt::from(limit), Rel::Ge));
                    cases.push(case);
                }
            } else {
                cases.push(case);
            }
        }
        self.split(cases);
        Ok(true)
    }

    pub(crate) fn bits_pass(&mut self, cx: &mut Context<'_>) -> Step {
        // In how many bit strings each is a part.
        let mut containers: FxHashMap<Node, u32> = FxHashMap::default();
        for node in self.roots() {
            for (_, part) in &self.class(node).subs {
                *containers.entry(self.root(*part)).or_default() += 1;
            }
        }
        for node in self.roots() {
            let class = self.class(node);
            if class.kinds != Kinds::BITS || (class.fields.is_empty() && class.subs.is_empty()) {
                continue;
            }
            cx.step(class.fields.len() + class.subs.len())?;
            self.share_fields(node, &containers)?;
            if self.value(node).is_some() {
                self.fields_of_value(node)?;
                continue;
            }
            self.cut_fields(node)?;
        }
        Ok(())
    }

    /// Fields of a part are fields of the whole, and the other way round where a part is known or
    /// also part of another.
    fn share_fields(&mut self, node: Node, containers: &FxHashMap<Node, u32>) -> Step {
        for (offset, part) in self.class(node).subs.clone() {
            let size = self.size(part);
            let Some(size) = self.big(size).and_then(|size| size.to_u64()) else {
                for (at, width, number) in self.class(part).fields.clone() {
                    let outer = self.bits_field(node, offset + at, width)?;
                    self.merge(outer, number)?;
                }
                continue;
            };
            let shared = containers.get(&self.root(part)).is_some_and(|count| *count > 1);
            let alone = !shared && self.value(part).is_none() && self.value(node).is_none();
            if alone {
                for (at, width, number) in self.class(part).fields.clone() {
                    let outer = self.bits_field(node, offset + at, width)?;
                    self.merge(outer, number)?;
                }
            }
            if size > MAX_FIELD || alone {
                continue;
            }
            let (outer, inner) =
                (self.bits_field(node, offset, size)?, self.bits_field(part, 0, size)?);
            self.merge(outer, inner)?;
            for (at, width, number) in self.class(part).fields.clone() {
                let outer = self.bits_field(node, offset + at, width)?;
                self.merge(outer, number)?;
            }
            for (at, width, number) in self.class(node).fields.clone() {
                if at >= offset && at + width <= offset + size {
                    let inner = self.bits_field(part, at - offset, width)?;
                    self.merge(inner, number)?;
                }
            }
        }
        Ok(())
    }

    fn fields_of_value(&mut self, node: Node) -> Step {
        let (fields, subs) = (self.class(node).fields.clone(), self.class(node).subs.clone());
        for (offset, width, number) in fields {
            let known = self.bits_field(node, offset, width)?;
            self.merge(known, number)?;
        }
        for (offset, part) in subs {
            let size = self.size(part);
            let Some(size) = self.big(size).and_then(|size| size.to_usize()) else { continue };
            let Some(bits) = self.value(node).and_then(Term::as_bits) else { return Err(Conflict) };
            if offset as usize + size > bits.bit_len() {
                return Err(Conflict);
            }
            let bits = Term::bits(bits.slice(offset as usize, size));
            self.merge_constant(part, bits)?;
        }
        if !self.class(node).fields.is_empty() {
            let version = self.version;
            self.change(node).fields.clear();
            self.version = version;
            self.dirty.pop();
        }
        Ok(())
    }

    /// Cuts fields at the ends of others, until those that are not cut do not overlap.
    fn cut_fields(&mut self, node: Node) -> Step {
        loop {
            let fields: Vec<(u64, u64, Node)> = self.class(node).fields.clone();
            // Fields of the same place are one.
            let mut seen: Vec<(u64, u64, Node)> = Vec::new();
            for &(offset, width, number) in &fields {
                match seen.iter().find(|(o, w, _)| (*o, *w) == (offset, width)) {
                    Some(&(_, _, other)) => self.merge(other, number)?,
                    None => seen.push((offset, width, number)),
                }
            }
            if seen.len() != fields.len() {
                self.change(node).fields = seen.clone();
            }
            let whole: Vec<_> =
                seen.into_iter().filter(|(_, _, n)| !self.said.contains(&(*n, CUT))).collect();
            let ends = || whole.iter().flat_map(|&(offset, width, _)| [offset, offset + width]);
            let cut = whole.iter().find_map(|&(offset, width, number)| {
                let inside = |end: &u64| *end > offset && *end < offset + width;
                ends().find(inside).map(|end| (offset, width, number, end))
            });
            let Some((offset, width, number, end)) = cut else { return Ok(()) };
            let high = self.bits_field(node, offset, end - offset)?;
            let low = self.bits_field(node, end, offset + width - end)?;
            let terms = vec![
                (number, BigInt::from(-1)),
                (high, power(offset + width - end)),
                (low, BigInt::one()),
            ];
            self.linear_big(terms, BigInt::zero(), Rel::Eq);
            self.said.insert((number, CUT));
        }
    }

    pub(crate) fn define_binary(
        &mut self,
        cx: &mut Context<'_>,
        id: ExprId,
        segments: &[Segment],
    ) -> Step<Node> {
        let mut args = Vec::new();
        let mut sizes = vec![];
        for segment in segments {
            let value = self.define(cx, segment.value)?;
            args.push(value);
            self.narrow(value, segment_kinds(segment.ty))?;
            let width = self.fresh(Kinds::INT);
            self.linear(&[(1, width)], 0, Rel::Ge);
            sizes.push((width, BigInt::one()));
            let units = match segment.size {
                Some(size) => {
                    let size = self.define(cx, size)?;
                    args.push(size);
                    self.narrow(size, Kinds::INT)?;
                    Some(size)
                }
                None => None,
            };
            let unit = i64::from(segment.unit);
            match (segment.ty, units) {
                (BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32, _) => {}
                (_, Some(units)) => {
                    self.linear(&[(1, units)], 0, Rel::Ge);
                    self.linear(&[(1, width), (-unit, units)], 0, Rel::Eq);
                    if segment.ty == BitsType::Bits {
                        let size = self.size(value);
                        self.linear(&[(1, size), (-1, width)], 0, Rel::Ge);
                    }
                }
                (BitsType::Bits, None) => {
                    let size = self.size(value);
                    self.merge(size, width)?;
                    if unit > 1 {
                        let units = self.fresh(Kinds::INT);
                        self.linear(&[(1, width), (-unit, units)], 0, Rel::Eq);
                    }
                }
                (ty, None) => {
                    let bits = if ty == BitsType::Float { 64 } else { 8 };
                    self.merge_constant(width, Term::int(bits))?;
                }
            }
        }
        // Widths come after values and sizes.
        args.extend(sizes.iter().map(|(width, _)| *width));
        let result = self.apply(Operation::Build(id), args, Kinds::BITS);
        let size = self.size(result);
        sizes.push((size, BigInt::from(-1)));
        self.linear_big(sizes, BigInt::zero(), Rel::Eq);
        Ok(result)
    }

    pub(crate) fn try_build(
        &mut self,
        cx: &mut Context<'_>,
        id: ExprId,
        args: &[Node],
        result: Node,
    ) -> Step<bool> {
        let Expr::Binary(segments) = cx.exprs.get(id) else { return Err(Conflict) };
        let widths = &args[args.len() - segments.len()..];
        // Characters have a width once they are known to be ASCII, or known at all.
        let mut offsets = Vec::new();
        let mut at = 0u64;
        for (segment, &width) in segments.iter().zip(widths) {
            offsets.push(at);
            match self.big(width).and_then(|width| width.to_u64()).filter(|w| *w <= MAX_FIELD) {
                Some(width) => at += width,
                None if segment.ty == BitsType::Bits && offsets.len() == segments.len() => {}
                None => return Ok(false),
            }
        }
        let mut next = 0;
        let mut take = || {
            next += 1;
            args[next - 1]
        };
        let placed: Vec<(&Segment, Node, Node, u64)> = segments
            .iter()
            .zip(widths.iter().zip(offsets))
            .map(|(segment, (&width, offset))| {
                let value = take();
                if segment.size.is_some() {
                    take();
                }
                (segment, value, width, offset)
            })
            .collect();
        let unplaceable = placed.iter().any(|(segment, value, width, _)| match segment.ty {
            BitsType::Utf8 | BitsType::Utf16 | BitsType::Utf32 => true,
            BitsType::Float => segment.little || self.kinds(*value) != Kinds::FLOAT,
            BitsType::Integer => {
                let width = self.big(*width).unwrap_or_default();
                segment.little && width > BigInt::from(8) && !(width % 8u32).is_zero()
            }
            BitsType::Bits => false,
        });
        if unplaceable {
            return Ok(false);
        }
        for (segment, value, width, offset) in placed {
            self.place(segment, value, width, result, offset)?;
        }
        Ok(true)
    }

    fn place(
        &mut self,
        segment: &Segment,
        value: Node,
        width: Node,
        result: Node,
        offset: u64,
    ) -> Step {
        let bits = self.big(width).and_then(|width| width.to_u64());
        match (segment.ty, bits) {
            (BitsType::Bits, _) => {
                let part = if segment.size.is_some() {
                    // The first bits of the value.
                    let part = self.fresh(Kinds::BITS);
                    let size = self.size(part);
                    self.merge(size, width)?;
                    self.change(value).subs.push((0, part));
                    part
                } else {
                    value
                };
                self.change(result).subs.push((offset, part));
            }
            (BitsType::Float, Some(bits)) => {
                let number = self.bits_field(result, offset, bits)?;
                let op = Operation::FloatOfBits(bits as u16);
                let float = self.apply(op, vec![number], Kinds::FLOAT);
                if bits == 64 {
                    self.merge(float, value)?;
                }
            }
            (_, Some(bits)) => {
                let field = self.ordered(result, offset, bits, segment.little)?.ok_or(Conflict)?;
                let (_, low) = self.floor(value, bits);
                self.merge(low, field)?;
            }
            _ => return Err(Conflict),
        }
        Ok(())
    }

    pub(crate) fn fault_field(
        &mut self,
        id: ExprId,
        field: &Field,
        args: &[Node],
        cases: &mut Vec<Vec<Action>>,
    ) {
        let (bits, offset) = (args[0], args[1]);
        cases.push(vec![Action::Narrow(bits, Kinds::BITS.not())]);
        cases.push(vec![Action::Narrow(offset, Kinds::INT.not())]);
        if let Some(&units) = args.get(2) {
            cases.push(vec![Action::Narrow(units, Kinds::INT.not())]);
        }
        let unsure = self.kinds(bits) != Kinds::BITS
            || args[1..].iter().any(|&arg| self.kinds(arg) != Kinds::INT);
        if unsure {
            let mut case = vec![Action::Narrow(bits, Kinds::BITS)];
            case.extend(args[1..].iter().map(|&arg| Action::Narrow(arg, Kinds::INT)));
            case.push(Action::Fault(id));
            cases.push(case);
            return;
        }
        let size = self.size(bits);
        let mut linear = |terms: &[(i64, Node)], constant: i64| {
            cases.push(vec![Action::Linear(times(terms), constant.into(), Rel::Ge)]);
        };
        linear(&[(-1, offset)], -1);
        let unit = i64::from(field.unit);
        match args.get(2) {
            Some(&units) => {
                linear(&[(-1, units)], -1);
                linear(&[(1, offset), (unit, units), (-1, size)], -1);
            }
            None => {
                linear(&[(1, offset), (-1, size)], -1);
                if unit > 1 {
                    let (whole, rest) = (self.fresh(Kinds::INT), self.fresh(Kinds::INT));
                    let sum = times(&[(1, size), (-1, offset), (-unit, whole), (-1, rest)]);
                    cases.push(vec![
                        Action::Linear(sum, BigInt::zero(), Rel::Eq),
                        Action::Linear(times(&[(1, rest)]), (-1).into(), Rel::Ge),
                        Action::Linear(times(&[(-1, rest)]), (unit - 1).into(), Rel::Ge),
                    ]);
                }
            }
        }
        if !matches!(field.ty, BitsType::Integer | BitsType::Bits) {
            cases.push(vec![Action::GiveUp]);
        }
    }
}

fn segment_kinds(ty: BitsType) -> Kinds {
    match ty {
        BitsType::Float => Kinds::NUMBER,
        BitsType::Bits => Kinds::BITS,
        _ => Kinds::INT,
    }
}

/// A bit string cannot be built.
pub(crate) fn fault_binary(segments: &[Segment], args: &[Node], cases: &mut Vec<Vec<Action>>) {
    let mut args = args.iter();
    let mut certain = true;
    for segment in segments {
        let Some(&value) = args.next() else { return };
        cases.push(vec![Action::Narrow(value, segment_kinds(segment.ty).not())]);
        certain &= segment.ty == BitsType::Integer;
        if segment.size.is_some()
            && let Some(&size) = args.next()
        {
            cases.push(vec![Action::Narrow(size, Kinds::INT.not())]);
            let negative = Action::Linear(times(&[(-1, size)]), (-1).into(), Rel::Ge);
            cases.push(vec![Action::Narrow(size, Kinds::INT), negative]);
        }
    }
    if !certain {
        cases.push(vec![Action::GiveUp]);
    }
}

/// The bits of a number, for building values.
pub(crate) fn number_bits(value: &Term, width: u64) -> Vec<bool> {
    let number = arith::to_bigint(value).unwrap_or_default();
    (0..width).rev().map(|bit| number.bit(bit)).collect()
}
