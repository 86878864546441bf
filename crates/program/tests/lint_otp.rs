//! Every module of the installed OTP: we say of it exactly what OTP's own compiler says.

mod judge;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use judge::{Found, Judge};

#[test]
fn findings_about_otp_modules_are_those_of_the_judge() {
    let Some(judge) = Judge::find("lint_otp") else { return };
    let mut modules = judge.modules();
    if let Ok(only) = std::env::var("ERLSCOPE_ONLY") {
        modules.retain(|(path, _)| path.to_string_lossy().contains(&only));
    }
    let verdicts = judge.verdicts(&modules);
    assert_eq!(verdicts.len(), modules.len());
    let next = AtomicUsize::new(0);
    let wrong: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let late = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((path, includes)) = modules.get(index) else { break };
                    let ours = judge.ours(path, includes);
                    let report = compare(&ours, &verdicts[index], &late);
                    if !report.is_empty() {
                        let report = format!("{}\n{report}", path.display());
                        wrong.lock().expect("no panic elsewhere").push(report);
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().expect("no panic elsewhere");
    wrong.sort();
    for report in &wrong {
        println!("{report}");
    }
    let unreadable = verdicts.iter().filter(|verdict| is_unreadable(verdict)).count();
    println!("modules that the judge cannot read, where only that is compared: {unreadable}");
    println!("agreement on {} of {} modules", modules.len() - wrong.len(), modules.len());
    println!("warnings of later passes that we give too: {}", late.into_inner());
    assert!(wrong.is_empty(), "{} modules differ", wrong.len());
}

/// What only one of both says.
fn compare(ours: &[Found], theirs: &[Found], late: &AtomicUsize) -> String {
    let mut report = String::new();
    // Where the judge could not get past the first pass (a header that is generated when OTP is
    // built), there is nothing to compare.
    if is_unreadable(theirs) {
        if !ours.iter().any(|found| found.error) {
            report.push_str(&format!("  only theirs: {:?}\n", theirs.iter().find(|f| f.error)));
        }
        return report;
    }
    for found in ours {
        let known = theirs.iter().any(|other| {
            if found.pass == "compiler" {
                judge::depth() == "basic_validation"
                    || (other.line, other.column) == (found.line, found.column)
            } else {
                same(other, found)
            }
        });
        if !known {
            report.push_str(&format!("  only ours: {found:?}\n"));
        } else if found.pass == "compiler" {
            late.fetch_add(1, Ordering::Relaxed);
        }
    }
    for found in theirs.iter().filter(|found| found.pass == "erl_lint") {
        if !ours.iter().any(|other| same(other, found)) {
            report.push_str(&format!("  only theirs: {found:?}\n"));
        }
    }
    report
}

fn is_unreadable(verdict: &[Found]) -> bool {
    verdict.iter().any(|found| found.error && found.pass != "erl_lint")
}

fn same(a: &Found, b: &Found) -> bool {
    (a.line, a.column, a.error, &a.code) == (b.line, b.column, b.error, &b.code)
}
