//! Dependencies that a `rebar.config` asks for and that are nowhere: a fresh clone.
//!
//! Each is told once, where the file asks for it. Without their headers modules are full of errors
//! that are none of theirs: of a module that includes a header of such a dependency one error is
//! kept, which says how many were left out. What would be an error all the same is told when the
//! dependency is there.

use std::collections::BTreeSet;

use syntax::ast::Module;
use syntax::diagnostic::{Diagnostic, Origin, Severity};
use syntax::source::Files as _;

use super::{Document, RebarConfig};
use crate::files::ProjectFiles;

/// What it is told as.
const CODE: &str = "dependency_not_fetched";

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

/// Leaves of the errors of a module that lacks headers of dependencies which are not fetched only
/// those about these headers.
pub(crate) fn fold(module: &Module, files: &ProjectFiles, found: &mut Vec<Diagnostic>) {
    if files.unfetched().is_empty() {
        return;
    }
    let is_error = |found: &Diagnostic| found.severity == Severity::Error;
    let mut kept: Vec<(Diagnostic, String)> = Vec::new();
    for diagnostic in found.iter().filter(|found| is_error(found)) {
        if let Some(name) = missing_header_of(module, files, diagnostic)
            && !kept.iter().any(|(_, known)| *known == name)
        {
            kept.push((diagnostic.clone(), name));
        }
    }
    if kept.is_empty() {
        return;
    }
    let left_out = found.iter().filter(|found| is_error(found)).count() - kept.len();
    found.retain(|found| !is_error(found));
    for (at, (mut diagnostic, name)) in kept.into_iter().enumerate() {
        diagnostic.message = match left_out {
            0 => format!("dependency {name}, which has this header, is not fetched"),
            _ if at > 0 => format!("dependency {name}, which has this header, is not fetched"),
            1 => format!(
                "dependency {name}, which has this header, is not fetched; 1 more error is not told"
            ),
            more => format!(
                "dependency {name}, which has this header, is not fetched; {more} more errors are \
                 not told"
            ),
        };
        diagnostic.help = Some("run 'rebar3 get-deps'".to_owned());
        found.push(diagnostic);
    }
}

/// The dependency that has a header which was not found, if it is one that is not fetched: the
/// first part of the name between the quotes.
fn missing_header_of(module: &Module, files: &ProjectFiles, found: &Diagnostic) -> Option<String> {
    if found.code != "include" {
        return None;
    }
    let file = module.files.get(usize::from(found.span.file.0))?;
    let text = file.text.get(found.span.start as usize..found.span.end as usize)?;
    let name = text.trim_start_matches(['"', '.', '/']).split(['/', '"']).find(|part| {
        // `-include("../deps/NAME/include/x.hrl")` is a way to write it, too.
        !matches!(*part, "" | ".." | "deps" | "_build" | "default" | "lib")
    })?;
    files.unfetched().contains(name).then(|| name.to_owned())
}
