//! Variables: which slot each has, which are bound, which a fun closes over.
//!
//! A variable gets its slot when it is first met in a clause of a function and keeps it to the end
//! of the clause. Funs and comprehensions are functions of their own: what they use of their
//! surroundings is found beforehand ([`free_variables`]) and handed over; names that their heads
//! bind anew are hidden meanwhile, but for sizes and keys, which still mean the outer ones.

use atom::{Atom, known};
use rustc_hash::FxHashSet;
use syntax::ast::{ComprehensionKind, Kind, Module, NodeId};
use term::Term;

use super::Lowerer;
use crate::instr::Slot;

/// What to go back to at the end of a clause of a function.
pub(super) struct ScopeMark {
    next: usize,
    bound: Vec<Atom>,
    slots: rustc_hash::FxHashMap<Atom, Slot>,
    constants: Vec<(Atom, Term)>,
}

impl Lowerer<'_> {
    /// Starts a clause of a function. Variables get their slots when they are first met.
    pub(super) fn open_scope(&mut self, clause: NodeId) -> ScopeMark {
        let m = self.m;
        let f = self.f();
        let mark = ScopeMark {
            next: f.next,
            bound: f.bound.clone(),
            slots: f.slots.clone(),
            constants: f.constants.clone(),
        };
        // What the head binds is new, whatever the fun closed over under the same name.
        if let Kind::Clause { patterns, .. } = m.kind(clause) {
            let mut new = Vec::new();
            for &pattern in m.list(patterns) {
                pattern_variables(m, pattern, &mut new);
            }
            self.forget(&new);
        }
        // A slot for every variable of the clause first, so that temporaries lie above them.
        // A variable that is the whole of an argument lives where the argument is.
        if let Kind::Clause { patterns, .. } = m.kind(clause) {
            for (i, &pattern) in m.list(patterns).iter().enumerate() {
                if let Kind::Var(name) = m.kind(pattern)
                    && name != known::UNDERSCORE
                {
                    self.f().slots.entry(name).or_insert(Slot(i as u16));
                }
            }
        }
        for name in variables_of_scope(m, clause) {
            if !self.f().slots.contains_key(&name) {
                let slot = self.temp();
                self.f().slots.insert(name, slot);
            }
        }
        mark
    }

    pub(super) fn close_scope(&mut self, mark: ScopeMark) {
        let f = self.f();
        f.next = mark.next;
        f.bound = mark.bound;
        f.slots = mark.slots;
        f.constants = mark.constants;
    }

    /// These names stand for new variables from here on, except in sizes and keys of the patterns
    /// that bind them, until [`Lowerer::end_of_head`].
    pub(super) fn forget(&mut self, names: &[Atom]) {
        let f = self.f();
        for name in names {
            let slot = f.slots.remove(name);
            if let Some(slot) = slot
                && f.bound.contains(name)
            {
                f.outer.push((*name, slot));
            }
        }
        f.bound.retain(|name| !names.contains(name));
        f.constants.retain(|(name, _)| !names.contains(name));
    }

    /// The patterns of a head have been matched.
    pub(super) fn end_of_head(&mut self) {
        self.f().outer.clear();
    }

    /// Makes the names in sizes and keys mean what they do there; what to go back to.
    pub(super) fn enter_size(&mut self) -> Vec<(Atom, Option<Slot>, bool)> {
        let f = self.f();
        let mut saved = Vec::new();
        for &(name, slot) in &f.outer {
            if !f.in_bits.contains(&name) {
                let was_bound = f.bound.contains(&name);
                saved.push((name, f.slots.insert(name, slot), was_bound));
                if !was_bound {
                    f.bound.push(name);
                }
            }
        }
        saved
    }

    pub(super) fn leave_size(&mut self, saved: Vec<(Atom, Option<Slot>, bool)>) {
        let f = self.f();
        for (name, slot, was_bound) in saved {
            match slot {
                Some(slot) => f.slots.insert(name, slot),
                None => f.slots.remove(&name),
            };
            if !was_bound {
                f.bound.retain(|bound| *bound != name);
            }
        }
    }

    /// The slot of a variable.
    pub(super) fn var_slot(&mut self, name: Atom) -> Slot {
        if let Some(&slot) = self.f().slots.get(&name) {
            return slot;
        }
        let slot = self.temp();
        self.f().slots.insert(name, slot);
        slot
    }

    pub(super) fn is_bound(&mut self, name: Atom) -> bool {
        self.f().bound.contains(&name)
    }

    pub(super) fn bind(&mut self, name: Atom) {
        self.f().bound.push(name);
    }

    /// Variables of the function being made that have these constants as values.
    pub(super) fn used_constants(&mut self, used: &FxHashSet<Atom>) -> Vec<(Atom, Term)> {
        let f = self.f();
        let is_visible = |name: &Atom| {
            let at = f.bound.iter().rposition(|bound| bound == name);
            at.is_some_and(|at| !f.hidden.contains(&at))
        };
        let all = f.constants.iter();
        all.filter(|(name, _)| used.contains(name) && is_visible(name)).cloned().collect()
    }

    /// Variables of the function being made that are among those that `nodes` use, in the order in
    /// which they were bound. One that is hidden is taken along if it is only read: what a pattern
    /// of `nodes` has is a new variable then.
    pub(super) fn captured(&mut self, used: &FxHashSet<Atom>, nodes: &[NodeId]) -> Vec<Atom> {
        let m = self.m;
        let mut captured = Vec::new();
        let f = self.f();
        for (i, &name) in f.bound.iter().enumerate() {
            if used.contains(&name)
                && !captured.contains(&name)
                && (!f.hidden.contains(&i) || !nodes.iter().any(|&id| in_pattern(m, id, name)))
            {
                captured.push(name);
            }
        }
        captured
    }
}

