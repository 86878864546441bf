//! An oracle for purity: what the analysis calls pure is declared pure and run with made-up inputs,
//! and then nothing that it does may be seen.
//!
//! The programs are those that inputs and slices are tested with (`crates/inputs`, `crates/slice`),
//! a sample of the latter; `PURITY_ALL=1` takes all, `PURITY_RUNS=N` runs each function so often.

use std::path::{Path, PathBuf};

use atom::Atom;
use session::contracts;
use session::contracts::purity::{Purities, Purity};
use session::inputs::{Request, What, find};
use session::{Contracting, Control, Reading, Running};

fn files(dir: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(dir);
    let entries = dir.read_dir().expect("programs").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|it| it == "erl")).collect();
    files.sort();
    files
}

/// What was found out about a program.
#[derive(Default)]
struct Figures {
    pure: usize,
    impure: usize,
    unknown: usize,
    runs: u64,
    wrong: Vec<String>,
    /// No inputs could be made.
    failed: Vec<String>,
}

/// Declares the functions pure that are called so, and runs those that are exported.
fn look(path: &Path, runs: u64, figures: &mut Figures) {
    let reading = Reading { without_otp: true, ..Reading::default() };
    let paths = [path.to_path_buf()];
    let asked = contracts::Request {
        paths: paths.to_vec(),
        reading: reading.clone(),
        without_tests: true,
        ..contracts::Request::default()
    };
    let Ok(program) = contracts::load(&asked) else { return };
    let Some(module) = program.modules.first().filter(|module| !module.has_errors()) else {
        return;
    };
    let Ok(purities) = Purities::of(&program) else { return };
    let mut pure: Vec<(Atom, u32)> = Vec::new();
    for ((name, arity), _) in module.index.functions.iter() {
        match purities.get(module.name, name, arity) {
            Some(Purity::Pure) => pure.push((name, arity)),
            Some(Purity::Impure { .. }) => figures.impure += 1,
            _ => figures.unknown += 1,
        }
    }
    pure.sort_by_key(|(name, arity)| (name.as_str(), *arity));
    figures.pure += pure.len();
    let text = std::fs::read_to_string(path).expect("it can be read");
    let names: Vec<String> = pure
        .iter()
        .map(|(name, arity)| format!("{}/{arity}", atom::quote::atom(name.as_str())))
        .collect();
    let name = module.name.as_str();
    let start = text.find("-module(").unwrap_or(0);
    let end = text[start..].find(").").map_or(start, |end| start + end + 2);
    let declared = format!("{} -pure([{}]).{}", &text[..end], names.join(", "), &text[end..]);
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contracts_pure").join(name);
    std::fs::create_dir_all(&dir).expect("a directory");
    let copy = dir.join(format!("{name}.erl"));
    std::fs::write(&copy, declared).expect("a file");
    for (name, arity) in pure {
        if !module.index.exports.contains((name, arity)) {
            continue;
        }
        let function = format!(
            "{}:{}/{arity}",
            atom::quote::atom(module.name.as_str()),
            atom::quote::atom(name.as_str())
        );
        let contracts = Some(Contracting { without_specs: true, wall_time: false });
        let mut request = Request {
            reading: reading.clone(),
            running: Running { contracts, ..Running::default() },
            ..Request::new(vec![copy.clone()], What::Function(function.clone()))
        };
        request.options.runs = runs;
        request.options.shrinking = 0;
        let answer = match find(&request, &Control::default()) {
            Ok(answer) => answer,
            Err(error) => {
                figures.failed.push(format!("{function}: {error}"));
                continue;
            }
        };
        figures.runs += answer.runs;
        for failure in answer.failures {
            if failure.what.starts_with("contract pure") {
                figures.wrong.push(format!("{}: {}", failure.ran.call, failure.what));
            }
        }
    }
}

#[test]
fn nothing_is_seen_of_what_is_called_pure() {
    let number = |name: &str, usually: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usually)
    };
    let all = std::env::var_os("PURITY_ALL").is_some();
    let runs = number("PURITY_RUNS", 10);
    let every = |count| if all { 1 } else { count };
    let mut paths: Vec<PathBuf> =
        files("../inputs/tests/programs").into_iter().step_by(every(4)).collect();
    paths.extend(files("../slice/tests/corpus").into_iter().step_by(every(60)));
    paths.extend(files("tests/contracts_proved"));
    let mut figures = Figures::default();
    for path in &paths {
        look(path, runs, &mut figures);
    }
    let Figures { pure, impure, unknown, runs, wrong, failed } = figures;
    println!("{} programs: {pure} pure, {impure} impure, {unknown} unknown", paths.len());
    println!("{runs} runs of functions that are pure, {} of them act", wrong.len());
    println!("of {} no inputs could be made: {}", failed.len(), failed.join("; "));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(pure > 20 && impure > 5 && runs > 50, "{pure} pure, {impure} impure, {runs} runs");
}
