//! What a procedure needs of its callers for each of its results: the summary edges of Horwitz,
//! Reps and Binkley, for the whole graph at once.
//!
//! A *door* is a node from which edges leave towards callers: in practice the parameters and the
//! entry of a procedure. For every node it is noted, as a set of bits, which doors of its procedure
//! it leads to by paths that come back from every call they enter. Those sets are a least fixpoint
//! over the edges: a node has the doors of what it depends on, and where it enters a procedure at
//! some node, those of the arguments that belong to that node's doors. Procedures have few doors
//! and many exits (a function of the size of a parser's table has hundreds), so this is much less
//! than walking a procedure for each exit, as the original algorithm and pushdown systems whose
//! symbols are exits do.
//!
//! The core does not know what a procedure is: here it is what edges that stay connect, with both
//! sides of a call taken for one.
//!
//! Cost: edges times the doors of a procedure at worst; in practice each edge is looked at two or
//! three times.

use std::ops::Range;

use ids::IdVec;
use rustc_hash::FxHashMap;

use super::fold::{Folded, Way};
use super::frames::Frames;
use super::graph::{Call, Frame};
use super::queue::Queue;
use super::rows::Rows;
use super::union_find::{root, union};

ids::ids! {
    /// What edges that stay connect, named by one of its nodes.
    Procedure;
    /// A door, among those of its procedure.
    Door;
}

impl Door {
    /// Its word among those of its procedure, and its place in it.
    fn bit(self) -> (usize, u64) {
        (self.index() / 64, 1 << (self.index() % 64))
    }
}

/// An edge across the border of a procedure: the procedure that is called, its node, the node of
/// the caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Crossing {
    procedure: Procedure,
    pub(crate) inside: Folded,
    pub(crate) outside: Folded,
}

/// The edges that enter or leave procedures, by call.
#[derive(Debug, Default)]
struct Crossings {
    /// Ordered by procedure.
    all: Rows<Call, Crossing>,
}

impl Crossings {
    fn new(found: &[(Call, Crossing)]) -> Crossings {
        let calls = found.iter().map(|(call, _)| call.index() + 1).max().unwrap_or(0);
        let mut all = Rows::new(calls, found.iter().copied());
        all.order();
        Crossings { all }
    }

    /// Those of a call that are about a procedure.
    fn of(&self, call: Call, procedure: Procedure) -> &[Crossing] {
        let all = self.all.get(call);
        let first = all.partition_point(|crossing| crossing.procedure < procedure);
        let count = all[first..].partition_point(|crossing| crossing.procedure == procedure);
        &all[first..first + count]
    }
}

/// Which doors each node leads to.
#[derive(Debug, Default)]
pub(crate) struct Summaries {
    /// By node.
    procedures: IdVec<Folded, Procedure>,
    /// By node: which door it is, if it is one.
    doors: IdVec<Folded, Option<Door>>,
    /// By node, and one more: where its words begin.
    firsts: Vec<u32>,
    enters: Crossings,
    leaves: Crossings,
    /// The sets, as they are without links.
    pub(crate) sets: Sets,
}

/// A set of doors for each node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sets {
    words: Vec<u64>,
    pending: Queue<Folded>,
}

impl Summaries {
    pub(crate) fn new(nodes: usize, ways: &[Way], users: &Frames) -> Summaries {
        let procedures = procedures(nodes, ways);
        let mut doors: IdVec<Folded, Option<Door>> = IdVec::filled(None, nodes);
        let mut counts: IdVec<Procedure, usize> = IdVec::filled(0, nodes);
        let (mut enters, mut leaves) = (Vec::new(), Vec::new());
        for way in ways {
            let (from, to) = (way.from, way.to);
            match way.frame {
                Frame::Enter(call) => {
                    let procedure = procedures[to];
                    enters.push((call, Crossing { procedure, inside: to, outside: from }));
                }
                Frame::Leave(call) => {
                    let procedure = procedures[from];
                    leaves.push((call, Crossing { procedure, inside: from, outside: to }));
                    if doors[from].is_none() {
                        doors[from] = Some(Door::new(counts[procedure]));
                        counts[procedure] += 1;
                    }
                }
                Frame::Stay | Frame::Jump => {}
            }
        }
        let mut firsts = Vec::with_capacity(nodes + 1);
        let mut words = 0usize;
        for &procedure in &procedures {
            firsts.push(words as u32);
            words += counts[procedure].div_ceil(64);
        }
        firsts.push(words as u32);
        let (enters, leaves) = (Crossings::new(&enters), Crossings::new(&leaves));
        let mut found =
            Summaries { procedures, doors, firsts, enters, leaves, sets: Sets::default() };
        let mut sets = Sets { words: vec![0; words], pending: Queue::default() };
        sets.pending.reset(nodes, true);
        for (node, door) in found.doors.enumerate() {
            let Some((word, bit)) = door.map(Door::bit) else { continue };
            sets.words[found.words_of(node).start + word] |= bit;
            sets.pending.push(node);
        }
        found.spread(&mut sets, users, &FxHashMap::default(), |_, _| {});
        found.sets = sets;
        found
    }

