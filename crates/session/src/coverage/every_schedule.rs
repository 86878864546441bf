//! Every schedule of each test, case of a suite, or call, each run under the watcher.
//!
//! Which tests a module has, and how one of them is run, is as where tests are explored: a
//! generator or fixture is run as far as the test needs it. A call is explored without a node,
//! unless an execution asks for something that only a node has.

use std::rc::Rc;
use std::time::Instant;

use ::coverage::schedules;
use ::explore::finding::{Failure, Findings, Kind, Rules};
use ::explore::node::Lookout;
use ::explore::{Bounds, Moments, Statistics};
use machine::Machine;
use runner::sources::Sources;
use runner::testing::TestModule;

use super::{Explore, Note, Ran, Run, Runs, suites};
use crate::Error;
use crate::explore::start::{Program, Start};
use crate::explore::tests;
use crate::test::Filter;

/// What the executions of one test, or call, came to.
struct Explored {
    statistics: Statistics,
    /// Executions with an error.
    erroneous: u64,
    /// Executions that could not be run again.
    lost: u64,
    not_supported: Option<Failure>,
    needs_node: bool,
}

impl Runs<'_> {
    /// A node that has loaded a module.
    fn node_with(&self, module: &TestModule, sources: &Rc<Sources>) -> Result<Machine, Error> {
        let program = self.program(sources)?;
        let mut machine = program.node()?;
        program.load(&mut machine, module.name)?;
        Ok(machine)
    }

    /// Every schedule of every test of an EUnit module.
    pub(super) fn explore_tests(
        &self,
        module: &TestModule,
        sources: &Rc<Sources>,
        filter: &Filter,
        ran: &mut Ran,
    ) -> Result<(), Error> {
        let machine = self.node_with(module, sources)?;
        for test in tests::tests_of(&machine, module)? {
            if !filter.matches(&test.name) {
                continue;
            }
            let start = tests::start(&machine, test);
            let explored = self.explore(&start, None);
            tell(&start.name, Explore::Tests, &explored, ran);
        }
        Ok(())
    }

    /// Every schedule of every case of a suite that was run already; `bad` names those that failed
    /// then.
    pub(super) fn explore_suite(
        &self,
        suite: &TestModule,
        sources: &Rc<Sources>,
        filter: &Filter,
        bad: &[String],
        ran: &mut Ran,
    ) -> Result<(), Error> {
        let machine = self.node_with(suite, sources)?;
        for case in suites::cases_of(&machine, suite)? {
            if !filter.matches(&case.name) {
                continue;
            }
            let start = suites::start(&machine, case);
            let mut explored = self.explore(&start, None);
            let always_fails = explored.erroneous == explored.statistics.executions;
            if bad.contains(&start.name) {
                // That is known already.
                explored.erroneous = 0;
            } else if always_fails && explored.not_supported.is_none() {
                ran.notes.push(Note::FailsAlone { name: start.name });
                continue;
            }
            tell(&start.name, Explore::Call(start.call.clone()), &explored, ran);
        }
        Ok(())
    }

    fn program(&self, sources: &Rc<Sources>) -> Result<Program, Error> {
        let permissions = self.request.running.permissions(self.paths, self.reader)?;
        Ok(Program::of(self.loader.clone(), Rc::clone(sources), permissions))
    }

    /// Every schedule of a call.
    pub(super) fn explore_call(
        &self,
        call: &str,
        sources: &Rc<Sources>,
        ran: &mut Ran,
    ) -> Result<(), Error> {
        let program = self.program(sources)?;
        let start = program.start(call, false)?;
        let mut explored = self.explore(&start, Some(&Lookout::default()));
        if explored.needs_node {
            explored = self.explore(&program.start(call, true)?, None);
        }
        tell(call, Explore::Call(call.to_owned()), &explored, ran);
        Ok(())
    }

    /// All schedules from a start. Where somebody meets a moment that is none here they are
    /// explored again with all such moments shown; what was covered before stays covered.
    fn explore(&self, start: &Start, lookout: Option<&Lookout>) -> Explored {
        let began = Instant::now();
        let mut bounds = Bounds {
            max_executions: self.request.explore.unwrap_or(u64::MAX),
            after_limit: start.time.unwrap_or(u64::MAX),
            dictionaries: Moments::Noticed,
            ends: Moments::Noticed,
            ..Bounds::default()
        };
        loop {
            let explored = self.explore_with(start, lookout, &bounds, began);
            let statistics = explored.statistics;
            if !statistics.again || explored.needs_node || self.is_over(began) {
                return explored;
            }
            let again = bounds.again(statistics);
            if (again.dictionaries, again.ends) == (bounds.dictionaries, bounds.ends) {
                return explored;
            }
            bounds = again;
        }
    }

    fn is_over(&self, began: Instant) -> bool {
        let timeout = self.request.running.timeout;
        self.control.is_over() || timeout.is_some_and(|limit| began.elapsed() >= limit)
    }

    fn explore_with(
        &self,
        start: &Start,
        lookout: Option<&Lookout>,
        bounds: &Bounds,
        began: Instant,
    ) -> Explored {
        let rules = Rules { main: Some(start.main), first: start.main.0, ..Rules::default() };
        let mut findings = Findings::new(rules);
        let (mut erroneous, mut needs_node) = (0, false);
        let (statistics, lost) =
            schedules::watch_all(&start.machine, bounds.clone(), self.watcher, |execution| {
                if lookout.is_some_and(|lookout| lookout.sees(execution)) {
                    needs_node = true;
                    return false;
                }
                erroneous += u64::from(findings.look(execution));
                !self.is_over(began)
            });
        let not_supported = findings.iter().find(|found| found.kind() == Kind::Unsupported);
        let not_supported = not_supported.map(|found| found.failure.clone());
        Explored { statistics, erroneous, lost, not_supported, needs_node }
    }
}

/// Adds what an exploration came to, and what is wrong with it.
fn tell(name: &str, again: Explore, explored: &Explored, ran: &mut Ran) {
    let Explored { statistics, erroneous, lost, not_supported, .. } = explored;
    ran.incomplete |= !statistics.complete || not_supported.is_some();
    let mut shown = 0;
    if let Some(what) = not_supported {
        let (name, what) = (name.to_owned(), what.clone());
        ran.notes.push(Note::Unsupported { name, what });
    } else if *erroneous > 0 {
        ran.failed = true;
        shown = *erroneous;
        ran.notes.push(Note::FailsExplored { name: name.to_owned(), again });
    }
    ran.runs.push(Run::Schedules {
        name: name.to_owned(),
        executions: statistics.executions,
        complete: statistics.complete,
        erroneous: shown,
    });
    if *lost > 0 {
        ran.notes.push(Note::Lost { name: name.to_owned(), executions: *lost });
    }
}
