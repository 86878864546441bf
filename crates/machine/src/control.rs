//! What a builtin can ask for besides returning a value.

use atom::Atom;
use code::module::Mfa;
use term::Term;

use crate::code_loading::CodeRequest;
use crate::exception::Exception;

/// How a process begins, or goes on in a new place.
#[derive(Clone, Debug)]
pub enum Start {
    Apply {
        module: Atom,
        name: Atom,
        args: Vec<Term>,
    },
    Fun {
        fun: Term,
        args: Vec<Term>,
    },
    /// Raise this when it runs next.
    Raise(Exception),
}

/// Why a builtin has no value.
#[derive(Debug)]
pub enum Stop {
    Raise(Exception),
    Control(Control),
}

#[derive(Debug)]
pub enum Control {
    /// Call this; its value is the builtin's.
    Call(Start),
    /// Throw the stack away, and go on there when a message arrives.
    Hibernate(Start),
    /// Let others run; then the value is this.
    Yield(Term),
    /// Wait for a message or a timer; then the value is this.
    Wait(Term),
    /// The Machine does something about code; its answer is the builtin's value.
    Code(Box<CodeRequest>),
    /// To be called again when this module is loaded, or `module_missing` says that it is not
    /// there.
    NeedModule(Atom),
    /// The process ends now.
    Exit,
    /// The whole node ends.
    Halt(i32),
    /// This is not supported: what the builtin cannot do.
    Unsupported(String),
    /// A function that is native in OTP, and not there.
    Absent(Mfa),
}

pub type Return = Result<Term, Box<Stop>>;

impl From<Exception> for Box<Stop> {
    fn from(exception: Exception) -> Box<Stop> {
        Box::new(Stop::Raise(exception))
    }
}

impl From<Control> for Box<Stop> {
    fn from(control: Control) -> Box<Stop> {
        Box::new(Stop::Control(control))
    }
}
