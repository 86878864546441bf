//! `erlscope check` with all cores against one: does it use them?

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{Benchmark, Context, Ratio, otp_sources};
use crate::problem::Result;

pub(crate) const BENCHMARK: Benchmark = Benchmark {
    name: "check",
    about: "erlscope check of the same files, wall time of all cores against one",
    run,
};

fn run(context: &Context) -> Result<Vec<Ratio>> {
    let files = otp_sources()?;
    let binary = build(&context.root)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let best = |jobs: usize| -> Result<f64> {
        let mut best = f64::INFINITY;
        for _ in 0..context.runs {
            best = best.min(seconds(&binary, jobs, &files)?);
        }
        Ok(best)
    };
    let (one, all) = (best(1)?, best(cores)?);
    let detail = format!(
        "{} files; wall time with {cores} cores {all:.3} s, with one {one:.3} s (speed-up {:.2}), \
         best of {}",
        files.len(),
        one / all,
        context.runs
    );
    let name = "all cores / one core".to_string();
    Ok(vec![Ratio { name, ours: all, theirs: one, goal: None, detail }])
}

fn build(root: &Path) -> Result<PathBuf> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--quiet", "--package", "cli"])
        .current_dir(root)
        .status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("erlscope does not build".into());
    }
    // Where this program was built, the other one is too.
    let this = std::env::current_exe()?;
    Ok(this.with_file_name("erlscope"))
}

fn seconds(binary: &Path, jobs: usize, files: &[PathBuf]) -> Result<f64> {
    let began = Instant::now();
    let status = Command::new(binary)
        .args(["check", "--format", "short", "--no-warnings", "--jobs", &jobs.to_string()])
        .args(files)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    match status.code() {
        Some(0 | 1) => Ok(began.elapsed().as_secs_f64()),
        code => Err(format!("erlscope check ended with {code:?}").into()),
    }
}
