//! Makes the code of one function shorter without changing what it does.
//!
//! Lowering gives every value a slot of its own and moves it where it is wanted. Here, in this
//! order:
//!
//! 1. jumps to jumps are shortened, and code that nobody reaches is dropped;
//! 2. *copies are forwarded*: after `Move d <- s`, who reads `d` reads `s` instead, if that is
//!    still there, and the move goes;
//! 3. *values are made in place*: where `s` is made and then only moved to `d`, it is made in `d`;
//! 4. values that nobody reads are not made;
//! 5. moves that are left in a row become one instruction, as do other usual pairs ([`fuse`]).
//!
//! 2 and 3 look along a stretch of code that is entered only at its start; liveness says what is
//! read where the stretch is left. Costs, per move, the length of its stretch.
//!
//! What must stay: the instructions that open and close `try` (their order in the code says which
//! handler is in force), and the node of every instruction that can fail.

mod fuse;

use crate::instr::{Effects, Instr, Pc, Slot, Use};
use crate::liveness::{self, Rows};
use crate::module::{Function, Switch};

pub(crate) fn optimise(function: &mut Function, switches: &mut [Switch]) {
    shorten_jumps(function, switches);
    drop_unreachable(function, switches);
    let mut work = Work::new(function, switches);
    // Once more: a move that went may have been in the way of another.
    if work.improve_moves() {
        work.improve_moves();
    }
    work.drop_dead_values();
    let Work { mut dropped, is_target, .. } = work;
    join_moves(function, &mut dropped, &is_target);
    compact(function, switches, &dropped);
    fuse::fuse(function, switches);
}

/// Where an instruction may go besides the next one, tables included.
fn targets(instr: &mut Instr, switches: &[Switch], mut each: impl FnMut(Pc)) {
    if let Instr::SwitchAtom { index, .. } | Instr::SwitchInt { index, .. } = instr {
        match &switches[*index as usize] {
            Switch::Atoms(entries) => entries.iter().for_each(|&(_, target)| each(target)),
            Switch::Ints(entries) => entries.iter().for_each(|&(_, target)| each(target)),
        }
    }
    instr.effects(Effects {
        uses: |_| {},
        consumes: |_, _| {},
        defines: |_| {},
        targets: |target| each(*target),
    });
}

/// Changes the addresses in all instructions and in the tables of the function.
fn retarget(instrs: &mut [Instr], switches: &mut [Switch], to: impl Fn(Pc) -> Pc) {
    for instr in instrs {
        if let Instr::SwitchAtom { index, .. } | Instr::SwitchInt { index, .. } = instr {
            match &mut switches[*index as usize] {
                Switch::Atoms(entries) => entries.iter_mut().for_each(|(_, pc)| *pc = to(*pc)),
                Switch::Ints(entries) => entries.iter_mut().for_each(|(_, pc)| *pc = to(*pc)),
            }
        }
        instr.effects(Effects {
            uses: |_| {},
            consumes: |_, _| {},
            defines: |_| {},
            targets: |target| *target = to(*target),
        });
    }
}

/// A jump to a jump goes where that one goes.
fn shorten_jumps(function: &mut Function, switches: &mut [Switch]) {
    let final_target: Vec<Pc> = (0..function.instrs.len() as u32)
        .map(|start| {
            let mut pc = start;
            // Loops of nothing but jumps do not exist; the bound is for certainty.
            for _ in 0..function.instrs.len() {
                match function.instrs.get(pc as usize) {
                    Some(Instr::Jump { to }) => pc = *to,
                    _ => break,
                }
            }
            pc
        })
        .collect();
    retarget(&mut function.instrs, switches, |pc| *final_target.get(pc as usize).unwrap_or(&pc));
}

/// Drops what cannot be reached, except for the borders of `try`.
fn drop_unreachable(function: &mut Function, switches: &mut [Switch]) {
    let count = function.instrs.len();
    let mut reached = vec![false; count];
    let mut open = vec![0u32];
    while let Some(pc) = open.pop() {
        let Some(seen) = reached.get_mut(pc as usize) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        let instr = &mut function.instrs[pc as usize];
        if !instr.ends_block() {
            open.push(pc + 1);
        }
        targets(instr, switches, |target| open.push(target));
    }
    let mut dropped: Vec<bool> = reached.iter().map(|reached| !reached).collect();
    for (pc, instr) in function.instrs.iter().enumerate() {
        match instr {
            Instr::Try { .. } | Instr::EndTry => dropped[pc] = false,
            Instr::Jump { to } if !dropped[pc] => {
                // A jump over nothing.
                let over = dropped.get(pc + 1..*to as usize);
                dropped[pc] = over.is_some_and(|over| over.iter().all(|dropped| *dropped));
            }
            _ => {}
        }
    }
    compact(function, switches, &dropped);
}

