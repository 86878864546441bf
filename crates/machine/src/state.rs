//! Everything of a node that is not code: processes, names, timers, counters.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use atom::{Atom, known};
use term::{Pid, Ref, Term};

use crate::builtins::crypto::Cells;
use crate::builtins::re::PatternCache;
use crate::builtins::zlib::Streams;
use crate::ets::Tables;
use crate::exception::Crash;
use crate::flight::{Delivery, Flight};
use crate::footprint::{Class, Kind, Object};
use crate::io_service::{self, Devices};
use crate::observe::Watch;
use crate::outside::{FileSystem, Outside};
use crate::process::{Process, Status};
use crate::shared_values::SharedValues;
use crate::sparse::Sparse;
use crate::step::{Effect, Stepping};
use crate::world::World;

/// Numbers of a program's processes start here; those below are for what a real node has running.
pub const FIRST_PID: u64 = 80;

/// Numbers of the processes that start with the node end here: above are its devices.
const LAST_BOOT_PID: u64 = 60;

/// What a node was started with, as `init:get_arguments/0` and `init:get_plain_arguments/0` say it.
#[derive(Clone, Default, Debug)]
pub struct Arguments {
    pub flags: Vec<(String, Vec<String>)>,
    pub plain: Vec<String>,
}

#[derive(Clone)]
pub struct State {
    /// Processes by number, beginning with `first`; `None` once ended, or while running.
    processes: Vec<Option<Rc<Process>>>,
    /// Below are no processes: there would be if the node had been started.
    first: u64,
    /// How many processes exist.
    pub alive: usize,
    /// Processes that became able to run, in that order. What a scheduler chooses from.
    pub ready: VecDeque<Pid>,
    /// Processes of low priority that are able to run, too, and wait until others have had turns.
    pub(crate) low: VecDeque<Pid>,
    /// How many turns others have had since one of them was let in.
    pub(crate) low_waits: u32,
    pub registry: Sparse<BTreeMap<Atom, Pid>>,
    /// Whose alias a reference is.
    pub aliases: Sparse<BTreeMap<Ref, Pid>>,
    /// What happens at which time (virtual nanoseconds); the number tells equal times apart.
    pub timers: Sparse<BTreeMap<(u64, u64), Timer>>,
    /// Time of each timer that has a reference.
    pub timer_refs: Sparse<BTreeMap<Ref, (u64, u64)>>,
    /// Virtual time since the start, in nanoseconds.
    pub now: u64,
    pub start_time: u64,
    next_ref: u64,
    next_number: u64,
    pub world: Rc<dyn World>,
    pub devices: Devices,
    /// ETS.
    pub tables: Tables,
    /// Persistent terms, atomics, counters.
    pub shared: SharedValues,
    /// Regular expressions that were compiled.
    pub(crate) patterns: PatternCache,
    /// Compression in progress.
    pub(crate) streams: Streams,
    /// Ciphers in progress.
    pub(crate) cells: Cells,
    /// Files, environment, current directory.
    pub outside: Outside,
    /// What the logger was configured with.
    pub logger_config: Option<Term>,
    /// While the node starts: the number of its next process.
    pub(crate) booting: Option<u64>,
    /// What the node was started with.
    pub arguments: Rc<Arguments>,
    /// How many function calls all processes have made.
    pub steps: u64,
    /// How many nanoseconds pass when a program reads a clock. None, unless whoever runs the
    /// Machine lets time pass: then work between two readings has taken some, as programs expect.
    pub reading_time: u64,
    /// How many calls the builtin that was called last counts as, beside its own.
    pub(crate) charged: u32,
    /// How many of them were more than the running process had left in its turn.
    pub(crate) overdrawn: u32,
    /// How many calls the running process was given for its turn, and how many were left when it
    /// called a builtin.
    pub(crate) given: u32,
    pub(crate) left: u32,
    /// The last process that ended by an exception.
    pub crash: Option<Rc<Crash>>,
    /// The process whose crash is told by whoever runs the Machine, not by the logger.
    pub quiet: Option<Pid>,
    /// Why that process has ended.
    pub quiet_end: Option<Term>,
    /// What the program's main call returned.
    pub result: Option<Term>,
    /// What tests have reported and nobody has taken yet.
    pub test_events: Vec<Term>,
    /// The process that is running now, and is not in the table.
    pub running: Option<Pid>,
    pub halted: Option<i32>,
    /// How many entries a stack trace has at most.
    pub backtrace_depth: usize,
    /// Whether `erts_debug:get_internal_state/1` answers.
    pub internal_state: bool,
    /// Modules that asked for native code, which does not run here, and for which.
    pub(crate) natives: Sparse<BTreeMap<Atom, Rc<str>>>,
    /// Native functions that were called and are not there, for who tells why something failed.
    pub missed_natives: Sparse<Vec<String>>,
    /// Which statistics are collected, of those that `system_flag/2` turns on.
    pub(crate) collected: Sparse<BTreeMap<Atom, bool>>,
    /// When `statistics/1` was last asked, in milliseconds.
    pub last_statistics: u64,
    /// How many reductions `statistics/1` told about last.
    pub(crate) last_reductions: u64,
    /// Set when something was asked for that is not supported.
    pub unsupported: Option<String>,
    /// What is not supported fails in the process that asked for it, and the others go on. Whoever
    /// sets this takes what was noted in `unsupported` into account.
    pub unsupported_fails: bool,
    /// The directories that are searched for code, once they were changed.
    pub code_path: Option<Term>,
    /// For when the Machine is driven step by step.
    pub step: Stepping,
    /// Signals on their way.
    pub flight: Flight,
    /// Who watches.
    pub watch: Watch,
}

