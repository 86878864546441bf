//! A schedule told as a story: who does what, to whom, and where in the source.
//!
//! The schedule is run again and every step noted ([`Moment`]); then, when the names of all
//! processes are known, it is said what each does ([`Action`], made by `telling.rs`) with the
//! arrows of a sequence diagram.
//!
//! Not every step is *shown*. Left out are
//! * steps inside the library that a program's author does not know of: the hand-shakes of
//!   `proc_lib`, monitors of `gen:call`, … A message of a behaviour is told by what it does,
//!   "calls", "casts", "replies", which its form says ([`telling`]);
//! * steps that the failure does not depend on: those that are not in its *past*, the steps that it
//!   comes after in every execution of the same kind. A deadlock is no step; who is stuck is so
//!   because of what did not happen, so all steps of the program are shown.
//!
//! Cost: the run, and a look at each step and what it touches.

pub mod action;
mod cast;
pub(crate) mod past;
mod races;
pub(crate) mod telling;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use atom::Atom;
use machine::footprint::{Class, Kind};
use machine::position::Position;
use machine::step::{Actor, Effect, Log, Prober};
use machine::{CodeSpace, Machine, Pid, Term};

pub use action::{Action, StepKind};
pub use cast::{Cast, Player};
pub use races::Race;
use term::Ref;

use crate::place::{Awaited, Place, is_library_source};
use crate::schedule::{Schedule, take};
use action::Carried;
use telling::Teller;

/// A schedule that was run again.
#[derive(Clone, Default, Debug)]
pub struct Story {
    pub players: Vec<Player>,
    pub steps: Vec<Step>,
    /// Where they were asked for.
    pub races: Vec<Race>,
}

/// One step of a story.
#[derive(Clone, Debug)]
pub struct Step {
    /// Position in [`Story::players`].
    pub player: usize,
    /// What it does.
    pub action: Action,
    pub place: Option<Place>,
    /// The text of that line.
    pub source: String,
    pub arrows: Vec<Arrow>,
    /// Whether it matters to a reader.
    pub shown: bool,
    /// Whether a program's author knows of it: it is not inside of the library.
    pub known: bool,
    /// Whether this is what went wrong.
    pub failing: bool,
}

/// What goes from a step to another process.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub to: usize,
    pub carries: Carried,
    /// The step that received it.
    pub taken_by: Option<usize>,
}

/// A step as it was run.
pub(crate) struct Moment {
    pub(crate) actor: Actor,
    pub(crate) place: Option<Place>,
    source: String,
    /// Whether the library does it.
    in_library: bool,
    pub(crate) log: Log,
    /// Where the message came from that it took: the moment and which of its messages.
    pub(crate) took: Option<(usize, usize)>,
    /// The first argument, if that is a name: whose it was before.
    named: Option<Option<Pid>>,
    /// Processes to which it sent although they had ended.
    in_vain: Vec<Pid>,
}

impl Moment {
    /// Whether its process is gone with it: the last step of its end.
    fn ends(&self) -> bool {
        self.log.effects.iter().any(|effect| matches!(effect, Effect::Ended { .. }))
    }

    /// In whose column it is told.
    fn player(&self) -> Actor {
        match (self.actor, self.log.footprint.route()) {
            (Actor::Signal(_), Some((_, to))) => Actor::Process(to),
            (actor, _) => actor,
        }
    }
}

/// Where what was sent arrived.
#[derive(Default)]
struct Taken {
    /// By the moment that sent it, and which of its messages it is.
    messages: BTreeMap<(usize, usize), usize>,
    signals: BTreeMap<Ref, usize>,
}

/// A run that is about to be told.
pub struct Told {
    pub cast: Cast,
    moments: Vec<Moment>,
    code: Rc<CodeSpace>,
    /// Whether all of the schedule was possible.
    pub whole: bool,
    /// Processes that ended, with their reasons.
    pub ended: Vec<(Pid, Term)>,
    /// Receives, where their races were asked for.
    probers: Vec<(usize, Prober)>,
}

