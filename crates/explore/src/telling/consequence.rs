//! Which ends of processes follow from which others, so that causes are told first and what they
//! brought down with them.
//!
//! An end is a *consequence* of an earlier one if that is in its past (it comes before it in all
//! equivalent executions: `story/past.rs`) and the reason of the earlier one appears in its own:
//!
//! * as the reason itself: a link, or a process that hears of the end and ends so, too;
//! * in `{Reason, {gen_server, call, Arguments}}`: a call of a server that died of it;
//! * anywhere in it, if the reason is a term with parts, such as an exception with its stack trace:
//!   what somebody heard of the end did not match, or was raised again;
//! * if the reason is an atom or the like, which may be there by chance: as an element of the
//!   reason that is not its first, as what did not match, or in that as what `'DOWN'`, `'EXIT'`,
//!   `{error, Reason}` and exceptions say.
//!
//! Everything else is told by itself: it only happened later. What this misses is an end that
//! follows from another but says nothing of its reason.

use std::cell::RefCell;

use machine::{Pid, Term};
use rustc_hash::FxHashMap;
use term::order::exact_eq;

use crate::reason::parts;

/// Of processes that ended for reasons that are not normal, in the order of their ends: the one
/// whose end brought it about, if there is one, and none that brought that about. `tells_of` says
/// whether the reason of one (the second) tells of that of another; `after_another` of ends, which
/// are in order, whether they come after another of them.
pub(crate) fn roots(
    ended: &[Pid],
    tells_of: &dyn Fn(usize, usize) -> bool,
    after_another: &dyn Fn(&[Pid]) -> Vec<bool>,
) -> Vec<Option<usize>> {
    let mut roots: Vec<Option<usize>> = Vec::with_capacity(ended.len());
    for (at, pid) in ended.iter().enumerate() {
        let earlier: Vec<usize> = (0..at).filter(|earlier| tells_of(*earlier, at)).collect();
        let is_after = |of: &[usize]| {
            let pids: Vec<Pid> = of.iter().map(|at| ended[*at]).chain([*pid]).collect();
            after_another(&pids).last() == Some(&true)
        };
        let cause = match earlier.is_empty() || !is_after(&earlier) {
            true => None,
            false => earlier.iter().copied().find(|earlier| is_after(&[*earlier])),
        };
        roots.push(cause.map(|cause| roots[cause].unwrap_or(cause)));
    }
    roots
}

/// Pairs of reasons that were compared, by their fingerprints: executions of one search end for the
/// same few reasons again and again.
#[derive(Default)]
pub(crate) struct Compared(RefCell<FxHashMap<(u64, u64), bool>>);

/// More pairs are not remembered.
const MOST_COMPARED: usize = 10_000;

impl Compared {
    /// Whether a reason tells of another; each with its fingerprint.
    pub(crate) fn appears(&self, cause: (u64, &Term), reason: (u64, &Term)) -> bool {
        let pair = (cause.0, reason.0);
        if let Some(known) = self.0.borrow().get(&pair) {
            return *known;
        }
        let appears = appears(cause.1, reason.1);
        let mut known = self.0.borrow_mut();
        if known.len() < MOST_COMPARED {
            known.insert(pair, appears);
        }
        appears
    }
}

/// Whether a reason tells of another.
pub(crate) fn appears(cause: &Term, reason: &Term) -> bool {
    if exact_eq(cause, reason) {
        return true;
    }
    let has_parts =
        cause.as_tuple().is_some() || cause.as_cons().is_some() || cause.as_map().is_some();
    match has_parts {
        true => parts(reason).any(|part| exact_eq(part, cause)),
        false => wraps(reason, cause) || parts(reason).any(|part| names(part, cause)),
    }
}

/// Whether a reason is a tuple, be it with a stack trace, that has another as an element:
/// `{worker_failed, oops}`. The first element says what kind of reason it is, and is not meant.
fn wraps(reason: &Term, cause: &Term) -> bool {
    let is_in = |elements: &[Term]| elements.iter().skip(1).any(|it| exact_eq(it, cause));
    match reason.as_tuple() {
        Some([inner, trace]) if trace.as_cons().is_some() => inner.as_tuple().is_some_and(is_in),
        Some(elements) => is_in(elements),
        None => false,
    }
}

/// What calls of servers exit with by themselves.
const OF_CALLS: [&str; 4] = ["timeout", "noproc", "nodedown", "calling_self"];

