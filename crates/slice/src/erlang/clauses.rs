//! Clauses and what chooses between them: functions, `case`, `if`, `receive`, `try`, `maybe`.
//!
//! A body is control dependent on the test of its own clause, and on those of the clauses before it
//! that could match the same value. A clause that is never chosen ([`super::reachable`]) has no
//! nodes. Where there is only one, and nobody notices that it is not chosen, its body does not
//! depend on its test.

use syntax::ast::{Kind, NodeId, NodeList, ReceiveAfter};

use super::exceptions::{Handler, blamed};
use super::expressions::Walker;
use super::nodes::Role;
use super::overlap;
use super::reachable::{self, Choices, Chooser, MOST_COMPARED};
use dependence::{EdgeKind, Label, Node};

/// What was found in clauses.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    /// The values of the bodies, by number of the clause.
    pub(crate) values: Vec<(usize, Node)>,
    pub(crate) tests: Vec<Node>,
    /// Where each body begins and ends.
    pub(crate) ends: Vec<(Node, Node)>,
    /// Whether one of them is always chosen.
    pub(crate) covers_all: bool,
}

impl Walker<'_, '_> {
    /// Clauses whose patterns are matched with `sources`. With `by`, choosing is done by that node.
    pub(crate) fn clauses(
        &mut self,
        chooser: Chooser,
        clauses: NodeList,
        sources: &[Node],
        by: Option<Node>,
    ) -> Clauses {
        let tree = self.tree.clone();
        let before = self.here;
        let mut found = Clauses::default();
        let clauses = tree.list(clauses);
        let compare = clauses.len() <= MOST_COMPARED;
        let mut earlier: Vec<(NodeList, Node)> = Vec::new();
        let mut all_earlier: Option<Node> = None;
        let (chosen, covers_all) = self.reachable(chooser, clauses);
        found.covers_all = covers_all;
        // Whether it goes on at all may be nobody's business.
        let is_unseen = chosen.len() == 1 && by.is_none() && !self.is_choice_seen(chooser);
        for (index, clause) in chosen {
            let Kind::Clause { patterns, guards, body } = tree.kind(clause) else { continue };
            self.here = before;
            let heads: Vec<(NodeId, Node)> =
                tree.list(patterns).iter().copied().zip(sources.iter().copied()).collect();
            let test = self.head(clause, &heads);
            self.guards(guards, test);
            let choice = self.node(clause, Role::Control);
            self.nodes_mut().choices.insert(clause, choice);
            self.edge(choice, by.unwrap_or(before), EdgeKind::Control, Label::All);
            if !is_unseen {
                self.edge(choice, test, EdgeKind::Control, Label::All);
            }
            if self.never_passes(chooser, patterns, guards) {
                // Its variables have values, and nobody hears of them.
                self.here = choice;
                self.body(body);
                continue;
            }
            if compare {
                for &(other, test) in &earlier {
                    if !self.lists_disjoint(other, patterns) {
                        self.edge(choice, test, EdgeKind::Control, Label::All);
                    }
                }
                earlier.push((patterns, test));
            } else {
                let joined = self.between(clause);
                self.edge(joined, test, EdgeKind::Control, Label::All);
                if let Some(others) = all_earlier.replace(joined) {
                    self.edge(choice, others, EdgeKind::Control, Label::All);
                    self.edge(joined, others, EdgeKind::Control, Label::All);
                }
            }
            self.here = choice;
            found.values.extend(self.body(body).map(|value| (index, value)));
            found.ends.push((choice, self.here));
            found.tests.push(test);
        }
        self.here = before;
        found
    }

    /// The clauses that may be chosen, by their numbers, and whether one of them always is; the
    /// others are noted.
    fn reachable(&mut self, chooser: Chooser, clauses: &[NodeId]) -> (Vec<(usize, NodeId)>, bool) {
        let (tree, bindings) = (self.tree.clone(), self.bindings.clone());
        let mut choices = Choices::new(&tree, &bindings, chooser, clauses);
        let mut chosen = Vec::new();
        for (index, &clause) in clauses.iter().enumerate() {
            let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { continue };
            let is_never_chosen = || {
                choices.is_covered(patterns)
                    || self.build.never_chosen_by(self.module, chooser, &choices, patterns)
            };
            if self.build.options.clause_reachability && is_never_chosen() {
                self.nodes_mut().unreachable.insert(clause);
            } else {
                chosen.push((index, clause));
                choices.add(patterns, guards);
            }
        }
        (chosen, choices.covers_all)
    }

