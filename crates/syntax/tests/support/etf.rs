//! Erlang terms as text to Erlang's external term format, which the judge reads a hundred times
//! faster than text.
//!
//! Reads what `abstract_format` writes, not all of Erlang. Nesting is kept on a stack of its own.

use std::str::FromStr;

use num_bigint::{BigInt, Sign};

enum Open {
    /// Where the number of elements is to be put, and how many there are so far.
    Tuple {
        at: usize,
        count: u32,
    },
    List {
        at: usize,
        count: u32,
        tail: bool,
    },
    Map {
        at: usize,
        count: u32,
    },
}

/// Encodes the terms of `text`, each ended by a full stop, as one list.
pub(crate) fn encode(text: &str) -> Result<Vec<u8>, String> {
    let mut reader = Reader { text, pos: 0, out: vec![131], open: Vec::new() };
    reader.out.push(108);
    let length_at = reader.out.len();
    reader.out.extend([0; 4]);
    let mut count = 0u32;
    loop {
        reader.skip_space();
        if reader.pos == text.len() {
            break;
        }
        reader.term()?;
        reader.skip_space();
        if reader.peek() != b'.' {
            return Err(reader.error("expected a full stop"));
        }
        reader.pos += 1;
        count += 1;
    }
    if count == 0 {
        return Ok(vec![131, 106]);
    }
    reader.out[length_at..length_at + 4].copy_from_slice(&count.to_be_bytes());
    reader.out.push(106);
    Ok(reader.out)
}

