//! All interleavings, one by one: what the search is compared with.
//!
//! Every order of visible actions is run, with mailboxes in the order in which messages arrive: a
//! receive takes the first message that matches, and gives up only if none does. Exponential; for small
//! programs only.

use std::collections::BTreeSet;
use std::sync::Arc;

use machine::step::{Actor, Choice, Effect, Next, Timeout};
use machine::{Machine, Pid};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::dependence::conflicting;
use crate::event::{Event, Id, MessageId, Put, Step, Take};
use crate::outcome::{self, Execution, Stop};

/// The name of an execution's equivalence class: what each actor did, what each receive took, and the
/// order of conflicting events.
pub fn class(events: &[&Event]) -> String {
    use std::fmt::Write as _;
    let mut lines: Vec<String> = Vec::new();
    for (place, event) in events.iter().enumerate() {
        let mut line = format!("{:?}.{} {:?}", event.actor, event.id.seq, taken(events, event));
        for earlier in &events[..place] {
            if earlier.id.actor != event.id.actor && conflicting(earlier, event) {
                let _ = write!(line, " > {:?}.{}", earlier.actor, earlier.id.seq);
            }
        }
        lines.push(line);
    }
    // The conflicts of one event, in any order.
    for line in &mut lines {
        let mut parts: Vec<&str> = line.split(" > ").collect();
        parts[1..].sort_unstable();
        *line = parts.join(" > ");
    }
    lines.sort_unstable();
    lines.join("\n")
}

/// Numbers of actors differ between searches, so messages are named by the actor itself.
fn taken(events: &[&Event], event: &Event) -> Option<(Actor, u32, u32)> {
    let Take::Message(MessageId { sent_by, nth }) = event.take else { return None };
    let sender = events.iter().find(|sender| sender.id == sent_by)?;
    Some((sender.actor, sent_by.seq, nth))
}

/// Explores all interleavings, up to a number of them. `false` if there are more.
pub fn enumerate(
    mut machine: Machine,
    max: u64,
    after_limit: u64,
    mut each: impl FnMut(&Execution<'_>),
) -> bool {
    for pid in machine.state.pids().collect::<Vec<_>>() {
        machine.next(pid);
    }
    let mut run = Naive { max, after_limit, count: 0, seen: BTreeSet::new() };
    run.explore(&machine, &State::default(), &mut each)
}

struct Naive {
    max: u64,
    after_limit: u64,
    count: u64,
    /// Classes seen so far; states are not compared, only ends.
    seen: BTreeSet<String>,
}

/// What happened so far in an execution whose mailboxes have Erlang's order.
#[derive(Clone, Default)]
pub(crate) struct State {
    pub(crate) events: Vec<Event>,
    numbers: FxHashMap<Actor, u32>,
    made_by: FxHashMap<Actor, Id>,
    counts: FxHashMap<Actor, u32>,
    mailboxes: FxHashMap<Pid, Vec<MessageId>>,
}

impl Naive {
    fn explore(
        &mut self,
        machine: &Machine,
        state: &State,
        each: &mut impl FnMut(&Execution<'_>),
    ) -> bool {
        let mut choices = Vec::new();
        for pid in machine.state.pids() {
            match machine.known_next(pid) {
                Next::Act | Next::End => choices.push((Actor::Process(pid), Choice::Act)),
                Next::Receive(receive) => match receive.matching.first() {
                    Some(&first) => choices.push((Actor::Process(pid), Choice::Take(first))),
                    None => match receive.timeout {
                        Timeout::Never => {}
                        Timeout::After(ms) if ms >= self.after_limit => {}
                        _ => choices.push((Actor::Process(pid), Choice::GiveUp)),
                    },
                },
                _ => {}
            }
        }
        choices.extend(machine.timers().into_iter().map(|t| (Actor::Timer(t), Choice::Act)));
        if choices.is_empty() {
            self.count += 1;
            let events: Vec<&Event> = state.events.iter().collect();
            let ended = events.iter().filter_map(|event| match (event.actor, &event.ended) {
                (Actor::Process(pid), Some(reason)) => Some((pid, reason.clone())),
                _ => None,
            });
            self.seen.insert(class(&events));
            each(&Execution {
                machine,
                stop: Stop::Finished,
                blocked: outcome::blocked(machine),
                ended: ended.collect(),
                events: events.clone(),
                placed: Vec::new(),
                new_from: 0,
                schedule: None,
                share: 0.0,
            });
            return self.count < self.max;
        }
        for (actor, choice) in choices {
            let mut machine = machine.clone();
            let mut state = state.clone();
            perform(&mut machine, &mut state, actor, choice);
            if !self.explore(&machine, &state, each) {
                return false;
            }
        }
        true
    }
}

/// Lets an actor act, and notes the event.
pub(crate) fn perform(machine: &mut Machine, state: &mut State, actor: Actor, choice: Choice) {
    let Some(done) = machine.perform(actor, choice) else { return };
    let next = state.numbers.len() as u32 + 1;
    let number = *state.numbers.entry(actor).or_insert(next);
    let seq = state.counts.entry(actor).or_insert(0);
    *seq += 1;
    let id = Id { actor: number, seq: *seq };
    let made_by = state.made_by.get(&actor).copied().unwrap_or(Id::BEGINNING);
    let mut take = if choice == Choice::GiveUp { Take::Timeout } else { Take::Nothing };
    let (mut puts, mut doomed) = (SmallVec::new(), SmallVec::new());
    let mut ended = None;
    for effect in done.log.effects {
        match effect {
            Effect::Put { to, message } => {
                let nth = puts.len() as u32;
                state.mailboxes.entry(to).or_default().push(MessageId { sent_by: id, nth });
                puts.push(Put { to, message });
                machine.next(to);
            }
            Effect::Took { index, .. } | Effect::Flushed { index } => {
                if let Actor::Process(pid) = actor
                    && let Some(mailbox) = state.mailboxes.get_mut(&pid)
                {
                    let message = mailbox.remove(index as usize);
                    if let Choice::Take(_) = choice {
                        take = Take::Message(message);
                    }
                }
            }
            Effect::Spawned(pid) => {
                state.made_by.insert(Actor::Process(pid), id);
                machine.next(pid);
            }
            Effect::TimerSet(reference) => {
                state.made_by.insert(Actor::Timer(reference), id);
            }
            Effect::Doomed(pid) if actor == Actor::Process(pid) => {}
            Effect::Doomed(pid) => doomed.push(pid),
            Effect::TimerGone(_) => {}
            Effect::Ended { reason } => ended = Some(reason),
        }
    }
    state.events.push(Event {
        step: Arc::new(Step::new(id, actor, take, made_by, done.log.footprint)),
        label: done.log.label,
        pc: done.pc,
        puts,
        doomed,
        cancelled: SmallVec::new(),
        ended,
    });
}
