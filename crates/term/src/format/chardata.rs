//! Text in the form that programs have it: lists of characters, nested and with binaries.
//!
//! Going through ([`Leaves`]), turning into characters for `~s` and `~ts`, counting as
//! `io_lib:chars_length/1` and indentation do, and cutting to `chars_limit`. Works with a stack of
//! its own; what is no text is an error, found where OTP finds it.

use crate::grapheme::{self, State};
use crate::{Bits, Term, View};

use super::sink::{CharList, Sink};
use super::{BadArgument, Encoding, Result};

/// One part of a deep list that is no list.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<'a> {
    Char(&'a Term),
    Binary(&'a Bits),
}

/// The leaves of a deep list in order. Stops with an error at what is neither character nor binary.
#[derive(Clone, Debug)]
pub struct Leaves<'a> {
    /// What is left, the innermost last.
    rest: Vec<&'a Term>,
}

impl<'a> Leaves<'a> {
    pub fn new(data: &'a Term) -> Leaves<'a> {
        Leaves { rest: vec![data] }
    }
}

impl<'a> Iterator for Leaves<'a> {
    type Item = Result<Leaf<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let term = self.rest.pop()?;
            let head = match term.view() {
                View::Nil => continue,
                View::Cons(cell) => {
                    if !cell.tail.is_nil() {
                        self.rest.push(&cell.tail);
                    }
                    &cell.head
                }
                View::Bits(bits) if bits.is_binary() => return Some(Ok(Leaf::Binary(bits))),
                _ => return Some(Err(BadArgument)),
            };
            match head.view() {
                View::Nil => {}
                View::Cons(_) => self.rest.push(head),
                View::Bits(bits) if bits.is_binary() => return Some(Ok(Leaf::Binary(bits))),
                _ if head.is_integer() => return Some(Ok(Leaf::Char(head))),
                _ => return Some(Err(BadArgument)),
            }
        }
    }
}

/// The characters of a deep list; binaries are UTF-8.
pub fn code_points(data: &Term) -> Result<Vec<u32>> {
    let mut codes = Vec::new();
    for leaf in Leaves::new(data) {
        match leaf? {
            Leaf::Char(c) => codes.push(code_point(c).ok_or(BadArgument)?),
            Leaf::Binary(bits) => {
                let bytes = bits.to_bytes().ok_or(BadArgument)?;
                let text = std::str::from_utf8(&bytes).map_err(|_| BadArgument)?;
                codes.extend(text.chars().map(u32::from));
            }
        }
    }
    Ok(codes)
}

/// The text of a deep list, if it is one (surrogates are none).
pub fn to_text(data: &Term) -> Option<String> {
    let mut text = String::new();
    for leaf in Leaves::new(data) {
        match leaf.ok()? {
            Leaf::Char(c) => text.push(char::from_u32(code_point(c)?)?),
            Leaf::Binary(bits) => text.push_str(std::str::from_utf8(&bits.to_bytes()?).ok()?),
        }
    }
    Some(text)
}

fn code_point(term: &Term) -> Option<u32> {
    u32::try_from(term.as_int()?).ok()
}

/// `io_lib:chars_length/1`: bytes if all characters are Latin-1, else grapheme clusters.
pub fn length(data: &Term) -> Result<usize> {
    let mut bytes = 0;
    for leaf in Leaves::new(data) {
        match leaf {
            Ok(Leaf::Char(c)) if code_point(c).is_some_and(|c| c < 0x100) => bytes += 1,
            Ok(Leaf::Binary(bits)) => bytes += bits.byte_len(),
            _ => return code_points(data).map(grapheme::count),
        }
    }
    Ok(bytes)
}

/// The length of text of which the same is asked.
pub fn text_length(text: &str) -> usize {
    let mut chars = 0;
    for c in text.chars() {
        if u32::from(c) > 0xFF {
            return grapheme::count(text.chars().map(u32::from));
        }
        chars += 1;
    }
    chars
}

