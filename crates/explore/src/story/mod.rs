//! A schedule told as a story: who does what, to whom, and where in the source.
//!
//! The schedule is run again and every step noted ([`Moment`]); then, when the names of all processes
//! are known, the steps are put into words (`words.rs`) with the arrows of a sequence diagram.
//!
//! Not every step is *shown*. Left out are
//! * steps inside the library that a program's author does not know of: the hand-shakes of `proc_lib`,
//!   monitors of `gen:call`, … A message of a behaviour is told by what it does, "calls",
//!   "casts", "replies", which its form says ([`words`]);
//! * steps that the failure does not depend on: those that are not in its *past*, the steps that it
//!   comes after in every execution of the same kind. A deadlock is no step; who is stuck is so
//!   because of what did not happen, so all steps of the program are shown.
//!
//! Cost: the run, and a look at all earlier steps for each step of the past.

mod cast;
pub(crate) mod past;
pub(crate) mod words;

use std::collections::BTreeMap;
use std::rc::Rc;

use machine::position::Position;
use machine::step::{Actor, Effect, Label, Log};
use machine::{CodeSpace, Machine, Pid, Term};

pub use cast::{Cast, Player};

use crate::place::{Place, is_library_source};
use crate::schedule::{Schedule, take};
use words::Words;

/// A schedule that was run again, in words.
#[derive(Clone, Default, Debug)]
pub struct Story {
    pub players: Vec<Player>,
    pub steps: Vec<Step>,
}

/// One step of a story.
#[derive(Clone, Debug)]
pub struct Step {
    /// Position in [`Story::players`].
    pub player: usize,
    /// What it does: "sends ping to pong".
    pub what: String,
    pub place: Option<Place>,
    /// The text of that line.
    pub source: String,
    pub kind: StepKind,
    pub arrows: Vec<Arrow>,
    /// Whether it matters to a reader.
    pub shown: bool,
    /// Whether this is what went wrong.
    pub failing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    Send,
    Receive,
    GiveUp,
    Call,
    Fire,
    /// A signal reaches it (delivery `any`).
    Arrive,
    Spawn,
    End,
    /// It is stuck in a `receive` at the end.
    Waits,
}

/// What goes from a step to another process.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub to: usize,
    pub text: String,
    pub kind: ArrowKind,
    /// The step that received it.
    pub taken_by: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowKind {
    Message,
    Spawn,
    /// What the end of a process tells others: exit signals, `'DOWN'`, `'EXIT'`.
    Signal,
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
    /// In whose column it is told.
    fn player(&self) -> Actor {
        match (self.actor, self.log.footprint.route()) {
            (Actor::Signal(_), Some((_, to))) => Actor::Process(to),
            (actor, _) => actor,
        }
    }
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
}

/// Runs a schedule and notes what happens. `main` is the process of the test, which runs `function`.
pub fn run(machine: &mut Machine, schedule: &Schedule, main: Option<Pid>, function: &str) -> Told {
    let mut run = Running::new(machine, main, function);
    machine.log_arguments();
    let whole = schedule.steps.iter().all(|step| run.step(machine, *step));
    run.told.whole = whole;
    run.told.code = Rc::clone(&machine.code);
    run.told.cast.give_names();
    run.told
}

struct Running {
    told: Told,
    /// For each message in a mailbox the moment that sent it, and which of its messages it is.
    mailboxes: BTreeMap<Pid, Vec<Option<(usize, usize)>>>,
}

impl Running {
    fn new(machine: &mut Machine, main: Option<Pid>, function: &str) -> Running {
        let mut mailboxes = BTreeMap::new();
        for pid in machine.state.pids().collect::<Vec<_>>() {
            machine.next(pid);
            let waiting = machine.state.process(pid).map_or(0, |process| process.mailbox.len());
            mailboxes.insert(pid, vec![None; waiting]);
        }
        let cast = Cast::new(main, function);
        let code = Rc::clone(&machine.code);
        let told = Told { cast, moments: Vec::new(), code, whole: false, ended: Vec::new() };
        Running { told, mailboxes }
    }

