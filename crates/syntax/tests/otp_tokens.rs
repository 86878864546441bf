//! Every source file and header of the installed Erlang/OTP: our tokens against
//! `erl_scan:string/2`, with category, line, column and value.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::{Otp, in_parallel};
use syntax::token::{Literal, TokenKind, TokenValue};

#[test]
fn otp_files_have_the_same_tokens() {
    let Some(otp) = Otp::find("otp_files_have_the_same_tokens") else { return };
    let mut files = otp.modules();
    files.extend(headers(&otp.lib));
    let directory = std::env::temp_dir().join(format!("erlscope-tokens-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a string takes any text");
    let list: String = files
        .iter()
        .enumerate()
        .map(|(index, file)| format!("{}\t{}/{index}\n", file.display(), directory.display()))
        .collect();
    let list_file = directory.join("list");
    std::fs::write(&list_file, list).expect("a string takes any text");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/grammar/dump_tokens.escript");
    let output = Command::new("escript")
        .arg(script)
        .arg(&list_file)
        .output()
        .expect("a string takes any text");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let jobs: Vec<_> = files.iter().enumerate().collect();
    let differences: Vec<String> = in_parallel(&jobs, |&(index, file)| {
        let theirs = std::fs::read_to_string(directory.join(index.to_string()))
            .expect("a string takes any text");
        difference(&dump(file), &theirs).map(|found| format!("{}: {found}", file.display()))
    })
    .into_iter()
    .flatten()
    .collect();
    let _ = std::fs::remove_dir_all(&directory);
    println!("{} of {} files have the same tokens", files.len() - differences.len(), files.len());
    let shown = differences.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{shown}");
}

fn headers(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_path_buf()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "hrl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A line a token: line, column, category, value.
fn dump(path: &Path) -> String {
    let scanned =
        syntax::scan::scan(path, std::fs::read(path).expect("an installed file can be read"));
    let mut out = String::new();
    for token in scanned.tokens.iter().filter(|token| token.kind != TokenKind::Eof) {
        let (line, column) = (token.loc.line, token.loc.column);
        write!(out, "{line} {column} ").expect("a string takes any text");
        match (token.kind, token.value) {
            (TokenKind::Atom, TokenValue::Name(name)) => write!(out, "atom {name}"),
            (TokenKind::Var, TokenValue::Name(name)) => write!(out, "var {name}"),
            (TokenKind::Symbol, TokenValue::Name(name)) => write!(out, "{name}"),
            (TokenKind::Dot, _) => write!(out, "dot"),
            (_, TokenValue::Char(c)) => write!(out, "char {c}"),
            (_, TokenValue::Literal(id)) => match &scanned.literals[id.0 as usize] {
                Literal::Integer(value) => write!(out, "integer {value}"),
                Literal::Float(value) => write!(out, "float {}", value.to_bits()),
                Literal::String(text) => write!(out, "string {text}"),
            },
            (kind, _) => write!(out, "{}", kind.text().unwrap_or_default()),
        }
        .expect("a string takes any text");
        out.push('\n');
    }
    out
}

fn difference(ours: &str, theirs: &str) -> Option<String> {
    if ours == theirs {
        return None;
    }
    let mut pairs = ours.lines().zip(theirs.lines());
    let (ours, theirs) = pairs.find(|(ours, theirs)| ours != theirs).unwrap_or(("end", "end"));
    Some(format!("ours {ours:?}, erl_scan {theirs:?}"))
}
