//! Terms from the text that `syntax::abstract_format` writes.
//!
//! A reader for that text and nothing more: no macros, no expressions, no comments. What is open
//! stands on a stack of its own, so nesting is no problem. `@N` stands for what the caller knows of
//! token N, `@@N` for its line.

use atom::Atom;
use num_bigint::BigInt;
use term::{Bits, Fun, Map, Term};

/// What `@N` and `@@N` (then the second argument is true) mean.
pub(crate) type Annotation<'a> = dyn Fn(usize, bool) -> Term + 'a;

/// The term that a text denotes; `None` if it is none.
pub(crate) fn read_term(text: &str, annotation: &Annotation<'_>) -> Option<Term> {
    let mut reader = Reader { rest: text, annotation };
    let term = reader.term()?;
    let rest = reader.rest.trim_start();
    matches!(rest, "" | ".").then_some(term)
}

/// What is open.
enum Open {
    Tuple(Vec<Term>),
    List(Vec<Term>),
    /// The elements before the bar of a list.
    Tail(Vec<Term>),
    Map(Map),
    /// A map and the key whose value comes next.
    Value(Map, Term),
}

struct Reader<'a> {
    rest: &'a str,
    annotation: &'a Annotation<'a>,
}

impl Reader<'_> {
    fn eat(&mut self, start: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(start) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn term(&mut self) -> Option<Term> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            // Begin a term.
            let mut value = if self.eat("{") {
                if !self.eat("}") {
                    open.push(Open::Tuple(Vec::new()));
                    continue;
                }
                Term::tuple([])
            } else if self.eat("[") {
                if !self.eat("]") {
                    open.push(Open::List(Vec::new()));
                    continue;
                }
                Term::NIL
            } else if self.eat("#{") {
                if !self.eat("}") {
                    open.push(Open::Map(Map::new()));
                    continue;
                }
                Term::map(Map::new())
            } else {
                self.leaf()?
            };
            // End as many as end here.
            loop {
                match open.pop() {
                    None => return Some(value),
                    Some(Open::Tuple(mut elements)) => {
                        elements.push(value);
                        if self.eat(",") {
                            open.push(Open::Tuple(elements));
                            break;
                        }
                        value = self.eat("}").then(|| Term::tuple(elements))?;
                    }
                    Some(Open::List(mut elements)) => {
                        elements.push(value);
                        if self.eat(",") {
                            open.push(Open::List(elements));
                            break;
                        }
                        if self.eat("|") {
                            open.push(Open::Tail(elements));
                            break;
                        }
                        value = self.eat("]").then(|| Term::list(elements))?;
                    }
                    Some(Open::Tail(elements)) => {
                        value = self.eat("]").then(|| Term::improper(elements, value))?;
                    }
                    Some(Open::Map(map)) => {
                        if !self.eat("=>") {
                            return None;
                        }
                        open.push(Open::Value(map, value));
                        break;
                    }
                    Some(Open::Value(mut map, key)) => {
                        map.insert(key, value);
                        if self.eat(",") {
                            open.push(Open::Map(map));
                            break;
                        }
                        value = self.eat("}").then(|| Term::map(map))?;
                    }
                }
            }
        }
    }

    fn leaf(&mut self) -> Option<Term> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '@' => {
                let line_only = self.rest.starts_with("@@");
                self.rest = self.rest.trim_start_matches('@');
                let number = self.digits().parse().ok()?;
                Some((self.annotation)(number, line_only))
            }
            '"' => Some(Term::string(&self.quoted('"')?)),
            '\'' => Some(Term::atom(&self.quoted('\'')?)),
            '<' => self.binary(),
            '-' | '0'..='9' => self.number(),
            _ if self.rest.starts_with("fun ") => self.external_fun(),
            _ => self.name().map(Term::from),
        }
    }

    fn digits(&mut self) -> &str {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits
    }

    fn name(&mut self) -> Option<Atom> {
        self.rest = self.rest.trim_start();
        if self.rest.starts_with('\'') {
            return Some(Atom::new(&self.quoted('\'')?));
        }
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@');
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!name.is_empty()).then(|| Atom::new(name))
    }

    fn number(&mut self) -> Option<Term> {
        let negative = self.eat("-");
        let whole = self.rest;
        let mut len = self.digits().len();
        let is_float =
            self.rest.starts_with('.') && self.rest[1..].starts_with(|c: char| c.is_ascii_digit());
        if is_float {
            self.rest = &self.rest[1..];
            len += 1 + self.digits().len();
            if self.rest.starts_with(['e', 'E']) {
                self.rest = &self.rest[1..];
                len += 1;
                if self.rest.starts_with(['-', '+']) {
                    self.rest = &self.rest[1..];
                    len += 1;
                }
                len += self.digits().len();
            }
            let value: f64 = whole[..len].parse().ok()?;
            return Some(Term::float(if negative { -value } else { value }));
        }
        let value: BigInt = whole[..len].parse().ok()?;
        Some(Term::big(if negative { -value } else { value }))
    }

    /// A text between quotes, with escapes.
    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut chars = self.rest.char_indices().skip(1);
        let mut text = String::new();
        while let Some((at, c)) = chars.next() {
            if c == quote {
                self.rest = &self.rest[at + 1..];
                return Some(text);
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let (_, escaped) = chars.next()?;
            text.push(match escaped {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{0B}',
                'b' => '\u{08}',
                'f' => '\u{0C}',
                'e' => '\u{1B}',
                'd' => '\u{7F}',
                's' => ' ',
                '0'..='7' => {
                    let mut code = escaped.to_digit(8)?;
                    for _ in 0..2 {
                        code = code * 8 + chars.next()?.1.to_digit(8)?;
                    }
                    char::from_u32(code)?
                }
                other => other,
            });
        }
        None
    }

    /// `<<1,2,3:4>>` or `<<"text">>`, `<<"text"/utf8>>`
    fn binary(&mut self) -> Option<Term> {
        if !self.eat("<<") {
            return None;
        }
        if self.rest.starts_with('"') {
            let text = self.quoted('"')?;
            let bytes = if self.eat("/utf8") {
                text.into_bytes()
            } else {
                text.chars().map(|c| u8::try_from(u32::from(c))).collect::<Result<_, _>>().ok()?
            };
            return self.eat(">>").then(|| Term::binary(bytes));
        }
        let mut bytes: Vec<u8> = Vec::new();
        let mut rest_bits = 0;
        while !self.eat(">>") {
            let byte: u8 = self.digits().parse().ok()?;
            if self.eat(":") {
                rest_bits = self.digits().parse().ok().filter(|bits| (1..8).contains(bits))?;
                bytes.push(byte << (8 - rest_bits));
            } else {
                bytes.push(byte);
            }
            self.eat(",");
        }
        if rest_bits == 0 {
            return Some(Term::binary(bytes));
        }
        let len = (bytes.len() - 1) * 8 + rest_bits;
        Some(Term::bits(Bits::from_bits(bytes, len)))
    }

    fn external_fun(&mut self) -> Option<Term> {
        self.rest = &self.rest["fun ".len()..];
        let module = self.name()?;
        let name = if self.eat(":") { self.name()? } else { return None };
        let arity = if self.eat("/") { self.digits().parse().ok()? } else { return None };
        Some(Term::fun(Fun::External { module, name, arity }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_should() {
        let place =
            |token: usize, line: bool| Term::tuple([Term::from(token as u64), Term::bool(line)]);
        for text in [
            "{a,'B c',[],{}}",
            "[1,-2|x]",
            "\"ab\\n\\\"c\"",
            "1.5e-7",
            "-0.5",
            "123456789012345678901234567890",
            "#{a=>#{},[1]=>\"x\"}",
            "<<1,2,255>>",
            "<<1,5:3>>",
            "fun lists:map/2",
        ] {
            let term = read_term(text, &place).unwrap_or_else(|| panic!("{text}"));
            let again = term::print::to_string(&term);
            let twice = read_term(&again, &place).unwrap_or_else(|| panic!("{again}"));
            assert_eq!(term::print::to_string(&twice), again);
        }
        let marked = read_term("{atom,@12,@@3}", &place);
        assert_eq!(
            marked.map(|term| term::print::to_string(&term)),
            Some("{atom,{12,false},{3,true}}".to_owned())
        );
        for text in ["", "{", "{a", "[a|b,c]", "#{a}", "<<256>>", "a b", "\"x", "@", "fun x"] {
            assert!(read_term(text, &place).is_none(), "{text}");
        }
    }
}
