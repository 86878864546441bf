//! Match specifications: small programs that pick objects of a table (or calls, when tracing).
//!
//! A specification is compiled once ([`compile`]): the head of a clause to a sequence of tests over
//! a stack of terms still to be matched ([`pattern`]), guards and bodies to instructions of a stack
//! machine ([`code`]). Running one ([`run`]) takes the time of what is tested and built; neither
//! compiling nor running recurses on the thread's stack over the depth of a term.
//!
//! What is accepted, the texts of complaints and what a failing function means (a guard that does
//! not hold, `'EXIT'` in a body) are those of OTP 25.

pub(crate) mod code;
pub(crate) mod compile;
pub(crate) mod partly_bound;
pub(crate) mod pattern;
pub(crate) mod run;

use std::rc::Rc;

use term::Term;

use code::Op;
use pattern::Pattern;

/// What a specification is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Objects of a table: the value of the body's last expression counts.
    Table,
    /// Calls: the head is matched against the list of arguments, bodies have actions.
    Trace,
}

#[derive(Debug)]
pub(crate) struct Clause {
    pub(crate) pattern: Pattern,
    pub(crate) guards: Vec<Op>,
    pub(crate) body: Vec<Op>,
    /// The head is a single variable or `_`: calls are then matched as a list of arguments.
    pub(crate) whole: bool,
}

/// A compiled specification.
#[derive(Debug)]
pub(crate) struct MatchSpec {
    pub(crate) clauses: Vec<Clause>,
    /// How many variables a clause has at most.
    pub(crate) slots: usize,
    /// What it was compiled from.
    pub(crate) source: Term,
}

/// A complaint about a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Complaint(pub String);

pub(crate) type Compiled = Rc<MatchSpec>;

/// The number of a match variable (`'$1'`), if the term is one.
pub(crate) fn variable(term: &Term) -> Option<u64> {
    let digits = term.as_atom()?.as_str().strip_prefix('$')?;
    let plain = digits == "0" || !digits.starts_with('0');
    if !plain || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().unwrap_or(u64::MAX))
}

/// Whether a term stands for anything: `'_'`.
pub(crate) fn is_any(term: &Term) -> bool {
    term.is_atom(atom::known::UNDERSCORE)
}
