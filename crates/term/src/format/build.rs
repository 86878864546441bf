//! Filling in a format.
//!
//! Two passes, as in OTP: first the control sequences whose text is short in any case (numbers,
//! characters, atoms); then those whose text can be long (`~s ~w ~p` and the like), which share
//! what a limit on characters leaves, and of which `~p` must know the column it starts at.

use num_bigint::Sign;

use crate::{Term, arith};

use super::chardata::{self, next_tab};
use super::directive::{Item, Spec};
use super::pretty::{self, Options};
use super::sink::{CharList, repeated};
use super::{BadArgument, Encoding, MAX_WIDTH, Printable, Result, float};

/// The text of a format as `io_lib:format/2,3` returns it: a list of characters, with a nested list
/// for each control sequence whose text can be long. `limit` is the number of characters that is
/// aimed at (no limit if negative).
pub fn build(items: Vec<Item>, limit: i64, printable: Printable) -> Result<Term> {
    let mut pieces = Vec::new();
    for item in items {
        match item {
            Item::Spec(spec) => match small(&spec)? {
                Some(chars) => pieces.extend(chars.into_iter().map(Item::Char)),
                None => pieces.push(Item::Spec(spec)),
            },
            Item::Char(_) => pieces.push(item),
            Item::Other(ref text) if text.is_list() || text.is_binary() => pieces.push(item),
            Item::Other(_) => return Err(BadArgument),
        }
    }
    let mut builder = Builder {
        printable,
        prints: 0,
        large: 0,
        limit,
        column: 0,
        out: Vec::with_capacity(pieces.len()),
    };
    builder.count(&pieces)?;
    for piece in pieces {
        builder.add(piece)?;
    }
    Ok(Term::list(builder.out))
}

struct Builder {
    printable: Printable,
    /// How many `~p` and `~P` are still to come.
    prints: usize,
    /// How many of those that share the limit are still to come.
    large: usize,
    limit: i64,
    column: i64,
    out: Vec<Term>,
}

impl Builder {
    /// Counts what is to come, and takes from the limit what is certain.
    fn count(&mut self, pieces: &[Item]) -> Result<()> {
        let mut certain = 0;
        for piece in pieces {
            match piece {
                Item::Char(_) => certain += 1,
                // The length is asked even where it does not matter; it must be text.
                Item::Other(text) => certain += chardata::length(text)?,
                Item::Spec(spec) => {
                    self.large += 1;
                    self.prints += usize::from(matches!(spec.control, 'p' | 'P'));
                }
            }
        }
        self.limit = super::write::reduced(self.limit, certain as i64);
        Ok(())
    }

    fn add(&mut self, piece: Item) -> Result<()> {
        match piece {
            Item::Char(c) => {
                self.column = match c.as_int() {
                    Some(10) => 0,
                    Some(9) => next_tab(self.column),
                    _ => self.column + 1,
                };
                self.out.push(c);
            }
            Item::Other(text) => {
                self.column += 1;
                self.out.push(text);
            }
            Item::Spec(spec) => {
                let share = match self.limit {
                    limit if limit < 0 => limit,
                    limit => limit / self.large.max(1) as i64,
                };
                let text = large(&spec, share, self.column, self.printable)?;
                self.large -= 1;
                if matches!(spec.control, 'p' | 'P') {
                    self.prints -= 1;
                }
                if self.limit >= 0 {
                    let len = chardata::length(&text)?;
                    self.limit = super::write::reduced(self.limit, len as i64);
                }
                if self.prints > 0 {
                    self.column = chardata::indentation(&text, self.column)?;
                }
                self.out.push(text);
            }
        }
        Ok(())
    }
}

// ---- short texts
// ---------------------------------------------------------------------------------

fn chars_of(text: &str) -> Vec<Term> {
    text.chars().map(|c| Term::from(u32::from(c))).collect()
}

/// `n` times the same character.
fn times(c: &Term, n: i64) -> Result<Vec<Term>> {
    if !(0..=MAX_WIDTH).contains(&n) {
        return Err(BadArgument);
    }
    Ok(vec![c.clone(); n as usize])
}

