//! What a running program has of the outside and may change: its current directory, its environment
//! variables, its open files with their positions, and the file system in memory where the World
//! gives none, or one whose changes are kept here (`world/overlay.rs`). All of it is part of the
//! state: a clone of a Machine has its own.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use term::{Pid, Ref};

use crate::sparse::Sparse;
use crate::world::files::{Files, How, Info, OpenFile, Posix, Result, read_all};
use crate::world::{MemoryFiles, World};

#[derive(Clone)]
pub(crate) struct Outside {
    /// Absolute, without a slash at the end.
    current_dir: Rc<[u8]>,
    pub(crate) environment: Rc<BTreeMap<String, String>>,
    memory: MemoryFiles,
    /// Names that the program has changed in memory, which stands in front of what is outside.
    changed: Sparse<BTreeSet<Vec<u8>>>,
    open: Sparse<BTreeMap<Ref, Opened>>,
    /// Where the system's random numbers are (see [`Outside::random`]).
    random: u64,
}

/// A file that a process has opened.
#[derive(Clone)]
pub(crate) struct Opened {
    pub(crate) owner: Pid,
    pub(crate) how: How,
    /// Where it is read and written next.
    pub(crate) position: u64,
    /// Whether what is read is given as lists.
    pub(crate) lists: bool,
    target: Target,
}

#[derive(Clone)]
enum Target {
    Memory(u64),
    World(Rc<dyn OpenFile>),
}

impl Outside {
    pub(crate) fn new(world: &dyn World) -> Outside {
        Outside {
            current_dir: Rc::from(world.current_dir()),
            environment: Rc::new(world.environment().into_iter().collect()),
            memory: match world.files() {
                Some(files) if world.keeps_changes() => MemoryFiles::in_front_of(files),
                _ => world.memory_files(),
            },
            changed: Sparse::default(),
            open: Sparse::default(),
            random: world.random_seed(),
        }
    }

    pub(crate) fn current_dir(&self) -> &[u8] {
        &self.current_dir
    }

    /// A name as the file system wants it: absolute.
    pub(crate) fn absolute(&self, path: &[u8]) -> Vec<u8> {
        if path.is_empty() || path.first() == Some(&b'/') {
            return path.to_vec();
        }
        [&self.current_dir, &b"/"[..], path].concat()
    }

    /// The next 64 random bits of the system: SplitMix64, from the World's seed.
    pub(crate) fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.random ^ self.random >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub(crate) fn opened_mut(&mut self, handle: Ref) -> Option<&mut Opened> {
        self.open.get_mut(&handle)
    }

    pub(crate) fn has_files_of(&self, owner: Pid) -> bool {
        !self.open.is_empty() && self.open.values().any(|file| file.owner == owner)
    }

    /// A process has ended: its files are closed.
    pub(crate) fn close_of(&mut self, owner: Pid) {
        let handles: Vec<Ref> =
            self.open.iter().filter(|(_, file)| file.owner == owner).map(|(h, _)| *h).collect();
        for handle in handles {
            self.close(handle);
        }
    }

    /// Closes a file; says whether it was open.
    pub(crate) fn close(&mut self, handle: Ref) -> bool {
        match self.open.remove(&handle) {
            Some(Opened { target: Target::Memory(node), .. }) => self.memory.close(node),
            Some(_) => {}
            None => return false,
        }
        true
    }

    /// The file system, at a time.
    pub(crate) fn files<'a>(&'a mut self, world: &'a dyn World, now: i64) -> FileSystem<'a> {
        let (world, behind) = match world.keeps_changes() {
            true => (None, world.files()),
            false => (world.files(), None),
        };
        FileSystem { outside: self, world, behind, now }
    }

    /// Names of files that the program has changed, where the World keeps changes inside.
    pub(crate) fn changed(&self) -> impl Iterator<Item = &[u8]> {
        self.changed.iter().map(Vec::as_slice)
    }
}

/// One file system, be it outside or in memory.
pub(crate) struct FileSystem<'a> {
    outside: &'a mut Outside,
    world: Option<&'a dyn Files>,
    /// What the memory stands in front of.
    behind: Option<&'a dyn Files>,
    now: i64,
}

/// What is going to be done with a name, before which the memory may have to ask the outside.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// What it leads to.
    Look,
    /// The names in it.
    Names,
    /// It gets something new to stand for.
    New,
    /// What it leads to is changed.
    Change,
    /// It is taken away.
    Remove,
}

/// `self.world` does it, or else the memory does, which also wants to know the time if it changes.
macro_rules! either {
    ($self:ident, $path:ident, $name:ident($($arg:expr),*) $(, $now:ident)?) => {{
        let $path = $self.outside.absolute($path);
        match $self.world {
            Some(world) => world.$name($($arg),*),
            None => $self.outside.memory.$name($($arg,)* $($self.$now)?),
        }
    }};
}

