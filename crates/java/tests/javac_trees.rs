//! Our trees against javac's: the same kinds at the same places, with the same names and values.
//!
//! `written` compares the files of `tests/java`, where a JDK is that knows their release; what that
//! says is beside them in `.tree` files (`UPDATE_EXPECT=1` writes them), with which `kept` compares
//! without a JDK. With `JAVA_FULL=1` `library` compares the sources
//! of the JDK, where they are installed (Debian: `openjdk-17-source`), and prints how many nodes
//! were compared and what both parsers took. `JAVA_ONLY=part/of/a/path` leaves out the others.

#[path = "support/judge.rs"]
mod judge;
#[path = "support/view/mod.rs"]
mod view;

use std::path::{Path, PathBuf};

use judge::{Jdk, Judged, judge_files};
use rustix::time::{ClockId, clock_gettime};

/// How many differences are shown.
const SHOWN: usize = 40;

#[derive(Default)]
struct Comparison {
    files: usize,
    nodes: usize,
    bytes: usize,
    /// Files that javac reports errors for: what it makes of those is its own business.
    wrong: usize,
    differing_nodes: usize,
    differences: Vec<String>,
    nanoseconds: u64,
}

impl Comparison {
    fn add(&mut self, judged: &Judged, release: u32) {
        let bytes = std::fs::read(&judged.path).expect("the file is there");
        let before = cpu();
        let tree = java::read(&bytes);
        self.nanoseconds += cpu() - before;
        self.files += 1;
        self.bytes += bytes.len();
        let path = judged.path.display();
        if !judged.errors.is_empty() {
            self.wrong += 1;
            if tree.diagnostics.is_empty() {
                self.differences.push(format!("{path}: javac alone reports {:?}", judged.errors));
            }
            return;
        }
        if let Some(diagnostic) = tree.diagnostics.first() {
            let place = tree.source.place(diagnostic.span.start);
            self.differences.push(format!("{path}:{place:?}: {}", diagnostic.message));
            self.differing_nodes += 1;
            return;
        }
        let lines = view::lines(&tree, release);
        self.nodes += judged.lines.bytes().filter(|&byte| byte == b'\n').count();
        if lines != judged.lines {
            let pairs = lines.lines().zip(judged.lines.lines());
            let differing = pairs.clone().filter(|(ours, theirs)| ours != theirs).count();
            self.differing_nodes += differing.max(1);
            let first = pairs.into_iter().find(|(ours, theirs)| ours != theirs);
            let (ours, theirs) = first.unwrap_or(("the end", "the end"));
            let offset = ours.split(' ').nth(2).and_then(|start| start.parse().ok());
            let place = tree.source.place(offset.unwrap_or(0));
            self.differences.push(format!("{path}:{place:?}\n   ours  {ours}\n   javac {theirs}"));
        }
    }

    fn check(&self) {
        for difference in self.differences.iter().take(SHOWN) {
            println!("{difference}");
        }
        assert!(self.differences.is_empty(), "{} files differ", self.differences.len());
    }
}

fn cpu() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Compares files, on a thread whose stack is as deep as the judge's.
fn compare(jdk: Jdk, name: &str, files: Vec<PathBuf>) -> (Comparison, u64) {
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.list"));
    let text: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    std::fs::write(&list, text).expect("the list is written");
    let work = move || {
        let mut comparison = Comparison::default();
        let release = jdk.release;
        let took = judge_files(&jdk, &["trees", &list.to_string_lossy()], |judged| {
            keep(&judged, release);
            comparison.add(&judged, release);
        });
        (comparison, took)
    };
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(work).expect("a thread");
    thread.join().expect("the comparison ends")
}

fn java_files(directory: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            java_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            found.push(path);
        }
    }
    if let Ok(only) = std::env::var("JAVA_ONLY") {
        found.retain(|path| path.to_string_lossy().contains(&only));
    }
}

/// What newer releases of javac say of all files, as it was kept.
#[test]
fn kept() {
    let mut files = Vec::new();
    java_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java"), &mut files);
    for path in files {
        let tree = java::read(&std::fs::read(&path).expect("the file is there"));
        let kept = std::fs::read_to_string(path.with_extension("tree")).expect("its tree is kept");
        let first = view::lines(&tree, 21);
        let differing = first.lines().zip(kept.lines()).find(|(ours, theirs)| ours != theirs);
        assert_eq!(differing, None, "{}", path.display());
        assert_eq!(first.lines().count(), kept.lines().count(), "{}", path.display());
    }
}

/// Keeps what a new javac says of the written files.
fn keep(judged: &Judged, release: u32) {
    if std::env::var_os("UPDATE_EXPECT").is_some() && release >= 21 {
        std::fs::write(judged.path.with_extension("tree"), &judged.lines).expect("it is written");
    }
}

/// The files of `tests/java`, by the release of Java that they need, which their directory says.
#[test]
fn written() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    for (release, parts) in [(17, &["17"][..]), (21, &["17", "21"])] {
        let mut files = Vec::new();
        for part in parts {
            java_files(&directory.join(part), &mut files);
        }
        let Some(jdk) = Jdk::for_release(release, "written") else { continue };
        compare(jdk, &format!("written-{release}"), files).0.check();
    }
}

/// The sources of a JDK's library, if they are installed.
fn sources(jdk: &Jdk) -> Option<PathBuf> {
    let usual = [jdk.home.join("lib/src.zip"), jdk.home.join("src.zip")];
    let debian = PathBuf::from(format!("/usr/lib/jvm/openjdk-{}/lib/src.zip", jdk.release));
    usual.into_iter().chain([debian]).find(|path| path.exists())
}

#[test]
fn library() {
    if std::env::var_os("JAVA_FULL").is_none() {
        println!("library: skipped, JAVA_FULL is not set");
        return;
    }
    let found = Jdk::all().into_iter().find_map(|jdk| Some((sources(&jdk)?, jdk)));
    let Some((archive, jdk)) = found else {
        println!("library: skipped, no JDK with sources is installed");
        return;
    };
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("jdk-{}", jdk.release));
    if !directory.exists() {
        let (archive, to) = (archive.to_string_lossy(), directory.to_string_lossy());
        let status = jdk.judge(&["extract", &archive, &to]).wait().expect("the judge ends");
        assert!(status.success(), "the sources are unpacked");
    }
    let mut files = Vec::new();
    java_files(&directory, &mut files);
    let (comparison, took) = compare(jdk, "library", files);
    println!(
        "{} files, {} bytes, {} nodes; {} files with errors in javac; {} nodes in {} files differ; \
         CPU: ours {:.2} s, javac's parser {:.2} s",
        comparison.files,
        comparison.bytes,
        comparison.nodes,
        comparison.wrong,
        comparison.differing_nodes,
        comparison.differences.len(),
        comparison.nanoseconds as f64 / 1e9,
        took as f64 / 1e9,
    );
    comparison.check();
}