    /// Whether it matters that a clause which is the only one is chosen: else there is an
    /// exception. What calls itself may come to its end that way.
    fn is_choice_seen(&self, chooser: Chooser) -> bool {
        self.guarded || chooser == Chooser::Other || self.build.function(self.function).is_recursive
    }

    fn lists_disjoint(&self, left: NodeList, right: NodeList) -> bool {
        let (left, right) = (self.tree.list(left), self.tree.list(right));
        left.iter().zip(right).any(|(&left, &right)| overlap::are_disjoint(&self.tree, left, right))
    }

    /// Whether the guard says of a variable that it has a type that it never has.
    fn never_passes(&self, chooser: Chooser, patterns: NodeList, guards: NodeList) -> bool {
        let clause = (self.module, patterns, guards);
        self.build.options.clause_reachability
            && !guards.is_empty()
            && self
                .build
                .holds_for(self.module, chooser, |args| self.build.never_passes(args, clause))
    }

    fn is_always_chosen(&self, patterns: NodeList, guards: NodeList) -> bool {
        reachable::is_true(&self.tree, guards)
            && overlap::match_everything(&self.tree, &self.bindings, patterns)
    }

    /// A guard belongs to the test of its clause. That it fails is no exception.
    fn guards(&mut self, guards: NodeList, test: Node) {
        let outer = (self.guarded, self.in_guard);
        (self.guarded, self.in_guard) = (false, true);
        let tree = self.tree.clone();
        for &guard in tree.list(guards) {
            let Kind::Guard { tests } = tree.kind(guard) else { continue };
            for &expr in tree.list(tests) {
                let value = self.expr(expr);
                self.edge(test, value, EdgeKind::Value, Label::All);
            }
        }
        (self.guarded, self.in_guard) = outer;
    }

    /// `case` and `if`.
    pub(crate) fn choice(
        &mut self,
        node: NodeId,
        subject: Option<NodeId>,
        clauses: NodeList,
    ) -> Node {
        let chooser = subject.map_or(Chooser::Other, Chooser::Value);
        let subject: Vec<Node> = subject.into_iter().map(|subject| self.expr(subject)).collect();
        let before = self.here;
        let found = self.clauses(chooser, clauses, &subject, None);
        self.join(node, before, &found.ends);
        if !found.covers_all {
            self.may_take_none(node, &found, &subject);
        }
        let value = self.value_here(node);
        for (_, part) in found.values {
            self.edge(value, part, EdgeKind::Value, Label::Same);
        }
        value
    }

    /// Fails if no clause is chosen; what none takes is part of the reason.
    fn may_take_none(&mut self, node: NodeId, found: &Clauses, subject: &[Node]) {
        if self.guarded {
            let reasons: Vec<_> = subject.iter().map(|&subject| (subject, blamed())).collect();
            self.may_fail_with(node, &found.tests, &reasons);
        }
    }

