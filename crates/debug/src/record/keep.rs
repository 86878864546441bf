//! Which statements of a run are kept.
//!
//! A run is recorded whole as long as there is room ([`MOST_WHOLE`] statements, [`MOST_HELD`] words
//! of arguments). If it is longer, everything that was kept is given up but *which* statements
//! there were, and an [`Outline`] is made of the rest: no values are held from then on, so that the
//! program can change its own in place as it does when nobody watches.
//!
//! # The outline
//!
//! The tree of statements is cut into clusters: a statement and what is below it, down to other
//! clusters. A call that is over is the top of a cluster if enough statements are pending below it,
//! itself included (at least `small`, which grows with the number of clusters); otherwise those are
//! pending below its caller. Calls in tail position never come back, so a chain of them is cut from
//! above: each joins the cluster of the one whose place it takes until that is large enough. What
//! is right below the run, and whatever waited for a message, is a top always: so all parts of an
//! activation are there.
//!
//! The run is then made again, and the tops are recorded with their values; the others are *folded*
//! into the top above them, which is told what they sent, read and wrote
//! ([`super::Statement::folded`]). When a search has found the cluster that is to blame, the run is
//! made once more, and what is in the cluster is recorded ([`Window`]), as a run of its own: whole
//! if there is room, or as an outline again.
//!
//! # Cost
//!
//! An outline takes constant time for each call, and memory for the calls that are open and for the
//! tops: about `MOST_WHOLE` of them, and a quarter of that for each fourfold length. A statement is
//! named by the number of its activation, which is the same in each run: nothing else has to be
//! remembered of those that are folded.

use follow::ActivationId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Current, Statement, StatementId};
use crate::zoom::Target;

/// So many statements of a run are recorded whole.
const MOST_WHOLE: usize = 100_000;

/// So many words of arguments are held by those.
const MOST_HELD: u64 = 1 << 25;

/// More tops than these are not kept.
const MOST_TOPS: usize = 3_000_000;

/// What is recorded of a run.
pub(crate) enum Keep {
    /// As much as there is room for, of all of it or of a part.
    Room {
        within: Option<Window>,
        most: usize,
        /// Statements so far that are not the tops of other clusters.
        statements: usize,
        held: u64,
    },
    These(FxHashSet<Target>),
    /// One statement, nothing below it.
    Only(Target),
}

/// The part of a run that belongs to one cluster.
#[derive(Clone, Debug)]
pub struct Window {
    /// The statement at its top.
    pub top: Target,
    /// The tops of others.
    pub others: FxHashSet<Target>,
}

impl Window {
    /// Whether what is below a statement is not part of it.
    fn is_closed(&self, statement: Target) -> bool {
        statement != self.top
            && (statement.activation == self.top.activation || self.others.contains(&statement))
    }
}

impl Keep {
    /// As much as there is room for: so many statements, or as many as is usual.
    pub(crate) fn room(within: Option<Window>, most: Option<usize>) -> Keep {
        Keep::Room { within, most: most.unwrap_or(MOST_WHOLE), statements: 0, held: 0 }
    }

    /// Whether a call that is made in a statement has one of its own.
    pub(super) fn keeps(&self, target: Target, above: Option<Target>) -> bool {
        match self {
            Keep::Room { within: None, .. } => true,
            Keep::Room { within: Some(window), .. } => {
                target.activation == window.top.activation
                    || above.is_some_and(|above| !window.is_closed(above))
            }
            Keep::These(targets) => targets.contains(&target),
            Keep::Only(only) => target.activation == only.activation,
        }
    }

    /// Whether what an activation does after it waited is kept.
    pub(super) fn keeps_part(&self, target: Target) -> bool {
        match self {
            Keep::Room { within: None, .. } => true,
            Keep::Room { within: Some(window), .. } => target.activation == window.top.activation,
            Keep::These(targets) => targets.contains(&target),
            Keep::Only(only) => target.activation == only.activation,
        }
    }

    /// Whether there is no room for another statement.
    pub(super) fn is_full(&self) -> bool {
        matches!(self, Keep::Room { most, statements, held, .. }
            if statements >= most || *held > MOST_HELD)
    }

    /// A statement is kept, with so many words of arguments.
    pub(super) fn hold(&mut self, target: Target, words: u64) {
        let is_top = self.is_top(target);
        if let Keep::Room { statements, held, .. } = self {
            *statements += usize::from(!is_top);
            *held += words;
        }
    }

    /// Whether a statement is the top of another cluster than the one that is recorded.
    fn is_top(&self, target: Target) -> bool {
        match self {
            Keep::Room { within: Some(window), .. } => window.others.contains(&target),
            _ => false,
        }
    }
}

/// The statements that are to be recorded of a run that is too long.
#[derive(Clone, Debug)]
pub struct Kept {
    pub(crate) targets: FxHashSet<Target>,
    /// There were more.
    pub is_cut: bool,
}

/// The clusters of a run.
pub(super) struct Outline {
    /// Those of activations that have not ended, and of their callers; others in between are free.
    open: Vec<Entry>,
    free: Vec<StatementId>,
    tops: Kept,
    /// Smaller clusters are not kept.
    small: u32,
    /// After so many more tops they are larger.
    step: usize,
    /// The number of tops from which on they are.
    grows_at: usize,
    /// Words of the arguments of tops since then.
    held: u64,
}

struct Entry {
    target: Target,
    parent: Option<StatementId>,
    /// Statements below it that are in its cluster, as far as they are over.
    pending: u32,
    must_be_kept: bool,
    weight: u64,
}

