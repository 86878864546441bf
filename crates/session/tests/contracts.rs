//! Contracts that hold, and contracts with violations planted: programs in `tests/contracts` say in
//! lines such as `%! f(3): pre caller` which contract of a call does not hold and who is to blame;
//! or what the call returns, and then nothing may be told.

use std::path::{Path, PathBuf};

use session::run::{Ending, Ran, Request, run};
use session::{Contracting, Control, Running};

fn ran(path: &Path, call: &str) -> Ran {
    let request = Request {
        paths: vec![path.to_owned()],
        call: Some(call.to_owned()),
        keep_output: true,
        running: Running { contracts: Some(Contracting::default()), ..Running::default() },
        ..Request::default()
    };
    run(&request, &Control::default()).unwrap_or_else(|error| panic!("{call}: {error:?}"))
}

/// What became of a call: which contracts do not hold, or what it returned.
fn told(ran: &Ran) -> String {
    match (&ran.contracts[..], &ran.ending) {
        ([], Ending::Returned(value)) => value.split_whitespace().collect::<Vec<_>>().join(" "),
        ([], other) => format!("{other:?} {:?}", ran.problems),
        ([broken, ..], _) => format!("{} {}", broken.contract, broken.blame),
    }
}

#[test]
fn planted_violations_are_found_and_no_others() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contracts");
    let mut files: Vec<PathBuf> =
        dir.read_dir().expect("it is there").flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut complaints = Vec::new();
    let (mut planted, mut right) = (0, 0);
    for path in files {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let module = path.file_stem().and_then(|stem| stem.to_str()).expect("it has a name");
        for line in text.lines().filter_map(|line| line.strip_prefix("%! ")) {
            let (call, expected) = line.split_once("): ").expect("a call and what comes of it");
            let call = format!("{module}:{call})");
            let ran = ran(&path, &call);
            let told = told(&ran);
            match ran.contracts.is_empty() {
                true => right += 1,
                false => planted += 1,
            }
            if told != expected {
                complaints.push(format!("{call}: {told} instead of {expected}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(planted >= 60 && right >= 60, "{planted} planted, {right} right");
}