/// Whether a part of a reason is such that a reason without parts is meant there.
fn names(part: &Term, cause: &Term) -> bool {
    match part.as_tuple() {
        Some([why, call]) if is_call(call) => {
            let is_own = cause.as_atom().is_some_and(|atom| OF_CALLS.contains(&atom.as_str()));
            !is_own && exact_eq(why, cause)
        }
        Some([tag, value])
            if is_one_of(tag, &["badmatch", "case_clause", "try_clause", "value"]) =>
        {
            exact_eq(value, cause) || is_told_by(value, cause)
        }
        // Of an exception that an assertion did not expect.
        Some([class, why, trace]) => {
            is_one_of(class, &["exit"]) && trace.is_list() && exact_eq(why, cause)
        }
        _ => false,
    }
}

/// Whether a value says that something ended, or failed, with this reason.
fn is_told_by(value: &Term, cause: &Term) -> bool {
    match value.as_tuple() {
        Some([tag, why]) => is_one_of(tag, &["EXIT", "error"]) && exact_eq(why, cause),
        Some([tag, _, why]) => is_one_of(tag, &["EXIT"]) && exact_eq(why, cause),
        Some([tag, _, _, _, why]) => is_one_of(tag, &["DOWN"]) && exact_eq(why, cause),
        _ => false,
    }
}

/// `{Module, Function, Arguments}`.
fn is_call(term: &Term) -> bool {
    match term.as_tuple() {
        Some([module, function, arguments]) => {
            module.as_atom().is_some() && function.as_atom().is_some() && arguments.is_list()
        }
        _ => false,
    }
}

fn is_one_of(term: &Term, names: &[&str]) -> bool {
    term.as_atom().is_some_and(|atom| names.contains(&atom.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(name: &str) -> Term {
        Term::atom(name)
    }

    fn tuple(elements: &[&Term]) -> Term {
        Term::tuple(elements.iter().map(|term| (*term).clone()))
    }

    /// `{{badmatch, 2}, [{m, f, 0, []}]}`.
    fn exception() -> Term {
        let frame = tuple(&[&atom("m"), &atom("f"), &Term::from(0u32), &Term::list(Vec::new())]);
        let error = tuple(&[&atom("badmatch"), &Term::from(2u32)]);
        tuple(&[&error, &Term::list(vec![frame])])
    }

    fn call() -> Term {
        tuple(&[&atom("gen_server"), &atom("call"), &Term::list(vec![atom("s")])])
    }

    #[test]
    fn reasons_that_tell_of_others() {
        let crash = exception();
        assert!(appears(&crash, &crash));
        assert!(appears(&crash, &tuple(&[&crash, &call()])));
        let did_not_match = tuple(&[&atom("badmatch"), &tuple(&[&atom("error"), &crash])]);
        assert!(appears(&crash, &tuple(&[&did_not_match, &Term::list(Vec::new())])));
        assert!(!appears(&did_not_match, &crash));

        let oops = atom("oops");
        assert!(appears(&oops, &tuple(&[&oops, &call()])));
        assert!(appears(&oops, &tuple(&[&atom("worker_failed"), &oops])));
        let down = [&atom("DOWN"), &Term::from(1u32), &atom("process"), &Term::from(2u32), &oops];
        let did_not_match = tuple(&[&atom("badmatch"), &tuple(&down)]);
        assert!(appears(&oops, &tuple(&[&did_not_match, &Term::list(Vec::new())])));
    }

    #[test]
    fn reasons_that_are_there_by_chance() {
        let oops = atom("oops");
        assert!(!appears(&oops, &tuple(&[&oops, &atom("bad_thing")])));
        let deep = tuple(&[&atom("bad_thing"), &oops]);
        assert!(!appears(&oops, &tuple(&[&atom("bad_things"), &deep])));
        let pair = tuple(&[&oops, &Term::from(1u32)]);
        assert!(!appears(&oops, &tuple(&[&atom("badmatch"), &pair])));
        assert!(!appears(&atom("timeout"), &tuple(&[&atom("timeout"), &call()])));
        assert!(!appears(&exception(), &tuple(&[&atom("badmatch"), &Term::from(2u32)])));
    }

    #[test]
    fn the_first_cause_of_all() {
        let crash = exception();
        let (failed, again) = (tuple(&[&crash, &call()]), tuple(&[&crash, &call()]));
        let ended = [Pid(1), Pid(2), Pid(3), Pid(4)];
        let reasons = [&crash, &failed, &again, &crash];
        let tells_of = |cause: usize, of: usize| appears(reasons[cause], reasons[of]);
        let all = |pids: &[Pid]| pids.iter().enumerate().map(|(at, _)| at > 0).collect();
        assert_eq!(roots(&ended, &tells_of, &all), [None, Some(0), Some(0), Some(0)]);
        // The last has nothing to do with the others.
        let three = |pids: &[Pid]| {
            pids.iter().enumerate().map(|(at, pid)| at > 0 && *pid != Pid(4)).collect()
        };
        assert_eq!(roots(&ended, &tells_of, &three), [None, Some(0), Some(0), None]);
    }
}
