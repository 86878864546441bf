//! At the end of an execution: what its races ask to be explored.
//!
//! * Two events that are dependent by their footprints, and not through events between them: the
//!   second goes first, after all that does not depend on the first.
//! * A receive and another message that it could have taken consistently, sent before or after the
//!   receive but not because of it; or timing out: the receive takes that instead, after all that
//!   does not depend on the receive.
//! * A process that a signal ended, or a timer that was cancelled, could have acted before that.
//!
//! Each is looked at when its second event is new. A race that was looked at before asks for
//! something else only if
//! * its second event does something else without the first (`relabel.rs`), or is not in the
//!   execution because of the first, and what it does conflicts with events that are new in this
//!   execution, or not in it any more ([`Reversed`]). (That the same events conflict is not enough:
//!   these may come about in another way than before, and what was planned before would lead to
//!   that only through executions that are covered by the first event, which is asleep.); or
//! * its first event is revisited, or what it asked for is stale (`revisited.rs`); or
//! * a choice was not possible because of what other receives chose ([`Possible`]).

use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use machine::Pid;
use machine::footprint::{Class, Footprint, Kind, Object};
use machine::step::{Actor, Next};
use smallvec::SmallVec;
use term::Ref;

use super::executed::Planned;
use super::remainder::Remainder;
use super::states::Glimpse;
use super::ties::untied;
use super::{Executed, Frame, Reversed, Search, Work};
use crate::dependence::conflicting;
use crate::event::{ActorNumber, Id, MessageId, Step, Take};
use crate::order;
use crate::relabel::{self, Again};
use crate::wakeup::{Branch, Sequence};

/// How many questions whether there is enough are asked of others once.
const QUESTIONS_APART: u32 = 64;

impl Search {
    /// Plans what the races of this execution ask for.
    pub(super) fn reverse_races(&mut self) {
        let is_watched = self.shared.is_watched();
        self.find_revisited();
        self.find_forcing();
        let is_calm = self.revisited.is_empty() && self.stale.is_empty();
        self.has_planned = false;
        for nth in 0..self.noted.races.len() {
            if self.is_enough() {
                return;
            }
            let place = self.noted.races[nth] as usize;
            let is_new = place >= self.new_from;
            let Some(executed) = &self.frames[place].executed else { continue };
            let races = match is_new || is_watched || !is_calm {
                true => &executed.races,
                false => &executed.reversible,
            };
            if races.is_empty() && executed.event.cancelled.is_empty() {
                continue;
            }
            let races: SmallVec<[u32; 4]> = SmallVec::from_slice(races);
            let step = Arc::clone(&executed.event.step);
            let cancelled = executed.event.cancelled.clone();
            for first in races {
                match step.actor {
                    Actor::Process(pid) if self.dooms(first as usize, pid) => {}
                    _ if is_new
                        || self.is_revisited(first as usize)
                        || self.is_stale(first as usize, &step, step.take)
                        || self.is_turned_anew(first as usize, place, &step) =>
                    {
                        self.plan(first as usize, Arc::clone(&step), place, false);
                    }
                    _ => {}
                }
            }
            for timer in cancelled {
                self.plan_timer(place, timer, is_new);
            }
        }
        for nth in 0..self.noted.dooms.len() {
            if self.is_enough() {
                return;
            }
            let place = self.noted.dooms[nth] as usize;
            let Some(executed) = &self.frames[place].executed else { continue };
            for pid in executed.event.doomed.clone() {
                self.plan_doomed(place, pid);
            }
        }
        for nth in 0..self.choosing.len() {
            if self.is_enough() {
                return;
            }
            let place = self.choosing[nth] as usize;
            let Some(executed) = &self.frames[place].executed else { continue };
            if let Some(received) = &executed.receive {
                let is_done = received.is_settled && !is_watched;
                let is_same = || !self.is_revisited(place) && !self.has_stale(place);
                if !(is_done && (is_calm || is_same())) {
                    self.other_messages(place);
                }
            } else if executed.may_tie {
                self.other_time(place);
            } else if executed.event.seen.len() > 1 {
                self.other_orders(place);
            }
        }
    }

