//! Expressions: one walk in the order of evaluation makes the nodes of a function and their edges.
//!
//! The walk carries what the current place is control dependent on (`here`) and where exceptions go
//! (`handler`); both change as it goes: behind an expression that may fail where somebody notices,
//! or that waits, everything depends on that it came to its end. A value has edges to the values
//! that it is made of, with a label that says which part of it they are: the elements of a tuple
//! are put in (`Close`), an access takes one out (`Open`), an update leaves all but one as they
//! were (`Except`), arithmetic asks for all of its operands. A use has an edge to each definition
//! that reaches it ([`flow::bindings`]). Patterns, clauses, calls, comprehensions and binaries are
//! in files of their own.
//!
//! What a macro made is one *group*: it is in the slice as a whole or not at all, as its text
//! cannot be taken apart. With the granularity of statements so is each expression of a body.
//!
//! Differences from the thesis: one node for the presence of all expressions of a body (see
//! [`super`]); updates of maps and records tell the field that is written from the others; a fun is
//! a structure with one field, what calling it gives.
//!
//! Cost: linear in the tree, but for maps and records with many fields, where each update has an
//! edge for each field that it names. In doubt there is an edge: keys that are not literals are
//! taken to be any, records of other modules to be anything.

use std::sync::Arc;

use flow::bindings::{Bindings, Occurrence};
use flow::{FunctionId, ModuleId};
use rustc_hash::FxHashMap;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList, RecordName};

use super::build::Build;
use super::exceptions::{Handler, blamed};
use super::fields::{self, BODY, HEAD, TAIL};
use super::nodes::{ModuleNodes, Role};
use super::reachable::Chooser;
use crate::options::Granularity;
use dependence::{EdgeKind, Field, Frame, Label, Node};

/// Walks one function and the funs in it.
#[derive(Debug)]
pub(crate) struct Walker<'b, 'p> {
    pub(crate) build: &'b mut Build<'p>,
    pub(crate) module: ModuleId,
    pub(crate) tree: Arc<Module>,
    pub(crate) bindings: Arc<Bindings>,
    /// The function or fun around the current place.
    pub(crate) function: FunctionId,
    /// What the current place is control dependent on.
    pub(crate) here: Node,
    /// What depends on exceptions at the current place.
    pub(crate) handler: Handler,
    pub(crate) guarded: bool,
    /// How many funs are around the current place, and around each definition.
    depth: u32,
    depths: FxHashMap<NodeId, u32>,
    /// Whether what fails here is false instead: in guards and filters.
    pub(crate) in_guard: bool,
    /// What the pattern that is looked at tests.
    pub(crate) tests: Vec<(Node, Label)>,
    /// What is in the slice as a whole, and whether that is because of a macro.
    group: Option<(Node, bool)>,
}

impl<'b, 'p> Walker<'b, 'p> {
    pub(crate) fn new(build: &'b mut Build<'p>, function: FunctionId) -> Walker<'b, 'p> {
        let module = build.flow.function(function).module;
        let tree = build.flow.modules[module].tree.clone();
        let bindings = build.flow.bindings[module].clone();
        let nodes = build.function(function).clone();
        Walker {
            module,
            tree,
            bindings,
            function,
            here: nodes.entry,
            handler: nodes.handler(),
            guarded: nodes.guarded,
            depth: 0,
            depths: FxHashMap::default(),
            in_guard: false,
            tests: Vec::new(),
            group: None,
            build,
        }
    }

    /// The function itself.
    pub(crate) fn function(&mut self) {
        let function = self.build.flow.function(self.function).clone();
        let outer = self.enter_group(function.node);
        self.function_clauses(self.function, function.node, function.clauses);
        self.group = outer;
    }

    // ---- Nodes and edges ---------------------------------------------------------------------

    pub(crate) fn node(&mut self, node: NodeId, role: Role) -> Node {
        let made = self.build.node(self.module, node, role);
        if let Some((group, _)) = self.group {
            self.build.jump(made, group, EdgeKind::Declaration, Label::All);
            self.build.jump(group, made, EdgeKind::Declaration, Label::All);
        }
        made
    }

    pub(crate) fn between(&mut self, node: NodeId) -> Node {
        self.node(node, Role::Between)
    }

    pub(crate) fn nodes_mut(&mut self) -> &mut ModuleNodes {
        &mut self.build.modules[self.module]
    }

