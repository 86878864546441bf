//! Slices of the corpus are complete: they compile, here and with OTP's compiler, and their
//! criteria take the values that they take in the program.
//!
//! * By default a sample of the criteria is checked; `ERLSCOPE_SLICE_FULL=1` checks all of them
//!   with more inputs, and OTP's compiler sees the text of every slice. `ERLSCOPE_SLICE_ONLY=NAME`
//!   chooses programs, `ERLSCOPE_SLICE_DIR=PATH` takes those of another directory,
//!   `ERLSCOPE_SLICE_INPUTS=N` says how many inputs of each entry are tried, and
//!   `ERLSCOPE_SLICE_SHOW=1` prints the slices of failures, `ERLSCOPE_SLICE_OPEN=1` complains about
//!   known ones, too. `-- --nocapture` shows the figures.
//! * Programs are generated, too: `ERLSCOPE_SEED` says where the seeds start, `ERLSCOPE_PROGRAMS`
//!   how many there are of each kind.
//! * `open.txt` lists criteria whose slices are known to be wrong; nothing else may be, and what is
//!   right now has to be taken off the list.

#[path = "../../runner/tests/generate/mod.rs"]
mod generate;
mod harness;

use std::collections::{BTreeMap, BTreeSet};

use harness::check::{Study, Text, Wrong, study};
use harness::corpus::{Case, cases, generated, is_full, setting};
use harness::judge;
use harness::node::Node;
use harness::pool::for_each_case;
use slice::Options;

/// What was found in one program, or in all.
#[derive(Default)]
struct Found {
    criteria: usize,
    checked: usize,
    reached: usize,
    runs: usize,
    /// By criterion.
    failures: BTreeMap<String, String>,
    right: BTreeSet<String>,
    texts: BTreeSet<Text>,
}

/// One criterion of so many is checked if not all are.
const SAMPLE: usize = 12;

fn check_case(number: usize, case: &Case, node: &Node) -> Found {
    let full = is_full();
    let inputs = setting("ERLSCOPE_SLICE_INPUTS", if full { 24 } else { 6 });
    study(case, node, Options::default(), inputs as usize, |study| {
        let mut found = Found { criteria: study.criteria.len(), ..Found::default() };
        for criterion in 0..study.criteria.len() {
            if !full && !(criterion + number).is_multiple_of(SAMPLE) {
                continue;
            }
            check_criterion(study, criterion, &mut found);
        }
        found
    })
}

fn check_criterion(study: &Study<'_>, criterion: usize, found: &mut Found) {
    found.checked += 1;
    let (texts, result) = study.check(criterion);
    match result {
        Ok(runs) => {
            found.runs += runs;
            found.reached += usize::from(runs > 0);
            found.right.insert(study.name(criterion));
        }
        Err(wrong) => {
            let mut failure = wrong.to_string();
            if std::env::var_os("ERLSCOPE_SLICE_SHOW").is_some() {
                for text in &texts {
                    failure += &format!("\n{}", text.text);
                }
            }
            found.failures.insert(study.name(criterion), failure);
            if matches!(wrong, Wrong::Rejected(..)) {
                return;
            }
        }
    }
    found.texts.extend(texts);
}

#[test]
fn slices_of_the_corpus() {
    let cases = cases();
    let all = for_each_case(&cases, check_case);
    let mut sum = Found::default();
    for found in all {
        sum.criteria += found.criteria;
        sum.checked += found.checked;
        sum.reached += found.reached;
        sum.runs += found.runs;
        sum.failures.extend(found.failures);
        sum.right.extend(found.right);
        sum.texts.extend(found.texts);
    }
    println!(
        "{} programs, {} criteria, {} checked, {} of them reached, {} runs of slices, {} failures, \
         {} different texts",
        cases.len(),
        sum.criteria,
        sum.checked,
        sum.reached,
        sum.runs,
        sum.failures.len(),
        sum.texts.len()
    );
    let mut complaints = Vec::new();
    if judge::has_judge() {
        complaints = judge::complaints("corpus", &sum.texts);
        println!("OTP's compiler rejects {} of {} texts", complaints.len(), sum.texts.len());
    } else {
        println!("skipped: OTP's compiler does not see the slices, there is no erl");
    }
    let open = include_str!("open.txt").lines().filter(|line| !line.starts_with('#'));
    let open: BTreeSet<&str> = open.collect();
    for (criterion, failure) in &sum.failures {
        if !open.contains(criterion.as_str()) || std::env::var_os("ERLSCOPE_SLICE_OPEN").is_some() {
            complaints.push(format!("{criterion}: {failure}"));
        }
    }
    for criterion in open.into_iter().filter(|criterion| sum.right.contains(*criterion)) {
        if !sum.failures.contains_key(criterion) {
            complaints.push(format!("{criterion} is right now: take it off open.txt"));
        }
    }
    assert!(complaints.is_empty(), "{}\n", complaints.join("\n\n"));
}

/// A generated program that does not print stack traces: frames are not the business of slices.
fn without_frames(text: &str) -> String {
    let (from, end) = ("C:R:S ->", "\n    end.");
    let start = text.find(from).expect("a handler");
    let end = start + text[start..].find(end).expect("its end");
    let handler = "C:R -> io:format(\"~s: ~w ~tp~n\", [Name, C, plain(R)])";
    [&text[..start], handler, &text[end..]].concat()
}

