//! Lists the library's Erlang sources, so that adding a module is adding a file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=erl");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    collect(&root.join("erl"), &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let shown = file.strip_prefix(&root).unwrap_or(file);
        let _ = writeln!(table, "    ({:?}, include_str!({file:?})),", shown.display().to_string());
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default());
    fs::write(out.join("files.rs"), table)?;
    fs::write(out.join("modules.rs"), modules(&files))
}

/// The name of each module and the number of its file, by name.
fn modules(files: &[PathBuf]) -> String {
    let stem = |file: &PathBuf| Some(file.file_stem()?.to_str()?.to_owned());
    let modules =
        files.iter().enumerate().filter(|(_, file)| file.extension().is_some_and(|e| e == "erl"));
    let mut names: Vec<(String, usize)> =
        modules.filter_map(|(index, file)| Some((stem(file)?, index))).collect();
    names.sort();
    format!("&{names:?}\n")
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "erl" || e == "hrl") {
            files.push(path);
        }
    }
    Ok(())
}
