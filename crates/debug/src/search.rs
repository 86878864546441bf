//! The search for a wrong statement below which all are right.
//!
//! What is known are answers about statements. The *candidates* are the statements below the wrong
//! one that is looked at (the *root* of the search) of which nothing is known and that are not
//! below a right one. A question is about one of them:
//!
//! * right, or asked about what should never have been computed (*inadmissible*): the fault is not
//!   below it, so all of its subtree is out;
//! * wrong: the search goes on below it;
//! * *trusted*: the piece of the program is right, but what it was given may be wrong: the node
//!   itself is out, what is below it is not. (EDD takes out what is below, too, and may then blame
//!   a caller for what a callback of a trusted function did.)
//! * not known: the node is not asked about again; if it stands in the way of the verdict, that is
//!   said.
//!
//! Without candidates the root is to blame. Statements that say the same have one answer.
//!
//! # Strategies
//!
//! * *Divide and query* (Shapiro): the candidate whose subtree has the number of candidates nearest
//!   to half of all.
//! * *Top-down*: the child of the root with the most candidates below it (heaviest first).
//! * The default asks for what tells most about the *pieces of the program*: each piece has a
//!   suspicion, once, however often it ran; it is spread over the candidates that it made. A
//!   question splits the sum in two; its worth is what the answer tells (entropy), against what it
//!   costs to answer (the logarithm of the size of what is shown).
//!
//! # Cost
//!
//! A question takes time in proportion to the size of the subtree of the root.

use rustc_hash::FxHashMap;

use crate::tree::{NodeIx, Shape};

/// How the next question is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    #[default]
    Informed,
    DivideAndQuery,
    TopDown,
}

/// What somebody says of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Right,
    /// It should never have been asked for: what was given breaks what is assumed.
    Inadmissible,
    Wrong,
    Trust(Trusted),
    DontKnow,
}

/// What is trusted: all statements that have this in common with the one that was asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trusted {
    Function,
    Module,
    Process,
}

/// What comes next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    Ask(NodeIx),
    /// It is wrong, and all below it are right.
    Buggy(NodeIx),
    /// One of these is, but which was not known.
    Open(Vec<NodeIx>),
    /// Everything was right.
    Fine,
}

/// An answer that cannot be with an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction {
    pub node: NodeIx,
    /// The node that was answered otherwise, and how.
    pub earlier: (NodeIx, Answer),
}

/// What is known of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Nothing,
    Right,
    Wrong,
    Trusted,
    /// Asked, and not known.
    Unknown,
}

/// A search while it goes on.
pub struct Search<'t> {
    shape: &'t Shape,
    strategy: Strategy,
    /// The suspicion of each piece of the program; 1 for those that are not there.
    suspicion: FxHashMap<u32, f64>,
    known: Vec<Known>,
    /// The nodes of each statement.
    same: FxHashMap<u32, Vec<NodeIx>>,
    answers: Vec<(NodeIx, Answer)>,
}

