//! Follows a run and holds what happens against types.
//!
//! Of every call of a function whose type is known it is noted, when it begins, in which of the
//! ways that the type has its arguments fit; when it returns, its value must fit in one of those.
//! A call that does not return says nothing. Calls in tail position return with the value of the
//! last one, so that those whose place was taken are remembered: which function, and which ways.
//!
//! Builtins are asked about with types that say nothing of their arguments, and with the smallest
//! types that their arguments have: what a rule makes of both must hold.

use std::collections::BTreeMap;
use std::rc::Rc;

use atom::Atom;
use code_space::CodeSpace;
use follow::{Entering, Follower, Shadow, What};
use machine::code_space;
use machine::observe::{Callee, Moment, Site};
use term::{Term, View};
use types::Type;
use types::infer::{Way, outside};

use super::known::{Function, Known, Mfa, Source};

/// Which ways of a function a call can have gone.
#[derive(Clone)]
pub(super) struct Begun {
    function: Rc<Function>,
    /// By their places; a call that none of them takes keeps its arguments to be told.
    ways: u64,
    args: Option<Rc<[Term]>>,
}

/// A builtin that was called.
struct Builtin {
    function: Mfa,
    args: Vec<Term>,
    at: (Option<u32>, usize),
}

#[derive(Default)]
pub(super) struct Process {
    builtin: Option<Builtin>,
}

/// What was seen.
#[derive(Default)]
pub(super) struct Tally {
    /// Returns of functions, by where their types come from, and of builtins.
    pub(super) returns: BTreeMap<&'static str, u64>,
    /// Returns of which nothing was checked, since the terms are large and there were many.
    pub(super) passed_over: u64,
    /// Returns of functions of a program after it broke a spec that is believed.
    pub(super) after: u64,
    /// Functions of libraries that a program called outside of their specs, and that returned.
    pub(super) broken: BTreeMap<(Atom, Atom, u32), (String, u64)>,
    /// Functions that returned.
    pub(super) functions: BTreeMap<(Source, Atom, Atom, u32), u64>,
    /// Builtins of which nothing is known.
    pub(super) unknown: BTreeMap<(Atom, Atom, u32), u64>,
    /// What is outside of its type: by function and source the first that was seen, and how many.
    pub(super) wrong: BTreeMap<(Source, Atom, Atom, u32), (String, u64)>,
}

/// Follows runs of one program.
pub(super) struct Checker {
    known: Rc<Known>,
    /// What is known of functions, by where they begin in the code space.
    by_entry: BTreeMap<u32, Rc<[Rc<Function>]>>,
    builtins: BTreeMap<Mfa, BuiltinTypes>,
    checks: BTreeMap<(Source, Atom, Atom, u32), u32>,
    /// The program broke a spec that is believed.
    broken: bool,
    pub(super) tally: Tally,
}

struct BuiltinTypes {
    /// With arguments of which nothing is known.
    ways: Vec<Way>,
    calls: u32,
}

/// Calls of a function that are checked however large their terms are.
const WHATEVER_SIZE: u32 = 400;
/// Terms up to this size are always checked.
const SMALL: usize = 150;
/// Of the others one in so many.
const ONE_IN: u32 = 64;
/// Calls that did not fit which a chain of calls in tail position remembers.
const MOST_BEGUN: usize = 24;

impl Checker {
    pub(super) fn new(known: Rc<Known>) -> Checker {
        Checker {
            known,
            by_entry: BTreeMap::new(),
            builtins: BTreeMap::new(),
            checks: BTreeMap::new(),
            broken: false,
            tally: Tally::default(),
        }
    }

    /// Another run: another code space.
    pub(super) fn begin(&mut self) {
        self.by_entry.clear();
        self.broken = false;
    }

    fn functions(&mut self, moment: &Moment<'_>, callee: &Callee) -> Rc<[Rc<Function>]> {
        let code_space::Target::Code(entry) = callee.target else { return Rc::new([]) };
        if let Some(known) = self.by_entry.get(&entry) {
            return Rc::clone(known);
        }
        let tree = moment.function_node(callee).and_then(|site| moment.code.tree(site));
        let found: Rc<[Rc<Function>]> =
            self.known.of((callee.mfa.module, (callee.mfa.name, callee.mfa.arity)), tree).into();
        self.by_entry.insert(entry, Rc::clone(&found));
        found
    }

