//! Format strings: characters and control sequences, with the arguments they take.

use crate::{Map, Term, View};

use super::{BadArgument, Encoding, Result};

/// A control sequence such as `~-10.2f`.
#[derive(Clone, Debug)]
pub struct Spec {
    pub control: char,
    pub args: Vec<Term>,
    pub width: Option<i64>,
    pub left: bool,
    pub precision: Option<i64>,
    /// What fields are filled with: a character.
    pub pad: Term,
    pub encoding: Encoding,
    /// Whether `~p` looks for strings.
    pub strings: bool,
}

/// A part of a format.
#[derive(Clone, Debug)]
pub enum Item {
    /// An integer that stands for itself.
    Char(Term),
    /// Anything else in the list, such as a nested string.
    Other(Term),
    Spec(Spec),
}

/// How many arguments a control character takes.
fn arguments(control: char) -> Option<usize> {
    Some(match control {
        '~' | 'n' => 0,
        'w' | 'p' | 's' | 'e' | 'f' | 'g' | 'b' | 'B' | '+' | '#' | 'c' | 'i' => 1,
        'W' | 'P' | 'x' | 'X' => 2,
        _ => return None,
    })
}

/// The characters of a format: a string, a binary (of Latin-1) or an atom.
fn characters(format: &Term) -> Result<Vec<Term>> {
    match format.view() {
        View::Atom(name) => Ok(name.as_str().chars().map(|c| Term::from(u32::from(c))).collect()),
        View::Bits(bits) => {
            let bytes = bits.to_bytes().ok_or(BadArgument)?;
            Ok(bytes.iter().map(|byte| Term::from(u32::from(*byte))).collect())
        }
        _ => format.to_vec().ok_or(BadArgument),
    }
}

/// Reads a format and hands out its arguments; all must be used.
pub fn scan(format: &Term, args: &Term) -> Result<Vec<Item>> {
    let chars = characters(format)?;
    let args = args.to_vec().ok_or(BadArgument)?;
    let mut scanner = Scanner { chars: chars.into_iter(), next: None, args: args.into_iter() };
    let mut items = Vec::new();
    while let Some(c) = scanner.take() {
        items.push(match c.as_int() {
            Some(c) if c == i64::from(b'~') => Item::Spec(scanner.spec()?),
            _ if c.is_integer() => Item::Char(c),
            _ => Item::Other(c),
        });
    }
    if scanner.args.next().is_some() { Err(BadArgument) } else { Ok(items) }
}

struct Scanner {
    chars: std::vec::IntoIter<Term>,
    /// The next character, if it was looked at already.
    next: Option<Term>,
    args: std::vec::IntoIter<Term>,
}

impl Scanner {
    fn take(&mut self) -> Option<Term> {
        self.next.take().or_else(|| self.chars.next())
    }

    /// The next character, if it is one.
    fn peek(&mut self) -> Option<char> {
        if self.next.is_none() {
            self.next = self.chars.next();
        }
        char::from_u32(u32::try_from(self.next.as_ref()?.as_int()?).ok()?)
    }

