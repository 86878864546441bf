//! What happened in runs, in terms of the graph, and whether the graph says that it may.
//!
//! A call, spawn, throw or message that happens and is not an edge is a defect of the analysis; the
//! goal is none. The opposite, an edge that no run takes, is doubt or a gap in the tests.

use std::collections::BTreeMap;

use flow::{EdgeId, EdgeKind, Flow, FunctionId, Label, Site, Vertex};

/// Something that happened.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Happened {
    /// A place calls a function, itself or through library code.
    Call(Site, FunctionId),
    /// A place starts a process that begins with a function.
    Spawn(Site, FunctionId),
    /// An exception comes from one vertex to the handler at another.
    Throw(Vertex, Vertex),
    /// A message. Where several vertices could be the origin (the end of a process), any of them
    /// will do.
    Message(Vec<Vertex>, Vertex, Option<Label>),
}

impl Happened {
    pub fn kind(&self) -> &'static str {
        match self {
            Happened::Call(..) => "call",
            Happened::Spawn(..) => "spawn",
            Happened::Throw(..) => "throw",
            Happened::Message(..) => "message",
        }
    }

    /// Whether the graph has it.
    pub fn is_edge(&self, flow: &Flow) -> bool {
        match self {
            Happened::Call(site, function) => {
                flow.has_call(*site, *function) || flow.has_spawn(*site, *function)
            }
            Happened::Spawn(site, function) => flow.has_spawn(*site, *function),
            Happened::Throw(from, to) => flow.has_throw_between(*from, *to),
            Happened::Message(from, to, label) => from
                .iter()
                .any(|&from| flow.graph.position(from, *to, EdgeKind::Message, *label).is_some()),
        }
    }

    /// Whether the graph says that something from outside decides there.
    pub fn is_announced(&self, flow: &Flow) -> bool {
        let listed = |site: Site| {
            let start = flow.unresolved.partition_point(|found| found.site < site);
            flow.unresolved.get(start).is_some_and(|found| found.site == site)
        };
        match self {
            Happened::Call(site, _) | Happened::Spawn(site, _) => listed(*site),
            Happened::Throw(_, to) => flow.unresolved_below(*to),
            Happened::Message(from, ..) => {
                from.iter().any(|&from| listed(flow.graph.vertex(from).site))
            }
        }
    }

    /// The edges of the graph that it is.
    pub fn edges(&self, flow: &Flow) -> Vec<EdgeId> {
        let graph = &flow.graph;
        let of_call = |site: &Site, function: &FunctionId, kinds: &[EdgeKind]| -> Vec<EdgeId> {
            let import = graph.frame(*function).import;
            let Some(from) = graph.at(*site) else { return Vec::new() };
            kinds.iter().filter_map(|&kind| graph.position(from, import, kind, None)).collect()
        };
        match self {
            Happened::Call(site, function) => of_call(
                site,
                function,
                &[EdgeKind::Call, EdgeKind::HigherOrderCall, EdgeKind::Spawn],
            ),
            Happened::Spawn(site, function) => of_call(site, function, &[EdgeKind::Spawn]),
            Happened::Throw(from, to) => {
                graph.position(*from, *to, EdgeKind::Throw, None).into_iter().collect()
            }
            Happened::Message(from, to, label) => from
                .iter()
                .filter_map(|&from| graph.position(from, *to, EdgeKind::Message, *label))
                .take(1)
                .collect(),
        }
    }

    /// In words.
    pub fn text(&self, flow: &Flow) -> String {
        let place = |vertex: Vertex| {
            let function = flow.graph.vertex(vertex).function;
            format!(
                "{} {} {}",
                flow.function_name(function),
                flow.vertex_place(vertex),
                flow.vertex_text(vertex)
            )
        };
        let site = |site: Site| {
            let module = &flow.modules[site.module];
            let loc = module.tree.loc(site.node);
            format!("{}:{}:{} {}", module.name, loc.line, loc.column, flow.short_text(site))
        };
        match self {
            Happened::Call(from, to) => {
                format!("call: {} -> {}", site(*from), flow.function_name(*to))
            }
            Happened::Spawn(from, to) => {
                format!("spawn: {} -> {}", site(*from), flow.function_name(*to))
            }
            Happened::Throw(from, to) => format!("throw: {} -> {}", place(*from), place(*to)),
            Happened::Message(from, to, label) => {
                let from: Vec<String> = from.iter().map(|&vertex| place(vertex)).collect();
                format!("message: {} -> {} {label:?}", from.join(" or "), place(*to))
            }
        }
    }
}

/// Something that happened and that the graph does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Miss {
    pub happened: Happened,
    pub text: String,
}

/// Checks what happened against the graph: how much was checked, by kind, and what is missing.
pub fn check<'a>(
    flow: &Flow,
    all: impl Iterator<Item = &'a Happened>,
) -> (BTreeMap<&'static str, usize>, Vec<Miss>) {
    let mut counts = BTreeMap::new();
    let mut misses = Vec::new();
    for happened in all {
        *counts.entry(happened.kind()).or_default() += 1;
        if !happened.is_edge(flow) {
            misses.push(Miss { happened: happened.clone(), text: happened.text(flow) });
        }
    }
    (counts, misses)
}
