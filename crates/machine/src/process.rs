//! One process: where it is in its code, what it holds, what it was sent.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use atom::Atom;
use code::instr::{Pc, Slot};
use term::{Pid, Ref, Term};

use crate::contract::Contracting;
use crate::control::Start;
use crate::observe::MessageId;
use crate::sparse::{Empty, Sparse};

/// The address of a process that has not begun: no instruction is there.
pub(crate) const NOWHERE: Pc = Pc::MAX;

/// A caller that waits for a call to return.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Where to go on.
    pub pc: Pc,
    /// Start of the caller's frame on the stack.
    pub base: u32,
}

/// Where an exception is caught.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    pub pc: Pc,
    pub base: u32,
    /// How many frames were on the stack.
    pub(crate) frames: u32,
    /// The first of three slots for the exception.
    pub(crate) at: Slot,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    Runnable,
    /// In a `receive` without a matching message.
    Waiting,
    Exiting,
}

/// What one process monitors.
#[derive(Clone, Debug)]
pub(crate) struct Monitoring {
    pub(crate) target: MonitorTarget,
    /// Whether the reference is also an address for replies, and until when.
    pub(crate) alias: Option<AliasKind>,
    /// Whether it was an alias at the beginning.
    pub(crate) was_alias: bool,
    /// What stands first in the message instead of `'DOWN'`.
    pub(crate) tag: Option<Term>,
}

impl Monitoring {
    /// The process that is watched, if there is one.
    pub(crate) fn process(&self) -> Option<Pid> {
        match self.target {
            MonitorTarget::Process(pid) | MonitorTarget::Named(pid, _) => Some(pid),
            MonitorTarget::Service(_) => None,
        }
        .filter(|pid| *pid != crate::builtins::process::NOBODY)
    }
}

#[derive(Clone, Debug)]
pub(crate) enum MonitorTarget {
    Process(Pid),
    /// By registered name: the message names it.
    Named(Pid, Atom),
    /// A service of the Machine itself (`time_offset`).
    Service(Atom),
}

/// When an alias stops to be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AliasKind {
    ExplicitUnalias,
    /// Also with the end of the monitor.
    Demonitor,
    /// Also with the first message through it.
    ReplyDemonitor,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub pid: Pid,
    // ---- running -----------------------------------------------------------------------------
    pub stack: Vec<Term>,
    pub frames: Vec<Frame>,
    pub handlers: Vec<Handler>,
    pub pc: Pc,
    pub base: usize,
    pub status: Status,
    /// What to do first when it runs next.
    pub start: Option<Start>,
    /// If that is a call inside a function: where on the stack its arguments go.
    pub(crate) start_at: Option<usize>,
    pub(crate) reductions: u64,
    /// The last call of another module's function in tail position: who made it is not on the
    /// stack.
    pub left: Pc,
    pub(crate) contract: Contracting,
    // ---- receiving ---------------------------------------------------------------------------
    pub mailbox: VecDeque<Term>,
    /// The number of each message of the mailbox; only while somebody watches.
    pub(crate) message_ids: Sparse<VecDeque<MessageId>>,
    /// The first message that the current `receive` has not looked at.
    pub(crate) looked: usize,
    /// How many messages there were when references were made.
    pub(crate) marks: Marks,
    /// When the current `receive` gives up: a time, and the timer that wakes it.
    pub(crate) timeout: Option<Deadline>,
    // ---- relations ---------------------------------------------------------------------------
    pub(crate) monitoring: Sparse<BTreeMap<Ref, Monitoring>>,
    /// Who monitors this process.
    pub monitored_by: Sparse<BTreeMap<Ref, Pid>>,
    pub(crate) relations: Sparse<Relations>,
    pub registered: Option<Atom>,
    pub(crate) group_leader: Pid,
    pub(crate) parent: Option<Pid>,
    // ---- settings ----------------------------------------------------------------------------
    pub(crate) trap_exit: bool,
    pub(crate) priority: Atom,
    pub(crate) other_flags: Sparse<BTreeMap<Atom, Term>>,
    pub(crate) label: Option<Term>,
    pub initial_call: (Atom, Atom, u32),
    /// The module that started it, if that started a function or fun of its own.
    pub(crate) helper_of: Option<Atom>,
    /// The process dictionary, in order of first insertion.
    pub dictionary: Sparse<Vec<(Term, Term)>>,
    /// Why it must end, decided while it was running.
    pub doomed: Option<Term>,
    /// The module that it wanted to call does not exist.
    pub(crate) module_missing: bool,
    /// Where it stopped, when the Machine is driven step by step.
    pub(crate) step: crate::step::Point,
}

