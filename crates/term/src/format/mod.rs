//! Terms as text, the way OTP 25's `io_lib` writes them, to the letter.
//!
//! * [`mod@write`]: on one line (`~w`, `~W`, `io_lib:write`).
//! * [`pretty`]: over several lines, strings as strings (`~p`, `~P`, `io_lib:print`), also with a
//!   limit on the number of characters.
//! * [`directive`] reads format strings, [`build`] fills them in.
//! * [`float`]: the digits of floats.
//! * [`erts`]: how the emulator itself writes terms (`erlang:display/1`).
//! * [`chardata`]: the text that terms stand for (`~s`, `~ts`).
//!
//! Text is written into a [`sink::Sink`]: a plain string, or the deep list of characters that
//! Erlang programs get, nested as OTP nests it.
//!
//! Nothing recurses on the thread's stack over the depth of a term, and everything is linear in the
//! size of the term and of the text, but for the indentation of what is nested deep.

pub mod build;
pub mod chardata;
pub mod directive;
pub mod erts;
pub mod float;
mod layout;
mod measure;
pub mod pretty;
pub mod sink;
mod tree;
pub mod write;

/// Which characters are written as they are, and which are escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Without the modifier `t`.
    Latin1,
    Unicode,
}

/// Which lists and binaries are shown as strings where Unicode may be written
/// (`io:printable_range/0`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Printable {
    #[default]
    Latin1,
    Unicode,
}

/// The arguments do not fit the format, or what is to be written is no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadArgument;

pub type Result<T> = std::result::Result<T, BadArgument>;

/// The widest field and the highest precision that are filled. OTP would try more, and run out of
/// memory.
pub const MAX_WIDTH: i64 = 1 << 27;
