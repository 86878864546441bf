//! A picture as SVG.

use std::fmt::Write as _;

use super::labelled::LINE;
use super::layout::{Layout, ROW, Rect, Route, TITLE, layout};
use super::{Arrangement, Arrow, End, Picture, escaped};

/// The whole picture as a document.
pub fn svg(picture: &Picture) -> String {
    let layout = layout(picture);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {:.0}\" width=\"{:.0}\" \
         height=\"{:.0}\">",
        layout.width, layout.height, layout.width, layout.height
    );
    let _ = writeln!(out, "<style>{STYLE}</style>");
    out.push_str(&content(picture, &layout));
    out.push_str("</svg>\n");
    out
}

pub(crate) const STYLE: &str = "\
text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#1b1f24}\
.frame>rect{fill:#f6f8fa;stroke:#afb8c1;stroke-dasharray:6 3}\
.frame>text{font-weight:bold;fill:#57606a}\
.box>rect{fill:#fff;stroke:#57606a}.box>.head{fill:#ddf4ff;stroke:#57606a}\
.box>.title{font-weight:bold}\
.arrow>path{fill:none;stroke-width:1.4}.arrow.doubtful>path{opacity:.45}\
.arrow>.words{fill:#fff;stroke:none}\
.arrow>text{font-size:10px;paint-order:stroke;stroke:#fff;stroke-width:3px}\
.legend text{font-size:11px}";

/// Everything inside the outermost element.
pub(crate) fn content(picture: &Picture, layout: &Layout) -> String {
    let mut out = String::new();
    markers(picture, &mut out);
    legend(picture, &mut out);
    let frames = picture.frames.iter().filter(|_| picture.arrangement == Arrangement::Framed);
    for (index, (frame, rect)) in frames.zip(&layout.frames).enumerate() {
        let _ = writeln!(
            out,
            "<g class=\"frame\" data-frame=\"{index}\"><rect {} rx=\"8\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
            attributes(*rect),
            rect.x + 10.0,
            rect.y + 16.0,
            escaped(&frame.title)
        );
    }
    for index in 0..picture.boxes.len() {
        draw_box(picture, layout, index, &mut out);
    }
    for (index, arrow) in picture.arrows.iter().enumerate() {
        draw_arrow(picture, layout, index, arrow, &mut out);
    }
    out
}

fn attributes(rect: Rect) -> String {
    format!(
        "x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"",
        rect.x, rect.y, rect.width, rect.height
    )
}

fn markers(picture: &Picture, out: &mut String) {
    out.push_str("<defs>\n");
    for (index, style) in picture.styles.iter().enumerate() {
        let _ = writeln!(
            out,
            "<marker id=\"head{index}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
             <path d=\"M0 0L8 4L0 8z\" fill=\"{}\"/></marker>",
            style.colour
        );
    }
    out.push_str("</defs>\n");
}

fn legend(picture: &Picture, out: &mut String) {
    let mut x = 24.0;
    let _ = writeln!(out, "<g class=\"legend\">");
    for (index, style) in picture.styles.iter().enumerate() {
        let count = picture.arrows.iter().filter(|arrow| arrow.style == index).count();
        if count == 0 && picture.arrangement == Arrangement::Labelled {
            continue;
        }
        let text = format!("{} ({count})", style.name);
        let _ = writeln!(
            out,
            "<line x1=\"{x:.0}\" y1=\"18\" x2=\"{:.0}\" y2=\"18\" stroke=\"{}\" \
             stroke-dasharray=\"{}\" stroke-width=\"2\"/><text x=\"{:.0}\" y=\"22\">{}</text>",
            x + 26.0,
            style.colour,
            style.dashes,
            x + 32.0,
            escaped(&text)
        );
        x += 60.0 + text.chars().count() as f64 * 6.7;
    }
    out.push_str("</g>\n");
}

fn source_attributes(source: Option<super::Source>) -> String {
    source.map_or_else(String::new, |source| {
        format!(
            " data-file=\"{}\" data-line=\"{}\" data-end=\"{}\"",
            source.file, source.line, source.end_line
        )
    })
}

fn draw_box(picture: &Picture, layout: &Layout, index: usize, out: &mut String) {
    let (of, rect) = (&picture.boxes[index], layout.boxes[index]);
    let head = Rect { height: TITLE, ..rect };
    let _ = writeln!(
        out,
        "<g class=\"box\" data-box=\"{index}\" data-frame=\"{}\"><rect {} rx=\"3\"/>\
         <rect class=\"head\" {} rx=\"3\"/>\
         <text class=\"title\" x=\"{:.1}\" y=\"{:.1}\"{}>{}</text>",
        of.frame,
        attributes(rect),
        attributes(head),
        rect.x + 10.0,
        rect.y + 16.0,
        source_attributes(of.source),
        escaped(&of.title)
    );
    for (row, item) in of.rows.iter().enumerate() {
        let _ = writeln!(
            out,
            "<text class=\"row\" x=\"{:.1}\" y=\"{:.1}\"{}>{}</text>",
            rect.x + 10.0,
            rect.y + TITLE + row as f64 * ROW + 13.0,
            source_attributes(item.source),
            escaped(&item.text)
        );
    }
    out.push_str("</g>\n");
}

