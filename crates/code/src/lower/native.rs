//! Native records (EEP 79, OTP 29); `term::record` says which documents the meaning is taken from.
//!
//! A name without a module means the record of that name that this module defines (*local*), or one
//! that it imports with `-import_record` (*external*, as with a module); `#_` means any record.
//! What is done with a record is done by functions of the Machine (`erlscope_native:record_*`),
//! which are told what is meant by an [`id`](Lowerer::native_id): module, name and one of the atoms
//! `local`, `external`, `anonymous`. A record of this module is built from a constant, the
//! *prototype*: a record with the default values.
//!
//! What the documents leave open, and what is done here: the fields of a record of this module are
//! evaluated in the order of the definition, others in the order in which they are written, new
//! values before the record that they go into (as for tuple records, and as was seen of OTP 29.1);
//! of several fields that a record does not have the first that is written is reported, and of
//! several without a value the first of the definition; an update without fields tells whether it
//! is such a record. Where the manual and OTP's runtime differ (access by a plain name, or none, of
//! a record of another module that is not exported, which OTP 29 lets happen), the manual is
//! followed.

use std::rc::Rc;

use atom::{Atom, known};
use syntax::ast::{BinaryOp, Kind, NodeId, NodeList, RecordName, UnaryOp};
use term::record::{Record, Shape};
use term::{Map, Term, order};

use super::builder::Label;
use super::expr::Want;
use super::literal::operated;
use super::{Lowerer, Result};
use crate::instr::{Instr, Slot, Use};
use crate::module::NativeRecord;

/// Which native record is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Native {
    /// This one of the module's own: index into [`crate::module::ModuleCode::records`].
    Local(usize),
    External(Atom, Atom),
    Any,
}

