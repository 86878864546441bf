//! From code to constraints: lists, maps, records, comprehensions.
//!
//! A structure is told apart by the place that makes it; its fields are variables
//! ([`crate::contents`]). A list of up to [`LONGEST_LIST`] elements is a cell for each of them, a
//! longer one a cell that leads to itself. A map remembers the map that it is an update of. A
//! record is a tuple with its name, one that is native a tuple with a name that nothing else has;
//! a record of another module may be any that has the fields which are written. What a
//! comprehension gives is a list, or a map, of any length.
//!
//! Places that build are noted for definitions and uses ([`crate::def_use`]). Not looked into: how
//! often a generator runs, what filters say, the contents of binaries.

use atom::{Atom, known};
use syntax::ast::{ComprehensionKind, GeneratorKind, Kind, NodeId, NodeList, RecordName};

use crate::analysis::Analysis;
use crate::def_use::Built;
use crate::generate::Generator;
use crate::sources::ModuleId;
use crate::values::{BINARY, UNKNOWN, Value, VarId};
use crate::watches::{TupleParts, Watch};

/// Longer lists are one cell with all elements.
pub(crate) const LONGEST_LIST: usize = 16;

/// What the tags of native records begin with.
pub(crate) const NATIVE: &str = "#";

/// The name of a record's field, and its default.
pub(crate) type RecordField = (Atom, Option<NodeId>);

impl Generator<'_, '_> {
    /// Remembers what stands in the fields of a structure that the program builds.
    pub(crate) fn note_built(
        &mut self,
        structure: VarId,
        fields: Box<[Option<NodeId>]>,
        is_long_list: bool,
        base: Option<VarId>,
    ) {
        if self.is_model {
            return;
        }
        if let [value] = *self.a.items(structure)
            && let Value::Tuple(object) | Value::Cons(object) = self.a.value(value)
        {
            let built = Built { module: self.module, fields, is_long_list, base };
            self.a.constraints.structures.built.insert(object, built);
        }
    }

    /// As [`Self::note_built`], for the cells of a list.
    pub(crate) fn note_list(&mut self, list: VarId, elements: &[NodeId], tail: Option<NodeId>) {
        if elements.len() > LONGEST_LIST {
            let all = std::iter::once(tail).chain(elements.iter().map(|&element| Some(element)));
            return self.note_built(list, all.collect(), true, None);
        }
        let mut cell = list;
        for (index, &element) in elements.iter().enumerate() {
            let is_last = index + 1 == elements.len();
            let rest = tail.filter(|_| is_last);
            self.note_built(cell, [Some(element), rest].into(), false, None);
            let next = match self.a.items(cell) {
                [value] => match self.a.value(*value) {
                    Value::Cons(object) => self.a.solution.values.objects[object].fields[1],
                    _ => return,
                },
                _ => return,
            };
            cell = next;
        }
    }

    // ---- Comprehensions ----------------------------------------------------------------------

    pub(crate) fn comprehension(
        &mut self,
        which: ComprehensionKind,
        exprs: NodeList,
        qualifiers: NodeList,
    ) -> VarId {
        let tree = self.tree.clone();
        for &qualifier in tree.list(qualifiers) {
            self.qualifier(qualifier);
        }
        match which {
            ComprehensionKind::List => {
                let elements = self.a.fresh();
                for value in self.exprs(exprs) {
                    self.a.include(value, elements);
                }
                self.a.solution.any_list_of(elements)
            }
            ComprehensionKind::Binary => {
                self.exprs(exprs);
                self.a.constant(BINARY)
            }
            ComprehensionKind::Map => {
                let object = self.a.solution.new_map();
                for &field in tree.list(exprs) {
                    if let Kind::MapField { key, value, .. } = tree.kind(field) {
                        let (key, value) = (self.expr(key), self.expr(value));
                        self.a.solution.write_map(object, key, value);
                    }
                }
                let value = self.a.number(Value::Map(object));
                self.a.constant(value)
            }
        }
    }

    fn qualifier(&mut self, node: NodeId) {
        let tree = self.tree.clone();
        match tree.kind(node) {
            Kind::Generator { which, pattern, source, .. } => {
                let source = self.expr(source);
                match which {
                    GeneratorKind::List => {
                        let elements = self.a.fresh();
                        self.a.solution.elements_into(source, elements);
                        self.pattern(pattern, elements);
                    }
                    GeneratorKind::Value => self.pattern(pattern, source),
                    GeneratorKind::Binary => {
                        let binary = self.a.constant(BINARY);
                        self.pattern(pattern, binary);
                    }
                    GeneratorKind::Map => {
                        let (keys, values) = (self.a.fresh(), self.a.fresh());
                        self.a.watch(source, Watch::MapAll { keys, values });
                        if let Kind::MapField { key, value, .. } = tree.kind(pattern) {
                            self.pattern(key, keys);
                            self.pattern(value, values);
                        }
                    }
                }
            }
            Kind::ZipGenerator { generators } => {
                tree.list(generators).iter().for_each(|&generator| self.qualifier(generator));
            }
            _ => {
                self.expr(node);
            }
        }
    }

