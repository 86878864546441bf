//! Standard output and standard error.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use crate::args::Color;
use crate::exit::Exit;

/// Standard output, buffered.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

pub(crate) fn write_all(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(bytes)?;
    out.flush()
}

/// Whether to colour what goes to a stream.
pub(crate) fn coloured(color: Color, stream: &impl IsTerminal) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            stream.is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

/// A line on standard error. If nobody can read it, nobody wants it.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "erlscope: {message}");
}

/// Output could not be written. A reader that went away (`erlscope check | head`) is no failure to
/// speak of: there is nothing more to say, and nobody to say it to.
pub(crate) fn failed(error: &io::Error) -> Exit {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Exit::NothingFound;
    }
    complain(&format!("cannot write: {error}"));
    Exit::Unusable
}
