//! The JSON of a slice; `docs/json.md` documents the shape.

use std::io::{self, Write};

use flow::{Flow, Site};
use serde::Serialize;
use session::Place;
use session::slice::InRun;
use slice::{Inexact, Slice};

use crate::json::{VERSION, to_line};

#[derive(Serialize)]
pub(super) struct JsonModule {
    pub(super) name: &'static str,
    pub(super) file: String,
    /// The slice as a module.
    pub(super) source: String,
}

#[derive(Serialize)]
struct JsonNode {
    id: u32,
    span: Option<Place>,
    text: String,
}

/// Which time of which run a slice is of.
#[derive(Serialize)]
struct JsonRun<'a> {
    /// The trace or witness.
    trace: &'a str,
    /// The time that was chosen, from 1, and how many there are in the run.
    time: u64,
    times: u64,
    process: &'a str,
    /// What is not known exactly, in words.
    inexact: Vec<&'static str>,
}

/// What is not known exactly of a slice of a run.
pub fn inexact(run: &InRun) -> Vec<&'static str> {
    let Inexact { funs, states, messages, signals } = run.inexact;
    let all = [
        (funs, "a fun that was made several times counts as all of them"),
        (states, "what is read of files or the environment counts as all that was written"),
        (messages, "a message of a server of the library counts for all who may have asked for it"),
        (signals, "an exit signal counts for all links, monitors and flags"),
    ];
    all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, words)| words).collect()
}

#[derive(Serialize)]
struct JsonSlice<'a> {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<JsonRun<'a>>,
    criteria: Vec<Option<Place>>,
    size: usize,
    /// Whether failures of processes that others may notice do not count.
    spares_failures: bool,
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
        let tree = &flow.modules[site.module].tree;
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
        run: run.map(|run| JsonRun {
            trace: &run.trace,
            time: run.time,
            times: run.times,
            process: &run.process,
            inexact: inexact(run),
        }),
        criteria: slice.criteria().iter().map(|&site| place(site)).collect(),
        size: slice.size(),
        spares_failures: slice.spares_failures(),
        modules: slice.modules().into_iter().map(module).collect(),
        nodes: nodes.collect(),
    };
    out.write_all(to_line(&json).as_bytes())
}
