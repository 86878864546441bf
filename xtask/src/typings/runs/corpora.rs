//! The programs that are run, and the calls that are made of each.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use program::Program;

use super::{Amount, values};
use crate::problem::{Problem, Result};

#[path = "../../../../crates/machine/tests/judge/expressions.rs"]
#[allow(dead_code, reason = "why some differ does not matter here")]
mod expressions;
#[path = "../../../../crates/runner/tests/generate/mod.rs"]
#[allow(dead_code, reason = "only programs are made here")]
mod generate;
#[path = "../../../../crates/runner/tests/grammar/mod.rs"]
#[allow(dead_code, reason = "only programs are made here")]
mod grammar;
#[path = "../../../../crates/slice/tests/harness/inputs.rs"]
#[allow(dead_code, reason = "only calls are made here")]
mod inputs;

pub(super) const NAMES: &[&str] =
    &["written", "sliced", "cases", "expressions", "generated", "grammar", "values"];

/// Those of which a sample is run by a test.
#[cfg(test)]
pub(super) const SAMPLE: &[&str] = &["generated", "grammar", "values"];

/// A program and how it is entered.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) paths: Vec<PathBuf>,
    calls: Calls,
}

enum Calls {
    /// Every exported function without arguments.
    Exported,
    These(Vec<String>),
}

impl Subject {
    pub(super) fn calls(&self, program: &Program) -> Vec<String> {
        if let Calls::These(calls) = &self.calls {
            return calls.clone();
        }
        let mut calls = Vec::new();
        for module in program.modules.iter().filter(|module| !module.has_errors()) {
            for (function, _) in module.index.functions.iter() {
                if function.1 == 0 && module.index.is_exported(function) {
                    let (of, name) = (module.name.as_str(), function.0.as_str());
                    let (of, name) = (atom::quote::atom(of), atom::quote::atom(name));
                    calls.push(format!("{of}:{name}()"));
                }
            }
        }
        calls
    }
}

pub(super) struct Corpora<'a> {
    root: &'a Path,
    amount: &'a Amount,
    /// For programs that are generated.
    scratch: PathBuf,
}

impl Drop for Corpora<'_> {
    fn drop(&mut self) {
        // Left over, it does no harm.
        let _ = std::fs::remove_dir_all(&self.scratch);
    }
}

