//! What explorations found, for CI servers: JUnit XML and SARIF 2.1.0.
//!
//! In SARIF a story is a code flow: a thread flow for each process, whose places are numbered in the order
//! of execution.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::explore::{Figures, Finding, StoryStep};
use crate::json::to_line;
use crate::sarif::uri;
use crate::test_results::escaped;

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
                escaped(finding.kind),
                escaped(&finding.message),
                escaped(&story(&finding.story))
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
            "      <system-out>{} executions explored, {} with errors</system-out>\n    </testcase>",
            exploration.executions, exploration.erroneous
        );
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

fn story(steps: &[StoryStep]) -> String {
    let mut text = String::from("\n");
    for step in steps {
        let _ = write!(text, "{} {}", step.process, step.what);
        if let (Some(file), Some(line)) = (&step.file, step.line) {
            let _ = write!(text, " ({file}:{line})");
        }
        text.push('\n');
    }
    text
}

/// Each finding as a result.
pub fn sarif(explorations: &[Figures]) -> String {
    let findings = explorations.iter().flat_map(|figures| &figures.findings);
    let results: Vec<Value> = findings.clone().map(result).collect();
    let rules: BTreeMap<&str, Value> =
        findings.map(|finding| (finding.kind, json!({ "id": finding.kind }))).collect();
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

fn place(file: &str, line: u32) -> Value {
    json!({ "artifactLocation": { "uri": uri(file) }, "region": { "startLine": line } })
}

fn result(finding: &Finding) -> Value {
    let locations: Vec<Value> = match (&finding.file, finding.line) {
        (Some(file), Some(line)) => vec![json!({ "physicalLocation": place(file, line) })],
        _ => Vec::new(),
    };
    let mut threads: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (number, step) in finding.story.iter().enumerate() {
        let text = format!("{} {}", step.process, step.what);
        let mut location = json!({ "message": { "text": text } });
        if let (Some(file), Some(line)) = (&step.file, step.line) {
            location["physicalLocation"] = place(file, line);
        }
        let importance = if step.failing { "essential" } else { "important" };
        threads.entry(&step.process).or_default().push(json!({
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
        "ruleId": finding.kind,
        "level": "error",
        "message": { "text": finding.message },
        "locations": locations,
        "occurrenceCount": finding.count.max(1),
    });
    if !flows.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": flows }]);
    }
    result
}