#[derive(Clone, Debug)]
pub enum Timer {
    /// A `receive` gives up.
    Receive(Pid),
    /// `erlang:send_after`, `erlang:start_timer`.
    Send { to: Term, message: Term, reference: Ref },
}

impl State {
    pub fn new(world: Rc<dyn World>) -> State {
        State {
            processes: Vec::new(),
            first: FIRST_PID,
            alive: 0,
            ready: VecDeque::new(),
            low: VecDeque::new(),
            low_waits: 0,
            registry: Sparse::from(BTreeMap::from([
                (Atom::new("user"), io_service::USER),
                (Atom::new("standard_error"), io_service::STANDARD_ERROR),
            ])),
            aliases: Sparse::default(),
            timers: Sparse::default(),
            timer_refs: Sparse::default(),
            now: 0,
            start_time: world.start_time(),
            next_ref: 0,
            next_number: 0,
            outside: Outside::new(&*world),
            patterns: PatternCache::default(),
            streams: Streams::new(),
            cells: Cells::new(),
            world,
            devices: Devices::default(),
            tables: Tables::default(),
            shared: SharedValues::default(),
            logger_config: None,
            booting: None,
            arguments: Rc::default(),
            steps: 0,
            reading_time: 0,
            charged: 0,
            overdrawn: 0,
            given: 0,
            left: 0,
            crash: None,
            quiet: None,
            quiet_end: None,
            result: None,
            test_events: Vec::new(),
            running: None,
            halted: None,
            backtrace_depth: crate::exception::BACKTRACE_DEPTH,
            internal_state: false,
            natives: Sparse::default(),
            missed_natives: Sparse::default(),
            collected: Sparse::default(),
            last_statistics: 0,
            last_reductions: 0,
            unsupported: None,
            unsupported_fails: false,
            code_path: None,
            step: Stepping::default(),
            flight: Flight::default(),
            watch: Watch::default(),
        }
    }

