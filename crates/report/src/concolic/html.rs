//! The paths of a function as a page: what fails, every path with its input, and which input
//! reached which branch first.

use std::fmt::Write as _;

use session::concolic::Answer;

use super::{concretised, ending, incomplete, summary, told};
use crate::drawing::escaped;

const STYLE: &str = "body{font-family:sans-serif;margin:2em;max-width:70em}\
table{border-collapse:collapse;width:100%;margin:.5em 0 1.5em}\
td,th{border:1px solid #bbb;padding:.3em .6em;vertical-align:top;text-align:left}\
code,pre{font-family:monospace;white-space:pre-wrap;margin:0}\
.fails{background:#fff0ee}.reached{background:#eef8ee}.verdict{font-weight:bold}";

pub fn html(what: &str, answer: &Answer) -> String {
    let mut body = String::new();
    let _ = writeln!(body, "<p class=\"verdict\">{}</p>", escaped(&summary(what, answer)));
    for why in &answer.incomplete {
        let _ = writeln!(body, "<p>Not every path: {}</p>", escaped(&incomplete(why, answer)));
    }
    for failed in &answer.errors {
        let _ = writeln!(body, "<pre class=\"fails\">{}</pre>", escaped(&told(failed)));
    }
    branches(answer, &mut body);
    body.push_str("<h2>Paths</h2>\n<table>\n<tr><th></th><th>input</th><th>what comes</th></tr>\n");
    for (number, ran) in answer.paths.iter().enumerate() {
        let (call, ending) = (escaped(&ran.call), escaped(&ending(&ran.ending)));
        let number = number + 1;
        let _ = writeln!(
            body,
            "<tr id=\"path-{number}\"><td>{number}</td><td><code>{call}</code></td>\
             <td><code>{ending}</code></td></tr>"
        );
    }
    body.push_str("</table>\n");
    if !answer.concretised.is_empty() {
        body.push_str("<h2>Not followed</h2>\n<ul>\n");
        for taken in &answer.concretised {
            let _ = writeln!(body, "<li>{}</li>", escaped(&concretised(taken)));
        }
        body.push_str("</ul>\n");
    }
    let title = escaped(&format!("Paths of {what}"));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n{body}</body></html>\n"
    )
}

/// Which branch was reached by which path first.
fn branches(answer: &Answer, body: &mut String) {
    if answer.branches.is_empty() {
        return;
    }
    body.push_str("<h2>Branches</h2>\n<table>\n");
    body.push_str("<tr><th>place</th><th>way</th><th>first reached by</th></tr>\n");
    for (branch, by) in answer.branches.iter().zip(&answer.reached_by) {
        let (class, by) = match by.and_then(|path| Some((path + 1, answer.paths.get(path)?))) {
            Some((number, ran)) => {
                let call = escaped(&ran.call);
                ("reached", format!("<a href=\"#path-{number}\">{number}</a> <code>{call}</code>"))
            }
            None if branch.reached => ("reached", "another order of processes".to_owned()),
            None => ("", "nothing".to_owned()),
        };
        let place = escaped(&format!("{}:{}:{}", branch.module, branch.line, branch.column));
        let _ = writeln!(
            body,
            "<tr class=\"{class}\"><td>{place}</td><td>{}</td><td>{by}</td></tr>",
            escaped(&branch.way)
        );
    }
    body.push_str("</table>\n");
}
