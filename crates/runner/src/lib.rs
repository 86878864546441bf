//! Programs on the Machine.
//!
//! * [`loader`]: the code of a module comes from the program under study, the embedded library, or
//!   the OTP installation, in that order.
//! * [`world`]: what a program sees of the outside.
//! * [`run`]: runs one function and says how it ended.

pub mod loader;
pub mod run;
pub mod world;
