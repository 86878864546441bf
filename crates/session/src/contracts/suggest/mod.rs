//! Contracts that a program does not have and could: what held in all runs that were made.
//!
//! Runs are those of calls that are named, of the EUnit tests of the program, and of inputs that
//! are made for its exported functions (`inputs`). What functions were called with and what they
//! returned is kept ([`watch`]), and facts that no sample contradicts are told ([`mod@facts`]),
//! each as an attribute that can be copied, with the number of calls that support it. They are
//! likely, no more: `erlscope contracts prove` and `--contracts` say what becomes of them.
//!
//! Arguments of calls that the search makes say nothing about what a function expects: for
//! preconditions only calls that the program itself, a test or a named call makes count.

mod facts;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use ::inputs::{Engine, Options, Reached, Shape};
use ::types::declared::Declarations;
use atom::Atom;
use machine::observe::{Event, Interest, Mark, Moment, Observer};
use program::{LoadedModule, Program};
use runner::scheduler::InTurn;
use serde::Serialize;
use syntax::ast::Kind as Node;
use term::Term;

use self::facts::{Variable, facts};
use self::watch::{Function, Sample, Sampler};
use super::read_whole;
use crate::inputs::goals::Goals;
use crate::inputs::{Place, What, stand_of, subject};
use crate::reading::Reading;
use crate::running::{Running, Telling};
use crate::{Control, Error, run};

/// What is looked at.
#[derive(Clone, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// Calls to run, `m:f(1)`.
    pub calls: Vec<String>,
    /// Whether EUnit tests of the program are run.
    pub tests: bool,
    /// Inputs for each exported function.
    pub inputs: u64,
    /// So many calls have to support a contract.
    pub support: usize,
    pub running: Running,
    pub reading: Reading,
}

/// A contract that could be there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Suggested {
    pub module: String,
    pub file: String,
    /// `pre`, `post` or `invariant`.
    pub contract: &'static str,
    /// `f/2`; none of an invariant.
    pub function: Option<String>,
    /// The attribute.
    pub text: String,
    /// Calls that it held in, which are all that were seen.
    pub support: usize,
}

/// What was found.
#[derive(Clone, Default, Debug)]
pub struct Answer {
    pub suggested: Vec<Suggested>,
    /// Calls of functions of the program that returned.
    pub calls: usize,
    /// Runs that could not be made, and why.
    pub failed: Vec<(String, String)>,
}

/// Calls that one run may make.
const STEPS: u64 = 200_000;

/// Runs a program and says what held.
pub fn suggest(request: &Request, control: &Control) -> Result<Answer, Error> {
    let program = Arc::new(read_whole(&request.paths, &request.reading, request.tests)?);
    let own = program.modules.iter().map(|module| module.name).collect();
    let sampler = Rc::new(Sampler::new(own));
    let mut answer = Answer::default();
    for call in &request.calls {
        ran(request, call, false, &sampler, control)?;
    }
    if request.tests {
        for call in tests_of(request)? {
            if control.is_over() {
                break;
            }
            if let Err(error) = ran(request, &call, true, &sampler, control) {
                answer.failed.push((call, error.to_string()));
            }
        }
    }
    let mut samples = sampler.samples();
    if request.inputs > 0 {
        for (function, made) in searched(request, &program, &sampler, control, &mut answer) {
            samples.entry(function).or_default().extend(made);
        }
    }
    answer.calls = samples.values().map(Vec::len).sum();
    for module in &program.modules {
        let of_module = samples.iter().filter(|((name, _, _), _)| *name == module.name);
        for (&(_, name, arity), samples) in of_module {
            of_function(request, module, (name, arity), samples, &mut answer.suggested);
        }
        invariants(request, module, &samples, &mut answer.suggested);
    }
    Ok(answer)
}

/// Runs a call with somebody who keeps what is called.
fn ran(
    request: &Request,
    call: &str,
    with_tests: bool,
    sampler: &Rc<Sampler>,
    control: &Control,
) -> Result<(), Error> {
    let request = run::Request {
        paths: request.paths.clone(),
        call: Some(call.to_owned()),
        keep_output: true,
        with_tests,
        running: request.running.clone(),
        reading: request.reading.clone(),
        ..run::Request::default()
    };
    let observer = Rc::clone(sampler) as Rc<dyn Observer>;
    run::observed(&request, Telling::Calls, observer, &control.unheard())?;
    sampler.end();
    Ok(())
}

