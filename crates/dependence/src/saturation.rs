//! Sets of stacks for each node, as pushdown systems saturate them.
//!
//! The stacks with which a traversal can be at a node are infinitely many as soon as a loop pushes.
//! As in the saturation of pushdown automata (Bouajjani, Esparza and Maler; Schwoon) they are kept
//! as a finite set for each state: the empty stack, the hollow one, *symbols*, each of which stands
//! for a field right above one of these two, and *tops*, each of which is a field above whatever
//! stacks are at some other state. States are the nodes of the graph and, behind them, states that
//! are what lies below a field. Popping a top adds a *link*: all stacks of one state are also at
//! another one, now and later. Exact, without a bound on depth, and finite because symbols, tops
//! and links are.
//!
//! A node has at most one top of each field, else the result of a function would have one for each
//! of its calls, and each would be popped wherever the function makes a value. Where a second one
//! comes, the two become one that is above a new state, to which both of the states below are
//! linked: the stacks are the same. Whatever comes later is linked to that state and need not be
//! handed on.
//!
//! The empty stack means "everything", so a state that has it needs nothing else: whatever is
//! reachable with more on the stack is reachable without.
//!
//! States that lead to each other without pushing or popping have the same stacks. Where they are
//! found to do so they become one (as in points-to analyses, whose constraints are much the same):
//! a state that is threaded through all functions of a program would else go round and round.
//!
//! Symbols are handed on many at a time: a state that has got some waits in a queue, and its turn
//! is for all that have come since the last one. They lie in blocks of 64 bits. What says most
//! comes first: the empty stack, then that a state is reached at all, then the hollow stack, then
//! symbols.

use ids::IdVec;
use rustc_hash::FxHashSet;

use super::fold::Folded;
use super::queue::Queue;
use super::symbols::{FieldId, Symbol, Symbols, Word};

ids::ids! {
    /// A node that is left, or what lies below a field.
    pub(crate) State;
    /// A [`Content`].
    ContentId;
    /// A [`Block`].
    BlockId;
    /// A [`Link`].
    LinkId;
    /// A [`Top`].
    TopId;
}

impl State {
    /// The state that a node is.
    #[inline]
    pub(crate) fn of(node: Folded) -> State {
        State::new(node.index())
    }
}

const REACHED: u8 = 1;
/// Of a state that is one with others, too.
const BOTTOM: u8 = 2;
const HOLLOW: u8 = 4;
/// A node that may be reached.
const ALLOWED: u8 = 8;
/// It is one with others.
const JOINED: u8 = 16;

/// So many tops of a state are looked through; if there are more, those that it has are also in a
/// table.
const FEW: u32 = 12;

/// A field of a state above the stacks of another one.
#[derive(Clone, Copy, Debug)]
struct Top {
    field: FieldId,
    below: State,
    next: Option<TopId>,
    /// Nothing else is above what is below, but by way of this.
    is_own: bool,
    /// It has come, or what is below is another one, since the last turn.
    is_new: bool,
}

/// Some symbols of a state.
#[derive(Clone, Copy, Debug)]
struct Block {
    word: Word,
    next: Option<BlockId>,
    all: u64,
    /// Those that have come since the last turn.
    new: u64,
}

/// All stacks of a state are at this one, too.
#[derive(Clone, Copy, Debug)]
struct Link {
    to: State,
    next: Option<LinkId>,
}

/// What has come to a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    Bottom(State),
    /// A node is reached, by whatever stack.
    Reached(Folded),
    Hollow(State),
    /// Those of [`Saturation::new`] and [`Saturation::new_tops`].
    Symbols(State),
}

/// What a state has, but for the empty and the hollow stack: most have nothing else.
#[derive(Clone, Copy, Debug)]
struct Content {
    /// The state that stands for it and all that have the same stacks; only that one's content
    /// counts.
    class: State,
    /// The next of those, in a ring.
    next_member: State,
    /// The first of its blocks.
    blocks: Option<BlockId>,
    /// The first of its links.
    links: Option<LinkId>,
    /// The first of its tops, how many there are, and how many of them are new.
    tops: Option<TopId>,
    count: u32,
    new_tops: u32,
    /// Which fields its tops may have, as bits of their numbers modulo 64.
    top_fields: u64,
    /// The same for those that are its own.
    own_fields: u64,
}

