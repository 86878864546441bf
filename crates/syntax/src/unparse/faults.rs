//! Forms that could not be read.
//!
//! They are forms, too: whoever reads the printed text must be told the same. A form that the
//! parser rejected is printed as its tokens. One that the preprocessor rejected is gone (and the
//! macros in its text are no longer defined); in its place stands the shortest form that is
//! rejected for the same reason, where there is one. In both cases a comment says what is wrong.
//! Text that the scanner rejected could spoil what comes after it, and is printed as a comment
//! only.

use crate::ast::{Kind, NodeId};
use crate::diagnostic::{Diagnostic, Origin};
use crate::quote;
use crate::token::{Literal, Token, TokenKind, TokenValue};

use super::doc::Breaks;
use super::{Printer, literal};

impl Printer<'_> {
    /// An error or warning form.
    pub(super) fn fault(&mut self, id: NodeId, diagnostic: u32) {
        let Some(diagnostic) = self.module.diagnostics.get(diagnostic as usize) else { return };
        if matches!(self.kind(id), Kind::ErrorForm { .. }) {
            self.text("%% cannot be read: ");
            self.text(&diagnostic.message.replace(char::is_control, " "));
        }
        if diagnostic.origin == Origin::Parser {
            self.doc.hard_line();
            return self.tokens(id);
        }
        match shortest_form(diagnostic) {
            Some(form) => {
                if matches!(self.kind(id), Kind::ErrorForm { .. }) {
                    self.doc.hard_line();
                }
                self.text(&form);
            }
            None => self.commented_text(id),
        }
    }

    fn commented_text(&mut self, id: NodeId) {
        for line in self.module.original_text(id).lines() {
            self.doc.hard_line();
            self.text("%% ");
            self.text(line);
        }
    }

    /// The tokens of a form, macros expanded, with blanks between.
    fn tokens(&mut self, id: NodeId) {
        let module = self.module;
        let node = &module[id];
        let range = node.first.0 as usize..node.last.0 as usize + 1;
        self.doc.open(Breaks::AsNeeded);
        for (index, token) in module.tokens.get(range).unwrap_or_default().iter().enumerate() {
            match token.kind {
                TokenKind::Eof => {}
                TokenKind::Dot => self.text("."),
                _ => {
                    if index > 0 {
                        self.doc.line();
                    }
                    self.token(token);
                }
            }
        }
        self.doc.close();
    }

    fn token(&mut self, token: &Token) {
        let text = match (token.kind, token.value) {
            (TokenKind::Atom, TokenValue::Name(name)) => literal::atom(name.as_str()),
            (_, TokenValue::Name(name)) => name.as_str().to_owned(),
            (_, TokenValue::Char(code_point)) => literal::character(code_point),
            // The kind of sigil is in its text only. One of several lines is set as it is.
            (TokenKind::Sigil, _) => return self.lines(self.module.text(token.span)),
            (_, TokenValue::Literal(id)) => match self.module.literals.get(id.0 as usize) {
                Some(Literal::Integer(value)) => value.to_string(),
                Some(Literal::Float(value)) => quote::float(*value),
                Some(Literal::String(text)) => quote::string(text),
                None => String::new(),
            },
            (kind, TokenValue::None) => kind.text().unwrap_or_default().to_owned(),
        };
        self.text(&text);
    }

    fn lines(&mut self, text: &str) {
        for (index, line) in text.lines().enumerate() {
            if index > 0 {
                self.doc.hard_line();
            }
            self.text(line);
        }
    }
}

/// A form that the preprocessor rejects as it rejected another.
fn shortest_form(diagnostic: &Diagnostic) -> Option<String> {
    let descriptor = diagnostic.otp_descriptor.as_deref()?;
    let (tag, rest) = descriptor.strip_prefix('{')?.strip_suffix('}')?.split_once(',')?;
    Some(match tag {
        "error" | "warning" => format!("-{tag}({rest})."),
        "include" => {
            let (kind, name) = rest.split_once(',')?;
            let directive = if kind == "lib" { "include_lib" } else { "include" };
            format!("-{directive}({name}).")
        }
        "bad" => match rest {
            "include" | "include_lib" | "define" | "undef" | "file" | "error" | "warning" => {
                format!("-{rest}().")
            }
            _ => return None,
        },
        "undefined" => {
            let (name, arity) = rest.rsplit_once(',')?;
            let name = macro_name(name);
            match arity.parse::<usize>() {
                Ok(arity) => format!("?{name}({}).", vec!["x"; arity].join(", ")),
                Err(_) => format!("?{name}."),
            }
        }
        "redefine_predef" => format!("-define({}, x).", macro_name(rest)),
        "illegal_function" => format!("-x(?{}).", macro_name(rest)),
        "illegal" => format!("-{}.", rest.strip_prefix("\"unbalanced\",")?.trim_matches('\'')),
        _ => return None,
    })
}

/// The name of a macro as it was written: one that looks like a variable has no quotes.
fn macro_name(atom: &str) -> &str {
    let bare = atom.trim_matches('\'');
    let variable = bare.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && bare.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '@'));
    if variable { bare } else { atom }
}
