//! Text as `unicode:chardata()`: nested lists of code points and UTF-8 binaries, taken apart code
//! point by code point and grapheme cluster by grapheme cluster.
//!
//! What is left of the text is again chardata. Its shape can be seen by programs, so it is exactly
//! that of OTP's `unicode_util`: who takes a code point out of a nested list also flattens up to
//! three code points behind it.

use term::grapheme::State;
use term::{Bits, Term, View};

use super::lists::join;
use super::{Failure, failed_in, no_clause};

/// The first code point of a text.
pub(super) enum First {
    Empty,
    /// The code point (an integer, not always a valid one) and the rest of the text.
    Code(Term, Term),
    /// The text starts with bytes that are no UTF-8.
    Bad(Term),
}

/// The first code point of a binary and the number of its bytes.
pub(super) fn utf8(bits: &Bits) -> Option<(u32, usize)> {
    if bits.bit_len() < 8 {
        return None;
    }
    let first = bits.byte_at(0);
    let len = match first {
        0..=0x7F => return Some((u32::from(first), 1)),
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    if bits.bit_len() < len * 8 {
        return None;
    }
    let bytes = [first, bits.byte_at(1), bits.byte_at(2), bits.byte_at(3)];
    let c = std::str::from_utf8(&bytes[..len]).ok()?.chars().next()?;
    Some((u32::from(c), len))
}

fn without(bits: &Bits, bytes: usize) -> Term {
    Term::bits(bits.slice(bytes * 8, bits.bit_len() - bytes * 8))
}

/// Takes the first code point off: `unicode_util:cp/1`.
pub(super) fn first(text: &Term) -> Result<First, Failure> {
    let mut text = text.clone();
    loop {
        let next = match text.view() {
            View::Nil => return Ok(First::Empty),
            View::Cons(cell) if cell.head.is_integer() => {
                return Ok(First::Code(cell.head.clone(), cell.tail.clone()));
            }
            View::Cons(cell) if cell.tail.is_nil() => cell.head.clone(),
            View::Cons(cell) => match first_inside(cell.head.clone(), cell.tail.clone())? {
                Inside::First(first) => return Ok(first),
                Inside::Nothing(outer) => outer,
            },
            View::Bits(bits) if bits.is_binary() => {
                return Ok(match utf8(bits) {
                    Some((code, len)) => First::Code(Term::from(code), without(bits, len)),
                    None if bits.is_empty() => First::Empty,
                    None => First::Bad(text.clone()),
                });
            }
            _ => return Err(no_clause("unicode_util", "cp", [text.clone()])),
        };
        text = next;
    }
}

enum Inside {
    First(First),
    /// The inner text is empty: go on with the outer one.
    Nothing(Term),
}

/// The first code point of `inner`, which is followed by `outer`.
fn first_inside(inner: Term, outer: Term) -> Result<Inside, Failure> {
    let (mut inner, mut outer) = (inner, outer);
    loop {
        let (next_inner, next_outer) = match inner.view() {
            View::Nil => return Ok(Inside::Nothing(outer)),
            View::Cons(cell) if cell.head.is_integer() => {
                let rest = look_ahead(cell.tail.clone(), Some(outer));
                return Ok(Inside::First(First::Code(cell.head.clone(), rest)));
            }
            View::Cons(cell) if cell.tail.is_nil() => (cell.head.clone(), outer),
            View::Cons(cell) => (cell.head.clone(), Term::cons(cell.tail.clone(), outer)),
            View::Bits(bits) if bits.is_binary() => {
                return Ok(match utf8(bits) {
                    Some((code, len)) => {
                        let rest = Term::cons(without(bits, len), outer);
                        Inside::First(First::Code(Term::from(code), rest))
                    }
                    None if bits.is_empty() => Inside::Nothing(outer),
                    None => Inside::First(First::Bad(Term::cons(inner.clone(), outer))),
                });
            }
            _ => return Err(no_clause("unicode_util", "cpl", [inner.clone(), outer])),
        };
        (inner, outer) = (next_inner, next_outer);
    }
}

/// Brings up to three code points of `inner`, and then of `outer`, to the front.
fn look_ahead(inner: Term, outer: Option<Term>) -> Term {
    const LAST: usize = 3;
    let (mut inner, mut outer) = (inner, outer);
    let mut found = Vec::new();
    let tail = loop {
        let last = found.len() + 1 == LAST;
        let (next_inner, next_outer) = match (inner.view(), outer) {
            (View::Cons(cell), None) if cell.head.is_integer() && last => break inner,
            (View::Cons(cell), Some(outer)) if cell.head.is_integer() && last => {
                found.push(cell.head.clone());
                break match cell.tail.is_nil() {
                    true => outer,
                    false => Term::cons(cell.tail.clone(), outer),
                };
            }
            (View::Cons(cell), outer) if cell.head.is_integer() => {
                found.push(cell.head.clone());
                (cell.tail.clone(), outer)
            }
            (View::Cons(cell), outer) if cell.tail.is_nil() => (cell.head.clone(), outer),
            (View::Cons(cell), outer) => {
                let after = match outer {
                    Some(outer) => Term::cons(cell.tail.clone(), outer),
                    None => cell.tail.clone(),
                };
                (cell.head.clone(), Some(after))
            }
            (View::Nil, Some(outer)) => (outer, None),
            (_, Some(outer)) => break Term::cons(inner, outer),
            (_, None) => break inner,
        };
        (inner, outer) = (next_inner, next_outer);
    };
    Term::improper(found, tail)
}

/// The first grapheme cluster of a text.
pub(super) enum Cluster {
    Empty,
    /// The code points, at least one, and the rest of the text.
    Codes(Vec<Term>, Term),
    Bad(Term),
}

fn is_below(term: &Term, limit: i64) -> bool {
    match term.view() {
        View::Int(value) => value < limit,
        // A large negative number, if anything.
        _ => term.as_big().is_some_and(|big| big.sign() == num_bigint::Sign::Minus),
    }
}

const LATIN1_END: i64 = 256;
const CARRIAGE_RETURN: i64 = 13;
const NEWLINE: i64 = 10;

/// Takes the first grapheme cluster off: `unicode_util:gc/1`.
pub(super) fn cluster(text: &Term) -> Result<Cluster, Failure> {
    let mut text = text.clone();
    loop {
        match text.view() {
            View::Nil => return Ok(Cluster::Empty),
            View::Cons(cell) if cell.head.is_integer() => {
                let (code, rest) = (&cell.head, &cell.tail);
                if rest.is_nil() {
                    return Ok(Cluster::Codes(vec![code.clone()], Term::NIL));
                }
                if code.as_int() == Some(CARRIAGE_RETURN) {
                    return after_carriage_return(code, rest, false);
                }
                if is_below(code, LATIN1_END) {
                    if let Some(next) = rest.as_cons()
                        && is_below(&next.head, LATIN1_END)
                    {
                        return Ok(Cluster::Codes(vec![code.clone()], rest.clone()));
                    }
                    if let Some(listed) = without_binaries(rest)? {
                        let plain =
                            listed.as_cons().is_some_and(|next| is_below(&next.head, LATIN1_END));
                        if plain {
                            return Ok(Cluster::Codes(vec![code.clone()], listed));
                        }
                        return grow(code.clone(), listed);
                    }
                }
                return grow(code.clone(), rest.clone());
            }
            View::Bits(bits) if bits.is_empty() => return Ok(Cluster::Empty),
            View::Bits(bits) if bits.is_binary() => {
                let Some((code, len)) = utf8(bits) else {
                    return Ok(Cluster::Bad(text.clone()));
                };
                let rest = without(bits, len);
                if i64::from(code) < LATIN1_END
                    && i64::from(code) != CARRIAGE_RETURN
                    && rest
                        .as_bits()
                        .and_then(utf8)
                        .is_some_and(|(next, _)| i64::from(next) < LATIN1_END)
                {
                    return Ok(Cluster::Codes(vec![Term::from(code)], rest));
                }
                return grow(Term::from(code), rest);
            }
            _ => {}
        }
        text = match first(&text)? {
            First::Empty => return Ok(Cluster::Empty),
            First::Bad(rest) => return Ok(Cluster::Bad(rest)),
            First::Code(code, rest) => Term::cons(code, rest),
        };
    }
}

/// The text with its first code point in front, or nothing if that is in a binary (which is to
/// stay one).
fn without_binaries(text: &Term) -> Result<Option<Term>, Failure> {
    let mut place = text;
    loop {
        match place.view() {
            View::Cons(cell) if cell.head.is_integer() => break,
            View::Cons(cell) if !cell.head.is_nil() => place = &cell.head,
            View::Cons(cell) => place = &cell.tail,
            View::Nil => break,
            _ => return Ok(None),
        }
    }
    Ok(match first(text)? {
        First::Code(code, rest) => Some(Term::cons(code, rest)),
        First::Empty => Some(Term::NIL),
        First::Bad(_) => None,
    })
}

/// A carriage return and a newline stay together. `kept` says whether the rest is left as it is if
/// there is none.
fn after_carriage_return(code: &Term, rest: &Term, kept: bool) -> Result<Cluster, Failure> {
    let alone = |rest: Term| Ok(Cluster::Codes(vec![code.clone()], rest));
    match first(rest)? {
        First::Code(next, after) if next.as_int() == Some(NEWLINE) => {
            Ok(Cluster::Codes(vec![code.clone(), next], after))
        }
        _ if kept => alone(rest.clone()),
        First::Code(next, after) => alone(Term::cons(next, after)),
        First::Empty => alone(Term::NIL),
        First::Bad(bad) => alone(Term::tuple([Term::atom("error"), bad])),
    }
}

fn code_point(term: &Term) -> u32 {
    term.as_int().and_then(|code| u32::try_from(code).ok()).unwrap_or(u32::MAX)
}

/// The cluster that starts with `code`, followed by `rest`.
fn grow(code: Term, rest: Term) -> Result<Cluster, Failure> {
    let (mut code, mut rest) = (code, rest);
    let mut codes = Vec::new();
    loop {
        match State::start(code_point(&code)) {
            State::CarriageReturn if codes.is_empty() => {
                return after_carriage_return(&code, &rest, true);
            }
            State::Closed | State::CarriageReturn => {
                codes.push(code);
                return Ok(Cluster::Codes(codes, rest));
            }
            State::Prepend => {
                codes.push(code);
                match first(&rest)? {
                    First::Empty => return Ok(Cluster::Codes(codes, Term::NIL)),
                    First::Bad(bad) => return Ok(Cluster::Codes(codes, bad)),
                    First::Code(next, after) => {
                        let ends = matches!(
                            State::start(code_point(&next)),
                            State::Closed | State::CarriageReturn
                        );
                        if ends {
                            return Ok(Cluster::Codes(codes, rest));
                        }
                        (code, rest) = (next, after);
                    }
                }
            }
            state => {
                codes.push(code);
                return extend(state, codes, rest);
            }
        }
    }
}

/// Adds what belongs to a cluster that has begun.
fn extend(state: State, codes: Vec<Term>, rest: Term) -> Result<Cluster, Failure> {
    let (mut state, mut codes, mut rest) = (state, codes, rest);
    let prepended = codes.len() - 1;
    loop {
        match first(&rest)? {
            First::Empty => return Ok(Cluster::Codes(codes, rest)),
            First::Bad(bad) => return spoilt(state, codes, prepended, rest, bad),
            First::Code(next, after) => match state.join(code_point(&next)) {
                Some(joined) => {
                    codes.push(next);
                    (state, rest) = (joined, after);
                }
                None => return Ok(Cluster::Codes(codes, rest)),
            },
        }
    }
}

/// After the cluster come bytes that are no UTF-8. How OTP shows that depends on the cluster.
fn spoilt(
    state: State,
    codes: Vec<Term>,
    prepended: usize,
    rest: Term,
    bad: Term,
) -> Result<Cluster, Failure> {
    match state {
        State::Pictograph | State::Joined => {
            let shown = gc_term(codes[prepended..].to_vec());
            let whole = Term::cons(shown, rest.clone());
            let end = Term::list([bad]);
            match join(&rest, end.clone()) {
                Some(rest) => Ok(Cluster::Codes(codes, rest)),
                None => Err(failed_in("badarg", "erlang", "++", [whole, end])),
            }
        }
        _ if codes.len() - prepended == 1 => Ok(Cluster::Codes(codes, bad)),
        _ => Ok(Cluster::Codes(codes, Term::list([bad]))),
    }
}

/// A cluster as programs see it: one code point, or a list of several.
pub(super) fn gc_term(mut codes: Vec<Term>) -> Term {
    match codes.len() {
        1 => codes.pop().unwrap_or(Term::NIL),
        _ => Term::list(codes),
    }
}
