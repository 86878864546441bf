//! Sorting lists.
//!
//! `keysort/2`, `ukeysort/2` and `usort/1` are stable. `sort/1` is not: where `1 == 1.0`, which of
//! the two comes first depends on how OTP's merge sort goes about it. So if there are such
//! elements, the list is sorted again in OTP's way ([`in_otps_way`]).

use atom::known;
use term::{Term, order};

use super::{Builtin, Fallible, bad, failed_in, no_clause};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};
use crate::exception::{Exception, Trace};

pub(super) const LISTS: &[Builtin] = builtins!(LISTS, HIDDEN;
    "sort"/1 => |cx, a| { charge(cx, &a[0]); sorted(&a[0], false) },
    "usort"/1 => |cx, a| { charge(cx, &a[0]); sorted(&a[0], true) },
    "keysort"/2 => |cx, a| { charge(cx, &a[1]); sorted_by_key(a, false) },
    "ukeysort"/2 => |cx, a| { charge(cx, &a[1]); sorted_by_key(a, true) },
);

/// Sorting counts as a call for each element.
fn charge(cx: &mut Ctx<'_>, list: &Term) {
    let length = list.elements().count();
    cx.s.node.turn.charge(u32::try_from(length).unwrap_or(u32::MAX));
}

fn sorted(list: &Term, unique: bool) -> Return {
    let Some(mut elements) = list.to_vec() else {
        let name = if unique { "usort" } else { "sort" };
        return Err(no_clause("lists", name, [list.clone()]));
    };
    let numbers: Option<Vec<i64>> = elements.iter().map(Term::as_int).collect();
    if let Some(mut numbers) = numbers {
        // Equal small integers cannot be told apart.
        numbers.sort_unstable();
        if unique {
            numbers.dedup();
        }
        return Ok(Term::list(numbers.into_iter().map(Term::int)));
    }
    elements.sort_by(order::compare);
    if unique {
        elements.dedup_by(|later, earlier| order::loose_eq(later, earlier));
    } else if elements.len() > 3 && elements.windows(2).any(differ_in_type) {
        elements = in_otps_way(list.elements().cloned());
    }
    Ok(Term::list(elements))
}

fn differ_in_type(pair: &[Term]) -> bool {
    order::loose_eq(&pair[0], &pair[1]) && !order::exact_eq(&pair[0], &pair[1])
}

/// Whether the elements of a run go up or down, from its end to its start.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Up,
    Down,
}

/// The order in which OTP's merge sort leaves at least two elements.
fn in_otps_way(elements: impl Iterator<Item = Term>) -> Vec<Term> {
    let (mut way, mut runs) = runs(elements);
    loop {
        let mut merged = Vec::new();
        let mut rest = runs.into_iter().peekable();
        if way == Way::Up
            && let Some(only) = rest.next_if(|_| true)
        {
            if rest.peek().is_none() {
                return only.into_iter().rev().collect();
            }
            let group = std::iter::once(only).chain(rest.by_ref().take(2)).collect();
            merged.push(merge(group, way));
        }
        while rest.peek().is_some() {
            merged.push(merge(rest.by_ref().take(3).collect(), way));
        }
        merged.reverse();
        runs = merged;
        way = if way == Way::Up { Way::Down } else { Way::Up };
    }
}