/// States with their stacks, and what is left to be done.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saturation {
    flags: IdVec<State, u8>,
    /// By state: where its content is.
    content_of: IdVec<State, Option<ContentId>>,
    contents: IdVec<ContentId, Content>,
    /// How many states are nodes.
    nodes: usize,
    blocks: IdVec<BlockId, Block>,
    links: IdVec<LinkId, Link>,
    linked: FxHashSet<(State, State)>,
    /// Those whose tops have not been handed on when they were made.
    new_links: Vec<(State, State)>,
    tops: IdVec<TopId, Top>,
    /// Tops of states that have more than a few: the state, the field, and the state below.
    several: FxHashSet<(State, FieldId, State)>,
    bottoms: Vec<State>,
    fresh: Vec<Folded>,
    hollow: Vec<State>,
    waiting: Queue<State>,
    /// All states that have a stack, in the order in which they got their first.
    reached: Vec<State>,
    /// The symbols that have come to the state of the last event.
    pub(crate) new: Symbols,
    /// The same for its tops: fields, and the states below.
    pub(crate) new_tops: Tops,
}

/// Fields, and the states below.
pub(crate) type Tops = Vec<(FieldId, State)>;

impl Saturation {
    /// Empties everything, for so many nodes; those with small numbers have their turn first if it
    /// is rising.
    pub(crate) fn reset(&mut self, nodes: usize, is_rising: bool) {
        self.nodes = nodes;
        self.flags.refill(0, nodes);
        self.content_of.refill(None, nodes);
        self.contents.clear();
        self.blocks.clear();
        self.links.clear();
        self.linked.clear();
        self.new_links.clear();
        self.tops.clear();
        self.several.clear();
        self.bottoms.clear();
        self.fresh.clear();
        self.hollow.clear();
        self.waiting.reset(nodes, is_rising);
        self.reached.clear();
        // Growing would copy it again and again.
        self.reached.reserve(nodes);
    }

    /// Becomes the same as another one that has nothing left to do.
    pub(crate) fn copy_from(&mut self, other: &Saturation) {
        self.nodes = other.nodes;
        self.flags.clone_from(&other.flags);
        self.content_of.clone_from(&other.content_of);
        self.contents.clone_from(&other.contents);
        self.blocks.clone_from(&other.blocks);
        self.links.clone_from(&other.links);
        self.linked.clone_from(&other.linked);
        self.new_links.clone_from(&other.new_links);
        self.tops.clone_from(&other.tops);
        self.several.clone_from(&other.several);
        self.bottoms.clear();
        self.fresh.clear();
        self.hollow.clear();
        self.waiting.copy_from(&other.waiting);
        self.reached.clone_from(&other.reached);
    }

    fn new_state(&mut self) -> State {
        self.content_of.push(None);
        self.flags.push(0)
    }

    /// The node that a state is; nothing if it is what lies below a field.
    #[inline]
    pub(crate) fn node(&self, state: State) -> Option<Folded> {
        (state.index() < self.nodes).then(|| Folded::new(state.index()))
    }

    /// Nodes that may be reached from now on.
    pub(crate) fn allow(&mut self, nodes: impl Iterator<Item = Folded>) {
        nodes.for_each(|node| self.flags[State::of(node)] |= ALLOWED);
    }

    /// Whether something can come to a node: it may be reached and does not have the empty stack.
    #[inline]
    pub(crate) fn is_open(&self, node: Folded) -> bool {
        self.flags[State::of(node)] & (ALLOWED | BOTTOM) == ALLOWED
    }

    #[inline]
    fn content(&self, state: State) -> Option<&Content> {
        self.content_of[state].map(|content| &self.contents[content])
    }

    /// The same; if there was nothing, there is now.
    #[inline]
    fn content_mut(&mut self, state: State) -> &mut Content {
        let contents = &mut self.contents;
        let at = *self.content_of[state].get_or_insert_with(|| {
            contents.push(Content {
                class: state,
                next_member: state,
                blocks: None,
                links: None,
                tops: None,
                count: 0,
                new_tops: 0,
                top_fields: 0,
                own_fields: 0,
            })
        });
        &mut contents[at]
    }

