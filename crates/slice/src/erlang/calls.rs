//! Calls: what they reach, and the edges between callers and what is called.
//!
//! A call of a function of the program gives its arguments to the parameters one by one, and takes
//! the result. A call of anything else is a call of unknown code (section 4.4 of the thesis): its
//! result depends on all of all arguments; if it calls functions of the program back (`lists:map`,
//! behaviours) or starts them as processes, their parameters may get any part of the arguments and
//! of what other such functions gave.

use flow::{FunctionId, ModuleId, Site, VertexKind};
use program::resolve::Target;
use syntax::ast::{Kind, NodeId, NodeList};

use super::behaviours::Readers;
use super::build::Build;
use super::exceptions::Handler;
use super::expressions::Walker;
use super::library;
use super::models;
use super::nodes::{FunctionNodes, Role, Targets};
use super::reachable::{Choices, Chooser};
use super::summaries::Summary;
use super::{behaviours, effects, exceptions};
use dependence::{Call, EdgeKind, Frame, Label, Node};

/// Funs of functions that are not part of the program: what a call of an unknown fun may reach
/// besides.
#[derive(Debug, Default)]
pub(crate) struct OutsideFuns {
    arities: Vec<u32>,
    any: bool,
}

impl OutsideFuns {
    /// Looks for them in a module.
    pub(crate) fn note(&mut self, build: &Build<'_>, module: ModuleId) {
        let loaded = &build.program.modules[module.index()];
        for index in 0..loaded.tree.nodes.len() {
            let node = NodeId(index as u32);
            if !matches!(loaded.tree.kind(node), Kind::FunName { .. } | Kind::FunRemote { .. }) {
                continue;
            }
            match loaded.target(node) {
                Some(Target::Dynamic) | None => self.any = true,
                Some(target) => {
                    let Some((of, name, arity)) = target.mfa(loaded.name) else { continue };
                    if build.find(of, name, arity).is_none() && !self.arities.contains(&arity) {
                        self.arities.push(arity);
                    }
                }
            }
        }
    }

    pub(crate) fn may_have(&self, arity: u32) -> bool {
        self.any || self.arities.contains(&arity)
    }
}

/// What a call may reach.
pub(crate) fn targets(build: &Build<'_>, module: ModuleId, node: NodeId) -> Targets {
    let loaded = &build.program.modules[module.index()];
    let Kind::Call { callee, args } = loaded.tree.kind(node) else { return Targets::default() };
    let target = loaded.target(node).unwrap_or(Target::Dynamic);
    if let Some((of, name, arity)) = target.mfa(loaded.name)
        && let Some(function) = build.find(of, name, arity)
    {
        return Targets { called: vec![function], ..Targets::default() };
    }
    let found = build.flow.calls.get(&Site { module, node });
    let found_targets = found.map_or(&[][..], |found| &found.targets);
    if target != Target::Dynamic {
        let called_back = found_targets.to_vec();
        return Targets { called: Vec::new(), called_back, outside: true };
    }
    let (called, called_back): (Vec<FunctionId>, Vec<FunctionId>) = found_targets
        .iter()
        .partition(|function| build.flow.function(**function).arity == args.len);
    let is_remote = matches!(loaded.tree.kind(callee), Kind::Remote { .. });
    let unknown = found.is_none_or(|found| found.unknown || found.targets.is_empty());
    let outside =
        is_remote || unknown || !called_back.is_empty() || build.outside_funs.may_have(args.len);
    let mut targets = Targets { called, called_back, outside };
    if unknown && !is_remote {
        // Nothing is known: any fun that takes so many arguments.
        for fun in build.funs_of_arity(args.len) {
            if !targets.called.contains(&fun) {
                targets.called.push(fun);
            }
        }
    }
    targets
}