    pub(crate) fn receive(
        &mut self,
        node: NodeId,
        clauses: NodeList,
        after: Option<ReceiveAfter>,
    ) -> Node {
        let timeout = after.map(|after| self.expr(after.timeout));
        let before = self.here;
        let done = self.effect(node);
        self.edge(done, before, EdgeKind::Control, Label::All);
        self.build.states.receives(done);
        self.build.states.fills_mailbox(done, None);
        let mailbox = self.between(node);
        if self.build.has_io_servers {
            self.build.states.prints_to(mailbox);
        }
        self.build.mailboxes.insert((self.module, node), mailbox);
        self.edge(mailbox, done, EdgeKind::Control, Label::All);
        let mut found = self.clauses(Chooser::Other, clauses, &[mailbox], Some(done));
        // Which message is taken depends on the heads of all clauses.
        for &test in &found.tests {
            self.edge(done, test, EdgeKind::Control, Label::All);
        }
        if let (Some(after), Some(timeout)) = (after, timeout) {
            self.edge(done, timeout, EdgeKind::Value, Label::All);
            self.here = before;
            let choice = self.step(node, &[done]);
            self.nodes_mut().choices.insert(after.timeout, choice);
            found.values.extend(self.body(after.body).map(|value| (usize::MAX, value)));
            found.ends.push((choice, self.here));
        }
        self.join(node, before, &found.ends);
        self.step(node, &[done]);
        self.may_be_ended(done);
        let value = self.value_here(node);
        self.edge(value, done, EdgeKind::Control, Label::All);
        for (_, part) in found.values {
            self.edge(value, part, EdgeKind::Value, Label::Same);
        }
        value
    }

    /// `catch Expr`.
    pub(crate) fn catch(&mut self, node: NodeId, body: NodeId) -> Node {
        let handler = self.new_handler(node);
        let before = self.here;
        let outer = (self.handler, self.guarded);
        (self.handler, self.guarded) = (handler, self.counts_failures());
        let result = self.expr(body);
        let end = self.here;
        (self.handler, self.guarded) = outer;
        self.after_attempt(node, before, &[(before, end)], &[body], handler);
        let value = self.value_here(node);
        self.edge(value, result, EdgeKind::Value, Label::Same);
        self.edge(value, handler.reason, EdgeKind::Exception, Label::All);
        value
    }

    /// `try`.
    pub(crate) fn attempt(
        &mut self,
        node: NodeId,
        body: NodeList,
        of: NodeList,
        catch: NodeList,
        after: NodeList,
    ) -> Node {
        let tree = self.tree.clone();
        let before = self.here;
        let handler = self.new_handler(node);
        let outer = (self.handler, self.guarded);
        if !catch.is_empty() {
            (self.handler, self.guarded) = (handler, self.counts_failures());
        }
        let mut result = self.body(body);
        (self.handler, self.guarded) = outer;
        let mut ends = vec![(before, self.here)];
        let mut results = Vec::new();
        if !of.is_empty() {
            let sources: Vec<Node> = result.take().into_iter().collect();
            let found = self.clauses(Chooser::Other, of, &sources, None);
            if !found.covers_all {
                // No handler of this `try` takes that; what follows does not happen then.
                self.may_take_none(node, &found, &sources);
                ends.push((before, self.here));
            }
            results.extend(found.values.into_iter().map(|(_, value)| value));
            ends.extend(found.ends);
        }
        results.extend(result);
        self.here = before;
        let catch_end = self.handlers(node, catch, handler);
        ends.extend(&catch_end.ends);
        results.extend(catch_end.values.iter().map(|&(_, value)| value));
        let escapes = !catch.is_empty() && !catch_end.covers_all && outer.1;
        if escapes {
            self.edge(outer.0.raised, handler.raised, EdgeKind::Exception, Label::All);
            self.edge(outer.0.reason, handler.reason, EdgeKind::Exception, Label::Same);
            for &test in &catch_end.tests {
                self.edge(outer.0.raised, test, EdgeKind::Exception, Label::All);
            }
        }
        let mut insides: Vec<NodeId> = tree.list(body).to_vec();
        insides.extend(tree.list(of).iter().chain(tree.list(catch)));
        self.here = before;
        if !after.is_empty() && self.may_wait(&insides) {
            // What it does is done when the rest is over, whatever came of that.
            self.after_attempt(node, before, &ends, &insides, handler);
        }
        self.body(after);
        ends.push((before, self.here));
        insides.extend(tree.list(after));
        self.after_attempt(node, before, &ends, &insides, handler);
        if escapes {
            // What follows happens if a handler takes what was raised.
            self.step(node, &catch_end.tests);
        }
        let value = self.value_here(node);
        for part in results {
            self.edge(value, part, EdgeKind::Value, Label::Same);
        }
        value
    }

