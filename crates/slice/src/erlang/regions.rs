//! Which functions may run where somebody notices that they fail, and which may wait.
//!
//! An exception that ends the program can be ignored: the slice may go on where the program stopped. One
//! that is caught cannot: what comes after the place that fails does not happen, and what the handler
//! does happens. So in code that may run inside a `try` or `catch`, by calls of any kind, every expression
//! that may fail is a control dependence of what follows it. The end of a process is noticed if the program
//! has links, monitors or timeouts; then the functions that processes start with are guarded, too.
//!
//! A `receive` that nobody asks a value of still decides when what follows happens, so what follows
//! depends on it; likewise for calls of functions that may receive.
//!
//! The call targets of all calls are found here, once.

use atom::Atom;
use flow::{FunctionId, Site, VertexKind};
use syntax::ast::{Kind, Module, NodeId};

use super::build::Build;
use super::nodes::Targets;
use super::{calls, effects, types};

/// What one function does itself.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// The functions it calls, and whether inside of a `try`.
    calls: Vec<(FunctionId, bool)>,
    receives: bool,
}

pub(crate) fn find(build: &mut Build<'_>) {
    let count = build.flow.functions.len();
    let mut facts: Vec<Facts> = vec![Facts::default(); count];
    let mut started: Vec<FunctionId> = Vec::new();
    let mut is_watched = false;
    let (mut makes_tables, mut has_key_positions) = (false, false);
    let keypos = Atom::new("keypos");
    let mut outside_funs = std::mem::take(&mut build.outside_funs);
    for module in 0..build.flow.modules.len() as u32 {
        outside_funs.note(build, module);
    }
    build.outside_funs = outside_funs;
    for index in 0..count {
        let function = &build.flow.functions[index];
        if function.is_fun() {
            continue;
        }
        let module = function.module;
        let tree = build.flow.modules[module as usize].tree.clone();
        note_function(build, &tree, FunctionId(index as u32));
        // (node, function around it, inside of a try)
        let mut pending = vec![(function.node, FunctionId(index as u32), false)];
        let mut children: Vec<NodeId> = Vec::new();
        while let Some((node, around, guarded)) = pending.pop() {
            let (mut inner, mut inner_guarded) = (around, guarded);
            match tree.kind(node) {
                Kind::FunName { .. } | Kind::FunRemote { .. } => {
                    let loaded = &build.program.modules[module as usize];
                    let target = loaded.target(node).and_then(|target| target.mfa(loaded.name));
                    let named = target.and_then(|(of, name, arity)| build.find(of, name, arity));
                    if let Some(function) = named {
                        build.selection.opens(function);
                    }
                }
                Kind::Fun { .. } => {
                    if let Some(&fun) = build.funs.get(&(module, node)) {
                        (inner, inner_guarded) = (fun, false);
                    }
                }
                Kind::Atom(name) => has_key_positions |= name == keypos,
                Kind::Clause { guards, .. } if guards.len == 1 => {
                    for (definition, types) in types::tested(build, module, guards).concat() {
                        // One from outside is of that type in this clause only.
                        let (first, last) = (tree[node].first, tree[node].last);
                        if first <= tree[definition].first && tree[definition].last <= last {
                            build.selection.narrow(module, definition, types);
                        }
                    }
                }
                Kind::Match { pattern, value } => {
                    build.selection.matched(&tree, module, pattern, value);
                }
                Kind::Call { .. } => {
                    let targets = calls::targets(build, module, node);
                    note_calls(build, module, node, &targets);
                    makes_tables |= effects::makes_table(build, module, node);
                    let site = Site { module, node };
                    let at = build.flow.graph.at(site);
                    let spawns =
                        at.is_some_and(|at| build.flow.graph.vertex(at).kind == VertexKind::Spawn);
                    is_watched |= effects::watches(build, module, node);
                    let facts = &mut facts[around.0 as usize];
                    facts.receives |= effects::waits(build, module, node);
                    if spawns {
                        started.extend(&targets.called_back);
                    } else {
                        let all = targets.called.iter().chain(&targets.called_back);
                        facts.calls.extend(all.map(|&target| (target, guarded)));
                    }
                    build.targets.insert((module, node), targets);
                }
                Kind::Receive { after, .. } => {
                    facts[around.0 as usize].receives = true;
                    is_watched |= after.is_some();
                }
                Kind::Catch { body } => {
                    pending.push((body, around, true));
                    continue;
                }
                Kind::Try { body, of, catch, after } => {
                    let caught = guarded || !catch.is_empty();
                    pending.extend(tree.list(body).iter().map(|&node| (node, around, caught)));
                    for list in [of, catch, after] {
                        pending.extend(tree.list(list).iter().map(|&node| (node, around, guarded)));
                    }
                    continue;
                }
                _ => {}
            }
            children.clear();
            tree.for_each_child(node, |child| children.push(child));
            pending.extend(children.iter().map(|&child| (child, inner, inner_guarded)));
        }
    }
    build.has_usual_tables = makes_tables && !has_key_positions;
    spread(build, &facts, if is_watched { started } else { Vec::new() });
}

/// What a function may be called by.
fn note_function(build: &mut Build<'_>, tree: &Module, id: FunctionId) {
    let function = build.flow.function(id);
    build.selection.function(tree, function.module, id, function.node);
    let index = &build.program.modules[function.module as usize].index;
    if index.is_exported((function.name, function.arity)) {
        build.selection.opens(id);
    }
}

fn note_calls(build: &mut Build<'_>, module: u32, node: NodeId, targets: &Targets) {
    let loaded = &build.program.modules[module as usize];
    let is_named = loaded.target(node).is_some_and(|target| target.mfa(loaded.name).is_some());
    for &called in &targets.called {
        if is_named {
            build.selection.called(called, module, node);
        } else {
            build.selection.opens(called);
        }
    }
    for &called in &targets.called_back {
        build.selection.opens(called);
    }
}

/// Guarded goes from callers to what they call, waiting from what is called to callers.
fn spread(build: &mut Build<'_>, facts: &[Facts], started: Vec<FunctionId>) {
    let mut pending = started;
    for facts in facts {
        pending
            .extend(facts.calls.iter().filter(|(_, guarded)| *guarded).map(|(called, _)| called));
    }
    while let Some(function) = pending.pop() {
        let nodes = &mut build.functions[function.0 as usize];
        if !nodes.guarded {
            nodes.guarded = true;
            pending.extend(facts[function.0 as usize].calls.iter().map(|(called, _)| called));
        }
    }
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); facts.len()];
    for (caller, facts) in facts.iter().enumerate() {
        for (called, _) in &facts.calls {
            callers[called.0 as usize].push(caller as u32);
        }
    }
    let receiving = facts.iter().enumerate().filter(|(_, facts)| facts.receives);
    let mut pending: Vec<u32> = receiving.map(|(function, _)| function as u32).collect();
    while let Some(function) = pending.pop() {
        let nodes = &mut build.functions[function as usize];
        if !nodes.waits {
            nodes.waits = true;
            pending.extend(&callers[function as usize]);
        }
    }
}
