//! Which clauses of a choice may be chosen: by what is written, and by what is known of the values
//! that they are matched with ([`super::selection`]).
//!
//! A clause is never chosen behind one without a guard that takes all that it would take: because
//! its patterns are more general, or because it takes whatever there is. `case Y of Y -> …` takes
//! whatever `Y` is, and all calls `f(2)` are taken by `f(2) -> …`.
//!
//! Cost: clauses are compared with all before them, up to [`MOST_COMPARED`] of them.

use flow::bindings::Bindings;
use flow::{FunctionId, ModuleId};
use syntax::ast::{Kind, Module, NodeId, NodeList};

use super::build::Build;
use super::overlap;

/// With more clauses than this, they are not compared with each other.
pub(crate) const MOST_COMPARED: usize = 64;

/// What a clause is chosen by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Chooser {
    /// The arguments of calls of a function.
    Function(FunctionId),
    /// The value of an expression.
    Value(NodeId),
    Other,
}

/// Clauses that may be chosen, as far as a text says.
#[derive(Debug)]
pub(crate) struct Choices<'t> {
    tree: &'t Module,
    bindings: &'t Bindings,
    /// The value that is matched, if it is one.
    subject: Option<NodeId>,
    /// The patterns of clauses that take whatever matches them.
    unguarded: Vec<NodeList>,
    /// Whether one of the clauses so far is always chosen.
    pub(crate) covers_all: bool,
    compares: bool,
}

impl<'t> Choices<'t> {
    pub(crate) fn new(
        tree: &'t Module,
        bindings: &'t Bindings,
        chooser: Chooser,
        clauses: &[NodeId],
    ) -> Choices<'t> {
        let subject = match chooser {
            Chooser::Value(subject) => Some(subject),
            _ => None,
        };
        let (unguarded, covers_all) = (Vec::new(), false);
        let compares = clauses.len() <= MOST_COMPARED;
        Choices { tree, bindings, subject, unguarded, covers_all, compares }
    }

    /// Whether a clause with these patterns is never chosen because of those before it.
    pub(crate) fn is_covered(&self, patterns: NodeList) -> bool {
        self.covers_all
            || self.unguarded.iter().any(|&earlier| {
                let pairs = self.tree.list(earlier).iter().zip(self.tree.list(patterns));
                pairs.into_iter().all(|(&general, &special)| {
                    overlap::is_more_general(self.tree, self.bindings, general, special)
                })
            })
    }

    /// Whether a clause before takes all of these arguments.
    pub(crate) fn are_taken(&self, tree: &Module, args: &[NodeId]) -> bool {
        self.unguarded.iter().any(|&patterns| {
            let mut pairs = args.iter().zip(self.tree.list(patterns));
            pairs.all(|(&arg, &pattern)| {
                let (expr, pattern) = ((tree, arg), (self.tree, pattern));
                overlap::always_match(expr, pattern, self.bindings, &|_, _| false)
            })
        })
    }

    /// A clause that may be chosen.
    pub(crate) fn add(&mut self, patterns: NodeList, guards: NodeList) {
        if !is_true(self.tree, guards) {
            return;
        }
        if self.compares {
            self.unguarded.push(patterns);
        }
        self.covers_all |= overlap::match_everything(self.tree, self.bindings, patterns)
            || self.takes_subject(patterns);
    }

    /// Whether what is matched is always matched.
    fn takes_subject(&self, patterns: NodeList) -> bool {
        let (Some(subject), &[pattern]) = (self.subject, self.tree.list(patterns)) else {
            return false;
        };
        let is_same =
            |left, right| overlap::is_same_variable(self.tree, self.bindings, left, right);
        let (expr, pattern) = ((self.tree, subject), (self.tree, pattern));
        overlap::always_match(expr, pattern, self.bindings, &is_same)
    }
}

/// Whether guards are there for nothing.
pub(crate) fn is_true(tree: &Module, guards: NodeList) -> bool {
    let is_true = |guard: &NodeId| match tree.kind(*guard) {
        Kind::Guard { tests } => {
            let mut tests = tree.list(tests).iter();
            tests.all(|&test| tree.kind(test) == Kind::Atom(atom::known::TRUE))
        }
        _ => false,
    };
    guards.is_empty() || tree.list(guards).iter().any(is_true)
}

/// The clauses of an expression or function that are never chosen, by what is written.
pub(crate) fn never_chosen(tree: &Module, bindings: &Bindings, node: NodeId) -> Vec<NodeId> {
    let (chooser, clauses) = match tree.kind(node) {
        Kind::Case { subject, clauses } => (Chooser::Value(subject), clauses),
        Kind::Function { clauses, .. } | Kind::Fun { clauses, .. } => (Chooser::Other, clauses),
        _ => return Vec::new(),
    };
    let clauses = tree.list(clauses);
    let mut choices = Choices::new(tree, bindings, chooser, clauses);
    let mut never = Vec::new();
    for &clause in clauses {
        let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { continue };
        if choices.is_covered(patterns) {
            never.push(clause);
        } else {
            choices.add(patterns, guards);
        }
    }
    never
}

impl Build<'_> {
    /// Whether a clause is never chosen by what is known of the values; `choices` are those before
    /// it.
    pub(crate) fn never_chosen_by(
        &self,
        module: ModuleId,
        chooser: Chooser,
        choices: &Choices<'_>,
        patterns: NodeList,
    ) -> bool {
        self.holds_for(module, chooser, |(caller, args)| {
            let is_taken = || choices.are_taken(&self.flow.modules[caller].tree, args);
            self.never_match_all((caller, args), (module, patterns)) || is_taken()
        })
    }

    /// Whether something holds for all values that clauses are chosen by.
    pub(crate) fn holds_for(
        &self,
        module: ModuleId,
        chooser: Chooser,
        holds: impl Fn((ModuleId, &[NodeId])) -> bool,
    ) -> bool {
        match chooser {
            Chooser::Function(function) => self.holds_for_calls(function, holds),
            Chooser::Value(subject) => holds((module, &[subject])),
            Chooser::Other => false,
        }
    }
}
