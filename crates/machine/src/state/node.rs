//! What Erlang programs see of a node: its processes and whose turn it is, names, aliases, timers
//! and the time, tables, values that are shared, references, and what can be set and asked of the
//! emulator.
//!
//! * The process that runs is not in the table: whoever runs it holds it.
//! * Nothing here knows of the outside ([`super::Host`]) or of being driven action by action
//!   ([`Stepping`](crate::step::Stepping)): what needs several of them is in [`State`].
//! * It is copied for every event that is explored: what is mostly empty is [`Sparse`], and what
//!   is large is shared until it is changed.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use atom::{Atom, known};
use term::{Pid, Ref, Term};

#[cfg(doc)]
use super::State;
use super::recycled;
use super::turn::Turn;
use crate::ets::Tables;
use crate::io_service::{self, Devices};
use crate::ports::OpenPort;
use crate::process::{Process, Status};
use crate::shared_values::SharedValues;
use crate::sparse::Sparse;

/// Numbers of a program's processes start here; those below are for what a real node has running.
pub const FIRST_PID: u64 = 80;

/// Numbers of the processes that start with the node end here: above are its devices.
const LAST_BOOT_PID: u64 = 60;

#[derive(Clone)]
pub(crate) struct NodeState {
    /// Processes by number, beginning with `first`; `None` once ended, or while running.
    processes: Vec<Option<Rc<Process>>>,
    /// Below are no processes: there would be if the node had been started.
    first: u64,
    /// While the node starts: the number of its next process.
    booting: Option<u64>,
    /// How many processes exist.
    pub(crate) alive: usize,
    /// The process that is running now, and is not in the table.
    pub(crate) running: Option<Pid>,
    pub(crate) turn: Turn,
    /// Processes that became able to run, in that order. What a scheduler chooses from.
    pub(crate) ready: VecDeque<Pid>,
    /// Processes of low priority that are able to run, too, and wait until others have had turns.
    low: VecDeque<Pid>,
    /// How many turns others have had since one of them was let in.
    low_waits: u32,
    /// How many function calls all processes have made.
    pub(crate) steps: u64,
    pub(crate) registry: Sparse<BTreeMap<Atom, Pid>>,
    /// Whose alias a reference is.
    pub(crate) aliases: Sparse<BTreeMap<Ref, Pid>>,
    /// What happens at which time (virtual nanoseconds); the number tells equal times apart.
    timers: Sparse<BTreeMap<TimerKey, Timer>>,
    /// Time of each timer that has a reference.
    timer_refs: Sparse<BTreeMap<Ref, TimerKey>>,
    /// Virtual time since the start, in nanoseconds.
    pub(crate) now: u64,
    pub(crate) start_time: u64,
    next_ref: u64,
    next_number: u64,
    /// Numbers that are given out before others.
    foreseen: Foreseen,
    /// ETS.
    pub(crate) tables: Tables,
    /// Persistent terms, atomics, counters.
    pub(crate) shared: SharedValues,
    /// How many entries a stack trace has at most.
    pub(crate) backtrace_depth: usize,
    /// Whether `erts_debug:get_internal_state/1` answers.
    pub(crate) internal_state: bool,
    /// Processes that are known as ports, also those that have ended.
    pub(crate) ports: Sparse<BTreeMap<Pid, OpenPort>>,
    /// Modules that asked for native code, which does not run here, and for which.
    pub(crate) natives: Sparse<BTreeMap<Atom, Rc<str>>>,
    /// Which statistics are collected, of those that `system_flag/2` turns on.
    pub(crate) collected: Sparse<BTreeMap<Atom, bool>>,
    /// When `statistics/1` was last asked, in milliseconds.
    pub(crate) last_statistics: u64,
    /// How many reductions `statistics/1` told about last.
    pub(crate) last_reductions: u64,
}

/// The numbers of the next processes and references, where somebody knows them from another run.
#[derive(Clone, Default)]
struct Foreseen {
    pids: VecDeque<Pid>,
    refs: VecDeque<Ref>,
}

/// When a timer is due, and its number among those of the same time.
pub(crate) type TimerKey = (u64, u64);

#[derive(Clone, Debug)]
pub(crate) enum Timer {
    /// A `receive` gives up.
    Receive(Pid),
    /// `erlang:send_after`, `erlang:start_timer`.
    Send { to: Term, message: Term, reference: Ref },
}

