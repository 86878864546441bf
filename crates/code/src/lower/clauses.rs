//! `case`, `if` and what else chooses among clauses.

use atom::Atom;
use syntax::ast::{Kind, NodeId, NodeList};

use super::builder::Label;
use super::expr::Want;
use super::{Lowerer, Result};
use crate::instr::{Failure, Instr, Mark, Slot};

/// Variables that all clauses seen so far have bound, if there were any.
#[derive(Default)]
pub(super) struct Exported(Option<Vec<Atom>>);

impl Lowerer<'_> {
    pub(super) fn case(&mut self, subject: NodeId, clauses: NodeList, want: Want) -> Result<()> {
        let mark = self.mark();
        let slot = self.operand(subject)?;
        self.clauses_on(clauses, slot, Failure::CaseClause, want)?;
        if !matches!(want, Want::Value(_)) {
            self.release(mark);
        }
        Ok(())
    }

    /// Clauses of one pattern each for the value in `slot`.
    pub(super) fn clauses_on(
        &mut self,
        clauses: NodeList,
        slot: Slot,
        failure: Failure,
        want: Want,
    ) -> Result<()> {
        let here = self.f().current;
        let end = self.new_label();
        let mut exported = Exported::default();
        for &clause in self.m.list(clauses) {
            let Kind::Clause { patterns, guards, body } = self.m.kind(clause) else { continue };
            let next = self.new_label();
            let branch = self.open_branch(clause);
            if let Some(&pattern) = self.m.list(patterns).first() {
                self.pattern(pattern, slot, next)?;
            }
            self.guards(guards, next)?;
            self.note(clause, Mark::Chosen);
            self.show_bound(self.m.list(patterns));
            self.body(body, want)?;
            self.close_branch(branch, want, end, &mut exported);
            self.bind_label(next);
        }
        self.at(here);
        self.fail_with(failure, slot);
        self.bind_label(end);
        self.export(exported);
        Ok(())
    }

    pub(super) fn if_expr(&mut self, clauses: NodeList, want: Want) -> Result<()> {
        let here = self.f().current;
        let end = self.new_label();
        let mut exported = Exported::default();
        for &clause in self.m.list(clauses) {
            let Kind::Clause { guards, body, .. } = self.m.kind(clause) else { continue };
            let next = self.new_label();
            let branch = self.open_branch(clause);
            self.guards(guards, next)?;
            self.note(clause, Mark::Chosen);
            self.body(body, want)?;
            self.close_branch(branch, want, end, &mut exported);
            self.bind_label(next);
        }
        self.at(here);
        self.emit(Instr::IfClause);
        self.bind_label(end);
        self.export(exported);
        Ok(())
    }

    /// Starts a clause inside a function: what it binds is not bound in the next one.
    pub(super) fn open_branch(&mut self, clause: NodeId) -> (usize, usize) {
        self.at(clause);
        let mark = self.mark();
        (self.f().bound.len(), mark)
    }

    pub(super) fn close_branch(
        &mut self,
        (bound, mark): (usize, usize),
        want: Want,
        end: Label,
        exported: &mut Exported,
    ) {
        if want != Want::Tail {
            self.jump(end);
        }
        let mut new = self.f().bound.split_off(bound);
        // A name that was there before was only compared.
        new.retain(|name| !self.is_bound(*name));
        match &mut exported.0 {
            None => exported.0 = Some(new),
            Some(all) => all.retain(|name| new.contains(name)),
        }
        self.release(mark);
    }

    /// After the clauses: what all of them bound is bound. Where only some did, the lint has made
    /// sure that nobody reads it; another operand of the same expression may bind it as well.
    pub(super) fn export(&mut self, exported: Exported) {
        for name in exported.0.unwrap_or_default() {
            if !self.is_bound(name) {
                self.bind(name);
            }
        }
    }
}
