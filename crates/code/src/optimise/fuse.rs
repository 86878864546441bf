//! Usual pairs of instructions become one: every instruction costs a dispatch.
//!
//! * `[]` or a cell, the two clauses of a function on lists: [`Instr::CaseList`];
//! * a constant, a cell or a tuple made to be returned;
//! * arithmetic with a small constant.

use super::{compact, targets};
use crate::instr::{Instr, RAISE, Use};
use crate::liveness;
use crate::module::{Function, Switch};

pub(super) fn fuse(function: &mut Function, switches: &mut [Switch]) {
    let count = function.instrs.len();
    let mut entries = vec![0u32; count + 1];
    for instr in &mut function.instrs {
        targets(instr, switches, |target| entries[target as usize] += 1);
    }
    let live = liveness::live_slots(function, switches);
    let handlers = liveness::handlers(&function.instrs);
    let mut dropped = vec![false; count];
    for at in 0..count {
        let here = function.instrs[at];
        case_list(function, &mut entries, &mut dropped, at, here);
        if at + 1 == count || entries[at + 1] > 0 || dropped[at + 1] {
            continue;
        }
        let next = function.instrs[at + 1];
        let joined = returned(here, next).or_else(|| match (here, next) {
            (Instr::LoadInt { dst, value }, Instr::Arith { op, dst: result, a, b, fail })
                if b.slot() == dst
                    && a.slot() != dst
                    && (result == dst || !live.is_live(at + 2, dst))
                    && (fail == RAISE || !live.is_live(fail as usize, dst))
                    && handlers[at]
                        .is_none_or(|(handler, _)| !live.is_live(handler as usize, dst)) =>
            {
                let value = i16::try_from(value).ok()?;
                Some(Instr::ArithInt { op, dst: result, a, value, fail })
            }
            _ => None,
        });
        if let Some(joined) = joined {
            // The second can fail, and stack traces name its node.
            function.instrs[at + 1] = joined;
            dropped[at] = true;
        }
    }
    compact(function, switches, &dropped);
}

/// `IsNil` that fails to `GetCons` of the same slot.
fn case_list(
    function: &mut Function,
    entries: &mut [u32],
    dropped: &mut [bool],
    at: usize,
    here: Instr,
) {
    let Instr::IsNil { a, fail: other } = here else { return };
    let Some(&Instr::GetCons { a: list, head, tail, fail }) = function.instrs.get(other as usize)
    else {
        return;
    };
    if list.slot() != a.slot() {
        return;
    }
    function.instrs[at] = Instr::CaseList { a, head, tail, cons: other + 1, fail };
    entries[other as usize + 1] += 1;
    entries[other as usize] -= 1;
    let falls_through = other > 0 && !function.instrs[other as usize - 1].ends_block();
    if entries[other as usize] == 0 && !falls_through {
        dropped[other as usize] = true;
    }
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
