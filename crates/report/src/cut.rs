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
