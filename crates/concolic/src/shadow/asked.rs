//! Calls of funs that are inputs: what they give is unknown ([`crate::funs`]).
//!
//! On the Machine such a fun looks into a table. That is not followed; when it has returned, its
//! value is the unknown of the row.

use machine::process::Process;
use solver::{ExprId, Test, VarId, eval};
use term::order::exact_eq;

use super::{State, Value};
use crate::funs::{Row, number_of};

/// What a fun gives that is being called.
pub(crate) struct Answer {
    /// It has returned when there are no more frames than this.
    depth: usize,
    /// Where its value is on the stack then.
    at: usize,
    expr: ExprId,
}

impl State {
    /// A fun is called: if it is one of the inputs, what it gives becomes known as soon as there
    /// are no more frames than `depth`, at a place on the stack.
    pub(super) fn asks(&mut self, fun: &Value, args: &[Value], at: usize, depth: usize) -> bool {
        let Some(expr) = fun.expr else { return false };
        let Some(number) = eval(&self.exprs, &self.model, expr).as_ref().and_then(number_of) else {
            return false;
        };
        let Some(result) = self.row(number, args) else { return false };
        let expr = self.exprs.var(result);
        (at..=at + args.len()).for_each(|slot| self.lane.set(slot, None));
        self.lane.answer = Some(Answer { depth, at, expr });
        true
    }

    /// What a fun gives for arguments: what it gave for the same before, or something unknown.
    fn row(&mut self, fun: usize, args: &[Value]) -> Option<VarId> {
        let domain = self.funs.result(fun)?;
        let exprs: Vec<ExprId> = args.iter().map(|arg| self.expr(arg)).collect();
        let mut before = 0;
        for place in 0..self.path.rows.len() {
            let row = &self.path.rows[place];
            if row.fun != fun {
                continue;
            }
            before += 1;
            let is_same = row.given.iter().zip(args).all(|(given, arg)| exact_eq(given, &arg.term));
            let (result, known) = (row.result, row.args.clone());
            let same: Vec<ExprId> =
                known.iter().zip(&exprs).map(|(&a, &b)| self.exprs.exact(a, b)).collect();
            let same = self.exprs.and(&same);
            self.decide(same, is_same);
            if is_same {
                return Some(result);
            }
        }
        let result = match self.results.get(&(fun, before)) {
            Some(&result) => result,
            None => {
                let result = self.make_up(1);
                self.results.insert((fun, before), result);
                result
            }
        };
        let unknown = self.exprs.var(result);
        let holds = self.exprs.test(Test::In(domain), unknown);
        if !self.model.iter().any(|(var, _)| var == result)
            && let Some(other) = self.funs.other(fun)
        {
            self.model.set(result, other);
        }
        let given = args.iter().map(|arg| arg.term.clone()).collect();
        let at = self.path.decisions.len();
        self.path.rows.push(Row { fun, args: exprs, given, result, holds, at });
        Some(result)
    }

    /// A fun of the inputs may have returned.
    pub(super) fn answered(&mut self, process: &Process) {
        let depth = process.frames.len();
        if let Some(answer) = self.lane.answer.take_if(|answer| depth <= answer.depth) {
            self.lane.set(answer.at, Some(answer.expr));
        }
    }
}
