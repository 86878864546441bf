//! Modules that lack a header: the errors that follow from it are counted, not told.
//!
//! Without a header its macros, records, types and functions are unknown, and one missing file
//! gives hundreds of errors that are none of the module's. What is told instead is the header, with
//! the number of errors that were left out.
//!
//! * A header of a dependency that is not fetched: one error a dependency is kept, all others wait
//!   until it is there.
//! * Any other (one that a build makes, a name that is misspelt): only errors of kinds that may
//!   follow from it ([`FOLLOWS`]) are left out, and only if they stand behind it; functions that
//!   are not there also before, as exports usually stand above the headers. A mistake of the
//!   module's own of such a kind is seen when the header is there.
//!
//! What seems not to be used may be used by what the header has, so warnings about that are left
//! out, too. A module stays wrong either way: the number of modules with errors is the compiler's.

use std::collections::BTreeSet;

use syntax::ast::Module;
use syntax::diagnostic::{Diagnostic, Severity};

use crate::files::ProjectFiles;

/// The errors that a module may have only because it lacks a header: something that the header
/// would have defined is used, or a macro of it would have bound a variable.
const FOLLOWS: &[&str] = &[
    "undefined",
    "undefined_record",
    "undefined_type",
    "undefined_function",
    "undefined_field",
    "unbound_var",
    "unsafe_var",
    "spec_fun_undefined",
    "define_import",
    "illegal_pattern",
    "illegal_guard_expr",
    "unbound_type_var",
];

/// The warnings that say that something is not used.
const UNUSED: &[&str] =
    &["unused_var", "unused_function", "unused_record", "unused_type", "unused_import"];

/// Leaves out the errors of a module that follow from headers that it lacks.
pub(crate) fn fold(module: &Module, files: &ProjectFiles, found: &mut Vec<Diagnostic>) {
    let is_header = |found: &&Diagnostic| found.code == "include" && is_error(found);
    let Some(first) = found.iter().find(is_header) else { return };
    let first = (first.span.file, first.span.start);
    let mut dependencies = BTreeSet::new();
    let is_unfetched = |found: &Diagnostic| unfetched_dependency(module, files, found);
    let waits = found.iter().filter(is_header).any(|found| is_unfetched(found).is_some());
    let (mut errors, mut warnings) = (0, 0);
    found.retain_mut(|found| {
        if !is_error(found) {
            let is_kept = !UNUSED.contains(&found.code);
            warnings += usize::from(!is_kept);
            return is_kept;
        }
        let is_kept = match found.code {
            "include" => match is_unfetched(found) {
                Some(name) => {
                    found.code = super::unfetched::CODE;
                    found.message =
                        format!("dependency {name}, which has this header, is not fetched");
                    found.help = Some("run 'rebar3 get-deps'".to_owned());
                    dependencies.insert(name)
                }
                None => true,
            },
            _ if waits => false,
            // Exports usually stand before the headers.
            "undefined_function" => false,
            code => {
                let is_behind = found.span.file != first.0 || found.span.start > first.1;
                !(is_behind && (FOLLOWS.contains(&code) || UNUSED.contains(&code)))
            }
        };
        errors += usize::from(!is_kept);
        is_kept
    });
    let is_told = |found: &&mut Diagnostic| {
        is_error(found) && matches!(found.code, "include" | super::unfetched::CODE)
    };
    if let Some(header) = found.iter_mut().find(is_told) {
        header.message += &left_out(errors, warnings);
    }
}

/// The end of a message that says how much is not told.
fn left_out(errors: usize, warnings: usize) -> String {
    let count = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("1 {what}")),
        more => Some(format!("{more} {what}s")),
    };
    let is = if errors + warnings == 1 { "is" } else { "are" };
    match (count(errors, "more error"), count(warnings, "warning")) {
        (None, None) => String::new(),
        (Some(one), None) | (None, Some(one)) => format!("; {one} {is} not told"),
        (Some(errors), Some(warnings)) => format!("; {errors} and {warnings} {is} not told"),
    }
}

fn is_error(found: &Diagnostic) -> bool {
    found.severity == Severity::Error
}

/// The dependency that has a header which was not found, if it is one that is not fetched: the
/// first part of the name between the quotes.
fn unfetched_dependency(
    module: &Module,
    files: &ProjectFiles,
    found: &Diagnostic,
) -> Option<String> {
    let file = module.files.get(usize::from(found.span.file.0))?;
    let text = file.text.get(found.span.start as usize..found.span.end as usize)?;
    let name = text.trim_start_matches(['"', '.', '/']).split(['/', '"']).find(|part| {
        // `-include("../deps/NAME/include/x.hrl")` is a way to write it, too.
        !matches!(*part, "" | ".." | "deps" | "_build" | "default" | "lib")
    })?;
    files.unfetched().contains(name).then(|| name.to_owned())
}
