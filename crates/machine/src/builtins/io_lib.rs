//! Formatting for the library's `io_lib` and `io_lib_pretty` (`erlscope_native`), and the functions
//! of `io_lib` that are native as they are.
//!
//! Where the arguments do not fit, the answer is the atom `badarg`; the Erlang side raises the
//! exception, so that it shows OTP's function and line.

use std::collections::BTreeSet;

use atom::Atom;
use term::format::pretty::{Options, Records, is_printable_list};
use term::format::sink::{CharList, Sink};
use term::format::{BadArgument, Encoding, Printable, build, chardata, directive, pretty, write};
use term::{Boxed, Term, View};

use super::{Builtin, Ctx, Return, badarg, builtins};
use crate::builtins::row::HIDDEN;

pub(super) const TABLE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "format"/3 => |_, args| answer(format(args)),
    "scan_format"/2 =>
        |_, args| answer(directive::scan(&args[0], &args[1]).map(directive::to_term)),
    "build_text"/2 => |_, args| answer(build_text(args)),
    "print"/2 => |_, args| answer(print(args)),
    "write"/2 => |_, args| answer(write_with_options(args)),
    "record_tags"/1 => |_, args| Ok(record_tags(&args[0])),
);

pub(super) const IO_LIB: &[Builtin] = builtins!(IO_LIB, HIDDEN;
    "write"/1 => |_, args| Ok(text(|out| write::write(&args[0], -1, Encoding::Latin1, out))),
    "write_atom"/1 => |_, args| write_atom(&args[0], Encoding::Unicode),
    "write_atom_as_latin1"/1 => |_, args| write_atom(&args[0], Encoding::Latin1),
    "printable_latin1_list"/1 => |_, args| printable(&args[0], Printable::Latin1),
    "printable_unicode_list"/1 => |_, args| printable(&args[0], Printable::Unicode),
    "printable_list"/1 => |cx, args| printable(&args[0], printable_range(cx)),
    "deep_char_list"/1 => |_, args| Ok(Term::bool(build::is_deep_char_list(&args[0]))),
    "chars_length"/1 => chars_length,
    "nl"/0 => |_, _| Ok(Term::string("\n")),
);

/// What `io:printable_range/0` says.
fn printable_range(_: &Ctx<'_>) -> Printable {
    Printable::Latin1
}

type Answer = Result<Term, BadArgument>;

fn answer(answer: Answer) -> Return {
    Ok(answer.unwrap_or_else(|BadArgument| Term::atom("badarg")))
}

fn text(write: impl FnOnce(&mut CharList)) -> Term {
    let mut out = CharList::default();
    write(&mut out);
    out.finish()
}

/// The value of `{Name, Value}` in a list of options: of the first tuple that starts so.
fn option<'a>(options: &'a Term, name: &str) -> Result<Option<&'a Term>, BadArgument> {
    if !options.is_list() {
        return Err(BadArgument);
    }
    let name = Atom::new(name);
    let mut elements = options.elements();
    let found = elements.by_ref().filter_map(Term::as_tuple);
    let found = found.into_iter().find(|tuple| tuple.first().is_some_and(|tag| tag.is_atom(name)));
    Ok(match found {
        Some([_, value]) => Some(value),
        _ => None,
    })
}

fn number(options: &Term, name: &str, default: i64) -> Result<i64, BadArgument> {
    match option(options, name)? {
        Some(value) => value.as_int().ok_or(BadArgument),
        None => Ok(default),
    }
}

fn encoding(options: &Term) -> Result<Encoding, BadArgument> {
    let latin1 =
        option(options, "encoding")?.is_some_and(|value| value.is_atom(Atom::new("latin1")));
    Ok(if latin1 { Encoding::Latin1 } else { Encoding::Unicode })
}

/// `format(Format, Args, Options)`
fn format(args: &[Term]) -> Answer {
    let items = directive::scan(&args[0], &args[1])?;
    build::build(items, number(&args[2], "chars_limit", -1)?, Printable::Latin1)
}

