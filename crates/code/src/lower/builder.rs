//! A function under construction: instructions, labels, slots.

use std::fmt;

use atom::{Atom, known};
use rustc_hash::FxHashMap;
use syntax::ast::{Kind, NodeId};
use term::Term;

use super::Lowerer;
use crate::instr::{Effects, Instr, MAX_SLOTS, Mark, Pc, RAISE, Slot, Use};
use crate::module::{Function, Switch};

/// A place in the code that may not have been reached yet. Until the function is finished,
/// addresses in instructions are labels.
pub(super) type Label = Pc;

pub(super) struct FnBuilder {
    pub(super) name: Atom,
    pub(super) arity: u32,
    /// The function of the source that this one is part of; it appears in the names of funs.
    pub(super) home: (Atom, u32),
    pub(super) node: NodeId,
    pub(super) instrs: Vec<Instr>,
    origins: Vec<NodeId>,
    /// The node that instructions are being made for.
    pub(super) current: NodeId,
    labels: Vec<Option<u32>>,
    /// Slot of each variable of the clause being made.
    pub(super) slots: FxHashMap<Atom, Slot>,
    /// Variables bound so far, in order of binding.
    pub(super) bound: Vec<Atom>,
    /// Variables that were bound to constants, by expressions of the clause's body itself: funs
    /// have the constants, and do not take the variables along. So it is in OTP, where the number
    /// of variables is part of what stack traces show.
    pub(super) constants: Vec<(Atom, Term)>,
    /// While the patterns of a head are matched: surrounding variables whose names the head binds
    /// anew. Sizes and keys in the patterns still mean these.
    pub(super) outer: Vec<(Atom, Slot)>,
    /// Variables that the binary pattern being matched has bound: its sizes mean these.
    pub(super) in_bits: Vec<Atom>,
    /// While the operands of an expression are made that do not see each other's variables: how
    /// many were bound before the first of them.
    pub(super) operands: Option<usize>,
    /// Range of `bound` that funs do not see: what other operands of the same expression bound
    /// ([`super::operands`]).
    pub(super) hidden: std::ops::Range<usize>,
    /// The first slot that is free.
    pub(super) next: usize,
    highest: usize,
    /// First switch table that belongs to this function.
    pub(super) switches: Vec<u32>,
    /// How deep in `try` bodies we are: no tail calls there.
    pub(super) protected: u32,
    /// In a guard: where to go when something cannot be computed.
    pub(super) guard: Option<Label>,
}

impl FnBuilder {
    pub(super) fn new(name: Atom, arity: u32, home: (Atom, u32), node: NodeId) -> FnBuilder {
        FnBuilder {
            name,
            arity,
            home,
            node,
            instrs: Vec::new(),
            origins: Vec::new(),
            current: node,
            labels: Vec::new(),
            slots: FxHashMap::default(),
            bound: Vec::new(),
            constants: Vec::new(),
            outer: Vec::new(),
            in_bits: Vec::new(),
            operands: None,
            hidden: 0..0,
            next: arity as usize,
            highest: arity as usize,
            switches: Vec::new(),
            protected: 0,
            guard: None,
        }
    }

    pub(super) fn placeholder(name: Atom, arity: u32) -> Function {
        Function::lowered(name, arity, 0, Vec::new(), Vec::new())
    }

    /// Replaces labels by addresses.
    pub(super) fn finish(mut self, switches: &mut [Switch]) -> Result<Function, TooManySlots> {
        // One slot more than is used: there is always a place for the result of a call.
        let size = self.highest + 1;
        if size > MAX_SLOTS {
            return Err(TooManySlots { needed: size });
        }
        let labels = &self.labels;
        let resolve = |label: &mut Pc| {
            // Every label that is used has been placed: lowering places what it makes.
            *label = labels.get(*label as usize).copied().flatten().unwrap_or(0);
        };
        for instr in &mut self.instrs {
            if let Instr::Enter { size: room } = instr {
                *room = size as u16;
            }
            instr.effects(Effects {
                uses: |_| {},
                consumes: |_, _| {},
                defines: |_| {},
                targets: |target| resolve(target),
            });
        }
        for &table in &self.switches {
            match &mut switches[table as usize] {
                Switch::Atoms(entries) => entries.iter_mut().for_each(|(_, to)| resolve(to)),
                Switch::Ints(entries) => entries.iter_mut().for_each(|(_, to)| resolve(to)),
            }
        }
        Ok(Function::lowered(self.name, self.arity, size as u16, self.instrs, self.origins))
    }
}

/// A function does not fit a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TooManySlots {
    needed: usize,
}

impl fmt::Display for TooManySlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let needed = self.needed;
        write!(f, "the function needs {needed} slots, at most {MAX_SLOTS} are possible")
    }
}

impl std::error::Error for TooManySlots {}

