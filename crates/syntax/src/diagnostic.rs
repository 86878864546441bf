//! Errors and warnings about source text, as data. `report` makes text, JSON and SARIF of them.

use crate::ast::{Module, NodeId};
use crate::source::{Loc, Span};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
}

/// Which part of OTP's tool chain would have said it: the module named in OTP's error descriptor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// `file_io_server`: the bytes are no text.
    Input,
    /// `erl_features`
    Features,
    /// `epp`
    Preprocessor,
    /// `erl_scan`
    Scanner,
    /// `erl_parse`
    Parser,
    /// `erl_lint`
    Lint,
    /// `compile`, `sys_core_fold` and what else comes after
    Compiler,
    /// Something of ours that OTP has no word for (a file too large, nesting too deep).
    Erlscope,
}

impl Origin {
    /// The module that OTP's error descriptors name.
    pub fn otp_module(self) -> &'static str {
        match self {
            Origin::Input => "file_io_server",
            Origin::Features => "erl_features",
            Origin::Preprocessor => "epp",
            Origin::Scanner => "erl_scan",
            Origin::Parser => "erl_parse",
            Origin::Lint => "erl_lint",
            Origin::Compiler => "compile",
            Origin::Erlscope => "erlscope",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub origin: Origin,
    /// What kind of problem it is; stable, for machines and for `% erlscope:ignore`-like tools.
    /// For problems that OTP reports too it is the tag of OTP's own descriptor (`unbound_var`,
    /// `undefined_function`), so that the two can be compared.
    pub code: &'static str,
    /// One line, no full stop: "variable 'X' is unbound".
    pub message: String,
    /// The text that is at fault.
    pub span: Span,
    /// Where OTP would say it is.
    pub loc: Loc,
    /// Other places that belong to it, nearest first: the earlier definition, the macro calls the
    /// text came through, the `-include` that brought the file in.
    pub related: Vec<Related>,
    /// What to do about it, if we know.
    pub help: Option<String>,
    /// The descriptor term as OTP would print it in an `{error, {Loc, Module, Descriptor}}` form,
    /// in Erlang syntax; only for diagnostics of scanner, preprocessor and parser.
    pub otp_descriptor: Option<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Related {
    pub message: String,
    pub span: Span,
}

/// What a text came through before it was read: the macros it is out of, innermost first (the place
/// that is shown is the call), and the `-include` of its file.
pub fn came_through(module: &Module, at: NodeId) -> Vec<Related> {
    let anchor = module.token(module[at].anchor);
    let mut related = Vec::new();
    let mut expansion = anchor.expansion;
    while let Some(id) = expansion {
        let call = module.expansion(id);
        if let Some(span) = call.definition {
            related.push(Related { message: format!("in the macro {}", call.name), span });
        }
        expansion = call.parent;
    }
    if let Some(span) = module.file(anchor.file()).included_from {
        related.push(Related { message: "included here".into(), span });
    }
    related
}
