//! A flow graph as a picture: a frame for each process, a box for each function, a row for each
//! place that an edge leaves or reaches; or, for the process structure, a box for each process.
//!
//! A function that several processes run stands in a frame of its own kind. Neighbourhood edges
//! are left to the text inside the boxes.

use std::collections::BTreeMap;

use flow::ids::IdVec;
use flow::{Edge, EdgeKind, Flow, FunctionId, ProcessId, Vertex, VertexKind};

use super::KINDS;
use super::text::{is_supervisor, process_name, process_title};
use crate::drawing::{Arrangement, Arrow, Box, End, Frame, Picture, Row, Source, Style};

fn styles() -> Vec<Style> {
    let style = |name, colour, dashes| Style { name, colour, dashes };
    vec![
        style("call", "#57606a", ""),
        style("higher-order call", "#0969da", ""),
        style("spawn", "#1a7f37", "2 3"),
        style("throw", "#cf222e", "6 3"),
        style("message", "#8250df", "8 4"),
    ]
}

fn style_of(kind: EdgeKind) -> usize {
    KINDS.iter().position(|&known| known == kind).unwrap_or(0)
}

fn source(flow: &Flow, site: flow::Site) -> Option<Source> {
    let tree = &flow.modules[site.module].tree;
    let span = tree.span(site.node);
    let file = tree.files.get(usize::from(span.file.0))?;
    // Only the text of modules is shown, not that of headers.
    (span.file == syntax::source::FileId::MAIN).then(|| Source {
        file: site.module.index(),
        line: file.loc(span.start).line,
        end_line: file.loc(span.end.max(span.start)).line,
    })
}

fn files(flow: &Flow) -> Vec<(String, String)> {
    let modules = flow.modules.iter().map(|module| {
        let text = module.tree.files.first().map(|file| file.text.to_string());
        (module.path.display().to_string(), text.unwrap_or_default())
    });
    modules.collect()
}

fn title(flow: &Flow) -> String {
    let names: Vec<&str> = flow.modules.iter().map(|module| module.name.as_str()).collect();
    match &names[..] {
        [] => "nothing".to_string(),
        [name] => format!("Flow of {name}"),
        [first, ..] => format!("Flow of {first} and {} more", names.len() - 1),
    }
}

/// Functions as boxes, processes as frames.
pub fn picture(flow: &Flow) -> Picture {
    let mut frames: Vec<Frame> = Vec::new();
    let mut frame_of: BTreeMap<Vec<ProcessId>, usize> = BTreeMap::new();
    let mut runners: IdVec<FunctionId, Vec<ProcessId>> =
        IdVec::filled(Vec::new(), flow.functions.len());
    for (id, process) in flow.processes.enumerate() {
        for &function in &process.functions {
            runners[function].push(id);
        }
    }
    let mut rows: IdVec<FunctionId, BTreeMap<Vertex, usize>> =
        IdVec::filled(BTreeMap::new(), flow.functions.len());
    let shown: Vec<&Edge> =
        flow.graph.edges.iter().filter(|edge| edge.kind != EdgeKind::Neighbor).collect();
    for edge in &shown {
        for vertex in [edge.from, edge.to] {
            let data = flow.graph.vertex(vertex);
            if !matches!(data.kind, VertexKind::Import | VertexKind::Return) {
                rows[data.function].insert(vertex, 0);
            }
        }
    }
    let mut boxes = Vec::new();
    for id in flow.functions.ids() {
        let next = frames.len();
        let frame = *frame_of.entry(runners[id].clone()).or_insert(next);
        if frame == next {
            frames.push(Frame { title: frame_title(flow, &runners[id]) });
        }
        let mut texts = Vec::new();
        for (place, (vertex, row)) in rows[id].iter_mut().enumerate() {
            *row = place;
            let data = flow.graph.vertex(*vertex);
            texts.push(Row {
                text: format!("{} {}", data.kind, flow.vertex_text(*vertex)),
                source: source(flow, data.site),
            });
        }
        let function = flow.function(id);
        boxes.push(Box {
            title: flow.function_name(id),
            frame,
            rows: texts,
            source: source(flow, function.site()),
        });
    }
    let end = |vertex: Vertex| {
        let function = flow.graph.vertex(vertex).function;
        End { of_box: function.index(), row: rows[function].get(&vertex).copied() }
    };
    let arrows = shown.iter().map(|edge| Arrow {
        from: end(edge.from),
        to: end(edge.to),
        style: style_of(edge.kind),
        label: if edge.kind == EdgeKind::Message {
            flow.label_text(edge).unwrap_or_default()
        } else {
            String::new()
        },
        doubtful: edge.may,
    });
    let arrows = arrows.collect();
    let arrangement = Arrangement::Framed;
    Picture {
        title: title(flow),
        arrangement,
        frames,
        boxes,
        arrows,
        styles: styles(),
        files: files(flow),
    }
}

