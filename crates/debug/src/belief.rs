//! What is believed about the pieces of a program while a search goes on, and which question tells
//! most.
//!
//! One piece of the program is wrong. It is not known which, nor how often that shows: it may go
//! wrong each time it runs, or once in twenty. So the hypotheses are pairs of a piece and a *rate*.
//! Before anything is known a piece is as likely as it is large, however often it ran.
//!
//! * A statement that is wrong leaves the pieces that ran in it, and nothing else.
//! * One that is right makes the pieces that ran in it less likely, by what their rate says: `k`
//!   times without a fault are as likely as `(1 - rate)^k`. So a piece that often ran in what is
//!   right is left with small rates, at which it is looked for by halving, as without any belief.
//!
//! The answer about a statement in which a piece ran `c` of the `k` times that are left is *wrong*
//! with the probability `(1 - (1 - rate)^c) / (1 - (1 - rate)^k)` if that piece is to blame. The
//! question is taken whose answer is least foreseen, where what would be left open even if one knew
//! the piece counts for less ([`KNOWN_PIECE`]).
//!
//! # Cost
//!
//! For each candidate that is looked at time in proportion to the pieces, times the logarithm of
//! the candidates. Of many candidates some of each size are looked at ([`MOST_OF_A_SIZE`]).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::{NodeIx, Shape};

/// The rates that are thought of, all as likely.
const RATES: [f64; 4] = [0.9, 0.5, 0.2, 0.05];

/// What of the doubt about an answer that is left once the piece is known is taken off its worth.
/// (1: only the piece is asked for, which takes long where it has to be proved; 0: all doubt is
/// alike.)
const KNOWN_PIECE: f64 = 0.3;

/// Of the candidates whose subtrees are of about the same size so many are looked at.
const MOST_OF_A_SIZE: usize = 512;

/// A piece of the program, by its place among them.
type PieceIx = usize;

/// What is believed.
pub(crate) struct Belief {
    /// The piece of each node.
    pieces: Vec<PieceIx>,
    /// How likely each was at first.
    prior: Vec<f64>,
    numbers: FxHashMap<u32, PieceIx>,
    /// The logarithm of how likely the answers so far are, for each rate.
    answers: Vec<[f64; RATES.len()]>,
    /// Statements that count already.
    counted: FxHashSet<u32>,
}

impl Belief {
    pub(crate) fn new(shape: &Shape) -> Belief {
        let mut numbers: FxHashMap<u32, PieceIx> = FxHashMap::default();
        let mut prior: Vec<f64> = Vec::new();
        let mut pieces = vec![0; shape.len()];
        for node in shape.nodes().skip(1) {
            let facts = shape.facts(node);
            let piece = *numbers.entry(facts.suspect).or_insert_with(|| {
                prior.push(f64::from(facts.size.max(1)));
                prior.len() - 1
            });
            pieces[node.index()] = piece;
        }
        let answers = vec![[0.0; RATES.len()]; prior.len()];
        Belief { pieces, prior, numbers, answers, counted: FxHashSet::default() }
    }

    /// Makes a piece more likely than others.
    pub(crate) fn suspect(&mut self, suspect: u32, suspicion: f64) {
        if let Some(&piece) = self.numbers.get(&suspect) {
            self.prior[piece] *= suspicion.max(f64::MIN_POSITIVE);
        }
    }

    /// Forgets all answers.
    pub(crate) fn forget(&mut self) {
        self.answers.fill([0.0; RATES.len()]);
        self.counted.clear();
    }

    /// A statement is right: all that ran in it came out right.
    pub(crate) fn right(&mut self, shape: &Shape, node: NodeIx) {
        for at in node.0..shape.end(node).0 {
            if self.counted.insert(shape.facts(NodeIx(at)).statement) {
                let answers = &mut self.answers[self.pieces[at as usize]];
                answers.iter_mut().zip(RATES).for_each(|(sum, rate)| *sum += (1.0 - rate).ln());
            }
        }
    }

