//! Which nodes can be reached if every part that is taken out of a structure is the one that was put in.
//!
//! Chapter 4 of the thesis with the stack of access constraints as a pushdown system (Table 4.1): `Open`
//! pushes, `Close` pops what it meets and is blocked by anything else, `All` empties the stack,
//! `Except` lets everything pass but one field. The thesis detects loops that make the stack grow and
//! empties it there; [`Saturation`] needs neither the detection nor the loss.
//!
//! Beyond the thesis there are two empty stacks: "everything" lets any `Close` pass, and the *hollow* one,
//! which `Shape` makes, lets none pass: of a tuple only its size is wanted.
//!
//! Forward the same edges are read the other way: what a `Close` puts into a structure is pushed, what an
//! `Open` takes out is popped.
//!
//! Symbols right above an empty stack, which are nearly all, are the same wherever they were pushed. A symbol
//! above others is told apart by the node at which it was pushed, which keeps their number finite.
//!
//! Where everything of a field is looked for, stacks with that field on top say nothing new.
//!
//! Cost: linear in the visited edges times the different symbols that are on top at a node, few in
//! practice, in words of 64; cubic at worst.

use super::cycles::cycles;
use super::graph::{Graph, Node};
use super::reach::Direction;
use super::saturation::{Event, Saturation, Symbols};
use super::steps::{Act, Step, Steps};

/// Symbols above other symbols have numbers from here, so that the others, of which there are few, share
/// blocks.
const DEEP: u32 = 1 << 30;

/// Cycles are looked for after so many turns, and half as many as there are states.
const LEAST_TURNS: usize = 256;

/// No symbol.
const NONE: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) states: Saturation,
    nodes: u32,
    /// Looks for cycles after every turn, for tests.
    pub(crate) is_eager: bool,
    /// How many fields there are. Right above the empty stack a field is the symbol with its number, above the
    /// hollow one they come behind.
    fields: u32,
    /// From [`DEEP`]: the field, and the state of what is below.
    deep: Vec<(u32, u32)>,
    /// By push: its symbol.
    pushed: Vec<u32>,
    symbols: Symbols,
}

impl Fields {
    /// Marks everything that is reachable from `starts` through nodes that `allowed` accepts.
    pub(crate) fn run(
        &mut self,
        graph: &Graph,
        starts: &[Node],
        direction: Direction,
        allowed: impl Fn(Node) -> bool,
    ) {
        let steps = graph.steps(direction);
        self.nodes = graph.nodes;
        self.states.reset(graph.nodes, direction == Direction::Forward);
        self.fields = steps.fields.len() as u32;
        self.deep.clear();
        self.pushed.clear();
        self.pushed.resize(steps.pushes.len(), NONE);
        for &start in starts {
            self.states.add_bottom(start.0);
        }
        self.go_on(steps, graph.nodes, allowed);
    }

    /// Goes on, backward, when `allowed` accepts more nodes than before: these.
    pub(crate) fn allow(&mut self, graph: &Graph, more: &[u32], allowed: impl Fn(Node) -> bool) {
        let steps = graph.steps(Direction::Backward);
        let mut symbols = std::mem::take(&mut self.symbols);
        for &node in more {
            for edge in graph.users.of(Node(node)) {
                let from = edge.to.0;
                let act = steps.act(edge.label, Node(node), Direction::Backward);
                let Some(step) = act.map(|act| Step { act, to: node }) else { continue };
                if self.states.has_bottom(from) {
                    self.bottom(steps, step);
                } else if self.states.is_reached(from) {
                    self.reached(step);
                    if self.states.has_hollow(from) {
                        self.hollow(steps, step);
                    }
                    self.states.symbols(from, &mut symbols);
                    if !symbols.is_empty() {
                        self.step(steps, from, step, &symbols);
                    }
                }
            }
        }
        self.symbols = symbols;
        self.go_on(steps, graph.nodes, allowed);
    }

    fn go_on(&mut self, steps: &Steps, nodes: u32, allowed: impl Fn(Node) -> bool) {
        let mut turns = 0;
        while let Some(event) = self.states.next() {
            let (Event::Bottom(state)
            | Event::Reached(state)
            | Event::Hollow(state)
            | Event::Symbols(state)) = event;
            match event {
                Event::Bottom(_) => {
                    self.for_each(steps, state, &allowed, |fields, _, step| {
                        fields.bottom(steps, step);
                    });
                }
                Event::Reached(_) => steps
                    .of(state)
                    .iter()
                    .take_while(|step| step.act.is_unconditional())
                    .filter(|step| allowed(Node(step.to)))
                    .for_each(|&step| self.reached(step)),
                Event::Hollow(_) => {
                    self.for_each(steps, state, &allowed, |fields, _, step| {
                        fields.hollow(steps, step);
                    });
                }
                Event::Symbols(_) => {
                    let mut new = std::mem::take(&mut self.states.new);
                    self.leave_out(state, &mut new);
                    if !new.is_empty() {
                        self.for_each(steps, state, &allowed, |fields, from, step| {
                            fields.step(steps, from, step, &new);
                        });
                    }
                    self.states.new = new;
                    turns += 1;
                    if self.is_eager || turns > LEAST_TURNS + self.states.reached().len() / 2 {
                        turns = 0;
                        self.join_cycles(steps, nodes, &allowed);
                    }
                }
            }
        }
    }

