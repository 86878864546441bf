//! One of two versions: a node on which inputs are run and watched.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use ::compare::watch::{End, Observation, Points, Watcher};
use ::compare::{Function, Point};
use ::inputs::Input;
use atom::Atom;
use machine::Ending;
use machine::observe::{Event, Interest, Mark, Moment, Observer};
use program::Program;
use runner::limits::Limits;
use runner::loader::ProgramLoader;
use runner::scheduler::{InTurn, Scheduler, Shuffled};
use runner::world::explored::ExploredWorld;
use runner::world::permissions::Permissions;
use syntax::ast::Kind;
use term::Term;

use super::schedules::{self, Behaviours};
use super::{Reach, Request, Side};
use crate::debug::same::is_data;
use crate::inputs::goals::Goals;
use crate::inputs::stand::{self, Stand};
use crate::inputs::subject::Subject;
use crate::reading::Reader;
use crate::run::{ending_of, shown};
use crate::running::Running;
use crate::{Control, Error, contracts, open};

/// Calls that one run may make, unless it is said otherwise.
pub(super) const STEPS: u64 = 200_000;

/// Calls that one run may make where it is known that a version does not end for some inputs.
pub(super) const FEW_STEPS: u64 = 20_000;

/// In how many other orders the processes of a run are run where it makes some.
const ORDERS: u64 = 3;

pub(super) struct Version {
    stand: Option<Stand>,
    /// The same, begun later and with other random numbers; made when it is needed.
    later: Option<Stand>,
    goals: Rc<Goals>,
    watcher: Rc<Watcher>,
    recipe: Recipe,
}

/// What a node is made of.
struct Recipe {
    program: Arc<Program>,
    running: Running,
    aimed: Option<Aim>,
    /// Whether points are expressions.
    shows_values: bool,
    permissions: Permissions,
    limits: Limits,
    transforms: Limits,
}

/// What a run showed.
pub(super) struct Shown {
    pub(super) observation: Observation,
    pub(super) end: Ending,
    pub(super) goals: Vec<u32>,
    pub(super) hints: Vec<u32>,
    /// How many calls it made, if it came to its end.
    pub(super) calls: Option<u64>,
}

impl Version {
    pub(super) fn new(
        request: &Request,
        paths: &[PathBuf],
        program: &Arc<Program>,
        points: Points,
        control: &Control,
    ) -> Result<Version, Error> {
        let limits = request.running.limits(control)?;
        let reader = Reader::new(&request.reading)?;
        let recipe = Recipe {
            program: Arc::clone(program),
            running: request.running.clone(),
            aimed: None,
            shows_values: !points.nodes.is_empty(),
            permissions: request.running.permissions(paths, &reader)?,
            limits: Limits { steps: limits.steps.or(Some(STEPS)), ..limits },
            transforms: request.running.limits_of_transforms(control)?,
        };
        let watcher = Rc::new(Watcher::new(points));
        Ok(Version { stand: None, later: None, goals: Rc::default(), watcher, recipe })
    }

    /// Inputs are for this from now on.
    pub(super) fn aim(&mut self, subject: &Subject) -> Result<(), Error> {
        let aim = Aim {
            subject: subject.subject,
            start: subject.start.clone().map(|(name, args)| (subject.module, name, args)),
        };
        for stand in [&mut self.stand, &mut self.later].into_iter().flatten() {
            stand.aim(aim.subject)?;
            aim.start(stand)?;
        }
        self.recipe.aimed = Some(aim);
        if self.stand.is_none() {
            self.stand = Some(self.recipe.stand(0)?);
        }
        Ok(())
    }

    pub(super) fn run(&mut self, input: &Input) -> Result<Shown, Error> {
        let Some(stand) = &mut self.stand else { return Err(Error::NothingToRun) };
        Ok(run(stand, &self.goals, &self.watcher, input, &mut InTurn))
    }

    /// What an input shows within few calls.
    pub(super) fn run_briefly(&mut self, input: &Input) -> Result<Shown, Error> {
        let Some(stand) = &mut self.stand else { return Err(Error::NothingToRun) };
        let most = self.recipe.limits.steps;
        stand.limit(most.map(|most| most.min(FEW_STEPS)));
        let shown = run(stand, &self.goals, &self.watcher, input, &mut InTurn);
        stand.limit(most);
        Ok(shown)
    }

    /// What an input shows in an order: the first is in turn, the others are chosen by chance, the
    /// same for each version.
    pub(super) fn run_in_order(&mut self, input: &Input, order: u64) -> Result<Shown, Error> {
        if order == 0 {
            return self.run(input);
        }
        let Some(stand) = &mut self.stand else { return Err(Error::NothingToRun) };
        Ok(run(stand, &self.goals, &self.watcher, input, &mut Shuffled::new(order)))
    }

    /// What the same input shows later, and, if there are several processes, in other orders.
    pub(super) fn others(
        &mut self,
        input: &Input,
        first: &Shown,
        briefly: bool,
    ) -> Result<Vec<Shown>, Error> {
        if self.later.is_none() {
            self.later = Some(self.recipe.stand(1)?);
        }
        let Some(later) = &mut self.later else { return Ok(Vec::new()) };
        let most = self.recipe.limits.steps;
        later.limit(if briefly { most.map(|most| most.min(FEW_STEPS)) } else { most });
        let mut run = |scheduler: &mut dyn Scheduler| {
            let goals = Rc::clone(later.goals());
            run(later, &goals, &self.watcher, input, scheduler)
        };
        let mut others = vec![run(&mut InTurn)];
        if first.observation.spawned {
            others.extend((1..=ORDERS).map(|seed| run(&mut Shuffled::new(seed))));
        }
        Ok(others)
    }

