//! The programs of `tests/corpus`: a file, or a directory of modules that belong together.
//!
//! A comment of the form `%% inputs: f(int, list(atom)), g(one(1; 2))` in the main module names the
//! functions that a program is entered by, and what their arguments are made of
//! ([`super::inputs`]).

use std::path::{Path, PathBuf};

use program::{LoadOptions, Program};

use super::inputs::Entry;

/// A program to slice.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) entries: Vec<Entry>,
}

impl Case {
    /// The program at a path: a module, or a directory of modules.
    pub(crate) fn at(path: &Path) -> Case {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut paths = match path.is_dir() {
            true => sorted_files(path),
            false => vec![path.to_path_buf()],
        };
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "erl"));
        let main = paths.iter().find(|path| path.file_stem().is_some_and(|stem| stem == &*name));
        let main = main.unwrap_or_else(|| panic!("{name}: no main module"));
        let text = std::fs::read_to_string(main).expect("a text");
        let inputs = text.lines().find_map(|line| line.strip_prefix("%% inputs: "));
        let entries = Entry::read(&name, inputs.unwrap_or_else(|| panic!("{name}: no inputs")));
        Case { name, paths, entries }
    }

    pub(crate) fn load(&self) -> Program {
        let options = LoadOptions { without_otp: true, ..LoadOptions::default() };
        let program = Program::load(&self.paths, &options).expect("no OTP is asked for");
        for module in &program.modules {
            for found in &module.diagnostics {
                let error = found.severity == syntax::diagnostic::Severity::Error;
                assert!(!error, "{}: {}", module.name, found.message);
            }
        }
        program
    }
}

fn sorted_files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The directory of tests.
pub(crate) fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// All programs of the corpus, or of the directory `ERLSCOPE_SLICE_DIR`, or those whose name
/// contains `ERLSCOPE_SLICE_ONLY`.
pub(crate) fn cases() -> Vec<Case> {
    let only = std::env::var("ERLSCOPE_SLICE_ONLY").unwrap_or_default();
    let dir = std::env::var_os("ERLSCOPE_SLICE_DIR").map(PathBuf::from);
    let dir = dir.unwrap_or_else(|| tests().join("corpus"));
    let mut files = sorted_files(&dir);
    files.retain(|path| path.is_dir() || path.extension().is_some_and(|ext| ext == "erl"));
    let mut cases: Vec<Case> = files.iter().map(|path| Case::at(path)).collect();
    cases.retain(|case| case.name.contains(&only));
    cases
}

/// What a variable of the environment says.
pub(crate) fn setting(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Programs that are made of seeds: `ERLSCOPE_SEED` says where the seeds start, `ERLSCOPE_PROGRAMS`
/// how many there are.
pub(crate) fn generated(
    kind: &str,
    count: u64,
    program: impl Fn(&str, u64) -> String,
) -> Vec<Case> {
    let first = setting("ERLSCOPE_SEED", 1);
    let count = setting("ERLSCOPE_PROGRAMS", count);
    // Tests that run at the same time have directories of their own.
    let test = option_env!("CARGO_CRATE_NAME").unwrap_or("slice");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}_{kind}_slices"));
    std::fs::create_dir_all(&dir).expect("a directory");
    let case = |seed: u64| {
        let name = format!("{}{seed}", &kind[..1]);
        let path = dir.join(format!("{name}.erl"));
        std::fs::write(&path, program(&name, seed)).expect("a file");
        Case::at(&path)
    };
    (first..first + count).map(case).collect()
}

/// Whether everything is to be checked, not a sample of it.
pub(crate) fn is_full() -> bool {
    std::env::var_os("ERLSCOPE_SLICE_FULL").is_some()
}