impl Walker<'_, '_> {
    pub(crate) fn call(&mut self, node: NodeId, callee: NodeId, args: NodeList) -> Node {
        let callee_nodes = self.callee(callee);
        let args: Vec<NodeId> = self.tree.list(args).to_vec();
        let values: Vec<Node> = args.iter().map(|&arg| self.expr(arg)).collect();
        let targets = self.build.targets.get(&(self.module, node)).cloned().unwrap_or_default();
        let value = self.value(node);
        let done = self.effect(node);
        self.edge(done, self.here, EdgeKind::Control, Label::All);
        self.edge(value, done, EdgeKind::Value, Label::All);
        for (callee, label) in callee_nodes {
            self.edge(done, callee, EdgeKind::Value, label);
        }
        let call = self.build.new_call();
        for &target in &targets.called {
            self.call_function(call, done, value, target, (&args, &values));
        }
        let name = library::name(self.build, self.module, node);
        let model = name.and_then(|(module, name)| {
            let has_rows = module.as_str() != "ets" || self.build.has_usual_tables;
            models::of(module, name, args.len()).filter(|_| has_rows).map(|model| (module, model))
        });
        let raises = name.and_then(|(module, name)| {
            exceptions::reason_of(module.as_str(), name.as_str(), args.len())
        });
        if let Some(reason) = raises {
            // The reason is of interest to handlers only; all else decides which exception it is.
            for (index, &arg) in values.iter().enumerate().filter(|(index, _)| *index != reason) {
                let label = if index == 0 { Label::All } else { Label::Shape };
                self.edge(done, arg, EdgeKind::Value, label);
            }
        } else if let Some((of, model)) = model {
            let at = (of, node);
            let mut summary = Summary::new(self, at, (call, done), &args, &values, &targets);
            summary.make(model, value);
        } else if self.starts_server(node, (call, done, value), &targets, &values) {
            // Its callbacks are known.
        } else if targets.outside || targets.called.is_empty() {
            match self.started_with(node, &args, &targets) {
                Some(elements) => self.start(call, done, &targets, (&args, &values), &elements),
                None => self.call_outside(node, call, done, value, &targets, &values),
            }
        }
        if model.is_none() {
            effects::connect(self, node, &args, done, value);
        }
        self.looks_for_functions(node, &args, value);
        let reasons: Vec<(Node, Label)> = match raises {
            Some(reason) => {
                // The arguments that `error` is told are in the stack trace.
                let told = if reason == 0 { values.get(1) } else { None };
                let told = told.map(|&told| (told, Label::All));
                [(values[reason], Label::Same)].into_iter().chain(told).collect()
            }
            None if targets.outside => values.iter().map(|&arg| (arg, Label::All)).collect(),
            None => Vec::new(),
        };
        let raise = self.after_call(node, call, done, &targets, &reasons);
        self.hears_of_ends(node, &args, (done, value), raise);
        if let Some(name) = name {
            for &target in &targets.called_back {
                if behaviours::tells_of(self.build, name, target) {
                    let reason = self.build.function(target).reason;
                    let enter = Frame::Enter(call);
                    self.framed(value, reason, EdgeKind::Exception, Label::All, enter);
                }
            }
        }
        value
    }

    /// A call that says which functions there are needs them to be there.
    fn looks_for_functions(&mut self, node: NodeId, args: &[NodeId], value: Node) {
        let Some((of, name)) = library::name(self.build, self.module, node) else { return };
        let wanted = match (of.as_str(), name.as_str(), args) {
            ("erlang", "function_exported", &[of, name, _]) => {
                match (self.tree.kind(of), self.tree.kind(name)) {
                    (Kind::Atom(of), Kind::Atom(name)) => self.build.named(Some(of), Some(name)),
                    _ => self.build.named(None, None),
                }
            }
            (_, "module_info", _) => self.build.named(Some(of), None),
            _ => return,
        };
        for function in wanted {
            let there = self.build.presence(function);
            self.edge(value, there, EdgeKind::Declaration, Label::All);
        }
    }

    /// What is called, if it is computed, and how much of it a call needs.
    fn callee(&mut self, callee: NodeId) -> Vec<(Node, Label)> {
        match self.tree.kind(callee) {
            Kind::Atom(_) => Vec::new(),
            Kind::Remote { module, name } => {
                let parts = [module, name];
                let computed = |node: &NodeId| !matches!(self.tree.kind(*node), Kind::Atom(_));
                let parts: Vec<NodeId> = parts.into_iter().filter(computed).collect();
                parts.into_iter().map(|part| (self.expr(part), Label::All)).collect()
            }
            _ => vec![(self.expr(callee), Label::Shape)],
        }
    }

