//! Slices of runs, for a sample of the criteria of the corpus and of generated programs about
//! failures (all of them with `ERLSCOPE_SLICE_FULL`):
//!
//! * a slice of a run is part of the static slice of the same criterion;
//! * it compiles, and run again with the same input it shows the value that the criterion had at
//!   that time, not later than the program did. Where processes run at the same time, under one of
//!   a few schedules: leaving out what a process does moves what is left.
//!
//! How much smaller it is than the static slice is printed; in all, at least by a quarter.

mod harness;

use std::collections::BTreeSet;
use std::rc::Rc;

use flow::Site;
use flow::surroundings::Surroundings;
use harness::check::{Study, study};
use harness::corpus::{Case, cases, generated, is_full};
use harness::node::Loaded;
use harness::pool::for_each_case;
use runner::scheduler::Shuffled;
use slice::{Criterion, Extent, Options, Slice, Watcher};
use syntax::ast::Kind;

/// Inputs of each entry function.
const INPUTS: usize = 2;
/// Of the criteria that are reached, so many of each program are looked at.
const SAMPLE: usize = 6;
/// Schedules that are tried where the usual one does not show the value.
const SCHEDULES: u64 = 24;

/// So many per cent of the nodes of static slices are in slices of runs at most.
const MOST_OF_STATIC: f64 = 75.0;

#[derive(Default)]
struct Found {
    slices: usize,
    /// Sums of the nodes of the slices.
    of_static: usize,
    same_run: usize,
    this_value: usize,
    wrong: Vec<String>,
}

impl Found {
    /// How many per cent of the nodes of static slices these are.
    fn share(&self, part: usize) -> f64 {
        100.0 * part as f64 / self.of_static.max(1) as f64
    }
}

fn nodes(slice: &Slice<'_>) -> BTreeSet<Site> {
    slice.nodes().collect()
}

/// Whether a criterion has its values at the same times for who tells them and for who watches: not
/// one that a macro makes several of, nor the key of a map pattern, which is told when the pattern
/// fits.
fn is_comparable(study: &Study<'_>, criterion: usize) -> bool {
    let (site, named) = &study.criteria[criterion];
    let tree = &study.flow.modules[site.module].tree;
    let around = Surroundings::of(tree, site.module, &study.flow.functions);
    let is_key = std::iter::successors(Some(site.node), |&node| around.parent(node)).any(|node| {
        let parent = around.parent(node).map(|parent| tree.kind(parent));
        matches!(parent, Some(Kind::MapField { key, .. }) if key == node)
    });
    let place = |named: &Criterion| (named.module, named.line, named.column);
    let same = study.criteria.iter().filter(|(_, other)| place(other) == place(named)).count();
    !is_key && same == 1
}

fn check(study: &Study<'_>, program: &Loaded, criterion: usize, found: &mut Found) {
    let Some(&call) = study.reaching(criterion).last() else { return };
    let site = study.criteria[criterion].0;
    if !is_comparable(study, criterion) {
        return;
    }
    let name = format!("{} in {}", study.name(criterion), study.calls[call]);
    let counter = Rc::new(Watcher::counting(study.flow, site));
    program.watch(call, counter.clone());
    let told = study.told[call].of(criterion as u32);
    let times: usize = told.iter().map(Vec::len).sum();
    if counter.hits() != times as u64 {
        let message = format!("{name}: {times} values were told, {} seen", counter.hits());
        return found.wrong.push(message);
    }
    let mut wanted = vec![times];
    if times > 1 {
        wanted.push(1 + times / 2);
    }
    let static_slice = nodes(&study.graph.backward(&[site]));
    for time in wanted {
        let watcher = Rc::new(Watcher::recording(study.flow, site, time as u64));
        program.watch(call, watcher.clone());
        let name = format!("{name}, time {time} of {times}");
        let Some(run) = watcher.run() else {
            found.wrong.push(format!("{name}: not reached"));
            continue;
        };
        let value = study.graph.in_run(site, &run, Extent::ThisValue).expect("a short run").slice;
        let slice = study.graph.in_run(site, &run, Extent::SameRun).expect("a short run").slice;
        let of_run = nodes(&slice);
        if let Some(more) = of_run.difference(&static_slice).next() {
            let text = study.flow.text(*more);
            found.wrong.push(format!("{name}: `{text}` is not in the static slice"));
        }
        if !nodes(&value).is_subset(&of_run) {
            found.wrong.push(format!("{name}: this value is not part of the same run"));
        }
        found.slices += 1;
        found.of_static += static_slice.len();
        found.same_run += of_run.len();
        found.this_value += nodes(&value).len();
        // With several processes the order of what they told is not known.
        let values: Vec<&str> = match &told[..] {
            [only] => vec![only[time - 1]],
            several => several.iter().flatten().copied().collect(),
        };
        let shows = |telling: &Loaded, seed: Option<u64>| {
            let told = match seed {
                None => telling.run(call),
                Some(seed) => telling.run_by(call, &mut Shuffled::new(seed), None),
            };
            let shown = told.of(criterion as u32);
            shown.iter().any(|shown| shown.iter().take(time).any(|shown| values.contains(shown)))
        };
        let text = || slice.source(study.criteria[criterion].1.module).unwrap_or_default();
        match study.telling(&slice, criterion) {
            Ok(telling) => {
                let mut seeds = std::iter::once(None).chain((1..=SCHEDULES).map(Some));
                if !seeds.any(|seed| shows(&telling, seed)) {
                    let shown = telling.run(call);
                    let shown = shown.of(criterion as u32);
                    found.wrong.push(format!(
                        "{name}: {values:?} expected, shown is {shown:?}\n{}",
                        text()
                    ));
                }
            }
            Err(wrong) => found.wrong.push(format!("{name}: {wrong}\n{}", text())),
        }
    }
}

/// What was found in all of these programs.
fn check_all(cases: &[Case]) -> Found {
    let all = for_each_case(cases, |_, case, node| {
        study(case, node, Options::default(), INPUTS, |study| {
            let mut found = Found::default();
            let program = study.marked();
            let reached: Vec<usize> =
                (0..study.criteria.len()).filter(|&c| !study.reaching(c).is_empty()).collect();
            let step = if is_full() { 1 } else { reached.len().div_ceil(SAMPLE).max(1) };
            for &criterion in reached.iter().step_by(step) {
                check(study, &program, criterion, &mut found);
            }
            found
        })
    });
    let mut sum = Found::default();
    for found in all {
        sum.slices += found.slices;
        sum.of_static += found.of_static;
        sum.same_run += found.same_run;
        sum.this_value += found.this_value;
        sum.wrong.extend(found.wrong);
    }
    println!(
        "slices of runs of {} programs: {}\nof the nodes of the static slices: {:.1} %\nonly for this value: {:.1} %",
        cases.len(),
        sum.slices,
        sum.share(sum.same_run),
        sum.share(sum.this_value)
    );
    assert!(sum.wrong.is_empty(), "{} wrong:\n{}", sum.wrong.len(), sum.wrong.join("\n"));
    sum
}

#[test]
fn slices_of_runs_are_complete_and_part_of_static_ones() {
    let sum = check_all(&cases());
    if std::env::var_os("ERLSCOPE_SLICE_ONLY").is_none() {
        assert!(sum.share(sum.same_run) < MOST_OF_STATIC);
    }
}

#[test]
fn slices_of_runs_of_failing_programs() {
    let sum = check_all(&generated("failing", 20, harness::failing::program));
    assert!(sum.share(sum.same_run) < MOST_OF_STATIC);
}
