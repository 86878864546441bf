//! The dependence graph of a slice as a picture: a box for each function, a row for each node.

use std::collections::BTreeMap;

use flow::{Flow, ModuleId, Site};
use slice::Slice;

use crate::drawing::{Arrangement, Arrow, Box, End, Frame, Picture, Row, Source, Style};

pub(crate) const KINDS: &[(&str, &str, &str)] = &[
    ("control", "#57606a", "2 3"),
    ("value", "#0969da", ""),
    ("flow", "#1a7f37", ""),
    ("declaration", "#8c959f", "1 3"),
    ("call", "#57606a", "6 3"),
    ("input", "#bf8700", ""),
    ("output", "#bf8700", "6 3"),
    ("message", "#8250df", "8 4"),
    ("state", "#8250df", "2 3"),
    ("exception", "#cf222e", "6 3"),
];

fn source(flow: &Flow, site: Site) -> Option<Source> {
    let tree = &flow.modules[site.module].tree;
    let span = tree.span(site.node);
    let file = tree.files.get(usize::from(span.file.0))?;
    (span.file == syntax::source::FileId::MAIN).then(|| Source {
        file: site.module.index(),
        line: file.loc(span.start).line,
        end_line: file.loc(span.end.max(span.start)).line,
    })
}

/// The function form around a place.
fn form_of(flow: &Flow, site: Site) -> usize {
    let tree = &flow.modules[site.module].tree;
    let first = tree[site.node].first;
    tree.forms
        .iter()
        .position(|&form| tree[form].first <= first && first <= tree[form].last)
        .unwrap_or(0)
}

pub fn picture(flow: &Flow, slice: &Slice<'_>) -> Picture {
    let (nodes, edges) = slice.graph();
    let mut boxes: Vec<Box> = Vec::new();
    let mut box_of: BTreeMap<(ModuleId, usize), usize> = BTreeMap::new();
    let mut ends: BTreeMap<u32, End> = BTreeMap::new();
    for node in &nodes {
        let tree = &flow.modules[node.site.module].tree;
        let form = form_of(flow, node.site);
        let of_box = *box_of.entry((node.site.module, form)).or_insert_with(|| {
            let form = Site { module: node.site.module, node: tree.forms[form] };
            let title = match tree.kind(form.node) {
                syntax::ast::Kind::Function { name, arity, .. } => format!("{name}/{arity}"),
                _ => "state".to_string(),
            };
            let frame = node.site.module.index();
            boxes.push(Box { title, frame, rows: Vec::new(), source: source(flow, form) });
            boxes.len() - 1
        });
        let text: String = flow.text(node.site).chars().take(40).collect();
        let rows = &mut boxes[of_box].rows;
        let row = Row { text: format!("{} {text}", node.role), source: source(flow, node.site) };
        rows.push(row);
        ends.insert(node.id, End { of_box, row: Some(rows.len() - 1) });
    }
    let mut arrows = Vec::new();
    for edge in &edges {
        let (Some(&from), Some(&to)) = (ends.get(&edge.from), ends.get(&edge.to)) else { continue };
        let style = KINDS.iter().position(|(name, ..)| *name == edge.kind).unwrap_or(0);
        arrows.push(Arrow { from, to, style, label: String::new(), doubtful: false });
    }
    let files = flow.modules.iter().map(|module| {
        let text = module.tree.files.first().map(|file| file.text.to_string());
        (module.path.display().to_string(), text.unwrap_or_default())
    });
    let style = |&(name, colour, dashes): &(&'static str, &'static str, &'static str)| Style {
        name,
        colour,
        dashes,
    };
    Picture {
        arrangement: Arrangement::Framed,
        title: "Dependences of a slice".to_string(),
        frames: flow.modules.iter().map(|m| Frame { title: m.name.to_string() }).collect(),
        boxes,
        arrows,
        styles: KINDS.iter().map(style).collect(),
        files: files.collect(),
    }
}
