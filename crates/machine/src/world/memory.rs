//! A file system in memory, as a value: it is part of the Machine's state, so clones of a Machine
//! have each their own and copy nothing until they write.
//!
//! Files are numbered nodes, as in Unix; directories map names to numbers. A file that is deleted
//! while open lives on until it is closed. Everything belongs to user 0, who may do everything;
//! times are those of the Machine's clock, which the caller passes.
//!
//! It may stand in front of a file system outside (`overlay.rs`): then nodes are made when somebody
//! asks for them, and what is changed is changed here only.

use std::rc::Rc;

use imbl::GenericOrdMap;
use imbl::shared_ptr::RcK;

use super::files::{How, Info, Kind, Posix, Result};

const ROOT: u64 = 1;
/// Symbolic links that one name may lead through.
const MAX_LINKS: usize = 40;

type OrdMap<K, V> = GenericOrdMap<K, V, RcK>;

#[derive(Clone, Debug)]
pub struct MemoryFiles {
    pub(super) nodes: OrdMap<u64, Node>,
    pub(super) next: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) content: Content,
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) links: u64,
    /// How often it is open.
    pub(super) opened: u32,
    pub(super) accessed: i64,
    pub(super) modified: i64,
    pub(super) changed: i64,
    /// What it stands for outside.
    pub(super) outside: Option<Rc<Outer>>,
}

/// What a node stands for outside.
#[derive(Clone, Debug)]
pub(super) struct Outer {
    pub(super) path: Vec<u8>,
    pub(super) info: Info,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    File(Rc<Vec<u8>>),
    /// A file whose bytes nobody has asked for yet.
    Unread,
    Directory(OrdMap<Vec<u8>, u64>),
    /// Some of its names may be outside only.
    Partly(OrdMap<Vec<u8>, u64>),
    Symlink(Vec<u8>),
    /// Something that is neither, and stays outside.
    Device,
}

/// Where a name leads.
pub(super) struct Place {
    pub(super) directory: u64,
    pub(super) name: Vec<u8>,
    pub(super) node: Option<u64>,
}

impl Default for MemoryFiles {
    fn default() -> MemoryFiles {
        let root = Node::new(Content::Directory(OrdMap::new()), 0o755, 0);
        MemoryFiles { nodes: OrdMap::unit(ROOT, root), next: ROOT + 1 }
    }
}

impl Node {
    pub(super) fn new(content: Content, mode: u32, now: i64) -> Node {
        Node {
            content,
            mode,
            uid: 0,
            gid: 0,
            links: 1,
            opened: 0,
            accessed: now,
            modified: now,
            changed: now,
            outside: None,
        }
    }
}

