//! Standard output and standard error.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::args::Color;
use crate::exit::Exit;
use crate::front::Failure;
use crate::guard;

/// Standard output, buffered.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Standard output, line by line; what is not written yet is told should the command be cut off.
#[derive(Clone, Default)]
pub(crate) struct Lines {
    buffer: Arc<Mutex<Vec<u8>>>,
    /// Where they go, if that is not standard output.
    file: Option<Arc<Mutex<File>>>,
}

/// More is written at once.
const MOST_BUFFERED: usize = 1 << 16;

impl Lines {
    /// Lines that go to a file, or to standard output.
    pub(crate) fn to(file: Option<&Path>) -> Result<Lines, Failure> {
        let cannot = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
        let create = |path: &Path| File::create(path).map_err(|error| cannot(path, error));
        let file = file.map(create).transpose().map_err(Failure::Use)?;
        Ok(Lines { file: file.map(|file| Arc::new(Mutex::new(file))), ..Lines::default() })
    }

    pub(crate) fn line(&self, line: &str) -> io::Result<()> {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
        buffer.extend_from_slice(line.as_bytes());
        buffer.push(b'\n');
        if buffer.len() < MOST_BUFFERED {
            return Ok(());
        }
        guard::piece(|| self.write(&std::mem::take(&mut *buffer)))
    }

    /// Writes the rest.
    pub(crate) fn finish(&self) -> io::Result<()> {
        guard::document(|| self.write(self.rest().as_bytes()))
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        match &self.file {
            Some(file) => file.lock().unwrap_or_else(PoisonError::into_inner).write_all(bytes),
            None => write(bytes),
        }
    }

    /// What is not written yet.
    pub(crate) fn rest(&self) -> String {
        let mut buffer = self.buffer.lock().unwrap_or_else(PoisonError::into_inner);
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
pub(crate) fn write_document(file: Option<&Path>, text: &str) -> Result<(), Failure> {
    write_bytes(file, text.as_bytes())
}

/// The same for what need not be text.
pub(crate) fn write_bytes(file: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    match file {
        Some(path) => std::fs::write(path, bytes)
            .map_err(|error| Failure::Use(format!("{}: {error}", path.display()))),
        None => match document(bytes) {
            // A reader that went away has what it wanted.
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
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
