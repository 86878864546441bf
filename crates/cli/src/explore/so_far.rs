//! What explorations have come to so far: it is told should a limit cut the command off, be it
//! inside of one long builtin or while a story is told. Errors are told without their stories then.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use report::explore::{Figures, Found};
use session::explore::{Explained, Finding};

use crate::args::{Explore, ExploreFormat};
use crate::exit::Exit;
use crate::guard::{self, Told};

/// Of explorations that are over.
static DONE: Mutex<Vec<Figures>> = Mutex::new(Vec::new());
/// Of the one that is not.
static NOW: Mutex<Option<Figures>> = Mutex::new(None);
static EXECUTIONS: AtomicU64 = AtomicU64::new(0);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on the command leaves what it has come to.
pub(super) fn leave(explore: &Explore) {
    let (format, output, of_tests) = (explore.format, explore.output.clone(), explore.tests);
    guard::leave(move |why| told(format, output.as_ref(), of_tests, why));
}

/// An exploration begins.
pub(super) fn begin(call: &str) {
    EXECUTIONS.store(0, Ordering::Relaxed);
    *locked(&NOW) = Some(Figures { call: call.to_owned(), ..Figures::default() });
}

/// What was explored so far does not count.
pub(super) fn begin_again() {
    EXECUTIONS.store(0, Ordering::Relaxed);
}

/// One more execution is explored.
pub(super) fn count() {
    EXECUTIONS.fetch_add(1, Ordering::Relaxed);
}

/// What was found in it until now.
pub(super) fn found<'a>(findings: impl Iterator<Item = &'a Finding>) {
    if let Some(now) = &mut *locked(&NOW) {
        let found = |finding: &Finding| {
            let finding = Finding { count: finding.count.max(1), ..finding.clone() };
            Found { explained: Explained::without_story(finding), witness: None }
        };
        now.findings = findings.map(found).collect();
        let counts = now.findings.iter().map(|found| found.explained.finding.count);
        now.erroneous = counts.max().unwrap_or(0);
    }
}

/// It is over.
pub(super) fn done(figures: Figures) {
    *locked(&NOW) = None;
    locked(&DONE).push(figures);
}

fn told(format: ExploreFormat, output: Option<&PathBuf>, of_tests: bool, why: &str) -> Told {
    // Who was stopped in the middle of noting something is not waited for.
    let mut figures: Vec<Figures> = DONE.try_lock().map(|done| done.clone()).unwrap_or_default();
    let now = NOW.try_lock().ok().and_then(|now| now.clone()).unwrap_or_default();
    if !now.call.is_empty() || figures.is_empty() {
        let executions = EXECUTIONS.load(Ordering::Relaxed);
        figures.push(Figures { executions, incomplete_because: Some(why.to_owned()), ..now });
    }
    let has_findings = figures.iter().any(|figures| !figures.findings.is_empty());
    let text = match format {
        ExploreFormat::Json => report::explore::json(&figures, of_tests),
        ExploreFormat::Junit => report::explore::ci::junit(&figures),
        ExploreFormat::Sarif => report::explore::ci::sarif(&figures),
        ExploreFormat::Html => String::new(),
        ExploreFormat::Text => {
            let found = figures.iter().flat_map(|figures| &figures.findings);
            let kind = |found: &Found| found.explained.finding.kind().name();
            found.map(|found| format!("{}: {}\n", kind(found), found.sentence())).collect()
        }
    };
    let text = match output {
        Some(path) => {
            let written = std::fs::write(path, &text).err();
            written.map_or(String::new(), |error| format!("{}: {error}\n", path.display()))
        }
        None => text,
    };
    Told { text, exit: if has_findings { Exit::SomethingFound } else { Exit::Incomplete } }
}
