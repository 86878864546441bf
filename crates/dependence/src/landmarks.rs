//! Nodes from which a slice is kept, and with which slices of others begin.
//!
//! From most places of a large module a slice comes to the same nodes, where it looks for
//! everything, in all contexts: what decides whether a function is called that most others are
//! called by, or a state that goes round. What is found from such a *landmark* is kept. A slice
//! from a node that is certain to lead to it begins with that and goes on. What is found is a least
//! fixpoint, so it is the same as if all was found anew.
//!
//! Certain are edges that stay in a procedure, leave it or jump, and that keep the wish for
//! everything: whoever is at their source from above and looks for everything is so at their
//! target, too.
//!
//! Whether a slice comes to a landmark is mostly known from where it begins, and else while it is
//! made: then it begins anew.
//!
//! Landmarks are learned from large slices that did not come to one. Nodes that are certain to lead
//! to each other in a circle have the same slice, and most others lead to large circles, if there
//! are some. So it is the largest circle that such a slice comes to of which one becomes a
//! landmark, if most of the slice is found from there. That is done when the next slice is asked
//! for: who asks for one only does not wait for it. Whether it is a good choice makes no difference
//! but in time.
//!
//! What is kept is what is found before arguments are added that calls lack ([`mod@super::reach`]):
//! which those are depends on what else is found.
//!
//! Cost: one slice for each landmark and a search for circles, and copying what is kept for each
//! slice.

use ids::IdVec;

use super::contexts::Contexts;
use super::cycles::cycles;
use super::fields::Fields;
use super::fold::{Folded, Starts};
use super::graph::{Frame, View};
use super::rows::Rows;
use super::saturation::State;
use super::steps::Act;

/// How many nodes are tried at most.
const MOST: usize = 6;
/// A slice is large if it has one in so many of all nodes.
const LARGE: usize = 8;

/// What is known of where slices can begin, backward.
#[derive(Clone, Debug, Default)]
pub(crate) struct Landmarks {
    /// Those from which most is found first.
    found: Vec<Landmark>,
    /// How many nodes have been tried.
    tried: usize,
    certain: Option<Certain>,
    /// Of the last large slice that did not come to a landmark: how many nodes it has, and those at
    /// which it looks for everything from above.
    last: Option<(usize, Vec<Folded>)>,
}

/// A node, and what is found from it.
#[derive(Clone, Debug)]
pub(crate) struct Landmark {
    /// By node: whether it is certain to lead there.
    leads: IdVec<Folded, bool>,
    pub(crate) contexts: Contexts,
    pub(crate) fields: Fields,
}

impl Landmark {
    fn new(view: &View, node: Folded, leads: IdVec<Folded, bool>) -> Landmark {
        let starts = Starts { nodes: vec![node], ..Starts::default() };
        let (mut contexts, mut fields) = (Contexts::default(), Fields::default());
        contexts.run(view, &starts);
        fields.run(view, &starts, contexts.order.iter().copied(), |_| None::<()>);
        Landmark { leads, contexts, fields }
    }

    /// How much is found from it.
    fn size(&self) -> usize {
        self.fields.states.reached().len()
    }
}

impl Landmarks {
    /// One that a slice is certain to come to, as its starts say.
    pub(crate) fn certain(&self, view: &View, starts: &Starts) -> Option<&Landmark> {
        if self.found.is_empty() {
            return None;
        }
        let firsts = firsts(view, starts);
        self.found.iter().find(|landmark| firsts.iter().any(|&node| landmark.leads[node]))
    }

    /// One that a slice comes to that looks for everything at a node, from above.
    pub(crate) fn behind(&self, node: Folded) -> Option<&Landmark> {
        self.found.iter().find(|landmark| landmark.leads[node])
    }

    /// Hears of a slice that did not come to a landmark, before arguments are added.
    pub(crate) fn learn(&mut self, view: &View, contexts: &Contexts, fields: &Fields) {
        let states = &fields.states;
        let size = states.reached().len();
        if size * LARGE < view.nodes() || self.tried == MOST {
            return;
        }
        let is_candidate =
            |&node: &Folded| states.has_bottom(State::of(node)) && contexts.is_above(node);
        let nodes = states.reached().iter().filter_map(|&state| states.node(state));
        self.last = Some((size, nodes.filter(is_candidate).collect()));
    }

    /// Finds a landmark for slices like the last one that did not come to any.
    pub(crate) fn prepare(&mut self, view: &View) {
        let Some((size, candidates)) = self.last.take() else { return };
        let certain = self.certain.get_or_insert_with(|| Certain::new(view));
        self.tried += 1;
        let Some(node) = certain.take_best(&candidates) else { return };
        let landmark = Landmark::new(view, node, certain.leads(node));
        if landmark.size() * 2 > size {
            self.found.push(landmark);
            self.found.sort_by_key(|landmark| std::cmp::Reverse(landmark.size()));
        }
    }

    /// One at a node.
    #[cfg(test)]
    pub(crate) fn at(view: &View, node: Folded) -> Landmarks {
        let landmark = Landmark::new(view, node, Certain::new(view).leads(node));
        Landmarks { found: vec![landmark], tried: MOST, ..Landmarks::default() }
    }
}

/// The nodes at which a slice certainly looks for everything from above.
fn firsts(view: &View, starts: &Starts) -> Vec<Folded> {
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

/// The edges that are certain.
#[derive(Clone, Debug)]
struct Certain {
    /// What is certain to lead to a node.
    users: Rows<Folded, Folded>,
    /// By node: how many are in a circle with it, itself included; none if one of them has been
    /// taken.
    circles: IdVec<Folded, usize>,
}

impl Certain {
    fn new(view: &View) -> Certain {
        let nodes = view.nodes();
        let mut pairs: Vec<(Folded, Folded)> = Vec::new();
        // By node: the last one that was found to lead there.
        let mut led_from: IdVec<Folded, Option<Folded>> = IdVec::filled(None, nodes);
        for node in ids::first(nodes) {
            for (to, frame) in view.frames().of(node) {
                if is_certain(frame) {
                    led_from[to] = Some(node);
                }
            }
            for step in view.steps.of(node) {
                if step.act.keeps_everything() && led_from[step.to] == Some(node) {
                    pairs.push((node, step.to));
                }
            }
        }
        let targets = Rows::new(nodes, pairs.iter().copied());
        let users = Rows::new(nodes, pairs.iter().map(|&(from, to)| (to, from)));
        let mut found = Vec::new();
        let lead = |node, to: &mut Vec<Folded>| to.extend(targets.of(node));
        cycles(nodes, ids::first(nodes), lead, &mut found);
        let mut circles = IdVec::filled(1, nodes);
        for circle in &found {
            circle.iter().for_each(|&node| circles[node] = circle.len());
        }
        Certain { users, circles }
    }

    /// Takes one of the nodes that are in the largest circle; nothing if none is in one.
    fn take_best(&mut self, nodes: &[Folded]) -> Option<Folded> {
        let size = |node: Folded| self.circles[node];
        let best =
            nodes.iter().copied().max_by_key(|&node| size(node)).filter(|&node| size(node) > 1)?;
        // Others of the same size are likely to be in the same circle.
        let taken = size(best);
        self.circles.iter_mut().filter(|size| **size == taken).for_each(|size| *size = 0);
        Some(best)
    }

    /// By node: whether it is certain to lead to one.
    fn leads(&self, node: Folded) -> IdVec<Folded, bool> {
        let mut leads = IdVec::filled(false, self.circles.len());
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut leads[node], true) {
                pending.extend(self.users.of(node));
            }
        }
        leads
    }
}
