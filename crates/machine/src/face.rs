//! What others may know of a Machine, and may say to it: its state is nobody's business but its
//! own. Running it is in `machine.rs`, driving it one visible action at a time in `step/`.

use std::collections::VecDeque;
use std::rc::Rc;

use atom::Atom;
use term::fun::Closure;
use term::{Pid, Ref, Term};

use crate::code_space::{CodeSpace, Extent};
use crate::contract::Violation;
use crate::ets::table::Table;
use crate::exception::Crash;
use crate::flight::Route;
use crate::machine::Machine;
use crate::observe::Moment;
use crate::process::Process;
use crate::state::{Arguments, State};
use crate::unsupported::Unsupported;

/// What is known from another run.
impl Machine {
    /// The next processes and references get these numbers, in this order: those that they had in
    /// another run, so that what is known from there means the same here. None of them may be in
    /// use.
    pub fn foresee(
        &mut self,
        pids: impl IntoIterator<Item = Pid>,
        refs: impl IntoIterator<Item = Ref>,
    ) {
        self.state.node.foresee(pids.into_iter().collect(), refs.into_iter().collect());
    }

    /// A fun of another Machine with the code that it has here: the fun of the same name, arity and
    /// number of captured values. `None` if there is none.
    pub fn own_fun(&self, other: &Closure) -> Option<Closure> {
        let code = self.code.closure(other.module, other.name, other.arity)?;
        let function = self.code.function_at(code.entry)?;
        let takes = function.mfa.arity as usize;
        (takes == other.arity as usize + other.env.len()).then(|| Closure {
            index: code.index,
            unique: code.unique,
            entry: code.entry,
            ..other.clone()
        })
    }
}

/// Code, and going back.
impl Machine {
    /// The code that is loaded.
    #[inline]
    pub fn code(&self) -> &Rc<CodeSpace> {
        &self.code
    }

    /// Takes over the code of a copy of this Machine that has run since: what was loaded there need
    /// not be loaded again.
    pub fn use_code_of(&mut self, copy: &Machine) {
        self.code.clone_from(&copy.code);
    }

    /// How much code is loaded, for [`Machine::unload_since`].
    pub fn code_extent(&self) -> Extent {
        self.code.extent()
    }

    /// Forgets the modules that were loaded since, none of which was another version of one that
    /// was there. No state that is used from now on may know of them.
    pub fn unload_since(&mut self, extent: Extent) {
        Rc::make_mut(&mut self.code).shrink(extent);
    }

    /// A copy of the state, to go back to. It shares everything until either is changed.
    #[inline]
    pub fn copy_state(&self) -> State {
        self.state.clone()
    }

    /// Goes back to an earlier state, of which a copy was made; code that was loaded since stays.
    /// Cheaper than a new copy, and what the two share already costs next to nothing.
    pub fn go_back(&mut self, to: &State) {
        self.state.become_like(to);
    }

    /// The same, where the copy is not needed any more.
    pub fn go_back_for_good(&mut self, to: State) {
        std::mem::replace(&mut self.state, to).node.give_back();
    }

    /// Another Machine with the same code, in a state of this one.
    pub fn in_state(&self, state: &State) -> Machine {
        let (code, loader) = (Rc::clone(&self.code), Rc::clone(&self.loader));
        Machine { code, state: state.clone(), loader }
    }
}

impl State {
    /// How many messages each process has, in the order of their numbers.
    pub fn mailboxes(&self) -> impl Iterator<Item = (Pid, usize)> {
        self.node.standing().map(|process| (process.pid, process.mailbox.len()))
    }
}

/// Processes and names.
impl Machine {
    /// A process that is not running just now.
    #[inline]
    pub fn process(&self, pid: Pid) -> Option<&Process> {
        self.state.node.process(pid)
    }

    /// All processes that exist, in the order of their numbers.
    #[inline]
    pub fn pids(&self) -> impl Iterator<Item = Pid> {
        self.state.node.pids()
    }

    /// All processes that exist and are not running, in the order of their numbers.
    #[inline]
    pub fn standing(&self) -> impl Iterator<Item = &Process> {
        self.state.node.standing()
    }

    /// The first process that exists and has this number or a greater one.
    #[inline]
    pub fn pid_from(&self, number: u64) -> Option<Pid> {
        self.state.node.pid_from(number)
    }

    /// How many processes exist.
    #[inline]
    pub fn alive(&self) -> usize {
        self.state.node.alive
    }

    /// Whether a process, or a device, exists and is not bound to end.
    #[inline]
    pub fn is_alive(&self, pid: Pid) -> bool {
        self.state.node.is_alive(pid)
    }

    /// Who has a name.
    #[inline]
    pub fn whereis(&self, name: Atom) -> Option<Pid> {
        self.state.node.registry.get(&name).copied()
    }

    /// All names, and who has them.
    pub fn names(&self) -> impl Iterator<Item = (Atom, Pid)> {
        self.state.node.registry.iter().map(|(name, pid)| (*name, *pid))
    }
}

