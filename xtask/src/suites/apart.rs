//! Cases that need what one node without a real VM under it cannot have. They are listed by name in
//! `apart.txt`, each with what it needs, and are not part of the percentage.
//!
//! A line is `SUITE: CASE…`, the suite written `application/name`; the reason is the heading
//! `[REASON]` above it. Every other case counts.

use std::collections::BTreeMap;

use crate::problem::Result;

const TEXT: &str = include_str!("apart.txt");

/// Why a case of a suite is counted apart: by suite and case.
pub(super) struct Apart(BTreeMap<(String, String), String>);

impl Apart {
    pub(super) fn read() -> Result<Apart> {
        parse(TEXT).map(Apart)
    }

    pub(super) fn reason(&self, suite: &str, case: &str) -> Option<&str> {
        self.0.get(&(suite.to_owned(), case.to_owned())).map(String::as_str)
    }

    /// The cases of a suite that are listed.
    pub(super) fn of_suite<'a>(&'a self, suite: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.keys().filter(move |(of, _)| of == suite).map(|(_, case)| case.as_str())
    }
}

fn parse(text: &str) -> Result<BTreeMap<(String, String), String>> {
    let mut apart = BTreeMap::new();
    let mut reason: Option<&str> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if let Some(heading) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            reason = Some(heading);
            continue;
        }
        let complaint = |what: &str| format!("apart.txt:{}: {what}", number + 1);
        let reason = reason.ok_or_else(|| complaint("a case before the first reason"))?;
        let (suite, cases) = line.split_once(':').ok_or_else(|| complaint("no suite"))?;
        for case in cases.split_whitespace() {
            let key = (suite.trim().to_owned(), case.to_owned());
            if apart.insert(key, reason.to_owned()).is_some() {
                return Err(complaint(&format!("{case} is listed twice")).into());
            }
        }
    }
    Ok(apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_cases_under_reasons() {
        let apart =
            parse("# note\n[other nodes]\nstdlib/x: a b\n\n[drivers]\nemulator/y: c # why\n");
        let apart = Apart(apart.unwrap_or_default());
        assert_eq!(apart.reason("stdlib/x", "b"), Some("other nodes"));
        assert_eq!(apart.reason("emulator/y", "c"), Some("drivers"));
        assert_eq!(apart.reason("emulator/y", "a"), None);
    }

    #[test]
    fn complains() {
        assert_eq!(parse("stdlib/x: a"), Err("apart.txt:1: a case before the first reason".into()));
        assert_eq!(parse("[r]\nx: a\nx: a"), Err("apart.txt:3: a is listed twice".into()));
        assert!(Apart::read().is_ok());
    }
}
