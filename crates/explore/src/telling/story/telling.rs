//! What steps do ([`Action`]).
//!
//! Messages of behaviours are told by what they do: `{'$gen_call', {From, Tag}, Request}` and
//! `{system, {From, Tag}, Request}` are calls, `{'$gen_cast', Request}` a cast, `{Tag, Reply}` with
//! the tag of an earlier call its reply; `'DOWN'` and `'EXIT'` are what a process hears of the end
//! of another. Every other message is shown as it is, with processes by their names.

use std::cell::RefCell;

use machine::builtins::Told;
use machine::footprint::{Access, Class, Object, fingerprint};
use machine::step::{Actor, Effect, Label};
use machine::{CodeSpace, Pid, Term};
use rustc_hash::FxHashMap;
use term::Ref;
use term::format::pretty;

use super::Moment;
use super::action::{Action, Carried, Content, Nobody, Party, Signal, StepKind};
use super::cast::Cast;
use crate::assertion::assertion;
use crate::place::Place;
use crate::reason::exit_reason;

/// Longer terms are cut.
const LONGEST: usize = 100;

pub(super) struct Teller<'a> {
    cast: &'a Cast,
    moments: &'a [Moment],
    code: &'a CodeSpace,
    /// The tags of calls that were made.
    tags: Terms<'a>,
    /// Messages that the program itself sent.
    of_program: Terms<'a>,
    /// Which moments are the arrivals of signals.
    arrivals: FxHashMap<Ref, usize>,
    /// References that were met.
    references: RefCell<References>,
}

/// References by their texts, with numbers in the order in which they were met.
#[derive(Default)]
pub(crate) struct References(FxHashMap<String, usize>);

impl References {
    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.0.get(text) {
            return *number;
        }
        let number = self.0.len() + 1;
        self.0.insert(text.to_owned(), number);
        number
    }
}

/// A set of terms.
#[derive(Default)]
struct Terms<'a>(FxHashMap<u64, Vec<&'a Term>>);

