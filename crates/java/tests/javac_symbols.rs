//! What names and calls mean, against javac: `JAVA_FULL=1` compares modules of the JDK, those of
//! `JAVA_MODULES` (`java.base` if it is not set; names with blanks between them).
//!
//! The sources are those that `javac_trees` unpacks; all of them are read, and resolved against
//! each other alone, no class files are read. `JAVA_ANSWERS=DIRECTORY` has what the judge said
//! before (`MODULE.sym`) instead of asking it (which takes it minutes), `JAVA_SHOW=N` shows so
//! many differences of each kind.

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
        Kind::EnumConstant { args, body: None, .. } if !args.is_empty() => "NEW_CLASS",
        Kind::MethodReference { .. } | Kind::ConstructorReference { .. } => "MEMBER_REFERENCE",
        _ => return None,
    })
}

#[derive(Default)]
struct Comparison {
    counts: BTreeMap<&'static str, Count>,
    /// What javac has an answer for and we have no node for, and the other way round. What javac
    /// itself put into the tree has no end and does not count.
    only_theirs: usize,
    only_ours: usize,
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
            let mut span = tree.span(id);
            if let Kind::EnumConstant { name_at, .. } = tree.kind(id) {
                // To javac the creation of a constant begins with its arguments.
                let text = &tree.source.text[name_at as usize..];
                span.start = name_at + text.find('(').unwrap_or(0) as u32;
            }
            let key = format!("{kind} {} {}", span.start, span.end);
            let Some(expected) = theirs.remove(key.as_str()) else {
                self.only_ours += 1;
                continue;
            };
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
        // Creations of anonymous classes are not compared.
        let written = theirs.iter().filter(|(key, symbol)| {
            !key.ends_with(" -1") && !symbol.starts_with("M local:#<init>")
        });
        let mut written: Vec<_> = written.collect();
        written.sort();
        for (key, symbol) in &written {
            self.only_theirs += 1;
            if self.only_theirs <= shown {
                println!("{}: no node for {key}: {symbol}", judged.path.display());
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

/// What the judge says of the files of a module.
fn ask(directory: &Path, module: &str, files: &[PathBuf], each: &mut impl FnMut(Judged)) -> u64 {
    if let Some(answers) = std::env::var_os("JAVA_ANSWERS") {
        let answers = Path::new(&answers).join(format!("{module}.sym"));
        let answers = std::fs::File::open(answers).expect("the answers are there");
        return judge::read_answers(answers, each).expect("the answers are complete");
    }
    let jdk = Jdk::for_release(17, "modules").expect("a JDK");
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symbols.list");
    let text: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    std::fs::write(&list, text).expect("the list is written");
    let patch = format!("{module}={}", directory.join(module).display());
    judge::judge_files(&jdk, &["symbols", &list.to_string_lossy(), "--patch-module", &patch], each)
}

#[test]
fn modules() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jdk-17");
    if std::env::var_os("JAVA_FULL").is_none() || !directory.exists() || Jdk::all().is_empty() {
        println!("modules: skipped, JAVA_FULL is not set, or there are no sources or no JDK");
        return;
    }
    let mut files = Vec::new();
    java_files(&directory, &mut files);
    let before = cpu();
    let trees =
        files.iter().map(|path| Arc::new(java::read(&std::fs::read(path).expect("a file"))));
    let mut world = World::new(trees.collect());
    println!("{} files read and declared in {:.1} s of CPU", files.len(), cpu() - before);
    let wanted = std::env::var("JAVA_MODULES").unwrap_or("java.base".to_owned());
    for module in wanted.split_whitespace() {
        let mut by_path: FxHashMap<PathBuf, FileId> = FxHashMap::default();
        let mut paths = Vec::new();
        let before = cpu();
        for (index, path) in files.iter().enumerate() {
            if path.starts_with(directory.join(module)) {
                world.resolve(FileId(index as u32));
                by_path.insert(path.clone(), FileId(index as u32));
                paths.push(path.clone());
            }
        }
        let resolved = cpu() - before;
        let mut comparison = Comparison::default();
        let mut wrong = 0;
        let took = ask(&directory, module, &paths, &mut |judged: Judged| {
            wrong += usize::from(!judged.errors.is_empty());
            if let Some(&file) = by_path.get(&judged.path) {
                comparison.add(&mut world, file, &judged);
            }
        });
        println!(
            "{module}: {} files ({wrong} with errors in javac), resolved in {resolved:.1} s of CPU; \
             javac reads and attributes in {:.1} s",
            paths.len(),
            took as f64 / 1e9
        );
        let (theirs, ours) = (comparison.only_theirs, comparison.only_ours);
        println!("  {theirs} answers without a node of ours, {ours} nodes without an answer");
        assert!(theirs + ours < 100, "what is compared is nearly everything");
        for (kind, count) in &comparison.counts {
            let all = count.equal + count.missing + count.different;
            let share = count.equal as f64 * 100.0 / all as f64;
            let (missing, different) = (count.missing, count.different);
            println!(
                "  {kind}: {all}, equal {share:.3} %, {missing} missing, {different} different"
            );
            let least = if kind == &"METHOD_INVOCATION" { 99.9 } else { 99.0 };
            assert!(share >= least, "{module}: {kind}");
        }
    }
}