    /// Whether a call of a function is looked at, given what it has to do with.
    fn is_due<'t>(&mut self, of: &Function, mut terms: impl Iterator<Item = &'t Term>) -> bool {
        let calls = self.checks.entry(of.name()).or_default();
        *calls = calls.wrapping_add(1);
        if *calls < WHATEVER_SIZE || (*calls).is_multiple_of(ONE_IN) {
            return true;
        }
        let mut left = SMALL;
        let small = terms.all(|term| is_small(term, &mut left));
        if !small {
            self.tally.passed_over += 1;
        }
        small
    }

    fn began(&mut self, function: &Rc<Function>, args: &[Term]) -> Begun {
        if !self.is_due(function, args.iter()) {
            return Begun { function: Rc::clone(function), ways: u64::MAX, args: None };
        }
        let mut ways = 0;
        for (place, way) in function.ways.iter().enumerate() {
            if fits(&way.args, args) {
                ways |= 1 << place;
            }
        }
        let args = (ways == 0).then(|| args.into());
        Begun { function: Rc::clone(function), ways, args }
    }

    fn returned(&mut self, begun: &Begun, value: &Term) {
        let function = &begun.function;
        if begun.ways == u64::MAX && !self.is_due(function, std::iter::once(value)) {
            return;
        }
        if self.broken && function.source == Source::Program {
            self.tally.after += 1;
            return;
        }
        *self.tally.returns.entry(function.source.text()).or_default() += 1;
        *self.tally.functions.entry(function.name()).or_default() += 1;
        let ways =
            function.ways.iter().enumerate().filter(|(place, _)| begun.ways & (1 << place) != 0);
        let fits = ways.into_iter().any(|(_, way)| way.result.contains(value));
        if fits {
            return;
        }
        let text = match &begun.args {
            Some(args) => format!("was given ({})", shown(args)),
            None => {
                let ways: Vec<String> = (function.ways.iter().enumerate())
                    .filter(|(place, _)| begun.ways & (1 << place) != 0)
                    .map(|(_, way)| way.result.to_string())
                    .collect();
                format!("the ways that fit give {}", ways.join(" or "))
            }
        };
        let text = format!("{text}\n    and gave {}\n    of {}", short(value), function.text());
        if function.source == Source::Spec {
            let (module, (name, arity)) = function.mfa;
            self.tally.broken.entry((module, name, arity)).or_insert((text, 0)).1 += 1;
            self.broken = true;
        } else {
            self.tally.wrong.entry(function.name()).or_insert((text, 0)).1 += 1;
        }
    }

    fn builtin_returned(&mut self, builtin: &Builtin, value: &Term) {
        let (module, function) = builtin.function;
        let key = (Source::Builtin, module, function.0, function.1);
        if !self.builtins.contains_key(&builtin.function) {
            let any = vec![Type::Any; function.1 as usize];
            let ways = outside(&self.known.declarations, module, function, &any);
            let Some(ways) = ways else {
                *self.tally.unknown.entry((module, function.0, function.1)).or_default() += 1;
                return;
            };
            self.builtins.insert(builtin.function, BuiltinTypes { ways, calls: 0 });
        }
        let Some(types) = self.builtins.get_mut(&builtin.function) else { return };
        types.calls = types.calls.wrapping_add(1);
        let mut left = SMALL;
        let small = builtin.args.iter().chain([value]).all(|term| is_small(term, &mut left));
        if types.calls > WHATEVER_SIZE && !small && !types.calls.is_multiple_of(ONE_IN) {
            self.tally.passed_over += 1;
            return;
        }
        *self.tally.returns.entry(Source::Builtin.text()).or_default() += 1;
        *self.tally.functions.entry(key).or_default() += 1;
        let mut wrong = None;
        if !goes(&types.ways, &builtin.args, value) {
            wrong = Some(told(&types.ways));
        } else if small || types.calls < WHATEVER_SIZE {
            let exact: Vec<Type> = builtin.args.iter().map(Type::of_term).collect();
            let ways = outside(&self.known.declarations, module, function, &exact);
            wrong = ways.filter(|ways| !goes(ways, &builtin.args, value)).map(|ways| told(&ways));
        }
        if let Some(types) = wrong {
            let text = format!(
                "was given ({})\n    and gave {}\n    of {types}",
                shown(&builtin.args),
                short(value)
            );
            if has_model(module) {
                self.tally.wrong.entry(key).or_insert((text, 0)).1 += 1;
            } else {
                let key = (module, function.0, function.1);
                self.tally.broken.entry(key).or_insert((text, 0)).1 += 1;
                self.broken = true;
            }
        }
    }

    fn check_builtin(&mut self, shadow: &mut Shadow<Self>, moment: &Moment<'_>, value: &Term) {
        let Some(pid) = moment.pid() else { return };
        let Some(builtin) = shadow.stack(pid).data.builtin.take() else { return };
        if builtin.at == (moment.pc(), moment.depth()) {
            self.builtin_returned(&builtin, value);
        }
    }
}

