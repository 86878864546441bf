//! Sequences of calls as inputs: what a client does with a server.
//!
//! A sequence is a list of tuples, a call each: the name of a function and its arguments,
//! `[{put, a, 1}, {get, a}]`. It is an input like any other: made from a type, mutated and shrunk
//! as a list. An argument may be what an earlier call gave, `{'$result', N}`, calls counted from 1;
//! a call that asks for what is not there yet is left out. Every process is the server.
//!
//! A server that offers its clients no functions is sent messages: `{'$call', Server, Request}`,
//! `{'$cast', Server, Message}` and `{'$info', Server, Message}` ([`Sending`]).

use std::sync::Arc;

use atom::Atom;
use types::Type;
use types::ty::{Tuples, Union};

use crate::{Input, text};

/// A function that a client may call.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Atom,
    pub args: Vec<Type>,
    pub result: Type,
}

/// The mark of what an earlier call gave.
pub const RESULT: &str = "$result";

/// How a message is sent to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    Call,
    Cast,
    Info,
}

impl Sending {
    /// Each of them.
    pub const ALL: [Sending; 3] = [Sending::Call, Sending::Cast, Sending::Info];

    /// What stands for it in a sequence.
    fn mark(self) -> &'static str {
        match self {
            Sending::Call => "$call",
            Sending::Cast => "$cast",
            Sending::Info => "$info",
        }
    }

    /// The callback of a `gen_server` that takes such messages as its first argument.
    pub fn callback(self) -> (Atom, u32) {
        match self {
            Sending::Call => (Atom::new("handle_call"), 3),
            Sending::Cast => (Atom::new("handle_cast"), 2),
            Sending::Info => (Atom::new("handle_info"), 2),
        }
    }

    /// A function of sequences that sends a message of a type.
    pub fn function(self, message: Type) -> Function {
        let server = Union { pids: true, ..Union::default() }.into_type();
        Function { name: Atom::new(self.mark()), args: vec![server, message], result: Type::Any }
    }

    fn text(self, server: &str, message: &str) -> String {
        match self {
            Sending::Call => format!("gen_server:call({server}, {message})"),
            Sending::Cast => format!("gen_server:cast({server}, {message})"),
            Sending::Info => format!("{server} ! {message}"),
        }
    }
}

/// Calls whose results may be asked for.
const MOST_RESULTS: i64 = 8;

/// The type of sequences of calls of some functions.
pub fn sequences(functions: &[Function]) -> Type {
    let mut calls: Vec<Arc<[Type]>> = Vec::new();
    for function in functions {
        let args = function.args.iter().map(|arg| with_results(arg, functions));
        calls.push([Type::the_atom(function.name)].into_iter().chain(args).collect());
    }
    calls.sort_by_key(|call| (call.len(), call.first().and_then(Type::single_atom)));
    calls.dedup_by_key(|call| (call.len(), call.first().and_then(Type::single_atom)));
    let tuples = Tuples::Some(calls);
    Type::list(Union { tuples, ..Union::default() }.into_type())
}

/// The type of an argument, with what a call gave where some call gives what is wanted and no
/// data is: references, funs, and opaque values cannot be made up.
fn with_results(arg: &Type, functions: &[Function]) -> Type {
    let cannot_be_made = |ty: &Type| {
        let parts = ty.parts();
        !ty.is_any() && (parts.references || is_opaque(ty))
    };
    let is_given = functions.iter().any(|function| !function.result.meet(arg).is_none());
    // A tuple of two would be one with the mark.
    let is_pair = arg.parts().tuples.of_size(2).is_none_or(|mut pairs| pairs.next().is_some());
    if !cannot_be_made(arg) || !is_given || is_pair {
        return arg.clone();
    }
    let numbers = Type::integers(Some(1), Some(MOST_RESULTS));
    arg.join(&Type::tuple(vec![Type::the_atom(Atom::new(RESULT)), numbers]))
}

fn is_opaque(ty: &Type) -> bool {
    match ty {
        Type::Named(named) => {
            matches!(named.what, types::ty::What::Type { opaque: true, .. })
        }
        _ => false,
    }
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument<'i> {
    Value(&'i Input),
    /// What an earlier call gave, from 0.
    Result(usize),
}

/// The calls of a sequence: functions and their arguments. What is no call is left out.
pub fn calls(sequence: &Input) -> Vec<(Atom, Vec<Argument<'_>>)> {
    let Input::List(elements, _) = sequence else { return Vec::new() };
    let calls = elements.iter().filter_map(|element| match element {
        Input::Tuple(parts) => match &parts[..] {
            [Input::Atom(name), args @ ..] => Some((*name, args)),
            _ => None,
        },
        _ => None,
    });
    calls.map(|(name, args)| (name, args.iter().map(argument).collect())).collect()
}

fn argument(input: &Input) -> Argument<'_> {
    if let Input::Tuple(parts) = input
        && let [Input::Atom(mark), number] = &parts[..]
        && mark.as_str() == RESULT
        && let Some(number @ 1..) = number.as_i64()
    {
        return Argument::Result(number as usize - 1);
    }
    Argument::Value(input)
}

/// A sequence as Erlang text: a call a line, with variables where results are used.
pub fn to_text(module: Atom, start: &str, sequence: &Input) -> String {
    let calls = calls(sequence);
    let used = |place: usize| {
        calls.iter().flat_map(|call| &call.1).any(|arg| *arg == Argument::Result(place))
    };
    let mut lines = vec![start.to_owned()];
    for (place, (name, args)) in calls.iter().enumerate() {
        let args: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                Argument::Value(input) => {
                    let mut out = String::new();
                    text::write(input, &mut out);
                    with_server(&out)
                }
                Argument::Result(place) => format!("R{}", place + 1),
            })
            .collect();
        let bound = if used(place) { format!("R{} = ", place + 1) } else { String::new() };
        let quote = |name: Atom| atom::quote::atom(name.as_str());
        let sending = Sending::ALL.into_iter().find(|sending| sending.mark() == name.as_str());
        let call = match (sending, &args[..]) {
            (Some(sending), [server, message]) => sending.text(server, message),
            _ => format!("{}:{}({})", quote(module), quote(*name), args.join(", ")),
        };
        lines.push(format!("{bound}{call}"));
    }
    lines.join(",\n")
}

/// The text of an argument, in which every process is the server.
fn with_server(text: &str) -> String {
    let call = format!("{}:process(", crate::input::MODULE);
    let mut parts = text.split(call.as_str());
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str("Server");
        shown.push_str(part.split_once(')').map_or("", |(_, rest)| rest));
    }
    shown
}
