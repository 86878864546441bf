//! Signals between processes: messages, exits, links, monitors.
//!
//! A signal has its effect on the receiver when it arrives: at once, or, where signals travel
//! ([`crate::flight`]), when whoever drives the Machine says so.
//!
//! The running process is not in the table, so everything here goes through [`Node`], which knows
//! both.

use std::collections::VecDeque;

use atom::known;
use term::{Pid, Ref, Term};

use crate::builtins::process::NOBODY;
use crate::code_space::CodeSpace;
use crate::ends::Telling;
use crate::ets::Inheritance;
use crate::flight::Signal;
use crate::footprint::{Class, Kind, Object, tables};
use crate::io_service::{self, Devices};
use crate::observe::{self, Event, Interest, MessageId, Sender};
use crate::process::{AliasKind, MonitorTarget, Monitoring, Process};
use crate::state::State;
use crate::step::{Answer, Effect, Ghost};

/// The processes of a node, the running one among them.
pub(crate) struct Node<'a> {
    pub(crate) code: &'a CodeSpace,
    pub(crate) s: &'a mut State,
    pub(crate) me: Option<&'a mut Process>,
}

impl Node<'_> {
    /// Any process that exists.
    pub(crate) fn process_mut(&mut self, pid: Pid) -> Option<&mut Process> {
        match &mut self.me {
            Some(me) if me.pid == pid => Some(me),
            _ => self.s.node.process_mut(pid),
        }
    }

    /// A process, to be looked at: copies of the state go on sharing it.
    pub(crate) fn process(&self, pid: Pid) -> Option<&Process> {
        match &self.me {
            Some(me) if me.pid == pid => Some(me),
            _ => self.s.node.process(pid),
        }
    }

    /// Whether there is such a process; one that is doomed has not ended yet.
    pub(crate) fn exists(&self, pid: Pid) -> bool {
        self.is_me(pid) || self.s.node.process(pid).is_some()
    }

    /// Whether a process answers signals: a doomed one answers as if it had ended.
    pub(crate) fn answers(&self, pid: Pid) -> bool {
        self.process(pid).is_some_and(|process| process.doomed.is_none())
    }

    pub(crate) fn is_me(&self, pid: Pid) -> bool {
        self.me.as_ref().is_some_and(|me| me.pid == pid)
    }

    /// Tells the observer.
    pub(crate) fn tell(&self, wanted: Interest, event: &Event<'_>) {
        observe::tell(self.code, self.s, self.me.as_deref(), wanted, event);
    }

    /// Sends a message on behalf of the running process.
    pub(crate) fn send(&mut self, to: Pid, message: Term) {
        let sender = self.me.as_ref().map_or(Sender::Outside, |me| Sender::Process(me.pid));
        self.let_go();
        self.send_as(sender, to, message);
    }

    /// Sends a message.
    pub(crate) fn send_as(&mut self, sender: Sender, to: Pid, message: Term) {
        let id = self.s.host.watch.is_on().then(|| self.number(sender, to, &message));
        if let Sender::Process(from) = sender
            && self.s.message_travels(from, to)
        {
            self.set_off((from, to), Signal::Message { id, message });
            return;
        }
        self.put(id, to, message);
    }

    /// Puts a message into a mailbox. A process that does not exist swallows it.
    pub(crate) fn put(&mut self, id: Option<MessageId>, to: Pid, message: Term) {
        if Devices::is_service(to) {
            return io_service::request(self, id, to, message);
        }
        self.note_put(to, &message);
        if let Some(id) = id {
            self.tell_arrival(id, to);
        }
        let ahead = self.ahead();
        if let Some(process) = self.process_mut(to) {
            process.stamp(ahead);
            process.mailbox.push_back(message);
            if let Some(id) = id {
                process.message_ids.push_back(id);
            }
            if !self.is_me(to) {
                self.s.wake(to);
            }
        }
    }

    /// Gives a message its number, and tells the observer.
    #[cold]
    fn number(&mut self, sender: Sender, to: Pid, message: &Term) -> MessageId {
        let id = self.s.host.watch.new_message();
        self.tell(Interest::MESSAGES, &Event::Send { id, sender, to, message });
        id
    }

    #[cold]
    fn tell_arrival(&self, id: MessageId, to: Pid) {
        let lost = !self.exists(to) && !Devices::is_service(to);
        self.tell(Interest::MESSAGES, &Event::Deliver { id, to, lost });
    }

    /// A message to an alias.
    pub(crate) fn send_to_alias(&mut self, alias: Ref, message: Term) {
        let Some(to) = self.s.alias_address(alias) else { return };
        self.let_go();
        let sender = self.me.as_ref().map_or(Sender::Outside, |me| Sender::Process(me.pid));
        let id = self.s.host.watch.is_on().then(|| self.number(sender, to, &message));
        if let Sender::Process(from) = sender
            && self.s.travels(from, to)
        {
            self.set_off((from, to), Signal::Alias { alias, id, message });
            return;
        }
        self.put_to_alias(alias, id, message);
    }

    /// A message to an alias arrives.
    pub(crate) fn put_to_alias(&mut self, alias: Ref, id: Option<MessageId>, message: Term) {
        let Some(to) = self.s.alias_owner(alias) else { return };
        let kind = match self.process(to) {
            Some(process) => process.alias_kind(alias),
            None => self.s.ghost_alias(alias),
        };
        let once = kind == Some(AliasKind::ReplyDemonitor);
        self.put(id, to, message);
        if once {
            let target = self.process(to).and_then(|owner| owner.monitoring.get(&alias)?.process());
            self.demonitor(to, alias);
            self.unalias(to, alias);
            self.forget_ghost(alias);
            if let Some(target) = target {
                self.remember_monitor(to, alias, target);
            }
        }
    }

    /// The alias of a process that has ended serves no more, nor does the monitor.
    fn forget_ghost(&mut self, alias: Ref) {
        if let Some(owner) = self.s.end_ghost_alias(alias)
            && let Some(ghost) = self.s.take_ghost(alias)
            && let MonitorTarget::Process(target) | MonitorTarget::Named(target, _) =
                ghost.monitoring().target
            && !self.tells_anyway(target, owner)
            && let Some(process) = self.process_mut(target)
        {
            process.monitored_by.remove(&alias);
        }
    }

    /// Makes a reference stop to be an alias; says whether it was one.
    pub(crate) fn unalias(&mut self, owner: Pid, alias: Ref) -> bool {
        if self.s.node.aliases.get(&alias) != Some(&owner) {
            return false;
        }
        self.s.end_alias(alias);
        if let Some(process) = self.process_mut(owner) {
            if let Some(relations) = process.relations.present() {
                relations.aliases.remove(&alias);
            }
            if let Some(monitoring) = process.monitoring.get_mut(&alias) {
                monitoring.alias = None;
            }
        }
        true
    }

    pub(crate) fn link(&mut self, a: Pid, b: Pid) {
        self.tell(Interest::PROCESSES, &Event::Link { a, b });
        let is_driven = self.s.is_driven();
        for (one, other) in [(a, b), (b, a)] {
            if let Some(process) = self.process_mut(one) {
                process.relations.links.insert(other);
                if is_driven {
                    process.relations.once_linked.insert(other);
                }
            }
        }
    }

    pub(crate) fn unlink(&mut self, a: Pid, b: Pid) {
        self.tell(Interest::PROCESSES, &Event::Unlink { a, b });
        let travels = self.s.is_decided_on_arrival(a, b);
        for (one, other) in [(a, b), (b, a)] {
            if let Some(process) = self.process_mut(one) {
                let Some(relations) = process.relations.present() else { continue };
                let was_linked = relations.links.remove(&other);
                if travels && one == b {
                    // Its end commutes with this: it tells of itself all the same.
                    if was_linked && !relations.past_links.contains(&other) {
                        relations.past_links.push(other);
                    }
                } else if let Some(links) = relations.past_links.present() {
                    links.retain(|past| *past != other);
                }
            }
        }
    }

    /// A process asks for a monitor of another, which is told of by [`Node::monitor_arrives`].
    pub(crate) fn monitor(&mut self, watcher: Pid, reference: Ref, monitoring: Monitoring) {
        let target = match &monitoring.target {
            MonitorTarget::Process(pid) | MonitorTarget::Named(pid, _) => Some(*pid),
            MonitorTarget::Service(_) => None,
        };
        self.tell(Interest::PROCESSES, &Event::Monitor { watcher, reference, target });
        if monitoring.alias.is_some() {
            self.s.node.aliases.insert(reference, watcher);
        }
        if let Some(process) = self.process_mut(watcher) {
            process.monitoring.insert(reference, monitoring);
        }
    }

    /// A monitor reaches the process that it is about. That this does not exist is reported at
    /// once.
    pub(crate) fn monitor_arrives(
        &mut self,
        watcher: Pid,
        reference: Ref,
        target: Pid,
        answer: Answer,
    ) {
        let is_late = self.answers_late(target, answer.waits);
        match self.process_mut(target) {
            Some(process) if process.doomed.is_none() => {
                process.monitored_by.insert(reference, watcher);
            }
            Some(_) if is_late => self.monitor_late(watcher, reference, target),
            _ if Devices::is_service(target) => {}
            _ => {
                let reason = Term::from(known::NOPROC);
                match answer.number.filter(|_| self.s.travels(target, watcher)) {
                    Some(number) => {
                        self.set_off_answer(
                            number,
                            (target, watcher),
                            Signal::Down { reference, reason },
                        );
                    }
                    None => self.down_signal(target, watcher, reference, reason),
                }
            }
        }
    }

    /// Ends a monitor; says whether there was one.
    pub(crate) fn demonitor(&mut self, watcher: Pid, reference: Ref) -> bool {
        let Some(monitoring) = self.forget_monitor(watcher, reference) else { return false };
        if let MonitorTarget::Process(target) | MonitorTarget::Named(target, _) = monitoring.target
            && !self.tells_anyway(target, watcher)
            && let Some(process) = self.process_mut(target)
        {
            process.monitored_by.remove(&reference);
        }
        true
    }

    /// Whether the end of a process sends its news to who does not monitor it any more, too: where
    /// signals travel it is decided when they arrive whether somebody wants them, so that removing
    /// a monitor commutes with the end.
    fn tells_anyway(&self, target: Pid, watcher: Pid) -> bool {
        self.s.is_decided_on_arrival(target, watcher)
    }

    /// The side of the watcher.
    fn forget_monitor(&mut self, watcher: Pid, reference: Ref) -> Option<Monitoring> {
        let process = self.process_mut(watcher)?;
        if !process.relations.past_monitors.is_void() {
            process.relations.past_monitors.retain(|(past, _)| *past != reference);
        }
        let monitoring = process.monitoring.present()?.remove(&reference)?;
        match monitoring.alias {
            Some(AliasKind::ExplicitUnalias) => {
                process.relations.aliases.insert(reference, AliasKind::ExplicitUnalias);
            }
            Some(AliasKind::Demonitor | AliasKind::ReplyDemonitor) => self.s.end_alias(reference),
            None => {}
        }
        Some(monitoring)
    }

    /// Tells a watcher that what it monitors is gone.
    pub(crate) fn down_signal(&mut self, from: Pid, watcher: Pid, reference: Ref, reason: Term) {
        if self.s.travels(from, watcher) {
            self.set_off((from, watcher), Signal::Down { reference, reason });
        } else {
            self.down(from, watcher, reference, reason);
        }
    }

    /// A watcher is told that what it monitors is gone.
    pub(crate) fn down(&mut self, from: Pid, watcher: Pid, reference: Ref, reason: Term) {
        let node = Term::from(known::NONODE);
        // Whether there still is a monitor to tell about.
        self.s.touch(Kind::Write, Object::of_ref(Class::Monitor, reference));
        self.s.touch(Kind::Add, Object::monitors(watcher));
        let monitoring = self.process(watcher).and_then(|p| p.monitoring.get(&reference)).cloned();
        let is_ghost = monitoring.is_none();
        let (monitoring, in_vain) = match (monitoring, self.s.ghost(reference)) {
            (Some(monitoring), _) => (monitoring, false),
            (None, Some(Ghost::Ended(monitoring))) => (monitoring.clone(), false),
            (None, Some(Ghost::Silenced(monitoring))) => (monitoring.clone(), true),
            (None, None) => return,
        };
        if monitoring.was_alias {
            self.s.touch(Kind::Add, Object::of_ref(Class::Alias, reference));
        }
        let tag = monitoring.tag.clone().unwrap_or_else(|| Term::from(known::DOWN));
        let object = match monitoring.target {
            MonitorTarget::Process(pid) => self.s.node.known_as(pid),
            MonitorTarget::Named(_, name) => Term::tuple([Term::from(name), node]),
            MonitorTarget::Service(name) => Term::from(name),
        };
        if !is_ghost {
            self.demonitor(watcher, reference);
        }
        // That there is nobody is told at once, unless it travels.
        if !in_vain && (from != NOBODY || self.s.travels(from, watcher)) {
            self.remember_monitor(watcher, reference, from);
        }
        if monitoring.alias != Some(AliasKind::ExplicitUnalias) {
            self.s.end_ghost_alias(reference);
        }
        let is_port =
            matches!(monitoring.target, MonitorTarget::Process(pid) if self.s.node.is_port(pid));
        let kind = if is_port { Term::atom("port") } else { Term::from(known::PROCESS) };
        let message = Term::tuple([tag, Term::from(reference), kind, object, reason]);
        if in_vain {
            self.s.touch(Kind::Add, Object::of(Class::Mailbox, watcher));
            self.s.effect(Effect::InVain { to: watcher, message, monitor: reference });
        } else {
            self.send_as(Sender::Down(from), watcher, message);
        }
    }

    /// `demonitor(Ref, [flush])`: as `demonitor`, but when driven step by step the end of the other
    /// process still says which message would have come, had it been earlier.
    pub(crate) fn demonitor_silently(&mut self, watcher: Pid, reference: Ref) -> bool {
        if !self.s.is_driven() {
            return self.demonitor(watcher, reference);
        }
        let Some(monitoring) = self.forget_monitor(watcher, reference) else { return false };
        if let MonitorTarget::Process(target) | MonitorTarget::Named(target, _) = monitoring.target
            && (self.exists(target) || self.s.has_news_of(reference))
        {
            self.s.silence(reference, monitoring);
        }
        true
    }

    /// An exit signal. `linked`: it comes through a link (which is gone afterwards), not from
    /// `exit/2`.
    pub(crate) fn exit_signal(&mut self, from: Pid, to: Pid, reason: Term, linked: bool) {
        self.let_go();
        if self.s.travels(from, to) {
            self.set_off((from, to), Signal::Exit { reason, linked });
        } else {
            self.exit_arrives(from, to, reason, linked, false);
        }
    }

    /// An exit signal has its effect; `travelled`: some time after it was sent.
    pub(crate) fn exit_arrives(
        &mut self,
        from: Pid,
        to: Pid,
        reason: Term,
        linked: bool,
        travelled: bool,
    ) {
        let mut pending = VecDeque::from([Telling::Exit { from, to, reason, linked }]);
        while let Some(telling) = pending.pop_front() {
            let (from, to, reason, linked) = match telling {
                Telling::Exit { from, to, reason, linked } => (from, to, reason, linked),
                Telling::Down { from, watcher, reference, reason, .. } => {
                    self.down_signal(from, watcher, reference, reason);
                    continue;
                }
            };
            let is_me = self.is_me(to);
            let is_driven = self.s.is_driven();
            self.tell(
                Interest::PROCESSES,
                &Event::ExitSignal { from, to, reason: &reason, linked },
            );
            let kill = !linked && reason.is_atom(known::KILL);
            let normal = reason.is_atom(known::NORMAL);
            if !kill {
                self.s.touch(Kind::Read, Object::of(Class::Trap, to));
            }
            if linked {
                self.s.touch(Kind::Add, Object::links(to));
                if travelled && self.s.is_instant() {
                    // Whether they are linked still; two who tell each other do not mind.
                    self.s.touch(Kind::Add, Object::link(from, to));
                } else if travelled {
                    // Whether they are linked still; that does not matter where the signal has no
                    // effect.
                    let link = Object::end_of_link(to, from);
                    match normal && !self.traps(to) {
                        true => self.s.assign(link, &Term::FALSE),
                        false => self.s.touch(Kind::Write, link),
                    }
                }
            }
            let may_end = kill || !normal || (from == to && !linked);
            let Some(process) = self.process_mut(to) else {
                if linked && travelled && !self.s.was_linked_to_the_end(to, from) {
                    continue; // unlinked before it ended
                }
                if !kill && self.s.trapped_to_the_end(to) {
                    let from_as = self.s.node.known_as(from);
                    let message = Term::tuple([Term::from(known::EXIT), from_as, reason]);
                    self.send_as(Sender::Exit(from), to, message);
                } else if may_end {
                    // It would have ended it, had it come before.
                    self.s.touch(Kind::Read, Object::of(Class::Doom, to));
                }
                continue;
            };
            if linked {
                let relations = process.relations.present();
                let was_linked = relations.is_some_and(|it| it.links.remove(&from));
                if is_driven && was_linked {
                    process.relations.past_links.push(from);
                }
                if !was_linked {
                    continue; // unlinked in the meantime
                }
            }
            let Some(process) = self.process_mut(to) else { continue };
            if process.trap_exit && !kill {
                let from_as = self.s.node.known_as(from);
                let message = Term::tuple([Term::from(known::EXIT), from_as, reason]);
                self.send_as(Sender::Exit(from), to, message);
            } else if may_end {
                let reason = if kill { Term::from(known::KILLED) } else { reason };
                if is_me || is_driven {
                    let doom = Object::of(Class::Doom, to);
                    if process.doomed.is_none() {
                        process.doomed = Some(reason);
                        self.s.effect(Effect::Doomed(to));
                        self.s.touch(Kind::Write, doom);
                    } else {
                        self.s.touch(Kind::Read, doom);
                    }
                } else if let Some(process) = self.s.node.remove(to) {
                    for telling in self.bury(&process, reason) {
                        match telling {
                            Telling::Exit { from, to, reason, linked }
                                if self.s.travels(from, to) =>
                            {
                                self.set_off((from, to), Signal::Exit { reason, linked });
                            }
                            telling => pending.push_back(telling),
                        }
                    }
                }
            }
        }
    }

    /// Whether a process traps exits, or did when it ended.
    pub(crate) fn traps(&self, pid: Pid) -> bool {
        match self.process(pid) {
            Some(process) => process.trap_exit,
            None => self.s.trapped_to_the_end(pid),
        }
    }

    /// The tables of a process that has ended go to their heirs, or away.
    fn inherit_tables(&mut self, pid: Pid) {
        self.s.touch_tables_of(pid);
        if !self.s.node.tables.concern(pid) {
            return;
        }
        for id in self.s.node.tables.fixed_by(pid) {
            self.s.touch(Kind::Add, tables::fixed(id));
        }
        let mut tables = std::mem::take(&mut self.s.node.tables);
        let inherited = tables.process_ended(pid, |heir| self.accepts(heir));
        self.s.node.tables = tables;
        self.tell_heirs(pid, inherited);
    }

    /// Heirs hear that tables of a process that has ended are theirs.
    pub(crate) fn tell_heirs(
        &mut self,
        pid: Pid,
        inherited: impl IntoIterator<Item = Inheritance>,
    ) {
        for Inheritance { heir, table, data } in inherited {
            let transfer = Term::atom("ETS-TRANSFER");
            self.send_as(
                Sender::Outside,
                heir,
                Term::tuple([transfer, table, Term::from(pid), data]),
            );
        }
    }

    /// What remains to be done for a process that has ended and is out of the table: names,
    /// tables, timers. What it tells others is returned: its links first, as on the BEAM, then its
    /// monitors.
    pub(crate) fn bury(&mut self, process: &Process, reason: Term) -> Vec<Telling> {
        let pid = process.pid;
        let event = Event::Exit { pid, reason: &reason };
        observe::tell(self.code, self.s, Some(process), Interest::PROCESSES, &event);
        if self.s.host.quiet == Some(pid) {
            self.s.host.quiet_end = Some(reason.clone());
        }
        if let Some(name) = process.registered {
            self.s.node.registry.remove(&name);
            self.s.touch(Kind::Write, Object::named(Class::Name, name));
        } else if let Some(name) = process.relations.ending.name {
            // Somebody took it away meanwhile.
            self.s.touch(Kind::Read, Object::named(Class::Name, name));
        }
        for suspended in &process.relations.suspending {
            self.s.node.release(*suspended, pid);
        }
        self.inherit_tables(pid);
        self.s.host.release(pid);
        let of_monitors = process.monitoring.iter().filter_map(|(r, m)| Some((r, m.alias?)));
        let others = process.relations.aliases.iter().map(|(alias, kind)| (alias, *kind));
        for (alias, kind) in of_monitors.chain(others) {
            self.s.node.aliases.remove(alias);
            self.s.keep_alias(*alias, pid, kind);
        }
        for (reference, monitoring) in &process.monitoring {
            if let MonitorTarget::Process(target) | MonitorTarget::Named(target, _) =
                &monitoring.target
            {
                if self.s.is_driven() {
                    let target = Some(*target).filter(|target| *target != NOBODY);
                    self.s.outlive(*reference, target, monitoring);
                } else if let Some(target) = self.process_mut(*target) {
                    target.monitored_by.remove(reference);
                }
            }
        }
        let past = process.relations.past_monitors.iter();
        for (_, target) in past.filter(|(_, target)| *target != NOBODY) {
            self.s.touch(Kind::Add, Object::monitors(*target));
        }
        if let Some(crate::process::Deadline::At(at, number)) = process.timeout {
            self.s.remove_timer((at, number));
        }
        for timer in &process.relations.timers {
            self.s.touch(Kind::Write, Object::of_ref(Class::Timer, *timer));
            if let Some(key) = self.s.node.timer_key(*timer) {
                self.s.remove_timer(key);
            }
        }
        let past = process.relations.past_links.iter();
        let mut links: Vec<Pid> = process.relations.links.iter().chain(past).copied().collect();
        // In an order that does not depend on which of them ended first.
        links.sort_unstable();
        links.dedup();
        self.s.remember_ended(process);
        let relations = &process.relations;
        let why = |is_late: bool| if is_late { Term::from(known::NOPROC) } else { reason.clone() };
        let exits = links.into_iter().map(|to| {
            let reason = why(relations.late_links.contains(&to));
            Telling::Exit { from: pid, to, reason, linked: true }
        });
        let is_unheard = self.s.take_unheard();
        let downs = process.monitored_by.iter().map(|(reference, watcher)| Telling::Down {
            from: pid,
            watcher: *watcher,
            reference: *reference,
            reason: why(relations.late_monitors.contains(reference)),
            is_left_out: is_unheard(reference),
        });
        exits.chain(downs).collect()
    }
}
