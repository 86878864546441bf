//! Quasi-minimal slices (section 6.2 of the thesis): what a static slice keeps is deleted, part by
//! part, as long as the values at the criterion stay, on inputs that were made for it.
//!
//! The sequences of values of the *original* must be prefixes of those of the result, for every
//! input: a slice may have more of them. Inputs are made from types, guided by what runs reach, and
//! by concolic execution for branches of the slice that these miss ([`mod@gather`]). When nothing
//! can be deleted any more, the result is run on fresh inputs; if some show a difference, they join
//! the others and the work begins again. A candidate that goes on for longer than the original did,
//! times a factor, has failed: no clock decides.
//!
//! What it may miss: the result is a slice for these inputs, not for all. With several processes
//! one schedule is looked at, unless more are asked for.

pub(crate) mod bench;
mod gather;
mod judge;

pub(crate) use judge::accepted;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ::flow::criteria::Criteria;
use ::flow::{Flow, Site};
use ::reduce::deletions::{deletions, size};
use ::reduce::search::search;
use ::reduce::simplify::simplifications;
use ::reduce::{Found, Options, Text};
use ::slice::Slice;
use atom::{Atom, known};
use program::Program;
use runner::limits::{Bound, Over};
use syntax::ast::{Kind, Module, NodeId};

use bench::{Bench, Call, Recipe};
use gather::{Gatherer, STEPS};
use judge::{Case, Counts, Court, Shared, Worker};

use crate::compare::written::assertion;
use crate::debug::same::is_data;
use crate::inputs::stand::{self, Stand};
use crate::inputs::subject::Types;
use crate::inputs::{Place, stand_of};
use crate::reading::Reading;
use crate::run::ending_of;
use crate::running::Running;
use crate::{Control, Error};

/// How small a slice is made.
#[derive(Clone, Debug)]
pub struct Minimal {
    /// Real time; what is left then is given, and said not to be minimal.
    pub budget: Option<Duration>,
    /// Calls, one a line; else inputs are made.
    pub inputs: Option<PathBuf>,
    /// What inputs are made by.
    pub seed: u64,
    /// Whether pairs of parts are tried, too.
    pub thorough: bool,
    /// Whether it is written in a simpler way, beyond deleting.
    pub simplify: bool,
    /// How many threads judge; 0 for as many as there are processors.
    pub jobs: usize,
    /// Whether it is told what the program does with the inputs.
    pub with_outcomes: bool,
    /// Runs of each function, with inputs of their own, by which the result is looked at once
    /// more, as it is printed.
    pub verify: u64,
}

impl Default for Minimal {
    fn default() -> Minimal {
        Minimal {
            budget: None,
            inputs: None,
            seed: 0,
            thorough: false,
            simplify: false,
            jobs: 1,
            with_outcomes: false,
            verify: 0,
        }
    }
}

/// A slice that was made small.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The modules that have a part in it, as texts.
    pub modules: Vec<(Atom, String)>,
    /// Where the criteria are in them, in bytes.
    pub criteria: Vec<(Atom, u32, u32)>,
    pub nodes: Nodes,
    /// The calls on which it rests.
    pub calls: Vec<String>,
    /// What the program does with those of them of which that can be written, as assertions of
    /// EUnit; if they were asked for.
    pub assertions: Vec<String>,
    pub coverage: Coverage,
    /// Whether several processes ran, of which one order was looked at.
    pub one_order: bool,
    /// Programs that were run.
    pub candidates: u64,
    /// Programs that the compiler would have rejected: they were not run.
    pub rejected: u64,
    /// Runs of candidates.
    pub runs: u64,
    /// Whether no single part can go.
    pub is_minimal: bool,
    /// Fresh inputs that the result was run on at last, all of which showed the same values.
    pub fresh: usize,
    /// Fresh inputs that showed a difference before, and were added.
    pub added: usize,
    /// What came of looking at the printed result once more.
    pub verified: Verified,
    /// What ended the work early.
    pub stopped: Option<Bound>,
    /// How long deleting took.
    pub elapsed: Duration,
}

/// Inputs that were not used for deleting: how many reach the place, and for how many the values
/// differ.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Verified {
    pub reaching: usize,
    pub differing: usize,
}

/// Nodes of functions that are no fillers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Nodes {
    pub program: usize,
    pub slice: usize,
    /// When nothing could be deleted any more.
    pub minimal: usize,
    /// After it was written in a simpler way.
    pub simplified: Option<usize>,
}

