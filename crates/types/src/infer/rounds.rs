//! The two passes over a program: signatures from the bottom up, parameters from the top down.
//!
//! Components of one level do not call each other and are looked at on all cores. A component is
//! repeated until its signatures stand still; from the third round on bounds that still grow are
//! let go of ([`Signature::widened_since`]), and after [`MOST_ROUNDS`] what still grows is
//! `any()`.

use std::sync::Arc;

use atom::{Atom, known};
use program::LoadedModule;
use program::index::NameArity;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, NodeId};

use super::body::{Body, Callees, Wanted};
use super::callee::{Callee, Signature, Way};
use super::finding::{Finding, Why};
use super::graph::{Graph, Index};
use super::rules;
use super::solver::ValueId;
use crate::declared::Declarations;
use crate::ty::Type;

/// Rounds of a component before what still grows is taken as `any()`.
const MOST_ROUNDS: u32 = 24;
/// Rounds before bounds that grow are let go of.
const EXACT_ROUNDS: u32 = 2;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether specs of libraries are believed; else their functions give `any()`.
    pub believe_libraries: bool,
    /// Whether functions that only their own module can call are given what they are called with.
    pub refine: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { believe_libraries: true, refine: true }
    }
}

/// What was found out about a function.
#[derive(Clone, Debug)]
pub struct Function {
    pub module: Atom,
    pub function: NameArity,
    pub form: NodeId,
    pub exported: bool,
    /// Whether it is native: its text only fails, and its spec says what it does.
    pub stub: bool,
    pub signature: Arc<Signature>,
}

impl Function {
    pub fn args(&self) -> Vec<Type> {
        self.signature.args(self.function.1 as usize)
    }

    pub fn result(&self) -> Type {
        self.signature.result()
    }
}

/// The functions of a program in the order of its modules and their texts, and what is wrong.
pub struct Inferred {
    pub functions: Vec<Function>,
    /// By module, in the order of the text.
    pub findings: Vec<(Atom, Vec<Finding>)>,
    by_name: FxHashMap<(Atom, NameArity), Index>,
}

impl Inferred {
    pub fn function(&self, module: Atom, function: NameArity) -> Option<&Function> {
        self.by_name.get(&(module, function)).map(|&index| &self.functions[index])
    }
}

/// Everything that is known while functions are looked at.
struct World<'a> {
    declarations: &'a Declarations,
    options: &'a Options,
    modules: Vec<&'a LoadedModule>,
    graph: Graph,
    stubs: Vec<bool>,
    signatures: Vec<Arc<Signature>>,
    /// Whether the last pass has changed a signature.
    changed: Vec<bool>,
    /// What a function is called with, where all its calls are known.
    params: Vec<Option<Vec<Type>>>,
}

/// The success typings of a program.
pub fn infer(declarations: &Declarations, options: &Options) -> Inferred {
    let modules: Vec<&LoadedModule> = declarations.program().modules.iter().collect();
    let graph = Graph::new(&modules);
    let components = graph.components();
    let stubs = graph.nodes.iter().map(|node| is_stub(modules[node.module], node.form)).collect();
    let nothing = Arc::new(Signature::default());
    let signatures = vec![nothing; graph.nodes.len()];
    let params = vec![None; graph.nodes.len()];
    let changed = vec![false; graph.nodes.len()];
    let mut world =
        World { declarations, options, modules, graph, stubs, signatures, changed, params };
    let levels = by_level(&components);
    world.bottom_up(&levels, |_, _| true);
    if options.refine {
        world.top_down(&components);
        // Only what is given less now, or calls what gives less, can be less.
        world.bottom_up(&levels, |world, component| {
            component.iter().any(|&index| {
                world.params[index].is_some()
                    || world.graph.nodes[index].calls.iter().any(|&callee| world.changed[callee])
            })
        });
    }
    world.finish()
}

/// Components by their levels, callees first.
fn by_level(components: &[(u32, Vec<Index>)]) -> Vec<Vec<&[Index]>> {
    let mut levels: Vec<Vec<&[Index]>> = Vec::new();
    for (level, members) in components {
        let level = *level as usize;
        if levels.len() <= level {
            levels.resize(level + 1, Vec::new());
        }
        levels[level].push(members);
    }
    levels
}

/// Whether a function's text only says that it is native.
fn is_stub(module: &LoadedModule, form: NodeId) -> bool {
    let tree = &module.tree;
    let Kind::Function { clauses, .. } = tree.kind(form) else { return false };
    tree.list(clauses).iter().all(|&clause| {
        let Kind::Clause { body, .. } = tree.kind(clause) else { return false };
        let Some(&last) = tree.list(body).last() else { return false };
        module
            .target(last)
            .and_then(|target| target.mfa(module.name))
            .is_some_and(|(of, name, _)| of == known::ERLANG && name.as_str() == "nif_error")
    })
}

