//! Slices: what can influence values, what they can influence, and what lies between.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;

use dependence::{Direction, Node, Workspace, reach};
use ids::IdVec;
use java::names::{FileId, MethodId};
use java::tree::{Kind, NodeId};

use crate::build::{self, Built, When};
use crate::ir::{BodyId, BodyKind};
use crate::lower::{self, Lowered, Role};
use crate::print::{self, Printed};
use crate::program::{Program, Site};

/// A value that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Wanted {
    pub site: Site,
    /// For an object: when its members are looked at; `None` for the reference alone.
    pub members: Option<When>,
}

/// The dependence graph of a program, for some values that can be asked for.
#[derive(Debug)]
pub struct Graph<'p> {
    pub(crate) program: &'p Program,
    pub(crate) built: Built,
    workspace: RefCell<Workspace>,
    /// Whether it is a graph for whoever may call the program's methods.
    pub is_open: bool,
}

/// A part of a program.
pub struct Slice<'g> {
    graph: &'g Graph<'g>,
    reached: IdVec<Node, bool>,
    starts: Vec<Node>,
    is_forward: bool,
    printed: Printed,
}

/// A node of the graph: its number, its place, and what of it counts.
pub type GraphNode = (u32, Site, &'static str);
/// An edge: the first depends on the second.
pub type GraphEdge = (u32, u32, &'static str);

/// A step of an explanation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub site: Site,
    pub role: &'static str,
    pub dependence: Option<&'static str>,
}

impl<'p> Graph<'p> {
    /// The graph of a program as its `main` methods enter it; of one without, or where that does
    /// not reach all of the values, as other packages may call its methods; where that does not
    /// reach them, either, as anybody may.
    pub fn build(program: &'p Program, wanted: &[Wanted]) -> Graph<'p> {
        Graph::within(program, wanted, build::loose::BUDGET)
    }

    /// The same, with so much that may be spent on following what is stored in objects from where
    /// it is stored to where it is read; with nothing, a read finds whatever anybody stores.
    pub fn within(program: &'p Program, wanted: &[Wanted], budget: usize) -> Graph<'p> {
        let lowered = lower::lower(program);
        let asked: Vec<(Site, When)> = wanted
            .iter()
            .filter_map(|wanted| Some((program.defining(wanted.site), wanted.members?)))
            .collect();
        let mains = lowered.mains.clone();
        if !mains.is_empty() {
            let graph = Graph::with(program, lowered, &mains, &asked, false, budget);
            if wanted.iter().all(|wanted| graph.is_run(wanted.site)) {
                return graph;
            }
        }
        let lowered = lower::lower(program);
        let roots = entered(program, &lowered, |method| program.is_exported(method));
        if !roots.is_empty() {
            let graph = Graph::with(program, lowered, &roots, &asked, true, budget);
            if wanted.iter().all(|wanted| graph.is_run(wanted.site)) {
                return graph;
            }
        }
        let lowered = lower::lower(program);
        let roots = entered(program, &lowered, |method| {
            let info = program.world.method(method);
            info.access != java::names::Access::Private || info.is_static
        });
        Graph::with(program, lowered, &roots, &asked, true, budget)
    }

    fn with(
        program: &'p Program,
        lowered: Lowered,
        roots: &[BodyId],
        asked: &[(Site, When)],
        is_open: bool,
        budget: usize,
    ) -> Graph<'p> {
        let built = build::build(program, lowered, roots, asked, is_open, budget);
        Graph { program, built, workspace: RefCell::default(), is_open }
    }

    /// How many nodes and edges there are.
    pub fn size(&self) -> (usize, usize) {
        (self.built.graph.nodes, self.built.graph.edge_count())
    }

    /// The calls into code that is not part of the program and of which nothing is known.
    pub fn unknown(&self) -> Vec<(Site, &'static str)> {
        self.built.unknown.iter().map(|&(site, name)| (site, name.as_str())).collect()
    }

    /// Whether the body around a place runs.
    pub fn is_run(&self, site: Site) -> bool {
        self.bodies_around(site).iter().any(|kind| self.built.reached.contains(kind))
    }

    /// The body that a place is in; of a class, either of its initialisers.
    fn bodies_around(&self, site: Site) -> Vec<BodyKind> {
        let mut node = Some(site.node);
        while let Some(at) = node {
            let here = Site { node: at, ..site };
            let kinds: Vec<BodyKind> = match self.program.kind(here) {
                Kind::Lambda { .. } => vec![BodyKind::Function(here)],
                Kind::Method(_) => {
                    self.program.method_at(here).map(BodyKind::Method).into_iter().collect()
                }
                Kind::Class(_) => match self.program.class_at(here) {
                    Some(class) => vec![BodyKind::ClassInit(class), BodyKind::ObjectInit(class)],
                    None => Vec::new(),
                },
                _ => Vec::new(),
            };
            if !kinds.is_empty() {
                return kinds;
            }
            node = self.program.parent(here);
        }
        Vec::new()
    }

    fn value(&self, site: Site) -> Option<Node> {
        self.built.values.get(site.file.0 as usize)?.get(site.node.index()).copied().flatten()
    }

    /// Where a traversal begins for a value.
    fn starts(&self, wanted: &[Wanted]) -> Vec<Node> {
        let mut starts = Vec::new();
        for wanted in wanted {
            let site = self.program.defining(wanted.site);
            if let Some(when) = wanted.members
                && let Some(&whole) = self.built.wholes.get(&(site, when))
            {
                starts.push(whole);
            }
            starts.extend(self.value(site));
        }
        starts
    }

    /// What has to be there for the criterion to stand in the text of a slice.
    fn around(&self, wanted: &[Wanted]) -> Vec<Node> {
        let mut around = Vec::new();
        for wanted in wanted {
            for kind in self.bodies_around(wanted.site) {
                around.extend(self.built.triggers.get(&kind).into_iter().flatten());
            }
            let mut at = self.program.defining(wanted.site);
            loop {
                let made = self.built.made.get(&at).copied();
                let value = self.value(at);
                if let Some(made) = made {
                    around.push(made);
                    break;
                }
                around.extend(value);
                if is_statement(self.program.kind(at)) {
                    break;
                }
                let Some(parent) = self.program.parent(at) else { break };
                at = Site { node: parent, ..at };
                let kind = self.program.kind(at);
                // The head of a statement, not all that is in it.
                if matches!(kind, Kind::If { .. } | Kind::While { .. } | Kind::Do { .. })
                    || matches!(kind, Kind::Switch { .. } | Kind::For { .. } | Kind::Block { .. })
                    || matches!(kind, Kind::Class(_) | Kind::Method(_) | Kind::Case { .. })
                    || matches!(kind, Kind::Lambda { .. } | Kind::Try { .. })
                {
                    break;
                }
            }
        }
        around
    }

    fn reach(&self, starts: &[Node], direction: Direction) -> IdVec<Node, bool> {
        let mut workspace = self.workspace.borrow_mut();
        reach(&self.built.graph, starts, direction, false, &mut workspace)
    }

    /// How many nodes of the graph a value depends on, without the text of the slice.
    pub fn count(&self, wanted: &[Wanted]) -> usize {
        let reached = self.reach(&self.starts(wanted), Direction::Backward);
        reached.iter().filter(|reached| **reached).count()
    }

    /// What can influence some values.
    pub fn backward(&self, wanted: &[Wanted]) -> Slice<'_> {
        let mut starts = self.starts(wanted);
        starts.extend(self.around(wanted));
        let first = starts.clone();
        loop {
            let reached = self.reach(&starts, Direction::Backward);
            let printed = print::print(self.program, &self.built, &reached);
            if printed.promoted.is_empty() {
                return Slice { graph: self, reached, starts: first, is_forward: false, printed };
            }
            starts.extend(&printed.promoted);
        }
    }

    /// What could influence some values if calls returned to whoever makes such a call, for
    /// comparison.
    pub fn in_any_context(&self, wanted: &[Wanted]) -> Slice<'_> {
        let mut starts = self.starts(wanted);
        starts.extend(self.around(wanted));
        let first = starts.clone();
        let mut reached = IdVec::filled(false, self.built.graph.nodes);
        loop {
            let mut pending = starts.clone();
            while let Some(node) = pending.pop() {
                if !std::mem::replace(&mut reached[node], true) {
                    pending.extend(self.built.graph.sources.of(node).iter().map(|edge| edge.to));
                }
            }
            let printed = print::print(self.program, &self.built, &reached);
            if printed.promoted.is_empty() {
                return Slice { graph: self, reached, starts: first, is_forward: false, printed };
            }
            starts = printed.promoted;
        }
    }

    /// What some values can influence.
    pub fn forward(&self, wanted: &[Wanted]) -> Slice<'_> {
        let starts = self.starts(wanted);
        let reached = self.reach(&starts, Direction::Forward);
        let printed = print::print(self.program, &self.built, &reached);
        Slice { graph: self, reached, starts, is_forward: true, printed }
    }

    /// What lies on a way from some values to others.
    pub fn chop(&self, from: &[Wanted], to: &[Wanted]) -> Slice<'_> {
        let starts = self.starts(from);
        let mut reached = self.reach(&starts, Direction::Forward);
        let backward = self.reach(&self.starts(to), Direction::Backward);
        reached.iter_mut().zip(&backward).for_each(|(reached, back)| *reached &= *back);
        let printed = print::print(self.program, &self.built, &reached);
        Slice { graph: self, reached, starts, is_forward: true, printed }
    }
}

