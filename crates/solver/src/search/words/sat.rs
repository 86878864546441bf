//! Propositional clauses: whether some assignment satisfies them all.
//!
//! Conflict-driven learning with two watched literals a clause (M. Moskewicz et al., *Chaff*,
//! 2001), the first unique implication point (J. Marques-Silva and K. Sakallah, *GRASP*, 1996), the
//! most active variable first, restarts by Luby's sequence, and remembered phases; half of the
//! learnt clauses, the long ones first, are forgotten now and then. Everything is counted, nothing
//! timed.

use crate::meter::Meter;

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }

    fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    fn at(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
struct Clause {
    lits: Vec<Lit>,
    is_learnt: bool,
    is_deleted: bool,
}

/// A clause that is looked at when a literal becomes false; it is satisfied if the other holds.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    other: Lit,
}

/// No clause.
const NONE: u32 = u32::MAX;

/// So many visits of a clause count as a step.
const VISITS: u64 = 24;

/// Conflicts up to the first restart, and learnt clauses that are kept at first.
const RESTART: u64 = 64;
const KEPT: usize = 2000;

#[derive(Debug)]
pub(super) struct Sat {
    clauses: Vec<Clause>,
    watches: Vec<Vec<Watch>>,
    /// By variable: its value, if it has one.
    values: Vec<Option<bool>>,
    phases: Vec<bool>,
    levels: Vec<u32>,
    reasons: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
    heap: Heap,
    trail: Vec<Lit>,
    /// Where on the trail each level of decisions begins.
    begins: Vec<usize>,
    /// What of the trail was propagated.
    done: usize,
    seen: Vec<bool>,
    learnt: usize,
    kept: usize,
    /// Whether the clauses contradict each other without a decision.
    is_contradiction: bool,
}

impl Sat {
    pub(super) fn new() -> Sat {
        Sat {
            clauses: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            phases: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            activity: Vec::new(),
            increment: 1.0,
            heap: Heap::default(),
            trail: Vec::new(),
            begins: Vec::new(),
            done: 0,
            seen: Vec::new(),
            learnt: 0,
            kept: KEPT,
            is_contradiction: false,
        }
    }

    pub(super) fn variable(&mut self) -> Lit {
        let var = self.values.len();
        self.values.push(None);
        self.phases.push(false);
        self.levels.push(0);
        self.reasons.push(NONE);
        self.activity.push(0.0);
        self.seen.push(false);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.heap.insert(var, &self.activity);
        Lit(2 * var as u32)
    }

    pub(super) fn clauses(&self) -> usize {
        self.clauses.len()
    }