    /// The value of an expression or pattern.
    pub(crate) fn value(&mut self, node: NodeId) -> Node {
        if let Some(value) = self.build.modules[self.module].value(node) {
            return value;
        }
        let value = self.node(node, Role::Value);
        self.nodes_mut().set_value(node, value);
        value
    }

    pub(crate) fn edge(&mut self, from: Node, to: Node, kind: EdgeKind, label: Label) {
        self.build.edge(from, to, kind, label);
    }

    pub(crate) fn framed(
        &mut self,
        from: Node,
        to: Node,
        kind: EdgeKind,
        label: Label,
        frame: Frame,
    ) {
        self.build.framed(from, to, kind, label, frame);
    }

    /// Starts a group at what a macro made; gives back the group around.
    fn enter_group(&mut self, node: NodeId) -> Option<(Node, bool)> {
        let outer = self.group;
        let is_inside = matches!(outer, Some((_, true)));
        if !is_inside && self.build.modules[self.module].is_rigid(node) {
            let group = self.build.node(self.module, node, Role::Between);
            self.group = Some((group, true));
        }
        outer
    }

    // ---- Functions ---------------------------------------------------------------------------

    /// The clauses of a function or fun.
    fn function_clauses(&mut self, id: FunctionId, node: NodeId, clauses: NodeList) {
        let nodes = self.build.function(id).clone();
        let parameters: Vec<Node> = nodes.parameters().collect();
        let found = self.clauses(Chooser::Function(id), clauses, &parameters, None);
        for (index, value) in found.values {
            let result = nodes.clause(index).unwrap_or(nodes.result);
            self.edge(result, value, EdgeKind::Value, Label::Same);
        }
        if self.guarded && !found.covers_all {
            self.here = nodes.entry;
            self.may_fail_with(node, &found.tests, &[]);
        }
        self.edge(nodes.end, nodes.entry, EdgeKind::Control, Label::All);
        for (_, end) in found.ends {
            self.edge(nodes.end, end, EdgeKind::Control, Label::All);
        }
    }

    fn fun(&mut self, node: NodeId, clauses: NodeList) -> Node {
        let value = self.value(node);
        self.edge(value, self.here, EdgeKind::Control, Label::All);
        self.depths.insert(node, self.depth);
        let Some(&id) = self.build.funs.get(&(self.module, node)) else { return value };
        let nodes = self.build.function(id).clone();
        self.build.jump(value, nodes.result, EdgeKind::Value, Label::Close(BODY));
        self.build.jump(nodes.entry, value, EdgeKind::Control, Label::Shape);
        let outer = (self.here, self.handler, self.guarded, self.function);
        (self.here, self.handler, self.guarded) = (nodes.entry, nodes.handler(), nodes.guarded);
        self.function = id;
        self.depth += 1;
        self.function_clauses(id, node, clauses);
        self.depth -= 1;
        (self.here, self.handler, self.guarded, self.function) = outer;
        value
    }

    /// `fun f/1`, `fun m:f/1`.
    fn named_fun(&mut self, node: NodeId) -> Node {
        let value = self.value(node);
        self.edge(value, self.here, EdgeKind::Control, Label::All);
        if let Kind::FunRemote { module, name, arity } = self.tree.kind(node) {
            for part in [module, name, arity] {
                let part = self.expr(part);
                self.edge(value, part, EdgeKind::Value, Label::All);
            }
        }
        let loaded = &self.build.program.modules[self.module.index()];
        let target = loaded.target(node).and_then(|target| target.mfa(loaded.name));
        let function = target.and_then(|(of, name, arity)| self.build.find(of, name, arity));
        if let Some(function) = function {
            let result = self.build.function(function).result;
            self.build.jump(value, result, EdgeKind::Value, Label::Close(BODY));
        }
        value
    }

    // ---- Bodies ------------------------------------------------------------------------------

    /// Expressions one after the other; the value of the last one.
    pub(crate) fn body(&mut self, body: NodeList) -> Option<Node> {
        let mut last = None;
        for &expr in self.tree.clone().list(body) {
            let outer = self.group;
            let is_rigid = matches!(outer, Some((_, true)));
            if self.build.options.granularity == Granularity::Statement && !is_rigid {
                let group = self.build.node(self.module, expr, Role::Between);
                self.group = Some((group, false));
            }
            last = Some(self.expr(expr));
            self.group = outer;
        }
        last
    }

