//! `re`: regular expressions.
//!
//! * [`options`]: the options of all functions;
//! * [`run`]: matching, once or everywhere.
//!
//! A compiled pattern is `{re_pattern, Groups, Unicode, UsesCrLf, Binary}` as in OTP; the binary
//! holds the text of the pattern and its options, so it can be compared, sent and stored. What the
//! library made of it is kept in a cache that clones of a Machine share: it is a function of the
//! binary alone.
//!
//! `split` and `replace` are Erlang code in the library.

mod options;
mod run;

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use pcre::{CompileError, Newline, Options, Regex};
use rustc_hash::FxHashMap;
use term::{Atom, Bits, Map, Term};

use self::options::{Parsed, parse};
use super::data::{iolist, unicode};
use super::{Builtin, Ctx, Return, Stop, badarg, builtins};
use crate::builtins::row::HIDDEN;
use crate::exception::{Exception, Trace};

pub(super) const TABLE: &[Builtin] = builtins!(RE, HIDDEN;
    "version"/0 => |_, _| Ok(Term::binary("8.44 2020-02-12")),
    "compile"/1 => |cx, a| compile(cx, &a[0], &Term::NIL),
    "compile"/2 => |cx, a| compile(cx, &a[0], &a[1]),
    "run"/2 => |cx, a| run::run(cx, &a[0], &a[1], &Term::NIL),
    "run"/3 => |cx, a| run::run(cx, &a[0], &a[1], &a[2]),
    "internal_run"/4 => |cx, a| run::run(cx, &a[0], &a[1], &a[2]),
    "inspect"/2 => inspect,
);

/// Patterns that were compiled. Emptied when there are too many: programs that make patterns up do
/// not fill the memory.
#[derive(Clone, Default)]
pub(crate) struct PatternCache(Rc<RefCell<FxHashMap<Key, Rc<Regex>>>>);

type Key = (Vec<u8>, Options);

const MAX_PATTERNS: usize = 1000;

impl fmt::Debug for PatternCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} patterns", self.0.borrow().len())
    }
}

impl PatternCache {
    fn get(&self, pattern: &[u8], options: Options) -> Result<Rc<Regex>, CompileError> {
        let key = (pattern.to_vec(), options);
        if let Some(regex) = self.0.borrow().get(&key) {
            return Ok(Rc::clone(regex));
        }
        let regex = Rc::new(Regex::new(pattern, options)?);
        let mut cache = self.0.borrow_mut();
        if cache.len() >= MAX_PATTERNS {
            cache.clear();
        }
        cache.insert(key, Rc::clone(&regex));
        Ok(regex)
    }
}

/// `badarg` about an option.
fn bad_option(name: &str, args: &[Term]) -> Box<Stop> {
    let info = Map::from_iter([
        (Term::atom("cause"), Term::atom("badopt")),
        (Term::atom("module"), Term::atom("erl_stdlib_errors")),
    ]);
    raised(name, args, Some(info))
}

/// `badarg` of a function with these arguments.
fn raised(name: &str, args: &[Term], info: Option<Map>) -> Box<Stop> {
    let (module, name) = (Atom::new("re"), Atom::new(name));
    let trace = Trace::In { module, name, args: args.to_vec(), info };
    Exception { trace, ..Exception::badarg() }.into()
}

/// `{Text, Position}`
fn error_spec(error: &CompileError) -> Term {
    Term::tuple([Term::string(error.text), Term::from(error.position)])
}

fn pair(tag: &str, value: Term) -> Term {
    Term::tuple([Term::atom(tag), value])
}

/// The bytes of a text: characters as UTF-8 if it is Unicode and no binary, else bytes.
fn text(term: &Term, unicode: bool) -> Option<Vec<u8>> {
    match term.as_bits() {
        Some(bits) => bits.to_bytes().map(|bytes| bytes.into_owned()),
        None if unicode => unicode::utf8_bytes(term),
        None => iolist::bytes(term),
    }
}

fn compile(cx: &mut Ctx<'_>, pattern: &Term, options: &Term) -> Return {
    let args = [pattern.clone(), options.clone()];
    let Some(Parsed { compile: wanted, only_run: false, .. }) = parse(options) else {
        return Err(bad_option("compile", &args));
    };
    let Some(bytes) = text(pattern, wanted.unicode) else {
        // OTP converts Unicode in Erlang, where errors are not explained.
        let is_explained = !wanted.unicode || pattern.as_bits().is_some();
        return if is_explained { badarg() } else { Err(raised("compile", &args, None)) };
    };
    Ok(match cx.s.host.patterns.get(&bytes, wanted) {
        Ok(regex) => pair("ok", pattern_term(&regex, &bytes, &wanted)),
        Err(error) => pair("error", error_spec(&error)),
    })
}

// ---- compiled patterns -------------------------------------------------------------------------

const MAGIC: &[u8] = b"ERCP";

fn uses_crlf(newline: Newline) -> bool {
    matches!(newline, Newline::Any | Newline::CrLf | Newline::AnyCrLf)
}

fn pattern_term(regex: &Regex, pattern: &[u8], options: &Options) -> Term {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(options::to_bytes(options));
    bytes.extend(pattern);
    Term::tuple([
        Term::atom("re_pattern"),
        Term::from(regex.groups()),
        Term::int(i64::from(options.unicode)),
        Term::int(i64::from(uses_crlf(regex.newline()))),
        Term::binary(bytes),
    ])
}

/// The text and the options of a compiled pattern.
fn read_pattern(term: &Term) -> Option<(Vec<u8>, Options)> {
    let Some([tag, groups, unicode, crlf, binary]) = term.as_tuple() else { return None };
    if !tag.is_atom(Atom::new("re_pattern")) {
        return None;
    }
    for number in [groups, unicode, crlf] {
        number.as_int()?;
    }
    let bytes = binary.as_bits().and_then(Bits::to_bytes)?;
    let (options, pattern) = options::from_bytes(bytes.strip_prefix(MAGIC)?)?;
    Some((pattern.to_vec(), options))
}

fn inspect(cx: &mut Ctx<'_>, args: &[Term]) -> Return {
    let read = read_pattern(&args[0]).filter(|_| args[1].is_atom(Atom::new("namelist")));
    let Some((pattern, options)) = read else { return badarg() };
    let Ok(regex) = cx.s.host.patterns.get(&pattern, options) else { return badarg() };
    let mut names: Vec<&[u8]> = regex.names().iter().map(|(name, _)| &name[..]).collect();
    if options.dupnames {
        names.dedup();
    }
    Ok(pair("namelist", Term::list(names.into_iter().map(Term::binary).collect::<Vec<_>>())))
}