/// A world in which the signatures of one component are others.
struct Seen<'a, 'b> {
    world: &'b World<'a>,
    component: &'b [Index],
    signatures: &'b [Arc<Signature>],
}

impl Seen<'_, '_> {
    fn signature(&self, index: Index) -> Arc<Signature> {
        match self.component.binary_search(&index) {
            Ok(place) => Arc::clone(&self.signatures[place]),
            Err(_) => Arc::clone(&self.world.signatures[index]),
        }
    }
}

impl Callees for Seen<'_, '_> {
    fn callee(&self, module: Atom, function: NameArity) -> Callee {
        let (name, arity) = function;
        if let Some(rule) = rules::of_library(module.as_str(), name.as_str(), arity as usize) {
            return Callee::Rule(rule);
        }
        let declared = || match self.world.declarations.contract(module, function) {
            Some(contract) => Callee::Declared(contract),
            None => Callee::Unknown,
        };
        if module == known::ERLANG {
            return declared();
        }
        match self.world.graph.by_name.get(&(module, function)) {
            Some(&index) if self.world.stubs[index] => declared(),
            Some(&index) => Callee::Known(self.signature(index)),
            None if self.world.options.believe_libraries => declared(),
            None => Callee::Unknown,
        }
    }

    fn diverges(&self, module: Atom, function: NameArity) -> bool {
        match self.world.graph.by_name.get(&(module, function)) {
            Some(&index) => {
                self.component.binary_search(&index).is_ok() || self.signature(index).diverges
            }
            None => matches!(function.0.as_str(), "hibernate" | "halt"),
        }
    }
}

/// A function that was followed once.
struct Followed {
    signature: Signature,
    wanted: Wanted,
}

impl<'a> World<'a> {
    /// Follows one function.
    fn follow(
        &self,
        index: Index,
        params: Option<&[Type]>,
        callees: &dyn Callees,
        wanted: Wanted,
    ) -> Followed {
        let node = &self.graph.nodes[index];
        let module = self.modules[node.module];
        let mut body = Body::new(callees, module, wanted);
        let arity = node.function.1 as usize;
        let mut left: Vec<Type> = match params {
            Some(params) => params.to_vec(),
            None => vec![Type::Any; arity],
        };
        let values: Vec<ValueId> = left.iter().map(|ty| body.solver.value(ty.clone())).collect();
        let mut signature = Signature::default();
        let Kind::Function { clauses, .. } = module.tree.kind(node.form) else {
            return Followed { signature, wanted: body.wanted };
        };
        let mut exhausted = left.iter().any(Type::is_none);
        for &clause in module.tree.list(clauses) {
            if exhausted {
                body.note(|| Finding { node: clause, why: Why::Covered });
                continue;
            }
            let mark = body.solver.mark();
            let before = left.clone();
            exhausted = !body.take_away(clause, &mut left);
            let narrowed = values
                .iter()
                .zip(&before)
                .try_for_each(|(&value, ty)| body.solver.narrow(value, ty));
            let result = narrowed.and_then(|()| body.clause(clause, &values));
            if let Ok(result) = result {
                let ty = |value: ValueId| body.solver.ty(value).limited();
                let args = values.iter().map(|&value| ty(value)).collect();
                signature.add(Way { args, result: ty(result) });
            }
            body.solver.undo(mark);
        }
        signature.diverges = body.diverges;
        Followed { signature, wanted: body.wanted }
    }

    /// The signatures of a component, repeated until they stand still.
    fn component(&self, component: &[Index]) -> Vec<Arc<Signature>> {
        let nothing = Arc::new(Signature::default());
        let mut signatures = vec![nothing; component.len()];
        let recursive = self.graph.is_recursive(component);
        for round in 0.. {
            let mut changed = false;
            for (place, &index) in component.iter().enumerate() {
                let seen = Seen { world: self, component, signatures: &signatures };
                let params = self.params[index].as_deref();
                let followed = self.follow(index, params, &seen, Wanted::default());
                let mut signature = followed.signature;
                let arity = self.graph.nodes[index].function.1 as usize;
                if round >= MOST_ROUNDS && signature != *signatures[place] {
                    let diverges = signature.diverges;
                    let args = signature.args(arity).iter().map(|_| Type::Any).collect();
                    signature = Signature { ways: vec![Way { args, result: Type::Any }], diverges };
                } else if round >= EXACT_ROUNDS {
                    signature = signature.widened_since(&signatures[place], arity);
                }
                if signature != *signatures[place] {
                    signatures[place] = Arc::new(signature);
                    changed = true;
                }
            }
            if !changed || !recursive || round > MOST_ROUNDS + 2 {
                break;
            }
        }
        signatures
    }

