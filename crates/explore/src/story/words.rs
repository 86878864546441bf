//! Steps in words.
//!
//! Messages of behaviours are told by what they do: `{'$gen_call', {From, Tag}, Request}` and
//! `{system, {From, Tag}, Request}` are calls, `{'$gen_cast', Request}` a cast, `{Tag, Reply}` with the tag of an earlier call its reply; `'DOWN'`
//! and `'EXIT'` are what a process hears of the end of another. Every other message is shown as it is, with
//! processes by their names.

use std::cell::RefCell;

use machine::builtins::Told;
use machine::footprint::{Object, fingerprint};
use machine::step::{Actor, Effect, Label};
use machine::{CodeSpace, Pid, Term};
use rustc_hash::FxHashMap;
use term::Ref;
use term::format::pretty;

use super::cast::Cast;
use super::{ArrowKind, Moment, StepKind};
use crate::assertion::assertion;
use crate::place::Place;
use crate::reason::exit_reason;

/// On arrows of signals that end processes.
const EXIT_SIGNAL: &str = "exit signal";

/// Longer terms are cut.
const LONGEST: usize = 100;

pub(super) struct Words<'a> {
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

/// A step in words.
pub(super) struct Spoken {
    pub(super) text: String,
    pub(super) kind: StepKind,
    /// Where it is, if its words say so better than where the process was.
    pub(super) place: Option<Place>,
    /// One for each message, then the processes that it starts and ends.
    pub(super) arrows: Vec<Drawn>,
    pub(super) shown: bool,
}

