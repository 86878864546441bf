//! Follows the body of a function: every expression to a value, with what must hold for the
//! function to go on.
//!
//! What is computed before something fails is followed first: it may call functions that would
//! otherwise seem not to be called, or not with that.

use std::sync::LazyLock;

use atom::{Atom, known};
use num_traits::{Signed, ToPrimitive};
use program::LoadedModule;
use program::index::NameArity;
use program::resolve::{self, Target};
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList, ReceiveAfter, SigilKind};
use syntax::token::Literal;

use super::callee::Callee;
use super::finding::{Because, Finding, Why};
use super::rules;
use super::solver::{Alive, Branch, Dead, Relation, Solver, ValueId};
use crate::declared::Declarations;
use crate::ty::{FunType, Integers, MapType, Type, Union};

/// Where the functions that a body calls are found.
pub(super) trait Callees {
    /// What is known of a function.
    fn callee(&self, module: Atom, function: NameArity) -> Callee;
    /// Hears of a call of a function of the module before it is asked what is known of it.
    fn called(&self, _function: NameArity, _args: &[Type]) {}
    /// Whether that nothing is returned (so far) is no failure: it goes on for ever, or is still
    /// being looked at.
    fn diverges(&self, module: Atom, function: NameArity) -> bool;
    /// The same, for messages: what a function takes whoever calls it.
    fn widest(&self, module: Atom, function: NameArity) -> Callee {
        self.callee(module, function)
    }
    fn declarations(&self) -> &Declarations;
    /// What a module declares of a record, if that is believed.
    fn record(&self, module: Atom, name: Atom) -> Option<Type>;
}

/// What is wanted beside types.
#[derive(Default)]
pub(super) struct Wanted {
    /// Calls of functions of the module, with what they were given.
    pub(super) calls: Option<Vec<(NameArity, Vec<Type>)>>,
    pub(super) findings: Option<Vec<Finding>>,
}

/// What was known of a value before something was done with it.
pub(super) struct Known {
    pub(super) ty: Type,
    /// The expressions that made it so, the last first.
    history: Vec<(NodeId, Type)>,
}

/// A function's body while it is followed.
pub(super) struct Body<'a> {
    pub(super) callees: &'a dyn Callees,
    pub(super) module: &'a LoadedModule,
    pub(super) solver: Solver,
    pub(super) diverges: bool,
    pub(super) wanted: Wanted,
    /// Whether somebody catches what fails here.
    pub(super) is_caught: bool,
    /// Values that specs of other modules call opaque, though it is known what they are.
    pub(super) opaque: Vec<(ValueId, Type)>,
}

/// Source nesting is bounded by memory, not by the thread's stack.
const RED_ZONE: usize = 128 * 1024;
const MORE_STACK: usize = 2 * 1024 * 1024;

impl<'a> Body<'a> {
    pub(super) fn new(callees: &'a dyn Callees, module: &'a LoadedModule, wanted: Wanted) -> Self {
        Body {
            callees,
            module,
            solver: Solver::default(),
            diverges: false,
            wanted,
            is_caught: false,
            opaque: Vec::new(),
        }
    }

