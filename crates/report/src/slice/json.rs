//! The JSON of a slice; `docs/json.md` documents the shape.

use std::io::{self, Write};

use flow::{Flow, Site};
use serde::Serialize;
use slice::Slice;

use crate::json::{VERSION, to_line};
use crate::place::Place;

#[derive(Serialize)]
struct JsonModule {
    name: &'static str,
    file: String,
    /// The slice as a module.
    source: String,
}

#[derive(Serialize)]
struct JsonNode {
    id: u32,
    span: Option<Place>,
    text: String,
}

/// Which time of which run a slice is of.
#[derive(Serialize, Clone, Debug)]
pub struct InRun {
    /// The trace or witness.
    pub trace: String,
    /// The time that was chosen, from 1, and how many there are in the run.
    pub time: u64,
    pub times: u64,
    pub process: String,
    /// What is not known exactly, in words.
    pub inexact: Vec<String>,
}

#[derive(Serialize)]
struct JsonSlice<'a> {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<&'a InRun>,
    criteria: Vec<Option<Place>>,
    size: usize,
    modules: Vec<JsonModule>,
    nodes: Vec<JsonNode>,
}

/// Everything about a slice, in one line.
///
/// `run` is told of a slice of one run.
pub fn write_json(
    flow: &Flow,
    slice: &Slice<'_>,
    run: Option<&InRun>,
    out: &mut impl Write,
) -> io::Result<()> {
    let place = |site: Site| {
        let tree = &flow.modules[site.module as usize].tree;
        Place::of(&tree.files, tree.span(site.node))
    };
    let module = |name: atom::Atom| {
        let path = flow.modules.iter().find(|module| module.name == name);
        JsonModule {
            name: name.as_str(),
            file: path.map(|module| module.path.display().to_string()).unwrap_or_default(),
            source: slice.source(name).unwrap_or_default(),
        }
    };
    let nodes = slice.nodes().map(|site| JsonNode {
        id: site.node.0,
        span: place(site),
        text: flow.text(site),
    });
    let json = JsonSlice {
        version: VERSION,
        run,
        criteria: slice.criteria().iter().map(|&site| place(site)).collect(),
        size: slice.size(),
        modules: slice.modules().into_iter().map(module).collect(),
        nodes: nodes.collect(),
    };
    out.write_all(to_line(&json).as_bytes())
}