    /// Whether nothing more needs to be planned: one sequence says that there are more, or nobody
    /// is going to explore any.
    fn is_enough(&self) -> bool {
        if self.plans_one && self.has_planned {
            return true;
        }
        // Often enough to be heard within a moment, seldom enough to cost nothing.
        self.questions.set(self.questions.get().wrapping_add(1));
        self.bounds.forgets_rest
            && self.questions.get().is_multiple_of(QUESTIONS_APART)
            && self.bounds.is_over.asked()
    }

    /// Finds out which events of this execution force an order.
    fn find_forcing(&mut self) {
        let delivery = self.bounds.delivery;
        let forces = |at: &u32| {
            let executed = self.frames[*at as usize].executed.as_ref();
            executed.is_some_and(|executed| executed.forces(delivery))
        };
        let mut forcing = std::mem::take(&mut self.forcing);
        forcing.clear();
        forcing.extend(self.choosing.iter().copied().filter(forces));
        self.forcing = forcing;
    }

    /// Plans the other choices of a receive. One that is inconsistent only because of what other
    /// receives chose is looked at again in the next execution, in which these may have chosen
    /// otherwise.
    fn other_messages(&mut self, place: usize) {
        let Some(executed) = &self.frames[place].executed else { return };
        let Some(received) = &executed.receive else { return };
        let step = &executed.event.step;
        let rivals = &received.forced.rivals;
        let times_out = received.can_time_out && step.take != Take::Timeout;
        if rivals.is_empty() && !times_out {
            return self.settle_receive(place); // it had no choice
        }
        let others = rivals.iter().map(|rival| Take::Message(rival.message));
        let others = others.chain(times_out.then_some(Take::Timeout));
        let is_settled =
            |take: &Take| received.settled.contains(take) && !self.is_stale(place, step, *take);
        // Most often everything is settled, or nothing else could be taken.
        let mut open: SmallVec<[Take; 8]> = SmallVec::new();
        let mut are_some_settled = false;
        for take in others.clone() {
            match is_settled(&take) {
                true => are_some_settled = true,
                false => open.push(take),
            }
        }
        if are_some_settled && (self.shared.is_watched() || self.is_revisited(place)) {
            open.clear();
            open.extend(others);
        }
        if open.is_empty() {
            return self.settle_receive(place);
        }
        let own = match step.take {
            Take::Message(message) => Some(message),
            _ => None,
        };
        let matching: SmallVec<[MessageId; 8]> =
            rivals.iter().map(|rival| rival.message).chain(own).collect();
        let step = Arc::clone(step);
        // What would be there without the receive and what depends on it.
        let remainder = Remainder::without(place, step.id);
        let holds = received.holds;
        let Possible { takes, blocked } =
            self.possible(&remainder, open.clone(), &matching, (step.before(), holds));
        if let Some(received) =
            self.frames[place].executed.as_mut().and_then(|l| l.receive.as_mut())
        {
            received.settled.extend(open.into_iter().filter(|take| !blocked.contains(take)));
            received.is_settled = blocked.is_empty();
        }
        for take in takes {
            if self.is_enough() {
                return;
            }
            let footprint = of_receive(step.footprint(), step.actor, take, holds);
            let other = Step::new(step.id, step.actor, take, step.made_by, footprint);
            self.plan_take(place, Arc::new(other), &matching);
        }
    }

    /// Nothing is left to be planned of a receive, until there are other messages for it.
    fn settle_receive(&mut self, place: usize) {
        if let Some(received) =
            self.frames[place].executed.as_mut().and_then(|l| l.receive.as_mut())
        {
            received.is_settled = true;
        }
    }

