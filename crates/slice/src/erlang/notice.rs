//! Which entries of the program lead to processes that notice if the one that enters it fails.
//!
//! Its own values end there, and those of who waits for it: a slice in which it goes on shows the
//! same before. Not so if another process goes on by itself: it waits for some time only, looks at
//! tables, names or whether processes live, is told of ends, or gets messages from others, too,
//! that come first then. A process is started by whoever may call the place that starts it; one
//! entry does not see what another one started.
//!
//! Cost: a traversal of the calls for each entry that starts processes; with many of them they are
//! one.

use atom::Atom;
use flow::ids::IdVec;
use flow::{EdgeKind as FlowEdge, FunctionId, ProcessId, ProcessInfo, VertexKind};
use rustc_hash::FxHashSet;
use syntax::ast::{Kind, Module, NodeList};

use super::behaviours;
use super::build::Build;

/// With more entries than this, all of them are taken for one.
const MOST_ENTRIES: usize = 64;

/// What was seen in functions.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    looking: FxHashSet<FunctionId>,
}

/// For each function, those that it calls or starts.
pub(crate) type Reached = IdVec<FunctionId, Vec<FunctionId>>;

/// Entries of the program that start processes, and what may run because of them.
#[derive(Debug, Default)]
pub(crate) struct Entering {
    pub(crate) entries: Vec<FunctionId>,
    /// Sorted.
    pub(crate) functions: Vec<FunctionId>,
    /// Whether somebody may notice that the process that entered there has failed.
    pub(crate) is_noticed: bool,
}

impl Notices {
    /// A function looks at what others do.
    pub(crate) fn looks(&mut self, function: FunctionId) {
        self.looking.insert(function);
    }

    /// The names of time-outs of behaviours.
    pub(crate) fn atom(&mut self, function: FunctionId, name: Atom) {
        if matches!(name.as_str(), "timeout" | "state_timeout") {
            self.looks(function);
        }
    }

    /// What a callback gives if it wants to hear that nothing comes.
    pub(crate) fn tuple(&mut self, tree: &Module, function: FunctionId, elements: NodeList) {
        let Some(Kind::Atom(tag)) = tree.list(elements).first().map(|&tag| tree.kind(tag)) else {
            return;
        };
        if matches!((tag.as_str(), elements.len), ("ok" | "noreply", 3) | ("reply", 4)) {
            self.looks(function);
        }
    }

    /// The entries that start processes; `reached` are the functions that each one calls or starts.
    pub(crate) fn entering(&self, build: &Build<'_>, reached: &Reached) -> Vec<Entering> {
        let flow = build.flow;
        let (mut starting, mut watched) = (Vec::new(), Vec::new());
        let racing = racing(build);
        for process in flow.processes.iter() {
            let Some(at) = process.site.and_then(|site| flow.graph.at(site)) else { continue };
            let function = flow.graph.vertex(at).function;
            starting.push(function);
            let looks = |run: &FunctionId| self.looking.contains(run) || racing.contains(run);
            if process.functions.iter().any(looks) {
                watched.push(function);
            }
        }
        if starting.is_empty() {
            return Vec::new();
        }
        let (starting, watched) = (callers(reached, starting), callers(reached, watched));
        let entering = flow.processes.iter().filter(|process| process.site.is_none());
        let entries = entering.flat_map(|process| &process.entries).copied();
        let entries: Vec<FunctionId> = entries.filter(|entry| starting[*entry]).collect();
        let groups: Vec<Vec<FunctionId>> = if entries.len() > MOST_ENTRIES {
            vec![entries]
        } else {
            entries.into_iter().map(|entry| vec![entry]).collect()
        };
        let one = |entries: Vec<FunctionId>| {
            let functions = all_reached(reached, &entries);
            let is_noticed = entries.iter().any(|entry| watched[*entry]);
            Entering { entries, functions, is_noticed }
        };
        groups.into_iter().map(one).collect()
    }
}

