//! The labelled graph: nodes are numbers, edges lie in one array ordered by their source.
//!
//! An edge `a ─▶ b` says that `a` depends on `b`, so that a backward slice follows edges as they
//! are. Labels are those of the thesis's chapter 4 seen from there: `Open` leads from a part to the
//! whole that it was taken from, `Close` from a whole to the part that was put in. Beyond the
//! thesis: `Shape` asks for the outermost constructor of a value only (what a pattern tests), and
//! `Except` is the empty constraint for everything but one field (what an update leaves as it was).

use std::cell::{OnceCell, RefCell};
use std::fmt;

use rustc_hash::FxHashMap;

use super::fold::{Fold, Way, by_node};
use super::frames::Frames;
use super::landmarks::Landmarks;
use super::reach::Direction;
use super::steps::Steps;
use super::summaries::Summaries;

/// A node of a dependence graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(pub(crate) u32);

impl Node {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

/// A field of a data structure, or one of any name, in structures of some shape or of any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Field {
    pub(crate) shape: u32,
    pub(crate) name: u32,
}

/// A name or a shape that is not known.
pub(crate) const ANY: u32 = u32::MAX;

impl Field {
    /// Whether both may be the same field.
    pub(crate) fn meets(self, other: Field) -> bool {
        let same = |a: u32, b: u32| a == b || a == ANY || b == ANY;
        same(self.name, other.name) && same(self.shape, other.shape)
    }

    /// Whether both are certainly the same field.
    pub(crate) fn is(self, other: Field) -> bool {
        self == other && self.name != ANY && self.shape != ANY
    }
}

/// Which part of a value an edge is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Label {
    /// The same value (the empty constraint).
    Same,
    /// From a field to the structure it was taken from.
    Open(Field),
    /// From a structure to a field that was put in.
    Close(Field),
    /// The same value but for one field.
    Except(Field),
    /// All of the value, whatever was looked for (the asterisk).
    All,
    /// The outermost constructor of the value, whatever was looked for.
    Shape,
}

impl Label {
    /// As it is when the edge is followed in a direction: what is put into a structure one way is
    /// taken out of it the other way.
    pub(crate) fn along(self, direction: Direction) -> Label {
        match (direction, self) {
            (Direction::Forward, Label::Open(field)) => Label::Close(field),
            (Direction::Forward, Label::Close(field)) => Label::Open(field),
            (_, label) => label,
        }
    }
}

flow::ids! {
    /// A call: what is entered by it is left to it.
    pub(crate) Call;
}

/// How an edge crosses from one procedure into another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Frame {
    /// It stays.
    Stay,
    /// From a call into what is called.
    Enter(Call),
    /// From what is called back to the call.
    Leave(Call),
    /// Across procedures, by no call: any caller may be meant on the other side.
    Jump,
}

impl Frame {
    /// As it is when the edge is followed in a direction: who enters one way leaves the other way.
    pub(crate) fn along(self, direction: Direction) -> Frame {
        match (direction, self) {
            (Direction::Forward, Frame::Enter(call)) => Frame::Leave(call),
            (Direction::Forward, Frame::Leave(call)) => Frame::Enter(call),
            (_, frame) => frame,
        }
    }
}

macro_rules! edge_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// Why an edge is there.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub(crate) enum EdgeKind { $($(#[$doc])* $name),* }
        impl EdgeKind {
            pub(crate) fn text(self) -> &'static str {
                match self { $(EdgeKind::$name => $text),* }
            }
        }
    };
}

edge_kinds! {
    /// Whether and how often it happens.
    Control = "control",
    /// A part of an expression.
    Value = "value",
    /// A use and a definition.
    Flow = "flow",
    /// Something that has to be there for the text to be a program.
    Declaration = "declaration",
    /// A procedure and the place that calls it.
    Call = "call",
    /// A parameter and an argument.
    Input = "input",
    /// The result of a call and that of the procedure.
    Output = "output",
    /// What is received and what is sent.
    Message = "message",
    /// What is read from a state that outlives calls and what is written there.
    State = "state",
    /// What is raised and what catches it.
    Exception = "exception",
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    pub(crate) to: Node,
    pub(crate) kind: EdgeKind,
    pub(crate) label: Label,
    pub(crate) frame: Frame,
}

/// Nodes and edges while they are found.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    nodes: u32,
    edges: Vec<(Node, Edge)>,
}

impl Builder {
    pub(crate) fn node(&mut self) -> Node {
        self.nodes += 1;
        Node(self.nodes - 1)
    }

    pub(crate) fn len(&self) -> u32 {
        self.nodes
    }

    /// `from` depends on `to`.
    pub(crate) fn edge(&mut self, from: Node, to: Node, kind: EdgeKind, label: Label) {
        self.framed(from, to, kind, label, Frame::Stay);
    }

    pub(crate) fn framed(
        &mut self,
        from: Node,
        to: Node,
        kind: EdgeKind,
        label: Label,
        frame: Frame,
    ) {
        // From a call to what it calls is another activation, in a run.
        if from != to || label != Label::Same || frame != Frame::Stay {
            self.edges.push((from, Edge { to, kind, label, frame }));
        }
    }

    pub(crate) fn finish(self) -> Graph {
        let Builder { nodes, edges } = self;
        let forward = edges.iter().map(|&(from, edge)| (edge.to.0, Edge { to: from, ..edge }));
        let users = Adjacency::new(nodes, forward);
        let sources = Adjacency::new(nodes, edges.iter().map(|&(from, edge)| (from.0, edge)));
        let mut inputs = inputs(&edges);
        let mut is_parameter = vec![false; nodes as usize];
        inputs.iter().for_each(|input| is_parameter[input.parameter.index()] = true);
        let fold = Fold::new(nodes, &sources, &users, |node| is_parameter[node.index()]);
        for Input { parameter, argument, call } in &mut inputs {
            for node in [parameter, argument, call] {
                *node = Node(fold.of(*node));
            }
        }
        let ways = fold.ways(&edges);
        let view = View::new(fold, &ways, inputs, Direction::Backward);
        let landmarks = RefCell::default();
        Graph { nodes, sources, users, view, forward: OnceCell::new(), landmarks }
    }
}

