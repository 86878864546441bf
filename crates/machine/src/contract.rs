//! Contracts while programs run: what a process remembers of calls whose contracts are not done
//! with, and what came of contracts that did not hold.
//!
//! The code that looks at arguments and results is lowered with the functions
//! (`code::lower::contract`); it is Erlang, and runs in the process that calls. What it cannot say
//! by itself it asks here, through the builtins in `builtins/contract.rs`: whether a measure went
//! down since the call around this one, how long a call took, whether it acted. For that a process
//! has a stack of *pending* calls ([`Pending`]), each with the depth of the frames at which it will
//! be over; an exception takes off what it leaves.
//!
//! A contract that does not hold is an error in the process, of the form
//! `{contract_violation, Kind, {Module, Function, Arguments}, What}`, and is noted for whoever runs
//! the Machine ([`Violation`]): a program that catches it cannot hide it.
//!
//! Time is counted: what the clock of the node went on, and a millisecond for each
//! [`CALLS_PER_MS`] calls that the process made. So it is the same in every run; unless whoever
//! knows the contracts has a clock ([`Contracts::clock`]).

pub(crate) mod asking;
pub(crate) mod members;

use std::ops::Range;
use std::rc::Rc;

use atom::Atom;
use code::instr::{Instr, Pc};
use code::lower::contract::{PREFIX, is_of_contract};
use serde::{Deserialize, Serialize};
use term::{Term, order, print};

use crate::builtins::Builtin;
use crate::code_space::CodeSpace;
use crate::exception::Exception;
use crate::footprint::{Footprint, Look};
use crate::process::Process;
use crate::sparse::Sparse;
use crate::state::State;

use asking::Following;
use members::Member;

/// So many calls count as a millisecond.
pub const CALLS_PER_MS: u64 = 10_000;

/// A contract that is evaluated for longer than so many calls does not end.
pub const MOST_CALLS: u64 = 10_000_000;

/// More violations of a run are not kept.
const MOST: usize = 100;

/// Longer texts of values are cut.
const LONGEST: usize = 2_000;

/// What a contract is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Kind {
    Pre,
    Post,
    Decreases,
    StrictlyDecreases,
    ExpectedTime,
    Timeout,
    Pure,
    Invariant,
    Spec,
    Messages,
    Processes,
    Table,
    Protocol,
}

/// The kinds and their names in reports and documents.
const NAMES: [(Kind, &str); 13] = [
    (Kind::Pre, "pre"),
    (Kind::Post, "post"),
    (Kind::Decreases, "decreases"),
    (Kind::StrictlyDecreases, "sdecreases"),
    (Kind::ExpectedTime, "expected_time"),
    (Kind::Timeout, "timeout"),
    (Kind::Pure, "pure"),
    (Kind::Invariant, "invariant"),
    (Kind::Spec, "spec"),
    (Kind::Messages, "messages"),
    (Kind::Processes, "processes"),
    (Kind::Table, "table"),
    (Kind::Protocol, "protocol"),
];

impl Kind {
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    pub fn of_name(name: &str) -> Option<Kind> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }
}

/// A contract as it was declared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Declared {
    pub kind: Kind,
    pub module: String,
    /// The function that it is about; none if it is about the whole module.
    pub function: Option<(String, u32)>,
    pub file: String,
    pub line: u32,
    pub column: u32,
    /// As it was written.
    pub text: String,
}

/// Who is to blame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Blame {
    Caller,
    Callee,
    /// The contract itself is wrong.
    Contract,
}

impl Blame {
    pub fn name(self) -> &'static str {
        match self {
            Blame::Caller => "caller",
            Blame::Callee => "callee",
            Blame::Contract => "contract",
        }
    }
}

