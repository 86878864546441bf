//! Text to tokens. Comments and white space are what lies between tokens.
//!
//! Works on bytes in one pass, linear in the text. Nothing stops it: a character that is none of
//! Java's is a token [`TokenKind::Unknown`], a string without an end ends with its line.
//!
//! Which characters beyond ASCII an identifier may hold is asked of Rust's tables: letters, digits
//! and, in blocks, combining marks. Java's rule has a few more marks; a text that is correct Java
//! and uses those in a name would get an error here.

use crate::diagnostic::Diagnostic;
use crate::escapes::{self, Translated};
use crate::source::Span;
use crate::token::{Token, TokenKind, keyword};

/// The tokens of a text, the last of which is [`TokenKind::End`].
pub(crate) fn tokens(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let translated = escapes::translate(text.as_bytes());
    let bytes = translated.as_ref().map_or(text.as_bytes(), |translated| &translated.bytes);
    let first = diagnostics.len();
    let mut lexer =
        Lexer { bytes, at: 0, tokens: Vec::with_capacity(bytes.len() / 6), diagnostics };
    lexer.all();
    let mut tokens = lexer.tokens;
    if let Some(translated) = &translated {
        for token in &mut tokens {
            token.start = translated.original(token.start);
            token.end = translated.original(token.end);
        }
        for diagnostic in &mut diagnostics[first..] {
            diagnostic.span = original(translated, diagnostic.span);
        }
        diagnostics.extend(translated.malformed.iter().map(|&start| Diagnostic {
            code: "illegal.unicode.esc",
            message: "a Unicode escape needs four hexadecimal digits".to_owned(),
            span: Span { start, end: start + 2 },
        }));
    }
    tokens
}

fn original(translated: &Translated, span: Span) -> Span {
    Span { start: translated.original(span.start), end: translated.original(span.end) }
}

struct Lexer<'t, 'd> {
    bytes: &'t [u8],
    at: usize,
    tokens: Vec<Token>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Lexer<'_, '_> {
    fn all(&mut self) {
        loop {
            self.skip_layout();
            let start = self.at;
            let kind = self.token();
            self.tokens.push(Token { kind, start: start as u32, end: self.at as u32 });
            if kind == TokenKind::End {
                break;
            }
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn error(&mut self, code: &'static str, message: &str, start: usize) {
        let span = Span { start: start as u32, end: self.at.max(start) as u32 };
        self.diagnostics.push(Diagnostic { code, message: message.to_owned(), span });
    }

    fn skip_layout(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' => self.at += 1,
                // What DOS ended files with.
                b'\x1A' if self.at + 1 == self.bytes.len() => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    while self.at < self.bytes.len() && !matches!(self.peek(0), b'\n' | b'\r') {
                        self.at += 1;
                    }
                }
                b'/' if self.peek(1) == b'*' => self.skip_comment(),
                _ => break,
            }
        }
    }

    fn skip_comment(&mut self) {
        let start = self.at;
        self.at += 2;
        loop {
            match self.bytes[self.at..].iter().position(|&byte| byte == b'*') {
                Some(ahead) if self.bytes.get(self.at + ahead + 1) == Some(&b'/') => {
                    self.at += ahead + 2;
                    return;
                }
                Some(ahead) => self.at += ahead + 1,
                None => break,
            }
        }
        self.at = self.bytes.len();
        self.error("unclosed.comment", "the comment has no end", start);
    }

    fn token(&mut self) -> TokenKind {
        use TokenKind::*;
        let Some(&byte) = self.bytes.get(self.at) else { return End };
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(),
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'\'' => self.character(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => self.take(3, Ellipsis),
            0x80.. => self.wide(),
            _ => self.operator(byte),
        }
    }

    fn take(&mut self, length: usize, kind: TokenKind) -> TokenKind {
        self.at += length;
        kind
    }

