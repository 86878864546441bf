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
//! That the run as a whole is wrong is taken for granted: it is why anybody searches. The run has
//! no work of its own, so if all right below it but one are right, that one is wrong, and is asked
//! about only to confirm it, if it is to blame ([`Next::Confirm`]).
//!
//! # Strategies
//!
//! * *Divide and query* (Shapiro): the candidate whose subtree has the number of candidates nearest
//!   to half of all.
//! * *Top-down*: the child of the root with the most candidates below it (heaviest first).
//! * The default asks for what tells most about the *pieces of the program* ([`crate::belief`]). It
//!   is done as soon as all that may still be wrong is of the piece of the root
//!   ([`Next::Piece`]): whichever statement it is, the same piece is to blame. Who wants to know
//!   the statement, too, goes on ([`Search::narrow`]).
//!
//! # Cost
//!
//! A question takes time in proportion to the size of the subtree of the root.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::belief::Belief;
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
    /// It is to blame if the run is wrong at all, which nobody has said.
    Confirm(NodeIx),
    /// It is wrong, and whatever below it may be wrong is of the same piece of the program.
    Piece(NodeIx),
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
    belief: Belief,
    /// The root is a run, without work of its own.
    is_run: bool,
    /// The statement is wanted, not just the piece.
    is_narrow: bool,
    known: Vec<Known>,
    /// The nodes of each statement.
    same: FxHashMap<u32, Vec<NodeIx>>,
    answers: Vec<(NodeIx, Answer)>,
    /// Nodes right below a wrong one that are not the reason for what is wrong with it.
    ruled_out: FxHashMap<NodeIx, Vec<NodeIx>>,
}

