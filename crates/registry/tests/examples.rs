//! The examples show what they are about.
//!
//! Each wrong example is read and linted: the code must be among what is found, with the severity
//! and the origin of its row. The right one must have no error, and not that code. Where Erlang/OTP
//! is installed (and `ERLSCOPE_NO_JUDGE` is not set), its compiler must agree on both; it is asked
//! in one process for all examples that are about something it knows.
//!
//! Examples of explorations are run by `crates/cli/tests/explain.rs`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use program::files::{Library, ProjectFiles};
use program::lint::{LintOptions, lint};
use registry::{Example, Origin, Row, Severity};
use syntax::diagnostic::Diagnostic;
use syntax::options::{DEFAULT_RELEASE, Options};

fn found(example: &Example) -> Vec<Diagnostic> {
    let release = example.release.unwrap_or(DEFAULT_RELEASE);
    let files = ProjectFiles::new(Arc::new(Library::without_otp()), BTreeMap::new());
    let module = syntax::read_module_bytes(
        Path::new("example.erl"),
        example.module().into_bytes(),
        &files,
        &Options { release, ..Options::default() },
    );
    let options = LintOptions { release, check_file_name: true, ..LintOptions::default() };
    let mut found = module.diagnostics.clone();
    found.extend(lint(&module, &options));
    found
}

fn shown(found: &[Diagnostic]) -> String {
    let lines = found.iter().map(|found| {
        format!("\n    {}: {:?} {} {}", found.loc.line, found.severity, found.code, found.message)
    });
    lines.collect()
}

/// Whether a diagnostic is what the row says.
fn fits(row: &Row, found: &Diagnostic) -> bool {
    let severity = match found.severity {
        syntax::diagnostic::Severity::Error => Severity::Error,
        syntax::diagnostic::Severity::Warning => Severity::Warning,
    };
    let origin = found.origin.otp_module();
    found.code == row.code
        && (row.severity == severity || row.severity == Severity::Either)
        && row.origins.iter().any(|known| known.otp_module().unwrap_or("erlscope") == origin)
}

#[test]
fn examples() {
    let mut complaints = Vec::new();
    for row in registry::ROWS {
        let page = row.page();
        if page.wrong.not_run.is_none() {
            let found = found(&page.wrong);
            if !found.iter().any(|found| fits(row, found)) {
                complaints.push(format!(
                    "{}: not found in the wrong one:{}",
                    row.code,
                    shown(&found)
                ));
            }
        }
        if page.right.not_run.is_none() {
            let mut found = found(&page.right);
            found.retain(|found| {
                found.code == row.code || found.severity == syntax::diagnostic::Severity::Error
            });
            if !found.is_empty() {
                complaints.push(format!("{}: found in the right one:{}", row.code, shown(&found)));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn pages_are_complete() {
    for row in registry::rows() {
        let (code, page) = (row.code, row.page());
        assert!(!page.paragraphs.is_empty(), "{code} has no text");
        for example in [&page.wrong, &page.right] {
            assert!(!example.text.is_empty(), "{code} lacks an example");
            assert!(example.text.lines().all(|line| line.len() <= 100), "{code}: a long line");
        }
        let ends = row.meaning.ends_with('.') || row.meaning.is_empty();
        assert!(!ends, "{code}: the meaning is one line without a full stop");
    }
}

/// Prints its release, then for each directory the modules and tags of what the compiler says.
const JUDGE: &str = r#"
    io:format("~s~n", [erlang:system_info(otp_release)]),
    Tag = fun(T) when is_atom(T) -> T;
             (T) when is_tuple(T), is_atom(element(1, T)) -> element(1, T);
             (_) -> text end,
    Show = fun(What, List) ->
        [io:format(" ~w:~w:~w", [What, M, Tag(D)]) || {_, Es} <- List, {_, M, D} <- Es] end,
    lists:foreach(fun(Dir) ->
        io:format("~ts", [Dir]),
        case compile:file(Dir ++ "/example.erl", [return, {outdir, Dir}]) of
            {ok, _, Ws} -> Show(warning, Ws);
            {error, Es, Ws} -> Show(error, Es), Show(warning, Ws)
        end,
        io:nl()
    end, init:get_plain_arguments()),
    halt().
"#;

/// Examples that OTP's compiler can judge: their directories.
fn written(root: &Path) -> Vec<(PathBuf, &'static Row, bool, Option<u32>)> {
    let mut written = Vec::new();
    for row in registry::ROWS {
        let page = row.page();
        for (example, is_right) in [(&page.wrong, false), (&page.right, true)] {
            if example.not_run.is_some() || row.origin() == Origin::Limits {
                continue;
            }
            let dir = root.join(row.code).join(if is_right { "right" } else { "wrong" });
            std::fs::create_dir_all(&dir).expect("a directory can be made");
            std::fs::write(dir.join("example.erl"), example.module()).expect("it can be written");
            written.push((dir, row, is_right, example.release));
        }
    }
    written
}

/// What is wrong with the compiler's answer.
fn disagreement(row: &Row, is_right: bool, said: &str) -> Option<String> {
    let says = |module: &str, tag: &str| {
        said.split(' ').any(|one| {
            let parts: Vec<&str> = one.split(':').collect();
            matches!(parts[..], [_, m, t] if m == module && t == tag)
        })
    };
    let tagged = |tag: &str| said.split(' ').any(|one| one.ends_with(&format!(":{tag}")));
    let has_it = row.origins.iter().any(|origin| match origin {
        // The parser's descriptors are texts. Of a spec without a number of arguments OTP 25's
        // linter dies.
        Origin::Parser => says("erl_parse", "text") || says("compile", "crash"),
        Origin::Compiler => tagged(row.code),
        origin => says(origin.otp_module().unwrap_or_default(), row.code),
    });
    let is_ours = row.origin().otp_module().is_none();
    match is_right {
        false if !has_it && !is_ours => Some(format!("{}: OTP says{said}", row.code)),
        true if has_it || said.contains(" error:") => {
            Some(format!("{}, the right one: OTP says{said}", row.code))
        }
        _ => None,
    }
}

#[test]
fn the_judge_agrees() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("registry");
    let written = written(&root);
    let mut command = Command::new("erl");
    command.args(["-noshell", "-eval", JUDGE, "-extra"]);
    command.args(written.iter().map(|(dir, ..)| dir));
    command.env_remove("ERL_COMPILER_OPTIONS");
    let output = match command.output() {
        Ok(output) if std::env::var_os("ERLSCOPE_NO_JUDGE").is_none() => output,
        _ => return eprintln!("skipped: there is no judge"),
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    let release: u32 = lines.next().and_then(|line| line.parse().ok()).expect("OTP's release");
    let mut complaints = Vec::new();
    for (dir, row, is_right, wanted) in &written {
        let said = lines.next().expect("an answer for each example");
        let said = said.strip_prefix(&dir.display().to_string()).expect("in order");
        if row.since.unwrap_or(0) <= release && wanted.is_none_or(|wanted| wanted == release) {
            complaints.extend(disagreement(row, *is_right, said));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
