//! Binaries whose layouts do not agree: every segment that is written is asked for what it has of
//! the parts that patterns take, which are known when all of the program was seen.
//!
//! Segments that are numbers of known sizes, one behind the other, are a *run*: what is so many
//! bits behind one of its places is another of its places, or begins inside of one, and what is
//! taken from there on is a few numbers, which are asked for by the nodes of a tree over them, so
//! that a part of hundreds of numbers needs a dozen edges. What is more than a run has is looked
//! for behind it, shorter by the difference, and so it is with a binary of known size inside a
//! binary.
//!
//! Cost: a few edges for each segment that is written and each different part that patterns of the
//! program take, or that is left of one behind a run; where those are many, a few edges for each
//! segment.

use std::collections::BTreeSet;
use std::ops::Range;

use flow::ModuleId;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::NodeId;

use super::build::Build;
use super::fields::{ANY_PART, PIECE, Reading, SIZE, Stretch};
use super::nodes::Role;
use dependence::{EdgeKind, Label, Node};

/// With more different parts than this, no further differences of their sizes are looked for.
const MOST_STRETCHES: usize = 128;

/// With more pairs of a segment that is written and a part that is taken, parts that do not agree
/// are not told apart.
const MOST_PAIRS: usize = 20_000;

/// A place in a binary that is made: what is before it is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) module: ModuleId,
    pub(crate) node: NodeId,
    /// The binary from there on.
    pub(crate) cell: Node,
    /// A number, or a text, and its size if it is known.
    pub(crate) number: Option<Node>,
    pub(crate) known: Option<(Reading, u32)>,
    /// What is behind it.
    pub(crate) next: Option<Node>,
}

/// What is known of the binaries of a program while its graph is made.
#[derive(Debug, Default)]
pub(crate) struct Layouts {
    /// What patterns take out of binaries.
    taken: BTreeSet<Stretch>,
    /// Those of one binary are one behind the other.
    places: Vec<Place>,
    /// The end of each binary all of whose sizes are known.
    ends: FxHashMap<(ModuleId, NodeId), Node>,
    /// Ends behind which another binary begins.
    continued: FxHashSet<Node>,
}

/// What is asked for of the rest behind a segment.
enum Rest {
    Nothing,
    All,
    Part(Stretch),
}

impl Layouts {
    pub(crate) fn take(&mut self, stretch: Stretch) {
        self.taken.insert(stretch);
    }

    pub(crate) fn put(&mut self, place: Place) {
        self.places.push(place);
    }

    /// A binary all of whose sizes are known ends at a node.
    pub(crate) fn ends_at(&mut self, module: ModuleId, binary: NodeId, end: Node) {
        self.ends.insert((module, binary), end);
    }

    pub(crate) fn end(&self, module: ModuleId, binary: NodeId) -> Option<Node> {
        self.ends.get(&(module, binary)).copied()
    }

    /// At the end of what was put there another binary begins.
    pub(crate) fn goes_on(&mut self, end: Node) {
        self.continued.insert(end);
    }

    /// Connects everything that is put into binaries with what patterns take that is not exactly
    /// that.
    pub(crate) fn connect(build: &mut Build<'_>) {
        let mut layouts = std::mem::take(&mut build.binaries);
        let is_large = layouts.taken.len() * layouts.places.len() > MOST_PAIRS;
        let runs = layouts.runs();
        if !is_large {
            layouts.add_differences(&runs);
        }
        let Layouts { taken, places, .. } = layouts;
        let mut pieces = Vec::with_capacity(places.len());
        for place in &places {
            let number = place.number.map(|node| place.piece(build, node));
            let rest = place.next.map(|node| place.piece(build, node));
            pieces.push((number, rest));
            if is_large {
                place.connect_others(build, number.into_iter().chain(rest));
            } else if !place.is_number() {
                taken.iter().for_each(|&part| place.connect(build, part, &taken, (number, rest)));
            }
        }
        for run in runs.iter().filter(|_| !is_large) {
            run.connect(build, &places[run.range.clone()], &pieces[run.range.clone()], &taken);
        }
    }

    fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut first = 0;
        while first < self.places.len() {
            let Some(run) = self.run(first) else {
                first += 1;
                continue;
            };
            first = run.range.end;
            runs.push(run);
        }
        runs
    }

    /// The run that begins at a place.
    fn run(&self, first: usize) -> Option<Run> {
        let mut offsets: Vec<u32> = vec![0];
        let mut end = None;
        let mut at = first;
        while let Some(place) = self.places.get(at)
            && place.is_number()
            && (at == first || end == Some(place.cell))
            && let Some((_, bits)) = place.known
            // Longer ones are several.
            && let Some(offset) = offsets[at - first].checked_add(bits)
        {
            offsets.push(offset);
            end = place.next;
            at += 1;
        }
        let follows = self.places.get(at).map(|place| place.cell);
        let is_open = end.is_some_and(|end| follows == Some(end) || self.continued.contains(&end));
        (at > first).then_some(Run { range: first..at, offsets, is_open })
    }

    /// Adds what is left of what patterns take behind shorter runs, and behind shorter binaries in
    /// binaries.
    fn add_differences(&mut self, runs: &[Run]) {
        let binaries = self.places.iter().filter(|place| !place.is_number());
        let mut lengths: BTreeSet<u32> =
            binaries.filter_map(|place| Some(place.known?.1)).collect();
        for run in runs.iter().filter(|run| run.is_open) {
            lengths.extend(run.offsets.iter().map(|offset| run.length() - offset));
        }
        lengths.remove(&0);
        let most = MOST_STRETCHES.min(MOST_PAIRS / self.places.len().max(1));
        let mut open: Vec<Stretch> = self.taken.iter().copied().collect();
        while let Some(stretch) = open.pop() {
            let (Stretch::First(_, bits) | Stretch::Behind(bits)) = stretch;
            for &length in lengths.range(..bits) {
                let left = stretch.behind(length);
                if self.taken.len() < most && self.taken.insert(left) {
                    open.push(left);
                }
            }
        }
    }
}

impl Stretch {
    /// What is left of it behind so many bits, of which it has more.
    fn behind(self, length: u32) -> Stretch {
        match self {
            Stretch::First(_, bits) => Stretch::First(Reading::Bits, bits - length),
            Stretch::Behind(bits) => Stretch::Behind(bits - length),
        }
    }
}

impl Rest {
    fn part(part: Stretch, taken: &BTreeSet<Stretch>) -> Rest {
        if taken.contains(&part) { Rest::Part(part) } else { Rest::All }
    }
}

impl Place {
    fn is_number(&self) -> bool {
        self.number.is_some() && self.known.is_some() && self.next.is_some()
    }

    /// Whether a part is exactly the segment, or what is behind it: these have edges from the
    /// beginning.
    fn has_edge_for(&self, stretch: Stretch) -> bool {
        self.known.is_some_and(|(reading, bits)| {
            stretch == Stretch::First(reading, bits) || stretch == Stretch::Behind(bits)
        })
    }

    /// A node for all of something that is part of the binary.
    fn piece(&self, build: &mut Build<'_>, part: Node) -> Node {
        let node = build.node(self.module, self.node, Role::Between);
        build.edge(node, part, EdgeKind::Value, Label::All);
        build.edge(self.cell, node, EdgeKind::Value, Label::Close(PIECE));
        node
    }

    /// From where the place begins to what it has of a stretch: to the number, to the rest, or to a
    /// part of that.
    fn connect(
        &self,
        build: &mut Build<'_>,
        stretch: Stretch,
        taken: &BTreeSet<Stretch>,
        (number, rest): (Option<Node>, Option<Node>),
    ) {
        let (has_number, behind) = self.part(stretch, taken);
        if let Some(node) = number.filter(|_| has_number) {
            build.edge(self.cell, node, EdgeKind::Value, Label::Close(stretch.field()));
        }
        if let (Some(rest), Some(next)) = (rest, self.next) {
            self.connect_rest(build, stretch, behind, (rest, next));
        }
    }

    /// From where the place begins to a part of what begins at another node: `all` is all of that.
    fn connect_rest(
        &self,
        build: &mut Build<'_>,
        stretch: Stretch,
        rest: Rest,
        (all, other): (Node, Node),
    ) {
        let label = Label::Close(stretch.field());
        match rest {
            Rest::Nothing => {}
            Rest::All => build.edge(self.cell, all, EdgeKind::Value, label),
            Rest::Part(part) => {
                let node = build.node(self.module, self.node, Role::Between);
                build.edge(self.cell, node, EdgeKind::Value, label);
                build.edge(node, other, EdgeKind::Value, Label::Open(part.field()));
            }
        }
    }

    /// From where the place begins to all that it has, for every part that is not exactly the
    /// segment, what is behind it, or the size. Forward, what is put in may be any part then.
    fn connect_others(&self, build: &mut Build<'_>, all: impl Iterator<Item = Node>) {
        let known = self.known.map(|(reading, bits)| {
            [Stretch::First(reading, bits).field(), Stretch::Behind(bits).field()]
        });
        let mut from = self.cell;
        for field in known.into_iter().flatten().chain([SIZE]) {
            let node = build.node(self.module, self.node, Role::Between);
            build.edge(from, node, EdgeKind::Value, Label::Except(field));
            from = node;
        }
        for node in all {
            build.edge(from, node, EdgeKind::Value, Label::Close(ANY_PART));
        }
    }

