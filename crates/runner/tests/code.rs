//! Programs that load, replace and compile code, against `erl`: each directory of `tests/code` is a
//! program whose `main/0` has the directory's name; what it prints is compared. Without `erl` the
//! test says that it is skipped.

mod on_node;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use program::Program;
use program::load::LoadOptions;

/// What the Machine prints.
fn ours(dir: &Path, name: &str, without_otp: bool) -> String {
    let options = LoadOptions { without_otp, without_lint: true, ..LoadOptions::default() };
    let program = Program::load(&[dir.to_path_buf()], &options).expect("the program");
    on_node::printed(&Arc::new(program), name)
}

/// What `erl` prints; `None` if there is none.
fn theirs(dir: &Path, name: &str) -> Option<String> {
    let out = std::env::temp_dir().join(format!("erlscope-code-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&out).ok()?;
    let mut sources: Vec<_> = std::fs::read_dir(dir)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "erl"))
        .collect();
    // Transforms come first.
    sources.sort();
    for source in sources {
        let status = Command::new("erlc")
            .arg("+debug_info")
            .arg("-o")
            .arg(&out)
            .arg("-pa")
            .arg(&out)
            .arg(source)
            .status();
        assert!(status.ok()?.success(), "erlc {name}");
    }
    let call = format!("{name}:main(), init:stop().");
    let run = Command::new("erl")
        .args(["-noshell", "-kernel", "logger_level", "none", "-pa"])
        .arg(&out)
        .args(["-eval", &call])
        .current_dir(&out)
        .output()
        .ok()?;
    let _ = std::fs::remove_dir_all(&out);
    Some(String::from_utf8_lossy(&run.stdout).into_owned())
}

#[test]
fn code_programs_as_erl_runs_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code");
    let wanted = std::env::var("CODE").unwrap_or_default();
    let mut dirs: Vec<_> =
        std::fs::read_dir(&root).expect("tests/code").flatten().map(|entry| entry.path()).collect();
    dirs.sort();
    let mut different = Vec::new();
    for dir in dirs {
        let name = dir.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if !name.contains(&wanted) {
            continue;
        }
        let Some(expected) = theirs(&dir, &name) else {
            println!("skipped: no erl on the path");
            return;
        };
        // What the compiler says is in OTP's words only where OTP is.
        let ways: &[bool] = if name == "compiled" { &[false] } else { &[false, true] };
        for &without_otp in ways {
            let printed = ours(&dir, &name, without_otp);
            for (ours, theirs) in lines(&printed, &expected) {
                if ours != theirs {
                    let way = if without_otp { " without OTP" } else { "" };
                    different.push(format!("{name}{way}\n  Machine: {ours}\n  erl:     {theirs}"));
                }
            }
        }
    }
    different.truncate(30);
    assert!(different.is_empty(), "{}", different.join("\n"));
}

/// The lines of two texts side by side.
fn lines<'a>(ours: &'a str, theirs: &'a str) -> Vec<(&'a str, &'a str)> {
    let (mut ours, mut theirs) = (ours.lines(), theirs.lines());
    let mut pairs = Vec::new();
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return pairs,
            (a, b) => pairs.push((a.unwrap_or("(nothing)"), b.unwrap_or("(nothing)"))),
        }
    }
}