    pub(crate) fn expr(&mut self, node: NodeId) -> Node {
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            let outer = self.enter_group(node);
            let value = self.expr_here(node);
            self.group = outer;
            value
        })
    }

    fn expr_here(&mut self, node: NodeId) -> Node {
        match self.tree.kind(node) {
            Kind::Var(_) => self.variable(node),
            Kind::List { elements, tail } => self.list(node, elements, tail),
            Kind::Tuple { elements } => self.tuple(node, elements),
            Kind::Map { base, fields } => self.map(node, base, fields),
            Kind::Record { base, name, fields } => self.record(node, base, name, fields),
            Kind::RecordAccess { base, name, field } => self.record_access(node, base, name, field),
            Kind::Match { pattern, value } => self.match_with(node, pattern, value),
            Kind::MaybeMatch { pattern, value } => {
                let found = self.match_with(node, pattern, value);
                let test = self.build.modules[self.module].tests.get(&node).copied();
                self.step(node, test.as_slice());
                found
            }
            Kind::BinaryOp { op, left, right } => self.binary(node, op, left, right),
            Kind::Binary { elements } => self.segments(node, elements),
            Kind::Call { callee, args } => self.call(node, callee, args),
            Kind::Catch { body } => self.catch(node, body),
            Kind::Block { body } => {
                let last = self.body(body);
                let value = self.value_here(node);
                if let Some(last) = last {
                    self.edge(value, last, EdgeKind::Value, Label::Same);
                }
                value
            }
            Kind::If { clauses } => self.choice(node, None, clauses),
            Kind::Case { subject, clauses } => self.choice(node, Some(subject), clauses),
            Kind::Receive { clauses, after } => self.receive(node, clauses, after),
            Kind::Try { body, of, catch, after } => self.attempt(node, body, of, catch, after),
            Kind::Maybe { body, else_clauses } => self.maybe(node, body, else_clauses),
            Kind::Fun { clauses, .. } => self.fun(node, clauses),
            Kind::FunName { .. } | Kind::FunRemote { .. } => self.named_fun(node),
            Kind::Comprehension { which, exprs, qualifiers } => {
                self.comprehension(node, which, exprs, qualifiers)
            }
            _ => self.operation(node),
        }
    }

    /// The value of an expression that is evaluated here.
    pub(crate) fn value_here(&mut self, node: NodeId) -> Node {
        let value = self.value(node);
        self.edge(value, self.here, EdgeKind::Control, Label::All);
        value
    }

    /// Anything whose value depends on all of all of its parts. Literals are those without parts.
    fn operation(&mut self, node: NodeId) -> Node {
        let parts = self.tree.children(node);
        let values: Vec<Node> = parts.iter().map(|&part| self.expr(part)).collect();
        let value = self.value_here(node);
        for &part in &values {
            self.edge(value, part, EdgeKind::Value, Label::All);
        }
        if matches!(self.tree.kind(node), Kind::UnaryOp { .. } | Kind::BinaryOp { .. }) {
            self.may_fail(node, &[value]);
        }
        value
    }

    // ---- Variables ---------------------------------------------------------------------------

    fn variable(&mut self, node: NodeId) -> Node {
        let value = self.value_here(node);
        self.uses(node, value);
        value
    }

    /// From a use to the definitions that reach it.
    pub(crate) fn uses(&mut self, node: NodeId, value: Node) {
        let bindings = self.bindings.clone();
        let Occurrence::Use(definitions) = bindings.occurrence(node) else { return };
        for &definition in definitions {
            let defined = self.value(definition);
            let depth = self.depths.get(&definition).copied().unwrap_or(self.depth);
            let frame = if depth == self.depth { Frame::Stay } else { Frame::Jump };
            self.framed(value, defined, EdgeKind::Flow, Label::Same, frame);
        }
    }

    pub(crate) fn defines(&mut self, node: NodeId) {
        self.depths.insert(node, self.depth);
    }

    // ---- Data --------------------------------------------------------------------------------

    fn list(&mut self, node: NodeId, elements: NodeList, tail: Option<NodeId>) -> Node {
        let elements = self.tree.list(elements).to_vec();
        let values: Vec<Node> = elements.iter().map(|&element| self.expr(element)).collect();
        let tail = tail.map(|tail| self.expr(tail));
        let value = self.value_here(node);
        let cells = self.cells(node, value, elements.len(), tail.is_none());
        for (index, &element) in values.iter().enumerate() {
            let cell = cells[index];
            self.edge(cell, element, EdgeKind::Value, Label::Close(HEAD));
            let next = cells.get(index + 1).copied().or(tail);
            if let Some(next) = next {
                self.edge(cell, next, EdgeKind::Value, Label::Close(TAIL));
            }
        }
        value
    }

    /// The cells of a list as written: one for each element, and for its end if that is `[]`.
    pub(crate) fn cells(
        &mut self,
        node: NodeId,
        first: Node,
        elements: usize,
        is_proper: bool,
    ) -> Vec<Node> {
        let mut cells = vec![first];
        for index in 1..elements + usize::from(is_proper) {
            let cell = self.node(node, Role::Cell);
            if index == 1 {
                self.nodes_mut().cells.insert(node, cell);
            }
            cells.push(cell);
        }
        cells
    }

    fn tuple(&mut self, node: NodeId, elements: NodeList) -> Node {
        let elements = self.tree.list(elements).to_vec();
        let values: Vec<Node> = elements.iter().map(|&element| self.expr(element)).collect();
        let value = self.value_here(node);
        for (position, &element) in values.iter().enumerate() {
            let field = fields::element(values.len() as u32, position as u32);
            self.edge(value, element, EdgeKind::Value, Label::Close(field));
        }
        value
    }

    fn map(&mut self, node: NodeId, base: Option<NodeId>, list: NodeList) -> Node {
        let base = base.map(|base| self.expr(base));
        let tree = self.tree.clone();
        let mut parts: Vec<(Node, Node, Field, bool)> = Vec::new();
        for &part in tree.list(list) {
            let Kind::MapField { exact, key, value } = tree.kind(part) else { continue };
            let key_value = self.expr(key);
            let field = self.build.keys.field(&tree, key);
            let value = match base.filter(|_| exact) {
                Some(base) => self.updated(node, base, field, value),
                None => self.expr(value),
            };
            parts.push((key_value, value, field, exact));
        }
        let value = self.value_here(node);
        for &(key, part, field, exact) in &parts {
            self.edge(value, part, EdgeKind::Value, Label::Close(field));
            if field == fields::ANY_KEY {
                self.edge(value, key, EdgeKind::Value, Label::All);
            } else {
                self.edge(part, key, EdgeKind::Declaration, Label::All);
            }
            if let (true, Some(base)) = (exact, base) {
                // `:=` needs the key to be there.
                self.needs_field(node, value, Label::Close(field), base, field);
            }
        }
        if let Some(base) = base {
            let updated = parts.iter().map(|part| part.2).filter(|&field| field != fields::ANY_KEY);
            self.all_but(node, value, base, updated.collect());
            if self.guarded {
                let raise = self.may_fail_with(node, &[], &[(base, Label::All)]);
                self.edge(raise, value, EdgeKind::Exception, Label::Shape);
                self.edge(raise, base, EdgeKind::Exception, Label::Shape);
                if let Some(&(_, part, ..)) = parts.first() {
                    // Without any field it is no update.
                    self.edge(raise, part, EdgeKind::Declaration, Label::Shape);
                }
                for &(_, part, field, _) in parts.iter().filter(|part| part.3) {
                    self.needs_field(node, raise, Label::Same, base, field);
                    self.edge(raise, part, EdgeKind::Exception, Label::Shape);
                }
            }
        }
        value
    }

    /// What is put under a key that is there already. Whatever of it is printed, the key is printed
    /// with it, and has to be there.
    fn updated(&mut self, node: NodeId, base: Node, field: Field, value: NodeId) -> Node {
        let before = self.here;
        let begin = self.step(node, &[]);
        self.needs_field(node, begin, Label::Same, base, field);
        let value = self.expr(value);
        let end = self.here;
        self.join(node, before, &[(begin, end)]);
        value
    }

    /// From a structure to the one that it is an update of: everything but some fields.
    fn all_but(&mut self, node: NodeId, value: Node, base: Node, updated: Vec<Field>) {
        let mut from = value;
        let mut label = Label::Same;
        for field in updated {
            if label != Label::Same {
                let between = self.between(node);
                self.edge(from, between, EdgeKind::Value, label);
                from = between;
            }
            label = Label::Except(field);
        }
        self.edge(from, base, EdgeKind::Value, label);
    }

    /// Whoever follows `through` from `value` needs that `base` has a field, whatever is in it.
    pub(crate) fn needs_field(
        &mut self,
        node: NodeId,
        value: Node,
        through: Label,
        base: Node,
        field: Field,
    ) {
        let asked = self.between(node);
        let hollow = self.between(node);
        self.edge(value, asked, EdgeKind::Declaration, through);
        self.edge(asked, hollow, EdgeKind::Declaration, Label::Shape);
        self.edge(hollow, base, EdgeKind::Declaration, Label::Open(field));
    }

    /// The size of a record with its name, and the position of a field.
    pub(crate) fn record_field(&self, name: RecordName, field: NodeId) -> Option<Field> {
        let record = self.record_definition(name)?;
        let Kind::Atom(field) = self.tree.kind(field) else { return None };
        let position = record.field(field)? as u32 + 1;
        Some(fields::element(record.fields.len() as u32 + 1, position))
    }

    pub(crate) fn record_definition(&self, name: RecordName) -> Option<&'p program::index::Record> {
        let RecordName::Local(name) = name else { return None };
        let Kind::Atom(name) = self.tree.kind(name) else { return None };
        self.build.program.modules[self.module.index()].index.records.get(name)
    }

    fn record(
        &mut self,
        node: NodeId,
        base: Option<NodeId>,
        name: RecordName,
        list: NodeList,
    ) -> Node {
        let base = base.map(|base| self.expr(base));
        let tree = self.tree.clone();
        let size = self.record_definition(name).map(|record| record.fields.len() as u32 + 1);
        let mut updated = Vec::new();
        let mut parts: Vec<(Node, Label)> = Vec::new();
        let mut written: Vec<NodeId> = Vec::new();
        for &part in tree.list(list) {
            let Kind::RecordField { name: field, value } = tree.kind(part) else { continue };
            let value = self.expr(value);
            written.push(field);
            match (self.record_field(name, field), size) {
                (Some(field), _) => {
                    updated.push(field);
                    parts.push((value, Label::Close(field)));
                }
                (None, Some(size)) => parts.push((value, Label::Close(fields::any_element(size)))),
                (None, None) => parts.push((value, Label::All)),
            }
        }
        let value = self.value_here(node);
        for &(part, label) in &parts {
            self.edge(value, part, EdgeKind::Value, label);
        }
        match base {
            Some(base) => {
                self.is_record(node, value, base, size);
                self.all_but(node, value, base, updated);
                let raise = self.may_be_no_record(node, value, base, size);
                if let (Some(raise), Some(&(part, _))) = (raise, parts.first()) {
                    // Without any field it is no update.
                    self.edge(raise, part, EdgeKind::Declaration, Label::Shape);
                }
            }
            None => {
                self.defaults(name, &written, value);
                if size.is_none() && self.guarded {
                    // Another module may define another native record than this one thinks.
                    let raise = self.may_fail_with(node, &[], &[]);
                    self.edge(raise, value, EdgeKind::Exception, Label::Shape);
                }
            }
        }
        value
    }

    /// A record is made with what its definition says; calls in there have to be possible.
    fn defaults(&mut self, name: RecordName, written: &[NodeId], value: Node) {
        let Some(record) = self.record_definition(name) else { return };
        let tree = self.tree.clone();
        let written: Vec<Kind> = written.iter().map(|&field| tree.kind(field)).collect();
        for &(field, definition) in &record.fields {
            let Kind::RecordFieldDef { default: Some(default), .. } = tree.kind(definition) else {
                continue;
            };
            if written.contains(&Kind::Atom(field)) {
                continue;
            }
            let mut calls = Vec::new();
            tree.for_each_below(default, |below| {
                if matches!(tree.kind(below), Kind::Call { .. }) {
                    calls.push(below);
                }
            });
            for call in calls {
                let loaded = &self.build.program.modules[self.module.index()];
                let target = loaded.target(call).and_then(|target| target.mfa(loaded.name));
                let called = target.and_then(|(of, name, arity)| self.build.find(of, name, arity));
                if let Some(called) = called {
                    let nodes = self.build.function(called).clone();
                    self.build.jump(value, nodes.result, EdgeKind::Output, Label::All);
                    self.build.jump(nodes.entry, value, EdgeKind::Call, Label::All);
                }
            }
        }
    }

    /// That a value is a record has to be seen from its name.
    pub(crate) fn is_record(&mut self, node: NodeId, value: Node, of: Node, size: Option<u32>) {
        match size {
            Some(size) => {
                self.needs_field(node, value, Label::Same, of, fields::element(size, 0));
            }
            None => self.edge(value, of, EdgeKind::Value, Label::All),
        }
    }

    fn record_access(
        &mut self,
        node: NodeId,
        base: NodeId,
        name: RecordName,
        field: NodeId,
    ) -> Node {
        let base = self.expr(base);
        let value = self.value_here(node);
        let size = self.record_definition(name).map(|record| record.fields.len() as u32 + 1);
        let label = self.record_field(name, field).map_or(Label::All, Label::Open);
        self.edge(value, base, EdgeKind::Value, label);
        self.is_record(node, value, base, size);
        self.may_be_no_record(node, value, base, size);
        value
    }

    /// Fails if a value is no such record.
    fn may_be_no_record(
        &mut self,
        node: NodeId,
        value: Node,
        base: Node,
        size: Option<u32>,
    ) -> Option<Node> {
        self.guarded.then(|| {
            let raise = self.may_fail_with(node, &[], &[(base, Label::All)]);
            self.edge(raise, value, EdgeKind::Exception, Label::Shape);
            self.edge(raise, base, EdgeKind::Exception, Label::Shape);
            self.is_record(node, raise, base, size);
            raise
        })
    }

    // ---- Operators ---------------------------------------------------------------------------

    fn match_with(&mut self, node: NodeId, pattern: NodeId, value: NodeId) -> Node {
        let from = self.expr(value);
        let test = self.head(node, &[(pattern, from)]);
        if self.guarded {
            self.nodes_mut().guarded.insert(node);
        }
        let value = self.value_here(node);
        self.edge(value, from, EdgeKind::Value, Label::Same);
        if !super::overlap::matches_everything(&self.tree, &self.bindings, pattern) {
            // What does not match is part of the reason.
            if self.guarded {
                self.may_fail_with(node, &[test], &[(from, blamed())]);
            }
        }
        value
    }

    fn binary(&mut self, node: NodeId, op: BinaryOp, left: NodeId, right: NodeId) -> Node {
        match op {
            BinaryOp::Andalso | BinaryOp::Orelse => {
                let first = self.expr(left);
                self.may_fail(node, &[first]);
                let before = self.here;
                let begin = self.step(node, &[first]);
                self.nodes_mut().choices.insert(node, begin);
                let second = self.expr(right);
                let end = self.here;
                self.join(node, before, &[(begin, end)]);
                let value = self.value_here(node);
                self.edge(value, first, EdgeKind::Value, Label::All);
                self.edge(value, second, EdgeKind::Value, Label::Same);
                value
            }
            BinaryOp::Append => {
                let (first, second) = (self.expr(left), self.expr(right));
                let value = self.value_here(node);
                self.append(node, value, first, second);
                if self.guarded {
                    let raise = self.may_fail_with(node, &[], &[]);
                    self.edge(raise, value, EdgeKind::Exception, Label::Shape);
                    self.spine(node, raise, first);
                }
                value
            }
            BinaryOp::Send => {
                let (to, message) = (self.expr(left), self.expr(right));
                let value = self.value_here(node);
                let done = self.effect(node);
                self.edge(done, self.here, EdgeKind::Control, Label::All);
                self.edge(done, to, EdgeKind::Value, Label::All);
                self.build.states.sends(done);
                self.build.states.fills_mailbox(done, Some(message));
                self.edge(value, done, EdgeKind::Value, Label::All);
                self.edge(value, message, EdgeKind::Value, Label::Same);
                if self.guarded {
                    let raise = self.may_fail_with(node, &[done], &[]);
                    self.looks_for_name(node, raise, left);
                }
                value
            }
            _ => self.operation(node),
        }
    }

    /// `A ++ B`: the elements of `A` are where they were; those of `B` are behind any number of
    /// others. How many `A` has decides which is which.
    fn append(&mut self, node: NodeId, value: Node, first: Node, second: Node) {
        self.edge(value, first, EdgeKind::Value, Label::Same);
        self.spine(node, value, first);
        let rest = self.between(node);
        self.edge(value, rest, EdgeKind::Value, Label::Same);
        self.edge(rest, rest, EdgeKind::Value, Label::Close(TAIL));
        self.edge(rest, second, EdgeKind::Value, Label::Same);
    }

    /// How long a list is.
    pub(crate) fn spine(&mut self, node: NodeId, value: Node, list: Node) {
        let cells = self.between(node);
        self.edge(value, cells, EdgeKind::Value, Label::Shape);
        self.edge(cells, cells, EdgeKind::Value, Label::Open(TAIL));
        self.edge(cells, list, EdgeKind::Value, Label::Same);
    }
}
