//! The Machine: the whole state of one Erlang node as one value.
//!
//! * [`Machine`] holds the code space and the [`State`]: processes with their mailboxes, links and
//!   monitors, the registry, timers, tables. Cloning it copies no term and no code.
//! * It never chooses: a scheduler outside says which process runs next ([`Machine::run`]) and for
//!   how long.
//! * It never reads a clock, a random source or a file by itself: those come through
//!   [`world::World`].
//! * A builtin or feature that is not supported stops the run with a clear report, it is never
//!   answered wrongly.
//!
//! Entry points: [`Machine::new`], [`Machine::spawn`], [`Machine::run`].

pub mod builtins;
mod code_loading;
pub mod code_space;
pub mod contract;
pub mod control;

mod crash_report;
mod ending;
mod ends;
pub mod ets;
pub mod exception;
mod face;
pub mod flight;
mod following;
pub mod footprint;
mod interp;
mod io_service;
mod machine;
mod module_source;
pub mod observe;
mod outside;
mod ports;
pub mod position;
pub mod process;
mod shared_values;
mod signals;
mod sparse;
mod state;
pub mod step;
mod unsupported;
pub mod world;

pub use code_space::{CodeSpace, Loader};
pub use ending::{Bound, Ending, Repeat};
pub use machine::{Machine, Ran, TIME_SLICE};
pub use process::Process;
pub use state::{FIRST_PID, State};
pub use term::{Pid, Term};
pub use unsupported::{Lack, Unsupported};
