//! Definitions and uses of variables, and which definition reaches which use: Widera's Definitions
//! 8 to 13.
//!
//! * A *definition* binds a variable: a parameter, a variable in a pattern, or the context of a
//!   fun, which binds what the fun captures (f-def). In the pattern of a `receive` it is an m-def;
//!   where a pattern takes it out of a structure, an s-def.
//! * A *use* reads one: as the element of a structure that is built it is an s-use; as a message
//!   that is sent, an m-use; a fun that captures it is an f-use, at the node of the fun.
//! * *Direct* pairs: a definition and a use of the same variable with a path between them. Erlang
//!   binds a variable once on every path, so these are the reaching definitions of
//!   [`crate::bindings`]. Inside a fun, what is captured is defined by the context of the fun.
//! * Pairs that go *through* something: f-use and f-def of the same fun; s-use and s-def, where the
//!   structure that is built may arrive at the pattern that takes it apart; m-use and m-def, joined
//!   by a message edge into that clause.
//! * [`DefUses::reaching`]: the definitions whose value may be the value of a use, through all of
//!   these and through copies (`X = Y`, parameters of calls, results).
//!
//! How structures are followed: the places that build them and the patterns that take them apart
//! are noted while constraints are made ([`Built`], [`PartRead`]); at the end each pattern is
//! compared with the structures in the set that it looks at. What messages carry is found by laying
//! the expression that is sent over the pattern that receives it.
//!
//! Cost: linear in the occurrences, plus for each pattern the structures in its set (at most
//! [`crate::analysis`]'s bound on sets). What it may miss: structures in sets that grew so large
//! that they are not told apart (nothing is claimed about those), structures that library functions
//! rebuild, records' defaults.

use std::collections::BTreeMap;

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList};

use crate::analysis::Analysis;
use crate::bindings::{Bindings, Occurrence};
use crate::graph::{EdgeKind, Graph, Label};
use crate::ids::IdVec;
use crate::result::{CallTargets, FlowModule};
use crate::sources::{Function, FunctionId, ModuleId, Site};
use crate::surroundings::{PatternRoot, Surroundings};
use crate::values::{ObjectId, Value, ValueId, VarId};
use crate::watches::TuplePartsId;

crate::ids! {
    /// A position in [`DefUses::definitions`].
    pub DefinitionId;
    /// A position in [`DefUses::uses`].
    pub UseId;
    /// A position in [`DefUses::pairs`].
    pub PairId;
    /// A position in [`DefUses::hidden`].
    pub HiddenId;
}

/// How a variable gets its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum DefinitionKind {
    /// A parameter of a function or fun (import).
    Parameter,
    /// A pattern that is the variable.
    Pattern,
    /// A pattern takes it out of a structure: s-def.
    Part,
    /// The pattern of a `receive` holds it: m-def.
    Message,
    /// The context of a fun: f-def. The site is the fun.
    Context,
    /// The name of a fun, inside of it.
    FunName,
}

impl DefinitionKind {
    pub fn text(self) -> &'static str {
        match self {
            DefinitionKind::Parameter => "parameter",
            DefinitionKind::Pattern => "pattern",
            DefinitionKind::Part => "s-def",
            DefinitionKind::Message => "m-def",
            DefinitionKind::Context => "f-def",
            DefinitionKind::FunName => "fun_name",
        }
    }
}

/// What becomes of the value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UseKind {
    /// It is looked at.
    Plain,
    /// It becomes part of a structure: s-use.
    Part,
    /// It is sent: m-use.
    Message,
    /// A fun captures it: f-use. The site is the fun.
    Context,
}

impl UseKind {
    pub fn text(self) -> &'static str {
        match self {
            UseKind::Plain => "use",
            UseKind::Part => "s-use",
            UseKind::Message => "m-use",
            UseKind::Context => "f-use",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Definition {
    pub site: Site,
    pub name: Atom,
    pub kind: DefinitionKind,
    pub function: FunctionId,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Use {
    pub site: Site,
    pub name: Atom,
    pub kind: UseKind,
    pub function: FunctionId,
}

/// A definition reaches a use of the same variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pair {
    pub definition: DefinitionId,
    pub using: UseId,
}

/// What hides a value between a use and the definition that reveals it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Through {
    Context,
    Structure,
    Message,
}

impl Through {
    pub fn text(self) -> &'static str {
        match self {
            Through::Context => "closure",
            Through::Structure => "structure",
            Through::Message => "message",
        }
    }
}

