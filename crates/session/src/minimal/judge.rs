//! Says whether a version of a program shows what the original does, in threads that each have a
//! node of their own.
//!
//! The changes that are to be judged are taken one after the other by whoever is free; what is
//! behind the first that was accepted is not looked at any more. Which one that is does not depend
//! on threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

use ::reduce::{Edit, Judge, Text};
use atom::Atom;
use machine::{Pid, State};
use program::check;
use program::lint::{LintOptions, lint};
use program::project::Unit;
use syntax::ast::{Kind, Module, NodeId};
use syntax::diagnostic::Severity;
use syntax::source::FileId;

use super::Clock;
use super::bench::{Bench, Call, Recipe, Told, Version};
use crate::Error;

/// A run that is compared.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) call: Call,
    /// What the original told.
    pub(super) told: Told,
    /// Calls that the others may make.
    pub(super) steps: u64,
    /// Whether several processes ran.
    pub(super) several: bool,
}

/// What judges share.
pub(super) struct Shared<'a> {
    pub(super) recipe: &'a Recipe,
    pub(super) units: Vec<Unit>,
    lint: Vec<LintOptions>,
    pub(super) cases: Vec<Case>,
    /// Modules of the library that the original needs.
    pub(super) library: Vec<Atom>,
    pub(super) clock: &'a Clock<'a>,
    pub(super) counts: &'a Counts,
}

/// How many programs were looked at.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Those that were run.
    pub(super) judged: AtomicU64,
    /// Those that the compiler would reject.
    pub(super) rejected: AtomicU64,
    /// Runs.
    pub(super) runs: AtomicU64,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        recipe: &'a Recipe,
        units: Vec<Unit>,
        clock: &'a Clock<'a>,
        counts: &'a Counts,
    ) -> Shared<'a> {
        let lint = units.iter().map(lint_options);
        let lint = lint.collect();
        let (cases, library) = (Vec::new(), Vec::new());
        Shared { recipe, units, lint, cases, library, clock, counts }
    }

    /// Whether a call is one of the cases.
    pub(super) fn is_used(&self, call: &Call) -> bool {
        self.cases.iter().any(|case| case.call == *call)
    }

    /// The tree of a text, if the compiler would accept it.
    pub(super) fn read(&self, module: usize, text: &str) -> Option<Arc<Module>> {
        read(&self.units[module], text, &self.lint[module])
    }
}

/// The tree of the text of a module, if the compiler would accept it.
pub(crate) fn accepted(unit: &Unit, text: &str) -> Option<Arc<Module>> {
    read(unit, text, &lint_options(unit))
}

/// A slice may lack callbacks, and its file may have another name.
fn lint_options(unit: &Unit) -> LintOptions {
    LintOptions { check_file_name: false, ..check::lint_options(unit, None) }
}

fn read(unit: &Unit, text: &str, options: &LintOptions) -> Option<Arc<Module>> {
    let bytes = text.as_bytes().to_vec();
    let tree = syntax::read_module_bytes(&unit.path, bytes, &unit.files, &unit.options);
    let is_error = |severity: Severity| severity == Severity::Error;
    if tree.diagnostics.iter().any(|found| is_error(found.severity)) {
        return None;
    }
    let found = lint(&tree, options);
    (!found.iter().any(|found| is_error(found.severity))).then(|| Arc::new(tree))
}

/// The node that stands there, in the order of the stretches; `None` if one is no node any more.
pub(super) fn nodes_at(tree: &Module, kept: &[(u32, u32)]) -> Option<Vec<NodeId>> {
    let mut found = vec![None; kept.len()];
    for index in 0..tree.nodes.len() as u32 {
        let node = NodeId(index);
        if matches!(tree.kind(node), Kind::Clause { .. } | Kind::Guard { .. }) {
            continue;
        }
        let span = tree.span(node);
        if span.file != FileId::MAIN {
            continue;
        }
        for (place, &(from, to)) in kept.iter().enumerate() {
            if (span.start, span.end) == (from, to) && found[place].is_none() {
                found[place] = Some(node);
            }
        }
    }
    found.into_iter().collect()
}

/// A program as it is loaded: values of what is kept are told, by numbers in the order of texts.
pub(super) fn versions(texts: &[Text]) -> Option<Vec<Version>> {
    versions_of(texts.iter().map(|text| (text.name, &text.tree, &text.kept[..])))
}

fn versions_of<'t>(
    texts: impl Iterator<Item = (Atom, &'t Arc<Module>, &'t [(u32, u32)])>,
) -> Option<Vec<Version>> {
    let mut number = 0;
    let mut found = Vec::new();
    for (name, tree, kept) in texts {
        let nodes = nodes_at(tree, kept)?;
        let told = nodes.into_iter().map(|node| {
            number += 1;
            (node, number - 1)
        });
        let told = told.collect();
        found.push(Version { name, tree: Arc::clone(tree), told });
    }
    Some(found)
}