impl<'a> Terms<'a> {
    fn of(terms: impl Iterator<Item = &'a Term>) -> Terms<'a> {
        let mut set = Terms::default();
        for term in terms {
            let alike = set.0.entry(fingerprint(term)).or_default();
            if !alike.iter().any(|other| term::order::exact_eq(other, term)) {
                alike.push(term);
            }
        }
        set
    }

    fn contains(&self, term: &Term) -> bool {
        !self.0.is_empty()
            && self
                .0
                .get(&fingerprint(term))
                .is_some_and(|alike| alike.iter().any(|other| term::order::exact_eq(other, term)))
    }
}

/// The messages that a moment put into mailboxes.
fn puts(moment: &Moment) -> impl Iterator<Item = (Pid, &Term)> {
    moment.log.effects.iter().filter_map(|effect| match effect {
        Effect::Put { to, message } => Some((*to, message)),
        _ => None,
    })
}

/// A step that is told.
pub(super) struct Spoken {
    pub(super) action: Action,
    /// Where it is, if that is known better than by where the process was.
    pub(super) place: Option<Place>,
    /// One for each message, then the processes that it starts and ends.
    pub(super) arrows: Vec<Drawn>,
    pub(super) shown: bool,
}

pub(super) struct Drawn {
    pub(super) to: Pid,
    pub(super) carries: Carried,
    /// The signal, if that arrives by a step of its own.
    pub(super) signal: Option<Ref>,
}

/// What a message is.
enum Message<'m> {
    Call(&'m Term),
    Cast(&'m Term),
    Reply(&'m Term),
    /// Of whose end it tells, and why that ended.
    End(&'m Term, &'m Term),
    /// Between the parts of the library.
    Internal,
    Plain,
}

impl<'a> Teller<'a> {
    pub(super) fn new(cast: &'a Cast, moments: &'a [Moment], code: &'a CodeSpace) -> Teller<'a> {
        let tags = moments.iter().flat_map(puts).filter_map(|(_, message)| {
            let [kind, from, _] = message.as_tuple()? else { return None };
            let [_, tag] = from.as_tuple()? else { return None };
            (is(kind, "$gen_call") || is(kind, "system")).then_some(tag)
        });
        let own = moments.iter().filter(|moment| !moment.in_library).flat_map(puts);
        let of_program = Terms::of(own.map(|(_, message)| message));
        let mut arrivals = FxHashMap::default();
        for (at, moment) in moments.iter().enumerate() {
            if let Actor::Signal(signal) = moment.actor {
                arrivals.entry(signal).or_insert(at);
            }
        }
        let (tags, references) = (Terms::of(tags), RefCell::default());
        Teller { cast, moments, code, tags, of_program, arrivals, references }
    }

    /// A term with processes by their names, on one line.
    pub(super) fn term(&self, term: &Term) -> String {
        let name = |pid| self.cast.name(pid);
        shorten(named(&name, term, &mut self.references.borrow_mut()))
    }

    fn message<'m>(&self, message: &'m Term, in_library: bool) -> Message<'m> {
        match message.as_tuple() {
            Some([kind, from, request])
                if is(kind, "$gen_call") || (is(kind, "system") && from.as_tuple().is_some()) =>
            {
                Message::Call(request)
            }
            Some([kind, request]) if is(kind, "$gen_cast") => Message::Cast(request),
            Some([tag, reply]) if self.tags.contains(tag) => Message::Reply(reply),
            Some([kind, _, _, who, reason]) if is(kind, "DOWN") => Message::End(who, reason),
            Some([kind, who, reason]) if is(kind, "EXIT") => Message::End(who, reason),
            _ if in_library => Message::Internal,
            _ => Message::Plain,
        }
    }

    /// What a message says, wherever it is met.
    fn content(&self, message: Message<'_>, whole: &Term) -> Content {
        match message {
            Message::Call(request) => Content::Call(self.term(request)),
            Message::Cast(request) => Content::Cast(self.term(request)),
            Message::Reply(reply) => Content::Reply(self.term(reply)),
            Message::End(who, reason) => {
                Content::End { of: self.who(who), reason: self.reason(reason) }
            }
            Message::Internal | Message::Plain => Content::Plain(self.term(whole)),
        }
    }

    fn on_arrow(&self, message: &Term) -> Content {
        self.content(self.message(message, false), message)
    }

    /// A reason for an end, without its stack trace.
    fn reason(&self, reason: &Term) -> String {
        self.term(&exit_reason(self.code, reason).cause)
    }

    pub(super) fn say(&self, at: usize) -> Spoken {
        let moment = &self.moments[at];
        let mut spoken = match moment.log.label {
            Label::Send => self.sends(moment, moment.log.arguments.as_deref().unwrap_or_default()),
            Label::Receive => self.receives(moment),
            Label::Timeout => plain(Action::GivesUp),
            Label::Fire => self.fires(moment),
            Label::Arrive => self.arrives(at),
            Label::End if !moment.ends() => self.gives_up(at),
            Label::End => self.ends(moment),
            Label::Call(number) => self.calls(moment, number),
        };
        let kind = spoken.action.kind();
        if moment.in_library && matches!(kind, StepKind::Call | StepKind::GiveUp) {
            spoken.shown = false;
        }
        spoken.arrows = moment.log.effects.iter().filter_map(|e| self.arrow(moment, e)).collect();
        // Messages come first: their numbers say who took them.
        spoken.arrows.sort_by_key(|arrow| {
            arrow.signal.is_some() || matches!(arrow.carries, Carried::Start | Carried::ExitSignal)
        });
        spoken
    }

    /// What goes from a step to another process.
    fn arrow(&self, moment: &Moment, effect: &Effect) -> Option<Drawn> {
        let arrow = |to: &Pid, carries| Drawn { to: *to, carries, signal: None };
        match effect {
            // Their arrows lead to them, from where they were sent.
            _ if matches!(moment.actor, Actor::Signal(_)) => None,
            Effect::Put { to, message } => {
                let content = self.on_arrow(message);
                Some(match moment.log.label {
                    Label::End | Label::Call(_) => arrow(to, Carried::Notice(content)),
                    _ => arrow(to, Carried::Message(content)),
                })
            }
            Effect::Spawned(to) => Some(arrow(to, Carried::Start)),
            Effect::Doomed(to) if moment.actor != Actor::Process(*to) => {
                Some(arrow(to, Carried::ExitSignal))
            }
            Effect::SetOff { number, to, .. } => {
                let arrival = self.arrivals.get(number).map(|at| &self.moments[*at]);
                let carries = match arrival.and_then(|arrival| puts(arrival).next()) {
                    Some((_, message)) if moment.log.label == Label::Send => {
                        Carried::Message(self.on_arrow(message))
                    }
                    Some((_, message)) => Carried::Notice(self.on_arrow(message)),
                    None => Carried::ExitSignal,
                };
                Some(Drawn { signal: Some(*number), ..arrow(to, carries) })
            }
            _ => None,
        }
    }

    fn sends(&self, moment: &Moment, arguments: &[Term]) -> Spoken {
        let mut puts = puts(moment);
        // One to an alias may be on its way for a while.
        let on_its_way = moment.log.effects.iter().find_map(|effect| match effect {
            Effect::SetOff { to, .. } => Some((*to, arguments.get(1)?)),
            _ => None,
        });
        let Some((to, message)) = puts.next().or(on_its_way) else {
            return self.sends_in_vain(moment, arguments);
        };
        let told = self.message(message, moment.in_library);
        let shown = !matches!(told, Message::Internal);
        let is_itself = moment.actor == Actor::Process(to);
        let (content, to_itself) = match told {
            Message::Call(_) | Message::Cast(_) | Message::Reply(_) => {
                (self.content(told, message), false)
            }
            _ => (Content::Plain(self.term(message)), is_itself && shown),
        };
        let in_vain = moment.in_vain.contains(&to) && !to_itself;
        let to = if to_itself { Party::Itself } else { Party::Process(self.cast.name(to)) };
        Spoken { shown, ..plain(Action::Sends { content, to, in_vain }) }
    }

    fn sends_in_vain(&self, moment: &Moment, arguments: &[Term]) -> Spoken {
        let [to, message, ..] = arguments else {
            return plain(Action::SendsToNobody { nobody: None });
        };
        let told = self.message(message, moment.in_library);
        let shown = !matches!(told, Message::Internal);
        let nobody = match (told, to.as_atom()) {
            // To an alias that is none any more.
            (Message::Reply(reply), _) => Nobody::Alias { reply: self.term(reply) },
            (_, Some(_)) => Nobody::Name { message: self.term(message), name: self.term(to) },
            (_, None) => Nobody::Process { message: self.term(message), process: self.term(to) },
        };
        Spoken { shown, ..plain(Action::SendsToNobody { nobody: Some(nobody) }) }
    }

    fn receives(&self, moment: &Moment) -> Spoken {
        let taken = moment.log.effects.iter().find_map(|effect| match effect {
            Effect::Took { message, .. } => Some(message),
            _ => None,
        });
        let Some(message) = taken else {
            return plain(Action::Receives { content: None, from: None });
        };
        let from = moment.took.map(|(from, _)| match self.moments[from].actor {
            Actor::Process(pid) if moment.actor == Actor::Process(pid) => Party::Itself,
            Actor::Process(pid) => Party::Process(self.cast.name(pid)),
            Actor::Timer(_) => Party::Timer,
            Actor::Signal(_) => match self.moments[from].log.footprint.route() {
                Some((sender, _)) => Party::Process(self.cast.name(sender)),
                None => Party::Somebody,
            },
        });
        // A loop of the library receives for the program.
        let is_served = moment.in_library && self.of_program.contains(message);
        let told = self.message(message, moment.in_library && !is_served);
        let shown = !matches!(told, Message::Internal);
        let content = Some(self.content(told, message));
        Spoken { shown, ..plain(Action::Receives { content, from }) }
    }

    /// A process or its name, as a `'DOWN'` message has it.
    fn who(&self, term: &Term) -> String {
        match term.as_tuple() {
            Some([name, _]) => self.term(name),
            _ => self.term(term).trim_matches(['<', '>']).to_owned(),
        }
    }

    fn fires(&self, moment: &Moment) -> Spoken {
        let fired = puts(moment).next();
        let message = fired.map(|(to, message)| (self.term(message), self.cast.name(to)));
        plain(Action::Fires { message })
    }

    /// Whether what the end of a process tells arrives (instant delivery) before anything else has
    /// happened: then the two are told as one step.
    pub(super) fn arrives_at_once(&self, at: usize) -> bool {
        let Some(from) = told_by(&self.moments[at]) else { return false };
        let mut before = self.moments[..at].iter().rev().skip_while(|it| told_by(it) == Some(from));
        before.next().is_some_and(|moment| moment.actor == Actor::Process(from))
    }

    /// A process that ends gives up a table. Where nothing else happens until it is gone, that is
    /// part of its end.
    fn gives_up(&self, at: usize) -> Spoken {
        let moment = &self.moments[at];
        let mut then = self.moments[at..].iter().take_while(|it| it.actor == moment.actor);
        let shown = !then.any(Moment::ends);
        let table = moment.log.arguments.as_deref().and_then(<[Term]>::first);
        let table = table.map(|table| self.term(table));
        Spoken { shown, ..plain(Action::GivesUpTable { table }) }
    }

    /// A monitor that its process held back arrives: told of that process, unless it comes right
    /// after the call.
    fn monitors_late(&self, at: usize) -> Option<Spoken> {
        let moment = &self.moments[at];
        let (from, _) = moment.log.footprint.route().filter(|(from, to)| from == to)?;
        let asked = |access: &&Access| access.object.class == Class::Doom;
        let asked = moment.log.footprint.0.iter().find(asked)?.object.owner.checked_sub(1)?;
        let before = at.checked_sub(1).map(|before| self.moments[before].actor);
        let shown = before != Some(Actor::Process(from));
        let process = self.cast.name(Pid(asked));
        Some(Spoken { shown, ..plain(Action::MonitorsFromNowOn { process }) })
    }

    /// A signal arrives: told of the process that it reaches.
    fn arrives(&self, at: usize) -> Spoken {
        let moment = &self.moments[at];
        let route = moment.log.footprint.route();
        if let Some(spoken) = self.monitors_late(at) {
            return spoken;
        }
        let of = route.map(|(from, _)| self.cast.name(from));
        let is_end = |effect: &Effect| matches!(effect, Effect::Doomed(_));
        let by = match puts(moment).next() {
            _ if moment.log.effects.iter().any(is_end) => Signal::Exit,
            Some((_, message)) => match self.message(message, false) {
                Message::End(..) => Signal::End(self.term(message)),
                _ => Signal::Message(self.term(message)),
            },
            None => Signal::Nothing,
        };
        let is_nothing = told_by(moment).is_some()
            && !moment.log.effects.iter().any(|it| matches!(it, Effect::Put { .. }) || is_end(it));
        let shown = !is_nothing && !self.arrives_at_once(at);
        Spoken { shown, ..plain(Action::IsReached { by, of }) }
    }

    fn ends(&self, moment: &Moment) -> Spoken {
        let reason = moment.log.effects.iter().find_map(|effect| match effect {
            Effect::Ended { reason } => Some(reason),
            _ => None,
        });
        let Some(reason) = reason.filter(|reason| !is(reason, "normal")) else {
            return plain(Action::Ends);
        };
        let told = exit_reason(self.code, reason);
        let action = match assertion(&told.cause, &|term| self.term(term)) {
            Some((name, claim)) => Action::FailsAssertion { name, claim },
            None => Action::Exits { reason: self.term(&told.cause) },
        };
        Spoken { place: told.place, ..plain(action) }
    }

    fn calls(&self, moment: &Moment, number: u32) -> Spoken {
        let arguments = moment.log.arguments.as_deref().unwrap_or_default();
        let spawned = moment.log.effects.iter().find_map(|effect| match effect {
            Effect::Spawned(pid) => Some(*pid),
            _ => None,
        });
        if let Some(pid) = spawned {
            return plain(Action::Starts { process: self.cast.long_name(pid) });
        }
        let Some(builtin) = self.code.builtins.get(number as usize) else {
            let (module, function) = ("erlang".to_owned(), "?".to_owned());
            return plain(Action::Calls { module, function, arguments: Vec::new() });
        };
        if builtin.told() == Told::Send {
            return self.sends(moment, arguments);
        }
        let action = match self.told(moment, builtin.told(), arguments) {
            Some(action) => action,
            None => Action::Calls {
                module: builtin.module.to_owned(),
                function: builtin.name.to_owned(),
                arguments: arguments.iter().map(|term| self.term(term)).collect(),
            },
        };
        // Assertions ask that, to keep the compiler from knowing better.
        let about_itself = builtin.asks_for_life()
            && arguments.first().and_then(Term::as_pid).map(Actor::Process) == Some(moment.actor);
        Spoken { shown: !about_itself, ..plain(action) }
    }

    /// Builtins that are told as what they do.
    fn told(&self, moment: &Moment, told: Told, arguments: &[Term]) -> Option<Action> {
        let process = |term: &Term| match term.as_pid() {
            Some(pid) if moment.actor == Actor::Process(pid) => Party::Itself,
            Some(pid) => Party::Process(self.cast.name(pid)),
            None => Party::Process(self.term(term)),
        };
        Some(match (told, arguments) {
            (Told::Register, [name, pid]) => Action::Registers {
                process: process(pid),
                name: self.term(name),
                is_taken: matches!(moment.named, Some(Some(_))),
            },
            (Told::Unregister, [name]) => Action::Unregisters { name: self.term(name) },
            (Told::LookUp, [name]) => {
                let found = moment.named.flatten().map(|pid| process(&Term::from(pid)));
                Action::LooksUp { name: self.term(name), found }
            }
            (Told::Link, [pid]) => Action::Links(process(pid)),
            (Told::Unlink, [pid]) => Action::Unlinks(process(pid)),
            (Told::Monitor, [_, pid, ..]) => Action::Monitors(process(pid)),
            (Told::Demonitor, _) => Action::Demonitors,
            (Told::ExitSignal, [pid, reason]) => {
                Action::SendsExitSignal { to: process(pid), reason: self.term(reason) }
            }
            (Told::AskWhetherAlive, [pid]) => Action::AsksWhetherAlive(process(pid)),
            (Told::Flag, [flag, value]) if is(flag, "trap_exit") => {
                Action::TrapsExits(is(value, "true"))
            }
            (Told::SetTimer, [time, to, message, ..]) => Action::SetsTimer {
                milliseconds: self.term(time),
                message: self.term(message),
                to: process(to),
            },
            (Told::CancelTimer, _) => Action::CancelsTimer,
            _ => return None,
        })
    }
}

/// If a step is that the end of a process is told somebody, with instant delivery: of that process.
fn told_by(moment: &Moment) -> Option<Pid> {
    let (from, _) = moment.log.footprint.route()?;
    let mut accesses = moment.log.footprint.0.iter();
    accesses.any(|access| access.object == Object::told(from)).then_some(from)
}

fn plain(action: Action) -> Spoken {
    Spoken { action, place: None, arrows: Vec::new(), shown: true }
}

fn is(term: &Term, name: &str) -> bool {
    term.as_atom().is_some_and(|atom| atom.as_str() == name)
}

fn shorten(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// A term on one line, with processes by their names (`<pong>`) and references numbered in the
/// order in which `references` met them. What stands in quotes is left alone.
pub(crate) fn named(
    name: &dyn Fn(Pid) -> String,
    term: &Term,
    references: &mut References,
) -> String {
    with_names(name, &pretty::to_string(term), references)
}

/// The same for the text of a term.
pub(crate) fn with_names(
    name: &dyn Fn(Pid) -> String,
    text: &str,
    references: &mut References,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' | '\'' => quoted(rest),
            '<' => match pid_of(rest) {
                Some((pid, len)) => {
                    let name = name(pid);
                    match name.starts_with('<') {
                        true => out.push_str(&name), // its identifier
                        false => out.push_str(&format!("<{name}>")),
                    }
                    rest = &rest[len..];
                    continue;
                }
                None => 1,
            },
            '#' if rest.starts_with("#Ref<") => match rest.find('>') {
                Some(end) => {
                    let whole = &rest[..=end];
                    out.push_str(&format!("#Ref{}", references.number(whole)));
                    rest = &rest[end + 1..];
                    continue;
                }
                None => 1,
            },
            first if first.is_whitespace() => {
                // Line breaks and what indents the next line.
                if !out.ends_with([' ', '(', '[', '{']) {
                    out.push(' ');
                }
                rest = rest.trim_start();
                continue;
            }
            first => first.len_utf8(),
        };
        out.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    out
}

/// The length of what is in quotes at the beginning of a text.
fn quoted(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, quote)) = chars.next() else { return 0 };
    let mut escaped = false;
    for (at, c) in chars {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// `<0.81.0>` at the beginning of a text, and how long that is.
fn pid_of(text: &str) -> Option<(Pid, usize)> {
    let inside = text.strip_prefix("<0.")?;
    let end = inside.find(".0>")?;
    Some((Pid(inside[..end].parse().ok()?), "<0.".len() + end + ".0>".len()))
}
