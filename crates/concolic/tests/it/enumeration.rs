//! Generated programs over small domains: a search that says that it took every path has reached
//! exactly the branches and the errors that running every input reaches; and no run departs from
//! what was predicted.
//!
//! `CONCOLIC_PROGRAMS=2000 CONCOLIC_SEED=7` for more of them and others.

use std::path::PathBuf;

use concolic::entry::Call;
use concolic::search::Options;
use inputs::Random;

use crate::generate::{Generated, program};
use crate::stand::Stand;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Programs in one module.
const TOGETHER: usize = 50;

#[test]
fn complete_searches_reach_what_every_input_reaches() {
    let count = number("CONCOLIC_PROGRAMS", 150) as usize;
    let mut random = Random::new(number("CONCOLIC_SEED", 1));
    let (mut complete, mut wrong) = (0, Vec::new());
    let mut told = 0;
    for first in (0..count).step_by(TOGETHER) {
        let programs: Vec<Generated> =
            (first..count.min(first + TOGETHER)).map(|n| program(n, &mut random)).collect();
        let texts: Vec<&str> = programs.iter().map(|program| program.text.as_str()).collect();
        let text = format!(
            "-module(generated).\n-compile([export_all, nowarn_export_all]).\n{}",
            texts.join("")
        );
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("concolic");
        std::fs::create_dir_all(&directory).expect("a directory");
        let path = directory.join("generated.erl");
        std::fs::write(&path, text).expect("a file");
        let mut plain = Stand::new(path.clone(), "generated");
        let mut followed = Stand::new(path, "generated");
        followed.follow_natives();
        for program in &programs {
            let expected = plain.enumerate(&program.name, &program.inputs);
            let call = Call::read(&program.call).expect("a call");
            let options = Options { paths: 500, ..Options::default() };
            let (searched, seen) = followed.search(&call, &options);
            let is_complete = searched.is_complete();
            complete += usize::from(is_complete);
            let missed_errors = expected.errors.difference(&seen.errors).count();
            let missed_branches = expected.branches.difference(&seen.branches).count();
            let is_missed = is_complete && missed_errors + missed_branches > 0;
            let is_more = !seen.errors.is_subset(&expected.errors)
                || !seen.branches.is_subset(&expected.branches);
            if searched.departures + searched.wrong > 0 || is_missed || is_more {
                wrong.push(format!(
                    "{}\n{}\n{searched:?}\nmissed {:?} {:?}\nmore {:?} {:?}",
                    program.text,
                    program.call,
                    expected.errors.difference(&seen.errors),
                    expected.branches.difference(&seen.branches),
                    seen.errors.difference(&expected.errors),
                    seen.branches.difference(&expected.branches),
                ));
            }
            if !is_complete && told < 3 && std::env::var_os("CONCOLIC_SHOW").is_some() {
                told += 1;
                println!("not complete:\n{}\n{searched:?}\n", program.text);
            }
        }
    }
    println!("{complete} of {count} searches are complete");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(3)].join("\n"));
    assert!(complete * 10 >= count * 8, "only {complete} of {count} searches are complete");
}
