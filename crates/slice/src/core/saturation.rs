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
const HAS_LINKS: u8 = 4;

/// No item.
const NONE: u32 = u32::MAX;

/// States with their items, and what is left to be done.
#[derive(Debug, Default)]
pub(crate) struct Saturation {
    flags: Vec<u8>,
    /// The first items of states that are not at the bottom; few have more.
    items: Vec<[u32; 2]>,
    more: FxHashMap<u32, Vec<u32>>,
    /// The items of `more` by state, for states that have many.
    known: FxHashSet<(u32, u32)>,
    links: FxHashMap<u32, Vec<u32>>,
    linked: FxHashSet<(u32, u32)>,
    /// States that have reached the bottom first: they save work.
    bottoms: Vec<u32>,
    pending: Vec<(u32, u32)>,
    /// All states that have an item, in the order in which they got their first.
    reached: Vec<u32>,
}

impl Saturation {
    /// Empties everything, for so many states to begin with.
    pub(crate) fn reset(&mut self, states: u32) {
        self.flags.clear();
        self.flags.resize(states as usize, 0);
        self.items.clear();
        self.items.resize(states as usize, [NONE; 2]);
        self.more.clear();
        self.known.clear();
        self.links.clear();
        self.linked.clear();
        self.bottoms.clear();
        self.pending.clear();
        self.reached.clear();
    }

    pub(crate) fn new_state(&mut self) -> u32 {
        self.flags.push(0);
        self.items.push([NONE; 2]);
        self.flags.len() as u32 - 1
    }

    pub(crate) fn is_reached(&self, state: u32) -> bool {
        self.flags[state as usize] & REACHED != 0
    }

    /// The states that are reached, from one of them on in the order in which they were.
    pub(crate) fn reached_from(&self, first: usize) -> &[u32] {
        &self.reached[first..]
    }

    /// Adds the stacks that are known to be at a state.
    pub(crate) fn items(&self, state: u32, to: &mut Vec<u32>) {
        if self.has_bottom(state) {
            to.push(BOTTOM);
            return;
        }
        to.extend(self.items[state as usize].iter().filter(|&&item| item != NONE));
        to.extend(self.more.get(&state).into_iter().flatten());
    }

    fn has_bottom(&self, state: u32) -> bool {
        self.flags[state as usize] & HAS_BOTTOM != 0
    }

    /// Whether a stack is known to be at a state.
    pub(crate) fn has(&self, state: u32, item: u32) -> bool {
        self.has_bottom(state)
            || self.items[state as usize].contains(&item)
            || self.known.contains(&(state, item))
    }

    /// Says that a stack is at a state.
    pub(crate) fn add(&mut self, state: u32, item: u32) {
        let flags = &mut self.flags[state as usize];
        if *flags & HAS_BOTTOM != 0 {
            return;
        }
        if *flags & REACHED == 0 {
            *flags |= REACHED;
            self.reached.push(state);
        }
        if item == BOTTOM {
            *flags |= HAS_BOTTOM;
            self.bottoms.push(state);
            return;
        }
        let items = &mut self.items[state as usize];
        if items[0] == item || items[1] == item {
            return;
        }
        if items[0] == NONE {
            items[0] = item;
        } else if items[1] == NONE {
            items[1] = item;
        } else if self.known.insert((state, item)) {
            self.more.entry(state).or_default().push(item);
        } else {
            return;
        }
        self.pending.push((state, item));
    }

    /// All stacks of one state are at the other one, too.
    pub(crate) fn link(&mut self, from: u32, to: u32) {
        if from == to || self.has_bottom(to) || !self.linked.insert((from, to)) {
            return;
        }
        self.flags[from as usize] |= HAS_LINKS;
        self.links.entry(from).or_default().push(to);
        if self.has_bottom(from) {
            self.add(to, BOTTOM);
            return;
        }
        for item in self.items[from as usize] {
            if item != NONE {
                self.add(to, item);
            }
        }
        for index in 0..self.more.get(&from).map_or(0, Vec::len) {
            let item = self.more[&from][index];
            self.add(to, item);
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
        if self.flags[state as usize] & HAS_LINKS != 0 {
            for index in 0..self.links.get(&state).map_or(0, Vec::len) {
                let to = self.links[&state][index];
                self.add(to, item);
            }
        }
        Some((state, item))
    }
}
