//! Contracts that are asked where no function of theirs is called: about the objects of tables when
//! these change, and about messages when a process takes one.
//!
//! After the builtin that changed a table, or the `receive` that took a message, the process calls
//! a function of `erlscope_contract`, which asks the contracts and gives back what the builtin
//! gave. While it runs the process is inside of a contract, as it is in those of functions.

use atom::Atom;
use term::{Term, View};

use crate::builtins::Builtin;
use crate::code_space::CodeSpace;
use crate::control::Start;
use crate::footprint::{Class, Footprint, Look};
use crate::process::Process;
use crate::state::State;

/// The module that asks.
const ASKING: &str = "erlscope_contract";

/// Processes whose messages are those of a protocol: what it said of the last one.
#[derive(Clone, Debug)]
pub(crate) struct Following {
    pub(crate) module: Atom,
    pub(crate) number: u32,
    /// None before the first message.
    pub(crate) state: Option<Term>,
}

/// What a builtin is about to change of a table that has contracts: what is to be called when it
/// has done so, without the value that it gave.
pub(crate) fn about_table(
    s: &State,
    p: &Process,
    builtin: &Builtin,
    args: &[Term],
) -> Option<Vec<Term>> {
    let known = s.host.book.known.as_ref().filter(|known| known.asks_tables())?;
    if builtin.module != "ets" || p.contract.is_inside() || !changes_table(s, p, builtin, args) {
        return None;
    }
    let id = s.node.tables.id_of(args.first()?).ok()?;
    let contracts = known.of_table(s.node.tables.get(id)?.name);
    if contracts.is_empty() {
        return None;
    }
    let changed = match (builtin.name, args.len()) {
        ("insert" | "insert_new", 2) if args[1].is_list() => tagged("objects", args[1].clone()),
        ("insert" | "insert_new", 2) => tagged("objects", Term::list([args[1].clone()])),
        ("update_counter" | "update_element", _) => tagged("key", args.get(1)?.clone()),
        _ => Term::atom("none"),
    };
    let contracts = contracts.into_iter().map(|(module, number, each)| {
        Term::tuple([Term::from(module), Term::from(number), Term::bool(each)])
    });
    Some(vec![args[0].clone(), changed, Term::list(contracts.collect::<Vec<_>>())])
}

fn tagged(tag: &str, value: Term) -> Term {
    Term::tuple([Term::atom(tag), value])
}

/// Whether it changes objects of a table that is there afterwards.
fn changes_table(s: &State, p: &Process, builtin: &Builtin, args: &[Term]) -> bool {
    if (builtin.name, args.len()) == ("delete", 1) {
        return false;
    }
    let Some(function) = builtin.footprint() else { return false };
    let mut footprint = Footprint::default();
    function(&Look { s, p }, args, &mut footprint);
    footprint.0.iter().any(|access| {
        matches!(access.object.class, Class::Table | Class::Objects | Class::Everything)
            && !access.kind.only_looks()
    })
}

/// The call that asks the contracts of a table, in the place of the value that a builtin gave.
pub(crate) fn ask_table(p: &mut Process, value: Term, mut args: Vec<Term>) -> Start {
    args.insert(0, value);
    begin(p);
    Start::Apply { module: Atom::new(ASKING), name: Atom::new("table"), args }
}

/// The call that asks the protocols that a process follows, of the message that it takes.
pub(crate) fn ask_protocols(code: &CodeSpace, s: &State, p: &mut Process) -> Option<Start> {
    let known = s.host.book.known.as_ref().filter(|known| known.asks_protocols())?;
    if p.contract.is_inside() {
        return None;
    }
    let mut follows: Vec<(Atom, u32)> =
        p.contract.following.iter().map(|it| (it.module, it.number)).collect();
    if let Some(name) = p.registered {
        let named = known.of_name(name);
        let more: Vec<_> = named.into_iter().filter(|it| !follows.contains(it)).collect();
        follows.extend(more);
    }
    if follows.is_empty() || !is_receive_of_process(code, p) {
        return None;
    }
    let message = meant(p.mailbox.get(p.looked)?)?;
    let protocols = follows.into_iter().map(|(module, number)| {
        let mut own = p.contract.following.iter();
        let own = own.find(|it| (it.module, it.number) == (module, number));
        let state = own.and_then(|it| it.state.clone());
        let state = state.map_or(Term::atom("none"), |state| tagged("state", state));
        Term::tuple([Term::from(module), Term::from(number), state])
    });
    let args = vec![Term::list(protocols.collect::<Vec<_>>()), message];
    begin(p);
    Some(Start::Apply { module: Atom::new(ASKING), name: Atom::new("taken"), args })
}

fn begin(p: &mut Process) {
    p.contract.inside = p.frames.len() as u32 + 1;
    p.contract.since = p.reductions;
}

/// Whether the `receive` takes what is sent to the process as such: one of the program, or the loop
/// of a behaviour; not one inside of a library function that waits for an answer.
fn is_receive_of_process(code: &CodeSpace, p: &Process) -> bool {
    const LOOPS: [&str; 5] =
        ["gen_server", "gen_statem", "gen_event", "gen_server_cpre", "gen_server_qcpre"];
    code.is_of_program(p.pc)
        || code
            .function_at(p.pc)
            .is_some_and(|function| LOOPS.contains(&function.mfa.module.as_str()))
}

/// A message as protocols are written: requests to behaviours are `{call, Request}` and `{cast,
/// Request}`. None if it is no message of the protocol: an answer to a call of the process itself,
/// the end of a process that it monitors, what the system asks.
fn meant(message: &Term) -> Option<Term> {
    let Some(parts) = message.as_tuple() else { return Some(message.clone()) };
    let tag = parts.first().and_then(Term::as_atom);
    match (tag.map(Atom::as_str), parts) {
        (Some("$gen_call"), [_, _, request]) => Some(tagged("call", request.clone())),
        (Some("$gen_cast"), [_, request]) => Some(tagged("cast", request.clone())),
        (Some("system"), [_, _, _]) => None,
        (Some("DOWN"), [_, _, _, _, _]) => None,
        (None, [first, ..]) if is_answer(first) => None,
        _ => Some(message.clone()),
    }
}

/// Whether an answer begins so: with a reference, or an alias in a list.
fn is_answer(first: &Term) -> bool {
    match first.view() {
        View::Ref(_) => true,
        _ => first.as_cons().is_some_and(|cons| cons.head.is_atom(Atom::new("alias"))),
    }
}

/// A protocol says in which state the process is after a message.
pub(crate) fn followed(p: &mut Process, module: Atom, number: u32, state: Option<Term>) {
    let following = &mut p.contract.following;
    match following.iter_mut().find(|it| (it.module, it.number) == (module, number)) {
        Some(known) => known.state = state.or_else(|| known.state.take()),
        None => following.push(Following { module, number, state }),
    }
}
