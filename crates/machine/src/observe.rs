//! Watching a run: an [`Observer`] is told what happens, while it happens.
//!
//! ```text
//! machine.observe(Some(Rc::new(MyObserver::default()))); // from now on
//! machine.run(pid, budget);                              // or perform(…), or runner::run
//! machine.observe(None);
//! ```
//!
//! * [`Observer::interest`] says which groups of events are wanted: what nobody asks for is not
//!   made.
//! * Every event comes with a [`Moment`]: the code, the state, the process that acts and the
//!   instruction it is at. [`Moment::site`] is the place in the source as a node of the module's
//!   tree, the same node that static graphs speak of when they were made from the same tree
//!   (`ModuleInfo::source`, the `Arc` that the loader handed over); [`CodeSpace::describe`] makes
//!   module, line and column of it. [`Moment::callers`] leads from library code to the program's
//!   own call.
//! * An observer only looks. It keeps what it wants in cells of its own; clones of a Machine share
//!   it.
//!
//! **Calls** ([`Event::Call`], [`Event::Return`]): a call that is not in tail position has one
//! return, or is left by an exception. A call in tail position ([`Event::Call::tail`]) takes the
//! place of its caller: the next return is that of the whole chain. So does what a builtin calls
//! (`apply`), and what a process begins with. The depth of the stack at any event is
//! [`Moment::depth`], so a reader can follow without knowing which frames an exception left.
//! Functions that lowering made of comprehensions are called like others; [`Moment::function_node`]
//! tells them by the kind of their node.
//!
//! **Messages**: every message has a number ([`MessageId`], from 1 in the order of sending);
//! [`Event::Send`], [`Event::Deliver`] and [`Event::Receive`] carry it, so a receive leads to its
//! send. 0 is a message that was in the mailbox before anybody watched.
//!
//! **Nodes** ([`Observer::mark`]) are only told of modules that were lowered with marks
//! (`code::lower::Options::marks`, `ProgramLoader::mark_own`): an instruction of its own for each
//! expression, clause and condition, and one that shows structures where they are built and taken
//! apart ([`Observer::value`]). Without marks instructions are too few to tell: a variable has
//! none.
//!
//! **Instructions** ([`Observer::instruction`]): each, before it is executed, for who computes
//! something of its own beside the values. What came of one is seen at the next of the same
//! process; one that is told twice in a row was tried in vain (a module had to be loaded, others
//! had to act first) and is tried again.
//!
//! What it costs: nothing in the interpreter's loop when nobody watches (other copies of the loop
//! are compiled for watching); one test where a builtin is called, a message is sent, an exception
//! is raised. Driven step by step, what a process does is told when it is done, not when it is
//! looked at.

use std::collections::VecDeque;
use std::rc::Rc;

use atom::Atom;
pub use code::instr::{Instr, Mark, Pc};
use code::module::Mfa;
use syntax::ast::{self, NodeId};
use term::{Pid, Ref, Term};

use crate::code_space::{CodeSpace, Target};
use crate::control::Start;
use crate::exception::Class;
use crate::footprint::{Footprint, Look};
use crate::io_service::Device;
use crate::machine::Machine;
use crate::process::Process;
use crate::state::State;

/// Groups of events.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Interest(u16);

impl Interest {
    pub(crate) const NONE: Interest = Interest(0);
    /// [`Event::Call`] and [`Event::Return`], builtins included.
    pub const CALLS: Interest = Interest(1);
    /// [`Event::Raise`] and [`Event::Catch`].
    pub const EXCEPTIONS: Interest = Interest(2);
    /// [`Event::Spawn`], [`Event::Exit`], links, monitors and exit signals.
    pub const PROCESSES: Interest = Interest(4);
    /// [`Event::Send`], [`Event::Deliver`], [`Event::Receive`], [`Event::GiveUp`],
    /// [`Event::Flush`].
    pub const MESSAGES: Interest = Interest(8);
    pub const TIMERS: Interest = Interest(16);
    pub const OUTPUT: Interest = Interest(32);
    /// Marks.
    pub const NODES: Interest = Interest(64);
    /// All but instructions.
    pub const ALL: Interest = Interest(127);
    /// Every instruction.
    pub const INSTRUCTIONS: Interest = Interest(128);

