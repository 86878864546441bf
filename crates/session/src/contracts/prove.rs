//! Which contracts cannot fail: every exported function that may come to a function with a contract
//! is searched, path by path, with contracts checked (`concolic`).
//!
//! *Proven* is said where every path of every such function was taken, no contract failed, and all
//! that these functions do is to give a value, for else their arguments alone do not say what they
//! do. Purity is proven from the flow graph ([`super::purity`]). Where a bound was reached it is
//! told how far the contract held, and which bound. What is proven is about calls of exported
//! functions with arguments of their specs (or inferred types) that satisfy their preconditions.
//! Specs are types, which `erlscope types` is for: they are not looked at here.
//!
//! An *invariant* is proven by induction: `init` gives states that satisfy it, and every callback
//! that is given one gives one. A callback that does not is no proof that it is broken: processes
//! may never come to that state.
//!
//! Where a function breaks its own promise, what comes behind is not seen. So once that is known
//! everything is searched again without that contract, for those that are left.

use std::collections::BTreeSet;
use std::sync::Arc;

use ::contracts::{Checking, Contract, callbacks, contracts_of};
use atom::Atom;
use machine::contract::Kind;
use serde::Serialize;

use super::purity::{Purities, Purity};
use super::{Broken, Listed, first_problem, read_whole, woven_as};
use crate::concolic::{self, Incomplete};
use crate::reading::Reading;
use crate::run::Ending;
use crate::running::{Contracting, Running};
use crate::{Control, Error, Progress};

/// What is to be proven.
#[derive(Clone, Debug)]
pub struct Request {
    pub paths: Vec<std::path::PathBuf>,
    /// As for `concolic`.
    pub depth: usize,
    pub max_paths: u64,
    pub solver_steps: u64,
    pub running: Running,
    pub reading: Reading,
}

/// A contract and what became of it.
#[derive(Debug, Serialize)]
pub struct Proved {
    pub module: String,
    pub file: String,
    #[serde(flatten)]
    pub contract: Listed,
    #[serde(flatten)]
    pub verdict: Verdict,
}

#[derive(Debug, Serialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// It cannot fail: on so many paths, which are all.
    Proven { paths: u64 },
    /// A function declared pure is.
    Pure,
    /// It fails.
    Broken {
        /// The call that was made.
        call: String,
        #[serde(skip)]
        broken: Box<Broken>,
    },
    /// A function declared pure may act.
    Impure { path: Vec<String>, action: String },
    /// It held on so many paths; why that is no proof.
    Held { paths: u64, why: Vec<Why> },
}

/// Why something is not proven.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Why {
    /// No exported function comes there.
    NotReached,
    /// It is about what processes do.
    States,
    /// A callback that is given a state that satisfies it gives one that does not.
    NotKept { call: String },
    /// Not every path of a function was taken.
    Paths {
        function: String,
        #[serde(skip)]
        incomplete: Incomplete,
    },
    /// A native function decided something by values that were taken as they were.
    NotFollowed { function: String, what: String },
    /// No input satisfies what the function asks for, as far as was seen.
    NoInput { function: String },
    /// The function may do more than to give a value.
    Acts { function: String, path: Vec<String>, action: String },
    /// It is not known what it calls.
    Unknown { path: Vec<String>, what: String },
    /// It could not be searched.
    Failed { function: String, message: String },
    /// The work was stopped.
    Stopped,
}

type Function = (Atom, Atom, u32);

/// What a search came to.
struct Searched {
    function: String,
    /// Runs that were not refused by what the function asks for.
    runs: u64,
    paths: u64,
    broken: Vec<(String, Broken)>,
    why: Vec<Why>,
}

/// Tries to prove all contracts of a program.
pub fn prove(request: &Request, control: &Control) -> Result<Vec<Proved>, Error> {
    let program = read_whole(&request.paths, &request.reading, false)?;
    let purities = Purities::of(&program)?;
    let mut contracts = Vec::new();
    for module in &program.modules {
        let read = contracts_of(&module.unit, &module.tree, false);
        let file = module.unit.path.display().to_string();
        contracts.extend(read.contracts.into_iter().map(|it| (module.name, file.clone(), it)));
    }
    let mut proved: Vec<Option<Proved>> = contracts.iter().map(|_| None).collect();
    let mut without = BTreeSet::new();
    for round in 0..=AGAIN {
        let work = Work::new(request, &program, &without, &purities, control)?;
        let mut searched = [Vec::new(), Vec::new()];
        let mut found = BTreeSet::new();
        for (place, (module, file, contract)) in contracts.iter().enumerate() {
            if proved[place].is_some() {
                continue;
            }
            let verdict = work.verdict(*module, contract, &mut searched);
            if matches!(verdict, Verdict::Broken { .. }) && contract.declared.kind != Kind::Pre {
                let number = place - first_of(&contracts, *module);
                found.insert((*module, number as u32));
            }
            let (module, file) = (module.to_string(), file.clone());
            let one = Proved { module, file, contract: Listed::of(contract), verdict };
            proved[place] = Some(one);
            control.hear(Progress::Proving { done: place + 1, all: contracts.len() });
        }
        // What another one hides is looked at again without that.
        let is_hidden = |one: &Option<Proved>| match one {
            Some(Proved { verdict: Verdict::Held { why, .. }, .. }) => {
                why.iter().any(|why| matches!(why, Why::Failed { .. }))
            }
            _ => false,
        };
        if round == AGAIN || found.is_empty() || !proved.iter().any(is_hidden) {
            break;
        }
        without.extend(found);
        proved.iter_mut().filter(|one| is_hidden(one)).for_each(|one| *one = None);
    }
    Ok(proved.into_iter().flatten().collect())
}

