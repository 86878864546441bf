//! Contracts as functions, in Erlang text that is read behind the text of their module.
//!
//! For each contract that says something by itself there is a function `-contract f/2 pre 1-` (its
//! number at the end) with its clauses, at the place in the file where it is written: what is wrong
//! with it is told as of there. For each function with contracts there are one or two that call
//! them (`code::lower::contract`):
//!
//! ```text
//! '-contract f/2 before-'(A1, A2) ->      spec, pre, decreases, pure, time
//! '-contract f/2 after-'(A1, A2, R) ->    what is pending is over; spec, post, invariants
//! ```
//!
//! A module without contracts is left as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use atom::Atom;
use code::lower::contract::{PREFIX, after, before};
use machine::contract::Kind;

use crate::{Arriving, Contract, Limit, Says};

/// The callbacks of behaviours that give a state, and which behaviours have them.
const CALLBACKS: &[(&str, u32, &str)] = &[
    ("init", 1, "gen_server gen_statem gen_event gen_server_cpre gen_server_qcpre supervisor"),
    ("handle_call", 3, "gen_server gen_server_cpre gen_server_qcpre"),
    ("handle_cast", 2, "gen_server gen_server_cpre gen_server_qcpre"),
    ("handle_info", 2, "gen_server gen_server_cpre gen_server_qcpre gen_event"),
    ("handle_continue", 2, "gen_server gen_server_cpre gen_server_qcpre"),
    ("code_change", 3, "gen_server gen_server_cpre gen_server_qcpre gen_event"),
    ("code_change", 4, "gen_statem"),
    ("cpre", 3, "gen_server_cpre gen_server_qcpre"),
    ("cpre_cast", 2, "gen_server_cpre gen_server_qcpre"),
    ("handle_event", 2, "gen_event"),
    ("handle_call", 2, "gen_event"),
    ("handle_event", 4, "gen_statem"),
];

/// What is done around one function.
#[derive(Default)]
struct Around<'c> {
    /// With their numbers.
    contracts: Vec<(usize, &'c Contract)>,
    /// Invariants, and the behaviours whose state they are about.
    invariants: Vec<(usize, Atom)>,
    /// What says which messages may come, and how they do.
    messages: Vec<(usize, Arriving)>,
    /// Contracts about processes that must not outlive it.
    scopes: Vec<usize>,
}

/// Which contracts are checked, and which are taken to hold.
#[derive(Clone, Default, Debug)]
pub struct Checking {
    /// States that callbacks are given satisfy the invariants: one that does not is refused.
    pub states_are_good: bool,
    /// Contracts that are not checked, by their modules and numbers.
    pub without: BTreeSet<(Atom, u32)>,
}

/// The functions that check the contracts of a module.
pub(crate) fn weave(
    module: Atom,
    contracts: &[Contract],
    behaviours: &[Atom],
    functions: &[(Atom, u32)],
    checking: &Checking,
) -> Option<String> {
    if contracts.is_empty() {
        return None;
    }
    let mut text = String::new();
    let mut around: BTreeMap<(Atom, u32), Around<'_>> = BTreeMap::new();
    for (number, contract) in contracts.iter().enumerate() {
        declare(&mut text, number, contract);
        if checking.without.contains(&(module, number as u32)) {
            continue;
        }
        if let Says::Limit(Limit::EndsBefore(name, arity)) = contract.says {
            around.entry((name, arity)).or_default().scopes.push(number);
        }
        match contract.about {
            Some(function) => {
                around.entry(function).or_default().contracts.push((number, contract));
            }
            None if contract.declared.kind == Kind::Invariant => {
                for &function in functions {
                    for behaviour in behaviours_of(function, behaviours) {
                        let here = around.entry(function).or_default();
                        here.invariants.push((number, behaviour));
                    }
                }
            }
            None => {
                let Says::Arriving(arriving, _) = contract.says else { continue };
                let takes = |function: &&(Atom, u32)| takes(**function, arriving, behaviours);
                for &function in functions.iter().filter(takes) {
                    around.entry(function).or_default().messages.push((number, arriving));
                }
            }
        }
    }
    let maker = Maker { module, contracts, states_are_good: checking.states_are_good };
    for ((name, arity), around) in around {
        maker.around(&mut text, name, arity, &around);
    }
    Some(text)
}

