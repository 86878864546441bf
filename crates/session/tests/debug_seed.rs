//! The example of the paper on debugging concurrent Erlang programs (its section 3): connections in
//! three steps, with each of its two faults, and one that blocks. The verdict is the paper's, with
//! not more questions than in its transcripts (where choosing the process or event counts as one).

use std::path::{Path, PathBuf};

use session::Control;
use session::debug::{
    Answer, Debugged, Next, NodeIx, Reference, Request, Search, Strategy, record,
};

const RIGHT: &str = "tests/handshake/handshake.erl";

fn right() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(RIGHT)
}

/// The run of the program with something else in the place of some text.
fn wrong(name: &str, old: &str, new: &str) -> (Debugged, Request) {
    let text = std::fs::read_to_string(right()).expect("the program");
    assert_eq!(text.matches(old).count(), 1, "{old}");
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("debug_seed").join(name);
    std::fs::create_dir_all(&root).expect("a directory");
    let path = root.join("handshake.erl");
    std::fs::write(&path, text.replace(old, new)).expect("a file");
    let call = Some("handshake:main()".to_owned());
    let request = Request { paths: vec![path], call, ..Request::default() };
    (record(&request, &Control::default()).expect("a run"), request)
}

/// What is to blame (function, and the line of the receive or function), and after how many
/// questions.
fn blamed(debugged: &Debugged, request: &Request, strategy: Strategy) -> (String, u32, usize) {
    let control = Control::default();
    let reference = Reference::open(&[right()], request, &control).expect("a reference");
    let mut search = Search::new(debugged.shape(), strategy);
    debugged.begin_with(&reference, &mut search, &control).expect("a run");
    let mut questions = 0;
    let node: NodeIx = loop {
        match search.next() {
            Next::Confirm(node) => search.answer(node, Answer::Wrong).expect("no contradiction"),
            Next::Ask(node) => {
                let answer = debugged.judged(&reference, node);
                questions += usize::from(answer.is_some());
                let answer = answer.unwrap_or(Answer::DontKnow);
                search.answer(node, answer).expect("no contradiction");
            }
            Next::Buggy(node) | Next::Piece(node) => break node,
            other => {
                let Next::Open(nodes) = &other else { panic!("{other:?}") };
                let asked = nodes.iter().filter_map(|node| debugged.question(*node));
                panic!("{:#?}", asked.collect::<Vec<_>>());
            }
        }
    };
    let verdict = debugged.verdict(node).expect("a statement");
    let place = verdict.source.and_then(|source| source.place()).expect("a place");
    (verdict.question.function, place.line, questions)
}

const STRATEGIES: [Strategy; 3] = [Strategy::Informed, Strategy::DivideAndQuery, Strategy::TopDown];

#[test]
fn the_server_ends_after_a_closed_port() {
    let old = "Client ! refused,\n            serve(Main, Port, Number + 1)";
    let (debugged, request) = wrong("ends", old, "Client ! refused");
    for strategy in STRATEGIES {
        let (function, line, questions) = blamed(&debugged, &request, strategy);
        assert_eq!((function.as_str(), line), ("handshake:serve/3", 18), "{strategy:?}");
        assert!(strategy != Strategy::Informed || questions <= 3, "{questions}");
    }
}

#[test]
fn the_client_confirms_in_the_wrong_order() {
    let (old, new) = ("{ack, Port, Theirs + 1, Ours}", "{Ours, Port, Theirs + 1, ack}");
    let (debugged, request) = wrong("order", old, new);
    for strategy in STRATEGIES {
        let (function, line, questions) = blamed(&debugged, &request, strategy);
        assert_eq!((function.as_str(), line), ("handshake:accepted/3", 42), "{strategy:?}");
        assert!(strategy != Strategy::Informed || questions <= 5, "{questions}");
    }
}

#[test]
fn a_receive_fails_erroneously() {
    let (debugged, request) =
        wrong("fails", "{Confirm, {syn_ack, Ours, Theirs}}", "{Confirm, {ack, Ours, Theirs}}");
    for strategy in STRATEGIES {
        let (function, _, _) = blamed(&debugged, &request, strategy);
        assert_eq!(function, "handshake:accepted/3", "{strategy:?}");
    }
}
