//! What holds of values that were seen, in the manner of Daikon: a list of possible facts about one
//! value and about two, of which those are kept that no sample contradicts and that the samples are
//! varied enough to say something about.
//!
//! What is implied by something stronger that is kept is left out. A fact is a condition in Erlang
//! over the names of the values. Cost: facts times samples; two values are compared with each other
//! only if both are integers, or both lists.

use std::collections::BTreeSet;

use machine::contract::shown;
use term::{Term, order};

/// A value with its name, once for each sample.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) values: Vec<Term>,
}

/// So many different values have to be seen before a bound says something.
const VARIED: usize = 5;

/// A value that is one of a few is one of at most so many.
const FEW: usize = 3;

/// Differences of two integers, and of two lengths, that are told.
const NEAR: i64 = 3;

/// A condition and the variables that it is about, by their places.
pub(super) struct Fact {
    pub(super) text: String,
    pub(super) about: Vec<usize>,
}

/// What holds of all samples.
pub(super) fn facts(variables: &[Variable]) -> Vec<Fact> {
    let mut found = Vec::new();
    for (at, one) in variables.iter().enumerate() {
        for text in of_one(one) {
            found.push(Fact { text, about: vec![at] });
        }
        for (before, other) in variables[..at].iter().enumerate() {
            for text in of_two(one, other) {
                found.push(Fact { text, about: vec![before, at] });
            }
        }
    }
    found
}

fn of_one(variable: &Variable) -> Vec<String> {
    let Variable { name, values } = variable;
    let different: BTreeSet<String> = values.iter().map(shown).collect();
    if different.len() <= FEW {
        return few(name, values, &different);
    }
    if let Some(numbers) = integers(values) {
        return bounds(name, &numbers);
    }
    if lengths(values).is_some() {
        return of_lists(name, values);
    }
    Vec::new()
}

/// One value, or one of a few.
fn few(name: &str, values: &[Term], different: &BTreeSet<String>) -> Vec<String> {
    // Others would not be the same in another run.
    if !values.iter().all(is_plain) || values.len() < different.len() * VARIED {
        return Vec::new();
    }
    let all: Vec<&str> = different.iter().map(String::as_str).collect();
    match &all[..] {
        [] => Vec::new(),
        [only] => vec![format!("{name} =:= {only}")],
        several => vec![format!("lists:member({name}, [{}])", several.join(", "))],
    }
}

fn bounds(name: &str, numbers: &[i64]) -> Vec<String> {
    let different = numbers.iter().collect::<BTreeSet<_>>().len();
    if different < VARIED && numbers.len() < different * VARIED {
        return Vec::new();
    }
    let fact = |text: &str| vec![format!("{name} {text}")];
    let mut found = match (numbers.iter().min(), numbers.iter().max()) {
        (Some(1..), _) => fact("> 0"),
        (Some(0), _) => fact(">= 0"),
        (_, Some(..=-1)) => fact("< 0"),
        (_, Some(0)) => fact("=< 0"),
        _ if !numbers.contains(&0) => fact("=/= 0"),
        _ => Vec::new(),
    };
    // A bound that many come to is hardly there by chance.
    let many = |bound: i64| {
        let count = numbers.iter().filter(|&&number| number == bound).count();
        bound.abs() > 1 && count >= 2 * VARIED && count * 10 >= numbers.len()
    };
    for (bound, relation) in [(numbers.iter().min(), ">="), (numbers.iter().max(), "=<")] {
        if let Some(&bound) = bound.filter(|&&bound| many(bound)) {
            found.push(format!("{name} {relation} {bound}"));
        }
    }
    found
}

fn of_lists(name: &str, values: &[Term]) -> Vec<String> {
    let mut found = Vec::new();
    if !values.iter().any(Term::is_nil) {
        found.push(format!("{name} =/= []"));
    }
    let longer: Vec<Vec<Term>> =
        values.iter().filter_map(Term::to_vec).filter(|list| list.len() > 1).collect();
    let is_sorted =
        |list: &Vec<Term>| list.windows(2).all(|pair| order::compare(&pair[0], &pair[1]).is_le());
    if longer.len() >= VARIED && longer.iter().all(is_sorted) {
        found.push(format!("{name} =:= lists:sort({name})"));
    }
    found
}