/// A use that hides a value, and the definition that reveals it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Hidden {
    pub using: UseId,
    pub definition: DefinitionId,
    pub through: Through,
    /// Through a message: the send, the `receive`, and its clause (from 1).
    pub message: Option<(Site, Site, u32)>,
}

/// All of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DefUses {
    pub definitions: IdVec<DefinitionId, Definition>,
    pub uses: IdVec<UseId, Use>,
    /// Sorted by use.
    pub pairs: IdVec<PairId, Pair>,
    /// Sorted.
    pub hidden: IdVec<HiddenId, Hidden>,
    /// Uses whose values definitions copy: `X = Y`, parameters of calls. Sorted.
    copies: Vec<(UseId, DefinitionId)>,
}

/// A structure that the program builds: what stands in each field.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) module: ModuleId,
    /// The expression in each field, if one is written there; of a list that is one cell, the tail
    /// and then all elements.
    pub(crate) fields: Box<[Option<NodeId>]>,
    pub(crate) is_long_list: bool,
    /// What it is an update of: fields that are not written are taken from there.
    pub(crate) base: Option<VarId>,
}

/// A pattern that takes a variable out of a structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartRead {
    pub(crate) module: ModuleId,
    pub(crate) definition: NodeId,
    pub(crate) input: VarId,
    pub(crate) what: Part,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// A field of tuples that fit: a [`TupleParts`](crate::watches::TupleParts).
    Tuple(TuplePartsId, u32),
    Head,
    Tail,
    /// A value of a map.
    Map(VarId),
}

/// What is noted while constraints are made.
#[derive(Debug, Default)]
pub(crate) struct Structures {
    /// By object.
    pub(crate) built: FxHashMap<ObjectId, Built>,
    /// Module, and the keys with what is written for them.
    pub(crate) maps: FxHashMap<ObjectId, (ModuleId, Vec<(VarId, NodeId)>)>,
    pub(crate) reads: Vec<PartRead>,
}

impl DefUses {
    /// The definitions that reach a use directly.
    pub fn direct(&self, using: UseId) -> impl Iterator<Item = DefinitionId> + '_ {
        let pairs = self.pairs.as_slice();
        let start = pairs.partition_point(|pair| pair.using < using);
        let found = pairs[start..].iter().take_while(move |pair| pair.using == using);
        found.map(|pair| pair.definition)
    }

    /// The pair of a definition and a use that it reaches directly.
    pub fn pair(&self, definition: DefinitionId, using: UseId) -> Option<PairId> {
        let key = |pair: &Pair| (pair.using, pair.definition);
        let found = self.pairs.as_slice().binary_search_by_key(&(using, definition), key);
        found.ok().map(PairId::new)
    }

    /// The use at a node; of a variable that a fun captures, by its name.
    pub fn use_at(&self, site: Site, name: Atom) -> Option<UseId> {
        let key = |using: &Use| (using.site, using.name);
        let found = self.uses.as_slice().binary_search_by_key(&(site, name), key);
        found.ok().map(UseId::new)
    }

    pub fn definition_at(&self, site: Site, name: Atom) -> Option<DefinitionId> {
        let key = |definition: &Definition| (definition.site, definition.name);
        let found = self.definitions.as_slice().binary_search_by_key(&(site, name), key);
        found.ok().map(DefinitionId::new)
    }

    /// The definitions whose value may be that of a use: directly, through copies, closures,
    /// structures and messages. Sorted.
    pub fn reaching(&self, using: UseId) -> Vec<DefinitionId> {
        let into = self.values_of_definitions();
        let mut seen: FxHashSet<DefinitionId> = FxHashSet::default();
        let mut pending: Vec<DefinitionId> = self.direct(using).collect();
        while let Some(definition) = pending.pop() {
            if seen.insert(definition) {
                for &using in into.get(&definition).map_or(&[][..], Vec::as_slice) {
                    pending.extend(self.direct(using));
                }
            }
        }
        let mut found: Vec<DefinitionId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// For each definition the uses that it takes its value from.
    fn values_of_definitions(&self) -> FxHashMap<DefinitionId, Vec<UseId>> {
        let mut into: FxHashMap<DefinitionId, Vec<UseId>> = FxHashMap::default();
        for &(using, definition) in &self.copies {
            into.entry(definition).or_default().push(using);
        }
        for hidden in &self.hidden {
            into.entry(hidden.definition).or_default().push(hidden.using);
        }
        into
    }
}

