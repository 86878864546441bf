//! The engine: what it keeps, in which order it asks, what it leaves out; the corpus as files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;

use inputs::engine::{Answer, Engine, Options, Reached};
use inputs::{Constants, Input, Shape, calls, corpus, text};
use types::Type;

fn engine(args: Vec<Type>, options: Options) -> Engine {
    Engine::new(vec![Shape::of_args(args)], Rc::new(Constants::none()), options).expect("values")
}

/// A program as a closure: one more goal for every leading 7, and a failure behind five of them.
fn sevens(input: &Input) -> Reached {
    let Input::Tuple(args) = input else { return Reached::default() };
    let Input::List(elements, _) = &args[0] else { return Reached::default() };
    let leading = elements.iter().take_while(|e| **e == Input::integer(7)).count().min(5);
    let failure = (leading == 5).then(|| "five sevens".to_owned());
    Reached { goals: (0..=leading as u32).collect(), hints: Vec::new(), failure }
}

fn look_for_sevens(seed: u64, guided: bool) -> Answer {
    let options = Options { seed, runs: 4000, guided, ..Options::default() };
    let args = vec![Type::list(Type::integer())];
    engine(args, options).run(&[], &mut |input| Some(sevens(input)))
}

#[test]
fn what_is_reached_leads_on() {
    let guided = look_for_sevens(1, true);
    assert_eq!(guided.goals.len(), 6, "{:?}", guided.history);
    assert_eq!(guided.failures.len(), 1);
    assert_eq!(guided.failures[0].input.to_string(), "{[7, 7, 7, 7, 7]}");
    assert!(guided.failures[0].is_minimal);
    // One input reaches everything, so one is kept.
    assert_eq!(guided.kept.len(), 1);
    assert_eq!(guided.kept[0].goals, [0, 1, 2, 3, 4, 5]);
    let blind = look_for_sevens(1, false);
    assert!(blind.goals.len() < 6, "{:?}", blind.history);
}

#[test]
fn equal_seeds_ask_for_equal_inputs() {
    let asked = |seed: u64| -> Vec<String> {
        let mut asked = Vec::new();
        let options = Options { seed, runs: 300, ..Options::default() };
        engine(vec![Type::list(Type::integer())], options).run(&[], &mut |input| {
            asked.push(input.to_string());
            Some(sevens(input))
        });
        asked
    };
    assert_eq!(asked(3), asked(3));
    assert_ne!(asked(3), asked(4));
}

#[test]
fn the_work_ends_when_it_is_said_and_when_there_is_nothing_left() {
    let mut left = 10;
    let answer = engine(vec![Type::integer()], Options::default()).run(&[], &mut |_| {
        left -= 1;
        (left >= 0).then(Reached::default)
    });
    assert_eq!(answer.runs, 10);
    let mut seen = BTreeSet::new();
    let answer = engine(vec![Type::boolean()], Options::default()).run(&[], &mut |input| {
        assert!(seen.insert(input.to_string()), "{input} again");
        Some(Reached::default())
    });
    assert_eq!((answer.runs, answer.exhausted), (2, true));
    let none = Engine::new(
        vec![Shape::of_args(vec![Type::None])],
        Rc::new(Constants::none()),
        Options::default(),
    );
    assert_eq!(none.expect_err("no value").to_string(), "there is no value of type none()");
}

#[test]
fn a_corpus_is_kept_as_files() {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("corpus");
    let _ = std::fs::remove_dir_all(&dir);
    assert_eq!(corpus::load(&dir).expect("nothing"), (Vec::new(), Vec::new()));
    let value = |text: &str| text::read(text).expect("a value");
    let first = [value("{a, \"text\"}"), value("fun(1) -> a; (_) -> b end"), value("-0.0")];
    corpus::save(&dir, &first).expect("saved");
    std::fs::write(dir.join("wrong.input"), "{a,").expect("a file");
    std::fs::write(dir.join("README"), "mine").expect("a file");
    let (loaded, wrong) = corpus::load(&dir).expect("loaded");
    let sorted = |inputs: &[Input]| inputs.iter().cloned().collect::<BTreeSet<_>>();
    assert_eq!(sorted(&loaded), sorted(&first));
    assert_eq!(wrong.len(), 1);
    // Known inputs are run first, and what is not needed any more goes.
    let options = Options { runs: 1, ..Options::default() };
    let mut asked = Vec::new();
    engine(vec![Type::Any], options).run(&[value("{nobody}")], &mut |input| {
        asked.push(input.to_string());
        Some(Reached::default())
    });
    assert_eq!(asked, ["{nobody}"]);
    corpus::save(&dir, &first[..1]).expect("saved");
    assert_eq!(corpus::load(&dir).expect("loaded").0, first[..1]);
    assert!(dir.join("README").exists() && dir.join("wrong.input").exists());
}

#[test]
fn sequences_of_calls_are_inputs() {
    let atom = atom::Atom::new;
    let functions = [
        calls::Function { name: atom("new"), args: vec![], result: Type::reference() },
        calls::Function {
            name: atom("put"),
            args: vec![Type::reference(), Type::integer()],
            result: Type::the_atom(atom("ok")),
        },
    ];
    let ty = calls::sequences(&functions);
    let sequence = text::read("[{new}, {put, {'$result', 1}, 5}]").expect("a value");
    assert!(sequence.is_of(&ty), "{ty}");
    let lines = calls::to_text(atom("m"), "{ok, S} = m:start()", &sequence);
    assert_eq!(lines, "{ok, S} = m:start(),\nR1 = m:new(),\nm:put(R1, 5)");
    // Three puts into what was made before: a bug that needs a sequence.
    let fails = |input: &Input| {
        let calls = calls::calls(input);
        let is_made = |place: usize| calls.get(place).is_some_and(|call| call.0.as_str() == "new");
        let good = calls.iter().enumerate().filter(|(at, call)| {
            matches!(call.1.first(), Some(calls::Argument::Result(r)) if r < at && is_made(*r))
        });
        good.count() >= 3
    };
    let options = Options { runs: 3000, ..Options::default() };
    let shape = Shape::of_type(ty);
    let engine = Engine::new(vec![shape], Rc::new(Constants::none()), options).expect("values");
    let answer = engine.run(&[], &mut |input| {
        let count = calls::calls(input).len() as u32;
        let failure = fails(input).then(|| "full".to_owned());
        Some(Reached { goals: vec![count.min(8)], hints: Vec::new(), failure })
    });
    assert_eq!(answer.failures.len(), 1);
    assert_eq!(
        answer.failures[0].input.to_string(),
        "[{new}, {put, {'$result', 1}, 0}, {put, {'$result', 1}, 0}, {put, {'$result', 1}, 0}]"
    );
}