impl MemoryFiles {
    /// Puts a file there, and the directories above it.
    #[cfg(test)]
    pub(crate) fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        let parents = path.match_indices('/').map(|(at, _)| &path[..at]).filter(|p| !p.is_empty());
        for parent in parents {
            // It may be there already.
            let _ = self.make_dir(parent.as_bytes(), 0);
        }
        let how = How { write: true, ..How::default() };
        if let Ok(node) = self.open(path.as_bytes(), how, 0) {
            let _ = self.write_at(node, 0, &bytes.into(), 0);
            self.close(node);
        }
    }

    pub(super) fn node(&self, number: u64) -> Result<&Node> {
        self.nodes.get(&number).ok_or(Posix("ebadf"))
    }

    pub(super) fn node_mut(&mut self, number: u64) -> Result<&mut Node> {
        self.nodes.get_mut(&number).ok_or(Posix("ebadf"))
    }

    pub(super) fn entries(&self, number: u64) -> Result<&OrdMap<Vec<u8>, u64>> {
        match &self.node(number)?.content {
            Content::Directory(entries) | Content::Partly(entries) => Ok(entries),
            _ => Err(Posix("enotdir")),
        }
    }

    fn entries_mut(&mut self, number: u64, now: i64) -> Result<&mut OrdMap<Vec<u8>, u64>> {
        let node = self.node_mut(number)?;
        (node.modified, node.changed) = (now, now);
        match &mut node.content {
            Content::Directory(entries) | Content::Partly(entries) => Ok(entries),
            _ => Err(Posix("enotdir")),
        }
    }

    /// Walks to the last part of a name. The parents of a directory are those of its path.
    fn walk(&self, path: &[u8], follow: bool) -> Result<Place> {
        self.walk_to(path, follow, |_, _| {})
    }

    /// The same; says which name was missing in which directory, if one was.
    pub(super) fn walk_to(
        &self,
        path: &[u8],
        follow: bool,
        missing: impl FnOnce(u64, &[u8]),
    ) -> Result<Place> {
        if path.is_empty() {
            return Err(Posix("enoent"));
        }
        let parts = |path: &[u8]| -> Vec<Vec<u8>> {
            let parts = path.split(|&b| b == b'/').filter(|part| !part.is_empty() && *part != b".");
            parts.map(<[u8]>::to_vec).rev().collect()
        };
        let mut rest = parts(path);
        let mut above = vec![ROOT];
        let mut place = Place { directory: ROOT, name: Vec::new(), node: Some(ROOT) };
        let mut links = 0;
        while let Some(part) = rest.pop() {
            if part == b".." {
                if above.len() > 1 {
                    above.pop();
                }
                let here = above.last().copied().unwrap_or(ROOT);
                place = Place { directory: here, name: Vec::new(), node: Some(here) };
                continue;
            }
            let here = above.last().copied().unwrap_or(ROOT);
            let entries = self.entries(here)?;
            let Some(&number) = entries.get(&part) else {
                missing(here, &part);
                return match rest.is_empty() {
                    true => Ok(Place { directory: here, name: part, node: None }),
                    false => Err(Posix("enoent")),
                };
            };
            match &self.node(number)?.content {
                Content::Symlink(target) if follow || !rest.is_empty() => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(Posix("eloop"));
                    }
                    if target.first() == Some(&b'/') {
                        above.truncate(1);
                    }
                    rest.extend(parts(target));
                    let here = above.last().copied().unwrap_or(ROOT);
                    place = Place { directory: here, name: Vec::new(), node: Some(here) };
                }
                Content::Directory(_) | Content::Partly(_) => {
                    above.push(number);
                    place = Place { directory: here, name: part, node: Some(number) };
                }
                _ if !rest.is_empty() => return Err(Posix("enotdir")),
                _ => place = Place { directory: here, name: part, node: Some(number) },
            }
        }
        Ok(place)
    }

    pub(super) fn find(&self, path: &[u8], follow: bool) -> Result<u64> {
        self.walk(path, follow)?.node.ok_or(Posix("enoent"))
    }

    fn is_directory(&self, number: u64) -> bool {
        self.entries(number).is_ok()
    }

    fn insert(&mut self, place: &Place, node: Node, now: i64) -> Result<u64> {
        let number = self.next;
        self.entries_mut(place.directory, now)?.insert(place.name.clone(), number);
        self.nodes.insert(number, node);
        self.next += 1;
        Ok(number)
    }

    /// A name of a node is gone.
    fn unlink(&mut self, number: u64) {
        let Ok(node) = self.node_mut(number) else { return };
        node.links = node.links.saturating_sub(1);
        self.forget_unused(number);
    }

    fn forget_unused(&mut self, number: u64) {
        if self.node(number).is_ok_and(|node| node.links == 0 && node.opened == 0) {
            self.nodes.remove(&number);
        }
    }

    // ---- files --------------------------------------------------------------------------------

    /// The number of the file, for the functions below.
    pub(crate) fn open(&mut self, path: &[u8], how: How, now: i64) -> Result<u64> {
        let place = self.walk(path, true)?;
        let number = match place.node {
            Some(_) if how.exclusive => return Err(Posix("eexist")),
            Some(number) if self.is_directory(number) != how.directory => {
                return Err(Posix(if how.directory { "enotdir" } else { "eisdir" }));
            }
            Some(number) => number,
            None if !how.write => return Err(Posix("enoent")),
            None if path.ends_with(b"/") => return Err(Posix("eisdir")),
            None => {
                self.insert(&place, Node::new(Content::File(Rc::default()), 0o644, now), now)?
            }
        };
        let node = self.node_mut(number)?;
        node.opened += 1;
        let is_empty = match &node.content {
            Content::File(bytes) => bytes.is_empty(),
            Content::Unread => false,
            _ => true,
        };
        if how.truncates() && !is_empty {
            node.content = Content::File(Rc::default());
            (node.modified, node.changed) = (now, now);
        }
        Ok(number)
    }

    /// A file without a name.
    pub(crate) fn open_nameless(&mut self, bytes: Vec<u8>, now: i64) -> u64 {
        let number = self.next;
        self.next += 1;
        let node = Node::new(Content::File(Rc::new(bytes)), 0o644, now);
        self.nodes.insert(number, Node { links: 0, opened: 1, ..node });
        number
    }

    pub(crate) fn close(&mut self, number: u64) {
        if let Ok(node) = self.node_mut(number) {
            node.opened = node.opened.saturating_sub(1);
        }
        self.forget_unused(number);
    }

    pub(crate) fn read_at(&self, number: u64, at: u64, len: usize) -> Result<Vec<u8>> {
        match &self.node(number)?.content {
            Content::File(bytes) => {
                let start = usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
                let end = start.saturating_add(len).min(bytes.len());
                Ok(bytes[start..end].to_vec())
            }
            _ => Err(Posix("eisdir")),
        }
    }

    fn bytes_mut(&mut self, number: u64, now: i64) -> Result<&mut Vec<u8>> {
        let node = self.node_mut(number)?;
        (node.modified, node.changed) = (now, now);
        match &mut node.content {
            Content::File(bytes) => Ok(Rc::make_mut(bytes)),
            _ => Err(Posix("eisdir")),
        }
    }

    pub(crate) fn write_at(&mut self, number: u64, at: u64, new: &[u8], now: i64) -> Result<()> {
        let start = usize::try_from(at).map_err(|_| Posix("efbig"))?;
        let end = start.checked_add(new.len()).filter(|end| *end <= MAX_SIZE);
        let end = end.ok_or(Posix("efbig"))?;
        let bytes = self.bytes_mut(number, now)?;
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[start..end].copy_from_slice(new);
        Ok(())
    }

    pub(crate) fn append(&mut self, number: u64, new: &[u8], now: i64) -> Result<u64> {
        let end = self.size(number)?;
        self.write_at(number, end, new, now)?;
        Ok(end + new.len() as u64)
    }

    pub(crate) fn set_len(&mut self, number: u64, len: u64, now: i64) -> Result<()> {
        let len = usize::try_from(len).ok().filter(|len| *len <= MAX_SIZE).ok_or(Posix("efbig"))?;
        self.bytes_mut(number, now)?.resize(len, 0);
        Ok(())
    }

    fn size(&self, number: u64) -> Result<u64> {
        Ok(match &self.node(number)?.content {
            Content::File(bytes) => bytes.len() as u64,
            Content::Symlink(target) => target.len() as u64,
            Content::Directory(_) | Content::Partly(_) => 4096,
            Content::Unread | Content::Device => {
                self.node(number)?.outside.as_ref().map_or(0, |outer| outer.info.size)
            }
        })
    }

    pub(crate) fn info_of(&self, number: u64) -> Result<Info> {
        let node = self.node(number)?;
        let (kind, type_bits) = match node.content {
            Content::File(_) | Content::Unread => (Kind::Regular, 0o100_000),
            Content::Directory(_) | Content::Partly(_) => (Kind::Directory, 0o040_000),
            Content::Symlink(_) => (Kind::Symlink, 0o120_000),
            Content::Device => (Kind::Device, 0o020_000),
        };
        let outer = node.outside.as_ref().map(|outer| &outer.info);
        Ok(Info {
            size: self.size(number)?,
            kind,
            readable: outer.is_none_or(|info| info.readable),
            writable: outer.is_none_or(|info| info.writable),
            accessed: node.accessed,
            modified: node.modified,
            changed: node.changed,
            mode: node.mode | type_bits,
            links: node.links,
            major_device: outer.map_or(0, |info| info.major_device),
            minor_device: outer.map_or(0, |info| info.minor_device),
            inode: outer.map_or(number, |info| info.inode),
            uid: node.uid,
            gid: node.gid,
        })
    }

    // ---- names --------------------------------------------------------------------------------

    pub(crate) fn info(&self, path: &[u8], follow: bool) -> Result<Info> {
        let number = self.find(path, follow || path.ends_with(b"/"))?;
        if path.ends_with(b"/") && !self.is_directory(number) {
            return Err(Posix("enotdir"));
        }
        self.info_of(number)
    }

    pub(crate) fn list(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok(self.entries(self.find(path, true)?)?.keys().cloned().collect())
    }

    pub(crate) fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        match &self.node(self.find(path, false)?)?.content {
            Content::Symlink(target) => Ok(target.clone()),
            _ => Err(Posix("einval")),
        }
    }

    /// The place of a name that must be free.
    fn free(&self, path: &[u8]) -> Result<Place> {
        let place = self.walk(path, false)?;
        if place.node.is_some() { Err(Posix("eexist")) } else { Ok(place) }
    }

    pub(crate) fn make_dir(&mut self, path: &[u8], now: i64) -> Result<()> {
        let place = self.free(path)?;
        let node = Node::new(Content::Directory(OrdMap::new()), 0o755, now);
        self.insert(&place, node, now).map(|_| ())
    }

    pub(crate) fn symlink(&mut self, target: &[u8], new: &[u8], now: i64) -> Result<()> {
        let place = self.free(new)?;
        let node = Node::new(Content::Symlink(target.to_vec()), 0o777, now);
        self.insert(&place, node, now).map(|_| ())
    }

    pub(crate) fn hard_link(&mut self, existing: &[u8], new: &[u8], now: i64) -> Result<()> {
        let number = self.find(existing, false)?;
        if self.is_directory(number) {
            return Err(Posix("eperm"));
        }
        let place = self.free(new)?;
        self.entries_mut(place.directory, now)?.insert(place.name, number);
        let node = self.node_mut(number)?;
        node.links += 1;
        node.changed = now;
        Ok(())
    }

    pub(crate) fn delete(&mut self, path: &[u8], now: i64) -> Result<()> {
        let place = self.walk(path, false)?;
        let number = place.node.ok_or(Posix("enoent"))?;
        if self.is_directory(number) {
            return Err(Posix("eperm"));
        }
        self.entries_mut(place.directory, now)?.remove(&place.name);
        self.unlink(number);
        Ok(())
    }

    pub(crate) fn delete_dir(&mut self, path: &[u8], now: i64) -> Result<()> {
        let place = self.walk(path, false)?;
        let number = place.node.ok_or(Posix("enoent"))?;
        if !self.entries(number)?.is_empty() {
            return Err(Posix("eexist"));
        }
        if place.name.is_empty() {
            return Err(Posix(if number == ROOT { "ebusy" } else { "einval" }));
        }
        self.entries_mut(place.directory, now)?.remove(&place.name);
        self.unlink(number);
        Ok(())
    }

    pub(crate) fn rename(&mut self, from: &[u8], to: &[u8], now: i64) -> Result<()> {
        let source = self.walk(from, false)?;
        let target = self.walk(to, false)?;
        let number = source.node.ok_or(Posix("enoent"))?;
        if source.name.is_empty() || target.name.is_empty() {
            return Err(Posix("einval"));
        }
        if self.is_directory(number) && self.is_below(target.directory, number) {
            return Err(Posix("einval"));
        }
        match target.node {
            Some(other) if other == number => return Ok(()),
            Some(other) => match (self.is_directory(number), self.is_directory(other)) {
                (true, false) => return Err(Posix("enotdir")),
                (false, true) => return Err(Posix("eisdir")),
                (true, true) if !self.entries(other)?.is_empty() => return Err(Posix("eexist")),
                _ => self.unlink(other),
            },
            None => {}
        }
        self.entries_mut(source.directory, now)?.remove(&source.name);
        self.entries_mut(target.directory, now)?.insert(target.name, number);
        Ok(())
    }

    /// Whether a directory is another one or inside it.
    fn is_below(&self, inner: u64, outer: u64) -> bool {
        let mut pending = vec![outer];
        while let Some(number) = pending.pop() {
            if number == inner {
                return true;
            }
            if let Ok(entries) = self.entries(number) {
                pending.extend(entries.values().copied().filter(|n| self.is_directory(*n)));
            }
        }
        false
    }

    pub(crate) fn set_mode(&mut self, path: &[u8], mode: u32, now: i64) -> Result<()> {
        let number = self.find(path, true)?;
        let node = self.node_mut(number)?;
        node.mode = mode & 0o7777;
        node.changed = now;
        Ok(())
    }

    pub(crate) fn set_owner(
        &mut self,
        path: &[u8],
        uid: Option<u32>,
        gid: Option<u32>,
    ) -> Result<()> {
        let number = self.find(path, true)?;
        let node = self.node_mut(number)?;
        node.uid = uid.unwrap_or(node.uid);
        node.gid = gid.unwrap_or(node.gid);
        Ok(())
    }

    pub(crate) fn set_times(&mut self, path: &[u8], accessed: i64, modified: i64) -> Result<()> {
        let number = self.find(path, true)?;
        let node = self.node_mut(number)?;
        (node.accessed, node.modified) = (accessed, modified);
        Ok(())
    }

    pub(crate) fn canonical_dir(&self, path: &[u8]) -> Result<Vec<u8>> {
        let number = self.find(path, true)?;
        self.entries(number)?;
        let mut path = Vec::new();
        let mut wanted = number;
        // Directories have one name each, so the way up is found by looking who holds them.
        while wanted != ROOT {
            let holder = self.nodes.iter().find_map(|(&holder, node)| match &node.content {
                Content::Directory(entries) | Content::Partly(entries) => {
                    let named = entries.iter().find(|(_, n)| **n == wanted);
                    named.map(|(name, _)| (holder, name.clone()))
                }
                _ => None,
            });
            let (holder, name) = holder.ok_or(Posix("enoent"))?;
            path = [b"/", &name[..], &path[..]].concat();
            wanted = holder;
        }
        Ok(if path.is_empty() { b"/".to_vec() } else { path })
    }
}

/// A file in memory is not larger than this: a program that positions itself far out and writes a
/// byte must not take the whole memory.
const MAX_SIZE: usize = 1 << 30;
