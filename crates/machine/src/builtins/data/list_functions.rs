//! Functions of `lists` that are Erlang code in OTP, without those that take funs: native, because
//! programs call them all the time.
//!
//! They fail as the Erlang code does: mostly no clause matches, often deep inside, with what is
//! left of the list.

use std::collections::BTreeSet;

use atom::Atom;
use term::map::Key;
use term::{Map, Term, View, arith, order};

use super::lists::{difference, join, onto};
use super::{Builtin, Failure, Fallible, bad, below, failed_below, failed_in, natural, no_clause};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Control, Ctx, Return, builtins};
use crate::exception::{Exception, Trace, entry};

pub(super) const LISTS: &[Builtin] = builtins!(LISTS, HIDDEN;
    "append"/1 => append_all,
    "append"/2 => append,
    "delete"/2 => delete,
    "droplast"/1 => droplast,
    "duplicate"/2 => duplicate,
    "enumerate"/1 => |_, a| enumerate(&Term::int(1), &a[0], a),
    "enumerate"/2 => |_, a| enumerate(&a[0], &a[1], a),
    "flatlength"/1 => flatlength,
    "flatten"/1 => flatten,
    "flatten"/2 => flatten_onto,
    "join"/2 => intersperse,
    "last"/1 => last,
    "max"/1 => |_, a| extreme(&a[0], "max", std::cmp::Ordering::is_gt),
    "min"/1 => |_, a| extreme(&a[0], "min", std::cmp::Ordering::is_lt),
    "nth"/2 => nth,
    "nthtail"/2 => nthtail,
    "prefix"/2 => prefix,
    "reverse"/1 => reverse,
    "seq"/2 => seq,
    "seq"/3 => seq_by,
    "split"/2 => split,
    "sublist"/2 => sublist,
    "sublist"/3 => sublist_from,
    "subtract"/2 => subtract,
    "suffix"/2 => suffix,
    "sum"/1 => sum,
    "uniq"/1 => uniq,
    "unzip"/1 => unzip::<2>,
    "unzip3"/1 => unzip::<3>,
    "zip"/2 => zip,
    "zip3"/3 => zip3,
);

fn clause(name: &str, args: impl IntoIterator<Item = Term>) -> Failure {
    no_clause("lists", name, args)
}

/// The same of a function that has called itself so often before. A place from which a function
/// calls itself is in a stack trace once.
fn clause_below<const N: usize>(name: &str, args: [Term; N], calls: usize) -> Failure {
    let failed = entry(Atom::new("lists"), Atom::new(name), args.to_vec(), None);
    let callers = std::iter::repeat_n(called(name, N as u32), calls.min(1));
    below("function_clause", [failed].into_iter().chain(callers))
}

/// The entry of a function that called what failed.
fn called(name: &str, arity: u32) -> Term {
    Term::tuple([Term::atom("lists"), Term::atom(name), Term::from(arity), Term::NIL])
}

/// The elements of a list; if it does not end in `[]`, no clause of `name` takes the rest.
fn proper<'a>(list: &'a Term, name: &str) -> Fallible<Vec<&'a Term>> {
    let mut elements = list.elements();
    let all: Vec<&Term> = elements.by_ref().collect();
    if elements.is_proper() { Ok(all) } else { Err(clause(name, [elements.rest().clone()])) }
}

fn append(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let callers = || [called("append", 2)];
    let failure = || failed_below("badarg", "erlang", "++", args.iter().cloned(), callers());
    join(&args[0], args[1].clone()).ok_or_else(failure)
}

fn subtract(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let callers = || [called("subtract", 2)];
    let failure = || failed_below("badarg", "erlang", "--", args.iter().cloned(), callers());
    difference(&args[0], &args[1]).ok_or_else(failure)
}

fn append_all(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut lists = proper(&args[0], "append")?;
    let mut result = lists.pop().cloned().unwrap_or(Term::NIL);
    for (nth, list) in lists.into_iter().enumerate().rev() {
        result = match join(list, result.clone()) {
            Some(joined) => joined,
            None => {
                // It calls itself for what follows.
                let callers = std::iter::repeat_n(called("append", 1), nth.min(1) + 1);
                return Err(failed_below(
                    "badarg",
                    "erlang",
                    "++",
                    [list.clone(), result],
                    callers,
                ));
            }
        };
    }
    Ok(result)
}

