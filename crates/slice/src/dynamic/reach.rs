//! The slice of a run: what the criterion depends on in the run, and what else has to be kept for
//! that to be a program that runs in the same way.
//!
//! 1. *This value*: from the criterion's instance along the dependences of the run, fields as in a
//!    static slice (Agrawal and Horgan's third approach, with constraints).
//! 2. *The same run*: a text has one copy of an expression for all activations that evaluate it. An
//!    expression that is kept is evaluated in other activations, too, where what it needs may be
//!    missing; so what is kept must have what it needs in every activation that there is in the run
//!    of the slice (as Korel and Laski's executable slices take all occurrences of a statement that
//!    is taken). Of other activations only those of calls that are kept exist, and only the
//!    outermost constructor of a value is asked for: whatever takes it apart is kept too and asks
//!    by itself. This is repeated until nothing is added.
//!
//! What callbacks give to code that is not of the program is needed as a whole, because that code
//! looks at it. A process that waits, and whose end somebody would notice, waits in the slice, too.
//!
//! That an expression did not fail needs nothing of it unless it failed at another time of the run:
//! what is left out does not fail, and what is kept has what it needs.
//!
//! Both stay inside of the static slice of the same criterion.
//!
//! Cost: each round is linear in the dependences between instances that can be reached; two to six
//! rounds in practice. [`MOST_INSTANCES`] bounds the memory.

use flow::FunctionId;
use flow::bindings::Occurrence;
use flow::ids::IdVec;
use rustc_hash::{FxHashMap, FxHashSet};

use super::instances::{Dependence, Inexact, Instances};
use super::record::{Act, Run, Waiting};
use crate::erlang::Role;
use crate::graph::View;
use crate::slice::Happened;
use dependence::{Builder, Direction, Edge, EdgeKind, Frame, Label, Node, Workspace, reach};

/// With more instances of nodes a run is too long to be sliced.
pub(super) const MOST_INSTANCES: usize = 40_000_000;

flow::ids! {
    /// A node of the program's graph in an activation.
    Instance;
}

/// What was found.
pub(super) struct Reached {
    /// For each node of the static graph whether the criterion depends on it in the run.
    pub(super) this_value: IdVec<Node, bool>,
    /// The same with what has to be kept for a program that runs.
    pub(super) same_run: IdVec<Node, bool>,
    pub(super) happened: Happened,
    pub(super) inexact: Inexact,
}

/// Follows the dependences of a run. `within` is the static slice. `None` if the run is too long.
pub(super) fn follow(
    graph: View<'_>,
    run: &Run,
    starts: &[Node],
    act: Act,
    within: &IdVec<Node, bool>,
) -> Option<Reached> {
    let mut search = Search {
        instances: Instances::new(graph, run),
        graph,
        run,
        within,
        numbers: FxHashMap::default(),
        nodes: IdVec::new(),
        edges: Vec::new(),
        next: Instance::new(0),
        asked: Vec::new(),
        is_asked: FxHashSet::default(),
        given: FxHashSet::default(),
    };
    let first: Vec<Instance> = starts.iter().map(|&start| search.number(start, act)).collect();
    search.explore()?;
    let mut this_value = search.reach(&first);
    let mut reached = this_value.clone();
    search.complete(&mut this_value);
    let mut same_run = this_value.clone();
    loop {
        let before = search.asked.len();
        search.ask(&same_run, &reached);
        if search.asked.len() == before {
            break;
        }
        search.explore()?;
        reached = search.reach(&first);
        same_run = reached.clone();
        search.complete(&mut same_run);
    }
    let happened = search.happened();
    let inexact = search.instances.inexact();
    Some(Reached { this_value, same_run, happened, inexact })
}

struct Search<'g> {
    instances: Instances<'g>,
    graph: View<'g>,
    run: &'g Run,
    within: &'g IdVec<Node, bool>,
    numbers: FxHashMap<(Node, Act), Instance>,
    nodes: IdVec<Instance, (Node, Act)>,
    edges: Vec<(Instance, Instance, EdgeKind, Label)>,
    /// The first instance whose dependences were not looked up.
    next: Instance,
    /// Instances of kept nodes in other activations, whose shape is needed.
    asked: Vec<Instance>,
    is_asked: FxHashSet<Instance>,
    /// Results that code outside of the program looks at: all of them is needed.
    given: FxHashSet<Instance>,
}

