//! What two versions do differently, as a page: old and new side by side.

use std::fmt::Write as _;

use session::compare::{Answer, Compared, Difference, Side, Verdict};

use super::{looked, name, side_lines, summary, what};
use crate::drawing::escaped;

const STYLE: &str = "body{font-family:sans-serif;margin:2em;max-width:70em}\
table{border-collapse:collapse;width:100%;margin:.5em 0 1.5em}\
td,th{border:1px solid #bbb;padding:.3em .6em;vertical-align:top;text-align:left}\
pre{margin:0;white-space:pre-wrap;font-family:monospace}\
.old{background:#fff0ee}.new{background:#eef8ee}.verdict{font-weight:bold}";

pub fn html(answer: &Answer) -> String {
    let mut body = String::new();
    let _ = writeln!(body, "<p class=\"verdict\">{}</p>", escaped(&summary(answer)));
    for entry in &answer.entries {
        for difference in &entry.differences {
            body.push_str(&one(entry, difference));
        }
    }
    for (functions, which) in [(&answer.lost, "old"), (&answer.gained, "new")] {
        if !functions.is_empty() {
            let names: Vec<String> = functions.iter().map(|&function| name(function)).collect();
            let names = escaped(&names.join(", "));
            let _ = writeln!(body, "<p>Only the {which} version has {names}</p>");
        }
    }
    body.push_str("<h2>How far was looked</h2>\n<ul>\n");
    for entry in &answer.entries {
        let _ = writeln!(body, "<li>{}</li>", escaped(&looked(entry)));
    }
    body.push_str("</ul>\n");
    let title = match answer.verdict {
        Verdict::Different => "Different",
        Verdict::Same => "Same as far as was looked",
        Verdict::Proven => "Proven the same",
        Verdict::Unreached => "Unreached",
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n{body}</body></html>\n"
    )
}

fn one(entry: &Compared, difference: &Difference) -> String {
    let cell = |side: &Side| {
        let mut lines = side_lines(difference.point, side);
        let at_end = side_lines(session::compare::Point::End, side);
        if lines != at_end {
            lines.extend(at_end);
        }
        escaped(&lines.join("\n"))
    };
    format!(
        "<h2>{}: {}</h2>\n<table>\n<tr><th>old</th><th>new</th></tr>\n\
         <tr><td><pre>{}</pre></td><td><pre>{}</pre></td></tr>\n\
         <tr><td class=\"old\"><pre>{}</pre></td><td class=\"new\"><pre>{}</pre></td></tr>\n\
         </table>\n",
        escaped(&entry.name),
        escaped(what(difference.label)),
        escaped(&difference.old_call),
        escaped(&difference.new_call),
        cell(&difference.old),
        cell(&difference.new)
    )
}
