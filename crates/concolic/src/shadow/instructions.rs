//! What instructions do to expressions.

use atom::{Atom, known};
use code::instr::{ArithOp, CompareOp, Failure, Instr, Slot, Use};
use code::module::Switch;
use machine::Term;
use machine::observe::Moment;
use solver::eval::passes;
use solver::{ExprId, Test};
use term::order;

use super::numbers::test_of;
use super::{Here, State, Value};
use crate::models::Outcome;

/// What has to be looked at when the instruction is done.
pub(crate) enum After {
    /// What `catch` made of an exception with this reason; of an error, with a stack trace.
    Caught { at: usize, reason: ExprId, is_error: bool },
}

impl State {
    fn used(&self, here: Here<'_>, used: Use) -> Value {
        self.value(here, used.index())
    }

    /// Whether an operand has an expression: if not, there is nothing to be done in most cases.
    fn has(&self, here: Here<'_>, used: Use) -> Option<ExprId> {
        self.lane.get(here.process.base + used.index())
    }

    fn put(&mut self, here: Here<'_>, slot: Slot, expr: Option<ExprId>) {
        self.lane.set(here.process.base + slot.0 as usize, expr);
    }

    fn range(&self, here: Here<'_>, at: Slot, len: usize) -> Vec<Value> {
        (0..len).map(|i| self.value(here, at.0 as usize + i)).collect()
    }

    /// Whether any of a range of slots has an expression.
    pub(super) fn any(&self, here: Here<'_>, at: Slot, len: usize) -> bool {
        let first = here.process.base + at.0 as usize;
        (first..first + len).any(|at| self.lane.get(at).is_some())
    }

    /// What came of the instruction before; and a process begins.
    pub(super) fn finish(&mut self, here: Here<'_>, instr: Option<&Instr>) {
        if let Some(After::Caught { at, reason, is_error }) = self.lane.after.take()
            && let Some([tag, whole]) = here.process.stack.get(at).and_then(Term::as_tuple)
        {
            let expr = match whole.as_tuple() {
                Some([_, trace]) if is_error => {
                    let trace = self.exprs.constant(trace.clone());
                    self.exprs.tuple([reason, trace])
                }
                _ => reason,
            };
            let tag = self.exprs.constant(tag.clone());
            let expr = self.exprs.tuple([tag, expr]);
            self.lane.set(at, Some(expr));
        }
        self.commit(here, instr);
        self.answered(here.process);
        if let Some(start) = self.lane.start.take() {
            for (number, expr) in start.into_iter().enumerate() {
                self.lane.set(here.process.base + number, expr);
            }
        }
        self.lane.raising = None;
    }

