//! Sets of stacks for each node, as pushdown systems saturate them.
//!
//! The stacks with which a traversal can be at a node are infinitely many as soon as a loop pushes. As in
//! the saturation of pushdown automata (Bouajjani, Esparza and Maler; Schwoon) they are kept as a finite
//! set for each state: the empty stack, the hollow one, *symbols*, each of which stands for a field right above one of
//! these two, and *tops*, each of which is a field above whatever stacks are at some other state. States are the
//! nodes of the graph and, behind them, states that are what lies below a field. Popping a top adds a *link*: all
//! stacks of one state are also at another one, now and later. Exact, without a bound on depth, and finite because
//! symbols, tops and links are.
//!
//! A node has at most one top of each field, else the result of a function would have one for each of its calls, and
//! each would be popped wherever the function makes a value. Where a second one comes, the two become one that
//! is above a new state, to which both of the states below are linked: the stacks are the same. Whatever comes
//! later is linked to that state and need not be handed on.
//!
//! The empty stack means "everything", so a state that has it needs nothing else: whatever is
//! reachable with more on the stack is reachable without.
//!
//! States that lead to each other without pushing or popping have the same stacks. Where they are found to do so
//! they become one (as in points-to analyses, whose constraints are much the same): a state that is threaded through
//! all functions of a program would else go round and round.
//!
//! Symbols are handed on many at a time: a state that has got some waits in a queue, and its turn is for all that
//! have come since the last one. They lie in blocks of 64 bits. What says most comes first: the empty stack,
//! then that a state is reached at all, then the hollow stack, then symbols.

use rustc_hash::FxHashSet;

use super::queue::Queue;

const REACHED: u8 = 1;
const BOTTOM: u8 = 2;
const HOLLOW: u8 = 4;

/// No block, no link.
const NONE: u32 = u32::MAX;

/// Symbols by the number of their block.
pub(crate) type Symbols = Vec<(u32, u64)>;

/// A field of a state above the stacks of another one.
#[derive(Clone, Copy, Debug)]
struct Top {
    field: u32,
    below: u32,
    next: u32,
    /// Nothing else is above what is below, but by way of this.
    is_own: bool,
    /// It has come, or what is below is another one, since the last turn.
    is_new: bool,
}

/// Some symbols of a state.
#[derive(Clone, Copy, Debug)]
struct Block {
    number: u32,
    next: u32,
    all: u64,
    /// Those that have come since the last turn.
    new: u64,
}

/// What has come to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    Bottom(u32),
    /// It is reached, by whatever stack.
    Reached(u32),
    Hollow(u32),
    /// Those of [`Saturation::new`] and [`Saturation::new_tops`].
    Symbols(u32),
}

/// States with their stacks, and what is left to be done.
#[derive(Debug, Default)]
pub(crate) struct Saturation {
    flags: Vec<u8>,
    /// By state: the one that stands for it and all that have the same stacks; only that one's content counts.
    class: Vec<u32>,
    /// By state: the next of those, in a ring.
    next_member: Vec<u32>,
    /// How many states are nodes.
    nodes: u32,
    /// By state: the first of its blocks.
    blocks_of: Vec<u32>,
    blocks: Vec<Block>,
    /// By state: the first of its links, which are the target and the next one.
    links_of: Vec<u32>,
    links: Vec<(u32, u32)>,
    linked: FxHashSet<(u32, u32)>,
    /// Those whose tops have not been handed on when they were made.
    new_links: Vec<(u32, u32)>,
    /// By state: the first of its tops.
    tops_of: Vec<u32>,
    /// By state: which fields its tops may have, as bits of their numbers modulo 64.
    top_fields: Vec<u64>,
    /// The same for those that are its own.
    own_fields: Vec<u64>,
    tops: Vec<Top>,
    /// By state: how many of its tops are new.
    new_tops_of: Vec<u32>,
    /// Tops that states have besides others of the same field: the state, the field, and the state below.
    several: FxHashSet<(u32, u32, u32)>,
    bottoms: Vec<u32>,
    fresh: Vec<u32>,
    hollow: Vec<u32>,
    waiting: Queue,
    /// All states that have a stack, in the order in which they got their first.
    reached: Vec<u32>,
    /// The symbols that have come to the state of the last event.
    pub(crate) new: Symbols,
    /// The same for its tops: fields, and the states below.
    pub(crate) new_tops: Vec<(u32, u32)>,
}

