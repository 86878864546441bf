//! Real projects, as strangers have them: `cargo xtask projects [OPTIONS] DIR…`.
//!
//! The tests of each project are run on the BEAM and by `erlscope test`, and compared case by case:
//! how many pass on either side, what is not supported and why, what is told wrongly, and the time
//! of both. A DIR is a project with its dependencies (`_build`, `_checkouts`, `deps`): nothing is
//! fetched. What is kept is in the cache directory (`target/projects`, or `ERLSCOPE_PROJECTS`).

mod beam;
mod cases;
mod here;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use crate::problem::{Problem, Result};
use cases::Side;

const USAGE: &str = "\
usage: cargo xtask projects [OPTIONS] DIR...

  --again        run on the BEAM again what was run there before
  --cases        tell each case that is told otherwise than on the BEAM
  --time SECS    of one project on each side (default 120)

DIR is a project with its dependencies. Build erlscope before: cargo build -p cli --bin erlscope.";

struct Options {
    again: bool,
    cases: bool,
    time: Duration,
    dirs: Vec<PathBuf>,
}

pub(crate) fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    let Some(options) = parse(arguments) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match compare_all(root, &options) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

fn parse(arguments: &[&str]) -> Option<Options> {
    let time = Duration::from_secs(120);
    let mut options = Options { again: false, cases: false, time, dirs: Vec::new() };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--again" => options.again = true,
            "--cases" => options.cases = true,
            "--time" => options.time = Duration::from_secs(rest.next()?.parse().ok()?),
            option if option.starts_with('-') => return None,
            dir => options.dirs.push(PathBuf::from(dir)),
        }
    }
    (!options.dirs.is_empty()).then_some(options)
}

/// The number of cases that are told wrongly.
fn compare_all(root: &Path, options: &Options) -> Result<u64> {
    let cache = match std::env::var_os("ERLSCOPE_PROJECTS") {
        Some(dir) => PathBuf::from(dir),
        None => root.join("target").join("projects"),
    };
    beam::prepare(&cache)?;
    let mut table = Table::default();
    println!("{HEAD}");
    for dir in &options.dirs {
        let dir = dir.canonicalize().map_err(|error| Problem::at(dir, error))?;
        let name = dir.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        if options.again {
            let _ = std::fs::remove_file(cache.join(format!("{name}.beam.json")));
        }
        let beam = beam::results(&cache, &dir, &name, options.time)?;
        let (here, causes) = here::results(&cache, &dir, &name, options.time)?;
        table.add(&name, &beam, &here, causes, options.cases);
    }
    Ok(table.end())
}

const HEAD: &str = "\
project                       BEAM                    here                        wrong     time
                          passed   other   passed   other unsupp.    lost   won   BEAM    here";

/// What has been told so far, for the last line.
#[derive(Default)]
struct Table {
    projects: u64,
    beam: u64,
    passed: u64,
    unsupported: u64,
    lost: u64,
    won: u64,
    causes: BTreeMap<String, u64>,
}

impl Table {
    fn add(
        &mut self,
        name: &str,
        beam: &Side,
        here: &Side,
        causes: BTreeMap<String, u64>,
        cases: bool,
    ) {
        let (there, total) = (beam.cases.total(), here.cases.total());
        let (mut lost, mut won) = (0, 0);
        let mut told = Vec::new();
        for (key, count) in &beam.cases.0 {
            let ours = here.cases.0.get(key).copied().unwrap_or_default();
            let (less, more) = (count.lost(&ours), count.won(&ours));
            lost += less;
            won += more;
            if less + more > 0 {
                let (module, case) = key;
                told.push(format!("    {module}:{case}: {less} lost, {more} won"));
            }
        }
        println!(
            "{name:<26}{:>6}{:>8}{:>9}{:>8}{:>8}{lost:>8}{won:>6}{:>7.1}{:>8.1}  {} {}",
            there.passed,
            there.failed + there.skipped,
            total.passed,
            total.failed + total.skipped,
            total.unsupported,
            beam.seconds,
            here.seconds,
            beam.note,
            here.note,
        );
        if cases {
            told.iter().for_each(|line| println!("{line}"));
        }
        self.projects += 1;
        self.beam += there.passed;
        self.passed += total.passed;
        self.unsupported += total.unsupported;
        self.lost += lost;
        self.won += won;
        for (cause, count) in causes {
            *self.causes.entry(cause).or_default() += count;
        }
    }

    fn end(&self) -> u64 {
        println!(
            "\n{} projects: {} cases pass on the BEAM, {} here; {} not supported; {} told as not \
             passed that do, {} as passed that do not",
            self.projects, self.beam, self.passed, self.unsupported, self.lost, self.won
        );
        let mut causes: Vec<_> = self.causes.iter().collect();
        causes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (cause, count) in causes {
            println!("{count:>8}  {cause}");
        }
        self.lost + self.won
    }
}
