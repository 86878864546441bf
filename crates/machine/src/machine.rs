//! The Machine as seen from outside.

use std::rc::Rc;

use atom::{Atom, known};
use term::{Pid, Term, View};

use crate::code_loading::Provided;
use crate::code_space::{CodeSpace, Loader};
use crate::control::Start;
use crate::ending::{Bound, Ending};
use crate::interp::{self, Exit};
use crate::io_service;
use crate::observe::{self, Event, Interest, Sender};
use crate::process::{Deadline, Process, Status};
use crate::signals::Node;
use crate::state::{State, Timer};
use crate::world::World;

/// The whole state of one Erlang node.
#[derive(Clone)]
pub struct Machine {
    pub(crate) code: Rc<CodeSpace>,
    pub(crate) state: State,
    pub(crate) loader: Rc<dyn Loader>,
}

/// How a process stopped running.
#[derive(Debug)]
pub enum Ran {
    /// It could go on.
    Yielded,
    /// It waits for a message.
    Waits,
    /// It ended, for this reason.
    Ended(Term),
    /// There is no such process, or it cannot run.
    NotReady,
}

/// How many function calls a process may make before another gets its turn.
pub const TIME_SLICE: u32 = 4000;

impl Machine {
    pub fn new(loader: Rc<dyn Loader>, world: Rc<dyn World>) -> Machine {
        let contracts = loader.contracts();
        let mut machine =
            Machine { code: Rc::new(CodeSpace::new()), state: State::new(world), loader };
        machine.state.host.book.known = contracts;
        machine
    }

    /// Loads a module if it is not there. Says whether it is there now. What `-on_load` asks for is
    /// not done.
    pub fn ensure_loaded(&mut self, module: Atom) -> bool {
        if self.code.is_loaded(module) {
            return true;
        }
        match self.find_code(module) {
            Some(loaded) => {
                Rc::make_mut(&mut self.code).link(loaded);
                true
            }
            None => false,
        }
    }

    /// Starts a process.
    pub fn spawn(&mut self, module: Atom, name: Atom, args: Vec<Term>) -> Pid {
        let pid = self.state.new_pid();
        let mut process = Process::new(pid, io_service::USER);
        process.initial_call = (module, name, args.len() as u32);
        let entry = Start::Apply { module, name, args };
        self.tell(Interest::PROCESSES, &Event::Spawn { child: pid, entry: &entry });
        process.start = Some(entry);
        self.state.add(process);
        pid
    }

