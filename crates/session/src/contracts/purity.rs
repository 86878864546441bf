//! Which functions do nothing but give a value, without running anything.
//!
//! A function acts if its own text does (it sends, receives, calls a builtin that acts), or a
//! function that it may call does. For functions of the program that is the flow graph
//! (`flow::Flow::calls`: funs that are passed around included); for those of the library its text,
//! which is ours; at the bottom are the Machine's builtins, each of which says whether it acts.
//!
//! ```text
//! f/1 ─▶ g/2 ─▶ lists:foldl/3 ─▶ fun in g/2 ─▶ ets:insert/2    impure, by this path
//! ```
//!
//! Three answers: *pure* (nothing that it may call acts; raising an exception and going on for ever
//! are no actions), *impure* with the shortest path to something that acts, which some run may or
//! may not take, and *unknown* where something from outside decides what is called. Cost: linear in
//! calls, beside the flow graph. Callbacks of behaviours are taken to be called by their behaviours
//! alone.

use std::collections::VecDeque;

use atom::Atom;
use flow::{Entry, Flow, FunctionId, Site};
use program::Program;
use program::index::ModuleIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList};
use syntax::token::Literal;

use crate::Error;

/// What is known of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "purity", rename_all = "snake_case")]
pub enum Purity {
    Pure,
    /// The functions from it to the one that acts, and what that does there.
    Impure {
        path: Vec<String>,
        action: String,
    },
    Unknown {
        path: Vec<String>,
        why: String,
    },
}

/// What a function of its own may do, and whom it may call.
#[derive(Default)]
struct Facts {
    acts: Option<String>,
    unknown: Option<String>,
    calls: Vec<usize>,
}

/// A function of the program, or of the library.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Callee {
    Own(FunctionId),
    Library(Atom, Atom, u32),
}

/// The purity of all functions of a program.
pub struct Purities {
    flow: Flow,
    functions: Vec<(Callee, Facts)>,
    places: FxHashMap<Callee, usize>,
    known: Vec<Purity>,
}

impl Purities {
    pub fn of(program: &Program) -> Result<Purities, Error> {
        let flow = flow::analyse(program, &Entry::Client)
            .map_err(|error| Error::Entry(error.to_string()))?;
        let mut maker = Maker {
            program,
            flow: &flow,
            library: FxHashMap::default(),
            builtins: machine::builtins::all()
                .map(|it| ((Atom::new(it.module), Atom::new(it.name), it.arity), it.acts()))
                .collect(),
            unresolved: flow.unresolved.iter().map(|it| it.site).collect(),
            functions: Vec::new(),
            places: FxHashMap::default(),
            external: Vec::new(),
        };
        maker.find_external();
        for id in flow.functions.ids() {
            maker.place(Callee::Own(id));
        }
        // Library functions are added while their callers are looked at.
        let mut next = 0;
        while next < maker.functions.len() {
            let facts = maker.facts(maker.functions[next].0);
            maker.functions[next].1 = facts;
            next += 1;
        }
        let (functions, places) = (maker.functions, maker.places);
        let mut purities = Purities { flow, functions, places, known: Vec::new() };
        purities.solve();
        Ok(purities)
    }

    /// What is known of a function of the program, if it has it.
    pub fn get(&self, module: Atom, name: Atom, arity: u32) -> Option<&Purity> {
        let id = self.flow.find(module, name, arity)?;
        self.known.get(*self.places.get(&Callee::Own(id))?)
    }

    /// The exported functions that may call a function, itself among them if it is one.
    pub fn entries_to(&self, module: Atom, name: Atom, arity: u32) -> Vec<(Atom, Atom, u32)> {
        let Some(id) = self.flow.find(module, name, arity) else { return Vec::new() };
        let callers = self.callers();
        let mut pending = vec![self.places[&Callee::Own(id)]];
        let mut seen: FxHashSet<usize> = pending.iter().copied().collect();
        while let Some(at) = pending.pop() {
            pending.extend(callers[at].iter().filter(|&&caller| seen.insert(caller)));
        }
        let exported = |at: &usize| match self.functions[*at].0 {
            Callee::Own(id) => {
                let function = self.flow.function(id);
                let module = self.flow.modules[function.module].name;
                function.exported.then_some((module, function.name, function.arity))
            }
            Callee::Library(..) => None,
        };
        let mut entries: Vec<_> = seen.iter().filter_map(exported).collect();
        entries.sort_unstable_by_key(|(m, f, a)| (m.as_str(), f.as_str(), *a));
        entries.dedup();
        entries
    }

