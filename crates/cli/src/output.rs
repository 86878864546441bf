//! Standard output and standard error.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::args::Color;
use crate::exit::Exit;
use crate::guard;

/// Standard output, buffered.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Standard output, line by line; what is not written yet is told should the command be cut off.
#[derive(Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<u8>>>);

/// More is written at once.
const MOST_BUFFERED: usize = 1 << 16;

impl Lines {
    pub(crate) fn line(&self, line: &str) -> io::Result<()> {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buffer.extend_from_slice(line.as_bytes());
        buffer.push(b'\n');
        if buffer.len() < MOST_BUFFERED {
            return Ok(());
        }
        guard::piece(|| write(&std::mem::take(&mut *buffer)))
    }

    /// Writes the rest.
    pub(crate) fn finish(&self) -> io::Result<()> {
        guard::document(|| write(self.rest().as_bytes()))
    }

    /// What is not written yet.
    pub(crate) fn rest(&self) -> String {
        let mut buffer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8(std::mem::take(&mut *buffer)).unwrap_or_default()
    }
}

/// Writes a part of what is told.
pub(crate) fn write_all(bytes: &[u8]) -> io::Result<()> {
    guard::piece(|| write(bytes))
}

/// Writes all that is told.
pub(crate) fn document(bytes: &[u8]) -> io::Result<()> {
    guard::document(|| write(bytes))
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes a document to a file, or to standard output.
pub(crate) fn write_document(file: Option<&Path>, text: &str) -> Result<(), String> {
    match file {
        Some(path) => {
            std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
        }
        None => match document(text.as_bytes()) {
            // A reader that went away has what it wanted.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
            _ => Ok(()),
        },
    }
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
