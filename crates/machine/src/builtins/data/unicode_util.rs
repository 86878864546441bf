//! `unicode_util`: code points, grapheme clusters, case and normal forms of text.
//!
//! Case comes from Rust's tables (which may be newer) without the letters that got case after
//! Unicode 14, the version of OTP 25. Title case and folding are derived: folding is the lower case
//! of the upper case, but for a few letters. Normal forms use the tables of the crate
//! `unicode-normalization` in its version for Unicode 14; the algorithm on top works on one cluster
//! at a time, as OTP's does.

use term::{Map, Term};
use unicode_normalization::char as normal;

use super::chardata::{self, Cluster, First, gc_term};
use super::{Builtin, Failure};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};
use crate::exception::{Exception, Trace};

pub(super) const UNICODE_UTIL: &[Builtin] = builtins!(UNICODE_UTIL, HIDDEN;
    "cp"/1 => cp,
    "gc"/1 => gc,
    "nfd"/1 => |_, a| normalized(&a[0], Form::Nfd),
    "nfc"/1 => |_, a| normalized(&a[0], Form::Nfc),
    "nfkd"/1 => |_, a| normalized(&a[0], Form::Nfkd),
    "nfkc"/1 => |_, a| normalized(&a[0], Form::Nfkc),
    "uppercase"/1 => |_, a| changed(&a[0], "uppercase", upper),
    "lowercase"/1 => |_, a| changed(&a[0], "lowercase", lower),
    "titlecase"/1 => |_, a| changed(&a[0], "titlecase", title),
    "casefold"/1 => |_, a| changed(&a[0], "casefold", fold),
    "get_case"/1 => get_case,
    "whitespace"/0 => |_, _| Ok(whitespace()),
    "is_whitespace"/1 => is_whitespace,
    "spec_version"/0 => |_, _| Ok(Term::tuple([Term::int(14), Term::int(0)])),
);

fn error(rest: Term) -> Term {
    Term::tuple([Term::from(atom::known::ERROR), rest])
}

fn cp(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    if args[0].as_cons().is_some_and(|cell| cell.head.is_integer()) {
        return Ok(args[0].clone());
    }
    Ok(match chardata::first(&args[0])? {
        First::Empty => Term::NIL,
        First::Code(code, rest) => Term::cons(code, rest),
        First::Bad(rest) => error(rest),
    })
}

fn gc(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    Ok(match chardata::cluster(&args[0])? {
        Cluster::Empty => Term::NIL,
        Cluster::Codes(codes, rest) => Term::cons(gc_term(codes), rest),
        Cluster::Bad(rest) => error(rest),
    })
}

// ---- case --------------------------------------------------------------------------------------

/// Letters that have no case in Unicode 14.
fn has_no_case_yet(c: char) -> bool {
    matches!(u32::from(c),
        0x19B | 0x264 | 0x1C89..=0x1C8A | 0xA7CB..=0xA7CF | 0xA7D2..=0xA7D5 | 0xA7DA..=0xA7DC
        | 0x10D50..=0x10D85 | 0x16EA0..=0x16ED3)
}

fn upper(c: char) -> Vec<char> {
    if has_no_case_yet(c) { vec![c] } else { c.to_uppercase().collect() }
}

fn lower(c: char) -> Vec<char> {
    if has_no_case_yet(c) { vec![c] } else { c.to_lowercase().collect() }
}

fn shifted(c: char, to: impl Fn(u32) -> u32) -> Vec<char> {
    vec![char::from_u32(to(u32::from(c))).unwrap_or(c)]
}

fn title(c: char) -> Vec<char> {
    const IOTA: char = '\u{399}';
    const IOTA_BELOW: char = '\u{345}';
    match u32::from(c) {
        // Digraphs have a form for the start of a word, between the other two.
        0x1C4..=0x1CC => shifted(c, |code| (code - 0x1C4) / 3 * 3 + 0x1C5),
        0x1F1..=0x1F3 => vec!['\u{1F2}'],
        // Georgian has none.
        0x10D0..=0x10FA | 0x10FD..=0x10FF => vec![c],
        // Greek letters with iota below.
        0x1F80..=0x1FAF => shifted(c, |code| code | 8),
        0x1FB3 | 0x1FC3 | 0x1FF3 => shifted(c, |code| code + 9),
        0x1FBC | 0x1FCC | 0x1FFC => vec![c],
        0x1FB2 | 0x1FB4 | 0x1FB7 | 0x1FC2 | 0x1FC4 | 0x1FC7 | 0x1FF2 | 0x1FF4 | 0x1FF7 => {
            upper(c).into_iter().map(|c| if c == IOTA { IOTA_BELOW } else { c }).collect()
        }
        // Ligatures: only the first letter is large.
        0xDF | 0x587 | 0xFB00..=0xFB06 | 0xFB13..=0xFB17 => {
            let mut letters = upper(c).into_iter();
            let first = letters.next();
            first.into_iter().chain(letters.flat_map(lower)).collect()
        }
        _ => upper(c),
    }
}