    /// What a literal is, if that is decided.
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var()].map(|value| value != lit.is_negative())
    }

    /// One of these holds. Only before anything is decided.
    pub(super) fn add(&mut self, lits: &[Lit]) {
        let mut kept: Vec<Lit> = Vec::with_capacity(lits.len());
        for &lit in lits {
            match self.value(lit) {
                Some(true) => return,
                Some(false) => {}
                None if kept.contains(&lit.not()) => return,
                None if kept.contains(&lit) => {}
                None => kept.push(lit),
            }
        }
        match kept[..] {
            [] => self.is_contradiction = true,
            [only] => self.assign(only, NONE),
            _ => {
                self.attach(kept, false);
            }
        }
    }

    fn attach(&mut self, lits: Vec<Lit>, is_learnt: bool) -> u32 {
        let clause = self.clauses.len() as u32;
        self.watches[lits[0].not().at()].push(Watch { clause, other: lits[1] });
        self.watches[lits[1].not().at()].push(Watch { clause, other: lits[0] });
        self.clauses.push(Clause { lits, is_learnt, is_deleted: false });
        self.learnt += usize::from(is_learnt);
        clause
    }

    fn assign(&mut self, lit: Lit, reason: u32) {
        let var = lit.var();
        self.values[var] = Some(!lit.is_negative());
        self.levels[var] = self.begins.len() as u32;
        self.reasons[var] = reason;
        self.trail.push(lit);
    }

    /// What follows from what was assigned; a clause that does not hold. `Err`: no steps are left.
    fn propagate(&mut self, meter: &mut Meter) -> Result<Option<u32>, ()> {
        let mut visits = 0;
        while self.done < self.trail.len() {
            let lit = self.trail[self.done];
            self.done += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.at()]);
            visits += watches.len() as u64;
            let (mut at, mut kept) = (0, 0);
            let mut conflict = None;
            while at < watches.len() {
                let watch = watches[at];
                at += 1;
                if self.value(watch.other) == Some(true) {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                match self.visit(watch.clause, lit.not()) {
                    Visit::Moved => {}
                    Visit::Forgotten => {}
                    Visit::Holds(other) => {
                        watches[kept] = Watch { clause: watch.clause, other };
                        kept += 1;
                    }
                    Visit::Fails => {
                        conflict = Some(watch.clause);
                        watches[kept] = watch;
                        kept += 1;
                        break;
                    }
                }
            }
            watches.copy_within(at.., kept);
            watches.truncate(kept + watches.len() - at);
            self.watches[lit.at()] = watches;
            if visits >= 64 * VISITS {
                if !meter.take(visits / VISITS) {
                    return Err(());
                }
                visits = 0;
            }
            if conflict.is_some() {
                return if meter.take(visits / VISITS) { Ok(conflict) } else { Err(()) };
            }
        }
        if meter.take(visits / VISITS) { Ok(None) } else { Err(()) }
    }

    /// A clause one of whose watched literals is false now.
    fn visit(&mut self, number: u32, gone: Lit) -> Visit {
        let values = &self.values;
        let value = |lit: Lit| values[lit.var()].map(|value| value != lit.is_negative());
        let clause = &mut self.clauses[number as usize];
        if clause.is_deleted {
            return Visit::Forgotten;
        }
        let lits = &mut clause.lits;
        if lits[0] == gone {
            lits.swap(0, 1);
        }
        let first = lits[0];
        if value(first) == Some(true) {
            return Visit::Holds(first);
        }
        if let Some(at) = (2..lits.len()).find(|&at| value(lits[at]) != Some(false)) {
            lits.swap(1, at);
            let watched = lits[1].not().at();
            self.watches[watched].push(Watch { clause: number, other: first });
            return Visit::Moved;
        }
        if value(first) == Some(false) {
            return Visit::Fails;
        }
        self.assign(first, number);
        Visit::Holds(first)
    }

    /// What a conflict teaches: a clause whose first literal follows on the level that is returned.
    fn analyze(&mut self, conflict: u32) -> (Vec<Lit>, usize) {
        let level = self.begins.len() as u32;
        let (mut learnt, mut open, mut reason) = (Vec::new(), 0, conflict);
        let (mut at, mut uip) = (self.trail.len(), None);
        let mut marked: Vec<usize> = Vec::new();
        loop {
            let lits = std::mem::take(&mut self.clauses[reason as usize].lits);
            for &lit in lits.iter().filter(|&&lit| Some(lit) != uip) {
                let var = lit.var();
                if self.seen[var] || self.levels[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                marked.push(var);
                self.bump(var);
                match self.levels[var] == level {
                    true => open += 1,
                    false => learnt.push(lit),
                }
            }
            self.clauses[reason as usize].lits = lits;
            loop {
                at -= 1;
                if self.seen[self.trail[at].var()] {
                    break;
                }
            }
            let lit = self.trail[at];
            self.seen[lit.var()] = false;
            uip = Some(lit);
            open -= 1;
            reason = self.reasons[lit.var()];
            if open == 0 {
                learnt.insert(0, lit.not());
                break;
            }
        }
        // What the others imply says nothing new.
        let is_implied = |lit: &Lit| {
            let reason = self.reasons[lit.var()];
            reason != NONE
                && self.clauses[reason as usize].lits.iter().all(|other| {
                    other.var() == lit.var()
                        || self.seen[other.var()]
                        || self.levels[other.var()] == 0
                })
        };
        let mut kept: Vec<Lit> = vec![learnt[0]];
        kept.extend(learnt[1..].iter().filter(|lit| !is_implied(lit)));
        marked.into_iter().for_each(|var| self.seen[var] = false);
        // The literal of the highest level is watched, too.
        let level_of = |lit: &Lit| self.levels[lit.var()];
        let Some(second) = (1..kept.len()).max_by_key(|&at| level_of(&kept[at])) else {
            return (kept, 0);
        };
        kept.swap(1, second);
        let back = level_of(&kept[1]) as usize;
        (kept, back)
    }

    fn bump(&mut self, var: usize) {
        self.activity[var] += self.increment;
        if self.activity[var] > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.increment *= 1e-100;
        }
        self.heap.rise(var, &self.activity);
    }

    fn back_to(&mut self, level: usize) {
        if self.begins.len() <= level {
            return;
        }
        let begin = self.begins[level];
        for lit in self.trail.drain(begin..) {
            let var = lit.var();
            self.phases[var] = !lit.is_negative();
            self.values[var] = None;
            self.reasons[var] = NONE;
            self.heap.insert(var, &self.activity);
        }
        self.begins.truncate(level);
        self.done = begin;
    }

    /// Long learnt clauses that imply nothing now are forgotten.
    fn forget(&mut self) {
        let mut learnt: Vec<usize> = (0..self.clauses.len())
            .filter(|&at| {
                let clause = &self.clauses[at];
                let is_reason = self.reasons[clause.lits[0].var()] == at as u32
                    && self.value(clause.lits[0]) == Some(true);
                clause.is_learnt && !clause.is_deleted && clause.lits.len() > 2 && !is_reason
            })
            .collect();
        learnt.sort_by_key(|&at| (self.clauses[at].lits.len(), at));
        for &at in &learnt[learnt.len() / 2..] {
            self.clauses[at].is_deleted = true;
            self.clauses[at].lits.truncate(2);
            self.learnt -= 1;
        }
        self.kept += self.kept / 10;
    }

    /// Whether some assignment satisfies all clauses; nothing if no steps are left.
    pub(super) fn solve(&mut self, meter: &mut Meter) -> Option<bool> {
        let (mut restarts, mut left) = (1, RESTART);
        loop {
            if self.is_contradiction {
                return Some(false);
            }
            match self.propagate(meter).ok()? {
                Some(conflict) => {
                    if self.begins.is_empty() {
                        return Some(false);
                    }
                    left = left.saturating_sub(1);
                    let (learnt, level) = self.analyze(conflict);
                    self.back_to(level);
                    self.increment *= 1.0 / 0.95;
                    match learnt[..] {
                        [only] => self.assign(only, NONE),
                        _ => {
                            let first = learnt[0];
                            let clause = self.attach(learnt, true);
                            self.assign(first, clause);
                        }
                    }
                }
                None if left == 0 => {
                    restarts += 1;
                    left = RESTART * luby(restarts);
                    self.back_to(0);
                    if self.learnt > self.kept {
                        self.forget();
                    }
                }
                None => {
                    let Some(var) = self.next() else { return Some(true) };
                    self.begins.push(self.trail.len());
                    let negative = u32::from(!self.phases[var]);
                    self.assign(Lit(2 * var as u32 + negative), NONE);
                }
            }
        }
    }

    fn next(&mut self) -> Option<usize> {
        while let Some(var) = self.heap.take(&self.activity) {
            if self.values[var].is_none() {
                return Some(var);
            }
        }
        None
    }
}