    fn take_if(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next = None;
        }
        found
    }

    fn argument(&mut self) -> Result<Term> {
        self.args.next().ok_or(BadArgument)
    }

    fn spec(&mut self) -> Result<Spec> {
        let negative = self.take_if('-');
        let width = match (self.number()?, negative) {
            (Some(width), true) => Some(width.checked_neg().ok_or(BadArgument)?),
            (None, true) => return Err(BadArgument),
            (width, false) => width,
        };
        let mut dot = self.take_if('.');
        let precision = if dot { self.number()? } else { None };
        if dot {
            dot = self.take_if('.');
        }
        let pad = if dot { self.pad()? } else { Term::int(i64::from(b' ')) };
        let (mut encoding, mut strings) = (Encoding::Latin1, true);
        loop {
            if self.take_if('t') {
                encoding = Encoding::Unicode;
            } else if self.take_if('l') {
                strings = false;
            } else if !self.take_if('k') {
                // `k` asks for the order that maps are in here anyway.
                break;
            }
        }
        let control = self.peek().ok_or(BadArgument)?;
        self.next = None;
        let count = arguments(control).ok_or(BadArgument)?;
        let args = (0..count).map(|_| self.argument()).collect::<Result<_>>()?;
        let left = width.is_some_and(|width| width < 0);
        let width = width.map(i64::abs);
        Ok(Spec { control, args, width, left, precision, pad, encoding, strings })
    }

    /// A number in the format, or `*` for one from the arguments.
    fn number(&mut self) -> Result<Option<i64>> {
        if self.take_if('*') {
            return self.argument()?.as_int().ok_or(BadArgument).map(Some);
        }
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            self.next = None;
            let tens = number.unwrap_or(0i64).checked_mul(10).ok_or(BadArgument)?;
            number = Some(tens.checked_add(i64::from(digit)).ok_or(BadArgument)?);
        }
        Ok(number)
    }

    /// The character after a second dot; `*` takes it from the arguments if there are any.
    fn pad(&mut self) -> Result<Term> {
        if self.peek() == Some('*') && self.args.len() > 0 {
            self.next = None;
            return self.argument();
        }
        self.take().ok_or(BadArgument)
    }
}

// ---- as terms
// ------------------------------------------------------------------------------------

/// The list that `io_lib:scan_format/2` returns.
pub fn to_term(items: Vec<Item>) -> Term {
    let items = items.into_iter().map(|item| match item {
        Item::Char(term) | Item::Other(term) => term,
        Item::Spec(spec) => spec_to_term(spec),
    });
    Term::list(items.collect::<Vec<_>>())
}

fn spec_to_term(spec: Spec) -> Term {
    let number = |number: Option<i64>| number.map_or_else(|| Term::atom("none"), Term::int);
    let entries = [
        ("control_char", Term::from(u32::from(spec.control))),
        ("args", Term::list(spec.args)),
        ("width", number(spec.width)),
        ("adjust", Term::atom(if spec.left { "left" } else { "right" })),
        ("precision", number(spec.precision)),
        ("pad_char", spec.pad),
        (
            "encoding",
            Term::atom(match spec.encoding {
                Encoding::Latin1 => "latin1",
                Encoding::Unicode => "unicode",
            }),
        ),
        ("strings", Term::bool(spec.strings)),
    ];
    Term::map(Map::from_iter(entries.map(|(key, value)| (Term::atom(key), value))))
}

/// Reads a list as [`to_term`] makes it.
pub fn from_term(list: &Term) -> Result<Vec<Item>> {
    let items = list.to_vec().ok_or(BadArgument)?;
    items.into_iter().map(item_from_term).collect()
}

fn item_from_term(term: Term) -> Result<Item> {
    let Some(map) = term.as_map() else {
        return Ok(if term.is_integer() { Item::Char(term) } else { Item::Other(term) });
    };
    let get = |key: &str| map.get(&Term::atom(key)).ok_or(BadArgument);
    let atom = |key: &str| Ok(get(key)?.as_atom().ok_or(BadArgument)?.as_str());
    let number = |key: &str| {
        let value = get(key)?;
        match value.as_int() {
            Some(number) => Ok(Some(number)),
            None if value.is_atom(atom::Atom::new("none")) => Ok(None),
            None => Err(BadArgument),
        }
    };
    let control = u32::try_from(get("control_char")?.as_int().ok_or(BadArgument)?);
    let control = control.ok().and_then(char::from_u32).ok_or(BadArgument)?;
    let args = get("args")?.to_vec().ok_or(BadArgument)?;
    if arguments(control) != Some(args.len()) {
        return Err(BadArgument);
    }
    Ok(Item::Spec(Spec {
        control,
        args,
        width: number("width")?,
        left: atom("adjust")? == "left",
        precision: number("precision")?,
        pad: get("pad_char")?.clone(),
        encoding: match atom("encoding")? {
            "latin1" => Encoding::Latin1,
            _ => Encoding::Unicode,
        },
        strings: get("strings")?.is_true(),
    }))
}