fn fold(c: char) -> Vec<char> {
    match u32::from(c) {
        // Cherokee folds to its large letters.
        0x13A0..=0x13F5 => vec![c],
        0x13F8..=0x13FD => shifted(c, |code| code - 8),
        0xAB70..=0xABBF => shifted(c, |code| code - 0xAB70 + 0x13A0),
        // Without a dot, or with two letters where the upper case has one.
        0x131 => vec![c],
        0x1E9E => vec!['s', 's'],
        _ => upper(c).into_iter().flat_map(lower).collect(),
    }
}

/// What becomes of a character in some case.
type Case = fn(char) -> Vec<char>;

/// One code point as a number, several as a list.
fn codes(chars: Vec<char>) -> Term {
    gc_term(chars.into_iter().map(|c| Term::from(u32::from(c))).collect())
}

fn in_case(code: &Term, case: Case) -> Term {
    super::atoms::character(code).map_or_else(|| code.clone(), |c| codes(case(c)))
}

/// The first code point in another case, and the rest of the text.
fn changed(text: &Term, name: &str, case: Case) -> Return {
    match chardata::first(text)? {
        First::Empty => Ok(Term::NIL),
        First::Code(code, rest) => Ok(Term::cons(in_case(&code, case), rest)),
        First::Bad(rest) => Err(bad_text(name, text, rest)),
    }
}

fn bad_text(name: &str, text: &Term, rest: Term) -> Failure {
    let (module, name) = (atom::Atom::new("unicode_util"), atom::Atom::new(name));
    let trace = Trace::In { module, name, args: vec![text.clone()], info: None };
    Exception { trace, ..Exception::tagged(atom::known::BADARG, rest) }.into()
}

fn get_case(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let cases: [(&str, Case); 4] =
        [("fold", fold), ("lower", lower), ("title", title), ("upper", upper)];
    let entries = cases.map(|(name, case)| (Term::atom(name), in_case(&args[0], case)));
    Ok(Term::map(Map::from_iter(entries)))
}

/// Pattern White Space, which never changes.
const WHITESPACE: [i64; 11] = [9, 10, 11, 12, 13, 32, 133, 8206, 8207, 8232, 8233];

fn whitespace() -> Term {
    let line_end = Term::list([Term::int(13), Term::int(10)]);
    Term::cons(line_end, Term::list(WHITESPACE.map(Term::int)))
}

fn is_whitespace(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let is_line_end = || {
        args[0].to_vec().is_some_and(|codes| {
            matches!(&codes[..], [a, b] if a.as_int() == Some(13) && b.as_int() == Some(10))
        })
    };
    let is_one = args[0].as_int().is_some_and(|code| WHITESPACE.contains(&code));
    Ok(Term::bool(is_one || is_line_end()))
}

// ---- normal forms ------------------------------------------------------------------------------

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Nfd,
    Nfc,
    Nfkd,
    Nfkc,
}

/// A cluster in a normal form, and whether it is a list even if it is one code point.
struct Normalized {
    cluster: Cluster,
    listed: bool,
}

/// The first cluster of a text in a normal form.
fn first_normalized(text: &Term, form: Form) -> Result<Normalized, Failure> {
    let as_it_is = |cluster| Ok(Normalized { cluster, listed: false });
    let (codes, rest) = match chardata::cluster(text)? {
        Cluster::Codes(codes, rest) => (codes, rest),
        other => return as_it_is(other),
    };
    // Nothing below these has another form.
    let unchanged = if form == Form::Nfc { 256 } else { 128 };
    if let [only] = &codes[..]
        && only.as_int().is_none_or(|code| code < unchanged)
    {
        return as_it_is(Cluster::Codes(codes, rest));
    }
    let chars: Option<Vec<char>> = codes.iter().map(super::atoms::character).collect();
    // What is no character is left as it is.
    let Some(chars) = chars else { return as_it_is(Cluster::Codes(codes, rest)) };
    let decomposed = decompose(&chars, matches!(form, Form::Nfkd | Form::Nfkc));
    let listed = form == Form::Nfkc && decomposed.len() > 1;
    let result = match form {
        Form::Nfd | Form::Nfkd => decomposed,
        Form::Nfc => compose(&decomposed),
        Form::Nfkc => compose_clusters(&decomposed),
    };
    let codes = result.into_iter().map(|c| Term::from(u32::from(c))).collect();
    Ok(Normalized { cluster: Cluster::Codes(codes, rest), listed })
}

