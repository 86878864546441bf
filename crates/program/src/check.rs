//! A unit of a project, read and linted as its project wants it.
//!
//! A script is read with a line of our own in place of its first one, which is for the shell: the
//! module and export attributes that `escript` makes up. Of a compiled module the abstract code is
//! read; it was accepted by a compiler already and is not linted.

use std::sync::Arc;

use syntax::ast::{Kind, Module};
use syntax::diagnostic::{Diagnostic, Severity};
use syntax::source::Files as _;

use crate::beam;
use crate::behaviours::BehaviourReader;
use crate::from_abstract;
use crate::lint::{Interfaces, LintOptions, lint};
use crate::project::{Problem, Unit, UnitKind, headers};

/// A module and everything that is wrong with it.
#[derive(Debug)]
pub struct Checked {
    pub module: Module,
    /// In the order of the text; those of the module itself are among them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a module.
pub fn read(unit: &Unit) -> Result<Module, Problem> {
    read_with(unit, b"")
}

/// Reads a module with more text behind its own; a compiled one has no text.
fn read_with(unit: &Unit, behind: &[u8]) -> Result<Module, Problem> {
    let problem = |message: String| Problem { path: unit.path.clone(), message };
    let bytes = || {
        let bytes = unit.files.read(&unit.path).map_err(|error| problem(error.to_string()));
        bytes.map(|mut bytes| {
            bytes.extend_from_slice(behind);
            bytes
        })
    };
    match unit.kind {
        UnitKind::Source => {
            Ok(syntax::read_module_bytes(&unit.path, bytes()?, &unit.files, &unit.options))
        }
        UnitKind::Escript => Ok(read_script(unit, bytes()?)),
        UnitKind::Beam => {
            let code =
                beam::abstract_code(&bytes()?).map_err(|error| problem(error.to_string()))?;
            Ok(from_abstract::module(&unit.path, &code.terms, &code.forms))
        }
    }
}

/// Reads and lints a module. `behaviours` knows the callbacks of those that are not OTP's.
pub fn check(unit: &Unit, behaviours: Option<&Arc<BehaviourReader>>) -> Result<Checked, Problem> {
    check_with(unit, b"", behaviours)
}

/// The same with more text behind that of the module.
pub fn check_with(
    unit: &Unit,
    behind: &[u8],
    behaviours: Option<&Arc<BehaviourReader>>,
) -> Result<Checked, Problem> {
    let module = read_with(unit, behind)?;
    let mut diagnostics = module.diagnostics.clone();
    if unit.kind != UnitKind::Beam {
        diagnostics.extend(lint(&module, &lint_options(unit, behaviours)));
    }
    headers::fold(&module, &unit.files, &mut diagnostics);
    diagnostics.sort_by_key(|found| (found.span.file, found.span.start));
    Ok(Checked { module, diagnostics })
}

/// Whether something was found that makes the compiler reject the module.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// How a unit is linted.
pub fn lint_options(unit: &Unit, behaviours: Option<&Arc<BehaviourReader>>) -> LintOptions {
    LintOptions {
        compile: unit.erl_opts.others.clone(),
        release: unit.options.release,
        check_file_name: unit.kind == UnitKind::Source,
        interfaces: behaviours.map(|reader| reader.clone() as Arc<dyn Interfaces + Send + Sync>),
    }
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