    /// Arguments to parameters, result to result.
    fn call_function(
        &mut self,
        call: Call,
        done: Node,
        value: Node,
        target: FunctionId,
        (args, values): (&[NodeId], &[Node]),
    ) {
        let function = self.build.function(target).clone();
        let (enter, leave) = (Frame::Enter(call), Frame::Leave(call));
        self.framed(function.entry, done, EdgeKind::Call, Label::All, leave);
        for (index, &arg) in values.iter().enumerate() {
            if let Some(parameter) = function.parameter(index as u32) {
                self.framed(parameter, arg, EdgeKind::Input, Label::Same, leave);
            }
        }
        for result in self.results(target, &function, args) {
            self.framed(value, result, EdgeKind::Output, Label::Same, enter);
        }
    }

    /// Where the result of a call comes from: of the function, or of those of its clauses that the
    /// arguments can match if they cannot match some.
    fn results(&self, target: FunctionId, nodes: &FunctionNodes, args: &[NodeId]) -> Vec<Node> {
        let function = self.build.flow.function(target);
        if function.clauses.len < 2 || !self.build.options.clause_reachability {
            return vec![nodes.result];
        }
        let tree = &self.build.flow.modules[function.module].tree;
        let bindings = &self.build.flow.bindings[function.module];
        let clauses = tree.list(function.clauses);
        let mut choices = Choices::new(tree, bindings, Chooser::Function(target), clauses);
        let mut chosen: Vec<Node> = Vec::new();
        for (index, &clause) in clauses.iter().enumerate() {
            let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { continue };
            let args = (self.module, args);
            if self.build.never_match_all(args, (function.module, patterns))
                || self.build.never_passes(args, (function.module, patterns, guards))
            {
                continue;
            }
            if choices.are_taken(&self.tree, args.1) {
                break;
            }
            chosen.extend(nodes.clause(index));
            choices.add(patterns, guards);
        }
        if chosen.len() == nodes.clauses as usize { vec![nodes.result] } else { chosen }
    }

    /// A call of code that is not part of the program.
    fn call_outside(
        &mut self,
        node: NodeId,
        call: Call,
        done: Node,
        value: Node,
        targets: &Targets,
        args: &[Node],
    ) {
        let spawns = self.is_spawn(node);
        let spared = self.spared(node);
        let tree = self.tree.clone();
        let is_fun = |index: usize| {
            let Kind::Call { args, .. } = tree.kind(node) else { return false };
            let arg = tree.list(args).get(index);
            args.len == 1
                || arg.is_some_and(|&arg| {
                    let kind = tree.kind(arg);
                    matches!(kind, Kind::Fun { .. } | Kind::FunName { .. } | Kind::FunRemote { .. })
                })
        };
        for (index, &arg) in args.iter().enumerate() {
            match spared {
                Some((position, readers)) if position == index => {
                    if readers == Readers::Strangers {
                        self.edge(value, arg, EdgeKind::Value, Label::All);
                    }
                }
                _ => {
                    // A new process needs the fun, not what it gives in the end.
                    let is_fun = spawns && args.len() <= 2 && is_fun(index);
                    let label = if is_fun { Label::Shape } else { Label::All };
                    self.edge(done, arg, EdgeKind::Value, label);
                }
            }
        }
        let (enter, leave) = (Frame::Enter(call), Frame::Leave(call));
        for &target in &targets.called_back {
            let function = self.build.function(target).clone();
            self.framed(function.entry, done, EdgeKind::Call, Label::All, leave);
            // What it is called with may come out of a state that the call reads.
            let from = if spawns { done } else { value };
            for parameter in function.parameters() {
                self.framed(parameter, from, EdgeKind::Input, Label::All, leave);
            }
            if !spawns {
                // What is called back has to give what it gave: else the call might fail.
                self.framed(done, function.result, EdgeKind::Output, Label::All, enter);
            }
        }
    }

    /// What a new process gives to its function if the arguments are written one by one, as in
    /// `spawn(M, F, [A, B])`.
    fn started_with(
        &self,
        node: NodeId,
        args: &[NodeId],
        targets: &Targets,
    ) -> Option<Vec<NodeId>> {
        let &[module, name, list] = args else { return None };
        let is_named = [module, name].iter().all(|&part| {
            let kind = self.tree.kind(part);
            matches!(kind, Kind::Atom(_))
        });
        let Kind::List { elements, tail: None } = self.tree.kind(list) else { return None };
        let fits = |&target: &FunctionId| self.build.function(target).arity == elements.len;
        let is_known = targets.called_back.len() == 1 && targets.called_back.iter().all(fits);
        (is_named && is_known && self.is_spawn(node)).then(|| self.tree.list(elements).to_vec())
    }

