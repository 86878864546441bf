//! Contracts that are suggested: those that stand behind `%!` in the program of
//! `tests/contracts_suggested` and no others; and what is suggested holds when the same is run with
//! it declared.

use std::path::{Path, PathBuf};

use session::contracts::suggest::{Request, Suggested, suggest};
use session::run::{self, Ending};
use session::{Contracting, Control, Reading, Running};

const CALLS: [&str; 2] = [
    "suggested:main()",
    "suggested:run(lists:append(lists:duplicate(8, [take,take,take,take,give,give,give,give])))",
];

fn suggested(path: &Path) -> Vec<Suggested> {
    let request = Request {
        paths: vec![path.to_owned()],
        calls: CALLS.map(str::to_owned).to_vec(),
        tests: false,
        inputs: 200,
        support: 10,
        running: Running::default(),
        reading: Reading::default(),
    };
    suggest(&request, &Control::default()).expect("it can be run").suggested
}

#[test]
fn what_holds_is_suggested() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contracts_suggested/suggested.erl");
    let text = std::fs::read_to_string(&path).expect("it can be read");
    let suggested = suggested(&path);
    let mut found: Vec<&str> = suggested.iter().map(|one| one.text.as_str()).collect();
    found.sort_unstable();
    let mut expected: Vec<&str> = text.lines().filter_map(|it| it.strip_prefix("%! ")).collect();
    expected.sort_unstable();
    assert_eq!(found.join("\n"), expected.join("\n"));

    let module = "-module(suggested).\n";
    let declared = text.replace(module, &format!("{module}{}\n", found.join("\n")));
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contracts_suggested");
    std::fs::create_dir_all(&dir).expect("a directory");
    let copy = dir.join("suggested.erl");
    std::fs::write(&copy, declared).expect("a file");
    for call in CALLS {
        let request = run::Request {
            paths: vec![copy.clone()],
            call: Some(call.to_owned()),
            keep_output: true,
            running: Running { contracts: Some(Contracting::default()), ..Running::default() },
            ..run::Request::default()
        };
        let ran = run::run(&request, &Control::default()).expect("it runs");
        assert!(ran.contracts.is_empty(), "{call}: {:?}", ran.contracts);
        assert!(matches!(ran.ending, Ending::Returned(_)), "{call}: {:?}", ran.ending);
    }
}