    #[must_use]
    pub const fn and(self, other: Interest) -> Interest {
        Interest(self.0 | other.0)
    }

    pub const fn has(self, other: Interest) -> bool {
        self.0 & other.0 != 0
    }
}

/// Somebody who watches a run.
pub trait Observer {
    /// What it wants to see. Asked once, when it begins to watch.
    fn interest(&self) -> Interest;

    /// Something happened.
    fn event(&self, _moment: &Moment<'_>, _event: &Event<'_>) {}

    /// A marked node was reached ([`Moment::site`]).
    fn mark(&self, _moment: &Moment<'_>, _mark: Mark) {}

    /// The value of a marked node ([`Moment::site`]): a structure that was built or that a pattern
    /// is about to take apart (it may not fit), and before it is built the base of an update and
    /// the keys of a map.
    fn value(&self, _moment: &Moment<'_>, _value: &Term) {}

    /// An instruction is about to be executed by the process of the moment, whose slots are as it
    /// finds them.
    fn instruction(&self, _moment: &Moment<'_>, _instr: &Instr) {}

    /// The same while a `receive` is only asked whether it would take a message, on a Machine that
    /// is driven step by step. What such instructions put into slots is forgotten; the first of
    /// them for each message is a `Peek`.
    fn probed(&self, _moment: &Moment<'_>, _instr: &Instr) {}
}

/// The number of a message in a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct MessageId(pub u64);

/// A node of the tree of a loaded module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// Position in [`CodeSpace::modules`]: a version of a module.
    pub module: u32,
    pub node: NodeId,
}

/// A place for people: module, line and column. 0 where it is not known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    pub module: Atom,
    pub line: u32,
    pub column: u32,
}

/// Where something happens.
pub struct Moment<'a> {
    pub code: &'a CodeSpace,
    pub(crate) state: &'a State,
    /// Who does it; nobody for timers, and for what comes from outside.
    pub process: Option<&'a Process>,
}

/// A function that is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Callee {
    /// Of a fun the function that lowering made of it, such as `-f/1-fun-0-`.
    pub mfa: Mfa,
    pub target: Target,
}

/// On whose account a message is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sender {
    /// The process of the moment.
    Process(Pid),
    /// A process that ended, to who monitors it.
    Down(Pid),
    /// An exit signal of this process that was trapped.
    Exit(Pid),
    Timer,
    /// A device that answers.
    Device(Pid),
    /// The Machine's own: the heir of a table is told, a driver sends.
    Outside,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The function at [`Moment::site`] calls another; without a site, a process begins.
    Call {
        callee: Callee,
        args: &'a [Term],
        tail: bool,
    },
    /// The innermost call returns.
    Return {
        value: &'a Term,
    },
    /// An exception. `again`: one that was caught and not taken, or passes an `after`.
    Raise {
        class: Class,
        reason: &'a Term,
        again: bool,
    },
    /// It goes to the `try` or `catch` at this instruction.
    Catch {
        at: Option<Pc>,
    },
    Spawn {
        child: Pid,
        entry: &'a Start,
    },
    /// A process ended; the moment is the last of it.
    Exit {
        pid: Pid,
        reason: &'a Term,
    },
    Send {
        id: MessageId,
        sender: Sender,
        to: Pid,
        message: &'a Term,
    },
    /// It reached the mailbox. `lost`: there was no such process.
    Deliver {
        id: MessageId,
        to: Pid,
        lost: bool,
    },
    /// The `receive` at this instruction took a message; the moment's site is the clause.
    Receive {
        id: MessageId,
        message: &'a Term,
        receive: Pc,
    },
    /// A `receive` gave up; the moment's site is the `receive`.
    GiveUp,
    /// A message was removed without being received.
    Flush {
        id: MessageId,
    },
    Link {
        a: Pid,
        b: Pid,
    },
    Unlink {
        a: Pid,
        b: Pid,
    },
    /// `target`: none for a service of the Machine.
    Monitor {
        watcher: Pid,
        reference: Ref,
        target: Option<Pid>,
    },
    Demonitor {
        watcher: Pid,
        reference: Ref,
    },
    /// An exit signal arrives. `linked`: through a link, not from `exit/2`.
    ExitSignal {
        from: Pid,
        to: Pid,
        reason: &'a Term,
        linked: bool,
    },
    TimerSet {
        reference: Ref,
        at: u64,
    },
    TimerCancelled {
        reference: Ref,
    },
    TimerFired {
        reference: Ref,
    },
    Output {
        device: Device,
        text: &'a str,
    },
}

