//! What an exploration found, as one HTML page that needs no network: each finding with its
//! sentence, its story, its sequence diagram and the source that the story goes through. Pointing
//! at a step of the story marks it in the diagram, and the other way round.

use std::fmt::Write as _;

use syntax::wording::counted;

use super::{Excerpt, Figures, Found, shown, who};
use crate::drawing::escaped;
use crate::sequence::{Sequence, svg};
use crate::words;

/// A finding with what is only shown on the page.
pub(super) struct Shown<'a> {
    pub(super) found: &'a Found,
    pub(super) sequence: Sequence,
    pub(super) excerpts: Vec<Excerpt>,
}

/// One exploration on the page.
pub(super) struct Section<'a> {
    pub(super) figures: &'a Figures,
    pub(super) findings: Vec<Shown<'a>>,
}

/// The whole page.
pub(super) fn html(title: &str, sections: &[Section<'_>]) -> String {
    let mut body = String::new();
    if sections.len() > 1 {
        table(sections, &mut body);
    }
    for (number, section) in sections.iter().enumerate() {
        exploration(number, section, &mut body);
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{body}<script>{SCRIPT}</script>\
         </body></html>\n",
        title = escaped(title),
    )
}

fn table(sections: &[Section<'_>], out: &mut String) {
    out.push_str(
        "<table class=\"tests\"><tr><th>test</th><th>result</th><th>executions</th>\
         <th>errors</th></tr>\n",
    );
    for (number, section) in sections.iter().enumerate() {
        let figures = section.figures;
        let (class, word) = verdict(figures);
        let _ = writeln!(
            out,
            "<tr class=\"{class}\"><td><a href=\"#e{number}\">{}</a></td><td>{word}</td><td>{}</td>\
             <td>{}</td></tr>",
            escaped(&figures.call),
            figures.executions,
            figures.findings.len()
        );
    }
    out.push_str("</table>\n");
}

/// A class for the style sheet and a word.
fn verdict(figures: &Figures) -> (&'static str, &'static str) {
    match (figures.findings.is_empty(), figures.complete) {
        (false, _) => ("bad", "fails"),
        (true, true) => ("good", "verified"),
        (true, false) => ("open", "not complete"),
    }
}

fn exploration(number: usize, section: &Section<'_>, out: &mut String) {
    let figures = section.figures;
    let (class, word) = verdict(figures);
    let _ = writeln!(
        out,
        "<section class=\"exploration {class}\" id=\"e{number}\"><h2>{} <em>{word}</em></h2>\
         <p>{} explored, {} with errors.",
        escaped(&figures.call),
        counted(figures.executions, "execution"),
        figures.erroneous
    );
    match &figures.incomplete_because {
        None if section.findings.is_empty() => {
            out.push_str(" Complete: no schedule of this test fails.</p>\n");
        }
        None => out.push_str(" Complete: these are all errors of this test.</p>\n"),
        Some(why) => {
            let _ = writeln!(
                out,
                " Not complete: {}; other schedules may behave otherwise.</p>",
                escaped(why)
            );
        }
    }
    for (nth, shown) in section.findings.iter().enumerate() {
        finding(&format!("e{number}f{nth}"), shown, out);
    }
    out.push_str("</section>\n");
}

fn finding(id: &str, on_page: &Shown<'_>, out: &mut String) {
    let found = on_page.found;
    let (finding, story) = (&found.explained.finding, &found.explained.story);
    let _ = writeln!(
        out,
        "<article id=\"{id}\"><h3><span class=\"kind\">{}</span> {}</h3>\n<p>In {}; shown is the \
         simplest, with {}.</p>",
        finding.kind().name(),
        escaped(&found.sentence()),
        counted(finding.count, "execution"),
        counted(finding.schedule.preemptions as u64, "preemption")
    );
    for line in words::brought_down(&found.explained.consequences) {
        let _ = writeln!(out, "<p class=\"consequence\">{}</p>", escaped(&line));
    }
    if let Some(witness) = &found.witness {
        let _ = writeln!(out, "<p>Again: <code>erlscope replay {}</code></p>", escaped(witness));
    }
    out.push_str("<div class=\"panes\"><div class=\"story\"><table>\n");
    for (number, step) in shown(story).enumerate() {
        let place = step
            .place
            .as_ref()
            .map_or(String::new(), |place| format!("{}:{}", short_path(&place.file), place.line));
        let _ = writeln!(
            out,
            "<tr data-event=\"{number}\"{}><td class=\"who\">{}</td><td>{}</td>\
             <td class=\"place\">{}</td></tr>",
            if step.failing { " class=\"failing\"" } else { "" },
            escaped(who(story, step)),
            escaped(&words::action(&step.action)),
            escaped(&place)
        );
    }
    let _ = writeln!(
        out,
        "</table></div>\n<div class=\"diagram\">{}</div></div>",
        svg(&on_page.sequence, id)
    );
    for excerpt in &on_page.excerpts {
        source(excerpt, out);
    }
    out.push_str("</article>\n");
}

/// The last part of a path.
fn short_path(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn source(excerpt: &Excerpt, out: &mut String) {
    let _ = write!(out, "<figure><figcaption>{}</figcaption><pre>", escaped(&excerpt.file));
    let mut last = None;
    for line in &excerpt.lines {
        if last.is_some_and(|last| last + 1 != line.number) {
            out.push_str("<span class=\"gap\">⋮</span>");
        }
        last = Some(line.number);
        let class = match (line.failing, line.in_story) {
            (true, _) => " class=\"failing\"",
            (_, true) => " class=\"in\"",
            _ => "",
        };
        // No line breaks between: they would be empty lines.
        let _ = write!(
            out,
            "<span{class} data-n=\"{}\">{}</span>",
            line.number,
            escaped(&line.text.replace('\t', "    "))
        );
    }
    out.push_str("</pre></figure>\n");
}

const STYLE: &str = "\
body{font:14px/1.45 system-ui,sans-serif;color:#1b1f24;margin:24px auto;\
max-width:1500px;padding:0 20px}\
h1{font-size:22px}h2{font-size:18px;border-bottom:1px solid #d0d7de;padding-bottom:4px}\
h2 em{font-style:normal;font-size:13px;border-radius:10px;padding:2px 9px;\
color:#fff;background:#9a6700}\
.bad h2 em{background:#cf222e}.good h2 em{background:#1a7f37}\
h3{font-size:15px;font-weight:600}.kind{color:#cf222e;font-family:ui-monospace,monospace}\
article{border:1px solid #d0d7de;border-radius:8px;padding:2px 16px 12px;margin:16px 0}\
table{border-collapse:collapse}td,th{padding:2px 10px 2px 0;text-align:left;vertical-align:top}\
.tests td,.tests th{border-bottom:1px solid #eaeef2;padding:4px 16px 4px 0}\
.tests .bad td:nth-child(2){color:#cf222e}.tests .good td:nth-child(2){color:#1a7f37}\
.panes{display:flex;flex-wrap:wrap;gap:24px;align-items:flex-start}.story{font-size:13px}\
.who{font-weight:600;white-space:nowrap}.place{color:#57606a;font:12px ui-monospace,monospace}\
tr[data-event]{cursor:default}tr.on,tr[data-event]:hover{background:#fff8c5}\
tr.failing{background:#ffebe9;color:#a40e26}\
.diagram{overflow:auto;max-width:100%;border:1px solid #eaeef2;border-radius:6px}\
figure{margin:12px 0}figcaption{color:#57606a;font:12px ui-monospace,monospace}\
pre{font:12px/1.5 ui-monospace,Menlo,Consolas,monospace;background:#f6f8fa;border-radius:6px;\
padding:8px 0;margin:4px 0;overflow:auto}\
pre span{display:block;padding:0 12px}pre span::before{content:attr(data-n);display:inline-block;\
width:4ch;margin-right:1.5ch;text-align:right;color:#8c959f}\
pre .in{background:#fff8c5}pre .failing{background:#ffd7d5}pre .gap{color:#8c959f}";

/// Marks the same step in the story and in the diagram.
const SCRIPT: &str = "\
document.querySelectorAll('article').forEach(a=>{a.querySelectorAll('[data-event]').forEach(e=>{\
const all=a.querySelectorAll('[data-event=\"'+e.dataset.event+'\"]');\
e.onmouseenter=()=>all.forEach(x=>x.classList.add('on'));\
e.onmouseleave=()=>all.forEach(x=>x.classList.remove('on'));});});";
