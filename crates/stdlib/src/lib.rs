//! The embedded standard library.
//!
//! Erlang sources of our own, written from the documentation of the modules they stand for, under
//! `erl/`: `data` (lists, maps, strings, ...), `otp` (processes, behaviours, testing), `proper`
//! (what stands in for PropEr) and `native` (what stands in for native code). Functions that are
//! builtins of the Machine have no body here.
//!
//! This crate only holds the texts, of headers too; who runs them reads them as any other source.

pub mod headers;

/// A source of the library.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Path inside the library, such as `erl/data/lists.erl`.
    pub path: &'static str,
    pub text: &'static str,
}

static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Where in `FILES` the source of each module is, sorted by name.
static MODULES: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/modules.rs"));

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// All sources and headers, in the order of their paths.
pub fn files() -> impl Iterator<Item = Source> {
    FILES.iter().map(|&(path, text)| Source { path, text })
}

/// The module that a source holds; nothing for headers.
pub fn module_name(path: &str) -> Option<&str> {
    file_name(path).strip_suffix(".erl")
}

/// The source of a module.
pub fn module(name: &str) -> Option<Source> {
    let index = MODULES.binary_search_by(|(known, _)| known.cmp(&name)).ok()?;
    let (path, text) = FILES[MODULES[index].1];
    Some(Source { path, text })
}

/// Whether a module of ours stands in for one whose functions are native code: it is taken where a
/// program has that one.
pub fn stands_for_native(name: &str) -> bool {
    module(name).is_some_and(|source| source.path.starts_with("erl/native/"))
}

/// Whether a module of ours stands in for one of a library that is no part of OTP (PropEr): where a
/// program has that library, all of its modules are taken, and none of ours.
pub fn stands_in(name: &str) -> bool {
    module(name).is_some_and(|source| source.path.starts_with("erl/proper/"))
}

/// A file of the library by its path inside it, for includes between library sources.
pub fn file(path: &str) -> Option<Source> {
    files().find(|source| source.path == path)
}

#[cfg(test)]
mod tests {
    #[test]
    fn library_has_modules() {
        assert!(
            super::module("lists").is_some_and(|source| source.text.contains("-module(lists)"))
        );
        assert!(super::module("no_such_module").is_none());
    }

    #[test]
    fn every_module_is_there_once() {
        let mut names: Vec<_> =
            super::files().map(|source| super::file_name(source.path)).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