impl Saturation {
    /// Empties everything, for so many nodes; those with small numbers have their turn first if it is rising.
    pub(crate) fn reset(&mut self, nodes: u32, is_rising: bool) {
        self.nodes = nodes;
        self.flags.clear();
        self.flags.resize(nodes as usize, 0);
        self.class.clear();
        self.class.extend(0..nodes);
        self.next_member.clear();
        self.next_member.extend(0..nodes);
        self.blocks_of.clear();
        self.blocks_of.resize(nodes as usize, NONE);
        self.links_of.clear();
        self.links_of.resize(nodes as usize, NONE);
        self.blocks.clear();
        self.links.clear();
        self.linked.clear();
        self.new_links.clear();
        self.tops_of.clear();
        self.tops_of.resize(nodes as usize, NONE);
        self.top_fields.clear();
        self.top_fields.resize(nodes as usize, 0);
        self.own_fields.clear();
        self.own_fields.resize(nodes as usize, 0);
        self.tops.clear();
        self.new_tops_of.clear();
        self.new_tops_of.resize(nodes as usize, 0);
        self.several.clear();
        self.bottoms.clear();
        self.fresh.clear();
        self.hollow.clear();
        self.waiting.reset(nodes as usize, is_rising);
        self.reached.clear();
    }

    /// Becomes the same as another one that has nothing left to do.
    pub(crate) fn copy_from(&mut self, other: &Saturation) {
        self.nodes = other.nodes;
        self.flags.clone_from(&other.flags);
        self.class.clone_from(&other.class);
        self.next_member.clone_from(&other.next_member);
        self.blocks_of.clone_from(&other.blocks_of);
        self.blocks.clone_from(&other.blocks);
        self.links_of.clone_from(&other.links_of);
        self.links.clone_from(&other.links);
        self.linked.clone_from(&other.linked);
        self.new_links.clone_from(&other.new_links);
        self.tops_of.clone_from(&other.tops_of);
        self.top_fields.clone_from(&other.top_fields);
        self.own_fields.clone_from(&other.own_fields);
        self.tops.clone_from(&other.tops);
        self.new_tops_of.clone_from(&other.new_tops_of);
        self.several.clone_from(&other.several);
        self.bottoms.clear();
        self.fresh.clear();
        self.hollow.clear();
        self.waiting.copy_from(&other.waiting);
        self.reached.clone_from(&other.reached);
    }

    fn new_state(&mut self) -> u32 {
        let state = self.flags.len() as u32;
        self.flags.push(0);
        self.class.push(state);
        self.next_member.push(state);
        self.blocks_of.push(NONE);
        self.links_of.push(NONE);
        self.tops_of.push(NONE);
        self.new_tops_of.push(0);
        self.top_fields.push(0);
        self.own_fields.push(0);
        state
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.flags.len()
    }

    /// The state that stands for one and all that have the same stacks.
    pub(crate) fn class(&self, state: u32) -> u32 {
        self.class[state as usize]
    }

    pub(crate) fn next_member(&self, state: u32) -> u32 {
        self.next_member[state as usize]
    }

    /// What a state is linked to, by its own links.
    pub(crate) fn links(&self, state: u32) -> impl Iterator<Item = u32> {
        let mut at = self.links_of[state as usize];
        std::iter::from_fn(move || {
            let &(target, next) = self.links.get(at as usize)?;
            at = next;
            Some(target)
        })
    }

    pub(crate) fn is_reached(&self, state: u32) -> bool {
        self.flags[self.class(state) as usize] & REACHED != 0
    }

    /// The states that are reached, in the order in which they were.
    pub(crate) fn reached(&self) -> &[u32] {
        &self.reached
    }

    pub(crate) fn has_bottom(&self, state: u32) -> bool {
        self.flags[self.class(state) as usize] & BOTTOM != 0
    }

    pub(crate) fn has_hollow(&self, state: u32) -> bool {
        self.flags[self.class(state) as usize] & HOLLOW != 0
    }

    fn blocks(&self, state: u32) -> impl Iterator<Item = &Block> {
        let mut next = self.blocks_of[self.class(state) as usize];
        std::iter::from_fn(move || {
            let block = self.blocks.get(next as usize)?;
            next = block.next;
            Some(block)
        })
    }

