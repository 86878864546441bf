//! Generated questions against exhaustive search over small domains.
//!
//! A model is evaluated; where the solver says that there is none, no assignment of the small
//! domain is one; parts of a contradiction contradict each other; the order of the conditions does
//! not decide. `cargo test -p solver -- naive --nocapture` prints the table.

use std::time::Instant;

use solver::{Answer, Budget, Evaluator, Model, Solver, VarId};

use crate::generate::{KINDS, Kind, Query, domain, query};

/// A model from the small domain, if there is one.
fn enumerate(kind: Kind, query: &Query, conditions: &[solver::ExprId]) -> Option<Model> {
    let domain = domain(kind);
    let count = domain.len().pow(query.vars);
    (0..count).find_map(|code| {
        let mut rest = code;
        let model: Model = (0..query.vars)
            .map(|var| {
                let value = domain[rest % domain.len()].clone();
                rest /= domain.len();
                (VarId(var), value)
            })
            .collect();
        let mut evaluator = Evaluator::new(&query.exprs, &model);
        conditions.iter().all(|&condition| evaluator.holds(condition)).then_some(model)
    })
}

#[derive(Default)]
struct Row {
    sat: usize,
    unsat: usize,
    unknown: usize,
    missed: usize,
    steps: u64,
    millis: f64,
}

/// Asks one question and holds the answer against everything that is known.
fn check(kind: Kind, seed: u64, row: &mut Row) {
    let mut query = query(kind, seed);
    let budget = Budget::default();
    let mut solver = Solver::default();
    let before = Instant::now();
    let answer = solver.solve(&query.exprs, &query.assertions, &budget);
    row.millis += before.elapsed().as_secs_f64() * 1000.0;
    row.steps += solver.statistics().steps;
    assert_eq!(solver.statistics().wrong_models, 0, "{kind:?} {seed}");
    let show = |query: &Query| {
        let show = |&id| solver::text(&query.exprs, id);
        query.assertions.iter().map(show).collect::<Vec<_>>().join("\n  ")
    };
    match &answer {
        Answer::Sat(model) => {
            row.sat += 1;
            let mut evaluator = Evaluator::new(&query.exprs, model);
            assert!(query.assertions.iter().all(|&a| evaluator.holds(a)), "{kind:?} {seed}");
        }
        Answer::Unsat(core) => {
            row.unsat += 1;
            let found = enumerate(kind, &query, &query.assertions);
            assert!(
                found.is_none(),
                "{kind:?} {seed}: not unsatisfiable: {found:?}\n  {}",
                show(&query)
            );
            let core: Vec<_> = core.iter().map(|&at| query.assertions[at]).collect();
            let found = enumerate(kind, &query, &core);
            assert!(found.is_none(), "{kind:?} {seed}: core {found:?}\n  {}", show(&query));
            let again = solver::solve(&query.exprs, &core, &budget);
            assert!(
                !matches!(again, Answer::Sat(_)),
                "{kind:?} {seed}: core is satisfiable\n  {}",
                show(&query)
            );
        }
        Answer::Unknown(why) => {
            row.unknown += 1;
            let found = enumerate(kind, &query, &query.assertions);
            row.missed += usize::from(found.is_some());
            if std::env::var_os("SHOW_UNKNOWN").is_some() {
                println!("{kind:?} {seed} {why:?} {found:?}\n  {}", show(&query));
            }
        }
    }
    if seed.is_multiple_of(5) {
        let again = solver::solve(&query.exprs, &query.assertions, &budget);
        assert_eq!(format!("{answer:?}"), format!("{again:?}"), "{kind:?} {seed}");
    }
    // The other way round.
    query.assertions.reverse();
    let reversed = solver::solve(&query.exprs, &query.assertions, &budget);
    let contradicts = matches!(
        (&answer, &reversed),
        (Answer::Sat(_), Answer::Unsat(_)) | (Answer::Unsat(_), Answer::Sat(_))
    );
    assert!(!contradicts, "{kind:?} {seed}: order matters\n  {}", show(&query));
}

#[test]
fn agrees_with_enumeration() {
    let count: u64 =
        std::env::var("QUERIES").ok().and_then(|text| text.parse().ok()).unwrap_or(150);
    let from: u64 = std::env::var("SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    println!(
        "{:<10} {:>6} {:>6} {:>7} {:>7} {:>9} {:>9}",
        "kind", "sat", "unsat", "unknown", "missed", "steps", "ms"
    );
    let mut worst = 0;
    for kind in KINDS {
        let mut row = Row::default();
        for seed in from..from + count {
            check(kind, seed, &mut row);
        }
        let all = count as f64;
        println!(
            "{:<10} {:>6} {:>6} {:>6.2}% {:>7} {:>9.0} {:>9.3}",
            format!("{kind:?}"),
            row.sat,
            row.unsat,
            100.0 * row.unknown as f64 / all,
            row.missed,
            row.steps as f64 / all,
            row.millis / all
        );
        if matches!(kind, Kind::Shapes | Kind::Linear | Kind::Lengths) {
            worst = worst.max(row.unknown);
        }
    }
    assert!(worst * 100 <= 3 * count as usize, "too many unknown: {worst}");
}
