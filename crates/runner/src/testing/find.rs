//! Which modules have tests.
//!
//! A suite is a module whose name ends in `_SUITE`. An EUnit module is one that defines `*_test/0`
//! or `*_test_/0` and either includes `eunit.hrl` or exports them; one with such a header or name
//! that has errors may have lost its tests to them. A module is only read if the text of its file
//! says that it could be one.

use std::path::PathBuf;

use atom::Atom;
use program::project::{Problem, Unit};
use syntax::ast::Kind;
use syntax::diagnostic::{Diagnostic, Severity};

use crate::sources::{Found, Sources};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestKind {
    Eunit,
    Suite,
}

/// A module with tests.
#[derive(Clone, Debug)]
pub struct TestModule {
    pub name: Atom,
    pub kind: TestKind,
    pub path: PathBuf,
    /// Why it cannot be run: OTP's compiler would reject it.
    pub broken: Vec<String>,
}

/// The test modules of a program in order, and the files that could not be read.
pub fn find(sources: &Sources) -> (Vec<TestModule>, Vec<Problem>) {
    let mut modules = Vec::new();
    let mut problems = Vec::new();
    for unit in sources.units() {
        let Some(name) = unit.path.file_stem().and_then(|stem| stem.to_str()) else { continue };
        let is_suite = name.ends_with("_SUITE");
        if !is_suite && !may_have_tests(unit) {
            continue;
        }
        match sources.module(Atom::new(name)) {
            Some(Ok(found)) if found.unit.path == unit.path => {
                let kind = if is_suite { Some(TestKind::Suite) } else { eunit(&found) };
                modules.extend(kind.map(|kind| test_module(Atom::new(name), kind, &found)));
            }
            Some(Err(problem)) => problems.push(problem),
            _ => {}
        }
    }
    (modules, problems)
}

fn errors(found: &Found) -> impl Iterator<Item = &Diagnostic> {
    found.diagnostics.iter().filter(|found| found.severity == Severity::Error)
}

fn test_module(name: Atom, kind: TestKind, found: &Found) -> TestModule {
    let broken = errors(found).map(|error| {
        let file = found.tree.files.get(usize::from(error.span.file.0));
        let path = file.map(|file| file.path.display().to_string()).unwrap_or_default();
        format!("{path}:{}:{}: {}", error.loc.line, error.loc.column, error.message)
    });
    TestModule { name, kind, path: found.unit.path.clone(), broken: broken.collect() }
}

/// Whether the text of a file could be a module with EUnit tests.
fn may_have_tests(unit: &Unit) -> bool {
    match std::fs::read(&unit.path) {
        Ok(bytes) => bytes.windows(5).any(|window| window == b"_test"),
        Err(_) => false,
    }
}

fn eunit(found: &Found) -> Option<TestKind> {
    let tree = &found.tree;
    let is_test = |&form: &_| match tree.kind(form) {
        Kind::Function { name, arity: 0, .. } => {
            let name = name.as_str();
            name.ends_with("_test") || name.ends_with("_test_")
        }
        _ => false,
    };
    let has_header = || {
        tree.files.iter().any(|file| file.path.file_name().is_some_and(|name| name == "eunit.hrl"))
    };
    let named = || {
        let name = tree.files.first().and_then(|file| file.path.file_stem()?.to_str());
        name.is_some_and(|name| name.ends_with("_tests"))
    };
    // What cannot be read could be a test.
    let has_tests = || tree.forms.iter().any(is_test) || errors(found).next().is_some();
    (has_tests() && (has_header() || named())).then_some(TestKind::Eunit)
}
