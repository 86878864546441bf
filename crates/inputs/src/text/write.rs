//! An input as an Erlang expression, on one line.

use std::fmt::Write;

use atom::{Atom, quote};

use crate::Input;
use crate::input::{BitString, Fun, MODULE, Record, deeper};

/// Appends an input to a text.
pub fn write(input: &Input, out: &mut String) {
    match input {
        // Writing to a string does not fail.
        Input::Integer(value) => _ = write!(out, "{value}"),
        Input::Atom(name) => atom(*name, out),
        Input::Float(value) => out.push_str(&quote::float(value.value())),
        Input::Bits(bits) => bit_string(bits, out),
        Input::List(elements, None) if is_text(elements) => {
            let text = elements.iter().filter_map(as_char).collect::<String>();
            out.push_str(&quote::string(&text));
        }
        Input::List(elements, tail) => {
            out.push('[');
            separated(elements, out);
            if let Some(tail) = tail {
                out.push_str(" | ");
                deeper(|| write(tail, out));
            }
            out.push(']');
        }
        Input::Tuple(elements) => {
            out.push('{');
            separated(elements, out);
            out.push('}');
        }
        Input::Map(pairs) => {
            out.push_str("#{");
            for (place, (key, value)) in pairs.iter().enumerate() {
                comma(place, out);
                deeper(|| write(key, out));
                out.push_str(" => ");
                deeper(|| write(value, out));
            }
            out.push('}');
        }
        Input::Fun(described) => fun(described, out),
        Input::Process(number) => _ = write!(out, "{MODULE}:process({number})"),
        Input::Port(number) => _ = write!(out, "{MODULE}:port({number})"),
        Input::Reference(number) => _ = write!(out, "{MODULE}:reference({number})"),
        Input::Record(described) => record(described, out),
    }
}

/// The elements of a tuple as the arguments of a call.
pub fn write_args(args: &Input) -> String {
    let mut out = String::new();
    match args {
        Input::Tuple(args) => separated(args, &mut out),
        other => write(other, &mut out),
    }
    out
}

fn comma(place: usize, out: &mut String) {
    if place > 0 {
        out.push_str(", ");
    }
}

fn separated(inputs: &[Input], out: &mut String) {
    for (place, input) in inputs.iter().enumerate() {
        comma(place, out);
        deeper(|| write(input, out));
    }
}

fn atom(name: Atom, out: &mut String) {
    let text = name.as_str();
    // Words of the language where features are on.
    if matches!(text, "maybe" | "else") {
        out.push_str(&quote::quoted_atom(text));
    } else {
        out.push_str(&quote::atom(text));
    }
}

/// The character that an integer is, if people would write it.
fn as_char(input: &Input) -> Option<char> {
    let code = u32::try_from(input.as_i64()?).ok()?;
    char::from_u32(code).filter(|c| matches!(c, ' '..='~' | '\n' | '\t' | '¡'..='ÿ'))
}

fn is_text(elements: &[Input]) -> bool {
    let mut characters = elements.iter().map(as_char);
    characters.clone().all(|c| c.is_some()) && characters.any(|c| c >= Some(' '))
}

fn bit_string(bits: &BitString, out: &mut String) {
    out.push_str("<<");
    let (bytes, rest) = (bits.bytes(), bits.len() % 8);
    if rest == 0 && !bytes.is_empty() && bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
        out.push_str(&quote::string(&text));
    } else {
        for (place, byte) in bytes.iter().enumerate() {
            if place > 0 {
                out.push(',');
            }
            _ = match rest {
                1.. if place + 1 == bytes.len() => write!(out, "{}:{rest}", byte >> (8 - rest)),
                _ => write!(out, "{byte}"),
            };
        }
    }
    out.push_str(">>");
}

fn record(record: &Record, out: &mut String) {
    out.push('#');
    atom(record.module, out);
    out.push(':');
    atom(record.name, out);
    out.push('{');
    for (place, (name, value)) in record.fields.iter().enumerate() {
        comma(place, out);
        atom(*name, out);
        out.push_str(" = ");
        deeper(|| write(value, out));
    }
    out.push('}');
}

fn fun(fun: &Fun, out: &mut String) {
    out.push_str("fun");
    let names: Vec<String> = (1..=fun.arity).map(|place| format!("A{place}")).collect();
    let blanks = vec!["_"; fun.arity as usize].join(", ");
    for (args, result) in &fun.table {
        if args.iter().all(is_exact_pattern) {
            out.push('(');
            separated(args, out);
            out.push_str(") -> ");
        } else {
            _ = write!(out, "({}) when ", names.join(", "));
            for (place, (name, arg)) in names.iter().zip(args).enumerate() {
                comma(place, out);
                _ = write!(out, "{name} =:= ");
                write(arg, out);
            }
            out.push_str(" -> ");
        }
        deeper(|| write(result, out));
        out.push_str("; ");
    }
    match &fun.others[..] {
        [] => _ = write!(out, "({blanks}) -> erlang:error(no_answer)"),
        [first, others @ ..] if others.iter().all(|other| other == first) => {
            _ = write!(out, "({blanks}) -> ");
            deeper(|| write(first, out));
        }
        several => {
            let (names, count) = (names.join(", "), several.len());
            _ = write!(out, "({names}) -> element(erlang:phash2([{names}], {count}) + 1, {{");
            separated(several, out);
            out.push_str("})");
        }
    }
    out.push_str(" end");
}

/// Whether only the value itself matches when it is written as a pattern.
fn is_exact_pattern(input: &Input) -> bool {
    match input {
        Input::Integer(_) | Input::Atom(_) | Input::Bits(_) => true,
        Input::List(..) | Input::Tuple(_) => input.parts().into_iter().all(is_exact_pattern),
        _ => false,
    }
}
