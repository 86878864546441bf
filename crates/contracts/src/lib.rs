//! Contracts of Erlang programs: what functions take and give, how they end, how long they take,
//! whether they act, what holds of the states of behaviours.
//!
//! ```text
//! module ─▶ read: attributes, EDBC's macros, specs ─▶ contracts ─▶ weave: functions, as text
//!                                                         │              │ read with the module
//!                                                         ▼              ▼
//!                                         book: what is asked while it runs (machine::contract)
//! ```
//!
//! Contracts are written as attributes that OTP's compiler keeps and does not look at
//! ([`mod@read`]), or with the macros of `edbc.hrl` ([`edbc`]). The program's own text is not
//! changed: functions that evaluate the contracts are added behind it ([`weave`]), and the code of
//! a function with a contract calls them (`code::lower::contract`).
//!
//! The terms follow chapter 9 of the thesis on EDBC (Erlang Design-By-Contract). Differences: the
//! decrease of arguments is checked for all calls inside of a call, made in whatever way, and in an
//! order in which shorter lists are less; time is counted; a contract that is evaluated has no
//! contracts itself; contracts that fail to answer are told as such.

mod book;
mod clauses;
mod edbc;
mod read;
mod shared;
mod strip;
mod weave;

use atom::Atom;
pub use machine::contract::{Declared, Kind};

pub use book::{Book, Declaring, Woven, callbacks, contracts_of};
pub use read::{Read, read};
pub use strip::stripped;
pub use weave::Checking;

/// A contract that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    pub declared: Declared,
    /// The function that it is about; none if it is about the whole module.
    pub about: Option<(Atom, u32)>,
    pub says: Says,
}

/// How a contract says what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Says {
    /// Clauses of a function without its name: `(L, _) -> length(L) > 0; …`. The parameters are
    /// those of the function that it is about, then its result if that is known.
    Clauses(String),
    /// A function of the module, of as many parameters.
    Function(Atom, u32),
    /// Its kind says all.
    Itself,
    /// Which messages of a kind may come in which state: clauses as in [`Says::Clauses`], of what
    /// comes, who sent it (of a call), and the state.
    Arriving(Arriving, String),
    /// As [`Says::Clauses`]; all elements of the list that they give count, each by itself.
    Each(String),
    /// What holds of the processes that call the function.
    Limit(Limit),
    /// Clauses that are given each object of the table of this name.
    Objects(Atom, String),
    /// The function that is given a list of all objects of the table of this name.
    Table(Atom, Atom),
    /// The states of whoever takes messages, from the first one on: clauses that are given a state
    /// and a message, and give the next state.
    Follows { who: Who, first: String, clauses: String },
}

/// What holds of the processes that call a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// There are so many at a time.
    AtMost(u64),
    /// The same one is started again so often.
    Restarts(u64),
    /// Those that a call of this function has started are over when it is.
    EndsBefore(Atom, u32),
}

/// Whose messages a protocol is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// Processes that have called a function.
    Function(Atom, u32),
    /// The process that has a name.
    Name(Atom),
}

/// How a message comes to a process with a behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arriving {
    Call,
    Cast,
    Info,
}

impl Arriving {
    /// By the head of its clauses: `call(Request, From, State)`, `cast(Request, State)`,
    /// `info(Message, State)`.
    pub(crate) fn of_head(name: &str, arity: u32) -> Option<Arriving> {
        match (name, arity) {
            ("call", 3) => Some(Arriving::Call),
            ("cast", 2) => Some(Arriving::Cast),
            ("info", 2) => Some(Arriving::Info),
            _ => None,
        }
    }

    /// The callback of a server that gets it.
    pub(crate) fn callback(self) -> (&'static str, u32) {
        match self {
            Arriving::Call => ("handle_call", 3),
            Arriving::Cast => ("handle_cast", 2),
            Arriving::Info => ("handle_info", 2),
        }
    }
}

/// What is wrong with a contract.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Problem {
    pub line: u32,
    pub column: u32,
    pub why: Wrong,
}

/// Why a contract cannot be read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wrong {
    /// It is not written as contracts of its kind are.
    Shape(Kind),
    /// Its text is no Erlang: what is wrong with it.
    Text(String),
    /// Its clauses are about different functions.
    Mixed,
    /// There is no such function.
    NoFunction(Atom, u32),
    /// It asks for a parameter that the function does not have.
    NoParameter { number: u64, arity: u32 },
    /// It has the result in it where there is none yet.
    NoResult,
    /// It belongs to no function.
    Nowhere(Kind),
    /// The module has no behaviour whose state it could be about.
    NoBehaviour,
    /// The function has too many parameters.
    TooMany(u32),
}
