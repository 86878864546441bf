//! Files that a run has read, as it found them: so that whoever repeats the run can say which of
//! them have changed.
//!
//! A file is looked at when it is first opened for reading: its length and a hash (FNV-1a, 64 bits)
//! of what is in it. Of what a run wrote itself before it read it nothing is remembered.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A length and a hash.
pub type Content = (u64, u64);

/// What is in a file now; `None` if it cannot be read.
pub fn content(path: &Path) -> Option<Content> {
    let mut file =
        File::open(path).ok().filter(|file| file.metadata().is_ok_and(|m| m.is_file()))?;
    let (mut length, mut hash) = (0, 0xCBF2_9CE4_8422_2325u64);
    let mut part = [0; 8192];
    loop {
        let count = file.read(&mut part).ok()?;
        if count == 0 {
            return Some((length, hash));
        }
        length += count as u64;
        for byte in &part[..count] {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Reads {
    /// `None`: the run wrote it before.
    files: RefCell<BTreeMap<PathBuf, Option<Content>>>,
}

impl Reads {
    /// A file is about to be opened.
    pub(super) fn opened(&self, path: &Path, writes: bool) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let now = if writes { None } else { content(&path) };
        self.files.borrow_mut().entry(path).or_insert(now);
    }

    pub(super) fn all(&self) -> Vec<(PathBuf, Content)> {
        let files = self.files.borrow();
        files.iter().filter_map(|(path, content)| Some((path.clone(), (*content)?))).collect()
    }
}