/// The edges of each node.
#[derive(Debug)]
pub(crate) struct Adjacency {
    starts: Vec<u32>,
    edges: Vec<Edge>,
}

impl Adjacency {
    /// Orders edges by node, by counting; those of one node stay in their order.
    fn new(nodes: u32, all: impl Iterator<Item = (u32, Edge)> + Clone) -> Adjacency {
        let (mut starts, mut edges) = by_node(nodes, all);
        let mut kept = 0;
        for node in 0..nodes as usize {
            let range = starts[node] as usize..starts[node + 1] as usize;
            let first = kept;
            for index in range {
                if kept == first || edges[kept - 1] != edges[index] {
                    edges[kept] = edges[index];
                    kept += 1;
                }
            }
            starts[node] = first as u32;
        }
        starts[nodes as usize] = kept as u32;
        edges.truncate(kept);
        Adjacency { starts, edges }
    }

    pub(crate) fn of(&self, node: Node) -> &[Edge] {
        let range = self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize;
        &self.edges[range]
    }
}

/// A finished graph.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: u32,
    /// What each node depends on.
    pub(crate) sources: Adjacency,
    /// What depends on each node; `to` is the one that depends.
    pub(crate) users: Adjacency,
    /// Backward.
    view: View,
    /// Made when it is first needed.
    forward: OnceCell<View>,
    /// What slices can begin with, backward.
    pub(crate) landmarks: RefCell<Landmarks>,
}

/// A graph as a traversal in one direction looks at it.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) fold: Fold,
    backward: Frames,
    /// Forward, whatever the direction.
    pub(crate) users: Frames,
    pub(crate) summaries: Summaries,
    pub(crate) steps: Steps,
    /// What calls give to the parameters of procedures.
    pub(crate) inputs: Inputs,
    pub(crate) direction: Direction,
}

impl View {
    fn new(fold: Fold, ways: &[Way], inputs: Vec<Input>, direction: Direction) -> View {
        let nodes = fold.nodes;
        let users = Frames::new(nodes, ways, Direction::Forward);
        let backward = match direction {
            Direction::Backward => Frames::new(nodes, ways, direction),
            Direction::Forward => Frames::default(),
        };
        let summaries = Summaries::new(nodes, ways, &users);
        let steps = Steps::new(nodes, ways, direction);
        let inputs = Inputs::new(nodes, inputs);
        View { fold, backward, users, summaries, steps, inputs, direction }
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.fold.nodes
    }

    /// The edges as the question about calls looks at them.
    pub(crate) fn frames(&self) -> &Frames {
        match self.direction {
            Direction::Backward => &self.backward,
            Direction::Forward => &self.users,
        }
    }
}

/// An argument of a call: the parameter it is for, and the node for that the call is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) parameter: Node,
    pub(crate) argument: Node,
    pub(crate) call: Node,
}

/// The arguments of all calls.
#[derive(Debug)]
pub(crate) struct Inputs {
    pub(crate) all: Vec<Input>,
    /// By node: where in `by_node` those begin of which it is the parameter or the call.
    starts: Vec<u32>,
    by_node: Vec<u32>,
}

impl Inputs {
    fn new(nodes: u32, all: Vec<Input>) -> Inputs {
        let mut starts = vec![0; nodes as usize + 1];
        for input in &all {
            starts[input.parameter.index() + 1] += 1;
            starts[input.call.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut by_node = vec![0; all.len() * 2];
        for (index, input) in all.iter().enumerate() {
            for node in [input.parameter, input.call] {
                by_node[next[node.index()] as usize] = index as u32;
                next[node.index()] += 1;
            }
        }
        Inputs { all, starts, by_node }
    }

    /// Those of which a node is the parameter or the call.
    pub(crate) fn of(&self, node: u32) -> impl Iterator<Item = &Input> {
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.by_node[range].iter().map(|&index| &self.all[index as usize])
    }
}

/// The arguments that go to parameters as they are. What unknown code hands on it needs as a whole,
/// so nothing of that can be missing.
fn inputs(edges: &[(Node, Edge)]) -> Vec<Input> {
    let mut calls: FxHashMap<Call, Node> = FxHashMap::default();
    for (_, edge) in edges {
        if let (EdgeKind::Call, Frame::Leave(call)) = (edge.kind, edge.frame) {
            calls.insert(call, edge.to);
        }
    }
    let mut found = Vec::new();
    for &(parameter, edge) in edges {
        if let (EdgeKind::Input, Frame::Leave(call), Label::Same) =
            (edge.kind, edge.frame, edge.label)
            && let Some(&call) = calls.get(&call)
        {
            found.push(Input { parameter, argument: edge.to, call });
        }
    }
    found
}

impl Graph {
    pub(crate) fn view(&self, direction: Direction) -> &View {
        match direction {
            Direction::Backward => &self.view,
            Direction::Forward => self.forward.get_or_init(|| {
                let nodes = (0..self.nodes).map(Node);
                let edges = nodes
                    .flat_map(|node| self.sources.of(node).iter().map(move |&edge| (node, edge)));
                let fold = Fold::nothing(self.nodes);
                let ways = fold.ways(&edges.collect::<Vec<_>>());
                View::new(fold, &ways, Vec::new(), direction)
            }),
        }
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.sources.edges.len()
    }
}
