//! Macros that come with the language, those from the command line, and the name of the function
//! that a form defines.

use atom::{Atom, known};

use super::Preprocessor;
use super::fault::{Fault, Problem};
use super::macros::{Definition, Entry, Predefined};
use crate::ast::Module;
use crate::lexer::{Cursor, FormEnd, Sink, lex_form};
use crate::quote;
use crate::source::{FileId, Loc, Span};
use crate::token::{ExpansionId, Literal, Token, TokenKind, TokenValue};

/// What is known of the function whose clauses are being read.
#[derive(Clone, Copy)]
pub(super) enum Function<'a> {
    /// Nobody has asked; these are the tokens of the form.
    Unknown(&'a [Token]),
    /// It is being found out: `?FUNCTION_NAME` stays as it is.
    BeingFound,
    Known(Atom, u32),
}

/// The first release in which `maybe` is a keyword without asking.
const MAYBE_RELEASE: u32 = 27;

impl Preprocessor<'_> {
    pub(super) fn define_predefined(&mut self) {
        for (name, value) in [
            ("FILE", Predefined::File),
            ("LINE", Predefined::Line),
            ("FUNCTION_NAME", Predefined::FunctionName),
            ("FUNCTION_ARITY", Predefined::FunctionArity),
            ("MODULE", Predefined::Module(None)),
            ("MODULE_STRING", Predefined::ModuleString(None)),
            ("BASE_MODULE", Predefined::Module(None)),
            ("BASE_MODULE_STRING", Predefined::ModuleString(None)),
            ("MACHINE", Predefined::Machine),
            ("BEAM", Predefined::TheMachine),
            ("OTP_RELEASE", Predefined::OtpRelease),
        ] {
            self.macros.insert(Atom::new(name), Entry::Predefined(value));
        }
        for feature in &self.options.features {
            self.features.insert(0, Atom::new(feature));
        }
        if self.options.release >= MAYBE_RELEASE && !self.features.contains(&known::MAYBE_EXPR) {
            self.features.push(known::MAYBE_EXPR);
        }
        self.maybe_keywords = self.features.contains(&known::MAYBE_EXPR);
        self.define_feature_macro("FEATURE_AVAILABLE", &[known::MAYBE_EXPR]);
        self.define_enabled_features();
    }

    /// `?FEATURE_ENABLED(X)`, after the set of features has changed.
    pub(super) fn define_enabled_features(&mut self) {
        let features = self.features.clone();
        self.module.has_assignments = features.iter().any(|f| f.as_str() == "compr_assign");
        self.define_feature_macro("FEATURE_ENABLED", &features);
    }

    /// A macro that says whether its argument is one of the features:
    /// `((X) == f1 orelse (X) == f2)`.
    fn define_feature_macro(&mut self, name: &str, features: &[Atom]) {
        let param = Atom::new("X");
        let symbol = |kind| built_token(kind, TokenValue::None);
        let mut body = Vec::new();
        for &feature in features {
            body.push(symbol(if body.is_empty() { TokenKind::LParen } else { TokenKind::Orelse }));
            body.push(symbol(TokenKind::LParen));
            body.push(built_token(TokenKind::Var, TokenValue::Name(param)));
            body.push(symbol(TokenKind::RParen));
            body.push(symbol(TokenKind::EqEq));
            body.push(built_token(TokenKind::Atom, TokenValue::Name(feature)));
        }
        match body.is_empty() {
            true => body.push(built_token(TokenKind::Atom, TokenValue::Name(known::FALSE))),
            false => body.push(symbol(TokenKind::RParen)),
        }
        if let Ok(definition) = Definition::new(Some(vec![param]), body, None) {
            self.macros.insert(Atom::new(name), Entry::User(vec![definition.into()]));
        }
    }

    /// Macros from the command line; the value is one Erlang term, `true` if none is given.
    pub(super) fn define_from_options(&mut self) {
        for (name, value) in &self.options.defines {
            let atom = Atom::new(name);
            let bad = |why| Problem::BadDefine { name: name.clone(), why };
            let problem = match self.command_line_body(value.as_deref().unwrap_or("true")) {
                Some(body) => match Definition::new(None, body, None) {
                    Ok(_) if self.macros.is_predefined(atom) => {
                        Some(Problem::RedefinedPredefined(atom))
                    }
                    Ok(definition) => {
                        // The last one given counts.
                        self.macros.insert(atom, Entry::User(vec![definition.into()]));
                        None
                    }
                    Err(_) => Some(bad("has a value that calls a macro")),
                },
                None => Some(bad("has a value that is no Erlang term")),
            };
            if let Some(problem) = problem {
                self.error_at_start(problem);
            }
        }
    }

    fn command_line_body(&mut self, text: &str) -> Option<Vec<Token>> {
        let mut tokens = Vec::new();
        let text = format!("{text} .");
        let sink = Sink {
            tokens: &mut tokens,
            literals: &mut self.module.literals,
            names: &mut self.names,
        };
        let end = lex_form(&text, FileId::MAIN, &mut Cursor::START.clone(), false, sink);
        tokens.pop()?;
        (matches!(end, FormEnd::Dot) && !tokens.is_empty()).then_some(tokens)
    }

    /// The token that a predefined macro stands for.
    pub(super) fn predefined_token(
        &mut self,
        predefined: Predefined,
        name: &Token,
        span: Span,
        expansion: ExpansionId,
    ) -> Token {
        let (kind, value) = match predefined {
            Predefined::File => {
                let file = self.current().shown_name.clone();
                (TokenKind::String, self.literal(Literal::String(file.into())))
            }
            // Only `?'LINE'` comes here; its value is the one of the first line.
            Predefined::Line => (TokenKind::Integer, self.literal(Literal::Integer(1.into()))),
            Predefined::Machine => (TokenKind::Atom, TokenValue::Name(known::BEAM)),
            Predefined::TheMachine => (TokenKind::Atom, TokenValue::Name(known::TRUE)),
            Predefined::OtpRelease => {
                let release = self.options.release.into();
                (TokenKind::Integer, self.literal(Literal::Integer(release)))
            }
            Predefined::ModuleString(module) => {
                let text = module.map_or("", Atom::as_str).into();
                (TokenKind::String, self.literal(Literal::String(text)))
            }
            Predefined::Module(module) => {
                (TokenKind::Atom, TokenValue::Name(module.unwrap_or(known::UNDEFINED)))
            }
            Predefined::FunctionName | Predefined::FunctionArity => {
                (TokenKind::Atom, TokenValue::Name(known::UNDEFINED))
            }
        };
        Token { kind, span, loc: name.loc, expansion: Some(expansion), value }
    }

    /// Notes the name of the module if the form that was just read says it.
    pub(super) fn note_module(&mut self, form: u32) {
        let tokens = &self.module.tokens[form as usize..];
        let [minus, attribute, open, name, close, ..] = tokens else { return };
        let kinds = (minus.kind, attribute.kind, open.kind, name.kind);
        if kinds != (TokenKind::Minus, TokenKind::Atom, TokenKind::LParen, TokenKind::Atom) {
            return;
        }
        let (Some(attribute), Some(name)) = (attribute.name(), name.name()) else { return };
        let (symbol, string) = match (attribute.as_str(), close.kind) {
            // `-module(name, [Parameter])` was allowed once.
            ("module", TokenKind::RParen | TokenKind::Comma) => ("MODULE", "MODULE_STRING"),
            ("extends", TokenKind::RParen) => ("BASE_MODULE", "BASE_MODULE_STRING"),
            _ => return,
        };
        self.macros.update(Atom::new(symbol), Predefined::Module(Some(name)));
        self.macros.update(Atom::new(string), Predefined::ModuleString(Some(name)));
    }

    /// Finds out which function the form defines, if nobody has yet.
    pub(super) fn find_function(
        &mut self,
        function: &mut Function<'_>,
        token: &Token,
        name: Atom,
    ) -> Result<(), Fault> {
        let Function::Unknown(form) = *function else { return Ok(()) };
        let (literals, expansions) = (self.module.literals.len(), self.module.expansions.len());
        let mut tokens = Vec::new();
        let result = self.expand(form, Function::BeingFound, &mut tokens);
        self.module.literals.truncate(literals);
        self.module.expansions.truncate(expansions);
        *function = match tokens.as_slice() {
            // The caller will meet the same problem.
            _ if result.is_err() => Function::Known(known::UNDERSCORE, 0),
            [head, open, rest @ ..]
                if head.kind == TokenKind::Atom && open.kind == TokenKind::LParen =>
            {
                Function::Known(head.name().unwrap_or(known::UNDERSCORE), count_parameters(rest))
            }
            [first, ..] if first.kind == TokenKind::Question => {
                return Err(Fault::at(token, Problem::BeginsForm(name)));
            }
            _ => return Err(Fault::at(token, Problem::OutsideFunction(name))),
        };
        Ok(())
    }
}

