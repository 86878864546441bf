//! Inferred types against what happens in runs: `cargo xtask typings --runs [OPTIONS] [CORPUS…]`.
//!
//! ```text
//! corpora  programs of the repository, generated ones, the library's cases ─▶ calls
//! known    types: inferred for the program and the library, specs and rules that are believed
//! follower every call that returns: arguments and value inside of the type
//! ```
//!
//! A success typing holds whatever happens when a function returns, so one value outside of it is a
//! defect. Every function is checked way by way (clause by clause): its arguments must fit in one,
//! and its value in the same.
//!
//! Specs of libraries are believed. A program that calls a function with what its spec does not
//! allow, and gets an answer, is not told of that by its types: what such a run does afterwards is
//! counted apart, and the function is listed.

mod corpora;
mod follower;
mod known;
mod values;

use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use follow::Watcher;
use machine::observe::Observer;
use machine::world::Sealed;
use program::{LoadOptions, Program};
use runner::limits::Limits;
use runner::loader::{Prefer, ProgramLoader};
use runner::run;
use runner::scheduler::InTurn;
use serde_json::json;

use crate::problem::Result;
use corpora::{Corpora, Subject};
use follower::{Checker, Tally};
use known::{Known, Source, Typed};

pub(super) const USAGE: &str = "\
usage: cargo xtask typings --runs [OPTIONS] [CORPUS...]

  --programs N  generated programs of each kind (default 200)
  --seed N      the first of them (default 1)
  --steps N     calls that a run may make (default 3000000)
  --only TEXT   only programs whose names have this text
  --verbose     names of programs while they run
  --otp         specs of OTP's library are believed, not those of ours

A CORPUS is one of written, sliced, cases, expressions, generated, grammar, values. Without any:
all.";

/// What a run may take.
const MEMORY: u64 = 1 << 31;

/// How much is run.
pub(super) struct Amount {
    pub(super) programs: u64,
    pub(super) seed: u64,
    pub(super) steps: u64,
    pub(super) only: Option<String>,
    pub(super) with_otp: bool,
    pub(super) verbose: bool,
}

impl Default for Amount {
    fn default() -> Amount {
        Amount {
            programs: 200,
            seed: 1,
            steps: 3_000_000,
            only: None,
            with_otp: false,
            verbose: false,
        }
    }
}

