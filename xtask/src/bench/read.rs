//! Reading source files from disk to syntax tree, one thread, against `epp:parse_file/2`.
//!
//! Both sides read the same files, with the same include directories, and keep nothing from one
//! pass to the next. CPU time counts, not wall time: other work on the machine does not matter.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use program::files::{Library, ProjectFiles};
use syntax::diagnostic::Severity;
use syntax::options::Options;
use syntax::source::Files;

use super::{Benchmark, Context, Ratio, cpu_seconds, judge, otp_sources};
use crate::problem::Result;

pub(crate) const BENCHMARK: Benchmark = Benchmark {
    name: "read",
    about: "stdlib, kernel and compiler from disk to tree, CPU time against epp:parse_file",
    run,
};

fn run(context: &Context) -> Result<Vec<Ratio>> {
    let files = otp_sources()?;
    let ours = (0..context.runs).map(|_| read_all(&files)).collect::<Result<Vec<_>, _>>()?;
    let best = ours.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).ok_or("no runs")?;
    let theirs = their_seconds(&files, context.runs)?;
    let detail = format!(
        "{} files, {:.1} MB, {} nodes, {} with errors; CPU time ours {:.3} s, epp {theirs:.3} s, \
         best of {}",
        files.len(),
        best.bytes as f64 / 1e6,
        best.nodes,
        best.with_errors,
        best.seconds,
        context.runs,
    );
    let name = "ours / epp:parse_file".to_string();
    Ok(vec![Ratio { name, ours: best.seconds, theirs, goal: Some(0.1), detail }])
}

struct Pass {
    seconds: f64,
    bytes: usize,
    nodes: usize,
    with_errors: usize,
}

/// One pass over all files, with nothing kept in memory from an earlier one.
fn read_all(files: &[PathBuf]) -> Result<Pass> {
    let library = Library::of_machine(None).map_err(|error| error.to_string())?;
    let source = ProjectFiles::new(Arc::new(library), BTreeMap::new());
    let mut pass = Pass { seconds: 0.0, bytes: 0, nodes: 0, with_errors: 0 };
    let directory = |application| source.lib_dir(application).unwrap_or_default();
    let (kernel, stdlib) = (directory("kernel"), directory("stdlib"));
    let start = cpu_seconds()?;
    for file in files {
        let include_dirs = include_dirs(file, &kernel, &stdlib);
        let options = Options { include_dirs, ..Options::default() };
        let module = syntax::read_module(file, &source, &options);
        pass.bytes += module.files.first().map_or(0, |file| file.text.len());
        pass.nodes += module.nodes.len();
        let errors = module.diagnostics.iter().any(|found| found.severity == Severity::Error);
        pass.with_errors += usize::from(errors);
    }
    pass.seconds = cpu_seconds()? - start;
    Ok(pass)
}

/// `include` of the application of a file, and of kernel and stdlib, as OTP's own build has it.
fn include_dirs(file: &Path, kernel: &Path, stdlib: &Path) -> Vec<PathBuf> {
    let application = file.parent().and_then(Path::parent).unwrap_or(kernel);
    [application, kernel, stdlib].map(|directory| directory.join("include")).to_vec()
}

/// The best of several passes of `epp:parse_file/2`, in CPU seconds.
fn their_seconds(files: &[PathBuf], runs: usize) -> Result<f64> {
    let list: Vec<String> =
        files.iter().map(|file| format!("{:?}", file.display().to_string())).collect();
    let expressions = format!(
        "Files = [{}], \
         Read = fun(F) -> \
             Own = filename:dirname(filename:dirname(F)), \
             Dirs = [Own, code:lib_dir(kernel), code:lib_dir(stdlib)], \
             Includes = [filename:join(Dir, \"include\") || Dir <- Dirs], \
             {{ok, _}} = epp:parse_file(F, [{{location, {{1, 1}}}}, {{includes, Includes}}]) end, \
         Pass = fun() -> \
             {{Before, _}} = statistics(runtime), \
             lists:foreach(Read, Files), \
             {{After, _}} = statistics(runtime), \
             After - Before end, \
         io:format(\"~w\", [lists:min([Pass() || _ <- lists:seq(1, {runs})])])",
        list.join(","),
    );
    let milliseconds: f64 =
        judge(&expressions)?.parse().map_err(|error| format!("the judge's answer: {error}"))?;
    Ok(milliseconds / 1000.0)
}
