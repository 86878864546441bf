//! What a run shows at the points of interest.
//!
//! A [`Watcher`] is an observer of the Machine (`machine::observe`): nothing of the program is
//! rewritten. It takes note of
//!
//! * the values of expressions that are points, each time that one is evaluated; of a pattern the
//!   value that comes in, whether or not it fits; of a call in tail position what the whole chain
//!   returns;
//! * what named functions return, are called with, or receive, in the order in which they do;
//! * what is written, and what is sent to processes that the run did not make itself.
//!
//! A value inside of another point's expression is seen first, as it is evaluated first.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use atom::Atom;
use machine::code_space::Target;
use machine::observe::{Event, Interest, Mark, Moment, Observer, Sender};
use machine::{Pid, Term};
use program::index::NameArity;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::NodeId;

/// A place where values are seen, by the number of its pair: points of both versions with one
/// number belong together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Point {
    /// How the call ends that is made.
    End,
    Output,
    /// What is sent to processes that the run did not make.
    Messages,
    /// A point that was asked for.
    Asked(u32),
}

/// A value that was seen.
#[derive(Clone, Debug)]
pub struct Seen {
    pub point: Point,
    pub value: Term,
    /// At a call: the function and its arguments.
    pub call: Option<(Atom, Atom, Vec<Term>)>,
    /// Modules and lines of the calls that led there, innermost first.
    pub stack: Vec<(Atom, u32)>,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum End {
    Returned(Term),
    Raised {
        class: Atom,
        reason: Term,
    },
    /// The process ended without an exception of its own.
    Ended(Term),
    Halted(i32),
    /// Everybody waits, for ever.
    Blocked,
    /// It may go on and on: a bound was reached.
    Bound,
    /// What it came to says nothing about the program.
    Unknown,
}

impl End {
    /// The same as a value that was seen: `{returned, V}`, `{Class, Reason}`, …
    pub(crate) fn as_seen(&self) -> Seen {
        let named = |name: &str, value: &Term| Term::tuple([Term::atom(name), value.clone()]);
        let value = match self {
            End::Returned(value) => named("returned", value),
            End::Raised { class, reason } => named(class.as_str(), reason),
            End::Ended(reason) => named("ended", reason),
            End::Halted(status) => named("halted", &Term::int(i64::from(*status))),
            End::Blocked => Term::atom("blocked"),
            End::Bound => Term::atom("bound"),
            End::Unknown => Term::atom("unknown"),
        };
        Seen { point: Point::End, value, call: None, stack: Vec::new() }
    }
}

/// What a run showed.
#[derive(Clone, Debug)]
pub struct Observation {
    pub end: End,
    /// At the points that were asked for, in order.
    pub seen: Vec<Seen>,
    pub output: String,
    /// What was sent to whom outside.
    pub sent: Vec<(Pid, Term)>,
    /// Whether it made processes.
    pub spawned: bool,
}

/// The points of one version that were asked for.
#[derive(Clone, Debug, Default)]
pub struct Points {
    pub nodes: FxHashMap<(Atom, NodeId), u32>,
    /// Functions whose results are points.
    pub results: FxHashMap<(Atom, NameArity), u32>,
    /// Functions whose calls are.
    pub calls: FxHashMap<(Atom, NameArity), u32>,
    /// Functions of which the messages are that they receive.
    pub received: FxHashMap<(Atom, NameArity), u32>,
    /// Whether it is noted which calls led to a point.
    pub with_stacks: bool,
}

impl Points {
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
            && self.results.is_empty()
            && self.calls.is_empty()
            && self.received.is_empty()
    }

    fn wants_calls(&self) -> bool {
        !self.results.is_empty() || !self.calls.is_empty() || !self.nodes.is_empty()
    }
}

/// A call whose result is awaited.
#[derive(Debug)]
struct Awaited {
    point: u32,
    /// How many calls wait when it returns.
    depth: usize,
    of_builtin: bool,
    /// Where the point is a call in tail position: the call, and which calls led there. When it
    /// returns nobody knows.
    made: Option<Box<Made>>,
}

