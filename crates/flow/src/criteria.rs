//! What a test suite can cover of a program: the goals of each criterion, as data.
//!
//! | criterion | a goal is | covered when |
//! | --- | --- | --- |
//! | nodes | a vertex of the graph that is an expression | it is evaluated |
//! | clauses | a clause of a function, fun, `case`, `if`, …; an `after` | its body is entered |
//! | branches | one way out of a decision with several | that way is taken |
//! | conditions | a condition in a guard | MC/DC: it alone changes whether the guard holds |
//! | pairs | a definition and a use that it reaches; or what hides a value joins them | see below |
//! | messages | a message edge of the graph | a message goes that way |
//!
//! A pair of a definition and a use is covered when the use has the value of that definition; one
//! that a message or a structure joins leads from a use to the definition that reveals its value.
//!
//! How a run shows that a goal is covered is part of the goal: an [`Evidence`], a node and what is
//! said about it, as `machine::observe` reports it. Nothing runs here.
//!
//! Conditions of a guard are the tests between `,` and `;`, taken apart at `andalso`, `orelse` and
//! `not` (and at `and` where it is evaluated from left to right like `andalso`). MC/DC is that of
//! languages with short circuits: two evaluations show a condition if the guard holds in one and
//! not in the other, the condition differs, and no other condition that was evaluated in both
//! differs.
//!
//! Not counted as nodes: generators of comprehensions (their patterns and sources are), parts of
//! constants. Not counted at all: what EUnit's macros put around the expressions that they are
//! given ([`is_of_test_macro`]).

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{BinaryOp, Kind, Module, NodeId, NodeList, UnaryOp};

use crate::def_use::{DefinitionId, DefinitionKind, HiddenId, PairId, Through, UseId, UseKind};
use crate::graph::{EdgeId, EdgeKind, Label};
use crate::ids::IdVec;
use crate::result::Flow;
use crate::sources::{FunctionId, ModuleId, Site};
use crate::surroundings::{PatternRoot, Surroundings};

crate::ids! {
    /// A [`Guard`].
    pub GuardId;
    /// A condition, among those of its guard.
    pub ConditionId;
}

/// What is said about a node when a run comes by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Said {
    /// The expression is evaluated.
    Reached,
    /// The clause is entered; of a `receive`, its `after`; of a generator, an element fits.
    Chosen,
    /// The pattern of the match fits.
    Matched,
    True,
    False,
}

/// What shows that something happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Evidence {
    pub site: Site,
    pub said: Said,
}

/// A way out of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Way {
    /// From 1.
    Clause(u32),
    After,
    True,
    False,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Goal {
    pub site: Site,
    pub function: FunctionId,
    pub evidence: Evidence,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BranchGoal {
    /// The decision.
    pub site: Site,
    pub way: Way,
    pub function: FunctionId,
    pub evidence: Evidence,
}

/// A guard with its conditions, in the order of evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guard {
    pub clause: Site,
    pub function: FunctionId,
    pub conditions: IdVec<ConditionId, NodeId>,
}

/// A pair of definition and use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PairGoal {
    Direct(PairId),
    /// Through a message.
    Message(HiddenId),
    /// Through a structure.
    Structure(HiddenId),
}

/// The goals of all criteria.
#[derive(Debug, Default)]
pub struct Criteria {
    pub nodes: Vec<Goal>,
    pub clauses: Vec<Goal>,
    pub branches: Vec<BranchGoal>,
    pub guards: IdVec<GuardId, Guard>,
    pub pairs: Vec<PairGoal>,
    pub messages: Vec<EdgeId>,
    /// What shows definitions and uses.
    pub definition_evidence: IdVec<DefinitionId, Evidence>,
    pub use_evidence: IdVec<UseId, Evidence>,
    pub surroundings: IdVec<ModuleId, Surroundings>,
    /// The nodes that are part of a guard.
    pub in_guards: FxHashSet<Site>,
}

