//! OTP's suites on the BEAM: done once, remembered in the cache directory.
//!
//! Each suite has a node of its own, with a name, so that suites which start further nodes can.
//! What is written in C for a suite is not built, see `ts_install_cth.erl`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::cases::Results;
use super::child::{self, Limits};
use super::plan::Suite;
use crate::problem::{Problem, Result};

const JUDGE: &str = include_str!("erlscope_suite_judge.erl");
const HOOK: &str = include_str!("ts_install_cth.erl");

/// Compiles the Erlang side of the judge.
pub(super) fn prepare(cache: &Path) -> Result<()> {
    for (name, text) in [("erlscope_suite_judge.erl", JUDGE), ("ts_install_cth.erl", HOOK)] {
        let path = cache.join(name);
        std::fs::write(&path, text).map_err(|error| Problem::at(&path, error))?;
        let compiled = Command::new("erlc").arg("-o").arg(cache).arg(&path).status();
        if !compiled.is_ok_and(|status| status.success()) {
            return Err(format!("erlc cannot compile {}", path.display()).into());
        }
    }
    Ok(())
}

/// The results of a suite on the BEAM; from the cache if it was run before.
pub(super) fn results(cache: &Path, suite: &Suite, limit: Duration) -> Result<Results> {
    let remembered = cache.join("beam").join(suite.file("json"));
    if let Some(results) = Results::read(&remembered) {
        return Ok(results);
    }
    eprintln!("{} on the BEAM", suite.short_name());
    let part = cache.join("beam").join(suite.file("part"));
    let logs = cache.join("logs").join(suite.file("beam"));
    let show = |path: &Path| path.display().to_string();
    std::fs::create_dir_all(&logs).map_err(|error| Problem::at(&logs, error))?;
    let arguments = [
        "-noshell".to_owned(),
        // Of use to `maybe_SUITE` only: code with the feature is not loaded otherwise.
        "-enable-feature".to_owned(),
        "maybe_expr".to_owned(),
        "-sname".to_owned(),
        "erlscope_judge".to_owned(),
        "-pa".to_owned(),
        show(cache),
        "-s".to_owned(),
        "erlscope_suite_judge".to_owned(),
        "run".to_owned(),
        show(&suite.directory),
        suite.module.clone(),
        show(&logs),
        show(&part),
    ];
    let limits = Limits { time: limit, patience: 1, memory: None };
    child::run("erl", &arguments, &logs.join("output"), &logs.join("errors"), limits)?;
    let results = Results::read(&part).unwrap_or_default();
    std::fs::rename(&part, &remembered).map_err(|error| Problem::at(&part, error))?;
    Ok(results)
}
