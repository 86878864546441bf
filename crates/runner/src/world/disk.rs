//! The real file system, as far as the permissions go.
//!
//! A path is allowed by where it leads: links are followed before it is compared with the
//! permissions, as far as its parts exist. What is refused looks to the program like a file that it
//! has no right to (`eacces`), and the user is told of each place once. What is read is noted for
//! those who save a schedule.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use machine::world::files::{Files, How, Info, Kind, OpenFile, Posix, Result};

use super::permissions::Permissions;
use super::reads::{Content, Reads};

#[derive(Debug)]
pub(super) struct Disk {
    permissions: Permissions,
    /// Places about which the user was told.
    told: RefCell<BTreeSet<(Access, PathBuf)>>,
    /// What was read, if somebody wants to know.
    reads: Option<Reads>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Access {
    Ask,
    Read,
    Write,
}

/// Programs that try many places are not echoed for ever.
const MAX_TOLD: usize = 20;

impl Disk {
    pub(super) fn new(permissions: Permissions) -> Disk {
        Disk { permissions, told: RefCell::default(), reads: None }
    }

    pub(super) fn remember_reads(&mut self) {
        self.reads = Some(Reads::default());
    }

    pub(super) fn reads(&self) -> Vec<(PathBuf, Content)> {
        self.reads.as_ref().map(Reads::all).unwrap_or_default()
    }

    /// The path, if what is wanted there is allowed. `follow`: the last part may be a symbolic link
    /// that counts for what it leads to.
    fn allowed(&self, path: &[u8], access: Access, follow: bool) -> Result<PathBuf> {
        if path.is_empty() {
            return Err(Posix("enoent"));
        }
        let path = Path::new(OsStr::from_bytes(path)).to_owned();
        let place = if follow { leads_to(&path) } else { leads_to_entry(&path) };
        let Permissions { read, write, .. } = &self.permissions;
        let is_allowed = match access {
            Access::Write => write.contains(&place),
            Access::Read => read.contains(&place),
            Access::Ask => read.contains(&place) || read.is_above(&place),
        };
        if is_allowed || place == Path::new("/dev/null") {
            return Ok(path);
        }
        self.tell(access, place);
        Err(Posix("eacces"))
    }

    fn tell(&self, access: Access, place: PathBuf) {
        let (verb, option) = match access {
            Access::Write => ("write", "write"),
            Access::Read | Access::Ask => ("read", "read"),
        };
        let mut told = self.told.borrow_mut();
        if told.len() < MAX_TOLD && told.insert((access, place.clone())) {
            let place = place.display();
            eprintln!("erlscope: the program may not {verb} {place} (allow it: {option}={place})");
        }
    }

    fn changed(&self, path: &[u8]) -> Result<PathBuf> {
        self.allowed(path, Access::Write, true)
    }