    fn callers(&self) -> Vec<Vec<usize>> {
        let mut callers = vec![Vec::new(); self.functions.len()];
        for (from, (_, facts)) in self.functions.iter().enumerate() {
            facts.calls.iter().for_each(|&to| callers[to].push(from));
        }
        callers
    }

    /// From what acts to its callers, breadth first: so the paths are shortest. Then the same from
    /// what is not known.
    fn solve(&mut self) {
        let callers = self.callers();
        let mut known: Vec<Option<Purity>> = vec![None; self.functions.len()];
        for is_action in [true, false] {
            let mut queue = VecDeque::new();
            for (at, (_, facts)) in self.functions.iter().enumerate() {
                let found = if is_action { &facts.acts } else { &facts.unknown };
                if let (None, Some(what)) = (&known[at], found) {
                    let path = vec![self.name(at)];
                    known[at] = Some(match is_action {
                        true => Purity::Impure { path, action: what.clone() },
                        false => Purity::Unknown { path, why: what.clone() },
                    });
                    queue.push_back(at);
                }
            }
            while let Some(at) = queue.pop_front() {
                let Some(of) = known[at].clone() else { continue };
                for &caller in &callers[at] {
                    if known[caller].is_none() {
                        known[caller] = Some(through(self.name(caller), &of));
                        queue.push_back(caller);
                    }
                }
            }
        }
        self.known = known.into_iter().map(|it| it.unwrap_or(Purity::Pure)).collect();
    }

    fn name(&self, at: usize) -> String {
        match self.functions[at].0 {
            Callee::Own(id) => self.flow.function_name(id),
            Callee::Library(module, name, arity) => format!("{module}:{name}/{arity}"),
        }
    }
}

/// The same of a caller.
fn through(caller: String, of: &Purity) -> Purity {
    let longer = |path: &Vec<String>| {
        let mut all = vec![caller.clone()];
        all.extend(path.iter().cloned());
        all
    };
    match of {
        Purity::Impure { path, action } => {
            Purity::Impure { path: longer(path), action: action.clone() }
        }
        Purity::Unknown { path, why } => Purity::Unknown { path: longer(path), why: why.clone() },
        Purity::Pure => Purity::Pure,
    }
}

struct Maker<'a> {
    program: &'a Program,
    flow: &'a Flow,
    library: FxHashMap<Atom, Option<(Module, ModuleIndex)>>,
    builtins: FxHashMap<(Atom, Atom, u32), bool>,
    unresolved: FxHashSet<Site>,
    functions: Vec<(Callee, Facts)>,
    places: FxHashMap<Callee, usize>,
    /// Functions of the library that the program makes funs of: what calls a fun may call them.
    external: Vec<(Atom, Atom, u32)>,
}

/// A call as it is written.
enum Written {
    /// A function that the text names: its module, name, arity.
    Named(Atom, Atom, u32),
    /// A fun, of so many arguments.
    Fun,
    /// A function whose module or name is computed.
    Computed,
}

