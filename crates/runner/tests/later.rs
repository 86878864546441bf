//! Programs in the language of releases after OTP 25, for which no judge is installed. What each
//! prints is written at its end, in lines that begin with `%> `, and comes from the documents that
//! its first lines name. All programs of `tests/later` are loaded together, so that they can use
//! each other; those that export `main/0` are run, on a node.

mod on_node;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use program::Program;
use program::load::LoadOptions;

#[test]
fn programs_of_later_releases() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/later");
    let mut sources: Vec<(String, String)> = fs::read_dir(&dir)
        .expect("the programs")
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.strip_suffix(".erl")?.to_owned();
            Some((name, fs::read_to_string(path).ok()?))
        })
        .collect();
    sources.sort();
    let options = LoadOptions { without_otp: true, ..LoadOptions::default() };
    let program = Arc::new(Program::load(&[dir], &options).expect("the programs"));
    let mut run = 0;
    let mut wrong = Vec::new();
    for (name, text) in &sources {
        let expected: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("%>"))
            .map(|l| l.strip_prefix(' ').unwrap_or(l))
            .collect();
        if !text.contains("main/0") {
            continue;
        }
        run += 1;
        let printed = on_node::printed(&program, name);
        let printed: Vec<&str> = printed.lines().collect();
        if printed != expected {
            let at = printed.iter().zip(&expected).take_while(|(a, b)| a == b).count();
            let shown = |lines: &[&str]| {
                lines.iter().skip(at).take(4).copied().collect::<Vec<_>>().join("\n    ")
            };
            wrong.push(format!(
                "{name}, line {}\n  printed\n    {}\n  expected\n    {}",
                at + 1,
                shown(&printed),
                shown(&expected)
            ));
        }
    }
    println!("{run} programs of later releases, {} print something else", wrong.len());
    assert!(run > 0 && wrong.is_empty(), "{}", wrong.join("\n"));
}
