//! Replacing macro calls by what they stand for.
//!
//! One pass over a stream of tokens: the rest of the form, with the bodies of macros under
//! expansion in front of it. A macro with parameters is replaced by its body, and reading goes on
//! at the start of the body, so that its end may combine with what follows the call; the body of a
//! macro without parameters is expanded by itself first (a barrier token separates it from what
//! follows), and only a question mark at its end may combine with what follows.
//!
//! Places are OTP's: a token from a body stands where the macro's name stands in the call, a token
//! from an argument where it was written, and a token of the body behind an argument where the last
//! token of the argument stands.
//!
//! Macros can make exponentially many tokens, or call each other through their arguments for ever
//! (OTP does so too, until memory ends). The work is bounded a form and a module.

use std::rc::Rc;

use atom::Atom;

use super::Preprocessor;
use super::arguments::{TokenSource, scan_arguments};
use super::fault::{Fault, Problem};
use super::macros::{Definition, Meaning};
use super::predefined::{self, Function};
use super::stringify::stringify;
use crate::source::{Loc, Span};
use crate::token::{Expansion, ExpansionId, Literal, LiteralId, Token, TokenKind, TokenValue};

/// How many tokens the macros of one form may make.
const MAX_TOKENS_PER_FORM: u64 = 10_000_000;
/// How many tokens the macros of one module may make.
const MAX_TOKENS_PER_MODULE: u64 = 20_000_000;
/// How many macro calls one form may contain, calls in bodies included.
const MAX_CALLS_PER_FORM: u64 = 2_000_000;
/// How many tokens may be looked at to find the arguments of the calls of one form.
const MAX_LOOKED_AT_PER_FORM: u64 = 200_000_000;

/// So many bytes of text count as one token.
const BYTES_PER_TOKEN: usize = 16;

/// What expansion has cost so far.
#[derive(Default)]
pub(super) struct Work {
    form_tokens: u64,
    module_tokens: u64,
    calls: u64,
    looked_at: u64,
}

impl Work {
    pub(super) fn start_form(&mut self) {
        *self = Work { module_tokens: self.module_tokens, ..Work::default() };
    }

    fn spend(&mut self, tokens: usize) -> Result<(), Problem> {
        self.form_tokens += tokens as u64;
        self.module_tokens += tokens as u64;
        self.calls += 1;
        if self.form_tokens > MAX_TOKENS_PER_FORM
            || self.module_tokens > MAX_TOKENS_PER_MODULE
            || self.calls > MAX_CALLS_PER_FORM
            || self.looked_at > MAX_LOOKED_AT_PER_FORM
        {
            return Err(Problem::ExpansionTooLarge);
        }
        Ok(())
    }
}

/// The tokens still to be read.
struct Input<'a> {
    /// What is left of the form as written.
    form: &'a [Token],
    /// What comes before it: bodies, last token first. An `Eof` token is a barrier.
    pending: Vec<Token>,
}

impl Input<'_> {
    fn next(&mut self) -> Option<Token> {
        if let Some(token) = self.pending.pop() {
            return Some(token);
        }
        let (&token, rest) = self.form.split_first()?;
        self.form = rest;
        Some(token)
    }

    fn peek(&self, ahead: usize) -> Option<&Token> {
        match self.pending.len().checked_sub(ahead + 1) {
            Some(index) => self.pending.get(index),
            None => self.form.get(ahead - self.pending.len()),
        }
    }
}

impl TokenSource for Input<'_> {
    fn kind(&self, ahead: usize) -> Option<TokenKind> {
        self.peek(ahead).map(|token| token.kind).filter(|&kind| kind != TokenKind::Eof)
    }
}

/// A macro call that is being replaced.
#[derive(Clone, Copy)]
struct Call {
    question: Token,
    name: Token,
    /// Its last token: the name, or the closing parenthesis.
    last: Token,
}

impl Call {
    fn span(&self) -> Span {
        let (from, to) = (self.question, self.last);
        let same = from.span.file == to.span.file && from.expansion == to.expansion;
        if same && from.span.start <= to.span.end {
            return Span { end: to.span.end, ..from.span };
        }
        self.name.span
    }
}

