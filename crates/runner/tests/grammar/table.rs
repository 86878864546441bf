//! The grammar as a table: kinds of nodes, the places that a node can be in, and what may be where.
//!
//! A *place* is a position of a parent: `tuple.element`, `case.subject`. Those of patterns begin
//! with `p.`, those of guards with `g.`. What stands in a place is of a *kind*: `tuple`, `case`. A
//! pair is a place with a kind; [`pairs`] are all that a program of the judge's release can have,
//! [`excluded`] says why others are not among them.

/// The types by which expressions are made, so that most of them compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Int,
    Float,
    Atom,
    Bool,
    /// A list of integers.
    List,
    /// `{Int, Atom}`
    Pair,
    /// From atoms to integers.
    Map,
    Bits,
    /// From integer to integer.
    Fun,
    /// `#rec{a = Int, b = Atom}`
    Record,
}

use Type::{Atom, Bits, Bool, Float, Fun, Int, List, Map, Record};

pub(crate) const TYPES: [Type; 10] =
    [Int, Float, Atom, Bool, List, Type::Pair, Map, Bits, Fun, Record];

/// Kinds of expressions, and the type that each has where it has one of its own.
pub(crate) const EXPRESSIONS: &[(&str, Option<Type>)] = &[
    ("atom", Some(Atom)),
    ("var", None),
    ("integer", Some(Int)),
    ("float", Some(Float)),
    ("char", Some(Int)),
    ("string", Some(List)),
    ("nil", Some(List)),
    ("list", Some(List)),
    ("cons", Some(List)),
    ("tuple", Some(Type::Pair)),
    ("map", Some(Map)),
    ("map_update", Some(Map)),
    ("record", Some(Record)),
    ("record_update", Some(Record)),
    ("record_access", None),
    ("record_index", Some(Int)),
    ("binary", Some(Bits)),
    ("match", None),
    ("arith", Some(Int)),
    ("compare", Some(Bool)),
    ("logic", Some(Bool)),
    ("andalso", None),
    ("orelse", None),
    ("append", Some(List)),
    ("subtract", Some(List)),
    ("send", None),
    ("minus", Some(Int)),
    ("not", Some(Bool)),
    ("call", None),
    ("call_bif", None),
    ("call_remote", None),
    ("call_dynamic", Some(Int)),
    ("call_fun", None),
    ("catch", None),
    ("block", None),
    ("if", None),
    ("case", None),
    ("receive", None),
    ("receive_after", None),
    ("try", None),
    ("try_of", None),
    ("try_after", None),
    ("maybe", None),
    ("maybe_else", None),
    ("fun", Some(Fun)),
    ("named_fun", Some(Fun)),
    ("fun_name", Some(Fun)),
    ("fun_remote", Some(Fun)),
    ("lc", Some(List)),
    ("lc_filter", Some(List)),
    ("bc", Some(Bits)),
    ("bc_filter", Some(Bits)),
];

/// Kinds of patterns.
pub(crate) const PATTERNS: &[(&str, Option<Type>)] = &[
    ("any", None),
    ("var", None),
    ("atom", Some(Atom)),
    ("integer", Some(Int)),
    ("float", Some(Float)),
    ("char", Some(Int)),
    ("string", Some(List)),
    ("nil", Some(List)),
    ("list", Some(List)),
    ("cons", Some(List)),
    ("tuple", Some(Type::Pair)),
    ("map", Some(Map)),
    ("record", Some(Record)),
    ("record_index", Some(Int)),
    ("binary", Some(Bits)),
    ("match", None),
    ("arith", Some(Int)),
    ("minus", Some(Int)),
    ("append", Some(List)),
];

/// Kinds of expressions in guards, in keys and in sizes.
pub(crate) const GUARDS: &[(&str, Option<Type>)] = &[
    ("atom", Some(Atom)),
    ("var", None),
    ("integer", Some(Int)),
    ("float", Some(Float)),
    ("char", Some(Int)),
    ("string", Some(List)),
    ("nil", Some(List)),
    ("list", Some(List)),
    ("cons", Some(List)),
    ("tuple", Some(Type::Pair)),
    ("map", Some(Map)),
    ("map_update", Some(Map)),
    ("record", Some(Record)),
    ("record_access", None),
    ("record_index", Some(Int)),
    ("binary", Some(Bits)),
    ("arith", Some(Int)),
    ("compare", Some(Bool)),
    ("logic", Some(Bool)),
    ("andalso", None),
    ("orelse", None),
    ("minus", Some(Int)),
    ("not", Some(Bool)),
    ("call_bif", None),
    ("call_remote", None),
];

