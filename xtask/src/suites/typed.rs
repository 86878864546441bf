//! Inferred types against what OTP's suites do: each suite on the Machine, in a child, with
//! somebody who holds every call that returns against the types of its module and of our library
//! ([`crate::typings::runs`]). What a suite did before its time was over counts, but is only told
//! by those that came to their end.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::child::{self, Ended, Limits};
use super::here::Bounds;
use super::plan::Suite;
use crate::problem::Result;

/// Runs suites; an error if some call is outside of its type.
pub(super) fn compare(cache: &Path, suites: &[Suite], bounds: Bounds) -> Result<String> {
    let directory = cache.join("here");
    let program = std::env::current_exe()?.display().to_string();
    let mut returns: BTreeMap<String, u64> = BTreeMap::new();
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    let (mut functions, mut untold) = (0, Vec::new());
    for suite in suites {
        let output = directory.join(suite.file("typed"));
        let errors = directory.join(suite.file("errors"));
        let of = suite.directory.display().to_string();
        let arguments = ["suites", "--one", "--types", &of, &suite.module].map(str::to_owned);
        let limits = Limits { time: bounds.suite, patience: 20, memory: Some(bounds.memory) };
        let ended = child::run(&program, &arguments, &output, &errors, limits)?;
        let text = std::fs::read_to_string(&output).unwrap_or_default();
        let values = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let Some(typed) =
            values.filter_map(|mut value| value.get_mut("typed").map(Value::take)).next_back()
        else {
            let how = if ended == Ended::TimedOut { "time" } else { "crash" };
            eprintln!("{}: {how}", suite.short_name());
            untold.push(suite.short_name());
            continue;
        };
        let mut here = 0;
        for (source, count) in typed["returns"].as_object().into_iter().flatten() {
            *returns.entry(source.clone()).or_default() += count.as_u64().unwrap_or(0);
            here += count.as_u64().unwrap_or(0);
        }
        functions += typed["functions"].as_u64().unwrap_or(0);
        let found = typed["wrong"].as_object();
        for (name, text) in found.into_iter().flatten() {
            let text = text.as_str().unwrap_or_default();
            eprintln!("{name} {text}");
            wrong.insert(name.clone(), text.to_owned());
        }
        let found = found.map_or(0, serde_json::Map::len);
        eprintln!("{}: {here} returns, {found} functions outside", suite.short_name());
    }
    let mut told = String::new();
    for (source, count) in &returns {
        told += &format!("{count:>12} returns {source}\n");
    }
    let ran = suites.len() - untold.len();
    told += &format!("{functions:>12} functions, counted by suite, in {ran} suites\n");
    if !untold.is_empty() {
        told += &format!("not told, no time or memory was left: {}\n", untold.join(" "));
    }
    told += &format!("{:>12} functions are outside of their types", wrong.len());
    if wrong.is_empty() { Ok(told) } else { Err(told.into()) }
}