    pub(super) fn tree(&self) -> &'a Module {
        &self.module.tree
    }

    pub(super) fn list(&self, list: NodeList) -> &'a [NodeId] {
        self.tree().list(list)
    }

    pub(super) fn any(&mut self) -> ValueId {
        self.solver.value(Type::Any)
    }

    /// Notes what is wrong at a place, with what made the values there what they are.
    pub(super) fn note(&mut self, node: NodeId, values: &[Known], why: Why) {
        let Some(findings) = &mut self.wanted.findings else { return };
        let all = values.iter().flat_map(|value| &value.history);
        let others = all.filter(|(cause, _)| *cause != node);
        let because = others.map(|(cause, ty)| (*cause, Because::Is(ty.clone()))).collect();
        findings.push(Finding { node, why, because });
    }

    /// What values are, and how they came to that, if somebody wants to know what is wrong.
    pub(super) fn known(&self, values: &[ValueId]) -> Vec<Known> {
        if self.wanted.findings.is_none() {
            return Vec::new();
        }
        let known = |&value: &ValueId| Known {
            ty: self.solver.ty(value).clone(),
            history: self.solver.history(value),
        };
        values.iter().map(known).collect()
    }

    /// Follows several ways, each from here, and goes on behind them.
    pub(super) fn branches(
        &mut self,
        count: usize,
        mut follow: impl FnMut(&mut Self, usize) -> Alive<ValueId>,
    ) -> Alive<ValueId> {
        let mark = self.solver.mark();
        let mut alive: Vec<Branch> = Vec::new();
        for which in 0..count {
            if let Ok(value) = follow(self, which) {
                alive.push(self.solver.capture(mark, value));
            }
            self.solver.undo(mark);
        }
        self.solver.merge(alive)
    }

    /// Follows something of which nothing holds afterwards.
    pub(super) fn aside<T>(&mut self, follow: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.solver.mark();
        let result = follow(self);
        self.solver.undo(mark);
        result
    }

    /// Expressions one after the other: the value of the last.
    pub(super) fn sequence(&mut self, body: NodeList) -> Alive<ValueId> {
        let mut last = None;
        for &expression in self.list(body) {
            last = Some(self.eval(expression)?);
        }
        Ok(last.unwrap_or_else(|| self.any()))
    }

    pub(super) fn all(&mut self, list: NodeList) -> Alive<Vec<ValueId>> {
        self.list(list).iter().map(|&node| self.eval(node)).collect()
    }

    pub(super) fn eval(&mut self, node: NodeId) -> Alive<ValueId> {
        stacker::maybe_grow(RED_ZONE, MORE_STACK, || {
            let before = self.solver.here.replace(node);
            let value = self.eval_here(node);
            self.solver.here = before;
            value
        })
    }

    fn eval_here(&mut self, node: NodeId) -> Alive<ValueId> {
        let kind = self.tree().kind(node);
        if let Some(ty) = self.constant(kind) {
            return Ok(self.solver.value(ty));
        }
        match kind {
            Kind::Var(name) => Ok(match self.solver.variable(name) {
                Some(value) => value,
                None => self.any(),
            }),
            Kind::List { elements, tail } => {
                let values = self.all(elements)?;
                let mut list = match tail {
                    Some(tail) => self.eval(tail)?,
                    None => self.solver.value(Type::nil()),
                };
                for head in values.into_iter().rev() {
                    list = self.cell(head, list)?;
                }
                Ok(list)
            }
            Kind::Tuple { elements } => {
                let parts = self.all(elements)?;
                self.tuple(parts)
            }
            Kind::Map { base, fields } => self.map(base, fields),
            Kind::Record { base, name, fields } => self.record(base, name, fields),
            Kind::RecordAccess { base, name, field } => self.record_access(base, name, field),
            Kind::Binary { elements } => self.binary(elements),
            Kind::Match { pattern, value } => {
                let value = self.eval(value)?;
                self.matched(pattern, value, node)?;
                Ok(value)
            }
            Kind::MaybeMatch { pattern, value } => {
                let value = self.eval(value)?;
                self.pattern(pattern, value)?;
                Ok(value)
            }
            Kind::BinaryOp { op, left, right } => self.operator(node, op, left, right),
            Kind::UnaryOp { op, operand } => {
                let args = vec![self.eval(operand)?];
                self.operation(node, op.text(), args)
            }
            Kind::Call { callee, args } => self.call(node, callee, args),
            Kind::Catch { body } => {
                // Whatever happens inside, something comes out.
                self.aside(|this| {
                    this.caught(|this| {
                        let _ = this.eval(body);
                    });
                });
                Ok(self.any())
            }
            Kind::Block { body } => self.sequence(body),
            Kind::If { clauses } => self.clauses(clauses, &[]),
            Kind::Case { subject, clauses } => {
                let subject = self.eval(subject)?;
                self.clauses(clauses, &[subject])
            }
            Kind::Receive { clauses, after } => self.receive(clauses, after),
            Kind::Try { body, of, catch, after } => self.guarded(body, of, catch, after),
            Kind::Maybe { body, else_clauses } => self.maybe(body, else_clauses),
            Kind::Fun { name, clauses } => self.fun(name, clauses),
            Kind::FunName { .. } | Kind::FunRemote { .. } => self.named_fun(node),
            Kind::Comprehension { which, exprs, qualifiers } => {
                self.comprehension(which, exprs, qualifiers)
            }
            _ => Ok(self.any()),
        }
    }

    /// The type of a literal.
    pub(super) fn constant(&self, kind: Kind) -> Option<Type> {
        Some(match kind {
            Kind::Atom(atom) => Type::the_atom(atom),
            Kind::Char(code) => Type::the_integer(i64::from(code)),
            Kind::Integer(literal) => match self.tree().literal(literal) {
                Literal::Integer(value) => match value.to_i64() {
                    Some(value) => Type::the_integer(value),
                    None if value.is_negative() => Type::integers(None, Some(i64::MIN)),
                    None => Type::integers(Some(i64::MAX), None),
                },
                _ => Type::integer(),
            },
            Kind::Float(_) => Type::float(),
            Kind::String(literal) => match self.tree().literal(literal) {
                Literal::String(text) => string(text),
                _ => Type::list(Type::char()),
            },
            Kind::Sigil { which: SigilKind::Binary, text } => match self.tree().literal(text) {
                Literal::String(text) => match u32::try_from(text.len() * 8) {
                    Ok(bits) => Type::bits(0, bits),
                    Err(_) => Type::binary(),
                },
                _ => Type::binary(),
            },
            Kind::Sigil { which: SigilKind::String, text } => match self.tree().literal(text) {
                Literal::String(text) => string(text),
                _ => Type::list(Type::char()),
            },
            Kind::Nil => Type::nil(),
            Kind::RecordIndex { .. } => Type::positive(),
            _ => return None,
        })
    }

    pub(super) fn cell(&mut self, head: ValueId, tail: ValueId) -> Alive<ValueId> {
        let ty = Type::cell(self.solver.ty(head), self.solver.ty(tail));
        let whole = self.solver.value(ty);
        self.solver.relate(Relation::Cell { whole, head, tail })?;
        Ok(whole)
    }

    pub(super) fn tuple(&mut self, parts: Vec<ValueId>) -> Alive<ValueId> {
        let types = parts.iter().map(|&part| self.solver.ty(part).clone()).collect();
        let whole = self.solver.value(Type::tuple(types));
        self.solver.relate(Relation::Tuple { whole, parts: parts.into() })?;
        Ok(whole)
    }

    fn map(&mut self, base: Option<NodeId>, fields: NodeList) -> Alive<ValueId> {
        let base = match base {
            Some(base) => Some(self.eval(base)?),
            None => None,
        };
        let mut puts = Vec::new();
        for &field in self.list(fields) {
            let Kind::MapField { exact, key, value } = self.tree().kind(field) else { continue };
            puts.push((exact, self.eval(key)?, self.eval(value)?));
        }
        // Only now: what is put is computed before it is seen that there is no map.
        if let Some(base) = base {
            self.solver.narrow(base, &Type::any_map())?;
        }
        for (exact, key, _) in &puts {
            // `:=` wants the key to be there.
            if let (true, Some(base)) = (exact, base) {
                let key = self.solver.ty(*key).clone();
                if crate::ty::Key::of(&key).is_some() {
                    let with = MapType::all().put(&key, &Type::Any);
                    self.solver.narrow(base, &Type::map(with))?;
                }
            }
        }
        let mut map = match base {
            Some(base) => self.solver.ty(base).parts().maps.clone().ok_or(Dead)?,
            None => MapType::empty(),
        };
        for (_, key, value) in puts {
            map = map.put(self.solver.ty(key), self.solver.ty(value));
        }
        Ok(self.solver.value(Type::map(map)))
    }

    fn operator(
        &mut self,
        node: NodeId,
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
    ) -> Alive<ValueId> {
        match op {
            BinaryOp::Andalso => self.short_cut(left, right, true),
            BinaryOp::Orelse => self.short_cut(left, right, false),
            BinaryOp::Send => {
                let to = self.eval(left)?;
                let message = self.eval(right)?;
                self.solver.narrow(to, &destination())?;
                Ok(message)
            }
            op => {
                let args = vec![self.eval(left)?, self.eval(right)?];
                self.operation(node, op.text(), args)
            }
        }
    }

    /// An operator, which is told where it always fails.
    fn operation(&mut self, node: NodeId, op: &'static str, args: Vec<ValueId>) -> Alive<ValueId> {
        let before = self.known(&args);
        let result = self.builtin(op, args);
        if result.is_err() {
            let args = before.iter().map(|known| known.ty.clone()).collect();
            self.note(node, &before, Why::Operator { op, args });
        }
        result
    }

    pub(super) fn types(&self, values: &[ValueId]) -> Vec<Type> {
        if self.wanted.findings.is_none() && self.wanted.calls.is_none() {
            return Vec::new();
        }
        values.iter().map(|&value| self.solver.ty(value).clone()).collect()
    }

    /// `andalso` (which goes on where the left is true) and `orelse`.
    fn short_cut(&mut self, left: NodeId, right: NodeId, goes_on: bool) -> Alive<ValueId> {
        let left = self.eval(left)?;
        self.solver.narrow(left, &Type::boolean())?;
        self.branches(2, |this, which| {
            if which == 0 {
                this.solver.narrow(left, &Type::the_boolean(!goes_on))?;
                Ok(this.solver.value(Type::the_boolean(!goes_on)))
            } else {
                this.solver.narrow(left, &Type::the_boolean(goes_on))?;
                this.eval(right)
            }
        })
    }

    /// A call of an operator or function of `erlang`.
    pub(super) fn builtin(&mut self, name: &str, args: Vec<ValueId>) -> Alive<ValueId> {
        let callee = match rules::of_erlang(name, args.len()) {
            Some(rule) => Callee::Rule(rule),
            None => self.callees.callee(known::ERLANG, (Atom::new(name), args.len() as u32)),
        };
        self.apply(callee, args)
    }

    pub(super) fn apply(&mut self, callee: Callee, args: Vec<ValueId>) -> Alive<ValueId> {
        let result = self.any();
        if let Callee::Unknown = callee {
            return Ok(result);
        }
        self.solver.relate(Relation::Call { callee, args: args.into(), result })?;
        Ok(result)
    }

    fn call(&mut self, node: NodeId, callee: NodeId, args: NodeList) -> Alive<ValueId> {
        let target = resolve::target(self.tree(), &self.module.index, node);
        let found = target.and_then(|target| target.mfa(self.module.name));
        let Some((module, name, arity)) = found else {
            return self.dynamic_call(node, callee, args);
        };
        let args = self.all(args)?;
        let given = self.types(&args);
        if module == self.module.name
            && let Some(calls) = &mut self.wanted.calls
        {
            calls.push(((name, arity), given.clone()));
            self.callees.called((name, arity), &given);
        }
        let callee = self.callees.callee(module, (name, arity));
        let before = self.known(&args);
        self.check_call(node, (module, (name, arity)), &args);
        let result = self.apply(callee, args);
        if let Ok(value) = result {
            self.note_opaque(module, (name, arity), value);
        }
        if result.is_err() {
            if self.callees.diverges(module, (name, arity)) {
                self.diverges = true;
            } else if self.wanted.findings.is_some()
                && let widest = self.callees.widest(module, (name, arity))
                && let Some(why) = Why::call(module, (name, arity), given, &widest)
            {
                // What is wrong with one argument has nothing to do with the others.
                let of = match &why {
                    Why::Call { bad: Some((place, _)), .. } => &before[*place..*place + 1],
                    _ => &before[..],
                };
                self.note(node, of, why);
            }
        }
        result
    }

    fn dynamic_call(&mut self, node: NodeId, callee: NodeId, args: NodeList) -> Alive<ValueId> {
        if let Kind::Remote { module, name } = self.tree().kind(callee) {
            let (module, name) = (self.eval(module)?, self.eval(name)?);
            self.all(args)?;
            let of = if self.calls_tuples() {
                Type::atom().join(&Type::any_tuple())
            } else {
                Type::atom()
            };
            self.solver.narrow(module, &of)?;
            self.solver.narrow(name, &Type::atom())?;
            return Ok(self.any());
        }
        let mut values = vec![self.eval(callee)?];
        values.extend(self.all(args)?);
        let before = self.known(&values);
        let result = self.apply(Callee::Fun, values);
        if result.is_err()
            && let Some((Known { ty: fun, .. }, args)) = before.split_first()
        {
            let args = args.iter().map(|known| known.ty.clone()).collect();
            // One that never returns, whatever it is given, is meant to.
            let returns = fun.parts().funs.as_ref().is_none_or(|fun| !fun.result.is_none());
            if returns {
                self.note(node, &before[..1], Why::Fun { fun: fun.clone(), args });
            }
        }
        result
    }

    /// Whether the module may call a tuple as if it were one: only where it says so.
    fn calls_tuples(&self) -> bool {
        let tree = self.tree();
        let mut found = false;
        for &(name, form) in &self.module.index.attributes {
            if name.as_str() == "compile" {
                tree.for_each_below(form, |node| {
                    found |= matches!(tree.kind(node), Kind::Atom(option)
                        if option.as_str() == "tuple_calls");
                });
            }
        }
        found
    }

    fn receive(&mut self, clauses: NodeList, after: Option<ReceiveAfter>) -> Alive<ValueId> {
        let wait = match after {
            Some(after) => {
                let timeout = self.eval(after.timeout)?;
                let infinity = Type::the_atom(known::INFINITY);
                self.solver.narrow(timeout, &Type::non_negative().join(&infinity))?;
                Some((timeout, after.body))
            }
            None => None,
        };
        // Whoever waits for what does not come does not fail.
        self.diverges = true;
        let clauses = self.list(clauses);
        let count = clauses.len() + usize::from(wait.is_some());
        self.branches(count, |this, which| match clauses.get(which) {
            Some(&clause) => {
                let message = this.any();
                this.clause(clause, &[message])
            }
            None => {
                let Some((timeout, body)) = wait else { return Err(Dead) };
                this.solver.narrow(timeout, &Type::non_negative())?;
                this.sequence(body)
            }
        })
    }

    fn guarded(
        &mut self,
        body: NodeList,
        of: NodeList,
        catch: NodeList,
        after: NodeList,
    ) -> Alive<ValueId> {
        let handlers = self.list(catch);
        let result = self.branches(1 + handlers.len(), |this, which| {
            if which == 0 {
                let value = this.caught(|this| this.sequence(body))?;
                return if of.is_empty() { Ok(value) } else { this.clauses(of, &[value]) };
            }
            this.handler(handlers[which - 1])
        });
        if !after.is_empty() {
            self.aside(|this| this.sequence(after).map(|_| ()))?;
        }
        result
    }

    /// Follows what somebody catches the failures of.
    fn caught<T>(&mut self, follow: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.is_caught, true);
        let result = follow(self);
        self.is_caught = before;
        result
    }

    fn handler(&mut self, clause: NodeId) -> Alive<ValueId> {
        let Kind::Clause { patterns, guards, body } = self.tree().kind(clause) else {
            return Err(Dead);
        };
        for &pattern in self.list(patterns) {
            let Kind::CatchPattern { class, reason, stacktrace } = self.tree().kind(pattern) else {
                continue;
            };
            let classes = ["error", "exit", "throw"].map(Atom::new);
            let of = match class {
                Some(_) => Type::the_atoms(classes),
                None => Type::the_atom(classes[2]),
            };
            let value = self.solver.value(of);
            if let Some(class) = class {
                self.pattern(class, value)?;
            }
            let value = self.any();
            self.pattern(reason, value)?;
            if let Some(stacktrace) = stacktrace {
                let value = self.solver.value(stack_trace());
                self.pattern(stacktrace, value)?;
            }
        }
        self.guards(guards)?;
        self.sequence(body)
    }

    fn maybe(&mut self, body: NodeList, otherwise: Option<NodeList>) -> Alive<ValueId> {
        self.branches(2, |this, which| {
            if which == 0 {
                return this.sequence(body);
            }
            // What did not match: any value.
            let value = this.any();
            match otherwise {
                Some(clauses) => this.clauses(clauses, &[value]),
                None => Ok(value),
            }
        })
    }

    fn fun(&mut self, name: Option<Atom>, clauses: NodeList) -> Alive<ValueId> {
        let clauses = self.list(clauses);
        let arity = match clauses.first().map(|&clause| self.tree().kind(clause)) {
            Some(Kind::Clause { patterns, .. }) => patterns.len as usize,
            _ => 0,
        };
        let diverges = self.diverges;
        let ty = self.aside(|this| {
            if let Some(name) = name {
                let itself = Type::fun(vec![Type::Any; arity], Type::Any);
                let itself = this.solver.value(itself);
                this.solver.unbind(name);
                this.solver.bind(name, itself);
            }
            let params: Vec<ValueId> = (0..arity).map(|_| this.any()).collect();
            let result = this.branches(clauses.len(), |this, which| {
                this.shadow(clauses[which]);
                this.clause(clauses[which], &params)
            });
            match result {
                Ok(result) => {
                    let args = params.iter().map(|&param| this.solver.ty(param).clone()).collect();
                    Type::fun(args, this.solver.ty(result).clone())
                }
                Err(Dead) => Type::fun(vec![Type::Any; arity], Type::None),
            }
        });
        self.diverges = diverges;
        Ok(self.solver.value(ty))
    }

    /// Variables in the head of a fun's clause are its own.
    fn shadow(&mut self, clause: NodeId) {
        let Kind::Clause { patterns, .. } = self.tree().kind(clause) else { return };
        for &pattern in self.list(patterns) {
            self.shadow_pattern(pattern);
        }
    }

    pub(super) fn shadow_pattern(&mut self, pattern: NodeId) {
        let tree = self.tree();
        let solver = &mut self.solver;
        tree.for_each_below(pattern, |node| {
            if let Kind::Var(name) = tree.kind(node) {
                solver.unbind(name);
            }
        });
    }

    fn named_fun(&mut self, node: NodeId) -> Alive<ValueId> {
        let target = resolve::target(self.tree(), &self.module.index, node);
        let Some(target) = target else { return Ok(self.any()) };
        let Some((module, name, arity)) = target.mfa(self.module.name) else {
            return Ok(self.solver.value(Type::any_fun()));
        };
        let any = vec![Type::Any; arity as usize];
        let callee = self.callees.callee(module, (name, arity));
        let ty = match (&callee, target) {
            (Callee::Unknown, _) => Type::fun(any, Type::Any),
            _ => {
                let ways = callee.ways(&any);
                let signature = super::callee::Signature { ways, diverges: false };
                Type::fun(signature.args(arity as usize), signature.result())
            }
        };
        // Which is not known yet may give anything that it will turn out to give.
        let ty = match (target, &ty.parts().funs) {
            (Target::Local(_), Some(FunType { result, .. }))
                if result.is_none() && self.callees.diverges(module, (name, arity)) =>
            {
                Type::fun(vec![Type::Any; arity as usize], Type::Any)
            }
            _ => ty,
        };
        Ok(self.solver.value(ty))
    }
}

/// Whom a message can be sent to.
fn destination() -> Type {
    let node = Type::tuple(vec![Type::atom(), Type::atom()]);
    Type::pid().join(&Type::port()).join(&Type::atom()).join(&Type::reference()).join(&node)
}

/// What a handler is told of where something was raised.
fn stack_trace() -> Type {
    static TYPE: LazyLock<Type> = LazyLock::new(|| {
        let list = || Type::list(Type::Any);
        let called = Type::arity().join(&list());
        let function = Type::tuple(vec![Type::atom(), Type::atom(), called, list()]);
        // Only where somebody has raised it with such an entry.
        let fun = Type::tuple(vec![Type::any_fun(), list(), list()]);
        Type::list(function.join(&fun))
    });
    TYPE.clone()
}

/// The type of a string literal.
fn string(text: &str) -> Type {
    if text.is_empty() {
        return Type::nil();
    }
    let codes = Integers::of(text.chars().map(|c| i64::from(u32::from(c))));
    Type::nonempty_list(Union { integers: codes, ..Union::default() }.into_type())
}
