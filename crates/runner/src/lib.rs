//! Programs on the Machine.
//!
//! * [`sources`]: the modules of the program under study, read when they are needed.
//! * [`loader`]: the code of a module comes from the program under study, the embedded library, or
//!   the OTP installation, in that order.
//! * `compiler` and `transform`: sources, forms and binaries that a running program hands over;
//!   parse transforms.
//! * [`world`]: what a program sees of the outside.
//! * [`scheduler`]: who runs next; [`schedules`]: recorded, and followed again.
//! * [`scripts`]: configurations of projects that are programs.
//! * [`limits`]: how far a run may go.
//! * [`testing`]: finds and runs tests.
//! * [`run`]: runs one call and says how it ended.

mod compiler;
mod eunit_export;
mod generated;
pub mod limits;
pub mod loader;
pub mod run;
pub mod scheduler;
pub mod schedules;
pub mod scripts;
pub mod sources;
pub mod testing;
mod transform;
pub mod world;

pub use library;
pub use transform::is_transformed;
