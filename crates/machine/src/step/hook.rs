//! Where the rest of the Machine meets stepping: what the interpreter, builtins, signals and ends
//! tell whoever drives the Machine one visible action at a time, and what they ask, in a word each.
//!
//! Nobody outside of this directory and of [`crate::flight`] looks at [`Stepping`](super::Stepping)
//! or at a process's [`Point`](super::Point). Running freely, each of these is a test of a byte, or
//! finds an empty collection.

use atom::known;
use code::instr::Pc;
use term::{Pid, Ref, Term};

use super::held::{about_to_call, about_to_receive, about_to_send};
use super::{Effect, Ghost, Label, Timeout};
use crate::builtins::{self, Asks, Builtin, Seen};
use crate::code_space::CodeSpace;
use crate::ets::Need;
use crate::ets::table::Table;
use crate::exception::Exception;
use crate::footprint::tables::{self, Ever};
use crate::footprint::{self, Class, Footprint, Kind, Look, Object};
use crate::interp::Exit;
use crate::process::{AliasKind, Deadline, Monitoring, Process};
use crate::signals::Node;
use crate::state::State;

/// Whether somebody drives, and what is reported of an action.
impl State {
    /// Whether the Machine is driven one visible action at a time.
    #[inline(always)]
    pub(crate) fn is_driven(&self) -> bool {
        self.step.is_on()
    }

    /// Whether all steps of ends are actions.
    pub(crate) fn takes_ends_apart(&self) -> bool {
        self.step.takes_ends_apart()
    }

    /// The end of a process tells another one in the action with which it is gone.
    pub(crate) fn note_told_at_once(&mut self, from: Pid, to: Pid) {
        self.step.note_told_at_once(from, to);
    }

    /// A process asks for a link to one that is bound to end and could have begun to, or not.
    pub(crate) fn note_link_to_doomed(&mut self) {
        self.step.note_link_to_doomed();
    }

    /// Whether a `receive` is only asked which messages it would take.
    #[inline(always)]
    pub(crate) fn is_probing(&self) -> bool {
        self.step.is_probing()
    }

    /// The action touches something that others can see.
    #[inline]
    pub(crate) fn touch(&mut self, kind: Kind, object: Object) {
        self.step.touch(kind, object);
    }

    /// The action gives something a value: two that give the same one commute.
    #[inline]
    pub(crate) fn assign(&mut self, object: Object, value: &Term) {
        self.step.assign(object, value);
    }

    /// The action has done something that a driver may have to know in detail.
    #[inline]
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.step.effect(effect);
    }

    /// Adds what a function reports to the footprint of the action.
    pub(crate) fn touch_with(&mut self, report: impl FnOnce(&State, &mut Footprint)) {
        // It is large, and mostly empty: then a new one does.
        let so_far = &mut self.step.log.footprint;
        let is_empty = so_far.0.is_empty();
        let mut footprint = if is_empty { Footprint::default() } else { std::mem::take(so_far) };
        report(self, &mut footprint);
        self.step.log.footprint = footprint;
    }

    /// Whether readings of clocks and heirs are in order (`time.rs`).
    pub(crate) fn is_exact(&self) -> bool {
        self.step.is_exact()
    }

    /// Whether the reading of a clock that is going on has a place in the order.
    pub(crate) fn orders_reading(&self) -> bool {
        self.step.orders_reading()
    }

    /// Somebody asks for the heir of a table that has or had one.
    pub(crate) fn note_question_for_heir(&mut self) {
        self.step.note_question_for_heir();
    }
}

/// How signals travel ([`crate::flight`]).
impl State {
    /// Whether signals from one process to another wait until they arrive.
    #[inline]
    pub(crate) fn travels(&self, from: Pid, to: Pid) -> bool {
        self.step.flight.waits(from, to)
    }

    /// Whether a message does. Where somebody drives it is in the mailbox at once, and the driver
    /// says when it is taken.
    #[inline]
    pub(crate) fn message_travels(&self, from: Pid, to: Pid) -> bool {
        self.travels(from, to) && !self.is_driven()
    }

