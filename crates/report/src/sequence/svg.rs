//! A sequence diagram as SVG.

use std::fmt::Write as _;

use super::layout::{HEAD, Lane, Layout, layout, width_of};
use super::{Arrow, ArrowKind, Event, Mark, Sequence};
use crate::drawing::escaped;

/// Texts wider than this are cut; the whole is shown when the pointer rests there.
const WIDEST: usize = 58;

/// The colours of the arrows, in the order of [`ArrowKind`].
const KINDS: [(&str, &str, &str); 3] =
    [("message", "#0969da", ""), ("start", "#1a7f37", "3 3"), ("signal", "#bc4c00", "7 3")];

const STYLE: &str = "\
.seq text{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b1f24}\
.seq .head rect{fill:#ddf4ff;stroke:#57606a}.seq .head .name{font-weight:bold}\
.seq .head .detail{font-size:9.5px;fill:#57606a}\
.seq .life{stroke:#8c959f;stroke-width:1.2}\
.seq .event circle{fill:#57606a}.seq .event .label{fill:#57606a}\
.seq .event .cross{stroke:#57606a;stroke-width:2}\
.seq .failing circle{fill:#cf222e}.seq .failing .label{fill:#cf222e;font-weight:bold}\
.seq .failing .cross{stroke:#cf222e;stroke-width:3}\
.seq .failing .row{fill:#ffebe9}.seq .row{fill:#fff;fill-opacity:0}\
.seq .failing .row{fill-opacity:1}\
.seq .event:hover .row,.seq .event.on .row{fill:#fff8c5;fill-opacity:1}\
.seq .arrow path{fill:none;stroke-width:1.5}.seq .arrow .halo{stroke:#fff;stroke-width:3px}\
.seq .lost path{opacity:.55}";

