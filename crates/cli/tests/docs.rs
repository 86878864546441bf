//! The commands in the documentation do what the documentation says.
//!
//! Every ```` ```console ```` block of `README.md` and `docs/*.md` is run from the root of the
//! repository: lines that begin with `$ ` are commands (for `sh`, with `erlscope` on the PATH),
//! what follows is their output, standard error included. `UPDATE_EXPECT=1` rewrites the blocks.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root is there")
}

/// README.md and everything in docs, in order.
fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(root().join("docs"))
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    found.push(root().join("README.md"));
    found.sort();
    found
}

/// The text with the output of each command as it is now.
fn with_real_output(text: &str) -> String {
    let mut result = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        result.push_str(line);
        result.push('\n');
        if line.trim() != "```console" {
            continue;
        }
        while let Some(line) = lines.next_if(|line| line.trim() != "```") {
            if let Some(command) = line.strip_prefix("$ ") {
                result.push_str(line);
                result.push('\n');
                result.push_str(&output(command));
            }
        }
    }
    result
}

/// What a command prints, without white space at the ends of lines and the end of the text.
fn output(command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_erlscope"));
    let bin = binary.parent().expect("the binary is in a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(root())
        .env("PATH", format!("{}:{path}", bin.display()))
        .env_remove("ERL_LIBS")
        .output()
        .expect("sh starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn console_blocks() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for path in documents() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let real = with_real_output(&text);
        if real == text {
            continue;
        }
        if update {
            std::fs::write(&path, real).expect("the document can be written");
        } else {
            let differs = text.lines().zip(real.lines()).find(|(old, new)| old != new);
            wrong.push(format!("{}: {differs:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "UPDATE_EXPECT=1 rewrites these documents:\n{}", wrong.join("\n"));
}
