//! The judge: javac and the JVM.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

pub(crate) struct Unit {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The release of Java that it needs.
    pub(crate) release: u32,
}

/// A `java` that knows a release: the one on the path for old ones, else the newest installed.
fn java(release: u32) -> Option<PathBuf> {
    if release <= 17 {
        return Some(PathBuf::from("java"));
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/usr/lib/jvm").ok()?.flatten() {
        let Ok(text) = std::fs::read_to_string(entry.path().join("release")) else { continue };
        let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""));
        let number = version.and_then(|it| it.split(['.', '"']).next()?.parse::<u32>().ok());
        found.extend(number.map(|number| (number, entry.path().join("bin/java"))));
    }
    let newest = found.into_iter().max()?;
    (newest.0 >= release).then_some(newest.1)
}

/// What every unit shows, by its name; nothing of those for which there is no JDK.
pub(crate) fn judge(units: &[Unit]) -> BTreeMap<String, String> {
    let mut shown = BTreeMap::new();
    for is_new in [false, true] {
        let units: Vec<&Unit> = units.iter().filter(|it| (it.release > 17) == is_new).collect();
        if !units.is_empty() {
            let release = if is_new { 21 } else { 17 };
            shown.extend(ask(&units, release).into_iter().flatten());
        }
    }
    shown
}

/// Imports have to stand in front; the judge puts a package in front of all.
fn ask(units: &[&Unit], release: u32) -> Option<Vec<(String, String)>> {
    let judge = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judge/Judge.java");
    let child = Command::new(java(release)?)
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k", judge])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn();
    // Without a JDK there is nobody to ask.
    let mut child = child.ok()?;
    let mut input = Vec::new();
    writeln!(input, "{}", units.len()).ok()?;
    for unit in units {
        write!(input, "{}\n{}\n{}", unit.name, unit.text.len(), unit.text).ok()?;
    }
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    Some(lines.map(|(name, shown)| (name.to_owned(), shown.to_owned())).collect())
}