/// How much of the slice the inputs reach.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Coverage {
    pub branches: Counted,
    pub statements: Counted,
}

impl Coverage {
    pub fn is_complete(&self) -> bool {
        [self.branches, self.statements].iter().all(|counted| counted.reached == counted.all)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counted {
    pub reached: usize,
    pub all: usize,
}

/// When the work ends.
pub(crate) struct Clock<'a> {
    control: &'a Control,
    deadline: Option<Instant>,
    budget: Duration,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(control: &'a Control, budget: Option<Duration>) -> Clock<'a> {
        let deadline = budget.and_then(|budget| Instant::now().checked_add(budget));
        Clock { control, deadline, budget: budget.unwrap_or_default() }
    }
}

impl<'a> Clock<'a> {
    /// For work that comes first and may take one of so many parts of what there is.
    fn part(&self, of: u32) -> Clock<'a> {
        let until = self.deadline.and_then(|_| Instant::now().checked_add(self.budget / of));
        Clock { control: self.control, deadline: until.min(self.deadline), budget: self.budget }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.control.is_over() || self.deadline.is_some_and(|at| Instant::now() >= at)
    }

    /// The same for work that others do.
    pub(crate) fn control(&self) -> Control {
        let (control, deadline) = (self.control.unheard(), self.deadline);
        let budget = self.budget;
        Control::new(
            Over::new(move || {
                let late = deadline.is_some_and(|at| Instant::now() >= at);
                control.bound().or(late.then_some(Bound::RealTime(budget)))
            }),
            None,
        )
    }
}

/// What is to be made small.
pub(crate) struct Subject<'a> {
    pub(crate) program: &'a Arc<Program>,
    pub(crate) flow: &'a Flow,
    pub(crate) slice: &'a Slice<'a>,
    pub(crate) criteria: &'a [Site],
    pub(crate) paths: &'a [PathBuf],
    pub(crate) running: &'a Running,
    pub(crate) reading: &'a Reading,
}

/// Candidates may make so many times the calls that the original made, and some more.
const FACTOR: u64 = 3;
const MORE_STEPS: u64 = 500;

/// One of so many parts of the budget is for inputs.
const PARTS: u32 = 3;

/// How often inputs are looked for from the beginning.
const BEGINNINGS: u64 = 4;

/// How often a result has to stand fresh inputs, how many, and how often it may fail.
const CLEAN: u64 = 2;
const FRESH: u64 = 250;
const ROUNDS: u64 = 6;
const MOST_ADDED: usize = 24;

