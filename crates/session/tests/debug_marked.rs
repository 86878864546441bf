//! Programs with marked faults: `«right¦wrong»`. Each fault by itself is put into its program, and
//! debugged with the right program as the only one who answers: the verdict is the function or
//! `receive` that holds the fault, and the place in it is the fault.
//!
//! Some faults of each program are taken; `DEBUG_FULL=1` takes all, with all strategies.

use std::path::{Path, PathBuf};

use session::debug::{
    Answer, Debugged, Next, NodeIx, Reference, Request, Search, Strategy, record,
};
use session::run::Ending;
use session::{Control, Running};

/// A program with one of its faults, and where that is: lines and columns.
struct Faulty {
    text: String,
    at: (u32, u32),
    end: (u32, u32),
}

/// The text with the `wrong`-th fault, if there is such a one.
fn faulty(marked: &str, wrong: Option<usize>) -> Faulty {
    let (mut text, mut at, mut end) = (String::new(), (0, 0), (0, 0));
    let mut parts = marked.split('«');
    text.push_str(parts.next().unwrap_or_default());
    for (number, part) in parts.enumerate() {
        let (marks, rest) = part.split_once('»').expect("a mark that ends");
        let (right, other) = marks.split_once('¦').expect("two versions");
        if wrong == Some(number) {
            at = place(&text);
            text.push_str(other);
            end = place(&text);
        } else {
            text.push_str(right);
        }
        text.push_str(rest);
    }
    Faulty { text, at, end }
}

/// Line and column of the end of a text.
fn place(text: &str) -> (u32, u32) {
    let last = text.rsplit('\n').next().unwrap_or_default();
    (text.matches('\n').count() as u32 + 1, last.chars().count() as u32 + 1)
}

fn request(path: &Path, call: &str) -> Request {
    let running = Running { max_steps: Some(100_000), ..Running::default() };
    let (paths, call) = (vec![path.to_owned()], Some(call.to_owned()));
    Request { paths, call, running, ..Request::default() }
}

/// What a run came to, without lines.
fn outcome(debugged: &Debugged) -> String {
    match debugged.ending.as_ref() {
        Some(Ending::Returned(value)) => value.clone(),
        Some(Ending::Raised(raised)) => raised.exception.reason.clone(),
        Some(other) => session::run::summary(other),
        None => String::new(),
    }
}

/// What came out of a search: the node that is to blame, or why there is none.
fn blamed(
    debugged: &Debugged,
    reference: &Reference,
    strategy: Strategy,
) -> Result<(NodeIx, bool), String> {
    let control = Control::default();
    let mut search = Search::new(debugged.shape(), strategy);
    debugged.begin_with(reference, &mut search, &control).expect("a run");
    let mut piece = None;
    loop {
        match search.next() {
            Next::Confirm(node) => search.answer(node, Answer::Wrong).expect("no contradiction"),
            Next::Ask(node) => {
                let answer = debugged.judged(reference, node).unwrap_or(Answer::DontKnow);
                search.answer(node, answer).expect("no contradiction");
                if answer == Answer::Wrong {
                    let part = debugged.should_give_as(reference, &mut search, node, &control);
                    part.expect("a run");
                }
            }
            Next::Buggy(node) => return Ok((node, true)),
            Next::Piece(node) => {
                piece = Some(node);
                search.narrow();
            }
            Next::Open(nodes) => {
                if let Some(node) = debugged.settled_by(reference, &nodes) {
                    return Ok((node, true));
                }
                // The piece is known, if not the call in which it is wrong.
                let said = nodes.iter().filter_map(|node| debugged.question(*node));
                let text = |question: session::debug::Question| {
                    format!("{} {:?}", question.call, question.outcome)
                };
                let why = || format!("open: {}", said.map(text).collect::<Vec<_>>().join("; "));
                return piece.map(|node| (node, false)).ok_or_else(why);
            }
            Next::Fine => return Err("nothing is wrong".to_owned()),
        }
    }
}

