//! Dependence graphs and slices: of single modules against the limits of a module of 1,000 lines, and of
//! growing parts of OTP's stdlib as one program. Times are those of the processor, so that a busy machine
//! does not change them (much).

use std::time::Instant;

use program::{LoadOptions, Program};
use slice::{Graph, Options};

use super::flow::exponent;
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

fn load(paths: &[std::path::PathBuf]) -> Result<Program, String> {
    let options = LoadOptions { without_lint: true, ..LoadOptions::default() };
    Program::load(paths, &options).map_err(|error| error.to_string())
}

fn lines(program: &Program) -> usize {
    let files = program.modules.iter().filter_map(|module| module.tree.files.first());
    files.map(|file| file.line_starts.len()).sum()
}

/// The time that this thread has had a processor; where the system does not tell, the time that has passed.
struct Clock {
    began: Instant,
    used: Option<f64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { began: Instant::now(), used: Clock::used() }
    }

    fn used() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
        Some(nanoseconds / 1e9)
    }

    fn seconds(&self) -> f64 {
        match (self.used, Clock::used()) {
            (Some(before), Some(now)) => now - before,
            _ => self.began.elapsed().as_secs_f64(),
        }
    }
}

/// Seconds for the mean slice of a sample.
fn slices(graph: &Graph<'_>) -> (f64, usize) {
    let criteria = graph.criteria();
    let step = (criteria.len() / SAMPLE).max(1);
    let chosen: Vec<_> = criteria.into_iter().step_by(step).collect();
    let began = Clock::start();
    for (site, _) in &chosen {
        std::hint::black_box(graph.backward(&[*site]).reached());
    }
    (began.seconds() / chosen.len().max(1) as f64, chosen.len())
}

/// Each module alone: the means for 1,000 lines.
fn modules(files: &[std::path::PathBuf]) -> Result<Vec<Ratio>, String> {
    let (mut total, mut build, mut slicing, mut count) = (0, 0.0, 0.0, 0);
    let mut above = String::new();
    for file in files {
        let program = load(std::slice::from_ref(file))?;
        let flow =
            flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
        let began = Clock::start();
        let graph = Graph::build(&program, &flow, Options::default());
        build += began.seconds();
        let size = lines(&program);
        total += size;
        let (seconds, sliced) = slices(&graph);
        if sliced > 0 {
            let seconds = seconds * 1000.0 / size.max(1) as f64;
            slicing += seconds;
            count += 1;
            if seconds > SLICE {
                let name = file.file_stem().unwrap_or_default().to_string_lossy();
                above += &format!(", {name} {:.1} ms", seconds * 1e3);
            }
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
            detail: format!(
                "{detail}: {:.3} ms for 1,000 lines, mean of modules{above}",
                mean * 1e3
            ),
        },
    ])
}

/// Modules as one program; its nodes and seconds become a point of the curve.
fn whole(
    files: &[std::path::PathBuf],
    part: usize,
    curve: &mut Vec<(f64, f64)>,
) -> Result<Ratio, String> {
    let program = load(files)?;
    let began = Clock::start();
    let flow =
        flow::analyse(&program, &flow::Entry::Exported).map_err(|error| error.to_string())?;
    let flowed = began.seconds();
    let graph = Graph::build(&program, &flow, Options::default());
    let seconds = began.seconds();
    let (nodes, edges) = graph.size();
    curve.push((nodes as f64, seconds));
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