    fn operator(&mut self, byte: u8) -> TokenKind {
        use TokenKind::*;
        let (next, third) = (self.peek(1), self.peek(2));
        // A `=` that belongs to the `>` before it is not the first half of `==`.
        let after_greater = self.tokens.last().is_some_and(|token| {
            token.kind == Greater && token.end as usize == self.at && byte == b'='
        });
        let (length, kind) = match (byte, next, third) {
            (b'(', ..) => (1, OpenParen),
            (b')', ..) => (1, CloseParen),
            (b'{', ..) => (1, OpenBrace),
            (b'}', ..) => (1, CloseBrace),
            (b'[', ..) => (1, OpenBracket),
            (b']', ..) => (1, CloseBracket),
            (b';', ..) => (1, Semicolon),
            (b',', ..) => (1, Comma),
            (b'.', ..) => (1, Dot),
            (b'@', ..) => (1, At),
            (b':', b':', _) => (2, ColonColon),
            (b':', ..) => (1, Colon),
            (b'-', b'>', _) => (2, Arrow),
            (b'?', ..) => (1, Question),
            (b'=', b'=', _) if !after_greater => (2, Equal),
            (b'=', ..) => (1, Assign),
            (b'<', b'<', b'=') => (3, ShiftLeftAssign),
            (b'<', b'<', _) => (2, ShiftLeft),
            (b'<', b'=', _) => (2, LessEqual),
            (b'<', ..) => (1, Less),
            (b'>', ..) => (1, Greater),
            (b'!', b'=', _) => (2, NotEqual),
            (b'!', ..) => (1, Bang),
            (b'~', ..) => (1, Tilde),
            (b'&', b'&', _) => (2, AndAnd),
            (b'&', b'=', _) => (2, AmpAssign),
            (b'&', ..) => (1, Amp),
            (b'|', b'|', _) => (2, OrOr),
            (b'|', b'=', _) => (2, BarAssign),
            (b'|', ..) => (1, Bar),
            (b'+', b'+', _) => (2, PlusPlus),
            (b'+', b'=', _) => (2, PlusAssign),
            (b'+', ..) => (1, Plus),
            (b'-', b'-', _) => (2, MinusMinus),
            (b'-', b'=', _) => (2, MinusAssign),
            (b'-', ..) => (1, Minus),
            (b'*', b'=', _) => (2, StarAssign),
            (b'*', ..) => (1, Star),
            (b'/', b'=', _) => (2, SlashAssign),
            (b'/', ..) => (1, Slash),
            (b'^', b'=', _) => (2, CaretAssign),
            (b'^', ..) => (1, Caret),
            (b'%', b'=', _) => (2, PercentAssign),
            (b'%', ..) => (1, Percent),
            _ => return self.illegal(1),
        };
        self.take(length, kind)
    }

    fn illegal(&mut self, length: usize) -> TokenKind {
        let start = self.at;
        self.at += length;
        self.error("illegal.char", "this character has no meaning in Java", start);
        TokenKind::Unknown
    }

    fn word(&mut self) -> TokenKind {
        let start = self.at;
        loop {
            match self.peek(0) {
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | b'0'..=b'9' => self.at += 1,
                0x80.. => match self.decode() {
                    Some((character, length)) if is_part(character) => self.at += length,
                    _ => break,
                },
                0x01..=0x08 | 0x0E..=0x1B | 0x7F if self.at + 1 < self.bytes.len() => self.at += 1,
                _ => break,
            }
        }
        keyword(&self.bytes[start..self.at]).unwrap_or(TokenKind::Ident)
    }

    /// The character beyond ASCII that comes next, and how many bytes it has.
    fn decode(&self) -> Option<(char, usize)> {
        let rest = &self.bytes[self.at..self.bytes.len().min(self.at + 4)];
        let chunk = rest.utf8_chunks().next()?;
        let character = chunk.valid().chars().next()?;
        Some((character, character.len_utf8()))
    }

    fn wide(&mut self) -> TokenKind {
        match self.decode() {
            Some((character, _)) if is_start(character) => self.word(),
            Some((_, length)) => self.illegal(length),
            // Half of a surrogate pair.
            None => self.illegal(3.min(self.bytes.len() - self.at)),
        }
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        let radix = match (self.peek(0), self.peek(1)) {
            (b'0', b'x' | b'X') => 16,
            (b'0', b'b' | b'B') => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
        }
        let digits = self.digits(radix);
        let mut is_float = false;
        if radix != 2 && self.peek(0) == b'.' && (radix == 10 || self.is_hex_fraction()) {
            is_float = true;
            self.at += 1;
            let fraction = self.digits(radix);
            if digits + fraction == 0 {
                self.error("malformed.fp.lit", "the number has no digits", start);
            }
        } else if digits == 0 {
            self.error("invalid.number", "the number has no digits", start);
        }
        let exponent: &[u8] = if radix == 16 { b"pP" } else { b"eE" };
        if radix != 2 && exponent.contains(&self.peek(0)) {
            is_float = true;
            self.at += 1;
            if matches!(self.peek(0), b'+' | b'-') {
                self.at += 1;
            }
            if self.digits(10) == 0 {
                self.error("malformed.fp.lit", "the exponent has no digits", start);
            }
        }
        if self.bytes[self.at - 1] == b'_' {
            self.error("illegal.underscore", "a number does not end with an underscore", start);
        }
        match self.peek(0) {
            b'f' | b'F' if radix == 10 || is_float => self.take(1, TokenKind::FloatLiteral),
            b'd' | b'D' if radix == 10 || is_float => self.take(1, TokenKind::DoubleLiteral),
            b'l' | b'L' if !is_float => self.take(1, TokenKind::LongLiteral),
            _ if is_float => TokenKind::DoubleLiteral,
            _ => TokenKind::IntLiteral,
        }
    }

