//! Whether abstract values can match patterns: the test behind message and throw edges.
//!
//! Unlike the propagation of values, which looks at one level at a time, this looks at a whole
//! pattern: a value matches if every part of it has a value that matches that part of the pattern.
//! Variables that are bound already are compared by their values, so a reply that is tagged with a
//! reference is told apart from others.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId, RecordName};
use syntax::token::Literal;

use crate::analysis::Analysis;
use crate::bindings::Occurrence;
use crate::constraints::InstanceId;
use crate::solution::EVERYWHERE;
use crate::sources::ModuleId;
use crate::values::{EVERYTHING, Value, ValueId, VarId};

/// How sure a match is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Verdict {
    No,
    May,
    Yes,
}

/// What is known of values that many sets hold: it is true for one state of the analysis.
pub(crate) type Matched = RefCell<FxHashMap<(ValueId, NodeId, InstanceId, bool), Verdict>>;

/// A message or a part of one: a value, or whatever a variable holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    One(ValueId),
    Any(VarId),
}

/// Where the variables of a pattern live.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) module: ModuleId,
    pub(crate) instance: InstanceId,
    /// Whether guards narrow the variables; if not, the question is whether the head alone matches.
    pub(crate) has_guards: bool,
}

impl Analysis<'_> {
    /// Whether a variable that a pattern binds may hold a value.
    fn may_hold(&self, place: Place, variable: NodeId, value: ValueId) -> bool {
        if place.has_guards {
            self.passes(place.module, variable, value)
        } else {
            !self.is_taken(place.module, variable, value)
        }
    }

    fn tree(&self, place: Place) -> &Module {
        &self.sources.source(place.module).tree
    }

    /// The variable of a node, if it has one.
    pub(crate) fn var_of(&self, place: Place, node: NodeId) -> Option<VarId> {
        self.constraints.var(place.instance, node)
    }

    /// Whether some value of a variable matches; sure only if all do.
    pub(crate) fn match_var(&self, var: VarId, pattern: NodeId, place: Place) -> Verdict {
        let tree = self.tree(place);
        if let Kind::Var(_) = tree.kind(pattern)
            && !matches!(self.occurrence(place, pattern), Occurrence::Use(_))
            && !self.sources.source(place.module).narrowing.narrows(pattern)
        {
            return Verdict::Yes;
        }
        // What is everywhere is asked for again and again.
        let is_everything = self.solution.vars[var].is_everything || var == EVERYWHERE;
        let key = (EVERYTHING, pattern, place.instance, place.has_guards);
        if is_everything && let Some(&known) = self.solution.matched.borrow().get(&key) {
            return known;
        }
        let verdict = self.match_items(var, pattern, place);
        if is_everything {
            self.solution.matched.borrow_mut().insert(key, verdict);
        }
        verdict
    }

    fn match_items(&self, var: VarId, pattern: NodeId, place: Place) -> Verdict {
        let mut best = Verdict::No;
        let mut all = !self.solution.vars[var].is_everything;
        for value in self.solution.all_items(var) {
            let verdict = self.match_value(value, pattern, place);
            best = best.max(verdict);
            all &= verdict == Verdict::Yes;
        }
        if all { best } else { best.min(Verdict::May) }
    }

    fn occurrence(&self, place: Place, node: NodeId) -> Occurrence<'_> {
        self.sources.source(place.module).bindings.occurrence(node)
    }

    pub(crate) fn match_value(&self, value: ValueId, pattern: NodeId, place: Place) -> Verdict {
        let is_summary = match self.value(value) {
            Value::Tuple(object) | Value::Cons(object) => {
                self.solution.values.objects[object].is_summary
            }
            _ => false,
        };
        let key = (value, pattern, place.instance, place.has_guards);
        if is_summary && let Some(&known) = self.solution.matched.borrow().get(&key) {
            return known;
        }
        let verdict =
            stacker::maybe_grow(64 << 10, 1 << 20, || self.match_value_here(value, pattern, place));
        if is_summary {
            self.solution.matched.borrow_mut().insert(key, verdict);
        }
        verdict
    }

    fn match_value_here(&self, id: ValueId, pattern: NodeId, place: Place) -> Verdict {
        let tree = self.tree(place);
        let value = self.value(id);
        let kind = tree.kind(pattern);
        let is_unknown = value == Value::Unknown;
        match kind {
            Kind::Var(_) => match self.occurrence(place, pattern) {
                Occurrence::Use(definitions) => self.match_bound(id, definitions, place),
                _ if !self.may_hold(place, pattern, id) => Verdict::No,
                _ if is_unknown && self.sources.source(place.module).narrowing.narrows(pattern) => {
                    Verdict::May
                }
                _ => Verdict::Yes,
            },
            Kind::Match { pattern, value } => {
                self.match_value(id, pattern, place).min(self.match_value(id, value, place))
            }
            // What it stands for is matched beside it.
            _ if value == Value::Everything => Verdict::No,
            _ if is_unknown => Verdict::May,
            Kind::Atom(name) => match value {
                Value::Atom(other) if other == name => Verdict::Yes,
                Value::AnyAtom => Verdict::May,
                _ => Verdict::No,
            },
            Kind::Char(code) => match_int(value, Some(code.into())),
            Kind::Integer(literal) => match tree.literal(literal) {
                Literal::Integer(number) => match_int(value, i64::try_from(number).ok()),
                _ => Verdict::No,
            },
            Kind::Float(_) | Kind::UnaryOp { .. } => match_int(value, None),
            Kind::BinaryOp { .. } => match value {
                Value::Number | Value::Int(_) | Value::Cons(_) | Value::Nil => Verdict::May,
                _ => Verdict::No,
            },
            Kind::Nil => {
                if value == Value::Nil {
                    Verdict::Yes
                } else {
                    Verdict::No
                }
            }
            Kind::String(text) | Kind::Sigil { which: syntax::ast::SigilKind::String, text } => {
                match (value, tree.literal(text)) {
                    (Value::Nil, Literal::String(text)) if text.is_empty() => Verdict::Yes,
                    (Value::Cons(_), _) => Verdict::May,
                    _ => Verdict::No,
                }
            }
            Kind::Binary { .. } | Kind::Sigil { .. } => {
                if value == Value::Binary {
                    Verdict::May
                } else {
                    Verdict::No
                }
            }
            Kind::Tuple { elements } => {
                let elements = tree.list(elements).iter().map(|&element| Some(element));
                let verdict = self.match_tuple(value, &elements.collect::<Vec<_>>(), place);
                match value {
                    Value::Tuple(object)
                        if verdict == Verdict::Yes && self.solution.may_be_native(object) =>
                    {
                        Verdict::May
                    }
                    _ => verdict,
                }
            }
            Kind::Record { name, fields, .. } => self.match_record(value, name, fields, place),
            Kind::List { elements, tail } => {
                self.match_list(value, tree.list(elements), tail, place)
            }
            Kind::Map { .. } => {
                if matches!(value, Value::Map(_)) {
                    Verdict::May
                } else {
                    Verdict::No
                }
            }
            _ => Verdict::May,
        }
    }

    fn match_tuple(&self, value: Value, elements: &[Option<NodeId>], place: Place) -> Verdict {
        let Value::Tuple(object) = value else { return Verdict::No };
        let object = &self.solution.values.objects[object];
        if object.fields.len() != elements.len() {
            return Verdict::No;
        }
        let verdicts = object.fields.iter().zip(elements).map(|(&field, element)| {
            element.map_or(Verdict::Yes, |element| self.match_var(field, element, place))
        });
        let verdict = verdicts.min().unwrap_or(Verdict::Yes);
        if object.is_summary { verdict.min(Verdict::May) } else { verdict }
    }

    fn match_record(
        &self,
        value: Value,
        name: RecordName,
        fields: syntax::ast::NodeList,
        place: Place,
    ) -> Verdict {
        let tree = self.tree(place);
        let RecordName::Local(name) = name else { return Verdict::May };
        let Kind::Atom(name) = tree.kind(name) else { return Verdict::May };
        let Some(record) = self.sources.source(place.module).index.records.get(name) else {
            return Verdict::May;
        };
        let Value::Tuple(object) = value else { return Verdict::No };
        let name = self.record_tag(place.module, name, record.native);
        let tag = self.solution.values.objects[object].fields.first().copied();
        let tags = tag.into_iter().flat_map(|tag| self.solution.all_items(tag));
        let tags = tags.map(|tag| match self.value(tag) {
            Value::Atom(tag) if tag == name => Verdict::Yes,
            Value::Unknown | Value::AnyAtom => Verdict::May,
            _ => Verdict::No,
        });
        let (mut best, mut worst) = (Verdict::No, Verdict::Yes);
        for tag in tags {
            (best, worst) = (best.max(tag), worst.min(tag));
        }
        let of_tag = match (best, worst) {
            (Verdict::No, _) => return Verdict::No,
            (_, Verdict::Yes) => Verdict::Yes,
            _ => Verdict::May,
        };
        let mut elements = vec![None; record.fields.len() + 1];
        for &field in tree.list(fields) {
            let Kind::RecordField { name, value } = tree.kind(field) else { continue };
            if let Kind::Atom(name) = tree.kind(name)
                && let Some(position) = record.field(name)
            {
                elements[position + 1] = Some(value);
            }
        }
        self.match_tuple(value, &elements, place).min(of_tag)
    }

    fn match_list(
        &self,
        value: Value,
        elements: &[NodeId],
        tail: Option<NodeId>,
        place: Place,
    ) -> Verdict {
        let Value::Cons(object) = value else { return Verdict::No };
        let object = &self.solution.values.objects[object];
        let [head, rest] = object.fields[..] else { return Verdict::No };
        let Some((&first, others)) = elements.split_first() else { return Verdict::May };
        let verdict = self.match_var(head, first, place);
        if verdict == Verdict::No {
            return Verdict::No;
        }
        let rest_verdict = match (others.is_empty(), tail) {
            (true, Some(tail)) => self.match_var(rest, tail, place),
            (true, None) => {
                let ends = self.solution.all_items(rest).map(|value| match self.value(value) {
                    Value::Nil => Verdict::Yes,
                    Value::Unknown => Verdict::May,
                    _ => Verdict::No,
                });
                ends.max().unwrap_or(Verdict::No)
            }
            (false, _) => {
                let rests = self.solution.all_items(rest).map(|value| match self.value(value) {
                    Value::Unknown => Verdict::May,
                    value => self.match_list(value, others, tail, place),
                });
                rests.max().unwrap_or(Verdict::No)
            }
        };
        let verdict = verdict.min(rest_verdict);
        if object.is_summary { verdict.min(Verdict::May) } else { verdict }
    }

    /// A variable that has a value: the two must be able to be the same.
    fn match_bound(&self, id: ValueId, definitions: &[NodeId], place: Place) -> Verdict {
        let value = self.value(id);
        if value == Value::Unknown {
            return Verdict::May;
        }
        let same = |&other: &ValueId| {
            other == id
                || match (value, self.value(other)) {
                    (_, Value::Unknown) => true,
                    (Value::Atom(_), Value::AnyAtom) | (Value::AnyAtom, Value::Atom(_)) => true,
                    (Value::Int(_), Value::Number) | (Value::Number, Value::Int(_)) => true,
                    (Value::Tuple(a), Value::Tuple(b)) => {
                        let objects = &self.solution.values.objects;
                        objects[a].fields.len() == objects[b].fields.len()
                    }
                    (Value::Cons(_), Value::Cons(_)) | (Value::Map(_), Value::Map(_)) => true,
                    _ => false,
                }
        };
        let any = definitions.iter().any(|&definition| match self.var_of(place, definition) {
            Some(var) => self.solution.all_items(var).any(|other| same(&other)),
            None => true,
        });
        if any { Verdict::May } else { Verdict::No }
    }

    /// What can be where `part` stands in a pattern, when a message matches the pattern.
    pub(crate) fn parts_at(
        &self,
        message: Part,
        pattern: NodeId,
        part: NodeId,
        place: Place,
    ) -> Vec<Part> {
        if pattern == part {
            return vec![message];
        }
        let tree = self.tree(place);
        let inner: Vec<NodeId> = match tree.kind(pattern) {
            Kind::Tuple { elements } => tree.list(elements).to_vec(),
            Kind::Match { pattern, value } => {
                let mut found = self.parts_at(message, pattern, part, place);
                found.extend(self.parts_at(message, value, part, place));
                return found;
            }
            _ => return Vec::new(),
        };
        let mut found = Vec::new();
        for value in self.values_of(message) {
            let Value::Tuple(object) = self.value(value) else { continue };
            if self.match_value(value, pattern, place) == Verdict::No {
                continue;
            }
            for (&field, &element) in self.solution.values.objects[object].fields.iter().zip(&inner)
            {
                found.extend(self.parts_at(Part::Any(field), element, part, place));
            }
        }
        found
    }

    fn values_of(&self, part: Part) -> Vec<ValueId> {
        match part {
            Part::One(value) => vec![value],
            Part::Any(var) => self.solution.all_items(var).collect(),
        }
    }

    /// Whether a part of a message matches; sure only if all that it may be does.
    pub(crate) fn match_part(&self, part: Part, pattern: NodeId, place: Place) -> Verdict {
        match part {
            Part::One(value) => self.match_value(value, pattern, place),
            Part::Any(var) => self.match_var(var, pattern, place),
        }
    }
}

fn match_int(value: Value, expected: Option<i64>) -> Verdict {
    match (value, expected) {
        (Value::Int(value), Some(expected)) if value == expected => Verdict::Yes,
        (Value::Int(_), Some(_)) => Verdict::No,
        (Value::Int(_) | Value::Number, _) => Verdict::May,
        _ => Verdict::No,
    }
}
