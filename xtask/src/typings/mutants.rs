//! Specs made wrong, and whether that is found: by us and by dialyzer.
//!
//! `typings --mutants N [APPLICATION…]` copies the sources of OTP's applications and changes one
//! spec of each module, in rounds, until there are N mutants that OTP's compiler accepts. A mutant
//! has a type in the place of an argument or of the result replaced by another, two arguments
//! exchanged, or the result wrapped. Not every one contradicts its code: what is counted is how
//! many are found. *Found* is a warning about that spec which the module as it was does not have.
//! Dialyzer sees the changed modules, and all others as its table has them; we see the same
//! modules, and specs of the others. What dialyzer says of each round is kept under `target`; with
//! `--recorded` that is enough.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use program::index::NameArity;
use program::{LoadOptions, LoadedModule, Program};
use syntax::ast::{Kind, NodeId};
use syntax::source::{FileId, Span};
use types::declared::Declarations;
use types::infer::{Options, Why, infer};

use super::Judge;
use crate::problem::Result;

/// Rounds before it is given up to reach the number that was asked for.
const MOST_ROUNDS: u64 = 40;

/// Types that are put in the place of others.
const OTHERS: &[&str] = &[
    "pid()",
    "{wrong, integer()}",
    "binary()",
    "wrong",
    "[float(), ...]",
    "#{wrong := integer()}",
    "integer()",
    "fun(() -> wrong)",
];

/// A place in a file, by its name and line.
type Place = (String, u32);

/// One spec that was changed.
struct Mutant {
    place: Place,
    /// What it is, for people.
    about: String,
}

/// How many mutants of which applications are compared, and what is told.
pub(super) struct Plan<'a> {
    pub(super) applications: &'a [&'a str],
    pub(super) wanted: usize,
    /// Each that only one of the two finds is shown.
    pub(super) show: bool,
    /// What dialyzer said last time is enough.
    pub(super) recorded: bool,
}

pub(super) fn run(judge: &Judge, plan: &Plan<'_>) -> Result<()> {
    let Plan { applications, wanted, show, recorded } = *plan;
    let mut directories = Vec::new();
    for application in applications {
        directories.push((*application, judge.library(application)?));
    }
    let home = judge.directory.join("mutants");
    let (sources, _) = prepare(&home, &directories, None)?;
    let records = judge.directory.join(format!("mutants-of-{}", applications.join("-")));
    std::fs::create_dir_all(&records)?;
    let record = |round: &str| Record { path: records.join(format!("{round}.txt")), recorded };
    let (before, _) = looked_at(judge, &home, &sources, &record("before"))?;
    let mut tally: BTreeMap<(bool, bool), usize> = BTreeMap::new();
    let (mut done, mut cpu) = (0, (0.0, 0.0));
    for round in 0..MOST_ROUNDS {
        if done >= wanted {
            break;
        }
        let (sources, mutants) = prepare(&home, &directories, Some(round))?;
        let (after, seconds) = looked_at(judge, &home, &sources, &record(&round.to_string()))?;
        cpu = (cpu.0 + seconds.0, cpu.1 + seconds.1);
        for mutant in mutants.iter().filter(|mutant| after.compiled.contains(&mutant.place.0)) {
            let is_new = |now: &BTreeSet<Place>, then: &BTreeSet<Place>| {
                now.contains(&mutant.place) && !then.contains(&mutant.place)
            };
            let ours = is_new(&after.ours, &before.ours);
            let theirs = is_new(&after.theirs, &before.theirs);
            *tally.entry((ours, theirs)).or_insert(0) += 1;
            done += 1;
            if show && ours != theirs {
                let who = if ours { "only we" } else { "only dialyzer" };
                println!("{who}: {}:{}: {}", mutant.place.0, mutant.place.1, mutant.about);
            }
        }
        eprintln!("{done} mutants");
    }
    let count = |key| tally.get(&key).copied().unwrap_or(0);
    let (both, ours, theirs) = (count((true, true)), count((true, false)), count((false, true)));
    println!("mutants of specs: {done}");
    println!("  found by both          {both:>5}");
    println!("  found by us alone      {ours:>5}");
    println!("  found by dialyzer alone{theirs:>5}");
    println!("  found by neither       {:>5}", count((false, false)));
    println!("  CPU seconds, ours / dialyzer's: {:.1} / {:.1}", cpu.0, cpu.1);
    Ok(())
}

