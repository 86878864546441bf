//! Footprints: what a visible action reads and writes of what processes share.
//!
//! A footprint is a list of [`Access`]es to [`Object`]s. Two actions of different processes commute
//! unless an access of one *conflicts* with an access of the other: they overlap in an object, and
//! not both are reads, nor both additions, nor both assignments of the same value. An *addition*
//! (`Kind::Add`) changes the object in a way that does not depend on the order of additions: a
//! message put into a mailbox, text written to a device, a counter increased without looking at it.
//! An *assignment* (`Kind::Assign`) gives the object a value without looking at what it was, so
//! that doing it twice is doing it once: an object inserted into a table, a key deleted, a link
//! made. Of a key of a table it may matter only whether it is there: who asks for that
//! (`Kind::Peek`) does not mind a change of what is there (`Kind::Change`).
//!
//! Objects are small numbers: a class, an owner and a part, where 0 stands for "all of them". Keys
//! of tables and names enter by their hash: should two keys have the same, two actions are taken
//! for dependent that are not, which costs time and misses nothing.
//!
//! Where footprints come from:
//! * The arguments of a builtin, judged just before it runs: the row of a visible builtin has a
//!   function for that (`builtins/row.rs`).
//! * Signals: what the end of a process or an exit signal does is known only while it happens, so
//!   `signals.rs` reports it as it goes.
//! * A builtin that fails has changed nothing: all that it touches it has only read. One whose
//!   arguments alone decide whether it fails touches nothing when it does.
//! * What a process does between two visible actions belongs to the first of them: a look at its
//!   group leader, a change of its dictionary.
//! * Every action of a process reads that the process is not doomed and writes its local state.
//!   That is not in the list; [`Footprint::disturbs`] is the test for it.

mod class;
mod ends;
mod fingerprint;
mod process_info;
pub(crate) mod tables;
pub(crate) mod touches;
mod wanted;

use atom::Atom;
use smallvec::SmallVec;
use term::{Pid, Ref, Term, View};

pub use class::{Class, Owner, Topic};
use ends::asks_to_be_told;
pub(crate) use ends::{begins_to_end, end, gone, is_to_tell};
pub use fingerprint::{fingerprint, key_hash};
pub(crate) use process_info::footprint as process_info;

use crate::builtins::process::NOBODY;
use crate::process::{AliasKind, MonitorTarget, Process};
use crate::state::State;

/// A thing that several processes can reach: owner and part are 0 for "all".
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Object {
    pub class: Class,
    pub owner: u64,
    pub part: u64,
}

impl Object {
    pub const EVERYTHING: Object = Object::all(Class::Everything);

    /// Unique integers that grow.
    pub(crate) const NUMBERS: Object = Object { class: Class::Numbers, owner: 1, part: 0 };

    /// The clock of the node.
    pub const CLOCK: Object = Object { class: Class::Numbers, owner: 2, part: 0 };

    pub const fn all(class: Class) -> Object {
        Object { class, owner: 0, part: 0 }
    }

    pub const fn of(class: Class, pid: Pid) -> Object {
        Object { class, owner: pid.0 + 1, part: 0 }
    }

    pub(crate) const fn of_ref(class: Class, reference: Ref) -> Object {
        Object { class, owner: reference.0 + 1, part: 0 }
    }

    /// The links of a process, to which others add and from which they remove.
    pub(crate) const fn links(pid: Pid) -> Object {
        Object { class: Class::Relations, owner: pid.0 + 1, part: 1 }
    }

    /// The monitors that a process has and those that others have of it.
    pub(crate) const fn monitors(pid: Pid) -> Object {
        Object { class: Class::Relations, owner: pid.0 + 1, part: 3 }
    }

    /// Whether two processes are linked.
    pub(crate) fn link(a: Pid, b: Pid) -> Object {
        Object { class: Class::Link, owner: a.0.min(b.0) + 1, part: a.0.max(b.0) + 1 }
    }

