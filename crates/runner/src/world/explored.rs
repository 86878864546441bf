//! The world of a program that is run again and again, under other schedules: the real one as it
//! was when it was first looked at. What the program writes is not shown, what it changes is
//! changed in the state of its Machine only (`machine::world`), and the day and the number of the
//! process are always the same.
//!
//! Answers of the file system are remembered, so that all executions see the same files; that costs
//! memory for what was read, and no time for what is read again.

use machine::world::{Files, UtcOffset, World};

use super::permissions::Permissions;
use super::{FIXED_PID, FIXED_START, RealWorld};

pub struct ExploredWorld {
    real: RealWorld,
    #[cfg(unix)]
    files: snapshot::Snapshot,
}

impl ExploredWorld {
    /// `seed`: what the system's random numbers are made from.
    pub fn new(permissions: Permissions, seed: u64) -> ExploredWorld {
        ExploredWorld {
            #[cfg(unix)]
            files: snapshot::Snapshot::new(super::disk::Disk::new(permissions.clone())),
            real: RealWorld::new(permissions, seed),
        }
    }
}

impl World for ExploredWorld {
    fn print(&self, _: &str) {}

    fn start_time(&self) -> u64 {
        FIXED_START
    }

    fn scratch_dir(&self) -> Option<String> {
        self.real.scratch_dir()
    }

    fn utc_offset(&self, at: i64) -> UtcOffset {
        self.real.utc_offset(at)
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.real.environment()
    }

    fn files(&self) -> Option<&dyn Files> {
        #[cfg(unix)]
        return Some(&self.files);
        #[cfg(not(unix))]
        None
    }

    fn keeps_changes(&self) -> bool {
        true
    }

    fn current_dir(&self) -> Vec<u8> {
        self.real.current_dir()
    }

    fn host_name(&self) -> String {
        self.real.host_name()
    }

    fn os_pid(&self) -> u32 {
        FIXED_PID
    }

    fn random_seed(&self) -> u64 {
        self.real.random_seed()
    }
}

#[cfg(unix)]
mod snapshot {
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::rc::Rc;

    use machine::world::files::{Files, How, Info, Kind, OpenFile, Posix, Result};

    use crate::world::disk::Disk;

    /// Nothing is changed outside.
    const NEVER: Posix = Posix("erofs");

    /// The answers of a file system, by what was asked.
    type Remembered<K, V> = RefCell<BTreeMap<K, Result<V>>>;

    pub(super) struct Snapshot {
        disk: Disk,
        infos: Remembered<(Vec<u8>, bool), Info>,
        lists: Remembered<Vec<u8>, Vec<Vec<u8>>>,
        links: Remembered<Vec<u8>, Vec<u8>>,
        files: Remembered<Vec<u8>, Rc<ReadFile>>,
    }

    fn remembered<K: Ord, V: Clone>(
        known: &Remembered<K, V>,
        key: K,
        ask: impl FnOnce(&K) -> Result<V>,
    ) -> Result<V> {
        if let Some(answer) = known.borrow().get(&key) {
            return answer.clone();
        }
        let answer = ask(&key);
        known.borrow_mut().insert(key, answer.clone());
        answer
    }

    impl Snapshot {
        pub(super) fn new(disk: Disk) -> Snapshot {
            Snapshot {
                disk,
                infos: RefCell::default(),
                lists: RefCell::default(),
                links: RefCell::default(),
                files: RefCell::default(),
            }
        }

        fn read(&self, path: &[u8]) -> Result<Rc<ReadFile>> {
            let file = self.disk.open(path, How { read: true, ..How::default() })?;
            let info = file.info()?;
            Ok(Rc::new(ReadFile { bytes: file.read_at(0, usize::MAX)?, info }))
        }
    }

    impl Files for Snapshot {
        fn open(&self, path: &[u8], how: How) -> Result<Rc<dyn OpenFile>> {
            // What is no file is for ever the same, or takes whatever it is given.
            if self.info(path, true).is_ok_and(|info| info.kind != Kind::Regular) {
                return self.disk.open(path, how);
            }
            if how.write {
                return Err(NEVER);
            }
            let file = remembered(&self.files, path.to_vec(), |path| self.read(path))?;
            Ok(file)
        }

        fn info(&self, path: &[u8], follow: bool) -> Result<Info> {
            let key = (path.to_vec(), follow);
            remembered(&self.infos, key, |(path, follow)| self.disk.info(path, *follow))
        }

        fn list(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
            remembered(&self.lists, path.to_vec(), |path| self.disk.list(path))
        }

        fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
            remembered(&self.links, path.to_vec(), |path| self.disk.read_link(path))
        }

        fn make_dir(&self, _: &[u8]) -> Result<()> {
            Err(NEVER)
        }

        fn delete(&self, _: &[u8]) -> Result<()> {
            Err(NEVER)
        }

        fn delete_dir(&self, _: &[u8]) -> Result<()> {
            Err(NEVER)
        }

        fn rename(&self, _: &[u8], _: &[u8]) -> Result<()> {
            Err(NEVER)
        }

        fn hard_link(&self, _: &[u8], _: &[u8]) -> Result<()> {
            Err(NEVER)
        }

        fn symlink(&self, _: &[u8], _: &[u8]) -> Result<()> {
            Err(NEVER)
        }

        fn set_mode(&self, _: &[u8], _: u32) -> Result<()> {
            Err(NEVER)
        }

        fn set_owner(&self, _: &[u8], _: Option<u32>, _: Option<u32>) -> Result<()> {
            Err(NEVER)
        }

        fn set_times(&self, _: &[u8], _: i64, _: i64) -> Result<()> {
            Err(NEVER)
        }

        fn canonical_dir(&self, path: &[u8]) -> Result<Vec<u8>> {
            self.disk.canonical_dir(path)
        }

        fn may_change(&self, path: &[u8], follow: bool) -> Result<()> {
            self.disk.may_change(path, follow)
        }
    }

    /// A file as it was.
    struct ReadFile {
        bytes: Vec<u8>,
        info: Info,
    }

    impl OpenFile for ReadFile {
        fn read_at(&self, at: u64, len: usize) -> Result<Vec<u8>> {
            let start = usize::try_from(at).unwrap_or(usize::MAX).min(self.bytes.len());
            let end = start.saturating_add(len).min(self.bytes.len());
            Ok(self.bytes[start..end].to_vec())
        }

        fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
            Err(NEVER)
        }

        fn append(&self, _: &[u8]) -> Result<u64> {
            Err(NEVER)
        }

        fn set_len(&self, _: u64) -> Result<()> {
            Err(NEVER)
        }

        fn info(&self) -> Result<Info> {
            Ok(self.info.clone())
        }

        fn sync(&self) -> Result<()> {
            Ok(())
        }
    }
}
