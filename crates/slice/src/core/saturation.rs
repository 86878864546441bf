//! Sets of stacks for each node, as pushdown systems saturate them.
//!
//! The stacks with which a traversal can be at a node are infinitely many as soon as a loop pushes. As in
//! the saturation of pushdown automata (Bouajjani, Esparza and Maler; Schwoon) they are kept as a finite
//! set of *items* for each state: the empty stack, which is [`BOTTOM`], or "a symbol on top of whatever
//! stack is at this other state". States are the nodes of the graph and, behind them, states that
//! stand for what lies below a symbol. Popping a symbol adds a *link*: all stacks of one state are also
//! at another one, now and later. Exact, without a bound on depth, and finite because items and links are.
//!
//! The empty stack means "everything", so a state that has it needs no other item: whatever is
//! reachable with more on the stack is reachable without.

use rustc_hash::{FxHashMap, FxHashSet};

/// The item that is the empty stack.
pub(crate) const BOTTOM: u32 = 0;

const REACHED: u8 = 1;
const HAS_BOTTOM: u8 = 2;

/// States with their items, and what is left to be done.
#[derive(Debug, Default)]
pub(crate) struct Saturation {
    flags: Vec<u8>,
    /// Items of states that are not at the bottom.
    items: FxHashMap<u32, Vec<u32>>,
    links: FxHashMap<u32, Vec<u32>>,
    linked: FxHashSet<(u32, u32)>,
    /// States that have reached the bottom first: they save work.
    bottoms: Vec<u32>,
    pending: Vec<(u32, u32)>,
}

impl Saturation {
    /// Empties everything, for so many states to begin with.
    pub(crate) fn reset(&mut self, states: u32) {
        self.flags.clear();
        self.flags.resize(states as usize, 0);
        self.items.clear();
        self.links.clear();
        self.linked.clear();
        self.bottoms.clear();
        self.pending.clear();
    }

    pub(crate) fn new_state(&mut self) -> u32 {
        self.flags.push(0);
        self.flags.len() as u32 - 1
    }

    pub(crate) fn is_reached(&self, state: u32) -> bool {
        self.flags[state as usize] & REACHED != 0
    }

    pub(crate) fn has_bottom(&self, state: u32) -> bool {
        self.flags[state as usize] & HAS_BOTTOM != 0
    }

    /// Says that a stack is at a state.
    pub(crate) fn add(&mut self, state: u32, item: u32) {
        let flags = &mut self.flags[state as usize];
        if *flags & HAS_BOTTOM != 0 {
            return;
        }
        if item == BOTTOM {
            *flags |= REACHED | HAS_BOTTOM;
            self.items.remove(&state);
            self.bottoms.push(state);
            return;
        }
        *flags |= REACHED;
        let items = self.items.entry(state).or_default();
        if !items.contains(&item) {
            items.push(item);
            self.pending.push((state, item));
        }
    }

    /// All stacks of one state are at the other one, too.
    pub(crate) fn link(&mut self, from: u32, to: u32) {
        if from == to || !self.linked.insert((from, to)) {
            return;
        }
        self.links.entry(from).or_default().push(to);
        if self.has_bottom(from) {
            self.add(to, BOTTOM);
        } else {
            for item in self.items.get(&from).cloned().unwrap_or_default() {
                self.add(to, item);
            }
        }
    }

    /// The next state and item to look at. What links hand on has been handed on.
    pub(crate) fn next(&mut self) -> Option<(u32, u32)> {
        let (state, item) = loop {
            if let Some(state) = self.bottoms.pop() {
                break (state, BOTTOM);
            }
            let (state, item) = self.pending.pop()?;
            // The bottom came since: this item says nothing new.
            if !self.has_bottom(state) {
                break (state, item);
            }
        };
        if let Some(links) = self.links.get(&state) {
            for to in links.clone() {
                self.add(to, item);
            }
        }
        Some((state, item))
    }
}
