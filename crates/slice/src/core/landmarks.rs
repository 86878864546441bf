//! Nodes from which a slice is kept, and with which slices of others begin.
//!
//! From most places of a large module a slice comes to the same nodes, where it looks for everything, in all contexts:
//! what decides whether a function is called that most others are called by, or a state that goes round. What is
//! found from such a *landmark* is kept. A slice from a node that is certain to lead to it begins with that and goes on.
//! What is found is a least fixpoint, so it is the same as if all was found anew.
//!
//! Certain are edges that stay in a procedure, leave it or jump, and that keep the wish for everything: whoever is at
//! their source from above and looks for everything is so at their target, too.
//!
//! Landmarks are learned. Of the nodes that a large slice is certain to lead to, and that could not begin with a landmark,
//! the nearest is tried that most of the last such slices are certain to lead to, at least two. If most of the slice is found
//! from there, it becomes one. Whether that is a good choice makes no difference but in time.
//!
//! What is kept is what is found before arguments are added that calls lack ([`mod@super::reach`]): which those are depends
//! on what else is found.
//!
//! Cost: one slice for each landmark, and copying what is kept for each slice.

use super::contexts::Contexts;
use super::fields::Fields;
use super::fold::{Starts, by_node};
use super::graph::{Frame, View};
use super::steps::Act;

/// How many nodes are tried at most.
const MOST: usize = 6;
/// A slice is large if it has one in so many of all nodes.
const LARGE: usize = 8;

/// What is known of where slices can begin, backward.
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    /// Those from which most is found first.
    found: Vec<Landmark>,
    /// How many nodes have been tried.
    tried: usize,
    certain: Option<Certain>,
    /// By node: how many large slices since the last one was found are certain to lead there.
    led: Vec<u16>,
}

/// A node, and what is found from it.
#[derive(Debug)]
pub(crate) struct Landmark {
    /// By node: whether it is certain to lead there.
    leads: Vec<bool>,
    pub(crate) contexts: Contexts,
    pub(crate) fields: Fields,
}

impl Landmark {
    fn new(view: &View, node: u32, leads: Vec<bool>) -> Landmark {
        let starts = Starts { nodes: vec![node], ..Starts::default() };
        let (mut contexts, mut fields) = (Contexts::default(), Fields::default());
        contexts.run(view, &starts);
        fields.run(view, &starts, |node| contexts.is_reached(node));
        Landmark { leads, contexts, fields }
    }

    /// How much is found from it.
    fn size(&self) -> usize {
        self.fields.states.reached().len()
    }
}

impl Landmarks {
    /// One that a slice is certain to come to.
    pub(crate) fn find(&self, view: &View, starts: &Starts) -> Option<&Landmark> {
        let firsts = firsts(view, starts);
        self.found.iter().find(|landmark| firsts.iter().any(|&node| landmark.leads[node as usize]))
    }

    /// Hears of a slice that did not begin with a landmark, and how many nodes it has before arguments are added.
    pub(crate) fn learn(&mut self, view: &View, starts: &Starts, size: usize) {
        let count = view.nodes() as usize;
        if size * LARGE < count || self.tried == MOST {
            return;
        }
        let certain = self.certain.get_or_insert_with(|| Certain::new(view));
        self.led.resize(count, 0);
        let reached = certain.reached(&firsts(view, starts));
        let mut best: Option<(u16, u32)> = None;
        for &node in &reached {
            let led = &mut self.led[node as usize];
            *led = led.saturating_add(1);
            if *led > best.map_or(1, |(most, _)| most) {
                best = Some((*led, node));
            }
        }
        let Some((_, node)) = best else { return };
        self.tried += 1;
        self.led.clear();
        let landmark = Landmark::new(view, node, certain.leads(node));
        if landmark.size() * 2 > size {
            self.found.push(landmark);
            self.found.sort_by_key(|landmark| std::cmp::Reverse(landmark.size()));
        }
    }

    /// One at a node.
    #[cfg(test)]
    pub(crate) fn at(view: &View, node: u32) -> Landmarks {
        let landmark = Landmark::new(view, node, Certain::new(view).leads(node));
        Landmarks { found: vec![landmark], tried: MOST, ..Landmarks::default() }
    }
}

/// The nodes at which a slice certainly looks for everything from above.
fn firsts(view: &View, starts: &Starts) -> Vec<u32> {
    let mut firsts = starts.nodes.clone();
    for way in starts.ways.iter().filter(|way| is_certain(way.frame)) {
        firsts
            .extend(view.steps.step(*way).filter(|step| step.act == Act::All).map(|step| step.to));
    }
    firsts
}

fn is_certain(frame: Frame) -> bool {
    !matches!(frame, Frame::Enter(_))
}

/// The nodes that some lead to, in the order in which they are found.
fn search<T: Iterator<Item = u32>>(
    nodes: u32,
    starts: &[u32],
    targets: impl Fn(u32) -> T,
) -> Vec<u32> {
    let mut is_seen = vec![false; nodes as usize];
    let mut found: Vec<u32> = Vec::new();
    for &start in starts {
        if !std::mem::replace(&mut is_seen[start as usize], true) {
            found.push(start);
        }
    }
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        for to in targets(node) {
            if !std::mem::replace(&mut is_seen[to as usize], true) {
                found.push(to);
            }
        }
    }
    found
}

/// The edges that are certain, in both directions, by node.
#[derive(Debug)]
struct Certain {
    nodes: u32,
    targets: (Vec<u32>, Vec<u32>),
    users: (Vec<u32>, Vec<u32>),
}

impl Certain {
    fn new(view: &View) -> Certain {
        let nodes = view.nodes();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        // By node: the last one that was found to lead there.
        let mut led_from = vec![u32::MAX; nodes as usize];
        for node in 0..nodes {
            for (to, frame) in view.frames().of(node) {
                if is_certain(frame) {
                    led_from[to.index()] = node;
                }
            }
            for step in view.steps.of(node) {
                if step.act.keeps_everything() && led_from[step.to as usize] == node {
                    pairs.push((node, step.to));
                }
            }
        }
        let targets = by_node(nodes, pairs.iter().copied());
        let users = by_node(nodes, pairs.iter().map(|&(from, to)| (to, from)));
        Certain { nodes, targets, users }
    }

    /// The nodes that some are certain to lead to.
    fn reached(&self, starts: &[u32]) -> Vec<u32> {
        search(self.nodes, starts, |node| of(&self.targets, node))
    }

    /// By node: whether it is certain to lead to one.
    fn leads(&self, node: u32) -> Vec<bool> {
        let mut leads = vec![false; self.nodes as usize];
        for node in search(self.nodes, &[node], |node| of(&self.users, node)) {
            leads[node as usize] = true;
        }
        leads
    }
}

fn of((starts, all): &(Vec<u32>, Vec<u32>), node: u32) -> impl Iterator<Item = u32> {
    let node = node as usize;
    all[starts[node] as usize..starts[node + 1] as usize].iter().copied()
}
