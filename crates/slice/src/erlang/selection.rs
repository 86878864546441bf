//! Which clauses can be chosen, by what is known of the values that are matched.
//!
//! A value is known as far as it is written: literals and constructors, variables that are bound to
//! such expressions, results of the program's functions, and parameters of functions all of whose
//! calls are known. Of other expressions the types are known ([`types`]), and guards that test
//! types are looked at. A clause that none of the values can match is never chosen; a call whose
//! arguments cannot match a clause takes its result from the others (the thesis's tool and Slicerl,
//! which asks a type inference, do the same for the arguments of a call; here it goes through
//! variables and parameters). Patterns that an earlier clause without a guard covers are never
//! chosen, either.
//!
//! Cost: each question looks at no more than [`MOST_STEPS`] variables; beyond that nothing is
//! known.

use atom::Atom;
use flow::bindings::Occurrence;
use flow::ids::IdVec;
use flow::{FunctionId, ModuleId};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId, NodeList};

use super::build::Build;
use super::fields::literal_key;
use super::types::{self, Types};
use super::{effects, overlap};

/// How many variables and calls one question may lead to.
const MOST_STEPS: u32 = 64;

/// In place of the number of a parameter: what a function gives.
const RESULT: u32 = u32::MAX;

/// Where a variable has its value from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    /// `V = Expr`.
    Value(NodeId),
    /// The parameter with this number.
    Parameter(FunctionId, u32),
}

/// What is known before the graph is made.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// By module and defining occurrence.
    sources: FxHashMap<(ModuleId, NodeId), Source>,
    /// What the guard of its clause says of a variable, by module and defining occurrence.
    narrowed: FxHashMap<(ModuleId, NodeId), Types>,
    /// The calls of each function by its name: module, and the call's node.
    calls: FxHashMap<FunctionId, Vec<(ModuleId, NodeId)>>,
    /// Functions that may be called by others than those.
    open: IdVec<FunctionId, bool>,
}

impl Selection {
    /// For so many functions.
    pub(crate) fn new(functions: usize) -> Selection {
        Selection { open: IdVec::filled(false, functions), ..Selection::default() }
    }

    /// Notes where the variables of a function that is no fun have their values from.
    pub(crate) fn function(
        &mut self,
        tree: &Module,
        module: ModuleId,
        function: FunctionId,
        at: NodeId,
    ) {
        let Kind::Function { clauses, .. } = tree.kind(at) else { return };
        for &clause in tree.list(clauses) {
            let Kind::Clause { patterns, .. } = tree.kind(clause) else { continue };
            for (index, &pattern) in tree.list(patterns).iter().enumerate() {
                if matches!(tree.kind(pattern), Kind::Var(_)) {
                    let source = Source::Parameter(function, index as u32);
                    self.sources.insert((module, pattern), source);
                }
            }
        }
    }

    pub(crate) fn source(&self, module: ModuleId, definition: NodeId) -> Option<Source> {
        self.sources.get(&(module, definition)).copied()
    }

    pub(crate) fn narrow(&mut self, module: ModuleId, definition: NodeId, types: Types) {
        *self.narrowed.entry((module, definition)).or_insert(types::ANY) &= types;
    }

    /// The types that a variable can have, as far as guards say.
    pub(crate) fn narrowed(&self, module: ModuleId, definition: NodeId) -> Types {
        self.narrowed.get(&(module, definition)).copied().unwrap_or(types::ANY)
    }

    pub(crate) fn matched(
        &mut self,
        tree: &Module,
        module: ModuleId,
        pattern: NodeId,
        value: NodeId,
    ) {
        if matches!(tree.kind(pattern), Kind::Var(_)) {
            self.sources.insert((module, pattern), Source::Value(value));
        }
    }

    pub(crate) fn called(&mut self, function: FunctionId, module: ModuleId, call: NodeId) {
        self.calls.entry(function).or_default().push((module, call));
    }

    /// A function may be called in ways that are not known here.
    pub(crate) fn opens(&mut self, function: FunctionId) {
        self.open[function] = true;
    }

    /// The calls of a function, if all are known and there are some.
    pub(crate) fn calls_of(&self, function: FunctionId) -> Option<&[(ModuleId, NodeId)]> {
        if self.open[function] {
            return None;
        }
        self.calls.get(&function).map(Vec::as_slice)
    }
}