/// Whether a function is the callback that is given such messages.
fn takes((name, arity): (Atom, u32), arriving: Arriving, behaviours: &[Atom]) -> bool {
    let is_server = behaviours.iter().any(|behaviour| behaviour.as_str().starts_with("gen_server"));
    let is_machine = behaviours.iter().any(|behaviour| behaviour.as_str() == "gen_statem");
    let (callback, of) = arriving.callback();
    (is_server && (name.as_str(), arity) == (callback, of))
        || (is_machine && (arity == 3 || (name.as_str(), arity) == ("handle_event", 4)))
}

/// The parameter of a callback that is the state before.
fn given_state(name: Atom, args: &str) -> Option<String> {
    let count = args.matches('A').count();
    match name.as_str() {
        "init" => None,
        "code_change" => Some(format!("A{}", count - 1)),
        _ => Some(format!("A{count}")),
    }
}

/// Whether a function is a callback that gives a state.
pub(crate) fn gives_state(function: (Atom, u32), behaviours: &[Atom]) -> bool {
    !behaviours_of(function, behaviours).is_empty()
}

/// The behaviours of a module for which a function is a callback that gives a state.
fn behaviours_of((name, arity): (Atom, u32), behaviours: &[Atom]) -> Vec<Atom> {
    let listed = |behaviour: &Atom| {
        CALLBACKS.iter().any(|(known, of, who)| {
            *known == name.as_str()
                && *of == arity
                && who.split(' ').any(|who| who == behaviour.as_str())
        })
    };
    // A state of gen_statem can be a function of any name.
    let is_state = |behaviour: &Atom| behaviour.as_str() == "gen_statem" && arity == 3;
    behaviours.iter().copied().filter(|it| listed(it) || is_state(it)).collect()
}

/// The name of the function that a contract becomes.
fn name_of(number: usize, contract: &Contract) -> String {
    let declared = &contract.declared;
    let kind = declared.kind.name();
    let name = match contract.about.filter(|_| !matches!(declared.kind, Kind::Protocol)) {
        Some((name, arity)) => format!("{PREFIX}{name}/{arity} {kind} {number}-"),
        None => format!("{PREFIX}{kind} {number}-"),
    };
    quoted(&name)
}

fn quoted(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A place in a file, for what comes in the next line: the line of the attribute is the one before.
fn place(text: &mut String, file: &str, line: u32) {
    let file = file.replace('\\', "\\\\").replace('"', "\\\"");
    let line = line.saturating_sub(1);
    let _ = writeln!(text, "-file(\"{file}\", {line}).");
}

/// The function that a contract becomes. One that is a function of the module has one that calls
/// it: by its name it is known which contract is evaluated.
fn declare(text: &mut String, number: usize, contract: &Contract) {
    let name = name_of(number, contract);
    let clauses = match &contract.says {
        Says::Clauses(clauses) | Says::Each(clauses) => clauses.clone(),
        // What no clause is about may not come.
        Says::Arriving(arriving, clauses) => {
            let any = vec!["_"; arriving.callback().1 as usize].join(", ");
            format!("{clauses};\n({any}) -> false")
        }
        Says::Function(function, arity) => {
            let params: Vec<String> = (1..=*arity).map(|number| format!("A{number}")).collect();
            let params = params.join(", ");
            format!("({params}) -> {}({params})", quoted(function.as_str()))
        }
        Says::Objects(_, clauses) => clauses.clone(),
        Says::Table(_, function) => format!("(A1) -> {}(A1)", quoted(function.as_str())),
        Says::Follows { clauses, .. } => format!("{clauses};\n(_, _) -> '{PREFIX}none-'"),
        Says::Itself | Says::Limit(_) => return,
    };
    place(text, &contract.declared.file, contract.declared.line);
    // Each clause has the name.
    let clauses = clauses.split(";\n(").enumerate().map(|(at, clause)| match at {
        0 => format!("{name}{clause}"),
        _ => format!("{name}({clause}"),
    });
    let _ = writeln!(text, "{}.", clauses.collect::<Vec<_>>().join("; "));
    if let Says::Follows { first, .. } = &contract.says {
        place(text, &contract.declared.file, contract.declared.line);
        let _ = writeln!(text, "'{PREFIX}first {number}-'() -> {first}.");
    }
}

struct Maker<'c> {
    module: Atom,
    contracts: &'c [Contract],
    states_are_good: bool,
}

