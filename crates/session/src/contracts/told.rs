//! Contracts that did not hold, as data.

use machine::contract::{Call, Cause, Violation};
use serde::Serialize;

/// A contract that did not hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Broken {
    /// `contract`
    pub kind: &'static str,
    /// `pre`, `post`, …
    pub contract: String,
    /// `caller`, `callee` or `contract`.
    pub blame: &'static str,
    /// `m:f/2`; none if it is about a whole module.
    pub function: Option<String>,
    pub module: String,
    /// Where the contract is written.
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// As it is written.
    pub text: String,
    /// The process that found out.
    pub process: String,
    /// As Erlang text.
    pub arguments: Vec<String>,
    pub result: Option<String>,
    /// The part that does not fit.
    pub part: Option<Part>,
    /// The calls that led there, innermost first.
    pub stack: Vec<Frame>,
    /// Why.
    #[serde(skip)]
    pub cause: Cause,
}

/// A part of a value that is not of its type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Part {
    /// From 1; the result if it is none.
    pub argument: Option<u32>,
    /// How to get there from the value; empty for all of it.
    pub path: String,
    pub found: String,
    pub expected: String,
}

/// A call of the stack.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Frame {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// What is told of a contract that did not hold.
pub fn broken(violation: &Violation) -> Broken {
    let declared = &violation.contract;
    let part = match &violation.cause {
        Cause::Misfit(misfit) => Some(Part {
            argument: misfit.argument,
            path: misfit.path.clone(),
            found: misfit.found.clone(),
            expected: misfit.expected.clone(),
        }),
        _ => None,
    };
    let module = declared.module.clone();
    Broken {
        kind: "contract",
        contract: declared.kind.name().to_owned(),
        blame: violation.blame.name(),
        function: declared
            .function
            .as_ref()
            .map(|(name, arity)| format!("{module}:{name}/{arity}")),
        module,
        file: declared.file.clone(),
        line: declared.line,
        column: declared.column,
        text: declared.text.clone(),
        process: violation.process.clone(),
        arguments: violation.arguments.clone(),
        result: violation.result.clone(),
        part,
        stack: violation.stack.iter().map(frame).collect(),
        cause: violation.cause.clone(),
    }
}

fn frame(call: &Call) -> Frame {
    let Call { module, function, arity, file, line } = call;
    Frame { function: format!("{module}:{function}/{arity}"), file: file.clone(), line: *line }
}