/// Makes a slice small.
pub(crate) fn of(
    asked: &Minimal,
    subject: &Subject<'_>,
    control: &Control,
) -> Result<Answer, Error> {
    let clock = Clock::new(control, asked.budget);
    subject.refuse_transforms()?;
    let recipe = Recipe::new(subject.program, subject.paths, subject.running, subject.reading)?;
    let original = subject.original();
    let of_original = judge::versions(&original).ok_or_else(nothing_to_follow)?;
    let marked = Bench::new(&recipe, true)?;
    let looking = clock.part(PARTS);
    let mut gatherer = Gatherer::new(marked, &of_original, subject.program, &looking);
    let coverage = gather(asked, subject, &mut gatherer)?;
    gatherer.clock = &clock;
    let counts = Counts::default();
    let units = subject.flow.modules.iter().map(|module| subject.unit(module.name));
    let units = units.collect::<Result<Vec<_>, Error>>()?;
    let mut shared = Shared::new(&recipe, units, &clock, &counts);
    let calls = std::mem::take(&mut gatherer.kept);
    let mut plain = Bench::new(&recipe, false)?;
    plain.load(&of_original);
    shared.cases = cases(&mut plain, calls);
    shared.library = plain.library();
    if shared.cases.is_empty() {
        let ran = gatherer.ran;
        let message = match looking.is_over() {
            true => format!("no input that reaches the place was found in time, of {ran}"),
            false => format!("none of {ran} inputs reaches the place: nothing can be compared"),
        };
        return Err(Error::Missing(message));
    }
    let start = subject.sliced().filter(|texts| {
        let program = judge::versions(texts);
        let worker = Worker::new(&shared);
        program.zip(worker.ok()).is_some_and(|(program, mut worker)| worker.shows(&program))
    });
    let start = start.unwrap_or_else(|| original.clone());
    let slice = start.iter().map(|text| size(&text.tree)).sum();
    let began = Instant::now();
    let (mut added, mut fresh, mut round, mut clean) = (0, 0, 0, 0);
    let (mut found, mut minimal) = deleted(&start, &shared, asked)?;
    while !clock.is_over() && asked.inputs.is_none() && round < ROUNDS && clean < CLEAN {
        round += 1;
        let mut calls = fresh_calls(asked, subject, &mut gatherer, (round, FRESH));
        calls.retain(|call| !shared.is_used(call));
        plain.load(&of_original);
        let cases = cases(&mut plain, calls);
        let wrong = differing(&mut plain, &found.texts, &cases, MOST_ADDED);
        if wrong.is_empty() {
            fresh += cases.len();
            clean += 1;
            continue;
        }
        (fresh, clean) = (0, 0);
        added += wrong.len();
        shared.cases.splice(0..0, wrong);
        (found, minimal) = deleted(&start, &shared, asked)?;
    }
    let elapsed = began.elapsed();
    let printed = printed(&found.texts, &shared).unwrap_or_default();
    let mut verified = Verified::default();
    if asked.verify > 0 {
        let mut calls = fresh_calls(asked, subject, &mut gatherer, (round + 1, asked.verify));
        plain.load(&of_original);
        calls.retain(|call| !shared.is_used(call));
        let cases = cases(&mut plain, calls);
        verified.reaching = cases.len();
        verified.differing = differing(&mut plain, &printed, &cases, usize::MAX).len();
    }
    let modules = printed.iter().filter(|text| has_functions(&text.tree));
    Ok(Answer {
        modules: modules.map(|text| (text.name, text.text.clone())).collect(),
        criteria: printed.iter().flat_map(places).collect(),
        nodes: Nodes {
            program: original.iter().map(|text| size(&text.tree)).sum(),
            slice,
            minimal,
            simplified: asked.simplify.then(|| size_of(&found.texts)),
        },
        calls: shared.cases.iter().map(|case| case.call.text()).collect(),
        assertions: match asked.with_outcomes {
            true => assertions(subject, &shared.cases, control)?,
            false => Vec::new(),
        },
        coverage,
        one_order: shared.cases.iter().any(|case| case.several),
        candidates: counts.judged.load(Ordering::Relaxed),
        rejected: counts.rejected.load(Ordering::Relaxed),
        runs: counts.runs.load(Ordering::Relaxed),
        is_minimal: found.is_minimal,
        fresh,
        added,
        verified,
        stopped: clock.control().bound(),
        elapsed,
    })
}

impl Answer {
    /// The calls, one a line.
    pub fn calls_text(&self) -> String {
        self.calls.iter().map(|call| format!("{}.\n", call.replace('\n', " "))).collect()
    }

    /// A module of tests with this name, which the program passes.
    pub fn tests(&self, name: &str) -> String {
        let mut text = format!(
            "-module({}).\n-include_lib(\"eunit/include/eunit.hrl\").\n",
            atom::quote::atom(name)
        );
        for (number, assertion) in (1..).zip(&self.assertions) {
            text.push_str(&format!("\ninput_{number}_test() ->\n    {assertion}.\n"));
        }
        text
    }
}

/// What the program does with its inputs.
fn assertions(
    subject: &Subject<'_>,
    cases: &[Case],
    control: &Control,
) -> Result<Vec<String>, Error> {
    let Subject { paths, running, reading, program, .. } = *subject;
    let place = Place { paths, running, steps: STEPS };
    let mut stand: Option<Stand> = None;
    let mut found = Vec::new();
    for Case { call, .. } in cases {
        let function = stand::Subject::Function(call.module, call.name);
        let stand = match &mut stand {
            Some(stand) => {
                stand.aim(function)?;
                stand
            }
            none => none.insert(stand_of(&place, reading, program, function, control)?),
        };
        let end = stand.run(&call.args);
        let is_plain = match &end {
            machine::Ending::Returned(value) => is_data(value),
            machine::Ending::Raised(crash) => is_data(&crash.reason),
            _ => false,
        };
        let ending = ending_of(stand.machine(), &end);
        found.extend(assertion(&call.text(), &ending, is_plain));
    }
    Ok(found)
}

fn nothing_to_follow() -> Error {
    Error::Missing("the value at this place cannot be followed in runs".to_owned())
}

