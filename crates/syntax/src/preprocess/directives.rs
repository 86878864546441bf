//! Forms that speak to the preprocessor: which they are, and what those about macros, features,
//! errors and the name of the file do. Conditions and includes have files of their own.
//!
//! A directive that is badly written is reported at the token where it stops being one, as in OTP.

use atom::{Atom, known};

use super::fault::{Fault, Problem};
use super::macros::Definition;
use super::predefined::Function;
use super::{Mark, Preprocessor};
use crate::parser;
use crate::source::Span;
use crate::token::{Literal, Token, TokenKind, TokenValue};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Directive {
    Define,
    Undef,
    Ifdef,
    Ifndef,
    If,
    Elif,
    Else,
    Endif,
    Include,
    IncludeLib,
    Error,
    Warning,
    File,
    Feature,
}

impl Directive {
    /// The directive that the token behind the hyphen names.
    pub(super) fn of(name: &Token) -> Option<Directive> {
        match name.kind {
            TokenKind::Atom => {}
            TokenKind::If => return Some(Directive::If),
            TokenKind::Else => return Some(Directive::Else),
            _ => return None,
        }
        Some(match name.name()? {
            known::DEFINE => Directive::Define,
            known::UNDEF => Directive::Undef,
            known::IFDEF => Directive::Ifdef,
            known::IFNDEF => Directive::Ifndef,
            known::ELIF => Directive::Elif,
            known::ELSE => Directive::Else,
            known::ENDIF => Directive::Endif,
            known::INCLUDE => Directive::Include,
            known::INCLUDE_LIB => Directive::IncludeLib,
            known::ERROR => Directive::Error,
            known::WARNING => Directive::Warning,
            known::FILE => Directive::File,
            known::FEATURE => Directive::Feature,
            _ => return None,
        })
    }
}

