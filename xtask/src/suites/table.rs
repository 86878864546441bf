//! The table: how many cases of each suite pass on the BEAM, and how many of those pass here.
//!
//! Only cases that pass on the BEAM count, and of them not those listed in `apart.txt`.

use std::fmt::Write;

use super::apart::Apart;
use super::cases::{Name, Results, Verdict};
use super::plan::{LEFT_OUT, Suite};

/// One suite, compared.
pub(super) struct Row {
    suite: String,
    /// Cases that the BEAM was seen to run.
    cases: usize,
    /// Cases that pass on the BEAM, those counted apart included.
    beam: usize,
    /// Cases that count: they pass on the BEAM and are not apart.
    counted: usize,
    /// Those of them that pass here.
    here: usize,
    /// Counting cases that do not pass here, and why.
    others: Vec<(String, String)>,
    /// Cases apart that pass on the BEAM, why they are apart, and whether they pass here.
    apart: Vec<(String, String, bool)>,
    /// Names in `apart.txt` that the suite does not have.
    unknown: Vec<String>,
    complete: bool,
}

impl Row {
    pub(super) fn new(suite: &Suite, beam: &Results, here: &Results, apart: &Apart) -> Row {
        let short = suite.short_name();
        let beam = &without_left_out(&short, beam);
        let mut row = Row {
            cases: beam.cases.len(),
            beam: 0,
            counted: 0,
            here: 0,
            others: Vec::new(),
            apart: Vec::new(),
            unknown: Vec::new(),
            complete: beam.complete,
            suite: short.clone(),
        };
        for name in beam.cases.keys().filter(|name| beam.passed(name)) {
            row.beam += 1;
            let passes = here.passed(name);
            if let Some(reason) = apart.reason(&short, &name.1) {
                row.apart.push((shown(name), reason.to_owned(), passes));
                continue;
            }
            row.counted += 1;
            if passes {
                row.here += 1;
            } else {
                row.others.push((shown(name), why(here, name)));
            }
        }
        let has = |case: &str| beam.cases.keys().any(|name| name.1 == case);
        // A suite that was not run here has nothing to tell about its cases.
        if here.cases.is_empty() {
            row.others.clear();
        }
        row.unknown = apart.of_suite(&short).filter(|case| !has(case)).map(str::to_owned).collect();
        row
    }

    /// The row of the table.
    pub(super) fn line(&self) -> String {
        format!(
            "{:28} {:5} {:5} {:5} {:7} {:5} {:7.1}{}",
            self.suite,
            self.cases,
            self.beam,
            self.apart.len(),
            self.counted,
            self.here,
            self.percentage(),
            if self.complete { "" } else { "  (cut short on the BEAM)" }
        )
    }

    fn percentage(&self) -> f64 {
        if self.counted == 0 { 100.0 } else { 100.0 * self.here as f64 / self.counted as f64 }
    }
}

/// The results without those of groups that are left out.
fn without_left_out(suite: &str, results: &Results) -> Results {
    let mut results = results.clone();
    results.cases.retain(|(group, _), _| {
        !LEFT_OUT.iter().any(|(of, out)| *of == suite && group.as_deref() == Some(*out))
    });
    results
}

fn shown((group, case): &Name) -> String {
    match group {
        Some(group) => format!("{group}/{case}"),
        None => case.clone(),
    }
}

fn why(here: &Results, name: &Name) -> String {
    match here.cases.get(name) {
        None => "was not run".to_owned(),
        Some(outcome) => {
            let line = outcome.reason.lines().next().unwrap_or_default();
            let line: String = line.chars().take(160).collect();
            let skipped = if outcome.verdict == Verdict::Skipped { "skipped: " } else { "" };
            format!("{skipped}{line}")
        }
    }
}

/// Suites, cases that count, cases that pass here, suites that reach the goal.
struct Sums {
    suites: usize,
    counted: usize,
    here: usize,
    reached: usize,
}

const GOAL: f64 = 95.0;

fn sums(rows: &[Row]) -> Sums {
    Sums {
        suites: rows.len(),
        counted: rows.iter().map(|row| row.counted).sum(),
        here: rows.iter().map(|row| row.here).sum(),
        reached: rows.iter().filter(|row| row.percentage() >= GOAL).count(),
    }
}

fn summary(rows: &[Row]) -> String {
    let sums = sums(rows);
    format!(
        "{} of {} cases pass here ({:.1} %); {} of {} suites reach {GOAL} %",
        sums.here,
        sums.counted,
        if sums.counted == 0 { 100.0 } else { 100.0 * sums.here as f64 / sums.counted as f64 },
        sums.reached,
        sums.suites
    )
}

/// For a terminal: the table, then every case that counts and does not pass.
pub(super) fn text(rows: &[Row]) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:28} {:>5} {:>5} {:>5} {:>7} {:>5} {:>7}",
        "suite", "cases", "BEAM", "apart", "counted", "here", "%"
    );
    for row in rows {
        let _ = writeln!(out, "{}", row.line());
    }
    let _ = writeln!(out, "{}\n", summary(rows));
    for row in rows {
        for (case, why) in &row.others {
            let _ = writeln!(out, "{} {case}: {why}", row.suite);
        }
        for case in &row.unknown {
            let _ = writeln!(out, "{} {case}: in apart.txt, but there is no such case", row.suite);
        }
    }
    out
}

/// For the documentation: the same, and what is counted apart.
pub(super) fn markdown(rows: &[Row]) -> String {
    let mut out = String::from(
        "| suite | cases | pass on the BEAM | apart | counted | pass here | % |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for row in rows {
        let _ = writeln!(
            out,
            "| {}{} | {} | {} | {} | {} | {} | {:.1} |",
            row.suite,
            if row.complete { "" } else { " (cut short on the BEAM)" },
            row.cases,
            row.beam,
            row.apart.len(),
            row.counted,
            row.here,
            row.percentage()
        );
    }
    let _ = writeln!(out, "\n{}.\n\n## Cases that do not pass here\n", summary(rows));
    for row in rows {
        for (case, why) in &row.others {
            let _ = writeln!(out, "* {} `{case}`: {}", row.suite, literal(why));
        }
    }
    let _ = writeln!(out, "\n## Cases counted apart\n");
    for row in rows {
        for (case, why, passes) in &row.apart {
            let note = if *passes { " (passes all the same)" } else { "" };
            let _ = writeln!(out, "* {} `{case}`: {why}{note}", row.suite);
        }
    }
    out
}

/// Text as code, so that nothing in it is taken for markup.
fn literal(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", text.replace('`', "'")) }
}