/// The column after this text, which starts at column `start`; tabs are 8 wide.
pub fn indentation(data: &Term, start: i64) -> Result<i64> {
    let mut column = start;
    for leaf in Leaves::new(data) {
        match leaf? {
            Leaf::Char(c) => {
                column = match c.as_int() {
                    Some(10) => 0,
                    Some(9) => next_tab(column),
                    _ => column + 1,
                };
            }
            Leaf::Binary(_) => return Err(BadArgument),
        }
    }
    Ok(column)
}

pub fn next_tab(column: i64) -> i64 {
    (column + 8) / 8 * 8
}

fn is_char(term: &Term, encoding: Encoding) -> bool {
    match (term.as_int(), encoding) {
        (Some(c), Encoding::Latin1) => (0..=0xFF).contains(&c),
        (Some(c), Encoding::Unicode) => c >= 0,
        (None, Encoding::Latin1) => false,
        (None, Encoding::Unicode) => {
            term.as_big().is_some_and(|big| big.sign() == num_bigint::Sign::Plus)
        }
    }
}

/// The characters of a binary: bytes, or UTF-8 where Unicode is meant and it is valid.
fn binary_chars(bits: &Bits, encoding: Encoding) -> Result<Vec<Term>> {
    let bytes = bits.to_bytes().ok_or(BadArgument)?;
    if encoding == Encoding::Unicode
        && let Ok(text) = std::str::from_utf8(&bytes)
    {
        return Ok(text.chars().map(|c| Term::from(u32::from(c))).collect());
    }
    Ok(bytes.iter().map(|byte| Term::from(u32::from(*byte))).collect())
}

/// The same nested list with the characters of its binaries in place of them: what `~s` and `~ts`
/// print.
pub fn to_chars(data: &Term, encoding: Encoding) -> Result<Term> {
    if let Some(bits) = data.as_bits() {
        return Ok(Term::list(binary_chars(bits, encoding)?));
    }
    let mut elements = data.elements();
    if elements.by_ref().all(|c| is_char(c, encoding)) && elements.is_proper() {
        return Ok(data.clone());
    }
    let mut out = CharList::default();
    let mut pending: Vec<&Term> = Vec::new();
    let mut rest = data;
    loop {
        match rest.view() {
            View::Cons(cell) => {
                rest = &cell.tail;
                if is_char(&cell.head, encoding) {
                    out.push(cell.head.clone());
                } else {
                    out.open();
                    pending.push(rest);
                    rest = &cell.head;
                }
                continue;
            }
            View::Nil => {}
            View::Bits(bits) => {
                for c in binary_chars(bits, encoding)? {
                    out.push(c);
                }
            }
            _ => return Err(BadArgument),
        }
        match pending.pop() {
            Some(outer) => {
                out.close();
                rest = outer;
            }
            None => return Ok(out.finish()),
        }
    }
}

/// At most `limit` characters, the last three of them dots if it is more (`{chars_limit, N}`).
pub fn to_limited_chars(data: &Term, limit: usize, encoding: Encoding) -> Result<Term> {
    match encoding {
        Encoding::Latin1 => limited_bytes(data, limit),
        Encoding::Unicode => limited_clusters(data, limit),
    }
}

/// What stands for the characters that do not fit.
const DOTS: &str = "...";

/// The beginning of a text that fits in any case, and what fits only if it is all.
struct Limited {
    shown: usize,
    start: CharList,
    rest: CharList,
    rest_len: usize,
}

impl Limited {
    fn new(limit: usize) -> Limited {
        Limited {
            shown: limit.saturating_sub(DOTS.len()),
            start: CharList::default(),
            rest: CharList::default(),
            rest_len: 0,
        }
    }

    fn push(&mut self, element: Term) {
        if self.shown > 0 {
            self.shown -= 1;
            self.start.push(element);
        } else {
            self.rest_len += 1;
            self.rest.push(element);
        }
    }

    fn push_list(&mut self, mut chars: Vec<Term>) {
        if self.shown > 0 {
            let rest = chars.split_off(self.shown.min(chars.len()));
            self.shown -= chars.len();
            self.start.push(Term::list(chars));
            if rest.is_empty() {
                return;
            }
            chars = rest;
        }
        self.rest_len += chars.len();
        self.rest.push(Term::list(chars));
    }

