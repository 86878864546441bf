//! Path conditions as a search makes them: one program, many questions with a common prefix.
//!
//! `cargo test -p solver -- paths --nocapture` prints what a question costs.

use std::time::Instant;

use solver::{
    Answer, BitsType, Budget, Comparison, ExprId, Exprs, Field, Solver, Test, Unary, VarId,
};

/// The conditions of a run that inserts the elements of a list one after the other into a sorted
/// one; the list is `[N, …, 2, 1]`, so each element goes to the front.
fn insertion(exprs: &mut Exprs, length: usize) -> Vec<ExprId> {
    let mut path = Vec::new();
    let mut rest = exprs.var(VarId(0));
    let mut sorted: Vec<ExprId> = Vec::new();
    for at in 0..length {
        path.push(exprs.test(Test::Cons, rest));
        let head = exprs.unary(Unary::Hd, rest);
        path.push(exprs.test(Test::Integer, head));
        // Compared with every other element that is in place.
        for &other in sorted.iter().take(1 + at % 3) {
            path.push(exprs.compare(Comparison::Less, head, other));
        }
        sorted.insert(0, head);
        rest = exprs.unary(Unary::Tl, rest);
    }
    path.push(exprs.test(Test::Nil, rest));
    path
}

/// The conditions of a loop over the bytes of a binary, which are compared with one constant each.
fn bytes(exprs: &mut Exprs, length: usize) -> Vec<ExprId> {
    let mut path = Vec::new();
    let mut rest = exprs.var(VarId(0));
    let (zero, eight) = (exprs.int(0), exprs.int(8));
    let part = |bits, offset, size, unit, ty| Field {
        bits,
        offset,
        size,
        unit,
        ty,
        signed: false,
        little: false,
        width: false,
    };
    for at in 0..length {
        let byte = exprs.field(part(rest, zero, Some(eight), 1, BitsType::Integer));
        let tail = exprs.field(part(rest, eight, None, 8, BitsType::Bits));
        path.push(exprs.test(Test::Defined, byte));
        path.push(exprs.test(Test::Defined, tail));
        let letter = exprs.int(65 + at as i64 % 26);
        path.push(exprs.exact(byte, letter));
        rest = tail;
    }
    let size = exprs.unary(Unary::BitSize, rest);
    path.push(exprs.exact(size, zero));
    path
}

/// Asks for each condition turned, after what comes before it.
fn turn_all(exprs: &mut Exprs, path: &[ExprId]) -> (usize, usize, usize, f64) {
    let mut solver = Solver::default();
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    let before = Instant::now();
    for at in 0..path.len() {
        let turned = exprs.not(path[at]);
        let mut question = path[..at].to_vec();
        question.push(turned);
        let steps = solver.statistics().steps;
        let start = Instant::now();
        let answer = solver.solve(exprs, &question, &Budget::default());
        if std::env::var_os("SHOW_STEPS").is_some() {
            let spent = solver.statistics().steps - steps;
            println!("{at} {} {spent} {:?}", solver::text(exprs, turned), start.elapsed());
        }
        match answer {
            Answer::Sat(_) => sat += 1,
            Answer::Unsat(_) => unsat += 1,
            Answer::Unknown(_) => unknown += 1,
        }
    }
    (sat, unsat, unknown, before.elapsed().as_secs_f64() * 1000.0 / path.len() as f64)
}

#[test]
fn every_branch_of_an_insertion_can_be_turned_or_not() {
    for length in [4, 8, 16, 32] {
        let mut exprs = Exprs::new();
        let path = insertion(&mut exprs, length);
        let (sat, unsat, unknown, millis) = turn_all(&mut exprs, &path);
        println!("{} conditions: {sat} {unsat} {unknown}, {millis:.3} ms each", path.len());
        assert_eq!(unknown, 0);
        // A comparison with a larger element than one before follows from it.
        assert!(sat > 2 * length);
    }
}

#[test]
fn every_byte_of_a_binary_can_be_turned() {
    for length in [2, 4, 8, 16] {
        let mut exprs = Exprs::new();
        let path = bytes(&mut exprs, length);
        let (sat, unsat, unknown, millis) = turn_all(&mut exprs, &path);
        println!("{} conditions: {sat} {unsat} {unknown}, {millis:.3} ms each", path.len());
        assert_eq!(unknown, 0);
    }
}
