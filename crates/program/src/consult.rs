//! Files of constant terms, each ended by a full stop: `rebar.config`, `.app`, `.app.src`.
//!
//! The tokens are the lexer's; the terms are read by one loop with an explicit stack, so nesting
//! is bounded by memory. After an error reading goes on behind the next full stop, so that a
//! mistake in one term does not hide the others.
//!
//! Reads what `file:consult/1` reads, except `fun M:F/A` and binary segments with a size, which
//! configuration files do not have; they are reported.

use std::path::Path;

use syntax::diagnostic::{Diagnostic, Origin, Severity};
use syntax::scan::{Scanned, scan};
use syntax::source::{SourceFile, Span};
use syntax::token::{Literal, Token, TokenKind, TokenValue};

use crate::terms::{Term, TermId, TermKind, Terms};

/// What a file says, and what is wrong with it.
#[derive(Debug)]
pub struct Consulted {
    pub file: SourceFile,
    pub terms: Terms,
    /// The terms of the file, in order; those that could not be read are left out.
    pub roots: Vec<TermId>,
    /// Where each of them is.
    pub spans: Vec<Span>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Consulted {
    pub fn roots(&self) -> impl DoubleEndedIterator<Item = Term<'_>> {
        self.roots.iter().map(|&id| self.terms.get(id))
    }
}

/// Reads the terms of a file whose bytes are at hand.
pub fn consult(path: &Path, bytes: Vec<u8>) -> Consulted {
    let Scanned { file, tokens, literals, mut diagnostics } = scan(path, bytes);
    let mut terms = Terms::default();
    let (mut roots, mut spans) = (Vec::new(), Vec::new());
    for form in tokens.split_inclusive(|token| token.kind == TokenKind::Dot) {
        if form.len() == 1 && form[0].kind == TokenKind::Eof {
            continue;
        }
        let mut reader = Reader { tokens: form, next: 0, literals: &literals, terms: &mut terms };
        match reader.term() {
            Ok(root) => {
                let (first, last) = (form[0].span, form[form.len() - 1].span);
                roots.push(root);
                spans.push(Span { end: last.start, ..first });
            }
            Err(problem) => diagnostics.push(problem.diagnostic()),
        }
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Consulted { file, terms, roots, spans, diagnostics }
}

/// What is wrong, and the token it was seen at.
struct Problem {
    at: Token,
    message: String,
}

impl Problem {
    fn diagnostic(self) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            origin: Origin::Erlscope,
            code: "bad_term",
            message: self.message,
            span: self.at.span,
            loc: self.at.loc,
            related: Vec::new(),
            help: None,
            otp_descriptor: None,
        }
    }
}

/// A container that is not closed yet.
struct Open {
    start: Token,
    what: Container,
    children: Vec<TermId>,
}

#[derive(Clone, Copy, PartialEq)]
enum Container {
    Tuple,
    List,
    /// A list after its bar: one child is left.
    ListTail,
    /// Before a key.
    MapKey,
    /// Before a value.
    MapValue,
}

impl Container {
    fn name(self) -> &'static str {
        match self {
            Container::Tuple => "tuple",
            Container::List | Container::ListTail => "list",
            Container::MapKey | Container::MapValue => "map",
        }
    }
}

struct Reader<'a> {
    /// One form, ended by a full stop or by the end of the file.
    tokens: &'a [Token],
    next: usize,
    literals: &'a [Literal],
    terms: &'a mut Terms,
}

