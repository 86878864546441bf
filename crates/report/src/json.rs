//! The JSON of a diagnostic. `docs/json.md` documents the shape; a change that could break a
//! reader raises [`VERSION`].

use serde::Serialize;
use syntax::diagnostic::{Diagnostic, Origin};
use syntax::source::SourceFile;

use session::Place;

use crate::place::{include_chain, position};
use crate::short::severity_word;
use crate::writer::{Problem, Summary};

/// Version of the shape of all JSON output.
pub(crate) const VERSION: u32 = 1;

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    severity: &'static str,
    code: &'a str,
    origin: &'static str,
    message: &'a str,
    file: String,
    line: u32,
    column: u32,
    /// The text at fault; `line` and `column` above are inside it.
    span: Option<Place>,
    otp_line: u32,
    otp_column: u32,
    related: Vec<JsonRelated<'a>>,
    included_from: Vec<Place>,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    message: &'a str,
    span: Option<Place>,
}

pub(crate) fn render(files: &[SourceFile], diagnostic: &Diagnostic) -> String {
    let at = position(files, diagnostic);
    let span = Place::of(files, diagnostic.span);
    let related = diagnostic.related.iter().map(|related| JsonRelated {
        message: &related.message,
        span: Place::of(files, related.span),
    });
    let included_from = include_chain(files, diagnostic.span);
    to_line(&JsonDiagnostic {
        severity: severity_word(diagnostic.severity),
        code: diagnostic.code,
        origin: origin_word(diagnostic.origin),
        message: &diagnostic.message,
        file: span.as_ref().map(|place| place.file.clone()).unwrap_or_default(),
        line: at.line,
        column: at.column,
        span,
        otp_line: diagnostic.loc.line,
        otp_column: diagnostic.loc.column,
        related: related.collect(),
        included_from: included_from
            .into_iter()
            .filter_map(|site| Place::of(files, site))
            .collect(),
        help: diagnostic.help.as_deref(),
    })
}

/// Everything before the list of diagnostics.
pub(crate) fn head(command: &str) -> String {
    format!(
        "{{\"version\":{VERSION},\"tool\":\"erlscope\",\"tool_version\":{},\"command\":{},\
         \"diagnostics\":[",
        to_line(env!("CARGO_PKG_VERSION")),
        to_line(command),
    )
}

/// Everything after it.
pub(crate) fn tail(problems: &[Problem], summary: &Summary) -> String {
    format!("],\"problems\":{},\"summary\":{}}}\n", to_line(problems), to_line(summary))
}

/// As OTP names the parts of its tool chain.
pub(crate) fn origin_word(origin: Origin) -> &'static str {
    origin.otp_module()
}

/// JSON without line breaks. Our structures are plain strings, numbers and lists, which always
/// have a JSON form; should one not, it is shown as null rather than ending the program.
pub(crate) fn to_line<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_string())
}
