//! The instructions of guards and bodies: a stack machine.

use term::Term;

use crate::builtins::BuiltinFn;

#[derive(Clone)]
pub(crate) enum Op {
    Push(Term),
    /// The value of a variable.
    Variable(usize),
    /// `'$_'`: the whole object, or the list of arguments.
    Whole,
    /// `'$$'`: the values of all variables, in the order of their numbers.
    All(Vec<usize>),
    /// The elements are on the stack, the first on top.
    Tuple(usize),
    /// The head is on the stack, above it the tail.
    Cons,
    /// Keys and values are on the stack: the value above its key.
    Map(usize),
    /// The arguments are on the stack, the first on top.
    Call {
        run: BuiltinFn,
        arity: usize,
    },
    /// All of so many values are true.
    And(usize),
    Or(usize),
    /// If the value on top is `false` (or no boolean) it is the result: go on there.
    AndAlso(usize),
    OrElse(usize),
    Jump(usize),
    SelfPid,
    /// A guard: go on if the value is `true`.
    Check,
    /// The value is not wanted.
    Drop,
    /// The value is the result of the clause.
    Return,
    Action(Action),
}

/// What bodies can do when tracing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Action {
    ReturnTrace,
    ExceptionTrace,
    IsSeqTrace,
    SetSeqToken,
    GetSeqToken,
    Display,
    Silent,
    Caller,
    CallerLine,
    /// Asks for what the Machine does not have: its name.
    Unsupported(&'static str),
}

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Op::Push(term) => write!(f, "push {term:?}"),
            Op::Variable(slot) => write!(f, "variable {slot}"),
            Op::Whole => f.write_str("whole"),
            Op::All(slots) => write!(f, "all {slots:?}"),
            Op::Tuple(size) => write!(f, "tuple {size}"),
            Op::Cons => f.write_str("cons"),
            Op::Map(size) => write!(f, "map {size}"),
            Op::Call { arity, .. } => write!(f, "call /{arity}"),
            Op::And(count) => write!(f, "and {count}"),
            Op::Or(count) => write!(f, "or {count}"),
            Op::AndAlso(to) => write!(f, "andalso {to}"),
            Op::OrElse(to) => write!(f, "orelse {to}"),
            Op::Jump(to) => write!(f, "jump {to}"),
            Op::SelfPid => f.write_str("self"),
            Op::Check => f.write_str("check"),
            Op::Drop => f.write_str("drop"),
            Op::Return => f.write_str("return"),
            Op::Action(action) => write!(f, "{action:?}"),
        }
    }
}