    fn blocks_of(&self, state: State) -> Option<BlockId> {
        self.content(state)?.blocks
    }

    fn links_of(&self, state: State) -> Option<LinkId> {
        self.content(state)?.links
    }

    fn tops_of(&self, state: State) -> Option<TopId> {
        self.content(state)?.tops
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.flags.len()
    }

    /// The state that stands for one and all that have the same stacks.
    #[inline]
    pub(crate) fn class(&self, state: State) -> State {
        if self.flags[state] & JOINED == 0 {
            return state;
        }
        self.content(state).map_or(state, |content| content.class)
    }

    /// The next of all that have the same stacks, in a ring.
    #[inline]
    pub(crate) fn next_member(&self, state: State) -> State {
        if self.flags[state] & JOINED == 0 {
            return state;
        }
        self.content(state).map_or(state, |content| content.next_member)
    }

    /// What a state is linked to, by its own links.
    pub(crate) fn links(&self, state: State) -> impl Iterator<Item = State> {
        let mut at = self.links_of(state);
        std::iter::from_fn(move || {
            let Link { to, next } = self.links[at?];
            at = next;
            Some(to)
        })
    }

    #[inline]
    pub(crate) fn is_reached(&self, state: State) -> bool {
        self.flags[self.class(state)] & REACHED != 0
    }

    /// The states that are reached, in the order in which they were.
    pub(crate) fn reached(&self) -> &[State] {
        &self.reached
    }

    #[inline]
    pub(crate) fn has_bottom(&self, state: State) -> bool {
        self.flags[state] & BOTTOM != 0
    }

    #[inline]
    pub(crate) fn has_hollow(&self, state: State) -> bool {
        self.flags[self.class(state)] & HOLLOW != 0
    }

    fn blocks(&self, state: State) -> impl Iterator<Item = &Block> {
        let mut next = self.blocks_of(self.class(state));
        std::iter::from_fn(move || {
            let block = &self.blocks[next?];
            next = block.next;
            Some(block)
        })
    }

    /// The symbols of a state in words before one, as if all of them were in the same word.
    pub(crate) fn some_symbols(&self, state: State, end: Word) -> u64 {
        let blocks = self.blocks(state).filter(|block| block.word < end);
        blocks.fold(0, |symbols, block| symbols | block.all)
    }

    /// The symbols of a state that are in a word.
    pub(crate) fn block(&self, state: State, word: Word) -> u64 {
        self.blocks(state).find(|block| block.word == word).map_or(0, |block| block.all)
    }

    fn has(&self, state: State, symbol: Symbol) -> bool {
        self.block(state, symbol.word()) & symbol.bit() != 0
    }

    /// All symbols of a state.
    pub(crate) fn symbols(&self, state: State, to: &mut Symbols) {
        to.clear();
        to.extend(self.blocks(state).map(|block| (block.word, block.all)));
    }

    /// All tops of a state: fields, and the states below.
    pub(crate) fn tops(&self, state: State, to: &mut Tops) {
        to.clear();
        to.extend(
            self.tops_from(self.tops_of(self.class(state))).map(|(_, top)| (top.field, top.below)),
        );
    }

    /// A top and those behind it.
    fn tops_from(&self, first: Option<TopId>) -> impl Iterator<Item = (TopId, &Top)> {
        let mut next = first;
        std::iter::from_fn(move || {
            let id = next?;
            let top = &self.tops[id];
            next = top.next;
            Some((id, top))
        })
    }

    /// Says that a state has a stack, and with it those that it stands for.
    fn reach(&mut self, state: State) {
        if self.flags[state] & REACHED != 0 {
            return;
        }
        let mut member = state;
        loop {
            self.flags[member] |= REACHED;
            self.reached.push(member);
            self.fresh.extend(self.node(member));
            member = self.next_member(member);
            if member == state {
                return;
            }
        }
    }

    #[inline]
    pub(crate) fn add_bottom(&mut self, state: State) {
        let flags = self.flags[state];
        if flags & BOTTOM != 0 {
            return;
        }
        if flags & JOINED != 0 {
            return self.add_bottom_to_all(state);
        }
        if flags & REACHED == 0 {
            self.reached.push(state);
        }
        self.flags[state] = flags | REACHED | BOTTOM;
        self.bottoms.push(state);
    }

