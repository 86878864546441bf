//! Packs the library: reads, lowers and finishes each module, so that nobody has to do it at run
//! time.
//!
//! A module that cannot be packed fails the build. All is written to one file; a table says where
//! each module is in it.

#[path = "src/sources.rs"]
pub mod sources;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs, io};

use code::lower::Unsupported;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/sources.rs");
    let mut modules: Vec<(&str, Vec<u8>)> = Vec::new();
    for source in stdlib::files() {
        if let Some(name) = stdlib::module_name(source.path) {
            modules.push((name, packed(name)?));
        }
    }
    modules.sort();
    let (mut bytes, mut table) = (Vec::new(), String::from("&[\n"));
    for (name, packed) in modules {
        let start = bytes.len();
        bytes.extend(packed);
        let _ = writeln!(table, "    ({name:?}, {start}..{}),", bytes.len());
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap_or_default());
    fs::write(out.join("modules.bin"), bytes)?;
    fs::write(out.join("modules.rs"), table)
}

fn packed(name: &str) -> io::Result<Vec<u8>> {
    let failed = |what: &str| io::Error::other(format!("{name}: {what}"));
    let tree = sources::module(name).ok_or_else(|| failed("is not there"))?;
    let code = code::lower::lower(&tree).map_err(|problems| {
        let line =
            |found: &Unsupported| format!("line {}: {}", tree.loc(found.node).line, found.message);
        failed(&problems.iter().map(line).collect::<Vec<_>>().join("; "))
    })?;
    code::packed::pack(code, &tree).ok_or_else(|| failed("cannot be packed"))
}
