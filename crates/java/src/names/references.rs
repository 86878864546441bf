//! Lambdas and references to methods and constructors, once it is known what they get.

use atom::Atom;

use crate::tree::{Kind, NodeId};

use super::bodies::Body;
use super::expressions::Meaning;
use super::lookup::Place;
use super::members::Candidate;
use super::types::{Ty, TypeKind, Types};
use super::{Symbol, World};

impl World {
    /// A lambda or reference that gets these values: the types that its parameters have by their
    /// own words, and what it gives.
    pub(super) fn function_body(
        &mut self,
        body: &mut Body,
        node: NodeId,
        parameters: &[Ty],
        result: Option<Ty>,
    ) -> Option<(Vec<Ty>, Ty)> {
        let tree = self.tree(body.env.file);
        match tree.kind(node) {
            Kind::Lambda { parameters: names, body: inner } => {
                let locals = body.locals.len();
                let mut explicit = Vec::new();
                for (index, name) in tree.list(names).enumerate() {
                    let given = parameters.get(index).copied();
                    explicit.push(self.parameter(body, name, given));
                }
                let result = result.filter(|&ty| ty != Types::UNKNOWN);
                let given = if matches!(tree.kind(inner), Kind::Block { .. }) {
                    body.results.push(Vec::new());
                    body.expected.push(result);
                    self.statement(body, inner);
                    body.expected.pop();
                    let results = body.results.pop().unwrap_or_default();
                    match results[..] {
                        [] => Types::VOID,
                        _ => {
                            let boxed: Vec<Ty> = results.iter().map(|&ty| self.boxed(ty)).collect();
                            if results.len() == 1 { results[0] } else { self.least_upper(&boxed) }
                        }
                    }
                } else {
                    self.expression(body, inner, result)
                };
                body.locals.truncate(locals);
                Some((explicit, given))
            }
            Kind::MethodReference { target, name, type_args } => {
                for arg in tree.list(type_args) {
                    self.type_of(&body.env, arg);
                }
                let given = self.reference(body, node, target, name, parameters, result);
                Some((Vec::new(), given))
            }
            Kind::ConstructorReference { target, .. } => {
                let ty = self.type_of(&body.env, target);
                if self.is_array(ty) {
                    self.record(body.env.file, node, Symbol::ArrayNew);
                    return Some((Vec::new(), ty));
                }
                Some((Vec::new(), self.constructor_reference(body, node, ty, parameters, result)))
            }
            Kind::Parens { inner } => self.function_body(body, inner, parameters, result),
            _ => {
                self.expression(body, node, None);
                None
            }
        }
    }

    /// The type of what stands in front of `::`, and whether it is a type.
    fn referred(&mut self, body: &mut Body, target: NodeId) -> (Ty, bool) {
        let tree = self.tree(body.env.file);
        let meaning = match tree.kind(target) {
            Kind::Name(_) | Kind::Select { .. } => self.meaning(body, target),
            Kind::ParameterizedType { .. }
            | Kind::ArrayType { .. }
            | Kind::Primitive(_)
            | Kind::AnnotatedType { .. } => {
                Meaning::Place(Place::Type(self.type_of(&body.env, target)))
            }
            _ => Meaning::Value(self.expression(body, target, None)),
        };
        match meaning {
            Meaning::Value(ty) => (ty, false),
            Meaning::Place(Place::Type(ty)) => (ty, true),
            Meaning::Place(_) => (Types::UNKNOWN, false),
        }
    }

    fn reference(
        &mut self,
        body: &mut Body,
        node: NodeId,
        target: NodeId,
        name: Atom,
        parameters: &[Ty],
        result: Option<Ty>,
    ) -> Ty {
        let (receiver, is_type) = self.referred(body, target);
        let expected = result.filter(|&ty| ty != Types::UNKNOWN);
        let mut decided = None;
        if is_type && !parameters.is_empty() {
            // The first value may be the one whose method is called.
            let mut through = receiver;
            if let TypeKind::Class(class, args) = self.types.kind(receiver).clone()
                && args.is_empty()
                && let Some(found) = self.as_super(parameters[0], class)
            {
                through = found;
            }
            let candidates = self.find_methods_of(through, name);
            let candidates: Vec<Candidate> =
                candidates.into_iter().filter(|it| !self.method(it.method).is_static).collect();
            decided = self.call_with(body, candidates, &parameters[1..], expected);
        }
        let candidates = self.find_methods_of(receiver, name);
        let candidates: Vec<Candidate> = candidates
            .into_iter()
            .filter(|it| !is_type || self.method(it.method).is_static)
            .collect();
        let direct = self.call_with(body, candidates, parameters, expected);
        let Some(decided) = direct.or(decided) else {
            return self.only_method(body, node, receiver, name);
        };
        self.record(body.env.file, node, Symbol::Method(decided.method));
        self.special_result(&decided, receiver, body)
    }

    /// How many values the methods that a reference may mean can get, as a set of bits.
    pub(super) fn reference_arities(&mut self, body: &mut Body, node: NodeId) -> u32 {
        let tree = self.tree(body.env.file);
        let (candidates, is_type) = match tree.kind(node) {
            Kind::MethodReference { target, name, .. } => {
                let (receiver, is_type) = self.referred(body, target);
                (self.find_methods_of(receiver, name), is_type)
            }
            Kind::ConstructorReference { target, .. } => {
                let ty = self.type_of(&body.env, target);
                if self.is_array(ty) {
                    return 1 << 1;
                }
                (self.constructors_of(ty), false)
            }
            _ => return u32::MAX,
        };
        let mut arities = if candidates.is_empty() { u32::MAX } else { 0 };
        for candidate in candidates {
            let method = self.method(candidate.method);
            let count = candidate.parameters.len().min(30);
            let is_unbound = is_type && !method.is_static;
            arities |= 1 << (count + usize::from(is_unbound));
            if method.is_varargs {
                arities |= u32::MAX << count.saturating_sub(1);
            }
        }
        arities
    }

    /// Where nothing is known of the values: a method that has no others of its name beside it.
    fn only_method(&mut self, body: &Body, node: NodeId, receiver: Ty, name: Atom) -> Ty {
        match self.find_methods_of(receiver, name)[..] {
            [ref only] => {
                let (method, result) = (only.method, only.result);
                self.record(body.env.file, node, Symbol::Method(method));
                result
            }
            _ => Types::UNKNOWN,
        }
    }

    fn constructor_reference(
        &mut self,
        body: &mut Body,
        node: NodeId,
        ty: Ty,
        parameters: &[Ty],
        result: Option<Ty>,
    ) -> Ty {
        let TypeKind::Class(class, args) = self.types.kind(ty).clone() else { return ty };
        let is_raw = args.is_empty() && !self.class(class).all_parameters.is_empty();
        let through = if is_raw { self.this_type(class) } else { ty };
        let mut candidates = self.constructors_of(through);
        for candidate in &mut candidates {
            candidate.result = through;
        }
        let own = if is_raw { self.class(class).all_parameters.clone() } else { Vec::new() };
        let methods: Vec<_> = candidates.iter().map(|candidate| candidate.method).collect();
        for &method in &methods {
            self.methods[method.0 as usize].type_parameters.extend(&own);
        }
        let decided = self.call_with(body, candidates, parameters, result);
        for &method in &methods {
            let parameters = &mut self.methods[method.0 as usize].type_parameters;
            parameters.truncate(parameters.len() - own.len());
        }
        match decided {
            Some(decided) => {
                self.record(body.env.file, node, Symbol::Method(decided.method));
                decided.result
            }
            None => ty,
        }
    }
}