/// Variables of a clause, not counting those of funs and comprehensions inside it.
pub(super) fn variables_of_scope(m: &Module, clause: NodeId) -> Vec<Atom> {
    let mut names = Vec::new();
    let mut seen = FxHashSet::default();
    let mut pending = vec![clause];
    while let Some(id) = pending.pop() {
        match m.kind(id) {
            Kind::Var(name) if name != known::UNDERSCORE => {
                if seen.insert(name) {
                    names.push(name);
                }
            }
            Kind::Fun { .. } => {}
            // The first generator is evaluated outside, but a variable that it binds there is not
            // seen anywhere else, with the exceptions that `leaks` knows.
            Kind::Comprehension { which, qualifiers, .. } => {
                pending.extend(leaks(m, which, m.list(qualifiers)));
            }
            _ => {
                let mark = pending.len();
                m.for_each_child(id, |child| pending.push(child));
                pending[mark..].reverse();
            }
        }
    }
    names
}

/// The part of a comprehension whose variables OTP's compiler keeps after it, whatever the language
/// says: a filter that comes first, and the source of a binary comprehension that comes first. (A
/// pattern that has such a variable afterwards compares.)
pub(super) fn leaks(m: &Module, which: ComprehensionKind, qualifiers: &[NodeId]) -> Option<NodeId> {
    let &first = qualifiers.first()?;
    match m.kind(first) {
        Kind::Generator { source, .. } => (which == ComprehensionKind::Binary).then_some(source),
        Kind::ZipGenerator { .. } => None,
        _ => Some(first),
    }
}

/// Whether a variable occurs in a pattern of a match or clause in or below `id`.
fn in_pattern(m: &Module, id: NodeId, name: Atom) -> bool {
    let mut found = false;
    m.for_each_below(id, |id| {
        let patterns = match m.kind(id) {
            Kind::Match { pattern, .. } | Kind::MaybeMatch { pattern, .. } => vec![pattern],
            Kind::Clause { patterns, .. } => m.list(patterns).to_vec(),
            _ => return,
        };
        let mut names = Vec::new();
        for pattern in patterns {
            pattern_variables(m, pattern, &mut names);
        }
        found |= names.contains(&name);
    });
    found
}

/// All variables that occur in or below `id`, except where a fun or comprehension inside binds the
/// name anew. (A name that is bound anew everywhere it occurs is not captured.)
pub(super) fn free_variables(m: &Module, id: NodeId, free: &mut FxHashSet<Atom>) {
    let mut shadowed = Vec::new();
    collect_free(m, id, &mut shadowed, free);
}

/// As [`free_variables`], for several nodes of one scope.
pub(super) fn free_variables_of(
    m: &Module,
    ids: &[NodeId],
    shadowed: &[Atom],
    free: &mut FxHashSet<Atom>,
) {
    let mut shadowed = shadowed.to_vec();
    for &id in ids {
        collect_free(m, id, &mut shadowed, free);
    }
}

