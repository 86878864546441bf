//! Which nodes can be reached if every part that is taken out of a structure is the one that was
//! put in.
//!
//! Chapter 4 of the thesis with the stack of access constraints as a pushdown system (Table 4.1):
//! `Open` pushes, `Close` pops what it meets and is blocked by anything else, `All` empties the
//! stack, `Except` lets everything pass but one field. The thesis detects loops that make the stack
//! grow and empties it there; [`Saturation`] needs neither the detection nor the loss.
//!
//! Beyond the thesis there are two empty stacks: "everything" lets any `Close` pass, and the
//! *hollow* one, which `Shape` makes, lets none pass: of a tuple only its size is wanted.
//!
//! Forward the same edges are read the other way: what a `Close` puts into a structure is pushed,
//! what an `Open` takes out is popped.
//!
//! Where everything of a field is looked for, stacks with that field on top say nothing new.
//!
//! Cost: linear in the visited edges times the different symbols that are on top at a node, few in
//! practice, in words of 64; cubic at worst.

use rustc_hash::FxHashSet;

use super::cycles::cycles;
use super::fold::{Folded, Starts};
use super::graph::View;
use super::reach::Direction;
use super::saturation::{Event, Saturation, State, Tops};
use super::steps::{Act, Step, Steps};
use super::symbols::{FieldId, Symbols, Word, Words};

/// Cycles are looked for after so many turns, and half as many as there are states.
const LEAST_TURNS: usize = 256;

#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) states: Saturation,
    /// Looks for cycles after every turn, for tests.
    pub(crate) is_eager: bool,
    /// How many words the fields have.
    words: Words,
    symbols: Symbols,
    tops: Tops,
}

impl Fields {
    /// Marks everything that is reachable from `starts` through nodes that are `allowed`. If
    /// `known` knows what is reachable from a node at which everything is looked for, it ends
    /// there, with that.
    pub(crate) fn run<T>(
        &mut self,
        view: &View,
        starts: &Starts,
        allowed: impl Iterator<Item = Folded>,
        known: impl Fn(Folded) -> Option<T>,
    ) -> Option<T> {
        let steps = &view.steps;
        self.states.reset(view.nodes(), view.direction == Direction::Forward);
        self.states.allow(allowed);
        self.words = Words::for_fields(steps.fields.len());
        for circle in &steps.circles {
            if circle.iter().all(|&node| self.states.is_open(node)) {
                self.states.join_early(circle);
            }
        }
        self.begin(view, starts);
        self.go_on(steps, known)
    }

    fn begin(&mut self, view: &View, starts: &Starts) {
        for &start in &starts.nodes {
            self.states.add_bottom(State::of(start));
        }
        // What is looked for there does not depend on anything.
        for step in starts.ways.iter().filter_map(|way| view.steps.step(*way)) {
            if self.states.is_open(step.to) {
                self.reached(step);
            }
        }
    }

    /// The same as [`Fields::run`], beginning with what was found from other starts that are
    /// reached from these. `more` are the nodes that are allowed and were not then.
    pub(crate) fn resume(&mut self, view: &View, other: &Fields, starts: &Starts, more: &[Folded]) {
        self.states.copy_from(&other.states);
        self.states.allow(more.iter().copied());
        self.words = other.words;
        self.begin(view, starts);
        self.allow(view, more);
    }

