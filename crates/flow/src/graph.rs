//! The concurrent flow graph: Widera's Definitions 2 to 7 on the nodes of our own trees.
//!
//! A vertex is an expression (by its [`Site`]) or one of the vertices that every function has
//! besides: import, context, return, and a branch where it chooses a clause. The named definition
//! property is a view: a variable or literal that is an operand belongs to the vertex of its
//! operator, every other operand has a vertex of its own which is evaluated before.
//!
//! What the language has gained since: `try` is a catch vertex (and a branch for its `of` part),
//! `maybe`, comprehensions, `andalso` and `orelse` branch; see [`crate::control`].

use std::fmt;

use rustc_hash::FxHashMap;
use syntax::ast::NodeId;

use crate::ids::IdVec;
use crate::sources::{FunctionId, ModuleId, Site};

crate::ids! {
    /// A vertex of the graph.
    pub Vertex;
    /// An [`Edge`]: a position in [`Graph::edges`].
    pub EdgeId;
}

macro_rules! kinds {
    ($(#[$doc:meta])* $enum:ident { $($(#[$item:meta])* $name:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $enum { $($(#[$item])* $name),* }
        impl $enum {
            /// As output names it.
            pub fn text(self) -> &'static str {
                match self { $($enum::$name => $text),* }
            }
        }
        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.text())
            }
        }
    };
}

kinds! {
    /// What a vertex stands for (Definition 2).
    VertexKind {
        Match = "match", Call = "call", Spawn = "spawn", Branch = "branch", Block = "block",
        Catch = "catch", Throw = "throw", Send = "send", Receive = "receive", Fun = "fun",
        Import = "import", Context = "context", Return = "return", Compute = "compute",
    }
}

kinds! {
    /// What an edge stands for (Definition 3).
    EdgeKind {
        Neighbor = "neighbor",
        Call = "call",
        HigherOrderCall = "higher_order_call",
        Spawn = "spawn",
        Throw = "throw",
        Message = "message",
    }
}

/// What a neighbourhood edge says about the way that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Label {
    /// The only way.
    None,
    /// Into a clause, from 1. Of a comprehension's generator, 1 is the next element; of a test,
    /// 1 is true and 2 is false.
    Clause(u32),
    /// The timeout of a `receive`, the `after` of a `try` on its way out, the end of a generator.
    Otherwise,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VertexData {
    pub kind: VertexKind,
    pub function: FunctionId,
    /// The expression; for import, context and return, the function.
    pub site: Site,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge {
    pub from: Vertex,
    pub to: Vertex,
    pub kind: EdgeKind,
    /// The clause of a neighbourhood edge; the clause that takes a message.
    pub label: Label,
    /// Whether the edge is there because of doubt: there are other candidates, or a part of what
    /// decides is not known.
    pub may: bool,
    /// The iteration of Widera's algorithm that found it; 0 for what needs no data flow.
    pub found: u32,
}

/// The vertices that a function has besides its expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    pub import: Vertex,
    pub context: Vertex,
    /// The choice of a clause, where there is one.
    pub branch: Option<Vertex>,
    pub ret: Vertex,
}

/// Vertices and edges.
#[derive(Debug, Default)]
pub struct Graph {
    pub vertices: IdVec<Vertex, VertexData>,
    /// Sorted by source, target and kind.
    pub edges: IdVec<EdgeId, Edge>,
    pub frames: IdVec<FunctionId, Frame>,
    /// For each module, the vertex of each node of its tree.
    pub(crate) by_node: IdVec<ModuleId, Vec<Option<Vertex>>>,
    /// The branches of `try … of`.
    pub(crate) of_branches: FxHashMap<Site, Vertex>,
}

impl Graph {
    pub fn vertex(&self, vertex: Vertex) -> &VertexData {
        &self.vertices[vertex]
    }

    /// The vertex of an expression. An operand that has none belongs to the vertex of its
    /// operator.
    pub fn at(&self, site: Site) -> Option<Vertex> {
        *self.by_node.get(site.module)?.get(site.node.0 as usize)?
    }

    /// The choice between the `of` clauses of a `try`.
    pub fn of_branch(&self, site: Site) -> Option<Vertex> {
        self.of_branches.get(&site).copied()
    }

    pub fn frame(&self, function: FunctionId) -> Frame {
        self.frames[function]
    }

    /// The edges that leave a vertex.
    pub fn from(&self, vertex: Vertex) -> &[Edge] {
        let edges = self.edges.as_slice();
        let start = edges.partition_point(|edge| edge.from < vertex);
        let end = edges.partition_point(|edge| edge.from <= vertex);
        &edges[start..end]
    }

    /// How many edges of a kind there are.
    pub fn count(&self, kind: EdgeKind) -> usize {
        self.edges.iter().filter(|edge| edge.kind == kind).count()
    }

    /// Whether an edge is there.
    pub fn has(&self, from: Vertex, to: Vertex, kind: EdgeKind) -> bool {
        self.from(from).iter().any(|edge| edge.to == to && edge.kind == kind)
    }

    /// Which edge leads from one vertex to another; without a label, the first that fits.
    pub fn position(
        &self,
        from: Vertex,
        to: Vertex,
        kind: EdgeKind,
        label: Option<Label>,
    ) -> Option<EdgeId> {
        let start = self.edges.as_slice().partition_point(|edge| edge.from < from);
        let fits = |edge: &Edge| {
            edge.to == to && edge.kind == kind && label.is_none_or(|label| edge.label == label)
        };
        let found = self.from(from).iter().position(fits)?;
        Some(EdgeId::new(start + found))
    }

    pub(crate) fn add_vertex(
        &mut self,
        kind: VertexKind,
        function: FunctionId,
        module: ModuleId,
        node: NodeId,
    ) -> Vertex {
        self.vertices.push(VertexData { kind, function, site: Site { module, node } })
    }

    /// Puts the edges in order; of two that differ in nothing but doubt, the certain one stays.
    pub(crate) fn finish(&mut self) {
        self.edges.arrange(|edges| {
            edges.sort_unstable_by_key(|e| (e.from, e.to, e.kind, e.label, e.may, e.found));
            edges.dedup_by_key(|e| (e.from, e.to, e.kind, e.label));
            edges.shrink_to_fit();
        });
    }
}