/// Why a contract does not hold; values are Erlang text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Cause {
    /// It says no, and perhaps why.
    No { reason: Option<String> },
    /// It says something that is no answer.
    NoAnswer { value: String },
    /// It raised an exception.
    Raised { class: String, reason: String },
    /// It does not end.
    Endless,
    /// The contract acts, which changes what it watches.
    Acts { action: String },
    /// A function that is to be pure acts; through these calls, the innermost first.
    Impure { action: String, through: Vec<String> },
    /// A measure did not go down since the call around this one.
    NotLess { previous: Vec<String>, before: String, now: String },
    /// A call took longer than it may, in microseconds.
    Late { took: u64, allowed: u64 },
    /// A call was stopped because it took longer than it may, in microseconds.
    Stopped { allowed: u64 },
    /// A value is not of its type.
    Misfit(Misfit),
    /// More processes than there may be.
    TooMany { count: u64, most: u64 },
    /// A process was started again more often than it may be.
    Restarted { times: u64, most: u64 },
    /// A process is not over when a call is that it must not outlive.
    Outlives { process: String, call: String },
}

/// A value that is not of its type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Misfit {
    /// From 1; the result if it is none.
    pub argument: Option<u32>,
    /// How to get from the value to the part that does not fit; empty for all of it.
    pub path: String,
    pub found: String,
    pub expected: String,
}

/// An entry of the stack at a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Call {
    pub module: String,
    pub function: String,
    pub arity: u32,
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// A contract that did not hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Violation {
    pub contract: Declared,
    pub blame: Blame,
    pub cause: Cause,
    /// The process that found out.
    pub process: String,
    pub arguments: Vec<String>,
    pub result: Option<String>,
    /// Where the call was made, innermost first.
    pub stack: Vec<Call>,
}

/// Who knows the contracts of a program.
pub trait Contracts {
    /// A contract by its number in its module.
    fn declared(&self, module: Atom, number: u32) -> Option<Declared>;

    /// What does not fit the spec of a function: one of the arguments, or the result.
    fn misfit(
        &self,
        module: Atom,
        number: u32,
        args: &[Term],
        result: Option<&Term>,
    ) -> Option<Misfit>;

    /// The time of a clock in microseconds, if time is not to be counted.
    fn clock(&self) -> Option<u64> {
        None
    }

    /// Whether there are contracts about tables.
    fn asks_tables(&self) -> bool {
        false
    }

    /// Those about tables of a name, and whether each of its objects is asked about, or all
    /// together.
    fn of_table(&self, _name: Atom) -> Vec<(Atom, u32, bool)> {
        Vec::new()
    }

    /// Whether there are protocols.
    fn asks_protocols(&self) -> bool {
        false
    }

    /// The protocols of who has a registered name.
    fn of_name(&self, _name: Atom) -> Vec<(Atom, u32)> {
        Vec::new()
    }
}

/// The contracts of a node.
#[derive(Clone, Default)]
pub(crate) struct Book {
    pub(crate) known: Option<Rc<dyn Contracts>>,
    pub(crate) violations: Sparse<Vec<Violation>>,
    /// Processes that contracts are about, also those that have ended.
    pub(crate) members: Sparse<Vec<Member>>,
}

impl Book {
    pub(crate) fn become_like(&mut self, other: &Book) {
        self.known.clone_from(&other.known);
        self.violations.clone_from(&other.violations);
        self.members.clone_from(&other.members);
    }
}

/// A call whose contract is not done with.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) module: Atom,
    pub(crate) number: u32,
    /// How many frames there are while its body runs.
    pub(crate) frames: usize,
    pub(crate) what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    /// The arguments, and what must go down.
    Measure {
        args: Vec<Term>,
        values: Vec<Term>,
    },
    Pure {
        args: Vec<Term>,
    },
    /// When it began, and how long it may take, both in microseconds.
    Timed {
        args: Vec<Term>,
        began: u64,
        allowed: u64,
        stops: bool,
    },
    /// Processes must not outlive it: how many there were that contracts are about.
    Scope {
        args: Vec<Term>,
        since: usize,
    },
}