/// A function with arguments, and where calls waited.
type Made = ((Atom, Atom, Vec<Term>), Vec<(Atom, u32)>);

#[derive(Debug, Default)]
struct Noted {
    seen: Vec<Seen>,
    output: String,
    sent: Vec<(Pid, Term)>,
    spawned: bool,
    /// By process, innermost last.
    awaited: BTreeMap<Pid, Vec<Awaited>>,
    /// Processes whose last call is of a builtin, which has not returned.
    in_builtin: FxHashSet<Pid>,
    /// The call that a node's value will be of.
    called: FxHashMap<(Pid, NodeId), (Atom, Atom, Vec<Term>)>,
}

/// Watches a run.
#[derive(Debug, Default)]
pub struct Watcher {
    points: Points,
    /// Who was there before the run.
    outside: RefCell<FxHashSet<Pid>>,
    /// Stacks are noted now, whoever compares.
    with_stacks: Cell<bool>,
    noted: RefCell<Noted>,
}

impl Watcher {
    pub fn new(points: Points) -> Watcher {
        Watcher { points, ..Watcher::default() }
    }

    /// Whether it is noted from now on which calls led to a point, whatever was asked for.
    pub fn note_stacks(&self, noted: bool) {
        self.with_stacks.set(noted);
    }

    /// A run begins; these processes are outside of it.
    pub fn begin(&self, outside: impl IntoIterator<Item = Pid>) {
        let mut known = self.outside.borrow_mut();
        known.clear();
        known.extend(outside);
        *self.noted.borrow_mut() = Noted::default();
    }

    /// What was seen since.
    pub fn take(&self, end: End) -> Observation {
        let noted = std::mem::take(&mut *self.noted.borrow_mut());
        let Noted { seen, output, sent, spawned, .. } = noted;
        Observation { end, seen, output, sent, spawned }
    }

    fn see(&self, moment: &Moment<'_>, point: u32, value: Term, node: Option<NodeId>) {
        let mut noted = self.noted.borrow_mut();
        let call = match (moment.pid(), node) {
            (Some(pid), Some(node)) => noted.called.remove(&(pid, node)),
            _ => None,
        };
        let stack = self.stack(moment);
        noted.seen.push(Seen { point: Point::Asked(point), value, call, stack });
    }

    /// Where calls wait, if somebody wants to know.
    fn stack(&self, moment: &Moment<'_>) -> Vec<(Atom, u32)> {
        let is_wanted = self.points.with_stacks || self.with_stacks.get();
        if is_wanted { stack(moment) } else { Vec::new() }
    }

    /// The point at the place of a moment.
    fn here(&self, moment: &Moment<'_>) -> Option<(u32, NodeId)> {
        if self.points.nodes.is_empty() {
            return None;
        }
        let site = moment.site()?;
        let module = moment.code.modules.get(site.module as usize)?.name;
        Some((*self.points.nodes.get(&(module, site.node))?, site.node))
    }

    fn called(&self, moment: &Moment<'_>, event: &Event<'_>) {
        let Event::Call { callee, args, tail } = event else { return };
        let function = (callee.mfa.module, (callee.mfa.name, callee.mfa.arity));
        if let Some(&point) = self.points.calls.get(&function) {
            self.see(moment, point, Term::list(args.iter().cloned()), None);
        }
        let Some(pid) = moment.pid() else { return };
        let depth = moment.depth();
        let here = self.here(moment);
        let mut noted = self.noted.borrow_mut();
        let is_builtin = matches!(callee.target, Target::Builtin(_));
        match is_builtin {
            true => _ = noted.in_builtin.insert(pid),
            false => _ = noted.in_builtin.remove(&pid),
        }
        if let Some((point, node)) = here {
            let call = (callee.mfa.module, callee.mfa.name, args.to_vec());
            noted.called.insert((pid, node), call.clone());
            if *tail && !is_builtin {
                // Its value is that of who called this function.
                let made = Some(Box::new((call, self.stack(moment))));
                let of_builtin = is_builtin;
                let awaited = Awaited { point, depth, of_builtin, made };
                noted.awaited.entry(pid).or_default().push(awaited);
            }
        }
        if let Some(&point) = self.points.results.get(&function) {
            // A builtin has no frame.
            let depth = if *tail || is_builtin { depth } else { depth + 1 };
            let of_builtin = is_builtin;
            let awaited = Awaited { point, depth, of_builtin, made: None };
            noted.awaited.entry(pid).or_default().push(awaited);
        }
    }

