//! Dependence graphs and slices: of single modules against the limits of a module of 1,000 lines, and of
//! growing parts of OTP's stdlib as one program.

use std::time::Instant;

use program::{LoadOptions, Program};
use slice::{Graph, Options};

use super::{Benchmark, Context, Ratio, otp_sources};

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

fn run(_: &Context) -> Result<Vec<Ratio>, String> {
    let mut files = otp_sources()?;
    files.retain(|path| path.to_string_lossy().contains("/stdlib-"));
    if files.is_empty() {
        return Err("no sources of stdlib".into());
    }
    let mut ratios = modules(&files)?;
    for part in 1..=PARTS {
        ratios.push(whole(&files[..files.len() * part / PARTS], part)?);
    }
    Ok(ratios)
}

fn load(paths: &[std::path::PathBuf]) -> Result<Program, String> {
    let options = LoadOptions { without_lint: true, ..LoadOptions::default() };
    Program::load(paths, &options).map_err(|error| error.to_string())
}

fn lines(program: &Program) -> usize {
    let files = program.modules.iter().filter_map(|module| module.tree.files.first());
    files.map(|file| file.line_starts.len()).sum()
}

/// Seconds for the mean slice of a sample.
fn slices(graph: &Graph<'_>) -> (f64, usize) {
    let criteria = graph.criteria();
    let step = (criteria.len() / SAMPLE).max(1);
    let chosen: Vec<_> = criteria.into_iter().step_by(step).collect();
    let began = Instant::now();
    for (site, _) in &chosen {
        std::hint::black_box(graph.backward(&[*site]).reached());
    }
    (began.elapsed().as_secs_f64() / chosen.len().max(1) as f64, chosen.len())
}

/// Each module alone: the means for 1,000 lines.
fn modules(files: &[std::path::PathBuf]) -> Result<Vec<Ratio>, String> {
    let (mut total, mut build, mut slicing, mut count) = (0, 0.0, 0.0, 0);
    for file in files {
        let program = load(std::slice::from_ref(file))?;
        let flow =
            flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
        let began = Instant::now();
        let graph = Graph::build(&program, &flow, Options::default());
        build += began.elapsed().as_secs_f64();
        let size = lines(&program);
        total += size;
        let (seconds, sliced) = slices(&graph);
        if sliced > 0 {
            slicing += seconds * 1000.0 / size.max(1) as f64;
            count += 1;
        }
    }
    let thousands = total as f64 / 1000.0;
    let detail = format!("{} modules, {total} lines, each alone", files.len());
    let mean = slicing / f64::from(count.max(1));
    Ok(vec![
        Ratio {
            name: "graph of 1,000 lines".into(),
            ours: build / thousands.max(0.001),
            theirs: GRAPH,
            goal: Some(1.0),
            detail: format!("{detail}: {:.2} ms for 1,000 lines", build * 1e3 / thousands),
        },
        Ratio {
            name: "slice in 1,000 lines".into(),
            ours: mean,
            theirs: SLICE,
            goal: Some(1.0),
            detail: format!("{detail}: {:.3} ms for 1,000 lines, mean of modules", mean * 1e3),
        },
    ])
}

/// Modules as one program.
fn whole(files: &[std::path::PathBuf], part: usize) -> Result<Ratio, String> {
    let program = load(files)?;
    let began = Instant::now();
    let flow =
        flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
    let flowed = began.elapsed().as_secs_f64();
    let graph = Graph::build(&program, &flow, Options::default());
    let seconds = began.elapsed().as_secs_f64();
    let (nodes, edges) = graph.size();
    let (slice, _) = slices(&graph);
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