fn normalized(text: &Term, form: Form) -> Return {
    let Normalized { cluster, listed } = first_normalized(text, form)?;
    Ok(match cluster {
        Cluster::Empty => Term::NIL,
        Cluster::Codes(codes, rest) if listed => Term::cons(Term::list(codes), rest),
        Cluster::Codes(codes, rest) => Term::cons(gc_term(codes), rest),
        Cluster::Bad(rest) => error(rest),
    })
}

/// All characters taken apart, with their marks in canonical order.
fn decompose(chars: &[char], compatible: bool) -> Vec<char> {
    let mut parts = Vec::new();
    for &c in chars {
        if compatible {
            normal::decompose_compatible(c, |part| parts.push(part));
        } else {
            normal::decompose_canonical(c, |part| parts.push(part));
        }
    }
    let mut start = 0;
    while start < parts.len() {
        let marks = parts[start..].iter().take_while(|&&c| class(c) > 0).count();
        parts[start..start + marks].sort_by_key(|&c| class(c));
        start += marks.max(1);
    }
    parts
}

fn class(c: char) -> u8 {
    normal::canonical_combining_class(c)
}

/// Puts a cluster that was taken apart together again.
fn compose(parts: &[char]) -> Vec<char> {
    const LEADING: std::ops::RangeInclusive<char> = '\u{1100}'..='\u{1112}';
    const VOWELS: std::ops::RangeInclusive<char> = '\u{1161}'..='\u{1175}';
    // A first leading consonant of Hangul that no vowel follows stays alone.
    let mut alone = 0;
    while let [lead, next, ..] = &parts[alone..]
        && LEADING.contains(lead)
        && !VOWELS.contains(next)
    {
        alone += 1;
    }
    let (done, parts) = parts.split_at(alone);
    let mut result = done.to_vec();
    if let [lead, vowel, rest @ ..] = parts
        && LEADING.contains(lead)
    {
        // Syllables; marks after them do not combine.
        let syllable = normal::compose(*lead, *vowel).unwrap_or(*lead);
        match rest {
            [trail, rest @ ..] if ('\u{11A7}'..='\u{11C2}').contains(trail) => {
                result.push(normal::compose(syllable, *trail).unwrap_or(syllable));
                result.extend(rest);
            }
            _ => {
                result.push(syllable);
                result.extend(rest);
            }
        }
        return result;
    }
    let Some((&first, marks)) = parts.split_first() else { return result };
    let (mut base, mut previous) = (first, class(first));
    let mut left = Vec::new();
    let only_pair = marks.len() == 1;
    for &mark in marks {
        let free = only_pair || previous == 0 || previous < class(mark);
        match normal::compose(base, mark).filter(|_| free) {
            Some(combined) => base = combined,
            None => {
                left.push(mark);
                previous = class(mark);
            }
        }
    }
    result.push(base);
    result.extend(left);
    result
}

/// Compatibility decomposition can make several clusters of one.
fn compose_clusters(parts: &[char]) -> Vec<char> {
    if parts.len() == 1 {
        return parts.to_vec();
    }
    let mut result = Vec::new();
    let mut rest = parts;
    while !rest.is_empty() {
        let len = term::grapheme::prefix_len(rest.iter().map(|&c| u32::from(c)), 1).max(1);
        let (cluster, after) = rest.split_at(len);
        result.extend(compose(cluster));
        rest = after;
    }
    result
}

/// The whole text in a normal form; what could not be read, if there was such a thing.
pub(super) fn whole(text: &Term, form: Form) -> Result<(Vec<Term>, Option<Term>), Failure> {
    let mut done = Vec::new();
    let mut text = text.clone();
    loop {
        match first_normalized(&text, form)?.cluster {
            Cluster::Empty => return Ok((done, None)),
            Cluster::Bad(rest) => return Ok((done, Some(rest))),
            Cluster::Codes(codes, rest) => {
                done.extend(codes);
                text = rest;
            }
        }
    }
}
