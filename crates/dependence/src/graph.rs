//! The labelled graph: nodes are numbers, edges lie in one array ordered by their source.
//!
//! An edge `a ─▶ b` says that `a` depends on `b`, so that a backward slice follows edges as they
//! are. Labels are those of the thesis's chapter 4 seen from there: `Open` leads from a part to the
//! whole that it was taken from, `Close` from a whole to the part that was put in. Beyond the
//! thesis: `Shape` asks for the outermost constructor of a value only (what a pattern tests), and
//! `Except` is the empty constraint for everything but one field (what an update leaves as it was).

use std::cell::{OnceCell, RefCell};

use ids::IdVec;
use rustc_hash::FxHashMap;

use super::fold::{Fold, Folded, Way};
use super::frames::Frames;
use super::landmarks::Landmarks;
use super::reach::Direction;
use super::rows::Rows;
use super::steps::Steps;
use super::summaries::Summaries;

ids::ids! {
    /// A node of a dependence graph.
    pub Node;
    /// Which kind of data structure a field is of, as the front end numbers them.
    pub Shape;
    /// What a field is called in structures of its shape, as the front end numbers that.
    pub Name;
    /// A call: what is entered by it is left to it.
    pub Call;
    /// An [`Input`].
    pub(crate) InputId;
}

/// A field of a data structure. Without a name it is one of any name, without a shape one in
/// structures of any.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Field {
    pub shape: Option<Shape>,
    pub name: Option<Name>,
}

impl Field {
    /// Whether both may be the same field.
    pub fn meets(self, other: Field) -> bool {
        fn may_be_same<T: PartialEq>(left: Option<T>, right: Option<T>) -> bool {
            left.is_none() || right.is_none() || left == right
        }
        may_be_same(self.name, other.name) && may_be_same(self.shape, other.shape)
    }

    /// Whether it is one field, not any of several.
    pub fn is_exact(self) -> bool {
        self.name.is_some() && self.shape.is_some()
    }
}

/// Which part of a value an edge is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Label {
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

/// How an edge crosses from one procedure into another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Frame {
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
    /// The call by which it crosses.
    pub fn call(self) -> Option<Call> {
        match self {
            Frame::Enter(call) | Frame::Leave(call) => Some(call),
            Frame::Stay | Frame::Jump => None,
        }
    }

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
        pub enum EdgeKind { $($(#[$doc])* $name),* }
        impl EdgeKind {
            pub fn text(self) -> &'static str {
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
pub struct Edge {
    pub to: Node,
    pub kind: EdgeKind,
    pub label: Label,
    pub frame: Frame,
}

/// Nodes and edges while they are found.
#[derive(Debug, Default)]
pub struct Builder {
    nodes: usize,
    edges: Vec<(Node, Edge)>,
}

impl Builder {
    pub fn node(&mut self) -> Node {
        let node = self.next();
        self.nodes += 1;
        node
    }

    /// The node that is made next.
    pub fn next(&self) -> Node {
        Node::new(self.nodes)
    }

    /// `from` depends on `to`.
    pub fn edge(&mut self, from: Node, to: Node, kind: EdgeKind, label: Label) {
        self.framed(from, to, kind, label, Frame::Stay);
    }

    pub fn framed(&mut self, from: Node, to: Node, kind: EdgeKind, label: Label, frame: Frame) {
        // From a call to what it calls is another activation, in a run.
        if from != to || label != Label::Same || frame != Frame::Stay {
            self.edges.push((from, Edge { to, kind, label, frame }));
        }
    }

    pub fn finish(self) -> Graph {
        let Builder { nodes, edges } = self;
        let forward = edges.iter().map(|&(from, edge)| (edge.to, Edge { to: from, ..edge }));
        let users = adjacency(nodes, forward);
        let sources = adjacency(nodes, edges.iter().copied());
        let inputs = inputs(&edges);
        let mut is_parameter = IdVec::filled(false, nodes);
        inputs.iter().for_each(|input| is_parameter[input.parameter] = true);
        let fold = Fold::new(nodes, &sources, &users, |node| is_parameter[node]);
        let inputs = inputs.iter().map(|input| input.map(|node| fold.of(node))).collect();
        let ways = fold.ways(&edges);
        let view = View::new(fold, &ways, inputs, Direction::Backward);
        let landmarks = RefCell::default();
        Graph { nodes, sources, users, view, forward: OnceCell::new(), landmarks }
    }
}

/// The edges of each node.
pub type Adjacency = Rows<Node, Edge>;

/// The edges by node; those of one node stay in their order.
fn adjacency(nodes: usize, all: impl Iterator<Item = (Node, Edge)> + Clone) -> Adjacency {
    let mut edges = Rows::new(nodes, all);
    edges.dedup();
    edges
}

/// A finished graph.
#[derive(Debug)]
pub struct Graph {
    pub nodes: usize,
    /// What each node depends on.
    pub sources: Adjacency,
    /// What depends on each node; `to` is the one that depends.
    pub users: Adjacency,
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
    pub fold: Fold,
    backward: Frames,
    /// Forward, whatever the direction.
    pub users: Frames,
    pub summaries: Summaries,
    pub steps: Steps,
    /// What calls give to the parameters of procedures.
    pub inputs: Inputs,
    pub direction: Direction,
}

impl View {
    fn new(fold: Fold, ways: &[Way], inputs: Vec<Input<Folded>>, direction: Direction) -> View {
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

    pub(crate) fn nodes(&self) -> usize {
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
pub(crate) struct Input<N> {
    pub parameter: N,
    pub argument: N,
    pub call: N,
}

impl<N: Copy> Input<N> {
    fn map<M>(self, of: impl Fn(N) -> M) -> Input<M> {
        Input { parameter: of(self.parameter), argument: of(self.argument), call: of(self.call) }
    }
}

/// The arguments of all calls.
#[derive(Debug)]
pub(crate) struct Inputs {
    pub all: IdVec<InputId, Input<Folded>>,
    /// Those of which a node is the parameter or the call.
    by_node: Rows<Folded, InputId>,
}

impl Inputs {
    fn new(nodes: usize, all: Vec<Input<Folded>>) -> Inputs {
        let all = IdVec::from(all);
        let by_node = Rows::new(
            nodes,
            all.enumerate().flat_map(|(id, input)| [(input.parameter, id), (input.call, id)]),
        );
        Inputs { all, by_node }
    }

    /// Those of which a node is the parameter or the call.
    pub(crate) fn of(&self, node: Folded) -> impl Iterator<Item = &Input<Folded>> {
        self.by_node.of(node).iter().map(|&input| &self.all[input])
    }
}

/// The arguments that go to parameters as they are. What unknown code hands on it needs as a whole,
/// so nothing of that can be missing.
fn inputs(edges: &[(Node, Edge)]) -> Vec<Input<Node>> {
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
    /// Forgets what traversals have learned from each other.
    pub fn forget(&self) {
        self.landmarks.take();
    }

    pub(crate) fn view(&self, direction: Direction) -> &View {
        match direction {
            Direction::Backward => &self.view,
            Direction::Forward => self.forward.get_or_init(|| {
                let edges = ids::first(self.nodes)
                    .flat_map(|node| self.sources.of(node).iter().map(move |&edge| (node, edge)));
                let fold = Fold::nothing(self.nodes);
                let ways = fold.ways(&edges.collect::<Vec<_>>());
                View::new(fold, &ways, Vec::new(), direction)
            }),
        }
    }

    pub fn edge_count(&self) -> usize {
        self.sources.len()
    }
}
