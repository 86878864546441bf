//! The flow graph of OTP's stdlib and kernel as one program, and of growing parts of it: does the
//! cost grow as the program does?

use std::time::Instant;

use program::{LoadOptions, Program};

use super::{Benchmark, Context, Ratio, otp_sources};
use crate::problem::Result;

pub(crate) const BENCHMARK: Benchmark = Benchmark {
    name: "flow",
    about: "flow graphs of growing parts of stdlib and kernel, seconds of CPU time against a limit \
            of 30",
    run,
};

/// What the whole is allowed to take.
const LIMIT: f64 = 30.0;
const PARTS: usize = 4;

fn run(_: &Context) -> Result<Vec<Ratio>> {
    let mut files = otp_sources()?;
    files.retain(|path| {
        let text = path.to_string_lossy();
        text.contains("/stdlib-") || text.contains("/kernel-")
    });
    if files.is_empty() {
        return Err("no sources of stdlib and kernel".into());
    }
    let mut ratios = Vec::new();
    let mut curve = Vec::new();
    for part in 1..=PARTS {
        let some = &files[..files.len() * part / PARTS];
        let options = LoadOptions { without_lint: true, ..LoadOptions::default() };
        let program = Program::load(some, &options).map_err(|error| error.to_string())?;
        let (began, before) = (Instant::now(), cpu_seconds());
        let flow =
            flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
        let elapsed = began.elapsed().as_secs_f64();
        // On a machine that others use too, the time on the wall says little.
        let seconds = cpu_seconds().zip(before).map_or(elapsed, |(after, before)| after - before);
        let nodes = flow.graph.vertices.len();
        curve.push((nodes as f64, seconds));
        let mut detail = format!(
            "{} modules, {} functions, {nodes} nodes, {} edges: {seconds:.2} s of CPU time \
             ({elapsed:.2} s on the wall), {:.1} µs a node, {} MB at most",
            flow.modules.len(),
            flow.functions.len(),
            flow.graph.edges.len(),
            seconds * 1e6 / nodes.max(1) as f64,
            peak_megabytes()
        );
        if let (PARTS, Some(exponent)) = (part, exponent(&curve)) {
            detail.push_str(&format!(
                "; time grows as the number of nodes to the power of {exponent:.2}"
            ));
        }
        let goal = (part == PARTS).then_some(1.0);
        let name = format!("{part}/{PARTS} of the modules");
        ratios.push(Ratio { name, ours: seconds, theirs: LIMIT, goal, detail });
    }
    Ok(ratios)
}

/// The exponent of the curve that fits best: the slope of a line through the logarithms.
pub(super) fn exponent(curve: &[(f64, f64)]) -> Option<f64> {
    let points: Vec<(f64, f64)> = curve.iter().map(|&(x, y)| (x.ln(), y.max(1e-3).ln())).collect();
    let count = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (x, y) = (x / count, y / count);
    let along = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>();
    let width = points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>();
    (width > 0.0).then(|| along / width)
}

/// How much CPU time this process has used, where the system tells: fields 14 and 15, in hundredths
/// of a second.
pub(crate) fn cpu_seconds() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in parentheses and may hold anything.
    let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// The most memory that this process has had so far, where the system tells.
fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
