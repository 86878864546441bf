//! How small slices are: over all criteria of the corpus, the mean of the share of the program's
//! nodes that is in the slice,
//!
//! * as it is by default,
//! * (a) without constraints: fields of data structures are not told apart,
//! * (b) with whole expressions of bodies as units,
//! * (c) with clauses that can never be chosen,
//!
//! and against what is left when everything is deleted that can be without the values changing
//! ([`harness::minimal`]), for a sample of the criteria. The figures are kept in `precision.txt`;
//! they may get better, then the file is to be written anew (`UPDATE_EXPECT=1`), but not worse.

mod harness;

use std::fmt::Write as _;

use harness::check::study;
use harness::corpus::{Case, cases, is_full, tests};
use harness::minimal::minimal_size;
use harness::node::Node;
use harness::pool::for_each_case;
use program::Program;
use slice::{Granularity, Graph, Options};
use syntax::ast::Kind;

/// The ways to slice that are compared.
fn ways() -> [(&'static str, Options); 4] {
    let default = Options::default();
    [
        ("default", default),
        ("no constraints", Options { constraints: false, ..default }),
        ("statements", Options { granularity: Granularity::Statement, ..default }),
        ("all clauses", Options { clause_reachability: false, ..default }),
    ]
}

/// Nodes of the functions of a program.
fn size_of(program: &Program) -> usize {
    let mut size = 0;
    for module in &program.modules {
        for &form in &module.tree.forms {
            if matches!(module.tree.kind(form), Kind::Function { .. }) {
                module.tree.for_each_below(form, |_| size += 1);
            }
        }
    }
    size
}

/// For each way, the sums over all criteria of the share of the nodes that is in the slice, and of
/// how much smaller the slice is by default.
fn shares(case: &Case) -> (usize, [(f64, f64); 4]) {
    let program = case.load();
    let flow = flow::analyse(&program, &flow::Entry::Exported).expect("the entry is there");
    let whole = size_of(&program) as f64;
    let mut sums = [(0.0, 0.0); 4];
    let mut defaults: Vec<f64> = Vec::new();
    for (way, (_, options)) in ways().into_iter().enumerate() {
        let graph = Graph::build(&program, &flow, options);
        for (index, (site, wanted)) in graph.criteria().into_iter().enumerate() {
            let size = graph.backward(&[site]).size() as f64;
            if way == 0 && std::env::var_os("ERLSCOPE_SLICE_SHOW").is_some() {
                println!("{}:{} {} {size}", wanted.module, wanted.line, wanted.variable);
            }
            if way == 0 {
                defaults.push(size);
            }
            sums[way].0 += size / whole;
            // What is never reached has slices without a node.
            sums[way].1 += if size > 0.0 { 1.0 - defaults[index] / size } else { 0.0 };
        }
    }
    (defaults.len(), sums)
}

/// Sizes of slices and of what deletion leaves of them: sums over a sample of criteria.
fn minimal(number: usize, case: &Case, node: &Node) -> (usize, usize, usize, usize) {
    let (sample, patience) = if is_full() { (100, 1500) } else { (600, 150) };
    study(case, node, Options::default(), 4, |study| {
        let (mut count, mut sliced, mut left, mut runs) = (0, 0, 0, 0);
        for criterion in 0..study.criteria.len() {
            let chosen = (criterion + 57 * number).is_multiple_of(sample);
            if !chosen || study.reaching(criterion).is_empty() {
                continue;
            }
            if let Some(found) = minimal_size(study, criterion, patience) {
                count += 1;
                sliced += found.slice;
                left += found.minimal;
                runs += found.tried;
            }
        }
        (count, sliced, left, runs)
    })
}

#[test]
fn sizes_of_slices() {
    let cases = cases();
    let all = for_each_case(&cases, |_, case, _| shares(case));
    let mut count = 0;
    let mut sums = [(0.0, 0.0); 4];
    for (case, (criteria, shares)) in cases.iter().zip(all) {
        count += criteria;
        let mean = |sum: f64| 100.0 * sum / criteria as f64;
        println!(
            "{:24} {criteria:4} criteria {:6.2} % of the nodes, smaller by {:6.2} % {:6.2} % {:6.2} %",
            case.name,
            mean(shares[0].0),
            mean(shares[1].1),
            mean(shares[2].1),
            mean(shares[3].1)
        );
        for (sum, share) in sums.iter_mut().zip(shares) {
            *sum = (sum.0 + share.0, sum.1 + share.1);
        }
    }
    let mut text = format!("{} programs, {count} criteria\n", cases.len());
    let mean = |index: usize| 100.0 * sums[index].0 / count as f64;
    for (index, (name, _)) in ways().iter().enumerate() {
        let _ = writeln!(
            text,
            "{name}: {:.2} % of the nodes; slices are by default {:.2} % smaller in the mean",
            mean(index),
            100.0 * sums[index].1 / count as f64
        );
    }
    println!("{text}");
    if std::env::var_os("ERLSCOPE_SLICE_ONLY").is_some() {
        return;
    }
    let path = tests().join("precision.txt");
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, text).expect("the file can be written");
        return;
    }
    let figure = |text: &str| -> Option<f64> {
        text.lines()
            .find_map(|line| line.strip_prefix("default: "))?
            .split(' ')
            .next()?
            .parse()
            .ok()
    };
    let (before, now) = (figure(&kept).expect("a figure"), mean(0));
    assert!(now <= before + 0.005, "slices have grown: {before:.2} % before, {now:.2} % now");
}

#[test]
fn sizes_against_what_deletion_leaves() {
    let cases = cases();
    let numbers: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    let all = for_each_case(&cases, |_, case, node| {
        let number = numbers.iter().position(|name| *name == case.name).unwrap_or_default();
        minimal(number, case, node)
    });
    let (mut count, mut sliced, mut left, mut tried) = (0, 0, 0, 0);
    for found in all {
        count += found.0;
        sliced += found.1;
        left += found.2;
        tried += found.3;
    }
    println!(
        "{count} criteria: slices have {sliced} nodes, {left} are left by deletion ({:.1} %), {tried} texts tried",
        100.0 * left as f64 / sliced.max(1) as f64
    );
    assert!(left <= sliced);
}
