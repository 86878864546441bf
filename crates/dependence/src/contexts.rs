//! Which nodes can be reached if every procedure is left towards the call by which it was entered.
//!
//! The two phases of Horwitz, Reps and Binkley, at once: a node is reached from *above*, as one
//! whose callers are reached, too, or only from *inside* of a procedure that was entered by a call,
//! which is left by summary edges ([`Summaries`](super::summaries::Summaries)) and by nothing else.
//! Above is the stronger: whatever is reachable from inside is reachable from above.
//!
//! Links are edges that a slice adds. They make summary edges, so the sets behind those go on
//! growing.
//!
//! Cost: linear in the edges that are visited and in the summary edges between their nodes.

use ids::IdVec;
use rustc_hash::{FxHashMap, FxHashSet};

use super::fold::{Folded, Starts};
use super::graph::{Frame, View};
use super::reach::Direction;
use super::summaries::Sets;

/// How a node is reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum From {
    Nowhere,
    Inside,
    Above,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Contexts {
    reached: IdVec<Folded, From>,
    /// All nodes that are reached, in the order in which they were first.
    pub(crate) order: Vec<Folded>,
    /// From above first: it saves work.
    above: Vec<Folded>,
    inside: Vec<Folded>,
    sets: Sets,
    linked: FxHashSet<(Folded, Folded)>,
    /// By what depends, and by what is depended on.
    links: FxHashMap<Folded, Vec<Folded>>,
    links_to: FxHashMap<Folded, Vec<Folded>>,
}

impl Contexts {
    /// Marks everything that is reachable from `starts`.
    pub(crate) fn run(&mut self, view: &View, starts: &Starts) {
        self.reached.refill(From::Nowhere, view.nodes());
        self.order.clear();
        // Growing would copy it again and again.
        self.order.reserve(view.nodes());
        self.sets.copy_from(&view.summaries.sets);
        self.begin(view, starts);
    }

    /// The same, beginning with what was found from other starts, without links, that are reached
    /// from these.
    pub(crate) fn resume(&mut self, view: &View, other: &Contexts, starts: &Starts) {
        self.reached.clone_from(&other.reached);
        self.order.clone_from(&other.order);
        self.sets.copy_from(&other.sets);
        self.begin(view, starts);
    }

    fn begin(&mut self, view: &View, starts: &Starts) {
        self.linked.clear();
        self.links.clear();
        self.links_to.clear();
        for &start in &starts.nodes {
            self.add(start, From::Above);
        }
        for way in &starts.ways {
            self.step(view, From::Above, way.to, way.frame);
        }
        self.go_on(view);
    }

    /// Whether a node is reached as one whose callers are reached, too.
    pub(crate) fn is_above(&self, node: Folded) -> bool {
        self.reached[node] == From::Above
    }

    pub(crate) fn is_reached(&self, node: Folded) -> bool {
        self.reached[node] != From::Nowhere
    }

    /// Reaches the second node in all contexts in which the first one is reached, backward;
    /// [`Contexts::go_on`] goes on from there.
    pub(crate) fn link(&mut self, view: &View, from: Folded, to: Folded) {
        if !self.linked.insert((from, to)) {
            return;
        }
        self.links.entry(from).or_default().push(to);
        self.links_to.entry(to).or_default().push(from);
        view.summaries.join(&mut self.sets, from, to);
        self.add(to, self.reached[from]);
    }

    pub(crate) fn go_on(&mut self, view: &View) {
        if !self.links.is_empty() {
            let mut sets = std::mem::take(&mut self.sets);
            let links = std::mem::take(&mut self.links_to);
            view.summaries.spread(&mut sets, &view.users, &links, |caller, argument| {
                self.add(argument, self.reached[caller]);
            });
            (self.sets, self.links_to) = (sets, links);
        }
        let frames = view.frames();
        while let Some((node, how)) = self.next() {
            for (to, frame) in frames.of(node) {
                match frame {
                    Frame::Stay => self.add(to, how),
                    frame => self.step(view, how, to, frame),
                }
            }
            if !self.links.is_empty() {
                for index in 0..self.links.get(&node).map_or(0, Vec::len) {
                    self.add(self.links[&node][index], how);
                }
            }
        }
    }

    fn next(&mut self) -> Option<(Folded, From)> {
        if let Some(node) = self.above.pop() {
            return Some((node, From::Above));
        }
        loop {
            let node = self.inside.pop()?;
            // Reached from above since: this says nothing new.
            if self.reached[node] == From::Inside {
                return Some((node, From::Inside));
            }
        }
    }

    #[inline]
    fn add(&mut self, node: Folded, how: From) {
        let reached = &mut self.reached[node];
        if *reached >= how {
            return;
        }
        if *reached == From::Nowhere {
            self.order.push(node);
        }
        *reached = how;
        match how {
            From::Above => self.above.push(node),
            From::Inside => self.inside.push(node),
            From::Nowhere => {}
        }
    }

    fn step(&mut self, view: &View, how: From, to: Folded, frame: Frame) {
        match frame {
            Frame::Stay => self.add(to, how),
            Frame::Jump => self.add(to, From::Above),
            Frame::Enter(call) => {
                self.add(to, From::Inside);
                let sets = std::mem::take(&mut self.sets);
                match view.direction {
                    Direction::Backward => {
                        for way in view.summaries.ways_out(&sets, call, to) {
                            self.add(way.outside, how);
                        }
                    }
                    Direction::Forward => {
                        for way in view.summaries.ways_in(&sets, call, to) {
                            self.add(way.outside, how);
                        }
                    }
                }
                self.sets = sets;
            }
            Frame::Leave(_) if how == From::Above => self.add(to, From::Above),
            Frame::Leave(_) => {}
        }
    }
}
