//! The first pass over a program: signatures from the bottom up. (The second is [`super::refine`].)
//!
//! Components of one level do not call each other and are looked at on all cores. A component is
//! repeated until its signatures stand still; from the third round on bounds that still grow are
//! let go of ([`Signature::widened_since`]), and after [`MOST_ROUNDS`] of what still grows only the
//! kinds of terms are kept.

use std::sync::{Arc, LazyLock};

use atom::{Atom, known};
use program::LoadedModule;
use program::index::NameArity;
use program::silenced::Silenced;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId};

use super::body::{Body, Callees, Wanted};
use super::callee::{Callee, Signature, Way};
use super::finding::{Because, Finding, Why};
use super::graph::{Graph, Index};
use super::refine::{ModuleFlow, Refined};
use super::rules;
use super::solver::ValueId;
use crate::declared::Declarations;
use crate::declared::contract::Contract;
use crate::ty::{Type, What, limits};

/// Rounds of a component before only kinds of terms are kept of what still grows.
pub(super) const MOST_ROUNDS: u32 = 24;
/// Rounds before bounds that grow are let go of.
pub(super) const EXACT_ROUNDS: u32 = 2;

/// How deep types are looked into in a round: what does not come to rest is looked into less.
pub(super) fn depth_in(round: u32) -> u32 {
    match round {
        0..6 => limits::DEPTH,
        6..20 => 3,
        20..22 => 2,
        _ => 1,
    }
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether specs of libraries are believed; else their functions give `any()`.
    pub believe_libraries: bool,
    /// Whether fields of records are what their declarations say. As dialyzer does, at the price
    /// that a declaration that is wrong makes wrong types.
    pub believe_records: bool,
    /// Whether functions that only their own module can call are given what they are called with.
    pub refine: bool,
    /// Whether it is told what is wrong.
    pub findings: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { believe_libraries: true, believe_records: false, refine: true, findings: true }
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
pub(super) struct World<'a> {
    pub(super) declarations: &'a Declarations,
    options: &'a Options,
    pub(super) modules: Vec<&'a LoadedModule>,
    pub(super) graph: Graph,
    stubs: Vec<bool>,
    pub(super) signatures: Vec<Arc<Signature>>,
    /// Signatures as they are whoever calls, once others know who does.
    first: Vec<Arc<Signature>>,
    /// Signatures if functions that have specs do what these say.
    believed: Vec<Arc<Signature>>,
    /// Whether specs of the program are believed now.
    believes: bool,
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
    let mut world = World {
        declarations,
        options,
        modules,
        graph,
        stubs,
        signatures,
        first: Vec::new(),
        believed: Vec::new(),
        believes: false,
        params,
    };
    let levels = by_level(&components);
    world.bottom_up(&levels);
    world.first.clone_from(&world.signatures);
    if options.findings {
        world.believe(&levels);
    }
    if options.refine {
        world.refine(&components);
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

/// Modules whose specs are believed even where they are part of the program: what they do with
/// their elements is said by type variables, which no signature has.
fn is_believed(module: Atom) -> bool {
    module.as_str() == "lists"
}

/// Functions whose specs are known to leave out what happens.
const WRONG_SPECS: &str = include_str!("../../models/wrong_specs.txt");

fn has_wrong_spec(module: Atom, (name, arity): NameArity) -> bool {
    static WRONG: LazyLock<FxHashSet<(Atom, NameArity)>> = LazyLock::new(|| {
        let lines = WRONG_SPECS.lines().filter_map(|line| line.split('%').next());
        let function = |line: &str| {
            let (module, function) = line.trim().split_once(':')?;
            let (name, arity) = function.split_once('/')?;
            Some((Atom::new(module), (Atom::new(name), arity.parse().ok()?)))
        };
        lines.filter_map(function).collect()
    });
    WRONG.contains(&(module, (name, arity)))
}

/// Where the spec of a native function contradicts what we know of it ourselves.
fn of_stub(
    declarations: &Declarations,
    module: Atom,
    (name, arity): NameArity,
    contract: &Contract,
) -> Option<Why> {
    let known = match rules::of_library(module.as_str(), name.as_str(), arity as usize) {
        Some(rule) => Callee::Rule(rule),
        None => Callee::Declared(declarations.contract(module, (name, arity))?),
    };
    let declared = contract.result();
    if *declared.opened() == Type::None {
        return None;
    }
    let ways = known.ways(&contract.args());
    if ways.is_empty() {
        return Some(Why::SpecClause { clause: 0, by_specs: false });
    }
    let inferred = ways.iter().fold(Type::None, |joined, way| joined.join(&way.result));
    let contradicts = declared.is_disjoint(&inferred);
    contradicts.then_some(Why::SpecResult { declared, inferred, by_specs: false })
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
pub(super) struct Seen<'a, 'b> {
    pub(super) world: &'b World<'a>,
    /// In ascending order.
    pub(super) component: &'b [Index],
    pub(super) signatures: &'b [Arc<Signature>],
}

impl Seen<'_, '_> {
    fn signature(&self, index: Index) -> Arc<Signature> {
        match self.component.binary_search(&index) {
            Ok(place) => Arc::clone(&self.signatures[place]),
            Err(_) => Arc::clone(&self.world.signatures[index]),
        }
    }
}

impl Seen<'_, '_> {
    /// A function of the program, by its spec if it has one.
    fn believed(&self, module: Atom, function: NameArity, index: Index) -> Callee {
        let contract = self.world.declarations.contract(module, function);
        contract.map_or_else(|| Callee::Known(self.signature(index)), Callee::Declared)
    }
}

impl Callees for Seen<'_, '_> {
    fn callee(&self, module: Atom, function: NameArity) -> Callee {
        let (name, arity) = function;
        if let Some(rule) = rules::of_library(module.as_str(), name.as_str(), arity as usize) {
            return Callee::Rule(rule);
        }
        let declared = || match self.world.declarations.contract(module, function) {
            Some(contract) if !has_wrong_spec(module, function) => Callee::Declared(contract),
            _ => Callee::Unknown,
        };
        if module == known::ERLANG {
            return declared();
        }
        if is_believed(module)
            && let Some(contract) = self.world.declarations.contract(module, function)
        {
            return Callee::Declared(contract);
        }
        match self.world.graph.by_name.get(&(module, function)) {
            Some(&index) if self.world.stubs[index] => declared(),
            Some(&index) if self.world.believes => self.believed(module, function, index),
            Some(&index) => Callee::Known(self.signature(index)),
            None if self.world.options.believe_libraries => declared(),
            None => Callee::Unknown,
        }
    }

    fn widest(&self, module: Atom, function: NameArity) -> Callee {
        match self.callee(module, function) {
            Callee::Known(known) => {
                let index = self.world.graph.by_name.get(&(module, function));
                let first = index.and_then(|&index| self.world.first.get(index));
                Callee::Known(first.map_or(known, Arc::clone))
            }
            other => other,
        }
    }

    fn declarations(&self) -> &Declarations {
        self.world.declarations
    }

    fn record(&self, module: Atom, name: Atom) -> Option<Type> {
        let believed = self.world.options.believe_records || self.world.believes;
        believed.then(|| self.world.declarations.named(What::Record { module, name }))
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

/// A world in which functions of the program do what their specs say.
struct Believing<'a, 'b> {
    seen: Seen<'a, 'b>,
    /// The one whose spec is looked at, which is not believed.
    function: (Atom, NameArity),
}

impl Callees for Believing<'_, '_> {
    fn callee(&self, module: Atom, function: NameArity) -> Callee {
        let world = self.seen.world;
        match self.seen.callee(module, function) {
            Callee::Known(known) => match world.graph.by_name.get(&(module, function)) {
                Some(&index) if (module, function) != self.function => {
                    let contract = world.declarations.contract(module, function);
                    let itself = || Callee::Known(Arc::clone(&world.believed[index]));
                    contract.map_or_else(itself, Callee::Declared)
                }
                _ => Callee::Known(known),
            },
            other => other,
        }
    }

    fn declarations(&self) -> &Declarations {
        self.seen.world.declarations
    }

    /// What a record declares is as good as a spec.
    fn record(&self, module: Atom, name: Atom) -> Option<Type> {
        Some(self.seen.world.declarations.named(What::Record { module, name }))
    }

    fn diverges(&self, module: Atom, function: NameArity) -> bool {
        self.seen.diverges(module, function)
    }
}

/// A function that was followed once.
pub(super) struct Followed {
    pub(super) signature: Signature,
    pub(super) wanted: Wanted,
}

impl<'a> World<'a> {
    /// Follows one function.
    pub(super) fn follow(
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
        // What parameters are is known by the calls of the function.
        let heads = if params.is_some() { self.first_head(index) } else { &[] };
        let mut values: Vec<ValueId> = Vec::with_capacity(arity);
        for (place, ty) in left.iter().enumerate() {
            body.solver.here = heads.get(place).copied();
            values.push(body.solver.value(ty.clone()));
        }
        body.solver.here = None;
        let mut signature = Signature::default();
        let Kind::Function { clauses, .. } = module.tree.kind(node.form) else {
            return Followed { signature, wanted: body.wanted };
        };
        let mut exhausted = left.iter().any(Type::is_none);
        for &clause in module.tree.list(clauses) {
            if exhausted {
                body.note(clause, &[], Why::Covered);
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

    /// The signatures of a component, repeated until they stand still. (In the end every part that
    /// still grows becomes all terms of their kinds, of which there are few.)
    fn component(&self, component: &[Index]) -> Vec<Arc<Signature>> {
        let nothing = Arc::new(Signature::default());
        let mut signatures = vec![nothing; component.len()];
        let recursive = self.graph.is_recursive(component);
        // What each function was found to be last, as long as those that it calls stay the same.
        let mut last: Vec<Option<Signature>> = vec![None; component.len()];
        let callers = self.callers_in(component);
        for round in 0.. {
            let mut changed = false;
            for (place, &index) in component.iter().enumerate() {
                let mut signature = match &last[place] {
                    Some(last) => last.clone(),
                    None => {
                        let seen = Seen { world: self, component, signatures: &signatures };
                        let params = self.params[index].as_deref();
                        self.follow(index, params, &seen, Wanted::default()).signature
                    }
                };
                last[place] = Some(signature.clone());
                let arity = self.graph.nodes[index].function.1 as usize;
                if round >= MOST_ROUNDS && signature != *signatures[place] {
                    signature = signature.given_up(&signatures[place], arity);
                } else if round >= EXACT_ROUNDS {
                    signature = signature.widened_since(&signatures[place], arity, depth_in(round));
                }
                if signature != *signatures[place] {
                    signatures[place] = Arc::new(signature);
                    changed = true;
                    callers[place].iter().for_each(|&caller| last[caller] = None);
                }
            }
            if !changed || !recursive {
                break;
            }
        }
        signatures
    }

    /// For each function of a component, the places of those in it that call it.
    fn callers_in(&self, component: &[Index]) -> Vec<Vec<usize>> {
        let mut callers = vec![Vec::new(); component.len()];
        for (caller, &index) in component.iter().enumerate() {
            for callee in &self.graph.nodes[index].calls {
                if let Ok(place) = component.binary_search(callee) {
                    callers[place].push(caller);
                }
            }
        }
        callers
    }

    fn bottom_up(&mut self, levels: &[Vec<&[Index]>]) {
        for level in levels {
            let found: Vec<Vec<Arc<Signature>>> =
                level.par_iter().map(|component| self.component(component)).collect();
            for (component, signatures) in level.iter().zip(found) {
                for (&index, signature) in component.iter().zip(signatures) {
                    self.signatures[index] = signature;
                }
            }
        }
    }

    /// Signatures from the bottom up in a program whose specs are right.
    fn believe(&mut self, levels: &[Vec<&[Index]>]) {
        let nothing = Arc::new(Signature::default());
        let fresh = vec![nothing; self.signatures.len()];
        let plain = std::mem::replace(&mut self.signatures, fresh);
        self.believes = true;
        self.bottom_up(levels);
        self.believes = false;
        self.believed = std::mem::replace(&mut self.signatures, plain);
    }

    /// Signatures and parameters of all modules, with what their functions are called with.
    fn refine(&mut self, components: &[(u32, Vec<Index>)]) {
        let mut order = vec![0; self.graph.nodes.len()];
        for (place, (_, component)) in components.iter().enumerate() {
            component.iter().for_each(|&index| order[index] = place);
        }
        // Those that others call first, so that what was found out about them is used.
        for level in self.graph.levels_of_modules(self.modules.len()) {
            let found: Vec<Vec<Refined>> = level
                .into_par_iter()
                .map(|module| ModuleFlow::new(self, module, &order).run())
                .collect();
            for refined in found.into_iter().flatten() {
                self.signatures[refined.index] = refined.signature;
                self.params[refined.index] = refined.params;
            }
        }
    }

    /// Follows every function once more for what is wrong with it, and hands out what is known.
    fn finish(self) -> Inferred {
        let looked_at = if self.options.findings { self.graph.nodes.len() } else { 0 };
        let silenced: Vec<Silenced> =
            self.modules.iter().map(|module| Silenced::of(&module.tree)).collect();
        let found: Vec<Vec<Finding>> = (0..looked_at)
            .into_par_iter()
            .map(|index| {
                let mut found = self.found_in(index);
                let node = &self.graph.nodes[index];
                let (tree, silenced) = (&self.modules[node.module].tree, &silenced[node.module]);
                found.retain(|finding| {
                    let made = || tree.token(tree[finding.node].first).expansion.is_some();
                    let is_meant = finding.why.is_usual_in_made_code() && made();
                    !is_meant && !silenced.is_silent(finding.why.silenced_by(), node.function)
                });
                found
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

impl World<'_> {
    /// What is wrong with a function.
    fn found_in(&self, index: Index) -> Vec<Finding> {
        let seen = Seen { world: self, component: &[], signatures: &[] };
        let wanted = Wanted { calls: None, findings: Some(Vec::new()) };
        let followed = self.follow(index, self.params[index].as_deref(), &seen, wanted);
        let mut found = followed.wanted.findings.unwrap_or_default();
        let node = &self.graph.nodes[index];
        let returns = !followed.signature.ways.is_empty() || followed.signature.diverges;
        let failing = found.iter().filter(|finding| finding.why.fails());
        let because: Vec<(NodeId, Because)> =
            failing.map(|finding| (finding.node, Because::Fails)).collect();
        found.iter_mut().for_each(|finding| self.explain(index, finding));
        // That it never returns follows from what was found in it; else it is meant.
        if !returns && !because.is_empty() {
            let why = Why::NoReturn { function: node.function };
            found.push(Finding { node: node.form, why, because });
        }
        self.check_callback(index, &followed.signature, &mut found);
        self.check_spec(index, &followed.signature, &mut found);
        found
    }

    /// Where a callback does not fit what its behaviours declare.
    fn check_callback(&self, index: Index, signature: &Signature, found: &mut Vec<Finding>) {
        let node = &self.graph.nodes[index];
        let module = self.modules[node.module];
        if signature.ways.is_empty() || !module.index.is_exported(node.function) {
            return;
        }
        for (behaviour, _) in module.index.behaviours.iter() {
            let Some(wanted) = self.declarations.callback(behaviour, node.function) else {
                continue;
            };
            let args = signature.args(node.function.1 as usize);
            let args = args.into_iter().zip(wanted.args()).enumerate();
            let mut places: Vec<(Option<usize>, Type, Type)> =
                args.map(|(place, (inferred, wanted))| (Some(place), inferred, wanted)).collect();
            places.push((None, signature.result(), wanted.result()));
            for (place, inferred, wanted) in places {
                if *wanted.opened() != Type::None && inferred.is_disjoint(&wanted) {
                    let why = Why::Callback { behaviour, place, inferred, wanted };
                    found.push(Finding { node: node.form, why, because: Vec::new() });
                }
            }
        }
    }

    /// What a spec says and the function does not: by what the functions that it calls do, and if
    /// there is nothing, by what their specs say.
    fn check_spec(&self, index: Index, signature: &Signature, found: &mut Vec<Finding>) {
        let node = &self.graph.nodes[index];
        let module = self.modules[node.module];
        let Some(&form) = module.index.specs.get(node.function) else { return };
        let Some(contract) = self.declarations.spec(module.name, node.function) else { return };
        let finding = |why| Finding { node: form, why, because: Vec::new() };
        found.extend(self.of_behaviours(index, &contract).into_iter().map(finding));
        if self.stubs[index] {
            let wrong = of_stub(self.declarations, module.name, node.function, &contract);
            found.extend(wrong.map(finding));
            return;
        }
        // What is said already is not said again, and one that never returns has no type.
        if signature.ways.is_empty() {
            return;
        }
        let seen = Seen { world: self, component: &[], signatures: &[] };
        let mut wrong = self.contradictions(index, signature, &contract, &seen, false);
        if wrong.is_empty() {
            let believing = Believing { seen, function: (module.name, node.function) };
            let signature = self.follow(index, None, &believing, Wanted::default()).signature;
            if !signature.ways.is_empty() {
                wrong = self.contradictions(index, &signature, &contract, &believing, true);
            }
        }
        found.extend(wrong.into_iter().map(finding));
    }

    /// Where the spec of a callback contradicts what its behaviours declare.
    fn of_behaviours(&self, index: Index, contract: &Contract) -> Vec<Why> {
        let node = &self.graph.nodes[index];
        let mut wrong = Vec::new();
        for (behaviour, _) in self.modules[node.module].index.behaviours.iter() {
            let Some(wanted) = self.declarations.callback(behaviour, node.function) else {
                continue;
            };
            let mut places: Vec<(Option<usize>, Type, Type)> = contract
                .args()
                .into_iter()
                .zip(wanted.args())
                .enumerate()
                .map(|(place, (declared, wanted))| (Some(place), declared, wanted))
                .collect();
            places.push((None, contract.result(), wanted.result()));
            for (place, declared, wanted) in places {
                let is_said = |ty: &Type| *ty.opened() != Type::None;
                if is_said(&declared) && is_said(&wanted) && declared.is_disjoint(&wanted) {
                    wrong.push(Why::SpecCallback { behaviour, place, declared, wanted });
                }
            }
        }
        wrong
    }

    /// Where a spec contradicts a function's type.
    fn contradictions(
        &self,
        index: Index,
        signature: &Signature,
        contract: &Contract,
        callees: &dyn Callees,
        by_specs: bool,
    ) -> Vec<Why> {
        let mut wrong = Vec::new();
        let arity = self.graph.nodes[index].function.1 as usize;
        let inferred = signature.args(arity);
        for (place, declared) in contract.args().into_iter().enumerate() {
            let inferred = &inferred[place];
            if *declared.opened() != Type::None && declared.is_disjoint(inferred) {
                let inferred = inferred.clone();
                wrong.push(Why::SpecArgument { place, declared, inferred, by_specs });
            }
        }
        if !wrong.is_empty() {
            return wrong;
        }
        let several = contract.clauses.len() > 1;
        for (clause, (args, declared)) in contract.ground().enumerate() {
            if *declared.opened() == Type::None {
                continue;
            }
            // The function given what the clause says.
            let given = self.follow(index, Some(&args), callees, Wanted::default()).signature;
            if given.ways.is_empty() {
                if several && !given.diverges {
                    wrong.push(Why::SpecClause { clause, by_specs });
                }
                continue;
            }
            let inferred = given.result();
            if declared.is_disjoint(&inferred) {
                wrong.push(Why::SpecResult { declared, inferred, by_specs });
            }
        }
        wrong
    }
}
