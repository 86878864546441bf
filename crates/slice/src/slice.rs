//! A slice: the nodes of the trees that belong to it, and its texts.

use atom::Atom;
use flow::Site;
use syntax::ast::{Kind, NodeId};
use syntax::source::{FileId, Span};

use crate::graph::Graph;

/// A part of a program.
#[derive(Debug)]
pub struct Slice<'g> {
    graph: &'g Graph<'g>,
    criteria: Vec<Site>,
    /// For each module, for each node of its tree, whether it is in the slice.
    kept: Vec<Vec<bool>>,
}

impl<'g> Slice<'g> {
    /// All code of the program.
    pub(crate) fn everything(graph: &'g Graph<'_>, criteria: &[Site]) -> Slice<'g> {
        let keep = |module: &flow::FlowModule| {
            let tree = &module.tree;
            let mut kept = vec![false; tree.nodes.len()];
            for &form in &tree.forms {
                if matches!(tree.kind(form), Kind::Function { .. }) {
                    tree.for_each_below(form, |node| kept[node.0 as usize] = true);
                }
            }
            kept
        };
        let kept = graph.flow.modules.iter().map(keep).collect();
        Slice { graph, criteria: criteria.to_vec(), kept }
    }

    /// The places the slice was asked for.
    pub fn criteria(&self) -> &[Site] {
        &self.criteria
    }

    /// Whether a node is in the slice.
    pub fn contains(&self, site: Site) -> bool {
        let module = self.kept.get(site.module as usize);
        module.and_then(|kept| kept.get(site.node.0 as usize)).copied().unwrap_or(false)
    }

    /// The nodes of the trees that are in the slice, by module and number.
    pub fn nodes(&self) -> impl Iterator<Item = Site> {
        self.kept.iter().enumerate().flat_map(|(module, kept)| {
            let kept = kept.iter().enumerate().filter(|(_, kept)| **kept);
            kept.map(move |(node, _)| Site { module: module as u32, node: NodeId(node as u32) })
        })
    }

    /// How many nodes of the trees are in the slice: its size.
    pub fn size(&self) -> usize {
        self.nodes().count()
    }

    /// The text of the nodes in the slice, by module and place; what is not in it leaves gaps.
    pub fn spans(&self) -> Vec<(u32, Span)> {
        let span = |site: Site| {
            (site.module, self.graph.flow.modules[site.module as usize].tree.span(site.node))
        };
        let mut spans: Vec<(u32, Span)> = self.nodes().map(span).collect();
        spans.sort_unstable_by_key(|(module, span)| (*module, span.file, span.start, span.end));
        spans.dedup();
        spans
    }

    /// The slice of a module as a module: it compiles and runs. `None` for a module that is not in
    /// the program.
    pub fn source(&self, module: Atom) -> Option<String> {
        let module = self.graph.program.module(module)?;
        Some(module.tree.file(FileId::MAIN).text.to_string())
    }
}
