//! `re:run`.

use std::rc::Rc;

use pcre::{How, MatchError, Matcher, Options, Regex, Span};
use term::{Atom, Bits, Term, View};

use super::options::{Parsed, parse};
use super::{bad_option, error_spec, pair, raised, read_pattern, text, uses_crlf};
use crate::builtins::data::{iolist, unicode};
use crate::builtins::{Ctx, Return, badarg};
use crate::exception::Exception;

/// Which groups are given back.
enum Wanted {
    All {
        from: usize,
    },
    /// For each: the groups that may stand for it; the first one that matched does.
    Groups(Vec<Vec<usize>>),
    Nothing,
}

#[derive(Clone, Copy, PartialEq)]
enum As {
    Index,
    List,
    Binary,
}

struct Run<'a> {
    regex: Rc<Regex>,
    unicode: bool,
    subject: Bits,
    wanted: Wanted,
    kind: As,
    parsed: &'a Parsed,
}

pub(super) fn run(cx: &mut Ctx<'_>, subject: &Term, pattern: &Term, options: &Term) -> Return {
    let args = [subject.clone(), pattern.clone(), options.clone()];
    let Some(parsed) = parse(options) else { return Err(bad_option("run", &args)) };
    let is_compiled = pattern.as_tuple().is_some_and(|tuple| tuple.len() == 5);
    if is_compiled && parsed.only_compile {
        return badarg();
    }
    // OTP does part of the work in Erlang, where errors are not explained.
    let unicode = match is_compiled {
        true => pattern.as_tuple().is_some_and(|parts| parts[2].as_int() == Some(1)),
        false => parsed.compile.unicode,
    };
    let lists = parsed.capture.as_ref().is_some_and(|(_, kind)| kind.is_atom(Atom::new("list")));
    let is_binary = |term: &Term| term.as_bits().is_some();
    let is_converted = unicode
        && (!is_binary(subject) || !is_compiled && !is_binary(pattern) || lists && !parsed.global);
    let fail = |is_explained: bool| {
        if is_explained { Exception::badarg().into() } else { raised("run", &args, None) }
    };
    let is_text = matches!(pattern.view(), View::Bits(_) | View::Nil | View::Cons(_));
    let Some((bytes, compile)) = read(pattern, is_compiled, &parsed) else {
        return Err(fail(match is_compiled {
            true => !(parsed.global && has_shape(pattern)),
            false => !is_converted || !is_text,
        }));
    };
    let regex = match cx.s.host.patterns.get(&bytes, compile) {
        Ok(regex) => regex,
        Err(error) if parsed.report_errors && !is_compiled => {
            return Ok(pair("error", pair("compile", error_spec(&error))));
        }
        Err(_) => return Err(fail(!is_converted)),
    };
    let fail = || fail(!is_converted && !parsed.global);
    let bits = match subject.as_bits() {
        // Parts of the subject share its bytes.
        Some(bits) if bits.as_bytes().is_some() => bits.clone(),
        _ => Bits::from_bytes(text(subject, unicode).ok_or_else(fail)?),
    };
    let (wanted, kind) =
        capture(&regex, parsed.capture.as_ref(), compile.dupnames).ok_or_else(fail)?;
    let run = Run { regex, unicode, subject: bits, wanted, kind, parsed: &parsed };
    let Some(bytes) = run.subject.as_bytes() else { return badarg() };
    let mut matcher = run.regex.matcher(bytes);
    let found =
        if run.parsed.global { run.everywhere(&mut matcher) } else { run.once(&mut matcher) };
    match found {
        Ok(result) => Ok(result),
        Err(MatchError::MatchLimit) if run.parsed.report_errors => {
            Ok(pair("error", Term::atom("match_limit")))
        }
        Err(MatchError::DepthLimit) if run.parsed.report_errors => {
            Ok(pair("error", Term::atom("match_limit_recursion")))
        }
        Err(MatchError::MatchLimit | MatchError::DepthLimit | MatchError::RecursionLoop) => {
            Ok(Term::atom("nomatch"))
        }
        Err(MatchError::BadUtf8) => Err(fail()),
        Err(MatchError::BadOffset | MatchError::Internal) => {
            Err(Exception::atom(Atom::new("internal_error")).into())
        }
    }
}

/// Whether a term looks like a compiled pattern.
fn has_shape(term: &Term) -> bool {
    matches!(term.as_tuple(), Some([tag, numbers @ .., binary])
        if tag.is_atom(Atom::new("re_pattern"))
            && numbers.len() == 3
            && numbers.iter().all(|number| number.as_int().is_some())
            && binary.as_bits().is_some())
}

/// The text of a pattern and how it is to be read. A compiled one keeps its own options, but what
/// ends a line can be said again.
fn read(pattern: &Term, is_compiled: bool, parsed: &Parsed) -> Option<(Vec<u8>, Options)> {
    if !is_compiled {
        return Some((text(pattern, parsed.compile.unicode)?, parsed.compile));
    }
    let (bytes, mut options) = read_pattern(pattern)?;
    options.newline = parsed.compile.newline.or(options.newline);
    options.bsr = parsed.compile.bsr.or(options.bsr);
    Some((bytes, options))
}