/// Functions of started processes that get messages from another one that was started: that one may
/// wait for the process that enters the program, and a third one may be first then. From where
/// processes are started more than once is not looked at, so the third may be of the same kind.
fn racing(build: &Build<'_>) -> FxHashSet<FunctionId> {
    let flow = build.flow;
    let mut started: FxHashSet<FunctionId> = FxHashSet::default();
    for process in flow.processes.iter().filter(|process| process.site.is_some()) {
        started.extend(&process.functions);
    }
    let messages = flow.graph.edges.iter().filter(|edge| edge.kind == FlowEdge::Message);
    let received = messages.filter_map(|edge| {
        let (from, to) = (flow.graph.vertex(edge.from), flow.graph.vertex(edge.to));
        let is_taken = to.kind == VertexKind::Receive || behaviours::is_function(to);
        let is_between = started.contains(&to.function) && started.contains(&from.function);
        (is_taken && is_between).then_some(to.function)
    });
    received.collect()
}

/// For each function whether it may come to call one of some functions.
fn callers(reached: &Reached, functions: Vec<FunctionId>) -> IdVec<FunctionId, bool> {
    let mut callers: Reached = IdVec::filled(Vec::new(), reached.len());
    for (caller, called) in reached.enumerate() {
        for &called in called {
            callers[called].push(caller);
        }
    }
    let mut found = IdVec::filled(false, reached.len());
    let mut pending = functions;
    while let Some(function) = pending.pop() {
        if !std::mem::replace(&mut found[function], true) {
            pending.extend(&callers[function]);
        }
    }
    found
}

/// All functions that may run because of some, sorted.
fn all_reached(reached: &Reached, from: &[FunctionId]) -> Vec<FunctionId> {
    let mut found: IdVec<FunctionId, bool> = IdVec::filled(false, reached.len());
    let mut pending = from.to_vec();
    while let Some(function) = pending.pop() {
        if !std::mem::replace(&mut found[function], true) {
            pending.extend(&reached[function]);
        }
    }
    reached.ids().filter(|&function| found[function]).collect()
}

/// The processes whose ends others may see: those that are started, and those that enter the
/// program where that is noticed and counts. Their parents are among them.
pub(crate) fn processes(build: &Build<'_>) -> IdVec<ProcessId, ProcessInfo> {
    let flow = build.flow;
    let started = flow.processes.enumerate().filter(|(_, process)| process.site.is_some());
    let mut found: IdVec<ProcessId, ProcessInfo> = IdVec::new();
    let mut numbers: IdVec<ProcessId, Option<ProcessId>> =
        IdVec::filled(None, flow.processes.len());
    for (id, process) in started {
        numbers[id] = Some(found.push(process.clone()));
    }
    let counts = |entering: &&Entering| entering.is_noticed && build.sees_entering();
    let entering: Vec<&Entering> = build.entering.iter().filter(counts).collect();
    let first = found.len();
    for process in &mut found {
        let at = process.site.and_then(|site| flow.graph.at(site));
        let function = at.map(|at| flow.graph.vertex(at).function);
        let mut parents: Vec<ProcessId> =
            process.parents.iter().filter_map(|&parent| numbers[parent]).collect();
        for (index, entering) in entering.iter().enumerate() {
            if function.is_some_and(|function| entering.functions.binary_search(&function).is_ok())
            {
                parents.push(ProcessId::new(first + index));
            }
        }
        process.parents = parents;
    }
    let names = flow.processes.iter().filter(|process| process.site.is_none());
    let names: Vec<Atom> = names.flat_map(|process| &process.names).copied().collect();
    for entering in entering {
        found.push(ProcessInfo {
            site: None,
            entries: entering.entries.clone(),
            names: names.clone(),
            functions: entering.functions.clone(),
            parents: Vec::new(),
        });
    }
    found
}