impl Criteria {
    pub fn of(flow: &Flow) -> Criteria {
        let mut criteria = Criteria::default();
        for (id, module) in flow.modules.enumerate() {
            let around = Surroundings::of(&module.tree, id, &flow.functions);
            let mut walker =
                Walker { tree: &module.tree, module: id, around: &around, found: &mut criteria };
            walker.all();
            criteria.surroundings.push(around);
        }
        criteria.add_nodes(flow);
        criteria.add_pairs(flow);
        let edges = flow.graph.edges.enumerate();
        let messages = edges.filter(|(_, edge)| edge.kind == EdgeKind::Message);
        criteria.messages = messages.map(|(edge, _)| edge).collect();
        criteria
    }

    fn add_nodes(&mut self, flow: &Flow) {
        for (vertex, data) in flow.graph.vertices.enumerate() {
            let tree = &flow.modules[data.site.module].tree;
            let kind = tree.kind(data.site.node);
            let is_expression = flow.graph.at(data.site) == Some(vertex)
                && !is_of_test_macro(tree, data.site.node)
                && !matches!(kind, Kind::Generator { .. } | Kind::ZipGenerator { .. });
            if !is_expression || self.is_part_of_constant(tree, data.site) {
                continue;
            }
            let evidence = Evidence { site: data.site, said: Said::Reached };
            self.nodes.push(Goal { site: data.site, function: data.function, evidence });
        }
        self.nodes.sort_by_key(|goal| place(flow, goal.site));
        self.clauses.sort_by_key(|goal| place(flow, goal.site));
        self.branches.sort_by_key(|goal| (place(flow, goal.site), goal.way));
    }

    fn is_part_of_constant(&self, tree: &Module, site: Site) -> bool {
        let around = &self.surroundings[site.module];
        let mut parent = around.parent(site.node);
        while let Some(node) = parent
            && matches!(tree.kind(node), Kind::MapField { .. } | Kind::BinElement { .. })
        {
            parent = around.parent(node);
        }
        parent.is_some_and(|parent| is_constant(tree, parent))
    }

    fn add_pairs(&mut self, flow: &Flow) {
        let all = &flow.def_uses;
        let evidence = |site: Site, whole: bool| {
            let tree = &flow.modules[site.module].tree;
            let around = &self.surroundings[site.module];
            occurrence_evidence(tree, around, site, whole)
        };
        let definitions = all.definitions.iter().map(|definition| match definition.kind {
            DefinitionKind::Context | DefinitionKind::FunName => {
                Evidence { site: definition.site, said: Said::Reached }
            }
            _ => evidence(definition.site, true),
        });
        self.definition_evidence = definitions.collect();
        let uses = all.uses.iter().map(|using| match using.kind {
            UseKind::Context => Evidence { site: using.site, said: Said::Reached },
            _ => evidence(using.site, false),
        });
        self.use_evidence = uses.collect();
        let is_of_macro = |site: Site| is_of_test_macro(&flow.modules[site.module].tree, site.node);
        let direct = all.pairs.enumerate().filter(|(_, pair)| {
            !is_of_macro(all.definitions[pair.definition].site)
                && !is_of_macro(all.uses[pair.using].site)
        });
        self.pairs = direct.map(|(pair, _)| PairGoal::Direct(pair)).collect();
        let through = all.hidden.enumerate().filter(|(_, hidden)| {
            !is_of_macro(all.definitions[hidden.definition].site)
                && !is_of_macro(all.uses[hidden.using].site)
        });
        self.pairs.extend(through.filter_map(|(id, hidden)| match hidden.through {
            Through::Message => Some(PairGoal::Message(id)),
            Through::Structure => Some(PairGoal::Structure(id)),
            // Inside the fun it is a direct pair.
            Through::Context => None,
        }));
    }
}

/// The order in which goals are shown.
fn place(flow: &Flow, site: Site) -> (ModuleId, u32, u32, u32) {
    let loc = flow.modules[site.module].tree.loc(site.node);
    (site.module, loc.line, loc.column, site.node.0)
}