/// The calls that run the EUnit tests of a program.
fn tests_of(request: &Request) -> Result<Vec<String>, Error> {
    let program = read_whole(&request.paths, &request.reading, false)?;
    let has_tests = |module: &&LoadedModule| {
        module.name.as_str().ends_with("_tests")
            || module.index.functions.iter().any(|((name, arity), _)| {
                arity == 0
                    && (name.as_str().ends_with("_test") || name.as_str().ends_with("_test_"))
            })
    };
    let call =
        |module: &LoadedModule| format!("eunit:test({})", atom::quote::atom(module.name.as_str()));
    Ok(program.modules.iter().filter(has_tests).map(call).collect())
}

/// What inputs for every exported function show.
fn searched(
    request: &Request,
    program: &Arc<Program>,
    sampler: &Rc<Sampler>,
    control: &Control,
    answer: &mut Answer,
) -> BTreeMap<Function, Vec<Sample>> {
    let declarations = Declarations::new(Arc::clone(program));
    for module in &program.modules {
        let functions = module.index.functions.iter().map(|(function, _)| function);
        for (name, arity) in functions {
            // States that are made up say nothing about those that processes come to.
            if subject::is_callback(module, &declarations, (name, arity)) {
                continue;
            }
            let is_test = name.as_str().ends_with("_test") || name.as_str().ends_with("_test_");
            if arity == 0 || is_test || control.is_over() {
                continue;
            }
            if !module.index.export_all && !module.index.exports.contains((name, arity)) {
                continue;
            }
            let quote = |name: Atom| atom::quote::atom(name.as_str());
            let what = format!("{}:{}/{arity}", quote(module.name), quote(name));
            if let Err(error) = search(request, &what, program, sampler, control) {
                answer.failed.push((what, error.to_string()));
            }
        }
    }
    sampler.samples()
}

/// Runs inputs for a function.
fn search(
    request: &Request,
    what: &str,
    program: &Arc<Program>,
    sampler: &Rc<Sampler>,
    control: &Control,
) -> Result<(), Error> {
    let subject = subject::of(&What::Function(what.to_owned()), program)?;
    let place = Place { paths: &request.paths, running: &request.running, steps: STEPS };
    let mut stand = stand_of(&place, &request.reading, program, subject.subject, control)?;
    let constants = Rc::new(subject.constants);
    let shapes: Vec<Shape> = subject.shapes;
    let options = Options { runs: request.inputs, shrinking: 0, ..Options::default() };
    let engine = Engine::new(shapes, constants, options)
        .map_err(|error| Error::Failed(error.to_string()))?;
    let both = Rc::new(Both { goals: Rc::clone(stand.goals()), sampler: Rc::clone(sampler) });
    engine.run(&[], &mut |input| {
        if control.is_over() {
            return None;
        }
        let both = Rc::clone(&both) as Rc<dyn Observer>;
        stand.run_watched(input, &mut InTurn, |_, _| both);
        sampler.end();
        let (goals, hints) = stand.goals().take();
        Some(Reached { goals, hints, failure: None })
    });
    Ok(())
}

/// Who keeps what is called, and who counts what is reached.
struct Both {
    goals: Rc<Goals>,
    sampler: Rc<Sampler>,
}

impl Observer for Both {
    fn interest(&self) -> Interest {
        self.goals.interest().and(self.sampler.interest())
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        self.sampler.event(moment, event);
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        self.goals.mark(moment, mark);
    }

    fn value(&self, moment: &Moment<'_>, value: &Term) {
        self.goals.value(moment, value);
    }
}

/// Pre- and postconditions of a function.
fn of_function(
    request: &Request,
    module: &LoadedModule,
    (name, arity): (Atom, u32),
    samples: &[Sample],
    suggested: &mut Vec<Suggested>,
) {
    let names = parameters(module, (name, arity));
    let quoted = atom::quote::atom(name.as_str()).to_string();
    let variables = |samples: &[&Sample]| -> Vec<Variable> {
        let of = |at: usize| samples.iter().filter_map(|it| it.args.get(at).cloned()).collect();
        let named = names.iter().enumerate();
        named.map(|(at, name)| Variable { name: name.clone(), values: of(at) }).collect()
    };
    let mut add = |contract: &'static str, text: String, support: usize| {
        suggested.push(Suggested {
            module: module.name.to_string(),
            file: module.unit.path.display().to_string(),
            contract,
            function: Some(format!("{name}/{arity}")),
            text: format!("-{contract}({}).", string(&text)),
            support,
        });
    };
    let head = |used: &[usize]| {
        let one = |(at, name): (usize, &String)| match used.contains(&at) {
            true => name.clone(),
            false => "_".to_owned(),
        };
        names.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
    };
    let inner: Vec<&Sample> = samples.iter().filter(|it| !it.is_from_outside).collect();
    if inner.len() >= request.support {
        for fact in facts(&variables(&inner)) {
            let text = format!("{quoted}({}) -> {}", head(&fact.about), fact.text);
            add("pre", text, inner.len());
        }
    }
    let all: Vec<&Sample> = samples.iter().collect();
    if all.len() >= request.support {
        let mut variables = variables(&all);
        let result = variables.len();
        let name = if names.iter().any(|name| name == "R") { "Result" } else { "R" };
        let values = all.iter().map(|it| it.result.clone()).collect();
        variables.push(Variable { name: name.to_owned(), values });
        for fact in facts(&variables).into_iter().filter(|fact| fact.about.contains(&result)) {
            let text = format!("{quoted}({}) = {name} -> {}", head(&fact.about), fact.text);
            add("post", text, all.len());
        }
    }
}

