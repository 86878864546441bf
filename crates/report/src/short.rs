//! One line a diagnostic, as compilers print them: `file:line:column: severity: message [code]`.

use syntax::diagnostic::{Diagnostic, Severity};
use syntax::source::SourceFile;

use crate::place::{position, shown_path};

pub(crate) fn render(files: &[SourceFile], diagnostic: &Diagnostic) -> String {
    let loc = position(files, diagnostic);
    let path = files.get(usize::from(diagnostic.span.file.0)).map(shown_path).unwrap_or_default();
    let severity = severity_word(diagnostic.severity);
    let message = one_line(&diagnostic.message);
    format!("{path}:{}:{}: {severity}: {message} [{}]\n", loc.line, loc.column, diagnostic.code)
}

pub(crate) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Text of a program can get into a message (the text of an `-error` directive); a line break in
/// it must not break the one line.
fn one_line(message: &str) -> String {
    message.replace('\r', "\\r").replace('\n', "\\n")
}
