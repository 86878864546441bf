//! From code to constraints: expressions.
//!
//! One walk over a body that was reached. Each expression has a variable that holds its possible
//! values; where an expression only hands a value on, the variables are the same.
//!
//! Not looked into: guards (what they test does not narrow what flows), arithmetic (a number is a
//! number), the contents of binaries.

use std::sync::Arc;

use atom::{Atom, known};
use program::resolve::{self, Target};
use syntax::ast::{
    BinaryOp, ComprehensionKind, GeneratorKind, Kind, Module, NodeId, NodeList, RecordName,
    SigilKind, UnaryOp,
};
use syntax::token::Literal;

use crate::analysis::*;
use crate::bindings::{Bindings, Occurrence};
use crate::def_use::Built;
use crate::values::*;

/// Longer lists are one cell with all elements.
const LONGEST_LIST: usize = 16;

/// The name of a record's field, and its default.
pub(crate) type RecordField = (Atom, Option<NodeId>);

pub(crate) struct Generator<'a, 'p> {
    pub(crate) a: &'a mut Analysis<'p>,
    pub(crate) body: u32,
    pub(crate) instance: u32,
    pub(crate) module: u32,
    pub(crate) tree: Arc<Module>,
    pub(crate) bindings: Arc<Bindings>,
    pub(crate) is_model: bool,
    /// The innermost handler, and where exceptions go.
    pub(crate) handler: u32,
    pub(crate) raises: PerClass,
}

impl Analysis<'_> {
    /// Generates the code of a body.
    pub(crate) fn generate(&mut self, body: u32) {
        let Body { function, instance, result, raises, .. } = self.bodies[body as usize];
        let params = self.bodies[body as usize].params.clone();
        let function = self.sources.function(function);
        let (module, clauses) = (function.module, function.clauses);
        let source = self.sources.source(module);
        let (tree, bindings) = (source.tree.clone(), source.bindings.clone());
        let is_model = source.is_model;
        let mut generator = Generator {
            a: self,
            body,
            instance,
            module,
            tree: tree.clone(),
            bindings,
            is_model,
            handler: NO_HANDLER,
            raises,
        };
        for &clause in tree.list(clauses) {
            let Kind::Clause { patterns, body, .. } = tree.kind(clause) else { continue };
            for (&pattern, &param) in tree.list(patterns).iter().zip(&params) {
                generator.pattern(pattern, param);
            }
            let value = generator.body(body);
            generator.a.include(value, result);
        }
    }
}

impl Generator<'_, '_> {
    /// The variable of a node.
    pub(crate) fn var_at(&mut self, node: NodeId) -> VarId {
        let first = self.a.instances[self.instance as usize].first;
        let Some(place) = node.0.checked_sub(first).map(|place| place as usize) else {
            return self.a.fresh();
        };
        match self.a.instances[self.instance as usize].vars.get(place) {
            Some(&NOWHERE) => {
                let var = self.a.fresh();
                self.a.instances[self.instance as usize].vars[place] = var;
                var
            }
            Some(&var) => var,
            None => self.a.fresh(),
        }
    }

    /// Makes a variable that of a node.
    fn set(&mut self, node: NodeId, var: VarId) {
        let instance = &mut self.a.instances[self.instance as usize];
        let place = node.0.checked_sub(instance.first).map(|place| place as usize);
        if let Some(slot) = place.and_then(|place| instance.vars.get_mut(place)) {
            *slot = var;
        }
    }

    /// A sequence: the value of the last.
    pub(crate) fn body(&mut self, body: NodeList) -> VarId {
        let tree = self.tree.clone();
        tree.list(body).iter().fold(NOWHERE, |_, &node| self.expr(node))
    }

    pub(crate) fn exprs(&mut self, list: NodeList) -> Vec<VarId> {
        let tree = self.tree.clone();
        tree.list(list).iter().map(|&node| self.expr(node)).collect()
    }