/// The text of a control sequence if that is short; `None` if it can be long.
fn small(spec: &Spec) -> Result<Option<Vec<Term>>> {
    let Spec { width, precision, .. } = *spec;
    let text = match (spec.control, &spec.args[..]) {
        ('s', [arg]) => match arg.as_atom() {
            Some(name) => {
                let text = chars_of(name.as_str());
                if spec.encoding == Encoding::Latin1
                    && text.iter().any(|c| c.as_int().is_none_or(|c| c > 0xFF))
                {
                    return Err(BadArgument);
                }
                flat(&string(Term::list(text), width, spec)?)
            }
            None => return Ok(None),
        },
        ('w' | 'p' | 'W' | 'P', _) => return Ok(None),
        ('e' | 'f' | 'g', [arg]) => number(arg.as_float().ok_or(BadArgument)?, spec)?,
        ('b' | 'B', [arg]) => integer(arg, &Term::NIL, spec)?,
        ('x' | 'X', [arg, prefix]) => match prefix.as_atom() {
            Some(name) => integer(arg, &Term::string(name.as_str()), spec)?,
            None if is_deep_char_list(prefix) => integer(arg, prefix, spec)?,
            None => return Err(BadArgument),
        },
        ('+' | '#', [arg]) => {
            let prefix = format!("{}#", precision.unwrap_or(10));
            integer(arg, &Term::string(&prefix), spec)?
        }
        ('c', [arg]) => {
            let c = match spec.encoding {
                Encoding::Unicode if arg.is_integer() => arg.clone(),
                Encoding::Unicode => return Err(BadArgument),
                Encoding::Latin1 => arith::band(arg, &Term::int(0xFF)).map_err(|_| BadArgument)?,
            };
            characters(&c, spec)?
        }
        ('~', []) => characters(&Term::int(i64::from(b'~')), spec)?,
        ('n', []) => match (width, spec.left) {
            (None, _) => chars_of("\n"),
            (Some(width), false) => times(&Term::int(10), width)?,
            (Some(_), true) => return Err(BadArgument),
        },
        ('i', [_]) => Vec::new(),
        _ => return Err(BadArgument),
    };
    Ok(Some(text))
}

/// `io_lib:deep_char_list/1`
pub fn is_deep_char_list(data: &Term) -> bool {
    data.is_list()
        && chardata::Leaves::new(data).all(|leaf| match leaf {
            Ok(chardata::Leaf::Char(c)) => {
                matches!(c.as_int(), Some(0..0xD800 | 0xE000..0xFFFE | 0x1_0000..=0x10_FFFF))
            }
            _ => false,
        })
}

fn flat(data: &Term) -> Vec<Term> {
    chardata::Leaves::new(data)
        .filter_map(|leaf| match leaf {
            Ok(chardata::Leaf::Char(c)) => Some(c.clone()),
            _ => None,
        })
        .collect()
}

fn characters(c: &Term, spec: &Spec) -> Result<Vec<Term>> {
    match (spec.width, spec.precision) {
        (None, None) => Ok(vec![c.clone()]),
        (Some(n), None) | (None, Some(n)) => times(c, n),
        (Some(width), Some(n)) if width >= n => {
            let (text, pad) = (times(c, n)?, times(&spec.pad, width - n)?);
            Ok(if spec.left { [text, pad] } else { [pad, text] }.concat())
        }
        _ => Err(BadArgument),
    }
}

fn number(value: f64, spec: &Spec) -> Result<Vec<Term>> {
    let precision = spec.precision.unwrap_or(6);
    let least = if spec.control == 'e' { 2 } else { 1 };
    if !(least..=MAX_WIDTH).contains(&precision) {
        return Err(BadArgument);
    }
    let write = match spec.control {
        'e' => float::exponential,
        'f' => float::fixed,
        _ => float::general,
    };
    let text = chars_of(&write(value, precision as usize));
    match spec.width {
        None => Ok(text),
        Some(width) => flat_field(text, width, Some(width), spec),
    }
}

fn integer(value: &Term, prefix: &Term, spec: &Spec) -> Result<Vec<Term>> {
    let base = spec.precision.unwrap_or(10);
    let big = arith::to_bigint(value).ok_or(BadArgument)?;
    if !(2..=36).contains(&base) {
        return Err(BadArgument);
    }
    let mut digits = big.magnitude().to_str_radix(base as u32);
    if matches!(spec.control, 'B' | 'X' | '#') {
        digits.make_ascii_uppercase();
    }
    let mut text = chars_of(if big.sign() == Sign::Minus { "-" } else { "" });
    text.extend(flat(prefix));
    text.extend(chars_of(&digits));
    match spec.width {
        None => Ok(text),
        Some(width) => flat_field(text, width, None, spec),
    }
}

