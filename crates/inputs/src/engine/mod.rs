//! Which input is run next, and which are kept.
//!
//! Whoever has a program to run gives the engine a closure: run this input and say what it reached
//! (numbers of goals) and whether it failed. An input that reaches a goal for the first time is
//! kept. The next input is a fresh one, or one that was kept with a part changed; those are
//! preferred that reached what few runs reach. When an input is kept, it is *probed*: the constants
//! of the program are put at its places, one at a time.
//!
//! Everything follows from the seed and from what runs answer; the budget is a number of runs, and
//! the closure may end the work before (a limit of time, say).

mod probe;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use types::Type;

use crate::shrink::shrink;
use crate::weight::weight;
use crate::{Constants, Generator, Input, NoValue, Shape};

/// How inputs are looked for.
#[derive(Clone, Debug)]
pub struct Options {
    pub seed: u64,
    /// How many inputs are run.
    pub runs: u64,
    /// Whether what runs reach, and what the program writes, guides; else inputs are made from
    /// types alone.
    pub guided: bool,
    /// How many inputs are run at most to make a failing one small.
    pub shrinking: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 0, runs: 1000, guided: true, shrinking: 2000 }
    }
}

/// What a run of an input came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Goals, each once at least.
    pub goals: Vec<u32>,
    /// What is no goal but shows that this run differs from others: it leads on, and does not
    /// count.
    pub hints: Vec<u32>,
    /// If it failed, how: failures with the same text are the same.
    pub failure: Option<String>,
}

/// An input that is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    pub input: Input,
    pub ty: Type,
    /// All that it reached, in order.
    pub goals: Vec<u32>,
    /// In which run it was found, from 1.
    pub run: u64,
}

/// A failure.
#[derive(Clone, Debug)]
pub struct Failure {
    pub failure: String,
    /// The first input that failed so.
    pub found: Input,
    /// The smallest that shrinking came to.
    pub input: Input,
    /// Whether no single step makes it smaller.
    pub is_minimal: bool,
    pub run: u64,
}

/// What came of all runs.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// A smallest set of inputs that reaches everything that was reached: none can be left out.
    pub kept: Vec<Kept>,
    /// In the order in which they were found.
    pub failures: Vec<Failure>,
    pub goals: BTreeSet<u32>,
    pub runs: u64,
    /// Runs that made failing inputs smaller.
    pub shrinking: u64,
    /// Whether there were no more inputs than these.
    pub exhausted: bool,
    /// After how many runs how many goals were reached, where that changed.
    pub history: Vec<(u64, usize)>,
}

/// Runs an input; none if the work is to end.
pub type Run<'a> = &'a mut dyn FnMut(&Input) -> Option<Reached>;

/// Looks for inputs.
#[derive(Debug)]
pub struct Engine {
    shapes: Vec<Shape>,
    constants: Rc<Constants>,
    generator: Generator,
    options: Options,
    kept: Vec<Entry>,
    /// How many runs reached a goal, and a hint.
    hits: FxHashMap<u32, u64>,
    hinted: FxHashMap<u32, u64>,
    /// What was run.
    seen: FxHashSet<Input>,
    /// What is to be run soon.
    probes: VecDeque<(Input, Type)>,
    /// How the last input was made, and how good that is.
    way: Way,
    credits: [usize; 3],
    failures: BTreeMap<String, (Input, Type, u64)>,
    answer: Answer,
}

#[derive(Clone, Debug)]
struct Entry {
    kept: Kept,
    hints: Vec<u32>,
    /// How often it was changed.
    used: u64,
}

/// How an input is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Fresh,
    Probe,
    Changed,
}

impl Way {
    const ALL: [Way; 3] = [Way::Fresh, Way::Probe, Way::Changed];
}

/// What a way to make inputs has, at first, at least and at most, and what it gets for something
/// new.
const CREDITS: [usize; 3] = [60, 40, 60];
const LEAST_CREDIT: usize = 30;
const MOST_CREDIT: usize = 120;
const REWARD: usize = 12;

/// Tries to make an input that was not run yet, before it is believed that there is none.
const TRIES: u32 = 60;

