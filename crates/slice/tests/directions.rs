//! Forward slices, chops and several criteria at once, checked by running.
//!
//! * A program is run again with the value of one variable changed at one place. Whatever values
//!   are different then at another place are influenced: that place is in the forward slice of the
//!   first, the first is in the backward slice of it, and both are in the chop between them. Where
//!   something fails in one of the runs, the values before that count.
//! * The slice of two criteria is one for each of them.
//!
//! A sample of the criteria of a quarter of the programs is checked; `ERLSCOPE_SLICE_FULL=1` checks
//! more. Programs with several processes take no part in the first: who runs when may change with
//! anything.

mod harness;

use std::collections::BTreeSet;

use flow::Site;
use harness::check::{Study, study};
use harness::corpus::{Case, cases, is_full};
use harness::node::{Node, Told};
use harness::pool::for_each_case;
use slice::Options;
use syntax::ast::{Kind, NodeId};

#[derive(Default)]
struct Found {
    changed: usize,
    influenced: usize,
    /// Places in forward slices, and all places that were looked at.
    forward: usize,
    looked: usize,
    pairs: usize,
    failures: Vec<String>,
}

/// The criteria that are expressions of bodies: whether they are told depends on control only.
fn in_bodies(study: &Study<'_>) -> Vec<usize> {
    let mut outside: BTreeSet<Site> = BTreeSet::new();
    for (module, found) in study.flow.modules.enumerate() {
        let tree = &found.tree;
        let mut heads: Vec<NodeId> = Vec::new();
        for index in 0..tree.nodes.len() {
            match tree.kind(NodeId(index as u32)) {
                Kind::Clause { patterns, guards, .. } => {
                    heads.extend(tree.list(patterns).iter().chain(tree.list(guards)));
                }
                Kind::Match { pattern, .. }
                | Kind::MaybeMatch { pattern, .. }
                | Kind::Generator { pattern, .. } => heads.push(pattern),
                // What a macro or a maybe makes is in the slice as a whole.
                Kind::Maybe { .. } => heads.push(NodeId(index as u32)),
                _ => {}
            }
        }
        for head in heads {
            tree.for_each_below(head, |node| {
                outside.insert(Site { module, node });
            });
        }
    }
    (0..study.criteria.len()).filter(|&index| !outside.contains(&study.criteria[index].0)).collect()
}

/// The variables that a `case` compares with themselves: changed at one of both places they are
/// another program's.
fn compared_with_themselves(study: &Study<'_>) -> BTreeSet<Site> {
    let mut found = BTreeSet::new();
    for (module, flow_module) in study.flow.modules.enumerate() {
        let tree = &flow_module.tree;
        let variables = |node: NodeId| {
            let mut found = Vec::new();
            tree.for_each_below(node, |node| {
                if let Kind::Var(name) = tree.kind(node) {
                    found.push((name, node));
                }
            });
            found
        };
        for index in 0..tree.nodes.len() {
            let Kind::Case { subject, clauses } = tree.kind(NodeId(index as u32)) else { continue };
            let patterns = tree.list(clauses).iter().flat_map(|&clause| match tree.kind(clause) {
                Kind::Clause { patterns, .. } => tree.list(patterns).to_vec(),
                _ => Vec::new(),
            });
            let looked_at: Vec<_> = patterns.flat_map(variables).map(|(name, _)| name).collect();
            let same = variables(subject).into_iter().filter(|(name, _)| looked_at.contains(name));
            found.extend(same.map(|(_, node)| Site { module, node }));
        }
    }
    found
}

/// Whether one sequence begins with the other.
fn agree(before: &Told, after: &Told, criterion: usize) -> bool {
    let (before, after) = (before.of(criterion as u32), after.of(criterion as u32));
    let values = |told: &[Vec<&str>]| -> Vec<String> {
        told.first().into_iter().flatten().map(|value| (*value).to_owned()).collect()
    };
    let (before, after) = (values(&before), values(&after));
    before.starts_with(&after) || after.starts_with(&before)
}

