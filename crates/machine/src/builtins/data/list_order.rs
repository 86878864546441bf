//! Sorting lists. Stable, as OTP's merge sort is: where `1 == 1.0`, which of the two comes first
//! can be seen.

use atom::known;
use term::{Term, order};

use super::{Builtin, Fallible, bad, failed_in, no_clause};
use crate::builtins::{Return, builtins};
use crate::exception::Exception;

pub(super) const LISTS: &[Builtin] = builtins!("lists", visible: false;
    "sort"/1 => |_, a| sorted(&a[0], false),
    "usort"/1 => |_, a| sorted(&a[0], true),
    "keysort"/2 => |_, a| sorted_by_key(a, false),
    "ukeysort"/2 => |_, a| sorted_by_key(a, true),
);

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
    }
    Ok(Term::list(elements))
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
            Err(Exception::tagged(known::CASE_CLAUSE, list.clone()).into())
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