/// Runs a schedule and notes what happens. `main` is the process of the test, which runs
/// `function`.
pub fn run(machine: &mut Machine, schedule: &Schedule, main: Option<Pid>, function: &str) -> Told {
    let run = Running::new(machine, main, function);
    followed(machine, schedule, run)
}

/// The same, with what is needed for its [races](Told::races).
pub fn run_for_races(
    machine: &mut Machine,
    schedule: &Schedule,
    main: Option<Pid>,
    function: &str,
) -> Told {
    let run = Running { notes_receives: true, ..Running::new(machine, main, function) };
    followed(machine, schedule, run)
}

fn followed(machine: &mut Machine, schedule: &Schedule, mut run: Running) -> Told {
    schedule.prepare(machine);
    machine.log_arguments();
    let whole = schedule.steps.iter().all(|step| run.step(machine, *step));
    run.told.whole = whole;
    run.told.code = Rc::clone(machine.code());
    run.told.cast.give_names();
    run.told
}

struct Running {
    told: Told,
    /// For each message in a mailbox the moment that sent it, and which of its messages it is.
    mailboxes: BTreeMap<Pid, VecDeque<Option<(usize, usize)>>>,
    /// Who has which name.
    names: BTreeMap<Atom, Pid>,
    notes_receives: bool,
}

impl Running {
    fn new(machine: &mut Machine, main: Option<Pid>, function: &str) -> Running {
        let mut mailboxes = BTreeMap::new();
        for pid in machine.pids().collect::<Vec<_>>() {
            machine.settle(pid);
            let waiting = machine.process(pid).map_or(0, |process| process.mailbox.len());
            mailboxes.insert(pid, VecDeque::from(vec![None; waiting]));
        }
        let cast = Cast::new(main, function);
        let code = Rc::clone(machine.code());
        let (moments, ended, probers) = (Vec::new(), Vec::new(), Vec::new());
        let told = Told { cast, moments, code, whole: false, ended, probers };
        let names = machine.names().collect();
        Running { told, mailboxes, names, notes_receives: false }
    }

    /// Takes over who has the names that a step may have given or taken away.
    fn note_names(&mut self, machine: &Machine, log: &Log) {
        for access in &log.footprint.0 {
            match (access.object.class, access.object.name()) {
                (Class::Name, _) if access.kind == Kind::Read => {}
                (Class::Name, Some(name)) => match machine.whereis(name) {
                    Some(pid) => _ = self.names.insert(name, pid),
                    None => _ = self.names.remove(&name),
                },
                (Class::Name | Class::Everything, None) => {
                    self.names = machine.names().collect();
                }
                _ => {}
            }
        }
    }