/// What a process knows of contracts.
#[derive(Clone, Default, Debug)]
pub(crate) struct Contracting {
    /// While a contract is evaluated: one more than the frames that there were when that began.
    pub(crate) inside: u32,
    /// How many calls the process had made then.
    pub(crate) since: u64,
    /// Calls whose contracts are not done with, the innermost last.
    pub(crate) pending: Sparse<Vec<Pending>>,
    /// The protocols that its messages follow.
    pub(crate) following: Sparse<Vec<Following>>,
}

impl Contracting {
    pub(crate) fn is_inside(&self) -> bool {
        self.inside != 0
    }

    /// An exception went to a handler that was set up with so many frames.
    pub(crate) fn unwound(&mut self, frames: usize) {
        if self.inside as usize > frames {
            self.inside = 0;
        }
        if !self.pending.is_void() {
            self.forget_above(frames);
        }
    }

    /// Calls that are over are forgotten: those with more frames than there are now.
    pub(crate) fn forget_above(&mut self, frames: usize) {
        while self.pending.last().is_some_and(|pending| pending.frames > frames) {
            self.pending.pop();
        }
    }

    pub(crate) fn become_like(&mut self, other: &Contracting) {
        (self.inside, self.since) = (other.inside, other.since);
        self.pending.clone_from(&other.pending);
        self.following.clone_from(&other.following);
    }
}

/// A term as text that is not too long.
pub fn shown(term: &Term) -> String {
    let mut text = print::to_string(term);
    if text.len() > LONGEST {
        let cut = (0..=LONGEST).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        text.truncate(cut);
        text.push('…');
    }
    text
}

/// What is known when a contract does not hold.
pub(crate) struct Failed<'a> {
    pub(crate) module: Atom,
    pub(crate) number: u32,
    pub(crate) blame: Option<Blame>,
    pub(crate) cause: Cause,
    pub(crate) args: &'a [Term],
    pub(crate) result: Option<&'a Term>,
}

/// Notes that a contract does not hold; the exception that says so.
pub(crate) fn violated(
    code: &CodeSpace,
    s: &mut State,
    p: &Process,
    failed: Failed<'_>,
) -> Exception {
    let known = s.host.book.known.clone();
    let declared = known.and_then(|known| known.declared(failed.module, failed.number));
    let Some(declared) = declared else {
        return Exception::atom(Atom::new("contract_violation"));
    };
    let own = match (&failed.cause, declared.kind) {
        (Cause::NoAnswer { .. } | Cause::Raised { .. }, _) => Blame::Contract,
        (Cause::Endless | Cause::Acts { .. }, _) => Blame::Contract,
        (Cause::Misfit(misfit), _) if misfit.argument.is_some() => Blame::Caller,
        (Cause::TooMany { .. }, _) => Blame::Caller,
        (_, Kind::Pre | Kind::Messages | Kind::Protocol) => Blame::Caller,
        _ => Blame::Callee,
    };
    let violation = Violation {
        blame: failed.blame.unwrap_or(own),
        cause: failed.cause,
        process: shown(&Term::from(p.pid)),
        arguments: failed.args.iter().map(shown).collect(),
        result: failed.result.map(shown),
        stack: stack(code, p),
        contract: declared,
    };
    let exception = Exception::error(reason(&violation, failed.args));
    note(s, violation);
    exception
}

/// Keeps a violation; one that is the same in all but the process and the stack once.
pub(crate) fn note(s: &mut State, violation: Violation) {
    let violations = &mut s.host.book.violations;
    let same = |known: &Violation| {
        known.contract == violation.contract
            && known.cause == violation.cause
            && known.arguments == violation.arguments
            && known.result == violation.result
    };
    if violations.len() < MOST && !violations.iter().any(same) {
        violations.push(violation);
    }
}

