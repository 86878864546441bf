//! Terms as text, the way `io:format("~w")` and `~tw` write them: on one line, strings as lists of
//! numbers. Pretty printing is built on top elsewhere.
//!
//! Works with a stack of its own: depth costs heap.

use std::fmt::Write;

use atom::quote;

use crate::format::erts;
use crate::record::Shape;
use crate::{Atom, Bits, Boxed, Foreign, ForeignKind, Pid, Term, View};

/// Something that is still to be written.
enum Piece<'a> {
    Term(&'a Term),
    Text(&'static str),
    /// The name of a record's field.
    Field(Atom),
    /// The rest of a list, after its first element.
    Tail(&'a Term),
}

/// Appends `term` to `out`. With `latin1`, characters of atoms beyond Latin-1 are escaped.
pub fn write(term: &Term, latin1: bool, out: &mut String) {
    let mut pending = vec![Piece::Term(term)];
    while let Some(piece) = pending.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Field(name) => {
                atom(name, latin1, out);
                out.push_str(" = ");
            }
            Piece::Term(term) => write_one(term, latin1, out, &mut pending),
            Piece::Tail(tail) => match tail.view() {
                View::Nil => out.push(']'),
                View::Cons(cell) => {
                    out.push(',');
                    pending.push(Piece::Tail(&cell.tail));
                    pending.push(Piece::Term(&cell.head));
                }
                _ => {
                    out.push('|');
                    pending.push(Piece::Text("]"));
                    pending.push(Piece::Term(tail));
                }
            },
        }
    }
}

/// `term` as `~tw` writes it.
pub fn to_string(term: &Term) -> String {
    let mut out = String::new();
    write(term, false, &mut out);
    out
}

/// Writes a term without parts, or starts one with parts.
fn write_one<'a>(term: &'a Term, latin1: bool, out: &mut String, pending: &mut Vec<Piece<'a>>) {
    match term.view() {
        View::Nil => out.push_str("[]"),
        View::Cons(cell) => {
            out.push('[');
            pending.push(Piece::Tail(&cell.tail));
            pending.push(Piece::Term(&cell.head));
        }
        View::Tuple(elements) => {
            out.push('{');
            pending.push(Piece::Text("}"));
            separated(elements.iter().rev(), pending);
        }
        View::Map(map) => {
            out.push_str("#{");
            pending.push(Piece::Text("}"));
            for (i, (key, value)) in map.by_key().into_iter().enumerate().rev() {
                pending.push(Piece::Term(value));
                pending.push(Piece::Text(" => "));
                pending.push(Piece::Term(key));
                if i > 0 {
                    pending.push(Piece::Text(","));
                }
            }
        }
        View::Boxed(Boxed::Record(record)) => {
            record_name(record.shape(), latin1, out);
            out.push('{');
            pending.push(Piece::Text("}"));
            let fields = record.shape().fields().iter().zip(record.values());
            for (i, (name, value)) in fields.enumerate().rev() {
                pending.extend([Piece::Term(value), Piece::Field(*name)]);
                if i > 0 {
                    pending.push(Piece::Text(","));
                }
            }
        }
        _ => leaf(term, latin1, out),
    }
}

fn atom(atom: Atom, latin1: bool, out: &mut String) {
    let text = atom.as_str();
    out.push_str(&if latin1 { quote::atom_latin1(text) } else { quote::atom(text) });
}

/// What a record begins with: `#module:name`.
pub fn record_name(shape: &Shape, latin1: bool, out: &mut String) {
    out.push('#');
    atom(shape.module, latin1, out);
    out.push(':');
    atom(shape.name, latin1, out);
}

/// Pushes elements (given last first) with commas between them.
fn separated<'a>(elements: impl ExactSizeIterator<Item = &'a Term>, pending: &mut Vec<Piece<'a>>) {
    let count = elements.len();
    for (i, element) in elements.enumerate() {
        pending.push(Piece::Term(element));
        if i + 1 < count {
            pending.push(Piece::Text(","));
        }
    }
}

/// A pid as text: `<0.80.0>`.
pub fn pid(pid: Pid) -> String {
    format!("<0.{}.{}>", pid.0 & 0x0FFF_FFFF, pid.0 >> 28)
}

/// Writes a term that has no parts.
pub fn leaf(term: &Term, latin1: bool, out: &mut String) {
    let _ = match term.view() {
        View::Int(value) => write!(out, "{value}"),
        View::Atom(name) => {
            atom(name, latin1, out);
            Ok(())
        }
        View::Float(value) => {
            out.push_str(&quote::float(value));
            Ok(())
        }
        View::Pid(pid) => {
            out.push_str(&self::pid(pid));
            Ok(())
        }
        View::Port(port) => write!(out, "#Port<0.{}>", port.0),
        View::Ref(reference) => write!(
            out,
            "#Ref<0.{}.{}.{}>",
            reference.0 >> 32,
            (reference.0 >> 16) & 0xFFFF,
            reference.0 & 0xFFFF
        ),
        View::Bits(bits) => {
            write_bits(bits, out);
            Ok(())
        }
        View::Boxed(Boxed::Big(value)) => write!(out, "{value}"),
        View::Boxed(Boxed::Fun(fun)) => {
            out.push_str(&erts::fun_text(fun));
            Ok(())
        }
        View::Boxed(Boxed::Foreign(foreign)) => write_foreign(foreign, out),
        View::Nil
        | View::Cons(_)
        | View::Tuple(_)
        | View::Map(_)
        | View::Boxed(Boxed::Record(_)) => Ok(()),
    };
}

fn write_bits(bits: &Bits, out: &mut String) {
    out.push_str("<<");
    let whole = bits.bit_len() / 8;
    for i in 0..whole {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(out, "{comma}{}", bits.byte_at(i));
    }
    let rest = bits.bit_len() % 8;
    if rest > 0 {
        let comma = if whole == 0 { "" } else { "," };
        let _ = write!(out, "{comma}{}:{rest}", bits.byte_at(whole) >> (8 - rest));
    }
    out.push_str(">>");
}

fn write_foreign(foreign: &Foreign, out: &mut String) -> std::fmt::Result {
    let numbers: Vec<String> = foreign.numbers.iter().map(u32::to_string).collect();
    let numbers = numbers.join(".");
    match foreign.kind {
        ForeignKind::Pid => write!(out, "<{}.{numbers}>", foreign.node),
        ForeignKind::Port => write!(out, "#Port<{}.{numbers}>", foreign.node),
        ForeignKind::Ref => write!(out, "#Ref<{}.{numbers}>", foreign.node),
    }
}
