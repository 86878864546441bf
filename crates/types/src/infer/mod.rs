//! Success typings: what a function was given, and what it gives, whenever it returns.
//!
//! After T. Lindahl and K. Sagonas, *Practical Type Inference Based on Success Typings* (PPDP
//! 2006). A function's type is an upper bound: whatever arguments it returns for, they and its
//! result are inside. So a call outside of it is certain to fail, and nothing that happens
//! contradicts it.
//!
//! ```text
//! program ─▶ graph (who calls whom, components) ─▶ body (one function: values and relations)
//!                                                    │ clauses, patterns, binaries, rules
//!                                                    ▼
//!                                                  solver (narrowing until nothing changes)
//! ```
//!
//! 1. From the bottom up, component by component: the signatures of a component start with "never
//!    returns" and grow until they stand still ([`rounds`]).
//! 2. Module by module: a function that only its own module can call is given what it is called
//!    with; signatures are made again with that ([`refine`]), those of modules that are called
//!    before those of modules that call them.
//!
//! Differences from dialyzer: clauses of a function are kept apart, so that a call is typed by
//! those that take its arguments; disjunctions stay relations ([`solver`]); negative information
//! (a clause that was not chosen) narrows; limits are larger. Specs of the program under study are
//! not believed, only compared ([`finding`]); those of libraries are.

mod binaries;
mod body;
pub mod callee;
mod clauses;
mod comprehensions;
pub mod finding;
mod graph;
mod numbers;
mod patterns;
mod promised;
mod refine;
mod rounds;
mod rules;
mod solver;
mod why;

pub use callee::{Signature, Way, outside};
pub use finding::{Because, Finding, Why};
pub use rounds::{Function, Inferred, Options, infer};
