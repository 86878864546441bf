//! From code to constraints: clauses, and what catches exceptions.
//!
//! All clauses look at the same value, and the value of a construct is that of any clause: which is
//! chosen is not looked at, but for callbacks ([`crate::callbacks`]), and guards narrow variables
//! ([`crate::narrowing`]). A handler has a variable for the reasons of each class; they wait there
//! for their part of an iteration. What its clauses do not take whole goes on to the handler
//! around it.

use atom::{Atom, known};
use syntax::ast::{Kind, Module, NodeId, NodeList};

use crate::bindings::{Bindings, Occurrence};
use crate::constraints::{ERROR, EXIT, Handler, HandlerId, PerClass, THROW};
use crate::generate::Generator;
use crate::values::{Hold, NOWHERE, UNKNOWN, Value, VarId};

impl Generator<'_, '_> {
    /// Clauses that look at a value; the value of the clause that is taken.
    pub(crate) fn clauses(&mut self, clauses: NodeList, subject: VarId) -> VarId {
        let result = self.a.fresh();
        self.clauses_into(clauses, subject, result);
        result
    }

    pub(crate) fn clauses_into(&mut self, clauses: NodeList, subject: VarId, result: VarId) {
        if self.lets_sleep {
            return self.let_sleep(clauses, vec![subject], result);
        }
        let tree = self.tree.clone();
        for &clause in tree.list(clauses) {
            self.clause(clause, &[subject], result);
        }
    }

    fn new_handler(
        &mut self,
        node: NodeId,
        catches_all: [bool; 3],
    ) -> (Option<HandlerId>, PerClass) {
        let vars = [(); 3].map(|()| self.a.solution.fresh_held(Hold::Throws));
        let handler = Handler { body: self.body, node, outer: self.handler, catches_all };
        let id = self.a.constraints.handlers.push(handler);
        // Errors that nobody raises explicitly: a match that fails, a builtin that is misused.
        self.a.insert(vars[ERROR], UNKNOWN);
        for class in [THROW, ERROR, EXIT] {
            if !catches_all[class] {
                self.a.include(vars[class], self.raises[class]);
            }
        }
        (Some(id), vars)
    }

    pub(crate) fn catch(&mut self, node: NodeId, body: NodeId) -> VarId {
        let (handler, vars) = self.new_handler(node, [true; 3]);
        let outer = (self.handler, self.raises);
        (self.handler, self.raises) = (handler, vars);
        let value = self.expr(body);
        (self.handler, self.raises) = outer;
        let result = self.a.fresh();
        self.a.include(value, result);
        self.a.include(vars[THROW], result);
        let tag = self.a.atom(known::EXIT);
        let stack = self.a.constant(UNKNOWN);
        let error = self.a.tuple_of(&[vars[ERROR], stack]);
        for reason in [error, vars[EXIT]] {
            let exit = self.a.tuple_of(&[tag, reason]);
            self.a.include(exit, result);
        }
        result
    }

    pub(crate) fn try_expr(&mut self, node: NodeId, parts: [NodeList; 4]) -> VarId {
        let [body, of, catch, after] = parts;
        let tree = self.tree.clone();
        let catches_all = self.catches_all(catch);
        let (handler, vars) = self.new_handler(node, catches_all);
        let outer = (self.handler, self.raises);
        (self.handler, self.raises) = (handler, vars);
        let value = self.body(body);
        (self.handler, self.raises) = outer;
        let result = self.a.fresh();
        if of.is_empty() {
            self.a.include(value, result);
        } else {
            self.clauses_into(of, value, result);
        }
        for &clause in tree.list(catch) {
            let Kind::Clause { patterns, body, .. } = tree.kind(clause) else { continue };
            if let Some(&pattern) = tree.list(patterns).first() {
                self.catch_pattern(pattern, vars);
            }
            let value = self.body(body);
            self.a.include(value, result);
        }
        self.body(after);
        result
    }

    fn catch_pattern(&mut self, pattern: NodeId, vars: PerClass) {
        let Kind::CatchPattern { class, reason, stacktrace } = self.tree.kind(pattern) else {
            return;
        };
        let classes = self.classes(class);
        let input = self.a.fresh();
        for &class in &classes {
            self.a.include(vars[class], input);
        }
        self.pattern(reason, input);
        if let Some(class) = class {
            let names = self.a.fresh();
            for &class in &classes {
                let name = Atom::new(["throw", "error", "exit"][class]);
                let name = self.a.number(Value::Atom(name));
                self.a.insert(names, name);
            }
            self.pattern(class, names);
        }
        if let Some(stacktrace) = stacktrace {
            let unknown = self.a.constant(UNKNOWN);
            self.pattern(stacktrace, unknown);
        }
    }

    /// The classes that a class pattern may match.
    fn classes(&self, class: Option<NodeId>) -> Vec<usize> {
        class_of(&self.tree, class)
    }

    fn catches_all(&self, clauses: NodeList) -> [bool; 3] {
        caught_whole(&self.tree, &self.bindings, clauses)
    }

    pub(crate) fn maybe(&mut self, body: NodeList, else_clauses: Option<NodeList>) -> VarId {
        let tree = self.tree.clone();
        let result = self.a.fresh();
        let failed = self.a.fresh();
        let mut last = NOWHERE;
        for &node in tree.list(body) {
            last = self.expr(node);
            if matches!(tree.kind(node), Kind::MaybeMatch { .. }) {
                self.a.include(last, failed);
            }
        }
        self.a.include(last, result);
        match else_clauses {
            Some(clauses) => self.clauses_into(clauses, failed, result),
            None => self.a.include(failed, result),
        }
        result
    }
}

/// The classes that a class pattern may match.
pub(crate) fn class_of(tree: &Module, class: Option<NodeId>) -> Vec<usize> {
    let Some(class) = class else { return vec![THROW] };
    match tree.kind(class) {
        Kind::Atom(known::THROW) => vec![THROW],
        Kind::Atom(name) if name.as_str() == "error" => vec![ERROR],
        Kind::Atom(name) if name.as_str() == "exit" => vec![EXIT],
        Kind::Atom(_) => Vec::new(),
        _ => vec![THROW, ERROR, EXIT],
    }
}

/// The classes that the clauses of a `catch` let nothing of through.
pub(crate) fn caught_whole(tree: &Module, bindings: &Bindings, clauses: NodeList) -> [bool; 3] {
    let mut all = [false; 3];
    for &clause in tree.list(clauses) {
        let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { continue };
        let Some(&pattern) = tree.list(patterns).first() else { continue };
        let Kind::CatchPattern { class, reason, .. } = tree.kind(pattern) else { continue };
        let is_free = |node: NodeId| {
            matches!(tree.kind(node), Kind::Var(_))
                && !matches!(bindings.occurrence(node), Occurrence::Use(_))
        };
        let class_is_free =
            class.is_none_or(|class| is_free(class) || matches!(tree.kind(class), Kind::Atom(_)));
        if guards.is_empty() && is_free(reason) && class_is_free {
            class_of(tree, class).into_iter().for_each(|class| all[class] = true);
        }
    }
    all
}
