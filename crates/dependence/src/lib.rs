//! Dependence graphs and their traversal; nothing here knows a language.
//!
//! A front end makes nodes and edges with a [`Builder`]. Every edge leads from what depends to what
//! it depends on and carries two labels: which part of a data structure it is about ([`Label`]),
//! and whether it enters or leaves a procedure ([`Frame`]). [`mod@reach`] answers which nodes a
//! path leads to that is realisable in both respects.

mod contexts;
mod cycles;
mod fields;
mod fold;
mod frames;
mod graph;
mod landmarks;
mod queue;
mod reach;
mod rows;
mod saturation;
mod steps;
mod summaries;
mod symbols;
#[cfg(test)]
mod tests;
mod union_find;

pub use cycles::cycles;
pub use graph::{
    Adjacency, Builder, Call, Edge, EdgeKind, Field, Frame, Graph, Label, Name, Node, Shape,
};
pub use reach::{Direction, Workspace, reach};
