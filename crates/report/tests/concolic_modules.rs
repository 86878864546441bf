//! Modules that nobody here wrote: which of their branches a search for paths reaches, against
//! typed inputs by chance and inputs that are guided by what they reach; and whether the tests that
//! it writes say on the BEAM what they say here.
//!
//! `CONCOLIC_MODULES=10 cargo test -p report --test concolic_modules -- --nocapture`: so many
//! seconds of CPU time for each module and method. `CONCOLIC_ONLY=queue,dict` for some of them.
//! Without it a small one is looked at for a moment.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use session::inputs::{self, Branch, What};
use session::{Bound, Control, Over, concolic};

const MODULES: &[&str] = &[
    "array",
    "base64",
    "calendar",
    "dict",
    "filename",
    "gb_sets",
    "gb_trees",
    "inet_parse",
    "orddict",
    "ordsets",
    "prettypr",
    "proplists",
    "queue",
    "string",
    "uri_string",
    "xmerl_ucs",
];

/// CPU time of this thread.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

fn control(time: Duration) -> Control {
    let end = cpu() + time;
    Control::new(Over::new(move || (cpu() >= end).then_some(Bound::RealTime(time))), None)
}

/// The source of a module of OTP.
fn source(module: &str) -> Option<PathBuf> {
    let root = std::fs::read_dir("/usr/lib/erlang/lib").ok()?;
    let mut found: Vec<PathBuf> = root
        .filter_map(|entry| Some(entry.ok()?.path().join("src").join(format!("{module}.erl"))))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.into_iter().next()
}

/// The functions that a module exports, of one argument or more.
fn functions(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a source");
    let mut found = BTreeSet::new();
    for part in text.split("\n-export([").skip(1) {
        let names = part.split("])").next().unwrap_or_default();
        for line in names.lines() {
            let line = line.split('%').next().unwrap_or_default();
            for word in line.split(',').map(str::trim) {
                if word.rsplit_once('/').is_some_and(|(_, arity)| arity != "0") {
                    found.insert(word.to_owned());
                }
            }
        }
    }
    found.into_iter().collect()
}

/// Branches of a module, and those that were reached.
#[derive(Default)]
struct Reached {
    all: BTreeSet<(u32, u32, u32, String)>,
    reached: BTreeSet<(u32, u32, u32, String)>,
}

impl Reached {
    fn add(&mut self, module: &str, branches: &[Branch]) {
        for branch in branches.iter().filter(|branch| branch.module.as_str() == module) {
            let key = (branch.line, branch.column, branch.node, branch.way.clone());
            if branch.reached {
                self.reached.insert(key.clone());
            }
            self.all.insert(key);
        }
    }
}

fn by_inputs(path: &Path, what: &str, guided: bool, time: Duration) -> Vec<Branch> {
    let mut request = inputs::Request::new(vec![path.to_owned()], What::Function(what.to_owned()));
    request.options.runs = u64::MAX;
    request.options.guided = guided;
    request.options.shrinking = 0;
    request.measure = true;
    inputs::find(&request, &control(time)).map(|answer| answer.branches).unwrap_or_default()
}

#[derive(Default)]
struct Totals {
    paths: u64,
    errors: u64,
    departures: u64,
    complete: u64,
    tests: Vec<String>,
}

fn by_paths(
    path: &Path,
    what: &str,
    time: Duration,
    directory: &Path,
    totals: &mut Totals,
) -> Vec<Branch> {
    let request = concolic::Request {
        max_paths: u64::MAX,
        ..concolic::Request::new(vec![path.to_owned()], what.to_owned())
    };
    let Ok(answer) = concolic::search(&request, &control(time)) else { return Vec::new() };
    totals.paths += answer.searched.paths;
    totals.errors += answer.errors.len() as u64;
    let departures = answer.searched.departures + answer.searched.wrong;
    if departures > 0 {
        println!("  {what}: {departures} departures");
    }
    totals.departures += departures;
    totals.complete += u64::from(answer.is_complete());
    let plain: String = what.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let module = format!("{plain}_paths");
    let text = report::concolic::tests(&module, what, &answer);
    std::fs::write(directory.join(format!("{module}.erl")), text).expect("a file");
    totals.tests.push(module);
    answer.branches
}

/// What the BEAM says to tests: how many there are, and those that come to something else.
fn on_the_beam(directory: &Path, modules: &[String]) -> Option<(usize, Vec<String>)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/beam/paths.escript");
    let output = Command::new("escript").arg(script).arg(directory).args(modules).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut wrong = Vec::new();
    let mut count = None;
    for line in text.lines() {
        if let Some(number) = line.strip_prefix("tests ") {
            count = number.parse().ok();
        } else if line.starts_with("wrong: ") {
            // Programs may print, too.
            wrong.push(line.to_owned());
        }
    }
    if count.is_none() {
        wrong.push(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Some((count.unwrap_or_default(), wrong))
}

#[test]
fn branches_of_modules_of_otp() {
    let seconds: Option<f64> =
        std::env::var("CONCOLIC_MODULES").ok().and_then(|text| text.parse().ok());
    let only = std::env::var("CONCOLIC_ONLY").unwrap_or_default();
    let is_wanted = |module: &&&str| match seconds {
        None => **module == "orddict",
        Some(_) => only.is_empty() || only.split(',').any(|other| other == **module),
    };
    let mut table = String::from(
        "| module | branches | blind | guided | concolic | paths | complete | tests | wrong |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    let (mut all_wrong, mut departures) = (Vec::new(), 0);
    for module in MODULES.iter().filter(is_wanted) {
        let Some(path) = source(module) else {
            println!("skipped: there is no source of {module}");
            continue;
        };
        let functions = functions(&path);
        let each = Duration::from_secs_f64(seconds.unwrap_or(2.0) / functions.len() as f64);
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("paths").join(module);
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).expect("a directory");
        let mut reached: [Reached; 3] = Default::default();
        let mut totals = Totals::default();
        for function in &functions {
            let what = format!("{module}:{function}");
            if seconds.is_some() {
                reached[0].add(module, &by_inputs(&path, &what, false, each));
                reached[1].add(module, &by_inputs(&path, &what, true, each));
            }
            reached[2].add(module, &by_paths(&path, &what, each, &directory, &mut totals));
        }
        let tests = on_the_beam(&directory, &totals.tests);
        let (count, wrong) = tests.unwrap_or_default();
        let _ = writeln!(
            table,
            "| {module} | {} | {} | {} | {} | {} | {} of {} | {count} | {} |",
            reached[2].all.len(),
            reached[0].reached.len(),
            reached[1].reached.len(),
            reached[2].reached.len(),
            totals.paths,
            totals.complete,
            functions.len(),
            wrong.len()
        );
        println!("{}", table.lines().last().unwrap_or_default());
        wrong.iter().take(5).for_each(|line| println!("  {line}"));
        all_wrong.extend(wrong);
        departures += totals.departures;
    }
    println!("{table}");
    assert_eq!(departures, 0);
    assert!(all_wrong.is_empty(), "{} tests say another thing on the BEAM", all_wrong.len());
}
