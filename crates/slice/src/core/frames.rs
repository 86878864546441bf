//! The edges of a graph as the question about calls looks at them: where they lead, and across which border.
//! A third of the size of the whole edges, and fewer: this question is asked of nearly every edge of a program.

use super::graph::{Adjacency, Frame, Node};
use super::reach::Direction;

/// Where an edge leads, and its frame as a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Packed {
    to: u32,
    frame: u32,
}

const STAY: u32 = 0;
const JUMP: u32 = 1;

fn pack(frame: Frame) -> u32 {
    match frame {
        Frame::Stay => STAY,
        Frame::Jump => JUMP,
        Frame::Enter(call) => 2 + 2 * call,
        Frame::Leave(call) => 3 + 2 * call,
    }
}

fn unpack(frame: u32) -> Frame {
    match frame {
        STAY => Frame::Stay,
        JUMP => Frame::Jump,
        frame if frame.is_multiple_of(2) => Frame::Enter(frame / 2 - 1),
        frame => Frame::Leave(frame / 2 - 1),
    }
}

/// All edges in one direction.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    starts: Vec<u32>,
    all: Vec<Packed>,
}

impl Frames {
    pub(crate) fn new(nodes: u32, edges: &Adjacency, direction: Direction) -> Frames {
        let (mut starts, mut all) = (Vec::with_capacity(nodes as usize + 1), Vec::new());
        starts.push(0);
        for node in 0..nodes {
            let first = all.len();
            for edge in edges.of(Node(node)) {
                let packed = Packed { to: edge.to.0, frame: pack(edge.frame.along(direction)) };
                // Several edges between two nodes are often one behind the other.
                if all[first..].last() != Some(&packed) {
                    all.push(packed);
                }
            }
            starts.push(all.len() as u32);
        }
        Frames { starts, all }
    }

    /// Where edges from a node lead, and how they cross borders on the way.
    pub(crate) fn of(&self, node: u32) -> impl Iterator<Item = (Node, Frame)> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.all[range].iter().map(|packed| (Node(packed.to), unpack(packed.frame)))
    }
}