    /// Which of these choices a receive has in a rest, where these messages match; and which of the
    /// others it has not only because of what other receives chose, or because a signal has not
    /// arrived. Of the receive: the event of its process before it, and whether timing out has to
    /// wait for a monitor that is held back.
    fn possible(
        &self,
        remainder: &Remainder,
        others: SmallVec<[Take; 8]>,
        matching: &[MessageId],
        (before, holds): (Id, bool),
    ) -> Possible {
        let includes = |id: Id| self.is_in(remainder, id);
        let forced = self.forced_in(remainder);
        let mut possible = Possible::default();
        for take in others {
            let (message, before) = match take {
                Take::Message(message) => (Some(message), Id::BEGINNING),
                _ => (None, before),
            };
            if self.is_enough() || (self.plans_one && !possible.takes.is_empty()) {
                break;
            }
            if take == Take::Timeout && holds {
                // What was sent before the monitor arrived is there, too.
                match self.let_go(before, &includes) {
                    Some(arrival)
                        if self.is_consistent(None, matching, arrival, &forced, &includes) => {}
                    _ => {
                        possible.blocked.push(take);
                        continue;
                    }
                }
            }
            if self.is_consistent(message, matching, before, &forced, &includes) {
                possible.takes.push(take);
            } else if message.is_some_and(|message| !self.may_have_arrived(message, &includes))
                || self.is_consistent(message, matching, before, &[], &includes)
            {
                possible.blocked.push(take);
            }
        }
        possible
    }

    fn dooms(&self, place: usize, pid: Pid) -> bool {
        self.frames[place]
            .executed
            .as_ref()
            .is_some_and(|executed| executed.event.doomed.contains(&pid))
    }

    /// What an actor was about to do when the event at `place` stopped it.
    fn stopped_at(&mut self, place: usize, actor: Actor) -> Option<Rc<Glimpse>> {
        let known = &self.frames[place].executed.as_ref()?.glimpses;
        if let Some((_, glimpse)) = known.iter().find(|(other, _)| *other == actor) {
            return Some(Rc::clone(glimpse));
        }
        let glimpse = Rc::new(self.glimpse(place, actor)?);
        let executed = self.frames[place].executed.as_mut()?;
        executed.glimpses.push((actor, Rc::clone(&glimpse)));
        Some(glimpse)
    }

    /// A timer that was cancelled at `place` could have fired before.
    fn plan_timer(&mut self, place: usize, timer: Ref, is_new: bool) {
        let actor = Actor::Timer(timer);
        let number = self.number(actor);
        let Some(glimpse) = self.stopped_at(place, actor) else { return };
        let id = Id { actor: number, seq: 1 };
        let made_by = self.made_by[number as usize];
        let step = Step::new(id, actor, Take::Nothing, made_by, glimpse.footprint.clone());
        if is_new
            || self.is_revisited(place)
            || self.has_stale(place)
            || self.is_turned_anew(place, place, &step)
        {
            self.plan(place, Arc::new(step), place, true);
        }
    }

    /// A process that is doomed by the event at `place` could have gone on before: with what it was
    /// about to do, or with any message that it could have taken.
    fn plan_doomed(&mut self, place: usize, pid: Pid) {
        let actor = Actor::Process(pid);
        let number = self.number(actor);
        // It did nothing since that event but end.
        let seq = self.places[number as usize].iter().filter(|at| (**at as usize) < place).count();
        let id = Id { actor: number, seq: seq as u32 + 1 };
        let end_at = self.places[number as usize].get(seq).copied();
        let end_is_new = end_at.is_none_or(|at| at as usize >= self.new_from);
        let Some(glimpse) = self.stopped_at(place, actor) else { return };
        let made_by = self.made_by[number as usize];
        let receive = match &glimpse.next {
            Next::Act | Next::End => {
                let footprint = glimpse.footprint.clone();
                let step = Step::new(id, actor, Take::Nothing, made_by, footprint);
                if end_is_new
                    || self.is_revisited(place)
                    || self.has_stale(place)
                    || self.is_turned_anew(place, place, &step)
                {
                    self.plan(place, Arc::new(step), place, true);
                }
                return;
            }
            Next::Receive(receive) => receive,
            _ => return,
        };
        let Some(executed) = &self.frames[place].executed else { return };
        let (doom, was_blocked) = (executed.event.id, executed.blocked.contains(&pid));
        let (matching, is_new) = self.messages_for(place, doom, pid, &glimpse);
        let is_again = self.is_revisited(place) || self.has_stale(place);
        if !is_new && !end_is_new && !was_blocked && !is_again {
            return;
        }
        let holds = glimpse.holds;
        let footprint = |take| of_receive(&Footprint::default(), actor, take, holds);
        let step = |take| Step::new(id, actor, take, made_by, footprint(take));
        let others = matching.iter().map(|message| Take::Message(*message));
        let times_out = self.can_time_out(receive.timeout);
        let others = others.chain(times_out.then_some(Take::Timeout)).collect();
        let remainder = Remainder::without(place, doom);
        let before = step(Take::Timeout).before();
        let Possible { takes, blocked, .. } =
            self.possible(&remainder, others, &matching, (before, holds));
        if let Some(executed) = self.frames[place].executed.as_mut() {
            executed.blocked.retain(|other| *other != pid);
            executed.blocked.extend((!blocked.is_empty()).then_some(pid));
        }
        for take in takes {
            self.plan_take(place, Arc::new(step(take)), &matching);
        }
    }

