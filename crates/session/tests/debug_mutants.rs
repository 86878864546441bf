//! Programs that are changed in one place, debugged with the program as it was as the only one who
//! answers: the verdict is the function that was changed, and inside of it the changed place.
//!
//! Only changes count that change what the program gives. Where the reference cannot tell the
//! search may end with several that are open: the changed one must be among them.
//!
//! `DEBUG_FULL=1` goes through all programs and prints a table; otherwise some are taken.
//! `DEBUG_ONLY=concurrent`, or the beginning of a name, takes only those.

mod study;

use std::path::{Path, PathBuf};

use session::debug::{
    Answer, Debugged, Next, NodeIx, Reference, Request, Search, Strategy, record,
};
use session::run::Ending;
use session::{Control, Running};
use study::{Mutant, Program, mutants, programs};

fn is_full() -> bool {
    std::env::var_os("DEBUG_FULL").is_some()
}

/// So many mutants of a program are tried.
fn most() -> usize {
    if is_full() { 20 } else { 2 }
}

fn request(path: &Path, call: &str) -> Request {
    let running = Running { max_steps: Some(60_000), ..Running::default() };
    let (paths, call) = (vec![path.to_owned()], Some(call.to_owned()));
    Request { paths, call, running, ..Request::default() }
}

/// What a run came to, as far as it can be compared: without places in stack traces. One that does
/// not end is not looked at.
fn outcome(debugged: &Debugged) -> Option<String> {
    let places = |text: String| -> String {
        let parts = text.split("{file,").map(|part| match part.split_once("}]") {
            Some((place, rest)) if place.contains("{line,") => rest.to_owned(),
            _ => part.to_owned(),
        });
        parts.collect::<Vec<String>>().join("")
    };
    let text = match debugged.ending.as_ref()? {
        Ending::Returned(value) => Some(value.clone()),
        Ending::Raised(raised) => Some(raised.exception.reason.clone()),
        other => {
            let text = session::run::summary(other);
            (!text.contains("step")).then_some(text)
        }
    };
    text.map(places)
}

#[derive(Default, Debug, PartialEq, Clone)]
struct Tally {
    mutants: usize,
    exact: usize,
    open: usize,
    wrong: Vec<String>,
    /// Zoomed places that hold the change, and those that do not.
    near: usize,
    astray: Vec<String>,
    questions: [usize; 3],
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.mutants += other.mutants;
        self.exact += other.exact;
        self.open += other.open;
        self.wrong.extend_from_slice(&other.wrong);
        self.near += other.near;
        self.astray.extend_from_slice(&other.astray);
        for (sum, questions) in self.questions.iter_mut().zip(other.questions) {
            *sum += questions;
        }
    }
}

const STRATEGIES: [Strategy; 3] = [Strategy::Informed, Strategy::DivideAndQuery, Strategy::TopDown];

/// Whether the zoomed place holds a change.
fn zoomed(
    debugged: &Debugged,
    reference: &Reference,
    node: NodeIx,
    mutant: &Mutant,
) -> Result<(), String> {
    let control = Control::default();
    let zoom = debugged.zoom(node, &control).expect("a run").ok_or("no closeup")?;
    let zoomed = debugged.zoomed_by(reference, &zoom, node, &control).expect("a run");
    let zoomed = zoomed.ok_or("no difference")?;
    let place = zoomed.source.place().ok_or("no place")?;
    let at = (mutant.line, mutant.column);
    let (start, end) = ((place.line, place.column), (place.end_line, place.end_column));
    if start <= at && at < end {
        Ok(())
    } else {
        Err(format!("{:?} {start:?}-{end:?}", zoomed.part))
    }
}

fn debug(debugged: &Debugged, reference: &Reference, mutant: &Mutant, about: &str) -> Tally {
    let mut tally = Tally { mutants: 1, ..Tally::default() };
    for (at, strategy) in STRATEGIES.into_iter().enumerate() {
        let mut search = Search::new(debugged.shape(), strategy);
        let begun = debugged.begin_with(reference, &mut search, &Control::default());
        begun.expect("a run");
        let next = loop {
            match search.next() {
                // That the run is wrong was seen.
                Next::Confirm(node) => {
                    search.answer(node, Answer::Wrong).expect("nothing was said of it");
                }
                Next::Ask(node) => {
                    let answer = debugged.judged(reference, node);
                    // As with `--oracle-only`: what is not known was not asked.
                    tally.questions[at] += usize::from(answer.is_some());
                    let answer = answer.unwrap_or(Answer::DontKnow);
                    search.answer(node, answer).expect("a reference does not contradict itself");
                    if answer == Answer::Wrong {
                        let control = Control::default();
                        let part = debugged.should_give_as(reference, &mut search, node, &control);
                        part.expect("a run");
                    }
                }
                other => break other,
            }
        };
        let blamed = match next {
            Next::Buggy(node) | Next::Piece(node) => vec![node],
            Next::Open(ref nodes) => nodes.clone(),
            Next::Fine | Next::Ask(_) | Next::Confirm(_) => Vec::new(),
        };
        if strategy == Strategy::Informed
            && !matches!(next, Next::Open(_))
            && let Next::Buggy(node) = debugged.narrowed_by(reference, &mut search)
        {
            match zoomed(debugged, reference, node, mutant) {
                Ok(()) => tally.near += 1,
                Err(why) => tally.astray.push(format!("{about}: {why}")),
            }
        }
        let holds = |node: &NodeIx| {
            let place = debugged.question(*node).and_then(|question| question.place);
            place.is_some_and(|place| place.line <= mutant.line && mutant.line <= place.end_line)
        };
        match (blamed.iter().any(holds), blamed.len()) {
            (true, 1) => tally.exact += 1,
            (true, _) => tally.open += 1,
            (false, _) => tally.wrong.push(format!("{strategy:?} {about}")),
        }
    }
    tally
}

