//! `session` as a front other than the command line uses it: requests in, answers out, watched and
//! stopped from outside.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use session::explore::{self, Engine, Execution, Findings, Incomplete, What};
use session::run::{self, Ending};
use session::slice::{self, Target};
use session::test::{self, CaseResult};
use session::{Bound, Control, Error, Over, Progress, Watch, again, flow, replay};

const COUNTERS: &str = "\
-module(counters_example).
-export([main/0, race/0, writers/0]).

main() ->
    Sum = add([1, 2, 3], 0),
    {ok, Sum}.

add([], Sum) -> Sum;
add([N | Rest], Sum) -> add(Rest, Sum + N).

race() ->
    Table = ets:new(t, [public]),
    ets:insert(Table, {n, 0}),
    Self = self(),
    [spawn(fun() ->
         [{n, N}] = ets:lookup(Table, n),
         ets:insert(Table, {n, N + 1}),
         Self ! done
     end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    [{n, 2}] = ets:lookup(Table, n).

writers() ->
    Table = ets:new(t, [public]),
    [spawn(fun() -> ets:insert(Table, {n, N}) end) || N <- lists:seq(1, 7)],
    receive after infinity -> ok end.
";

const TESTS: &str = "\
-module(counters_example_tests).
-include_lib(\"eunit/include/eunit.hrl\").
good_test() -> ok.
bad_test() -> ?assertEqual({ok, 7}, counters_example:main()).
";

/// A directory with the modules.
fn program(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).expect("a directory for the test");
    for (file, text) in [("counters_example.erl", COUNTERS), ("counters_example_tests.erl", TESTS)]
    {
        std::fs::write(dir.join(file), text).expect("a file for the test");
    }
    dir
}

fn explore_request(dir: &Path, call: &str) -> explore::Request {
    explore::Request {
        paths: vec![dir.to_path_buf()],
        what: What::Call(call.to_owned()),
        max_depth: 5_000,
        jobs: 1,
        ..explore::Request::default()
    }
}

#[test]
fn a_call_is_run() {
    let paths = vec![program("run")];
    let call = Some("counters_example:main()".to_owned());
    let request = run::Request { paths, call, keep_output: true, ..run::Request::default() };
    let ran = run::run(&request, &Control::default()).expect("an answer");
    assert_eq!(ran.ending, Ending::Returned("{ok,6}".to_owned()));
}

#[test]
fn what_cannot_be_run_is_an_error() {
    let request = run::Request { call: Some("m:f(".to_owned()), ..run::Request::default() };
    let error = run::run(&request, &Control::default()).expect_err("no answer");
    assert!(matches!(error, Error::Call { .. }), "{error}");
}

#[test]
fn tests_are_run() {
    let request = test::Request { paths: vec![program("test")], ..test::Request::default() };
    let answer = test::test(&request, &Control::default()).expect("an answer");
    let [module] = &answer.modules[..] else { panic!("{:?}", answer.modules) };
    let results: Vec<(&str, CaseResult)> =
        module.tests.iter().map(|case| (case.name.as_str(), case.result)).collect();
    let expected = [("good_test", CaseResult::Ok), ("bad_test", CaseResult::Failed)];
    assert_eq!(results, expected);
    assert!(answer.complete);
}

#[test]
fn a_finding_is_replayed_and_watched() {
    let dir = program("explore");
    let request = explore_request(&dir, "counters_example:race()");
    let answer = explore::explore(&request, &Control::default()).expect("an answer");
    let [explored] = &answer.explored[..] else { panic!("one exploration") };
    assert_eq!(explored.why, None, "it is complete");
    assert_eq!(explored.found.len(), 1);
    let witness = explored.witness(0, &request).expect("a witness");
    let again = replay::Request { witness: witness.clone(), ..replay::Request::default() };
    let shown = replay::replay(&again, &Control::default()).expect("an answer");
    assert!(shown.whole && shown.findings.len() == 1);
    let watcher = std::rc::Rc::new(Nobody);
    let watched = again::watch(&witness, &Default::default(), watcher, &Control::default());
    watched.expect("the witness can be followed");
}

struct Nobody;

impl machine::observe::Observer for Nobody {
    fn interest(&self) -> machine::observe::Interest {
        machine::observe::Interest::default()
    }
}

/// Stops after so many executions.
struct Patience {
    left: Arc<AtomicU64>,
    heard: AtomicU64,
}

impl Watch for Patience {
    fn hear(&self, progress: Progress<'_>) {
        if let Progress::SearchBegins { .. } = progress {
            self.heard.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn hear_execution(&self, _: &Execution<'_>, _: &Findings) {
        let left = self.left.load(Ordering::Relaxed);
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
    }
}

#[test]
fn a_search_is_stopped_from_outside() {
    let left = Arc::new(AtomicU64::new(5));
    let asked = Arc::clone(&left);
    let over =
        Over::new(move || (asked.load(Ordering::Relaxed) == 0).then_some(Bound::Interrupted));
    let patience = Arc::new(Patience { left, heard: AtomicU64::new(0) });
    let control = Control::new(over, Some(patience.clone()));
    let dir = program("stopped");
    let answer = explore::explore(&explore_request(&dir, "counters_example:writers()"), &control);
    let explored = answer.expect("an answer").explored.remove(0);
    assert_eq!(explored.why, Some(Incomplete::Bound(Bound::Interrupted)));
    assert_eq!(explored.statistics.executions, 5);
    assert!(patience.heard.load(Ordering::Relaxed) > 0, "it hears that the search begins");
}

#[test]
fn why_a_search_is_not_complete_is_data() {
    let dir = program("incomplete");
    let request = explore_request(&dir, "counters_example:writers()");
    let engine = Engine::Random { executions: 3, bug_depth: 3 };
    let random = explore::Request { engine, ..request.clone() };
    let answer = explore::explore(&random, &Control::default()).expect("an answer");
    let why = &answer.explored[0].why;
    assert!(matches!(why, Some(Incomplete::Random { seed: 0, .. })), "{why:?}");
    let few = explore::Request { max_executions: Some(2), ..request };
    let answer = explore::explore(&few, &Control::default()).expect("an answer");
    assert_eq!(answer.explored[0].why, Some(Incomplete::Executions));
}

#[test]
fn slices_of_variables_expressions_and_lines() {
    let file = program("slice").join("counters_example.erl");
    let size = |place: &str| {
        let target = Target::parse(&format!("{}:{place}", file.display())).expect("a place");
        let request = slice::Request::backward(target, Default::default());
        slice::slice(&request, &Control::default(), |sliced| sliced.slice.size())
    };
    let variable = size("6:Sum").expect("a slice");
    let line = size("6").expect("a slice");
    assert!(line > variable, "the tuple of line 6 is more than Sum: {line} and {variable}");
    assert!(size("5:11").is_ok(), "the call that begins there");
    assert!(matches!(size("4:1"), Ok(_) | Err(Error::Missing(_))));
    assert!(size("99").is_err());
}

#[test]
fn graphs() {
    let request = flow::Request {
        paths: vec![program("flow").join("counters_example.erl")],
        entry: flow::entry(&["counters_example:race/0".to_owned()]).expect("a function"),
        explain: false,
        without_tests: false,
        reading: Default::default(),
    };
    let program = flow::load(&request).expect("a program");
    let graph = flow::analyse(&request, &program).expect("a graph");
    assert_eq!(graph.modules.len(), 1);
}