impl Preprocessor<'_> {
    /// Carries out a directive; `form` is all of it.
    pub(super) fn directive(&mut self, directive: Directive, form: &[Token]) {
        match directive {
            Directive::Define => {
                if let Err(fault) = self.define(form) {
                    self.fault(fault);
                }
            }
            Directive::Undef => self.undef(form),
            Directive::Include => self.include(false, form),
            Directive::IncludeLib => self.include(true, form),
            Directive::Error => self.user_message("error", form),
            Directive::Warning => self.user_message("warning", form),
            Directive::File => self.file_directive(form),
            Directive::Feature => self.feature(form),
            _ => self.conditional(directive, form),
        }
    }

    /// `-define(NAME, Body).` or `-define(NAME(A, B), Body).`
    fn define(&mut self, form: &[Token]) -> Result<(), Fault> {
        let (directive, rest) = (&form[1], &form[2..]);
        let bad = |token: &Token| Fault::at(token, Problem::BadDirective("define"));
        let [open, name, rest @ ..] = rest else {
            return Err(bad(&mismatch(&[TokenKind::LParen, TokenKind::Atom], rest, directive)));
        };
        let named = matches!(name.kind, TokenKind::Atom | TokenKind::Var);
        let Some(macro_name) = name.name().filter(|_| named && open.kind == TokenKind::LParen)
        else {
            let shape = [TokenKind::LParen, TokenKind::Atom];
            return Err(bad(&mismatch(&shape, &form[2..], directive)));
        };
        let (params, body) = match rest {
            [comma, body @ ..] if comma.kind == TokenKind::Comma => {
                (None, replacement(body, comma)?)
            }
            [open, rest @ ..] if open.kind == TokenKind::LParen => {
                let (params, body) = parameters(rest, open)?;
                (Some(params), body)
            }
            rest => return Err(bad(rest.first().unwrap_or(directive))),
        };
        let written = Span { end: form[form.len() - 1].span.end, ..form[0].span };
        // A name that is taken is reported before anything about the body.
        let arity = params.as_ref().map(|params| params.len() as u32);
        self.macros.check_free(macro_name, arity).map_err(|problem| Fault::at(name, problem))?;
        let definition = Definition::new(params, body.to_vec(), Some(written))?;
        self.macros.define(macro_name, definition);
        Ok(())
    }

    /// `-undef(NAME).`
    fn undef(&mut self, form: &[Token]) {
        self.in_prefix = false;
        match macro_name(form) {
            Ok(name) => self.macros.remove(name),
            Err(token) => self.fault(Fault::at(&token, Problem::BadDirective("undef"))),
        }
    }

    /// `-error(Term).` or `-warning(Term).`
    fn user_message(&mut self, tag: &'static str, form: &[Token]) {
        self.in_prefix = false;
        let (directive, rest) = (&form[1], &form[2..]);
        let problem = match rest.first() {
            Some(open) if open.kind == TokenKind::LParen => match self.term_text(rest) {
                Some(term) if tag == "error" => Problem::UserError(term),
                Some(term) => Problem::UserWarning(term),
                None => Problem::BadDirective(tag),
            },
            other => {
                let token = other.unwrap_or(directive);
                return self.fault(Fault::at(token, Problem::BadDirective(tag)));
            }
        };
        self.fault(Fault::at(directive, problem));
    }

    /// The text of the term that the tokens denote after expansion.
    fn term_text(&mut self, tokens: &[Token]) -> Option<String> {
        let mark = Mark::new(&self.module);
        let text = self.expressions(tokens).ok().and_then(|nodes| match nodes.as_slice() {
            &[node] => super::conditions::constant(&self.module, node).map(|term| term.to_string()),
            _ => None,
        });
        mark.restore(&mut self.module);
        text
    }

    /// Expands and parses expressions. What is made for them stays until the caller takes it back.
    pub(super) fn expressions(
        &mut self,
        tokens: &[Token],
    ) -> Result<Vec<crate::ast::NodeId>, ExpressionFault> {
        let start = self.module.tokens.len();
        let mut out = std::mem::take(&mut self.module.tokens);
        let result = self.expand(tokens, Function::Unknown(&[]), &mut out);
        self.module.tokens = out;
        result.map_err(ExpressionFault::Expansion)?;
        self.end_form(start);
        let range = start as u32..self.module.tokens.len() as u32;
        parser::parse_expressions(&mut self.module, range).map_err(ExpressionFault::Syntax)
    }

    /// `-file("name", Line).`: what follows is said to stand in that file, at that line.
    fn file_directive(&mut self, form: &[Token]) {
        let directive = &form[1];
        let mut rest = Vec::new();
        if let Err(fault) = self.expand(&form[2..], Function::Unknown(&[]), &mut rest) {
            return self.fault(fault);
        }
        let Some((name, line)) = self.name_and_line(&rest) else {
            use TokenKind::{Comma, Dot, Integer, LParen, RParen, String};
            let shape = [LParen, String, Comma, Integer, RParen, Dot];
            let merged = merge_strings(&rest);
            let token = mismatch(&shape, &merged, directive);
            return self.fault(Fault::at(&token, Problem::BadDirective("file")));
        };
        let written = Span { end: form[form.len() - 1].span.end, ..form[0].span };
        self.file_attribute(&name, line, directive.loc, Some(written));
        let here = self.current().cursor.loc();
        let lines = here.line.saturating_sub(directive.loc.line);
        let file = self.current_mut();
        file.line_delta += i64::from(directive.loc.line) - i64::from(line);
        file.cursor.restart_at_line(line.saturating_add(lines));
        file.shown_name = name;
        file.file_attribute = Some(written);
    }

    fn name_and_line(&self, rest: &[Token]) -> Option<(String, u32)> {
        let [open, strings @ .., comma, line, close, dot] = rest else { return None };
        let kinds = (open.kind, comma.kind, line.kind, close.kind, dot.kind);
        use TokenKind::{Comma, Dot, Integer, LParen, RParen};
        if kinds != (LParen, Comma, Integer, RParen, Dot) || strings.is_empty() {
            return None;
        }
        let TokenValue::Literal(id) = line.value else { return None };
        let Literal::Integer(line) = self.module.literal(id) else { return None };
        Some((self.strings(strings)?, u32::try_from(line).unwrap_or(u32::MAX)))
    }

    /// `-feature(name, enable).`
    fn feature(&mut self, form: &[Token]) {
        let (directive, rest) = (&form[1], &form[2..]);
        let kinds = |tokens: &[Token]| {
            let kinds = tokens.iter().map(|token| token.kind);
            use TokenKind::{Atom, Comma, Dot, LParen, RParen};
            kinds.eq([LParen, Atom, Comma, Atom, RParen, Dot])
        };
        if !kinds(rest) {
            let token = rest.first().unwrap_or(directive);
            return self.fault(Fault::at(token, Problem::BadDirective("feature")));
        }
        if !self.in_prefix {
            return self.fault(Fault::at(directive, Problem::FeatureTooLate));
        }
        let (Some(feature), Some(switch)) = (rest[1].name(), rest[3].name()) else { return };
        if switch != known::ENABLE && switch != known::DISABLE {
            return self.fault(Fault::at(&rest[0], Problem::BadDirective("feature")));
        }
        if !is_feature(feature) {
            return self.fault(Fault::at(directive, Problem::UnknownFeature(feature)));
        }
        let enabled = self.features.contains(&feature);
        if switch == known::ENABLE && !enabled {
            self.features.insert(0, feature);
        } else if switch == known::DISABLE {
            self.features.retain(|&other| other != feature);
        }
        self.maybe_keywords = self.features.contains(&known::MAYBE_EXPR);
        self.define_enabled_features();
    }
}

