//! The past of a step: what it comes after in every execution that is equivalent; and its future.
//! The relation is that of `dependence.rs`, of steps of an execution or of such that were run
//! again.
//!
//! Steps are looked at one by one, backwards for a past and forwards for a future; [`Met`] knows of
//! those that belong to it so far what decides whether another depends on one of them: their
//! actors, whom they come after by cause, and what they touch, by object and kind of access. A step
//! belongs to it if it depends on one of them.
//!
//! Cost: a few look-ups for each access in a footprint, whatever the number of steps. Shapes of the
//! objects of tables ([`Class::Objects`]) are the exception: those of one table that are different
//! are compared one by one.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use machine::Pid;
use machine::footprint::{Access, Class, Kind, Object};
use machine::step::{Actor, Effect};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::Moment;
use crate::event::{ActorNumber, Id, MessageId, Step, Take};

/// Whether each step is one of `of` or in the past of one.
pub(crate) fn of(steps: &[impl Borrow<Step>], of: &[usize]) -> Vec<bool> {
    let mut past = vec![false; steps.len()];
    for &at in of {
        past[at] = true;
    }
    let mut met = Met::default();
    for (at, step) in steps.iter().map(Borrow::borrow).enumerate().rev() {
        past[at] |= met.meets(step);
        if past[at] {
            met.add(step);
        }
    }
    past
}

/// Of each of these steps, which are in order, whether it comes after another of them in all
/// equivalent executions.
pub(crate) fn after_another(steps: &[impl Borrow<Step>], of: &[usize]) -> Vec<bool> {
    let mut met = Met::default();
    let mut found = Vec::with_capacity(of.len());
    let (Some(first), Some(last)) = (of.first(), of.last()) else { return found };
    for (at, step) in steps.iter().map(Borrow::borrow).enumerate().take(last + 1).skip(*first) {
        let is_after = met.meets(step);
        let is_one = of.get(found.len()) == Some(&at);
        if is_one {
            found.push(is_after);
        }
        if is_one || is_after {
            met.add(step);
        }
    }
    found
}

/// Which kinds of accesses there are to some objects: each once, but of assignments two at most.
/// Another one conflicts with all of them if it conflicts with these, since it differs from one of
/// two values.
#[derive(Clone, Default)]
struct Kinds(SmallVec<[Kind; 4]>);

impl Kinds {
    fn add(&mut self, kind: Kind) {
        let is_assigned = |kind: &&Kind| matches!(kind, Kind::Assign(_));
        let is_enough = is_assigned(&&kind) && self.0.iter().filter(is_assigned).count() > 1;
        if !is_enough && !self.0.contains(&kind) {
            self.0.push(kind);
        }
    }

    /// Whether one of them conflicts with an access of this kind to an object in common.
    fn conflict(&self, kind: Kind) -> bool {
        self.0.iter().any(|other| !other.commutes(kind))
    }
}

/// Of an object as a key: what it says, or whatever that is.
type Part = Option<u64>;

/// Steps, as far as it matters for who depends on one of them.
#[derive(Default)]
struct Met {
    actors: FxHashSet<ActorNumber>,
    ids: FxHashSet<Id>,
    /// The steps by which their actors were made, and by which messages that they took were sent.
    causes: FxHashSet<Id>,
    /// Of receives that took a message of another: whose they are, who sent it, and the last such
    /// message.
    received: FxHashMap<(Pid, ActorNumber), u32>,
    /// Of arrivals of signals: to whom, who sent it, and the first such signal.
    arrived: FxHashMap<(Pid, ActorNumber), u32>,
    processes: FxHashSet<Pid>,
    /// Processes that they disturb, by the owners of objects.
    disturbed: FxHashSet<u64>,
    disturbs_all: bool,
    /// Accesses by class, owner and part, or whatever these are.
    kinds: FxHashMap<(Class, Part, Part), Kinds>,
    /// Accesses to shapes of objects, by tables.
    shapes: BTreeMap<u64, Vec<Access>>,
    /// Accesses to anything.
    all: Kinds,
}

impl Met {
    fn add(&mut self, step: &Step) {
        self.actors.insert(step.id.actor);
        self.ids.insert(step.id);
        if step.id.seq == 1 {
            self.causes.insert(step.made_by);
        }
        if let Take::Message(message) = step.take {
            self.causes.insert(message.sent_by);
            if let Some(key) = received_by(step, message) {
                let last = self.received.entry(key).or_default();
                *last = (*last).max(message.sent_by.seq);
            }
        }
        if let Some((to, sent)) = arrival(step) {
            let first = self.arrived.entry((to, sent.actor)).or_insert(sent.seq);
            *first = (*first).min(sent.seq);
        }
        if let Actor::Process(pid) = step.actor {
            self.processes.insert(pid);
        }
        for access in &step.footprint().0 {
            self.add_access(*access);
        }
    }

