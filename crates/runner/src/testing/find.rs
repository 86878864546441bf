//! Which modules have tests.
//!
//! A suite is a module whose name ends in `_SUITE`. An EUnit module is one that defines `*_test/0`
//! or `*_test_/0` and either includes `eunit.hrl`, is named `*_tests`, or belongs to a project
//! whose options ask for EUnit's transform (erlang.mk's do); one with such a header or name that
//! has errors may have lost its tests to them. A module is only read if the text of its file says
//! that it could be one.
//!
//! A module with properties is one that defines `prop_*/0` and includes `proper.hrl`, or is named
//! `prop_*`. One that has both tests and properties is there twice.

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
    /// Properties of PropEr.
    Properties,
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
                let kinds = match is_suite {
                    true => [Some(TestKind::Suite), None],
                    false => [eunit(&found), properties(&found)],
                };
                let kinds = kinds.into_iter().flatten();
                modules.extend(kinds.map(|kind| test_module(Atom::new(name), kind, &found)));
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

/// Whether the text of a file could be a module with EUnit tests or properties.
fn may_have_tests(unit: &Unit) -> bool {
    match std::fs::read(&unit.path) {
        Ok(bytes) => bytes.windows(5).any(|window| window == b"_test" || window == b"prop_"),
        Err(_) => false,
    }
}

fn eunit(found: &Found) -> Option<TestKind> {
    let is_test = |name: &str| name.ends_with("_test") || name.ends_with("_test_");
    let is_named = || file_stem(found).is_some_and(|name| name.ends_with("_tests"));
    // What cannot be read could be a test.
    let has_tests = || has_function(found, is_test) || errors(found).next().is_some();
    let is_meant = || {
        let mut of_options = found.unit.erl_opts.parse_transforms.iter();
        of_options.any(|name| name == "eunit_autoexport")
    };
    (has_tests() && (has_header(found, "eunit.hrl") || is_named() || is_meant()))
        .then_some(TestKind::Eunit)
}

fn properties(found: &Found) -> Option<TestKind> {
    let is_named = || file_stem(found).is_some_and(|name| name.starts_with(PREFIX));
    let is_meant = has_header(found, "proper.hrl") || is_named();
    // One that cannot be read is told about once.
    let is_told = errors(found).next().is_some() && eunit(found).is_some();
    let has_properties = has_function(found, |name| name.starts_with(PREFIX));
    (is_meant && has_properties && !is_told).then_some(TestKind::Properties)
}

/// What the names of properties begin with.
const PREFIX: &str = "prop_";

/// Whether a module has a function without arguments whose name is as asked for.
fn has_function(found: &Found, is_so: impl Fn(&str) -> bool) -> bool {
    let tree = &found.tree;
    tree.forms.iter().any(|&form| match tree.kind(form) {
        Kind::Function { name, arity: 0, .. } => is_so(name.as_str()),
        _ => false,
    })
}

fn has_header(found: &Found, name: &str) -> bool {
    let mut files = found.tree.files.iter();
    files.any(|file| file.path.file_name().is_some_and(|file| file == name))
}

fn file_stem(found: &Found) -> Option<&str> {
    found.tree.files.first().and_then(|file| file.path.file_stem()?.to_str())
}