    /// The messages that a process in a receive could take, of those in its mailbox at `place` and
    /// those that were sent later, but not because of the event `without`. Says whether one of them
    /// is new in this execution.
    fn messages_for(
        &mut self,
        place: usize,
        without: Id,
        pid: Pid,
        glimpse: &Glimpse,
    ) -> (SmallVec<[MessageId; 8]>, bool) {
        let mut found = SmallVec::new();
        let mut is_new = false;
        let Some(prober) = &glimpse.prober else { return (found, false) };
        let number = self.number(Actor::Process(pid));
        let taken = |search: &Search, message: MessageId| {
            search.places[number as usize].iter().any(|at| {
                (*at as usize) < place
                    && search.frames[*at as usize].executed.as_ref().is_some_and(|executed| {
                        executed.event.take == Take::Message(message)
                            || executed.removed.iter().any(|(_, removed)| *removed == message)
                    })
            })
        };
        for at in 0..self.frames.len() - 1 {
            let Some(executed) = &self.frames[at].executed else { continue };
            if executed.clock.has(without) {
                continue;
            }
            for (nth, put) in executed.event.puts.iter().enumerate() {
                let message = MessageId { sent_by: executed.event.id, nth: nth as u32 };
                if put.to == pid
                    && !put.in_vain.is_some_and(|monitor| self.is_silent(number, monitor, place))
                    && !taken(self, message)
                    && self.machine.would_take(prober, &put.message)
                {
                    found.push(message);
                    is_new |= at >= self.new_from;
                }
            }
        }
        (found, is_new)
    }

    /// Whether a process did not want the message of a monitor any more at `place`.
    fn is_silent(&self, actor: ActorNumber, monitor: Ref, place: usize) -> bool {
        self.places[actor as usize].iter().any(|at| {
            let executed = self.frames[*at as usize].executed.as_ref();
            (*at as usize) < place
                && executed.is_some_and(|executed| executed.event.silenced == Some(monitor))
        })
    }

    /// What is to be explored from the state at `place` instead of the event there: all that does
    /// not depend on that event, then `last`, which may then do something else (`relabel.rs`). What
    /// it does then is remembered at the event at `home`. `is_stopped` if `last` is known as it
    /// would have been at `place` itself.
    fn plan(&mut self, place: usize, last: Arc<Step>, home: usize, is_stopped: bool) {
        let Some(executed) = &self.frames[place].executed else { return };
        let last = untied(last);
        let remainder = Remainder::without(place, executed.event.id);
        let changes = self.shared.is_watched()
            || self.may_turn(executed, place, &last, home)
            || (is_stopped
                && self
                    .later(&remainder)
                    .any(|executed| relabel::may_change(&executed.event, &last)));
        let relabelled = if changes { self.relabelled(&remainder, &last) } else { None };
        let now = relabelled.as_ref().unwrap_or(&last);
        if self.asks_too_early(now, &|id| self.is_in(&remainder, id)) {
            // What is in the way may come earlier in another execution, where it is planned then.
            return;
        }
        if changes || is_stopped {
            self.remember_turned(&remainder, home, &last, relabelled.as_ref().unwrap_or(&last));
        }
        self.plan_exactly(&remainder, relabelled.unwrap_or(last));
    }

