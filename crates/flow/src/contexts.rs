//! Which functions are looked at once for each call, and what stands in for functions that have no
//! code.
//!
//! Functions of models always are ([`crate::models`]). Of the program's own functions those are
//! that call what they are given: `map(F, [X | Xs]) -> [F(X) | map(F, Xs)]`. One instance for all
//! calls would let every fun that is given to it anywhere be called from everywhere, with
//! everything. An instance belongs to the call that leads into such functions from others; what
//! they call among themselves stays in it, so recursion adds none. They must be small, and neither
//! send, receive nor spawn: processes and messages are told apart by places only.
//!
//! A module may be part of the program whose functions are replaced by native code when it is
//! loaded (OTP's `lists`, `maps`, `ets`, `erlang`): where a model says what such a function does,
//! the model stands in for it.
//!
//! Cost: one walk over all functions, and a round for each level of handing a fun on.

use atom::known;
use program::resolve;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{BinaryOp, Kind, NodeId};

use crate::analysis::Analysis;
use crate::bindings::Occurrence;
use crate::constraints::{BodyId, CallId, CallSite, ContextId, FOR_ALL};
use crate::graph::VertexKind;
use crate::sources::{FunctionId, Site, Sources};

/// Larger functions are looked at once.
const LARGEST: usize = 160;

/// What is known of functions before anything is solved.
#[derive(Debug, Default)]
pub(crate) struct Instantiated {
    /// Functions of the program that have an instance for each call.
    for_each_call: FxHashSet<FunctionId>,
    /// The model of a function that has no code of its own.
    stand_ins: FxHashMap<FunctionId, FunctionId>,
    /// Functions of models that are the same for all that call them.
    closed: FxHashSet<FunctionId>,
}

impl Instantiated {
    pub(crate) fn of(sources: &Sources<'_>) -> Instantiated {
        let mut found = Instantiated::default();
        for function in sources.own_functions() {
            if let Some(model) = stand_in(sources, function) {
                found.stand_ins.insert(function, model);
            }
        }
        let models = sources.functions.ids().skip(sources.own_functions);
        found.closed = models.filter(|&function| is_closed(sources, function)).collect();
        let given = Given::of(sources);
        let all = given.calls_given.iter().map(|&(function, _)| function);
        found.for_each_call = all.filter(|function| !given.unfit.contains(function)).collect();
        found
    }
}

/// The model that says what a function does which is native in OTP.
fn stand_in(sources: &Sources<'_>, function: FunctionId) -> Option<FunctionId> {
    let data = sources.function(function);
    if data.is_fun() {
        return None;
    }
    let source = sources.source(data.module);
    let model = sources.model_of(source.name, data.name, data.arity)?;
    (source.name == known::ERLANG || is_native(sources, function)).then_some(model)
}

/// Whether all that a function does is to say that it was not loaded.
fn is_native(sources: &Sources<'_>, function: FunctionId) -> bool {
    let data = sources.function(function);
    let tree = &sources.source(data.module).tree;
    tree.list(data.clauses).iter().all(|&clause| {
        let Kind::Clause { body, .. } = tree.kind(clause) else { return false };
        let [only] = tree.list(body) else { return false };
        let index = &sources.source(data.module).index;
        let target =
            resolve::target(tree, index, *only).and_then(|target| target.mfa(known::ERLANG));
        target.is_some_and(|(_, name, _)| name.as_str() == "nif_error")
    })
}

/// Whether a function has no variables, and nothing but kinds of data.
fn is_closed(sources: &Sources<'_>, function: FunctionId) -> bool {
    let data = sources.function(function);
    let source = sources.source(data.module);
    let tree = &source.tree;
    let mut closed = true;
    for &clause in tree.list(data.clauses) {
        let Kind::Clause { body, .. } = tree.kind(clause) else { continue };
        for &expr in tree.list(body) {
            tree.for_each_below(expr, |node| match tree.kind(node) {
                Kind::Var(_) | Kind::Fun { .. } | Kind::Receive { .. } => closed = false,
                Kind::Call { callee, args } => {
                    let is_kind = matches!(tree.kind(callee), Kind::Atom(name)
                        if !source.index.functions.contains((name, args.len))
                            && !name.as_str().starts_with('$'));
                    closed &= is_kind;
                }
                _ => {}
            });
        }
    }
    closed
}

/// Which functions call what they are given.
struct Given {
    /// Function and position of the parameter.
    calls_given: FxHashSet<(FunctionId, u32)>,
    unfit: FxHashSet<FunctionId>,
}

/// A parameter that is handed on as an argument of another function.
struct HandedOn {
    from: (FunctionId, u32),
    to: (FunctionId, u32),
}

impl Given {
    fn of(sources: &Sources<'_>) -> Given {
        let mut given = Given { calls_given: FxHashSet::default(), unfit: FxHashSet::default() };
        let mut handed = Vec::new();
        for function in sources.functions.ids() {
            if !sources.function(function).is_fun() {
                given.look_at(sources, function, &mut handed);
            }
        }
        loop {
            let before = given.calls_given.len();
            for HandedOn { from, to } in &handed {
                if given.calls_given.contains(to) {
                    given.calls_given.insert(*from);
                }
            }
            if given.calls_given.len() == before {
                break;
            }
        }
        given.calls_given.retain(|&(function, _)| !sources.is_model(function));
        given
    }

