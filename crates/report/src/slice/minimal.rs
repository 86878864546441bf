//! What deleting has left of a slice: on what it rests, in words and as JSON.

use std::io::{self, Write};

use flow::{Flow, Site};
use serde::Serialize;
use session::Place;
use session::minimal::{Answer, Counted, Coverage};
use slice::Slice;

use super::json::JsonModule;
use crate::json::{VERSION, to_line};

/// On what a slice rests, as comments.
pub fn rests_on(found: &Answer) -> String {
    let Coverage { branches, statements } = found.coverage;
    let of =
        |counted: Counted, what: &str| format!("{} of {} {what}", counted.reached, counted.all);
    let mut text = format!(
        "%% rests on {} of the program{}, which reach {} and {} of its slice\n",
        counted(found.calls.len(), "input"),
        if found.one_order { ", in one order of its processes" } else { "" },
        of(branches, "branches"),
        of(statements, "statements"),
    );
    let nodes = found.nodes;
    let is_minimal = match found.is_minimal {
        true => "no single part can go",
        false => "not minimal: it was stopped",
    };
    let simplified = match nodes.simplified {
        Some(simplified) => format!(", {simplified} after it was written in a simpler way"),
        None => String::new(),
    };
    text.push_str(&format!(
        "%% {} nodes, {} in the slice, {} left{simplified}; {is_minimal}\n",
        nodes.program, nodes.slice, nodes.minimal
    ));
    if found.fresh > 0 {
        let fresh = counted(found.fresh, "other input");
        text.push_str(&format!("%% the values are the same for {fresh}\n"));
    }
    text
}

/// What a slice rests on where not all exceptions count, as a comment.
pub fn spared(slice: &Slice<'_>, is_judged: bool) -> String {
    // Runs judge all.
    match slice.spares_failures() && !is_judged {
        true => "%% rests on: no process ends by an exception and others go on; see --exceptions\n",
        false => "",
    }
    .to_owned()
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

#[derive(Serialize)]
struct JsonCounted {
    reached: usize,
    all: usize,
}

impl From<Counted> for JsonCounted {
    fn from(counted: Counted) -> JsonCounted {
        JsonCounted { reached: counted.reached, all: counted.all }
    }
}

#[derive(Serialize)]
struct JsonCoverage {
    branches: JsonCounted,
    statements: JsonCounted,
    complete: bool,
}

#[derive(Serialize)]
struct JsonNodes {
    program: usize,
    slice: usize,
    minimal: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    simplified: Option<usize>,
}

#[derive(Serialize)]
struct JsonMinimal<'a> {
    version: u32,
    criteria: Vec<Option<Place>>,
    size: usize,
    modules: Vec<JsonModule>,
    nodes: JsonNodes,
    inputs: usize,
    calls: &'a [String],
    coverage: JsonCoverage,
    one_order: bool,
    candidates: u64,
    rejected: u64,
    runs: u64,
    fresh: usize,
    minimal: bool,
}

/// Everything about a slice that was made small, in one line.
pub fn write_minimal_json(
    flow: &Flow,
    slice: &Slice<'_>,
    found: &Answer,
    out: &mut impl Write,
) -> io::Result<()> {
    let place = |site: Site| {
        let tree = &flow.modules[site.module].tree;
        Place::of(&tree.files, tree.span(site.node))
    };
    let module = |(name, source): &(atom::Atom, String)| {
        let known = flow.modules.iter().find(|module| module.name == *name);
        JsonModule {
            name: name.as_str(),
            file: known.map(|module| module.path.display().to_string()).unwrap_or_default(),
            source: source.clone(),
        }
    };
    let json = JsonMinimal {
        version: VERSION,
        criteria: slice.criteria().iter().map(|&site| place(site)).collect(),
        size: found.nodes.simplified.unwrap_or(found.nodes.minimal),
        modules: found.modules.iter().map(module).collect(),
        nodes: JsonNodes {
            program: found.nodes.program,
            slice: found.nodes.slice,
            minimal: found.nodes.minimal,
            simplified: found.nodes.simplified,
        },
        inputs: found.calls.len(),
        calls: &found.calls,
        coverage: JsonCoverage {
            branches: found.coverage.branches.into(),
            statements: found.coverage.statements.into(),
            complete: found.coverage.is_complete(),
        },
        one_order: found.one_order,
        candidates: found.candidates,
        rejected: found.rejected,
        runs: found.runs,
        fresh: found.fresh,
        minimal: found.is_minimal,
    };
    out.write_all(to_line(&json).as_bytes())
}
