//! Tests that did not pass as SARIF 2.1.0, for CI servers that show findings beside the text.

use serde_json::{Value, json};
use session::test::{Answer, CaseAnswer, CaseResult, ModuleAnswer};

use crate::endings::trouble;
use crate::sarif::{of_results, physical, uri};
use crate::test_results::why;

/// Each test that did not pass as a result; what could not be run is told beside them.
pub fn sarif(answer: &Answer) -> String {
    let mut results: Vec<Value> = Vec::new();
    for module in &answer.modules {
        results.extend(module.tests.iter().filter_map(|test| result(module, test)));
    }
    let broken = answer.modules.iter().filter_map(|module| {
        let problem = module.problem.as_ref()?;
        Some(format!("{}: {}", module.module, trouble(problem)))
    });
    let unread = answer.problems.iter().map(crate::run::load_problem);
    let notes: Vec<String> = broken.chain(unread).collect();
    of_results(&results, &notes, answer.complete)
}

/// What is wrong with a test; `None` if nothing is.
fn rule(result: CaseResult) -> Option<&'static str> {
    match result {
        CaseResult::Ok | CaseResult::Skipped => None,
        CaseResult::Failed => Some("test_failed"),
        CaseResult::Cancelled => Some("test_cancelled"),
        CaseResult::Unsupported => Some("test_not_supported"),
    }
}

fn result(module: &ModuleAnswer, test: &CaseAnswer) -> Option<Value> {
    let rule = rule(test.result)?;
    let title = test.title.as_ref().map(|title| format!(" ({title})")).unwrap_or_default();
    let text = format!("{}:{}{title}\n{}", module.module, test.name, why(test, "  "));
    // What is known to have failed nowhere in particular is told of the whole file.
    let place = match &test.place {
        Some(place) => physical(place),
        None => json!({ "artifactLocation": { "uri": uri(&module.file) } }),
    };
    Some(json!({
        "ruleId": rule,
        "level": "error",
        "message": { "text": text.trim_end() },
        "locations": [{ "physicalLocation": place }],
    }))
}
