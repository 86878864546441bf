//! A unit of a project, read and linted as its project wants it.
//!
//! A script is read with a line of our own in place of its first one, which is for the shell: the
//! module and export attributes that `escript` makes up. Of a compiled module the abstract code is
//! read; it was accepted by a compiler already and is not linted.

use std::io;

use syntax::ast::{Kind, Module};
use syntax::diagnostic::Diagnostic;
use syntax::options::Options;
use syntax::source::Files;

use crate::beam;
use crate::from_abstract;
use crate::lint::term::Term;
use crate::lint::{LintOptions, lint};
use crate::project::{Problem, Unit, UnitKind};

/// A module and everything that is wrong with it.
#[derive(Debug)]
pub struct Checked {
    /// Its own list of diagnostics is empty: they are below.
    pub module: Module,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a module.
pub fn read(unit: &Unit) -> Result<Module, Problem> {
    let problem = |message: String| Problem { path: unit.path.clone(), message };
    let bytes = || unit.files.read(&unit.path).map_err(|error| problem(error.to_string()));
    match unit.kind {
        UnitKind::Source => Ok(syntax::read_module(&unit.path, &unit.files, &unit.options)),
        UnitKind::Escript => Ok(read_script(unit, bytes()?)),
        UnitKind::Beam => {
            let code =
                beam::abstract_code(&bytes()?).map_err(|error| problem(error.to_string()))?;
            Ok(from_abstract::module(&unit.path, &code.terms, &code.forms))
        }
    }
}

/// Reads and lints a module.
pub fn check(unit: &Unit) -> Result<Checked, Problem> {
    let mut module = read(unit)?;
    let mut diagnostics = std::mem::take(&mut module.diagnostics);
    if unit.kind != UnitKind::Beam {
        diagnostics.extend(lint(&module, &lint_options(unit)));
    }
    diagnostics.sort_by_key(|found| (found.span.file, found.span.start));
    Ok(Checked { module, diagnostics })
}

fn lint_options(unit: &Unit) -> LintOptions {
    LintOptions {
        compile: unit.erl_opts.others.iter().map(|text| option(text)).collect(),
        release: unit.options.release,
        check_file_name: unit.kind == UnitKind::Source,
        interfaces: None,
    }
}

/// A compiler option from its text, by reading it as the attribute that would set it.
fn option(text: &str) -> Term {
    let attribute = format!("-compile({text}).\n").into_bytes();
    let module =
        syntax::read_module_bytes("option".as_ref(), attribute, &NoFiles, &Options::default());
    let values = module.forms.iter().find_map(|&form| match module.kind(form) {
        Kind::Attribute { values, .. } => module.list(values).first().copied(),
        _ => None,
    });
    values.map_or(Term::Other, |value| Term::of(&module, value))
}

/// What `escript` puts before a script that is no module.
const SCRIPT_HEAD: &[u8] = b"-module(escript). -compile([export_all, nowarn_export_all]).";

fn read_script(unit: &Unit, mut bytes: Vec<u8>) -> Module {
    if bytes.starts_with(b"#!") {
        // A comment of the same length, so that positions stay.
        bytes[..2].copy_from_slice(b"%%");
    }
    let read = |bytes| syntax::read_module_bytes(&unit.path, bytes, &unit.files, &unit.options);
    let module = read(bytes.clone());
    let is_module = |&form| matches!(module.kind(form), Kind::ModuleAttribute { .. });
    if module.forms.iter().any(is_module) || !bytes.starts_with(b"%%") {
        return module;
    }
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    bytes.splice(..line, SCRIPT_HEAD.iter().copied());
    read(bytes)
}

/// For text that can include nothing.
struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &std::path::Path) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn exists(&self, _path: &std::path::Path) -> bool {
        false
    }

    fn lib_dir(&self, _application: &str) -> Option<std::path::PathBuf> {
        None
    }

    fn env(&self, _name: &str) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::option;

    #[test]
    fn options_are_terms() {
        assert_eq!(format!("{:?}", option("debug_info")), "Atom('debug_info')");
        assert_eq!(
            format!("{:?}", option("{nowarn_unused_function,[{f,1}]}")),
            "Tuple([Atom('nowarn_unused_function'), List([Tuple([Atom('f'), Integer(1)])])])"
        );
        assert_eq!(format!("{:?}", option("(")), "Other");
    }
}
