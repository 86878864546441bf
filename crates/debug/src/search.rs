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
//!   Right below the run, what a right statement came from (messages, earlier parts, who started
//!   its process) is asked about last: had that gone wrong, it would have had to come out right by
//!   chance. It is done as soon as all that may still be wrong is of the piece of the root
//!   ([`Next::Piece`]): whichever statement it is, the same piece is to blame. Who wants to know
//!   the statement, too, goes on ([`Search::narrow`]).
//!
//! Where statements are folded ([`crate::record::keep`]), a candidate counts for all that are
//! folded into it, and the default halves them, too: it is not known which pieces of the program
//! ran there. A statement that is to blame and has others folded into it only says in which part of
//! the run the fault is: the search goes on in a tree of that part ([`Search::known`] takes answers
//! along).
//!
//! # Cost
//!
//! A question takes time in proportion to the size of the subtree of the root.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

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
    /// For each node the one right below the run that it is part of.
    tops: Vec<NodeIx>,
    /// Those right below the run that something right came from.
    fruitful: FxHashSet<NodeIx>,
    /// Nodes that somebody wants to be asked about first.
    preferred: Vec<NodeIx>,
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
        let mut tops = vec![NodeIx::ROOT; shape.len()];
        for top in shape.children(NodeIx::ROOT) {
            tops[top.index()..shape.end(top).index()].fill(top);
        }
        let mut search = Search {
            shape,
            tops,
            fruitful: FxHashSet::default(),
            strategy,
            belief: Belief::new(shape),
            is_run: false,
            is_narrow: false,
            known: Vec::new(),
            same,
            answers: Vec::new(),
            preferred: Vec::new(),
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
        self.fruitful.clear();
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
            self.note_past(node);
        }
        self.learn(node, answer, now);
        Ok(())
    }

    /// Notes what a right statement came from.
    fn note_past(&mut self, node: NodeIx) {
        let mut open = vec![self.tops[node.index()]];
        while let Some(top) = open.pop() {
            for at in top.0..self.shape.end(top).0 {
                let causes = self.shape.facts(NodeIx(at)).causes;
                for cause in causes.into_iter().flatten() {
                    let cause = self.shape.number(cause as usize).unwrap_or(NodeIx::ROOT);
                    let cause = self.tops[cause.index()];
                    if cause != NodeIx::ROOT && cause != top && self.fruitful.insert(cause) {
                        open.push(cause);
                    }
                }
            }
        }
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

    /// These are asked about first, as far as that makes sense.
    pub fn prefer(&mut self, nodes: Vec<NodeIx>) {
        self.preferred = nodes;
    }

    /// Takes the last answer back; `None` if there is none.
    pub fn undo(&mut self) -> Option<(NodeIx, Answer)> {
        let last = self.answers.pop()?;
        self.preferred.clear();
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
        let is_candidate = |node: &&NodeIx| below.candidates.binary_search(node).is_ok();
        if let Some(&node) = self.preferred.iter().find(is_candidate) {
            return Next::Ask(node);
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
        let is_whole = |node: NodeIx| self.shape.facts(node).folded == 0;
        is_whole(root)
            && self.strategy == Strategy::Informed
            && !self.is_narrow
            && self.is_run
            && root != NodeIx::ROOT
            && open.peek().is_some()
            && open.all(|&node| piece(node) == piece(root) && is_whole(node))
    }

    /// What the answers so far mean for a node; nothing if it may be wrong.
    pub fn known(&self, node: NodeIx) -> Option<Answer> {
        let mut above = node;
        while above != NodeIx::ROOT {
            if self.known[above.index()] == Known::Right {
                return Some(Answer::Right);
            }
            above = self.shape.parent(above);
        }
        match self.known[node.index()] {
            Known::Trusted => Some(Answer::Trust(Trusted::Function)),
            Known::Unknown => Some(Answer::DontKnow),
            Known::Wrong => Some(Answer::Wrong),
            Known::Right | Known::Nothing => None,
        }
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
    /// How many statements the candidates before each one stand for, and at the end all.
    before: Vec<u64>,
}

impl Below {
    fn of(search: &Search<'_>, root: NodeIx) -> Below {
        let shape = search.shape;
        let mut below = Below {
            candidates: Vec::new(),
            is_top: Vec::new(),
            unknown: Vec::new(),
            before: vec![0],
        };
        let mut all = 0;
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
                    all += 1 + u64::from(shape.facts(node).folded);
                    below.before.push(all);
                }
                Known::Unknown => below.unknown.push(node),
                Known::Trusted | Known::Wrong => {}
            }
            node = NodeIx(node.0 + 1);
        }
        below
    }

    /// How many statements candidates in the subtree of one stand for, itself included.
    fn weight(&self, shape: &Shape, at: usize) -> u64 {
        let end = shape.end(self.candidates[at]);
        let last = at + self.candidates[at..].partition_point(|other| *other < end);
        self.before[last] - self.before[at]
    }

    /// How many statements the candidates stand for.
    fn all(&self) -> u64 {
        self.before[self.candidates.len()]
    }

    /// The candidate to ask about.
    fn choose(&self, search: &Search<'_>, root: NodeIx) -> Option<NodeIx> {
        let shape = search.shape;
        let places = 0..self.candidates.len();
        let is_whole = self.all() == self.candidates.len() as u64;
        let best = match search.strategy {
            Strategy::Informed if is_whole => {
                let is_first =
                    |node: &NodeIx| !search.fruitful.contains(&search.tops[node.index()]);
                let first: Vec<NodeIx> = self.candidates.iter().copied().filter(is_first).collect();
                let looked_at = if root != NodeIx::ROOT || first.is_empty() {
                    &self.candidates
                } else {
                    &first
                };
                return search.belief.choose(shape, root, looked_at);
            }
            Strategy::DivideAndQuery | Strategy::Informed => places.min_by_key(|&at| {
                let distance = (2 * self.weight(shape, at)).abs_diff(self.all());
                (distance, Reverse(at))
            }),
            Strategy::TopDown => places
                .filter(|&at| self.is_top[at])
                .min_by_key(|&at| (Reverse(self.weight(shape, at)), at)),
        };
        best.map(|at| self.candidates[at])
    }
}
