//! From code to constraints: patterns.
//!
//! A pattern takes values apart. A part of a structure flows to a part of a pattern if the
//! structure can match as far as literals tell; parts that only other parts could rule out are not
//! told apart here (that is done where message and throw edges are decided, in
//! [`crate::matching`]).

use syntax::ast::{BinaryOp, Kind, NodeId};

use crate::bindings::Occurrence;
use crate::def_use::{Part, PartRead};
use crate::generate::Generator;
use crate::values::{BINARY, NOWHERE, NUMBER, UNKNOWN, Value, ValueId, VarId};
use crate::watches::{MapRead, TupleParts, Watch};

impl Generator<'_, '_> {
    pub(crate) fn pattern(&mut self, node: NodeId, input: VarId) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.pattern_here(node, input));
    }

    fn pattern_here(&mut self, node: NodeId, input: VarId) {
        let tree = self.tree.clone();
        match tree.kind(node) {
            Kind::Var(_) if self.bindings.occurrence(node) == Occurrence::Define => {
                let var = self.var_at(node);
                if self.is_narrowed(node) {
                    let narrow = Watch::Narrow { module: self.module, variable: node, to: var };
                    self.a.watch(input, narrow);
                } else {
                    self.a.include(input, var);
                }
            }
            Kind::Match { pattern, value } => {
                self.pattern(pattern, input);
                self.pattern(value, input);
            }
            Kind::Tuple { elements } => {
                let elements = tree.list(elements).to_vec();
                self.tuple_pattern(elements.iter().map(|&e| Some(e)).collect(), Vec::new(), input);
            }
            Kind::Record { name, fields, .. } => {
                let Some((name, definition)) = self.record_fields(name) else {
                    let named = tree.list(fields).iter().filter_map(|&field| {
                        let Kind::RecordField { name, .. } = tree.kind(field) else { return None };
                        match tree.kind(name) {
                            Kind::Atom(name) => Some(name),
                            _ => None,
                        }
                    });
                    let others = self.other_records(name, &named.collect::<Vec<_>>());
                    for (tag, names) in &others {
                        let tag = self.a.number(Value::Atom(*tag));
                        let written = names.iter().map(|&name| self.written_field(fields, name));
                        let elements = std::iter::once(None).chain(written).collect();
                        self.tuple_pattern(elements, vec![(0, tag)], input);
                    }
                    if !others.is_empty() {
                        return;
                    }
                    let unknown = self.a.constant(UNKNOWN);
                    for &field in tree.list(fields) {
                        if let Kind::RecordField { value, .. } = tree.kind(field) {
                            self.pattern(value, unknown);
                        }
                    }
                    return;
                };
                let tag = self.a.number(Value::Atom(name));
                let mut elements = vec![None];
                for (field, _) in definition {
                    elements.push(self.written_field(fields, field));
                }
                self.tuple_pattern(elements, vec![(0, tag)], input);
            }
            Kind::List { elements, tail } => {
                let mut rest = input;
                let count = elements.len as usize;
                for (index, &element) in tree.list(elements).iter().enumerate() {
                    let head = self.part_for(element);
                    let is_last = index + 1 == count;
                    let next = match tail {
                        Some(tail) if is_last => self.part_for(tail),
                        None if is_last => NOWHERE,
                        _ => self.a.fresh(),
                    };
                    if head != NOWHERE || next != NOWHERE {
                        self.a.watch(rest, Watch::Cons { head, tail: next });
                        self.note_read(element, rest, Part::Head);
                        if let Some(tail) = tail.filter(|_| is_last) {
                            self.note_read(tail, rest, Part::Tail);
                        }
                    }
                    if head != NOWHERE {
                        self.pattern(element, head);
                    }
                    rest = next;
                }
                if let Some(tail) = tail.filter(|_| rest != NOWHERE) {
                    self.pattern(tail, rest);
                }
            }
            Kind::Map { fields, .. } => {
                for &field in tree.list(fields) {
                    if let Kind::MapField { key, value, .. } = tree.kind(field) {
                        let key = self.expr(key);
                        let part = self.part_for(value);
                        if part != NOWHERE {
                            self.read_map(input, key, part);
                            self.note_read(value, input, Part::Map(key));
                            self.pattern(value, part);
                        }
                    }
                }
            }
            Kind::Binary { elements } => {
                for &element in tree.list(elements) {
                    let Kind::BinElement { value, .. } = tree.kind(element) else { continue };
                    if self.bindings.occurrence(value) == Occurrence::Define {
                        let var = self.var_at(value);
                        self.a.insert(var, NUMBER);
                        self.a.insert(var, BINARY);
                    }
                }
            }
            // "prefix" ++ Rest
            Kind::BinaryOp { op: BinaryOp::Append, right, .. } => {
                let rest = self.a.fresh();
                self.a.include(input, rest);
                self.a.watch(rest, Watch::Cons { head: NOWHERE, tail: rest });
                self.pattern(right, rest);
            }
            _ => {}
        }
    }

    fn is_narrowed(&self, variable: NodeId) -> bool {
        self.a.sources.source(self.module).narrowing.narrows(variable)
    }

    /// The variable for a part of a structure, [`NOWHERE`] if the pattern does not look at it.
    fn part_for(&mut self, pattern: NodeId) -> VarId {
        match self.tree.kind(pattern) {
            Kind::Var(_) => match self.bindings.occurrence(pattern) {
                Occurrence::Define if self.is_narrowed(pattern) => self.a.fresh(),
                Occurrence::Define => self.var_at(pattern),
                _ => NOWHERE,
            },
            _ if self.literal(pattern).is_some() => NOWHERE,
            Kind::String(_) | Kind::Float(_) | Kind::Integer(_) => NOWHERE,
            _ => self.a.fresh(),
        }
    }

    /// Remembers that a pattern takes a variable out of structures.
    fn note_read(&mut self, definition: NodeId, input: VarId, what: Part) {
        let defines = self.bindings.occurrence(definition) == Occurrence::Define;
        if defines && !self.is_model {
            let module = self.module;
            self.a.constraints.structures.reads.push(PartRead { module, definition, input, what });
        }
    }

    fn tuple_pattern(
        &mut self,
        elements: Vec<Option<NodeId>>,
        literals: Vec<(u32, ValueId)>,
        input: VarId,
    ) {
        let mut parts = TupleParts { arity: elements.len() as u32, literals, fields: Vec::new() };
        let mut inner = Vec::new();
        for (position, element) in elements.iter().enumerate() {
            let Some(element) = *element else { continue };
            if let Some(literal) = self.literal(element) {
                parts.literals.push((position as u32, literal));
                continue;
            }
            let part = self.part_for(element);
            if part != NOWHERE {
                parts.fields.push((position as u32, part));
                inner.push((element, part));
            }
        }
        if !parts.fields.is_empty() {
            let parts = self.a.constraints.accesses.tuple_parts.push(parts);
            self.a.watch(input, Watch::Tuple(parts));
            for (position, element) in elements.iter().enumerate() {
                if let Some(element) = *element {
                    self.note_read(element, input, Part::Tuple(parts, position as u32));
                }
            }
        }
        for (element, part) in inner {
            self.pattern(element, part);
        }
    }

    pub(crate) fn read_map(&mut self, map: VarId, key: VarId, result: VarId) {
        let read = self.a.constraints.accesses.map_reads.push(MapRead { map, key, result });
        self.a.watch(map, Watch::Map(read));
        self.a.watch(key, Watch::MapKey(read));
    }
}
