//! Inputs that reach the criterion: made from the types of the functions that the slice is entered
//! by, guided by what runs reach, and, for branches of the slice that these miss, by concolic
//! execution.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use ::flow::criteria::{Criteria, Said};
use ::flow::{Flow, Site};
use ::inputs::{Engine, Input, Options, Reached};
use ::slice::Slice;
use atom::Atom;
use machine::observe::Mark;
use program::Program;
use program::index::NameArity;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bench::{Bench, Call, Told, Version};
use super::{Clock, Counted, Coverage};
use crate::inputs::subject::{self, Types};
use crate::inputs::{What, goals::Goals};
use crate::reading::Reading;
use crate::running::Running;
use crate::{Error, concolic};

/// Calls that a run of the original may make.
pub(super) const STEPS: u64 = 50_000;

/// Inputs that are run for each function from one beginning, and those that are kept in all.
pub(super) const RUNS: u64 = 200;
const KEPT: usize = 40;
const KEPT_AT_LEAST: usize = 4;
/// Of those that tell the same.
const ALIKE: usize = 5;

/// Paths of a function that concolic execution takes, and questions that it may leave open.
const PATHS: u64 = 120;
const OPEN: u64 = 40;

/// A function that the program is entered by.
pub(super) type Entry = (Atom, NameArity);

/// The functions that others may call and that have a part in the slice. Callbacks of behaviours
/// are called by these; where there is nothing else they are called themselves.
pub(super) fn entries(
    program: &Program,
    flow: &Flow,
    slice: &Slice<'_>,
    types: &Types,
) -> Vec<Entry> {
    let (mut found, mut callbacks) = (Vec::new(), Vec::new());
    for (id, module) in flow.modules.enumerate() {
        let Some(loaded) = program.module(module.name) else { continue };
        for (function, &form) in loaded.index.functions.iter() {
            let is_exported = loaded.index.export_all || loaded.index.exports.contains(function);
            if !is_exported {
                continue;
            }
            let mut has_part = false;
            module.tree.for_each_below(form, |node| {
                has_part = has_part || slice.contains(Site { module: id, node });
            });
            if has_part {
                match subject::is_callback(loaded, &types.declarations, function) {
                    true => callbacks.push((module.name, function)),
                    false => found.push((module.name, function)),
                }
            }
        }
    }
    if found.is_empty() { callbacks } else { found }
}

