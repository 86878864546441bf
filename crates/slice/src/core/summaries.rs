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

use rustc_hash::FxHashMap;

use super::fold::Way;
use super::frames::Frames;
use super::graph::{Call, Frame, Node};
use super::queue::Queue;
use super::union_find::{root, union};

/// No door.
const NONE: u32 = u32::MAX;

/// An edge across the border of a procedure: the procedure that is called, its node, the node of
/// the caller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Crossing {
    procedure: u32,
    pub(crate) inside: Node,
    pub(crate) outside: Node,
}

/// The edges that enter or leave procedures, by call.
#[derive(Debug, Default)]
struct Crossings {
    starts: Vec<u32>,
    all: Vec<Crossing>,
}

impl Crossings {
    fn new(mut found: Vec<(Call, Crossing)>) -> Crossings {
        found.sort_unstable();
        found.dedup();
        let calls = found.last().map_or(0, |(call, _)| call.index() + 1);
        let mut starts = vec![0; calls + 1];
        for (call, _) in &found {
            starts[call.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        Crossings { starts, all: found.into_iter().map(|(_, crossing)| crossing).collect() }
    }

    /// Those of a call that are about a procedure.
    fn of(&self, call: Call, procedure: u32) -> &[Crossing] {
        let at = |index: usize| self.starts.get(index).map_or(self.all.len(), |&at| at as usize);
        let all = &self.all[at(call.index())..at(call.index() + 1)];
        let first = all.partition_point(|crossing| crossing.procedure < procedure);
        let count = all[first..].partition_point(|crossing| crossing.procedure == procedure);
        &all[first..first + count]
    }
}

/// Which doors each node leads to.
#[derive(Debug, Default)]
pub(crate) struct Summaries {
    /// By node.
    procedures: Vec<u32>,
    /// By node: the number of the bit if it is a door.
    doors: Vec<u32>,
    /// By node: where its words begin.
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
    pending: Queue,
}

impl Summaries {
    pub(crate) fn new(nodes: u32, ways: &[Way], users: &Frames) -> Summaries {
        let procedures = procedures(nodes, ways);
        let mut doors = vec![NONE; nodes as usize];
        let mut counts = vec![0u32; nodes as usize];
        let (mut enters, mut leaves) = (Vec::new(), Vec::new());
        for way in ways {
            let (from, to) = (Node(way.from), Node(way.to));
            match way.frame {
                Frame::Enter(call) => {
                    let procedure = procedures[to.index()];
                    enters.push((call, Crossing { procedure, inside: to, outside: from }));
                }
                Frame::Leave(call) => {
                    let procedure = procedures[from.index()];
                    leaves.push((call, Crossing { procedure, inside: from, outside: to }));
                    if doors[from.index()] == NONE {
                        doors[from.index()] = counts[procedure as usize];
                        counts[procedure as usize] += 1;
                    }
                }
                Frame::Stay | Frame::Jump => {}
            }
        }
        let mut firsts = Vec::with_capacity(nodes as usize + 1);
        let mut words = 0;
        for &procedure in &procedures {
            firsts.push(words);
            words += counts[procedure as usize].div_ceil(64);
        }
        firsts.push(words);
        let (enters, leaves) = (Crossings::new(enters), Crossings::new(leaves));
        let mut found =
            Summaries { procedures, doors, firsts, enters, leaves, sets: Sets::default() };
        let mut sets = Sets { words: vec![0; words as usize], pending: Queue::default() };
        sets.pending.reset(nodes as usize, true);
        for node in (0..nodes).filter(|&node| found.doors[node as usize] != NONE) {
            let door = found.doors[node as usize];
            sets.words[(found.firsts[node as usize] + door / 64) as usize] |= 1 << (door % 64);
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
        entered: Node,
    ) -> impl Iterator<Item = &'s Crossing> {
        let leaves = self.leaves.of(call, self.procedures[entered.index()]);
        leaves.iter().filter(move |leave| self.has(sets, entered, leave.inside))
    }

    /// The other way round: the edges by which a call enters a procedure that it has left at a
    /// node.
    pub(crate) fn ways_in<'s>(
        &'s self,
        sets: &'s Sets,
        call: Call,
        left: Node,
    ) -> impl Iterator<Item = &'s Crossing> {
        let enters = self.enters.of(call, self.procedures[left.index()]);
        enters.iter().filter(move |enter| self.has(sets, enter.inside, left))
    }

    fn has(&self, sets: &Sets, node: Node, door: Node) -> bool {
        let bit = self.doors[door.index()];
        let word = sets.words[(self.firsts[node.index()] + bit / 64) as usize];
        word & (1 << (bit % 64)) != 0
    }

    /// Whatever the second node leads to the first one does, too. Only within a procedure.
    pub(crate) fn join(&self, sets: &mut Sets, node: u32, other: u32) {
        if self.procedures[node as usize] != self.procedures[other as usize] {
            return;
        }
        let (to, from) = (self.firsts[node as usize], self.firsts[other as usize]);
        let mut is_new = false;
        for index in 0..self.firsts[node as usize + 1] - to {
            let more = sets.words[(from + index) as usize];
            let word = &mut sets.words[(to + index) as usize];
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
        links: &FxHashMap<u32, Vec<u32>>,
        mut through: impl FnMut(Node, Node),
    ) {
        while let Some(node) = sets.pending.pop() {
            for (user, frame) in users.of(node) {
                match frame {
                    Frame::Stay => self.join(sets, user.0, node),
                    Frame::Jump => {}
                    // Forward, who has entered leaves.
                    Frame::Leave(call) => {
                        let leaves = self.leaves.of(call, self.procedures[node as usize]);
                        for leave in leaves {
                            if self.has(sets, Node(node), leave.inside) {
                                self.join(sets, user.0, leave.outside.0);
                                through(user, leave.outside);
                            }
                        }
                    }
                    Frame::Enter(call) => {
                        let enters = self.enters.of(call, self.procedures[user.index()]);
                        for enter in enters {
                            if self.has(sets, enter.inside, user) {
                                self.join(sets, enter.outside.0, node);
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

/// For each node the number of its procedure.
fn procedures(nodes: u32, ways: &[Way]) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..nodes).collect();
    // By call: a node of the caller.
    let mut callers: Vec<u32> = Vec::new();
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
        let call = call.index();
        if callers.len() <= call {
            callers.resize(call + 1, NONE);
        }
        match callers[call] {
            NONE => callers[call] = caller,
            other => union(&mut parents, other, caller),
        }
    }
    (0..nodes).map(|node| root(&mut parents, node)).collect()
}
