//! The contracts of a program that is only looked at: which there are, and its sources without
//! them.

use std::path::PathBuf;

use ::contracts::{Contract, Read, contracts_of, stripped};
use program::Program;
use serde::Serialize;

use super::wrong;
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

/// A contract, as it is shown.
pub(super) fn listed(contract: &Contract) -> Listed {
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

/// The contracts of a program.
pub fn list(request: &Request, program: &Program) -> Vec<Module> {
    let modules = program.modules.iter().map(|module| {
        let Read { contracts, problems } =
            contracts_of(&module.unit, &module.tree, !request.without_specs);
        let contracts = contracts.iter().map(listed);
        Module {
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
                .collect(),
            stripped: stripped(&module.unit, &module.tree),
            path: module.unit.path.clone(),
        }
    });
    modules.collect()
}