impl<'a> Corpora<'a> {
    pub(super) fn new(root: &'a Path, amount: &'a Amount) -> Result<Corpora<'a>> {
        let scratch = std::env::temp_dir().join(format!("erlscope-typed-{}", std::process::id()));
        std::fs::create_dir_all(&scratch).map_err(|error| Problem::at(&scratch, error))?;
        Ok(Corpora { root, amount, scratch })
    }

    pub(super) fn subjects(&mut self, corpus: &str) -> Result<Vec<Subject>> {
        match corpus {
            "written" => self.written(),
            "sliced" => self.sliced(),
            "cases" => self.cases(),
            "expressions" => self.expressions(),
            "generated" => self.generated("g", generate::program),
            "grammar" => self.generated("gr", grammar::program),
            "values" => self.generated("v", values::program),
            _ => Ok(Vec::new()),
        }
    }

    /// Every program of the repository: a directory with few modules as one, others by
    /// themselves.
    fn written(&self) -> Result<Vec<Subject>> {
        let mut directories = Vec::new();
        for top in ["crates", "xtask", "examples"] {
            directories_in(&self.root.join(top), &mut directories)?;
        }
        let mut subjects = Vec::new();
        for directory in directories {
            let shown = directory.strip_prefix(self.root).unwrap_or(&directory);
            let shown = shown.display().to_string();
            // What is not a program, and what has calls of its own.
            let others =
                ["stdlib", "models", "slice/tests/corpus", "xtask/src", "limits", "tests/io"];
            if others.iter().any(|other| shown.contains(other)) {
                continue;
            }
            let paths = modules(&directory)?;
            let together = if paths.len() <= FEW { vec![paths] } else { each(paths) };
            for paths in together {
                let Some(first) = paths.first() else { continue };
                let name = format!("{shown}/{}", stem(first));
                let calls = match measured(&stem(first)) {
                    Some(call) => Calls::These(vec![call]),
                    None => Calls::Exported,
                };
                subjects.push(Subject { name, paths, calls });
            }
        }
        Ok(subjects)
    }

    /// The slicer's corpus, entered as its programs say.
    fn sliced(&self) -> Result<Vec<Subject>> {
        let mut subjects = Vec::new();
        for path in modules(&self.root.join("crates/slice/tests/corpus"))? {
            let text = read(&path)?;
            let name = stem(&path);
            let inputs = text.lines().find_map(|line| line.strip_prefix("%% inputs: "));
            let entries = inputs::Entry::read(&name, inputs.unwrap_or_default());
            let calls = inputs::calls(&name, &entries, 6);
            let calls = Calls::These(calls.iter().map(|call| format!("(catch {call})")).collect());
            subjects.push(Subject { name, paths: vec![path], calls });
        }
        Ok(subjects)
    }

    /// The cases that our library is compared with OTP's by, and its scenarios.
    fn cases(&self) -> Result<Vec<Subject>> {
        let tests = self.root.join("crates/stdlib/tests");
        let mut subjects = Vec::new();
        for path in modules(&tests.join("data/cases"))? {
            let name = stem(&path);
            let of = name.trim_start_matches("cases_").to_owned();
            let each = self.amount.programs.clamp(2, 60);
            let exported = |function: &str| {
                format!(
                    "(erlang:function_exported({name}, {function}, 0) andalso {name}:{function}())"
                )
            };
            let calls = vec![
                format!(
                    "begin {name}:module_info(), \
                     [[(catch apply({of}, element(1, C), [G() || G <- element(2, C)])) \
                     || _ <- lists:seq(1, {each})] || C <- {}] end",
                    exported("cases")
                ),
                format!(
                    "begin {name}:module_info(), \
                     [(catch (element(3, S))(fun(M) -> M end)) || S <- {}] end",
                    exported("scripts")
                ),
            ];
            let paths = vec![path, tests.join("data/arb.erl")];
            subjects.push(Subject { name, paths, calls: Calls::These(calls) });
        }
        let helpers = modules(&tests.join("otp"))?;
        let helpers: Vec<PathBuf> =
            helpers.into_iter().filter(|path| stem(path) != "erlscope_native").collect();
        for path in &helpers {
            let name = stem(path);
            if name.starts_with("scenario_") {
                let call = format!("[(catch (element(2, S))()) || S <- {name}:scenarios()]");
                let calls = Calls::These(vec![call]);
                subjects.push(Subject { name, paths: helpers.clone(), calls });
            }
        }
        Ok(subjects)
    }

    /// The expressions that the Machine is compared with `erl` by, a function each.
    fn expressions(&self) -> Result<Vec<Subject>> {
        let directory = self.root.join("crates/machine/tests/expressions");
        let mut subjects = Vec::new();
        for path in files(&directory, "txt")? {
            let all = expressions::expressions(&read(&path)?);
            for (number, chunk) in all.chunks(150).enumerate() {
                let name = format!("e_{}_{number}", stem(&path));
                let mut text = format!("-module({name}).\n-compile(export_all).\n");
                let mut calls = String::new();
                for (place, expression) in chunk.iter().enumerate() {
                    let _ = writeln!(text, "e{place}() -> {}.", expression.text);
                    let _ = write!(calls, "(catch {name}:e{place}()), ");
                }
                let path = self.scratch.join(format!("{name}.erl"));
                std::fs::write(&path, text).map_err(|error| Problem::at(&path, error))?;
                let calls = Calls::These(vec![format!("begin {calls} ok end")]);
                subjects.push(Subject { name, paths: vec![path], calls });
            }
        }
        Ok(subjects)
    }

    fn generated(
        &self,
        prefix: &str,
        program: impl Fn(&str, u64) -> String,
    ) -> Result<Vec<Subject>> {
        let (first, count) = (self.amount.seed, self.amount.programs);
        let peer = self.root.join("crates/runner/tests/peer/corpus_peer.erl");
        let mut subjects = Vec::new();
        for seed in first..first + count {
            let name = format!("{prefix}{seed}");
            let path = self.scratch.join(format!("{name}.erl"));
            std::fs::write(&path, program(&name, seed))
                .map_err(|error| Problem::at(&path, error))?;
            let paths = vec![path, peer.clone()];
            subjects.push(Subject { name, paths, calls: Calls::Exported });
        }
        Ok(subjects)
    }
}

/// Modules of a directory that are taken together.
const FEW: usize = 8;

fn each(paths: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
    paths.into_iter().map(|path| vec![path]).collect()
}

/// The call of a program that speed is measured with, on little data.
fn measured(name: &str) -> Option<String> {
    let argument = match name {
        "bench_queens" => "5",
        "bench_nrev" | "bench_ring" => "{20, 5}",
        _ if name.starts_with("bench_") => "20",
        _ => return None,
    };
    Some(format!("{name}:run({argument})"))
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned()
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| Problem::at(path, error))
}

fn modules(directory: &Path) -> Result<Vec<PathBuf>> {
    files(directory, "erl")
}

fn files(directory: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(directory).map_err(|error| Problem::at(directory, error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|of| of == extension));
    paths.sort();
    Ok(paths)
}

/// A directory and all below it.
fn directories_in(directory: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    found.push(directory.to_owned());
    let entries = std::fs::read_dir(directory).map_err(|error| Problem::at(directory, error))?;
    let mut inside: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    inside.sort();
    inside.iter().try_for_each(|path| directories_in(path, found))
}
