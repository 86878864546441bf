//! What cannot compile any more after a change, as far as that is seen at once: variables that are
//! used and that no pattern binds, and functions that are called and not there.
//!
//! Only certain cases are named: whoever reads the changed text finds the rest.

use atom::{Atom, known};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, Module, NodeId};
use syntax::source::FileId;

use crate::edit::Edit;

/// Where variables and functions of a module are.
pub(crate) struct Scopes {
    /// Clauses of functions, in order: where they are, and their variables.
    clauses: Vec<Clause>,
    /// Where each function of the module is used by its name.
    used: FxHashMap<(Atom, u32), Vec<u32>>,
    /// Functions, where they begin and end.
    functions: Vec<((Atom, u32), u32, u32)>,
}

struct Clause {
    from: u32,
    to: u32,
    /// Place, name, and whether it stands in a pattern; in order.
    variables: Vec<(u32, Atom, bool)>,
}

impl Scopes {
    pub(crate) fn of(tree: &Module) -> Scopes {
        let mut scopes =
            Scopes { clauses: Vec::new(), used: FxHashMap::default(), functions: Vec::new() };
        for &form in &tree.forms {
            let Kind::Function { name, arity, clauses } = tree.kind(form) else { continue };
            let span = tree.span(form);
            if span.file != FileId::MAIN {
                continue;
            }
            scopes.functions.push(((name, arity), span.start, span.end));
            for &clause in tree.list(clauses) {
                let span = tree.span(clause);
                let mut variables = Vec::new();
                collect(tree, clause, false, &mut variables);
                variables.sort_unstable();
                scopes.clauses.push(Clause { from: span.start, to: span.end, variables });
            }
            tree.for_each_below(form, |node| {
                let used = match tree.kind(node) {
                    Kind::Call { callee, args } => match tree.kind(callee) {
                        Kind::Atom(name) => Some((name, args.len)),
                        _ => None,
                    },
                    Kind::FunName { name, arity } => {
                        crate::deletions::integer(tree, arity).map(|arity| (name, arity))
                    }
                    _ => None,
                };
                if let Some(used) = used {
                    scopes.used.entry(used).or_default().push(tree.span(node).start);
                }
            });
        }
        scopes.clauses.sort_by_key(|clause| clause.from);
        scopes
    }

    /// Whether it is not certain that a module cannot compile after this change.
    pub(crate) fn may_compile(&self, edit: &Edit) -> bool {
        self.keeps_variables(edit) && self.keeps_functions(edit)
    }

    fn keeps_variables(&self, edit: &Edit) -> bool {
        let is_taken = |place: u32| {
            edit.splices.iter().any(|splice| splice.from <= place && place < splice.to)
        };
        for splice in &edit.splices {
            // What is put in may bind.
            if splice.by.contains(|c: char| c.is_uppercase()) {
                return true;
            }
            let after = self.clauses.partition_point(|clause| clause.from <= splice.from);
            let Some(clause) = after.checked_sub(1).map(|index| &self.clauses[index]) else {
                continue;
            };
            if splice.from >= clause.to || splice.to > clause.to {
                continue;
            }
            let from = clause.variables.partition_point(|(place, ..)| *place < splice.from);
            let mut looked_at: FxHashSet<Atom> = FxHashSet::default();
            for &(place, name, in_pattern) in &clause.variables[from..] {
                if place >= splice.to {
                    break;
                }
                if !in_pattern || !looked_at.insert(name) {
                    continue;
                }
                let mut left = clause
                    .variables
                    .iter()
                    .filter(|(place, other, _)| *other == name && !is_taken(*place))
                    .peekable();
                if left.peek().is_some() && left.all(|(_, _, in_pattern)| !in_pattern) {
                    return false;
                }
            }
        }
        true
    }

    fn keeps_functions(&self, edit: &Edit) -> bool {
        let is_taken = |place: u32| {
            edit.splices.iter().any(|splice| splice.from <= place && place < splice.to)
        };
        let gone = self.functions.iter().filter(|(_, from, to)| {
            edit.splices.iter().any(|splice| splice.from <= *from && *to <= splice.to)
        });
        let mut gone = gone.map(|(function, ..)| function);
        gone.all(|function| {
            self.used.get(function).is_none_or(|places| places.iter().all(|&at| is_taken(at)))
        })
    }
}

/// The variables below a node. Those of sizes and keys in patterns are used there.
fn collect(tree: &Module, node: NodeId, in_pattern: bool, into: &mut Vec<(u32, Atom, bool)>) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match tree.kind(node) {
        Kind::Var(name) if name != known::UNDERSCORE => {
            into.push((tree.span(node).start, name, in_pattern));
        }
        Kind::Clause { patterns, guards, body } => {
            tree.list(patterns).iter().for_each(|&child| collect(tree, child, true, into));
            tree.list(guards).iter().for_each(|&child| collect(tree, child, false, into));
            tree.list(body).iter().for_each(|&child| collect(tree, child, false, into));
        }
        Kind::Match { pattern, value } | Kind::MaybeMatch { pattern, value } => {
            collect(tree, pattern, true, into);
            collect(tree, value, in_pattern, into);
        }
        Kind::Generator { pattern, source, .. } => {
            collect(tree, pattern, true, into);
            collect(tree, source, false, into);
        }
        Kind::Fun { name: Some(name), clauses } => {
            into.push((tree.span(node).start, name, true));
            tree.list(clauses).iter().for_each(|&child| collect(tree, child, false, into));
        }
        _ => tree.for_each_child(node, |child| collect(tree, child, in_pattern, into)),
    });
}
