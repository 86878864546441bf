//! Tests of the solver from outside, in one binary.

mod generate;
mod naive;
mod queries;
