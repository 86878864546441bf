//! Concurrent flow graphs of whole programs, and the data flow that finds their edges.
//!
//! ```text
//! Program ─▶ sources (functions, variables' definitions) ─▶ control (vertices, neighbours)
//!                │                                              │
//!                └─▶ generate ─▶ analysis (constraints) ────────┴─▶ edges ─▶ Flow
//!                       ▲ models of library functions
//! ```
//!
//! The graph is that of Widera's *Concurrent Erlang Flow Graphs*, for all of the language, on the
//! nodes of our own trees. [`analyse`] gives a [`Flow`]:
//!
//! ```no_run
//! use flow::{Entry, analyse};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let program = program::Program::load(&["example.erl".into()], &Default::default())?;
//! let flow = analyse(&program, &Entry::function("example", "use", 0))?;
//! for (site, call) in &flow.calls {
//!     println!("{site:?} calls {:?}", call.targets);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! * [`Flow::graph`]: vertices and edges, [`Graph::at`] for the vertex of a tree's node;
//! * [`Flow::calls`]: the functions that each call, spawn or library call may reach;
//! * [`Flow::bindings`]: for each variable occurrence the definitions that reach it;
//! * [`Flow::def_uses`]: definitions and uses with their kinds, through closures, structures and
//!   messages;
//! * [`criteria`]: what tests can cover of all this;
//! * [`Flow::messages_from`], [`Flow::has_call`], [`Flow::has_message`], [`Flow::has_throw`],
//!   [`Flow::has_spawn`]: questions for slicing, coverage, and for checking runs against the graph;
//! * [`Flow::refused`]: messages that guards of a `receive` refuse;
//! * [`Flow::processes`]: the processes by the place that starts them;
//! * [`Flow::unresolved`]: where something from outside decides.
//!
//! Invariants of this crate:
//! * Nothing runs here, and nothing is read or written.
//! * In doubt an edge is there, and marked so; where nothing is known there is none, and the place
//!   is listed.
//! * The same program gives the same graph, in the same order.

mod analysis;
pub mod bindings;
mod callbacks;
mod clauses;
mod constraints;
mod contents;
mod contexts;
mod control;
pub mod criteria;
pub mod def_use;
mod describe;
mod edges;
pub mod effects;
mod entry;
mod everything;
mod generate;
pub mod graph;
pub mod layout;
mod library;
mod linking;
mod matching;
mod models;
mod narrowing;
mod patterns;
mod primitives;
mod project;
mod result;
mod solution;
mod sources;
mod structures;
pub mod surroundings;
mod throws;
mod values;

/// Numbers of tables, as all analyses have them.
pub use ::ids;
/// Makes types of them.
pub use ::ids::ids;
mod watches;

use program::Program;

pub use constraints::ProcessId;
pub use edges::Refused;
pub use entry::{Entry, UnknownEntry};
pub use graph::{Edge, EdgeId, EdgeKind, Frame, Graph, Label, Vertex, VertexData, VertexKind};
pub use result::{CallTargets, Flow, FlowModule, ProcessInfo, Unresolved, UnresolvedKind};
pub use sources::{Function, FunctionId, ModuleId, Site};

use analysis::Analysis;
use constraints::{CallId, CallKind, CallSite, ENTERING, FOR_ALL};
use sources::Sources;
use values::{NOWHERE, UNKNOWN};
use watches::Watch;

/// Builds the flow graph of a program.
pub fn analyse(program: &Program, entry: &Entry) -> Result<Flow, UnknownEntry> {
    analyse_with(program, entry, false)
}

/// As [`analyse`]; with `explain`, message and throw edges know the iteration that found them.
/// That looks for them in every iteration instead of once.
pub fn analyse_with(program: &Program, entry: &Entry, explain: bool) -> Result<Flow, UnknownEntry> {
    let mut sources = Sources::new(program);
    let ranks = entry::ranked(&sources, entry)?;
    models::add(&mut sources);
    let mut graph = control::build(&sources);
    let mut analysis = Analysis::new(sources);
    let calls = enter(&mut analysis, entry);
    // Functions that run when their modules are loaded.
    for function in entry::on_load(&analysis.sources) {
        let body = analysis.named_body(function, FOR_ALL);
        analysis.link(calls, body);
    }
    let mut log = result::Iterations::default();
    for rank in ranks {
        let open: Vec<FunctionId> =
            rank.into_iter().filter(|&function| !analysis.is_reached(function)).collect();
        for &function in &open {
            let body = analysis.named_body(function, FOR_ALL);
            analysis.link(calls, body);
            analysis.constraints.processes[ENTERING].entries.push(body);
        }
        if open.is_empty() {
            continue;
        }
        analysis.solve(|analysis| {
            if explain {
                log.note(analysis, &graph);
            }
        });
    }
    // What nobody in the program sends comes from outside, if it comes.
    while analysis.take_from_outside() {
        analysis.solve(|analysis| {
            if explain {
                log.note(analysis, &graph);
            }
        });
    }
    analysis.solution.forget_constraints();
    log.note(&analysis, &graph);
    let flow = result::collect(program, analysis, &mut graph, log);
    Ok(Flow { explained: explain, ..flow })
}

/// The call from outside that enters the program, with unknown arguments. What exported functions
/// return to an unknown caller may be called by it; from a client the processes that they hand out
/// come back as arguments: the pid that `start` returns, to the functions that talk to it.
fn enter(analysis: &mut Analysis<'_>, entry: &Entry) -> CallId {
    let results_escape = matches!(entry, Entry::Exported | Entry::Client);
    let process = analysis.new_process(None, None);
    analysis.constraints.processes[process].goes_on = *entry == Entry::Client;
    let unknown = analysis.constant(UNKNOWN);
    let escaped = analysis.constraints.escaped;
    let arguments = if *entry == Entry::Client {
        let arguments = analysis.fresh_keeping();
        analysis.include(unknown, arguments);
        analysis.watch(escaped, Watch::Processes(arguments));
        arguments
    } else {
        unknown
    };
    let site = CallSite {
        body: None,
        node: syntax::ast::NodeId(0),
        kind: CallKind::FirstOrder,
        args: Vec::new(),
        any_args: arguments,
        callee: NOWHERE,
        module: NOWHERE,
        name: NOWHERE,
        result: if results_escape { escaped } else { NOWHERE },
        handler: None,
        raises: [NOWHERE; 3],
        targets: Vec::new(),
        unknown: false,
    };
    let calls_back = CallSite { kind: CallKind::Unknown, callee: escaped, ..site.clone() };
    let calls_back = analysis.new_call(calls_back);
    analysis.watch_callee(calls_back, escaped, NOWHERE, NOWHERE);
    analysis.new_call(site)
}
