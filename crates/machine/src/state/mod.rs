//! Everything of a node that is not code, as one value: what programs see of it ([`NodeState`]),
//! what it lives in ([`Host`]), and what belongs to being driven one visible action at a time
//! ([`Stepping`]).
//!
//! Here is what needs more than one of them. A copy copies no term, and shares what is large.

mod host;
mod node;
pub(crate) mod recycled;
mod turn;

use std::rc::Rc;

use term::{Pid, Ref};

pub(crate) use host::{Arguments, Host};
pub use node::FIRST_PID;
pub(crate) use node::{NodeState, Timer, TimerKey};

use crate::footprint::{Class, Kind, Object};
use crate::outside::FileSystem;
use crate::process::{Process, Status};
use crate::step::{Effect, Stepping};
use crate::world::World;

/// The state of a Machine: to others, something that can be copied and gone back to.
#[derive(Clone)]
pub struct State {
    pub(crate) node: NodeState,
    pub(crate) host: Host,
    pub(crate) step: Stepping,
}

impl State {
    pub(crate) fn new(world: Rc<dyn World>) -> State {
        State {
            node: NodeState::new(world.start_time()),
            host: Host::new(world),
            step: Stepping::default(),
        }
    }

    /// Becomes a copy of another state, in the memory that it has.
    pub(crate) fn become_like(&mut self, other: &State) {
        let State { node, host, step } = other;
        self.node.become_like(node);
        self.host.become_like(host);
        self.step.become_like(step);
    }

    /// The file system that the program sees.
    pub(crate) fn files(&mut self) -> FileSystem<'_> {
        let now = (self.node.system_time() / 1_000_000_000) as i64;
        self.host.outside.files(&*self.host.world, now)
    }

    /// Whether a process has something that its end gives back: tables, files, a device.
    pub(crate) fn holds_anything(&self, pid: Pid) -> bool {
        self.node.tables.concern(pid) || self.host.holds_anything(pid)
    }
}

/// Processes.
impl State {
    /// The number of the next process.
    pub(crate) fn new_pid(&mut self) -> Pid {
        if let Some(pid) = self.node.boot_pid() {
            return pid;
        }
        match self.step.new_pid(self.node.running) {
            Some(pid) => {
                self.node.make_room(pid);
                pid
            }
            None => self.node.next_pid(),
        }
    }

    /// Adds a new process, ready to run.
    pub(crate) fn add(&mut self, process: Process) {
        let (pid, priority) = (process.pid, process.priority);
        self.node.alive += 1;
        self.node.put(process);
        if self.is_driven() {
            self.effect(Effect::Spawned(pid));
            self.touch(Kind::Add, Object::all(Class::Processes));
        } else {
            self.node.queue(pid, priority);
        }
    }

    /// A waiting process can run again.
    pub(crate) fn wake(&mut self, pid: Pid) {
        if let Some(process) = self.node.process_mut(pid)
            && process.status == Status::Waiting
        {
            process.status = Status::Runnable;
            let priority = process.priority;
            if !process.is_suspended() && !self.is_driven() {
                self.node.queue(pid, priority);
            }
        }
    }
}

/// Numbers and timers.
impl State {
    pub(crate) fn new_ref(&mut self) -> Ref {
        match self.step.new_number(self.node.running) {
            Some(number) => Ref(number),
            None => self.node.next_ref(),
        }
    }

    /// A number never given out before.
    pub(crate) fn new_number(&mut self) -> u64 {
        match self.step.new_number(self.node.running) {
            Some(number) => number,
            None => self.node.next_in_order(),
        }
    }

    /// Arranges for something to happen at a time.
    pub(crate) fn add_timer(&mut self, at: u64, timer: Timer) -> TimerKey {
        let key = (at, self.new_number());
        if let Timer::Send { reference, .. } = &timer {
            self.touch(Kind::Write, Object::of_ref(Class::Timer, *reference));
            self.effect(Effect::TimerSet(*reference));
        }
        self.node.insert_timer(key, timer);
        key
    }

    pub(crate) fn remove_timer(&mut self, key: TimerKey) -> Option<Timer> {
        let timer = self.node.take_timer(key)?;
        if let Timer::Send { reference, to, .. } = &timer {
            self.effect(Effect::TimerGone(*reference));
            if !self.is_driven()
                && let Some(target) = to.as_pid().and_then(|pid| self.node.process_mut(pid))
            {
                target.relations.timers.remove(reference);
            }
        }
        Some(timer)
    }
}
