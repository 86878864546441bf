//! One search: bounds and rules from the request, what is seen in executions, and what it comes to.

use std::collections::BTreeSet;
use std::time::Instant;

use ::explore::finding::{Findings, Kind, Rules, explain};
use ::explore::node::Lookout;
use ::explore::warning::Warnings;
use ::explore::{Bounds, Delivery as Travels, Execution};

use super::engine::{self, Eyes, Task, Verdict};
use super::start::{Program, Start};
use super::{Engine, Explored, Incomplete, Request, What, notes, tests};
use crate::control::Progress;
use crate::open::note_unloadable;
use crate::running::Delivery;
use crate::{Control, Error};

/// What counts as an error.
fn rules_of(request: &Request, start: &Start) -> Rules {
    Rules {
        normal: request.normal.clone(),
        ignored: request.ignored.clone(),
        assertions_only: request.assertions_only,
        main: Some(start.main),
        first: start.main.0,
        manner: request.manner,
    }
}

/// What is seen in executions.
struct Seen {
    findings: Findings,
    /// If they are wanted.
    warnings: Option<Warnings>,
    /// Executions with an error.
    erroneous: u64,
    /// Where there is no node: what looks out for executions that need one, and whether there was
    /// any.
    lookout: Option<Lookout>,
    needs_node: bool,
    changed: BTreeSet<String>,
    control: Control,
}

/// More names of files that were changed are not remembered.
const MOST_CHANGED: usize = 1_000;

impl Eyes for Seen {
    fn look(&mut self, execution: &Execution<'_>) -> Verdict {
        if self.lookout.as_ref().is_some_and(|lookout| lookout.sees(execution)) {
            self.needs_node = true;
            return Verdict::Stop;
        }
        if let Some(warnings) = &mut self.warnings {
            warnings.look(execution);
        }
        for path in execution.machine.changed_files() {
            if self.changed.len() < MOST_CHANGED {
                self.changed.insert(String::from_utf8_lossy(path).into_owned());
            }
        }
        let known = self.findings.len();
        let is_wrong = self.findings.look(execution);
        self.control.hear_execution(execution, &self.findings);
        match is_wrong {
            true => {
                if self.findings.len() > known {
                    self.control.hear(Progress::Found { findings: &self.findings });
                }
                self.erroneous += 1;
                Verdict::Wrong
            }
            false => Verdict::Fine,
        }
    }

    fn notes(&self) -> String {
        notes::write(self.erroneous, &self.findings)
    }

    fn remember(&mut self, notes: &str) -> Result<(), Error> {
        let notes::Notes { erroneous, findings, together } =
            notes::read(notes).map_err(Error::Notes)?;
        self.erroneous += erroneous;
        self.findings.remember(findings, &together);
        Ok(())
    }

    fn add(&mut self, other: Seen) {
        self.erroneous += other.erroneous;
        self.findings.merge(other.findings);
        if let (Some(warnings), Some(others)) = (&mut self.warnings, other.warnings) {
            warnings.merge(others.into_list());
        }
        self.needs_node |= other.needs_node;
        self.changed.extend(other.changed);
    }
}

/// Explores a call: without a node, which takes time to start, unless an execution asks for
/// something that only a node has.
pub(super) fn call(request: &Request, call: &str, control: &Control) -> Result<Explored, Error> {
    let program = Program::open(&request.paths, Some(call), &request.running, &request.reading)?;
    program.limit_transforms(&request.running, control)?;
    program.check_reasons(&request.normal)?;
    let mut explored = explore_call(request, call, &program, control)?;
    explored.along = program.sources().taken_along();
    control.hear(Progress::Explored(&explored));
    note_unloadable(program.loader(), control);
    Ok(explored)
}

fn explore_call(
    request: &Request,
    call: &str,
    program: &Program,
    control: &Control,
) -> Result<Explored, Error> {
    let resumed_on_node = match &request.engine {
        Engine::All { resume: Some(file), .. } => engine::was_on_node(file),
        _ => false,
    };
    if !resumed_on_node
        && let Some(explored) = explore_from(request, program.start(call, false)?, false, control)?
    {
        return Ok(explored);
    }
    search(request, program.start(call, true)?, true, control)
}

/// Explores from one beginning.
pub(crate) fn search(
    request: &Request,
    start: Start,
    on_node: bool,
    control: &Control,
) -> Result<Explored, Error> {
    let explored = explore_from(request, start, on_node, control)?;
    explored.ok_or_else(|| Error::Failed("there is no node".to_owned()))
}

/// The bounds of a search that begins here.
fn bounds_of(request: &Request, start: &Start) -> Bounds {
    let is_of_tests = matches!(request.what, What::Tests { .. });
    let most = if is_of_tests { tests::BUDGET } else { u64::MAX };
    Bounds {
        max_executions: request.max_executions.unwrap_or(most),
        max_depth: request.max_depth,
        after_limit: request.after_limit.or(start.time).unwrap_or(u64::MAX),
        delivery: match request.delivery {
            Delivery::Instant => Travels::Instant,
            Delivery::Any => Travels::Any,
        },
        ..Bounds::default()
    }
}

/// Nothing if a node is needed.
fn explore_from(
    request: &Request,
    mut start: Start,
    on_node: bool,
    control: &Control,
) -> Result<Option<Explored>, Error> {
    let started = Instant::now();
    control.hear(Progress::SearchBegins { name: &start.name });
    let bounds = bounds_of(request, &start);
    // Stories are told from there, too.
    bounds.delivery.set(&mut start.machine);
    start.machine.let_readings_tie(request.equal_times);
    let rules = rules_of(request, &start);
    let call = match request.what {
        What::Call(_) => Some(&*start.call),
        What::Tests { .. } => None,
    };
    let task = Task {
        request,
        control,
        call: &start.call,
        start: &start.machine,
        on_node,
        bounds,
        max_memory: request.running.limits(control)?.memory,
        eyes: &|| Seen {
            findings: Findings::new(rules.clone()),
            warnings: request.warnings.then(Warnings::default),
            erroneous: 0,
            lookout: (!on_node).then(Lookout::default),
            needs_node: false,
            changed: BTreeSet::new(),
            control: control.clone(),
        },
        again: &|| {
            let Request { paths, running, reading, .. } = request;
            let program = Program::open(paths, call, running, reading)?;
            program.limit_transforms(running, control)?;
            Ok(program.start(&start.call, on_node)?.machine)
        },
    };
    let ran = engine::run(&task)?;
    let Seen { findings, warnings, erroneous, needs_node, changed, .. } = ran.eyes;
    if needs_node {
        control.hear(Progress::BeginsAgain);
        return Ok(None);
    }
    control.hear(Progress::Found { findings: &findings });
    let unsupported = || findings.iter().filter(|finding| finding.kind() == Kind::Unsupported);
    let not_supported =
        unsupported().next().map(|finding| Incomplete::Unsupported(finding.failure.clone()));
    let without_end: u64 = unsupported().map(|finding| finding.count).sum();
    Ok(Some(Explored {
        found: explain(&findings, &start.machine, &rules, &start.function),
        warnings: warnings.map(Warnings::into_list).unwrap_or_default(),
        statistics: ran.statistics,
        erroneous: erroneous.saturating_sub(without_end),
        why: not_supported.or(ran.why),
        time: started.elapsed(),
        along: Vec::new(),
        call: start.call,
        name: start.name,
        changed,
    }))
}
