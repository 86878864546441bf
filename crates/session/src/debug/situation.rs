//! The situation in which a statement began, from what the run before it did: tables, names, the
//! dictionary of its process, and who was there; and what came while it went on: messages, numbers.
//!
//! Everything that the program did to tables and names is in its statements, in the order of the
//! run. So what was there at a moment is what those calls make when they are made again, without
//! those that only look. Of what library code keeps for itself nothing is known.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ::debug::record::{After, Effect, StatementId, Taken};
use ::debug::{Doing, Run};
use term::{Pid, Ref, Term, View};

/// Longer pasts are not made again.
const MOST_OPERATIONS: usize = 20_000;

/// A call that changes what is there: module, function and arguments.
pub(super) type Operation = (&'static str, String, Vec<Term>);

/// A situation.
pub(super) struct Situation<'r> {
    /// Calls that make the state: module, function and arguments.
    pub(super) state: Vec<Operation>,
    /// References that these make.
    pub(super) tables: Vec<Ref>,
    /// Processes that were there, beside its own.
    pub(super) others: BTreeSet<Pid>,
    /// What its process took until the statement began its last part.
    pub(super) taken: Vec<&'r After>,
    /// What others did meanwhile to the tables, with its place in the run.
    pub(super) meanwhile: Vec<(u32, Operation)>,
    /// Processes and references that it made, in this order.
    pub(super) pids: Vec<Pid>,
    pub(super) refs: Vec<Ref>,
    /// What servers answered.
    pub(super) answers: VecDeque<Option<Term>>,
}