    /// Whether a state has symbols.
    pub(crate) fn has_symbols(&self, state: u32) -> bool {
        self.blocks_of[self.class(state) as usize] != NONE
    }

    /// The symbols of a state that are in a block.
    pub(crate) fn block(&self, state: u32, number: u32) -> u64 {
        self.blocks(state).find(|block| block.number == number).map_or(0, |block| block.all)
    }

    fn has(&self, state: u32, symbol: u32) -> bool {
        self.block(state, symbol / 64) & (1 << (symbol % 64)) != 0
    }

    /// All symbols of a state.
    pub(crate) fn symbols(&self, state: u32, to: &mut Symbols) {
        to.clear();
        to.extend(self.blocks(state).map(|block| (block.number, block.all)));
    }

    /// All tops of a state: fields, and the states below.
    pub(crate) fn tops(&self, state: u32, to: &mut Vec<(u32, u32)>) {
        to.clear();
        let mut at = self.tops_of[self.class(state) as usize];
        while let Some(top) = self.tops.get(at as usize) {
            to.push((top.field, top.below));
            at = top.next;
        }
    }

    fn reach(&mut self, state: u32) {
        if self.flags[state as usize] & REACHED == 0 {
            self.flags[state as usize] |= REACHED;
            self.reached.push(state);
            if state < self.nodes {
                self.fresh.push(state);
            }
        }
    }

    pub(crate) fn add_bottom(&mut self, state: u32) {
        let state = self.class(state);
        if self.flags[state as usize] & BOTTOM == 0 {
            if self.flags[state as usize] & REACHED == 0 {
                self.reached.push(state);
            }
            self.flags[state as usize] |= REACHED | BOTTOM;
            self.bottoms.push(state);
        }
    }

    pub(crate) fn add_hollow(&mut self, state: u32) {
        let state = self.class(state);
        if self.flags[state as usize] & (BOTTOM | HOLLOW) == 0 {
            self.reach(state);
            self.flags[state as usize] |= HOLLOW;
            self.hollow.push(state);
        }
    }

    pub(crate) fn add(&mut self, state: u32, symbol: u32) {
        let state = self.class(state);
        if self.flags[state as usize] & BOTTOM == 0 {
            self.add_block(state, symbol / 64, 1 << (symbol % 64));
        }
    }

    /// Says that symbols are at a state.
    pub(crate) fn add_all(&mut self, state: u32, symbols: &Symbols) {
        let state = self.class(state);
        if self.flags[state as usize] & BOTTOM == 0 {
            for &(number, symbols) in symbols {
                self.add_block(state, number, symbols);
            }
        }
    }

    /// Says that symbols of one block are at a state.
    pub(crate) fn add_word(&mut self, state: u32, number: u32, symbols: u64) {
        let state = self.class(state);
        if self.flags[state as usize] & BOTTOM == 0 && symbols != 0 {
            self.add_block(state, number, symbols);
        }
    }

    fn add_block(&mut self, state: u32, number: u32, symbols: u64) {
        let mut at = self.blocks_of[state as usize];
        while at != NONE && self.blocks[at as usize].number != number {
            at = self.blocks[at as usize].next;
        }
        if at == NONE {
            at = self.blocks.len() as u32;
            let next = std::mem::replace(&mut self.blocks_of[state as usize], at);
            self.blocks.push(Block { number, next, all: 0, new: 0 });
        }
        let block = &mut self.blocks[at as usize];
        let new = symbols & !block.all;
        if new == 0 {
            return;
        }
        block.all |= new;
        block.new |= new;
        self.reach(state);
        self.waiting.push(state);
    }

    /// Says that a field is at a state above all stacks of another one. The symbol of the field above the empty stack has
    /// the same number.
    pub(crate) fn add_top(&mut self, state: u32, field: u32, below: u32) {
        let state = self.class(state);
        if !self.has_bottom(state) {
            self.merge_top(state, field, below, false, true);
        }
    }

    /// The same for some fields, and states below them.
    pub(crate) fn add_tops(&mut self, state: u32, tops: &[(u32, u32)]) {
        let state = self.class(state);
        if !self.has_bottom(state) {
            tops.iter()
                .for_each(|&(field, below)| self.merge_top(state, field, below, false, true));
        }
    }