impl Preprocessor<'_> {
    /// Appends the tokens of `form` to `out`, macros replaced.
    pub(super) fn expand(
        &mut self,
        form: &[Token],
        mut function: Function<'_>,
        out: &mut Vec<Token>,
    ) -> Result<(), Fault> {
        let base = out.len();
        let mut input = Input { form, pending: Vec::new() };
        while let Some(token) = input.next() {
            match token.kind {
                TokenKind::Question => {
                    let name = input.peek(0).copied().filter(|next| next.kind != TokenKind::Eof);
                    match name {
                        None => out.push(token),
                        Some(name) if matches!(name.kind, TokenKind::Atom | TokenKind::Var) => {
                            input.next();
                            let call = Call { question: token, name, last: name };
                            self.call(call, &mut input, &mut function, out)?;
                        }
                        Some(other) => {
                            let text = predefined::symbol_text(&self.module, &other);
                            return Err(Fault::at(&other, Problem::IllegalCall(text)));
                        }
                    }
                }
                TokenKind::Eof => {
                    // The end of a body that was expanded by itself.
                    while out.len() > base
                        && let Some(mark) = out.pop_if(|last| last.kind == TokenKind::Question)
                    {
                        input.pending.push(mark);
                    }
                }
                _ => out.push(token),
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        mut call: Call,
        input: &mut Input<'_>,
        function: &mut Function<'_>,
        out: &mut Vec<Token>,
    ) -> Result<(), Fault> {
        let Some(name) = call.name.name() else { return Ok(()) };
        let fault = |problem| Fault::at(&call.name, problem);
        if call.name.kind == TokenKind::Var && self.special_call(&call, name, function, out)? {
            self.work.spend(1).map_err(fault)?;
            return Ok(());
        }
        let mut ends = std::mem::take(&mut self.argument_ends);
        let arity = scan_arguments(input, &mut ends);
        self.work.looked_at += u64::from(ends.last().copied().unwrap_or(0));
        let arity = arity.map_err(|_| fault(Problem::BadArgument(name)))?;
        match self.macros.meaning(name, arity).map_err(fault)? {
            Meaning::Predefined(predefined) => {
                self.work.spend(1).map_err(fault)?;
                let expansion = self.new_expansion(&call, name, None);
                let token = self.predefined_token(predefined, &call.name, call.span(), expansion);
                out.push(token);
            }
            Meaning::User(definition) => {
                self.macros.check_circular(name, definition.arity()).map_err(fault)?;
                match &definition.params {
                    None => self.object_call(&call, name, &definition, input, out)?,
                    Some(params) => {
                        let mut arguments = Vec::new();
                        let start = input.next(); // the opening parenthesis
                        call.last = start.unwrap_or(call.last);
                        let mut ranges = Vec::with_capacity(params.len());
                        let mut at = 1;
                        for &end in &ends {
                            let from = arguments.len();
                            while at < end {
                                arguments.extend(input.next());
                                at += 1;
                            }
                            call.last = input.next().unwrap_or(call.last);
                            at += 1;
                            ranges.push(from..arguments.len());
                        }
                        if !params.is_empty() && ranges.iter().any(|range| range.is_empty()) {
                            return Err(fault(Problem::ArgumentMismatch(name)));
                        }
                        let bound = |name: Atom| {
                            let index = params.iter().position(|&param| param == name)?;
                            arguments.get(ranges.get(index)?.clone())
                        };
                        self.function_call(&call, name, &definition, bound, input)?;
                    }
                }
            }
        }
        self.argument_ends = ends;
        Ok(())
    }

    /// The macro is replaced by its body as it is.
    fn object_call(
        &mut self,
        call: &Call,
        name: Atom,
        definition: &Rc<Definition>,
        input: &mut Input<'_>,
        out: &mut Vec<Token>,
    ) -> Result<(), Fault> {
        let fault = |problem| Fault::at(&call.name, problem);
        self.work.spend(definition.body.len()).map_err(fault)?;
        let expansion = self.new_expansion(call, name, definition.written);
        if definition.plain {
            for token in definition.body.iter() {
                let token = self.body_token(token, call, definition, expansion, call.name.loc);
                out.push(token);
            }
            return Ok(());
        }
        let mut body = std::mem::take(&mut self.body);
        body.clear();
        let none = |_| None;
        self.substitute(call, definition, expansion, none, &mut body).map_err(fault)?;
        input.pending.push(barrier(&call.name));
        input.pending.extend(body.drain(..).rev());
        self.body = body;
        Ok(())
    }

    /// The macro is replaced by its body with the arguments in it, to be read next.
    fn function_call<'b>(
        &mut self,
        call: &Call,
        name: Atom,
        definition: &Rc<Definition>,
        bound: impl Fn(Atom) -> Option<&'b [Token]>,
        input: &mut Input<'_>,
    ) -> Result<(), Fault> {
        let fault = |problem| Fault::at(&call.name, problem);
        let expansion = self.new_expansion(call, name, definition.written);
        // Before anything is made, because it may be too much to make.
        let mut size = definition.body.len();
        for token in definition.body.iter().filter(|token| token.kind == TokenKind::Var) {
            size += token.name().and_then(&bound).map_or(0, <[Token]>::len);
        }
        self.work.spend(size).map_err(fault)?;
        let mut body = std::mem::take(&mut self.body);
        body.clear();
        self.substitute(call, definition, expansion, bound, &mut body).map_err(fault)?;
        input.pending.extend(body.drain(..).rev());
        self.body = body;
        Ok(())
    }

    /// The body with parameters replaced by arguments.
    fn substitute<'b>(
        &mut self,
        call: &Call,
        definition: &Definition,
        expansion: ExpansionId,
        bound: impl Fn(Atom) -> Option<&'b [Token]>,
        out: &mut Vec<Token>,
    ) -> Result<(), Problem> {
        let mut loc = call.name.loc;
        let body = &definition.body;
        let mut index = 0;
        while let Some(token) = body.get(index) {
            index += 1;
            if let Some((var, argument)) = stringified(&body[index - 1..]) {
                index += 2;
                match bound(argument) {
                    Some(argument) => {
                        let text = stringify(&self.module, argument);
                        // A string of a string doubles its escapes at every level.
                        self.work.spend(text.len() / BYTES_PER_TOKEN)?;
                        let value = self.literal(Literal::String(text.into()));
                        let mut token = self.body_token(var, call, definition, expansion, loc);
                        token.kind = TokenKind::String;
                        token.value = value;
                        out.push(token);
                    }
                    None => out.push(self.body_token(var, call, definition, expansion, loc)),
                }
                continue;
            }
            let argument = match (token.kind, token.value) {
                (TokenKind::Var, TokenValue::Name(name)) => bound(name),
                _ => None,
            };
            match argument {
                Some(argument) => {
                    out.extend_from_slice(argument);
                    loc = argument.last().map_or(loc, |last| last.loc);
                }
                None => out.push(self.body_token(token, call, definition, expansion, loc)),
            }
        }
        Ok(())
    }

    /// A token of a body as it comes out of a call.
    fn body_token(
        &self,
        token: &Token,
        call: &Call,
        definition: &Definition,
        expansion: ExpansionId,
        loc: Loc,
    ) -> Token {
        let mut token = Token { loc, expansion: Some(expansion), ..*token };
        if self.force_maybe {
            self.make_maybe_keyword(&mut token);
        }
        if definition.written.is_none() {
            token.span = call.span();
        }
        token
    }

    /// `?LINE`, `?FUNCTION_NAME` and `?FUNCTION_ARITY`, whose value depends on where they stand.
    fn special_call(
        &mut self,
        call: &Call,
        name: Atom,
        function: &mut Function<'_>,
        out: &mut Vec<Token>,
    ) -> Result<bool, Fault> {
        let (kind, value) = match name.as_str() {
            "LINE" => {
                let line = call.name.loc.line;
                (TokenKind::Integer, self.literal(Literal::Integer(line.into())))
            }
            "FUNCTION_NAME" | "FUNCTION_ARITY" => {
                self.find_function(function, &call.name, name)?;
                match (*function, name.as_str()) {
                    (Function::Known(function, _), "FUNCTION_NAME") => {
                        (TokenKind::Atom, TokenValue::Name(function))
                    }
                    (Function::Known(_, arity), _) => {
                        (TokenKind::Integer, self.literal(Literal::Integer(arity.into())))
                    }
                    _ => {
                        out.extend([call.question, call.name]);
                        return Ok(true);
                    }
                }
            }
            _ => return Ok(false),
        };
        let expansion = Some(self.new_expansion(call, name, None));
        out.push(Token { kind, span: call.span(), loc: call.name.loc, expansion, value });
        Ok(true)
    }

    fn new_expansion(&mut self, call: &Call, name: Atom, definition: Option<Span>) -> ExpansionId {
        let id = ExpansionId(self.module.expansions.len() as u32);
        let parent = call.question.expansion;
        self.module.expansions.push(Expansion { name, call: call.span(), definition, parent });
        id
    }

    /// Keeps the value of a literal.
    pub(super) fn literal(&mut self, literal: Literal) -> TokenValue {
        let id = LiteralId(self.module.literals.len() as u32);
        self.module.literals.push(literal);
        TokenValue::Literal(id)
    }
}

/// The variable of `??Var`, if that is what the tokens start with.
fn stringified(tokens: &[Token]) -> Option<(&Token, Atom)> {
    match tokens {
        [first, second, var, ..]
            if first.kind == TokenKind::Question
                && second.kind == TokenKind::Question
                && var.kind == TokenKind::Var =>
        {
            Some((var, var.name()?))
        }
        _ => None,
    }
}

fn barrier(token: &Token) -> Token {
    Token { kind: TokenKind::Eof, value: TokenValue::None, ..*token }
}
