//! An observer that writes what it sees into a trace.
//!
//! What is recorded of calls: those that the program's own code makes, and those that enter it;
//! with [`Options::all_calls`] those inside of libraries, too. (Accesses to what is shared are
//! recorded wherever they happen: cause and effect go through libraries, too.) Returns are recorded
//! for the calls that were: the recorder keeps, for each process, the depth of the stack at every
//! recorded call that is open. A call in tail position belongs to the entry of its caller, so the
//! stack of entries is never deeper than that of the process.
//!
//! Whoever runs the Machine tells about turns ([`Recorder::turn`], [`Recorder::arrive`]), or about
//! steps ([`Recorder::step`]), and how it ended ([`Recorder::finish`]). An error of writing is kept
//! and told at the end; nothing is recorded after it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::{self, Write};

use atom::Atom;
use code::module::Mfa;
use machine::Process;
use machine::builtins::Start;
use machine::code_space::Target;
use machine::footprint::{Access, Kind};
use machine::observe::{Callee, Event, Interest, Mark, Moment, Observer, Place, Site};
use machine::step::Actor;
use term::{Fun, Pid, Term};

use crate::event::{AccessKind, Owner, Record, Shared, TurnEnd, Value, What};
use crate::file::{Header, Writer};
use crate::schedule::Step;
pub use crate::value::Limit;

/// What is recorded.
pub struct Options {
    /// Whether a module belongs to the program under study.
    pub is_own: Box<dyn Fn(Atom) -> bool>,
    /// A module made for the run, which is not shown.
    pub entry: Option<Atom>,
    /// Calls inside of libraries, too.
    pub all_calls: bool,
    /// Marked nodes.
    pub nodes: bool,
    pub limit: Limit,
}

/// Writes a trace of what it observes.
pub struct Recorder {
    options: Options,
    out: RefCell<Option<Writer<Box<dyn Write>>>>,
    failed: RefCell<Option<io::Error>>,
    stacks: RefCell<BTreeMap<Pid, Vec<Open>>>,
    /// For each version of a module whether it belongs to the program.
    own: RefCell<Vec<Option<bool>>>,
    records: Cell<u64>,
}

/// A recorded call that has not returned.
#[derive(Clone, Copy)]
struct Open {
    /// How many frames there are while it runs.
    depth: usize,
    builtin: bool,
    /// Of a builtin: whether it was called in tail position.
    tail: bool,
}

/// So many callers are looked at for one in the program's own code.
const CALLERS: usize = 64;

impl Recorder {
    pub fn new(out: Box<dyn Write>, header: &Header, options: Options) -> io::Result<Recorder> {
        Ok(Recorder {
            options,
            out: RefCell::new(Some(Writer::new(out, header)?)),
            failed: RefCell::default(),
            stacks: RefCell::default(),
            own: RefCell::default(),
            records: Cell::new(0),
        })
    }

    /// A process had its turn.
    pub fn turn(&self, time: u64, pid: Pid, calls: u64, end: TurnEnd) {
        self.write(&outside(time, Some(pid), What::Turn { calls, end }));
    }

    /// A signal arrived.
    pub fn arrive(&self, time: u64, from: Pid, to: Pid) {
        self.write(&outside(time, None, What::Arrive { from, to }));
    }

    /// Somebody takes the next step of a run that is driven step by step.
    pub fn step(&self, time: u64, step: Step) {
        let Step { actor, gives_up, takes } = step;
        let (pid, what) = match actor {
            Actor::Process(pid) => (Some(pid), What::Step { timer: None, gives_up, takes }),
            Actor::Timer(reference) => {
                (None, What::Step { timer: Some(reference), gives_up, takes })
            }
            Actor::Signal(number) => (None, What::Signal { number }),
        };
        self.write(&outside(time, pid, what));
    }

    /// The end of the run; how many records there are.
    pub fn finish(&self, time: u64, how: &str) -> io::Result<u64> {
        self.write(&outside(time, None, What::End { how: how.to_owned() }));
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if let Some(out) = self.out.take() {
            out.finish()?;
        }
        Ok(self.records.get())
    }

    fn write(&self, record: &Record) {
        let mut out = self.out.borrow_mut();
        let Some(writer) = out.as_mut() else { return };
        match writer.write(record) {
            Ok(()) => self.records.set(self.records.get() + 1),
            Err(error) => {
                *out = None;
                *self.failed.borrow_mut() = Some(error);
            }
        }
    }

    fn is_own(&self, moment: &Moment<'_>, site: Site) -> bool {
        let index = site.module as usize;
        let mut known = self.own.borrow_mut();
        if known.len() <= index {
            known.resize(index + 1, None);
        }
        let name = |index: usize| moment.code.modules.get(index).map(|module| module.name);
        *known[index]
            .get_or_insert_with(|| name(index).is_some_and(|name| (self.options.is_own)(name)))
    }

