//! From code to constraints: expressions.
//!
//! One walk over a body that was reached. Each expression has a variable that holds its possible
//! values; where an expression only hands a value on, the variables are the same.
//!
//! Guards narrow what the variables of their clause hold ([`crate::narrowing`]). Not looked into:
//! arithmetic (a number is a number), the contents of binaries.

use std::sync::Arc;

use atom::{Atom, known};
use program::resolve::{self, Target};
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList, SigilKind, UnaryOp};
use syntax::token::Literal;

use crate::analysis::Analysis;
use crate::bindings::{Bindings, Occurrence};
use crate::constraints::{
    Body, BodyId, CallKind, CallSite, HandlerId, InstanceId, PerClass, Receive, Send,
};
use crate::sources::ModuleId;
use crate::values::{BINARY, NIL, NOWHERE, NUMBER, UNKNOWN, Value, ValueId, VarId};
use crate::watches::{FunMaker, Watch};

pub(crate) struct Generator<'a, 'p> {
    pub(crate) a: &'a mut Analysis<'p>,
    pub(crate) body: BodyId,
    pub(crate) instance: InstanceId,
    pub(crate) module: ModuleId,
    pub(crate) tree: Arc<Module>,
    pub(crate) bindings: Arc<Bindings>,
    pub(crate) is_model: bool,
    /// Clauses are generated when something comes that they match.
    pub(crate) lets_sleep: bool,
    /// The innermost handler, and where exceptions go.
    pub(crate) handler: Option<HandlerId>,
    pub(crate) raises: PerClass,
}

impl Analysis<'_> {
    /// Generates the code of a body.
    pub(crate) fn generate(&mut self, body: BodyId) {
        let params = self.constraints.bodies[body].params.clone();
        let Body { function, result, .. } = self.constraints.bodies[body];
        let clauses = self.sources.function(function).clauses;
        let is_awake = self.is_awake(body);
        let mut generator = self.generator(body);
        if generator.lets_sleep && !is_awake {
            return generator.let_sleep(clauses, params, result);
        }
        let tree = generator.tree.clone();
        for &clause in tree.list(clauses) {
            generator.clause(clause, &params, result);
        }
    }
}

impl<'p> Analysis<'p> {
    /// What generates code of a body, outside of all handlers.
    pub(crate) fn generator(&mut self, body: BodyId) -> Generator<'_, 'p> {
        let lets_sleep = self.has_sleeping_clauses(body);
        let Body { function, instance, raises, .. } = self.constraints.bodies[body];
        let module = self.sources.function(function).module;
        let source = self.sources.source(module);
        let (tree, bindings) = (source.tree.clone(), source.bindings.clone());
        let is_model = source.is_model;
        let handler = None;
        Generator {
            a: self,
            body,
            instance,
            module,
            tree,
            bindings,
            is_model,
            lets_sleep,
            handler,
            raises,
        }
    }
}

impl Generator<'_, '_> {
    /// The variable of a node.
    pub(crate) fn var_at(&mut self, node: NodeId) -> VarId {
        if let Some(var) = self.a.constraints.var(self.instance, node) {
            return var;
        }
        let var = self.a.fresh();
        self.set(node, var);
        var
    }

    /// Makes a variable that of a node.
    fn set(&mut self, node: NodeId, var: VarId) {
        self.a.constraints.set_var(self.instance, node, var);
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
                match self.a.value(value) {
                    Value::Int(value) => Value::Int(value.checked_neg()?),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(self.a.number(value))
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
                let list = self.a.solution.list_of(&heads, rest);
                self.note_list(list, tree.list(elements), tail);
                list
            }
            Kind::Tuple { elements } => {
                let fields = self.exprs(elements);
                let tuple = self.a.tuple_of(&fields);
                let written = tree.list(elements).iter().map(|&element| Some(element));
                self.note_built(tuple, written.collect(), false, None);
                tuple
            }
            Kind::Map { base, fields } => self.map(base, fields),
            Kind::Record { base, name, fields } => self.record(base, name, fields),
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
                    let receive = Receive { body: self.body, node, input };
                    let receive = self.a.constraints.receives.push(receive);
                    let processes = self.a.constraints.bodies[self.body].processes;
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

    fn string(&mut self, text: syntax::token::LiteralId) -> VarId {
        match self.tree.literal(text) {
            Literal::String(text) if text.is_empty() => self.a.constant(NIL),
            _ => self.a.constraints.strings,
        }
    }

    pub(crate) fn boolean(&mut self) -> VarId {
        let result = self.a.fresh();
        for name in [known::TRUE, known::FALSE] {
            let value = self.a.number(Value::Atom(name));
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
                let value = self.a.number(Value::Atom(name));
                self.a.insert(result, value);
                self.a.include(right, result);
                result
            }
            BinaryOp::Append => self.append(left, right),
            BinaryOp::Subtract => {
                let elements = self.a.fresh();
                self.a.solution.elements_into(left, elements);
                self.a.solution.any_list_of(elements)
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
        self.a.solution.elements_into(left, head);
        let cell = self.a.solution.values.object([head, tail].into(), None);
        let cell = self.a.number(Value::Cons(cell));
        self.a.insert(tail, cell);
        self.a.include(right, tail);
        tail
    }

    pub(crate) fn send(&mut self, node: NodeId, destination: VarId, message: VarId) {
        let pids = self.a.fresh_keeping();
        self.a.watch(destination, Watch::Pids(pids));
        let send = self.a.constraints.sends.push(Send {
            body: self.body,
            node,
            destination,
            pids,
            message,
        });
        self.a.watch(pids, Watch::Destination(send));
    }

    fn fun(&mut self, node: NodeId) -> VarId {
        let var = self.var_at(node);
        if let Some(&function) = self.a.sources.source(self.module).funs.get(&node) {
            let body = self.a.body_of(function, self.instance);
            let in_started = self.a.constraints.bodies[self.body].in_started_process;
            self.a.constraints.bodies[body].in_started_process |= self.is_model && in_started;
            let arity = self.a.sources.function(function).arity;
            let value = self.a.number(Value::Fun(body, arity));
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
        let maker = self.a.constraints.accesses.fun_makers.push(maker);
        for var in [module, name, arity] {
            self.a.watch(var, Watch::FunName(maker));
        }
        result
    }

    // ---- Calls -------------------------------------------------------------------------------

    pub(crate) fn call_site(&self, node: NodeId, kind: CallKind) -> CallSite {
        CallSite {
            body: Some(self.body),
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
        let function = own.or_else(|| self.a.function_named(module, name, arity, Some(self.body)));
        match function {
            Some(function) if !self.a.sources.is_model(function) => {
                let call = self.a.new_call(site);
                let body = self.a.own_body(call, function);
                // The result of the call is that of the function: no variable in between.
                let result = match self.a.stand_in(function) {
                    Some(_) => self.a.fresh(),
                    None => self.a.constraints.bodies[body].result,
                };
                self.a.constraints.calls[call].result = result;
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
}
