//! Functions that are native.
//!
//! One file an area, each with a table of its functions. A builtin takes the [`Ctx`] and its
//! arguments and returns a value, an exception, or a request to the interpreter
//! ([`crate::control::Control`]).

pub mod absent;
mod atomics;
mod code;
pub(crate) mod crypto;
pub(crate) mod data;
mod dictionary;
mod emulator;
mod ets;
mod file;
pub mod front;
mod info;
mod internal_state;
mod io_lib;
mod later;
mod names;
mod native_modules;
mod node;
mod os;
mod otp_bifs;
mod output;
mod persistent_term;
pub(crate) mod process;
pub(crate) mod re;
mod suspend;
mod time;
pub(crate) mod zlib;

use term::Term;

use crate::code_space::CodeSpace;
pub use crate::control::{Control, Return, Start, Stop};
use crate::exception::Exception;
use crate::process::Process;
use crate::signals::Node;
use crate::state::State;

/// What a builtin can reach.
pub struct Ctx<'a> {
    pub code: &'a CodeSpace,
    pub s: &'a mut State,
    /// The process that called it.
    pub p: &'a mut Process,
}

impl Ctx<'_> {
    /// A new reference, which no message of now can hold.
    pub fn new_ref(&mut self) -> term::Ref {
        let reference = self.s.new_ref();
        self.p.marks.made(reference, self.p.mailbox.len());
        reference
    }

    /// All processes, the calling one included.
    pub fn node(&mut self) -> Node<'_> {
        Node { code: self.code, s: self.s, me: Some(self.p) }
    }
}

/// The arguments are the builtin's own: it may take them out to change them in place. One that fails
/// must leave them as they were, because the stack trace shows them.
pub type BuiltinFn = fn(&mut Ctx<'_>, &mut [Term]) -> Return;

/// A builtin that only looks at its arguments.
pub type ReadingFn = fn(&mut Ctx<'_>, &[Term]) -> Return;

#[derive(Clone, Copy)]
pub struct Builtin {
    pub module: &'static str,
    pub name: &'static str,
    pub arity: u32,
    pub run: BuiltinFn,
    /// Whether other processes can see that it happened: then it is a point of choice for a
    /// scheduler.
    pub visible: bool,
    /// Whether it reads a clock: see `step/time.rs`.
    pub is_clock: bool,
}

impl Builtin {
    /// Whether it has no entry of its own in stack traces: because it exists to raise an exception,
    /// or because it is part of a library function, which has one.
    pub fn is_raising(&self) -> bool {
        self.module == "erlscope_native"
            || self.module == "erlang"
                && matches!(
                    (self.name, self.arity),
                    ("error" | "nif_error", _) | ("exit" | "throw", 1) | ("raise", 3)
                )
    }

    /// Whether it is no function but what an expression does: nobody is told of a call.
    pub fn is_operation(&self) -> bool {
        self.module == "erlscope_native"
            && matches!(
                self.name,
                "record_new"
                    | "record_create"
                    | "record_get"
                    | "record_update"
                    | "record_is"
                    | "generator_pairs"
            )
    }

    /// Whether it is Erlang code in OTP. Called in tail position, such a function takes the place of
    /// its caller in stack traces; a real builtin does not.
    pub fn is_library(&self) -> bool {
        let (name, arity) = (self.name, self.arity);
        match self.module {
            "lists" => !matches!(
                (name, arity),
                ("member" | "reverse", 2) | ("keyfind" | "keymember" | "keysearch", 3)
            ),
            "maps" => matches!(
                (name, arity),
                ("get", 3)
                    | ("to_list" | "size" | "iterator" | "next", 1)
                    | ("new", 0)
                    | ("intersect" | "with" | "without", 2)
            ),
            "binary" => matches!(name, "bin_to_list" | "encode_hex" | "decode_hex" | "replace"),
            "unicode" => {
                !matches!((name, arity), ("characters_to_list" | "characters_to_binary", 2))
            }
            "unicode_util" | "io_lib" => true,
            _ => false,
        }
    }
}

/// Makes a table of builtins: `name/arity => function`. A function is a [`ReadingFn`], or in a table
/// that says `in_place`, a [`BuiltinFn`]. Those of a table that says `clock` read one.
macro_rules! builtins {
    ($module:literal, visible: $visible:literal, in_place; $($name:literal / $arity:literal => $run:expr),* $(,)?) => {
        &[$($crate::builtins::Builtin {
            module: $module,
            name: $name,
            arity: $arity,
            run: $run,
            visible: $visible,
            is_clock: false,
        }),*]
    };
    ($module:literal, clock; $($name:literal / $arity:literal => $run:expr),* $(,)?) => {
        &[$($crate::builtins::Builtin {
            module: $module,
            name: $name,
            arity: $arity,
            run: |cx, args| {
                let run: $crate::builtins::ReadingFn = $run;
                run(cx, args)
            },
            visible: false,
            is_clock: true,
        }),*]
    };
    ($module:literal, visible: $visible:literal; $($name:literal / $arity:literal => $run:expr),* $(,)?) => {
        &[$($crate::builtins::Builtin {
            module: $module,
            name: $name,
            arity: $arity,
            run: |cx, args| {
                let run: $crate::builtins::ReadingFn = $run;
                run(cx, args)
            },
            visible: $visible,
            is_clock: false,
        }),*]
    };
}
pub(crate) use builtins;

/// Every builtin.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    [
        atomics::ATOMICS,
        atomics::COUNTERS,
        code::TABLE,
        code::NATIVE,
        code::VISIBLE,
        crypto::TABLE,
        dictionary::TABLE,
        file::FILE,
        file::HANDLES,
        file::NAMES,
        file::PATHS,
        front::TABLE,
        emulator::TABLE,
        info::TABLE,
        names::TABLE,
        info::VISIBLE,
        internal_state::TABLE,
        io_lib::IO_LIB,
        io_lib::TABLE,
        native_modules::TABLE,
        node::TABLE,
        os::NATIVE,
        os::PORTS,
        os::TABLE,
        os::VISIBLE,
        output::ERLANG,
        output::LOGGER,
        output::TABLE,
        output::VISIBLE,
        persistent_term::TABLE,
        process::SYSTEM_TASKS,
        process::TABLE,
        process::VISIBLE,
        re::TABLE,
        suspend::VISIBLE,
        time::CLOCKS,
        time::OS,
        time::TABLE,
        time::VISIBLE,
        zlib::TABLE,
    ]
    .into_iter()
    .chain(data::TABLES.iter().copied())
    .chain(ets::TABLES.iter().copied())
    .flatten()
}

/// The usual complaint about an argument.
pub fn badarg<T>() -> Result<T, Box<Stop>> {
    Err(Exception::badarg().into())
}

/// The text of a string (a list of code points), if it is one.
pub fn text_of(term: &Term) -> Option<String> {
    let mut elements = term.elements();
    let text: Option<String> =
        elements.by_ref().map(|c| char::from_u32(u32::try_from(c.as_int()?).ok()?)).collect();
    text.filter(|_| elements.is_proper())
}