/// `{contract_violation, Kind, {Module, Function, Arguments}, What}`
fn reason(violation: &Violation, args: &[Term]) -> Term {
    let declared = &violation.contract;
    let what = match &violation.cause {
        Cause::No { reason: None } => Term::atom("false"),
        Cause::No { reason: Some(reason) } => Term::binary(reason.as_bytes()),
        Cause::NoAnswer { value } => tagged("no_answer", value),
        Cause::Raised { class, reason } => tagged("raised", &format!("{class}:{reason}")),
        Cause::Endless => Term::atom("endless"),
        Cause::Acts { action } => tagged("acts", action),
        Cause::Impure { action, .. } => tagged("impure", action),
        Cause::NotLess { before, now, .. } => {
            let (before, now) = (Term::binary(before.as_bytes()), Term::binary(now.as_bytes()));
            Term::tuple([Term::atom("not_less"), before, now])
        }
        Cause::Late { took, allowed } => {
            Term::tuple([Term::atom("late"), Term::from(*took), Term::from(*allowed)])
        }
        Cause::Stopped { allowed } => Term::tuple([Term::atom("stopped"), Term::from(*allowed)]),
        Cause::Misfit(misfit) => {
            let (found, expected) = (misfit.found.as_bytes(), misfit.expected.as_bytes());
            Term::tuple([Term::atom("not_of_type"), Term::binary(found), Term::binary(expected)])
        }
        Cause::TooMany { count, most } => {
            Term::tuple([Term::atom("too_many"), Term::from(*count), Term::from(*most)])
        }
        Cause::Restarted { times, most } => {
            Term::tuple([Term::atom("restarted"), Term::from(*times), Term::from(*most)])
        }
        Cause::Outlives { call, .. } => tagged("outlives", call),
    };
    // Of an invariant, the callback that it was looked at after.
    let running = violation.stack.first().map_or("undefined", |call| &call.function);
    let name = declared.function.as_ref().map_or(running, |(name, _)| name);
    let call = [Term::atom(&declared.module), Term::atom(name), Term::list(args.to_vec())];
    Term::tuple([
        Term::atom("contract_violation"),
        Term::atom(declared.kind.name()),
        Term::tuple(call),
        what,
    ])
}

fn tagged(tag: &str, text: &str) -> Term {
    Term::tuple([Term::atom(tag), Term::binary(text.as_bytes())])
}

/// The calls that a process is in, those that belong to contracts not included.
fn stack(code: &CodeSpace, p: &Process) -> Vec<Call> {
    /// So many are kept.
    const CALLS: usize = 20;
    let frames = p.frames.iter().rev().map(|frame| frame.pc.saturating_sub(1));
    let mut calls = Vec::new();
    for pc in std::iter::once(p.pc).chain(frames) {
        let Some(function) = code.function_at(pc).filter(|_| !is_hidden(code, pc)) else {
            continue;
        };
        let mfa = function.mfa;
        let (file, line) = (code.traced_file_at(pc), code.line_at(pc));
        calls.push(Call {
            module: mfa.module.to_string(),
            function: mfa.name.to_string(),
            arity: mfa.arity,
            file: file.map(|file| file.to_string()),
            line,
        });
        if calls.len() == CALLS {
            break;
        }
    }
    calls
}

/// Whether an instruction belongs to a contract, so that stack traces do not show it.
pub(crate) fn is_hidden(code: &CodeSpace, pc: Pc) -> bool {
    matches!(code.instrs.get(pc as usize), Some(Instr::CallBody { .. }))
        || code.function_at(pc).is_some_and(|function| is_of_contract(function.mfa.name))
}

/// A builtin that others can see, or that depends on more than its arguments, is about to be
/// called: an exception if the function that runs is to be pure. Of a contract that is evaluated it
/// is noted.
#[cold]
pub(crate) fn acts(
    code: &CodeSpace,
    s: &mut State,
    p: &Process,
    builtin: &Builtin,
    args: Range<usize>,
) -> Option<Exception> {
    if p.contract.is_inside() {
        if changes(s, p, builtin, &p.stack[args]) {
            let name = named(code, p, builtin);
            if !is_output(&name) {
                note_action(code, s, p, || name);
            }
        }
        return None;
    }
    impure(code, s, p, || named(code, p, builtin))
}