/// What both say.
#[derive(Default)]
struct Said {
    /// Files that OTP's compiler accepts.
    compiled: BTreeSet<String>,
    ours: BTreeSet<Place>,
    theirs: BTreeSet<Place>,
}

/// Copies sources and headers, with one spec of each module changed where a round is given.
fn prepare(
    home: &Path,
    directories: &[(&str, PathBuf)],
    round: Option<u64>,
) -> Result<(Vec<PathBuf>, Vec<Mutant>)> {
    let _ = std::fs::remove_dir_all(home);
    let (mut sources, mut mutants) = (Vec::new(), Vec::new());
    for (application, directory) in directories {
        let copy = home.join(application);
        for part in ["src", "include"] {
            std::fs::create_dir_all(copy.join(part))?;
            let Ok(entries) = std::fs::read_dir(directory.join(part)) else { continue };
            for entry in entries {
                let path = entry?.path();
                if let (true, Some(name)) = (path.is_file(), path.file_name()) {
                    std::fs::copy(&path, copy.join(part).join(name))?;
                }
            }
        }
        let options = LoadOptions { without_lint: true, ..LoadOptions::default() };
        let program =
            Program::load(&[copy.join("src")], &options).map_err(|error| error.to_string())?;
        for module in &program.modules {
            if module.index.specs.is_empty() || module.tree.diagnostics.iter().any(is_error) {
                continue;
            }
            let mutant = round.and_then(|round| mutant(module, round));
            if let Some((text, mutant)) = mutant {
                std::fs::write(&module.unit.path, text)?;
                mutants.push(mutant);
            }
            sources.push(module.unit.path.clone());
        }
    }
    Ok((sources, mutants))
}

fn is_error(diagnostic: &syntax::diagnostic::Diagnostic) -> bool {
    diagnostic.severity == syntax::diagnostic::Severity::Error
}

/// Where what dialyzer says of one round is kept.
struct Record {
    path: PathBuf,
    /// What is there is enough.
    recorded: bool,
}

/// What both say of modules, and their CPU seconds.
fn looked_at(
    judge: &Judge,
    home: &Path,
    sources: &[PathBuf],
    record: &Record,
) -> Result<(Said, (f64, f64))> {
    if !(record.recorded && record.path.exists()) {
        std::fs::write(&record.path, asked(judge, home, sources)?)?;
    }
    let (mut said, mut compiled, mut theirs) = (Said::default(), Vec::new(), 0.0);
    for line in std::fs::read_to_string(&record.path)?.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["took", milliseconds] => theirs = milliseconds.parse().unwrap_or(0.0),
            ["compiled", path] => compiled.push(PathBuf::from(path)),
            [file, line, _kind] => {
                said.theirs.insert((file.to_owned(), line.parse().unwrap_or(0)));
            }
            _ => {}
        }
    }
    let before = super::cpu_seconds();
    let options = LoadOptions { without_lint: true, ..LoadOptions::default() };
    let program = Program::load(&compiled, &options).map_err(|error| error.to_string())?;
    let declarations = Declarations::new(Arc::new(program));
    let inferred = infer(&declarations, &Options::default());
    let ours = super::cpu_seconds().zip(before).map_or(0.0, |(after, before)| after - before);
    for (name, findings) in &inferred.findings {
        let modules = &declarations.program().modules;
        let Some(module) = modules.iter().find(|module| module.name == *name) else { continue };
        for finding in findings {
            if matches!(
                finding.why,
                Why::SpecArgument { .. }
                    | Why::SpecResult { .. }
                    | Why::SpecClause { .. }
                    | Why::SpecCallback { .. }
            ) {
                let line = module.tree.loc(finding.node).line;
                said.ours.insert((name_of(&module.unit.path), line));
            }
        }
    }
    said.compiled = compiled.iter().map(|path| name_of(path)).collect();
    Ok((said, (ours, theirs / 1000.0)))
}

