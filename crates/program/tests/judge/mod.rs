//! What the tests against the judge share: Erlang/OTP's compiler run over many files at once, and
//! its findings in a shape that can be compared with ours.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use program::lint::{BehaviourLookup, Interfaces, LintOptions, lint};
use syntax::diagnostic::{Origin, Severity};
use syntax::options::Options;
use syntax::source::{FileId, Files};

/// One error or warning.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Found {
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// `true` for an error.
    pub(crate) error: bool,
    /// The pass that said it: `erl_lint`, `erl_parse`, `epp` …
    pub(crate) pass: String,
    pub(crate) code: String,
    /// Whether it is in the file itself, not in a header.
    pub(crate) own: bool,
}

/// Files on disk, with the applications of OTP.
pub(crate) struct Disk {
    lib: PathBuf,
}

impl Files for Disk {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn exists(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn lib_dir(&self, application: &str) -> Option<PathBuf> {
        let prefix = format!("{application}-");
        std::fs::read_dir(&self.lib).ok()?.flatten().map(|entry| entry.path()).find(|path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            name.is_some_and(|name| name == application || name.starts_with(&prefix))
        })
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }
}

/// The modules of OTP: any other is known not to be there.
struct KnownModules(BTreeSet<String>);

impl KnownModules {
    fn of(lib: &Path) -> KnownModules {
        let mut names = BTreeSet::new();
        for application in std::fs::read_dir(lib).into_iter().flatten().flatten() {
            let ebin = std::fs::read_dir(application.path().join("ebin"));
            for file in ebin.into_iter().flatten().flatten() {
                if let Some(name) = file.file_name().to_string_lossy().strip_suffix(".beam") {
                    names.insert(name.to_owned());
                }
            }
        }
        KnownModules(names)
    }
}

impl Interfaces for KnownModules {
    fn behaviour(&self, module: atom::Atom) -> BehaviourLookup {
        if self.0.contains(module.as_str()) {
            BehaviourLookup::NotKnown
        } else {
            BehaviourLookup::NoBehaviour
        }
    }
}

/// The installed Erlang/OTP, as the judge.
pub(crate) struct Judge {
    pub(crate) lib: PathBuf,
    pub(crate) files: Disk,
    known: Arc<KnownModules>,
    /// A directory for the files of this test.
    pub(crate) directory: PathBuf,
}

impl Judge {
    /// Finds `erl`; says that the test is skipped if it is not there.
    pub(crate) fn find(test: &str) -> Option<Judge> {
        let program = "io:put_chars(code:lib_dir()), halt(0).";
        let output = Command::new("erl").args(["-noshell", "-eval", program]).output().ok();
        let lib = output.filter(|output| output.status.success());
        let wanted = std::env::var_os("ERLSCOPE_NO_JUDGE").is_none();
        let Some(lib) = lib.filter(|_| wanted) else {
            eprintln!("skipped: {test} (no Erlang/OTP)");
            return None;
        };
        let lib = PathBuf::from(String::from_utf8_lossy(&lib.stdout).into_owned());
        let directory =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let known = Arc::new(KnownModules::of(&lib));
        Some(Judge { known, files: Disk { lib: lib.clone() }, lib, directory })
    }

    /// What OTP's compiler says of each file, without the passes behind `erl_lint` unless
    /// `ERLSCOPE_DEPTH=strong_validation` asks for them.
    pub(crate) fn verdicts(&self, files: &[(PathBuf, Vec<PathBuf>)]) -> Vec<Vec<Found>> {
        self.verdicts_with(files, &depth())
    }

    /// What it says if it compiles as far as the option `depth` says.
    pub(crate) fn verdicts_with(
        &self,
        files: &[(PathBuf, Vec<PathBuf>)],
        depth: &str,
    ) -> Vec<Vec<Found>> {
        let list = self.directory.join("files");
        let output = self.directory.join("verdicts");
        let mut text = String::new();
        for (file, includes) in files {
            text.push_str(&file.to_string_lossy());
            for include in includes {
                text.push('\t');
                text.push_str(&include.to_string_lossy());
            }
            text.push('\n');
        }
        std::fs::write(&list, text).expect("the list of files");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judge/judge.erl");
        let compiled = Command::new("erlc").arg("-o").arg(&self.directory).arg(source).status();
        assert!(compiled.is_ok_and(|status| status.success()), "judge.erl does not compile");
        let status = Command::new("erl")
            .args(["-noshell", "-noinput", "-pa"])
            .arg(&self.directory)
            .args(["-s", "judge", "main", "-extra"])
            .args([&list, &output])
            .arg(depth)
            .status();
        assert!(status.is_ok_and(|status| status.success()), "the judge failed");
        parse(&std::fs::read_to_string(output).expect("verdicts"))
    }