impl Build<'_> {
    /// Whether no value of an expression matches a pattern.
    fn never_matches(
        &self,
        module: ModuleId,
        expr: NodeId,
        pattern_module: ModuleId,
        pattern: NodeId,
    ) -> bool {
        let mut question = Question { build: self, pattern_module, steps: 0, pending: Vec::new() };
        question.never(module, expr, pattern)
    }

    /// Whether no values of these expressions match patterns.
    pub(crate) fn never_match_all(
        &self,
        (caller, args): (ModuleId, &[NodeId]),
        (module, patterns): (ModuleId, NodeList),
    ) -> bool {
        let patterns = self.flow.modules[module].tree.list(patterns);
        let mut pairs = args.iter().zip(patterns);
        pairs.any(|(&arg, &pattern)| self.never_matches(caller, arg, module, pattern))
    }

    /// Whether every alternative of a guard tests one of the variables that are patterns for a type
    /// that the expression does not have.
    pub(crate) fn never_passes(
        &self,
        (caller, args): (ModuleId, &[NodeId]),
        (module, patterns, guards): (ModuleId, NodeList, NodeList),
    ) -> bool {
        let patterns = self.flow.modules[module].tree.list(patterns);
        let tests = types::tested(self, module, guards);
        !tests.is_empty()
            && tests.iter().all(|alternative| {
                alternative.iter().any(|&(definition, tested)| {
                    let position = patterns.iter().position(|&pattern| pattern == definition);
                    let arg = position.and_then(|position| args.get(position));
                    arg.is_some_and(|&arg| types::of(self, caller, arg) & tested == 0)
                })
            })
    }

    /// Whether something holds for the arguments of all calls of a function; `false` if not all are
    /// known.
    pub(crate) fn holds_for_calls(
        &self,
        function: FunctionId,
        holds: impl Fn((ModuleId, &[NodeId])) -> bool,
    ) -> bool {
        let is_reached = self.flow.reached.get(function).copied().unwrap_or(false);
        let Some(calls) = self.selection.calls_of(function).filter(|_| is_reached) else {
            return false;
        };
        calls.iter().all(|&(caller, call)| {
            let tree = &self.flow.modules[caller].tree;
            let Kind::Call { args, .. } = tree.kind(call) else { return false };
            holds((caller, tree.list(args)))
        })
    }
}

/// What an expression that is a table says about which one it is: equal for the same table,
/// different for different ones; `None` if it may be any. That is the name, or the call that makes
/// the table if it has none.
pub(crate) fn table(build: &Build<'_>, module: ModuleId, node: NodeId) -> Option<String> {
    let mut left = MOST_STEPS;
    find_table(build, module, node, &mut left, &mut Vec::new()).flatten()
}

/// `Some(None)` if it is not known, `None` if nothing new comes from here.
fn find_table(
    build: &Build<'_>,
    module: ModuleId,
    node: NodeId,
    left: &mut u32,
    pending: &mut Vec<(FunctionId, u32)>,
) -> Option<Option<String>> {
    *left = left.saturating_sub(1);
    if *left == 0 {
        return Some(None);
    }
    let tree = &build.flow.modules[module].tree;
    match tree.kind(node) {
        Kind::Atom(_) => Some(literal_key(tree, node)),
        Kind::Match { value, .. } => find_table(build, module, value, left, pending),
        Kind::Call { args, .. } if effects::makes_table(build, module, node) => {
            let &[name, options] = tree.list(args) else { return Some(None) };
            Some(match tree.kind(options) {
                Kind::Nil => Some(format!("t{}:{}", module.number(), node.0)),
                Kind::List { elements, tail: None } => {
                    let named = Kind::Atom(Atom::new("named_table"));
                    let all = tree.list(elements);
                    let is_known = |&option: &NodeId| {
                        matches!(tree.kind(option), Kind::Atom(_) | Kind::Tuple { .. })
                    };
                    if all.iter().any(|&option| tree.kind(option) == named) {
                        literal_key(tree, name)
                    } else {
                        all.iter().all(is_known).then(|| format!("t{}:{}", module.number(), node.0))
                    }
                }
                _ => None,
            })
        }
        Kind::Var(_) => {
            let bindings = &build.flow.bindings[module];
            let Occurrence::Use(definitions) = bindings.occurrence(node) else {
                return Some(None);
            };
            let &[definition] = definitions else { return Some(None) };
            match build.selection.sources.get(&(module, definition)) {
                Some(&Source::Value(value)) => find_table(build, module, value, left, pending),
                Some(&Source::Parameter(function, index)) => {
                    if pending.contains(&(function, index)) {
                        return None;
                    }
                    let Some(calls) = build.selection.calls_of(function) else {
                        return Some(None);
                    };
                    pending.push((function, index));
                    let mut found: Option<Option<String>> = None;
                    for &(caller, call) in calls {
                        let tree = &build.flow.modules[caller].tree;
                        let Kind::Call { args, .. } = tree.kind(call) else { return Some(None) };
                        let Some(&arg) = tree.list(args).get(index as usize) else {
                            return Some(None);
                        };
                        let Some(table) = find_table(build, caller, arg, left, pending) else {
                            continue;
                        };
                        if table.is_none() || found.as_ref().is_some_and(|found| *found != table) {
                            return Some(None);
                        }
                        found = Some(table);
                    }
                    pending.pop();
                    found
                }
                None => Some(None),
            }
        }
        _ => Some(None),
    }
}