    pub(super) fn step(&mut self, here: Here<'_>, moment: &Moment<'_>, instr: &Instr) {
        match *instr {
            Instr::Move { dst, src } => self.put(here, dst, self.has(here, src)),
            Instr::Move2 { dst1, src1, dst2, src2 } => {
                self.put(here, dst1, self.has(here, src1));
                self.put(here, dst2, self.has(here, src2));
            }
            Instr::Move3 { dst1, src1, dst2, src2, dst3, src3 } => {
                self.put(here, dst1, self.has(here, src1));
                self.put(here, dst2, self.has(here, src2));
                self.put(here, dst3, self.has(here, src3));
            }
            Instr::LoadInt { dst, .. }
            | Instr::LoadAtom { dst, .. }
            | Instr::LoadNil { dst }
            | Instr::LoadConst { dst, .. }
            | Instr::ExternalFun { dst, .. }
            | Instr::StackTrace { dst, .. }
            | Instr::Drop { slot: dst } => self.put(here, dst, None),
            Instr::Cons { .. }
            | Instr::List { .. }
            | Instr::Tuple { .. }
            | Instr::MapNew { .. }
            | Instr::MapPut { .. }
            | Instr::MapUpdate { .. }
            | Instr::Closure { .. }
            | Instr::SetElement { .. } => self.build(here, instr),
            Instr::BitsBuild { .. }
            | Instr::BitsStart { .. }
            | Instr::BitsGet { .. }
            | Instr::BitsSkip { .. }
            | Instr::BitsEnd { .. }
            | Instr::BitsRest { .. } => self.bits(here, instr),
            Instr::Arith { .. }
            | Instr::ArithInt { .. }
            | Instr::AddInt { .. }
            | Instr::SubInt { .. }
            | Instr::Unary { .. }
            | Instr::Compare { .. }
            | Instr::TypeTestValue { .. } => self.compute(here, instr),
            Instr::Branch { .. }
            | Instr::BranchInt { .. }
            | Instr::IsAtom { .. }
            | Instr::IsInt { .. }
            | Instr::IsNil { .. }
            | Instr::IsConst { .. }
            | Instr::TypeTest { .. }
            | Instr::IsBoolean { .. }
            | Instr::IsTuple { .. }
            | Instr::IsTagged { .. }
            | Instr::SwitchAtom { .. }
            | Instr::SwitchInt { .. } => self.branch(here, instr),
            Instr::GetCons { .. }
            | Instr::CaseList { .. }
            | Instr::GetElement { .. }
            | Instr::MapGet { .. } => self.take_apart(here, instr),
            Instr::Call { .. }
            | Instr::TailCall { .. }
            | Instr::CallBody { .. }
            | Instr::TailBody { .. }
            | Instr::CallImport { .. }
            | Instr::TailImport { .. }
            | Instr::CallBuiltin { .. }
            | Instr::GuardBuiltin { .. }
            | Instr::CallFun { .. }
            | Instr::TailFun { .. }
            | Instr::CallDynamic { .. }
            | Instr::TailDynamic { .. } => self.call(here, instr),
            Instr::Return { src } => self.put(here, Slot(0), self.has(here, src)),
            Instr::ReturnInt { .. } | Instr::ReturnAtom { .. } => self.put(here, Slot(0), None),
            Instr::ReturnCons { head, tail } => {
                let (head, tail) = (self.used(here, head), self.used(here, tail));
                let cell = self.cons(&head, &tail);
                self.put(here, Slot(0), cell);
            }
            Instr::ReturnTuple { at, len } => {
                let tuple = self.tuple_of(here, at, len);
                self.put(here, Slot(0), tuple);
            }
            Instr::Reraise { .. } | Instr::CatchValue { .. } | Instr::Fail { .. } => {
                self.exception(here, instr);
            }
            Instr::Send { .. } => self.send(here, instr),
            Instr::Peek { dst, .. } => self.peek(here, moment, dst),
            Instr::WaitTimeout { timeout, .. } => {
                if self.has(here, timeout).is_some() {
                    let timeout = self.used(here, timeout);
                    self.lose("a time-out".to_owned());
                    self.pin(&[timeout]);
                }
            }
            // Slots stay as they are.
            Instr::Unfinished
            | Instr::Enter { .. }
            | Instr::Jump { .. }
            | Instr::GuardImport { .. }
            | Instr::Try { .. }
            | Instr::EndTry
            | Instr::BeginContract { .. }
            | Instr::EndContract
            | Instr::IfClause
            | Instr::FunctionClause { .. }
            | Instr::Mark { .. }
            | Instr::Show { .. }
            | Instr::SkipOlder { .. }
            | Instr::Accept
            | Instr::Skip { .. }
            | Instr::Wait { .. } => {}
        }
    }

    fn tuple_of(&mut self, here: Here<'_>, at: Slot, len: u16) -> Option<ExprId> {
        if !self.any(here, at, len as usize) {
            return None;
        }
        let elements = self.range(here, at, len as usize);
        self.tuple(&elements)
    }

    fn build(&mut self, here: Here<'_>, instr: &Instr) {
        match *instr {
            Instr::Cons { dst, head, tail } => {
                let mut cell = None;
                if self.has(here, head).is_some() || self.has(here, tail).is_some() {
                    let (head, tail) = (self.used(here, head), self.used(here, tail));
                    cell = self.cons(&head, &tail);
                }
                self.put(here, dst, cell);
            }
            Instr::List { dst, at, len } => {
                let mut list = None;
                if self.any(here, at, len as usize + 1) {
                    let mut elements = self.range(here, at, len as usize + 1);
                    if let Some(tail) = elements.pop() {
                        list = self.list(&elements, tail).expr;
                    }
                }
                self.put(here, dst, list);
            }
            Instr::Tuple { dst, at, len } => {
                let tuple = self.tuple_of(here, at, len);
                self.put(here, dst, tuple);
            }
            Instr::MapNew { dst, at, len } => {
                let mut map = Value::plain(Term::map(term::Map::new()));
                if self.any(here, at, 2 * len as usize) {
                    for pair in self.range(here, at, 2 * len as usize).chunks_exact(2) {
                        map = self.put_pair(&map, &pair[0], &pair[1]);
                    }
                }
                self.put(here, dst, map.expr);
            }
            Instr::MapPut { dst, map, key, value, .. } => {
                let operands = [map, key, value].map(|used| self.used(here, used));
                let [map, key, value] = &operands;
                let is_map = map.term.as_map().is_some();
                let made = match self.decide_test(Test::Map, map, is_map) {
                    true => self.map_put(map, key, value),
                    false => {
                        self.raising_about("badmap", map);
                        return;
                    }
                };
                self.put(here, dst, made);
            }
            Instr::MapUpdate { dst, map, key, value, .. } => {
                let operands = [map, key, value].map(|used| self.used(here, used));
                let [map, key, value] = &operands;
                if let Some(made) = self.map_update(map, key, value) {
                    self.put(here, dst, made);
                }
            }
            Instr::Closure { dst, at, len, .. } => {
                let mut fun = None;
                if self.any(here, at, len as usize) {
                    let env = self.range(here, at, len as usize);
                    fun = Some(self.fun(env.into_iter().map(|value| value.expr).collect()));
                }
                self.put(here, dst, fun);
            }
            Instr::SetElement { dst, tuple, index, value } => {
                let (tuple, value) = (self.used(here, tuple), self.used(here, value));
                let made = self.with_element(&tuple, index as usize, value);
                self.put(here, dst, made);
            }
            _ => {}
        }
    }

