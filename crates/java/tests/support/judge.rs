//! javac as the judge: `tests/judge/Judge.java`, run by a JDK that is installed.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A JDK with a compiler.
#[derive(Clone, Debug)]
pub(crate) struct Jdk {
    pub(crate) home: PathBuf,
    /// 17, 21, …
    pub(crate) release: u32,
}

impl Jdk {
    /// All that are installed where they usually are, oldest first.
    pub(crate) fn all() -> Vec<Jdk> {
        let mut homes: Vec<PathBuf> =
            std::env::var_os("JAVA_HOME").map(PathBuf::from).into_iter().collect();
        for directory in ["/usr/lib/jvm", "/opt"] {
            let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
            homes.extend(entries.map(|entry| entry.path()));
        }
        let mut found: Vec<Jdk> = homes.iter().filter_map(|home| Jdk::at(home)).collect();
        found.sort_by(|a, b| (a.release, &a.home).cmp(&(b.release, &b.home)));
        found.dedup_by(|a, b| a.home == b.home);
        found
    }

    fn at(home: &Path) -> Option<Jdk> {
        let home = home.canonicalize().ok()?;
        if !home.join("bin/javac").exists() {
            return None;
        }
        let text = std::fs::read_to_string(home.join("release")).ok()?;
        let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
        let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
        Some(Jdk { release: digits.parse().ok()?, home })
    }

    /// The oldest that knows a release, or a word on why the test is skipped.
    pub(crate) fn for_release(release: u32, test: &str) -> Option<Jdk> {
        let found = Jdk::all().into_iter().find(|jdk| jdk.release >= release);
        if found.is_none() {
            println!("{test}: skipped, there is no JDK {release} or later");
        }
        found
    }

    pub(crate) fn judge(&self, args: &[&str]) -> Child {
        Command::new(self.home.join("bin/java"))
            .args(["-Xss512m", "-Xmx3g"])
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judge/Judge.java"))
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .expect("java runs")
    }
}

/// What the judge says of one file.
pub(crate) struct Judged {
    pub(crate) path: PathBuf,
    /// Where each error stands, and its key.
    pub(crate) errors: Vec<(i64, String)>,
    pub(crate) lines: String,
}

/// Runs the judge over files and hands each of its answers over; the nanoseconds that javac took.
pub(crate) fn judge_files(jdk: &Jdk, args: &[&str], mut each: impl FnMut(Judged)) -> u64 {
    let mut child = jdk.judge(args);
    let stdout = child.stdout.take().expect("a pipe");
    let took = read_answers(stdout, &mut each);
    assert!(child.wait().expect("the judge ends").success(), "the judge failed");
    took.expect("the judge came to its end")
}

/// Reads answers; the nanoseconds that javac took, if they are complete.
pub(crate) fn read_answers(answers: impl Read, each: &mut impl FnMut(Judged)) -> Option<u64> {
    let mut reader = BufReader::with_capacity(1 << 20, answers);
    let mut current: Option<Judged> = None;
    let mut line = String::new();
    loop {
        line.clear();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(path) = line.strip_prefix("F ") {
            let next = Judged {
                path: PathBuf::from(path.trim_end()),
                errors: Vec::new(),
                lines: String::new(),
            };
            if let Some(done) = current.replace(next) {
                each(done);
            }
        } else if let Some(error) = line.strip_prefix("E ") {
            let (place, key) = error.trim_end().split_once(' ')?;
            current.as_mut()?.errors.push((place.parse().ok()?, key.to_owned()));
        } else if let Some(nanoseconds) = line.strip_prefix("T ") {
            if let Some(done) = current.take() {
                each(done);
            }
            return nanoseconds.trim_end().parse().ok();
        } else {
            current.as_mut()?.lines.push_str(&line);
        }
    }
}
