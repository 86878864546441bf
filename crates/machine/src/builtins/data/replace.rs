//! `binary:replace/3,4`.

use atom::Atom;
use term::Term;

use super::binaries::bytes;
use super::binary_search::searcher;
use super::{Builtin, Failure, Fallible, bad, bad_because, natural};
use crate::builtins::row::{Entry, HIDDEN};
use crate::builtins::{Return, builtins};

pub(super) const BINARY: &[Builtin] = builtins!(BINARY, HIDDEN.entry(Entry::Library);
    "replace"/3 => |_, a| replace(a),
    "replace"/4 => |_, a| replace(a),
);

struct Options {
    scope: Option<(Term, Term)>,
    global: bool,
    /// Where in the replacement the replaced text goes.
    insert: Vec<usize>,
}

fn bad_option(args: &[Term]) -> Failure {
    bad_because("binary", "replace", args, "badopt")
}

fn options(args: &[Term]) -> Fallible<Options> {
    let mut options = Options { scope: None, global: false, insert: Vec::new() };
    let Some(list) = args.get(3) else { return Ok(options) };
    let mut insert = None;
    let mut elements = list.elements();
    for option in elements.by_ref() {
        match (option.as_atom().map(Atom::as_str), option.as_tuple()) {
            (Some("global"), _) => options.global = true,
            (_, Some([tag, value])) => match tag.as_atom().map(Atom::as_str) {
                Some("scope") => match value.as_tuple() {
                    Some([position, length]) => {
                        options.scope = Some((position.clone(), length.clone()));
                    }
                    _ => return Err(bad_option(args)),
                },
                Some("insert_replaced") => insert = Some(value.clone()),
                _ => return Err(bad_option(args)),
            },
            _ => return Err(bad_option(args)),
        }
    }
    if !elements.is_proper() {
        return Err(bad_option(args));
    }
    if let Some(insert) = insert {
        options.insert = if insert.is_integer() {
            vec![natural(&insert).ok_or_else(bad)?]
        } else {
            let places = insert.to_vec().ok_or_else(bad)?;
            let places: Option<Vec<usize>> = places.iter().map(natural).collect();
            places.ok_or_else(bad)?
        };
        options.insert.sort_unstable();
    }
    Ok(options)
}

fn replace(args: &[Term]) -> Return {
    let subject = args[0].as_bits().and_then(|bits| bits.to_bytes());
    let replacement = bytes(&args[2])?;
    let options = options(args)?;
    let subject = subject.ok_or_else(bad)?;
    let (start, length) = match &options.scope {
        Some((position, length)) => {
            super::binaries::range(subject.len(), position, length).ok_or_else(bad)?
        }
        None => (0, subject.len()),
    };
    // Where there is nothing to look through, nobody looks at what is looked for.
    let pattern = if start + length == 0 { &Term::binary("x") } else { &args[1] };
    let searcher = searcher(pattern).ok_or_else(bad)?;
    if options.insert.last().is_some_and(|&place| place > replacement.len()) {
        return Err(bad());
    }
    let searched = &subject[..start + length];
    let mut result = Vec::with_capacity(subject.len());
    let (mut from, mut copied) = (start, 0);
    while let Some((start, end)) = searcher.find(searched, from) {
        result.extend_from_slice(&subject[copied..start]);
        let mut taken = 0;
        for &place in &options.insert {
            result.extend_from_slice(&replacement[taken..place]);
            result.extend_from_slice(&subject[start..end]);
            taken = place;
        }
        result.extend_from_slice(&replacement[taken..]);
        (from, copied) = (end, end);
        if !options.global {
            break;
        }
    }
    result.extend_from_slice(&subject[copied..]);
    Ok(Term::binary(result))
}