fn frame_title(flow: &Flow, runners: &[ProcessId]) -> String {
    match runners {
        [] => "never reached".to_string(),
        [process] => process_name(flow, *process),
        several => {
            let names: Vec<String> =
                several.iter().take(4).map(|&process| process_name(flow, process)).collect();
            let more = if several.len() > 4 { ", …" } else { "" };
            format!("run by {}{more}", names.join(", "))
        }
    }
}

/// Some of the texts, a line each, and how many more there are.
fn lines(texts: &[String]) -> String {
    const MOST: usize = 6;
    let mut lines: Vec<String> = texts.iter().take(MOST).map(|text| shortened(text)).collect();
    if texts.len() > MOST {
        lines.push(format!("… {} more", texts.len() - MOST));
    }
    lines.join("\n")
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 44;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}

/// The functions that a process runs first.
fn process_rows(flow: &Flow, entries: &[FunctionId]) -> Vec<Row> {
    const MOST: usize = 6;
    let shown = entries.iter().take(MOST).map(|&id| Row {
        text: format!("runs {}", flow.function_name(id)),
        source: source(flow, flow.function(id).site()),
    });
    let more = entries
        .len()
        .checked_sub(MOST + 1)
        .map(|more| Row { text: format!("… {} more", more + 1), source: None });
    shown.chain(more).collect()
}

/// Processes as boxes: who starts whom, and who sends what to whom.
pub fn process_picture(flow: &Flow) -> Picture {
    let boxes = flow.processes.enumerate().map(|(id, process)| Box {
        title: format!("{}: {}", id.number(), process_title(flow, id)),
        frame: 0,
        rows: process_rows(flow, &process.entries),
        source: process.site.and_then(|site| source(flow, site)),
    });
    let boxes = boxes.collect();
    let whole = |process: ProcessId| End { of_box: process.index(), row: None };
    let mut arrows: BTreeMap<(ProcessId, ProcessId, usize), (Vec<String>, bool)> = BTreeMap::new();
    for (child, process) in flow.processes.enumerate() {
        for &parent in &process.parents {
            let (labels, _) = arrows.entry((parent, child, style_of(EdgeKind::Spawn))).or_default();
            if is_supervisor(flow, parent) {
                labels.push("supervises".to_owned());
            }
        }
    }
    let runs = |function: FunctionId| {
        let processes = flow.processes.enumerate();
        processes
            .filter(move |(_, process)| process.functions.binary_search(&function).is_ok())
            .map(|(id, _)| id)
    };
    for edge in flow.graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Message) {
        let label = flow.label_text(edge).unwrap_or_default();
        for from in runs(flow.graph.vertex(edge.from).function) {
            for to in runs(flow.graph.vertex(edge.to).function) {
                let (labels, may) =
                    arrows.entry((from, to, style_of(EdgeKind::Message))).or_default();
                if !labels.contains(&label) {
                    labels.push(label.clone());
                }
                *may |= edge.may;
            }
        }
    }
    let arrows = arrows.into_iter().map(|((from, to, style), (labels, doubtful))| Arrow {
        from: whole(from),
        to: whole(to),
        style,
        label: lines(&labels),
        doubtful,
    });
    Picture {
        title: title(flow),
        arrangement: Arrangement::Labelled,
        frames: vec![Frame { title: "processes".to_string() }],
        boxes,
        arrows: arrows.collect(),
        styles: styles(),
        files: files(flow),
    }
}
