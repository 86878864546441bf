//! What the tokens ahead are: types, type arguments, casts, lambdas, declarations.
//!
//! Looks, consumes nothing. Type arguments are gone through once however often they are asked about
//! (`Parser::angles`), brackets are matched in advance, so all looking together is linear but for
//! chains of names within brackets within brackets.

use crate::token::{Token, TokenKind};

use super::Parser;

/// For every opening bracket the index of its closing one, for all else and for brackets that
/// nothing closes the index of the end.
pub(super) fn closing(tokens: &[Token]) -> Vec<u32> {
    use TokenKind::*;
    let end = tokens.len().saturating_sub(1) as u32;
    let mut closing = vec![end; tokens.len()];
    let mut open: Vec<u32> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let opener = match token.kind {
            OpenParen | OpenBrace | OpenBracket => {
                open.push(index as u32);
                continue;
            }
            CloseParen => OpenParen,
            CloseBrace => OpenBrace,
            CloseBracket => OpenBracket,
            _ => continue,
        };
        let kind_of = |at: u32| tokens[at as usize].kind;
        // A brace closes what is open within it; a closer of something that is not open is
        // nobody's.
        while opener == OpenBrace && open.last().is_some_and(|&at| kind_of(at) != OpenBrace) {
            open.pop();
        }
        if open.last().is_some_and(|&at| kind_of(at) == opener) {
            let at = open.pop().unwrap_or_default();
            closing[at as usize] = index as u32;
        }
    }
    closing
}

/// What begins with a parenthesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parenthesis {
    Lambda,
    Cast,
    Expression,
}

impl Parser {
    /// The index behind the annotations at an index.
    pub(super) fn behind_annotations(&self, mut at: usize) -> usize {
        while self.kind_at(at) == TokenKind::At && self.kind_at(at + 1) == TokenKind::Ident {
            at += 2;
            while self.kind_at(at) == TokenKind::Dot && self.kind_at(at + 1) == TokenKind::Ident {
                at += 2;
            }
            if self.kind_at(at) == TokenKind::OpenParen {
                at = self.closing[at] as usize + 1;
            }
        }
        at
    }

    /// The index behind the type at an index, if there is one.
    pub(super) fn behind_type(&mut self, at: usize) -> Option<usize> {
        let mut at = self.behind_annotations(at);
        if self.kind_at(at).is_primitive() {
            at += 1;
        } else {
            loop {
                if !self.kind_at(at).is_name() {
                    return None;
                }
                at += 1;
                if self.kind_at(at) == TokenKind::Less {
                    at = self.behind_angles(at)?;
                }
                if self.kind_at(at) != TokenKind::Dot {
                    break;
                }
                let next = self.behind_annotations(at + 1);
                if !self.kind_at(next).is_name() {
                    return None;
                }
                at = next;
            }
        }
        Some(self.behind_brackets(at))
    }

    /// The index behind empty brackets, annotated or not.
    pub(super) fn behind_brackets(&self, mut at: usize) -> usize {
        loop {
            let open = self.behind_annotations(at);
            if self.kind_at(open) != TokenKind::OpenBracket
                || self.kind_at(open + 1) != TokenKind::CloseBracket
            {
                return at;
            }
            at = open + 2;
        }
    }

    /// The index behind the type arguments that begin with the `<` at an index. Only tokens that
    /// type arguments can have are looked for, not their order.
    pub(super) fn behind_angles(&mut self, open: usize) -> Option<usize> {
        use TokenKind::*;
        let known = |end: u32| (end != 0).then_some(end as usize);
        if let Some(&end) = self.angles.get(&(open as u32)) {
            return known(end);
        }
        let mut opened = vec![open as u32];
        let mut at = open + 1;
        loop {
            at = match self.kind_at(at) {
                Less => match self.angles.get(&(at as u32)) {
                    Some(&end) if end != 0 => end as usize,
                    Some(_) => break,
                    None => {
                        opened.push(at as u32);
                        at + 1
                    }
                },
                Greater => {
                    let start = opened.pop().unwrap_or_default();
                    self.angles.insert(start, at as u32 + 1);
                    if opened.is_empty() {
                        return Some(at + 1);
                    }
                    at + 1
                }
                At => {
                    let next = self.behind_annotations(at);
                    if next == at {
                        break;
                    }
                    next
                }
                Ident | Underscore | Dot | Comma | Question | Extends | Super | Amp
                | OpenBracket | CloseBracket => at + 1,
                kind if kind.is_primitive() => at + 1,
                _ => break,
            }
        }
        for start in opened {
            self.angles.insert(start, 0);
        }
        None
    }

    /// Whether the `<` here begins the type arguments of a type in front of `::` (`List<T>::new`).
    pub(super) fn is_generic_reference(&mut self) -> bool {
        let Some(behind) = self.behind_angles(self.at) else { return false };
        match self.kind_at(behind) {
            TokenKind::ColonColon => true,
            TokenKind::Dot => {
                self.kind_at(behind + 1).is_name() || self.kind_at(behind + 1) == TokenKind::At
            }
            TokenKind::OpenBracket | TokenKind::At => {
                let end = self.behind_brackets(behind);
                end > behind && self.kind_at(end) == TokenKind::ColonColon
            }
            _ => false,
        }
    }

