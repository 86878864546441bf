//! A file system in memory in front of one outside: names are looked up outside when they are asked
//! for, and what a program changes is changed in memory only. Like the rest of the memory it is
//! part of the state of a Machine, so that whoever goes back to an earlier state finds the files as
//! they were.
//!
//! A node that was found outside knows its path there ([`Outer`]), also after it has been renamed.
//! Of a directory single names are looked up; as soon as it is listed, or a name is taken out of
//! it, all of its names are made nodes, and the outside is not asked about it any more. The bytes
//! of a file are read when it is opened. Devices stay outside.
//!
//! Cost: a look outside for each part of a new name, and for each name that is not there; what the
//! outside answers is best remembered there, so that all executions see the same.

use std::rc::Rc;

use super::files::{Files, How, Info, Kind, Posix, Result, read_all};
use super::memory::{Content, MemoryFiles, Node, Outer};

const ROOT: u64 = 1;

impl MemoryFiles {
    /// Nothing yet, in front of what is outside.
    pub(crate) fn in_front_of(outside: &dyn Files) -> MemoryFiles {
        let mut files = MemoryFiles::default();
        if let Ok(info) = outside.info(b"/", true)
            && let Ok(root) = files.node_mut(ROOT)
        {
            *root = found(b"/".to_vec(), info, Content::Partly(Default::default()));
        }
        files
    }

    /// Makes the nodes that a name leads through, as far as they are outside. An error says that we
    /// may not look.
    pub(crate) fn fill(&mut self, path: &[u8], outside: &dyn Files) -> Result<()> {
        loop {
            let mut missing = None;
            // What is wrong with the name is told by who asked for it.
            let _ = self.walk_to(path, true, |directory, name| {
                missing = Some((directory, name.to_vec()));
            });
            match missing {
                Some((directory, name)) if self.look_up(directory, &name, outside)? => {}
                _ => return Ok(()),
            }
        }
    }

    /// Makes a node of a name in a directory, if it is outside.
    fn look_up(&mut self, directory: u64, name: &[u8], outside: &dyn Files) -> Result<bool> {
        let node = self.node(directory)?;
        let (Content::Partly(_), Some(outer)) = (&node.content, &node.outside) else {
            return Ok(false);
        };
        let path = join(&outer.path, name);
        let info = match outside.info(&path, false) {
            Ok(info) => info,
            Err(Posix("enoent" | "enotdir" | "enametoolong")) => return Ok(false),
            Err(other) => return Err(other),
        };
        let content = match info.kind {
            Kind::Regular => Content::Unread,
            Kind::Directory => Content::Partly(Default::default()),
            Kind::Symlink => Content::Symlink(outside.read_link(&path)?),
            Kind::Device | Kind::Other => Content::Device,
        };
        let number = self.next;
        self.next += 1;
        self.nodes.insert(number, found(path, info, content));
        if let Content::Partly(entries) = &mut self.node_mut(directory)?.content {
            entries.insert(name.to_vec(), number);
        }
        Ok(true)
    }

    /// Makes nodes of all names of a directory. From then on the outside is not asked about it.
    pub(crate) fn fill_directory(&mut self, path: &[u8], outside: &dyn Files) -> Result<()> {
        self.fill(path, outside)?;
        let Ok(number) = self.find(path, true) else { return Ok(()) };
        let node = self.node(number)?;
        let (Content::Partly(known), Some(outer)) = (&node.content, &node.outside) else {
            return Ok(());
        };
        let known = known.clone();
        for name in outside.list(&outer.path.clone())? {
            if !known.contains_key(&name) {
                self.look_up(number, &name, outside)?;
            }
        }
        let entries = self.entries(number)?.clone();
        self.node_mut(number)?.content = Content::Directory(entries);
        Ok(())
    }

    /// Where a device is outside, if the name leads to one.
    pub(crate) fn device(&mut self, path: &[u8], outside: &dyn Files) -> Result<Option<Vec<u8>>> {
        self.fill(path, outside)?;
        let Ok(number) = self.find(path, true) else { return Ok(None) };
        let node = self.node(number)?;
        let is_device = matches!(node.content, Content::Device);
        Ok(node.outside.as_ref().filter(|_| is_device).map(|outer| outer.path.clone()))
    }

    /// Reads the bytes of a file that are still outside. A device stays there: its path.
    pub(crate) fn fill_file(
        &mut self,
        path: &[u8],
        outside: &dyn Files,
    ) -> Result<Option<Vec<u8>>> {
        if let Some(device) = self.device(path, outside)? {
            return Ok(Some(device));
        }
        let Ok(number) = self.find(path, true) else { return Ok(None) };
        let node = self.node(number)?;
        let (Content::Unread, Some(outer)) = (&node.content, node.outside.clone()) else {
            return Ok(None);
        };
        let file = outside.open(&outer.path, How { read: true, ..How::default() })?;
        let bytes = read_all(|at, len| file.read_at(at, len))?;
        self.node_mut(number)?.content = Content::File(Rc::new(bytes));
        Ok(None)
    }
}

fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    let slash: &[u8] = if directory.ends_with(b"/") { b"" } else { b"/" };
    [directory, slash, name].concat()
}