    fn put_pair(&mut self, map: &Value, key: &Value, value: &Value) -> Value {
        let expr = self.map_put(map, key, value);
        let mut terms = map.term.as_map().cloned().unwrap_or_default();
        terms.insert(key.term.clone(), value.term.clone());
        Value { term: Term::map(terms), expr }
    }

    /// The map with another value for a key that it has; none if it has not.
    pub(crate) fn map_update(
        &mut self,
        map: &Value,
        key: &Value,
        value: &Value,
    ) -> Option<Option<ExprId>> {
        if !self.decide_test(Test::Map, map, map.term.as_map().is_some()) {
            self.raising_about("badmap", map);
            return None;
        }
        let has = map.term.as_map().is_some_and(|map| map.contains_key(&key.term));
        if map.expr.is_some() || key.expr.is_some() {
            let (map, key) = (self.expr(map), self.expr(key));
            let condition = self.has_key(map, key);
            self.decide(condition, has);
        }
        if !has {
            self.raising_about("badkey", key);
            return None;
        }
        Some(self.map_put(map, key, value))
    }

    /// The exception that comes has a reason that depends on the inputs.
    pub(super) fn raising_about(&mut self, tag: &str, value: &Value) {
        if let Some(expr) = value.expr {
            let tag = self.exprs.atom(tag);
            self.lane.raising = Some(self.exprs.tuple([tag, expr]));
        }
    }

    fn compute(&mut self, here: Here<'_>, instr: &Instr) {
        let int = |value: i64| Value::plain(Term::int(value));
        let (dst, outcome) = match *instr {
            Instr::Arith { op, dst, a, b, .. } => {
                let (a, b) = (self.used(here, a), self.used(here, b));
                (dst, self.arith(op, &a, &b))
            }
            Instr::ArithInt { op, dst, a, value, .. } => {
                let a = self.used(here, a);
                (dst, self.arith(op, &a, &int(i64::from(value))))
            }
            Instr::AddInt { dst, a, value, .. } => {
                let a = self.used(here, a);
                (dst, self.arith(ArithOp::Add, &a, &int(i64::from(value))))
            }
            Instr::SubInt { dst, a, value, .. } => {
                let a = self.used(here, a);
                (dst, self.arith(ArithOp::Sub, &a, &int(i64::from(value))))
            }
            Instr::Unary { op, dst, a, .. } => {
                let a = self.used(here, a);
                (dst, self.unary(op, &a))
            }
            Instr::Compare { op, dst, a, b } => {
                let mut result = None;
                if self.has(here, a).is_some() || self.has(here, b).is_some() {
                    let (a, b) = (self.used(here, a), self.used(here, b));
                    let condition = self.compare(op, &a, &b);
                    result = self.kept(condition);
                }
                (dst, Outcome::Gives(result))
            }
            Instr::TypeTestValue { test, dst, a } => {
                let result = self.has(here, a).and_then(|expr| {
                    let condition = self.test(test_of(test), expr);
                    self.kept(condition)
                });
                (dst, Outcome::Gives(result))
            }
            _ => return,
        };
        match outcome {
            Outcome::Gives(expr) => self.put(here, dst, expr),
            Outcome::Fails(reason) => self.lane.raising = reason,
            Outcome::Unknown => self.put(here, dst, None),
        }
    }