    /// What the parenthesis here begins.
    pub(super) fn parenthesis(&mut self) -> Parenthesis {
        let close = self.closing[self.at] as usize;
        let is_lambda = self.kind_at(close) == TokenKind::CloseParen
            && self.kind_at(close + 1) == TokenKind::Arrow;
        if is_lambda && (!self.arrow_ends || self.is_parameter_list()) {
            return Parenthesis::Lambda;
        }
        let first = self.at + 1;
        let Some(mut end) = self.behind_type(first) else { return Parenthesis::Expression };
        let mut is_intersection = false;
        while self.kind_at(end) == TokenKind::Amp {
            let Some(next) = self.behind_type(end + 1) else { return Parenthesis::Expression };
            end = next;
            is_intersection = true;
        }
        if self.kind_at(end) != TokenKind::CloseParen {
            return Parenthesis::Expression;
        }
        // Brackets, type arguments, annotations and primitive types make it a type for sure.
        let last = self.kind_at(end - 1);
        let is_surely_type = self.kind_at(first).is_primitive() && !is_intersection
            || self.kind_at(first) == TokenKind::At
            || matches!(last, TokenKind::CloseBracket | TokenKind::Greater);
        if is_surely_type || begins_operand(self.kind_at(end + 1)) {
            Parenthesis::Cast
        } else {
            Parenthesis::Expression
        }
    }

    /// Where an arrow ends the expression, `(x) -> …` is no lambda, but these can only be one's
    /// parameters: none, several, or with types.
    fn is_parameter_list(&self) -> bool {
        let (first, second) = (self.ahead(1), self.ahead(2));
        first == TokenKind::CloseParen
            || first == TokenKind::Ident && matches!(second, TokenKind::Comma | TokenKind::Ident)
    }

    /// Whether a declaration of a local variable begins here, behind its modifiers.
    pub(super) fn is_variable(&mut self) -> bool {
        let kind = self.kind;
        if kind.is_primitive() {
            return !matches!(
                self.kind_at(self.behind_brackets(self.at + 1)),
                TokenKind::Dot | TokenKind::ColonColon
            );
        }
        kind.is_name() && self.behind_type(self.at).is_some_and(|end| self.kind_at(end).is_name())
    }

    /// Whether a pattern begins here, where an expression or a type would be possible, too.
    pub(super) fn is_pattern(&mut self) -> bool {
        if matches!(self.kind, TokenKind::Final | TokenKind::At) {
            let behind = self.behind_annotations(self.at);
            return self.kind == TokenKind::Final || {
                let end = self.behind_type(behind);
                self.kind_at(behind) == TokenKind::Final
                    || end.is_some_and(|end| self.ends_pattern_type(end))
            };
        }
        self.behind_type(self.at).is_some_and(|end| self.ends_pattern_type(end))
    }

    fn ends_pattern_type(&self, end: usize) -> bool {
        self.kind_at(end).is_name() || self.kind_at(end) == TokenKind::OpenParen
    }

    /// Whether a record is declared here: `record Name(` or `record Name<`.
    pub(super) fn is_record(&self) -> bool {
        self.at_word("record")
            && self.ahead(1) == TokenKind::Ident
            && matches!(self.ahead(2), TokenKind::OpenParen | TokenKind::Less)
    }

    /// Whether the `yield` here is a statement, as javac decides it.
    pub(super) fn is_yield(&self) -> bool {
        use TokenKind::*;
        if !self.at_word("yield") {
            return false;
        }
        match self.ahead(1) {
            PlusPlus | MinusMinus => self.ahead(2) != Semicolon,
            Plus | Minus | Bang | Tilde | Ident | Underscore | New | Switch | This | Super
            | Semicolon => true,
            OpenParen => {
                let open = self.at + 1;
                let close = self.closing[open] as usize;
                self.kind_at(close + 1) == Arrow
                    || close > open + 1 && !self.has_comma(open + 1, close)
            }
            kind => kind.is_literal() || kind.is_primitive(),
        }
    }

    /// Whether a comma stands between two indices that is not within parentheses.
    fn has_comma(&self, mut at: usize, end: usize) -> bool {
        while at < end {
            match self.kind_at(at) {
                TokenKind::Comma => return true,
                TokenKind::OpenParen => at = self.closing[at] as usize,
                _ => {}
            }
            at += 1;
        }
        false
    }
}

/// What the operand of a cast to a class can begin with: no sign, which would be an operator.
fn begins_operand(kind: TokenKind) -> bool {
    use TokenKind::*;
    kind.is_literal()
        || kind.is_primitive()
        || matches!(
            kind,
            Bang | Tilde | OpenParen | This | Super | New | Ident | Underscore | Switch | Void
        )
}
