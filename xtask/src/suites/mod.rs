//! OTP's own test suites as judge: `cargo xtask suites [OPTIONS] [SUITE…]`.
//!
//! ```text
//! source  OTP's source package, and a working copy of its tests
//! plan    which suites
//! judge   each on the BEAM, once; remembered ─┐
//! here    each on the Machine, in a child  ───┼─▶ cases ─▶ table ─▶ text, markdown
//! apart   cases that one node cannot have  ───┘
//! typed   with `--types`: calls on the Machine against the types that are inferred
//! ```
//!
//! A SUITE is `application/name`, a name alone, or `application/`. Everything is kept in the cache
//! directory (`target/otp-suites`, or `ERLSCOPE_SUITES`), outside of the repository's files.

mod apart;
mod cases;
pub(crate) mod child;
mod here;
mod judge;
mod one;
mod plan;
mod source;
mod table;
mod typed;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use apart::Apart;
use cases::Results;
use here::Bounds;
use table::Row;

use crate::problem::{Problem, Result};

const USAGE: &str = "\
usage: cargo xtask suites [OPTIONS] [SUITE...]

  --further      the suites beyond the goal
  --missing      only the cases that did not pass the last time, each alone
  --beam         only run the suites on the BEAM, where that was not done before
  --table        run nothing: the table of what was run last
  --markdown     the table as in docs/suites.md
  --types        only on the Machine, every call held against the types that are inferred
  --debug        with this build, not with an optimized one
  --time SECS    of the processor for one suite on the Machine (default 300); a fifth of it for a
                 case run alone
  --memory MB    for one suite on the Machine (default 6000)

A SUITE is application/name, a name, or application/ for all of it. Without any: all suites of the
goal.";

/// How long a suite may take on the BEAM.
const BEAM_TIME: Duration = Duration::from_secs(30 * 60);

struct Options<'a> {
    further: bool,
    missing: bool,
    beam_only: bool,
    table_only: bool,
    markdown: bool,
    debug: bool,
    types: bool,
    bounds: Bounds,
    suites: Vec<&'a str>,
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    if let ["--one", rest @ ..] = arguments {
        return one::run(root, rest);
    }
    let Some(options) = parse(arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let runs = !options.beam_only && !options.table_only;
    if cfg!(debug_assertions) && runs && !options.debug {
        return again_optimized(root, arguments);
    }
    match compare(root, &options) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn parse<'a>(arguments: &[&'a str]) -> Option<Options<'a>> {
    let (mut time, mut memory) = (300, 6000);
    let mut options = Options {
        further: false,
        missing: false,
        beam_only: false,
        table_only: false,
        markdown: false,
        debug: false,
        types: false,
        bounds: Bounds { suite: Duration::ZERO, case: Duration::ZERO, memory: 0 },
        suites: Vec::new(),
    };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match *argument {
            "--further" => options.further = true,
            "--missing" => options.missing = true,
            "--beam" => options.beam_only = true,
            "--table" => options.table_only = true,
            "--markdown" => options.markdown = true,
            "--debug" => options.debug = true,
            "--types" => options.types = true,
            "--time" => time = arguments.next()?.parse().ok()?,
            "--memory" => memory = arguments.next()?.parse().ok()?,
            option if option.starts_with('-') => return None,
            suite => options.suites.push(suite),
        }
    }
    options.bounds = Bounds {
        suite: Duration::from_secs(time),
        case: Duration::from_secs((time / 5).max(1)),
        memory: memory << 20,
    };
    Some(options)
}

fn compare(root: &Path, options: &Options<'_>) -> Result<String> {
    let cache = match std::env::var_os("ERLSCOPE_SUITES") {
        Some(path) => PathBuf::from(path),
        None => root.join("target/otp-suites"),
    };
    for directory in ["beam", "here", "logs", "work"] {
        let directory = cache.join(directory);
        std::fs::create_dir_all(&directory).map_err(|error| Problem::at(&directory, error))?;
    }
    let work = cache.join("work");
    if !options.table_only {
        source::copy_tests(&source::source(&cache)?, &work)?;
        judge::prepare(&cache)?;
    }
    if options.types {
        let suites = plan::chosen(&work, &options.suites, options.further);
        return typed::compare(&cache, &suites, options.bounds);
    }
    let apart = Apart::read()?;
    let suites = plan::chosen(&work, &options.suites, options.further);
    if suites.is_empty() {
        return Err(format!("no such suite\n\n{USAGE}").into());
    }
    let mut rows = Vec::new();
    for suite in &suites {
        let remembered = cache.join("here").join(suite.file("json"));
        let beam = if options.table_only {
            Results::read(&cache.join("beam").join(suite.file("json"))).unwrap_or_default()
        } else {
            judge::results(&cache, suite, BEAM_TIME)?
        };
        if options.beam_only {
            continue;
        }
        let here = if options.table_only {
            Results::read(&remembered).unwrap_or_default()
        } else {
            let before = Results::read(&remembered).filter(|_| options.missing);
            let here = match before {
                Some(before) => {
                    let short = suite.short_name();
                    let is_apart = |case: &str| apart.reason(&short, case).is_some();
                    here::run_missing(&cache, suite, &beam, before, is_apart, options.bounds)?
                }
                None => here::run(&cache, suite, &beam, options.bounds)?,
            };
            here.write(&remembered).map_err(|e| Problem::at(&remembered, e))?;
            here
        };
        let row = Row::new(suite, &beam, &here, &apart);
        if !options.table_only {
            eprintln!("{}", row.line());
        }
        rows.push(row);
    }
    Ok(if options.markdown { table::markdown(&rows) } else { table::text(&rows) })
}

fn again_optimized(root: &Path, arguments: &[&str]) -> ExitCode {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--profile", "quick", "--quiet", "--package", "xtask", "--", "suites"])
        .args(arguments)
        .current_dir(root)
        .status();
    if status.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