    /// What an input shows, with the calls that led to the points.
    pub(super) fn run_with_stacks(&mut self, input: &Input) -> Result<Shown, Error> {
        self.watcher.note_stacks(true);
        let shown = self.run(input);
        self.watcher.note_stacks(false);
        shown
    }

    /// What an input leads to under all schedules.
    pub(super) fn explore(
        &mut self,
        input: &Input,
        limits: schedules::Limits,
        control: &Control,
    ) -> Option<Behaviours> {
        let (machine, main, outside) = self.stand.as_mut()?.driven(input);
        Some(schedules::explore(&machine, main, &outside, limits, control))
    }

    /// What a run showed, as data, values at points up to the one at a place. It must be the last
    /// that was run.
    pub(super) fn side(&self, of: &Shown, place: usize) -> Side {
        let seen = of.observation.seen.iter().take(place + 1).map(|seen| match seen.point {
            Point::Asked(number) => (number, shown(&seen.value)),
            _ => (0, shown(&seen.value)),
        });
        let last = of.observation.seen.get(place);
        let point_call = last.and_then(|seen| seen.call.as_ref()).map(|(module, name, args)| {
            let quote = |name: &Atom| atom::quote::atom(name.as_str());
            let args: Vec<String> = args.iter().map(shown).collect();
            format!("{}:{}({})", quote(module), quote(name), args.join(", "))
        });
        let stack = last.map_or(&[][..], |seen| &seen.stack);
        let stack = stack.iter().map(|(module, line)| (module.to_string(), *line)).collect();
        let sent = of.observation.sent.iter();
        let ending = match &self.stand {
            Some(stand) => ending_of(stand.machine(), &of.end),
            None => machine::Ending::Quiescent,
        };
        let is_plain = match &of.observation.end {
            End::Returned(value) | End::Raised { reason: value, .. } => is_data(value),
            _ => false,
        };
        Side {
            ending,
            is_plain,
            output: of.observation.output.clone(),
            seen: seen.collect(),
            point_call,
            stack,
            sent: sent.map(|(_, message)| shown(message)).collect(),
            behaviours: Vec::new(),
        }
    }

    /// How many clauses of functions were chosen.
    pub(super) fn reach(
        &self,
        program: &Program,
        functions: impl Iterator<Item = Function>,
    ) -> Reach {
        let mut reach = Reach::default();
        for (module, function) in functions {
            let Some(module) = program.module(module) else { continue };
            let Some(&form) = module.index.functions.get(function) else { continue };
            module.tree.for_each_below(form, |node| {
                if let Kind::Clause { .. } = module.tree.kind(node) {
                    let goal = (module.name, node, Mark::Chosen);
                    reach.all += 1;
                    reach.reached += usize::from(self.goals.number(goal).is_some());
                }
            });
        }
        reach
    }
}

/// What inputs are for, and how it is started.
struct Aim {
    subject: stand::Subject,
    start: Option<(Atom, Atom, Input)>,
}

impl Aim {
    fn start(&self, stand: &mut Stand) -> Result<(), Error> {
        match &self.start {
            Some((module, function, args)) => stand.start(*module, *function, args),
            None => Ok(()),
        }
    }
}

impl Recipe {
    /// A node; one with another number begins later and has other random numbers.
    fn stand(&self, number: u64) -> Result<Stand, Error> {
        let Some(aim) = &self.aimed else { return Err(Error::NothingToRun) };
        let loader = ProgramLoader::new(Arc::clone(&self.program), self.running.prefer());
        match self.shows_values {
            true => loader.show_own(),
            false => loader.mark_own(),
        }
        if let Some(contracting) = self.running.contracts {
            contracts::begin_woven(contracting, &self.program, &loader);
        }
        loader.limit_transforms(&self.transforms);
        let loader = Rc::new(loader);
        let seed = self.running.seed.unwrap_or(0).wrapping_add(number);
        let world = Rc::new(ExploredWorld::new(self.permissions.clone(), seed));
        let machine = open::boot_quiet(&loader, world)?;
        let mut stand = Stand::new(loader, machine, aim.subject, self.limits.clone())?;
        if number > 0 {
            stand.begin_later();
        }
        aim.start(&mut stand)?;
        Ok(stand)
    }
}

fn run(
    stand: &mut Stand,
    goals: &Rc<Goals>,
    watcher: &Rc<Watcher>,
    input: &Input,
    scheduler: &mut dyn Scheduler,
) -> Shown {
    let both = Rc::new(Both { goals: Rc::clone(goals), watcher: Rc::clone(watcher) });
    let end = stand.run_watched(input, scheduler, |_, stand_ins| {
        watcher.begin(stand_ins.iter().copied());
        both
    });
    let (reached, hints) = goals.take();
    Shown {
        observation: watcher.take(end_of(&end, stand)),
        calls: (!matches!(end, Ending::Bound { .. })).then(|| stand.calls()),
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
