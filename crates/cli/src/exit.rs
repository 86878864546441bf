//! Exit codes, the same for every command.

use std::process::ExitCode;

/// How a command ended. Where two apply, the greater one is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Exit {
    NothingFound = 0,
    SomethingFound = 1,
    /// Wrong use, or input that cannot be read.
    Unusable = 2,
    /// The end was not reached: interrupted, or a bound was met.
    Incomplete = 3,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