impl Search<'_> {
    fn number(&mut self, node: Node, act: Act) -> Instance {
        let next = self.nodes.next_id();
        let number = *self.numbers.entry((node, act)).or_insert(next);
        if number == next {
            self.nodes.push((node, act));
        }
        number
    }

    /// Looks up the dependences of all instances that are known, and of those that come up.
    fn explore(&mut self) -> Option<()> {
        let mut found: Vec<Dependence> = Vec::new();
        while let Some(&(node, act)) = self.nodes.get(self.next) {
            let from = self.next;
            self.next = Instance::new(from.index() + 1);
            found.clear();
            self.instances.dependences(node, act, &mut found);
            for &Dependence { on, act, kind, label } in &found {
                if self.within[on] {
                    let to = self.number(on, act);
                    self.edges.push((from, to, kind, label));
                }
            }
            if self.nodes.len() > MOST_INSTANCES || self.edges.len() > 4 * MOST_INSTANCES {
                return None;
            }
        }
        Some(())
    }

    /// The nodes of the static graph of which an instance is reached.
    fn reach(&mut self, first: &[Instance]) -> IdVec<Node, bool> {
        let mut builder = Builder::default();
        let nodes: IdVec<Instance, Node> = self.nodes.iter().map(|_| builder.node()).collect();
        for &(from, to, kind, label) in &self.edges {
            builder.edge(nodes[from], nodes[to], kind, label);
        }
        let everything = builder.node();
        for &asked in &self.asked {
            let label = if self.given.contains(&asked) { Label::All } else { Label::Shape };
            builder.edge(everything, nodes[asked], EdgeKind::Declaration, label);
        }
        let mut starts: Vec<Node> = first.iter().map(|&start| nodes[start]).collect();
        starts.push(everything);
        let instances = builder.finish();
        let constraints = self.graph.options.constraints;
        // What is kept of a graph says nothing about another one.
        let mut workspace = Workspace::default();
        let reached = reach(&instances, &starts, Direction::Backward, constraints, &mut workspace);
        let mut found = IdVec::filled(false, self.within.len());
        for (instance, (node, _)) in self.nodes.enumerate() {
            found[*node] |= reached[nodes[instance]];
        }
        found
    }

    /// What the text needs to be a program: a variable that is bound in every alternative of a
    /// choice has to be, in those that were not chosen, too; and what is printed as a whole has all
    /// of it.
    fn complete(&self, kept: &mut IdVec<Node, bool>) {
        let built = &self.graph.built;
        let mut pending: Vec<Node> = kept.ids().filter(|&node| kept[node]).collect();
        while let Some(at) = pending.pop() {
            let origin = built.origins[at];
            let nodes = &built.modules[origin.module];
            let mut keep = |node: Option<Node>| {
                if let Some(node) = node.filter(|&node| self.within[node])
                    && !kept[node]
                {
                    kept[node] = true;
                    pending.push(node);
                }
            };
            if nodes.is_rigid(origin.node) {
                for edge in built.graph.sources.of(at) {
                    if (edge.kind, edge.frame) == (EdgeKind::Declaration, Frame::Jump) {
                        keep(Some(edge.to));
                    }
                }
            }
            if origin.role != Role::Value {
                continue;
            }
            let bindings = &self.graph.flow.bindings[origin.module];
            let Occurrence::Use(definitions) = bindings.occurrence(origin.node) else { continue };
            for &definition in definitions {
                keep(nodes.value(definition));
                for outer in self.instances.around(origin.module, definition) {
                    keep(nodes.choices.get(&outer).copied());
                    keep(nodes.tests.get(&outer).copied());
                }
            }
        }
    }

    /// Asks for the instances of nodes that are needed in all activations that a run of the slice
    /// has. Of what is kept for the text only, that is the tests that are made.
    fn ask(&mut self, kept: &IdVec<Node, bool>, reached: &IdVec<Node, bool>) {
        let exists = self.existing(kept);
        let mut of_function: FxHashMap<FunctionId, Vec<Node>> = FxHashMap::default();
        for node in kept.ids().filter(|&node| kept[node]) {
            let role = self.graph.built.origins[node].role;
            if role != Role::State
                && (reached[node] || role == Role::Test)
                && let Some(function) = self.instances.function_of(node)
            {
                of_function.entry(function).or_default().push(node);
            }
        }
        for &Waiting { began_with, act, receive } in &self.run.waiting {
            let module = self.graph.flow.function(self.run.activation(act).function).module;
            let done = self.graph.built.modules[module].effects.get(&receive).copied();
            if let Some(done) = done.filter(|&done| self.within[done])
                && exists[began_with as usize]
            {
                self.ask_for(done, act);
            }
        }
        for act in 0..self.run.activations.len() as Act {
            if !exists[act as usize] {
                continue;
            }
            if let Some(result) = self.instances.given_outside(act)
                && self.within[result]
            {
                let number = self.number(result, act);
                if self.given.insert(number) {
                    self.is_asked.insert(number);
                    self.asked.push(number);
                }
            }
            let function = self.run.activation(act).function;
            let Some(nodes) = of_function.get(&function) else { continue };
            for &node in nodes {
                if self.instances.is_evaluated(node, act) {
                    self.ask_for(node, act);
                }
            }
        }
    }

    fn ask_for(&mut self, node: Node, act: Act) {
        let number = self.number(node, act);
        if self.is_asked.insert(number) {
            self.asked.push(number);
        }
    }

    /// The activations that there are in a run of the slice: callers come before what they call.
    fn existing(&self, kept: &IdVec<Node, bool>) -> Vec<bool> {
        let mut exists = vec![false; self.run.activations.len()];
        for (act, activation) in self.run.activations.iter().enumerate() {
            exists[act] = match (activation.inside, activation.caller) {
                (Some((_, outer)), _) => exists[outer as usize],
                (None, Some((caller, node))) => {
                    let function = self.run.activation(caller).function;
                    let module = self.graph.flow.function(function).module;
                    let nodes = &self.graph.built.modules[module];
                    let is_kept = |node: Option<Node>| node.is_some_and(|node| kept[node]);
                    exists[caller as usize]
                        && (is_kept(nodes.effects.get(&node).copied())
                            || is_kept(nodes.value(node)))
                }
                (None, None) => true,
            };
        }
        exists
    }

    /// The dependences as dependences of the program, each once.
    fn happened(&self) -> Happened {
        let node = |instance: Instance| self.nodes[instance].0;
        let mut seen = FxHashSet::default();
        let mut happened = Happened::default();
        for &(from, to, kind, label) in &self.edges {
            let edge = Edge { to: node(to), kind, label, frame: Frame::Stay };
            if seen.insert((node(from), edge.to, kind)) {
                happened.entry(node(from)).or_default().push(edge);
            }
        }
        happened
    }
}
