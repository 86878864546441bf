//! Texts to be survived: any bytes, soups of Erlang's words, and damaged fixtures. The property
//! test and the fuzz target share them.

use super::arbitrary::{Result, Unstructured};

/// Words, and beginnings and ends of words, that make the reader change its mind.
const WORDS: &[&str] = &[
    "-module(m).\n",
    "-define(A, ",
    "-define(F(X), ",
    "-define(F(X, Y), ??X ?G(Y)",
    ").\n",
    "?A",
    "?F(",
    "?F(?A, ",
    "??X",
    "?LINE",
    "?FUNCTION_NAME",
    "?MODULE",
    "?FILE",
    "?",
    "-undef(A).\n",
    "-ifdef(A).\n",
    "-ifndef(A).\n",
    "-if(",
    "-elif(",
    "-else.\n",
    "-endif.\n",
    "defined(A)",
    "-include(\"self.hrl\").\n",
    "-include_lib(\"app/self.hrl\").\n",
    "-file(\"x\", 4294967295).\n",
    "-file(\"y\", 7).\n",
    "-error(",
    "-warning(",
    "-feature(maybe_expr, enable).\n",
    "-record(r, {",
    "-type t() :: ",
    "-spec f(",
    "-export([f/1]).\n",
    "-doc \"\"\"\n",
    "-foo(",
    "f(",
    "g() -> ",
    "X",
    "_",
    "'q'",
    "atom",
    "maybe ",
    "else ",
    "end",
    "case ",
    " of ",
    "fun(",
    "fun ",
    "receive ",
    "after ",
    "try ",
    "catch ",
    "begin ",
    "if ",
    "when ",
    "not ",
    "#r{",
    "#{",
    "#r.f",
    "<<",
    ">>",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "|",
    "||",
    "<-",
    "<=",
    "<:-",
    "&&",
    ":=",
    "=>",
    "::",
    "->",
    ";",
    ",",
    ".",
    ". ",
    ".\n",
    "..",
    "...",
    "=",
    "?=",
    "==",
    "=:=",
    "+",
    "-",
    "*",
    "/",
    "!",
    "++",
    "--",
    " div ",
    " bsl ",
    "1",
    "16#f",
    "16#f.8#e1",
    "1.5",
    "1.0e",
    "37#",
    "1_0",
    "$a",
    "$\\x{",
    "$",
    "\"s\"",
    "\"",
    "'",
    "\\",
    "\"\"\"\n",
    "\"\"\"",
    "~b\"",
    "~S(",
    "~",
    "%",
    "% c\n",
    "\n",
    "\r\n",
    " ",
    "\t",
    "\u{0}",
    "\u{a0}",
    "é",
    "É",
    "×",
    "α",
    "\u{fffe}",
    "%% coding: latin-1\n",
    "@",
    "^",
    "`",
    "a:b(",
    "f/1",
];

/// One of the three kinds of text. `fixtures` are texts worth damaging.
pub(crate) fn any_text(u: &mut Unstructured<'_>, fixtures: &[&[u8]]) -> Result<Vec<u8>> {
    match u.int_in_range(0..=3)? {
        0 => Ok(u.bytes(u.len())?.to_vec()),
        1 | 2 => words(u),
        _ if fixtures.is_empty() => words(u),
        _ => damaged(u, fixtures),
    }
}

fn words(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    while !u.is_empty() {
        text.extend_from_slice(u.choose(WORDS)?.as_bytes());
    }
    Ok(text)
}

fn damaged(u: &mut Unstructured<'_>, fixtures: &[&[u8]]) -> Result<Vec<u8>> {
    let mut text = u.choose(fixtures)?.to_vec();
    while !u.is_empty() {
        if text.is_empty() {
            break;
        }
        let at = u.int_in_range(0..=text.len() - 1)?;
        let end = (at + u.int_in_range(1..=40)?).min(text.len());
        match u.int_in_range(0..=3)? {
            0 => {
                text.drain(at..end);
            }
            1 => {
                let copy = text[at..end].to_vec();
                let to = u.int_in_range(0..=text.len())?;
                text.splice(to..to, copy);
            }
            2 => {
                let word = u.choose(WORDS)?.bytes();
                text.splice(at..at, word);
            }
            _ => text[at] = u.arbitrary()?,
        }
    }
    Ok(text)
}
