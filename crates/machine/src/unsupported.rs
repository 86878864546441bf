//! What was asked for that the Machine cannot do, as data.
//!
//! The words are here and not where a front's are, because the program may read them, too: where
//! what is not supported fails ([`crate::Machine::let_unsupported_fail`]), the reason of the
//! exception is `{not_supported, Text}`.

use std::fmt;

use code::module::Mfa;

use crate::builtins::Builtin;

/// Something that is not supported, and where the program asked for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    pub lack: Lack,
    /// File and line of the innermost call that is not the library's.
    pub at: Option<(String, u32)>,
}

/// What is not supported. Functions are `m:f/1`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lack {
    /// A function that OTP has, natively or in its library.
    Function { function: String },
    /// A function that the program has as native code, in this file.
    Native { function: String, library: String },
    /// Something that a builtin is asked to do: an option, a size, a kind of port.
    Use { function: String, what: String },
    /// Something that a module of the library does not do, as it says itself.
    Library { what: String },
}

/// `m:f/1`.
fn named(Mfa { module, name, arity }: Mfa) -> String {
    format!("{module}:{name}/{arity}")
}

impl Lack {
    pub(crate) fn function(mfa: Mfa) -> Lack {
        Lack::Function { function: named(mfa) }
    }

    pub(crate) fn native(mfa: Mfa, library: &str) -> Lack {
        Lack::Native { function: named(mfa), library: library.to_owned() }
    }

    pub(crate) fn of_builtin(builtin: &Builtin, what: String) -> Lack {
        let Builtin { module, name, arity, .. } = builtin;
        Lack::Use { function: format!("{module}:{name}/{arity}"), what }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Function { function } => f.write_str(function),
            Lack::Native { function, library } => {
                write!(f, "{function} is native code ({library})")
            }
            Lack::Library { what } => f.write_str(what),
            Lack::Use { function, what } => {
                // Some say for which of several functions they are asked.
                let name = function.rsplit_once('/').and_then(|(name, _)| name.split_once(':'));
                match name.is_some_and(|(_, name)| what.contains(name)) {
                    true => f.write_str(what),
                    false => write!(f, "{function}: {what}"),
                }
            }
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some((file, line)) => write!(f, "{} at {file}:{line}", self.lack),
            None => write!(f, "{}", self.lack),
        }
    }
}
