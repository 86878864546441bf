//! Slices of Java programs, as text, highlighted text, JSON and pictures.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use session::Place;
use session::java::{Problem, Sliced};

use crate::drawing::{Arrangement, Arrow, Box, End, Frame, Picture, Row, Source, Style};
use crate::json::{VERSION, to_line};
use crate::slice::{EDGE_KINDS, Text, page, shown_text};

/// The files of a slice, one after the other.
pub fn text(sliced: &Sliced) -> String {
    let left: Vec<_> = sliced.files.iter().filter(|file| file.text.is_some()).collect();
    let mut out = String::new();
    for file in &left {
        if left.len() > 1 {
            out.push_str(&format!("// {}\n", file.path.display()));
        }
        out.push_str(file.text.as_deref().unwrap_or_default());
    }
    out
}

fn texts(sliced: &Sliced) -> Vec<Text> {
    let left = sliced.files.iter().filter(|file| file.text.is_some());
    left.map(|file| (file.path.display().to_string(), file.original.clone(), file.ranges.clone()))
        .collect()
}

/// The original text with what is not in the slice dimmed.
pub fn terminal(sliced: &Sliced, coloured: bool) -> String {
    shown_text(&texts(sliced), coloured, "//")
}

/// The same as a page.
pub fn html(sliced: &Sliced) -> String {
    page(&texts(sliced))
}

/// Why something is in a slice, a line for each step.
pub fn why(sliced: &Sliced) -> String {
    let mut out = String::new();
    for step in sliced.why.iter().flatten() {
        let short: String = step.text.chars().take(60).collect();
        let more = if short.len() < step.text.len() { " …" } else { "" };
        let by = match step.dependence {
            Some(dependence) => format!("  {dependence} dependence on the {} of", step.role),
            None => "the value of".to_string(),
        };
        let Place { file, line, column, .. } = &step.place;
        let _ = writeln!(out, "{by} `{short}{more}` ({file}:{line}:{column})");
    }
    out
}

#[derive(Serialize)]
struct JsonFile<'a> {
    file: String,
    source: &'a str,
}

#[derive(Serialize)]
struct JsonUnknown<'a> {
    span: &'a Place,
    name: &'a str,
}

#[derive(Serialize)]
struct JsonStep<'a> {
    span: &'a Place,
    text: &'a str,
    role: &'a str,
    dependence: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonSlice<'a> {
    version: u32,
    language: &'static str,
    criteria: &'a [Place],
    size: usize,
    of: usize,
    open: bool,
    files: Vec<JsonFile<'a>>,
    unknown: Vec<JsonUnknown<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Vec<JsonStep<'a>>>,
}

/// Everything about a slice, in one line.
pub fn json(sliced: &Sliced) -> String {
    let files = sliced.files.iter().filter_map(|file| {
        let source = file.text.as_deref()?;
        Some(JsonFile { file: file.path.display().to_string(), source })
    });
    let unknown = sliced.unknown.iter();
    let step =
        |step: &'_ session::java::Step| -> (Place, String, &'static str, Option<&'static str>) {
            (step.place.clone(), step.text.clone(), step.role, step.dependence)
        };
    let steps: Option<Vec<_>> =
        sliced.why.as_ref().map(|steps| steps.iter().map(step).collect::<Vec<_>>());
    let why = steps.as_ref().map(|steps| {
        let json = steps.iter().map(|(span, text, role, dependence)| JsonStep {
            span,
            text,
            role,
            dependence: *dependence,
        });
        json.collect()
    });
    to_line(&JsonSlice {
        version: VERSION,
        language: "java",
        criteria: &sliced.criteria,
        size: sliced.size,
        of: sliced.of,
        open: sliced.is_open,
        files: files.collect(),
        unknown: unknown.map(|it| JsonUnknown { span: &it.place, name: &it.name }).collect(),
        why,
    })
}

/// What is wrong with files, a line each.
pub fn problems(problems: &[Problem]) -> String {
    let mut out = String::new();
    for Problem { place, code, message } in problems {
        let Place { file, line, column, .. } = place;
        let _ = writeln!(out, "{file}:{line}:{column}: error: {message} [{code}]");
    }
    out
}

#[derive(Serialize)]
struct JsonProblem<'a> {
    span: &'a Place,
    severity: &'static str,
    code: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonCheck<'a> {
    version: u32,
    language: &'static str,
    diagnostics: Vec<JsonProblem<'a>>,
}

/// The same as JSON.
pub fn problems_json(problems: &[Problem]) -> String {
    let json = problems.iter().map(|it| JsonProblem {
        span: &it.place,
        severity: "error",
        code: it.code,
        message: &it.message,
    });
    to_line(&JsonCheck { version: VERSION, language: "java", diagnostics: json.collect() })
}

/// The dependence graph of a slice: a box for each method, a row for each node.
pub fn picture(sliced: &Sliced) -> Picture {
    let mut boxes: Vec<Box> = Vec::new();
    let mut box_of: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let mut ends: BTreeMap<u32, End> = BTreeMap::new();
    for node in sliced.nodes.iter().filter(|node| node.role != "between") {
        let source =
            Some(Source { file: node.file, line: node.place.line, end_line: node.place.end_line });
        let of_box = *box_of.entry((node.file, &node.around)).or_insert_with(|| {
            boxes.push(Box {
                title: node.around.clone(),
                frame: node.file,
                rows: Vec::new(),
                source: None,
            });
            boxes.len() - 1
        });
        let text: String = node.text.chars().take(40).collect();
        let rows = &mut boxes[of_box].rows;
        rows.push(Row { text: format!("{} {text}", node.role), source });
        ends.insert(node.id, End { of_box, row: Some(rows.len() - 1) });
    }
    let mut arrows = Vec::new();
    for edge in &sliced.edges {
        let (Some(&from), Some(&to)) = (ends.get(&edge.from), ends.get(&edge.to)) else { continue };
        let style = EDGE_KINDS.iter().position(|(name, ..)| *name == edge.kind).unwrap_or(0);
        arrows.push(Arrow { from, to, style, label: String::new(), doubtful: false });
    }
    let style = |&(name, colour, dashes): &(&'static str, &'static str, &'static str)| Style {
        name,
        colour,
        dashes,
    };
    let title = |file: &session::java::SlicedFile| file.path.display().to_string();
    Picture {
        arrangement: Arrangement::Framed,
        title: "Dependences of a slice".to_string(),
        frames: sliced.files.iter().map(|file| Frame { title: title(file) }).collect(),
        boxes,
        arrows,
        styles: EDGE_KINDS.iter().map(style).collect(),
        files: sliced.files.iter().map(|file| (title(file), file.original.clone())).collect(),
    }
}
