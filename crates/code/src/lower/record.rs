//! Records: tuples with a name first. Native records are in [`super::native`].

use atom::{Atom, known};
use syntax::ast::{Kind, NodeId, NodeList, RecordName};

use super::expr::Want;
use super::{Fields, Lowerer, RecordDef, Result};
use crate::instr::{Failure, Instr, Slot, Use};

impl Lowerer<'_> {
    pub(super) fn record_definition(&mut self, name: NodeId, fields: NodeList) {
        let Kind::Atom(name) = self.m.kind(name) else { return };
        let fields = self
            .m
            .list(fields)
            .iter()
            .filter_map(|&field| match self.m.kind(field) {
                Kind::RecordFieldDef { name, default, .. } => match self.m.kind(name) {
                    Kind::Atom(name) => Some((name, default)),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        self.records.insert(name, RecordDef { fields });
    }

    /// Name and fields of the record that an expression speaks of.
    pub(super) fn record(&self, at: NodeId, name: RecordName) -> Result<(Atom, Fields)> {
        let RecordName::Local(name) = name else {
            return self.unsupported(at, "a native record is meant");
        };
        if let Kind::Atom(name) = self.m.kind(name)
            && let Some(record) = self.records.get(&name)
        {
            return Ok((name, record.fields.clone()));
        }
        self.unsupported(at, "undefined record")
    }

    fn atom_of(&self, id: NodeId) -> Option<Atom> {
        match self.m.kind(id) {
            Kind::Atom(name) => Some(name),
            _ => None,
        }
    }

    /// What a record expression or pattern says about each field: the value given for it by name,
    /// or by `_ = Value`.
    pub(super) fn fields_given(
        &self,
        fields: NodeList,
        definition: &[(Atom, Option<NodeId>)],
    ) -> (Vec<Option<NodeId>>, Option<NodeId>) {
        let mut given = vec![None; definition.len()];
        let mut rest = None;
        for &field in self.m.list(fields) {
            let Kind::RecordField { name, value } = self.m.kind(field) else { continue };
            match self.atom_of(name) {
                Some(name) => {
                    if let Some(at) = definition.iter().position(|(f, _)| *f == name) {
                        given[at] = Some(value);
                    }
                }
                None => rest = Some(value), // `_ = Value`
            }
        }
        (given, rest)
    }

    /// `#name{…}`
    pub(super) fn record_new(
        &mut self,
        id: NodeId,
        name: RecordName,
        fields: NodeList,
        dst: Slot,
    ) -> Result<()> {
        if let Some(native) = self.native(name) {
            return self.native_new(id, native, fields, dst);
        }
        let (name, definition) = self.record(id, name)?;
        let (given, rest) = self.fields_given(fields, &definition);
        let mark = self.mark();
        // Fields are evaluated in the order of the definition, `_ = Value` anew for every field
        // that is not named.
        let at = self.temps(definition.len() + 1);
        self.load_atom(at, name);
        for (i, (_, default)) in definition.iter().enumerate() {
            let place = Slot(at.0 + 1 + i as u16);
            match (given[i].or(rest), default) {
                (Some(value), _) => self.eval(value, Want::Value(place))?,
                (None, Some(value)) => self.default_value(*value, place)?,
                (None, None) => self.load_atom(place, known::UNDEFINED),
            }
        }
        self.at(id);
        self.emit(Instr::Tuple { dst, at, len: definition.len() as u16 + 1 });
        self.release(mark);
        Ok(())
    }

    /// The default of a field: an expression of its own, which sees no variable of the function
    /// and whose variables nobody else sees.
    fn default_value(&mut self, value: NodeId, dst: Slot) -> Result<()> {
        let bound = std::mem::take(&mut self.f().bound);
        let slots = std::mem::take(&mut self.f().slots);
        let sight = self.see_all();
        let result = self.eval(value, Want::Value(dst));
        self.leave_operand(sight);
        self.f().bound = bound;
        self.f().slots = slots;
        result
    }

    /// Goes on only if `slot` holds this record.
    fn check_record(&mut self, slot: Slot, name: Atom, size: usize) {
        let bad = self.new_label();
        let fine = self.new_label();
        let fail = self.f().guard.unwrap_or(bad);
        self.emit(Instr::IsTagged { a: Use::of(slot), len: size as u16, tag: name, fail });
        if self.f().guard.is_none() {
            self.jump(fine);
            self.bind_label(bad);
            self.fail_with(Failure::BadRecord, slot);
            self.bind_label(fine);
        } else {
            self.bind_label(bad);
            self.bind_label(fine);
        }
    }

    /// `Expr#name{…}`
    pub(super) fn record_update(
        &mut self,
        id: NodeId,
        base: NodeId,
        name: RecordName,
        fields: NodeList,
        dst: Slot,
    ) -> Result<()> {
        if let Some(native) = self.native(name) {
            return self.native_update(id, base, native, fields, dst);
        }
        let record_name = name;
        let (name, definition) = self.record(id, name)?;
        let mark = self.mark();
        // The new values come before the record that they go into.
        let mut values = Vec::new();
        let mut named = vec![false; definition.len()];
        let mut rest = None;
        for &field in self.m.list(fields) {
            let Kind::RecordField { name: field_name, value } = self.m.kind(field) else {
                continue;
            };
            let slot = self.temp();
            self.eval(value, Want::Value(slot))?;
            let at = self
                .atom_of(field_name)
                .and_then(|name| definition.iter().position(|(f, _)| *f == name));
            match at {
                Some(at) => {
                    named[at] = true;
                    values.push((at, slot));
                }
                None => rest = Some(slot),
            }
        }
        if let Some(slot) = rest {
            let unnamed = named.iter().enumerate().filter(|(_, named)| !**named);
            values.extend(unnamed.map(|(at, _)| (at, slot)));
        }
        let tuple = self.temp();
        self.eval(base, Want::Value(tuple))?;
        self.at(self.place_of_update(base, record_name, fields));
        self.check_record(tuple, name, definition.len() + 1);
        self.show(base, tuple);
        for (at, slot) in values {
            self.emit(Instr::SetElement {
                dst: tuple,
                tuple: Use::of(tuple),
                index: at as u16 + 1,
                value: Use::of(slot),
            });
        }
        self.move_to(dst, tuple);
        self.release(mark);
        Ok(())
    }

    /// `Expr#name.field`
    pub(super) fn record_access(
        &mut self,
        id: NodeId,
        base: NodeId,
        name: RecordName,
        field: NodeId,
        dst: Slot,
    ) -> Result<()> {
        if let Some(native) = self.native(name) {
            return self.native_access(id, base, native, field, dst);
        }
        let (name, definition) = self.record(id, name)?;
        let field = self.atom_of(field);
        let Some(at) = definition.iter().position(|(f, _)| Some(*f) == field) else {
            return self.unsupported(id, "undefined field in record");
        };
        let mark = self.mark();
        let tuple = self.operand(base)?;
        self.at(self.leftmost(base));
        self.check_record(tuple, name, definition.len() + 1);
        self.emit(Instr::GetElement { dst, a: Use::of(tuple), index: at as u16 + 1 });
        self.release(mark);
        Ok(())
    }

    /// `record_info(fields, name)` and `record_info(size, name)`.
    pub(super) fn record_info(&self, args: &[NodeId]) -> Option<term::Term> {
        let [what, name] = args else { return None };
        let record = self.records.get(&self.atom_of(*name)?)?;
        match self.atom_of(*what)?.as_str() {
            "fields" => {
                let names = record.fields.iter().map(|(name, _)| term::Term::from(*name));
                Some(term::Term::list(names.collect::<Vec<_>>()))
            }
            "size" => Some(term::Term::from(record.fields.len() + 1)),
            _ => None,
        }
    }
}
