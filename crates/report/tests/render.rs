//! Every format, on small made-up diagnostics.

use std::path::PathBuf;

use expect_test::{Expect, expect};
use report::{Format, Problem, Renderer, Report};
use syntax::diagnostic::{Diagnostic, Origin, Related, Severity};
use syntax::source::{Encoding, FileId, Loc, SourceFile, Span};

fn file(path: &str, text: &str) -> SourceFile {
    SourceFile::new(PathBuf::from(path), text.into(), Encoding::Utf8)
}

/// The span of the first occurrence of `needle`.
fn span(files: &[SourceFile], file: u16, needle: &str) -> Span {
    let start = files[usize::from(file)].text.find(needle).expect("needle is in the text") as u32;
    Span { file: FileId(file), start, end: start + needle.len() as u32 }
}

fn diagnostic(files: &[SourceFile], span: Span) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        origin: Origin::Lint,
        code: "unbound_var",
        message: "variable 'X' is unbound".into(),
        span,
        loc: files[usize::from(span.file.0)].loc(span.start),
        related: vec![],
        help: None,
        otp_descriptor: None,
    }
}

fn render(format: Format, files: &[SourceFile], diagnostics: &[Diagnostic]) -> String {
    let mut out = Vec::new();
    let renderer = Renderer { format, colour: false };
    let mut report = Report::begin(&mut out, format, "check").expect("writes to memory");
    report.module(renderer.render(files, diagnostics)).expect("writes to memory");
    report.finish(&[], true).expect("writes to memory");
    String::from_utf8(out).expect("output is UTF-8")
}

fn check(format: Format, files: &[SourceFile], diagnostics: &[Diagnostic], expected: Expect) {
    expected.assert_eq(&render(format, files, diagnostics));
}

const CODE: &str = "-module(a).\nf() ->\n    X + 1.\n";

