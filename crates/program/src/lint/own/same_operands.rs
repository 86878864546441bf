//! A comparison of a variable with itself: its value is known, so the test decides nothing.
//!
//! Terms are totally ordered and equal to themselves (there is no float that is not a number), so
//! `==`, `=:=`, `=<` and `>=` are true and the other four are false in every run. OTP's compiler
//! uses that, and says nothing. Where both sides came out of one macro call nothing is said: a
//! macro may well be called with the same argument twice. One walk over the tree.

use syntax::ast::{BinaryOp, Kind, NodeId};

use super::super::Linter;

pub(super) const CODE: &str = "erlscope_same_operands";

pub(super) fn check(linter: &mut Linter<'_>) {
    let module = linter.module;
    let mut pending: Vec<NodeId> = module.forms.clone();
    while let Some(id) = pending.pop() {
        if let Kind::BinaryOp { op, left, right } = module.kind(id)
            && let Some(value) = value(op)
            && let (Kind::Var(name), Kind::Var(other)) = (module.kind(left), module.kind(right))
            && name == other
            && module.token(module[id].anchor).expansion.is_none()
        {
            let message = format!("{name} is compared with itself: this is always {value}");
            linter.own_warning(id, CODE, message);
        }
        module.for_each_child(id, |child| pending.push(child));
    }
}

/// What a comparison of a term with itself gives.
fn value(op: BinaryOp) -> Option<bool> {
    match op {
        BinaryOp::Eq | BinaryOp::ExactEq | BinaryOp::Le | BinaryOp::Ge => Some(true),
        BinaryOp::Ne | BinaryOp::ExactNe | BinaryOp::Lt | BinaryOp::Gt => Some(false),
        _ => None,
    }
}