    /// The edges by which a call leaves a procedure again that it has entered at a node.
    pub(crate) fn ways_out<'s>(
        &'s self,
        sets: &'s Sets,
        call: Call,
        entered: Folded,
    ) -> impl Iterator<Item = &'s Crossing> {
        let leaves = self.leaves.of(call, self.procedures[entered]);
        leaves.iter().filter(move |leave| self.has(sets, entered, leave.inside))
    }

    /// The other way round: the edges by which a call enters a procedure that it has left at a
    /// node.
    pub(crate) fn ways_in<'s>(
        &'s self,
        sets: &'s Sets,
        call: Call,
        left: Folded,
    ) -> impl Iterator<Item = &'s Crossing> {
        let enters = self.enters.of(call, self.procedures[left]);
        enters.iter().filter(move |enter| self.has(sets, enter.inside, left))
    }

    /// Where in the sets the words of a node are: as many as of others of its procedure.
    fn words_of(&self, node: Folded) -> Range<usize> {
        self.firsts[node.index()] as usize..self.firsts[node.index() + 1] as usize
    }

    /// Whether a node leads to a door of its procedure.
    fn has(&self, sets: &Sets, node: Folded, door: Folded) -> bool {
        self.doors[door].map(Door::bit).is_some_and(|(word, bit)| {
            sets.words[self.firsts[node.index()] as usize + word] & bit != 0
        })
    }

    /// Whatever the second node leads to the first one does, too. Only within a procedure.
    pub(crate) fn join(&self, sets: &mut Sets, node: Folded, other: Folded) {
        if self.procedures[node] != self.procedures[other] {
            return;
        }
        let mut is_new = false;
        for (to, from) in self.words_of(node).zip(self.words_of(other)) {
            let more = sets.words[from];
            let word = &mut sets.words[to];
            is_new |= more & !*word != 0;
            *word |= more;
        }
        if is_new {
            sets.pending.push(node);
        }
    }

    /// Goes on until nothing changes. `links` are more edges, by what is depended on; `through`
    /// hears of the nodes that depend on others through a call, again and again.
    pub(crate) fn spread(
        &self,
        sets: &mut Sets,
        users: &Frames,
        links: &FxHashMap<Folded, Vec<Folded>>,
        mut through: impl FnMut(Folded, Folded),
    ) {
        while let Some(node) = sets.pending.pop() {
            for (user, frame) in users.of(node) {
                match frame {
                    Frame::Stay => self.join(sets, user, node),
                    Frame::Jump => {}
                    // Forward, who has entered leaves.
                    Frame::Leave(call) => {
                        let leaves = self.leaves.of(call, self.procedures[node]);
                        for leave in leaves {
                            if self.has(sets, node, leave.inside) {
                                self.join(sets, user, leave.outside);
                                through(user, leave.outside);
                            }
                        }
                    }
                    Frame::Enter(call) => {
                        let enters = self.enters.of(call, self.procedures[user]);
                        for enter in enters {
                            if self.has(sets, enter.inside, user) {
                                self.join(sets, enter.outside, node);
                            }
                        }
                    }
                }
            }
            for &linked in links.get(&node).map_or(&[][..], Vec::as_slice) {
                self.join(sets, linked, node);
            }
        }
    }
}

impl Sets {
    pub(crate) fn copy_from(&mut self, other: &Sets) {
        self.words.clone_from(&other.words);
        self.pending.copy_from(&other.pending);
    }
}

/// For each node its procedure.
fn procedures(nodes: usize, ways: &[Way]) -> IdVec<Folded, Procedure> {
    let mut parents: IdVec<Folded, Folded> = ids::first(nodes).collect();
    let calls = ways.iter().filter_map(|way| way.frame.call()).map(|call| call.index() + 1).max();
    // A node of the caller of each call.
    let mut callers: IdVec<Call, Option<Folded>> = IdVec::filled(None, calls.unwrap_or(0));
    for way in ways {
        let (caller, call) = match way.frame {
            Frame::Stay => {
                union(&mut parents, way.from, way.to);
                continue;
            }
            Frame::Jump => continue,
            Frame::Enter(call) => (way.from, call),
            Frame::Leave(call) => (way.to, call),
        };
        union(&mut parents, *callers[call].get_or_insert(caller), caller);
    }
    ids::first(nodes).map(|node| Procedure::new(root(&mut parents, node).index())).collect()
}