/// The part of a node's state that is about being watched.
#[derive(Clone, Default)]
pub(crate) struct Watch {
    observer: Option<Rc<dyn Observer>>,
    interest: Interest,
    /// How many messages were sent.
    sent: u64,
    /// The call that comes is made by a builtin in its own place, or begins a process.
    pub(crate) replacing: bool,
    /// What the fun that is called has taken along.
    pub(crate) captured: Vec<Term>,
}

impl Watch {
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.interest.0 != 0
    }

    #[inline]
    pub(crate) fn wants(&self, what: Interest) -> bool {
        self.interest.has(what)
    }

    pub(crate) fn new_message(&mut self) -> MessageId {
        self.sent += 1;
        MessageId(self.sent)
    }
}

impl Machine {
    /// From now on this observer is told what happens, or nobody.
    pub fn observe(&mut self, observer: Option<Rc<dyn Observer>>) {
        let interest = observer.as_ref().map_or(Interest::NONE, |observer| observer.interest());
        self.state.host.watch.interest = interest;
        self.state.host.watch.observer = observer;
        // The messages that are there have no numbers.
        for pid in self.state.node.pids().collect::<Vec<_>>() {
            if let Some(process) = self.state.node.process_mut(pid) {
                let there = if interest == Interest::NONE { 0 } else { process.mailbox.len() };
                process.message_ids =
                    std::iter::repeat_n(MessageId(0), there).collect::<VecDeque<_>>().into();
            }
        }
    }
}

/// Tells the observer.
#[cold]
pub(crate) fn tell(
    code: &CodeSpace,
    state: &State,
    process: Option<&Process>,
    wanted: Interest,
    event: &Event<'_>,
) {
    if let Some(observer) = &state.host.watch.observer
        && state.host.watch.wants(wanted)
        && !is_of_contract(process, event)
    {
        observer.event(&Moment { code, state, process }, event);
    }
}

/// Whether it is a contract that is evaluated: what it calls is no part of the program. (Its
/// instructions are told like others.)
fn is_of_contract(process: Option<&Process>, event: &Event<'_>) -> bool {
    process.is_some_and(|process| process.contract.is_inside())
        && matches!(
            event,
            Event::Call { .. } | Event::Return { .. } | Event::Raise { .. } | Event::Catch { .. }
        )
}

/// Whether the function that is running is the body of one with a contract, which returns for both.
pub(crate) fn is_body(code: &CodeSpace, process: &Process) -> bool {
    let call = process.frames.last().and_then(|frame| frame.pc.checked_sub(1));
    call.is_some_and(|call| matches!(code.instrs.get(call as usize), Some(Instr::CallBody { .. })))
}

/// Tells the observer about a mark.
pub(crate) fn tell_mark(code: &CodeSpace, state: &State, process: &Process, mark: Mark) {
    if let Some(observer) = &state.host.watch.observer {
        observer.mark(&Moment { code, state, process: Some(process) }, mark);
    }
}

/// Tells the observer the value of a node.
pub(crate) fn tell_value(code: &CodeSpace, state: &State, process: &Process, value: &Term) {
    if let Some(observer) = &state.host.watch.observer {
        observer.value(&Moment { code, state, process: Some(process) }, value);
    }
}

/// Tells the observer about an instruction.
pub(crate) fn tell_instruction(code: &CodeSpace, state: &State, process: &Process, instr: &Instr) {
    if let Some(observer) = &state.host.watch.observer {
        let moment = Moment { code, state, process: Some(process) };
        match state.is_probing() {
            true => observer.probed(&moment, instr),
            false => observer.instruction(&moment, instr),
        }
    }
}

