//! Completeness by running: every slice compiles with javac and shows the same values.
//!
//! In a program every use of a variable that holds a number or a text is a criterion. It is wrapped
//! in a probe, `Probe.at(K, x)`; the program with that probe is sliced for the `x` in it, and what
//! the slice shows is compared with what the program shows: the values of the original are the
//! first of the slice. One JVM compiles and runs everything (`judge/Judge.java`). Without a JDK
//! nothing is compared.
//!
//! `JAVA_SLICE_ALL=1` takes all criteria, else a part of them; `JAVA_SLICE_GENERATED=N` makes N
//! programs.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use java::names::{FileId, Symbol};
use java::tree::{Kind, NodeId, UnaryOp};
use java_slice::{Graph, Program, Site, SourceFile, Wanted};

mod generate;

struct Unit {
    name: String,
    text: String,
}

fn program(text: &str) -> Program {
    let tree = Arc::new(java::read_text(text));
    assert_eq!(tree.diagnostics, [], "{text}");
    Program::new(vec![SourceFile { path: "Main.java".into(), tree }])
}

/// The places in a text that can be wrapped.
fn criteria(program: &Program) -> Vec<(usize, usize)> {
    let tree = program.tree(FileId(0));
    let mut found = Vec::new();
    for site in program.uses() {
        let Some(Symbol::Local(declared, _)) = program.symbol(site) else { continue };
        let parent = program.parent(site);
        let is_written = parent.is_some_and(|parent| match tree.kind(parent) {
            Kind::Assign { target, .. } | Kind::CompoundAssign { target, .. } => {
                target == site.node
            }
            Kind::Unary { op, .. } => matches!(
                op,
                UnaryOp::PreIncrement
                    | UnaryOp::PreDecrement
                    | UnaryOp::PostIncrement
                    | UnaryOp::PostDecrement
            ),
            Kind::Case { .. } => true,
            _ => false,
        });
        let span = tree.span(site.node);
        if !is_written && is_plain(program, declared) {
            found.push((span.start as usize, span.end as usize));
        }
    }
    found.sort_unstable();
    found
}

fn is_plain(program: &Program, declared: NodeId) -> bool {
    let site = Site { file: FileId(0), node: declared };
    let tree = program.tree(FileId(0));
    let ty = match tree.kind(declared) {
        Kind::Parameter { ty: Some(ty), dims, .. } if dims.is_empty() => ty,
        Kind::Variable { dims, .. } if dims.is_empty() => {
            match program.parent(site).map(|parent| tree.kind(parent)) {
                Some(Kind::Variables { ty, .. }) => ty,
                _ => return false,
            }
        }
        _ => return false,
    };
    match tree.kind(ty) {
        Kind::Primitive(_) => true,
        Kind::Name(name) => matches!(name.as_str(), "String" | "Integer"),
        _ => false,
    }
}

fn wrapped(text: &str, all: &[(usize, (usize, usize))]) -> String {
    let mut out = String::new();
    let mut at = 0;
    for &(number, (start, end)) in all {
        out.push_str(&text[at..start]);
        out.push_str(&format!("Probe.at({number}, {})", &text[start..end]));
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

/// Imports have to stand in front; the judge puts a package in front of all.
fn judge(units: &[Unit]) -> Option<BTreeMap<String, String>> {
    let judge = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/judge/Judge.java");
    let child = Command::new("java")
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", judge])
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

/// The values that one probe shows.
fn shown(log: &str, number: usize) -> Vec<&str> {
    let wanted = number.to_string();
    let values = log.split(';').filter_map(|entry| entry.split_once('='));
    values.filter(|(at, _)| *at == wanted).map(|(_, value)| value).collect()
}

fn sliced(text: &str, number: usize, place: (usize, usize)) -> (String, f64) {
    let probed = wrapped(text, &[(number, place)]);
    let program = program(&probed);
    let tree = program.tree(FileId(0));
    let at = place.0 + format!("Probe.at({number}, ").len();
    let node = tree.ids().find(|&node| {
        matches!(tree.kind(node), Kind::Name(_)) && tree.span(node).start as usize == at
    });
    let site = Site { file: FileId(0), node: node.expect("the name is there") };
    let wanted = [Wanted { site, members: None }];
    let graph = Graph::build(&program, &wanted);
    let slice = graph.backward(&wanted);
    let share = slice.size() as f64 / tree.nodes.len() as f64;
    (slice.source(FileId(0)).unwrap_or_default().to_owned(), share)
}

fn check(programs: &[(String, String)], step: usize) {
    let mut units = Vec::new();
    let mut cases = Vec::new();
    let mut shares = Vec::new();
    for (index, (name, text)) in programs.iter().enumerate() {
        let all = criteria(&program(text));
        let numbered: Vec<(usize, (usize, usize))> = all.iter().copied().enumerate().collect();
        units.push(Unit { name: format!("o{index}"), text: wrapped(text, &numbered) });
        for &(number, place) in numbered.iter().skip(index % step).step_by(step) {
            let (slice, share) = sliced(text, number, place);
            shares.push(share);
            let unit = format!("s{index}_{number}");
            cases.push((index, number, unit.clone(), name.clone()));
            units.push(Unit { name: unit, text: slice });
        }
    }
    let Some(found) = judge(&units) else { return };
    assert!(!found.is_empty(), "the judge says nothing");
    let texts: BTreeMap<&str, &str> =
        units.iter().map(|unit| (unit.name.as_str(), unit.text.as_str())).collect();
    let mut failures = Vec::new();
    for (index, number, unit, name) in &cases {
        let original = found.get(&format!("o{index}")).cloned().unwrap_or_default();
        assert!(!original.starts_with('!'), "{name} does not compile: {original}");
        let of_slice = found.get(unit).cloned().unwrap_or_default();
        let (before, after) = (shown(&original, *number), shown(&of_slice, *number));
        if of_slice.starts_with('!') || !after.starts_with(&before) {
            let what = if of_slice.starts_with('!') {
                of_slice
            } else {
                format!("{before:?} but {after:?}")
            };
            failures.push(format!("{name} {number}: {what}\n{}", texts[unit.as_str()]));
        }
    }
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    eprintln!(
        "{} slices of {} programs, {:.1} % of the nodes left",
        cases.len(),
        programs.len(),
        mean * 100.0
    );
    let count = failures.len();
    failures.truncate(
        std::env::var("JAVA_SLICE_SHOW").ok().and_then(|it| it.parse().ok()).unwrap_or(12),
    );
    assert!(failures.is_empty(), "{count} failures\n{}", failures.join("\n----\n"));
}

#[test]
fn written() {
    let data = include_str!("data/programs.java.txt");
    let programs: Vec<(String, String)> = data
        .split("//// ")
        .skip(1)
        .filter_map(|part| part.split_once('\n'))
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .collect();
    let step = if std::env::var_os("JAVA_SLICE_ALL").is_some() { 1 } else { 5 };
    check(&programs, step);
}

#[test]
fn generated() {
    let count = std::env::var("JAVA_SLICE_GENERATED").ok().and_then(|it| it.parse().ok());
    let programs: Vec<(String, String)> = (0..count.unwrap_or(30))
        .map(|seed| (format!("generated {seed}"), generate::program(seed)))
        .collect();
    for chunk in programs.chunks(150) {
        check(chunk, 7);
    }
}