/// Relations of a process to others, beside monitors, which are usual. Most processes have none.
#[derive(Clone, Default, Debug)]
pub(crate) struct Relations {
    pub(crate) links: Sparse<BTreeSet<Pid>>,
    /// Timers that send to this process: they end with it. While the Machine is driven step by
    /// step, also those that are over.
    pub(crate) timers: Sparse<BTreeSet<Ref>>,
    /// Aliases of this process that are not monitors.
    pub(crate) aliases: Sparse<BTreeMap<Ref, AliasKind>>,
    /// Who suspended this process, and how often.
    pub(crate) suspended_by: Sparse<BTreeMap<Pid, u32>>,
    /// Whom this process suspended.
    pub(crate) suspending: Sparse<BTreeSet<Pid>>,
    /// Processes that were linked to it until they ended, when driven step by step. Two ends of
    /// which one could have ended the other do not commute, whichever was first. Where signals
    /// travel, also those that removed the link: its end tells them, and whether they hear of it is
    /// decided when that arrives.
    pub(crate) past_links: Sparse<Vec<Pid>>,
    /// Monitors of its own that have told it of the end of a process. Removing one touches the same
    /// whether that was before or after.
    pub(crate) past_monitors: Sparse<Vec<(Ref, Pid)>>,
    /// Links and monitors that others asked for when this process was bound to end already: its end
    /// tells them that there is no such process.
    pub(crate) late_links: Sparse<BTreeSet<Pid>>,
    pub(crate) late_monitors: Sparse<BTreeSet<Ref>>,
    /// What is left of its end, once that has begun (when driven step by step).
    pub(crate) ending: Sparse<Ending>,
    /// Processes that it was ever linked to, when driven step by step. Of no interest to its own
    /// end.
    pub(crate) once_linked: Sparse<BTreeSet<Pid>>,
}

/// An end that has begun: what the process still has to give up before it is gone.
#[derive(Clone, Default, Debug)]
pub(crate) struct Ending {
    /// Its tables, the oldest first.
    pub(crate) tables: VecDeque<Ref>,
    /// The name that it had when its end began.
    pub(crate) name: Option<Atom>,
    /// Whether no signal had bound it to end.
    pub(crate) by_itself: bool,
    /// Whether all its steps are apart: then it may have nothing left to give up.
    pub(crate) is_apart: bool,
}

impl Empty for Ending {
    const EMPTY: &'static Ending =
        &Ending { tables: VecDeque::new(), name: None, by_itself: false, is_apart: false };

    fn holds_nothing(&self) -> bool {
        self.tables.is_empty() && self.name.is_none() && !self.is_apart
    }
}

impl Empty for Relations {
    const EMPTY: &'static Relations = &Relations {
        links: Sparse::NONE,
        timers: Sparse::NONE,
        aliases: Sparse::NONE,
        suspended_by: Sparse::NONE,
        suspending: Sparse::NONE,
        past_links: Sparse::NONE,
        past_monitors: Sparse::NONE,
        late_links: Sparse::NONE,
        late_monitors: Sparse::NONE,
        ending: Sparse::NONE,
        once_linked: Sparse::NONE,
    };

    fn holds_nothing(&self) -> bool {
        self.links.is_void()
            && self.timers.is_void()
            && self.aliases.is_void()
            && self.suspended_by.is_void()
            && self.suspending.is_void()
            && self.past_links.is_void()
            && self.past_monitors.is_void()
            && self.late_links.is_void()
            && self.late_monitors.is_void()
            && self.ending.is_void()
    }
}

/// Places in a long mailbox: no message before such a place can hold the reference, because that
/// was made afterwards. So a process that waits for an answer does not look through all that has
/// piled up.
#[derive(Clone, Default, Debug)]
pub(crate) struct Marks(Vec<(Ref, usize)>);

impl Marks {
    /// A mailbox with fewer messages is looked through.
    const LONG: usize = 64;
    /// Older marks are forgotten.
    const MOST: usize = 16;

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A reference was made by the owner of a mailbox with so many messages.
    pub(crate) fn made(&mut self, reference: Ref, messages: usize) {
        if messages < Marks::LONG {
            return;
        }
        if self.0.len() == Marks::MOST {
            self.0.remove(0);
        }
        self.0.push((reference, messages));
    }

    /// The first place where a message with the reference can be.
    pub(crate) fn position(&self, reference: Ref) -> usize {
        let found = self.0.iter().find(|(marked, _)| *marked == reference);
        found.map_or(0, |(_, place)| *place)
    }

    /// Nobody waits for the reference any longer.
    pub(crate) fn forget(&mut self, reference: Ref) {
        self.0.retain(|(marked, _)| *marked != reference);
    }

