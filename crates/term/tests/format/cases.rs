//! Generated cases: terms of every kind, formats with every control sequence, right and wrong.

use term::format::pretty::{self, Options, Records};
use term::format::sink::CharList;
use term::format::{BadArgument, Encoding, Printable, build, chardata, directive};
use term::{Atom, BigInt, Bits, Fun, Map, Term};

#[derive(Debug)]
pub(crate) enum Case {
    Format(Term, Term, Option<i64>),
    Scan(Term, Term),
    Print(Term, i64, i64, i64),
    Pretty {
        term: Term,
        options: Vec<(&'static str, i64)>,
        unicode: bool,
        records: Vec<(Atom, Vec<Atom>)>,
    },
    Write(Term, i64, i64, bool),
    Length(Term),
}

fn tagged(parts: impl IntoIterator<Item = Term>) -> Term {
    Term::tuple(parts)
}

fn option(name: &str, value: Term) -> Term {
    Term::tuple([Term::atom(name), value])
}

impl Case {
    /// The case as the judge reads it.
    pub(crate) fn to_term(&self) -> Term {
        let name = Term::atom;
        match self {
            Case::Format(format, args, None) => {
                tagged([name("format"), format.clone(), args.clone()])
            }
            Case::Format(format, args, Some(limit)) => {
                let options = Term::list([option("chars_limit", Term::int(*limit))]);
                tagged([name("format"), format.clone(), args.clone(), options])
            }
            Case::Scan(format, args) => tagged([name("scan"), format.clone(), args.clone()]),
            Case::Print(term, column, length, depth) => tagged([
                name("print"),
                term.clone(),
                Term::int(*column),
                Term::int(*length),
                Term::int(*depth),
            ]),
            Case::Pretty { term, options, unicode, records } => {
                let mut list: Vec<Term> =
                    options.iter().map(|(name, value)| option(name, Term::int(*value))).collect();
                list.push(option("encoding", name(if *unicode { "unicode" } else { "latin1" })));
                let records = records.iter().map(|(tag, names)| {
                    let key = Term::tuple([Term::from(*tag), Term::from(names.len())]);
                    let names = names.iter().map(|name| Term::from(*name)).collect::<Vec<_>>();
                    Term::tuple([key, Term::list(names)])
                });
                let records = Term::list(records.collect::<Vec<_>>());
                tagged([name("pretty"), term.clone(), Term::list(list), records])
            }
            Case::Write(term, depth, limit, unicode) => {
                let options = Term::list([
                    option("depth", Term::int(*depth)),
                    option("chars_limit", Term::int(*limit)),
                    option("encoding", name(if *unicode { "unicode" } else { "latin1" })),
                ]);
                tagged([name("write"), term.clone(), options])
            }
            Case::Length(chars) => tagged([name("length"), chars.clone()]),
        }
    }

    /// What we make of it.
    pub(crate) fn answer(&self) -> Term {
        match self.run() {
            Ok(answer) => Term::tuple([Term::atom("ok"), answer]),
            Err(BadArgument) => Term::atom("failed"),
        }
    }

