//! The table of macros: definitions by name and arity, and the check for circular definitions.
//!
//! Which macros a macro uses is noted when it is defined; whether that leads back to itself is
//! asked when it is called, as in OTP (a macro may mention one that is defined later). OTP walks
//! all paths each time; here every macro is walked once until the table changes.

use std::rc::Rc;

use atom::Atom;
use rustc_hash::{FxHashMap, FxHashSet};

use super::arguments::{TokenSource, scan_arguments};
use super::fault::{Arity, Fault, Problem};
use crate::source::Span;
use crate::token::{Token, TokenKind};

/// Calls nested in each other's arguments make finding the arguments quadratic; this bounds it.
const MAX_LOOKED_AT: u64 = 200_000_000;

/// One meaning of a macro.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// `None` for a macro that is called without parentheses.
    pub(super) params: Option<Vec<Atom>>,
    pub(super) body: Rc<[Token]>,
    /// The body contains no question mark: it needs no further expansion.
    pub(super) plain: bool,
    /// Where it was written; `None` if it came from the command line or with the language.
    pub(super) written: Option<Span>,
    /// The macros its body mentions, in Erlang's term order.
    uses: Vec<(Atom, Arity)>,
}

impl Definition {
    /// Fails if the body contains a macro call whose arguments are not closed.
    pub(super) fn new(
        params: Option<Vec<Atom>>,
        body: Vec<Token>,
        written: Option<Span>,
    ) -> Result<Definition, Fault> {
        let plain = body.iter().all(|token| token.kind != TokenKind::Question);
        let uses = if plain { Vec::new() } else { macros_mentioned(&body)? };
        Ok(Definition { params, body: body.into(), plain, written, uses })
    }

    pub(super) fn arity(&self) -> Arity {
        self.params.as_ref().map(|params| params.len() as u32)
    }
}

/// Macros that come with the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Predefined {
    File,
    Line,
    FunctionName,
    FunctionArity,
    /// `None` until the module attribute was read.
    Module(Option<Atom>),
    ModuleString(Option<Atom>),
    Machine,
    /// The macro named like the machine.
    TheMachine,
    OtpRelease,
}

#[derive(Clone, Debug)]
pub(super) enum Entry {
    Predefined(Predefined),
    /// Definitions of different arity, the latest first.
    User(Vec<Rc<Definition>>),
}

/// What a call means.
pub(super) enum Meaning {
    Predefined(Predefined),
    User(Rc<Definition>),
}

#[derive(Default)]
pub(super) struct Macros {
    entries: FxHashMap<Atom, Entry>,
    /// Macros known to lead to no circle, until the table changes.
    not_circular: FxHashSet<(Atom, Arity)>,
}

impl Macros {
    pub(super) fn insert(&mut self, name: Atom, entry: Entry) {
        self.not_circular.clear();
        self.entries.insert(name, entry);
    }

    /// Sets a predefined macro anew, unless the program removed it.
    pub(super) fn update(&mut self, name: Atom, value: Predefined) {
        if let Some(entry) = self.entries.get_mut(&name) {
            *entry = Entry::Predefined(value);
        }
    }

    pub(super) fn remove(&mut self, name: Atom) {
        self.not_circular.clear();
        self.entries.remove(&name);
    }

    /// Whether there is an entry, even one without value (what `defined` asks in `-if`).
    pub(super) fn is_known(&self, name: Atom) -> bool {
        self.entries.contains_key(&name)
    }

    /// Whether the macro has a value (what `-ifdef` asks).
    pub(super) fn is_defined(&self, name: Atom) -> bool {
        match self.entries.get(&name) {
            Some(Entry::Predefined(predefined)) => predefined.has_value(),
            Some(Entry::User(_)) => true,
            None => false,
        }
    }

    /// Fails if the macro cannot be defined with this arity.
    pub(super) fn check_free(&self, name: Atom, arity: Arity) -> Result<(), Problem> {
        match self.entries.get(&name) {
            Some(Entry::Predefined(_)) => Err(Problem::RedefinedPredefined(name)),
            Some(Entry::User(list)) if list.iter().any(|old| old.arity() == arity) => {
                Err(Problem::Redefined(name))
            }
            _ => Ok(()),
        }
    }

    /// Adds a definition whose place is free.
    pub(super) fn define(&mut self, name: Atom, definition: Definition) {
        self.not_circular.clear();
        match self.entries.get_mut(&name) {
            Some(Entry::User(definitions)) => definitions.insert(0, Rc::new(definition)),
            _ => {
                self.entries.insert(name, Entry::User(vec![Rc::new(definition)]));
            }
        }
    }