#[test]
fn excerpt() {
    let files = [file("src/a.erl", CODE)];
    let error = diagnostic(&files, span(&files, 0, "X"));
    check(
        Format::Text,
        &files,
        &[error],
        expect![[r#"
            error[unbound_var]: variable 'X' is unbound
             --> src/a.erl:3:5
              |
            3 |     X + 1.
              |     ^

        "#]],
    );
}

#[test]
fn warning_with_help_and_note() {
    let files = [file("src/a.erl", CODE)];
    let mut warning = diagnostic(&files, span(&files, 0, "X"));
    warning.severity = Severity::Warning;
    warning.help = Some("did you mean 'Y'?".into());
    warning.related =
        vec![Related { message: "in this function".into(), span: span(&files, 0, "f()") }];
    check(
        Format::Text,
        &files,
        &[warning],
        expect![[r#"
            warning[unbound_var]: variable 'X' is unbound
             --> src/a.erl:3:5
              |
            3 |     X + 1.
              |     ^
              |
              = help: did you mean 'Y'?
            note: in this function
             --> src/a.erl:2:1
              |
            2 | f() ->
              | ^^^

        "#]],
    );
}

#[test]
fn position_is_the_one_of_otp() {
    let files = [file("src/a.erl", CODE)];
    let mut error = diagnostic(&files, span(&files, 0, "X + 1"));
    error.loc = files[0].loc(span(&files, 0, "+").start);
    check(
        Format::Short,
        &files,
        &[error.clone()],
        expect![[r#"
        src/a.erl:3:7: error: variable 'X' is unbound [unbound_var]
    "#]],
    );
    check(
        Format::Text,
        &files,
        &[error],
        expect![[r#"
            error[unbound_var]: variable 'X' is unbound
             --> src/a.erl:3:7
              |
            3 |     X + 1.
              |     --^--

        "#]],
    );
}

#[test]
fn position_outside_of_the_span() {
    let files = [file("src/a.erl", "-module(a).\n-export([\n  f/0]).\n")];
    let mut error = diagnostic(&files, span(&files, 0, "f/0"));
    error.loc = Loc { line: 2, column: 2 };
    check(
        Format::Short,
        &files,
        &[error.clone()],
        expect![[r#"
        src/a.erl:2:2: error: variable 'X' is unbound [unbound_var]
    "#]],
    );
    check(
        Format::Text,
        &files,
        &[error],
        expect![[r#"
        error[unbound_var]: variable 'X' is unbound
         --> src/a.erl:3:3
          |
        3 |   f/0]).
          |   ^^^

    "#]],
    );
}

#[test]
fn lines_that_a_file_attribute_renumbered() {
    let files = [file("src/a.erl", "-module(a).\n-file(\"a.yrl\", 4711).\nf() -> X.\n")];
    let mut error = diagnostic(&files, span(&files, 0, "X"));
    error.loc.line = 4711;
    check(
        Format::Short,
        &files,
        &[error],
        expect![[r#"
        src/a.erl:3:8: error: variable 'X' is unbound [unbound_var]
    "#]],
    );
}

#[test]
fn header_shows_where_it_was_included() {
    let mut files = vec![
        file("src/a.erl", "-module(a).\n-include(\"a.hrl\").\n"),
        file("include/a.hrl", "-include(\"b.hrl\").\n"),
        file("include/b.hrl", "x y.\n"),
    ];
    files[1].included_from = Some(span(&files, 0, "-include(\"a.hrl\")"));
    files[2].included_from = Some(span(&files, 1, "-include(\"b.hrl\")"));
    let error = diagnostic(&files, span(&files, 2, "y"));
    check(
        Format::Text,
        &files,
        &[error],
        expect![[r#"
            error[unbound_var]: variable 'X' is unbound
             --> include/b.hrl:1:3
              |
            1 | x y.
              |   ^
              |
            note: included from here
             --> include/a.hrl:1:1
              |
            1 | -include("b.hrl").
              | ^^^^^^^^^^^^^^^^^
            note: included from here
             --> src/a.erl:2:1
              |
            2 | -include("a.hrl").
              | ^^^^^^^^^^^^^^^^^

        "#]],
    );
}

#[test]
fn tabs_and_wide_characters() {
    let files = [file("a.erl", "f() ->\n\t\"漢字é\", X.\n")];
    let error = diagnostic(&files, span(&files, 0, "X"));
    check(
        Format::Text,
        &files,
        &[error],
        expect![[r#"
            error[unbound_var]: variable 'X' is unbound
             --> a.erl:2:9
              |
            2 |     "漢字é", X.
              |              ^

        "#]],
    );
}

#[test]
fn long_spans_show_their_first_line() {
    let body = "  a,\n".repeat(50);
    let files = [file("a.erl", &format!("f() ->\n{body}  b.\n"))];
    let whole = Span { file: FileId(0), start: 0, end: files[0].text.len() as u32 };
    check(
        Format::Text,
        &files,
        &[diagnostic(&files, whole)],
        expect![[r#"
            error[unbound_var]: variable 'X' is unbound
             --> a.erl:1:1
              |
            1 | f() ->
              | ^^^^^^

        "#]],
    );
}

#[test]
fn several_lines() {
    let files = [file("a.erl", "f() ->\n  case X of\n    1 -> 2\n  end.\n")];
    let error = diagnostic(&files, span(&files, 0, "case X of\n    1 -> 2\n  end"));
    check(
        Format::Text,
        &files,
        &[error],
        expect![[r#"
            error[unbound_var]: variable 'X' is unbound
             --> a.erl:2:3
              |
            2 | /   case X of
            3 | |     1 -> 2
            4 | |   end.
              | |_____^

        "#]],
    );
}

#[test]
fn overlong_line_is_not_shown() {
    let files = [file("a.erl", &format!("f() -> {}X.\n", "1 + ".repeat(9999)))];
    let error = diagnostic(&files, span(&files, 0, "X"));
    check(
        Format::Text,
        &files,
        &[error],
        expect![[r#"
        error[unbound_var]: variable 'X' is unbound
        --> a.erl:1:40004

    "#]],
    );
}

#[test]
fn empty_span_at_the_end_of_the_file() {
    let files = [file("a.erl", "f() ->\n  x\n")];
    let end = files[0].text.len() as u32;
    let error = diagnostic(&files, Span { file: FileId(0), start: end, end });
    check(
        Format::Text,
        &files,
        &[error],
        expect![[r#"
        error[unbound_var]: variable 'X' is unbound
        --> a.erl:3:1

    "#]],
    );
}

#[test]
fn spans_that_fit_no_text_are_survived() {
    let files = [file("a.erl", "é"), file("b.erl", "")];
    for (file, start, end) in [(0, 1, 1), (0, 1, 2), (0, 0, 99), (0, 77, 3), (1, 0, 0), (9, 0, 1)] {
        let mut error = diagnostic(&files, span(&files, 0, "é"));
        error.span = Span { file: FileId(file), start, end };
        for format in [Format::Text, Format::Short, Format::Json, Format::Sarif] {
            render(format, &files, &[error.clone()]);
        }
    }
}

#[test]
fn line_breaks_in_messages() {
    let files = [file("src/a.erl", CODE)];
    let mut error = diagnostic(&files, span(&files, 0, "X"));
    error.message = "-error(\"a\nb\")".into();
    check(
        Format::Short,
        &files,
        &[error],
        expect![[r#"
        src/a.erl:3:5: error: -error("a\nb") [unbound_var]
    "#]],
    );
}

#[test]
fn json() {
    let files = [file("src/a.erl", CODE)];
    let mut error = diagnostic(&files, span(&files, 0, "X"));
    error.related = vec![Related { message: "in f/0".into(), span: span(&files, 0, "f()") }];
    let warning = Diagnostic { severity: Severity::Warning, ..diagnostic(&files, error.span) };
    let document = render(Format::Json, &files, &[error, warning]);
    let value: serde_json::Value = serde_json::from_str(&document).expect("valid JSON");
    assert_eq!(value["version"], 1);
    assert_eq!(value["summary"]["errors"], 1);
    expect![[r#"
        {"version":1,"tool":"erlscope","tool_version":"0.1.0","command":"check","diagnostics":[
        {"severity":"error","code":"unbound_var","origin":"erl_lint","message":"variable 'X' is unbound","file":"src/a.erl","line":3,"column":5,"span":{"file":"src/a.erl","line":3,"column":5,"end_line":3,"end_column":6},"otp_line":3,"otp_column":5,"related":[{"message":"in f/0","span":{"file":"src/a.erl","line":2,"column":1,"end_line":2,"end_column":4}}],"included_from":[],"help":null},
        {"severity":"warning","code":"unbound_var","origin":"erl_lint","message":"variable 'X' is unbound","file":"src/a.erl","line":3,"column":5,"span":{"file":"src/a.erl","line":3,"column":5,"end_line":3,"end_column":6},"otp_line":3,"otp_column":5,"related":[],"included_from":[],"help":null}
        ],"problems":[],"summary":{"modules":1,"errors":1,"warnings":1,"complete":true}}
    "#]].assert_eq(&document);
}

#[test]
fn sarif() {
    let files = [file("src/a b.erl", CODE)];
    let mut error = diagnostic(&files, span(&files, 0, "X"));
    error.related = vec![Related { message: "in f/0".into(), span: span(&files, 0, "f()") }];
    let document = render(Format::Sarif, &files, &[error]);
    let value: serde_json::Value = serde_json::from_str(&document).expect("valid JSON");
    assert_eq!(value["version"], "2.1.0");
    expect![[r#"
        {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"columnKind":"unicodeCodePoints","results":[
        {"ruleId":"unbound_var","level":"error","message":{"text":"variable 'X' is unbound"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"src/a%20b.erl"},"region":{"startLine":3,"startColumn":5,"endLine":3,"endColumn":6}}}],"relatedLocations":[{"physicalLocation":{"artifactLocation":{"uri":"src/a%20b.erl"},"region":{"startLine":2,"startColumn":1,"endLine":2,"endColumn":4}},"message":{"text":"in f/0"}}]}
        ],"tool":{"driver":{"name":"erlscope","version":"0.1.0","rules":[{"id":"unbound_var"}]}},"invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[]}]}]}
    "#]].assert_eq(&document);
}

#[test]
fn nothing_found() {
    for format in [Format::Json, Format::Sarif] {
        let document = render(format, &[], &[]);
        let _: serde_json::Value = serde_json::from_str(&document).expect("valid JSON");
    }
    check(Format::Text, &[], &[], expect![[""]]);
}

#[test]
fn problems_are_in_machine_formats() {
    for format in [Format::Json, Format::Sarif] {
        let mut out = Vec::new();
        let report = Report::begin(&mut out, format, "check").expect("writes to memory");
        let problem = Problem { path: "x".into(), message: "no such file".into() };
        report.finish(&[problem], false).expect("writes to memory");
        let text = String::from_utf8(out).expect("output is UTF-8");
        assert!(text.contains("no such file"), "{text}");
        let _: serde_json::Value = serde_json::from_str(&text).expect("valid JSON");
    }
}
