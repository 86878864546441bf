//! Dependencies that a `rebar.config` asks for and that are nowhere: a fresh clone.
//!
//! Each is told once, where the file asks for it; what becomes of modules that lack their headers
//! is in [`super::headers`].

use std::collections::BTreeSet;

use syntax::diagnostic::{Diagnostic, Origin, Severity};
use syntax::source::Files as _;

use super::{Document, RebarConfig};
use crate::files::ProjectFiles;

/// What it is told as, and what a module that lacks a header of it has.
pub const CODE: &str = "dependency_not_fetched";

/// The dependencies that are not there.
pub(super) fn missing(config: &RebarConfig, files: &ProjectFiles) -> BTreeSet<String> {
    let is_missing = |name: &&String| files.lib_dir(name).is_none();
    config.deps.iter().filter(is_missing).cloned().collect()
}

/// What is told about them, at the place that asks for them.
pub(super) fn told(config: &RebarConfig, missing: &BTreeSet<String>) -> Option<Document> {
    let (file, span) = config.deps_at.as_ref().filter(|_| !missing.is_empty())?;
    let names: Vec<&str> = missing.iter().map(String::as_str).collect();
    let (what, are) = match names.len() {
        1 => ("dependency", "is"),
        _ => ("dependencies", "are"),
    };
    let diagnostic = Diagnostic {
        severity: Severity::Warning,
        origin: Origin::Erlscope,
        code: CODE,
        message: format!("{what} {} {are} not fetched", names.join(", ")),
        span: *span,
        loc: file.loc(span.start),
        related: Vec::new(),
        help: Some("run 'rebar3 get-deps'".to_owned()),
        otp_descriptor: None,
    };
    Some(Document { files: vec![file.clone()], diagnostics: vec![diagnostic] })
}
