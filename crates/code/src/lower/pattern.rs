//! Patterns: tests on a value in a slot, and variables bound to its parts.

use atom::known;
use syntax::ast::{BinaryOp, Kind, NodeId, NodeList, RecordName};
use syntax::token::Literal;
use term::{Term, View};

use super::builder::Label;
use super::literal::small;
use super::{Lowerer, Result};
use crate::instr::{CompareOp, Instr, Slot, TypeTest, Use};

impl Lowerer<'_> {
    /// A pattern in the head of a function, for the argument in `slot`. A variable that lives
    /// there is bound at once; other patterns may test against it, and so are put off.
    pub(super) fn argument_pattern(
        &mut self,
        pattern: NodeId,
        slot: Slot,
        fail: Label,
        deferred: &mut Vec<(NodeId, Slot)>,
    ) -> Result<()> {
        let _ = fail;
        if let Kind::Var(name) = self.m.kind(pattern)
            && !self.is_bound(name)
            && self.f().slots.get(&name) == Some(&slot)
        {
            self.bind(name);
        } else {
            deferred.push((pattern, slot));
        }
        Ok(())
    }

    /// Goes on with the variables bound if the value in `slot` matches, else to `fail`.
    pub(super) fn pattern(&mut self, pattern: NodeId, slot: Slot, fail: Label) -> Result<()> {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.pattern_inner(pattern, slot, fail))
    }

    fn pattern_inner(&mut self, pattern: NodeId, slot: Slot, fail: Label) -> Result<()> {
        let m = self.m;
        let a = Use::of(slot);
        if let Kind::List { .. } | Kind::Tuple { .. } | Kind::Map { .. } | Kind::Record { .. } =
            m.kind(pattern)
        {
            self.show(pattern, slot);
        }
        match m.kind(pattern) {
            Kind::Var(known::UNDERSCORE) => Ok(()),
            Kind::Var(name) => {
                let var = self.var_slot(name);
                if self.is_bound(name) {
                    self.emit(Instr::Branch { op: CompareOp::ExactEq, a, b: Use::of(var), fail });
                    // From here on funs in this operand see it, too.
                    if self.is_hidden(name) {
                        self.bind(name);
                    }
                } else {
                    self.move_to(var, slot);
                    self.bind(name);
                }
                Ok(())
            }
            Kind::Match { pattern, value } => {
                self.pattern(pattern, slot, fail)?;
                self.pattern(value, slot, fail)
            }
            Kind::List { elements, tail } => {
                let end = self.prefix(m.list(elements), slot, fail)?;
                match tail {
                    Some(tail) => self.pattern(tail, end, fail),
                    None => {
                        self.emit(Instr::IsNil { a: Use::of(end), fail });
                        Ok(())
                    }
                }
            }
            Kind::Tuple { elements } if !self.is_plain_constant(pattern) => {
                self.tuple_pattern(m.list(elements), slot, fail)
            }
            Kind::Map { base: None, fields } => self.map_pattern(fields, slot, fail),
            Kind::Binary { elements } => match self.constant(pattern) {
                Some(term) if self.constants_fit(elements) => self.constant_pattern(term, a, fail),
                _ => self.bits_pattern(elements, slot, fail),
            },
            Kind::Record { base: None, name, fields } => {
                self.record_pattern(pattern, name, fields, slot, fail)
            }
            Kind::BinaryOp { op: BinaryOp::Append, left, right } => {
                self.append_pattern(left, right, slot, fail)
            }
            _ => match self.constant_in_pattern(pattern) {
                Some(term) => self.constant_pattern(term, a, fail),
                None => self.unsupported(pattern, "illegal pattern"),
            },
        }
    }

    /// Whether a pattern stands for one value alone. A map in it stands for many, a binary for none
    /// where a number does not fit its segment.
    fn is_plain_constant(&self, pattern: NodeId) -> bool {
        let mut plain = true;
        self.m.for_each_below(pattern, |id| {
            plain &= !matches!(self.m.kind(id), Kind::Map { .. } | Kind::Binary { .. });
        });
        plain && self.constant(pattern).is_some()
    }

    fn constant_pattern(&mut self, term: Term, a: Use, fail: Label) -> Result<()> {
        let instr = match term.view() {
            View::Atom(atom) => Instr::IsAtom { a, atom, fail },
            View::Nil => Instr::IsNil { a, fail },
            _ => match small(&term) {
                Some(value) => Instr::IsInt { a, value, fail },
                None => Instr::IsConst { a, index: self.const_index(term), fail },
            },
        };
        self.emit(instr);
        Ok(())
    }

    /// Where to put a part that `pattern` is for: a variable's own slot if it becomes that.
    fn place_for(&mut self, pattern: NodeId) -> (Slot, bool) {
        if let Kind::Var(name) = self.m.kind(pattern)
            && name != known::UNDERSCORE
            && !self.is_bound(name)
        {
            let slot = self.var_slot(name);
            self.bind(name);
            return (slot, true);
        }
        (self.temp(), false)
    }

    /// Matches the first elements of a list; the slot of what follows them.
    fn prefix(&mut self, elements: &[NodeId], slot: Slot, fail: Label) -> Result<Slot> {
        let mut rest = slot;
        for &element in elements {
            let (head, done) = self.place_for(element);
            let tail = self.temp();
            self.emit(Instr::GetCons { a: Use::of(rest), head, tail, fail });
            if !done {
                self.pattern(element, head, fail)?;
            }
            rest = tail;
        }
        Ok(rest)
    }

    /// `"prefix" ++ Rest`, `[a, b] ++ Rest`
    fn append_pattern(
        &mut self,
        left: NodeId,
        right: NodeId,
        slot: Slot,
        fail: Label,
    ) -> Result<()> {
        let m = self.m;
        let rest = match m.kind(left) {
            Kind::String(literal) => {
                let mut rest = slot;
                if let Literal::String(text) = m.literal(literal) {
                    for c in text.chars() {
                        let (head, tail) = (self.temp(), self.temp());
                        self.emit(Instr::GetCons { a: Use::of(rest), head, tail, fail });
                        let value = u32::from(c) as i32;
                        self.emit(Instr::IsInt { a: Use::of(head), value, fail });
                        rest = tail;
                    }
                }
                rest
            }
            Kind::List { elements, tail: None } => self.prefix(m.list(elements), slot, fail)?,
            Kind::Nil => slot,
            Kind::BinaryOp { op: BinaryOp::Append, left: first, right: second } => {
                // `("a" ++ "b") ++ Rest`: constants on the left.
                let prefix = self.constant_in_pattern(first).and_then(|t| t.to_vec());
                let middle = self.constant_in_pattern(second).and_then(|t| t.to_vec());
                let (Some(prefix), Some(middle)) = (prefix, middle) else {
                    return self.unsupported(left, "illegal pattern");
                };
                let mut rest = slot;
                for element in prefix.into_iter().chain(middle) {
                    let (head, tail) = (self.temp(), self.temp());
                    self.emit(Instr::GetCons { a: Use::of(rest), head, tail, fail });
                    self.constant_pattern(element, Use::of(head), fail)?;
                    rest = tail;
                }
                rest
            }
            _ => return self.unsupported(left, "illegal pattern"),
        };
        self.pattern(right, rest, fail)
    }

    fn tuple_pattern(&mut self, elements: &[NodeId], slot: Slot, fail: Label) -> Result<()> {
        let a = Use::of(slot);
        let len = elements.len() as u16;
        let mut tagged = false;
        if let Some(&first) = elements.first()
            && let Kind::Atom(tag) = self.m.kind(first)
        {
            self.emit(Instr::IsTagged { a, len, tag, fail });
            tagged = true;
        } else {
            self.emit(Instr::IsTuple { a, len, fail });
        }
        let elements = elements.iter().copied().enumerate().skip(usize::from(tagged));
        self.element_patterns(elements, slot, fail)
    }

    /// Matches elements (with their index from 0) of what is known to be a large enough tuple.
    fn element_patterns(
        &mut self,
        elements: impl Iterator<Item = (usize, NodeId)>,
        slot: Slot,
        fail: Label,
    ) -> Result<()> {
        // Parts first, then their patterns: the tuple is then done with as early as possible.
        let mut parts = Vec::new();
        for (index, element) in elements {
            if matches!(self.m.kind(element), Kind::Var(known::UNDERSCORE)) {
                continue;
            }
            let (dst, done) = self.place_for(element);
            self.emit(Instr::GetElement { dst, a: Use::of(slot), index: index as u16 });
            if !done {
                parts.push((element, dst));
            }
        }
        for (element, dst) in parts {
            self.pattern(element, dst, fail)?;
        }
        Ok(())
    }

    fn map_pattern(&mut self, fields: NodeList, slot: Slot, fail: Label) -> Result<()> {
        let m = self.m;
        self.emit(Instr::TypeTest { test: TypeTest::Map, a: Use::of(slot), fail });
        for &field in m.list(fields) {
            let Kind::MapField { key, value, .. } = m.kind(field) else { continue };
            let node = key;
            let key = self.pattern_operand(key, fail)?;
            self.show(node, key);
            let (dst, done) = self.place_for(value);
            self.emit(Instr::MapGet { dst, map: Use::of(slot), key: Use::of(key), fail });
            if !done {
                self.pattern(value, dst, fail)?;
            }
        }
        Ok(())
    }

    /// An expression inside a pattern (a key, a size): evaluated as in a guard.
    pub(super) fn pattern_operand(&mut self, id: NodeId, fail: Label) -> Result<Slot> {
        let guard = self.f().guard.replace(fail);
        let saved = self.enter_size();
        let slot = self.operand(id);
        self.leave_size(saved);
        self.f().guard = guard;
        slot
    }

    fn record_pattern(
        &mut self,
        id: NodeId,
        name: RecordName,
        fields: NodeList,
        slot: Slot,
        fail: Label,
    ) -> Result<()> {
        if let Some(native) = self.native(name) {
            return self.native_pattern(native, fields, slot, fail);
        }
        let (name, definition) = self.record(id, name)?;
        let (given, rest) = self.fields_given(fields, &definition);
        let len = definition.len() as u16 + 1;
        self.emit(Instr::IsTagged { a: Use::of(slot), len, tag: name, fail });
        let elements: Vec<(usize, NodeId)> = given
            .into_iter()
            .enumerate()
            .filter_map(|(i, pattern)| Some((i + 1, pattern.or(rest)?)))
            .collect();
        self.element_patterns(elements.into_iter(), slot, fail)
    }
}