    /// Says that the empty stack is at a state that is one with others.
    fn add_bottom_to_all(&mut self, state: State) {
        let class = self.class(state);
        let mut member = class;
        loop {
            if self.flags[member] & REACHED == 0 {
                self.reached.push(member);
            }
            self.flags[member] |= REACHED | BOTTOM;
            member = self.next_member(member);
            if member == class {
                break;
            }
        }
        self.bottoms.push(class);
    }

    #[inline]
    pub(crate) fn add_hollow(&mut self, state: State) {
        let state = self.class(state);
        if self.flags[state] & (BOTTOM | HOLLOW) == 0 {
            self.reach(state);
            self.flags[state] |= HOLLOW;
            self.hollow.push(state);
        }
    }

    pub(crate) fn add(&mut self, state: State, symbol: Symbol) {
        let state = self.class(state);
        if self.flags[state] & BOTTOM == 0 {
            self.add_block(state, symbol.word(), symbol.bit());
        }
    }

    /// Says that symbols are at a state.
    pub(crate) fn add_all(&mut self, state: State, symbols: &Symbols) {
        let state = self.class(state);
        if self.flags[state] & BOTTOM == 0 {
            for &(word, symbols) in symbols {
                self.add_block(state, word, symbols);
            }
        }
    }

    /// Says that symbols of one word are at a state.
    pub(crate) fn add_word(&mut self, state: State, word: Word, symbols: u64) {
        let state = self.class(state);
        if self.flags[state] & BOTTOM == 0 && symbols != 0 {
            self.add_block(state, word, symbols);
        }
    }

    fn add_block(&mut self, state: State, word: Word, symbols: u64) {
        let mut at = self.blocks_of(state);
        while let Some(block) = at
            && self.blocks[block].word != word
        {
            at = self.blocks[block].next;
        }
        let at = at.unwrap_or_else(|| {
            let at = self.blocks.next_id();
            let next = self.content_mut(state).blocks.replace(at);
            self.blocks.push(Block { word, next, all: 0, new: 0 })
        });
        let block = &mut self.blocks[at];
        let new = symbols & !block.all;
        if new == 0 {
            return;
        }
        block.all |= new;
        block.new |= new;
        self.reach(state);
        self.waiting.push(state);
    }

    /// Says that a field is at a state above all stacks of another one. The symbol of the field
    /// above the empty stack has the same number.
    pub(crate) fn add_top(&mut self, state: State, field: FieldId, below: State) {
        let state = self.class(state);
        if !self.has_bottom(state) {
            self.merge_top(state, field, below, false, true);
        }
    }

    /// The same for some fields, and states below them.
    pub(crate) fn add_tops(&mut self, state: State, tops: &[(FieldId, State)]) {
        self.merge_tops(state, tops, true);
    }

    /// The same for tops that come by a link. What is linked to many states has the same tops for
    /// all of them: they are not made one for each of them.
    fn add_linked_tops(&mut self, state: State, tops: &[(FieldId, State)]) {
        self.merge_tops(state, tops, false);
    }

    fn merge_tops(&mut self, state: State, tops: &[(FieldId, State)], merges: bool) {
        let state = self.class(state);
        if self.has_bottom(state) {
            return;
        }
        let mut at = self.tops_of(state);
        if at.is_none() {
            // They lie in the same order then, so that those of another state that has them, too,
            // are found quickly.
            for &(field, below) in tops.iter().rev() {
                self.merge_top(state, field, below, false, merges);
            }
            return;
        }
        for &(field, below) in tops {
            match at.map(|at| self.tops[at]) {
                Some(top) if top.field == field && top.below == below => at = top.next,
                _ => self.merge_top(state, field, below, false, merges),
            }
        }
    }