/// Whether what is said of a module is our own: then it has to hold. (Others' specs are believed.)
fn has_model(module: Atom) -> bool {
    matches!(module.as_str(), "erlang" | "lists" | "maps" | "unicode")
}

fn fits(types: &[Type], terms: &[Term]) -> bool {
    types.iter().zip(terms).all(|(ty, term)| ty.contains(term))
}

/// Whether a call can go one of these ways.
fn goes(ways: &[Way], args: &[Term], value: &Term) -> bool {
    ways.iter().any(|way| fits(&way.args, args) && way.result.contains(value))
}

fn told(ways: &[Way]) -> String {
    let way = |way: &Way| {
        let args: Vec<String> = way.args.iter().map(Type::to_string).collect();
        format!("({}) -> {}", args.join(", "), way.result)
    };
    ways.iter().map(way).collect::<Vec<_>>().join("; ")
}

/// Whether a term has no more parts than are left.
fn is_small(term: &Term, left: &mut usize) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match term.view() {
        View::Cons(_) => {
            let mut elements = term.elements();
            elements.by_ref().all(|element| is_small(element, left))
                && is_small(elements.rest(), left)
        }
        View::Tuple(elements) => elements.iter().all(|element| is_small(element, left)),
        View::Map(map) => {
            map.iter().all(|(key, value)| is_small(key, left) && is_small(value, left))
        }
        _ => true,
    }
}

fn shown(terms: &[Term]) -> String {
    terms.iter().map(short).collect::<Vec<_>>().join(", ")
}

/// A term as text, not too much of it.
fn short(term: &Term) -> String {
    let mut left = 2_000;
    if !is_small(term, &mut left) {
        return "(a large term)".to_owned();
    }
    let text = term::print::to_string(term);
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl Follower for Checker {
    type Place = ();
    /// The calls whose value its value is.
    type Activation = Vec<Begun>;
    type Process = Process;
    type Sent = ();

    fn place(&mut self, _code: &CodeSpace, _site: Site) -> Option<()> {
        Some(())
    }

    fn enter(
        &mut self,
        shadow: &mut Shadow<Self>,
        moment: &Moment<'_>,
        call: &Entering<'_, ()>,
    ) -> Option<Vec<Begun>> {
        shadow.stack(call.pid).data.builtin = None;
        let functions = self.functions(moment, call.callee);
        // A spec is believed where the program calls.
        let caller = moment.function().map(|function| function.module);
        let by_program = caller.is_some_and(|caller| self.known.is_own(caller));
        let due = functions.iter().filter(|of| by_program || of.source != Source::Spec);
        Some(due.map(|function| self.began(function, call.args)).collect())
    }

    fn replaces(new: &mut Vec<Begun>, old: Vec<Begun>) {
        for before in old {
            let is_known = new.iter().any(|begun| {
                Rc::ptr_eq(&begun.function, &before.function) && begun.ways == before.ways
            });
            if !is_known && new.len() < MOST_BEGUN {
                new.push(before);
            }
        }
    }

    fn happens(&mut self, shadow: &mut Shadow<Self>, moment: &Moment<'_>, what: What<'_, Self>) {
        match what {
            What::Builtin { callee, args, .. } => {
                let Some(pid) = moment.pid() else { return };
                let mfa = callee.mfa;
                shadow.stack(pid).data.builtin = Some(Builtin {
                    function: (mfa.module, (mfa.name, mfa.arity)),
                    args: args.to_vec(),
                    at: (moment.pc(), moment.depth()),
                });
            }
            What::BuiltinReturn { value, .. } => self.check_builtin(shadow, moment, value),
            What::Return { value, left } => {
                self.check_builtin(shadow, moment, value);
                for begun in left.active.iter().flat_map(|active| &active.data) {
                    self.returned(begun, value);
                }
            }
            _ => {}
        }
    }
}
