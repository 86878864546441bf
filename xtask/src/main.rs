//! Chores of this repository, run with `cargo xtask COMMAND`.
//!
//! * `tidy`: rules about the repository itself that no compiler checks; part of `./check`.
//! * `suites`: OTP's own test suites on the BEAM and on the Machine.
//! * `projects`: the tests of real projects on the BEAM and here.
//! * `races`: small racing programs, run often on the BEAM and explored.
//! * `typings`: inferred types, function by function, against those of OTP's dialyzer.
//! * `bench`: how fast we are, as ratios against the judge.

mod bench;
mod problem;
mod projects;
mod races;
mod suites;
mod tidy;
mod typings;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  tidy    check headers, crate edges, unfinished code and links
  bench   measure against Erlang/OTP: bench [--runs N] [--all] [NAME...]
  suites  OTP's own test suites here and on the BEAM: suites [OPTIONS] [SUITE...]
  projects the tests of real projects here and on the BEAM: projects [OPTIONS] DIR...
  races   racing programs on the BEAM and explored: races [OPTIONS] [TEXT...]
  typings inferred types against dialyzer's:
          typings [--wider] [--believe-records] [--recorded] [APPLICATION...]
          and who finds specs that are wrong: typings --mutants N [APPLICATION...]
          and against runs: typings --runs [OPTIONS] [CORPUS...]";

/// The one of the command, whose parts are measured here.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => tidy::run(&root()),
        ["suites", rest @ ..] => suites::run(&root(), rest),
        ["projects", rest @ ..] => projects::run(&root(), rest),
        ["races", rest @ ..] => races::run(&root(), rest),
        ["typings", rest @ ..] => typings::run(&root(), rest),
        ["bench", rest @ ..] => bench::run(root(), rest),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}