impl Maker<'_> {
    fn around(&self, text: &mut String, name: Atom, arity: u32, around: &Around<'_>) {
        let args: Vec<String> = (1..=arity).map(|number| format!("A{number}")).collect();
        let args = args.join(", ");
        let has = |kinds: &[Kind]| {
            around.contracts.iter().any(|(_, it)| kinds.contains(&it.declared.kind))
        };
        let is_pending = has(&[
            Kind::Decreases,
            Kind::StrictlyDecreases,
            Kind::Pure,
            Kind::ExpectedTime,
            Kind::Timeout,
        ]) || !around.scopes.is_empty();
        let has_end = !around.scopes.is_empty()
            || has(&[Kind::Post, Kind::Spec, Kind::ExpectedTime, Kind::Timeout])
            || !around.invariants.is_empty();
        let before_steps = self.before(name, &args, around, !has_end);
        if !before_steps.is_empty() {
            let head = quoted(&before(name, arity));
            let _ = writeln!(text, "{head}({args}) ->\n{}.", before_steps.join(",\n"));
        }
        let after_steps = self.after(name, &args, around, is_pending);
        if !after_steps.is_empty() {
            let head = quoted(&after(name, arity));
            let comma = if arity == 0 { "" } else { ", " };
            let _ = writeln!(text, "{head}({args}{comma}R) ->\n{}.", after_steps.join(",\n"));
        }
    }

    /// What is done before the body, in the order of 9.2.2: what a call must be like, then what is
    /// watched while it runs.
    fn before(
        &self,
        name: Atom,
        args: &str,
        around: &Around<'_>,
        may_replace: bool,
    ) -> Vec<String> {
        let mut steps = Vec::new();
        for &(number, _) in around.invariants.iter().filter(|_| self.states_are_good) {
            if let Some(state) = given_state(name, args) {
                steps.push(self.asked(number, &state, args, "none"));
            }
        }
        for &(number, arriving) in &around.messages {
            steps.push(self.message(number, arriving, name, args));
        }
        let module = quoted(self.module.as_str());
        for &(number, contract) in &around.contracts {
            match contract.declared.kind {
                Kind::Spec => steps.push(format!(
                    "erlscope_native:contract_spec_args({module}, {number}, [{args}])"
                )),
                Kind::Pre => steps.push(self.asked(number, args, args, "none")),
                Kind::Protocol => {
                    steps.push(format!("erlscope_native:contract_follow({module}, {number})"));
                }
                Kind::Processes => {
                    let (what, most) = match contract.says {
                        Says::Limit(Limit::AtMost(most)) => ("at_most", most),
                        Says::Limit(Limit::Restarts(most)) => ("restarts", most),
                        _ => ("ends_before", 0),
                    };
                    steps.push(format!(
                        "erlscope_native:contract_member({module}, {number}, [{args}], {what}, \
                         {most})"
                    ));
                }
                _ => {}
            }
        }
        let entered = self.entered(args, around, may_replace, &mut steps);
        match &entered[..] {
            [] if !steps.is_empty() => steps.push("ok".to_owned()),
            [] => {}
            [one] => steps.push(one.clone()),
            several => {
                let again = vec!["again"; several.len()].join(", ");
                let several = several.join(", ");
                steps.push(format!("case {{{several}}} of {{{again}}} -> again; _ -> ok end"));
            }
        }
        steps
    }

    /// What is watched while the body runs: the steps that begin that, and where their answers are.
    fn entered(
        &self,
        args: &str,
        around: &Around<'_>,
        may_replace: bool,
        steps: &mut Vec<String>,
    ) -> Vec<String> {
        let module = quoted(self.module.as_str());
        let mut entered = Vec::new();
        for number in &around.scopes {
            let scope = format!("erlscope_native:contract_scope({module}, {number}, [{args}])");
            steps.push(format!("S{number} = {scope}"));
            entered.push(format!("S{number}"));
        }
        for &(number, contract) in &around.contracts {
            let enter = match contract.declared.kind {
                Kind::Decreases | Kind::StrictlyDecreases => {
                    let value = self.value(number, args);
                    let values = match contract.says {
                        Says::Each(_) => value,
                        _ => format!("[{value}]"),
                    };
                    format!(
                        "erlscope_native:contract_measure({module}, {number}, [{args}], {values}, \
                         {may_replace})"
                    )
                }
                Kind::Pure => format!(
                    "erlscope_native:contract_pure({module}, {number}, [{args}], {may_replace})"
                ),
                kind @ (Kind::ExpectedTime | Kind::Timeout) => {
                    let value = self.value(number, args);
                    let stops = kind == Kind::Timeout;
                    format!(
                        "erlscope_native:contract_time({module}, {number}, [{args}], {value}, \
                         {stops})"
                    )
                }
                _ => continue,
            };
            steps.push(format!("E{number} = {enter}"));
            entered.push(format!("E{number}"));
        }
        entered
    }

    fn after(&self, name: Atom, args: &str, around: &Around<'_>, is_pending: bool) -> Vec<String> {
        let mut steps = Vec::new();
        let module = quoted(self.module.as_str());
        for number in &around.scopes {
            let name = quoted(name.as_str());
            steps.push(format!("erlscope_native:contract_scope_over({module}, {number}, {name})"));
        }
        if is_pending {
            steps.push("erlscope_native:contract_leave()".to_owned());
        }
        let result = "{ok, R}";
        let all = if args.is_empty() { "R".to_owned() } else { format!("{args}, R") };
        for &(number, contract) in &around.contracts {
            match contract.declared.kind {
                Kind::Spec => steps.push(format!(
                    "erlscope_native:contract_spec_result({module}, {number}, [{args}], R)"
                )),
                Kind::Post => steps.push(self.asked(number, &all, args, result)),
                _ => {}
            }
        }
        for &(number, behaviour) in &around.invariants {
            let state = format!("S{number}");
            let asked = self.asked(number, &state, args, result);
            let (behaviour, name) = (quoted(behaviour.as_str()), quoted(name.as_str()));
            steps.push(format!(
                "case erlscope_contract:state({behaviour}, {name}, R) of\n{{ok, {state}}} -> \
                 {asked};\nnone -> ok\nend"
            ));
        }
        steps
    }

    /// A message comes. A server's callback is given what the contract is about; to one of a state
    /// machine it is said how it came, and the state is that with its data.
    fn message(&self, number: usize, arriving: Arriving, name: Atom, args: &str) -> String {
        let (callback, arity) = arriving.callback();
        if name.as_str() == callback && args.matches('A').count() == arity as usize {
            return self.asked(number, args, args, "none");
        }
        let state = match args.matches('A').count() {
            3 => format!("{{{}, A3}}", quoted(name.as_str())),
            _ => "{A3, A4}".to_owned(),
        };
        let (how, given) = match arriving {
            Arriving::Call => ("{call, From}", format!("A2, From, {state}")),
            Arriving::Cast => ("cast", format!("A2, {state}")),
            Arriving::Info => ("info", format!("A2, {state}")),
        };
        let asked = self.asked(number, &given, args, "none");
        format!("case A1 of\n{how} -> {asked};\n_ -> ok\nend")
    }

    /// The call of what a contract says.
    fn call(&self, number: usize, given: &str) -> String {
        format!("{}({given})", name_of(number, &self.contracts[number]))
    }

    /// A contract is asked, and must say yes.
    fn asked(&self, number: usize, given: &str, args: &str, result: &str) -> String {
        let (module, call) = (quoted(self.module.as_str()), self.call(number, given));
        format!(
            "try {call} of\ntrue -> ok;\n{{true, _}} -> ok;\n\
             V{number} -> erlscope_native:contract_failed({module}, {number}, V{number}, [{args}], \
             {result})\n\
             catch C{number}:X{number} -> erlscope_native:contract_raised({module}, {number}, \
             C{number}, X{number}, [{args}], {result})\nend"
        )
    }

    /// A contract is asked for a value.
    fn value(&self, number: usize, args: &str) -> String {
        let (module, call) = (quoted(self.module.as_str()), self.call(number, args));
        format!(
            "try {call}\n\
             catch C{number}:X{number} -> erlscope_native:contract_raised({module}, {number}, \
             C{number}, X{number}, [{args}], none)\nend"
        )
    }
}
