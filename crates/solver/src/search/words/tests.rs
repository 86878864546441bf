//! Clauses against all assignments, and what words compute against numbers.

use num_bigint::BigInt;
use num_traits::Zero;
use term::{Term, arith};

use super::bounds::Interval;
use super::circuit::Circuit;
use super::sat::{Lit, Sat};
use super::{Binop, bitwise, operate};
use crate::eval;
use crate::meter::{Meter, Stop};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

fn steps(count: u64) -> Meter {
    Meter::new(count, Stop::default())
}

#[test]
fn clauses_agree_with_all_assignments() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..3000 {
        let vars = 3 + random.below(8) as usize;
        let count = vars * 4 + random.below(8) as usize;
        let clauses: Vec<Vec<(usize, bool)>> = (0..count)
            .map(|_| {
                let size = 1 + random.below(8).min(3);
                (0..size)
                    .map(|_| (random.below(vars as u64) as usize, random.below(2) == 1))
                    .collect()
            })
            .collect();
        let holds = |code: usize| {
            clauses
                .iter()
                .all(|clause| clause.iter().any(|&(var, is)| (code >> var & 1 == 1) == is))
        };
        let expected = (0..1 << vars).any(holds);
        let mut solver = Sat::new();
        let lits: Vec<Lit> = (0..vars).map(|_| solver.variable()).collect();
        for clause in &clauses {
            let clause: Vec<Lit> = clause
                .iter()
                .map(|&(var, is)| if is { lits[var] } else { lits[var].not() })
                .collect();
            solver.add(&clause);
        }
        let found = solver.solve(&mut steps(1_000_000));
        assert_eq!(found, Some(expected), "{round}: {clauses:?}");
        if expected {
            sat += 1;
            let code = lits.iter().enumerate().fold(0, |code, (at, &lit)| {
                code | usize::from(solver.value(lit) == Some(true)) << at
            });
            assert!(holds(code), "{round}: {clauses:?}");
        } else {
            unsat += 1;
        }
    }
    assert!(sat > 300 && unsat > 300, "{sat} {unsat}");
}

/// Pigeons that do not fit: many conflicts, restarts and clauses that are forgotten.
#[test]
fn one_pigeon_too_many() {
    let (pigeons, holes) = (8, 7);
    let mut solver = Sat::new();
    let lits: Vec<Vec<Lit>> =
        (0..pigeons).map(|_| (0..holes).map(|_| solver.variable()).collect()).collect();
    lits.iter().for_each(|row| solver.add(row));
    for (number, one) in lits.iter().enumerate() {
        for other in &lits[..number] {
            for (a, b) in one.iter().zip(other) {
                solver.add(&[a.not(), b.not()]);
            }
        }
    }
    assert_eq!(solver.solve(&mut steps(50_000_000)), Some(false));
}

fn number(random: &mut Random) -> BigInt {
    let bits = 1 + random.below(12);
    let size = BigInt::from(random.below(1 << bits));
    if random.below(2) == 0 { -size } else { size }
}

/// The operation on unknowns that are held fast, and the result that is left open.
#[test]
fn words_compute_as_numbers_do() {
    let mut random = Random(77);
    let ops = [
        Binop::Mul,
        Binop::IntDiv,
        Binop::Rem,
        Binop::Band,
        Binop::Bor,
        Binop::Bxor,
        Binop::Bsl,
        Binop::Bsr,
    ];
    for round in 0..600 {
        let op = ops[random.below(8) as usize];
        let (a, mut b) = (number(&mut random), number(&mut random));
        if matches!(op, Binop::Bsl | Binop::Bsr) {
            b = BigInt::from(random.below(9) as i64 - 4);
        }
        let (x, y) = (Term::big(a.clone()), Term::big(b.clone()));
        let expected = eval::binop(op, &x, &y).and_then(|value| arith::to_bigint(&value));
        let mut circuit = Circuit::new();
        let limit = BigInt::from(1 << 14);
        let words = [&a, &b].map(|value| {
            let word = circuit.between(&-&limit, &limit);
            let fixed = circuit.constant(value);
            circuit.equate(&word, &fixed);
            word
        });
        let far = BigInt::from(1u64 << 40);
        let result = circuit.between(&-&far, &far);
        let counts = Interval { low: Some(BigInt::from(-5)), high: Some(BigInt::from(5)) };
        assert!(operate(&mut circuit, op, [&words[0], &words[1], &result], &counts));
        let found = circuit.sat.solve(&mut steps(10_000_000));
        match expected {
            None => assert_eq!(found, Some(false), "{round}: {a} {op:?} {b}"),
            Some(expected) => {
                assert_eq!(found, Some(true), "{round}: {a} {op:?} {b}");
                assert_eq!(circuit.value(&result), expected, "{round}: {a} {op:?} {b}");
            }
        }
    }
}

#[test]
fn sums_and_comparisons_are_exact() {
    let mut random = Random(99);
    for _ in 0..2000 {
        let (a, b) = (number(&mut random), number(&mut random));
        let mut circuit = Circuit::new();
        let (x, y) = (circuit.constant(&a), circuit.constant(&b));
        let sum = circuit.sum(&x, &y);
        assert_eq!(circuit.value(&sum), &a + &b);
        let difference = circuit.difference(&x, &y);
        assert_eq!(circuit.value(&difference), &a - &b);
        let scaled = circuit.scaled(&x, &b);
        assert_eq!(circuit.value(&scaled), &a * &b);
        let same = circuit.are_equal(&x, &y);
        assert_eq!(circuit.sat.value(same), Some(a == b));
        let both = bitwise(&mut circuit, Binop::Bxor, &x, &y);
        assert_eq!(circuit.value(&both), &a ^ &b);
        let size = circuit.magnitude(&x);
        assert_eq!(circuit.value(&size), if a < BigInt::zero() { -a } else { a });
    }
}