    fn add_access(&mut self, access: Access) {
        let Access { object: Object { class, owner, part }, kind } = access;
        if access.disturbs() {
            match owner {
                0 => self.disturbs_all = true,
                owner => _ = self.disturbed.insert(owner),
            }
        }
        self.all.add(kind);
        for key in
            [(Some(owner), Some(part)), (Some(owner), None), (None, Some(part)), (None, None)]
        {
            self.kinds.entry((class, key.0, key.1)).or_default().add(kind);
        }
        if class == Class::Objects {
            let shapes = self.shapes.entry(owner).or_default();
            if !shapes.contains(&access) {
                shapes.push(access);
            }
        }
    }

    /// Whether a step depends on one of these.
    fn meets(&self, step: &Step) -> bool {
        self.actors.contains(&step.id.actor)
            || self.cause(step)
            || self.disturb(step)
            || step.footprint().0.iter().any(|access| self.conflict(*access))
    }

    /// Whether one of these is a cause of a step, or the other way round: 2 and 3 of
    /// `dependence.rs`.
    fn cause(&self, step: &Step) -> bool {
        let received = match step.take {
            Take::Message(message) => {
                self.ids.contains(&message.sent_by)
                    || received_by(step, message)
                        .and_then(|key| self.arrived.get(&key))
                        .is_some_and(|first| *first < message.sent_by.seq)
            }
            _ => false,
        };
        let arrives_before = |(to, sent): (Pid, Id)| {
            self.received.get(&(to, sent.actor)).is_some_and(|last| sent.seq < *last)
        };
        received
            || self.causes.contains(&step.id)
            || (step.id.seq == 1 && self.ids.contains(&step.made_by))
            || arrival(step).is_some_and(arrives_before)
    }

    /// Whether one of these conflicts with whatever the process of a step does, or the other way
    /// round.
    fn disturb(&self, step: &Step) -> bool {
        let is_disturbed = match step.actor {
            Actor::Process(pid) => self.disturbs_all || self.disturbed.contains(&(pid.0 + 1)),
            Actor::Timer(_) | Actor::Signal(_) => {
                self.kinds.contains_key(&(Class::Everything, None, None))
            }
        };
        let disturbs = |access: &Access| match access.object {
            Object { class: Class::Everything, .. } => !self.ids.is_empty(),
            Object { owner: 0, .. } => !self.processes.is_empty(),
            Object { owner, .. } => self.processes.contains(&Pid(owner - 1)),
        };
        is_disturbed
            || (step.is_disturbing()
                && step.footprint().0.iter().filter(|access| access.disturbs()).any(disturbs))
    }

    /// Whether one of their accesses conflicts with this.
    fn conflict(&self, access: Access) -> bool {
        let Access { object: Object { class, owner, part }, kind } = access;
        let any = |class, owner: Part, part: Part| {
            self.kinds.get(&(class, owner, part)).is_some_and(|kinds| kinds.conflict(kind))
        };
        if class == Class::Everything {
            return self.all.conflict(kind);
        }
        if any(Class::Everything, None, None) {
            return true;
        }
        if !any(class, None, None) {
            return false;
        }
        // 0 stands for all.
        let owners = if owner == 0 { &[None][..] } else { &[Some(owner), Some(0)] };
        if class == Class::Objects {
            let conflicts = |shapes: &Vec<Access>| shapes.iter().any(|it| it.conflicts(access));
            return owners.iter().any(|owner| match owner {
                Some(owner) => {
                    any(class, Some(*owner), None) && self.shapes.get(owner).is_some_and(conflicts)
                }
                None => self.shapes.values().any(conflicts),
            });
        }
        let parts = if part == 0 { &[None][..] } else { &[Some(part), Some(0)] };
        owners.iter().any(|owner| parts.iter().any(|part| any(class, *owner, *part)))
    }
}

/// Of a receive that takes the message of another: whose it is, and who sent the message.
fn received_by(step: &Step, message: MessageId) -> Option<(Pid, ActorNumber)> {
    match step.actor {
        Actor::Process(pid) if step.id.actor != message.sent_by.actor => {
            Some((pid, message.sent_by.actor))
        }
        _ => None,
    }
}

/// Of the arrival of a signal: whom it reaches, and by which step it was sent.
fn arrival(step: &Step) -> Option<(Pid, Id)> {
    match step.actor {
        Actor::Signal(_) => step.route().map(|(_, to)| (to, step.made_by)),
        _ => None,
    }
}

/// What decides whether moments depend on each other.
pub(super) fn steps(moments: &[Moment]) -> Vec<Step> {
    // For each actor its number, how many events it had, and what made it.
    let mut actors: BTreeMap<Actor, (u32, u32, Id)> = BTreeMap::new();
    let mut steps: Vec<Step> = Vec::with_capacity(moments.len());
    for moment in moments {
        let number = actors.len() as u32 + 1;
        let (number, seq, made_by) =
            actors.entry(moment.actor).or_insert((number, 0, Id::BEGINNING));
        *seq += 1;
        let (id, made_by) = (Id { actor: *number, seq: *seq }, *made_by);
        let take = match moment.took {
            Some((from, nth)) => {
                Take::Message(MessageId { sent_by: steps[from].id, nth: nth as u32 })
            }
            None => Take::Nothing,
        };
        for effect in &moment.log.effects {
            let made = match effect {
                Effect::Spawned(pid) => Actor::Process(*pid),
                Effect::TimerSet(timer) => Actor::Timer(*timer),
                Effect::SetOff { number, .. } => Actor::Signal(*number),
                _ => continue,
            };
            let number = actors.len() as u32 + 1;
            actors.entry(made).or_insert((number, 0, id));
        }
        steps.push(Step::new(id, moment.actor, take, made_by, moment.log.footprint.clone()));
    }
    steps
}