    /// The message at a place was taken out.
    pub(crate) fn removed(&mut self, index: usize) {
        for (_, place) in &mut self.0 {
            if *place > index {
                *place -= 1;
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deadline {
    Never,
    /// Virtual time in nanoseconds, and the number of the timer.
    At(u64, u64),
    Expired,
}

impl Process {
    pub(crate) fn new(pid: Pid, group_leader: Pid) -> Process {
        Process {
            pid,
            stack: Vec::new(),
            frames: Vec::new(),
            handlers: Vec::new(),
            pc: NOWHERE,
            base: 0,
            status: Status::Runnable,
            start: None,
            start_at: None,
            reductions: 0,
            left: NOWHERE,
            contract: Contracting::default(),
            mailbox: VecDeque::new(),
            message_ids: Sparse::default(),
            looked: 0,
            marks: Marks::default(),
            timeout: None,
            monitoring: Sparse::default(),
            monitored_by: Sparse::default(),
            relations: Sparse::default(),
            registered: None,
            group_leader,
            parent: None,
            trap_exit: false,
            priority: atom::known::NORMAL,
            other_flags: Sparse::default(),
            label: None,
            initial_call: (atom::known::ERLANG, atom::known::APPLY, 2),
            helper_of: None,
            dictionary: Sparse::default(),
            doomed: None,
            module_missing: false,
            step: crate::step::Point::default(),
        }
    }

    /// Becomes a copy of another process, in the memory that it has: who goes back to earlier
    /// states again and again does not ask for more.
    pub(crate) fn become_like(&mut self, other: &Process) {
        let Process {
            pid,
            stack,
            frames,
            handlers,
            pc,
            base,
            status,
            start,
            start_at,
            reductions,
            left,
            contract,
            mailbox,
            message_ids,
            looked,
            marks,
            timeout,
            monitoring,
            monitored_by,
            relations,
            registered,
            group_leader,
            parent,
            trap_exit,
            priority,
            other_flags,
            label,
            initial_call,
            helper_of,
            dictionary,
            doomed,
            module_missing,
            step,
        } = other;
        (self.pid, self.pc, self.base, self.left) = (*pid, *pc, *base, *left);
        become_terms(&mut self.stack, stack);
        self.contract.become_like(contract);
        self.frames.clone_from(frames);
        self.handlers.clone_from(handlers);
        self.status.clone_from(status);
        self.start.clone_from(start);
        (self.start_at, self.reductions) = (*start_at, *reductions);
        if !(self.mailbox.is_empty() && mailbox.is_empty()) {
            self.mailbox.clone_from(mailbox);
        }
        self.message_ids.clone_from(message_ids);
        (self.looked, self.timeout) = (*looked, *timeout);
        self.marks.0.clone_from(&marks.0);
        self.monitoring.clone_from(monitoring);
        self.monitored_by.clone_from(monitored_by);
        self.relations.clone_from(relations);
        (self.registered, self.group_leader, self.parent) = (*registered, *group_leader, *parent);
        (self.trap_exit, self.priority, self.initial_call) = (*trap_exit, *priority, *initial_call);
        self.helper_of = *helper_of;
        self.other_flags.clone_from(other_flags);
        self.label.clone_from(label);
        self.dictionary.clone_from(dictionary);
        self.doomed.clone_from(doomed);
        self.module_missing = *module_missing;
        self.step.become_like(step);
    }

    /// Holds nothing any more, but for the room that it has: to become like another one.
    pub(crate) fn clear(&mut self) {
        self.unwind();
        self.mailbox.clear();
        (self.start, self.label, self.doomed) = (None, None, None);
        (self.message_ids, self.dictionary) = (Sparse::NONE, Sparse::NONE);
        (self.monitoring, self.monitored_by) = (Sparse::NONE, Sparse::NONE);
        (self.relations, self.other_flags) = (Sparse::NONE, Sparse::NONE);
        self.step.clear();
    }

    /// For how many terms it has room.
    pub(crate) fn room(&self) -> usize {
        self.stack.capacity() + self.mailbox.capacity()
    }

    /// Whether somebody has suspended it.
    pub(crate) fn is_suspended(&self) -> bool {
        !self.relations.suspended_by.is_empty()
    }

    /// Whether it has no relations to others, and never had any that its end would touch.
    pub(crate) fn is_alone(&self) -> bool {
        self.registered.is_none()
            && !self.trap_exit
            && self.timeout.is_none()
            && self.monitoring.is_void()
            && self.monitored_by.is_void()
            && self.relations.is_void()
    }

    /// Whether its end has begun, so that nothing can be given to it any more.
    pub(crate) fn is_ending(&self) -> bool {
        !self.relations.ending.is_void()
    }

    /// Until when one of its references is an alias.
    pub(crate) fn alias_kind(&self, alias: Ref) -> Option<AliasKind> {
        match self.monitoring.get(&alias) {
            Some(monitoring) => monitoring.alias,
            None => self.relations.aliases.get(&alias).copied(),
        }
    }

    /// Empties the stack: the process will start something new.
    pub(crate) fn unwind(&mut self) {
        self.pc = NOWHERE;
        self.stack.clear();
        self.frames.clear();
        self.handlers.clear();
        self.contract = Contracting::default();
        self.base = 0;
    }
}

/// Makes a stack a copy of another.
fn become_terms(mine: &mut Vec<Term>, its: &[Term]) {
    mine.truncate(its.len());
    for (mine, its) in mine.iter_mut().zip(its) {
        if !mine.same_word(its) {
            mine.clone_from(its);
        }
    }
    mine.extend_from_slice(&its[mine.len()..]);
}
