//! The tests of a project by `erlscope test`, from its JSON document.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::cases::Side;
use crate::problem::Result;
use crate::suites::child::{self, Ended, Limits};

/// The cases of a project, and how many of them met what is not supported, by what it is.
pub(super) fn results(
    cache: &Path,
    dir: &Path,
    name: &str,
    limit: Duration,
) -> Result<(Side, BTreeMap<String, u64>)> {
    let binary = std::env::current_exe()?.with_file_name("erlscope");
    if !binary.exists() {
        return Err("there is no erlscope beside this: cargo build -p cli --bin erlscope".into());
    }
    eprintln!("{name} here");
    let output = cache.join(format!("{name}.here.json"));
    let errors = cache.join(format!("{name}.here.errors"));
    let script = format!(
        "cd {} && exec {} test . --format json --timeout {}",
        dir.display(),
        binary.display(),
        limit.as_secs()
    );
    let limits = Limits { time: limit * 2, patience: 1, memory: None };
    let begin = Instant::now();
    let ended = child::run("sh", &["-c".to_owned(), script], &output, &errors, limits)?;
    let mut side = Side { seconds: begin.elapsed().as_secs_f64(), ..Side::default() };
    match ended {
        Ended::Code(0 | 1) => {}
        Ended::Code(3) => side.note = "a bound was reached".to_owned(),
        Ended::Code(101) | Ended::Crashed => side.note = "CRASHED".to_owned(),
        Ended::Code(code) => side.note = format!("exit code {code}"),
        Ended::TimedOut => side.note = "out of time".to_owned(),
    }
    let mut causes = BTreeMap::new();
    let text = std::fs::read_to_string(&output).unwrap_or_default();
    let document: Value = serde_json::from_str(&text).unwrap_or_default();
    for module in document.get("modules").and_then(Value::as_array).into_iter().flatten() {
        read_module(module, &mut side, &mut causes);
    }
    Ok((side, causes))
}

fn read_module(module: &Value, side: &mut Side, causes: &mut BTreeMap<String, u64>) {
    let text = |value: &Value, key: &str| -> String {
        value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let name = text(module, "module");
    let is_suite = text(module, "kind") == "common_test";
    for case in module.get("tests").and_then(Value::as_array).into_iter().flatten() {
        let function = text(case, "function");
        let groups = case.get("groups").and_then(Value::as_array);
        let inner = groups.and_then(|groups| groups.last()).and_then(Value::as_str);
        let key = match inner {
            Some(group) if is_suite => format!("{group}:{function}"),
            _ if is_suite || function.ends_with("_test") => function,
            _ => "generated".to_owned(),
        };
        let lacks = case.get("unsupported").and_then(Value::as_array);
        let verdict = match lacks.is_some_and(|lacks| !lacks.is_empty()) {
            true => "unsupported".to_owned(),
            false => text(case, "result"),
        };
        side.cases.add(&name, &key, &verdict);
        if let Some(lack) = lacks.and_then(|lacks| lacks.first()) {
            *causes.entry(cause(lack)).or_default() += 1;
        }
    }
}

/// What is lacking, without where.
fn cause(lack: &Value) -> String {
    let text = |key: &str| lack.get(key).and_then(Value::as_str).map(str::to_owned);
    text("function").or_else(|| text("kind")).unwrap_or_else(|| lack.to_string())
}