struct Question<'b, 'p> {
    build: &'b Build<'p>,
    pattern_module: ModuleId,
    steps: u32,
    /// Parameters that are being looked at: what comes round to them has its values from elsewhere.
    pending: Vec<(FunctionId, u32, NodeId)>,
}

impl Question<'_, '_> {
    fn never(&mut self, module: ModuleId, expr: NodeId, pattern: NodeId) -> bool {
        let flow = self.build.flow;
        let here = &flow.modules[module].tree;
        let there = &flow.modules[self.pattern_module].tree;
        overlap::never_match((here, expr), (there, pattern), &mut |other, pattern| {
            self.other(module, other, pattern)
        })
    }

    /// An expression that is no constructor and no literal.
    fn other(&mut self, module: ModuleId, expr: NodeId, pattern: NodeId) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return false;
        }
        let flow = self.build.flow;
        let wanted = types::of_pattern(&flow.modules[self.pattern_module].tree, pattern);
        if wanted == types::ANY {
            return false;
        }
        if types::of(self.build, module, expr) & wanted == 0 {
            return true;
        }
        match flow.modules[module].tree.kind(expr) {
            Kind::Var(_) => self.variable(module, expr, pattern),
            Kind::Call { .. } => self.result(module, expr, pattern),
            Kind::Block { body } => self.last(module, body, pattern),
            Kind::Case { clauses, .. } | Kind::If { clauses } => {
                self.clauses(module, clauses, pattern)
            }
            _ => false,
        }
    }

    /// What a function of the program gives.
    fn result(&mut self, module: ModuleId, call: NodeId, pattern: NodeId) -> bool {
        let build = self.build;
        let loaded = &build.program.modules[module.index()];
        let target = loaded.target(call).and_then(|target| target.mfa(loaded.name));
        let Some(function) = target.and_then(|(of, name, arity)| build.find(of, name, arity))
        else {
            return false;
        };
        let pending = (function, RESULT, pattern);
        if self.pending.contains(&pending) {
            return true;
        }
        self.pending.push(pending);
        let called = build.flow.function(function);
        let never = self.clauses(called.module, called.clauses, pattern);
        self.pending.pop();
        never
    }

    fn clauses(&mut self, module: ModuleId, clauses: NodeList, pattern: NodeId) -> bool {
        let tree = self.build.flow.modules[module].tree.clone();
        tree.list(clauses).iter().all(|&clause| match tree.kind(clause) {
            Kind::Clause { body, .. } => self.last(module, body, pattern),
            _ => false,
        })
    }

    fn last(&mut self, module: ModuleId, body: NodeList, pattern: NodeId) -> bool {
        let tree = self.build.flow.modules[module].tree.clone();
        tree.list(body).last().is_some_and(|&last| self.never(module, last, pattern))
    }

    fn variable(&mut self, module: ModuleId, variable: NodeId, pattern: NodeId) -> bool {
        let bindings = &self.build.flow.bindings[module];
        let Occurrence::Use(definitions) = bindings.occurrence(variable) else { return false };
        let &[definition] = definitions else { return false };
        match self.build.selection.sources.get(&(module, definition)) {
            Some(&Source::Value(value)) => self.never(module, value, pattern),
            Some(&Source::Parameter(function, index)) => self.parameter(function, index, pattern),
            None => false,
        }
    }

    fn parameter(&mut self, function: FunctionId, index: u32, pattern: NodeId) -> bool {
        if self.pending.contains(&(function, index, pattern)) {
            return true;
        }
        let build = self.build;
        let Some(calls) = build.selection.calls_of(function) else { return false };
        self.pending.push((function, index, pattern));
        let never = calls.iter().all(|&(module, call)| {
            let tree = &build.flow.modules[module].tree;
            let Kind::Call { args, .. } = tree.kind(call) else { return false };
            let arg = tree.list(args).get(index as usize);
            arg.is_some_and(|&arg| self.never(module, arg, pattern))
        });
        self.pending.pop();
        never
    }
}