impl Reader<'_> {
    fn peek(&self) -> Token {
        // The form is never empty, and nothing reads past its last token.
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn take(&mut self) -> Token {
        let token = self.peek();
        self.next += 1;
        token
    }

    fn problem<T>(&self, at: Token, message: impl Into<String>) -> Result<T, Problem> {
        Err(Problem { at, message: message.into() })
    }

    /// The term that is the whole form.
    fn term(&mut self) -> Result<TermId, Problem> {
        let mut stack: Vec<Open> = Vec::new();
        loop {
            let mut done = match self.begin()? {
                Begun::Done(id) => id,
                Begun::Open(open) => match self.close_if_empty(open) {
                    Ok(id) => id,
                    Err(open) => {
                        stack.push(open);
                        continue;
                    }
                },
            };
            // Hand the finished term to the container it is in, which the next token may close.
            loop {
                let Some(mut open) = stack.pop() else {
                    self.full_stop()?;
                    return Ok(done);
                };
                open.children.push(done);
                match self.after_child(open)? {
                    After::More(open) => {
                        stack.push(open);
                        break;
                    }
                    After::Closed(id) => done = id,
                }
            }
        }
    }

    fn full_stop(&mut self) -> Result<(), Problem> {
        let token = self.take();
        match token.kind {
            TokenKind::Dot => Ok(()),
            TokenKind::Eof => self.problem(token, "the last term has no full stop"),
            _ => self.problem(token, format!("expected a full stop before {}", shown(&token))),
        }
    }

    /// A term without parts, or the start of one with parts.
    fn begin(&mut self) -> Result<Begun, Problem> {
        let token = self.take();
        let open = |what| Ok(Begun::Open(Open { start: token, what, children: Vec::new() }));
        let id = match token.kind {
            TokenKind::LBrace => return open(Container::Tuple),
            TokenKind::LBracket => return open(Container::List),
            TokenKind::Hash if self.peek().kind == TokenKind::LBrace => {
                self.next += 1;
                return open(Container::MapKey);
            }
            TokenKind::LBin => self.binary(token)?,
            TokenKind::Atom => {
                self.terms.add(TermKind::Atom(token.name().unwrap_or(atom::known::EMPTY)))
            }
            TokenKind::Minus | TokenKind::Plus => {
                let number = self.take();
                self.number(number, token.kind == TokenKind::Minus)?
            }
            TokenKind::Integer | TokenKind::Float | TokenKind::Char => self.number(token, false)?,
            TokenKind::String => {
                let text = self.strings(token);
                let chars: Vec<_> = text
                    .chars()
                    .map(|c| self.terms.add(TermKind::Integer(c as u32 as i64)))
                    .collect();
                self.terms.list(&chars, None)
            }
            TokenKind::Eof => return self.problem(token, "the file ends inside a term"),
            TokenKind::Dot => return self.problem(token, "the term is not complete"),
            _ => {
                return self
                    .problem(token, format!("expected a constant term, not {}", shown(&token)));
            }
        };
        Ok(Begun::Done(id))
    }

    fn number(&mut self, token: Token, negative: bool) -> Result<TermId, Problem> {
        let literal = match token.value {
            TokenValue::Char(c) => {
                let value = i64::from(c);
                return Ok(self.terms.add(TermKind::Integer(if negative {
                    -value
                } else {
                    value
                })));
            }
            TokenValue::Literal(id) => self.literals.get(id.0 as usize),
            _ => None,
        };
        match literal {
            Some(Literal::Integer(value)) => {
                let value = if negative { -value.clone() } else { value.clone() };
                Ok(self.terms.integer(value))
            }
            Some(Literal::Float(value)) => {
                let value = if negative { -value } else { *value };
                Ok(self.terms.add(TermKind::Float(value)))
            }
            _ => self.problem(token, "expected a number after the sign"),
        }
    }

    /// The text of a string token and of those that follow it at once.
    fn strings(&mut self, first: Token) -> String {
        let mut text = self.string_text(first);
        while self.peek().kind == TokenKind::String {
            let next = self.take();
            text += &self.string_text(next);
        }
        text
    }

    fn string_text(&self, token: Token) -> String {
        match token.value {
            TokenValue::Literal(id) => match self.literals.get(id.0 as usize) {
                Some(Literal::String(text)) => text.to_string(),
                _ => String::new(),
            },
            _ => String::new(),
        }
    }

    /// `<<"text", 1, 2>>`, `<<"text"/utf8>>`; the opening token has been read.
    fn binary(&mut self, start: Token) -> Result<TermId, Problem> {
        let mut bytes = Vec::new();
        while self.peek().kind != TokenKind::RBin {
            let token = self.take();
            match token.kind {
                TokenKind::String => {
                    let text = self.strings(token);
                    let utf8 = self.peek().kind == TokenKind::Slash;
                    if utf8 {
                        self.next += 1;
                        let spec = self.take();
                        if spec.name().is_none_or(|name| name.as_str() != "utf8") {
                            return self.problem(spec, "only the type utf8 is read here");
                        }
                        bytes.extend_from_slice(text.as_bytes());
                    } else {
                        bytes.extend(text.chars().map(|c| c as u32 as u8));
                    }
                }
                TokenKind::Integer | TokenKind::Char => {
                    let number = self.number(token, false)?;
                    let value = self.terms.get(number).small_integer().unwrap_or(0);
                    bytes.push(value as u8);
                }
                _ => {
                    let message = format!("expected a byte or a string, not {}", shown(&token));
                    return self.problem(token, message);
                }
            }
            match self.peek().kind {
                TokenKind::Comma => self.next += 1,
                TokenKind::RBin => {}
                _ => {
                    let token = self.peek();
                    return self.problem(token, unclosed("binary", &start, &token));
                }
            }
        }
        self.next += 1;
        Ok(self.terms.binary(&bytes))
    }

    fn close_if_empty(&mut self, open: Open) -> Result<TermId, Open> {
        let closing = match open.what {
            Container::List | Container::ListTail => TokenKind::RBracket,
            _ => TokenKind::RBrace,
        };
        if self.peek().kind != closing {
            return Err(open);
        }
        self.next += 1;
        Ok(self.close(open))
    }

    /// What the token behind a child means for its container.
    fn after_child(&mut self, mut open: Open) -> Result<After, Problem> {
        let token = self.take();
        open.what = match (open.what, token.kind) {
            (Container::Tuple | Container::MapValue, TokenKind::RBrace)
            | (Container::List | Container::ListTail, TokenKind::RBracket) => {
                return Ok(After::Closed(self.close(open)));
            }
            (Container::Tuple | Container::List, TokenKind::Comma) => open.what,
            (Container::List, TokenKind::Bar) => Container::ListTail,
            (Container::MapKey, TokenKind::FatArrow) => Container::MapValue,
            (Container::MapValue, TokenKind::Comma) => Container::MapKey,
            (what, _) => return self.problem(token, unclosed(what.name(), &open.start, &token)),
        };
        Ok(After::More(open))
    }

    fn close(&mut self, open: Open) -> TermId {
        match open.what {
            Container::Tuple => self.terms.tuple(&open.children),
            Container::List => self.terms.list(&open.children, None),
            Container::ListTail => match open.children.split_last() {
                Some((&tail, elements)) => self.terms.list(elements, Some(tail)),
                None => self.terms.add(TermKind::Nil),
            },
            Container::MapKey | Container::MapValue => self.terms.map(&open.children),
        }
    }
}