/// The number of parameters between the opening parenthesis and its partner. As OTP does, a
/// parameter that consists of brackets only (`f({})`) is not counted if it is the first.
fn count_parameters(tokens: &[Token]) -> u32 {
    let (mut arity, mut depth) = (0, 1);
    for token in tokens {
        match token.kind {
            TokenKind::Comma if depth == 1 => arity += 1,
            TokenKind::Comma => {}
            TokenKind::LParen | TokenKind::LBrace | TokenKind::LBracket | TokenKind::LBin => {
                depth += 1;
            }
            TokenKind::RParen | TokenKind::RBrace | TokenKind::RBracket | TokenKind::RBin => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            _ => arity = arity.max(1),
        }
    }
    arity
}

/// A token of the body of a macro that comes with the language.
fn built_token(kind: TokenKind, value: TokenValue) -> Token {
    let span = Span { file: FileId::MAIN, start: 0, end: 0 };
    Token { kind, span, loc: Loc { line: 1, column: 1 }, expansion: None, value }
}

/// The value of a token as OTP prints it in the error about `?` before it.
pub(super) fn symbol_text(module: &Module, token: &Token) -> String {
    match token.value {
        TokenValue::Name(name) => quote::atom(name.as_str()),
        TokenValue::Char(c) => c.to_string(),
        TokenValue::Literal(id) => match module.literal(id) {
            Literal::Integer(value) => value.to_string(),
            Literal::Float(value) => quote::float(*value),
            Literal::String(text) if text.is_empty() => "[]".to_owned(),
            Literal::String(text) => quote::string(text),
        },
        TokenValue::None if token.kind == TokenKind::Dot => "dot".to_owned(),
        TokenValue::None => quote::atom(token.kind.text().unwrap_or_default()),
    }
}