pub(super) fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    let Some((amount, wanted)) = parse(arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match check(root, &amount, &wanted) {
        Ok(tally) => {
            tell(&tally);
            if tally.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(problem) => {
            eprintln!("typings: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn parse<'a>(arguments: &[&'a str]) -> Option<(Amount, Vec<&'a str>)> {
    let mut amount = Amount::default();
    let mut wanted = Vec::new();
    let mut rest = arguments.iter().filter(|argument| **argument != "--runs");
    while let Some(&argument) = rest.next() {
        match argument {
            "--programs" => amount.programs = rest.next()?.parse().ok()?,
            "--seed" => amount.seed = rest.next()?.parse().ok()?,
            "--steps" => amount.steps = rest.next()?.parse().ok()?,
            "--only" => amount.only = Some((*rest.next()?).to_owned()),
            "--otp" => amount.with_otp = true,
            "--verbose" => amount.verbose = true,
            corpus if corpora::NAMES.contains(&corpus) => wanted.push(corpus),
            _ => return None,
        }
    }
    if wanted.is_empty() {
        wanted = corpora::NAMES.to_vec();
    }
    Some((amount, wanted))
}

/// Runs corpora and holds them against types.
fn check(root: &Path, amount: &Amount, wanted: &[&str]) -> Result<Tally> {
    let library = Arc::new(library(root)?);
    let mut tally = Tally::default();
    let mut corpora = Corpora::new(root, amount)?;
    for corpus in wanted {
        let subjects = corpora.subjects(corpus)?;
        for subject in &subjects {
            if let Some(only) = &amount.only
                && !subject.name.contains(only.as_str())
            {
                continue;
            }
            if amount.verbose {
                eprintln!("{}", subject.name);
            }
            let found = run_subject(subject, &library, amount)?;
            found.wrong.iter().for_each(|(name, wrong)| tell_wrong(*name, wrong));
            tally.add(found);
        }
        println!("{corpus}: {} programs, {} wrong so far", subjects.len(), tally.wrong.len());
    }
    Ok(tally)
}

/// The modules of the library, with their types.
fn library(root: &Path) -> Result<Typed> {
    let options = LoadOptions { without_lint: true, without_otp: true, ..LoadOptions::default() };
    let program = Program::load(&[root.join("crates/stdlib/erl")], &options)
        .map_err(|error| error.to_string())?;
    Ok(Typed::new(Arc::new(program)))
}

/// Runs the calls of a program, each on a node of its own.
fn run_subject(subject: &Subject, library: &Arc<Typed>, amount: &Amount) -> Result<Tally> {
    let without_otp = !amount.with_otp;
    let options = LoadOptions { without_lint: true, without_otp, ..LoadOptions::default() };
    let program =
        Arc::new(Program::load(&subject.paths, &options).map_err(|error| error.to_string())?);
    let calls = subject.calls(&program);
    let known = Rc::new(Known::new(Typed::new(Arc::clone(&program)), library));
    let watcher = Rc::new(Watcher::new(Checker::new(known)));
    for call in calls {
        let loader = ProgramLoader::new(Arc::clone(&program), Prefer::Embedded);
        if let Err(error) = run::entry(&loader, &call) {
            eprintln!("{}: {call}: {error}", subject.name);
            continue;
        }
        let Ok(mut machine) = run::boot(Rc::new(loader), Rc::new(Sealed::default())) else {
            continue;
        };
        machine.let_unsupported_fail();
        watcher.begin();
        watcher.change(Checker::begin);
        machine.observe(Some(Rc::clone(&watcher) as _));
        let limits = Limits {
            steps: Some(amount.steps),
            real_time: Some(Duration::from_secs(60)),
            memory: Some(MEMORY),
            ..Limits::default()
        };
        let _ = run::run(&mut machine, &mut InTurn, &limits);
        machine.observe(None);
    }
    let tally = watcher.change(|checker| std::mem::take(&mut checker.tally));
    Ok(tally)
}

/// A program of which every call is held against its types, whoever runs it.
pub(crate) struct Watched(Rc<Watcher<Checker>>);

impl Watched {
    /// The module of a file, and the library.
    pub(crate) fn new(root: &Path, file: &Path) -> Result<Watched> {
        let options =
            LoadOptions { without_lint: true, without_otp: true, ..LoadOptions::default() };
        let program = Program::load(&[file.to_owned()], &options);
        let program = Typed::new(Arc::new(program.map_err(|error| error.to_string())?));
        let known = Known::new(program, &Arc::new(library(root)?));
        Ok(Watched(Rc::new(Watcher::new(Checker::new(Rc::new(known))))))
    }

    pub(crate) fn observer(&self) -> Rc<dyn Observer> {
        Rc::clone(&self.0) as _
    }

    /// What happens from now on is not because of what happened before.
    pub(crate) fn begin(&self) {
        self.0.change(Checker::begin);
    }

    /// What was seen.
    pub(crate) fn told(&self) -> serde_json::Value {
        self.0.look(|checker| {
            let tally = &checker.tally;
            let wrong: serde_json::Map<String, serde_json::Value> = tally
                .wrong
                .iter()
                .map(|((source, module, name, arity), (text, count))| {
                    let name = format!("{module}:{name}/{arity} ({})", source.text());
                    (name, format!("{count} times {text}").into())
                })
                .collect();
            json!({"typed": {
                "returns": tally.returns,
                "functions": tally.functions.len(),
                "wrong": wrong,
            }})
        })
    }
}

type Name = (Source, atom::Atom, atom::Atom, u32);

fn tell_wrong((source, module, name, arity): Name, (text, count): &(String, u64)) {
    println!("{module}:{name}/{arity} ({}, {count} times) {text}", source.text());
}

fn tell(tally: &Tally) {
    if !tally.unknown.is_empty() {
        let names: Vec<String> = (tally.unknown.keys())
            .map(|(module, name, arity)| format!("{module}:{name}/{arity}"))
            .collect();
        println!("{} builtins of which nothing is known: {}", names.len(), names.join(" "));
    }
    for (source, returns) in &tally.returns {
        println!("{returns:>12} returns {source}");
    }
    println!("{:>12} not looked at, large and after many others", tally.passed_over);
    println!("{:>12} not looked at, after a call that breaks a spec that is believed", tally.after);
    for ((module, name, arity), (text, count)) in &tally.broken {
        println!("{module}:{name}/{arity} returns outside of its spec, {count} times: {text}");
    }
    for source in [Source::Program, Source::Library, Source::Spec, Source::Builtin] {
        println!("{:>12} functions {}", known::count(&tally.functions, source), source.text());
    }
    println!("{:>12} functions are outside of their types", tally.wrong.len());
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (source, count) in other.returns {
            *self.returns.entry(source).or_default() += count;
        }
        for (name, count) in other.functions {
            *self.functions.entry(name).or_default() += count;
        }
        for (name, count) in other.unknown {
            *self.unknown.entry(name).or_default() += count;
        }
        for (name, (text, count)) in other.wrong {
            self.wrong.entry(name).or_insert((text, 0)).1 += count;
        }
        for (name, (text, count)) in other.broken {
            self.broken.entry(name).or_insert((text, 0)).1 += count;
        }
        self.passed_over += other.passed_over;
        self.after += other.after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample of every corpus; `TYPED_PROGRAMS` says how many programs are generated, and
    /// `cargo xtask typings --runs` runs all.
    #[test]
    fn what_happens_is_inside_of_inferred_types() {
        let number = std::env::var("TYPED_PROGRAMS").ok().and_then(|text| text.parse().ok());
        let amount = Amount { programs: number.unwrap_or(6), steps: 60_000, ..Amount::default() };
        let tally = check(&crate::root(), &amount, corpora::SAMPLE).expect("programs are read");
        tell(&tally);
        assert!(tally.wrong.is_empty(), "{} functions", tally.wrong.len());
    }
}