enum Begun {
    Done(TermId),
    Open(Open),
}

enum After {
    More(Open),
    Closed(TermId),
}

fn unclosed(what: &str, start: &Token, at: &Token) -> String {
    format!(
        "expected a comma or the end of the {what} of line {} before {}",
        start.loc.line,
        shown(at)
    )
}

/// A token as it is named in messages.
fn shown(token: &Token) -> String {
    match (token.kind, token.kind.text(), token.name()) {
        (TokenKind::Dot, ..) => "the full stop".to_owned(),
        (TokenKind::Eof, ..) => "the end of the file".to_owned(),
        (TokenKind::Var, _, Some(name)) => format!("the variable {name}"),
        (TokenKind::Atom, _, Some(name)) => format!("'{name}'"),
        (_, Some(text), _) => format!("'{text}'"),
        (TokenKind::String, ..) => "a string".to_owned(),
        _ => "a number".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// Each term as it prints, then each problem.
    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let consulted = consult(Path::new("x.config"), text.as_bytes().to_vec());
        let mut out = String::new();
        for root in consulted.roots() {
            out += &format!("{root}\n");
        }
        for problem in &consulted.diagnostics {
            let loc = problem.loc;
            out += &format!("{}:{}: {}\n", loc.line, loc.column, problem.message);
        }
        expected.assert_eq(&out);
    }

    #[test]
    fn terms() {
        check(
            "{deps, [cowboy, {jsx, \"3.1\" \".0\"}]}. %% comment\n\
             [1|2]. #{a => {}, \"b\" => -2.5}. <<\"hi\", 10>>. <<\"é\"/utf8>>. [].\n\
             'Quoted one'. $a. 16#ff. 123456789012345678901234567890. [a, b | [c]].",
            expect![[r#"
                {deps,[cowboy,{jsx,"3.1.0"}]}
                [1|2]
                #{a => {},"b" => -2.5}
                <<104,105,10>>
                <<195,169>>
                []
                'Quoted one'
                97
                255
                123456789012345678901234567890
                [a,b|[c]]
            "#]],
        );
    }

    #[test]
    fn mistakes_do_not_hide_later_terms() {
        check(
            "{a, b.\n{c, X}.\n[1 2].\n{ok}.\nf(x).\n<<1:2>>.\n#{a = b}.\n{good, [].\n'oops\n",
            expect![[r#"
                {ok}
                1:6: expected a comma or the end of the tuple of line 1 before the full stop
                2:5: expected a constant term, not the variable X
                3:4: expected a comma or the end of the list of line 3 before a number
                5:2: expected a full stop before '('
                6:4: expected a comma or the end of the binary of line 6 before ':'
                7:5: expected a comma or the end of the map of line 7 before '='
                8:10: expected a comma or the end of the tuple of line 8 before the full stop
                9:1: the quoted atom that starts here is not closed
            "#]],
        );
        check(
            "{a, 1}",
            expect![[r#"
                1:7: the last term has no full stop
            "#]],
        );
    }

    #[test]
    fn deep_nesting_is_survived() {
        let text = "[".repeat(200_000) + &"]".repeat(200_000) + ".";
        let consulted = consult(Path::new("deep"), text.clone().into_bytes());
        assert_eq!(consulted.roots().next().unwrap().to_string() + ".", text);
    }

    #[test]
    fn any_text_is_survived() {
        arbtest::arbtest(|u| {
            let pieces = ["{", "}", "[", "]", "a", "\"s\"", "|", ",", ".\n", "#", "=>", "<<", ">>"];
            let mut text = String::new();
            for _ in 0..u.int_in_range(0..=40)? {
                text += u.choose(&pieces)?;
                text += " ";
            }
            consult(Path::new("x"), text.into_bytes());
            Ok(())
        });
    }
}
