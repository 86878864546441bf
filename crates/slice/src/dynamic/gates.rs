//! What tells that a node of a tree was evaluated in an activation.
//!
//! A Machine marks expressions when it comes to them, clauses when they are chosen, and conditions
//! when they are known. Patterns and parts of constants have no marks. So every node has a *gate*:
//!
//! | node | is evaluated if |
//! | --- | --- |
//! | a part of an expression that evaluates all of its parts | the whole is |
//! | an expression of a body, the right of `andalso`, … | it is marked, or something in it |
//! | anything in the head or guard of a clause | the clause was *tried*: none before was chosen |
//! | anything in the pattern of a generator | this activation is an element of the generator |
//!
//! In doubt a node counts as evaluated: an expression that failed half-way has not evaluated all of
//! its parts.

use flow::surroundings::Surroundings;
use flow::{Flow, ModuleId};
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList};

/// What decides about a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    /// It is part of a function's head: whatever activation there is has it.
    Function,
    /// This node, or something in it, was marked.
    Marked(NodeId),
    /// This clause was tried.
    Tried(NodeId),
    /// An element of this generator.
    Element(NodeId),
    /// In no function.
    Nowhere,
}

/// Where a clause stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClausePlace {
    /// The function, fun, `case`, ….
    pub(super) owner: NodeId,
    pub(super) among: NodeList,
    pub(super) how: ClauseKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ClauseKind {
    /// Of a function or fun.
    Function,
    /// Of an expression: one after the other.
    Choice,
    /// Of a `receive`: all of them, for every message.
    Receive,
    /// Of the `of` part of a `try`: only if its body came to its end.
    Of,
    /// Of the `catch` part of a `try`: only if there was an exception.
    Handler,
}

/// The gates of one module.
#[derive(Debug)]
pub(super) struct Gates {
    gates: Vec<Gate>,
    pub(super) around: Surroundings,
}

impl Gates {
    pub(super) fn of(flow: &Flow, module: ModuleId) -> Gates {
        let tree = &flow.modules[module].tree;
        let around = Surroundings::of(tree, module, &flow.functions);
        let mut gates = vec![Gate::Nowhere; tree.nodes.len()];
        for &form in &tree.forms {
            if matches!(tree.kind(form), Kind::Function { .. }) {
                assign(tree, form, &mut gates);
            }
        }
        Gates { gates, around }
    }

    pub(super) fn gate(&self, node: NodeId) -> Gate {
        self.gates.get(node.0 as usize).copied().unwrap_or(Gate::Nowhere)
    }

    /// Where a clause stands.
    pub(super) fn clause(&self, tree: &Module, clause: NodeId) -> Option<ClausePlace> {
        let owner = self.around.parent(clause)?;
        let (among, how) = match tree.kind(owner) {
            Kind::Function { clauses, .. } | Kind::Fun { clauses, .. } => {
                (clauses, ClauseKind::Function)
            }
            Kind::Case { clauses, .. } | Kind::If { clauses } => (clauses, ClauseKind::Choice),
            Kind::Receive { clauses, .. } => (clauses, ClauseKind::Receive),
            Kind::Try { catch, .. } if tree.list(catch).contains(&clause) => {
                (catch, ClauseKind::Handler)
            }
            Kind::Try { of, .. } => (of, ClauseKind::Of),
            Kind::Maybe { else_clauses, .. } => (else_clauses?, ClauseKind::Choice),
            _ => return None,
        };
        Some(ClausePlace { owner, among, how })
    }

    /// Which mark says that the variable at a place has its value.
    pub(super) fn moment(&self, tree: &Module, variable: NodeId) -> Said {
        if let Some((root, _)) = self.around.pattern_root(tree, variable) {
            use flow::surroundings::PatternRoot;
            return match root {
                // A guard is looked at when the patterns fit.
                PatternRoot::Clause(clause) => match first_test(tree, clause) {
                    Some(test) => Said::Reached(test),
                    None => Said::Chosen(clause),
                },
                PatternRoot::Match(node) => Said::Matched(node),
                PatternRoot::Generator(node) => Said::Chosen(node),
            };
        }
        Said::Reached(variable)
    }
}

/// A mark that is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Said {
    Reached(NodeId),
    Chosen(NodeId),
    Matched(NodeId),
}

/// What a guard evaluates first.
fn first_test(tree: &Module, clause: NodeId) -> Option<NodeId> {
    let Kind::Clause { guards, .. } = tree.kind(clause) else { return None };
    let Kind::Guard { tests } = tree.kind(*tree.list(guards).first()?) else { return None };
    tree.list(tests).first().copied()
}

/// Gates for everything below a function.
fn assign(tree: &Module, form: NodeId, gates: &mut [Gate]) {
    let mut pending = vec![(form, Gate::Function)];
    while let Some((node, gate)) = pending.pop() {
        gates[node.0 as usize] = gate;
        let own = |node: NodeId| (node, Gate::Marked(node));
        let all = |list: NodeList| tree.list(list).iter().copied();
        match tree.kind(node) {
            Kind::Function { clauses, .. } | Kind::Fun { clauses, .. } => {
                pending.extend(all(clauses).map(|clause| (clause, Gate::Tried(clause))));
            }
            Kind::Clause { patterns, guards, body } => {
                let tried = Gate::Tried(node);
                pending.extend(all(patterns).chain(all(guards)).map(|part| (part, tried)));
                pending.extend(all(body).map(own));
            }
            Kind::Case { subject, clauses } => {
                pending.push((subject, gate));
                pending.extend(all(clauses).map(|clause| (clause, Gate::Tried(clause))));
            }
            Kind::If { clauses } => {
                pending.extend(all(clauses).map(|clause| (clause, Gate::Tried(clause))));
            }
            Kind::Receive { clauses, after } => {
                pending.extend(all(clauses).map(|clause| (clause, Gate::Tried(clause))));
                if let Some(after) = after {
                    pending.push((after.timeout, gate));
                    pending.extend(all(after.body).map(own));
                }
            }
            Kind::Try { body, of, catch, after } => {
                pending.extend(all(body).chain(all(after)).map(own));
                let clauses = all(of).chain(all(catch));
                pending.extend(clauses.map(|clause| (clause, Gate::Tried(clause))));
            }
            Kind::Maybe { body, else_clauses } => {
                pending.extend(all(body).map(own));
                let clauses = else_clauses.into_iter().flat_map(all);
                pending.extend(clauses.map(|clause| (clause, Gate::Tried(clause))));
            }
            Kind::Catch { body } => pending.push(own(body)),
            Kind::Block { body } => pending.extend(all(body).map(own)),
            Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::Orelse, left, right } => {
                pending.push((left, gate));
                // In a guard there are no marks.
                pending.push(if is_marked(gate) { own(right) } else { (right, gate) });
            }
            Kind::Comprehension { exprs, qualifiers, .. } if is_marked(gate) => {
                pending.extend(all(exprs).map(own));
                for qualifier in all(qualifiers) {
                    pending.push(match tree.kind(qualifier) {
                        Kind::Generator { .. } | Kind::ZipGenerator { .. } => {
                            (qualifier, Gate::Element(qualifier))
                        }
                        _ => own(qualifier),
                    });
                }
            }
            Kind::Generator { pattern, source, .. } => {
                pending.push((pattern, gate));
                pending.push(own(source));
            }
            _ => tree.for_each_child(node, |child| pending.push((child, gate))),
        }
    }
}

fn is_marked(gate: Gate) -> bool {
    matches!(gate, Gate::Marked(_))
}
