//! Text to tokens, one form at a time.
//!
//! A hand-written scanner over the bytes of decoded text. It stops behind the full stop of a form,
//! because what the form says (`-feature`, `-file`, `-include`) changes how the next one is read.
//! Every byte is looked at once; names go through a small cache in front of the atom table; only
//! strings with escapes, numbers and long names allocate.
//!
//! Tokens, lines, columns and errors are those of OTP 25's `erl_scan`, and after an error scanning
//! goes on where `erl_scan` would go on. On top of that all later syntax is read: triple-quoted
//! strings, sigils, based floats, `<:-`, `<:=`, `&&`. None of it is valid before, with one
//! exception: `"""` at the end of a line was an empty string followed by the start of another. It
//! is read so only when no closing `"""` follows. Of `~` only what is a well-formed sigil is read
//! as one.
//!
//! Differs from OTP: an integer of more than [`number::MAX_DIGITS`] digits is refused (OTP 25
//! refuses them at a size that depends on memory, later releases at about this one).

mod number;
mod string;

use std::cell::Cell;

use atom::{Atom, known};

use crate::source::{FileId, Loc, Span};
use crate::token::{Literal, LiteralId, Token, TokenKind, TokenValue};

/// Where reading stands in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// Byte offset of the next character.
    pub(crate) pos: u32,
    /// Line of the next character, as OTP counts it (a `-file` attribute changes it).
    pub(crate) line: u32,
    /// `pos - column_base` is the column of the next character, wrapping around. Characters of
    /// several bytes move the base forward.
    column_base: u32,
}

impl Cursor {
    pub(crate) const START: Cursor = Cursor { pos: 0, line: 1, column_base: u32::MAX };

    pub(crate) fn loc(&self) -> Loc {
        Loc { line: self.line, column: self.pos.wrapping_sub(self.column_base) }
    }

    /// Says that the next character stands at this line, in the first column.
    pub(crate) fn restart_at_line(&mut self, line: u32) {
        self.line = line;
        self.column_base = self.pos.wrapping_sub(1);
    }
}

/// How the tokens of a form ended.
#[derive(Debug)]
pub(crate) enum FormEnd {
    /// With a full stop, which is the last token.
    Dot,
    /// With the text. What tokens there are lack their full stop.
    Eof,
    /// With something that is no token. What came before it in this form is lost, as in OTP; the
    /// next form begins behind it.
    Error(LexError),
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LexError {
    pub(crate) problem: Problem,
    pub(crate) loc: Loc,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Problem {
    /// `{illegal, What}`: a character, integer, float, atom or variable that cannot be.
    Illegal(&'static str),
    /// `{base, B}`: no number has this base.
    Base(num_bigint::BigInt),
    /// A string or quoted atom that does not end: its quote, and how it begins.
    Unterminated { quote: char, head: String },
    /// `$` at the end of the text.
    Char,
    /// A line of a triple-quoted string is indented less than its closing quotes.
    Indentation,
}

/// Recently seen names, so that most names cost one comparison and no lock.
pub(crate) struct Names {
    slots: Vec<NameSlot>,
}

#[derive(Clone, Copy)]
struct NameSlot {
    key: NameKey,
    atom: Atom,
    kind: TokenKind,
}

/// A name without its middle: all of it if it has at most 16 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct NameKey {
    head: u64,
    tail: u64,
    len: usize,
}

const NAME_SLOT_BITS: u32 = 14;

thread_local! {
    /// The names that the last text read on this thread left behind.
    static NAMES: Cell<Vec<NameSlot>> = const { Cell::new(Vec::new()) };
}

impl Names {
    pub(crate) fn new() -> Names {
        let mut slots = NAMES.take();
        if slots.is_empty() {
            let key = NameKey { head: 0, tail: 0, len: 0 };
            let empty = NameSlot { key, atom: known::EMPTY, kind: TokenKind::Atom };
            slots = vec![empty; 1 << NAME_SLOT_BITS];
        }
        Names { slots }
    }

    /// The atom of the name in these bytes of a text, and which keyword it is if it is one.
    fn lookup(&mut self, text: &str, start: usize, end: usize) -> (Atom, TokenKind) {
        let key = NameKey::new(text.as_bytes(), start, end);
        let slot = &mut self.slots[key.slot()];
        if slot.key != key || (key.len > 16 && slot.atom.as_str() != &text[start..end]) {
            let name = &text[start..end];
            let kind = TokenKind::keyword(name).unwrap_or(TokenKind::Atom);
            *slot = NameSlot { key, atom: Atom::new(name), kind };
        }
        (slot.atom, slot.kind)
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        NAMES.set(std::mem::take(&mut self.slots));
    }
}

impl NameKey {
    fn new(bytes: &[u8], start: usize, end: usize) -> NameKey {
        let len = end - start;
        if len >= 8 {
            let name = &bytes[start..end];
            let head = name.first_chunk().copied().map_or(0, u64::from_le_bytes);
            let tail = name.last_chunk().copied().map_or(0, u64::from_le_bytes);
            return NameKey { head, tail, len };
        }
        // Eight bytes are there but at the end of the text; those behind the name do not count.
        let head = match bytes[start..].first_chunk() {
            Some(&chunk) => u64::from_le_bytes(chunk) & ((1 << (8 * len)) - 1),
            None => bytes[start..end].iter().rev().fold(0, |word, &b| word << 8 | u64::from(b)),
        };
        NameKey { head, tail: 0, len }
    }

    fn slot(&self) -> usize {
        let mixed = (self.head ^ self.tail.rotate_left(29) ^ self.len as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - NAME_SLOT_BITS)) as usize
    }
}

/// What reading tokens writes to.
pub(crate) struct Sink<'a> {
    pub(crate) tokens: &'a mut Vec<Token>,
    pub(crate) literals: &'a mut Vec<Literal>,
    pub(crate) names: &'a mut Names,
}