/// Everything about the definitions and uses of a program.
pub(crate) fn collect(
    analysis: &Analysis<'_>,
    graph: &Graph,
    modules: &IdVec<ModuleId, FlowModule>,
    functions: &IdVec<FunctionId, Function>,
    calls: &BTreeMap<Site, CallTargets>,
) -> DefUses {
    let (mut definitions, mut uses) = (Vec::new(), Vec::new());
    let around: IdVec<ModuleId, Surroundings> = modules
        .enumerate()
        .map(|(id, module)| Surroundings::of(&module.tree, id, functions))
        .collect();
    let mut links: Vec<(Variable, Variable)> = Vec::new();
    for (id, module) in modules.enumerate() {
        let bindings = &analysis.sources.source(id).bindings;
        let mut occurrences = Occurrences {
            tree: &module.tree,
            module: id,
            bindings,
            around: &around[id],
            functions,
            definitions: &mut definitions,
            uses: &mut uses,
            pairs: &mut links,
        };
        occurrences.all();
    }
    definitions.sort_unstable();
    definitions.dedup_by_key(|definition| (definition.site, definition.name));
    uses.sort_unstable();
    uses.dedup_by_key(|using| (using.site, using.name));
    let mut found =
        DefUses { definitions: definitions.into(), uses: uses.into(), ..DefUses::default() };
    for (definition, using) in links {
        if let (Some(definition), Some(using)) =
            (found.definition_at(definition.0, definition.1), found.use_at(using.0, using.1))
        {
            found.pairs.push(Pair { definition, using });
        }
    }
    found.pairs.arrange(|pairs| {
        pairs.sort_unstable_by_key(|pair| (pair.using, pair.definition));
        pairs.dedup();
    });
    let mut through =
        Hiding { analysis, graph, modules, functions, around: &around, found: &mut found };
    through.contexts();
    through.structures();
    through.messages();
    through.copies(calls);
    found.hidden.arrange(|hidden| {
        hidden.sort_unstable();
        hidden.dedup();
    });
    found.copies.sort_unstable();
    found.copies.dedup();
    found
}

/// A variable at a node.
type Variable = (Site, Atom);

/// The occurrences of variables in one module.
struct Occurrences<'a> {
    tree: &'a Module,
    module: ModuleId,
    bindings: &'a Bindings,
    around: &'a Surroundings,
    functions: &'a IdVec<FunctionId, Function>,
    definitions: &'a mut Vec<Definition>,
    uses: &'a mut Vec<Use>,
    pairs: &'a mut Vec<(Variable, Variable)>,
}