/// What OTP says of modules: which it compiles, what dialyzer warns of, and the time for that.
fn asked(judge: &Judge, home: &Path, sources: &[PathBuf]) -> Result<String> {
    let beams = home.join("beams");
    std::fs::create_dir_all(&beams)?;
    let listed = judge.call("compile", [&beams].into_iter().chain(sources))?;
    let compiled: Vec<PathBuf> = listed.lines().map(PathBuf::from).collect();
    let code: Vec<PathBuf> = compiled
        .iter()
        .filter_map(|path| Some(beams.join(path.file_stem()?).with_extension("beam")))
        .collect();
    let out = home.join("warnings.txt");
    let table = judge.table();
    let told = judge.call("warnings", [&table, &out].into_iter().chain(&code))?;
    let took: f64 = told.trim().parse().map_err(|_| format!("unexpected answer: {told}"))?;
    let mut text = format!("took {took}\n");
    for path in &compiled {
        text += &format!("compiled {}\n", path.display());
    }
    Ok(text + &std::fs::read_to_string(&out)?)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The types of a spec's first clause that can be exchanged: of arguments, and of the result. Where
/// one is a variable with a bound, that is meant.
fn places(module: &LoadedModule, form: NodeId) -> Option<(Vec<Span>, Span)> {
    let tree = &module.tree;
    let Kind::SpecAttribute { clauses, .. } = tree.kind(form) else { return None };
    let clause = *tree.list(clauses).first()?;
    let (fun, constraints) = match tree.kind(clause) {
        Kind::BoundedFunType { fun, constraints } => (fun, tree.list(constraints)),
        _ => (clause, &[] as &[NodeId]),
    };
    let Kind::FunType { args: Some(args), result, .. } = tree.kind(fun) else { return None };
    let place = |node: NodeId| {
        let bound = constraints.iter().find_map(|&constraint| match tree.kind(constraint) {
            Kind::ConstraintType { var, ty } if tree.kind(var) == tree.kind(node) => Some(ty),
            _ => None,
        });
        match (tree.kind(node), bound) {
            // A variable without a bound stands for what it is elsewhere.
            (Kind::Var(name), None) if name.as_str() != "_" => None,
            (_, bound) => Some(tree.span(bound.unwrap_or(node))),
        }
    };
    let args = tree.list(args).iter().filter_map(|&arg| place(arg)).collect();
    Some((args, place(result)?))
}

/// The text of a module with one spec changed.
fn mutant(module: &LoadedModule, round: u64) -> Option<(String, Mutant)> {
    let mut random = Random::new(module.name.as_str(), round);
    let specs: Vec<(NameArity, NodeId)> =
        module.index.specs.iter().map(|(function, form)| (function, *form)).collect();
    let (function, form) = specs[random.below(specs.len())];
    let (args, result) = places(module, form)?;
    let text = &module.tree.files.first()?.text;
    let of = |span: Span| text.get(span.start as usize..span.end as usize);
    let other = OTHERS[random.below(OTHERS.len())].to_owned();
    let changes: Vec<(Span, String)> = match random.below(5) {
        0 if args.len() > 1 => {
            let first = random.below(args.len() - 1);
            let (a, b) = (args[first], args[first + 1]);
            vec![(a, of(b)?.to_owned()), (b, of(a)?.to_owned())]
        }
        1 => vec![(result, format!("{{wrong, {}}}", of(result)?))],
        2 | 3 if !args.is_empty() => vec![(args[random.below(args.len())], other)],
        _ => vec![(result, other)],
    };
    let mut changed = text.to_string();
    let mut ordered = changes.clone();
    ordered.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    for (span, new) in ordered {
        let old = of(span)?;
        // Overlapping places, and text of macros and headers, are left alone.
        if span.file != FileId(0) || old.starts_with('?') || old == new {
            return None;
        }
        // Lines stay as they were.
        let lines = |text: &str| text.matches('\n').count();
        let fill = "\n".repeat(lines(old).saturating_sub(lines(&new)));
        changed.replace_range(span.start as usize..span.end as usize, &format!("{new}{fill}"));
    }
    let about = changes.iter().map(|(span, new)| format!("{} -> {new}", of(*span).unwrap_or("")));
    let about = about.collect::<Vec<String>>().join("; ");
    let about = format!("{}/{}: {}", function.0, function.1, about.replace('\n', " "));
    let place = (name_of(&module.unit.path), module.tree.loc(form).line);
    Some((changed, Mutant { place, about }))
}

/// Numbers that look random and are the same each time (a linear congruence).
struct Random(u64);

impl Random {
    fn new(name: &str, round: u64) -> Random {
        let hash = name.bytes().fold(round + 1, |hash, byte| {
            hash.wrapping_mul(0x0100_0000_01b3).wrapping_add(u64::from(byte))
        });
        Random(hash)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
