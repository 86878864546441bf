//! A debugging session as one HTML page that needs no network: the verdict with its reasons, what
//! was asked and answered, the tree as far as it was asked about, and what happened between
//! processes as a sequence diagram, whose events have numbers that the questions refer to.

use std::collections::BTreeMap;

use session::debug::{Answer, Came, Happened, Question, Verdict, What, Who};

use super::{folded, question, said, verdict, whereabouts};
use crate::drawing::escaped;
use crate::sequence::{Arrow, ArrowKind, Column, Event, Mark, Sequence, svg};

/// A session that is over.
pub struct Page<'a> {
    /// The call, or what else was run.
    pub title: &'a str,
    pub ended: Option<&'a str>,
    pub verdict: Option<&'a Verdict>,
    /// What could be wrong, where the answers did not suffice.
    pub open: &'a [String],
    pub asked: &'a [Asked],
    pub happened: &'a [Happened],
    pub nodes: u64,
}

/// A question that was asked, and its answer.
#[derive(Clone, Debug)]
pub struct Asked {
    pub question: Question,
    pub answer: Answer,
    pub who: Who,
    /// What was called by whom to come there, outermost first.
    pub path: Vec<String>,
}

/// The whole page.
pub fn html(page: &Page<'_>) -> String {
    let mut body = String::new();
    let blame = match (page.verdict, page.open) {
        (Some(found), _) => verdict(found, false),
        (None, []) => "nothing was found to be wrong\n".to_owned(),
        (None, open) => format!("one of these is wrong: {}\n", open.join(", ")),
    };
    body += &format!("<h2>Verdict</h2>\n<pre class=\"verdict\">{}</pre>\n", escaped(&blame));
    if page.verdict.is_some() {
        body += &format!("<h3>Reasons</h3>\n{}", reasons(page));
    }
    body += "<h2>Questions</h2>\n<ol>\n";
    for asked in page.asked {
        body += &format!(
            "<li class=\"{class}\"><pre>{text}</pre><p>{events}<b>{class}</b>, says {who} \
             ({place})</p></li>\n",
            class = said(asked.answer),
            text = escaped(question(&asked.question).trim_end()),
            events = escaped(&events(&asked.question)),
            who = asked.who.name(),
            place = escaped(&whereabouts(&asked.question)),
        );
    }
    body += "</ol>\n<h2>The tree, as far as it was asked about</h2>\n";
    body += &tree(page.asked);
    if page.happened.len() > 1 {
        let picture = svg(&sequence(page), "happened");
        body += &format!("<h2>What happened</h2>\n<div class=\"picture\">{picture}</div>\n");
    }
    let ended = page.ended.map_or_else(String::new, |ended| format!(": {}", escaped(ended)));
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n<p>the run{ended}; {nodes} statements, {asked} \
         questions</p>\n{body}</html>\n",
        title = escaped(page.title),
        nodes = page.nodes,
        asked = page.asked.len(),
    )
}

const STYLE: &str = "\
body{font:14px system-ui,sans-serif;margin:2em;max-width:70em}pre{font:12px ui-monospace,monospace;\
white-space:pre-wrap;margin:0}li{margin:.6em 0;padding-left:.6em;border-left:4px solid #d0d7de}\
li p{margin:.2em 0;color:#57606a}.right,.inadmissible{border-color:#2da44e}.wrong{border-color:\
#cf222e}.trusted{border-color:#54aeff}.verdict{background:#fff8c5;padding:1em}\
.picture{overflow:auto;border:1px solid #d0d7de}";

/// The numbers of the events that a question is about.
fn events(question: &Question) -> String {
    let numbers: Vec<String> =
        question.sent.iter().map(|sent| format!("#{}", sent.number)).collect();
    if numbers.is_empty() { String::new() } else { format!("events {}; ", numbers.join(", ")) }
}

/// What was said to be wrong, and of what is below it that it is right.
fn reasons(page: &Page<'_>) -> String {
    let mut text = String::from("<ul>\n");
    for asked in page.asked {
        let is_wrong = asked.answer == Answer::Wrong;
        let word = if is_wrong { "it is wrong that" } else { "it is not to blame that" };
        let line = question(&asked.question);
        let line = line.lines().next().unwrap_or_default();
        text += &format!("<li class=\"{}\">{word} {}</li>\n", said(asked.answer), escaped(line));
    }
    text + "</ul>\n"
}

/// What leads to the questions, each call once.
fn tree(asked: &[Asked]) -> String {
    #[derive(Default)]
    struct Node {
        answer: Option<Answer>,
        below: BTreeMap<String, Node>,
    }
    let mut root = Node::default();
    for one in asked {
        let mut node = &mut root;
        for call in &one.path {
            node = node.below.entry(call.clone()).or_default();
        }
        let value = match &one.question.outcome {
            Came::Value { value } => format!("{} = {}", one.question.call, folded(value)),
            _ => one.question.call.clone(),
        };
        node.below.entry(value).or_default().answer = Some(one.answer);
    }
    // Without recursion: calls can be nested deeply.
    let mut text = String::from("<ul>\n");
    let mut open: Vec<Option<(&String, &Node)>> = root.below.iter().rev().map(Some).collect();
    while let Some(next) = open.pop() {
        let Some((call, node)) = next else {
            text += "</ul></li>\n";
            continue;
        };
        let class = node.answer.map_or("", said);
        text += &format!("<li class=\"{class}\"><pre>{}</pre><ul>\n", escaped(&folded(call)));
        open.push(None);
        open.extend(node.below.iter().rev().map(Some));
    }
    text + "</ul>\n"
}

/// The events as a diagram.
fn sequence(page: &Page<'_>) -> Sequence {
    let mut columns: Vec<Column> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut column = |name: &str, detail: &str| {
        *places.entry(name.to_owned()).or_insert_with(|| {
            columns.push(Column { name: name.to_owned(), detail: folded(detail) });
            columns.len() - 1
        })
    };
    let mut received: BTreeMap<u64, usize> = BTreeMap::new();
    for (at, event) in page.happened.iter().enumerate() {
        if let What::Took { id, .. } = event.what {
            received.insert(id, at);
        }
    }
    let mut events = Vec::new();
    for event in page.happened {
        let at = column(&event.process, &event.call);
        let number = event.number;
        let (label, arrows, mark) = match &event.what {
            What::Sent { to, message, id } => {
                let to = column(to, "");
                let received = received.get(id).copied();
                let text = format!("#{number} {}", folded(message));
                let arrow = Arrow { to, text, kind: ArrowKind::Message, received };
                (String::new(), vec![arrow], Mark::Point)
            }
            What::Started { process } => {
                let to = column(process, "");
                let text = format!("#{number}");
                let arrow = Arrow { to, text, kind: ArrowKind::Spawn, received: None };
                (String::new(), vec![arrow], Mark::Point)
            }
            What::Took { message, .. } => {
                (format!("#{number} takes {}", folded(message)), Vec::new(), Mark::Point)
            }
            What::GaveUp => (format!("#{number} waited in vain"), Vec::new(), Mark::Point),
            What::Waits => ("waits".to_owned(), Vec::new(), Mark::Waits),
        };
        events.push(Event {
            column: at,
            label,
            text: event.call.clone(),
            place: String::new(),
            source: String::new(),
            mark,
            failing: false,
            arrows,
        });
    }
    Sequence { title: page.title.to_owned(), columns, events }
}
