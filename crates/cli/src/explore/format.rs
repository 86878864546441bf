//! What explorations found, in the format that was asked for.

use std::path::PathBuf;

use report::explore::{Figures, Found};
use report::explore_html::{Section, Shown};
use session::explore::{Explained, Explored};

use super::picture::{excerpts, sequence};
use super::summary;
use crate::args::ExploreFormat;

/// An exploration with the files that were written for its findings.
pub(super) struct Reported {
    pub(super) explored: Explored,
    pub(super) witnesses: Vec<PathBuf>,
}

/// The whole document. `of_tests` says that these are the tests of a program.
pub(super) fn render(
    format: ExploreFormat,
    reported: &[Reported],
    of_tests: bool,
    all_steps: bool,
) -> String {
    let figures = |reported: &Reported| summary::figures(&reported.explored, &reported.witnesses);
    match format {
        ExploreFormat::Text => text(reported, of_tests, all_steps),
        ExploreFormat::Json => {
            report::explore::json(&reported.iter().map(figures).collect::<Vec<_>>(), of_tests)
        }
        ExploreFormat::Junit => {
            report::explore_ci::junit(&reported.iter().map(figures).collect::<Vec<_>>())
        }
        ExploreFormat::Sarif => {
            report::explore_ci::sarif(&reported.iter().map(figures).collect::<Vec<_>>())
        }
        ExploreFormat::Html => {
            let figures: Vec<Figures> = reported.iter().map(figures).collect();
            let sections: Vec<Section<'_>> =
                figures.iter().zip(reported).map(|(f, r)| section(f, r)).collect();
            let title = match &figures[..] {
                [one] if !of_tests => format!("erlscope explore {}", one.call),
                _ => "erlscope explore --tests".to_owned(),
            };
            report::explore_html::html(&title, &sections)
        }
    }
}

/// What can be done with a witness beside telling it again.
const RECORD: &str = "to record one of these executions, for `erlscope trace` and `erlscope slice`: erlscope \
                      replay WITNESS --trace FILE\n";

fn text(reported: &[Reported], of_tests: bool, all_steps: bool) -> String {
    let mut text = String::new();
    for one in reported {
        if of_tests && one.explored.found.is_empty() {
            continue;
        }
        text.push_str(&summary::text(&one.explored, &one.witnesses, all_steps));
        if of_tests {
            text.push('\n');
        }
    }
    if of_tests {
        text.push_str(&summary::table(reported.iter().map(|one| &one.explored)));
    }
    text.push_str(&summary::changes(reported.iter().map(|one| &one.explored)));
    if reported.iter().any(|one| !one.witnesses.is_empty()) {
        text.push_str(RECORD);
    }
    text
}

fn section<'a>(figures: &'a Figures, reported: &Reported) -> Section<'a> {
    let findings = figures.findings.iter().zip(&reported.explored.found);
    let shown = |(found, explained): (&'a Found, &Explained)| Shown {
        found,
        sequence: sequence(&found.sentence(), &explained.story, false),
        excerpts: excerpts(&explained.story),
    };
    Section { figures, findings: findings.map(shown).collect() }
}
