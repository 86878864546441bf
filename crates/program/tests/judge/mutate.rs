//! Mutants of Erlang modules: one small change at a time, chosen by a seeded generator, of the
//! kinds that people make. The same seed makes the same mutants.

use std::path::Path;

use syntax::source::Encoding;
use syntax::token::{Token, TokenKind};

/// The generator SplitMix64: small, and the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }
}

/// A module as text and tokens.
pub(crate) struct Original {
    text: String,
    tokens: Vec<Token>,
    /// Indices of the tokens of each form, the full stop included.
    forms: Vec<std::ops::Range<usize>>,
}

/// A changed text, and what was changed.
pub(crate) struct Mutant {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

const KINDS: &[&str] = &[
    "delete token",
    "duplicate token",
    "swap tokens",
    "replace token",
    "insert token",
    "rename variable",
    "use another variable",
    "rename atom",
    "use another atom",
    "delete argument",
    "add argument",
    "change integer",
    "change operator",
    "delete clause",
    "delete end",
    "delete comma",
    "delete form",
    "duplicate form",
    "delete line",
    "delete bracket",
    "delete expression",
];

impl Original {
    /// `None` for a file that is not plain text in UTF-8.
    pub(crate) fn read(path: &Path) -> Option<Original> {
        Original::of_text(path, std::fs::read(path).ok()?)
    }

    /// The same for bytes that are at hand.
    pub(crate) fn of_text(path: &Path, bytes: Vec<u8>) -> Option<Original> {
        let scanned = syntax::scan::scan(path, bytes);
        if scanned.file.encoding != Encoding::Utf8 || !scanned.diagnostics.is_empty() {
            return None;
        }
        let mut tokens = scanned.tokens;
        tokens.pop();
        let mut forms = Vec::new();
        let mut start = 0;
        for (index, token) in tokens.iter().enumerate() {
            if token.kind == TokenKind::Dot {
                forms.push(start..index + 1);
                start = index + 1;
            }
        }
        (forms.len() > 3).then(|| Original { text: scanned.file.text.to_string(), tokens, forms })
    }

    fn of(&self, index: usize) -> &str {
        let span = self.tokens[index].span;
        &self.text[span.start as usize..span.end as usize]
    }

    fn indices(&self, wanted: impl Fn(&Token) -> bool) -> Vec<usize> {
        (0..self.tokens.len()).filter(|&index| wanted(&self.tokens[index])).collect()
    }

    /// The text with the tokens `range` replaced.
    fn replace(&self, range: std::ops::Range<usize>, by: &str) -> String {
        let start = self.tokens[range.start].span.start as usize;
        let end = match range.end.checked_sub(1) {
            Some(last) if last >= range.start => self.tokens[last].span.end as usize,
            _ => start,
        };
        format!("{}{by}{}", &self.text[..start], &self.text[end..])
    }

    /// A change of a random kind; `None` if there is no place for it.
    pub(crate) fn mutant(&self, random: &mut Random) -> Option<Mutant> {
        let kind = random.choose(KINDS)?;
        let text = self.change(kind, random)?;
        (text != self.text).then_some(Mutant { kind, text })
    }