/// `dupnames`: a name that several groups have counts once.
fn capture(regex: &Regex, spec: Option<&(Term, Term)>, dupnames: bool) -> Option<(Wanted, As)> {
    let Some((values, kind)) = spec else { return Some((Wanted::All { from: 0 }, As::Index)) };
    let kind = match kind.as_atom()?.as_str() {
        "index" => As::Index,
        "list" => As::List,
        "binary" => As::Binary,
        _ => return None,
    };
    let wanted = match values.view() {
        View::Nil => Wanted::Nothing,
        View::Atom(name) => match name.as_str() {
            "all" => Wanted::All { from: 0 },
            "all_but_first" => Wanted::All { from: 1 },
            "first" => Wanted::Groups(vec![vec![0]]),
            "none" => Wanted::Nothing,
            "all_names" => all_names(regex, dupnames),
            _ => return None,
        },
        View::Cons(_) => {
            let values = values.to_vec()?;
            Wanted::Groups(values.iter().map(|value| groups(regex, value)).collect::<Option<_>>()?)
        }
        _ => return None,
    };
    Some((wanted, kind))
}

fn all_names(regex: &Regex, dupnames: bool) -> Wanted {
    if regex.names().is_empty() {
        return Wanted::Nothing;
    }
    if !dupnames {
        return Wanted::Groups(regex.names().iter().map(|(_, group)| vec![*group]).collect());
    }
    let mut names: Vec<&Vec<u8>> = regex.names().iter().map(|(name, _)| name).collect();
    names.dedup();
    Wanted::Groups(names.into_iter().map(|name| named(regex, name)).collect())
}

/// The groups of a name.
fn named(regex: &Regex, name: &[u8]) -> Vec<usize> {
    regex.names().iter().filter(|(known, _)| known == name).map(|(_, group)| *group).collect()
}

/// The groups that a number or a name means; none if there is no such group.
fn groups(regex: &Regex, value: &Term) -> Option<Vec<usize>> {
    Some(match value.view() {
        View::Int(number) => vec![usize::try_from(number).ok()?],
        View::Atom(name) => named(regex, name.as_str().as_bytes()),
        View::Bits(_) | View::Nil | View::Cons(_) => named(regex, &iolist::bytes(value)?),
        _ => return None,
    })
}

type Groups = Vec<Option<Span>>;

impl Run<'_> {
    fn once(&self, matcher: &mut Matcher<'_>) -> Result<Term, MatchError> {
        Ok(match matcher.find(self.parsed.offset, self.parsed.how)? {
            None => Term::atom("nomatch"),
            Some(_) if matches!(self.wanted, Wanted::Nothing) => Term::atom("match"),
            Some(groups) => pair("match", self.captured(&groups)),
        })
    }

    /// All matches, one after the other. After an empty one another is looked for at the place
    /// where the search for it began, which must not be empty; then the search goes on a character
    /// further.
    fn everywhere(&self, matcher: &mut Matcher<'_>) -> Result<Term, MatchError> {
        let how = self.parsed.how;
        let retry = How { anchored: true, notempty_atstart: true, ..how };
        let size = self.subject.byte_len();
        let mut found: Vec<Groups> = Vec::new();
        let mut at = self.parsed.offset;
        while at <= size {
            let Some(groups) = matcher.find(at, how)? else { break };
            let (start, end) = groups.first().copied().flatten().unwrap_or((at, at));
            found.push(groups);
            if end > start {
                at = end;
                continue;
            }
            let again = matcher.find(at, retry)?;
            let length = again.as_ref().and_then(|groups| groups.first().copied().flatten());
            let length = length.map_or(0, |(start, end)| end.saturating_sub(start));
            found.extend(again);
            at = if length > 0 { start + length } else { start + self.step(start) };
        }
        if found.is_empty() {
            return Ok(Term::atom("nomatch"));
        }
        if matches!(self.wanted, Wanted::Nothing) {
            return Ok(Term::atom("match"));
        }
        let matches: Vec<Term> = found.iter().map(|groups| self.captured(groups)).collect();
        Ok(pair("match", Term::list(matches)))
    }

    /// How long the character at a place is; a line end of two characters counts as one.
    fn step(&self, at: usize) -> usize {
        let rest = self.subject.as_bytes().and_then(|bytes| bytes.get(at..)).unwrap_or_default();
        match rest.first() {
            _ if uses_crlf(self.regex.newline()) && rest.starts_with(b"\r\n") => 2,
            Some(first) if self.unicode => match first {
                0xC0..=0xDF => 2,
                0xE0..=0xEF => 3,
                0xF0..=0xF7 => 4,
                _ => 1,
            },
            _ => 1,
        }
    }

    fn captured(&self, groups: &Groups) -> Term {
        let span = |group: &usize| groups.get(*group).copied().flatten();
        let values: Vec<Term> = match &self.wanted {
            Wanted::All { from } => {
                groups.iter().skip(*from).map(|span| self.value(*span)).collect()
            }
            Wanted::Groups(wanted) => {
                wanted.iter().map(|any| self.value(any.iter().find_map(span))).collect()
            }
            Wanted::Nothing => Vec::new(),
        };
        Term::list(values)
    }

    fn value(&self, span: Option<Span>) -> Term {
        if self.kind == As::Index {
            let (start, length) = match span {
                Some((start, end)) => (start as i64, end as i64 - start as i64),
                None => (-1, 0),
            };
            return Term::tuple([Term::int(start), Term::int(length)]);
        }
        let (start, end) = span.filter(|(start, end)| start <= end).unwrap_or((0, 0));
        let part = self.subject.slice(start * 8, (end - start) * 8);
        if self.kind == As::Binary {
            return Term::bits(part);
        }
        let bytes = part.padded_bytes();
        if self.unicode {
            return unicode::list_from_utf8(bytes);
        }
        Term::list(bytes.iter().map(|&byte| Term::from(u32::from(byte))))
    }
}