enum Visit {
    /// It is watched elsewhere now.
    Moved,
    Forgotten,
    /// It stays; this literal of it holds.
    Holds(Lit),
    Fails,
}

/// 1, 1, 2, 1, 1, 2, 4, …
fn luby(mut n: u64) -> u64 {
    loop {
        let bits = 64 - n.leading_zeros();
        if n == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        n -= (1 << (bits - 1)) - 1;
    }
}

/// Variables, the most active first; of equal ones the first.
#[derive(Default, Debug)]
struct Heap {
    vars: Vec<usize>,
    /// By variable: its place, if it is in.
    places: Vec<Option<usize>>,
}

impl Heap {
    fn insert(&mut self, var: usize, activity: &[f64]) {
        if var >= self.places.len() {
            self.places.resize(var + 1, None);
        }
        if self.places[var].is_none() {
            self.places[var] = Some(self.vars.len());
            self.vars.push(var);
            self.up(self.vars.len() - 1, activity);
        }
    }

    fn rise(&mut self, var: usize, activity: &[f64]) {
        if let Some(at) = self.places[var] {
            self.up(at, activity);
        }
    }

    fn take(&mut self, activity: &[f64]) -> Option<usize> {
        let first = *self.vars.first()?;
        self.places[first] = None;
        let last = self.vars.pop()?;
        if last != first {
            self.vars[0] = last;
            self.places[last] = Some(0);
            self.down(activity);
        }
        Some(first)
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        while at > 0 {
            let parent = (at - 1) / 2;
            if !before(self.vars[at], self.vars[parent], activity) {
                break;
            }
            self.swap(at, parent);
            at = parent;
        }
    }

    fn down(&mut self, activity: &[f64]) {
        let mut at = 0;
        loop {
            let children = [2 * at + 1, 2 * at + 2].into_iter().filter(|&c| c < self.vars.len());
            let best = children
                .reduce(|a, b| if before(self.vars[b], self.vars[a], activity) { b } else { a });
            let Some(best) = best.filter(|&c| before(self.vars[c], self.vars[at], activity)) else {
                return;
            };
            self.swap(at, best);
            at = best;
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.vars.swap(a, b);
        self.places[self.vars[a]] = Some(a);
        self.places[self.vars[b]] = Some(b);
    }
}

fn before(a: usize, b: usize, activity: &[f64]) -> bool {
    activity[a] > activity[b] || (activity[a] == activity[b] && a < b)
}
