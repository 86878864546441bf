//! Tests of the solver from outside, in one binary.

mod external;
mod generate;
mod naive;
mod paths;
mod queries;