    /// Goes on, backward, when more nodes are allowed than before: these.
    pub(crate) fn allow(&mut self, view: &View, more: &[Folded]) {
        self.states.allow(more.iter().copied());
        let steps = &view.steps;
        let (mut symbols, mut tops) =
            (std::mem::take(&mut self.symbols), std::mem::take(&mut self.tops));
        let users = more.iter().flat_map(|&node| view.users.of(node).map(|(user, _)| user));
        let is_reached = |user: &Folded| self.states.is_reached(State::of(*user));
        let mut users: Vec<Folded> = users.filter(is_reached).collect();
        users.sort_unstable();
        users.dedup();
        let more: FxHashSet<Folded> = more.iter().copied().collect();
        for node in users {
            let from = State::of(node);
            self.states.symbols(from, &mut symbols);
            self.states.tops(from, &mut tops);
            for &step in steps.of(node).iter().filter(|step| more.contains(&step.to)) {
                if !self.states.is_open(step.to) {
                    continue;
                }
                if self.states.has_bottom(from) {
                    self.bottom(step);
                    continue;
                }
                self.reached(step);
                if self.states.has_hollow(from) {
                    self.hollow(steps, step);
                }
                if !symbols.is_empty() || !tops.is_empty() {
                    self.step(steps, from, step, &symbols, &tops);
                }
            }
        }
        (self.symbols, self.tops) = (symbols, tops);
        self.go_on(steps, |_| None::<()>);
    }

    fn go_on<T>(&mut self, steps: &Steps, known: impl Fn(Folded) -> Option<T>) -> Option<T> {
        let mut turns = 0;
        while let Some(event) = self.states.next() {
            match event {
                Event::Bottom(state) => {
                    if let Some(found) = self.states.node(state).and_then(&known) {
                        return Some(found);
                    }
                    self.for_each(steps, state, |fields, _, step| {
                        fields.bottom(step);
                    });
                }
                Event::Reached(node) => {
                    steps.of(node).iter().take_while(|step| step.act.is_unconditional()).for_each(
                        |&step| {
                            if self.states.is_open(step.to) {
                                self.reached(step);
                            }
                        },
                    )
                }
                Event::Hollow(state) => {
                    self.for_each(steps, state, |fields, _, step| {
                        fields.hollow(steps, step);
                    });
                }
                Event::Symbols(state) => {
                    let mut new = std::mem::take(&mut self.states.new);
                    let mut tops = std::mem::take(&mut self.states.new_tops);
                    self.leave_out(state, &mut new, &mut tops);
                    if !new.is_empty() || !tops.is_empty() {
                        self.for_each(steps, state, |fields, from, step| {
                            fields.step(steps, from, step, &new, &tops);
                        });
                    }
                    (self.states.new, self.states.new_tops) = (new, tops);
                    turns += 1;
                    if self.is_eager || turns > LEAST_TURNS + self.states.reached().len() / 2 {
                        turns = 0;
                        self.join_cycles(steps);
                    }
                }
            }
        }
        None
    }

    /// The steps from all nodes of a state that are one.
    fn for_each(
        &mut self,
        steps: &Steps,
        state: State,
        mut each: impl FnMut(&mut Fields, State, Step),
    ) {
        let mut member = state;
        loop {
            if let Some(node) = self.states.node(member) {
                for &step in steps.of(node) {
                    if self.states.is_open(step.to) {
                        each(self, state, step);
                    }
                }
            }
            member = self.states.next_member(member);
            if member == state {
                return;
            }
        }
    }

    /// Takes the states for one that lead to each other as they are: they have the same stacks.
    fn join_cycles(&mut self, steps: &Steps) {
        let states = &self.states;
        let mut found = Vec::new();
        // Nothing can come any more to states that have the empty stack.
        let is_open = |&state: &State| !states.has_bottom(state);
        let starts = states.reached().iter().map(|&state| states.class(state)).filter(is_open);
        let targets = |state: State, to: &mut Vec<State>| {
            let mut member = state;
            loop {
                if let Some(node) = states.node(member) {
                    let same = steps.of(node).iter().filter(|step| step.act == Act::Same);
                    let same = same.map(|step| step.to).filter(|&to| states.is_open(to));
                    to.extend(same.map(|to| states.class(State::of(to))));
                }
                to.extend(states.links(member).map(|to| states.class(to)).filter(is_open));
                member = states.next_member(member);
                if member == state {
                    break;
                }
            }
        };
        cycles(states.len(), starts, targets, &mut found);
        for cycle in &mut found {
            self.states.join(cycle);
        }
    }

