//! What explorations found, for CI servers: JUnit XML and SARIF 2.1.0.
//!
//! In SARIF a story is a code flow: a thread flow for each process, whose places are numbered in
//! the order of execution.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use ::explore::failure::Failure;
use ::explore::finding::Explained;
use ::explore::place::Place;

use super::{Figures, Found, shown, who};
use crate::json::to_line;
use crate::sarif::uri;
use crate::test_results::escaped;
use crate::words;

/// Each exploration as a test case.
pub fn junit(explorations: &[Figures]) -> String {
    let failures = explorations.iter().filter(|figures| !figures.findings.is_empty()).count();
    let open = |figures: &&Figures| figures.findings.is_empty() && !figures.complete;
    let errors = explorations.iter().filter(open).count();
    let count = explorations.len();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let figures = format!("tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\"");
    let _ = writeln!(xml, "<testsuites {figures}>");
    let _ = writeln!(xml, "  <testsuite name=\"erlscope explore\" {figures}>");
    for exploration in explorations {
        let module = exploration.call.split(':').next().unwrap_or_default();
        let _ = writeln!(
            xml,
            "    <testcase classname=\"{}\" name=\"{}\">",
            escaped(module),
            escaped(&exploration.call)
        );
        for finding in &exploration.findings {
            let _ = writeln!(
                xml,
                "      <failure type=\"{}\" message=\"{}\">{}</failure>",
                finding.explained.finding.kind().name(),
                escaped(&finding.sentence()),
                escaped(&told(&finding.explained)) + &blamed(finding),
            );
        }
        if open(&exploration) {
            let why = exploration.incomplete_because.as_deref().unwrap_or_default();
            let _ = writeln!(
                xml,
                "      <error type=\"incomplete\" message=\"not complete: {}\"/>",
                escaped(why)
            );
        }
        let _ = writeln!(
            xml,
            "      <system-out>{} executions explored, {} with errors</system-out>\n    \
             </testcase>",
            exploration.executions, exploration.erroneous
        );
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// The story of a finding, and what it brought down.
fn told(explained: &Explained) -> String {
    let mut text = String::from("\n");
    let story = &explained.story;
    for step in shown(story) {
        let _ = write!(text, "{} {}", who(story, step), words::action(&step.action));
        if let Some(Place { file, line }) = &step.place {
            let _ = write!(text, " ({file}:{line})");
        }
        text.push('\n');
    }
    for line in words::brought_down(&explained.consequences) {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// Each finding as a result.
pub fn sarif(explorations: &[Figures]) -> String {
    let findings = explorations.iter().flat_map(|figures| &figures.findings);
    let results: Vec<Value> = findings.clone().map(result).collect();
    let kinds = findings.map(|found| found.explained.finding.kind().name());
    let rules: BTreeMap<&str, Value> = kinds.map(|kind| (kind, json!({ "id": kind }))).collect();
    let notes: Vec<Value> = explorations
        .iter()
        .filter_map(|figures| {
            let why = figures.incomplete_because.as_ref()?;
            let text = format!("{}: not complete: {why}", figures.call);
            Some(json!({ "level": "warning", "message": { "text": text } }))
        })
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "columnKind": "unicodeCodePoints",
            "results": results,
            "tool": { "driver": {
                "name": "erlscope",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.into_values().collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": notes.is_empty(),
                "toolExecutionNotifications": notes,
            }],
        }],
    });
    format!("{}\n", to_line(&document))
}

fn physical(Place { file, line }: &Place) -> Value {
    json!({ "artifactLocation": { "uri": uri(file) }, "region": { "startLine": line } })
}

/// What a finding brought down.
fn related(consequence: &Failure) -> Value {
    let text = words::brought_down(std::slice::from_ref(consequence)).join("; ");
    let mut location = json!({ "message": { "text": text } });
    if let Some(place) = consequence.place() {
        location["physicalLocation"] = physical(place);
    }
    location
}

/// Of a contract that does not hold, which it is and who is to blame.
fn blamed(found: &Found) -> String {
    super::violation(&found.explained.finding.failure).map_or(String::new(), |it| {
        let declared = &it.contract;
        let (kind, blame, line) = (declared.kind.name(), it.blame.name(), declared.line);
        escaped(&format!("\ncontract: {kind}, {blame} ({}:{line})\n", declared.file))
    })
}

fn result(found: &Found) -> Value {
    let (finding, story) = (&found.explained.finding, &found.explained.story);
    let location = |place| json!({ "physicalLocation": physical(place) });
    let locations: Vec<Value> = finding.place().map(location).into_iter().collect();
    let mut threads: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (number, step) in shown(story).enumerate() {
        let text = format!("{} {}", who(story, step), words::action(&step.action));
        let mut location = json!({ "message": { "text": text } });
        if let Some(place) = &step.place {
            location["physicalLocation"] = physical(place);
        }
        let importance = if step.failing { "essential" } else { "important" };
        threads.entry(who(story, step)).or_default().push(json!({
            "executionOrder": number + 1,
            "importance": importance,
            "location": location,
        }));
    }
    let flows: Vec<Value> = threads
        .into_iter()
        .map(|(process, locations)| json!({ "id": process, "locations": locations }))
        .collect();
    let mut result = json!({
        "ruleId": finding.kind().name(),
        "level": "error",
        "message": { "text": found.sentence() },
        "locations": locations,
        "occurrenceCount": finding.count.max(1),
    });
    let consequences = &found.explained.consequences;
    if let Some(violation) = super::violation(&finding.failure) {
        result["properties"] = json!({
            "kind": "contract",
            "contract": violation.contract.kind.name(),
            "blame": violation.blame.name(),
        });
    }
    if !consequences.is_empty() {
        result["relatedLocations"] = consequences.iter().map(related).collect();
    }
    if !flows.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": flows }]);
    }
    result
}
