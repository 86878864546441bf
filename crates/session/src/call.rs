//! What is to be called: a call as people write it, or the `main` function of a file.

use std::path::{Path, PathBuf};

use atom::Atom;
use program::project::UnitKind;
use runner::loader::ProgramLoader;
use runner::sources::Sources;
use syntax::ast::{ExportKind, Kind, Module};

use crate::Error;

/// What of a list of words are paths, and which is the call.
pub fn split(what: &[String]) -> (Vec<PathBuf>, Option<String>) {
    match what.split_last() {
        Some((last, paths)) if is_call(last) => {
            (paths.iter().map(PathBuf::from).collect(), Some(as_call(last)))
        }
        _ => (what.iter().map(PathBuf::from).collect(), None),
    }
}

/// `m:f`, `m:f/0`, `m:f(...)`; what is a file is none.
fn is_call(text: &str) -> bool {
    let Some((module, rest)) = text.split_once(':') else { return false };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '-' | '\'' | ' ');
    let named = !module.is_empty() && module.chars().all(is_name) && !rest.is_empty();
    named && !Path::new(text).exists()
}

/// What is to be called, where it may be any expression.
pub fn meant(text: &str) -> String {
    if is_call(text) { as_call(text) } else { text.to_owned() }
}

/// A call as it was meant: with parentheses, and names in quotes that need them.
fn as_call(text: &str) -> String {
    let text = with_quotes(text.trim().trim_end_matches('.'));
    let without_arity = text.strip_suffix("/0").unwrap_or(&text);
    if without_arity.contains('(') { text } else { format!("{without_arity}()") }
}

/// The same with quotes around the names of its module and function, where they need them and have
/// none: what stands alone before a colon cannot be a variable.
fn with_quotes(text: &str) -> String {
    let Some((module, rest)) = text.split_once(':') else { return text.to_owned() };
    let end = rest.find(['(', '/']).unwrap_or(rest.len());
    let (function, rest) = rest.split_at(end);
    let is_plain = |name: &str| {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '-');
        !name.is_empty() && name.chars().all(is_name)
    };
    if !is_plain(module) || !is_plain(function) {
        return text.to_owned();
    }
    format!("{}:{}{rest}", atom::quote::atom(module), atom::quote::atom(function))
}

/// Whether a call is of a module that we have ourselves: then no project has to be looked for.
pub(crate) fn is_library_call(call: &str) -> bool {
    let module = call.split(':').next().unwrap_or_default();
    !Path::new("rebar.config").exists() && stdlib::module(module.trim_matches('\'')).is_some()
}

/// The call of a file's `main` function.
pub(crate) fn main_call(
    file: &Path,
    sources: &Sources,
    loader: &ProgramLoader,
    arguments: &[String],
) -> Result<String, Error> {
    let unit = sources.unit_of(file).ok_or_else(|| Error::input(file, "not an Erlang file"))?;
    let found = sources.read(unit.clone()).map_err(|problem| Error::from(&problem))?;
    let module = module_name(&found.tree)
        .ok_or_else(|| Error::input(file, "there is no -module attribute"))?;
    if found.unit.kind == UnitKind::Escript {
        loader.add_own(module, &found);
    }
    let given: Vec<String> = arguments.iter().map(|text| atom::quote::string(text)).collect();
    let name = atom::quote::atom(module.as_str());
    let is_script = found.unit.kind == UnitKind::Escript;
    // What does not export it fails as it would in OTP, and says so.
    let takes_arguments = is_script
        || !arguments.is_empty()
        || (exports(&found.tree, "main", 1) && !exports(&found.tree, "main", 0));
    Ok(match takes_arguments {
        true => format!("{name}:main([{}])", given.join(", ")),
        false => format!("{name}:main()"),
    })
}

/// What a module says its name is.
pub(crate) fn module_name(tree: &Module) -> Option<Atom> {
    tree.forms.iter().find_map(|&form| match tree.kind(form) {
        Kind::ModuleAttribute { name } => match tree.kind(name) {
            Kind::Atom(name) => Some(name),
            _ => None,
        },
        _ => None,
    })
}

/// Whether a module says that it exports a function.
fn exports(tree: &Module, function: &str, arity: usize) -> bool {
    tree.forms.iter().any(|&form| match tree.kind(form) {
        Kind::ExportAttribute { which: ExportKind::Functions, names } => {
            tree.list(names).iter().any(|&entry| {
                let text = tree.text(tree.span(entry));
                let mut parts = text.split('/').map(str::trim);
                parts.next() == Some(function) && parts.next() == Some(&arity.to_string())
            })
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::as_call;

    #[test]
    fn calls_as_they_are_meant() {
        let calls = [
            ("m:f", "m:f()"),
            ("m:f/0", "m:f()"),
            ("m:f(1, X:y()).", "m:f(1, X:y())"),
            ("POPL_x:test", "'POPL_x':test()"),
            ("my-mod:Test/0", "'my-mod':'Test'()"),
            ("'POPL_x':test", "'POPL_x':test()"),
            ("POPL_x:test(\"a:b\")", "'POPL_x':test(\"a:b\")"),
            ("m:end", "m:'end'()"),
            ("length([a])", "length([a])"),
            ("[m:f() || _ <- [1]]", "[m:f() || _ <- [1]]"),
            ("1m:f", "'1m':f()"),
        ];
        for (written, meant) in calls {
            assert_eq!(as_call(written), meant, "{written}");
        }
    }
}
