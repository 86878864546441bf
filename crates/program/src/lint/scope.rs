//! What is known of each variable at a point of a function.
//!
//! `erl_lint` hands an environment down and sorted lists of changes up, and merges lists at every
//! node. Here the environment is one table with an undo log: entering a clause takes a mark,
//! leaving it rolls back, and nothing is ever copied. Changes travel upwards as flat lists of
//! [`Update`]s which are normalised (sorted by name, one entry each) only where a construct needs
//! it; the three ways of normalising are the three ways in which constructs combine their parts.
//!
//! Cost: each update is applied once per sequence or clause that encloses it.

use atom::Atom;
use rustc_hash::FxHashMap;
use syntax::ast::NodeId;

/// A change to one variable, as seen from outside the construct that made it.
pub(super) type Update = (Atom, Var);

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Var {
    pub(super) state: State,
    pub(super) used: bool,
    pub(super) bound_at: Places,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum State {
    Bound,
    /// The stack trace of a `catch` clause, while its guard is checked.
    Stacktrace,
    /// Bound in every clause of a construct that has been left.
    Exported(Construct),
    /// Bound in some clauses only, or where an exception may have come first.
    Unsafe(Construct),
}

/// The construct that a variable came out of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Construct {
    pub(super) name: &'static str,
    pub(super) node: NodeId,
}

/// The places where a variable was bound (several if clauses bind it on their own).
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Places {
    One(NodeId),
    /// A range of the scope's pool.
    Many {
        start: u32,
        len: u32,
    },
}

impl Var {
    pub(super) fn new(state: State, used: bool, at: NodeId) -> Var {
        Var { state, used, bound_at: Places::One(at) }
    }

    pub(super) fn is_unsafe(&self) -> bool {
        matches!(self.state, State::Unsafe(_))
    }
}

/// A point to roll back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

#[derive(Default)]
pub(super) struct Scope {
    current: FxHashMap<Atom, Var>,
    /// What each change replaced.
    log: Vec<(Atom, Option<Var>)>,
    places: Vec<NodeId>,
}

impl Scope {
    pub(super) fn clear(&mut self) {
        self.current.clear();
        self.log.clear();
        self.places.clear();
    }

    pub(super) fn get(&self, name: Atom) -> Option<Var> {
        self.current.get(&name).copied()
    }

