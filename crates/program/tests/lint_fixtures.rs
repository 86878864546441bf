//! Small modules with what is wrong with them beside the line: `tests/lint/*.erl`.
//!
//! A file holds many cases. A case starts with a line `%%% name`; in its place the compiler sees
//! `-module(t).` and an option that exports everything (`%%% raw name`: it sees nothing). Behind
//! `%!` stand the findings of that line: column, severity and code of each. `UPDATE_EXPECT=1`
//! writes them anew. A second test asks OTP's compiler about the same cases and wants the same
//! answers, except for cases whose name ends in `later` (constructs of later releases).

mod judge;

use std::path::{Path, PathBuf};

use judge::{Found, Judge};
use syntax::options::Options;
use syntax::source::Files;

const PROLOGUE: &str = "-module(t). -compile([export_all, nowarn_export_all]).";

struct Case {
    file: PathBuf,
    name: String,
    /// Line in the file of the case's first line.
    start: usize,
    /// The text, without findings.
    text: String,
    /// What is expected on each line.
    expected: Vec<String>,
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint")
}

fn cases() -> Vec<Case> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(directory())
        .expect("tests/lint")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "erl"))
        .collect();
    files.sort();
    let mut cases: Vec<Case> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a fixture");
        for (index, line) in text.lines().enumerate() {
            if let Some(name) = line.strip_prefix("%%% ") {
                let prologue = if name.starts_with("raw ") { "" } else { PROLOGUE };
                cases.push(Case {
                    file: file.clone(),
                    name: name.to_string(),
                    start: index,
                    text: format!("{prologue}\n"),
                    expected: vec![String::new()],
                });
                continue;
            }
            let Some(case) = cases.last_mut().filter(|case| case.file == file) else { continue };
            let (code, expected) = line.split_once("%!").unwrap_or((line, ""));
            case.text.push_str(code.trim_end());
            case.text.push('\n');
            case.expected.push(expected.trim().to_string());
        }
    }
    cases
}

struct OneFile(String);

impl Files for OneFile {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        match path.to_str() {
            Some("t.erl") => Ok(self.0.clone().into_bytes()),
            _ => Err(std::io::ErrorKind::NotFound.into()),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        path == Path::new("t.erl")
    }

    fn lib_dir(&self, _application: &str) -> Option<PathBuf> {
        None
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }
}

fn ours(case: &Case) -> Vec<Found> {
    judge::ours(Path::new("t.erl"), &OneFile(case.text.clone()), &Options::default(), None)
}

fn line_of_findings(found: &[Found], line: u32) -> String {
    let on_line: Vec<String> = found
        .iter()
        .filter(|found| found.line == line)
        .map(|found| {
            let severity = if found.error { "error" } else { "warning" };
            format!("{} {severity} {}", found.column, found.code)
        })
        .collect();
    on_line.join(", ")
}

#[test]
fn findings_are_as_expected() {
    let cases = cases();
    let mut wrong = 0;
    for case in &cases {
        let found = ours(case);
        for (index, expected) in case.expected.iter().enumerate() {
            let actual = line_of_findings(&found, index as u32 + 1);
            if actual != *expected {
                wrong += 1;
                let place = case.start + index + 1;
                println!(
                    "{}:{place} ({}): expected '{expected}', found '{actual}'",
                    case.file.display(),
                    case.name
                );
            }
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        update(&cases);
        return;
    }
    assert_eq!(wrong, 0, "lines with other findings; UPDATE_EXPECT=1 rewrites them");
}

fn update(cases: &[Case]) {
    for group in cases.chunk_by(|a, b| a.file == b.file) {
        let old = std::fs::read_to_string(&group[0].file).expect("a fixture");
        let mut text: String =
            old.lines().take(group[0].start).map(|line| format!("{line}\n")).collect();
        for case in group {
            text.push_str(&format!("%%% {}\n", case.name));
            let found = ours(case);
            for (index, line) in case.text.lines().enumerate().skip(1) {
                let findings = line_of_findings(&found, index as u32 + 1);
                if findings.is_empty() {
                    text.push_str(line);
                } else {
                    text.push_str(&format!("{line:<50} %! {findings}"));
                }
                text.push('\n');
            }
        }
        std::fs::write(&group[0].file, text).expect("a fixture can be written");
    }
}

#[test]
fn the_judge_agrees() {
    let Some(judge) = Judge::find("lint_fixtures") else { return };
    let cases: Vec<Case> =
        cases().into_iter().filter(|case| !case.name.ends_with("later")).collect();
    let mut files = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let path = judge.directory.join(format!("case_{index}.erl"));
        std::fs::write(&path, &case.text).expect("a case can be written");
        files.push((path, Vec::new()));
    }
    let verdicts = judge.verdicts_with(&files, "strong_validation");
    assert_eq!(verdicts.len(), cases.len());
    let mut wrong = 0;
    for (case, verdict) in cases.iter().zip(&verdicts) {
        let found = ours(case);
        let (core, theirs): (Vec<Found>, Vec<Found>) =
            verdict.iter().cloned().partition(|found| is_late_pass(&found.pass));
        let (our_core, found): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|found| found.pass == "compiler");
        // Of the later passes we report a part, but nothing that they do not.
        let invented: Vec<&Found> = our_core
            .iter()
            .filter(|found| {
                !core.iter().any(|other| (other.line, other.column) == (found.line, found.column))
            })
            .collect();
        if keys(&found) != keys(&theirs) || !invented.is_empty() {
            wrong += 1;
            println!("{}:{} {}", case.file.display(), case.start + 1, case.name);
            println!("  ours:   {:?}", keys(&found));
            println!("  theirs: {:?}", keys(&theirs));
            println!("  not theirs: {invented:?}");
        }
    }
    println!("the judge agrees on {} of {} cases", cases.len() - wrong, cases.len());
    assert_eq!(wrong, 0);
}

fn is_late_pass(pass: &str) -> bool {
    !matches!(pass, "erl_lint" | "erl_parse" | "epp" | "erl_scan" | "compile")
}

fn keys(found: &[Found]) -> Vec<(u32, u32, bool, &str)> {
    found
        .iter()
        .map(|found| {
            // A syntax error is only a text in OTP.
            let code = if found.pass == "erl_lint" { found.code.as_str() } else { "syntax" };
            (found.line, found.column, found.error, code)
        })
        .collect()
}