fn collect_free(m: &Module, id: NodeId, shadowed: &mut Vec<Atom>, free: &mut FxHashSet<Atom>) {
    stacker::maybe_grow(64 * 1024, 1024 * 1024, || match m.kind(id) {
        Kind::Var(name) => {
            if name != known::UNDERSCORE && !shadowed.contains(&name) {
                free.insert(name);
            }
        }
        Kind::Fun { name, clauses } => {
            let mark = shadowed.len();
            shadowed.extend(name);
            for &clause in m.list(clauses) {
                let Kind::Clause { patterns, guards, body } = m.kind(clause) else { continue };
                let mark = shadowed.len();
                for &pattern in m.list(patterns) {
                    pattern_reads(m, pattern, shadowed, free);
                }
                for &pattern in m.list(patterns) {
                    pattern_variables(m, pattern, shadowed);
                }
                for list in [guards, body] {
                    for &id in m.list(list) {
                        collect_free(m, id, shadowed, free);
                    }
                }
                shadowed.truncate(mark);
            }
            shadowed.truncate(mark);
        }
        Kind::Comprehension { exprs, qualifiers, .. } => {
            let mark = shadowed.len();
            for &qualifier in m.list(qualifiers) {
                qualifier_free(m, qualifier, shadowed, free);
            }
            for &expr in m.list(exprs) {
                collect_free(m, expr, shadowed, free);
            }
            shadowed.truncate(mark);
        }
        _ => m.for_each_child(id, |child| collect_free(m, child, shadowed, free)),
    });
}

fn qualifier_free(m: &Module, id: NodeId, shadowed: &mut Vec<Atom>, free: &mut FxHashSet<Atom>) {
    match m.kind(id) {
        Kind::Generator { pattern, source, .. } => {
            collect_free(m, source, shadowed, free);
            pattern_reads(m, pattern, shadowed, free);
            pattern_variables(m, pattern, shadowed);
        }
        Kind::ZipGenerator { generators } => {
            for &generator in m.list(generators) {
                if let Kind::Generator { source, .. } = m.kind(generator) {
                    collect_free(m, source, shadowed, free);
                }
            }
            for &generator in m.list(generators) {
                if let Kind::Generator { pattern, .. } = m.kind(generator) {
                    pattern_reads(m, pattern, shadowed, free);
                }
            }
            for &generator in m.list(generators) {
                if let Kind::Generator { pattern, .. } = m.kind(generator) {
                    pattern_variables(m, pattern, shadowed);
                }
            }
        }
        _ => collect_free(m, id, shadowed, free),
    }
}

/// The surrounding variables that a pattern in a head reads, which binds its own names anew: those
/// in keys of maps, and those in sizes that are not bound further left in the same binary.
pub(super) fn pattern_reads(
    m: &Module,
    pattern: NodeId,
    shadowed: &mut Vec<Atom>,
    free: &mut FxHashSet<Atom>,
) {
    let mut pending = vec![pattern];
    while let Some(id) = pending.pop() {
        match m.kind(id) {
            Kind::Binary { elements } => {
                let mark = shadowed.len();
                for &element in m.list(elements) {
                    let Kind::BinElement { value, size, .. } = m.kind(element) else { continue };
                    if let Some(size) = size {
                        collect_free(m, size, shadowed, free);
                    }
                    if let Kind::Var(name) = m.kind(value) {
                        shadowed.push(name);
                    }
                }
                shadowed.truncate(mark);
            }
            // In a map generator the key is a pattern, too.
            Kind::MapField { key, value, .. } if id == pattern => pending.extend([key, value]),
            Kind::MapField { key, value, .. } => {
                collect_free(m, key, shadowed, free);
                pending.push(value);
            }
            _ => m.for_each_child(id, |child| pending.push(child)),
        }
    }
}

/// The variables that a pattern binds when none of its names is bound: all but those in sizes of
/// segments and in keys of maps.
pub(super) fn pattern_variables(m: &Module, pattern: NodeId, names: &mut Vec<Atom>) {
    let mut pending = vec![pattern];
    while let Some(id) = pending.pop() {
        match m.kind(id) {
            Kind::Var(name) if name != known::UNDERSCORE => names.push(name),
            Kind::BinElement { value, .. } => pending.push(value),
            Kind::MapField { key, value, exact } => {
                pending.push(value);
                // In a map generator the key is a pattern; in a map pattern it is an expression,
                // whose variables are bound before.
                if exact && matches!(m.kind(pattern), Kind::MapField { .. }) && id == pattern {
                    pending.push(key);
                }
            }
            Kind::Record { fields, .. } => pending.extend(m.list(fields)),
            Kind::RecordField { value, .. } => pending.push(value),
            _ => m.for_each_child(id, |child| pending.push(child)),
        }
    }
}
