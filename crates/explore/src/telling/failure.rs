//! What can be wrong with an execution, as data: a failure is what it says, and two are the same if
//! they say the same ([`Failure::identity`]). The words for it are those of `report`.
//!
//! Failures travel between the workers of a search and into files, and terms belong to one thread.
//! So terms are Erlang text here; and processes are names: identifiers, what they run, or names
//! that a person recognises, as whoever makes the failure has it (`rules.rs`).

pub use machine::Lack;
pub use machine::contract::Violation;
use serde::{Deserialize, Serialize};

use crate::place::{At, Awaited, Place};

/// What is wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Failure {
    /// A process ended for a reason that is not normal.
    AbnormalExit {
        process: String,
        /// Whether it ended because another did and for the same reason: a link ended it, or it
        /// heard of that and ended so, too.
        inherited: bool,
        cause: Cause,
        place: Option<Place>,
    },
    /// An assertion does not hold.
    Assertion {
        /// `assertEqual`, `erlscope:assert`.
        name: String,
        process: String,
        claim: Claim,
        place: Option<Place>,
    },
    /// A contract does not hold.
    Contract { violation: Box<Violation>, process: String, place: Option<Place> },
    /// A process was ended by the signal `kill`.
    Killed { process: String, by: Option<String> },
    /// Nobody can go on.
    Deadlock { stuck: Vec<StuckProcess> },
    /// A process computes on and on without a visible action.
    Spins { process: String, at: At },
    /// An execution has more events than it may have.
    TooDeep,
    /// An execution comes back to a state after so many events.
    Repeats { every: usize },
    /// The node stopped with a status that is not 0.
    Halted { status: i32 },
    /// The Machine cannot do what it was asked for.
    Unsupported {
        #[serde(with = "SerialLack")]
        lack: Lack,
        /// Where the program asked for it, as the Machine knows; that may be in the library.
        asked_at: Option<Place>,
        /// Where the process is.
        place: Option<Place>,
    },
}

/// [`Lack`] in files and documents.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Lack", tag = "kind", rename_all = "snake_case")]
enum SerialLack {
    Function { function: String },
    Native { function: String, library: String },
    Use { function: String, what: String },
    Library { what: String },
}

/// Why a process ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Cause {
    /// Without stack traces.
    pub reason: String,
    /// The builtin or library function that failed.
    pub failed: Option<Call>,
    /// Whether the reason tells of a call of a server that waited in vain.
    pub call_timed_out: bool,
}

/// A call of a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Call {
    pub module: String,
    pub function: String,
    pub arguments: Vec<String>,
}

/// What an assertion says.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// What the author of the test says about it.
    pub comments: Vec<String>,
    pub expression: Option<String>,
    pub value: Option<Value>,
    /// The value or the pattern.
    pub expected: Option<String>,
    /// As in [`Cause`].
    pub call_timed_out: bool,
}

/// What an expression in an assertion came to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Plain(String),
    /// Where none was expected.
    Exception(String),
    /// Where an exception was expected.
    Instead(String),
}

/// Who waits for a message that never comes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct StuckProcess {
    pub process: String,
    /// The clauses of its `receive`, if that is in the program.
    pub awaited: Vec<Awaited>,
    pub at: At,
    /// The list of the messages that it has not received, if there are any.
    pub mailbox: Option<String>,
}

/// What tells a failure from others. The order is that in which failures are told.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Identity(Failure);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    AbnormalExit,
    Assertion,
    Contract,
    Killed,
    Deadlock,
    Endless,
    Halted,
    Unsupported,
}

impl Kind {
    /// Those that can be ignored.
    pub const NAMES: [&'static str; 7] =
        ["abnormal_exit", "assertion", "contract", "killed", "deadlock", "endless", "halted"];

    pub fn name(self) -> &'static str {
        match self {
            Kind::AbnormalExit => "abnormal_exit",
            Kind::Assertion => "assertion",
            Kind::Contract => "contract",
            Kind::Killed => "killed",
            Kind::Deadlock => "deadlock",
            Kind::Endless => "endless",
            Kind::Halted => "halted",
            Kind::Unsupported => "unsupported",
        }
    }
}

