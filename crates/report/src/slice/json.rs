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

#[derive(Serialize)]
struct JsonSlice {
    version: u32,
    criteria: Vec<Option<Place>>,
    size: usize,
    modules: Vec<JsonModule>,
    nodes: Vec<JsonNode>,
}

/// Everything about a slice, in one line.
pub fn write_json(flow: &Flow, slice: &Slice<'_>, out: &mut impl Write) -> io::Result<()> {
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
        criteria: slice.criteria().iter().map(|&site| place(site)).collect(),
        size: slice.size(),
        modules: slice.modules().into_iter().map(module).collect(),
        nodes: nodes.collect(),
    };
    out.write_all(to_line(&json).as_bytes())
}