/// Looks for inputs, and says how much of the slice they reach.
fn gather(
    asked: &Minimal,
    subject: &Subject<'_>,
    gatherer: &mut Gatherer<'_>,
) -> Result<Coverage, Error> {
    let criteria = Criteria::of(subject.flow);
    let coverage =
        |gatherer: &Gatherer<'_>| gatherer.coverage(subject.flow, &criteria, subject.slice);
    if let Some(file) = &asked.inputs {
        gatherer.read(file)?;
        return Ok(coverage(gatherer));
    }
    let entries = subject.entries(&gatherer.types);
    // What is found first leads on: others begin elsewhere.
    for begin in 0..BEGINNINGS {
        gatherer.generate(&entries, asked.seed.wrapping_add(begin * 104_729), gather::RUNS);
    }
    if !coverage(gatherer).is_complete() {
        gatherer.search(&entries, subject.running, subject.reading);
    }
    Ok(coverage(gatherer))
}

/// Calls that were not used yet.
fn fresh_calls(
    asked: &Minimal,
    subject: &Subject<'_>,
    gatherer: &mut Gatherer<'_>,
    (round, runs): (u64, u64),
) -> Vec<Call> {
    let entries = subject.entries(&gatherer.types);
    gatherer.alike = usize::MAX;
    gatherer.generate(&entries, asked.seed.wrapping_add(round * 7919), runs);
    std::mem::take(&mut gatherer.kept)
}

/// What the original tells for some calls.
fn cases(bench: &mut Bench, calls: Vec<Call>) -> Vec<Case> {
    let mut cases = Vec::with_capacity(calls.len());
    for call in calls {
        let start = bench.prepare(&call);
        let ran = bench.run(&start, STEPS, None);
        if ran.supported && !ran.told.is_empty() {
            let steps = ran.steps * FACTOR + MORE_STEPS;
            cases.push(Case { call, told: ran.told, steps, several: ran.several });
        }
    }
    cases
}

/// The cases in which a program tells something else, the first few.
fn differing(bench: &mut Bench, texts: &[Text], cases: &[Case], most: usize) -> Vec<Case> {
    let Some(program) = judge::versions(texts) else { return cases.to_vec() };
    bench.load(&program);
    let mut found = Vec::new();
    for case in cases {
        let start = bench.prepare(&case.call);
        if found.len() < most && !bench.shows(&start, case.steps, &case.told) {
            found.push(case.clone());
        }
    }
    found
}

/// Texts as they are printed, the places of the criteria in them.
fn printed(texts: &[Text], shared: &Shared<'_>) -> Option<Vec<Text>> {
    let read = |(module, text): (usize, &Text)| {
        let printed = tidied(&text.text);
        let tree = shared.read(module, &printed)?;
        let nodes = judge::nodes_at(&text.tree, &text.kept)?;
        // White space is all that has changed: nodes have the numbers that they had.
        let span = |node: NodeId| {
            let span = tree.span(node);
            (span.start, span.end)
        };
        let kept = nodes.into_iter().map(span).collect();
        Some(Text { name: text.name, text: printed, tree, kept })
    };
    texts.iter().enumerate().map(read).collect()
}

fn size_of(texts: &[Text]) -> usize {
    texts.iter().map(|text| size(&text.tree)).sum()
}

/// Deletes what can go, and writes the rest in a simpler way if that is wanted; and the size of
/// what deleting alone has left.
fn deleted(start: &[Text], shared: &Shared<'_>, asked: &Minimal) -> Result<(Found, usize), Error> {
    let jobs = match asked.jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    std::thread::scope(|scope| {
        let mut court = Court::new(shared, jobs, scope)?;
        let delete = |text: &Text, module: usize| deletions(&text.tree, module, &text.kept);
        let simplify = |text: &Text, module: usize| simplifications(&text.tree, module, &text.kept);
        let options = Options { pairs: asked.thorough };
        let mut found = search(start.to_vec(), &mut court, options, &delete);
        let minimal = size_of(&found.texts);
        while asked.simplify && found.is_minimal {
            let before = size_of(&found.texts);
            let simpler = search(found.texts, &mut court, Options::default(), &simplify);
            found = search(simpler.texts, &mut court, options, &delete);
            found.is_minimal &= simpler.is_minimal;
            if size_of(&found.texts) >= before {
                break;
            }
        }
        Ok((found, minimal))
    })
}

