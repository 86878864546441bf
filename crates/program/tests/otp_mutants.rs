//! Mutants of OTP's own modules: where OTP's compiler reports an error we report one, and nowhere
//! else.
//!
//! Each mutant is a real module with one change ([`mutate`]). Two figures are printed: on how many
//! mutants both agree whether there is an error at all, and on how many the first error is the same
//! (line and kind) too. `ERLSCOPE_MUTANTS` and `ERLSCOPE_SEED` choose others; `ERLSCOPE_KEEP`
//! leaves the files of the mutants behind.

mod judge;
#[path = "judge/mutate.rs"]
mod mutate;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge::{Found, Judge};
use mutate::{Original, Random};

const MUTANTS: usize = 2_400;
const SEED: u64 = 1;
/// Small modules are quick to compile.
const MAX_BYTES: u64 = 16_000;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn errors_in_mutants_are_those_of_the_judge() {
    let Some(judge) = Judge::find("otp_mutants") else { return };
    let max_bytes = number("ERLSCOPE_MAX_BYTES", MAX_BYTES);
    let originals: Vec<(PathBuf, Vec<PathBuf>, Original)> = judge
        .modules()
        .into_iter()
        .filter(|(path, _)| std::fs::metadata(path).is_ok_and(|data| data.len() < max_bytes))
        .filter(|(path, includes)| !judge.ours(path, includes).iter().any(|found| found.error))
        .filter_map(|(path, mut includes)| {
            let original = Original::read(&path)?;
            includes.insert(0, path.parent()?.to_path_buf());
            Some((path, includes, original))
        })
        .collect();
    assert!(!originals.is_empty(), "OTP is installed without sources");
    let mut random = Random::new(number("ERLSCOPE_SEED", SEED));
    let wanted = number("ERLSCOPE_MUTANTS", MUTANTS as u64) as usize;
    let mut files = Vec::new();
    let mut kinds = Vec::new();
    while files.len() < wanted {
        let (path, includes, original) = &originals[random.below(originals.len())];
        let Some(mutant) = original.mutant(&mut random) else { continue };
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let file =
            judge.directory.join(format!("m{}_{}.erl", files.len(), name.unwrap_or_default()));
        std::fs::write(&file, mutant.text).expect("a mutant can be written");
        files.push((file, includes.clone()));
        kinds.push(mutant.kind);
    }
    let verdicts = judge.verdicts(&files);
    assert_eq!(verdicts.len(), files.len());
    let ours = all_ours(&judge, &files);
    report(&files, &kinds, &ours, &verdicts);
}

fn all_ours(judge: &Judge, files: &[(PathBuf, Vec<PathBuf>)]) -> Vec<Vec<Found>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Vec<Found>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |threads| threads.get()) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((path, includes)) = files.get(index) else { break };
                    let found = judge.ours(path, includes);
                    results.lock().expect("no panic elsewhere").push((index, found));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no panic elsewhere");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, found)| found).collect()
}

fn report(
    files: &[(PathBuf, Vec<PathBuf>)],
    kinds: &[&str],
    ours: &[Vec<Found>],
    verdicts: &[Vec<Found>],
) {
    let mut same_findings = 0;
    let (mut same_verdict, mut same_first, mut rejected, mut same_all) = (0, 0, 0, 0);
    let mut by_kind: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut late = 0;
    for (index, (file, _)) in files.iter().enumerate() {
        if judge::depth() != "basic_validation" {
            for found in ours[index].iter().filter(|found| found.pass == "compiler") {
                late += 1;
                let place = (found.line, found.column);
                if !verdicts[index].iter().any(|other| (other.line, other.column) == place) {
                    println!("LATE {} ({}): only ours {found:?}", file.display(), kinds[index]);
                }
            }
        }
        let (only_ours, only_theirs) = differences(&ours[index], &verdicts[index]);
        let (ours, theirs) = (errors(&ours[index]), errors(&verdicts[index]));
        if only_ours.is_empty() && only_theirs.is_empty() {
            same_findings += 1;
        } else if ours == theirs {
            println!(
                "FINDINGS {} ({}): only ours {only_ours:?}, only theirs {only_theirs:?}",
                file.display(),
                kinds[index]
            );
        }
        let agreed = ours.is_empty() == theirs.is_empty();
        rejected += usize::from(!theirs.is_empty());
        same_verdict += usize::from(agreed);
        let first = agreed && ours.first() == theirs.first();
        same_first += usize::from(first);
        same_all += usize::from(ours == theirs);
        let of_kind = by_kind.entry(kinds[index]).or_default();
        of_kind.0 += usize::from(agreed);
        of_kind.1 += 1;
        if !agreed {
            println!(
                "VERDICT {} ({}): ours {ours:?}, theirs {theirs:?}",
                file.display(),
                kinds[index]
            );
        } else if !first {
            println!(
                "FIRST {} ({}): ours {ours:?}, theirs {theirs:?}",
                file.display(),
                kinds[index]
            );
        } else if ours != theirs {
            println!("ALL {} ({}): ours {ours:?}, theirs {theirs:?}", file.display(), kinds[index]);
        }
    }
    let percent = |part: usize| 100.0 * part as f64 / files.len() as f64;
    for (kind, (agreed, all)) in by_kind {
        println!("{kind}: {agreed} of {all}");
    }
    println!("mutants: {}, rejected by the judge: {rejected}", files.len());
    println!("same verdict: {same_verdict} ({:.2} %)", percent(same_verdict));
    println!("same first error (line and kind): {same_first} ({:.2} %)", percent(same_first));
    println!("same list of errors: {same_all} ({:.2} %)", percent(same_all));
    println!(
        "same errors and warnings, with columns: {same_findings} ({:.2} %)",
        percent(same_findings)
    );
    println!("warnings of later passes that we give too: {late}");
    assert!(percent(same_verdict) >= 99.0, "less than 99 % of verdicts agree");
    assert!(percent(same_first) >= 97.0, "less than 97 % of first errors agree");
}

/// What only one of both reports: errors and warnings, with columns.
fn differences<'f>(ours: &'f [Found], theirs: &'f [Found]) -> (Vec<&'f Found>, Vec<&'f Found>) {
    let key = |found: &Found| {
        let code = if found.pass == "erl_lint" { &found.code } else { &found.pass };
        (found.line, found.column, found.error, code.clone())
    };
    let only = |one: &'f [Found], other: &[Found]| -> Vec<&'f Found> {
        let late = ["compiler", "sys_core_fold", "v3_core", "v3_kernel", "beam_core_to_ssa"];
        let one = one.iter().filter(|found| !late.contains(&found.pass.as_str()));
        one.filter(|found| !other.iter().any(|other| key(other) == key(found))).collect()
    };
    (only(ours, theirs), only(theirs, ours))
}

/// Line and kind of each error. The kind of an error before lint is the pass that found it.
fn errors(found: &[Found]) -> Vec<(u32, String)> {
    let mut errors: Vec<(u32, String)> = found
        .iter()
        .filter(|found| found.error)
        .map(|found| match found.pass.as_str() {
            "erl_lint" => (found.line, found.code.clone()),
            pass => (found.line, pass.to_string()),
        })
        .collect();
    errors.sort();
    errors.dedup();
    errors
}
