//! What explorations found, in the format that was asked for.

use std::path::PathBuf;

use session::explore::{Explained, Explored};

use super::html::{Section, Shown};
use super::picture::{excerpts, sequence};
use super::{Figures, Found, ci, html, text};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Each error with its story.
    Text,
    Json,
    /// A page with stories, sequence diagrams and source.
    Html,
    Junit,
    Sarif,
}

/// An exploration with the files that were written for its findings.
pub struct Reported {
    pub explored: Explored,
    pub witnesses: Vec<PathBuf>,
}

/// The whole document. `of_tests` says that these are the tests of a program.
pub fn render(format: Format, reported: &[Reported], of_tests: bool, all_steps: bool) -> String {
    let figures = |reported: &Reported| text::figures(&reported.explored, &reported.witnesses);
    match format {
        Format::Text => whole_text(reported, of_tests, all_steps),
        Format::Json => super::json(&reported.iter().map(figures).collect::<Vec<_>>(), of_tests),
        Format::Junit => ci::junit(&reported.iter().map(figures).collect::<Vec<_>>()),
        Format::Sarif => ci::sarif(&reported.iter().map(figures).collect::<Vec<_>>()),
        Format::Html => {
            let figures: Vec<Figures> = reported.iter().map(figures).collect();
            let sections: Vec<Section<'_>> =
                figures.iter().zip(reported).map(|(f, r)| section(f, r)).collect();
            let title = match &figures[..] {
                [one] if !of_tests => format!("erlscope explore {}", one.call),
                _ => "erlscope explore --tests".to_owned(),
            };
            html::html(&title, &sections)
        }
    }
}

/// What can be done with a witness beside telling it again.
const RECORD: &str = "to record one of these executions, for `erlscope trace` and \
                      `erlscope slice`: erlscope replay WITNESS --trace FILE\n";

fn whole_text(reported: &[Reported], of_tests: bool, all_steps: bool) -> String {
    let mut text = String::new();
    for one in reported {
        if of_tests && one.explored.found.is_empty() {
            continue;
        }
        text.push_str(&text::text(&one.explored, &one.witnesses, all_steps));
        if of_tests {
            text.push('\n');
        }
    }
    if of_tests {
        text.push_str(&text::table(reported.iter().map(|one| &one.explored)));
    }
    text.push_str(&text::changes(reported.iter().map(|one| &one.explored)));
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