/// What shows that a variable is defined or used. What stands in a pattern shows when the pattern
/// has fitted.
fn occurrence_evidence(
    tree: &Module,
    around: &Surroundings,
    site: Site,
    defines: bool,
) -> Evidence {
    let at = |node: NodeId, said| Evidence { site: Site { node, ..site }, said };
    let mut here = site.node;
    while let Some(parent) = around.parent(here) {
        match tree.kind(parent) {
            Kind::Clause { patterns, .. } => {
                if tree.list(patterns).contains(&here) {
                    return at(parent, Said::Chosen);
                }
                break;
            }
            Kind::Match { pattern, .. } | Kind::MaybeMatch { pattern, .. } if pattern == here => {
                // Unless the match is itself part of a pattern.
                return match around.pattern_root(tree, parent) {
                    Some((PatternRoot::Clause(clause), _)) => at(clause, Said::Chosen),
                    Some((PatternRoot::Generator(node), _)) => at(node, Said::Chosen),
                    Some((PatternRoot::Match(node), _)) if defines => at(node, Said::Matched),
                    _ => at(parent, Said::Matched),
                };
            }
            Kind::Generator { pattern, .. } if pattern == here => {
                let together = around
                    .parent(parent)
                    .filter(|&outer| matches!(tree.kind(outer), Kind::ZipGenerator { .. }));
                return at(together.unwrap_or(parent), Said::Chosen);
            }
            Kind::Function { .. } | Kind::Fun { .. } => break,
            _ => {}
        }
        here = parent;
    }
    Evidence { site, said: Said::Reached }
}

/// Whether a node was written in a macro of EUnit (`?assert` and its like), and not by who uses it.
fn is_of_test_macro(tree: &Module, node: NodeId) -> bool {
    let token = tree.token(tree[node].anchor);
    let path = &tree.file(token.file()).path;
    !token.is_plain() && (path.ends_with("eunit.hrl") || path.ends_with("assert.hrl"))
}

/// Whether lowering makes one constant of an expression.
fn is_constant(tree: &Module, node: NodeId) -> bool {
    let mut pending = vec![node];
    while let Some(node) = pending.pop() {
        match tree.kind(node) {
            Kind::Atom(_)
            | Kind::Integer(_)
            | Kind::Float(_)
            | Kind::Char(_)
            | Kind::String(_)
            | Kind::Sigil { .. }
            | Kind::Nil => {}
            Kind::UnaryOp { op: UnaryOp::Minus | UnaryOp::Plus, operand } => pending.push(operand),
            Kind::Tuple { elements } => pending.extend(tree.list(elements)),
            Kind::List { elements, tail } => {
                pending.extend(tree.list(elements));
                pending.extend(tail);
            }
            Kind::Map { base: None, fields } => pending.extend(tree.list(fields)),
            Kind::MapField { key, value, .. } => pending.extend([key, value]),
            Kind::Binary { elements } => pending.extend(tree.list(elements)),
            Kind::BinElement { value, size, .. } => {
                pending.push(value);
                pending.extend(size);
            }
            _ => return false,
        }
    }
    true
}

struct Walker<'a> {
    tree: &'a Module,
    module: ModuleId,
    around: &'a Surroundings,
    found: &'a mut Criteria,
}

