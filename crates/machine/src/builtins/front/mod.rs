//! Erlang about Erlang: what `erl_parse`, `epp` and `compile` have done by our own front end.
//!
//! * `parse_form(Tokens)`: tokens as `erl_scan` makes them to an abstract form, by the parser that
//!   reads all sources. Annotations of the tokens, whatever they are, are those of the nodes.
//! * `read_source(File, Includes, Macros, SourceName, Features, Columns)`: the forms of a file.
//! * `lint(Forms, Options)`: what the compiler would complain about.
//!
//! Trees become terms by way of the text that `syntax::abstract_format` writes, which is compared
//! with OTP's on every module of OTP: one writer, one place to be right. The cost is reading that
//! text again, about as much as writing it.

mod read;

use std::path::PathBuf;

use atom::{Atom, known};
use num_bigint::BigInt;
use syntax::abstract_format::{self, Format};
use syntax::ast::Module;
use syntax::options::Options;
use syntax::parse_tokens;
use syntax::source::{FileId, Loc, Span};
use syntax::token::{Literal, LiteralId, Token, TokenKind, TokenValue};
use term::{Term, View};

use super::{Builtin, Control, Ctx, Return, badarg, builtins, text_of};
use crate::builtins::row::HIDDEN;
use crate::code_loading::CodeRequest;
use crate::process::Deadline;
use crate::state::Timer;

pub(super) const TABLE: &[Builtin] = builtins!(NATIVE, HIDDEN;
    "parse_form"/1 => parse_form,
    "read_source"/6 => read_source,
    "lint"/2 => lint,
    "await_message"/2 => await_message,
);

/// The term that a text of the abstract format denotes.
pub(crate) fn read_term(text: &str) -> Option<Term> {
    read::read_term(text, &|_, _| Term::UNDEFINED)
}

/// All forms of a module as terms.
pub fn forms(module: &Module, columns: bool) -> Vec<Term> {
    let format = Format { columns, ..Format::default() };
    let mut forms = Vec::with_capacity(module.forms.len());
    let mut text = String::new();
    for &form in &module.forms {
        text.clear();
        // Writing to a string does not fail.
        let _ = abstract_format::write_form(module, form, format, &mut text);
        let text = text.trim_end().trim_end_matches('.');
        forms.extend(read_term(text));
    }
    forms
}

fn strings(list: &Term) -> Option<Vec<String>> {
    list.to_vec()?.iter().map(text_of).collect()
}

fn read_source(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let options = || {
        let macros = args[2].to_vec()?.into_iter().map(|entry| match entry.as_tuple()? {
            [name, value] if value.is_atom(known::TRUE) => Some((text_of(name)?, None)),
            [name, value] => Some((text_of(name)?, Some(text_of(value)?))),
            _ => None,
        });
        Some(Options {
            include_dirs: strings(&args[1])?.into_iter().map(PathBuf::from).collect(),
            defines: macros.collect::<Option<_>>()?,
            source_name: if args[3].is_atom(known::FALSE) {
                None
            } else {
                Some(text_of(&args[3])?)
            },
            features: strings(&args[4])?,
            ..Options::default()
        })
    };
    let (Some(path), Some(options)) = (text_of(&args[0]), options()) else { return badarg() };
    let columns = args[5].is_true();
    let request = CodeRequest::ReadSource { path: path.into(), options, columns };
    Err(Control::Code(Box::new(request)).into())
}

fn lint(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let request = CodeRequest::Lint { forms: args[0].clone(), options: args[1].clone() };
    Err(Control::Code(Box::new(request)).into())
}

/// `await_message(Seen, Timeout)`: waits until more than `Seen` messages are there (`true`), or so
/// many milliseconds have passed (`false`). For a `receive` whose clauses are interpreted
/// (`prim_eval`).
fn await_message(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(seen) = args[0].as_int().and_then(|seen| usize::try_from(seen).ok()) else {
        return badarg();
    };
    if let Some(Deadline::At(time, number)) = cx.p.timeout.take() {
        cx.s.remove_timer((time, number));
    }
    if cx.p.mailbox.len() > seen {
        return Ok(Term::TRUE);
    }
    match args[1].as_int() {
        Some(0) => return Ok(Term::FALSE),
        Some(timeout) if timeout > 0 => {
            let at = cx.s.node.now.saturating_add(timeout as u64 * 1_000_000);
            let (time, number) = cx.s.add_timer(at, Timer::Receive(cx.p.pid));
            cx.p.timeout = Some(Deadline::At(time, number));
        }
        _ => {}
    }
    // Whoever wakes it, it looks again.
    Err(Control::Wait(Term::TRUE).into())
}

// ---- Tokens ----------------------------------------------------------------------------------