/// Fills a field; what does not fit becomes asterisks.
fn flat_field(text: Vec<Term>, width: i64, most: Option<i64>, spec: &Spec) -> Result<Vec<Term>> {
    Ok(flat(&field(Term::list(text), width, most, spec)?))
}

// ---- long texts
// ----------------------------------------------------------------------------------

/// The text of a control sequence that starts at `column` (from 0), in about `limit` characters.
fn large(spec: &Spec, limit: i64, column: i64, printable: Printable) -> Result<Term> {
    let [arg, more @ ..] = &spec.args[..] else { return Err(BadArgument) };
    let depth = match more {
        [] => -1,
        [depth, ..] => match depth.as_int() {
            Some(depth) => depth,
            None => return Err(BadArgument),
        },
    };
    match spec.control {
        's' => {
            let all = limit < 0 || spec.width.is_some_and(|width| limit >= width);
            let chars = if all {
                chardata::to_chars(arg, spec.encoding)?
            } else {
                chardata::to_limited_chars(arg, limit as usize, spec.encoding)?
            };
            let width = match spec.width {
                Some(width) if limit >= 0 => Some(width.min(limit).max(3)),
                width => width,
            };
            string(chars, width, spec)
        }
        'w' | 'W' => {
            let mut out = CharList::default();
            pretty::write_limited(arg, depth, limit, spec.encoding, &mut out)?;
            match (spec.width, spec.precision) {
                (None, None) => Ok(out.finish()),
                (None, Some(width)) => field(out.finish(), width, Some(width), spec),
                (Some(width), most) => field(out.finish(), width, most, spec),
            }
        }
        'p' | 'P' if !spec.left => {
            let options = Options {
                column: spec.precision.unwrap_or(column + 1),
                line_length: spec.width.unwrap_or(80),
                depth,
                line_max_chars: -1,
                chars_limit: limit,
                records: None,
                encoding: spec.encoding,
                strings: spec.strings,
                printable,
            };
            let mut out = CharList::default();
            pretty::print(arg, &options, &mut out)?;
            Ok(out.finish())
        }
        _ => Err(BadArgument),
    }
}

/// Puts text into a field of `width`, of which it may take at most `most`.
fn field(text: Term, width: i64, most: Option<i64>, spec: &Spec) -> Result<Term> {
    let len = chardata::length(&text)? as i64;
    let room = len.min(most.unwrap_or(width).min(width));
    if len > room {
        adjusted(padding(&Term::int(i64::from(b'*')), room)?, width - room, spec)
    } else {
        adjusted(text, width - len, spec)
    }
}

/// `n` times the same character, as a nested list.
fn padding(c: &Term, n: i64) -> Result<Term> {
    if !(0..=MAX_WIDTH).contains(&n) || !c.is_integer() {
        return Err(BadArgument);
    }
    Ok(repeated(c, n as usize))
}

/// Adds padding where the field wants it.
fn adjusted(text: Term, pad: i64, spec: &Spec) -> Result<Term> {
    if pad == 0 {
        return Ok(text);
    }
    let pad = padding(&spec.pad, pad)?;
    Ok(if spec.left { Term::cons(text, pad) } else { Term::cons(pad, text) })
}

/// A string in a field: cut, or filled up.
fn string(text: Term, width: Option<i64>, spec: &Spec) -> Result<Term> {
    let len = || chardata::length(&text).map(|len| len as i64);
    match (width, spec.precision) {
        (None, None) => Ok(text),
        (Some(width), None) => {
            let len = len()?;
            string_field(text, width, len, spec)
        }
        (None, Some(width)) => {
            let len = len()?;
            string_field(text, width, len, &Spec { left: true, ..spec.clone() })
        }
        (Some(width), Some(most)) if width > most => {
            let len = len()?;
            let text = if len > most {
                chardata::prefix(
                    &text,
                    usize::try_from(most).map_err(|_| BadArgument)?,
                    spec.encoding,
                )?
            } else if len < most {
                Term::cons(text, padding(&spec.pad, most - len)?)
            } else {
                text
            };
            adjusted(text, width - most, spec)
        }
        (Some(width), Some(most)) if width == most => {
            let len = len()?;
            string_field(text, width, len, spec)
        }
        _ => Err(BadArgument),
    }
}

fn string_field(text: Term, width: i64, len: i64, spec: &Spec) -> Result<Term> {
    if len > width {
        let width = usize::try_from(width).map_err(|_| BadArgument)?;
        return chardata::prefix(&text, width, spec.encoding);
    }
    adjusted(text, width - len, spec)
}