/// Kinds of nodes that no program here has, and why.
pub(crate) const LATER: &[(&str, &str)] = &[
    ("sigil", "OTP 27"),
    ("map comprehension, map generator", "OTP 26"),
    ("strict generator, zip generator", "OTP 28"),
    ("assignment in a comprehension, several templates", "OTP 29"),
    ("native record", "OTP 29"),
];

/// What may be in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Expression,
    Pattern,
    Guard,
}

impl Class {
    pub(crate) fn kinds(self) -> &'static [(&'static str, Option<Type>)] {
        match self {
            Class::Expression => EXPRESSIONS,
            Class::Pattern => PATTERNS,
            Class::Guard => GUARDS,
        }
    }
}

/// Places in expressions.
const OF_EXPRESSIONS: &[&str] = &[
    "list.element",
    "cons.element",
    "cons.tail",
    "tuple.element",
    "map.key",
    "map.value",
    "map_update.base",
    "map_update.key",
    "map_update.value",
    "map_update.exact_key",
    "map_update.exact_value",
    "record.field",
    "record.rest",
    "record_update.base",
    "record_update.field",
    "record_access.base",
    "binary.value",
    "binary.size",
    "match.value",
    "arith.left",
    "arith.right",
    "compare.left",
    "compare.right",
    "logic.left",
    "logic.right",
    "andalso.left",
    "andalso.right",
    "orelse.left",
    "orelse.right",
    "append.left",
    "append.right",
    "subtract.left",
    "subtract.right",
    "send.to",
    "send.message",
    "minus.operand",
    "not.operand",
    "call.arg",
    "call_bif.arg",
    "call_remote.arg",
    "call_dynamic.module",
    "call_dynamic.name",
    "call_dynamic.arg",
    "call_fun.callee",
    "call_fun.arg",
    "catch.body",
    "block.step",
    "block.last",
    "if.step",
    "if.last",
    "case.subject",
    "case.step",
    "case.last",
    "receive.step",
    "receive.last",
    "receive_after.step",
    "receive_after.last",
    "receive_after.timeout",
    "receive_after.after_step",
    "receive_after.after_last",
    "try.step",
    "try.last",
    "try.catch_step",
    "try.catch_last",
    "try_of.step",
    "try_of.last",
    "try_of.of_step",
    "try_of.of_last",
    "try_of.catch_step",
    "try_of.catch_last",
    "try_after.step",
    "try_after.last",
    "try_after.of_step",
    "try_after.of_last",
    "try_after.catch_step",
    "try_after.catch_last",
    "try_after.after_step",
    "try_after.after_last",
    "maybe.step",
    "maybe.last",
    "maybe.value",
    "maybe_else.step",
    "maybe_else.last",
    "maybe_else.value",
    "maybe_else.else_step",
    "maybe_else.else_last",
    "fun.step",
    "fun.last",
    "named_fun.step",
    "named_fun.last",
    "function.step",
    "function.last",
    "lc.template",
    "lc.source",
    "lc.bits_source",
    "lc.filter",
    "lc_filter.template",
    "lc_filter.filter",
    "bc.template",
    "bc.source",
    "bc.bits_source",
    "bc.filter",
    "bc_filter.template",
    "bc_filter.filter",
    "fun_remote.module",
    "fun_remote.name",
    "fun_remote.arity",
];