impl Outline {
    /// The outline of a run that was recorded whole until now.
    pub(super) fn of(
        current: &mut FxHashMap<ActivationId, Current>,
        statements: &[Statement],
    ) -> Outline {
        let mut outline = Outline {
            open: Vec::new(),
            free: Vec::new(),
            tops: Kept { targets: FxHashSet::default(), is_cut: false },
            small: 4,
            step: (statements.len() / 4).max(1),
            grows_at: statements.len() + statements.len() / 4,
            held: 0,
        };
        let mut activations: Vec<ActivationId> =
            current.iter().filter(|(_, current)| !current.is_folded).map(|(id, _)| *id).collect();
        activations.sort_unstable_by_key(|id| current[id].statement);
        let mut numbers: FxHashMap<StatementId, StatementId> = FxHashMap::default();
        for id in activations {
            let Some(current) = current.get_mut(&id) else { continue };
            let statement = &statements[current.statement.index()];
            let parent = statement.parent.and_then(|parent| numbers.get(&parent).copied());
            let number = outline.add(Entry {
                target: statement.target,
                parent,
                pending: 0,
                must_be_kept: statement.after.is_some(),
                weight: 0,
            });
            numbers.insert(current.statement, number);
            current.statement = number;
        }
        // Those that are told of others go on being so.
        current.retain(|_, current| {
            if current.is_folded {
                match numbers.get(&current.statement) {
                    Some(number) => current.statement = *number,
                    None => return false,
                }
            }
            true
        });
        let is_open: FxHashSet<Target> = outline.open.iter().map(|entry| entry.target).collect();
        let over = statements.iter().map(|statement| statement.target);
        outline.tops.targets.extend(over.filter(|target| !is_open.contains(target)));
        outline
    }

    fn add(&mut self, entry: Entry) -> StatementId {
        match self.free.pop() {
            Some(id) => {
                self.open[id.index()] = entry;
                id
            }
            None => {
                self.open.push(entry);
                StatementId(self.open.len() as u32 - 1)
            }
        }
    }

    fn keep(&mut self, target: Target, weight: u64) {
        if self.tops.targets.len() >= MOST_TOPS {
            self.tops.is_cut = true;
            return;
        }
        self.tops.targets.insert(target);
        self.held += weight;
        if self.tops.targets.len() >= self.grows_at || self.held > MOST_HELD {
            self.small = self.small.saturating_mul(4);
            self.grows_at = self.tops.targets.len() + self.step;
            self.held = 0;
        }
    }

    /// A call is made in a statement, in the place of another activation or not. Gives the
    /// statement that it is part of, and whether that goes on without it; none if it is not looked
    /// at.
    pub(super) fn enter(
        &mut self,
        keep: &Keep,
        target: Target,
        (parent, replaced): (Option<StatementId>, Option<StatementId>),
        weight: u64,
    ) -> Option<(StatementId, bool)> {
        let above = parent.map(|parent| self.open[parent.index()].target);
        if !keep.keeps(target, above) {
            return parent.map(|parent| (parent, replaced != Some(parent)));
        }
        let must_be_kept = keep.is_top(target);
        let mut entry = Entry { target, parent, pending: 0, must_be_kept, weight };
        match replaced {
            Some(before) if Some(before) == parent && !must_be_kept => {
                let chain = &mut self.open[before.index()];
                if chain.pending + 1 < self.small {
                    chain.pending += 1;
                    return Some((before, false));
                }
                let (top, weight) = (chain.target, chain.weight);
                self.keep(top, weight);
                self.free.push(before);
                (entry.parent, entry.must_be_kept) = (None, true);
            }
            Some(before) => self.close(before),
            None => {}
        }
        Some((self.add(entry), false))
    }

    /// An activation is over.
    pub(super) fn close(&mut self, id: StatementId) {
        let Entry { target, parent, pending, must_be_kept, weight } = self.open[id.index()];
        let size = pending.saturating_add(1);
        match parent.filter(|_| !must_be_kept && size < self.small) {
            Some(parent) => {
                let pending = &mut self.open[parent.index()].pending;
                *pending = pending.saturating_add(size);
            }
            None => self.keep(target, weight),
        }
        self.free.push(id);
    }

    /// An activation goes on after it waited; none if that is not looked at.
    pub(super) fn go_on(
        &mut self,
        keep: &Keep,
        before: &Current,
        target: Target,
    ) -> Option<StatementId> {
        if before.is_folded {
            return None;
        }
        let Entry { target: top, weight, .. } = self.open[before.statement.index()];
        self.keep(top, weight);
        if top.activation != target.activation {
            // It had joined others, and has a statement of its own all the same.
            self.keep(Target { activation: target.activation, waits: before.waits }, weight);
        }
        if !keep.keeps_part(target) {
            self.free.push(before.statement);
            return None;
        }
        self.open[before.statement.index()] =
            Entry { target, parent: None, pending: 0, must_be_kept: true, weight };
        Some(before.statement)
    }

    /// The tops, when the run is over.
    pub(super) fn finish(mut self) -> Kept {
        let free: FxHashSet<StatementId> = self.free.iter().copied().collect();
        for at in 0..self.open.len() {
            let id = StatementId(at as u32);
            if !free.contains(&id) {
                let Entry { target, weight, .. } = self.open[at];
                self.keep(target, weight);
            }
        }
        self.tops
    }
}