/// Looks for inputs on a node that sees what is reached.
pub(super) struct Gatherer<'a> {
    pub(super) bench: Bench,
    pub(super) program: &'a Arc<Program>,
    pub(super) types: Types,
    pub(super) clock: &'a Clock<'a>,
    /// Those that reach the criterion, in the order in which they were found.
    pub(super) kept: Vec<Call>,
    /// What they told, and how many did.
    told: FxHashMap<Vec<(u32, Vec<String>)>, usize>,
    /// How many are kept that tell the same.
    pub(super) alike: usize,
    /// What was reached by those that are kept.
    reached: FxHashSet<u32>,
    /// Everything that was run.
    pub(super) ran: u64,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(
        mut bench: Bench,
        original: &[Version],
        program: &'a Arc<Program>,
        clock: &'a Clock<'a>,
    ) -> Gatherer<'a> {
        bench.load(original);
        Gatherer {
            bench,
            program,
            types: Types::of(program),
            clock,
            kept: Vec::new(),
            told: FxHashMap::default(),
            alike: ALIKE,
            reached: FxHashSet::default(),
            ran: 0,
        }
    }

    /// Runs a call: what it reached, and what it told.
    fn run(&mut self, call: &Call) -> (Reached, Option<Told>) {
        let start = self.bench.prepare(call);
        let ran = self.bench.run(&start, STEPS, None);
        self.ran += 1;
        let (goals, hints) = self.bench.goals().take();
        let told = (ran.supported && !ran.told.is_empty()).then_some(ran.told);
        (Reached { goals, hints, failure: None }, told)
    }

    /// Keeps a call if it tells something that no other does, or reaches something new.
    fn keep(&mut self, call: &Call, goals: &[u32], told: Told, most: usize) {
        // Fresh inputs are many, and few are the same; but there is one call without arguments.
        let looks = self.alike != usize::MAX || call.args == Input::Tuple(Vec::new());
        if looks && self.kept.contains(call) {
            return;
        }
        let reaches = goals.iter().filter(|goal| !self.reached.contains(goal)).count() > 0;
        let same = self.told.entry(told.sequences).or_default();
        if reaches || (*same < self.alike && self.kept.len() < most) {
            *same += 1;
            self.reached.extend(goals);
            self.kept.push(call.clone());
        }
    }

    /// Makes inputs for these functions.
    pub(super) fn generate(&mut self, entries: &[Entry], seed: u64, runs: u64) {
        let each = (KEPT / entries.len().max(1)).max(KEPT_AT_LEAST);
        let each = if self.alike == usize::MAX { usize::MAX / 2 } else { each };
        for &(module, (name, arity)) in entries {
            if self.clock.is_over() {
                return;
            }
            let quote = |name: Atom| atom::quote::atom(name.as_str());
            let what = What::Function(format!("{}:{}/{arity}", quote(module), quote(name)));
            let Ok(subject) = self.types.subject(&what, self.program) else { continue };
            let options = Options { seed, runs, guided: true, shrinking: 0 };
            let constants = Rc::new(subject.constants);
            let Ok(engine) = Engine::new(subject.shapes, constants, options) else { continue };
            let most = self.kept.len().saturating_add(each);
            engine.run(&[], &mut |input| {
                if self.clock.is_over() {
                    return None;
                }
                let call = Call { module, name, args: input.clone() };
                let (reached, told) = self.run(&call);
                if let Some(told) = told {
                    self.keep(&call, &reached.goals, told, most);
                }
                Some(reached)
            });
        }
    }

    /// Looks for inputs that take other paths.
    pub(super) fn search(&mut self, entries: &[Entry], running: &Running, reading: &Reading) {
        for &(module, (name, arity)) in entries.iter().filter(|(_, (_, arity))| *arity > 0) {
            if self.clock.is_over() {
                return;
            }
            let quote = |name: Atom| atom::quote::atom(name.as_str());
            let what = format!("{}:{}/{arity}", quote(module), quote(name));
            let request = concolic::Request {
                max_paths: PATHS,
                max_open: OPEN,
                measure: false,
                schedules: concolic::Schedules::One,
                running: running.clone(),
                reading: reading.clone(),
                ..concolic::Request::new(Vec::new(), what)
            };
            let found = concolic::search_in(&request, self.program, &self.clock.control());
            for path in found.map(|found| found.paths).unwrap_or_default() {
                let call = Call { module, name, args: path.input };
                let (reached, told) = self.run(&call);
                if let Some(told) = told {
                    self.keep(&call, &reached.goals, told, usize::MAX);
                }
            }
        }
    }

    /// Takes the calls of a file: one a line, such as `m:f(1, [a])`; what is behind `%` is not
    /// looked at.
    pub(super) fn read(&mut self, file: &Path) -> Result<(), Error> {
        let text = std::fs::read_to_string(file).map_err(|error| Error::file(file, error))?;
        for line in text.lines() {
            let line = line.split('%').next().unwrap_or_default().trim().trim_end_matches('.');
            if line.is_empty() {
                continue;
            }
            let call = call_of(line)?;
            let arity = match &call.args {
                Input::Tuple(args) => args.len() as u32,
                _ => 0,
            };
            let module = subject::module_of(self.program, call.module)?;
            subject::is_exported(module, (call.name, arity))?;
            let (reached, told) = self.run(&call);
            if let Some(told) = told {
                self.keep(&call, &reached.goals, told, usize::MAX);
            }
        }
        Ok(())
    }

    /// What the runs so far have reached of the slice.
    pub(super) fn coverage(&self, flow: &Flow, criteria: &Criteria, slice: &Slice<'_>) -> Coverage {
        let goals = self.bench.goals();
        let is_in = |site: Site| slice.contains(site);
        let branches = criteria.branches.iter().map(|goal| goal.evidence);
        let nodes = criteria.nodes.iter().map(|goal| goal.evidence);
        let count = |evidence: &mut dyn Iterator<Item = ::flow::criteria::Evidence>| {
            let mut counted = Counted::default();
            for evidence in evidence.filter(|evidence| is_in(evidence.site)) {
                counted.all += 1;
                counted.reached += usize::from(is_reached(goals, flow, &evidence));
            }
            counted
        };
        Coverage {
            branches: count(&mut branches.into_iter()),
            statements: count(&mut nodes.into_iter()),
        }
    }
}

fn is_reached(goals: &Goals, flow: &Flow, evidence: &::flow::criteria::Evidence) -> bool {
    let mark = match evidence.said {
        Said::Reached => Mark::Reached,
        Said::Chosen => Mark::Chosen,
        Said::Matched => Mark::Matched,
        Said::True => Mark::True,
        Said::False => Mark::False,
    };
    let module = flow.modules[evidence.site.module].name;
    goals.number((module, evidence.site.node, mark)).is_some()
}

/// A call as it is written.
pub(super) fn call_of(text: &str) -> Result<Call, Error> {
    let (module, name, args) = subject::called(text)?;
    Ok(Call { module, name, args })
}
