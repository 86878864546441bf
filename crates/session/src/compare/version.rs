//! One of two versions: a node on which inputs are run and watched.

use std::rc::Rc;
use std::sync::Arc;

use ::compare::Function;
use ::compare::watch::{End, Observation, Watcher};
use ::inputs::Input;
use machine::Ending;
use machine::observe::{Event, Interest, Mark, Moment, Observer};
use program::Program;
use runner::limits::Limits;
use runner::loader::ProgramLoader;
use runner::scheduler::{InTurn, Scheduler, Shuffled};
use runner::world::explored::ExploredWorld;
use term::Term;

use super::{Request, Side, points};
use crate::inputs::goals::Goals;
use crate::inputs::stand::{self, Stand};
use crate::reading::Reader;
use crate::run::{ending_of, shown};
use crate::{Control, Error, open};

/// Calls that one run may make, unless it is said otherwise.
pub(super) const STEPS: u64 = 200_000;

/// In how many other orders the processes of a run are run where it makes some.
const ORDERS: u64 = 3;

pub(super) struct Version {
    stand: Stand,
    /// The same, begun later and with other random numbers; made when it is needed.
    later: Option<Stand>,
    watcher: Rc<Watcher>,
    recipe: Recipe,
}

/// What a node is made of.
struct Recipe {
    program: Arc<Program>,
    function: Function,
    request: Request,
    permissions: runner::world::permissions::Permissions,
    limits: Limits,
    transforms: Limits,
}

/// What a run showed.
pub(super) struct Shown {
    pub(super) observation: Observation,
    pub(super) end: Ending,
    pub(super) kind: &'static str,
    pub(super) goals: Vec<u32>,
    pub(super) hints: Vec<u32>,
    /// How many calls it made, if it came to its end.
    pub(super) calls: Option<u64>,
    /// Whether there are processes beside the one that was called.
    is_concurrent: bool,
}

impl Version {
    pub(super) fn new(
        request: &Request,
        paths: &[std::path::PathBuf],
        program: &Arc<Program>,
        reader: &Reader,
        function: Function,
        control: &Control,
    ) -> Result<Version, Error> {
        let limits = request.running.limits(control)?;
        let recipe = Recipe {
            program: Arc::clone(program),
            function,
            request: request.clone(),
            permissions: request.running.permissions(paths, reader)?,
            limits: Limits { steps: limits.steps.or(Some(STEPS)), ..limits },
            transforms: request.running.limits_of_transforms(control)?,
        };
        let watcher = Rc::new(Watcher::new(points()));
        Ok(Version { stand: recipe.stand(0)?, later: None, watcher, recipe })
    }

    pub(super) fn run(&mut self, input: &Input) -> Shown {
        run(&mut self.stand, &self.watcher, input, &mut InTurn)
    }

    /// What the same input shows later, and, if there are several processes, in other orders.
    pub(super) fn others(&mut self, input: &Input, first: &Shown) -> Result<Vec<Shown>, Error> {
        if self.later.is_none() {
            let mut later = self.recipe.stand(1)?;
            later.begin_later();
            self.later = Some(later);
        }
        let Some(later) = &mut self.later else { return Ok(Vec::new()) };
        let mut others = vec![run(later, &self.watcher, input, &mut InTurn)];
        if first.is_concurrent {
            for seed in 1..=ORDERS {
                others.push(run(later, &self.watcher, input, &mut Shuffled::new(seed)));
            }
        }
        Ok(others)
    }

    /// What a run showed, as data. It must be the last that was run.
    pub(super) fn side(&self, shown_by: &Shown) -> Side {
        let sent = shown_by.observation.sent.iter();
        Side {
            ending: ending_of(self.stand.machine(), &shown_by.end),
            output: shown_by.observation.output.clone(),
            sent: sent.map(|(_, message)| shown(message)).collect(),
        }
    }
}

impl Recipe {
    fn stand(&self, seed: u64) -> Result<Stand, Error> {
        let running = &self.request.running;
        let loader = ProgramLoader::new(Arc::clone(&self.program), running.prefer());
        loader.mark_own();
        loader.limit_transforms(&self.transforms);
        let loader = Rc::new(loader);
        let seed = running.seed.unwrap_or(0).wrapping_add(seed);
        let world = Rc::new(ExploredWorld::new(self.permissions.clone(), seed));
        let machine = open::boot_quiet(&loader, world)?;
        let (module, (name, _)) = self.function;
        let subject = stand::Subject::Function(module, name);
        Stand::new(loader, machine, subject, self.limits.clone())
    }
}

fn run(
    stand: &mut Stand,
    watcher: &Rc<Watcher>,
    input: &Input,
    scheduler: &mut dyn Scheduler,
) -> Shown {
    let goals = Rc::clone(stand.goals());
    let both = Rc::new(Both { goals, watcher: Rc::clone(watcher) });
    let end = stand.run_watched(input, scheduler, |stand_ins| {
        watcher.begin(stand_ins.iter().copied());
        both
    });
    let (reached, hints) = stand.goals().take();
    let observation = watcher.take(end_of(&end, stand));
    Shown {
        kind: crate::inputs::kind_of(&end),
        calls: (!matches!(end, Ending::Bound { .. })).then(|| stand.calls()),
        is_concurrent: observation.spawned,
        observation,
        end,
        goals: reached,
        hints,
    }
}

/// How a run ended, as far as that says something about the program.
fn end_of(end: &Ending, stand: &Stand) -> End {
    // What fails because native code is missing says nothing.
    if !stand.machine().missed_natives().is_empty() {
        return End::Unknown;
    }
    match end {
        Ending::Returned(value) => End::Returned(value.clone()),
        Ending::Raised(crash) => {
            End::Raised { class: crash.class.atom(), reason: crash.reason.clone() }
        }
        Ending::Ended(reason) => End::Ended(reason.clone()),
        Ending::Halted(status) => End::Halted(*status),
        Ending::Quiescent => End::Blocked,
        Ending::Bound { .. } | Ending::Spins(_) | Ending::Repeats(_) => End::Bound,
        Ending::Unsupported { .. } | Ending::NotStarted(_) => End::Unknown,
    }
}

/// Who counts what is reached, and who looks at values.
struct Both {
    goals: Rc<Goals>,
    watcher: Rc<Watcher>,
}

impl Observer for Both {
    fn interest(&self) -> Interest {
        self.goals.interest().and(self.watcher.interest())
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        self.watcher.event(moment, event);
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        self.goals.mark(moment, mark);
    }

    fn value(&self, moment: &Moment<'_>, value: &Term) {
        self.watcher.value(moment, value);
    }
}