    pub(crate) fn expr(&mut self, node: NodeId) -> VarId {
        let var = stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_here(node));
        self.set(node, var);
        var
    }

    /// The value of a literal, if a node is one that tells values apart.
    pub(crate) fn literal(&mut self, node: NodeId) -> Option<ValueId> {
        let value = match self.tree.kind(node) {
            Kind::Atom(name) => Value::Atom(name),
            Kind::Char(code) => Value::Int(code.into()),
            Kind::Nil => Value::Nil,
            Kind::Integer(literal) => match self.tree.literal(literal) {
                Literal::Integer(value) => Value::Int(i64::try_from(value).ok()?),
                _ => return None,
            },
            Kind::UnaryOp { op: UnaryOp::Minus, operand } => {
                let value = self.literal(operand)?;
                match self.a.values.get(value) {
                    Value::Int(value) => Value::Int(value.checked_neg()?),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(self.a.values.number(value))
    }

    fn expr_here(&mut self, node: NodeId) -> VarId {
        if let Some(value) = self.literal(node) {
            return self.a.constant(value);
        }
        let tree = self.tree.clone();
        match tree.kind(node) {
            Kind::Var(_) => self.variable(node),
            Kind::Integer(_) | Kind::Float(_) => self.a.constant(NUMBER),
            Kind::String(text) => self.string(text),
            Kind::Sigil { which: SigilKind::Binary, .. } => self.a.constant(BINARY),
            Kind::Sigil { which: SigilKind::String, text } => self.string(text),
            Kind::List { elements, tail } => {
                let heads = self.exprs(elements);
                let rest = match tail {
                    Some(tail) => self.expr(tail),
                    None => self.a.constant(NIL),
                };
                let list = self.a.list_of(&heads, rest);
                self.note_list(list, tree.list(elements), tail);
                list
            }
            Kind::Tuple { elements } => {
                let fields = self.exprs(elements);
                let tuple = self.a.tuple_of(&fields);
                let written = tree.list(elements).iter().map(|&element| Some(element));
                self.note_built(tuple, written.collect(), false);
                tuple
            }
            Kind::Map { base, fields } => self.map(base, fields),
            Kind::Record { base, name, fields } => self.record(node, base, name, fields),
            Kind::RecordAccess { base, name, field } => {
                let base = self.expr(base);
                self.record_access(base, name, field)
            }
            Kind::RecordIndex { .. } => self.a.constant(NUMBER),
            Kind::Binary { elements } => {
                for &element in tree.list(elements) {
                    if let Kind::BinElement { value, size, .. } = tree.kind(element) {
                        self.expr(value);
                        size.into_iter().for_each(|size| {
                            self.expr(size);
                        });
                    }
                }
                self.a.constant(BINARY)
            }
            Kind::Match { pattern, value } => {
                let value = self.expr(value);
                self.pattern(pattern, value);
                value
            }
            // A value that does not match leaves the `maybe`: see there.
            Kind::MaybeMatch { pattern, value } => {
                let value = self.expr(value);
                self.pattern(pattern, value);
                value
            }
            Kind::BinaryOp { op, left, right } => self.binary_op(node, op, left, right),
            Kind::UnaryOp { op, operand } => {
                self.expr(operand);
                if op == UnaryOp::Not { self.boolean() } else { self.a.constant(NUMBER) }
            }
            Kind::Call { callee, args } => self.call(node, callee, args),
            Kind::Catch { body } => self.catch(node, body),
            Kind::Block { body } => self.body(body),
            Kind::If { clauses } => {
                let nothing = self.a.fresh();
                self.clauses(clauses, nothing)
            }
            Kind::Case { subject, clauses } => {
                let subject = self.expr(subject);
                self.clauses(clauses, subject)
            }
            Kind::Receive { clauses, after } => {
                let input = self.a.fresh();
                if !clauses.is_empty() {
                    self.a.receives.push(Receive { body: self.body, node, input });
                    let receive = self.a.receives.len() as u32 - 1;
                    let processes = self.a.bodies[self.body as usize].processes;
                    self.a.watch(processes, Watch::Receive(receive));
                }
                let result = self.clauses(clauses, input);
                if let Some(after) = after {
                    self.expr(after.timeout);
                    let value = self.body(after.body);
                    self.a.include(value, result);
                }
                result
            }
            Kind::Try { body, of, catch, after } => self.try_expr(node, [body, of, catch, after]),
            Kind::Maybe { body, else_clauses } => self.maybe(body, else_clauses),
            Kind::Fun { .. } => self.fun(node),
            Kind::FunName { .. } | Kind::FunRemote { .. } => self.named_fun(node),
            Kind::Comprehension { which, exprs, qualifiers } => {
                self.comprehension(which, exprs, qualifiers)
            }
            _ => self.a.constant(UNKNOWN),
        }
    }

    /// Remembers what stands in the fields of a structure that the program builds.
    fn note_built(&mut self, structure: VarId, fields: Box<[Option<NodeId>]>, is_long_list: bool) {
        if self.is_model {
            return;
        }
        if let [value] = *self.a.items(structure)
            && let Value::Tuple(object) | Value::Cons(object) = self.a.values.get(value)
        {
            let built = Built { module: self.module, fields, is_long_list };
            self.a.structures.built.insert(object, built);
        }
    }

    /// As [`Self::note_built`], for the cells of a list.
    fn note_list(&mut self, list: VarId, elements: &[NodeId], tail: Option<NodeId>) {
        if elements.len() > LONGEST_LIST {
            let all = std::iter::once(tail).chain(elements.iter().map(|&element| Some(element)));
            return self.note_built(list, all.collect(), true);
        }
        let mut cell = list;
        for (index, &element) in elements.iter().enumerate() {
            let is_last = index + 1 == elements.len();
            let rest = tail.filter(|_| is_last);
            self.note_built(cell, [Some(element), rest].into(), false);
            let next = match self.a.items(cell) {
                [value] => match self.a.values.get(*value) {
                    Value::Cons(object) => self.a.values.objects[object as usize].fields[1],
                    _ => return,
                },
                _ => return,
            };
            cell = next;
        }
    }

    fn string(&mut self, text: syntax::token::LiteralId) -> VarId {
        match self.tree.literal(text) {
            Literal::String(text) if text.is_empty() => self.a.constant(NIL),
            _ => self.a.strings,
        }
    }

    pub(crate) fn boolean(&mut self) -> VarId {
        let result = self.a.fresh();
        for name in [known::TRUE, known::FALSE] {
            let value = self.a.values.number(Value::Atom(name));
            self.a.insert(result, value);
        }
        result
    }

    fn variable(&mut self, node: NodeId) -> VarId {
        let bindings = self.bindings.clone();
        match bindings.occurrence(node) {
            Occurrence::Use([definition]) => self.var_at(*definition),
            Occurrence::Use(definitions) => {
                let var = self.a.fresh();
                for &definition in definitions {
                    let from = self.var_at(definition);
                    self.a.include(from, var);
                }
                var
            }
            Occurrence::None | Occurrence::Define => self.a.fresh(),
        }
    }

    fn binary_op(&mut self, node: NodeId, op: BinaryOp, left: NodeId, right: NodeId) -> VarId {
        let (left, right) = (self.expr(left), self.expr(right));
        match op {
            BinaryOp::Send => {
                self.send(node, left, right);
                right
            }
            BinaryOp::Andalso | BinaryOp::Orelse => {
                let result = self.a.fresh();
                let name = if op == BinaryOp::Andalso { known::FALSE } else { known::TRUE };
                let value = self.a.values.number(Value::Atom(name));
                self.a.insert(result, value);
                self.a.include(right, result);
                result
            }
            BinaryOp::Append => self.append(left, right),
            BinaryOp::Subtract => {
                let elements = self.a.fresh();
                self.a.elements_into(left, elements);
                self.a.any_list_of(elements)
            }
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Le
            | BinaryOp::Lt
            | BinaryOp::Ge
            | BinaryOp::Gt
            | BinaryOp::ExactEq
            | BinaryOp::ExactNe
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => self.boolean(),
            _ => self.a.constant(NUMBER),
        }
    }

    /// `Left ++ Right`: the elements of the one, then the other itself.
    pub(crate) fn append(&mut self, left: VarId, right: VarId) -> VarId {
        let (head, tail) = (self.a.fresh(), self.a.fresh());
        self.a.elements_into(left, head);
        let cell = self.a.values.object([head, tail].into(), None);
        let cell = self.a.values.number(Value::Cons(cell));
        self.a.insert(tail, cell);
        self.a.include(right, tail);
        tail
    }

    pub(crate) fn send(&mut self, node: NodeId, destination: VarId, message: VarId) {
        let pids = self.a.fresh_keeping();
        self.a.watch(destination, Watch::Pids(pids));
        self.a.sends.push(Send { body: self.body, node, destination, pids, message });
        let send = self.a.sends.len() as u32 - 1;
        self.a.watch(pids, Watch::Destination(send));
    }

    fn fun(&mut self, node: NodeId) -> VarId {
        let var = self.var_at(node);
        if let Some(&function) = self.a.sources.source(self.module).funs.get(&node) {
            let body = self.a.body_of(function, self.instance);
            let in_started = self.a.bodies[self.body as usize].in_started_process;
            self.a.bodies[body as usize].in_started_process |= self.is_model && in_started;
            let value = self.a.values.number(Value::Fun(body));
            self.a.insert(var, value);
        }
        var
    }

    fn own_name(&self) -> Atom {
        self.a.sources.source(self.module).name
    }

    pub(crate) fn target(&self, node: NodeId) -> Option<Target> {
        resolve::target(&self.tree, &self.a.sources.source(self.module).index, node)
    }

    fn named_fun(&mut self, node: NodeId) -> VarId {
        let arity = match self.tree.kind(node) {
            Kind::FunName { arity, .. } | Kind::FunRemote { arity, .. } => arity,
            _ => return self.a.fresh(),
        };
        match self.target(node).and_then(|target| target.mfa(self.own_name())) {
            Some((module, name, arity)) => {
                let value = self.a.fun_value(module, name, arity, self.body);
                self.a.constant(value)
            }
            None => {
                let Kind::FunRemote { module, name, .. } = self.tree.kind(node) else {
                    return self.a.constant(UNKNOWN);
                };
                let (module, name, arity) = (self.expr(module), self.expr(name), self.expr(arity));
                self.fun_of_names(module, name, arity)
            }
        }
    }

    pub(crate) fn fun_of_names(&mut self, module: VarId, name: VarId, arity: VarId) -> VarId {
        let result = self.a.fresh();
        let maker = FunMaker { body: self.body, module, name, arity, result };
        self.a.fun_makers.push(maker);
        let maker = self.a.fun_makers.len() as u32 - 1;
        for var in [module, name, arity] {
            self.a.watch(var, Watch::FunName(maker));
        }
        result
    }

    // ---- Calls -------------------------------------------------------------------------------

    pub(crate) fn call_site(&self, node: NodeId, kind: CallKind) -> CallSite {
        CallSite {
            body: self.body,
            node,
            kind,
            args: Vec::new(),
            any_args: NOWHERE,
            callee: NOWHERE,
            module: NOWHERE,
            name: NOWHERE,
            result: NOWHERE,
            handler: self.handler,
            raises: self.raises,
            targets: Vec::new(),
            unknown: false,
        }
    }

    fn call(&mut self, node: NodeId, callee: NodeId, args: NodeList) -> VarId {
        let target = self.target(node);
        match target.and_then(|target| Some((target, target.mfa(self.own_name())?))) {
            Some((target, (module, name, arity))) => {
                let args = self.exprs(args);
                let is_local = matches!(target, Target::Local(_));
                if is_local && self.a.sources.find(self.module, name, arity).is_none() {
                    return if self.is_model {
                        self.primitive(node, name, &args)
                    } else {
                        self.a.fresh()
                    };
                }
                if module == known::ERLANG
                    && let Some(result) = self.builtin(node, name, &args)
                {
                    return result;
                }
                self.first_order(node, module, name, args, is_local)
            }
            None => match self.tree.kind(callee) {
                Kind::Remote { module, name } => {
                    let (module, name) = (self.expr(module), self.expr(name));
                    let args = self.exprs(args);
                    let result = self.a.fresh();
                    let site = self.call_site(node, CallKind::HigherOrder);
                    let call = self.a.new_call(CallSite { args, module, name, result, ..site });
                    self.a.watch_callee(call, NOWHERE, module, name);
                    result
                }
                _ => {
                    let callee = self.expr(callee);
                    let args = self.exprs(args);
                    let result = self.a.fresh();
                    let site = self.call_site(node, CallKind::HigherOrder);
                    let call = self.a.new_call(CallSite { args, callee, result, ..site });
                    self.a.watch_callee(call, callee, NOWHERE, NOWHERE);
                    result
                }
            },
        }
    }

    fn first_order(
        &mut self,
        node: NodeId,
        module: Atom,
        name: Atom,
        args: Vec<VarId>,
        is_local: bool,
    ) -> VarId {
        let arity = args.len() as u32;
        let site = CallSite { args, ..self.call_site(node, CallKind::FirstOrder) };
        let own = if is_local { self.a.sources.find(self.module, name, arity) } else { None };
        let function = own.or_else(|| self.a.function_named(module, name, arity, self.body));
        match function {
            Some(function) if !self.a.sources.is_model(function) => {
                // The result of the call is that of the function: no variable in between.
                let body = self.a.named_body(function, 0);
                let result = self.a.bodies[body as usize].result;
                let call = self.a.new_call(CallSite { result, ..site });
                self.a.link(call, body);
                result
            }
            _ => {
                let result = self.a.fresh();
                let call = self.a.new_call(CallSite { result, ..site });
                self.a.call_external(call, module, name, arity, true);
                result
            }
        }
    }

    // ---- Clauses and exceptions --------------------------------------------------------------

    /// Clauses that look at a value; the value of the clause that is taken.
    fn clauses(&mut self, clauses: NodeList, subject: VarId) -> VarId {
        let result = self.a.fresh();
        self.clauses_into(clauses, subject, result);
        result
    }

    fn clauses_into(&mut self, clauses: NodeList, subject: VarId, result: VarId) {
        let tree = self.tree.clone();
        for &clause in tree.list(clauses) {
            let Kind::Clause { patterns, body, .. } = tree.kind(clause) else { continue };
            if let Some(&pattern) = tree.list(patterns).first() {
                self.pattern(pattern, subject);
            }
            let value = self.body(body);
            self.a.include(value, result);
        }
    }

    fn new_handler(&mut self, node: NodeId, catches_all: [bool; 3]) -> (u32, PerClass) {
        let vars = [(); 3].map(|()| self.a.fresh_held(Hold::Throws));
        let handler = Handler { body: self.body, node, outer: self.handler, catches_all };
        self.a.handlers.push(handler);
        // Errors that nobody raises explicitly: a match that fails, a builtin that is misused.
        self.a.insert(vars[ERROR], UNKNOWN);
        for class in [THROW, ERROR, EXIT] {
            if !catches_all[class] {
                self.a.include(vars[class], self.raises[class]);
            }
        }
        (self.a.handlers.len() as u32 - 1, vars)
    }

    fn catch(&mut self, node: NodeId, body: NodeId) -> VarId {
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

    fn try_expr(&mut self, node: NodeId, parts: [NodeList; 4]) -> VarId {
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
                let name = self.a.values.number(Value::Atom(name));
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

    fn maybe(&mut self, body: NodeList, else_clauses: Option<NodeList>) -> VarId {
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

    // ---- Comprehensions ----------------------------------------------------------------------

    fn comprehension(
        &mut self,
        which: ComprehensionKind,
        exprs: NodeList,
        qualifiers: NodeList,
    ) -> VarId {
        let tree = self.tree.clone();
        for &qualifier in tree.list(qualifiers) {
            self.qualifier(qualifier);
        }
        match which {
            ComprehensionKind::List => {
                let elements = self.a.fresh();
                for value in self.exprs(exprs) {
                    self.a.include(value, elements);
                }
                self.a.any_list_of(elements)
            }
            ComprehensionKind::Binary => {
                self.exprs(exprs);
                self.a.constant(BINARY)
            }
            ComprehensionKind::Map => {
                let object = self.a.new_map();
                for &field in tree.list(exprs) {
                    if let Kind::MapField { key, value, .. } = tree.kind(field) {
                        let (key, value) = (self.expr(key), self.expr(value));
                        self.a.write_map(object, key, value);
                    }
                }
                let value = self.a.values.number(Value::Map(object));
                self.a.constant(value)
            }
        }
    }

    fn qualifier(&mut self, node: NodeId) {
        let tree = self.tree.clone();
        match tree.kind(node) {
            Kind::Generator { which, pattern, source, .. } => {
                let source = self.expr(source);
                match which {
                    GeneratorKind::List => {
                        let elements = self.a.fresh();
                        self.a.elements_into(source, elements);
                        self.pattern(pattern, elements);
                    }
                    GeneratorKind::Binary => {
                        let binary = self.a.constant(BINARY);
                        self.pattern(pattern, binary);
                    }
                    GeneratorKind::Map => {
                        let (keys, values) = (self.a.fresh(), self.a.fresh());
                        self.a.watch(source, Watch::MapAll { keys, values });
                        if let Kind::MapField { key, value, .. } = tree.kind(pattern) {
                            self.pattern(key, keys);
                            self.pattern(value, values);
                        }
                    }
                }
            }
            Kind::ZipGenerator { generators } => {
                tree.list(generators).iter().for_each(|&generator| self.qualifier(generator));
            }
            _ => {
                self.expr(node);
            }
        }
    }

    // ---- Maps and records --------------------------------------------------------------------

    fn map(&mut self, base: Option<NodeId>, fields: NodeList) -> VarId {
        let tree = self.tree.clone();
        let base = base.map(|base| self.expr(base));
        let object = self.a.new_map();
        let mut written = Vec::new();
        for &field in tree.list(fields) {
            if let Kind::MapField { key, value, .. } = tree.kind(field) {
                written.extend(self.literal(key).map(|key| (key, value)));
                let (key, value) = (self.expr(key), self.expr(value));
                self.a.write_map(object, key, value);
            }
        }
        if !self.is_model && !written.is_empty() {
            self.a.structures.maps.insert(object, (self.module, written));
        }
        if let Some(base) = base {
            self.a.watch(base, Watch::MapBase(object));
        }
        let value = self.a.values.number(Value::Map(object));
        self.a.constant(value)
    }

    /// A record's definition: its name, and each field's name and default.
    pub(crate) fn record_fields(&self, name: RecordName) -> Option<(Atom, Vec<RecordField>)> {
        let RecordName::Local(name) = name else { return None };
        let Kind::Atom(name) = self.tree.kind(name) else { return None };
        let record = self.a.sources.source(self.module).index.records.get(name)?;
        let fields = record.fields.iter().map(|&(name, field)| {
            let default = match self.tree.kind(field) {
                Kind::RecordFieldDef { default, .. } => default,
                _ => None,
            };
            (name, default)
        });
        Some((name, fields.collect()))
    }

    /// What is written for a field; the value for `_` stands for all others.
    pub(crate) fn written_field(&self, fields: NodeList, name: Atom) -> Option<NodeId> {
        let mut others = None;
        for &field in self.tree.list(fields) {
            let Kind::RecordField { name: written, value } = self.tree.kind(field) else {
                continue;
            };
            match self.tree.kind(written) {
                Kind::Atom(written) if written == name => return Some(value),
                Kind::Var(_) => others = Some(value),
                _ => {}
            }
        }
        others
    }

    fn record(
        &mut self,
        _node: NodeId,
        base: Option<NodeId>,
        name: RecordName,
        fields: NodeList,
    ) -> VarId {
        let tree = self.tree.clone();
        let base = base.map(|base| self.expr(base));
        let Some((name, definition)) = self.record_fields(name) else {
            for &field in tree.list(fields) {
                if let Kind::RecordField { value, .. } = tree.kind(field) {
                    self.expr(value);
                }
            }
            return self.a.constant(UNKNOWN);
        };
        let tag = self.a.values.number(Value::Atom(name));
        let mut vars = vec![self.a.constant(tag)];
        let mut written = vec![None];
        let mut inherited = Vec::new();
        for (position, &(field, default)) in definition.iter().enumerate() {
            written.push(self.written_field(fields, field));
            let var = match (self.written_field(fields, field), base, default) {
                (Some(value), ..) => self.expr(value),
                (None, Some(_), _) => {
                    let var = self.a.fresh();
                    inherited.push((position as u32 + 1, var));
                    var
                }
                (None, None, Some(default)) => self.default_value(default),
                (None, None, None) => self.a.atom(known::UNDEFINED),
            };
            vars.push(var);
        }
        if let Some(base) = base {
            let arity = vars.len() as u32;
            let parts = TupleParts { arity, literals: vec![(0, tag)], fields: inherited };
            self.a.tuple_parts.push(parts);
            let parts = self.a.tuple_parts.len() as u32 - 1;
            self.a.watch(base, Watch::Tuple(parts));
        }
        let record = self.a.tuple_of(&vars);
        self.note_built(record, written.into(), false);
        record
    }

    /// The default of a field is outside of the function's tree, so it has no variable there.
    fn default_value(&mut self, node: NodeId) -> VarId {
        self.expr(node)
    }

    fn record_access(&mut self, base: VarId, name: RecordName, field: NodeId) -> VarId {
        let result = self.a.fresh();
        let field = match self.tree.kind(field) {
            Kind::Atom(field) => field,
            _ => return result,
        };
        let Some((name, definition)) = self.record_fields(name) else {
            return self.a.constant(UNKNOWN);
        };
        let tag = self.a.values.number(Value::Atom(name));
        if let Some(position) = definition.iter().position(|&(name, _)| name == field) {
            let arity = definition.len() as u32 + 1;
            let fields = vec![(position as u32 + 1, result)];
            self.a.tuple_parts.push(TupleParts { arity, literals: vec![(0, tag)], fields });
            let parts = self.a.tuple_parts.len() as u32 - 1;
            self.a.watch(base, Watch::Tuple(parts));
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

impl Analysis<'_> {
    /// A list with known elements.
    pub(crate) fn list_of(&mut self, heads: &[VarId], tail: VarId) -> VarId {
        if heads.len() > LONGEST_LIST {
            let elements = self.fresh();
            for &head in heads {
                self.include(head, elements);
            }
            let rest = self.fresh();
            let cell = self.values.object([elements, rest].into(), None);
            let cell = self.values.number(Value::Cons(cell));
            self.insert(rest, cell);
            self.include(tail, rest);
            return self.constant(cell);
        }
        heads.iter().rev().fold(tail, |tail, &head| {
            let cell = self.values.object([head, tail].into(), None);
            let cell = self.values.number(Value::Cons(cell));
            self.constant(cell)
        })
    }

    /// A list of any length, with elements from a variable.
    pub(crate) fn any_list_of(&mut self, elements: VarId) -> VarId {
        let list = self.fresh();
        let cell = self.values.object([elements, list].into(), None);
        let cell = self.values.number(Value::Cons(cell));
        self.insert(list, cell);
        self.insert(list, NIL);
        list
    }
}
