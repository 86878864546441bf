//! Everything between quotes: strings, quoted atoms, characters, escapes, triple-quoted strings,
//! sigils.

use std::borrow::Cow;

use atom::Atom;

use super::{LexError, Lexer, MAX_NAME_CHARS, NAME_BYTE, Problem, is_noncharacter};
use crate::source::Loc;
use crate::token::{Literal, TokenKind, TokenValue};

/// How much of an unterminated string its error shows, in characters.
const HEAD_CHARS: usize = 16;

/// What is wrong with an escape: nothing more follows, or it denotes no character.
enum BadEscape {
    Eof,
    Illegal,
}

impl<'a> Lexer<'a> {
    pub(super) fn string(&mut self) -> Result<(), LexError> {
        let (start, loc) = (self.pos, self.loc());
        if self.bytes[self.pos..].starts_with(b"\"\"\"")
            && let Some(content) = self.triple_quoted(true)?
        {
            let literal = Literal::String(content.into());
            self.push_literal(TokenKind::String, literal, start, loc);
            return Ok(());
        }
        self.pos += 1;
        let content = self.quoted('"', true, start, loc)?;
        self.push_literal(TokenKind::String, Literal::String(content.into()), start, loc);
        Ok(())
    }

    pub(super) fn quoted_atom(&mut self) -> Result<(), LexError> {
        let (start, loc) = (self.pos, self.loc());
        self.pos += 1;
        let content = self.quoted('\'', true, start, loc)?;
        if content.len() > MAX_NAME_CHARS && content.chars().count() > MAX_NAME_CHARS {
            return self.error(Problem::Illegal("atom"), loc, start);
        }
        self.push(TokenKind::Atom, TokenValue::Name(Atom::new(&content)), start, loc);
        Ok(())
    }

    pub(super) fn char(&mut self) -> Result<(), LexError> {
        let (start, loc) = (self.pos, self.loc());
        self.pos += 1;
        let value = match self.peek_char() {
            None => return self.error(Problem::Char, loc, start),
            Some('\\') => {
                self.pos += 1;
                match self.escape() {
                    Ok(value) => value,
                    Err(BadEscape::Eof) => return self.error(Problem::Char, loc, start),
                    Err(BadEscape::Illegal) => {
                        return self.error(Problem::Illegal("character"), loc, start);
                    }
                }
            }
            Some(c) => {
                self.advance_any(c);
                if is_noncharacter(c) {
                    return self.error(Problem::Illegal("character"), loc, start);
                }
                c
            }
        };
        self.push(TokenKind::Char, TokenValue::Char(value as u32), start, loc);
        Ok(())
    }

