//! Why a process ended, taken apart: what is wrong, without stack traces, and where.

use atom::Atom;
use machine::{CodeSpace, Term};

use crate::failure::{Call, Cause};
use crate::place::{Place, is_library};

/// A reason taken apart.
pub(crate) struct ExitReason {
    /// Without stack traces.
    pub(crate) cause: Term,
    /// Where, by the stack trace: the innermost call that is not the library's.
    pub(crate) place: Option<Place>,
    /// The builtin or library function that failed, with its arguments.
    failed: Option<(Atom, Atom, Vec<Term>)>,
}

impl ExitReason {
    /// As data, with terms as `say` has them.
    pub(crate) fn told(&self, say: &dyn Fn(&Term) -> String) -> Cause {
        let failed = self.failed.as_ref().map(|(module, function, arguments)| Call {
            module: module.to_string(),
            function: function.as_str().to_owned(),
            arguments: arguments.iter().map(say).collect(),
        });
        Cause { reason: say(&self.cause), failed, call_timed_out: call_timed_out(&self.cause) }
    }
}

/// Reasons inside of reasons are looked at to this depth.
const DEEPEST: u32 = 10;

/// The reason without its stack trace, and what that says.
pub(crate) fn exit_reason(code: &CodeSpace, reason: &Term) -> ExitReason {
    taken_apart(code, reason, DEEPEST)
}

fn taken_apart(code: &CodeSpace, reason: &Term, depth: u32) -> ExitReason {
    let plain = || ExitReason { cause: reason.clone(), place: None, failed: None };
    if depth == 0 {
        return plain();
    }
    let Some([cause, trace]) = reason.as_tuple() else { return plain() };
    // What a call exits with when its server does: {Reason, {gen_server, call, Arguments}}.
    if let Some([module, name, _]) = trace.as_tuple()
        && module.as_atom().is_some()
        && name.as_atom().is_some()
    {
        let inner = taken_apart(code, cause, depth - 1);
        let cause = Term::tuple(vec![inner.cause, trace.clone()]);
        return ExitReason { cause, place: None, failed: None };
    }
    let frames = match trace.to_vec() {
        Some(frames) if frames.iter().any(is_frame) => frames,
        _ => return plain(),
    };
    let own = frames.iter().find_map(|frame| {
        let module = frame.as_tuple()?.first()?.as_atom()?;
        if is_library(code, module) { None } else { place_of(frame) }
    });
    let failed = frames.first().and_then(|frame| match frame.as_tuple()? {
        [module, name, arguments, _] => {
            Some((module.as_atom()?, name.as_atom()?, arguments.to_vec()?))
        }
        _ => None,
    });
    let inner = taken_apart(code, cause, depth - 1);
    ExitReason { cause: inner.cause, place: own.or(inner.place), failed }
}

fn is_frame(term: &Term) -> bool {
    term.as_tuple().is_some_and(|frame| frame.len() == 4 && frame[3].is_list())
}

fn place_of(frame: &Term) -> Option<Place> {
    let location = frame.as_tuple()?.get(3)?.to_vec()?;
    let get = |name: &str| {
        location.iter().find_map(|pair| match pair.as_tuple()? {
            [key, value] if is(key, name) => Some(value.clone()),
            _ => None,
        })
    };
    let file = term::format::chardata::to_text(&get("file")?)?;
    Some(Place { file, line: u32::try_from(get("line")?.as_int()?).ok()? })
}

/// More terms inside of a reason are not looked at.
const MOST_PARTS: usize = 10_000;

/// The parts of a term, itself first: elements of tuples and lists, values of maps, as deep as they
/// are.
pub(crate) fn parts(term: &Term) -> impl Iterator<Item = &Term> {
    let mut pending = vec![term];
    let next = move || {
        let term = pending.pop()?;
        if let Some(elements) = term.as_tuple() {
            pending.extend(elements.iter().rev());
        } else if let Some(cell) = term.as_cons() {
            pending.extend([&cell.tail, &cell.head]);
        } else if let Some(map) = term.as_map() {
            pending.extend(map.values());
        }
        Some(term)
    };
    std::iter::from_fn(next).take(MOST_PARTS)
}

/// Whether a reason tells of a call of a server that waited in vain: `{timeout, {gen_server, call,
/// Arguments}}`.
pub(crate) fn call_timed_out(reason: &Term) -> bool {
    parts(reason).any(|part| match part.as_tuple() {
        Some([why, call]) => {
            is(why, "timeout")
                && call
                    .as_tuple()
                    .and_then(|call| call.first()?.as_atom())
                    .is_some_and(|module| module.as_str().starts_with("gen_"))
        }
        _ => false,
    })
}

fn is(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}