    fn step(&mut self, machine: &mut Machine, step: crate::schedule::Step) -> bool {
        let here = match step.actor {
            Actor::Process(pid) => {
                machine.next(pid);
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
        let names = machine.state.registry.clone();
        let Some(done) = take(machine, step) else { return false };
        let named = done.log.arguments.as_ref().and_then(|arguments| {
            let name = arguments.first()?.as_atom()?;
            Some(names.get(&name).copied())
        });
        let number = self.told.moments.len();
        let mut took = None;
        let mut sent = 0;
        let mut in_vain = Vec::new();
        for effect in &done.log.effects {
            match effect {
                Effect::Put { to, .. } => {
                    if machine.state.process(*to).is_some() {
                        self.mailboxes.entry(*to).or_default().push(Some((number, sent)));
                        machine.next(*to);
                    } else {
                        in_vain.push(*to);
                    }
                    sent += 1;
                }
                Effect::Took { index, .. } | Effect::Flushed { index } => {
                    if let Actor::Process(pid) = step.actor
                        && let Some(mailbox) = self.mailboxes.get_mut(&pid)
                        && (*index as usize) < mailbox.len()
                    {
                        let from = mailbox.remove(*index as usize);
                        if matches!(effect, Effect::Took { .. }) {
                            took = from;
                        }
                    }
                }
                Effect::Spawned(pid) => {
                    self.told.cast.born(machine, *pid);
                    machine.next(*pid);
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
            && let Some(pid) = machine.state.registry.get(&name)
        {
            self.told.cast.meet(machine, Actor::Process(*pid));
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
            place: Some((position.file.clone(), position.line)),
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
    /// The patterns of its `receive`, if that is in the program.
    pub awaited: Option<String>,
    pub mailbox: Vec<Term>,
}

impl Told {
    /// The story of a failure.
    pub fn story(&self, blame: &Blame) -> Story {
        let players = self.cast.players();
        let number: BTreeMap<Actor, usize> =
            players.iter().enumerate().map(|(number, (actor, _))| (*actor, number)).collect();
        let words = Words::new(&self.cast, &self.moments, &self.code);
        let is_blamed = |moment: &Moment| {
            moment.log.label == Label::End
                && matches!(moment.actor, Actor::Process(pid) if blame.ended.contains(&pid))
        };
        let blamed: Vec<usize> =
            (0..self.moments.len()).filter(|number| is_blamed(&self.moments[*number])).collect();
        let past = match blame.stuck.is_empty() && !blamed.is_empty() {
            true => past::of(&past::steps(&self.moments), &blamed),
            false => vec![true; self.moments.len()],
        };
        let mut steps: Vec<Step> = Vec::new();
        for (at, moment) in self.moments.iter().enumerate() {
            let spoken = words.say(at);
            let failing = blamed.contains(&at);
            let place = spoken.place.clone().or_else(|| moment.place.clone());
            let source = if place == moment.place { moment.source.clone() } else { String::new() };
            steps.push(Step {
                player: number.get(&moment.player()).copied().unwrap_or(0),
                what: spoken.text,
                place,
                source,
                kind: spoken.kind,
                arrows: Vec::new(),
                shown: failing || (past[at] && spoken.shown),
                failing,
            });
            for (nth, arrow) in spoken.arrows.into_iter().enumerate() {
                let takes = |moment: &Moment| match arrow.signal {
                    Some(signal) => moment.actor == Actor::Signal(signal),
                    None => moment.took == Some((at, nth)),
                };
                let taken_by = self.moments.iter().position(takes);
                let Some(&to) = number.get(&Actor::Process(arrow.to)) else { continue };
                let taken_by = taken_by.filter(|_| arrow.kind != ArrowKind::Spawn);
                let arrow = Arrow { to, text: arrow.text, kind: arrow.kind, taken_by };
                steps[at].arrows.push(arrow);
            }
        }
        for Stuck { pid, place, awaited, mailbox } in &blame.stuck {
            let Some(&player) = number.get(&Actor::Process(*pid)) else { continue };
            let what = awaited.as_deref().unwrap_or("a message");
            let with = match mailbox.is_empty() {
                true => String::new(),
                false => {
                    format!(", with {} in its mailbox", words.term(&Term::list(mailbox.clone())))
                }
            };
            steps.push(Step {
                player,
                what: format!("waits for {what}, which never comes{with}"),
                place: place.clone(),
                source: String::new(),
                kind: StepKind::Waits,
                arrows: Vec::new(),
                shown: true,
                failing: true,
            });
        }
        Story { players: players.into_iter().map(|(_, player)| player).collect(), steps }
    }

    /// Whether the end of a process comes before that of another in all equivalent executions.
    pub(crate) fn ended_before(&self, a: Pid, b: Pid) -> bool {
        let is_end = |pid| {
            move |moment: &Moment| {
                moment.log.label == Label::End && moment.actor == Actor::Process(pid)
            }
        };
        let place = |pid| self.moments.iter().position(is_end(pid));
        match (place(a), place(b)) {
            (Some(a), Some(b)) => past::of(&past::steps(&self.moments), &[b])[a],
            _ => false,
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