struct Reader<'a> {
    text: &'a str,
    pos: usize,
    out: Vec<u8>,
    open: Vec<Open>,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.pos).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\n') {
            self.pos += 1;
        }
    }

    fn starts(&self, prefix: &str) -> bool {
        self.text[self.pos..].starts_with(prefix)
    }

    fn error(&self, what: &str) -> String {
        let around: String = self.text[self.pos..].chars().take(60).collect();
        format!("{what} at {} before {around:?}", self.pos)
    }

    fn open_counted(&mut self, tag: u8) -> usize {
        self.out.push(tag);
        let at = self.out.len();
        self.out.extend([0; 4]);
        at
    }

    /// One whole term.
    fn term(&mut self) -> Result<(), String> {
        loop {
            // A term begins here.
            self.skip_space();
            let is_empty = match self.peek() {
                b'{' => {
                    self.pos += 1;
                    let at = self.open_counted(105);
                    self.open.push(Open::Tuple { at, count: 0 });
                    self.peek() == b'}'
                }
                b'#' => {
                    self.pos += 2;
                    let at = self.open_counted(116);
                    self.open.push(Open::Map { at, count: 0 });
                    self.peek() == b'}'
                }
                b'[' if !self.starts("[]") => {
                    self.pos += 1;
                    let at = self.open_counted(108);
                    self.open.push(Open::List { at, count: 0, tail: false });
                    false
                }
                _ => {
                    self.simple()?;
                    if self.after_term()? {
                        return Ok(());
                    }
                    false
                }
            };
            if is_empty {
                self.pos += 1;
                self.open.pop();
                if self.after_term()? {
                    return Ok(());
                }
            }
        }
    }

    /// Behind a term: what closes, what goes on. True if the outermost term is complete.
    fn after_term(&mut self) -> Result<bool, String> {
        loop {
            self.skip_space();
            let Some(open) = self.open.last_mut() else { return Ok(true) };
            match open {
                Open::Tuple { count, .. } | Open::Map { count, .. } => *count += 1,
                Open::List { count, tail: false, .. } => *count += 1,
                Open::List { .. } => {}
            }
            let rest = &self.text.as_bytes()[self.pos..];
            match rest.first().copied().unwrap_or(0) {
                b',' => {
                    self.pos += 1;
                    return Ok(false);
                }
                b'=' => {
                    self.pos += 2;
                    return Ok(false);
                }
                b'|' => {
                    self.pos += 1;
                    if let Open::List { tail, .. } = open {
                        *tail = true;
                    }
                    return Ok(false);
                }
                b'}' | b']' => {
                    self.pos += 1;
                    let (at, count) = match *open {
                        Open::Tuple { at, count } => (at, count),
                        Open::Map { at, count } => (at, count / 2),
                        Open::List { at, count, tail } => {
                            if !tail {
                                self.out.push(106);
                            }
                            (at, count)
                        }
                    };
                    self.out[at..at + 4].copy_from_slice(&count.to_be_bytes());
                    self.open.pop();
                }
                _ => return Err(self.error("unexpected")),
            }
        }
    }

    fn simple(&mut self) -> Result<(), String> {
        match self.peek() {
            b'[' => {
                self.pos += 2;
                self.out.push(106);
            }
            b'\'' => {
                let name = self.quoted('\'')?;
                self.atom(&name);
            }
            b'"' => {
                let text = self.quoted('"')?;
                self.string(&text);
            }
            b'<' => self.binary()?,
            b'-' | b'0'..=b'9' => self.number()?,
            b'f' if self.starts("fun ") => {
                self.pos += 4;
                self.out.push(113);
                for separator in [b':', b'/'] {
                    self.simple()?;
                    if self.peek() != separator {
                        return Err(self.error("bad fun"));
                    }
                    self.pos += 1;
                }
                self.simple()?;
            }
            _ => {
                let rest = &self.text[self.pos..];
                let end = rest
                    .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@'))
                    .unwrap_or(rest.len());
                if end == 0 {
                    return Err(self.error("expected a term"));
                }
                let name = rest[..end].to_owned();
                self.pos += end;
                self.atom(&name);
            }
        }
        Ok(())
    }

    fn quoted(&mut self, quote: char) -> Result<String, String> {
        let mut text = String::new();
        let rest = &self.text[self.pos + 1..];
        let mut chars = rest.char_indices();
        while let Some((index, c)) = chars.next() {
            if c == quote {
                self.pos += 1 + index + 1;
                return Ok(text);
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let escape = chars.next().map_or('\0', |(_, c)| c);
            text.push(match escape {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{b}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'e' => '\u{1b}',
                'd' => '\u{7f}',
                's' => ' ',
                '0'..='7' => {
                    let mut code = escape as u32 - '0' as u32;
                    for _ in 0..2 {
                        code = code * 8 + chars.next().map_or(0, |(_, c)| c as u32 - '0' as u32);
                    }
                    char::from_u32(code).unwrap_or('?')
                }
                'x' => {
                    let hex: String =
                        chars.by_ref().skip(1).map(|(_, c)| c).take_while(|&c| c != '}').collect();
                    u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32).unwrap_or('?')
                }
                other => other,
            });
        }
        Err(self.error("no closing quote"))
    }

    fn atom(&mut self, name: &str) {
        self.out.push(118);
        self.out.extend((name.len() as u16).to_be_bytes());
        self.out.extend(name.as_bytes());
    }

    fn string(&mut self, text: &str) {
        let codes: Vec<u32> = text.chars().map(|c| c as u32).collect();
        if codes.is_empty() {
            self.out.push(106);
        } else if codes.len() < 65536 && codes.iter().all(|&code| code < 256) {
            self.out.push(107);
            self.out.extend((codes.len() as u16).to_be_bytes());
            self.out.extend(codes.iter().map(|&code| code as u8));
        } else {
            self.out.push(108);
            self.out.extend((codes.len() as u32).to_be_bytes());
            for code in codes {
                self.out.push(98);
                self.out.extend((code as i32).to_be_bytes());
            }
            self.out.push(106);
        }
    }

    fn number(&mut self) -> Result<(), String> {
        let rest = &self.text[self.pos..];
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let mut end = usize::from(rest.starts_with('-'));
        end += digits(&rest[end..]);
        let is_float = rest[end..].starts_with('.')
            && rest[end + 1..].starts_with(|c: char| c.is_ascii_digit());
        if is_float {
            end += 1 + digits(&rest[end + 1..]);
            if rest[end..].starts_with('e') {
                end += 1;
                end += usize::from(rest[end..].starts_with(['-', '+']));
                end += digits(&rest[end..]);
            }
        }
        let text = rest[..end].to_owned();
        self.pos += end;
        if is_float {
            let value = f64::from_str(&text).map_err(|_| self.error("bad float"))?;
            self.out.push(70);
            self.out.extend(value.to_be_bytes());
            return Ok(());
        }
        if let Ok(small) = i32::from_str(&text) {
            self.out.push(98);
            self.out.extend(small.to_be_bytes());
            return Ok(());
        }
        let value = BigInt::from_str(&text).map_err(|_| self.error("bad integer"))?;
        let (sign, bytes) = value.to_bytes_le();
        self.out.push(111);
        self.out.extend((bytes.len() as u32).to_be_bytes());
        self.out.push(u8::from(sign == Sign::Minus));
        self.out.extend(bytes);
        Ok(())
    }

    /// `<<1,2,5:3>>` or `<<"text"/utf8>>`
    fn binary(&mut self) -> Result<(), String> {
        self.pos += 2;
        let mut bytes = Vec::new();
        let mut last_bits = 8;
        if self.peek() == b'"' {
            bytes = self.quoted('"')?.into_bytes();
            self.pos += "/utf8".len();
        }
        while !self.starts(">>") {
            let rest = &self.text[self.pos..];
            let end = rest.find([',', '>', ':']).ok_or_else(|| self.error("bad binary"))?;
            let mut byte = rest[..end].parse::<u8>().map_err(|_| self.error("bad byte"))?;
            self.pos += end;
            if self.peek() == b':' {
                last_bits = self.text.as_bytes()[self.pos + 1] - b'0';
                byte <<= 8 - last_bits;
                self.pos += 2;
            }
            bytes.push(byte);
            if self.peek() == b',' {
                self.pos += 1;
            }
        }
        self.pos += 2;
        self.out.push(if last_bits == 8 { 109 } else { 77 });
        self.out.extend((bytes.len() as u32).to_be_bytes());
        if last_bits != 8 {
            self.out.push(last_bits);
        }
        self.out.extend(bytes);
        Ok(())
    }
}