    /// Takes away the fields of which everything is looked for already.
    fn leave_out(&self, state: State, new: &mut Symbols, tops: &mut Tops) {
        // All of them as if they had numbers below 64.
        let some = self.states.some_symbols(state, self.words.end());
        if some == 0 {
            return;
        }
        let wholes = |word: Word| self.states.block(state, word);
        for (word, symbols) in new.iter_mut() {
            if self.words.is_hollow(*word) && *symbols & some != 0 {
                *symbols &= !wholes(self.words.fields(*word));
            }
        }
        new.retain(|(_, symbols)| *symbols != 0);
        tops.retain(|(field, _)| {
            some & field.bit() == 0 || wholes(field.word()) & field.bit() == 0
        });
    }

    fn bottom(&mut self, Step { act, to }: Step) {
        let to = State::of(to);
        match act {
            Act::Shape => self.states.add_hollow(to),
            Act::Push(field) | Act::Need(field) => self.states.add(to, field.symbol()),
            Act::NeedHollow(field) => self.states.add(to, self.words.hollow(field)),
            _ => self.states.add_bottom(to),
        }
    }

    fn reached(&mut self, Step { act, to }: Step) {
        let to = State::of(to);
        match act {
            Act::All => self.states.add_bottom(to),
            Act::Shape => self.states.add_hollow(to),
            Act::Need(field) => self.states.add(to, field.symbol()),
            Act::NeedHollow(field) => self.states.add(to, self.words.hollow(field)),
            _ => {}
        }
    }

    fn hollow(&mut self, steps: &Steps, Step { act, to: node }: Step) {
        let to = State::of(node);
        match act {
            Act::Except(_) if steps.is_plain(node) => self.states.add_bottom(to),
            Act::Same | Act::Except(_) => self.states.add_hollow(to),
            Act::Push(field) => self.states.add(to, self.words.hollow(field)),
            _ => {}
        }
    }

    /// Symbols and tops that have come to `from` follow an edge.
    fn step(
        &mut self,
        steps: &Steps,
        from: State,
        Step { act, to: node }: Step,
        new: &Symbols,
        tops: &[(FieldId, State)],
    ) {
        let to = State::of(node);
        match act {
            Act::Same => {
                self.states.add_all(to, new);
                self.states.add_tops(to, tops);
            }
            Act::Push(field) => self.states.add_top(to, field, from),
            Act::Pop(field) => self.pop(steps, node, field, new, tops),
            Act::Except(field) => {
                let is_plain = steps.is_plain(node);
                let is_exact = steps.fields[field].is_exact();
                for &(word, symbols) in new {
                    let is_its = self.words.fields(word) == field.word() && is_exact;
                    let left = if is_its { symbols & !field.bit() } else { symbols };
                    if left != 0 && is_plain {
                        return self.states.add_bottom(to);
                    }
                    self.states.add_word(to, word, left);
                }
                for &(top, below) in tops.iter().filter(|top| top.0 != field || !is_exact) {
                    if is_plain {
                        return self.states.add_bottom(to);
                    }
                    self.states.add_top(to, top, below);
                }
            }
            Act::All | Act::Shape | Act::Need(_) | Act::NeedHollow(_) | Act::Everything => {}
        }
    }

    fn pop(
        &mut self,
        steps: &Steps,
        node: Folded,
        field: FieldId,
        new: &Symbols,
        tops: &[(FieldId, State)],
    ) {
        let to = State::of(node);
        let is_plain = steps.is_plain(node);
        for &(word, symbols) in new {
            if symbols & steps.meeting(field, self.words.fields(word)) == 0 {
                continue;
            }
            if !self.words.is_hollow(word) || is_plain {
                self.states.add_bottom(to);
                return;
            }
            self.states.add_hollow(to);
        }
        for &(top, below) in tops {
            if steps.meeting(field, top.word()) & top.bit() != 0 {
                if is_plain {
                    return self.states.add_bottom(to);
                }
                self.states.link(below, to);
            }
        }
    }
}