    /// Whether `last`, which is to come before the event at `place`, may do something else then. Of
    /// two events of the execution that is known.
    fn may_turn(&self, first: &Executed, place: usize, last: &Arc<Step>, home: usize) -> bool {
        match &self.frames[home].executed {
            Some(executed) if Arc::ptr_eq(&executed.event.step, last) => {
                executed.reversible.contains(&(place as u32))
            }
            _ => relabel::may_turn(&first.event, last),
        }
    }

    /// What is to be explored from the state at `place`: all that does not depend on the event
    /// there, then a receive that takes something else, of these messages, or times out.
    fn plan_take(&mut self, place: usize, last: Arc<Step>, matching: &[MessageId]) {
        match last.take {
            Take::Timeout if self.shared.is_watched() => self.plan_time_out(place, last, matching),
            _ => self.plan(place, last, place, false),
        }
    }

    /// Remembers what `last` does if it comes before the event that `rest` is without.
    fn remember_turned(
        &mut self,
        remainder: &Remainder,
        home: usize,
        last: &Step,
        now: &Arc<Step>,
    ) {
        let conflicts = self.conflicts(remainder, now);
        let reversed = Reversed {
            first: remainder.from as u32,
            last: last.id,
            now: Arc::clone(now),
            conflicts,
        };
        let Some(executed) = self.frames[home].executed.as_mut() else { return };
        let known =
            executed.reversed.iter().position(|t| t.first == reversed.first && t.last == last.id);
        match known {
            Some(at) => executed.reversed[at] = reversed,
            None => executed.reversed.push(reversed),
        }
    }

    /// Whether what `last` does before the event at `place` conflicts with other events now than
    /// when that was planned, or with events that come about in another way: those are new.
    fn is_turned_anew(&self, place: usize, home: usize, last: &Step) -> bool {
        let Some(executed) = &self.frames[home].executed else { return false };
        let is_it = |t: &&Reversed| t.first as usize == place && t.last == last.id;
        let first = self.frames[place].executed.as_ref().map(|executed| executed.event.id);
        match (executed.reversed.iter().find(is_it), first) {
            (Some(reversed), Some(first)) => {
                let remainder = Remainder::without(place, first);
                let new = Remainder {
                    from: place.max(self.new_from),
                    without: remainder.without.clone(),
                };
                !self.conflicts(&new, &reversed.now).is_empty()
                    || reversed.conflicts != self.conflicts(&remainder, &reversed.now)
            }
            // Another worker may have planned it.
            _ => true,
        }
    }

    /// The later events of a remainder that depend on this step.
    fn conflicts(&self, remainder: &Remainder, step: &Step) -> Vec<Arc<Step>> {
        let depends = |event: &Step| event.id.actor != step.id.actor && conflicting(event, step);
        self.later(remainder)
            .filter(|executed| depends(&executed.event))
            .map(|executed| Arc::clone(&executed.event.step))
            .collect()
    }

    /// The last step of a sequence as it would be.
    pub(super) fn relabelled(&self, remainder: &Remainder, last: &Step) -> Option<Arc<Step>> {
        let mut again = Again::default();
        let beginning = self.frames.first()?.copy.as_deref()?;
        for (pid, len) in beginning.mailboxes() {
            again.initial(pid, len as u32);
        }
        for frame in &self.frames[..remainder.from] {
            let executed = frame.executed.as_ref()?;
            again.after(&executed.event, &executed.removed);
        }
        let mut machine = self.state_at(remainder.from)?;
        for executed in self.later(remainder) {
            machine.leave_unheard(&executed.needless_downs);
            again.perform(&mut machine, &executed.event.step, &executed.event.seen)?;
        }
        let (footprint, mailbox) = again.perform(&mut machine, last, &[])?;
        let take = match mailbox {
            Some(mailbox) if mailbox.len() > 1 => {
                let forced = self.forced_in(remainder);
                let orders = self.orders(&mailbox, &forced, &|id| self.is_in(remainder, id));
                orders.first().map_or(Take::Nothing, |order| Take::Order(order::rank(order)))
            }
            _ if matches!(last.take, Take::Message(_) | Take::Timeout) => last.take,
            _ => Take::Nothing,
        };
        Some(Arc::new(Step::new(last.id, last.actor, take, last.made_by, footprint)))
    }