    /// The text up to `end`, which is consumed; the cursor is behind the opening quote.
    fn quoted(
        &mut self,
        end: char,
        escapes: bool,
        start: usize,
        loc: Loc,
    ) -> Result<Cow<'a, str>, LexError> {
        let text = self.text;
        let mut buffer = String::new();
        let mut copied = self.pos;
        loop {
            let Some(&byte) = self.bytes.get(self.pos) else {
                buffer.push_str(&text[copied..]);
                let head = buffer.chars().take(HEAD_CHARS).collect();
                return self.error(Problem::Unterminated { quote: end, head }, loc, start);
            };
            match byte {
                b'\n' => self.newline(),
                b'\\' if escapes => {
                    buffer.push_str(&text[copied..self.pos]);
                    let (backslash, backslash_loc) = (self.pos, self.loc());
                    self.pos += 1;
                    match self.escape() {
                        Ok(c) => buffer.push(c),
                        Err(BadEscape::Illegal) => {
                            let problem = Problem::Illegal("character");
                            return self.error(problem, backslash_loc, backslash);
                        }
                        Err(BadEscape::Eof) => {
                            let head = buffer.chars().take(HEAD_CHARS).collect();
                            let problem = Problem::Unterminated { quote: end, head };
                            return self.error(problem, loc, start);
                        }
                    }
                    copied = self.pos;
                }
                _ if byte == end as u8 => {
                    let rest = &text[copied..self.pos];
                    self.pos += 1;
                    if buffer.is_empty() {
                        return Ok(Cow::Borrowed(rest));
                    }
                    buffer.push_str(rest);
                    return Ok(Cow::Owned(buffer));
                }
                0..=0x7F => self.pos += 1,
                _ => {
                    let (at, at_loc) = (self.pos, self.loc());
                    let Some(c) = self.peek_char() else { continue };
                    self.advance(c);
                    if is_noncharacter(c) {
                        return self.error(Problem::Illegal("character"), at_loc, at);
                    }
                }
            }
        }
    }

    /// The character that an escape stands for; the cursor is behind the backslash.
    fn escape(&mut self) -> Result<char, BadEscape> {
        let Some(c) = self.peek_char() else { return Err(BadEscape::Eof) };
        let value = match c {
            '0'..='7' => {
                let mut value = 0;
                for _ in 0..3 {
                    let digit = self.peek(0);
                    if !matches!(digit, b'0'..=b'7') {
                        break;
                    }
                    value = value * 8 + u32::from(digit - b'0');
                    self.pos += 1;
                }
                return char::from_u32(value).ok_or(BadEscape::Illegal);
            }
            'x' => return self.hex_escape(),
            '^' => {
                self.pos += 1;
                let Some(control) = self.peek_char() else { return Err(BadEscape::Eof) };
                self.advance_any(control);
                if control == '\n' {
                    return Ok('\n');
                }
                return char::from_u32(control as u32 & 31).ok_or(BadEscape::Illegal);
            }
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{0B}',
            'b' => '\u{08}',
            'f' => '\u{0C}',
            'e' => '\u{1B}',
            's' => ' ',
            'd' => '\u{7F}',
            other => other,
        };
        self.advance_any(c);
        if is_noncharacter(c) { Err(BadEscape::Illegal) } else { Ok(value) }
    }

    /// `\xHH` or `\x{H…}`; the cursor is at the `x`.
    fn hex_escape(&mut self) -> Result<char, BadEscape> {
        self.pos += 1;
        let hex = |byte: u8| (byte as char).to_digit(16);
        match self.bytes.get(self.pos) {
            None => Err(BadEscape::Eof),
            Some(b'{') => {
                self.pos += 1;
                let mut value = 0u32;
                let mut digits = 0;
                while let Some(digit) = hex(self.peek(0)) {
                    value = value.saturating_mul(16).saturating_add(digit);
                    digits += 1;
                    self.pos += 1;
                }
                match self.bytes.get(self.pos) {
                    None => Err(BadEscape::Eof),
                    Some(b'}') => {
                        self.pos += 1;
                        let c = char::from_u32(value).filter(|&c| !is_noncharacter(c));
                        c.filter(|_| digits > 0).ok_or(BadEscape::Illegal)
                    }
                    Some(_) => Err(BadEscape::Illegal),
                }
            }
            Some(_) => match (hex(self.peek(0)), hex(self.peek(1))) {
                (Some(high), Some(low)) => {
                    self.pos += 2;
                    char::from_u32(high * 16 + low).ok_or(BadEscape::Illegal)
                }
                _ => Err(BadEscape::Illegal),
            },
        }
    }

    /// A sigil, if one starts at this `~`; otherwise `~` is a token by itself.
    pub(super) fn sigil(&mut self) -> Result<(), LexError> {
        let (start, loc) = (self.pos, self.loc());
        let prefix = match self.peek(1) {
            prefix @ (b'b' | b'B' | b's' | b'S') => Some(prefix),
            _ => None,
        };
        let open = self.peek(if prefix.is_some() { 2 } else { 1 });
        let close = match open {
            b'(' => ')',
            b'[' => ']',
            b'{' => '}',
            b'<' => '>',
            b'/' | b'|' | b'#' | b'`' | b'\'' | b'"' => open as char,
            _ => {
                self.unused_symbol();
                return Ok(());
            }
        };
        self.pos += if prefix.is_some() { 2 } else { 1 };
        let escapes = !matches!(prefix, Some(b'B' | b'S'));
        let verbatim_block = !matches!(prefix, Some(b'b' | b's'));
        let mut content = None;
        if self.bytes[self.pos..].starts_with(b"\"\"\"") {
            content = self.triple_quoted(verbatim_block)?.map(Cow::Owned);
        }
        let content = match content {
            Some(content) => content,
            None => {
                self.pos += 1;
                self.quoted(close, escapes, start, loc)?
            }
        };
        while NAME_BYTE[self.peek(0) as usize] {
            self.pos += 1;
        }
        self.push_literal(TokenKind::Sigil, Literal::String(content.into()), start, loc);
        Ok(())
    }

    /// A triple-quoted string, if what stands here is one; the cursor is at its first quote, and
    /// stays there if it is none.
    fn triple_quoted(&mut self, verbatim: bool) -> Result<Option<String>, LexError> {
        let (start, text) = (self.pos, self.text);
        if start >= self.no_triple_quote_after {
            return Ok(None);
        }
        let quotes = self.bytes[start..].iter().take_while(|&&b| b == b'"').count();
        let Some(first_line) = text[start + quotes..].find('\n').map(|n| start + quotes + n) else {
            return Ok(None);
        };
        if !text[start + quotes..first_line].bytes().all(is_blank) {
            return Ok(None);
        }
        let Some((last_line, indent)) = self.closing_line(first_line + 1, quotes) else {
            self.no_triple_quote_after = start;
            return Ok(None);
        };
        let body = &text[first_line + 1..last_line];
        let body = body.strip_suffix('\n').map_or(body, |b| b.strip_suffix('\r').unwrap_or(b));
        let mut content = String::with_capacity(body.len());
        let mut bad_line = None;
        let mut offset = first_line + 1;
        for line in body.split_inclusive('\n') {
            match line.strip_prefix(indent) {
                Some(line) => content.push_str(line),
                None if line.trim_end_matches(['\r', '\n']).is_empty() => content.push_str(line),
                None => {
                    bad_line.get_or_insert(offset);
                }
            }
            offset += line.len();
        }
        if let Some(bad_line) = bad_line {
            self.advance_to(bad_line);
            let loc = self.loc();
            self.advance_to(last_line + indent.len() + quotes);
            return self.error(Problem::Indentation, loc, bad_line);
        }
        if verbatim {
            self.advance_to(last_line + indent.len() + quotes);
            return Ok(Some(content));
        }
        let content = self.unescape(&content, start)?;
        self.advance_to(last_line + indent.len() + quotes);
        Ok(Some(content))
    }

    /// The line that starts with white space and this many quotes, at or behind `from`: its offset
    /// and the white space.
    fn closing_line(&self, from: usize, quotes: usize) -> Option<(usize, &'a str)> {
        let mut offset = from;
        for line in self.text[from..].split_inclusive('\n') {
            let indent = line.bytes().take_while(|&b| is_blank(b) && b != b'\n').count();
            let found = line.as_bytes()[indent..].iter().take_while(|&&b| b == b'"').count();
            if found >= quotes {
                return Some((offset, &self.text[offset..offset + indent]));
            }
            offset += line.len();
        }
        None
    }

    /// Escapes of a triple-quoted sigil, after its indentation was taken away.
    fn unescape(&mut self, content: &str, start: usize) -> Result<String, LexError> {
        if !content.contains('\\') {
            return Ok(content.to_owned());
        }
        let mut result = String::with_capacity(content.len());
        let mut scratch = Lexer {
            text: content,
            bytes: content.as_bytes(),
            pos: 0,
            sink: super::Sink {
                tokens: &mut *self.sink.tokens,
                literals: &mut *self.sink.literals,
                names: &mut *self.sink.names,
            },
            ..*self
        };
        while let Some(c) = scratch.peek_char() {
            scratch.pos += c.len_utf8();
            if c != '\\' {
                result.push(c);
                continue;
            }
            match scratch.escape() {
                Ok(c) => result.push(c),
                Err(_) => {
                    return self.error(Problem::Illegal("character"), self.loc(), start);
                }
            }
        }
        Ok(result)
    }

    /// Moves to an offset further on, counting lines and columns.
    fn advance_to(&mut self, offset: usize) {
        while self.pos < offset {
            let Some(c) = self.peek_char() else { return };
            self.advance_any(c);
        }
    }
}

fn is_blank(byte: u8) -> bool {
    byte <= b' '
}
