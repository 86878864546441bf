//! The edges of a graph as the question about calls looks at them: where they lead, and across
//! which border. A third of the size of the whole edges, and fewer: this question is asked of
//! nearly every edge of a program.

use super::fold::{Folded, Way};
use super::graph::{Call, Frame};
use super::reach::Direction;
use super::rows::Rows;

/// Where an edge leads, and its frame as a number; edges that stay come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Packed {
    frame: u32,
    to: Folded,
}

const STAY: u32 = 0;
const JUMP: u32 = 1;

fn pack(frame: Frame) -> u32 {
    match frame {
        Frame::Stay => STAY,
        Frame::Jump => JUMP,
        Frame::Enter(call) => 2 + 2 * call.number(),
        Frame::Leave(call) => 3 + 2 * call.number(),
    }
}

fn unpack(frame: u32) -> Frame {
    match frame {
        STAY => Frame::Stay,
        JUMP => Frame::Jump,
        frame => {
            let call = Call::new(frame as usize / 2 - 1);
            if frame.is_multiple_of(2) { Frame::Enter(call) } else { Frame::Leave(call) }
        }
    }
}

/// All edges in one direction.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    all: Rows<Folded, Packed>,
}

impl Frames {
    pub(crate) fn new(nodes: usize, ways: &[Way], direction: Direction) -> Frames {
        let packed = ways.iter().map(|way| {
            let (from, to) = match direction {
                Direction::Backward => (way.from, way.to),
                Direction::Forward => (way.to, way.from),
            };
            (from, Packed { to, frame: pack(way.frame.along(direction)) })
        });
        let mut all = Rows::new(nodes, packed);
        all.order();
        Frames { all }
    }

    /// Where edges from a node lead, and how they cross borders on the way.
    pub(crate) fn of(&self, node: Folded) -> impl Iterator<Item = (Folded, Frame)> {
        self.all.of(node).iter().map(|packed| (packed.to, unpack(packed.frame)))
    }
}