    /// Whether it is decided when a signal arrives what it does, so that what happens meanwhile
    /// commutes with sending it.
    #[inline]
    pub(crate) fn is_decided_on_arrival(&self, from: Pid, to: Pid) -> bool {
        self.is_driven() && self.travels(from, to)
    }

    /// Whether only what the ends of processes tell travels.
    #[inline]
    pub(crate) fn is_instant(&self) -> bool {
        self.step.flight.is_instant()
    }

    /// Whether the news of a monitor are on their way.
    pub(crate) fn has_news_of(&self, monitor: Ref) -> bool {
        self.step.flight.has_down(monitor)
    }

    /// A signal that is not sent has its number all the same.
    pub(crate) fn skip_signal(&mut self, from: Pid) {
        self.step.new_signal(from);
    }
}

/// What is remembered of what is no more, so that actions commute.
impl State {
    /// A monitor that is no more.
    pub(crate) fn ghost(&self, monitor: Ref) -> Option<&Ghost> {
        self.step.ghosts.get(&monitor)
    }

    pub(crate) fn take_ghost(&mut self, monitor: Ref) -> Option<Ghost> {
        self.step.ghosts.remove(&monitor)
    }

    /// A process does not want the news of its monitor any more.
    pub(crate) fn silence(&mut self, monitor: Ref, monitoring: Monitoring) {
        self.step.ghosts.insert(monitor, Ghost::Silenced(monitoring));
    }

    /// A process ends whose monitor of another stays known to that one.
    pub(crate) fn outlive(&mut self, monitor: Ref, target: Option<Pid>, monitoring: &Monitoring) {
        if let Some(target) = target {
            self.touch(Kind::Add, Object::monitors(target));
        }
        self.step.ghosts.insert(monitor, Ghost::Ended(monitoring.clone()));
    }

    /// Until when the alias of a process that has ended serves.
    pub(crate) fn ghost_alias(&self, alias: Ref) -> Option<AliasKind> {
        self.step.ghost_aliases.get(&alias).map(|(_, kind)| *kind)
    }

    /// An alias of a process that ends.
    pub(crate) fn keep_alias(&mut self, alias: Ref, owner: Pid, kind: AliasKind) {
        if self.is_driven() {
            self.step.ghost_aliases.insert(alias, (owner, kind));
        }
    }

    /// Whether a process that has ended trapped exits: signals to it are still messages.
    pub(crate) fn trapped_to_the_end(&self, pid: Pid) -> bool {
        self.step.ended_trapping.contains(&pid)
    }

    /// Whether a process that has ended was linked to another until then.
    pub(crate) fn was_linked_to_the_end(&self, pid: Pid, other: Pid) -> bool {
        self.step.ended_linked.contains(&(pid, other))
    }

    /// Whether a process that has ended had a name or tables.
    pub(crate) fn had_to_give_up(&self, pid: Pid) -> bool {
        self.step.gave_up.contains(&pid)
    }

    /// A process has ended.
    pub(crate) fn remember_ended(&mut self, process: &Process) {
        if !self.is_driven() {
            return;
        }
        if process.trap_exit {
            self.step.ended_trapping.insert(process.pid);
        }
        for other in &process.relations.links {
            self.step.ended_linked.insert((process.pid, *other));
        }
    }

    /// The monitors that the end which is going on need not tell about.
    pub(crate) fn take_unheard(&mut self) -> impl Fn(&Ref) -> bool + use<> {
        let unheard = std::mem::take(&mut self.step.unheard);
        move |monitor| unheard.contains(monitor)
    }
}

/// Aliases, and those that were.
impl State {
    /// Whose alias a reference is, or was until its process ended, when driven step by step: so
    /// that a message to it commutes with that end.
    pub(crate) fn alias_owner(&self, alias: Ref) -> Option<Pid> {
        let ghost = || self.step.ghost_aliases.get(&alias).map(|(owner, _)| *owner);
        self.node.aliases.get(&alias).copied().or_else(ghost)
    }