impl Maker<'_> {
    fn place(&mut self, callee: Callee) -> usize {
        let next = self.functions.len();
        let place = *self.places.entry(callee).or_insert(next);
        if place == next {
            self.functions.push((callee, Facts::default()));
        }
        place
    }

    fn is_own(&self, (module, name, arity): (Atom, Atom, u32)) -> bool {
        self.flow.find(module, name, arity).is_some()
    }

    fn find_external(&mut self) {
        let mut found = Vec::new();
        for module in &self.program.modules {
            let (tree, index) = (&module.tree, &module.index);
            for &form in &tree.forms {
                tree.for_each_below(form, |node| found.extend(external_fun(tree, index, node)));
            }
        }
        found.sort_unstable_by_key(|(m, f, a)| (m.as_str(), f.as_str(), *a));
        found.dedup();
        self.external = found.into_iter().filter(|it| !self.is_own(*it)).collect();
    }

    fn facts(&mut self, callee: Callee) -> Facts {
        match callee {
            Callee::Own(id) => self.of_own(id),
            Callee::Library(module, name, arity) => self.of_library((module, name, arity)),
        }
    }

    fn of_own(&mut self, id: FunctionId) -> Facts {
        let mut facts = Facts::default();
        let function = self.flow.function(id);
        let module = &self.flow.modules[function.module];
        let tree = std::sync::Arc::clone(&module.tree);
        // Of a model of a library function nothing is asked.
        let Some(own) = self.program.module(module.name) else { return facts };
        let index = &own.index;
        let path = module.path.display().to_string();
        let at = |node| format!("{path}:{}", tree.loc(node).line);
        let mut nodes = Vec::new();
        below_without_funs(&tree, function.clauses, &mut nodes);
        let home = function.module;
        for node in nodes {
            match tree.kind(node) {
                Kind::BinaryOp { op: BinaryOp::Send, .. } => {
                    facts.acts.get_or_insert(format!("a message is sent at {}", at(node)));
                }
                Kind::Receive { .. } => {
                    facts.acts.get_or_insert(format!("it receives at {}", at(node)));
                }
                Kind::Call { callee, args } => {
                    let site = Site { module: home, node };
                    let written = written(&tree, index, module.name, callee, args);
                    let unknown = self.own_call(&mut facts, site, &written, &tree, args);
                    if let Some(why) = unknown {
                        facts.unknown.get_or_insert(format!("{why} at {}", at(node)));
                    }
                }
                _ => {}
            }
        }
        facts
    }

    /// Whom a call of the program may call; why that is not known, if it is not.
    fn own_call(
        &mut self,
        facts: &mut Facts,
        site: Site,
        written: &Written,
        tree: &Module,
        args: NodeList,
    ) -> Option<&'static str> {
        let found = self.flow.calls.get(&site);
        let targets = found.map(|call| call.targets.clone()).unwrap_or_default();
        let is_open = found.is_some_and(|call| call.unknown) || self.unresolved.contains(&site);
        let is_known = !targets.is_empty();
        for target in targets {
            facts.calls.push(self.place(Callee::Own(target)));
        }
        match *written {
            Written::Computed => Some("it calls a function whose module is computed"),
            Written::Fun => {
                self.may_call_external(facts);
                let why = "it calls a fun that comes from elsewhere";
                (is_open || !is_known && self.external.is_empty()).then_some(why)
            }
            Written::Named(module, name, arity) => {
                if let Some(id) = self.flow.find(module, name, arity) {
                    facts.calls.push(self.place(Callee::Own(id)));
                    return None;
                }
                let place = self.place(Callee::Library(module, name, arity));
                facts.calls.push(place);
                if !self.takes_funs((module, name, arity)) {
                    return None;
                }
                self.may_call_external(facts);
                let why = "it passes a fun that comes from elsewhere";
                (is_open || !is_known && !passes_fun(tree, args)).then_some(why)
            }
        }
    }

    fn may_call_external(&mut self, facts: &mut Facts) {
        for (module, name, arity) in self.external.clone() {
            facts.calls.push(self.place(Callee::Library(module, name, arity)));
        }
    }

    /// Whether a library function calls funs that it is given, by itself or through others.
    fn takes_funs(&mut self, function: (Atom, Atom, u32)) -> bool {
        let mut pending = vec![function];
        let mut seen = FxHashSet::default();
        while let Some(function) = pending.pop() {
            if !seen.insert(function) {
                continue;
            }
            let (calls_given, passes) = self.given(function);
            if calls_given {
                return true;
            }
            pending.extend(passes);
        }
        false
    }

    /// Whether the text of a library function calls a variable, and which functions it calls
    /// without a fun of its own.
    fn given(&mut self, function: (Atom, Atom, u32)) -> (bool, Vec<(Atom, Atom, u32)>) {
        let (module, name, arity) = function;
        if self.builtins.contains_key(&function) {
            return (false, Vec::new());
        }
        let Some((tree, index)) = self.library(module) else { return (false, Vec::new()) };
        let Some(&form) = index.functions.get((name, arity)) else { return (false, Vec::new()) };
        let (mut calls_given, mut passes) = (false, Vec::new());
        tree.for_each_below(form, |node| {
            let Kind::Call { callee, args } = tree.kind(node) else { return };
            match written(tree, index, module, callee, args) {
                Written::Named(module, name, arity) if !passes_fun(tree, args) => {
                    passes.push((module, name, arity));
                }
                Written::Named(..) => {}
                Written::Fun | Written::Computed => calls_given = true,
            }
        });
        (calls_given, passes)
    }

    fn library(&mut self, module: Atom) -> Option<&(Module, ModuleIndex)> {
        let read = || {
            let tree = library::tree(module.as_str())?;
            let index = ModuleIndex::of(&tree);
            Some((tree, index))
        };
        self.library.entry(module).or_insert_with(read).as_ref()
    }

    fn of_library(&mut self, function: (Atom, Atom, u32)) -> Facts {
        let (module, name, arity) = function;
        let mut facts = Facts::default();
        let shown = format!("{module}:{name}/{arity}");
        if let Some(&acts) = self.builtins.get(&function) {
            facts.acts = acts.then(|| format!("{shown} is called"));
            return facts;
        }
        let mut calls = Vec::new();
        let Some((tree, index)) = self.library(module) else {
            facts.unknown = Some(format!("the text of {shown} is not known"));
            return facts;
        };
        let Some(&form) = index.functions.get((name, arity)) else {
            facts.unknown = Some(format!("the text of {shown} is not known"));
            return facts;
        };
        tree.for_each_below(form, |node| match tree.kind(node) {
            Kind::BinaryOp { op: BinaryOp::Send, .. } => {
                facts.acts.get_or_insert(format!("{shown} sends a message"));
            }
            Kind::Receive { .. } => {
                facts.acts.get_or_insert(format!("{shown} receives"));
            }
            Kind::Call { callee, args } => {
                if let Written::Named(module, name, arity) =
                    written(tree, index, module, callee, args)
                {
                    calls.push(Callee::Library(module, name, arity));
                }
            }
            _ => {}
        });
        facts.calls = calls.into_iter().map(|callee| self.place(callee)).collect();
        facts
    }
}

