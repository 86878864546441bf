//! Conditions over Erlang values, and a solver for them.
//!
//! [`Exprs`] holds expressions over unknown values (`expr.rs` says what they mean), [`eval()`]
//! gives their values under a [`Model`], and [`Solver`] looks for a model under which conditions
//! hold. Constants and values are terms, so equality, order and arithmetic are the Machine's own.
//!
//! Invariants:
//! * A model that is given out makes every assertion hold: it was evaluated. (One that does not is
//!   a defect, counted in [`Statistics::wrong_models`], and the answer is [`Answer::Unknown`].)
//! * [`Answer::Unsat`] is said only where every case was refuted by sound steps; in doubt the
//!   answer is [`Answer::Unknown`].
//! * The same questions in the same order get the same answers, models and cores on every run: a
//!   budget counts steps, never time.

pub mod bits;
pub mod domain;
pub mod eval;
pub mod expr;
mod linear;
mod meter;
pub mod model;
mod search;
pub mod solve;
pub mod text;
pub mod z3;

pub use domain::{Domain, DomainId, MapDomain};
pub use eval::{Evaluator, eval, holds};
pub use expr::{
    Binop, BitsType, Comparison, Expr, ExprId, Exprs, Field, Segment, Ternary, Test, Unary, VarId,
};
pub use meter::Stop;
pub use model::{MADE_UP, Model};
pub use solve::{Answer, Budget, Hints, Solver, Statistics, Why, solve};
pub use text::text;
pub use z3::Z3;
