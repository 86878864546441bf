//! Programs that once got a wrong answer, each with what is expected of it now.
//!
//! `found/` holds the programs and, beside them, files `NAME.case`: comments (`#`), then commands
//! with what must hold of each.
//!
//! ```text
//! $ erlscope explore end_tables.erl end_tables:test     run with `sh`, in a copy of the directory
//! exit 1              the exit code
//! has TEXT            TEXT is in what was printed (standard output and error)
//! lacks TEXT          it is not
//! prints TEXT         a line of standard output is TEXT, without white space at its ends
//! json                standard output is one JSON document and nothing else
//! within 5            it ended within so many seconds (only where it did not end before)
//! ```
//!
//! A case that is about a difference to the BEAM says in a comment what the BEAM does.

mod harness;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use harness::Project;

/// What a command did.
struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
    time: Duration,
}

fn run(command: &str, directory: &Path) -> Ran {
    let binary = Path::new(env!("CARGO_BIN_EXE_erlscope"));
    let bin = binary.parent().expect("the binary is in a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let began = Instant::now();
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(directory)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env_remove("ERL_LIBS")
        .env_remove("ERL_COMPILER_OPTIONS")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("sh starts");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        time: began.elapsed(),
    }
}

/// Whether one line of a case holds; an error says that the line cannot be read.
fn holds(expectation: &str, ran: &Ran) -> Result<bool, String> {
    let (word, rest) = expectation.split_once(' ').unwrap_or((expectation, ""));
    let printed = |text: &str| ran.stdout.contains(text) || ran.stderr.contains(text);
    match word {
        "exit" => Ok(ran.code.map(|code| code.to_string()).as_deref() == Some(rest.trim())),
        "has" if !rest.is_empty() => Ok(printed(rest)),
        "lacks" if !rest.is_empty() => Ok(!printed(rest)),
        "prints" => Ok(ran.stdout.lines().any(|line| line.trim() == rest.trim())),
        "json" => Ok(serde_json::from_str::<serde_json::Value>(&ran.stdout).is_ok()),
        "within" => {
            let seconds = rest.trim().parse().map_err(|_| format!("no number: {rest}"))?;
            Ok(ran.time <= Duration::from_secs(seconds))
        }
        _ => Err(format!("not understood: {expectation}")),
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("directory can be made");
    for entry in std::fs::read_dir(from).expect("directory can be read").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("file can be copied");
        }
    }
}

/// What is wrong with a case.
fn check(case: &Path, root: &Path) -> Vec<String> {
    let name = case.strip_prefix(root).unwrap_or(case).with_extension("").display().to_string();
    let project = Project::new(&format!("found/{name}"), &[]);
    copy(case.parent().expect("a case is in a directory"), &project.root);
    let text = std::fs::read_to_string(case).expect("a case can be read");
    let mut wrong = Vec::new();
    let mut last: Option<(String, Ran)> = None;
    let mut expectations = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(command) = line.strip_prefix("$ ") {
            last = Some((command.to_owned(), run(command, &project.root)));
            continue;
        }
        expectations += 1;
        let Some((command, ran)) = &last else {
            wrong.push(format!("{name}: an expectation before the first command: {line}"));
            continue;
        };
        match holds(line, ran) {
            Ok(true) => {}
            Ok(false) => wrong.push(format!(
                "{name}: $ {command}\n  expected: {line}\n  exit {:?}\n{}{}",
                ran.code, ran.stdout, ran.stderr
            )),
            Err(message) => wrong.push(format!("{name}: {message}")),
        }
    }
    if expectations == 0 {
        wrong.push(format!("{name}: nothing is expected"));
    }
    wrong
}

fn cases(directory: &Path, into: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            cases(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "case") {
            into.push(path);
        }
    }
}

/// All cases of a directory of `found`; `FOUND=TEXT` runs only those whose path has TEXT in it.
fn all(area: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found");
    let mut found = Vec::new();
    cases(&root.join(area), &mut found);
    assert!(!found.is_empty(), "no cases in {area}");
    if let Ok(wanted) = std::env::var("FOUND") {
        found.retain(|path| path.display().to_string().contains(&wanted));
    }
    let wrong: Vec<String> = found.iter().flat_map(|case| check(case, &root)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn explore() {
    all("explore");
}

#[test]
fn slice() {
    all("slice");
}

#[test]
fn projects() {
    all("projects");
}