    /// To whom a message to an alias travels: whose alias it is or ever was.
    pub(crate) fn alias_address(&self, alias: Ref) -> Option<Pid> {
        self.alias_owner(alias).or_else(|| self.step.past_aliases.get(&alias).copied())
    }

    /// A reference is an alias no longer.
    pub(crate) fn end_alias(&mut self, alias: Ref) {
        if let Some(owner) = self.node.aliases.remove(&alias) {
            self.remember_alias(alias, owner);
        }
    }

    /// The alias of a process that has ended serves no more; says whose it was, if it did.
    pub(crate) fn end_ghost_alias(&mut self, alias: Ref) -> Option<Pid> {
        let (owner, _) = self.step.ghost_aliases.remove(&alias)?;
        self.remember_alias(alias, owner);
        Some(owner)
    }

    fn remember_alias(&mut self, alias: Ref, owner: Pid) {
        if self.is_driven() && !self.is_instant() {
            self.step.past_aliases.insert(alias, owner);
        }
    }
}

/// Tables.
impl State {
    /// A table of another process was deleted.
    pub(crate) fn dispossess(&mut self, owner: Pid) {
        if self.is_driven() {
            self.step.dispossessed.insert(owner);
        }
    }

    /// The owner of a table ends.
    pub(crate) fn touch_end_of_table(&mut self, table: Ref) {
        if let Some(table) = self.node.tables.get(table) {
            tables::ends(table, |kind, object| self.step.touch(kind, object));
        }
    }

    /// A process ends, and its tables go to their heirs or away.
    pub(crate) fn touch_tables_of(&mut self, owner: Pid) {
        if !self.is_driven() {
            return;
        }
        if self.step.dispossessed.contains(&owner) {
            self.touch(Kind::Read, Object::of(Class::Owned, owner));
        }
        for table in self.node.tables.owned_by(owner) {
            self.touch_end_of_table(table);
        }
    }

    /// What was ever in which table.
    pub(crate) fn ever(&self) -> &Ever {
        &self.step.ever
    }

    /// Objects are inserted.
    pub(crate) fn remember_inserted(&mut self, table: Ref, objects: &[&Term]) {
        if self.is_driven()
            && let Some(table) = self.node.tables.get(table)
        {
            let footprint = &self.step.log.footprint;
            tables::remember(&mut self.step.ever, table, objects, footprint);
        }
    }

    /// Objects of a table become others: what a function notes of that.
    pub(crate) fn remember_change(
        &mut self,
        table: &Term,
        by: Pid,
        note: impl FnOnce(&mut Ever, &Table),
    ) {
        if self.is_driven()
            && let Ok(table) = self.node.tables.read(table, by, Need::Write)
        {
            note(&mut self.step.ever, table);
        }
    }
}

impl Node<'_> {
    /// The running process asks another about itself: what it has sent to it has arrived before,
    /// and one that is bound to end answers when it is gone.
    pub(crate) fn ask(&mut self, asked: Pid) {
        self.settle(asked);
        self.let_go_to_ask(asked);
        if self.s.is_driven() {
            if let Some(me) = self.me.as_deref() {
                self.s.note_question(me, Some(asked));
            }
            self.s.step.log.too_early |= self.s.node.is_bound_to_end(asked);
            self.s.note_look_at_dictionary(asked);
        }
    }

    /// The running process asks which processes there are.
    pub(crate) fn ask_for_all(&mut self) {
        if let (true, Some(me)) = (self.s.is_driven(), self.me.as_deref()) {
            self.s.note_question(me, None);
        }
    }

    /// The running process sends another a signal that has its effect at once, after all that it
    /// has sent to it before.
    pub(crate) fn reach(&mut self, other: Pid) {
        self.settle(other);
        self.let_go();
    }

    /// A message is put into a mailbox, or comes too late for a process that has ended: that is
    /// worth knowing, too.
    #[inline]
    pub(crate) fn note_put(&mut self, to: Pid, message: &Term) {
        if self.s.is_driven() {
            self.s.touch(Kind::Add, Object::of(Class::Mailbox, to));
            self.s.effect(Effect::Put { to, message: message.clone() });
        }
    }

    /// How far whoever acts is ahead of the beginning (`time.rs`).
    #[inline]
    pub(crate) fn ahead(&self) -> u64 {
        self.me.as_ref().map_or(self.s.step.ahead, |me| me.step.ahead)
    }

    /// A monitor has told its process of an end, or was ended by an answer: removing it touches
    /// the same as if it had been before.
    pub(crate) fn remember_monitor(&mut self, watcher: Pid, monitor: Ref, target: Pid) {
        if self.s.is_driven()
            && let Some(process) = self.process_mut(watcher)
        {
            process.relations.past_monitors.push((monitor, target));
        }
    }
}

