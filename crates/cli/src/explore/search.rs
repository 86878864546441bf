//! One search: bounds and rules from the command line, when it stops, and what it comes to.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use explore::finding::{Explained, Findings, Kind, Rules, explain};
use explore::node::Lookout;
use explore::warning::{Warning, Warnings};
use explore::{Bounds, Delivery, Execution, Statistics};

use super::engine::{self, Eyes, Task, Verdict};
use super::log::Log;
use super::start::{Program, Start};
use super::{notes, so_far};
use crate::args::{DeliveryMode, Explore};
use crate::output;
use crate::run::limits_of;

/// What an exploration came to.
#[derive(Default)]
pub(super) struct Explored {
    /// What a witness calls.
    pub(super) call: String,
    /// What was explored, for people.
    pub(super) name: String,
    pub(super) statistics: Statistics,
    /// Executions with an error.
    pub(super) erroneous: u64,
    /// Why the search did not come to its end.
    pub(super) why: Option<String>,
    pub(super) found: Vec<Explained>,
    /// With `--warnings`.
    pub(super) warnings: Vec<Warning>,
    pub(super) time: Duration,
    /// Files that executions changed, each in its own world.
    pub(super) changed: BTreeSet<String>,
    /// Whether it is a module of tests of which none could be run; `why` says why.
    pub(super) is_broken: bool,
    /// Files that were read although others were named.
    pub(super) along: Vec<PathBuf>,
}

impl Explored {
    /// A module of tests that cannot be run.
    pub(super) fn broken(name: String, why: String) -> Explored {
        Explored {
            call: name.clone(),
            name,
            statistics: Statistics::default(),
            erroneous: 0,
            why: Some(why),
            found: Vec::new(),
            warnings: Vec::new(),
            time: Duration::ZERO,
            changed: BTreeSet::new(),
            is_broken: true,
            along: Vec::new(),
        }
    }
}

/// What counts as an error.
pub(super) fn rules_of(explore: &Explore, start: &Start) -> Rules {
    Rules {
        normal: explore.treat_as_normal.clone(),
        ignored: explore.ignore.clone(),
        assertions_only: explore.assertions_only,
        main: Some(start.main),
        first: start.main.0,
        manner: explore.telling.manner(),
    }
}

/// What is seen in executions.
struct Seen {
    findings: Findings,
    /// If they are wanted.
    warnings: Option<Warnings>,
    /// Executions with an error.
    erroneous: u64,
    /// Where there is no node: what looks out for executions that need one, and whether there was any.
    lookout: Option<Lookout>,
    needs_node: bool,
    changed: BTreeSet<String>,
    log: Option<Arc<Log>>,
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
        for path in execution.machine.state.outside.changed() {
            if self.changed.len() < MOST_CHANGED {
                self.changed.insert(String::from_utf8_lossy(path).into_owned());
            }
        }
        let known = self.findings.len();
        let is_wrong = self.findings.look(execution);
        if let Some(log) = &self.log {
            log.add(execution, &self.findings);
        }
        match is_wrong {
            true => {
                if self.findings.len() > known {
                    so_far::found(self.findings.iter());
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

    fn remember(&mut self, notes: &str) -> Result<(), String> {
        let notes::Notes { erroneous, findings, together } = notes::read(notes)?;
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

/// Explores a call: without a node, which takes time to start, unless an execution asks for something that
/// only a node has.
pub(super) fn call(explore: &Explore, paths: &[PathBuf], call: &str) -> Result<Explored, String> {
    let program = Program::open(paths, Some(call), &explore.running, &explore.reading)?;
    program.check_reasons(&explore.treat_as_normal)?;
    let mut explored = explore_call(explore, paths, call, &program)?;
    explored.along = program.sources.taken_along();
    program.unloadable().iter().for_each(|note| output::complain(note));
    Ok(explored)
}

fn explore_call(
    explore: &Explore,
    paths: &[PathBuf],
    call: &str,
    program: &Program,
) -> Result<Explored, String> {
    let resumed_on_node = explore.searching.resume.as_deref().is_some_and(engine::was_on_node);
    if !resumed_on_node
        && let Some(explored) = explore_from(explore, paths, program.start(call, false)?, false)?
    {
        return Ok(explored);
    }
    search(explore, paths, program.start(call, true)?, true)
}

/// Explores from one beginning.
pub(super) fn search(
    explore: &Explore,
    paths: &[PathBuf],
    start: Start,
    on_node: bool,
) -> Result<Explored, String> {
    let explored = explore_from(explore, paths, start, on_node)?;
    explored.ok_or_else(|| "there is no node".to_owned())
}

/// Nothing if a node is needed.
fn explore_from(
    explore: &Explore,
    paths: &[PathBuf],
    mut start: Start,
    on_node: bool,
) -> Result<Option<Explored>, String> {
    let started = Instant::now();
    so_far::begin(&start.name);
    let bounds = Bounds {
        max_executions: explore.max_executions.unwrap_or(match explore.tests {
            true => super::tests::BUDGET,
            false => u64::MAX,
        }),
        max_depth: explore.max_depth,
        after_limit: explore.after_limit.or(start.time).unwrap_or(u64::MAX),
        delivery: match explore.delivery {
            DeliveryMode::Instant => Delivery::Instant,
            DeliveryMode::Any => Delivery::Any,
        },
        ..Bounds::default()
    };
    // Stories are told from there, too.
    bounds.delivery.set(&mut start.machine);
    let rules = rules_of(explore, &start);
    let log = explore.log.as_deref().map(|path| Log::of(path, &start.name)).transpose()?;
    let task = Task {
        call: &start.call,
        start: &start.machine,
        on_node,
        searching: &explore.searching,
        seed: explore.running.seed,
        bounds,
        first: explore.first,
        timeout: explore.running.timeout,
        max_memory: limits_of(&explore.running)?.memory,
        eyes: &|| Seen {
            findings: Findings::new(rules.clone()),
            warnings: explore.warnings.then(Warnings::default),
            erroneous: 0,
            lookout: (!on_node).then(Lookout::default),
            needs_node: false,
            changed: BTreeSet::new(),
            log: log.clone(),
        },
        begin_again: &|| log.iter().for_each(|log| log.begin_again()),
        again: &|| {
            let call = (!explore.tests).then_some(&*start.call);
            let program = Program::open(paths, call, &explore.running, &explore.reading)?;
            Ok(program.start(&start.call, on_node)?.machine)
        },
    };
    let ran = engine::run(&task)?;
    let Seen { findings, warnings, erroneous, needs_node, changed, .. } = ran.eyes;
    if needs_node {
        (task.begin_again)();
        return Ok(None);
    }
    if let Some(problem) = log.as_ref().and_then(|log| log.problem()) {
        return Err(problem);
    }
    so_far::found(findings.iter());
    let unsupported = || findings.iter().filter(|finding| finding.kind == Kind::Unsupported);
    let not_supported = unsupported()
        .next()
        .map(|finding| format!("something is not supported: {}", finding.message));
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
        is_broken: false,
    }))
}