/// The programs that the Machine is compared with the BEAM by.
#[test]
fn slices_of_generated_programs() {
    check_generated("generated", 6, |name, seed| {
        let text = without_frames(&generate::program(name, seed));
        format!("%% inputs: main()\n{text}")
    });
}

/// Programs about failures that somebody handles.
#[test]
fn slices_of_failing_programs() {
    check_generated("failing", 40, harness::failing::program);
}

/// Checks programs that are made of so many seeds.
fn check_generated(kind: &str, count: u64, program: impl Fn(&str, u64) -> String) {
    let cases = generated(kind, count, program);
    let all = for_each_case(&cases, |_, case, node| {
        let number = cases.iter().position(|other| other.name == case.name).unwrap_or_default();
        check_case(number, case, node)
    });
    let mut failures = Vec::new();
    let (mut checked, mut reached) = (0, 0);
    let mut texts = BTreeSet::new();
    for found in all {
        checked += found.checked;
        reached += found.reached;
        failures.extend(found.failures.iter().map(|(name, failure)| format!("{name}: {failure}")));
        texts.extend(found.texts);
    }
    let wrong = failures.len();
    if is_full() && judge::has_judge() {
        let rejected = judge::complaints(kind, &texts);
        println!("OTP's compiler rejects {} of {} texts", rejected.len(), texts.len());
        failures.extend(rejected);
    }
    println!(
        "{} {kind} programs, {checked} criteria checked, {reached} of them reached, {wrong} failures",
        cases.len()
    );
    assert!(failures.is_empty(), "{}\n", failures.join("\n\n"));
}

/// Programs in the language of later releases than the judge's: all criteria, by running alone.
#[test]
fn slices_of_later_programs() {
    let dir = std::fs::read_dir(harness::corpus::tests().join("later")).expect("the programs");
    let cases: Vec<Case> = dir.flatten().map(|entry| Case::at(&entry.path())).collect();
    let all = for_each_case(&cases, |_, case, node| {
        study(case, node, Options::default(), 6, |study| {
            let mut found = Found::default();
            (0..study.criteria.len()).for_each(|at| check_criterion(study, at, &mut found));
            found
        })
    });
    let (mut checked, mut runs, mut failures) = (0, 0, Vec::new());
    for found in all {
        checked += found.checked;
        runs += found.runs;
        failures.extend(found.failures.iter().map(|(name, failure)| format!("{name}: {failure}")));
    }
    println!("{} later programs, {checked} criteria checked, {runs} runs", cases.len());
    assert!(checked > 0 && failures.is_empty(), "{}\n", failures.join("\n\n"));
}

#[test]
fn the_corpus_is_large_enough() {
    let cases = cases();
    let all = ["ERLSCOPE_SLICE_ONLY", "ERLSCOPE_SLICE_DIR"];
    if all.iter().all(|variable| std::env::var_os(variable).is_none()) {
        assert!(cases.len() >= 60, "{}", cases.len());
    }
}

/// The check can fail: a text that is no slice is told from one that is.
#[test]
fn what_is_no_slice_is_found() {
    let path = harness::corpus::tests().join("corpus/accumulators.erl");
    let case = Case::at(&path);
    let node = Node::boot();
    study(&case, &node, Options::default(), 6, |study| {
        let criterion = (0..study.criteria.len())
            .find(|&index| study.name(index) == "accumulators.erl:16:6 Sum")
            .expect("the criterion");
        let whole = std::fs::read_to_string(&path).expect("the text");
        let check = |from: &str, to: &str| {
            assert!(whole.contains(from), "{from}");
            let text = Text {
                module: atom::Atom::new("accumulators"),
                path: path.clone(),
                text: whole.replace(from, to),
            };
            // Two others are in stats/1.
            let rank = 2;
            study.check_texts(criterion, &[text], rank)
        };
        assert!(check("P1 = P * X", "P1 = sliced").is_ok_and(|runs| runs > 0));
        assert!(matches!(check("S1 = S + X", "S1 = X"), Err(Wrong::Values { .. })));
        assert!(matches!(check("S1 = S + X", "S1 = sliced"), Err(Wrong::Values { .. })));
        assert!(matches!(
            check("{Sum, Prod} = loop", "{_, Prod} = loop"),
            Err(Wrong::Rejected(..))
        ));
    });
}

/// OTP's compiler is asked, and can say no.
#[test]
fn what_does_not_compile_is_found() {
    if !judge::has_judge() {
        println!("skipped: there is no erl");
        return;
    }
    let path = harness::corpus::tests().join("corpus/accumulators.erl");
    let whole = std::fs::read_to_string(&path).expect("the text");
    let text =
        |text: String| Text { module: atom::Atom::new("accumulators"), path: path.clone(), text };
    let unbound = text(whole.replace("S1 = S + X", "S1 = S + Y"));
    let texts = BTreeSet::from([text(whole), unbound]);
    let complaints = judge::complaints("broken", &texts);
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("unbound_var"), "{complaints:?}");
}