fn delete(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let wanted = &args[0];
    let mut elements = args[1].elements();
    let mut before = Vec::new();
    for element in elements.by_ref() {
        if order::exact_eq(element, wanted) {
            return Ok(Term::improper(before, elements.rest().clone()));
        }
        before.push(element.clone());
    }
    if elements.is_proper() {
        Ok(args[1].clone())
    } else {
        Err(clause("delete", [wanted.clone(), elements.rest().clone()]))
    }
}

fn droplast(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut elements = proper(&args[0], "droplast")?;
    match elements.pop() {
        Some(_) => Ok(Term::list(elements.into_iter().cloned())),
        None => Err(clause("droplast", [Term::NIL])),
    }
}

/// Lists longer than whoever runs the Machine says are refused, before they take all memory.
fn too_long(function: &str, longest: usize) -> Failure {
    let what = format!("lists:{function}: a list of over {longest} elements");
    Control::Unsupported(what).into()
}

fn duplicate(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [count, element] = args else { return Err(bad()) };
    match natural(count) {
        Some(count) if count > cx.s.host.longest => Err(too_long("duplicate/2", cx.s.host.longest)),
        Some(count) => Ok((0..count).fold(Term::NIL, |tail, _| Term::cons(element.clone(), tail))),
        None => Err(clause("duplicate", args.iter().cloned())),
    }
}

fn enumerate(first: &Term, list: &Term, args: &[Term]) -> Return {
    if !first.is_integer() || !list.is_list() {
        return Err(clause("enumerate", args.iter().cloned()));
    }
    let mut index = first.clone();
    let mut pairs = Vec::new();
    for element in proper(list, "enumerate_1")? {
        let next = arith::add(&index, &Term::int(1)).map_err(|_| bad())?;
        pairs.push(Term::tuple([index, element.clone()]));
        index = next;
    }
    Ok(Term::list(pairs))
}

/// All elements that are not lists, at any depth.
fn flattened(list: &Term, name: &str) -> Fallible<Vec<Term>> {
    if !list.is_list() {
        return Err(clause(name, [list.clone()]));
    }
    let mut flat = Vec::new();
    let mut pending = Vec::new();
    // How often OTP's function would have called itself for what is left: once for each cell
    // before.
    let (mut rest, mut calls) = (list, 0);
    loop {
        match rest.view() {
            View::Cons(cell) => match cell.head.view() {
                View::Cons(_) => {
                    pending.push((&cell.tail, calls + 1));
                    rest = &cell.head;
                }
                head => {
                    if !matches!(head, View::Nil) {
                        flat.push(cell.head.clone());
                    }
                    (rest, calls) = (&cell.tail, calls + 1);
                }
            },
            View::Nil => match pending.pop() {
                Some(after) => (rest, calls) = after,
                None => return Ok(flat),
            },
            _ => return Err(clause_below("do_flatten", [rest.clone(), Term::NIL], calls)),
        }
    }
}

/// What follows a list in a list is counted before it, as it is in OTP.
fn flatlength(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut pending = Vec::new();
    let (mut rest, mut length) = (&args[0], 0usize);
    loop {
        match rest.view() {
            View::Cons(cell) => {
                match cell.head.is_list() {
                    true => pending.push(&cell.head),
                    false => length += 1,
                }
                rest = &cell.tail;
            }
            View::Nil => match pending.pop() {
                Some(list) => rest = list,
                None => return Ok(Term::from(length)),
            },
            _ => {
                let args = [rest.clone(), Term::from(length)];
                return Err(clause_below("flatlength", args, pending.len()));
            }
        }
    }
}

fn flatten(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(Term::list(flattened(&args[0], "flatten")?))
}

fn flatten_onto(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    if !args[0].is_list() || !args[1].is_list() {
        return Err(clause("flatten", args.iter().cloned()));
    }
    Ok(Term::improper(flattened(&args[0], "flatten")?, args[1].clone()))
}

