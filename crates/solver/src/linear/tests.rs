//! Generated systems against enumeration.

use num_bigint::BigInt;

use super::{Constraint, Outcome, Rel, solve};
use crate::meter::{Meter, Stop};

fn steps(count: u64) -> Meter {
    Meter::new(count, Stop::default())
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }
}

fn holds(constraint: &Constraint, value: impl Fn(u32) -> BigInt) -> bool {
    let sum = constraint
        .terms
        .iter()
        .fold(constraint.constant.clone(), |sum, (var, factor)| sum + factor * value(*var));
    let zero = BigInt::default();
    match constraint.rel {
        Rel::Eq => sum == zero,
        Rel::Ge => sum >= zero,
        Rel::Ne => sum != zero,
    }
}

#[test]
fn agrees_with_enumeration() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for round in 0..20_000 {
        let vars = 1 + random.below(3) as u32;
        let count = 1 + random.below(6);
        let constraints: Vec<Constraint> = (0..count)
            .map(|_| {
                let terms = (0..vars)
                    .filter_map(|var| {
                        let factor = random.below(9) as i64 - 4;
                        (factor != 0).then(|| (var, BigInt::from(factor)))
                    })
                    .collect();
                let constant = BigInt::from(random.below(15) as i64 - 7);
                let rel = [Rel::Eq, Rel::Ge, Rel::Ge, Rel::Ge, Rel::Ne][random.below(5) as usize];
                Constraint { terms, constant, rel }
            })
            .collect();
        let found = (0..13i64.pow(vars)).any(|code| {
            let value = |var: u32| BigInt::from(code / 13i64.pow(var) % 13 - 6);
            constraints.iter().all(|constraint| holds(constraint, value))
        });
        match solve(&constraints, &mut steps(100_000)) {
            Outcome::Sat(values) => {
                sat += 1;
                for constraint in &constraints {
                    let value = |var: u32| values.get(&var).cloned().unwrap_or_default();
                    assert!(holds(constraint, value), "{round}: {constraints:?} {values:?}");
                }
            }
            Outcome::Unsat => {
                unsat += 1;
                assert!(!found, "{round}: {constraints:?}");
            }
            Outcome::Unknown => unknown += 1,
        }
    }
    assert!(sat > 5_000 && unsat > 3_000 && unknown < 40, "{sat} {unsat} {unknown}");
}

#[test]
fn large_numbers() {
    let huge: BigInt = BigInt::from(1) << 200;
    let row = |factor: i64, constant: BigInt, rel| Constraint {
        terms: vec![(0, BigInt::from(factor))],
        constant,
        rel,
    };
    let above = row(1, -huge.clone(), Rel::Ge);
    assert!(matches!(solve(std::slice::from_ref(&above), &mut steps(1000)), Outcome::Sat(values)
        if values[&0] == huge));
    let below = row(-1, huge - 1, Rel::Ge);
    assert_eq!(solve(&[above, below], &mut steps(1000)), Outcome::Unsat);
}