    /// Where it happens, and the own code that led there.
    fn places(&self, moment: &Moment<'_>) -> (Option<Place>, Option<Place>) {
        let Some(site) = moment.site() else { return (None, None) };
        let describe = |site| {
            let place = moment.code.describe(site);
            place.filter(|place| Some(place.module) != self.options.entry)
        };
        if self.is_own(moment, site) {
            return (describe(site), None);
        }
        let mut callers = moment.callers().take(CALLERS);
        let own = callers.find(|&site| self.is_own(moment, site));
        (describe(site), own.and_then(describe))
    }

    fn record(&self, moment: &Moment<'_>, what: What) {
        let (place, own) = self.places(moment);
        self.write(&Record {
            time: moment.now(),
            pid: moment.pid(),
            depth: u32::try_from(moment.depth()).unwrap_or(u32::MAX),
            place,
            own,
            what,
        });
    }

    fn value(&self, term: &Term) -> Value {
        Value::of(term, self.options.limit)
    }

    fn values(&self, terms: &[Term]) -> Vec<Value> {
        terms.iter().map(|term| self.value(term)).collect()
    }

    fn call(&self, moment: &Moment<'_>, callee: &Callee, args: &[Term], tail: bool) {
        let Some(process) = moment.process else { return };
        let builtin = matches!(callee.target, Target::Builtin(_));
        let wanted = self.options.all_calls
            || moment.site().is_some_and(|site| self.is_own(moment, site))
            || moment.function_node(callee).is_some_and(|site| self.is_own(moment, site));
        let follows = self.open(process, builtin, tail, wanted);
        if wanted || follows {
            let args = self.values(args);
            self.record(moment, What::Call { callee: callee.mfa, args, tail, builtin });
        }
        if let Target::Builtin(number) = callee.target
            && moment.code.builtins.get(number as usize).is_some_and(|builtin| builtin.is_visible())
        {
            self.accesses(moment, number, args);
        }
    }

    /// What a builtin reads and writes of what is shared, wherever it is called.
    fn accesses(&self, moment: &Moment<'_>, builtin: u32, args: &[Term]) {
        for access in &moment.footprint(builtin, args).0 {
            if let Some(object) = shared(*access) {
                self.record(moment, What::Access { kind: kind(*access), object });
            }
        }
    }

    /// Notes a call. Says whether it goes on in the place of a builtin that was recorded.
    fn open(&self, process: &Process, builtin: bool, tail: bool, wanted: bool) -> bool {
        let mut stacks = self.stacks.borrow_mut();
        let depth = process.frames.len();
        let stack = stacks.entry(process.pid).or_default();
        let last = stack.last().copied();
        let replaces = last.filter(|last| last.builtin && last.depth == depth && tail);
        if let Some(last) = replaces {
            // The builtin has no frame of its own; what it calls has one.
            stack.pop();
            let depth = if last.tail || builtin { depth } else { depth + 1 };
            let covered = last.tail && stack.last().is_some_and(|last| last.depth == depth);
            if !covered {
                stack.push(Open { depth, builtin, tail: last.tail });
            }
            return true;
        }
        if !wanted {
            return false;
        }
        match (builtin, tail) {
            (true, _) => stack.push(Open { depth, builtin, tail }),
            (false, false) => stack.push(Open { depth: depth + 1, builtin, tail }),
            (false, true) if last.is_none_or(|last| last.depth != depth) => {
                stack.push(Open { depth, builtin, tail });
            }
            (false, true) => {}
        }
        false
    }

    fn returned(&self, moment: &Moment<'_>, value: &Term) {
        let Some(process) = moment.process else { return };
        let depth = process.frames.len();
        let mut stacks = self.stacks.borrow_mut();
        let Some(stack) = stacks.get_mut(&process.pid) else { return };
        let Some(last) = stack.last().copied().filter(|last| last.depth == depth) else { return };
        stack.pop();
        // A builtin in tail position returns for its caller, too.
        if last.builtin && last.tail && stack.last().is_some_and(|last| last.depth == depth) {
            stack.pop();
        }
        drop(stacks);
        self.record(moment, What::Return { value: self.value(value) });
    }

    /// An exception leaves calls.
    fn unwound(&self, moment: &Moment<'_>) {
        let Some(process) = moment.process else { return };
        let depth = process.frames.len();
        if let Some(stack) = self.stacks.borrow_mut().get_mut(&process.pid) {
            while stack
                .last()
                .is_some_and(|last| last.depth > depth || (last.builtin && last.depth == depth))
            {
                stack.pop();
            }
        }
    }

