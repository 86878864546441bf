//! The procedure of section 6.3 of the thesis: programs of its kinds, a value of each, and how many
//! nodes are left: of the static slice, when nothing can be deleted any more, and after it was
//! written in a simpler way. Every result is accepted by OTP's compiler, and is run on inputs that
//! were not used for deleting: how many of them show other values is told.
//!
//! By default a few of the lines of `minimal.txt` are run; all of them with
//! `ERLSCOPE_MINIMAL_FULL=1 cargo test -p session --test minimal_study -- --nocapture`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use session::minimal::{Answer, Minimal};
use session::slice::{Request, Target, slice};
use session::{Control, Reading};

/// Every how many lines of the study a test looks at by default.
const EVERY: usize = 6;

/// Inputs of each entry that the result is looked at with once more.
const FRESH: u64 = 300;

struct Studied {
    name: String,
    answer: Answer,
}

#[test]
fn programs_of_the_thesis() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let list = std::fs::read_to_string(tests.join("minimal.txt")).expect("a list");
    let all = std::env::var_os("ERLSCOPE_MINIMAL_FULL").is_some();
    let lines: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let chosen = lines.iter().enumerate().filter(|(nth, _)| all || nth % EVERY == 0);
    let studied: Vec<Studied> = chosen.map(|(_, line)| study(line)).collect();
    let mut sums = [0.0; 3];
    let (mut candidates, mut time) = (0, Duration::ZERO);
    let (mut reaching, mut differing, mut complete) = (0, 0, 0);
    for Studied { name, answer } in &studied {
        let nodes = answer.nodes;
        let share = |count: usize| 100.0 * count as f64 / nodes.program as f64;
        let shares = [nodes.slice, nodes.minimal, nodes.simplified.unwrap_or(nodes.minimal)];
        let shares = shares.map(share);
        sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        candidates += answer.candidates;
        time += answer.elapsed;
        reaching += answer.verified.reaching;
        differing += answer.verified.differing;
        complete += usize::from(answer.coverage.is_complete());
        println!(
            "{name}: {} nodes, {:.1} % static, {:.1} % minimal, {:.1} % simplified; {} inputs, \
             {} candidates in {:?}; {} of {} fresh inputs differ",
            nodes.program,
            shares[0],
            shares[1],
            shares[2],
            answer.calls.len(),
            answer.candidates,
            answer.elapsed,
            answer.verified.differing,
            answer.verified.reaching,
        );
        assert!(answer.is_minimal, "{name} is not minimal");
    }
    let mean = sums.map(|sum| sum / studied.len() as f64);
    println!(
        "{} programs: {:.2} % static, {:.2} % minimal, {:.2} % simplified; {candidates} candidates \
         in {time:?} ({:.3} ms each); {complete} with complete coverage; {differing} of \
         {reaching} fresh inputs differ",
        studied.len(),
        mean[0],
        mean[1],
        mean[2],
        time.as_secs_f64() * 1000.0 / candidates.max(1) as f64,
    );
    // Inputs are a sample: what no input shows is deleted.
    assert!(differing * 10 <= reaching, "other values");
    compiled_by_otp(&studied);
}

/// `program line column Variable`
fn study(line: &str) -> Studied {
    let parts: Vec<&str> = line.split_whitespace().collect();
    let [name, place, column, variable] = parts[..] else { panic!("{line}") };
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slice/tests/corpus");
    let target = Target {
        file: corpus.join(format!("{name}.erl")),
        line: place.parse().expect("a line"),
        column: Some(column.parse().expect("a column")),
        variable: Some(variable.to_owned()),
    };
    let reading = Reading { without_otp: true, ..Reading::default() };
    let minimal = Minimal { simplify: true, verify: FRESH, jobs: 0, ..Minimal::default() };
    let request = Request { minimal: Some(minimal), ..Request::backward(target, reading) };
    let answer = slice(&request, &Control::default(), |sliced| sliced.minimal.clone());
    let answer = answer.unwrap_or_else(|error| panic!("{line}: {error:?}"));
    Studied { name: line.to_owned(), answer: answer.expect("it was asked for") }
}

/// OTP's compiler accepts all results.
fn compiled_by_otp(studied: &[Studied]) {
    let erlc = Command::new("erlc").arg("-version").output();
    if erlc.is_err() || std::env::var_os("ERLSCOPE_NO_JUDGE").is_some() {
        println!("skipped: there is no erlc");
        return;
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("minimal_study");
    let mut files: Vec<PathBuf> = Vec::new();
    for (nth, Studied { answer, .. }) in studied.iter().enumerate() {
        let dir = root.join(nth.to_string());
        std::fs::create_dir_all(&dir).expect("a directory");
        for (module, text) in &answer.modules {
            let file = dir.join(format!("{module}.erl"));
            std::fs::write(&file, text).expect("a file");
            files.push(file);
        }
    }
    // Those of the same name overwrite each other: only whether they compile matters.
    let compiled = Command::new("erlc").arg("-o").arg(&root).args(&files).output();
    let compiled = compiled.expect("erlc runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stdout));
}