/// Judges on a node of its own.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    bench: Bench,
    starts: Vec<(State, Pid)>,
    /// Cases, those first that programs failed at lately.
    order: Vec<usize>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Result<Worker<'a>, Error> {
        let mut bench = Bench::new(shared.recipe, false)?;
        bench.keep(&shared.library);
        let starts = shared.cases.iter().map(|case| bench.prepare(&case.call)).collect();
        Ok(Worker { shared, bench, starts, order: (0..shared.cases.len()).collect() })
    }

    /// Whether a program shows what the original does after a change.
    pub(super) fn accepts(&mut self, texts: &[Text], edit: &Edit) -> bool {
        let old = &texts[edit.module];
        let Some(tree) = self.shared.read(edit.module, &edit.apply(&old.text)) else {
            self.shared.counts.rejected.fetch_add(1, Ordering::Relaxed);
            return false;
        };
        let moved = old.kept.iter().map(|&(from, to)| edit.moved_range(from, to));
        let Some(kept) = moved.collect::<Option<Vec<_>>>() else { return false };
        let parts = texts.iter().enumerate().map(|(module, text)| match module == edit.module {
            true => (text.name, &tree, &kept[..]),
            false => (text.name, &text.tree, &text.kept[..]),
        });
        versions_of(parts).is_some_and(|program| self.shows(&program))
    }

    /// Whether a program shows what the original does.
    pub(super) fn shows(&mut self, program: &[Version]) -> bool {
        self.shared.counts.judged.fetch_add(1, Ordering::Relaxed);
        if !self.bench.load(program) {
            return false;
        }
        for place in 0..self.order.len() {
            let number = self.order[place];
            let case = &self.shared.cases[number];
            self.shared.counts.runs.fetch_add(1, Ordering::Relaxed);
            if !self.bench.shows(&self.starts[number], case.steps, &case.told) {
                self.order.remove(place);
                self.order.insert(0, number);
                return false;
            }
        }
        true
    }
}

/// Changes that are to be judged.
pub(super) struct Job {
    texts: Vec<Text>,
    edits: Vec<Edit>,
    next: AtomicUsize,
    best: AtomicUsize,
}

/// Judges in several threads, or in this one.
pub(super) enum Court<'a> {
    Alone(Box<Worker<'a>>),
    Several { shared: &'a Shared<'a>, workers: Vec<Sender<Arc<Job>>>, done: Receiver<()> },
}

impl<'a> Court<'a> {
    /// A court of so many threads. Whether a node can be made was tried before.
    pub(super) fn new<'s>(
        shared: &'a Shared<'a>,
        jobs: usize,
        scope: &'s Scope<'s, '_>,
    ) -> Result<Court<'a>, Error>
    where
        'a: 's,
    {
        if jobs <= 1 {
            return Ok(Court::Alone(Box::new(Worker::new(shared)?)));
        }
        let (tell, done) = channel();
        let mut workers = Vec::new();
        for _ in 0..jobs {
            let (give, work) = channel::<Arc<Job>>();
            let tell = tell.clone();
            scope.spawn(move || {
                let mut worker = Worker::new(shared).ok();
                for job in work {
                    if let Some(worker) = &mut worker {
                        take_part(worker, &job);
                    }
                    if tell.send(()).is_err() {
                        return;
                    }
                }
            });
            workers.push(give);
        }
        Ok(Court::Several { shared, workers, done })
    }
}

fn take_part(worker: &mut Worker<'_>, job: &Job) {
    loop {
        let place = job.next.fetch_add(1, Ordering::Relaxed);
        let is_over = || worker.shared.clock.is_over();
        if place >= job.edits.len() || place > job.best.load(Ordering::Relaxed) || is_over() {
            return;
        }
        if worker.accepts(&job.texts, &job.edits[place]) {
            job.best.fetch_min(place, Ordering::Relaxed);
        }
    }
}

impl Judge for Court<'_> {
    fn read(&self, module: usize, text: &str) -> Option<Arc<Module>> {
        self.shared().read(module, text)
    }

    fn first(&mut self, texts: &[Text], edits: &[Edit]) -> Option<usize> {
        if let Court::Alone(worker) = self {
            return edits
                .iter()
                .position(|edit| !worker.shared.clock.is_over() && worker.accepts(texts, edit));
        }
        let job = Arc::new(Job {
            texts: texts.to_vec(),
            edits: edits.to_vec(),
            next: AtomicUsize::new(0),
            best: AtomicUsize::new(usize::MAX),
        });
        if let Court::Several { workers, done, .. } = self {
            let asked = workers.iter().filter(|worker| worker.send(Arc::clone(&job)).is_ok());
            let asked = asked.count();
            for _ in 0..asked {
                let _ = done.recv();
            }
        }
        let best = job.best.load(Ordering::Relaxed);
        (best < edits.len()).then_some(best)
    }

    fn is_over(&self) -> bool {
        self.shared().clock.is_over()
    }

    fn at_once(&self) -> usize {
        match self {
            Court::Alone(_) => 1,
            Court::Several { workers, .. } => workers.len() * 8,
        }
    }
}

impl<'a> Court<'a> {
    fn shared(&self) -> &'a Shared<'a> {
        match self {
            Court::Alone(worker) => worker.shared,
            Court::Several { shared, .. } => shared,
        }
    }
}
