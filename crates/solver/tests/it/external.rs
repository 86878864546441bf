//! Generated questions against z3, where one is installed (or `Z3` names it).

use std::time::Instant;

use solver::{Answer, Budget, Solver, Z3};

use crate::generate::{KINDS, query};

fn z3() -> Option<Z3> {
    match std::env::var_os("Z3") {
        Some(command) => Some(Z3::named(command)),
        None => Z3::found(),
    }
}

#[test]
fn does_not_contradict_z3() {
    let Some(mut z3) = z3() else {
        println!("skipped: there is no z3");
        return;
    };
    let count: u64 = std::env::var("QUERIES").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    println!(
        "{:<10} {:>6} {:>6} {:>8} {:>10} {:>9}",
        "kind", "sat", "unsat", "unknown", "ours known", "ms"
    );
    for kind in KINDS {
        let (mut sat, mut unsat, mut unknown, mut ours) = (0, 0, 0, 0);
        let before = Instant::now();
        for seed in 1..=count {
            let query = query(kind, seed);
            let mut solver = Solver::default();
            let own = solver.solve(&query.exprs, &query.assertions, &Budget::default());
            ours += u64::from(!matches!(own, Answer::Unknown(_)));
            let other = z3.solve(&query.exprs, &query.assertions);
            match &other {
                Answer::Sat(_) => sat += 1,
                Answer::Unsat(_) => unsat += 1,
                Answer::Unknown(_) => unknown += 1,
            }
            let contradiction = matches!(
                (&own, &other),
                (Answer::Sat(_), Answer::Unsat(_)) | (Answer::Unsat(_), Answer::Sat(_))
            );
            assert!(!contradiction, "{kind:?} {seed}: {own:?} {other:?}");
        }
        println!(
            "{:<10} {sat:>6} {unsat:>6} {unknown:>8} {ours:>10} {:>9.3}",
            format!("{kind:?}"),
            before.elapsed().as_secs_f64() * 1000.0 / count as f64
        );
    }
}

#[test]
fn a_solver_that_is_missing_or_ends_is_said_to() {
    let query = query(KINDS[0], 1);
    // The second is there, and says nothing.
    for command in ["there-is-no-such-solver", "true"] {
        let mut z3 = Z3::named(command);
        for _ in 0..2 {
            let answer = z3.solve(&query.exprs, &query.assertions);
            assert!(matches!(answer, Answer::Unknown(solver::Why::External(_))), "{answer:?}");
        }
    }
}
