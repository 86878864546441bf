//! Coverage as one HTML page: the table, and the source of every module with what was not covered.
//!
//! A line shows how often it was evaluated. Expressions and clauses that were never reached are
//! red; a line with something else that is missing (a branch, a condition, a pair, a message) is
//! yellow, and what it is stands below it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use flow::ModuleId;

use super::{Missing, Report};
use crate::drawing::escaped;

const STYLE: &str = "\
body{font:14px system-ui,sans-serif;margin:24px;color:#1f2328}table{border-collapse:collapse}\
td,th{padding:3px 12px;text-align:right;border-bottom:1px solid #d0d7de}\
td:first-child,th:first-child{text-align:left}a{color:#0969da;text-decoration:none}\
.bar{display:inline-block;width:60px;height:8px;background:#ffcecb;margin-left:6px}\
.bar i{display:block;height:8px;background:#4ac26b}\
pre{font:12px ui-monospace,monospace;line-height:1.5;border:1px solid #d0d7de;overflow:auto}\
pre div{white-space:pre}pre .n{display:inline-block;width:5ch;text-align:right;color:#8c959f}\
pre .c{display:inline-block;width:8ch;text-align:right;color:#8c959f;margin-right:2ch}\
.full{background:#e6ffec}.part{background:#fff8c5}.none{background:#ffebe9}\
mark{background:#ffb8b0;color:inherit}.why{color:#9a6700;padding-left:17ch}\
h2{margin-top:32px}li{margin:2px 0}";

pub(super) fn html(report: &Report<'_>) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Coverage</title>\n\
         <style>{STYLE}</style>\n<h1>Coverage</h1>\n"
    );
    for line in report.runs.iter().chain(&report.notes) {
        let _ = writeln!(out, "<p>{}</p>", escaped(line));
    }
    table(report, &mut out);
    for &module in &report.modules {
        source(report, module, &mut out);
    }
    out.push_str("</html>\n");
    out
}

fn table(report: &Report<'_>, out: &mut String) {
    let (own, total) = report.figures();
    out.push_str("<table><tr><th>module</th>");
    for (name, _) in total.all() {
        let _ = write!(out, "<th>{name}</th>");
    }
    out.push_str("</tr>\n");
    let rows = report.modules.iter().map(|&module| Some(module)).chain([None]);
    for (module, figures) in rows.zip(own.iter().chain([&total])) {
        let name = match module {
            Some(module) => {
                let name = escaped(report.flow.modules[module].name.as_str());
                format!("<a href=\"#m{}\">{name}</a>", module.number())
            }
            None => "<b>total</b>".to_owned(),
        };
        let _ = write!(out, "<tr><td>{name}</td>");
        for (_, ratio) in figures.all() {
            let _ = match ratio.all {
                0 => write!(out, "<td>–</td>"),
                _ => write!(
                    out,
                    "<td>{}/{}<span class=\"bar\"><i style=\"width:{}%\"></i></span></td>",
                    ratio.covered,
                    ratio.all,
                    ratio.percent().floor()
                ),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>\n");
}

/// What is missing on a line.
#[derive(Default)]
struct Line {
    /// Ranges of columns that were never reached, from 1, the end excluded.
    red: Vec<(u32, u32)>,
    why: Vec<String>,
}

fn source(report: &Report<'_>, module: ModuleId, out: &mut String) {
    let name = escaped(report.flow.modules[module].name.as_str());
    let path = report.path(module);
    let id = module.number();
    let _ = write!(out, "<h2 id=\"m{id}\">{name}</h2>\n<p>{}</p>\n<pre>", escaped(&path));
    let counts = report.lines(module);
    let missing = report.missing(module);
    let lines = by_line(report, &path, &missing);
    for (index, text) in report.source(module).lines().enumerate() {
        let number = index as u32 + 1;
        let line = lines.get(&number);
        let count = counts.get(&number);
        let class = match (count, line) {
            (Some(0), _) => "none",
            (_, Some(line)) if !line.why.is_empty() || !line.red.is_empty() => "part",
            (Some(_), _) => "full",
            _ => "",
        };
        let shown = count.map_or(String::new(), |count| count.to_string());
        let _ = write!(
            out,
            "<div class=\"{class}\"><span class=\"n\">{number}</span>\
             <span class=\"c\">{shown}</span>{}</div>",
            marked(text, line.map_or(&[], |line| &line.red))
        );
        for why in line.map_or(&[][..], |line| &line.why) {
            let _ = write!(out, "<div class=\"why\">{}</div>", escaped(why));
        }
    }
    out.push_str("</pre>\n");
}

fn by_line(report: &Report<'_>, path: &str, missing: &[Missing]) -> BTreeMap<u32, Line> {
    let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
    for one in missing {
        let Some(place) = report.place(one.site).filter(|place| place.file == path) else {
            continue;
        };
        match one.criterion {
            "clause" if one.what.starts_with("the `after`") => {
                lines.entry(place.line).or_default().why.push(one.what.clone());
            }
            "node" | "clause" => {
                for number in place.line..=place.end_line {
                    let start = if number == place.line { place.column } else { 1 };
                    let end = if number == place.end_line { place.end_column } else { u32::MAX };
                    lines.entry(number).or_default().red.push((start, end));
                }
            }
            _ if one.implied => {}
            _ => {
                let line = lines.entry(place.line).or_default();
                line.why.push(format!("{}: {}", one.criterion, one.what));
            }
        }
    }
    lines
}

/// A line of text with ranges of columns marked.
fn marked(text: &str, red: &[(u32, u32)]) -> String {
    let mut out = String::new();
    let mut open = false;
    let indent = text.chars().take_while(|letter| letter.is_whitespace()).count() as u32;
    for (index, letter) in text.chars().enumerate() {
        let column = index as u32 + 1;
        let is_red =
            column > indent && red.iter().any(|&(start, end)| (start..end).contains(&column));
        if is_red != open {
            out.push_str(if is_red { "<mark>" } else { "</mark>" });
            open = is_red;
        }
        let mut buffer = [0; 4];
        out.push_str(&escaped(letter.encode_utf8(&mut buffer)));
    }
    if open {
        out.push_str("</mark>");
    }
    out
}