    pub(super) fn contains(&self, name: Atom) -> bool {
        self.current.contains_key(&name)
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.log.len())
    }

    pub(super) fn rollback(&mut self, mark: Mark) {
        while self.log.len() > mark.0 {
            match self.log.pop() {
                Some((name, Some(var))) => {
                    self.current.insert(name, var);
                }
                Some((name, None)) => {
                    self.current.remove(&name);
                }
                None => return,
            }
        }
    }

    /// Replaces a variable, as a binding that shadows an older one does.
    pub(super) fn set(&mut self, name: Atom, var: Var) {
        let before = self.current.insert(name, var);
        self.log.push((name, before));
    }

    /// Applies changes: their state counts, uses and places add up.
    pub(super) fn update(&mut self, updates: &[Update]) {
        for &(name, var) in updates {
            let merged = match self.get(name) {
                Some(old) => {
                    let merged = Var {
                        state: var.state,
                        used: var.used || old.used,
                        bound_at: self.union(var.bound_at, old.bound_at),
                    };
                    if merged == old {
                        continue;
                    }
                    merged
                }
                None => var,
            };
            self.set(name, merged);
        }
    }

    /// The variables that came into being since `mark`.
    pub(super) fn new_since(&self, mark: Mark) -> Vec<Update> {
        self.log[mark.0..]
            .iter()
            .filter(|(_, before)| before.is_none())
            .filter_map(|&(name, _)| Some((name, self.get(name)?)))
            .collect()
    }

    /// Names of all bound variables, for suggestions.
    pub(super) fn names(&self) -> Vec<Atom> {
        let mut names: Vec<Atom> = self.current.keys().copied().collect();
        names.sort();
        names
    }

    pub(super) fn places(&self, places: Places) -> Vec<NodeId> {
        match places {
            Places::One(place) => vec![place],
            Places::Many { start, len } => {
                self.places[start as usize..(start + len) as usize].to_vec()
            }
        }
    }

    pub(super) fn first_place(&self, places: Places) -> Option<NodeId> {
        match places {
            Places::One(place) => Some(place),
            Places::Many { start, .. } => self.places.get(start as usize).copied(),
        }
    }

    fn union(&mut self, a: Places, b: Places) -> Places {
        if a == b {
            return a;
        }
        let mut all = self.places(a);
        all.extend(self.places(b));
        self.intern(all)
    }

    fn intern(&mut self, mut all: Vec<NodeId>) -> Places {
        all.sort();
        all.dedup();
        if let [one] = all[..] {
            return Places::One(one);
        }
        let start = self.places.len() as u32;
        let len = all.len() as u32;
        self.places.extend(all);
        Places::Many { start, len }
    }

    // ---- Combining changes -------------------------------------------------------------------

    /// Parts that run one after the other: the first state counts.
    pub(super) fn in_sequence(&mut self, updates: Vec<Update>) -> Vec<Update> {
        self.combine(updates, |first, _| first)
    }

    /// Parts that see the same variables: trouble counts most.
    pub(super) fn side_by_side(&mut self, updates: Vec<Update>) -> Vec<Update> {
        self.combine(updates, worse)
    }

    /// Parts that see the same variables and in which a variable bound twice is matched, hence
    /// used. Also returns the places of such variables.
    pub(super) fn matched(&mut self, updates: Vec<Update>) -> (Vec<Update>, Vec<(Atom, NodeId)>) {
        let mut repeated = Vec::new();
        let groups = sorted(updates);
        let mut result: Vec<Update> = Vec::with_capacity(groups.len());
        for group in groups.chunk_by(|a, b| a.0 == b.0) {
            let mut merged = self.fold(group, worse);
            if group.len() > 1 {
                for (name, var) in group {
                    if !var.used {
                        let places = self.places(var.bound_at);
                        repeated.extend(places.into_iter().map(|place| (*name, place)));
                    }
                }
                merged.1.used = true;
            }
            result.push(merged);
        }
        (result, repeated)
    }

    fn combine(
        &mut self,
        updates: Vec<Update>,
        state: impl Fn(State, State) -> State + Copy,
    ) -> Vec<Update> {
        let updates = sorted(updates);
        if updates.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return updates;
        }
        updates.chunk_by(|a, b| a.0 == b.0).map(|group| self.fold(group, state)).collect()
    }

    fn fold(&mut self, group: &[Update], state: impl Fn(State, State) -> State) -> Update {
        let (name, mut merged) = group[0];
        if group[1..].iter().any(|(_, var)| var.bound_at != merged.bound_at) {
            let mut all = Vec::new();
            for (_, var) in group {
                all.extend(self.places(var.bound_at));
            }
            merged.bound_at = self.intern(all);
        }
        for (_, var) in &group[1..] {
            merged.state = state(merged.state, var.state);
            merged.used |= var.used;
        }
        (name, merged)
    }

    /// What the clauses of a construct, each checked on its own, leave behind.
    pub(super) fn clauses(
        &mut self,
        clauses: Vec<Vec<Update>>,
        construct: Construct,
    ) -> Vec<Update> {
        let count = clauses.len();
        let all = sorted(clauses.into_iter().flatten().collect());
        let mut result = Vec::new();
        for group in all.chunk_by(|a, b| a.0 == b.0) {
            let name = group[0].0;
            let var = match self.get(name) {
                Some(outer) => known_in_clauses(outer, group),
                None => self.new_in_clauses(group, count, construct),
            };
            result.push((name, var));
        }
        result
    }

    fn new_in_clauses(&mut self, group: &[Update], count: usize, construct: Construct) -> Var {
        let unsafe_in: Vec<State> = group
            .iter()
            .map(|(_, var)| var.state)
            .filter(|s| matches!(s, State::Unsafe(_)))
            .collect();
        let state = match unsafe_in[..] {
            _ if group.len() != count => State::Unsafe(construct),
            [] => State::Exported(construct),
            [one] => one,
            _ => State::Unsafe(construct),
        };
        let mut unused = Vec::new();
        for (_, var) in group {
            if !var.used {
                unused.extend(self.places(var.bound_at));
            }
        }
        let used = unused.is_empty();
        let bound_at = if used { group[0].1.bound_at } else { self.intern(unused) };
        Var { state, used, bound_at }
    }

    /// The changes that make new variables, marked as unsafe.
    pub(super) fn unsafe_new(&self, updates: &[Update], construct: Construct) -> Vec<Update> {
        updates
            .iter()
            .filter(|(name, _)| !self.contains(*name))
            .map(|&(name, var)| (name, Var { state: State::Unsafe(construct), ..var }))
            .collect()
    }

    /// `updates` with the new variables marked as unsafe.
    pub(super) fn with_unsafe_new(
        &self,
        mut updates: Vec<Update>,
        construct: Construct,
    ) -> Vec<Update> {
        for (name, var) in &mut updates {
            if !self.contains(*name) {
                var.state = State::Unsafe(construct);
            }
        }
        updates
    }
}

/// A variable from outside that clauses use.
fn known_in_clauses(outer: Var, group: &[Update]) -> Var {
    let rebound =
        group.iter().any(|(_, var)| matches!(var.state, State::Bound | State::Stacktrace));
    let all_unsafe = group.iter().all(|(_, var)| var.is_unsafe());
    let state = match outer.state {
        State::Exported(_) if !rebound && !all_unsafe => {
            group.iter().fold(outer.state, |state, (_, var)| worse(state, var.state))
        }
        _ => State::Bound,
    };
    Var { state, used: true, bound_at: outer.bound_at }
}

fn worse(a: State, b: State) -> State {
    match (a, b) {
        (State::Unsafe(_), _) => a,
        (_, State::Unsafe(_)) => b,
        (State::Bound | State::Stacktrace, _) => b,
        (State::Exported(_), _) => a,
    }
}

fn sorted(mut updates: Vec<Update>) -> Vec<Update> {
    if !updates.is_sorted_by_key(|(name, _)| name.index()) {
        updates.sort_by_key(|(name, _)| name.index());
    }
    updates
}
