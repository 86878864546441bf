//! Every file of `tests/expressions` against `erl`. Set `EXPRESSIONS` to a part of a file's name to
//! compare only that one.

mod judge;

use std::path::Path;

#[test]
fn expressions_as_erl_evaluates_them() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expressions");
    let wanted = std::env::var("EXPRESSIONS").unwrap_or_default();
    let mut files: Vec<_> = std::fs::read_dir(&dir)
        .expect("tests/expressions")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .filter(|path| path.to_string_lossy().contains(&wanted))
        .collect();
    files.sort();
    let mut failed = Vec::new();
    for file in &files {
        // One file's differences do not hide another's.
        if let Err(problem) = std::panic::catch_unwind(|| judge::compare(file)) {
            failed.push(problem);
        }
    }
    if let Some(problem) = failed.into_iter().next() {
        std::panic::resume_unwind(problem);
    }
}
