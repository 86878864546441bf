//! Dependence graphs and slices: of single modules against the limits of a module of 1,000 lines,
//! and of growing parts of OTP's stdlib as one program.
//!
//! Of each module a sample of its variables is sliced for, twice: each as the *first* slice of its
//! graph, which is what a command waits for, and one after the other, where *later* ones begin with
//! what earlier ones have found. What counts is the mean of a module and the slowest module; single
//! criteria are shown as percentiles. `--all` shows every module.
//!
//! Times are those of the processor, and of several runs the least counts: a busy machine does not
//! change them much, but for what others push out of its caches. Stdlib as one program is measured
//! once.

use std::path::{Path, PathBuf};

use ::flow::Site;
use program::{LoadOptions, Program};
use slice::{Graph, Options};

use super::flow::exponent;
use super::{Benchmark, Context, Ratio, otp_sources};
use crate::problem::Result;

pub(crate) const BENCHMARK: Benchmark = Benchmark {
    name: "slice",
    about: "dependence graphs and slices of OTP's modules against 50 ms and 1 ms for 1,000 lines, \
            stdlib as one program against 60 s",
    run,
};

/// What 1,000 lines may take: the graph, and a slice.
const GRAPH: f64 = 0.050;
const SLICE: f64 = 0.001;
/// What all of stdlib may take.
const WHOLE: f64 = 60.0;
const PARTS: usize = 4;
/// How many criteria of each program are sliced for.
const SAMPLE: usize = 40;

fn run(context: &Context) -> Result<Vec<Ratio>> {
    let mut files = otp_sources()?;
    files.retain(|path| path.to_string_lossy().contains("/stdlib-"));
    if files.is_empty() {
        return Err("no sources of stdlib".into());
    }
    let mut ratios = modules(context, &files)?;
    let mut curve = Vec::new();
    for part in 1..=PARTS {
        ratios.push(whole(&files[..files.len() * part / PARTS], part, &mut curve)?);
    }
    if let (Some(last), Some(exponent)) = (ratios.last_mut(), exponent(&curve)) {
        let growth = format!("; time grows as the number of nodes to the power of {exponent:.2}");
        last.detail.push_str(&growth);
    }
    Ok(ratios)
}

fn load(paths: &[PathBuf]) -> Result<Program> {
    let options = LoadOptions { without_lint: true, ..LoadOptions::default() };
    Ok(Program::load(paths, &options).map_err(|error| error.to_string())?)
}

fn lines(program: &Program) -> usize {
    let files = program.modules.iter().filter_map(|module| module.tree.files.first());
    files.map(|file| file.line_starts.len()).sum()
}

/// The time that this thread has had a processor.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The places that are sliced for.
fn sample(graph: &Graph<'_>) -> Vec<Site> {
    let criteria = graph.criteria();
    let step = (criteria.len() / SAMPLE).max(1);
    criteria.into_iter().step_by(step).map(|(site, _)| site).collect()
}

/// Seconds for each of some slices.
fn slices(graph: &Graph<'_>, sites: &[Site], is_first: bool) -> Vec<f64> {
    graph.forget();
    let seconds = sites.iter().map(|&site| {
        if is_first {
            graph.forget();
        }
        let began = processor_time();
        std::hint::black_box(graph.backward(&[site]));
        processor_time() - began
    });
    seconds.collect()
}

/// The least of each of the times of some runs.
fn least(runs: usize, mut run: impl FnMut() -> Vec<f64>) -> Vec<f64> {
    let mut least = run();
    for _ in 1..runs {
        least.iter_mut().zip(run()).for_each(|(least, seconds)| *least = least.min(seconds));
    }
    least
}

/// What was measured of a module, in seconds for 1,000 lines.
struct Measured {
    name: String,
    lines: usize,
    graph: f64,
    /// Each of the sample as the first one, and one after the other.
    first: Vec<f64>,
    later: Vec<f64>,
}

fn measure(context: &Context, file: &Path) -> Result<Measured> {
    let program = load(&[file.to_path_buf()])?;
    let flow =
        flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
    let graph = Graph::build(&program, &flow, Options::default());
    graph.make_all();
    let build = least(context.runs, || {
        let began = processor_time();
        std::hint::black_box(Graph::build(&program, &flow, Options::default())).make_all();
        vec![processor_time() - began]
    });
    let sites = sample(&graph);
    let lines = lines(&program);
    let of_thousand = |seconds: f64| seconds * 1000.0 / lines.max(1) as f64;
    let sliced = |is_first| {
        let seconds = least(context.runs, || slices(&graph, &sites, is_first));
        seconds.into_iter().map(of_thousand).collect()
    };
    Ok(Measured {
        name: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        lines,
        graph: build.first().copied().map_or(0.0, of_thousand),
        first: sliced(true),
        later: sliced(false),
    })
}