/// Takes the list apart into runs. A run is open at two places: a new element goes after its last
/// one or before that; one that fits neither is put in front if nothing is there yet, or waits.
/// Runs are returned last first, each with its end as the first to be taken.
fn runs(mut elements: impl Iterator<Item = Term>) -> (Way, Vec<Vec<Term>>) {
    let mut run = Vec::new();
    let (Some(mut x), Some(mut y)) = (elements.next(), elements.next()) else {
        return (Way::Up, vec![Vec::new()]);
    };
    // Equal elements at the start say nothing about the way.
    while order::loose_eq(&x, &y)
        && let Some(next) = elements.next()
    {
        run.push(x);
        (x, y) = (y, next);
    }
    // Runs that go up are merged from their upper ends, so down.
    let way = if order::compare(&x, &y).is_le() { Way::Down } else { Way::Up };
    let follows = |a: &Term, b: &Term| match way {
        Way::Down => order::compare(a, b).is_ge(),
        Way::Up => order::compare(a, b).is_le(),
    };
    let mut runs = Vec::new();
    let mut waiting: Option<Term> = None;
    for z in elements {
        if follows(&z, &y) {
            run.push(std::mem::replace(&mut x, std::mem::replace(&mut y, z)));
        } else if follows(&z, &x) {
            run.push(std::mem::replace(&mut x, z));
        } else if let Some(first) = waiting.take() {
            let ordered = match way {
                Way::Down => order::compare(&first, &z).is_le(),
                Way::Up => order::compare(&first, &z).is_gt(),
            };
            let (new_x, new_y) = if ordered { (first, z) } else { (z, first) };
            run.push(std::mem::replace(&mut x, new_x));
            run.push(std::mem::replace(&mut y, new_y));
            runs.push(std::mem::take(&mut run));
        } else if run.is_empty() {
            run.push(z);
        } else {
            waiting = Some(z);
        }
    }
    run.extend([x, y]);
    runs.push(run);
    runs.extend(waiting.map(|alone| vec![alone]));
    runs.reverse();
    (way, runs)
}

/// Merges up to three runs: the smallest (going up) or largest end is taken first, of equal ones
/// that of the first run. A run that is alone is turned around too.
fn merge(mut group: Vec<Vec<Term>>, way: Way) -> Vec<Term> {
    let mut merged = Vec::with_capacity(group.iter().map(Vec::len).sum());
    loop {
        group.retain(|run| !run.is_empty());
        let mut best: Option<usize> = None;
        for (at, run) in group.iter().enumerate() {
            let better = best.and_then(|best| group[best].last()).zip(run.last()).is_none_or(
                |(best, end)| match way {
                    Way::Up => order::compare(end, best).is_lt(),
                    Way::Down => order::compare(end, best).is_gt(),
                },
            );
            if better {
                best = Some(at);
            }
        }
        match best.and_then(|at| group[at].pop()) {
            Some(end) => merged.push(end),
            None => return merged,
        }
    }
}

fn sorted_by_key(args: &[Term], unique: bool) -> Return {
    let [position, list] = args else { return Err(bad()) };
    let name = if unique { "ukeysort" } else { "keysort" };
    if !position.is_integer() || order::compare(position, &Term::int(1)).is_lt() {
        return Err(no_clause("lists", name, args.iter().cloned()));
    }
    let mut elements = list.elements();
    let all: Vec<Term> = elements.by_ref().cloned().collect();
    if all.len() < 2 {
        return if elements.is_proper() {
            Ok(list.clone())
        } else {
            let (module, name) = (atom::Atom::new("lists"), atom::Atom::new(name));
            let trace = Trace::In { module, name, args: args.to_vec(), info: None };
            let exception = Exception::tagged(known::CASE_CLAUSE, list.clone());
            Err(Exception { trace, ..exception }.into())
        };
    }
    let mut keyed = all
        .into_iter()
        .map(|element| Ok((key(&element, position)?, element)))
        .collect::<Fallible<Vec<(Term, Term)>>>()?;
    if !elements.is_proper() {
        let name = if unique { "ukeysort_1" } else { "keysort_1" };
        return Err(no_clause("lists", name, [elements.rest().clone()]));
    }
    keyed.sort_by(|(a, _), (b, _)| order::compare(a, b));
    if unique {
        keyed.dedup_by(|(later, _), (earlier, _)| order::loose_eq(later, earlier));
    }
    Ok(Term::list(keyed.into_iter().map(|(_, element)| element)))
}

fn key(element: &Term, position: &Term) -> Fallible<Term> {
    let place = position.as_int().and_then(|position| usize::try_from(position - 1).ok());
    let found = element.as_tuple().zip(place).and_then(|(tuple, place)| tuple.get(place));
    let failure = || failed_in("badarg", "erlang", "element", [position.clone(), element.clone()]);
    found.cloned().ok_or_else(failure)
}
