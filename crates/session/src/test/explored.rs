//! Properties under every schedule: some small cases of each are explored.
//!
//! A case is a list of values for the `?FORALL`s of a property. The first that differ are made from
//! the seed; each is explored by itself, as a test is (`erlscope_prop:check/3` of the library), on
//! a node of its own, and the first that fails under some schedule is told.

use atom::Atom;
use machine::{Machine, Term};
use runner::testing::{self, TestModule};
use term::Map;

use super::{CaseAnswer, CaseResult, ExploredCases, FoundCase, Tester, property};
use crate::Error;
use crate::explore::start::{ONE_PROPERTY, Program, Start};
use crate::explore::{self, Explored, search, tests};
use crate::reading::or_here;

/// How many cases of a property are explored.
const CASES: u32 = 10;
/// Executions of one case, unless the request says otherwise.
const EXECUTIONS: u64 = 1_000;
/// Events of one execution.
const DEPTH: usize = 10_000;

impl Tester<'_> {
    /// Explores cases of a property that has passed its tests.
    pub(super) fn with_schedules(
        &self,
        module: &TestModule,
        mut told: CaseAnswer,
    ) -> Result<CaseAnswer, Error> {
        let is_wanted = self.request.explore && told.result == CaseResult::Ok;
        if !is_wanted || told.property.is_none() {
            return Ok(told);
        }
        let cases = match self.explore_property(module, &told.function) {
            Ok(cases) => cases,
            Err(error) => {
                told.result = CaseResult::Cancelled;
                told.reason = Some(format!("its cases cannot be explored: {error}"));
                return Ok(told);
            }
        };
        if cases.found.is_some() {
            told.result = CaseResult::Failed;
            told.reason = Some("fails under another schedule".to_owned());
            told.comment = None;
        }
        if let Some(property) = &mut told.property {
            property.explored = Some(cases);
        }
        Ok(told)
    }

    fn explore_property(
        &self,
        module: &TestModule,
        function: &str,
    ) -> Result<ExploredCases, Error> {
        let request = self.exploration();
        let program = Program::open(&request.paths, None, &request.running, &request.reading)?;
        program.limit_transforms(&request.running, self.control)?;
        let mut machine = program.node()?;
        program.load(&mut machine, module.name)?;
        let function = Atom::new(function);
        let mut answer = ExploredCases { complete: true, ..ExploredCases::default() };
        for (text, values) in self.cases(&machine, module, function)? {
            if self.control.is_over() {
                answer.complete = false;
                break;
            }
            let start = start(&machine, module.name, function, &text, values);
            let control = self.control.unheard();
            let explored = search::search(&request, start, true, &control)?;
            answer.cases += 1;
            answer.executions += explored.statistics.executions;
            answer.complete &= explored.why.is_none() || !explored.found.is_empty();
            if !explored.found.is_empty() {
                answer.found = Some(self.found(module, function, text, &explored, &request)?);
                break;
            }
        }
        Ok(answer)
    }

    fn exploration(&self) -> explore::Request {
        explore::Request {
            paths: or_here(&self.request.paths),
            max_executions: Some(EXECUTIONS),
            max_depth: DEPTH,
            after_limit: Some(tests::TIME),
            delivery: self.request.delivery,
            jobs: 1,
            first: true,
            running: self.request.running.clone(),
            reading: self.request.reading.clone(),
            ..explore::Request::default()
        }
    }

    /// Cases of a property: as text, and the values.
    fn cases(
        &self,
        machine: &Machine,
        module: &TestModule,
        function: Atom,
    ) -> Result<Vec<(String, Term)>, Error> {
        let mut options = Map::new();
        options.insert(Term::atom("count"), Term::from(CASES));
        let seed = self.request.running.seed.unwrap_or(0);
        options.insert(Term::atom("seed"), Term::from(seed));
        let args = vec![Term::from(module.name), Term::from(function), Term::map(options)];
        let listed = testing::ask(machine, ONE_PROPERTY, "cases", args)
            .map_err(|message| Error::Failed(message.to_string()))?;
        let case = |pair: &Term| match pair.as_tuple() {
            Some([text, values]) => {
                let bytes = text.as_bits()?.to_bytes()?;
                Some((String::from_utf8_lossy(&bytes).into_owned(), values.clone()))
            }
            _ => None,
        };
        Ok(listed.to_vec().unwrap_or_default().iter().filter_map(case).collect())
    }

    /// What was found, with its witness.
    fn found(
        &self,
        module: &TestModule,
        function: Atom,
        input: String,
        explored: &Explored,
        request: &explore::Request,
    ) -> Result<FoundCase, Error> {
        let finding = explored.found[0].clone();
        let witness = match (&self.request.witnesses, explored.witness(0, request)) {
            (Some(dir), Some(mut witness)) => {
                let kind = finding.finding.kind().name();
                witness.finding = kind.to_owned();
                let name = format!("{}-{function}-{kind}", module.name);
                Some(property::write(dir, &name, &witness)?)
            }
            _ => None,
        };
        Ok(FoundCase { input, finding, witness })
    }
}

/// A Machine that is about to check a property with some values.
fn start(machine: &Machine, module: Atom, function: Atom, text: &str, values: Term) -> Start {
    let mut machine = machine.clone();
    machine.start_stepping();
    let quote = |name: Atom| atom::quote::atom(name.as_str());
    let call = format!("{ONE_PROPERTY}:check({}, {}, {text})", quote(module), quote(function));
    let args = vec![Term::from(module), Term::from(function), values];
    let main = machine.spawn(Atom::new(ONE_PROPERTY), Atom::new("check"), args);
    let name = format!("{module}:{function}");
    let time = Some(tests::TIME);
    Start { machine, main, call, function: format!("{name}/0"), name, time }
}
