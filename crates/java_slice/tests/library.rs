//! Slices of whole libraries: their cost, and whether they compile and show the values.
//!
//! `JAVA_SLICE_LIBRARY="DIR DIR…"` has the sources; nothing is done without it. What is printed:
//! files, lines, CPU for reading, for the graph and for a slice, the memory of all that, and which
//! part of the nodes is left. With `JAVA_SLICE_DRIVER=FILE`, a class with a `main` that uses the
//! library, `JAVA_SLICE_CRITERIA=N` variables that its run uses (100 if it is not set) become
//! criteria.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use java::names::FileId;
use java_slice::{Graph, Program, Site, SourceFile, Wanted, When};
use rustix::time::{ClockId, clock_gettime};

#[allow(dead_code, reason = "each test uses its part")]
mod support;

use support::judge::{Unit, judge};
use support::probes::{CALL, PROBE, criteria, wrapped};

fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The most memory that this process had so far, in MB.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<usize>().ok()).unwrap_or(0) / 1024
}

fn below(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        if path.is_dir() {
            below(&path, found);
        } else if name.ends_with(".java") && !name.ends_with("-info.java") {
            found.push(path);
        }
    }
}

struct Library {
    texts: Vec<(PathBuf, String)>,
}

impl Library {
    fn open() -> Option<Library> {
        let dirs = std::env::var("JAVA_SLICE_LIBRARY").ok()?;
        let mut paths = Vec::new();
        dirs.split_whitespace().for_each(|dir| below(Path::new(dir), &mut paths));
        let text = |path: PathBuf| {
            let bytes = std::fs::read(&path).ok()?;
            let text = java::read(&bytes).source.text.to_string();
            Some((path, text))
        };
        Some(Library { texts: paths.into_iter().filter_map(text).collect() })
    }

    /// The program with some of its texts replaced.
    fn program(&self, changed: Option<(usize, &str)>) -> Program {
        let files = self.texts.iter().enumerate().map(|(index, (path, text))| {
            let text = match changed {
                Some((at, changed)) if at == index => changed,
                _ => text,
            };
            SourceFile { path: path.clone(), tree: Arc::new(java::read_text(text)) }
        });
        Program::new(files.collect())
    }
}

fn pick(state: &mut u64, count: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % count.max(1) as u64) as usize
}

#[test]
fn cost() {
    let Some(library) = Library::open() else { return };
    let before = cpu();
    let program = library.program(None);
    let read = cpu() - before;
    let lines: usize = library.texts.iter().map(|(_, text)| text.lines().count()).sum();
    let mut all = Vec::new();
    for file in 0..library.texts.len() {
        let file = FileId(file as u32);
        let places = criteria(&program, file);
        let tree = program.tree(file);
        let starts: std::collections::BTreeMap<_, _> = places.iter().map(|it| (*it, ())).collect();
        for node in tree.ids() {
            let span = tree.span(node);
            if starts.contains_key(&(span.start as usize, span.end as usize)) {
                all.push(Wanted { site: Site { file, node }, members: None });
            }
        }
    }
    let mut state = 88_172_645_463_325_252;
    let some: Vec<Wanted> = (0..100).map(|_| all[pick(&mut state, all.len())]).collect();
    let before = cpu();
    let graph = Graph::build(&program, &some[..1]);
    let built = cpu() - before;
    let (nodes, edges) = graph.size();
    let before = cpu();
    let mut share = 0.0;
    let mut most: f64 = 0.0;
    for wanted in &some {
        let before = cpu();
        share += graph.count(&[*wanted]) as f64 / nodes as f64;
        most = most.max(cpu() - before);
    }
    let sliced = (cpu() - before) / some.len() as f64;
    let before = cpu();
    let mut text_share = 0.0;
    let size: usize = program.files.iter().map(|file| file.tree.nodes.len()).sum();
    let texts = 10.min(some.len());
    for wanted in &some[..texts] {
        text_share += graph.backward(&[*wanted]).size() as f64 / size as f64;
    }
    let printed = (cpu() - before) / texts as f64;
    println!(
        "{} files, {lines} lines: read in {read:.2} s of CPU, graph ({nodes} nodes, {edges} \
         edges) {built:.2} s, a slice {:.1} ms (at most {:.1}), with its text {:.0} ms, {} MB; \
         left: {:.1} % of the graph, {:.1} % of the trees",
        library.texts.len(),
        sliced * 1e3,
        most * 1e3,
        printed * 1e3,
        memory(),
        share / some.len() as f64 * 100.0,
        text_share / texts as f64 * 100.0,
    );
}

/// A program of several files for the judge.
fn several(main: &str, files: &[(String, String)]) -> String {
    let mut out = format!("@FILES {main}\n");
    for (path, text) in files {
        out.push_str(&format!("@@ {path}\n{text}\n"));
    }
    out
}

fn shown(log: &str, number: usize) -> Vec<&str> {
    let wanted = number.to_string();
    let values = log.split('\u{1}').filter_map(|entry| entry.split_once('='));
    values.filter(|(at, _)| *at == wanted).map(|(_, value)| value).collect()
}