/// Takes the dropped instructions out.
fn compact(function: &mut Function, switches: &mut [Switch], dropped: &[bool]) {
    if !dropped.contains(&true) {
        return;
    }
    let mut next = 0u32;
    let mut places = Vec::with_capacity(dropped.len() + 1);
    for dropped in dropped {
        places.push(next);
        next += u32::from(!dropped);
    }
    places.push(next);
    let mut keep = dropped.iter().map(|dropped| !dropped);
    function.instrs.retain(|_| keep.next().unwrap_or(true));
    let mut keep = dropped.iter().map(|dropped| !dropped);
    function.origins.retain(|_| keep.next().unwrap_or(true));
    retarget(&mut function.instrs, switches, |pc| *places.get(pc as usize).unwrap_or(&pc));
}

/// A function whose moves are looked at.
struct Work<'f> {
    function: &'f mut Function,
    switches: &'f [Switch],
    live: Rows,
    handlers: Vec<Option<(Pc, Slot)>>,
    is_target: Vec<bool>,
    dropped: Vec<bool>,
}

impl<'f> Work<'f> {
    fn new(function: &'f mut Function, switches: &'f [Switch]) -> Work<'f> {
        let live = liveness::live_slots(function, switches);
        let handlers = liveness::handlers(&function.instrs);
        let count = function.instrs.len();
        let mut is_target = vec![false; count + 1];
        for instr in &mut function.instrs {
            targets(instr, switches, |target| is_target[target as usize] = true);
        }
        Work { function, switches, live, handlers, is_target, dropped: vec![false; count] }
    }

    fn instrs(&self) -> &[Instr] {
        &self.function.instrs
    }

    /// Says whether a move went.
    fn improve_moves(&mut self) -> bool {
        let mut improved = false;
        for at in 0..self.instrs().len() {
            improved |= self.improve_move(at);
        }
        improved
    }

    fn improve_move(&mut self, at: usize) -> bool {
        let Instr::Move { dst, src } = self.function.instrs[at] else { return false };
        let improved = !self.dropped[at]
            && (dst == src.slot()
                || self.forward(at, dst, src.slot())
                || self.in_place(at, dst, src.slot()));
        self.dropped[at] |= improved;
        improved
    }

    /// Whether either slot is live where the instruction may go besides the next.
    fn live_elsewhere(&mut self, at: usize, slots: &[Slot]) -> bool {
        let live = &self.live;
        let is_live = |target: Pc| slots.iter().any(|slot| live.is_live(target as usize, *slot));
        let mut found = false;
        targets(&mut self.function.instrs[at], self.switches, |target| found |= is_live(target));
        if let Some((handler, _)) = self.handlers[at] {
            found |= is_live(handler);
        }
        found
    }

    /// How the instruction treats a slot.
    fn role(&mut self, at: usize, slot: Slot) -> Role {
        let instr = &mut self.function.instrs[at];
        let mut role = Role::default();
        let context = instr.context();
        if context.is_some_and(|context| slot == context || slot.0 == context.0 + 1) {
            role.fixed = true;
        }
        if instr.clobbers_from().is_some_and(|from| slot >= from) {
            role.written = true;
        }
        let (mut read, mut fixed, mut written) = (false, false, false);
        instr.effects(Effects {
            uses: |used| read |= used.slot() == slot,
            consumes: |from, len| fixed |= (from.0..from.0 + len).contains(&slot.0),
            defines: |defined| written |= defined == slot,
            targets: |_| {},
        });
        // What is consumed is gone afterwards.
        role.written |= written | fixed;
        role.fixed |= fixed;
        role.read = read;
        role
    }

    fn rename_uses(&mut self, at: usize, old: Slot, new: Slot) {
        self.function.instrs[at].effects(Effects {
            uses: |used| {
                if used.slot() == old {
                    *used = Use::of(new);
                }
            },
            consumes: |_, _| {},
            defines: |_| {},
            targets: |_| {},
        });
    }

    /// Lets everybody who reads `d` after the move at `at` read `s`. Says whether that could be
    /// done.
    fn forward(&mut self, at: usize, d: Slot, s: Slot) -> bool {
        let mut readers = Vec::new();
        let mut end = at + 1;
        let mut source_is_there = true;
        if self.handlers[at].is_some_and(|(handler, _)| self.live.is_live(handler as usize, d)) {
            return false;
        }
        while end < self.instrs().len() && self.live.is_live(end, d) {
            if self.is_target[end] || !source_is_there {
                return false;
            }
            if !self.dropped[end] {
                let (role_d, role_s) = (self.role(end, d), self.role(end, s));
                if role_d.fixed || self.live_elsewhere(end, &[d]) {
                    return false;
                }
                if role_d.read {
                    readers.push(end);
                }
                source_is_there &= !role_s.written;
                if role_d.written || self.instrs()[end].ends_block() {
                    break;
                }
            }
            end += 1;
        }
        for &reader in &readers {
            self.rename_uses(reader, d, s);
        }
        let last = readers.last().copied().unwrap_or(at);
        for pc in at + 1..=last {
            self.live.replace(pc, d, s);
        }
        true
    }

    /// Makes the value that the move at `at` takes from `s` in `d` at once. Says whether that could
    /// be done.
    fn in_place(&mut self, at: usize, d: Slot, s: Slot) -> bool {
        if self.live.is_live(at + 1, s) || self.live_elsewhere(at, &[s]) || self.is_target[at] {
            return false;
        }
        let mut readers = Vec::new();
        let mut from = at;
        loop {
            // `from` is reached from the instruction before it only.
            if from == 0 || self.is_target[from] || self.live.is_live(from, d) {
                return false;
            }
            from -= 1;
            if self.dropped[from] {
                continue;
            }
            if self.instrs()[from].ends_block() {
                return false;
            }
            let role_s = self.role(from, s);
            if role_s.written {
                let destinations = self.function.instrs[from].destinations().map(|d| d.copied());
                if role_s.fixed
                    || destinations.contains(&Some(d))
                    || destinations.iter().filter(|slot| **slot == Some(s)).count() != 1
                {
                    return false;
                }
                break;
            }
            let role_d = self.role(from, d);
            if role_s.fixed || role_d.any() || self.live_elsewhere(from, &[d, s]) {
                return false;
            }
            if role_s.read {
                readers.push(from);
            }
        }
        for destination in self.function.instrs[from].destinations().into_iter().flatten() {
            if *destination == s {
                *destination = d;
            }
        }
        for reader in readers {
            self.rename_uses(reader, s, d);
        }
        for pc in from + 1..=at {
            self.live.replace(pc, s, d);
        }
        true
    }

    /// Drops instructions that only make a value that nobody reads.
    fn drop_dead_values(&mut self) {
        for at in (0..self.instrs().len()).rev() {
            if self.dropped[at] || !self.function.instrs[at].is_pure() {
                continue;
            }
            let [Some(dst), None] = self.function.instrs[at].destinations().map(|d| d.copied())
            else {
                continue;
            };
            if !self.live.is_live(at + 1, dst) && !self.live_elsewhere(at, &[dst]) {
                self.dropped[at] = true;
            }
        }
    }
}