/// How often all is searched again.
const AGAIN: usize = 3;

/// Where the contracts of a module begin: they are numbered from there.
fn first_of(contracts: &[(Atom, String, Contract)], module: Atom) -> usize {
    contracts.iter().position(|(known, ..)| *known == module).unwrap_or(0)
}

struct Work<'a> {
    request: &'a Request,
    running: Running,
    /// As it is; and where the states that callbacks are given satisfy the invariants.
    programs: [Arc<program::Program>; 2],
    purities: &'a Purities,
    control: &'a Control,
}

impl<'a> Work<'a> {
    fn new(
        request: &'a Request,
        program: &program::Program,
        without: &BTreeSet<(Atom, u32)>,
        purities: &'a Purities,
        control: &'a Control,
    ) -> Result<Work<'a>, Error> {
        let contracting = Contracting { without_specs: true, wall_time: false };
        let mut programs = Vec::new();
        for states_are_good in [false, true] {
            let checking = Checking { states_are_good, without: without.clone() };
            let woven = woven_as(program.clone(), Some(contracting), checking);
            if let Some(problem) = first_problem(&woven) {
                return Err(problem);
            }
            programs.push(Arc::new(woven));
        }
        let running = Running { contracts: Some(contracting), ..request.running.clone() };
        let programs = [Arc::clone(&programs[0]), Arc::clone(&programs[1])];
        Ok(Work { request, running, programs, purities, control })
    }

    fn verdict(
        &self,
        module: Atom,
        contract: &Contract,
        [searched, kept]: &mut [Vec<(Function, Searched)>; 2],
    ) -> Verdict {
        let kind = contract.declared.kind;
        if kind == Kind::Invariant {
            return self.kept(module, contract, kept);
        }
        let about = contract.about.filter(|_| !matches!(kind, Kind::Processes | Kind::Protocol));
        let Some((name, arity)) = about else {
            return Verdict::Held { paths: 0, why: vec![Why::States] };
        };
        if kind == Kind::Pure {
            return self.purity((module, name, arity));
        }
        let entries = self.purities.entries_to(module, name, arity);
        if entries.is_empty() {
            return Verdict::Held { paths: 0, why: vec![Why::NotReached] };
        }
        let (mut verdict, _) = self.over(entries, contract, &self.programs[0], searched);
        if let Verdict::Held { why, .. } = &mut verdict
            && why.is_empty()
        {
            why.push(Why::NoInput { function: format!("{module}:{name}/{arity}") });
        }
        verdict
    }

    /// Whether callbacks keep an invariant.
    fn kept(
        &self,
        module: Atom,
        contract: &Contract,
        searched: &mut Vec<(Function, Searched)>,
    ) -> Verdict {
        let tree = self.programs[0].module(module).map(|module| &module.tree);
        let own = tree.map(|tree| callbacks(tree)).unwrap_or_default();
        let entries: Vec<Function> =
            own.into_iter().map(|(name, arity)| (module, name, arity)).collect();
        let (verdict, by) = self.over(entries, contract, &self.programs[1], searched);
        match (verdict, by) {
            // Whether a process comes to the state that was given is not known.
            (Verdict::Broken { call, .. }, Some((_, name, _))) if name.as_str() != "init" => {
                Verdict::Held { paths: 0, why: vec![Why::NotKept { call }] }
            }
            (Verdict::Held { paths, why }, _) if why.is_empty() => {
                let why = vec![Why::NoInput { function: module.to_string() }];
                Verdict::Held { paths, why }
            }
            (verdict, _) => verdict,
        }
    }

    /// What searching some functions says of a contract, and of them the one that breaks it.
    fn over(
        &self,
        entries: Vec<Function>,
        contract: &Contract,
        program: &Arc<program::Program>,
        searched: &mut Vec<(Function, Searched)>,
    ) -> (Verdict, Option<Function>) {
        let (mut paths, mut runs, mut why) = (0, 0, Vec::new());
        for entry in entries {
            let known = searched.iter().position(|(function, _)| *function == entry);
            let at = known.unwrap_or_else(|| {
                searched.push((entry, self.search(entry, program)));
                searched.len() - 1
            });
            let found = &searched[at].1;
            let is_it = |broken: &Broken| {
                let declared = &contract.declared;
                broken.contract == declared.kind.name()
                    && (&broken.file, broken.line, broken.column)
                        == (&declared.file, declared.line, declared.column)
            };
            if let Some((call, broken)) = found.broken.iter().find(|(_, it)| is_it(it)) {
                let (call, broken) = (call.clone(), Box::new(broken.clone()));
                return (Verdict::Broken { call, broken }, Some(entry));
            }
            paths += found.paths;
            runs += found.runs;
            why.extend(found.why.iter().cloned());
            // Where others fail, what comes behind is not seen.
            if let Some((_, other)) = found.broken.first() {
                let function = found.function.clone();
                let message = format!("{} at {}:{} fails", other.contract, other.file, other.line);
                why.push(Why::Failed { function, message });
            }
        }
        let verdict = match why.is_empty() && runs > 0 {
            true => Verdict::Proven { paths },
            false => Verdict::Held { paths, why },
        };
        (verdict, None)
    }

    fn purity(&self, (module, name, arity): Function) -> Verdict {
        match self.purities.get(module, name, arity) {
            Some(Purity::Pure) => Verdict::Pure,
            Some(Purity::Impure { path, action }) => {
                Verdict::Impure { path: path.clone(), action: action.clone() }
            }
            Some(Purity::Unknown { path, why }) => {
                let why = vec![Why::Unknown { path: path.clone(), what: why.clone() }];
                Verdict::Held { paths: 0, why }
            }
            None => Verdict::Held { paths: 0, why: vec![Why::NotReached] },
        }
    }

    /// Takes the paths of a function.
    fn search(&self, (module, name, arity): Function, program: &Arc<program::Program>) -> Searched {
        let quote = |name: Atom| atom::quote::atom(name.as_str());
        let function = format!("{}:{}/{arity}", quote(module), quote(name));
        let mut found =
            Searched { function, runs: 0, paths: 0, broken: Vec::new(), why: Vec::new() };
        if self.control.is_over() {
            found.why.push(Why::Stopped);
            return found;
        }
        match self.purities.get(module, name, arity) {
            Some(Purity::Impure { path, action }) => found.why.push(Why::Acts {
                function: found.function.clone(),
                path: path.clone(),
                action: action.clone(),
            }),
            Some(Purity::Unknown { path, why }) => {
                found.why.push(Why::Unknown { path: path.clone(), what: why.clone() });
            }
            _ => {}
        }
        let request = concolic::Request {
            depth: self.request.depth,
            max_paths: self.request.max_paths,
            solver_steps: self.request.solver_steps,
            measure: false,
            running: self.running.clone(),
            reading: self.request.reading.clone(),
            ..concolic::Request::new(self.request.paths.clone(), found.function.clone())
        };
        let answer = match concolic::search_in(&request, program, &self.control.unheard()) {
            Ok(answer) => answer,
            Err(error) => {
                let function = found.function.clone();
                found.why.push(Why::Failed { function, message: error.to_string() });
                return found;
            }
        };
        found.paths = answer.searched.paths;
        let is_refusal = |ending: &Ending| match ending {
            Ending::Raised(raised) => raised.exception.reason.starts_with("{contract_violation,"),
            _ => false,
        };
        found.runs = answer.paths.iter().filter(|ran| !is_refusal(&ran.ending)).count() as u64;
        for taken in answer.concretised.iter().filter(|taken| !is_harmless(&taken.what)) {
            let (function, what) = (found.function.clone(), native(&taken.what).to_owned());
            found.why.push(Why::NotFollowed { function, what });
        }
        for incomplete in answer.incomplete.iter().filter(|it| **it != Incomplete::Concretised) {
            let function = found.function.clone();
            found.why.push(Why::Paths { function, incomplete: incomplete.clone() });
        }
        for failed in answer.errors {
            if let Some(broken) = failed.broken {
                found.broken.push((failed.ran.call, *broken));
            }
        }
        found
    }
}

/// A native function, in the words of contracts if it is theirs.
fn native(what: &str) -> &str {
    match what {
        "erlscope_native:contract_measure/5" => "the order of what decreases",
        "erlscope_native:contract_time/5" => "the time that is allowed",
        other => other,
    }
}

/// What contracts ask the Machine and what does not depend on the values that it is given: that it
/// is not followed hides nothing.
fn is_harmless(what: &str) -> bool {
    const ASKED: [&str; 4] =
        ["contract_pure/4", "contract_leave/0", "contract_failed/5", "contract_raised/6"];
    what.strip_prefix("erlscope_native:").is_some_and(|name| ASKED.contains(&name))
}
