//! What is told of work that a limit cut off before anything of it could be told. `docs/json.md`
//! documents the shape.

use serde::Serialize;

use crate::json::{VERSION, to_line};

#[derive(Serialize)]
struct Cut<'a> {
    version: u32,
    tool: &'static str,
    tool_version: &'static str,
    command: &'a str,
    complete: bool,
    incomplete_because: &'a str,
}

/// The last line of a debugging session, of which there is nothing to tell.
#[derive(Serialize)]
struct CutSession<'a> {
    verdict: Option<()>,
    complete: bool,
    incomplete_because: &'a str,
}

/// The same where each line is an object, and the last one has the verdict.
pub fn debug(why: &str) -> String {
    let cut = CutSession { verdict: None, complete: false, incomplete_because: why };
    format!("{}\n", to_line(&cut))
}

/// A document that says no more than that a command was cut off, and why.
pub fn json(command: &str, why: &str) -> String {
    let cut = Cut {
        version: VERSION,
        tool: "erlscope",
        tool_version: env!("CARGO_PKG_VERSION"),
        command,
        complete: false,
        incomplete_because: why,
    };
    format!("{}\n", to_line(&cut))
}
