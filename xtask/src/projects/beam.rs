//! The tests of a project on the BEAM: by rebar3 where there is a `rebar.config`, otherwise (or
//! where rebar3 gives up) compiled and run by the judge itself.
//!
//! A project is copied first: building it leaves files behind. The results are remembered in the
//! cache directory until `--again`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::cases::{Cases, Side};
use crate::problem::{Problem, Result};
use crate::suites::child::{self, Limits};

const JUDGE: &str = include_str!("erlscope_project_judge.erl");

/// Compiles the Erlang side of the judge.
pub(super) fn prepare(cache: &Path) -> Result<()> {
    std::fs::create_dir_all(cache).map_err(|error| Problem::at(cache, error))?;
    let path = cache.join("erlscope_project_judge.erl");
    std::fs::write(&path, JUDGE).map_err(|error| Problem::at(&path, error))?;
    let compiled = Command::new("erlc").arg("-o").arg(cache).arg(&path).status();
    match compiled.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => Err(format!("erlc cannot compile {}", path.display()).into()),
    }
}

/// What became of the cases of a project.
pub(super) fn results(cache: &Path, dir: &Path, name: &str, limit: Duration) -> Result<Side> {
    let remembered = cache.join(format!("{name}.beam.json"));
    if let Some(side) = Side::read(&remembered) {
        return Ok(side);
    }
    eprintln!("{name} on the BEAM");
    let copy = cache.join("copies").join(name);
    let _ = std::fs::remove_dir_all(&copy);
    std::fs::create_dir_all(cache.join("copies")).map_err(|error| Problem::at(&copy, error))?;
    // Links that lead nowhere are left out.
    let _ = Command::new("cp").arg("-aL").arg(dir).arg(&copy).stderr(Stdio::null()).status();
    let _ = std::fs::remove_dir_all(copy.join("_build").join("test").join("lib"));
    if !copy.is_dir() {
        return Err(format!("{} cannot be copied", dir.display()).into());
    }
    let part = cache.join(format!("{name}.beam.part"));
    let _ = std::fs::remove_file(&part);
    let begin = Instant::now();
    if copy.join("rebar.config").exists() && judge(cache, "configure", &copy, &part, limit)? {
        for command in ["eunit", "ct"] {
            let log = cache.join(format!("{name}.{command}"));
            let limits = Limits { time: limit, patience: 1, memory: None };
            let script = format!(
                "cd {} && ERL_FLAGS='-pa {}' REBAR_OFFLINE=1 exec rebar3 {command}",
                copy.display(),
                cache.display()
            );
            let arguments = ["-c".to_owned(), script];
            child::run("sh", &arguments, &log, &log.with_extension("errors"), limits)?;
        }
    }
    let mut how = "rebar3";
    if !part.exists() {
        how = "erl";
        judge(cache, "plain", &copy, &part, limit)?;
    }
    let cases = std::fs::read_to_string(&part).map(|text| Cases::of_lines(&text));
    let side = Side {
        cases: cases.unwrap_or_default(),
        seconds: begin.elapsed().as_secs_f64(),
        note: how.to_owned(),
    };
    side.write(&remembered)?;
    Ok(side)
}

/// One of the functions of the judge on the copy of a project.
fn judge(cache: &Path, what: &str, copy: &Path, part: &Path, limit: Duration) -> Result<bool> {
    let show = |path: &Path| path.display().to_string();
    let log = part.with_extension(what);
    if what == "configure" {
        let mut command = Command::new("erl");
        command.args(["-noshell", "-pa"]).arg(cache);
        command.args(["-s", "erlscope_project_judge", what]).arg(copy).arg(part);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status();
        return Ok(status.is_ok_and(|status| status.success()));
    }
    let arguments = [
        "-noshell".to_owned(),
        "-pa".to_owned(),
        show(cache),
        "-s".to_owned(),
        "erlscope_project_judge".to_owned(),
        what.to_owned(),
        show(copy),
        show(part),
    ];
    let limits = Limits { time: limit, patience: 1, memory: None };
    child::run("erl", &arguments, &log, &log.with_extension("errors"), limits)?;
    Ok(true)
}
