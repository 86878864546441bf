//! Generated programs: the search finds exactly the classes and outcomes that the enumeration of
//! all interleavings finds, each once; and what else `support::try_compare` asks for.

mod programs;
mod support;

use std::time::{Duration, Instant};

use arbtest::arbitrary::Unstructured;
use explore::Delivery;
use programs::{CLOCKS, ENDS, HEIRS, HELD, IN_VAIN, KEYS, PATTERNS, Program};
use support::{compare_in, let_readings_tie, number, splitmix, try_compare};

/// How many programs are compared unless the environment says otherwise.
const PROGRAMS: u64 = 100;

/// Compares generated programs, one for each seed from `EXPLORE_RANDOM_SEED` on: as many as
/// `EXPLORE_RANDOM_PROGRAMS` says, or as can be in `EXPLORE_RANDOM_SECONDS`. Those with more
/// interleavings than `EXPLORE_RANDOM_INTERLEAVINGS` are left out.
fn compare_all(themes: &[u32], delivery: Delivery) {
    let first = number("EXPLORE_RANDOM_SEED").unwrap_or(1);
    let until = number("EXPLORE_RANDOM_SECONDS")
        .map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let most = number("EXPLORE_RANDOM_PROGRAMS").unwrap_or(match until {
        Some(_) => u64::MAX,
        None => PROGRAMS,
    });
    let most_interleavings = number("EXPLORE_RANDOM_INTERLEAVINGS").unwrap_or(600);
    let (mut compared, mut differ) = (0, Vec::new());
    let mut seed = first;
    while compared < most && until.is_none_or(|until| Instant::now() < until) {
        let bytes = splitmix(seed);
        let Ok(program) = Program::new(&mut Unstructured::new(&bytes), themes) else {
            panic!("too few bytes for a program");
        };
        match try_compare(&program.text(), most_interleavings, delivery) {
            Ok(true) => compared += 1,
            Ok(false) => {}
            Err(difference) => {
                compared += 1;
                let smallest = program.minimized(difference, |program| {
                    try_compare(&program.text(), 3_000, delivery).err()
                });
                eprintln!("seed {seed}: {smallest}\n");
                differ.push(seed);
                if differ.len() >= 20 {
                    break;
                }
            }
        }
        seed += 1;
    }
    eprintln!("{compared} programs compared, seeds {first} to {}", seed - 1);
    assert!(differ.is_empty(), "programs that differ, by their seeds: {differ:?}");
}

#[test]
fn as_all_interleavings() {
    compare_all(&[0, 1, 2, 3, 4], Delivery::Instant);
}

#[test]
fn as_all_interleavings_of_patterns() {
    compare_all(&[PATTERNS], Delivery::Instant);
}

#[test]
fn as_all_interleavings_of_ends() {
    compare_all(&[ENDS], Delivery::Instant);
}

#[test]
fn as_all_deliveries_of_ends() {
    compare_all(&[ENDS], Delivery::Any);
}

#[test]
fn as_all_interleavings_of_held_monitors() {
    compare_all(&[HELD], Delivery::Instant);
}

#[test]
fn as_all_deliveries_of_held_monitors() {
    compare_all(&[HELD], Delivery::Any);
}

#[test]
fn as_all_interleavings_of_keys() {
    compare_all(&[KEYS], Delivery::Instant);
}

#[test]
fn as_all_interleavings_of_heirs() {
    compare_all(&[HEIRS], Delivery::Instant);
}

#[test]
fn as_all_interleavings_in_vain() {
    compare_all(&[IN_VAIN], Delivery::Instant);
}

#[test]
fn as_all_deliveries_in_vain() {
    compare_all(&[IN_VAIN], Delivery::Any);
}

#[test]
fn as_all_interleavings_of_clocks() {
    compare_all(&[CLOCKS], Delivery::Instant);
}

#[test]
fn as_all_interleavings_of_equal_clocks() {
    let_readings_tie(true);
    compare_all(&[CLOCKS], Delivery::Instant);
}

#[test]
fn as_all_deliveries_of_clocks() {
    let_readings_tie(true);
    compare_all(&[CLOCKS, HEIRS], Delivery::Any);
    // Who is about to read a clock when a signal ends it reads none.
    let ends_first =
        "main() -> spawn_link(fun() -> put(c, os:timestamp()) end), os:timestamp(), exit(ok).";
    assert!(compare_in(ends_first, 1_000, Delivery::Any));
}

/// Who looks at a mailbox sees messages that are still on their way, so that is left out.
#[test]
fn as_all_deliveries() {
    compare_all(&[0, 1, 2, 4], Delivery::Any);
}
