//! What every front asks for: the command line now, an editor's server and a web page later.
//!
//! A front fills in a *request* (plain data: paths, a call, limits), hands it over together with a
//! [`Control`], and gets an *answer* (plain data: what was found, where, how it ended). It then
//! shows the answer; the words are in `report`. Nothing here reads a command line, prints, or ends
//! the process.
//!
//! | request | answer |
//! | --- | --- |
//! | [`check::Request`] | diagnostics, module by module |
//! | [`run::Request`] | [`run::Ran`]: how a call ended |
//! | [`test::Request`] | [`test::Answer`]: what became of each case |
//! | [`explore::Request`] | [`explore::Answer`]: findings over all schedules |
//! | [`reduce::Request`] | [`reduce::Answer`]: the smallest program that fails as a witness shows |
//! | [`replay::Request`] | [`replay::Answer`]: what a recorded run shows once more |
//! | [`compare::Request`] | [`compare::Answer`]: what two versions do differently |
//! | [`coverage::Request`] | [`coverage::Measured`] |
//! | [`flow::Request`], [`slice::Request`] | graphs and slices |
//! | [`java::Request`] | [`java::Sliced`]: slices of Java programs |
//! | [`trace::Request`] | events of a recorded run |
//! | [`debug::Request`] | [`debug::Debugged`]: the statements of a run, to be asked about |
//! | [`inputs::Request`] | [`inputs::Answer`]: inputs of a function, what they reach, what fails |
//! | [`concolic::Request`] | [`concolic::Answer`]: the paths of a function, and inputs that fail |
//! | [`types::Request`] | [`types::Answer`]: what functions take and give |
//!
//! [`again::watch`] is the one way to run a recorded run again with somebody who watches.
//!
//! While a request is worked on, [`Control`] carries both ways: the front says that it is to stop,
//! and hears how far it is. What could not be done at all is an [`Error`].

pub mod again;
pub mod call;
pub mod check;
pub mod compare;
pub mod concolic;
pub mod contracts;
pub mod control;
pub mod coverage;
pub mod debug;
pub mod error;
pub mod explore;
pub mod flow;
pub mod inputs;
pub mod java;
pub mod minimal;
mod open;
pub mod place;
pub mod reading;
pub mod record;
pub mod reduce;
pub mod replay;
pub mod run;
pub mod running;
pub mod slice;
pub mod test;
pub mod trace;
pub mod types;

pub use control::{Control, Note, Progress, Watch};
pub use error::{Departed, Error};
pub use machine::{Ending, Lack, Unsupported};
pub use place::{Excerpt, Place};
pub use reading::Reading;
pub use runner::limits::{Bound, Over, default_memory, resident};
pub use runner::schedules::{Astray, Departure};
pub use runner::world::Kept;
pub use running::{Contracting, Delivery, Running, Tracing};