    /// For what concerns the name itself, not what a symbolic link leads to.
    fn changed_entry(&self, path: &[u8]) -> Result<PathBuf> {
        self.allowed(path, Access::Write, false)
    }
}

/// Where a path leads, whose end need not exist.
fn leads_to(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    // A link to nowhere would be created where it points.
    if let Ok(target) = path.read_link() {
        let target = path.parent().unwrap_or(path).join(target);
        if target != path {
            return leads_to_entry(&target);
        }
    }
    leads_to_entry(path)
}

/// The same, but the last part is taken as it is.
fn leads_to_entry(path: &Path) -> PathBuf {
    let mut missing = Vec::new();
    let mut known = path;
    while let (Some(parent), Some(name)) = (known.parent(), known.components().next_back()) {
        missing.push(name.as_os_str().to_owned());
        known = parent;
        if let Ok(place) = known.canonicalize() {
            let mut place = place;
            for part in missing.iter().rev() {
                match part.as_bytes() {
                    b".." => drop(place.pop()),
                    b"." => {}
                    _ => place.push(part),
                }
            }
            return place;
        }
    }
    path.to_owned()
}

fn posix(error: &io::Error) -> Posix {
    use io::ErrorKind as E;
    Posix(match error.kind() {
        // Not owner, in contrast to not allowed by the mode.
        E::PermissionDenied if error.raw_os_error() == Some(1) => "eperm",
        E::PermissionDenied => "eacces",
        E::NotFound => "enoent",
        E::AlreadyExists | E::DirectoryNotEmpty => "eexist",
        E::NotADirectory => "enotdir",
        E::IsADirectory => "eisdir",
        E::InvalidInput => "einval",
        E::InvalidFilename => "enametoolong",
        E::CrossesDevices => "exdev",
        E::StorageFull => "enospc",
        E::ReadOnlyFilesystem => "erofs",
        E::ResourceBusy => "ebusy",
        E::FileTooLarge => "efbig",
        E::Unsupported => "enotsup",
        E::ExecutableFileBusy => "etxtbsy",
        E::TooManyLinks => "emlink",
        E::OutOfMemory => "enomem",
        _ => match error.raw_os_error() {
            Some(9) => "ebadf",
            Some(24) => "emfile",
            // Linux, and the others.
            Some(40 | 62) => "eloop",
            _ => "eio",
        },
    })
}

trait OrPosix<T> {
    fn or_posix(self) -> Result<T>;
}

impl<T> OrPosix<T> for io::Result<T> {
    fn or_posix(self) -> Result<T> {
        self.map_err(|error| posix(&error))
    }
}

/// Devices that answer at once, and always the same.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

impl Files for Disk {
    fn open(&self, path: &[u8], how: How) -> Result<Rc<dyn OpenFile>> {
        let access = if how.write { Access::Write } else { Access::Read };
        let path = self.allowed(path, access, true)?;
        if let Ok(there) = fs::metadata(&path) {
            let is_usual =
                there.is_file() || DEVICES.iter().any(|device| path == Path::new(device));
            match (how.directory, there.is_dir()) {
                (true, false) => return Err(Posix("enotdir")),
                (false, true) => return Err(Posix("eisdir")),
                // A pipe or a terminal could block for ever.
                (false, false) if !is_usual => return Err(Posix("eisdir")),
                _ => {}
            }
        }
        if let Some(reads) = &self.reads {
            reads.opened(&path, how.write);
        }
        let mut options = OpenOptions::new();
        options.read(how.read || !how.write).write(how.write && !how.append).append(how.append);
        if how.exclusive {
            options.create_new(true);
        } else if how.write {
            options.create(true).truncate(how.truncates());
        }
        let file = options.open(&path).or_posix()?;
        Ok(Rc::new(DiskFile { file, how }))
    }

    fn info(&self, path: &[u8], follow: bool) -> Result<Info> {
        let path = self.allowed(path, Access::Ask, follow)?;
        let found = if follow { fs::metadata(&path) } else { fs::symlink_metadata(&path) };
        Ok(info(&found.or_posix()?))
    }

    fn list(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        let path = self.allowed(path, Access::Read, true)?;
        let entries: io::Result<Vec<_>> = fs::read_dir(path).or_posix()?.collect();
        let names = entries.or_posix()?.into_iter().map(|entry| entry.file_name().into_vec());
        let mut names: Vec<_> = names.collect();
        names.sort();
        Ok(names)
    }

    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        let path = self.allowed(path, Access::Read, false)?;
        Ok(fs::read_link(path).or_posix()?.into_os_string().into_vec())
    }

    fn make_dir(&self, path: &[u8]) -> Result<()> {
        fs::create_dir(self.changed_entry(path)?).or_posix()
    }

    fn delete(&self, path: &[u8]) -> Result<()> {
        let path = self.changed_entry(path)?;
        if path.symlink_metadata().or_posix()?.is_dir() {
            return Err(Posix("eperm"));
        }
        fs::remove_file(path).or_posix()
    }

    fn delete_dir(&self, path: &[u8]) -> Result<()> {
        fs::remove_dir(self.changed_entry(path)?).or_posix()
    }

    fn rename(&self, from: &[u8], to: &[u8]) -> Result<()> {
        match fs::rename(self.changed_entry(from)?, self.changed_entry(to)?).or_posix() {
            Err(Posix("ebusy")) => Err(Posix("einval")),
            renamed => renamed,
        }
    }

    fn hard_link(&self, existing: &[u8], new: &[u8]) -> Result<()> {
        // Through the new name the old file could be written.
        fs::hard_link(self.changed_entry(existing)?, self.changed_entry(new)?).or_posix()
    }

    fn symlink(&self, target: &[u8], new: &[u8]) -> Result<()> {
        let new = self.changed_entry(new)?;
        std::os::unix::fs::symlink(OsStr::from_bytes(target), new).or_posix()
    }

