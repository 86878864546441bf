//! Which slots are read again, and so which use of a slot is its last.
//!
//! Backward data flow over the instructions of one function: a slot is live before an instruction
//! if it is read by it, or live after it and not written by it. Inside a `try` every instruction
//! may also go to the handler. Code is a tree of forward jumps but for the loops of `receive`, so
//! one pass reaches the fixpoint, or with loops two or three. Costs instructions × slots / 64 words
//! of memory.
//!
//! A use that is the last is marked; the Machine then moves the value out of the slot. An
//! instruction that leaves its operands alone when it fails ([`keeps_operands`]) is the last to use
//! what is dead where it goes on, even if the place it fails to reads it: so the head of a function
//! takes its arguments apart, although they are still there for `function_clause`. Otherwise a slot
//! that is dead on one side of a branch only keeps its value until it is overwritten or the frame
//! goes: nothing reads it, but it counts as a holder.

use crate::instr::{Effects, Instr, Pc, Slot, Use};
use crate::module::{Function, Switch};

/// A set of slots for each instruction: those that are live before it.
pub(crate) struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    pub(crate) fn row(&self, index: usize) -> &[u64] {
        &self.bits[index * self.words..(index + 1) * self.words]
    }

    fn row_mut(&mut self, index: usize) -> &mut [u64] {
        &mut self.bits[index * self.words..(index + 1) * self.words]
    }

    pub(crate) fn is_live(&self, index: usize, slot: Slot) -> bool {
        has(self.row(index), slot)
    }

    /// Before the instruction `new` is live instead of `old`.
    pub(crate) fn replace(&mut self, index: usize, old: Slot, new: Slot) {
        let row = self.row_mut(index);
        clear(row, old);
        set(row, new);
    }
}

fn set(row: &mut [u64], slot: Slot) {
    row[slot.0 as usize / 64] |= 1 << (slot.0 % 64);
}

fn clear(row: &mut [u64], slot: Slot) {
    row[slot.0 as usize / 64] &= !(1 << (slot.0 % 64));
}

pub(crate) fn has(row: &[u64], slot: Slot) -> bool {
    row[slot.0 as usize / 64] >> (slot.0 % 64) & 1 == 1
}

fn union(into: &mut [u64], from: &[u64]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a |= b;
    }
}

/// What is live before each instruction.
pub(crate) fn live_slots(function: &Function, switches: &[Switch]) -> Rows {
    let words = usize::from(function.frame_size) / 64 + 1;
    let count = function.instrs.len();
    let mut live = Rows { words, bits: vec![0; words * (count + 1)] };
    let handlers = handlers(&function.instrs);
    let mut after = vec![0u64; words];
    loop {
        // Without loops one pass is enough.
        let (mut changed, mut loops) = (false, false);
        for pc in (0..count).rev() {
            let mut instr = function.instrs[pc];
            loops |= live_after(&mut instr, pc, &live, &handlers, switches, &mut after);
            add_reads(&mut instr, &mut after);
            let row = live.row_mut(pc);
            if row != after.as_slice() {
                row.copy_from_slice(&after);
                changed = true;
            }
        }
        if !changed || !loops {
            return live;
        }
    }
}

/// Marks the last use of every slot in `function`.
pub fn mark_last_uses(function: &mut Function, switches: &[Switch]) {
    let live = live_slots(function, switches);
    let handlers = handlers(&function.instrs);
    let mut after = vec![0u64; live.words];
    let mut order = Vec::new();
    for pc in 0..function.instrs.len() {
        let instr = &mut function.instrs[pc];
        if let Some(next) = keeps_operands(instr, pc) {
            after.copy_from_slice(live.row(next));
            instr.effects(Effects {
                uses: |_| {},
                consumes: |_, _| {},
                defines: |slot| clear(&mut after, slot),
                targets: |_| {},
            });
        } else {
            let _ = live_after(instr, pc, &live, &handlers, switches, &mut after);
        }
        mark(instr, &after, &mut order);
    }
}

/// For an instruction that has taken nothing out of its slots when it fails: where it goes when it
/// has.
fn keeps_operands(instr: &Instr, pc: usize) -> Option<usize> {
    if let Instr::CaseList { cons, .. } = instr {
        return Some(*cons as usize);
    }
    let keeps = matches!(
        instr,
        Instr::GetCons { .. }
            | Instr::MapGet { .. }
            | Instr::BitsStart { .. }
            | Instr::Arith { .. }
            | Instr::ArithInt { .. }
            | Instr::AddInt { .. }
            | Instr::SubInt { .. }
            | Instr::Unary { .. }
    );
    keeps.then_some(pc + 1)
}