impl<'r> Situation<'r> {
    /// That of these parts of an activation; nothing if it cannot be told.
    pub(super) fn of(here: &'r Run, parts: &[StatementId]) -> Option<Situation<'r>> {
        let (first, last) = (here.get(*parts.first()?)?, here.get(*parts.last()?)?);
        let is_known = first.after.is_none() && !parts.iter().any(|&part| here.does_more(part));
        let doings: Vec<Doing<'_>> = parts.iter().flat_map(|&part| here.doings(part)).collect();
        if !is_known || doings.iter().any(is_out_of_reach) {
            return None;
        }
        let is_whole = here.statements.len() as u64 == here.entered;
        if !is_whole && (parts.len() > 1 || !doings.is_empty()) {
            return None;
        }
        let mut situation = Situation {
            state: Vec::new(),
            tables: Vec::new(),
            others: BTreeSet::new(),
            taken: Vec::new(),
            meanwhile: Vec::new(),
            pids: Vec::new(),
            refs: Vec::new(),
            answers: VecDeque::new(),
        };
        if is_whole && !(parts.len() == 1 && doings.is_empty()) {
            situation.remember(here, first.pid, first.begun)?;
        }
        let until = last.after.as_ref().map_or(0, |after| after.number);
        let taken: BTreeMap<u32, &After> = here
            .statements
            .iter()
            .filter(|statement| statement.pid == first.pid)
            .filter_map(|statement| statement.after.as_ref())
            .filter(|after| after.number > first.begun && after.number <= until)
            .map(|after| (after.number, after))
            .collect();
        situation.taken = taken.into_values().collect();
        situation.meanwhile = meanwhile(here, first.pid, (first.begun, until))?;
        for (at, name, pid) in here.processes.names_between(first.begun, until) {
            situation.others.extend(pid);
            situation.meanwhile.extend(named(at, name, pid));
        }
        situation.meanwhile.sort_by_key(|(number, _)| *number);
        situation.note(doings);
        let mut terms: Vec<&Term> = first.args.iter().chain(first.captured.iter()).collect();
        for after in &situation.taken {
            terms.extend(after.passed.iter());
            if let Taken::Message { message, .. } = &after.taken {
                terms.push(message);
            }
        }
        terms.extend(&last.ignored);
        let mut others = BTreeSet::new();
        terms.into_iter().for_each(|term| processes_in(term, &mut others));
        situation.others.append(&mut others);
        let made: BTreeSet<Pid> = situation.pids.iter().copied().collect();
        situation.others.retain(|&pid| {
            pid != first.pid
                && pid.0 >= machine::FIRST_PID
                && !made.contains(&pid)
                && here.processes.is_alive(pid, first.begun)
        });
        Some(situation)
    }

    /// What the statement did gives the numbers that it made.
    fn note(&mut self, doings: Vec<Doing<'_>>) {
        for doing in doings {
            match doing {
                Doing::Spawned(new) => self.pids.push(new.pid),
                Doing::Sent(sent) => {
                    self.others.insert(sent.to);
                }
                Doing::Effect(effect) => {
                    effect.args.iter().for_each(|term| processes_in(term, &mut self.others));
                    if makes_reference(effect) {
                        let made = effect.result.as_ref();
                        // A table with a name takes a number that nobody sees.
                        let hidden = Ref((1 << 38) + self.refs.len() as u64);
                        let is_named = made.is_some_and(|made| made.as_atom().is_some());
                        self.refs.extend(match is_named {
                            true => Some(hidden),
                            false => made.and_then(reference),
                        });
                    }
                    if effect.function.1.as_str() == "call" {
                        self.answers.push_back(effect.result.clone());
                    }
                }
            }
        }
    }

    /// What the run did before.
    fn remember(&mut self, here: &Run, me: Pid, begun: u32) -> Option<()> {
        let mut past: Vec<(u32, Pid, &Effect)> = Vec::new();
        for statement in &here.statements {
            let effects = statement.effects.iter().filter(|effect| effect.number <= begun);
            past.extend(effects.map(|effect| (effect.number, statement.pid, effect)));
        }
        past.retain(|(_, pid, effect)| effect.result.is_some() && changes(effect, *pid == me));
        if past.len() > MOST_OPERATIONS {
            return None;
        }
        past.sort_by_key(|(number, _, _)| *number);
        let gone: Vec<Pid> = here
            .processes
            .iter()
            .map(|one| one.pid)
            .filter(|&pid| !here.processes.is_alive(pid, begun))
            .collect();
        let mut of_gone: Vec<Term> = Vec::new();
        for (_, pid, effect) in past {
            let operation = operation(effect);
            if (operation.0, operation.1.as_str()) == ("ets", "new") {
                let made = effect.result.as_ref();
                // One with a name takes a number that nobody sees.
                let hidden = Ref((1 << 39) + self.tables.len() as u64);
                self.tables.push(made.and_then(Term::as_ref).unwrap_or(hidden));
                if gone.contains(&pid) {
                    of_gone.extend(made.cloned());
                }
            }
            effect.args.iter().for_each(|term| processes_in(term, &mut self.others));
            self.state.push(operation);
        }
        for table in of_gone {
            self.state.push(("ets", "delete".to_owned(), vec![table]));
        }
        for (name, pid) in here.processes.names_at(begun) {
            if pid.0 >= machine::FIRST_PID {
                self.others.insert(pid);
                self.state.push(("erlang", "register".to_owned(), vec![name, Term::pid(pid)]));
            }
        }
        Some(())
    }
}

fn operation(effect: &Effect) -> Operation {
    let (module, name, _) = effect.function;
    let module = match module.as_str() {
        "ets" => "ets",
        "persistent_term" => "persistent_term",
        _ => "erlang",
    };
    (module, name.as_str().to_owned(), effect.args.to_vec())
}

/// A name that is given or taken away, as calls.
fn named(at: u32, name: &Term, pid: Option<Pid>) -> Vec<(u32, Operation)> {
    let gone = ("erlang", "unregister".to_owned(), vec![name.clone()]);
    let given =
        pid.map(|pid| ("erlang", "register".to_owned(), vec![name.clone(), Term::pid(pid)]));
    [gone].into_iter().chain(given).map(|operation| (at, operation)).collect()
}

/// What other processes did to tables between two moments; nothing if they made tables.
fn meanwhile(here: &Run, me: Pid, (from, until): (u32, u32)) -> Option<Vec<(u32, Operation)>> {
    let mut all = Vec::new();
    for statement in here.statements.iter().filter(|statement| statement.pid != me) {
        for effect in &statement.effects {
            let is_then = effect.number > from && effect.number < until;
            if is_then && effect.result.is_some() && changes(effect, false) {
                if effect.function.1.as_str() == "new" {
                    return None;
                }
                all.push((effect.number, operation(effect)));
            }
        }
    }
    all.sort_by_key(|(number, _)| *number);
    Some(all)
}

/// Whether a call changes what is there for a statement: of its own process or not.
fn changes(effect: &Effect, is_mine: bool) -> bool {
    match (effect.function.0.as_str(), effect.function.1.as_str()) {
        ("ets", name) => matches!(
            name,
            "new"
                | "insert"
                | "insert_new"
                | "delete"
                | "delete_object"
                | "delete_all_objects"
                | "update_counter"
                | "update_element"
                | "take"
                | "match_delete"
                | "select_delete"
                | "select_replace"
                | "rename"
        ),
        ("persistent_term", name) => matches!(name, "put" | "erase"),
        ("erlang", "put" | "erase" | "process_flag" | "link" | "unlink") => is_mine,
        _ => false,
    }
}

/// Whether something was done that cannot be done again elsewhere.
fn is_out_of_reach(doing: &Doing<'_>) -> bool {
    let Doing::Effect(effect) = doing else { return false };
    matches!(effect.function.0.as_str(), "counters" | "atomics")
        || matches!(effect.function.1.as_str(), "reply" | "start_link" | "start" | "start_monitor")
}

fn makes_reference(effect: &Effect) -> bool {
    let name = effect.function.1.as_str();
    let makes =
        ["make_ref", "monitor", "alias", "send_after", "start_timer", "new", "spawn_monitor"];
    makes.contains(&name)
}

/// The reference that a call gave, alone or beside a process.
fn reference(result: &Term) -> Option<Ref> {
    result.as_ref().or_else(|| result.as_tuple()?.get(1)?.as_ref())
}

/// The processes in a term.
fn processes_in(term: &Term, all: &mut BTreeSet<Pid>) {
    let mut open = vec![term.clone()];
    while let Some(term) = open.pop() {
        match term.view() {
            View::Pid(pid) => {
                all.insert(pid);
            }
            View::Cons(cons) => open.extend([cons.head.clone(), cons.tail.clone()]),
            View::Tuple(tuple) => open.extend(tuple.iter().cloned()),
            View::Map(map) => {
                map.iter().for_each(|(key, value)| open.extend([key.clone(), value.clone()]));
            }
            View::Boxed(term::Boxed::Fun(term::Fun::Local(fun))) => {
                open.extend(fun.env.iter().cloned());
            }
            _ => {}
        }
    }
}