fn places(text: &Text) -> impl Iterator<Item = (Atom, u32, u32)> {
    text.kept.iter().map(|&(from, to)| (text.name, from, to))
}

pub(crate) fn has_functions(tree: &Module) -> bool {
    tree.forms.iter().any(|&form| matches!(tree.kind(form), Kind::Function { .. }))
}

/// A text without the gaps that deleting has left: no empty lines inside of functions, and no two
/// between them.
pub(crate) fn tidied(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        let last = lines.last().copied().unwrap_or_default();
        let ends_form = last.ends_with('.') || last.trim_start().starts_with('%');
        if line.is_empty() && (last.is_empty() || !ends_form) {
            continue;
        }
        lines.push(line);
    }
    let mut out = String::with_capacity(text.len());
    for line in lines {
        // A full stop that was left alone.
        if line.trim() == "." && out.ends_with('\n') {
            out.pop();
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out.push('\n');
    out
}

impl Subject<'_> {
    fn unit(&self, name: Atom) -> Result<program::project::Unit, Error> {
        let module = self.program.module(name);
        let module = module.ok_or_else(|| Error::Missing(format!("there is no module {name}")))?;
        Ok(module.unit.clone())
    }

    /// What transforms make of a module is not its text.
    fn refuse_transforms(&self) -> Result<(), Error> {
        for module in self.flow.modules.iter() {
            let Some(loaded) = self.program.module(module.name) else { continue };
            if runner::is_transformed(&loaded.tree, module.name, &loaded.unit.erl_opts) {
                let name = module.name;
                let message = format!("{name} is changed by a parse transform before it runs");
                return Err(Error::Failed(message));
            }
        }
        Ok(())
    }

    fn entries(&self, types: &Types) -> Vec<gather::Entry> {
        gather::entries(self.program, self.flow, self.slice, types)
    }

    /// The program itself.
    fn original(&self) -> Vec<Text> {
        let texts = self.flow.modules.enumerate().map(|(id, module)| {
            let here = self.criteria.iter().filter(|site| site.module == id);
            let span = |site: &Site| {
                let span = module.tree.span(site.node);
                (span.start, span.end)
            };
            Text {
                name: module.name,
                text: module.tree.files.first().map_or(String::new(), |file| file.text.to_string()),
                tree: Arc::clone(&module.tree),
                kept: here.map(span).collect(),
            }
        });
        texts.collect()
    }

    /// The texts of the slice, with the places of the criteria in them.
    fn sliced(&self) -> Option<Vec<Text>> {
        let mut texts = Vec::new();
        for (id, module) in self.flow.modules.enumerate() {
            let text = self.slice.source(module.name)?;
            let unit = self.unit(module.name).ok()?;
            let bytes = text.as_bytes().to_vec();
            let tree = syntax::read_module_bytes(&unit.path, bytes, &unit.files, &unit.options);
            let mut kept = Vec::new();
            for site in self.criteria.iter().filter(|site| site.module == id) {
                let node = self.in_slice(*site, &module.tree, &tree)?;
                let span = tree.span(node);
                kept.push((span.start, span.end));
            }
            texts.push(Text { name: module.name, text, tree: Arc::new(tree), kept });
        }
        Some(texts)
    }

    /// The node of the slice that a node of the program has become: the one that has as many of
    /// its kind before it.
    fn in_slice(&self, site: Site, original: &Module, slice: &Module) -> Option<NodeId> {
        let kind = original.kind(site.node);
        let is_alike = |tree: &Module, node: NodeId| match (kind, tree.kind(node)) {
            (Kind::Var(name), Kind::Var(other)) => name == other && name != known::UNDERSCORE,
            (kind, other) => std::mem::discriminant(&kind) == std::mem::discriminant(&other),
        };
        let before = in_functions(original)
            .into_iter()
            .take_while(|&node| node != site.node)
            .filter(|&node| is_alike(original, node) && self.slice.contains(Site { node, ..site }));
        let rank = before.count();
        let mut alike = in_functions(slice).into_iter().filter(|&node| is_alike(slice, node));
        alike.nth(rank)
    }
}

/// The nodes of functions, in the order in which they are written.
fn in_functions(tree: &Module) -> Vec<NodeId> {
    let mut found = Vec::new();
    for &form in &tree.forms {
        if matches!(tree.kind(form), Kind::Function { .. }) {
            tree.for_each_below(form, |node| found.push(node));
        }
    }
    found
}

#[cfg(test)]
mod tests;