/// For each instruction the handler that an exception in it goes to.
pub(crate) fn handlers(instrs: &[Instr]) -> Vec<Option<(Pc, Slot)>> {
    let mut open: Vec<(Pc, Slot)> = Vec::new();
    instrs
        .iter()
        .map(|instr| {
            match instr {
                Instr::Try { handler, at } => open.push((*handler, *at)),
                Instr::EndTry => {
                    open.pop();
                }
                _ => {}
            }
            open.last().copied()
        })
        .collect()
}

/// What is live after `instr`, not counting what it writes itself. Says whether it may go back.
pub(crate) fn live_after(
    instr: &mut Instr,
    pc: usize,
    live: &Rows,
    handlers: &[Option<(Pc, Slot)>],
    switches: &[Switch],
    after: &mut [u64],
) -> bool {
    after.fill(0);
    if let Instr::CaseList { head, tail, cons, fail, .. } = instr {
        // Writes only where it finds a cell.
        after.copy_from_slice(live.row(*cons as usize));
        clear(after, *head);
        clear(after, *tail);
        union(after, live.row(pc + 1));
        union(after, live.row(*fail as usize));
        add_handler(after, live, handlers[pc]);
        return (*cons).min(*fail) as usize <= pc;
    }
    if !instr.ends_block() {
        after.copy_from_slice(live.row(pc + 1));
    }
    if !matches!(instr, Instr::Try { .. }) {
        instr.effects(Effects {
            uses: |_| {},
            consumes: |_, _| {},
            defines: |slot| clear(after, slot),
            targets: |_| {},
        });
    }
    let mut goes_back = handlers[pc].is_some_and(|(handler, _)| handler as usize <= pc);
    let mut goes_to = |target: Pc| {
        goes_back |= target as usize <= pc;
        union(after, live.row(target as usize));
    };
    instr.effects(Effects {
        uses: |_| {},
        consumes: |_, _| {},
        defines: |_| {},
        targets: |target| goes_to(*target),
    });
    if let Instr::SwitchAtom { index, .. } | Instr::SwitchInt { index, .. } = instr {
        match &switches[*index as usize] {
            Switch::Atoms(entries) => entries.iter().for_each(|&(_, target)| goes_to(target)),
            Switch::Ints(entries) => entries.iter().for_each(|&(_, target)| goes_to(target)),
        }
    }
    add_handler(after, live, handlers[pc]);
    goes_back
}

/// An exception may go to the handler.
fn add_handler(after: &mut [u64], live: &Rows, handler: Option<(Pc, Slot)>) {
    if let Some((handler, at)) = handler {
        let before = [0, 1, 2].map(|i| has(after, Slot(at.0 + i)));
        union(after, live.row(handler as usize));
        for (i, was_live) in before.into_iter().enumerate() {
            if !was_live {
                clear(after, Slot(at.0 + i as u16)); // written on the way to the handler
            }
        }
    }
}

fn add_reads(instr: &mut Instr, row: &mut [u64]) {
    let row = std::cell::RefCell::new(row);
    instr.effects(Effects {
        uses: |used| set(&mut row.borrow_mut(), used.slot()),
        consumes: |at, len| {
            (at.0..at.0 + len).for_each(|slot| set(&mut row.borrow_mut(), Slot(slot)));
        },
        defines: |_| {},
        targets: |_| {},
    });
}

/// Marks the last uses in an instruction; `order` is a place to work in.
fn mark(instr: &mut Instr, after: &[u64], order: &mut Vec<Slot>) {
    // Of several uses of one slot only the one that is read last may take the value out.
    order.clear();
    instr.effects(Effects {
        uses: |used: &mut Use| order.push(used.slot()),
        consumes: |_, _| {},
        defines: |_| {},
        targets: |_| {},
    });
    let mut index = 0;
    instr.effects(Effects {
        uses: |used: &mut Use| {
            index += 1;
            if !has(after, used.slot()) && !order[index..].contains(&used.slot()) {
                used.mark_last();
            }
        },
        consumes: |_, _| {},
        defines: |_| {},
        targets: |_| {},
    });
}
