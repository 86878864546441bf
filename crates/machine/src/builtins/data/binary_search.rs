//! Looking for patterns in binaries: `binary:match/2,3`, `matches`, `split`.
//!
//! Of several patterns the earliest match counts, of those at one place the longest. One pattern is
//! looked for with `memmem`, several with an Aho-Corasick automaton. A compiled pattern is a tuple
//! that holds the patterns: `{bm, Binary}` or `{ac, [Binary]}`; making the searcher from it costs
//! time in proportion to the patterns.

use std::borrow::Cow;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use atom::Atom;
use memchr::memmem::Finder;
use term::{Bits, Term};

use super::binaries::{bytes, range};
use super::{Builtin, Fallible, bad};
use crate::builtins::row::HIDDEN;
use crate::builtins::{Ctx, Return, builtins};

pub(super) const BINARY: &[Builtin] = builtins!(BINARY, HIDDEN;
    "compile_pattern"/1 => compile_pattern,
    "match"/2 => |_, a| first_match(a),
    "match"/3 => |_, a| first_match(a),
    "matches"/2 => |_, a| all_matches(a),
    "matches"/3 => |_, a| all_matches(a),
    "split"/2 => |_, a| split(a),
    "split"/3 => |_, a| split(a),
);

/// What is looked for.
pub(super) enum Searcher {
    One(Box<Finder<'static>>),
    Several(AhoCorasick),
}

impl Searcher {
    /// Start and end of the first match at or after `from`.
    pub(super) fn find(&self, subject: &[u8], from: usize) -> Option<(usize, usize)> {
        match self {
            Searcher::One(finder) => {
                let at = finder.find(subject.get(from..)?)? + from;
                Some((at, at + finder.needle().len()))
            }
            Searcher::Several(automaton) => {
                let found = automaton.find(subject.get(from..)?)?;
                Some((found.start() + from, found.end() + from))
            }
        }
    }
}

/// The patterns of a binary or of a list of binaries: none may be empty.
fn patterns(term: &Term) -> Option<Vec<Vec<u8>>> {
    let one = |term: &Term| {
        let bytes = term.as_bits().and_then(Bits::to_bytes)?;
        (!bytes.is_empty()).then(|| bytes.into_owned())
    };
    if term.as_cons().is_none() {
        return Some(vec![one(term)?]);
    }
    let mut elements = term.elements();
    let patterns: Option<Vec<Vec<u8>>> = elements.by_ref().map(one).collect();
    patterns.filter(|_| elements.is_proper())
}

/// The searcher for a binary, a list of binaries, or a compiled pattern.
pub(super) fn searcher(term: &Term) -> Option<Searcher> {
    let source = match term.as_tuple() {
        Some([tag, source]) => match (tag.as_atom()?.as_str(), source.as_cons().is_some()) {
            ("bm", false) | ("ac", true) => source,
            _ => return None,
        },
        Some(_) => return None,
        None => term,
    };
    let mut patterns = patterns(source)?;
    if patterns.len() == 1 {
        return Some(Searcher::One(Box::new(Finder::new(&patterns.pop()?).into_owned())));
    }
    // It is made for every search: what is quick to make is quicker than what is quick to run.
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::NoncontiguousNFA))
        .build(patterns);
    automaton.ok().map(Searcher::Several)
}

fn compile_pattern(_: &mut Ctx<'_>, args: &[Term]) -> Return {
    let patterns = patterns(&args[0]).ok_or_else(bad)?;
    let mut binaries = patterns.into_iter().map(Term::binary).collect::<Vec<_>>();
    Ok(match binaries.pop() {
        Some(only) if binaries.is_empty() => Term::tuple([Term::atom("bm"), only]),
        Some(last) => {
            binaries.push(last);
            Term::tuple([Term::atom("ac"), Term::list(binaries)])
        }
        None => return Err(bad()),
    })
}

#[derive(Default)]
struct Options {
    /// Start and length of the part that is searched.
    scope: Option<(usize, usize)>,
    global: bool,
    trim: bool,
    trim_all: bool,
}

fn options(list: &Term, size: usize, splitting: bool) -> Fallible<Options> {
    let mut options = Options::default();
    if !list.is_list() {
        return Err(bad());
    }
    // What the list ends in is not looked at.
    let elements = list.elements();
    for option in elements {
        match (option.as_atom().map(Atom::as_str), option.as_tuple()) {
            (Some("global"), _) if splitting => options.global = true,
            (Some("trim"), _) if splitting => options.trim = true,
            (Some("trim_all"), _) if splitting => options.trim_all = true,
            (_, Some([tag, part])) if tag.is_atom(Atom::new("scope")) => match part.as_tuple() {
                Some([position, length]) => {
                    options.scope = Some(range(size, position, length).ok_or_else(bad)?);
                }
                _ => return Err(bad()),
            },
            _ => return Err(bad()),
        }
    }
    Ok(options)
}

/// The matches that do not overlap, as start and end, in the part that the options say.
fn matches(
    subject: &[u8],
    searcher: &Searcher,
    options: &Options,
    limit: usize,
) -> Vec<(usize, usize)> {
    let (start, length) = options.scope.unwrap_or((0, subject.len()));
    let searched = &subject[..start + length];
    let mut found = Vec::new();
    let mut from = start;
    while found.len() < limit
        && let Some((start, end)) = searcher.find(searched, from)
    {
        found.push((start, end));
        from = end;
    }
    found
}

/// Subject, searcher and options of a call.
fn prepare(args: &[Term], splitting: bool) -> Fallible<(Cow<'_, [u8]>, Searcher, Options)> {
    let subject = bytes(&args[0])?;
    let options = match args.get(2) {
        Some(list) => options(list, subject.len(), splitting)?,
        None => Options::default(),
    };
    // Where there is nothing to look through, nobody looks at what is looked for.
    let end = options.scope.map_or(subject.len(), |(start, length)| start + length);
    let searcher = if end == 0 {
        Searcher::One(Box::new(Finder::new(b"x").into_owned()))
    } else {
        searcher(&args[1]).ok_or_else(bad)?
    };
    Ok((subject, searcher, options))
}

fn position_and_length((start, end): (usize, usize)) -> Term {
    Term::tuple([Term::from(start), Term::from(end - start)])
}

fn first_match(args: &[Term]) -> Return {
    let (subject, searcher, options) = prepare(args, false)?;
    let found = matches(&subject, &searcher, &options, 1);
    Ok(found.first().map_or(Term::atom("nomatch"), |&found| position_and_length(found)))
}

fn all_matches(args: &[Term]) -> Return {
    let (subject, searcher, options) = prepare(args, false)?;
    let found = matches(&subject, &searcher, &options, usize::MAX);
    Ok(Term::list(found.into_iter().map(position_and_length)))
}

fn split(args: &[Term]) -> Return {
    let (subject, searcher, options) = prepare(args, true)?;
    let bits = args[0].as_bits().ok_or_else(bad)?;
    let limit = if options.global { usize::MAX } else { 1 };
    let mut parts = Vec::new();
    let mut from = 0;
    for (start, end) in matches(&subject, &searcher, &options, limit) {
        parts.push((from, start));
        from = end;
    }
    parts.push((from, subject.len()));
    if options.trim_all {
        parts.retain(|(start, end)| start < end);
    } else if options.trim {
        while parts.last().is_some_and(|(start, end)| start == end) {
            parts.pop();
        }
    }
    let slice = |(start, end): (usize, usize)| Term::bits(bits.slice(start * 8, (end - start) * 8));
    Ok(Term::list(parts.into_iter().map(slice)))
}