    /// The same for a top that comes by a link. What is linked to many states has the same tops for all of them: they
    /// are not made one for each of them.
    fn add_linked_top(&mut self, state: u32, field: u32, below: u32) {
        let state = self.class(state);
        if !self.has_bottom(state) {
            self.merge_top(state, field, below, false, false);
        }
    }

    /// Says the same of a top that is a state's own or not, and `merges` it with one of the same field, if the state is a
    /// node. The state stands for itself and does not have the empty stack.
    fn merge_top(&mut self, state: u32, field: u32, below: u32, is_own: bool, merges: bool) {
        let below = self.class(below);
        if self.has_bottom(below) {
            self.add_block(state, field / 64, 1 << (field % 64));
            return;
        }
        let bit = 1 << (field % 64);
        // Of what lies below fields there would be no end if that had one top of each field, too.
        let merges = merges && state < self.nodes;
        let fields = if merges { &self.top_fields } else { &self.own_fields };
        if fields[state as usize] & bit != 0 {
            let mut at = self.tops_of[state as usize];
            while let Some(top) = self.tops.get(at as usize)
                && (top.field != field || !merges && !top.is_own)
            {
                at = top.next;
            }
            if let Some(&known) = self.tops.get(at as usize) {
                let old = self.class(known.below);
                if old == below {
                    self.tops[at as usize].is_own |= is_own;
                } else if self.has(state, field) {
                    // All of the field is asked for already.
                    return;
                } else if known.is_own {
                    self.link(below, old);
                } else if !self.linked.contains(&(below, old)) {
                    self.widen(state, at, (old, below), is_own);
                }
                if self.tops[at as usize].is_own {
                    self.own_fields[state as usize] |= bit;
                }
                return;
            }
        }
        if self.has(state, field) || !merges && !self.several.insert((state, field, below)) {
            return;
        }
        if is_own {
            self.own_fields[state as usize] |= bit;
        }
        self.top_fields[state as usize] |= bit;
        let next = std::mem::replace(&mut self.tops_of[state as usize], self.tops.len() as u32);
        self.tops.push(Top { field, below, next, is_own, is_new: true });
        self.new_tops_of[state as usize] += 1;
        self.reach(state);
        self.waiting.push(state);
    }

    /// A top has another state below as well, which may be its own one.
    fn widen(&mut self, state: u32, top: u32, (old, below): (u32, u32), is_own: bool) {
        let is_more = below > old && below >= self.nodes && self.linked.contains(&(old, below));
        let (below, is_own) = if is_own || is_more {
            (below, is_own)
        } else {
            let both = self.new_state();
            self.link(below, both);
            (both, true)
        };
        self.link(old, below);
        let top = &mut self.tops[top as usize];
        self.new_tops_of[state as usize] += u32::from(!top.is_new);
        (top.below, top.is_own, top.is_new) = (below, is_own, true);
        self.waiting.push(state);
    }

    /// All stacks of one state are at the other one, too.
    pub(crate) fn link(&mut self, from: u32, to: u32) {
        let (from, to) = (self.class(from), self.class(to));
        if from == to || self.has_bottom(to) {
            return;
        }
        if self.has_bottom(from) {
            self.add_bottom(to);
            return;
        }
        if !self.linked.insert((from, to)) {
            return;
        }
        let next = std::mem::replace(&mut self.links_of[from as usize], self.links.len() as u32);
        self.links.push((to, next));
        if self.has_hollow(from) {
            self.add_hollow(to);
        }
        let mut at = self.blocks_of[from as usize];
        while at != NONE {
            let Block { number, next, all, .. } = self.blocks[at as usize];
            self.add_block(to, number, all);
            at = next;
        }
        if self.tops_of[from as usize] != NONE {
            self.new_links.push((from, to));
        }
    }

    /// Hands on the tops of states that have been linked.
    fn hand_on_tops(&mut self) {
        while let Some((from, to)) = self.new_links.pop() {
            let mut at = self.tops_of[self.class(from) as usize];
            while at != NONE {
                let Top { field, below, next, .. } = self.tops[at as usize];
                self.add_linked_top(to, field, below);
                at = next;
            }
        }
    }