/// The height at which an arrow meets its box.
fn height(rect: Rect, end: End) -> f64 {
    match end.row {
        Some(row) => rect.y + TITLE + row as f64 * ROW + 9.0,
        None => rect.y + TITLE / 2.0,
    }
}

/// A curve from the side of one box to the side of the other.
fn curve(from: Rect, to: Rect, from_end: End, to_end: End) -> (String, f64, f64) {
    let (y1, y2) = (height(from, from_end), height(to, to_end));
    let (right_from, right_to) = (from.x + from.width, to.x + to.width);
    let itself = from_end.of_box == to_end.of_box;
    let (x1, x2, bend1, bend2) = if itself {
        (right_from, right_to, 36.0, 36.0)
    } else if right_from <= to.x {
        (right_from, to.x, 40.0, -40.0)
    } else if right_to <= from.x {
        (from.x, right_to, -40.0, 40.0)
    } else {
        // One above the other: around the side that is nearer.
        let left = (from.x - to.x).abs() <= (right_from - right_to).abs();
        if left { (from.x, to.x, -40.0, -40.0) } else { (right_from, right_to, 40.0, 40.0) }
    };
    let path = format!(
        "M{x1:.1} {y1:.1}C{:.1} {y1:.1} {:.1} {y2:.1} {x2:.1} {y2:.1}",
        x1 + bend1,
        x2 + bend2
    );
    (path, (x1 + x2) / 2.0 + (bend1 + bend2) * 0.375, (y1 + y2) / 2.0)
}

/// A smooth line through points one below the other; beside a box, out and back.
fn through(points: &[(f64, f64)]) -> String {
    let Some(((x, y), rest)) = points.split_first() else { return String::new() };
    if let [(out, _), (x2, y2)] = rest
        && x == x2
    {
        let far = x + (out - x) * 4.0 / 3.0;
        return format!("M{x:.1} {y:.1}C{far:.1} {y:.1} {far:.1} {y2:.1} {x2:.1} {y2:.1}");
    }
    let mut path = format!("M{x:.1} {y:.1}");
    for (&(x1, y1), &(x2, y2)) in points.iter().zip(rest) {
        let middle = (y1 + y2) / 2.0;
        let _ = write!(path, "C{x1:.1} {middle:.1} {x2:.1} {middle:.1} {x2:.1} {y2:.1}");
    }
    path
}

/// The words of an arrow, a line below the other, in the room that was left for them.
fn placed_words(label: &str, rect: Rect, colour: &str) -> String {
    let mut out = format!("<rect class=\"words\" {}/>", attributes(rect));
    for (index, line) in label.lines().enumerate() {
        let _ = write!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" \
             style=\"fill:{colour}\">{}</text>",
            rect.x + rect.width / 2.0,
            rect.y + LINE * index as f64 + 11.0,
            escaped(line)
        );
    }
    out
}

fn draw_arrow(picture: &Picture, layout: &Layout, index: usize, arrow: &Arrow, out: &mut String) {
    let Some(style) = picture.styles.get(arrow.style) else { return };
    let (path, words) = match layout.routes.get(index) {
        Some(Route { points, label }) => {
            let words = match arrow.label.is_empty() {
                true => String::new(),
                false => placed_words(&arrow.label, *label, style.colour),
            };
            (through(points), words)
        }
        None => {
            let (from, to) = (layout.boxes[arrow.from.of_box], layout.boxes[arrow.to.of_box]);
            let (path, x, y) = curve(from, to, arrow.from, arrow.to);
            (path, words_at(&arrow.label, x, y, style.colour))
        }
    };
    let _ = writeln!(
        out,
        "<g class=\"arrow style{}{}\" data-arrow=\"{index}\"><path d=\"{path}\" stroke=\"{}\" \
         stroke-dasharray=\"{}\" marker-end=\"url(#head{})\"/>{words}</g>",
        arrow.style,
        if arrow.doubtful { " doubtful" } else { "" },
        style.colour,
        style.dashes,
        arrow.style,
    );
}

/// The words of an arrow at the middle of its curve.
fn words_at(label: &str, x: f64, y: f64, colour: &str) -> String {
    if label.is_empty() {
        return String::new();
    }
    format!(
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" style=\"fill:{colour}\">{}</text>",
        y - 4.0,
        escaped(label)
    )
}