impl Failure {
    pub fn kind(&self) -> Kind {
        match self {
            Failure::AbnormalExit { .. } => Kind::AbnormalExit,
            Failure::Assertion { .. } => Kind::Assertion,
            Failure::Contract { .. } => Kind::Contract,
            Failure::Killed { .. } => Kind::Killed,
            Failure::Deadlock { .. } => Kind::Deadlock,
            Failure::Spins { .. } | Failure::TooDeep | Failure::Repeats { .. } => Kind::Endless,
            Failure::Halted { .. } => Kind::Halted,
            Failure::Unsupported { .. } => Kind::Unsupported,
        }
    }

    /// Where in the program it happened.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Failure::AbnormalExit { place, .. }
            | Failure::Assertion { place, .. }
            | Failure::Contract { place, .. }
            | Failure::Unsupported { place, .. } => place.as_ref(),
            Failure::Deadlock { stuck } => stuck.first().and_then(|first| first.at.place()),
            Failure::Spins { at, .. } => at.place(),
            Failure::Killed { .. }
            | Failure::TooDeep
            | Failure::Repeats { .. }
            | Failure::Halted { .. } => None,
        }
    }

    /// What tells it from others: all that it says; of a deadlock who waits where, whatever their
    /// order and their mailboxes are.
    pub fn identity(&self) -> Identity {
        let mut same = self.clone();
        if let Failure::Deadlock { stuck } = &mut same {
            stuck.iter_mut().for_each(|stuck| stuck.mailbox = None);
            stuck.sort_unstable();
        }
        Identity(same)
    }

    /// Whether a call of a server waited in vain.
    pub fn call_timed_out(&self) -> bool {
        match self {
            Failure::AbnormalExit { cause, .. } => cause.call_timed_out,
            Failure::Assertion { claim, .. } => claim.call_timed_out,
            _ => false,
        }
    }

    /// Changes the names of processes, also those in terms.
    pub(crate) fn rename(&mut self, rename: &dyn Fn(&mut String)) {
        let each = |texts: &mut Vec<String>| texts.iter_mut().for_each(rename);
        match self {
            Failure::AbnormalExit { process, cause, .. } => {
                rename(process);
                rename(&mut cause.reason);
                cause.failed.iter_mut().for_each(|call| each(&mut call.arguments));
            }
            Failure::Assertion { process, claim, .. } => {
                rename(process);
                each(&mut claim.comments);
                claim.expected.iter_mut().for_each(rename);
                match &mut claim.value {
                    Some(Value::Plain(text) | Value::Exception(text) | Value::Instead(text)) => {
                        rename(text);
                    }
                    None => {}
                }
            }
            Failure::Contract { violation, process, .. } => {
                rename(process);
                rename(&mut violation.process);
                each(&mut violation.arguments);
                violation.result.iter_mut().for_each(rename);
            }
            Failure::Killed { process, by } => {
                rename(process);
                by.iter_mut().for_each(rename);
            }
            Failure::Deadlock { stuck } => {
                for stuck in stuck {
                    rename(&mut stuck.process);
                    stuck.mailbox.iter_mut().for_each(rename);
                }
            }
            Failure::Spins { process, .. } => rename(process),
            Failure::TooDeep
            | Failure::Repeats { .. }
            | Failure::Halted { .. }
            | Failure::Unsupported { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stuck(process: &str, mailbox: Option<&str>) -> StuckProcess {
        StuckProcess {
            process: process.to_owned(),
            awaited: Vec::new(),
            at: At::Unknown,
            mailbox: mailbox.map(str::to_owned),
        }
    }

    #[test]
    fn deadlocks_are_the_same_whatever_the_mailboxes_are() {
        let one = Failure::Deadlock { stuck: vec![stuck("a", Some("[x]")), stuck("b", None)] };
        let other = Failure::Deadlock { stuck: vec![stuck("b", Some("[y]")), stuck("a", None)] };
        let third = Failure::Deadlock { stuck: vec![stuck("a", None)] };
        assert_ne!(one, other);
        assert_eq!(one.identity(), other.identity());
        assert_ne!(one.identity(), third.identity());
    }

    #[test]
    fn failures_are_told_kind_by_kind() {
        let (process, at, every) = (String::new(), At::Unknown, 1);
        let failures = [
            Failure::Killed { process: process.clone(), by: None },
            Failure::Deadlock { stuck: Vec::new() },
            Failure::Spins { process, at },
            Failure::TooDeep,
            Failure::Repeats { every },
            Failure::Halted { status: 1 },
            Failure::Unsupported {
                lack: Lack::Library { what: String::new() },
                asked_at: None,
                place: None,
            },
        ];
        assert!(failures.is_sorted());
        assert!(failures.is_sorted_by_key(Failure::kind));
    }
}