fn is_statement(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Call { .. }
            | Kind::New { .. }
            | Kind::Assign { .. }
            | Kind::CompoundAssign { .. }
            | Kind::Return { .. }
            | Kind::Throw { .. }
            | Kind::Yield { .. }
            | Kind::Assert { .. }
            | Kind::Variable { .. }
            | Kind::ForEach { .. }
            | Kind::ExpressionStatement { .. }
    )
}

/// The bodies of methods that somebody else may enter.
fn entered(program: &Program, lowered: &Lowered, may_be: impl Fn(MethodId) -> bool) -> Vec<BodyId> {
    let is_root = |kind: BodyKind| match kind {
        BodyKind::Method(method) => may_be(program.same_method(method)),
        _ => false,
    };
    let bodies = lowered.bodies.enumerate();
    bodies.filter(|(_, body)| is_root(body.kind)).map(|(id, _)| id).collect()
}

impl Slice<'_> {
    /// The files of which something is left.
    pub fn files(&self) -> Vec<FileId> {
        let texts = self.printed.texts.iter().enumerate();
        texts.filter(|(_, text)| text.is_some()).map(|(file, _)| FileId(file as u32)).collect()
    }

    /// The text of a file's slice.
    pub fn source(&self, file: FileId) -> Option<&str> {
        self.printed.texts.get(file.0 as usize)?.as_deref()
    }

    /// Whether a node stands in the text.
    pub fn contains(&self, site: Site) -> bool {
        self.printed.shown[site.file.0 as usize][site.node.index()]
    }

    /// How many nodes of the trees stand in the text.
    pub fn size(&self) -> usize {
        self.printed.shown.iter().flatten().filter(|shown| **shown).count()
    }

    pub fn reached(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// The ranges of a file's text that are in the slice, in order.
    pub fn ranges(&self, file: FileId) -> Vec<Range<usize>> {
        let tree = self.graph.program.tree(file);
        let shown = &self.printed.shown[file.0 as usize];
        let text = &tree.source.text;
        // What each byte belongs to: children have smaller numbers and are painted later.
        let mut is_in = vec![false; text.len()];
        for id in tree.ids().rev() {
            let span = tree.span(id);
            let (start, end) = (span.start as usize, (span.end as usize).min(text.len()));
            is_in[start..end].fill(shown[id.index()] || id == tree.root);
        }
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for (at, _) in is_in.iter().enumerate().filter(|(_, is_in)| **is_in) {
            match ranges.last_mut() {
                Some(last) if last.end == at => last.end = at + 1,
                _ => ranges.push(at..at + 1),
            }
        }
        ranges
    }

    /// A shortest way of dependences from a criterion to a node of a tree.
    pub fn why(&self, site: Site) -> Option<Vec<Step>> {
        let built = &self.graph.built;
        let mut came: IdVec<Node, Option<(Node, &'static str)>> =
            IdVec::filled(None, built.origins.len());
        let mut seen = IdVec::filled(false, built.origins.len());
        let mut pending: VecDeque<Node> = VecDeque::new();
        for &start in &self.starts {
            if !std::mem::replace(&mut seen[start], true) {
                pending.push_back(start);
            }
        }
        while let Some(node) = pending.pop_front() {
            let origin = built.origins[node];
            if origin.site == site && origin.role != Role::Between {
                return Some(self.way(&came, node));
            }
            let edges = match self.is_forward {
                true => built.graph.users.of(node),
                false => built.graph.sources.of(node),
            };
            for edge in edges {
                if self.reached[edge.to] && !seen[edge.to] {
                    seen[edge.to] = true;
                    came[edge.to] = Some((node, edge.kind.text()));
                    pending.push_back(edge.to);
                }
            }
        }
        None
    }

    fn way(&self, came: &IdVec<Node, Option<(Node, &'static str)>>, end: Node) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut next = Some(end);
        while let Some(node) = next {
            let origin = self.graph.built.origins[node];
            let before = came[node];
            if origin.role != Role::Between || before.is_none() {
                let dependence = before.map(|(_, kind)| kind);
                steps.push(Step { site: origin.site, role: origin.role.text(), dependence });
            }
            next = before.map(|(before, _)| before);
        }
        steps.reverse();
        steps
    }

    /// The nodes of the graph that are reached and can be shown, and the edges between them.
    pub fn graph(&self) -> (Vec<GraphNode>, Vec<GraphEdge>) {
        let built = &self.graph.built;
        let mut nodes = Vec::new();
        let mut edges = Vec::new();
        for (node, origin) in built.origins.enumerate().filter(|(node, _)| self.reached[*node]) {
            nodes.push((node.number(), origin.site, origin.role.text()));
            for edge in built.graph.sources.of(node).iter().filter(|edge| self.reached[edge.to]) {
                edges.push((node.number(), edge.to.number(), edge.kind.text()));
            }
        }
        (nodes, edges)
    }

    /// The nodes of a tree that begin on a line, the largest first.
    pub fn begin_on(&self, file: FileId, line: u32, column: Option<u32>) -> Vec<NodeId> {
        let tree = self.graph.program.tree(file);
        let mut found: Vec<NodeId> = tree
            .ids()
            .filter(|&node| {
                let (at, begins) = tree.source.place(tree.span(node).start);
                at == line && column.is_none_or(|column| column == begins)
            })
            .collect();
        found.reverse();
        found
    }
}