/// A builtin by its name; one that is a part of a library function by that function's.
fn named(code: &CodeSpace, p: &Process, builtin: &Builtin) -> String {
    let is_part = |module: &str| module.starts_with("erlscope_");
    if is_part(builtin.module) {
        let frames = p.frames.iter().rev().map(|frame| frame.pc.saturating_sub(1));
        let mut functions =
            std::iter::once(p.pc).chain(frames).filter_map(|pc| code.function_at(pc));
        if let Some(function) = functions.find(|function| !is_part(function.mfa.module.as_str())) {
            let mfa = function.mfa;
            return format!("{}:{}/{}", mfa.module, mfa.name, mfa.arity);
        }
    }
    format!("{}:{}/{}", builtin.module, builtin.name, builtin.arity)
}

/// Whether a function prints: contracts may do that, nothing of the program depends on it.
fn is_output(name: &str) -> bool {
    const PRINTING: [&str; 5] = ["format", "fwrite", "nl", "put_chars", "write"];
    let name = name.strip_prefix("io:").and_then(|name| name.split('/').next());
    name.is_some_and(|name| PRINTING.contains(&name))
}

/// Whether a builtin changes something that others can see.
fn changes(s: &State, p: &Process, builtin: &Builtin, args: &[Term]) -> bool {
    let mut footprint = Footprint::default();
    match builtin.footprint() {
        Some(function) => function(&Look { s, p }, args, &mut footprint),
        None => return false,
    }
    footprint.0.iter().any(|access| !access.kind.only_looks())
}

/// A process sends, receives or starts another: the same as [`acts`].
#[cold]
pub(crate) fn communicates(
    code: &CodeSpace,
    s: &mut State,
    p: &Process,
    action: &str,
) -> Option<Exception> {
    if p.contract.is_inside() {
        note_action(code, s, p, || action.to_owned());
        return None;
    }
    impure(code, s, p, || action.to_owned())
}

fn impure(
    code: &CodeSpace,
    s: &mut State,
    p: &Process,
    action: impl FnOnce() -> String,
) -> Option<Exception> {
    let frames = p.frames.len();
    let mut pending = p.contract.pending.iter().rev();
    let pure = pending.find(|call| call.frames <= frames && matches!(call.what, What::Pure { .. }));
    let Pending { module, number, frames, what: What::Pure { args } } = pure?.clone() else {
        return None;
    };
    let inner = p.frames.get(frames..).unwrap_or_default().iter().rev();
    let inner = inner.map(|frame| frame.pc.saturating_sub(1));
    let through = std::iter::once(p.pc).chain(inner).filter(|pc| !is_hidden(code, *pc));
    let through = through.filter_map(|pc| code.function_at(pc)).map(|function| {
        let mfa = function.mfa;
        format!("{}:{}/{}", mfa.module, mfa.name, mfa.arity)
    });
    let cause = Cause::Impure { action: action(), through: through.take(20).collect() };
    let failed = Failed { module, number, blame: None, cause, args: &args, result: None };
    Some(violated(code, s, p, failed))
}

/// A contract that is evaluated acts: that is noted, and it goes on.
fn note_action(code: &CodeSpace, s: &mut State, p: &Process, action: impl FnOnce() -> String) {
    let cause = Cause::Acts { action: action() };
    note_about_contract(code, s, p, cause);
}

/// Notes something about the contract that is evaluated: which one that is, its function says.
fn note_about_contract(
    code: &CodeSpace,
    s: &mut State,
    p: &Process,
    cause: Cause,
) -> Option<Exception> {
    // The function that was called by that which asks contracts one after the other: it may have
    // called others in tail position, but the call is still there.
    let mut calls = p.frames.iter().rev().map(|frame| frame.pc.saturating_sub(1));
    let called = calls.find_map(|pc| {
        let Some(Instr::Call { function, .. }) = code.instrs.get(pc as usize) else { return None };
        contract_of(code, *function)
    });
    // One that is not asked by a function of its module is on the stack itself.
    let frames = p.frames.iter().rev().map(|frame| frame.pc.saturating_sub(1));
    let mut running = std::iter::once(p.pc).chain(frames);
    let (module, number) = called.or_else(|| running.find_map(|pc| contract_of(code, pc)))?;
    let failed = Failed { module, number, blame: None, cause, args: &[], result: None };
    Some(violated(code, s, p, failed))
}

