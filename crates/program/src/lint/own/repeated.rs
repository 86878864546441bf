//! A clause that repeats the pattern and the guard of one before it: it is never chosen.
//!
//! OTP warns of a repeated pattern only where there is no guard. With the same text in the pattern
//! and in the guard, both clauses accept the same values: at both places the same variables are
//! bound, and a guard has no effects. So whatever the second would accept, the first has taken.
//!
//! Clauses are compared by their text after expansion, printed from the tree, so layout and
//! comments do not matter and names of variables do: `X when X > 1` and `Y when Y > 1` are not seen
//! to be the same. Linear in the size of patterns and guards.

use rustc_hash::FxHashMap;
use syntax::ast::{Kind, NodeId};
use syntax::unparse;

use super::super::Linter;

pub(super) const CODE: &str = "erlscope_repeated_clause";

pub(super) fn check(linter: &mut Linter<'_>) {
    let module = linter.module;
    let mut pending: Vec<NodeId> = module.forms.clone();
    while let Some(id) = pending.pop() {
        for list in linter.clause_lists(id) {
            check_clauses(linter, module.list(list));
        }
        module.for_each_child(id, |child| pending.push(child));
    }
}

fn check_clauses(linter: &mut Linter<'_>, clauses: &[NodeId]) {
    let mut seen: FxHashMap<String, NodeId> = FxHashMap::default();
    for &clause in clauses {
        let Some(text) = guarded(linter, clause) else { continue };
        if let Some(&earlier) = seen.get(&text) {
            let related = linter.related("the same pattern and guard", earlier);
            let message = "this clause is never reached: it repeats one before it".into();
            let span = linter.clause_span(clause);
            let warning = linter.own_warning(clause, CODE, message);
            warning.related.push(related);
            warning.span = span;
        } else {
            seen.insert(text, clause);
        }
    }
}

/// Pattern and guard of a clause that has a guard.
fn guarded(linter: &Linter<'_>, clause: NodeId) -> Option<String> {
    let Kind::Clause { patterns, guards, .. } = linter.kind(clause) else { return None };
    if guards.is_empty() {
        return None;
    }
    let module = linter.module;
    let mut text = String::new();
    for &part in module.list(patterns) {
        text.push_str(&unparse::one_line(module, part));
        text.push(',');
    }
    for &guard in module.list(guards) {
        let Kind::Guard { tests } = module.kind(guard) else { return None };
        text.push(';');
        for &test in module.list(tests) {
            text.push_str(&unparse::one_line(module, test));
            text.push(',');
        }
    }
    Some(text)
}
