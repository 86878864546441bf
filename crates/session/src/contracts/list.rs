//! The contracts of a program that is only looked at: which there are, and its sources without
//! them.

use std::path::PathBuf;

use ::contracts::{Book, Contract, Read, contracts_of, stripped};
use atom::Atom;
use program::check::check_with;
use program::{LoadedModule, Program};
use serde::Serialize;
use syntax::ast::{Kind, Module as Tree, NodeId, SpecKind};
use syntax::diagnostic::Severity;

use super::{behind, wrong};
use crate::Error;
use crate::reading::{self, Reading};

/// Whose contracts are wanted.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// Specs are left out.
    pub without_specs: bool,
    pub without_tests: bool,
    pub reading: Reading,
}

/// The contracts of a module.
#[derive(Clone, Debug, Serialize)]
pub struct Module {
    pub module: String,
    pub file: String,
    pub contracts: Vec<Listed>,
    pub problems: Vec<Wrongly>,
    /// Its functions with contracts, as they are described, in the order of the text.
    #[serde(skip)]
    pub described: Vec<Described>,
    /// What is said of the module before its first form.
    #[serde(skip)]
    pub about: String,
    /// Its text without contracts.
    #[serde(skip)]
    pub stripped: String,
    /// Where it is.
    #[serde(skip)]
    pub path: PathBuf,
}

/// A contract.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    /// `pre`, `post`, …
    pub contract: &'static str,
    /// `f/2`; none if it is about the whole module.
    pub function: Option<String>,
    pub line: u32,
    pub column: u32,
    pub text: String,
}

/// A function, as its text describes it.
#[derive(Clone, Debug)]
pub struct Described {
    /// `f/2`
    pub function: String,
    pub exported: bool,
    /// Its spec, without `-spec`; or its parameters.
    pub head: String,
    /// The comment above it.
    pub comment: String,
}

/// What is wrong with a contract.
#[derive(Clone, Debug, Serialize)]
pub struct Wrongly {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

/// The modules that a request names, be some of them wrong.
pub fn load(request: &Request) -> Result<Program, Error> {
    reading::load(&request.paths, &request.reading, request.without_tests)
}

impl Listed {
    /// A contract, as it is shown.
    pub(crate) fn of(contract: &Contract) -> Listed {
        let declared = &contract.declared;
        let function = declared.function.as_ref();
        Listed {
            contract: declared.kind.name(),
            function: function.map(|(name, arity)| format!("{name}/{arity}")),
            line: declared.line,
            column: declared.column,
            text: declared.text.clone(),
        }
    }
}

/// The contracts of a program.
pub fn list(request: &Request, program: &Program) -> Vec<Module> {
    let modules = program.modules.iter().map(|module| {
        let Read { contracts, problems } =
            contracts_of(&module.unit, &module.tree, !request.without_specs);
        let inside = wrong_inside(module, &contracts);
        let described = described(module, &contracts);
        let text = module.tree.files.first().map_or("", |file| &file.text);
        let lines: Vec<&str> = text.lines().collect();
        let first = lines.iter().position(|line| line.trim_start().starts_with("-module"));
        let contracts = contracts.iter().map(Listed::of);
        Module {
            described,
            about: first.map_or(String::new(), |line| comment_above(&lines, line)),
            module: module.name.to_string(),
            file: module.unit.path.display().to_string(),
            contracts: contracts.collect(),
            problems: problems
                .iter()
                .map(|problem| Wrongly {
                    line: problem.line,
                    column: problem.column,
                    message: wrong(&problem.why),
                })
                .chain(inside)
                .collect(),
            stripped: stripped(&module.unit, &module.tree),
            path: module.unit.path.clone(),
        }
    });
    modules.collect()
}

/// What is wrong with the text of contracts as Erlang: variables without a value, functions that
/// are not there.
fn wrong_inside(module: &LoadedModule, contracts: &[Contract]) -> Vec<Wrongly> {
    if module.has_errors() {
        return Vec::new();
    }
    let book = Book::new(Box::new(|| None), false, false);
    let text = book.woven(&module.unit, &module.tree).text;
    let checked = text.and_then(|text| check_with(&module.unit, &behind(&text), None).ok());
    let found = checked.map(|checked| checked.diagnostics).unwrap_or_default();
    let errors = found.into_iter().filter(|found| found.severity == Severity::Error);
    let placed = errors.map(|found| {
        let line = found.loc.line;
        let at = contracts.iter().find(|contract| contract.declared.line == line);
        let column = at.map_or(1, |contract| contract.declared.column);
        Wrongly { line, column, message: found.message }
    });
    placed.collect()
}

/// The functions that contracts are about, as the text has them.
fn described(module: &LoadedModule, contracts: &[Contract]) -> Vec<Described> {
    let tree = &module.tree;
    let text = tree.files.first().map_or("", |file| &file.text);
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for &form in &tree.forms {
        let Kind::Function { name, arity, .. } = tree.kind(form) else { continue };
        if !contracts.iter().any(|contract| contract.about == Some((name, arity))) {
            continue;
        }
        let line = (tree.loc(form).line as usize).saturating_sub(1);
        let is_first = tree.span(form).file.0 == 0;
        let spec = tree.forms.iter().copied().find(|&form| is_spec_of(tree, form, (name, arity)));
        let head = match spec {
            Some(spec) => {
                let text = tree.text(tree.span(spec)).split_whitespace().collect::<Vec<_>>();
                let text = text.join(" ");
                text.trim_start_matches("-spec ").trim_end_matches('.').to_owned()
            }
            None => format!("{}/{arity}", atom::quote::atom(name.as_str())),
        };
        found.push(Described {
            function: format!("{name}/{arity}"),
            exported: module.index.export_all || module.index.exports.contains((name, arity)),
            head,
            comment: if is_first { comment_above(&lines, line) } else { String::new() },
        });
    }
    found
}

fn is_spec_of(tree: &Tree, form: NodeId, (name, arity): (Atom, u32)) -> bool {
    let Kind::SpecAttribute { which: SpecKind::Spec, name: of, clauses, .. } = tree.kind(form)
    else {
        return false;
    };
    let first = tree.list(clauses).first();
    matches!(tree.kind(of), Kind::Atom(of) if of == name)
        && first.and_then(|&clause| spec_arity(tree, clause)) == Some(arity)
}

/// How many parameters a clause of a spec has.
fn spec_arity(tree: &Tree, clause: NodeId) -> Option<u32> {
    match tree.kind(clause) {
        Kind::FunType { args: Some(args), .. } => Some(args.len),
        Kind::BoundedFunType { fun, .. } => spec_arity(tree, fun),
        _ => None,
    }
}

/// The comment above a line: of the lines down from the last empty one, with attributes and macros
/// in between.
fn comment_above(lines: &[&str], line: usize) -> String {
    let above = lines.iter().take(line).rev().take_while(|line| {
        let line = line.trim();
        !line.is_empty() && (line.starts_with(['%', '-', '?']) || !line.ends_with('.'))
    });
    let mut comments: Vec<&str> = above
        .filter_map(|line| line.trim_start().strip_prefix('%'))
        .map(|line| line.trim_start_matches('%').trim())
        .map(|line| line.strip_prefix("@doc").unwrap_or(line).trim_start())
        .collect();
    comments.reverse();
    comments.join("\n")
}
