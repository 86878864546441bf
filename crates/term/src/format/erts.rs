//! Terms as the emulator itself writes them, without the help of `io_lib`: `erlang:display/1` and
//! `erlang:fun_to_list/1`.

use std::fmt::Write;

use crate::fun::Fun;
use crate::{Atom, Bits, Boxed, Map, Term, View, print};

use super::float::scientific;

/// Something that is still to be written.
enum Task<'a> {
    Term(&'a Term),
    Tail(&'a Term),
    Elements(&'a [Term]),
    Pairs(Box<dyn Iterator<Item = (&'a Term, &'a Term)> + 'a>),
    Text(&'static str),
    /// The rest of a record's fields.
    Fields(&'a [Atom], &'a [Term]),
}

/// A term as `erlang:display/1` shows it.
pub fn display(term: &Term) -> String {
    let mut out = String::new();
    let mut tasks = vec![Task::Term(term)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(text) => out.push_str(text),
            Task::Fields([name, names @ ..], [value, values @ ..]) => {
                let _ = write!(out, "{}=", atom_text(name.as_str()));
                tasks.push(Task::Fields(names, values));
                if !names.is_empty() {
                    tasks.push(Task::Text(","));
                }
                tasks.push(Task::Term(value));
            }
            Task::Fields(..) => out.push('}'),
            Task::Term(term) => start(term, &mut out, &mut tasks),
            Task::Tail(rest) => match rest.view() {
                View::Nil => out.push(']'),
                View::Cons(cell) => {
                    out.push(',');
                    tasks.extend([Task::Tail(&cell.tail), Task::Term(&cell.head)]);
                }
                _ => {
                    out.push('|');
                    tasks.extend([Task::Text("]"), Task::Term(rest)]);
                }
            },
            Task::Elements([]) => out.push('}'),
            Task::Elements([first, rest @ ..]) => {
                out.push(',');
                tasks.extend([Task::Elements(rest), Task::Term(first)]);
            }
            Task::Pairs(mut pairs) => match pairs.next() {
                Some((key, value)) => {
                    out.push(',');
                    tasks.extend([
                        Task::Pairs(pairs),
                        Task::Term(value),
                        Task::Text("=>"),
                        Task::Term(key),
                    ]);
                }
                None => out.push('}'),
            },
        }
    }
    out
}

fn start<'a>(term: &'a Term, out: &mut String, tasks: &mut Vec<Task<'a>>) {
    match term.view() {
        View::Nil => out.push_str("[]"),
        View::Cons(_) if is_string(term) => write_string(term, out),
        View::Cons(cell) => {
            out.push('[');
            tasks.extend([Task::Tail(&cell.tail), Task::Term(&cell.head)]);
        }
        View::Tuple([]) => out.push_str("{}"),
        View::Tuple([first, rest @ ..]) => {
            out.push('{');
            tasks.extend([Task::Elements(rest), Task::Term(first)]);
        }
        View::Map(map) => start_map(map, out, tasks),
        View::Atom(atom) => out.push_str(&atom_text(atom.as_str())),
        View::Float(value) => out.push_str(&scientific(value, 6)),
        View::Bits(bits) => write_bits(term, bits, out),
        View::Boxed(Boxed::Record(record)) => {
            let shape = record.shape();
            let (module, name) = (atom_text(shape.module.as_str()), atom_text(shape.name.as_str()));
            let _ = write!(out, "#{module}:{name}{{");
            tasks.push(Task::Fields(shape.fields(), record.values()));
        }
        View::Boxed(Boxed::Fun(Fun::External { module, name, arity })) => {
            let (module, name) = (atom_text(module.as_str()), atom_text(name.as_str()));
            let _ = write!(out, "fun {module}:{name}/{arity}");
        }
        _ => print::leaf(term, false, out),
    }
}

fn start_map<'a>(map: &'a Map, out: &mut String, tasks: &mut Vec<Task<'a>>) {
    out.push_str("#{");
    let mut pairs = map.iter();
    match pairs.next() {
        Some((key, value)) => tasks.extend([
            Task::Pairs(Box::new(pairs)),
            Task::Term(value),
            Task::Text("=>"),
            Task::Term(key),
        ]),
        None => out.push('}'),
    }
}

fn is_string(list: &Term) -> bool {
    let mut elements = list.elements();
    elements.by_ref().all(|c| matches!(c.as_int(), Some(0x20..=0x7E | 0x09 | 0x0A | 0x0D)))
        && elements.is_proper()
}

fn write_string(list: &Term, out: &mut String) {
    out.push('"');
    for c in list.elements().filter_map(Term::as_int) {
        match c {
            0x0A => out.push_str("\\n"),
            0x22 => out.push_str("\\\""),
            _ => out.push(char::from(c as u8)),
        }
    }
    out.push('"');
}

fn write_bits(term: &Term, bits: &Bits, out: &mut String) {
    match bits.to_bytes() {
        Some(bytes) if !bytes.is_empty() && bytes.iter().all(|b| matches!(b, 0x20..=0x7E)) => {
            out.push_str("<<\"");
            for byte in bytes.iter() {
                if *byte == b'"' {
                    out.push('\\');
                }
                out.push(char::from(*byte));
            }
            out.push_str("\">>");
        }
        _ => print::leaf(term, false, out),
    }
}

/// An atom as the emulator quotes it: reserved words are not quoted, `@` needs quotes.
pub fn atom_text(text: &str) -> String {
    let lower = |c: char| matches!(c, 'a'..='z' | 'ß'..='ö' | 'ø'..='ÿ');
    let upper = |c: char| matches!(c, 'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ');
    let bare = text.starts_with(lower)
        && text.chars().all(|c| lower(c) || upper(c) || c.is_ascii_digit() || c == '_');
    if bare {
        return text.to_owned();
    }
    let mut out = String::from("'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\u{0C}' => out.push_str("\\f"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{08}' => out.push_str("\\b"),
            '\u{0B}' => out.push_str("\\v"),
            '\0'..='\u{1F}' | '\u{80}'..='\u{9F}' => {
                let _ = write!(out, "\\{:03o}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// `erlang:fun_to_list/1`. The characters are the bytes of UTF-8, each as a character, as OTP 25
/// returns them.
pub fn fun_text(fun: &Fun) -> String {
    let text = match fun {
        Fun::Local(closure) => {
            format!("#Fun<{}.{}.{}>", closure.module, closure.index, closure.unique)
        }
        Fun::External { module, name, arity } => {
            format!("fun {}:{}/{arity}", atom_text(module.as_str()), atom_text(name.as_str()))
        }
    };
    if text.is_ascii() { text } else { text.bytes().map(char::from).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displayed() {
        let check = |term: Term, text: &str| assert_eq!(display(&term), text);
        check(Term::atom("a@b"), "'a@b'");
        check(Term::atom("case"), "case");
        check(Term::string("a\"b\nc\\"), "\"a\\\"b\\nc\\\"");
        check(Term::list([Term::int(97), Term::int(11)]), "[97,11]");
        check(Term::float(1.5), "1.500000e+00");
        check(Term::binary("a b"), "<<\"a b\">>");
        check(Term::binary("é"), "<<195,169>>");
        let map = Map::from_iter([(Term::int(1), Term::NIL), (Term::int(2), Term::tuple([]))]);
        check(Term::map(map), "#{1=>[],2=>{}}");
        check(Term::cons(Term::int(1), Term::tuple([Term::int(2)])), "[1|{2}]");
    }
}
