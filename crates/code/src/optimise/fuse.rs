//! Usual pairs of instructions become one: every instruction costs a dispatch.
//!
//! * `[]` or a cell, the two clauses of a function on lists: [`Instr::CaseList`];
//! * a constant, a cell or a tuple made to be returned;
//! * arithmetic and comparisons with a small constant;
//! * a comparison or a type test whose outcome is only asked for.

use std::cell::OnceCell;

use atom::known;

use super::{compact, drop_unreachable, targets};
use crate::instr::{CompareOp, Instr, Pc, RAISE, Slot, Use};
use crate::liveness::{self, Rows};
use crate::module::{Function, Switch};

pub(super) fn fuse(function: &mut Function, switches: &mut [Switch]) {
    // Twice: a comparison with a constant becomes a test, and then one of its own kind.
    if round(function, switches) {
        round(function, switches);
    }
    drop_unreachable(function, switches);
}

/// Says whether it joined anything.
fn round(function: &mut Function, switches: &mut [Switch]) -> bool {
    let count = function.instrs.len();
    let mut entries = vec![0u32; count + 1];
    for instr in &mut function.instrs {
        targets(instr, switches, |target| entries[target as usize] += 1);
    }
    // Found out where somebody asks: most functions have nothing to be joined. What is joined
    // changes nothing about what is live behind it.
    let live: OnceCell<Rows> = OnceCell::new();
    let handlers = liveness::handlers(&function.instrs);
    let mut dropped = vec![false; count];
    let mut joined_any = false;
    for at in 0..count {
        let here = function.instrs[at];
        joined_any |= case_list(function, &mut entries, &mut dropped, at, here);
        if at + 1 == count || entries[at + 1] > 0 || dropped[at + 1] {
            continue;
        }
        let next = function.instrs[at + 1];
        let is_dead = |slot: Slot, places: &[Pc]| {
            let live = live.get_or_init(|| liveness::live_slots(function, switches));
            let handler = handlers[at].map(|(handler, _)| handler);
            !places.iter().chain(&handler).any(|place| live.is_live(*place as usize, slot))
        };
        let after = at as Pc + 2;
        let joined = returned(here, next)
            .or_else(|| with_constant(here, next, after, &is_dead))
            .or_else(|| outcome_asked(function, &mut entries, here, next, after, &is_dead));
        if let Some(joined) = joined {
            // The second can fail, and stack traces name its node.
            function.instrs[at + 1] = joined;
            dropped[at] = true;
            joined_any = true;
        }
    }
    compact(function, switches, &dropped);
    joined_any
}

/// A constant that is loaded for an operation.
fn with_constant(
    here: Instr,
    next: Instr,
    after: Pc,
    is_dead: &dyn Fn(Slot, &[Pc]) -> bool,
) -> Option<Instr> {
    let Instr::LoadInt { dst: constant, value } = here else { return None };
    match next {
        Instr::Arith { op, dst, a, b, fail }
            if b.slot() == constant
                && a.slot() != constant
                && (dst == constant || is_dead(constant, &[after]))
                && (fail == RAISE || is_dead(constant, &[fail])) =>
        {
            let value = i16::try_from(value).ok()?;
            Some(Instr::ArithInt { op, dst, a, value, fail })
        }
        Instr::Branch { op, a, b, fail }
            if b.slot() == constant
                && a.slot() != constant
                && is_dead(constant, &[after, fail]) =>
        {
            Some(Instr::BranchInt { op, a, value, fail })
        }
        _ => None,
    }
}

/// A comparison or type test whose outcome is asked for at once, and not needed afterwards.
fn outcome_asked(
    function: &Function,
    entries: &mut [u32],
    here: Instr,
    next: Instr,
    after: Pc,
    is_dead: &dyn Fn(Slot, &[Pc]) -> bool,
) -> Option<Instr> {
    let (Instr::Compare { dst, .. } | Instr::TypeTestValue { dst, .. }) = here else { return None };
    let (wanted, fail) = match next {
        Instr::IsBoolean { a, other, .. } if a.slot() == dst => (true, other),
        Instr::IsAtom { a, atom, fail } if a.slot() == dst => {
            let wanted = match atom {
                known::TRUE => true,
                known::FALSE => false,
                _ => return None,
            };
            // Asking for the other of the two has one answer left.
            match function.instrs.get(fail as usize) {
                Some(Instr::IsAtom { a, atom, .. })
                    if a.slot() == dst
                        && *atom == if wanted { known::FALSE } else { known::TRUE } =>
                {
                    (wanted, fail + 1)
                }
                _ => (wanted, fail),
            }
        }
        _ => return None,
    };
    if !is_dead(dst, &[after, fail]) {
        return None;
    }
    let joined = match here {
        Instr::Compare { op, a, b, .. } => {
            let op = if wanted { op } else { opposite(op) };
            Instr::Branch { op, a, b, fail }
        }
        Instr::TypeTestValue { test, a, .. } if wanted => Instr::TypeTest { test, a, fail },
        _ => return None,
    };
    entries[fail as usize] += 1;
    Some(joined)
}

/// What holds of two terms just when the other does not: their order is total.
fn opposite(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Eq => CompareOp::Ne,
        CompareOp::Ne => CompareOp::Eq,
        CompareOp::Lt => CompareOp::Ge,
        CompareOp::Ge => CompareOp::Lt,
        CompareOp::Gt => CompareOp::Le,
        CompareOp::Le => CompareOp::Gt,
        CompareOp::ExactEq => CompareOp::ExactNe,
        CompareOp::ExactNe => CompareOp::ExactEq,
    }
}

/// `IsNil` that fails to `GetCons` of the same slot.
fn case_list(
    function: &mut Function,
    entries: &mut [u32],
    dropped: &mut [bool],
    at: usize,
    here: Instr,
) -> bool {
    let Instr::IsNil { a, fail: other } = here else { return false };
    let Some(&Instr::GetCons { a: list, head, tail, fail }) = function.instrs.get(other as usize)
    else {
        return false;
    };
    if list.slot() != a.slot() {
        return false;
    }
    function.instrs[at] = Instr::CaseList { a, head, tail, cons: other + 1, fail };
    entries[other as usize + 1] += 1;
    entries[other as usize] -= 1;
    let falls_through = other > 0 && !function.instrs[other as usize - 1].ends_block();
    if entries[other as usize] == 0 && !falls_through {
        dropped[other as usize] = true;
    }
    true
}

/// A value that is made and returned.
fn returned(here: Instr, next: Instr) -> Option<Instr> {
    let Instr::Return { src } = next else { return None };
    let made = |dst| Use::of(dst) == src;
    match here {
        Instr::LoadInt { dst, value } if made(dst) => Some(Instr::ReturnInt { value }),
        Instr::LoadAtom { dst, atom } if made(dst) => Some(Instr::ReturnAtom { atom }),
        Instr::Cons { dst, head, tail } if made(dst) => Some(Instr::ReturnCons { head, tail }),
        Instr::Tuple { dst, at, len } if made(dst) => Some(Instr::ReturnTuple { at, len }),
        _ => None,
    }
}