    /// Says the same of a top that is a state's own or not, and `merges` it with one of the same
    /// field, if the state is a node. The state stands for itself and does not have the empty
    /// stack.
    fn merge_top(
        &mut self,
        state: State,
        field: FieldId,
        below: State,
        is_own: bool,
        merges: bool,
    ) {
        let below = self.class(below);
        if self.has_bottom(below) {
            self.add_block(state, field.word(), field.bit());
            return;
        }
        let bit = field.bit();
        // Of what lies below fields there would be no end if that had one top of each field, too.
        let merges = merges && self.node(state).is_some();
        let (first, count, has_field, has_own) = match self.content(state) {
            None => (None, 0, false, false),
            Some(content) => {
                let (own, all) = (content.own_fields & bit != 0, content.top_fields & bit != 0);
                (content.tops, content.count, all, own)
            }
        };
        if if merges { has_field } else { has_own } {
            let fits = |top: &Top| top.field == field && (merges || top.is_own);
            let found = self.tops_from(first).find(|(_, top)| fits(top));
            if let Some((at, &known)) = found {
                let old = self.class(known.below);
                if old == below {
                    self.tops[at].is_own |= is_own;
                } else if self.has(state, field.symbol()) {
                    // All of the field is asked for already.
                    return;
                } else if known.is_own {
                    self.link(below, old);
                } else if !self.linked.contains(&(below, old)) {
                    self.widen(state, at, (old, below), is_own);
                }
                if self.tops[at].is_own {
                    self.content_mut(state).own_fields |= bit;
                }
                return;
            }
        }
        if self.has(state, field.symbol())
            || !merges && has_field && self.has_top(state, field, below)
        {
            return;
        }
        if count >= FEW && !merges {
            self.note_tops(state, (field, below));
        }
        let at = self.tops.next_id();
        let content = self.content_mut(state);
        content.own_fields |= if is_own { bit } else { 0 };
        content.top_fields |= bit;
        content.count += 1;
        content.new_tops += 1;
        let next = content.tops.replace(at);
        self.tops.push(Top { field, below, next, is_own, is_new: true });
        self.reach(state);
        self.waiting.push(state);
    }

    /// Whether a state is known to have a top of a field above another state, or above more than
    /// that.
    fn has_top(&self, state: State, field: FieldId, below: State) -> bool {
        if self.content(state).is_some_and(|content| content.count > FEW) {
            return self.several.contains(&(state, field, below));
        }
        let mut same = self.tops_from(self.tops_of(state)).filter(|(_, top)| top.field == field);
        same.any(|(_, top)| {
            let known = self.class(top.below);
            known == below || self.linked.contains(&(below, known))
        })
    }

    /// Notes a top that a state gets besides a few others, and those if it is the first of them.
    fn note_tops(&mut self, state: State, (field, below): (FieldId, State)) {
        if self.content(state).is_some_and(|content| content.count == FEW) {
            let mut at = self.tops_of(state);
            while let Some(top) = at.map(|at| self.tops[at]) {
                self.several.insert((state, top.field, top.below));
                at = top.next;
            }
        }
        self.several.insert((state, field, below));
    }

    /// A top has another state below as well, which may be its own one.
    fn widen(&mut self, state: State, top: TopId, (old, below): (State, State), is_own: bool) {
        let is_more =
            below > old && self.node(below).is_none() && self.linked.contains(&(old, below));
        let (below, is_own) = if is_own || is_more {
            (below, is_own)
        } else {
            let both = self.new_state();
            self.link(below, both);
            (both, true)
        };
        self.link(old, below);
        let top = &mut self.tops[top];
        let is_first = !std::mem::replace(&mut top.is_new, true);
        (top.below, top.is_own) = (below, is_own);
        self.content_mut(state).new_tops += u32::from(is_first);
        self.waiting.push(state);
    }

    /// All stacks of one state are at the other one, too.
    pub(crate) fn link(&mut self, from: State, to: State) {
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
        let at = self.links.next_id();
        let next = self.content_mut(from).links.replace(at);
        self.links.push(Link { to, next });
        if self.has_hollow(from) {
            self.add_hollow(to);
        }
        self.add_blocks(from, to);
        if self.tops_of(from).is_some() {
            self.new_links.push((from, to));
        }
    }

    /// Says that the symbols of one state are at the other one, too.
    fn add_blocks(&mut self, from: State, to: State) {
        let mut at = self.blocks_of(from);
        while let Some(block) = at {
            let Block { word, next, all, .. } = self.blocks[block];
            self.add_block(to, word, all);
            at = next;
        }
    }

