//! Lists the pages, so that adding one is adding a file.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=pages");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut pages: Vec<(String, PathBuf)> = fs::read_dir(root.join("pages"))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect();
    pages.sort();
    let mut table = String::from("&[\n");
    for (code, path) in &pages {
        let _ = writeln!(table, "    ({code:?}, include_str!({path:?})),");
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default());
    fs::write(out.join("pages.rs"), table)
}
