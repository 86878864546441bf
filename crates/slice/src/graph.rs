//! The dependence graph of a program, and the questions that are asked of it.
//!
//! A backward slice begins at the value of the criterion and, as a variable of a pattern has its
//! value only where the pattern matches, at the choice of the clause that it is bound by; it is all
//! that the constrained traversal of [`dependence`] reaches from there. Forward slices follow the
//! edges the other way, a chop is what is in both. Which of the two graphs is asked
//! ([`Graph`]) depends on which process evaluates the criterion.
//!
//! Cost: the graph is made once, and folded for traversals when it is first asked; a slice costs
//! what it reaches.

use std::cell::{OnceCell, RefCell};

use flow::ids::IdVec;
use flow::{Flow, Site};
use program::Program;
use syntax::ast::{Kind, NodeId};

use crate::criterion::{self, Criterion, CriterionError};
use crate::erlang::{self, Built, SeenBy};
use crate::options::Options;
use crate::slice::Slice;
use dependence::{Direction, Node, Workspace, reach};

/// The expression dependence graph of a program.
///
/// There are two of them if other processes may see that the one that enters the program fails:
/// what that one does itself does not depend on that it has not failed before, since it does
/// nothing afterwards that could be compared. The graph for what others do is made when it is first
/// asked for.
#[derive(Debug)]
pub struct Graph<'p> {
    program: &'p Program,
    flow: &'p Flow,
    pub options: Options,
    own: Made,
    others: OnceCell<Made>,
}

/// A graph with what its traversals keep.
#[derive(Debug)]
struct Made {
    built: Built,
    workspace: RefCell<Workspace>,
}

impl Made {
    fn new(program: &Program, flow: &Flow, options: Options, seen_by: SeenBy) -> Made {
        let built = erlang::build(program, flow, options, seen_by);
        Made { built, workspace: RefCell::default() }
    }
}

/// The graph for some criteria.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'g> {
    pub(crate) program: &'g Program,
    pub(crate) flow: &'g Flow,
    pub(crate) options: Options,
    pub(crate) built: &'g Built,
    workspace: &'g RefCell<Workspace>,
}

impl<'p> Graph<'p> {
    pub fn build(program: &'p Program, flow: &'p Flow, options: Options) -> Graph<'p> {
        let own = Made::new(program, flow, options, SeenBy::Itself);
        Graph { program, flow, options, own, others: OnceCell::new() }
    }

    /// How many nodes and edges there are.
    pub fn size(&self) -> (usize, usize) {
        (self.own.built.graph.nodes, self.own.built.graph.edge_count())
    }

    /// The variable occurrence that a criterion means.
    pub fn find(&self, criterion: &Criterion) -> Result<Site, CriterionError> {
        let site = criterion::find(self.flow, criterion)?;
        match self.never_chosen(site) {
            Some(clause) => Err(CriterionError::NeverChosen {
                variable: criterion.variable,
                line: criterion.line,
                clause,
            }),
            None => Ok(site),
        }
    }

    /// Whether an expression or pattern has a value of its own, so that it can be a criterion.
    pub fn has(&self, site: Site) -> bool {
        let module = self.own.built.modules.get(site.module);
        module.and_then(|nodes| nodes.value(site.node)).is_some()
    }

    /// The line of the clause around a place that no value can choose.
    fn never_chosen(&self, site: Site) -> Option<u32> {
        let tree = &self.flow.modules.get(site.module)?.tree;
        let nodes = &self.own.built.modules[site.module];
        let token = tree[site.node].first;
        let mut clauses: Vec<&NodeId> = nodes.unreachable.iter().collect();
        clauses.sort_unstable();
        let around = clauses
            .into_iter()
            .find(|clause| tree[**clause].first <= token && token <= tree[**clause].last)?;
        Some(tree.loc(*around).line)
    }

    /// Forgets what slices have learned from each other, and gives back the memory that they share:
    /// the next one takes as long as the first.
    pub fn forget(&self) {
        for made in [Some(&self.own), self.others.get()].into_iter().flatten() {
            made.workspace.take();
            made.built.graph.forget();
        }
    }

    /// Makes what would else be made when it is first needed: the graph for what others do.
    pub fn make_all(&self) {
        self.view_of_all();
    }

    /// Every variable occurrence of the program that can be a criterion, in the order of the text.
    pub fn criteria(&self) -> Vec<(Site, Criterion)> {
        criterion::all(self.flow)
    }

    /// What can influence the values at these places.
    pub fn backward(&self, criteria: &[Site]) -> Slice<'_> {
        let view = self.view(criteria);
        let reached = view.reach(criteria, Direction::Backward);
        Slice::new(view, criteria, false, reached)
    }

    /// What the values at these places can influence.
    pub fn forward(&self, criteria: &[Site]) -> Slice<'_> {
        let view = self.view_of_all();
        let reached = view.reach(criteria, Direction::Forward);
        Slice::new(view, criteria, true, reached)
    }

    /// What lies on a way from the values at some places to those at others.
    pub fn chop(&self, from: &[Site], to: &[Site]) -> Slice<'_> {
        let view = self.view_of_all();
        let mut reached = view.reach(from, Direction::Forward);
        let backward = view.reach(to, Direction::Backward);
        reached.iter_mut().zip(&backward).for_each(|(reached, backward)| *reached &= *backward);
        let mut criteria = from.to_vec();
        criteria.extend_from_slice(to);
        Slice::new(view, &criteria, true, reached)
    }

    /// The graph that says what influences the values at some places.
    pub(crate) fn view(&self, criteria: &[Site]) -> View<'_> {
        if criteria.iter().all(|&site| self.is_of_entering(site)) {
            self.view_of(&self.own)
        } else {
            self.view_of_all()
        }
    }

    fn view_of_all(&self) -> View<'_> {
        if !self.own.built.is_entering_watched {
            return self.view_of(&self.own);
        }
        let others = || Made::new(self.program, self.flow, self.options, SeenBy::Others);
        self.view_of(self.others.get_or_init(others))
    }

    fn view_of<'g>(&'g self, made: &'g Made) -> View<'g> {
        let Made { built, workspace } = made;
        View { program: self.program, flow: self.flow, options: self.options, built, workspace }
    }

    /// Whether a place is evaluated by the process that enters the program, and by no other.
    fn is_of_entering(&self, site: Site) -> bool {
        let tree = &self.flow.modules[site.module].tree;
        let (first, last) = (tree[site.node].first, tree[site.node].last);
        let started = || self.flow.processes.iter().filter(|process| process.site.is_some());
        let here =
            self.flow.functions.enumerate().filter(|(_, function)| function.module == site.module);
        let around = here.filter(|(_, function)| {
            tree[function.node].first <= first && last <= tree[function.node].last
        });
        // The innermost is the shortest.
        let inside = around
            .min_by_key(|(_, function)| tree[function.node].last.0 - tree[function.node].first.0);
        inside.is_none_or(|(function, _)| {
            !started().any(|process| process.functions.binary_search(&function).is_ok())
        })
    }
}

