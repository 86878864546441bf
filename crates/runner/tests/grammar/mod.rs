//! Programs by the grammar: every kind of node in every place that it can be in.
//!
//! [`table`] has the places and kinds, [`counts`] counts pairs in the trees of programs. A program
//! has functions that are each made around one pair (the pairs of a program follow from its seed,
//! so that a row of seeds goes through all of them), with random code around it and in all other
//! places, and some that are random altogether. Code is made by type, so that most of it computes;
//! a pair whose types do not fit fails, on both sides alike. Every program ends: there are no loops
//! but those over short lists.
//!
//! Variables: operands of one expression may bind the same names (`S1`, …), each for itself; nobody
//! reads what another operand binds, as the lint would not allow it. `t/2` notes that it was
//! called, so that the order of evaluation shows. `corpus_peer:show/3` prints what comes of a
//! function.

pub(crate) mod counts;
mod expressions;
mod guards;
mod patterns;
pub(crate) mod table;

use std::fmt::Write as _;

use super::generate::Random;
use counts::Counts;
use table::{Class, Pair, TYPES, Type};

/// Functions of a program that are made around a pair, and those that are not.
pub(crate) const TARGETS: usize = 3;
const OTHERS: usize = 1;

struct Writer {
    random: Random,
    /// Variables that can be read.
    scope: Vec<(String, Type)>,
    /// Names that other operands may bind, too; see the head of the file.
    shared: Vec<String>,
    /// What has to be where, the last first.
    forced: Vec<Pair>,
    /// In the head of a function: keys and sizes see no variable.
    in_head: bool,
    /// The pattern of a match that is part of another: its variables are new. (The judge's compiler
    /// does not compare a variable that is bound with what `X = Y = Value` gives it, which is a
    /// mistake of its own.)
    in_match: bool,
    fresh: u32,
    /// How much may still be made in this function.
    fuel: u32,
}

/// Seeds from any number on that are enough for all pairs.
pub(crate) fn seeds_for_all() -> u64 {
    table::pairs().len().div_ceil(TARGETS) as u64
}

/// Pairs that can be and were not there.
pub(crate) fn missing(counts: &Counts) -> Vec<Pair> {
    table::pairs().into_iter().filter(|pair| !counts.pairs.contains_key(pair)).collect()
}

/// Prints how often pairs were there: for each place, and all of them to a file if one is named.
pub(crate) fn tell(counts: &Counts) {
    let pairs = table::pairs();
    let of = |pair: &Pair| counts.pairs.get(pair).copied().unwrap_or(0);
    for (place, class) in table::places() {
        let here: Vec<Pair> = pairs.iter().copied().filter(|pair| pair.0 == place).collect();
        let fewest = here.iter().min_by_key(|pair| of(pair)).copied().unwrap_or((place, ""));
        let all: u64 = here.iter().map(of).sum();
        println!(
            "{place:28} {class:10} {:3} kinds {all:8} times, fewest {:5} ({})",
            here.len(),
            of(&fewest),
            fewest.1,
            class = format!("{class:?}"),
        );
    }
    let never = missing(counts).len();
    let fewest = pairs.iter().map(of).min().unwrap_or(0);
    println!("{} pairs, {never} never, each at least {fewest} times", pairs.len());
    for (kind, since) in table::LATER {
        println!("not there before {since}: {kind}");
    }
    if let Some(path) = std::env::var_os("ERLSCOPE_PAIRS") {
        let lines = pairs.iter().map(|pair| format!("{} {} {}\n", pair.0, pair.1, of(pair)));
        std::fs::write(path, lines.collect::<String>()).expect("the file of pairs is written");
    }
}

/// The text of a program.
pub(crate) fn program(name: &str, seed: u64) -> String {
    let pairs = table::pairs();
    let mut writer = Writer {
        random: Random::new(seed.wrapping_add(0x6772_616d)),
        scope: Vec::new(),
        shared: Vec::new(),
        forced: Vec::new(),
        in_head: false,
        in_match: false,
        fresh: 0,
        fuel: 0,
    };
    let mut text = format!("-module({name}).\n{HEAD}");
    let mut calls = String::new();
    for index in 0..TARGETS + OTHERS {
        let target = (index < TARGETS).then(|| {
            let at = (seed as usize).wrapping_mul(TARGETS).wrapping_add(index);
            pairs[at % pairs.len()]
        });
        writer.function(index, target, &mut text);
        for (call, arguments) in ARGUMENTS.iter().enumerate() {
            let first = writer.first_argument();
            let _ = writeln!(
                calls,
                "    corpus_peer:show({name}, \"f{index}.{call}\", fun() -> f{index}({first}, {arguments}) end),"
            );
        }
    }
    let _ = write!(text, "main() ->\n{calls}    done.\n");
    text
}

