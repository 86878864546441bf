//! The JSON of a flow graph; `docs/json.md` documents the shape.

use std::io::{self, Write};

use flow::def_use::{Definition, Hidden, Pair, Use};
use flow::{Edge, EdgeKind, Flow, FunctionId, Label, ProcessId, Vertex};
use serde::Serialize;

use super::{KINDS, reason};
use crate::json::{VERSION, to_line};
use crate::writer::Problem;
use session::Place;

#[derive(Serialize)]
struct JsonFunction<'a> {
    id: u32,
    name: String,
    module: &'a str,
    arity: u32,
    fun: bool,
    exported: bool,
    reached: bool,
    span: Option<Place>,
}

#[derive(Serialize)]
struct JsonNode {
    id: u32,
    kind: &'static str,
    function: String,
    span: Option<Place>,
    text: String,
}

#[derive(Serialize)]
struct JsonEdge {
    from: u32,
    to: u32,
    kind: &'static str,
    may: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iteration: Option<u32>,
}

#[derive(Serialize)]
struct JsonProcess {
    id: usize,
    /// The node that starts it; null for the process that enters the program.
    spawned_at: Option<u32>,
    names: Vec<&'static str>,
    entries: Vec<String>,
    functions: Vec<String>,
    parents: Vec<usize>,
}

#[derive(Serialize)]
struct JsonOccurrence {
    id: usize,
    name: &'static str,
    kind: &'static str,
    function: u32,
    span: Option<Place>,
}

#[derive(Serialize)]
struct JsonHidden {
    #[serde(rename = "use")]
    using: u32,
    definition: u32,
    through: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<u32>,
}

#[derive(Serialize)]
struct JsonUnresolved {
    node: Option<u32>,
    span: Option<Place>,
    reason: String,
}

/// Writes the whole graph, one node or edge a line.
pub fn write_json(flow: &Flow, problems: &[Problem], out: &mut impl Write) -> io::Result<()> {
    write!(
        out,
        "{{\"version\":{VERSION},\"tool\":\"erlscope\",\"tool_version\":{},\"command\":\"flow\",",
        to_line(env!("CARGO_PKG_VERSION"))
    )?;
    list(out, "functions", flow.functions.ids().map(|id| function(flow, id)))?;
    list(out, "nodes", flow.graph.vertices.ids().map(|vertex| node(flow, vertex)))?;
    list(out, "edges", flow.graph.edges.iter().map(|found| edge(flow, found)))?;
    list(out, "processes", flow.processes.ids().map(|id| process(flow, id)))?;
    let unresolved = flow.unresolved.iter().map(|unresolved| {
        let site = unresolved.site;
        to_line(&JsonUnresolved {
            node: flow.graph.at(site).map(Vertex::number),
            span: place(flow, site),
            reason: reason(unresolved.kind),
        })
    });
    list(out, "unresolved", unresolved)?;
    let all = &flow.def_uses;
    list(
        out,
        "definitions",
        all.definitions.iter().enumerate().map(|found| definition(flow, found)),
    )?;
    list(out, "uses", all.uses.iter().enumerate().map(|found| using(flow, found)))?;
    list(out, "pairs", all.pairs.iter().map(pair))?;
    list(out, "hidden_pairs", all.hidden.iter().map(hidden))?;
    let counts: Vec<String> = [EdgeKind::Neighbor]
        .into_iter()
        .chain(KINDS)
        .map(|kind| format!("\"{kind}\":{}", flow.graph.count(kind)))
        .collect();
    writeln!(
        out,
        "\"problems\":{},\"summary\":{{\"functions\":{},\"nodes\":{},\"edges\":{{{}}},\
         \"unresolved\":{},\"iterations\":{},\"definitions\":{},\"uses\":{},\"pairs\":{},\
         \"hidden_pairs\":{}}}}}",
        to_line(problems),
        flow.functions.len(),
        flow.graph.vertices.len(),
        counts.join(","),
        flow.unresolved.len(),
        flow.iterations,
        all.definitions.len(),
        all.uses.len(),
        all.pairs.len(),
        all.hidden.len()
    )
}

fn list(out: &mut impl Write, name: &str, items: impl Iterator<Item = String>) -> io::Result<()> {
    write!(out, "\"{name}\":[")?;
    for (index, item) in items.enumerate() {
        write!(out, "{}{item}", if index == 0 { "\n" } else { ",\n" })?;
    }
    writeln!(out, "],")
}

fn place(flow: &Flow, site: flow::Site) -> Option<Place> {
    let tree = &flow.modules[site.module].tree;
    Place::of(&tree.files, tree.span(site.node))
}

fn function(flow: &Flow, id: FunctionId) -> String {
    let function = flow.function(id);
    to_line(&JsonFunction {
        id: id.number(),
        name: flow.function_name(id),
        module: flow.modules[function.module].name.as_str(),
        arity: function.arity,
        fun: function.is_fun(),
        exported: function.exported,
        reached: flow.reached[id],
        span: place(flow, function.site()),
    })
}

fn node(flow: &Flow, vertex: Vertex) -> String {
    let data = flow.graph.vertex(vertex);
    to_line(&JsonNode {
        id: vertex.number(),
        kind: data.kind.text(),
        function: flow.function_name(data.function),
        span: place(flow, data.site),
        text: flow.vertex_text(vertex),
    })
}

fn edge(flow: &Flow, edge: &Edge) -> String {
    let at_the_end = matches!(edge.kind, EdgeKind::Message | EdgeKind::Throw);
    let is_known = flow.explained || !at_the_end;
    to_line(&JsonEdge {
        from: edge.from.number(),
        to: edge.to.number(),
        kind: edge.kind.text(),
        may: edge.may,
        clause: match edge.label {
            Label::Clause(number) => Some(number),
            _ => None,
        },
        pattern: if edge.kind == EdgeKind::Message { flow.label_text(edge) } else { None },
        iteration: is_known.then_some(edge.found),
    })
}

fn definition(flow: &Flow, (id, found): (usize, &Definition)) -> String {
    to_line(&JsonOccurrence {
        id,
        name: found.name.as_str(),
        kind: found.kind.text(),
        function: found.function.number(),
        span: place(flow, found.site),
    })
}

fn using(flow: &Flow, (id, found): (usize, &Use)) -> String {
    to_line(&JsonOccurrence {
        id,
        name: found.name.as_str(),
        kind: found.kind.text(),
        function: found.function.number(),
        span: place(flow, found.site),
    })
}

fn pair(pair: &Pair) -> String {
    format!("{{\"definition\":{},\"use\":{}}}", pair.definition.number(), pair.using.number())
}

fn hidden(hidden: &Hidden) -> String {
    to_line(&JsonHidden {
        using: hidden.using.number(),
        definition: hidden.definition.number(),
        through: hidden.through.text(),
        clause: hidden.message.map(|(_, _, clause)| clause),
    })
}

fn process(flow: &Flow, id: ProcessId) -> String {
    let process = &flow.processes[id];
    let names = |ids: &[FunctionId]| ids.iter().map(|&id| flow.function_name(id)).collect();
    to_line(&JsonProcess {
        id: id.index(),
        spawned_at: process.site.and_then(|site| flow.graph.at(site)).map(Vertex::number),
        names: process.names.iter().map(|name| name.as_str()).collect(),
        entries: names(&process.entries),
        functions: names(&process.functions),
        parents: process.parents.iter().map(|parent| parent.index()).collect(),
    })
}