/// Places of patterns in expressions and functions.
const OF_PATTERNS: &[&str] = &[
    "match.pattern",
    "case.pattern",
    "receive.pattern",
    "receive_after.pattern",
    "try_of.pattern",
    "try_after.pattern",
    "try.class",
    "try.reason",
    "try_of.class",
    "try_of.reason",
    "try_after.class",
    "try_after.reason",
    "maybe.pattern",
    "maybe_else.pattern",
    "maybe_else.else_pattern",
    "fun.pattern",
    "named_fun.pattern",
    "function.pattern",
    "lc.pattern",
    "lc.bits_pattern",
    "bc.pattern",
    "bc.bits_pattern",
    "p.list.element",
    "p.cons.element",
    "p.cons.tail",
    "p.tuple.element",
    "p.map.value",
    "p.record.field",
    "p.record.rest",
    "p.binary.value",
    "p.match.left",
    "p.match.right",
    "p.append.left",
    "p.append.right",
    "p.arith.left",
    "p.arith.right",
    "p.minus.operand",
];

/// Places of guards, keys and sizes.
const OF_GUARDS: &[&str] = &[
    "if.guard",
    "case.guard",
    "receive.guard",
    "receive_after.guard",
    "try.guard",
    "try_of.of_guard",
    "try_of.guard",
    "try_after.of_guard",
    "try_after.guard",
    "maybe_else.guard",
    "fun.guard",
    "named_fun.guard",
    "function.guard",
    "p.map.key",
    "p.binary.size",
    "g.list.element",
    "g.cons.element",
    "g.cons.tail",
    "g.tuple.element",
    "g.map.key",
    "g.map.value",
    "g.map_update.base",
    "g.map_update.key",
    "g.map_update.value",
    "g.map_update.exact_key",
    "g.map_update.exact_value",
    "g.record.field",
    "g.record.rest",
    "g.record_access.base",
    "g.binary.value",
    "g.binary.size",
    "g.arith.left",
    "g.arith.right",
    "g.compare.left",
    "g.compare.right",
    "g.logic.left",
    "g.logic.right",
    "g.andalso.left",
    "g.andalso.right",
    "g.orelse.left",
    "g.orelse.right",
    "g.minus.operand",
    "g.not.operand",
    "g.call_bif.arg",
    "g.call_remote.arg",
];

/// A place with what is in it.
pub(crate) type Pair = (&'static str, &'static str);

/// All places with their class.
pub(crate) fn places() -> impl Iterator<Item = (&'static str, Class)> {
    let all = [
        (OF_EXPRESSIONS, Class::Expression),
        (OF_PATTERNS, Class::Pattern),
        (OF_GUARDS, Class::Guard),
    ];
    all.into_iter().flat_map(|(places, class)| places.iter().map(move |&place| (place, class)))
}

/// All pairs that a program can have.
pub(crate) fn pairs() -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (place, class) in places() {
        for &(kind, _) in class.kinds() {
            if excluded(place, kind).is_none() {
                pairs.push((place, kind));
            }
        }
    }
    pairs
}

/// Why a kind cannot be in a place, if it cannot.
pub(crate) fn excluded(place: &str, kind: &str) -> Option<&'static str> {
    let one_of = |kinds: &[&str]| kinds.contains(&kind);
    match place {
        "fun_remote.module" | "fun_remote.name" => {
            (!one_of(&["atom", "var"])).then_some("the grammar has names and variables only")
        }
        "call_fun.callee" => {
            (kind == "atom").then_some("what is called by a name is a function of the module")
        }
        "fun_remote.arity" => {
            (!one_of(&["integer", "var"])).then_some("the grammar has numbers and variables only")
        }
        "try.class" | "try_of.class" | "try_after.class" => {
            (!one_of(&["any", "var", "atom"])).then_some("the grammar has names and variables only")
        }
        "lc.bits_pattern" | "bc.bits_pattern" => {
            (kind != "binary").then_some("a generator of bits has a binary as its pattern")
        }
        "p.binary.value" => {
            let fine = ["any", "var", "integer", "float", "char", "string", "arith", "minus"];
            (!one_of(&fine)).then_some("a segment of a pattern is a variable, a number or a string")
        }
        "p.append.left" => {
            (!one_of(&["string", "list", "nil"])).then_some("the left side is a constant list")
        }
        "p.arith.left" | "p.arith.right" | "p.minus.operand" => {
            (!one_of(&["integer", "float", "char", "arith", "minus"]))
                .then_some("arithmetic in a pattern is of constants")
        }
        _ => None,
    }
}