impl NodeState {
    pub(super) fn new(start_time: u64) -> NodeState {
        NodeState {
            processes: Vec::new(),
            first: FIRST_PID,
            booting: None,
            alive: 0,
            running: None,
            turn: Turn::default(),
            ready: VecDeque::new(),
            low: VecDeque::new(),
            low_waits: 0,
            steps: 0,
            registry: Sparse::from(BTreeMap::from([
                (Atom::new("user"), io_service::USER),
                (Atom::new("standard_error"), io_service::STANDARD_ERROR),
            ])),
            aliases: Sparse::default(),
            timers: Sparse::default(),
            timer_refs: Sparse::default(),
            now: 0,
            start_time,
            next_ref: 0,
            next_number: 0,
            foreseen: Foreseen::default(),
            tables: Tables::default(),
            shared: SharedValues::default(),
            backtrace_depth: crate::exception::BACKTRACE_DEPTH,
            internal_state: false,
            ports: Sparse::default(),
            natives: Sparse::default(),
            collected: Sparse::default(),
            last_statistics: 0,
            last_reductions: 0,
        }
    }

    /// Becomes a copy of another, in the memory that it has. Processes that differ are copied at
    /// once: they differ because they have run since, and will run again.
    pub(super) fn become_like(&mut self, other: &NodeState) {
        let NodeState {
            processes,
            first,
            booting,
            alive,
            running,
            turn,
            ready,
            low,
            low_waits,
            steps,
            registry,
            aliases,
            timers,
            timer_refs,
            now,
            start_time,
            next_ref,
            next_number,
            foreseen,
            tables,
            shared,
            backtrace_depth,
            internal_state,
            ports,
            natives,
            collected,
            last_statistics,
            last_reductions,
        } = other;
        become_processes(&mut self.processes, processes);
        (self.first, self.booting, self.alive) = (*first, *booting, *alive);
        (self.running, self.turn) = (*running, *turn);
        self.ready.clone_from(ready);
        self.low.clone_from(low);
        (self.low_waits, self.steps) = (*low_waits, *steps);
        self.registry.clone_from(registry);
        self.aliases.clone_from(aliases);
        self.timers.clone_from(timers);
        self.timer_refs.clone_from(timer_refs);
        (self.now, self.start_time) = (*now, *start_time);
        (self.next_ref, self.next_number) = (*next_ref, *next_number);
        self.foreseen.clone_from(foreseen);
        self.tables.become_like(tables);
        self.shared.clone_from(shared);
        (self.backtrace_depth, self.internal_state) = (*backtrace_depth, *internal_state);
        self.ports.clone_from(ports);
        self.natives.clone_from(natives);
        self.collected.clone_from(collected);
        (self.last_statistics, self.last_reductions) = (*last_statistics, *last_reductions);
    }

    /// System time in nanoseconds since 1970.
    pub(crate) fn system_time(&self) -> u64 {
        self.start_time + self.now
    }
}

/// Processes.
impl NodeState {
    #[inline]
    fn index(&self, pid: Pid) -> Option<usize> {
        usize::try_from(pid.0.checked_sub(self.first)?).ok()
    }

    /// From now on processes are those of the node itself, until it says that it is up.
    pub(crate) fn begin_boot(&mut self) {
        self.booting = Some(0);
        let missing = std::mem::take(&mut self.first) as usize;
        self.processes.splice(..0, std::iter::repeat_n(None, missing));
    }

    pub(crate) fn is_booting(&self) -> bool {
        self.booting.is_some()
    }

    /// The node is up.
    pub(crate) fn end_boot(&mut self) {
        self.booting = None;
    }

    /// A process that is not the running one.
    #[inline]
    pub(crate) fn process(&self, pid: Pid) -> Option<&Process> {
        self.processes.get(self.index(pid)?)?.as_deref()
    }

    /// A process that is not the running one, to be changed.
    pub(crate) fn process_mut(&mut self, pid: Pid) -> Option<&mut Process> {
        let index = self.index(pid)?;
        self.processes.get_mut(index)?.as_mut().map(recycled::to_change)
    }

    /// Whether a process, or a device, exists and is not bound to end.
    pub(crate) fn is_alive(&self, pid: Pid) -> bool {
        self.running == Some(pid)
            || self.process(pid).is_some_and(|process| process.doomed.is_none())
            || Devices::is_service(pid)
    }