impl Walker<'_> {
    fn all(&mut self) {
        for index in 0..self.tree.nodes.len() {
            let node = NodeId(index as u32);
            let Some(function) = self.around.owner(node) else { continue };
            if is_of_test_macro(self.tree, node) {
                continue;
            }
            match self.tree.kind(node) {
                Kind::Function { clauses, .. } | Kind::Fun { clauses, .. } => {
                    self.decision(node, function, clauses, None);
                }
                Kind::Case { clauses, .. } | Kind::If { clauses } => {
                    self.decision(node, function, clauses, None);
                }
                Kind::Receive { clauses, after } => {
                    let after = after.map(|_| node);
                    self.decision(node, function, clauses, after);
                }
                Kind::Try { of, catch, .. } => {
                    self.decision(node, function, of, None);
                    self.decision(node, function, catch, None);
                }
                Kind::Maybe { else_clauses: Some(clauses), .. } => {
                    self.decision(node, function, clauses, None);
                }
                Kind::BinaryOp { op: BinaryOp::Andalso | BinaryOp::Orelse, left, .. }
                    if !self.in_guard(node) =>
                {
                    self.outcomes(left, function);
                }
                Kind::Comprehension { qualifiers, .. } => {
                    for &qualifier in self.tree.list(qualifiers) {
                        if !matches!(
                            self.tree.kind(qualifier),
                            Kind::Generator { .. } | Kind::ZipGenerator { .. }
                        ) {
                            self.outcomes(qualifier, function);
                        }
                    }
                }
                Kind::Clause { guards, .. } => self.guard(node, function, guards),
                _ => {}
            }
        }
    }

    fn site(&self, node: NodeId) -> Site {
        Site { module: self.module, node }
    }

    fn in_guard(&self, node: NodeId) -> bool {
        self.around
            .ancestors(node)
            .any(|around| matches!(self.tree.kind(around), Kind::Guard { .. }))
    }

    /// Clauses; if there are several, each is a branch, too.
    fn decision(
        &mut self,
        node: NodeId,
        function: FunctionId,
        clauses: NodeList,
        after: Option<NodeId>,
    ) {
        let ways = self.tree.list(clauses).len() + usize::from(after.is_some());
        let numbered = self.tree.list(clauses).iter().enumerate();
        let mut all: Vec<(NodeId, Way)> =
            numbered.map(|(index, &clause)| (clause, Way::Clause(index as u32 + 1))).collect();
        all.extend(after.map(|node| (node, Way::After)));
        for (entered, way) in all {
            let evidence = Evidence { site: self.site(entered), said: Said::Chosen };
            self.found.clauses.push(Goal { site: self.site(entered), function, evidence });
            if ways > 1 {
                let site = self.site(node);
                self.found.branches.push(BranchGoal { site, way, function, evidence });
            }
        }
    }

    fn outcomes(&mut self, node: NodeId, function: FunctionId) {
        let site = self.site(node);
        for (way, said) in [(Way::True, Said::True), (Way::False, Said::False)] {
            let evidence = Evidence { site, said };
            self.found.branches.push(BranchGoal { site, way, function, evidence });
        }
    }

    fn guard(&mut self, clause: NodeId, function: FunctionId, guards: NodeList) {
        let mut conditions = IdVec::new();
        for &guard in self.tree.list(guards) {
            let module = self.module;
            let in_guards = &mut self.found.in_guards;
            self.tree.for_each_below(guard, |node| {
                in_guards.insert(Site { module, node });
            });
            let Kind::Guard { tests } = self.tree.kind(guard) else { continue };
            for &test in self.tree.list(tests) {
                leaves(self.tree, test, &mut conditions);
            }
        }
        if !conditions.is_empty() {
            let clause = self.site(clause);
            self.found.guards.push(Guard { clause, function, conditions });
        }
    }
}

/// The conditions that a test is made of, in the order of evaluation.
fn leaves(tree: &Module, test: NodeId, found: &mut IdVec<ConditionId, NodeId>) {
    // Whether `false` and an error lead to the same place: then `and` is evaluated like `andalso`.
    let mut pending = vec![(test, true)];
    while let Some((node, same)) = pending.pop() {
        match tree.kind(node) {
            Kind::Atom(atom::known::TRUE) => {}
            Kind::BinaryOp { op: BinaryOp::Andalso, left, right } => {
                pending.extend([(right, same), (left, same)]);
            }
            Kind::BinaryOp { op: BinaryOp::Orelse, left, right } => {
                pending.extend([(right, same), (left, false)]);
            }
            Kind::BinaryOp { op: BinaryOp::And, left, right } if same => {
                pending.extend([(right, same), (left, same)]);
            }
            Kind::UnaryOp { op: UnaryOp::Not, operand } => pending.push((operand, false)),
            _ => {
                found.push(node);
            }
        }
    }
}

/// How often something happened.
pub type Count = u64;

/// One evaluation of a guard: what each condition was (`None`: not evaluated), and whether it held.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Evaluation {
    pub conditions: IdVec<ConditionId, Option<bool>>,
    pub holds: bool,
}

/// Different evaluations of one guard that are kept.
const MOST_EVALUATIONS: usize = 4096;

/// What runs have covered.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// How often each thing was said.
    pub said: FxHashMap<Evidence, Count>,
    pub evaluations: IdVec<GuardId, BTreeSet<Evaluation>>,
    /// Direct pairs, with how often.
    pub pairs: BTreeMap<PairId, Count>,
    /// Pairs through structures, with how often.
    pub structures: BTreeMap<HiddenId, Count>,
    /// Edges of the graph, with how often. Not only message edges.
    pub edges: BTreeMap<EdgeId, Count>,
}

