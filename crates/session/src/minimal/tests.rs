//! A result is minimal: every single deletion of it is tried, one by one and without any of what
//! makes the search fast, and none shows the values of the original.

use std::path::Path;

use ::flow::Entry;
use ::slice::{Graph, Options as Slicing};
use program::LoadOptions;

use super::*;

/// Programs of the slicer's tests, and a value of each.
const CASES: &[(&str, u32, &str)] = &[
    ("dead_code", 44, "A"),
    ("boat_trip", 16, "Log"),
    ("chemical_elements", 35, "Z"),
    ("ets_by_key", 15, "Left"),
    ("handled_badmatch", 32, "X"),
    ("gen_server_account", 36, "S"),
];

#[test]
fn no_single_part_can_go() {
    for (name, line, variable) in CASES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slice/tests/corpus");
        let paths = [path.join(format!("{name}.erl"))];
        let options = LoadOptions { without_otp: true, ..LoadOptions::default() };
        let program = Arc::new(Program::load(&paths, &options).expect("no OTP is asked for"));
        let flow = ::flow::analyse(&program, &Entry::Exported).expect("the entry is there");
        let graph = Graph::build(&program, &flow, Slicing::default());
        let mut criterion = ::slice::Criterion::new(Atom::new(name), *line, variable);
        criterion.occurrence = Some(1);
        let criteria = [graph.find(&criterion).expect("a variable")];
        let slice = graph.backward(&criteria);
        let (running, reading) = (Running::default(), Reading::default());
        let subject = Subject {
            program: &program,
            flow: &flow,
            slice: &slice,
            criteria: &criteria,
            paths: &paths,
            running: &running,
            reading: &reading,
        };
        let asked = Minimal { jobs: 2, verify: 100, ..Minimal::default() };
        let control = Control::default();
        let answer = of(&asked, &subject, &control).expect("a minimal slice");
        assert!(answer.is_minimal && answer.nodes.minimal <= answer.nodes.slice, "{name}");
        assert_eq!(answer.verified.differing, 0, "{name}: {answer:?}");
        let one = of(&Minimal { jobs: 1, ..asked.clone() }, &subject, &control);
        assert_eq!(one.expect("the same").modules, answer.modules, "{name}: threads count");
        try_every_deletion(&answer, &subject);
    }
}

fn try_every_deletion(answer: &Answer, subject: &Subject<'_>) {
    let control = Control::default();
    let clock = Clock::new(&control, None);
    let recipe = Recipe::new(subject.program, subject.paths, subject.running, subject.reading);
    let recipe = recipe.expect("a recipe");
    let counts = Counts::default();
    let units = subject.flow.modules.iter().map(|module| subject.unit(module.name));
    let units = units.collect::<Result<Vec<_>, Error>>().expect("units");
    let mut shared = Shared::new(&recipe, units, &clock, &counts);
    let original = subject.original();
    let mut plain = Bench::new(&recipe, false).expect("a node");
    plain.load(&judge::versions(&original).expect("a program"));
    let calls = answer.calls.iter().map(|call| gather::call_of(call).expect("a call"));
    shared.cases = cases(&mut plain, calls.collect());
    assert_eq!(shared.cases.len(), answer.calls.len());
    let mut worker = Worker::new(&shared).expect("a node");
    let text = &answer.modules[0].1;
    let tree = shared.read(0, text).expect("a module");
    let kept = answer.criteria.iter().map(|&(_, from, to)| (from, to)).collect::<Vec<_>>();
    let edits = deletions(&tree, 0, &kept);
    let whole = Text { name: original[0].name, text: text.clone(), tree, kept };
    let program = judge::versions(std::slice::from_ref(&whole)).expect("a program");
    assert!(worker.shows(&program), "other values:\n{text}");
    for edit in edits {
        let is_wrong = worker.accepts(std::slice::from_ref(&whole), &edit);
        assert!(!is_wrong, "can go: {edit:?}\n{text}");
    }
}