    fn is_full(&self) -> bool {
        self.rest_len > DOTS.len()
    }

    fn finish(mut self) -> Term {
        if self.is_full() {
            self.start.text(DOTS);
        } else {
            self.start.append(self.rest);
        }
        self.start.finish()
    }
}

fn limited_bytes(data: &Term, limit: usize) -> Result<Term> {
    let mut out = Limited::new(limit);
    for leaf in Leaves::new(data) {
        match leaf? {
            Leaf::Char(c) if is_char(c, Encoding::Latin1) => out.push(c.clone()),
            Leaf::Char(_) => return Err(BadArgument),
            Leaf::Binary(bits) => out.push_list(binary_chars(bits, Encoding::Latin1)?),
        }
        if out.is_full() {
            break;
        }
    }
    Ok(out.finish())
}

/// Grapheme clusters, put together from characters.
struct Clusters {
    out: Limited,
    cluster: Vec<Term>,
    state: State,
}

impl Clusters {
    fn push(&mut self, c: Term) {
        let code = code_point(&c).unwrap_or(u32::MAX);
        match self.state.join(code) {
            Some(next) if !self.cluster.is_empty() => self.state = next,
            _ => {
                self.end();
                self.state = State::start(code);
            }
        }
        self.cluster.push(c);
    }

    fn end(&mut self) {
        if !self.cluster.is_empty() {
            self.out.push(one_or_list(std::mem::take(&mut self.cluster)));
        }
    }
}

/// Counts grapheme clusters. Where a binary is no UTF-8 it is taken byte by byte; if something
/// follows it, what is left of it counts as one character, and is text only where bytes are.
fn limited_clusters(data: &Term, limit: usize) -> Result<Term> {
    let out = Limited::new(limit);
    let mut clusters = Clusters { out, cluster: Vec::new(), state: State::Closed };
    let mut leaves = Leaves::new(data);
    'leaves: while let Some(leaf) = leaves.next() {
        let mut followed = !leaves.rest.is_empty();
        let bits = match leaf? {
            Leaf::Char(c) => {
                clusters.push(c.clone());
                if clusters.out.is_full() {
                    break;
                }
                continue;
            }
            Leaf::Binary(bits) => bits,
        };
        let bytes = bits.to_bytes().ok_or(BadArgument)?;
        let mut at = 0;
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                clusters.push(Term::from(u32::from(c)));
                if clusters.out.is_full() {
                    break 'leaves;
                }
            }
            at += chunk.valid().len();
            if chunk.invalid().is_empty() {
                continue;
            }
            followed |= clusters.cluster.len() > 1;
            clusters.end();
            if followed {
                if clusters.out.shown == 0 && !clusters.out.is_full() {
                    return Err(BadArgument);
                }
                clusters.out.push(Term::binary(&bytes[at..]));
                break;
            }
            for byte in chunk.invalid() {
                clusters.push(Term::from(u32::from(*byte)));
                clusters.end();
            }
            at += chunk.invalid().len();
            if clusters.out.is_full() {
                break 'leaves;
            }
        }
    }
    clusters.end();
    Ok(clusters.out.finish())
}

fn one_or_list(mut cluster: Vec<Term>) -> Term {
    match cluster.pop() {
        Some(only) if cluster.is_empty() => only,
        Some(last) => {
            cluster.push(last);
            Term::list(cluster)
        }
        None => Term::NIL,
    }
}

/// The first `n` characters (bytes or grapheme clusters), flat.
pub fn prefix(data: &Term, n: usize, encoding: Encoding) -> Result<Term> {
    let mut codes = Vec::new();
    for leaf in Leaves::new(data) {
        match leaf? {
            Leaf::Char(c) => codes.push(c.clone()),
            Leaf::Binary(_) => return Err(BadArgument),
        }
    }
    let len = match encoding {
        Encoding::Latin1 => n,
        Encoding::Unicode => {
            let values = codes.iter().map(|c| code_point(c).unwrap_or(u32::MAX));
            grapheme::prefix_len(values, n)
        }
    };
    codes.truncate(len);
    Ok(Term::list(codes))
}