    /// Starts the node: its first process runs `init:boot/0`. Done when the node says that it is
    /// up.
    pub fn boot(&mut self) -> Result<(), Ending> {
        self.state.node.begin_boot();
        let first = self.spawn(Atom::new("init"), Atom::new("boot"), Vec::new());
        while self.state.node.is_booting() {
            let Some(pid) = self.state.node.ready.pop_front() else {
                return Err(Ending::Quiescent);
            };
            let ran = self.run(pid, TIME_SLICE);
            if let Some(ending) = self.stopped() {
                return Err(ending);
            }
            match ran {
                Ran::Ended(reason) if pid == first => return Err(Ending::Ended(reason)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether the node has halted, or met something that is not supported.
    pub fn is_stopped(&self) -> bool {
        self.state.host.unsupported.is_some() || self.state.host.halted.is_some()
    }

    /// Why the whole node does not go on, if so.
    pub fn stopped(&mut self) -> Option<Ending> {
        let unsupported = self.state.host.unsupported.take().map(Ending::unsupported);
        unsupported.or_else(|| self.state.host.halted.map(Ending::Halted))
    }

    /// Sends a message from outside.
    pub fn send(&mut self, to: Pid, message: Term) {
        let mut node = Node { code: &self.code, s: &mut self.state, me: None };
        node.send_as(Sender::Outside, to, message);
    }

    /// Lets a process run, until it waits, ends, or has made `budget` calls.
    pub fn run(&mut self, pid: Pid, budget: u32) -> Ran {
        let Some(mut whole) = self.state.node.take_whole(pid) else {
            self.state.node.turn_ended(known::NORMAL);
            return Ran::NotReady;
        };
        let priority = whole.priority;
        if whole.status != Status::Runnable || whole.is_suspended() {
            self.state.node.put_back_whole(whole);
            self.state.node.turn_ended(priority);
            return Ran::NotReady;
        }
        let process = Rc::make_mut(&mut whole);
        self.state.node.running = Some(pid);
        let given = budget;
        self.state.node.turn.begin(given);
        let mut budget = budget;
        let ran = loop {
            match interp::run(&self.code, &mut self.state, process, &mut budget) {
                Exit::NeedModule(module) => match self.provide(module) {
                    Provided::Ready => {}
                    Provided::Missing => interp::module_missing(&self.code, process),
                    Provided::MustRun => interp::autoload(&self.code, process, module),
                },
                Exit::Unfinished(pc) => Rc::make_mut(&mut self.code).finish(pc),
                Exit::Code(request, answer) => {
                    let value = self.serve_code(*request);
                    if let Some(slot) = process.stack.get_mut(answer) {
                        *slot = value;
                    }
                }
                Exit::Yielded => {
                    self.state.node.queue(pid, process.priority);
                    break Ran::Yielded;
                }
                Exit::Waits => {
                    process.status = Status::Waiting;
                    break Ran::Waits;
                }
                Exit::Ended(reason) => break Ran::Ended(reason),
                // The last four only when driven step by step.
                Exit::Stopped
                | Exit::Visible
                | Exit::AtReceive
                | Exit::Matched
                | Exit::Unmatched => break Ran::Yielded,
            }
        };
        self.state.node.running = None;
        let made = u64::from(given - budget) + u64::from(self.state.node.turn.end());
        self.state.node.steps += made;
        process.reductions += made;
        match &ran {
            Ran::Ended(reason) => {
                self.state.node.alive -= 1;
                let reason = reason.clone();
                Node { code: &self.code, s: &mut self.state, me: None }.end(process, reason, false);
            }
            _ => self.state.node.put_back_whole(whole),
        }
        self.state.node.turn_ended(priority);
        ran
    }

    /// Runs processes in the order in which they became ready, each for a time slice, advancing
    /// virtual time when nobody can run, until `main` ends.
    pub fn run_to_end(&mut self, main: Pid, max_slices: u64) -> Ending {
        for _ in 0..max_slices {
            let Some(pid) = self.state.node.ready.pop_front() else {
                if self.advance_time() {
                    continue;
                }
                return Ending::Quiescent;
            };
            let ran = self.run(pid, TIME_SLICE);
            if let Some(ending) = self.stopped() {
                return ending;
            }
            if let Ran::Ended(reason) = ran
                && pid == main
            {
                return Ending::Ended(reason);
            }
        }
        Ending::bound(Bound::Steps(max_slices.saturating_mul(u64::from(TIME_SLICE))))
    }

    /// Nobody can run: the time of the next timer comes. Says whether there was one.
    pub fn advance_time(&mut self) -> bool {
        let Some(key) = self.state.node.first_timer() else { return false };
        self.state.node.now = self.state.node.now.max(key.0);
        self.fire(key);
        true
    }

    /// Time passes while processes run: whatever was to happen meanwhile happens.
    pub fn pass_time(&mut self, nanoseconds: u64) {
        self.state.node.now = self.state.node.now.saturating_add(nanoseconds);
        while let Some(key) = self.state.node.first_timer()
            && key.0 <= self.state.node.now
        {
            self.fire(key);
        }
    }

    /// Tells the observer about something that no process does.
    fn tell(&self, wanted: Interest, event: &Event<'_>) {
        observe::tell(&self.code, &self.state, None, wanted, event);
    }

    pub(crate) fn fire(&mut self, key: (u64, u64)) {
        match self.state.remove_timer(key) {
            Some(Timer::Receive(pid)) => {
                if let Some(process) = self.state.node.process_mut(pid) {
                    process.timeout = Some(Deadline::Expired);
                }
                self.state.wake(pid);
            }
            Some(Timer::Send { to, message, reference }) => {
                let to = match to.view() {
                    View::Pid(pid) => Some(pid),
                    View::Atom(name) => self.state.node.registry.get(&name).copied(),
                    _ => None,
                };
                self.tell(Interest::TIMERS, &Event::TimerFired { reference });
                if let Some(to) = to {
                    let mut node = Node { code: &self.code, s: &mut self.state, me: None };
                    node.send_as(Sender::Timer, to, message);
                }
            }
            None => {}
        }
    }
}
