//! From the trees of Erlang modules to a dependence graph.
//!
//! | what | nodes |
//! | --- | --- |
//! | an expression or pattern | one for its value; a list one more for each of its cells |
//! | an expression that does something (call, send, receive) | one for that it is done |
//! | a clause | one for the test of its head, one for that it is chosen |
//! | a function or fun | its entry, its parameters, its result, its exceptions, its end |
//!
//! The thesis has two nodes for each expression, its presence and its result. Presence is the same
//! for all expressions of a body, so here it is one node: the one for that the clause is chosen. It
//! is split where what comes later does not happen if what came before failed or waits
//! ([`exceptions`]).
//!
//! Control dependences come from the structure of the text, as Erlang has no jumps: a body depends
//! on the tests that choose its clause, those of earlier clauses among them, and not on what
//! follows.

mod behaviours;
mod binaries;
mod build;
mod calls;
mod clauses;
mod comprehensions;
mod effects;
mod ends;
mod exceptions;
mod expressions;
mod fields;
mod layouts;
mod library;
mod macros;
mod messages;
mod models;
mod nodes;
mod notice;
mod overlap;
mod patterns;
mod reachable;
mod regions;
mod selection;
mod summaries;
mod types;

pub(crate) use binaries::stays_whole;
pub(crate) use build::{Built, SeenBy, build};
pub(crate) use nodes::{ModuleNodes, Role};
pub(crate) use overlap::match_everything;