fn found(path: Vec<u8>, info: Info, content: Content) -> Node {
    let node = Node::new(content, info.mode & 0o7777, info.modified);
    Node {
        uid: info.uid,
        gid: info.gid,
        links: info.links,
        accessed: info.accessed,
        changed: info.changed,
        outside: Some(Rc::new(Outer { path, info })),
        ..node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(files: &MemoryFiles, path: &str) -> Vec<String> {
        let names = files.list(path.as_bytes()).unwrap_or_default();
        names.into_iter().map(|name| String::from_utf8_lossy(&name).into_owned()).collect()
    }

    /// A memory as the outside, which must never change.
    struct Still(std::cell::RefCell<MemoryFiles>);

    struct Bytes(Vec<u8>);

    impl super::super::files::OpenFile for Bytes {
        fn read_at(&self, at: u64, len: usize) -> Result<Vec<u8>> {
            Ok(self.0.iter().skip(at as usize).take(len).copied().collect())
        }
        fn write_at(&self, _: u64, _: &[u8]) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn append(&self, _: &[u8]) -> Result<u64> {
            Err(Posix("erofs"))
        }
        fn set_len(&self, _: u64) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn info(&self) -> Result<Info> {
            Err(Posix("erofs"))
        }
        fn sync(&self) -> Result<()> {
            Ok(())
        }
    }

    impl Files for Still {
        fn open(&self, path: &[u8], how: How) -> Result<Rc<dyn super::super::files::OpenFile>> {
            let mut files = self.0.borrow_mut();
            let node = files.open(path, how, 0)?;
            let bytes = files.read_at(node, 0, usize::MAX)?;
            files.close(node);
            Ok(Rc::new(Bytes(bytes)))
        }
        fn info(&self, path: &[u8], follow: bool) -> Result<Info> {
            self.0.borrow().info(path, follow)
        }
        fn list(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
            self.0.borrow().list(path)
        }
        fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
            self.0.borrow().read_link(path)
        }
        fn make_dir(&self, _: &[u8]) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn delete(&self, _: &[u8]) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn delete_dir(&self, _: &[u8]) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn rename(&self, _: &[u8], _: &[u8]) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn hard_link(&self, _: &[u8], _: &[u8]) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn symlink(&self, _: &[u8], _: &[u8]) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn set_mode(&self, _: &[u8], _: u32) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn set_owner(&self, _: &[u8], _: Option<u32>, _: Option<u32>) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn set_times(&self, _: &[u8], _: i64, _: i64) -> Result<()> {
            Err(Posix("erofs"))
        }
        fn canonical_dir(&self, path: &[u8]) -> Result<Vec<u8>> {
            self.0.borrow().canonical_dir(path)
        }
    }

    fn outside() -> Still {
        let mut files = MemoryFiles::default();
        files.add("/home/a.txt", "alpha");
        files.add("/home/b.txt", "beta");
        files.add("/home/deep/c.txt", "gamma");
        assert!(files.symlink(b"deep", b"/home/link", 0).is_ok());
        Still(std::cell::RefCell::new(files))
    }

    fn read(files: &mut MemoryFiles, path: &[u8], outside: &Still) -> Result<Vec<u8>> {
        files.fill_file(path, outside)?;
        let node = files.open(path, How { read: true, ..How::default() }, 0)?;
        let bytes = files.read_at(node, 0, usize::MAX);
        files.close(node);
        bytes
    }

    #[test]
    fn what_is_outside_is_seen() {
        let outside = outside();
        let mut files = MemoryFiles::in_front_of(&outside);
        assert_eq!(read(&mut files, b"/home/a.txt", &outside), Ok(b"alpha".to_vec()));
        assert_eq!(read(&mut files, b"/home/link/c.txt", &outside), Ok(b"gamma".to_vec()));
        assert_eq!(read(&mut files, b"/home/d.txt", &outside), Err(Posix("enoent")));
        assert_eq!(read(&mut files, b"/home/a.txt/b", &outside), Err(Posix("enotdir")));
        assert!(files.fill_directory(b"/home", &outside).is_ok());
        assert_eq!(paths(&files, "/home"), ["a.txt", "b.txt", "deep", "link"]);
        assert!(files.fill(b"/home/b.txt", &outside).is_ok());
        assert_eq!(files.info(b"/home/b.txt", true).map(|info| info.size), Ok(4));
    }

    #[test]
    fn what_is_changed_stays_inside() {
        let outside = outside();
        let mut files = MemoryFiles::in_front_of(&outside);
        let untouched = files.clone();
        assert!(files.fill_directory(b"/home", &outside).is_ok());
        assert_eq!(files.delete(b"/home/a.txt", 1), Ok(()));
        assert_eq!(read(&mut files, b"/home/a.txt", &outside), Err(Posix("enoent")));
        assert_eq!(files.rename(b"/home/deep", b"/home/far", 1), Ok(()));
        assert_eq!(read(&mut files, b"/home/far/c.txt", &outside), Ok(b"gamma".to_vec()));
        files.add("/home/new.txt", "new");
        assert_eq!(paths(&files, "/home"), ["b.txt", "far", "link", "new.txt"]);
        let mut again = untouched;
        assert_eq!(read(&mut again, b"/home/a.txt", &outside), Ok(b"alpha".to_vec()));
        assert_eq!(read(&mut again, b"/home/new.txt", &outside), Err(Posix("enoent")));
    }
}