    /// Which parts of a place a stretch from there may be: the number itself, and what of the rest.
    /// What is exactly the segment has an edge of its own.
    fn part(&self, stretch: Stretch, taken: &BTreeSet<Stretch>) -> (bool, Rest) {
        let Some((reading, bits)) = self.known else { return (true, Rest::All) };
        match stretch {
            Stretch::First(other, first) if first == bits => (other != reading, Rest::Nothing),
            Stretch::First(_, first) if first < bits => (true, Rest::Nothing),
            Stretch::First(..) => (true, Rest::part(stretch.behind(bits), taken)),
            Stretch::Behind(before) if before == bits => (false, Rest::Nothing),
            Stretch::Behind(before) if before < bits => (true, Rest::All),
            Stretch::Behind(_) => (false, Rest::part(stretch.behind(bits), taken)),
        }
    }
}

/// Numbers of known sizes, one behind the other.
#[derive(Debug)]
struct Run {
    /// Its places.
    range: Range<usize>,
    /// How many bits are before each of them, and before its end.
    offsets: Vec<u32>,
    /// Whether something may be behind it.
    is_open: bool,
}

impl Run {
    fn length(&self) -> u32 {
        self.offsets.last().copied().unwrap_or(0)
    }

    fn connect(
        &self,
        build: &mut Build<'_>,
        places: &[Place],
        pieces: &[(Option<Node>, Option<Node>)],
        taken: &BTreeSet<Stretch>,
    ) {
        let (Some(last), Some(&(_, Some(all_behind)))) = (places.last(), pieces.last()) else {
            return;
        };
        let Some(behind) = last.next else { return };
        let mut numbers = Numbers::new(places, pieces.iter().filter_map(|(number, _)| *number));
        let run_end = u64::from(self.length());
        for (index, place) in places.iter().enumerate() {
            let from = self.offsets[index];
            for &stretch in taken {
                let (Stretch::First(_, length) | Stretch::Behind(length)) = stretch;
                let end = u64::from(from) + u64::from(length);
                // The first place that begins there or later, and none that begins later than the
                // run ends.
                let at = self.offsets.partition_point(|&offset| u64::from(offset) < end);
                let parts = match stretch {
                    _ if place.has_edge_for(stretch) => continue,
                    Stretch::First(..) => {
                        numbers.all(build, index..at.min(places.len()).max(index + 1))
                    }
                    Stretch::Behind(_) if end > run_end => Vec::new(),
                    Stretch::Behind(_) if u64::from(self.offsets[at]) == end => {
                        vec![places.get(at).map_or(behind, |place| place.cell)]
                    }
                    Stretch::Behind(_) => {
                        let (number, rest) = pieces[at.saturating_sub(1)];
                        number.into_iter().chain(rest).collect()
                    }
                };
                for part in parts {
                    build.edge(place.cell, part, EdgeKind::Value, Label::Close(stretch.field()));
                }
                if self.is_open && end > run_end {
                    let rest = Rest::part(stretch.behind(self.length() - from), taken);
                    place.connect_rest(build, stretch, rest, (all_behind, behind));
                }
            }
        }
    }
}

/// A tree over numbers, in an array: behind those with two below are the numbers themselves.
struct Numbers {
    module: ModuleId,
    node: NodeId,
    tree: Vec<Option<Node>>,
}

impl Numbers {
    fn new(places: &[Place], numbers: impl Iterator<Item = Node>) -> Numbers {
        let (module, node) = places
            .first()
            .map_or((ModuleId::new(0), NodeId(0)), |first| (first.module, first.node));
        let mut tree = vec![None; places.len()];
        tree.extend(numbers.map(Some));
        Numbers { module, node, tree }
    }

    /// Nodes that ask for all of some numbers.
    fn all(&mut self, build: &mut Build<'_>, range: Range<usize>) -> Vec<Node> {
        let count = self.tree.len() / 2;
        let (mut first, mut end) = (range.start + count, range.end + count);
        let mut found = Vec::new();
        while first < end {
            if first % 2 == 1 {
                found.extend(self.get(build, first));
                first += 1;
            }
            if end % 2 == 1 {
                end -= 1;
                found.extend(self.get(build, end));
            }
            first /= 2;
            end /= 2;
        }
        found
    }

    /// The node at a place of the tree, made when it is first needed; the tree is not deep.
    fn get(&mut self, build: &mut Build<'_>, at: usize) -> Option<Node> {
        if let Some(found) = *self.tree.get(at)? {
            return Some(found);
        }
        if at == 0 || 2 * at >= self.tree.len() {
            return None;
        }
        let below = [self.get(build, 2 * at), self.get(build, 2 * at + 1)];
        let node = build.node(self.module, self.node, Role::Between);
        for below in below.into_iter().flatten() {
            build.edge(node, below, EdgeKind::Value, Label::All);
        }
        self.tree[at] = Some(node);
        Some(node)
    }
}
