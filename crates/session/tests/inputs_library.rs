//! Guided inputs against blind ones on functions that nobody wrote for this: modules of OTP's
//! library, read from their sources.
//!
//! `INPUTS_LIBRARY=1 cargo test -p session --test inputs_library -- --nocapture` prints the table
//! (some minutes). Of each module every few exported functions with arguments are taken; those of
//! which blind inputs leave no branch open are too easy to say anything, and are only counted.
//! `INPUTS_RUNS` and `INPUTS_EVERY` change how many inputs and how many functions.

use std::path::PathBuf;
use std::process::Command;

use session::inputs::{Request, What, find};
use session::{Control, Reading, Running};

const MODULES: &[&str] = &[
    "array",
    "base64",
    "calendar",
    "dict",
    "erl_scan",
    "filename",
    "gb_sets",
    "gb_trees",
    "io_lib",
    "orddict",
    "proplists",
    "queue",
    "sofs",
    "string",
    "uri_string",
    "zip",
];

fn number(name: &str, other: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(other)
}

/// Where the sources of the library are.
fn sources() -> Option<PathBuf> {
    let ask = "io:put_chars(code:lib_dir(stdlib)), halt().";
    let output = Command::new("erl").args(["-noshell", "-eval", ask]).output().ok()?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).into_owned()).join("src");
    path.is_dir().then_some(path)
}

/// Branches that are reached, and all.
fn measured(request: &Request, guided: bool) -> Option<(usize, usize)> {
    let mut request = request.clone();
    request.options.guided = guided;
    let answer = find(&request, &Control::default()).ok()?;
    Some((answer.branches.iter().filter(|branch| branch.reached).count(), answer.branches.len()))
}

/// The exported functions of a module that take something.
fn functions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split("-export([").skip(1) {
        let list = part.split("])").next().unwrap_or_default();
        let without_comments: String =
            list.lines().map(|line| line.split('%').next().unwrap_or_default()).collect();
        for name in without_comments.split(',').map(str::trim) {
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_/".contains(c));
            if plain && name.contains('/') && !name.ends_with("/0") {
                found.push(name.to_owned());
            }
        }
    }
    found
}

#[test]
fn guided_inputs_reach_more_of_a_library() {
    if std::env::var_os("INPUTS_LIBRARY").is_none() {
        println!("skipped: INPUTS_LIBRARY is not set");
        return;
    }
    let Some(sources) = sources() else { return println!("skipped: no sources of OTP") };
    let (runs, every) = (number("INPUTS_RUNS", 500), number("INPUTS_EVERY", 4) as usize);
    println!("{:<28} {:>8} {:>6} {:>6}", "function", "branches", "blind", "guided");
    let (mut easy, mut figures) = (0, Vec::new());
    for module in MODULES {
        let path = sources.join(format!("{module}.erl"));
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for function in functions(&text).iter().step_by(every) {
            let name = format!("{module}:{function}");
            let mut request = Request {
                reading: Reading::default(),
                running: Running { max_steps: Some(20_000), ..Running::default() },
                measure: true,
                ..Request::new(vec![path.clone()], What::Function(name.clone()))
            };
            request.options.runs = runs;
            request.options.shrinking = 0;
            let Some((blind, all)) = measured(&request, false) else { continue };
            if blind == all {
                easy += 1;
                continue;
            }
            let Some((guided, _)) = measured(&request, true) else { continue };
            println!("{name:<28} {all:>8} {blind:>6} {guided:>6}");
            figures.push((all as f64, blind as f64, guided as f64));
        }
    }
    let mean = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
        figures.iter().map(of).sum::<f64>() / figures.len().max(1) as f64
    };
    // None at all counts as one half of a branch.
    let less = mean(&|(all, blind, guided)| (all - blind) / (all - guided).max(0.5));
    let more = figures.iter().filter(|(_, blind, guided)| guided > blind).count();
    let fewer = figures.iter().filter(|(_, blind, guided)| guided < blind).count();
    let as_many = figures.len() - fewer;
    println!(
        "{} functions ({easy} others are too easy), {runs} runs each: guided inputs leave {less:.2} \
         times less open in the mean; more branches in {more}, fewer in {fewer}",
        figures.len()
    );
    assert!(as_many >= 30 && less >= 1.3);
}