/// Features that can be switched: `compr_assign` since OTP 29.
fn is_feature(name: Atom) -> bool {
    name == known::MAYBE_EXPR || name.as_str() == "compr_assign"
}

/// Why expressions could not be read.
pub(super) enum ExpressionFault {
    Expansion(Fault),
    Syntax(Box<crate::diagnostic::Diagnostic>),
}

/// The macro that `-undef(NAME).` and its relatives name, or the token where they go wrong.
pub(super) fn macro_name(form: &[Token]) -> Result<Atom, Token> {
    if let [_, _, open, name, close, dot] = form
        && open.kind == TokenKind::LParen
        && matches!(name.kind, TokenKind::Atom | TokenKind::Var)
        && close.kind == TokenKind::RParen
        && dot.kind == TokenKind::Dot
        && let Some(name) = name.name()
    {
        return Ok(name);
    }
    use TokenKind::{Atom, Dot, LParen, RParen};
    Err(mismatch(&[LParen, Atom, RParen, Dot], &form[2..], &form[1]))
}

/// The first token that is not as the shape says; the last one before if there is none. `Atom`
/// stands for an atom or a variable.
pub(super) fn mismatch(shape: &[TokenKind], tokens: &[Token], before: &Token) -> Token {
    let mut last = *before;
    let mut tokens = tokens.iter();
    for &kind in shape {
        match tokens.clone().next() {
            Some(token)
                if token.kind == kind
                    || (kind == TokenKind::Atom && token.kind == TokenKind::Var) =>
            {
                last = *token;
                tokens.next();
            }
            _ => break,
        }
    }
    tokens.next().copied().unwrap_or(last)
}

/// The tokens with adjacent strings taken as the first of them.
fn merge_strings(tokens: &[Token]) -> Vec<Token> {
    let mut merged: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let after_string = merged.last().is_some_and(|last| last.kind == TokenKind::String);
        if !(after_string && token.kind == TokenKind::String) {
            merged.push(*token);
        }
    }
    merged
}

/// The parameters of a macro and its body; `open` is the parenthesis before the tokens.
fn parameters<'t>(
    mut tokens: &'t [Token],
    open: &Token,
) -> Result<(Vec<Atom>, &'t [Token]), Fault> {
    let bad = |tokens: &[Token], before: &Token| {
        Fault::at(tokens.first().unwrap_or(before), Problem::BadDirective("define"))
    };
    let mut params = Vec::new();
    let mut before = *open;
    loop {
        match tokens {
            [close, rest @ ..] if close.kind == TokenKind::RParen => {
                let [comma, body @ ..] = rest else {
                    return Err(Fault::at(close, Problem::MissingComma));
                };
                if comma.kind != TokenKind::Comma {
                    return Err(Fault::at(comma, Problem::MissingComma));
                }
                return Ok((params, replacement(body, comma)?));
            }
            [comma, var, rest @ ..]
                if !params.is_empty()
                    && comma.kind == TokenKind::Comma
                    && var.kind == TokenKind::Var =>
            {
                before = *var;
                tokens = rest;
            }
            [var, rest @ ..] if params.is_empty() && var.kind == TokenKind::Var => {
                before = *var;
                tokens = rest;
            }
            _ => return Err(bad(tokens, &before)),
        }
        let Some(name) = before.name() else { return Err(bad(tokens, &before)) };
        if params.contains(&name) {
            return Err(Fault::at(&before, Problem::DuplicatedArgument(name)));
        }
        params.push(name);
    }
}

/// The body of a definition: the tokens up to the closing parenthesis and full stop at the end.
fn replacement<'t>(tokens: &'t [Token], before: &Token) -> Result<&'t [Token], Fault> {
    match tokens {
        [body @ .., close, dot]
            if close.kind == TokenKind::RParen && dot.kind == TokenKind::Dot =>
        {
            Ok(body)
        }
        [.., dot] if dot.kind == TokenKind::Dot => Err(Fault::at(dot, Problem::MissingParenthesis)),
        [.., last] => Err(Fault::at(last, Problem::PrematureEnd)),
        [] => Err(Fault::at(before, Problem::PrematureEnd)),
    }
}
