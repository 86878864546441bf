//! A schedule told as a story: who does what, and where in the source.

use machine::step::{Actor, Effect, Event as Done, Label, builtin_name};
use machine::{Machine, Pid, Term};
use term::format::pretty;

use crate::schedule::{Schedule, take};

/// One line of a story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub who: String,
    pub what: String,
    /// Where, as `file:line`.
    pub place: Option<(String, u32)>,
}

/// A schedule that was run again.
#[derive(Default)]
pub struct Told {
    pub lines: Vec<Line>,
    /// Whether all of it was possible.
    pub whole: bool,
    /// Processes that ended, with their reasons.
    pub ended: Vec<(Pid, Term)>,
}

/// Runs a schedule and tells it.
pub fn tell(machine: &mut Machine, schedule: &Schedule) -> Told {
    let mut told = Told::default();
    for step in &schedule.steps {
        let place = match step.actor {
            Actor::Process(pid) => {
                machine.next(pid);
                crate::finding::own_place(machine, pid)
            }
            Actor::Timer(_) => None,
        };
        let Some(done) = take(machine, *step) else { return told };
        let who = match step.actor {
            Actor::Process(pid) => machine.process_name(pid),
            Actor::Timer(_) => "a timer".to_owned(),
        };
        for effect in &done.log.effects {
            match (effect, step.actor) {
                (Effect::Ended { reason }, Actor::Process(pid)) => {
                    told.ended.push((pid, reason.clone()));
                }
                (Effect::Put { to: pid, .. } | Effect::Spawned(pid), _) => {
                    machine.next(*pid);
                }
                _ => {}
            }
        }
        told.lines.push(Line { who, what: what(machine, &done), place });
    }
    told.whole = true;
    told
}

const LONGEST: usize = 100;

fn shown(term: &Term) -> String {
    let text = pretty::to_string(term).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn what(machine: &Machine, done: &Done) -> String {
    let name = |pid: Pid| machine.process_name(pid);
    let puts: Vec<String> = done
        .log
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Put { to, message } => Some(format!("{} to {}", shown(message), name(*to))),
            _ => None,
        })
        .collect();
    let sends = match puts.is_empty() {
        true => String::new(),
        false => format!(", sending {}", puts.join(" and ")),
    };
    match done.log.label {
        Label::Send => match puts.is_empty() {
            true => "sends a message to nobody".to_owned(),
            false => format!("sends {}", puts.join(" and ")),
        },
        Label::Receive => {
            let taken = done.log.effects.iter().find_map(|effect| match effect {
                Effect::Took { message, .. } => Some(shown(message)),
                _ => None,
            });
            format!("receives {}", taken.unwrap_or_default())
        }
        Label::Timeout => "gives up receiving".to_owned(),
        Label::Fire => format!("fires{sends}"),
        Label::End => {
            let reason = done.log.effects.iter().find_map(|effect| match effect {
                Effect::Ended { reason } => Some(shown(reason)),
                _ => None,
            });
            format!("ends ({}){sends}", reason.unwrap_or_default())
        }
        Label::Call(number) => {
            let spawned = done.log.effects.iter().find_map(|effect| match effect {
                Effect::Spawned(pid) => Some(name(*pid)),
                _ => None,
            });
            let called = builtin_name(&machine.code, number)
                .map_or(String::new(), |(module, name, arity)| format!("{module}:{name}/{arity}"));
            match spawned {
                Some(pid) => format!("spawns {pid}"),
                None => format!("calls {called}{sends}"),
            }
        }
    }
}