impl<'t> Search<'t> {
    /// A search among the statements of a run.
    pub fn new(shape: &'t Shape, strategy: Strategy) -> Search<'t> {
        Search { is_run: true, ..Search::inside(shape, strategy) }
    }

    /// A search among the parts of something that is wrong and may be so by itself.
    pub fn inside(shape: &'t Shape, strategy: Strategy) -> Search<'t> {
        let mut same: FxHashMap<u32, Vec<NodeIx>> = FxHashMap::default();
        for node in shape.nodes().skip(1) {
            same.entry(shape.facts(node).statement).or_default().push(node);
        }
        let mut search = Search {
            shape,
            strategy,
            belief: Belief::new(shape),
            is_run: false,
            is_narrow: false,
            known: Vec::new(),
            same,
            answers: Vec::new(),
            ruled_out: FxHashMap::default(),
        };
        search.forget();
        search
    }

    /// How suspicious a piece of the program is: more than 1 for one that is more often part of
    /// what fails than others are.
    pub fn suspect(&mut self, piece: u32, suspicion: f64) {
        self.belief.suspect(piece, suspicion);
    }

    /// Goes on once the piece is known, to the statement.
    pub fn narrow(&mut self) {
        self.is_narrow = true;
    }

    pub fn set_strategy(&mut self, strategy: Strategy) {
        self.strategy = strategy;
    }

    pub fn strategy(&self) -> Strategy {
        self.strategy
    }

    pub fn shape(&self) -> &'t Shape {
        self.shape
    }

    /// The answers so far, in their order.
    pub fn answers(&self) -> &[(NodeIx, Answer)] {
        &self.answers
    }

    fn forget(&mut self) {
        self.belief.forget();
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
        if answer == Answer::Right {
            self.belief.right(self.shape, node);
        }
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

    /// Some of the nodes right below a wrong one are not the reason for what is wrong with it: it
    /// is known which part of it is.
    pub fn rule_out(&mut self, node: NodeIx, mut others: Vec<NodeIx>) {
        others.sort_unstable();
        self.ruled_out.insert(node, others);
    }

    /// Takes the last answer back; `None` if there is none.
    pub fn undo(&mut self) -> Option<(NodeIx, Answer)> {
        let last = self.answers.pop()?;
        self.ruled_out.remove(&last.0);
        self.forget();
        for (node, answer) in std::mem::take(&mut self.answers) {
            // What could be answered then can be answered again.
            let _ = self.answer(node, answer);
        }
        Some(last)
    }

    /// What to do next.
    pub fn next(&self) -> Next {
        let said = self.root();
        let implied = self.implied().filter(|_| said == NodeIx::ROOT);
        let root = implied.unwrap_or(said);
        let below = Below::of(self, root);
        if self.is_of_one_piece(root, &below) {
            return if implied.is_some() { Next::Confirm(root) } else { Next::Piece(root) };
        }
        match below.choose(self, root) {
            Some(node) => Next::Ask(node),
            None if !below.unknown.is_empty() => {
                let mut open = vec![root];
                open.extend(&below.unknown);
                open.retain(|&node| node != NodeIx::ROOT);
                Next::Open(open)
            }
            None if root == NodeIx::ROOT => Next::Fine,
            None if implied.is_some() => Next::Confirm(root),
            None => Next::Buggy(root),
        }
    }

    /// Whether one piece of the program is to blame, though not every statement is known.
    fn is_of_one_piece(&self, root: NodeIx, below: &Below) -> bool {
        let piece = |node: NodeIx| self.shape.facts(node).suspect;
        let mut open = below.candidates.iter().chain(&below.unknown).peekable();
        self.strategy == Strategy::Informed
            && !self.is_narrow
            && self.is_run
            && root != NodeIx::ROOT
            && open.peek().is_some()
            && open.all(|&node| piece(node) == piece(root))
    }

    /// The only one right below the run that is not known to be right.
    fn implied(&self) -> Option<NodeIx> {
        let known = |node: &NodeIx| self.known[node.index()];
        let mut left = self.shape.children(NodeIx::ROOT).filter(|node| known(node) != Known::Right);
        let only = left.next().filter(|_| self.is_run && left.next().is_none())?;
        (known(&only) == Known::Nothing).then_some(only)
    }

    /// The wrong node with the fewest nodes below it that has no wrong one below it.
    fn root(&self) -> NodeIx {
        let wrong = self.shape.nodes().filter(|&node| self.known[node.index()] == Known::Wrong);
        let size = |node: &NodeIx| self.shape.end(*node).0 - node.0;
        // Of those that say the same, one of which more is known.
        let is_known = |node: &NodeIx| self.ruled_out.contains_key(node);
        wrong.min_by_key(|node| (size(node), !is_known(node), node.0)).unwrap_or(NodeIx::ROOT)
    }
}

/// What is below the root of a search.
struct Below {
    candidates: Vec<NodeIx>,
    /// For each candidate, whether nothing but trusted nodes is between it and the root.
    is_top: Vec<bool>,
    /// Asked, and not known.
    unknown: Vec<NodeIx>,
}

impl Below {
    fn of(search: &Search<'_>, root: NodeIx) -> Below {
        let shape = search.shape;
        let mut below = Below { candidates: Vec::new(), is_top: Vec::new(), unknown: Vec::new() };
        let (mut node, end) = (NodeIx(root.0 + 1), shape.end(root));
        // The end of the last subtree of a candidate.
        let mut covered = 0;
        let ruled_out = search.ruled_out.get(&root).map_or(&[][..], Vec::as_slice);
        while node < end {
            if ruled_out.binary_search(&node).is_ok() {
                node = shape.end(node);
                continue;
            }
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
        below
    }

    /// How many candidates are in the subtree of one, itself included.
    fn weight(&self, shape: &Shape, at: usize) -> usize {
        let end = shape.end(self.candidates[at]);
        self.candidates[at..].partition_point(|other| *other < end)
    }

    /// The candidate to ask about.
    fn choose(&self, search: &Search<'_>, root: NodeIx) -> Option<NodeIx> {
        let shape = search.shape;
        let places = 0..self.candidates.len();
        let best = match search.strategy {
            Strategy::DivideAndQuery => places.min_by_key(|&at| {
                let distance = (2 * self.weight(shape, at)).abs_diff(self.candidates.len());
                (distance, Reverse(at))
            }),
            Strategy::TopDown => places
                .filter(|&at| self.is_top[at])
                .min_by_key(|&at| (Reverse(self.weight(shape, at)), at)),
            Strategy::Informed => return search.belief.choose(shape, root, &self.candidates),
        };
        best.map(|at| self.candidates[at])
    }
}