impl Occurrences<'_> {
    fn all(&mut self) {
        for index in 0..self.tree.nodes.len() {
            let node = NodeId(index as u32);
            match self.tree.kind(node) {
                Kind::Var(name) => self.variable(node, name),
                Kind::Fun { name, .. } => self.fun(node, name),
                _ => {}
            }
        }
    }

    fn site(&self, node: NodeId) -> Site {
        Site { module: self.module, node }
    }

    fn variable(&mut self, node: NodeId, name: Atom) {
        let Some(function) = self.around.owner(node) else { return };
        let site = self.site(node);
        match self.bindings.occurrence(node) {
            Occurrence::None => {}
            Occurrence::Define => {
                let kind = definition_kind(self.tree, self.around, node);
                self.definitions.push(Definition { site, name, kind, function });
            }
            Occurrence::Use(definitions) => {
                let kind = use_kind(self.tree, self.around, node);
                self.uses.push(Use { site, name, kind, function });
                // Inside a fun the context defines what comes from outside.
                let of_fun = self.fun_of(function);
                let captured = of_fun.filter(|&fun| {
                    self.bindings
                        .captures(fun)
                        .iter()
                        .any(|capture| capture.name == name && capture.definitions == definitions)
                });
                match captured {
                    Some(fun) => self.pairs.push(((self.site(fun), name), (site, name))),
                    None => {
                        let all = definitions.iter();
                        self.pairs.extend(all.map(|&definition| {
                            ((Site { module: self.module, node: definition }, name), (site, name))
                        }));
                    }
                }
            }
        }
    }

    /// The node of a function, if it is a fun expression.
    fn fun_of(&self, function: FunctionId) -> Option<NodeId> {
        let function = &self.functions[function];
        function.is_fun().then_some(function.node)
    }

    fn fun(&mut self, node: NodeId, name: Option<Atom>) {
        let Some(function) = self.around.owner(node) else { return };
        let site = self.site(node);
        if let Some(name) = name {
            let kind = DefinitionKind::FunName;
            self.definitions.push(Definition { site, name, kind, function });
        }
        let outer = self.around.parent(node).and_then(|parent| self.around.owner(parent));
        let outer = outer.unwrap_or(function);
        for capture in self.bindings.captures(node) {
            let name = capture.name;
            let kind = DefinitionKind::Context;
            self.definitions.push(Definition { site, name, kind, function });
            self.uses.push(Use { site, name, kind: UseKind::Context, function: outer });
            // What the fun around captured, too, comes from its context.
            let of_outer = self
                .fun_of(outer)
                .filter(|&fun| self.bindings.captures(fun).iter().any(|known| known == capture));
            match of_outer {
                Some(fun) => self.pairs.push(((self.site(fun), name), (site, name))),
                None => {
                    let module = self.module;
                    let all = capture.definitions.iter();
                    self.pairs
                        .extend(all.map(|&node| ((Site { module, node }, name), (site, name))));
                }
            }
        }
    }
}

/// What kind of definition a variable in a pattern is.
fn definition_kind(tree: &Module, around: &Surroundings, node: NodeId) -> DefinitionKind {
    let Some((root, nested)) = around.pattern_root(tree, node) else {
        return DefinitionKind::Pattern;
    };
    if let PatternRoot::Clause(clause) = root {
        let construct = around.parent(clause).map(|parent| tree.kind(parent));
        match construct {
            Some(Kind::Receive { .. }) => return DefinitionKind::Message,
            Some(Kind::Function { .. } | Kind::Fun { .. }) if !nested => {
                return DefinitionKind::Parameter;
            }
            _ => {}
        }
    }
    if nested { DefinitionKind::Part } else { DefinitionKind::Pattern }
}

fn use_kind(tree: &Module, around: &Surroundings, node: NodeId) -> UseKind {
    let Some(parent) = around.parent(node) else { return UseKind::Plain };
    match tree.kind(parent) {
        Kind::BinaryOp { op: BinaryOp::Send, right, .. } if right == node => UseKind::Message,
        Kind::Call { args, .. }
            if sent(tree, parent) == tree.list(args).iter().position(|&arg| arg == node)
                && sent(tree, parent).is_some() =>
        {
            UseKind::Message
        }
        Kind::Tuple { .. }
        | Kind::List { .. }
        | Kind::MapField { .. }
        | Kind::RecordField { .. }
        | Kind::BinElement { .. }
            if around.pattern_root(tree, node).is_none() =>
        {
            UseKind::Part
        }
        _ => UseKind::Plain,
    }
}

/// Which argument of a call is a message, if it is `erlang:send`.
fn sent(tree: &Module, call: NodeId) -> Option<usize> {
    let Kind::Call { callee, args } = tree.kind(call) else { return None };
    let name = match tree.kind(callee) {
        Kind::Remote { module, name } if tree.kind(module) == Kind::Atom(atom::known::ERLANG) => {
            name
        }
        _ => callee,
    };
    let Kind::Atom(name) = tree.kind(name) else { return None };
    match (name.as_str(), args.len) {
        ("send", 2..=3) | ("send_nosuspend", 2..=3) => Some(1),
        _ => None,
    }
}