    fn step(&mut self, machine: &mut Machine, step: crate::schedule::Step) -> bool {
        let here = match step.actor {
            Actor::Process(pid) => {
                machine.settle(pid);
                if self.notes_receives {
                    let prober = machine.prober(pid);
                    self.told.probers.extend(prober.map(|it| (self.told.moments.len(), it)));
                }
                self.told.cast.meet(machine, step.actor);
                Here::of(machine, pid)
            }
            Actor::Timer(_) => {
                self.told.cast.meet(machine, step.actor);
                Here::default()
            }
            // It is told as what happens to the receiver.
            Actor::Signal(_) => Here::default(),
        };
        let Some(done) = take(machine, step) else { return false };
        let named = done.log.arguments.as_ref().and_then(|arguments| {
            let name = arguments.first()?.as_atom()?;
            Some(self.names.get(&name).copied())
        });
        self.note_names(machine, &done.log);
        let number = self.told.moments.len();
        let mut took = None;
        let mut sent = 0;
        let mut in_vain = Vec::new();
        for effect in &done.log.effects {
            match effect {
                Effect::Put { to, .. } => {
                    if machine.process(*to).is_some() {
                        self.mailboxes.entry(*to).or_default().push_back(Some((number, sent)));
                        machine.settle(*to);
                    } else {
                        in_vain.push(*to);
                    }
                    sent += 1;
                }
                Effect::Took { index, .. } | Effect::Flushed { index } => {
                    if let Actor::Process(pid) = step.actor
                        && let Some(mailbox) = self.mailboxes.get_mut(&pid)
                        && let Some(from) = mailbox.remove(*index as usize)
                        && matches!(effect, Effect::Took { .. })
                    {
                        took = from;
                    }
                }
                Effect::Spawned(pid) => {
                    self.told.cast.born(machine, *pid);
                    machine.settle(*pid);
                    self.told.cast.meet(machine, Actor::Process(*pid));
                }
                Effect::Ended { reason } => {
                    if let Actor::Process(pid) = step.actor {
                        self.told.ended.push((pid, reason.clone()));
                    }
                }
                _ => {}
            }
        }
        if let Actor::Process(_) = step.actor {
            self.told.cast.meet(machine, step.actor);
        }
        // Whoever was registered has a name from now on.
        if let Some(Some(name)) = done.log.arguments.as_ref().map(|a| a.first()?.as_atom())
            && let Some(pid) = machine.whereis(name)
        {
            self.told.cast.meet(machine, Actor::Process(pid));
        }
        let Here { place, source, in_library } = here;
        let log = done.log;
        let actor = step.actor;
        let moment = Moment { actor, place, source, in_library, log, took, named, in_vain };
        self.told.moments.push(moment);
        true
    }
}

/// Where a process is.
#[derive(Default)]
struct Here {
    place: Option<Place>,
    source: String,
    in_library: bool,
}

impl Here {
    fn of(machine: &Machine, pid: Pid) -> Here {
        let positions = machine.positions(pid, 100);
        let is_own = |position: &&Position| !is_library_source(&position.source);
        let in_library = positions.first().is_none_or(|position| !is_own(&position));
        // Where in the library it is tells the program's author nothing.
        let Some(position) = positions.iter().find(is_own) else {
            return Here { in_library, ..Here::default() };
        };
        Here {
            place: Some(Place { file: position.file.clone(), line: position.line }),
            source: line_of(position),
            in_library,
        }
    }
}

/// The text of the line where a process is.
fn line_of(position: &Position) -> String {
    let tree = position.source.tree();
    let span = tree.span(position.node);
    let file = tree.files.get(usize::from(span.file.0));
    file.map_or(String::new(), |file| file.line_text(file.loc(span.start).line).trim().to_owned())
}

/// What went wrong: whose end, or who is stuck where.
#[derive(Clone, Default, Debug)]
pub struct Blame {
    pub ended: Vec<Pid>,
    pub stuck: Vec<Stuck>,
}

/// Who waits for a message that never comes.
#[derive(Clone, Debug)]
pub struct Stuck {
    pub pid: Pid,
    pub place: Option<Place>,
    /// The clauses of its `receive`, if that is in the program.
    pub awaited: Vec<Awaited>,
    pub mailbox: Vec<Term>,
}

