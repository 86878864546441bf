//! What a variable of a pattern can hold, by the guards of its clause and by the clauses before it.
//!
//! `f(X) when is_atom(X)` gets atoms only; after a clause for `undefined`, a variable in the same
//! place is something else. Only variables that the clause itself binds are narrowed, so all that
//! uses them is behind the guard. Tests on kinds, on equality with atoms, integers and `[]`, and on
//! records are understood, joined by `,`, `andalso` and `;`; whatever else a guard says is taken to
//! hold.
//!
//! What is unknown passes every test. Cost: linear in the trees.

use atom::Atom;
use rustc_hash::FxHashMap;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList, UnaryOp};
use syntax::token::Literal;

use crate::analysis::Analysis;
use crate::bindings::{Bindings, Occurrence};
use crate::sources::ModuleId;
use crate::values::{Value, ValueId};

/// A value that is the same wherever it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exact {
    Atom(Atom),
    Int(i64),
    Nil,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Check {
    Atom,
    Boolean,
    Number,
    List,
    Tuple,
    Map,
    Binary,
    Pid,
    Reference,
    Port,
    /// With an arity, if it is given.
    Function(Option<u32>),
    Record(Atom, Option<u32>),
    Is(Exact),
}

#[derive(Debug, Default)]
struct Test {
    /// One of these must hold, all of it. Empty: nothing is asked.
    any_of: Vec<Vec<Check>>,
    /// What clauses before have taken.
    taken: Vec<Exact>,
}

impl Test {
    fn takes_before(&self, value: Value) -> bool {
        self.taken.iter().any(|taken| match (*taken, value) {
            (Exact::Atom(taken), Value::Atom(name)) => taken == name,
            (Exact::Int(taken), Value::Int(number)) => taken == number,
            (Exact::Nil, Value::Nil) => true,
            _ => false,
        })
    }
}

/// The tests on the variables of a module, by the node that binds them.
#[derive(Debug, Default)]
pub(crate) struct Narrowing {
    tests: FxHashMap<NodeId, Test>,
}

impl Narrowing {
    pub(crate) fn of(tree: &Module, bindings: &Bindings) -> Narrowing {
        let mut found = Narrowing::default();
        for index in 0..tree.nodes.len() {
            match tree.kind(NodeId(index as u32)) {
                Kind::Clause { patterns, guards, .. } => {
                    found.guarded(tree, bindings, patterns, guards);
                }
                Kind::Function { clauses, .. }
                | Kind::Fun { clauses, .. }
                | Kind::Case { clauses, .. }
                | Kind::Receive { clauses, .. } => found.after_others(tree, bindings, clauses),
                _ => {}
            }
        }
        found
    }

    /// Whether something is known of a variable.
    pub(crate) fn narrows(&self, variable: NodeId) -> bool {
        self.tests.contains_key(&variable)
    }

    fn guarded(
        &mut self,
        tree: &Module,
        bindings: &Bindings,
        patterns: NodeList,
        guards: NodeList,
    ) {
        let alternatives: Vec<Vec<(NodeId, Check)>> = tree
            .list(guards)
            .iter()
            .map(|&guard| {
                let mut checks = Vec::new();
                if let Kind::Guard { tests } = tree.kind(guard) {
                    for &test in tree.list(tests) {
                        gather(tree, bindings, test, &mut checks);
                    }
                }
                checks
            })
            .collect();
        if alternatives.iter().any(Vec::is_empty) || alternatives.is_empty() {
            return;
        }
        for &pattern in tree.list(patterns) {
            tree.for_each_below(pattern, |node| {
                if bindings.occurrence(node) != Occurrence::Define {
                    return;
                }
                let of_node = alternatives.iter().map(|checks| {
                    let own = checks.iter().filter(|(variable, _)| *variable == node);
                    own.map(|&(_, check)| check).collect::<Vec<Check>>()
                });
                let any_of: Vec<Vec<Check>> = of_node.collect();
                if any_of.iter().all(|checks| !checks.is_empty()) {
                    self.tests.entry(node).or_default().any_of = any_of;
                }
            });
        }
    }