/// Contracts.
impl Machine {
    /// Contracts that did not hold so far.
    pub fn violations(&self) -> &[Violation] {
        &self.state.host.book.violations
    }
}

/// Whose turn it is, and time.
impl Machine {
    /// Processes that became able to run, in that order: what a scheduler chooses from.
    #[inline]
    pub fn ready(&self) -> &VecDeque<Pid> {
        &self.state.node.ready
    }

    /// The same for a scheduler, which takes out the one that it chooses.
    #[inline]
    pub fn ready_mut(&mut self) -> &mut VecDeque<Pid> {
        &mut self.state.node.ready
    }

    /// How many function calls all processes have made.
    #[inline]
    pub fn steps(&self) -> u64 {
        self.state.node.steps
    }

    /// Virtual time since the start, in nanoseconds.
    #[inline]
    pub fn now(&self) -> u64 {
        self.state.node.now
    }

    /// When the next timer is due.
    pub fn next_timer(&self) -> Option<u64> {
        self.state.node.first_timer().map(|key| key.0)
    }

    /// From now on so many nanoseconds pass when a program reads a clock.
    pub fn set_reading_time(&mut self, nanoseconds: u64) {
        self.state.host.reading_time = nanoseconds;
    }

    /// Whether signals are on their way.
    #[inline]
    pub fn has_signals(&self) -> bool {
        !self.state.step.flight.is_empty()
    }

    /// The pairs of processes between which they are, in order.
    pub fn routes(&self) -> impl ExactSizeIterator<Item = Route> {
        self.state.step.flight.routes()
    }
}

/// What the node was started with.
impl Machine {
    /// What `init:get_plain_arguments/0` says.
    pub fn set_arguments(&mut self, plain: Vec<String>) {
        self.state.host.arguments = Rc::new(Arguments { flags: Vec::new(), plain });
    }

    /// The logger is configured as on another node.
    pub fn use_logger_of(&mut self, other: &Machine) {
        self.state.host.logger_config.clone_from(&other.state.host.logger_config);
    }

    /// What is not supported fails in the process that asked for it, and the others go on. Whoever
    /// says this takes into account what [`Machine::take_unsupported`] tells.
    pub fn let_unsupported_fail(&mut self) {
        self.state.host.unsupported_fails = true;
    }
}

/// What comes out of a run.
impl Machine {
    /// From now on a builtin that is to make a list of more elements is not supported: whoever
    /// makes up what programs are given does not want all memory to be taken.
    pub fn refuse_longer(&mut self, elements: usize) {
        self.state.host.longest = elements;
    }

    /// Whoever runs the Machine tells of the end of this process: the logger does not.
    pub fn keep_quiet_about(&mut self, pid: Pid) {
        (self.state.host.quiet, self.state.host.quiet_end) = (Some(pid), None);
    }

    /// Why that process has ended, if it has and nobody has asked yet.
    #[inline]
    pub fn take_end_of_quiet(&mut self) -> Option<Term> {
        self.state.host.quiet_end.take()
    }

    /// The last process that ended by an exception.
    pub fn crash(&self) -> Option<&Rc<Crash>> {
        self.state.host.crash.as_ref()
    }

    /// What the program's main call returned, if nobody has asked yet.
    #[inline]
    pub fn take_result(&mut self) -> Option<Term> {
        self.state.host.result.take()
    }

    /// What tests have reported and nobody has taken yet.
    pub fn test_events(&self) -> &[Term] {
        &self.state.host.test_events
    }

    /// The same, taken.
    pub fn take_test_events(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.state.host.test_events)
    }

    /// What was asked for and is not supported, if nobody has asked yet.
    #[inline]
    pub fn take_unsupported(&mut self) -> Option<Unsupported> {
        self.state.host.unsupported.take()
    }

    /// Native functions that were called and are not there.
    #[inline]
    pub fn missed_natives(&self) -> &[Unsupported] {
        &self.state.host.missed_natives
    }

    /// The same, taken.
    pub fn take_missed_natives(&mut self) -> impl Iterator<Item = Unsupported> {
        std::mem::take(&mut self.state.host.missed_natives).into_iter()
    }

    /// Files that the program has changed.
    pub fn changed_files(&self) -> impl Iterator<Item = &[u8]> {
        self.state.host.outside.changed()
    }

    /// A node that has halted can be run all the same, for what is left to be said.
    pub fn forget_halt(&mut self) {
        self.state.host.halted = None;
    }
}

impl Moment<'_> {
    /// Virtual time since the start, in nanoseconds.
    #[inline]
    pub fn now(&self) -> u64 {
        self.state.node.now
    }

    /// The names that a process has.
    pub fn names_of(&self, pid: Pid) -> impl Iterator<Item = Atom> {
        let its = self.state.node.registry.iter().filter(move |(_, owner)| **owner == pid);
        its.map(|(name, _)| *name)
    }

    /// An ETS table.
    pub fn table(&self, id: Ref) -> Option<&Table> {
        self.state.node.tables.get(id)
    }
}