    /// The candidate below a wrong node to ask about.
    pub(crate) fn choose(
        &self,
        shape: &Shape,
        root: NodeIx,
        candidates: &[NodeIx],
    ) -> Option<NodeIx> {
        let here = Here::new(self, root, candidates);
        let ends: Vec<usize> = candidates
            .iter()
            .map(|&node| candidates.partition_point(|&other| other < shape.end(node)))
            .collect();
        let mut best: Option<(f64, usize)> = None;
        for at in looked_at(&ends) {
            let worth = here.worth(at, ends[at]);
            // Of those that tell the same the last: it is the smallest of a chain of calls.
            if best.is_none_or(|(most, _)| worth >= most - 1e-9) {
                best = Some((worth, at));
            }
        }
        best.map(|(_, at)| candidates[at])
    }
}

/// Candidates to look at, in their order: all of them, or some of each size.
fn looked_at(ends: &[usize]) -> Vec<usize> {
    let mut of_size: Vec<Vec<usize>> = Vec::new();
    for (at, end) in ends.iter().enumerate() {
        let class = (end - at).max(1).ilog2() as usize;
        if of_size.len() <= class {
            of_size.resize(class + 1, Vec::new());
        }
        of_size[class].push(at);
    }
    let some = |of_size: Vec<usize>| {
        let step = of_size.len().div_ceil(MOST_OF_A_SIZE).max(1);
        of_size.into_iter().step_by(step)
    };
    let mut all: Vec<usize> = of_size.into_iter().flat_map(some).collect();
    all.sort_unstable();
    all
}

/// The pieces that are left below a wrong node.
struct Here {
    left: Vec<Left>,
}

struct Left {
    /// The places of its candidates among them all.
    at: Vec<usize>,
    /// How often it ran.
    times: f64,
    /// How likely it is, for each rate.
    likely: [f64; RATES.len()],
}

/// How likely it is that so many times show a fault.
fn shows(rate: f64, times: f64) -> f64 {
    1.0 - ((1.0 - rate).ln() * times).exp()
}

/// How little the answer to a question that is answered in one way with this probability is known.
fn doubt(probability: f64) -> f64 {
    let part = probability.clamp(1e-12, 1.0 - 1e-12);
    -(part * part.log2() + (1.0 - part) * (1.0 - part).log2())
}

impl Here {
    fn new(belief: &Belief, root: NodeIx, candidates: &[NodeIx]) -> Here {
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); belief.prior.len()];
        for (place, node) in candidates.iter().enumerate() {
            at[belief.pieces[node.index()]].push(place);
        }
        let root = Some(root).filter(|&root| root != NodeIx::ROOT);
        let root = root.map(|root| belief.pieces[root.index()]);
        let mut left: Vec<Left> = Vec::new();
        let most = belief.answers.iter().flatten().copied().fold(f64::MIN, f64::max);
        for (piece, at) in at.into_iter().enumerate() {
            let times = at.len() as f64 + f64::from(u8::from(root == Some(piece)));
            if times > 0.0 {
                let likely =
                    belief.answers[piece].map(|sum| belief.prior[piece] * (sum - most).exp());
                left.push(Left { at, times, likely });
            }
        }
        let total: f64 = left.iter().flat_map(|left| left.likely).sum();
        for left in &mut left {
            left.likely = left.likely.map(|likely| likely / total);
        }
        Here { left }
    }

    /// What the answer about a candidate tells, whose subtree is up to `end`.
    fn worth(&self, at: usize, end: usize) -> f64 {
        let (mut wrong, mut known) = (0.0, 0.0);
        for left in &self.left {
            let first = left.at.partition_point(|&place| place < at);
            let times = left.at[first..].partition_point(|&place| place < end) as f64;
            if times == 0.0 {
                continue;
            }
            for (likely, rate) in left.likely.into_iter().zip(RATES) {
                let shown = (shows(rate, times) / shows(rate, left.times)).min(1.0);
                wrong += likely * shown;
                known += likely * doubt(shown);
            }
        }
        doubt(wrong) - KNOWN_PIECE * known
    }
}