    fn returned(&self, moment: &Moment<'_>, value: &Term) {
        let Some(pid) = moment.pid() else { return };
        let depth = moment.depth();
        let is_builtin = self.noted.borrow_mut().in_builtin.remove(&pid);
        loop {
            let mut noted = self.noted.borrow_mut();
            let Some(awaited) = noted.awaited.get_mut(&pid) else { return };
            // Those that are deeper were left by an exception.
            while awaited.last().is_some_and(|last| last.depth > depth) {
                awaited.pop();
            }
            let returns = |last: &mut Awaited| last.depth == depth && last.of_builtin == is_builtin;
            let Some(last) = awaited.pop_if(returns) else { return };
            if let Some(made) = last.made {
                let (point, (call, stack)) = (Point::Asked(last.point), *made);
                noted.seen.push(Seen { point, value: value.clone(), call: Some(call), stack });
                continue;
            }
            drop(noted);
            self.see(moment, last.point, value.clone(), None);
        }
    }
}

impl Observer for Watcher {
    fn interest(&self) -> Interest {
        let always = Interest::OUTPUT.and(Interest::MESSAGES).and(Interest::PROCESSES);
        let calls = if self.points.wants_calls() {
            always.and(Interest::CALLS).and(Interest::EXCEPTIONS)
        } else {
            always
        };
        if self.points.nodes.is_empty() { calls } else { calls.and(Interest::NODES) }
    }

    fn event(&self, moment: &Moment<'_>, event: &Event<'_>) {
        match event {
            Event::Output { text, .. } => self.noted.borrow_mut().output.push_str(text),
            Event::Send { sender: Sender::Process(_), to, message, .. }
                if self.outside.borrow().contains(to) =>
            {
                self.noted.borrow_mut().sent.push((*to, (*message).clone()));
            }
            Event::Receive { message, .. } if !self.points.received.is_empty() => {
                let Some(function) = moment.function() else { return };
                let function = (function.module, (function.name, function.arity));
                if let Some(&point) = self.points.received.get(&function) {
                    self.see(moment, point, (*message).clone(), None);
                }
            }
            // Nobody makes the process that makes the call.
            Event::Spawn { .. } if moment.pid().is_some() => {
                self.noted.borrow_mut().spawned = true;
            }
            Event::Raise { .. } => {
                let Some(pid) = moment.pid() else { return };
                self.noted.borrow_mut().in_builtin.remove(&pid);
            }
            Event::Call { .. } => self.called(moment, event),
            Event::Return { value } => self.returned(moment, value),
            _ => {}
        }
    }

    fn mark(&self, _: &Moment<'_>, _: Mark) {}

    fn value(&self, moment: &Moment<'_>, value: &Term) {
        if let Some((point, node)) = self.here(moment) {
            self.see(moment, point, value.clone(), Some(node));
        }
    }
}

/// Where calls wait, innermost first.
fn stack(moment: &Moment<'_>) -> Vec<(Atom, u32)> {
    let own = moment.site().into_iter();
    let entry = |site| {
        let place = moment.code.describe(site)?;
        Some((place.module, place.line))
    };
    own.chain(moment.callers()).filter_map(entry).collect()
}