    /// What we say of a file.
    pub(crate) fn ours(&self, file: &Path, includes: &[PathBuf]) -> Vec<Found> {
        let options = Options { include_dirs: includes.to_vec(), ..Options::default() };
        ours(file, &self.files, &options, Some(self.known.clone()))
    }

    /// `include` and `src` of the application, and what is below `src`.
    fn include_dirs(&self, path: &Path) -> Vec<PathBuf> {
        let application = path.strip_prefix(&self.lib).ok().and_then(|rest| rest.iter().next());
        let Some(application) = application.map(|name| self.lib.join(name)) else {
            return Vec::new();
        };
        let src = application.join("src");
        let below = std::fs::read_dir(&src).into_iter().flatten().flatten();
        let mut dirs: Vec<PathBuf> =
            below.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        dirs.sort();
        dirs.splice(0..0, [application.join("include"), src]);
        dirs
    }

    /// All modules of OTP, with the include directories of their own build.
    pub(crate) fn modules(&self) -> Vec<(PathBuf, Vec<PathBuf>)> {
        let mut found = Vec::new();
        let mut pending = vec![self.lib.clone()];
        while let Some(directory) = pending.pop() {
            for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    pending.push(path);
                } else if path.extension().is_some_and(|extension| extension == "erl") {
                    let includes = self.include_dirs(&path);
                    found.push((path, includes));
                }
            }
        }
        found.sort();
        found
    }
}

/// How far the judge compiles.
pub(crate) fn depth() -> String {
    std::env::var("ERLSCOPE_DEPTH").unwrap_or_else(|_| "basic_validation".into())
}

impl Drop for Judge {
    fn drop(&mut self) {
        if std::env::var_os("ERLSCOPE_KEEP").is_none() {
            let _ = std::fs::remove_dir_all(&self.directory);
        }
    }
}

/// Our own findings about a file.
pub(crate) fn ours(
    file: &Path,
    files: &dyn Files,
    options: &Options,
    interfaces: Option<Arc<dyn Interfaces + Send + Sync>>,
) -> Vec<Found> {
    let module = syntax::read_module(file, files, options);
    let lint_options = LintOptions { interfaces, ..LintOptions::default() };
    let linted = lint(&module, &lint_options);
    let all = module.diagnostics.iter().chain(&linted);
    let mut found: Vec<Found> = all
        .map(|diagnostic| Found {
            line: diagnostic.loc.line,
            column: diagnostic.loc.column,
            error: diagnostic.severity == Severity::Error,
            pass: pass(diagnostic.origin).into(),
            code: diagnostic.code.into(),
            own: diagnostic.span.file == FileId::MAIN,
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

fn pass(origin: Origin) -> &'static str {
    match origin {
        Origin::Preprocessor => "epp",
        Origin::Scanner => "erl_scan",
        Origin::Parser => "erl_parse",
        Origin::Lint => "erl_lint",
        Origin::Compiler => "compiler",
        Origin::Input => "file_io_server",
        Origin::Features => "erl_features",
        Origin::Erlscope => "erlscope",
    }
}

fn parse(text: &str) -> Vec<Vec<Found>> {
    let mut verdicts: Vec<Vec<Found>> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["=", _] => verdicts.push(Vec::new()),
            [severity, line, column, pass, code, own] => {
                if let Some(verdict) = verdicts.last_mut() {
                    verdict.push(Found {
                        line: line.parse().unwrap_or(0),
                        column: column.parse().unwrap_or(0),
                        error: severity == "error",
                        pass: pass.into(),
                        code: code.into(),
                        own: own == "true",
                    });
                }
            }
            _ => {}
        }
    }
    for verdict in &mut verdicts {
        verdict.sort();
        verdict.dedup();
    }
    verdicts
}