    /// A variable in the place where clauses before have literals, and nothing else to choose by.
    fn after_others(&mut self, tree: &Module, bindings: &Bindings, clauses: NodeList) {
        let mut taken: Vec<(usize, Exact)> = Vec::new();
        for &clause in tree.list(clauses) {
            let Kind::Clause { patterns, guards, .. } = tree.kind(clause) else { continue };
            let patterns = tree.list(patterns);
            let is_free = |node: NodeId| {
                matches!(tree.kind(node), Kind::Var(_))
                    && !matches!(bindings.occurrence(node), Occurrence::Use(_))
            };
            for (position, &pattern) in patterns.iter().enumerate() {
                if bindings.occurrence(pattern) == Occurrence::Define {
                    let here = taken.iter().filter(|(at, _)| *at == position);
                    let here: Vec<Exact> = here.map(|&(_, value)| value).collect();
                    if !here.is_empty() {
                        self.tests.entry(pattern).or_default().taken = here;
                    }
                }
                let others = patterns.iter().enumerate().filter(|(other, _)| *other != position);
                if guards.is_empty()
                    && let Some(value) = exact(tree, pattern)
                    && others.map(|(_, &other)| other).all(is_free)
                {
                    taken.push((position, value));
                }
            }
        }
    }
}

/// The value that a node spells.
fn exact(tree: &Module, node: NodeId) -> Option<Exact> {
    match tree.kind(node) {
        Kind::Atom(name) => Some(Exact::Atom(name)),
        Kind::Nil => Some(Exact::Nil),
        Kind::Char(code) => Some(Exact::Int(code.into())),
        Kind::Integer(literal) => match tree.literal(literal) {
            Literal::Integer(value) => i64::try_from(value).ok().map(Exact::Int),
            _ => None,
        },
        Kind::UnaryOp { op: UnaryOp::Minus, operand } => match exact(tree, operand)? {
            Exact::Int(value) => value.checked_neg().map(Exact::Int),
            _ => None,
        },
        _ => None,
    }
}

/// The definition of a variable that is used, if there is one only.
fn defined(bindings: &Bindings, node: NodeId) -> Option<NodeId> {
    match bindings.occurrence(node) {
        Occurrence::Use(&[definition]) => Some(definition),
        _ => None,
    }
}

/// What a test says about variables.
fn gather(tree: &Module, bindings: &Bindings, test: NodeId, found: &mut Vec<(NodeId, Check)>) {
    let mut pending = vec![test];
    while let Some(test) = pending.pop() {
        match tree.kind(test) {
            Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::And, left, right } => {
                pending.extend([left, right]);
            }
            Kind::BinaryOp { op: op @ (BinaryOp::ExactEq | BinaryOp::Eq), left, right } => {
                for (variable, value) in [(left, right), (right, left)] {
                    let Some(value) = exact(tree, value) else { continue };
                    // 1 == 1.0
                    let is_same = op == BinaryOp::ExactEq || !matches!(value, Exact::Int(_));
                    if let Some(variable) = defined(bindings, variable).filter(|_| is_same) {
                        found.push((variable, Check::Is(value)));
                    }
                }
            }
            Kind::Call { callee, args } => {
                let Kind::Atom(name) = tree.kind(callee) else { continue };
                let args = tree.list(args);
                let variable = args.first().and_then(|&first| defined(bindings, first));
                let check = check_of(tree, name.as_str(), args.get(1..).unwrap_or_default());
                found.extend(variable.zip(check));
            }
            _ => {}
        }
    }
}