/// The whole diagram. `id` makes the names inside it differ from those of other diagrams on a page.
pub fn svg(sequence: &Sequence, id: &str) -> String {
    let layout = layout(sequence);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg class=\"seq\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.0} {h:.0}\" \
         width=\"{w:.0}\" height=\"{h:.0}\" role=\"img\">",
        w = layout.width,
        h = layout.height
    );
    let _ = writeln!(out, "<title>{}</title><style>{STYLE}</style>", escaped(&sequence.title));
    let _ = writeln!(
        out,
        "<rect x=\"0\" y=\"0\" width=\"{:.0}\" height=\"{:.0}\" fill=\"#fff\"/><defs>",
        layout.width, layout.height
    );
    for (number, (_, colour, _)) in KINDS.iter().enumerate() {
        let _ = writeln!(
            out,
            "<marker id=\"{id}tip{number}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" \
             fill=\"{colour}\"/></marker>"
        );
    }
    out.push_str("</defs>\n");
    // Rows first, so that what belongs to other rows is drawn over them.
    for (number, event) in sequence.events.iter().enumerate() {
        draw_event(sequence, &layout, number, event, &mut out);
    }
    for (number, lane) in layout.lanes.iter().enumerate() {
        draw_lane(sequence, number, lane, &mut out);
    }
    for (number, event) in sequence.events.iter().enumerate() {
        draw_mark(&layout, number, event, &mut out);
        for arrow in &event.arrows {
            draw_arrow(&layout, number, event, arrow, id, &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn draw_lane(sequence: &Sequence, number: usize, lane: &Lane, out: &mut String) {
    let Some(column) = sequence.columns.get(number) else { return };
    let (x, y) = (lane.x, lane.head_y);
    let _ = writeln!(
        out,
        "<line class=\"life\" x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{:.1}\"/>",
        y + HEAD,
        lane.end_y.max(y + HEAD)
    );
    let _ = write!(
        out,
        "<g class=\"head\"><title>{}</title><rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" \
         height=\"{HEAD:.1}\" rx=\"5\"/>",
        escaped(format!("{} {}", column.name, column.detail).trim()),
        x - lane.head_width / 2.0,
        lane.head_width
    );
    let name_y = y + if column.detail.is_empty() { 21.0 } else { 15.0 };
    let _ = write!(
        out,
        "<text class=\"name\" x=\"{x:.1}\" y=\"{name_y:.1}\" text-anchor=\"middle\">{}</text>",
        escaped(&column.name)
    );
    if !column.detail.is_empty() {
        let _ = write!(
            out,
            "<text class=\"detail\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y + 27.0,
            escaped(&column.detail)
        );
    }
    out.push_str("</g>\n");
}

/// What is shown when the pointer rests on an event.
fn hint(sequence: &Sequence, event: &Event) -> String {
    let who = sequence.columns.get(event.column).map_or("", |column| &column.name);
    let mut text = format!("{who} {}", event.text);
    for line in [&event.place, &event.source] {
        if !line.is_empty() {
            text.push('\n');
            text.push_str(line);
        }
    }
    text
}

/// The background of a row, which carries the hint, and the words beside the column.
fn draw_event(
    sequence: &Sequence,
    layout: &Layout,
    number: usize,
    event: &Event,
    out: &mut String,
) {
    let Some(lane) = layout.lanes.get(event.column) else { return };
    let y = layout.rows[number];
    let failing = if event.failing { " failing" } else { "" };
    // Line breaks in a title are kept by browsers.
    let hint: Vec<String> = hint(sequence, event).lines().map(escaped).collect();
    let _ = write!(
        out,
        "<g class=\"event{failing}\" data-event=\"{number}\"><title>{}</title>\
         <rect class=\"row\" x=\"0\" y=\"{:.1}\" width=\"{:.0}\" height=\"28\"/>",
        hint.join("\n"),
        y - 14.0,
        layout.width
    );
    if !event.label.is_empty() {
        // Beside the column, on the side where no arrow leaves.
        let _ = write!(
            out,
            "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            lane.x + 12.0,
            y + 4.0,
            escaped(&cut(&event.label))
        );
    }
    out.push_str("</g>\n");
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(WIDEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn draw_mark(layout: &Layout, number: usize, event: &Event, out: &mut String) {
    let Some(lane) = layout.lanes.get(event.column) else { return };
    let (x, y) = (lane.x, layout.rows[number]);
    let failing = if event.failing { " failing" } else { "" };
    let _ = write!(out, "<g class=\"event{failing}\">");
    let _ = match event.mark {
        Mark::Point => write!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"),
        Mark::End => write!(
            out,
            "<path class=\"cross\" d=\"M{:.1} {:.1}l12 12m0 -12l-12 12\"/>",
            x - 6.0,
            y - 6.0
        ),
        Mark::Waits => write!(
            out,
            "<path class=\"cross\" fill=\"none\" d=\"M{:.1} {:.1}h12l-12 12h12z\"/>",
            x - 6.0,
            y - 6.0
        ),
    };
    out.push_str("</g>\n");
}

fn draw_arrow(
    layout: &Layout,
    number: usize,
    event: &Event,
    arrow: &Arrow,
    id: &str,
    out: &mut String,
) {
    let (Some(from), Some(to)) = (layout.lanes.get(event.column), layout.lanes.get(arrow.to))
    else {
        return;
    };
    let kind = arrow.kind as usize;
    let (_, colour, dashes) = KINDS[kind];
    let y = layout.rows[number];
    let received = arrow.received.and_then(|at| layout.rows.get(at)).copied();
    let lost = received.is_none() && arrow.kind == ArrowKind::Message;
    let right = to.x >= from.x;
    let (path, text_x, text_y, slope) = if event.column == arrow.to {
        // To itself: a loop to the right.
        let end = received.unwrap_or(y + 16.0);
        let x = from.x;
        let path = format!(
            "M{:.1} {y:.1}C{a:.1} {y:.1} {a:.1} {end:.1} {:.1} {end:.1}",
            x,
            x + 5.0,
            a = x + 44.0
        );
        (path, x + 40.0 + width_of(&cut(&arrow.text)) / 2.0, (y + end) / 2.0 + 4.0, 0.0)
    } else {
        let end_y = match arrow.kind {
            ArrowKind::Spawn => y,
            _ => received.unwrap_or(y + 10.0),
        };
        let half = match arrow.kind {
            ArrowKind::Spawn => to.head_width / 2.0,
            _ => 4.0,
        };
        let x1 = from.x + if right { 4.0 } else { -4.0 };
        let x2 = to.x + if right { -half } else { half };
        let slope = (end_y - y) / (x2 - x1);
        // The words begin where the arrow does: there, others are a row away.
        let length = (x2 - x1).abs().max(1.0);
        let share = ((width_of(&cut(&arrow.text)) / 2.0 + 14.0) / length).min(0.5);
        let (tx, ty) = (x1 + (x2 - x1) * share, y + (end_y - y) * share - 5.0);
        (format!("M{x1:.1} {y:.1}L{x2:.1} {end_y:.1}"), tx, ty, slope)
    };
    let _ = write!(
        out,
        "<g class=\"arrow{}\"><title>{}</title><path d=\"{path}\" stroke=\"{colour}\" \
         stroke-dasharray=\"{dashes}\" marker-end=\"url(#{id}tip{kind})\"/>",
        if lost { " lost" } else { "" },
        escaped(&arrow.text)
    );
    if !arrow.text.is_empty() {
        let text = escaped(&cut(&arrow.text));
        // Along the line.
        let turn = match slope.atan().to_degrees() {
            degrees if degrees.abs() < 0.5 || !degrees.is_finite() => String::new(),
            degrees => format!(" transform=\"rotate({degrees:.1} {text_x:.1} {text_y:.1})\""),
        };
        let place = format!("x=\"{text_x:.1}\" y=\"{text_y:.1}\" text-anchor=\"middle\"{turn}");
        // Once in white, broader, so that it can be read over lines.
        let _ = write!(
            out,
            "<text class=\"halo\" {place}>{text}</text>\
             <text {place} style=\"fill:{colour}\">{text}</text>"
        );
    }
    out.push_str("</g>\n");
}
