//! Who calls whom, and the components of functions that call each other (Tarjan's algorithm,
//! without recursion).

use atom::Atom;
use program::LoadedModule;
use program::index::NameArity;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{Kind, NodeId, RecordName};

/// A function by its number.
pub(super) type Index = usize;

/// A function of the program.
pub(super) struct Node {
    /// Index into the modules that were given.
    pub(super) module: usize,
    pub(super) function: NameArity,
    pub(super) form: NodeId,
    /// Whether others than the calls of its module can call it: it is exported, or `fun f/1`.
    pub(super) escapes: bool,
    pub(super) calls: Vec<Index>,
}

/// Whether a parse transform that a module or its project asks for may add calls of functions, or
/// exports. `ms_transform` puts data in the place of calls of `fun2ms`, whose funs cannot call
/// functions of the module.
fn may_have_other_calls(module: &LoadedModule) -> bool {
    let own = module.index.parse_transforms.iter().map(|name| name.as_str());
    let all = module.unit.erl_opts.parse_transforms.iter().map(String::as_str);
    own.chain(all).any(|transform| transform != "ms_transform")
}

pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) by_name: FxHashMap<(Atom, NameArity), Index>,
}

impl Graph {
    pub(super) fn new(modules: &[&LoadedModule]) -> Graph {
        let mut graph = Graph { nodes: Vec::new(), by_name: FxHashMap::default() };
        for (place, module) in modules.iter().enumerate() {
            let is_changed = may_have_other_calls(module);
            for (function, &form) in module.index.functions.iter() {
                let escapes = module.index.is_exported(function)
                    || module.index.on_load == Some(function)
                    || is_changed;
                let index = graph.nodes.len();
                graph.by_name.entry((module.name, function)).or_insert(index);
                let calls = Vec::new();
                graph.nodes.push(Node { module: place, function, form, escapes, calls });
            }
        }
        for index in 0..graph.nodes.len() {
            let (calls, funs) = graph.uses(modules, index);
            graph.nodes[index].calls = calls;
            for fun in funs {
                graph.nodes[fun].escapes = true;
            }
        }
        graph
    }

    /// The functions of the program that a function calls, and those that it makes funs of.
    fn uses(&self, modules: &[&LoadedModule], index: Index) -> (Vec<Index>, Vec<Index>) {
        let node = &self.nodes[index];
        let module = modules[node.module];
        let (mut calls, mut funs) = (Vec::new(), Vec::new());
        let mut seen = FxHashSet::default();
        // Where a record is made, the defaults of its fields are part of the function.
        let mut open = vec![node.form];
        let mut records = FxHashSet::default();
        while let Some(from) = open.pop() {
            module.tree.for_each_below(from, |at| {
                if let Kind::Record { base: None, name: RecordName::Local(name), .. } =
                    module.tree.kind(at)
                    && let Kind::Atom(name) = module.tree.kind(name)
                    && let Some(record) = module.index.records.get(name)
                    && records.insert(name)
                {
                    open.extend(record.fields.iter().map(|field| field.1));
                }
                let Some(target) = module.target(at) else { return };
                let Some((of, name, arity)) = target.mfa(module.name) else { return };
                let Some(&callee) = self.by_name.get(&(of, (name, arity))) else { return };
                if !matches!(module.tree.kind(at), Kind::Call { .. }) {
                    funs.push(callee);
                }
                if seen.insert(callee) {
                    calls.push(callee);
                }
            });
        }
        (calls, funs)
    }

    /// Components, callees first; each with its level: one more than the highest that it calls.
    pub(super) fn components(&self) -> Vec<(u32, Vec<Index>)> {
        let mut search = Search {
            graph: self,
            order: vec![None; self.nodes.len()],
            low: vec![0; self.nodes.len()],
            component: vec![None; self.nodes.len()],
            stack: Vec::new(),
            next: 0,
            found: Vec::new(),
        };
        for index in 0..self.nodes.len() {
            if search.order[index].is_none() {
                search.from(index);
            }
        }
        search.found
    }

    /// Modules by levels: those that a module calls are on lower ones, but for calls that go round
    /// in a circle.
    pub(super) fn levels_of_modules(&self, count: usize) -> Vec<Vec<usize>> {
        let mut calls: Vec<Vec<usize>> = vec![Vec::new(); count];
        for node in &self.nodes {
            calls[node.module].extend(node.calls.iter().map(|&callee| self.nodes[callee].module));
        }
        for called in &mut calls {
            called.sort_unstable();
            called.dedup();
        }
        let mut level: Vec<Option<usize>> = vec![None; count];
        let mut entered = vec![false; count];
        for module in 0..count {
            let mut path = vec![(module, 0)];
            while let Some((module, next)) = path.last_mut() {
                let module = *module;
                entered[module] = true;
                match calls[module].get(*next) {
                    Some(&called) => {
                        *next += 1;
                        if !entered[called] {
                            path.push((called, 0));
                        }
                    }
                    None => {
                        // One that has no level yet is further up on the path.
                        let below = calls[module].iter().filter_map(|&called| level[called]);
                        let here = below.max().map_or(0, |below| below + 1);
                        level[module].get_or_insert(here);
                        path.pop();
                    }
                }
            }
        }
        let highest = level.iter().flatten().max().map_or(0, |highest| highest + 1);
        let mut levels = vec![Vec::new(); highest];
        for (module, level) in level.iter().enumerate() {
            if let Some(level) = level {
                levels[*level].push(module);
            }
        }
        levels
    }

    /// Whether a function calls itself, or one that calls it.
    pub(super) fn is_recursive(&self, component: &[Index]) -> bool {
        match component {
            [only] => self.nodes[*only].calls.contains(only),
            _ => true,
        }
    }
}

struct Search<'a> {
    graph: &'a Graph,
    order: Vec<Option<u32>>,
    low: Vec<u32>,
    component: Vec<Option<usize>>,
    stack: Vec<Index>,
    next: u32,
    found: Vec<(u32, Vec<Index>)>,
}

impl Search<'_> {
    fn enter(&mut self, index: Index) {
        self.order[index] = Some(self.next);
        self.low[index] = self.next;
        self.next += 1;
        self.stack.push(index);
    }

    fn from(&mut self, root: Index) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((index, next)) = path.last_mut() {
            let index = *index;
            if let Some(&callee) = self.graph.nodes[index].calls.get(*next) {
                *next += 1;
                match self.order[callee] {
                    None => {
                        self.enter(callee);
                        path.push((callee, 0));
                    }
                    Some(order) if self.component[callee].is_none() => {
                        self.low[index] = self.low[index].min(order);
                    }
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some((caller, _)) = path.last() {
                self.low[*caller] = self.low[*caller].min(self.low[index]);
            }
            if Some(self.low[index]) == self.order[index] {
                self.close(index);
            }
        }
    }

    /// Everything above a component's first function on the stack is part of it.
    fn close(&mut self, first: Index) {
        let number = self.found.len();
        let mut members = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.component[member] = Some(number);
            members.push(member);
            if member == first {
                break;
            }
        }
        members.sort_unstable();
        let mut level = 0;
        for &member in &members {
            for &callee in &self.graph.nodes[member].calls {
                if let Some(other) = self.component[callee]
                    && other != number
                {
                    level = level.max(self.found[other].0 + 1);
                }
            }
        }
        self.found.push((level, members));
    }
}
