//! What is called in both versions, and the points at which values are compared.

use std::collections::BTreeSet;

use ::compare::Function;
use ::compare::changes::{self, Changes, Entry};
use ::compare::points;
use ::compare::watch::Points;
use ::inputs::Input;
use atom::Atom;
use program::{LoadedModule, Program};
use syntax::ast::Kind;

use crate::inputs::What;
use crate::{Error, Place};

/// The points of both versions that are asked for, and the number of each pair: pairs that have a
/// point in common have one number, that of the first of them.
pub(super) fn asked(
    pairs: &[(String, String)],
    old: &Program,
    new: &Program,
) -> Result<([Points; 2], Vec<u32>), Error> {
    let mut found = [Points::default(), Points::default()];
    let mut numbers: Vec<u32> = Vec::new();
    for (place, (before, after)) in pairs.iter().enumerate() {
        let known = pairs[..place].iter().position(|(o, n)| o == before || n == after);
        let number = known.map_or(place as u32, |known| numbers[known]);
        numbers.push(number);
        for (which, written, program) in [(0, before, old), (1, after, new)] {
            let written = points::read(written).map_err(Error::Place)?;
            points::add(&written, program, number, &mut found[which]).map_err(Error::Missing)?;
        }
    }
    Ok((found, numbers))
}

/// A function of both versions.
pub(super) fn of_entry(entry: &Entry) -> [What; 2] {
    [entry.old, entry.new].map(|function| What::Function(name_of(function)))
}

/// Where a function is, or the module of a server.
pub(super) fn place(what: &What, program: &Program) -> Option<Place> {
    let (What::Function(text) | What::Server { start: text, .. }) = what;
    let (module, rest) = text.split_once(':')?;
    let module = program.module(Atom::new(module.trim_matches('\'')))?;
    let tree = &module.tree;
    let function = rest.rsplit_once('/').and_then(|(name, arity)| {
        let function = (Atom::new(name.trim_matches('\'')), arity.parse().ok()?);
        module.index.functions.get(function).copied()
    });
    let attribute = || {
        let mut forms = tree.forms.iter().copied();
        forms.find(|&form| matches!(tree.kind(form), Kind::ModuleAttribute { .. }))
    };
    Place::of(&tree.files, tree.span(function.or_else(attribute)?))
}

fn name_of((module, (name, arity)): Function) -> String {
    let quote = |name: Atom| atom::quote::atom(name.as_str());
    format!("{}:{}/{arity}", quote(module), quote(name))
}

/// Servers that are started without arguments, of modules that are called anyway.
pub(super) fn servers(entries: &[Entry], old: &Program, new: &Program) -> Vec<[What; 2]> {
    let modules: BTreeSet<(Atom, Atom)> =
        entries.iter().map(|entry| (entry.old.0, entry.new.0)).collect();
    let mut found = Vec::new();
    for (before, after) in modules {
        let (Some(one), Some(other)) = (old.module(before), new.module(after)) else { continue };
        let is_server = |module: &LoadedModule| {
            let mut behaviours = module.index.behaviours.iter();
            behaviours.any(|(name, _)| matches!(name.as_str(), "gen_server" | "gen_statem"))
        };
        let starts = ["start_link", "start"].map(Atom::new);
        let exported = |start: &&Atom| {
            let function = (**start, 0);
            changes::is_exported(one, function) && changes::is_exported(other, function)
        };
        if let (true, Some(start)) = (is_server(one), starts.iter().find(exported)) {
            let what = |module: Atom| What::Server {
                start: format!("{}:{start}()", atom::quote::atom(module.as_str())),
                functions: Vec::new(),
            };
            found.push([what(before), what(after)]);
        }
    }
    found
}

/// The functions that are named.
pub(super) fn named(
    functions: &[String],
    old: &Program,
    new: &Program,
    changes: &Changes,
) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    for text in functions {
        let wrong = || Error::Entry(format!("`{text}` is no function such as m:f/1 or f/1"));
        let (module, rest) = match text.split_once(':') {
            Some((module, rest)) => (Some(Atom::new(module.trim_matches('\''))), rest),
            None => (None, text.as_str()),
        };
        let (name, arity) = rest.rsplit_once('/').ok_or_else(wrong)?;
        let arity: u32 = arity.parse().map_err(|_| wrong())?;
        let function = (Atom::new(name.trim_matches('\'')), arity);
        let known = entries.len();
        for (&before, &after) in &changes.modules {
            let (Some(one), Some(other)) = (old.module(before), new.module(after)) else {
                continue;
            };
            if module.is_none_or(|module| module == before || module == after)
                && changes::is_exported(one, function)
                && changes::is_exported(other, function)
            {
                entries.push(Entry { old: (before, function), new: (after, function) });
            }
        }
        if entries.len() == known {
            let message = format!("no module of both versions exports {text}");
            return Err(Error::Missing(message));
        }
    }
    Ok(entries)
}

/// Pairs of points as SecEr has them: `[{Old, New}, …]`.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let wrong = || "it is no list of pairs of points".to_owned();
    let text = text.trim().trim_end_matches('.');
    let Input::List(pairs, None) = ::inputs::text::read(text).map_err(|error| error.to_string())?
    else {
        return Err(wrong());
    };
    let pair = |pair: Input| match pair {
        Input::Tuple(points) => match <[Input; 2]>::try_from(points) {
            Ok([old, new]) => Ok((old.to_string(), new.to_string())),
            Err(_) => Err(wrong()),
        },
        _ => Err(wrong()),
    };
    pairs.into_iter().map(pair).collect()
}
