//! Concolic execution: which inputs make a program take other paths.
//!
//! ```text
//!            ┌──────────────── input ◀── model ◀── solver ◀─┐
//!            ▼                                              │
//!  Machine: a run, concretely                      turned: the decisions before
//!            │ every instruction                   one, and that one otherwise
//!            ▼                                              ▲
//!   Shadow: expressions beside values ──▶ path: decisions ──┘
//! ```
//!
//! * [`shadow`]: an observer that computes, beside the values of a run, what they are as
//!   expressions over the unknown inputs, and notes every decision that depends on them;
//! * [`path`]: decisions, and what was lost on the way;
//! * `models`: what native functions do to expressions; others run as Erlang code, which can be
//!   followed ([`natives`]);
//! * [`entry`]: what is called, with its unknowns;
//! * [`search`]: which decision is turned next, until there is none;
//! * [`domains`]: types as what inputs may be;
//! * [`funs`]: funs among them, whose answers are unknown.
//!
//! Invariants of this crate:
//! * The Machine alone says what happens: an expression stands beside a value and never takes its
//!   place.
//! * The next decision of a run depends on the decisions before it and on nothing else; so paths
//!   form a tree, and a run that was predicted to take a path takes it. One that does not is
//!   counted.
//! * What is lost (a function without a model, a bound that was reached, a question that the solver
//!   does not answer) is told; where anything is, a search is not complete.

pub mod domains;
pub mod entry;
pub mod funs;
mod models;
pub mod natives;
pub mod path;
pub mod search;
pub mod shadow;