    /// Becomes a copy of another state, in the memory that it has. Processes that differ are copied
    /// at once: they differ because they have run since, and will run again.
    pub(crate) fn become_like(&mut self, other: &State) {
        let State {
            processes,
            first,
            alive,
            ready,
            low,
            low_waits,
            registry,
            aliases,
            timers,
            timer_refs,
            now,
            start_time,
            next_ref,
            next_number,
            world,
            devices,
            tables,
            shared,
            patterns,
            streams,
            cells,
            outside,
            logger_config,
            booting,
            arguments,
            steps,
            reading_time,
            charged,
            overdrawn,
            given,
            left,
            crash,
            quiet,
            quiet_end,
            result,
            test_events,
            running,
            halted,
            backtrace_depth,
            internal_state,
            natives,
            missed_natives,
            collected,
            last_statistics,
            last_reductions,
            unsupported,
            unsupported_fails,
            code_path,
            step,
            flight,
            watch,
        } = other;
        become_processes(&mut self.processes, processes);
        (self.first, self.alive, self.low_waits) = (*first, *alive, *low_waits);
        self.ready.clone_from(ready);
        self.low.clone_from(low);
        self.registry.clone_from(registry);
        self.aliases.clone_from(aliases);
        self.timers.clone_from(timers);
        self.timer_refs.clone_from(timer_refs);
        (self.now, self.start_time) = (*now, *start_time);
        (self.next_ref, self.next_number) = (*next_ref, *next_number);
        self.world.clone_from(world);
        self.devices.clone_from(devices);
        self.tables.become_like(tables);
        self.shared.clone_from(shared);
        self.patterns.clone_from(patterns);
        self.streams.clone_from(streams);
        self.cells.clone_from(cells);
        self.outside.clone_from(outside);
        self.logger_config.clone_from(logger_config);
        self.booting = *booting;
        self.arguments.clone_from(arguments);
        (self.steps, self.reading_time) = (*steps, *reading_time);
        (self.charged, self.overdrawn, self.given, self.left) =
            (*charged, *overdrawn, *given, *left);
        self.crash.clone_from(crash);
        self.quiet = *quiet;
        self.quiet_end.clone_from(quiet_end);
        self.result.clone_from(result);
        self.test_events.clone_from(test_events);
        (self.running, self.halted) = (*running, *halted);
        (self.backtrace_depth, self.internal_state) = (*backtrace_depth, *internal_state);
        self.natives.clone_from(natives);
        self.missed_natives.clone_from(missed_natives);
        self.collected.clone_from(collected);
        (self.last_statistics, self.last_reductions) = (*last_statistics, *last_reductions);
        self.unsupported.clone_from(unsupported);
        self.unsupported_fails = *unsupported_fails;
        self.code_path.clone_from(code_path);
        self.step.become_like(step);
        self.flight.clone_from(flight);
        self.watch.clone_from(watch);
    }

    /// System time in nanoseconds since 1970.
    pub fn system_time(&self) -> u64 {
        self.start_time + self.now
    }

