//! Exceptions: class, reason and stack trace.
//!
//! Where an exception is raised, only addresses are noted. The term that programs see as a stack
//! trace is made when somebody looks at it.

use std::fmt;

use atom::{Atom, known};
use code::instr::Pc;
use term::{Map, Pid, Term};

use crate::code_space::CodeSpace;
use crate::contract::is_hidden;
use crate::process::Process;

/// How many entries a stack trace has at most, unless `erlang:system_flag(backtrace_depth, _)` says
/// something else.
pub(crate) const BACKTRACE_DEPTH: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Error,
    Exit,
    Throw,
}

impl Class {
    pub fn atom(self) -> Atom {
        match self {
            Class::Error => known::ERROR,
            Class::Exit => known::EXIT_CLASS,
            Class::Throw => known::THROW,
        }
    }

    pub fn from_term(term: &Term) -> Option<Class> {
        match term.as_atom()? {
            known::ERROR => Some(Class::Error),
            known::EXIT_CLASS => Some(Class::Exit),
            known::THROW => Some(Class::Throw),
            _ => None,
        }
    }
}

/// An exception on its way.
#[derive(Clone, Debug)]
pub struct Exception {
    pub(crate) class: Class,
    pub(crate) reason: Term,
    pub(crate) trace: Trace,
}

/// A process that ended by an exception which nobody caught.
#[derive(Clone, Debug)]
pub struct Crash {
    pub pid: Pid,
    pub class: Class,
    pub reason: Term,
    /// The stack trace as programs see it.
    pub trace: Term,
    /// The same as addresses, innermost first, and before them the tail call of a function that is
    /// not there; empty if the program made the stack trace itself.
    pub addresses: Vec<Pc>,
}

/// Where an exception came from.
#[derive(Clone, Debug, Default)]
pub(crate) enum Trace {
    /// To be noted by whoever raises it.
    #[default]
    Unknown,
    /// To be noted, below an entry for the builtin that failed, which says why.
    Because(Atom),
    /// To be noted, below an entry for the function that failed with these arguments.
    In { module: Atom, name: Atom, args: Vec<Term>, info: Option<Map> },
    /// To be noted, below these entries.
    Below(Vec<Term>),
    /// To be noted, below an entry for a fun that has no code.
    InFun { fun: Term, args: Vec<Term> },
    /// To be noted; the function on top failed in its head, with these arguments.
    Failed { module: Atom, name: Atom, args: Vec<Term>, location: Term },
    /// To be noted; the entry of the function on top says this about its failure.
    Here(Map),
    /// A term as programs see it, or noted addresses (see [`raw`]).
    Term(Term),
}

impl Exception {
    pub(crate) fn error(reason: Term) -> Exception {
        Exception { class: Class::Error, reason, trace: Trace::Unknown }
    }

    pub(crate) fn atom(reason: Atom) -> Exception {
        Exception::error(Term::from(reason))
    }

    pub(crate) fn badarg() -> Exception {
        Exception::atom(known::BADARG)
    }

    /// `{Tag, Value}`
    pub(crate) fn tagged(tag: Atom, value: Term) -> Exception {
        Exception::error(Term::tuple([Term::from(tag), value]))
    }
}

/// The entry of a function that failed with these arguments.
pub(crate) fn entry(module: Atom, name: Atom, args: Vec<Term>, info: Option<Map>) -> Term {
    let info = match info {
        Some(info) => Term::list([Term::tuple([Term::from(known::ERROR_INFO), Term::map(info)])]),
        None => Term::NIL,
    };
    Term::tuple([Term::from(module), Term::from(name), Term::list(args), info])
}

/// Notes where a process is: a tuple of the entry on top (or a list of several) and the addresses
/// below it. A tuple, so that it cannot be taken for a finished stack trace, which is a list.
pub(crate) fn raw(p: &Process, pc: Pc, top: Term, depth: usize) -> Term {
    // An entry of four elements comes above the function; one of five takes its place.
    let is_one = top.as_tuple().is_some_and(|entry| entry.len() == 4);
    let mut entries = 1 + usize::from(is_one) + top.elements().count();
    let mut addresses = vec![top, Term::from(pc)];
    let mut last = None;
    for frame in p.frames.iter().rev() {
        // A function that calls itself in one place is noted once.
        if last == Some(frame.pc) {
            continue;
        }
        if entries >= depth {
            break;
        }
        entries += 1;
        last = Some(frame.pc);
        // A frame keeps where to go on; the call is the instruction before.
        addresses.push(Term::int(i64::from(frame.pc) - 1));
    }
    Term::tuple(addresses)
}

/// The stack trace as programs see it.
pub(crate) fn stack_trace(code: &CodeSpace, trace: &Term) -> Term {
    let Some(parts) = trace.as_tuple() else { return trace.clone() };
    let mut entries = Vec::new();
    let [top, addresses @ ..] = parts else { return Term::NIL };
    match top.is_list() {
        true => entries.extend(top.elements().cloned()),
        false => entries.push(top.clone()),
    }
    // A failing head of a function is that function's own entry.
    let skip = usize::from(top.as_tuple().is_some_and(|entry| entry.len() == 5));
    for address in addresses.iter().skip(skip) {
        let Some(pc) = address.as_int().and_then(|pc| u32::try_from(pc).ok()) else { continue };
        let Some(function) = code.function_at(pc).filter(|_| !is_hidden(code, pc)) else {
            continue;
        };
        entries.push(Term::tuple([
            Term::from(function.mfa.module),
            Term::from(function.mfa.name),
            Term::from(function.mfa.arity),
            location(code, pc),
        ]));
    }
    if let Some(entry) = entries.first().and_then(Term::as_tuple)
        && entry.len() == 5
    {
        entries[0] = Term::tuple(entry.iter().take(4).cloned());
    }
    Term::list(entries)
}

/// The addresses of a stack trace that was only noted.
pub(crate) fn addresses(trace: &Term) -> Vec<Pc> {
    let noted = trace.as_tuple().unwrap_or_default().iter().skip(1);
    noted.filter_map(|address| u32::try_from(address.as_int()?).ok()).collect()
}

/// Lines from here on are not kept by the BEAM.
const MOST_LINES: u32 = (1 << 24) - 1;

/// `[{file, File}, {line, Line}]`
pub(crate) fn location(code: &CodeSpace, pc: Pc) -> Term {
    code.locations.borrow_mut().entry(pc).or_insert_with(|| find_location(code, pc)).clone()
}

fn find_location(code: &CodeSpace, pc: Pc) -> Term {
    let (Some(file), Some(line)) = (code.traced_file_at(pc), code.line_at(pc)) else {
        return Term::NIL;
    };
    if line == 0 || line >= MOST_LINES {
        return Term::NIL;
    }
    Term::list([
        Term::tuple([Term::from(known::FILE), Term::string(&file)]),
        Term::tuple([Term::from(known::LINE), Term::from(line)]),
    ])
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.atom().as_str())
    }
}