    /// Whether a process exists that is bound to end.
    pub(crate) fn is_bound_to_end(&self, pid: Pid) -> bool {
        self.process(pid).is_some_and(|process| process.doomed.is_some())
    }

    /// All processes that exist, in the order of their numbers.
    pub(crate) fn pids(&self) -> impl Iterator<Item = Pid> {
        let running = self.running;
        self.processes.iter().zip(self.first..).filter_map(move |(process, number)| {
            let pid = Pid(number);
            (process.is_some() || running == Some(pid)).then_some(pid)
        })
    }

    /// All processes that exist and are not running, in the order of their numbers.
    pub(crate) fn standing(&self) -> impl Iterator<Item = &Process> {
        self.processes.iter().filter_map(Option::as_deref)
    }

    /// The first process that exists and has this number or a greater one.
    pub(crate) fn pid_from(&self, number: u64) -> Option<Pid> {
        let number = number.max(self.first);
        let from = self.index(Pid(number))?;
        let at = self.processes.get(from..)?.iter().position(Option::is_some)?;
        Some(Pid(number + at as u64))
    }

    /// How many processes there have been so far.
    pub(crate) fn processes_made(&self) -> u64 {
        self.first + self.processes.len() as u64
    }

    /// While the node starts, the number of its next process.
    pub(super) fn boot_pid(&mut self) -> Option<Pid> {
        let next = self.booting.as_mut().filter(|next| **next < LAST_BOOT_PID)?;
        *next += 1;
        Some(Pid(*next - 1))
    }

    /// The number after those of all processes so far.
    pub(super) fn next_pid(&mut self) -> Pid {
        if let Some(pid) = self.foreseen.pids.pop_front() {
            self.make_room(pid);
            return pid;
        }
        self.processes.push(None);
        Pid(self.processes_made() - 1)
    }

    /// Has room for a process with a number that was chosen elsewhere.
    pub(super) fn make_room(&mut self, pid: Pid) {
        let len = self.index(pid).map_or(0, |index| index + 1);
        if self.processes.len() < len {
            self.processes.resize(len, None);
        }
    }

    /// Nobody needs it any more.
    pub(crate) fn give_back(mut self) {
        give_back_all(self.processes.drain(..));
    }

    /// Takes a process out of the table, to run it where it is.
    pub(crate) fn take_whole(&mut self, pid: Pid) -> Option<Rc<Process>> {
        let index = self.index(pid)?;
        self.processes.get_mut(index)?.take()
    }

    /// Puts such a process back.
    pub(crate) fn put_back_whole(&mut self, process: Rc<Process>) {
        if let Some(index) = self.index(process.pid)
            && let Some(place) = self.processes.get_mut(index)
        {
            *place = Some(process);
        }
    }

    /// Puts a process into the table.
    pub(super) fn put(&mut self, process: Process) {
        self.put_back_whole(Rc::new(process));
    }

    /// Takes a process that ended out of the table for good.
    pub(crate) fn remove(&mut self, pid: Pid) -> Option<Rc<Process>> {
        let process = self.take_whole(pid)?;
        self.alive -= 1;
        Some(process)
    }
}

/// Whose turn it is.
impl NodeState {
    /// A process can run: those of high priority before others, those of low priority more rarely.
    pub(crate) fn queue(&mut self, pid: Pid, priority: Atom) {
        let rank = |priority: Atom| match priority.as_str() {
            "max" => 2,
            "high" => 1,
            _ => 0,
        };
        if priority == known::NORMAL {
            self.ready.push_back(pid);
        } else if rank(priority) > 0 {
            let of = |pid: &Pid| self.process(*pid).map_or(0, |process| rank(process.priority));
            let at = self.ready.iter().position(|pid| of(pid) < rank(priority));
            self.ready.insert(at.unwrap_or(self.ready.len()), pid);
        } else if self.ready.is_empty() {
            self.ready.push_back(pid);
        } else {
            self.low.push_back(pid);
        }
    }

    /// A process cannot run for now, though it could before.
    pub(crate) fn unqueue(&mut self, pid: Pid) {
        self.ready.retain(|ready| *ready != pid);
        self.low.retain(|ready| *ready != pid);
    }

    /// Nobody waits for a turn: whoever drives the Machine says who acts.
    pub(crate) fn clear_queue(&mut self) {
        self.ready.clear();
        self.low.clear();
    }