impl Told {
    /// The story of a failure.
    pub fn story(&self, blame: &Blame) -> Story {
        let players = self.cast.players();
        let number: BTreeMap<Actor, usize> =
            players.iter().enumerate().map(|(number, (actor, _))| (*actor, number)).collect();
        let teller = Teller::new(&self.cast, &self.moments, &self.code);
        let ended: BTreeSet<Pid> = blame.ended.iter().copied().collect();
        let is_blamed = |moment: &Moment| {
            moment.ends() && matches!(moment.actor, Actor::Process(pid) if ended.contains(&pid))
        };
        let blamed: Vec<usize> =
            (0..self.moments.len()).filter(|number| is_blamed(&self.moments[*number])).collect();
        let past = match blame.stuck.is_empty() && !blamed.is_empty() {
            true => past::of(&past::steps(&self.moments), &blamed),
            false => vec![true; self.moments.len()],
        };
        let taken = self.taken();
        let mut steps: Vec<Step> = Vec::new();
        for (at, moment) in self.moments.iter().enumerate() {
            let spoken = teller.say(at);
            let failing = is_blamed(moment);
            let place = spoken.place.clone().or_else(|| moment.place.clone());
            let source = if place == moment.place { moment.source.clone() } else { String::new() };
            steps.push(Step {
                player: number.get(&moment.player()).copied().unwrap_or(0),
                action: spoken.action,
                place,
                source,
                arrows: Vec::new(),
                shown: failing || (past[at] && spoken.shown),
                known: failing || spoken.shown,
                failing,
            });
            for (nth, arrow) in spoken.arrows.into_iter().enumerate() {
                let arrival = arrow.signal.and_then(|signal| taken.signals.get(&signal).copied());
                let taken_by = match arrival.filter(|at| !teller.arrives_at_once(*at)) {
                    Some(arrival) => Some(arrival),
                    None => {
                        let sent = arrival.map_or((at, nth), |arrival| (arrival, 0));
                        taken.messages.get(&sent).copied()
                    }
                };
                let Some(&to) = number.get(&Actor::Process(arrow.to)) else { continue };
                let taken_by = taken_by.filter(|_| arrow.carries != Carried::Start);
                steps[at].arrows.push(Arrow { to, carries: arrow.carries, taken_by });
            }
        }
        for Stuck { pid, place, awaited, mailbox } in &blame.stuck {
            let Some(&player) = number.get(&Actor::Process(*pid)) else { continue };
            let listed = || teller.term(&Term::list(mailbox.clone()));
            let mailbox = (!mailbox.is_empty()).then(listed);
            steps.push(Step {
                player,
                action: Action::Waits { awaited: awaited.clone(), mailbox },
                place: place.clone(),
                source: String::new(),
                arrows: Vec::new(),
                shown: true,
                known: true,
                failing: true,
            });
        }
        let players = players.into_iter().map(|(_, player)| player).collect();
        Story { players, steps, races: Vec::new() }
    }

    /// Who took the messages, and which moments are the arrivals of signals.
    fn taken(&self) -> Taken {
        let mut taken = Taken::default();
        for (at, moment) in self.moments.iter().enumerate() {
            if let Actor::Signal(signal) = moment.actor {
                taken.signals.entry(signal).or_insert(at);
            }
            if let Some(message) = moment.took {
                taken.messages.entry(message).or_insert(at);
            }
        }
        taken
    }

    /// Of processes that ended, in that order: whether the end of each comes after that of another
    /// of them in all equivalent executions.
    pub(crate) fn after_another(&self, pids: &[Pid]) -> Vec<bool> {
        let mut ends: BTreeMap<Pid, usize> = BTreeMap::new();
        for (at, moment) in self.moments.iter().enumerate() {
            if let (true, Actor::Process(pid)) = (moment.ends(), moment.actor) {
                ends.entry(pid).or_insert(at);
            }
        }
        let places: Vec<usize> = pids.iter().filter_map(|pid| ends.get(pid).copied()).collect();
        match places.len() == pids.len() {
            true => past::after_another(&past::steps(&self.moments), &places),
            false => vec![false; pids.len()],
        }
    }

    /// The processes that were started, in that order.
    pub(crate) fn started(&self) -> Vec<Pid> {
        let effects = self.moments.iter().flat_map(|moment| &moment.log.effects);
        effects
            .filter_map(|effect| match effect {
                Effect::Spawned(pid) => Some(*pid),
                _ => None,
            })
            .collect()
    }

    /// Who sent the signal that ended a process.
    pub fn killers(&self) -> BTreeMap<Pid, Pid> {
        let mut killers = BTreeMap::new();
        for moment in &self.moments {
            let killer = match (moment.actor, moment.log.footprint.route()) {
                (Actor::Process(killer), _) | (Actor::Signal(_), Some((killer, _))) => killer,
                _ => continue,
            };
            for effect in &moment.log.effects {
                if let Effect::Doomed(pid) = effect {
                    killers.entry(*pid).or_insert(killer);
                }
            }
        }
        killers
    }
}