impl Lowerer<'_> {
    /// `-record #name{…}`
    pub(super) fn native_definition(
        &mut self,
        form: NodeId,
        name: NodeId,
        fields: NodeList,
    ) -> Result<()> {
        let Kind::Atom(name) = self.m.kind(name) else { return Ok(()) };
        let mut names = Vec::new();
        let mut defaults = Vec::new();
        for &field in self.m.list(fields) {
            let Kind::RecordFieldDef { name, default, .. } = self.m.kind(field) else { continue };
            let Kind::Atom(name) = self.m.kind(name) else { continue };
            names.push(name);
            defaults.push(match default {
                Some(value) => match self.constant_default(value) {
                    Some(term) => Some(term),
                    None => return self.unsupported(value, "this default value is no constant"),
                },
                None => None,
            });
        }
        let Some(shape) = Shape::new(self.code.name, name, false, names) else {
            return self.unsupported(form, "a field is defined twice");
        };
        self.natives.insert(name, self.code.records.len());
        self.code.records.push(NativeRecord { shape: Rc::new(shape), defaults });
        Ok(())
    }

    /// `-export_record([…])`
    pub(super) fn native_exports(&mut self, names: NodeList) {
        let atom = |&id: &NodeId| match self.m.kind(id) {
            Kind::Atom(name) => Some(name),
            _ => None,
        };
        self.exported_natives.extend(self.m.list(names).iter().filter_map(atom));
    }

    /// `-import_record(Module, […])`, or as one tuple.
    pub(super) fn native_imports(&mut self, values: NodeList) {
        let values: Vec<Term> =
            self.m.list(values).iter().filter_map(|&value| self.constant(value)).collect();
        let (module, names) = match &values[..] {
            [module, names] => (module, names),
            [pair] => match pair.as_tuple() {
                Some([module, names]) => (module, names),
                _ => return,
            },
            _ => return,
        };
        let Some(module) = module.as_atom() else { return };
        let names = names.elements().filter_map(Term::as_atom);
        self.imported_natives.extend(names.map(|name| (name, module)));
    }

    /// Which records other modules may look into is known once all attributes are read.
    pub(super) fn finish_natives(&mut self) {
        for record in &mut self.code.records {
            let shape = &record.shape;
            if self.exported_natives.contains(&shape.name) {
                record.shape = Rc::new(Shape::clone(shape).into_exported());
            }
        }
    }

    /// The native record that a name means, if it is one.
    pub(super) fn native(&self, name: RecordName) -> Option<Native> {
        let atom = |id| match self.m.kind(id) {
            Kind::Atom(name) => Some(name),
            _ => None,
        };
        match name {
            RecordName::Any => Some(Native::Any),
            RecordName::Remote(module, name) => Some(Native::External(atom(module)?, atom(name)?)),
            RecordName::Local(name) => self.native_named(atom(name)?),
        }
    }

    /// The same for a plain name.
    pub(super) fn native_named(&self, name: Atom) -> Option<Native> {
        match (self.natives.get(&name), self.imported_natives.get(&name)) {
            (Some(&index), _) => Some(Native::Local(index)),
            (None, Some(&module)) => Some(Native::External(module, name)),
            (None, None) => None,
        }
    }

    /// What the Machine is told about which record is meant.
    fn native_id(&self, which: Native) -> Term {
        let (module, name, how) = match which {
            Native::Local(index) => (self.code.name, self.code.records[index].shape.name, "local"),
            Native::External(module, name) => (module, name, "external"),
            Native::Any => (self.code.name, known::UNDERSCORE, "anonymous"),
        };
        Term::tuple([Term::from(module), Term::from(name), Term::atom(how)])
    }

    /// Calls a function of the Machine on the slots from `at` on.
    fn native_call(&mut self, name: &str, at: Slot, len: u8) {
        let module = Atom::new("erlscope_native");
        let import = self.import(module, Atom::new(name), u32::from(len));
        match self.f().guard {
            Some(fail) => self.emit(Instr::GuardImport { import, at, len, fail }),
            None => self.emit(Instr::CallImport { import, at, len }),
        }
    }

    /// The fields that an expression or pattern names, in order, and what it says of them.
    fn native_fields(&self, fields: NodeList) -> Result<Vec<(Atom, NodeId)>> {
        let each = |&field: &NodeId| match self.m.kind(field) {
            Kind::RecordField { name, value } => match self.m.kind(name) {
                Kind::Atom(name) => Ok((name, value)),
                _ => self.unsupported(field, "a field of a native record is named by an atom"),
            },
            _ => self.unsupported(field, "no field of a record"),
        };
        self.m.list(fields).iter().map(each).collect()
    }

    /// A tuple of the names, and one of the values, of fields: in two slots from `at` on.
    fn native_pairs(&mut self, fields: &[(Atom, NodeId)], at: Slot) -> Result<()> {
        self.load(at, Term::tuple(fields.iter().map(|(name, _)| Term::from(*name))));
        let first = self.temps(fields.len());
        for (i, &(_, value)) in fields.iter().enumerate() {
            self.eval(value, Want::Value(Slot(first.0 + i as u16)))?;
        }
        self.emit(Instr::Tuple { dst: Slot(at.0 + 1), at: first, len: fields.len() as u16 });
        Ok(())
    }

    /// `#name{…}`, `#module:name{…}`
    pub(super) fn native_new(
        &mut self,
        id: NodeId,
        which: Native,
        fields: NodeList,
        dst: Slot,
    ) -> Result<()> {
        let given = self.native_fields(fields)?;
        let mark = self.mark();
        let at = match which {
            Native::Local(index) => self.native_local(id, index, &given)?,
            Native::External(..) => {
                let at = self.temps(3);
                self.load(at, self.native_id(which));
                self.native_pairs(&given, Slot(at.0 + 1))?;
                self.at(id);
                self.native_call("record_create", at, 3);
                at
            }
            Native::Any => return self.unsupported(id, "a record without a name cannot be built"),
        };
        self.move_to(dst, at);
        self.release(mark);
        Ok(())
    }

    /// A record of this module, all of whose fields are known.
    fn native_local(&mut self, id: NodeId, index: usize, given: &[(Atom, NodeId)]) -> Result<Slot> {
        let NativeRecord { shape, defaults } = self.code.records[index].clone();
        let at = self.temps(2);
        let first = self.temps(defaults.len());
        let place = |field: usize| Slot(first.0 + field as u16);
        if let Some((name, value)) = given.iter().find(|(name, _)| shape.position(*name).is_none())
        {
            return self.unsupported(*value, format!("{} has no field {name}", shape.name));
        }
        for (at, &name) in shape.fields().iter().enumerate() {
            match (given.iter().find(|(field, _)| *field == name), &defaults[at]) {
                (Some((_, value)), _) => self.eval(*value, Want::Value(place(at)))?,
                (None, Some(value)) => self.load(place(at), value.clone()),
                (None, None) => {
                    return self.unsupported(id, format!("the field {name} has no value"));
                }
            }
        }
        let prototype = defaults.iter().map(|value| value.clone().unwrap_or_default()).collect();
        let Some(prototype) = Record::new(shape, prototype) else {
            return self.unsupported(id, "a record with other fields than its own");
        };
        self.at(id);
        self.load(at, Term::record(prototype));
        let len = defaults.len() as u16;
        self.emit(Instr::Tuple { dst: Slot(at.0 + 1), at: first, len });
        self.native_call("record_new", at, 2);
        Ok(at)
    }

    /// `Expr#name{…}`
    pub(super) fn native_update(
        &mut self,
        id: NodeId,
        base: NodeId,
        which: Native,
        fields: NodeList,
        dst: Slot,
    ) -> Result<()> {
        let given = self.native_fields(fields)?;
        let mark = self.mark();
        let at = self.temps(4);
        self.native_pairs(&given, Slot(at.0 + 2))?;
        self.eval(base, Want::Value(at))?;
        self.load(Slot(at.0 + 1), self.native_id(which));
        self.at(id);
        self.show(base, at);
        self.native_call("record_update", at, 4);
        self.move_to(dst, at);
        self.release(mark);
        Ok(())
    }

    /// `Expr#name.field`
    pub(super) fn native_access(
        &mut self,
        id: NodeId,
        base: NodeId,
        which: Native,
        field: NodeId,
        dst: Slot,
    ) -> Result<()> {
        let Kind::Atom(field) = self.m.kind(field) else {
            return self.unsupported(field, "a field of a native record is named by an atom");
        };
        let mark = self.mark();
        let at = self.temps(3);
        self.eval(base, Want::Value(at))?;
        self.at(id);
        self.native_field(at, which, field);
        self.move_to(dst, at);
        self.release(mark);
        Ok(())
    }

    /// The field of the record in `at`, which is replaced by it.
    fn native_field(&mut self, at: Slot, which: Native, field: Atom) {
        self.load(Slot(at.0 + 1), self.native_id(which));
        self.load_atom(Slot(at.0 + 2), field);
        self.native_call("record_get", at, 3);
    }

    /// `#name{…}` as a pattern: without fields the name is all that counts.
    pub(super) fn native_pattern(
        &mut self,
        which: Native,
        fields: NodeList,
        slot: Slot,
        fail: Label,
    ) -> Result<()> {
        let fields = self.native_fields(fields)?;
        if fields.is_empty() {
            let mark = self.mark();
            let at = self.temps(2);
            self.move_to(at, slot);
            self.in_guard(fail, |this| this.native_test(at, which));
            self.emit(Instr::IsAtom { a: Use::of(at), atom: known::TRUE, fail });
            self.release(mark);
            return Ok(());
        }
        // Parts first, then their patterns, as for tuples.
        let mut parts = Vec::new();
        for (name, pattern) in fields {
            let at = self.temps(3);
            self.move_to(at, slot);
            self.in_guard(fail, |this| this.native_field(at, which, name));
            parts.push((pattern, at));
        }
        for (pattern, part) in parts {
            self.pattern(pattern, part, fail)?;
        }
        Ok(())
    }

    fn in_guard(&mut self, fail: Label, code: impl FnOnce(&mut Self)) {
        let guard = self.f().guard.replace(fail);
        code(self);
        self.f().guard = guard;
    }

    /// Whether what is in `at` is this record; the answer takes its place.
    fn native_test(&mut self, at: Slot, which: Native) {
        self.load(Slot(at.0 + 1), self.native_id(which));
        self.native_call("record_is", at, 2);
    }

    /// `is_record(Term, Name)`
    pub(super) fn native_is_record(
        &mut self,
        arg: NodeId,
        which: Native,
        want: Want,
    ) -> Result<()> {
        let here = self.f().current;
        let mark = self.mark();
        let at = self.temps(2);
        self.eval(arg, Want::Value(at))?;
        self.at(here);
        self.native_test(at, which);
        self.deliver(at, want);
        self.release(mark);
        Ok(())
    }

    /// The value of a default: an expression over constants.
    fn constant_default(&self, id: NodeId) -> Option<Term> {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.constant_default_inner(id))
    }

    fn constant_default_inner(&self, id: NodeId) -> Option<Term> {
        if let Some(term) = self.constant(id) {
            return Some(term);
        }
        let m = self.m;
        let all = |list: NodeList| -> Option<Vec<Term>> {
            m.list(list).iter().map(|&id| self.constant_default(id)).collect()
        };
        match m.kind(id) {
            Kind::Tuple { elements } => Some(Term::tuple(all(elements)?)),
            Kind::List { elements, tail } => {
                let tail = tail.map_or(Some(Term::NIL), |tail| self.constant_default(tail))?;
                Some(Term::improper(all(elements)?, tail))
            }
            Kind::Map { base, fields } => {
                let mut map = match base {
                    Some(base) => self.constant_default(base)?.as_map()?.clone(),
                    None => Map::new(),
                };
                for &field in m.list(fields) {
                    let Kind::MapField { exact, key, value } = m.kind(field) else { return None };
                    let key = self.constant_default(key)?;
                    if exact && !map.contains_key(&key) {
                        return None;
                    }
                    map.insert(key, self.constant_default(value)?);
                }
                Some(Term::map(map))
            }
            Kind::UnaryOp { op, operand } => {
                let operand = self.constant_default(operand)?;
                match op {
                    UnaryOp::Not => Some(Term::bool(!operand.as_bool()?)),
                    _ => super::literal::applied(op, operand),
                }
            }
            Kind::BinaryOp { op, left, right } => {
                constant_operation(op, &self.constant_default(left)?, self.constant_default(right)?)
            }
            _ => None,
        }
    }
}

