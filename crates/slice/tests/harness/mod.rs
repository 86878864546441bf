//! What the tests of slices have in common: the corpus, inputs, running programs and slices of them
//! with the values at criteria told, and OTP's compiler as a judge.

#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod check;
pub(crate) mod corpus;
pub(crate) mod failing;
pub(crate) mod inputs;
pub(crate) mod instrument;
pub(crate) mod judge;
pub(crate) mod minimal;
pub(crate) mod node;
pub(crate) mod pool;
