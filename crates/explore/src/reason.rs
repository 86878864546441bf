//! Why a process ended, taken apart: what is wrong, without stack traces, and where.

use atom::Atom;
use machine::{CodeSpace, Term};

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
    pub(crate) fn in_words(&self, say: &dyn Fn(&Term) -> String) -> String {
        let cause = say(&self.cause);
        match &self.failed {
            Some((module, name, arguments)) => {
                let arguments: Vec<String> = arguments.iter().map(say).collect();
                let module = match module.as_str() {
                    "erlang" => String::new(),
                    module => format!("{module}:"),
                };
                match (name.as_str(), &arguments[..]) {
                    ("!", [to, message]) => format!("{cause} in {to} ! {message}"),
                    _ => format!("{cause} in {module}{name}({})", arguments.join(", ")),
                }
            }
            None => cause,
        }
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
    Some((file, u32::try_from(get("line")?.as_int()?).ok()?))
}

fn is(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}