    /// Whether the `.` behind hexadecimal digits begins a fraction: then a `p` follows.
    fn is_hex_fraction(&self) -> bool {
        let rest = &self.bytes[self.at + 1..];
        let digits = rest.iter().take_while(|&&byte| byte.is_ascii_hexdigit() || byte == b'_');
        matches!(rest.get(digits.count()), Some(b'p' | b'P'))
    }

    /// Skips digits and underscores; how many digits there were.
    fn digits(&mut self, radix: u32) -> usize {
        let mut count = 0;
        loop {
            let byte = self.peek(0);
            // Digits that are too large for the radix belong to the number, and are wrong in it.
            let radix = radix.max(10);
            if (byte as char).is_digit(radix) {
                count += 1;
            } else if byte != b'_' {
                return count;
            }
            self.at += 1;
        }
    }

    fn string(&mut self) -> TokenKind {
        if self.peek(1) == b'"' && self.peek(2) == b'"' {
            return self.text_block();
        }
        let start = self.at;
        self.at += 1;
        loop {
            match self.bytes.get(self.at) {
                None | Some(b'\n' | b'\r') => {
                    self.error("unclosed.str.lit", "the string has no end", start);
                    break;
                }
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => self.escape(false),
                Some(_) => self.at += 1,
            }
        }
        TokenKind::StringLiteral
    }

    fn text_block(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 3;
        while matches!(self.peek(0), b' ' | b'\t' | b'\x0C') {
            self.at += 1;
        }
        if !matches!(self.peek(0), b'\n' | b'\r') {
            let message = "the opening of a text block is followed by a line break";
            self.error("illegal.text.block.open", message, start);
        }
        loop {
            match self.bytes.get(self.at) {
                None => {
                    self.error("unclosed.text.block", "the text block has no end", start);
                    break;
                }
                Some(b'"') if self.peek(1) == b'"' && self.peek(2) == b'"' => {
                    self.at += 3;
                    break;
                }
                Some(b'\\') => self.escape(true),
                Some(_) => self.at += 1,
            }
        }
        TokenKind::TextBlock
    }

    /// A backslash and what it escapes.
    fn escape(&mut self, in_block: bool) {
        let start = self.at;
        let next = self.peek(1);
        match next {
            b'b' | b's' | b't' | b'n' | b'f' | b'r' | b'"' | b'\'' | b'\\' => self.at += 2,
            b'0'..=b'7' => {
                let longest = if next <= b'3' { 3 } else { 2 };
                let rest = self.bytes[self.at + 1..].iter().take(longest);
                self.at += 1 + rest.take_while(|byte| (b'0'..=b'7').contains(byte)).count();
            }
            b'\r' if in_block && self.peek(2) == b'\n' => self.at += 3,
            b'\n' | b'\r' if in_block => self.at += 2,
            _ => {
                self.at += 1;
                self.error("illegal.esc.char", "there is no such escape", start);
            }
        }
    }

    fn character(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        match self.peek(0) {
            b'\'' => {
                self.at += 1;
                self.error("empty.char.lit", "a character is missing", start);
                return TokenKind::CharLiteral;
            }
            b'\\' => self.escape(false),
            b'\n' | b'\r' => {
                self.error("illegal.line.end.in.char.lit", "the character has no end", start);
                return TokenKind::CharLiteral;
            }
            0x80.. => self.at += self.decode().map_or(3, |(_, length)| length),
            _ => self.at += 1,
        }
        self.at = self.at.min(self.bytes.len());
        if self.peek(0) == b'\'' {
            self.at += 1;
        } else {
            self.error("unclosed.char.lit", "the character has no end", start);
        }
        TokenKind::CharLiteral
    }
}

fn is_start(character: char) -> bool {
    character.is_alphabetic()
        || matches!(character,
        '\u{A2}'..='\u{A5}' | '\u{58F}' | '\u{60B}' | '\u{E3F}' | '\u{203F}' | '\u{2040}'
        | '\u{2054}'
        | '\u{20A0}'..='\u{20C0}' | '\u{FDFC}' | '\u{FE33}' | '\u{FE34}' | '\u{FE4D}'..='\u{FE4F}'
        | '\u{FE69}' | '\u{FF04}' | '\u{FF3F}' | '\u{FFE0}' | '\u{FFE1}' | '\u{FFE5}' | '\u{FFE6}')
}

fn is_part(character: char) -> bool {
    is_start(character)
        || character.is_numeric()
        || matches!(character,
            '\u{80}'..='\u{9F}' | '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{483}'..='\u{487}'
            | '\u{591}'..='\u{5BD}' | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}'
            | '\u{93C}' | '\u{94D}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
            | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
            | '\u{20D0}'..='\u{20DC}' | '\u{20E1}' | '\u{20E5}'..='\u{20F0}'
            | '\u{302A}'..='\u{302F}'
            | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{FE20}'..='\u{FE2F}'
            | '\u{FEFF}')
}