#[cfg(test)]
mod tests {
    use machine::footprint::Footprint;
    use term::Ref;

    use super::*;
    use crate::dependence::dependent;

    /// By the definition: each step is compared with all that are known to belong to it.
    fn naive_past(steps: &[Step], of: &[usize]) -> Vec<bool> {
        let mut past = vec![false; steps.len()];
        of.iter().for_each(|at| past[*at] = true);
        for at in (0..steps.len()).rev() {
            past[at] |= (at + 1..steps.len())
                .any(|later| past[later] && dependent(&steps[at], &steps[later]));
        }
        past
    }

    fn naive_after_another(steps: &[Step], of: &[usize]) -> Vec<bool> {
        let is_after = |at: &usize| {
            let past = naive_past(steps, &[*at]);
            of.iter().any(|other| other < at && past[*other])
        };
        of.iter().map(is_after).collect()
    }

    /// Numbers that look random, always the same.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % bound
        }
    }

    const CLASSES: [Class; 11] = [
        Class::Everything,
        Class::Alive,
        Class::Doom,
        Class::Local,
        Class::Mailbox,
        Class::Name,
        Class::Table,
        Class::Objects,
        Class::Link,
        Class::Counter,
        Class::Route,
    ];

    fn access(numbers: &mut Numbers) -> Access {
        // What touches everything is rare, so that something else decides.
        let first = if numbers.below(30) == 0 { 0 } else { 1 };
        let class = CLASSES[(first + numbers.below(10)) as usize];
        let owner = numbers.below(6);
        let part = match class {
            Class::Objects => numbers.below(3) << 60 | numbers.below(3) << 10 | numbers.below(3),
            Class::Route => 1 + numbers.below(5),
            _ => numbers.below(4),
        };
        let kind = match numbers.below(5) {
            0 | 1 => Kind::Read,
            2 => Kind::Add,
            3 => Kind::Assign(numbers.below(2)),
            _ => Kind::Write,
        };
        let object = match class {
            Class::Everything => Object::EVERYTHING,
            _ => Object { class, owner, part },
        };
        Access { object, kind }
    }

    fn random_steps(numbers: &mut Numbers, len: usize) -> Vec<Step> {
        let mut counts = [0; 12];
        let mut steps: Vec<Step> = Vec::new();
        for _ in 0..len {
            let number = 1 + numbers.below(11) as u32;
            let actor = match number {
                1..=7 => Actor::Process(Pid(u64::from(number))),
                8 | 9 => Actor::Timer(Ref(u64::from(number))),
                _ => Actor::Signal(Ref(u64::from(number))),
            };
            counts[number as usize] += 1;
            let id = Id { actor: number, seq: counts[number as usize] };
            let earlier = |numbers: &mut Numbers| match steps.len() {
                0 => Id::BEGINNING,
                len => steps[numbers.below(len as u64) as usize].id,
            };
            let made_by = earlier(numbers);
            let take = match numbers.below(3) {
                0 => Take::Message(MessageId { sent_by: earlier(numbers), nth: 0 }),
                1 => Take::Timeout,
                _ => Take::Nothing,
            };
            let accesses = numbers.below(3);
            let footprint = Footprint((0..accesses).map(|_| access(numbers)).collect());
            steps.push(Step::new(id, actor, take, made_by, footprint));
        }
        steps
    }

    #[test]
    fn same_as_by_definition() {
        let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
        let (mut inside, mut outside) = (0, 0);
        for round in 0..4_000 {
            let steps = random_steps(&mut numbers, 3 + round % 20);
            let mut of: Vec<usize> =
                (0..3).map(|_| numbers.below(steps.len() as u64) as usize).collect();
            of.sort_unstable();
            of.dedup();
            for (a, b) in steps.iter().zip(steps.iter().skip(1 + round % 3)) {
                let mut met = Met::default();
                met.add(a);
                assert_eq!(met.meets(b), dependent(a, b), "{a:?} and {b:?}");
            }
            let expected = naive_past(&steps, &of);
            assert_eq!(super::of(&steps, &of), expected, "{of:?} of {steps:#?}");
            inside += expected.iter().filter(|is| **is).count();
            outside += expected.iter().filter(|is| !**is).count();
            let expected = naive_after_another(&steps, &of);
            assert_eq!(after_another(&steps, &of), expected, "{of:?} of {steps:#?}");
        }
        assert!(inside > 1_000 && outside > 1_000, "{inside} inside, {outside} outside");
    }
}
