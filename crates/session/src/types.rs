//! What functions take and give: success typings of a program, and what is wrong by them.

use std::path::PathBuf;
use std::sync::Arc;

use ::contracts::contracts_of;
use ::types::declared::Declarations;
use ::types::infer::{self, Options};
use atom::Atom;
use program::Program;
use syntax::ast::Kind;
use syntax::diagnostic::{Diagnostic, Related, Severity, came_through};
use syntax::source::{Loc, Span};

pub use ::types::Type;
pub use ::types::infer::{Because, Why};
use ::types::ty::Records;

use crate::Error;
use crate::contracts::Listed;
use crate::place::Place;
use crate::reading::{self, Reading};

/// Whose types are wanted.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// Whether records hold what their declarations say. They need not.
    pub believe_records: bool,
    /// Whether it is told what is wrong.
    pub findings: bool,
    pub without_tests: bool,
    pub reading: Reading,
}

/// The types of a program.
#[derive(Debug)]
pub struct Answer {
    pub modules: Vec<Module>,
}

#[derive(Debug)]
pub struct Module {
    pub name: Atom,
    pub path: PathBuf,
    /// Whether the program has native records (OTP 29).
    pub has_native_records: bool,
    /// Records that specs may name.
    pub records: Records,
    /// In the order of the text.
    pub functions: Vec<Function>,
    /// What is wrong, in the order of the text.
    pub findings: Vec<Finding>,
}

/// Something that cannot succeed, or never happens.
#[derive(Debug)]
pub struct Finding {
    pub why: Why,
    pub span: Span,
    pub loc: Loc,
    /// Macros and files that the place came through.
    pub through: Vec<Related>,
    /// How it came to that, place by place.
    pub because: Vec<(Span, Because)>,
}

/// A function with its type.
#[derive(Debug)]
pub struct Function {
    pub name: Atom,
    pub arity: u32,
    /// Where it begins; none if a macro or a parse transform made it.
    pub place: Option<Place>,
    /// Where that is in the text of the module's file, in bytes.
    pub offset: Option<usize>,
    pub exported: bool,
    pub has_spec: bool,
    /// Whether it never returns, and goes on or waits for ever instead of failing.
    pub runs_for_ever: bool,
    pub args: Vec<Type>,
    pub result: Type,
    /// Clause by clause, where they differ: arguments and result.
    pub clauses: Vec<(Vec<Type>, Type)>,
    /// What else is declared of it, but for its spec.
    pub contracts: Vec<Listed>,
}

/// The modules that a request names, be some of them wrong.
pub fn load(request: &Request) -> Result<Program, Error> {
    let program = reading::load(&request.paths, &request.reading, request.without_tests)?;
    if program.modules.is_empty() && program.problems.is_empty() {
        return Err(Error::Missing("there is no module to look at".to_owned()));
    }
    Ok(program)
}

/// The types of a program that was loaded.
pub fn infer(request: &Request, program: Arc<Program>) -> Answer {
    let declarations = Declarations::new(Arc::clone(&program));
    let options = Options {
        believe_records: request.believe_records,
        findings: request.findings,
        ..Options::default()
    };
    let inferred = infer::infer(&declarations, &options);
    let has_native_records = program.modules.iter().any(|module| module.tree.has_native_records);
    let mut modules: Vec<Module> = program
        .modules
        .iter()
        .map(|module| Module {
            name: module.name,
            path: module.unit.path.clone(),
            has_native_records,
            records: declarations.records(module),
            functions: Vec::new(),
            findings: Vec::new(),
        })
        .collect();
    for (name, found) in inferred.findings {
        let Some(place) = program.modules.iter().position(|module| module.name == name) else {
            continue;
        };
        // Where a form could not be read, what it calls is not known.
        let is_error = |found: &Diagnostic| found.severity == Severity::Error;
        if program.modules[place].diagnostics.iter().any(is_error) {
            continue;
        }
        let tree = &program.modules[place].tree;
        modules[place].findings = found.into_iter().map(|one| located(tree, one)).collect();
        // That a function never returns is said behind what it never returns for.
        modules[place].findings.sort_by_key(|one| match (&one.why, one.because.first()) {
            (Why::NoReturn { .. }, Some((cause, _))) => (cause.file, cause.start, true),
            _ => (one.span.file, one.span.start, false),
        });
    }
    for function in &inferred.functions {
        let Some(place) = program.modules.iter().position(|module| module.name == function.module)
        else {
            continue;
        };
        let of = &program.modules[place];
        modules[place].functions.push(typed(&declarations, of, function));
    }
    for (of, module) in program.modules.iter().zip(&mut modules) {
        let read = contracts_of(&of.unit, &of.tree, false);
        for contract in read.contracts.iter() {
            let mut functions = module.functions.iter_mut();
            let about = functions.find(|it| Some((it.name, it.arity)) == contract.about);
            if let Some(function) = about {
                function.contracts.push(Listed::of(contract));
            }
        }
    }
    Answer { modules }
}

/// A finding with its places.
fn located(tree: &syntax::ast::Module, found: infer::Finding) -> Finding {
    // Of a function its name is enough.
    let span = |node| match tree.kind(node) {
        Kind::Function { .. } => tree.written(tree[node].first),
        _ => tree.span(node),
    };
    let because = found.because.into_iter().map(|(node, why)| (span(node), why)).collect();
    let span = span(found.node);
    Finding {
        span,
        loc: tree.loc(found.node),
        through: came_through(tree, found.node),
        because,
        why: found.why,
    }
}

fn typed(
    declarations: &Declarations,
    module: &program::LoadedModule,
    function: &infer::Function,
) -> Function {
    let tree = &module.tree;
    let (name, arity) = function.function;
    let span = tree.span(function.form);
    // Only what was written as it stands, in the module's own file, has a place to write to.
    let first = tree.token(tree[function.form].first);
    let is_written = first.expansion.is_none() && span.file == syntax::source::FileId(0);
    let has_spec = module.index.specs.contains(function.function);
    let spec = declarations.contract(module.name, function.function).filter(|_| function.stub);
    let (args, result, clauses) = match spec {
        // Its text says nothing, its spec does.
        Some(spec) => (spec.args(), spec.result(), spec.ground().collect()),
        None => {
            let ways = function.signature.ways.iter();
            let clauses = ways.map(|way| (way.args.clone(), way.result.clone())).collect();
            (function.args(), function.result(), clauses)
        }
    };
    Function {
        name,
        arity,
        place: Place::of(&tree.files, span),
        offset: is_written.then_some(span.start as usize),
        exported: function.exported,
        has_spec,
        runs_for_ever: function.signature.ways.is_empty() && function.signature.diverges,
        args,
        result,
        clauses,
        contracts: Vec::new(),
    }
}
