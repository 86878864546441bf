//! What names and calls mean, against javac: `JAVA_FULL=1` compares all of `java.base`.
//!
//! The sources are those that `javac_trees` unpacks; they are resolved against each other alone, no
//! class files are read. `JAVA_ANSWERS=FILE` reads what the judge said before instead of asking it
//! (which takes it minutes), `JAVA_SHOW=N` shows so many differences of each kind.

#[path = "support/judge.rs"]
mod judge;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use java::names::{FileId, World};
use java::tree::Kind;
use judge::{Jdk, Judged};
use rustc_hash::FxHashMap;
use rustix::time::{ClockId, clock_gettime};

/// How many differences are shown of each kind.
const SHOWN: usize = 5;

#[derive(Default, Debug)]
struct Count {
    equal: usize,
    missing: usize,
    different: usize,
}

fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn kind_name(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Name(_) => "IDENTIFIER",
        Kind::Select { .. } => "MEMBER_SELECT",
        Kind::Call { .. } => "METHOD_INVOCATION",
        Kind::New { body: None, .. } => "NEW_CLASS",
        Kind::MethodReference { .. } | Kind::ConstructorReference { .. } => "MEMBER_REFERENCE",
        _ => return None,
    })
}

#[derive(Default)]
struct Comparison {
    counts: BTreeMap<&'static str, Count>,
}

impl Comparison {
    /// Compares one file; everything that the judge knows counts.
    fn add(&mut self, world: &mut World, file: FileId, judged: &Judged) {
        let mut theirs: FxHashMap<&str, &str> = FxHashMap::default();
        for line in judged.lines.lines() {
            let Some((at, _)) = line.match_indices(' ').nth(2) else { continue };
            theirs.insert(&line[..at], &line[at + 1..]);
        }
        let tree = Arc::clone(&world.files[file.0 as usize].tree);
        let shown = std::env::var("JAVA_SHOW").ok().and_then(|it| it.parse().ok());
        let shown = shown.unwrap_or(SHOWN);
        for id in tree.ids() {
            let Some(kind) = kind_name(tree.kind(id)) else { continue };
            let span = tree.span(id);
            let key = format!("{kind} {} {}", span.start, span.end);
            let Some(&expected) = theirs.get(key.as_str()) else { continue };
            if expected == "?" {
                continue;
            }
            let symbol = world.files[file.0 as usize].symbols[id.index()];
            let ours = symbol.map(|symbol| world.describe(symbol));
            let count = self.counts.entry(kind).or_default();
            match &ours {
                Some(ours) if ours == expected => {
                    count.equal += 1;
                    continue;
                }
                Some(_) => count.different += 1,
                None => count.missing += 1,
            }
            if count.missing + count.different <= shown {
                let (line, column) = tree.source.place(span.start);
                let text: String = tree.text(id).chars().take(100).collect();
                let path = judged.path.display();
                let ours = ours.unwrap_or_default();
                println!(
                    "{path}:{line}:{column}: {kind} {text:?}\n   ours  {ours}\n   javac {expected}"
                );
            }
        }
    }
}

fn java_files(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        match path.is_dir() {
            true => java_files(&path, found),
            false if path.extension().is_some_and(|it| it == "java") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn base() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jdk-17/java.base");
    if std::env::var_os("JAVA_FULL").is_none() || !directory.exists() {
        println!("base: skipped, JAVA_FULL is not set or the sources were not unpacked");
        return;
    }
    let mut files = Vec::new();
    java_files(&directory, &mut files);
    let before = cpu();
    let trees = files.iter().map(|path| Arc::new(java::read(&std::fs::read(path).unwrap())));
    let mut world = World::new(trees.collect());
    let headers = cpu();
    for index in 0..files.len() {
        world.resolve(FileId(index as u32));
    }
    let done = cpu();
    println!("read and declared in {:.1} s, resolved in {:.1} s", headers - before, done - headers);
    let by_path: FxHashMap<PathBuf, FileId> =
        files.iter().enumerate().map(|(at, path)| (path.clone(), FileId(at as u32))).collect();
    let mut comparison = Comparison::default();
    let mut each = |judged: Judged| {
        assert_eq!(judged.errors, [], "{}", judged.path.display());
        if let Some(&file) = by_path.get(&judged.path) {
            comparison.add(&mut world, file, &judged);
        }
    };
    let took = match std::env::var_os("JAVA_ANSWERS") {
        Some(answers) => {
            let answers = std::fs::File::open(answers).unwrap();
            judge::read_answers(answers, &mut each)
        }
        None => {
            let Some(jdk) = Jdk::for_release(17, "base") else { return };
            let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symbols.list");
            let text: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
            std::fs::write(&list, text).unwrap();
            let patch = format!("java.base={}", directory.display());
            let args = ["symbols", &list.to_string_lossy(), "--patch-module", &patch];
            Some(judge::judge_files(&jdk, &args, &mut each))
        }
    };
    println!("javac took {:.1} s of CPU", took.unwrap_or_default() as f64 / 1e9);
    for (kind, count) in &comparison.counts {
        let all = count.equal + count.missing + count.different;
        println!(
            "{kind}: {all}, equal {:.3} %, {} missing, {} different",
            count.equal as f64 * 100.0 / all as f64,
            count.missing,
            count.different
        );
    }
}