impl Covered {
    pub fn of(criteria: &Criteria) -> Covered {
        let evaluations = IdVec::filled(BTreeSet::new(), criteria.guards.len());
        Covered { evaluations, ..Covered::default() }
    }

    pub fn count(&self, evidence: Evidence) -> Count {
        self.said.get(&evidence).copied().unwrap_or(0)
    }

    /// Adds an evaluation of a guard.
    pub fn evaluated(&mut self, guard: GuardId, evaluation: Evaluation) {
        if let Some(known) = self.evaluations.get_mut(guard)
            && known.len() < MOST_EVALUATIONS
        {
            known.insert(evaluation);
        }
    }

    /// Whether two evaluations of a guard show that a condition decides.
    pub fn is_shown(&self, guard: GuardId, condition: ConditionId) -> bool {
        let Some(all) = self.evaluations.get(guard) else { return false };
        let value =
            |evaluation: &Evaluation| evaluation.conditions.get(condition).copied().flatten();
        let wanted =
            |holds: bool| all.iter().filter(move |one| one.holds == holds && value(one).is_some());
        wanted(true).any(|yes| {
            wanted(false).any(|no| {
                value(yes) != value(no)
                    && yes.conditions.enumerate().zip(&no.conditions).all(|((other, a), b)| {
                        other == condition || a.is_none() || b.is_none() || a == b
                    })
            })
        })
    }

    /// The outcomes of a condition that were seen.
    pub fn outcomes(&self, guard: GuardId, condition: ConditionId) -> (bool, bool) {
        let seen = |wanted: bool| {
            self.evaluations.get(guard).is_some_and(|all| {
                all.iter().any(|one| one.conditions.get(condition) == Some(&Some(wanted)))
            })
        };
        (seen(true), seen(false))
    }

    pub fn pair_count(&self, flow: &Flow, goal: PairGoal) -> Count {
        match goal {
            PairGoal::Direct(pair) => self.pairs.get(&pair).copied().unwrap_or(0),
            PairGoal::Message(hidden) => {
                let message = flow.def_uses.hidden.get(hidden).and_then(|one| one.message);
                let edge = message.and_then(|(send, receive, clause)| {
                    message_edge(flow, send, receive, Label::Clause(clause))
                });
                edge.map_or(0, |edge| self.edges.get(&edge).copied().unwrap_or(0))
            }
            PairGoal::Structure(hidden) => self.structures.get(&hidden).copied().unwrap_or(0),
        }
    }

    /// Adds what other runs have covered.
    pub fn add(&mut self, other: &Covered) {
        #[allow(clippy::iter_over_hash_type, reason = "goes into another table")]
        for (&evidence, &count) in &other.said {
            *self.said.entry(evidence).or_default() += count;
        }
        for (guard, evaluations) in other.evaluations.enumerate() {
            for evaluation in evaluations {
                self.evaluated(guard, evaluation.clone());
            }
        }
        for (&pair, &count) in &other.pairs {
            *self.pairs.entry(pair).or_default() += count;
        }
        for (&pair, &count) in &other.structures {
            *self.structures.entry(pair).or_default() += count;
        }
        for (&edge, &count) in &other.edges {
            *self.edges.entry(edge).or_default() += count;
        }
    }
}

/// The edge of messages from a place to another.
fn message_edge(flow: &Flow, send: Site, receive: Site, label: Label) -> Option<EdgeId> {
    let (from, to) = (flow.graph.at(send)?, flow.graph.at(receive)?);
    flow.graph.position(from, to, EdgeKind::Message, Some(label))
}

/// Covered and all goals of one criterion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ratio {
    pub covered: usize,
    pub all: usize,
}

impl Ratio {
    pub fn add(&mut self, covered: bool) {
        self.covered += usize::from(covered);
        self.all += 1;
    }

    /// In percent; 100 if there is nothing to cover.
    pub fn percent(self) -> f64 {
        if self.all == 0 { 100.0 } else { self.covered as f64 * 100.0 / self.all as f64 }
    }
}