/// How an instruction treats a slot.
#[derive(Default, Debug)]
struct Role {
    /// Reads it as an operand, which could be another slot.
    read: bool,
    /// Reads it where it is.
    fixed: bool,
    /// Leaves something else in it.
    written: bool,
}

impl Role {
    fn any(&self) -> bool {
        self.read || self.fixed || self.written
    }
}

/// Two or three moves in a row become one instruction.
fn join_moves(function: &mut Function, dropped: &mut [bool], is_target: &[bool]) {
    let mut row: Vec<(usize, Slot, Use)> = Vec::new();
    for at in 0..=function.instrs.len() {
        if is_target[at] {
            join(function, dropped, &row);
            row.clear();
        }
        match function.instrs.get(at) {
            Some(_) if dropped[at] => {}
            Some(&Instr::Move { dst, src }) => {
                // What one of them has moved is not moved on by another: each is the last to read
                // its slot or not, whatever the others do.
                if row.iter().any(|(_, moved, _)| *moved == src.slot()) {
                    join(function, dropped, &row);
                    row.clear();
                }
                row.push((at, dst, src));
                if row.len() == 3 {
                    join(function, dropped, &row);
                    row.clear();
                }
            }
            _ => {
                join(function, dropped, &row);
                row.clear();
            }
        }
    }
}

fn join(function: &mut Function, dropped: &mut [bool], row: &[(usize, Slot, Use)]) {
    let joined = match *row {
        [(_, dst1, src1), (_, dst2, src2)] => Instr::Move2 { dst1, src1, dst2, src2 },
        [(_, dst1, src1), (_, dst2, src2), (_, dst3, src3)] => {
            Instr::Move3 { dst1, src1, dst2, src2, dst3, src3 }
        }
        _ => return,
    };
    for &(at, ..) in row {
        dropped[at] = true;
    }
    let (first, ..) = row[0];
    function.instrs[first] = joined;
    dropped[first] = false;
}
