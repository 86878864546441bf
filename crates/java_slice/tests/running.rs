//! Completeness by running: every slice compiles with javac and shows the same values.
//!
//! In a program every use of a variable or field is a criterion. It is wrapped in a probe,
//! `probe.Probe.at(K, x)`; the program with that probe is sliced for the `x` in it, an object with
//! all that it holds, and what the slice shows is compared with what the program shows: the values
//! of the original are the first of the slice. The probe shows objects with the values of all their
//! fields (those that are not `0`, `false` or `null`: a slice need not have the others). To the
//! slicer a probe is a method that gives back what it gets. One JVM compiles and runs everything
//! (`judge/Judge.java`), the newest that is there for programs that say `@21`. Without a JDK
//! nothing is compared.
//!
//! `JAVA_SLICE_ALL=1` takes all criteria, else a part of them; `JAVA_SLICE_GENERATED=N` makes N
//! programs, from `JAVA_SLICE_SEED` on; `JAVA_SLICE_ONLY=NAME` takes one of the written ones,
//! `JAVA_SLICE_FILE=FILE` another file of programs.

use std::collections::{BTreeMap, BTreeSet};

mod generate;
mod support;

use support::judge::{Unit, judge};
use support::probes::{criteria, program, sliced, wrapped};

/// A place with its number.
type Numbered = (usize, (usize, usize));

/// Whether a place stands on a line that says that what it shows is no matter of timing.
fn is_sure(text: &str, place: (usize, usize)) -> bool {
    let rest = &text[place.1..];
    rest[..rest.find('\n').unwrap_or(rest.len())].contains("// sure")
}

/// The values that one probe shows.
fn shown(log: &str, number: usize) -> Vec<&str> {
    let wanted = number.to_string();
    let values = log.split('\u{1}').filter_map(|entry| entry.split_once('='));
    values.filter(|(at, _)| *at == wanted).map(|(_, value)| value).collect()
}

/// A program by its name; `@21` in it says that it needs that release of Java, `@plain` that what
/// its threads see is a matter of timing but on lines that say `// sure`: elsewhere a slice has to
/// show something where the program does.
type Written = (String, String);

fn check(programs: &[Written], step: usize) {
    let mut units = Vec::new();
    let mut cases = Vec::new();
    let mut shares = Vec::new();
    for (index, (name, text)) in programs.iter().enumerate() {
        let all = criteria(&program(text), java::names::FileId(0));
        let numbered: Vec<Numbered> = all.iter().copied().enumerate().collect();
        let release = if name.contains("@21") { 21 } else { 17 };
        // Probes that lie within each other take turns.
        let (outer, inner) = apart(&numbered);
        for (part, numbered) in [("o", &outer), ("i", &inner)] {
            let text = wrapped(text, numbered);
            units.push(Unit { name: format!("{part}{index}"), text, release });
        }
        for &(number, place) in numbered.iter().skip(index % step).step_by(step) {
            let (slice, share) = sliced(text, number, place);
            shares.push(share);
            let unit = format!("s{index}_{number}");
            let is_chance = name.contains("@plain") && !is_sure(text, place);
            cases.push((index, number, unit.clone(), name.clone(), is_chance));
            units.push(Unit { name: unit, text: slice, release });
        }
    }
    let found = judge(&units);
    if found.is_empty() {
        // Without a JDK.
        return;
    }
    let texts: BTreeMap<&str, &str> =
        units.iter().map(|unit| (unit.name.as_str(), unit.text.as_str())).collect();
    let mut failures = Vec::new();
    let mut wrong = BTreeSet::new();
    for &(index, number, ref unit, ref name, is_chance) in &cases {
        let mut original = String::new();
        for part in ["o", "i"] {
            let shown = found.get(&format!("{part}{index}")).cloned().unwrap_or_default();
            if shown.starts_with('!') && wrong.insert(name) {
                failures.push(format!("{name} does not compile: {shown}"));
            }
            original.push_str(&shown);
        }
        if wrong.contains(name) {
            continue;
        }
        let of_slice = found.get(unit).cloned().unwrap_or_default();
        let (before, after) = (shown(&original, number), shown(&of_slice, number));
        let is_same = match is_chance {
            true => before.is_empty() || !after.is_empty(),
            false => after.starts_with(&before),
        };
        if of_slice.starts_with('!') || !is_same {
            let what = if of_slice.starts_with('!') {
                of_slice
            } else {
                format!("{before:?} but {after:?}")
            };
            failures.push(format!("{name} {number}: {what}\n{}", texts[unit.as_str()]));
        }
    }
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    eprintln!(
        "{} slices of {} programs, {:.1} % of the nodes left",
        cases.len(),
        programs.len(),
        mean * 100.0
    );
    let count = failures.len();
    failures.truncate(
        std::env::var("JAVA_SLICE_SHOW").ok().and_then(|it| it.parse().ok()).unwrap_or(12),
    );
    assert!(failures.is_empty(), "{count} failures\n{}", failures.join("\n----\n"));
}

/// Those that lie in none of them, and those that lie in another one.
fn apart(all: &[Numbered]) -> (Vec<Numbered>, Vec<Numbered>) {
    let mut sorted = all.to_vec();
    sorted.sort_by_key(|&(_, (start, end))| (start, std::cmp::Reverse(end)));
    let mut end = 0;
    sorted.into_iter().partition(|&(_, place)| {
        let is_outer = place.0 >= end;
        if is_outer {
            end = place.1;
        }
        is_outer
    })
}

fn programs_of(data: &str) -> Vec<Written> {
    let only = std::env::var("JAVA_SLICE_ONLY").ok();
    let parts = data.split("//// ").skip(1).filter_map(|part| part.split_once('\n'));
    let named = parts.filter(|(name, _)| only.as_ref().is_none_or(|only| only == name));
    named.map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

#[test]
fn written() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut files: Vec<_> = match std::env::var_os("JAVA_SLICE_FILE") {
        Some(file) => vec![file.into()],
        None => {
            let entries = std::fs::read_dir(dir).expect("the programs are there");
            entries.flatten().map(|entry| entry.path()).collect()
        }
    };
    files.sort();
    let mut programs = Vec::new();
    for file in files {
        programs.extend(programs_of(&std::fs::read_to_string(file).expect("a text")));
    }
    let step = if std::env::var_os("JAVA_SLICE_ALL").is_some() { 1 } else { 5 };
    check(&programs, step);
}

#[test]
fn generated() {
    let count = std::env::var("JAVA_SLICE_GENERATED").ok().and_then(|it| it.parse().ok());
    let seed = std::env::var("JAVA_SLICE_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(0);
    let programs: Vec<Written> = (seed..seed + count.unwrap_or(30))
        .map(|seed| (format!("generated {seed}"), generate::program(seed)))
        .collect();
    for chunk in programs.chunks(150) {
        check(chunk, 7);
    }
}