    fn look_at(&mut self, sources: &Sources<'_>, function: FunctionId, handed: &mut Vec<HandedOn>) {
        let data = sources.function(function);
        let source = sources.source(data.module);
        let tree = &source.tree;
        // The position of the parameter that a variable is.
        let mut params: FxHashMap<NodeId, u32> = FxHashMap::default();
        for &clause in tree.list(data.clauses) {
            let Kind::Clause { patterns, .. } = tree.kind(clause) else { continue };
            for (position, &pattern) in tree.list(patterns).iter().enumerate() {
                params.insert(pattern, position as u32);
            }
        }
        let param = |node: NodeId| match source.bindings.occurrence(node) {
            Occurrence::Use([definition]) => params.get(definition).copied(),
            _ => None,
        };
        let mut size = 0;
        tree.for_each_below(data.node, |node| {
            size += 1;
            match tree.kind(node) {
                Kind::Receive { .. } | Kind::BinaryOp { op: BinaryOp::Send, .. } => {
                    self.unfit.insert(function);
                }
                Kind::Call { callee, args } => {
                    let kind = crate::library::call_kind(tree, &source.index, node);
                    if matches!(kind, VertexKind::Send | VertexKind::Spawn) {
                        self.unfit.insert(function);
                    }
                    if let Some(position) = param(callee) {
                        self.calls_given.insert((function, position));
                    }
                    let target = resolve::target(tree, &source.index, node);
                    let Some((module, name, arity)) = target.and_then(|t| t.mfa(source.name))
                    else {
                        return;
                    };
                    let module = if module == source.name {
                        Some(data.module)
                    } else {
                        sources.module(module)
                    };
                    let Some(to) = module.and_then(|module| sources.find(module, name, arity))
                    else {
                        return;
                    };
                    for (index, &argument) in tree.list(args).iter().enumerate() {
                        if let Some(position) = param(argument) {
                            let from = (function, position);
                            handed.push(HandedOn { from, to: (to, index as u32) });
                        }
                    }
                }
                _ => {}
            }
        });
        if size > LARGEST {
            self.unfit.insert(function);
        }
    }
}

impl Analysis<'_> {
    /// The model that stands in for a function.
    pub(crate) fn stand_in(&self, function: FunctionId) -> Option<FunctionId> {
        self.sources.instantiated.stand_ins.get(&function).copied()
    }

    /// Whether a model's function is the same for all that call it.
    pub(crate) fn is_closed(&self, function: FunctionId) -> bool {
        self.sources.instantiated.closed.contains(&function)
    }

    /// The body of a function of the program that a call leads to.
    pub(crate) fn own_body(&mut self, call: CallId, function: FunctionId) -> BodyId {
        if let Some(body) = self.callback_body(call, function) {
            return body;
        }
        let context = if self.sources.instantiated.for_each_call.contains(&function) {
            self.own_context(call)
        } else {
            FOR_ALL
        };
        self.named_body(function, context)
    }

    /// The instance of small functions of the program that a call uses: that of the caller, if it
    /// has one.
    fn own_context(&mut self, call: CallId) -> ContextId {
        let CallSite { body, node, .. } = self.constraints.calls[call];
        let Some(body) = body else { return FOR_ALL };
        match self.constraints.context_of(body) {
            FOR_ALL => self.context_at(body, node, FOR_ALL),
            inner => inner,
        }
    }

    /// The instance of models that a call uses. What a model calls belongs to the call that the
    /// model was instantiated for.
    pub(crate) fn model_context(&mut self, call: CallId, target: FunctionId) -> ContextId {
        let CallSite { body, node, .. } = self.constraints.calls[call];
        let Some(body) = body else { return FOR_ALL };
        let inner = self.constraints.context_of(body);
        if self.is_model_body(body) {
            return self.context_inside(inner, target);
        }
        let inner = self.context_around(inner, target);
        self.context_at(body, node, inner)
    }

    /// The context of a place, in an instance of the code that the place is in.
    fn context_at(&mut self, body: BodyId, node: NodeId, inside: ContextId) -> ContextId {
        let function = self.constraints.bodies[body].function;
        let site = Site { module: self.sources.function(function).module, node };
        self.constraints.context_at(site, inside)
    }

    /// The place of the program that a node of a body belongs to: the node, or the call for whose
    /// sake a model was instantiated.
    /// What is outside of the program belongs to none.
    pub(crate) fn site_of(&self, body: impl Into<Option<BodyId>>, node: NodeId) -> Option<Site> {
        let body = body.into()?;
        let function = self.constraints.bodies[body].function;
        if self.sources.is_model(function) {
            // A model that is entered from outside belongs to no place.
            return self.constraints.site_of_context(self.constraints.context_of(body));
        }
        Some(Site { module: self.sources.function(function).module, node })
    }
}
