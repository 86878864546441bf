//! What the tests over real Erlang sources share: the installed Erlang/OTP, files on disk, and work
//! on many files at once.
#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod etf;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use syntax::ast::Module;
use syntax::options::Options;
use syntax::source::Files;
use syntax::{compare, unparse};

/// Files on disk, with the applications of one Erlang library.
#[derive(Default)]
pub(crate) struct DiskFiles {
    applications: BTreeMap<String, PathBuf>,
}

impl DiskFiles {
    /// `lib` holds directories named `application-version`.
    pub(crate) fn with_library(lib: &Path) -> DiskFiles {
        let entries = std::fs::read_dir(lib).into_iter().flatten().flatten();
        let applications = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let application = name.split_once('-').map_or(name.as_str(), |(name, _)| name);
            Some((application.to_owned(), entry.path()))
        });
        DiskFiles { applications: applications.collect() }
    }
}

impl Files for DiskFiles {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn lib_dir(&self, application: &str) -> Option<PathBuf> {
        self.applications.get(application).cloned()
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }
}

/// The installed Erlang/OTP.
pub(crate) struct Otp {
    pub(crate) lib: PathBuf,
    pub(crate) files: DiskFiles,
}

impl Otp {
    /// Finds `erl` on the path; says that the test is skipped if it is not there or not wanted.
    pub(crate) fn find(test: &str) -> Option<Otp> {
        let lib = if std::env::var_os("ERLSCOPE_NO_JUDGE").is_some() {
            None
        } else {
            evaluate("io:put_chars(code:lib_dir())")
        };
        if lib.is_none() {
            eprintln!("skipped: {test} (no Erlang/OTP)");
        }
        let lib = PathBuf::from(lib?);
        let files = DiskFiles::with_library(&lib);
        Some(Otp { lib, files })
    }

    /// All `.erl` files of the library, sorted.
    pub(crate) fn modules(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut pending = vec![self.lib.clone()];
        while let Some(directory) = pending.pop() {
            for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    pending.push(path);
                } else if path.extension().is_some_and(|extension| extension == "erl") {
                    found.push(path);
                }
            }
        }
        found.sort();
        found
    }

    /// Reads a module of the library.
    pub(crate) fn read(&self, path: &Path) -> Module {
        syntax::read_module(path, &self.files, &options_for(path))
    }
}

/// Include directories of an application's own build.
pub(crate) fn options_for(path: &Path) -> Options {
    let include_dirs = path.parent().map(|src| src.join("../include")).into_iter().collect();
    Options { include_dirs, ..Options::default() }
}

/// What an Erlang expression prints; `None` if there is no `erl` or it fails.
pub(crate) fn evaluate(expression: &str) -> Option<String> {
    let program = format!("{expression}, halt(0).");
    let output = Command::new("erl").args(["-noshell", "-eval", &program]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `work` on each item, on all cores; results in the order of the items.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    if let Ok(mut results) = results.lock() {
                        results.push((index, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Reads a module without a file, with all features.
pub(crate) fn read_text(text: &str) -> Module {
    let files = DiskFiles::default();
    let options = Options { features: vec!["maybe_expr".to_owned()], ..Options::default() };
    syntax::read_module_bytes(Path::new("m.erl"), text.into(), &files, &options)
}

/// A module, and how it is printed; that must be read as the same, and printed as the same again.
pub(crate) fn printed_and_read(source: &str) -> (Module, String) {
    let module = read_text(source);
    assert_eq!(module.diagnostics, [], "in {source}");
    let printed = unparse::module(&module);
    let again = read_text(&printed);
    assert_eq!(again.diagnostics, [], "{source}\nprinted as\n{printed}");
    assert_eq!(compare::same_forms(&module, &again), Ok(()), "{source}\nprinted as\n{printed}");
    assert_eq!(unparse::module(&again), printed);
    (module, printed)
}