    // ---- Maps and records --------------------------------------------------------------------

    pub(crate) fn map(&mut self, base: Option<NodeId>, fields: NodeList) -> VarId {
        let tree = self.tree.clone();
        let base = base.map(|base| self.expr(base));
        let object = self.a.solution.new_map();
        let mut written = Vec::new();
        for &field in tree.list(fields) {
            if let Kind::MapField { key, value, .. } = tree.kind(field) {
                let key = self.expr(key);
                written.push((key, value));
                let value = self.expr(value);
                self.a.solution.write_map(object, key, value);
            }
        }
        if !self.is_model && !written.is_empty() {
            self.a.constraints.structures.maps.insert(object, (self.module, written));
        }
        if let Some(base) = base {
            self.a.watch(base, Watch::MapBase(object));
        }
        let value = self.a.number(Value::Map(object));
        self.a.constant(value)
    }

    /// A record's definition: the tag of its values, and each field's name and default.
    ///
    /// A native record is seen as a tuple, too, with a tag that no tuple is written with. That it
    /// is none is taken into account where tuples are tested for.
    pub(crate) fn record_fields(&self, name: RecordName) -> Option<(Atom, Vec<RecordField>)> {
        let RecordName::Local(name) = name else { return None };
        let Kind::Atom(name) = self.tree.kind(name) else { return None };
        let record = self.a.sources.source(self.module).index.records.get(name)?;
        let fields = record.fields.iter().map(|&(name, field)| {
            let default = match self.tree.kind(field) {
                Kind::RecordFieldDef { default, .. } => default,
                _ => None,
            };
            (name, default)
        });
        Some((self.a.record_tag(self.module, name, record.native), fields.collect()))
    }

    /// What is written for a field; the value for `_` stands for all others.
    pub(crate) fn written_field(&self, fields: NodeList, name: Atom) -> Option<NodeId> {
        let mut others = None;
        for &field in self.tree.list(fields) {
            let Kind::RecordField { name: written, value } = self.tree.kind(field) else {
                continue;
            };
            match self.tree.kind(written) {
                Kind::Atom(written) if written == name => return Some(value),
                Kind::Var(_) => others = Some(value),
                _ => {}
            }
        }
        others
    }

    pub(crate) fn record(
        &mut self,
        base: Option<NodeId>,
        name: RecordName,
        fields: NodeList,
    ) -> VarId {
        let base = base.map(|base| self.expr(base));
        let Some((name, definition)) = self.record_fields(name) else {
            return self.other_record(base, name, fields);
        };
        let tag = self.a.number(Value::Atom(name));
        let mut vars = vec![self.a.constant(tag)];
        let mut written = vec![None];
        let mut inherited = Vec::new();
        for (position, &(field, default)) in definition.iter().enumerate() {
            written.push(self.written_field(fields, field));
            let var = match (self.written_field(fields, field), base, default) {
                (Some(value), ..) => self.expr(value),
                (None, Some(_), _) => {
                    let var = self.a.fresh();
                    inherited.push((position as u32 + 1, var));
                    var
                }
                // The default is outside of the function's tree, so it has no variable there.
                (None, None, Some(default)) => self.expr(default),
                (None, None, None) => self.a.atom(known::UNDEFINED),
            };
            vars.push(var);
        }
        if let Some(base) = base {
            let arity = vars.len() as u32;
            let parts = TupleParts { arity, literals: vec![(0, tag)], fields: inherited };
            let parts = self.a.constraints.accesses.tuple_parts.push(parts);
            self.a.watch(base, Watch::Tuple(parts));
        }
        let record = self.a.tuple_of(&vars);
        self.note_built(record, written.into(), false, base);
        record
    }