    /// Where signals travel each of two processes has its end of a link: whether a signal of the
    /// other is heard.
    pub(crate) fn end_of_link(holder: Pid, other: Pid) -> Object {
        Object { class: Class::Link, owner: holder.0 + 1, part: (other.0 + 1) | (1 << 63) }
    }

    /// What is on its way from one process to another.
    pub(crate) const fn route(from: Pid, to: Pid) -> Object {
        Object {
            class: Class::Route,
            owner: from.0.saturating_add(1),
            part: to.0.saturating_add(1),
        }
    }

    /// The name of a process.
    pub(crate) const fn name_of(pid: Pid) -> Object {
        Object { class: Class::Relations, owner: pid.0 + 1, part: 2 }
    }

    pub fn named(class: Class, name: Atom) -> Object {
        Object { class, owner: u64::from(name.index()) + 1, part: 0 }
    }

    /// The name that the object stands for. Its number is not the same in another run of ours.
    pub fn name(self) -> Option<Atom> {
        let index = match self.class.owner() {
            Owner::Name => self.owner.checked_sub(1)?,
            Owner::Process | Owner::Number => return None,
        };
        Some(Atom::from_index(u32::try_from(index).ok()?))
    }

    pub(crate) fn keyed(class: Class, owner: u64, key: &Term) -> Object {
        Object { class, owner, part: key_hash(key) }
    }

    /// The object as far as it does not depend on a run of ours; it may then stand for more.
    pub fn portable(self) -> Object {
        match self.class {
            Class::Objects => Object { part: tables::Shape(self.part).plain().0, ..self },
            _ => self,
        }
    }

    /// Whether the two have something in common.
    #[inline]
    pub fn overlaps(self, other: Object) -> bool {
        let same = |a: u64, b: u64| a == b || a == 0 || b == 0;
        if self.class != other.class {
            return self.class == Class::Everything || other.class == Class::Everything;
        }
        same(self.owner, other.owner)
            && match self.class {
                Class::Objects => tables::Shape(self.part).meets(tables::Shape(other.part)),
                _ => same(self.part, other.part),
            }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    Read,
    /// Commutes with other additions.
    Add,
    /// Commutes with assignments of the same value, of which this is the [`fingerprint()`].
    Assign(u64),
    Write,
    /// Asks whether the object is there.
    Peek,
    /// Writes the object if it is there, and neither makes nor removes it.
    Change,
}

impl Kind {
    /// Whether two accesses to one object commute.
    #[inline]
    pub fn commutes(self, other: Kind) -> bool {
        match self {
            Kind::Write => false,
            Kind::Change => other == Kind::Peek,
            Kind::Peek => matches!(other, Kind::Peek | Kind::Read | Kind::Change),
            Kind::Read => matches!(other, Kind::Read | Kind::Peek),
            Kind::Add | Kind::Assign(_) => self == other,
        }
    }