/// Appends the tokens of the next form of `text` and moves the cursor behind it. `maybe_keywords`
/// says whether `maybe` and `else` are keywords.
pub(crate) fn lex_form(
    text: &str,
    file: FileId,
    cursor: &mut Cursor,
    maybe_keywords: bool,
    sink: Sink<'_>,
) -> FormEnd {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        file,
        pos: cursor.pos as usize,
        line: cursor.line,
        column_base: cursor.column_base,
        maybe_keywords,
        no_triple_quote_after: usize::MAX,
        sink,
    };
    let end = lexer.form();
    *cursor = lexer.cursor();
    match end {
        Ok(end) => end,
        Err(error) => FormEnd::Error(error),
    }
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    file: FileId,
    pos: usize,
    line: u32,
    column_base: u32,
    maybe_keywords: bool,
    /// Behind this offset no line starts with `"""`: a search that failed is not repeated.
    no_triple_quote_after: usize,
    sink: Sink<'a>,
}

/// What a byte may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Newline,
    Lower,
    Upper,
    Digit,
    /// A token by itself, whatever follows.
    Single(TokenKind),
    Punctuation,
    Comment,
    NonAscii,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Punctuation; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\n' => Class::Newline,
            0..=b' ' => Class::Space,
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' | b'_' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            b'%' => Class::Comment,
            b',' => Class::Single(TokenKind::Comma),
            b'(' => Class::Single(TokenKind::LParen),
            b')' => Class::Single(TokenKind::RParen),
            b'{' => Class::Single(TokenKind::LBrace),
            b'}' => Class::Single(TokenKind::RBrace),
            b'[' => Class::Single(TokenKind::LBracket),
            b']' => Class::Single(TokenKind::RBracket),
            b';' => Class::Single(TokenKind::Semicolon),
            b'#' => Class::Single(TokenKind::Hash),
            b'*' => Class::Single(TokenKind::Star),
            b'!' => Class::Single(TokenKind::Bang),
            0x80..=0xFF => Class::NonAscii,
            _ => Class::Punctuation,
        };
        byte += 1;
    }
    classes
};

/// Bytes that go on a name; those of Latin-1 letters are found by [`latin1_letter`].
const NAME_BYTE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'_' | b'@');
        byte += 1;
    }
    table
};

/// The longest atom or variable, in characters.
const MAX_NAME_CHARS: usize = 255;

/// Whether the byte behind `0xC3` makes a letter: the code points from À to ÿ except × and ÷.
fn latin1_letter(second: u8) -> bool {
    second != 0x97 && second != 0xB7
}

