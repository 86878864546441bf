//! Guided inputs against blind ones on functions that nobody wrote for this: modules of OTP's
//! library, read from their sources.
//!
//! `INPUTS_LIBRARY=1 cargo test -p session --test inputs_library -- --nocapture` prints the table
//! (some minutes). Of each module every few exported functions with arguments are taken; those of
//! which blind inputs leave no branch open are too easy to say anything, and are only counted.
//! `INPUTS_RUNS` and `INPUTS_EVERY` change how many inputs and how many functions,
//! `INPUTS_FROM` with which function of a module it begins.
//!
//! Where `erl` finds PropEr (`ERL_LIBS`), its plain generators make as many arguments from the same
//! specs (`inputs_judge.erl`), which are run here, too. Arguments with funs and processes cannot be
//! written down: functions that take such are compared without it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use session::inputs::{Request, What, find};
use session::{Control, Reading, Running};

/// What makes arguments with PropEr.
const JUDGE: &str = include_str!("inputs_judge.erl");

const MODULES: &[&str] = &[
    "array",
    "base64",
    "calendar",
    "dict",
    "erl_scan",
    "filename",
    "gb_sets",
    "gb_trees",
    "io_lib",
    "orddict",
    "proplists",
    "queue",
    "sofs",
    "string",
    "uri_string",
    "zip",
];

fn number(name: &str, other: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
}

/// Where the sources of the library are.
fn sources() -> Option<PathBuf> {
    let ask = "io:put_chars(code:lib_dir(stdlib)), halt().";
    let output = Command::new("erl").args(["-noshell", "-eval", ask]).output().ok()?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).into_owned()).join("src");
    path.is_dir().then_some(path)
}

/// Branches that are reached, and all.
fn measured(request: &Request, guided: bool) -> Option<(usize, usize)> {
    let mut request = request.clone();
    request.options.guided = guided;
    let answer = find(&request, &Control::default()).ok()?;
    Some((answer.branches.iter().filter(|branch| branch.reached).count(), answer.branches.len()))
}

/// The exported functions of a module that take something.
fn functions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split("-export([").skip(1) {
        let list = part.split("])").next().unwrap_or_default();
        let without_comments: String =
            list.lines().map(|line| line.split('%').next().unwrap_or_default()).collect();
        for name in without_comments.split(',').map(str::trim) {
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_/".contains(c));
            if plain && name.contains('/') && !name.ends_with("/0") {
                found.push(name.to_owned());
            }
        }
    }
    found
}

/// What PropEr makes, function by function, in a directory.
struct Peer(PathBuf);

impl Peer {
    /// None if there is no PropEr.
    fn new(functions: &[String], runs: u64) -> Option<Peer> {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("inputs_library");
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).ok()?;
        let source = directory.join("inputs_judge.erl");
        fs::write(&source, JUDGE).ok()?;
        let compiled = Command::new("erlc").arg("-o").arg(&directory).arg(&source).status();
        compiled.ok().filter(ExitStatus::success)?;
        let mut arguments = vec![directory.display().to_string(), runs.to_string()];
        arguments.extend(functions.iter().cloned());
        let quoted: Vec<String> = arguments.iter().map(|text| format!("{text:?}")).collect();
        let call = format!(
            "{{module, _}} = code:ensure_loaded(proper), inputs_judge:main([{}]), halt().",
            quoted.join(", ")
        );
        let mut erl = Command::new("erl");
        erl.args(["-noshell", "-pa"]).arg(&directory).args(["-eval", &call]);
        // What it could make until it ended counts.
        erl.output().ok()?;
        let mut files = fs::read_dir(&directory).ok()?.filter_map(Result::ok);
        let has_made = files.any(|file| file.path().extension().is_some_and(|end| end == "txt"));
        has_made.then_some(Peer(directory))
    }

    /// Branches that its arguments for a function reach; none if they cannot all be written down.
    fn reached(&self, request: &Request, name: &str, runs: u64) -> Option<usize> {
        let stem = name.replace([':', '/'], "-");
        let text = fs::read_to_string(self.0.join(format!("{stem}.txt"))).ok()?;
        let corpus = self.0.join(stem);
        fs::create_dir_all(&corpus).ok()?;
        let mut count = 0;
        for (number, line) in text.lines().enumerate() {
            if ["#Fun<", "#Ref<", "#Port<", "<0."].iter().any(|mark| line.contains(mark)) {
                return None;
            }
            // Arguments are a tuple here.
            let inside = line.strip_prefix('[')?.strip_suffix(']')?;
            let file = corpus.join(format!("{number:06}.input"));
            fs::write(file, format!("{{{inside}}}.\n")).ok()?;
            count += 1;
        }
        let mut request = request.clone();
        request.corpus = Some(corpus);
        request.options.runs = 0;
        (count == runs).then_some(())?;
        Some(measured(&request, false)?.0)
    }
}