    /// What is to be explored from a state: the later events of a remainder, then `last`.
    pub(super) fn plan_exactly(&mut self, remainder: &Remainder, last: Arc<Step>) {
        // It may be something that no execution has.
        self.note_lives(&last);
        let place = remainder.from;
        let mut wakeup = match &mut self.frames[place].work {
            Work::Own(todo) => mem::take(&mut todo.wakeup),
            Work::Common(_) => Vec::new(),
        };
        let key = (last.id, last.take);
        let way = self.insert(remainder, &last, &mut wakeup);
        let Frame { work, executed, .. } = &mut self.frames[place];
        if let Work::Own(todo) = work {
            todo.wakeup = wakeup;
        }
        if let (Some(way), Some(executed)) = (way, executed) {
            self.has_planned = true;
            let (last, take) = key;
            let known = executed.planned.iter_mut().find(|it| (it.last, it.take) == (last, take));
            match known {
                Some(planned) => planned.way = way,
                None => executed.planned.push(Planned { last, take, way }),
            }
        }
    }

    /// Adds a sequence to the tree of a state of one's own, or to that of a common one. If it is
    /// not covered by what sleeps: the steps of its way in the tree.
    fn insert(
        &self,
        remainder: &Remainder,
        last: &Arc<Step>,
        wakeup: &mut Vec<Branch>,
    ) -> Option<Vec<Arc<Step>>> {
        let Frame { executed, work, .. } = &self.frames[remainder.from];
        let first = &executed.as_ref()?.event.step;
        let kept: Vec<&Executed> = self.later(remainder).collect();
        let fits = |step: &Step, path: &[&Arc<Step>]| {
            self.fits(remainder, path.iter().map(|step| &***step).chain([&**last]), step)
        };
        let steps = kept.iter().map(|executed| &executed.event.step);
        match work {
            Work::Own(todo) => {
                if todo.covers(steps.clone().map(|step| &**step).chain([&**last]), &fits) {
                    return None;
                }
                Some(Sequence::new(steps.chain([last]), &fits).insert(wakeup))
            }
            Work::Common(node) => {
                let sequence = steps.chain([last]).cloned().collect();
                self.shared.plan(*node, first, sequence, &fits);
                None
            }
        }
    }
}

/// Choices of a receive.
#[derive(Default)]
struct Possible {
    takes: SmallVec<[Take; 8]>,
    /// Those that other receives are in the way of.
    blocked: SmallVec<[Take; 8]>,
}

/// What a receive touches when it takes something else: a message is taken out of the mailbox, or
/// none. `holds` if giving up has to wait for a monitor that is held back.
fn of_receive(footprint: &Footprint, actor: Actor, take: Take, holds: bool) -> Footprint {
    let mut footprint = footprint.clone();
    if let Actor::Process(pid) = actor {
        let (mailbox, order) =
            (Object::of(Class::Mailbox, pid), Object::of(Class::MailboxOrder, pid));
        let is_choice = |object| object == mailbox || object == order;
        footprint.0.retain(|access| {
            let is_of_choice = is_choice(access.object) && access.kind == Kind::Add;
            !is_of_choice && access.object != Object::held(pid)
        });
        footprint.add(Kind::Add, if take == Take::Timeout { order } else { mailbox });
        if take == Take::Timeout && holds {
            footprint.read(Object::held(pid));
        }
    }
    footprint
}