impl FileSystem<'_> {
    /// Sees to it that what is wanted of a name is in memory, if that stands in front of what is
    /// outside.
    fn prepare(&mut self, path: &[u8], wanted: Wanted) -> Result<()> {
        let Some(behind) = self.behind else { return Ok(()) };
        let path = self.outside.absolute(path);
        match wanted {
            Wanted::Look => {}
            Wanted::Names => return self.outside.memory.fill_directory(&path, behind),
            Wanted::New | Wanted::Remove => behind.may_change(&path, false)?,
            Wanted::Change => behind.may_change(&path, true)?,
        }
        self.outside.memory.fill(&path, behind)?;
        if wanted == Wanted::Remove {
            let parent = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
            self.outside.memory.fill_directory(&path[..parent.max(1)], behind)?;
        }
        Ok(())
    }

    /// Notes that a name was changed, if the change stays in memory.
    fn note<T>(&mut self, path: &[u8], done: Result<T>) -> Result<T> {
        if self.behind.is_some() && done.is_ok() {
            let path = self.outside.absolute(path);
            self.outside.changed.insert(path);
        }
        done
    }

    /// Opens a file in memory, or what stays outside.
    fn open_inside(&mut self, path: &[u8], how: How) -> Result<Target> {
        if let Some(behind) = self.behind {
            if how.write {
                self.prepare(path, Wanted::Change)?;
            }
            let device = match how.truncates() || how.directory {
                true => self.outside.memory.device(path, behind)?,
                false => self.outside.memory.fill_file(path, behind)?,
            };
            if let Some(device) = device {
                return Ok(Target::World(behind.open(&device, how)?));
            }
        }
        let opened = self.outside.memory.open(path, how, self.now);
        let opened = if how.write { self.note(path, opened)? } else { opened? };
        Ok(Target::Memory(opened))
    }

    /// Opens a file for a process, under a new handle.
    pub(crate) fn open(
        &mut self,
        path: &[u8],
        how: How,
        owner: Pid,
        handle: Ref,
        lists: bool,
    ) -> Result<()> {
        let path = self.outside.absolute(path);
        let target = match self.world {
            Some(world) => Target::World(world.open(&path, how)?),
            None => self.open_inside(&path, how)?,
        };
        self.outside.open.insert(handle, Opened { owner, how, position: 0, lists, target });
        Ok(())
    }

    /// Opens a file that is in memory only and has no name.
    pub(crate) fn open_nameless(&mut self, bytes: Vec<u8>, opened: Opened, handle: Ref) {
        let target = Target::Memory(self.outside.memory.open_nameless(bytes, self.now));
        self.outside.open.insert(handle, Opened { target, ..opened });
    }

    fn target(&self, handle: Ref) -> Result<Target> {
        self.outside.open.get(&handle).map(|file| file.target.clone()).ok_or(Posix("einval"))
    }

    pub(crate) fn read_at(&self, handle: Ref, at: u64, len: usize) -> Result<Vec<u8>> {
        match self.target(handle)? {
            Target::World(file) => file.read_at(at, len),
            Target::Memory(node) => self.outside.memory.read_at(node, at, len),
        }
    }

    pub(crate) fn write_at(&mut self, handle: Ref, at: u64, bytes: &[u8]) -> Result<()> {
        match self.target(handle)? {
            Target::World(file) => file.write_at(at, bytes),
            Target::Memory(node) => self.outside.memory.write_at(node, at, bytes, self.now),
        }
    }

    pub(crate) fn append(&mut self, handle: Ref, bytes: &[u8]) -> Result<u64> {
        match self.target(handle)? {
            Target::World(file) => file.append(bytes),
            Target::Memory(node) => self.outside.memory.append(node, bytes, self.now),
        }
    }

    pub(crate) fn set_len(&mut self, handle: Ref, len: u64) -> Result<()> {
        match self.target(handle)? {
            Target::World(file) => file.set_len(len),
            Target::Memory(node) => self.outside.memory.set_len(node, len, self.now),
        }
    }

    pub(crate) fn info_of(&self, handle: Ref) -> Result<Info> {
        match self.target(handle)? {
            Target::World(file) => file.info(),
            Target::Memory(node) => self.outside.memory.info_of(node),
        }
    }

    pub(crate) fn sync(&self, handle: Ref) -> Result<()> {
        match self.target(handle)? {
            Target::World(file) => file.sync(),
            Target::Memory(_) => Ok(()),
        }
    }

    pub(crate) fn info(&mut self, path: &[u8], follow: bool) -> Result<Info> {
        self.prepare(path, Wanted::Look)?;
        either!(self, path, info(&path, follow))
    }

    pub(crate) fn list(&mut self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        self.prepare(path, Wanted::Names)?;
        either!(self, path, list(&path))
    }

    pub(crate) fn read_link(&mut self, path: &[u8]) -> Result<Vec<u8>> {
        self.prepare(path, Wanted::Look)?;
        either!(self, path, read_link(&path))
    }

    /// All of a file.
    pub(crate) fn read_file(&mut self, path: &[u8]) -> Result<Vec<u8>> {
        let path = self.outside.absolute(path);
        let how = How { read: true, ..How::default() };
        match self.world {
            Some(world) => {
                let file = world.open(&path, how)?;
                read_all(|at, len| file.read_at(at, len))
            }
            None => match self.open_inside(&path, how)? {
                Target::World(file) => read_all(|at, len| file.read_at(at, len)),
                Target::Memory(node) => {
                    let bytes = self.outside.memory.read_at(node, 0, usize::MAX);
                    self.outside.memory.close(node);
                    bytes
                }
            },
        }
    }

    pub(crate) fn make_dir(&mut self, path: &[u8]) -> Result<()> {
        self.prepare(path, Wanted::New)?;
        let made = either!(self, path, make_dir(&path), now);
        self.note(path, made)
    }

    pub(crate) fn delete(&mut self, path: &[u8]) -> Result<()> {
        self.prepare(path, Wanted::Remove)?;
        let deleted = either!(self, path, delete(&path), now);
        self.note(path, deleted)
    }

    /// The current directory and those above it are refused in their own way.
    pub(crate) fn delete_dir(&mut self, path: &[u8]) -> Result<()> {
        self.prepare(path, Wanted::Remove)?;
        self.prepare(path, Wanted::Names)?;
        let deleted = either!(self, path, delete_dir(&path), now);
        match deleted {
            Err(Posix("eexist")) if self.holds_current_dir(path) => Err(Posix("einval")),
            deleted => self.note(path, deleted),
        }
    }

    fn holds_current_dir(&self, path: &[u8]) -> bool {
        let dir = either!(self, path, canonical_dir(&path)).unwrap_or_default();
        let here = self.outside.current_dir();
        !dir.is_empty()
            && here.starts_with(&dir)
            && matches!(here.get(dir.len()), None | Some(b'/'))
    }

    pub(crate) fn rename(&mut self, from: &[u8], to: &[u8]) -> Result<()> {
        self.prepare(from, Wanted::Remove)?;
        self.prepare(to, Wanted::New)?;
        if self.behind.is_some() {
            // Whether it is empty; what is no directory has no names.
            let _ = self.prepare(to, Wanted::Names);
        }
        let to = self.outside.absolute(to);
        let renamed = either!(self, from, rename(&from, &to), now);
        let renamed = self.note(from, renamed);
        self.note(&to, renamed)
    }

    pub(crate) fn hard_link(&mut self, existing: &[u8], new: &[u8]) -> Result<()> {
        self.prepare(existing, Wanted::Change)?;
        self.prepare(new, Wanted::New)?;
        let existing = self.outside.absolute(existing);
        let linked = either!(self, new, hard_link(&existing, &new), now);
        self.note(new, linked)
    }

    /// The target is kept as it is written.
    pub(crate) fn symlink(&mut self, target: &[u8], new: &[u8]) -> Result<()> {
        self.prepare(new, Wanted::New)?;
        let linked = either!(self, new, symlink(target, &new), now);
        self.note(new, linked)
    }

    pub(crate) fn set_mode(&mut self, path: &[u8], mode: u32) -> Result<()> {
        self.prepare(path, Wanted::Change)?;
        let set = either!(self, path, set_mode(&path, mode), now);
        self.note(path, set)
    }

    pub(crate) fn set_owner(
        &mut self,
        path: &[u8],
        uid: Option<u32>,
        gid: Option<u32>,
    ) -> Result<()> {
        self.prepare(path, Wanted::Change)?;
        let set = either!(self, path, set_owner(&path, uid, gid));
        self.note(path, set)
    }

    pub(crate) fn set_times(&mut self, path: &[u8], accessed: i64, modified: i64) -> Result<()> {
        self.prepare(path, Wanted::Change)?;
        let set = either!(self, path, set_times(&path, accessed, modified));
        self.note(path, set)
    }

    pub(crate) fn set_current_dir(&mut self, path: &[u8]) -> Result<()> {
        self.prepare(path, Wanted::Look)?;
        let dir = either!(self, path, canonical_dir(&path))?;
        self.outside.current_dir = Rc::from(dir);
        Ok(())
    }
}

impl Opened {
    /// A file without a target yet, for [`FileSystem::open_nameless`].
    pub(crate) fn nameless(owner: Pid, how: How, lists: bool) -> Opened {
        Opened { owner, how, position: 0, lists, target: Target::Memory(0) }
    }
}