    /// Whether it leaves the object as it was.
    #[inline]
    pub fn only_looks(self) -> bool {
        matches!(self, Kind::Read | Kind::Peek)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access {
    pub object: Object,
    pub kind: Kind,
}

impl Access {
    #[inline]
    pub fn conflicts(self, other: Access) -> bool {
        !self.kind.commutes(other.kind) && self.object.overlaps(other.object)
    }
}

/// All that one visible action touches.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Footprint(pub SmallVec<[Access; 4]>);

impl Footprint {
    pub fn add(&mut self, kind: Kind, object: Object) {
        let access = Access { object, kind };
        if !self.0.contains(&access) {
            self.0.push(access);
        }
    }

    pub fn read(&mut self, object: Object) {
        self.add(Kind::Read, object);
    }

    pub(crate) fn write(&mut self, object: Object) {
        self.add(Kind::Write, object);
    }

    /// The object gets a value, whatever it was.
    pub(crate) fn assign(&mut self, object: Object, value: &Term) {
        self.add(Kind::Assign(fingerprint(value)), object);
    }

    /// The action failed: it has changed nothing. Whether it would change an object of a table
    /// depends on that object: this is no [plain](Class::is_plain) look.
    pub(crate) fn weaken(&mut self) {
        for Access { object, kind } in std::mem::take(&mut self.0) {
            match (object.class, kind) {
                (_, Kind::Peek) => self.add(kind, object),
                (Class::Objects, Kind::Add) => {}
                (Class::Table, Kind::Change | Kind::Write) => {
                    self.read(object);
                    self.add(Kind::Peek, object);
                }
                _ => self.read(object),
            }
        }
    }

    pub fn conflicts(&self, other: &Footprint) -> bool {
        self.0.iter().any(|a| other.0.iter().any(|b| a.conflicts(*b)))
    }

    /// If it is that of the arrival of a signal: from whom to whom.
    pub fn route(&self) -> Option<(Pid, Pid)> {
        let is_route =
            |access: &&Access| access.object.class == Class::Route && access.kind == Kind::Write;
        let object = self.0.iter().find(is_route)?.object;
        Some((Pid(object.owner.checked_sub(1)?), Pid(object.part.checked_sub(1)?)))
    }

    /// Whether this conflicts with whatever a process does: each of its actions reads that it is
    /// not doomed and writes its local state.
    pub fn disturbs(&self, pid: Pid) -> bool {
        let is_its = |object: Object| object.owner == 0 || object.owner == pid.0 + 1;
        self.0.iter().any(|access| access.disturbs() && is_its(access.object))
    }
}

/// What a footprint is judged by.
pub(crate) struct Look<'a> {
    pub(crate) s: &'a State,
    /// The caller, which is not in the table of processes.
    pub(crate) p: &'a Process,
}

pub(crate) type FootprintFn = fn(&Look<'_>, &[Term], &mut Footprint);

/// Whether a list has this atom in it.
fn has_option(options: &Term, name: &str) -> bool {
    options.elements().any(|option| option.as_atom().is_some_and(|o| o.as_str() == name))
}

/// To whom a message goes; that it is put into the mailbox is reported when it is.
pub(crate) fn send(s: &State, sender: Option<&Process>, to: &Term, f: &mut Footprint) {
    match to.view() {
        View::Atom(name) => f.read(Object::named(Class::Name, name)),
        View::Tuple([name, _]) => {
            if let Some(name) = name.as_atom() {
                f.read(Object::named(Class::Name, name));
            }
        }
        View::Ref(alias) => {
            let waits = |sender: &Process| {
                s.alias_address(alias).is_some_and(|owner| s.travels(sender.pid, owner))
            };
            match sender {
                // Whether it is an alias then is asked when the message arrives.
                Some(sender) if waits(sender) => {}
                _ => to_alias(s, sender, alias, f),
            }
        }
        _ => {}
    }
}

/// A message to an alias arrives. Of several messages to an alias that serves once, the first does.
pub(crate) fn to_alias(s: &State, sender: Option<&Process>, alias: Ref, f: &mut Footprint) {
    let owner = s.node.aliases.get(&alias).and_then(|owner| match sender {
        Some(sender) if sender.pid == *owner => Some(sender),
        _ => s.node.process(*owner),
    });
    let kind = match owner {
        Some(owner) => owner.alias_kind(alias),
        None => s.ghost_alias(alias),
    };
    let object = Object::of_ref(Class::Alias, alias);
    if kind != Some(AliasKind::ReplyDemonitor) {
        return f.read(object);
    }
    f.write(object);
    // It ends the monitor, too.
    let monitoring = match owner {
        Some(owner) => owner.monitoring.get(&alias),
        None => s.ghost(alias).map(|ghost| ghost.monitoring()),
    };
    if let Some(MonitorTarget::Process(pid) | MonitorTarget::Named(pid, _)) =
        monitoring.map(|monitoring| &monitoring.target)
        && *pid != NOBODY
    {
        let owner = s.alias_owner(alias);
        match owner.is_some_and(|owner| s.travels(*pid, owner)) {
            // Whether there is somebody to tell is asked when the news arrive.
            true => f.write(Object::of_ref(Class::Monitor, alias)),
            false => {
                f.read(Object::gone(*pid));
                // An end that tells several tells this one yet.
                if s.has_news_of(alias) {
                    f.write(Object::of_ref(Class::Monitor, alias));
                }
            }
        }
        f.add(Kind::Add, Object::monitors(*pid));
    }
}

fn link(look: &Look<'_>, args: &[Term], linked: bool, f: &mut Footprint) {
    let Some(other) = crate::ports::process_of(&args[0]) else { return };
    let me = look.p.pid;
    let travels = look.s.travels(me, other);
    if linked {
        // Where it matters when the other is gone that is reported later (`step/held.rs`).
        match look.s.takes_ends_apart() {
            true => ends::links_apart(look.s, me, other, f),
            false => asks_to_be_told(look.s, me, other, true, f),
        }
    } else if !travels && look.p.relations.once_linked.contains(&other) {
        // The end of the other has somebody less to tell.
        f.read(Object::gone(other));
    }
    let value = Term::bool(linked);
    if travels {
        f.assign(Object::end_of_link(me, other), &value);
        f.assign(Object::end_of_link(other, me), &value);
    } else {
        f.assign(Object::link(me, other), &value);
    }
    f.add(Kind::Add, Object::links(me));
    f.add(Kind::Add, Object::links(other));
}

/// That the other process is asked is reported when it is ([`monitored`]).
pub(crate) fn monitor(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    f.add(Kind::Add, Object::monitors(look.p.pid));
    let name = match args[1].view() {
        View::Atom(name) => Some(name),
        View::Tuple([name, _]) => name.as_atom(),
        _ => None,
    };
    if let Some(name) = name {
        f.read(Object::named(Class::Name, name));
    }
}

/// A process is asked to tell another one of its end. One that is doomed answers that it does not
/// exist; where that travels, it keeps its place among what it tells when it ends.
pub(crate) fn monitored(s: &State, watcher: Pid, pid: Pid, waits: bool, f: &mut Footprint) {
    asks_to_be_told(s, watcher, pid, waits, f);
    if s.travels(pid, watcher) {
        f.read(Object::gone(pid));
    }
    f.add(Kind::Add, Object::monitors(pid));
}

/// With `flush` and without `info` it does not matter whether the process has ended: there is
/// neither monitor nor message afterwards, and the answer is the same.
pub(crate) fn demonitor(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let Some(reference) = args[0].as_ref() else { return };
    let has = |name: &str| args.get(1).is_some_and(|options| has_option(options, name));
    let shows = !has("flush") || has("info");
    if has("flush") {
        f.add(Kind::Add, Object::of(Class::Mailbox, look.p.pid));
    }
    let monitoring = look.p.monitoring.get(&reference);
    let past = look.p.relations.past_monitors.iter().find(|(past, _)| *past == reference);
    // There is no such monitor: it never was, or the process has removed it.
    if monitoring.is_none() && past.is_none() {
        return;
    }
    if shows {
        f.write(Object::of_ref(Class::Monitor, reference));
    }
    f.add(Kind::Add, Object::monitors(look.p.pid));
    // The end of the monitor is the end of the alias, too.
    f.add(Kind::Add, Object::of_ref(Class::Alias, reference));
    let target = match monitoring.map(|monitoring| &monitoring.target) {
        Some(MonitorTarget::Process(pid) | MonitorTarget::Named(pid, _)) => Some(*pid),
        Some(MonitorTarget::Service(_)) => None,
        None => past.map(|(_, pid)| *pid),
    };
    if let Some(pid) = target.filter(|pid| *pid != NOBODY) {
        // Where the news of the end travel, what counts is when they arrive.
        if shows && !look.s.travels(pid, look.p.pid) {
            f.read(Object::gone(pid));
        }
        f.add(Kind::Add, Object::monitors(pid));
    }
}

pub(crate) fn alias(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    // A new alias is known to nobody else yet.
    if let Some(reference) = args.first().and_then(Term::as_ref) {
        f.write(Object::of_ref(Class::Alias, reference));
    }
}

pub(crate) fn register(_: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let (Some(name), Some(pid)) = (args[0].as_atom(), crate::ports::process_of(&args[1])) else {
        return;
    };
    let object = Object::named(Class::Name, name);
    f.read(Object::begun(pid));
    f.write(object);
    f.write(Object::name_of(pid));
}

pub(crate) fn unregister(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let Some(name) = args[0].as_atom() else { return };
    let object = Object::named(Class::Name, name);
    match look.s.node.registry.get(&name) {
        Some(&pid) => {
            // The end of the process has a name less to give up.
            f.read(Object::begun(pid));
            f.write(object);
            f.write(Object::name_of(pid));
        }
        None => f.read(object),
    }
}

/// The timer of a process that has ended is gone for who asks.
fn timer(look: &Look<'_>, kind: Kind, args: &[Term], f: &mut Footprint) {
    let Some(reference) = args[0].as_ref() else { return };
    f.add(kind, Object::of_ref(Class::Timer, reference));
    if let Some(pid) = look.s.node.timer_target(reference).filter(|pid| *pid != look.p.pid) {
        f.read(Object::gone(pid));
    }
}

/// Signals see whether their receiver traps exits; a flag that stays as it is changes nothing.
pub(crate) fn process_flag(look: &Look<'_>, args: &[Term], f: &mut Footprint) {
    let [flag, value] = args else { return };
    if flag.as_atom().is_some_and(|flag| flag.as_str() == "trap_exit")
        && value.as_bool().is_some_and(|value| value != look.p.trap_exit)
    {
        f.write(Object::of(Class::Trap, look.p.pid));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts() {
        let name = |text| Object::named(Class::Name, Atom::new(text));
        let one = |kind, object| {
            let mut footprint = Footprint::default();
            footprint.add(kind, object);
            footprint
        };
        let read = |object| one(Kind::Read, object);
        let add = |object| one(Kind::Add, object);
        let write = |object| one(Kind::Write, object);
        assert!(!read(name("a")).conflicts(&read(name("a"))));
        assert!(!add(name("a")).conflicts(&add(name("a"))));
        assert!(add(name("a")).conflicts(&read(name("a"))));
        assert!(write(name("a")).conflicts(&read(name("a"))));
        assert!(write(name("a")).conflicts(&read(Object::all(Class::Name))));
        assert!(!write(name("a")).conflicts(&write(name("b"))));
        assert!(write(Object::EVERYTHING).conflicts(&read(name("b"))));
        let key = |k: i64| Object::keyed(Class::Table, 7, &Term::int(k));
        let all = Object { class: Class::Table, owner: 7, part: 0 };
        assert!(!write(key(1)).conflicts(&write(key(2))));
        assert!(write(key(1)).conflicts(&write(all)));
        let assign = |object, value| {
            let mut footprint = Footprint::default();
            footprint.assign(object, &Term::int(value));
            footprint
        };
        assert!(!assign(key(1), 5).conflicts(&assign(key(1), 5)));
        assert!(assign(key(1), 5).conflicts(&assign(key(1), 6)));
        assert!(assign(key(1), 5).conflicts(&read(key(1))));
        let mut failed = write(key(1));
        failed.weaken();
        assert!(!failed.conflicts(&read(all)) && failed.conflicts(&assign(key(1), 5)));
    }
}