#[test]
fn runs() {
    let (Some(mut library), Ok(driver)) = (Library::open(), std::env::var("JAVA_SLICE_DRIVER"))
    else {
        return;
    };
    let text = std::fs::read_to_string(&driver).expect("the driver is there");
    let main = Path::new(&driver).file_stem().and_then(|it| it.to_str()).unwrap_or("Main");
    library.texts.push((PathBuf::from(&driver), text));
    library.texts.push((PathBuf::from("Probe.java"), PROBE.to_owned()));
    let count = std::env::var("JAVA_SLICE_CRITERIA").ok().and_then(|it| it.parse().ok());
    let program = library.program(None);
    let last = library.texts.len() - 1;
    let mut all = Vec::new();
    for file in 0..last {
        let places = criteria(&program, FileId(file as u32));
        all.extend(places.into_iter().map(|place| (file, place)));
    }
    let name = |file: usize| {
        format!(
            "f{file}/{}",
            library.texts[file].0.file_name().and_then(|it| it.to_str()).unwrap_or("Main.java")
        )
    };
    // Many candidates, of which most are not reached by the run.
    let mut state: u64 = std::env::var("JAVA_SLICE_SEED")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(88_172_645_463_325_252);
    let mut chosen: Vec<(usize, (usize, usize))> =
        (0..count.unwrap_or(100) * 4).map(|_| all[pick(&mut state, all.len())]).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let mut files = Vec::new();
    for (file, (_, text)) in library.texts[..last].iter().enumerate() {
        let mut end = 0;
        let mut own = Vec::new();
        for (number, (at, place)) in chosen.iter().enumerate() {
            if *at == file && place.0 >= end {
                own.push((number, *place));
                end = place.1;
            }
        }
        files.push((name(file), wrapped(text, &own)));
    }
    let unit = |name: String, files: &[(String, String)]| Unit {
        name,
        text: several(main, files),
        release: 17,
    };
    let found = judge(&[unit("o".to_owned(), &files)]);
    let Some(original) = found.get("o").cloned() else { return };
    assert!(!original.starts_with('!'), "the library does not compile: {original}");
    let reached: Vec<usize> =
        (0..chosen.len()).filter(|&number| !shown(&original, number).is_empty()).collect();
    let reached: Vec<usize> = reached.into_iter().take(count.unwrap_or(100)).collect();
    let mut units = Vec::new();
    let mut share = 0.0;
    for &number in &reached {
        let (file, place) = chosen[number];
        let probed = wrapped(&library.texts[file].1, &[(number, place)]);
        let program = library.program(Some((file, &probed)));
        let tree = program.tree(FileId(file as u32));
        let at = place.0 + CALL.len() + 1;
        let of = |start: usize, end: Option<usize>| {
            let node = tree.ids().find(|&node| {
                let span = tree.span(node);
                span.start as usize == start && end.is_none_or(|end| span.end as usize == end)
            });
            Site { file: FileId(file as u32), node: node.expect("it is there") }
        };
        let value = at + format!("{number}, ").len();
        let wanted = [
            Wanted {
                site: of(value, Some(value + place.1 - place.0)),
                members: Some(When::Before),
            },
            Wanted { site: of(at, None), members: None },
        ];
        let graph = Graph::build(&program, &wanted);
        let slice = graph.backward(&wanted);
        let size: usize = program.files.iter().map(|file| file.tree.nodes.len()).sum();
        share += slice.size() as f64 / size as f64;
        let files: Vec<(String, String)> = (0..last)
            .filter_map(|file| Some((name(file), slice.source(FileId(file as u32))?.to_owned())))
            .collect();
        units.push(unit(format!("s{number}"), &files));
    }
    let found = judge(&units);
    let mut failures = Vec::new();
    for (&number, unit) in reached.iter().zip(&units) {
        let after = found.get(&format!("s{number}")).cloned().unwrap_or_default();
        let before = shown(&original, number);
        let values = shown(&after, number);
        if after.starts_with('!') || !values.starts_with(&before) {
            let (file, place) = chosen[number];
            let text = &library.texts[file].1;
            let line = text[..place.0].lines().count();
            let what = if after.starts_with('!') {
                after
            } else {
                let at = before.iter().zip(&values).position(|(one, two)| one != two);
                let at = at.unwrap_or(values.len());
                format!("{at}: {:?} but {:?}", before.get(at), values.get(at))
            };
            if let Some(dir) = std::env::var_os("JAVA_SLICE_KEEP") {
                let _ = std::fs::write(Path::new(&dir).join(format!("s{number}.txt")), &unit.text);
            }
            let what: String = what.chars().take(900).collect();
            failures.push(format!("{}:{line} {number}: {what}", library.texts[file].0.display()));
        }
    }
    println!(
        "{} slices, {:.1} % of the nodes left, {} failures",
        reached.len(),
        share / reached.len().max(1) as f64 * 100.0,
        failures.len()
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
