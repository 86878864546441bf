//! Programs on the Machine.
//!
//! * [`loader`]: the code of a module comes from the program under study, the embedded library, or
//!   the OTP installation, in that order.
//! * [`library`]: the embedded library as files.
//! * [`world`]: what a program sees of the outside.
//! * [`run`]: runs one function and says how it ended.

mod eunit_export;
pub mod library;
pub mod loader;
pub mod run;
pub mod world;
