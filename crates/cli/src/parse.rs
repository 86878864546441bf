//! `erlscope parse`: one module as the front end reads it.

use std::io::{self, Write};

use report::{Format, Renderer};
use session::reading::{Reader, read_one};
use syntax::ast::Module;
use syntax::diagnostic::Severity;
use syntax::{abstract_format, json, tree_print, unparse};

use crate::args::{Parse, ParseFormat};
use crate::exit::Exit;
use crate::front::Failure;
use crate::output;

pub(crate) fn run(arguments: &Parse) -> Result<Exit, Failure> {
    let reader = Reader::new(&arguments.reading.request())?;
    let module = read_one(&arguments.file, io::stdin().lock(), &reader)?;
    let mut out = Vec::new();
    write(&module, arguments.format, reader.release(), &mut out)?;
    output::write_bytes(arguments.output.as_deref(), &out)?;
    // What is wrong with the module is said beside the output, which other programs may read.
    let renderer = Renderer { format: Format::Short, colour: false };
    let found = renderer.render(&module.files, &module.diagnostics);
    io::stderr().write_all(found.text().as_bytes())?;
    let mut found = module.diagnostics.iter();
    let has_errors = found.any(|found| found.severity == Severity::Error);
    Ok(if has_errors { Exit::SomethingFound } else { Exit::NothingFound })
}

fn write(
    module: &Module,
    format: ParseFormat,
    release: u32,
    out: &mut impl Write,
) -> io::Result<()> {
    match format {
        ParseFormat::Tree => out.write_all(tree_print::module(module).as_bytes()),
        ParseFormat::Source => out.write_all(unparse::module(module).as_bytes()),
        ParseFormat::Preprocessed => {
            // `unparse` leaves out the first attribute, which every reading of a file makes anew.
            if let Some(&first) = module.forms.first() {
                writeln!(out, "{}\n", unparse::node(module, first))?;
            }
            out.write_all(unparse::module(module).as_bytes())
        }
        ParseFormat::Abstract => {
            let format = abstract_format::Format { release, ..Default::default() };
            let mut text = Text { out, error: None };
            let written = abstract_format::write_module(module, format, &mut text);
            match (written, text.error) {
                (_, Some(error)) => Err(error),
                (written, None) => written.map_err(io::Error::other),
            }
        }
        ParseFormat::Json => json::write_module(module, out),
    }
}

/// Text to a stream of bytes, keeping the error that text cannot tell of.
struct Text<'a, W> {
    out: &'a mut W,
    error: Option<io::Error>,
}

impl<W: Write> std::fmt::Write for Text<'_, W> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            std::fmt::Error
        })
    }
}