    /// The `catch` clauses of a `try`.
    fn handlers(
        &mut self,
        node: NodeId,
        catch: NodeList,
        Handler { raised, reason }: Handler,
    ) -> Clauses {
        let tree = self.tree.clone();
        let before = self.here;
        let mut found = Clauses::default();
        for &clause in tree.list(catch) {
            let Kind::Clause { patterns, guards, body } = tree.kind(clause) else { continue };
            self.here = before;
            let mut heads = Vec::new();
            for &pattern in tree.list(patterns) {
                let Kind::CatchPattern { class, reason: says, stacktrace } = tree.kind(pattern)
                else {
                    continue;
                };
                heads.extend(class.map(|class| (class, raised)));
                heads.push((says, reason));
                if let Some(stacktrace) = stacktrace {
                    let whole = self.between(node);
                    self.edge(whole, reason, EdgeKind::Exception, Label::All);
                    heads.push((stacktrace, whole));
                }
            }
            let test = self.head(clause, &heads);
            self.edge(test, raised, EdgeKind::Exception, Label::All);
            self.guards(guards, test);
            let choice = self.node(clause, Role::Control);
            self.nodes_mut().choices.insert(clause, choice);
            self.edge(choice, test, EdgeKind::Control, Label::All);
            for &earlier in &found.tests {
                self.edge(choice, earlier, EdgeKind::Control, Label::All);
            }
            found.tests.push(test);
            self.here = choice;
            found.values.extend(self.body(body).map(|value| (0, value)));
            found.ends.push((choice, self.here));
            found.covers_all |= self.is_always_chosen(patterns, guards);
        }
        found
    }

    /// After a `try` or `catch` everything goes on, whatever failed inside, unless exceptions leave
    /// it where somebody notices, or something inside waits.
    fn after_attempt(
        &mut self,
        node: NodeId,
        before: Node,
        ends: &[(Node, Node)],
        insides: &[NodeId],
        handler: Handler,
    ) {
        self.here = before;
        if self.guarded || self.may_wait(insides) {
            self.join(node, before, ends);
        }
        if self.here != before {
            // In a run in which something fails it is what comes before that, and not the end of
            // the body.
            self.edge(self.here, handler.raised, EdgeKind::Exception, Label::All);
        }
    }

    pub(crate) fn may_wait(&self, insides: &[NodeId]) -> bool {
        let mut found = false;
        for &inside in insides {
            self.tree.for_each_below(inside, |node| match self.tree.kind(node) {
                Kind::Receive { .. } => found = true,
                Kind::Call { .. } => {
                    let waits = |targets: &super::nodes::Targets| {
                        let mut all = targets.called.iter().chain(&targets.called_back);
                        all.any(|&target| self.build.function(target).waits)
                    };
                    found |= self.build.targets.get(&(self.module, node)).is_some_and(waits);
                    found |= super::effects::waits(self.build, self.module, node);
                }
                _ => {}
            });
        }
        found
    }

    /// `maybe`: printed as a whole, so only what it depends on counts.
    pub(crate) fn maybe(
        &mut self,
        node: NodeId,
        body: NodeList,
        else_clauses: Option<NodeList>,
    ) -> Node {
        let before = self.here;
        let last = self.body(body);
        let end = self.here;
        let value = self.value(node);
        if let Some(last) = last {
            self.edge(value, last, EdgeKind::Value, Label::Same);
        }
        let tree = self.tree.clone();
        for &expr in tree.list(body) {
            if let Kind::MaybeMatch { value: from, .. } = tree.kind(expr) {
                let from = self.value(from);
                self.edge(value, from, EdgeKind::Value, Label::All);
            }
        }
        let mut ends = vec![(before, end)];
        if let Some(clauses) = else_clauses {
            self.here = before;
            let found = self.clauses(Chooser::Other, clauses, &[value], None);
            for (_, part) in found.values {
                self.edge(value, part, EdgeKind::Value, Label::Same);
            }
            ends.extend(found.ends);
        }
        self.join(node, before, &ends);
        self.edge(value, self.here, EdgeKind::Control, Label::All);
        value
    }
}
