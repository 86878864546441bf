//! Where the value of an expression is seen that decides between others.
//!
//! In tail position nothing comes back to a `case`: what its branches give is what the function
//! returns, and the Machine shows it there. So a point at such an expression is a point at the last
//! expressions of its branches. Elsewhere its value is seen at itself.
//!
//! What it may miss: in tail position `andalso`, `orelse` and comprehensions are seen by their
//! operands only, which are not looked at here.

use syntax::ast::{Kind, Module, NodeId, NodeList};

/// The nodes at which the value of `node` is seen.
pub(crate) fn seen_at(tree: &Module, node: NodeId) -> Vec<NodeId> {
    let mut is_tail = false;
    let mut look = |below| {
        let is_body = matches!(tree.kind(below), Kind::Function { .. } | Kind::Fun { .. });
        if is_body && !is_tail {
            tree.for_each_child(below, |clause| {
                if let Some(last) = last_of_clause(tree, clause) {
                    is_tail |= leads_to(tree, last, node);
                }
            });
        }
    };
    tree.forms.iter().for_each(|&form| tree.for_each_below(form, &mut look));
    let mut found = Vec::new();
    match is_tail {
        true => leaves(tree, node, &mut found),
        false => found.push(node),
    }
    found
}

/// Whether `node` is `from` or gives its value by way of branches.
fn leads_to(tree: &Module, from: NodeId, node: NodeId) -> bool {
    from == node || branches(tree, from).into_iter().any(|branch| leads_to(tree, branch, node))
}

fn leaves(tree: &Module, node: NodeId, found: &mut Vec<NodeId>) {
    let branches = branches(tree, node);
    if branches.is_empty() {
        found.push(node);
    }
    for branch in branches {
        leaves(tree, branch, found);
    }
}

/// The expressions of which one gives the value of a node; none of what gives its own.
fn branches(tree: &Module, node: NodeId) -> Vec<NodeId> {
    let last_of = |body: NodeList| tree.list(body).last().copied();
    let of_clauses = |clauses: NodeList| {
        tree.list(clauses).iter().filter_map(|&clause| last_of_clause(tree, clause)).collect()
    };
    match tree.kind(node) {
        Kind::Block { body } => last_of(body).into_iter().collect(),
        Kind::Match { value, .. } => vec![value],
        Kind::If { clauses } | Kind::Case { clauses, .. } => of_clauses(clauses),
        Kind::Receive { clauses, after } => {
            let mut found: Vec<NodeId> = of_clauses(clauses);
            found.extend(after.and_then(|after| last_of(after.body)));
            found
        }
        Kind::Try { body, of, catch, .. } => {
            let mut found: Vec<NodeId> = of_clauses(catch);
            match tree.list(of).is_empty() {
                true => found.extend(last_of(body)),
                false => found.extend::<Vec<NodeId>>(of_clauses(of)),
            }
            found
        }
        Kind::Maybe { body, else_clauses } => {
            let mut found: Vec<NodeId> = else_clauses.map(of_clauses).unwrap_or_default();
            found.extend(last_of(body));
            found
        }
        _ => Vec::new(),
    }
}

fn last_of_clause(tree: &Module, clause: NodeId) -> Option<NodeId> {
    match tree.kind(clause) {
        Kind::Clause { body, .. } => tree.list(body).last().copied(),
        _ => None,
    }
}