/// `{ok, Form}` or `{error, {Location, erl_parse, Descriptor}}`
fn parse_form(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let Some(terms) = args[0].to_vec() else { return badarg() };
    let mut tokens = Vec::with_capacity(terms.len());
    let mut literals = Vec::new();
    for term in &terms {
        let Some(token) = token(term, &mut literals) else { return badarg() };
        tokens.push(token);
    }
    let annotation = |index: usize| -> Term {
        let token = terms.get(index).and_then(Term::as_tuple);
        token.and_then(|token| token.get(1)).cloned().unwrap_or(Term::int(0))
    };
    match parse_tokens::parse_form(tokens, literals) {
        Ok((module, form)) => {
            let mut text = String::new();
            let format = Format { tokens: true, ..Format::default() };
            let _ = abstract_format::write_form(&module, form, format, &mut text);
            let text = text.trim_end().trim_end_matches('.');
            let place = |index: usize, line_only: bool| {
                let annotation = annotation(index);
                if line_only { Term::from(location(&annotation).line) } else { annotation }
            };
            match read::read_term(text, &place) {
                Some(form) => Ok(Term::tuple([Term::OK, form])),
                None => {
                    Err(Control::Unsupported(format!("a form that cannot be read back: {text}"))
                        .into())
                }
            }
        }
        Err((problem, index)) => {
            let descriptor = problem.otp_descriptor.as_deref().unwrap_or("[]");
            let descriptor =
                read_term(descriptor).unwrap_or_else(|| Term::string(&problem.message));
            let at = annotation((index as usize).min(terms.len().saturating_sub(1)));
            let (place, descriptor) = match (terms.is_empty(), property(&at, "text")) {
                // Without any token OTP has a line that no text has.
                (true, _) => (Term::int(999_999), descriptor),
                (false, Some(text)) => with_text(&at, &text, descriptor),
                (false, None) => (location_term(&at), descriptor),
            };
            let error = Term::tuple([place, Term::atom("erl_parse"), descriptor]);
            Ok(Term::tuple([Term::from(known::ERROR), error]))
        }
    }
}

/// Where an error is, and what it is, if the token at fault knows its text: that is what the
/// message shows, and if it is the end that is wrong, it stands behind the last token.
fn with_text(annotation: &Term, text: &Term, descriptor: Term) -> (Term, Term) {
    let parts = descriptor.to_vec().unwrap_or_default();
    match &parts[..] {
        [before, found] if before.is_list() && found.is_nil() => {
            let mut loc = location(annotation);
            for c in text_of(text).unwrap_or_default().chars() {
                loc = match c {
                    '\n' => Loc { line: loc.line + 1, column: loc.column.min(1) },
                    _ if loc.column > 0 => Loc { column: loc.column + 1, ..loc },
                    _ => loc,
                };
            }
            let place = match loc.column {
                0 => Term::from(loc.line),
                column => Term::tuple([Term::from(loc.line), Term::from(column)]),
            };
            (place, descriptor)
        }
        [before, found] if before.is_list() && found.is_list() => {
            (location_term(annotation), Term::list([before.clone(), text.clone()]))
        }
        _ => (location_term(annotation), descriptor),
    }
}

/// A token of `erl_scan` as the parser reads it.
fn token(term: &Term, literals: &mut Vec<Literal>) -> Option<Token> {
    let parts = term.as_tuple()?;
    let category = parts.first()?.as_atom()?;
    let loc = location(parts.get(1)?);
    let mut literal = |value: Literal| {
        literals.push(value);
        TokenValue::Literal(LiteralId(literals.len() as u32 - 1))
    };
    let value = parts.get(2);
    let (kind, value) = match (category.as_str(), value) {
        ("atom", Some(name)) => (TokenKind::Atom, TokenValue::Name(name.as_atom()?)),
        ("var", Some(name)) => (TokenKind::Var, TokenValue::Name(name.as_atom()?)),
        ("integer", Some(value)) => {
            let value = match value.view() {
                View::Int(small) => BigInt::from(small),
                _ => value.as_big()?.clone(),
            };
            (TokenKind::Integer, literal(Literal::Integer(value)))
        }
        ("float", Some(value)) => (TokenKind::Float, literal(Literal::Float(value.as_float()?))),
        ("char", Some(code)) => {
            (TokenKind::Char, TokenValue::Char(u32::try_from(code.as_int()?).ok()?))
        }
        ("string", Some(text)) => {
            (TokenKind::String, literal(Literal::String(text_of(text)?.into())))
        }
        ("dot", None) => (TokenKind::Dot, TokenValue::None),
        (text, None) => match parse_tokens::fixed_kind(text) {
            Some(kind) => (kind, TokenValue::None),
            None => (TokenKind::Symbol, TokenValue::Name(category)),
        },
        _ => return None,
    };
    let span = Span { file: FileId::MAIN, start: 0, end: 0 };
    Some(Token { kind, span, loc, expansion: None, value })
}

/// What an annotation that is a list says about something.
fn property(annotation: &Term, name: &str) -> Option<Term> {
    let key = Atom::new(name);
    annotation.elements().find_map(|property| match property.as_tuple() {
        Some([name, value]) if name.is_atom(key) => Some(value.clone()),
        _ => None,
    })
}

/// Where an annotation says something stands, as a term: a line, or a line and a column.
fn location_term(annotation: &Term) -> Term {
    if annotation.is_list() {
        return property(annotation, "location").unwrap_or(Term::int(0));
    }
    annotation.clone()
}

fn location(annotation: &Term) -> Loc {
    let number = |term: &Term| term.as_int().and_then(|n| u32::try_from(n.unsigned_abs()).ok());
    let place = location_term(annotation);
    match place.as_tuple() {
        Some([line, column]) => {
            Loc { line: number(line).unwrap_or(0), column: number(column).unwrap_or(0) }
        }
        _ => Loc { line: number(&place).unwrap_or(0), column: 0 },
    }
}
