//! Programs that are changed in one place, debugged with the program as it was as the only one who
//! answers: the verdict is the function that was changed.
//!
//! A change is another number, another comparison or operator, or another truth value. Only those
//! count that change what the program gives. Where the reference cannot tell (what funs do, and
//! processes) the search may end with several that are open: the changed one must be among them.

use std::path::{Path, PathBuf};

use session::debug::{Answer, Debugged, Next, Reference, Request, Search, Strategy, record};
use session::run::Ending;
use session::{Control, Reading, Running};

/// What is put in the place of what, outside of texts and comments.
const CHANGES: &[(&str, &str)] = &[
    (" =< ", " < "),
    (" >= ", " > "),
    (" < ", " =< "),
    (" > ", " >= "),
    (" =:= ", " =/= "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" div ", " rem "),
    (" rem ", " div "),
    ("true ->", "false ->"),
    ("-> false", "-> true"),
    ("[]", "[x]"),
    (" ++ ", " -- "),
];

/// Every so many mutants are tried; all with `DEBUG_FULL=1`.
fn step() -> usize {
    if std::env::var_os("DEBUG_FULL").is_some() { 1 } else { 3 }
}

struct Mutant {
    text: String,
    line: u32,
}

/// Every way to change a program once.
fn mutants(text: &str) -> Vec<Mutant> {
    let mut found = Vec::new();
    let mut start = 0;
    for (number, line) in text.lines().enumerate() {
        let mut add = |at: usize, old: usize, new: &str| {
            let at = start + at;
            let changed = format!("{}{new}{}", &text[..at], &text[at + old..]);
            found.push(Mutant { text: changed, line: number as u32 + 1 });
        };
        if !line.starts_with('-') && !line.contains("main()") && !line.contains('"') {
            for (old, new) in CHANGES {
                line.match_indices(old).for_each(|(at, _)| add(at, old.len(), new));
            }
            for (at, digit) in line.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
                let before = line[..at].chars().next_back();
                let is_number = !before.is_some_and(|c| c.is_alphanumeric() || "_$".contains(c));
                if is_number && digit != '9' {
                    add(at, 1, &(digit as u8 + 1 - b'0').to_string());
                }
            }
        }
        start += line.len() + 1;
    }
    found
}

fn request(path: &Path, call: &str) -> Request {
    let running = Running { max_steps: Some(300_000), ..Running::default() };
    let (paths, call) = (vec![path.to_owned()], Some(call.to_owned()));
    Request { paths, call, running, ..Request::default() }
}

/// What a run came to, as far as it can be compared.
fn outcome(debugged: &Debugged) -> Option<String> {
    match debugged.ending.as_ref()? {
        Ending::Returned(value) => Some(value.clone()),
        Ending::Raised(raised) => Some(raised.exception.reason.clone()),
        _ => None,
    }
}

#[derive(Default, Debug, PartialEq)]
struct Tally {
    exact: usize,
    open: usize,
    wrong: Vec<String>,
    questions: [usize; 3],
}

const STRATEGIES: [Strategy; 3] = [Strategy::Informed, Strategy::DivideAndQuery, Strategy::TopDown];

fn debug(debugged: &Debugged, reference: &Reference, line: u32, about: &str, tally: &mut Tally) {
    for (at, strategy) in STRATEGIES.into_iter().enumerate() {
        let mut search = Search::new(debugged.shape(), strategy);
        let next = loop {
            match search.next() {
                Next::Ask(node) => {
                    tally.questions[at] += 1;
                    let answer = debugged.judged(reference, node).unwrap_or(Answer::DontKnow);
                    search.answer(node, answer).expect("a reference does not contradict itself");
                }
                other => break other,
            }
        };
        let blamed = match next {
            Next::Buggy(node) => vec![node],
            Next::Open(nodes) => nodes,
            Next::Fine | Next::Ask(_) => Vec::new(),
        };
        let holds = |node: &session::debug::NodeIx| {
            let place = debugged.question(*node).and_then(|question| question.place);
            place.is_some_and(|place| place.line <= line && line <= place.end_line)
        };
        match (blamed.iter().any(holds), blamed.len()) {
            (true, 1) => tally.exact += 1,
            (true, _) => tally.open += 1,
            (false, _) => tally.wrong.push(format!("{strategy:?} {about}")),
        }
    }
}

#[test]
fn the_changed_function_is_blamed() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("debug_mutants");
    std::fs::create_dir_all(&root).expect("a directory");
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/debugged");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(programs)
        .expect("programs")
        .map(|entry| entry.expect("a program").path())
        .collect();
    paths.sort();
    let control = Control::default();
    let mut tally = Tally::default();
    for path in paths {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let call = format!("{name}:main()");
        let right = outcome(&record(&request(&path, &call), &control).expect("a run"));
        let running = Running::default();
        let reference = Reference::open(std::slice::from_ref(&path), &running, &Reading::default());
        let reference = reference.expect("a reference");
        let text = std::fs::read_to_string(&path).expect("a text");
        for mutant in mutants(&text).into_iter().step_by(step()) {
            let changed = root.join(format!("{name}.erl"));
            std::fs::write(&changed, &mutant.text).expect("a file");
            let Ok(debugged) = record(&request(&changed, &call), &control) else { continue };
            let wrong = outcome(&debugged);
            if wrong.is_none() || wrong == right || debugged.shape().is_empty() {
                continue;
            }
            let shown = mutant.text.lines().nth(mutant.line as usize - 1).unwrap_or_default();
            let about = format!("{name}.erl:{}: {shown}", mutant.line);
            debug(&debugged, &reference, mutant.line, &about, &mut tally);
        }
    }
    let Tally { exact, open, wrong, questions } = &tally;
    println!("verdicts: {exact} exact, {open} open, {} wrong", wrong.len());
    println!(
        "questions: informed {}, divide and query {}, top-down {}",
        questions[0], questions[1], questions[2]
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(*exact > 30, "{exact}");
}