    /// The file system that the program sees.
    pub fn files(&mut self) -> FileSystem<'_> {
        let now = (self.system_time() / 1_000_000_000) as i64;
        self.outside.files(&*self.world, now)
    }

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

    /// A process that is not the running one.
    #[inline]
    pub fn process(&self, pid: Pid) -> Option<&Process> {
        self.processes.get(self.index(pid)?)?.as_deref()
    }

    /// A process that is not the running one, to be changed.
    pub fn process_mut(&mut self, pid: Pid) -> Option<&mut Process> {
        let index = self.index(pid)?;
        self.processes.get_mut(index)?.as_mut().map(Rc::make_mut)
    }

    pub fn is_alive(&self, pid: Pid) -> bool {
        self.running == Some(pid)
            || self.process(pid).is_some_and(|process| process.doomed.is_none())
            || Devices::is_service(pid)
    }

    /// Whether a process exists that is bound to end.
    pub(crate) fn is_bound_to_end(&self, pid: Pid) -> bool {
        self.process(pid).is_some_and(|process| process.doomed.is_some())
    }

    /// Whose alias a reference is, or was until its process ended, when driven step by step: so
    /// that a message to it commutes with that end.
    pub(crate) fn alias_owner(&self, alias: Ref) -> Option<Pid> {
        let ghost = || self.step.ghost_aliases.get(&alias).map(|(owner, _)| *owner);
        self.aliases.get(&alias).copied().or_else(ghost)
    }

    /// To whom a message to an alias travels: whose alias it is or ever was.
    pub(crate) fn alias_address(&self, alias: Ref) -> Option<Pid> {
        self.alias_owner(alias).or_else(|| self.step.past_aliases.get(&alias).copied())
    }

    /// A reference is an alias no longer.
    pub(crate) fn end_alias(&mut self, alias: Ref) {
        if let Some(owner) = self.aliases.remove(&alias) {
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
        if self.flight.delivery() == Delivery::Any && self.step.is_on() {
            self.step.past_aliases.insert(alias, owner);
        }
    }

    /// All processes that exist, in the order of their numbers.
    pub fn pids(&self) -> impl Iterator<Item = Pid> {
        let running = self.running;
        self.processes.iter().zip(self.first..).filter_map(move |(process, number)| {
            let pid = Pid(number);
            (process.is_some() || running == Some(pid)).then_some(pid)
        })
    }

    /// All processes that exist and are not running, in the order of their numbers.
    pub fn standing(&self) -> impl Iterator<Item = &Process> {
        self.processes.iter().filter_map(Option::as_deref)
    }

    /// Whether a process has something that its end gives back: tables, files, a device.
    pub(crate) fn holds_anything(&self, pid: Pid) -> bool {
        self.tables.concern(pid)
            || self.devices.of(pid).is_some()
            || self.outside.has_files_of(pid)
            || (!self.streams.is_empty() && self.streams.values().any(|it| it.owner == pid))
    }

    /// The first process that exists and has this number or a greater one.
    pub fn pid_from(&self, number: u64) -> Option<Pid> {
        let number = number.max(self.first);
        let from = self.index(Pid(number))?;
        let at = self.processes.get(from..)?.iter().position(Option::is_some)?;
        Some(Pid(number + at as u64))
    }

    /// How many processes there have been so far.
    pub fn processes_made(&self) -> u64 {
        self.first + self.processes.len() as u64
    }

    /// The number of the next process.
    pub fn new_pid(&mut self) -> Pid {
        if let Some(next) = &mut self.booting
            && *next < LAST_BOOT_PID
        {
            *next += 1;
            return Pid(*next - 1);
        }
        if let Some(pid) = self.step.new_pid(self.running) {
            let len = self.index(pid).map_or(0, |index| index + 1);
            if self.processes.len() < len {
                self.processes.resize(len, None);
            }
            return pid;
        }
        self.processes.push(None);
        Pid(self.processes_made() - 1)
    }

    /// Adds a new process, ready to run.
    pub fn add(&mut self, process: Process) {
        let (pid, priority) = (process.pid, process.priority);
        self.alive += 1;
        self.put_back(process);
        if self.step.is_on() {
            self.step.effect(Effect::Spawned(pid));
            self.step.touch(Kind::Add, Object::all(Class::Processes));
        } else {
            self.queue(pid, priority);
        }
    }

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

    /// How many calls the running process has made in this turn.
    pub(crate) fn made_in_turn(&self) -> u64 {
        u64::from(self.given.saturating_sub(self.left)) + u64::from(self.overdrawn)
    }

    /// What is left of a process's turn after a builtin that counts as many calls.
    pub(crate) fn take_charge(&mut self, budget: u32) -> u32 {
        let charged = std::mem::take(&mut self.charged);
        self.overdrawn = self.overdrawn.saturating_add(charged.saturating_sub(budget));
        budget.saturating_sub(charged)
    }

    /// When the next timer is due.
    pub fn next_timer(&self) -> Option<u64> {
        self.timers.first_key_value().map(|(key, _)| key.0)
    }

    /// The timers of processes in a `receive` with a timeout.
    pub(crate) fn receive_timers(&self) -> Vec<(u64, u64)> {
        let receives = self.timers.iter().filter(|(_, timer)| matches!(timer, Timer::Receive(_)));
        receives.map(|(key, _)| *key).collect()
    }

    /// Takes a process out of the table, to run it.
    pub fn take(&mut self, pid: Pid) -> Option<Process> {
        let process = self.take_whole(pid)?;
        Some(Rc::unwrap_or_clone(process))
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

    /// Puts a process back into the table.
    pub fn put_back(&mut self, process: Process) {
        if let Some(index) = self.index(process.pid)
            && let Some(place) = self.processes.get_mut(index)
        {
            *place = Some(Rc::new(process));
        }
    }

    /// Takes a process that ended out of the table for good.
    pub fn remove(&mut self, pid: Pid) -> Option<Process> {
        let process = self.take(pid)?;
        self.alive -= 1;
        Some(process)
    }

    /// A waiting process can run again.
    pub fn wake(&mut self, pid: Pid) {
        if let Some(process) = self.process_mut(pid)
            && process.status == Status::Waiting
        {
            process.status = Status::Runnable;
            let priority = process.priority;
            if !process.is_suspended() && !self.step.is_on() {
                self.queue(pid, priority);
            }
        }
    }

    /// A process is not suspended by this one any longer.
    pub fn release(&mut self, pid: Pid, suspender: Pid) {
        if let Some(process) = self.process_mut(pid)
            && process.relations.suspended_by.remove(&suspender).is_some()
            && !process.is_suspended()
            && process.status == Status::Runnable
        {
            let priority = process.priority;
            self.queue(pid, priority);
        }
    }

    pub fn new_ref(&mut self) -> Ref {
        if let Some(number) = self.step.new_number(self.running) {
            return Ref(number);
        }
        self.next_ref += 1;
        Ref(self.next_ref)
    }

    /// A number never given out before.
    pub fn new_number(&mut self) -> u64 {
        match self.step.new_number(self.running) {
            Some(number) => number,
            None => self.next_in_order(),
        }
    }

    /// A number that is greater than all that were given out in this way before, whoever asked for
    /// them.
    pub fn next_in_order(&mut self) -> u64 {
        self.next_number += 1;
        self.next_number
    }

    /// Arranges for something to happen at a time.
    pub fn add_timer(&mut self, at: u64, timer: Timer) -> (u64, u64) {
        let key = (at, self.new_number());
        if let Timer::Send { reference, .. } = &timer {
            self.timer_refs.insert(*reference, key);
            self.step.touch(Kind::Write, Object::of_ref(Class::Timer, *reference));
            self.step.effect(Effect::TimerSet(*reference));
        }
        self.timers.insert(key, timer);
        key
    }

    /// The process that a timer is for, if it is for one and not for a name.
    pub(crate) fn timer_target(&self, reference: Ref) -> Option<Pid> {
        match self.timers.get(self.timer_refs.get(&reference)?) {
            Some(Timer::Send { to, .. }) => to.as_pid(),
            _ => None,
        }
    }

    pub fn remove_timer(&mut self, key: (u64, u64)) -> Option<Timer> {
        let timer = self.timers.remove(&key)?;
        if let Timer::Send { reference, to, .. } = &timer {
            self.timer_refs.remove(reference);
            self.step.effect(Effect::TimerGone(*reference));
            if !self.step.is_on()
                && let Some(target) = to.as_pid().and_then(|pid| self.process_mut(pid))
            {
                target.relations.timers.remove(reference);
            }
        }
        Some(timer)
    }
}

fn become_processes(mine: &mut Vec<Option<Rc<Process>>>, its: &[Option<Rc<Process>>]) {
    mine.truncate(its.len());
    for (mine, its) in mine.iter_mut().zip(its) {
        match (&mut *mine, its) {
            (Some(mine), Some(its)) if Rc::ptr_eq(mine, its) => {}
            (Some(mine), Some(its)) => match Rc::get_mut(mine) {
                Some(own) => own.become_like(its),
                None => mine.clone_from(its),
            },
            (mine, its) => mine.clone_from(its),
        }
    }
    mine.extend_from_slice(&its[mine.len()..]);
}