impl<'t> Search<'t> {
    pub fn new(shape: &'t Shape, strategy: Strategy) -> Search<'t> {
        let mut same: FxHashMap<u32, Vec<NodeIx>> = FxHashMap::default();
        for node in shape.nodes().skip(1) {
            same.entry(shape.facts(node).statement).or_default().push(node);
        }
        let mut search = Search {
            shape,
            strategy,
            suspicion: FxHashMap::default(),
            known: Vec::new(),
            same,
            answers: Vec::new(),
        };
        search.forget();
        search
    }

    /// How suspicious a piece of the program is: more than 1 for one that is more often part of
    /// what fails than others are.
    pub fn suspect(&mut self, piece: u32, suspicion: f64) {
        self.suspicion.insert(piece, suspicion.max(f64::MIN_POSITIVE));
    }

    pub fn set_strategy(&mut self, strategy: Strategy) {
        self.strategy = strategy;
    }

    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    /// The answers so far, in their order.
    pub fn answers(&self) -> &[(NodeIx, Answer)] {
        &self.answers
    }

    fn forget(&mut self) {
        self.known = vec![Known::Nothing; self.shape.len()];
        // That something is wrong is why anybody searches.
        self.known[NodeIx::ROOT.index()] = Known::Wrong;
    }

    /// Takes an answer.
    pub fn answer(&mut self, node: NodeIx, answer: Answer) -> Result<(), Contradiction> {
        let now = match answer {
            Answer::Right | Answer::Inadmissible => Known::Right,
            Answer::Wrong => Known::Wrong,
            Answer::Trust(_) => Known::Trusted,
            Answer::DontKnow => Known::Unknown,
        };
        let before = self.known[node.index()];
        let contradicts =
            matches!((before, now), (Known::Right, Known::Wrong) | (Known::Wrong, Known::Right));
        if contradicts {
            let statement = self.shape.facts(node).statement;
            let is_same =
                |earlier: &&(NodeIx, Answer)| self.shape.facts(earlier.0).statement == statement;
            let earlier = self.answers.iter().rev().find(is_same).copied();
            return Err(Contradiction { node, earlier: earlier.unwrap_or((node, Answer::Wrong)) });
        }
        self.answers.push((node, answer));
        self.learn(node, answer, now);
        Ok(())
    }

    fn learn(&mut self, node: NodeIx, answer: Answer, now: Known) {
        if let Answer::Trust(trusted) = answer {
            let of = |node: NodeIx| {
                let facts = self.shape.facts(node);
                match trusted {
                    Trusted::Function => facts.function,
                    Trusted::Module => facts.module,
                    Trusted::Process => facts.process,
                }
            };
            let wanted = of(node);
            let all: Vec<NodeIx> =
                self.shape.nodes().skip(1).filter(|&other| of(other) == wanted).collect();
            all.into_iter().for_each(|other| self.note(other, Known::Trusted));
            return;
        }
        let same = self.same.get(&self.shape.facts(node).statement).cloned().unwrap_or_default();
        same.into_iter().for_each(|other| self.note(other, now));
    }

    /// What is known stays, unless more is.
    fn note(&mut self, node: NodeIx, now: Known) {
        let known = &mut self.known[node.index()];
        match (*known, now) {
            (Known::Right | Known::Wrong, _) => {}
            (Known::Trusted, Known::Unknown) => {}
            _ => *known = now,
        }
    }

    /// Takes the last answer back; `None` if there is none.
    pub fn undo(&mut self) -> Option<(NodeIx, Answer)> {
        let last = self.answers.pop()?;
        self.forget();
        for (node, answer) in std::mem::take(&mut self.answers) {
            // What could be answered then can be answered again.
            let _ = self.answer(node, answer);
        }
        Some(last)
    }

    /// What to do next.
    pub fn next(&self) -> Next {
        let root = self.root();
        let below = Below::of(self, root);
        match below.choose(self) {
            Some(node) => Next::Ask(node),
            None if !below.unknown.is_empty() => {
                let mut open = vec![root];
                open.extend(&below.unknown);
                open.retain(|&node| node != NodeIx::ROOT);
                Next::Open(open)
            }
            None if root == NodeIx::ROOT => Next::Fine,
            None => Next::Buggy(root),
        }
    }

    /// The wrong node with the fewest nodes below it that has no wrong one below it.
    fn root(&self) -> NodeIx {
        let wrong = self.shape.nodes().filter(|&node| self.known[node.index()] == Known::Wrong);
        let size = |node: &NodeIx| self.shape.end(*node).0 - node.0;
        wrong.min_by_key(|node| (size(node), node.0)).unwrap_or(NodeIx::ROOT)
    }
}

/// What is below the root of a search.
struct Below {
    candidates: Vec<NodeIx>,
    /// For each candidate the sum of the weights of the candidates in its subtree, itself included.
    weights: Vec<f64>,
    total: f64,
    /// For each candidate, whether nothing but trusted nodes is between it and the root.
    is_top: Vec<bool>,
    /// Asked, and not known.
    unknown: Vec<NodeIx>,
}

impl Below {
    fn of(search: &Search<'_>, root: NodeIx) -> Below {
        let shape = search.shape;
        let mut below = Below {
            candidates: Vec::new(),
            weights: Vec::new(),
            total: 0.0,
            is_top: Vec::new(),
            unknown: Vec::new(),
        };
        let (mut node, end) = (NodeIx(root.0 + 1), shape.end(root));
        // The end of the last subtree of a candidate.
        let mut covered = 0;
        while node < end {
            match search.known[node.index()] {
                Known::Right => {
                    node = shape.end(node);
                    continue;
                }
                Known::Nothing => {
                    below.is_top.push(node.0 >= covered);
                    covered = covered.max(shape.end(node).0);
                    below.candidates.push(node);
                }
                Known::Unknown => below.unknown.push(node),
                Known::Trusted | Known::Wrong => {}
            }
            node = NodeIx(node.0 + 1);
        }
        below.weigh(search);
        below
    }

