//! Functions that are native.
//!
//! One file an area, each with a table of its functions; `row.rs` says what a row has. A builtin
//! takes the [`Ctx`] and its arguments and returns a value, an exception, or a request to the
//! interpreter ([`crate::control::Control`]).

pub mod absent;
mod atomics;
mod code;
mod contract;
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
pub(crate) mod modules;
mod names;
mod native_modules;
mod node;
mod os;
mod otp_bifs;
mod output;
mod persistent_term;
mod ports;
pub(crate) mod process;
mod raising;
pub(crate) mod re;
mod row;
mod suspend;
mod time;
pub(crate) mod zlib;

use term::Term;

pub(crate) use info::asks_for_nothing;
pub(crate) use row::{Asks, Entry, Seen, Sends, builtins};
pub use row::{Builtin, BuiltinFn, ReadingFn, Told};
pub(crate) use time::shows;

use crate::code_space::CodeSpace;
pub use crate::control::{Control, Return, Start, Stop};
use crate::exception::Exception;
use crate::process::Process;
use crate::signals::Node;
use crate::state::State;

/// What a builtin can reach.
pub struct Ctx<'a> {
    pub(crate) code: &'a CodeSpace,
    pub(crate) s: &'a mut State,
    /// The process that called it.
    pub(crate) p: &'a mut Process,
}

impl Ctx<'_> {
    /// A new reference, which no message of now can hold.
    pub(crate) fn new_ref(&mut self) -> term::Ref {
        let reference = self.s.new_ref();
        self.p.marks.made(reference, self.p.mailbox.len());
        reference
    }

    /// All processes, the calling one included.
    pub(crate) fn node(&mut self) -> Node<'_> {
        Node { code: self.code, s: self.s, me: Some(self.p) }
    }
}

/// Every builtin.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    [
        atomics::ATOMICS,
        atomics::COUNTERS,
        code::TABLE,
        contract::TABLE,
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
        os::TABLE,
        os::VISIBLE,
        output::ERLANG,
        output::LOGGER,
        output::TABLE,
        output::VISIBLE,
        persistent_term::TABLE,
        ports::ASKED,
        ports::NATIVE,
        ports::OWN,
        ports::TABLE,
        process::SYSTEM_TASKS,
        process::TABLE,
        process::VISIBLE,
        raising::TABLE,
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
pub(crate) fn badarg<T>() -> Result<T, Box<Stop>> {
    Err(Exception::badarg().into())
}

/// The text of a string (a list of code points), if it is one.
pub fn text_of(term: &Term) -> Option<String> {
    let mut elements = term.elements();
    let text: Option<String> =
        elements.by_ref().map(|c| char::from_u32(u32::try_from(c.as_int()?).ok()?)).collect();
    text.filter(|_| elements.is_proper())
}
