//! Patterns: what a value must be for one to match, and what its variables stand for then.

use atom::{Atom, known};
use syntax::ast::{BinaryOp, Kind, NodeId, NodeList, RecordName, UnaryOp};
use syntax::token::Literal;

use super::body::Body;
use super::finding::Why;
use super::promised;
use super::solver::{Alive, Dead, Relation, ValueId};
use crate::declared::resolve;
use crate::ty::{Key, MapType, Type};

impl Body<'_> {
    /// `Pattern = Value`, which is told where it never matches.
    pub(super) fn matched(&mut self, pattern: NodeId, value: ValueId, node: NodeId) -> Alive {
        let before = self.known(&[value]);
        let result = self.pattern(pattern, value);
        if let (Err(Dead), [known]) = (result, &before[..]) {
            self.note(node, &before, Why::Match { value: known.ty.clone() });
        }
        result
    }

    /// A value must match a pattern.
    pub(super) fn pattern(&mut self, pattern: NodeId, value: ValueId) -> Alive {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || self.pattern_here(pattern, value))
    }

    fn pattern_here(&mut self, pattern: NodeId, value: ValueId) -> Alive {
        let kind = self.tree().kind(pattern);
        if promised::looks_inside(kind) {
            self.check_opaque(pattern, value);
        }
        if let Some(ty) = self.constant(kind) {
            return self.solver.narrow(value, &ty);
        }
        match kind {
            Kind::Var(name) if name.as_str() == "_" => Ok(()),
            Kind::Var(name) => match self.solver.variable(name) {
                Some(bound) if bound == value => Ok(()),
                Some(bound) => self.solver.relate(Relation::Equal(bound, value)),
                None => {
                    self.solver.bind(name, value);
                    Ok(())
                }
            },
            Kind::Tuple { elements } => self.tuple_pattern(elements, value),
            Kind::List { elements, tail } => self.list_pattern(elements, tail, value),
            Kind::Match { pattern, value: other } => {
                self.pattern(pattern, value)?;
                self.pattern(other, value)
            }
            Kind::Map { fields, .. } => self.map_pattern(fields, value),
            Kind::Record { name, fields, .. } => self.record_pattern(name, fields, value),
            Kind::Binary { elements } => self.binary_pattern(elements, value),
            Kind::BinaryOp { op: BinaryOp::Append, left, right } => {
                self.prefix_pattern(left, right, value)
            }
            Kind::BinaryOp { .. } | Kind::UnaryOp { .. } => {
                let ty = match resolve::integer(self.tree(), pattern) {
                    Some(number) => Type::the_integer(number),
                    None => Type::number(),
                };
                self.solver.narrow(value, &ty)
            }
            _ => Ok(()),
        }
    }

    /// The type of a pattern as far as it is seen at once: what fails at once is not looked into.
    fn outline(&self, pattern: NodeId) -> Type {
        let kind = self.tree().kind(pattern);
        match kind {
            Kind::Tuple { elements } => Type::tuple(vec![Type::Any; elements.len as usize]),
            Kind::List { .. } => Type::cell(&Type::Any, &Type::Any),
            Kind::Map { .. } => Type::any_map(),
            Kind::Binary { .. } => Type::bitstring(),
            _ => self.constant(kind).unwrap_or(Type::Any),
        }
    }

    fn tuple_pattern(&mut self, elements: NodeList, value: ValueId) -> Alive {
        let elements = self.list(elements);
        let outline = elements.iter().map(|&element| self.outline(element)).collect();
        self.solver.narrow(value, &Type::tuple(outline))?;
        let tuples = self.solver.ty(value).parts().tuples.clone();
        let mut parts = Vec::with_capacity(elements.len());
        for place in 0..elements.len() {
            parts.push(self.solver.value(tuples.element(elements.len(), place)));
        }
        self.solver.relate(Relation::Tuple { whole: value, parts: parts.clone().into() })?;
        for (&element, part) in elements.iter().zip(parts) {
            self.pattern(element, part)?;
        }
        Ok(())
    }

    fn list_pattern(&mut self, elements: NodeList, tail: Option<NodeId>, value: ValueId) -> Alive {
        let mut whole = value;
        for &element in self.list(elements) {
            let (head, rest) = self.split(whole)?;
            self.pattern(element, head)?;
            whole = rest;
        }
        match tail {
            Some(tail) => self.pattern(tail, whole),
            None => self.solver.narrow(whole, &Type::nil()),
        }
    }

    /// A list that is not empty, and its two parts.
    fn split(&mut self, whole: ValueId) -> Alive<(ValueId, ValueId)> {
        self.solver.narrow(whole, &Type::cell(&Type::Any, &Type::Any))?;
        let (head, tail) = (self.solver.ty(whole).head(), self.solver.ty(whole).tail());
        let (head, tail) = (self.solver.value(head), self.solver.value(tail));
        self.solver.relate(Relation::Cell { whole, head, tail })?;
        Ok((head, tail))
    }

    /// `"text" ++ Rest`
    fn prefix_pattern(&mut self, prefix: NodeId, rest: NodeId, value: ValueId) -> Alive {
        let mut whole = value;
        match self.tree().kind(prefix) {
            Kind::String(literal) => {
                if let Literal::String(text) = self.tree().literal(literal) {
                    for code in text.chars() {
                        let (head, tail) = self.split(whole)?;
                        let code = Type::the_integer(i64::from(u32::from(code)));
                        self.solver.narrow(head, &code)?;
                        whole = tail;
                    }
                }
            }
            Kind::List { elements, .. } => {
                for &element in self.list(elements) {
                    let (head, tail) = self.split(whole)?;
                    self.pattern(element, head)?;
                    whole = tail;
                }
            }
            Kind::Nil => {}
            _ => whole = self.any(),
        }
        self.pattern(rest, whole)
    }

    fn map_pattern(&mut self, fields: NodeList, value: ValueId) -> Alive {
        self.solver.narrow(value, &Type::any_map())?;
        for &field in self.list(fields) {
            let Kind::MapField { key, value: pattern, .. } = self.tree().kind(field) else {
                continue;
            };
            let key = self.eval(key)?;
            let key = self.solver.ty(key).clone();
            let there = match &self.solver.ty(value).parts().maps {
                Some(map) => map.get(&key),
                None => return Err(Dead),
            };
            if there.is_none() {
                return Err(Dead);
            }
            let part = self.solver.value(there);
            if let Some(key) = Key::of(&key) {
                let with = MapType::all().put(&key.to_type(), &Type::Any);
                self.solver.narrow(value, &Type::map(with))?;
                self.solver.relate(Relation::Field { map: value, key, value: part })?;
            }
            self.pattern(pattern, part)?;
        }
        Ok(())
    }

    /// The size of a record's tuples, from its definition.
    fn record_fields(&self, name: RecordName) -> Option<(Atom, &[(Atom, NodeId)])> {
        let RecordName::Local(name) = name else { return None };
        let Kind::Atom(name) = self.tree().kind(name) else { return None };
        let record = self.module.index.records.get(name)?;
        (!record.native).then_some((name, &record.fields))
    }

    /// Any record of a name.
    fn any_record(&self, name: Atom, fields: usize) -> Type {
        if let Some(declared) = self.callees.record(self.module.name, name) {
            return declared.opened().clone();
        }
        let mut elements = vec![Type::Any; fields + 1];
        elements[0] = Type::the_atom(name);
        Type::tuple(elements)
    }

    fn record_pattern(&mut self, name: RecordName, fields: NodeList, value: ValueId) -> Alive {
        let Some((name, definition)) = self.record_fields(name) else {
            // A native record: its fields are not followed.
            for &field in self.list(fields) {
                if let Kind::RecordField { value: pattern, .. } = self.tree().kind(field) {
                    let part = self.any();
                    self.pattern(pattern, part)?;
                }
            }
            return Ok(());
        };
        let definition: Vec<Atom> = definition.iter().map(|field| field.0).collect();
        let size = definition.len() + 1;
        self.solver.narrow(value, &self.any_record(name, definition.len()))?;
        let mut rest = None;
        let mut given = Vec::new();
        for &field in self.list(fields) {
            let Kind::RecordField { name, value: pattern } = self.tree().kind(field) else {
                continue;
            };
            match self.tree().kind(name) {
                Kind::Atom(name) => {
                    if let Some(place) = definition.iter().position(|field| *field == name) {
                        given.push((place, pattern));
                    }
                }
                _ => rest = Some(pattern),
            }
        }
        if let Some(pattern) = rest {
            let others = (0..definition.len())
                .filter(|place| given.iter().all(|given| given.0 != *place))
                .map(|place| (place, pattern))
                .collect::<Vec<_>>();
            given.extend(others);
        }
        for (place, pattern) in given {
            let part = self.element(value, size, place + 1)?;
            self.pattern(pattern, part)?;
        }
        Ok(())
    }

    /// The element at a place (from 0) of a tuple of a size.
    fn element(&mut self, whole: ValueId, size: usize, place: usize) -> Alive<ValueId> {
        let ty = self.solver.ty(whole).parts().tuples.element(size, place);
        if ty.is_none() {
            return Err(Dead);
        }
        let part = self.solver.value(ty);
        self.solver.relate(Relation::Element { whole, size, place, part })?;
        Ok(part)
    }

    /// `#name{…}`, `Base#name{…}`
    pub(super) fn record(
        &mut self,
        base: Option<NodeId>,
        name: RecordName,
        fields: NodeList,
    ) -> Alive<ValueId> {
        let base = match base {
            Some(base) => Some(self.eval(base)?),
            None => None,
        };
        let definition = self.record_fields(name).map(|(name, fields)| (name, fields.to_vec()));
        let mut given = Vec::new();
        let mut rest = None;
        for &field in self.list(fields) {
            let Kind::RecordField { name, value } = self.tree().kind(field) else { continue };
            match self.tree().kind(name) {
                Kind::Atom(name) => given.push((name, self.eval(value)?, field)),
                _ => rest = Some(value),
            }
        }
        let Some((name, definition)) = definition else {
            return Ok(self.any());
        };
        let size = definition.len() + 1;
        if let Some(base) = base {
            self.solver.narrow(base, &self.any_record(name, definition.len()))?;
        }
        let mut parts = vec![self.solver.value(Type::the_atom(name))];
        for (place, (field, form)) in definition.iter().enumerate() {
            let part = match given.iter().find(|given| given.0 == *field) {
                Some(&(_, value, node)) => {
                    self.check_field(node, name, (*field, place), value);
                    value
                }
                None => match (base, rest, self.tree().kind(*form)) {
                    (Some(base), ..) => self.element(base, size, place + 1)?,
                    (None, Some(rest), _) => self.eval(rest)?,
                    (None, None, Kind::RecordFieldDef { default: Some(default), .. }) => {
                        self.default_value(default)?
                    }
                    _ => self.solver.value(Type::the_atom(known::UNDEFINED)),
                },
            };
            parts.push(part);
        }
        let whole = self.tuple(parts)?;
        self.solver.narrow(whole, &self.any_record(name, definition.len()))?;
        Ok(whole)
    }

    /// The default of a field, in which variables of the function mean nothing.
    fn default_value(&mut self, default: NodeId) -> Alive<ValueId> {
        let ty = self.aside(|this| {
            let value = this.eval(default)?;
            Ok(this.solver.ty(value).clone())
        })?;
        Ok(self.solver.value(ty))
    }

    /// `Base#name.field`
    pub(super) fn record_access(
        &mut self,
        base: NodeId,
        name: RecordName,
        field: NodeId,
    ) -> Alive<ValueId> {
        let base = self.eval(base)?;
        let Some((name, definition)) = self.record_fields(name) else { return Ok(self.any()) };
        let Kind::Atom(field) = self.tree().kind(field) else { return Ok(self.any()) };
        let count = definition.len();
        let Some(place) = definition.iter().position(|known| known.0 == field) else {
            return Ok(self.any());
        };
        self.solver.narrow(base, &self.any_record(name, count))?;
        self.element(base, count + 1, place + 1)
    }

    /// The terms that a pattern matches, if that is all that can be said of it: so that clauses
    /// behind it need not expect them. `bound` has variables that were met.
    pub(super) fn exactly(&self, pattern: NodeId, bound: &mut Vec<Atom>) -> Option<Type> {
        let kind = self.tree().kind(pattern);
        match kind {
            Kind::Atom(_) | Kind::Integer(_) | Kind::Char(_) | Kind::Nil => {
                let ty = self.constant(kind)?;
                (ty == Type::nil() || Key::of(&ty).is_some()).then_some(ty)
            }
            Kind::UnaryOp { op: UnaryOp::Minus | UnaryOp::Plus, .. } => {
                resolve::integer(self.tree(), pattern).map(Type::the_integer)
            }
            Kind::Var(name) if name.as_str() == "_" => Some(Type::Any),
            Kind::Var(name) => {
                let fresh = self.solver.variable(name).is_none() && !bound.contains(&name);
                bound.push(name);
                fresh.then_some(Type::Any)
            }
            Kind::Tuple { elements } => {
                let elements = self.list(elements).iter();
                let elements: Option<Vec<Type>> =
                    elements.map(|&element| self.exactly(element, bound)).collect();
                Some(Type::tuple(elements?))
            }
            Kind::List { elements, tail: Some(tail) } => {
                // Only a list of whatever it may be: the type says the same of all elements.
                let head = *self.list(elements).first()?;
                let one = elements.len == 1
                    && self.exactly(head, bound)?.is_any()
                    && self.exactly(tail, bound)?.is_any();
                one.then(|| Type::cell(&Type::Any, &Type::Any))
            }
            Kind::Match { pattern, value } => {
                let (a, b) = (self.exactly(pattern, bound)?, self.exactly(value, bound)?);
                match (a.is_any(), b.is_any()) {
                    (true, _) => Some(b),
                    (_, true) => Some(a),
                    _ => None,
                }
            }
            Kind::Map { fields, .. } if fields.is_empty() => Some(Type::any_map()),
            Kind::Record { name, fields, .. } => {
                let (name, definition) = self.record_fields(name)?;
                let mut elements = vec![Type::Any; definition.len() + 1];
                elements[0] = Type::the_atom(name);
                for &field in self.list(fields) {
                    let Kind::RecordField { name, value } = self.tree().kind(field) else {
                        return None;
                    };
                    let Kind::Atom(name) = self.tree().kind(name) else { return None };
                    let place = definition.iter().position(|field| field.0 == name)?;
                    elements[place + 1] = self.exactly(value, bound)?;
                }
                Some(Type::tuple(elements))
            }
            _ => None,
        }
    }
}