    fn branch(&mut self, here: Here<'_>, instr: &Instr) {
        match *instr {
            Instr::Branch { op, a, b, .. }
                if self.has(here, a).is_some() || self.has(here, b).is_some() =>
            {
                let (a, b) = (self.used(here, a), self.used(here, b));
                self.branch_on(op, &a, &b);
            }
            Instr::BranchInt { op, a, value, .. } if self.has(here, a).is_some() => {
                let (a, b) = (self.used(here, a), Term::int(i64::from(value)));
                self.branch_on(op, &a, &Value::plain(b));
            }
            Instr::IsAtom { a, atom, .. } => self.branch_on_term(here, a, &Term::from(atom)),
            Instr::IsInt { a, value, .. } => {
                self.branch_on_term(here, a, &Term::int(i64::from(value)));
            }
            Instr::IsNil { a, .. } => {
                let value = self.used(here, a);
                self.decide_test(Test::Nil, &value, value.term.is_nil());
            }
            Instr::IsConst { a, index, .. } => {
                let constant = here.code.constant(index).clone();
                self.branch_on_term(here, a, &constant);
            }
            Instr::TypeTest { test, a, .. } if self.has(here, a).is_some() => {
                let value = self.used(here, a);
                let test = test_of(test);
                let holds = passes(&self.exprs, test, &value.term);
                self.decide_test(test, &value, holds);
            }
            Instr::IsBoolean { a, .. } => {
                if let Some(expr) = self.has(here, a) {
                    self.branch_on_boolean(expr, &self.used(here, a).term);
                }
            }
            Instr::IsTuple { a, len, .. } => {
                self.is_tuple(here, a, len);
            }
            Instr::IsTagged { a, len, tag, .. } => self.is_tagged(here, a, len, tag),
            Instr::SwitchAtom { a, index, .. } | Instr::SwitchInt { a, index, .. } => {
                if let Some(expr) = self.has(here, a) {
                    let value = self.used(here, a);
                    self.switch(here.code.switch(index), expr, &value.term);
                }
            }
            _ => {}
        }
    }

    fn branch_on(&mut self, op: CompareOp, a: &Value, b: &Value) {
        let condition = self.compare(op, a, b);
        let holds = match op {
            CompareOp::Eq => order::loose_eq(&a.term, &b.term),
            CompareOp::Ne => !order::loose_eq(&a.term, &b.term),
            CompareOp::ExactEq => order::exact_eq(&a.term, &b.term),
            CompareOp::ExactNe => !order::exact_eq(&a.term, &b.term),
            CompareOp::Lt => order::compare(&a.term, &b.term).is_lt(),
            CompareOp::Le => order::compare(&a.term, &b.term).is_le(),
            CompareOp::Gt => order::compare(&a.term, &b.term).is_gt(),
            CompareOp::Ge => order::compare(&a.term, &b.term).is_ge(),
        };
        self.decide(condition, holds);
    }

    fn branch_on_term(&mut self, here: Here<'_>, a: Use, term: &Term) {
        if let Some(expr) = self.has(here, a) {
            let holds = order::exact_eq(&self.used(here, a).term, term);
            let condition = self.is_term(expr, term.clone());
            self.decide(condition, holds);
        }
    }

    fn branch_on_boolean(&mut self, expr: ExprId, term: &Term) {
        if self.exprs.is_condition(expr) {
            self.decide(expr, term.is_true());
            return;
        }
        let ways = [Term::TRUE, Term::FALSE].map(|term| self.is_term(expr, term));
        let others: Vec<ExprId> = ways.iter().map(|&way| self.exprs.not(way)).collect();
        let other = self.exprs.and(&others);
        let taken = match term.as_bool() {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        };
        self.choose(vec![ways[0], ways[1], other], taken);
    }

    /// A tuple of this size?
    fn is_tuple(&mut self, here: Here<'_>, a: Use, len: u16) -> bool {
        let value = self.used(here, a);
        let holds = value.term.as_tuple().is_some_and(|tuple| tuple.len() == len as usize);
        self.decide_test(Test::TupleOf(u32::from(len)), &value, holds)
    }

    /// A tuple of this size with this atom first?
    fn is_tagged(&mut self, here: Here<'_>, a: Use, len: u16, tag: Atom) {
        if !self.is_tuple(here, a, len) {
            return;
        }
        let tuple = self.used(here, a);
        let first = self.element(&tuple, 0);
        if let Some(expr) = first.expr {
            let condition = self.is_term(expr, Term::from(tag));
            self.decide(condition, first.term.is_atom(tag));
        }
    }