fn mean(seconds: &[f64]) -> f64 {
    seconds.iter().sum::<f64>() / seconds.len().max(1) as f64
}

/// The greatest after so many of a hundred.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or_default()
}

/// Each module alone.
fn modules(context: &Context, files: &[PathBuf]) -> Result<Vec<Ratio>> {
    let mut measured = Vec::new();
    for file in files {
        measured.push(measure(context, file)?);
    }
    if context.all {
        println!(
            "  ms for 1,000 lines    lines   graph   first slice: mean, worst   later: mean, worst"
        );
        for module in &measured {
            let worst = |seconds: &[f64]| seconds.iter().copied().fold(0.0, f64::max) * 1e3;
            println!(
                "  {:20} {:6} {:7.2} {:18.3} {:7.3} {:12.3} {:7.3}",
                module.name,
                module.lines,
                module.graph * 1e3,
                mean(&module.first) * 1e3,
                worst(&module.first),
                mean(&module.later) * 1e3,
                worst(&module.later)
            );
        }
    }
    let mut ratios = summary("graph", &measured, GRAPH, |module| vec![module.graph]);
    measured.retain(|module| !module.first.is_empty());
    ratios.extend(summary("first slice", &measured, SLICE, |module| module.first.clone()));
    ratios.extend(summary("later slice", &measured, SLICE, |module| module.later.clone()));
    Ok(ratios)
}

/// The mean of the modules, and the one that takes longest.
fn summary(
    what: &str,
    modules: &[Measured],
    limit: f64,
    times: impl Fn(&Measured) -> Vec<f64>,
) -> Vec<Ratio> {
    let mut means: Vec<(f64, &str)> =
        modules.iter().map(|module| (mean(&times(module)), module.name.as_str())).collect();
    means.sort_by(|left, right| right.0.total_cmp(&left.0));
    let all: Vec<f64> = means.iter().map(|(mean, _)| *mean).collect();
    let slowest: Vec<String> =
        means.iter().take(5).map(|(mean, name)| format!("{name} {:.2}", mean * 1e3)).collect();
    let above = all.iter().filter(|mean| **mean > limit).count();
    let mut single: Vec<f64> = modules.iter().flat_map(&times).collect();
    single.sort_by(f64::total_cmp);
    let percentiles: Vec<String> = [50, 90, 99, 100]
        .iter()
        .map(|&percent| format!("{percent} % {:.3}", percentile(&single, percent) * 1e3))
        .collect();
    vec![
        Ratio {
            name: format!("{what} of 1,000 lines, mean"),
            ours: mean(&all),
            theirs: limit,
            goal: Some(1.0),
            detail: format!("{} modules, each alone: {:.3} ms", all.len(), mean(&all) * 1e3),
        },
        Ratio {
            name: format!("{what} of 1,000 lines, slowest module"),
            ours: all.first().copied().unwrap_or_default(),
            theirs: limit,
            goal: Some(1.0),
            detail: format!(
                "{above} modules above {} ms; {} ms; of all {} up to {} ms, {} of them above",
                limit * 1e3,
                slowest.join(", "),
                single.len(),
                percentiles.join(", "),
                single.iter().filter(|seconds| **seconds > limit).count()
            ),
        },
    ]
}

/// Modules as one program; its nodes and seconds become a point of the curve.
fn whole(files: &[PathBuf], part: usize, curve: &mut Vec<(f64, f64)>) -> Result<Ratio> {
    let program = load(files)?;
    let began = processor_time();
    let flow =
        flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
    let flowed = processor_time() - began;
    let graph = Graph::build(&program, &flow, Options::default());
    graph.make_all();
    let seconds = processor_time() - began;
    let (nodes, edges) = graph.size();
    curve.push((nodes as f64, seconds));
    let began = processor_time();
    let sliced = slices(&graph, &sample(&graph), false);
    let slice = (processor_time() - began) / sliced.len().max(1) as f64;
    let detail = format!(
        "{} modules, {} lines, {nodes} nodes, {edges} edges: flow {flowed:.2} s, with the graph \
         {seconds:.2} s, {:.1} µs a node; a slice {:.1} ms",
        program.modules.len(),
        lines(&program),
        seconds * 1e6 / nodes.max(1) as f64,
        slice * 1e3
    );
    let goal = (part == PARTS).then_some(1.0);
    let name = format!("{part}/{PARTS} of stdlib");
    Ok(Ratio { name, ours: seconds + slice, theirs: WHOLE, goal, detail })
}
