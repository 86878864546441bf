//! What functions take and give: success typings of a program, as specs.

use std::path::PathBuf;
use std::sync::Arc;

use ::types::declared::Declarations;
use ::types::infer::{self, Options};
use atom::Atom;
use program::Program;

pub use ::types::Type;

use crate::Error;
use crate::place::Place;
use crate::reading::{self, Reading};

/// Whose types are wanted.
#[derive(Clone, Default, Debug)]
pub struct Request {
    pub paths: Vec<PathBuf>,
    /// Whether records hold what their declarations say. They need not.
    pub believe_records: bool,
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
    /// In the order of the text.
    pub functions: Vec<Function>,
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
    let options =
        Options { believe_records: request.believe_records, findings: false, ..Options::default() };
    let inferred = infer::infer(&declarations, &options);
    let has_native_records = program.modules.iter().any(|module| module.tree.has_native_records);
    let mut modules: Vec<Module> = program
        .modules
        .iter()
        .map(|module| Module {
            name: module.name,
            path: module.unit.path.clone(),
            has_native_records,
            functions: Vec::new(),
        })
        .collect();
    for function in &inferred.functions {
        let Some(place) = program.modules.iter().position(|module| module.name == function.module)
        else {
            continue;
        };
        let of = &program.modules[place];
        modules[place].functions.push(typed(&declarations, of, function));
    }
    Answer { modules }
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
    }
}
