//! A directory for the files of a test run.
//!
//! Tests may tell its name, so that it must be the same for the same run; and two runs at the same
//! time must not share one. So there is a row of directories with numbers, and a run takes the
//! first that nobody holds: a lock on a file beside it, which ends with the run whatever becomes of
//! it. What an earlier run left in it is removed here, not by the program: then a run is the same
//! whatever was there, as far as it can be seen. All names have the same length, so that programs
//! which take them apart do the same work.

use std::fs::{File, create_dir_all, remove_dir_all};
use std::io::ErrorKind;
use std::path::PathBuf;

/// How many runs at the same time are thought of.
const DIRECTORIES: u32 = 1000;

#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) directory: String,
    /// Locked as long as it is open.
    _lock: File,
}

impl Scratch {
    /// The first directory that is free; none if the disk does not let us.
    pub(super) fn take() -> Option<Scratch> {
        let user = std::env::var("USER").unwrap_or_default();
        let home = std::env::temp_dir().join(format!("erlscope-{user}"));
        create_dir_all(&home).ok()?;
        (1..=DIRECTORIES).find_map(|number| taken(home.join(format!("{number:04}"))))
    }
}

fn taken(directory: PathBuf) -> Option<Scratch> {
    let lock = File::create(directory.with_extension("lock")).ok()?;
    lock.try_lock().ok()?;
    match remove_dir_all(&directory) {
        Err(problem) if problem.kind() != ErrorKind::NotFound => return None,
        _ => create_dir_all(&directory).ok()?,
    }
    Some(Scratch { directory: directory.to_str()?.to_owned(), _lock: lock })
}

#[cfg(test)]
mod tests {
    use super::Scratch;

    #[test]
    fn two_runs_do_not_share_one() {
        let (first, second) = (Scratch::take(), Scratch::take());
        let (Some(first), Some(second)) = (first, second) else { return };
        assert_ne!(first.directory, second.directory);
    }
}
