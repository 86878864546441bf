//! The direction of the arrows between our crates, and who may use which crate of others.
//!
//! The table lists for each crate the crates of ours that it may depend on. A crate that is not
//! listed is a complaint: whoever adds one says here where it stands. So is an edge that is allowed
//! and that nobody uses: the table is the graph.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What each crate may use. Everything else is forbidden, so that the front end stays free of
/// running, running stays free of analysis, and only the outermost crates talk to people.
const MAY_USE: &[(&str, &[&str])] = &[
    ("atom", &[]),
    ("ids", &[]),
    ("pcre", &[]),
    ("dependence", &["ids"]),
    ("java", &["atom"]),
    ("java_slice", &["atom", "dependence", "ids", "java"]),
    ("syntax", &["atom"]),
    ("term", &["atom"]),
    ("solver", &["atom", "term"]),
    ("stdlib", &[]),
    ("registry", &[]),
    ("program", &["atom", "stdlib", "syntax"]),
    ("flow", &["atom", "ids", "program", "syntax"]),
    ("types", &["atom", "program", "stdlib", "syntax", "term"]),
    ("inputs", &["atom", "program", "syntax", "term", "types"]),
    ("reduce", &["atom", "syntax"]),
    ("code", &["atom", "syntax", "term"]),
    ("machine", &["atom", "code", "pcre", "syntax", "term"]),
    ("compare", &["atom", "inputs", "machine", "program", "syntax", "term"]),
    ("contracts", &["atom", "code", "machine", "program", "syntax", "term", "types"]),
    ("concolic", &["atom", "code", "inputs", "machine", "solver", "syntax", "term", "types"]),
    ("trace", &["atom", "code", "machine", "term"]),
    ("library", &["code", "stdlib", "syntax"]),
    (
        "runner",
        &["atom", "code", "library", "machine", "program", "stdlib", "syntax", "term", "trace"],
    ),
    (
        "session",
        &[
            "atom",
            "compare",
            "concolic",
            "contracts",
            "coverage",
            "debug",
            "explore",
            "flow",
            "inputs",
            "java",
            "java_slice",
            "library",
            "machine",
            "program",
            "reduce",
            "runner",
            "slice",
            "stdlib",
            "syntax",
            "term",
            "trace",
            "types",
        ],
    ),
    (
        "report",
        &["atom", "explore", "flow", "program", "registry", "session", "slice", "syntax", "trace"],
    ),
    ("explore", &["atom", "machine", "syntax", "term", "trace"]),
    ("follow", &["atom", "code", "flow", "machine", "syntax", "term"]),
    ("slice", &["atom", "dependence", "flow", "follow", "machine", "program", "syntax", "term"]),
    ("debug", &["atom", "follow", "machine", "syntax", "term"]),
    ("coverage", &["explore", "flow", "follow", "machine", "syntax", "term"]),
    (
        "cli",
        // A front: what it wants to know it asks `session`.
        &["atom", "program", "registry", "report", "session", "syntax"],
    ),
    (
        "xtask",
        &[
            "atom", "flow", "follow", "machine", "program", "runner", "slice", "syntax", "term",
            "types",
        ],
    ),
];

/// Crates of others that only these of ours may use.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("ctrlc", &["cli"]),
    ("indicatif", &["cli"]),
    ("mimalloc", &["cli", "xtask"]),
    ("annotate-snippets", &["report"]),
];

pub(crate) fn check(root: &Path) -> Vec<String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root)
        .output();
    let output = match output {
        Ok(output) if output.status.success() => output.stdout,
        Ok(output) => {
            return vec![format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr))];
        }
        Err(error) => return vec![format!("cargo metadata: {error}")],
    };
    match serde_json::from_slice::<Value>(&output) {
        Ok(metadata) => check_metadata(&metadata),
        Err(error) => vec![format!("cargo metadata: {error}")],
    }
}

fn check_metadata(metadata: &Value) -> Vec<String> {
    let packages = items(&metadata["packages"]);
    let ours: Vec<&str> = packages.iter().map(|package| text(&package["name"])).collect();
    let mut complaints = Vec::new();
    for package in packages {
        let name = text(&package["name"]);
        let Some((_, allowed)) = MAY_USE.iter().find(|(crate_name, _)| *crate_name == name) else {
            complaints.push(format!("crate {name} is not in xtask/src/tidy/edges.rs"));
            continue;
        };
        let mut uses = Vec::new();
        for dependency in items(&package["dependencies"]) {
            let used = text(&dependency["name"]);
            // Tests may use whatever helps.
            if dependency["kind"] == "dev" {
                continue;
            }
            if ours.contains(&used) && !allowed.contains(&used) {
                complaints.push(format!("crate {name} must not depend on {used}"));
            }
            if ours.contains(&used) {
                uses.push(used);
            }
            let reserved = ONLY_IN.iter().find(|(crate_name, _)| *crate_name == used);
            if reserved.is_some_and(|(_, users)| !users.contains(&name)) {
                complaints.push(format!("crate {name} must not use {used}"));
            }
        }
        for unused in allowed.iter().filter(|allowed| !uses.contains(*allowed)) {
            complaints.push(format!("crate {name} may depend on {unused} and does not"));
        }
    }
    complaints
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::check_metadata;

    #[test]
    fn wrong_edges_are_found() {
        let metadata = serde_json::json!({"packages": [
            {"name": "atom", "dependencies": []},
            {"name": "pcre", "dependencies": []},
            {"name": "term", "dependencies": [{"name": "atom", "kind": null}]},
            {"name": "syntax", "dependencies": [
                {"name": "atom", "kind": null},
                {"name": "program", "kind": null},
                {"name": "clap", "kind": null},
            ]},
            {"name": "program", "dependencies": [
                {"name": "atom", "kind": null},
                {"name": "stdlib", "kind": null},
                {"name": "term", "kind": "dev"},
            ]},
            {"name": "stdlib", "dependencies": [{"name": "atom", "kind": null}]},
            {"name": "newcomer", "dependencies": []},
        ]});
        assert_eq!(
            check_metadata(&metadata),
            [
                "crate syntax must not depend on program",
                "crate syntax must not use clap",
                "crate program may depend on syntax and does not",
                "crate stdlib must not depend on atom",
                "crate newcomer is not in xtask/src/tidy/edges.rs",
            ]
        );
    }
}
