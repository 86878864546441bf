//! The JSON of coverage; `docs/json.md` documents the shape.

use flow::criteria::{Figures, Ratio};
use flow::{EdgeKind, Label};
use serde::Serialize;

use super::Report;
use crate::json::{VERSION, to_line};
use session::Place;

#[derive(Serialize)]
struct JsonRatio {
    covered: usize,
    all: usize,
}

impl From<Ratio> for JsonRatio {
    fn from(ratio: Ratio) -> JsonRatio {
        JsonRatio { covered: ratio.covered, all: ratio.all }
    }
}

#[derive(Serialize)]
struct JsonFigures {
    nodes: JsonRatio,
    clauses: JsonRatio,
    branches: JsonRatio,
    conditions: JsonRatio,
    pairs: JsonRatio,
    messages: JsonRatio,
}

impl From<Figures> for JsonFigures {
    fn from(figures: Figures) -> JsonFigures {
        JsonFigures {
            nodes: figures.nodes.into(),
            clauses: figures.clauses.into(),
            branches: figures.branches.into(),
            conditions: figures.conditions.into(),
            pairs: figures.pairs.into(),
            messages: figures.messages.into(),
        }
    }
}

#[derive(Serialize)]
struct JsonMissing {
    criterion: &'static str,
    function: String,
    span: Option<Place>,
    text: String,
    implied: bool,
}

#[derive(Serialize)]
struct JsonLine {
    line: u32,
    count: u64,
}

#[derive(Serialize)]
struct JsonModule {
    name: String,
    file: String,
    #[serde(flatten)]
    figures: JsonFigures,
    lines: Vec<JsonLine>,
    not_covered: Vec<JsonMissing>,
}

#[derive(Serialize)]
struct JsonEdge {
    kind: &'static str,
    from: String,
    from_span: Option<Place>,
    to: String,
    to_span: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<u32>,
    may: bool,
    covered: bool,
}

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    runs: &'a [String],
    notes: &'a [String],
    modules: Vec<JsonModule>,
    edges: Vec<JsonEdge>,
    total: JsonFigures,
}

pub(super) fn json(report: &Report<'_>) -> String {
    let (own, total) = report.figures();
    let modules = report.modules.iter().zip(own).map(|(&module, figures)| JsonModule {
        name: report.flow.modules[module].name.to_string(),
        file: report.path(module),
        figures: figures.into(),
        lines: report
            .lines(module)
            .into_iter()
            .map(|(line, count)| JsonLine { line, count })
            .collect(),
        not_covered: report
            .missing(module)
            .into_iter()
            .map(|missing| JsonMissing {
                criterion: missing.criterion,
                function: report.flow.function_name(missing.function),
                span: report.place(missing.site),
                text: missing.what,
                implied: missing.implied,
            })
            .collect(),
    });
    let mut text = to_line(&JsonReport {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "coverage",
        runs: &report.runs,
        notes: &report.notes,
        modules: modules.collect(),
        edges: edges(report),
        total: total.into(),
    });
    text.push('\n');
    text
}

/// The edges that leave the modules that count, but for neighbours.
fn edges(report: &Report<'_>) -> Vec<JsonEdge> {
    let graph = &report.flow.graph;
    let mut found = Vec::new();
    for (id, edge) in graph.edges.enumerate() {
        let (from, to) = (graph.vertex(edge.from), graph.vertex(edge.to));
        if edge.kind == EdgeKind::Neighbor || !report.modules.contains(&from.site.module) {
            continue;
        }
        found.push(JsonEdge {
            kind: edge.kind.text(),
            from: report.flow.function_name(from.function),
            from_span: report.place(from.site),
            to: report.flow.function_name(to.function),
            to_span: report.place(to.site),
            clause: match edge.label {
                Label::Clause(number) => Some(number),
                _ => None,
            },
            may: edge.may,
            covered: report.covered.edges.contains_key(&id),
        });
    }
    found
}
