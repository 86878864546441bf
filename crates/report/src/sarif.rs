//! SARIF 2.1.0 (OASIS), the part of it that says: these findings, at these places.
//!
//! The structures below are the few that are used of the standard's many. Columns count code
//! points (`columnKind`), as everywhere in this program.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use syntax::diagnostic::Diagnostic;
use syntax::source::SourceFile;

use crate::json::to_line;
use session::Place;

use crate::place::{notes, pointed_at};
use crate::short::severity_word;
use crate::writer::{Problem, Summary};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    level: &'static str,
    message: Message<'a>,
    locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Rule<'a> {
    id: &'a str,
}

#[derive(Serialize)]
struct Notification<'a> {
    level: &'static str,
    message: Message<'a>,
}

pub(crate) fn render(files: &[SourceFile], diagnostic: &Diagnostic) -> String {
    let mut place = Place::of(files, diagnostic.span);
    if let Some(place) = &mut place {
        let at = pointed_at(files, diagnostic);
        (place.line, place.column) = (at.line, at.column);
    }
    to_line(&SarifResult {
        rule_id: diagnostic.code,
        level: severity_word(diagnostic.severity),
        message: Message { text: &diagnostic.message },
        locations: place.into_iter().map(|place| location(place, None)).collect(),
        related_locations: notes(files, diagnostic)
            .into_iter()
            .filter_map(|(message, span)| Some(location(Place::of(files, span)?, Some(message))))
            .collect(),
    })
}

/// Everything before the list of results.
pub(crate) fn head() -> String {
    "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\
     \"runs\":[{\"columnKind\":\"unicodeCodePoints\",\"results\":["
        .to_string()
}

/// Everything after it. The rules come last because only now it is known which were used.
pub(crate) fn tail(rules: &BTreeSet<&str>, problems: &[Problem], summary: &Summary) -> String {
    let rules: Vec<Rule<'_>> = rules.iter().map(|id| Rule { id }).collect();
    let shown: Vec<String> = problems.iter().map(Problem::to_string).collect();
    let notifications: Vec<Notification<'_>> = shown
        .iter()
        .map(|text| Notification { level: "error", message: Message { text } })
        .collect();
    format!(
        "],\"tool\":{{\"driver\":{{\"name\":\"erlscope\",\"version\":{},\"rules\":{}}}}},\
         \"invocations\":[{{\"executionSuccessful\":{},\"toolExecutionNotifications\":{}}}]}}]}}\n",
        to_line(env!("CARGO_PKG_VERSION")),
        to_line(&rules),
        summary.complete && problems.is_empty(),
        to_line(&notifications),
    )
}

fn location<'a>(place: Place, message: Option<&'a str>) -> Location<'a> {
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri: uri(&place.file) },
            region: Region {
                start_line: place.line,
                start_column: place.column,
                end_line: place.end_line,
                end_column: place.end_column,
            },
        },
        message: message.map(|text| Message { text }),
    }
}

/// A path as a URI reference: relative ones stay relative.
pub(crate) fn uri(path: &str) -> String {
    let mut uri = if Path::new(path).is_absolute() { "file://".to_string() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}"); // writing to a string cannot fail
            }
        }
    }
    uri
}

/// A document of results of runs, which are no diagnostics, with what could not be done beside
/// them. Rules are those that results name.
pub(crate) fn of_results(results: &[Value], notes: &[String], is_complete: bool) -> String {
    let used: BTreeSet<&str> =
        results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let rules: Vec<Value> = used
        .into_iter()
        .map(|code| match registry::find(code) {
            Some(row) => json!({ "id": code, "shortDescription": { "text": row.meaning } }),
            None => json!({ "id": code }),
        })
        .collect();
    let notes: Vec<Value> =
        notes.iter().map(|text| json!({ "level": "error", "message": { "text": text } })).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "columnKind": "unicodeCodePoints",
            "results": results,
            "tool": { "driver": {
                "name": "erlscope",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": notes.is_empty() && is_complete,
                "toolExecutionNotifications": notes,
            }],
        }],
    });
    format!("{}\n", to_line(&document))
}

/// A place as the location of a result.
pub(crate) fn physical(place: &Place) -> Value {
    json!({
        "artifactLocation": { "uri": uri(&place.file) },
        "region": {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        },
    })
}