/// The contract whose function is at a place: `-contract f/1 pre 3-` is number 3.
fn contract_of(code: &CodeSpace, pc: Pc) -> Option<(Atom, u32)> {
    let mfa = code.function_at(pc)?.mfa;
    let name = mfa.name.as_str().strip_prefix(PREFIX)?.strip_suffix('-')?;
    Some((mfa.module, name.rsplit(' ').next()?.parse().ok()?))
}

/// A process goes on: an exception if the contract that it evaluates does not end, or if a call of
/// it takes longer than it may.
pub(crate) fn overdue(code: &CodeSpace, s: &mut State, p: &Process) -> Option<Exception> {
    if p.contract.is_inside() {
        let endless = p.reductions.saturating_sub(p.contract.since) > MOST_CALLS;
        return if endless { note_about_contract(code, s, p, Cause::Endless) } else { None };
    }
    let now = time(s, p);
    let late = p.contract.pending.iter().find(|call| {
        call.frames <= p.frames.len()
            && matches!(call.what, What::Timed { began, allowed, stops: true, .. }
                if now.saturating_sub(began) > allowed)
    });
    let Pending { module, number, what: What::Timed { args, allowed, .. }, .. } = late?.clone()
    else {
        return None;
    };
    let cause = Cause::Stopped { allowed };
    let failed = Failed { module, number, blame: None, cause, args: &args, result: None };
    Some(violated(code, s, p, failed))
}

/// The time that has passed for a process, in microseconds.
pub(crate) fn time(s: &State, p: &Process) -> u64 {
    if let Some(time) = s.host.book.known.as_ref().and_then(|known| known.clock()) {
        return time;
    }
    let calls = p.reductions + s.node.turn.made();
    s.node.now / 1_000 + calls.saturating_mul(1_000) / CALLS_PER_MS
}

/// The order in which measures go down: numbers by value; lists, maps and bit strings by size, then
/// as terms; tuples of one size element by element; all else as terms.
pub(crate) fn measure(a: &Term, b: &Term) -> std::cmp::Ordering {
    let mut open = vec![(a.clone(), b.clone())];
    while let Some((a, b)) = open.pop() {
        if let (Some(x), Some(y)) = (a.as_tuple(), b.as_tuple())
            && x.len() == y.len()
        {
            open.extend(x.iter().cloned().zip(y.iter().cloned()).rev());
            continue;
        }
        if is_rest(&a, &b) {
            return std::cmp::Ordering::Less;
        }
        let ordering = match (size(&a), size(&b)) {
            (Some(x), Some(y)) if x.0 == y.0 => x.1.cmp(&y.1).then_with(|| order::compare(&a, &b)),
            _ => order::compare(&a, &b),
        };
        if ordering.is_ne() {
            return ordering;
        }
    }
    std::cmp::Ordering::Equal
}

/// Whether a list is what is left of another after a few elements: most loops go on with that, and
/// to count the elements in each round would take longer than the loop.
fn is_rest(rest: &Term, list: &Term) -> bool {
    /// So many elements are passed over.
    const MOST: usize = 16;
    let rests = std::iter::successors(list.as_cons(), |cons| cons.tail.as_cons());
    rest.as_cons().is_some() && rests.take(MOST).any(|cons| cons.tail.same_word(rest))
}

/// The size of what has one, and of what kind it is.
fn size(term: &Term) -> Option<(u8, usize)> {
    if term.is_list() {
        return Some((0, term.elements().count()));
    }
    if let Some(map) = term.as_map() {
        return Some((1, map.len()));
    }
    term.as_bits().map(|bits| (2, bits.bit_len()))
}