fn intersperse(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut elements = args[1].elements();
    let mut result = Vec::new();
    for element in elements.by_ref() {
        if !result.is_empty() {
            result.push(args[0].clone());
        }
        result.push(element.clone());
    }
    if elements.is_proper() {
        return Ok(Term::list(result));
    }
    let name = if result.is_empty() { "join" } else { "join_prepend" };
    Err(clause(name, [args[0].clone(), elements.rest().clone()]))
}

fn last(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut elements = args[0].elements();
    match elements.by_ref().last() {
        None => Err(clause("last", [args[0].clone()])),
        Some(element) if elements.is_proper() => Ok(element.clone()),
        Some(element) => Err(clause("last", [element.clone(), elements.rest().clone()])),
    }
}

/// The first element to which no other is preferred.
fn extreme(list: &Term, name: &str, preferred: fn(std::cmp::Ordering) -> bool) -> Return {
    let mut elements = list.elements();
    let mut best = elements.next().ok_or_else(|| clause(name, [list.clone()]))?;
    for element in elements.by_ref() {
        if preferred(order::compare(element, best)) {
            best = element;
        }
    }
    if elements.is_proper() {
        Ok(best.clone())
    } else {
        Err(clause(name, [elements.rest().clone(), best.clone()]))
    }
}

/// Goes `steps` cells down a list, as `nth/2` and `nthtail/2` count: fails where the count cannot
/// be that, or the list is too short.
fn descend<'a>(name: &str, count: &Term, list: &'a Term, down_to: i64) -> Fallible<&'a Term> {
    let mut rest = list;
    let mut left = count.clone();
    while left.as_int() != Some(down_to) {
        let more = order::compare(&left, &Term::int(1)).is_gt()
            || (down_to == 0 && left.as_int() == Some(1));
        let Some(cell) = rest.as_cons().filter(|_| more) else {
            return Err(clause(name, [left, rest.clone()]));
        };
        left = arith::sub(&left, &Term::int(1)).map_err(|_| no_number(name))?;
        rest = &cell.tail;
    }
    Ok(rest)
}

/// Arithmetic inside the function itself, which has no entry of its own in OTP's stack trace.
fn no_number(name: &str) -> Failure {
    below("badarith", [called(name, 2)])
}

fn nth(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let rest = descend("nth", &args[0], &args[1], 1)?;
    match rest.as_cons() {
        Some(cell) => Ok(cell.head.clone()),
        None => Err(clause("nth", [Term::int(1), rest.clone()])),
    }
}

fn nthtail(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let rest = descend("nthtail", &args[0], &args[1], 0)?;
    // Whoever asked for a tail after an element gets whatever it is.
    if rest.is_list() || args[0].as_int() != Some(0) {
        Ok(rest.clone())
    } else {
        Err(clause("nthtail", [Term::int(0), rest.clone()]))
    }
}

fn prefix(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (mut a, mut b) = (&args[0], &args[1]);
    while let (Some(x), Some(y)) = (a.as_cons(), b.as_cons()) {
        if !order::exact_eq(&x.head, &y.head) {
            return Ok(Term::FALSE);
        }
        (a, b) = (&x.tail, &y.tail);
    }
    if a.is_list() && b.is_list() {
        Ok(Term::bool(a.is_nil()))
    } else {
        Err(clause("prefix", [a.clone(), b.clone()]))
    }
}

fn suffix(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let len = |list: &Term| {
        let callers = [called("suffix", 2)];
        let failure = || failed_below("badarg", "erlang", "length", [list.clone()], callers);
        list.list_len().ok_or_else(failure)
    };
    let whole = len(&args[1])?;
    let Some(skip) = whole.checked_sub(len(&args[0])?) else { return Ok(Term::FALSE) };
    let mut elements = args[1].elements();
    elements.by_ref().take(skip).for_each(drop);
    Ok(Term::bool(order::exact_eq(elements.rest(), &args[0])))
}