fn of_two(one: &Variable, other: &Variable) -> Vec<String> {
    let pairs = || one.values.iter().zip(&other.values);
    let (a, b) = (&one.name, &other.name);
    let different: BTreeSet<String> = one.values.iter().map(shown).collect();
    if different.len() < VARIED {
        return Vec::new();
    }
    if pairs().all(|(x, y)| order::exact_eq(x, y)) {
        return vec![format!("{a} =:= {b}")];
    }
    if let (Some(x), Some(y)) = (integers(&one.values), integers(&other.values)) {
        return relation(a, b, &x, &y);
    }
    let mut found = Vec::new();
    if let (Some(x), Some(y)) = (lengths(&one.values), lengths(&other.values)) {
        let same = |(x, y): (&Term, &Term)| sorted(x) == sorted(y);
        match pairs().all(same) {
            true => found.push(format!("lists:sort({a}) =:= lists:sort({b})")),
            false => found.extend(relation(&length(a), &length(b), &x, &y)),
        }
    } else if let Some(lists) = elements(&other.values) {
        let is_in = |(x, list): (&Term, &Vec<Term>)| list.iter().any(|it| order::exact_eq(it, x));
        if one.values.iter().zip(&lists).all(is_in) {
            found.push(format!("lists:member({a}, {b})"));
        }
    } else if let Some(lists) = elements(&one.values) {
        let is_in = |(x, list): (&Term, &Vec<Term>)| list.iter().any(|it| order::exact_eq(it, x));
        if other.values.iter().zip(&lists).all(is_in) {
            found.push(format!("lists:member({b}, {a})"));
        }
    }
    found
}

fn length(name: &str) -> String {
    format!("length({name})")
}

/// How two numbers relate: the strongest that holds.
fn relation(a: &str, b: &str, x: &[i64], y: &[i64]) -> Vec<String> {
    let pairs = || x.iter().zip(y);
    let distance = |(x, y): (&i64, &i64)| x.checked_sub(*y);
    let first = pairs().next().and_then(distance);
    if let Some(by) =
        first.filter(|by| by.abs() <= NEAR && pairs().all(|it| distance(it) == Some(*by)))
    {
        return vec![match by {
            0 => format!("{a} =:= {b}"),
            1.. => format!("{a} =:= {b} + {by}"),
            _ => format!("{a} =:= {b} - {}", -by),
        }];
    }
    let holds = |test: fn(&i64, &i64) -> bool| pairs().all(|(x, y)| test(x, y));
    let fact = |relation: &str| vec![format!("{a} {relation} {b}")];
    match () {
        () if holds(|x, y| x < y) => fact("<"),
        () if holds(|x, y| x > y) => fact(">"),
        () if holds(|x, y| x <= y) => fact("=<"),
        () if holds(|x, y| x >= y) => fact(">="),
        () => Vec::new(),
    }
}

fn integers(values: &[Term]) -> Option<Vec<i64>> {
    values.iter().map(Term::as_int).collect()
}

/// The lengths of values that are all proper lists.
fn lengths(values: &[Term]) -> Option<Vec<i64>> {
    values.iter().map(|value| Some(list(value)?.len() as i64)).collect()
}

fn elements(values: &[Term]) -> Option<Vec<Vec<Term>>> {
    values.iter().map(list).collect()
}

fn list(value: &Term) -> Option<Vec<Term>> {
    if value.is_list() { value.to_vec() } else { None }
}

fn sorted(value: &Term) -> Vec<String> {
    let mut all: Vec<String> = value.to_vec().unwrap_or_default().iter().map(shown).collect();
    all.sort();
    all
}

/// Whether a value is the same in every run, and short.
fn is_plain(value: &Term) -> bool {
    value.as_atom().is_some() || value.as_int().is_some() || value.is_nil()
}
