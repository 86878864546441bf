//! Statements: blocks and who decides where they lead.
//!
//! A jump decides about what follows it in the text (Ball and Horwitz, *Slicing programs with
//! arbitrary control flow*, 1993): its block has the way on that there would be without it as a way
//! that only counts for control dependence.

use atom::Atom;
use dependence::EdgeKind;
use java::tree::{Kind, List, NodeId, NonZeroName};

use super::{Cleanup, Lower, Scope, kinds};
use crate::ir::{Handler, Instr, Part};

impl Lower<'_> {
    pub(super) fn statements(&mut self, list: List) {
        for statement in self.list(list) {
            self.statement(statement);
        }
    }

    pub(super) fn statement(&mut self, node: NodeId) {
        stacker::maybe_grow(128 * 1024, 4 << 20, || self.statement_here(node));
    }

    fn statement_here(&mut self, node: NodeId) {
        let labels = std::mem::take(&mut self.here.labels);
        match self.kind(node) {
            Kind::Block { statements } => {
                self.labelled(labels, |lower| lower.statements(statements));
            }
            Kind::Variables { variables, .. } => {
                for variable in self.list(variables) {
                    self.variable(variable);
                }
            }
            Kind::ExpressionStatement { expression } => {
                self.expr(expression);
            }
            Kind::If { condition, then, otherwise } => {
                self.labelled(labels, |lower| lower.if_statement(condition, then, otherwise));
            }
            Kind::While { condition, body } => self.while_loop(labels, condition, body),
            Kind::Do { body, condition } => self.do_loop(labels, body, condition),
            Kind::For { init, condition, update, body } => {
                self.statements(init);
                self.for_loop(labels, condition, update, body);
            }
            Kind::ForEach { variable, iterable, body } => {
                self.for_each(labels, node, (variable, iterable, body));
            }
            Kind::Labeled { label, statement } => {
                self.here.labels = labels;
                self.here.labels.push(label);
                self.statement(statement);
                self.here.labels.clear();
            }
            Kind::Switch { selector, cases } => self.switch(labels, selector, cases),
            Kind::Synchronized { lock, body } => {
                let value = self.expr(lock);
                let done = self.value(node);
                self.part(done, value);
                self.here(done);
                self.may_throw(done, kinds::NULL, None);
                self.labelled(labels, |lower| lower.statement(body));
            }
            Kind::Try { resources, body, catches, finally } => {
                let resources = self.list(resources);
                let catches = self.list(catches);
                self.labelled(labels, |lower| {
                    lower.try_statement(node, &resources, body, &catches, finally);
                });
            }
            _ => self.simple_statement(node),
        }
    }

    /// Statements without statements in them.
    fn simple_statement(&mut self, node: NodeId) {
        match self.kind(node) {
            Kind::Return { value } => {
                let done = self.value(node);
                if let Some(given) = value {
                    let value = self.expr(given);
                    self.unbox_result(given, done);
                    self.same(done, value);
                }
                self.here(done);
                let result = self.out.bodies[self.here.id].result;
                self.same(result, done);
                self.ways_out(0);
                let exit = self.out.bodies[self.here.id].exit;
                self.jump_to(done, exit);
            }
            Kind::Throw { value } => {
                let done = self.value(node);
                let kinds = self.thrown(value);
                let value = self.expr(value);
                self.same(done, value);
                self.here(done);
                self.throw_to(done, kinds, None);
                let next = self.block();
                let at = self.at();
                at.beyond = Some(next);
                at.branch = Some(done);
                self.here.at = next;
            }
            Kind::Yield { value } => {
                let value = self.expr(value);
                let done = self.value(node);
                self.same(done, value);
                self.yield_value(done, node);
            }
            Kind::Break { label } => self.break_or_continue(node, label, false),
            Kind::Continue { label } => self.break_or_continue(node, label, true),
            Kind::Assert { condition, detail } => {
                let done = self.value(node);
                let test = self.expr(condition);
                self.unbox(condition, done);
                self.part(done, test);
                if let Some(detail) = detail {
                    let detail = self.expr(detail);
                    self.part(done, detail);
                }
                self.here(done);
                self.may_throw(done, kinds::ALL, None);
            }
            Kind::Class(_) => self.local_class(node),
            _ => {}
        }
    }

    /// A statement that a `break` with a label can leave.
    fn labelled(&mut self, labels: Vec<Atom>, inner: impl FnOnce(&mut Self)) {
        if labels.is_empty() {
            return inner(self);
        }
        let after = self.block();
        let target = Scope::Target { labels, is_loop: false, is_switch: false, after, again: None };
        self.here.scopes.push(target);
        inner(self);
        self.here.scopes.pop();
        self.goto(after);
    }

    /// A variable with its value.
    pub(super) fn variable(&mut self, node: NodeId) {
        let Kind::Variable { value, .. } = self.kind(node) else { return };
        let variable = self.value(node);
        self.declare(variable);
        self.here(variable);
        if let Some(value) = value {
            let is_unboxed = self.is_number(node) && self.may_be_boxed(value);
            let value = self.expr(value);
            self.same(variable, value);
            if is_unboxed {
                self.may_throw(variable, kinds::NULL, None);
            }
            self.write(variable, variable);
        }
    }

    fn if_statement(&mut self, condition: NodeId, then: NodeId, otherwise: Option<NodeId>) {
        let (yes, no) = (self.block(), self.block());
        let after = if otherwise.is_some() { self.block() } else { no };
        self.condition(condition, yes, no);
        self.here.at = yes;
        self.statement(then);
        self.leave(after);
        if let Some(otherwise) = otherwise {
            self.here.at = no;
            self.statement(otherwise);
            self.leave(after);
        }
        self.here.at = after;
    }

    fn in_loop(
        &mut self,
        labels: Vec<Atom>,
        after: crate::ir::BlockId,
        again: crate::ir::BlockId,
        body: NodeId,
    ) {
        let again = Some(again);
        self.here.scopes.push(Scope::Target {
            labels,
            is_loop: true,
            is_switch: false,
            after,
            again,
        });
        self.statement(body);
        self.here.scopes.pop();
    }

    fn while_loop(&mut self, labels: Vec<Atom>, condition: NodeId, body: NodeId) {
        let (test, inside, after) = (self.block(), self.block(), self.block());
        self.goto(test);
        self.condition(condition, inside, after);
        self.here.at = inside;
        self.in_loop(labels, after, test, body);
        self.leave(test);
        self.here.at = after;
    }

    fn do_loop(&mut self, labels: Vec<Atom>, body: NodeId, condition: NodeId) {
        let (inside, test, after) = (self.block(), self.block(), self.block());
        self.goto(inside);
        self.in_loop(labels, after, test, body);
        self.goto(test);
        self.condition(condition, inside, after);
        self.here.at = after;
    }

    fn for_loop(
        &mut self,
        labels: Vec<Atom>,
        condition: Option<NodeId>,
        update: List,
        body: NodeId,
    ) {
        let (test, inside) = (self.block(), self.block());
        let (again, after) = (self.block(), self.block());
        self.goto(test);
        match condition {
            Some(condition) => self.condition(condition, inside, after),
            None => self.leave(inside),
        }
        self.here.at = inside;
        self.in_loop(labels, after, again, body);
        self.goto(again);
        self.statements(update);
        self.leave(test);
        self.here.at = after;
    }

    /// The loop as a whole stands for whether there is one more element.
    fn for_each(
        &mut self,
        labels: Vec<Atom>,
        node: NodeId,
        (variable, iterable, body): (NodeId, NodeId, NodeId),
    ) {
        let all = self.expr(iterable);
        let (test, inside, after) = (self.block(), self.block(), self.block());
        let iterator = self.iterator(node, all);
        self.goto(test);
        let more = self.value(node);
        self.part(more, all);
        self.here(more);
        self.instr(Instr::Load { node: more, base: all, part: Part::Length });
        self.instr(Instr::Load { node: more, base: all, part: Part::Content });
        let answer = self.iterate(node, iterator, "hasNext");
        self.part(more, answer);
        self.may_throw(more, kinds::NULL, None);
        self.branch(more, inside, after);
        let element = self.value(variable);
        self.declare(element);
        self.part(element, more);
        self.here(element);
        let found = self.between(variable);
        self.here(found);
        self.part(found, all);
        self.instr(Instr::Load { node: found, base: all, part: Part::Element });
        self.instr(Instr::Load { node: found, base: all, part: Part::Content });
        let next = self.iterate(node, iterator, "next");
        self.same(found, next);
        self.same(element, found);
        if self.is_number(variable) && !self.is_plain_array(iterable) {
            self.may_throw(element, kinds::NULL, None);
        }
        self.write(element, element);
        self.in_loop(labels, after, test, body);
        self.leave(test);
        self.here.at = after;
    }

    // ---- Jumps ---------------------------------------------------------------------------------

    /// Does what `finally` blocks and resources ask for on the way out of all scopes but the first
    /// so many.
    pub(super) fn ways_out(&mut self, keep: usize) {
        let scopes = self.here.scopes.clone();
        while self.here.scopes.len() > keep {
            if let Some(Scope::Finally { block, .. }) = self.here.scopes.pop() {
                self.cleanup(block);
            }
        }
        self.here.scopes = scopes;
    }

    fn cleanup(&mut self, cleanup: Cleanup) {
        match cleanup {
            Cleanup::Block(block) => self.statement(block),
            Cleanup::Close { at, resource } => self.close(at, resource),
        }
    }

    fn break_or_continue(&mut self, node: NodeId, label: Option<NonZeroName>, again: bool) {
        let label = label.map(NonZeroName::name);
        let found = self.here.scopes.iter().rposition(|scope| match scope {
            Scope::Target { labels, is_loop, is_switch, .. } => match label {
                Some(label) => labels.contains(&label),
                None => *is_loop || *is_switch && !again,
            },
            _ => false,
        });
        let done = self.value(node);
        self.here(done);
        let Some(found) = found else { return };
        let Scope::Target { after, again: next, .. } = &self.here.scopes[found] else { return };
        let to = if again { next.unwrap_or(*after) } else { *after };
        self.ways_out(found + 1);
        self.jump_to(done, to);
    }

    fn yield_value(&mut self, done: dependence::Node, _node: NodeId) {
        self.here(done);
        let found = self.here.scopes.iter().rposition(|it| matches!(it, Scope::Yield { .. }));
        let Some(found) = found else { return };
        let Scope::Yield { after, value } = self.here.scopes[found] else { return };
        self.same(value, done);
        self.ways_out(found + 1);
        self.jump_to(done, after);
    }

    // ---- Exceptions ----------------------------------------------------------------------------

    fn try_statement(
        &mut self,
        node: NodeId,
        resources: &[NodeId],
        body: NodeId,
        catches: &[NodeId],
        finally: Option<NodeId>,
    ) {
        let after = self.block();
        let outer = self.here.scopes.len();
        let mut around = None;
        if let Some(finally) = finally {
            around = Some(self.push_cleanup(Cleanup::Block(finally), node));
        }
        let mut handlers = Vec::new();
        for &catch in catches {
            let Kind::Catch { parameter, .. } = self.kind(catch) else { continue };
            let Kind::Parameter { ty: Some(ty), .. } = self.kind(parameter) else { continue };
            let (may, must) = self.caught(ty);
            let block = self.block();
            let caught = self.value(parameter);
            self.declare(caught);
            handlers.push((catch, Handler { block, may, must, caught }));
        }
        if !handlers.is_empty() {
            let all = handlers.iter().map(|(_, handler)| *handler).collect();
            self.here.scopes.push(Scope::Catch(all));
        }
        self.resources(node, resources, body);
        if !handlers.is_empty() {
            self.here.scopes.pop();
        }
        self.end_cleanup(finally, outer, after);
        for (catch, handler) in handlers {
            let Kind::Catch { body, .. } = self.kind(catch) else { continue };
            self.here.at = handler.block;
            self.here(handler.caught);
            self.write(handler.caught, handler.caught);
            self.statement(body);
            self.end_cleanup(finally, outer, after);
        }
        if let (Some(finally), Some(handler)) = (finally, around) {
            self.here.scopes.truncate(outer);
            self.exceptional(handler, Cleanup::Block(finally));
        }
        self.here.at = after;
    }

    /// The end of the body or of a handler of a `try`.
    fn end_cleanup(&mut self, finally: Option<NodeId>, outer: usize, after: crate::ir::BlockId) {
        if let Some(finally) = finally {
            let scopes = self.here.scopes.clone();
            self.here.scopes.truncate(outer);
            self.statement(finally);
            self.here.scopes = scopes;
        }
        self.leave(after);
    }

    fn push_cleanup(&mut self, block: Cleanup, node: NodeId) -> Handler {
        let entered = self.block();
        let caught = self.between(node);
        let handler = Handler { block: entered, may: kinds::ALL, must: kinds::ALL, caught };
        self.here.scopes.push(Scope::Finally { block, handler });
        handler
    }

    /// What is done when something is thrown, and then it is thrown again.
    fn exceptional(&mut self, handler: Handler, cleanup: Cleanup) {
        self.here.at = handler.block;
        self.here(handler.caught);
        self.cleanup(cleanup);
        self.throw_to(handler.caught, kinds::ALL, None);
    }

    /// The resources of a `try`, from this one on, and its body.
    fn resources(&mut self, node: NodeId, resources: &[NodeId], body: NodeId) {
        let Some((&first, rest)) = resources.split_first() else {
            return self.statement(body);
        };
        let (at, resource) = match self.kind(first) {
            Kind::Variables { variables, .. } => {
                self.statement(first);
                let declared = self.list(variables).first().copied().unwrap_or(first);
                (declared, self.value(declared))
            }
            _ => (first, self.expr(first)),
        };
        let outer = self.here.scopes.len();
        let cleanup = Cleanup::Close { at, resource };
        let handler = self.push_cleanup(cleanup, node);
        self.resources(node, rest, body);
        self.here.scopes.truncate(outer);
        self.cleanup(cleanup);
        let after = self.block();
        self.leave(after);
        self.exceptional(handler, cleanup);
        self.here.at = after;
    }

    // ---- Conditions ----------------------------------------------------------------------------

    /// Evaluates a condition, and leads to one of two blocks.
    pub(super) fn condition(
        &mut self,
        node: NodeId,
        yes: crate::ir::BlockId,
        no: crate::ir::BlockId,
    ) {
        let value = self.expr(node);
        self.unbox(node, value);
        self.branch(value, yes, no);
    }

    // ---- Switches ------------------------------------------------------------------------------

    fn switch(&mut self, labels: Vec<Atom>, selector: NodeId, cases: List) {
        let selected = self.expr(selector);
        self.may_throw(selected, kinds::NULL, None);
        let after = self.block();
        let target = Scope::Target { labels, is_loop: false, is_switch: true, after, again: None };
        self.here.scopes.push(target);
        self.cases(selected, cases, after, None);
        self.here.scopes.pop();
        self.here.at = after;
    }

    /// The cases: tests one after the other, the default last.
    pub(super) fn cases(
        &mut self,
        selected: dependence::Node,
        cases: List,
        after: crate::ir::BlockId,
        value: Option<dependence::Node>,
    ) {
        let cases = self.list(cases);
        let blocks: Vec<_> = cases.iter().map(|_| self.block()).collect();
        let mut default = None;
        for (index, &case) in cases.iter().enumerate() {
            let Kind::Case { labels, guard, .. } = self.kind(case) else { continue };
            let labels = self.list(labels);
            let is_default = |&label: &NodeId| matches!(self.kind(label), Kind::DefaultLabel);
            if labels.is_empty() || labels.iter().any(is_default) {
                default = Some(blocks[index]);
            }
            let tests: Vec<NodeId> =
                labels.iter().copied().filter(|label| !is_default(label)).collect();
            if tests.is_empty() {
                // That it is there counts, too.
                let chosen = self.value(case);
                self.part(chosen, selected);
                self.here(chosen);
                continue;
            }
            let chosen = self.value(case);
            self.part(chosen, selected);
            self.here(chosen);
            for label in tests {
                let tested = self.label(label, selected);
                self.part(chosen, tested);
            }
            let next = self.block();
            match guard {
                None => self.branch(chosen, blocks[index], next),
                Some(guard) => {
                    let guarded = self.block();
                    self.branch(chosen, guarded, next);
                    let value = self.expr(guard);
                    self.unbox(guard, value);
                    self.edge(value, chosen, EdgeKind::Control);
                    self.branch(value, blocks[index], next);
                }
            }
            self.here.at = next;
        }
        self.leave(default.unwrap_or(after));
        for (index, &case) in cases.iter().enumerate() {
            let Kind::Case { body, is_rule, .. } = self.kind(case) else { continue };
            self.here.at = blocks[index];
            self.case_body(&self.list(body), is_rule, value);
            let next = blocks.get(index + 1).copied().filter(|_| !is_rule);
            self.leave(next.unwrap_or(after));
        }
    }

    fn case_body(&mut self, body: &[NodeId], is_rule: bool, value: Option<dependence::Node>) {
        for &part in body {
            let is_statement = matches!(
                self.kind(part),
                Kind::Block { .. } | Kind::Throw { .. } | Kind::ExpressionStatement { .. }
            );
            match value {
                Some(value) if is_rule && !is_statement => {
                    let result = self.expr(part);
                    self.same(value, result);
                }
                Some(value) if is_rule => {
                    if let Kind::ExpressionStatement { expression } = self.kind(part) {
                        let result = self.expr(expression);
                        self.same(value, result);
                    } else {
                        self.statement(part);
                    }
                }
                _ => self.statement(part),
            }
        }
    }
}