/// The figures of a module, or of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    pub nodes: Ratio,
    pub clauses: Ratio,
    pub branches: Ratio,
    pub conditions: Ratio,
    pub pairs: Ratio,
    pub messages: Ratio,
}

impl Figures {
    /// The criteria by name, in the order in which they are shown.
    pub fn all(&self) -> [(&'static str, Ratio); 6] {
        [
            ("nodes", self.nodes),
            ("clauses", self.clauses),
            ("branches", self.branches),
            ("conditions", self.conditions),
            ("pairs", self.pairs),
            ("messages", self.messages),
        ]
    }
}

/// The figures of each module. A pair or a message belongs to the module of the use and of the
/// sender.
pub fn figures(flow: &Flow, criteria: &Criteria, covered: &Covered) -> IdVec<ModuleId, Figures> {
    let mut found = IdVec::filled(Figures::default(), flow.modules.len());
    let seen = |evidence: Evidence| covered.count(evidence) > 0;
    for goal in &criteria.nodes {
        found[goal.site.module].nodes.add(seen(goal.evidence));
    }
    for goal in &criteria.clauses {
        found[goal.site.module].clauses.add(seen(goal.evidence));
    }
    for goal in &criteria.branches {
        found[goal.site.module].branches.add(seen(goal.evidence));
    }
    for (id, guard) in criteria.guards.enumerate() {
        for condition in guard.conditions.ids() {
            let shown = covered.is_shown(id, condition);
            found[guard.clause.module].conditions.add(shown);
        }
    }
    for &goal in &criteria.pairs {
        let module = pair_sites(flow, goal).1.module;
        found[module].pairs.add(covered.pair_count(flow, goal) > 0);
    }
    for &edge in &criteria.messages {
        let from = flow.graph.vertex(flow.graph.edges[edge].from).site;
        found[from.module].messages.add(covered.edges.contains_key(&edge));
    }
    found
}

/// Where a pair begins and where it ends: definition and use, or use and definition.
pub fn pair_sites(flow: &Flow, goal: PairGoal) -> (Site, Site) {
    let all = &flow.def_uses;
    match goal {
        PairGoal::Direct(pair) => {
            let pair = all.pairs[pair];
            (all.definitions[pair.definition].site, all.uses[pair.using].site)
        }
        PairGoal::Message(hidden) | PairGoal::Structure(hidden) => {
            let hidden = all.hidden[hidden];
            (all.uses[hidden.using].site, all.definitions[hidden.definition].site)
        }
    }
}

/// Tables to look goals up by what is said.
#[derive(Debug, Default)]
pub struct Lookup {
    /// The guard of a condition, and which of its conditions it is.
    pub conditions: FxHashMap<Site, (GuardId, ConditionId)>,
    /// The guard of a clause.
    pub guards: FxHashMap<Site, GuardId>,
    /// Definitions and uses that something shows.
    pub definitions: FxHashMap<Evidence, Vec<DefinitionId>>,
    pub uses: FxHashMap<Evidence, Vec<UseId>>,
    /// For each definition the uses that have others, too.
    pub joined: FxHashMap<DefinitionId, Vec<UseId>>,
}

impl Lookup {
    pub fn of(flow: &Flow, criteria: &Criteria) -> Lookup {
        let mut lookup = Lookup::default();
        for (id, guard) in criteria.guards.enumerate() {
            lookup.guards.insert(guard.clause, id);
            for (condition, &node) in guard.conditions.enumerate() {
                let site = Site { node, ..guard.clause };
                lookup.conditions.insert(site, (id, condition));
            }
        }
        for using in flow.def_uses.uses.ids() {
            let evidence = criteria.use_evidence[using];
            lookup.uses.entry(evidence).or_default().push(using);
            let reaching: Vec<DefinitionId> = flow.def_uses.direct(using).collect();
            if reaching.len() > 1 {
                for definition in reaching {
                    lookup.joined.entry(definition).or_default().push(using);
                }
            }
        }
        #[allow(clippy::iter_over_hash_type, reason = "goes into another table")]
        for &definition in lookup.joined.keys() {
            let evidence = criteria.definition_evidence[definition];
            lookup.definitions.entry(evidence).or_default().push(definition);
        }
        lookup
    }
}