fn reverse(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    if let Some(reversed) = onto(&args[0], Term::NIL) {
        return Ok(reversed);
    }
    let mut elements = args[0].elements();
    match (elements.next(), elements.next()) {
        (Some(a), Some(b)) => {
            let start = Term::list([b.clone(), a.clone()]);
            Err(failed_in("badarg", "lists", "reverse", [elements.rest().clone(), start]))
        }
        _ => Err(clause("reverse", [args[0].clone()])),
    }
}

/// The list `first, first + step, …` of `count` numbers.
fn progression(longest: usize, first: &Term, step: &Term, count: &Term, function: &str) -> Return {
    let count = natural(count).filter(|&count| count <= longest);
    let count = count.ok_or_else(|| too_long(function, longest))?;
    if let (Some(first), Some(step)) = (first.as_int(), step.as_int())
        && let Some(last) = step.checked_mul(count as i64).and_then(|way| first.checked_add(way))
        && Term::small(last).is_some()
    {
        let numbers = (0..count as i64).map(|i| Term::int(first + i * step));
        return Ok(Term::list(numbers));
    }
    let mut numbers = Vec::with_capacity(count);
    let mut number = first.clone();
    for _ in 0..count {
        let next = arith::add(&number, step).map_err(|_| bad())?;
        numbers.push(number);
        number = next;
    }
    Ok(Term::list(numbers))
}

fn seq(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [first, last] = args else { return Err(bad()) };
    if first.is_integer()
        && last.is_integer()
        && let Ok(count) = arith::sub(last, first).and_then(|n| arith::add(&n, &Term::int(1)))
        && !arith::is_negative(&count)
    {
        return progression(cx.s.host.longest, first, &Term::int(1), &count, "seq/2");
    }
    Err(clause("seq", args.iter().cloned()))
}

fn seq_by(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [first, last, step] = args else { return Err(bad()) };
    if !args.iter().all(Term::is_integer) {
        return Err(bad());
    }
    if step.as_int() == Some(0) {
        return if order::exact_eq(first, last) {
            Ok(Term::list([first.clone()]))
        } else {
            Err(bad())
        };
    }
    // Numbers from first to last, if the step leads there; one step back is the empty list.
    let count =
        arith::sub(last, first).and_then(|way| arith::add(&way, step)).map_err(|_| bad())?;
    if count.as_int() != Some(0) && arith::is_negative(&count) != arith::is_negative(step) {
        return Err(bad());
    }
    let count = arith::int_div(&count, step).map_err(|_| bad())?;
    progression(cx.s.host.longest, first, step, &count, "seq/3")
}

fn split(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let is_count = args[0].is_integer() && !arith::is_negative(&args[0]);
    if !is_count || !args[1].is_list() {
        return Err(bad_split(args));
    }
    let count = natural(&args[0]).unwrap_or(usize::MAX);
    let mut elements = args[1].elements();
    let front: Vec<Term> = elements.by_ref().take(count).cloned().collect();
    if front.len() < count {
        return Err(if elements.is_proper() {
            bad_split(args)
        } else {
            clause("split", [args[0].clone(), elements.rest().clone(), Term::NIL])
        });
    }
    Ok(Term::tuple([Term::list(front), elements.rest().clone()]))
}

/// `badarg` that `lists:split/2` raises by itself, so without anything that explains it.
fn bad_split(args: &[Term]) -> Failure {
    let (module, name) = (atom::Atom::new("lists"), atom::Atom::new("split"));
    let trace = Trace::In { module, name, args: args.to_vec(), info: None };
    Exception { trace, ..Exception::badarg() }.into()
}

fn first_elements(list: &Term, count: &Term) -> Return {
    let failure = |rest: &Term| Err(clause("sublist_2", [rest.clone(), count.clone()]));
    if arith::is_negative(count) {
        return failure(list);
    }
    let count = natural(count).unwrap_or(usize::MAX);
    let mut elements = list.elements();
    let front: Vec<Term> = elements.by_ref().take(count).cloned().collect();
    if front.len() < count && !elements.is_proper() {
        return failure(elements.rest());
    }
    Ok(Term::list(front))
}

