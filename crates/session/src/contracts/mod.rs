//! Contracts: what a program that is opened gets of them, and what is told of those that do not
//! hold.

mod list;
pub mod prove;
pub mod purity;
pub(crate) mod searched;
pub mod suggest;
mod told;

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use ::contracts::{Book, Checking, Problem, Wrong};
use ::types::declared::Declarations;
use program::index::ModuleIndex;
use program::project::Unit;
use program::{Program, check};
use runner::loader::ProgramLoader;
use runner::sources::{Adding, Sources};
use syntax::ast::Module;
use syntax::diagnostic::{Diagnostic, Origin, Severity};
use syntax::source::{FileId, Loc, Span};

pub use ::contracts::Kind;
pub use list::{Listed, Module as Listing, Request, Wrongly, list, load};
pub use machine::contract::{Cause, Violation};
pub use told::{Broken, Frame, Part, broken};

use crate::Error;
use crate::reading::{self, Reading};
use crate::running::Contracting;

/// The code of what is wrong with a contract.
pub const BAD: &str = "bad_contract";

/// From now on modules of a program are read with their contracts.
pub(crate) fn begin(
    contracting: Contracting,
    paths: &[PathBuf],
    reading: &Reading,
    sources: &Sources,
    loader: &ProgramLoader,
) {
    let (paths, reading) = (paths.to_vec(), reading.clone());
    let declaring = Box::new(move || {
        let program = reading::load(&paths, &reading, false).ok()?;
        Some(Declarations::new(Arc::new(program)))
    });
    let book = Book::new(declaring, !contracting.without_specs, contracting.wall_time);
    let book = Rc::new(book);
    sources.add_with(Rc::new(Weaving(Rc::clone(&book))));
    loader.with_contracts(book);
}

/// A program with the functions that check its contracts in it; what is wrong with them is among
/// what is wrong with its modules.
pub(crate) fn woven(program: Program, contracting: Option<Contracting>) -> Program {
    woven_as(program, contracting, Checking::default())
}

/// The same where not all contracts are checked.
fn woven_as(mut program: Program, contracting: Option<Contracting>, checking: Checking) -> Program {
    let Some(contracting) = contracting else { return program };
    let book = Book::new(Box::new(|| None), !contracting.without_specs, false).checking(checking);
    for module in &mut program.modules {
        let woven = book.woven(&module.unit, &module.tree);
        let problems = woven.problems.iter().map(|problem| diagnostic(problem, &module.tree));
        module.diagnostics.extend(problems);
        if let Some(text) = woven.text
            && let Ok(checked) = check::check_with(&module.unit, &behind(&text), None)
        {
            module.diagnostics.extend(checked.diagnostics);
            module.tree = Arc::new(checked.module);
            module.index = ModuleIndex::of(&module.tree);
        }
    }
    program
}

/// The first contract of a program that is none, as an error at its place.
pub(crate) fn first_problem(program: &Program) -> Option<Error> {
    program.modules.iter().find_map(|module| {
        let wrong = module.diagnostics.iter().find(|diagnostic| diagnostic.code == BAD)?;
        let (path, at) = (module.unit.path.display(), wrong.loc);
        Some(Error::Failed(format!("{path}:{}:{}: {}", at.line, at.column, wrong.message)))
    })
}

/// Reads a program, all of whose paths there have to be.
fn read_whole(paths: &[PathBuf], reading: &Reading, with_tests: bool) -> Result<Program, Error> {
    let program = reading::load(paths, reading, with_tests)?;
    match program.problems.first() {
        Some(problem) => Err(Error::from(problem)),
        None => Ok(program),
    }
}

fn behind(text: &str) -> Vec<u8> {
    format!("\n{text}").into_bytes()
}

/// From now on the modules of such a program are loaded with their contracts.
pub(crate) fn begin_woven(
    contracting: Contracting,
    program: &Arc<Program>,
    loader: &ProgramLoader,
) {
    let declaring = Arc::clone(program);
    let declaring = Box::new(move || Some(Declarations::new(Arc::clone(&declaring))));
    let book = Book::new(declaring, !contracting.without_specs, contracting.wall_time);
    for module in &program.modules {
        book.woven(&module.unit, &module.tree);
    }
    loader.with_contracts(Rc::new(book));
}

/// Adds contracts to modules when they are read.
struct Weaving(Rc<Book>);

impl Adding for Weaving {
    fn add(&self, unit: &Unit, module: &Module) -> (Option<String>, Vec<Diagnostic>) {
        let woven = self.0.woven(unit, module);
        let problems = woven.problems.iter().map(|problem| diagnostic(problem, module));
        (woven.text, problems.collect())
    }
}

/// What is wrong with a contract, as with any text.
fn diagnostic(problem: &Problem, module: &Module) -> Diagnostic {
    let loc = Loc { line: problem.line, column: problem.column };
    let start = module.files.first().map_or(0, |file| {
        let line = file.line_starts.get(loc.line.saturating_sub(1) as usize).copied();
        line.unwrap_or_default() + loc.column.saturating_sub(1)
    });
    Diagnostic {
        severity: Severity::Error,
        origin: Origin::Erlscope,
        code: BAD,
        message: wrong(&problem.why),
        span: Span { file: FileId::MAIN, start, end: start },
        loc,
        related: Vec::new(),
        help: None,
        otp_descriptor: None,
    }
}

/// Why a contract is none, as messages of the compiler are: a part of a sentence.
fn wrong(why: &Wrong) -> String {
    match why {
        Wrong::Shape(kind) => format!("this is no contract of the kind {}", kind.name()),
        Wrong::Text(text) => format!("this is no contract: {text}"),
        Wrong::Mixed => "the clauses of a contract are about different functions".to_owned(),
        Wrong::NoFunction(name, arity) => {
            format!("a contract is about {name}/{arity}, which is not defined")
        }
        Wrong::NoParameter { number, arity } => {
            format!("a contract asks for parameter {number} of a function that has {arity}")
        }
        Wrong::NoResult => {
            "a contract asks for the result of a function that has not been called".to_owned()
        }
        Wrong::Nowhere(kind) => {
            format!("there is no function that this contract of the kind {} is about", kind.name())
        }
        Wrong::NoBehaviour => {
            "this contract is about the state of a behaviour, and the module has none".to_owned()
        }
        Wrong::TooMany(arity) => {
            format!("a function of {arity} parameters cannot have a contract")
        }
    }
}