/// The time of a process (`time.rs`), and what its next action is.
impl Process {
    /// How far it is ahead of the beginning, in nanoseconds.
    #[inline]
    pub(crate) fn ahead(&self) -> u64 {
        self.step.ahead
    }

    /// It begins at the time of its maker.
    pub(crate) fn begin_with(&mut self, maker: &Process) {
        self.step.ahead = maker.step.ahead;
    }

    /// The message that is put into its mailbox next was sent so far ahead.
    #[inline]
    pub(crate) fn stamp(&mut self, ahead: u64) {
        self.step.stamp(self.mailbox.len(), ahead);
    }

    /// A message is taken out of its mailbox, other than by receiving it.
    pub(crate) fn unstamp(&mut self, at: usize) {
        self.step.unstamp(at);
    }

    /// Whether nobody looks at how many objects of a table its next action removes.
    pub(crate) fn ignores_count(&self) -> bool {
        self.step.ignores_count
    }

    pub(crate) fn ignore_count(&mut self, ignores: bool) {
        self.step.ignores_count = ignores;
    }
}

/// Whether the call of a builtin, whose arguments are in these slots, is a visible action.
#[inline]
pub(crate) fn is_visible(
    code: &CodeSpace,
    s: &mut State,
    p: &Process,
    builtin: &Builtin,
    args: std::ops::Range<usize>,
) -> bool {
    match builtin.facts.seen {
        Seen::Hidden => false,
        Seen::Visible(_) => true,
        Seen::Dictionary => s.is_driven() && s.step.shows_dictionaries(),
        Seen::Clock => {
            s.is_driven() && {
                let shows = || builtins::shows(builtin, &p.stack[args.clone()]);
                s.step.orders_clock(p.pid, || code.is_of_program(p.pc), shows)
            }
        }
    }
}

/// Whether a process has to stop before it calls a builtin, whose arguments are in these slots.
#[inline]
pub(crate) fn stops_before_call(
    s: &mut State,
    p: &mut Process,
    builtin: &Builtin,
    args: std::ops::Range<usize>,
) -> bool {
    if !s.step.gate() {
        return false;
    }
    let asks = match builtin.facts.asks {
        // It fails before it asks anybody.
        Asks::State if builtins::asks_for_nothing(&p.stack[args.clone()]) => Asks::Nothing,
        asks => asks,
    };
    let first = p.stack[args].first().cloned();
    p.step.may_look = asks == Asks::State;
    if let Seen::Clock = builtin.facts.seen {
        p.step.reads = s.step.shown();
    }
    if asks != Asks::Nothing {
        p.step.asks = first.as_ref().and_then(Term::as_pid).filter(|asked| *asked != p.pid);
    }
    about_to_call(p, builtin, first.as_ref(), asks);
    true
}

/// Records what a builtin touches, before it runs.
#[inline]
pub(crate) fn note_call(s: &mut State, p: &Process, number: u32, builtin: &Builtin, args: &[Term]) {
    if s.is_driven()
        && let Some(function) = builtin.footprint()
    {
        s.touch_with(|s, footprint| function(&Look { s, p }, args, footprint));
        s.step.log.label = Label::Call(number);
        if s.step.detailed {
            s.step.log.arguments = Some(args.into());
        }
    }
}

/// A builtin failed that is a visible action: what it has not done does not count.
pub(crate) fn note_failure(s: &mut State, builtin: &Builtin) {
    if s.is_driven() && s.step.log.effects.is_empty() {
        s.step.log.failed(builtin);
    }
}

