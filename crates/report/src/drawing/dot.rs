//! A picture in Graphviz's language: frames are clusters, boxes are tables whose rows are ports.

use std::fmt::Write as _;

use super::{End, Picture, escaped};

/// The whole picture as a `digraph`.
pub fn dot(picture: &Picture) -> String {
    let mut out = String::from("digraph flow {\n");
    let _ = writeln!(out, "  graph [label={}, labelloc=t, compound=true];", quoted(&picture.title));
    out.push_str("  node [shape=plain, fontname=monospace, fontsize=10];\n");
    out.push_str("  edge [fontname=monospace, fontsize=9];\n");
    for (index, frame) in picture.frames.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{index} {{");
        let _ = writeln!(out, "    label={}; style=dashed;", quoted(&frame.title));
        for (number, of) in picture.boxes.iter().enumerate().filter(|(_, of)| of.frame == index) {
            let mut table = format!(
                "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\"><tr><td port=\"t\" \
                 bgcolor=\"#ddf4ff\"><b>{}</b></td></tr>",
                escaped(&of.title)
            );
            for (row, item) in of.rows.iter().enumerate() {
                let _ = write!(
                    table,
                    "<tr><td port=\"r{row}\" align=\"left\">{}</td></tr>",
                    escaped(&item.text)
                );
            }
            let _ = writeln!(out, "    b{number} [label=<{table}</table>>];");
        }
        out.push_str("  }\n");
    }
    for arrow in &picture.arrows {
        let Some(style) = picture.styles.get(arrow.style) else { continue };
        let line = match (style.dashes.is_empty(), arrow.doubtful) {
            (false, _) => "dashed",
            (true, true) => "dotted",
            (true, false) => "solid",
        };
        let _ = writeln!(
            out,
            "  {} -> {} [color=\"{}\", style={line}, class=\"{}\", label={}];",
            port(arrow.from),
            port(arrow.to),
            style.colour,
            style.name,
            quoted(&arrow.label)
        );
    }
    out.push_str("}\n");
    out
}

fn port(end: End) -> String {
    match end.row {
        Some(row) => format!("b{}:r{row}", end.of_box),
        None => format!("b{}:t", end.of_box),
    }
}

/// A string of Graphviz: quotes, backslashes and ends of lines have to be escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