impl Engine {
    /// `Err` if a shape has no values. No shape at all has none, either.
    pub fn new(
        shapes: Vec<Shape>,
        constants: Rc<Constants>,
        options: Options,
    ) -> Result<Engine, NoValue> {
        let known = if options.guided { Rc::clone(&constants) } else { Rc::default() };
        let mut generator = Generator::new(options.seed, known);
        let mut usable = Vec::new();
        let mut first = Type::None;
        for shape in shapes {
            let ground = shape.ground();
            if generator.has_values(&ground) {
                usable.push(shape);
            } else if first.is_none() {
                first = ground;
            }
        }
        if usable.is_empty() {
            return Err(NoValue { ty: first });
        }
        Ok(Engine {
            shapes: usable,
            constants,
            generator,
            options,
            kept: Vec::new(),
            hits: FxHashMap::default(),
            hinted: FxHashMap::default(),
            seen: FxHashSet::default(),
            probes: VecDeque::new(),
            way: Way::Fresh,
            credits: CREDITS,
            failures: BTreeMap::new(),
            answer: Answer::default(),
        })
    }

    /// Runs inputs until the budget is used up: first those that are known already.
    pub fn run(mut self, known: &[Input], run: Run<'_>) -> Answer {
        for input in known {
            let ground = self.shapes.iter().map(Shape::ground);
            let Some(ty) = ground.into_iter().find(|ty| input.is_of(ty)) else { continue };
            if self.seen.insert(input.clone()) && self.one(input.clone(), ty, run).is_none() {
                return self.done(run);
            }
        }
        while self.answer.runs < self.options.runs {
            let Some((input, ty)) = self.next() else {
                self.answer.exhausted = true;
                break;
            };
            if self.one(input, ty, run).is_none() {
                break;
            }
        }
        self.done(run)
    }

    /// An input that was not run yet.
    fn next(&mut self) -> Option<(Input, Type)> {
        for _ in 0..TRIES {
            let (input, ty) = self.any_input()?;
            if self.seen.insert(input.clone()) {
                return Some((input, ty));
            }
        }
        None
    }

    fn any_input(&mut self) -> Option<(Input, Type)> {
        let runs = self.answer.runs;
        let guided = self.options.guided && !self.kept.is_empty();
        self.way = if guided { self.a_way() } else { Way::Fresh };
        if self.way == Way::Probe {
            match self.probes.pop_front() {
                Some(probe) => return Some(probe),
                None => self.way = Way::Changed,
            }
        }
        if self.way == Way::Changed {
            let place = self.chosen();
            let entry = &mut self.kept[place];
            entry.used += 1;
            let (input, ty) = (entry.kept.input.clone(), entry.kept.ty.clone());
            let others: Vec<&Input> = self.kept.iter().map(|entry| &entry.kept.input).collect();
            let mutated = self.generator.mutated(&ty, &input, &others);
            return Some((mutated, ty));
        }
        // Sizes grow, again and again.
        let size = 1 + (runs % 50) as u32 * 2;
        let shape = &self.shapes[self.generator.random.below(self.shapes.len())];
        let ty = shape.instance(&mut self.generator.random);
        let input = match self.generator.value(&ty, size) {
            Ok(input) => input,
            // What was chosen for a variable may have no values with the rest.
            Err(_) => self.generator.value(&shape.ground(), size).ok()?,
        };
        Some((input, ty))
    }

    /// How the next input is made: ways that found something lately are taken more often.
    fn a_way(&mut self) -> Way {
        let mut place = self.generator.random.below(self.credits.iter().sum());
        for (way, credit) in Way::ALL.into_iter().zip(self.credits) {
            match place.checked_sub(credit) {
                Some(rest) => place = rest,
                None => return way,
            }
        }
        Way::Fresh
    }

    /// The last input was worth running, or was not.
    fn judge(&mut self, found: bool) {
        let credit = &mut self.credits[self.way as usize];
        *credit -= *credit / 24;
        if found {
            *credit += REWARD;
        }
        *credit = (*credit).clamp(LEAST_CREDIT, MOST_CREDIT);
    }

    /// Which of the inputs that are kept is changed next: of a few the one that reached what
    /// fewest runs reached, and that was used least.
    fn chosen(&mut self) -> usize {
        let count = self.kept.len();
        if self.generator.random.once_in(4) {
            // What is new leads on.
            return count - 1 - self.generator.random.below(count.min(3));
        }
        let few = (0..3).map(|_| self.generator.random.below(count)).collect::<Vec<_>>();
        let rarity = |place: usize| {
            let entry = &self.kept[place];
            let goals = entry.kept.goals.iter().filter_map(|goal| self.hits.get(goal));
            let hints = entry.hints.iter().filter_map(|hint| self.hinted.get(hint));
            let rarest = goals.chain(hints).min().copied().unwrap_or(0);
            (rarest + entry.used, place)
        };
        few.into_iter().min_by_key(|&place| rarity(place)).unwrap_or(0)
    }

