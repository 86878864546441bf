//! What the Machine asks of a file system outside of it.
//!
//! Names are bytes and always absolute: the current directory belongs to the Machine's state. Open
//! files are read and written by position only, because the position belongs to the state, too: two
//! clones of a Machine share the file but do not move each other. An open file is closed when the
//! last state that knows it lets go of it.

use std::rc::Rc;

/// Why something failed, by its name in Erlang: `enoent`, `eacces`, ...
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Posix(pub &'static str);

pub type Result<T> = std::result::Result<T, Posix>;

/// How a file is to be opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct How {
    pub read: bool,
    pub write: bool,
    pub append: bool,
    /// The file must not exist.
    pub exclusive: bool,
    /// It must be a directory.
    pub directory: bool,
}

impl How {
    /// Whether what was in the file is lost.
    pub fn truncates(self) -> bool {
        self.write && !self.read && !self.append
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Regular,
    Directory,
    Symlink,
    Device,
    Other,
}

/// What is known about a file: the record `file_info`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    pub size: u64,
    pub kind: Kind,
    pub readable: bool,
    pub writable: bool,
    /// Seconds since 1970.
    pub accessed: i64,
    pub modified: i64,
    pub changed: i64,
    pub mode: u32,
    pub links: u64,
    pub major_device: u64,
    pub minor_device: u64,
    pub inode: u64,
    pub uid: u32,
    pub gid: u32,
}

/// An open file outside.
pub trait OpenFile {
    /// Up to `len` bytes; fewer only at the end of the file.
    fn read_at(&self, at: u64, len: usize) -> Result<Vec<u8>>;
    fn write_at(&self, at: u64, bytes: &[u8]) -> Result<()>;
    /// Writes at the end; says where the end is then.
    fn append(&self, bytes: &[u8]) -> Result<u64>;
    fn set_len(&self, len: u64) -> Result<()>;
    fn info(&self) -> Result<Info>;
    fn sync(&self) -> Result<()>;
}

/// A file system outside. Who implements it decides what is allowed: what is not is `eacces`.
pub trait Files {
    fn open(&self, path: &[u8], how: How) -> Result<Rc<dyn OpenFile>>;
    /// `follow`: of what a symbolic link leads to.
    fn info(&self, path: &[u8], follow: bool) -> Result<Info>;
    /// Names in a directory, sorted.
    fn list(&self, path: &[u8]) -> Result<Vec<Vec<u8>>>;
    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>>;
    fn make_dir(&self, path: &[u8]) -> Result<()>;
    fn delete(&self, path: &[u8]) -> Result<()>;
    fn delete_dir(&self, path: &[u8]) -> Result<()>;
    fn rename(&self, from: &[u8], to: &[u8]) -> Result<()>;
    fn hard_link(&self, existing: &[u8], new: &[u8]) -> Result<()>;
    fn symlink(&self, target: &[u8], new: &[u8]) -> Result<()>;
    fn set_mode(&self, path: &[u8], mode: u32) -> Result<()>;
    fn set_owner(&self, path: &[u8], uid: Option<u32>, gid: Option<u32>) -> Result<()>;
    fn set_times(&self, path: &[u8], accessed: i64, modified: i64) -> Result<()>;
    /// The directory that a name means, without symbolic links.
    fn canonical_dir(&self, path: &[u8]) -> Result<Vec<u8>>;
    /// Whether something may be changed there, by who keeps the change to itself. `follow`: what a
    /// symbolic link leads to, and not the name.
    fn may_change(&self, _path: &[u8], _follow: bool) -> Result<()> {
        Ok(())
    }
}

/// Reads until nothing comes any more: what has no size (`/proc`) is read, too.
pub(crate) fn read_all(mut read: impl FnMut(u64, usize) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    const BLOCK: usize = 1 << 20;
    let mut all = Vec::new();
    loop {
        let block = read(all.len() as u64, BLOCK)?;
        if block.is_empty() {
            return Ok(all);
        }
        all.extend(block);
    }
}