    fn run(&self) -> Result<Term, BadArgument> {
        let mut out = CharList::default();
        match self {
            Case::Format(format, args, limit) => {
                let items = directive::scan(format, args)?;
                return build::build(items, limit.unwrap_or(-1), Printable::Latin1);
            }
            Case::Scan(format, args) => {
                let list = directive::to_term(directive::scan(format, args)?);
                // And back again.
                let again = directive::to_term(directive::from_term(&list)?);
                return Ok(again);
            }
            Case::Print(term, column, line_length, depth) => {
                let options = Options {
                    column: *column,
                    line_length: *line_length,
                    depth: *depth,
                    encoding: Encoding::Latin1,
                    ..Options::default()
                };
                pretty::print(term, &options, &mut out)?;
            }
            Case::Pretty { term, options, unicode, records } => {
                let records: Records = records
                    .iter()
                    .map(|(tag, names)| ((*tag, names.len()), names.clone()))
                    .collect();
                let get = |name, default| {
                    options.iter().find(|(n, _)| *n == name).map_or(default, |(_, value)| *value)
                };
                let options = Options {
                    column: get("column", 1),
                    line_length: get("line_length", 80),
                    depth: get("depth", -1),
                    line_max_chars: get("line_max_chars", -1),
                    chars_limit: get("chars_limit", -1),
                    records: Some(&records),
                    encoding: if *unicode { Encoding::Unicode } else { Encoding::Latin1 },
                    ..Options::default()
                };
                pretty::print(term, &options, &mut out)?;
            }
            Case::Write(term, depth, limit, unicode) => {
                let encoding = if *unicode { Encoding::Unicode } else { Encoding::Latin1 };
                pretty::write_limited(term, *depth, *limit, encoding, &mut out)?;
            }
            Case::Length(chars) => return chardata::length(chars).map(Term::from),
        }
        Ok(out.finish())
    }
}

/// A source of cases that depends on nothing but its seed.
pub(crate) struct Generator {
    state: u64,
}

const ATOMS: &[&str] = &[
    "a",
    "ok",
    "error",
    "undefined",
    "a_longer_atom",
    "quite_a_long_atom_with_many_characters",
    "",
    "Needs quotes",
    "it's",
    "case",
    "maybe",
    "été",
    "αβγ",
    "a@b",
    "_x",
    "\n",
    "r",
    "state",
    "日本語",
    "e\u{301}",
];

/// Names that read back from the text of a fun.
const FUNCTIONS: &[&str] = &["a", "ok", "a_longer_atom", "it's", "Needs quotes", "", "a@b"];

const TEXTS: &[&str] = &[
    "",
    "a",
    "hello",
    "hello world, this is a longer text that does not fit anywhere",
    "\"quoted\"",
    "tab\tand\nnewline\r\u{1b}",
    "äöü",
    "αβγδε",
    "e\u{301}e\u{301}e\u{301}",
    "back\\slash",
    "\u{1F468}\u{200D}\u{1F469}x",
    "日本語",
    "\u{7f}",
    "\u{0}",
    "\u{90}",
    "a\r\nb",
    "ab",
];

impl Generator {
    pub(crate) fn new(seed: u64) -> Generator {
        Generator { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1 }
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len() as u64) as usize]
    }

    pub(crate) fn case(&mut self) -> Case {
        match self.below(20) {
            0..=6 => self.format(),
            7 => {
                let Case::Format(format, args, _) = self.format() else { return self.case() };
                Case::Scan(format, args)
            }
            8..=10 => {
                let term = self.sized_term();
                let column = self.column();
                let (length, depth) = (self.line_length(), self.depth());
                Case::Print(term, column, length, depth)
            }
            11..=15 => self.pretty(),
            16..=18 => {
                let term = self.sized_term();
                let depth = self.depth();
                let limit = self.limit();
                Case::Write(term, depth, limit, self.below(2) == 0)
            }
            _ => {
                let text = self.chardata(3);
                Case::Length(if text.is_list() { text } else { Term::NIL })
            }
        }
    }

    fn column(&mut self) -> i64 {
        [1, 1, 1, 2, 10, 40, 75, 100, 0, -3][self.below(10) as usize]
    }

    fn line_length(&mut self) -> i64 {
        [80, 80, 80, 20, 10, 40, 1, 0, 120, 30][self.below(10) as usize]
    }

    fn depth(&mut self) -> i64 {
        [-1, -1, -1, 1, 2, 3, 4, 5, 8, 20, 0][self.below(11) as usize]
    }

    fn limit(&mut self) -> i64 {
        match self.below(6) {
            0..=2 => -1,
            3 => self.below(30) as i64,
            4 => self.below(200) as i64,
            _ => self.below(8) as i64,
        }
    }

    fn pretty(&mut self) -> Case {
        let term = self.sized_term();
        let mut options = vec![
            ("column", self.column()),
            ("line_length", self.line_length()),
            ("depth", self.depth()),
            ("chars_limit", self.limit()),
        ];
        if self.one_in(3) {
            options.push(("line_max_chars", [60, 20, 5, 40][self.below(4) as usize]));
        }
        options.retain(|_| !self.one_in(8));
        let mut records = Vec::new();
        if self.one_in(2) {
            let fields = ["x", "y", "a_field", "another longer field", "f5", "f6", "f7"];
            for tag in ATOMS {
                for count in 0..6 {
                    if self.one_in(2) {
                        let names = fields[..count].iter().map(|name| Atom::new(name)).collect();
                        records.push((Atom::new(tag), names));
                    }
                }
            }
        }
        Case::Pretty { term, options, unicode: self.below(2) == 0, records }
    }

    fn format(&mut self) -> Case {
        let mut format = String::new();
        let mut args = Vec::new();
        for _ in 0..1 + self.below(4) {
            match self.below(8) {
                0 => format.push_str(self.pick(&["abc", "\n", "\tx", " = ", "é", "{", "0.1"])),
                1 => format.push_str(self.pick(TEXTS)),
                _ => self.control(&mut format, &mut args),
            }
        }
        if self.one_in(40) {
            args.pop();
        }
        if self.one_in(60) {
            args.push(Term::int(1));
        }
        let format = match self.below(12) {
            0 if format.is_ascii() => Term::binary(format.into_bytes()),
            1 => Term::atom(&format),
            2 => {
                let mut elements = Term::string(&format).to_vec().unwrap_or_default();
                let text = self.chardata(2);
                elements.insert(0, text);
                Term::list(elements)
            }
            _ => Term::string(&format),
        };
        let limit = self.one_in(3).then(|| self.limit());
        Case::Format(format, Term::list(args), limit)
    }

    fn number(&mut self, format: &mut String, args: &mut Vec<Term>, max: u64) {
        let n = self.below(max);
        if self.one_in(6) {
            format.push('*');
            let n = if self.one_in(12) { -(n as i64) - 1 } else { n as i64 };
            args.push(Term::int(n));
        } else {
            format.push_str(&n.to_string());
        }
    }

    fn control(&mut self, format: &mut String, args: &mut Vec<Term>) {
        let control = self.pick(&[
            "w", "p", "s", "W", "P", "e", "f", "g", "b", "B", "x", "X", "+", "#", "c", "~", "n",
            "i", "p", "w", "s", "z",
        ]);
        let safe = !matches!(control, "c" | "w" | "W" | "n" | "~");
        format.push('~');
        if self.one_in(3) {
            if self.one_in(4) {
                format.push('-');
            }
            let max = if matches!(control, "p" | "P") { 100 } else { 30 };
            let max = if self.one_in(4) { 5 } else { max };
            if safe {
                self.number(format, args, max);
            } else {
                format.push_str(&self.below(max).to_string());
            }
        }
        let precision = self.one_in(4);
        if precision {
            format.push('.');
            let max = if matches!(control, "b" | "B" | "x" | "X" | "+" | "#") { 40 } else { 25 };
            if safe {
                self.number(format, args, max);
            } else {
                format.push_str(&self.below(max).to_string());
            }
        }
        if self.one_in(8) {
            format.push_str(if precision { "." } else { ".." });
            format.push_str(self.pick(&["0", "x", "*", "é", "-"]));
            if format.ends_with('*') {
                args.push(Term::int(i64::from(b'+')));
            }
        }
        if self.one_in(2) {
            format.push('t');
        }
        if self.one_in(12) {
            format.push('l');
        }
        format.push_str(control);
        let arg = match control {
            _ if self.one_in(50) => self.sized_term(),
            "w" | "p" | "W" | "P" | "i" => self.sized_term(),
            "s" => self.chardata(3),
            "e" | "f" | "g" => Term::float(self.float()),
            "c" => match self.below(10) {
                0 => Term::int(-5),
                1 => Term::int(0x1F600),
                _ => Term::int(self.below(400) as i64),
            },
            "~" | "n" => return,
            _ => self.integer(),
        };
        args.push(arg);
        match control {
            "W" | "P" => {
                let depth = self.depth();
                args.push(Term::int(depth));
            }
            "x" | "X" => {
                let prefix = self.pick(&["0x", "", "αβ", "10#"]);
                args.push(if self.one_in(3) { Term::atom(prefix) } else { Term::string(prefix) });
            }
            _ => {}
        }
    }

    fn integer(&mut self) -> Term {
        match self.below(8) {
            0 => Term::int(0),
            1 => Term::int(-(self.below(1000) as i64)),
            2 => Term::int(i64::MAX),
            3 => Term::big(BigInt::from(self.next()) << 70),
            4 => Term::big(-BigInt::from(self.next()) << 70),
            _ => Term::int(self.below(100_000) as i64),
        }
    }

    fn float(&mut self) -> f64 {
        match self.below(10) {
            0 => 0.0,
            1 => -0.0,
            2 => self.below(1000) as f64,
            3 => self.below(100_000) as f64 / 100.0,
            4 => 1.0 / (1.0 + self.below(1000) as f64),
            5 => [0.1, 0.5, 2.5, 0.05, 9.995, 99.95, 999.5, 9999.5, 1e22, 1e23, 5e-324]
                [self.below(11) as usize],
            6 => -(self.below(100_000) as f64) * 1.7,
            _ => {
                let value = f64::from_bits(self.next() << 11 ^ self.next());
                if value.is_finite() { value } else { 1.5 }
            }
        }
    }

    fn text(&mut self) -> String {
        match self.below(3) {
            0 => self.pick(TEXTS).to_owned(),
            1 => {
                let len = self.below(40);
                (0..len).map(|_| char::from(b' ' + self.below(95) as u8)).collect()
            }
            _ => format!("{}{}", self.pick(TEXTS), self.pick(TEXTS)),
        }
    }

    /// What `~s` and `~ts` take, sometimes.
    fn chardata(&mut self, depth: u64) -> Term {
        match self.below(10) {
            0 => Term::binary(self.text().into_bytes()),
            1 => {
                Term::binary((0..self.below(8)).map(|_| self.below(256) as u8).collect::<Vec<_>>())
            }
            2 => Term::atom(self.pick(ATOMS)),
            3..=5 if depth > 0 => {
                let parts: Vec<Term> = (0..self.below(4))
                    .map(|_| {
                        if self.one_in(3) {
                            Term::int(self.below(300) as i64)
                        } else {
                            self.chardata(depth - 1)
                        }
                    })
                    .collect();
                if !parts.is_empty() && self.one_in(6) {
                    Term::improper(parts, Term::binary(self.text().into_bytes()))
                } else {
                    Term::list(parts)
                }
            }
            6 if self.one_in(4) => Term::list([Term::int(0xD800), Term::int(97)]),
            _ => Term::string(&self.text()),
        }
    }

    fn sized_term(&mut self) -> Term {
        let mut budget = [3, 10, 40, 150][self.below(4) as usize];
        self.term(&mut budget, 0)
    }

    fn term(&mut self, budget: &mut u64, depth: u64) -> Term {
        *budget = budget.saturating_sub(1);
        let leaf = *budget == 0 || depth > 12;
        match if leaf { self.below(8) } else { self.below(20) } {
            0 => self.integer(),
            1 | 2 => Term::atom(self.pick(ATOMS)),
            3 => Term::float(self.float()),
            4 => Term::string(&self.text()),
            5 => self.binary(),
            6 => [Term::NIL, Term::tuple([]), Term::map(Map::new()), Term::bits(Bits::empty())]
                [self.below(4) as usize]
                .clone(),
            7 => match self.below(4) {
                0 => Term::fun(Fun::External {
                    module: Atom::new(self.pick(FUNCTIONS)),
                    name: Atom::new(self.pick(FUNCTIONS)),
                    arity: self.below(5) as u32,
                }),
                _ => Term::int(self.below(300) as i64),
            },
            8..=12 => {
                let elements = self.terms(budget, depth);
                match self.below(10) {
                    0 if !elements.is_empty() => {
                        let tail = self.term(budget, depth + 1);
                        Term::improper(elements, tail)
                    }
                    1 => Term::list(
                        (0..self.below(30)).map(|n| Term::int(n as i64 + 60)).collect::<Vec<_>>(),
                    ),
                    _ => Term::list(elements),
                }
            }
            13..=16 => {
                let mut elements = self.terms(budget, depth);
                if self.below(3) > 0 && !elements.is_empty() {
                    elements[0] = Term::atom(self.pick(ATOMS));
                }
                Term::tuple(elements)
            }
            _ => {
                let pairs = (0..self.below(6))
                    .map(|_| {
                        let key = if self.below(4) > 0 {
                            Term::atom(self.pick(ATOMS))
                        } else {
                            self.term(budget, depth + 1)
                        };
                        (key, self.term(budget, depth + 1))
                    })
                    .collect::<Vec<_>>();
                Term::map(Map::from_iter(pairs))
            }
        }
    }

    fn terms(&mut self, budget: &mut u64, depth: u64) -> Vec<Term> {
        let max = if self.one_in(10) { 30 } else { 7 };
        (0..self.below(max)).map(|_| self.term(budget, depth + 1)).collect()
    }

    fn binary(&mut self) -> Term {
        match self.below(5) {
            0 => Term::binary(self.text().into_bytes()),
            1 => {
                Term::binary((0..self.below(60)).map(|_| self.below(256) as u8).collect::<Vec<_>>())
            }
            2 => {
                let bytes: Vec<u8> =
                    (0..1 + self.below(6)).map(|_| self.below(256) as u8).collect();
                let len = bytes.len() * 8 - self.below(8) as usize;
                Term::bits(Bits::from_bits(bytes, len))
            }
            3 => {
                let mut bytes = self.text().into_bytes();
                bytes.push(self.below(256) as u8);
                Term::binary(bytes)
            }
            _ => {
                let text: String =
                    (0..self.below(50)).map(|_| self.pick(&["a", "é", "b", "α", "z"])).collect();
                Term::binary(text.into_bytes())
            }
        }
    }
}
