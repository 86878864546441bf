//! Small programs, each with a bug that only a precise input triggers (`concolic/*.erl`): a search
//! finds an input for every function that is called `bug_…`, and it fails when it is run again;
//! of those called `safe_…` it takes every path and finds nothing; of those called `fine_…` it
//! finds nothing either, but the solver may not answer all questions.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use program::{LoadOptions, Program};
use session::concolic::{Answer, Incomplete, Kind, Ran, Request, Schedules, search_in, witness};
use session::run::Ending;
use session::{Bound, Control, Over, Reading};

struct Subject {
    name: String,
    path: PathBuf,
    program: Arc<Program>,
}

impl Subject {
    fn new(name: &str) -> Subject {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/concolic")
            .join(format!("{name}.erl"));
        let options = LoadOptions { without_otp: true, without_lint: true, ..Default::default() };
        let program = Program::load(std::slice::from_ref(&path), &options).expect("a program");
        Subject { name: name.to_owned(), path, program: Arc::new(program) }
    }

    fn request(&self, what: &str) -> Request {
        let reading = Reading { without_otp: true, ..Reading::default() };
        let what = format!("{}:{what}", self.name);
        Request { reading, max_paths: 400, ..Request::new(vec![self.path.clone()], what) }
    }

    fn search(&self, what: &str) -> Answer {
        let request = Request { measure: false, ..self.request(what) };
        search_in(&request, &self.program, &Control::default()).expect("an answer")
    }

    /// The exported functions whose names begin so.
    fn functions(&self, prefix: &str) -> Vec<String> {
        let exports = self.program.modules[0].index.exports.iter();
        let mut found: Vec<String> = exports
            .map(|((name, arity), _)| format!("{name}/{arity}"))
            .filter(|name| name.starts_with(prefix))
            .collect();
        found.sort();
        found
    }

