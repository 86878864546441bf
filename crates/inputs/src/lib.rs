//! Inputs for functions: made from types, shrunk, mutated and kept.
//!
//! ```text
//! types ─▶ generate ◀── constants ◀── trees of the program
//!             │
//!             ▼
//!  text ◀─▶ Input ─▶ term (of one Machine)
//!             │
//!     shrink ─┼─ mutate ─▶ engine: run, see what was reached, keep, choose the next
//!             └─ corpus: inputs as files
//! ```
//!
//! * [`Input`]: a value that belongs to no Machine, with funs and processes as descriptions; as
//!   Erlang text and back ([`text`]);
//! * [`Generator`]: values of a type, deterministic by a seed ([`generate`]);
//! * [`shrink::shrink`]: to a small input that still does it, which no single step makes smaller;
//! * [`engine::Engine`]: which input is run next, and which are kept, guided by what runs reach;
//! * [`calls`]: sequences of calls as inputs.
//!
//! Invariants of this crate:
//! * Nothing runs here: whoever has a Machine gives the engine a closure that runs one input.
//! * What is made from a type is a member of it, after mutation and shrinking, too.
//! * The same seed and the same answers give the same inputs, in the same order.

pub mod calls;
pub mod constants;
pub mod corpus;
pub mod engine;
pub mod generate;
pub mod input;
pub mod mutate;
pub mod positions;
pub mod random;
pub mod ranks;
pub mod shapes;
pub mod shrink;
pub mod text;
pub mod weight;

pub use constants::Constants;
pub use engine::{Engine, Options, Reached};
pub use generate::{Generator, NoValue};
pub use input::Input;
pub use random::Random;
pub use shapes::Shape;
