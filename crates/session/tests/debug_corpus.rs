//! Every construct: the programs of the corpora of the runner and of slices can be debugged, and
//! what is asked about is what was: calls, their arguments and values are those of a trace of the
//! same run.
//!
//! Some programs are taken; `DEBUG_FULL=1` takes all.

#[allow(dead_code, reason = "mutants are for another test")]
mod study;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

use session::debug::{Came, Request, record};
use session::running::Tracing;
use session::{Control, Running};
use study::programs;
use trace::event::What;
use trace::file::Reader;

/// The same text however it is laid out.
fn packed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[derive(Default)]
struct Seen {
    /// How often calls were made, as text; those with values that are cut are not there.
    calls: BTreeMap<String, usize>,
    /// Values that were returned, by process.
    values: BTreeSet<(String, String)>,
    is_cut: bool,
}

fn traced(path: &Path, module: &str, call: &str, file: &Path) -> Option<Seen> {
    let request = session::run::Request {
        paths: vec![path.to_owned()],
        call: Some(call.to_owned()),
        keep_output: true,
        tracing: Tracing { file: Some(file.to_owned()), all_calls: true, nodes: false },
        running: running(),
        ..session::run::Request::default()
    };
    session::run::run(&request, &Control::default()).ok()?;
    let mut seen = Seen::default();
    for record in Reader::new(File::open(file).ok()?).ok()? {
        let record = record.expect("a record");
        match record.what {
            What::Call { callee, args, .. } if callee.module.as_str() == module => {
                let shown: Option<Vec<String>> = args
                    .iter()
                    .map(|arg| (!arg.cut).then(|| packed(&trace::show::value(arg))))
                    .collect();
                seen.is_cut |= shown.is_none();
                let Some(args) = shown else { continue };
                let name = atom::quote::atom(callee.name.as_str());
                let module = atom::quote::atom(module);
                let call = format!("{module}:{name}({})", args.join(","));
                *seen.calls.entry(packed(&call)).or_default() += 1;
            }
            What::Return { value } => {
                let process = record.pid.map(term::print::pid).unwrap_or_default();
                seen.is_cut |= value.cut;
                if !value.cut {
                    seen.values.insert((process, packed(&trace::show::value(&value))));
                }
            }
            _ => {}
        }
    }
    Some(seen)
}

fn running() -> Running {
    Running { max_steps: Some(60_000), ..Running::default() }
}

#[test]
fn questions_are_about_what_was() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("debug_corpus");
    std::fs::create_dir_all(&root).expect("a directory");
    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runner/tests/programs");
    let mut all: Vec<(PathBuf, String, String)> = Vec::new();
    for program in programs() {
        let calls = program.calls.iter();
        all.extend(calls.map(|call| (program.path.clone(), program.name.clone(), call.clone())));
    }
    let mut written: Vec<PathBuf> = std::fs::read_dir(runner)
        .expect("programs")
        .map(|entry| entry.expect("one").path())
        .collect();
    written.retain(|path| path.extension().is_some_and(|end| end == "erl"));
    written.sort();
    for path in written {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let call = format!("{name}:main()");
        all.push((path, name, call));
    }
    let step = if std::env::var_os("DEBUG_FULL").is_some() { 1 } else { 24 };
    let (mut compared, mut statements) = (0, 0);
    for (path, module, call) in all.iter().step_by(step) {
        let Some(seen) = traced(path, module, call, &root.join("trace")) else { continue };
        let request = Request {
            paths: vec![path.clone()],
            call: Some(call.clone()),
            running: running(),
            ..Request::default()
        };
        let debugged = record(&request, &Control::default()).expect("a run");
        compared += 1;
        let mut calls: BTreeMap<String, usize> = BTreeMap::new();
        // Of long runs some: a question tells all that was done below it.
        let step = debugged.shape().len().div_ceil(200);
        for node in debugged.shape().nodes().step_by(step) {
            let Some(question) = debugged.question(node) else { continue };
            statements += 1;
            if let Came::Value { value } = &question.outcome {
                let value = (question.process.clone(), packed(value));
                assert!(seen.is_cut || seen.values.contains(&value), "{call}: {value:?}");
            }
            if question.after.is_none() && !question.call.starts_with("fun ") {
                *calls.entry(packed(&question.call)).or_default() += 1;
            }
        }
        for (made, times) in &calls {
            let times_seen = seen.calls.get(made).copied();
            let is_seen = times_seen.is_some_and(|seen| *times <= seen);
            assert!(seen.is_cut || is_seen, "{call}: {made} {times_seen:?}");
        }
    }
    println!("{compared} runs, {statements} statements");
    assert!(compared > 10 && statements > 100, "{compared} runs, {statements} statements");
}
