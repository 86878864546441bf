//! A slice: the nodes of the trees that belong to it, and its texts.

use std::cell::OnceCell;

use atom::Atom;
use flow::ids::IdVec;
use flow::{ModuleId, Site};
use rustc_hash::FxHashMap;
use syntax::ast::NodeId;
use syntax::source::Span;

use crate::graph::View;
use crate::text::{self, Printed};
use dependence::{Edge, Node};

/// The dependences that happened in a run, by what depends.
pub(crate) type Happened = FxHashMap<Node, Vec<Edge>>;

/// A part of a program.
#[derive(Debug)]
pub struct Slice<'g> {
    pub(crate) graph: View<'g>,
    criteria: Vec<Site>,
    pub(crate) is_forward: bool,
    /// For each node of the dependence graph.
    pub(crate) reached: IdVec<Node, bool>,
    /// In a slice of a run: the dependences that happened in it.
    pub(crate) happened: Option<Happened>,
    /// By module; made when it is first asked for.
    printed: OnceCell<IdVec<ModuleId, Printed>>,
}

impl<'g> Slice<'g> {
    pub(crate) fn new(
        graph: View<'g>,
        criteria: &[Site],
        is_forward: bool,
        reached: IdVec<Node, bool>,
    ) -> Slice<'g> {
        let (criteria, printed) = (criteria.to_vec(), OnceCell::new());
        Slice { graph, criteria, is_forward, reached, happened: None, printed }
    }

    pub(crate) fn with_happened(self, happened: Happened) -> Slice<'g> {
        Slice { happened: Some(happened), ..self }
    }

    fn printed(&self) -> &IdVec<ModuleId, Printed> {
        self.printed.get_or_init(|| text::print(self.graph, &self.reached))
    }

    /// For each node of the tree of a module, whether it is printed.
    pub(crate) fn kept(&self, module: ModuleId) -> &[bool] {
        self.printed().get(module).map_or(&[], |printed| &printed.kept)
    }

    /// The places the slice was asked for.
    pub fn criteria(&self) -> &[Site] {
        &self.criteria
    }

    /// Whether a node of a tree is in the slice: its text is in the slice's.
    pub fn contains(&self, site: Site) -> bool {
        let module = self.printed().get(site.module);
        module.and_then(|module| module.kept.get(site.node.0 as usize)).copied().unwrap_or(false)
    }

    /// The nodes of the trees that are in the slice, by module and number.
    pub fn nodes(&self) -> impl Iterator<Item = Site> {
        self.printed().enumerate().flat_map(|(module, printed)| {
            let kept = printed.kept.iter().enumerate().filter(|(_, kept)| **kept);
            kept.map(move |(node, _)| Site { module, node: NodeId(node as u32) })
        })
    }

    /// Whether it rests on that no process ends by an exception that somebody notices, as
    /// [`crate::Exceptions`] says.
    pub fn spares_failures(&self) -> bool {
        self.graph.built.spares_failures
    }

    /// How many nodes of the trees are in the slice: its size.
    pub fn size(&self) -> usize {
        self.nodes().count()
    }

    /// How many nodes of the dependence graph were reached.
    pub fn reached(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// The text of the nodes in the slice, by module and place; what is not in it leaves gaps.
    pub fn spans(&self) -> Vec<(ModuleId, Span)> {
        let span =
            |site: Site| (site.module, self.graph.flow.modules[site.module].tree.span(site.node));
        let mut spans: Vec<(ModuleId, Span)> = self.nodes().map(span).collect();
        spans.sort_unstable_by_key(|(module, span)| (*module, span.file, span.start, span.end));
        spans.dedup();
        spans
    }

    /// The slice of a module as a module: it compiles and runs. `None` for a module that is not in
    /// the program.
    pub fn source(&self, module: Atom) -> Option<String> {
        let module = self.graph.flow.modules.position(|known| known.name == module)?;
        self.printed().get(module).map(|printed| printed.text.clone())
    }
}