/// Every function has these parameters after its first, so that there is a variable of every type.
const PARAMETERS: &str = "I0, D0, A0, B0, L0, P0, M0, X0, F0, R0, Mod, Fn, Ar";

const ARGUMENTS: [&str; 2] = [
    "3, 2.5, a, true, [1, 2, 3], {1, a}, #{a => 1, b => 2}, <<1, 2, 3>>, fun neg/1, \
     #rec{a = 4, b = b}, erlang, abs, 1",
    "0, 0.0, b, false, [], {7, b}, #{k => 5}, <<5:3>>, fun(X) -> X + 1 end, #rec{}, lists, neg, 2",
];

/// And one of these as its first.
const FIRST_ARGUMENTS: &[&str] = &[
    "1",
    "a",
    "[1, 2]",
    "{1, a}",
    "#{a => 1}",
    "<<1, 2, 3>>",
    "#rec{}",
    "2.5",
    "true",
    "\"abc\"",
    "{2, b}",
    "[]",
];

const HEAD: &str = "-feature(maybe_expr, enable).
-export([main/0]).
-compile([nowarn_unused_vars, nowarn_unused_function]).
-record(rec, {a = 1 :: integer(), b = none :: atom()}).

id(X) -> X.
t(N, X) -> put(t, [N | get(t)]), X.
neg(X) -> -X.
pick(A, _) -> A.

";

fn is_key_or_size(place: &str) -> bool {
    matches!(place, "p.map.key" | "p.binary.size")
}

/// The kind of node that a place belongs to, and the class of that node.
fn owner(place: &str) -> (&str, Class) {
    let (class, rest) = match place.split_at(2) {
        ("p.", rest) => (Class::Pattern, rest),
        ("g.", rest) => (Class::Guard, rest),
        _ => (Class::Expression, place),
    };
    (rest.split('.').next().unwrap_or(rest), class)
}

impl Writer {
    /// Makes a function around a pair.
    fn function(&mut self, index: usize, target: Option<Pair>, text: &mut String) {
        self.fuel = 10;
        self.forced.clear();
        self.shared.clear();
        let mut root = None;
        if let Some(pair) = target {
            self.forced.push(pair);
            root = self.way_to(pair.0);
        }
        let types = [Type::Int, Type::Float, Type::Atom, Type::Bool, Type::List];
        let others = [Type::Pair, Type::Map, Type::Bits, Type::Fun, Type::Record];
        let names = PARAMETERS.split(", ").map(str::to_owned);
        self.scope = names.zip(types.into_iter().chain(others)).collect();
        let scope = self.scope.clone();
        let result = self.any_type();
        let first = self.any_type();
        self.in_head = true;
        let pattern = self.pattern("function.pattern", first, 2);
        self.in_head = false;
        let guard = if self.is_next("function.guard") || self.random.once_in(4) {
            self.when("function.guard")
        } else {
            String::new()
        };
        let _ = writeln!(text, "f{index}({pattern}, {PARAMETERS}){guard} ->");
        let body = match root {
            Some(kind) => self.around(kind, result),
            None => self.body("function", "", result, 3),
        };
        let _ = writeln!(text, "    {body};");
        self.scope = scope;
        self.shared.clear();
        let last = self.body("function", "", result, 2);
        let _ = writeln!(text, "f{index}(_, {PARAMETERS}) ->\n    {last}.\n");
    }