impl Lexer<'_> {
    fn cursor(&self) -> Cursor {
        Cursor { pos: self.pos as u32, line: self.line, column_base: self.column_base }
    }

    fn loc(&self) -> Loc {
        self.cursor().loc()
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    /// The next character, whole.
    fn peek_char(&self) -> Option<char> {
        let byte = *self.bytes.get(self.pos)?;
        if byte < 0x80 { Some(byte as char) } else { self.text[self.pos..].chars().next() }
    }

    /// Steps over a character that is not a line break.
    fn advance(&mut self, c: char) {
        let len = c.len_utf8();
        self.pos += len;
        self.column_base = self.column_base.wrapping_add(len as u32 - 1);
    }

    /// Steps over a line break.
    fn newline(&mut self) {
        self.pos += 1;
        self.line = self.line.saturating_add(1);
        self.column_base = (self.pos as u32).wrapping_sub(1);
    }

    /// Steps over a character.
    fn advance_any(&mut self, c: char) {
        if c == '\n' { self.newline() } else { self.advance(c) }
    }

    fn error<T>(&self, problem: Problem, loc: Loc, start: usize) -> Result<T, LexError> {
        Err(LexError { problem, loc, start: start as u32, end: self.pos as u32 })
    }

    fn push(&mut self, kind: TokenKind, value: TokenValue, start: usize, loc: Loc) {
        let span = Span { file: self.file, start: start as u32, end: self.pos as u32 };
        self.sink.tokens.push(Token { kind, span, loc, expansion: None, value });
    }

    fn push_literal(&mut self, kind: TokenKind, literal: Literal, start: usize, loc: Loc) {
        let id = LiteralId(self.sink.literals.len() as u32);
        self.sink.literals.push(literal);
        self.push(kind, TokenValue::Literal(id), start, loc);
    }

    /// A token of `len` ASCII bytes.
    fn symbol(&mut self, kind: TokenKind, len: usize) {
        let (start, loc) = (self.pos, self.loc());
        self.pos += len;
        self.push(kind, TokenValue::None, start, loc);
    }

    fn form(&mut self) -> Result<FormEnd, LexError> {
        while let Some(&byte) = self.bytes.get(self.pos) {
            match CLASSES[byte as usize] {
                Class::Space => {
                    self.pos += 1;
                    self.skip_blanks();
                }
                Class::Newline => {
                    self.newline();
                    self.skip_blanks();
                }
                Class::Single(kind) => self.symbol(kind, 1),
                Class::Lower => self.name(TokenKind::Atom)?,
                Class::Upper => self.name(TokenKind::Var)?,
                Class::Digit => self.number()?,
                Class::Comment => self.comment()?,
                Class::NonAscii => self.non_ascii()?,
                Class::Punctuation => {
                    if self.punctuation(byte)? {
                        return Ok(FormEnd::Dot);
                    }
                }
            }
        }
        Ok(FormEnd::Eof)
    }

    /// Steps over blanks, of which there are often many.
    fn skip_blanks(&mut self) {
        while self.bytes.get(self.pos) == Some(&b' ') {
            self.pos += 1;
        }
    }

    /// An atom or keyword, or a variable.
    fn name(&mut self, kind: TokenKind) -> Result<(), LexError> {
        let (start, loc) = (self.pos, self.loc());
        let mut pos = start;
        loop {
            while let Some(&byte) = self.bytes.get(pos)
                && NAME_BYTE[byte as usize]
            {
                pos += 1;
            }
            match self.bytes[pos..] {
                [0xC3, second, ..] if latin1_letter(second) => {
                    pos += 2;
                    self.column_base = self.column_base.wrapping_add(1);
                }
                _ => break,
            }
        }
        self.pos = pos;
        if pos - start > MAX_NAME_CHARS && self.text[start..pos].chars().count() > MAX_NAME_CHARS {
            let what = if kind == TokenKind::Var { "var" } else { "atom" };
            return self.error(Problem::Illegal(what), loc, start);
        }
        let (atom, mut word) = self.sink.names.lookup(self.text, start, pos);
        if kind == TokenKind::Var {
            word = TokenKind::Var;
        } else if self.maybe_keywords && (atom == known::MAYBE || atom == known::ELSE) {
            word = if atom == known::MAYBE { TokenKind::Maybe } else { TokenKind::Else };
        }
        self.push(word, TokenValue::Name(atom), start, loc);
        Ok(())
    }

    fn comment(&mut self) -> Result<(), LexError> {
        let (start, loc) = (self.pos, self.loc());
        let end = self.text[start..].find('\n').map_or(self.text.len(), |n| start + n);
        let text = &self.text[start..end];
        if text.is_ascii() {
            self.pos = end;
            return Ok(());
        }
        for c in text.chars() {
            self.advance(c);
            if is_noncharacter(c) {
                return self.error(Problem::Illegal("character"), loc, start);
            }
        }
        Ok(())
    }

    fn non_ascii(&mut self) -> Result<(), LexError> {
        let (start, loc) = (self.pos, self.loc());
        let Some(c) = self.peek_char() else { return Ok(()) };
        match c {
            '\u{80}'..='\u{A0}' => self.advance(c),
            'ß'..='ÿ' if c != '÷' => return self.name(TokenKind::Atom),
            'À'..='Þ' if c != '×' => return self.name(TokenKind::Var),
            _ => {
                self.advance(c);
                if c > '\u{FF}' {
                    return self.error(Problem::Illegal("character"), loc, start);
                }
                let name = TokenValue::Name(Atom::new(c.encode_utf8(&mut [0; 4])));
                self.push(TokenKind::Symbol, name, start, loc);
            }
        }
        Ok(())
    }

    /// Returns whether it was the full stop of the form.
    fn punctuation(&mut self, byte: u8) -> Result<bool, LexError> {
        use TokenKind::*;
        let (second, third) = (self.peek(1), self.peek(2));
        let (kind, len) = match (byte, second, third) {
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'.', b'.', _) => (DotDot, 2),
            (b'.', ..) => return Ok(self.dot()),
            (b'"', ..) => return self.string().map(|()| false),
            (b'\'', ..) => return self.quoted_atom().map(|()| false),
            (b'$', ..) => return self.char().map(|()| false),
            (b'~', ..) => return self.sigil().map(|()| false),
            (b'?', b'=', _) => (QuestionEq, 2),
            (b'?', ..) => (Question, 1),
            (b'<', b'<', _) => (LBin, 2),
            (b'<', b'-', _) => (LeftArrow, 2),
            (b'<', b'=', _) => (LeftFatArrow, 2),
            (b'<', b':', b'-') => (StrictLeftArrow, 3),
            (b'<', b':', b'=') => (StrictLeftFatArrow, 3),
            (b'<', ..) => (Lt, 1),
            (b'>', b'>', _) => (RBin, 2),
            (b'>', b'=', _) => (GtEq, 2),
            (b'>', ..) => (Gt, 1),
            (b'-', b'>', _) => (Arrow, 2),
            (b'-', b'-', _) => (MinusMinus, 2),
            (b'-', ..) => (Minus, 1),
            (b'+', b'+', _) => (PlusPlus, 2),
            (b'+', ..) => (Plus, 1),
            (b'=', b':', b'=') => (EqColonEq, 3),
            (b'=', b'/', b'=') => (EqSlashEq, 3),
            (b'=', b'<', _) => (EqLt, 2),
            (b'=', b'>', _) => (FatArrow, 2),
            (b'=', b'=', _) => (EqEq, 2),
            (b'=', ..) => (Eq, 1),
            (b'/', b'=', _) => (SlashEq, 2),
            (b'/', ..) => (Slash, 1),
            (b'|', b'|', _) => (BarBar, 2),
            (b'|', ..) => (Bar, 1),
            (b':', b'=', _) => (ColonEq, 2),
            (b':', b':', _) => (ColonColon, 2),
            (b':', ..) => (Colon, 1),
            (b'&', b'&', _) => (AmpAmp, 2),
            _ => {
                self.unused_symbol();
                return Ok(false);
            }
        };
        self.symbol(kind, len);
        Ok(false)
    }

    /// An ASCII character that is a token for `erl_scan` but belongs to no syntax.
    fn unused_symbol(&mut self) {
        let (start, loc) = (self.pos, self.loc());
        self.pos += 1;
        let name = TokenValue::Name(Atom::new(&self.text[start..self.pos]));
        self.push(TokenKind::Symbol, name, start, loc);
    }

    /// A full stop; returns whether it ends the form. The white space that makes it so is consumed.
    fn dot(&mut self) -> bool {
        let (start, loc) = (self.pos, self.loc());
        self.pos += 1;
        let ends = match self.bytes.get(self.pos) {
            None => true,
            Some(&byte) => match CLASSES[byte as usize] {
                Class::Space | Class::Newline | Class::Comment => true,
                Class::NonAscii => matches!(self.peek_char(), Some('\u{80}'..='\u{A0}')),
                _ => false,
            },
        };
        let kind = if ends { TokenKind::Dot } else { TokenKind::DotInside };
        self.push(kind, TokenValue::None, start, loc);
        if ends && let Some(c) = self.peek_char().filter(|&c| c != '%') {
            self.advance_any(c);
        }
        ends
    }
}

/// U+FFFE and U+FFFF, which `erl_scan` lets nobody write.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

#[cfg(test)]
mod tests;
