//! Inputs as files: a directory with one file an input, named by what is in it.
//!
//! A file holds one value as Erlang text with a full stop. Names depend on the text alone, so two
//! people who find the same input have the same file, and writing a corpus again changes nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::Input;
use crate::text::{self, NotAnInput};

/// How the names of files end.
const ENDING: &str = "input";

/// A file that is no input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub path: PathBuf,
    pub error: NotAnInput,
}

/// The name of an input's file.
pub fn file_name(input: &Input) -> String {
    // FNV-1a: short, and the same everywhere and for ever.
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in input.to_string().bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    format!("{hash:016x}.{ENDING}")
}

fn files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The inputs of a directory in the order of their names, and what cannot be read. A directory
/// that is not there is empty.
pub fn load(dir: &Path) -> io::Result<(Vec<Input>, Vec<Unreadable>)> {
    let (mut inputs, mut unreadable) = (Vec::new(), Vec::new());
    for path in files(dir)? {
        let bytes = fs::read(&path)?;
        match text::read(&String::from_utf8_lossy(&bytes)) {
            Ok(input) => inputs.push(input),
            Err(error) => unreadable.push(Unreadable { path, error }),
        }
    }
    Ok((inputs, unreadable))
}

/// Makes a directory hold these inputs and no others. Files of other kinds, and files that are no
/// inputs, stay.
pub fn save(dir: &Path, inputs: &[Input]) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    let names: Vec<PathBuf> = inputs.iter().map(|input| dir.join(file_name(input))).collect();
    for (path, input) in names.iter().zip(inputs) {
        if !path.exists() {
            fs::write(path, format!("{input}.\n"))?;
        }
    }
    for path in files(dir)? {
        if names.contains(&path) {
            continue;
        }
        let bytes = fs::read(&path)?;
        if text::read(&String::from_utf8_lossy(&bytes)).is_ok() {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}
