//! From the diagnostics of each module to one finished document.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use syntax::diagnostic::{Diagnostic, Severity};
use syntax::source::SourceFile;
use syntax::wording::counted;

use crate::{json, sarif, short, text};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Source excerpts, for people.
    Text,
    /// One line each.
    Short,
    Json,
    /// SARIF 2.1.0.
    Sarif,
}

/// Something that kept input from being looked at: a path that is not there, a broken
/// `rebar.config`. It has no place in a module.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Problem {
    pub path: String,
    pub message: String,
}

impl From<&program::project::Problem> for Problem {
    fn from(problem: &program::project::Problem) -> Problem {
        // The number of a system error tells nothing that its text does not.
        let message = problem.message.split(" (os error ").next().unwrap_or_default();
        Problem { path: problem.path.display().to_string(), message: message.to_owned() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// What it came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Summary {
    pub modules: usize,
    pub errors: usize,
    pub warnings: usize,
    /// False if the work was interrupted.
    pub complete: bool,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let interrupted = if self.complete { "" } else { "interrupted: " };
        write!(
            f,
            "{interrupted}checked {}, {}, {}",
            counted(self.modules as u64, "module"),
            counted(self.errors as u64, "error"),
            counted(self.warnings as u64, "warning")
        )
    }
}

/// Makes pieces of output; can be shared by threads.
#[derive(Clone, Copy, Debug)]
pub struct Renderer {
    pub format: Format,
    pub colour: bool,
}

/// The finished pieces of one module or other file.
#[derive(Debug, Default)]
pub struct Rendered {
    pieces: Vec<String>,
    /// In text for people: the module lacks headers of dependencies that are not fetched. That is
    /// shown of the first such module only.
    unfetched: Vec<String>,
    codes: BTreeSet<&'static str>,
    errors: usize,
    warnings: usize,
}

impl Rendered {
    /// The pieces one after the other.
    pub fn text(&self) -> String {
        self.pieces.concat() + &self.unfetched.concat()
    }
}

impl Renderer {
    /// Diagnostics are shown in the order given.
    pub fn render<'a>(
        &self,
        files: &[SourceFile],
        diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    ) -> Rendered {
        let mut rendered = Rendered::default();
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Error => rendered.errors += 1,
                Severity::Warning => rendered.warnings += 1,
            }
            rendered.codes.insert(diagnostic.code);
            let is_unfetched = diagnostic.severity == Severity::Error
                && diagnostic.code == program::project::unfetched::CODE;
            let pieces = match self.format {
                Format::Text if is_unfetched => &mut rendered.unfetched,
                _ => &mut rendered.pieces,
            };
            pieces.push(match self.format {
                Format::Text => text::render(files, diagnostic, self.colour),
                Format::Short => short::render(files, diagnostic),
                Format::Json => json::render(files, diagnostic),
                Format::Sarif => sarif::render(files, diagnostic),
            });
        }
        rendered
    }
}

/// A document being written.
pub struct Report<W> {
    out: W,
    format: Format,
    /// Whether a piece has been written, so that the next one needs a comma.
    started: bool,
    codes: BTreeSet<&'static str>,
    /// How many modules lack headers of dependencies that are not fetched.
    unfetched: usize,
    summary: Summary,
}

impl<W: Write> Report<W> {
    /// Writes what comes before the first module. `command` is named in JSON.
    pub fn begin(mut out: W, format: Format, command: &str) -> io::Result<Report<W>> {
        match format {
            Format::Text | Format::Short => {}
            Format::Json => out.write_all(json::head(command).as_bytes())?,
            Format::Sarif => out.write_all(sarif::head().as_bytes())?,
        }
        let summary = Summary { modules: 0, errors: 0, warnings: 0, complete: true };
        Ok(Report { out, format, started: false, codes: BTreeSet::new(), unfetched: 0, summary })
    }

    /// Writes what was found in a module.
    pub fn module(&mut self, rendered: Rendered) -> io::Result<()> {
        self.summary.modules += 1;
        self.other(rendered)
    }

    /// Writes what was found in a file that is no module, such as a `rebar.config`.
    pub fn other(&mut self, rendered: Rendered) -> io::Result<()> {
        let Rendered { mut pieces, unfetched, codes, errors, warnings } = rendered;
        if !unfetched.is_empty() {
            self.unfetched += 1;
            if self.unfetched == 1 {
                pieces.extend(unfetched);
            }
        }
        self.summary.errors += errors;
        self.summary.warnings += warnings;
        self.codes.extend(codes);
        for piece in pieces {
            if matches!(self.format, Format::Json | Format::Sarif) {
                self.out.write_all(if self.started { b",\n" } else { b"\n" })?;
                self.started = true;
            }
            self.out.write_all(piece.as_bytes())?;
        }
        Ok(())
    }

    /// Writes what comes after the last module. In text formats the closing line is left to the
    /// caller, who knows where it belongs.
    pub fn finish(mut self, problems: &[Problem], complete: bool) -> io::Result<Summary> {
        self.summary.complete = complete;
        match self.unfetched.saturating_sub(1) {
            0 => {}
            1 => writeln!(self.out, "1 more module lacks headers of these dependencies\n")?,
            more => writeln!(self.out, "{more} more modules lack headers of these dependencies\n")?,
        }
        if self.started {
            self.out.write_all(b"\n")?;
        }
        match self.format {
            Format::Text | Format::Short => {}
            Format::Json => {
                self.out.write_all(json::tail(problems, &self.summary).as_bytes())?;
            }
            Format::Sarif => {
                let tail = sarif::tail(&self.codes, problems, &self.summary);
                self.out.write_all(tail.as_bytes())?;
            }
        }
        self.out.flush()?;
        Ok(self.summary)
    }
}
