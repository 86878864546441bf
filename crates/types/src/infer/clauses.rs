//! Clauses: chosen one after the other, so that one that is reached need not expect what those
//! before it take.

use syntax::ast::{BinaryOp, Kind, NodeId, NodeList, UnaryOp};

use super::body::Body;
use super::finding::Why;
use super::rules;
use super::solver::{Alive, Dead, ValueId};
use crate::ty::Type;

impl Body<'_> {
    /// The clauses of a `case` (with one value), an `if` (with none), and their like.
    pub(super) fn clauses(&mut self, clauses: NodeList, values: &[ValueId]) -> Alive<ValueId> {
        let clauses = self.list(clauses);
        // What earlier clauses leave is the same for every branch: it is narrowed step by step on
        // values that stand for what has not been taken yet.
        let mut left: Vec<Type> =
            values.iter().map(|&value| self.solver.ty(value).clone()).collect();
        let mut exhausted = false;
        self.branches(clauses.len(), |this, which| {
            let clause = clauses[which];
            if exhausted {
                this.note(clause, &[], Why::Covered);
                return Err(Dead);
            }
            let before = left.clone();
            exhausted = !this.take_away(clause, &mut left);
            // What made a value what it is, is not that others were not chosen.
            let here = this.solver.here.take();
            let narrowed = values
                .iter()
                .zip(&before)
                .try_for_each(|(&value, ty)| this.solver.narrow(value, ty));
            this.solver.here = here;
            narrowed?;
            this.clause(clause, values)
        })
    }

    /// Takes what a clause is sure to take out of what is left for those behind it. Says whether
    /// anything is left.
    pub(super) fn take_away(&self, clause: NodeId, left: &mut [Type]) -> bool {
        let Kind::Clause { patterns, guards, .. } = self.tree().kind(clause) else { return true };
        let patterns = self.list(patterns);
        let mut bound = Vec::new();
        let mut taken = Vec::with_capacity(patterns.len());
        for &pattern in patterns {
            match self.exactly(pattern, &mut bound) {
                Some(ty) => taken.push(ty),
                None => return true,
            }
        }
        if !guards.is_empty() && !self.guard_takes(guards, patterns, &mut taken) {
            return true;
        }
        // A product is taken away only where all but one of its sides are everything.
        let mut outside = (0..taken.len()).filter(|&at| !left[at].is_within(&taken[at]));
        match (outside.next(), outside.next()) {
            (None, _) => false,
            (Some(at), None) => {
                left[at] = left[at].without(&taken[at]);
                true
            }
            _ => true,
        }
    }

    /// A guard that is one test of one variable of the head, and cannot fail: what it takes.
    fn guard_takes(&self, guards: NodeList, patterns: &[NodeId], taken: &mut [Type]) -> bool {
        let tree = self.tree();
        let [guard] = self.list(guards) else { return false };
        let Kind::Guard { tests } = tree.kind(*guard) else { return false };
        let [test] = self.list(tests) else { return false };
        let Kind::Call { callee, args } = tree.kind(*test) else { return false };
        let name = match tree.kind(callee) {
            Kind::Atom(name) => name,
            Kind::Remote { name, .. } => match tree.kind(name) {
                Kind::Atom(name) => name,
                _ => return false,
            },
            _ => return false,
        };
        let [arg] = self.list(args) else { return false };
        let Kind::Var(variable) = tree.kind(*arg) else { return false };
        let (true, Some(rule)) =
            (name.as_str().starts_with("is_"), rules::of_erlang(name.as_str(), 1))
        else {
            return false;
        };
        let place = patterns.iter().position(|&pattern| match tree.kind(pattern) {
            Kind::Var(name) => name == variable,
            _ => false,
        });
        let Some(place) = place else { return false };
        let ways = rule(&[Type::Any]);
        let holds = ways.iter().filter(|way| way.result == Type::the_boolean(true));
        taken[place] = holds.fold(Type::None, |joined, way| joined.join(&way.args[0]));
        true
    }

    /// One clause: head, guard, body.
    pub(super) fn clause(&mut self, clause: NodeId, values: &[ValueId]) -> Alive<ValueId> {
        let Kind::Clause { patterns, guards, body } = self.tree().kind(clause) else {
            return Err(Dead);
        };
        let before = self.known(values);
        let patterns = self.list(patterns);
        let matched = patterns
            .iter()
            .zip(values)
            .try_for_each(|(&pattern, &value)| self.pattern(pattern, value));
        let guard = matched.is_ok();
        if matched.and_then(|()| self.guards(guards)).is_err() {
            let values = before.iter().map(|known| known.ty.clone()).collect();
            self.note(clause, &before, Why::Clause { values, guard });
            return Err(Dead);
        }
        self.sequence(body)
    }

    /// A guard holds: one of its alternatives, with all of its tests.
    pub(super) fn guards(&mut self, guards: NodeList) -> Alive {
        let alternatives = self.list(guards);
        let one = |this: &mut Self, guard: NodeId| {
            let Kind::Guard { tests } = this.tree().kind(guard) else { return Err(Dead) };
            for &test in this.list(tests) {
                match this.old_test(test) {
                    Some((name, arg)) => {
                        let arg = this.eval(arg)?;
                        let value = this.builtin(name, vec![arg])?;
                        this.solver.narrow(value, &Type::the_boolean(true))?;
                    }
                    None => this.holds(test)?,
                }
            }
            Ok(this.any())
        };
        // What fails in a guard is no failure of the program.
        let findings = self.wanted.findings.take();
        let result = match alternatives {
            [] => Ok(()),
            [only] => one(self, *only).map(|_| ()),
            several => {
                self.branches(several.len(), |this, which| one(this, several[which])).map(|_| ())
            }
        };
        self.wanted.findings = findings;
        result
    }

    /// The names that type tests had once, which they still have where they are a whole test.
    fn old_test(&self, test: NodeId) -> Option<(&'static str, NodeId)> {
        let Kind::Call { callee, args } = self.tree().kind(test) else { return None };
        let (Kind::Atom(name), &[arg]) = (self.tree().kind(callee), self.list(args)) else {
            return None;
        };
        let test = match name.as_str() {
            "atom" => "is_atom",
            "binary" => "is_binary",
            "float" => "is_float",
            "function" => "is_function",
            "integer" => "is_integer",
            "list" => "is_list",
            "number" => "is_number",
            "pid" => "is_pid",
            "port" => "is_port",
            "reference" => "is_reference",
            "tuple" => "is_tuple",
            _ => return None,
        };
        Some((test, arg))
    }

    /// A test is true.
    fn holds(&mut self, test: NodeId) -> Alive {
        match self.tree().kind(test) {
            Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::And, left, right } => {
                self.holds(left)?;
                self.holds(right)
            }
            Kind::BinaryOp { op: BinaryOp::Orelse, left, right } => self
                .branches(2, |this, which| {
                    this.holds(if which == 0 { left } else { right })?;
                    Ok(this.any())
                })
                .map(|_| ()),
            Kind::UnaryOp { op: UnaryOp::Not, operand } => {
                let value = self.eval(operand)?;
                self.solver.narrow(value, &Type::the_boolean(false))
            }
            _ => {
                let value = self.eval(test)?;
                self.solver.narrow(value, &Type::the_boolean(true))
            }
        }
    }
}