    /// Starts a process: its parameters are the elements of the last argument.
    fn start(
        &mut self,
        call: Call,
        done: Node,
        targets: &Targets,
        (args, values): (&[NodeId], &[Node]),
        elements: &[NodeId],
    ) {
        for (index, &value) in values.iter().enumerate() {
            if index + 1 < values.len() {
                self.edge(done, value, EdgeKind::Value, Label::All);
            } else {
                self.spine(args[index], done, value);
            }
        }
        let leave = Frame::Leave(call);
        for &target in &targets.called_back {
            let function = self.build.function(target).clone();
            self.framed(function.entry, done, EdgeKind::Call, Label::All, leave);
            for (&element, parameter) in elements.iter().zip(function.parameters()) {
                let element = self.value(element);
                self.framed(parameter, element, EdgeKind::Input, Label::Same, leave);
            }
        }
    }

    pub(crate) fn is_spawn(&self, node: NodeId) -> bool {
        let flow = self.build.flow;
        let at = flow.graph.at(Site { module: self.module, node });
        at.is_some_and(|at| flow.graph.vertex(at).kind == VertexKind::Spawn)
    }

    /// What comes after a call may depend on that it returns.
    fn after_call(
        &mut self,
        node: NodeId,
        call: Call,
        done: Node,
        targets: &Targets,
        reasons: &[(Node, Label)],
    ) -> Option<Node> {
        let enter = Frame::Enter(call);
        let spawns = self.is_spawn(node);
        let all: Vec<FunctionId> = if spawns {
            Vec::new()
        } else {
            targets.called.iter().chain(&targets.called_back).copied().collect()
        };
        let mut raises = None;
        if self.guarded {
            let handler = self.handler;
            let raise = self.may_fail_with(node, &[done], reasons);
            raises = Some(raise);
            for &target in &all {
                let Handler { raised, reason } = self.build.function(target).handler();
                self.framed(raise, raised, EdgeKind::Exception, Label::All, enter);
                self.framed(handler.reason, reason, EdgeKind::Exception, Label::Same, enter);
            }
        }
        let mut waits = effects::waits(self.build, self.module, node);
        waits |= all.iter().any(|&target| self.build.function(target).waits);
        if waits {
            let next = self.step(node, &[done]);
            self.may_be_ended(next);
            for target in all {
                if self.build.function(target).waits {
                    let end = self.build.function(target).end;
                    self.framed(next, end, EdgeKind::Control, Label::All, enter);
                }
            }
        }
        if !spawns && self.calls_repeatedly(node) {
            self.calls_again(node, call, &targets.called_back);
        }
        raises
    }

    /// Whether code that is not part of the program may call what it calls back once more.
    fn calls_repeatedly(&self, node: NodeId) -> bool {
        let name = library::name(self.build, self.module, node);
        !matches!(
            name.as_ref().map(|(of, name)| (of.as_str(), name.as_str())),
            Some(
                ("erlang", "apply")
                    | ("timer", "tc")
                    | ("maps", "update_with")
                    | ("dict" | "orddict", "update")
            )
        )
    }

    /// What is called for one element after the other is called for the next one if it came to its
    /// end for those before: its entry depends on that it does not fail, and on what it waits for.
    fn calls_again(&mut self, node: NodeId, call: Call, targets: &[FunctionId]) {
        // Where the callbacks of a server are called from has nothing to do with who starts it.
        let serves = behaviours::is_behaviour(self.build, self.module, node);
        let mut stops: Vec<(Node, EdgeKind, Label)> = Vec::new();
        for &target in targets {
            let function = self.build.function(target);
            if if serves { function.guarded } else { self.guarded } {
                stops.push((function.raise, EdgeKind::Exception, Label::All));
                if serves {
                    stops.extend(behaviours::endings(self.build, target));
                }
            }
            if function.waits {
                stops.push((function.end, EdgeKind::Control, Label::All));
            }
        }
        if stops.is_empty() {
            return;
        }
        let again = self.between(node);
        for (stop, kind, label) in stops {
            self.framed(again, stop, kind, label, Frame::Enter(call));
        }
        for &target in targets {
            let entry = self.build.function(target).entry;
            self.framed(entry, again, EdgeKind::Call, Label::All, Frame::Leave(call));
        }
    }

    pub(crate) fn effect(&mut self, node: NodeId) -> Node {
        let done = self.node(node, Role::Effect);
        self.nodes_mut().effects.insert(node, done);
        done
    }
}
