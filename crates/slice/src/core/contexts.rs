//! Which nodes can be reached if every procedure is left towards the call by which it was entered.
//!
//! The two phases of Horwitz, Reps and Binkley, as a pushdown system over calls: entering a procedure at
//! one of its exits pushes a frame, leaving it pops one. A frame is named by the exit at which the procedure
//! was entered and not by the call, so a procedure is walked once for each of its exits however many
//! calls ask for it; the link that joins a call's result to its arguments is the summary edge, found when
//! it is needed. The empty stack is the first phase: whoever calls is reached.
//!
//! Cost: as the two phases with summary edges, for the part of the program that is visited.

use rustc_hash::FxHashMap;

use super::graph::{Frame, Graph, Node};
use super::reach::Direction;
use super::saturation::{BOTTOM, Saturation};

#[derive(Debug, Default)]
pub(crate) struct Contexts {
    pub(crate) states: Saturation,
    /// By node at which a procedure is entered: the number of the frame, from 1.
    frames: FxHashMap<u32, u32>,
    /// For each frame by call: the state of the callers.
    callers: FxHashMap<(u32, u32), u32>,
}

impl Contexts {
    /// Marks everything that is reachable from `starts`.
    pub(crate) fn run(&mut self, graph: &Graph, starts: &[Node], direction: Direction) {
        self.states.reset(graph.nodes);
        self.frames.clear();
        self.callers.clear();
        for &start in starts {
            self.states.add(start.0, BOTTOM);
        }
        self.go_on(graph, direction);
    }

    /// Reaches the second node in all contexts in which the first one is reached; [`Contexts::go_on`] goes on
    /// from there.
    pub(crate) fn link(&mut self, from: Node, to: Node) {
        self.states.link(from.0, to.0);
    }

    pub(crate) fn go_on(&mut self, graph: &Graph, direction: Direction) {
        while let Some((state, item)) = self.states.next() {
            if state >= graph.nodes {
                continue;
            }
            for edge in graph.edges(Node(state), direction) {
                self.step(state, item, edge.to.0, edge.frame.along(direction));
            }
        }
    }

    fn step(&mut self, from: u32, item: u32, to: u32, frame: Frame) {
        match frame {
            Frame::Stay => self.states.add(to, item),
            Frame::Jump => self.states.add(to, BOTTOM),
            Frame::Enter(call) => {
                let next = self.frames.len() as u32 + 1;
                let frame = *self.frames.entry(to).or_insert(next);
                let callers = self.callers(frame, call);
                self.states.link(from, callers);
                self.states.add(to, frame);
            }
            Frame::Leave(_) if item == BOTTOM => self.states.add(to, BOTTOM),
            Frame::Leave(call) => {
                let callers = self.callers(item, call);
                self.states.link(callers, to);
            }
        }
    }

    /// The state that has the stacks of all places that entered a frame by a call.
    fn callers(&mut self, frame: u32, call: u32) -> u32 {
        let states = &mut self.states;
        *self.callers.entry((frame, call)).or_insert_with(|| states.new_state())
    }
}
