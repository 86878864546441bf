//! Larger generated programs, with too many interleavings to enumerate: several processes that exchange
//! messages, all known to each other. Random interleavings of them are found by the search (`support::try_sample`).
//! What one receive chooses decides here what others can.

mod support;

use std::fmt::Write as _;

use arbtest::arbitrary::{Result, Unstructured};
use explore::Delivery;
use support::{number, splitmix, try_sample};

/// How many programs are compared, unless `EXPLORE_SAMPLED_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 40;

/// Programs in which something was missing once.
const DIFFERED: [u64; 4] = [5_112, 8_654, 11_295, 23_588];

fn program(u: &mut Unstructured<'_>) -> Result<Vec<Vec<String>>> {
    let workers = u.int_in_range(2..=5)?;
    let with_ends = u.ratio(1, 4)?;
    (0..workers)
        .map(|_| {
            let actions = u.int_in_range(1..=4)?;
            (0..actions).map(|nth| action(u, workers, nth, with_ends)).collect()
        })
        .collect()
}

fn action(u: &mut Unstructured<'_>, workers: u32, nth: u32, with_ends: bool) -> Result<String> {
    let to = u.int_in_range(1..=workers)?;
    let message = u.int_in_range(1..=3)?;
    Ok(match u.int_in_range(0..=if with_ends { 15 } else { 13 })? {
        0..=6 => format!("element({to}, T) ! {message}"),
        7..=9 => format!("receive X{nth} -> r(X{nth}) end"),
        10..=11 => format!("receive {message} -> r({message}) end"),
        12 => format!("receive X{nth} -> r(X{nth}) after 0 -> r(none) end"),
        13 => format!("receive {message} -> r({message}) after 0 -> r(none) end"),
        14 => format!("exit(element({to}, T), kill)"),
        _ => format!("r(is_process_alive(element({to}, T)))"),
    })
}

fn text(workers: &[Vec<String>]) -> String {
    let mut text = String::from("main() -> T = {");
    let spawns: Vec<String> = (0..workers.len())
        .map(|at| format!("spawn(fun() -> receive {{all, T}} -> w{at}(T) end end)"))
        .collect();
    let _ = writeln!(text, "{}}},", spawns.join(", "));
    text.push_str(" [P ! {all, T} || P <- tuple_to_list(T)].\n");
    for (at, actions) in workers.iter().enumerate() {
        let _ = writeln!(text, "w{at}(T) -> T, {}, exit(get(r)).", actions.join(", "));
    }
    text.push_str("r(X) -> put(r, [X | case get(r) of undefined -> []; L -> L end]).\n");
    text
}

/// The same program with one thing less, each.
fn smaller(workers: &[Vec<String>]) -> Vec<Vec<Vec<String>>> {
    let mut found = Vec::new();
    for (who, actions) in workers.iter().enumerate() {
        for at in 0..actions.len() {
            let mut less = workers.to_vec();
            less[who].remove(at);
            if less[who].is_empty() {
                less[who].push("ok".to_owned());
            }
            if less != workers {
                found.push(less);
            }
        }
    }
    found
}

fn compare_all(delivery: Delivery) {
    let first = number("EXPLORE_SAMPLED_SEED").unwrap_or(1);
    let most = number("EXPLORE_SAMPLED_PROGRAMS").unwrap_or(PROGRAMS);
    let walks = number("EXPLORE_SAMPLED_WALKS").unwrap_or(60) as u32;
    let (mut compared, mut differ) = (0, Vec::new());
    for seed in (first..first + most).chain(DIFFERED) {
        let bytes = splitmix(seed);
        let Ok(mut workers) = program(&mut Unstructured::new(&bytes)) else {
            panic!("too few bytes for a program");
        };
        let try_one = |workers: &[Vec<String>]| try_sample(&text(workers), walks, 1_000, delivery);
        match try_one(&workers) {
            Ok(was_compared) => compared += u64::from(was_compared),
            Err(mut difference) => {
                let less = |workers: &[Vec<String>]| {
                    smaller(workers).into_iter().find_map(|less| {
                        let difference = try_one(&less).err()?;
                        Some((less, difference))
                    })
                };
                while let Some(found) = less(&workers) {
                    (workers, difference) = found;
                }
                eprintln!("seed {seed}: {difference}\n");
                differ.push(seed);
            }
        }
    }
    eprintln!("{compared} programs compared, seeds {first} to {}", first + most - 1);
    assert!(differ.is_empty(), "programs that differ, by their seeds: {differ:?}");
}

#[test]
fn as_random_interleavings() {
    compare_all(Delivery::Instant);
}

#[test]
fn as_random_deliveries() {
    compare_all(Delivery::Any);
}