    /// What has come to which state. What links hand on has been handed on.
    pub(crate) fn next(&mut self) -> Option<Event> {
        if let Some(state) = self.bottoms.pop() {
            self.hand_on(state, Saturation::add_bottom);
            return Some(Event::Bottom(state));
        }
        // Where the empty stack has come since, the rest says nothing new.
        while let Some(state) = self.fresh.pop() {
            if !self.has_bottom(state) {
                return Some(Event::Reached(state));
            }
        }
        while let Some(state) = self.hollow.pop() {
            let state = self.class(state);
            if !self.has_bottom(state) {
                self.hand_on(state, Saturation::add_hollow);
                return Some(Event::Hollow(state));
            }
        }
        self.hand_on_tops();
        while let Some(state) = self.waiting.pop() {
            if !self.has_bottom(state) && self.class(state) == state {
                let (mut new, mut tops) =
                    (std::mem::take(&mut self.new), std::mem::take(&mut self.new_tops));
                self.take_new(state, &mut new, &mut tops);
                self.hand_on(state, |states, to| {
                    states.add_all(to, &new);
                    tops.iter().for_each(|&(field, below)| states.add_linked_top(to, field, below));
                });
                (self.new, self.new_tops) = (new, tops);
                return Some(Event::Symbols(state));
            }
        }
        None
    }

    /// Takes states that lead to each other for one.
    pub(crate) fn join(&mut self, states: &mut [u32]) {
        // What one of them has got since they were found, all get anyway.
        if states.iter().any(|&state| self.has_bottom(state)) {
            return;
        }
        // A node stands for them, if one is among them.
        states.sort_unstable();
        let Some((&first, others)) = states.split_first() else { return };
        let is_hollow = states.iter().any(|&state| self.has_hollow(state));
        for &state in states.iter() {
            self.reach(state);
        }
        for &state in others {
            // All of one ring become members of the other.
            let mut member = state;
            loop {
                self.class[member as usize] = first;
                member = self.next_member[member as usize];
                if member == state {
                    break;
                }
            }
            self.next_member.swap(first as usize, state as usize);
            let mut at = self.blocks_of[state as usize];
            while at != NONE {
                let Block { number, next, all, .. } = self.blocks[at as usize];
                self.add_block(first, number, all);
                at = next;
            }
            let mut at = self.links_of[state as usize];
            while at != NONE {
                let before = std::mem::replace(&mut self.links_of[first as usize], at);
                at = std::mem::replace(&mut self.links[at as usize].1, before);
            }
            self.links_of[state as usize] = NONE;
        }
        for &state in others {
            let mut at = std::mem::replace(&mut self.tops_of[state as usize], NONE);
            while at != NONE {
                let Top { field, below, next, is_own, .. } = self.tops[at as usize];
                self.merge_top(first, field, below, is_own, true);
                at = next;
            }
        }
        // What some of them had gone on with, others had not.
        let mut at = self.blocks_of[first as usize];
        while at != NONE {
            let block = &mut self.blocks[at as usize];
            block.new = block.all;
            at = block.next;
        }
        let mut at = self.tops_of[first as usize];
        while at != NONE {
            let top = &mut self.tops[at as usize];
            self.new_tops_of[first as usize] += u32::from(!top.is_new);
            top.is_new = true;
            at = top.next;
        }
        if self.blocks_of[first as usize] != NONE || self.tops_of[first as usize] != NONE {
            self.waiting.push(first);
        }
        if is_hollow {
            self.flags[first as usize] |= HOLLOW;
            self.hollow.push(first);
        }
    }

    fn take_new(&mut self, state: u32, to: &mut Symbols, tops: &mut Vec<(u32, u32)>) {
        to.clear();
        tops.clear();
        let mut at = self.blocks_of[state as usize];
        while at != NONE {
            let block = &mut self.blocks[at as usize];
            if block.new != 0 {
                to.push((block.number, std::mem::take(&mut block.new)));
            }
            at = block.next;
        }
        // They are among the first, mostly.
        let mut at = self.tops_of[state as usize];
        let count = std::mem::take(&mut self.new_tops_of[state as usize]) as usize;
        while at != NONE && tops.len() < count {
            let top = &mut self.tops[at as usize];
            if std::mem::take(&mut top.is_new) {
                tops.push((top.field, top.below));
            }
            at = top.next;
        }
    }

    fn hand_on(&mut self, state: u32, mut to_each: impl FnMut(&mut Saturation, u32)) {
        let mut at = self.links_of[state as usize];
        while at != NONE {
            let (to, next) = self.links[at as usize];
            to_each(self, to);
            at = next;
        }
    }
}