impl View<'_> {
    fn reach(&self, criteria: &[Site], direction: Direction) -> IdVec<Node, bool> {
        let starts = match direction {
            Direction::Backward => self.starts(criteria),
            Direction::Forward => self.values(criteria),
        };
        let mut workspace = self.workspace.borrow_mut();
        let constraints = self.options.constraints;
        reach(&self.built.graph, &starts, direction, constraints, &mut workspace)
    }

    fn values(&self, criteria: &[Site]) -> Vec<Node> {
        let value = |site: &Site| self.built.modules.get(site.module)?.value(site.node);
        criteria.iter().filter_map(value).collect()
    }

    /// Where a backward slice begins.
    pub(crate) fn starts(&self, criteria: &[Site]) -> Vec<Node> {
        let mut starts = self.values(criteria);
        starts.extend(criteria.iter().flat_map(|&site| self.binding_places(site)));
        starts
    }

    /// A variable of a pattern has a value if all of the pattern matches and its clause is chosen;
    /// one of a guard is looked at as part of the whole guard. In a `receive` it has the values of
    /// messages that the guard refuses, too.
    fn binding_places(&self, site: Site) -> Vec<Node> {
        let tree = &self.flow.modules[site.module].tree;
        let nodes = &self.built.modules[site.module];
        let token = tree[site.node].first;
        let is_inside = |node: NodeId| tree[node].first <= token && token <= tree[node].last;
        // One that a pattern or guard only looks at, such as a key, is not bound by it: it is seen
        // as a part of all that is looked at.
        let bindings = &self.flow.bindings[site.module];
        let is_use = matches!(bindings.occurrence(site.node), flow::bindings::Occurrence::Use(_));
        // Parents have larger numbers: the first that has it in its head is the innermost.
        for index in site.node.0 + 1..tree.nodes.len() as u32 {
            let node = NodeId(index);
            if !is_inside(node) {
                continue;
            }
            match tree.kind(node) {
                Kind::Clause { patterns, guards, .. }
                    if tree
                        .list(patterns)
                        .iter()
                        .chain(tree.list(guards))
                        .any(|&part| is_inside(part)) =>
                {
                    let test = nodes.tests.get(&node).filter(|_| is_use);
                    let refused = nodes.refused.get(&node).into_iter().flatten();
                    let choice = nodes.choices.get(&node).into_iter();
                    return choice.chain(test).chain(refused).copied().collect();
                }
                Kind::Generator { pattern, .. } if is_inside(pattern) => {
                    return nodes.choices.get(&node).copied().into_iter().collect();
                }
                // One that is part of a pattern has no test of its own.
                Kind::Match { pattern, .. }
                    if is_inside(pattern) && nodes.tests.contains_key(&node) =>
                {
                    // The match has to succeed for it to be seen, if that can be noticed.
                    let counts = is_use || nodes.guarded.contains(&node);
                    let test = nodes.tests.get(&node).filter(|_| counts);
                    return test.copied().into_iter().collect();
                }
                Kind::Function { .. } => return Vec::new(),
                _ => {}
            }
        }
        Vec::new()
    }
}