    /// Every bug is found and fails again; what is safe is known to be.
    fn check(&self) {
        let mut wrong = Vec::new();
        for function in self.functions("bug_") {
            let answer = self.search(&function);
            let bug = answer.errors.iter().find(|error| error.reason == "bug");
            let departures = answer.searched.departures + answer.searched.wrong;
            match bug {
                Some(bug) if departures == 0 => {
                    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!(
                        "{}-{}.witness",
                        self.name,
                        function.replace('/', "-")
                    ));
                    let request = self.request(&function);
                    let again = witness(&request, bug, &file, &Control::default());
                    if !matches!(again, Ok(true)) {
                        wrong.push(format!("{function}: {} ends otherwise", bug.ran.call));
                    }
                }
                Some(_) => wrong.push(format!("{function}: {departures} departures")),
                None => wrong.push(format!("{function}: not found, {:?}", answer.searched)),
            }
        }
        for function in self.functions("safe_") {
            let answer = self.search(&function);
            if !answer.errors.is_empty() || !answer.is_complete() {
                wrong.push(format!("{function}: {:?} {:?}", answer.errors, answer.incomplete));
            }
        }
        for function in self.functions("fine_") {
            let errors = self.search(&function).errors;
            if !errors.is_empty() {
                wrong.push(format!("{function}: {errors:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}:\n{}", self.name, wrong.join("\n"));
    }
}

#[test]
fn arithmetic() {
    Subject::new("arithmetic").check();
}

#[test]
fn lists() {
    Subject::new("lists_").check();
}

#[test]
fn structures() {
    Subject::new("structures").check();
}

#[test]
fn control() {
    Subject::new("control").check();
}

#[test]
fn binaries() {
    Subject::new("binaries").check();
}

#[test]
fn higher() {
    Subject::new("higher").check();
}

#[test]
fn passed() {
    Subject::new("passed").check();
}

#[test]
fn processes() {
    Subject::new("processes").check();
}

#[test]
fn numbers_by_their_bits() {
    Subject::new("numbers_").check();
}

#[test]
fn hashes_and_formulas() {
    Subject::new("mixed_").check();
}

#[test]
fn texts_and_records() {
    Subject::new("texts_").check();
}

#[test]
fn ends_and_tables() {
    Subject::new("ends_").check();
}

/// The client and the server that ask and answer until a number is reached: every number is a path
/// of its own, so that a bound is reached and told.
#[test]
fn paths_without_number_are_bounded() {
    let subject = Subject::new("processes");
    let request = Request { max_paths: 6, ..subject.request("start/1") };
    let answer = search_in(&request, &subject.program, &Control::default()).expect("an answer");
    assert_eq!(answer.searched.departures, 0);
    assert!(answer.incomplete.contains(&Incomplete::Paths), "{:?}", answer.incomplete);
    let calls: Vec<&str> = answer.paths.iter().map(|ran| ran.call.as_str()).collect();
    assert!(calls.contains(&"processes:start(2)"), "{calls:?}");
    let covered = answer.branches.iter().filter(|branch| branch.reached).count();
    assert_eq!(covered, answer.branches.len(), "{:?}", answer.branches);
}

#[test]
fn who_waits_for_ever_and_who_never_ends_are_found() {
    let subject = Subject::new("processes");
    let stuck = subject.search("stuck/1");
    assert_eq!(stuck.errors[0].kind, Kind::Stuck);
    assert_eq!(stuck.errors[0].ran.call, "processes:stuck(12)");
    let endless = subject.search("endless/1");
    assert_eq!(endless.errors[0].kind, Kind::Endless);
    assert_eq!(endless.errors[0].ran.call, "processes:endless(23)");
    assert!(!endless.is_complete());
}

#[test]
fn parts_of_a_call_may_be_known() {
    let subject = Subject::new("lists_");
    let answer = subject.search("bug_append([1 | X], [3])");
    assert_eq!(answer.errors[0].ran.call, "lists_:bug_append([1, 2], [3])");
}

/// Two processes send; only one order of the messages fails, and only for one input.
#[test]
fn inputs_and_schedules_are_searched_together() {
    let subject = Subject::new("processes");
    let answer = subject.search("two_senders/1");
    let bug = answer.errors.iter().find(|error| error.reason == "bug").expect("a bug");
    assert!(bug.by_schedule);
    assert_eq!(bug.ran.call, "processes:two_senders(5)");
    assert!(answer.is_complete(), "{:?}", answer.incomplete);
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("two_senders.witness");
    let request = subject.request("two_senders/1");
    assert_eq!(witness(&request, bug, &file, &Control::default()).ok(), Some(true));
    let one = Request { schedules: Schedules::One, ..request };
    let one = search_in(&one, &subject.program, &Control::default()).expect("an answer");
    assert!(one.errors.is_empty() && one.incomplete == [Incomplete::Schedules], "{one:?}");
}

/// Each of these needs an input and an order: neither inputs in the usual order nor other orders of
/// the first input show it.
#[test]
fn races_that_need_an_input_are_found() {
    let subject = Subject::new("races");
    let mut wrong = Vec::new();
    for function in subject.functions("race_") {
        let answer = subject.search(&function);
        let Some(bug) = answer.errors.iter().find(|error| error.reason == "bug") else {
            wrong.push(format!("{function}: not found, {:?}", answer.incomplete));
            continue;
        };
        let request = Request { measure: false, ..subject.request(&function) };
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("{}.witness", function.replace('/', "-")));
        if !matches!(witness(&request, bug, &file, &Control::default()), Ok(true)) {
            wrong.push(format!("{function}: {} does not fail again", bug.ran.call));
        }
        let one = Request { schedules: Schedules::One, ..request };
        let one = search_in(&one, &subject.program, &Control::default()).expect("an answer");
        if !bug.by_schedule || one.errors.iter().any(|error| error.reason == "bug") {
            wrong.push(format!("{function}: fails in the usual order, too"));
        }
        if answer.paths.first().is_some_and(|first| first.call == bug.ran.call) {
            wrong.push(format!("{function}: fails for the first input, too"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Floats of 16 bits are none that the solver knows: no search may say that it took every path.
#[test]
fn floats_of_sixteen_bits_are_not_followed() {
    let subject = Subject::new("binaries");
    for function in ["half_read/1", "half_written/1", "half_computed/2"] {
        let answer = subject.search(function);
        assert!(answer.incomplete.contains(&Incomplete::Concretised), "{function}");
        assert_eq!(answer.searched.departures + answer.searched.wrong, 0, "{function}");
    }
}

#[test]
fn everyday() {
    Subject::new("everyday").check();
}

/// A run that is stopped before its end says nothing about its input: it is no path, and it has not
/// departed from what was predicted.
#[test]
fn stopped_runs_are_no_paths() {
    let subject = Subject::new("control");
    for after in 1..60 {
        let asked = AtomicU64::new(0);
        let over = Over::new(move || {
            let is_over = asked.fetch_add(1, Ordering::Relaxed) >= after;
            is_over.then_some(Bound::Interrupted)
        });
        let request = Request { measure: false, ..subject.request("slow/1") };
        let answer = search_in(&request, &subject.program, &Control::new(over, None));
        let answer = answer.expect("an answer");
        assert_eq!(answer.searched.departures + answer.searched.wrong, 0, "after {after}");
        let is_whole = |ran: &Ran| matches!(ran.ending, Ending::Returned(_) | Ending::Raised(_));
        assert!(answer.paths.iter().all(is_whole), "after {after}: {:?}", answer.paths.last());
        assert!(answer.incomplete.contains(&Incomplete::Stopped(Bound::Interrupted)));
    }
}
