//! Terms over several lines: `io_lib_pretty:print`, `io_lib:print/1,4`, `~p` and `~P`; and terms
//! limited to a number of characters, also on one line.

use crate::{Boxed, Term, View};

use super::layout::{Page, Writer, tag_indent};
use super::measure::{Measure, Settings};
pub use super::measure::{Records, is_printable_list};
use super::sink::Sink;
use super::{Encoding, Printable, Result, write};

/// How a term is laid out. Numbers that may be missing are negative then.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The column where it starts, from 1.
    pub column: i64,
    /// Columns of a line; 0 for one line.
    pub line_length: i64,
    pub depth: i64,
    /// Characters on a line without its indentation.
    pub line_max_chars: i64,
    /// Characters altogether, roughly.
    pub chars_limit: i64,
    pub records: Option<&'a Records>,
    pub encoding: Encoding,
    /// Whether lists and binaries of printable characters are shown as strings.
    pub strings: bool,
    pub printable: Printable,
}

impl Default for Options<'_> {
    /// As `~tp` does it at the start of a line.
    fn default() -> Self {
        Options {
            column: 1,
            line_length: 80,
            depth: -1,
            line_max_chars: -1,
            chars_limit: -1,
            records: None,
            encoding: Encoding::Unicode,
            strings: true,
            printable: Printable::Latin1,
        }
    }
}

/// Writes a term over as many lines as it takes.
pub fn print(term: &Term, options: &Options<'_>, out: &mut impl Sink) -> Result<()> {
    if options.depth == 0 || options.chars_limit == 0 {
        out.text("...");
        return Ok(());
    }
    match term.view() {
        View::Nil
        | View::Cons(_)
        | View::Tuple(_)
        | View::Map(_)
        | View::Bits(_)
        | View::Boxed(Boxed::Record(_)) => {}
        View::Atom(atom) => {
            out.text(&write::atom_text(atom.as_str(), options.encoding));
            return Ok(());
        }
        _ => {
            write::write(term, -1, Encoding::Latin1, out);
            return Ok(());
        }
    }
    let column = options.column.max(1);
    let mut measure = Measure::new(Settings {
        encoding: options.encoding,
        strings: options.strings,
        printable: options.printable,
        records: options.records,
    });
    let root = measure.measure(term, options.depth, options.chars_limit)?;
    let tree = &measure.tree;
    let len = tree.len(root);
    let max_chars = if options.line_max_chars < 0 { len } else { options.line_max_chars };
    let width = options.line_length;
    let mut page = Page { width, max_chars, tag_indent: 0 };
    if width == 0 || len < width - column && len <= max_chars {
        Writer::new(tree, page, out).one_line(root);
    } else {
        page.tag_indent = tag_indent(tree, root, column, page);
        Writer::new(tree, page, out).lines(root, column);
    }
    Ok(())
}

/// `io_lib:write(Term, Options)`: on one line, within a number of characters if that is not
/// negative.
pub fn write_limited(
    term: &Term,
    depth: i64,
    chars_limit: i64,
    encoding: Encoding,
    out: &mut impl Sink,
) -> Result<()> {
    if depth == 0 || chars_limit == 0 {
        out.text("...");
        return Ok(());
    }
    if chars_limit < 0 {
        write::write(term, depth, encoding, out);
        return Ok(());
    }
    let settings =
        Settings { encoding, strings: false, printable: Printable::Latin1, records: None };
    let mut measure = Measure::new(settings);
    let root = measure.measure(term, depth, chars_limit)?;
    let page = Page { width: 0, max_chars: 0, tag_indent: 0 };
    Writer::new(&measure.tree, page, out).one_line(root);
    Ok(())
}

/// A term as `~tp` prints it.
pub fn to_string(term: &Term) -> String {
    let mut text = String::new();
    // Fails only for records that do not fit, of which there are none.
    let _ = print(term, &Options::default(), &mut text);
    text
}
