//! One search: bounds and rules from the command line, when it stops, and what it comes to.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use explore::finding::{Findings, Kind, Rules};
use explore::{Bounds, Search, Statistics};
use machine::{Machine, Pid};

use super::summary::Summary;
use super::witness::write_witnesses;
use crate::args::{Explore, RunFormat};
use crate::exit::Exit;
use crate::interrupt;
use crate::output;

pub(super) fn search(
    explore: &Explore,
    paths: &[PathBuf],
    call: &str,
    machine: Machine,
    main: Pid,
) -> ExitCode {
    interrupt::watch();
    let started = Instant::now();
    let bounds = Bounds {
        max_executions: explore.max_executions.unwrap_or(u64::MAX),
        max_depth: explore.max_depth,
        after_limit: explore.after_limit.unwrap_or(u64::MAX),
        ..Bounds::default()
    };
    let mut findings = Findings::new(Rules {
        normal: explore.treat_as_normal.clone(),
        ignored: explore.ignore.clone(),
        main: Some(main),
        first: main.0,
    });
    let timeout = explore.running.timeout;
    let mut stopped = None;
    let mut seen = 0u64;
    let mut erroneous = 0u64;
    let mut search = Search::new(machine.clone(), bounds);
    let statistics = search.run(|execution| {
        seen += 1;
        let wrong = findings.look(execution);
        erroneous += u64::from(wrong);
        if wrong && explore.first {
            stopped = Some("an error was found");
        } else if interrupt::interrupted() {
            stopped = Some("it was interrupted");
        } else if seen.is_multiple_of(64) && timeout.is_some_and(|limit| started.elapsed() > limit)
        {
            stopped = Some("the time was up");
        }
        stopped.is_none()
    });
    let found = findings.into_list();
    let witnesses = match write_witnesses(explore, paths, call, &machine, &found) {
        Ok(witnesses) => witnesses,
        Err(message) => {
            output::complain(&message);
            return Exit::Unusable.into();
        }
    };
    let unsupported = found.iter().any(|finding| finding.kind == Kind::Unsupported);
    let why = stopped.or(match statistics {
        Statistics { complete: true, .. } if unsupported => {
            Some("executions ended where something is not supported")
        }
        Statistics { complete: true, .. } => None,
        Statistics { too_deep: 1.., .. } => Some("executions were longer than --max-depth"),
        _ => Some("--max-executions was reached"),
    });
    let summary = Summary { call, statistics, erroneous, why, started };
    let told = match explore.format {
        RunFormat::Json => summary.json(&found, &witnesses),
        RunFormat::Text => summary.text(&machine, &found, &witnesses),
    };
    if let Err(error) = output::write_all(told.as_bytes()) {
        return output::failed(&error).into();
    }
    match (found.is_empty(), why) {
        (false, _) => Exit::SomethingFound,
        (true, Some(_)) => Exit::Incomplete,
        (true, None) => Exit::NothingFound,
    }
    .into()
}