    /// Hands on the tops of states that have been linked.
    fn hand_on_tops(&mut self) {
        while let Some((from, to)) = self.new_links.pop() {
            let mut tops = std::mem::take(&mut self.new_tops);
            self.tops(from, &mut tops);
            self.add_linked_tops(to, &tops);
            self.new_tops = tops;
        }
    }

    /// What has come to which state. What links hand on has been handed on.
    pub(crate) fn next(&mut self) -> Option<Event> {
        if let Some(state) = self.bottoms.pop() {
            self.hand_on(state, Saturation::add_bottom);
            return Some(Event::Bottom(state));
        }
        // Where the empty stack has come since, the rest says nothing new.
        while let Some(node) = self.fresh.pop() {
            if !self.has_bottom(State::of(node)) {
                return Some(Event::Reached(node));
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
                    states.add_linked_tops(to, &tops);
                });
                (self.new, self.new_tops) = (new, tops);
                return Some(Event::Symbols(state));
            }
        }
        None
    }

    /// Takes nodes that lead to each other for one, all of which may be reached, before anything
    /// is.
    pub(crate) fn join_early(&mut self, nodes: &[Folded]) {
        let Some(&first) = nodes.first() else { return };
        for (index, &node) in nodes.iter().enumerate() {
            let state = State::of(node);
            self.flags[state] |= JOINED;
            let content = self.content_mut(state);
            content.class = State::of(first);
            content.next_member = State::of(nodes.get(index + 1).copied().unwrap_or(first));
        }
    }

    /// Takes states that lead to each other for one.
    pub(crate) fn join(&mut self, states: &mut [State]) {
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
        for &state in states.iter() {
            self.flags[state] |= JOINED;
        }
        for &state in others {
            // All of one ring become members of the other.
            let mut member = state;
            loop {
                let content = self.content_mut(member);
                content.class = first;
                member = content.next_member;
                if member == state {
                    break;
                }
            }
            let next = self.content_mut(first).next_member;
            let next = std::mem::replace(&mut self.content_mut(state).next_member, next);
            self.content_mut(first).next_member = next;
            self.add_blocks(state, first);
            let mut at = self.content_mut(state).links.take();
            while let Some(link) = at {
                let before = self.content_mut(first).links.replace(link);
                at = std::mem::replace(&mut self.links[link].next, before);
            }
        }
        for &state in others {
            let mut at = self.content_mut(state).tops.take();
            while let Some(top) = at {
                let Top { field, below, next, is_own, .. } = self.tops[top];
                self.merge_top(first, field, below, is_own, true);
                at = next;
            }
        }
        // What some of them had gone on with, others had not.
        let mut at = self.blocks_of(first);
        while let Some(block) = at {
            let block = &mut self.blocks[block];
            block.new = block.all;
            at = block.next;
        }
        let mut at = self.tops_of(first);
        let mut new_tops = 0;
        while let Some(top) = at {
            let top = &mut self.tops[top];
            new_tops += 1;
            top.is_new = true;
            at = top.next;
        }
        self.content_mut(first).new_tops = new_tops;
        if self.blocks_of(first).is_some() || self.tops_of(first).is_some() {
            self.waiting.push(first);
        }
        if is_hollow {
            self.flags[first] |= HOLLOW;
            self.hollow.push(first);
        }
    }

    fn take_new(&mut self, state: State, to: &mut Symbols, tops: &mut Tops) {
        to.clear();
        tops.clear();
        let mut at = self.blocks_of(state);
        while let Some(block) = at {
            let block = &mut self.blocks[block];
            if block.new != 0 {
                to.push((block.word, std::mem::take(&mut block.new)));
            }
            at = block.next;
        }
        // They are among the first, mostly.
        let content = self.content_mut(state);
        let (mut at, count) = (content.tops, std::mem::take(&mut content.new_tops) as usize);
        while let Some(top) = at
            && tops.len() < count
        {
            let top = &mut self.tops[top];
            if std::mem::take(&mut top.is_new) {
                tops.push((top.field, top.below));
            }
            at = top.next;
        }
    }

    fn hand_on(&mut self, state: State, mut to_each: impl FnMut(&mut Saturation, State)) {
        let mut at = self.links_of(state);
        while let Some(link) = at {
            let Link { to, next } = self.links[link];
            to_each(self, to);
            at = next;
        }
    }
}