/// Debugs the mutants of a program that change what it gives.
fn study(program: &Program, root: &Path) -> Tally {
    let control = Control::default();
    let mut tally = Tally::default();
    let calls: Vec<(String, Option<String>, Reference)> = program
        .calls
        .iter()
        .filter_map(|call| {
            let request = request(&program.path, call);
            let right = outcome(&record(&request, &control).ok()?);
            let path = std::slice::from_ref(&program.path);
            Some((call.clone(), right, Reference::open(path, &request, &control).ok()?))
        })
        .filter(|(_, right, _)| right.is_some())
        .collect();
    let all = mutants(&program.text);
    let step = all.len().div_ceil(most() * 2).max(1);
    for mutant in all.into_iter().step_by(step) {
        let changed = root.join(format!("{}.erl", program.name));
        std::fs::write(&changed, &mutant.text).expect("a file");
        for (call, right, reference) in &calls {
            let Ok(debugged) = record(&request(&changed, call), &control) else { continue };
            let wrong = outcome(&debugged);
            if wrong.is_none() || wrong == *right || debugged.shape().is_empty() {
                continue;
            }
            let shown = mutant.text.lines().nth(mutant.line as usize - 1).unwrap_or_default();
            let about = format!("{call} {}:{}: {}", mutant.line, mutant.column, shown.trim());
            tally.add(&debug(&debugged, reference, &mutant, &about));
            break;
        }
        if tally.mutants >= most() {
            break;
        }
    }
    tally
}

fn print(what: &str, programs: usize, tally: &Tally) {
    let Tally { mutants, exact, open, wrong, near, astray, questions } = tally;
    println!(
        "{what}: {programs} programs, {mutants} mutants; verdicts: {exact} exact, {open} open, {} \
         wrong; zoomed: {near} of {}; questions: informed {}, divide and query {}, top-down {}",
        wrong.len(),
        near + astray.len(),
        questions[0],
        questions[1],
        questions[2]
    );
}

#[test]
fn the_changed_function_is_blamed() {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("debug_mutants");
    std::fs::create_dir_all(&root).expect("a directory");
    let programs = programs();
    let step = if is_full() { 1 } else { 7 };
    let mut tallies: [[(usize, Tally); 2]; 2] = Default::default();
    let mut all = Tally::default();
    let only = std::env::var("DEBUG_ONLY").unwrap_or_default();
    let is_wanted = |program: &&Program| match only.as_str() {
        "concurrent" => program.is_concurrent,
        name => program.name.starts_with(name),
    };
    for program in programs.iter().step_by(step).filter(is_wanted) {
        let tally = study(program, &root);
        if is_full() && tally.mutants > 0 {
            print(&program.name, 1, &tally);
            let [informed, divided, _] = tally.questions;
            assert!(informed <= 2 * divided, "{}: {informed} against {divided}", program.name);
        }
        let validation = usize::from(!program.is_for_tuning());
        let kind = &mut tallies[validation][usize::from(program.is_concurrent)];
        kind.0 += usize::from(tally.mutants > 0);
        kind.1.add(&tally);
        all.add(&tally);
    }
    for (set, tallies) in ["tuning", "validation"].iter().zip(&tallies) {
        for (kind, (programs, tally)) in ["sequential", "concurrent"].iter().zip(tallies) {
            print(&format!("{set}, {kind}"), *programs, tally);
        }
    }
    print("all", tallies.iter().flatten().map(|(programs, _)| programs).sum(), &all);
    println!("astray:\n{}", all.astray.join("\n"));
    println!("wrong:\n{}", all.wrong.join("\n"));
    let asked = tallies[1].iter().fold([0; 3], |mut sums, (_, tally)| {
        sums.iter_mut().zip(tally.questions).for_each(|(sum, questions)| *sum += questions);
        sums
    });
    let percent = |of: usize| asked[0] * 100 / asked[of].max(1);
    println!("validation: {} % of divide and query, {} % of top-down", percent(1), percent(2));
    assert!(!is_full() || percent(1) <= 75, "{asked:?}");
    assert!(all.exact > 30, "{}", all.exact);
    assert!(all.wrong.len() * 20 <= all.exact, "{}", all.wrong.join("\n"));
    assert!(all.near * 100 >= (all.near + all.astray.len()) * 95, "{}", all.astray.join("\n"));
}