pub(super) struct Drawn {
    pub(super) to: Pid,
    pub(super) text: String,
    pub(super) kind: ArrowKind,
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

impl<'a> Words<'a> {
    pub(super) fn new(cast: &'a Cast, moments: &'a [Moment], code: &'a CodeSpace) -> Words<'a> {
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
        Words { cast, moments, code, tags, of_program, arrivals, references }
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

    /// The text on an arrow.
    fn on_arrow(&self, message: &Term) -> String {
        match self.message(message, false) {
            Message::Call(request) => format!("call {}", self.term(request)),
            Message::Cast(request) => format!("cast {}", self.term(request)),
            Message::Reply(reply) => format!("reply {}", self.term(reply)),
            Message::End(_, reason) => self.reason(reason),
            Message::Internal | Message::Plain => self.term(message),
        }
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
            Label::Timeout => plain(StepKind::GiveUp, "gives up waiting for a message".to_owned()),
            Label::Fire => self.fires(moment),
            Label::Arrive => self.arrives(at),
            Label::End if !moment.ends() => self.gives_up(at),
            Label::End => self.ends(moment),
            Label::Call(number) => self.calls(moment, number),
        };
        if moment.in_library && matches!(spoken.kind, StepKind::Call | StepKind::GiveUp) {
            spoken.shown = false;
        }
        spoken.arrows = moment.log.effects.iter().filter_map(|e| self.arrow(moment, e)).collect();
        // Messages come first: their numbers say who took them.
        spoken.arrows.sort_by_key(|arrow| {
            arrow.kind == ArrowKind::Spawn || arrow.signal.is_some() || arrow.text == EXIT_SIGNAL
        });
        spoken
    }

    /// What goes from a step to another process.
    fn arrow(&self, moment: &Moment, effect: &Effect) -> Option<Drawn> {
        let arrow = |to: &Pid, text, kind| Drawn { to: *to, text, kind, signal: None };
        match effect {
            // Their arrows lead to them, from where they were sent.
            _ if matches!(moment.actor, Actor::Signal(_)) => None,
            Effect::Put { to, message } => {
                let kind = match moment.log.label {
                    Label::End | Label::Call(_) => ArrowKind::Signal,
                    _ => ArrowKind::Message,
                };
                Some(arrow(to, self.on_arrow(message), kind))
            }
            Effect::Spawned(to) => Some(arrow(to, String::new(), ArrowKind::Spawn)),
            Effect::Doomed(to) if moment.actor != Actor::Process(*to) => {
                Some(arrow(to, EXIT_SIGNAL.to_owned(), ArrowKind::Signal))
            }
            Effect::SetOff { number, to } => {
                let arrival = self.arrivals.get(number).map(|at| &self.moments[*at]);
                let (text, kind) = match arrival.and_then(|arrival| puts(arrival).next()) {
                    Some((_, message)) if moment.log.label == Label::Send => {
                        (self.on_arrow(message), ArrowKind::Message)
                    }
                    Some((_, message)) => (self.on_arrow(message), ArrowKind::Signal),
                    None => (EXIT_SIGNAL.to_owned(), ArrowKind::Signal),
                };
                Some(Drawn { signal: Some(*number), ..arrow(to, text, kind) })
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
        let mut name = self.cast.name(to);
        if moment.in_vain.contains(&to) {
            name.push_str(", which has ended");
        }
        let text = match self.message(message, moment.in_library) {
            Message::Call(request) => format!("calls {name}: {}", self.term(request)),
            Message::Cast(request) => format!("casts {} to {name}", self.term(request)),
            Message::Reply(reply) => format!("replies {} to {name}", self.term(reply)),
            Message::Internal => {
                let text = format!("sends {} to {name}", self.term(message));
                return Spoken { shown: false, ..plain(StepKind::Send, text) };
            }
            _ if moment.actor == Actor::Process(to) => {
                format!("sends {} to itself", self.term(message))
            }
            _ => format!("sends {} to {name}", self.term(message)),
        };
        plain(StepKind::Send, text)
    }

    fn sends_in_vain(&self, moment: &Moment, arguments: &[Term]) -> Spoken {
        let [to, message, ..] = arguments else {
            return plain(StepKind::Send, "sends a message that nobody gets".to_owned());
        };
        let told = self.message(message, moment.in_library);
        let shown = !matches!(told, Message::Internal);
        let text = match told {
            // To an alias that is none any more.
            Message::Reply(reply) => {
                format!("replies {}, for which nobody waits", self.term(reply))
            }
            _ => {
                let nobody = match to.as_atom() {
                    Some(_) => "which is no name of a process",
                    None => "which has ended",
                };
                format!("sends {} to {}, {nobody}", self.term(message), self.term(to))
            }
        };
        Spoken { shown, ..plain(StepKind::Send, text) }
    }

    fn receives(&self, moment: &Moment) -> Spoken {
        let taken = moment.log.effects.iter().find_map(|effect| match effect {
            Effect::Took { message, .. } => Some(message),
            _ => None,
        });
        let Some(message) = taken else {
            return plain(StepKind::Receive, "receives a message".to_owned());
        };
        let sender = moment.took.map(|(from, _)| match self.moments[from].actor {
            Actor::Process(pid) if moment.actor == Actor::Process(pid) => "itself".to_owned(),
            Actor::Process(pid) => self.cast.name(pid),
            Actor::Timer(_) => "a timer".to_owned(),
            Actor::Signal(_) => match self.moments[from].log.footprint.route() {
                Some((sender, _)) => self.cast.name(sender),
                None => "a signal".to_owned(),
            },
        });
        let from = sender.as_ref().map_or(String::new(), |sender| format!(" from {sender}"));
        let of = sender.as_ref().map_or(String::new(), |sender| format!(" of {sender}"));
        // A loop of the library receives for the program.
        let is_served = moment.in_library && self.of_program.contains(message);
        let text = match self.message(message, moment.in_library && !is_served) {
            Message::Call(request) => format!("takes the call {}{of}", self.term(request)),
            Message::Cast(request) => format!("takes the cast {}{of}", self.term(request)),
            Message::Reply(reply) => format!("gets the reply {}{from}", self.term(reply)),
            Message::End(who, reason) => {
                format!("hears that {} has ended: {}", self.who(who), self.reason(reason))
            }
            Message::Plain => format!("receives {}{from}", self.term(message)),
            Message::Internal => {
                let text = format!("receives {}{from}", self.term(message));
                return Spoken { shown: false, ..plain(StepKind::Receive, text) };
            }
        };
        plain(StepKind::Receive, text)
    }

    /// A process or its name, as a `'DOWN'` message has it.
    fn who(&self, term: &Term) -> String {
        match term.as_tuple() {
            Some([name, _]) => self.term(name),
            _ => self.term(term).trim_matches(['<', '>']).to_owned(),
        }
    }

    fn fires(&self, moment: &Moment) -> Spoken {
        let text = match puts(moment).next() {
            Some((to, message)) => {
                format!("sends {} to {}", self.term(message), self.cast.name(to))
            }
            None => "is over, for nobody".to_owned(),
        };
        plain(StepKind::Fire, text)
    }

    /// Whether what the end of a process tells arrives (instant delivery) before anything else has happened: then
    /// the two are told as one step.
    pub(super) fn arrives_at_once(&self, at: usize) -> bool {
        let Some(from) = told_by(&self.moments[at]) else { return false };
        let mut before = self.moments[..at].iter().rev().skip_while(|it| told_by(it) == Some(from));
        before.next().is_some_and(|moment| moment.actor == Actor::Process(from))
    }

    /// A process that ends gives up a table. Where nothing else happens until it is gone, that is part of its end.
    fn gives_up(&self, at: usize) -> Spoken {
        let moment = &self.moments[at];
        let mut then = self.moments[at..].iter().take_while(|it| it.actor == moment.actor);
        let shown = !then.any(Moment::ends);
        let table = moment.log.arguments.as_deref().and_then(<[Term]>::first);
        let text = match table {
            Some(table) => format!("is about to end and gives up its table {}", self.term(table)),
            None => "is about to end".to_owned(),
        };
        Spoken { shown, ..plain(StepKind::End, text) }
    }

    /// A signal arrives: told of the process that it reaches.
    fn arrives(&self, at: usize) -> Spoken {
        let moment = &self.moments[at];
        let route = moment.log.footprint.route();
        let of = route.map_or(String::new(), |(from, _)| format!(" of {}", self.cast.name(from)));
        let is_end = |effect: &Effect| matches!(effect, Effect::Doomed(_));
        let text = match puts(moment).next() {
            _ if moment.log.effects.iter().any(is_end) => {
                format!("is reached by the exit signal{of}")
            }
            Some((_, message)) => match self.message(message, false) {
                Message::End(..) => format!("is reached by {}{of}", self.term(message)),
                _ => format!("is reached by the message {}{of}", self.term(message)),
            },
            None => format!("is reached by a signal{of}, to no effect"),
        };
        let is_nothing = told_by(moment).is_some()
            && !moment.log.effects.iter().any(|it| matches!(it, Effect::Put { .. }) || is_end(it));
        let shown = !is_nothing && !self.arrives_at_once(at);
        Spoken { shown, ..plain(StepKind::Arrive, text) }
    }

    fn ends(&self, moment: &Moment) -> Spoken {
        let reason = moment.log.effects.iter().find_map(|effect| match effect {
            Effect::Ended { reason } => Some(reason),
            _ => None,
        });
        let Some(reason) = reason.filter(|reason| !is(reason, "normal")) else {
            return plain(StepKind::End, "ends".to_owned());
        };
        let told = exit_reason(self.code, reason);
        let text = match assertion(&told.cause, &|term| self.term(term)) {
            Some(assertion) => {
                format!("exits: {} fails: {}", assertion.name, assertion.says.join("; "))
            }
            None => format!("exits: {}", self.term(&told.cause)),
        };
        Spoken { place: told.place, ..plain(StepKind::End, text) }
    }

    fn calls(&self, moment: &Moment, number: u32) -> Spoken {
        let arguments = moment.log.arguments.as_deref().unwrap_or_default();
        let spawned = moment.log.effects.iter().find_map(|effect| match effect {
            Effect::Spawned(pid) => Some(*pid),
            _ => None,
        });
        if let Some(pid) = spawned {
            return plain(StepKind::Spawn, format!("starts {}", self.cast.long_name(pid)));
        }
        let Some(builtin) = self.code.builtins.get(number as usize) else {
            return plain(StepKind::Call, "calls something".to_owned());
        };
        let words = match builtin.told() {
            Told::Send => return self.sends(moment, arguments),
            Told::Call => None,
            Told::Words(words) => Some(words),
            Told::ByArguments(words) => words(arguments),
        };
        let text = match words.and_then(|words| self.fill(moment, words, arguments)) {
            Some(text) => text,
            None => {
                let shown: Vec<String> = arguments.iter().map(|term| self.term(term)).collect();
                let module = match builtin.module {
                    "erlang" => String::new(),
                    module => format!("{module}:"),
                };
                shorten(format!("calls {module}{}({})", builtin.name, shown.join(", ")))
            }
        };
        // Assertions ask that, to keep the compiler from knowing better.
        let about_itself = builtin.asks_for_life()
            && arguments.first().and_then(Term::as_pid).map(Actor::Process) == Some(moment.actor);
        Spoken { shown: !about_itself, ..plain(StepKind::Call, text) }
    }

    /// The words that a builtin has ([`Told::Words`]) with what they are about in its place.
    fn fill(&self, moment: &Moment, words: &str, arguments: &[Term]) -> Option<String> {
        let process = |term: &Term| match term.as_pid() {
            Some(pid) if moment.actor == Actor::Process(pid) => "itself".to_owned(),
            Some(pid) => self.cast.name(pid),
            None => self.term(term),
        };
        let argument = |nth: &str| arguments.get(nth.parse::<usize>().ok()?.checked_sub(1)?);
        let mut parts = words.split('{');
        let mut text = parts.next()?.to_owned();
        for part in parts {
            let (place, rest) = part.split_once('}')?;
            match (place, moment.named) {
                ("whose", Some(Some(pid))) => text.push_str(&process(&Term::from(pid))),
                ("whose", _) => text.push_str("nobody"),
                ("taken", Some(Some(_))) => text.push_str(", a name that is taken"),
                ("taken", _) => {}
                _ => match place.strip_prefix('p') {
                    Some(nth) => text.push_str(&process(argument(nth)?)),
                    None => text.push_str(&self.term(argument(place)?)),
                },
            }
            text.push_str(rest);
        }
        Some(text)
    }
}

/// If a step is that the end of a process is told somebody, with instant delivery: of that process.
fn told_by(moment: &Moment) -> Option<Pid> {
    let (from, _) = moment.log.footprint.route()?;
    let mut accesses = moment.log.footprint.0.iter();
    accesses.any(|access| access.object == Object::told(from)).then_some(from)
}

fn plain(kind: StepKind, text: String) -> Spoken {
    Spoken { text, kind, place: None, arrows: Vec::new(), shown: true }
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

/// A term on one line, with processes by their names (`<pong>`) and references numbered in the order in
/// which `references` met them. What stands in quotes is left alone.
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