/// Tells that a function of the code space is called.
pub(crate) fn tell_call(
    code: &CodeSpace,
    state: &State,
    process: &Process,
    to: Pc,
    args: &[Term],
    tail: bool,
) {
    if let Some(function) = code.function_at(to) {
        let callee = Callee { mfa: function.mfa, target: Target::Code(to) };
        let event = Event::Call { callee, args, tail: tail || state.host.watch.replacing };
        tell(code, state, Some(process), Interest::CALLS, &event);
    }
}

impl Moment<'_> {
    pub fn pid(&self) -> Option<Pid> {
        self.process.map(|process| process.pid)
    }

    /// The instruction.
    pub fn pc(&self) -> Option<Pc> {
        self.process.map(|process| process.pc).filter(|pc| (*pc as usize) < self.code.instrs.len())
    }

    /// Where in the source.
    pub fn site(&self) -> Option<Site> {
        self.code.site(self.pc()?)
    }

    /// The places of the calls that led here, innermost first, [`Moment::site`] not included.
    pub fn callers(&self) -> impl Iterator<Item = Site> {
        let frames = self.process.map(|process| process.frames.as_slice()).unwrap_or_default();
        // A frame keeps where to go on; the call is the instruction before.
        frames.iter().rev().filter_map(|frame| self.code.site(frame.pc.checked_sub(1)?))
    }

    /// How many calls wait for their return.
    pub fn depth(&self) -> usize {
        self.process.map_or(0, |process| process.frames.len())
    }

    /// The number of the message that a `receive` of the process looks at next, if there is one.
    pub fn next_message(&self) -> Option<MessageId> {
        let process = self.process?;
        process.mailbox.get(process.looked)?;
        Some(process.message_ids.get(process.looked).copied().unwrap_or_default())
    }

    /// When a `receive` takes a message or gives up, those that it looked at before and left.
    pub fn passed_over(&self) -> impl Iterator<Item = &Term> {
        let looked = self.process.map_or(0, |process| process.looked);
        self.process.into_iter().flat_map(|process| process.mailbox.iter()).take(looked)
    }

    /// At the call of a fun, the values that it has taken along from where it was made.
    pub fn captured(&self) -> &[Term] {
        &self.state.host.watch.captured
    }

    /// The function that is running.
    pub fn function(&self) -> Option<Mfa> {
        self.code.function_at(self.pc()?).map(|function| function.mfa)
    }

    /// What the builtin that is called now reads and writes of what is shared.
    pub fn footprint(&self, builtin: u32, args: &[Term]) -> Footprint {
        let mut footprint = Footprint::default();
        let builtin = self.code.builtins.get(builtin as usize);
        let function = builtin.and_then(|builtin| builtin.footprint());
        if let (Some(process), Some(function)) = (self.process, function) {
            function(&Look { s: self.state, p: process }, args, &mut footprint);
        }
        footprint
    }

    /// The node of a function that is called: its form, a `fun`, or a comprehension.
    pub fn function_node(&self, callee: &Callee) -> Option<Site> {
        match callee.target {
            Target::Code(pc) => self.code.site(pc),
            _ => None,
        }
    }
}

impl CodeSpace {
    /// The node that an instruction was made for.
    pub fn site(&self, pc: Pc) -> Option<Site> {
        let module = self.function_at(pc)?.module;
        Some(Site { module, node: *self.origins.get(pc as usize)? })
    }

    /// A site for people.
    pub fn describe(&self, site: Site) -> Option<Place> {
        let info = self.modules.get(site.module as usize)?;
        let loc = info.source.tree().loc(site.node);
        Some(Place { module: info.name, line: loc.line, column: loc.column })
    }

    /// The tree of the module of a site.
    pub fn tree(&self, site: Site) -> Option<&std::sync::Arc<ast::Module>> {
        self.modules.get(site.module as usize).map(|info| info.source.tree())
    }

    /// The `try` or `catch` whose handler this is: the instruction that sets it up.
    pub(crate) fn try_of(&self, handler: Pc) -> Option<Pc> {
        let function = self.function_at(handler)?;
        let from = function.start as usize;
        let found =
            self.instrs.get(from..handler as usize)?.iter().position(
                |instr| matches!(instr, Instr::Try { handler: to, .. } if *to == handler),
            )?;
        Some((from + found) as Pc)
    }
}
