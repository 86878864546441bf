//! Properties under every schedule: some small cases of each are explored ([`properties`]), and
//! the first that fails under some schedule is told.

use atom::Atom;
use runner::testing::TestModule;

use super::{CaseAnswer, CaseResult, ExploredCases, FoundCase, Tester, property};
use crate::Error;
use crate::explore::start::Program;
use crate::explore::{self, Explored, properties, search, tests};
use crate::reading::or_here;

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
        let seed = self.request.running.seed.unwrap_or(0);
        for case in properties::cases(&machine, module.name, function, seed)? {
            if self.control.is_over() {
                answer.complete = false;
                break;
            }
            let start = properties::start(&machine, &case);
            let control = self.control.unheard();
            let explored = search::search(&request, start, true, &control)?;
            answer.cases += 1;
            answer.executions += explored.statistics.executions;
            answer.complete &= explored.why.is_none() || !explored.found.is_empty();
            if !explored.found.is_empty() {
                answer.found = Some(self.found(module, function, case.text, &explored, &request)?);
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