/// Whether a process has to stop before `To ! Message`.
#[inline(always)]
pub(crate) fn stops_before_send(s: &mut State, p: &mut Process) -> bool {
    let stops = s.step.gate();
    if stops {
        about_to_send(p);
    }
    stops
}

/// Records what `To ! Message` touches, before it happens.
#[inline(always)]
pub(crate) fn note_send(s: &mut State, sender: &Process, to: &Term, message: &Term) {
    if s.is_driven() {
        record_send(s, sender, to, message);
    }
}

fn record_send(s: &mut State, sender: &Process, to: &Term, message: &Term) {
    s.touch_with(|s, footprint| footprint::send(s, Some(sender), to, footprint));
    s.step.log.label = Label::Send;
    if s.step.detailed {
        s.step.log.arguments = Some([to.clone(), message.clone()].into());
    }
}

/// A `receive` takes only messages that have what is at this place of the stack in them. Says
/// whether somebody drives, so that this was worth knowing.
#[inline(always)]
pub(crate) fn note_receive_of(s: &State, p: &mut Process, at: usize) -> bool {
    if s.is_driven() {
        let all_have = p.stack[at].clone();
        about_to_receive(p, &all_have);
    }
    s.is_driven()
}

/// Whether a process has to stop before a `receive` looks at a message.
#[inline(always)]
pub(crate) fn stops_before_receive(s: &mut State, p: &mut Process) -> bool {
    if !s.is_driven() {
        return false;
    }
    let stops = s.step.receive_gate();
    if !stops {
        p.step.has_clauses = true;
    }
    stops
}

/// A message was taken out of the mailbox, from where the `receive` looked.
#[inline(always)]
pub(crate) fn note_taken(s: &mut State, p: &mut Process, message: Option<Term>) {
    if s.is_driven() {
        p.step.catch_up(p.looked);
        if let Some(message) = message {
            s.effect(Effect::Took { index: p.looked as u32, message });
        }
    }
}

/// No message matches: where a process would wait, and for ever.
#[inline(always)]
pub(crate) fn at_wait(s: &State, p: &mut Process, place: (Pc, usize)) -> Option<Exit> {
    s.is_driven().then(|| stand_and_wait(s, p, place, None))
}

/// The same where it gives up some time; the timeout is at this place of the stack. An error if it
/// gives up now, and what it was given is no timeout.
#[inline(always)]
pub(crate) fn at_timed_wait(
    s: &mut State,
    p: &mut Process,
    place: (Pc, usize),
    at: usize,
) -> Result<Option<Exit>, Exception> {
    if s.is_driven() { stand_and_give_up(s, p, place, at) } else { Ok(None) }
}

fn stand_and_give_up(
    s: &mut State,
    p: &mut Process,
    place: (Pc, usize),
    at: usize,
) -> Result<Option<Exit>, Exception> {
    let value = p.stack[at].clone();
    if p.timeout != Some(Deadline::Expired) {
        return Ok(Some(stand_and_wait(s, p, place, Some(&value))));
    }
    s.step.receive_gate();
    if !matches!(timeout(Some(&value)), Timeout::After(_)) {
        p.timeout = None;
        return Err(Exception::atom(known::TIMEOUT_VALUE));
    }
    Ok(None)
}

fn stand_and_wait(s: &State, p: &mut Process, place: (Pc, usize), value: Option<&Term>) -> Exit {
    if s.is_probing() {
        p.step.timeout = timeout(value);
        return Exit::Waits;
    }
    (p.pc, p.base) = place;
    Exit::AtReceive
}

/// When a `receive` gives up.
fn timeout(value: Option<&Term>) -> Timeout {
    match value {
        None => Timeout::Never,
        Some(term) if term.is_atom(known::INFINITY) => Timeout::Never,
        Some(term) => match term.as_int() {
            Some(ms) if (0..=0xFFFF_FFFF).contains(&ms) => Timeout::After(ms as u64),
            _ => Timeout::Bad,
        },
    }
}
