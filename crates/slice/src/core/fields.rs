//! Which nodes can be reached if every part that is taken out of a structure is the one that was put in.
//!
//! Chapter 4 of the thesis with the stack of access constraints as a pushdown system (Table 4.1): `Open`
//! pushes, `Close` pops what it meets and is blocked by anything else, `All` empties the stack,
//! `Except` lets everything pass but one field. The thesis detects loops that make the stack grow and
//! empties it there; [`Saturation`] needs neither the detection nor the loss.
//!
//! Beyond the thesis there are two empty stacks: "everything" lets any `Close` pass, and the *hollow* one,
//! which `Shape` makes, lets none pass: of a tuple only its size is wanted. The hollow one is an item
//! like any symbol, with nothing below.
//!
//! Forward the same edges are read the other way: what a `Close` puts into a structure is pushed, what an
//! `Open` takes out is popped.
//!
//! Symbols right above an empty stack, which are nearly all, are the same wherever they were pushed. A symbol
//! above others is told apart by the node at which it was pushed, which keeps their number finite.
//!
//! Cost: linear in the visited edges times the different symbols that are on top at a node, few in
//! practice; cubic at worst.

use rustc_hash::FxHashMap;

use super::graph::{Field, Graph, Label, Node};
use super::reach::Direction;
use super::saturation::{BOTTOM, Saturation};

/// The item of the hollow stack.
const HOLLOW: u32 = 1;

/// In place of the state of what is below a symbol: an empty stack.
const BELOW_IS_BOTTOM: u32 = u32::MAX;
const BELOW_IS_HOLLOW: u32 = u32::MAX - 1;

#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) states: Saturation,
    /// The items from 2: a symbol, and the state of what is below it.
    symbols: Vec<(Field, u32)>,
    /// By node at which it is pushed; by the kind of empty stack for those right above one.
    pushed: FxHashMap<(Below, Field), u32>,
}

/// What a symbol is pushed on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Below {
    Everything,
    Hollow,
    /// Whatever is there when this node is reached.
    At(u32),
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
        self.states.reset(graph.nodes);
        self.symbols.clear();
        self.pushed.clear();
        for &start in starts {
            self.states.add(start.0, BOTTOM);
        }
        self.go_on(graph, direction, allowed);
    }

    /// Goes on, backward, when `allowed` accepts more nodes than before: these.
    pub(crate) fn allow(&mut self, graph: &Graph, more: &[u32], allowed: impl Fn(Node) -> bool) {
        let mut items = Vec::new();
        for &node in more {
            for edge in graph.users.of(Node(node)) {
                items.clear();
                self.states.items(edge.to.0, &mut items);
                for &item in &items {
                    self.step(edge.to.0, item, node, edge.label);
                }
            }
        }
        self.go_on(graph, Direction::Backward, allowed);
    }

    fn go_on(&mut self, graph: &Graph, direction: Direction, allowed: impl Fn(Node) -> bool) {
        while let Some((state, item)) = self.states.next() {
            if state >= graph.nodes {
                continue;
            }
            let edges = graph.edges(Node(state), direction);
            for edge in edges.iter().filter(|edge| allowed(edge.to)) {
                let label = edge.label.along(direction);
                if label == Label::Shape && direction == Direction::Forward {
                    // A part does not change the constructor of the whole.
                    if item == BOTTOM {
                        self.states.add(edge.to.0, BOTTOM);
                    }
                    continue;
                }
                self.step(state, item, edge.to.0, label);
            }
        }
    }

    fn step(&mut self, from: u32, item: u32, to: u32, label: Label) {
        match label {
            Label::Same => self.states.add(to, item),
            Label::All => self.states.add(to, BOTTOM),
            Label::Shape => self.states.add(to, HOLLOW),
            Label::Open(field) => self.push(from, item, to, field),
            Label::Close(_) if item == BOTTOM => self.states.add(to, BOTTOM),
            Label::Close(_) if item == HOLLOW => {}
            Label::Close(field) => {
                let (symbol, below) = self.symbols[item as usize - 2];
                if symbol.meets(field) {
                    match below {
                        BELOW_IS_BOTTOM => self.states.add(to, BOTTOM),
                        BELOW_IS_HOLLOW => self.states.add(to, HOLLOW),
                        below => self.states.link(below, to),
                    }
                }
            }
            Label::Except(field) => {
                if item < 2 || !self.symbols[item as usize - 2].0.is(field) {
                    self.states.add(to, item);
                }
            }
        }
    }

    /// The stack that an item of `from` stands for is at `to`, below the field.
    fn push(&mut self, from: u32, item: u32, to: u32, field: Field) {
        let key = match item {
            BOTTOM => Below::Everything,
            HOLLOW => Below::Hollow,
            _ => Below::At(to),
        };
        let pushed = match self.pushed.get(&(key, field)) {
            Some(&pushed) => pushed,
            None => {
                let below = match key {
                    Below::Everything => BELOW_IS_BOTTOM,
                    Below::Hollow => BELOW_IS_HOLLOW,
                    Below::At(_) => self.states.new_state(),
                };
                self.symbols.push((field, below));
                let pushed = self.symbols.len() as u32 + 1;
                self.pushed.insert((key, field), pushed);
                pushed
            }
        };
        if let Below::At(_) = key {
            // All of the field is asked for already.
            let all = self.pushed.get(&(Below::Everything, field));
            if all.is_some_and(|&all| self.states.has(to, all)) {
                return;
            }
            let below = self.symbols[pushed as usize - 2].1;
            self.states.link(from, below);
        }
        self.states.add(to, pushed);
    }
}