/// What an operator makes of two constants.
fn constant_operation(op: BinaryOp, a: &Term, b: Term) -> Option<Term> {
    let truth = |of: fn(bool, bool) -> bool| Some(Term::bool(of(a.as_bool()?, b.as_bool()?)));
    match op {
        BinaryOp::Eq => Some(Term::bool(order::loose_eq(a, &b))),
        BinaryOp::Ne => Some(Term::bool(!order::loose_eq(a, &b))),
        BinaryOp::ExactEq => Some(Term::bool(order::exact_eq(a, &b))),
        BinaryOp::ExactNe => Some(Term::bool(!order::exact_eq(a, &b))),
        BinaryOp::Lt => Some(Term::bool(order::compare(a, &b).is_lt())),
        BinaryOp::Le => Some(Term::bool(order::compare(a, &b).is_le())),
        BinaryOp::Gt => Some(Term::bool(order::compare(a, &b).is_gt())),
        BinaryOp::Ge => Some(Term::bool(order::compare(a, &b).is_ge())),
        BinaryOp::And => truth(|a, b| a & b),
        BinaryOp::Or => truth(|a, b| a | b),
        BinaryOp::Xor => truth(|a, b| a ^ b),
        BinaryOp::Andalso => Some(if a.as_bool()? { b } else { Term::FALSE }),
        BinaryOp::Orelse => Some(if a.as_bool()? { Term::TRUE } else { b }),
        _ => operated(op, a, b),
    }
}