/// `build_text(Items, Options)`
fn build_text(args: &[Term]) -> Answer {
    let items = directive::from_term(&args[0])?;
    build::build(items, number(&args[1], "chars_limit", -1)?, Printable::Latin1)
}

/// `print(Term, Options)`, with the options of `io_lib_pretty:print/2`; of records the names of
/// fields are given, `{records, [{{Tag, N}, [Name]}]}`.
fn print(args: &[Term]) -> Answer {
    let [term, options] = args else { return Err(BadArgument) };
    let records = match option(options, "records")? {
        Some(records) => Some(read_records(records)?),
        None => None,
    };
    let options = Options {
        column: number(options, "column", 1)?,
        line_length: number(options, "line_length", 80)?,
        depth: number(options, "depth", -1)?,
        line_max_chars: number(options, "line_max_chars", -1)?,
        chars_limit: number(options, "chars_limit", -1)?,
        records: records.as_ref(),
        encoding: encoding(options)?,
        strings: option(options, "strings")?.is_none_or(Term::is_true),
        printable: Printable::Latin1,
    };
    let mut out = CharList::default();
    pretty::print(term, &options, &mut out)?;
    Ok(out.finish())
}

fn read_records(list: &Term) -> Result<Records, BadArgument> {
    let mut records = Records::new();
    for record in list.elements() {
        let Some([key, names]) = record.as_tuple() else { return Err(BadArgument) };
        let Some([tag, count]) = key.as_tuple() else { return Err(BadArgument) };
        let tag = tag.as_atom().ok_or(BadArgument)?;
        let count = count.as_int().and_then(|n| usize::try_from(n).ok()).ok_or(BadArgument)?;
        let names = names.to_vec().ok_or(BadArgument)?;
        let names = names.iter().map(|name| name.as_atom().ok_or(BadArgument));
        records.insert((tag, count), names.collect::<Result<_, _>>()?);
    }
    Ok(records)
}

/// `write(Term, Options)`, with the options of `io_lib:write/2`.
fn write_with_options(args: &[Term]) -> Answer {
    let [term, options] = args else { return Err(BadArgument) };
    let (depth, limit) = (number(options, "depth", -1)?, number(options, "chars_limit", -1)?);
    let mut out = CharList::default();
    pretty::write_limited(term, depth, limit, encoding(options)?, &mut out)?;
    Ok(out.finish())
}

/// The tags and sizes of all tuples in a term that may be records: `[{Tag, Fields}]`.
fn record_tags(term: &Term) -> Term {
    let mut found: BTreeSet<(Atom, usize)> = BTreeSet::new();
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        match term.view() {
            View::Cons(cell) => pending.extend([&cell.tail, &cell.head]),
            View::Tuple(elements) => {
                if let Some(tag) = elements.first().and_then(Term::as_atom) {
                    found.insert((tag, elements.len() - 1));
                }
                pending.extend(elements);
            }
            View::Map(map) => pending.extend(map.iter().flat_map(|(key, value)| [key, value])),
            View::Boxed(Boxed::Record(record)) => pending.extend(record.values()),
            _ => {}
        }
    }
    let found = found.into_iter();
    Term::list(
        found
            .map(|(tag, count)| Term::tuple([Term::from(tag), Term::from(count)]))
            .collect::<Vec<_>>(),
    )
}

fn write_atom(atom: &Term, encoding: Encoding) -> Return {
    match atom.as_atom() {
        Some(atom) => Ok(text(|out| out.text(&write::atom_text(atom.as_str(), encoding)))),
        None => badarg(),
    }
}

fn printable(list: &Term, printable: Printable) -> Return {
    Ok(Term::bool(list.is_list() && is_printable_list(list, printable)))
}

fn chars_length(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    match chardata::length(&args[0]) {
        Ok(length) => Ok(Term::from(length)),
        Err(BadArgument) => badarg(),
    }
}
