//! A failing program that was made small, as text and as JSON.

use serde::Serialize;
use session::reduce::Answer;

use crate::json::{VERSION, to_line};

/// What it shows, as comments, and the program.
pub fn text(answer: &Answer) -> String {
    let mut text = format!("%% {}\n%% shown by {}", answer.finding, answer.call);
    if answer.call != answer.call_before {
        text.push_str(&format!(", at first by {}", answer.call_before));
    }
    text.push_str(&format!(
        "\n%% {} of {} nodes left, {} of {} steps of the schedule; {}\n",
        answer.nodes,
        answer.nodes_before,
        answer.steps,
        answer.steps_before,
        match answer.is_minimal {
            true => "no single part can go",
            false => "not minimal: it was stopped",
        }
    ));
    text.push_str(&match answer.replayed {
        true => format!("%% replayed: erlscope replay {}\n", answer.witness.display()),
        false => "%% what was written does not fail so when it is replayed\n".to_owned(),
    });
    for (name, _, source) in &answer.modules {
        if answer.modules.len() > 1 {
            text.push_str(&format!("%% {name}.erl\n"));
        }
        text.push_str(source);
    }
    text
}

#[derive(Serialize)]
struct JsonModule<'a> {
    name: &'static str,
    file: String,
    source: &'a str,
}

#[derive(Serialize)]
struct Sizes {
    before: usize,
    after: usize,
}

#[derive(Serialize)]
struct JsonReduced<'a> {
    version: u32,
    finding: &'a str,
    call: &'a str,
    call_before: &'a str,
    nodes: Sizes,
    steps: Sizes,
    candidates: u64,
    minimal: bool,
    replayed: bool,
    witness: String,
    modules: Vec<JsonModule<'a>>,
}

/// Everything about it, in one line.
pub fn json(answer: &Answer) -> String {
    let module = |(name, path, source): &'_ (atom::Atom, std::path::PathBuf, String)| {
        (name.as_str(), path.display().to_string(), source.clone())
    };
    let modules: Vec<_> = answer.modules.iter().map(module).collect();
    to_line(&JsonReduced {
        version: VERSION,
        finding: &answer.finding,
        call: &answer.call,
        call_before: &answer.call_before,
        nodes: Sizes { before: answer.nodes_before, after: answer.nodes },
        steps: Sizes { before: answer.steps_before, after: answer.steps },
        candidates: answer.candidates,
        minimal: answer.is_minimal,
        replayed: answer.replayed,
        witness: answer.witness.display().to_string(),
        modules: modules
            .iter()
            .map(|(name, file, source)| JsonModule { name, file: file.clone(), source })
            .collect(),
    })
}
