//! Processes that end for a reason that depends on the inputs: who hears of it, by a monitor or a
//! link, hears what it depends on.
//!
//! What is told is `{'DOWN', Ref, process, Pid, Reason}` or `{'EXIT', Pid, Reason}`; whoever is
//! linked and does not trap exits ends for the same reason, unless that is `normal`, which is
//! decided. The reason of an error is a pair of what was raised and a stack trace.

use machine::observe::{MessageId, Sender};
use machine::{Pid, Term};
use solver::ExprId;
use term::order::exact_eq;

use super::State;

/// Processes that have ended for reasons that depend on the inputs.
#[derive(Default)]
pub(super) struct Ends {
    all: Vec<End>,
    /// Exit signals through links: from whom to whom.
    signals: Vec<(Pid, Pid)>,
}

struct End {
    pid: Pid,
    reason: Term,
    expr: ExprId,
}

impl Ends {
    fn of(&self, pid: Pid) -> Option<&End> {
        self.all.iter().rev().find(|end| end.pid == pid)
    }
}

impl State {
    /// The process that acts has ended.
    pub(super) fn ended(&mut self, pid: Pid, reason: &Term, is_heard: bool) {
        let expr = match self.lane.raising.take() {
            Some(raised) => match self.as_reason(raised, reason) {
                Some(expr) => expr,
                None if is_heard => return self.lose("the reason of an end".to_owned()),
                None => return,
            },
            // It may have ended because another one did.
            None => {
                let from = self.ends.signals.iter().filter(|(_, to)| *to == pid);
                let mut before = from.filter_map(|(from, _)| self.ends.of(*from));
                match before.find(|end| exact_eq(&end.reason, reason)) {
                    Some(end) => end.expr,
                    None => return,
                }
            }
        };
        for good in ["normal", "shutdown"] {
            let same = self.is_term(expr, Term::atom(good));
            self.decide(same, reason.is_atom(atom::Atom::new(good)));
        }
        self.ends.all.push(End { pid, reason: reason.clone(), expr });
    }

    /// What was raised as the reason of an end.
    fn as_reason(&mut self, raised: ExprId, reason: &Term) -> Option<ExprId> {
        let value = solver::eval(&self.exprs, &self.model, raised)?;
        if exact_eq(&value, reason) {
            return Some(raised);
        }
        let [first, trace] = reason.as_tuple()? else { return None };
        let first = match first.as_tuple() {
            _ if exact_eq(&value, first) => raised,
            Some([tag, thrown]) if exact_eq(&value, thrown) => {
                let tag = self.exprs.constant(tag.clone());
                self.exprs.tuple([tag, raised])
            }
            _ => return None,
        };
        let trace = self.exprs.constant(trace.clone());
        Some(self.exprs.tuple([first, trace]))
    }

    /// An exit signal comes through a link.
    pub(super) fn signalled(&mut self, from: Pid, to: Pid) {
        if self.ends.of(from).is_some() {
            self.ends.signals.push((from, to));
        }
    }

    /// A process is told that another one has ended.
    pub(super) fn hears(&mut self, sender: Sender, id: MessageId, message: &Term) {
        let (Sender::Down(from) | Sender::Exit(from)) = sender else { return };
        let Some(end) = self.ends.of(from) else { return };
        let Some([parts @ .., last]) = message.as_tuple() else { return };
        if !exact_eq(last, &end.reason) {
            return;
        }
        let reason = end.expr;
        let mut elements: Vec<ExprId> =
            parts.iter().map(|part| self.exprs.constant(part.clone())).collect();
        elements.push(reason);
        let expr = self.exprs.tuple(elements);
        self.messages.insert(id, expr);
    }
}