    fn set_mode(&self, path: &[u8], mode: u32) -> Result<()> {
        // No set-user-id programs.
        let mode = fs::Permissions::from_mode(mode & 0o777);
        fs::set_permissions(self.changed(path)?, mode).or_posix()
    }

    fn set_owner(&self, path: &[u8], uid: Option<u32>, gid: Option<u32>) -> Result<()> {
        std::os::unix::fs::chown(self.changed(path)?, uid, gid).or_posix()
    }

    fn set_times(&self, path: &[u8], accessed: i64, modified: i64) -> Result<()> {
        let path = self.changed(path)?;
        let times = FileTimes::new().set_accessed(time(accessed)).set_modified(time(modified));
        File::open(path).and_then(|file| file.set_times(times)).or_posix()
    }

    fn may_change(&self, path: &[u8], follow: bool) -> Result<()> {
        self.allowed(path, Access::Write, follow).map(drop)
    }

    fn canonical_dir(&self, path: &[u8]) -> Result<Vec<u8>> {
        let path = self.allowed(path, Access::Ask, true)?;
        let place = path.canonicalize().or_posix()?;
        if !place.is_dir() {
            return Err(Posix("enotdir"));
        }
        Ok(place.into_os_string().into_vec())
    }
}

fn time(seconds: i64) -> SystemTime {
    let distance = Duration::from_secs(seconds.unsigned_abs());
    let time = match seconds >= 0 {
        true => UNIX_EPOCH.checked_add(distance),
        false => UNIX_EPOCH.checked_sub(distance),
    };
    time.unwrap_or(UNIX_EPOCH)
}

fn info(found: &fs::Metadata) -> Info {
    let file_type = found.file_type();
    let kind = match () {
        () if file_type.is_file() => Kind::Regular,
        () if file_type.is_dir() => Kind::Directory,
        () if file_type.is_symlink() => Kind::Symlink,
        () if file_type.is_block_device() || file_type.is_char_device() => Kind::Device,
        () => Kind::Other,
    };
    let (readable, writable) = accessible(found);
    Info {
        size: found.size(),
        kind,
        readable,
        writable,
        accessed: found.atime(),
        modified: found.mtime(),
        changed: found.ctime(),
        mode: found.mode(),
        links: found.nlink(),
        major_device: found.dev(),
        minor_device: found.rdev(),
        inode: found.ino(),
        uid: found.uid(),
        gid: found.gid(),
    }
}

/// Whether this process may read and write a file, by its mode. The groups of the user besides the
/// first are not looked at.
fn accessible(found: &fs::Metadata) -> (bool, bool) {
    let me = fs::metadata("/proc/self").map(|me| (me.uid(), me.gid()));
    let bits = match me {
        Ok((0, _)) => 6,
        Ok((uid, _)) if uid == found.uid() => found.mode() >> 6,
        Ok((_, gid)) if gid == found.gid() => found.mode() >> 3,
        _ => found.mode(),
    };
    (bits & 4 != 0, bits & 2 != 0)
}

struct DiskFile {
    file: File,
    how: How,
}

impl OpenFile for DiskFile {
    fn read_at(&self, at: u64, len: usize) -> Result<Vec<u8>> {
        if self.how.directory {
            return Err(Posix("eisdir"));
        }
        // No more memory than there is file, though `/proc` does not say how much that is.
        const BLOCK: usize = 1 << 16;
        let mut bytes = Vec::new();
        while bytes.len() < len {
            let start = bytes.len();
            bytes.resize(start + BLOCK.max(start).min(len - start), 0);
            let read = match self.file.read_at(&mut bytes[start..], at + start as u64) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    bytes.truncate(start);
                    continue;
                }
                read => read.or_posix()?,
            };
            bytes.truncate(start + read);
            if read == 0 {
                break;
            }
        }
        Ok(bytes)
    }

    fn write_at(&self, at: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(bytes, at).or_posix()
    }

    fn append(&self, bytes: &[u8]) -> Result<u64> {
        io::Write::write_all(&mut &self.file, bytes).or_posix()?;
        Ok(self.file.metadata().or_posix()?.len())
    }

    fn set_len(&self, len: u64) -> Result<()> {
        self.file.set_len(len).or_posix()
    }

    fn info(&self) -> Result<Info> {
        Ok(info(&self.file.metadata().or_posix()?))
    }

    fn sync(&self) -> Result<()> {
        self.file.sync_data().or_posix()
    }
}
