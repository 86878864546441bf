//! Contracts that a program could have: as attributes that can be copied, and as JSON.

use std::fmt::Write as _;

use serde::Serialize;
use session::contracts::suggest::{Answer, Suggested};
use syntax::wording::counted;

use crate::json::{VERSION, to_line};

/// The attributes, by module and function, each with what supports it.
pub fn text(answer: &Answer) -> String {
    let mut text = String::new();
    let mut last = None;
    for one in &answer.suggested {
        if last != Some(&one.file) {
            let _ = writeln!(text, "%% {}", one.file);
            last = Some(&one.file);
        }
        let support = match one.contract {
            "invariant" => counted(one.support as u64, "state"),
            _ => counted(one.support as u64, "call"),
        };
        let _ = writeln!(text, "{}  % {support}", one.text);
    }
    let suggested = counted(answer.suggested.len() as u64, "contract");
    let calls = counted(answer.calls as u64, "call");
    let _ = writeln!(text, "%% {suggested} that held in all of {calls}");
    text
}

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'static str,
    suggested: &'a [Suggested],
    calls: usize,
}

/// All of them as one line of JSON.
pub fn json(answer: &Answer) -> String {
    let document = Document {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command: "contracts --suggest",
        suggested: &answer.suggested,
        calls: answer.calls,
    };
    format!("{}\n", to_line(&document))
}
