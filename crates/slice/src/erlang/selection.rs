//! Which clauses can be chosen, by what is known of the values that are matched.
//!
//! A value is known as far as it is written: literals and constructors, variables that are bound to such
//! expressions, and parameters of functions all of whose calls are known. A clause that none of the values
//! can match is never chosen; a call whose arguments cannot match a clause takes its result from the others
//! (the thesis's tool and Slicerl, which asks a type inference, do the same for the arguments of a call; here
//! it goes through variables and parameters). Patterns that an earlier clause without a guard covers are
//! never chosen, either.
//!
//! Cost: each question looks at no more than [`MOST_STEPS`] variables; beyond that nothing is known.

use atom::Atom;
use flow::FunctionId;
use flow::bindings::Occurrence;
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, Module, NodeId, NodeList};

use super::build::Build;
use super::fields::literal_key;
use super::{effects, overlap};

/// How many variables one question may lead to.
const MOST_STEPS: u32 = 64;

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
    sources: FxHashMap<(u32, NodeId), Source>,
    /// The calls of each function by its name: module, and the call's node.
    calls: FxHashMap<FunctionId, Vec<(u32, NodeId)>>,
    /// Functions that may be called by others than those.
    open: Vec<bool>,
}

impl Selection {
    /// Notes where the variables of a function that is no fun have their values from.
    pub(crate) fn function(
        &mut self,
        tree: &Module,
        module: u32,
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

    pub(crate) fn matched(&mut self, tree: &Module, module: u32, pattern: NodeId, value: NodeId) {
        if matches!(tree.kind(pattern), Kind::Var(_)) {
            self.sources.insert((module, pattern), Source::Value(value));
        }
    }

    pub(crate) fn called(&mut self, function: FunctionId, module: u32, call: NodeId) {
        self.calls.entry(function).or_default().push((module, call));
    }

    /// A function may be called in ways that are not known here.
    pub(crate) fn opens(&mut self, function: FunctionId) {
        let index = function.0 as usize;
        if self.open.len() <= index {
            self.open.resize(index + 1, false);
        }
        self.open[index] = true;
    }

    /// The calls of a function, if all are known and there are some.
    fn calls_of(&self, function: FunctionId) -> Option<&[(u32, NodeId)]> {
        if self.open.get(function.0 as usize).copied().unwrap_or(false) {
            return None;
        }
        self.calls.get(&function).map(Vec::as_slice)
    }
}

impl Build<'_> {
    /// Whether no value of an expression matches a pattern.
    pub(crate) fn never_matches(
        &self,
        module: u32,
        expr: NodeId,
        pattern_module: u32,
        pattern: NodeId,
    ) -> bool {
        let mut question = Question { build: self, pattern_module, steps: 0, pending: Vec::new() };
        question.never(module, expr, pattern)
    }

    /// Whether none of the calls of a function can choose a clause with these patterns.
    pub(crate) fn is_never_chosen(
        &self,
        function: FunctionId,
        module: u32,
        patterns: NodeList,
    ) -> bool {
        let is_reached = self.flow.reached.get(function.0 as usize).copied().unwrap_or(false);
        let Some(calls) = self.selection.calls_of(function).filter(|_| is_reached) else {
            return false;
        };
        let tree = &self.flow.modules[module as usize].tree;
        let patterns = tree.list(patterns);
        calls.iter().all(|&(caller, call)| {
            let Kind::Call { args, .. } = self.flow.modules[caller as usize].tree.kind(call) else {
                return false;
            };
            let args = self.flow.modules[caller as usize].tree.list(args);
            let mut pairs = args.iter().zip(patterns);
            pairs.any(|(&arg, &pattern)| self.never_matches(caller, arg, module, pattern))
        })
    }
}

/// What an expression that is a table says about which one it is: equal for the same table, different for
/// different ones; `None` if it may be any. That is the name, or the call that makes the table if it has none.
pub(crate) fn table(build: &Build<'_>, module: u32, node: NodeId) -> Option<String> {
    let mut left = MOST_STEPS;
    find_table(build, module, node, &mut left, &mut Vec::new()).flatten()
}

/// `Some(None)` if it is not known, `None` if nothing new comes from here.
fn find_table(
    build: &Build<'_>,
    module: u32,
    node: NodeId,
    left: &mut u32,
    pending: &mut Vec<(FunctionId, u32)>,
) -> Option<Option<String>> {
    *left = left.saturating_sub(1);
    if *left == 0 {
        return Some(None);
    }
    let tree = &build.flow.modules[module as usize].tree;
    match tree.kind(node) {
        Kind::Atom(_) => Some(literal_key(tree, node)),
        Kind::Match { value, .. } => find_table(build, module, value, left, pending),
        Kind::Call { args, .. } if effects::makes_table(build, module, node) => {
            let &[name, options] = tree.list(args) else { return Some(None) };
            Some(match tree.kind(options) {
                Kind::Nil => Some(format!("t{module}:{}", node.0)),
                Kind::List { elements, tail: None } => {
                    let named = Kind::Atom(Atom::new("named_table"));
                    let all = tree.list(elements);
                    let is_known = |&option: &NodeId| {
                        matches!(tree.kind(option), Kind::Atom(_) | Kind::Tuple { .. })
                    };
                    if all.iter().any(|&option| tree.kind(option) == named) {
                        literal_key(tree, name)
                    } else {
                        all.iter().all(is_known).then(|| format!("t{module}:{}", node.0))
                    }
                }
                _ => None,
            })
        }
        Kind::Var(_) => {
            let bindings = &build.flow.bindings[module as usize];
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
                        let tree = &build.flow.modules[caller as usize].tree;
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
    pattern_module: u32,
    steps: u32,
    /// Parameters that are being looked at: what comes round to them has its values from elsewhere.
    pending: Vec<(FunctionId, u32, NodeId)>,
}

impl Question<'_, '_> {
    fn never(&mut self, module: u32, expr: NodeId, pattern: NodeId) -> bool {
        let flow = self.build.flow;
        let here = &flow.modules[module as usize].tree;
        let there = &flow.modules[self.pattern_module as usize].tree;
        overlap::never_match((here, expr), (there, pattern), &mut |variable, pattern| {
            self.variable(module, variable, pattern)
        })
    }

    fn variable(&mut self, module: u32, variable: NodeId, pattern: NodeId) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return false;
        }
        let bindings = &self.build.flow.bindings[module as usize];
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
            let tree = &build.flow.modules[module as usize].tree;
            let Kind::Call { args, .. } = tree.kind(call) else { return false };
            let arg = tree.list(args).get(index as usize);
            arg.is_some_and(|&arg| self.never(module, arg, pattern))
        });
        self.pending.pop();
        never
    }
}