fn check(faulty: &Faulty, path: &Path, call: &str, reference: &Reference) -> Result<(), String> {
    let control = Control::default();
    let debugged = record(&request(path, call), &control).expect("a run");
    let all = [Strategy::Informed, Strategy::DivideAndQuery, Strategy::TopDown];
    for strategy in &all[..if is_full() { 3 } else { 1 }] {
        let (node, is_known) = blamed(&debugged, reference, *strategy)
            .map_err(|why| format!("{strategy:?}: {why}"))?;
        let zoom = is_known.then(|| debugged.zoom(node, &control).expect("a run")).flatten();
        let traced = zoom
            .and_then(|zoom| debugged.traced_by(reference, &zoom, node, &control).expect("a run"));
        let (node, zoomed) = match traced {
            Some((node, zoomed)) => (node, Some(zoomed)),
            None => (node, None),
        };
        let verdict = debugged.verdict(node).expect("a statement").zoomed(zoomed);
        let place = verdict.source.as_ref().and_then(|source| source.place()).expect("a place");
        if faulty.at.0 < place.line || faulty.at.0 > place.end_line {
            let function = &verdict.question.function;
            return Err(format!("{strategy:?}: {function} {}-{}", place.line, place.end_line));
        }
        let place = verdict.zoomed.as_ref().and_then(|zoomed| zoomed.source.place());
        let place = place.ok_or_else(|| format!("{strategy:?}: no place inside"))?;
        let (start, end) = ((place.line, place.column), (place.end_line, place.end_column));
        if faulty.end < start || faulty.at > end {
            return Err(format!("{strategy:?}: astray at {start:?}-{end:?}"));
        }
    }
    Ok(())
}

fn is_full() -> bool {
    std::env::var_os("DEBUG_FULL").is_some()
}

#[test]
fn marked_faults_are_found() {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/marked");
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("debug_marked");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(all).expect("programs").map(|entry| entry.expect("one").path()).collect();
    files.sort();
    let only = std::env::var("DEBUG_ONLY").unwrap_or_default();
    let (mut tried, mut wrong) = (0, Vec::new());
    for (number, file) in files.iter().enumerate() {
        let marked = std::fs::read_to_string(file).expect("a program");
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
        if !name.starts_with(&only) {
            continue;
        }
        let call = format!("{name}:main()");
        let write = |directory: &str, text: &str| {
            let directory = root.join(directory);
            std::fs::create_dir_all(&directory).expect("a directory");
            let path = directory.join(format!("{name}.erl"));
            std::fs::write(&path, text).expect("a file");
            path
        };
        let right = write("right", &faulty(&marked, None).text);
        let right_request = request(&right, &call);
        let good = outcome(&record(&right_request, &Control::default()).expect("a run"));
        let faults = marked.matches('«').count();
        let is_taken = |fault: &usize| is_full() || !only.is_empty() || fault % 12 == number % 12;
        for fault in (0..faults).filter(is_taken) {
            let faulty = faulty(&marked, Some(fault));
            let path = write("wrong", &faulty.text);
            let wrong_request = request(&path, &call);
            let bad = outcome(&record(&wrong_request, &Control::default()).expect("a run"));
            if good == bad {
                wrong.push(format!("{name}: fault {fault} does not show"));
                continue;
            }
            let reference =
                Reference::open(std::slice::from_ref(&right), &wrong_request, &Control::default());
            tried += 1;
            if let Err(why) = check(&faulty, &path, &call, &reference.expect("a reference")) {
                let line = faulty.text.lines().nth(faulty.at.0 as usize - 1).unwrap_or_default();
                wrong.push(format!("{name}:{}: {}\n    {why}", faulty.at.0, line.trim()));
            }
        }
    }
    println!("{tried} faults, {} not found", wrong.len());
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}