    /// What has to be made so that a place is there; the rest of the way is forced. Nothing if the
    /// place is one of the function itself.
    fn way_to(&mut self, place: &'static str) -> Option<&'static str> {
        let (kind, class) = owner(place);
        let named = |kinds: &'static [(&'static str, Option<Type>)]| {
            kinds.iter().map(|&(name, _)| name).find(|&name| name == kind)
        };
        if class == Class::Expression {
            return named(table::EXPRESSIONS);
        }
        let of_kind = named(class.kinds())?;
        let above: Vec<&'static str> = table::places()
            .filter(|&(above, its)| its == class && table::excluded(above, of_kind).is_none())
            .map(|(above, _)| above)
            .filter(|above| !above.starts_with("g.") && owner(above).1 == Class::Expression)
            // No variable can be in keys and sizes there.
            .filter(|&above| above != "function.pattern" || !is_key_or_size(place))
            .collect();
        let above = *self.random.pick(&above);
        self.forced.push((above, of_kind));
        self.way_to(above)
    }

    /// A body with an expression of a kind somewhere.
    fn around(&mut self, kind: &'static str, result: Type) -> String {
        let ty = self.fitting(Class::Expression, kind, result);
        match self.random.below(5) {
            0 => self.make(kind, ty, 3),
            1 => {
                self.in_match = true;
                let value = self.make(kind, ty, 3);
                self.in_match = false;
                let name = self.bind(ty);
                format!("{name} = {value},\n    {}", self.body("function", "", result, 2))
            }
            2 => {
                let value = self.make(kind, ty, 3);
                format!("({value}),\n    {}", self.body("function", "", result, 2))
            }
            3 => {
                let name = self.new_name("S");
                self.shared.push(name);
                let (scope, shared) = (self.scope.len(), self.shared.clone());
                let first = self.expr(result, 1);
                self.scope.truncate(scope);
                self.shared.clone_from(&shared);
                let value = self.make(kind, ty, 3);
                self.scope.truncate(scope);
                self.shared.clone_from(&shared);
                let last = self.expr(result, 1);
                self.shared.clear();
                format!("{{({first}), ({value}), ({last})}}")
            }
            _ => {
                let value = self.make(kind, ty, 3);
                format!("t(0, ({value}))")
            }
        }
    }

    fn first_argument(&mut self) -> &'static str {
        self.random.pick::<&'static str>(FIRST_ARGUMENTS)
    }

    fn any_type(&mut self) -> Type {
        *self.random.pick(&TYPES)
    }

    fn new_name(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// A new variable.
    fn bind(&mut self, ty: Type) -> String {
        let name = self.new_name("V");
        self.scope.push((name.clone(), ty));
        name
    }

    /// Whether this place has to be there next.
    fn is_next(&self, place: &str) -> bool {
        self.forced.last().is_some_and(|(forced, _)| *forced == place)
    }

    /// Whether a place whose name begins so has to be there next.
    fn is_next_in(&self, prefix: &str) -> bool {
        self.forced.last().is_some_and(|(forced, _)| forced.starts_with(prefix))
    }

    /// Chooses a form of a node that has some places and not others: by chance, once in `n` times,
    /// unless one of these places has to be there next.
    fn chooses(&mut self, with: &[&str], without: &[&str], n: usize) -> bool {
        let next = |places: &[&str]| places.iter().any(|place| self.is_next(place));
        next(with) || !next(without) && self.random.once_in(n)
    }

    /// What has to be in a place, if that is said.
    fn take_forced(&mut self, place: &str) -> Option<&'static str> {
        if self.is_next(place) { self.forced.pop().map(|(_, kind)| kind) } else { None }
    }

    /// The type to make an expression of a kind by, where another is wanted.
    fn fitting(&self, class: Class, kind: &str, wanted: Type) -> Type {
        let own = class.kinds().iter().find(|(name, _)| *name == kind).and_then(|(_, own)| *own);
        own.unwrap_or(wanted)
    }

    /// A variable of a type that can be read.
    fn variable(&mut self, ty: Type) -> String {
        let fitting: Vec<String> =
            self.scope.iter().filter(|(_, its)| *its == ty).map(|(name, _)| name.clone()).collect();
        if fitting.is_empty() { "I0".to_owned() } else { self.random.pick(&fitting).clone() }
    }

    fn literal(&mut self, ty: Type) -> String {
        let choices: &[&str] = match ty {
            Type::Int => &["0", "1", "2", "3", "8", "$a", "12"],
            Type::Float => &["0.0", "1.5", "2.25"],
            Type::Atom => &["a", "b", "ok", "none"],
            Type::Bool => &["true", "false"],
            Type::List => &["[]", "[1, 2]", "\"abc\"", "[3]"],
            Type::Pair => &["{1, a}", "{0, ok}"],
            Type::Map => &["#{}", "#{a => 1}", "#{a => 1, b => 2}"],
            Type::Bits => &["<<>>", "<<1, 2>>", "<<\"ab\">>", "<<5:4>>"],
            Type::Fun => &["fun neg/1", "fun erlang:abs/1", "fun id/1"],
            Type::Record => &["#rec{}", "#rec{a = 2}", "#rec{b = a}"],
        };
        (*self.random.pick(choices)).to_owned()
    }
}