impl Lowerer<'_> {
    /// The function being made.
    pub(super) fn f(&mut self) -> &mut FnBuilder {
        self.building.last_mut().expect("a function is being made while expressions are lowered")
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        let f = self.f();
        f.instrs.push(instr);
        f.origins.push(f.current);
    }

    /// Marks a node for an observer, where that is wanted.
    pub(super) fn note(&mut self, node: NodeId, mark: Mark) {
        if self.options.marks {
            let before = std::mem::replace(&mut self.f().current, node);
            self.emit(Instr::Mark { mark });
            self.at(before);
        }
    }

    /// Shows an observer the value of a node, where that is wanted.
    pub(super) fn show(&mut self, node: NodeId, value: Slot) {
        if self.options.marks {
            self.emit_show(node, value);
        }
    }

    pub(super) fn emit_show(&mut self, node: NodeId, value: Slot) {
        let before = std::mem::replace(&mut self.f().current, node);
        self.emit(Instr::Show { src: Use::of(value) });
        self.at(before);
    }

    /// Whether the value of this one node is to be shown.
    pub(super) fn is_asked_for(&self, node: NodeId) -> bool {
        self.shown.contains(&node)
    }

    /// Shows an observer the values of the variables of patterns that have fitted, where all values
    /// are wanted.
    pub(super) fn show_bound(&mut self, patterns: &[NodeId]) {
        let all = self.options.marks && self.options.values;
        if !all && self.shown.is_empty() {
            return;
        }
        let mut variables = Vec::new();
        for &pattern in patterns {
            self.m.for_each_below(pattern, |id| {
                if let Kind::Var(name) = self.m.kind(id)
                    && (all || self.is_asked_for(id))
                {
                    variables.push((id, name));
                }
            });
        }
        for (id, name) in variables {
            if name != known::UNDERSCORE && self.is_bound(name) {
                let slot = self.var_slot(name);
                self.emit_show(id, slot);
            }
        }
    }

    /// Marks what comes out of a condition that `test` makes: it goes on if the condition holds,
    /// and to the labels it is given if not, or if that cannot be said.
    pub(super) fn note_outcomes<T>(
        &mut self,
        condition: NodeId,
        if_false: Label,
        if_error: Label,
        test: impl FnOnce(&mut Self, Label, Label) -> T,
    ) -> T {
        if !self.options.marks {
            return test(self, if_false, if_error);
        }
        let (is_false, holds) = (self.new_label(), self.new_label());
        let fails = if if_error == if_false { is_false } else { self.new_label() };
        let result = test(self, is_false, fails);
        self.note(condition, Mark::True);
        self.jump(holds);
        self.bind_label(is_false);
        self.note(condition, Mark::False);
        self.jump(if_false);
        if fails != is_false {
            self.bind_label(fails);
            self.note(condition, Mark::False);
            self.jump(if_error);
        }
        self.bind_label(holds);
        result
    }

    /// Instructions from now on are made for `node`.
    pub(super) fn at(&mut self, node: NodeId) {
        self.f().current = node;
    }

    pub(super) fn new_label(&mut self) -> Label {
        let f = self.f();
        f.labels.push(None);
        f.labels.len() as u32 - 1
    }

    /// The label stands for the next instruction.
    pub(super) fn bind_label(&mut self, label: Label) {
        let f = self.f();
        f.labels[label as usize] = Some(f.instrs.len() as u32);
    }

    /// Where an operation goes that cannot be done: on in a guard, else it raises.
    pub(super) fn on_failure(&mut self) -> Pc {
        self.f().guard.unwrap_or(RAISE)
    }

    pub(super) fn jump(&mut self, to: Label) {
        self.emit(Instr::Jump { to });
    }

    /// A free slot above all that are in use.
    pub(super) fn temp(&mut self) -> Slot {
        self.temps(1)
    }

    /// `count` free slots in a row; the first of them.
    pub(super) fn temps(&mut self, count: usize) -> Slot {
        let f = self.f();
        // Too many slots are reported when the function is finished; until then numbers are kept
        // in range so that lowering can go on.
        let first = f.next.min(MAX_SLOTS - 1);
        f.next += count;
        f.highest = f.highest.max(f.next);
        Slot(first as u16)
    }

    /// The stack of temporaries as it is now, to go back to with [`Lowerer::release`].
    pub(super) fn mark(&mut self) -> usize {
        self.f().next
    }

    /// Gives up the temporaries taken since `mark`.
    pub(super) fn release(&mut self, mark: usize) {
        self.f().next = mark;
    }

    /// Moves the arguments of a tail call to the start of the frame.
    pub(super) fn slide(&mut self, at: Slot, len: u16) {
        for i in 0..len {
            self.move_to(Slot(i), Slot(at.0 + i));
        }
    }

    pub(super) fn move_to(&mut self, dst: Slot, src: Slot) {
        if dst != src {
            self.emit(Instr::Move { dst, src: Use::of(src) });
        }
    }
}