    fn change(&self, kind: &str, random: &mut Random) -> Option<String> {
        let any = random.below(self.tokens.len());
        let kinds = |kinds: &[TokenKind]| self.indices(|token| kinds.contains(&token.kind));
        match kind {
            "delete token" => Some(self.replace(any..any + 1, "")),
            "duplicate token" => {
                Some(self.replace(any..any + 1, &format!("{} {}", self.of(any), self.of(any))))
            }
            "swap tokens" => {
                let next = any + 1;
                (next < self.tokens.len()).then(|| {
                    self.replace(any..next + 1, &format!("{} {}", self.of(next), self.of(any)))
                })
            }
            "replace token" => {
                let other = random.below(self.tokens.len());
                Some(self.replace(any..any + 1, &format!(" {} ", self.of(other))))
            }
            "insert token" => {
                let other = random.below(self.tokens.len());
                Some(self.replace(any..any, &format!(" {} ", self.of(other))))
            }
            "rename variable" => {
                let at = random.choose(&kinds(&[TokenKind::Var]))?;
                Some(self.replace(at..at + 1, &format!("{}x", self.of(at))))
            }
            "use another variable" | "use another atom" => {
                let same =
                    if kind == "use another atom" { TokenKind::Atom } else { TokenKind::Var };
                let (at, other) =
                    (random.choose(&kinds(&[same]))?, random.choose(&kinds(&[same]))?);
                Some(self.replace(at..at + 1, self.of(other)))
            }
            "rename atom" => {
                let at = random.choose(&kinds(&[TokenKind::Atom]))?;
                let quoted = self.of(at).starts_with('\'');
                (!quoted).then(|| self.replace(at..at + 1, &format!("{}x", self.of(at))))
            }
            "delete argument" => {
                let comma = random.choose(&kinds(&[TokenKind::Comma]))?;
                Some(self.replace(comma..self.end_of_part(comma + 1), ""))
            }
            "add argument" => {
                let comma = random.choose(&kinds(&[TokenKind::Comma]))?;
                Some(self.replace(comma..comma + 1, ", extra,"))
            }
            "change integer" => {
                let at = random.choose(&kinds(&[TokenKind::Integer]))?;
                let by = random.below(4).to_string();
                Some(self.replace(at..at + 1, &by))
            }
            "change operator" => {
                use TokenKind::*;
                let operators = [
                    Plus, Minus, Star, EqEq, EqColonEq, Eq, Arrow, PlusPlus, Bang, Andalso, Orelse,
                    Bar, BarBar, LeftArrow, FatArrow, ColonEq, Semicolon, Comma, Colon, Slash,
                    Hash,
                ];
                let at = random.choose(&kinds(&operators))?;
                let other = random.choose(&operators)?;
                Some(self.replace(at..at + 1, &format!(" {} ", other.text()?)))
            }
            "delete clause" => {
                let at = random.choose(&kinds(&[TokenKind::Semicolon]))?;
                Some(self.replace(at..self.end_of_clause(at + 1), ""))
            }
            "delete end" => {
                let at = random.choose(&kinds(&[TokenKind::End]))?;
                Some(self.replace(at..at + 1, ""))
            }
            "delete comma" => {
                let at = random.choose(&kinds(&[
                    TokenKind::Comma,
                    TokenKind::Semicolon,
                    TokenKind::Dot,
                ]))?;
                Some(self.replace(at..at + 1, " "))
            }
            "delete form" => {
                let form = self.forms[random.below(self.forms.len())].clone();
                Some(self.replace(form, ""))
            }
            "duplicate form" => {
                let form = self.forms[random.below(self.forms.len())].clone();
                let start = self.tokens[form.start].span.start as usize;
                let end = self.tokens[form.end - 1].span.end as usize;
                let copy = self.text[start..end].to_string();
                Some(self.replace(form, &format!("{copy}\n{copy}\n")))
            }
            "delete line" => {
                let line = self.text[..self.tokens[any].span.start as usize].matches('\n').count();
                let lines: Vec<&str> = self.text.split_inclusive('\n').collect();
                Some([&lines[..line], &lines[(line + 1).min(lines.len())..]].concat().concat())
            }
            "delete bracket" => {
                use TokenKind::*;
                let brackets = [LParen, RParen, LBrace, RBrace, LBracket, RBracket, LBin, RBin];
                let at = random.choose(&kinds(&brackets))?;
                Some(self.replace(at..at + 1, ""))
            }
            "delete expression" => {
                let at = random.choose(&kinds(&[TokenKind::Arrow, TokenKind::Comma]))?;
                let end = self.end_of_part(at + 1);
                let comma = self.tokens.get(end).is_some_and(|t| t.kind == TokenKind::Comma);
                comma.then(|| self.replace(at + 1..end + 1, ""))
            }
            _ => None,
        }
    }

    /// Where the expression that starts at a token ends: before the next comma or closing bracket.
    fn end_of_part(&self, start: usize) -> usize {
        use TokenKind::*;
        let mut depth = 0;
        for index in start..self.tokens.len() {
            match self.tokens[index].kind {
                LParen | LBrace | LBracket | LBin | Case | If | Receive | Begin | Try => depth += 1,
                RParen | RBrace | RBracket | RBin | End if depth == 0 => return index,
                RParen | RBrace | RBracket | RBin | End => depth -= 1,
                Comma | Semicolon if depth == 0 => return index,
                Dot => return index,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Where the clause that starts at a token ends: before the next semicolon, `end` or full stop.
    fn end_of_clause(&self, start: usize) -> usize {
        use TokenKind::*;
        let mut depth = 0;
        for index in start..self.tokens.len() {
            match self.tokens[index].kind {
                LParen | LBrace | LBracket | LBin | Case | If | Receive | Begin | Try => depth += 1,
                RParen | RBrace | RBracket | RBin | End if depth == 0 => return index,
                RParen | RBrace | RBracket | RBin | End => depth -= 1,
                Semicolon if depth == 0 => return index,
                Dot => return index,
                _ => {}
            }
        }
        self.tokens.len()
    }
}