    fn what(&self, moment: &Moment<'_>, event: &Event<'_>) -> Option<What> {
        let place = |pc: Option<u32>| moment.code.describe(moment.code.site(pc?)?);
        Some(match *event {
            Event::Call { .. } | Event::Return { .. } => return None,
            Event::Raise { class, reason, again } => {
                What::Raise { class, reason: self.value(reason), again }
            }
            Event::Catch { at } => What::Catch { at: place(at) },
            Event::Spawn { child, entry } => self.spawn(child, entry),
            Event::Exit { pid, reason } => What::Exit { pid, reason: self.value(reason) },
            Event::Send { id, sender, to, message } => {
                What::Send { id, sender, to, message: self.value(message) }
            }
            Event::Deliver { id, to, lost } => What::Deliver { id, to, lost },
            Event::Receive { id, message, receive } => {
                What::Receive { id, message: self.value(message), receive: place(Some(receive)) }
            }
            Event::GiveUp => What::GiveUp,
            Event::Flush { id } => What::Flush { id },
            Event::Link { a, b } => What::Link { a, b },
            Event::Unlink { a, b } => What::Unlink { a, b },
            Event::Monitor { watcher, reference, target } => {
                What::Monitor { watcher, reference, target }
            }
            Event::Demonitor { watcher, reference } => What::Demonitor { watcher, reference },
            Event::ExitSignal { from, to, reason, linked } => {
                What::ExitSignal { from, to, reason: self.value(reason), linked }
            }
            Event::TimerSet { reference, at } => What::TimerSet { reference, at },
            Event::TimerCancelled { reference } => What::TimerCancelled { reference },
            Event::TimerFired { reference } => What::TimerFired { reference },
            Event::Output { device, text } => What::Output {
                device: term::format::pretty::to_string(&device.to_term()),
                text: text.to_owned(),
            },
        })
    }

    fn spawn(&self, child: Pid, entry: &Start) -> What {
        let apply = Mfa { module: Atom::new("erlang"), name: Atom::new("apply"), arity: 2 };
        let (entry, fun, args) = match entry {
            Start::Apply { module, name, args } => {
                (Mfa { module: *module, name: *name, arity: args.len() as u32 }, false, &args[..])
            }
            Start::Fun { fun, args } => {
                let mfa = match fun.as_fun() {
                    Some(Fun::Local(closure)) => {
                        Mfa { module: closure.module, name: closure.name, arity: closure.arity }
                    }
                    Some(Fun::External { module, name, arity }) => {
                        Mfa { module: *module, name: *name, arity: *arity }
                    }
                    None => apply,
                };
                (mfa, true, &args[..])
            }
            Start::Raise(_) => (apply, false, &[][..]),
        };
        What::Spawn { child, entry, fun, args: self.values(args) }
    }
}

impl Observer for Recorder {
    fn interest(&self) -> Interest {
        let without = Interest::CALLS
            .and(Interest::EXCEPTIONS)
            .and(Interest::PROCESSES)
            .and(Interest::MESSAGES)
            .and(Interest::TIMERS)
            .and(Interest::OUTPUT);
        if self.options.nodes { without.and(Interest::NODES) } else { without }
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        match *event {
            Event::Call { ref callee, args, tail } => self.call(moment, callee, args, tail),
            Event::Return { value } => self.returned(moment, value),
            _ => {}
        }
        if let Event::Catch { .. } = event {
            self.unwound(moment);
        }
        if let Some(what) = self.what(moment, event) {
            self.record(moment, what);
        }
        if let Event::Exit { pid, .. } = event {
            self.stacks.borrow_mut().remove(pid);
        }
    }

    fn mark(&self, moment: &Moment<'_>, mark: Mark) {
        self.record(moment, What::Node { mark });
    }
}

fn outside(time: u64, pid: Option<Pid>, what: What) -> Record {
    Record { time, pid, depth: 0, place: None, own: None, what }
}

fn kind(access: Access) -> AccessKind {
    match access.kind {
        Kind::Read | Kind::Peek => AccessKind::Read,
        Kind::Add => AccessKind::Add,
        Kind::Assign(_) | Kind::Write | Kind::Change => AccessKind::Write,
    }
}

/// What is shared beside processes, which have events of their own.
fn shared(access: Access) -> Option<Shared> {
    let object = access.object;
    let class = object.class.traced()?;
    let owner = match (object.name(), object.owner) {
        (_, 0) => Owner::All,
        (Some(name), _) => Owner::Name(name),
        (None, number) => Owner::Number(number - 1),
    };
    Some(Shared { class: Atom::new(class), owner, part: object.part })
}