    fn switch(&mut self, switch: &Switch, expr: ExprId, term: &Term) {
        let mut cases: Vec<Term> = match switch {
            Switch::Atoms(table) => table.iter().map(|&(atom, _)| Term::from(atom)).collect(),
            Switch::Ints(table) => table.iter().map(|&(value, _)| Term::int(value)).collect(),
        };
        // The table is in the order of the atoms' numbers, which depends on what was met first.
        cases.sort_by(order::compare);
        let mut ways: Vec<ExprId> =
            cases.iter().map(|case| self.is_term(expr, case.clone())).collect();
        let taken = cases.iter().position(|case| order::exact_eq(case, term));
        let others: Vec<ExprId> = ways.iter().map(|&way| self.exprs.not(way)).collect();
        let other = self.exprs.and(&others);
        let taken = taken.unwrap_or(ways.len());
        ways.push(other);
        self.choose(ways, taken);
    }

    fn take_apart(&mut self, here: Here<'_>, instr: &Instr) {
        match *instr {
            Instr::GetCons { a, head, tail, .. } => {
                let value = self.used(here, a);
                let is_cell = value.term.as_cons().is_some();
                self.decide_test(Test::Cons, &value, is_cell);
                self.put_cell(here, &value, head, tail);
            }
            Instr::CaseList { a, head, tail, .. } => {
                let value = self.used(here, a);
                if let Some(expr) = value.expr {
                    let cell = self.test(Test::Cons, expr);
                    let nil = self.test(Test::Nil, expr);
                    let others = [cell, nil].map(|way| self.exprs.not(way));
                    let other = self.exprs.and(&others);
                    let taken = match value.term {
                        ref term if term.as_cons().is_some() => 1,
                        ref term if term.is_nil() => 0,
                        _ => 2,
                    };
                    self.choose(vec![nil, cell, other], taken);
                }
                self.put_cell(here, &value, head, tail);
            }
            Instr::GetElement { dst, a, index } => {
                let mut element = None;
                if self.has(here, a).is_some() {
                    let tuple = self.used(here, a);
                    element = self.element(&tuple, index as usize).expr;
                }
                self.put(here, dst, element);
            }
            Instr::MapGet { dst, map, key, .. } => {
                let (map, key) = (self.used(here, map), self.used(here, key));
                if let Some(value) = self.look_up(&map, &key) {
                    self.put(here, dst, value);
                }
            }
            _ => {}
        }
    }

    fn put_cell(&mut self, here: Here<'_>, value: &Value, head: Slot, tail: Slot) {
        if let Some((first, rest)) = self.cell(value) {
            self.put(here, head, first.expr);
            self.put(here, tail, rest.expr);
        }
    }

    /// The value of a key; none if what is looked into is no map or has no such key.
    pub(crate) fn look_up(&mut self, map: &Value, key: &Value) -> Option<Option<ExprId>> {
        if !self.decide_test(Test::Map, map, map.term.as_map().is_some()) {
            return None;
        }
        let has = map.term.as_map().is_some_and(|map| map.contains_key(&key.term));
        if map.expr.is_none() && key.expr.is_none() {
            return has.then_some(None);
        }
        let (map, key) = (self.expr(map), self.expr(key));
        let condition = self.has_key(map, key);
        self.decide(condition, has);
        has.then(|| self.map_value(map, key))
    }

    fn exception(&mut self, here: Here<'_>, instr: &Instr) {
        match *instr {
            Instr::Reraise { at } => self.lane.raising = self.value(here, at.0 as usize + 1).expr,
            Instr::CatchValue { dst, at } => {
                let class = self.value(here, at.0 as usize).term;
                let reason = self.value(here, at.0 as usize + 1).expr;
                self.put(here, dst, None);
                let dst = here.process.base + dst.0 as usize;
                match reason {
                    Some(reason) if class.is_atom(Atom::new("throw")) => {
                        self.lane.set(dst, Some(reason));
                    }
                    Some(reason) => {
                        let is_error = class.is_atom(known::ERROR);
                        self.lane.after = Some(After::Caught { at: dst, reason, is_error });
                    }
                    None => {}
                }
            }
            Instr::Fail { failure, src } => {
                let value = self.used(here, src);
                let tag = match failure {
                    Failure::BadMatch => known::BADMATCH,
                    Failure::CaseClause => known::CASE_CLAUSE,
                    Failure::TryClause => known::TRY_CLAUSE,
                    Failure::ElseClause => known::ELSE_CLAUSE,
                    Failure::BadRecord => known::BADRECORD,
                    Failure::BadGenerator => known::BAD_GENERATOR,
                    Failure::BadFilter => known::BAD_FILTER,
                    Failure::BadBoolean => known::BADARG,
                    Failure::BadMap => known::BADMAP,
                    Failure::Plain => {
                        self.lane.raising = value.expr;
                        return;
                    }
                };
                self.raising_about(tag.as_str(), &value);
            }
            _ => {}
        }
    }
}