/// The nodes below some clauses, without those of funs, which are functions of their own.
fn below_without_funs(tree: &Module, clauses: NodeList, nodes: &mut Vec<NodeId>) {
    let mut pending: Vec<NodeId> = tree.list(clauses).to_vec();
    while let Some(node) = pending.pop() {
        if matches!(tree.kind(node), Kind::Fun { .. }) {
            continue;
        }
        nodes.push(node);
        tree.for_each_child(node, |child| pending.push(child));
    }
    nodes.sort_unstable();
}

/// What a call names.
fn written(
    tree: &Module,
    index: &ModuleIndex,
    home: Atom,
    callee: NodeId,
    args: NodeList,
) -> Written {
    let arity = args.len;
    match tree.kind(callee) {
        Kind::Atom(name) => {
            let function = (name, arity);
            if index.functions.contains(function) {
                return Written::Named(home, name, arity);
            }
            let erlang = Atom::new("erlang");
            named(index.imports.get(function).copied().unwrap_or(erlang), name, arity)
        }
        Kind::Remote { module, name } => match (tree.kind(module), tree.kind(name)) {
            (Kind::Atom(module), Kind::Atom(name)) => named(module, name, arity),
            _ => Written::Computed,
        },
        _ => Written::Fun,
    }
}

/// `apply` calls what it is given.
fn named(module: Atom, name: Atom, arity: u32) -> Written {
    match (module.as_str(), name.as_str(), arity) {
        ("erlang", "apply", 2) => Written::Fun,
        ("erlang", "apply", 3) => Written::Computed,
        _ => Written::Named(module, name, arity),
    }
}

/// Whether one of the arguments is a fun that is written there.
fn passes_fun(tree: &Module, args: NodeList) -> bool {
    tree.list(args).iter().any(|&arg| {
        matches!(tree.kind(arg), Kind::Fun { .. } | Kind::FunName { .. } | Kind::FunRemote { .. })
    })
}

/// `fun lists:max/1`
fn external_fun(tree: &Module, index: &ModuleIndex, node: NodeId) -> Option<(Atom, Atom, u32)> {
    let (module, name, arity) = match tree.kind(node) {
        Kind::FunRemote { module, name, arity } => match (tree.kind(module), tree.kind(name)) {
            (Kind::Atom(module), Kind::Atom(name)) => (module, name, arity),
            _ => return None,
        },
        // One of no function of the module is a builtin.
        Kind::FunName { name, arity } => (Atom::new("erlang"), name, arity),
        _ => return None,
    };
    let Kind::Integer(literal) = tree.kind(arity) else { return None };
    let Literal::Integer(value) = tree.literal(literal) else { return None };
    let arity = u32::try_from(value).ok()?;
    let is_local = matches!(tree.kind(node), Kind::FunName { .. });
    (!is_local || !index.functions.contains((name, arity))).then_some((module, name, arity))
}