    /// Makes the signatures of all components for which it is worth it.
    fn bottom_up(
        &mut self,
        levels: &[Vec<&[Index]>],
        is_worth_it: impl Fn(&World<'_>, &[Index]) -> bool,
    ) {
        for level in levels {
            let level: Vec<&[Index]> =
                level.iter().copied().filter(|component| is_worth_it(self, component)).collect();
            let found: Vec<Vec<Arc<Signature>>> =
                level.par_iter().map(|component| self.component(component)).collect();
            for (component, signatures) in level.iter().zip(found) {
                for (&index, signature) in component.iter().zip(signatures) {
                    self.changed[index] = self.signatures[index] != signature;
                    self.signatures[index] = signature;
                }
            }
        }
    }

    /// What functions are called with, callers first, for those that only their module can call.
    fn top_down(&mut self, components: &[(u32, Vec<Index>)]) {
        let mut by_module: Vec<Vec<&[Index]>> = vec![Vec::new(); self.modules.len()];
        for (_, component) in components.iter().rev() {
            if let Some(&first) = component.first() {
                by_module[self.graph.nodes[first].module].push(component);
            }
        }
        let found: Vec<Vec<(Index, Vec<Type>)>> =
            by_module.par_iter().map(|components| self.params_of(components)).collect();
        for (index, params) in found.into_iter().flatten() {
            self.params[index] = Some(params);
        }
    }

    /// The parameters of one module's functions.
    fn params_of(&self, components: &[&[Index]]) -> Vec<(Index, Vec<Type>)> {
        let mut called: FxHashMap<Index, Vec<Type>> = FxHashMap::default();
        let mut found = Vec::new();
        for component in components {
            let closed = component.iter().all(|&index| !self.graph.nodes[index].escapes);
            for round in 0.. {
                let before: Vec<Option<Vec<Type>>> =
                    component.iter().map(|index| called.get(index).cloned()).collect();
                for (&index, params) in component.iter().zip(&before) {
                    let node = &self.graph.nodes[index];
                    let any = vec![Type::Any; node.function.1 as usize];
                    let params = match (node.escapes, params) {
                        (true, _) => any,
                        (false, Some(params)) => params.clone(),
                        // Nobody calls it.
                        (false, None) if !closed || round > 0 => continue,
                        (false, None) => any,
                    };
                    self.note_calls(index, &params, component, round, &mut called);
                }
                let now: Vec<Option<Vec<Type>>> =
                    component.iter().map(|index| called.get(index).cloned()).collect();
                if now == before || round > MOST_ROUNDS {
                    break;
                }
            }
            for &index in *component {
                let escapes = self.graph.nodes[index].escapes;
                if let (false, Some(params)) = (escapes, called.get(&index)) {
                    found.push((index, params.clone()));
                }
            }
        }
        found
    }

    /// Notes what a function calls others of its module with.
    fn note_calls(
        &self,
        index: Index,
        params: &[Type],
        component: &[Index],
        round: u32,
        called: &mut FxHashMap<Index, Vec<Type>>,
    ) {
        let seen = Seen { world: self, component: &[], signatures: &[] };
        let wanted = Wanted { calls: Some(Vec::new()), findings: None };
        let module = self.modules[self.graph.nodes[index].module].name;
        let followed = self.follow(index, Some(params), &seen, wanted);
        for (function, args) in followed.wanted.calls.unwrap_or_default() {
            let Some(&callee) = self.graph.by_name.get(&(module, function)) else { continue };
            match called.get_mut(&callee) {
                None => {
                    called.insert(callee, args.iter().map(|arg| arg.limited()).collect());
                }
                Some(before) => {
                    let inside = component.contains(&callee) && round >= EXACT_ROUNDS;
                    for (before, arg) in before.iter_mut().zip(&args) {
                        let joined = before.join(arg).limited();
                        *before = match (inside, round >= MOST_ROUNDS) {
                            (true, true) if joined != *before => Type::Any,
                            (true, _) => joined.widened_since(before),
                            (false, _) => joined,
                        };
                    }
                }
            }
        }
    }

    /// Follows every function once more for what is wrong with it, and hands out what is known.
    fn finish(self) -> Inferred {
        let found: Vec<Vec<Finding>> = (0..self.graph.nodes.len())
            .into_par_iter()
            .map(|index| {
                let seen = Seen { world: &self, component: &[], signatures: &[] };
                let wanted = Wanted { calls: None, findings: Some(Vec::new()) };
                let params = self.params[index].as_deref();
                let followed = self.follow(index, params, &seen, wanted);
                followed.wanted.findings.unwrap_or_default()
            })
            .collect();
        let mut findings: Vec<(Atom, Vec<Finding>)> =
            self.modules.iter().map(|module| (module.name, Vec::new())).collect();
        for (node, found) in self.graph.nodes.iter().zip(found) {
            findings[node.module].1.extend(found);
        }
        let functions = self.graph.nodes.iter().enumerate().map(|(index, node)| {
            let module = self.modules[node.module];
            Function {
                module: module.name,
                function: node.function,
                form: node.form,
                exported: module.index.is_exported(node.function),
                stub: self.stubs[index],
                signature: Arc::clone(&self.signatures[index]),
            }
        });
        Inferred { functions: functions.collect(), findings, by_name: self.graph.by_name }
    }
}