    pub(crate) fn record_access(&mut self, base: VarId, name: RecordName, field: NodeId) -> VarId {
        let result = self.a.fresh();
        let field = match self.tree.kind(field) {
            Kind::Atom(field) => field,
            _ => return result,
        };
        let Some((name, definition)) = self.record_fields(name) else {
            let others = self.other_records(name, &[field]);
            for (tag, fields) in &others {
                let position = fields.iter().position(|&name| name == field);
                let parts = position.map(|at| (at as u32 + 1, result)).into_iter().collect();
                self.take_record_apart(base, *tag, fields.len(), parts);
            }
            return if others.is_empty() { self.a.constant(UNKNOWN) } else { result };
        };
        let tag = self.a.number(Value::Atom(name));
        if let Some(position) = definition.iter().position(|&(name, _)| name == field) {
            let arity = definition.len() as u32 + 1;
            let fields = vec![(position as u32 + 1, result)];
            let parts = self.a.constraints.accesses.tuple_parts.push(TupleParts {
                arity,
                literals: vec![(0, tag)],
                fields,
            });
            self.a.watch(base, Watch::Tuple(parts));
        }
        result
    }
}

/// Native records that another module defines, or that are not named.
impl Generator<'_, '_> {
    /// Those of the program that a name may mean where the module defines none of it, and that have
    /// these fields: the tag of their values, and their fields.
    pub(crate) fn other_records(
        &self,
        name: RecordName,
        fields: &[Atom],
    ) -> Vec<(Atom, Vec<Atom>)> {
        let atom = |node| match self.tree.kind(node) {
            Kind::Atom(name) => Some(name),
            _ => None,
        };
        // An imported one may be that of any module.
        let (of, named) = match name {
            RecordName::Any => (None, None),
            RecordName::Remote(module, name) => (atom(module), atom(name)),
            RecordName::Local(name) => (None, atom(name)),
        };
        let mut found = Vec::new();
        for (module, source) in self.a.sources.modules.enumerate() {
            if of.is_some_and(|of| source.index.name != Some(of)) {
                continue;
            }
            for (name, record) in source.index.records.iter() {
                let is_meant = record.native && named.is_none_or(|named| named == name);
                if is_meant && fields.iter().all(|&field| record.field(field).is_some()) {
                    let fields = record.fields.iter().map(|&(name, _)| name).collect();
                    found.push((self.a.record_tag(module, name, true), fields));
                }
            }
        }
        found
    }

    /// Parts of a record's values go to variables: position in the tuple, and the variable.
    fn take_record_apart(
        &mut self,
        base: VarId,
        tag: Atom,
        fields: usize,
        parts: Vec<(u32, VarId)>,
    ) {
        let tag = self.a.number(Value::Atom(tag));
        let arity = fields as u32 + 1;
        let parts = self.a.constraints.accesses.tuple_parts.push(TupleParts {
            arity,
            literals: vec![(0, tag)],
            fields: parts,
        });
        self.a.watch(base, Watch::Tuple(parts));
    }

    /// Such a record built or updated: any of those that it may be.
    fn other_record(&mut self, base: Option<VarId>, name: RecordName, fields: NodeList) -> VarId {
        let tree = self.tree.clone();
        let mut written = Vec::new();
        for &field in tree.list(fields) {
            let Kind::RecordField { name, value } = tree.kind(field) else { continue };
            let value = self.expr(value);
            if let Kind::Atom(name) = tree.kind(name) {
                written.push((name, value));
            }
        }
        let names: Vec<Atom> = written.iter().map(|&(name, _)| name).collect();
        let others = self.other_records(name, &names);
        if others.is_empty() {
            return self.a.constant(UNKNOWN);
        }
        let result = self.a.fresh();
        for (tag, fields) in others {
            let first = self.a.number(Value::Atom(tag));
            let mut vars = vec![self.a.constant(first)];
            let mut inherited = Vec::new();
            for (at, field) in (1..).zip(&fields) {
                vars.push(match written.iter().find(|(name, _)| name == field) {
                    Some(&(_, value)) => value,
                    None if base.is_some() => {
                        let var = self.a.fresh();
                        inherited.push((at, var));
                        var
                    }
                    // A default value, which is a constant of the other module.
                    None => self.a.constant(UNKNOWN),
                });
            }
            if let Some(base) = base {
                self.take_record_apart(base, tag, fields.len(), inherited);
            }
            let record = self.a.tuple_of(&vars);
            self.a.include(record, result);
        }
        result
    }
}

impl Analysis<'_> {
    /// What stands first in the values of a record.
    pub(crate) fn record_tag(&self, module: ModuleId, name: Atom, native: bool) -> Atom {
        if native {
            let of = self.sources.source(module).index.name.unwrap_or(known::EMPTY);
            Atom::new(&format!("{NATIVE}{of}:{name}"))
        } else {
            name
        }
    }
}