/// A string as it is written.
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What the parameters of a function are called: as in its clauses, if they have names there.
fn parameters(module: &LoadedModule, function: (Atom, u32)) -> Vec<String> {
    let arity = function.1 as usize;
    let mut names: Vec<String> = (1..=arity).map(|number| format!("A{number}")).collect();
    let tree = &module.tree;
    let Some(&form) = module.index.functions.get(function) else { return names };
    let Node::Function { clauses, .. } = tree.kind(form) else { return names };
    for &clause in tree.list(clauses) {
        let Node::Clause { patterns, .. } = tree.kind(clause) else { continue };
        for (at, &pattern) in tree.list(patterns).iter().enumerate().take(arity) {
            if let Node::Var(name) = tree.kind(pattern)
                && !name.as_str().starts_with('_')
                && names[at] == format!("A{}", at + 1)
                && !names.iter().any(|known| known == name.as_str())
            {
                names[at] = name.to_string();
            }
        }
    }
    names
}

/// Callbacks whose results have a state in them.
const CALLBACKS: [(&str, u32); 7] = [
    ("init", 1),
    ("handle_call", 3),
    ("handle_cast", 2),
    ("handle_info", 2),
    ("handle_continue", 2),
    ("code_change", 3),
    ("cpre", 3),
];

/// What holds of the states of a server that are records.
fn invariants(
    request: &Request,
    module: &LoadedModule,
    samples: &BTreeMap<Function, Vec<Sample>>,
    suggested: &mut Vec<Suggested>,
) {
    let is_server = module.index.behaviours.iter().any(|(name, _)| {
        matches!(name.as_str(), "gen_server" | "gen_server_cpre" | "gen_server_qcpre")
    });
    if !is_server {
        return;
    }
    let of = |(name, arity): &(&str, u32)| samples.get(&(module.name, Atom::new(name), *arity));
    let results = CALLBACKS.iter().filter_map(of).flatten().map(|sample| &sample.result);
    let states: Vec<Vec<Term>> =
        results.filter_map(state).filter_map(|state| Some(state.as_tuple()?.to_vec())).collect();
    let Some(tag) = states.first().and_then(|state| state.first()?.as_atom()) else { return };
    let Some(record) = module.index.records.get(tag) else { return };
    let size = record.fields.len() + 1;
    let fits = |state: &Vec<Term>| {
        state.len() == size && state.first().and_then(Term::as_atom) == Some(tag)
    };
    if states.len() < request.support || !states.iter().all(fits) {
        return;
    }
    let variables: Vec<Variable> = record
        .fields
        .iter()
        .enumerate()
        .map(|(at, (field, _))| Variable {
            name: variable(field.as_str(), at),
            values: states.iter().map(|state| state[at + 1].clone()).collect(),
        })
        .collect();
    for fact in facts(&variables) {
        let used = fact.about.iter().map(|&at| {
            let field = atom::quote::atom(record.fields[at].0.as_str());
            format!("{field} = {}", variables[at].name)
        });
        let pattern = used.collect::<Vec<_>>().join(", ");
        let tag = atom::quote::atom(tag.as_str());
        suggested.push(Suggested {
            module: module.name.to_string(),
            file: module.unit.path.display().to_string(),
            contract: "invariant",
            function: None,
            text: format!(
                "-invariant({}).",
                string(&format!("#{tag}{{{pattern}}} -> {}", fact.text))
            ),
            support: states.len(),
        });
    }
}

/// A variable for a field.
fn variable(field: &str, at: usize) -> String {
    let is_word = field.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match field.chars().next() {
        Some(first) if is_word && first.is_ascii_lowercase() => {
            format!("{}{}", first.to_ascii_uppercase(), &field[1..])
        }
        _ => format!("F{}", at + 1),
    }
}

/// The state in what a callback of a server gave.
fn state(result: &Term) -> Option<&Term> {
    match result.as_tuple()? {
        [tag, state, ..] if matches!(tag.as_atom()?.as_str(), "ok" | "noreply") => Some(state),
        [tag, _, state, ..] if tag.as_atom()?.as_str() == "reply" => Some(state),
        [served, state] if served.as_bool().is_some() => Some(state),
        _ => None,
    }
}