fn sublist(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    if !args[0].is_list() || !args[1].is_integer() {
        return Err(clause("sublist", args.iter().cloned()));
    }
    first_elements(&args[0], &args[1])
}

fn sublist_from(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let [list, start, count] = args else { return Err(bad()) };
    let failure =
        |list: &Term, start: Term| Err(clause("sublist", [list.clone(), start, count.clone()]));
    if !start.is_integer() {
        return failure(list, start.clone());
    }
    let mut rest = list;
    let mut start = start.clone();
    loop {
        if start.as_int() == Some(1) {
            if !rest.is_list() || !count.is_integer() || arith::is_negative(count) {
                return failure(rest, start);
            }
            return first_elements(rest, count);
        }
        if arith::is_negative(&start) || start.as_int() == Some(0) {
            return failure(rest, start);
        }
        match rest.view() {
            View::Nil => return Ok(Term::NIL),
            View::Cons(cell) => rest = &cell.tail,
            _ => return failure(rest, start),
        }
        start = arith::sub(&start, &Term::int(1)).map_err(|_| bad())?;
    }
}

fn sum(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut elements = args[0].elements();
    let mut sum = Term::int(0);
    for element in elements.by_ref() {
        sum = match arith::add(&sum, element) {
            Ok(sum) => sum,
            Err(_) => {
                let args = [sum, element.clone()];
                return Err(failed_below("badarith", "erlang", "+", args, [called("sum", 2)]));
            }
        };
    }
    if elements.is_proper() { Ok(sum) } else { Err(clause("sum", [elements.rest().clone(), sum])) }
}

fn uniq(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut seen = BTreeSet::new();
    let mut elements = args[0].elements();
    let is_new = |element: &&Term| seen.insert(Key((*element).clone()));
    let kept: Vec<Term> = elements.by_ref().filter(is_new).cloned().collect();
    if elements.is_proper() {
        return Ok(Term::list(kept));
    }
    let (rest, calls) = (elements.rest().clone(), kept.len());
    let met = Map::from_iter(kept.into_iter().map(|element| (element, Term::NIL)));
    Err(clause_below("uniq_1", [rest, Term::map(met)], calls))
}

fn unzip<const N: usize>(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let mut lists: [Vec<Term>; N] = std::array::from_fn(|_| Vec::new());
    let mut rest = &args[0];
    while let Some(cell) = rest.as_cons()
        && let Some(tuple) = cell.head.as_tuple()
        && tuple.len() == N
    {
        for (list, element) in lists.iter_mut().zip(tuple) {
            list.push(element.clone());
        }
        rest = &cell.tail;
    }
    if !rest.is_nil() {
        let name = if N == 2 { "unzip" } else { "unzip3" };
        let done = lists.map(|list| Term::list(list.into_iter().rev().collect::<Vec<_>>()));
        return Err(clause(name, std::iter::once(rest.clone()).chain(done)));
    }
    Ok(Term::tuple(lists.map(Term::list)))
}

fn zip(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (mut a, mut b) = (&args[0], &args[1]);
    let mut pairs = Vec::new();
    while let (Some(x), Some(y)) = (a.as_cons(), b.as_cons()) {
        pairs.push(Term::tuple([x.head.clone(), y.head.clone()]));
        (a, b) = (&x.tail, &y.tail);
    }
    if a.is_nil() && b.is_nil() {
        Ok(Term::list(pairs))
    } else {
        Err(clause_below("zip", [a.clone(), b.clone()], pairs.len()))
    }
}

fn zip3(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let (mut a, mut b, mut c) = (&args[0], &args[1], &args[2]);
    let mut triples = Vec::new();
    while let (Some(x), Some(y), Some(z)) = (a.as_cons(), b.as_cons(), c.as_cons()) {
        triples.push(Term::tuple([x.head.clone(), y.head.clone(), z.head.clone()]));
        (a, b, c) = (&x.tail, &y.tail, &z.tail);
    }
    if a.is_nil() && b.is_nil() && c.is_nil() {
        Ok(Term::list(triples))
    } else {
        Err(clause_below("zip3", [a.clone(), b.clone(), c.clone()], triples.len()))
    }
}
