//! Calls: which of several methods, with which type arguments.

use crate::tree::{Kind, List, NodeId};

use super::bodies::Body;
use super::infer::Infer;
use super::lookup::Env;
use super::members::Candidate;
use super::types::{Ty, TypeKind, Types};
use super::{MethodId, World};

/// An argument of a call, as far as it can be known without the method.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arg {
    Typed(Ty),
    /// A call or creation whose type arguments would adapt to its place.
    Adapting(Ty),
    /// A lambda: how many parameters, and what its body can give.
    Lambda(NodeId, usize, Gives),
    /// A reference, and how many values it can get, as a set of bits.
    Reference(NodeId, u32),
    /// A call that has to know what is wanted of it: lambdas in it depend on that.
    Open(NodeId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gives {
    Value,
    Nothing,
    /// An expression that is also a statement.
    Either,
}

/// A call that was decided.
pub(super) struct Decided {
    pub(super) method: MethodId,
    pub(super) result: Ty,
}

/// How hard is tried to make arguments fit.
const STRICT: usize = 0;
const VARARGS: usize = 2;

impl World {
    /// Decides which of these methods is called, and goes through the arguments.
    pub(super) fn call(
        &mut self,
        body: &mut Body,
        candidates: Vec<Candidate>,
        args: List,
        type_args: &[Ty],
        expected: Option<Ty>,
    ) -> Option<Decided> {
        let tree = self.tree(body.env.file);
        let nodes: Vec<NodeId> = tree.list(args).collect();
        let args: Vec<Arg> = nodes.iter().map(|&node| self.argument(body, node)).collect();
        let mut candidates = self.accessible(&body.env, candidates);
        if !type_args.is_empty() {
            self.put_type_args(&mut candidates, type_args);
        }
        let chosen = self.choose(body, &candidates, &args);
        let Some((index, phase)) = chosen else {
            // What is in the arguments is of interest all the same.
            for arg in &args {
                if let Arg::Lambda(node, ..) | Arg::Reference(node, _) | Arg::Open(node) = *arg {
                    self.expression(body, node, None);
                }
            }
            return None;
        };
        let candidate = candidates[index].clone();
        Some(self.finish(body, &candidate, &args, phase, type_args, expected))
    }

    /// Explicit type arguments: methods with another number of parameters are not meant.
    fn put_type_args(&mut self, candidates: &mut Vec<Candidate>, type_args: &[Ty]) {
        candidates.retain(|candidate| {
            let count = self.method(candidate.method).type_parameters.len();
            count == 0 || count == type_args.len()
        });
        for candidate in candidates {
            let vars = self.method(candidate.method).type_parameters.clone();
            let by = vars.into_iter().zip(type_args.iter().copied()).collect();
            for parameter in &mut candidate.parameters {
                *parameter = self.types.substitute(*parameter, &by);
            }
            candidate.result = self.types.substitute(candidate.result, &by);
        }
    }

    pub(super) fn accessible(&mut self, env: &Env, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let mut found = candidates;
        found.retain(|candidate| {
            let (class, access) = {
                let method = self.method(candidate.method);
                (method.class, method.access)
            };
            self.is_accessible(env, class, access)
        });
        found
    }

    /// A call with values of which only the types are known.
    pub(super) fn call_with(
        &mut self,
        body: &mut Body,
        candidates: Vec<Candidate>,
        types: &[Ty],
        expected: Option<Ty>,
    ) -> Option<Decided> {
        let args: Vec<Arg> = types.iter().map(|&ty| Arg::Typed(ty)).collect();
        let candidates = self.accessible(&body.env, candidates);
        let (index, phase) = self.choose(body, &candidates, &args)?;
        let candidate = candidates[index].clone();
        Some(self.finish(body, &candidate, &args, phase, &[], expected))
    }

    fn argument(&mut self, body: &mut Body, node: NodeId) -> Arg {
        let tree = self.tree(body.env.file);
        match tree.kind(node) {
            Kind::Lambda { parameters, body: inner } => {
                Arg::Lambda(node, tree.list(parameters).len(), gives(&tree, inner))
            }
            Kind::MethodReference { .. } | Kind::ConstructorReference { .. } => {
                Arg::Reference(node, self.reference_arities(body, node))
            }
            Kind::Parens { inner } => match self.argument(body, inner) {
                Arg::Adapting(ty) => Arg::Adapting(ty),
                other => other,
            },
            Kind::Call { .. } | Kind::New { .. } | Kind::Conditional { .. }
                if is_open(&tree, node) =>
            {
                Arg::Open(node)
            }
            // What a generic call leaves open stays open.
            Kind::Call { .. } | Kind::New { .. } | Kind::Conditional { .. } => {
                Arg::Adapting(self.expression(body, node, Some(Types::UNKNOWN)))
            }
            _ => Arg::Typed(self.expression(body, node, Some(Types::UNKNOWN))),
        }
    }

    /// The most specific method that the arguments fit, and how they fit.
    fn choose(
        &mut self,
        body: &mut Body,
        candidates: &[Candidate],
        args: &[Arg],
    ) -> Option<(usize, usize)> {
        if self.is_ambiguous(candidates, args) {
            return None;
        }
        for phase in STRICT..=VARARGS {
            let mut fitting: Vec<usize> = Vec::new();
            for (index, candidate) in candidates.iter().enumerate() {
                if self.is_applicable(candidate, args, phase) {
                    fitting.push(index);
                }
            }
            match fitting[..] {
                [] => continue,
                [only] => return Some((only, phase)),
                _ => {
                    self.check_lambdas(body, candidates, args, phase, &mut fitting);
                    self.check_open(body, candidates, args, phase, &mut fitting);
                    return self
                        .most_specific(candidates, &fitting, args, phase)
                        .map(|it| (it, phase));
                }
            }
        }
        None
    }

    /// Whether arguments of which nothing is known fit several methods that ask for different
    /// things there: which one is meant is open.
    fn is_ambiguous(&mut self, candidates: &[Candidate], args: &[Arg]) -> bool {
        let is_unknown =
            |arg: &Arg| matches!(arg, Arg::Typed(ty) | Arg::Adapting(ty) if *ty == Types::UNKNOWN);
        if candidates.len() < 2 || !args.iter().any(is_unknown) {
            return false;
        }
        let mut formals: Option<Vec<Ty>> = None;
        for candidate in candidates {
            for phase in [STRICT + 1, VARARGS] {
                if !self.is_applicable(candidate, args, phase) {
                    continue;
                }
                let own = args.iter().enumerate().filter(|(_, arg)| is_unknown(arg));
                let own: Vec<Ty> =
                    own.filter_map(|(index, _)| self.formal(candidate, index, phase)).collect();
                let own = own.into_iter().map(|ty| self.erased(ty)).collect();
                match &formals {
                    Some(known) if *known != own => return true,
                    _ => formals = Some(own),
                }
                break;
            }
        }
        false
    }

    /// The parameter type for an argument.
    fn formal(&self, candidate: &Candidate, index: usize, phase: usize) -> Option<Ty> {
        let last = candidate.parameters.len().checked_sub(1)?;
        if phase == VARARGS && index >= last {
            return match *self.types.kind(candidate.parameters[last]) {
                TypeKind::Array(element) => Some(element),
                _ => Some(Types::UNKNOWN),
            };
        }
        candidate.parameters.get(index).copied()
    }

    fn is_applicable(&mut self, candidate: &Candidate, args: &[Arg], phase: usize) -> bool {
        let method = self.method(candidate.method);
        let count = candidate.parameters.len();
        let fits = match phase {
            VARARGS => method.is_varargs && args.len() + 1 >= count,
            _ => args.len() == count,
        };
        if !fits {
            return false;
        }
        let mut infer = self.infer_for(candidate);
        for (index, &arg) in args.iter().enumerate() {
            let Some(formal) = self.formal(candidate, index, phase) else { return false };
            let fits = match arg {
                Arg::Typed(ty) => self.fits_formal(ty, formal, &mut infer, phase > STRICT),
                Arg::Adapting(ty) => {
                    self.fits_formal(ty, formal, &mut infer, phase > STRICT)
                        || self.fits_erased(ty, formal)
                }
                Arg::Lambda(_, count, gives) => self.may_be_lambda(formal, count, gives, &infer),
                Arg::Reference(_, arities) => self.may_be_reference(formal, arities, &infer),
                Arg::Open(_) => self.is_reference(formal) || phase > STRICT,
            };
            if !fits {
                return false;
            }
        }
        true
    }

    fn infer_for(&self, candidate: &Candidate) -> Infer {
        Infer::new(&self.method(candidate.method).type_parameters)
    }

    /// Methods never differ in type arguments alone, which a generic call adapts to its place.
    fn fits_erased(&mut self, ty: Ty, formal: Ty) -> bool {
        let TypeKind::Class(_, args) = self.types.kind(formal) else { return false };
        if args.is_empty() || self.types.is_primitive(ty) {
            return false;
        }
        let formal = self.erased(formal);
        self.is_subtype(ty, formal)
    }

    fn may_be_reference(&mut self, formal: Ty, arities: u32, infer: &Infer) -> bool {
        formal == Types::UNKNOWN
            || matches!(self.types.kind(formal), TypeKind::Var(_)) && self.mentions(formal, infer)
            || self
                .function(formal)
                .is_some_and(|it| arities >> it.parameters.len().min(31) & 1 != 0)
    }

    fn may_be_lambda(&mut self, formal: Ty, count: usize, gives: Gives, infer: &Infer) -> bool {
        if formal == Types::UNKNOWN
            || matches!(self.types.kind(formal), TypeKind::Var(_)) && self.mentions(formal, infer)
        {
            return true;
        }
        self.function(formal).is_some_and(|function| {
            function.parameters.len() == count
                && match gives {
                    Gives::Value => function.result != Types::VOID,
                    Gives::Nothing => function.result == Types::VOID,
                    Gives::Either => true,
                }
        })
    }

    /// Where methods differ in whether a lambda gives something: looks at what it gives.
    fn check_lambdas(
        &mut self,
        body: &mut Body,
        candidates: &[Candidate],
        args: &[Arg],
        phase: usize,
        fitting: &mut Vec<usize>,
    ) {
        let tree = self.tree(body.env.file);
        for (index, &arg) in args.iter().enumerate() {
            let Arg::Lambda(node, count, Gives::Either) = arg else { continue };
            let Kind::Lambda { parameters, body: inner } = tree.kind(node) else { continue };
            let is_explicit = tree.list(parameters).all(|parameter| {
                matches!(tree.kind(parameter), Kind::Parameter { ty: Some(_), .. })
            });
            let results: Vec<bool> = fitting
                .iter()
                .filter_map(|&candidate| self.formal(&candidates[candidate], index, phase))
                .collect::<Vec<Ty>>()
                .into_iter()
                .map(|formal| self.function(formal).is_some_and(|it| it.result == Types::VOID))
                .collect();
            let differ = results.iter().any(|&is_void| is_void != results[0]);
            if !differ || !is_explicit && count > 0 {
                continue;
            }
            let locals = body.locals.len();
            for parameter in tree.list(parameters) {
                self.parameter(body, parameter, None);
            }
            let ty = self.expression(body, inner, None);
            body.locals.truncate(locals);
            if ty == Types::VOID {
                let mut at = 0;
                fitting.retain(|_| {
                    at += 1;
                    results.get(at - 1).copied().unwrap_or(true)
                });
            }
        }
    }

    /// Where calls that wait for what is wanted of them stand for parameters of different classes:
    /// looks at what they give.
    fn check_open(
        &mut self,
        body: &mut Body,
        candidates: &[Candidate],
        args: &[Arg],
        phase: usize,
        fitting: &mut Vec<usize>,
    ) {
        for (index, &arg) in args.iter().enumerate() {
            let Arg::Open(node) = arg else { continue };
            let formals: Vec<Ty> = fitting
                .iter()
                .filter_map(|&candidate| self.formal(&candidates[candidate], index, phase))
                .collect();
            let erased: Vec<Ty> = formals.iter().map(|&formal| self.erased(formal)).collect();
            if erased.iter().all(|&formal| formal == erased[0]) {
                continue;
            }
            let ty = self.expression(body, node, Some(Types::UNKNOWN));
            let kept: Vec<usize> = fitting
                .iter()
                .zip(&erased)
                .filter(|&(_, &formal)| self.fits(ty, formal, phase > STRICT))
                .map(|(&candidate, _)| candidate)
                .collect();
            if !kept.is_empty() {
                *fitting = kept;
            }
        }
    }

    fn most_specific(
        &mut self,
        candidates: &[Candidate],
        fitting: &[usize],
        args: &[Arg],
        phase: usize,
    ) -> Option<usize> {
        let mut best: Vec<usize> = Vec::new();
        for &one in fitting {
            let beats = fitting.iter().all(|&other| {
                one == other
                    || self.is_more_specific(&candidates[one], &candidates[other], args, phase)
            });
            if beats {
                best.push(one);
            }
        }
        // Of methods with the same parameters the one that has a body, then the first found.
        let concrete =
            best.iter().copied().find(|&index| !self.method(candidates[index].method).is_abstract);
        concrete.or(best.first().copied()).or(fitting.first().copied())
    }

    fn is_more_specific(
        &mut self,
        one: &Candidate,
        other: &Candidate,
        args: &[Arg],
        phase: usize,
    ) -> bool {
        let count = match phase {
            VARARGS => one.parameters.len().max(other.parameters.len()).max(args.len()),
            _ => args.len(),
        };
        let mut infer = self.infer_for(other);
        for index in 0..count {
            let (Some(left), Some(right)) =
                (self.formal(one, index, phase), self.formal(other, index, phase))
            else {
                return false;
            };
            let fits = match args.get(index) {
                Some(Arg::Lambda(..) | Arg::Reference(..)) => self.is_better_function(left, right),
                _ => self.fits_formal(left, right, &mut infer, false),
            };
            if !fits {
                return false;
            }
        }
        true
    }

    /// Whether one functional interface suits a lambda better than another.
    fn is_better_function(&mut self, left: Ty, right: Ty) -> bool {
        if left == right || self.is_subtype(left, right) {
            return true;
        }
        let (Some(one), Some(other)) = (self.function(left), self.function(right)) else {
            return self.function(left).is_some();
        };
        if self.is_subtype(right, left) {
            return false;
        }
        if other.result == Types::VOID {
            return true;
        }
        if one.result == Types::VOID {
            return false;
        }
        match (self.types.is_primitive(one.result), self.types.is_primitive(other.result)) {
            (true, true) | (false, false) => self.is_subtype(one.result, other.result),
            (is_primitive, _) => is_primitive,
        }
    }

    /// Goes through what was left open, and finds the result.
    fn finish(
        &mut self,
        body: &mut Body,
        candidate: &Candidate,
        args: &[Arg],
        phase: usize,
        type_args: &[Ty],
        expected: Option<Ty>,
    ) -> Decided {
        let method = candidate.method;
        let mut infer = self.infer_for(candidate);
        let vars = self.method(method).type_parameters.clone();
        if vars.len() == type_args.len() {
            for (&var, &ty) in vars.iter().zip(type_args) {
                infer.set(var, ty);
            }
        }
        for (index, &arg) in args.iter().enumerate() {
            let formal = self.formal(candidate, index, phase);
            if let (Arg::Typed(ty) | Arg::Adapting(ty), Some(formal)) = (arg, formal) {
                self.fits_formal(ty, formal, &mut infer, true);
            }
        }
        if let Some(expected) = expected {
            self.expect_result(candidate.result, expected, &mut infer);
        }
        for (index, &arg) in args.iter().enumerate() {
            let formal = self.formal(candidate, index, phase).unwrap_or(Types::UNKNOWN);
            match arg {
                Arg::Typed(_) | Arg::Adapting(_) => {}
                Arg::Lambda(node, ..) | Arg::Reference(node, _) => {
                    self.open_function(body, node, formal, &mut infer);
                }
                Arg::Open(node) => {
                    let solution = self.solve_open(&infer);
                    let wanted = self.types.substitute(formal, &solution);
                    let ty = self.expression(body, node, Some(wanted));
                    self.fits_formal(ty, formal, &mut infer, true);
                }
            }
        }
        let solution = match expected {
            Some(Types::UNKNOWN) => self.solve_open(&infer),
            _ => self.solve_all(&infer),
        };
        let result = self.types.substitute(candidate.result, &solution);
        Decided { method, result: self.value_type_of(result) }
    }

    fn value_type_of(&mut self, ty: Ty) -> Ty {
        match self.types.kind(ty) {
            TypeKind::Wildcard(..) => self.value_type(ty),
            _ => ty,
        }
    }

    /// What is known so far, and nothing for the rest.
    fn solve_open(&mut self, infer: &Infer) -> super::types::Substitution {
        let mut known = self.solve(infer);
        for var in infer.vars() {
            known.entry(var).or_insert(Types::UNKNOWN);
        }
        known
    }

    /// A lambda or reference, once what it gets is known; what it gives is noted.
    fn open_function(&mut self, body: &mut Body, node: NodeId, formal: Ty, infer: &mut Infer) {
        let solution = self.solve_open(infer);
        let Some(function) = self.function(formal) else {
            let wanted = self.types.substitute(formal, &solution);
            self.expression(body, node, Some(wanted));
            return;
        };
        let parameters: Vec<Ty> = function
            .parameters
            .iter()
            .map(|&ty| {
                let ty = self.types.substitute(ty, &solution);
                self.types.upper(ty)
            })
            .collect();
        let result = self.types.substitute(function.result, &solution);
        let given = self.function_body(body, node, &parameters, Some(result));
        let Some((explicit, given)) = given else { return };
        for (&formal, &ty) in function.parameters.iter().zip(&explicit) {
            self.unify(formal, ty, infer);
        }
        if given != Types::VOID && function.result != Types::VOID {
            self.fits_formal(given, function.result, infer, true);
        }
    }
}

/// What the body of a lambda can give.
fn gives(tree: &crate::tree::Tree, body: NodeId) -> Gives {
    match tree.kind(body) {
        Kind::Block { .. } => block_gives(tree, body),
        Kind::Call { .. }
        | Kind::Assign { .. }
        | Kind::CompoundAssign { .. }
        | Kind::New { .. } => Gives::Either,
        Kind::Unary { op, .. } => {
            use crate::tree::UnaryOp::*;
            match op {
                PreIncrement | PreDecrement | PostIncrement | PostDecrement => Gives::Either,
                _ => Gives::Value,
            }
        }
        _ => Gives::Value,
    }
}

/// Whether a block returns values; one that only throws may be either.
fn block_gives(tree: &crate::tree::Tree, block: NodeId) -> Gives {
    let mut queue = vec![block];
    let mut returns = None;
    while let Some(node) = queue.pop() {
        match tree.kind(node) {
            Kind::Return { value } => returns = Some(value.is_some()),
            Kind::Lambda { .. } | Kind::Class(_) => {}
            _ => tree.children(node, |child| queue.push(child)),
        }
    }
    match returns {
        Some(true) => Gives::Value,
        Some(false) => Gives::Nothing,
        None => {
            let Kind::Block { statements } = tree.kind(block) else { return Gives::Nothing };
            match tree.list(statements).next_back().map(|last| tree.kind(last)) {
                Some(Kind::Throw { .. }) => Gives::Either,
                Some(Kind::While { condition, .. }) if tree.text(condition) == "(true)" => {
                    Gives::Either
                }
                Some(Kind::For { condition: None, .. }) => Gives::Either,
                _ => Gives::Nothing,
            }
        }
    }
}

/// Whether a call has lambdas without types, or references, that wait for what is wanted of it.
fn is_open(tree: &crate::tree::Tree, node: NodeId) -> bool {
    match tree.kind(node) {
        Kind::Lambda { .. } | Kind::MethodReference { .. } | Kind::ConstructorReference { .. } => {
            true
        }
        Kind::Call { args, .. } => tree.list(args).any(|arg| is_open(tree, arg)),
        Kind::New { args, class, body: None, .. } => {
            matches!(tree.kind(class), Kind::ParameterizedType { args, .. } if args.is_empty())
                && tree.list(args).any(|arg| is_open(tree, arg))
        }
        Kind::Conditional { then, otherwise, .. } => {
            is_open(tree, then) || is_open(tree, otherwise)
        }
        Kind::Parens { inner } => is_open(tree, inner),
        _ => false,
    }
}