/// Changes the value at one criterion, and looks at all others.
fn change(study: &Study<'_>, criterion: usize, places: &[usize], found: &mut Found) {
    let reaching = study.reaching(criterion);
    let alone = |told: &Told| told.processes.len() <= 1 && !told.bounded;
    if reaching.is_empty() || !reaching.iter().all(|&call| alone(&study.told[call])) {
        return;
    }
    let Some(changed) = study.load_changed(criterion) else { return };
    let site = study.criteria[criterion].0;
    let forward = study.graph.forward(&[site]);
    let mut differing: BTreeSet<usize> = BTreeSet::new();
    for &call in &reaching {
        let told = changed.run(call);
        if told.unsupported.is_some() || !alone(&told) {
            continue;
        }
        found.changed += 1;
        let others = places.iter().copied().filter(|&other| other != criterion);
        differing.extend(others.filter(|&other| !agree(&study.told[call], &told, other)));
    }
    found.looked += places.len();
    found.forward +=
        places.iter().filter(|&&other| forward.contains(study.criteria[other].0)).count();
    for other in differing {
        found.influenced += 1;
        let to = study.criteria[other].0;
        let chop = study.graph.chop(&[site], &[to]);
        let said = [
            (forward.contains(to), "is not in the forward slice of"),
            (study.graph.backward(&[to]).contains(site), "has not in its backward slice"),
            (chop.contains(site) && chop.contains(to), "has no chop from"),
        ];
        for (_, what) in said.iter().filter(|(holds, _)| !holds) {
            found.failures.push(format!("{} {what} {}", study.name(other), study.name(criterion)));
        }
    }
}

/// The slice of two criteria, for each of them.
fn both(study: &Study<'_>, first: usize, second: usize, found: &mut Found) {
    let slice = study.graph.backward(&[study.criteria[first].0, study.criteria[second].0]);
    let texts = study.texts(&slice);
    found.pairs += 1;
    for criterion in [first, second] {
        let rank = study.rank(&slice, criterion);
        if let Err(wrong) = study.check_texts(criterion, &texts, rank) {
            let names = format!("{} with {}", study.name(first), study.name(second));
            found.failures.push(format!("{names}, of {}: {wrong}", study.name(criterion)));
        }
        let alone = study.graph.backward(&[study.criteria[criterion].0]);
        if let Some(lost) = alone.nodes().find(|&site| !slice.contains(site)) {
            let text = study.flow.text(lost);
            found.failures.push(format!("{}: {text} is in its slice only", study.name(criterion)));
        }
    }
}

fn check_case(number: usize, case: &Case, node: &Node) -> Found {
    let sample = if is_full() { 4 } else { 30 };
    study(case, node, Options::default(), 6, |study| {
        let mut found = Found::default();
        let places = in_bodies(study);
        let compared = compared_with_themselves(study);
        for &criterion in places.iter().skip(number % sample).step_by(sample) {
            if compared.contains(&study.criteria[criterion].0) {
                continue;
            }
            change(study, criterion, &places, &mut found);
        }
        let count = study.criteria.len();
        for first in (number % sample..count).step_by(2 * sample) {
            both(study, first, (first + count / 2) % count, &mut found);
        }
        found
    })
}

#[test]
fn changed_values_are_in_forward_slices() {
    let mut cases = cases();
    if !is_full() {
        cases = cases.into_iter().step_by(4).collect();
    }
    let all = for_each_case(&cases, check_case);
    let mut sum = Found::default();
    for found in all {
        sum.changed += found.changed;
        sum.influenced += found.influenced;
        sum.forward += found.forward;
        sum.looked += found.looked;
        sum.pairs += found.pairs;
        sum.failures.extend(found.failures);
    }
    println!(
        "{} runs with a changed value, {} places influenced; {} of {} places are in forward slices; {} \
         slices of two criteria",
        sum.changed, sum.influenced, sum.forward, sum.looked, sum.pairs
    );
    assert!(sum.failures.is_empty(), "{}\n", sum.failures.join("\n"));
    assert!(sum.influenced > 20 && sum.pairs > 20 && sum.forward < sum.looked);
}