/// Finds what goes through something.
struct Hiding<'a, 'p> {
    analysis: &'a Analysis<'p>,
    graph: &'a Graph,
    modules: &'a IdVec<ModuleId, FlowModule>,
    functions: &'a IdVec<FunctionId, Function>,
    around: &'a IdVec<ModuleId, Surroundings>,
    found: &'a mut DefUses,
}

impl Hiding<'_, '_> {
    fn hide(
        &mut self,
        using: Option<UseId>,
        definition: Option<DefinitionId>,
        through: Through,
        message: Option<(Site, Site, u32)>,
    ) {
        if let (Some(using), Some(definition)) = (using, definition) {
            self.found.hidden.push(Hidden { using, definition, through, message });
        }
    }

    /// A variable at a node, as a use and as a definition.
    fn used(&self, module: ModuleId, node: NodeId) -> Option<UseId> {
        let Kind::Var(name) = self.modules[module].tree.kind(node) else { return None };
        self.found.use_at(Site { module, node }, name)
    }

    fn defined(&self, module: ModuleId, node: NodeId) -> Option<DefinitionId> {
        let Kind::Var(name) = self.modules[module].tree.kind(node) else { return None };
        self.found.definition_at(Site { module, node }, name)
    }

    fn contexts(&mut self) {
        for using in self.found.uses.ids() {
            let Use { site, name, kind, .. } = self.found.uses[using];
            if kind == UseKind::Context {
                let definition = self.found.definition_at(site, name);
                self.hide(Some(using), definition, Through::Context, None);
            }
        }
    }

    fn structures(&mut self) {
        let analysis = self.analysis;
        for read in &analysis.constraints.structures.reads {
            let definition = self.defined(read.module, read.definition);
            for &value in analysis.items(read.input) {
                match (read.what, analysis.value(value)) {
                    (Part::Tuple(parts, position), Value::Tuple(object))
                        if analysis.fits(parts, object) =>
                    {
                        self.field(object, position as usize, definition);
                    }
                    (Part::Head, Value::Cons(object)) => self.field(object, 0, definition),
                    (Part::Tail, Value::Cons(object)) => self.field(object, 1, definition),
                    (Part::Map(key), Value::Map(object)) => {
                        self.value_of_key(object, key, definition);
                    }
                    _ => {}
                }
            }
        }
    }