    /// Runs an input and takes note; none if the work is to end.
    fn one(&mut self, input: Input, ty: Type, run: Run<'_>) -> Option<()> {
        let Reached { mut goals, hints, failure } = run(&input)?;
        self.answer.runs += 1;
        let at = self.answer.runs;
        goals.sort_unstable();
        goals.dedup();
        if let Some(failure) = failure {
            self.failures.entry(failure).or_insert_with(|| (input.clone(), ty.clone(), at));
        }
        let known = self.answer.goals.len();
        for &goal in &goals {
            self.answer.goals.insert(goal);
            *self.hits.entry(goal).or_default() += 1;
        }
        let is_new = self.answer.goals.len() > known;
        let mut leads_on = false;
        for &hint in &hints {
            let hits = self.hinted.entry(hint).or_default();
            leads_on |= *hits == 0;
            *hits += 1;
        }
        self.judge(is_new || leads_on);
        if is_new {
            self.answer.history.push((at, self.answer.goals.len()));
            if self.options.guided {
                let random = &mut self.generator.random;
                probe::probes(&ty, &input, &self.constants, random, &mut self.probes);
            }
        }
        if is_new || leads_on {
            self.kept.push(Entry { kept: Kept { input, ty, goals, run: at }, hints, used: 0 });
        } else if let Some(same) = self.kept.iter_mut().find(|entry| entry.kept.goals == goals)
            && weight(&input) < weight(&same.kept.input)
        {
            // The same with less.
            (same.kept.input, same.kept.ty) = (input, ty);
        }
        Some(())
    }

    /// Makes failing inputs small and leaves out what is not needed.
    fn done(mut self, run: Run<'_>) -> Answer {
        let mut failures: Vec<_> = std::mem::take(&mut self.failures).into_iter().collect();
        failures.sort_by_key(|(_, (_, _, at))| *at);
        for (failure, (found, ty, at)) in failures {
            let mut is_over = false;
            let shrunk = shrink(&ty, &found, self.options.shrinking, &mut |input| {
                let reached = if is_over { None } else { run(input) };
                is_over |= reached.is_none();
                reached.is_some_and(|reached| reached.failure.as_ref() == Some(&failure))
            });
            self.answer.shrinking += shrunk.tried;
            let (input, is_minimal) = (shrunk.input, shrunk.is_minimal && !is_over);
            self.answer.failures.push(Failure { failure, found, input, is_minimal, run: at });
        }
        let kept = self.kept.into_iter().map(|entry| entry.kept).collect();
        Answer { kept: needed(kept), ..self.answer }
    }
}

/// As few of these inputs as reach everything that all of them reach: the one that reaches most
/// of the rest, again and again, the smaller one first; then those that others made needless go.
fn needed(mut all: Vec<Kept>) -> Vec<Kept> {
    let mut open: BTreeSet<u32> = all.iter().flat_map(|kept| kept.goals.iter().copied()).collect();
    let mut chosen: Vec<Kept> = Vec::new();
    while !open.is_empty() {
        let gain = |kept: &Kept| kept.goals.iter().filter(|goal| open.contains(goal)).count();
        let order = |kept: &Kept| (std::cmp::Reverse(gain(kept)), weight(&kept.input));
        let Some(best) = (0..all.len()).min_by_key(|&place| order(&all[place])) else { break };
        let best = all.remove(best);
        best.goals.iter().for_each(|goal| _ = open.remove(goal));
        chosen.push(best);
    }
    let mut place = 0;
    while place < chosen.len() {
        let others = chosen.iter().enumerate().filter(|(at, _)| *at != place);
        let others: BTreeSet<u32> = others.flat_map(|(_, kept)| &kept.goals).copied().collect();
        if chosen[place].goals.iter().all(|goal| others.contains(goal)) {
            chosen.remove(place);
        } else {
            place += 1;
        }
    }
    chosen.sort_by_key(|kept| kept.run);
    chosen
}