fn check_of(tree: &Module, name: &str, more: &[NodeId]) -> Option<Check> {
    let size = |node: &NodeId| match exact(tree, *node) {
        Some(Exact::Int(size)) => u32::try_from(size).ok(),
        _ => None,
    };
    match (name, more) {
        ("is_atom", []) => Some(Check::Atom),
        ("is_boolean", []) => Some(Check::Boolean),
        ("is_integer" | "is_float" | "is_number", []) => Some(Check::Number),
        ("is_list", []) => Some(Check::List),
        ("is_tuple", []) => Some(Check::Tuple),
        ("is_map", []) => Some(Check::Map),
        ("is_binary" | "is_bitstring", []) => Some(Check::Binary),
        ("is_pid", []) => Some(Check::Pid),
        ("is_reference", []) => Some(Check::Reference),
        ("is_port", []) => Some(Check::Port),
        ("is_function", []) => Some(Check::Function(None)),
        ("is_function", [arity]) => Some(Check::Function(size(arity))),
        // A name may be that of a native record, which another module may have made.
        ("is_record", [_]) if tree.has_native_records => None,
        ("is_record", [tag]) => match exact(tree, *tag) {
            Some(Exact::Atom(tag)) => Some(Check::Record(tag, None)),
            _ => None,
        },
        ("is_record", [tag, arity]) => match exact(tree, *tag) {
            Some(Exact::Atom(tag)) => Some(Check::Record(tag, Some(size(arity)?))),
            _ => None,
        },
        _ => None,
    }
}

impl Analysis<'_> {
    /// Whether a variable of a pattern may hold a value.
    pub(crate) fn passes(&self, module: ModuleId, variable: NodeId, value: ValueId) -> bool {
        let Some(test) = self.sources.source(module).narrowing.tests.get(&variable) else {
            return true;
        };
        let value = self.value(value);
        if matches!(value, Value::Unknown | Value::Everything) {
            return true;
        }
        if test.takes_before(value) {
            return false;
        }
        let holds = |checks: &Vec<Check>| checks.iter().all(|&check| self.holds(check, value));
        test.any_of.is_empty() || test.any_of.iter().any(holds)
    }

    /// Whether a clause before takes a value that a variable of a pattern would hold.
    pub(crate) fn is_taken(&self, module: ModuleId, variable: NodeId, value: ValueId) -> bool {
        let test = self.sources.source(module).narrowing.tests.get(&variable);
        test.is_some_and(|test| test.takes_before(self.value(value)))
    }

    fn holds(&self, check: Check, value: Value) -> bool {
        match (check, value) {
            (Check::Atom, Value::Atom(_) | Value::AnyAtom) => true,
            (Check::Boolean, Value::Atom(name)) => matches!(name.as_str(), "true" | "false"),
            (Check::Boolean, Value::AnyAtom) => true,
            (Check::Number, Value::Int(_) | Value::Number) => true,
            (Check::List, Value::Nil | Value::Cons(_)) => true,
            (Check::Tuple, Value::Tuple(_)) | (Check::Map, Value::Map(_)) => true,
            (Check::Binary, Value::Binary) | (Check::Pid, Value::Pid(_)) => true,
            (Check::Reference, Value::Ref(_)) => true,
            (Check::Function(arity), Value::Fun(_, of) | Value::External(_, _, of)) => {
                arity.is_none_or(|arity| arity == of)
            }
            (Check::Record(tag, arity), Value::Tuple(object)) => {
                let fields = &self.solution.values.objects[object].fields;
                let first = fields.first().map(|&field| &self.solution.vars[field]);
                let of_tag = first.is_some_and(|first| {
                    !first.constant
                        || first.items.first().is_some_and(|&value| {
                            matches!(self.value(value), Value::Atom(name) if name == tag)
                                || matches!(self.value(value), Value::AnyAtom | Value::Unknown)
                        })
                });
                of_tag && arity.is_none_or(|arity| fields.len() as u32 == arity)
            }
            (Check::Is(Exact::Atom(name)), Value::Atom(other)) => name == other,
            (Check::Is(Exact::Atom(_)), Value::AnyAtom) => true,
            (Check::Is(Exact::Int(number)), Value::Int(other)) => number == other,
            (Check::Is(Exact::Int(_)), Value::Number) => true,
            (Check::Is(Exact::Nil), Value::Nil) => true,
            _ => false,
        }
    }
}