    fn weigh(&mut self, search: &Search<'_>) {
        let shape = search.shape;
        let mut times: FxHashMap<u32, f64> = FxHashMap::default();
        for &node in &self.candidates {
            *times.entry(shape.facts(node).suspect).or_insert(0.0) += 1.0;
        }
        let weight = |node: NodeIx| match search.strategy {
            Strategy::DivideAndQuery | Strategy::TopDown => 1.0,
            Strategy::Informed => {
                let suspect = shape.facts(node).suspect;
                let suspicion = search.suspicion.get(&suspect).copied().unwrap_or(1.0);
                suspicion / times.get(&suspect).copied().unwrap_or(1.0)
            }
        };
        // Sums from the front: a subtree is what lies between two of them.
        let mut sums = Vec::with_capacity(self.candidates.len() + 1);
        sums.push(0.0);
        for &node in &self.candidates {
            self.total += weight(node);
            sums.push(self.total);
        }
        for (at, &node) in self.candidates.iter().enumerate() {
            let end = shape.end(node);
            let behind = at + self.candidates[at..].partition_point(|other| *other < end);
            self.weights.push(sums[behind] - sums[at]);
        }
    }

    /// The candidate to ask about.
    fn choose(&self, search: &Search<'_>) -> Option<NodeIx> {
        let places = 0..self.candidates.len();
        let best = match search.strategy {
            Strategy::DivideAndQuery => {
                let distance = |at: usize| (2.0 * self.weights[at] - self.total).abs();
                places.min_by(|&a, &b| {
                    distance(a)
                        .total_cmp(&distance(b))
                        .then(self.candidates[b].cmp(&self.candidates[a]))
                })
            }
            Strategy::TopDown => places
                .filter(|&at| self.is_top[at])
                .min_by(|&a, &b| self.weights[b].total_cmp(&self.weights[a]).then(a.cmp(&b))),
            Strategy::Informed => places.min_by(|&a, &b| {
                self.worth(search, b).total_cmp(&self.worth(search, a)).then(a.cmp(&b))
            }),
        };
        best.map(|at| self.candidates[at])
    }

    /// What the answer about a candidate tells, against what it costs.
    fn worth(&self, search: &Search<'_>, at: usize) -> f64 {
        let part = (self.weights[at] / self.total).clamp(1e-9, 1.0 - 1e-9);
        let entropy = -(part * part.log2() + (1.0 - part) * (1.0 - part).log2());
        let cost = f64::from(search.shape.facts(self.candidates[at]).cost.max(1));
        entropy / (1.0 + COST_WEIGHT * cost.log2())
    }
}

/// How much the size of a question matters: one of twice the size must tell this part more.
const COST_WEIGHT: f64 = 0.05;