    /// Somebody of this priority has had a turn: perhaps it is time for one of low priority. (One
    /// for eight of normal priority, as on the BEAM.)
    pub(crate) fn turn_ended(&mut self, priority: Atom) {
        self.shared.fading.clear();
        if self.low.is_empty() {
            return;
        }
        self.low_waits += u32::from(priority == known::NORMAL);
        if self.ready.is_empty() || self.low_waits >= 8 {
            self.low_waits = 0;
            self.ready.extend(self.low.pop_front());
        }
    }

    /// A process is not suspended by this one any longer.
    pub(crate) fn release(&mut self, pid: Pid, suspender: Pid) {
        if let Some(process) = self.process_mut(pid)
            && process.relations.suspended_by.remove(&suspender).is_some()
            && !process.is_suspended()
            && process.status == Status::Runnable
        {
            let priority = process.priority;
            self.queue(pid, priority);
        }
    }
}

/// Numbers and timers.
impl NodeState {
    /// The next processes and references get these numbers. References after those are none that
    /// another run has.
    pub(crate) fn foresee(&mut self, pids: VecDeque<Pid>, refs: VecDeque<Ref>) {
        if !refs.is_empty() {
            self.next_ref = self.next_ref.max(1 << 40);
        }
        self.foreseen = Foreseen { pids, refs };
    }

    pub(super) fn next_ref(&mut self) -> Ref {
        if let Some(foreseen) = self.foreseen.refs.pop_front() {
            return foreseen;
        }
        self.next_ref += 1;
        Ref(self.next_ref)
    }

    /// A number that is greater than all that were given out in this way before, whoever asked for
    /// them.
    pub(crate) fn next_in_order(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// The timer that is due first.
    pub(crate) fn first_timer(&self) -> Option<TimerKey> {
        self.timers.first_key_value().map(|(key, _)| *key)
    }

    pub(crate) fn timer(&self, key: TimerKey) -> Option<&Timer> {
        self.timers.get(&key)
    }

    /// When the timer with a reference is due.
    pub(crate) fn timer_key(&self, reference: Ref) -> Option<TimerKey> {
        self.timer_refs.get(&reference).copied()
    }

    /// The timers that have references.
    pub(crate) fn timer_keys(&self) -> impl Iterator<Item = (Ref, TimerKey)> {
        self.timer_refs.iter().map(|(reference, key)| (*reference, *key))
    }

    /// The timers of processes in a `receive` with a timeout.
    pub(crate) fn receive_timers(&self) -> Vec<TimerKey> {
        let receives = self.timers.iter().filter(|(_, timer)| matches!(timer, Timer::Receive(_)));
        receives.map(|(key, _)| *key).collect()
    }

    /// The process that a timer is for, if it is for one and not for a name.
    pub(crate) fn timer_target(&self, reference: Ref) -> Option<Pid> {
        match self.timer(self.timer_key(reference)?) {
            Some(Timer::Send { to, .. }) => to.as_pid(),
            _ => None,
        }
    }

    pub(super) fn insert_timer(&mut self, key: TimerKey, timer: Timer) {
        if let Timer::Send { reference, .. } = &timer {
            self.timer_refs.insert(*reference, key);
        }
        self.timers.insert(key, timer);
    }

    pub(super) fn take_timer(&mut self, key: TimerKey) -> Option<Timer> {
        let timer = self.timers.remove(&key)?;
        if let Timer::Send { reference, .. } = &timer {
            self.timer_refs.remove(reference);
        }
        Some(timer)
    }
}

fn become_processes(mine: &mut Vec<Option<Rc<Process>>>, its: &[Option<Rc<Process>>]) {
    give_back_all(mine.drain(its.len().min(mine.len())..));
    for (mine, its) in mine.iter_mut().zip(its) {
        match (&mut *mine, its) {
            (Some(mine), Some(its)) if Rc::ptr_eq(mine, its) => {}
            (Some(mine), Some(its)) => match Rc::get_mut(mine) {
                Some(own) => own.become_like(its),
                None => mine.clone_from(its),
            },
            (mine, its) => give_back_all(std::mem::replace(mine, its.clone()).map(Some)),
        }
    }
    mine.extend_from_slice(&its[mine.len()..]);
}

fn give_back_all(processes: impl IntoIterator<Item = Option<Rc<Process>>>) {
    processes.into_iter().flatten().for_each(recycled::give_back);
}