    /// Where the macro was defined.
    pub(super) fn definitions_of(&self, name: Atom) -> Vec<Span> {
        match self.entries.get(&name) {
            Some(Entry::User(list)) => list.iter().filter_map(|d| d.written).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn is_predefined(&self, name: Atom) -> bool {
        matches!(self.entries.get(&name), Some(Entry::Predefined(_)))
    }

    /// The meaning of a call with this many arguments. A macro that is only defined without
    /// parameters can be called before any parenthesis.
    pub(super) fn meaning(&self, name: Atom, arity: Arity) -> Result<Meaning, Problem> {
        match self.entries.get(&name) {
            None => Err(Problem::UndefinedMacro(name, arity)),
            Some(Entry::Predefined(predefined)) if predefined.has_value() => {
                Ok(Meaning::Predefined(*predefined))
            }
            Some(Entry::Predefined(_)) => Err(Problem::UndefinedMacro(name, arity)),
            Some(Entry::User(list)) => match list.as_slice() {
                [only] if only.params.is_none() => Ok(Meaning::User(only.clone())),
                list => match list.iter().find(|definition| definition.arity() == arity) {
                    Some(definition) => Ok(Meaning::User(definition.clone())),
                    None => Err(Problem::ArgumentMismatch(name)),
                },
            },
        }
    }

    /// Fails if expanding the macro would lead back to a macro that is being expanded.
    pub(super) fn check_circular(&mut self, name: Atom, arity: Arity) -> Result<(), Problem> {
        let start = (name, arity);
        if self.not_circular.contains(&start) {
            return Ok(());
        }
        // Depth first, by hand: each entry is a macro and how many of its uses were walked.
        let mut path = vec![(start, self.uses(start), 0)];
        let mut on_path = FxHashSet::from_iter([start]);
        while let Some((current, uses, walked)) = path.last_mut() {
            let next = uses.as_ref().and_then(|definition| definition.uses.get(*walked)).copied();
            let Some(next) = next else {
                on_path.remove(current);
                self.not_circular.insert(*current);
                path.pop();
                continue;
            };
            *walked += 1;
            if on_path.contains(&next) {
                return Err(Problem::Circular(next.0, next.1));
            }
            if !self.not_circular.contains(&next) {
                on_path.insert(next);
                path.push((next, self.uses(next), 0));
            }
        }
        Ok(())
    }

    /// The definition whose uses count for a call with this arity.
    fn uses(&self, (name, arity): (Atom, Arity)) -> Option<Rc<Definition>> {
        match self.entries.get(&name)? {
            Entry::Predefined(_) => None,
            Entry::User(list) => list
                .iter()
                .find(|definition| definition.arity() == arity)
                .or_else(|| list.iter().find(|definition| definition.params.is_none()))
                .cloned(),
        }
    }
}

impl Predefined {
    fn has_value(self) -> bool {
        !matches!(
            self,
            Predefined::FunctionName
                | Predefined::FunctionArity
                | Predefined::Module(None)
                | Predefined::ModuleString(None)
        )
    }
}

/// The macro calls in the body of a definition, sorted and without repetition.
fn macros_mentioned(body: &[Token]) -> Result<Vec<(Atom, Arity)>, Fault> {
    let (mut uses, mut ends) = (Vec::new(), Vec::new());
    let (mut index, mut looked_at) = (0, 0);
    while index < body.len() {
        let call = body[index].kind == TokenKind::Question;
        index += 1;
        let Some(token) = body.get(index).filter(|_| call) else { continue };
        match token.kind {
            TokenKind::Question => index += 1,
            TokenKind::Atom | TokenKind::Var => {
                let Some(name) = token.name() else { continue };
                index += 1;
                let arity = scan_arguments(&Slice(&body[index..]), &mut ends)
                    .map_err(|_| Fault::at(token, Problem::BadArgument(name)))?;
                looked_at += u64::from(ends.last().copied().unwrap_or(0));
                if looked_at > MAX_LOOKED_AT {
                    return Err(Fault::at(token, Problem::ExpansionTooLarge));
                }
                uses.push((name, arity));
            }
            _ => {}
        }
    }
    // Integers come before atoms: a call without arguments (`none`) is the greatest.
    uses.sort_by_key(|&(name, arity)| (name, arity.is_none(), arity));
    uses.dedup();
    Ok(uses)
}

/// The tokens of a body, as something arguments are read from.
struct Slice<'a>(&'a [Token]);

impl TokenSource for Slice<'_> {
    fn kind(&self, ahead: usize) -> Option<TokenKind> {
        self.0.get(ahead).map(|token| token.kind)
    }
}