    /// The steps from all nodes of a state that are one.
    fn for_each(
        &mut self,
        steps: &Steps,
        state: u32,
        allowed: &impl Fn(Node) -> bool,
        mut each: impl FnMut(&mut Fields, u32, Step),
    ) {
        let mut member = state;
        loop {
            if member < self.nodes {
                for &step in steps.of(member).iter().filter(|step| allowed(Node(step.to))) {
                    each(self, state, step);
                }
            }
            member = self.states.next_member(member);
            if member == state {
                return;
            }
        }
    }

    /// Takes the states for one that lead to each other as they are: they have the same stacks.
    fn join_cycles(&mut self, steps: &Steps, nodes: u32, allowed: &impl Fn(Node) -> bool) {
        let mut states = std::mem::take(&mut self.states);
        let mut found = Vec::new();
        cycles(
            &states,
            |states, state, to| {
                let mut member = state;
                loop {
                    if member < nodes {
                        let same = steps.of(member).iter().filter(|step| step.act == Act::Same);
                        to.extend(same.map(|step| step.to).filter(|&to| allowed(Node(to))));
                    }
                    states.links(member, to);
                    member = states.next_member(member);
                    if member == state {
                        break;
                    }
                }
            },
            &mut found,
        );
        for cycle in &found {
            states.join(cycle);
        }
        self.states = states;
    }

    /// Takes away the symbols of fields of which everything is looked for already.
    fn leave_out(&self, state: u32, new: &mut Symbols) {
        let mut wholes = (u32::MAX, 0);
        for (number, symbols) in new.iter_mut() {
            for symbol in each(*number, *symbols) {
                let field = self.field(symbol);
                if field / 64 != wholes.0 {
                    wholes = (field / 64, self.states.block(state, field / 64));
                }
                if field != symbol && wholes.1 & (1 << (field % 64)) != 0 {
                    *symbols &= !(1 << (symbol % 64));
                }
            }
        }
        new.retain(|(_, symbols)| *symbols != 0);
    }

    fn field(&self, symbol: u32) -> u32 {
        match symbol.checked_sub(DEEP) {
            Some(deep) => self.deep[deep as usize].0,
            None if symbol < self.fields => symbol,
            None => symbol - self.fields,
        }
    }

    fn bottom(&mut self, steps: &Steps, Step { act, to }: Step) {
        match act {
            Act::Shape => self.states.add_hollow(to),
            Act::Push(push) => self.states.add(to, steps.pushes[push as usize].1),
            _ => self.states.add_bottom(to),
        }
    }

    fn reached(&mut self, Step { act, to }: Step) {
        match act {
            Act::All => self.states.add_bottom(to),
            Act::Shape => self.states.add_hollow(to),
            _ => {}
        }
    }

    fn hollow(&mut self, steps: &Steps, Step { act, to }: Step) {
        match act {
            Act::Same | Act::Except(_) => self.states.add_hollow(to),
            Act::Push(push) => {
                self.states.add(to, self.fields + steps.pushes[push as usize].1);
            }
            _ => {}
        }
    }

    /// Symbols that have come to `from` follow an edge.
    fn step(&mut self, steps: &Steps, from: u32, Step { act, to }: Step, new: &Symbols) {
        if self.states.has_bottom(to) {
            return;
        }
        match act {
            Act::Same => self.states.add_all(to, new),
            Act::Push(push) => self.push(steps, from, to, push),
            Act::Pop(field) => {
                for &(number, symbols) in new {
                    for symbol in each(number, symbols) {
                        self.pop(steps, to, symbol, field);
                    }
                }
            }
            Act::Except(field) => {
                let is_exact = steps.fields[field as usize].is(steps.fields[field as usize]);
                let mut others = std::mem::take(&mut self.symbols);
                others.clone_from(new);
                for (number, symbols) in others.iter_mut().filter(|_| is_exact) {
                    for symbol in each(*number, *symbols) {
                        if self.field(symbol) == field {
                            *symbols &= !(1 << (symbol % 64));
                        }
                    }
                }
                self.states.add_all(to, &others);
                self.symbols = others;
            }
            Act::All | Act::Shape | Act::Everything => {}
        }
    }

    fn pop(&mut self, steps: &Steps, to: u32, symbol: u32, field: u32) {
        let top = self.field(symbol);
        if top != field && !steps.meeting[top as usize].contains(&field) {
            return;
        }
        match symbol.checked_sub(DEEP) {
            Some(deep) => self.states.link(self.deep[deep as usize].1, to),
            None if symbol < self.fields => self.states.add_bottom(to),
            None => self.states.add_hollow(to),
        }
    }

    /// The stacks of `from` with symbols are at `to`, below the field of the push.
    fn push(&mut self, steps: &Steps, from: u32, to: u32, push: u32) {
        let field = steps.pushes[push as usize].1;
        // All of the field is asked for already.
        if self.states.has(to, field) {
            return;
        }
        if self.pushed[push as usize] == NONE {
            self.pushed[push as usize] = DEEP + self.deep.len() as u32;
            self.deep.push((field, self.states.new_state()));
        }
        let symbol = self.pushed[push as usize];
        self.states.link(from, self.deep[(symbol - DEEP) as usize].1);
        self.states.add(to, symbol);
    }
}

/// The symbols of a block.
fn each(number: u32, mut symbols: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if symbols == 0 {
            return None;
        }
        let symbol = number * 64 + symbols.trailing_zeros();
        symbols &= symbols - 1;
        Some(symbol)
    })
}