/// What was measured of a function.
struct Row {
    all: usize,
    blind: usize,
    guided: usize,
    peer: Option<usize>,
}

/// How many times as many branches one leaves open as the other. None at all counts as one half of
/// a branch.
fn left_open(all: usize, reached: usize, by_guided: usize) -> f64 {
    (all - reached) as f64 / ((all - by_guided) as f64).max(0.5)
}

fn mean(of: impl Iterator<Item = f64>) -> f64 {
    let all: Vec<f64> = of.collect();
    all.iter().sum::<f64>() / all.len().max(1) as f64
}

#[test]
fn guided_inputs_reach_more_of_a_library() {
    if std::env::var_os("INPUTS_LIBRARY").is_none() {
        println!("skipped: INPUTS_LIBRARY is not set");
        return;
    }
    let Some(sources) = sources() else { return println!("skipped: no sources of OTP") };
    let (runs, every) = (number("INPUTS_RUNS", 500), number("INPUTS_EVERY", 4) as usize);
    let from = number("INPUTS_FROM", 0) as usize;
    let mut wanted: Vec<(PathBuf, String)> = Vec::new();
    for module in MODULES {
        let path = sources.join(format!("{module}.erl"));
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let all = functions(&text);
        let some = all.iter().skip(from).step_by(every);
        wanted.extend(some.map(|function| (path.clone(), format!("{module}:{function}"))));
    }
    let names: Vec<String> = wanted.iter().map(|wanted| wanted.1.clone()).collect();
    let peer = Peer::new(&names, runs);
    println!("{:<32} {:>8} {:>6} {:>6} {:>6}", "function", "branches", "PropEr", "blind", "guided");
    let (mut easy, mut rows) = (0, Vec::new());
    for (path, name) in wanted {
        let mut request = Request {
            reading: Reading::default(),
            running: Running { max_steps: Some(20_000), ..Running::default() },
            measure: true,
            ..Request::new(vec![path], What::Function(name.clone()))
        };
        request.options.runs = runs;
        request.options.shrinking = 0;
        let Some((blind, all)) = measured(&request, false) else { continue };
        if blind == all {
            easy += 1;
            continue;
        }
        let Some((guided, _)) = measured(&request, true) else { continue };
        let theirs = peer.as_ref().and_then(|peer| peer.reached(&request, &name, runs));
        let shown = theirs.map_or("-".to_owned(), |reached| reached.to_string());
        println!("{name:<32} {all:>8} {shown:>6} {blind:>6} {guided:>6}");
        rows.push(Row { all, blind, guided, peer: theirs });
    }
    let less = mean(rows.iter().map(|row| left_open(row.all, row.blind, row.guided)));
    let more = rows.iter().filter(|row| row.guided > row.blind).count();
    let fewer = rows.iter().filter(|row| row.guided < row.blind).count();
    println!(
        "{} functions ({easy} others are too easy), {runs} runs each: blind inputs leave {less:.2} \
         times as many branches open as guided ones in the mean; guided ones reach more in {more}, \
         fewer in {fewer}",
        rows.len()
    );
    let with: Vec<(&Row, usize)> = rows.iter().filter_map(|row| Some((row, row.peer?))).collect();
    let less_than_peer = mean(with.iter().map(|(row, peer)| left_open(row.all, *peer, row.guided)));
    let at_least = with.iter().filter(|(row, peer)| row.guided >= *peer).count();
    println!(
        "{} functions with PropEr's arguments: guided inputs reach at least as much in {at_least}; \
         PropEr's leave {less_than_peer:.2} times as many branches open in the mean",
        with.len()
    );
    assert!(rows.len() - fewer >= 30 && less >= 1.3);
    assert!(with.is_empty() || at_least >= 30.min(with.len()));
}