    /// What was written into a field, here or where an update took it from.
    fn field(&mut self, object: ObjectId, position: usize, definition: Option<DefinitionId>) {
        let analysis = self.analysis;
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            let Some(built) = analysis.constraints.structures.built.get(&object) else { continue };
            if !seen.insert(object) {
                continue;
            }
            let nodes = match (built.is_long_list, position) {
                (true, 0) => built.fields.get(1..),
                (true, _) => built.fields.get(..1),
                (false, position) => built.fields.get(position..=position),
            };
            let nodes = nodes.unwrap_or_default();
            for &node in nodes.iter().flatten() {
                let using = self.used(built.module, node);
                self.hide(using, definition, Through::Structure, None);
            }
            if let (Some(base), [None]) = (built.base, nodes) {
                let arity = built.fields.len();
                pending.extend(analysis.items(base).iter().filter_map(|&value| {
                    match analysis.value(value) {
                        Value::Tuple(before) => Some(before),
                        _ => None,
                    }
                    .filter(|&before| {
                        analysis.solution.values.objects[before].fields.len() == arity
                    })
                }));
            }
        }
    }

    /// What was written for a key of a map, here or in the maps that this one is an update of.
    fn value_of_key(&mut self, object: ObjectId, key: VarId, definition: Option<DefinitionId>) {
        let analysis = self.analysis;
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut pending = vec![object];
        while let Some(object) = pending.pop() {
            if !seen.insert(object) {
                continue;
            }
            let mut is_written = false;
            if let Some((module, fields)) = analysis.constraints.structures.maps.get(&object) {
                for &(written, node) in fields {
                    let (a, b) = (analysis.items(key), analysis.items(written));
                    let verdicts = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
                    if !verdicts.clone().any(|(a, b)| self.may_be_same_key(a, b)) {
                        continue;
                    }
                    is_written |= matches!((a, b), ([a], [b]) if self.is_same_key(*a, *b));
                    let using = self.used(*module, node);
                    self.hide(using, definition, Through::Structure, None);
                }
            }
            if let Some(map) = &analysis.solution.values.objects[object].map
                && !is_written
            {
                pending.extend(&map.parents);
            }
        }
    }

    fn is_same_key(&self, a: ValueId, b: ValueId) -> bool {
        a == b && matches!(self.analysis.value(a), Value::Atom(_) | Value::Int(_) | Value::Nil)
    }

    fn may_be_same_key(&self, a: ValueId, b: ValueId) -> bool {
        let values = &self.analysis.solution.values;
        match (values.get(a), values.get(b)) {
            (Value::Unknown | Value::Everything, _) | (_, Value::Unknown | Value::Everything) => {
                true
            }
            (Value::AnyAtom, Value::Atom(_)) | (Value::Atom(_), Value::AnyAtom) => true,
            (Value::Number, Value::Int(_)) | (Value::Int(_), Value::Number) => true,
            (Value::Tuple(_), Value::Tuple(_))
            | (Value::Cons(_), Value::Cons(_))
            | (Value::Map(_), Value::Map(_)) => true,
            _ => a == b,
        }
    }

    fn messages(&mut self) {
        let graph = self.graph;
        for edge in graph.edges.iter().filter(|edge| edge.kind == EdgeKind::Message) {
            let Label::Clause(clause) = edge.label else { continue };
            let (from, to) = (graph.vertex(edge.from).site, graph.vertex(edge.to).site);
            let tree = &self.modules[from.module].tree;
            let message = match tree.kind(from.node) {
                Kind::BinaryOp { op: BinaryOp::Send, right, .. } => Some(right),
                Kind::Call { args, .. } => {
                    sent(tree, from.node).and_then(|index| tree.list(args).get(index).copied())
                }
                _ => None,
            };
            let taking = &self.modules[to.module].tree;
            let Kind::Receive { clauses, .. } = taking.kind(to.node) else { continue };
            let head = taking.list(clauses).get(clause as usize - 1).map(|&node| taking.kind(node));
            if let (Some(message), Some(Kind::Clause { patterns, .. })) = (message, head)
                && let Some(&pattern) = taking.list(patterns).first()
            {
                let whole = Sent { send: from, receive: to, clause };
                self.lay(whole, message, pattern);
            }
        }
    }

    /// Lays a message that is sent over the pattern that receives it.
    fn lay(&mut self, whole: Sent, message: NodeId, pattern: NodeId) {
        let mut pending = vec![(message, pattern)];
        let (from, to) = (whole.send.module, whole.receive.module);
        let sending = self.modules[from].tree.clone();
        let taking = self.modules[to].tree.clone();
        let edge = Some((whole.send, whole.receive, whole.clause));
        while let Some((message, pattern)) = pending.pop() {
            if let Kind::Match { pattern, value } = taking.kind(pattern) {
                pending.extend([(message, pattern), (message, value)]);
                continue;
            }
            match (sending.kind(message), taking.kind(pattern)) {
                // All that the pattern defines was in the variable.
                (Kind::Var(_), _) => {
                    let using = self.used(from, message);
                    let mut defined = Vec::new();
                    taking.for_each_below(pattern, |node| defined.push(node));
                    for node in defined {
                        let definition = self.defined(to, node);
                        self.hide(using, definition, Through::Message, edge);
                    }
                }
                (Kind::Tuple { elements: a }, Kind::Tuple { elements: b }) if a.len == b.len => {
                    pending.extend(pairs(&sending, a, &taking, b));
                }
                (
                    Kind::List { elements: a, tail: rest },
                    Kind::List { elements: b, tail: pattern_rest },
                ) if a.len == b.len => {
                    pending.extend(pairs(&sending, a, &taking, b));
                    pending.extend(rest.zip(pattern_rest));
                }
                (Kind::Map { fields: a, .. }, Kind::Map { fields: b, .. })
                | (Kind::Record { fields: a, .. }, Kind::Record { fields: b, .. }) => {
                    for &field in sending.list(a) {
                        for &other in taking.list(b) {
                            pending.extend(same_field(&sending, field, &taking, other));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// What is handed on under another name: `X = Y`, `case X of Y`, arguments, results.
    fn copies(&mut self, calls: &BTreeMap<Site, CallTargets>) {
        for module in self.modules.ids() {
            let tree = self.modules[module].tree.clone();
            for index in 0..tree.nodes.len() {
                match tree.kind(NodeId(index as u32)) {
                    Kind::Match { pattern, value } | Kind::MaybeMatch { pattern, value } => {
                        self.copy((module, value), (module, pattern));
                    }
                    Kind::Case { subject, clauses } => {
                        for &clause in tree.list(clauses) {
                            let Kind::Clause { patterns, .. } = tree.kind(clause) else { continue };
                            for &pattern in tree.list(patterns) {
                                self.copy((module, subject), (module, pattern));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        for (&site, call) in calls {
            let tree = self.modules[site.module].tree.clone();
            let Kind::Call { args, .. } = tree.kind(site.node) else { continue };
            let result = self.around[site.module].parent(site.node);
            let result = result.and_then(|parent| match tree.kind(parent) {
                Kind::Match { pattern, value } if value == site.node => Some(pattern),
                _ => None,
            });
            for &target in &call.targets {
                let callee = &self.functions[target];
                let (of, clauses) = (callee.module, callee.clauses);
                let callee = self.modules[of].tree.clone();
                for &clause in callee.list(clauses) {
                    let Kind::Clause { patterns, body, .. } = callee.kind(clause) else { continue };
                    let written = written_arguments(&tree, args, patterns.len);
                    for (&argument, &parameter) in written.iter().zip(callee.list(patterns)) {
                        self.copy((site.module, argument), (of, parameter));
                    }
                    if let (Some(result), Some(&last)) = (result, callee.list(body).last()) {
                        self.copy((of, last), (site.module, result));
                    }
                }
            }
        }
    }

    fn copy(&mut self, from: (ModuleId, NodeId), to: (ModuleId, NodeId)) {
        if let (Some(using), Some(definition)) =
            (self.used(from.0, from.1), self.defined(to.0, to.1))
        {
            self.found.copies.push((using, definition));
        }
    }
}

/// A message edge.
#[derive(Clone, Copy)]
struct Sent {
    send: Site,
    receive: Site,
    clause: u32,
}

/// The arguments that a call passes on: its own, or those in a list, as `spawn/3` and `apply/3`
/// have them.
fn written_arguments(tree: &Module, args: NodeList, wanted: u32) -> &[NodeId] {
    let args = tree.list(args);
    let in_list = args.iter().find_map(|&arg| match tree.kind(arg) {
        Kind::List { elements, tail: None } if elements.len == wanted => Some(elements),
        _ => None,
    });
    match in_list {
        Some(elements) => tree.list(elements),
        None if args.len() as u32 == wanted => args,
        None => &[],
    }
}

fn pairs(a: &Module, left: NodeList, b: &Module, right: NodeList) -> Vec<(NodeId, NodeId)> {
    a.list(left).iter().copied().zip(b.list(right).iter().copied()).collect()
}

/// The values of two fields that have the same atom as their key or name.
fn same_field(a: &Module, left: NodeId, b: &Module, right: NodeId) -> Option<(NodeId, NodeId)> {
    let (left_name, left) = field(a, left)?;
    let (right_name, right) = field(b, right)?;
    (left_name == right_name).then_some((left, right))
}

fn field(tree: &Module, node: NodeId) -> Option<(Atom, NodeId)> {
    let (Kind::MapField { key: name, value, .. } | Kind::RecordField { name, value }) =
        tree.kind(node)
    else {
        return None;
    };
    match tree.kind(name) {
        Kind::Atom(name) => Some((name, value)),
        _ => None,
    }
}
